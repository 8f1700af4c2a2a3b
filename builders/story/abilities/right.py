"""Is A right about where the thing is, does B think so, and does C think that B thinks so?"""

from .query import Belief, Kind, Query, View, asked_of_chain, yes_or_no
from .shortcuts import about_pairs


def rests_on(query: Query) -> list[Belief]:
    """Return where the outer mind takes the thing to be, and where it takes the last agent to think that it is."""
    return [Belief(query.chain[:-1]), Belief(query.chain)]


def answer(query: Query, held: list[int]) -> bool:
    """Return whether both are one place."""
    return held[0] == held[1]


def really_right(view: View, query: Query) -> bool:
    """Return whether the last agent really is right."""
    return view.end() == view.end(query.chain[-1])


RIGHT = Kind(
    asked_of_chain("right"), rests_on, answer, yes_or_no, "yes_no", about_pairs(really_right), paired=True, gate=62
)
"""Judgements of beliefs."""
