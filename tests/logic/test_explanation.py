"""Read explanations of problems word for word, and hold their length."""

from dataclasses import replace

import pytest

from tom_datasets.logic import config as configs
from tom_datasets.logic.claims import NAMED, THAT, WHETHER, Premise, about
from tom_datasets.logic.explanation import explain_problem, said, told_apart
from tom_datasets.logic.rows import part_rows, plan_of
from tom_datasets.logic.states import initial_state
from tom_datasets.syntax.formula import SETUPS

NAMES = ("Ann", "Bob", "Cid")


def explained(premise, hypothesis):
    """Return the steps of a problem about NAMES."""
    return explain_problem(premise, hypothesis, NAMES, "en").split("\n")


def test_a_puzzle_is_explained_from_the_worlds_to_the_answer():
    """Of three muddy children one sees two clean ones, once it is said that the others are clean."""
    clean = tuple([((), about(agent, True)) for agent in (0, 1)])
    premise = Premise("forehead", ((2, 3), (1, 3), (1, 2)), clean)
    assert explained(premise, (((0, THAT, False), (2, WHETHER, False)), NAMED + 4)) == [
        "Worlds, by whose forehead is muddy: 0: nobody; 1: Ann; 2: Bob; 3: Ann, Bob; 4: Cid; 5: Ann, Cid; 6: Bob, Cid; "
        "7: Ann, Bob, Cid.",
        "Announcement 1 leaves 1 to 7.",
        "Announcement 2 leaves 2, 4, 6.",
        "Announcement 3 leaves 4.",
        "It is in 4 that Cid's forehead is muddy.",
        "Cid can tell all these worlds apart.",
        "It is in 4 that Cid knows whether this is so.",
        "Ann can tell all these worlds apart.",
        "It is in 4 that Ann knows that this is so.",
        "Of the worlds left, this misses none.",
        "Answer: True",
    ]


FIVE = ("Ann", "Bob", "Cid", "Dot", "Eve")
ALL = (1 << 32) - 1
ANN, BOB = 0xAAAAAAAA, 0xCCCCCCCC


def counted(*counts):
    """Return the worlds of FIVE in which so many atoms are true."""
    return sum(1 << world for world in range(32) if world.bit_count() in counts)


@pytest.mark.parametrize(
    ("names", "worlds", "among", "setup", "words"),
    [
        (NAMES, 0, 0xFF, "internal", "none"),
        (NAMES, 0b1011, 0xFF, "internal", "0, 1, 3"),
        (NAMES, 0b11101, 0xFF, "internal", "0, 2 to 4"),
        (FIVE, 0, ANN, "internal", "no world"),
        (FIVE, ANN, ANN, "internal", "all worlds"),
        (FIVE, ANN, ALL, "internal", "the worlds where Ann is thirsty"),
        (FIVE, ANN & ~BOB, ALL, "forehead", "the worlds where Ann is muddy but Bob is not"),
        (FIVE, ANN & ~BOB, ANN, "explicit", "the worlds where Bob has black"),
        (FIVE, ANN | BOB, ALL, "explicit", "all worlds but those where Ann and Bob have black"),
        (FIVE, ANN ^ BOB, ALL, "internal", "the worlds where Ann is thirsty but Bob is not, or where Bob is thirsty "
         "but Ann is not"),
        (FIVE, counted(1), ALL, "internal", "the worlds where exactly 1 of them is thirsty"),
        (FIVE, counted(0, 2, 4), ALL, "explicit", "the worlds where exactly 0, 2 or 4 of them have red"),
        (FIVE, counted(0, 2, 4), ALL ^ 2, "explicit", "the worlds where exactly 0, 2 or 4 of them have red"),
        (FIVE, counted(0, 2, 4) ^ 1 << 3, ALL, "explicit", "some worlds only"),
    ],
)  # fmt: skip
def test_sets_of_worlds_in_words(names, worlds, among, setup, words):
    assert said(worlds, among, setup, names, "en") == words


def test_what_an_agent_cannot_tell_apart_in_words():
    three, five = initial_state(((2, 3), (1,), (1,))), initial_state(((2, 3, 4, 5), (), (1,), (1,), (1,)))
    assert told_apart(three, 0, NAMES, "en") == "Ann cannot tell apart 0, 1; 2, 3; 4, 5; 6, 7."
    assert told_apart(three.with_law(0x55), 0, NAMES, "en") == "Ann can tell all these worlds apart."
    assert told_apart(five, 0, FIVE, "en") == "Ann tells worlds apart by Bob, Cid, Dot and Eve only."
    assert told_apart(five, 1, FIVE, "en") == "Bob tells no worlds apart."


@pytest.mark.parametrize("setup", SETUPS)
def test_the_column_is_short_and_only_in_train_and_validation(setup):
    config = replace(configs.ALL, train=6, validation=3, test=3, checker="embedded", scorer=None)
    planned = plan_of(config, setup)
    for split, blocks in planned.items():
        rows = part_rows(config, setup, split, range(len(blocks)), blocks)
        off = part_rows(replace(config, explanations=()), setup, split, range(len(blocks)), blocks)
        assert [{**row, "explanation": None} for row in rows] == off
        for row in rows:
            assert (row["explanation"] is not None) == (split != "test")
            if split != "test":
                answer = "True" if row["label"] == "entailment" else "False"
                assert len(row["explanation"].split()) <= 250 and row["explanation"].endswith(f"\nAnswer: {answer}")
