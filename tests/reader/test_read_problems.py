"""Read every published sentence of MindGames back, and refuse all others."""

import pytest
from proof.samples import DRAW, MIRROR, SOMEONE, premise

from tom_datasets.reader.english import ReadError
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.syntax.formula import And, Atom, Knows, Not, Or, agent_name, knows_whether

A, B, C = "Agenta", "Agentb", "Agentc"


ALL3 = (Atom(1), Atom(2), Atom(3))
THREE = ("Ann", "Bob", "Cid")


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


BLACK = tuple(map(Not, ALL3))


@pytest.mark.parametrize(
    ("setup", "clause", "formula"),
    [
        ("forehead", "someone's forehead is not muddy", Or(BLACK)),
        ("forehead", "not everyone's forehead is not muddy", Not(And(BLACK))),
        ("forehead", "nobody's forehead is not muddy", Not(Or(BLACK))),
        ("forehead", "Cid cannot know whether not everyone's forehead is muddy", Not(knows_whether(C, Not(And(ALL3))))),
        ("forehead", "Cid knows whether or not Bob's forehead is muddy", knows_whether(C, Atom(2))),
        ("forehead", "Cid knows whether everyone's forehead is muddy", knows_whether(C, And(ALL3))),
        ("internal", "someone is not thirsty", Or(BLACK)),
        ("explicit", "everyone picked a black card", And(BLACK)),
        ("explicit", "nobody picked a black card", Not(Or(BLACK))),
    ],
)
def test_announcements(setup, clause, formula):
    """Those that only the paper has, or that go on as published ones do; tests/wording has what our problems say."""
    problem, _ = read_problem(premise(setup, [clause]), f"Ann can now know that {SOMEONE[setup]}.", THREE)
    assert problem.announcements[1] == formula


@pytest.mark.parametrize(
    ("claim", "formula"),
    [
        ("Ann can know that Bob's forehead is muddy", Knows(A, Atom(2))),
        ("Ann knows that Bob's forehead is muddy", Knows(A, Atom(2))),
        ("Ann cannot now know that Bob's forehead is muddy", Not(Knows(A, Atom(2)))),
        ("Ann does not know that Bob's forehead is muddy", Not(Knows(A, Atom(2)))),
        ("Ann cannot now know whether or not Bob's forehead is muddy", Not(knows_whether(A, Atom(2)))),
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
    assert formula == knows_whether(C, Atom(1))


def test_names_in_their_order_or_in_that_of_first_appearance():
    text = premise("explicit", ["Cid picked a red card"], cards=["Cid Bob"])
    claim = "Ann can now know that Bob picked a black card."
    learned, names = read_problem(text, claim)
    assert names == ("Cid", "Bob", "Ann")
    assert learned.sees == ((), (1,), ())
    assert (learned.announcements[1], learned.hypothesis) == (Atom(1), Knows(C, Not(Atom(2))))
    numbered, names = read_problem(text, claim, ["Ann", "Bob", "Cid"])
    assert names == ("Ann", "Bob", "Cid")
    assert numbered.sees == ((), (3,), ())
    assert (numbered.announcements[1], numbered.hypothesis) == (Atom(3), Knows(A, Not(Atom(2))))


def test_names_of_any_alphabet():
    claim = "Élodie can now know that Anne-Marie can know that O'Neil is thirsty."
    assert read_problem(premise("internal"), claim)[1] == ("Élodie", "Anne-Marie", "O'Neil")
    claim = "James can now know that Lois's forehead is muddy."
    assert read_problem(premise("forehead"), claim)[1] == ("James", "Lois")


PLAIN = premise("forehead")


CLAIM = "Ann can now know that someone's forehead is muddy."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "the first sentence of a premise must be like 'There are three persons.', with two to twelve .*: ''",
        ),
        (PLAIN.replace("three", "many"), "or 2 to 26 in figures: 'There are many persons.'"),
        (PLAIN.replace("three", "27"), "first sentence.*'There are 27 persons.'"),
        (PLAIN.replace("three", "٣"), "first sentence.*'There are ٣ persons.'"),
        (PLAIN.replace(" Everyone is visible to others.", ""), "second sentence .* 'Everyone is visible"),
        (PLAIN.split(" It")[0], "after 'Everyone is visible to others.', the first public .* not ''"),
        (
            PLAIN.replace("someone's", "everyone's"),
            "must be \"someone's forehead is muddy\" or 'someone is thirsty', not",
        ),
        (PLAIN.replace("others. It", "others. They sneeze. It"), "the first public .* not 'They sneeze.'"),
        (premise("internal").replace("It", f"{MIRROR} It"), "after 'There is a mirror in the room.', the first"),
        (premise("explicit").replace(f"{DRAW} ", ""), "after 'Everyone is visible .* someone picked a red"),
        (
            f"{PLAIN} Ann sneezes.",
            "expected an announcement, such as .*someone's forehead is muddy.*, not 'Ann sneezes.'",
        ),
        (premise("forehead", ["Ann is thirsty"]), "expected a clause of this premise, not 'Ann is thirsty', in 'It is"),
        (premise("forehead", ["Ann sneezes"]), 'clauses are "someone\'s forehead is muddy", the same about everyone'),
        (
            premise("forehead", ["someone knows that Ann's forehead is muddy"]),
            'expected a clause of this premise, not "someone knows ',
        ),
        (premise("forehead", ["everyone's forehead is not muddy"]), "can mean 'not everyone' or 'nobody'; say which"),
    ],
)
def test_what_is_no_premise(text, message):
    with pytest.raises(ReadError, match=message):
        read_problem(text, CLAIM)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (
            "Ann can now know that everyone is thirsty.",
            "expected a clause of this premise, not 'everyone is thirsty', in ",
        ),
        ("Ann's forehead is muddy.", "a hypothesis must say what one person knows, as in .*: \"Ann's forehead"),
        ("Ann can now know that someone's forehead is muddy", "a hypothesis must say what one person knows"),
    ],
)
def test_what_is_no_hypothesis(claim, message):
    with pytest.raises(ReadError, match=message):
        read_problem(PLAIN, claim)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("Ann", "Bob"), r"there must be 3 different names, not \(Ann, Bob\): 'There are three persons.'"),
        (("Ann", "Bob", "Ann"), r"there must be 3 different names, not \(Ann, Bob, Ann\)"),
        (("Ann", "Bob", "the cat"), "a name must be one word with a capital, such as 'Mary', not 'the cat'"),
        (("Bob", "Cid", "Dan"), "'Ann' must be one of the names, Bob, Cid, Dan: \"Ann can now know"),
    ],
)
def test_names_that_do_not_fit(names, message):
    with pytest.raises(ReadError, match=message):
        read_problem(PLAIN, CLAIM, names)


def test_more_names_than_persons():
    with pytest.raises(ReadError, match="'Cid' must be one of the 2 persons of the premise, Ann, Bob: "):
        read_problem(premise("internal", ["Ann is thirsty"], "two"), "Bob can now know that Cid is thirsty.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            premise("explicit", cards=["Ann Bob", "Ann Bob"]),
            "a card must be shown to a person only once: \"Ann's card is shown to",
        ),
        (
            PLAIN.replace("It", "Ann's card is shown to Bob. It"),
            "'Each person draws",
        ),
    ],
)
def test_cards_that_are_not_shown_right(text, message):
    with pytest.raises(ReadError, match=message):
        read_problem(text, "Ann can now know that someone picked a red card.", ("Ann", "Bob", "Cid"))
