"""Does a speaker think what she says, and is it so? From order 2 in the eyes of who hears it, right after the line.

The last agent of the chain is the speaker.
"""

from collections.abc import Iterator
from itertools import product

from ...streams import Stream
from ...syntax.events import Tell
from ..meaning import Chain
from .query import Belief, Kind, Query, Rule, View
from .shortcuts import MIND_MOST, about_minds


def propose(view: View, chain: Chain, stream: Stream) -> Iterator[Query]:
    """Propose the claims that the last agent of the chain makes and that the others hear."""
    for line in stream.shuffled(range(1, len(view.story.events) + 1)):
        event = view.event(line)
        if isinstance(event, Tell) and event.speaker == chain[-1] and not view.is_overheard(line):
            if event.thing == view.thing and set(chain[:-1]) <= set(event.hearers or range(view.story.n_agents)):
                yield Query("lie", chain, line=line, container=event.container)


def rests_on(query: Query) -> list[Belief]:
    """Return where the outer mind takes the thing to be right after the line, and where it takes the speaker to."""
    return [Belief(query.chain[:-1], query.line), Belief(query.chain, query.line)]


def answer(query: Query, held: list[int]) -> tuple[bool, bool]:
    """Return whether the speaker thinks what she says, and whether it is so."""
    there, thought = [container == query.container for container in held]
    return thought, there


def if_honest(view: View, query: Query) -> tuple[bool, bool]:
    """Return that she thinks so if it really is so, else that neither holds."""
    return (view.held(Belief((), query.line)) == query.container,) * 2


OPTIONS = [*product((True, False), repeat=2)]
"""Whether she thinks so, and whether it is so."""

LIE = Kind(
    propose,
    rests_on,
    answer,
    lambda view, query, answer: OPTIONS,
    "truth",
    lambda kind: {"honest if true": Rule(MIND_MOST, if_honest, since=2)} | about_minds(kind),
    cells=lambda view, query, answer: answer,
    shares=dict.fromkeys(OPTIONS, 25),
    any_order=True,
)
"""Lies and mistakes."""
