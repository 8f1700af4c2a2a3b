"""The configs of mindgames: their fields, their defaults, and what their values may be."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..columns import Row
from ..configs import FamilyConfig, all_spoken, option
from ..errors import Fault, refuse
from ..splits import EXPLAINED, in_language_of, is_integer
from ..syntax.formula import SETUPS
from ..wording.languages import languages
from ..wording.problems import voice
from .blocks import plan_blocks
from .drawing import N_AGENTS, ORDERS
from .reproduction import plan_reproduction
from .utterances import KINDS

# Who labels: the program SMCDEL, the embedded checker, both, which must agree, or the program where there is one.
CHECKERS = ("auto", "smcdel", "embedded", "both")


class Family(NamedTuple):
    """Say what the problems of a family depend on, and how those of a setup are planned."""

    number: int  # a number of its own below 100, by which `rows.row_number` numbers rows; it never changes
    knobs: tuple[str, ...]  # fields that rows depend on, besides seed, sizes, checker and scorer
    plan: Callable[[Any, str], dict[str, list]] | None = None  # of a config and setup: units by split; None: by chunks
    single: bool = False  # whether problems stand alone, not in blocks of four


COMMON = ("language", "setup", "n_agents", "max_order", "explanations")
# The families by their names: blocks, the same of more agents, single problems, order blocks, and these by rungs.
#
# A config with another name than these has problems of `blocks`.
FAMILIES = {
    "blocks": Family(0, COMMON, plan_blocks),
    "scale": Family(1, COMMON, plan_blocks),
    "reproduction": Family(2, COMMON, plan_reproduction, single=True),
    "deep": Family(3, ("language", "setup", "n_agents", "max_order", "n_announcements", "kinds", "explanations")),
    "ladder": Family(4, ("language", "setup", "kinds", "rungs", "explanations")),
}

# The families whose blocks are order blocks: both premises announce the same in another order.
ORDERED = tuple(name for name, family in FAMILIES.items() if family.plan is None)

# The setups of order blocks: where everybody sees everything, no order matters.
ORDERED_SETUPS = tuple(setup for setup in SETUPS if setup != "forehead_mirror")

LENGTHS = range(2, 13)  # how many announcements after the first a premise of an order block may have

# What the blocks of a rung are like: agents, announcements after the first, and the order of their hypotheses.
Rung = tuple[int, int, int]

RUNGS = ((3, 3, 1), (4, 4, 2), (4, 5, 2), (5, 6, 3), (5, 7, 3), (6, 8, 4))  # the rungs of `ladder`, from below

ENGLISH_ONLY = ("scale", "reproduction")  # the families that are in no other language

# The most blocks, or single problems, of a setup in a split: the column `index` counts in steps of this size.
MOST_BLOCKS = 1_000_000


@dataclass
class ProblemConfig(FamilyConfig):
    """Choose what mindgames holds; every row is a function of these fields, the split and the index."""

    FAMILIES, ENGLISH_ONLY = FAMILIES, ENGLISH_ONLY

    # None: all, in order blocks ORDERED_SETUPS.
    setup: str | None = option(None, "the one setup to keep", choices=SETUPS)
    n_agents: tuple[int, ...] = option((2, 3, 4), "the numbers of agents, from 2 to 12, ascending")  # shares as n - 1
    max_order: int = option(2, "the highest order of a hypothesis, from 1 to 12")
    n_announcements: tuple[int, ...] = option((3, 4), "how many announcements follow the first, in equal shares")
    kinds: tuple[str, ...] = option(
        ("facts", "counts", "first", "second", "showings", "rounds"), f"what is announced, of {','.join(KINDS)}"
    )
    rungs: tuple[Rung, ...] = option(RUNGS, "(agents, announcements after the first, order) of each rung, lowest first")
    checker: str = option(
        "auto", "who labels: auto is SMCDEL where it is installed, else the embedded checker", choices=CHECKERS
    )
    train: int | None = 700  # blocks of each setup (in reproduction: problems); None or 0 for no such split
    validation: int | None = 234  # the same for this split
    test: int | None = 234  # the same for this split
    explanations: tuple[str, ...] = option(EXPLAINED, "the splits whose rows say why their label is right")

    @property
    def setups(self) -> tuple[str, ...]:
        """Return the setups of the config's problems."""
        if self.setup:
            return (self.setup,)
        return ORDERED_SETUPS if self.family in ORDERED else SETUPS

    @property
    def knobs(self) -> tuple[str, ...]:
        """Return the fields that the rows depend on, besides seed, sizes, checker and scorer."""
        return FAMILIES[self.family].knobs

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the setups of `all`: configs whose files hold its rows. Another config has files of its own."""
        return tuple(in_language_of(setup, self.name) for setup in self.setups) if self.family == "blocks" else ()

    def part_of(self, row: Row) -> str:
        """Return the config whose files hold a row."""
        return in_language_of(row["setup"], self.name) if self.family == "blocks" else self.name

    @property
    def units(self) -> str:
        """Return what the sizes count."""
        return f"{'problems' if FAMILIES[self.family].single else 'blocks'} of each setup"

    def block_name(self, setup: str, split: str, index: int) -> str:
        """Return the name of a block of a setup, given its number in the split."""
        return f"{self.prefix}{setup}-{split}-{index:06d}"

    def validate(self) -> None:
        """Raise ValueError for the first field with a wrong value, in one line that says what is right."""
        voice(self.language)  # raises it for an unknown language
        unit = "problems" if self.family == "reproduction" else "blocks of four"
        allowed = {"setups": SETUPS, "ordered": ORDERED_SETUPS, "checkers": CHECKERS, "kinds": KINDS}
        limits = {"n_agents": N_AGENTS, "orders": ORDERS, "lengths": LENGTHS, "most": MOST_BLOCKS}
        refuse(__file__, self._faults(MOST_BLOCKS), config=self, unit=unit, **allowed, **limits)

    def _faults(self, most: int) -> Iterator[Fault]:
        """Yield what may be wrong, in order."""
        yield from super()._faults(most)
        agents, sizes = self.n_agents, self.sizes()
        yield self.setup not in (None, *SETUPS), "setup", self.setup
        yield not isinstance(agents, (tuple, list)) or not agents, "agents", agents
        yield any(not is_integer(n) or n not in N_AGENTS for n in agents), "each_agents", agents
        yield list(agents) != sorted(set(agents)), "agents_order", agents
        yield not is_integer(self.max_order) or self.max_order not in ORDERS, "max_order", self.max_order
        if self.family in ORDERED:
            lengths, kinds = self.n_announcements, self.kinds
            yield self.setup not in (None, *ORDERED_SETUPS), "no_order", self.setup
            strange = not isinstance(lengths, (tuple, list)) or any(n not in LENGTHS for n in lengths)
            yield strange or not lengths, "announcements", lengths
            yield not isinstance(kinds, (tuple, list)) or any(kind not in KINDS for kind in kinds), "kinds", kinds
            yield not set(kinds) - {"showings"} or len(set(kinds)) < len(kinds), "kinds_once", kinds
            limits = N_AGENTS, LENGTHS, ORDERS
            for rung in self.rungs:
                wrong = len(rung) != 3 or any(n not in limit for n, limit in zip(rung, limits, strict=True))
                yield wrong, "rung", rung
            yield self.family == "ladder" and (not self.rungs or set(sizes) - {"test"}), "ladder", None
        yield self.checker not in CHECKERS, "checker", self.checker
        for it in sizes.items():
            yield self.family == "reproduction" and it[1] % 2, "odd", it
        yield self.family == "reproduction" and set(sizes) not in ({"test"}, {"probe"}), "reproduction", None


ALL = ProblemConfig(name="all")
SETUP_CONFIGS = tuple(ProblemConfig(name=setup, setup=setup) for setup in SETUPS)
SCALE = ProblemConfig(name="scale", n_agents=(5, 6, 7, 8, 9, 10), train=None, validation=None, test=120)
REPRODUCTION = ProblemConfig(name="reproduction", n_agents=(2, 3), train=None, validation=None, test=400)
DEEP = ProblemConfig(name="deep", n_agents=(3, 4, 5), max_order=3)
LADDER = ProblemConfig(name="ladder", train=None, validation=None, test=120)
# The configs of a build that are in other languages: the test problems of English, posed again.
SPOKEN = all_spoken(languages(), (ALL, DEEP, LADDER))
# All configs that are published.
CONFIGS = (ALL, *SETUP_CONFIGS, SCALE, REPRODUCTION, DEEP, LADDER, *SPOKEN, *all_spoken(languages(), SETUP_CONFIGS))
