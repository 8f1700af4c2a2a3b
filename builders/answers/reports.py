"""The report of scores: the tables as JSON, and how the replies were read."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from .items import Item
from .rates import Table
from .scores import Score


def scores_as_json(scores: Mapping[str, Score]) -> dict[str, Any]:
    """Return the scores of each prompt as JSON can hold them; "prompts" compares several."""
    return {
        prompt or "prompts": {
            "tables": _tables(score.tables),
            "analyses": _tables(score.analyses),
            "ends": dict(score.ends),
            "read": reading_counts(score.replies),
        }
        for prompt, score in scores.items()
    }


def _tables(tables: Mapping[str, Table]) -> dict[str, dict]:
    """Return tables as JSON can hold them."""
    return {
        title: {group: {metric: rate.as_json() for metric, rate in rates.items()} for group, rates in table.items()}
        for title, table in tables.items()
    }


def reading_counts(replies: Iterable[Item]) -> dict[str, Any]:
    """Count the replies: all, the unread by reason, and those that contradict or revise themselves."""
    readings = [reply.reading for reply in replies]
    return {
        "replies": len(readings),
        "unread": dict(Counter(reading.why for reading in readings if reading.choice is None)),
        "contradicting": sum(reading.contradicts for reading in readings),
        "revised": sum(reading.revised for reading in readings),
    }


def reading_of(reply: Item) -> dict[str, Any]:
    """Return what was read in a reply: the choice, or why there is none, and whether it is right."""
    return {
        "id": reply.id,
        "prompt": reply.prompt,
        "unit": reply.unit,
        "answer": reply.choices[reply.answer],
        "read": reply.chosen,
        "right": reply.right,
        "right_together": reply.strict,
        "unread": reply.reading.why or None,
        "contradicts": reply.reading.contradicts,
        "revised": reply.reading.revised,
    }


def unread_replies(replies: Iterable[Item]) -> list[dict[str, str | None]]:
    """Return the replies that no rule reads, each with the reason."""
    return [
        {"id": reply.id, "prompt": reply.prompt, "why": reply.reading.why, "response": reply.text}
        for reply in replies
        if reply.reading.choice is None
    ]
