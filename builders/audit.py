"""Own what could be guessed without reading: rules that name an answer from a glance, and the gates they must fail.

A rule looks at the formal story and the chain; it has no guess where what it looks for is not there, and that counts
as wrong. Gated rules look only at places and claims; the others are shown beside them: *last but one* is the last but
one line that places or moves the thing, *their first move* the first move of it by an agent of the chain; and in a
story of one chapter without claims *first leaver*, *set of agents* and *one order lower* are nearly the semantics.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from builders.belief import Lesson, lessons, places, teacher
from builders.story import Exit, Like, Move, Place, Story, Tell

GATES = {"first": 0.38, "last": 0.38, "second": 0.38, "most mentioned": 0.38, "last claim": 0.38, "letter": 0.08}
"""The share that always guessing so may be right, for each order from 1."""
GATED_STORIES = 240
"""Smaller test splits are measured, but chance alone could break a gate."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold one question with its answer, whatever it was read from.

    group: the table row it is counted in, usually its order. letter: the answer's place among the choices.
    """

    group: str
    story: Story
    chain: tuple[int, ...]
    thing: int
    answer: int
    letter: int
    semantics: str = "recursive"


def most_common(containers: list[int]) -> int | None:
    """Return the container that stands most often in a list; ties go to the first one."""
    return max(containers, key=containers.count) if containers else None


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


def guesses(asked: Asked, taught: list[Lesson]) -> dict[str, int | None]:
    """Return what each rule answers, None where it has no guess."""
    been = places(taught)
    sightings = [lesson for lesson in taught if lesson.speaker < 0]
    claims = [lesson for lesson in taught if lesson.speaker >= 0]
    said = [event for event in asked.story.events if isinstance(event, Place | Move | Tell)]
    moved = [event for event in said if event.thing == asked.thing and not isinstance(event, Tell)]
    lower = teacher(taught, asked.chain[1:], asked.semantics) if asked.chain else None
    together = teacher(sightings, asked.chain, asked.semantics)
    return {
        "first": been[0] if been else None,
        "last": sightings[-1].container if sightings else None,
        "second": been[1] if len(been) > 1 else None,
        "most mentioned": most_common([event.container for event in said if event.thing == asked.thing]),
        "last claim": claims[-1].container if claims else None,
        "first leaver": first_leaver(asked.story, asked.thing, asked.chain),
        "set of agents": together.container if together else None,
        "one order lower": lower.container if lower else None,
        "last but one": moved[-2].container if len(moved) > 1 else None,
        "their first move": next((e.container for e in moved if isinstance(e, Move) and e.agent in asked.chain), None),
        "most in the text": most_common(
            [event.container for event in asked.story.events if isinstance(event, Place | Move | Tell | Like)]
        ),
    }


@dataclass(frozen=True, slots=True)
class Table:
    """Hold the share of right guesses of each rule, and how many questions, for each group."""

    counts: dict[str, int]
    shares: dict[str, dict[str, float]]


def measure(questions: Iterable[Asked]) -> Table:
    """Return how often each rule is right, and how often the answer has its most common letter, in each group."""
    counts: Counter[str] = Counter()
    right: dict[str, Counter[str]] = defaultdict(Counter)
    letters: dict[str, Counter[int]] = defaultdict(Counter)
    known: tuple[Story, int] | None = None
    taught: list[Lesson] = []
    for asked in questions:
        if known != (asked.story, asked.thing):
            known = (asked.story, asked.thing)
            taught = lessons(asked.story, asked.thing)
        counts[asked.group] += 1
        letters[asked.group][asked.letter] += 1
        for rule, guess in guesses(asked, taught).items():
            right[asked.group][rule] += guess == asked.answer
    shares = {}
    for group, total in counts.items():
        shares[group] = {rule: hits / total for rule, hits in right[group].items()}
        shares[group]["letter"] = max(letters[group].values()) / total
    return Table(dict(counts), shares)


RULES = (
    *GATES,
    "last but one",
    "their first move",
    "first leaver",
    "set of agents",
    "one order lower",
    "most in the text",
)


def render(table: Table, gated: bool = False) -> str:
    """Return a table in Markdown: a row for each group, a column for each rule, per cent right, and the gates."""
    lines = [
        "| | questions | " + " | ".join(RULES) + " |",
        "| --- |" + " ---: |" * (len(RULES) + 1),
    ]
    for group, shares in table.shares.items():
        cells = " | ".join(f"{100 * shares[rule]:.1f}" for rule in RULES)
        lines.append(f"| {group} | {table.counts[group]} | {cells} |")
    if not gated:
        return "\n".join(lines)
    limits = " | ".join(f"≤ {100 * GATES[rule]:.0f}" if rule in GATES else "" for rule in RULES)
    lines.append(f"| gate | | {limits} |")
    return "\n".join(lines)


def broken_gates(table: Table) -> list[str]:
    """Return one line for each gate that the table breaks; the caller leaves out order 0, where all is seen."""
    return [
        f"{group}: guessing {rule!r} is right on {100 * shares[rule]:.1f} %, the gate is {100 * limit:.0f} %"
        for group, shares in table.shares.items()
        for rule, limit in GATES.items()
        if shares[rule] > limit
    ]
