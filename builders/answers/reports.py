"""The report of scores: the tables as JSON, and how the replies were read."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from ..files import write_text
from .horizon import Horizon
from .items import Item
from .rates import Rate
from .scores import Score


def as_json(value: Any) -> Any:
    """Return tables, comparisons and other parts of a report as JSON can hold them."""
    if isinstance(value, Rate):
        rate: dict[str, float | str | None] = {"share": value.share, "low": value.low, "high": value.high}
        rate |= {"right": value.right, "rows": value.total}
        if value.chance is not None:
            rate |= {"chance": value.chance, "above_chance": value.above_chance}
        if value.answer:
            rate["answer"] = value.answer
        return rate
    if isinstance(value, Horizon):
        return value.as_json()
    if is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: as_json(part) for name, part in value.items()}
    return list(map(as_json, value)) if isinstance(value, list) else value


def scores_as_json(scores: Mapping[str, Score]) -> dict[str, Any]:
    """Return the scores of each prompt as JSON can hold them; "prompts" compares several."""
    return {
        prompt or "prompts": {
            "tables": as_json(score.tables),
            "analyses": as_json(score.analyses),
            "ends": score.ends,
            "read": reading_counts(score.replies),
            **({"tokens": as_json(score.tokens)} if score.tokens else {}),
            **({"horizons": as_json(score.horizons)} if score.horizons else {}),
        }
        for prompt, score in scores.items()
    }


def write_report(file: Path | None, report: Any) -> list[str]:
    """Write a report into the file that was asked for, if one was; return the lines that say so."""
    if file:
        write_text(file, json.dumps(report, indent=1) + "\n")
    return [f"\nreport: {file}"] if file else []


def reading_counts(replies: Iterable[Item]) -> dict[str, Any]:
    """Count the replies: all, the unread by reason, those that contradict or revise themselves, and those cut short."""
    replies = list(replies)
    readings = [reply.reading for reply in replies]
    cut = [reply.reading for reply in replies if reply.cut]
    return {
        "replies": len(readings),
        "unread": dict(Counter(reading.why for reading in readings if reading.choice is None)),
        "contradicting": sum(reading.contradicts for reading in readings),
        "revised": sum(reading.revised for reading in readings),
        "cut": {"replies": len(cut), "unread": sum(reading.choice is None for reading in cut)},
    }


def reading_of(reply: Item) -> dict[str, Any]:
    """Return what was read in a reply: the choice, or why there is none, and whether it is right."""
    return {
        **_naming(reply),
        "unit": reply.unit,
        "answer": reply.choices[reply.answer],
        "read": reply.chosen,
        "right": reply.right,
        "right_together": reply.strict,
        "unread": reply.reading.why or None,
        "contradicts": reply.reading.contradicts,
        "revised": reply.reading.revised,
        "cut": reply.cut,
    }


def _naming(reply: Item) -> dict[str, Any]:
    """Return what names a reply: its id and its prompt, and its sample where there are several."""
    return {"id": reply.id, "prompt": reply.prompt, **({"sample": reply.sample} if reply.sample else {})}


def unread_replies(replies: Iterable[Item]) -> list[dict[str, Any]]:
    """Return the replies that no rule reads, each with the reason."""
    return [
        {**_naming(reply), "why": reply.reading.why, "response": reply.text}
        for reply in replies
        if reply.reading.choice is None
    ]
