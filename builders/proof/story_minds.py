"""Own the second meaning of Hi-ToM stories: nested minds, which every event updates in one pass forward.

`builders.story.meaning` looks for the last event that teaches a chain. Here reality is a mind that holds the minds it
ascribes to others, and each of these holds minds again. The two share no code beyond the syntax.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from builders.story.syntax import (
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

    def see(self, witnesses: set[int], container: int, watchers: Iterable[int] = ()) -> None:
        """Learn where the thing is, together with the witnesses, who all know of one another.

        The watchers learn it too, and learn what the witnesses learn. Nobody takes a watcher to have learned it.
        """
        self.where = container
        for agent in witnesses.union(watchers) & self.others.keys():
            self.others[agent].see(witnesses, container)


@dataclass(frozen=True, slots=True)
class _Claim:
    """Hold one claim as its audience hears it."""

    speaker: int
    audience: frozenset[int]  # the speaker and all listeners
    trusting: frozenset[int]  # the listeners who trust the speaker, as everyone knows them
    container: int  # where the thing is, says the speaker

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
    room_of: dict[int, int] = field(default_factory=dict)  # where each agent is; an agent who is nowhere is left out
    entered: int | None = None  # the room that was entered last
    chapter: int | None = None  # the room of this chapter
    members: set[int] = field(default_factory=set)  # who was in the chapter's room when the chapter began
    left: dict[int, int] = field(default_factory=dict)  # when an agent left the chapter's room
    watchers: set[int] = field(default_factory=set)  # who watches the chapter's room from outside

    def enter(self, agents: Iterable[int], room: int, time: int) -> None:
        """Move agents into a room; a new chapter begins unless it is the waiting room."""
        for agent in agents:
            if self.room_of.get(agent) != room:
                self.leave(agent, time)
                self.room_of[agent] = room
        self.entered = room
        if room != WAITING_ROOM:
            self.chapter, self.members, self.left, self.watchers = room, self.inside(room), {}, set()

    def leave(self, agent: int, time: int) -> None:
        """Take an agent out of the room where he is."""
        room = self.room_of.pop(agent, None)
        if room is not None and room == self.chapter:
            self.left[agent] = time

    def inside(self, room: int | None) -> set[int]:
        """Return who is in a room."""
        return {agent for agent, where in self.room_of.items() if where == room}

    def watching(self, room: int | None) -> set[int]:
        """Return who watches a room from outside."""
        return self.watchers if room == self.chapter else set()

    def trusts(self, listener: int, speaker: int) -> bool:
        """Return whether a listener trusts a speaker: the speaker was in the chapter's room, and left it later."""
        if speaker not in self.members:
            return False
        return listener not in self.members or self.left.get(listener, self.end) < self.left.get(speaker, self.end)

    def claim(self, speaker: int, listeners: Iterable[int], container: int) -> _Claim:
        """Return what the listeners hear, and which of them trust the speaker."""
        audience = frozenset(listeners) | {speaker}
        trusting = frozenset(agent for agent in audience if self.trusts(agent, speaker))
        return _Claim(speaker, audience, trusting, container)


@dataclass(frozen=True, slots=True)
class Moment:
    """Hold what an event about the thing is, whom it reaches, and what one chain learns from it."""

    line: int  # the number of its line, from 1
    event: Event
    inside: frozenset[int]  # who is in the room of the thing
    watchers: frozenset[int]  # who watches that room; of a claim: who watches the chapter's room
    members: frozenset[int]  # who was in the chapter's room when the chapter began
    claim: _Claim | None  # what is claimed; None for what is seen
    learned: int | None  # the container that the chain learns; None if it learns nothing


def believe_all(
    story: Story, thing: int, chains: Iterable[tuple[int, ...]], semantics: str
) -> dict[tuple[int, ...], int | None]:
    """Return where each chain takes the thing to be at the end, or None where nothing taught it.

    Keeps only the minds on the way to these chains, so any order over any number of agents is quick. `semantics` is
    "recursive" or "published". Raises ValueError for other semantics, for a chain that holds an agent twice, and for
    "published" where an agent watches.
    """
    reality = _Mind()
    minds = {chain: reality.at(chain) for chain in chains}
    _require(story, minds, semantics)
    for _ in _unfold(story, thing, reality, semantics):
        pass
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
    for time, scene, room, claim in _unfold(story, question.thing, reality, semantics):
        watchers = scene.watchers if claim else scene.watching(room)
        found.append(
            Moment(
                time + 1,
                story.events[time],
                frozenset(scene.inside(room)),
                frozenset(watchers),
                frozenset(scene.members),
                claim,
                mind.where,
            )
        )
        mind.where = None  # so that the next event shows whether it teaches the chain
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


def _unfold(
    story: Story, thing: int, reality: _Mind, semantics: str
) -> Iterator[tuple[int, _Scene, int | None, _Claim | None]]:
    """Update all minds, event after event; yield the time of each event about the thing, once it has its effect.

    With the time come the scene, the room where the thing is, and the claim that the event makes.
    """
    scene = _Scene(len(story.events))
    thing_room = None
    for time, event in enumerate(story.events):
        match event:
            case Enter(agents, room):
                scene.enter(agents, room, time)
                if room == thing_room and room != WAITING_ROOM:
                    reality.see(scene.inside(room), reality.where)
                    yield time, scene, thing_room, None
            case Place(placed, container):
                if placed == thing:
                    thing_room = scene.entered
                    reality.see(scene.inside(thing_room), container, scene.watching(thing_room))
                    yield time, scene, thing_room, None
            case Move(agent, moved, container):
                if moved == thing:
                    thing_room = scene.room_of.get(agent)
                    reality.see(scene.inside(thing_room), container, scene.watching(thing_room))
                    yield time, scene, thing_room, None
            case Exit(agent):
                scene.leave(agent, time)
            case Tell(speaker, hearers, claimed, container):
                if claimed == thing:
                    claim = scene.claim(speaker, hearers or range(story.n_agents), container)
                    if semantics == "recursive":
                        claim.carry(reality, frozenset(scene.watchers))
                    else:
                        claim.release(reality)
                    yield time, scene, thing_room, claim
            case Watch(agent, room):
                if room == scene.chapter:
                    scene.watchers.add(agent)
            case Stay() | Lose() | See() | Like() | Dislike():
                pass
            case _:
                raise TypeError(f"no such event: {event!r}")
