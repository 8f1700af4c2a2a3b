"""How far shortcuts get on the questions of `abilities`, alone and two together, and how far they may get: the gates.

A feature of an option is that a shortcut answers it, or which one it is where all questions of a kind have the same
options. A rule of two features answers one of the options that have both, one of both, or neither, in an order of its
own. The best rule is the one that is right most often where it is learnt.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from types import UnionType
from typing import Any

from ..columns import Row
from ..markdown import markdown_table
from ..story.abilities.kind import MEASURED, SHOWN, Shortcut, picked_by, share_of
from ..story.abilities.kinds import KINDS
from ..story.abilities.record import loads_query
from ..story.abilities.shortcuts import by_last, first_saw, of_two_features
from ..story.abilities.view import View
from ..syntax.ability import Query
from ..syntax.events import Event, Like, Overhear, Report, Story, Tell, Watch
from ..syntax.record import loads
from .gates import spell_gate, within_chance
from .rules import Gate
from .shares import Outcomes, Share, Table, count_shares

LETTER, ALONE, BEST = "letter", "question alone", "best of 2 features"
FIRST_CHOICE, LAST_CHOICE = "first choice", "last choice"
BLIND = (LETTER, ALONE, FIRST_CHOICE, LAST_CHOICE)  # rules that must be within chance

LEARNT_GATE = 65  # on how many questions of a hundred from order 2 the best rule of two features may be right


def ignoring(kinds: type[Event] | UnionType) -> Shortcut:
    """Return the rule of a reader who knows all that the story means, but passes over its events of some kinds."""

    def guess(view: View, query: Query) -> Any:
        events = [Like(0, 0) if isinstance(event, kinds) else event for event in view.story.events]
        return query.kind.answer_to(View(Story(view.story.n_agents, tuple(events)), view.thing), query)

    return Shortcut(MEASURED, guess, since=SHOWN)


# Rules that are shown for all kinds: many answers do not hang on such a line.
PASSED_OVER = {"watch line": Watch, "overhearing line": Overhear, "claim": Tell | Report}
IGNORING = {
    **{f"every {name} ignored": ignoring(kinds) for name, kinds in PASSED_OVER.items()},
    "the first saw it, others inside": Shortcut(MEASURED, partial(by_last, first_saw), since=SHOWN),
}

# What the gates hold for, and the fewest rows, with what these are.
HELD = "every kind", 60, "test questions of a kind and order"


def outcomes_of(row: Row) -> tuple[Outcomes, dict[tuple[Any, ...], float]]:
    """Return what rules that do not learn make of a row, and how often each rule of two features is right.

    Of fixed options each is a feature that answers itself. Raises ValueError for a row that cannot be read.
    """
    story, names, thing = loads(row["events"])
    view, query = View(story, thing), loads_query(row["query"], names)
    kind, right = query.kind, query.options[row["answer_index"]]
    rules, fixed = {**kind.rules, **IGNORING}, query.options if kind.form.fixed else ()
    picked = {name: picked_by(rule.guess(view, query)) for name, rule in rules.items()}
    shares = {name: share_of(options, right) for name, options in picked.items()}
    shares[FIRST_CHOICE], shares[LAST_CHOICE] = query.options[0] == right, query.options[-1] == right
    features = {one: picked[one] for one in rules if rules[one].since < SHOWN} | {one: picked_by(one) for one in fixed}
    constant = {LETTER: row["answer_index"], ALONE: right if fixed else None}
    outcomes = Outcomes(f"{kind.name} {len(query.chain)}", 1 / len(query.options), constant, shares)
    return outcomes, of_two_features(features, query.options, right)


def measured(tested: Iterable[Row], lessons: Iterable[Row]) -> Table:
    """Return how often each rule is right, by kind and order; without lessons to learn from, none learns."""
    outcomes = []
    taught: dict[str, dict[tuple[Any, ...], float]] = defaultdict(lambda: defaultdict(float))
    for lesson, of_two in map(outcomes_of, lessons):
        for pair, share in of_two.items():
            taught[lesson.group][pair] += share
    best = {group: max(shares, key=shares.__getitem__) for group, shares in taught.items()}
    for outcome, of_two in map(outcomes_of, tested):
        learnt = of_two.get(best[outcome.group], 0) if outcome.group in best else None
        outcomes.append(replace(outcome, right={**outcome.right, BEST: learnt}))
    return dict(sorted(count_shares(outcomes).items(), key=lambda item: [*KINDS].index(item[0].split()[0])))


def gate_of(group: str, rule: str, share: Share | None = None) -> Gate | None:
    """Return the gate of a rule in a kind and order, None where it is only shown.

    Letters, places and questions alone must be within the chance of their share, and have no gate without one.
    """
    kind, order = group.split()
    if rule in BLIND:
        return None if share is None else within_chance(share)
    if rule == BEST:
        return (0, LEARNT_GATE / 100) if int(order) > 1 else None
    shortcut = KINDS[kind].rules.get(rule)
    return (0, KINDS[kind].gate / 100) if shortcut and int(order) >= shortcut.since else None


def rendered(table: Table) -> str:
    """Return a table in Markdown: a line for each kind and rule, a column for each order."""
    orders = sorted({group.split()[1] for group in table})
    lines = []
    for kind, rule in dict.fromkeys((group.split()[0], rule) for group, shares in table.items() for rule in shares):
        gates = {gate for order in orders if (gate := gate_of(f"{kind} {order}", rule)) is not None}
        shares = [table.get(f"{kind} {order}", {}).get(rule, "") for order in orders]
        lines.append([kind, rule, ", ".join(map(spell_gate, sorted(gates))), *map(str, shares)])
    return markdown_table(["kind", "rule", "gate", *(f"order {order}" for order in orders)], lines, left=2)
