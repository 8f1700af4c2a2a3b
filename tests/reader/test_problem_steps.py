"""Read explanations of problems back, and find every wrong one."""

from dataclasses import replace

import pytest
from mutations import unfound
from support import ROOT

from tom_datasets.logic import config as configs
from tom_datasets.logic.claims import from_problem
from tom_datasets.logic.explanation import explain_problem
from tom_datasets.logic.rows import part_rows, plan_of
from tom_datasets.logic.setups import ORDERED_SETUPS
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.reader.steps import explanation_fault, judged_steps
from tom_datasets.syntax.formula import SETUPS

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
    ("no world", "all worlds"),
    ("is thirsty", "is not thirsty"),
    ("has red", "has black"),
    ("but", "and"),
    (", or where", " or where"),
    ("are", "is"),
]


def rows_of(config, setup, split, n_blocks):
    """Return the rows of the first blocks of a setup."""
    sizes = {"train": None, "validation": None, "test": None, split: n_blocks}
    config = replace(config, checker="embedded", scorer=None, **sizes)
    return part_rows(config, setup, split, range(n_blocks), plan_of(config, setup)[split])


SAMPLES = {
    **{setup: (configs.ALL, setup, "train", 6) for setup in SETUPS},
    "five agents": (replace(configs.DEEP, n_agents=(5,)), "internal", "train", 2),
}


@pytest.mark.parametrize("sample", SAMPLES)
def test_every_mutant_of_an_explanation_is_found(sample):
    rows = rows_of(*SAMPLES[sample])
    made, missed = unfound([(row, row["explanation"], {"agents": row["names"]}) for row in rows], TURNS)
    assert not missed, missed[0]
    assert len(made) == 9 and min(made.values()) > 20, made


def explained(sentences, hypothesis, names):
    """Return a row of a premise with these sentences about people, and its explanation."""
    count = {2: "two", 3: "three", 4: "four", 5: "five"}[len(names)]
    premise = " ".join([f"There are {count} persons. Everyone is visible to others.", *sentences])
    row = {"premise": premise, "hypothesis": hypothesis, "names": names}
    return row, explanation_of(row)


def explanation_of(row):
    """Return the explanation of what the English of a row asks."""
    problem, names = read_problem(row["premise"], row["hypothesis"], row["names"])
    return explain_problem(*from_problem(problem), names, "en")


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
    assert not unfound([(row, text, {"agents": row["names"]})], TURNS)[1]


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


def test_worlds_of_many_agents_are_told_by_what_they_share():
    row, text = explained(
        [
            SOMEONE,
            "It is publicly announced that at least three persons are thirsty.",
            "In front of all, Ruth alone is told whether Lee is thirsty.",
            "It is publicly announced that Ruth does not know whether exactly four persons are thirsty.",
            "It is publicly announced that Laurel is not thirsty.",
        ],
        "Lee does not know whether Amy knows whether Diane is thirsty.",
        ["Amy", "Lee", "Laurel", "Ruth", "Diane"],
    )
    assert explanation_fault(text, row) is None
    assert f"```text\n{text}\n```" in (ROOT / "docs" / "reference" / "explanations.md").read_text(encoding="utf-8")
    judged = judged_steps(text.replace("where exactly 3, 4 or 5", "where exactly 3 or 4"), row)
    assert judged.first_wrong.startswith("Announcement 2 leaves the worlds where exactly 3 or 4 ")
    assert judged.share_before_wrong == 2 / text.count("\n")


@pytest.mark.parametrize("config", [configs.SCALE, configs.LADDER], ids=lambda config: config.name)
@pytest.mark.parametrize("setup", ORDERED_SETUPS)
def test_problems_of_many_agents_are_explained_and_proven(setup, config):
    for row in rows_of(config, setup, "test", 3):
        assert row["explanation"] is None
        text = explanation_of(row)
        assert explanation_fault(text, row) is None


def test_the_steps_of_a_reply_are_found_among_other_words():
    row, text = explained([SOMEONE], "Bob can now know whether Ann is thirsty.", ["Ann", "Bob"])
    legend, leaves, fact, alike, knows, misses, answer = text.split("\n")
    judged = judged_steps("\n\n".join(["I think.", legend, leaves, "  " + fact, knows, alike, misses, answer]), row)
    assert [right for _, right in judged.steps] == [True, True, True, True, True, True]
    assert judged.share_before_wrong == 5 / 6, "what Bob tells apart came too late"
    other = "Ann cannot tell apart 1, 3."
    judged = judged_steps("\n".join([legend, other, other, leaves, leaves, "It is in 3 that cows fly."]), row)
    assert [right for _, right in judged.steps] == [True, True, True, False]
    assert judged.first_wrong == "It is in 3 that cows fly."
    assert judged.share_before_wrong == 2 / 6, "what is said again counts once"
    for wrong in (
        "Announcement 1 leaves 1 to 99999.",
        f"Announcement {'9' * 5000} leaves none.",
        "Announcement 01 leaves 1 to 3.",
    ):
        assert judged_steps(wrong, row).steps == ((wrong, False),)
    assert not judged_steps("Zed likes apples.", row).steps
