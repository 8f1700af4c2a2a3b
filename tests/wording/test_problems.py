"""Prove that MindGames speaks the published sentences, says no two problems alike, and is read back."""

import gzip
import json

import pytest
from hypothesis import given, settings
from random_problems import dynamic_problems
from support import REFERENCE

from tom_datasets.logic.claims import (
    from_problem,
    to_problem,
)
from tom_datasets.logic.phrases import phrase, premise_text
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import (
    And,
    Atom,
    Common,
    Distributed,
    Knows,
    Not,
    Or,
    Problem,
    Shown,
    Xor,
    at_least,
    exactly,
    knows_whether,
)
from tom_datasets.wording.problems import Voice

PUBLISHED = REFERENCE / "mindgames_validation.jsonl.gz"
NAMES = ("Ann", "Bob")
VOICE = Voice("en")
SOMEONE, EVERYONE = Or((Atom(1), Atom(2))), And((Atom(1), Atom(2)))
SEES = {"forehead": ((2,), (1,)), "forehead_mirror": ((1, 2), (1, 2)), "internal": ((1,), (2,))}


def said(problem, names, plain=False):
    """Return the premise and the hypothesis of a problem in words."""
    premise, hypothesis = from_problem(problem)
    return premise_text(VOICE, premise, names, plain), VOICE.hypothesis(problem.setup, phrase(hypothesis, names), plain)


def problem(setup="forehead", sees=None, announcements=(SOMEONE,), hypothesis=None):
    """Return a problem of two agents."""
    return Problem(setup, sees or SEES[setup], announcements, hypothesis or Knows("Agenta", Atom(1)))


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        (Atom(1), "Ann's forehead is muddy"),
        (Not(Atom(2)), "Bob's forehead is not muddy"),
        (Not(EVERYONE), "not everyone's forehead is muddy"),
        (Not(SOMEONE), "nobody's forehead is muddy"),
        (knows_whether("Agenta", EVERYONE), "Ann knows whether or not everyone's forehead is muddy"),
        (knows_whether("Agenta", Not(SOMEONE)), "Ann knows whether or not nobody's forehead is muddy"),
        (knows_whether("Agentb", SOMEONE), "Bob knows whether someone's forehead is muddy"),
        (Not(knows_whether("Agentb", Atom(1))), "Bob does not know whether Ann's forehead is muddy"),
        (Knows("Agentb", Not(Atom(1))), "Bob knows that Ann's forehead is not muddy"),
        (Not(Knows("Agentb", Not(EVERYONE))), "Bob does not know that not everyone's forehead is muddy"),
    ],
)
def test_announcements(formula, sentence):
    premise, _ = said(problem(announcements=(SOMEONE, formula)), NAMES)
    assert premise == (
        "There are two persons. Everyone is visible to others. It is publicly announced that someone's forehead is "
        f"muddy. It is publicly announced that {sentence}."
    )


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        (Knows("Agenta", Atom(2)), "Ann can now know that Bob is thirsty."),
        (Not(Knows("Agenta", Not(Atom(2)))), "Ann cannot know that Bob is not thirsty."),
        (Not(knows_whether("Agenta", EVERYONE)), "Ann cannot know whether or not everyone is thirsty."),
        (
            knows_whether("Agenta", Knows("Agentb", SOMEONE)),
            "Ann can now know whether Bob can know that someone is thirsty.",
        ),
        (
            Knows("Agenta", Not(knows_whether("Agentb", Not(SOMEONE)))),
            "Ann can now know that Bob cannot know whether or not nobody is thirsty.",
        ),
    ],
)
def test_hypotheses(formula, sentence):
    assert said(problem("internal", hypothesis=formula), NAMES)[1] == sentence


ALL3 = tuple(map(Atom, (1, 2, 3)))
AGENTS = ("Agenta", "Agentb", "Agentc")
SILENCE = And(tuple(Not(knows_whether(agent, atom)) for agent, atom in zip(AGENTS, ALL3, strict=True)))
THREE = ("Ann", "Bob", "Cid")
SIGHTS = {"forehead": ((2, 3), (1, 3), (1, 2)), "internal": ((1,), (2,), (3,)), "explicit": ((), (1,), (1, 2))}
KINDS = [
    (exactly(ALL3, 2), "exactly two persons are thirsty"),
    (exactly(ALL3, 1), "exactly one person is thirsty"),
    (at_least(ALL3, 2), "at least two persons are thirsty"),
    (Xor(ALL3), "an odd number of persons are thirsty"),
    (Not(knows_whether("Agentb", exactly(ALL3, 1))), "Bob does not know whether exactly one person is thirsty"),
    (Not(knows_whether("Agentb", Knows("Agenta", And(ALL3)))), "Bob does not know whether Ann knows that everyone is "
     "thirsty"),
    (SILENCE, "nobody knows whether they are thirsty themselves"),
    (And(tuple(knows_whether(agent, Not(Or(ALL3))) for agent in AGENTS)), "everyone knows whether nobody is thirsty"),
    (Not(Common(AGENTS, Atom(1))), "it is not common knowledge that Ann is thirsty"),
    (Distributed(AGENTS, Not(Atom(1))), "putting together what they know, the persons can tell that Ann is not "
     "thirsty"),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "sentence"), KINDS)
def test_the_kinds_of_order_blocks_are_said_and_read(formula, sentence):
    """The reader knows the words of foreheads and cards from elsewhere."""
    for setup, sees in SIGHTS.items():
        told = Problem(setup, sees, (Or(ALL3), formula), Not(Knows("Agenta", knows_whether("Agentb", Atom(3)))))
        premise, hypothesis = said(told, THREE, True)
        assert setup != "internal" or premise.endswith(f". It is publicly announced that {sentence}.")
        assert hypothesis.startswith("Ann does not know that Bob knows whether Cid")
        assert read_problem(premise, hypothesis, THREE) == (told, THREE)


@pytest.mark.parametrize(
    ("setup", "shown", "sentence"),
    [
        ("explicit", Shown("Agenta", 2), "In front of all, Bob's card is shown to Ann alone."),
        ("explicit", Shown("Agenta", 1), "In front of all, Ann alone looks at her own card."),
        ("explicit", Shown("Agentb", 2), "In front of all, Bob alone looks at his own card."),
        ("internal", Shown("Agenta", 2), "In front of all, Ann alone is told whether Bob is thirsty."),
        ("forehead", Shown("Agenta", 2), "In front of all, Ann alone is told whether Bob's forehead is muddy."),
    ],
)
def test_showings(setup, shown, sentence):
    told = problem(setup, ((), (1, 2)) if setup == "explicit" else None, (SOMEONE, shown))
    premise, hypothesis = said(told, NAMES, True)
    if setup == "explicit":
        assert "Ann's card is shown to Bob. Bob looks at his own card. It is publicly" in premise
    assert premise.endswith(f". {sentence}") and hypothesis.startswith("Ann now knows that ")
    assert read_problem(premise, hypothesis, NAMES)[0] == told


@settings(max_examples=200, deadline=None)
@given(dynamic_problems)
def test_any_problem_of_the_kinds_of_order_blocks_is_read_back(codes):
    premise, hypothesis = codes
    if not hypothesis[0]:
        return  # a hypothesis is somebody's knowledge
    told, names = to_problem(premise, hypothesis), ("Ann", "Bob", "Cid", "Dan")[: len(premise.sees)]
    for plain in (False, True):
        text = said(told, names, plain)
        read, _ = read_problem(*text, names)
        assert read == told and from_problem(read) == codes


def test_the_published_rows_are_said_exactly():
    """Every row of the published validation split, read and said again."""
    if not PUBLISHED.is_file():
        pytest.skip("the published MindGames data are not beside the repository")
    with gzip.open(PUBLISHED, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            read, names = read_problem(row["premise"], row["hypothesis"], row["names"])
            assert said(read, names) == (row["premise"], row["hypothesis"])


def test_a_lexicon_with_too_few_names_is_an_error():
    speaker = Voice()
    speaker._persons = {"girls": (["Ann"], [1]), "boys": (["Anne"], [1])}
    with pytest.raises(ValueError, match="^the lexicon has too few first names for 2 people: no two may be alike$"):
        speaker.persons(stream("names"), 2)
