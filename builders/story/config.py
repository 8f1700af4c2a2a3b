"""Own the dataset hi_tom: its configs, its features, its splits, and how a story becomes rows.

What a story is, means and sounds like is in `builders`. Works as a builder (`HiTom(config_name="4th_order")`), as a
loading script with datasets 3.6, and as the source of the folder that `make build` writes.
"""

from dataclasses import dataclass

from builders.difficulty.columns import EMBEDDED
from builders.story.meaning import SEMANTICS
from builders.streams import check_seed
from builders.voice import voice

SPLITS = ("train", "validation", "test", "probe")


FAMILIES = ("chapters", "tomh", "reproduction", "deep")


AGENTS = range(2, 13)
"""How many agents a story may have."""


CAST_SHARES = 16
"""Casts are dealt to (family, split) in turn, so that no two stories of one seed share one; all shares are taken."""


def order_name(order: int) -> str:
    """Return the config name of an order: 0th_order, 1st_order, 2nd_order, …"""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(order, "th")
    return f"{order}{suffix}_order"


@dataclass
class StoryConfig:
    """Choose what hi_tom holds; every row is a function of these fields, the split and the index.

    seed: an integer. language: a folder under templates/. semantics: how claims reach beliefs about beliefs,
    "recursive" or "published" (DESIGN: the four printed assumptions carried to every order, or the released
    generator). n_agents: 2 to 12. lengths: the chapters that stories have, of 1 to 4. max_order: the highest order
    asked, at most n_agents (workshop paper, Theorem C.5). order: the one order to keep, None for all of them.
    train, validation, test, probe: stories in each split, None or 0 for no such split; `probe` is what the difficulty
    model is trained on. scorer: the probe that fills deberta_*: "embedded", the folder of another, or None for none.
    ToMH has cells of its own (order, agents, chapters) and takes only seed, language, sizes and scorer. Deep stories
    have 2 chapters or more, an order above 0, and only the recursive semantics; an order above 4, or near n_agents,
    costs time, and is deep where it can be: never above 7, as there are eight containers.
    """

    name: str = "all"
    seed: int = 0
    language: str = "en"
    semantics: str = "recursive"
    n_agents: int = 5
    lengths: tuple[int, ...] = (1, 2, 3)
    max_order: int = 4
    order: int | None = None
    train: int | None = 2400
    validation: int | None = 240
    test: int | None = 480
    probe: int | None = None
    scorer: str | None = EMBEDDED

    @property
    def family(self) -> str:
        """Return which stories these are: chapters (Hi-ToM, balanced), reproduction (unbalanced), tomh or deep."""
        return self.name if self.name in FAMILIES else FAMILIES[0]

    @property
    def depth(self) -> int:
        """Return the length of the chain that all questions of a story are taken from."""
        return max(self.max_order, self.order or 0)

    def sizes(self) -> dict[str, int]:
        """Return the stories of each split that there is."""
        sizes = {split: getattr(self, split) for split in SPLITS}
        return {split: size for split, size in sizes.items() if size not in (None, 0) or isinstance(size, bool)}

    def validate(self) -> None:
        """Raise ValueError, in one line that says what would be right, for fields that cannot be."""

        def whole(value) -> bool:
            return isinstance(value, int) and not isinstance(value, bool)

        check_seed(self.seed)
        voice(self.language)
        if self.semantics not in SEMANTICS:
            raise ValueError(f"unknown semantics {self.semantics!r}; there are {', '.join(SEMANTICS)}")
        if not whole(self.n_agents) or self.n_agents not in AGENTS:
            raise ValueError(f"n_agents is {self.n_agents!r}; it must be from {AGENTS[0]} to {AGENTS[-1]}")
        if not self.lengths or any(length not in (1, 2, 3, 4) for length in self.lengths):
            raise ValueError(f"lengths is {self.lengths!r}; stories have 1, 2, 3 or 4 chapters")
        for name, order in (("max_order", self.max_order), ("order", 0 if self.order is None else self.order)):
            if not whole(order) or order < 0:
                raise ValueError(f"{name} is {order!r}; an order is 0 or above")
        if self.family == "deep":
            if self.semantics != "recursive":
                raise ValueError(
                    f"semantics is {self.semantics!r}; deep stories have watchers, which only 'recursive' has"
                )
            if self.depth == 0:
                raise ValueError(f"max_order is {self.max_order!r}; deep stories are asked about one agent or more")
            if 1 in self.lengths:
                raise ValueError(f"lengths is {self.lengths!r}; deep stories have 2, 3 or 4 chapters")
        if self.depth > self.n_agents:
            raise ValueError(
                f"order {self.depth} needs {self.depth} agents and there are {self.n_agents}: with fewer, the question "
                "asks what a lower order asks (Theorem C.5 of the workshop paper); raise n_agents or lower the order"
            )
        most = voice(self.language).casts() // CAST_SHARES
        for split, size in self.sizes().items():
            if not whole(size) or not 0 < size <= most:
                raise ValueError(f"{split} is {size!r} stories; it must be from 1 to {most:,}")
        if not self.sizes():
            raise ValueError(f"{', '.join(SPLITS)} are all None or 0; at least one must be a number of stories")


ORDERS = tuple(StoryConfig(name=order_name(order), order=order) for order in range(5))
ALL = StoryConfig(name="all")
TOMH = StoryConfig(name="tomh", train=None, validation=None, test=1800)
REPRODUCTION = StoryConfig(name="reproduction", semantics="published", train=None, validation=None, test=120)
DEEP = StoryConfig(name="deep", lengths=(2, 3))
