"""Write the task files of this folder, one for each task and group of lm-evaluation-harness (`make tasks`).

A task says only which rows it asks, in which style and with which rules. What the tasks of a kind have in common stands
in the files `_*_yaml`, which are written by hand and which every task includes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tom_datasets.dataset import dataset_named
from tom_datasets.prompts import default_rules, default_style
from tom_datasets.splits import ENGLISH, named_in
from tom_datasets.story.config import AGENTS, order_name
from tom_datasets.syntax.formula import SETUPS
from tom_datasets.wording.languages import languages

FOLDER = Path(__file__).resolve().parent
FIRST_LINE = "# Written by _generate.py: change that file and run make tasks.\n"
VERSION = 4.0
"""The version of all tasks, which is raised when they ask otherwise."""
ORDERS = range(5)
"""The orders of a build of the default size."""
POSSIBLE_ORDERS = range(AGENTS[-1] + 1)
"""The orders that some build can have: a question asks about different agents (`--max-order`)."""
GROUPED = {"hi_tom": tuple(map(order_name, ORDERS)), "mindgames": tuple(SETUPS)}
"""The configs whose tasks make a group; `all` asks the same rows in one task."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Describe one way of asking a dataset; it has a task for each config."""

    dataset: str  # hi_tom or mindgames
    suffix: str  # ending of the names of its tasks
    shared: str  # file with what its tasks have in common
    styles: dict[str, str]  # style of prompt by config, where it is not the config's default style
    replies: bool  # whether the model writes its answer, so that some answers may be unread

    def task(self, config: str) -> str:
        """Return the name of the task of a config."""
        return config + self.suffix if config == "tomh" else f"{self.dataset}_{config}{self.suffix}"


def spoken(dataset: str, *names: str) -> tuple[str, ...]:
    """Return what configs are called in the other languages and worlds that have them."""
    others = [language for language in languages(dataset) if language != ENGLISH]
    known = {config.name for config in dataset_named(dataset).configs}
    return tuple(one for language in others for name in names if (one := named_in(name, language)) in known)


STORY_CONFIGS = (
    "all",
    "deep",
    "reproduction",
    *spoken("hi_tom", "all", "deep"),
)
"""The configs of hi_tom with all orders of a story, so that joint accuracy can be measured."""
HI_TOM_CONFIGS = (
    *map(order_name, POSSIBLE_ORDERS),
    *STORY_CONFIGS,
    "ladder",
    "abilities",
    "plans",
    "tomh",
    "woven",
    *spoken("hi_tom", "ladder", "abilities", "woven"),
)
STEP_BY_STEP = {config: "cot" if config == "tomh" else "cotp" for config in HI_TOM_CONFIGS}
WITH_EXAMPLES = (*GROUPED["mindgames"], "all", "scale", "reproduction", "deep", "ladder", "rounds")
"""The configs of mindgames for which a build has solved problems, from its train split."""
MINDGAMES_CONFIGS = (
    *WITH_EXAMPLES,
    *spoken("mindgames", "all", "deep", "ladder", "rounds"),
)
FIVE_SHOT = dict.fromkeys(WITH_EXAMPLES, "five-shot")
KINDS = (
    Kind("hi_tom", "", "_hi_tom_yaml", {}, replies=False),
    Kind("hi_tom", "_reply", "_hi_tom_reply_yaml", {}, replies=True),
    Kind("hi_tom", "_cot", "_hi_tom_cot_yaml", STEP_BY_STEP, replies=True),
    Kind("mindgames", "", "_mindgames_yaml", {}, replies=False),
    Kind("mindgames", "_5shot", "_mindgames_yaml", FIVE_SHOT, replies=False),
    Kind("mindgames", "_reply", "_mindgames_reply_yaml", {}, replies=True),
)


def files() -> dict[str, str]:
    """Return the text of every task file, by its name."""
    texts = {}
    for kind in KINDS:
        for config in HI_TOM_CONFIGS if kind.dataset == "hi_tom" else kind.styles or MINDGAMES_CONFIGS:
            texts[f"{kind.task(config)}.yaml"] = FIRST_LINE + task_text(kind, config)
        if kind.dataset == "hi_tom":
            for order in ORDERS:
                name = kind.task(f"deep_{order_name(order)}")
                texts[f"{name}.yaml"] = FIRST_LINE + heading(kind, "deep", name, kind.shared) + f"  order: {order}\n"
        texts[f"{kind.dataset}{kind.suffix}.yaml"] = FIRST_LINE + group_text(kind)
    return texts


def heading(kind: Kind, config: str, name: str, shared: str) -> str:
    """Return the lines that name a task, the file that it includes, its rules, and the rows that it asks.

    The rules are metadata, so that `--metadata` can name others.
    """
    style = kind.styles.get(config, default_style(kind.dataset, config))
    about = f"metadata:\n  version: {VERSION}\n  rules: {default_rules(config, {})}\n"
    return f"include: {shared}\ntask: {name}\n{about}dataset_kwargs:\n  name: {config}\n  style: {style}\n"


def task_text(kind: Kind, config: str) -> str:
    """Return the file of the task that asks a config."""
    # The other configs with all orders of a story differ from `all` in their rows only.
    shared = f"{kind.task('all')}.yaml" if config in STORY_CONFIGS[1:] and kind.dataset == "hi_tom" else kind.shared
    lines = []
    if kind.dataset == "hi_tom" and config == "all":
        lines.append(f"process_results: !function harness.story_{'reply' if kind.replies else 'likelihood'}")
        lines += ["metric_list:", *common_metrics(kind), *metric("joint_acc", "!function harness.joint")]
        for order in ORDERS:
            lines += metric(f"joint_acc_{order}", f"!function harness.joint_{order}")
        lines += metric("joint_chance", "!function harness.joint")
    if kind.dataset == "mindgames" and config == "reproduction":  # single problems, so there is no block accuracy
        lines.append(f"process_results: !function harness.{'question_reply' if kind.replies else 'problem_likelihood'}")
        lines += ["metric_list:", *common_metrics(kind)]
    return heading(kind, config, kind.task(config), shared) + "".join(f"{line}\n" for line in lines)


def common_metrics(kind: Kind) -> list[str]:
    """Return the lines that describe the metrics of every task of a kind."""
    lines = [
        *metric("acc", "mean"),
        *metric("chance", "mean"),
        *metric("commonest", "!function harness.commonest", False),
    ]
    return lines + (metric("unread", "mean", higher_is_better=False) if kind.replies else [])


def metric(name: str, aggregation: str, higher_is_better: bool = True) -> list[str]:
    """Return the lines that describe a metric."""
    return [
        f"  - metric: {name}",
        f"    aggregation: {aggregation}",
        f"    higher_is_better: {str(higher_is_better).lower()}",
    ]


def group_text(kind: Kind) -> str:
    """Return the file of the group of a kind's tasks, which averages their metrics over all rows."""
    metrics = [
        "acc",
        "chance",
        *(["block_acc", "block_chance"] if kind.dataset == "mindgames" else []),
        *(["unread"] if kind.replies else []),
    ]
    lines = [f"group: {kind.dataset}{kind.suffix}", "task:"]
    lines += [f"  - {kind.task(config)}" for config in GROUPED[kind.dataset]]
    lines.append("aggregate_metric_list:")
    for name in metrics:
        lines += [f"  - metric: {name}", "    weight_by_size: true"]
    return "\n".join([*lines, "metadata:", f"  version: {VERSION}"]) + "\n"


def left_over(texts: Sequence[str]) -> list[Path]:
    """Return the task files in the folder that are not among these names."""
    return [path for path in sorted(FOLDER.glob("*.yaml")) if path.name not in texts]


def main() -> None:
    """Write every task file, and delete those that no kind has any more."""
    texts = files()
    for path in left_over(list(texts)):
        path.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
