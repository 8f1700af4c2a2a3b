"""Own what a model is asked: a row goes in, a prompt of a language comes out, with nothing that gives the answer away.

The wording is in `prompts.jinja` of the language, and reads only columns that know no answer; the labels that it is
given are those of other, solved problems. Needs Jinja and nothing of the datasets, so that the tasks for the
evaluation harnesses (`tasks/`) can ask the same.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from builders.logic.formula import LABELS
from builders.streams import stream
from builders.voice import templates

STYLES = {"hi_tom": ("vp", "cotp", "mc", "cot"), "mindgames": ("zero-shot", "five-shot")}
"""The styles of each dataset: of the Hi-ToM and the ToMH paper, and of MindGames."""
COLUMNS = {"hi_tom": ("id", "story", "question", "choices"), "mindgames": ("index", "premise", "hypothesis")}
"""What a prompt is made from, the name of the row first."""
CHOOSING = ("premise", "block", "setup", "seed", "index")
"""What choosing the problems to show needs of a row besides."""
TASKS = "eval.yaml"
"""What Inspect reads at the root of a folder."""
SHOTS = 5
PLACES = 4
"""So many values of `index` belong to one block, or to one single problem."""

Row = dict[str, Any]
Pool = dict[str, list[Row]]
"""The problems to show of each label."""


class TooFewError(ValueError):
    """Say that there are not enough problems to show."""


def default_style(dataset: str, config: str) -> str:
    """Return the style of a config where none is named: that of its own paper."""
    return "mc" if config == "tomh" else STYLES[dataset][0]


@lru_cache(maxsize=8)
def wording(language: str) -> Any:
    """Return the macros of a language, read once a process."""
    return templates(language).get_template("prompts.jinja").module


def ask(style: str, row: Row, shots: Sequence[Row] = (), language: str = "en") -> str:
    """Return the prompt of a row in one of STYLES; `shots` are the solved problems of a five-shot one."""
    say = wording(language)
    if style in STYLES["hi_tom"]:
        return str(say.hi_tom(style, row["story"], row["question"], row["choices"], row["id"].startswith("deep-")))
    if style not in STYLES["mindgames"]:
        raise ValueError(f"unknown style {style!r}")
    shown = [(shot["premise"], shot["hypothesis"], shot["label"]) for shot in shots]
    return str(say.mindgames(row["premise"], row["hypothesis"], shown))


def pool(rows: Iterable[Row]) -> Pool:
    """Return the problems that may be shown, by label; they must be of one setup, those of the train split."""
    found: Pool = {label: [] for label in LABELS.values()}
    for row in rows:
        found[row["label"]].append(row)
    return found


def shots(row: Row, of: Pool) -> list[Row]:
    """Return the SHOTS solved problems that a row's prompt shows, in the order in which it shows them.

    All four problems of a block are shown the same ones, half of them to an entailed one and half to another: so
    neither the labels shown, three of one and two of the other by turns, nor their order say anything of the row's own.
    They are never of its block, nor have its premise. Raises TooFewError.
    """
    turn = row["index"] // PLACES
    drawn = stream("mindgames", row["seed"], "shots", turn)
    chosen = []
    for place, label in enumerate(of):
        wanted = SHOTS // 2 + (turn % 2 == place) * (SHOTS % 2)
        # Of one label a block has two problems, and other blocks none with a premise of it.
        candidates = drawn.draw(of[label], min(len(of[label]), wanted + PLACES))
        own = row["premise"], row["block"] or ""
        others = [each for each in candidates if each["premise"] != own[0] and each["block"] != own[1]]
        if len(others) < wanted:
            raise TooFewError(f"{SHOTS} examples need {wanted} of {label}, and there are {len(others)}")
        chosen += others[:wanted]
    return drawn.shuffled(chosen)


def tasks(dataset: str, layout: dict[str, dict[str, list[str]]], language: str) -> str:
    """Return TASKS, the tasks of a folder for Inspect: one for each config, on its test split or its last."""
    asked = [
        {
            "config": config,
            "split": "test" if "test" in splits else list(splits)[-1],
            "style": default_style(dataset, config),
        }
        for config, splits in layout.items()
    ]
    return templates(language).get_template(f"{TASKS}.jinja").render(dataset=dataset, tasks=asked) + "\n"
