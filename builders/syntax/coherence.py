"""The rules that make a story coherent: who can be where, and what can be moved, told and watched."""

from collections.abc import Iterator, Mapping

from .events import (
    WAITING_ROOM,
    Come,
    Dislike,
    Enter,
    Event,
    Exit,
    Like,
    Lose,
    Move,
    Overhear,
    Place,
    Report,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)
from .scan import Scene, mask, scan


def check(story: Story) -> None:
    """Raise ValueError, with the line's number, for the first event that cannot happen.

    An agent is in one room at a time and leaves only that room. Agents move only things of the room where they are, and
    to another container. A container stays in one room (workshop paper, section 3.2, quality control). A chapter begins
    when somebody enters a room other than the waiting room. An agent watches the chapter's room, from outside, and once
    in a chapter; he then stays outside. Agents overhear the private claim of the line before. Who notices somebody
    notices those whom that one noticed. Nobody speaks, is told or overhears what he himself thinks.

    Raises TypeError for an object that is no event.
    """
    for fault in faults(story):
        raise ValueError(fault)


def faults(story: Story) -> Iterator[str]:
    """Yield what is wrong with each event that cannot happen, with its line's number."""
    for line, (event, scene) in enumerate(scan(story), 1):
        for holds, fault in _rules(event, scene, story.n_agents):
            if not holds:
                yield f"line {line}: {fault}: {event}"


def _rules(event: Event, scene: Scene, n_agents: int) -> Iterator[tuple[bool, str]]:
    """Yield whether each rule about an event holds in a scene, and what is wrong where it does not."""
    room_of = scene.room_of
    match event:
        case Enter(agents, room):
            yield all(0 <= agent < n_agents for agent in agents), f"the agents are numbered below {n_agents}"
            yield bool(agents) and len(set(agents)) == len(agents), "agents enter once each"
            yield all(room_of.get(agent) != room for agent in agents), "an agent enters a room where he is"
        case Come(agent, room):
            yield 0 <= agent < n_agents, f"the agents are numbered below {n_agents}"
            yield room_of.get(agent) != room, "an agent comes into a room where he is"
            yield agent not in scene.watchers or room != scene.chapter_room, "a watcher comes into the room he watches"
        case Place(thing, container):
            here = scene.entered
            yield here not in (None, WAITING_ROOM), "a thing is placed in no room"
            yield scene.thing_room.get(thing, here) == here, "the thing is in another room"
            yield scene.container_room.get(container, here) == here, "the container is elsewhere"
            yield scene.place.get(thing, container) == container, "the thing was left elsewhere"
        case Move(agent, thing, container):
            here = room_of.get(agent)
            yield here is not None and scene.thing_room.get(thing) == here, "the mover is not with the thing"
            yield scene.place.get(thing) != container, "the thing is there already"
            yield scene.container_room.get(container, here) == here, "the container is elsewhere"
        case Stay(agent, room):
            yield room_of.get(agent) == room, "an agent stays where he is not"
        case Exit(agent, room):
            yield room_of.get(agent) == room, "an agent exits a room where he is not"
        case Tell(speaker, hearers, _, _):
            once = len(set(hearers)) == len(hearers)
            yield speaker not in hearers and once, "nobody tells himself, or tells one agent twice"
        case Report(speaker, hearers, chain, _, _):
            minds = (speaker, *hearers, *chain)
            yield bool(hearers) and bool(chain), "a claim about thoughts is made in private, about somebody's"
            yield len(set(minds)) == len(minds), "nobody tells himself, one agent twice, or an agent what he thinks"
        case Overhear(agent, noticed):
            claim = scene.claim
            minds = () if claim is None else (claim.speaker, *claim.hearers, *getattr(claim, "chain", ()))
            yield (
                claim is not None and bool(claim.hearers),
                "an agent overhears something other than a private claim just made",
            )
            yield agent not in (*minds, *scene.listeners), "an agent overhears what he hears, or what he thinks"
            yield _noticing(agent, noticed, scene.listeners)
        case Watch(agent, room, noticed):
            yield room == scene.chapter_room, "an agent watches a room that is not the chapter's"
            yield room_of.get(agent) != room, "an agent watches the room where he is"
            yield agent not in scene.watchers, "an agent watches already"
            yield _noticing(agent, noticed, scene.watchers)
        case Lose() | See() | Like() | Dislike():
            pass
        case _:
            raise TypeError(f"no such event: {event!r}")


def _noticing(agent: int, noticed: tuple[int, ...], secret: Mapping[int, int]) -> tuple[bool, str]:
    """Return whether an agent can notice others, given the secret ones so far and whom each of them noticed."""
    closed = mask(noticed)
    there = all(other in secret and not secret[other] & ~closed for other in noticed)
    once = agent not in noticed and len(set(noticed)) == len(noticed)
    return there and once, "an agent notices those in secret so far, and all whom they noticed, once each"
