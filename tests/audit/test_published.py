"""Audit files of published rows, made here or released, and compare the record with what is measured again."""

import gzip
import hashlib
import json

import pytest
from audit.samples import RELEASED, STORY
from support import numbered

from tom_datasets.__main__ import main
from tom_datasets.audit.figures import FIGURES, published_depth, published_table, recorded_table
from tom_datasets.audit.gates import GATES, UNDISPUTED
from tom_datasets.audit.learners import LEARNERS, tf_idf
from tom_datasets.audit.rows import published_audited_questions
from tom_datasets.audit.shares import Outcomes, Share, count_shares
from tom_datasets.audit.stories import depth_outcomes
from tom_datasets.audit.tables import render_table
from tom_datasets.commands.audit import audit_file
from tom_datasets.proof.left_out import LeftOut
from tom_datasets.proof.published_rows import AUDITED, published_rows
from tom_datasets.story.config import order_name

TOLD = numbered(*STORY[:2], *STORY[4:8], *STORY[10:])


CHOICES = ["drawer", "box", "crate"]


START = (
    "There are two persons. Everyone is visible to others. It is publicly announced that someone's forehead is muddy."
)


HI_TOM = [
    {"story": TOLD, "question": f"Where {asks} is?", "choices": CHOICES, "answer": answer}
    for asks, answer in (("does Emma think the pear", "box"), ("does Jack think the pear", "B. crate"))
]


MINDGAMES = [
    {
        "premise": f"{START} It is publicly announced that Ann's forehead is{no} muddy.",
        "hypothesis": "Bob can now know that Bob's forehead is muddy.",
        "label": "entailment" if no else "not_entailment",
        "deberta_pred": 1,
    }
    for no in (" not", "", " not", "", " not")
]


@pytest.fixture
def audited(tmp_path, capsys):
    """Audit rows, or raw bytes, and return the exit code, what was said where, and the columns by group and rule."""

    def run(content, *options):
        path = tmp_path / "made.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else "\n".join(map(json.dumps, content)).encode())
        code = main(["audit", str(path), *map(str, options)])
        printed = capsys.readouterr()
        lines = [
            [cell.strip() for cell in line.split("|")[1:-1]] for line in printed.out.split("\n") if line[:1] == "|"
        ]
        columns = [dict(zip((line[0] for line in lines), column, strict=True))
                   for column in zip(*(line[1:] for line in lines), strict=True)]  # fmt: skip
        return code, printed.out, printed.err, {column[""]: column for column in columns}

    return run


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress])
def test_a_published_file_of_hi_tom(audited, pack):
    code, out, stderr, columns = audited(pack("\n".join(map(json.dumps, HI_TOM)).encode()))
    assert (code, stderr) == (0, "") and "made.jsonl, read as hi_tom: " in out
    assert list(columns) == ["1st_order"]
    rates = columns["1st_order"]
    assert (rates["rows"], rates["chance"], rates["first"]) == ("2", "33.3", "50.0 (9–91)")
    assert rates["first leaver"] == "100.0 (34–100)" and rates["last"].startswith("0.0 (")
    assert rates["majority"].startswith("50.0") and rates["letter"].startswith("50.0")
    assert "probe" in rates and "TF-IDF" not in rates  # one story: nothing to learn from


def test_prompting_types_are_apart(audited):
    rows = [{**row, "prompting_type": kind} for row in HI_TOM for kind in ("CoTP", "VP")]
    assert list(audited(rows)[3]) == ["1st_order (CoTP)", "1st_order (VP)"]
    assert list(audited([{**row, "prompting_type": "VP"} for row in HI_TOM])[3]) == ["1st_order"]


def test_hi_tom_rows_without_choices_or_with_an_answer_of_no_container(audited):
    rows = [{key: row[key] for key in ("story", "question", "answer")} for row in HI_TOM]
    code, _, stderr, columns = audited([*rows, {**rows[0], "answer": "purple_tub"}])
    assert (code, stderr) == (0, "")
    assert columns["1st_order"]["rows"] == "3" and "letter" not in columns["1st_order"]


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress])
def test_a_published_file_of_mindgames(audited, pack):
    """The label needs no smcdel_problem, and the names are read where they are not told."""
    code, out, stderr, columns = audited(pack("\n".join(map(json.dumps, MINDGAMES)).encode()))
    assert (code, stderr) == (0, "") and "made.jsonl, read as mindgames: " in out
    assert list(columns) == ["forehead", "all"] and columns["forehead"] == {**columns["all"], "": "forehead"}
    rates = columns["all"]
    assert (rates["rows"], rates["chance"]) == ("5", "50.0")
    assert rates["majority"] == rates["deberta_pred, as published"] == "60.0 (23–88)"
    # The last row is the other half: it knows the first four, two of each label, and they know one entailment.
    assert rates["premise alone"] == str(Share(3, 5, 0.5)) and rates["announced facts"] == str(Share(5, 5, 0.5))
    assert {"probe", "TF-IDF", "TF-IDF, names numbered", "name announced"} <= set(rates)


def test_one_row_is_enough(audited):
    for rows in (HI_TOM[:1], MINDGAMES[:1]):
        code, _, stderr, columns = audited(rows)
        assert (code, stderr) == (0, "") and {column["rows"] for column in columns.values()} == {"1"}


def test_predictions_that_are_none_are_left_out(audited):
    rows = [
        {**row, "deberta_pred": recorded} for row, recorded in zip(MINDGAMES, (None, "1", 0.5, [], {}), strict=True)
    ]
    assert "deberta_pred, as published" not in audited(rows)[3]["all"]
    some = audited([*rows, MINDGAMES[0]])[3]["all"]
    assert some["deberta_pred, as published"] == str(Share(1, 6, 0.5))  # no prediction is a wrong one


EITHER = "expected an object with story, question and answer or premise, hypothesis and label, all strings"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([{"text": "x"}], f"made.jsonl, line 1: {EITHER}"),
        ([HI_TOM[0], MINDGAMES[0]], "made.jsonl, line 2: expected an object with story, question and answer, all str"),
        (
            [MINDGAMES[0], {**MINDGAMES[0], "label": 1}],
            "line 2: expected an object with premise, hypothesis and label,",
        ),
        ([{**MINDGAMES[0], "label": "neutral"}], "line 1: label is 'neutral'; expected entailment or not_entailment"),
        ([{**MINDGAMES[0], "names": "Ann"}], "line 1: names is 'Ann'; expected a list of names, or none"),
        ([{**MINDGAMES[0], "premise": "It rains."}], "made.jsonl, line 1: "),
        ([{**HI_TOM[0], "question": "Why?"}], "line 1: not a question about a story: 'Why?'"),
        ([{**HI_TOM[0], "choices": 7}], "line 1: choices is 7; expected a list of containers"),
        (b"", f"made.jsonl: no rows; expected one on each line: {EITHER.removeprefix('expected ')}"),
        (
            b"{",
            "made.jsonl, line 1: not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char",
        ),
        (b"\x1f\x8b\x08\x00", "made.jsonl: it is no whole gzip file ("),
        (b'{"data": 3}', 'made.jsonl: "data" is not a list of rows'),
    ],
)
def test_files_that_cannot_be_audited(audited, content, words):
    code, out, stderr, _ = audited(content, "--strict")
    assert (code, out) == (1, "") and stderr.startswith("error: ") and stderr.count("\n") == 1 and words in stderr, (
        stderr
    )


def test_a_file_that_is_not_there(capsys, tmp_path):
    for what, why in ((tmp_path / "none.jsonl", "No such file or directory"), (tmp_path, "Is a directory")):
        assert main(["audit", str(what)]) == 1
        assert capsys.readouterr().err == f"error: {what}: {why}; expected JSON lines or the published JSON\n"


def test_the_figures_are_recorded(audited, tmp_path, monkeypatch):
    record = tmp_path / "figures.json"
    code, out, _, columns = audited(MINDGAMES, "--record", record)
    recorded = json.loads(record.read_text())
    content = (tmp_path / "made.jsonl").read_bytes()
    assert code == 0 and list(recorded) == ["mindgames"]
    assert {key: value for key, value in recorded["mindgames"].items() if key != "groups"} == {
        "file": "made.jsonl", "sha256": hashlib.sha256(content).hexdigest(), "rows": 5,
    }  # fmt: skip
    assert recorded["mindgames"]["groups"]["all"]["right"]["majority"] == 3
    assert "muddy" not in record.read_text() and str(tmp_path) not in record.read_text()
    monkeypatch.setattr("tom_datasets.audit.figures.FIGURES", record)
    assert render_table(recorded_table("mindgames")) in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figures.json", "made.jsonl"]


def test_only_files_are_recorded_one_of_each_dataset(capsys, tmp_path):
    record, path = tmp_path / "figures.json", tmp_path / "made.jsonl"
    path.write_text(json.dumps(HI_TOM[0]))
    for what in ([], ["hi_tom"], ["hi_tom", path]):
        assert main(["audit", *map(str, what), "--record", str(record)]) == 1
        assert capsys.readouterr().err == "error: --record is for files of published data: name only those\n"
    assert main(["audit", str(path), str(path), "--record", str(record)]) == 1
    stderr = f"error: {path} is hi_tom like made.jsonl; --record takes one file of each dataset\n"
    assert capsys.readouterr().err == stderr and not record.exists()


def test_the_record_has_what_stands_beside_ours():
    for name in ("hi_tom", "mindgames"):
        table = published_table(name)
        assert set(GATES[name]) - {UNDISPUTED} <= set(next(iter(table.values())))
    assert {order_name(order) for order in range(5)} <= set(published_table("hi_tom"))
    assert published_table("hi_tom")["4th_order"]["first"] == Share(29, 60, pytest.approx(1 / 15))
    assert published_table("mindgames")["all"]["majority"].total == 3725


@pytest.mark.parametrize("place", [0, 1])
def test_the_record_is_what_is_measured(place):
    """To the row; what is computed in floating point, TF-IDF and the probe, within one per cent of the rows."""
    path, name = RELEASED[place], list(GATES)[place]
    if not path.is_file():
        pytest.skip(f"the published data are not here: {path}")
    record = json.loads(FIGURES.read_text(encoding="utf-8"))[name]
    assert record["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest() and record["file"] == path.name
    groups = audit_file(path, LeftOut())[1]["groups"]
    for group, figures in record["groups"].items():
        measured = groups[group]
        assert list(measured["right"]) == list(figures["right"]) and measured["rows"] == figures["rows"]
        for rule, right in figures["right"].items():
            floating = LEARNERS.get(rule) is tf_idf or rule == "probe"
            within = pytest.approx(right, abs=floating * 0.01 * figures["rows"])
            assert measured["right"][rule] == within, (group, rule)


def test_the_published_questions_that_need_all_their_agents():
    """Counted on the half of the released questions that is here: the rest can only add to it."""
    if not RELEASED[0].is_file():
        pytest.skip(f"the published data are not here: {RELEASED[0]}")
    rows = list(published_rows(RELEASED[0], *AUDITED.values()))
    rows = [(where, row) for where, row in rows if row["prompting_type"] == "CoTP"]
    questions = published_audited_questions(rows, LeftOut())
    table = count_shares(
        Outcomes(question.group, question.chance, {}, depth_outcomes(question))
        for question in questions
        if question.chain
    )
    for group, share in published_depth().items():
        here, record = table[group]["needs all its agents"], share["needs all its agents"]
        assert (here.total, record.total) == (60, 120)
        assert here.right <= record.right <= here.right + 60
    assert [table[group]["needs all its agents"].right for group in table] == [26, 8, 1, 0]
