"""Read every published sentence of MindGames back, and prove labels by puzzles, by a second model, by the data."""

import gzip
import json
import re
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import REFERENCE

from builders.logic.formula import SETUPS, And, Atom, Knows, KnowsWhether, Not, Or, Problem, Top, agent_name
from builders.proof.english import ReadError
from builders.proof.problem_worlds import follows
from builders.proof.read_problems import read_problem

PUBLISHED = REFERENCE / "mindgames_validation.jsonl.gz"
A, B, C = "Agenta", "Agentb", "Agentc"
ALL3 = (Atom(1), Atom(2), Atom(3))
MIRROR = "There is a mirror in the room."
DRAW = "Each person draws a card, face unrevealed (red or black)."
SOMEONE = {
    "forehead": "someone's forehead is muddy",
    "forehead_mirror": "someone's forehead is muddy",
    "internal": "someone is thirsty",
    "explicit": "someone picked a red card",
}
SCENE = {"forehead": (), "forehead_mirror": (MIRROR,), "internal": (), "explicit": (DRAW,)}


def premise(setup, said=(), count="three", cards=()):
    """Return a premise with these announcements after the first; the card "Ann Bob" is Ann's, shown to Bob."""
    shown = ("{}'s card is shown to {}.".format(*pair.split()) for pair in cards)
    announced = (f"It is publicly announced that {clause}." for clause in (SOMEONE[setup], *said))
    return " ".join((f"There are {count} persons. Everyone is visible to others.", *SCENE[setup], *shown, *announced))


def label(setup, said, claim, count="three", cards=()):
    """Return whether the claim follows from the premise, both in English."""
    problem, _ = read_problem(premise(setup, said, count, cards), f"{claim}.")
    return follows(problem)


def announced(clause, setup="forehead", names=("Ann", "Bob", "Cid")):
    """Return how an announcement after the first is read."""
    problem, _ = read_problem(premise(setup, [clause]), f"Ann can now know that {SOMEONE[setup]}.", names)
    return problem.announcements[1]


# ------------------------------------------------------------------------------------------------ sentences


@pytest.mark.parametrize(
    ("setup", "sees"),
    [
        ("forehead", ((2, 3), (1, 3), (1, 2))),
        ("forehead_mirror", ((1, 2, 3), (1, 2, 3), (1, 2, 3))),
        ("internal", ((1,), (2,), (3,))),
        ("explicit", ((), (), ())),
    ],
)
def test_a_whole_problem_of_each_setup(setup, sees):
    claim = f"Cid can now know that Ann can know whether {SOMEONE[setup]}."
    assert read_problem(premise(setup), claim, ["Ann", "Bob", "Cid"]) == (
        Problem(setup, sees, (Or(ALL3),), Knows(C, KnowsWhether(A, Or(ALL3)))),
        ("Ann", "Bob", "Cid"),
    )


def test_cards_are_seen_by_those_to_whom_they_are_shown():
    text = premise("explicit", cards=["Cid Ann", "Bob Ann", "Bob Bob", "Ann Cid"])
    problem, _ = read_problem(text, "Ann can now know that someone picked a red card.", ("Ann", "Bob", "Cid"))
    assert problem.sees == ((2, 3), (2,), (1,))
    # The paper's word, and the other apostrophe.
    assert read_problem(
        text.replace("shown", "revealed").replace("'", "’"),
        "Ann can now know that someone picked a red card.",
        ("Ann", "Bob", "Cid"),
    ) == (problem, ("Ann", "Bob", "Cid"))


@pytest.mark.parametrize(
    ("word", "count"), [("two", 2), ("seven", 7), ("ten", 10), ("twelve", 12), ("2", 2), ("26", 26)]
)
def test_how_many_persons(word, count):
    problem, names = read_problem(premise("internal", count=word), "Ann can now know that someone is thirsty.")
    assert problem.sees == tuple((number,) for number in range(1, count + 1))
    assert problem.announcements == (Or(tuple(Atom(number) for number in range(1, count + 1))),)
    assert names == ("Ann",)


@pytest.mark.parametrize(
    ("clause", "formula"),
    [
        # As published.
        ("Bob's forehead is muddy", Atom(2)),
        ("Bob's forehead is not muddy", Not(Atom(2))),
        ("someone's forehead is muddy", Or(ALL3)),
        ("everyone's forehead is muddy", And(ALL3)),
        ("not everyone's forehead is muddy", Not(And(ALL3))),
        ("Cid knows whether Cid's forehead is muddy", KnowsWhether(C, Atom(3))),
        ("Cid knows whether someone's forehead is muddy", KnowsWhether(C, Or(ALL3))),
        ("Cid knows whether or not everyone's forehead is muddy", KnowsWhether(C, And(ALL3))),
        ("Cid knows whether or not nobody's forehead is muddy", KnowsWhether(C, Not(Or(ALL3)))),
        ("Cid does not know whether Bob's forehead is muddy", Not(KnowsWhether(C, Atom(2)))),
        ("Cid does not know whether or not everyone's forehead is muddy", Not(KnowsWhether(C, And(ALL3)))),
        # As in the paper, or as the published sentences go on.
        ("nobody's forehead is muddy", Not(Or(ALL3))),
        ("someone's forehead is not muddy", Or(tuple(map(Not, ALL3)))),
        ("not everyone's forehead is not muddy", Not(And(tuple(map(Not, ALL3))))),
        ("nobody's forehead is not muddy", Not(Or(tuple(map(Not, ALL3))))),
        ("Cid knows that Bob's forehead is not muddy", Knows(C, Not(Atom(2)))),
        ("Cid does not know that nobody's forehead is muddy", Not(Knows(C, Not(Or(ALL3))))),
        ("Cid cannot know whether not everyone's forehead is muddy", Not(KnowsWhether(C, Not(And(ALL3))))),
        ("Cid knows whether or not Bob's forehead is muddy", KnowsWhether(C, Atom(2))),
        ("Cid knows whether everyone's forehead is muddy", KnowsWhether(C, And(ALL3))),
        ("Cid does not know whether Bob knows that Cid's forehead is muddy", Not(KnowsWhether(C, Knows(B, Atom(3))))),
    ],
)
def test_announcements(clause, formula):
    assert announced(clause) == formula


@pytest.mark.parametrize(
    ("setup", "clause", "formula"),
    [
        ("internal", "Ann is thirsty", Atom(1)),
        ("internal", "Ann is not thirsty", Not(Atom(1))),
        ("internal", "someone is thirsty", Or(ALL3)),
        ("internal", "everyone is thirsty", And(ALL3)),
        ("internal", "not everyone is thirsty", Not(And(ALL3))),
        ("internal", "nobody is thirsty", Not(Or(ALL3))),
        ("internal", "someone is not thirsty", Or(tuple(map(Not, ALL3)))),
        ("internal", "Bob does not know whether or not everyone is thirsty", Not(KnowsWhether(B, And(ALL3)))),
        ("explicit", "Ann picked a red card", Atom(1)),
        ("explicit", "Ann picked a black card", Not(Atom(1))),
        ("explicit", "someone picked a red card", Or(ALL3)),
        ("explicit", "everyone picked a red card", And(ALL3)),
        ("explicit", "not everyone picked a red card", Not(And(ALL3))),
        ("explicit", "nobody picked a red card", Not(Or(ALL3))),
        ("explicit", "everyone picked a black card", And(tuple(map(Not, ALL3)))),
        ("explicit", "nobody picked a black card", Not(Or(tuple(map(Not, ALL3))))),
        ("explicit", "Ann knows whether Ann picked a red card", KnowsWhether(A, Atom(1))),
    ],
)
def test_announcements_of_the_other_setups(setup, clause, formula):
    assert announced(clause, setup) == formula


@pytest.mark.parametrize(
    ("claim", "formula"),
    [
        ("Ann can now know that Bob's forehead is muddy", Knows(A, Atom(2))),
        ("Ann can now know whether or not nobody's forehead is muddy", KnowsWhether(A, Not(Or(ALL3)))),
        ("Ann can know that Bob's forehead is muddy", Knows(A, Atom(2))),
        ("Ann knows that Bob's forehead is muddy", Knows(A, Atom(2))),
        ("Ann cannot know that Bob's forehead is muddy", Not(Knows(A, Atom(2)))),
        ("Ann cannot now know that Bob's forehead is muddy", Not(Knows(A, Atom(2)))),
        ("Ann does not know that Bob's forehead is muddy", Not(Knows(A, Atom(2)))),
        ("Ann cannot now know whether or not Bob's forehead is muddy", Not(KnowsWhether(A, Atom(2)))),
        (
            "Ann can now know that Bob can know whether Cid's forehead is not muddy",
            Knows(A, KnowsWhether(B, Not(Atom(3)))),
        ),
        (
            "Ann can now know whether or not Bob cannot know that Cid can know that everyone's forehead is muddy",
            KnowsWhether(A, Not(Knows(B, Knows(C, And(ALL3))))),
        ),
    ],
)
def test_hypotheses(claim, formula):
    problem, _ = read_problem(premise("forehead"), f"{claim}.", ("Ann", "Bob", "Cid"))
    assert problem.hypothesis == formula


def test_any_depth():
    chain = " that ".join(f"{name} can know" for name in ["Ann", "Bob", "Cid"] * 5)
    problem, _ = read_problem(premise("internal"), f"{chain} whether Ann is thirsty.")
    formula = problem.hypothesis
    for depth in range(14):
        assert isinstance(formula, Knows) and formula.agent == agent_name(depth % 3)
        formula = formula.formula
    assert formula == KnowsWhether(C, Atom(1))


def test_names_in_their_order_or_in_that_of_first_appearance():
    text = premise("explicit", ["Cid picked a red card"], cards=["Cid Bob"])
    claim = "Ann can now know that Bob picked a black card."
    learned, names = read_problem(text, claim)
    assert names == ("Cid", "Bob", "Ann")
    assert learned.sees == ((), (1,), ())
    assert (learned.announcements[1], learned.hypothesis) == (Atom(1), Knows(C, Not(Atom(2))))
    given_, names = read_problem(text, claim, ["Ann", "Bob", "Cid"])
    assert names == ("Ann", "Bob", "Cid")
    assert given_.sees == ((), (3,), ())
    assert (given_.announcements[1], given_.hypothesis) == (Atom(3), Knows(A, Not(Atom(2))))


def test_names_of_any_alphabet():
    claim = "Élodie can now know that Anne-Marie can know that O'Neil is thirsty."
    assert read_problem(premise("internal"), claim)[1] == ("Élodie", "Anne-Marie", "O'Neil")
    claim = "James can now know that Lois's forehead is muddy."
    assert read_problem(premise("forehead"), claim)[1] == ("James", "Lois")


# --------------------------------------------------------------------------------------------------- errors

PLAIN = premise("forehead")
CLAIM = "Ann can now know that someone's forehead is muddy."


@pytest.mark.parametrize(
    ("text", "claim", "message"),
    [
        ("", CLAIM, "the first sentence of a premise is 'There are three persons.', two to twelve in words .*: ''"),
        (PLAIN.replace("three", "one"), CLAIM, "first sentence.*'There are one persons.'"),
        (PLAIN.replace("three", "many"), CLAIM, "or 2 to 26 in figures: 'There are many persons.'"),
        (PLAIN.replace("three", "1"), CLAIM, "first sentence.*'There are 1 persons.'"),
        (PLAIN.replace("three", "27"), CLAIM, "first sentence.*'There are 27 persons.'"),
        (PLAIN.replace("three", "٣"), CLAIM, "first sentence.*'There are ٣ persons.'"),
        (PLAIN.replace(" Everyone is visible to others.", ""), CLAIM, "second sentence .* 'Everyone is visible"),
        ("There are three persons.", CLAIM, "second sentence .* 'Everyone is visible"),
        (PLAIN.split(" It")[0], CLAIM, "after 'Everyone is visible to others.' the first thing .* not ''"),
        (
            PLAIN.replace("someone's", "everyone's"),
            CLAIM,
            "is \"someone's forehead is muddy\" or 'someone is thirsty', not \"It .* everyone's forehead is muddy.\"",
        ),
        (PLAIN.replace("is muddy", "is not muddy"), CLAIM, "the first thing to be publicly announced is"),
        (PLAIN.replace("someone's", "Ann's"), CLAIM, "the first thing to be publicly announced is"),
        (PLAIN.replace("others. It", "others. They sneeze. It"), CLAIM, "the first thing .* not 'They sneeze.'"),
        (PLAIN.replace("others. ", "others.  "), CLAIM, "the first thing to be publicly announced"),
        (premise("internal").replace("It", f"{MIRROR} It"), CLAIM, "after 'There is a mirror in the room.' the first"),
        (PLAIN.replace("It", f"{DRAW} It"), CLAIM, "after 'Each person draws .* is 'someone picked a red card', not"),
        (premise("explicit").replace(f"{DRAW} ", ""), CLAIM, "after 'Everyone is visible .* someone picked a red"),
        (premise("forehead_mirror").replace("It", f"{DRAW} It"), CLAIM, "after 'There is a mirror .* not 'Each person"),
        (
            f"{PLAIN} Ann sneezes.",
            CLAIM,
            "not an announcement, such as .*someone's forehead is muddy.*: 'Ann sneezes.'",
        ),
        (f"{PLAIN} {MIRROR}", CLAIM, "not an announcement.*: 'There is a mirror in the room.'"),
        (f"{PLAIN} It is publicly announced that Ann's forehead is muddy", CLAIM, "not an announcement"),
        (premise("forehead", ["Ann is thirsty"]), CLAIM, "'Ann is thirsty' is no clause of this premise in 'It is"),
        (premise("forehead", ["Ann sneezes"]), CLAIM, 'such are "someone\'s forehead is muddy", the same of everyone'),
        (premise("forehead", ["someone knows that Ann's forehead is muddy"]), CLAIM, '"someone knows .*" is no clause'),
        (
            premise("forehead", ["Ann knows Bob's forehead is muddy"]),
            CLAIM,
            '"Ann knows Bob\'s forehead is muddy" is no clause',
        ),
        (premise("forehead", ["Ann knows whether or not"]), CLAIM, "is no clause of this premise"),
        (premise("forehead", ["ann's forehead is muddy"]), CLAIM, "is no clause of this premise"),
        (
            premise("forehead", ["everyone's forehead is not muddy"]),
            CLAIM,
            "has two readings, 'not everyone' and 'nobody'",
        ),
        (PLAIN, "Ann can now know that everyone is thirsty.", "'everyone is thirsty' is no clause of this premise"),
        (PLAIN, "Ann's forehead is muddy.", "a hypothesis says what one person knows, as in .*: \"Ann's forehead"),
        (PLAIN, "Ann can now know that someone's forehead is muddy", "a hypothesis says what one person knows"),
        (PLAIN, "", "a hypothesis says what one person knows, as in .*: ''"),
    ],
)
def test_what_is_no_problem(text, claim, message):
    with pytest.raises(ReadError, match=message):
        read_problem(text, claim)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("Ann", "Bob"), r"3 different names are right, not \(Ann, Bob\): 'There are three persons.'"),
        (("Ann", "Bob", "Cid", "Dan"), "3 different names are right"),
        (("Ann", "Bob", "Ann"), r"3 different names are right, not \(Ann, Bob, Ann\)"),
        (("Ann", "Bob", "the cat"), "a name is one word with a capital, as 'Mary', not 'the cat'"),
        (("Bob", "Cid", "Dan"), "'Ann' is not one of the names, Bob, Cid, Dan: \"Ann can now know"),
    ],
)
def test_names_that_do_not_fit(names, message):
    with pytest.raises(ReadError, match=message):
        read_problem(PLAIN, CLAIM, names)


def test_more_names_than_persons():
    with pytest.raises(ReadError, match="'Cid' is one name too many: the premise has 2 persons, and Ann, Bob came"):
        read_problem(premise("internal", ["Ann is thirsty"], "two"), "Bob can now know that Cid is thirsty.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            premise("explicit", cards=["Ann Bob", "Ann Bob"]),
            "a card is shown to a person once: \"Ann's card is shown to",
        ),
        (
            PLAIN.replace("It", "Ann's card is shown to Bob. It"),
            "no card is shown before it is drawn, 'Each person draws",
        ),
        (f"{premise('explicit')} Ann's card is shown to Bob.", "not an announcement"),
        (premise("explicit", cards=["Ann Dan"]), "'Dan' is not one of the names"),
        (premise("explicit").replace("It", "Ann's card is shown to everyone. It"), "the first thing to be publicly"),
    ],
)
def test_cards_that_are_not_shown_right(text, message):
    with pytest.raises(ReadError, match=message):
        read_problem(text, "Ann can now know that someone picked a red card.", ("Ann", "Bob", "Cid"))


# -------------------------------------------------------------------------------------------------- puzzles

SILENT = "{0} does not know whether {0}'s forehead is muddy".format


def test_two_muddy_children_of_the_paper():
    """Alice and Bob: once Alice does not know, Bob knows that he is muddy, and Alice still does not know."""
    assert label("forehead", [], "Bob can now know whether Bob's forehead is muddy", "two") is False
    assert label("forehead", [SILENT("Alice")], "Bob can now know that Bob's forehead is muddy", "two") is True
    assert label("forehead", [SILENT("Alice")], "Alice can now know whether Alice's forehead is muddy", "two") is False


def test_three_muddy_children():
    """Ann's silence says that Bob or Cid is muddy, Bob's then that Cid is; neither says anything about Ann."""
    two = [SILENT("Ann"), SILENT("Bob")]
    assert label("forehead", two[:1], "Cid can now know that Cid's forehead is muddy") is False
    assert label("forehead", two, "Cid can now know that Cid's forehead is muddy") is True
    assert label("forehead", two, "Ann can now know that Bob can know that Cid can know that Cid's forehead is muddy")
    assert label("forehead", two, "Bob can now know whether Bob's forehead is muddy") is False
    assert label("forehead", two, "Ann can now know whether Ann's forehead is muddy") is False
    # After both silences Cid knows, so that a third one is impossible.
    assert label("forehead", [*two, SILENT("Cid")], "Ann can now know that Ann's forehead is muddy") is None


def test_ten_muddy_children():
    names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jon"]
    silence = [SILENT(name) for name in names[:-1]]
    assert label("forehead", silence, "Jon can now know that Jon's forehead is muddy", "ten") is True
    assert label("forehead", silence[:-1], "Jon can now know that Jon's forehead is muddy", "ten") is False


def test_in_a_mirror_everybody_knows_every_fact():
    deep = "Ann can now know that Bob can know that Cid can know whether Cid's forehead is muddy"
    assert label("forehead_mirror", [], deep) is True
    assert label("forehead", [], deep) is False
    assert label("forehead_mirror", [], "Ann can now know whether or not everyone's forehead is muddy") is True
    assert label("forehead_mirror", [], "Ann can now know that everyone's forehead is muddy") is False
    facts = ["Ann's forehead is not muddy", "Bob knows that Cid's forehead is not muddy"]
    assert label("forehead_mirror", facts, "Cid can now know that Bob's forehead is muddy") is True
    assert label("forehead_mirror", [SILENT("Ann")], "Bob can now know that someone's forehead is muddy") is None


def test_thirsty_logicians():
    """Who does not know whether everyone is thirsty is thirsty; the last one then knows."""
    unsure = "{} does not know whether or not everyone is thirsty".format
    said = [unsure("Ann"), unsure("Bob")]
    assert label("internal", said, "Cid can now know that Ann is thirsty") is True
    assert label("internal", said, "Cid can now know whether or not everyone is thirsty") is True
    assert label("internal", said, "Ann can now know whether or not everyone is thirsty") is False
    assert label("internal", said, "Ann can now know that Cid can know whether or not everyone is thirsty") is True
    assert label("internal", [*said, "Cid knows that everyone is thirsty"], "Bob can now know that Cid is thirsty")
    # "Someone is thirsty" already tells who is not that, of two, the other is.
    assert label("internal", ["Ann is not thirsty"], "Ann can now know that Bob is thirsty", "two") is True


def test_cards_with_a_blind_person():
    """Cid sees no card. Bob, who sees Ann's, does not know whether all are red just when Ann's is red."""
    cards = ["Ann Bob", "Bob Ann"]
    said = ["Bob does not know whether or not everyone picked a red card"]
    assert label("explicit", [], "Bob can now know whether Ann picked a red card", cards=cards) is True
    assert (
        label("explicit", [], "Cid can now know that Bob can know whether Ann picked a red card", cards=cards) is True
    )
    assert label("explicit", [], "Cid can now know whether Ann picked a red card", cards=cards) is False
    assert label("explicit", said, "Cid can now know that Ann picked a red card", cards=cards) is True
    assert label("explicit", said, "Cid can now know whether Bob picked a red card", cards=cards) is False
    assert label("explicit", said, "Ann can now know whether Bob picked a red card", cards=cards) is True
    # That the blind one does not know is no news; that it does, is impossible.
    silent = ["Cid does not know whether Cid picked a red card"]
    assert label("explicit", silent, "Ann can now know whether Ann picked a red card", cards=cards) is False
    blind = ["Cid knows whether Cid picked a red card"]
    assert label("explicit", blind, "Ann can now know whether Ann picked a red card", cards=cards) is None


def test_the_blind_person_does_not_see_with_the_eyes_of_the_next():
    """The published flaw: Ann, who is shown no card, was given what Bob sees."""
    cards = ["Ann Bob", "Cid Bob", "Bob Cid"]
    claim = "Ann can now know whether Cid picked a red card."
    problem, _ = read_problem(premise("explicit", cards=cards), claim, ("Ann", "Bob", "Cid"))
    assert problem.sees == ((), (1, 3), (2,))
    assert follows(problem) is False
    assert follows(replace(problem, sees=((1, 3), (2,), ()))) is True


@pytest.mark.parametrize(
    ("said", "claim", "follows_"),
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
        (
            [SILENT("Bob")],
            "Ann can now know that Bob can know that Ann can know that Ann's forehead is muddy",
            True,
        ),
        ([SILENT("Bob")], "Bob can now know whether Ann can know whether Bob's forehead is muddy", True),
        ([SILENT("Bob")], "Bob can now know whether Ann can know that Bob's forehead is muddy", False),
        # Ann does not know that she is muddy: 01 and 11. That Bob is muddy, both know.
        (["Ann does not know that Ann's forehead is muddy"], "Bob can now know that Bob's forehead is muddy", True),
        # Ann knows whether she is muddy: 10 only.
        (["Ann knows whether Ann's forehead is muddy"], "Bob can now know that Bob's forehead is not muddy", True),
        (["nobody's forehead is muddy"], "Ann can now know that Bob's forehead is muddy", None),
    ],
)
def test_nested_knowledge_by_hand(said, claim, follows_):
    assert label("forehead", said, claim, "two") is follows_


def test_an_announcement_that_makes_itself_false():
    """Worlds 10, 01, 11, each sees its own. In 01 and 11 Bob does not know whether Ann knows whether all are thirsty.

    Once he says so only these are left: Ann, who knows now that Bob is thirsty, knows whether all are, and he knows
    that she does.
    """
    said = ["Bob does not know whether Ann knows whether or not everyone is thirsty"]
    claim = "Bob can now know whether Ann can know whether or not everyone is thirsty"
    assert label("internal", [], claim, "two") is False
    assert label("internal", said, claim, "two") is True
    assert label("internal", said * 2, claim, "two") is None


def test_another_formula_is_refused():
    with pytest.raises(TypeError, match="no formula of a problem: Top"):
        follows(Problem("internal", ((1,), (2,)), (Top(),), Atom(1)))


# ------------------------------------------------------------------------- a second model, and words of our own


def holds(formula, world, worlds, sees):
    """Return whether a formula holds at a world, asking every pair of worlds: the definition, word for word."""
    match formula:
        case Atom(number):
            return world[number - 1]
        case Not(of):
            return not holds(of, world, worlds, sees)
        case And(parts):
            return all(holds(part, world, worlds, sees) for part in parts)
        case Or(parts):
            return any(holds(part, world, worlds, sees) for part in parts)
        case Knows(agent, of) | KnowsWhether(agent, of):
            seen = sees[ord(agent[-1]) - ord("a")]
            alike = [other for other in worlds if all(other[atom - 1] == world[atom - 1] for atom in seen)]
            answers = {holds(of, other, worlds, sees) for other in alike}
            return answers == {True} if isinstance(formula, Knows) else len(answers) == 1


def said_plainly(formula, setup, names):
    """Return a clause for a formula."""
    match formula:
        case Not(Knows() | KnowsWhether() as knowing):
            return said_plainly(knowing, setup, names).replace("can know", "cannot know", 1)
        case Knows(agent, of) | KnowsWhether(agent, of):
            how = "that" if isinstance(formula, Knows) else "whether"
            return f"{names[ord(agent[-1]) - ord('a')]} can know {how} {said_plainly(of, setup, names)}"
        case Not(Atom(number)):
            return said_plainly(Atom(number), setup, names).replace("is ", "is not ").replace("a red", "a black")
        case Atom(number):
            return SOMEONE[setup].replace("someone", names[number - 1])
        case Not(inner):
            return SOMEONE[setup].replace("someone", "not everyone" if isinstance(inner, And) else "nobody")
        case _:
            return SOMEONE[setup].replace("someone", "everyone" if isinstance(formula, And) else "someone")


@st.composite
def problems(draw):
    """Draw a problem of two to four persons, its announcements and hypothesis up to three deep."""
    setup, count = draw(st.sampled_from(SETUPS)), draw(st.integers(2, 4))
    everyone = range(1, count + 1)
    atoms = tuple(Atom(number) for number in everyone)
    sees = {
        "forehead": [set(everyone) - {number} for number in everyone],
        "forehead_mirror": [everyone] * count,
        "internal": [{number} for number in everyone],
        "explicit": [draw(st.sets(st.sampled_from(everyone))) for _ in everyone],
    }[setup]
    someone, all_ = Or(atoms), And(atoms)
    fact = st.sampled_from([*atoms, *map(Not, atoms), someone, all_, Not(someone), Not(all_)])
    agent = st.sampled_from([agent_name(number) for number in range(count)])

    def known(of):
        knowing = st.builds(Knows, agent, of) | st.builds(KnowsWhether, agent, of)
        return knowing | st.builds(Not, knowing)

    said = draw(st.lists(fact | known(fact) | known(known(fact)), max_size=4))
    claim = draw(known(fact) | known(known(fact)) | known(known(known(fact))))
    return Problem(setup, tuple(tuple(sorted(seen)) for seen in sees), (someone, *said), claim)


@settings(max_examples=300, deadline=None)
@given(problems())
def test_any_problem_is_read_back_and_judged_as_by_definition(problem):
    names = ("Ann", "Bob", "Cid", "Dan")[: len(problem.sees)]
    cards = [f"{names[whose - 1]} {name}" for name, seen in zip(names, problem.sees, strict=True) for whose in seen]
    text = premise(
        problem.setup,
        [said_plainly(said, problem.setup, names) for said in problem.announcements[1:]],
        ("two", "three", "four")[len(names) - 2],
        cards if problem.setup == "explicit" else (),
    )
    claim = said_plainly(problem.hypothesis, problem.setup, names)
    assert read_problem(text, f"{claim}.", names) == (problem, names)

    worlds = list(product((False, True), repeat=len(names)))
    for said in problem.announcements:
        worlds = [world for world in worlds if holds(said, world, worlds, problem.sees)]
    judged = all(holds(problem.hypothesis, world, worlds, problem.sees) for world in worlds) if worlds else None
    assert follows(problem) is judged


# ------------------------------------------------------------------------------------------------- the data


def formal(text):
    """Return the formula that `smcdel_problem` writes so; only what the published data write is understood."""
    text = text.strip()
    if knowing := re.fullmatch(r"(Agent.) knows (that|whether) (.+)", text):
        return (Knows if knowing[2] == "that" else KnowsWhether)(knowing[1], formal(knowing[3]))
    if text.startswith("~"):
        return Not(formal(text[1:]))
    for sign, kind in (("|", Or), ("&", And)):
        if re.fullmatch(rf"\(\d(\{sign}\d)+\)", text):
            return kind(tuple(Atom(int(number)) for number in text[1:-1].split(sign)))
    return formal(text[1:-1]) if text.startswith("(") else Atom(int(text))


def test_the_published_rows():
    """Every English text says what its formal problem says, but for who sees the cards where somebody sees none.

    There the generator dropped the empty rows of the observation matrix: the later agents' rows moved up, and the last
    agents have none. Read so, every label follows; as the English has it, 41 do not, of which 18 have no world left.
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
        structure, question = row["smcdel_problem"].split(" VALID? ")
        *said, claim = (part.removeprefix("[ ! ") for part in re.split(r" \] ", question))
        if (tuple(map(formal, said)), formal(claim)) != (problem.announcements, problem.hypothesis):
            misread.append(row["index"])

        published = [tuple(map(int, seen.split(","))) for seen in re.findall(r"Agent.:([\d,]+)", structure)]
        moved_up = [seen for seen in problem.sees if seen]
        assert published == moved_up
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
