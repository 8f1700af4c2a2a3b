"""Rules that forget a clause of `meaning`: what a lazy reader of a deep story goes by.

Each is a function of facts and a chain that returns bits of lines, as `meaning.Rule` is; its answer is the container of
the last of these lines. The sampler makes each of them wrong often enough, and the audit counts how often it is right.
"""

from collections.abc import Iterator
from functools import partial, reduce
from operator import and_, or_

from .meaning import (
    Chain,
    Facts,
    Lines,
    TeachingRule,
    aware,
    by_rules,
    claims_reaching,
    convinced,
    first_chapter,
    last_chapter,
    linked,
    reached,
    shared,
    together,
)


def not_looked_at(link: int) -> TeachingRule:
    """Return the rule of who does not ask whether the agent at a place of the chain, from 0, knows of the next one."""

    def lines_of(facts: Facts, chain: Chain) -> int:
        if link + 1 >= len(chain):
            return aware(facts, chain)
        return aware(facts, chain[: link + 1]) & aware(facts, chain[link + 1 :])

    return TeachingRule(aware=lines_of)


def known_to_first(facts: Facts, chain: Chain) -> int:
    """Return the lines that reach all agents of a chain, as the first one knows of each other."""
    return reduce(and_, (linked(facts, chain[0], other) for other in chain[1:]), reached(facts, chain[0]))


def not_looked_at_though_known(link: int) -> TeachingRule:
    """Return the rule of who does not ask so either, but whether the first agent knows of all that he looks at.

    Who falls to it falls to `not_looked_at` too.
    """
    rule = not_looked_at(link)
    return (
        TeachingRule(aware=lambda facts, chain: rule.aware(facts, chain) & known_to_first(facts, chain))
        if link
        else rule
    )


def open_to_others(facts: Facts, chain: Chain) -> int:
    """Return the lines that a chain is aware of without a secret mind behind the first."""
    return aware(facts, chain) & shared(facts.open, chain[1:])


def open_to_first(facts: Facts, chain: Chain) -> int:
    """Return the lines that a chain is aware of and that are open to its first agent."""
    return aware(facts, chain) & facts.open[chain[0]]


def of_first(lines_of: Lines) -> Lines:
    """Return a rule as it is applied to the first agent of a chain alone."""
    return lambda facts, chain: lines_of(facts, chain[:1])


def apart(seen: Lines = aware, heard: Lines = aware) -> Lines:
    """Return the rule of who takes sightings by one rule, and claims by another."""
    return lambda facts, chain: seen(facts, chain) & facts.sightings | heard(facts, chain) & facts.claims


def own_watching_only(facts: Facts, chain: Chain) -> int:
    """Return `trusted`, where nobody knows who else watched."""
    return facts.trusts[chain[-1]] & ~(facts.watched[chain[0]] if len(chain) == 1 else 0)


def all_watching(facts: Facts, chain: Chain) -> int:
    """Return `trusted`, where everybody knows who watched."""
    return facts.trusts[chain[-1]] & ~facts.watched[chain[-1]]


def by_insiders(facts: Facts, chain: Chain) -> int:
    """Return the claims whose speaker was in the room in their chapter."""
    by_member: Iterator[int] = map(and_, facts.speaks, facts.members)
    return reduce(or_, by_member)


def no_mistake(facts: Facts, chain: Chain) -> int:
    """Return `convinced` without the speaker's mistake about those whom he tells."""
    return convinced(facts, chain) & (~facts.speaks[chain[-2]] if len(chain) > 1 else -1)


def unordered(facts: Facts, chain: Chain) -> int:
    """Return the lines that would teach some order of the agents, if all knew of one another."""

    def believed_by_one(chain: Chain) -> int:
        doubtful = reduce(or_, (facts.trusts[agent] & ~facts.speaks[agent] for agent in chain))
        return together(facts, chain) & doubtful

    lines = together(facts, chain) & facts.sightings | facts.plain & believed_by_one(chain)
    for content, claims in facts.reports.items():
        rest = tuple(agent for agent in chain if agent not in content)
        if rest and set(content) <= set(chain):
            lines |= claims & believed_by_one(rest)
    return lines


def of_version_2(facts: Facts, chain: Chain) -> int:
    """Return the claims that reach all agents and are not the last one's own: a reader's rule for version 2."""
    return facts.claims & ~facts.speaks[chain[-1]] & together(facts, chain)


def first_left(facts: Facts, chain: Chain) -> int:
    """Return what that reader takes where there is no such claim: until the first of them left in the first chapter.

    If the first leaver is the first of the chain, and watches, until the second left.
    """
    return facts.sightings & first_chapter(facts) & open_to_others(facts, chain)


def thoughts_only(facts: Facts, chain: Chain) -> Iterator[tuple[int, Chain]]:
    """Yield `told` without claims about the thing."""
    return ((claims, prefix) for claims, prefix in claims_reaching(facts, chain) if prefix is not chain)


def unheard(facts: Facts, chain: Chain) -> int:
    """Return the lines that teach a chain if agents believe claims about thoughts that they do not hear."""
    heard = (claims & convinced(facts, prefix) for claims, prefix in thoughts_only(facts, chain))
    return reduce(or_, heard, by_rules(facts, chain))


def content_as_a_set(facts: Facts, chain: Chain) -> Iterator[tuple[int, Chain]]:
    """Yield `told`, with claims about thoughts of agents who stand at the end of the chain in any order."""
    yield facts.plain, chain
    for content, claims in facts.reports.items():
        if set(chain[-len(content) :]) == set(content) and len(content) < len(chain):
            yield claims, chain[: -len(content)]


# For each link of a chain, the outermost first, the rule of who does not look at it.
LINKS = tuple(not_looked_at(link) for link in range(11))

# Rules that forget a clause, by name, besides LINKS.
FORGETFUL: dict[str, Lines] = {
    "rule of version 2": of_version_2,
    "order ignored": unordered,
    "trust ignored": TeachingRule(convinced=lambda facts, chain: -1),
    "insiders trusted": TeachingRule(convinced=by_insiders),
    "watching trusts": TeachingRule(convinced=partial(convinced, trusted=lambda facts, chain: facts.trusts[chain[-1]])),
    "others' watching ignored": TeachingRule(convinced=partial(convinced, trusted=own_watching_only)),
    "all watching known": TeachingRule(convinced=partial(convinced, trusted=all_watching)),
    "mistake ignored": TeachingRule(convinced=no_mistake),
    "content as plain": TeachingRule(told=lambda facts, chain: [(facts.claims, chain)]),
    "hearing ignored": unheard,
    "content skipped": TeachingRule(told=lambda facts, chain: [(facts.plain, chain)]),
    "plain claims skipped": TeachingRule(told=thoughts_only),
    "only the first asked": TeachingRule(apart(heard=of_first(aware)), of_first(convinced), thoughts_only),
    "content as a set": TeachingRule(told=content_as_a_set),
    "watchers unnoticed": TeachingRule(apart(seen=open_to_others), partial(convinced, trusted=own_watching_only)),
    "one level deep": TeachingRule(aware=open_to_others),
    "one level deep by insiders": TeachingRule(open_to_others, by_insiders),
    "known to the first": TeachingRule(aware=known_to_first),
    "overhearing ignored": TeachingRule(aware=apart(heard=open_to_first)),
    "seen, known to the first": TeachingRule(aware=apart(seen=known_to_first)),
    "others' overhearing ignored": TeachingRule(aware=apart(heard=open_to_others)),
    "last chapter only": lambda facts, chain: by_rules(facts, chain) & last_chapter(facts),
    "set of agents": TeachingRule(aware=together),
    "claims only": lambda facts, chain: by_rules(facts, chain) & facts.claims,
    "seen lines only": lambda facts, chain: by_rules(facts, chain) & facts.sightings,
    "one order lower": lambda facts, chain: by_rules(facts, chain[1:]),
    "reality": lambda facts, chain: by_rules(facts, ()),
}
