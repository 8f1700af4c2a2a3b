"""Hold the pages of the audit to the code: every rule with its gate, and the figures as recorded."""

import re

import pytest
from audit.samples import THAT, ask, problem_of, question_about
from support import ROOT, refused

from tom_datasets.audit import problems, stories
from tom_datasets.audit.figures import published_depth, published_table
from tom_datasets.audit.gates import GATES, spell_gate
from tom_datasets.audit.page import END, marker, page_tables, render_table, rule_tables, side_by_side, with_tables
from tom_datasets.audit.search import FEATURES
from tom_datasets.audit.shares import Share
from tom_datasets.builds.measured import main_tables, spoken_table
from tom_datasets.builds.requests import request_of
from tom_datasets.commands.build import checked_probe, is_default
from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.difficulty.masking import MaskedRow
from tom_datasets.folder.build import Build
from tom_datasets.story.interpretations import INTERPRETATIONS

PAGE = (ROOT / "docs" / "reference" / "audit_tables.md").read_text(encoding="utf-8")
METHOD = (ROOT / "docs" / "why" / "audit.md").read_text(encoding="utf-8")
SHARES = (
    *("hi_tom", "hi_tom, not gated", "hi_tom, other languages", "deep", "readings"),
    *("mindgames", "mindgames, not gated", "mindgames, other languages", "order blocks"),
)
TABLES = (*SHARES[:4], "rules found", *SHARES[4:])


def cells_of(markdown):
    """Return the cells of each row of a table."""
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in markdown.split("\n") if line.startswith("|")]


def named_by(row):
    """Return the names of all rules that a row answers."""
    return {*row.outcomes().constant, *row.features(), *row.outcomes().right}


SEEN = {"masked": MaskedRow(("[CLS]", "[SEP]"), (), 0), "probes": {"probe": True}}
QUESTION = question_about(ask("Jack", "Emma"), "box", 0, **SEEN)
PLAIN = named_by(problem_of(THAT, **SEEN)) | {"deberta_pred, as published"}
ANSWERED = [
    (stories.RULES, named_by(QUESTION)),
    (
        stories.NESTED_RULES,
        {*stories.depth_outcomes(QUESTION), *(f"link {place} ignored" for place in range(2, 6)), *stories.BEST},
    ),
    (problems.PLAIN_RULES, PLAIN),
    (problems.ORDER_RULES, named_by(problem_of(THAT, ordered=True, **SEEN)) - PLAIN),
]


@pytest.mark.parametrize(("rules", "names"), ANSWERED)
def test_every_rule_that_a_row_answers_is_a_record(rules, names):
    assert sorted(rule.name for rule in rules) == sorted(names)


def test_the_page_has_the_tables_of_the_rules():
    tables = rule_tables()
    assert all(f"{marker(name)}\n" in METHOD for name in tables) and with_tables(METHOD, tables) == METHOD


def test_a_table_of_rules_letter_for_letter():
    """The columns of each table, and a rule with a gate and one without."""
    tables = {name: table.split("\n") for name, table in rule_tables().items()}
    stories_, deep, plain, ordered = tables.values()
    assert stories_[0] == "| rule | gate | what it answers |"
    assert "| *first* | ≤ 38 | the first container in which the thing was |" in stories_
    assert deep[0] == "| rule | gate | from order | what it answers |"
    assert "| *link 2 ignored* | ≤ 65 | 3 | as if agent 2 knew of the next |" in deep
    assert "| *watchers unnoticed* |  |  | as if nobody noticed a watcher |" in deep
    assert plain[0] == "| rule | gate | gate in `deep` | what it answers |"
    assert "| *majority* |  | 47 to 53 | the label that is most common |" in plain
    assert ordered[0] == "| rule | gate | what it answers |"
    assert "| *needs two* | 45 to 100 | not a guess: whether the label needs two announcements or more |" in ordered


def test_every_feature_of_a_line_is_named():
    section = METHOD.split("\n## A search for rules\n")[1].split("\n## ")[0]
    listed = " ".join(line for line in section.replace("\n  ", " ").split("\n") if line.startswith("- "))
    assert sorted(name.lower() for name in re.findall(r"\*(.+?)\*", listed)) == sorted(map(str.lower, FEATURES))


def columns(name):
    """Return the columns of a table on the page, by their headers: a cell for each rule."""
    header, _, *rows = cells_of(PAGE.split(f"{marker(name)}\n")[1].split(END)[0])
    return {title: {row[0]: row[place] for row in rows} for place, title in enumerate(header)}


def test_the_rules_of_a_search_are_on_the_page():
    between = PAGE.split(f"{marker('rules found')}\n")[1].split(END)[0]
    assert PAGE.count(marker("rules found")) == 1 and {*re.findall(r"\*(.+?)\*", between)} <= {*FEATURES}


@pytest.mark.parametrize("name", SHARES)
def test_every_table_has_its_markers_and_known_rules_and_gates(name):
    assert PAGE.count(f"{marker(name)}\n") == 1
    shown = columns(name)
    rules = list(shown[""])
    if name == "readings":
        assert rules == ["rows", *INTERPRETATIONS, "any of them"]
        assert {"all", "deep", "tomh", "reproduction"} <= set(shown)
        return
    tables = {"hi_tom": stories.RULES, "deep": stories.NESTED_RULES}
    known = tables.get(name.split(",")[0], problems.RULES)
    assert rules[:2] == ["rows", "chance"] and set(rules[2:]) <= {rule.name for rule in known}
    gates = {rule: gate for rule, gate in shown.get("gate", {}).items() if gate}
    held = GATES.get(name.removesuffix(", other languages"), {})  # of these, the gates of rules that learn
    assert gates == {rule: spell_gate(gate) for rule, gate in held.items() if name in GATES or rule in rules}


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("hi_tom", published_table("hi_tom")),
        ("deep", published_depth("hi_tom")),
        ("mindgames", published_table("mindgames")),
    ],
)
def test_the_published_columns_are_the_recorded_figures(name, published):
    shown = {title.split(":")[0]: cells for title, cells in columns(name).items() if title.endswith(": published")}
    assert shown
    for group, cells in shown.items():
        filled = {rule: cell for rule, cell in cells.items() if cell and rule not in ("rows", "chance")}
        assert filled == {rule: str(share) for rule, share in published[group].items()}


def test_a_table_letter_for_letter():
    table = {
        "a": {"first": Share(1, 4, 0.25), "probe": Share(4, 4, 0.25)},
        "b": {"first": Share(0, 1000, 1 / 15)},
        "c": {},
    }
    assert render_table(table) == (
        "|  | a | b | c |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| rows | 4 | 1,000 |  |\n"
        "| chance | 25.0 | 6.7 |  |\n"
        "| first | 25.0 (5–70) | 0.0 (0–0) |  |\n"
        "| probe | 100.0 (51–100) |  |  |"
    )
    lines = render_table({"a": {"visit": Share(1, 4, 0.0)}}).split("\n")
    assert lines[2:] == ["| rows | 4 |", "| visit | 25.0 (5–70) |"]


def test_ours_stand_beside_the_published():
    ours = {"a": {"first": Share(1, 4, 0.5), "TF-IDF": Share(2, 4, 0.5)}, "b": {"first": Share(2, 4, 0.5)}}
    published = {"a": {"first": Share(3, 4, 0.5), "theirs": Share(0, 4, 0.5)}, "unknown": {"first": Share(1, 1, 1.0)}}
    lines = side_by_side(ours, published, {"first": (0, 0.38), "TF-IDF": (0.47, 0.53)}).split("\n")
    assert lines[0] == "|  | gate | a: ours | a: published | b: ours |"
    assert lines[2:] == [
        "| rows |  | 4 | 4 | 4 |",
        "| chance |  | 50.0 | 50.0 | 50.0 |",
        "| first | ≤ 38 | 25.0 (5–70) | 75.0 (30–95) | 50.0 (15–85) |",
        "| TF-IDF | 47 to 53 | 50.0 (15–85) |  |  |",
        "| theirs |  |  | 0.0 (0–49) |  |",
    ]


ONE, TWO = marker("one"), marker("two")


def test_tables_are_written_between_their_markers_and_nowhere_else():
    page = f"# Audit\n{ONE}\n\nold\n\n{END}\nprose\n{TWO}\n{END}\nend\n"
    written = with_tables(page, {"two": "| 2 |", "one": "| 1 |"})
    assert written == f"# Audit\n{ONE}\n\n| 1 |\n\n{END}\nprose\n{TWO}\n\n| 2 |\n\n{END}\nend\n"
    assert with_tables(written, {"one": "| 1 |"}) == written


@pytest.mark.parametrize("page", ["", f"{ONE}\n", f"{END}\n{ONE}\n", f"{ONE}\n{END}\n{ONE}\n{END}\n"])
def test_a_page_without_the_markers_is_refused(page):
    message = "^the page needs one line '<!-- table: one -->' for its table, and '<!-- end of table -->' after it$"
    with pytest.raises(ValueError, match=message):
        with_tables(page, {"one": "| 1 |"})


def test_the_tables_of_a_build_have_the_names_of_the_page():
    table = {"g": {"first": Share(1, 4, 0.5)}}
    measured = dict.fromkeys(("gated", "shown", "spoken", "deep", "readings"), table)
    tables = page_tables("hi_tom", {}, measured, {"g": []})
    assert {*tables, *page_tables("mindgames", {}, measured | {"readings": {}}, {})} == {*TABLES}
    assert {*page_tables("mindgames", {}, dict.fromkeys(measured, {}) | {"gated": table}, {})} == {"mindgames"}


def test_audit_writes_the_tables_of_a_default_build_into_a_page(run, tiny_build, tmp_path, monkeypatch):
    """A small build stands in for the default one, which takes minutes."""
    page, out = tmp_path / "audit.md", tiny_build("hi_tom")
    page.write_text(PAGE, encoding="utf-8")
    audit = ("audit", "hi_tom", "--out", out, "--docs")
    for measuring in (main_tables, spoken_table):  # once, whatever is done with the tables
        measured = measuring(Build.read(out / "hi_tom", "hi_tom"), 1)
        monkeypatch.setattr(f"tom_datasets.commands.audit.{measuring.__name__}", lambda *_, same=measured: same)
    code, printed, _ = run(*audit, page)
    assert code == 0 and f"{page} stays as it is: {out / 'hi_tom'} is not a default build\n" in printed
    assert page.read_text(encoding="utf-8") == PAGE

    monkeypatch.setattr("tom_datasets.commands.build.is_default", lambda build: True)
    code, printed, _ = run(*audit, page)
    assert code == 0 and f"tables written into {page}\n" in printed
    written = page.read_text(encoding="utf-8")
    own = ("hi_tom", "hi_tom, not gated", "hi_tom, other languages", "deep", "readings")
    tables = {name: written.split(f"{marker(name)}\n")[1].split(END)[0].strip() for name in TABLES}
    assert [name for name in TABLES if tables[name] not in PAGE] == [*own]
    assert all(f"\n{tables[name]}\n" in printed for name in own)
    assert written == with_tables(PAGE, tables)

    nowhere = tmp_path / "none.md"
    code, _, message = run(*audit, nowhere)
    assert code == 1 and message.startswith(f"error: {nowhere}: No such file or directory")
    page.write_text("", encoding="utf-8")
    code, _, message = run(*audit, page)
    assert code == 1 and message.startswith(
        f"error: {page}: the page needs one line '<!-- table: hi_tom -->' for its table"
    )
    failed = run("audit", tmp_path / "rows.jsonl", "--docs", page)
    refused(failed, "--docs is for builds: leave out the files of published data")


@pytest.mark.parametrize("name", NAMES)
def test_a_default_build_is_one_that_was_asked_for_nothing(name, tmp_path):
    configs = dataset_named(name).built
    request = request_of(configs, checked_probe(name, configs))

    def build(request):
        return Build(tmp_path, name, "", request, "", {})

    assert is_default(build(request))
    for change in ({"seed": 1}, {"test": 3}, {"scorer": None}, {"version": "0"}):
        changed = {config: fields | change for config, fields in request.items()}
        assert not is_default(build(changed)), change
