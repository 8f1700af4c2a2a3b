"""The rules about stories: what each answers at a glance, and how deep a question is.

RULES and NESTED_RULES are their tables; `story_guesses` and `depth_outcomes` have the answers. A rule looks at the
formal story, the thing asked about and the chain. Where it finds nothing it has no guess, and that counts as wrong.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..story.analysis import analyse, effective_order, first_leaver, order_sensitive
from ..story.interpretations import INTERPRETATIONS
from ..story.meaning import RULES as MEANINGS
from ..story.meaning import SLOTS, Facts, Lines, answer_slot, facts_of, places
from ..story.shortcuts import FORGETFUL, LINKS, first_left
from ..syntax.events import Like, Move, Place, Report, Story, Tell
from .learners import tf_idf
from .rules import AuditedRow, Rule, learners_of
from .shares import Outcomes

N_LETTERS = 15  # how many choices a question has as published: letters A to O

UNDISPUTED = "undisputed"  # the rule that says whether all readings give the answer of a question (docs/why/beliefs.md)

# The rules about questions, in the order in which messages name broken gates.
RULES = (
    Rule(UNDISPUTED, "not a guess: whether all interpretations give the answer", gate=(1, 1)),
    Rule("first", "the first container in which the thing was", gate=(0, 0.38)),
    Rule("last", "the container in which the thing was seen last", gate=(0, 0.38)),
    Rule("second", "the second container in which the thing was, not counting a return to the first", gate=(0, 0.38)),
    Rule(
        "most mentioned", "the container named most often with the thing, in placings, moves and claims", gate=(0, 0.38)
    ),
    Rule("last claim", "the container that the last claim about the thing names", gate=(0, 0.38)),
    Rule("letter", "the letter that is the answer most often", gate=(0, 0.08)),
    Rule("majority", "the container that is the answer most often"),
    Rule("question alone", "learnt from the words of the question, with names numbered", learner=tf_idf),
    Rule("story alone", "learnt from the words of the story, with names numbered", learner=tf_idf),
    Rule("TF-IDF", "learnt from the words of both, with names numbered", learner=tf_idf),
    Rule("first leaver", "where the thing was when the first of the chain's agents left a room"),
    Rule("set of agents", "where all agents of the chain last saw it together; claims are ignored"),
    Rule("one order lower", "what the chain without its first agent believes"),
    Rule("last but one", "the container of the second to last line that places or moves the thing"),
    Rule("their first move", "where an agent of the chain first moved the thing"),
    Rule("last agent's move", "where the last agent of the chain last moved the thing"),
    Rule("last agent's sight", "where the last agent of the chain last saw the thing; claims are ignored"),
    Rule("most in the text", "the container that is named most often, with any thing"),
    Rule("probe", "the prediction in the column `deberta_pred`"),
)

# The rules about questions with a chain, which say how deep these are. `Rule.since` says from which order
# a gate holds.
NESTED_RULES = (
    Rule(UNDISPUTED, "not a guess: whether all interpretations give the answer", deep=(0.6, 1), since=1),
    Rule("needs all its agents", "not a guess: whether no subchain gives the answer", deep=(0.75, 1)),
    Rule(
        "needs their order", "not a guess: whether another order of the same agents gives another answer", deep=(0.5, 1)
    ),
    Rule("reality", "where the thing really is", deep=(0, 0.25)),
    Rule("first mentioned", "the container that is named first with the thing", deep=(0, 0.25)),
    Rule("last mentioned", "the container that is named last with the thing", deep=(0, 0.25)),
    Rule("most mentioned", "the container that is named most often with the thing", deep=(0, 0.25)),
    Rule("one order lower", "what the chain without its first agent believes", deep=(0, 0.25)),
    Rule(
        "rule of version 2",
        "the last claim that all agents of the chain hear or make, but not one by the last agent; "
        "without such a claim, where the thing was when the first of them left the first chapter's room",
        deep=(0, 0.5),
    ),
    Rule("order ignored", "the last line that would teach some order of the agents", deep=(0, 0.5)),
    Rule("link 1 ignored", "as if agent 1 knew of the next", deep=(0, 0.65)),
    Rule("link 2 ignored", "as if agent 2 knew of the next", deep=(0, 0.65), since=3),
    Rule("link 3 ignored", "as if agent 3 knew of the next", deep=(0, 0.65), since=4),
    Rule("link 4 ignored", "as if agent 4 knew of the next", deep=(0, 0.65), since=5),
    Rule("link 5 ignored", "as if agent 5 knew of the next", deep=(0, 0.65), since=6),
    Rule("one level deep", "as if nobody noticed a secret mind", deep=(0, 0.75), since=3),
    Rule(
        "known to the first",
        "as if everybody whom the first agent knows of were known to all agents before them too",
        deep=(0, 0.73),
        since=3,
    ),
    Rule("seen, known to the first", "the same, but only for lines that agents see"),
    Rule("others' overhearing ignored", "as if nobody but the first agent overheard anything", deep=(0, 0.8), since=3),
    Rule("trust ignored", "the last line that would teach the chain if all agents trusted one another", deep=(0, 0.6)),
    Rule(
        "insiders trusted", "the same if all agents trusted any speaker who was in the room in the chapter of the claim"
    ),
    Rule("one level deep by insiders", "the same, and as if nobody noticed a secret mind"),
    Rule("content as plain", "as if a claim about thoughts said where the thing is", deep=(0, 0.65)),
    Rule("content skipped", "as if nobody had claimed anything about thoughts", deep=(0, 0.65)),
    Rule("plain claims skipped", "as if claims about the thing itself taught nobody"),
    Rule(
        "only the first asked",
        "the same, and as if a claim about thoughts taught the chain when the first agent heard and believed it",
    ),
    Rule("content as a set", "as if a claim were about the thoughts of its agents in any order"),
    Rule("claims only", "the last claim that teaches the chain", deep=(0, 0.6)),
    Rule("seen lines only", "the last line that the chain sees", deep=(0, 0.6)),
    Rule("set of agents", "as if all agents whom a line reaches knew of one another"),
    Rule("watchers unnoticed", "as if nobody noticed a watcher"),
    Rule("watching trusts", "as if watchers trusted speakers as all others do"),
    Rule("others' watching ignored", "as if nobody knew who else watched"),
    Rule("all watching known", "as if everybody knew who watched"),
    Rule("overhearing ignored", "as if nobody overheard anything"),
    Rule("hearing ignored", "as if agents believed claims about thoughts that they do not hear"),
    Rule("last chapter only", "as if only lines of the last chapter counted"),
    Rule("mistake ignored", "as if speakers did not assume that their hearers believe them"),
    Rule("watched move", "where the second agent last moved the thing while the first watched"),
    Rule("cross out", "among the containers that no subchain believes in, the one named last with the thing"),
    Rule("best of 1 feature", "the answer of the best rule that a search finds", deep=(0, 0.62)),
    Rule("best of 2 features", "the answer of the best rule that a search finds", deep=(0, 0.62)),
    Rule("best of 3 features", "the answer of the best rule that a search finds", deep=(0, 0.62)),
    Rule("best of 4 features", "the answer of the best rule that a search finds"),
)

# The rules that a search finds (`search`), by how many features of a line they look at.
BEST = tuple(rule.name for rule in NESTED_RULES if rule.name.startswith("best of "))


@dataclass(frozen=True, slots=True)
class AuditedQuestion(AuditedRow):
    """Hold one question about a story with its answer, ours or published; its group is, for example, its order."""

    LEARNERS = learners_of(RULES)

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
    theirs = [move for move in moves if isinstance(move, Move) and move.agent in chain]
    own = [move.container for move in theirs if move.agent == chain[-1]]
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
        "their first move": theirs[0].container if theirs else None,
        "last agent's move": own[-1] if own else None,
        "last agent's sight": facts.last(rule(facts, chain[-1:]) & facts.sightings) if chain else None,
        "most in the text": most_common([event.container for event in named]),
    }


def depth_outcomes(question: AuditedQuestion) -> dict[str, bool | None]:
    """Return whether a question needs its whole chain, and which shortcuts are right; its chain is not empty.

    Rules that look at two agents or more have no part where the chain has one.
    """
    analysis = analyse(question.story, question.chain, question.thing, question.semantics)
    facts, chain = analysis.facts, question.chain
    links = {f"link {place} ignored": rule for place, rule in enumerate(LINKS[: len(chain) - 1], 1)}
    forgetful: Mapping[str, Lines] = {**FORGETFUL, **links}
    guesses = {rule: facts.last(lines_of(facts, chain)) for rule, lines_of in forgetful.items()}
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
    differ = {reading: reading in differing for reading in INTERPRETATIONS}
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
