"""What a rule is: a record of what it answers, how it learns and its gates; and how rules are measured on rows."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from operator import attrgetter
from typing import Any, ClassVar, Protocol

from ..difficulty.masking import MaskedRow
from ..groups import grouped_by
from ..splits import language_of_name, plain_name, world_of
from .shares import Outcomes

Gate = tuple[float, float]  # the least and the most that a rule may be right, from 0 to 1

# How a rule learns: pairs of a feature and its label, and the features of tested rows go in, their labels come out.
# What a feature is differs from rule to rule.
Learner = Callable[[Sequence[tuple[Any, Any]], Sequence[Any]], Sequence[Hashable]]


@dataclass(frozen=True, slots=True)
class Rule:
    """Describe a rule; one without a gate is only shown. What it answers about a row, the row says by its name.

    Rules about stories are in `stories`, rules about problems in `problems`; `page.rule_tables` prints them.
    """

    name: str
    about: str  # what it answers, as docs/why/audit.md prints it
    _: KW_ONLY
    gate: Gate | None = None  # in the default config
    deep: Gate | None = None  # in the config deep, of stories in the ladder too
    # In order blocks of a setup, where it differs from `deep`; docs/why/audit.md says why.
    of_setups: Mapping[str, Gate] = field(default_factory=dict)
    since: int = 2  # the lowest order of deep stories for which `deep` holds
    learner: Learner | None = None  # how it learns, if it does: see `learners`


def learners_of(rules: Sequence[Rule]) -> dict[str, Learner]:
    """Return how each rule that learns does so, by its name."""
    return {rule.name: rule.learner for rule in rules if rule.learner}


@dataclass(frozen=True, slots=True)
class AuditedRow:
    """Hold what rows of all datasets, ours or published, have in common; each dataset has a class of its own."""

    LEARNERS: ClassVar[Mapping[str, Learner]]  # how each rule that learns does so; each class has its own

    group: str  # the column of the table in which the row is counted
    _: KW_ONLY
    masked: MaskedRow | None = None  # what a probe sees of the row; needed by rules that learn only
    probes: Mapping[str, bool | None] = field(default_factory=dict)  # whether the prediction of a probe is right


class Audited(Protocol):
    """Say what the class of each dataset answers about a row."""

    LEARNERS: ClassVar[Mapping[str, Learner]]

    @property
    def label(self) -> Hashable:
        """Return what the rules that learn answer, None where there is nothing to learn."""

    def outcomes(self) -> Outcomes:
        """Return what all rules that do not learn make of the row."""

    def features(self) -> Mapping[str, Any]:
        """Return what each rule that learns sees."""

    def unit(self, place: int) -> Hashable:
        """Return the story or block of a row at a place, whose rows never learn from one another."""


def apply_rules(tested: Sequence[Audited], fitted: Sequence[Audited] = ()) -> list[Outcomes]:
    """Return what the rules make of the tested rows; rules that learn do so from the fitted rows.

    Rules that learn are left out where no row is fitted.
    """
    features = [row.features() for row in tested]
    lessons = [(row.features(), row.label) for row in fitted if row.label is not None]
    guesses = {
        rule: tested[0].LEARNERS[rule](
            [(seen[rule], label) for seen, label in lessons], [seen[rule] for seen in features]
        )
        for rule in (features[0] if features and lessons else ())
    }
    right = [{rule: labels[place] == row.label for rule, labels in guesses.items()} for place, row in enumerate(tested)]
    outcomes = [row.outcomes() for row in tested]
    return [replace(outcome, right={**own, **outcome.right}) for own, outcome in zip(right, outcomes, strict=True)]


def cross_validated(rows: Sequence[Audited]) -> list[Outcomes]:
    """Return what the rules make of each half of the rows, learnt from the other half; no `unit` is cut in two."""
    units = [row.unit(place) for place, row in enumerate(rows)]
    number = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
    even, odd = ([row for row, unit in zip(rows, units, strict=True) if number[unit] % 2 == half] for half in (0, 1))
    return apply_rules(even, odd) + apply_rules(odd, even)


def outcomes_of_test(
    questions: Callable[..., Sequence[Audited]], build: Any, config: str, learn: bool
) -> list[Outcomes]:
    """Return what the rules answer on the test file of a folder of files, such as an order or a setup.

    questions: returns what the rules see of a file of the build, and with `learn` what rules that learn see. What is
    asked in a world is learnt in the house.
    """
    learnt = plain_name(config) if world_of(language_of_name(config)) else config
    tested, train = questions(build, f"{config}/test.parquet", learn), f"{learnt}/train.parquet"
    if tested and not tested[0].features():  # nothing learns
        return apply_rules(tested)
    if train not in build.files:
        return cross_validated(tested)
    fitted = grouped_by(attrgetter("group"), questions(build, train, learn))
    groups = grouped_by(attrgetter("group"), tested)
    return [outcome for group, rows in groups.items() for outcome in apply_rules(rows, fitted.get(group, ()))]
