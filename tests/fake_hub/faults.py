"""The log of requests, and the faults that a test switches on."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from fake_hub.hub import Hub

Cut = Literal["before", "middle", "after", "short"]
"""Where a connection is cut: before the request is carried out, in the middle of the answer, or before the answer.

"short" cuts the answer and not the connection: half a body comes, and the length that is announced is that of the half.
"""


@dataclass(slots=True)
class Request:
    """Log one request."""

    method: str  # such as GET
    path: str  # with the query
    status: int  # of the answer; 0 where no answer was begun
    token_user: str | None  # the owner of the token, None where none came or it is unknown
    bytes: int  # the size of its body


@dataclass(slots=True)
class Fault:
    """Hold one fault, and count the requests that met it."""

    method: re.Pattern[str]  # which methods it meets, whole
    pattern: re.Pattern[str]  # which paths with their query it meets, anywhere in them
    times: int | None  # how many requests it meets, None for all
    status: int | None  # the status of the answer, None where the request is answered as ever
    headers: dict[str, str]  # of the answer with that status
    body: bytes | None  # of the answer with that status
    cut: Cut | None  # when the connection is cut
    slow: float  # seconds before the request is carried out
    skip: int  # how many requests pass before it meets the first
    then: "Callable[[Hub], object] | None"  # what is called when a request arrives
    used: int = 0  # how many requests it has met
