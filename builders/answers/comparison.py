"""The comparison of models: the rates of each on the same rows, and how far each is above the first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .items import Item, Key, by_property
from .rates import Bootstrap, Difference, Rate
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


def compare(name: str, models: Mapping[str, Sequence[Item]]) -> list[Compared]:
    """Compare models on the rows that all of them answered: together, the undisputed apart, and then by PROPERTY.

    models: scored replies by the model's name; differences are taken from the first. Raises as `answered_by_all`.
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
        values = {model: metric_values(name, [table[key] for key in keys]) for model, table in tables.items()}
        base = next(iter(values.values()))
        # Stories and blocks are answered whole or not at all, so a metric is defined for the same rows of each model.
        for model, own in values.items():
            above = {
                metric: bootstrap.difference(own[metric], base[metric])
                for metric in ("accuracy", JOINT[name])
                if own is not base and own[metric]
            }
            answers = [tables[model][key] for key in keys]
            compared.append(Compared(group, model, metric_rates(name, answers, bootstrap), above))
    return compared


def answered_alike(name: str, languages: Mapping[str, Sequence[Item]]) -> dict[str, Rate]:
    """Return how often all languages give the same choice, right or wrong, by group; an unread reply is like no other.

    languages: scored replies by language, of rows with the same ids. Raises as `answered_by_all`.
    """
    shared, tables = answered_by_all(languages)

    def alike(reply: Item) -> bool:
        choices = {table[reply.key].reading.choice for table in tables.values()}
        return len(choices) == 1 and None not in choices

    groups = {ALL: shared, **by_property(shared, PROPERTY[name])}
    values = {group: [(reply, alike(reply)) for reply in replies] for group, replies in groups.items()}
    return Bootstrap(name, (reply.unit for reply in shared)).rates(values)


def answered_by_all(models: Mapping[str, Sequence[Item]]) -> tuple[list[Item], dict[str, dict[Key, Item]]]:
    """Return the first model's replies to the rows that all models answered, and the replies of each by their keys.

    Raises ValueError where there is no such row.
    """
    tables = {model: {reply.key: reply for reply in replies} for model, replies in models.items()}
    first = next(iter(tables.values()))
    common = [reply for key, reply in first.items() if all(key in table for table in tables.values())]
    if not common:
        raise ValueError("no row is answered in all files under the same prompt; name it with --prompt")
    return common, tables
