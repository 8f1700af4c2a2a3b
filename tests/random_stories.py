"""The random stories that tests of stories draw."""

import re
from itertools import permutations

from hypothesis import strategies as st

from tom_datasets.reader.read_stories import read_story
from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.story.meaning import belief
from tom_datasets.syntax.events import (
    Come,
    Dislike,
    Enter,
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


def told(text):
    """Return the story and the names of a text whose sentences have their numbers before them."""
    return read_story(re.sub(r" (?=\d+ [A-Z])", "\n", text))


def held(story, chain, thing=0, semantics="recursive"):
    """Return the container in which a chain believes; both engines must say so."""
    container = belief(story, chain, thing, semantics)
    assert believe_after(happenings(story, thing), [tuple(chain)], semantics) == {tuple(chain): container}
    return container


def chains(n_agents, highest, lowest=0):
    """Return all chains of orders `lowest` to `highest`."""
    return [chain for order in range(lowest, highest + 1) for chain in permutations(range(n_agents), order)]


@st.composite
def coherent_stories(draw, claims=True, most=6, watches=False, comes=False):
    """Draw a coherent story about thing 0 of room 1, in which agents come, go and come back in several rooms.

    watches: whether some watch, overhear what is told in private, and are told of thoughts. comes: whether some come in
    while a chapter goes on.
    """
    # All is drawn at once: to draw four numbers a step, one by one, takes three times as long.
    drawn = draw(st.binary(min_size=3 + 4 * 10, max_size=3 + 4 * 30))
    n_agents, n_rooms = 2 + drawn[0] % (most - 1), 1 + drawn[1] % 3
    n_kinds = 27 if comes else 22 if watches else 16
    numbers = [iter(drawn[3:])] * 4
    steps = [(kind % n_kinds, x % 64, y % 64, z % 64) for kind, x, y, z in zip(*numbers, strict=False)]
    where, kept = {}, {}
    events = []
    entered = chapter = 0
    watching = {}  # who watches, and whom each has noticed

    def enter(crowd, room):
        nonlocal entered, chapter, watching
        agents = tuple(agent for agent in range(n_agents) if crowd >> agent & 1 and where.get(agent) != room)
        if agents:
            events.append(Enter(agents, room))
            where.update(dict.fromkeys(agents, room))
            entered = room
            if room:
                chapter, watching = room, {}

    def thing_of(room, number):
        return room - 1 + n_rooms * (number % 5 == 4)  # two things in each room

    def noticed(secret, crowd):
        """Return some of those in secret, and all whom these have noticed."""
        chosen = [agent for agent in secret if crowd >> agent & 1]
        return tuple(sorted({*chosen, *(other for agent in chosen for other in secret[agent])}))

    enter(1 + drawn[2] % (2**n_agents - 1), 1)
    for kind, x, y, z in [(4, 0, 0, 0), *steps]:
        agent = y % n_agents
        room = where.get(agent)
        match kind:
            case 0 | 1 | 2 | 3:
                enter(x, z % (n_rooms + 2) % (n_rooms + 1) if kind else 1)
            case 4 | 5 if entered:
                thing = thing_of(entered, x)
                events.append(Place(thing, kept.setdefault(thing, 3 * (entered - 1) + y % 3)))
            case 6 | 7 | 8 if room and thing_of(room, x) in kept:
                thing = thing_of(room, x)
                first = 3 * (room - 1)  # of the room's three containers
                kept[thing] = first + (kept[thing] - first + 1 + z % 2) % 3
                events.append(Move(agent, thing, kept[thing]))
            case 9 | 10 if room is not None:
                events.append(Exit(agent, where.pop(agent)))
            case 11 if room is not None:
                events.append(Stay(agent, room))
            case 12 | 13 | 14 if claims:
                crowd = z if kind < 14 else 1 << z % n_agents
                hearers = tuple(a for a in range(n_agents) if crowd >> a & 1 and a != agent) if z % 3 else ()
                # Mostly a claim about the thing asked about; container 9 is where it never was.
                events.append(Tell(agent, hearers, n_rooms * (x % 7 == 6), (0, 1, 2, 9)[x % 4]))
            case 15:
                events.append((Lose, See, Like, Dislike)[x % 4](agent, z % 3))
            case 16 | 17 | 18 if n_agents > 2:
                speaker, *others = (*range(agent, n_agents), *range(agent))
                about = tuple(others[: 1 + x % (n_agents - 2)])
                hearers = tuple(a for a in others[len(about) :] if z >> a & 1) or (others[-1],)
                events.append(Report(speaker, hearers, about[:: 1 - z % 2 * 2], 0, (0, 1, 2, 9)[y % 4]))
            case 19 | 20 | 21:
                for agent in range(n_agents):
                    if x >> agent & 1 and where.get(agent) != chapter and agent not in watching:
                        watching[agent] = noticed(watching, y * z >> agent)
                        events.append(Watch(agent, chapter, watching[agent]))
            case 22 | 23 | 24 | 25 | 26 if chapter and where.get(agent) != chapter and agent not in watching:
                events.append(Come(agent, chapter))
                where[agent] = chapter
        if watches and isinstance(events[-1], Tell | Report) and events[-1].hearers:
            claim, listening = events[-1], {}
            minds = (claim.speaker, *claim.hearers, *getattr(claim, "chain", ()))
            for agent in range(n_agents):
                if x >> agent & 1 and agent not in minds:
                    listening[agent] = noticed(listening, y * z >> agent)
                    events.append(Overhear(agent, listening[agent]))
    return Story(n_agents, tuple(events))
