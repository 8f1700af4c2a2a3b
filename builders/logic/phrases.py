"""Claims as the macros of `mindgames.jinja` say them: lists of words, with the names of the agents."""

from functools import lru_cache

from ..wording.problems import Voice
from .claims import COMMON, EACH, NAMED, OWN, SOMEONE, TOGETHER, Claim, Premise, comparison_of, is_showing, owner_of
from .setups import SETUP_OF

Words = list["str | bool | int | Words"]  # a claim, or a part of one, as the macros take it

_GROUPS = {EACH: "each", TOGETHER: "together", COMMON: "common"}


@lru_cache(maxsize=4)
def premise_text(say: Voice, premise: Premise, names: tuple[str, ...], plain: bool) -> str:
    """Return what the agents of a premise see and what is announced; `plain` as `Voice` says."""
    drawn = premise.sees if SETUP_OF[premise.setup].is_drawn else ()
    shown = [(names[atom - 1], names[viewer]) for viewer, seen in enumerate(drawn) for atom in seen]
    announcements = [phrase(claim, names) for claim in (SOMEONE, *premise.announcements)]
    return say.premise(premise.setup, len(names), shown, announcements, plain, *say.picks(names))


def phrase(claim: Claim, names: tuple[str, ...]) -> Words:
    """Return a claim as a list of words.

    A fact is ["fact", a name or a quantifier, negated] or ["count", comparison, number]. Knowledge is ["knowledge",
    name, "that" or "whether", negated, list], or the same of "each", "common" or "together" in place of "knowledge" and
    a name; what each knows of his own atom is the list ["own"]. A showing is ["shown", viewer, owner].
    """
    levels, fact = claim
    if is_showing(claim):
        return ["shown", names[levels[0][0]], names[owner_of(fact)]]
    said = fact_phrase(fact, names)
    for agent, link, negated in reversed(levels):
        who = ("knowledge", names[agent]) if agent >= 0 else (_GROUPS[agent], "")
        said = [*who, ("that", "whether")[link], negated, said]
    return said


def fact_phrase(fact: int, names: tuple[str, ...]) -> Words:
    """Return a fact as a list of words."""
    if fact == OWN:
        return ["own"]
    if fact < 0:
        comparison, k = comparison_of(fact)
        return ["count", ("exactly", "at least", "odd")[comparison], k]
    if fact < NAMED:
        return ["fact", ("some", "all", "not all", "none")[fact], False]
    return ["fact", names[owner_of(fact)], bool((fact - NAMED) % 2)]
