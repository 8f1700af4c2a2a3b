"""The shortcuts of nested questions: what answers one without following its whole chain.

The audit counts how often each is right (docs/audit.md). How many of them miss a question says how hard it is.
"""

from collections.abc import Sequence

from ..syntax.events import Exit, Move, Place, Story
from .meaning import Lesson, reached, teacher
from .subchains import beliefs, container_of


def nested_guesses(
    story: Story, thing: int, chain: tuple[int, ...], lessons: list[Lesson], semantics: str
) -> dict[str, int | None]:
    """Return the container that each shortcut answers, or None where it finds none; the chain is not empty.

    `lessons` are those of the story about the thing. Shortcuts about two agents are left out where the chain has one.
    """
    whole = (1 << len(chain)) - 1
    held = beliefs(lessons, chain, semantics)
    by_subchain = [container_of(held, subchain) for subchain in range(whole + 1)]
    reached_all = [lesson for lesson in lessons if all(reached(lesson) >> agent & 1 for agent in chain)]
    heard_by_all = [lesson for lesson in reached_all if all(lesson.minds >> agent & 1 for agent in chain[1:])]
    sightings = [lesson for lesson in lessons if lesson.speaker < 0]
    guesses = {"reality": by_subchain[0]}
    if len(chain) > 1:
        guesses |= {
            "first agent alone": by_subchain[1],
            "last agent alone": by_subchain[1 << len(chain) - 1],
            "last two swapped": _container(teacher(lessons, (*chain[:-2], *chain[:-3:-1]), semantics)),
        }
    return guesses | {
        "one order lower": by_subchain[whole ^ 1],
        "last that reached all": _last(reached_all),
        "trust aside": _last(heard_by_all),
        "claims aside": _container(teacher(sightings, chain, semantics)),
        "first leaver": first_leaver(story, thing, chain),
        "cross out": _last([lesson for lesson in lessons if lesson.container not in by_subchain[:whole]]),
    }


def share_missed(
    story: Story, thing: int, chain: tuple[int, ...], lessons: list[Lesson], semantics: str, answer: int
) -> float:
    """Return the share of shortcuts that miss the answer of a question; 0 where the chain is empty."""
    if not chain:
        return 0.0
    guesses = nested_guesses(story, thing, chain, lessons, semantics)
    return sum(guess != answer for guess in guesses.values()) / len(guesses)


def first_leaver(story: Story, thing: int, chain: tuple[int, ...]) -> int | None:
    """Return where the thing was when the first of the chain's agents left a room after it had been placed."""
    place = None
    for event in story.events:
        match event:
            case Place(placed, container) | Move(_, placed, container) if placed == thing:
                place = container
            case Exit(agent, _) if agent in chain and place is not None:
                return place
    return place


def _container(lesson: Lesson | None) -> int | None:
    """Return the container of a lesson."""
    return None if lesson is None else lesson.container


def _last(lessons: Sequence[Lesson]) -> int | None:
    """Return the container of the last of some lessons."""
    return lessons[-1].container if lessons else None
