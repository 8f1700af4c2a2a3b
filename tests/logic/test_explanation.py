"""Read explanations of problems word for word, and hold their length."""

from dataclasses import replace

import pytest

from builders.logic import config as configs
from builders.logic.claims import NAMED, SHOWN, THAT, WHETHER, Premise, about
from builders.logic.explanation import explain_premise, explain_problem, groups, said
from builders.logic.formula import SETUPS
from builders.logic.rows import part_rows, plan_of

NAMES = ("Ann", "Bob", "Cid")


def explained(premise, hypothesis):
    """Return the steps of a problem about NAMES."""
    known = explain_premise(premise, NAMES, "en")
    return explain_problem(known, premise.setup, hypothesis, NAMES, "en").split("\n")


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
        "Answer: True.",
    ]


def test_what_misses_worlds_is_false():
    premise = Premise("internal", ((1,), (2,), (3,)), ())
    assert explained(premise, (((0, THAT, True),), about(1, False)))[2:] == [
        "It is in 2, 3, 6, 7 that Bob is thirsty.",
        "Ann cannot tell apart 1, 3, 5, 7; 2, 4, 6.",
        "It is in 1 to 7 that Ann does not know that this is so.",
        "Of the worlds left, this misses none.",
        "Answer: True.",
    ]
    assert explained(premise, (((0, WHETHER, False),), about(1, False)))[-3:] == [
        "It is in none that Ann knows whether this is so.",
        "Of the worlds left, this misses 1 to 7.",
        "Answer: False.",
    ]


def test_a_showing_leaves_all_worlds_and_tells_its_viewer():
    premise = Premise("explicit", ((), (), ()), ((((1, SHOWN, False),), about(0, False)),))
    steps = explained(premise, (((1, WHETHER, False),), about(0, False)))
    assert steps[2] == "Announcement 2 leaves 1 to 7, and Bob now knows about Ann."
    assert steps[4] == "Bob cannot tell apart 1, 3, 5, 7; 2, 4, 6." and steps[-1] == "Answer: True."


def test_sets_of_worlds_in_words():
    assert said(0, "en") == "none" and said(0b1011, "en") == "0, 1, 3" and said(0b11101, "en") == "0, 2 to 4"
    evens = sum(1 << world for world in range(0, 16, 2))
    assert said(evens, "en") == "0, 2, 4, 6, 8, 10, 12, 14"
    assert said(evens | 1 << 16, "en") == "9 worlds"
    assert groups(evens, 0b1110, "en") == "can tell all these worlds apart"
    assert groups(evens, 0b1000, "en") == "cannot tell apart 0, 2, 4, 6; 8, 10, 12, 14"
    assert groups((1 << 32) - 1, 0b11110, "en") == "cannot tell apart the worlds in each of 16 groups"


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
                assert len(row["explanation"].split()) <= 250 and row["explanation"].endswith(f"\nAnswer: {answer}.")
