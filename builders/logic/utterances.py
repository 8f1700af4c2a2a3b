"""What order blocks announce: the kinds of announcements, and how sequences that go on telling are drawn.

A *cell* says what a block must be like: its number of agents, of announcements after SOMEONE, and the order of its
hypotheses. A *share* is a number that a set of announcements has, whatever their order and the names: each split draws
those of its own shares, so no premise is in two splits. A *pool* lists the announcements of a kind as often as they are
to be drawn.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple
from zlib import crc32

from ..streams import Stream
from .claims import (
    ALL,
    COMMON,
    EACH,
    NAMED,
    NOT_ALL,
    OWN,
    SHOWN,
    THAT,
    TOGETHER,
    WHETHER,
    Claim,
    Form,
    Level,
    about,
    counts,
    is_showing,
)
from .premises import renumbered
from .setups import SETUP_OF
from .states import State, heard

# The kinds of announcements, with how often each is drawn: facts, how many facts are true, knowledge of order 1 and 2,
# showings, what everyone or nobody knows, and what is, or is not, common or distributed knowledge. How many showings a
# sequence has is drawn apart.
KINDS = {"facts": 2, "counts": 3, "first": 6, "second": 8, "showings": 0, "rounds": 2, "common": 1, "distributed": 1}

GROUPS = {"rounds": EACH, "common": COMMON, "distributed": TOGETHER}  # the kinds of what a group knows

SHARES = 6  # how many shares there are, and codes of announcements
ALL_CODES = tuple(range(SHARES))
TRIES = 40  # most announcements tried in one place of a sequence
CHOICE = 3  # telling announcements compared in a place; what rules out the least leaves room for more
BACK = 2  # by how many places the last announcement of a sequence is moved to see whether its place matters
LAST_CHOICE = 6  # most announcements tried as the last of a sequence

# How often a pool lists knowledge by its link and negation: WHETHER supposes nothing, and ignorance tells less.
OFTEN = {(THAT, False): 1, (THAT, True): 2, (WHETHER, False): 4, (WHETHER, True): 8}


Shares = tuple[int, ...]  # the shares that premises may have


class Cell(NamedTuple):
    """Say what a block must be like."""

    n: int  # agents
    lengths: tuple[int, ...]  # how many announcements after SOMEONE it may have
    order: int  # of the hypotheses


def known_facts(n: int, link: int) -> list[int]:
    """Return the facts that may stand after THAT or WHETHER; after WHETHER, a negated fact would say the same again."""
    if link == WHETHER:
        return [ALL, *(about(agent, False) for agent in range(n)), *counts(n)]
    return [ALL, NOT_ALL, *(about(agent, negated) for agent in range(n) for negated in (False, True)), *counts(n)]


def announcements(setup: str, n: int, kind: str) -> Iterator[tuple[Claim, int]]:
    """Yield all announcements of a kind, each with how often it is to be drawn."""
    levels = [((agent, link, negated), often) for agent in range(n) for (link, negated), often in OFTEN.items()]
    match kind:
        case "facts":
            yield from ((((), fact), 1) for fact in known_facts(n, THAT) if fact >= 0)
        case "counts":
            yield from ((((), fact), 1) for fact in counts(n))
        case "first":
            yield from ((((level,), fact), often) for level, often in levels for fact in known_facts(n, level[1]))
        case "second":
            for (outer, often), (inner, inner_often) in product(levels, levels):
                if outer[0] != inner[0]:
                    yield from ((((outer, inner), fact), often * inner_often) for fact in known_facts(n, inner[1]))
        case "showings":
            for agent, owner in product(range(n), range(n)):
                yield (((agent, SHOWN, False),), about(owner, False)), 1
        case _:
            own = [OWN] * n if kind == "rounds" and not SETUP_OF[setup].knows_himself else []
            for negated in (False, True):
                level: Level = GROUPS[kind], WHETHER, negated
                yield from ((((level,), fact), 1) for fact in (*known_facts(n, WHETHER), *own))


class Pools:
    """Hold the pools of all kinds for a setup and a number of agents."""

    def __init__(self, setup: str, n: int, kinds: tuple[str, ...]) -> None:
        self.showings = [claim for claim, _ in announcements(setup, n, "showings")] if "showings" in kinds else []
        coded = ([(code_of(claim), claim, often) for claim, often in announcements(setup, n, kind)] for kind in kinds)
        pools = [sorted(pool, key=lambda drawn: drawn[0]) for pool in coded]
        self._pools = dict(zip(kinds, pools, strict=True))
        self._fitting: dict[tuple[int, ...], list[list[Claim]]] = {}

    def drawn(self, stream: Stream, codes: tuple[int, ...]) -> Iterator[Claim]:
        """Draw announcements that have one of some codes, without end where there are any; none is a showing."""
        if codes not in self._fitting:
            fitting = self._fitting[codes] = []
            for kind, weighted in self._pools.items():
                claims = [claim for code, claim, often in weighted if code in codes for _ in range(often)]
                fitting += [claims] * KINDS[kind] if claims else []
        random, pools = stream.random, self._fitting[codes]
        while pools:
            pool = pools[int(random() * len(pools))]
            yield pool[int(random() * len(pool))]


pools_of = lru_cache(maxsize=64)(Pools)  # return the pools of a setup, made once a process


def draw_form(stream: Stream, n: int, order: int) -> Form:
    """Return a form of hypotheses of an order, without a negated fact after WHETHER."""
    shape = tuple([(WHETHER if stream.random() < 0.65 else THAT, stream.random() < 0.5) for _ in range(order)])
    positive = [ALL, NAMED, *counts(n)]
    kinds = positive if shape[-1][0] == WHETHER else [*positive, NOT_ALL, NAMED + 1]
    return shape, kinds[stream.below(len(kinds))]


def draw_sequence(stream: Stream, start: State, cell: Cell, pools: Pools, shares: Shares) -> tuple[Claim, ...] | None:
    """Return announcements with one of these shares; each tells something after those before it.

    No announcement comes twice, and the last one earlier leaves other worlds. One or more are of a kind that single
    problems do not have, and two worlds or more are left. Returns None where the drawing ends before there are enough.
    """
    said: list[Claim] = []
    states = [start]
    last = cell.lengths[stream.below(len(cell.lengths))] - 1
    places = stream.draw(range(last), stream.below(last // 2 + 2)) if pools.showings else []
    for place in range(last):
        claim = _showing(stream, states[-1], pools) if place in places else _next(stream, states[-1], pools, said)
        if claim is None:
            return None
        said.append(claim)
        states.append(states[-1].announce(claim))
    claim = _last(stream, states, pools, said, shares)
    return (*said, claim) if claim and any(map(is_new, (*said, claim))) else None


def _showing(stream: Stream, state: State, pools: Pools) -> Claim | None:
    """Return a showing that tells its viewer something; None where none was found."""
    tried = (pools.showings[stream.below(len(pools.showings))] for _ in range(TRIES))
    return next(filter(state.informed, tried), None)


def _telling(state: State, said: list[Claim], tried: Iterable[Claim]) -> Iterator[tuple[Claim, int]]:
    """Yield those of some announcements that tell something new and leave two worlds, each with what it leaves."""
    if state.law.bit_count() < 3:
        return  # nothing rules out a world and leaves two
    for claim in tried:
        left = state.where(claim)
        if left != state.law and left & (left - 1) and claim not in said:
            yield claim, left


def _next(stream: Stream, state: State, pools: Pools, said: list[Claim]) -> Claim | None:
    """Return, of the next CHOICE announcements that tell something, what rules out the least, None without any."""
    telling = islice(_telling(state, said, islice(pools.drawn(stream, ALL_CODES), TRIES)), CHOICE)
    claim, _ = max(telling, key=lambda each: each[1].bit_count(), default=(None, 0))
    return claim


def _last(stream: Stream, states: list[State], pools: Pools, said: list[Claim], shares: Shares) -> Claim | None:
    """Return an announcement that gives a sequence one of these shares, and leaves other worlds in an earlier place.

    states: what is left before each announcement and in the end. Returns None where none of LAST_CHOICE does.
    """
    share = share_of(said)
    codes = tuple(sorted([(wanted - share) % SHARES for wanted in shares]))
    for claim, left in islice(_telling(states[-1], said, islice(pools.drawn(stream, codes), TRIES)), LAST_CHOICE):
        for place in reversed(range(max(0, len(said) - BACK), len(said))):
            earlier = heard(states[place], (claim, *said[place:]))
            if earlier and earlier.law not in (0, left):
                return claim
    return None


def share_of(claims: Iterable[Claim]) -> int:
    """Return the share of a set of announcements, from 0 to SHARES - 1: the sum of their codes."""
    return sum(map(code_of, claims)) % SHARES


@lru_cache(maxsize=1 << 18)
def code_of(claim: Claim) -> int:
    """Return a number from 0 to SHARES - 1 that an announcement shares with its renamings."""
    return crc32(repr(renumbered((claim,), {})).encode()) % SHARES


def kind_of(claim: Claim) -> str:
    """Return which of KINDS an announcement is of."""
    levels, fact = claim
    if not levels:
        return "facts" if fact >= 0 else "counts"
    if is_showing(claim):
        return "showings"
    by_group = {group: kind for kind, group in GROUPS.items()}
    return by_group.get(levels[0][0], "first" if len(levels) == 1 else "second")


def is_new(claim: Claim) -> bool:
    """Return whether no premise of single problems or of other blocks announces this."""
    return claim[1] < 0 or kind_of(claim) not in ("facts", "first")
