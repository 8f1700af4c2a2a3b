"""What is found in a reply: the stretches of text that name a choice, and the reading that follows from them."""

from bisect import bisect_left
from dataclasses import dataclass
from operator import attrgetter


@dataclass(frozen=True, slots=True)
class Reading:
    """Hold what a reply says: its choice, or why it is unread."""

    choice: int | None  # place of the choice that the reply names; None if the reply is unread
    why: str = ""  # one of the five reasons below if the reply is unread, else empty
    contradicts: bool = False  # whether the letter and the container of the answer differ (rule 5)
    revised: bool = False  # whether an earlier statement differs from the one that counts (rule 2)


EMPTY, UNKNOWN, SEVERAL, SILENT = "empty", "says none", "names several", "names no choice"
UNFINISHED = "thinks without an end"  # why a reply is unread


@dataclass(frozen=True, slots=True)
class Mention:
    """Hold a stretch of text that names a choice."""

    start: int  # where the stretch begins in the text
    end: int  # where it ends
    choice: int | None  # place of the choice; None if the text names none, or a choice that the question does not offer
    pair: bool = False  # whether a letter stands with its container, or is introduced as an option
    contradicts: bool = False  # whether the letter is not the one of the container
    why: str = ""  # in a statement that names no single choice: why

    def reading(self, revised: bool = False) -> Reading:
        """Return the reading of a reply whose answer is this."""
        if self.choice is None:
            return Reading(None, self.why or UNKNOWN, revised=revised)
        return Reading(self.choice, "", self.contradicts, revised)


START = attrgetter("start")


def within(mentions: list[Mention], start: int, end: int) -> list[Mention]:
    """Return the mentions that begin in a stretch of text."""
    return mentions[bisect_left(mentions, start, key=START) : bisect_left(mentions, end, key=START)]


def first_in(mentions: list[Mention], start: int, end: int) -> Mention | None:
    """Return the first mention that begins in a stretch of text."""
    return next(iter(within(mentions, start, end)), None)
