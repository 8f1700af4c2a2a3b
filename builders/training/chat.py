"""Own a row as messages: the prompt that asks it, and the reply that is right."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

from builders import prompts

SHOWN = {"hi_tom": ("choices", "answer"), "mindgames": ("label",)}
"""Columns that a reward needs of a row, by dataset."""


def dataset_of_row(row: Mapping[str, Any]) -> str:
    """Return the dataset that a row is of. Raises ValueError for a row of neither."""
    for name, columns in SHOWN.items():
        if all(column in row for column in columns):
            return name
    raise ValueError(f"a row has choices and answer, or label; this one has {', '.join(row) or 'no columns'}")


def prompt_of(row: Mapping[str, Any], style: str | None = None, rules: str | None = None) -> str:
    """Return what a model is asked; by default in the style, and with the rules, of the config that the row's id names.

    Rows of `reproduction` of hi_tom have the papers' rules by default: ours do not settle their labels. Rows of any
    config with `semantics="published"` need `rules="paper"`. Raises ValueError for an unknown style.
    """
    dataset = dataset_of_row(row)
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
    explained = [row["explanation"]] if row.get("explanation") else []
    reply = "\n\n".join([*explained, answer_of(row)])
    return [{"role": "user", "content": prompt_of(row, style, rules)}, {"role": "assistant", "content": reply}]
