"""The other interpretations of a story, a second time: what each mind on the way to a chain believes, line after line.

`story.interpretations` holds sets of lines for a chain. Here a list holds where the thing really is, where A1 thinks it
is, where A1 thinks A2 thinks it is, and so on. Each line changes it as docs/why/beliefs.md says. The two share no
code beyond the syntax.
"""

from collections.abc import Sequence
from itertools import pairwise
from operator import or_

from ..syntax.events import Enter, Place, Watch
from .story_minds import Chain, Moment, Secret, believers, learners, taught

# The readings as docs/why/beliefs.md and the column `readings` name them. The last three need secret minds or reports.
SUPPOSING = ("visit", "last leaver", "visit and last leaver")  # under these minds suppose something at an Enter
NAMES = (
    *SUPPOSING, "speaker everywhere", "stayed longer", "last exit", "outranked", "watch sees the present state",
    "placed only", "earlier minds are noticed", "thoughts tell the place", "noticing stays unknown",
)  # fmt: skip


def differing(told: Sequence[Moment], chain: Chain, answer: int | None) -> list[str]:
    """Return the readings under which a chain does not take the thing to be in the container `answer`."""
    rules = [taught(moment, chain) for moment in told]
    asked = NAMES if any(moment.secretly or moment.watchers or moment.content for moment in told) else NAMES[:-3]
    return [name for name in asked if believed(told, chain, name, rules) != answer]


def believed(
    told: Sequence[Moment], chain: Chain, reading: str | None, rules: list[list[bool]] | None = None
) -> int | None:
    """Return where a chain takes the thing to be under a reading (None: by the rules), or None if nothing taught it.

    rules: what `taught` returns of each line, where the caller has it.
    """
    rules = rules or [taught(moment, chain) for moment in told]
    if reading not in SUPPOSING:  # the last line that teaches the whole chain decides
        lines = reversed([*enumerate(told)])
        return next((moment.container for n, moment in lines if _taught(told, n, chain, reading, rules)[-1]), None)
    where: list[int | None] = [None] * (len(chain) + 1)  # where each mind on the way takes it to be, reality first
    for moment, learn in zip(told, rules, strict=True):
        where = [moment.container if learns else held for learns, held in zip(learn, where, strict=True)]
        if isinstance(moment.event, Enter):
            _suppose(where, moment, chain, reading)
    return where[-1]


def _taught(
    told: Sequence[Moment], number: int, chain: Chain, reading: str | None, rules: list[list[bool]]
) -> list[bool]:
    """Return for each k whether the line of a number teaches the first k agents of a chain under a reading."""
    moment, learn = told[number], rules[number]
    event, speaker, secret = moment.event, moment.speaker, moment.secretly or moment.watchers
    match reading:
        case "watch sees the present state" if isinstance(event, Watch) and chain[:1] == (event.agent,):
            return believers(moment, chain)
        case "placed only" if isinstance(event, Place) and any(other.speaker is None for other in told[:number]):
            return taught(moment._replace(secretly={}), chain)
        case "speaker everywhere" if speaker is not None:
            return learners(moment, chain, believers(moment, chain, everywhere=True))
        case "stayed longer" if speaker is not None:
            believe = believers(moment, chain)
            for depth, agent in enumerate(chain[1:], 1):
                believe[depth + 1] |= believe[depth] and moment.left_later(agent, speaker)
            return learners(moment, chain, believe)
        case "last exit" if speaker is not None:
            return taught(moment._replace(left=moment.last_exit), chain)
        case "outranked" if speaker is not None:
            for other, rule in zip(told[:number], rules, strict=False):
                same_chapter = other.began == moment.began
                if same_chapter and other.speaker is not None and moment.left_later(other.speaker, speaker):
                    learn = [learns and not outranked for learns, outranked in zip(learn, rule, strict=True)]
        case "thoughts tell the place" if moment.content:
            return [*map(or_, learn, believers(moment, chain))]
        case "earlier minds are noticed" | "noticing stays unknown" if secret:
            change = _one_noticed if reading == "noticing stays unknown" else _all_noticed
            return taught(moment._replace(secretly=change(moment.secretly), watchers=change(moment.watchers)), chain)
    return learn


def _all_noticed(secret: Secret) -> Secret:
    """Return agents in secret as if each had noticed all before."""
    noticed: Secret = {}
    for agent in secret:
        noticed[agent] = dict(noticed)
    return noticed


def _one_noticed(secret: Secret) -> Secret:
    """Return agents in secret as if nobody knew whom those noticed whom he noticed."""
    return {agent: dict.fromkeys(others, {}) for agent, others in secret.items()}


def _suppose(where: list[int | None], moment: Moment, chain: Chain, reading: str) -> None:
    """Let each mind suppose, at an Enter, what the next one has seen or has known since leaving."""
    for depth, (thinker, agent) in enumerate(pairwise((None, *chain)), 1):
        if reading == "last leaver" and depth > 1 and thinker not in moment.openly:
            break
        has_seen = reading != "last leaver" and agent in moment.openly
        has_known = reading != "visit" and thinker in moment.back and agent in moment.leavers
        if has_seen or has_known:
            where[depth] = where[depth - 1]
