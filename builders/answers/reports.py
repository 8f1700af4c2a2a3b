"""The report of scores: the tables as JSON, and how the replies were read."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from .rates import Rate, Table
from .scored import ScoredReply
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
        title: {group: {metric: rate_as_json(rate) for metric, rate in rates.items()} for group, rates in table.items()}
        for title, table in tables.items()
    }


def rate_as_json(rate: Rate) -> dict[str, float]:
    """Return a rate as JSON can hold it."""
    return {"share": rate.share, "low": rate.low, "high": rate.high, "right": rate.right, "rows": rate.total}


def reading_counts(replies: Iterable[ScoredReply]) -> dict[str, Any]:
    """Count the replies: all, the unread by reason, and those that contradict or revise themselves."""
    replies = list(replies)
    return {
        "replies": len(replies),
        "unread": dict(Counter(reply.reading.why for reply in replies if reply.reading.choice is None)),
        "contradicting": sum(reply.reading.contradicts for reply in replies),
        "revised": sum(reply.reading.revised for reply in replies),
    }


def reading_of(reply: ScoredReply) -> dict[str, Any]:
    """Return what was read in a reply: the choice, or why there is none, and whether it is right."""
    item = reply.item
    return {
        "id": item.id,
        "prompt": item.prompt,
        "unit": item.unit,
        "answer": item.choices[item.answer],
        "read": reply.chosen,
        "right": reply.right,
        "right_together": reply.strict,
        "unread": reply.reading.why or None,
        "contradicts": reply.reading.contradicts,
        "revised": reply.reading.revised,
    }


def unread_replies(replies: Iterable[ScoredReply]) -> list[dict[str, str | None]]:
    """Return the replies that no rule reads, each with the reason."""
    return [
        {"id": reply.item.id, "prompt": reply.item.prompt, "why": reply.reading.why, "response": reply.text}
        for reply in replies
        if reply.reading.choice is None
    ]
