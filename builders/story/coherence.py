"""Own the syntax of Hi-ToM: events, stories, questions, and how a story is written down as JSON.

Everything is an integer until names are needed: an agent, a room, a thing, a container is its number in
`Names`, in order of first appearance. What an event *means* is in `belief`; what it is called, in `voice`.
"""

from builders.story.syntax import (
    WAITING_ROOM,
    Dislike,
    Enter,
    Exit,
    Like,
    Lose,
    Move,
    Place,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)


def check(story: Story) -> None:
    """Raise ValueError, naming the line, where a story is incoherent.

    An agent is in one room at a time and leaves only the room where he is; what is moved is in the mover's room;
    a container stays in one room (workshop paper, section 3.2, quality control). A chapter begins when somebody enters
    a room other than the waiting room; who watches, watches the chapter's room from outside, and begins once.
    """
    room_of: dict[int, int] = {}
    thing_room: dict[int, int] = {}
    place: dict[int, int] = {}
    container_room: dict[int, int] = {}
    entered = chapter_room = None
    watching: set[int] = set()  # in this chapter: who enters its room begins another

    def require(true: bool, line: int, why: str) -> None:
        if not true:
            raise ValueError(f"line {line}: {why}: {story.events[line - 1]}")

    for line, event in enumerate(story.events, 1):
        match event:
            case Enter(agents, room):
                require(
                    all(0 <= agent < story.n_agents for agent in agents),
                    line,
                    f"the agents are numbered below {story.n_agents}",
                )
                require(bool(agents) and len(set(agents)) == len(agents), line, "agents enter once each")
                require(all(room_of.get(a) != room for a in agents), line, "an agent enters a room where he is")
                room_of.update(dict.fromkeys(agents, room))
                entered = room
                if room != WAITING_ROOM:
                    chapter_room, watching = room, set()
            case Place(thing, container):
                require(entered not in (None, WAITING_ROOM), line, "a thing is placed in no room")
                require(thing_room.setdefault(thing, entered) == entered, line, "the thing is in another room")
                require(container_room.setdefault(container, entered) == entered, line, "the container is elsewhere")
                require(place.setdefault(thing, container) == container, line, "the thing was left elsewhere")
            case Move(agent, thing, container):
                here = room_of.get(agent)
                require(here is not None and thing_room.get(thing) == here, line, "the mover is not with the thing")
                require(container_room.setdefault(container, here) == here, line, "the container is elsewhere")
                place[thing] = container
            case Stay(agent, room):
                require(room_of.get(agent) == room, line, "an agent stays where he is not")
            case Exit(agent, room):
                require(room_of.get(agent) == room, line, "an agent exits a room where he is not")
                del room_of[agent]
            case Tell(speaker, hearers, _, _):
                require(speaker not in hearers and len(set(hearers)) == len(hearers), line, "nobody tells himself")
            case Watch(agent, room):
                require(room == chapter_room, line, "who watches, watches the room of the chapter")
                require(room_of.get(agent) != room, line, "an agent watches the room where he is")
                require(agent not in watching, line, "an agent watches already")
                watching.add(agent)
            case Lose() | See() | Like() | Dislike():
                pass
            case _:
                raise TypeError(f"no such event: {event!r}")
