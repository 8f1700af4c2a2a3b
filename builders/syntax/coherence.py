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
    Named,
    Overhear,
    Place,
    Report,
    See,
    Stay,
    Still,
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
    if isinstance(event, Named):
        by = getattr(event, "by", None)  # Still has none
        yield by is None or bool(by) and len(set(by)) == len(by), "a container must be named by agents, each once"
        yield event.thing in scene.place or not isinstance(event, Still), "the thing must have been placed before"
    match event:
        case Enter(agents, room):
            yield all(0 <= agent < n_agents for agent in agents), f"agents must have numbers below {n_agents}"
            yield bool(agents) and len(set(agents)) == len(agents), "one agent or more must enter, each once"
            yield all(room_of.get(agent) != room for agent in agents), "an agent must enter a room where he is not"
        case Come(agent, room):
            yield 0 <= agent < n_agents, f"agents must have numbers below {n_agents}"
            yield room_of.get(agent) != room, "an agent must come into a room where he is not"
            yield (
                agent not in scene.watchers or room != scene.chapter_room,
                "a watcher must not come into the room that he watches",
            )
        case Place(thing, container):
            here = scene.entered
            yield here not in (None, WAITING_ROOM), "a thing must be placed in a chapter's room"
            yield scene.thing_room.get(thing, here) == here, "the thing must be in the chapter's room"
            yield scene.container_room.get(container, here) == here, "the container must be in the same room"
            yield scene.place.get(thing, container) == container, "the thing must be placed where it was left"
        case Move(agent, thing, container):
            here = room_of.get(agent)
            yield here is not None and scene.thing_room.get(thing) == here, "the mover must be with the thing"
            yield scene.place.get(thing) != container, "the thing must be moved to another container"
            yield scene.container_room.get(container, here) == here, "the container must be in the same room"
        case Stay(agent, room):
            yield room_of.get(agent) == room, "an agent must stay in a room where he is"
        case Exit(agent, room):
            yield room_of.get(agent) == room, "an agent must exit a room where he is"
        case Tell(speaker, hearers, _, _):
            once = len(set(hearers)) == len(hearers)
            yield speaker not in hearers and once, "a speaker must tell others, each once"
        case Report(speaker, hearers, chain, _, _):
            minds = (speaker, *hearers, *chain)
            yield bool(hearers) and bool(chain), "a claim about thoughts must be private, and name whose thoughts"
            yield len(set(minds)) == len(minds), "a claim about thoughts must name each agent once"
        case Overhear(agent, noticed):
            claim = scene.claim
            minds = () if claim is None else (claim.speaker, *claim.hearers, *getattr(claim, "chain", ()))
            yield claim is not None and bool(claim.hearers), "an agent must overhear a private claim just made"
            yield agent not in (*minds, *scene.listeners), "an agent must not overhear what he hears or thinks"
            yield _noticing(agent, noticed, scene.listeners)
        case Watch(agent, room, noticed):
            yield room == scene.chapter_room, "an agent must watch the chapter's room"
            yield room_of.get(agent) != room, "an agent must watch from outside the room"
            yield agent not in scene.watchers, "an agent must not watch twice in a chapter"
            yield _noticing(agent, noticed, scene.watchers)
        case Lose() | See() | Like() | Dislike():
            pass
        case _:
            raise TypeError(f"not an event: {event!r}; expected one of syntax.events")


def _noticing(agent: int, noticed: tuple[int, ...], secret: Mapping[int, int]) -> tuple[bool, str]:
    """Return whether an agent can notice others, given the secret ones so far and whom each of them noticed."""
    closed = mask(noticed)
    there = all(other in secret and not secret[other] & ~closed for other in noticed)
    once = agent not in noticed and len(set(noticed)) == len(noticed)
    return there and once, "an agent must notice agents already in secret, and all whom they noticed, each once"
