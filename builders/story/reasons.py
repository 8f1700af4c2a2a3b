"""Why a line taught a chain its belief, and why another line did not, in the words of the macros of show.jinja.

`words` are these macros. Where `why`, the words also say why somebody trusts a speaker, or does not.
Lines are places in `Facts`.
"""

from itertools import pairwise
from typing import NamedTuple

from ..syntax.events import Names
from ..wording.languages import Macros
from .lines import LineSet
from .meaning import RULES, Chain, Facts, aware, claims_reaching, linked, reached, speaker_of, trusted


def why_of(
    facts: Facts, chain: Chain, semantics: str, names: Names, words: Macros, place: int, why: bool = True
) -> tuple[bool, str]:
    """Return whether a line taught a chain what it believes under the semantics, and how it did, or why it did not.

    Of a line that several missed, all are named. `why`: as in `reason_of`.
    """
    if place in LineSet(RULES[semantics](facts, chain)):
        return True, reason_of(facts, place, chain, names, words, why)
    return False, say_obstacle(obstacles_of(facts, place, chain, semantics), names, words, why)


def reason_of(facts: Facts, place: int, chain: Chain, names: Names, words: Macros, why: bool) -> str:
    """Return how a line taught a chain what it believes; `why`: and why the one who trusts does."""
    if not chain:
        return words.placed()
    bit = 1 << place
    if facts.claims & bit:
        chain = next(prefix for claims, prefix in claims_reaching(facts, chain) if claims & bit)
    secret = tuple([names.agents[agent] for agent in chain if facts.secret[agent] & bit])
    minds = tuple([names.agents[agent] for agent in chain])
    if facts.sightings & bit:
        return words.watched(secret, minds[len(secret) :]) if secret else words.saw(minds)
    speaker = speaker_of(facts, bit)
    name, means = names.agents[speaker], chain[-1] == speaker
    last = len(chain) - 1 - means
    overheard, truster = words.overheard(secret), chain[last]
    if not trusted(facts, chain[: last + 1]) & bit:
        return overheard + words.taken(name, minds[last], minds[: last - 1])
    deceived = minds[:last] if facts.watched[truster] & bit else ()
    reason = standing(facts, bit, speaker, truster) if why else ""
    return overheard + words.trusts(minds[last], name, means, deceived, reason)


class Obstacle(NamedTuple):
    """Hold a reason, enough alone, why a line did not teach a chain."""

    kind: str  # a key of the macro `obstacle` of show.jinja
    agents: tuple[int, ...]  # whom it is about
    speaker: int = -1  # who makes the claim, where that matters
    why: str = ""  # of a doubted claim: what `standing` returns


def obstacles_of(facts: Facts, place: int, chain: Chain, semantics: str = "recursive") -> list[Obstacle]:
    """Return the reasons why a line did not teach a chain under the semantics; each alone is enough."""
    bit = 1 << place
    if facts.sightings & bit:
        return _unreached(facts, bit, chain, "absent", "unseen")
    if not chain:
        return [Obstacle("reality", ())]
    content = next((content for content, lines in facts.reports.items() if lines & bit), ())
    if content == chain:
        return [Obstacle("own thoughts", chain[:1])]
    if content and chain[-len(content) :] != content:
        return [Obstacle("thoughts", content)]
    prefix = chain[: len(chain) - len(content)]
    speaker = speaker_of(facts, bit)
    heard = aware(facts, prefix) & bit
    if semantics == "published" and heard and len(chain) > 2:
        return [Obstacle("nested", ())]
    if semantics == "published" and heard and len(chain) == 2 and speaker not in chain:
        return [Obstacle("apart", (), speaker)]
    if not heard:
        return _unreached(facts, bit, prefix, "unheard", "unnoticed")
    if prefix == (speaker,):
        return [Obstacle("own words", prefix)]
    doubter = prefix[-2] if prefix[-1] == speaker else prefix[-1]
    if facts.trusts[doubter] & bit:
        return [Obstacle("watched", (doubter,), speaker)]
    return [Obstacle("doubted", (doubter,), speaker, standing(facts, bit, speaker, doubter))]


def _unreached(facts: Facts, bit: int, chain: Chain, missed: str, unknown: str) -> list[Obstacle]:
    """Return who of a chain was not reached by a line; where all were, each who did not know that the next one was."""
    absent = [Obstacle(missed, (agent,)) for agent in chain if not reached(facts, agent) & bit]
    return absent or [Obstacle(unknown, pair) for pair in pairwise(chain) if not linked(facts, *pair) & bit]


def say_obstacle(obstacles: list[Obstacle], names: Names, words: Macros, why: bool) -> str:
    """Return the first obstacle in words, with the agents of all where several missed the line."""
    first = obstacles[0]
    told = obstacles if first.kind in ("absent", "unheard") else [first]
    agents = tuple([names.agents[agent] for obstacle in told for agent in obstacle.agents])
    return words.obstacle(first.kind, agents, names.agents[first.speaker], first.why if why else "")


def standing(facts: Facts, bit: int, speaker: int, hearer: int) -> str:
    """Return what decides whether a hearer trusts the speaker of a claim, as a key of `standings` in show.jinja.

    present, absent: whether the speaker was in the chapter's room, without the hearer. later, earlier: both were, and
    the speaker left later than the hearer, or did not.
    """
    if not facts.members[speaker] & bit:
        return "absent"
    if not facts.members[hearer] & bit:
        return "present"
    return "later" if facts.trusts[hearer] & bit else "earlier"
