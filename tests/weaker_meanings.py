"""The meaning of stories without one of its clauses: WITHOUT, by the clause.

Each is made of the project's own scene, facts and rule, but for one method or function that stands in for theirs.
"""

from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import pairwise
from operator import and_

from tom_datasets.story.meaning import (
    Facts,
    Lines,
    TeachingRule,
    aware,
    by_rules,
    claims_reaching,
    convinced,
    linked,
    reached,
    shared,
    some,
    trusted,
)
from tom_datasets.syntax.events import Come, Enter, Like, Move, Overhear, Place, Report, Tell, Watch
from tom_datasets.syntax.scan import Scene, mask


@dataclass(frozen=True)
class Meaning:
    """A meaning of stories: what a scene and facts take from each line, and which lines teach a chain."""

    scene: type[Scene] = Scene
    facts: type[Facts] = Facts
    rule: Lines = by_rules

    def belief(self, story, chain, thing):
        """Return the container in which a chain believes a thing to be, or None."""
        facts = self.facts(story.n_agents)
        facts.follow(story, thing, scene=self.scene())
        return facts.last(self.rule(facts, chain))


# Scenes without a clause.


class NobodyExits(Scene):
    """Agents leave a room only by entering another."""

    def leave(self, agent, line):
        pass

    def come(self, agent, room, line):
        super().leave(agent, line)
        super().come(agent, room, line)


class NobodyLeavesByEntering(Scene):
    """Agents who enter a room stay in the one where they were, too."""

    def come(self, agent, room, line):
        before = self.room_of.get(agent)
        super().come(agent, room, line)
        self.inside[before] |= 1 << agent


class WatchersStay(Scene):
    """Watchers of one chapter watch the next one, too."""

    def begin_chapter(self, room):
        watchers = self.watchers
        super().begin_chapter(room)
        self.watchers = watchers


class NobodyHasLeftLast(Scene):
    """Whoever has not left counts as leaving first."""

    def begin_chapter(self, room):
        super().begin_chapter(room)
        self.left = dict.fromkeys(self.left, 0.0)


class ChaptersAddUp(Scene):
    """Those who left earlier chapters count as well."""

    def begin_chapter(self, room):
        before = self.left
        super().begin_chapter(room)
        self.left = before | self.left


class WaitingIsAChapter(Scene):
    """The waiting room begins a chapter, too."""

    def enter(self, agents, room, line):
        super().enter(agents, room, line)
        self.begin_chapter(room)


# Facts without a clause.


def learning(instead):
    """Return facts that learn from a line as a function says: of facts, the line's event, number, scene and thing.

    Where it returns None, they learn as always.
    """

    class Learning(Facts):
        def learn(self, event, line, scene, thing):
            bit = instead(self, event, line, scene, thing)
            return super().learn(event, line, scene, thing) if bit is None else bit

    return Learning


def learning_in(scene_of):
    """Return facts that learn from a line in another scene: a function of the event, the scene and the thing."""

    class Learning(Facts):
        def learn(self, event, line, scene, thing):
            return super().learn(event, line, scene_of(event, scene, thing), thing)

    return Learning


def learning_nothing_from(*kinds):
    """Return facts that learn nothing from events of some kinds."""
    return learning(lambda facts, event, *_: 0 if isinstance(event, kinds) else None)


def watching_no(kind):
    """Return facts in which nobody watches an event of a kind."""
    return learning_in(lambda event, scene, _: replace(scene, watchers={}) if isinstance(event, kind) else scene)


def hearing(claim_of):
    """Return facts that hear another claim in place of each: a function of it."""

    class Hearing(Facts):
        def hear(self, claim, line, left, watchers):
            return super().hear(claim_of(claim), line, left, watchers)

    return Hearing


def trusting(decide):
    """Return facts where a function says who trusts a speaker: of the claim, an agent and when each agent left.

    Where it returns None, trust is as always.
    """

    class Trusting(Facts):
        def hear(self, claim, line, left, watchers):
            bit = super().hear(claim, line, left, watchers)
            for agent in range(self.n_agents):
                trusts = decide(claim, agent, left)
                if trusts is not None:
                    self.trusts[agent] = self.trusts[agent] & ~bit | trusts * bit
            return bit

    return Trusting


def all_see_places(facts, event, line, scene, thing):
    """Let all agents see where a thing is, wherever they are."""
    if isinstance(event, Place) and event.thing == thing:
        return facts.see(event.container, line, (1 << facts.n_agents) - 1)


def watchers_see_the_present(facts, event, line, scene, thing):
    """Let an agent who begins to watch see where the thing is."""
    if isinstance(event, Watch) and thing in scene.place:
        facts.see(scene.place[thing], line, scene.inside[event.room], {event.agent: 0})


def watchers_notice_backwards(facts, event, line, scene, thing):
    """Let an agent who begins to watch know that the watchers whom he notices saw all lines before."""
    if isinstance(event, Watch):
        facts.overhear((1 << len(facts.lines)) - 1, event.agent, mask(event.noticed))


def watchers_trust_no_earlier_claim(facts, event, line, scene, thing):
    """Let an agent who begins to watch distrust the claims made before."""
    if isinstance(event, Watch):
        facts.watched[event.agent] |= facts.claims


def likes_are_sights(facts, event, line, scene, thing):
    """Let an agent who likes a container see the thing in it."""
    if isinstance(event, Like):
        facts.see(event.container, line, 1 << event.agent)


def leaving_counts_here(event, scene, thing):
    """Return a scene in which the order of leaving counts only for the room where the thing is."""
    here = scene.thing_room.get(thing) == scene.chapter_room
    return scene if here or not isinstance(event, (Tell, Report)) else replace(scene, left={})


class FirstCounts(Facts):
    """The first line counts, not the last one."""

    def last(self, lines):
        return super().last(lines & -lines)


# Rules without a clause, each of facts and a chain.


def by_links(linked):
    """Return the rule by which one agent knows of another in these lines: a function of facts and the two agents."""

    def aware(facts, chain):
        return reduce(and_, [linked(facts, *pair) for pair in pairwise(chain)], reached(facts, chain[0]))

    return TeachingRule(aware)


def also_linked(more):
    """Return the rule by which one agent knows of another in further lines."""
    return by_links(lambda facts, agent, other: linked(facts, agent, other) | more(facts, agent, other))


def by_trust(trusted):
    """Return the rule by which the last agent of a chain trusts the speakers of these claims."""
    return TeachingRule(convinced=partial(convinced, trusted=trusted))


def convincing(alone=convinced, own=convinced, others=convinced):
    """Return the rule by which these claims convince the last agent of a chain.

    alone: in a chain of one agent. own: in a longer one, of the claims that he makes himself. others: of other claims.
    """

    def convinces(facts, chain):
        if len(chain) == 1:
            return alone(facts, chain)
        spoken = facts.speaks[chain[-1]]
        return own(facts, chain) & spoken | others(facts, chain) & ~spoken

    return TeachingRule(convinced=convinces)


def others_convince_only(where):
    """Return the rule by which claims of others convince the last of two agents or more only in these lines."""
    return convincing(others=lambda facts, chain: convinced(facts, chain) & where(facts, chain))


def by_content(fits):
    """Return the rule by which a claim about thoughts may teach all chains whose last agents fit its chain."""

    def told(facts, chain):
        yield facts.plain, chain
        for end in range(1, len(chain)):
            yield sum(bit for content, bit in facts.reports.items() if fits(content, chain[end:])), chain[:end]

    return TeachingRule(told=told)


def content_is_shared(facts, chain):
    """Return the lines that teach a chain, where the agents of a claim about thoughts think what it says."""
    return by_rules(facts, chain) | facts.reports.get(chain, 0)


def told_plainly_too(facts, chain):
    """Yield `told`, where a claim about thoughts is one about the thing too."""
    yield from claims_reaching(facts, chain)
    yield facts.claims, chain


# By clause: the meaning without it.

KNOWN_INSIDE = Meaning(
    rule=by_links(
        lambda facts, agent, other: (
            facts.open[agent] & facts.open[other] | facts.secret[agent] & facts.notices[agent][other]
        )
    )
)
SECRETS_ARE_KNOWN = Meaning(rule=also_linked(lambda facts, agent, other: facts.open[agent] & facts.secret[other]))
NOBODY_IS_NOTICED = Meaning(rule=by_links(lambda facts, agent, other: reached(facts, agent) & facts.open[other]))
NOTICING_IS_MUTUAL = Meaning(
    rule=also_linked(lambda facts, agent, other: facts.secret[agent] & facts.notices[other][agent])
)
ALL_KNOW_WHAT_THE_LAST_KNOWS = Meaning(rule=TeachingRule(lambda facts, chain: reached(facts, chain[-1])))
CONTENT_IS_SHARED = Meaning(rule=content_is_shared)

WITHOUT = {
    "who enters sees the thing": Meaning(facts=learning_nothing_from(Enter, Come)),
    "who has left sees nothing more": Meaning(NobodyExits),
    "entering another room is leaving": Meaning(NobodyLeavesByEntering),
    "who is there sees it together": Meaning(
        rule=by_links(lambda facts, agent, other: facts.secret[agent] & facts.notices[agent][other])
    ),
    "a thing is in the room entered last": Meaning(facts=learning(all_see_places)),
    "a watcher sees what is moved": Meaning(facts=watching_no(Move)),
    "a watcher sees what is said of the room": Meaning(facts=watching_no(Place)),
    "and knows who is inside": KNOWN_INSIDE,
    "but not where it was put before": Meaning(facts=learning(watchers_see_the_present)),
    "until the chapter ends": Meaning(WatchersStay),
    "nobody inside knows of a watcher": SECRETS_ARE_KNOWN,
    "a watcher knows of those whom he noticed": NOBODY_IS_NOTICED,
    "but of no other watcher": Meaning(
        rule=also_linked(lambda facts, agent, other: facts.secret[agent] & facts.secret[other])
    ),
    "nor do the noticed know who noticed them": NOTICING_IS_MUTUAL,
    "from that line on": Meaning(facts=learning(watchers_notice_backwards)),
    "and he knows whom they noticed": Meaning(
        rule=TeachingRule(lambda facts, chain: aware(facts, chain) & shared(facts.open, chain[1:-1]))
    ),
    "all hear a public claim": Meaning(
        facts=hearing(lambda claim: replace(claim, hearers=claim.hearers or (claim.speaker,)))
    ),
    "others do not hear a private one": Meaning(facts=hearing(lambda claim: replace(claim, hearers=()))),
    "and do not know of it": ALL_KNOW_WHAT_THE_LAST_KNOWS,
    "hearers know of each other": Meaning(
        rule=by_links(
            lambda facts, agent, other: (
                linked(facts, agent, other) & (facts.sightings | facts.speaks[agent] | facts.speaks[other])
            )
        )
    ),
    "who overhears it hears it": Meaning(facts=learning_nothing_from(Overhear)),
    "and knows who is told": KNOWN_INSIDE,
    "the speaker does not know of him": SECRETS_ARE_KNOWN,
    "and knows of those whom he noticed": NOBODY_IS_NOTICED,
    "who was noticed does not know of it": NOTICING_IS_MUTUAL,
    "a claim moves nothing": Meaning(rule=lambda facts, chain: by_rules(facts, chain) | (0 if chain else facts.plain)),
    "nor changes what its speaker thinks": Meaning(
        rule=convincing(alone=lambda facts, chain: trusted(facts, chain) | facts.speaks[chain[0]])
    ),
    "who left before the speaker trusts": Meaning(
        facts=trusting(lambda claim, agent, left: False if agent in left else None)
    ),
    "who left later does not": Meaning(facts=trusting(lambda *_: True)),
    "who was not there trusts": Meaning(facts=trusting(lambda claim, agent, left: None if agent in left else False)),
    "nobody trusts a speaker who was not there": Meaning(
        facts=trusting(lambda claim, agent, left: None if claim.speaker in left else True)
    ),
    "who has not left counts as leaving last": Meaning(NobodyHasLeftLast),
    "whatever the claim is about": Meaning(facts=learning_in(leaving_counts_here)),
    "other chapters do not matter": Meaning(ChaptersAddUp),
    "all know who left when": Meaning(rule=convincing(others=lambda facts, chain: facts.speaks[chain[-2]])),
    "a watcher trusts no claim": Meaning(rule=by_trust(lambda facts, chain: facts.trusts[chain[-1]])),
    "nor takes the speaker to mean it": Meaning(rule=convincing(own=lambda facts, chain: facts.trusts[chain[-2]])),
    "others do not know that": Meaning(
        rule=by_trust(lambda facts, chain: facts.trusts[chain[-1]] & ~facts.watched[chain[-1]])
    ),
    "who noticed the watcher does": Meaning(
        rule=by_trust(lambda facts, chain: facts.trusts[chain[-1]] if chain[1:] else trusted(facts, chain))
    ),
    "a claim made before counts": Meaning(facts=learning(watchers_trust_no_earlier_claim)),
    "the waiting_room begins no chapter": Meaning(WaitingIsAChapter),
    "who trusts believes": Meaning(rule=convincing(alone=lambda facts, chain: 0)),
    "the speaker takes all hearers to believe": Meaning(rule=convincing(others=trusted)),
    "and the hearers know that": Meaning(
        rule=convincing(others=lambda facts, chain: (trusted if chain[2:] else convinced)(facts, chain))
    ),
    "even those whom he noticed watching": Meaning(
        rule=others_convince_only(lambda facts, chain: trusted(facts, chain) | ~facts.watched[chain[-1]])
    ),
    "who overhears the claim knows that": Meaning(
        rule=others_convince_only(lambda facts, chain: trusted(facts, chain) | ~facts.secret[chain[0]])
    ),
    "but nobody shares that mistake": Meaning(
        rule=convincing(others=lambda facts, chain: convinced(facts, chain) | some(facts.speaks, chain[:-1]))
    ),
    "hearers judge each other by who left when": Meaning(
        rule=convincing(others=lambda facts, chain: facts.speaks[chain[-2]] | trusted(facts, chain[:1]))
    ),
    "who believes it thinks that C thinks so": Meaning(rule=by_content(lambda content, rest: False)),
    "and where the thing is, as before": Meaning(rule=TeachingRule(told=told_plainly_too)),
    "nor does C think otherwise": CONTENT_IS_SHARED,
    "the latest line counts": Meaning(facts=FirstCounts),
    "all of the chain saw it": Meaning(rule=TeachingRule(lambda facts, chain: reached(facts, chain[0]))),
    "the first agent need not believe it": Meaning(
        rule=others_convince_only(lambda facts, chain: trusted(facts, chain[:1]))
    ),
    "who trusts takes the speaker to believe": Meaning(rule=convincing(own=lambda facts, chain: 0)),
    "who does not trust thinks of him as before": Meaning(rule=convincing(own=lambda facts, chain: -1)),
    "those before C must believe it": Meaning(rule=TeachingRule(convinced=lambda facts, chain: -1)),
    "somebody comes before those agents": CONTENT_IS_SHARED,
    "they come in that order": Meaning(rule=by_content(lambda content, rest: {*content} == {*rest})),
    "and are the last ones": Meaning(rule=by_content(lambda content, rest: rest[: len(content)] == content)),
    "nobody works out what others saw": ALL_KNOW_WHAT_THE_LAST_KNOWS,
    "what somebody likes means nothing": Meaning(facts=learning(likes_are_sights)),
}
