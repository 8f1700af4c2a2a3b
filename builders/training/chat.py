"""Own a row as messages: the prompt that asks it, and the reply that is right."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

from builders import prompts
from builders.rows import dataset_of

SHOWN = {"hi_tom": ("choices", "answer"), "mindgames": ("label",)}
"""Columns that a reward needs of a row, by dataset."""
ASKED = {"hi_tom": prompts.COLUMNS["hi_tom"], "mindgames": prompts.COLUMNS["mindgames"][1:]}
"""Columns that a prompt without examples is made from, by dataset."""


def dataset_of_row(row: Mapping[str, Any]) -> str:
    """Return the dataset that a row is of. Raises ValueError for a row of neither."""
    return dataset_of(row, SHOWN)


def prompt_of(row: Mapping[str, Any], style: str | None = None, rules: str | None = None) -> str:
    """Return what a model is asked; by default in the style, and with the rules, of the config that the row's id names.

    Rows of `reproduction` of hi_tom have the papers' rules by default: ours do not settle their labels. Rows of any
    config with `semantics="published"` need `rules="paper"`. Raises ValueError for an unknown style and a wrong row.
    """
    dataset = dataset_of(row, ASKED)
    config = str(row["id"]).partition("-")[0] if dataset == "hi_tom" else ""
    style, rules = style or prompts.default_style(dataset, config), rules or prompts.default_rules(config, {})
    if style not in prompts.STYLES[dataset] or style == "five-shot":
        allowed = [known for known in prompts.STYLES[dataset] if known != "five-shot"]
        raise ValueError(f"unknown style {style!r}; the styles of {dataset} without examples are {', '.join(allowed)}")
    return prompts.ask(style, dict(row), rules=rules)


def answer_of(row: Mapping[str, Any]) -> str:
    """Return the reply that a prompt asks for: a letter with its container, or the word for a label."""
    if dataset_of_row(row) == "hi_tom":
        place = list(row["choices"]).index(row["answer"])
        return f"{ascii_uppercase[place]}. {row['answer']}"
    return prompts.wording("en").continuations[row["label"]]


def messages_of(row: Mapping[str, Any], style: str | None = None, rules: str | None = None) -> list[dict[str, str]]:
    """Return a prompt and its right reply as messages; an explanation, where the row has one, precedes the answer."""
    said = [answer_of(row)]
    if row.get("explanation"):
        said.insert(0, row["explanation"])
    return [
        {"role": "user", "content": prompt_of(row, style, rules)},
        {"role": "assistant", "content": "\n\n".join(said)},
    ]
