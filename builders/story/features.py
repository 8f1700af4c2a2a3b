"""What a lazy reader may see of a line for a question: yes-or-no features, each as the bits of the lines that have it.

The audit searches rules that look at a few of them (`audit.search`); the sampler makes some such rules fail.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from .meaning import Chain, Facts, first_chapter, last_chapter, linked, reached, shared, some, together
from .shortcuts import thoughts_only


def about(facts: Facts, fits: Callable[[Chain], bool]) -> int:
    """Return the claims about the thoughts of chains that fit."""
    return reduce(or_, (claims for content, claims in facts.reports.items() if fits(content)), 0)


def about_tail(facts: Facts, chain: Chain) -> int:
    """Return the claims about the thoughts of the last agents of a chain, but not of all."""
    return about(facts, lambda content: chain[-len(content) :] == content != chain)


def before_content(facts: Facts, chain: Chain) -> int:
    """Return the lines that reach all agents, of claims about the thoughts of the last ones all before these."""
    lines = together(facts, chain)
    for claims, prefix in thoughts_only(facts, chain):
        lines = lines & ~claims | together(facts, prefix) & claims
    return lines


# The features by name (docs/why/audit.md). The chain has two agents or more.
FEATURES: dict[str, Callable[[Facts, Chain], int]] = {
    "a claim": lambda facts, chain: facts.claims,
    "about thoughts": lambda facts, chain: facts.claims & ~facts.plain,
    "in the first chapter": lambda facts, chain: first_chapter(facts),
    "in the last chapter": lambda facts, chain: last_chapter(facts),
    "reaches all": together,
    "reaches all before the content": before_content,
    "reaches the first": lambda facts, chain: reached(facts, chain[0]),
    "reaches the last": lambda facts, chain: reached(facts, chain[-1]),
    "reaches the first two": lambda facts, chain: together(facts, chain[:2]),
    "reaches the last two": lambda facts, chain: together(facts, chain[-2:]),
    "all are open": lambda facts, chain: shared(facts.open, chain),
    "the first is secret": lambda facts, chain: facts.secret[chain[0]],
    "the second is secret": lambda facts, chain: facts.secret[chain[1]],
    "the last but one is secret": lambda facts, chain: facts.secret[chain[-2]],
    "the last is secret": lambda facts, chain: facts.secret[chain[-1]],
    "the first pair is known": lambda facts, chain: linked(facts, *chain[:2]),
    "the last pair is known": lambda facts, chain: linked(facts, *chain[-2:]),
    "the first noticed the second": lambda facts, chain: facts.notices[chain[0]][chain[1]],
    "the first speaks": lambda facts, chain: facts.speaks[chain[0]],
    "the last but one speaks": lambda facts, chain: facts.speaks[chain[-2]],
    "the last speaks": lambda facts, chain: facts.speaks[chain[-1]],
    "one of them speaks": lambda facts, chain: some(facts.speaks, chain),
    "the first trusts": lambda facts, chain: facts.trusts[chain[0]],
    "the last but one trusts": lambda facts, chain: facts.trusts[chain[-2]],
    "the last trusts": lambda facts, chain: facts.trusts[chain[-1]],
    "the first watched": lambda facts, chain: facts.watched[chain[0]],
    "the last but one watched": lambda facts, chain: facts.watched[chain[-2]],
    "the last watched": lambda facts, chain: facts.watched[chain[-1]],
    "content ends with the last": lambda facts, chain: about(facts, lambda content: content[-1] == chain[-1]),
    "content is the tail": about_tail,
    "content is not the tail": lambda facts, chain: facts.claims & ~facts.plain & ~about_tail(facts, chain),
}


@dataclass(frozen=True, slots=True)
class LazyRule:
    """Hold a rule of a few features: it answers by the last line that has all of some, and none of others."""

    has: tuple[str, ...]  # the names of features that the line has
    lacks: tuple[str, ...] = ()  # the names of those that it lacks

    def lines(self, facts: Facts, chain: Chain) -> int:
        """Return the lines that the rule would answer by, the last of which it takes."""
        lines = (1 << len(facts.containers)) - 1
        for name in self.has:
            lines &= FEATURES[name](facts, chain)
        for name in self.lacks:
            lines &= ~FEATURES[name](facts, chain)
        return lines
