"""Hi_tom as `datasets` sees it: the builder class, its configs and its columns.

This module works as a builder (`HiTom(config_name="4th_order")`), and as a loading script with datasets 3.6.
The folder that `make build` writes takes its columns from here.
"""

from dataclasses import asdict, dataclass

import datasets

from ..builds.builder import VERSION, RowsBuilder
from ..story.config import CONFIGS, StoryConfig
from ..story.meaning import SLOTS


@dataclass
class HiTomConfig(StoryConfig, datasets.BuilderConfig):
    """Choose what hi_tom holds: the fields of `StoryConfig`, as a config of `datasets`."""

    version: datasets.Version = VERSION


FEATURES = datasets.Features(
    {
        "id": datasets.Value("string"),
        "story_id": datasets.Value("string"),
        "story": datasets.Value("string"),
        "kind": datasets.Value("string"),
        "question": datasets.Value("string"),
        "choices": datasets.Sequence(datasets.Value("string")),
        "answer": datasets.Value("string"),
        "answer_index": datasets.Value("int32"),
        "order": datasets.Value("int32"),
        "chain": datasets.Sequence(datasets.Value("string")),
        "deception": datasets.Value("bool"),
        "story_length": datasets.Value("int32"),
        "n_agents": datasets.Value("int32"),
        "n_lines": datasets.Value("int32"),
        "n_claims": datasets.Value("int32"),
        "rung": datasets.Value("int32"),
        "answer_published": datasets.Value("string"),
        "semantics_agree": datasets.Value("bool"),
        "effective_order": datasets.Value("int32"),
        "order_sensitive": datasets.Value("bool"),
        "shortcuts_missed": datasets.Value("float64"),
        "undisputed": datasets.Value("bool"),
        "readings": datasets.Sequence(datasets.Value("string")),
        "answer_slot": datasets.ClassLabel(names=list(SLOTS)),
        "n_places": datasets.Value("int32"),
        "lines_since": datasets.Value("int32"),
        "events": datasets.Value("string"),
        "query": datasets.Value("string"),
        "explanation": datasets.Value("string"),
        "deberta_pred": datasets.Value("int64"),
        "deberta_confidence": datasets.Value("float64"),
        "difficulty": datasets.Value("float64"),
        "seed": datasets.Value("int64"),
        "generator_version": datasets.Value("string"),
    }
)


class HiTom(RowsBuilder):
    """Build Hi-ToM: stories of who saw, moved and claimed what, and questions about beliefs about beliefs.

    Sources: Hi-ToM (He et al., Findings of EMNLP 2023) and its workshop version ToMH (ToM workshop at ICML 2023).

    Columns:
        id: the name of the question, its story_id and its order; no other row has it.
        story_id: the name of the story; its questions share it.
        story: the text, one numbered line for each event.
        kind: the kind of the question in abilities (docs/abilities.md); null in other configs, which ask `now`.
        question: the question in English.
        choices: the containers of the story's rooms; in tomh those that the story names.
        answer: the right container under the config's semantics.
        answer_index: the place of the answer in choices, from 0.
        order: how many minds the question nests; 0 asks where the thing really is.
        chain: the agents of the question, outermost first.
        deception: whether agents make claims.
        story_length: the number of chapters.
        n_agents: the number of agents; in tomh without the distractor.
        n_lines: how many lines there are.
        n_claims: the number of claims, those about thoughts included.
        rung: the rung of the ladder, from 1; null in other configs.
        answer_published: the answer by the released generator's rules; null in deep and ladder.
        semantics_agree: whether both semantics give the same answer; null in deep and ladder.
        effective_order: how many agents of the chain are enough for the answer.
        order_sensitive: whether some permutation of the chain has another answer.
        shortcuts_missed: the share of shortcuts to a nested answer that give another one (docs/audit.md); 0 at order 0.
        undisputed: whether every reading gives the answer (docs/readings.md).
        readings: the readings that give another answer.
        answer_slot: which distinct place of the thing the answer is; claimed if it was never there.
        n_places: the number of distinct places of the thing.
        lines_since: the number of lines after the one that taught the answer.
        events: the formal story as JSON: the thing asked about, and every event.
        query: in abilities and plans the formal question as JSON, in plans with script and goals; else null.
        explanation: why the answer is right, one step a line (docs/explanations.md); null in test.
        deberta_pred: the choice that the probe, a small trained model, picks, from 0.
        deberta_confidence: the probability that the probe gives to its pick.
        difficulty: 1 - deberta_confidence where the probe is right, else 1 + deberta_confidence.
        seed: the seed of the build.
        generator_version: the version of the generator.
    """

    DATASET = "hi_tom"
    BUILDER_CONFIG_CLASS = HiTomConfig
    BUILDER_CONFIGS = [HiTomConfig(**asdict(config)) for config in CONFIGS]


BUILDER = HiTom
"""The builder class of the dataset."""
