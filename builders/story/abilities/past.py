"""Right after a line, where does A think that B thinks that the thing is? In four of five not where they do now."""

from collections.abc import Iterator
from dataclasses import replace

from ...streams import Stream
from ...syntax.events import Exit, Move, Place, Report, Tell
from .query import Kind, Query, Rule, View
from .shortcuts import ABOUT_CHANGES, DEEP_MOST, mostly_changed


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose lines at which something happened that nobody overheard, but not among the last three."""
    lines = range(3, len(view.story.events) - 3)
    happened = [line for line in lines if isinstance(view.event(line), Move | Place | Tell | Report | Exit)]
    for line in stream.shuffled(happened):
        if not view.is_overheard(line):
            yield replace(query, line=line)


# The last two are what a lazy reader answers who looks at the line.
RULES = {
    **ABOUT_CHANGES,
    "last named by then": Rule(DEEP_MOST, lambda view, query: view.named(query.line)[-1]),
    "named by the line": Rule(DEEP_MOST, lambda view, query: getattr(view.event(query.line), "container", None)),
}

PAST = Kind("past", propose=propose, rules=RULES, cells=mostly_changed)
