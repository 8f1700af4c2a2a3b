"""Do A and B agree about where the thing is, does C think that they do, and does D think that C thinks so?"""

from collections.abc import Iterator

from ...streams import Stream
from ..meaning import Chain
from .query import Belief, Kind, Query, View, yes_or_no
from .shortcuts import about_pairs


def propose(view: View, chain: Chain, stream: Stream) -> Iterator[Query]:
    """Propose each other agent beside the last of the chain."""
    for other in stream.shuffled(set(range(view.story.n_agents)) - set(chain)):
        yield Query("agree", chain, (other,))


def rests_on(query: Query) -> list[Belief]:
    """Return what both are taken to think."""
    return [Belief(query.chain), Belief((*query.chain[:-1], *query.others))]


def answer(query: Query, held: list[int]) -> bool:
    """Return whether both are one place."""
    return held[0] == held[1]


def really_agree(view: View, query: Query) -> bool:
    """Return whether both agents really agree."""
    return view.end(query.chain[-1]) == view.end(*query.others)


AGREE = Kind(propose, rests_on, answer, yes_or_no, "yes_no", about_pairs(really_agree), paired=True, gate=62)
"""Two beliefs compared."""
