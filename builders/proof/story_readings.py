"""The other readings of a story, a second time: what each mind on the way to a chain believes, line after line.

`story.readings` looks back from the last line, for all subchains of a chain at once. Here a table holds where
the thing really is, where A1 thinks it is, where A1 thinks A2 thinks it is, and so on. Each line changes the table as
docs/readings.md says. The two share no code beyond the syntax.
"""

from collections.abc import Sequence

from ..syntax.events import Enter, Place, Watch
from .story_minds import Moment

VISIT, LAST_LEAVER, BOTH = "visit", "last leaver", "visit and last leaver"
SPEAKER, LONGER, LAST_EXIT, OUTRANKED = "speaker everywhere", "stayed longer", "last exit", "outranked"
PRESENT, PLACED = "watch sees the present state", "placed only"
NAMES = (VISIT, LAST_LEAVER, BOTH, SPEAKER, LONGER, LAST_EXIT, OUTRANKED, PRESENT, PLACED)
"""The readings, as docs/readings.md and the column `readings` name them."""


def differing(told: Sequence[Moment], chain: tuple[int, ...], answer: int | None) -> list[str]:
    """Return the readings under which a chain does not take the thing to be in the container `answer`."""
    return [name for name in NAMES if believed(told, chain, name) != answer]


def believed(told: Sequence[Moment], chain: tuple[int, ...], reading: str | None) -> int | None:
    """Return where a chain takes the thing to be under a reading (None: by the rules), or None if nothing taught it."""
    where: list[int | None] = [None] * (len(chain) + 1)
    convinced: list[set[int]] = [set() for _ in where]  # of each mind, by the claims of which speakers of the chapter
    began, placed = None, False
    for moment in told:
        if moment.began != began:
            began, convinced = moment.began, [set() for _ in where]
        if moment.claim:
            _hear(where, convinced, moment, chain, reading)
        elif isinstance(moment.event, Watch):
            if reading == PRESENT and chain[:1] == (moment.event.agent,):
                _see(where, moment, chain, chain[:1])
        else:
            again = placed and isinstance(moment.event, Place)
            _see(where, moment, chain, () if again and reading == PLACED else moment.watchers)
            placed = True
            if isinstance(moment.event, Enter):
                _suppose(where, moment, chain, reading)
    return where[-1]


def _see(where: list[int | None], moment: Moment, chain: tuple[int, ...], watchers: Sequence[int]) -> None:
    """Let the minds see where the thing is: those inside all know of one another, and nobody knows of a watcher."""
    where[0] = moment.container
    for depth, agent in enumerate(chain, 1):
        if agent not in moment.inside and (depth > 1 or agent not in watchers):
            break
        where[depth] = moment.container


def _suppose(where: list[int | None], moment: Moment, chain: tuple[int, ...], reading: str | None) -> None:
    """Let each mind suppose, at an Enter, what the next one has seen or has known since leaving."""
    if reading == LAST_LEAVER:
        for depth, (agent, other) in enumerate(zip(chain, chain[1:], strict=False), 1):
            if agent not in moment.inside:
                break
            if agent in moment.back and other in moment.leavers:
                where[depth + 1] = where[depth]
    elif reading in (VISIT, BOTH):
        thinker = None
        for depth, agent in enumerate(chain, 1):
            if agent in moment.inside or (reading == BOTH and thinker in moment.back and agent in moment.leavers):
                where[depth] = where[depth - 1]
            thinker = agent


def _hear(
    where: list[int | None], convinced: list[set[int]], moment: Moment, chain: tuple[int, ...], reading: str | None
) -> None:
    """Let the minds believe a claim or not."""
    claim = moment.claim
    trusting = claim.exiting_before if reading == LAST_EXIT else claim.trusting
    thinker = None
    for depth, agent in enumerate(chain, 1):
        if agent not in claim.audience:
            break
        judge = thinker if agent == claim.speaker else agent
        believes = judge in trusting and not (judge == chain[0] and judge in moment.watchers)
        if agent != claim.speaker:
            believes |= claim.speaker in (chain[: depth - 1] if reading == SPEAKER else (thinker,))
        if believes and not (reading == OUTRANKED and convinced[depth] & claim.later):
            where[depth] = claim.container
            for deeper in range(depth, len(chain)) if reading == LONGER else ():
                if chain[deeper] not in claim.later:
                    break
                where[deeper + 1] = claim.container
        if believes:
            convinced[depth].add(claim.speaker)
        thinker = agent
