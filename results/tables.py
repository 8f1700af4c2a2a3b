"""The figures of docs/reference/results.md: what one is, where they are kept, and how they are replaced."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tom_datasets.answers.horizon import TOKENS
from tom_datasets.errors import UserError
from tom_datasets.files import write_text

HERE = Path(__file__).parent
FIGURES = HERE / "figures.jsonl"  # one line for each reader, data and group of rows: see `figures_of`
WORLDS = HERE / "worlds.jsonl"  # one line for each reader, config, and world, or all worlds together
CURVES = HERE / "curves.jsonl"  # one line for each curve, number of rows seen, config that is asked, and order
REPLIES = HERE / "replies"  # a folder for each reader that was asked here, with its replies to each config


def lines_of(file: Path) -> list[dict[str, Any]]:
    """Return the figures of a file, none where it is not there."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def replace_lines(file: Path, key: str, name: str, lines: Sequence[Mapping[str, Any]]) -> None:
    """Write figures to a file of JSON lines, in the place of those whose `key` is `name`, or at its end."""
    old = lines_of(file)
    place = next((number for number, line in enumerate(old) if line[key] == name), len(old))
    parts = old[:place], [{key: name, **line} for line in lines], [line for line in old[place:] if line[key] != name]
    write_text(file, "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for part in parts for line in part))


def figures_of(table: Mapping[str, Mapping[str, Any]], data: str) -> list[dict[str, Any]]:
    """Return the figures of a table in a report of `score`: of each group its accuracy, with what stands beside it."""
    figures = []
    for group, rates in table.items():
        accuracy = {name: round(value, 4) for name, value in rates["accuracy"].items() if name != "above_chance"}
        beside = {"unread": round(rates["unread"]["share"], 4)}
        if commonest := rates.get("commonest answer"):
            beside |= {"commonest": round(commonest["share"], 4), "answer": commonest["answer"]}
        figures.append({"data": data, "group": group, **accuracy, **beside})
    return figures


def horizon_of(scores: Mapping[str, Any]) -> dict[str, str]:
    """Return the horizon of a reader in a report of `score`, and what it counts; nothing where rows have no dial."""
    for dial, horizon in scores.get("horizons", {}).items():
        if dial != TOKENS:
            return {"dial": dial, "horizon": horizon["text"]}
    return {}


def run(main: Callable[[], None]) -> None:
    """Run a script of this folder; say what stops it in one line, as the commands do."""
    try:
        main()
    except (UserError, OSError) as error:
        sys.exit(f"error: {error}")
