"""Measure what explanations cost, as ratios in the same run: time to make rows with and without them, words, bytes."""

from dataclasses import replace

from timing import in_turn

from tom_datasets.logic import config as problem_configs
from tom_datasets.logic import rows as problems
from tom_datasets.reader.steps import explanation_fault
from tom_datasets.story import config as story_configs
from tom_datasets.story import rows as stories

ROUNDS = 3
STORIES, BLOCKS = 60, 120


def story_rows(config, plan) -> list[dict]:
    """Make the rows of planned stories."""
    return [row for index, settled in enumerate(plan) for row in stories.story_rows(config, "train", index, *settled)]


def block_rows(config, plan) -> list[dict]:
    """Make the rows of planned blocks."""
    return problems.part_rows(config, config.setup, "train", range(len(plan)), plan)


def measure(config, plan, make) -> None:
    """Print what explanations cost rows of a config; prove each of them."""
    rows = make(config, plan)  # so that both ways find the caches full
    works = {"bare": (make, replace(config, explanations=()), plan), "explained": (make, config, plan)}
    bare, explained = (took / len(rows) for took in in_turn(works, ROUNDS).values())
    faults = [fault for row in rows if (fault := explanation_fault(row["explanation"], row))]
    assert not faults, faults[0]
    words = [len(row["explanation"].split()) for row in rows]
    size = sum(len(row["explanation"].encode()) for row in rows) / len(rows)
    print(
        f"{config.name}: {1 / explained:,.0f} rows a second with explanations, {1 / bare:,.0f} without; "
        f"{explained / bare:.2f} times as long; {sum(words) / len(words):.0f} words on average, "
        f"{max(words)} at most; {size:,.0f} bytes"
    )


def main() -> None:
    """Print the measurements, each the best of ROUNDS rounds, in which both ways take turns; plans are made before."""
    for config in (story_configs.ALL, story_configs.DEEP):
        config = replace(config, train=STORIES, scorer=None)
        measure(config, stories.plan_of(config, "train"), story_rows)
    for config in problem_configs.SETUP_CONFIGS:
        config = replace(config, checker="embedded", scorer=None, train=BLOCKS, validation=None, test=None)
        measure(config, problems.plan_of(config, config.setup)["train"], block_rows)


if __name__ == "__main__":
    main()
