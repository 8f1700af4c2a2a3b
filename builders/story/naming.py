"""Containers that a line names by what somebody thinks: when a line may do so, and how many steps an answer takes.

"Kim moved the pear to the container where Dan thinks Ida thinks it is." Such a line holds its container, and beside it
`by`, the chain (Dan, Ida). What the line means does not depend on it: whoever perceives the line perceives the
container. A reader who wants to know which container it is must work out what the chain believes just before the line.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..syntax.events import Named, Still, Story
from .lines import LineSet
from .meaning import Chain, Facts, by_rules, facts_of


class Hop(NamedTuple):
    """Hold a step on the way to an answer: whose belief is needed, when, and which line gives it."""

    chain: Chain  # whose belief; empty for where the thing is
    before: int  # the place in `Facts` of the line that it names, or the number of all lines for the question
    place: int  # the place of the line that teaches it, the last before


def named_by(event: Named) -> Chain:
    """Return the chain that names the container of a line; the empty one where it is still where it was."""
    return getattr(event, "by", ())


def teacher(facts: Facts, chain: Chain, before: int) -> int:
    """Return the place of the last line before a given place that teaches a chain; -1 if there is none."""
    return LineSet(by_rules(facts, chain) & (1 << before) - 1).last


def hops_of(story: Story, facts: Facts, chain: Chain) -> list[Hop]:
    """Return the steps to the answer of a question, the question's own first; [] where no line teaches the chain.

    One is for the line that teaches the chain, and one more for each line that must be worked out to know which
    container a line names. Who enters, and "still where it was", show where the last move or the first line left it.
    """
    hops: list[Hop] = []
    before = len(facts.lines)
    while True:
        place = teacher(facts, chain, before)
        if place < 0:
            return hops
        hops.append(Hop(chain, before, place))
        place = putting(story, facts, place)
        event = story.events[facts.lines[place]]
        if not isinstance(event, Named):
            return hops
        chain, before = named_by(event), place


def putting(story: Story, facts: Facts, place: int) -> int:
    """Return the place of the line that put the thing where a sighting shows it; of any other line, its own."""
    puts = facts.sightings & ~facts.entries
    while 1 << place & facts.entries or isinstance(story.events[facts.lines[place]], Still):
        place = LineSet(puts & (1 << place) - 1).last
    return place


def misnamed(story: Story) -> Iterator[str]:
    """Yield each line whose container is not the one that its chain believes in just before, with its number."""
    things = {event.thing for event in story.events if isinstance(event, Named)}
    for thing in sorted(things):
        facts = facts_of(story, thing)
        for place, line in enumerate(facts.lines):
            event = story.events[line]
            if isinstance(event, Named):
                before = teacher(facts, named_by(event), place)
                if before < 0 or facts.containers[before] != event.container:
                    yield f"line {line + 1}: the container must be where its chain believes the thing is: {event}"
