"""What a lazy reader may see of a line for a question: yes-or-no features, each as the bits of the lines that have it.

The audit searches rules that look at a few of them (`audit.search`); the sampler makes some such rules fail.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_, or_

from .meaning import Chain, Facts, linked, reached, together


def shared(of: Sequence[int], chain: Chain) -> int:
    """Return the lines that each agent of a chain has in a list of bits by agent."""
    return reduce(and_, (of[agent] for agent in chain))


def some(of: Sequence[int], chain: Chain) -> int:
    """Return the lines that some agent of a chain has in a list of bits by agent."""
    return reduce(or_, (of[agent] for agent in chain))


def about(facts: Facts, fits: Callable[[Chain], bool]) -> int:
    """Return the claims about the thoughts of chains that fit."""
    return reduce(or_, (claims for content, claims in facts.reports.items() if fits(content)), 0)


def before_content(facts: Facts, chain: Chain) -> int:
    """Return the lines that reach all agents, of claims about the thoughts of the last ones all before these."""
    lines = together(facts, chain)
    for content, claims in facts.reports.items():
        if chain[-len(content) :] == content != chain:
            lines = lines & ~claims | together(facts, chain[: -len(content)]) & claims
    return lines


# The features by name (docs/audit.md). The chain has two agents or more.
FEATURES: dict[str, Callable[[Facts, Chain], int]] = {
    "a claim": lambda facts, chain: facts.claims,
    "about thoughts": lambda facts, chain: facts.claims & ~facts.plain,
    "in the first chapter": lambda facts, chain: (facts.entries & -facts.entries) - 1 if facts.entries else -1,
    "in the last chapter": lambda facts, chain: -1 << max(facts.entries.bit_length() - 1, 0),
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
    "content is the tail": lambda facts, chain: about(
        facts, lambda content: chain[-len(content) :] == content != chain
    ),
    "content is not the tail": lambda facts, chain: about(
        facts, lambda content: chain[-len(content) :] != content or content == chain
    ),
}

NOT = "not "  # what the name of a feature's negation begins with


def having(features: Sequence[str], facts: Facts, chain: Chain) -> int:
    """Return the lines that have all of some features or negations, by their names."""
    lines = (1 << len(facts.containers)) - 1
    for name in features:
        having = FEATURES[name.removeprefix(NOT)](facts, chain)
        lines &= ~having if name.startswith(NOT) else having
    return lines
