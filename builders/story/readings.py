"""The other ways in which a careful person may read a story, and what a chain believes under each of them.

The printed rules settle every label. A *reading* is what somebody may hold who knows only the story. It changes one
clause of `meaning` under `recursive` and keeps the rest. A question is *undisputed* where all readings give its answer.

- VISIT: when somebody enters the room of the thing without A, A supposes that those who are then inside see it where A
  believes it to be. So it is at every depth: A supposes that B supposes it of C.
- LAST_LEAVER: who comes back to the room and finds the thing supposes that whoever left last knows that place.
- BOTH: these two together.
- SPEAKER: a claim convinces every hearer in the mind of its speaker, and in all minds within that mind.
- LONGER: who believes a claim supposes that those who left the room later than its speaker know it too.
- LAST_EXIT: a hearer trusts a speaker whose last exit in the whole story comes after the hearer's.
- OUTRANKED: of two claims about one chapter that convince a chain, the one of the later leaver wins.
- PRESENT: who begins to watch a room sees at once where the thing is.
- PLACED: a later chapter's sentence on where the thing is shows a watcher nothing, as nobody does anything.
- EARLIER: watchers notice all who watch already, and eavesdroppers all who overhear already.
- PLACE_TOLD: a claim about thoughts also tells where the thing is.
- UNKNOWN: nobody knows whom somebody noticed.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from math import inf

from ..syntax.events import WAITING_ROOM, Enter, Exit, Overhear, Place, Report, Story, Tell, Watch
from ..syntax.scan import mask, scan
from .meaning import RULES, Chain, Facts, Rule, aware, convinced, each, facts_of, has_secrets, linked, told, trusted

VISIT, LAST_LEAVER, BOTH = "visit", "last leaver", "visit and last leaver"
SPEAKER, LONGER, LAST_EXIT, OUTRANKED = "speaker everywhere", "stayed longer", "last exit", "outranked"
PRESENT, PLACED = "watch sees the present state", "placed only"
EARLIER, PLACE_TOLD = "earlier minds are noticed", "thoughts tell the place"
UNKNOWN = "noticing stays unknown"

by_rules = RULES["recursive"]


@dataclass(slots=True)
class Read:
    """Hold a story about one thing as readings look at it; fields of bits and by agent as in `Facts`."""

    facts: Facts
    noticing: Facts  # the same where everybody in secret notices all before him
    present: Facts  # the same with lines that only PRESENT has: where somebody begins to watch
    secrets: bool  # whether there are secret minds or reports
    watching: dict[int, int] = field(default_factory=dict)  # by agent: his lines of those
    placed: int = 0  # the sentences of later chapters on where the thing is
    longer: list[int] = field(default_factory=list)  # claims whose speaker left the chapter's room before the agent
    by_last_exit: Facts | None = None  # the facts where who trusts whom is as under LAST_EXIT
    outranking: dict[int, int] = field(default_factory=dict)  # by claim: those of later leavers before it
    enters: list[tuple[int, int, int, int]] = field(default_factory=list)  # line; who is inside, returned, left last


@lru_cache(maxsize=1)  # a sampler asks about a story, and then its row does
def read(story: Story, thing: int) -> Read:
    """Return a story as readings look at it."""
    everyone = range(story.n_agents)
    last_exit = {event.agent: line for line, event in enumerate(story.events) if isinstance(event, Exit)}
    facts = facts_of(story, thing)
    secrets = has_secrets(story)
    found = Read(facts, facts_of(noticing(story), thing) if secrets else facts, Facts(story.n_agents), secrets)
    found.longer, trusts = ([0] * story.n_agents for _ in range(2))
    bits = {line: 1 << place for place, line in enumerate(facts.lines)}
    claims: list[tuple[int, int]] = []  # of the chapter: the speaker and the line
    for line, (event, scene) in enumerate(scan(story)):
        bit = bits.get(line, 0)
        match event:
            case Enter(agents, room):
                claims = claims if room == WAITING_ROOM else []
                if bit:
                    returned = mask(agents) & scene.visitors[room]
                    _, last_leavers = scene.last_left.get(room, (0, 0))
                    found.enters.append((bit, scene.inside[room] | mask(agents), returned, last_leavers))
            case Place() if bit and thing in scene.place:
                found.placed |= bit
            case Tell(speaker) | Report(speaker) if bit:
                left = scene.left
                longer = mask(agent for agent in left if left[agent] > left.get(speaker, -1))
                for agent in everyone:
                    found.longer[agent] |= bit if longer >> agent & 1 else 0
                    if last_exit.get(agent, inf) < last_exit.get(speaker, inf):
                        trusts[agent] |= bit
                found.outranking[bit] = sum(claim for other, claim in claims if longer >> other & 1)
                claims.append((speaker, bit))
            case Watch(agent, room, noticed) if room == scene.chapter_room == scene.thing_room.get(thing):
                watchers = {agent: mask(noticed)} | {other: scene.watchers[other] for other in noticed}
                watching = found.present.see(scene.place[thing], line, scene.inside[room], watchers)
                found.watching[agent] = found.watching.get(agent, 0) | watching
    found.by_last_exit = copy(facts)
    found.by_last_exit.trusts, found.by_last_exit.memo = trusts, {}
    return found


def noticing(story: Story) -> Story:
    """Return a story in which everybody in secret notices all before him."""
    events = []
    for event, scene in scan(story):
        if isinstance(event, Watch | Overhear):
            others = scene.watchers if isinstance(event, Watch) else scene.listeners
            event = replace(event, noticed=tuple(others))
        events.append(event)
    return Story(story.n_agents, tuple(events))


def differing_readings(story: Story, chain: Chain, thing: int, answer: int | None) -> list[str]:
    """Return the readings under which a chain does not believe the thing to be in the container `answer`."""
    return [*_differing(read(story, thing), chain, answer)]


def _differing(found: Read, chain: Chain, answer: int | None) -> Iterator[str]:
    for name, reading in READINGS.items():
        if (found.secrets or name not in OF_SECRETS) and reading(found, chain) != answer:
            yield name


def is_undisputed(story: Story, chain: Chain, thing: int) -> bool:
    """Return whether all readings agree with the rules on what the last k agents of a chain believe, for all k > 0."""
    found = read(story, thing)
    for first in range(len(chain)):
        answer = found.facts.last(by_rules(found.facts, chain[first:]))
        if any(_differing(found, chain[first:], answer)):
            return False
    return True


def believed(story: Story, chain: Chain, thing: int, reading: str) -> int | None:
    """Return where a chain believes the thing to be under a reading, or None if nowhere."""
    return READINGS[reading](read(story, thing), chain)


def _visited(found: Read, chain: Chain, visit: bool, last_leaver: bool) -> int | None:
    """Return the belief under VISIT, LAST_LEAVER or BOTH: at an Enter a chain may take over that of a shorter one.

    Under VISIT a chain that goes on with agents inside believes what it believes without them. Under LAST_LEAVER one
    that ends in a last leaver, after agents inside the last of whom came back, believes what they see; so it does under
    BOTH wherever the agent before the last leaver came back.
    """
    before = -1  # the lines that are still to be looked at
    for bit, inside, returned, last_leavers in reversed(found.enters):
        if by_rules(found.facts, chain) & before & -bit & ~bit:
            break
        shorter = chain
        while shorter:
            supposed = last_leaver and shorter[1:] and last_leavers >> shorter[-1] & 1 and returned >> shorter[-2] & 1
            if not (inside >> shorter[-1] & 1 or supposed and (visit or shorter is chain)):
                break
            shorter = shorter[:-1]
        # Whoever is inside sees where the thing really is: this is what the empty chain believes.
        if visit or not shorter:
            chain = shorter
        if by_rules(found.facts, chain) & bit:
            before &= bit * 2 - 1
            break
        before &= bit - 1
    return found.facts.last(by_rules(found.facts, chain) & before)


def _everywhere(facts: Facts, chain: Chain) -> int:
    """Return `convinced`, with the mistake of every speaker in the chain."""
    made = 0
    for agent in chain[:-1]:
        made |= facts.speaks[agent]
    return convinced(facts, chain) | made & ~facts.speaks[chain[-1]]


def _longer(found: Read, chain: Chain) -> int | None:
    """Return the belief under LONGER."""
    facts = found.facts
    lines = by_rules(facts, chain)
    for claims, prefix in told(facts, chain):
        for end in range(len(prefix) - 1, 0, -1):
            claims &= found.longer[prefix[end]]
            lines |= claims & aware(facts, prefix[:end]) & convinced(facts, prefix[:end])
    return facts.last(lines)


def _outranked(found: Read, chain: Chain) -> int | None:
    """Return the belief under OUTRANKED."""
    facts = found.facts
    lines = by_rules(facts, chain)
    for place in reversed([*each(lines)]):
        if not lines & found.outranking.get(1 << place, 0):
            return facts.containers[place]
    return None


def _present(found: Read, chain: Chain) -> int | None:
    """Return the belief under PRESENT."""
    facts, present = found.facts, found.present
    lines = by_rules(facts, chain)
    shown = aware(present, chain) & found.watching.get(chain[0], 0) if chain else 0
    if not shown:
        return facts.last(lines)
    seen = present.lines[shown.bit_length() - 1]
    if lines and facts.lines[lines.bit_length() - 1] > seen:
        return facts.last(lines)
    return present.last(shown)


def _placed(found: Read, chain: Chain) -> int | None:
    """Return the belief under PLACED."""
    facts = found.facts
    openly = -1
    for agent in chain:
        openly &= facts.open[agent]
    return facts.last(by_rules(facts, chain) & ~(found.placed & ~openly))


def _first_link_aware(facts: Facts, chain: Chain) -> int:
    """Return `aware`, where nobody knows whom somebody noticed."""
    lines = aware(facts, chain[:2])
    for agent, other in zip(chain[1:], chain[2:], strict=False):
        lines &= linked(facts, agent, other) & facts.open[other]
    return lines


def _first_link_trusted(facts: Facts, chain: Chain) -> int:
    """Return `trusted`, where nobody knows whom somebody noticed."""
    return trusted(facts, chain) if len(chain) < 3 else facts.trusts[chain[-1]]


def _told_twice(facts: Facts, chain: Chain) -> Iterator[tuple[int, Chain]]:
    """Yield `told`, where a claim about thoughts is one about the thing too."""
    yield from told(facts, chain)
    yield facts.claims & ~facts.plain, chain


speaker_everywhere = Rule(convinced=_everywhere)
place_told = Rule(told=_told_twice)
unknown = Rule(_first_link_aware, partial(convinced, trusted=_first_link_trusted))

READINGS = {
    VISIT: partial(_visited, visit=True, last_leaver=False),
    LAST_LEAVER: partial(_visited, visit=False, last_leaver=True),
    BOTH: partial(_visited, visit=True, last_leaver=True),
    SPEAKER: lambda found, chain: found.facts.last(speaker_everywhere(found.facts, chain)),
    LONGER: _longer,
    LAST_EXIT: lambda found, chain: found.by_last_exit.last(by_rules(found.by_last_exit, chain)),
    OUTRANKED: _outranked,
    PRESENT: _present,
    PLACED: _placed,
    EARLIER: lambda found, chain: found.noticing.last(by_rules(found.noticing, chain)),
    PLACE_TOLD: lambda found, chain: found.facts.last(place_told(found.facts, chain)),
    UNKNOWN: lambda found, chain: found.facts.last(unknown(found.facts, chain)),
}
"""What a chain believes under each reading, by the name that the column `readings` has."""


OF_SECRETS = (EARLIER, PLACE_TOLD, UNKNOWN)
"""Readings of stories with secret minds or reports; of other stories nobody asks them."""
