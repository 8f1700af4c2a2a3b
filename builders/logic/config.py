"""The configs of mindgames: their fields, their defaults, and what their values may be."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from ..columns import Row
from ..configs import FamilyConfig, all_spoken, option
from ..errors import limits
from ..splits import EXPLAINED, in_language_of, is_integer
from ..syntax.formula import SETUPS
from ..syntax.rounds import MARKS
from ..wording.languages import languages
from ..wording.problems import voice
from . import rounds_drawing
from .blocks import Block, plan_blocks
from .claims import Claim, Premise
from .drawing import N_AGENTS, ORDERS
from .reproduction import plan_reproduction
from .setups import ORDERED_SETUPS
from .utterances import KINDS

# Who labels: the program SMCDEL, the embedded checker, both, which must agree, or the program where there is one.
CHECKERS = ("auto", "smcdel", "embedded", "both")


# A block, of puzzles in `rounds`; in `reproduction` the premise and the hypothesis of a problem.
Planned = Block | rounds_drawing.Block | tuple[Premise, Claim]
Plan = Mapping[str, Sequence[Planned]]  # by split what is planned, in the order of its indices


class Family(NamedTuple):
    """Say what the problems of a family depend on, and how those of a setup are planned."""

    number: int  # a number of its own below 100, by which `rows.row_number` numbers rows; it never changes
    knobs: tuple[str, ...]  # fields that rows depend on, besides seed, sizes, checker and scorer
    plan: Callable[[Any, str], Plan] | None = None  # of a config and setup; None: by chunks
    single: bool = False  # whether problems stand alone, not in blocks of four
    # Draws the blocks of a config, setup and split one after another, where they are puzzles in rounds.
    puzzles: Callable[[Any, str, str], Iterator[rounds_drawing.Block]] | None = None


COMMON = ("language", "setup", "n_agents", "max_order", "explanations")
# The families by their names: blocks, the same of more agents, single problems, order blocks, and these by rungs.
#
# A config with another name than these has problems of `blocks`.
FAMILIES = {
    "blocks": Family(0, COMMON, plan_blocks),
    "scale": Family(1, COMMON, partial(plan_blocks, scale=True)),
    "reproduction": Family(2, COMMON, plan_reproduction, single=True),
    "deep": Family(3, ("language", "setup", "n_agents", "max_order", "n_announcements", "kinds", "explanations")),
    "ladder": Family(4, ("language", "setup", "kinds", "rungs", "explanations")),
    "rounds": Family(5, ("language", "setup", "rungs", "explanations"), puzzles=rounds_drawing.round_blocks),
}

# The families whose blocks are order blocks: both premises announce the same in another order.
ORDERED = tuple(name for name, family in FAMILIES.items() if family.plan is None and family.puzzles is None)

LENGTHS = range(2, 13)  # how many announcements after the first a premise of an order block may have

# What the blocks of a rung are like: agents, announcements after the first, and the order of their hypotheses; in
# `rounds` persons, the latest round of a first yes, and the fewest worlds at the start.
Rung = tuple[int, int, int]

RUNGS = ((3, 3, 1), (4, 4, 2), (4, 5, 2), (5, 6, 3), (5, 7, 3), (6, 8, 4))  # the rungs of `ladder`, from below

ENGLISH_ONLY = ("scale", "reproduction")  # the families that are in no other language

# The most blocks, or single problems, of a setup in a split: the column `index` counts in steps of this size.
MOST_BLOCKS = 1_000_000


@dataclass
class ProblemConfig(FamilyConfig):
    """Choose what mindgames holds; every row is a function of these fields, the split and the index."""

    FAMILIES, ENGLISH_ONLY, WORLDLESS = FAMILIES, ENGLISH_ONLY, ENGLISH_ONLY

    # None: all, in order blocks ORDERED_SETUPS.
    setup: str | None = option(None, "keep only this setup", choices=(*SETUPS, *MARKS))
    n_agents: tuple[int, ...] = option((2, 3, 4), "the numbers of agents, from 2 to 12, ascending")  # shares as n - 1
    max_order: int = option(2, "the highest order of a hypothesis, from 1 to 12")
    n_announcements: tuple[int, ...] = option((3, 4), "how many announcements follow the first, in equal shares")
    kinds: tuple[str, ...] = option(
        ("facts", "counts", "first", "second", "showings", "rounds"), f"what is announced: some of {','.join(KINDS)}"
    )
    rungs: tuple[Rung, ...] = option(
        RUNGS,
        "(agents, announcements after the first, order) of each rung, lowest first; in rounds (persons, latest round "
        "of a first yes, fewest worlds at the start)",
    )
    checker: str = option(
        "auto", "what decides labels: auto is SMCDEL if it is installed, else the embedded checker", choices=CHECKERS
    )
    train: int | None = 700  # blocks of each setup (in reproduction: problems); None or 0 for no such split
    validation: int | None = 234  # the same for this split
    test: int | None = 234  # the same for this split
    explanations: tuple[str, ...] = option(EXPLAINED, "the splits whose rows say why their label is right")

    @property
    def is_single(self) -> bool:
        """Return whether problems stand alone, not in blocks of four."""
        return FAMILIES[self.family].single

    @property
    def has_rungs(self) -> bool:
        """Return whether blocks take the rungs in turn."""
        return "rungs" in self.knobs

    @property
    def in_rounds(self) -> bool:
        """Return whether problems are puzzles in rounds."""
        return FAMILIES[self.family].puzzles is not None

    @property
    def begins_alike(self) -> bool:
        """Return whether splits of all sizes begin with the same: such blocks are drawn one after another."""
        return FAMILIES[self.family].plan is None

    @property
    def setups(self) -> tuple[str, ...]:
        """Return the setups of the config's problems."""
        if self.setup:
            return (self.setup,)
        return setups_of(self.family)

    @property
    def knobs(self) -> tuple[str, ...]:
        """Return the fields that the rows depend on, besides seed, sizes, checker and scorer."""
        return FAMILIES[self.family].knobs

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the setups of `all`: configs whose files hold its rows. Another config has files of its own."""
        return tuple(in_language_of(setup, self.name) for setup in self.setups) if not self.prefix else ()

    def part_of(self, row: Row) -> str:
        """Return the config whose files hold a row."""
        return in_language_of(row["setup"], self.name) if not self.prefix else self.name

    @property
    def units(self) -> str:
        """Return what the sizes count."""
        return f"{'problems' if self.is_single else 'blocks'} of each setup"

    def block_name(self, setup: str, split: str, index: int) -> str:
        """Return the name of a block of a setup, given its number in the split."""
        return f"{self.prefix}{setup}-{split}-{index:06d}"

    def validate(self) -> None:
        """Raise ValueError for the first field with a wrong value, in one line that says what is right."""
        voice(self.language)  # raises it for an unknown language
        self._check_common(MOST_BLOCKS, "problems" if self.is_single else "blocks of four")
        agents, sizes = self.n_agents, self.sizes()
        known = MARKS if self.in_rounds else SETUPS
        if self.setup not in (None, *known):
            raise ValueError(f"unknown setup {self.setup!r}; the setups are {', '.join(known)}")
        if not isinstance(agents, (tuple, list)) or not agents:
            raise ValueError(f"n_agents is {agents!r}; it must be numbers of agents, such as (2, 3, 4)")
        if any(not is_integer(n) or n not in N_AGENTS for n in agents):
            raise ValueError(f"n_agents is {agents!r}; each must be from {limits(N_AGENTS)}")
        if list(agents) != sorted(set(agents)):
            raise ValueError(f"n_agents is {agents!r}; they must be different and in ascending order")
        if not is_integer(self.max_order) or self.max_order not in ORDERS:
            raise ValueError(f"max_order is {self.max_order!r}; it must be from {limits(ORDERS)}")
        if self.family in ORDERED:
            self._check_ordered()
        if self.in_rounds:
            self._check_rounds()
        if self.checker not in CHECKERS:
            raise ValueError(f"unknown checker {self.checker!r}; the checkers are {', '.join(CHECKERS)}")
        for split, size in sizes.items():
            if self.is_single and size % 2:
                raise ValueError(f"{split} is {size} problems; it must be even, because half of them are entailed")
        if self.is_single and set(sizes) not in ({"test"}, {"probe"}):
            raise ValueError(f"{self.family} has a test split only; leave train and validation None")

    def _check_ordered(self) -> None:
        """Raise ValueError for a field of order blocks with a wrong value."""
        lengths, kinds = self.n_announcements, self.kinds
        if self.setup not in (None, *ORDERED_SETUPS):
            raise ValueError(
                f"{self.name} does not have {self.setup}, where the order never matters; it has "
                f"{', '.join(ORDERED_SETUPS)}"
            )
        if not isinstance(lengths, (tuple, list)) or any(n not in LENGTHS for n in lengths) or not lengths:
            raise ValueError(f"n_announcements is {lengths!r}; it must be numbers from {limits(LENGTHS)}")
        if not isinstance(kinds, (tuple, list)) or any(kind not in KINDS for kind in kinds):
            raise ValueError(f"kinds is {kinds!r}; the kinds of announcements are {', '.join(KINDS)}")
        if not set(kinds) - {"showings"} or len(set(kinds)) < len(kinds):
            raise ValueError(f"kinds is {kinds!r}; name each once, and at least one other than showings")
        allowed = N_AGENTS, LENGTHS, ORDERS
        for rung in self.rungs:
            if len(rung) != 3 or any(n not in numbers for n, numbers in zip(rung, allowed, strict=True)):
                raise ValueError(
                    f"a rung is {rung!r}; it must be a number of agents from {limits(N_AGENTS)}, of announcements from "
                    f"{limits(LENGTHS)}, and an order from {limits(ORDERS)}"
                )
        if self.has_rungs and (not self.rungs or set(self.sizes()) - {"test"}):
            raise ValueError(f"{self.family} needs rungs, and has a test split only; leave train and validation None")

    def _check_rounds(self) -> None:
        """Raise ValueError for a field of puzzles in rounds with a wrong value."""
        persons, rounds = rounds_drawing.PERSONS, rounds_drawing.ROUNDS
        for rung in self.rungs:
            if len(rung) != 3 or not all(map(is_integer, rung)) or rung[0] not in persons or rung[1] not in rounds:
                raise ValueError(
                    f"a rung is {rung!r}; it must be a number of persons from {limits(persons)}, the latest round of a "
                    f"first yes from {limits(rounds)}, and the fewest worlds at the start"
                )
            if len(rounds_drawing.all_counts(rung[0], rung[2])) < rounds_drawing.LEAST_LAWS:
                raise ValueError(
                    f"a rung is {rung!r}; {rung[0]} persons have at most {1 << rung[0]} worlds: ask for fewer"
                )
        if not self.rungs:
            raise ValueError(f"{self.family} needs rungs, such as {rounds_drawing.RUNGS[:1]}")


def setups_of(family: str) -> tuple[str, ...]:
    """Return the setups of the problems of a family."""
    if FAMILIES[family].puzzles:
        return MARKS
    return ORDERED_SETUPS if family in ORDERED else SETUPS


ALL = ProblemConfig(name="all")
SETUP_CONFIGS = tuple(ProblemConfig(name=setup, setup=setup) for setup in SETUPS)
SCALE = ProblemConfig(name="scale", n_agents=(5, 6, 7, 8, 9, 10), train=None, validation=None, test=120)
REPRODUCTION = ProblemConfig(name="reproduction", n_agents=(2, 3), train=None, validation=None, test=400)
DEEP = ProblemConfig(name="deep", n_agents=(3, 4, 5), max_order=3)
LADDER = ProblemConfig(name="ladder", train=None, validation=None, test=120)
ROUNDS = ProblemConfig(name="rounds", rungs=rounds_drawing.RUNGS, train=96, validation=48, test=96)
# The configs of a build that are in other languages: the test problems of English, posed again.
SPOKEN = all_spoken(languages("mindgames"), (ALL, DEEP, LADDER, ROUNDS))
# All configs that are published.
CONFIGS = (
    ALL,
    *SETUP_CONFIGS,
    SCALE,
    REPRODUCTION,
    DEEP,
    LADDER,
    ROUNDS,
    *SPOKEN,
    *all_spoken(languages("mindgames"), SETUP_CONFIGS),
)
