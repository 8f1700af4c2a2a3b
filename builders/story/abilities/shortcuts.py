"""What a lazy reader answers to questions of `abilities`: rules that the draw keeps rare, and the audit measures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, reduce
from itertools import combinations, permutations, product
from operator import or_
from typing import Any

from ...syntax.events import WAITING_ROOM, Enter
from ..meaning import Chain, reached
from .query import MEASURED, Belief, Kind, Query, Rule, View, named_containers, the_container

DEEP_MOST, EVEN_MOST, MIND_MOST = 35, 58, 37
"""On how many questions of a hundred a rule may be right: about containers, yes and no, and several minds."""


ORDERS = [*permutations(product((True, False), repeat=2))]
"""The orders in which a rule may prefer options, each by whether two shortcuts answer it."""


@cache
def orders_with_first(first: tuple[bool, bool], others: frozenset) -> list[int]:
    """Return the numbers of the orders in which one cell comes before some others."""
    return [n for n, order in enumerate(ORDERS) if all(order.index(first) <= order.index(cell) for cell in others)]


def of_two_features(guesses: Mapping[str, Any], options: Sequence[Any], answer: Any) -> dict[tuple, float]:
    """Return how often each rule of two features is right, if ever: two names of shortcuts and the number of an order.

    A cell holds the options that two shortcuts answer, only one of both, or neither. A rule answers one of those in the
    first cell that is not empty.
    """
    picked = {name: [picks(guess, option) for option in options] for name, guess in guesses.items()}
    right, place = {}, options.index(answer)
    for one, other in combinations(picked, 2):
        cells = [*zip(picked[one], picked[other], strict=True)]
        share = 1 / cells.count(cells[place])
        for order in orders_with_first(cells[place], frozenset(cells)):
            right[one, other, order] = share
    return right


def picks(guess: Any, option: Any) -> bool:
    """Return whether a rule answers an option, perhaps among others."""
    return option in guess if isinstance(guess, frozenset) else guess == option


def kept_to(kind: Kind, chain_of: Callable[[Query], Chain | None]) -> Callable[[View, Query], Any]:
    """Return a rule that answers a question as if it had another chain; none where there is no such chain."""

    def guess(view: View, query: Query) -> Any:
        chain = chain_of(query)
        if chain is None:
            return None
        changed = replace(query, chain=chain)
        held = [view.held(belief) for belief in kind.rests_on(changed)]
        return None if None in held else kind.answer(changed, held)

    return guess


def outer_dropped(query: Query) -> Chain | None:
    """Return the chain without its first agent, None where it has only one."""
    return query.chain[1:] or None


def last_claim_heard(view: View, query: Query) -> int | None:
    """Return what the last claim says that reaches the last agent of the chain, up to the line asked about."""
    facts = view.changed(Belief((), query.line if query.kind == "past" else None)).facts
    return facts.last(facts.claims & reached(facts, query.chain[-1]))


def last_trusted_claim(view: View, query: Query) -> int | None:
    """Return what the last claim says that reaches the last agent of the chain, and that anybody trusts."""
    facts = view.changed(Belief((), query.line if query.kind == "past" else None)).facts
    trusted = reduce(or_, facts.trusts)
    return facts.last(facts.claims & trusted & reached(facts, query.chain[-1]))


def seen_in_first_chapter(view: View, query: Query) -> int | None:
    """Return where the last agent of the chain saw the thing last in the first chapter."""
    events = view.story.events
    end = next((n for n, event in enumerate(events) if isinstance(event, Enter) and event.room == WAITING_ROOM), None)
    facts = view.changed(Belief((), end)).facts
    return facts.last(facts.sightings & reached(facts, query.chain[-1]))


def last_named(view: View, query: Query) -> int:
    """Return the container that the story names last."""
    return view.named()[-1]


def place(number: int) -> Callable[[View, Query], int | None]:
    """Return the rule of who answers the first place of the thing, or the second."""

    def guess(view: View, query: Query) -> int | None:
        facts = view.facts
        seen = dict.fromkeys(facts.containers[bit] for bit in range(len(facts.lines)) if facts.sightings >> bit & 1)
        return [*seen, None, None][number]

    return guess


def about_containers(kind: Kind) -> dict[str, Rule]:
    """Return the rules about questions that a container answers."""
    real = kept_to(kind, lambda query: ())
    return {
        "reality": Rule(DEEP_MOST, real),
        "one order lower": Rule(DEEP_MOST, kept_to(kind, outer_dropped), since=2),
        "inner agent dropped": Rule(DEEP_MOST, kept_to(kind, lambda query: query.chain[:-1] or None), since=2),
        "last named": Rule(DEEP_MOST, last_named),
        "last claim heard": Rule(DEEP_MOST, last_claim_heard),
        "last claim of an insider": Rule(MEASURED, last_trusted_claim, since=2),
        "seen last in chapter 1": Rule(DEEP_MOST, seen_in_first_chapter),
        "first place": Rule(DEEP_MOST, place(0)),
        "second place": Rule(DEEP_MOST, place(1)),
    }


def mostly_changed(propose: Callable, rests_on: Callable, rules: dict[str, Rule], any_order: bool = False) -> Kind:
    """Return a kind that asks for a container: in four of five not for the one that the chain believes in now."""
    now = {"belief of now": Rule(DEEP_MOST, lambda view, query: view.end(*query.chain))}
    return Kind(
        propose,
        rests_on,
        the_container,
        named_containers,
        shortcuts=lambda kind: about_containers(kind) | now | rules,
        cells=lambda view, query, answer: view.end(*query.chain) == answer,
        shares={True: 20, False: 80},
        any_order=any_order,
    )


def about_minds(kind: Kind) -> dict[str, Rule]:
    """Return the rules about questions of what several minds think."""
    return {
        "one order lower": Rule(MIND_MOST, kept_to(kind, outer_dropped), since=2),
        "reality": Rule(MIND_MOST, kept_to(kind, lambda query: query.chain[-1:]), since=2),
    }


def last_sighting(view: View, agent: int) -> int:
    """Return the last line at which an agent saw the thing."""
    facts = view.facts
    return (facts.sightings & reached(facts, agent)).bit_length()


def same_sighting(view: View, query: Query) -> bool:
    """Return whether two agents saw the thing last at one line: the last two named, or all who saw it and the last."""
    first, second = (
        (*query.chain[-2:], *query.others)[-2:] if query.chain[1:] or query.others else (None, query.chain[0])
    )
    last = view.facts.sightings.bit_length() if first is None else last_sighting(view, first)
    return last == last_sighting(view, second)


def about_pairs(real: Callable[[View, Query], Any]) -> Callable[[Kind], dict[str, Rule]]:
    """Return the rules about questions that yes or no answers, and their opposites, which a reader may learn too.

    `real` says what a mind of order 1 would.
    """

    def rules(kind: Kind) -> dict[str, Rule]:
        guesses = {
            "reality": real,
            "one order lower": kept_to(kind, outer_dropped),
            "both saw the same last": same_sighting,
        }
        guesses |= {f"not {name}": opposite(guess) for name, guess in guesses.items()}
        return {name: Rule(EVEN_MOST, guess, since=2) for name, guess in guesses.items()}

    return rules


def opposite(guess: Callable[[View, Query], bool | None]) -> Callable[[View, Query], bool | None]:
    """Return the rule that says no where another says yes."""

    def answer(view: View, query: Query) -> bool | None:
        guessed = guess(view, query)
        return None if guessed is None else not guessed

    return answer
