"""Which of three named agents think that the thing is in a container, in the eyes of the outer minds of the chain?

The last agent of the chain is the first of the three.
"""

from collections.abc import Iterator
from itertools import product

from ...streams import Stream
from ..meaning import Chain
from .query import Belief, Kind, Query, Rule, View
from .shortcuts import MIND_MOST, about_minds


def propose(view: View, chain: Chain, stream: Stream) -> Iterator[Query]:
    """Propose the places that the agents are taken to believe in, and one where nobody is."""
    named = stream.shuffled(set(range(view.story.n_agents)) - set(chain))[:2]
    if len(named) < 2:
        return
    query = Query("who", chain, tuple(named))
    held = {view.held(belief) for belief in rests_on(query)}
    others = stream.shuffled(sorted(set(view.named()) - held))[:1]
    for container in stream.shuffled(sorted(held - {None}) + others):
        yield Query("who", chain, tuple(named), container=container)


def rests_on(query: Query) -> list[Belief]:
    """Return what each of the three is taken to think."""
    return [Belief((*query.chain[:-1], agent)) for agent in (query.chain[-1], *query.others)]


def answer(query: Query, held: list[int]) -> tuple[bool, ...]:
    """Return of each of the three whether it is the container."""
    return tuple([container == query.container for container in held])


SETS = [*product((False, True), repeat=3)]
"""Of each of the three, whether they think so."""

WHO = Kind(
    propose,
    rests_on,
    answer,
    lambda view, query, answer: SETS,
    "which",
    lambda kind: {"nobody": Rule(MIND_MOST, lambda view, query: (False,) * 3)} | about_minds(kind),
    cells=lambda view, query, answer: answer,
    shares=dict.fromkeys(SETS, 100 / len(SETS)),
)
"""Several beliefs at once."""
