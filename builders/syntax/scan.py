"""A story line by line: who is inside, who watches, who has left, and where each thing is."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from math import inf

from .events import WAITING_ROOM, Come, Enter, Event, Exit, Move, Overhear, Place, Report, Story, Tell, Watch


@dataclass(slots=True)
class Scene:
    """Hold who and what is where before an event; sets of agents are bit masks.

    A chapter begins when somebody enters a room other than the waiting room.
    """

    room_of: dict[int, int] = field(default_factory=dict)  # the room of each agent who is in one
    inside: dict[int | None, int] = field(default_factory=lambda: defaultdict(int))  # who is in each room
    visitors: dict[int, int] = field(default_factory=lambda: defaultdict(int))  # who has been in each room
    last_left: dict[int, tuple[int, int]] = field(default_factory=dict)  # of each room: the line, and who left it then
    entered: int | None = None  # the room entered last
    chapter_room: int | None = None  # the room of the chapter
    watchers: dict[int, int] = field(default_factory=dict)  # who watches the chapter's room, and whom each noticed
    claim: Tell | Report | None = None  # the claim that was just made, and perhaps overheard
    listeners: dict[int, int] = field(default_factory=dict)  # who overheard it, and whom each noticed
    left: dict[int, float] = field(default_factory=dict)  # when each agent of the chapter left; infinity before that
    thing_room: dict[int, int | None] = field(default_factory=dict)  # the room of each thing
    place: dict[int, int] = field(default_factory=dict)  # the container of each thing
    container_room: dict[int, int | None] = field(default_factory=dict)  # the room of each container

    def copied(self) -> "Scene":
        """Return the same scene, which can go on otherwise."""
        more = replace(self)
        for name in self.__slots__:
            if isinstance(value := getattr(self, name), dict):
                setattr(more, name, value.copy())
        return more

    def leave(self, agent: int, line: int) -> None:
        """Take an agent out of the room where he is."""
        room = self.room_of.pop(agent, None)
        if room is not None:
            self.inside[room] ^= 1 << agent
            last, together = self.last_left.get(room, (line, 0))
            self.last_left[room] = line, 1 << agent | (together if last == line else 0)
            if room == self.chapter_room and agent in self.left:
                self.left[agent] = line

    def enter(self, agents: tuple[int, ...], room: int, line: int) -> None:
        """Take agents into a room; unless it is the waiting room, a chapter begins."""
        for agent in agents:
            self.come(agent, room, line)
        self.entered = room
        if room != WAITING_ROOM:
            self.begin_chapter(room)

    def begin_chapter(self, room: int) -> None:
        """Begin a chapter with the agents who are in its room; nobody watches it yet."""
        self.chapter_room, self.watchers = room, {}
        self.left = {agent: inf for agent, where in self.room_of.items() if where == room}

    def come(self, agent: int, room: int, line: int) -> None:
        """Take an agent into a room where the chapter goes on."""
        self.leave(agent, line)
        self.room_of[agent] = room
        self.inside[room] |= 1 << agent
        self.visitors[room] |= 1 << agent
        if room == self.chapter_room:
            self.left[agent] = inf

    def put(self, thing: int, container: int, room: int | None) -> None:
        """Put a thing into a container of a room."""
        self.place[thing] = container
        self.thing_room[thing] = self.container_room[container] = room


def scan(story: Story, scene: Scene | None = None, first: int = 0) -> Iterator[tuple[Event, Scene]]:
    """Yield each event with the scene before it: one scene, which follows the event when the next one is asked for.

    Place happens in the room entered last, Move where its mover is. It begins with `scene`, or a new one, at the line
    of index `first`.
    """
    scene = scene or Scene()
    for line, event in enumerate(story.events, first):
        yield event, scene
        if isinstance(event, Overhear):  # the most frequent one in the stories that are drawn most
            scene.listeners[event.agent] = mask(event.noticed)
            continue
        if scene.claim:
            scene.claim, scene.listeners = None, {}
        if isinstance(event, (Tell, Report)):
            scene.claim = event
        elif isinstance(event, Exit):
            scene.leave(event.agent, line)
        elif isinstance(event, Move):
            scene.put(event.thing, event.container, scene.room_of.get(event.agent))
        elif isinstance(event, Place):
            scene.put(event.thing, event.container, scene.entered)
        elif isinstance(event, Enter):
            scene.enter(event.agents, event.room, line)
        elif isinstance(event, Watch):
            if event.room == scene.chapter_room:
                scene.watchers[event.agent] = mask(event.noticed)
        elif isinstance(event, Come):
            scene.come(event.agent, event.room, line)


def mask(agents: Iterable[int]) -> int:
    """Return the bit mask of some agents."""
    bits = 0
    for agent in agents:  # half the time of a sum, and stories are full of masks
        bits |= 1 << agent
    return bits
