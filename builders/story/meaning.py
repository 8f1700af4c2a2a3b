"""Own the meaning of Hi-ToM stories: which events teach which chains of minds, and so who believes what.

A *chain* (A1, …, An) asks what A1 thinks that A2 thinks … that An thinks; the empty chain is reality. Its belief
is the container of the last event about the thing that teaches it. Seen from one thing, a story is a list of
*lessons*: what was seen by whom, what was claimed by whom to whom. A *watcher* sees what happens in a chapter's room
from outside, and nobody knows it but he himself: so it matters only to chains of which he is the first.

Sets of agents are bit masks. The subchains of a chain of n agents are numbered by the mask of the positions
kept (position 0 is the outermost agent), and a set of subchains is one integer of 2^n bits, so that one lesson
is carried to all of them by a few bit operations. `order_sensitive` looks at (set, last two), and at the first where
somebody watched, instead of listing permutations.
"""

from typing import NamedTuple

from builders.story.syntax import WAITING_ROOM, Enter, Exit, Move, Place, Story, Tell, Watch

SEMANTICS = ("recursive", "published")
"""The two ways in which a claim reaches beliefs about beliefs: the printed assumptions, the released generator."""


SLOTS = ("first", "second", "later", "claimed")
"""Which of the thing's distinct places an answer is, by first appearance; claimed: the thing was never there."""


class Lesson(NamedTuple):
    """Hold what one event says about one thing (a tuple, as sampling makes a hundred of them for a story).

    A sighting has `speaker` -1 and its witnesses in `minds`. A claim has its speaker, in `minds` the speaker and
    all who hear him, and in `trusting` those of them who trust him, as everybody else takes it. `line` is the index of
    the event. `watching` are those who watch the chapter's room from outside at that time: they see the sighting, and
    do not trust the claim.
    """

    container: int
    minds: int
    speaker: int = -1
    trusting: int = 0
    line: int = -1
    watching: int = 0


def mask(agents) -> int:
    """Return the bit mask of some agents."""
    bits = 0
    for agent in agents:
        bits |= 1 << agent
    return bits


def lessons(story: Story, thing: int) -> list[Lesson]:
    """Return what the story says about `thing`, event by event.

    Place happens in the room entered last, Move where its mover is. Trust follows Hi-ToM's third assumption (EMNLP
    paper, Table 8): a listener trusts a speaker who was in this chapter's room if he himself was not, or left earlier.
    """
    taught: list[Lesson] = []
    room_of: dict[int, int] = {}
    inside: dict[int | None, int] = {}  # who is in each room
    entered = chapter_room = thing_room = place = None
    left: dict[int, float] = {}  # who was in this chapter's room, and when he left it
    watching = 0  # who watches it, since when the chapter began

    def leave(agent: int, line: int) -> None:
        room = room_of.pop(agent, None)
        if room is not None:
            inside[room] ^= 1 << agent
            if room == chapter_room and agent in left:
                left[agent] = line

    for line, event in enumerate(story.events):
        match event:
            case Enter(agents, entered):
                for agent in agents:
                    leave(agent, line)
                    room_of[agent] = entered
                    inside[entered] = inside.get(entered, 0) | 1 << agent
                if entered != WAITING_ROOM:
                    chapter_room, watching = entered, 0
                    left = {agent: float("inf") for agent, room in room_of.items() if room == entered}
                    if entered == thing_room:
                        taught.append(Lesson(place, inside[entered], line=line))
            case Exit(agent, _):
                leave(agent, line)
            case Place(placed, container) if placed == thing:
                thing_room, place = entered, container
                unseen = watching if thing_room == chapter_room else 0
                taught.append(Lesson(container, inside.get(entered, 0), line=line, watching=unseen))
            case Move(agent, moved, container) if moved == thing:
                thing_room, place = room_of.get(agent), container
                unseen = watching if thing_room == chapter_room else 0
                taught.append(Lesson(container, inside.get(thing_room, 0), line=line, watching=unseen))
            case Tell(speaker, hearers, told, container) if told == thing:
                hearing = [agent for agent in hearers or range(story.n_agents) if agent != speaker]
                last = left.get(speaker, -1.0)
                trusting = mask(agent for agent in hearing if left.get(agent, -1.0) < last)
                taught.append(Lesson(container, mask(hearing) | 1 << speaker, speaker, trusting, line, watching))
            case Watch(agent, room) if room == chapter_room:
                watching |= 1 << agent
    return taught


def unknown(semantics: str) -> ValueError:
    """Return the error for semantics that there are not."""
    return ValueError(f"unknown semantics {semantics!r}; there are {', '.join(SEMANTICS)}")


def no_watchers(semantics: str) -> ValueError:
    """Return the error for a watcher under semantics that have none."""
    return ValueError(f"the {semantics} semantics has no watchers: the released generator tells no such story")


def teaches(lesson: Lesson, chain: tuple[int, ...], semantics: str) -> bool:
    """Return whether the lesson teaches the chain.

    A sighting teaches the chains made of its witnesses, the empty one always (Definition C.3), and the chains of a
    watcher and then only witnesses. A claim by s teaches, under `recursive`, the chains within its speaker and hearers
    whose last agent is convinced in the eyes of the others: he trusts s, or s is among those before him; where s
    himself is last, the one before him trusts s. That a watcher does not trust, he alone knows: where his trust would
    count, and he is the first, it teaches nothing. Under `published` a claim teaches only (x) and (x, s) for a trusting
    x, and (s, d) for a hearer d; there are no watchers (ValueError).
    """
    minds, speaker, watching = lesson.minds, lesson.speaker, lesson.watching
    if watching and semantics == "published":
        raise no_watchers(semantics)
    for agent in chain[1:]:
        if not minds >> agent & 1:
            return False
    if speaker < 0:
        return not chain or bool((minds | watching) >> chain[0] & 1)
    if chain and not minds >> chain[0] & 1:
        return False
    match semantics:
        case "recursive":
            pass
        case "published":
            if len(chain) > 2 or len(chain) == 2 and speaker not in chain:
                return False
        case _:
            raise unknown(semantics)
    if not chain:
        return False
    if chain[-1] == speaker:
        trusting = lesson.trusting & ~watching if len(chain) == 2 else lesson.trusting
        return len(chain) > 1 and bool(trusting >> chain[-2] & 1)
    trusting = lesson.trusting & ~watching if len(chain) == 1 else lesson.trusting
    return speaker in chain or bool(trusting >> chain[-1] & 1)


def reached(lesson: Lesson) -> int:
    """Return the bit mask of those who saw, watched or heard what a lesson tells; who only watched hears no claim."""
    return lesson.minds | lesson.watching if lesson.speaker < 0 else lesson.minds


def obstacle(lesson: Lesson, chain: tuple[int, ...]) -> tuple[str, tuple[int, ...]] | None:
    """Return what keeps a lesson from teaching a chain, and in whom, under `recursive`; None where nothing does.

    absent: they did not see it. unseen: they watched, which those before them in the chain do not know. unheard: they
    did not hear it. reality: words move nothing. own words: he said it himself. doubted: he does not trust the speaker,
    or is not taken to. watched: he is taken to trust the speaker, but watched.
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


def teacher(taught: list[Lesson], chain: tuple[int, ...], semantics: str) -> Lesson | None:
    """Return the lesson that taught the whole chain what it believes, or None."""
    for lesson in reversed(taught):
        if teaches(lesson, chain, semantics):
            return lesson
    return None


def belief(story: Story, chain: tuple[int, ...], thing: int, semantics: str = "recursive") -> int | None:
    """Return the container in which the chain believes the thing to be, or None where nothing taught it.

    Raises ValueError for a chain in which an agent stands twice or that is longer than the story has agents, as then
    it asks what a shorter one asks (workshop paper, Theorem C.5).
    """
    if len(set(chain)) != len(chain) or len(chain) > story.n_agents:
        raise ValueError(f"a chain has distinct agents, at most {story.n_agents} here (Theorem C.5): {chain}")
    if semantics not in SEMANTICS:
        raise unknown(semantics)
    if semantics == "published" and has_watchers(story):
        raise no_watchers(semantics)
    lesson = teacher(lessons(story, thing), chain, semantics)
    return None if lesson is None else lesson.container


def has_watchers(story: Story) -> bool:
    """Return whether somebody watches, which the published semantics does not know."""
    return any(isinstance(event, Watch) for event in story.events)


def places(taught: list[Lesson]) -> list[int]:
    """Return the containers in which the thing was, by first appearance."""
    return list(dict.fromkeys([lesson.container for lesson in taught if lesson.speaker < 0]))


def answer_slot(taught: list[Lesson], container: int) -> int:
    """Return the index in SLOTS of an answer."""
    been = places(taught)
    return min(been.index(container), SLOTS.index("later")) if container in been else SLOTS.index("claimed")
