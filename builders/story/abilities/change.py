"""Which of eight lines was the last to change where A thinks that B thinks that the thing is?

An entering and the sentence behind it on where the thing is are one moment, and only the entering is listed: where a
interpretation gives somebody another belief before that moment, it does so before the entering.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from operator import attrgetter

from ...streams import Stream
from ...syntax.ability import Belief, Query
from ...syntax.events import Enter, Event, Exit, Move, Report, Tell
from ..meaning import Chain, Facts, by_rules, each, reached
from .kind import LINE, MEASURED, SHOWN, Kind, Shortcut, belief_of_chain, in_equal_shares
from .shortcuts import PERCEIVED, one_order_lower, perceived_together
from .view import View

LISTED = 8  # lines that a question lists

MOST = 32  # on how many questions of a hundred a rule may be right


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose the last change among lines that stand in the story, at each place that it can have among them."""
    right = last_change(view, query.chain)
    lines = listable(view, query.chain) if right else []
    before, after = [line for line in lines if line < right], [line for line in lines if line > right]
    for place in stream.shuffled(range(LISTED)) if right in lines else ():
        if len(before) >= place and len(after) >= LISTED - 1 - place:
            chosen = [*stream.draw(before, place), right, *stream.draw(after, LISTED - 1 - place)]
            yield replace(query, options=tuple(sorted(chosen)))


def last_change(view: View, chain: Chain) -> int:
    """Return the last line whose container differs from the one before, 0 for none."""
    facts = view.facts
    taught = pairwise(each(by_rules(facts, chain)))
    changes = [line for before, line in taught if facts.containers[before] != facts.containers[line]]
    return facts.lines[changes[-1]] + 1 if changes else 0


def listable(view: View, chain: Chain) -> list[int]:
    """Return the lines that may be listed: moves, claims, entrances and exits before which the chain has a belief."""
    kinds = Enter | Exit | Move | Tell | Report
    lines = [line for line, event in view.lines if isinstance(event, kinds) and line not in view.overheard]
    return [line for line in lines if view.held(Belief(chain, line - 1)) is not None]


def rests_on(query: Query) -> list[Belief]:
    """Return the beliefs just before each listed line and just after it."""
    return [Belief(query.chain, line - before) for line in query.options for before in (1, 0)]


def answer(query: Query, held: list[int]) -> int | None:
    """Return the last listed line whose belief just after is not that just before."""
    changes = zip(query.options, held[::2], held[1::2], strict=True)
    return max((line for line, before, after in changes if before != after), default=None)


def last_listed(lines_of: Callable[[Facts], int], view: View, query: Query) -> int | None:
    """Return the last listed one of some lines that reach the last agent of the chain."""
    return listed_last(view, query, reached(view.facts, query.chain[-1]) & lines_of(view.facts))


def last_perceived(view: View, query: Query) -> int | None:
    """Return the last listed line that all of the chain perceive openly."""
    return listed_last(view, query, perceived_together(view.facts, query.chain))


def listed_last(view: View, query: Query, lines: int) -> int | None:
    """Return the last of some lines, given as bits of the facts, that the question lists."""
    return max({view.facts.lines[place] + 1 for place in each(lines)} & {*query.options}, default=None)


def last_naming_first(view: View, query: Query) -> int | None:
    """Return the last listed move or claim that names the first agent of the chain."""
    lines = moves_and_claims(view, query)
    return max((line for line in lines if query.chain[0] in agents_of(view.lines[line - 1][1])), default=None)


def agents_of(event: Event) -> tuple[int, ...]:
    """Return the agents that a move or a claim names, nobody for other events."""
    match event:
        case Move(agent):
            return (agent,)
        case Tell(speaker, hearers):
            return (speaker, *hearers)
        case Report(speaker, hearers, chain):
            return (speaker, *hearers, *chain)
    return ()


def moves_and_claims(view: View, query: Query) -> frozenset[int]:
    """Return the listed lines that move the thing or make a claim."""
    return frozenset(line for line in query.options if isinstance(view.lines[line - 1][1], Move | Tell | Report))


RULES = {
    "last listed": Shortcut(MOST, lambda view, query: query.options[-1]),
    "first listed": Shortcut(MOST, lambda view, query: query.options[0]),
    "last claim heard": Shortcut(MOST, partial(last_listed, attrgetter("claims"))),
    "last sighting": Shortcut(MOST, partial(last_listed, attrgetter("sightings"))),
    "one order lower": Shortcut(MOST, one_order_lower, since=2),
    PERCEIVED: Shortcut(MOST, last_perceived, since=2),
    "last that names the first": Shortcut(MEASURED, last_naming_first, since=2),
    "a move or a claim": Shortcut(MEASURED, moves_and_claims, since=SHOWN),
}

CHANGE = Kind("change", LINE, propose, rests_on, answer, RULES, in_equal_shares, explained_by=belief_of_chain, gate=35)
