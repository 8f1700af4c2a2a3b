"""Run `audit` on built folders, and read its tables, its pictures and its messages."""

import json
import re
from itertools import product

import pyarrow.parquet as pq
import pytest
from commands.samples import NO_ORDERS
from support import TINY, sized, spoil, table_of, tree

from tom_datasets.audit.gates import GATED_STORIES
from tom_datasets.story.config import order_name
from tom_datasets.syntax.formula import SETUPS

PICTURES = {
    "hi_tom": ["confidence.png", "difficulty.png", "letters.png", "places.png", "shortcuts.png"],
    "mindgames": ["confidence.png", "difficulty.png", "shortcuts.png"],
}


@pytest.mark.parametrize(
    ("name", "sizes", "group"),
    [
        ("hi_tom", (*TINY["hi_tom"], *NO_ORDERS), "4th_order"),
        pytest.param(
            *(
                "mindgames",
                sized("mindgames", train=3, validation=1, test=3, scale=1),
                "forehead",
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_build_with_rows_enough_has_the_audit_and_its_pictures(run, tmp_path, monkeypatch, name, sizes, group):
    monkeypatch.setattr("tom_datasets.audit.gates.GATED_STORIES", 6)
    target = tmp_path / name
    assert run("build", name, *sizes, "--out", tmp_path)[0] == 0
    card = (target / "README.md").read_text(encoding="utf-8")
    assert "| rule | gate |" in card and f"| {group} (" in card and "\n| *probe*: " in card
    shown = re.findall(r"!\[.+\]\(pictures/(\w+\.png)\)", card)
    assert sorted(shown) == PICTURES[name] == sorted(path.name for path in (target / "pictures").iterdir())
    known = json.loads((target / "build.json").read_text(encoding="utf-8"))["files"]
    assert {f"pictures/{picture}" for picture in shown} <= set(known)
    assert "is up to date" in run("build", name, *sizes, "--out", tmp_path)[1]
    code, printed, said = run("audit", name, "--out", tmp_path)
    assert code in (0, 1) and all(f"pictures/{name}_{picture}" in printed for picture in shown)
    assert [path.name for path in sorted((tmp_path / "pictures").iterdir())] == [
        f"{name}_{each}" for each in PICTURES[name]
    ]
    assert run("clean", name, "--out", tmp_path)[0] == 0 and not target.exists()


def test_audit_prints_both_tables_and_touches_nothing(run, stories):
    before = tree(stories)
    code, printed, said = run("audit", "--out", stories)
    assert (code, said) == (0, "")
    assert tree(stories) == before
    gated, shown = printed.split("Rules that learn from texts")[0].split("Shown, not gated:")
    for order in range(5):
        group = order_name(order)
        counted = table_of(gated, f"{group}: ours") if order else table_of(shown, group)
        assert counted["rows"] == 6 and counted["chance"] == 6.7
        assert f"reproduction {group}" in shown and f"reproduction {group}" not in gated
        rows = pq.read_table(stories / "hi_tom" / group / "test.parquet").to_pylist()
        right = sum(row["deberta_pred"] == row["answer_index"] for row in rows)
        assert counted["probe"] == round(100 * right / 6, 1)
        assert {"question alone", "story alone", "TF-IDF"} <= set(counted)
    assert table_of(shown, "0th_order")["last"] == 100
    assert table_of(gated, "4th_order: published")["first"] == 48.3
    assert sum(table_of(shown, f"tomh {order_name(order)}")["rows"] for order in range(1, 5)) == 27
    assert f"not gated: 6 test stories, the gates need {GATED_STORIES}" in printed


LOOKUPS = ("hypothesis alone", "premise alone")


def test_audit_prints_both_tables_of_problems_and_touches_nothing(run, problems):
    before = tree(problems)
    code, printed, said = run("audit", "--out", problems)
    assert (code, said) == (0, "")
    assert tree(problems) == before
    gated, rest = printed.split("Shown, not gated")
    shown, spoken, orders, rounds = re.split("Rules that learn from texts|Order blocks: |Questions of rounds: ", rest)
    assert table_of(spoken, "internal_zh")["hypothesis alone"] == 50.0
    for group in (*SETUPS, "all"):
        counted = table_of(gated, f"{group}: ours")
        assert counted["rows"] == (96 if group == "all" else 24)
        for rule in (*LOOKUPS, "no announcements", "majority", "TF-IDF"):
            assert counted[rule] == 50.0, (group, rule)
    # Where everybody sees everything, the rule that takes it so is right.
    assert table_of(gated, "forehead_mirror: ours")["as if all saw all"] == 100.0
    assert table_of(gated, "all: published")["rows"] == 3725
    for setup in SETUPS:
        assert table_of(shown, f"scale {setup}")["rows"] == 4
        assert table_of(shown, f"reproduction {setup}")["rows"] == 4
        assert table_of(shown, f"scale {setup}")["hypothesis alone"] == 50.0
    for setup in ("forehead", "internal", "explicit"):
        assert table_of(orders, setup)["set of sentences"] == 50.0
    assert "| first yes | ≤ 35, " in rounds
    for group in ("rung 1", "rungs together"):
        assert table_of(orders, group)["all at once"] == 50.0
    assert "| TF-IDF | ≤ 55 | 50.0" in gated and "gate" not in shown.split("\n\n")[1]
    assert printed.endswith(
        "\ngates hold for every setup, on 24 test problems\n"
        "deep, not gated: 4 test problems, the gates need 800\n"
        "ladder, not gated: 12 test problems, the gates need 800\n"
        "rounds, not gated: 26 test questions, the gates need 400\n"
    )


def test_audit_of_unbalanced_labels_fails(run, problems_copy):
    """Where all of train and test follows in some setup, both lookups are always right there."""
    unbalanced = SETUPS[1:]
    for setup, split in product(unbalanced, ("train", "test")):
        change = lambda rows: [row.update(label="entailment") for row in rows]  # noqa: E731
        spoil(problems_copy / "mindgames", change, f"{setup}/{split}.parquet")
    code, printed, said = run("audit", "--out", problems_copy)
    assert code == 1 and said.startswith("error: a gate is broken on the test split: ") and said.count("\n") == 1
    for group, rule in product(unbalanced, LOOKUPS):
        assert f"{group}: '{rule}' is right on 100.0 %, the gate is 47 to 53 %" in said
        assert f"{group}: 'TF-IDF' is right on 100.0 %, the gate is ≤ 55 %" in said
    assert f"{SETUPS[0]}: " not in said and "all: 'premise alone'" in said and "gates hold" not in printed
