"""Read explanations of problems back, and find every wrong one."""

from collections import Counter
from dataclasses import replace

import pytest
from mutations import mutants

from builders.logic import config as configs
from builders.logic.explanation import explain_row
from builders.logic.formula import SETUPS
from builders.logic.rows import part_rows, plan_of
from builders.proof.problem_steps import explanation_fault, judged_steps
from builders.proof.read_problems import read_problem

TURNS = [
    ("knows", "does not know"),
    ("whether", "that"),
    ("none", "0"),
    ("True", "False"),
    ("not muddy", "muddy"),
    ("someone", "everyone"),
    ("not everyone", "nobody"),
    ("red", "black"),
    ("who is thirsty", "whose forehead is muddy"),
    ("cannot tell apart", "can tell apart"),
    ("nobody", "everyone"),
]


def rows_of(config, setup, split, n_blocks):
    """Return the rows of the first blocks of a setup."""
    sizes = {"train": None, "validation": None, "test": None, split: n_blocks}
    config = replace(config, checker="embedded", scorer=None, **sizes)
    return part_rows(config, setup, split, range(n_blocks), plan_of(config, setup)[split])


@pytest.mark.parametrize("setup", SETUPS)
def test_every_mutant_of_an_explanation_is_found(setup):
    found, missed = Counter(), []
    for row in rows_of(configs.ALL, setup, "train", 6):
        assert explanation_fault(row["explanation"], row) is None
        for kind, mutant in mutants(row["explanation"], {"agents": row["names"]}, TURNS):
            found[kind] += 1
            if explanation_fault(mutant, row) is None:
                missed.append((row["index"], kind, mutant))
    assert not missed, missed[0]
    assert len(found) == 8 and min(found.values()) > 20, found


def explained(sentences, hypothesis, names):
    """Return a row of a premise with these sentences about people, and its explanation."""
    count = {2: "two", 3: "three", 4: "four", 6: "six"}[len(names)]
    premise = " ".join([f"There are {count} persons. Everyone is visible to others.", *sentences])
    row = {"premise": premise, "hypothesis": hypothesis, "names": names}
    return row, explain_row(row, read_problem(premise, hypothesis, names)[0])


SOMEONE = "It is publicly announced that someone is thirsty."
NEWER = {
    "a showing": ["In front of all, Bob alone is told whether Ann is thirsty."],
    "counts": ["It is publicly announced that at least two persons are thirsty."],
    "an odd number": ["It is publicly announced that an odd number of persons are thirsty."],
    "what everyone knows": ["It is publicly announced that nobody knows whether everyone is thirsty."],
    "rounds": ["It is publicly announced that nobody knows that Ann is thirsty."] * 2,
    "common knowledge": ["It is publicly announced that it is not common knowledge that Bob is thirsty."],
    "what they know together": [
        "It is publicly announced that putting together what they know, the persons can tell whether Ann is thirsty."
    ],
}


@pytest.mark.parametrize("sentences", NEWER.values(), ids=NEWER)
def test_newer_announcements_are_explained_and_proven(sentences):
    row, text = explained([SOMEONE, *sentences], "Bob can now know whether Ann is thirsty.", ["Ann", "Bob", "Cid"])
    assert explanation_fault(text, row) is None
    wrong = [mutant for kind, mutant in mutants(text, {"agents": row["names"]}, TURNS)
             if explanation_fault(mutant, row) is None]  # fmt: skip
    assert not wrong


def test_a_showing_is_told_and_changes_what_its_viewer_tells_apart():
    row, text = explained([SOMEONE, *NEWER["a showing"]], "Bob can now know that Ann is thirsty.", ["Ann", "Bob"])
    assert text.split("\n")[2:5] == [
        "Announcement 2 leaves 1 to 3, and Bob now knows about Ann.",
        "It is in 1, 3 that Ann is thirsty.",
        "Bob can tell all these worlds apart.",
    ]
    assert explanation_fault(text, row) is None
    assert explanation_fault(text.replace(", and Bob now knows about Ann", ""), row).startswith("step 3 ")
    assert explanation_fault(text.replace("Bob now knows about Ann", "Ann now knows about Bob"), row)


def test_worlds_of_many_agents_have_a_rule_and_many_of_them_are_counted():
    names = ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay"]
    hypothesis = "Ann can now know whether Fay can know that not everyone is thirsty."
    alone = "It is publicly announced that Ann does not know whether Bob is thirsty."
    row, text = explained([SOMEONE, "It is publicly announced that Ann is not thirsty.", alone], hypothesis, names)
    assert explanation_fault(text, row) is None
    assert "is a sum, of 1 for Ann, 2 for Bob, 4 for Cid, 8 for Dot, 16 for Eve, 32 for Fay." in text
    assert "Announcement 2 leaves 31 worlds." in text
    assert explanation_fault(text.replace("31 worlds", "30 worlds", 1), row)
    assert explanation_fault(text.replace("4 for Cid", "8 for Cid"), row)


@pytest.mark.parametrize("setup", SETUPS)
def test_problems_of_many_agents_are_explained_and_proven(setup):
    for row in rows_of(configs.SCALE, setup, "test", 3):
        assert row["explanation"] is None
        text = explain_row(row, read_problem(row["premise"], row["hypothesis"], row["names"])[0])
        assert explanation_fault(text, row) is None and len(text.split()) <= 250


def test_a_text_that_ends_early_or_goes_on_is_found():
    (row, *_) = rows_of(configs.ALL, "internal", "train", 1)
    text = row["explanation"]
    head, _, last = text.rpartition("\n")
    n_steps = text.count("\n") + 1
    assert explanation_fault(head, row) == f"its explanation ends before step {n_steps}"
    assert explanation_fault(f"{text}\n{last}", row) == f"step {n_steps + 1} of its explanation is wrong: {last!r}"


def test_the_steps_of_a_reply_are_found_among_other_words():
    row, text = explained([SOMEONE], "Bob can now know whether Ann is thirsty.", ["Ann", "Bob"])
    legend, leaves, fact, alike, knows, misses, answer = text.split("\n")
    judged = judged_steps("\n\n".join(["I think.", legend, leaves, "  " + fact, knows, alike, misses, answer]), row)
    assert [right for _, right in judged.steps] == [True, True, True, True, True, True]
    assert (judged.covered, judged.needed) == (5, 6), "what Bob tells apart came too late"
    other = "Ann cannot tell apart 1, 3."
    judged = judged_steps("\n".join([legend, other, other, leaves, leaves, "It is in 3 that cows fly."]), row)
    assert [right for _, right in judged.steps] == [True, True, False, True, False, False]
    assert judged.first_wrong == other and judged.covered == 1
    assert judged_steps("Announcement 1 leaves 1 to 99999.\nZed cannot tell apart 1, 3.", row).share == 0
    assert judged_steps(f"Announcement {'9' * 5000} leaves none.", row).share == 0
