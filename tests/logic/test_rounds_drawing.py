"""Prove what blocks of puzzles in rounds are: drawn by their key alone, balanced, proven, and hard to guess."""

from collections import Counter
from dataclasses import asdict, replace
from itertools import islice

import pytest

from tom_datasets import GENERATOR_VERSION
from tom_datasets.answers.numbers import read_number, score_numbers
from tom_datasets.audit import rounds as rules
from tom_datasets.logic.config import ROUNDS
from tom_datasets.logic.puzzle_rows import problem_of
from tom_datasets.logic.rounds import play
from tom_datasets.logic.rounds_drawing import PERSONS, answers_of_rung, identity, round_blocks
from tom_datasets.logic.rows import part_rows, plan_part
from tom_datasets.prompts import REPLIES, ask, asks_number, rules_of
from tom_datasets.proof.problems import prove_mindgames
from tom_datasets.proof.puzzles import differ_in_one
from tom_datasets.proof.rows import Proven
from tom_datasets.reader.read_languages import in_english
from tom_datasets.reader.read_puzzles import read_puzzle
from tom_datasets.streaming.endless import endless
from tom_datasets.syntax.rounds import First

N = 96  # blocks of a setup: sixteen on each rung


def config_of(language="en", **fields):
    """Return the config with explained test rows, in a language."""
    name = "rounds" if language == "en" else f"rounds_{language}"
    fixed = {"scorer": None, "checker": "embedded", "explanations": ("test",), "language": language, "name": name}
    config = replace(ROUNDS, **{**fixed, "test": N, **fields})
    config.validate()
    return config


def rows_of(config, setup, size):
    """Return the rows of the first blocks of a setup."""
    return part_rows(config, setup, "test", range(size), plan_part(config, setup, "test")["test"][:size])


@pytest.fixture(scope="module")
def blocks():
    """Return the blocks of one setup."""
    return plan_part(config_of(), "hats", "test")["test"]


def test_a_block_holds_its_pattern_and_differs_in_one_thing(blocks):
    for p, q, h, g in blocks:
        assert differ_in_one(p, q)
        assert type(h) is type(g)
        if isinstance(h, First):
            for puzzle, so in ((p, h), (q, g)):
                assert play(puzzle).first(so.person) == so.round
            assert h.person == g.person and h.round != g.round
    identities = [identity(puzzle) for block in blocks for puzzle in block[:2]]
    assert len({*identities}) == len(identities)


def test_answers_and_marks_come_in_equal_shares(blocks):
    for rung, (_, latest, fewest) in enumerate(ROUNDS.rungs):
        sides = [(p, h) for block in blocks[rung::6] for p, h, so in block.problems() if so and isinstance(h, First)]
        counts = Counter(supposed.round for _, supposed in sides)
        assert counts == dict.fromkeys(answers_of_rung(latest), 6)
        assert all(play(puzzle).n_worlds[0] >= fewest for puzzle, _ in sides)
        assert abs(2 * sum(supposed.person in puzzle.marked for puzzle, supposed in sides) - len(sides)) <= 8


def test_no_puzzle_is_in_two_splits():
    """Not even of few persons; and each split has graphs of any number of them."""
    config = config_of(rungs=tuple((n, 3, 6) for n in PERSONS))
    keys = {
        split: {identity(puzzle) for block in islice(round_blocks(config, "hats", split), 14) for puzzle in block[:2]}
        for split in ("test", "validation", "train")
    }
    assert [len(found) for found in keys.values()] == [28] * 3
    assert len(set.union(*keys.values())) == 28 * 3


def test_rules_that_see_one_number_alone_cannot_tell_the_puzzles_of_a_block_apart(blocks):
    """The round of anybody's first yes, and how many marked ones the person asked about sees."""
    alike = []
    for p, q, h, _ in blocks:
        if isinstance(h, First):
            first = [min(filter(None, map(play(one).first, range(len(one.sees)))), default=0) for one in (p, q)]
            assert first[0] == first[1]
            seen = [len({*one.sees[h.person]} & {*one.marked}) for one in (p, q)]
            alike.append(seen[0] == seen[1])
    assert sum(alike) >= 0.9 * len(alike)  # blocks that are hardly to be had may differ


def test_a_stream_takes_no_two_problems_of_a_block_for_the_same():
    stream = endless("mindgames", "rounds", seed=5, setup="badges", rungs=((4, 3, 6), (5, 4, 10)))
    assert len({stream.drawn_row(index).problem for index in range(40)}) == 40
    steep = endless("mindgames", "rounds", curriculum=[({"rungs": ((4, 3, 6),)}, 3), ({"rungs": ((6, 5, 20),)}, 1)])
    assert {row["n_agents"] for row in islice(steep, 96)} == {4, 6}


def test_renamed_problems_share_their_keys(blocks):
    for p, _, h, g in blocks[:24]:
        n = len(p.sees)
        turned = [(person + 1) % n for person in range(n)]  # what each person is called then
        sees = {turned[person]: tuple(sorted(turned[other] for other in seen)) for person, seen in enumerate(p.sees)}
        marked = tuple(sorted(turned[person] for person in p.marked))
        renaming = p._replace(sees=tuple(sees[person] for person in range(n)), marked=marked)
        assert identity(renaming) == identity(p)
        assert identity(p, h) != identity(p, g)
        if isinstance(h, First):
            assert identity(renaming, h._replace(person=turned[h.person])) == identity(p, h)


@pytest.mark.parametrize(
    ("language", "asked", "last"),
    [
        ("en", "Question: In which round does {} answer yes for the first time?", "a number, or never"),
        ("fr", "Question : quel est le premier tour où {} répond oui ?", "un nombre, ou jamais"),
        ("zh", "问题：{}在第几轮第一次回答“是”？", "一个数，或者“永远不会”"),
    ],
)
def test_a_prompt_asks_for_the_number(language, asked, last):
    rows = rows_of(config_of(language, test=2), "hats", 2)
    numbered = [row for row in rows if asks_number(row)]
    assert len(numbered) == 2 * len({row["block"] for row in numbered}) > 0
    for row in numbered:
        puzzle, supposed = problem_of(row)
        person = row["names"][supposed.person]
        for reply in (None, *REPLIES):
            prompt = ask("number", row, reply=reply)
            assert asked.format(person) in prompt and row["premise"] in prompt and rules_of(row) in prompt
            assert last in prompt and row["hypothesis"] not in prompt
        assert rules_of(row) not in ask("number", row, rules="paper")
        assert read_number(f"Answer: {row['first_yes'] or 'never'}") == row["first_yes"]


def test_a_name_that_begins_with_another_is_asked_about():
    (row, *_) = rows_of(config_of(test=1), "hats", 1)
    row = row | {"names": ["Jo", "Joseph", "Ann", "Mary"], "hypothesis": "Joseph never answers yes."}
    assert "does Joseph answer" in ask("number", row)


def test_longer_splits_begin_alike(blocks):
    assert plan_part(config_of(test=6), "hats", "test")["test"] == blocks[:6]


def test_the_formal_column_gives_the_puzzle_back(blocks):
    config = config_of()
    rows = rows_of(config, "hats", 12)
    for row in rows:
        puzzle, supposed = problem_of(row)
        assert (puzzle, supposed) == read_puzzle(row["premise"], row["hypothesis"], row["names"])


@pytest.mark.parametrize("language", ["en", "fr", "zh"])
def test_rows_are_proven_twice_in_every_language(language):
    config = config_of(language, test=12)
    rows = [row for setup in config.setups for row in rows_of(config, setup, 12)]
    file = f"{config.name}/test.parquet"
    proven = list(prove_mindgames(rows, {**asdict(config), "version": GENERATOR_VERSION}, file))
    assert len(proven) == len(rows) and all(isinstance(one, Proven) for one in proven)


@pytest.mark.parametrize(
    ("column", "change", "fault"),
    [
        ("label", lambda label: "entailment" if label != "entailment" else "not_entailment", "label is "),
        ("worlds_by_round", lambda worlds: [*worlds[:-1], 1 + worlds[-1]], "worlds_by_round is "),
        ("rounds", lambda rounds: rounds + 1, "rounds is "),
        ("premise", lambda text: text.replace("hat of", "cap of").replace("hats of", "caps of"), "does not fit"),
        ("premise", lambda text: text.replace("In fact", "Really"), "expected the next sentence of a puzzle"),
        ("hypothesis", lambda text: "Nobody ever answers.", "a hypothesis must be like"),
        ("explanation", lambda text: text.replace("worlds left", "worlds kept"), "step 2 of its explanation is wrong"),
    ],
)
def test_a_spoilt_row_is_found(column, change, fault):
    config = config_of(test=1)
    rows = rows_of(config, "hats", 1)
    rows[0] = rows[0] | {column: change(rows[0][column])}
    (first, *_) = prove_mindgames(rows, {**asdict(config), "version": GENERATOR_VERSION}, "rounds/test.parquet")
    assert isinstance(first, str) and fault in first


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_rules_that_work_out_no_round_are_near_chance(seed):
    config = config_of(seed=seed, explanations=())
    table = rules.measured(row for setup in config.setups for row in rows_of(config, setup, N))
    for group, shares in table.items():
        for rule, share in shares.items():
            assert share.share <= rules.GATES[group][1] + 0.05, (group, rule)  # of a smaller build than the gates need


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rungs": ((3, 3, 2),)}, "a number of persons from 4 to 10"),
        ({"rungs": ((5, 9, 2),)}, "the latest round of a first yes from 1 to 8"),
        ({"rungs": ((4, 3, 17),)}, "4 persons have at most 16 worlds: ask for fewer"),
        ({"rungs": ()}, "rounds needs rungs"),
        ({"setup": "forehead"}, "the setups are foreheads, hats, badges"),
    ],
)
def test_wrong_fields_are_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        config_of(**fields)


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("In round 1 all say no.\nAnswer: 3", 3),
        ("**Answer: never**", 0),
        ("Réponse : jamais", 0),
        ("答案：第4轮", 4),
        ("So Leo first says yes in round 5.", 5),
        ("2", 2),
        ("<think>Answer: 7</think>Answer: 6", 6),
        ("I cannot tell.", None),
    ],
)
def test_replies_are_read_as_numbers(reply, number):
    assert read_number(reply) == number


def test_numbers_are_scored_by_rung():
    rows = [{"rung": 1, "first_yes": 2}, {"rung": 1, "first_yes": 0}, {"rung": 2, "first_yes": 3}]
    scored = score_numbers(rows, ["Answer: 2", "Answer: 3", "hm"])
    assert {group: rate.right for group, rate in scored.groups.items()} == {
        "rung 1": 1, "rung 2": 0, "a round": 1, "never": 0, "all": 1,
    }  # fmt: skip
    assert (scored.unread, scored.total) == (1, 3)


def test_a_row_in_english_is_itself():
    (row, *_) = rows_of(config_of(test=1), "badges", 1)
    assert in_english(row, "en") == row
