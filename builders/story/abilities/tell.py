"""Which of four private claims, as a further line, would make A think that B thinks that the thing is in a container?

All have equally many hearers. Each wrong one becomes right by changing one name; one of them works one order lower.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, islice

from ...streams import Stream
from ...syntax.events import Tell
from ..meaning import Chain
from .query import MEASURED, SHOWN, Belief, Kind, Query, Rule, View
from .shortcuts import outer_dropped

LISTED = 4
"""Claims that a question lists."""

MOST = 43
"""On how many questions of a hundred a rule may be right."""


def propose(view: View, chain: Chain, stream: Stream) -> Iterator[Query]:
    """Propose claims for a container that the chain does not believe in, several of which all of it speak or hear."""
    convincing, lower = view.convincing(chain), view.convincing(chain[1:])
    # Mostly a claim of the last but one is not right, as he takes all whom he tells to believe him, nor one that works
    # one order lower.
    speakers = convincing & lower if lower and not stream.below(6) else convincing - lower
    speakers -= set(chain[-2:-1] if stream.below(10) else ())
    speakers -= set(chain[-1:] if stream.below(4) else ())
    doubted = set(view.left) - convincing - set(chain)
    if speakers and doubted and convincing - set(chain) and view.is_undisputed(Belief(chain)):
        places = [place for place in view.named() if place != view.end(*chain)]
        container, n_hearers = places[stream.below(len(places))], len(chain) + stream.below(2)
        claims = stream.shuffled(near_claims(view, chain, container, n_hearers, stream))
        if len(shown := [*islice(chosen(view, chain, claims, speakers, stream), LISTED)]) == LISTED:
            yield Query("tell", chain, container=container, options=tuple(shown))


def chosen(view: View, chain: Chain, claims: list[Tell], speakers: frozenset[int], stream: Stream) -> Iterator[Tell]:
    """Yield a claim of one of the speakers that works, and then others that one other name would make work."""

    def left(claim: Tell) -> float:
        return view.left.get(claim.speaker, -1)

    def fair(claims: Iterable[Tell]) -> Iterator[Tell]:
        return (claim for claim in claims if view.is_undisputed(Belief(chain, claim=claim)))

    later = stream.below(3) > 0  # whether a speaker of the others should have left later than that of the right one
    working = [claim for claim in claims if works(view, chain, claim)]
    last = max(map(left, working), default=-1)
    rights = [claim for claim in working if claim.speaker in speakers]
    for right in islice(fair(sorted(rights, key=lambda claim: (left(claim) < last) != later)), 1):
        yield right
        wrong = [one for one in claims if one not in working and any(differ_in_one(one, other) for other in working)]
        # Outsiders last: else whoever strikes what they say is right.
        wrong.sort(key=lambda claim: (claim.speaker not in view.left, (left(claim) > left(right)) != later))
        held = [*islice(fair(claim for claim in wrong if set(chain) <= minds(claim)), 2)]
        rest = [claim for claim in wrong if not set(chain) <= minds(claim)]
        if held[1:] or held and not works(view, chain[1:], right):
            yield from held
            yield from fair(sorted(rest, key=lambda claim: not works(view, chain[1:], claim)))


def near_claims(view: View, chain: Chain, container: int, n_hearers: int, stream: Stream) -> Iterator[Tell]:
    """Yield the claims of every agent that all others of the chain hear, or all but one of them."""
    agents = range(view.story.n_agents)
    for speaker in agents:
        for hearers in combinations([agent for agent in agents if agent != speaker], n_hearers):
            if len(set(chain) - {speaker, *hearers}) < 2:
                yield Tell(speaker, tuple(stream.shuffled(hearers)), view.thing, container)


def works(view: View, chain: Chain, claim: Tell) -> bool:
    """Return whether a claim as the last line would teach a chain; what it says does not matter."""
    return set(chain) <= minds(claim) and claim.speaker in view.convincing(chain)


def differ_in_one(claim: Tell, other: Tell) -> bool:
    """Return whether one name makes one claim of the other: the speaker, or one hearer."""
    speakers, hearers = claim.speaker != other.speaker, len(set(claim.hearers) - set(other.hearers))
    return speakers + hearers == 1


def rests_on(query: Query) -> list[Belief]:
    """Return the belief after each of the claims."""
    return [Belief(query.chain, claim=claim) for claim in query.options]


def answer(query: Query, held: list[int]) -> Tell | frozenset[Tell]:
    """Return the one claim that works, or all where they are not one."""
    working = [claim for claim, container in zip(query.options, held, strict=True) if container == query.container]
    return working[0] if len(working) == 1 else frozenset(working)


def minds(claim: Tell) -> set[int]:
    """Return who speaks and hears."""
    return {claim.speaker, *claim.hearers}


def holding_the_chain(view: View, query: Query) -> frozenset[Tell]:
    """Return the claims that all agents of the chain speak or hear."""
    return frozenset(claim for claim in query.options if set(query.chain) <= minds(claim))


def last_but_one_speaks(view: View, query: Query) -> frozenset[Tell]:
    """Return, of the claims that all of the chain speak or hear, the one that the last but one speaks, or else all."""
    held = holding_the_chain(view, query)
    return frozenset(claim for claim in held if claim.speaker in query.chain[-2:-1]) or held


def most_alike(view: View, query: Query) -> frozenset[Tell]:
    """Return the claims that differ from the most others in one name only."""
    alike = {claim: sum(differ_in_one(claim, other) for other in query.options) for claim in query.options}
    return frozenset(claim for claim in alike if alike[claim] == max(alike.values()))


def outermost_speaks(view: View, query: Query) -> frozenset[Tell]:
    """Return the claims that the first agent of the chain makes."""
    return frozenset(claim for claim in query.options if claim.speaker == query.chain[0])


def innermost_speaks(view: View, query: Query) -> frozenset[Tell]:
    """Return the claims that the last agent of the chain makes."""
    return frozenset(claim for claim in query.options if claim.speaker == query.chain[-1])


def left_last(view: View, query: Query) -> frozenset[Tell]:
    """Return the claims whose speaker left the last chapter's room last."""
    return latest(view, query.options)


def holding_and_left_last(view: View, query: Query) -> frozenset[Tell]:
    """Return, of the claims that all of the chain speak or hear, those whose speaker left that room last."""
    return latest(view, holding_the_chain(view, query))


def latest(view: View, claims: Iterable[Tell]) -> frozenset[Tell]:
    """Return those of some claims whose speaker left the last chapter's room last."""
    left = {claim: view.left.get(claim.speaker, -1) for claim in claims}
    return frozenset(claim for claim in left if left[claim] == max(left.values()))


def works_one_order_lower(view: View, query: Query) -> frozenset[Tell]:
    """Return the claims that make the chain without its first agent believe them."""
    lower = outer_dropped(query)
    return frozenset(claim for claim in query.options if lower and works(view, lower, claim))


def most_hearers(view: View, query: Query) -> frozenset[Tell]:
    """Return the claims that the most agents hear."""
    most = max(len(claim.hearers) for claim in query.options)
    return frozenset(claim for claim in query.options if len(claim.hearers) == most)


def was_there(view: View, query: Query) -> frozenset[Tell]:
    """Return the claims whose speaker was in the last chapter's room, as nobody trusts others."""
    return frozenset(claim for claim in query.options if claim.speaker in view.left)


RULES = {
    "most hearers": Rule(MEASURED, most_hearers),
    "speaker was there": Rule(MOST, was_there),
    "holds the chain": Rule(MOST, holding_the_chain),
    "last but one speaks": Rule(MOST, last_but_one_speaks),
    "most alike": Rule(MOST, most_alike),
    "outermost speaks": Rule(MOST, outermost_speaks),
    "innermost speaks": Rule(MOST, innermost_speaks, since=2),
    "speaker left last": Rule(MOST, left_last),
    "one order lower": Rule(MOST, works_one_order_lower, since=2),
    "holds the chain, left last": Rule(MEASURED, holding_and_left_last, since=SHOWN),
}
"""What a lazy reader answers."""

TELL = Kind(
    propose,
    rests_on,
    answer,
    lambda view, query, answer: list(query.options),
    "claim",
    lambda kind: RULES,
    gate=45,
    most_of_two=60,
    any_order=True,
)
"""What to say so that somebody believes something."""
