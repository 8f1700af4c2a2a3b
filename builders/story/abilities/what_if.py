"""Had a line not happened, where would A think that B thinks that the thing is? In four of five not where they do.

A claim that nobody overhears can always go; a move, an exit or a watch only if the rest still makes sense.
"""

from collections.abc import Iterator
from dataclasses import replace

from ...streams import Stream
from ...syntax.events import Exit, Move, Report, Tell, Watch
from .query import Belief, Kind, Query, Rule, View
from .shortcuts import ABOUT_CHANGES, DEEP_MOST, mostly_changed


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose lines without which the rest of the story still makes sense."""
    for line in stream.shuffled(range(1, len(view.story.events) + 1)):
        event, without = view.event(line), view.changed(Belief((), without=line))
        is_claim = isinstance(event, Tell | Report) and not view.is_overheard(line)
        if is_claim or isinstance(event, Move | Exit | Watch) and without.is_coherent:
            yield replace(query, line=line)


# The last is what a lazy reader answers who looks at the line.
RULES = {
    **ABOUT_CHANGES,
    "belief before the line": Rule(DEEP_MOST, lambda view, query: view.held(Belief(query.chain, query.line - 1))),
}

WHAT_IF = Kind(
    "what_if",
    propose=propose,
    rests_on=lambda query: [Belief(query.chain, without=query.line)],
    rules=RULES,
    cells=mostly_changed,
    any_order=True,
)
