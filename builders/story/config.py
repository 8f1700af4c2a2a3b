"""Own the configs of hi_tom: what can be chosen, what is allowed, and the configs that are published."""

from dataclasses import dataclass

from builders.difficulty.columns import EMBEDDED
from builders.splits import SPLITS, is_integer, split_sizes
from builders.story.meaning import SEMANTICS, unknown_semantics
from builders.streams import check_seed
from builders.voice import voice

FAMILIES = ("chapters", "tomh", "reproduction", "deep")
"""The kinds of stories: Hi-ToM balanced, ToMH, Hi-ToM unbalanced as published, and deep stories."""


AGENTS = range(2, 13)
"""How many agents a story may have."""


CAST_SHARES = 16
"""Shares in which casts are dealt out, one to each (family, split), so that no two stories of one seed share a cast."""


def order_name(order: int) -> str:
    """Return the config name of an order: 0th_order, 1st_order, 2nd_order, …"""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(order, "th")
    return f"{order}{suffix}_order"


@dataclass
class StoryConfig:
    """Choose what hi_tom holds: every row is a function of these fields, the split and the index.

    Questions ask every order from 0 to the highest, unless `order` keeps only one. ToMH has cells of its own (order,
    agents, chapters) and reads only seed, language, sizes and scorer. Deep stories have two chapters or more, an order
    above 0, and the semantics `recursive`. An order above 4, or near n_agents, takes longer to draw. Deep questions
    need at most seven agents of their chain, as there are eight containers.
    """

    name: str = "all"  # which config it is: one of FAMILIES, or any other name for the family chapters
    seed: int = 0  # an integer of 64 bits
    language: str = "en"  # a folder under templates/
    semantics: str = "recursive"  # how claims reach beliefs about beliefs: see builders/story/meaning.py
    n_agents: int = 5  # agents in a story, 2 to 12
    lengths: tuple[int, ...] = (1, 2, 3)  # how many chapters stories have, each from 1 to 4
    max_order: int = 4  # the highest order asked, at most n_agents (workshop paper, Theorem C.5)
    order: int | None = None  # the only order whose rows are kept, or None for all orders
    train: int | None = 2400  # stories in the train split; None or 0 for no such split
    validation: int | None = 240  # the same for validation
    test: int | None = 480  # the same for test
    probe: int | None = None  # the same for probe
    scorer: str | None = EMBEDDED  # fills deberta_*: "embedded", the folder of a probe, or None or "none" for nothing

    @property
    def family(self) -> str:
        """Return the kind of stories, one of FAMILIES."""
        return self.name if self.name in FAMILIES else FAMILIES[0]

    @property
    def depth(self) -> int:
        """Return the length of the chain that all questions of a story are taken from."""
        return max(self.max_order, self.order or 0)

    def sizes(self) -> dict[str, int]:
        """Return the number of stories of each split that the config has."""
        return split_sizes(self)

    def validate(self) -> None:
        """Raise ValueError, in one line that says what would be right, for a field with a wrong value."""
        check_seed(self.seed)
        voice(self.language)
        if self.semantics not in SEMANTICS:
            raise unknown_semantics(self.semantics)
        if not is_integer(self.n_agents) or self.n_agents not in AGENTS:
            raise ValueError(f"n_agents is {self.n_agents!r}; it must be from {AGENTS[0]} to {AGENTS[-1]}")
        if not self.lengths or any(length not in (1, 2, 3, 4) for length in self.lengths):
            raise ValueError(f"lengths is {self.lengths!r}; stories have 1, 2, 3 or 4 chapters")
        for name, order in (("max_order", self.max_order), ("order", 0 if self.order is None else self.order)):
            if not is_integer(order) or order < 0:
                raise ValueError(f"{name} is {order!r}; an order is 0 or above")
        if self.family == "deep":
            self._validate_deep()
        if self.depth > self.n_agents:
            raise ValueError(
                f"order {self.depth} needs {self.depth} agents and there are {self.n_agents}: with fewer, the question "
                "asks what a lower order asks (Theorem C.5 of the workshop paper); raise n_agents or lower the order"
            )
        most = voice(self.language).casts() // CAST_SHARES
        for split, size in self.sizes().items():
            if not is_integer(size) or not 0 < size <= most:
                raise ValueError(f"{split} is {size!r} stories; it must be from 1 to {most:,}, or 0 for none")
        if not self.sizes():
            raise ValueError(f"{', '.join(SPLITS)} are all None or 0; at least one must be a number of stories")

    def _validate_deep(self) -> None:
        """Raise ValueError for what deep stories cannot have."""
        if self.semantics != "recursive":
            raise ValueError(f"semantics is {self.semantics!r}; deep stories have watchers, which only 'recursive' has")
        if self.depth == 0:
            raise ValueError(
                f"max_order is {self.max_order!r}; deep stories are asked about one agent or more: raise it, or "
                "leave out every split of deep"
            )
        if 1 in self.lengths:
            raise ValueError(f"lengths is {self.lengths!r}; deep stories have 2, 3 or 4 chapters")


ORDERS = tuple(StoryConfig(name=order_name(order), order=order) for order in range(5))
"""0th_order … 4th_order: the rows of `all` of one order."""


ALL = StoryConfig(name="all")
"""Hi-ToM, balanced, at all orders: the default."""


TOMH = StoryConfig(name="tomh", train=None, validation=None, test=1800)
"""ToMH, in the cells of the workshop paper's Table 1."""


REPRODUCTION = StoryConfig(name="reproduction", semantics="published", train=None, validation=None, test=120)
"""Hi-ToM as published: its exact mix of stories, not balanced, labelled by the released generator's rules."""


DEEP = StoryConfig(name="deep", lengths=(2, 3))
"""Deep stories, whose questions need all agents of their chain."""
