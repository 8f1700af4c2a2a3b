"""Distractions: lines that have nothing to do with what anybody believes, and how often they stand in a story."""

from ..streams import Stream
from ..syntax.events import Dislike, Event, Like, Lose, See

ITEMS, ANIMALS = 3, 4
"""How many items can be lost, and how many animals can be seen. The last item is a watch."""


DISTRACTED = 0.1
"""How likely a distraction stands before a line."""


def draw_distraction(stream: Stream, n_agents: int, n_containers: int, n_things: int, n_items: int = ITEMS) -> Event:
    """Draw a distraction about one of the agents."""
    agent = stream.below(n_agents)
    match stream.below(4):
        case 0:
            return Lose(agent, stream.below(n_items))
        case 1:
            return See(agent, stream.below(ANIMALS))
        case 2:
            return Like(agent, stream.below(n_containers))
        case _:
            return Dislike(agent, stream.below(n_things))


def add_distraction(
    stream: Stream,
    events: list[Event],
    drawn: set[Event],
    n_agents: int,
    n_containers: int,
    n_things: int,
    n_items: int = ITEMS,
) -> None:
    """Add a distraction to the events with probability DISTRACTED, but never as the first event.

    `drawn` holds the distractions of the story so far, as none occurs twice: nobody loses the same item again.
    """
    if events and stream.random() < DISTRACTED:
        distraction = draw_distraction(stream, n_agents, n_containers, n_things, n_items)
        if distraction not in drawn:
            drawn.add(distraction)
            events.append(distraction)
