"""Own the way back from an explanation of mindgames: its lines become steps, and explicit worlds say which are right.

A step is one line: which number stands for which world, what an announcement leaves, which worlds an agent cannot tell
apart, where a part of the hypothesis is true, or whether it follows. Its patterns are written from the sentences of
docs/explanations.md and never look at the templates. What is so comes from `problem_worlds`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from builders.logic.formula import Formula, Knows, KnowsWhether, Not, Shown, agent_name
from builders.proof.english import NAME, ReadError
from builders.proof.judged import JudgedSteps
from builders.proof.problem_worlds import updates, worlds_where
from builders.proof.read_problems import read_fact, read_problem

Said = frozenset[int] | str
"""What is said of a set of worlds: their numbers, or their count, such as "37 worlds"."""

_HEADS = {
    "forehead": "whose forehead is muddy",
    "forehead_mirror": "whose forehead is muddy",
    "internal": "who is thirsty",
    "explicit": "who picked a red card",
}
_N = r"\d{1,6}"
_SET = rf"(?:none|{_N} worlds|{_N}(?: to {_N})?(?:, {_N}(?: to {_N})?)*)"
_NAMED = re.compile(rf"Worlds, by (?P<head>[a-z ]+): (?P<worlds>0: nobody(?:; {_N}: {NAME}(?:, {NAME})*)*)\.")
_NUMBERED = re.compile(
    r"Worlds, by (?P<head>[a-z ]+): the number of a world is a sum, "
    rf"of (?P<values>{_N} for {NAME}(?:, {_N} for {NAME})*)\."
)
_LEAVES = re.compile(
    rf"Announcement (?P<number>{_N}) leaves (?P<left>{_SET})"
    rf"(?:, and (?P<viewer>{NAME}) now knows about (?P<owner>{NAME}))?\."
)
_ALIKE = re.compile(
    rf"(?P<agent>{NAME}) can(?: (?P<all>tell all these worlds apart)|not tell apart "
    rf"(?:the worlds in each of (?P<count>{_N}) groups|(?P<groups>{_SET}(?:; {_SET})*)))\."
)
_KNOWS = re.compile(
    rf"It is in (?P<where>{_SET}) that (?P<agent>{NAME}) (?:knows|(?P<negated>does not know)) "
    r"(?:that|(?P<whether>whether)) this is so\."
)
_HOLDS = re.compile(rf"It is in (?P<where>{_SET}) that (?P<fact>.+)\.")
_MISSES = re.compile(rf"Of the worlds left, this misses (?P<worlds>{_SET})\.")
_ANSWER = re.compile(r"Answer: (?P<answer>True|False)\.")
_BEGINS = re.compile(
    rf"Worlds, by|Announcement \d|It is in (?:none|\d)|Of the worlds left|{NAME} can(?:not tell apart| tell all these)"
)


@dataclass(frozen=True, slots=True)
class Legend:
    """Say which number stands for which world, by its agents, or how much each agent adds to a number."""

    head: str  # what the named agents of a world have in common
    worlds: tuple[tuple[int, tuple[str, ...]], ...]  # numbers, ascending, with names
    sums: bool  # whether the numbers are added up


@dataclass(frozen=True, slots=True)
class Leaves:
    """Say which worlds an announcement leaves, and what it shows to whom."""

    number: int  # which announcement, from 1
    left: Said  # the worlds
    viewer: str = ""  # who is shown something
    owner: str = ""  # whose fact that is


@dataclass(frozen=True, slots=True)
class Alike:
    """Say which of the worlds left an agent cannot tell apart."""

    agent: str  # who
    groups: frozenset[Said] | int  # groups of two worlds or more, or how many they are


@dataclass(frozen=True, slots=True)
class Holds:
    """Say in which of the worlds left a part of the hypothesis is true."""

    where: Said  # the worlds
    fact: Formula | None = None  # the innermost part; None for knowledge of the part before
    agent: str = ""  # who has the knowledge
    whether: bool = False  # whether it is knowledge of a truth value
    negated: bool = False  # whether the agent lacks it


@dataclass(frozen=True, slots=True)
class Misses:
    """Say in which of the worlds left the hypothesis is false."""

    worlds: Said  # the worlds


@dataclass(frozen=True, slots=True)
class Answer:
    """Say whether the hypothesis follows."""

    follows: bool  # whether it does


@dataclass(frozen=True, slots=True)
class Unread:
    """Hold a line that begins as a step and is none."""

    text: str  # the line


Step = Legend | Leaves | Alike | Holds | Misses | Answer | Unread


class ProblemTruth:
    """Hold the steps that explain one problem, as explicit sets of worlds give them.

    Raises ReadError for a premise or hypothesis that cannot be read.
    """

    def __init__(self, row: dict) -> None:
        """Read the premise and the hypothesis of a row."""
        self.problem, self.names = read_problem(row["premise"], row["hypothesis"], row["names"])
        self.many = len(self.names) > 4
        self.states = list(updates(self.problem))
        self.worlds, self.observed = self.states[-1]

    def steps(self) -> list[Step]:
        """Return the steps of the explanation, in order."""
        steps: list[Step] = [self._legend()]
        for number, (update, state) in enumerate(zip(self.problem.announcements, self.states[1:], strict=True), 1):
            shown = isinstance(update, Shown)
            viewer = self.name_of(update.agent) if shown else ""
            steps.append(Leaves(number, self._said(state[0]), viewer, self.names[update.atom - 1] if shown else ""))
        levels, part = [], self.problem.hypothesis
        while isinstance(inner := part.formula if isinstance(part, Not) else part, Knows | KnowsWhether):
            levels.append((part, inner))
            part = inner.formula
        steps.append(Holds(self._said(self._where(part)), part))
        for part, knowledge in reversed(levels):
            alike = self.alike(self.name_of(knowledge.agent))
            if alike not in steps:
                steps.append(alike)
            whether, negated = isinstance(knowledge, KnowsWhether), isinstance(part, Not)
            steps.append(Holds(self._said(self._where(part)), None, alike.agent, whether, negated))
        missed = self.worlds - self._where(self.problem.hypothesis)
        return [*steps, Misses(self._said(missed)), Answer(not missed)]

    def alike(self, name: str) -> Alike:
        """Return the groups of worlds that an agent cannot tell apart at the end."""
        views: dict[frozenset[int], set[frozenset[int]]] = {}
        for world in self.worlds:
            views.setdefault(world & self.observed[agent_name(self.names.index(name))], set()).add(world)
        groups = [group for group in views.values() if len(group) > 1]
        high = self.many and any(_number(world) > 15 for world in self.worlds)
        return Alike(name, len(groups) if len(groups) > (3 if high else 8) else frozenset(map(self._said, groups)))

    def name_of(self, agent: str) -> str:
        """Return the name of an agent of the formal problem."""
        return next(name for index, name in enumerate(self.names) if agent_name(index) == agent)

    def _where(self, formula: Formula) -> set[frozenset[int]]:
        return worlds_where(formula, self.worlds, self.observed)

    def _legend(self) -> Legend:
        head = _HEADS[self.problem.setup]
        if self.many:
            return Legend(head, tuple((2**place, (name,)) for place, name in enumerate(self.names)), True)
        worlds = {_number(world): tuple(self.names[atom - 1] for atom in sorted(world)) for world in self.states[0][0]}
        return Legend(head, tuple(sorted(worlds.items())), False)

    def _said(self, worlds: Iterable[frozenset[int]]) -> Said:
        """Return what is to be said of a set of worlds: their count where their numbers make many runs."""
        numbers = frozenset(map(_number, worlds))
        runs = sum(number - 1 not in numbers for number in numbers)
        return f"{len(numbers)} worlds" if runs > (8 if max(numbers, default=0) < 16 else 3) else numbers


def _number(world: frozenset[int]) -> int:
    """Return the number of a world: atom 1 adds 1, atom 2 adds 2, atom 3 adds 4, and so on."""
    return sum(2 ** (atom - 1) for atom in world)


def _read_set(text: str) -> Said:
    """Return what a text says of a set of worlds."""
    if text.endswith("worlds"):
        return text
    numbers: set[int] = set()
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", text):
        if int(last or first) >= 1 << 12:
            return text  # no problem has so many worlds
        numbers.update(range(int(first), int(last or first) + 1))
    return frozenset(numbers)


def _read_step(line: str, setup: str, names: tuple[str, ...]) -> Step | None:
    """Return the step that a line says; None for a line that does not begin as one."""
    if match := _NAMED.fullmatch(line):
        entries = [entry.partition(": ") for entry in match["worlds"].split("; ")]
        worlds = [(int(number), () if who == "nobody" else tuple(who.split(", "))) for number, _, who in entries]
        return Legend(match["head"], tuple(worlds), False)
    if match := _NUMBERED.fullmatch(line):
        values = [value.split(" for ") for value in match["values"].split(", ")]
        return Legend(match["head"], tuple((int(value), (name,)) for value, name in values), True)
    if match := _LEAVES.fullmatch(line):
        return Leaves(int(match["number"]), _read_set(match["left"]), match["viewer"] or "", match["owner"] or "")
    if match := _ALIKE.fullmatch(line):
        groups = [] if match["all"] else (match["groups"] or "").split("; ")
        return Alike(match["agent"], int(match["count"]) if match["count"] else frozenset(map(_read_set, groups)))
    if match := _KNOWS.fullmatch(line):
        where, whether, negated = _read_set(match["where"]), bool(match["whether"]), bool(match["negated"])
        return Holds(where, None, match["agent"], whether, negated)
    if match := _HOLDS.fullmatch(line):
        try:
            return Holds(_read_set(match["where"]), read_fact(match["fact"], setup, names))
        except ReadError:
            return Unread(line)
    if match := _MISSES.fullmatch(line):
        return Misses(_read_set(match["worlds"]))
    if match := _ANSWER.fullmatch(line):
        return Answer(match["answer"] == "True")
    return Unread(line) if _BEGINS.match(line) else None


def judged_steps(text: str, row: dict) -> JudgedSteps:
    """Return which steps of a text about a row are right: those of its explanation, each once and in their order.

    What an agent cannot tell apart is right wherever it is said once. The answer is no step: it is scored apart. Raises
    ReadError for a premise or hypothesis that cannot be read.
    """
    truth = ProblemTruth(row)
    needed = truth.steps()[:-1]
    steps: list[tuple[str, bool]] = []
    last, covered, told = -1, 0, set()
    for line in map(str.strip, text.split("\n")):
        step = _read_step(line, truth.problem.setup, truth.names)
        if step is None or isinstance(step, Answer):
            continue
        place = next((place for place in range(last + 1, len(needed)) if needed[place] == step), None)
        side = isinstance(step, Alike) and step.agent in truth.names and step == truth.alike(step.agent)
        right = place is not None or (side and step not in told)
        steps.append((line, right))
        told.add(step)
        last = last if place is None else place
        if place is not None and all(was_right for _, was_right in steps):
            covered += 1
    return JudgedSteps(tuple(steps), covered, len(needed))


def explanation_fault(text: str, row: dict) -> str | None:
    """Return what is wrong with the explanation of a row; None where every step is right, in order, and none lacks.

    Raises ReadError for a premise or hypothesis that cannot be read.
    """
    truth = ProblemTruth(row)
    needed, lines = truth.steps(), text.split("\n")
    for number, line in enumerate(lines, 1):
        step = _read_step(line, truth.problem.setup, truth.names)
        if number > len(needed) or step != needed[number - 1]:
            return f"step {number} of its explanation is wrong: {line!r}"
    return f"its explanation ends before step {len(lines) + 1}" if len(lines) < len(needed) else None
