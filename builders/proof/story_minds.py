"""The second meaning of Hi-ToM stories: nested minds, which every event updates in one pass forward.

`story.meaning` looks for the last event that teaches a chain. Here reality is a mind that holds the minds it ascribes
to others, and each of these holds minds again. The two share no code beyond the syntax.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ..syntax.events import (
    WAITING_ROOM,
    Dislike,
    Enter,
    Event,
    Exit,
    Like,
    Lose,
    Move,
    Place,
    Question,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)


@dataclass(slots=True)
class _Mind:
    """Hold where a mind takes the thing to be, and the minds that it ascribes to others."""

    where: int | None = None  # the container; None where nothing taught it
    others: dict[int, "_Mind"] = field(default_factory=dict)  # the mind ascribed to each agent

    def at(self, chain: tuple[int, ...]) -> "_Mind":
        """Return the mind at the end of a chain; make the minds on the way that are missing."""
        return self.others.setdefault(chain[0], _Mind()).at(chain[1:]) if chain else self

    def see(self, witnesses: frozenset[int], container: int, watchers: Iterable[int] = ()) -> None:
        """Learn where the thing is, together with the witnesses, who all know of one another.

        The watchers learn it too, and learn what the witnesses learn. Nobody takes a watcher to have learned it.
        """
        self.where = container
        for agent in witnesses.union(watchers) & self.others.keys():
            self.others[agent].see(witnesses, container)

    def live(self, moment: "Moment", semantics: str) -> None:
        """Go through an event, as reality: all minds that are kept learn what they are to learn from it."""
        if isinstance(moment.event, Watch):
            return
        if moment.claim is None:
            self.see(moment.inside, moment.container, moment.watchers)
        elif semantics == "recursive":
            moment.claim.carry(self, moment.watchers)
        else:
            moment.claim.release(self)


@dataclass(frozen=True, slots=True)
class _Claim:
    """Hold one claim as its audience hears it."""

    speaker: int
    audience: frozenset[int]  # the speaker and all listeners
    trusting: frozenset[int]  # the listeners who trust the speaker, as everyone knows them
    container: int  # where the thing is, says the speaker
    later: frozenset[int]  # who was in the chapter's room, and has left it later than the speaker or not yet
    exiting_before: frozenset[int]  # the listeners whose last exit in the story comes before that of the speaker

    def carry(
        self,
        mind: _Mind,
        doubting: frozenset[int] = frozenset(),
        thinker: int | None = None,
    ) -> None:
        """Update all that `thinker` takes others to believe, by the four assumptions printed with each story.

        thinker: the agent whose mind this is; None for reality. doubting: the watchers known here to distrust the
        speaker. Reality knows all of them, a watcher's mind only that watcher, any other mind none. In a mind that is
        taken to be the speaker's every listener trusts the speaker, but not in the minds within it.
        """
        trusting = self.trusting - doubting
        for agent in self.audience & mind.others.keys():
            if agent == self.speaker:
                convinced = thinker in trusting
            else:
                convinced = thinker == self.speaker or agent in trusting
            if convinced:
                mind.others[agent].where = self.container
            doubting_inside = doubting & {agent} if thinker is None else frozenset()
            self.carry(mind.others[agent], doubting_inside, agent)

    def release(self, reality: _Mind) -> None:
        """Update beliefs of orders 1 and 2, and no others, as the released generator does."""
        for agent, mind in reality.others.items():
            if agent in self.trusting:
                mind.where = self.container
            for other, ascribed in mind.others.items():
                if (agent == self.speaker and other in self.audience) or (
                    agent in self.trusting and other == self.speaker
                ):
                    ascribed.where = self.container


@dataclass(slots=True)
class _Scene:
    """Track where the agents are, and who left the chapter's room when.

    A chapter begins when agents enter a room other than the waiting room. Times are indices of events.
    """

    end: int  # a time after the last event
    last_exit: dict[int, int]  # when each agent exits for the last time
    room_of: dict[int, int] = field(default_factory=dict)  # where each agent is; an agent who is nowhere is left out
    visitors: dict[int, set[int]] = field(default_factory=dict)  # who has been in each room
    left: dict[int, dict[int, int]] = field(default_factory=dict)  # when agents left each room, the last time
    entered: int | None = None  # the room that was entered last
    back: frozenset[int] = frozenset()  # who entered last, and had been in that room before
    chapter: int | None = None  # the room of this chapter
    began: int = 0  # when this chapter began
    members: frozenset[int] = frozenset()  # who was in the chapter's room when the chapter began
    watchers: frozenset[int] = frozenset()  # who watches the chapter's room from outside

    def enter(self, agents: Iterable[int], room: int, time: int) -> None:
        """Move agents into a room; a new chapter begins unless it is the waiting room."""
        for agent in agents:
            if self.room_of.get(agent) != room:
                self.leave(agent, time)
                self.room_of[agent] = room
        visitors = self.visitors.setdefault(room, set())
        self.entered, self.back = room, frozenset(visitors.intersection(agents))
        visitors.update(agents)
        if room != WAITING_ROOM:
            self.chapter, self.began, self.members, self.watchers = room, time, self.inside(room), frozenset()

    def leave(self, agent: int, time: int) -> None:
        """Take an agent out of the room where he is."""
        if agent in self.room_of:
            self.left.setdefault(self.room_of.pop(agent), {})[agent] = time

    def inside(self, room: int | None) -> frozenset[int]:
        """Return who is in a room."""
        return frozenset(agent for agent, where in self.room_of.items() if where == room)

    def watching(self, room: int | None) -> frozenset[int]:
        """Return who watches a room from outside."""
        return self.watchers if room == self.chapter else frozenset()

    def last_leavers(self, room: int) -> frozenset[int]:
        """Return who left a room last and is not inside again: several where they left at one time."""
        left = self.left.get(room, {})
        return frozenset(agent for agent, time in left.items() if time == max(left.values())) - self.inside(room)

    def leaving(self, agent: int) -> int:
        """Return when an agent left the chapter's room: at the end if not yet, before all others if never there."""
        time = self.left.get(self.chapter, {}).get(agent, -1)
        return -1 if agent not in self.members else time if time > self.began else self.end

    def claim(self, speaker: int, listeners: Iterable[int], container: int) -> _Claim:
        """Return what the listeners hear, and which of them trust the speaker, who left the chapter's room later."""
        audience = frozenset(listeners) | {speaker}
        left, last_exit = self.leaving(speaker), self.last_exit.get(speaker, self.end)
        return _Claim(
            speaker,
            audience,
            frozenset(agent for agent in audience if self.leaving(agent) < left),
            container,
            frozenset(agent for agent in self.members if self.leaving(agent) > left),
            frozenset(agent for agent in audience if self.last_exit.get(agent, self.end) < last_exit),
        )


class Moment(NamedTuple):
    """Hold what an event about the thing is, and whom it reaches.

    Besides what is seen and claimed, there is a moment where somebody begins to watch the room of the thing.
    """

    line: int  # the number of its line, from 1
    event: Event
    container: int  # where the thing is seen or said to be
    inside: frozenset[int]  # who is in the room of the thing
    watchers: frozenset[int]  # who watches that room; of a claim: who watches the chapter's room
    members: frozenset[int]  # who was in the chapter's room when the chapter began
    began: int  # when the chapter began
    back: frozenset[int]  # of an Enter: who of those that enter had been in the room before
    leavers: frozenset[int]  # of an Enter: who left the room last, and is not inside
    claim: _Claim | None  # what is claimed; None for what is seen
    learned: int | None = None  # the container that one chain learns (see `moments`)


def believe_all(
    story: Story, thing: int, chains: Iterable[tuple[int, ...]], semantics: str
) -> dict[tuple[int, ...], int | None]:
    """Return where each chain takes the thing to be at the end, or None where nothing taught it.

    Keeps only the minds on the way to these chains, so any order over any number of agents is quick. `semantics` is
    "recursive" or "published". Raises ValueError for other semantics, for a chain that holds an agent twice, and for
    "published" where an agent watches.
    """
    chains = list(chains)
    _require(story, chains, semantics)
    return believe_after(happenings(story, thing), chains, semantics)


def believe_after(
    told: Iterable[Moment], chains: Iterable[tuple[int, ...]], semantics: str
) -> dict[tuple[int, ...], int | None]:
    """Return where each chain takes the thing to be after all that happened about it."""
    reality = _Mind()
    minds = {chain: reality.at(chain) for chain in chains}
    for moment in told:
        reality.live(moment, semantics)
    return {chain: mind.where for chain, mind in minds.items()}


def believe(story: Story, question: Question, semantics: str) -> int | None:
    """Return the container that answers a question, or None where nothing taught its chain (see `believe_all`)."""
    return believe_all(story, question.thing, [question.chain], semantics)[question.chain]


def moments(story: Story, question: Question, semantics: str) -> list[Moment]:
    """Return all events about the thing of a question, with what each teaches its chain. Raises as `believe_all`."""
    reality = _Mind()
    mind = reality.at(question.chain)
    _require(story, [question.chain], semantics)
    found = []
    for moment in happenings(story, question.thing):
        if isinstance(moment.event, Watch):
            continue
        mind.where = None  # so that the event shows whether it teaches the chain
        reality.live(moment, semantics)
        idle = isinstance(moment.event, Enter) and not question.chain  # who enters changes nothing real
        found.append(moment._replace(learned=None if idle else mind.where))
    return found


def _require(story: Story, chains: Iterable[tuple[int, ...]], semantics: str) -> None:
    """Raise ValueError for what has no answer (see `believe_all`)."""
    if semantics not in ("recursive", "published"):
        raise ValueError(f"semantics is 'recursive' or 'published', not {semantics!r}")
    if semantics == "published" and any(isinstance(event, Watch) for event in story.events):
        raise ValueError("'published' has no rule for who watches in secret; read this story as 'recursive'")
    for chain in chains:
        if len(set(chain)) < len(chain):
            raise ValueError(f"a chain holds each agent once: {chain}")


def happenings(story: Story, thing: int) -> list[Moment]:
    """Return all events about a thing, in their order."""
    last_exit = {event.agent: time for time, event in enumerate(story.events) if isinstance(event, Exit)}
    scene = _Scene(len(story.events), last_exit)
    found: list[Moment] = []
    room = place = None  # of the thing
    for time, event in enumerate(story.events):
        claim, (watchers, back, leavers) = None, [frozenset()] * 3
        match event:
            case Enter(agents, entered):
                scene.enter(agents, entered, time)
                if entered != room or room == WAITING_ROOM:
                    continue
                back, leavers = scene.back, scene.last_leavers(room)
            case Place(placed, container) | Move(_, placed, container):
                if placed != thing:
                    continue
                room = scene.entered if isinstance(event, Place) else scene.room_of.get(event.agent)
                place, watchers = container, scene.watching(room)
            case Exit(agent):
                scene.leave(agent, time)
                continue
            case Tell(speaker, hearers, claimed, container):
                if claimed != thing:
                    continue
                claim = scene.claim(speaker, hearers or range(story.n_agents), container)
                watchers = scene.watchers
            case Watch(agent, watched):
                if watched == scene.chapter:
                    scene.watchers |= {agent}
                if watched != scene.chapter or watched != room:
                    continue
            case Stay() | Lose() | See() | Like() | Dislike():
                continue
            case _:
                raise TypeError(f"no such event: {event!r}")
        where, inside = claim.container if claim else place, scene.inside(room)
        told = (where, inside, watchers, scene.members, scene.began, back, leavers, claim)
        found.append(Moment(time + 1, event, *told))
    return found
