"""Own the dataset mindgames: its configs, its features, its splits, and how a block of problems becomes rows.

What a problem is, means and sounds like is in `builders`. Works as a builder (`MindGames(config_name="forehead")`), as
a loading script with datasets 3.6, and as the source of the folder that `make build` writes.
"""

from dataclasses import dataclass

from builders.difficulty.columns import EMBEDDED
from builders.logic.drawing import N_AGENTS, ORDERS
from builders.logic.formula import SETUPS
from builders.streams import check_seed
from builders.voice import voice

SPLITS = ("train", "validation", "test", "probe")


CHECKERS = ("auto", "smcdel", "embedded", "both")


FAMILIES = ("blocks", "scale", "reproduction")


MOST = 1_000_000
"""Up to so many blocks of a setup a split may have: `index` counts them."""


@dataclass
class ProblemConfig:
    """Choose what mindgames holds; every row is a function of these fields, the split and the index.

    seed: an integer. language: a folder under templates/. setup: the one setup to keep, None for all four. n_agents:
    the numbers of agents, from 2 to 12; blocks have n of them in proportion to n - 1. max_order: the highest order of a
    hypothesis. checker: what labels: "smcdel" (the program), "embedded", "both" (which must agree), or "auto" (the
    program where there is one). train, validation, test, probe: blocks of four problems in each setup and split, None
    or 0 for no such split; in `reproduction`, which has one split, single problems. `probe` is what the difficulty
    model is trained on. scorer: the probe that fills deberta_*: "embedded", the folder of another, or None for none.
    """

    name: str = "all"
    seed: int = 0
    language: str = "en"
    setup: str | None = None
    n_agents: tuple[int, ...] = (2, 3, 4)
    max_order: int = 2
    checker: str = "auto"
    train: int | None = 700
    validation: int | None = 234
    test: int | None = 234
    probe: int | None = None
    scorer: str | None = EMBEDDED

    @property
    def family(self) -> str:
        """Return which problems these are: blocks, scale (blocks with more agents) or reproduction (not in blocks)."""
        return self.name if self.name in FAMILIES else FAMILIES[0]

    @property
    def setups(self) -> tuple[str, ...]:
        """Return the setups that there are."""
        return (self.setup,) if self.setup else SETUPS

    def sizes(self) -> dict[str, int]:
        """Return the blocks (in reproduction the problems) of each setup in each split that there is."""
        sizes = {split: getattr(self, split) for split in SPLITS}
        return {split: size for split, size in sizes.items() if size not in (None, 0) or isinstance(size, bool)}

    def validate(self) -> None:
        """Raise ValueError, in one line that says what would be right, for fields that cannot be."""

        def whole(value) -> bool:
            return isinstance(value, int) and not isinstance(value, bool)

        check_seed(self.seed)
        voice(self.language)
        if self.setup is not None and self.setup not in SETUPS:
            raise ValueError(f"unknown setup {self.setup!r}; the setups are {', '.join(SETUPS)}")
        if not isinstance(self.n_agents, (tuple, list)) or not self.n_agents:
            raise ValueError(f"n_agents is {self.n_agents!r}; it must be numbers of agents, such as (2, 3, 4)")
        if any(not whole(n) or n not in N_AGENTS for n in self.n_agents):
            raise ValueError(f"n_agents is {self.n_agents!r}; each must be from {N_AGENTS[0]} to {N_AGENTS[-1]}")
        if list(self.n_agents) != sorted(set(self.n_agents)):
            raise ValueError(f"n_agents is {self.n_agents!r}; they must be different and in ascending order")
        if not whole(self.max_order) or self.max_order not in ORDERS:
            raise ValueError(f"max_order is {self.max_order!r}; it must be from {ORDERS[0]} to {ORDERS[-1]}")
        if self.checker not in CHECKERS:
            raise ValueError(f"unknown checker {self.checker!r}; there are {', '.join(CHECKERS)}")
        what = "problems" if self.family == "reproduction" else "blocks of four"
        for split, size in self.sizes().items():
            if not whole(size) or not 0 < size <= MOST:
                raise ValueError(f"{split} is {size!r} {what}; it must be from 1 to {MOST:,}")
            if self.family == "reproduction" and size % 2:
                raise ValueError(f"{split} is {size} problems; it must be even, as half of them are entailed")
        if not self.sizes():
            raise ValueError(f"{', '.join(SPLITS)} are all None or 0; at least one must be a number of {what}")
        if self.family == "reproduction" and set(self.sizes()) not in ({"test"}, {"probe"}):
            raise ValueError("reproduction has a test split only; leave train and validation None")


ALL = ProblemConfig(name="all")
EACH = tuple(ProblemConfig(name=setup, setup=setup) for setup in SETUPS)
SCALE = ProblemConfig(name="scale", n_agents=(5, 6, 7, 8, 9, 10), train=None, validation=None, test=120)
REPRODUCTION = ProblemConfig(name="reproduction", n_agents=(2, 3), train=None, validation=None, test=400)
