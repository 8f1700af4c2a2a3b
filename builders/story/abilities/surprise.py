"""Will A be surprised by what is in a container, does B expect so, and does C think that B does?"""

from collections.abc import Iterator
from itertools import product

from ...streams import Stream
from ..meaning import Chain
from .query import Belief, Kind, Query, View, yes_or_no
from .shortcuts import about_pairs


def propose(view: View, chain: Chain, stream: Stream) -> Iterator[Query]:
    """Propose the containers that the story names."""
    for container in stream.shuffled(sorted(view.named())):
        yield Query("surprise", chain, container=container)


def rests_on(query: Query) -> list[Belief]:
    """Return where the judge takes the thing to be, and where the judge takes the opener to think that it is."""
    return [Belief(query.chain[:-1]), Belief(query.chain)]


def answer(query: Query, held: list[int]) -> bool:
    """Return whether exactly one of both is the container: it is there, or it is thought to be there."""
    return held.count(query.container) == 1


def is_there_and_thought(view: View, query: Query, answer: bool) -> tuple[bool, bool]:
    """Return whether it is there in the judge's view, and whether the opener is taken to think so."""
    there, thought = [view.held(belief) == query.container for belief in rests_on(query)]
    return there, thought


def really_surprised(view: View, query: Query) -> bool:
    """Return whether the opener really will be surprised."""
    return answer(query, [view.end(), view.end(query.chain[-1])])


SURPRISE = Kind(
    propose,
    rests_on,
    answer,
    yes_or_no,
    "yes_no",
    about_pairs(really_surprised),
    cells=is_there_and_thought,
    shares=dict.fromkeys(product((True, False), repeat=2), 25),
    paired=True,
    gate=62,
)
"""Surprises."""
