"""The rules about MindGames problems, order blocks included: what each answers when it forgets a part of a problem.

PLAIN_RULES and ORDER_RULES are their tables. What a learnt rule sees, and what a rule guesses, stands below them.
"""

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_

from ..difficulty.masking import word_pattern
from ..logic.announcements import needed
from ..logic.claims import SOMEONE, THAT, agents_of, from_problem, is_showing
from ..logic.order_shortcuts import OrderShortcuts
from ..logic.orders import order_matters
from ..logic.states import after, initial_state
from ..syntax.formula import Problem
from .learners import lookup, naive_bayes, tf_idf
from .rules import AuditedRow, Rule, learners_of
from .shares import Outcomes

# The rules about every problem, order blocks included.
PLAIN_RULES = (
    Rule("majority", "the label that is most common", deep=(0.47, 0.53)),
    Rule(
        "hypothesis alone",
        "the most common label of this hypothesis in train, with names masked",
        gate=(0.47, 0.53),
        deep=(0.47, 0.53),
        learner=lookup,
    ),
    Rule(
        "premise alone",
        "the most common label of this premise in train, with names masked",
        gate=(0.47, 0.53),
        deep=(0.47, 0.53),
        learner=lookup,
    ),
    Rule(
        "TF-IDF",
        "a logistic regression on words and pairs of words, with names masked",
        gate=(0, 0.55),
        deep=(0.47, 0.53),
        learner=tf_idf,
    ),
    Rule(
        "TF-IDF, names numbered",
        "the same, but with names numbered, so that it sees whether a name is repeated",
        deep=(0.47, 0.53),
        learner=tf_idf,
    ),
    Rule(
        "name announced",
        "learnt from whether an announcement names an agent of the hypothesis",
        deep=(0.47, 0.53),
        learner=lookup,
    ),
    Rule(
        "sentence by sentence",
        "naive Bayes over the hypothesis with each sentence",
        deep=(0.47, 0.53),
        learner=naive_bayes,
    ),
    Rule("no announcements", 'the label if only the first announcement, "someone …", is made', deep=(0.47, 0.53)),
    Rule(
        "announced facts",
        "the label if everybody knew all facts that are announced, or announced as known",
        deep=(0.47, 0.53),
    ),
    Rule("all at once", "the label if all announcements but the first were one, after all showings", deep=(0.47, 0.53)),
    Rule("as if all saw all", "the label if every agent saw everything", deep=(0.47, 0.53)),
    Rule("as if none saw", "the label if no agent saw anything at first", deep=(0, 0.55)),
    Rule("probe", "the prediction in the column `deberta_pred`"),
    Rule("deberta_pred, as published", "the prediction that the published data have"),
)

# The rules that need an order block. "The first", "the last" and so on are announcements after "someone …".
ORDER_RULES = (
    Rule(
        "set of sentences",
        "the most common label of the hypothesis with all sentences, in any order",
        deep=(0.47, 0.53),
        learner=lookup,
    ),
    Rule(
        "first sentence",
        "naive Bayes over the hypothesis and the first announcement",
        deep=(0, 0.55),
        learner=naive_bayes,
    ),
    Rule(
        "last sentence",
        "naive Bayes over the hypothesis and the last announcement",
        deep=(0, 0.58),
        of_setups={"internal": (0, 0.61)},
        learner=naive_bayes,
    ),
    Rule(
        "ordered pairs",
        "naive Bayes over the hypothesis and each two announcements, in order",
        deep=(0, 0.58),
        of_setups={"internal": (0, 0.61)},
        learner=naive_bayes,
    ),
    Rule(
        "placed sentences",
        "naive Bayes over the hypothesis, each announcement and its place",
        deep=(0, 0.62),
        of_setups={"internal": (0, 0.64)},
        learner=naive_bayes,
    ),
    Rule("first only", "the label if only the first announcement is made", deep=(0, 0.55)),
    Rule("last only", "the label if only the last announcement is made", deep=(0, 0.55)),
    Rule("inner part", 'the label of the hypothesis without its outermost "knows"', deep=(0, 0.55)),
    Rule("first two", "the label if only the first two announcements are made", deep=(0, 0.65)),
    Rule("last two", "the label if only the last two announcements are made", deep=(0, 0.65)),
    Rule("agents swapped", "the label if the first two agents of the hypothesis swapped places", deep=(0, 0.65)),
    Rule("all but the first", "the label if all announcements but the first are made", deep=(0, 0.7)),
    Rule("all but the last", "the label if all announcements but the last are made", deep=(0, 0.7)),
    Rule("needs two", "not a guess: whether the label needs two announcements or more", deep=(0.45, 1)),
    Rule("needs three", "not a guess: whether the label needs three announcements or more", deep=(0.18, 1)),
    Rule("order matters", "not a guess: whether another order gives another label", deep=(1, 1)),
    Rule("facts first", "the label if facts and counts are announced first, and everything else afterwards"),
    Rule("facts last", "the label if facts and counts are announced last"),
    Rule(
        "without some agent", "the label if every announcement that names one agent, not in the hypothesis, is ignored"
    ),
)

RULES = (*PLAIN_RULES, *ORDER_RULES)  # in the order in which messages name broken gates


@dataclass(frozen=True, slots=True)
class AuditedProblem(AuditedRow):
    """Hold one MindGames problem with its label, ours or published; its group is its setup, or its rung."""

    LEARNERS = learners_of(RULES)

    problem: Problem
    premise: str
    hypothesis: str
    names: Sequence[str]  # of the agents
    label: bool  # whether the hypothesis follows
    ordered: bool = False  # whether it is of an order block

    def unit(self, place: int) -> int:
        """Return the block of the row at a place: four rows that follow one another."""
        return place // 4

    def features(self) -> dict[str, Hashable]:
        """Return what each rule that learns sees of the problem, of an order block also of the announcements' order."""
        pairs = sentence_pairs(self.premise, self.hypothesis, self.names)
        (_, _, announced), supposed = from_problem(self.problem)
        # What a group is said to know names nobody, like "someone" and "everyone".
        named = {agent for claim in announced if min(claim[0], default=(0,))[0] >= 0 for agent in agents_of(claim)}
        premise, hypothesis = (mask_names(text, self.names) for text in (self.premise, self.hypothesis))
        seen = {
            "hypothesis alone": hypothesis,
            "premise alone": premise,
            "TF-IDF": f"{hypothesis} {premise}",
            "TF-IDF, names numbered": " ".join(self.masked.tokens) if self.masked else None,
            "name announced": not named.isdisjoint(agents_of(supposed)),
            "sentence by sentence": pairs,
        }
        if self.ordered:
            said = pairs[len(pairs) - len(announced) :]  # the announcements after the first come last
            seen |= {
                "set of sentences": tuple(sorted(pairs)),
                "first sentence": said[:1],
                "last sentence": said[-1:],
                "placed sentences": tuple([f"{place} {sentence}" for place, sentence in enumerate(said)]),
                "ordered pairs": tuple(map(" ".join, combinations(said, 2))),
            }
        return {rule: feature for rule, feature in seen.items() if feature is not None}

    def outcomes(self) -> Outcomes:
        """Return what the rules that do not learn make of the problem."""
        guesses = problem_guesses(self.problem)
        needs: dict[str, bool] = {}
        if self.ordered:
            in_order, needs = order_answers(self.problem, self.label)
            guesses |= in_order
        right = {rule: guess == self.label for rule, guess in guesses.items()}
        return Outcomes(self.group, 0.5, {"majority": self.label}, {**right, **needs, **self.probes})


def mask_names(text: str, names: Sequence[str], placeholders: Mapping[str, str] | None = None) -> str:
    """Return a text with X for every name. With placeholders each name becomes its placeholder, or O if none."""
    masked = dict.fromkeys(names, "X") if placeholders is None else {**dict.fromkeys(names, "O"), **placeholders}
    return word_pattern(names).sub(lambda word: masked.get(word[0], word[0]), text)


def sentence_pairs(premise: str, hypothesis: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the hypothesis with each sentence of the premise; agents are named by their place in the hypothesis."""
    in_hypothesis = dict.fromkeys(word for word in word_pattern(names).findall(hypothesis) if word in names)
    placeholders = {name: f"X{place}" for place, name in enumerate(in_hypothesis)}
    sentences = re.split(r"(?<=\.) |(?<=。)(?=.)", mask_names(premise, names, placeholders))
    masked = mask_names(hypothesis, names, placeholders)
    return tuple(f"{masked} {sentence}" for sentence in sentences)


def problem_guesses(problem: Problem) -> dict[str, bool]:
    """Return whether the hypothesis follows for each rule, which forgets a part of the problem.

    Where a rule leaves no world, everything follows.
    """
    premise, hypothesis = from_problem(problem)
    said, n = (SOMEONE, *premise.announcements), len(premise.sees)
    facts = [((), fact) for levels, fact in said if all(agent >= 0 and how == [THAT, False] for agent, *how in levels)]
    start, none_saw, all_saw = map(initial_state, (premise.sees, ((),) * n, (tuple(range(1, n + 1)),) * n))
    shown = after(start, [SOMEONE, *filter(is_showing, said)])
    told = [shown.where(claim) for claim in said if not is_showing(claim)]
    states = {
        "no announcements": start.announce(SOMEONE),
        "announced facts": after(all_saw, facts),
        "as if none saw": after(none_saw, said),
        "as if all saw all": after(all_saw, said),
        "all at once": shown.with_law(reduce(and_, told)),
    }
    return {rule: state.entails(hypothesis) for rule, state in states.items()}


def order_answers(problem: Problem, follows: bool) -> tuple[dict[str, bool], dict[str, bool]]:
    """Return what the rules about an order block say of its problem.

    First, whether the hypothesis follows for each rule that forgets a part. Second, whether the problem needs two and
    three announcements after the first, and whether their order matters.
    """
    premise, hypothesis = from_problem(problem)
    start, said = initial_state(premise.sees).announce(SOMEONE), premise.announcements
    facts, knowledge = (tuple([claim for claim in said if bool(claim[0]) is nested]) for nested in (False, True))
    agents = range(len(premise.sees))
    forgotten = next((agent for agent in agents if agent not in agents_of(hypothesis)), agents[-1])
    heard = tuple([claim for claim in said if forgotten not in agents_of(claim)])
    reordered = {"facts first": facts + knowledge, "facts last": knowledge + facts, "without some agent": heard}
    guesses = {rule: after(start, order).entails(hypothesis) for rule, order in reordered.items()}
    shortcuts = OrderShortcuts(start, said)
    count, matters = sum(needed(start, said, hypothesis, follows)), order_matters(premise, hypothesis)
    needs = {"needs two": count >= 2, "needs three": count >= 3, "order matters": matters}
    return shortcuts.guesses(hypothesis) | guesses, needs
