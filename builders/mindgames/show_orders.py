"""How `show` explains the announcements of an order block: which worlds each rules out, and why."""

from collections.abc import Iterator, Sequence

from ..logic.claims import SOMEONE, Claim, is_showing, members, owner_of
from ..logic.explanation import Explained, numbers
from ..logic.states import State

MOST_REASONS = 4
"""How many worlds that an announcement rules out are explained, at most."""


def worlds_in(worlds: int) -> list[int]:
    """Return the numbers of the worlds in a set, in the order in which `show` lists them: by their true atoms."""
    return sorted(numbers(worlds), key=numbers)


def spelled(world: int, names: Sequence[str]) -> str:
    """Return a world as the names of whom the atom is true."""
    return "{" + ", ".join(names[agent] for agent in numbers(world)) + "}"


def spelled_worlds(worlds: int, names: Sequence[str]) -> str:
    """Return a set of worlds, the first ones by their names."""
    listed = worlds_in(worlds)
    texts = [spelled(world, names) for world in listed[:MOST_REASONS]]
    return ", ".join([*texts, "…"] if listed[MOST_REASONS:] else texts)


def explanations(explained: Explained) -> Iterator[list[str]]:
    """Yield for each announcement of a premise, SOMEONE first, the lines that say what it changes, and why."""
    for state, claim in zip(explained.states, (SOMEONE, *explained.premise.announcements), strict=False):
        lines = showing_lines if is_showing(claim) else announcement_lines
        yield lines(state, claim, explained.names)


def showing_lines(state: State, claim: Claim, names: Sequence[str]) -> list[str]:
    """Return what a showing changes: which worlds its viewer could not tell apart, and now can."""
    ((viewer, _, _),), fact = claim
    open_worlds = state.law ^ state.knows_whether[viewer][state.facts[fact]]
    count = open_worlds.bit_count()
    told = names[owner_of(fact)]
    return [
        f"rules nothing out; in {count} world{'s' * (count > 1)} {names[viewer]} did not know the fact about {told}, "
        f"and now does: {spelled_worlds(open_worlds, names)}"
    ]


def announcement_lines(state: State, claim: Claim, names: Sequence[str]) -> list[str]:
    """Return which worlds an announcement rules out, and for the first ones why it is false there."""
    gone = state.law ^ state.where(claim)
    count = gone.bit_count()
    explained = worlds_in(gone)[:MOST_REASONS] if claim[0] else ()
    return [
        f"rules out {count} world{'s' * (count > 1)}: {spelled_worlds(gone, names)}",
        *(f"in {spelled(world, names)} {why_false(state, claim, 1 << world, names)}" for world in explained),
    ]


def why_false(state: State, claim: Claim, world: int, names: Sequence[str]) -> str:
    """Return why what somebody, or a group, is said to know or not to know is not so in a world, a set of one."""
    said = next(each for each in members(claim, len(names)) if not state.where(each) & world)
    ((agent, _, negated), *inner), fact = said
    if agent < 0:
        return "they know it" if negated else "they do not know it"
    possible = state.alike(agent, world)
    so = possible & state.where((tuple(inner), fact))
    verdict = f"{names[agent]} takes {spelled_worlds(possible, names)} for possible"
    if so in (0, possible):
        return f"{verdict}, and it is {'so' if so else 'not so'} in {'all' if so.bit_count() != 1 else 'it'}"
    return f"{verdict}, and it is so only in {spelled_worlds(so, names)}"
