"""Own what could be guessed without reading: rules that name an answer from a glance, and the gates they must fail.

Both datasets: *majority* and *letter* always give the most common answer of the group, counted in the measured rows;
*TF-IDF* is a logistic regression on words and pairs of words; all rules of `METHODS` are fitted on other rows;
*probe* is the difficulty model's prediction.

Hi-ToM: a rule looks at the formal story and the chain; it has no guess where what it looks for is not there, and that
counts as wrong. Gated rules look only at places and claims; the others are shown beside them: *last but one* is the
last but one line that places or moves the thing, *their first move* the first move of it by an agent of the chain; and
in a story of one chapter without claims *first leaver*, *set of agents* and *one order lower* are nearly the semantics.
*question alone*, *story alone* and *TF-IDF* see the text as the probe does (see `difficulty`), and give the container
by its place among those that the text has.

MindGames: *hypothesis alone* and *premise alone* answer a text by its most common label elsewhere, *name announced* by
whether an announcement names somebody whom the hypothesis names, *sentence by sentence* counts which sentences came
with which label of which hypothesis; *TF-IDF* sees the names masked, *TF-IDF, names numbered* who is who; the other
rules forget what is announced, who sees what, or in what order it was said.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from builders.belief import (
    SLOTS,
    Lesson,
    answer_slot,
    beliefs,
    container_of,
    effective_order,
    lessons,
    order_sensitive,
    places,
    reached,
    teacher,
)
from builders.formula import And, Atom, Formula, Knows, KnowsWhether, Not, Problem, agent_name
from builders.s5 import Checker
from builders.story import Exit, Like, Move, Place, Story, Tell

GATES = {
    "hi_tom": {
        **dict.fromkeys(("first", "last", "second", "most mentioned", "last claim"), (0, 0.38)),
        "letter": (0, 0.08),
    },
    "mindgames": {**dict.fromkeys(("hypothesis alone", "premise alone"), (0.47, 0.53)), "TF-IDF": (0, 0.55)},
    "deep": {
        "needs all its agents": (0.75, 1),
        "needs their order": (0.5, 1),
        **dict.fromkeys(("reality", "first agent alone", "last agent alone", "one order lower"), (0, 0.3)),
        "last that reached all": (0, 0.5),
    },
}
"""Between which shares a rule may be right, for each order from 1, for each setup, for each deep order from 2."""
GATED_STORIES = 240
"""Smaller test splits are measured, but chance alone could break a gate."""
ALL = "all"
"""The group of all rows, the last of a table."""
PUBLISHED_DEEP = {"1st_order": 54, "2nd_order": 21, "3rd_order": 1, "4th_order": 0}
"""How many of the 120 questions of each order of the published Hi-ToM data, CoTP, need all their agents."""
PUBLISHED = Path(__file__).with_name("published.json")
"""What `python -m builders audit FILE... --record` measured on the published data."""


# Shares.


@dataclass(frozen=True, slots=True)
class Share:
    """Hold how often a rule is right, of how many, and the share that blind chance would have."""

    right: int
    total: int
    chance: float

    @property
    def share(self) -> float:
        """Return how often it is right."""
        return self.right / self.total

    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval (Wilson, 1927), as if all rows were independent."""
        square = 1.959963984540054**2
        middle = (self.right + square / 2) / (self.total + square)
        half = sqrt(square * (self.share * (1 - self.share) * self.total + square / 4)) / (self.total + square)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{100 * self.share:.1f} ({100 * low:.0f}–{100 * high:.0f})"


Table = dict[str, dict[str, Share]]
"""The share of each rule in each group; a rule that a group does not have is left out."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Hold what the rules make of one row.

    chance: the share of the choices that is right. common: for the rules that always give one answer, which of them is
    right; None where none is. right: whether each other rule is right; None where it has no say.
    """

    group: str
    chance: float
    common: Mapping[str, Hashable]
    right: Mapping[str, bool | None]


def tally(answered: Iterable[Answered]) -> Table:
    """Count the right answers of each group, in the order of their names; a rule that never has a say is left out."""
    groups: dict[str, list[Answered]] = defaultdict(list)
    for each in answered:
        groups[each.group].append(each)
    table: Table = {}
    for group, rows in sorted(groups.items(), key=lambda item: (item[0] == ALL, item[0])):
        right = {}
        for rule in rows[0].common:
            counts = Counter(row.common[rule] for row in rows if row.common[rule] is not None)
            if counts:
                right[rule] = max(counts.values())
        for rule in dict.fromkeys(rule for row in rows for rule in row.right):
            says = [row.right.get(rule) for row in rows]
            if set(says) != {None}:
                right[rule] = says.count(True)
        chance = fmean(row.chance for row in rows)
        table[group] = {rule: Share(count, len(rows), chance) for rule, count in right.items()}
    return table


def answer(tested: Sequence["Asked | Posed"], fitted: Sequence["Asked | Posed"] = ()) -> list[Answered]:
    """Return what the rules make of rows; those of METHODS are fitted on others, and left out where there are none."""
    seen = [row.seen() for row in tested]
    known = [(row.seen(), row.label) for row in fitted if row.label is not None]
    learnt = {
        rule: METHODS[rule]([(each[rule], label) for each, label in known], [each[rule] for each in seen])
        for rule in (seen[0] if seen and known else ())
    }
    return [
        Answered(
            row.group,
            row.chance,
            row.common,
            {rule: answers[place] == row.label for rule, answers in learnt.items()} | row.right(),
        )
        for place, row in enumerate(tested)
    ]


def crossed(rows: Sequence["Asked | Posed"]) -> list[Answered]:
    """Answer each half of the rows, fitted on the other.

    The halves take in turn the stories, with all their questions, or four problems that follow one another, as blocks.
    """
    units = [row.story if isinstance(row, Asked) else place // 4 for place, row in enumerate(rows)]
    number = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
    even, odd = ([row for row, unit in zip(rows, units, strict=True) if number[unit] % 2 == half] for half in (0, 1))
    return answer(even, odd) + answer(odd, even)


def broken_gates(table: Table, gates: Mapping[str, tuple[float, float]]) -> list[str]:
    """Return one line for each gate that the table breaks."""
    return [
        f"{group}: {rule!r} is right on {100 * shares[rule].share:.1f} %, the gate is {limits((least, most))} %"
        for group, shares in table.items()
        for rule, (least, most) in gates.items()
        if rule in shares and not least <= shares[rule].share <= most
    ]


def limits(gate: tuple[float, float]) -> str:
    """Return how a gate is written, in per cent."""
    least, most = (f"{100 * limit:.0f}" for limit in gate)
    return f"{least} to {most}" if gate[0] else f"≤ {most}"


def render(table: Table, gates: Mapping[str, tuple[float, float]] | None = None) -> str:
    """Return a table in Markdown: a column for each group, a row for each rule, per cent right with its interval."""
    rules = dict.fromkeys(rule for shares in table.values() for rule in shares)
    any_of_each = [next(iter(shares.values()), None) for shares in table.values()]
    rows = [["rows", *(f"{share.total:,}" if share else "" for share in any_of_each)]]
    rows.append(["chance", *(f"{100 * share.chance:.1f}" if share else "" for share in any_of_each)])
    rows += [[rule, *(str(shares.get(rule, "")) for shares in table.values())] for rule in rules]
    rows.insert(0, ["", *table])
    if gates is not None:
        for row in rows:
            row.insert(1, "gate" if row is rows[0] else limits(gates[row[0]]) if row[0] in gates else "")
    rows.insert(1, ["---", *["---:"] * (len(rows[0]) - 1)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def side_by_side(ours: Table, published: Table, gates: Mapping[str, tuple[float, float]]) -> str:
    """Return the table of our groups in Markdown, each beside the published group of that name, with the gates."""
    columns: Table = {}
    for group, shares in ours.items():
        columns |= {f"{group}: ours": shares, f"{group}: published": published.get(group, {})}
    return render(columns, gates)


def spelled(table: Table) -> dict[str, dict[str, Any]]:
    """Return a table as JSON has it: for each group its rows, its chance, and how often each rule is right."""
    groups = {}
    for group, shares in table.items():
        one = next(iter(shares.values()))
        right = {rule: share.right for rule, share in shares.items()}
        groups[group] = {"rows": one.total, "chance": one.chance, "right": right}
    return groups


def of_published(name: str) -> Table:
    """Return what was measured on the published data of a dataset (see PUBLISHED)."""
    groups = json.loads(PUBLISHED.read_text(encoding="utf-8"))[name]["groups"]
    return {
        group: {rule: Share(right, known["rows"], known["chance"]) for rule, right in known["right"].items()}
        for group, known in groups.items()
    }


def published_positions() -> dict[str, dict[str, list[int]]]:
    """Return the `positions` of the published Hi-ToM data (see PUBLISHED)."""
    return json.loads(PUBLISHED.read_text(encoding="utf-8"))["hi_tom"]["positions"]


# What is learnt from other rows: what a rule sees of them, with their labels, answers what it sees of the tested ones.


def lookup(fitted: Iterable[tuple[Hashable, Hashable]], tested: Iterable[Hashable]) -> list[Hashable]:
    """Answer each by its most common label among those fitted, an unknown one by that of them all."""
    labels: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    everything: Counter[Hashable] = Counter()
    for seen, label in fitted:
        labels[seen][label] += 1
        everything[label] += 1
    return [labels.get(seen, everything).most_common(1)[0][0] for seen in tested]


def naive_bayes(fitted: Iterable[tuple[tuple[str, ...], bool]], tested: Iterable[tuple[str, ...]]) -> list[bool]:
    """Answer by how often each feature of a problem came with each label, as if they were independent."""
    counts: dict[str, list[int]] = defaultdict(lambda: [1, 1])
    for features, label in fitted:
        for feature in features:
            counts[feature][label] += 1
    odds = {feature: log(true / false) for feature, (false, true) in counts.items()}
    return [sum(odds.get(feature, 0.0) for feature in features) > 0 for features in tested]


def tf_idf(fitted: Sequence[tuple[str, int]], tested: Sequence[str]) -> list[int]:
    """Answer by a logistic regression on the TF-IDF of words and pairs of words, also of one letter."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # slow to import, and few commands fit
    from sklearn.linear_model import LogisticRegression

    texts, labels = zip(*fitted, strict=True)
    if len(set(labels)) == 1:
        return [labels[0]] * len(tested)
    words = TfidfVectorizer(token_pattern=r"\w+", ngram_range=(1, 2))
    regression = LogisticRegression(max_iter=1000, tol=1e-3).fit(words.fit_transform(texts), labels)
    return regression.predict(words.transform(tested)).tolist()


METHODS: dict[str, Callable[[Sequence, Sequence], list]] = {
    "question alone": tf_idf,
    "story alone": tf_idf,
    "hypothesis alone": lookup,
    "premise alone": lookup,
    "name announced": lookup,
    "TF-IDF": tf_idf,
    "TF-IDF, names numbered": tf_idf,
    "sentence by sentence": naive_bayes,
}
"""What each rule that learns does with what `seen` says it sees."""


# Hi-ToM.


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold one question with its answer, whatever it was read from.

    group: the column it is counted in, usually its order. answer: the container, by its number in the story.
    container: its name. letter: its place among the choices, None where it is none of them. choices: how many there
    are. reading: what a probe sees of it, needed only to fit rules. probes: whether predictions of it are right.
    """

    group: str
    story: Story
    chain: tuple[int, ...]
    thing: int
    answer: int
    letter: int | None
    semantics: str = "recursive"
    container: str | None = None
    choices: int = 15
    reading: tuple[Sequence[str], Sequence[int], int] | None = None
    probes: Mapping[str, bool | None] = field(default_factory=dict)

    @property
    def chance(self) -> float:
        """Return how often a choice at random is right."""
        return 1 / self.choices

    @property
    def common(self) -> dict[str, Hashable]:
        """Return what would be right to give always."""
        return {"majority": self.container, "letter": self.letter}

    @property
    def label(self) -> int | None:
        """Return which container of the text is the answer, None where it has none."""
        _, options, right = self.reading or ((), (), None)
        return options.index(right) if right in options else None

    def seen(self) -> dict[str, str]:
        """Return what the rules see that learn from other questions."""
        if self.reading is None:
            return {}
        tokens = self.reading[0]
        end = tokens.index("[SEP]")
        seen = {"question alone": tokens[:end], "story alone": tokens[end:], "TF-IDF": tokens}
        return {rule: " ".join(each) for rule, each in seen.items()}

    def right(self) -> dict[str, bool | None]:
        """Return which of the other rules are right."""
        found = guesses(self, lessons(self.story, self.thing))
        return {**{rule: guess == self.answer for rule, guess in found.items()}, **self.probes}


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


def depth(asked: Asked) -> dict[str, bool | None]:
    """Return what holds of a question that is meant to need its chain, and which rules that look at less are right.

    *needs all its agents*: no subchain has the answer. *needs their order*: some permutation has another one. Always
    right about something else: *reality*, *first agent alone* and *last agent alone* (their own beliefs), *one order
    lower*, *last two swapped*. *last that reached all*: the last event that all agents of the chain saw, watched or
    heard; *trust aside*: the last that would teach the chain if everybody trusted everybody; *claims aside*: the last
    that would if nobody had said anything. *first leaver*: see `guesses`. *cross out*: of the containers said to
    hold the thing, but for the answers of all subchains, the one said last. At order 1 the first and the last agent are
    the chain itself, and have no say.
    """
    taught, chain = lessons(asked.story, asked.thing), asked.chain
    whole = (1 << len(chain)) - 1
    held = beliefs(taught, chain, asked.semantics)
    answers = [container_of(held, subchain) for subchain in range(whole + 1)]
    everybody = [lesson for lesson in taught if all(reached(lesson) >> agent & 1 for agent in chain)]
    trusted = [lesson for lesson in everybody if all(lesson.minds >> agent & 1 for agent in chain[1:])]
    simple = {rule: container == asked.answer for rule, container in guesses(asked, taught).items()}
    left = [lesson for lesson in taught if lesson.container not in answers[:whole]]
    swapped = teacher(taught, (*chain[:-2], *chain[:-3:-1]), asked.semantics)
    nested = len(chain) > 1

    def last(of: list[Lesson]) -> bool:
        return bool(of) and of[-1].container == asked.answer

    return {
        "needs all its agents": effective_order(held, len(chain), whole) == len(chain),
        "needs their order": order_sensitive(taught, chain, asked.semantics),
        "reality": answers[0] == asked.answer,
        "first agent alone": answers[1] == asked.answer if nested else None,
        "last agent alone": answers[1 << len(chain) - 1] == asked.answer if nested else None,
        "one order lower": simple["one order lower"],
        "last that reached all": last(everybody),
        "trust aside": last(trusted),
        "claims aside": simple["set of agents"],
        "last two swapped": swapped is not None and swapped.container == asked.answer if nested else None,
        "first leaver": simple["first leaver"],
        "cross out": last(left),
    }


def of_published_deep() -> Table:
    """Return what is known of the published data about what `depth` says (see PUBLISHED_DEEP)."""
    return {group: {"needs all its agents": Share(count, 120, 1 / 15)} for group, count in PUBLISHED_DEEP.items()}


# MindGames.


def positions(questions: Iterable[Asked]) -> dict[str, dict[str, list[int]]]:
    """Return for each group how many answers have each letter, from A, and each of belief.SLOTS."""
    counts: dict[str, dict[str, list[int]]] = {}
    for asked in questions:
        group = counts.setdefault(asked.group, {"letters": [0] * 15, "slots": [0] * len(SLOTS)})
        if asked.letter is not None and asked.letter < 15:
            group["letters"][asked.letter] += 1
        group["slots"][answer_slot(lessons(asked.story, asked.thing), asked.answer)] += 1
    return counts


@dataclass(frozen=True, slots=True)
class Posed:
    """Hold one MindGames problem: what it says, its texts with the names masked, its `pairs`, and its label.

    reading: what a probe sees of it. probes: whether predictions of its label are right.
    """

    group: str
    problem: Problem
    premise: str
    hypothesis: str
    pairs: tuple[str, ...]
    follows: bool
    reading: tuple[Sequence[str], Sequence[int], int] | None = None
    probes: Mapping[str, bool | None] = field(default_factory=dict)

    @property
    def chance(self) -> float:
        """Return how often a label at random is right."""
        return 0.5

    @property
    def common(self) -> dict[str, Hashable]:
        """Return what would be right to give always."""
        return {"majority": self.follows}

    @property
    def label(self) -> bool:
        """Return whether the hypothesis follows."""
        return self.follows

    def seen(self) -> dict[str, Hashable]:
        """Return what the rules see that learn from other problems."""
        announced = set().union(*map(spoken_of, self.problem.announcements))
        seen = {
            "hypothesis alone": self.hypothesis,
            "premise alone": self.premise,
            "TF-IDF": f"{self.hypothesis} {self.premise}",
            "TF-IDF, names numbered": " ".join(self.reading[0]) if self.reading else None,
            "name announced": bool(spoken_of(self.problem.hypothesis) & announced),
            "sentence by sentence": self.pairs,
        }
        return {rule: each for rule, each in seen.items() if each is not None}

    def right(self) -> dict[str, bool | None]:
        """Return which of the other rules are right."""
        found = posed_guesses(self.problem)
        return {**{rule: guess == self.follows for rule, guess in found.items()}, **self.probes}


def spoken_of(formula: Formula) -> set[str]:
    """Return the agents that a formula of a problem names; who is part of someone or everyone is not named."""
    match formula:
        case Atom(number):
            return {agent_name(number - 1)}
        case Not(of):
            return spoken_of(of)
        case Knows(agent, of) | KnowsWhether(agent, of):
            return {agent} | spoken_of(of)
        case _:
            return set()


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
