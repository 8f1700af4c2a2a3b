"""Why a line taught a chain its belief, and why another line did not, in the words of the macros of show.jinja.

`words` is the module of these macros. Where `told`, the words also say why somebody trusts a speaker, or does not.
"""

from typing import Any, NamedTuple

from ..syntax.events import Names
from .meaning import Lesson, obstacle


def reason_of(lesson: Lesson, chain: tuple[int, ...], names: Names, words: Any, told: bool = False) -> str:
    """Return how a lesson taught a chain what it believes, by the semantics under which it taught it."""
    minds = [names.agents[agent] for agent in chain]
    if not chain:
        return words.placed()
    if lesson.speaker < 0:
        return words.saw(minds) if lesson.minds >> chain[0] & 1 else words.watched(minds[0], minds[1:])
    speaker, means = names.agents[lesson.speaker], chain[-1] == lesson.speaker
    last = len(chain) - 1 - means
    if not lesson.trusting >> chain[last] & 1:
        return words.taken(speaker, minds[last], minds[: last - 1])
    before = minds[:last] if lesson.watching >> chain[last] & 1 else []
    return words.trusts(minds[last], speaker, means, before, standing(lesson, chain[last]) if told else "")


class Obstacle(NamedTuple):
    """Hold why a lesson did not teach a chain."""

    kind: str  # what `meaning.obstacle` returns, or a rule of the published generator: nested, apart
    agents: tuple[int, ...]  # whom it is about
    speaker: int = -1  # who makes the claim, where that matters
    why: str = ""  # of a doubted claim: what `standing` returns


def obstacle_of(lesson: Lesson, chain: tuple[int, ...], semantics: str = "recursive") -> Obstacle:
    """Return why a lesson did not teach a chain under the semantics."""
    heard = lesson.speaker >= 0 and all(lesson.minds >> agent & 1 for agent in chain)
    if semantics == "published" and heard and len(chain) > 2:
        return Obstacle("nested", ())
    if semantics == "published" and heard and len(chain) == 2 and lesson.speaker not in chain:
        return Obstacle("apart", (), lesson.speaker)
    kind, agents = obstacle(lesson, chain)
    if kind == "doubted":
        return Obstacle(kind, agents, lesson.speaker, standing(lesson, agents[0]))
    return Obstacle(kind, agents, lesson.speaker if kind == "watched" else -1)


def say_obstacle(found: Obstacle, names: Names, words: Any, told: bool = False) -> str:
    """Return an obstacle in words."""
    agents, speaker = [names.agents[agent] for agent in found.agents], names.agents[found.speaker]
    return words.obstacle(found.kind, agents, speaker, found.why if told else "")


def standing(lesson: Lesson, hearer: int) -> str:
    """Return what decides whether a hearer trusts the speaker of a claim, as a key of `standings` in show.jinja.

    present, absent: whether the speaker was in the chapter's room, without the hearer. later, earlier: both were, and
    the speaker left later than the hearer, or did not.
    """
    if not lesson.members >> lesson.speaker & 1:
        return "absent"
    if not lesson.members >> hearer & 1:
        return "present"
    return "later" if lesson.trusting >> hearer & 1 else "earlier"
