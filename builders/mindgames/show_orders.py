"""How `show` explains the announcements of an order block: which worlds each rules out, and why."""

from collections.abc import Iterator, Sequence

from ..logic.claims import NAMED, SOMEONE, Claim, Premise, is_showing, members
from ..logic.states import State, initial_state, state_after

MOST_REASONS = 4
"""So many worlds that an announcement rules out are explained at most."""

World = tuple[int, ...]
"""The atoms that are true."""


def worlds_of_bits(bits: int, n: int) -> list[World]:
    """Return a set of worlds over n atoms as `show` lists it."""
    worlds = [tuple(p + 1 for p in range(n) if world >> p & 1) for world in range(1 << n) if bits >> world & 1]
    return sorted(worlds)


def spelled_world(world: World, names: Sequence[str]) -> str:
    """Return a world as the names of whom the atom is true."""
    return "{" + ", ".join(names[atom - 1] for atom in world) + "}"


def spelled_worlds(bits: int, names: Sequence[str]) -> str:
    """Return a set of worlds, the first ones by their names."""
    worlds = worlds_of_bits(bits, len(names))
    texts = [spelled_world(world, names) for world in worlds[:MOST_REASONS]]
    return ", ".join([*texts, *(["…"] if len(worlds) > MOST_REASONS else [])])


def explanations(premise: Premise, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield for each announcement of a premise, SOMEONE first, the lines that say what it changes, and why."""
    state = initial_state(premise.sees)
    for claim in (SOMEONE, *premise.announcements):
        yield showing_lines(state, claim, names) if is_showing(claim) else announcement_lines(state, claim, names)
        state = state.announce(claim)


def showing_lines(state: State, claim: Claim, names: Sequence[str]) -> list[str]:
    """Return what a showing changes: which worlds its viewer could not tell apart, and now can."""
    ((viewer, _, _),), fact = claim
    open_worlds = state.law ^ state.knows_whether[viewer][state.facts[fact]]
    count = open_worlds.bit_count()
    told = names[(fact - NAMED) // 2]
    return [
        f"rules nothing out; in {count} world{'s' * (count > 1)} {names[viewer]} did not know the fact about {told}, "
        f"and now does: {spelled_worlds(open_worlds, names)}"
    ]


def announcement_lines(state: State, claim: Claim, names: Sequence[str]) -> list[str]:
    """Return which worlds an announcement rules out, and for the first ones why it is false there."""
    gone = state.law ^ state.where(claim)
    count = gone.bit_count()
    lines = [f"rules out {count} world{'s' * (count > 1)}: {spelled_worlds(gone, names)}"]
    if not claim[0]:
        return lines
    for world in worlds_of_bits(gone, len(names))[:MOST_REASONS]:
        lines.append(f"in {spelled_world(world, names)} {why_false(state, claim, world, names)}")
    return lines


def why_false(state: State, claim: Claim, world: World, names: Sequence[str]) -> str:
    """Return why what somebody, or a group, is said to know or not to know is not so in a world."""
    bit = 1 << sum(1 << atom - 1 for atom in world)
    said = next(each for each in members(claim, len(names)) if not state.where(each) & bit)
    ((agent, _, negated), *inner), fact = said
    if agent < 0:
        return "they know it" if negated else "they do not know it"
    possible = state.alike(agent, bit)
    so = possible & state.where((tuple(inner), fact))
    verdict = f"{names[agent]} takes {spelled_worlds(possible, names)} for possible"
    if so in (0, possible):
        return f"{verdict}, and it is {'so' if so else 'not so'} in {'all' if so.bit_count() != 1 else 'it'}"
    return f"{verdict}, and it is so only in {spelled_worlds(so, names)}"


def left_in(premise: Premise, names: Sequence[str]) -> str:
    """Return what the announcements of a premise leave."""
    law = state_after(premise).law
    return f"{law.bit_count()} worlds: {spelled_worlds(law, names)}"
