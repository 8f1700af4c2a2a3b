"""Distractions: lines that have nothing to do with what anybody believes, and how often they stand in a story."""

from ..streams import Stream
from ..syntax.events import Dislike, Event, Like, Lose, See

# How many items can be lost, and how many animals can be seen. The last item is a watch.
ITEMS, ANIMALS = 3, 4


DISTRACTED = 0.1  # how likely a distraction stands before a line


def add_distraction(
    stream: Stream, events: list[Event], n_agents: int, n_containers: int, n_things: int, n_items: int = ITEMS
) -> None:
    """Add a distraction to the events with probability DISTRACTED, but never as the first event.

    None occurs twice in a story: nobody loses the same item again.
    """
    if events and stream.random() < DISTRACTED:
        agent = stream.below(n_agents)
        kinds = (Lose, n_items), (See, ANIMALS), (Like, n_containers), (Dislike, n_things)
        kind, n_objects = kinds[stream.below(4)]
        distraction = kind(agent, stream.below(n_objects))
        if distraction not in events:
            events.append(distraction)
