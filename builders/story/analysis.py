"""What a question asks of its reader: how much of its chain it needs, and which shortcuts miss its answer.

A shortcut answers a question without following its whole chain. The audit counts how often each is right
(docs/why/audit.md). How many of them miss a question says how hard it is.
"""

from itertools import permutations
from typing import Any, NamedTuple

from ..syntax.events import Exit, Move, Names, Place, Story
from .interpretations import InterpretedStory, read
from .lines import LineSet
from .meaning import RULES, SEMANTICS, Chain, Facts, answer_slot, places, require, some, subchains, together
from .naming import hops_of
from .shortcuts import FORGETFUL


class Analysis(NamedTuple):
    """Hold what a story teaches a chain, and what the subchains of the chain believe."""

    read: InterpretedStory  # the story as interpretations look at it, and the thing asked about
    chain: Chain  # the agents asked about, outermost first
    semantics: str  # by which the question is answered
    visited: list[int]  # the `places` of the thing
    held: list[int | None]  # the container of each of `subchains`; the whole chain comes last
    compared: bool  # whether the other semantics has a rule for the story

    @property
    def facts(self) -> Facts:
        """Return the facts of the story about the thing."""
        return self.read.facts

    @property
    def answers(self) -> dict[str, int | None]:
        """Return the container of the whole chain under each semantics that has a rule for the story."""
        asked = SEMANTICS if self.compared else (self.semantics,)
        return {name: self.facts.last(RULES[name](self.facts, self.chain)) for name in asked}

    @property
    def n_hops(self) -> int:
        """How many lines must be worked out in turn for the answer."""
        return len(hops_of(self.read.story, self.facts, self.chain))

    def tail(self, order: int) -> "Analysis":
        """Return the analysis of the last agents of the chain."""
        first = len(self.chain) - order
        return self._replace(chain=self.chain[first:], held=self.held[:: 1 << first])

    def columns(self, names: Names) -> dict[str, Any]:
        """Return the columns of a row that the question and its answer give, but for the choices."""
        answers, compared = self.answers, self.compared
        answer = self.held[-1]
        if answer is None:
            raise ValueError(
                f"no line of the story teaches the chain {self.chain} where the thing is: ask another chain"
            )
        published = answers["published"] if compared else None
        interpretations = [*self.read.differing_from(self.chain, answer)]
        taught = LineSet(RULES[self.semantics](self.facts, self.chain)).last
        return {
            "answer": names.containers[answer],
            "order": len(self.chain),
            "chain": [names.agents[agent] for agent in self.chain],
            "undisputed": not interpretations,
            "readings": interpretations,
            "answer_published": None if published is None else names.containers[published],
            "semantics_agree": len(set(answers.values())) == 1 if compared else None,
            "effective_order": effective_order(self.held),
            "order_sensitive": order_sensitive(self.facts, self.chain, self.semantics),
            "shortcuts_missed": self.share_missed(),
            "answer_slot": answer_slot(self.visited, answer),
            "n_places": len(self.visited),
            "lines_since": len(self.read.story.events) - 1 - self.facts.lines[taught],
        }

    def shortcuts(self) -> dict[str, int | None]:
        """Return the container that each shortcut answers, or None where it finds none; the chain is not empty.

        Shortcuts about two agents are left out where the chain has one.
        """
        chain, facts, held = self.chain, self.facts, self.held
        rule = RULES[self.semantics]
        of_two = {
            "first agent alone": held[1],
            "last agent alone": held[len(held) // 2],
            "last two swapped": facts.last(rule(facts, (*chain[:-2], *chain[:-3:-1]))),
        }
        return {
            "reality": held[0],
            **(of_two if len(chain) > 1 else {}),
            "one order lower": held[-2],
            "last that reached all": facts.last(together(facts, chain)),
            "trust aside": facts.last(FORGETFUL["trust ignored"](facts, chain)) if facts.claims else held[-1],
            "claims aside": facts.last(rule(facts, chain) & facts.sightings),
            "first leaver": first_leaver(self.read.story, self.read.thing, chain),
            "cross out": next((place for place in reversed(facts.containers) if place not in held[:-1]), None),
        }

    def share_missed(self) -> float:
        """Return the share of shortcuts that miss the answer; 0 where the chain is empty."""
        guesses = list(self.shortcuts().values()) if self.chain else [self.held[-1]]
        return (len(guesses) - guesses.count(self.held[-1])) / len(guesses)


def analyse(story: Story, chain: Chain, thing: int, semantics: str, compared: bool = False) -> Analysis:
    """Return the analysis of a chain under a semantics; `compared`: with the answer under the other one too.

    Raises ValueError where the semantics has no rule for the story.
    """
    for name in SEMANTICS if compared else (semantics,):
        require(story, name)
    found, rule = read(story, thing), RULES[semantics]
    held = [found.facts.last(rule(found.facts, kept)) for kept in subchains(chain)]
    return Analysis(found, chain, semantics, places(found.facts), held, compared)


def effective_order(held: list[int | None]) -> int:
    """Return the length of the shortest subchain of a chain, the empty one included, that has the chain's belief.

    `held` are the beliefs of the `subchains`.
    """
    return min([subchain.bit_count() for subchain, container in enumerate(held) if container == held[-1]])


def order_sensitive(facts: Facts, chain: Chain, semantics: str) -> bool:
    """Return whether some permutation of a chain believes something else.

    Where nobody in secret, nobody who watched and no report has a part, whether a line teaches a chain depends on its
    set of agents and on its last two. So one permutation stands for all that share their last two agents, and none
    differs where the last line that reaches all is a sighting.
    """
    reaching = together(facts, chain)
    ordered = bool(reaching & (some(facts.secret, chain) | some(facts.watched, chain)))
    ordered = ordered or any([set(content) < set(chain) for content in facts.reports])
    if not ordered and reaching & facts.claims <= reaching & facts.sightings:
        return False
    rule = RULES[semantics]
    ends = permutations(chain, len(chain) if ordered else 2)
    orders = ((*[agent for agent in chain if agent not in end], *end) for end in ends)
    answer = facts.last(rule(facts, chain))
    return any(facts.last(rule(facts, other)) != answer for other in orders)


def first_leaver(story: Story, thing: int, chain: Chain) -> int | None:
    """Return where the thing was when the first of the chain's agents left a room after it had been placed."""
    place = None
    for event in story.events:
        if isinstance(event, Place | Move) and event.thing == thing:
            place = event.container
        elif isinstance(event, Exit) and event.agent in chain and place is not None:
            return place
    return place
