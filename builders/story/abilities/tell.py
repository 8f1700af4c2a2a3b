"""Which of four private claims, as a further line, would make A think that B thinks that the thing is in a container?

All have equally many hearers. Each wrong one becomes right by changing one name; one of them works one order lower.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, islice, product
from typing import Any

from ...streams import Stream
from ...syntax.ability import Belief, Query
from ...syntax.events import Tell
from .kind import CLAIM, MEASURED, SHOWN, Kind, Shortcut
from .shortcuts import Guess
from .view import View

LISTED = 4  # claims that a question lists

MOST = 43  # on how many questions of a hundred a rule may be right


def propose(view: View, query: Query, stream: Stream) -> Iterator[Query]:
    """Propose claims for a container that the chain does not believe in; several of them reach all of the chain."""
    chain = query.chain
    convincing, lower = view.convincing(chain), view.convincing(chain[1:])
    # Mostly a claim of the last but one is not right, as he takes all whom he tells to believe him, nor one that works
    # one order lower.
    speakers = convincing & lower if lower and not stream.below(6) else convincing - lower
    speakers -= set(chain[-2:-1] if stream.below(10) else ())
    speakers -= set(chain[-1:] if stream.below(4) else ())
    doubted = set(view.left) - convincing - set(chain)
    if speakers and doubted and convincing - set(chain) and view.is_undisputed(Belief(chain)):
        places = [place for place in view.named() if place != view.held(Belief(chain))]
        container, n_hearers = places[stream.below(len(places))], len(chain) + stream.below(2)
        claims = stream.shuffled(near_claims(view, query, container, n_hearers, stream))
        if len(shown := [*islice(chosen(view, query, claims, speakers, stream), LISTED)]) == LISTED:
            yield replace(query, container=container, options=tuple(shown))


def chosen(view: View, query: Query, claims: list[Tell], speakers: frozenset[int], stream: Stream) -> Iterator[Tell]:
    """Yield a claim of one of the speakers that works, and then others that one other name would make work."""
    left = partial(when_left, view, query)

    def is_fair(claim: Tell) -> bool:
        return view.is_undisputed(Belief(query.chain, claim=claim))

    later = stream.below(3) > 0  # whether a speaker of a wrong claim should have left later than the right one's
    working = [claim for claim in claims if works(view, query, claim)]
    last = max(map(left, working), default=-1)
    working.sort(key=lambda claim: (left(claim) < last) != later)
    for right in islice((claim for claim in working if claim.speaker in speakers and is_fair(claim)), 1):
        yield right
        wrong = [one for one in claims if one not in working and any(differ_in_one(one, other) for other in working)]
        # Outsiders last: else whoever strikes what they say is right.
        wrong.sort(key=lambda claim: (claim.speaker not in view.left, (left(claim) > left(right)) != later))
        held = [*islice((claim for claim in wrong if holds(view, query, claim) and is_fair(claim)), 2)]
        rest = [claim for claim in wrong if not holds(view, query, claim)]
        if held[1:] or held and not works_one_order_lower(view, query, right):
            yield from held
            yield from filter(is_fair, sorted(rest, key=lambda claim: not works_one_order_lower(view, query, claim)))


def near_claims(view: View, query: Query, container: int, n_hearers: int, stream: Stream) -> Iterator[Tell]:
    """Yield the claims of every agent that all others of the chain hear, or all but one of them."""
    agents = range(view.story.n_agents)
    for speaker, hearers in product(agents, combinations(agents, n_hearers)):
        if speaker not in hearers and len(set(query.chain) - {speaker, *hearers}) < 2:
            yield Tell(speaker, tuple(stream.shuffled(hearers)), view.thing, container)


def holds(view: View, query: Query, claim: Tell) -> bool:
    """Return whether all agents of the chain speak or hear a claim."""
    return {claim.speaker, *claim.hearers}.issuperset(query.chain)


def works(view: View, query: Query, claim: Tell) -> bool:
    """Return whether a claim as the last line would teach the chain; what it says does not matter."""
    return holds(view, query, claim) and claim.speaker in view.convincing(query.chain)


def works_one_order_lower(view: View, query: Query, claim: Tell) -> bool:
    """Return whether a claim would teach the chain without its first agent."""
    return works(view, replace(query, chain=query.chain[1:]), claim)


def differ_in_one(claim: Tell, other: Tell) -> bool:
    """Return whether one name makes one claim of the other: the speaker, or one hearer."""
    return (claim.speaker != other.speaker) + len(set(claim.hearers) - set(other.hearers)) == 1


def rests_on(query: Query) -> list[Belief]:
    """Return the belief after each of the claims."""
    return [Belief(query.chain, claim=claim) for claim in query.options]


def answer(query: Query, held: list[int]) -> Tell | frozenset[Tell]:
    """Return the one claim that works, or all where they are not one."""
    working = [claim for claim, container in zip(query.options, held, strict=True) if container == query.container]
    return working[0] if len(working) == 1 else frozenset(working)


Fits = Callable[[View, Query, Tell], Any]  # says of a claim whether it fits, or how well


def when_left(view: View, query: Query, claim: Tell) -> float:
    """Return when the speaker left the last chapter's room, -1 for a speaker who was not there."""
    return view.left.get(claim.speaker, -1)


def n_alike(view: View, query: Query, claim: Tell) -> int:
    """Return how many of the claims differ from one in one name only."""
    return sum(differ_in_one(claim, other) for other in query.options)


def claims_that(fits: Fits = lambda *asked: True, most: Fits = lambda *asked: 0) -> Guess:
    """Return the rule that picks from the claims that fit, and of these from those that have the most of something."""

    def guess(view: View, query: Query) -> frozenset[Tell]:
        amounts = {claim: most(view, query, claim) for claim in query.options if fits(view, query, claim)}
        return frozenset(claim for claim in amounts if amounts[claim] == max(amounts.values()))

    return guess


# What a lazy reader answers; nobody trusts a speaker who was not there.
RULES = {
    "most hearers": Shortcut(MEASURED, claims_that(most=lambda view, query, claim: len(claim.hearers))),
    "speaker was there": Shortcut(MOST, claims_that(lambda view, query, claim: claim.speaker in view.left)),
    "holds the chain": Shortcut(MOST, claims_that(holds)),
    "last but one speaks": Shortcut(
        MOST, claims_that(holds, lambda view, query, claim: claim.speaker in query.chain[-2:-1])
    ),
    "most alike": Shortcut(MOST, claims_that(most=n_alike)),
    "outermost speaks": Shortcut(MOST, claims_that(lambda view, query, claim: claim.speaker == query.chain[0])),
    "innermost speaks": Shortcut(
        MOST, claims_that(lambda view, query, claim: claim.speaker == query.chain[-1]), since=2
    ),
    "speaker left last": Shortcut(MOST, claims_that(most=when_left)),
    "one order lower": Shortcut(MOST, claims_that(works_one_order_lower), since=2),
    "holds the chain, left last": Shortcut(MEASURED, claims_that(holds, when_left), since=SHOWN),
}

TELL = Kind("tell", CLAIM, propose, rests_on, answer, RULES, gate=45, most_of_two=60, any_order=True)
