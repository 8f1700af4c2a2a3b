"""Own what could be guessed without reading: rules that name an answer from a glance, and the gates they must fail.

Hi-ToM: a rule looks at the formal story and the chain; it has no guess where what it looks for is not there, and that
counts as wrong. Gated rules look only at places and claims; the others are shown beside them: *last but one* is the
last but one line that places or moves the thing, *their first move* the first move of it by an agent of the chain; and
in a story of one chapter without claims *first leaver*, *set of agents* and *one order lower* are nearly the semantics.

MindGames: *hypothesis alone* and *premise alone* answer a text by its most common label elsewhere, *sentence by
sentence* counts which sentences came with which label of which hypothesis; the other rules forget what is announced,
who sees what, or in what order it was said.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

from builders.belief import Lesson, lessons, places, teacher
from builders.formula import And, Knows, KnowsWhether, Not, Problem
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
    """Hold one MindGames problem: what it says, its texts with the names masked, its `pairs`, and its label."""

    group: str
    problem: Problem
    premise: str
    hypothesis: str
    pairs: tuple[str, ...]
    follows: bool


LOOKUPS = ("hypothesis alone", "premise alone")
"""The gated rules: what is known of one text must not help."""
CHANCE = (0.47, 0.53)
"""Between these shares a lookup must be right on the test split."""
POSED_RULES = (
    *LOOKUPS,
    "no announcements",
    "announced facts",
    "as if none saw",
    "as if all saw all",
    "sentence by sentence",
    "all at once",
)


def any_of(names: Sequence[str]) -> str:
    """Return the pattern of a name, whole."""
    return rf"\b(?:{'|'.join(map(re.escape, names))})\b"


def mask(text: str, names: Sequence[str], by: Mapping[str, str] | None = None) -> str:
    """Return a text with X for every name, or with what `by` has for it and O for the others: its form is left."""
    return re.sub(any_of(names), lambda found: "X" if by is None else by.get(found[0], "O"), text)


def pairs(premise: str, hypothesis: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the hypothesis with each sentence of the premise, agents named by their place in the hypothesis."""
    spoken = dict.fromkeys(re.findall(any_of(names), hypothesis))
    by = {name: f"X{place}" for place, name in enumerate(spoken)}
    asked = mask(hypothesis, names, by)
    return tuple(f"{asked} {sentence}" for sentence in re.split(r"(?<=\.) ", mask(premise, names, by)))


def lookup(fitted: Iterable[tuple[str, bool]]) -> Callable[[str], bool]:
    """Return what answers a text by its most common label among those fitted, an unknown one by that of them all."""
    labels: dict[str, Counter[bool]] = defaultdict(Counter)
    for text, label in fitted:
        labels[text][label] += 1
        labels[""][label] += 1
    return lambda text: labels.get(text, labels[""]).most_common(1)[0][0]


def naive_bayes(fitted: Iterable[tuple[tuple[str, ...], bool]]) -> Callable[[tuple[str, ...]], bool]:
    """Return what answers by how often each feature of a problem came with each label, as if they were independent."""
    counts: dict[str, list[int]] = defaultdict(lambda: [1, 1])
    for features, label in fitted:
        for feature in features:
            counts[feature][label] += 1
    odds = {feature: log(true / false) for feature, (false, true) in counts.items()}
    return lambda features: sum(odds.get(feature, 0.0) for feature in features) > 0


def posed_guesses(problem: Problem) -> dict[str, bool]:
    """Return what rules answer that forget something.

    *no announcements* keeps only the first, "someone …". *announced facts* keeps the facts that are announced, or that
    somebody is said to know, and then reads a hypothesis as if all that is true were known. *as if none saw* and *as if
    all saw all* change what the agents see; where no world is left then, everything follows. *all at once* takes all
    announcements after the first as one: none of them changes what the others mean.
    """
    n = len(problem.sees)
    everything = tuple([tuple(range(1, n + 1))] * n)
    first, *rest = problem.announcements
    facts = [first]
    for said in rest:
        match said:
            case Knows(_, fact):
                facts.append(fact)
            case KnowsWhether() | Not(Knows() | KnowsWhether()):
                pass
            case fact:
                facts.append(fact)
    changed = {
        "no announcements": replace(problem, announcements=(first,)),
        "announced facts": replace(problem, sees=everything, announcements=tuple(facts)),
        "as if none saw": replace(problem, sees=((),) * n),
        "as if all saw all": replace(problem, sees=everything),
        "all at once": replace(problem, announcements=(first, And(tuple(rest)))),
    }
    return {rule: Checker(each.structure()).valid(each.claim()) for rule, each in changed.items()}


def measure_posed(fitted: Iterable[Posed], tested: Iterable[Posed]) -> Table:
    """Return how often each rule is right on the tested problems of each group; three of them know the fitted ones."""
    fitted = list(fitted)
    of_hypothesis = lookup((posed.hypothesis, posed.follows) for posed in fitted)
    of_premise = lookup((posed.premise, posed.follows) for posed in fitted)
    of_pairs = naive_bayes((posed.pairs, posed.follows) for posed in fitted)
    counts: Counter[str] = Counter()
    right: dict[str, Counter[str]] = defaultdict(Counter)
    for posed in tested:
        counts[posed.group] += 1
        answers = {
            "hypothesis alone": of_hypothesis(posed.hypothesis),
            "premise alone": of_premise(posed.premise),
            "sentence by sentence": of_pairs(posed.pairs),
            **posed_guesses(posed.problem),
        }
        for rule, answer in answers.items():
            right[posed.group][rule] += answer == posed.follows
    shares = {group: {rule: right[group][rule] / total for rule in POSED_RULES} for group, total in counts.items()}
    return Table(dict(counts), shares)


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
