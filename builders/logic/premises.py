"""The supply of premises: each once up to renaming, leaving a world, and for one kind of config alone."""

from collections.abc import Hashable, Iterator
from itertools import product
from typing import NamedTuple
from zlib import crc32

from ..streams import Stream
from .claims import NAMED, THAT, WHETHER, Claim, Premise, renamed
from .drawing import draw_premise
from .setups import SETUP_OF, draw_sees, fixed_sees
from .states import State, state_after

DRAWS = 400  # most premises drawn for each that is needed: many leave no world, or came before
SAME_SIGHT = 24  # premises in a row whose agents see the same, as in the two premises of a block
REPRODUCTION_SHARE = 8  # one problem in eight is kept for the config `reproduction`; no block has it
SCALE_AGENTS = 5  # agents from which on every second premise is kept for `scale`; no other config has it


Identity = tuple[Hashable, ...]  # what a premise or a problem shares with its renamings alone: see `identity`


class TooFewError(ValueError):
    """Say how many blocks or problems were found, and how many were asked for."""


class Candidate(NamedTuple):
    """Hold a premise that a block or a problem may have."""

    premise: Premise  # what is seen and announced
    state: State  # what it leaves
    numbers: dict[int, int]  # the agents that it speaks of, each with its place in the order of first mention
    checksum: int  # of its `identity`, so the same for all renamings


def renumbered(claims: tuple[Claim, ...], numbers: dict[int, int]) -> tuple[Claim, ...]:
    """Return claims with each agent replaced by its number; agents without one get the next, in `numbers`."""
    return tuple([renamed(claim, lambda agent: numbers.setdefault(agent, len(numbers))) for claim in claims])


def identity(premise: Premise, numbers: dict[int, int], *hypotheses: Claim) -> Identity:
    """Return a key that a premise, or a problem, shares with its renamings and (nearly) nothing else.

    Agents are numbered, in `numbers`, in the order of first mention. Where premises draw who sees what, partition
    refinement tells the others apart: agents of one colour split by what they see and who sees them until no colour
    splits further (graph colouring, as in the Weisfeiler-Leman test). Where four or more agents whom no claim mentions
    see one another in circles, two different premises may share a key; then one of them is left out.
    """
    claims = renumbered(premise.announcements + hypotheses, numbers)
    n = len(premise.sees)
    if not SETUP_OF[premise.setup].is_drawn:
        return premise.setup, n, claims
    agents = range(n)
    sees = [[atom - 1 for atom in observed] for observed in premise.sees]
    seen_by = [[viewer for viewer in agents if agent in sees[viewer]] for agent in agents]
    colours = [numbers.get(agent, n) for agent in agents]

    def of_colours(others: list[int]) -> tuple[int, ...]:
        return tuple(sorted([colours[other] for other in others]))

    n_colours = 0
    while len(set(colours)) > n_colours:
        n_colours = len(set(colours))
        signatures = [
            (colours[agent], agent in sees[agent], of_colours(sees[agent]), of_colours(seen_by[agent]))
            for agent in agents
        ]
        rank = {signature: place for place, signature in enumerate(sorted(set(signatures)))}
        colours = [rank[signature] for signature in signatures]
    return premise.setup, n, claims, tuple(sorted(signatures))


def to_candidate(premise: Premise, state: State) -> tuple[Candidate, Identity]:
    """Return a premise and the state that it leaves as a candidate, and its identity."""
    numbers: dict[int, int] = {}
    key = identity(premise, numbers)
    return Candidate(premise, state, numbers, crc32(repr(key).encode())), key


def is_for_reproduction(candidate: Candidate, hypothesis: Claim) -> bool:
    """Return whether a problem is kept for the config `reproduction`; all renamings of it are, or none."""
    (claim,) = renumbered((hypothesis,), dict(candidate.numbers))
    return crc32(repr(claim).encode(), candidate.checksum) % REPRODUCTION_SHARE == 0


def candidates(stream: Stream, setup: str, n: int, most: int, scale: bool = False) -> Iterator[Candidate]:
    """Yield distinct premises of n agents that leave a world, out of at most `most` that are drawn.

    Two agents have few premises: an eighth as many are drawn, then all that there are follow. From SCALE_AGENTS agents
    on, `scale` chooses the half that is yielded.
    """
    met = set()
    for premise, state in drawn_premises(stream, setup, n, most):
        if not state.law:
            continue
        candidate, key = to_candidate(premise, state)
        if key not in met and (n < SCALE_AGENTS or candidate.checksum % 2 == scale):
            yield candidate
        met.add(key)


def drawn_premises(stream: Stream, setup: str, n: int, most: int) -> Iterator[tuple[Premise, State]]:
    """Yield premises as they are drawn, with the states that they leave, and then all of two agents."""
    for number in range(most // 8 if n == 2 else most):
        if number % SAME_SIGHT == 0:
            sees = draw_sees(stream, setup, n)
        yield draw_premise(stream, setup, sees)
    if n == 2:
        yield from ((premise, state_after(premise)) for premise in stream.shuffled(premises_of_two(setup)))


def premises_of_two(setup: str) -> list[Premise]:
    """Return every premise of two agents that `draw_premise` can draw."""
    rows = [(), (1,), (2,), (1, 2)]
    sights = list(product(rows, repeat=2)) if SETUP_OF[setup].is_drawn else [fixed_sees(setup, 2)]
    levels = [(), *((level,) for level in product(range(2), (THAT, WHETHER), (False, True)))]
    claims = list(product(levels, range(NAMED + 4)))
    return [
        Premise(setup, sees, announcements)
        for sees in sights
        for count in range(3)
        for announcements in product(claims, repeat=count)
    ]
