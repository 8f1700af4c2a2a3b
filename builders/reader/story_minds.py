"""The second meaning of Hi-ToM stories: nested minds; each holds what it knows of a line.

`story.meaning` asks of sets of lines which of them teach a chain. Here one line goes from mind to mind: reality knows
all who see or hear it in secret, each of these knows those whom he noticed, and others know of nobody in secret. The
two share no code beyond the syntax.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from ..syntax.events import (
    WAITING_ROOM,
    Come,
    Enter,
    Event,
    Exit,
    Move,
    Named,
    Overhear,
    Place,
    Question,
    Report,
    Still,
    Story,
    Tell,
    Watch,
)

Chain = tuple[int, ...]  # agents, each thinking of the next, the outermost first

# Agents whom the others do not know of, in order, each with the agents among them whom he noticed.
Secret = dict[int, "Secret"]

NOBODY_RETURNS: tuple[Set[int], Set[int]] = frozenset(), frozenset()  # who comes back at an event, and who left last


class Moment(NamedTuple):
    """Hold what an event about the thing is, and whom it reaches, as far as somebody knows: reality at first.

    Besides what is seen and claimed, there is a moment where somebody begins to watch the room of the thing.
    """

    line: int  # the number of its line, from 1
    event: Event
    container: int  # where the thing is seen or said to be
    openly: frozenset[int]  # who sees or hears it and is known to: those in the room; the speaker and those told
    secretly: Secret  # who else sees or hears it
    watchers: Secret  # who watches the chapter's room from outside
    left: dict[int, int]  # when each agent of the chapter left its room; at the end of the story if not yet
    last_exit: dict[int, int]  # when each agent exits for the last time; at the end of the story if never
    began: int  # when the chapter began
    back: Set[int] = frozenset()  # of an Enter: the agents who come back to the room
    leavers: Set[int] = frozenset()  # of an Enter: who left the room last, and is not inside

    @property
    def speaker(self) -> int | None:
        """Return who makes the claim; None for what is seen."""
        return getattr(self.event, "speaker", None)

    @property
    def content(self) -> Chain:
        """Return whose thoughts a claim is about; nobody's where it is about the thing."""
        return getattr(self.event, "chain", ())

    def within(self, agent: int) -> "Moment":
        """Return what this mind takes an agent to know of the line."""
        if not self.secretly and not self.watchers:  # a copy would take long and say the same
            return self
        return self._replace(secretly=self.secretly.get(agent, {}), watchers=self.watchers.get(agent, {}))

    def reaches(self, agent: int) -> bool:
        """Return whether an agent is known here to see or hear the line."""
        return agent in self.openly or agent in self.secretly

    def left_later(self, agent: int, other: int) -> bool:
        """Return whether an agent was in the chapter's room, and another was not or left it before."""
        return self.left.get(agent, -1) > self.left.get(other, -1)

    def trusts(self, agent: int) -> bool:
        """Return whether an agent is taken here to trust the speaker."""
        speaker = self.speaker
        return speaker is not None and self.left_later(speaker, agent) and agent not in self.watchers


def believers(moment: Moment, chain: Chain, everywhere: bool = False) -> list[bool]:
    """Return for each k whether the first k agents of a chain know of a line, and the last of them takes it for true.

    everywhere: whether a speaker takes those whom he tells to believe him in the minds within theirs too.
    """
    speaker, thinker_trusts, believe = moment.speaker, False, [isinstance(moment.event, Place | Move)]
    for depth, agent in enumerate(chain):
        if not moment.reaches(agent):
            break
        trusts = moment.trusts(agent)
        thinkers = chain[:depth] if everywhere else chain[:depth][-1:]
        convinced = thinker_trusts if agent == speaker else trusts or speaker in thinkers
        believe.append(speaker is None or convinced)
        moment, thinker_trusts = moment.within(agent), trusts
    return believe + [False] * (len(chain) + 1 - len(believe))


def learners(moment: Moment, chain: Chain, believe: list[bool]) -> list[bool]:
    """Return for each k whether the first k agents learn where the thing is from a line, given its `believers`.

    Who believes what is told of others' thoughts learns where these take the thing to be.
    """
    content = moment.content
    if not content:
        return believe
    starts = [k - len(content) for k in range(len(chain) + 1)]
    return [k > 0 and believe[k] and chain[k : k + len(content)] == content for k in starts]


def taught(moment: Moment, chain: Chain, semantics: str = "recursive") -> list[bool]:
    """Return for each k whether a line teaches the first k agents of a chain where the thing is."""
    if isinstance(moment.event, Watch):
        return [False] * (len(chain) + 1)
    learn = learners(moment, chain, believers(moment, chain))
    if semantics == "published" and moment.speaker is not None:  # its claims reach orders 1 and 2 only
        learn[2:] = [knows and k == 2 and moment.speaker in chain[:2] for k, knows in enumerate(learn[2:], 2)]
    return learn


@dataclass(slots=True)
class _Rooms:
    """Track where the agents are, and who left which room when; times are indices of events."""

    room_of: dict[int, int] = field(default_factory=dict)  # where each agent is; an agent who is nowhere is left out
    departures: list[tuple[int, int, int]] = field(default_factory=list)  # each time, with who left which room

    def move(self, agents: Iterable[int], room: int | None, time: int) -> None:
        """Move agents from where they are into a room; into none where it is None."""
        for agent in agents:
            before = self.room_of.pop(agent, room)
            if before is not None and before != room:
                self.departures.append((time, agent, before))
            if room is not None:
                self.room_of[agent] = room

    def inside(self, room: int | None) -> frozenset[int]:
        """Return who is in a room."""
        return frozenset([agent for agent, where in self.room_of.items() if where == room])

    def left(self, room: int | None, since: int = 0) -> dict[int, int]:
        """Return when agents left a room, each for the last time."""
        return {agent: time for time, agent, where in self.departures if where == room and time >= since}


@lru_cache(maxsize=256)  # beliefs of one story are asked for again and again
def happenings(story: Story, thing: int) -> tuple[Moment, ...]:
    """Return all events about a thing, in their order.

    A chapter begins when agents enter a room other than the waiting room.
    """
    end = len(story.events)  # a time after the last event
    last_exit = dict.fromkeys(range(story.n_agents), end)
    last_exit |= {event.agent: time for time, event in enumerate(story.events) if isinstance(event, Exit)}
    rooms = _Rooms()
    found: list[Moment] = []
    room: int | None = None  # of the thing
    place: int | None = None  # the container where the thing is
    entered: int | None = None  # the room that was entered last
    chapter: int | None = None  # the room of this chapter
    began = 0  # when this chapter began
    watchers: Secret = {}  # who watches the room of this chapter from outside
    about_it = False  # whether the claim made last is about the thing
    for time, event in enumerate(story.events):
        where: int | None = None
        reached: tuple[frozenset[int], Secret] | None = None  # who sees or hears the line, openly and in secret
        returns = NOBODY_RETURNS
        match event:
            case Enter(agents, entered):
                rooms.move(agents, entered, time)
                if entered != WAITING_ROOM:
                    chapter, began, watchers = entered, time, {}
                    if entered == room:
                        left = rooms.left(room)
                        last = {agent for agent in left if left[agent] == max(left.values())}
                        where, returns = place, (left.keys() & {*agents}, last - rooms.inside(room))
            case Come(agent, inside):
                rooms.move((agent,), inside, time)
                if inside == room != WAITING_ROOM:
                    where = place
            case Place(placed, container) | Move(_, placed, container):
                if placed == thing:
                    room = entered if isinstance(event, Place) else rooms.room_of.get(event.agent)
                    where = place = container
            case Exit(agent):
                rooms.move((agent,), None, time)
            case Tell(speaker, hearers, claimed, container) | Report(speaker, hearers, _, claimed, container):
                about_it = claimed == thing
                where = container if about_it else None
                reached = frozenset((speaker, *(hearers or range(story.n_agents)))), {}
            case Overhear(agent, noticed):
                if about_it:
                    found[-1] = found[-1]._replace(secretly=_joined(found[-1].secretly, agent, noticed))
            case Watch(agent, watched, noticed):
                if watched == chapter:
                    watchers = _joined(watchers, agent, noticed)
                    if watched == room:
                        where, reached = place, (rooms.inside(room), {agent: watchers[agent]})
        if where is not None:
            seen_by = reached or (rooms.inside(room), watchers if room == chapter else {})
            left = rooms.left(chapter, began) | dict.fromkeys(rooms.inside(chapter), end)
            found.append(Moment(time + 1, event, where, *seen_by, watchers, left, last_exit, began, *returns))
    return tuple(found)


def named_containers(story: Story) -> tuple[Story, int | None]:
    """Return a story whose lines that name a container by thoughts hold the one that is believed just before.

    Returns also the number of the first such line that names none, or None.
    """
    events = [*story.events]
    for thing in sorted({event.thing for event in events if isinstance(event, Named)}):
        told: list[Moment] = []
        place: int | None = None
        for moment in happenings(story, thing):
            event, container = moment.event, moment.container
            if isinstance(event, Enter | Come | Watch):
                container = place if place is not None else container
            elif isinstance(event, Named):
                by = getattr(event, "by", ())
                believed = believe_after(told, [by], "recursive")[by]
                if believed is None:
                    return story, moment.line
                container, events[moment.line - 1] = believed, replace(event, container=believed)
            if isinstance(event, Place | Move):
                place = container
            told.append(moment._replace(container=container))
    return Story(story.n_agents, tuple(events)), None


def steps_to(story: Story, chain: Chain, thing: int) -> list[int]:
    """Return the numbers of the lines that must be worked out for what a chain believes, the one that taught it first.

    After a line that names its container by thoughts comes the line that taught these. Who enters, and who reads that
    the thing is still where it was, looks at the line that put it there.
    """
    told, lines = [*happenings(story, thing)], list[int]()
    while True:
        taught_by = [number for number, moment in enumerate(told) if taught(moment, chain)[-1]]
        if not taught_by:
            return lines
        number = taught_by[-1]
        lines.append(told[number].line)
        while isinstance(told[number].event, Enter | Come | Still):
            number = max(n for n in range(number) if isinstance(told[n].event, Place | Move))
        event = told[number].event
        if not isinstance(event, Named):
            return lines
        told, chain = told[:number], getattr(event, "by", ())


def _joined(secret: Secret, agent: int, noticed: tuple[int, ...]) -> Secret:
    """Return some agents in secret and one more, who has noticed some of them."""
    return secret | {agent: {other: secret.get(other, {}) for other in noticed}}


def believe_after(told: Sequence[Moment], chains: Iterable[Chain], semantics: str) -> dict[Chain, int | None]:
    """Return where each chain takes the thing to be after all that happened about it: what the last line taught it.

    It is None where nothing taught it. `semantics` is "recursive" or "published".
    """
    return {
        chain: next((moment.container for moment in reversed(told) if taught(moment, chain, semantics)[-1]), None)
        for chain in chains
    }


def moments(story: Story, question: Question, semantics: str) -> list[tuple[Moment, bool]]:
    """Return all events about the thing of a question, and whether each teaches its chain."""
    told = [moment for moment in happenings(story, question.thing) if not isinstance(moment.event, Watch)]
    return [(moment, taught(moment, question.chain, semantics)[-1]) for moment in told]
