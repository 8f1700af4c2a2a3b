"""What each kind of question says (`Kind`): what it proposes, what settles it, and which shortcuts must fail on it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

from ...streams import Stream
from ...syntax.ability import Belief, Query
from .view import View

MEASURED = 100  # the limit of a rule that the draw does not look at: it is measured, and gated, as rare as it is
FEWEST = 4  # containers that a question must at least have to choose from
SHOWN = 9  # the lowest order of a rule that is shown and nothing else: neither drawn against, nor gated, nor a feature


class Shortcut(NamedTuple):
    """Say what a lazy reader answers, and on how many questions of a hundred that may be right."""

    most: int  # at most, of each order, when questions are drawn; or MEASURED
    guess: Callable[[View, Query], Any]  # an option, None, or a frozenset of options to pick from
    since: int = 1  # the lowest order that the limit holds for


def picked_by(guess: Any) -> frozenset[Any]:
    """Return the options that a guess picks from."""
    return guess if isinstance(guess, frozenset) else frozenset((guess,))


def share_of(picked: frozenset[Any], answer: Any) -> float:
    """Return how often a guess is right: 1 or 0, or one of as many as there are options to pick from."""
    return (answer in picked) / max(1, len(picked))


class Form(NamedTuple):
    """Say what the options of a kind are."""

    name: str  # the macro of abilities.jinja that says one
    fixed: tuple[Any, ...] = ()  # all options, where every question has the same ones
    in_order: bool = False  # whether the choices keep the order of the options


CONTAINER = Form("container")  # containers that the story names
LINE = Form("line", in_order=True)  # lines of the story, which a question lists
CLAIM = Form("claim")  # claims that are no lines of the story, which a question lists
YES_NO = Form("yes_no", (True, False), in_order=True)  # yes and no: questions come in twos with opposite answers
WHICH = Form("which", tuple(product((False, True), repeat=3)))  # of each of three agents, whether they think so
TRUTH = Form("truth", tuple(product((True, False), repeat=2)))  # whether a speaker thinks so, and whether it is so


def belief_of_chain(query: Query) -> list[Belief]:
    """Return the belief of the chain after the line asked about, or else at the end."""
    return [Belief(query.chain, query.line)]


def judge_and_judged(query: Query) -> list[Belief]:
    """Return where the outer minds take the thing to be, and where they take the last of the chain to think it is."""
    return [Belief(query.chain[:-1], query.line), Belief(query.chain, query.line)]


def side_by_side(query: Query) -> list[Belief]:
    """Return what the outer minds take the last of the chain, and each agent named beside it, to think."""
    return [Belief((*query.chain[:-1], agent)) for agent in (query.chain[-1], *query.others)]


def in_equal_shares(view: View, query: Query, answer: Any) -> tuple[int, float]:
    """Return the place of an answer among the fixed or the listed options, where each is right equally often."""
    return (query.kind.form.fixed or query.options).index(answer), 100 / len(query.options)


def line_of(query: Query) -> int:
    """Return the line that a question names. Raises ValueError where it names none."""
    if query.line is None:
        raise ValueError(f"a question of the kind {query.kind.name} names no line; it must have one in `line`")
    return query.line


def are_one(query: Query, held: list[int]) -> bool:
    """Return whether two containers are one."""
    return held[0] == held[1]


@dataclass(frozen=True)
class Kind:
    """Say what the questions of a kind are; each file of a kind ends with one."""

    name: str
    form: Form = CONTAINER  # what its options are
    # The questions about a chain, given a question that names the chain alone.
    propose: Callable[[View, Query, Stream], Iterable[Query]] = lambda view, query, stream: [query]
    rests_on: Callable[[Query], list[Belief]] = belief_of_chain  # the beliefs that settle the answer
    answer: Callable[[Query, list[int]], Any] = lambda query, held: held[0]  # the right option, given their containers
    rules: Mapping[str, Shortcut] = field(default_factory=dict)  # the shortcuts: what lazy readers answer, by name
    # Which cell of an order a question is in, given its answer, and how much of an order is to be in it, in per cent.
    cells: Callable[[View, Query, Any], tuple[int, float]] = lambda view, query, answer: (0, 100)
    any_order: bool = False  # whether it asks of stories of other orders too, as good answers are rare
    explained_by: Callable[[Query], list[Belief]] | None = None  # the beliefs that explain it; None for `rests_on`
    most_of_two: int = 0  # per cent on which any rule of two features may be right; 0 for no limit
    gate: int = 40  # on how many of a hundred test questions a rule with a limit may be right

    def answer_to(self, view: View, query: Query) -> Any:
        """Return the right option of a question, None where a chain lacks a belief that it rests on."""
        beliefs = self.rests_on(query)
        held = [container for container in map(view.held, beliefs) if container is not None]
        return self.answer(query, held) if len(held) == len(beliefs) else None

    def options(self, view: View, query: Query) -> list[Any]:
        """Return what may be answered: what the form fixes, the question lists, or the story names; none if too few."""
        if listed := self.form.fixed or query.options:
            return list(listed)
        named = view.named(self.rests_on(query)[0].upto)
        return sorted(named) if len(named) >= FEWEST else []
