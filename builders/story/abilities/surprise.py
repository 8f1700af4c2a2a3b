"""Will A be surprised by what is in a container, does B expect so, and does C think that B does?"""

from collections.abc import Iterator
from dataclasses import replace

from ...streams import Stream
from ...syntax.ability import Query
from .kind import YES_NO, Kind, judge_and_judged
from .shortcuts import ABOUT_PAIRS
from .view import View


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose the containers that the story names."""
    for container in stream.shuffled(sorted(view.named())):
        yield replace(query, container=container)


def answer(query: Query, held: list[int]) -> bool:
    """Return whether exactly one of both is the container: it is there, or it is thought to be there."""
    return held.count(query.container) == 1


def quarters(view: View, query: Query, answer: bool) -> tuple[int, float]:
    """Return whether it is there in the judge's view, and whether the opener is taken to think so: a quarter each."""
    there, thought = [view.held(belief) == query.container for belief in judge_and_judged(query)]
    return 2 * there + thought, 25


SURPRISE = Kind("surprise", YES_NO, propose, judge_and_judged, answer, ABOUT_PAIRS, quarters, gate=62)
