"""The configs of hi_tom: what can be chosen, what is allowed, and the configs that are published."""

from dataclasses import dataclass

from ..columns import Row
from ..configs import FamilyConfig, all_spoken, option
from ..errors import limits
from ..splits import EXPLAINED, in_language_of, is_integer
from ..wording.languages import languages
from ..wording.stories import voice
from . import chapters, deep, ladder, tomh, woven
from .abilities.family import ABILITIES as ABILITIES_FAMILY
from .abilities.kinds import KINDS
from .acting.plans import PLANS as PLANS_FAMILY
from .casts import MOST_STORIES
from .family import AGENTS, Family
from .ladder import RUNGS, Rung
from .meaning import SEMANTICS, check_semantics
from .woven import WOVEN_RUNGS, WovenRung

# The families of stories by their names. A config with another name than these has stories of `chapters`.
FAMILIES = {
    "chapters": chapters.BALANCED,
    "tomh": tomh.TOMH,
    "reproduction": chapters.REPRODUCTION,
    "deep": deep.DEEP,
    "ladder": ladder.LADDER,
    "abilities": ABILITIES_FAMILY,
    "plans": PLANS_FAMILY,
    "woven": woven.WOVEN,
}


def family_of(config: str) -> Family:
    """Return the family of the stories of a config, given its name without its language."""
    return FAMILIES.get(config, chapters.BALANCED)


ENGLISH_ONLY = ("tomh", "reproduction", "plans")  # the families that repeat what was published, and the game


WORLDLESS = (*ENGLISH_ONLY, "abilities")  # the families that are told in the house alone


SECRETS = ("links", "overhearing", "thoughts")  # the fields that only families with watchers have


# The families whose stories have watchers, and so nothing under the semantics `published`.
WATCHED = tuple(name for name, family in FAMILIES.items() if family.watched)


# Whether agents of stories make claims: in half of them, in none, or in all.
CLAIMS = ((False, True), (False,), (True,))


def order_name(order: int) -> str:
    """Return the config name of an order: 0th_order, 1st_order, 2nd_order, …"""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(order, "th")
    return f"{order}{suffix}_order"


@dataclass
class StoryConfig(FamilyConfig):
    """Choose what hi_tom holds: every row is a function of these fields, the split and the index.

    Questions ask every order from 0 to the highest, unless `order` keeps only one. ToMH has cells of its own (order,
    agents, chapters) and reads only seed, language, sizes and scorer; ladder and woven read these and their rungs. Deep
    stories have two chapters or more, an order above 0, and the semantics `recursive`. An order above 4, or near
    n_agents, takes longer to draw. In `deep` a question needs at most seven agents of its chain: there are eight
    containers.
    """

    FAMILIES, ENGLISH_ONLY, WORLDLESS = FAMILIES, ENGLISH_ONLY, WORLDLESS

    semantics: str = option("recursive", "how claims reach beliefs about beliefs", choices=SEMANTICS)
    n_agents: int = option(5, "agents in a story, 2 to 12")
    lengths: tuple[int, ...] = option((1, 2, 3), "chapters of a story, from 1 to 4 each, in deep stories 2 to 6")
    claims: tuple[bool, ...] = option((False, True), "whether agents make claims, in equal shares")
    max_order: int = option(4, "the highest order asked, at most the number of agents")  # workshop paper, Theorem C.5
    order: int | None = option(None, "keep only rows of this order")
    rungs: tuple[Rung | WovenRung, ...] = option(
        RUNGS, "(order, agents, chapters, containers) of each rung, lowest first; in woven (hops, order, agents)"
    )
    links: int | None = option(None, "at most how many hidden agents in a row notice the next one; 0 for none")
    overhearing: bool = option(True, "whether agents overhear private claims, true or false")
    thoughts: bool = option(True, "whether agents make claims about thoughts, true or false")
    kinds: tuple[str, ...] = option(tuple(KINDS), "the kinds of questions of abilities")
    train: int | None = 2400  # stories in the train split; None or 0 for no such split
    validation: int | None = 240  # the same for validation
    test: int | None = 480  # the same for test
    explanations: tuple[str, ...] = option(EXPLAINED, "the splits whose rows say why their answer is right")

    @property
    def depth(self) -> int:
        """Return the length of the longest chain that is asked about; ladder and woven have rungs for this."""
        return max(self.max_order, self.order or 0)

    @property
    def orders(self) -> list[int]:
        """Return the orders asked of each story, lowest first."""
        return list(range(self.depth + 1)) if self.order is None else [self.order]

    @property
    def knobs(self) -> tuple[str, ...]:
        """Return the fields that the rows depend on, besides seed, sizes and scorer."""
        return tuple(name for name in FAMILIES[self.family].knobs if name != "max_order" or self.order is None)

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the orders of `all`: configs whose files hold its rows. Another config has files of its own."""
        asked = range(self.depth + 1) if not self.prefix else ()
        return tuple(in_language_of(order_name(order), self.name) for order in asked)

    def part_of(self, row: Row) -> str:
        """Return the config whose files hold a row."""
        return in_language_of(order_name(row["order"]), self.name) if not self.prefix else self.name

    @property
    def units(self) -> str:
        """Return what the sizes count."""
        return "questions of each kind" if FAMILIES[self.family].of_story else "stories"

    def validate(self) -> None:
        """Raise ValueError, in one line that says what would be right, for a field with a wrong value."""
        say = voice(self.language)  # raises it for an unknown language
        self._check_common(MOST_STORIES, self.units)
        family, agents, lengths = FAMILIES[self.family], self.n_agents, self.lengths
        check_semantics(self.semantics)
        if not is_integer(agents) or agents not in AGENTS:
            raise ValueError(f"n_agents is {agents!r}; it must be from {limits(AGENTS)}")
        if say.n_agents < agents:
            raise ValueError(
                f"n_agents is {agents}; it must be at most {say.n_agents}, the names in the lexicon of {self.language}"
            )
        listed = isinstance(lengths, (tuple, list)) and lengths
        if not listed or any(length not in family.lengths for length in lengths):
            stories = f"{self.family} stories" if self.prefix else "stories"
            raise ValueError(f"lengths is {lengths!r}; {stories} must have {limits(family.lengths)} chapters")
        if self.claims not in (*CLAIMS, *map(list, CLAIMS)):
            raise ValueError(f"claims is {self.claims!r}; it must be (False, True), (False,) or (True,)")
        if "claims" not in family.knobs and len(self.claims) == 1:
            raise ValueError(
                f"claims is {self.claims!r}; stories of {self.family} always have the same claims: drop the field"
            )
        for name, order in (("max_order", self.max_order), ("order", 0 if self.order is None else self.order)):
            if not is_integer(order) or order < 0:
                raise ValueError(f"{name} is {order!r}; it must be 0 or more")
        self._check_secrets()
        if "kinds" not in family.knobs and tuple(self.kinds) != tuple(KINDS):
            raise ValueError(f"kinds is {self.kinds!r}; only abilities has kinds of questions: drop the field")
        family.check(self)

    def _check_secrets(self) -> None:
        """Raise ValueError for a wrong value of a field that only families with watchers have."""
        watched, links = FAMILIES[self.family].watched, self.links
        if watched and self.semantics != "recursive":
            raise ValueError(
                f"semantics is {self.semantics!r}; it must be 'recursive' in {self.family} stories, for their watchers"
            )
        if links is not None and (not is_integer(links) or links < 0):
            raise ValueError(f"links is {links!r}; it must be 0 or more, or None for as many as there can be")
        for name in SECRETS:
            value = getattr(self, name)
            if name != "links" and not isinstance(value, bool):
                raise ValueError(f"{name} is {value!r}; it must be True or False")
            if not watched and value != getattr(StoryConfig, name):
                raise ValueError(f"{name} is {value!r}; nothing is secret in stories of {self.name}: drop the field")


# 0th_order … 4th_order: the rows of `all` of one order.
ORDERS = tuple(StoryConfig(name=order_name(order), order=order) for order in range(5))


ALL = StoryConfig(name="all")  # Hi-ToM, balanced, at all orders: the default


# ToMH, in the cells of the workshop paper's Table 1.
TOMH = StoryConfig(name="tomh", train=None, validation=None, test=1800)


# Hi-ToM as published: its exact mix of stories, not balanced, labelled by the released generator's rules.
REPRODUCTION = StoryConfig(name="reproduction", semantics="published", train=None, validation=None, test=120)


# Deep stories, whose questions need all agents of their chain; the embedded probe has learnt none.
DEEP = StoryConfig(name="deep", lengths=(2, 3), scorer=None)


# Deep stories in six rungs of 100, from order 1 to order 6.
LADDER = StoryConfig(name="ladder", train=None, validation=None, test=600, scorer=None)


# One story, many kinds of questions; sizes are questions of each kind.
ABILITIES = StoryConfig(
    name="abilities", n_agents=6, lengths=(2, 3), max_order=3, train=400, validation=100, test=200, scorer=None
)


# Episodes of the game, each with four courses of action.
PLANS = StoryConfig(name="plans", train=None, validation=None, test=600, scorer=None)


# Stories whose lines name containers by thoughts, in seven rungs from 1 step to 64.
WOVEN = StoryConfig(name="woven", rungs=WOVEN_RUNGS, train=400, validation=80, test=700, scorer=None)


# The configs of a build that are in other languages and worlds: the test questions of English, asked again.
SPOKEN = all_spoken(languages(), (ALL, DEEP, LADDER, ABILITIES, WOVEN))


# All configs that are published.
CONFIGS = (
    ALL,
    *ORDERS,
    TOMH,
    REPRODUCTION,
    DEEP,
    LADDER,
    ABILITIES,
    PLANS,
    WOVEN,
    *SPOKEN,
    *all_spoken(languages(), ORDERS),
)
