"""Woven stories, whose lines name containers by what somebody thinks: rungs of questions that take more and more steps.

All rungs are alike but for the steps (`naming.hops_of`), so that what a reader gets right says how far it gets.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from ..columns import Row
from ..errors import limits
from ..splits import is_integer
from ..streams import Stream
from .family import DrawnStory, Family
from .weaving import KINDS, LONGEST, WovenSize, sample_woven


class WovenRung(NamedTuple):
    """Say what the stories of a rung are like."""

    hops: int  # how many steps the answer of the question takes
    order: int  # of the question
    n_agents: int  # agents of a story


# The rungs as published, lowest first.
WOVEN_RUNGS = tuple(WovenRung(hops, 2, 5) for hops in (1, 2, 4, 8, 16, 32, 64))

HOPS, ORDERS, AGENTS = range(1, 129), range(1, LONGEST + 1), range(5, 9)  # what a rung may have
N_CONTAINERS = 8  # in the room of a woven story, all of them choices
TRAINED = 8  # the most hops of a question in train and validation
# Up to so many hops, what teaches the chain of the question is settled; the other steps of a longer path are balanced.
SHORT = 2


def of_split(config: Any, split: str) -> Any:
    """Return the config as a split has it: of the published rungs, those up to TRAINED are trained on."""
    if split == "test" or config.rungs != WOVEN_RUNGS:
        return config
    return replace(config, rungs=tuple(rung for rung in WOVEN_RUNGS if rung.hops <= TRAINED))


def plan(config: Any, stream: Stream, n_stories: int) -> list[tuple[tuple[int, str | None], dict[int, int]]]:
    """Draw of all stories of a split the number of the rung and what teaches the question, and the letters of answers.

    Stories take the rungs in turn, and letters come in equal shares within each.
    """
    numbers = [1 + index % len(config.rungs) for index in range(n_stories)]
    letters = {number: iter(stream.shuffled(range(numbers.count(number)))) for number in sorted({*numbers})}
    kinds = {number: stream.shuffled(KINDS) for number in letters}
    planned = []
    for number in numbers:
        hops, order, _ = config.rungs[number - 1]
        letter = next(letters[number])
        # Letters and kinds have no common rhythm: a letter is the remainder by the number of choices.
        kind = kinds[number][letter // N_CONTAINERS % len(KINDS)] if hops <= SHORT else None
        planned.append(((number, kind), {order: letter}))
    return planned


def draw(config: Any, target: tuple[int, str | None], stream: Stream) -> DrawnStory:
    """Draw a story on the rung of a number."""
    number, kind = target
    hops, order, n_agents = config.rungs[number - 1]
    story, chain, n_chapters = sample_woven(stream, WovenSize(hops, order, n_agents, N_CONTAINERS, kind))
    return DrawnStory(story, chain, [order], True, n_agents, n_chapters, 2, 1, N_CONTAINERS, number)


def shape(row: Row) -> list[int]:
    """Return the rung that a row is on, from its columns."""
    return [row["hops"], row["order"], row["n_agents"]]


def check(config: Any) -> None:
    """Raise ValueError where a config has no rungs, or a rung that no story can be on."""
    for number, rung in enumerate(config.rungs, 1):
        wrong = f"rung {number} is {rung!r}"
        if len(rung) != len(WovenRung._fields) or not all(map(is_integer, rung)):
            raise ValueError(f"{wrong}; it must be three integers: (hops, order, agents)")
        for name, value, allowed in zip(("hops", "an order", "agents"), rung, (HOPS, ORDERS, AGENTS), strict=True):
            if value not in allowed:
                raise ValueError(f"{wrong}; it must have {name} from {limits(allowed)}")
    if not config.rungs:
        raise ValueError("rungs is empty; it must have one rung or more")
    hops = [rung[0] for rung in config.rungs]
    if hops != sorted(hops):
        raise ValueError(f"rungs have {', '.join(map(str, hops))} hops; they must come with the fewest hops first")


WOVEN = Family(
    plan,
    draw,
    ("language", "rungs", "explanations"),
    casts=7,
    single=True,
    watched=True,
    check=check,
    searched=True,
    of_split=of_split,
    shape=shape,
    hops=True,
)
