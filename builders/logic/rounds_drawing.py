"""How blocks of puzzles in rounds are drawn: the cells of a plan, and the search for two puzzles that fit one.

A block has two puzzles p and q, which differ in who is marked, in one arc of who sees whom, or in the law. Its two
hypotheses are that one person answers yes for the first time in a round (or never), or two claims of one form about
what somebody knows after some rounds. h holds in p alone, g in q alone.

Answers, and whether the person asked about is marked, come in equal shares; when others first answer yes is drawn
before the puzzle, too, so that no rule that looks at one of these alone tells the answer.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from .. import streams
from ..streams import Stream
from ..syntax.rounds import Answers, First, Later, Puzzle, Supposed
from .claims import NAMED, THAT, WHETHER, Form, instances, to_formula
from .premises import TooFewError
from .rounds import by_worlds, laws, play, world_of, worlds_with
from .states import State, initial_state
from .worlds import bits

PERSONS, ROUNDS = range(4, 11), range(1, 9)  # how many persons a puzzle may have, and the rounds of the first yes

# What the puzzles of a rung are like: persons, the latest round of a first yes, and the fewest worlds at the start.
RUNGS = ((4, 3, 6), (5, 4, 10), (6, 5, 20), (7, 5, 40), (8, 6, 80), (9, 7, 150))

WINDOW = 3  # the answers of a rung are this many rounds, up to its latest, and never
TURNS = 16  # blocks of a rung that are planned together
ABOUT_KNOWLEDGE = 4  # of them, how many have hypotheses about what somebody knows
LEAST_LAWS = 3  # the fewest laws that leave enough worlds; a law is changed for another
TRIES = 4000  # most graphs drawn for a block
PATIENCE = 25  # graphs drawn before a cell asks for less: some are hardly to be had
CHANGES = 30  # most arcs or laws tried in place of one of p's

DIFFERENCES = ("who", "arc", "law")
# When others first answer yes, seen from the round of the person asked about, each as often as it is to be drawn.
WHEN = (*["earlier"] * 8, *["just before"] * 3, *["same"] * 3, *["later"] * 2)

Identity = tuple[Any, ...]  # what a puzzle shares with its renamings


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
    when: str  # one of WHEN
    as_seen: bool  # whether the answer may be the number of marked whom the person sees, and one more


class Cell(NamedTuple):
    """Say what a block must be like."""

    n: int  # persons
    latest: int  # the latest round of a first yes
    fewest: int  # worlds at the start
    difference: str  # one of DIFFERENCES
    sides: tuple[Side, Side] | None  # what p and q must be like; None for hypotheses about knowledge


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
    for place, pair in enumerate(pairs):
        difference = differences[place]
        marked = marks[0][place], marks[difference == "who"][place]
        p, q = (
            Side(answer, so, WHEN[stream.below(len(WHEN))], stream.below(4) == 0)
            for answer, so in zip(pair, marked, strict=True)
        )
        drawn.append(Cell(*rung, difference, (p, q)))
    drawn += [Cell(*rung, difference, None) for difference in differences[size:]]
    return stream.shuffled(drawn)


def round_blocks(config: Any, setup: str, split: str) -> Iterator[Block]:
    """Draw the blocks of a split one after another, without end; the rungs take turns.

    No puzzle comes twice, whatever the names. Raises TooFewError where one is not to be had.
    """
    key = "mindgames", config.family, config.seed, setup, split
    rungs = [*map(tuple, config.rungs)]
    met: set[Identity] = set()
    planned: list[list[Cell]] = []
    for index in count():
        turn, place = divmod(index, len(rungs))
        if turn % TURNS == 0 and place == 0:
            planned = [cells(streams.stream(*key, turn, rung, "cells"), which) for rung, which in enumerate(rungs)]
        yield find_block(streams.stream(*key, index, "puzzle"), setup, planned[place][turn % TURNS], met)


def find_block(stream: Stream, setup: str, cell: Cell, met: set[Identity]) -> Block:
    """Return a block of a cell, with puzzles that are not among `met`, and add them. Raises TooFewError."""
    for tried in range(1, TRIES + 1):
        if tried % PATIENCE == 0:
            cell = _redrawn(stream, cell)
        sees, counts = draw_sees(stream, cell), draw_counts(stream, cell)
        if worlds_with(counts, cell.n).bit_count() < cell.fewest:
            continue
        start = Puzzle(setup, sees, counts, ())
        block = (
            _asking_rounds(stream, start, cell, cell.sides) if cell.sides else _asking_knowledge(stream, start, cell)
        )
        if block:
            identities = [identity(block.p), identity(block.q)]
            if identities[0] != identities[1] and met.isdisjoint(identities):
                met.update(identities)
                return block
    raise TooFewError(
        f"{setup} with {cell.n} persons and a first yes up to round {cell.latest}: no block with new puzzles was found "
        f"among {TRIES:,} drawn; ask for fewer blocks, for more persons, or for an earlier round"
    )


def _redrawn(stream: Stream, cell: Cell) -> Cell:
    """Return a cell with the same answers and marks, but another difference, and others' answers at another time."""
    if cell.sides is None:
        return cell._replace(difference=DIFFERENCES[stream.below(3)])
    p, q = (side._replace(when=WHEN[stream.below(len(WHEN))], as_seen=stream.below(4) == 0) for side in cell.sides)
    difference = DIFFERENCES[stream.below(3)] if p.marked == q.marked else "who"
    return cell._replace(difference=difference, sides=(p, q))


def draw_sees(stream: Stream, cell: Cell) -> tuple[tuple[int, ...], ...]:
    """Return who sees whom: from each, some of all others; the later a first yes is to come, the more."""
    n = cell.n
    missing = [stream.below(1 + max(1, n - cell.latest // 2 - 2)) for _ in range(n)]
    return tuple(
        [
            tuple(sorted(stream.draw([other for other in range(n) if other != person], n - 1 - few)))
            for person, few in enumerate(missing)
        ]
    )


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


def _fits(first: Sequence[int], last: int, person: int, side: Side, cell: Cell) -> bool:
    """Return whether a person's answers are as a side wants them.

    first: the round of each one's first yes. last: the round that changes nothing.
    """
    if first[person] != side.answer:
        return False
    if not side.answer:
        return last >= max(2, cell.latest + 1 - WINDOW)
    if side.answer == 1:
        return True
    others = min([number for other, number in enumerate(first) if number and other != person], default=0)
    if side.when == "earlier" and side.answer > 2:
        return 0 < others < side.answer - 1
    if side.when in ("earlier", "just before"):
        return others == side.answer - 1
    if side.when == "same":
        return others == side.answer
    return not others or others > side.answer


def _seems(seen: Sequence[int], person: int, world: int, side: Side) -> bool:
    """Return whether a person is marked as a side wants it, and sees as many marked ones as it allows."""
    if bool(world >> person & 1) != side.marked:
        return False
    return side.as_seen or not side.answer or sum([world >> other & 1 for other in seen]) + 1 != side.answer


def _worlds(worlds: int) -> Iterator[int]:
    """Yield the numbers of the worlds in a set."""
    while worlds:
        lowest = worlds & -worlds
        yield lowest.bit_length() - 1
        worlds ^= lowest


def _marked(world: int) -> tuple[int, ...]:
    return tuple(_worlds(world))


Found = tuple[int, int]  # a world, and a person


def _found(groups: list[tuple[int, tuple[int, ...], int]], sees: Any, side: Side, cell: Cell) -> list[Found]:
    """Return who is as a side must be, in which worlds."""
    return [
        (world, person)
        for worlds, first, last in groups
        if side.answer in first
        for person in range(cell.n)
        if _fits(first, last, person, side, cell)
        for world in _worlds(worlds & _where(cell.n, person, side.marked))
        if _seems(sees[person], person, world, side)
    ]


def _where(n: int, person: int, marked: bool) -> int:
    """Return the worlds of n persons in which a person is marked, or is not."""
    true = bits(n).where[person]
    return true if marked else ~true


def _asking_rounds(stream: Stream, start: Puzzle, cell: Cell, sides: tuple[Side, Side]) -> Block | None:
    """Return a block about when a person first answers yes; None where the graph and the law have none."""
    groups = list(by_worlds(start.sees, start.counts))
    # Rare answers come first: without them nothing else needs to be looked at.
    hard, easy = (0, 1) if sides[0].answer >= sides[1].answer else (1, 0)
    found = _found(groups, start.sees, sides[hard], cell)
    if not found:
        return None
    if cell.difference == "who":
        by_person: dict[int, list[int]] = {}
        for world, person in _found(groups, start.sees, sides[easy], cell):
            by_person.setdefault(person, []).append(world)
        found = [(world, person) for world, person in found if person in by_person]
        if not found:
            return None
        world, person = found[stream.below(len(found))]
        nearest = min((one ^ world).bit_count() for one in by_person[person])
        near = [one for one in by_person[person] if (one ^ world).bit_count() == nearest]
        puzzles = [start._replace(marked=_marked(one)) for one in (world, near[stream.below(len(near))])]
    else:
        for world, person in stream.draw(found, min(3, len(found))):
            puzzle = start._replace(marked=_marked(world))
            for other in _changed(stream, puzzle, cell):
                answers = play(other)
                first = [answers.first(one) for one in range(cell.n)]
                fits = _fits(first, len(answers.yes), person, sides[easy], cell)
                if fits and _seems(other.sees[person], person, world, sides[easy]):
                    puzzles = [puzzle, other]
                    break
            else:
                continue
            break
        else:
            return None
    p, q = puzzles if hard == 0 else puzzles[::-1]
    return Block(p, q, First(person, sides[0].answer), First(person, sides[1].answer))


def _changed(stream: Stream, puzzle: Puzzle, cell: Cell) -> Iterator[Puzzle]:
    """Yield puzzles that differ from one in one arc or, if the cell says so, in the law; some CHANGES of them."""
    if cell.difference == "arc":
        arcs = [(person, other) for person in range(cell.n) for other in range(cell.n) if person != other]
        for person, other in stream.draw(arcs, min(CHANGES, len(arcs))):
            seen = tuple(sorted({*puzzle.sees[person]} ^ {other}))
            yield puzzle._replace(sees=(*puzzle.sees[:person], seen, *puzzle.sees[person + 1 :]))
    else:
        size = len(puzzle.marked)
        others = [one for one in all_counts(cell.n, cell.fewest) if size in one and one != puzzle.counts]
        for counts in stream.draw(others, min(CHANGES, len(others))):
            yield puzzle._replace(counts=counts)


def _asking_knowledge(stream: Stream, start: Puzzle, cell: Cell) -> Block | None:
    """Return a block about what somebody knows after some rounds; None where the graph and the law have none."""
    rounds = max(1, cell.latest - 1 - stream.below(2))
    marked = stream.draw(range(cell.n), start.counts[stream.below(len(start.counts))])
    p = start._replace(marked=tuple(sorted(marked)))
    if not _tells(play(p), rounds):
        return None
    if cell.difference == "who":
        actual = world_of(p.marked)
        worlds = [one for one in _worlds(worlds_with(p.counts, cell.n)) if 0 < (one ^ actual).bit_count() <= 2]
        drawn = stream.draw(worlds, min(CHANGES, len(worlds)))
        others: Iterator[Puzzle] = (p._replace(marked=_marked(world)) for world in drawn)
    else:
        others = _changed(stream, p, cell)
    form = _draw_form(stream)
    p_now, p_before = _true_claims(p, form, rounds)
    for q in others:
        if not _tells(play(q), rounds):
            continue
        q_now, q_before = _true_claims(q, form, rounds)
        sides = [p_now & ~q_now, q_now & ~p_now]
        # The last round matters: without it, one of the labels is another.
        changed = (p_now ^ p_before) | (q_now ^ q_before)
        sides = [side & changed or side for side in sides]
        if all(sides) and any(side & changed for side in sides):
            claims = instances(cell.n, form)
            h, g = (claims[_drawn(stream, side)] for side in sides)
            return Block(p, q, *(Later(rounds, to_formula(claim, cell.n)) for claim in (h, g)))
    return None


def _tells(answers: Answers, rounds: int) -> bool:
    """Return whether each of some rounds tells somebody something."""
    return len(answers.yes) > rounds


def _draw_form(stream: Stream) -> Form:
    """Return the form of claims about what somebody knows of another's knowledge of a mark."""
    outer = THAT if stream.below(3) else WHETHER, stream.below(2) == 0
    return (outer, (WHETHER, stream.below(3) > 0)), NAMED


def _true_claims(puzzle: Puzzle, form: Form, rounds: int) -> tuple[int, int]:
    """Return which instances of a form hold after some rounds, and after one round less, as bits, the first lowest."""
    actual = world_of(puzzle.marked)
    *_, before, now = laws(puzzle, rounds)
    start = initial_state(tuple([tuple([other + 1 for other in seen]) for seen in puzzle.sees]))
    states: list[State] = [start.with_law(law) for law in (now, before)]
    vectors = [
        sum([1 << place for place, worlds in enumerate(state.where_each(form)) if worlds >> actual & 1])
        for state in states
    ]
    return vectors[0], vectors[1]


def _drawn(stream: Stream, bits: int) -> int:
    """Return the place of one of the bits that are set."""
    places = [*_worlds(bits)]
    return places[stream.below(len(places))]


def identity(puzzle: Puzzle) -> Identity:
    """Return a key that a puzzle shares with its renamings and (nearly) nothing else, by partition refinement.

    Persons of one colour split by whom they see and who sees them until no colour splits further, as in
    `premises.identity`. Two puzzles may share a key by chance; then one of them is left out.
    """
    persons = range(len(puzzle.sees))
    seen_by = [[viewer for viewer in persons if person in puzzle.sees[viewer]] for person in persons]
    colours = [int(person in puzzle.marked) for person in persons]
    n_colours = 0
    signatures: list[tuple[Any, ...]] = []
    while len(set(colours)) > n_colours:
        n_colours = len(set(colours))
        signatures = [
            (colours[person], *(tuple(sorted([colours[other] for other in others])) for others in (seen, viewers)))
            for person, (seen, viewers) in enumerate(zip(puzzle.sees, seen_by, strict=True))
        ]
        rank = {signature: place for place, signature in enumerate(sorted(set(signatures)))}
        colours = [rank[signature] for signature in signatures]
    return puzzle.setup, puzzle.counts, tuple(sorted(signatures))
