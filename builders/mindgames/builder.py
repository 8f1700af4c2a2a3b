"""Mindgames as `datasets` sees it: the builder class, its configs and its columns.

This module works as a builder (`MindGames(config_name="forehead")`), and as a loading script with datasets 3.6.
The folder that `make build` writes takes its columns from here.
"""

from dataclasses import asdict, dataclass

import datasets

from ..builds.builder import VERSION, RowsBuilder
from ..logic.config import CONFIGS, ProblemConfig


@dataclass
class MindGamesConfig(ProblemConfig, datasets.BuilderConfig):
    """Choose what mindgames holds: the fields of `ProblemConfig`, as a config of `datasets`."""

    version: datasets.Version = VERSION


FEATURES = datasets.Features(
    {
        "premise": datasets.Value("string"),
        "smcdel_problem": datasets.Value("string"),
        "n_announcements": datasets.Value("int64"),
        "pbcheck": datasets.Value("string"),
        "hypothesis": datasets.Value("string"),
        "setup": datasets.Value("string"),
        "hypothesis_depth": datasets.Value("int64"),
        "n_agents": datasets.Value("int64"),
        "label": datasets.Value("string"),
        "names": datasets.Sequence(datasets.Value("string")),
        "index": datasets.Value("int64"),
        "s-l": datasets.Value("string"),
        "deberta_pred": datasets.Value("int64"),
        "deberta_confidence": datasets.Value("float64"),
        "difficulty": datasets.Value("float64"),
        "block": datasets.Value("string"),
        "n_worlds": datasets.Value("int32"),
        "needs_announcements": datasets.Value("int32"),
        "n_worlds_before": datasets.Value("int32"),
        "shortest_proof": datasets.Value("int32"),
        "order_matters": datasets.Value("bool"),
        "nesting_matters": datasets.Value("bool"),
        "rung": datasets.Value("int32"),
        "explanation": datasets.Value("string"),
        "seed": datasets.Value("int64"),
        "generator_version": datasets.Value("string"),
    }
)


class MindGames(RowsBuilder):
    """Build MindGames: what agents see, what is announced to all of them, and whether somebody then knows something.

    Source: MindGames (Sileo and Lernould, 2023). Every label is whether the hypothesis holds in every world that the
    announcements leave (dynamic epistemic logic).

    Columns:
        premise: what the agents see, and what is announced to all of them.
        smcdel_problem: the problem in SMCDEL's language; it is valid exactly where the label is entailment.
        n_announcements: the number of announcements after the first, "someone …".
        pbcheck: a check in SMCDEL's language that is valid exactly where the premise leaves no world; none is.
        hypothesis: the statement to judge: what somebody can know, or cannot know, after the announcements.
        setup: forehead, forehead_mirror, internal or explicit: who sees what.
        hypothesis_depth: the order of the hypothesis minus 1.
        n_agents: the number of agents.
        label: entailment or not_entailment.
        names: the agents, in the order of SMCDEL's agents and atoms.
        index: the number of the row, unique in the dataset.
        s-l: setup and hypothesis_depth.
        deberta_pred: the prediction of the probe, a small trained model: 1 is entailment, 0 is not.
        deberta_confidence: the probability that the probe gives to its prediction.
        difficulty: 1 - deberta_confidence where the probe is right, else 1 + deberta_confidence.
        block: the block of four that the row belongs to; null in reproduction.
        n_worlds: the number of worlds after the announcements.
        needs_announcements: the number of announcements without which the label changes or no world is left.
        n_worlds_before: the number of worlds before the first announcement.
        shortest_proof: the fewest announcements, kept in their order, that give the label alone.
        order_matters: whether another order of the same announcements gives another label; null but in deep and ladder.
        nesting_matters: whether the hypothesis without its outermost "knows" has another label.
        rung: the rung of ladder, counted from 1; null in the other configs.
        explanation: why the label is right, one step a line (docs/explanations.md); null in test.
        seed: the seed of the build.
        generator_version: the version of the generator.
    """

    DATASET = "mindgames"
    BUILDER_CONFIG_CLASS = MindGamesConfig
    BUILDER_CONFIGS = [MindGamesConfig(**asdict(config)) for config in CONFIGS]


BUILDER = MindGames
"""The builder class of the dataset."""
