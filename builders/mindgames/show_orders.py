"""How `show` explains the announcements of an order block: which worlds each rules out, and why."""

from collections.abc import Iterator
from functools import cache

from ..logic.claims import SOMEONE, Claim, is_showing, members, owner_of
from ..logic.explanation import Explained, numbers
from ..logic.states import State
from ..splits import ENGLISH
from ..syntax.formula import agent_name
from ..wording.languages import Macros, macros

MOST_REASONS = 4  # how many worlds that an announcement rules out are explained, at most


@cache
def pages() -> Macros:
    """Return the macros of `show_problems.jinja`."""
    return macros(ENGLISH, "show_problems", of_whom=numbers, most_reasons=MOST_REASONS, agent_name=agent_name)


def worlds_in(worlds: int) -> list[int]:
    """Return the numbers of the worlds in a set, in the order in which `show` lists them: by their true atoms."""
    return sorted(numbers(worlds), key=numbers)


def explanations(explained: Explained) -> Iterator[list[str]]:
    """Yield for each announcement of a premise, SOMEONE first, the lines that say what it changes, and why."""
    for state, claim in zip(explained.states, (SOMEONE, *explained.premise.announcements), strict=False):
        gone = worlds_in(state.law ^ state.where(claim))  # of a showing: where its viewer did not know
        if is_showing(claim):
            ((viewer, _, _),), fact = claim
            text = pages().shown(gone, viewer, owner_of(fact), explained.names)
        else:
            explained_worlds = gone[:MOST_REASONS] if claim[0] else ()
            reasons = [(world, why_false(state, claim, 1 << world, explained.names)) for world in explained_worlds]
            text = pages().announced(gone, reasons, explained.names)
        yield text.split("\n")


def why_false(state: State, claim: Claim, world: int, names: tuple[str, ...]) -> str:
    """Return why what somebody, or a group, is said to know or not to know is not so in a world, a set of one."""
    said = next(each for each in members(claim, len(names)) if not state.where(each) & world)
    ((agent, _, negated), *inner), fact = said
    possible = state.alike(agent, world) if agent >= 0 else 0
    so = possible & state.where((tuple(inner), fact))
    return pages().doubt(agent >= 0 and names[agent], negated, worlds_in(possible), worlds_in(so), names)
