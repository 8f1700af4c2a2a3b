"""The answers that are sent back, refusals among them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold the answer to one request. A HEAD request gets it without its body."""

    status: int  # the HTTP status
    body: bytes = b""  # what is sent, whole
    headers: Mapping[str, str] = field(default_factory=dict)  # besides those that every answer has


class RefusedError(Exception):
    """Carry the answer that refuses a request."""

    def __init__(self, answer: Answer):
        super().__init__(answer.status)
        self.answer = answer


def iso(date: datetime) -> str:
    """Write a time as the Hub does."""
    return date.strftime("%Y-%m-%dT%H:%M:%S.") + f"{date.microsecond // 1000:03}Z"


def as_json(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """Answer with JSON."""
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json", **(headers or {})})


def refusal(
    status: int, message: str, code: str | None = None, headers: Mapping[str, str] | None = None
) -> RefusedError:
    """Make a refusal with the headers that clients read their error class and message from."""
    errors = {"X-Error-Message": message} | ({"X-Error-Code": code} if code else {})
    return RefusedError(as_json({"error": message}, status, errors | dict(headers or {})))


def storage_refusal(status: int, code: str, message: str) -> RefusedError:
    """Make a refusal as the storage writes it: XML, not the Hub's JSON."""
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>'
    return RefusedError(Answer(status, body.encode(), {"Content-Type": "application/xml"}))
