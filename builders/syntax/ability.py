"""What a question of `abilities` asks, and the beliefs that it rests on: by numbers, or by names as a text has them."""

from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Query:
    """Hold a question about a story; lines are numbers from 1, agents and containers those of the story."""

    kind: Any  # what it is a question of
    chain: tuple[Any, ...]  # whose belief is asked about, outermost first
    others: tuple[Any, ...] = ()  # agents named beside the last of the chain
    line: int | None = None  # the line that it names
    container: Any = None  # the container that it names
    options: tuple[Any, ...] = ()  # what may be answered, in the order of the choices


class Belief(NamedTuple):
    """Name a belief about the thing: whose, and in which change of the story."""

    chain: tuple[Any, ...]  # outermost first; empty for where the thing really is
    upto: int | None = None  # after the line of this number; None for the last
    without: int | None = None  # had this line not happened
    claim: Any = None  # with this claim as a further line
