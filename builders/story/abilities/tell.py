"""Which of four private claims, as a further line, would make A think that B thinks that the thing is in a container?

All have equally many hearers. Each wrong one becomes right by changing one name; one of them works one order lower.
"""

from collections.abc import Iterator
from itertools import combinations

from ...streams import Stream
from ...syntax.events import Tell
from ..meaning import RULES as MEANINGS
from ..meaning import Chain
from .query import MEASURED, Belief, Kind, Query, Rule, View
from .shortcuts import outer_dropped

LISTED = 4
"""Claims that a question lists."""

MOST = 43
"""On how many questions of a hundred a rule may be right."""

TRIES = 2
"""Right claims that are tried for each chain."""


def propose(view: View, chain: Chain, stream: Stream) -> Iterator[Query]:
    """Propose claims for a container that the chain does not believe in, several of which all of it speak or hear."""
    agents, places = range(view.story.n_agents), [place for place in view.named() if place != view.end(*chain)]
    for container in stream.shuffled(sorted(places))[:1]:
        n_hearers = min(len(chain) + stream.below(2), 3)
        claims = [
            Tell(speaker, hearers, view.thing, container)
            for speaker in agents
            for hearers in combinations([agent for agent in agents if agent != speaker], n_hearers)
        ]
        working = [claim for claim in claims if works(view, chain, claim)]
        failing = [claim for claim in claims if claim not in working]
        near = [claim for claim in failing if any(differ_in_one(claim, other) for other in working)]
        lower = [claim for claim in near if chain[1:] and works(view, chain[1:], claim)]
        # In the eyes of the last but one all whom he tells believe him: such a claim is mostly not among the four.
        spoken = [claim for claim in working if claim.speaker in chain[-2:-1]]
        rights = spoken if not stream.below(12) else [claim for claim in working if claim not in spoken]
        for right in stream.shuffled(rights)[:TRIES]:
            if shown := choose(view, chain, right, near, lower, stream):
                yield Query("tell", chain, container=container, options=shown)


def choose(
    view: View, chain: Chain, right: Tell, near: list[Tell], lower: list[Tell], stream: Stream
) -> tuple[Tell, ...]:
    """Return four claims, the right one first, of which all of the chain speak or hear several; () if they do not."""
    trap = stream.shuffled(lower)[:1]
    wrong = [claim for claim in stream.shuffled(near) if claim not in trap]
    wrong.sort(key=lambda claim: claim.speaker not in view.left)  # else whoever strikes what outsiders say is right
    held = [claim for claim in wrong if set(chain) <= minds(claim)][: len(chain[:2]) + stream.below(2)]
    shown = [right, *trap, *held, *(claim for claim in wrong if claim not in held)][:LISTED]
    if len(shown) < LISTED or len(held) < len(chain[:2]):
        return ()
    return tuple(
        [Tell(claim.speaker, tuple(stream.shuffled(claim.hearers)), view.thing, claim.container) for claim in shown]
    )


def works(view: View, chain: Chain, claim: Tell) -> bool:
    """Return whether a claim as the last line would teach a chain; what it says does not matter."""
    facts = view.changed(Belief((), claim=Tell(claim.speaker, tuple(sorted(claim.hearers)), view.thing, 0))).facts
    return facts.lines[MEANINGS["recursive"](facts, chain).bit_length() - 1] == len(view.story.events)


def differ_in_one(claim: Tell, other: Tell) -> bool:
    """Return whether one name makes one claim of the other: the speaker, or one hearer."""
    speakers, hearers = claim.speaker != other.speaker, len(set(claim.hearers) - set(other.hearers))
    return speakers + hearers == 1


def rests_on(query: Query) -> list[Belief]:
    """Return the belief after each of the claims."""
    return [Belief(query.chain, claim=claim) for claim in query.options]


def answer(query: Query, held: list[int]) -> Tell | None:
    """Return the one claim that works; none where several do."""
    working = [claim for claim, container in zip(query.options, held, strict=True) if container == query.container]
    return working[0] if len(working) == 1 else None


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


def left_last(view: View, query: Query) -> frozenset[Tell]:
    """Return the claims whose speaker left the last chapter's room last."""
    left = view.left
    latest = max(left.get(claim.speaker, -1) for claim in query.options)
    return frozenset(claim for claim in query.options if left.get(claim.speaker, -1) == latest)


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
    "speaker left last": Rule(MOST, left_last),
    "one order lower": Rule(MOST, works_one_order_lower, since=2),
}
"""What a lazy reader answers."""

TELL = Kind(propose, rests_on, answer, lambda view, query, answer: list(query.options), "claim", RULES, gate=45)
"""What to say so that somebody believes something."""
