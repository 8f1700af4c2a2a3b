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

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from builders.logic.formula import And, Atom, Formula, Knows, KnowsWhether, Not, Problem, agent_name
from builders.logic.s5 import Checker


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
