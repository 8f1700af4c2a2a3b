"""How blocks of puzzles in rounds are drawn: the cells of a plan, and the search for two puzzles that fit one.

A block has two puzzles p and q, which differ in who is marked, in one arc of who sees whom, or in the law. Its two
hypotheses are that one person answers yes for the first time in a round (or never), or two claims of one form about
what somebody knows after some rounds. h holds in p alone, g in q alone.

Answers, and whether the person asked about is marked, come in equal shares. Somebody's first yes comes in the same
round of both puzzles, and the person asked about sees as many marked ones, so no rule that looks at these alone tells
them apart.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple
from zlib import crc32

from .. import streams
from ..streams import Stream
from ..syntax.rounds import First, Later, Puzzle, Supposed
from .claims import NAMED, THAT, WHETHER, Form, agents_of, claim_of_formula, form_of, instances, to_formula
from .premises import TooFewError
from .rounds import by_worlds, laws, world_of, worlds_with
from .states import initial_state
from .worlds import bits

PERSONS, ROUNDS = range(4, 11), range(1, 9)  # how many persons a puzzle may have, and the rounds of the first yes

# What the puzzles of a rung are like: persons, the latest round of a first yes, and the fewest worlds at the start.
RUNGS = ((4, 3, 6), (5, 4, 10), (6, 5, 20), (7, 5, 40), (8, 6, 80), (9, 7, 150))

WINDOW = 3  # the answers of a rung are this many rounds, up to its latest, and never
TURNS = 16  # blocks of a rung that are planned together
ABOUT_KNOWLEDGE = 4  # of them, how many have hypotheses about what somebody knows
LEAST_LAWS = 3  # the fewest laws that leave enough worlds; a law is changed for another
TRIES = 8000  # most graphs drawn for a block
PATIENCE = 25  # graphs drawn before a cell has another difference: some are hardly to be had
EASED = 100  # graphs drawn before a cell asks for less
OTHERS = 4  # most arcs or laws tried in place of one of p's
MARKED = 8  # most choices of who is marked that are tried for a puzzle
PAIRS = 4  # pairs of puzzles that are compared where hypotheses are about knowledge

DIFFERENCES = ("who", "arc", "law")
# How many rounds before the earlier answer of a block somebody first answers yes, 2 for two or more; each as often as
# it is wanted. Other blocks are taken where a graph has none.
GAPS = (0, 0, 1, 1, 2, 2, 2)

# The shares of the graphs of each split, so that no puzzle is in two; `probe`, which is never published, has those of
# train.
SHARES_OF = {"test": (0, 1), "validation": (2,), "train": (3, 4), "probe": (3, 4)}
SHARES = 5

Sees = tuple[tuple[int, ...], ...]  # who sees whom: see `Puzzle`
Identity = tuple[Any, ...]  # what a puzzle shares with its renamings
IsNew = Callable[[Puzzle], bool]  # return whether a puzzle may be drawn


class Block(NamedTuple):
    """Hold the four problems of two puzzles and two hypotheses."""

    p: Puzzle  # h holds, g does not
    q: Puzzle  # g holds, h does not
    h: Supposed
    g: Supposed

    def problems(self) -> list[tuple[Puzzle, Supposed, bool]]:
        """Return the four problems, each with whether the hypothesis holds."""
        p, q, h, g = self
        return [(p, h, True), (p, g, False), (q, h, False), (q, g, True)]


class Side(NamedTuple):
    """Say what one puzzle of a block must be like."""

    answer: int  # the round in which the person asked about first answers yes; 0 for never
    marked: bool  # whether this person is marked


class Cell(NamedTuple):
    """Say what a block must be like."""

    n: int  # persons
    latest: int  # the latest round of a first yes
    fewest: int  # worlds at the start
    difference: str  # one of DIFFERENCES
    gap: int  # one of GAPS
    sides: tuple[Side, Side] | None  # what p and q must be like; None for hypotheses about knowledge
    as_many: bool = True  # whether the person asked about must see as many marked ones in both


def answers_of_rung(latest: int) -> list[int]:
    """Return the answers of a rung: its last rounds, and 0 for never."""
    return [*range(max(1, latest + 1 - WINDOW), latest + 1), 0]


def cells(stream: Stream, rung: tuple[int, int, int]) -> list[Cell]:
    """Return what TURNS blocks of a rung must be like."""
    answers = answers_of_rung(rung[1])
    pairs = [(one, other) for one in answers for other in answers if one != other]
    size = TURNS - ABOUT_KNOWLEDGE
    pairs = stream.shuffled((pairs * (size // len(pairs) + 1))[:size])
    marks = [stream.shuffled([True, False] * (size // 2)) for _ in "pq"]
    differences = stream.shuffled((DIFFERENCES * TURNS)[:TURNS])
    drawn: list[Cell] = []
    for place, (one, other) in enumerate(pairs):
        difference = differences[place]
        p, q = (Side(answer, marks[side][place]) for answer, side in ((one, 0), (other, difference == "who")))
        drawn.append(Cell(*rung, difference, GAPS[stream.below(len(GAPS))], (p, q)))
    drawn += [Cell(*rung, difference, 0, None) for difference in differences[size:]]
    return stream.shuffled(drawn)


def round_blocks(config: Any, setup: str, split: str) -> Iterator[Block]:
    """Draw the blocks of a split one after another, without end; the rungs take turns.

    No puzzle comes twice, or in two splits, whatever the names. Raises TooFewError where one is not to be had.
    """
    key = "mindgames", config.family, config.seed, setup, split
    rungs = [*map(tuple, config.rungs)]
    met: set[Identity] = set()
    planned: list[list[Cell]] = []

    def is_new(puzzle: Puzzle) -> bool:
        """Return whether a puzzle has not come yet."""
        return identity(puzzle) not in met

    for index in count():
        turn, place = divmod(index, len(rungs))
        if turn % TURNS == 0 and place == 0:
            planned = [cells(streams.stream(*key, turn, rung, "cells"), which) for rung, which in enumerate(rungs)]
        stream, cell = streams.stream(*key, index, "puzzle"), planned[place][turn % TURNS]
        block = find_block(stream, setup, cell, SHARES_OF[split], is_new)
        met.update(map(identity, block[:2]))
        yield block


def find_block(stream: Stream, setup: str, cell: Cell, shares: tuple[int, ...], is_new: IsNew) -> Block:
    """Return a block of a cell, of two new puzzles with graphs of these shares. Raises TooFewError."""
    for tried in range(1, TRIES + 1):
        if tried % PATIENCE == 0:
            cell = _redrawn(stream, cell, eased=tried > EASED)
        start = Puzzle(setup, draw_sees(stream, cell, shares), draw_counts(stream, cell), ())
        if cell.sides:
            block = _asking_rounds(stream, start, cell, cell.sides, is_new)
        else:
            block = _asking_knowledge(stream, start, cell, is_new)
        if block and identity(block.p) != identity(block.q):
            return block
    raise TooFewError(
        f"{setup} with {cell.n} persons and a first yes up to round {cell.latest}: no block with new puzzles was found "
        f"among {TRIES:,} drawn; ask for fewer blocks, for more persons, or for an earlier round"
    )


def _redrawn(stream: Stream, cell: Cell, eased: bool) -> Cell:
    """Return a cell with the same answers, but another difference; `eased`, it has other marks and asks for less."""
    if cell.sides is None:
        return cell._replace(difference=DIFFERENCES[stream.below(3)])
    p, q = (side._replace(marked=stream.below(2) == 0) if eased else side for side in cell.sides)
    difference = DIFFERENCES[stream.below(3)] if p.marked == q.marked else "who"
    return cell._replace(difference=difference, sides=(p, q), as_many=not eased)


def draw_sees(stream: Stream, cell: Cell, shares: tuple[int, ...]) -> Sees:
    """Return who sees whom, a graph of one of these shares.

    From each person some of all others are drawn; the later a first yes is to come, the more.
    """
    n = cell.n
    while True:  # all shares have graphs of any number of persons
        missing = [stream.below(1 + max(2, n - cell.latest // 2 - 2)) for _ in range(n)]
        others = [[other for other in range(n) if other != person] for person in range(n)]
        sees = tuple([tuple(sorted(stream.draw(others[one], n - 1 - few))) for one, few in enumerate(missing)])
        if crc32(repr(kind_of(sees)).encode()) % SHARES in shares:
            return sees


def kind_of(sees: Sees) -> tuple[list[int], list[int]]:
    """Return what settles the share of a graph: half of how many each person sees, and by how many each is seen.

    Renamings of a graph have the same, and so have some graphs that differ from it in one arc.
    """
    seen_by = [0] * len(sees)
    for seen in sees:
        for other in seen:
            seen_by[other] += 1
    return sorted([len(seen) // 2 for seen in sees]), sorted([viewers // 2 for viewers in seen_by])


@lru_cache(maxsize=64)
def all_counts(n: int, fewest: int) -> list[tuple[int, ...]]:
    """Return all laws about n persons, as which numbers of marked ones there may be, that leave enough worlds."""
    ranges = [tuple(range(low, high + 1)) for low in range(3) for high in range(low + 1, n + 1) if high - low < n]
    found = [*ranges, tuple(range(1, n + 1, 2)), tuple(range(0, n + 1, 2))]
    return [counts for counts in found if worlds_with(counts, n).bit_count() >= fewest]


def draw_counts(stream: Stream, cell: Cell) -> tuple[int, ...]:
    """Return a law: which numbers of marked persons there may be."""
    laws_of_cell = all_counts(cell.n, cell.fewest)
    return laws_of_cell[stream.below(len(laws_of_cell))]


def _worlds(worlds: int) -> Iterator[int]:
    """Yield the numbers of the worlds in a set."""
    while worlds:
        lowest = worlds & -worlds
        yield lowest.bit_length() - 1
        worlds ^= lowest


def _marked(world: int) -> tuple[int, ...]:
    return tuple(_worlds(world))


Possible = tuple[Puzzle, int]  # a puzzle, and the worlds that it may be about
Found = dict[tuple[int, int], int]  # by a person and the round of anybody's first yes: worlds


def _found(puzzle: Puzzle, side: Side, cell: Cell) -> Found:
    """Return who is as a side must be, whoever is marked in a puzzle, and in which worlds."""
    found: Found = {}
    true = bits(cell.n).where
    for worlds, first, last in by_worlds(puzzle.sees, puzzle.counts, side.answer or None):
        if side.answer not in first or not side.answer and last < max(2, cell.latest + 1 - WINDOW):
            continue
        any_yes = min(filter(None, first), default=0)
        for person in range(cell.n):
            if first[person] == side.answer:
                so = worlds & (true[person] if side.marked else ~true[person])
                if so:
                    found[person, any_yes] = found.get((person, any_yes), 0) | so
    return found


def _asking_rounds(stream: Stream, start: Puzzle, cell: Cell, sides: tuple[Side, Side], is_new: IsNew) -> Block | None:
    """Return a block about when a person first answers yes; None where the graph and the law have none."""
    # Rare answers come first: without them nothing else needs to be looked at.
    hard, easy = (0, 1) if sides[0].answer >= sides[1].answer else (1, 0)
    found = _found(start, sides[hard], cell)
    if not found:
        return None
    earlier = sides[easy].answer or sides[hard].answer
    for other in [start] if cell.difference == "who" else _changed(stream, start, cell):
        others = _found(other, sides[easy], cell)
        keys = stream.shuffled(sorted(found.keys() & others.keys()))
        for key in sorted(keys, key=lambda key: min(2, earlier - key[1]) != cell.gap):
            person, _ = key
            if puzzles := _new_pair(
                stream, (start, found[key]), (other, others[key]), cell.n, person if cell.as_many else None, is_new
            ):
                p, q = puzzles[hard], puzzles[easy]
                return Block(p, q, First(person, sides[0].answer), First(person, sides[1].answer))
    return None


def _new_pair(
    stream: Stream, start: Possible, other: Possible, most: int, person: int | None, is_new: IsNew
) -> tuple[Puzzle, Puzzle] | None:
    """Return two new puzzles, each in one of its worlds; None where there are none.

    Where they differ in more than the world it is the same one, else the worlds differ in as few persons as they can,
    in `most` at most. person: who must see as many marked ones in both; None for nobody.
    """
    (p, worlds), (q, other_worlds) = start, other
    is_same = p is not q
    seen, other_seen = (0 if person is None else world_of(puzzle.sees[person]) for puzzle in (p, q))
    drawn = [*_worlds(worlds & other_worlds if is_same else worlds)]
    for world in stream.draw(drawn, min(MARKED, len(drawn))):
        new_p = p._replace(marked=_marked(world))
        if is_new(new_p):
            near = [
                one
                for one in ([world] if is_same else _worlds(other_worlds))
                if (one & other_seen).bit_count() == (world & seen).bit_count()
                and (one ^ world).bit_count() <= most
                and (is_same or one != world)
            ]
            near = sorted(stream.shuffled(near), key=lambda one: (one ^ world).bit_count())
            for one in near[:MARKED]:
                new_q = q._replace(marked=_marked(one))
                if is_new(new_q):
                    return new_p, new_q
    return None


def _changed(stream: Stream, puzzle: Puzzle, cell: Cell) -> Iterator[Puzzle]:
    """Yield puzzles that differ from one in one arc or, if the cell says so, in the law; OTHERS of them at most.

    Graphs are of one kind: see `kind_of`.
    """
    if cell.difference == "arc":
        arcs = [(person, other) for person in range(cell.n) for other in range(cell.n) if person != other]
        kind, tried = kind_of(puzzle.sees), 0
        for person, other in stream.shuffled(arcs):
            seen = tuple(sorted({*puzzle.sees[person]} ^ {other}))
            sees = (*puzzle.sees[:person], seen, *puzzle.sees[person + 1 :])
            if tried < OTHERS and kind_of(sees) == kind:
                tried += 1
                yield puzzle._replace(sees=sees)
    else:
        others = [one for one in all_counts(cell.n, cell.fewest) if one != puzzle.counts]
        for counts in stream.draw(others, min(OTHERS, len(others))):
            yield puzzle._replace(counts=counts)


def _asking_knowledge(stream: Stream, start: Puzzle, cell: Cell, is_new: IsNew) -> Block | None:
    """Return a block about what somebody knows after some rounds; None where the graph and the law have none."""
    rounds = max(1, cell.latest - 1 - stream.below(3))
    worlds = _lasting(start, rounds)
    if not worlds:
        return None
    for other in [start] if cell.difference == "who" else _changed(stream, start, cell):
        other_worlds = worlds if other is start else _lasting(other, rounds)
        for _ in range(PAIRS):
            pair = _new_pair(stream, (start, worlds), (other, other_worlds), 2, None, is_new)
            if pair and (block := _telling_apart(stream, *pair, _draw_form(stream), rounds)):
                return block
    return None


def _lasting(puzzle: Puzzle, rounds: int) -> int:
    """Return the worlds in which each of some rounds tells somebody something, whoever is marked in a puzzle."""
    return sum([worlds for worlds, _, last in by_worlds(puzzle.sees, puzzle.counts, rounds) if last > rounds])


def _telling_apart(stream: Stream, p: Puzzle, q: Puzzle, form: Form, rounds: int) -> Block | None:
    """Return a block of two puzzles and two claims of a form, each of which holds in one of them; None if none does."""
    p_laws, q_laws = laws(p, rounds), laws(q, rounds)
    p_now, q_now = _true_claims(p, form, p_laws[-1]), _true_claims(q, form, q_laws[-1])
    sides = [p_now & ~q_now, q_now & ~p_now]
    if not all(sides):
        return None
    # The last round matters: without it, one of the labels is another.
    changed = p_now ^ _true_claims(p, form, p_laws[-2]) | q_now ^ _true_claims(q, form, q_laws[-2])
    if not any(side & changed for side in sides):
        return None
    n = len(p.sees)
    claims = instances(n, form)
    h, g = (Later(rounds, to_formula(claims[_drawn(stream, side & changed or side)], n)) for side in sides)
    return Block(p, q, h, g)


def _draw_form(stream: Stream) -> Form:
    """Return the form of claims about what somebody knows of another's knowledge of a mark."""
    outer = THAT if stream.below(3) else WHETHER, stream.below(2) == 0
    return (outer, (WHETHER, stream.below(3) > 0)), NAMED


def _true_claims(puzzle: Puzzle, form: Form, law: int) -> int:
    """Return which instances of a form hold where only these worlds are possible, as bits, the first lowest."""
    actual = world_of(puzzle.marked)
    state = initial_state(tuple([tuple([other + 1 for other in seen]) for seen in puzzle.sees])).with_law(law)
    return sum([1 << place for place, worlds in enumerate(state.where_each(form)) if worlds >> actual & 1])


def _drawn(stream: Stream, bits: int) -> int:
    """Return the place of one of the bits that are set."""
    places = [*_worlds(bits)]
    return places[stream.below(len(places))]


@lru_cache(maxsize=1 << 12)  # a puzzle is asked for again when it is taken
def identity(puzzle: Puzzle, supposed: Supposed | None = None) -> Identity:
    """Return a key that a puzzle, or its problem, shares with its renamings and (nearly) nothing else.

    Persons of one colour split by whom they see and who sees them until no colour splits further, as in
    `premises.identity`. Two puzzles may share a key by chance; then one of them is left out.
    """
    persons = range(len(puzzle.sees))
    named, said = _said(supposed, len(persons)) if supposed else ([], None)
    kinds = [(one in puzzle.marked, [place for place, other in enumerate(named) if other == one]) for one in persons]
    seen_by = [[viewer for viewer in persons if person in puzzle.sees[viewer]] for person in persons]
    colours = [0] * len(persons)
    n_colours = 0
    signatures: list[Any] = []
    while len(set(colours)) > n_colours:
        n_colours = len(set(colours))
        signatures = [
            (*kind, colour, *(sorted([colours[other] for other in others]) for others in sight))
            for kind, colour, *sight in zip(kinds, colours, puzzle.sees, seen_by, strict=True)
        ]
        rank = {repr(signature): place for place, signature in enumerate(sorted(signatures))}
        colours = [rank[repr(signature)] for signature in signatures]
    return puzzle.setup, puzzle.counts, said, repr(sorted(signatures))


def _said(supposed: Supposed, n: int) -> tuple[list[int], Any]:
    """Return which of n persons a hypothesis names, in order, and what it says without their names."""
    if isinstance(supposed, First):
        return [supposed.person], supposed.round
    claim = claim_of_formula(supposed.formula, n)
    return agents_of(claim), (supposed.rounds, form_of(claim))
