"""The explanation of a mindgames row: the worlds, what each announcement leaves, and the hypothesis inside out.

Worlds have numbers: 2 to the power of i stands for agent i, and a world's number is the sum over the agents of whom the
atom is true. It is the place of the world in a set of `Bits`. With many agents no reader can follow numbers, so there a
set of worlds is told by what its worlds share. docs/reference/explanations.md says the steps in full.
"""

from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from ..groups import grouped_by
from ..wording.problems import voice
from .claims import SOMEONE, WHETHER, Claim, Premise, is_showing, owner_of
from .phrases import fact_phrase
from .states import State, initial_state
from .worlds import bits, flips_of, possible

MOST_NAMED = 4  # most agents whose worlds have numbers; worlds of more agents are told by what they share
MOST_CLAUSES = 6  # most clauses in which a set of worlds is told

Clause = tuple[tuple[int, bool], ...]  # what worlds share: for some agents, whether their atom is true


class Explained(NamedTuple):
    """Hold the explanation of a premise, which its hypotheses share."""

    premise: Premise
    names: tuple[str, ...]  # of its agents
    language: str
    steps: str  # its lines: the worlds, and what each announcement leaves
    states: list[State]  # before the first announcement, SOMEONE, and after each

    @property
    def left(self) -> State:
        """Return what all announcements leave."""
        return self.states[-1]

    def said(self, worlds: int) -> str:
        """Return some of the worlds that are left in words."""
        return said(worlds, self.left.law, self.premise.setup, self.names, self.language)


@lru_cache(maxsize=4)
def explain_premise(premise: Premise, names: tuple[str, ...], language: str) -> Explained:
    """Return what the announcements of a premise leave, one after another."""
    words = voice(language).explanations
    lines = [legend(premise.setup, names, language)]
    states = [initial_state(premise.sees)]
    for number, claim in enumerate((SOMEONE, *premise.announcements), 1):
        states.append(states[-1].announce(claim))
        left = said(states[-1].law, states[-2].law, premise.setup, names, language)
        if is_showing(claim):
            ((viewer, _, _),), fact = claim
            lines.append(words.shown(number, names[viewer], names[owner_of(fact)], left))
        else:
            lines.append(words.announced(number, left))
    return Explained(premise, names, language, "\n".join(lines), states)


class Step(NamedTuple):
    """Hold one step from the inside of a hypothesis to its outside."""

    line: str  # what the explanation says of it
    worlds: int  # in which of the worlds left this part of the hypothesis is true
    agent: int = -1  # who knows it there, or does not; -1 for the fact
    alike: str = ""  # which worlds this agent cannot tell apart, where the explanation says so before the line


def steps_of(explained: Explained, hypothesis: Claim) -> list[Step]:
    """Return the steps that evaluate a hypothesis in the worlds that a premise leaves, the innermost first."""
    names, language, left = explained.names, explained.language, explained.left
    words = voice(language).explanations
    levels, fact = hypothesis
    worlds = left.where(((), fact))
    stated = voice(language).fact(explained.premise.setup, fact_phrase(fact, names))
    steps = [Step(words.holds(explained.said(worlds), stated), worlds)]
    for place in reversed(range(len(levels))):
        agent, link, negated = levels[place]
        alike = "" if any(step.agent == agent for step in steps) else told_apart(left, agent, names, language)
        worlds = left.where((levels[place:], fact))
        line = words.knowledge(explained.said(worlds), names[agent], link == WHETHER, negated)
        steps.append(Step(line, worlds, agent, alike))
    return steps


def explain_problem(premise: Premise, hypothesis: Claim, names: tuple[str, ...], language: str) -> str:
    """Return the explanation of a problem: of its premise, and of the hypothesis from the inside out."""
    explained = explain_premise(premise, names, language)
    words, law = voice(language).explanations, explained.left.law
    lines = [explained.steps]
    for step in steps_of(explained, hypothesis):
        lines += [step.alike, step.line] if step.alike else [step.line]
    return "\n".join([*lines, words.missed(explained.said(law ^ step.worlds)), words.truth(step.worlds == law)])


def legend(setup: str, names: tuple[str, ...], language: str) -> str:
    """Return the line that says which number stands for which world."""
    words = voice(language).explanations
    if len(names) > MOST_NAMED:
        return words.choices(setup, names)
    worlds = [[name for place, name in enumerate(names) if world >> place & 1] for world in range(1 << len(names))]
    return words.named(setup, worlds)


def said(worlds: int, among: int, setup: str, names: tuple[str, ...], language: str) -> str:
    """Return some of the worlds `among` in words: by their numbers, or by what they share and the others do not."""
    return (
        numbered(worlds, language) if len(names) <= MOST_NAMED else told_worlds(worlds, among, setup, names, language)
    )


@lru_cache(maxsize=1 << 14)
def numbered(worlds: int, language: str) -> str:
    """Return a set of worlds in words: the runs of their numbers."""
    # In a run of numbers that follow one another, each is as far from its place as the others.
    runs = [[*run] for _, run in groupby(enumerate(numbers(worlds)), key=lambda placed: placed[1] - placed[0])]
    return voice(language).explanations.numbered([(run[0][1], run[-1][1]) for run in runs])


@lru_cache(maxsize=1 << 14)
def told_worlds(worlds: int, among: int, setup: str, names: tuple[str, ...], language: str) -> str:
    """Return some of the worlds `among` by what they share and the others do not, in words."""
    words, others = voice(language).explanations, among ^ worlds
    if not worlds or not others:
        return words.all_or_none(bool(worlds))
    yes, no = (shared(*pair, len(names)) for pair in ((worlds, others), (others, worlds)))
    counts, other_counts = ({world.bit_count() for world in numbers(side)} for side in (worlds, others))
    fewest = min(len(yes), len(no))
    if fewest > 2 and not counts & other_counts:
        return words.counted(setup, sorted(counts))
    if fewest > MOST_CLAUSES:
        return words.untold()
    clauses = [
        [[names[agent] for agent, so in clause if so == wanted] for wanted in (True, False)]
        for clause in (yes if len(yes) == fewest else no)
    ]
    return words.sharing(setup, clauses, len(yes) > fewest)


def shared(worlds: int, others: int, n: int, place: int = 0) -> list[Clause]:
    """Return clauses: each of these worlds fulfils exactly one of them, and each of the others none.

    n: the number of atoms. place: the agent to begin with; the atoms of those before do not count. An agent is left out
    where the agents behind him are enough to tell the worlds from the others.
    """
    if not worlds or not others:
        return [()] if worlds else []
    flips = flips_of(n, (place,))
    like_worlds, like_others = possible(flips, worlds), possible(flips, others)
    if not like_worlds & like_others:
        return shared(like_worlds, like_others, n, place + 1)
    true = bits(n).where[place]
    return [
        ((place, so), *clause)
        for so, side in ((True, true), (False, ~true))
        for clause in shared(worlds & side, others & side, n, place + 1)
    ]


def told_apart(state: State, agent: int, names: tuple[str, ...], language: str) -> str:
    """Return in words which worlds an agent cannot tell apart.

    Of more than MOST_NAMED agents those are named whom worlds are told apart by.
    """
    words, seen = voice(language).explanations, state.sights[agent]
    if len(names) <= MOST_NAMED:
        return words.alike(names[agent], [numbered(group, language) for group in alike_worlds(state.law, seen)])
    return words.told_apart(names[agent], [name for place, name in enumerate(names) if seen >> place & 1])


@lru_cache(maxsize=1 << 14)
def alike_worlds(worlds: int, seen: int) -> list[int]:
    """Return the groups of worlds that somebody who sees these atoms cannot tell apart.

    A world that is told apart from all others is in no group.
    """
    groups = grouped_by(lambda world: world & seen, numbers(worlds)).values()
    return [sum(1 << world for world in group) for group in groups if len(group) > 1]


def numbers(worlds: int) -> list[int]:
    """Return the numbers of the worlds in a set, ascending."""
    return [number for number, bit in enumerate(reversed(bin(worlds))) if bit == "1"]
