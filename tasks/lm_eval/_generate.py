"""Write the task files of this folder, one for each task and group of lm-evaluation-harness (`make tasks`).

A task says only which config it asks and in which style. What the tasks of a kind have in common stands in the four
files `_*_yaml`, which are written by hand and which every task includes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from builders.logic.formula import SETUPS
from builders.prompts import default_style
from builders.story.config import order_name

FOLDER = Path(__file__).resolve().parent
FIRST_LINE = "# Written by _generate.py: change that file and run make tasks.\n"
ORDERS = range(5)
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


HI_TOM_CONFIGS = (*GROUPED["hi_tom"], "all", "deep", "tomh")
STEP_BY_STEP = {config: "cot" if config == "tomh" else "cotp" for config in HI_TOM_CONFIGS}
MINDGAMES_CONFIGS = (*GROUPED["mindgames"], "all")
FIVE_SHOT = dict.fromkeys(MINDGAMES_CONFIGS, "five-shot")
KINDS = (
    Kind("hi_tom", "", "_hi_tom_yaml", {}, replies=False),
    Kind("hi_tom", "_reply", "_hi_tom_reply_yaml", {}, replies=True),
    Kind("hi_tom", "_cot", "_hi_tom_reply_yaml", STEP_BY_STEP, replies=True),
    Kind("mindgames", "", "_mindgames_yaml", {}, replies=False),
    Kind("mindgames", "_5shot", "_mindgames_yaml", FIVE_SHOT, replies=False),
    Kind("mindgames", "_reply", "_mindgames_reply_yaml", {}, replies=True),
)


def files() -> dict[str, str]:
    """Return the text of every task file, by its name."""
    texts = {}
    for kind in KINDS:
        for config in HI_TOM_CONFIGS if kind.dataset == "hi_tom" else MINDGAMES_CONFIGS:
            texts[f"{kind.task(config)}.yaml"] = FIRST_LINE + task_text(kind, config)
        texts[f"{kind.dataset}{kind.suffix}.yaml"] = FIRST_LINE + group_text(kind)
    return texts


def task_text(kind: Kind, config: str) -> str:
    """Return the file of the task that asks a config."""
    # All orders of a story are in one task here, so joint accuracy can be measured; `deep` differs only in its rows.
    shared = f"{kind.task('all')}.yaml" if config == "deep" else kind.shared
    style = kind.styles.get(config, default_style(kind.dataset, config))
    lines = [f"include: {shared}", f"task: {kind.task(config)}", "dataset_kwargs:", f"  name: {config}"]
    lines.append(f"  style: {style}")
    if kind.dataset == "hi_tom" and config == "all":
        lines.append(f"process_results: !function harness.story_{'reply' if kind.replies else 'likelihood'}")
        lines += ["metric_list:", *metric("acc", "mean"), *metric("joint_acc", "!function harness.joint")]
        for order in ORDERS:
            lines += metric(f"joint_acc_{order}", f"!function harness.joint_{order}")
        if kind.replies:
            lines += metric("unread", "mean", higher_is_better=False)
    return "\n".join(lines) + "\n"


def metric(name: str, aggregation: str, higher_is_better: bool = True) -> list[str]:
    """Return the lines that describe a metric."""
    return [
        f"  - metric: {name}",
        f"    aggregation: {aggregation}",
        f"    higher_is_better: {str(higher_is_better).lower()}",
    ]


def group_text(kind: Kind) -> str:
    """Return the file of the group of a kind's tasks, which averages their metrics over all rows."""
    metrics = ["acc", *(["block_acc"] if kind.dataset == "mindgames" else []), *(["unread"] if kind.replies else [])]
    lines = [f"group: {kind.dataset}{kind.suffix}", "task:"]
    lines += [f"  - {kind.task(config)}" for config in GROUPED[kind.dataset]]
    lines.append("aggregate_metric_list:")
    for name in metrics:
        lines += [f"  - metric: {name}", "    weight_by_size: true"]
    return "\n".join([*lines, "metadata:", "  version: 1.0"]) + "\n"


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
