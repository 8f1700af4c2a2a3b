"""What a lazy reader answers to questions of `abilities`: rules that the draw keeps rare, and the audit measures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import combinations, permutations, product
from operator import attrgetter, or_
from typing import Any

from ...syntax.ability import Belief, Query
from ..lines import LineSet
from ..meaning import Chain, Facts, by_rules, first_chapter, places, reached, shared
from .kind import MEASURED, Shortcut
from .view import View

# On how many questions of a hundred a rule may be right: about containers, yes and no, and several minds.
DEEP_MOST, EVEN_MOST, MIND_MOST = 35, 58, 37

Guess = Callable[[View, Query], Any]  # what a lazy reader answers to a question about a story: see `Rule.guess`

# The orders in which a rule may prefer options, each by whether two shortcuts answer it.
ORDERS = [*permutations(product((True, False), repeat=2))]


@cache
def orders_with_first(first: tuple[bool, bool], others: frozenset[tuple[bool, bool]]) -> list[int]:
    """Return the numbers of the orders in which one cell comes before some others."""
    return [n for n, order in enumerate(ORDERS) if all(order.index(first) <= order.index(cell) for cell in others)]


def of_two_features(
    picked: Mapping[str, frozenset[Any]], options: Sequence[Any], answer: Any
) -> dict[tuple[str, str, int], float]:
    """Return how often each rule of two features is right, if ever: two names of shortcuts and the number of an order.

    A cell holds the options that two shortcuts pick, only one of both, or neither. A rule answers one of those in the
    first cell that is not empty.
    """
    has = {name: [option in of_rule for option in options] for name, of_rule in picked.items()}
    right: dict[tuple[str, str, int], float] = {}
    place = options.index(answer)
    for one, other in combinations(has, 2):
        cells = [*zip(has[one], has[other], strict=True)]
        share = 1 / cells.count(cells[place])
        for order in orders_with_first(cells[place], frozenset(cells)):
            right[one, other, order] = share
    return right


def as_if(view: View, query: Query, chain: Chain | None) -> Any:
    """Return the answer to a question as if it had another chain; None for no chain."""
    return None if chain is None else query.kind.answer_to(view, replace(query, chain=chain))


def one_order_lower(view: View, query: Query) -> Any:
    """Return the answer for the chain without its first agent, None where it has only one."""
    return as_if(view, query, query.chain[1:] or None)


def last_alone(view: View, query: Query) -> Any:
    """Return the answer for the last agent of the chain alone, as a question of order 1 has it."""
    return as_if(view, query, query.chain[-1:])


def last_reaching(lines_of: Callable[[Facts], int], view: View, query: Query) -> int | None:
    """Return what the last of some lines says that reaches the last agent of the chain."""
    facts = view.changed(Belief((), query.kind.rests_on(query)[0].upto)).facts
    return facts.last(lines_of(facts) & reached(facts, query.chain[-1]))


def trusted_claims(facts: Facts) -> int:
    """Return the claims that anybody trusts."""
    return facts.claims & reduce(or_, facts.trusts)


def seen_in_first_chapter(view: View, query: Query) -> int | None:
    """Return where the last agent of the chain saw the thing last in the first chapter."""
    facts = view.facts
    return facts.last(facts.sightings & first_chapter(facts) & reached(facts, query.chain[-1]))


def seen_together(facts: Facts, chain: Chain) -> int:
    """Return the sightings at which all of a chain are inside: for a reader who knows of no watcher and no claim."""
    return facts.sightings & shared(facts.open, chain)


def perceived_together(facts: Facts, chain: Chain) -> int:
    """Return the lines that all of a chain perceive openly, whether or not they believe them."""
    return shared(facts.open, chain)


def told_of_last_minds(facts: Facts, chain: Chain) -> int:
    """Return the claims about what the last agents of a chain think, whoever hears them."""
    return reduce(or_, [facts.reports.get(chain[first:], 0) for first in range(1, len(chain))], 0)


def first_saw(facts: Facts, chain: Chain) -> int:
    """Return the sightings that reach the first of a chain while all others are inside: for a reader without claims."""
    return facts.sightings & reached(facts, chain[0]) & shared(facts.open, chain[1:])


def by_last(lines_of: Callable[[Facts, Chain], int], view: View, query: Query) -> Any:
    """Return the answer of a reader for whom a chain believes what the last of some lines says.

    Where the thing really is, he knows as everybody does.
    """
    held = []
    for belief in query.kind.rests_on(query):
        facts = view.changed(belief).facts
        lines = lines_of(facts, belief.chain) if belief.chain else by_rules(facts, ())
        held.append(facts.last(lines))
    return None if None in held else query.kind.answer(query, held)


SEEN, PERCEIVED = "last seen together", "last perceived together"

# Rules about questions that a container answers.
ABOUT_CONTAINERS = {
    SEEN: Shortcut(DEEP_MOST, partial(by_last, seen_together)),
    "reality": Shortcut(DEEP_MOST, lambda view, query: as_if(view, query, ())),
    "one order lower": Shortcut(DEEP_MOST, one_order_lower, since=2),
    "inner agent dropped": Shortcut(
        DEEP_MOST, lambda view, query: as_if(view, query, query.chain[:-1] or None), since=2
    ),
    "last named": Shortcut(DEEP_MOST, lambda view, query: view.named()[-1]),
    "last claim heard": Shortcut(DEEP_MOST, partial(last_reaching, attrgetter("claims"))),
    "told of the last minds": Shortcut(MEASURED, partial(by_last, told_of_last_minds), since=2),
    "last claim of an insider": Shortcut(MEASURED, partial(last_reaching, trusted_claims), since=2),
    "seen last in chapter 1": Shortcut(DEEP_MOST, seen_in_first_chapter),
    "first place": Shortcut(DEEP_MOST, lambda view, query: places(view.facts)[0]),
    "second place": Shortcut(DEEP_MOST, lambda view, query: [*places(view.facts), None][1]),
}


def belief_of_now(view: View, query: Query) -> int | None:
    """Return where the chain believes the thing to be at the end."""
    return view.held(Belief(query.chain))


# Rules about questions for a container that is mostly not the one of now (`mostly_changed`).
ABOUT_CHANGES = {**ABOUT_CONTAINERS, "belief of now": Shortcut(DEEP_MOST, belief_of_now)}


def mostly_changed(view: View, query: Query, answer: int) -> tuple[bool, float]:
    """Return whether the chain believes in the answer now, too: so it is in one of five."""
    is_of_now = belief_of_now(view, query) == answer
    return is_of_now, 20 if is_of_now else 80


# Rules about questions of what several minds think.
ABOUT_MINDS = {
    SEEN: Shortcut(MIND_MOST, partial(by_last, seen_together), since=2),
    PERCEIVED: Shortcut(MIND_MOST, partial(by_last, perceived_together), since=2),
    "one order lower": Shortcut(MIND_MOST, one_order_lower, since=2),
    "reality": Shortcut(MIND_MOST, last_alone, since=2),
}


def same_sighting(view: View, query: Query) -> bool:
    """Return whether two agents saw the thing last at one line: the last two named, or all who saw it and the last."""
    facts = view.facts
    seen = [facts.sightings & reached(facts, agent) for agent in (*query.chain, *query.others)]
    first, second = [facts.sightings, *seen][-2:]
    return LineSet(first).last == LineSet(second).last


def opposite(guess: Guess) -> Guess:
    """Return the rule that says no where another says yes, and nothing where it says nothing."""
    return lambda view, query: {True: False, False: True}.get(guess(view, query))


# Rules about questions that yes or no answers, and their opposites, which a reader may learn too.
SAYING_YES: dict[str, Guess] = {
    "reality": last_alone,
    "one order lower": one_order_lower,
    "both saw the same last": same_sighting,
    SEEN: partial(by_last, seen_together),
    PERCEIVED: partial(by_last, perceived_together),
}
SAYING_NO = {f"not {name}": opposite(guess) for name, guess in SAYING_YES.items()}
ABOUT_PAIRS = {name: Shortcut(EVEN_MOST, guess, since=2) for name, guess in (SAYING_YES | SAYING_NO).items()}
