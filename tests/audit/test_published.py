"""Audit files of published rows, made here or released, and compare the record with what is measured again."""

import gzip
import hashlib
import json

import pytest
from audit.samples import RELEASED, ask, depth_table, lines_of
from support import refused

from tom_datasets.audit.figures import FIGURES, published_depth, published_table, recorded_table
from tom_datasets.audit.gates import GATES
from tom_datasets.audit.learners import tf_idf
from tom_datasets.audit.page import render_table
from tom_datasets.audit.problems import RULES, AuditedProblem
from tom_datasets.audit.rows import published_audited_questions
from tom_datasets.audit.shares import Share
from tom_datasets.audit.stories import AuditedQuestion
from tom_datasets.commands.audit import audit_file
from tom_datasets.dataset import NAMES
from tom_datasets.proof.left_out import LeftOut
from tom_datasets.proof.published_rows import AUDITED, published_rows
from tom_datasets.story.config import order_name

STORY = """Emma, Jack and Owen entered the hall. The pear is in the box. Emma exited the hall.
Jack moved the pear to the crate. Jack exited the hall. Owen moved the pear to the drawer. Owen exited the hall.
Emma, Jack and Owen entered the waiting_room."""
ASKED = {"story": lines_of(STORY), "choices": ["drawer", "box", "crate"]}
HI_TOM = [
    {**ASKED, "question": ask("Emma"), "answer": "box"},
    {**ASKED, "question": ask("Jack"), "answer": "B. crate"},
]
START = (
    "There are two persons. Everyone is visible to others. It is publicly announced that someone's forehead is muddy."
)
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
def audited(run, tmp_path):
    """Return a function that audits rows, or raw bytes, and returns the columns by group and rule, and the rest."""

    def audited(content, *options):
        path = tmp_path / "made.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else "\n".join(map(json.dumps, content)).encode())
        code, printed, errors = run("audit", path, *options)
        lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed.split("\n") if line[:1] == "|"]
        header, *rows = lines or [[]]
        columns = {group: {row[0]: row[place] for row in rows} for place, group in enumerate(header) if place}
        return columns, (code, printed, errors)

    return audited


def test_a_published_file_of_hi_tom(audited):
    columns, (code, printed, errors) = audited(gzip.compress("\n".join(map(json.dumps, HI_TOM)).encode()))
    assert (code, errors) == (0, "") and "made.jsonl, read as hi_tom: " in printed
    assert list(columns) == ["1st_order"]
    rates = columns["1st_order"]
    assert (rates["rows"], rates["chance"], rates["first"]) == ("2", "33.3", "50.0 (9–91)")
    assert rates["first leaver"] == "100.0 (34–100)" and rates["last"].startswith("0.0 (")
    assert rates["majority"].startswith("50.0") and rates["letter"].startswith("50.0")
    assert "probe" in rates and "TF-IDF" not in rates  # one story: nothing to learn from


def test_prompting_types_are_apart(audited):
    rows = [{**row, "prompting_type": kind} for row in HI_TOM for kind in ("CoTP", "VP")]
    assert list(audited(rows)[0]) == ["1st_order (CoTP)", "1st_order (VP)"]
    assert list(audited(rows[1::2])[0]) == ["1st_order"]


def test_hi_tom_rows_without_choices_or_with_an_answer_of_no_container(audited):
    rows = [{key: row[key] for key in ("story", "question", "answer")} for row in HI_TOM]
    columns, (code, _, errors) = audited([*rows, {**rows[0], "answer": "purple_tub"}])
    assert (code, errors) == (0, "")
    assert columns["1st_order"]["rows"] == "3" and "letter" not in columns["1st_order"]


def test_a_published_file_of_mindgames(audited):
    """The label needs no smcdel_problem, and the names are read where they are not told."""
    columns, (code, printed, errors) = audited(MINDGAMES)
    assert (code, errors) == (0, "") and "made.jsonl, read as mindgames: " in printed
    assert list(columns) == ["forehead", "all"] and columns["forehead"] == columns["all"]
    rates = columns["all"]
    assert (rates["rows"], rates["chance"]) == ("5", "50.0")
    assert rates["majority"] == rates["deberta_pred, as published"] == "60.0 (23–88)"
    # The last row is the other half: it knows the first four, two of each label, and they know one entailment.
    assert rates["premise alone"] == str(Share(3, 5, 0.5)) and rates["announced facts"] == str(Share(5, 5, 0.5))
    assert {"probe", "TF-IDF", "TF-IDF, names numbered", "name announced"} <= set(rates)
    for row in (HI_TOM[0], MINDGAMES[0]):
        columns, (code, _, errors) = audited([row])
        assert (code, errors) == (0, "") and {rates["rows"] for rates in columns.values()} == {"1"}


def test_predictions_that_are_none_are_left_out(audited):
    none = (None, "1", 0.5, [], {})
    rows = [{**row, "deberta_pred": recorded} for row, recorded in zip(MINDGAMES, none, strict=True)]
    assert "deberta_pred, as published" not in audited(rows)[0]["all"]
    some = audited([*rows, MINDGAMES[0]])[0]["all"]
    assert some["deberta_pred, as published"] == str(Share(1, 6, 0.5))  # no prediction is a wrong one


EITHER = "expected an object with story, question and answer or premise, hypothesis and label, all strings"
OTHER = "expected an object with premise, hypothesis and label, all strings"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([{"text": "x"}], f"made.jsonl, line 1: {EITHER}"),
        ([MINDGAMES[0], HI_TOM[0]], f"made.jsonl, line 2: {OTHER}"),
        ([{**MINDGAMES[0], "label": "neutral"}], "line 1: label is 'neutral'; expected entailment or not_entailment"),
        ([{**MINDGAMES[0], "names": "Ann"}], "line 1: names is 'Ann'; expected a list of names, or none"),
        ([{**MINDGAMES[0], "premise": "It rains."}], "made.jsonl, line 1: "),
        ([{**HI_TOM[0], "choices": 7}], "line 1: choices is 7; expected a list of containers"),
        (b"", f"made.jsonl: no rows; expected one on each line: {EITHER.removeprefix('expected ')}"),
    ],
)
def test_files_that_cannot_be_audited(audited, content, words):
    refused(audited(content, "--strict")[1], words)


def test_the_figures_are_recorded(audited, tmp_path, monkeypatch):
    record, made = tmp_path / "figures.json", tmp_path / "made.jsonl"
    _, (code, printed, _) = audited(MINDGAMES, "--record", record)
    (name, recorded), *others = json.loads(record.read_text()).items()
    groups = recorded.pop("groups")
    assert (code, name, others, groups["all"]["right"]["majority"]) == (0, "mindgames", [], 3)
    assert recorded == {"file": made.name, "sha256": hashlib.sha256(made.read_bytes()).hexdigest(), "rows": 5}
    monkeypatch.setattr("tom_datasets.audit.figures.FIGURES", record)
    assert render_table(recorded_table("mindgames")) in printed
    assert sorted(tmp_path.iterdir()) == [record, made]


def test_only_files_are_recorded_one_of_each_dataset(run, audited, tmp_path):
    record, path = tmp_path / "figures.json", tmp_path / "made.jsonl"
    for what in ([], ["hi_tom"], ["hi_tom", path]):
        refused(run("audit", *what, "--record", record), "--record is for files of published data: name only those\n")
    refused(run("audit", "--strict"), "--strict and --unread are for files of published data: name one\n")
    _, (code, _, errors) = audited(HI_TOM[:1], path, "--record", record)
    assert (code, errors) == (
        1,
        f"error: {path} and made.jsonl both have rows of hi_tom; --record takes one file of each dataset\n",
    )
    assert not record.exists()


def test_the_record_has_what_stands_beside_ours():
    for name in NAMES:
        assert set(GATES[name]) - {"undisputed"} <= set(next(iter(published_table(name).values())))
    assert {order_name(order) for order in range(5)} <= set(published_table("hi_tom"))
    assert published_table("hi_tom")["4th_order"]["first"] == Share(29, 60, pytest.approx(1 / 15))
    assert published_table("mindgames")["all"]["majority"].total == 3725


FLOATING = {rule.name for rule in RULES if rule.learner is tf_idf} | {"question alone", "story alone", "probe"}


def features_of_numbers(features):
    """Return what gives the features of a row, without those that TF-IDF learns from."""
    return lambda row: {rule: feature for rule, feature in features(row).items() if rule not in FLOATING}


@pytest.mark.parametrize("floating", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("path", "name"), list(zip(RELEASED, NAMES, strict=True)))
def test_the_record_is_what_is_measured(path, name, floating, monkeypatch):
    """To the row; what is computed in floating point, TF-IDF and the probe, within one per cent of the rows."""
    if not path.is_file():
        pytest.skip(f"the published data are not here: {path}")
    left_out = set()
    if not floating:  # nothing learns from texts, and no probe is asked: both take long
        left_out = FLOATING
        monkeypatch.setattr("tom_datasets.audit.rows._embedded_probe", lambda dataset, masked: {})
        for audited in (AuditedQuestion, AuditedProblem):
            monkeypatch.setattr(audited, "features", features_of_numbers(audited.features))
    record = json.loads(FIGURES.read_text(encoding="utf-8"))[name]
    assert record["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest() and record["file"] == path.name
    groups = audit_file(path, LeftOut())[1]["groups"]
    for group, figures in record["groups"].items():
        measured = groups[group]
        known = {rule: right for rule, right in figures["right"].items() if rule not in left_out}
        assert list(measured["right"]) == [*known] and measured["rows"] == figures["rows"]
        for rule, right in known.items():
            within = pytest.approx(right, abs=(rule in FLOATING) * 0.01 * figures["rows"])
            assert measured["right"][rule] == within, (group, rule)


def test_the_published_questions_that_need_all_their_agents():
    """Counted on the half of the released questions that is here: the rest can only add to it."""
    if not RELEASED[0].is_file():
        pytest.skip(f"the published data are not here: {RELEASED[0]}")
    rows = list(published_rows(RELEASED[0], *AUDITED.values(), left_out=LeftOut()))
    rows = [(where, row) for where, row in rows if row["prompting_type"] == "CoTP"]
    table = depth_table(question for question in published_audited_questions(rows, LeftOut()) if question.chain)
    here = [shares["needs all its agents"] for shares in table.values()]
    whole = [shares["needs all its agents"] for shares in published_depth("hi_tom").values()]
    assert [(share.right, share.total) for share in here] == [(26, 60), (8, 60), (1, 60), (0, 60)]
    assert all(one.right <= both.right <= one.right + 60 for one, both in zip(here, whole, strict=True))
    assert {share.total for share in whole} == {120}
