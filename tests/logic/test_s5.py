"""s5: known puzzles by name, and agreement of both engines with explicit worlds on random formulas."""

import itertools
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.logic.formula import (
    And,
    Announce,
    AnnounceTo,
    AnnounceWhether,
    AnnounceWhetherTo,
    Atom,
    Bot,
    Common,
    CommonWhether,
    Distributed,
    DistributedWhether,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Not,
    OneOf,
    Or,
    Structure,
    Top,
    Xor,
)
from builders.logic.s5 import Checker
from builders.logic.states import Situation
from builders.logic.worlds import Diagrams, bits

ENGINES = {"bits": bits, "diagrams": Diagrams}


def disjunction(atoms):
    return Or(tuple(map(Atom, atoms)))


def conjunction(formulas):
    return And(tuple(formulas))


# Puzzles by name.


def muddy(n):
    """n children see all foreheads but their own; atom i: child i is muddy."""
    children = [f"child{i}" for i in range(1, n + 1)]
    atoms = tuple(range(1, n + 1))
    seen = tuple((child, tuple(a for a in atoms if a != i)) for i, child in enumerate(children, 1))
    know = [KnowsWhether(child, Atom(i)) for i, child in enumerate(children, 1)]
    return Structure(atoms, Top(), seen), know


@pytest.mark.parametrize("n", range(2, 41))
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


@pytest.mark.parametrize("n", range(2, 9))
def test_drinking_logicians(n):
    """Does everyone want beer? All but the last say "I don't know"; then the last knows whether all want one."""
    names = [f"logician{i}" for i in range(1, n + 1)]
    structure = Structure(
        tuple(range(1, n + 1)), Top(), tuple((name, (i,)) for i, name in enumerate(names, 1))
    )  # each knows his own wish
    everyone = conjunction(map(Atom, structure.atoms))
    then = KnowsWhether(names[-1], everyone)
    for name in reversed(names[:-1]):
        then = Announce(Not(KnowsWhether(name, everyone)), then)
    checker = Checker(structure)
    assert checker.valid(then)
    assert not checker.valid(KnowsWhether(names[-1], everyone))
    first_wants = Announce(Not(KnowsWhether(names[0], everyone)), Common(tuple(names), Atom(1)))
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
        return Or(tuple(Knows(agent, each) for each in dates))

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
    said = (Xor((Atom(1), Atom(4), Atom(5))), Xor((Atom(2), Atom(4), Atom(6))), Xor((Atom(3), Atom(5), Atom(6))))
    paid = disjunction((1, 2, 3))
    secret = And((Not(KnowsWhether("a", Atom(2))), Not(KnowsWhether("a", Atom(3)))))
    then = And((CommonWhether(("a", "b", "c"), paid), Implies(And((Not(Atom(1)), paid)), secret)))
    for bit in said:
        then = AnnounceWhether(bit, then)
    checker = Checker(structure, ENGINES[engine])
    assert checker.valid(then)
    assert not checker.valid(KnowsWhether("a", paid))


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
    bill_knows = conjunction(KnowsWhether("b", has("a", card)) for card in range(7))
    actual = conjunction([hand("a", (0, 1, 2)), hand("b", (3, 4, 5)), hand("c", (6,))])

    def after(hands):
        said = Knows("a", Or(tuple(hand("a", cards) for cards in hands)))
        good = conjunction([bill_knows, ignorant])
        return Implies(actual, Not(Announce(said, Not(good))))

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
        return conjunction(KnowsWhether(agent, Atom(atom)) for atom in range(1, 13))

    def possible(said, then):
        return Not(Announce(said, Not(then)))

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


# Both engines against explicit worlds.

ATOMS = (1, 2, 3)
AGENTS = ("a", "b", "c")


def explicit(formula, world, model, seen):
    """Evaluate a formula at a world, by the definition: worlds are sets of atoms, agents compare what they see.

    `model` is the list of worlds, `seen` the atoms that each agent observes.
    """

    def true(of, at=world):
        return explicit(of, at, model, seen)

    def alike(agent, at=world):
        return [w for w in model if w & seen[agent] == at & seen[agent]]

    def common(agents):
        """The worlds that the agents' steps reach from where the agents stand, in one step or more."""
        reached, front = [], [world]
        while front:
            at = front.pop()
            for agent in agents:
                for w in alike(agent, at):
                    if w not in reached:
                        reached.append(w)
                        front.append(w)
        return reached

    def together(agents):
        return [w for w in model if all(w & seen[agent] == world & seen[agent] for agent in agents)]

    def everywhere(of, among):
        return all(true(of, w) for w in among)

    def whether(of, among):
        return everywhere(of, among) or everywhere(Not(of), among)

    def told(agents, said, then):
        fresh = 100 + len([a for a in world if a >= 100]) + sum(100 <= a for s in seen.values() for a in s)
        inner = [w | extra for w in model for extra in (frozenset(), {fresh}) if not extra or true(said, w)]
        sees = {agent: see | {fresh} if agent in agents else see for agent, see in seen.items()}
        return explicit(then, world | {fresh}, inner, sees)

    match formula:
        case Top():
            return True
        case Bot():
            return False
        case Atom(number):
            return number in world
        case Not(of):
            return not true(of)
        case And(of):
            return all(map(true, of))
        case Or(of):
            return any(map(true, of))
        case Xor(of):
            return sum(map(true, of)) % 2 == 1
        case OneOf(of):
            return sum(map(true, of)) == 1
        case Implies(when, then):
            return not true(when) or true(then)
        case Iff(left, right):
            return true(left) == true(right)
        case Knows(agent, of):
            return everywhere(of, alike(agent))
        case KnowsWhether(agent, of):
            return whether(of, alike(agent))
        case Common(agents, of):
            return everywhere(of, common(agents))
        case CommonWhether(agents, of):
            return whether(of, common(agents))
        case Distributed(agents, of):
            return everywhere(of, together(agents))
        case DistributedWhether(agents, of):
            return whether(of, together(agents))
        case Announce(said, then):
            return not true(said) or explicit(then, world, [w for w in model if true(said, w)], seen)
        case AnnounceWhether(said, then):
            return explicit(then, world, [w for w in model if true(said, w) == true(said)], seen)
        case AnnounceTo(agents, said, then):
            return not true(said) or told(agents, said, then)
        case AnnounceWhetherTo(agents, said, then):
            return told(agents, said if true(said) else Not(said), then)
        case Forall(atoms, of) | Exists(atoms, of):
            some = any if isinstance(formula, Exists) else all
            choices = itertools.product((False, True), repeat=len(atoms))
            return some(
                true(of, (world - set(atoms)) | {a for a, on in zip(atoms, choice, strict=True) if on})
                for choice in choices
            )
    raise TypeError(formula)


def formulas(atoms=ATOMS, quantified=False):
    """Return random formulas; quantifiers, which look at worlds outside the model, only over boolean formulas."""
    boolean_leaves = st.sampled_from([Top(), Bot(), *map(Atom, atoms)])
    groups = st.sets(st.sampled_from(AGENTS), min_size=1).map(lambda agents: tuple(sorted(agents)))

    def boolean(inner):
        many = st.lists(inner, min_size=1, max_size=3).map(tuple)
        return st.one_of(
            st.builds(Not, inner), *(st.builds(kind, many) for kind in (And, Or, Xor, OneOf)),
            st.builds(Implies, inner, inner), st.builds(Iff, inner, inner),
        )  # fmt: skip

    plain = st.recursive(boolean_leaves, boolean, max_leaves=4)
    some = st.sets(st.sampled_from(atoms), min_size=1).map(lambda chosen: tuple(sorted(chosen)))
    leaves = boolean_leaves | st.builds(Forall, some, plain) | st.builds(Exists, some, plain)

    def modal(inner):
        return st.one_of(
            boolean(inner),
            *(st.builds(kind, st.sampled_from(AGENTS), inner) for kind in (Knows, KnowsWhether)),
            *(st.builds(kind, groups, inner) for kind in (Common, CommonWhether, Distributed, DistributedWhether)),
            *(st.builds(kind, inner, inner) for kind in (Announce, AnnounceWhether)),
            *(st.builds(kind, groups, inner, inner) for kind in (AnnounceTo, AnnounceWhetherTo)),
        )

    return st.recursive(leaves, modal, max_leaves=7)


structures = st.builds(
    Structure,
    st.just(ATOMS),
    st.recursive(st.sampled_from(list(map(Atom, ATOMS))), lambda f: st.builds(Not, f) | st.builds(Or, st.tuples(f, f))),
    st.tuples(
        *(st.tuples(st.just(a), st.sets(st.sampled_from(ATOMS)).map(lambda s: tuple(sorted(s)))) for a in AGENTS)
    ),
)


def subsets(atoms):
    """Return all sets of atoms, counting in binary with the first atom the most significant."""
    return [frozenset(a for a, on in zip(atoms, choice, strict=True) if on)
            for choice in itertools.product((False, True), repeat=len(atoms))]  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(structures, formulas())
def test_engines_agree_with_explicit_worlds(structure, formula):
    seen = {agent: frozenset(atoms) for agent, atoms in structure.observes}
    model = [w for w in subsets(ATOMS) if explicit(structure.law, w, [], seen)]
    expected = [tuple(sorted(w)) for w in model if explicit(formula, w, model, seen)]
    for engine in ENGINES.values():
        checker = Checker(structure, engine)
        assert checker.where(formula) == expected
        assert checker.valid(formula) == (len(expected) == len(model))
        assert [w for w in model if checker.true_at(w, formula)] == [set(w) for w in expected]


def test_every_kind_of_formula_is_drawn_and_known():
    kinds = {kind for kind in Formula.__args__}
    strategy = formulas()
    found = set()

    @settings(max_examples=500, database=None, derandomize=True, deadline=None)
    @given(strategy)
    def draw(formula):
        waiting = [formula]
        while waiting:
            each = waiting.pop()
            found.add(type(each))
            for field in fields(each):
                value = getattr(each, field.name)
                waiting += [v for v in (value if isinstance(value, tuple) else (value,)) if type(v) in kinds]

    draw()
    assert found == kinds


# Errors.


def test_what_the_structure_does_not_have_is_said():
    structure = Structure((1, 2), Top(), (("a", (1,)),))
    with pytest.raises(ValueError, match=r"^atom 3 is not one of \[1, 2\]$"):
        Checker(structure).valid(Atom(3))
    for formula in (Knows("b", Atom(1)), Common(("a", "b"), Atom(1)), AnnounceTo(("b",), Top(), Top())):
        with pytest.raises(ValueError, match=r"^agent b is not one of \['a'\]$"):
            Checker(structure).valid(formula)
    with pytest.raises(ValueError, match=r"^a observes atom 7; the structure has the atoms \[1, 2\]$"):
        Checker(Structure((1, 2), Top(), (("a", (7,)),)))
    with pytest.raises(TypeError, match="^no such formula: "):
        Checker(structure).valid("1")


def test_the_pure_python_diagrams_stand_in_where_the_compiled_ones_are_missing(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "dd.cudd", None)
    structure, know = muddy(4)
    checker = Checker(structure, Diagrams)
    assert type(checker.law).__module__ == "dd.autoref"
    assert checker.valid(Implies(conjunction(map(Atom, (2, 3, 4))), Not(know[0])))


# Situations.


@st.composite
def situations(draw):
    """Return a number of atoms, what each of some agents does not observe, and a law, which may be empty or missing."""
    n = draw(st.integers(1, 4))
    unseen = st.sets(st.integers(0, n - 1)).map(lambda positions: tuple(sorted(positions)))
    every = (1 << (1 << n)) - 1
    return n, tuple(draw(st.lists(unseen, min_size=1, max_size=3))), draw(st.none() | st.integers(0, every))


@settings(max_examples=300, deadline=None)
@given(situations(), st.data())
def test_a_situation_says_what_agents_know_as_the_definition_does(situation, data):
    n, hidden, law = situation
    asked = Situation(n, hidden, law)
    assert asked.law == ((1 << (1 << n)) - 1 if law is None else law)
    worlds = [w for w in range(1 << n) if asked.law >> w & 1]

    def members(chosen):
        return {w for w in range(1 << n) if chosen >> w & 1}

    assert [members(atom) for atom in asked.atoms] == [{w for w in worlds if w >> p & 1} for p in range(n)]
    for here in data.draw(st.lists(st.integers(0, (1 << (1 << n)) - 1), min_size=1, max_size=4)):
        here &= asked.law
        for agent, unseen in enumerate(hidden):

            def alike(w, unseen=unseen):
                return {v for v in worlds if all((v ^ w) >> p & 1 == 0 for p in range(n) if p not in unseen)}

            knows = {w for w in worlds if alike(w) <= members(here)}
            knows_not = {w for w in worlds if not alike(w) & members(here)}
            for _ in range(2):  # the second time it is looked up
                assert members(asked.knows[agent][here]) == knows
                assert members(asked.knows_whether[agent][here]) == knows | knows_not
                assert members(asked.knows[agent][asked.law ^ here]) == knows_not


def test_a_situation_remembers_what_it_found(monkeypatch):
    calls = []
    monkeypatch.setattr(
        "builders.logic.states.where_known", lambda sets, here, law, unseen: calls.append((here, unseen)) or here
    )
    asked = Situation(2, ((0,), (1,)))
    for _ in range(3):
        assert [asked.knows[agent][here] for agent in (0, 1) for here in (5, 6)] == [5, 6, 5, 6]
    assert calls == [(5, (0,)), (6, (0,)), (5, (1,)), (6, (1,))]


@settings(max_examples=200, deadline=None)
@given(situations(), st.data())
def test_situations_after_announcements_agree_with_the_checker(situation, data):
    """Agents announce in turn whether they know something; then what an agent knows of an atom is asked."""
    n, hidden, _ = situation
    atoms = tuple(range(1, n + 1))
    seen = tuple((f"a{i}", tuple(a for a in atoms if a - 1 not in unseen)) for i, unseen in enumerate(hidden))
    asked, said = Situation(n, hidden), []
    step = st.tuples(st.integers(0, len(hidden) - 1), st.integers(0, n - 1), st.booleans(), st.booleans())

    def told(agent, position, whether, negated):
        here = (asked.knows_whether if whether else asked.knows)[agent][asked.atoms[position]]
        formula = (KnowsWhether if whether else Knows)(f"a{agent}", Atom(position + 1))
        return (asked.law ^ here, Not(formula)) if negated else (here, formula)

    for each in data.draw(st.lists(step, max_size=3)):
        law, formula = told(*each)
        asked = Situation(n, hidden, law)
        said.append(formula)
    here, then = told(*data.draw(step))
    for formula in reversed(said):
        then = Announce(formula, then)
    assert Checker(Structure(atoms, Top(), seen)).valid(then) == (here == asked.law)
