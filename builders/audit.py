"""Own what could be guessed without reading: rules that name an answer from a glance, and the gates they must fail.

Hi-ToM: a rule looks at the formal story and the chain; it has no guess where what it looks for is not there, and that
counts as wrong. Gated rules look only at places and claims; the others are shown beside them: *last but one* is the
last but one line that places or moves the thing, *their first move* the first move of it by an agent of the chain; and
in a story of one chapter without claims *first leaver*, *set of agents* and *one order lower* are nearly the semantics.

MindGames: lookups answer a text by its most common label elsewhere; the other rules reckon with the announcements, but
not with who sees and knows what.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from builders.belief import Lesson, lessons, places, teacher
from builders.formula import Knows, KnowsWhether, Not, Problem
from builders.s5 import Checker
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
    return _render(table, RULES, {rule: f"≤ {100 * most:.0f}" for rule, most in GATES.items()} if gated else {})


def _render(table: Table, rules: Sequence[str], gates: Mapping[str, str]) -> str:
    lines = [
        "| | questions | " + " | ".join(rules) + " |",
        "| --- |" + " ---: |" * (len(rules) + 1),
    ]
    for group, shares in table.shares.items():
        cells = " | ".join(f"{100 * shares[rule]:.1f}" for rule in rules)
        lines.append(f"| {group} | {table.counts[group]} | {cells} |")
    if gates:
        lines.append(f"| gate | | {' | '.join(gates.get(rule, '') for rule in rules)} |")
    return "\n".join(lines)


def broken_gates(table: Table) -> list[str]:
    """Return one line for each gate that the table breaks; the caller leaves out order 0, where all is seen."""
    return [
        f"{group}: guessing {rule!r} is right on {100 * shares[rule]:.1f} %, the gate is {100 * limit:.0f} %"
        for group, shares in table.shares.items()
        for rule, limit in GATES.items()
        if shares[rule] > limit
    ]


# MindGames.


@dataclass(frozen=True, slots=True)
class Posed:
    """Hold one MindGames problem: its texts with the names masked, its label, and, where it is tested, what it says."""

    group: str
    setup: str
    premise: str
    hypothesis: str
    follows: bool
    problem: Problem | None


LOOKUPS = ("hypothesis alone", "premise alone")
"""The gated rules: what is known of one text must not help."""
CHANCE = (0.47, 0.53)
"""Between these shares a lookup must be right on the test split."""
POSED_RULES = (*LOOKUPS, "setup and hypothesis", "entailment", "announced facts", "as if all saw all", "as if none saw")


def mask(text: str, names: Sequence[str]) -> str:
    """Return a text with X for every name, so that only its form is left."""
    return re.sub(rf"\b(?:{'|'.join(map(re.escape, names))})\b", "X", text)


def lookup(fitted: Iterable[tuple[str, bool]]) -> Callable[[str], bool]:
    """Return what answers a text by its most common label among those fitted, an unknown one by that of them all."""
    labels: dict[str, Counter[bool]] = defaultdict(Counter)
    for text, label in fitted:
        labels[text][label] += 1
        labels[""][label] += 1
    return lambda text: labels.get(text, labels[""]).most_common(1)[0][0]


def posed_guesses(problem: Problem) -> dict[str, bool]:
    """Return what rules answer that reckon with the announcements, but not with who sees and knows what.

    *announced facts* forgets all announcements of knowledge but those that somebody knows that a fact holds, of which
    it keeps the fact; then a hypothesis is read as if all that is true were known. *as if all saw all* and *as if none
    saw* change what the agents see; where no world is left then, everything follows.
    """
    n = len(problem.sees)
    everything = tuple([tuple(range(1, n + 1))] * n)
    facts = []
    for said in problem.announcements:
        match said:
            case Knows(_, fact):
                facts.append(fact)
            case KnowsWhether() | Not(Knows() | KnowsWhether()):
                pass
            case fact:
                facts.append(fact)
    changed = {
        "announced facts": replace(problem, sees=everything, announcements=tuple(facts)),
        "as if all saw all": replace(problem, sees=everything),
        "as if none saw": replace(problem, sees=((),) * n),
    }
    return {rule: Checker(each.structure()).valid(each.claim()) for rule, each in changed.items()}


def measure_posed(fitted: Iterable[Posed], tested: Iterable[Posed]) -> Table:
    """Return how often each rule is right on the tested problems of each group; lookups know only the fitted ones."""
    texts: dict[str, Callable[[Posed], str]] = {
        "hypothesis alone": lambda posed: posed.hypothesis,
        "premise alone": lambda posed: posed.premise,
        "setup and hypothesis": lambda posed: f"{posed.setup} {posed.hypothesis}",
    }
    fitted = list(fitted)
    lookups = {rule: lookup((of(posed), posed.follows) for posed in fitted) for rule, of in texts.items()}
    counts: Counter[str] = Counter()
    right: dict[str, Counter[str]] = defaultdict(Counter)
    for posed in tested:
        counts[posed.group] += 1
        answers = {rule: lookups[rule](of(posed)) for rule, of in texts.items()}
        for rule, answer in {**answers, "entailment": True, **posed_guesses(posed.problem)}.items():
            right[posed.group][rule] += answer == posed.follows
    return Table(
        dict(counts),
        {group: {rule: right[group][rule] / total for rule in POSED_RULES} for group, total in counts.items()},
    )


def render_posed(table: Table, gated: bool = False) -> str:
    """Return a table of MindGames rules in Markdown, as `render` does."""
    least, most = CHANCE
    return _render(
        table, POSED_RULES, dict.fromkeys(LOOKUPS, f"{100 * least:.0f} to {100 * most:.0f}") if gated else {}
    )


def broken_posed_gates(table: Table) -> list[str]:
    """Return one line for each gate of MindGames that the table breaks."""
    least, most = CHANCE
    return [
        f"{group}: {rule!r} is right on {100 * shares[rule]:.1f} %, the gate is {100 * least:.0f} to {100 * most:.0f} %"
        for group, shares in table.shares.items()
        for rule in LOOKUPS
        if not least <= shares[rule] <= most
    ]
