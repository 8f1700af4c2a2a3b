"""Had a line not happened, where would A think that B thinks that the thing is? In four of five not where they do.

It is a claim, a move, an exit or a watch, and the rest still makes sense.
"""

from collections.abc import Iterator
from dataclasses import replace

from ...streams import Stream
from ...syntax.ability import Belief, Query
from ...syntax.events import Exit, Move, Report, Tell, Watch
from .kind import CONTAINER, Kind, Shortcut, line_of
from .shortcuts import ABOUT_CHANGES, DEEP_MOST, mostly_changed
from .view import View


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose lines without which the rest of the story still makes sense."""
    for line, event in stream.shuffled(view.lines):
        if isinstance(event, Tell | Report | Move | Exit | Watch):
            if view.changed(Belief((), without=line)).is_coherent:
                yield replace(query, line=line)


def rests_on(query: Query) -> list[Belief]:
    """Return the belief of the chain had the line not happened."""
    return [Belief(query.chain, without=query.line)]


def belief_before(view: View, query: Query) -> int | None:
    """Return where the chain believed the thing to be before the line."""
    return view.held(Belief(query.chain, line_of(query) - 1))


# The last is what a lazy reader answers who looks at the line.
RULES = {
    **ABOUT_CHANGES,
    "belief before the line": Shortcut(DEEP_MOST, belief_before),
}

WHAT_IF = Kind("what_if", CONTAINER, propose, rests_on, rules=RULES, cells=mostly_changed, any_order=True)
