"""The rules that make a story coherent: who can be where, and what can be moved, told and watched."""

from .events import WAITING_ROOM, Dislike, Enter, Event, Exit, Like, Lose, Move, Place, See, Stay, Story, Tell, Watch
from .scan import Scene, scan


def check(story: Story) -> None:
    """Raise ValueError, with the line's number, for the first event that cannot happen.

    An agent is in one room at a time and leaves only that room. Agents move only things of the room where they are.
    A container stays in one room (workshop paper, section 3.2, quality control). A chapter begins when somebody enters
    a room other than the waiting room. An agent watches the chapter's room, from outside, and once in a chapter.

    Raises TypeError for an object that is no event.
    """
    for line, (event, scene) in enumerate(scan(story), 1):
        fault = _fault(event, scene, story.n_agents)
        if fault:
            raise ValueError(f"line {line}: {fault}: {event}")


def _fault(event: Event, scene: Scene, n_agents: int) -> str | None:
    """Return why an event cannot happen in a scene, or None where it can."""
    room_of = scene.room_of
    match event:
        case Enter(agents, room):
            rules = [
                (all(0 <= agent < n_agents for agent in agents), f"the agents are numbered below {n_agents}"),
                (bool(agents) and len(set(agents)) == len(agents), "agents enter once each"),
                (all(room_of.get(agent) != room for agent in agents), "an agent enters a room where he is"),
            ]
        case Place(thing, container):
            here = scene.entered
            rules = [
                (here not in (None, WAITING_ROOM), "a thing is placed in no room"),
                (scene.thing_room.get(thing, here) == here, "the thing is in another room"),
                (scene.container_room.get(container, here) == here, "the container is elsewhere"),
                (scene.place.get(thing, container) == container, "the thing was left elsewhere"),
            ]
        case Move(agent, thing, container):
            here = room_of.get(agent)
            rules = [
                (here is not None and scene.thing_room.get(thing) == here, "the mover is not with the thing"),
                (scene.container_room.get(container, here) == here, "the container is elsewhere"),
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
                (room == scene.chapter_room, "an agent watches a room that is not the chapter's"),
                (room_of.get(agent) != room, "an agent watches the room where he is"),
                (not scene.watching >> agent & 1, "an agent watches already"),
            ]
        case Lose() | See() | Like() | Dislike():
            rules = []
        case _:
            raise TypeError(f"no such event: {event!r}")
    return next((fault for holds, fault in rules if not holds), None)
