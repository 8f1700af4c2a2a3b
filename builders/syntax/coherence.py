"""The rules that make a story coherent: who can be where, and what can be moved, told and watched."""

from dataclasses import dataclass, field

from .events import WAITING_ROOM, Dislike, Enter, Event, Exit, Like, Lose, Move, Place, See, Stay, Story, Tell, Watch


def check(story: Story) -> None:
    """Raise ValueError, with the line's number, for the first event that cannot happen.

    An agent is in one room at a time and leaves only that room. Agents move only things of the room where they are.
    A container stays in one room (workshop paper, section 3.2, quality control). A chapter begins when somebody enters
    a room other than the waiting room. An agent watches the chapter's room, from outside, and once in a chapter.

    Raises TypeError for an object that is no event.
    """
    state = _State()
    for line, event in enumerate(story.events, 1):
        fault = _fault(event, state, story.n_agents)
        if fault:
            raise ValueError(f"line {line}: {fault}: {event}")
        _follow(event, state)


@dataclass(slots=True)
class _State:
    """Hold who and what is where before a line."""

    room_of: dict[int, int] = field(default_factory=dict)  # the room of each agent who is in one
    thing_room: dict[int, int] = field(default_factory=dict)  # the room of each thing, for the whole story
    place: dict[int, int] = field(default_factory=dict)  # the container of each thing
    container_room: dict[int, int] = field(default_factory=dict)  # the room of each container, for the whole story
    entered: int | None = None  # the room entered last
    chapter_room: int | None = None  # the room of the chapter
    watching: set[int] = field(default_factory=set)  # who watches the chapter's room


def _fault(event: Event, state: _State, n_agents: int) -> str | None:
    """Return why an event cannot happen in a state, or None where it can."""
    room_of = state.room_of
    match event:
        case Enter(agents, room):
            rules = [
                (all(0 <= agent < n_agents for agent in agents), f"the agents are numbered below {n_agents}"),
                (bool(agents) and len(set(agents)) == len(agents), "agents enter once each"),
                (all(room_of.get(agent) != room for agent in agents), "an agent enters a room where he is"),
            ]
        case Place(thing, container):
            here = state.entered
            rules = [
                (here not in (None, WAITING_ROOM), "a thing is placed in no room"),
                (state.thing_room.get(thing, here) == here, "the thing is in another room"),
                (state.container_room.get(container, here) == here, "the container is elsewhere"),
                (state.place.get(thing, container) == container, "the thing was left elsewhere"),
            ]
        case Move(agent, thing, container):
            here = room_of.get(agent)
            rules = [
                (here is not None and state.thing_room.get(thing) == here, "the mover is not with the thing"),
                (state.container_room.get(container, here) == here, "the container is elsewhere"),
            ]
        case Stay(agent, room):
            rules = [(room_of.get(agent) == room, "an agent stays where he is not")]
        case Exit(agent, room):
            rules = [(room_of.get(agent) == room, "an agent exits a room where he is not")]
        case Tell(speaker, hearers, _, _):
            once = len(set(hearers)) == len(hearers)
            rules = [(speaker not in hearers and once, "nobody tells himself, or tells one agent twice")]
        case Watch(agent, room):
            rules = [
                (room == state.chapter_room, "an agent watches a room that is not the chapter's"),
                (room_of.get(agent) != room, "an agent watches the room where he is"),
                (agent not in state.watching, "an agent watches already"),
            ]
        case Lose() | See() | Like() | Dislike():
            rules = []
        case _:
            raise TypeError(f"no such event: {event!r}")
    return next((fault for holds, fault in rules if not holds), None)


def _follow(event: Event, state: _State) -> None:
    """Bring a state up to date with an event that can happen."""
    match event:
        case Enter(agents, room):
            state.room_of.update(dict.fromkeys(agents, room))
            state.entered = room
            if room != WAITING_ROOM:
                state.chapter_room, state.watching = room, set()
        case Place(thing, container):
            state.thing_room[thing] = state.container_room[container] = state.entered
            state.place[thing] = container
        case Move(agent, thing, container):
            state.container_room[container] = state.room_of[agent]
            state.place[thing] = container
        case Exit(agent, _):
            del state.room_of[agent]
        case Watch(agent, _):
            state.watching.add(agent)
