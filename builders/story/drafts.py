"""Own drafts of deep stories: chapters in which every move and every claim has a container of its own.

The containers of a finished story come later, by colouring (`colouring`). A draft is about thing 0 in room 1.
"""

from typing import NamedTuple

from builders.story.deep_chains import CLAIM, WATCH
from builders.story.meaning import Lesson, lessons_about
from builders.story.syntax import WAITING_ROOM, Enter, Event, Exit, Move, Place, Stay, Story, Tell, Watch
from builders.streams import Stream

WATCHES = 0.4
"""How likely an agent outside the room watches from the start of a chapter."""


PEEPS = 0.3
"""How likely an agent watches after leaving the room."""


ALSO = 0.5
"""How likely an agent who is not in the chain joins a chapter, or the hearers of a claim."""


SECOND = 0.65
"""How likely a chapter has a second claim."""


PUBLIC, PUBLIC_TOGETHER = 0.05, 0.4
"""How likely a claim is public: most claims, and the one that is to teach the chain."""


TO_ONE = 0.05
"""How likely a private claim is told to one agent only."""


APART = 100
"""Distance between the numbers of the first containers of two chapters, so that no two chapters share one."""


class DeepChapter(NamedTuple):
    """Hold one chapter of a draft.

    Its lessons do not depend on earlier chapters, because nobody is in a room when it begins. In them container 0 is
    where the thing is when the chapter begins.
    """

    body: list[Event]  # what happens in the room, and the way to the waiting room
    claims: list[Event]  # the claims that follow
    lessons: list[Lesson]  # what both teach about the thing


def draw_deep_chapter(
    stream: Stream, n_agents: int, meant: list[int], number: int, together: str | None, body: list[Event] | None = None
) -> DeepChapter:
    """Draw chapter `number` (from 0) of a draft, with a given body or a new one.

    The chapter tries to give the agents who are `meant` a belief that only all of them share. `together`: the kind of
    lesson by which this chapter teaches it to all of them (see `deep_chains`). Where it is None, what happens is mostly
    kept from one of them, so that fewer of them believe something else.
    """
    body = body or _draw_body(stream, n_agents, meant, number, together)
    claims = _draw_claims(stream, n_agents, meant, together, body[0].agents)
    chapter = DeepChapter(body, claims, [])
    return chapter._replace(lessons=lessons_about(draft_story([chapter], n_agents, APART * number), 0))


def _draw_body(stream: Stream, n_agents: int, meant: list[int], number: int, together: str | None) -> list[Event]:
    """Draw who enters, who watches, and what each does before leaving; all containers are 0 as yet."""
    random = stream.random
    agents = range(n_agents)
    if number:
        absent = meant[0] if together == WATCH else meant[stream.below(len(meant))]
        agents = _all_meant_but(stream, n_agents, meant, absent)
        agents = stream.shuffled(agents) if len(agents) > 1 else stream.draw(range(n_agents), 2)
    body: list[Event] = [Enter(tuple(agents), 1)]
    for agent in range(n_agents):
        if agent not in agents and (together == WATCH and agent == meant[0] or random() < WATCHES):
            body.append(Watch(agent, 1))
    body.append(Place(0, 0))
    for agent in agents:
        body += [Move(agent, 0, 0) if random() < 0.5 else Stay(agent, 1), Exit(agent, 1)]
        if agent != agents[-1] and random() < PEEPS:
            body.append(Watch(agent, 1))
    body.append(Enter(tuple(agents), WAITING_ROOM))
    return body


def _draw_claims(
    stream: Stream, n_agents: int, meant: list[int], together: str | None, speakers: tuple[int, ...]
) -> list[Event]:
    """Draw one or two claims by agents who were in the room.

    Where `together` is CLAIM, the first claim is the one that teaches all who are meant.
    """
    random = stream.random
    claims: list[Event] = []
    for speaker in stream.draw(speakers, 2 if random() < SECOND else 1):
        teaches_all = together == CLAIM and not claims
        hearers: list[int] = []
        if random() >= (PUBLIC_TOGETHER if teaches_all else PUBLIC):
            audience = meant
            if not teaches_all:
                audience = _all_meant_but(stream, n_agents, meant, meant[stream.below(len(meant))])
            hearers = stream.shuffled(agent for agent in audience if agent != speaker)
            if not hearers or random() < TO_ONE:
                hearers = [(speaker + 1 + stream.below(n_agents - 1)) % n_agents]
        claims.append(Tell(speaker, tuple(hearers), 0, 0))
    return claims


def _all_meant_but(stream: Stream, n_agents: int, meant: list[int], absent: int) -> list[int]:
    """Draw a group of all agents who are meant but one, and some others."""
    random = stream.random
    return [agent for agent in range(n_agents) if agent != absent and (agent in meant or random() < ALSO)]


def draft_story(chapters: list[DeepChapter], n_agents: int, last: int = 0) -> Story:
    """Return the story of some chapters, in which each move and claim gets the next new container after `last`."""
    events: list[Event] = []
    place = 0
    for body, claims, _ in chapters:
        for event in (*body, *claims):
            match event:
                case Place(thing, _):
                    event = Place(thing, place)
                case Move(agent, thing, _):
                    place = last = last + 1
                    event = Move(agent, thing, place)
                case Tell(speaker, hearers, thing, _):
                    last += 1
                    event = Tell(speaker, hearers, thing, last)
            events.append(event)
    return Story(n_agents, tuple(events))


def draft_lessons(chapters: list[DeepChapter]) -> list[Lesson]:
    """Return the lessons of chapters that follow one another, without telling their story.

    These are `lessons_about` of `draft_story`, but for the lines and for the numbers of the containers.
    """
    lessons: list[Lesson] = []
    place = 0
    for chapter in chapters:
        first_place = place
        for lesson in chapter.lessons:
            if lesson.container == 0:
                lesson = lesson._replace(container=first_place)
            elif lesson.speaker < 0:
                place = lesson.container
            lessons.append(lesson)
    return lessons
