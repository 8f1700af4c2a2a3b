"""Distractions: lines that have nothing to do with what anybody believes, and how often they stand in a story."""

from collections.abc import Iterable, Iterator

from ..streams import Stream
from ..syntax.events import Dislike, Event, Like, Lose, Overhear, See

# How many items can be lost, and how many animals can be seen. The last item is a watch.
ITEMS, ANIMALS = 3, 4


DISTRACTED = 0.1  # how likely a distraction stands before a line


def distracted(
    stream: Stream, events: Iterable[Event], n_agents: int, n_containers: int, n_things: int, n_items: int = ITEMS
) -> Iterator[Event]:
    """Yield the events of a story, and before each but the first a distraction with probability DISTRACTED.

    None occurs twice: nobody loses the same item again. None parts a claim from those who overhear it.
    """
    drawn: set[Event] = set()
    for number, event in enumerate(events):
        if number and not isinstance(event, Overhear) and stream.random() < DISTRACTED:
            agent = stream.below(n_agents)
            kinds = (Lose, n_items), (See, ANIMALS), (Like, n_containers), (Dislike, n_things)
            kind, n_objects = kinds[stream.below(4)]
            distraction = kind(agent, stream.below(n_objects))
            if distraction not in drawn:
                drawn.add(distraction)
                yield distraction
        yield event
