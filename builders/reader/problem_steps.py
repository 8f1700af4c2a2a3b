"""What an explanation of mindgames must say: the worlds, what each announcement leaves, and the hypothesis inside out.

Its sentences are written by hand from docs/reference/explanations.md and never look at the templates. What is so comes
from `problem_worlds`, which lists worlds one by one. With five agents or more, worlds are told by what they share.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

from ..syntax.formula import Formula, Knows, Not, Shown, agent_name
from .english import listed, pattern_of, table
from .expected import ExpectedSteps
from .problem_worlds import Worlds, updates
from .read_problems import read_problem

_MOST_LISTED = 4  # most agents whose worlds have numbers

_MOST_CLAUSES = 6  # more clauses than these are not said

Clause = dict[int, bool]  # what worlds share: for some agents, by number, whether their atom is true


class ProblemTruth:
    """Hold what explicit sets of worlds say of one problem.

    Raises ReadError for a premise or hypothesis that cannot be read.
    """

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read the premise and the hypothesis of a row."""
        self.problem, self.names = read_problem(row["premise"], row["hypothesis"], row["names"])
        self.name_of = {agent_name(index): name for index, name in enumerate(self.names)}
        self.fact = re.split(r"\b(?:whether or not|whether|that) ", row["hypothesis"])[-1].rstrip(".")
        self.many = len(self.names) > _MOST_LISTED
        self.states = updates(self.problem)
        self.left = self.states[-1]
        self._words = next(words for setup, *words in table("worlds") if setup == self.problem.setup)

    def steps(self) -> list[str]:
        """Return the steps of the explanation, without the answer."""
        steps = [self._legend()]
        for number, update in enumerate(self.problem.announcements, 1):
            left = self.said(self.states[number].worlds, self.states[number - 1].worlds)
            shown = ""
            if isinstance(update, Shown):
                shown = f", and {self.name_of[update.agent]} now knows about {self.names[update.atom - 1]}"
            steps.append(f"Announcement {number} leaves {left}{shown}.")
        levels, part = [], self.problem.hypothesis
        while isinstance(inner := part.formula if isinstance(part, Not) else part, Knows):
            levels.append((part, inner))
            part = inner.formula
        steps.append(f"{self.where(part)} that {self.fact}.")
        for part, knowledge in reversed(levels):
            name = self.name_of[knowledge.agent]
            if (alike := self.alike(knowledge.agent)) not in steps:
                steps.append(alike)
            knows = "does not know" if isinstance(part, Not) else "knows"
            link = "whether" if knowledge.whether else "that"
            steps.append(f"{self.where(part)} that {name} {knows} {link} this is so.")
        return [*steps, f"Of the worlds left, this misses {self.said(self.missed(), self.left.worlds)}."]

    def missed(self) -> Worlds:
        """Return the worlds left in which the hypothesis is false."""
        return self.left.worlds - self.left.where(self.problem.hypothesis)

    def where(self, formula: Formula) -> str:
        """Return in which of the worlds left a formula is true."""
        worlds = self.said(self.left.where(formula), self.left.worlds)
        return f"It is in {worlds}{',' * (' where ' in worlds)}"

    def alike(self, agent: str) -> str:
        """Return which of the worlds left an agent of the formal problem cannot tell apart."""
        name, seen = self.name_of[agent], self.left.observed[agent]
        if self.many:
            known = [self.names[atom - 1] for atom in sorted(seen)]
            return f"{name} tells worlds apart by {listed(known)} only." if known else f"{name} tells no worlds apart."
        views: dict[frozenset[int], set[frozenset[int]]] = {}
        for world in sorted(self.left.worlds, key=_number):
            views.setdefault(world & seen, set()).add(world)
        groups = "; ".join([_runs(group) for group in views.values() if len(group) > 1])
        return f"{name} cannot tell apart {groups}." if groups else f"{name} can tell all these worlds apart."

    def _legend(self) -> str:
        """Return which number stands for which world, or which worlds there are."""
        head = self._words[0]
        if self.many:
            return f"Worlds, by {head}: one for every choice among {listed(self.names)}."
        by_number = sorted(self.states[0].worlds, key=_number)
        worlds = [", ".join(self.names[atom - 1] for atom in sorted(world)) or "nobody" for world in by_number]
        return f"Worlds, by {head}: {'; '.join(f'{number}: {who}' for number, who in enumerate(worlds))}."

    def said(self, worlds: Worlds, among: Worlds) -> str:
        """Return which worlds these are: by their numbers, or by what they share and no others of `among` do."""
        if not self.many:
            return _runs(worlds) if worlds else "none"
        others = among - worlds
        if not worlds or not others:
            return "all worlds" if worlds else "no world"
        agents = range(1, len(self.names) + 1)
        yes, no = _shared(worlds, others, agents), _shared(others, worlds, agents)
        counts = {len(world) for world in worlds}
        shortest = min(len(yes), len(no))
        if shortest > 2 and not counts & {len(world) for world in others}:
            numbers = [str(count) for count in sorted(counts)]
            return f"the worlds where exactly {listed(numbers, 'or')} of them {self._verb(1, numbers != ['1'])}"
        if shortest > _MOST_CLAUSES:
            return "some worlds only"
        chosen, before = (yes, "the worlds") if len(yes) == shortest else (no, "all worlds but those")
        return f"{before} {', or '.join(f'where {self._clause(clause)}' for clause in chosen)}"

    def _clause(self, clause: Clause) -> str:
        """Return what worlds share, in words."""
        true, false = ([self.names[agent - 1] for agent in clause if clause[agent] == so] for so in (True, False))
        parts = [f"{listed(true)} {self._verb(1, len(true) > 1)}"] if true else []
        if false:
            parts.append(f"{listed(false)} {self._verb(3 if true else 2, len(false) > 1)}")
        return " but ".join(parts)

    def _verb(self, place: int, many: bool) -> str:
        """Return what the section `worlds` of `english.txt` has at a place, of one agent or of several."""
        return self._words[place].format(be="are" if many else "is", have="have" if many else "has")


def _shared(worlds: Worlds, others: Worlds, agents: Sequence[int]) -> list[Clause]:
    """Return clauses: each of these worlds fulfils one of them, and each of the others none.

    The clauses name as few agents as they can: going from the first agent to the last, one is named only where worlds
    and others cannot be told apart by those who follow.
    """
    if not worlds or not others:
        return [{}] if worlds else []
    agent, *rest = agents
    here, there = ({world - {agent} for world in side} for side in (worlds, others))
    if not here & there:
        return _shared(here, there, rest)
    clauses = []
    for so in (True, False):
        here, there = ({world - {agent} for world in side if (agent in world) == so} for side in (worlds, others))
        clauses += [{agent: so, **clause} for clause in _shared(here, there, rest)]
    return clauses


def _number(world: frozenset[int]) -> int:
    """Return the number of a world: atom 1 adds 1, atom 2 adds 2, atom 3 adds 4, and so on."""
    return sum(2 ** (atom - 1) for atom in world)


def _runs(worlds: Iterable[frozenset[int]]) -> str:
    """Return worlds by their numbers, three or more that follow one another by the first and the last."""
    numbers = {_number(world) for world in worlds}
    runs = []
    for first in sorted(number for number in numbers if number - 1 not in numbers):
        last = next(number for number in count(first) if number + 1 not in numbers)
        runs.append(f"{first}{', ' if last == first + 1 else ' to '}{last}" if last > first else str(first))
    return ", ".join(runs)


def known_steps(row: Mapping[str, Any]) -> ExpectedSteps:
    """Return what an explanation of a row must say; what an agent cannot tell apart is right wherever it is said.

    Raises ReadError for a premise or hypothesis that cannot be read.
    """
    return _known_steps(row["premise"], row["hypothesis"], tuple(row["names"]))


@lru_cache(maxsize=64)  # many texts about one row follow one another
def _known_steps(premise: str, hypothesis: str, names: tuple[str, ...]) -> ExpectedSteps:
    """Work out what `known_steps` returns."""
    truth = ProblemTruth({"premise": premise, "hypothesis": hypothesis, "names": names})
    answer, begins = f"Answer: {not truth.missed()}", pattern_of("step", "problem")
    return ExpectedSteps(truth.steps(), answer, begins, anywhere=frozenset(map(truth.alike, truth.name_of)))
