"""The other readings of a story, a second time: what each mind on the way to a chain believes, line after line.

`story.readings` looks back from the last line, for all subchains of a chain at once. Here a table holds where
the thing really is, where A1 thinks it is, where A1 thinks A2 thinks it is, and so on. Each line changes the table as
docs/readings.md says. The two share no code beyond the syntax.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

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
    table = _Table(chain, reading, [None] * (len(chain) + 1))
    began, placed = None, False
    for moment in told:
        if moment.began != began:
            began, table.convinced = moment.began, [set() for _ in table.where]
        if moment.claim:
            table.hear(moment)
        elif isinstance(moment.event, Watch):
            if reading == PRESENT and chain[:1] == (moment.event.agent,):
                table.see(moment, chain[:1])
        else:
            again = placed and isinstance(moment.event, Place)
            table.see(moment, () if again and reading == PLACED else moment.watchers)
            placed = True
            if isinstance(moment.event, Enter):
                table.suppose(moment)
    return table.where[-1]


@dataclass(slots=True)
class _Table:
    """Hold what each mind on the way to a chain believes, reality first."""

    chain: tuple[int, ...]
    reading: str | None
    where: list[int | None]  # where each mind takes the thing to be
    convinced: list[set[int]] = field(default_factory=list)  # by the claims of which speakers of the chapter it is so

    def see(self, moment: Moment, watchers: Collection[int]) -> None:
        """Let the minds see where the thing is: those inside all know of one another, and nobody knows of a watcher."""
        self.where[0] = moment.container
        for depth, agent in enumerate(self.chain, 1):
            if agent not in moment.inside and (depth > 1 or agent not in watchers):
                break
            self.where[depth] = moment.container

    def suppose(self, moment: Moment) -> None:
        """Let each mind suppose, at an Enter, what the next one has seen or has known since leaving."""
        if self.reading == LAST_LEAVER:
            for depth, (agent, other) in enumerate(pairwise(self.chain), 1):
                if agent not in moment.inside:
                    break
                if agent in moment.back and other in moment.leavers:
                    self.where[depth + 1] = self.where[depth]
        elif self.reading in (VISIT, BOTH):
            for depth, (thinker, agent) in enumerate(pairwise((None, *self.chain)), 1):
                told = self.reading == BOTH and thinker in moment.back and agent in moment.leavers
                if agent in moment.inside or told:
                    self.where[depth] = self.where[depth - 1]

    def hear(self, moment: Moment) -> None:
        """Let the minds believe a claim or not."""
        claim, chain, reading = moment.claim, self.chain, self.reading
        trusting = claim.exiting_before if reading == LAST_EXIT else claim.trusting
        for depth, (thinker, agent) in enumerate(pairwise((None, *chain)), 1):
            if agent not in claim.audience:
                break
            judge = thinker if agent == claim.speaker else agent
            believes = judge in trusting and not (judge == chain[0] and judge in moment.watchers)
            if agent != claim.speaker:
                believes |= claim.speaker in (chain[: depth - 1] if reading == SPEAKER else (thinker,))
            if believes and not (reading == OUTRANKED and self.convinced[depth] & claim.later):
                self.where[depth] = claim.container
                for deeper in range(depth, len(chain)) if reading == LONGER else ():
                    if chain[deeper] not in claim.later:
                        break
                    self.where[deeper + 1] = claim.container
            if believes:
                self.convinced[depth].add(claim.speaker)
