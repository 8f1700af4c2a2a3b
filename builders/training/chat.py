"""A row as messages: the prompt that asks it, and the reply that is right."""

from collections.abc import Mapping
from typing import Any

from .. import prompts
from ..answers.rewards import SHOWN
from ..rows import known_row, plain_row

Message = dict[str, str]  # its role, user or assistant, and its content

# Columns that a prompt without examples is made from, by dataset.
ASKED = {"hi_tom": prompts.COLUMNS["hi_tom"], "mindgames": prompts.COLUMNS["mindgames"][1:]}


def prompt_of(
    row: Mapping[str, Any], style: str | None = None, rules: str | None = None, reply: str | None = "final-line"
) -> str:
    """Return what a model is asked; by default in the style, and with the rules, of the config of the row.

    It asks for a reply that `reward` pays; with None for `reply` it asks as the papers do. Rows of `reproduction` of
    hi_tom have the papers' rules by default: ours do not settle their labels. Rows of any config with
    `semantics="published"` need `rules="paper"`. Raises ValueError for an unknown style and a wrong row.
    """
    dataset, row = known_row(row, ASKED)
    config = row["config"] if dataset == "hi_tom" else ""
    style, rules = style or prompts.default_style(dataset, config), rules or prompts.default_rules(config, {})
    if style not in prompts.STYLES[dataset] or style == "five-shot":
        allowed = [known for known in prompts.STYLES[dataset] if known != "five-shot"]
        raise ValueError(
            f"unknown style {style!r}; expected a style of {dataset} without examples: {', '.join(allowed)}"
        )
    return prompts.ask(style, row, rules=rules, reply=reply)


def answer_of(row: Mapping[str, Any]) -> str:
    """Return the last line that is paid: `Answer:`, in the row's language, and the choice or the word for the label."""
    dataset, row = known_row(row, SHOWN)
    macros = prompts.wording_of(row)
    return str(macros.paid(row["answer"] if dataset == "hi_tom" else macros.continuations[row["label"]]))


def messages_of(
    row: Mapping[str, Any], style: str | None = None, rules: str | None = None, reply: str = "explained"
) -> list[Message]:
    """Return a prompt and its right reply as messages: the `answer` alone, or the row's explanation.

    Raises ValueError where a row that is to be explained has no explanation.
    """
    row = plain_row(row)
    prompt = prompt_of(row, style, rules, reply)
    said = row.get("explanation") if reply == "explained" else answer_of(row)
    if not said:
        raise ValueError("a row has no explanation, like all rows of test splits; use --reply answer (reply='answer')")
    return [{"role": "user", "content": prompt}, {"role": "assistant", "content": said}]
