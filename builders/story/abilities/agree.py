"""Do A and B agree about where the thing is, does C think that they do, and does D think that C thinks so?"""

from collections.abc import Iterator
from dataclasses import replace

from ...streams import Stream
from ...syntax.ability import Query
from .kind import YES_NO, Kind, are_one, side_by_side
from .shortcuts import ABOUT_PAIRS
from .view import View


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose each other agent beside the last of the chain."""
    for other in stream.shuffled(set(range(view.story.n_agents)) - set(query.chain)):
        yield replace(query, others=(other,))


AGREE = Kind("agree", YES_NO, propose, side_by_side, are_one, ABOUT_PAIRS, gate=62)
