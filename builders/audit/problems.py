"""The rules about MindGames problems: what each answers when it forgets a part of the problem (docs/audit.md)."""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..difficulty.masking import MaskedRow, word_pattern
from ..logic.s5 import Checker
from ..syntax.formula import (
    And,
    Atom,
    Common,
    CommonWhether,
    Distributed,
    DistributedWhether,
    Formula,
    Knows,
    KnowsWhether,
    Not,
    Problem,
    Shown,
    agent_name,
)
from .orders import order_features, order_guesses, order_needs


@dataclass(frozen=True, slots=True)
class AuditedProblem:
    """Hold one MindGames problem with its label, ours or published."""

    group: str  # the column of the table: its setup
    problem: Problem
    premise: str  # with its names masked
    hypothesis: str  # with its names masked
    pairs: tuple[str, ...]  # its `sentence_pairs`
    follows: bool  # whether the label is entailment
    masked: MaskedRow | None = None  # what a probe sees of the row
    probes: Mapping[str, bool | None] = field(default_factory=dict)  # whether a prediction of the label is right
    ordered: bool = False  # whether it is of an order block

    @property
    def chance(self) -> float:
        """Return how often a label at random is right."""
        return 0.5

    @property
    def constant_answers(self) -> dict[str, Hashable]:
        """Return the answer that is right for each rule that always gives the same one."""
        return {"majority": self.follows}

    @property
    def label(self) -> bool:
        """Return whether the hypothesis follows."""
        return self.follows

    def features(self) -> dict[str, Hashable]:
        """Return what each rule that learns sees of the problem."""
        announced = set().union(*map(named_agents, self.problem.announcements))
        seen = {
            "hypothesis alone": self.hypothesis,
            "premise alone": self.premise,
            "TF-IDF": f"{self.hypothesis} {self.premise}",
            "TF-IDF, names numbered": " ".join(self.masked.tokens) if self.masked else None,
            "name announced": bool(named_agents(self.problem.hypothesis) & announced),
            "sentence by sentence": self.pairs,
        }
        if self.ordered:
            seen |= order_features(self.pairs, len(self.problem.announcements) - 1)
        return {rule: feature for rule, feature in seen.items() if feature is not None}

    def outcomes(self) -> dict[str, bool | None]:
        """Return whether each rule that does not learn is right."""
        guesses = problem_guesses(self.problem)
        needs: dict[str, bool] = {}
        if self.ordered:
            guesses |= order_guesses(self.problem)
            needs = order_needs(self.problem, self.follows)
        return {**{rule: guess == self.follows for rule, guess in guesses.items()}, **needs, **self.probes}


def named_agents(formula: Formula | Shown) -> set[str]:
    """Return the agents that a part of a problem names; "someone" and "everyone" name nobody."""
    match formula:
        case Atom(number):
            return {agent_name(number - 1)}
        case Not(negated):
            return named_agents(negated)
        case Knows(agent, fact) | KnowsWhether(agent, fact):
            return {agent} | named_agents(fact)
        case Shown(viewer, atom):
            return {viewer, agent_name(atom - 1)}
        case _:
            return set()


def mask_names(text: str, names: Sequence[str], placeholders: Mapping[str, str] | None = None) -> str:
    """Return a text with X for every name. With placeholders each name gets its own, and O where it has none."""
    masked = dict.fromkeys(names, "X") if placeholders is None else {**dict.fromkeys(names, "O"), **placeholders}
    return word_pattern(names).sub(lambda word: masked.get(word[0], word[0]), text)


def sentence_pairs(premise: str, hypothesis: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the hypothesis with each sentence of the premise; agents are named by their place in the hypothesis."""
    in_hypothesis = dict.fromkeys(word for word in word_pattern(names).findall(hypothesis) if word in names)
    placeholders = {name: f"X{place}" for place, name in enumerate(in_hypothesis)}
    sentences = re.split(r"(?<=\.) ", mask_names(premise, names, placeholders))
    masked = mask_names(hypothesis, names, placeholders)
    return tuple(f"{masked} {sentence}" for sentence in sentences)


def stated_fact(update: Formula | Shown) -> Formula | None:
    """Return the fact that an announcement says, or says to be known; None where it only speaks of knowledge."""
    match update:
        case Knows(_, inner):
            return stated_fact(inner)
        case Not(inner):
            return None if stated_fact(inner) is None or isinstance(inner, Knows) else update
        case And(parts):
            return None if None in map(stated_fact, parts) or isinstance(parts[0], Knows) else update
        case KnowsWhether() | Common() | CommonWhether() | Distributed() | DistributedWhether() | Shown():
            return None
        case fact:
            return fact


def problem_guesses(problem: Problem) -> dict[str, bool]:
    """Return whether the hypothesis follows for each rule, which forgets a part of the problem.

    Where a rule leaves no world, everything follows.
    """
    n = len(problem.sees)
    everything = tuple([tuple(range(1, n + 1))] * n)
    first, *others = problem.announcements
    shown = tuple([update for update in others if isinstance(update, Shown)])
    said = And(tuple([update for update in others if not isinstance(update, Shown)]))
    facts = [fact for update in problem.announcements if (fact := stated_fact(update))]
    simplified = {
        "no announcements": replace(problem, announcements=(first,)),
        "announced facts": replace(problem, sees=everything, announcements=tuple(facts)),
        "as if none saw": replace(problem, sees=((),) * n),
        "as if all saw all": replace(problem, sees=everything),
        "all at once": replace(problem, announcements=(first, *shown, said)),
    }
    return {rule: Checker(simple.structure()).valid(simple.entailment()) for rule, simple in simplified.items()}
