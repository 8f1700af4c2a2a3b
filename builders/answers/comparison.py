"""Compare models on the same rows: how far each is above the first, and whether languages and worlds agree."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from operator import attrgetter
from statistics import fmean

from ..groups import grouped_by
from .horizon import Horizon, horizons
from .items import Item, Key, by_property
from .rates import Bootstrap, Difference, Rate, Values
from .scores import JOINT, metric_rates, metric_values

# The groups of all rows, and of the rows on whose answer all readings agree; the second only if some are disputed.
ALL, ALL_UNDISPUTED = "all", "all undisputed"
# The property by which each dataset's rows are compared group by group.
PROPERTY = {"hi_tom": "order", "mindgames": "setup"}


@dataclass(frozen=True, slots=True)
class Compared:
    """Hold one model beside the first one, in one group of rows."""

    group: str  # ALL, ALL_UNDISPUTED, or a group of PROPERTY
    model: str  # name of the model
    rates: Mapping[str, Rate]  # by metric
    above: Mapping[str, Difference]  # by metric, how far the model is above the first one; empty for the first
    horizons: Mapping[str, Horizon] = field(default_factory=dict)  # of ALL rows, by what grows; none without a dial


def compare(name: str, models: Mapping[str, Sequence[Item]]) -> list[Compared]:
    """Compare models on the rows that all of them answered: together, the undisputed apart, and then by PROPERTY.

    models: scored replies by the model's name; differences are taken from the first. Of several replies to a row the
    mean counts. Raises as `answered_by_all`.
    """
    common, tables = answered_by_all(models)
    groups = {ALL: common}
    if {reply.undisputed for reply in common} == {True, False}:
        groups[ALL_UNDISPUTED] = [reply for reply in common if reply.undisputed]
    by_name = by_property(common, PROPERTY[name])
    bootstrap = Bootstrap(name, (reply.unit for reply in common))
    compared = []
    for group, replies in [*groups.items(), *(by_name.items() if len(by_name) > 1 else ())]:
        keys = [reply.key for reply in replies]
        answers = {model: [reply for key in keys for reply in table[key]] for model, table in tables.items()}
        values = {model: metric_values(name, some) for model, some in answers.items()}
        base = next(iter(values.values()))
        # Stories and blocks are answered whole or not at all, so a metric is defined for the same rows of each model.
        for model, own in values.items():
            above = {
                metric: bootstrap.difference(by_row(own[metric]), by_row(base[metric]))
                for metric in ("accuracy", JOINT[name])
                if own is not base and own[metric]
            }
            found = horizons(answers[model], bootstrap) if group == ALL else {}
            compared.append(Compared(group, model, metric_rates(name, answers[model], bootstrap), above, found))
    return compared


def by_row(values: Values) -> Values:
    """Return the mean of the values of the replies to each row, beside the first of them."""
    rows = grouped_by(lambda pair: pair[0].key, values)
    return [(pairs[0][0], fmean(value for _, value in pairs)) for pairs in rows.values()]


def answered_alike(name: str, languages: Mapping[str, Sequence[Item]]) -> dict[str, Rate]:
    """Return how often all languages give the same choice, right or wrong, by group; an unread reply is like no other.

    languages: scored replies by language, of rows with the same ids. Where rows have several replies, it is how often
    replies of all languages, each drawn at random, give the same choice. Raises as `answered_by_all`.
    """
    shared, tables = answered_by_all(languages)

    def alike(reply: Item) -> float:
        choices = [Counter(some.reading.choice for some in table[reply.key]) for table in tables.values()]
        same = sum(prod(counts[choice] for counts in choices) for choice in choices[0] if choice is not None)
        return same / prod(counts.total() for counts in choices)

    groups = {ALL: shared, **by_property(shared, PROPERTY[name])}
    values = {group: [(reply, alike(reply)) for reply in replies] for group, replies in groups.items()}
    return Bootstrap(name, (reply.unit for reply in shared)).rates(values)


@dataclass(frozen=True, slots=True)
class Consistency:
    """Hold how often a model is right about a question in all languages or worlds, in one group of rows."""

    right: Rate  # about the same question in all of them; of several replies to a row, each drawn at random
    independent: float  # the share if being right in one said nothing about the others: the product of the accuracies
    gap: Difference  # the accuracy in the first, where a model may have been trained, minus the mean of the others


def consistency(name: str, languages: Mapping[str, Sequence[Item]]) -> dict[str, Consistency]:
    """Return how often replies in all languages or worlds are right, by group.

    languages: scored replies by language or world, of rows with the same ids. Raises as `answered_by_all`.
    """
    shared, tables = answered_by_all(languages)
    bootstrap = Bootstrap(name, (reply.unit for reply in shared))
    found = {}
    for group, replies in {ALL: shared, **by_property(shared, PROPERTY[name])}.items():
        shares = [[fmean(some.right for some in table[reply.key]) for reply in replies] for table in tables.values()]
        together = [prod(of_row) for of_row in zip(*shares, strict=True)]
        first, *others = shares
        elsewhere = [fmean(of_row) for of_row in zip(*others, strict=True)]
        found[group] = Consistency(
            bootstrap.rate(list(zip(replies, together, strict=True))),
            prod(map(fmean, shares)),
            bootstrap.difference(list(zip(replies, first, strict=True)), list(zip(replies, elsewhere, strict=True))),
        )
    return found


def answered_by_all(models: Mapping[str, Sequence[Item]]) -> tuple[list[Item], dict[str, dict[Key, list[Item]]]]:
    """Return the first model's first reply to each row that all models answered, and the replies of each by their keys.

    Raises ValueError where there is no such row.
    """
    tables = {model: grouped_by(attrgetter("key"), replies) for model, replies in models.items()}
    first = next(iter(tables.values()))
    common = [replies[0] for key, replies in first.items() if all(key in table for table in tables.values())]
    if not common:
        raise ValueError("no row has an answer in all files under the same prompt; name the prompt with --prompt")
    return common, tables
