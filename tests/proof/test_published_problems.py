"""Reread published MindGames labels: made here by hand, and the released validation split."""

import gzip
import json
from collections import Counter
from dataclasses import replace

import pytest
from support import REFERENCE

from tom_datasets.__main__ import main
from tom_datasets.logic.formal import entailment_of, problem_of
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.reader.read_problems import read_problem

PUBLISHED = REFERENCE / "mindgames_validation.jsonl.gz"


START = "There are two persons. Everyone is visible to others."


CARDS = f"{START} Each person draws a card, face unrevealed (red or black)."


# Bob sees Ann's forehead; as someone's is muddy and Ann's is not, he knows of his own.
MUDDY = {
    "premise": f"{START} It is publicly announced that someone's forehead is muddy. It is publicly announced that "
    "Ann's forehead is not muddy.",
    "hypothesis": "Bob can now know that Bob's forehead is muddy.",
    "smcdel_problem": "VARS 1,2 LAW Top OBS Agenta:2 Agentb:1 VALID? [ ! (1|2) ] [ ! ~(1) ] (Agentb knows that 2)",
    "label": "entailment",
    "names": ["Ann", "Bob"],
}


# Ann is shown no card; the published OBS moves Bob's row up to her, and drops the last.
BLIND = {
    "premise": f"{CARDS} Ann's card is shown to Bob. It is publicly announced that someone picked a red card.",
    "hypothesis": "Ann can now know whether Ann picked a red card.",
    "smcdel_problem": "VARS 1,2 LAW Top OBS Agenta:1 VALID? [ ! (1|2) ] (Agenta knows whether 1)",
    "label": "entailment",
    "names": ["Ann", "Bob"],
}


def test_a_formula_that_nests_too_deeply_is_left_out(reread, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    deep = "VARS 1 LAW Top OBS a:1 VALID? " + "(" * 100_000 + "1"
    code, out, stderr, _ = reread([MUDDY, {**MUDDY, "smcdel_problem": deep}, {**MUDDY, "premise": "x" * 9999}])
    assert (code, stderr) == (0, "") and "left out: 2 of 3 rows, which cannot be read" in out
    assert "made.jsonl, line 2: it is nested too deeply\n" in out and "xx…\n" in out


@pytest.fixture
def reread(tmp_path, capsys):
    """Reread rows, or raw bytes, and return the exit code, what was said where, and the disagreements."""

    def run(rows):
        path, wrong = tmp_path / "made.jsonl", tmp_path / "wrong.jsonl"
        path.write_bytes(rows if isinstance(rows, bytes) else "\n".join(map(json.dumps, rows)).encode())
        code = main(["reread", "mindgames", str(path), "--disagreements", str(wrong)])
        said = capsys.readouterr()
        found = [json.loads(line) for line in wrong.read_text().splitlines()] if wrong.exists() else None
        return code, said.out, said.err, found

    return run


def test_labels_that_follow_both_ways_agree(reread):
    code, out, _, found = reread([MUDDY, {**MUDDY, "names": None}])
    assert code == 0 and found == []
    assert "| forehead | 2 | 2 | 2 |" in out and "| all | 2 | 2 | 2 |" in out
    assert out.endswith("wrong.jsonl\n") and "0 rows that disagree" in out


def test_a_row_whose_english_says_something_else_is_listed_with_the_reason(reread):
    code, out, _, found = reread([MUDDY, BLIND])
    assert code == 0
    assert "| explicit | 1 | 1 | 0 |" in out and "| all | 2 | 2 | 1 |" in out
    assert "made.jsonl, line 2: entailment, formally entailment, in English not_entailment" in out
    assert "Ann sees none, formally Ann; Bob sees Ann, formally none" in out
    assert [(row["hypothesis"], row["read_formal"], row["read_english"]) for row in found] == [
        (BLIND["hypothesis"], "entailment", "not_entailment")
    ]


def test_a_wrong_label_and_a_premise_without_a_world_are_listed(reread):
    dry = {
        **MUDDY,
        "premise": MUDDY["premise"] + " It is publicly announced that Bob's forehead is not muddy.",
        "smcdel_problem": MUDDY["smcdel_problem"].replace("[ ! ~(1) ]", "[ ! ~(1) ] [ ! ~(2) ]"),
    }
    code, out, _, found = reread([{**MUDDY, "label": "not_entailment"}, dry])
    assert code == 0
    assert [row["read_english"] for row in found] == ["entailment", "no world"]
    assert "| forehead | 2 | 1 | 0 |" in out
    assert found[1]["why"] == "the sentences differ from the formulas"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"label": None}, "line 1: expected an object with premise, hypothesis, smcdel_problem and label, all strings"),
        ({"names": "Ann"}, "line 1: names is 'Ann'; expected a list of names, or none"),
        ({"smcdel_problem": "VARS 1 LAW Top OBS a:1 VALID? a knows 1"}, "line 1: Parse error in line 1, column"),
        ({"smcdel_problem": "VARS 1 LAW Top OBS a:1 WHERE? 1"}, "line 1: smcdel_problem must ask one VALID?"),
        ({"premise": "It rains."}, "line 1: "),
        ({"hypothesis": "Cid can now know that Bob's forehead is muddy."}, "line 1: "),
    ],
)
def test_rows_that_cannot_be_read_are_said_with_file_and_line(reread, change, words):
    code, out, said, found = reread([{**MUDDY, **change}])
    assert code == 1 and out == "" and found is None
    assert said.startswith("error: ") and said.count("\n") == 1 and f"made.jsonl, {words}" in said


def test_the_published_rows():
    """Every English text says what its formal problem says, but for who sees the cards where somebody sees none.

    There the generator dropped the empty rows of the observation matrix: the later agents' rows moved up, and the last
    agents have none. Read so, every label follows; as the English has it, 41 do not. 18 of these leave no world.
    """
    if not PUBLISHED.exists():
        pytest.skip(f"the published MindGames data are not here: {PUBLISHED}")
    with gzip.open(PUBLISHED, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    assert len(rows) == 3725
    misread, other_sight, wrong = [], 0, Counter()
    for row in rows:
        problem, names = read_problem(row["premise"], row["hypothesis"], row["names"])
        assert (problem.setup, len(problem.sees), list(names)) == (row["setup"], row["n_agents"], row["names"])
        formal = problem_of(row)
        if (formal.announcements, formal.hypothesis) != (problem.announcements, problem.hypothesis):
            misread.append(row["index"])
        moved_up = [seen for seen in problem.sees if seen]
        assert [atoms for _, atoms in entailment_of(row["smcdel_problem"])[0].observes] == moved_up
        other_sight += len(moved_up) < len(names)
        unseen = ((),) * (len(names) - len(moved_up))
        assert follows(replace(problem, sees=(*moved_up, *unseen))) is (row["label"] == "entailment")

        by_english = follows(problem)
        assert follows(read_problem(row["premise"], row["hypothesis"])[0]) is by_english
        if by_english is not (row["label"] == "entailment"):
            assert problem.setup == "explicit" and not all(problem.sees)
            wrong[row["label"], by_english] += 1
    assert misread == []
    assert other_sight == 323
    assert wrong == {
        ("entailment", False): 17,
        ("entailment", None): 9,
        ("not_entailment", True): 6,
        ("not_entailment", None): 9,
    }
