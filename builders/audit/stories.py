"""The rules about stories: what each answers at a glance, and how deep a question is.

RULES and NESTED_RULES are their tables, in rules.txt; `story_guesses` and `depth_outcomes` have the answers. A rule
looks at the formal story, the thing asked about and the chain. Where it finds nothing it has no guess, and that counts
as wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..story.analysis import analyse, effective_order, first_leaver, order_sensitive
from ..story.meaning import RULES as MEANINGS
from ..story.meaning import SLOTS, Facts, answer_slot, facts_of, places
from ..story.readings import READINGS
from ..story.shortcuts import FORGETFUL, LINKS, first_left
from ..syntax.events import Like, Move, Place, Report, Story, Tell
from .rules import AuditedRow, rules_of
from .shares import Outcomes

N_LETTERS = 15  # how many choices a question has as published: letters A to O

UNDISPUTED = "undisputed"  # the rule that says whether all readings give the answer of a question (docs/readings.md)

# The rules about questions, and those about questions with a chain, which say how deep these are.
RULES, NESTED_RULES = rules_of("stories"), rules_of("deep stories")

# The rules that a search finds (`search`), by how many features of a line they look at.
BEST = tuple(rule.name for rule in NESTED_RULES if rule.name.startswith("best of "))


@dataclass(frozen=True, slots=True)
class AuditedQuestion(AuditedRow):
    """Hold one question about a story with its answer, ours or published; its group is, for example, its order."""

    story: Story
    chain: tuple[int, ...]  # the agents asked about, outermost first
    thing: int  # the thing asked about
    answer: int  # the container by its number in the story
    letter: int | None  # the place of the answer among the choices; None where it is none of them
    semantics: str = "recursive"
    container: str | None = None  # the name of the answer
    chance: float = 1 / N_LETTERS  # how often a choice at random is right
    undisputed: bool | None = None  # whether all readings give the answer; None where nobody computed them

    @property
    def label(self) -> int | None:
        """Return the place of the answer among the containers of the text; None where the text lacks it."""
        if self.masked is None or self.masked.right not in self.masked.options:
            return None
        return self.masked.options.index(self.masked.right)

    def unit(self, place: int) -> Story:
        """Return the story, whose questions stay together."""
        return self.story

    def features(self) -> dict[str, str]:
        """Return what each rule that learns sees of the question: masked text."""
        if self.masked is None:
            return {}
        tokens = self.masked.tokens
        end = tokens.index("[SEP]")
        seen = {"question alone": tokens[:end], "story alone": tokens[end:], "TF-IDF": tokens}
        return {rule: " ".join(words) for rule, words in seen.items()}

    def outcomes(self) -> Outcomes:
        """Return what the rules that do not learn make of the question."""
        guesses = story_guesses(self, facts_of(self.story, self.thing))
        right = {rule: container == self.answer for rule, container in guesses.items()}
        constant = {"majority": self.container, "letter": self.letter}
        return Outcomes(self.group, self.chance, constant, {**right, UNDISPUTED: self.undisputed, **self.probes})


def most_common(containers: list[int]) -> int | None:
    """Return the container that stands most often in a list; ties go to the first one."""
    return max(containers, key=containers.count) if containers else None


def story_guesses(question: AuditedQuestion, facts: Facts) -> dict[str, int | None]:
    """Return the container that each rule answers, None where it has no guess.

    facts: those of the story about the thing asked about.
    """
    story, chain, thing, rule = question.story, question.chain, question.thing, MEANINGS[question.semantics]
    thing_places = [*places(facts), None, None]
    named = [event for event in story.events if isinstance(event, Place | Move | Tell | Report | Like)]
    mentions = [event for event in named if not isinstance(event, Like) and event.thing == thing]
    moves = [event for event in mentions if isinstance(event, Place | Move)]
    theirs = [move.container for move in moves if isinstance(move, Move) and move.agent in chain]
    return {
        "first": thing_places[0],
        "last": facts.last(facts.sightings),
        "second": thing_places[1],
        "most mentioned": most_common([event.container for event in mentions]),
        "last claim": facts.last(facts.claims),
        "first leaver": first_leaver(story, thing, chain),
        "set of agents": facts.last(rule(facts, chain) & facts.sightings),
        "one order lower": facts.last(rule(facts, chain[1:])) if chain else None,
        "last but one": moves[-2].container if len(moves) > 1 else None,
        "their first move": theirs[0] if theirs else None,
        "most in the text": most_common([event.container for event in named]),
    }


def depth_outcomes(question: AuditedQuestion) -> dict[str, bool | None]:
    """Return whether a question needs its whole chain, and which shortcuts are right; its chain is not empty.

    Rules that look at two agents or more have no part where the chain has one.
    """
    analysis = analyse(question.story, question.chain, question.thing, question.semantics)
    facts, chain = analysis.facts, question.chain
    links = {f"link {place} ignored": rule for place, rule in enumerate(LINKS[: len(chain) - 1], 1)}
    guesses = {rule: facts.last(lines_of(facts, chain)) for rule, lines_of in {**FORGETFUL, **links}.items()}
    if guesses["rule of version 2"] is None:
        guesses["rule of version 2"] = facts.last(first_left(facts, chain))
    guesses |= {
        "first mentioned": facts.containers[0],
        "last mentioned": facts.containers[-1],
        "most mentioned": story_guesses(question, facts)["most mentioned"],
        "cross out": analysis.shortcuts()["cross out"],
    }
    if len(chain) > 1:
        moved = [isinstance(event, Move) and event.agent == chain[1] for event in question.story.events]
        theirs = sum(moved[line] << place for place, line in enumerate(facts.lines))
        guesses["watched move"] = facts.last(theirs & facts.secret[chain[0]])
    measured = {
        UNDISPUTED: question.undisputed,
        "needs all its agents": effective_order(analysis.held) == len(chain),
        "needs their order": order_sensitive(facts, chain, question.semantics),
        **{rule: container == question.answer for rule, container in guesses.items()},
    }
    return {rule.name: measured[rule.name] for rule in NESTED_RULES if rule.name in measured}


def readings_outcomes(group: str, differing: Sequence[str]) -> Outcomes:
    """Return whether each reading gives a question another answer, and whether any does, from those that differ."""
    differ = {reading: reading in differing for reading in READINGS}
    return Outcomes(group, 0.0, {}, {**differ, "any of them": bool(differing)})


def count_positions(questions: Iterable[AuditedQuestion]) -> dict[str, dict[str, list[int]]]:
    """Return for each group how many answers have each letter, from A, and how many each of SLOTS."""
    counts: dict[str, dict[str, list[int]]] = {}
    for question in questions:
        group = counts.setdefault(question.group, {"letters": [0] * N_LETTERS, "slots": [0] * len(SLOTS)})
        if question.letter is not None and question.letter < N_LETTERS:
            group["letters"][question.letter] += 1
        group["slots"][answer_slot(places(facts_of(question.story, question.thing)), question.answer)] += 1
    return counts
