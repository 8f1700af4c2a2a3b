"""Right after a line, where does A think that B thinks that the thing is? In four of five not where they do now."""

from collections.abc import Iterator

from ...streams import Stream
from ...syntax.events import Exit, Move, Place, Report, Tell
from ..meaning import Chain
from .query import Belief, Query, Rule, View
from .shortcuts import DEEP_MOST, mostly_changed


def propose(view: View, chain: Chain, stream: Stream) -> Iterator[Query]:
    """Propose lines at which something happened, but not among the last three."""
    lines = range(3, len(view.story.events) - 3)
    happened = [line for line in lines if isinstance(view.event(line), Move | Place | Tell | Report | Exit)]
    for line in stream.shuffled(happened):
        if view.is_moment(line):
            yield Query("past", chain, line=line)


def rests_on(query: Query) -> list[Belief]:
    """Return the belief of the first lines."""
    return [Belief(query.chain, query.line)]


PAST = mostly_changed(
    propose,
    rests_on,
    {
        "last named by then": Rule(DEEP_MOST, lambda view, query: view.named(query.line)[-1]),
        "named by the line": Rule(DEEP_MOST, lambda view, query: getattr(view.event(query.line), "container", None)),
    },
)
"""Beliefs of the past."""
