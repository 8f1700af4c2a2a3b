"""Label problems by explicit sets of worlds: puzzles by name, and nested knowledge by hand.

tests/logic/test_states.py holds these labels to those of two other engines on random problems.
"""

from dataclasses import replace

import pytest
from proof.samples import entails, premise

from tom_datasets.reader.problem_worlds import follows
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.syntax.formula import Atom, Problem, Top

SILENT = "{0} does not know whether {0}'s forehead is muddy".format


def test_two_muddy_children_of_the_paper():
    """Alice and Bob: once Alice does not know, Bob knows that he is muddy, and Alice still does not know."""
    assert entails("forehead", [], "Bob can now know whether Bob's forehead is muddy", "two") is False
    assert entails("forehead", [SILENT("Alice")], "Bob can now know that Bob's forehead is muddy", "two") is True
    assert (
        entails("forehead", [SILENT("Alice")], "Alice can now know whether Alice's forehead is muddy", "two") is False
    )


def test_three_muddy_children():
    """Ann's silence says that Bob or Cid is muddy, Bob's then that Cid is; neither says anything about Ann."""
    two = [SILENT("Ann"), SILENT("Bob")]
    assert entails("forehead", two[:1], "Cid can now know that Cid's forehead is muddy") is False
    assert entails("forehead", two, "Cid can now know that Cid's forehead is muddy") is True
    assert entails("forehead", two, "Ann can now know that Bob can know that Cid can know that Cid's forehead is muddy")
    assert entails("forehead", two, "Bob can now know whether Bob's forehead is muddy") is False
    assert entails("forehead", two, "Ann can now know whether Ann's forehead is muddy") is False
    # After both silences Cid knows, so that a third one is impossible.
    assert entails("forehead", [*two, SILENT("Cid")], "Ann can now know that Ann's forehead is muddy") is None


def test_ten_muddy_children():
    names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jon"]
    silence = [SILENT(name) for name in names[:-1]]
    assert entails("forehead", silence, "Jon can now know that Jon's forehead is muddy", "ten") is True
    assert entails("forehead", silence[:-1], "Jon can now know that Jon's forehead is muddy", "ten") is False


def test_in_a_mirror_everybody_knows_every_fact():
    deep = "Ann can now know that Bob can know that Cid can know whether Cid's forehead is muddy"
    assert entails("forehead_mirror", [], deep) is True
    assert entails("forehead", [], deep) is False
    assert entails("forehead_mirror", [], "Ann can now know whether or not everyone's forehead is muddy") is True
    assert entails("forehead_mirror", [], "Ann can now know that everyone's forehead is muddy") is False
    facts = ["Ann's forehead is not muddy", "Bob knows that Cid's forehead is not muddy"]
    assert entails("forehead_mirror", facts, "Cid can now know that Bob's forehead is muddy") is True
    assert entails("forehead_mirror", [SILENT("Ann")], "Bob can now know that someone's forehead is muddy") is None


def test_thirsty_logicians():
    """Who does not know whether everyone is thirsty is thirsty; the last one then knows."""
    unsure = "{} does not know whether or not everyone is thirsty".format
    clauses = [unsure("Ann"), unsure("Bob")]
    assert entails("internal", clauses, "Cid can now know that Ann is thirsty") is True
    assert entails("internal", clauses, "Cid can now know whether or not everyone is thirsty") is True
    assert entails("internal", clauses, "Ann can now know whether or not everyone is thirsty") is False
    assert entails("internal", clauses, "Ann can now know that Cid can know whether or not everyone is thirsty") is True
    assert entails("internal", [*clauses, "Cid knows that everyone is thirsty"], "Bob can now know that Cid is thirsty")
    # "Someone is thirsty" already tells who is not that, of two, the other is.
    assert entails("internal", ["Ann is not thirsty"], "Ann can now know that Bob is thirsty", "two") is True


def test_cards_with_a_blind_person():
    """Cid sees no card. Bob, who sees Ann's, does not know whether all are red just when Ann's is red."""
    cards = ["Ann Bob", "Bob Ann"]
    clauses = ["Bob does not know whether or not everyone picked a red card"]
    assert entails("explicit", [], "Bob can now know whether Ann picked a red card", cards=cards) is True
    assert (
        entails("explicit", [], "Cid can now know that Bob can know whether Ann picked a red card", cards=cards) is True
    )
    assert entails("explicit", [], "Cid can now know whether Ann picked a red card", cards=cards) is False
    assert entails("explicit", clauses, "Cid can now know that Ann picked a red card", cards=cards) is True
    assert entails("explicit", clauses, "Cid can now know whether Bob picked a red card", cards=cards) is False
    assert entails("explicit", clauses, "Ann can now know whether Bob picked a red card", cards=cards) is True
    # That the blind one does not know is no news; that it does, is impossible.
    silent = ["Cid does not know whether Cid picked a red card"]
    assert entails("explicit", silent, "Ann can now know whether Ann picked a red card", cards=cards) is False
    blind = ["Cid knows whether Cid picked a red card"]
    assert entails("explicit", blind, "Ann can now know whether Ann picked a red card", cards=cards) is None


def test_the_blind_person_does_not_see_with_the_eyes_of_the_next():
    """The published flaw: Ann, who is shown no card, was given what Bob sees."""
    cards = ["Ann Bob", "Cid Bob", "Bob Cid"]
    claim = "Ann can now know whether Cid picked a red card."
    problem, _ = read_problem(premise("explicit", cards=cards), claim, ("Ann", "Bob", "Cid"))
    assert problem.sees == ((), (1, 3), (2,))
    assert follows(problem) is False
    assert follows(replace(problem, sees=((1, 3), (2,), ()))) is True


@pytest.mark.parametrize(
    ("clauses", "claim", "expected"),
    [
        # Worlds (Ann muddy, Bob muddy): 10, 01, 11. Each sees the other.
        ([], "Ann can know that Bob can know whether Ann's forehead is muddy", True),
        ([], "Ann can know that Bob can know that Ann's forehead is muddy", False),
        ([], "Ann can know that Bob can know that someone's forehead is muddy", True),
        # Bob knows that Ann's is muddy just when it is, and of that Ann is in doubt in 01 and 11.
        ([], "Ann can know whether Bob can know that Ann's forehead is muddy", False),
        # In 01 Bob knows of himself, in 11 not; Ann cannot tell the two apart.
        ([], "Ann can know that Bob cannot know whether Bob's forehead is muddy", False),
        ([], "Ann cannot know whether Bob can know whether Bob's forehead is muddy", False),
        # Bob's doubt leaves 10 and 11.
        ([SILENT("Bob")], "Ann can now know that Bob cannot know whether Bob's forehead is muddy", True),
        ([SILENT("Bob")], "Ann can now know that Bob can know that Ann can know that Ann's forehead is muddy", True),
        ([SILENT("Bob")], "Bob can now know whether Ann can know whether Bob's forehead is muddy", True),
        ([SILENT("Bob")], "Bob can now know whether Ann can know that Bob's forehead is muddy", False),
        # Ann does not know that she is muddy: 01 and 11. That Bob is muddy, both know.
        (["Ann does not know that Ann's forehead is muddy"], "Bob can now know that Bob's forehead is muddy", True),
        # Ann knows whether she is muddy: 10 only.
        (["Ann knows whether Ann's forehead is muddy"], "Bob can now know that Bob's forehead is not muddy", True),
        (["nobody's forehead is muddy"], "Ann can now know that Bob's forehead is muddy", None),
    ],
)
def test_nested_knowledge_by_hand(clauses, claim, expected):
    assert entails("forehead", clauses, claim, "two") is expected


def test_an_announcement_that_makes_itself_false():
    """Worlds 10, 01, 11, each sees its own. In 01 and 11 Bob does not know whether Ann knows whether all are thirsty.

    Once he says so only these are left: Ann, who knows now that Bob is thirsty, knows whether all are, and he knows
    that she does.
    """
    clauses = ["Bob does not know whether Ann knows whether or not everyone is thirsty"]
    claim = "Bob can now know whether Ann can know whether or not everyone is thirsty"
    assert entails("internal", [], claim, "two") is False
    assert entails("internal", clauses, claim, "two") is True
    assert entails("internal", clauses * 2, claim, "two") is None


def test_another_formula_is_refused():
    with pytest.raises(TypeError, match="not a formula of a problem: Top"):
        follows(Problem("internal", ((1,), (2,)), (Top(),), Atom(1)))
