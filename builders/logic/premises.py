"""Own how MindGames problems are drawn: a stream goes in, problems and blocks of four of them come out.

A claim is what is announced or supposed: (levels, fact), where each level is (agent, link, negated), the outermost
first, and a fact is SOME, ALL, NOT_ALL or NONE, or `about(agent, negated)`. An announcement has at most one level, a
hypothesis of order k has k. A form is a claim with its agents left out (DESIGN, section 5).
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple
from zlib import crc32

from builders.logic.claims import NAMED, SOMEONE, THAT, WHETHER, Claim, Form, Premise, about, renamed
from builders.logic.formula import SETUPS
from builders.logic.states import State, after, start
from builders.streams import Stream

N_AGENTS = range(2, 13)
"""How many agents a problem may have: the words count to twelve."""


ORDERS = range(1, 13)
"""The orders that a hypothesis may have."""


FACTS_SHARE = 0.3
"""The share of facts among announcements: 29 % in the published data, of which more knowledge is discarded."""


NEGATED_SHARE = 0.8
"""The share of negated knowledge in announcements (MindGames paper, section 4.1)."""


HAND = 24
"""So many premises are drawn for the same sight."""


REPRODUCTION_SHARE = 8
"""One problem in so many is kept for the unbalanced config, so that no block has one of its problems."""


MANY = 5
"""From so many agents on every second premise is kept for `scale`, so that no other config has one of its premises."""


def draw_sees(drawn: Stream, setup: str, n: int) -> tuple[tuple[int, ...], ...]:
    """Return which atoms each of n agents observes (MindGames paper, section 3.2)."""
    if setup == "explicit":
        return tuple([tuple([atom for atom in range(1, n + 1) if drawn.random() * n < 1]) for _ in range(n)])
    return fixed_sees(setup, n)


@cache
def fixed_sees(setup: str, n: int) -> tuple[tuple[int, ...], ...]:
    """Return which atoms each of n agents observes in a setup that leaves nothing to chance."""
    atoms = range(1, n + 1)
    match setup:
        case "forehead":
            return tuple(tuple(atom for atom in atoms if atom != own) for own in atoms)
        case "forehead_mirror":
            return tuple(tuple(atoms) for _ in atoms)
        case "internal":
            return tuple((own,) for own in atoms)
        case _:
            raise ValueError(f"unknown setup {setup!r}; the setups are {', '.join(SETUPS)}")


def draw_fact(drawn: Stream, n: int) -> int:
    """Return a fact, its subject uniformly one of the quantifiers and the agents (MindGames paper, section 3.3)."""
    subject = drawn.below(NAMED + n)
    return subject if subject < NAMED else about(subject - NAMED, drawn.random() < 0.5)


def draw_announcement(drawn: Stream, n: int) -> Claim:
    """Return a fact, or that an agent knows one or does not."""
    if drawn.random() < FACTS_SHARE:
        return (), draw_fact(drawn, n)
    return ((drawn.below(n), drawn.below(2), drawn.random() < NEGATED_SHARE),), draw_fact(drawn, n)


def draw_premise(drawn: Stream, setup: str, sees: tuple[tuple[int, ...], ...]) -> tuple[Premise, "State"]:
    """Return a premise with 0 to n announcements after the first, and what it leaves.

    Where an announcement leaves no world none follows, so that the premise can be discarded.
    """
    n = len(sees)
    state = start(sees).told(SOMEONE)
    said = []
    for _ in range(drawn.below(n + 1)):
        claim = draw_announcement(drawn, n)
        said.append(claim)
        state = state.told(claim)
        if not state.law:
            break
    return Premise(setup, sees, tuple(said)), state


def draw_form(drawn: Stream, n: int, order: int) -> Form:
    """Return the form of a hypothesis of an order: knowledge is negated half of the time."""
    shape = tuple([(drawn.below(2), drawn.random() < 0.5) for _ in range(order)])
    fact = draw_fact(drawn, n)
    return shape, fact if fact < NAMED else NAMED + fact % 2


def draw_hypothesis(drawn: Stream, n: int, order: int) -> Claim:
    """Return a hypothesis of an order: no agent is asked what he himself knows of his knowledge."""
    shape, kind = draw_form(drawn, n, order)
    levels = []
    agent = drawn.below(n)
    for link, negated in shape:
        levels.append((agent, link, negated))
        agent = (agent + 1 + drawn.below(n - 1)) % n
    return tuple(levels), kind if kind < NAMED else about(drawn.below(n), kind > NAMED)


class Known(NamedTuple):
    """Hold a premise with what it leaves, how its agents are numbered, and a checksum of what its renamings share."""

    premise: Premise
    state: State
    number: dict[int, int]
    mark: int


def identity(premise: Premise, number: dict[int, int], *hypotheses: Claim) -> tuple:
    """Return what premises, or problems, have in common when one is a renaming of the other, and (nearly) only then.

    Agents are numbered, in `number`, as they are first spoken of. Those whom only the cards tell apart (`explicit`) are
    coloured by what they see and who sees them until no colour splits further: where four or more of whom nothing is
    said see one another in circles, this may take two premises for one, which only leaves one of them out.
    """
    claims = renamed(premise.said + hypotheses, number)
    n = len(premise.sees)
    if premise.setup != "explicit":
        return premise.setup, n, claims
    agents = range(n)
    sees = [[atom - 1 for atom in seen] for seen in premise.sees]
    seen_by = [[viewer for viewer in agents if agent in sees[viewer]] for agent in agents]
    colour = [number.get(agent, n) for agent in agents]
    colours = 0
    while len(set(colour)) > colours:
        colours = len(set(colour))
        signs = [
            (colour[a], a in sees[a], tuple(sorted(colour[b] for b in sees[a])),
             tuple(sorted(colour[b] for b in seen_by[a])))
            for a in agents
        ]  # fmt: skip
        ranks = {sign: rank for rank, sign in enumerate(sorted(set(signs)))}
        colour = [ranks[sign] for sign in signs]
    return premise.setup, n, claims, tuple(sorted(signs))


def is_reproduced(known: Known, hypothesis: Claim) -> bool:
    """Return whether a problem, whatever its names, is kept for the unbalanced config."""
    (claim,) = renamed((hypothesis,), dict(known.number))
    return crc32(repr(claim).encode(), known.mark) % REPRODUCTION_SHARE == 0


def premises(drawn: Stream, setup: str, n: int, most: int, counts: Counter, scale: bool = False) -> Iterator[Known]:
    """Yield premises that leave a world, each once up to renaming, and count: drawn, "no world", "again", "kept".

    From MANY agents on, one half is for `scale`, the other for the rest; those of the other half are counted as kept.

    At most so many are drawn, HAND at a time for the same sight: the premises of a block see the same. Two agents have
    few: of them fewer are drawn, then all that there are follow.
    """
    seen = set()

    def candidates() -> Iterator[tuple[Premise, State]]:
        for number in range(most // 8 if n == 2 else most):
            if number % HAND == 0:
                sees = draw_sees(drawn, setup, n)
            yield draw_premise(drawn, setup, sees)
        if n == 2:
            yield from ((premise, after(premise)) for premise in drawn.shuffled(premises_of_two(setup)))

    for premise, state in candidates():
        counts["drawn"] += 1
        if not state.law:
            counts["no world"] += 1
            continue
        number: dict[int, int] = {}
        same = identity(premise, number)
        if same in seen:
            counts["again"] += 1
            continue
        seen.add(same)
        mark = crc32(repr(same).encode())
        if n >= MANY and mark % 2 != scale:
            counts["kept"] += 1
            continue
        yield Known(premise, state, number, mark)


def premises_of_two(setup: str) -> list[Premise]:
    """Return every premise of two agents that `draw_premise` could draw."""
    rows = [(), (1,), (2,), (1, 2)]
    seen = list(product(rows, repeat=2)) if setup == "explicit" else [fixed_sees(setup, 2)]
    levels = [(), *((level,) for level in product(range(2), (THAT, WHETHER), (False, True)))]
    claims = list(product(levels, range(NAMED + 4)))
    return [Premise(setup, sees, said) for sees in seen for k in range(3) for said in product(claims, repeat=k)]
