"""Right after a line, where does A think that B thinks that the thing is? In four of five not where they do now."""

from collections.abc import Iterator
from dataclasses import replace

from ...streams import Stream
from ...syntax.ability import Query
from ...syntax.events import Exit, Move, Place, Report, Tell
from .kind import Kind, Shortcut, line_of
from .shortcuts import ABOUT_CHANGES, DEEP_MOST, mostly_changed
from .view import View


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose lines at which something happened, but not among the first two and the last four."""
    happened = [line for line, event in view.lines[2:-4] if isinstance(event, Move | Place | Tell | Report | Exit)]
    for line in stream.shuffled(happened):
        yield replace(query, line=line)


def named_by_line(view: View, query: Query) -> int | None:
    """Return the container that the line names, None where it names none."""
    return getattr(view.lines[line_of(query) - 1][1], "container", None)


# The last two are what a lazy reader answers who looks at the line.
RULES = {
    **ABOUT_CHANGES,
    "last named by then": Shortcut(DEEP_MOST, lambda view, query: view.named(query.line)[-1]),
    "named by the line": Shortcut(DEEP_MOST, named_by_line),
}

PAST = Kind("past", propose=propose, rules=RULES, cells=mostly_changed, any_order=True)
