"""What a story means: which event teaches which chain of agents, and so where each chain believes the thing to be.

A *chain* (A1, …, An) asks where A1 thinks that A2 thinks … that An thinks the thing is. The empty chain asks where the
thing really is. One rule (`belief`) answers every chain:

    A chain believes the thing to be in the container of the last event about it that teaches the chain.

A chain that no event teaches has no belief. Which events teach which chains (`teaches`):

- A *sighting* is a Place, a Move, or an Enter into the room where the thing is. Its *witnesses* are the agents in that
  room at that moment. It teaches the empty chain, and every chain made of witnesses only.
- A *watcher* sees the sightings in the chapter's room from outside, from the line that says so to the end of the
  chapter. Nobody else knows. So a sighting also teaches a chain whose first agent watches and whose others are
  witnesses.
- A *claim* is heard by everyone in the story, or by those who are told. It never teaches the empty chain. A hearer
  *trusts* the speaker s if s was in this chapter's room, and the hearer was not there or left it before s. Who has not
  left counts as leaving last; two such agents do not trust each other. Everybody knows who left when.
  Under the semantics `recursive`, the claim teaches a chain on two conditions. Every agent in the chain is s or a
  hearer. And the last agent is convinced in the eyes of the others:
    - The last agent is not s: this agent trusts s, or the agent right before is s, who takes all hearers to believe the
      claim. Nobody else shares that mistake.
    - The last agent is s: there is an agent right before s, who trusts s and so takes s to believe the claim.
  A watcher does not trust what is claimed in that time, and nobody else knows. So the claim does not teach a chain
  where the trust that counts is that of the first agent, and this agent watched.
- Under `published`, what the released generator does, a claim teaches chains of one and two agents: (x) and (x, s) for
  each hearer x who trusts s, and (s, d) for each hearer d. It has no rule for watchers.

Seen from one thing a story is a list of *lessons*, one for each event about it. Sets of agents are bit masks.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..syntax.events import WAITING_ROOM, Enter, Event, Move, Place, Story, Tell, Watch
from ..syntax.scan import Scene, mask, scan

SEMANTICS = ("recursive", "published")
"""How a claim reaches beliefs about beliefs: as the printed assumptions say, or as the released generator does."""


SLOTS = ("first", "second", "later", "claimed")
"""Which of the thing's distinct places an answer is, by first appearance; claimed: the thing was never there."""


class Lesson(NamedTuple):
    """Hold what one event says about one thing: a sighting or a claim.

    A tuple, because sampling makes about a hundred of them for a story.
    """

    container: int  # where the thing is seen, or said to be
    minds: int  # bit mask: the witnesses of a sighting; the speaker and all hearers of a claim
    speaker: int = -1  # who makes the claim; -1 for a sighting
    trusting: int = 0  # bit mask: the hearers who trust the speaker, whether or not they watched
    line: int = -1  # index of the event in the story
    watching: int = 0  # bit mask: who watches the room from outside; they see a sighting, and do not trust a claim
    members: int = 0  # bit mask, of a claim: who was in the chapter's room, still there or not


def belief(story: Story, chain: tuple[int, ...], thing: int, semantics: str = "recursive") -> int | None:
    """Return the container in which a chain believes the thing to be, or None where no event teaches the chain.

    Raises ValueError for a chain that holds an agent twice or is longer than the story has agents: it asks what a
    shorter chain asks (workshop paper, Theorem C.5). Raises it too for unknown semantics, and for `published` where
    somebody watches.
    """
    if len(set(chain)) != len(chain) or len(chain) > story.n_agents:
        raise ValueError(f"a chain has distinct agents, at most {story.n_agents} here (Theorem C.5): {chain}")
    if semantics not in SEMANTICS:
        raise unknown_semantics(semantics)
    if semantics == "published" and has_watchers(story):
        raise no_watchers(semantics)
    lesson = teacher(lessons_about(story, thing), chain, semantics)
    return None if lesson is None else lesson.container


def teacher(lessons: list[Lesson], chain: tuple[int, ...], semantics: str) -> Lesson | None:
    """Return the last of the lessons that teaches a chain, or None."""
    for lesson in reversed(lessons):
        if teaches(lesson, chain, semantics):
            return lesson
    return None


def teaching_line(story: Story, lessons: list[Lesson], chain: tuple[int, ...], semantics: str) -> int:
    """Return the line that taught a chain what it believes; for reality the line that placed or moved the thing.

    Somebody who comes in and sees the thing puts it nowhere. `lessons` are those of the story. Raises AttributeError
    for a chain that nothing teaches.
    """
    if not chain:
        lessons = [lesson for lesson in lessons if not isinstance(story.events[lesson.line], Enter)]
    return teacher(lessons, chain, semantics).line


def teaches(lesson: Lesson, chain: tuple[int, ...], semantics: str) -> bool:
    """Return whether a lesson teaches a chain, by the rules at the top of this file.

    A sighting follows Definition C.3 of the workshop paper, a claim the four assumptions of the EMNLP paper (Table 8).
    Raises ValueError for unknown semantics, and for `published` where somebody watches.
    """
    minds, speaker, watching = lesson.minds, lesson.speaker, lesson.watching
    if watching and semantics == "published":
        raise no_watchers(semantics)
    for agent in chain[1:]:
        if not minds >> agent & 1:
            return False
    if speaker < 0:
        return not chain or bool((minds | watching) >> chain[0] & 1)
    if not chain or not minds >> chain[0] & 1:
        return False
    if semantics == "published":
        if len(chain) > 2 or len(chain) == 2 and speaker not in chain:
            return False
    elif semantics != "recursive":
        raise unknown_semantics(semantics)
    if chain[-1] != speaker:
        if speaker in chain[-2:-1]:
            return True
        truster = chain[-1]
    elif len(chain) > 1:
        truster = chain[-2]
    else:
        return False
    # Only watchers know that they watched, so it counts only where the one who is to trust is the first agent.
    trusting = lesson.trusting & ~watching if truster == chain[0] else lesson.trusting
    return bool(trusting >> truster & 1)


def lessons_about(story: Story, thing: int) -> list[Lesson]:
    """Return the lessons of a story about a thing, in the order of its events."""
    return [lesson for _, _, lesson in moments(story, thing) if lesson]


def moments(story: Story, thing: int) -> Iterator[tuple[Event, Scene, Lesson | None]]:
    """Yield each event with the scene before it and its lesson about a thing, None where it has none.

    Trust follows the third assumption of the EMNLP paper (Table 8).
    """
    for line, (event, scene) in enumerate(scan(story)):
        lesson = None
        match event:
            case Enter(agents, room) if room == scene.thing_room.get(thing) != WAITING_ROOM:
                lesson = Lesson(scene.place[thing], scene.inside[room] | mask(agents), line=line)
            case Place(placed, container) | Move(_, placed, container) if placed == thing:
                room = scene.entered if isinstance(event, Place) else scene.room_of.get(event.agent)
                watching = scene.watching if room == scene.chapter_room else 0
                lesson = Lesson(container, scene.inside[room], line=line, watching=watching)
            case Tell(speaker, hearers, claimed, container) if claimed == thing:
                left = scene.left
                hearing = [agent for agent in hearers or range(story.n_agents) if agent != speaker]
                trusting = mask(agent for agent in hearing if left.get(agent, -1) < left.get(speaker, -1))
                minds = mask(hearing) | 1 << speaker
                lesson = Lesson(container, minds, speaker, trusting, line, scene.watching, mask(left))
        yield event, scene, lesson


def obstacle(lesson: Lesson, chain: tuple[int, ...]) -> tuple[str, tuple[int, ...]] | None:
    """Return why a lesson does not teach a chain under `recursive`, and in which agents, or None where it teaches it.

    absent: they did not see it. unseen: they watched, so that those before them do not know that they saw it.
    unheard: they did not hear it. reality: a claim moves nothing. own words: the chain is the speaker alone.
    doubted: this agent does not trust the speaker. watched: this agent watched, and so does not trust the speaker.
    """
    if teaches(lesson, chain, "recursive"):
        return None
    missing = tuple(agent for agent in chain if not lesson.minds >> agent & 1)
    if lesson.speaker < 0:
        absent = tuple(agent for agent in missing if not lesson.watching >> agent & 1)
        return ("absent", absent) if absent else ("unseen", tuple(agent for agent in missing if agent != chain[0]))
    if missing:
        return "unheard", missing
    if not chain:
        return "reality", ()
    if chain == (lesson.speaker,):
        return "own words", chain
    doubter = chain[-2] if chain[-1] == lesson.speaker else chain[-1]
    return ("watched" if lesson.trusting >> doubter & 1 else "doubted"), (doubter,)


def reached(lesson: Lesson) -> int:
    """Return the bit mask of the agents whom a lesson reached: they saw or watched a sighting, or heard a claim."""
    return lesson.minds | lesson.watching if lesson.speaker < 0 else lesson.minds


def places(lessons: list[Lesson]) -> list[int]:
    """Return the containers where the thing was, by first appearance."""
    return list(dict.fromkeys([lesson.container for lesson in lessons if lesson.speaker < 0]))


def answer_slot(lessons: list[Lesson], container: int) -> int:
    """Return the index in SLOTS of an answer."""
    visited = places(lessons)
    return min(visited.index(container), SLOTS.index("later")) if container in visited else SLOTS.index("claimed")


def has_watchers(story: Story) -> bool:
    """Return whether somebody watches, for which `published` has no rule."""
    return any(isinstance(event, Watch) for event in story.events)


def unknown_semantics(semantics: str) -> ValueError:
    """Return the error for semantics that do not exist."""
    return ValueError(f"unknown semantics {semantics!r}; there are {', '.join(SEMANTICS)}")


def no_watchers(semantics: str) -> ValueError:
    """Return the error for a watcher under semantics that have no rule for one."""
    return ValueError(f"the {semantics} semantics has no watchers: the released generator tells no such story")
