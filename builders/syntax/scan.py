"""A story line by line: who is inside, who watches, who has left, and where each thing is."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf

from .events import WAITING_ROOM, Enter, Event, Exit, Move, Place, Story, Watch


@dataclass(slots=True)
class Scene:
    """Hold who and what is where before an event; sets of agents are bit masks.

    A chapter begins when somebody enters a room other than the waiting room.
    """

    room_of: dict[int, int] = field(default_factory=dict)  # the room of each agent who is in one
    inside: Counter[int] = field(default_factory=Counter)  # who is in each room
    visitors: Counter[int] = field(default_factory=Counter)  # who has been in each room
    last_left: dict[int, tuple[int, int]] = field(default_factory=dict)  # of each room: the line, and who left it then
    entered: int | None = None  # the room entered last
    chapter_room: int | None = None  # the room of the chapter
    watching: int = 0  # who watches the chapter's room from outside
    left: dict[int, float] = field(default_factory=dict)  # when each agent of the chapter left; infinity before that
    thing_room: dict[int, int | None] = field(default_factory=dict)  # the room of each thing
    place: dict[int, int] = field(default_factory=dict)  # the container of each thing
    container_room: dict[int, int | None] = field(default_factory=dict)  # the room of each container

    def leave(self, agent: int, line: int) -> None:
        """Take an agent out of the room where he is."""
        room = self.room_of.pop(agent, None)
        if room is not None:
            self.inside[room] ^= 1 << agent
            last, together = self.last_left.get(room, (line, 0))
            self.last_left[room] = line, 1 << agent | (together if last == line else 0)
            if room == self.chapter_room and agent in self.left:
                self.left[agent] = line

    def put(self, thing: int, container: int, room: int | None) -> None:
        """Put a thing into a container of a room."""
        self.place[thing] = container
        self.thing_room[thing] = self.container_room[container] = room


def scan(story: Story) -> Iterator[tuple[Event, Scene]]:
    """Yield each event with the scene before it: one scene, which follows the event when the next one is asked for.

    Place happens in the room entered last, Move where its mover is.
    """
    scene = Scene()
    for line, event in enumerate(story.events):
        yield event, scene
        match event:
            case Enter(agents, room):
                for agent in agents:
                    scene.leave(agent, line)
                    scene.room_of[agent] = room
                scene.entered = room
                scene.inside[room] |= mask(agents)
                scene.visitors[room] |= mask(agents)
                if room != WAITING_ROOM:
                    scene.chapter_room, scene.watching = room, 0
                    scene.left = {agent: inf for agent, where in scene.room_of.items() if where == room}
            case Exit(agent, _):
                scene.leave(agent, line)
            case Place(thing, container):
                scene.put(thing, container, scene.entered)
            case Move(agent, thing, container):
                scene.put(thing, container, scene.room_of.get(agent))
            case Watch(agent, room) if room == scene.chapter_room:
                scene.watching |= 1 << agent


def mask(agents: Iterable[int]) -> int:
    """Return the bit mask of some agents."""
    bits = 0
    for agent in agents:
        bits |= 1 << agent
    return bits
