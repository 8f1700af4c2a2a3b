"""The tokens that replies took: the replies by the quarter of their tokens, and how many right and wrong ones took."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean

from .items import Item, by_quarter

SPENT = "tokens spent"  # the title of the table


@dataclass(frozen=True, slots=True)
class Tokens:
    """Hold how many tokens replies have on average; None where there is no such reply."""

    replies: int  # how many replies say their tokens
    all: float
    right: float | None
    wrong: float | None


def token_groups(replies: Sequence[Item]) -> dict[str, list[Item]]:
    """Return the replies that say their tokens, all and by quarter of these; nothing where none does."""
    counted = [reply for reply in replies if reply.tokens is not None]
    numbers = numbers_of(counted)
    quarters = by_quarter(counted, attrgetter("tokens"), numbers, lambda bound: f"{int(bound):,}")
    return {"all": counted, **quarters} if counted else {}


def mean_tokens(replies: Sequence[Item]) -> Tokens:
    """Return the mean numbers of tokens of replies that say them."""
    sides = [numbers_of(reply for reply in replies if reply.right is right) for right in (True, False)]
    right, wrong = [fmean(side) if side else None for side in sides]
    return Tokens(len(replies), fmean(numbers_of(replies)), right, wrong)


def numbers_of(replies: Iterable[Item]) -> list[int]:
    """Return the number of tokens of each reply that reports it."""
    return [reply.tokens for reply in replies if reply.tokens is not None]
