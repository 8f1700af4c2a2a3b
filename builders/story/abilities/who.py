"""Which of three named agents think that the thing is in a container, in the eyes of the outer minds of the chain?

The last agent of the chain is the first of the three.
"""

from collections.abc import Iterator
from dataclasses import replace

from ...streams import Stream
from ...syntax.ability import Query
from ...syntax.events import Move, Report
from .kind import MEASURED, WHICH, Kind, Shortcut, in_equal_shares, side_by_side
from .shortcuts import ABOUT_MINDS, MIND_MOST
from .view import View


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose the places that the agents are taken to believe in, and one where nobody is."""
    # There are more than two others (`family.BESIDE`).
    query = replace(query, others=tuple(stream.shuffled(set(range(view.story.n_agents)) - set(query.chain))[:2]))
    held = {view.held(belief) for belief in side_by_side(query)}
    others = stream.shuffled(sorted(set(view.named()) - held))[:1]
    for container in stream.shuffled(sorted(place for place in held if place is not None) + others):
        yield replace(query, container=container)


def answer(query: Query, held: list[int]) -> tuple[bool, ...]:
    """Return of each of the three whether it is the container."""
    return tuple([container == query.container for container in held])


def moved_or_named(view: View, query: Query) -> tuple[bool, ...]:
    """Return of each of the three whether he moves the thing there, or a claim says that he thinks it is there."""
    there = [event for event in view.story.events if getattr(event, "container", None) == query.container]
    movers = {event.agent for event in there if isinstance(event, Move)}
    named = {event.chain[-1] for event in there if isinstance(event, Report)}
    return tuple([agent in movers | named for agent in (query.chain[-1], *query.others)])


RULES = {
    "nobody": Shortcut(MIND_MOST, lambda view, query: (False,) * 3),
    "moved or named": Shortcut(MEASURED, moved_or_named, since=2),
    **ABOUT_MINDS,
}

WHO = Kind("who", WHICH, propose, side_by_side, answer, RULES, in_equal_shares)
