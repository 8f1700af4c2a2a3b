"""Prove known puzzles of epistemic logic by name."""

import itertools

import pytest

from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.worlds import Diagrams, bits
from tom_datasets.syntax.formula import (
    And,
    Announce,
    Atom,
    Common,
    Implies,
    Knows,
    Not,
    OneOf,
    Or,
    Structure,
    Top,
    Xor,
    knows_whether,
)

ENGINES = {"bits": bits, "diagrams": Diagrams}


def disjunction(atoms):
    return Or(tuple(map(Atom, atoms)))


def conjunction(formulas):
    return And(tuple(formulas))


def muddy(n):
    """n children see all foreheads but their own; atom i: child i is muddy."""
    children = [f"child{i}" for i in range(1, n + 1)]
    atoms = tuple(range(1, n + 1))
    seen = tuple((child, tuple(a for a in atoms if a != i)) for i, child in enumerate(children, 1))
    know = [knows_whether(child, Atom(i)) for i, child in enumerate(children, 1)]
    return Structure(atoms, Top(), seen), know


@pytest.mark.parametrize("n", [*range(2, 21), 30, 40])
def test_muddy_children_know_after_n_minus_1_rounds_of_silence_and_no_sooner(n):
    structure, know = muddy(n)
    checker = Checker(structure)
    all_muddy = conjunction(Atom(i) for i in structure.atoms)
    silence = conjunction(map(Not, know))

    def after(rounds, then):
        for _ in range(rounds):
            then = Announce(silence, then)
        return Announce(disjunction(structure.atoms), then)

    assert checker.valid(after(n - 1, conjunction([*know, all_muddy])))
    assert not checker.valid(after(n - 2, know[0]))


def test_the_pure_python_diagrams_stand_in_where_the_compiled_ones_are_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "dd.cudd", None)
    structure, know = muddy(4)
    checker = Checker(structure, Diagrams)
    assert type(checker.law).__module__ == "dd.autoref"
    assert checker.valid(Implies(conjunction(map(Atom, (2, 3, 4))), Not(know[0])))


@pytest.mark.parametrize("n", range(2, 9))
def test_drinking_logicians(n):
    """Does everyone want beer? All but the last say "I don't know"; then the last knows whether all want one."""
    names = [f"logician{i}" for i in range(1, n + 1)]
    structure = Structure(
        tuple(range(1, n + 1)), Top(), tuple((name, (i,)) for i, name in enumerate(names, 1))
    )  # each knows his own wish
    everyone = conjunction(map(Atom, structure.atoms))
    then = knows_whether(names[-1], everyone)
    for name in reversed(names[:-1]):
        then = Announce(Not(knows_whether(name, everyone)), then)
    checker = Checker(structure)
    assert checker.valid(then)
    assert not checker.valid(knows_whether(names[-1], everyone))
    first_wants = Announce(Not(knows_whether(names[0], everyone)), Common(tuple(names), Atom(1)))
    assert checker.valid(first_wants)


DATES = [("May", 15), ("May", 16), ("May", 19), ("June", 17), ("June", 18),
         ("July", 14), ("July", 16), ("August", 14), ("August", 15), ("August", 17)]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_cheryls_birthday(engine):
    """Albert is told the month and Bernard the day; atoms 1 to 5 number the date, 6 to 8 the month, 9 to 12 the day."""
    months, days = sorted({m for m, _ in DATES}), sorted({d for _, d in DATES})

    def number(value, atoms):
        return conjunction(Atom(a) if value >> i & 1 else Not(Atom(a)) for i, a in enumerate(atoms))

    def date(index):
        month, day = DATES[index]
        parts = (index, (1, 2, 3, 4)), (months.index(month), (5, 6)), (days.index(day), (7, 8, 9))
        return conjunction(number(value, atoms) for value, atoms in parts)

    dates = [date(index) for index in range(len(DATES))]
    structure = Structure(tuple(range(1, 10)), Or(tuple(dates)), (("albert", (5, 6)), ("bernard", (7, 8, 9))))

    def knows(agent):
        return Or(tuple(Knows(agent, date) for date in dates))

    checker = Checker(structure, ENGINES[engine])
    first = And((Not(knows("albert")), Knows("albert", Not(knows("bernard")))))
    story = Not(Announce(first, Not(Not(Announce(knows("bernard"), Not(knows("albert")))))))
    assert len(checker.where(story)) == 1
    assert checker.valid(Implies(story, dates[DATES.index(("July", 16))]))


@pytest.mark.parametrize("engine", ENGINES)
def test_dining_cryptographers(engine):
    """Three diners share a coin each (4, 5, 6); atom i: diner i paid, at most one did. They learn whether one of them
    paid, and nobody who did not pay learns who."""
    law = Or((OneOf((Atom(1), Atom(2), Atom(3))), Not(disjunction((1, 2, 3)))))
    structure = Structure((1, 2, 3, 4, 5, 6), law, (("a", (1, 4, 5)), ("b", (2, 4, 6)), ("c", (3, 5, 6))))
    bits = (Xor((Atom(1), Atom(4), Atom(5))), Xor((Atom(2), Atom(4), Atom(6))), Xor((Atom(3), Atom(5), Atom(6))))
    paid = disjunction((1, 2, 3))
    secret = And((Not(knows_whether("a", Atom(2))), Not(knows_whether("a", Atom(3)))))
    then = And((Common(("a", "b", "c"), paid, whether=True), Implies(And((Not(Atom(1)), paid)), secret)))
    for bit in bits:
        then = Announce(bit, then, whether=True)
    checker = Checker(structure, ENGINES[engine])
    assert checker.valid(then)
    assert not checker.valid(knows_whether("a", paid))


def test_russian_cards():
    """Seven cards; Anne has 3, Bill 3, Cath 1. Anne's safe announcement tells Bill her hand, and Cath no card of it.

    Twenty-one atoms, one for each agent and card: above the integers, so with decision diagrams.
    """

    def has(agent, card):
        return Atom(1 + 7 * "abc".index(agent) + card)

    def hand(agent, cards):
        return conjunction(has(agent, c) if c in cards else Not(has(agent, c)) for c in range(7))

    deals = [
        conjunction([hand("a", a), hand("b", b), hand("c", set(range(7)) - set(a) - set(b))])
        for a in itertools.combinations(range(7), 3)
        for b in itertools.combinations(sorted(set(range(7)) - set(a)), 3)
    ]
    atoms = tuple(range(1, 22))
    observes = tuple((agent, atoms[7 * i : 7 * i + 7]) for i, agent in enumerate("abc"))
    checker = Checker(Structure(atoms, Or(tuple(deals)), observes))
    ignorant = conjunction(
        conjunction([Not(Knows("c", has("a", card))), Not(Knows("c", has("b", card)))]) for card in range(7)
    )
    bill_knows = conjunction(knows_whether("b", has("a", card)) for card in range(7))
    actual = conjunction([hand("a", (0, 1, 2)), hand("b", (3, 4, 5)), hand("c", (6,))])

    def after(hands):
        announcement = Knows("a", Or(tuple(hand("a", cards) for cards in hands)))
        good = conjunction([bill_knows, ignorant])
        return Implies(actual, Not(Announce(announcement, Not(good))))

    assert checker.valid(after([(0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (2, 4, 6)]))
    assert not checker.valid(after([(0, 1, 2), (0, 3, 4)]))  # then Cath knows that Anne has card 0
    assert not checker.valid(after([(0, 1, 2), (1, 2, 6), (0, 3, 4)]))  # Cath has 6, so the same


def test_sum_and_product():
    """1 < x < y, x + y at most 65: after "I knew that you do not know them", "now I do", "now I too", they are 4, 13.

    30 atoms: x in 1 to 6, y in 7 to 12, the sum in 13 to 19, the product in 20 to 30.
    """
    bound = 65
    pairs = [(x, y) for x in range(2, bound) for y in range(x + 1, bound) if x + y <= bound]
    fields = ((lambda x, y: x, 1, 6), (lambda x, y: y, 7, 6), (lambda x, y: x + y, 13, 7), (lambda x, y: x * y, 20, 11))

    def world(pair):
        bits = ((first + i, value(*pair) >> i & 1) for value, first, width in fields for i in range(width))
        return conjunction(Atom(atom) if bit else Not(Atom(atom)) for atom, bit in bits)

    def knows(agent):
        return conjunction(knows_whether(agent, Atom(atom)) for atom in range(1, 13))

    def possible(announcement, after):
        return Not(Announce(announcement, Not(after)))

    structure = Structure(
        tuple(range(1, 31)), Or(tuple(map(world, pairs))), (("s", tuple(range(13, 20))), ("p", tuple(range(20, 31))))
    )
    checker = Checker(structure)
    ignorant = Knows("s", Not(knows("p")))
    assert len(checker.where(ignorant)) == 79
    assert len(checker.where(possible(ignorant, knows("p")))) == 51
    talk = possible(ignorant, possible(knows("p"), knows("s")))
    assert len(checker.where(talk)) == 1
    assert checker.valid(Implies(talk, world((4, 13))))
