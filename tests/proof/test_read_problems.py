"""Read every published sentence of MindGames back, and refuse all others."""

import pytest
from proof.samples import DRAW, MIRROR, SOMEONE, premise

from tom_datasets.proof.english import ReadError
from tom_datasets.proof.read_problems import read_problem
from tom_datasets.syntax.formula import And, Atom, Knows, KnowsWhether, Not, Or, Problem, agent_name

A, B, C = "Agenta", "Agentb", "Agentc"


ALL3 = (Atom(1), Atom(2), Atom(3))


def announced(clause, setup="forehead", names=("Ann", "Bob", "Cid")):
    """Return how an announcement after the first is read."""
    problem, _ = read_problem(premise(setup, [clause]), f"Ann can now know that {SOMEONE[setup]}.", names)
    return problem.announcements[1]


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
        ("", "the first sentence of a premise is 'There are three persons.', two to twelve in words .*: ''"),
        (PLAIN.replace("three", "one"), "first sentence.*'There are one persons.'"),
        (PLAIN.replace("three", "many"), "or 2 to 26 in figures: 'There are many persons.'"),
        (PLAIN.replace("three", "1"), "first sentence.*'There are 1 persons.'"),
        (PLAIN.replace("three", "27"), "first sentence.*'There are 27 persons.'"),
        (PLAIN.replace("three", "٣"), "first sentence.*'There are ٣ persons.'"),
        (PLAIN.replace(" Everyone is visible to others.", ""), "second sentence .* 'Everyone is visible"),
        ("There are three persons.", "second sentence .* 'Everyone is visible"),
        (PLAIN.split(" It")[0], "after 'Everyone is visible to others.' the first thing .* not ''"),
        (PLAIN.replace("someone's", "everyone's"), "is \"someone's forehead is muddy\" or 'someone is thirsty', not"),
        (PLAIN.replace("is muddy", "is not muddy"), "the first thing to be publicly announced is"),
        (PLAIN.replace("someone's", "Ann's"), "the first thing to be publicly announced is"),
        (PLAIN.replace("others. It", "others. They sneeze. It"), "the first thing .* not 'They sneeze.'"),
        (PLAIN.replace("others. ", "others.  "), "the first thing to be publicly announced"),
        (premise("internal").replace("It", f"{MIRROR} It"), "after 'There is a mirror in the room.' the first"),
        (PLAIN.replace("It", f"{DRAW} It"), "after 'Each person draws .* is 'someone picked a red card', not"),
        (premise("explicit").replace(f"{DRAW} ", ""), "after 'Everyone is visible .* someone picked a red"),
        (premise("forehead_mirror").replace("It", f"{DRAW} It"), "after 'There is a mirror .* not 'Each person"),
        (f"{PLAIN} Ann sneezes.", "not an announcement, such as .*someone's forehead is muddy.*: 'Ann sneezes.'"),
        (f"{PLAIN} {MIRROR}", "not an announcement.*: 'There is a mirror in the room.'"),
        (f"{PLAIN} It is publicly announced that Ann's forehead is muddy", "not an announcement"),
        (premise("forehead", ["Ann is thirsty"]), "'Ann is thirsty' is no clause of this premise in 'It is"),
        (premise("forehead", ["Ann sneezes"]), 'such are "someone\'s forehead is muddy", the same of everyone'),
        (premise("forehead", ["someone knows that Ann's forehead is muddy"]), '"someone knows .*" is no clause'),
        (premise("forehead", ["Ann knows Bob's forehead is muddy"]), '"Ann knows Bob.*" is no clause'),
        (premise("forehead", ["Ann knows whether or not"]), "is no clause of this premise"),
        (premise("forehead", ["ann's forehead is muddy"]), "is no clause of this premise"),
        (premise("forehead", ["everyone's forehead is not muddy"]), "has two readings, 'not everyone' and 'nobody'"),
    ],
)
def test_what_is_no_premise(text, message):
    with pytest.raises(ReadError, match=message):
        read_problem(text, CLAIM)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("Ann can now know that everyone is thirsty.", "'everyone is thirsty' is no clause of this premise"),
        ("Ann's forehead is muddy.", "a hypothesis says what one person knows, as in .*: \"Ann's forehead"),
        ("Ann can now know that someone's forehead is muddy", "a hypothesis says what one person knows"),
        ("", "a hypothesis says what one person knows, as in .*: ''"),
    ],
)
def test_what_is_no_hypothesis(claim, message):
    with pytest.raises(ReadError, match=message):
        read_problem(PLAIN, claim)


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
