"""Own the explanation of a mindgames row: the worlds, what each announcement leaves, and the hypothesis inside out.

Worlds have numbers: 2 to the power of i stands for agent i, and a world's number is the sum over the agents of whom the
atom is true. It is the place of the world in a set of `Bits`. docs/explanations.md says the steps in full.
"""

from functools import lru_cache
from typing import NamedTuple

from builders.logic.claims import NAMED, SOMEONE, WHETHER, Claim, Premise, fact_formula, from_problem, is_showing
from builders.logic.formula import Problem
from builders.logic.states import State, initial_state
from builders.voice import voice

MOST_NAMED = 4
"""Worlds of at most so many agents are listed; of those of more agents only the rule of the numbers is said."""

MOST_RUNS, MOST_GROUPS = 8, 8
"""A set of worlds in more runs of numbers, or more groups of worlds, are counted; with four agents none has more."""

FEW_RUNS, FEW_GROUPS = 3, 3
"""The same with more agents than MOST_NAMED, that is where worlds have higher numbers."""

SMALL = 1 << (1 << MOST_NAMED)
"""A set of worlds below this one has no higher numbers than worlds of MOST_NAMED agents have."""


class Explained(NamedTuple):
    """Hold the explanation of a premise, which its hypotheses share."""

    steps: str  # its lines: the worlds, and what each announcement leaves
    state: State  # what all announcements leave
    seen: tuple[int, ...]  # for each agent the bit mask of the atoms observed, showings included


def explain_premise(premise: Premise, names: tuple[str, ...], language: str) -> Explained:
    """Return what the announcements of a premise leave, one after another."""
    words = voice(language).explanations
    lines = [legend(premise.setup, names, language)]
    state = initial_state(premise.sees)
    seen = [sum(1 << atom - 1 for atom in atoms) for atoms in premise.sees]
    for number, claim in enumerate((SOMEONE, *premise.announcements), 1):
        state = state.announce(claim)
        left = said(state.law, language)
        if is_showing(claim):
            ((viewer, _, _),), shown = claim[0], (claim[1] - NAMED) // 2
            seen[viewer] |= 1 << shown
            lines.append(words.shown(number, names[viewer], names[shown], left))
        else:
            lines.append(words.announced(number, left))
    return Explained("\n".join(lines), state, tuple(seen))


class Step(NamedTuple):
    """Hold one step from the inside of a hypothesis to its outside."""

    line: str  # what the explanation says of it
    worlds: int  # in which of the worlds left this part of the hypothesis is true
    agent: int = -1  # who knows it there, or does not; -1 for the fact
    alike: str = ""  # which worlds this agent cannot tell apart, where the explanation says so before the line


def steps_of(premise: Explained, setup: str, hypothesis: Claim, names: tuple[str, ...], language: str) -> list[Step]:
    """Return the steps that evaluate a hypothesis in the worlds that a premise leaves, the innermost first."""
    words, state = voice(language).explanations, premise.state
    levels, fact = hypothesis
    worlds = state.where(((), fact))
    steps = [Step(words.holds(said(worlds, language), stated(setup, fact, names, language)), worlds)]
    for place in reversed(range(len(levels))):
        agent, link, negated = levels[place]
        alike = ""
        if all(step.agent != agent for step in steps):
            alike = words.alike(names[agent], groups(state.law, premise.seen[agent], language))
        worlds = state.where((levels[place:], fact))
        line = words.knowledge(said(worlds, language), names[agent], link == WHETHER, negated)
        steps.append(Step(line, worlds, agent, alike))
    return steps


def explain_problem(premise: Explained, setup: str, hypothesis: Claim, names: tuple[str, ...], language: str) -> str:
    """Return the explanation of a problem: that of its premise, and the hypothesis from the inside out."""
    words, law = voice(language).explanations, premise.state.law
    lines = [premise.steps]
    for step in steps_of(premise, setup, hypothesis, names, language):
        lines += [step.alike, step.line] if step.alike else [step.line]
    lines.append(words.missed(said(law ^ step.worlds, language)))
    lines.append(words.truth(step.worlds == law))
    return "\n".join(lines)


@lru_cache(maxsize=256)
def legend(setup: str, names: tuple[str, ...], language: str) -> str:
    """Return the line that says which number stands for which world."""
    words = voice(language).explanations
    if len(names) > MOST_NAMED:
        return words.numbered(setup, [(name, 1 << place) for place, name in enumerate(names)])
    worlds = [[name for place, name in enumerate(names) if world >> place & 1] for world in range(1 << len(names))]
    return words.named(setup, worlds)


@lru_cache(maxsize=256)
def stated(setup: str, fact: int, names: tuple[str, ...], language: str) -> str:
    """Return a fact in words."""
    return voice(language).fact(setup, fact_formula(fact, len(names)), names)


@lru_cache(maxsize=1 << 14)
def said(worlds: int, language: str) -> str:
    """Return a set of worlds in words: the runs of their numbers, or their count where the runs are many."""
    runs: list[tuple[int, int]] = []
    for world in numbers(worlds):
        if runs and runs[-1][1] == world - 1:
            runs[-1] = runs[-1][0], world
        else:
            runs.append((world, world))
    few = len(runs) <= (MOST_RUNS if worlds < SMALL else FEW_RUNS)
    return voice(language).explanations.worlds(runs if few else worlds.bit_count())


@lru_cache(maxsize=1 << 14)
def groups(worlds: int, seen: int, language: str) -> str:
    """Return in words which of the worlds somebody who sees these atoms cannot tell apart.

    A world that is told apart from all others is in no group. Many groups are counted.
    """
    alike: dict[int, int] = {}
    for world in numbers(worlds):
        alike[world & seen] = alike.get(world & seen, 0) | 1 << world
    found = [group for group in alike.values() if group.bit_count() > 1]
    few = len(found) <= (MOST_GROUPS if worlds < SMALL else FEW_GROUPS)
    return voice(language).explanations.groups([said(group, language) for group in found] if few else len(found))


def numbers(worlds: int) -> list[int]:
    """Return the numbers of the worlds in a set, ascending."""
    return [number for number, bit in enumerate(reversed(bin(worlds))) if bit == "1"]


def explain_row(row: dict, problem: Problem, language: str = "en") -> str:
    """Return the explanation of a row of mindgames, given the problem that its English poses."""
    premise, hypothesis = from_problem(problem)
    names = tuple(row["names"])
    return explain_problem(explain_premise(premise, names, language), premise.setup, hypothesis, names, language)
