"""The configs of hi_tom: what can be chosen, what is allowed, and the configs that are published."""

from dataclasses import dataclass

from ..columns import EMBEDDED
from ..splits import EXPLAINED, SPLITS, check_explanations, is_integer, split_sizes
from ..streams import check_seed
from ..wording.stories import voice
from .ladder import RUNGS, Rung
from .meaning import SEMANTICS, unknown_semantics

FAMILIES = ("chapters", "tomh", "reproduction", "deep", "ladder")
"""The kinds of stories: Hi-ToM balanced, ToMH, Hi-ToM unbalanced as published, deep stories, and these by rungs."""


WATCHED = ("deep", "ladder")
"""The kinds of stories that have watchers, and so nothing under the semantics `published`."""


AGENTS = range(2, 13)
"""How many agents a story may have."""


CAST_SHARES = 24
"""Shares in which casts are dealt out, one to each (family, split), so that no two stories of one seed share a cast."""


CLAIMS = ((False, True), (False,), (True,))
"""Whether agents of stories make claims: in half of them, in none, or in all."""


CLAIMS_GIVEN = ("tomh", *WATCHED)
"""The kinds of stories that have no claims by definition, or always some."""


LENGTHS = {False: range(1, 5), True: range(2, 7)}
"""How many chapters a story may have; True: a deep story."""


KNOBS = {
    "chapters": ("language", "semantics", "n_agents", "lengths", "claims", "max_order", "order", "explanations"),
    "tomh": ("language", "explanations"),
    "reproduction": ("language", "semantics", "n_agents", "lengths", "claims", "max_order", "order", "explanations"),
    "deep": ("language", "n_agents", "lengths", "max_order", "order", "explanations"),
    "ladder": ("language", "rungs", "explanations"),
}
"""The fields that stories of each kind depend on, besides seed, sizes and scorer."""


def order_name(order: int) -> str:
    """Return the config name of an order: 0th_order, 1st_order, 2nd_order, …"""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(order, "th")
    return f"{order}{suffix}_order"


@dataclass
class StoryConfig:
    """Choose what hi_tom holds: every row is a function of these fields, the split and the index.

    Questions ask every order from 0 to the highest, unless `order` keeps only one. ToMH has cells of its own (order,
    agents, chapters) and reads only seed, language, sizes and scorer; the ladder reads these and its rungs. Deep
    stories have two chapters or more, an order above 0, and the semantics `recursive`. An order above 4, or near
    n_agents, takes longer to draw. In `deep` a question needs at most seven agents of its chain: there are eight
    containers.
    """

    name: str = "all"  # which config it is: one of FAMILIES, or any other name for the family chapters
    seed: int = 0  # an integer of 64 bits
    language: str = "en"  # a folder under templates/
    semantics: str = "recursive"  # how claims reach beliefs about beliefs: see builders/story/meaning.py
    n_agents: int = 5  # agents in a story, 2 to 12
    lengths: tuple[int, ...] = (1, 2, 3)  # how many chapters stories have, each from 1 to 4, in deep stories 2 to 6
    claims: tuple[bool, ...] = (False, True)  # whether agents make claims, in equal shares; in deep stories they do
    max_order: int = 4  # the highest order asked, at most n_agents (workshop paper, Theorem C.5)
    order: int | None = None  # the only order whose rows are kept, or None for all orders
    rungs: tuple[Rung, ...] = RUNGS  # of the ladder: (order, agents, chapters, containers) of each rung, lowest first
    train: int | None = 2400  # stories in the train split; None or 0 for no such split
    validation: int | None = 240  # the same for validation
    test: int | None = 480  # the same for test
    probe: int | None = None  # the same for probe
    explanations: tuple[str, ...] = EXPLAINED  # the splits whose rows say why their answer is right
    scorer: str | None = EMBEDDED  # fills deberta_*: "embedded", the folder of a probe, or None or "none" for nothing

    @property
    def family(self) -> str:
        """Return the kind of stories, one of FAMILIES."""
        return self.name if self.name in FAMILIES else FAMILIES[0]

    @property
    def depth(self) -> int:
        """Return the length of the longest chain that is asked about."""
        if self.family == "ladder":
            return max(rung[0] for rung in self.rungs)
        return max(self.max_order, self.order or 0)

    @property
    def knobs(self) -> tuple[str, ...]:
        """Return the fields that the rows depend on, besides seed, sizes and scorer."""
        return tuple(name for name in KNOBS[self.family] if name != "max_order" or self.order is None)

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
        listed = isinstance(self.lengths, (tuple, list)) and self.lengths
        if not listed or any(length not in LENGTHS[self.family == "deep"] for length in self.lengths):
            kind, allowed = ("deep " if self.family == "deep" else ""), LENGTHS[self.family == "deep"]
            raise ValueError(f"lengths is {self.lengths!r}; {kind}stories have {allowed[0]} to {allowed[-1]} chapters")
        if self.claims not in (*CLAIMS, *map(list, CLAIMS)):
            raise ValueError(f"claims is {self.claims!r}; it must be (False, True), (False,) or (True,)")
        if self.family in CLAIMS_GIVEN and len(self.claims) == 1:
            raise ValueError(f"claims is {self.claims!r}; stories of {self.family} leave no choice: drop the field")
        for name, order in (("max_order", self.max_order), ("order", 0 if self.order is None else self.order)):
            if not is_integer(order) or order < 0:
                raise ValueError(f"{name} is {order!r}; an order is 0 or above")
        if self.family in WATCHED and self.semantics != "recursive":
            raise ValueError(
                f"semantics is {self.semantics!r}; {self.family} stories have watchers, which only 'recursive' has"
            )
        if self.family == "ladder":
            self._validate_rungs()
        elif self.family == "deep" and self.depth == 0:
            raise ValueError(
                f"max_order is {self.max_order!r}; deep stories are asked about one agent or more: raise it, or "
                "leave out every split of deep"
            )
        elif self.depth > self.n_agents:
            raise ValueError(
                f"order {self.depth} needs {self.depth} agents and there are {self.n_agents}: with fewer, the question "
                "asks what a lower order asks (Theorem C.5 of the workshop paper); raise n_agents or lower the order"
            )
        check_explanations(self.explanations)
        most = voice(self.language).casts() // CAST_SHARES
        for split, size in self.sizes().items():
            if not is_integer(size) or not 0 < size <= most:
                raise ValueError(f"{split} is {size!r} stories; it must be from 1 to {most:,}, or 0 for none")
        if not self.sizes():
            raise ValueError(f"{', '.join(SPLITS[:3])} are all None or 0; at least one must be a number of stories")

    def _validate_rungs(self) -> None:
        """Raise ValueError for a rung that no story can be on."""
        most = voice(self.language).containers()
        for number, rung in enumerate(self.rungs, 1):
            where = f"rung {number} is {rung!r}"
            if len(rung) != len(Rung._fields) or not all(map(is_integer, rung)):
                raise ValueError(f"{where}; a rung is (order, agents, chapters, containers), four integers")
            order, n_agents, n_chapters, n_containers = rung
            if n_agents not in AGENTS or not 1 <= order <= n_agents:
                raise ValueError(
                    f"{where}; it must have {AGENTS[0]} to {AGENTS[-1]} agents, and an order from 1 to that"
                )
            if n_chapters not in LENGTHS[True]:
                raise ValueError(f"{where}; it must have {LENGTHS[True][0]} to {LENGTHS[True][-1]} chapters")
            if not order < n_containers <= most:
                raise ValueError(f"{where}; it must have more containers than its order, and at most {most}")
        if not self.rungs:
            raise ValueError("rungs is empty; a ladder has one rung or more")


ORDERS = tuple(StoryConfig(name=order_name(order), order=order) for order in range(5))
"""0th_order … 4th_order: the rows of `all` of one order."""


ALL = StoryConfig(name="all")
"""Hi-ToM, balanced, at all orders: the default."""


TOMH = StoryConfig(name="tomh", train=None, validation=None, test=1800)
"""ToMH, in the cells of the workshop paper's Table 1."""


REPRODUCTION = StoryConfig(name="reproduction", semantics="published", train=None, validation=None, test=120)
"""Hi-ToM as published: its exact mix of stories, not balanced, labelled by the released generator's rules."""


DEEP = StoryConfig(name="deep", lengths=(2, 3), scorer=None)
"""Deep stories, whose questions need all agents of their chain; the embedded probe has learnt none."""


LADDER = StoryConfig(name="ladder", train=None, validation=None, test=600, scorer=None)
"""Deep stories in six rungs of 100, from order 1 to order 6."""


CONFIGS = (ALL, *ORDERS, TOMH, REPRODUCTION, DEEP, LADDER)
"""All configs that are published."""
