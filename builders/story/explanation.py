"""The explanation of a hi_tom row: which lines taught the asked chain its belief, and why later ones did not.

It has one step a line: every line that taught the chain, with what the chain believes from there on; then why no later
line about the thing changes that; then the answer. docs/reference/explanations.md says it in full.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..groups import grouped_by
from ..syntax.events import Named, Names
from ..syntax.record import question_of
from ..wording.stories import Voice, voice
from .interpretations import InterpretedStory, read
from .lines import LineSet
from .meaning import RULES, SEMANTICS, Chain, Facts, facts_of, has_secrets
from .naming import hops_of, putting, teacher
from .reasons import Obstacle, obstacles_of, reason_of, say_obstacle


def explain_story(text: str, facts: Facts, chain: Chain, names: Names, semantics: str, say: Voice) -> str:
    """Return why a chain believes what it does of the thing that `facts` are about.

    text: the numbered lines of the story.
    """
    sentences = say.sentences(text)
    steps, taught = say.macros("explain"), LineSet(RULES[semantics](facts, chain))
    lines = []
    for place in taught.each():
        line = facts.lines[place]
        reason = reason_of(facts, place, chain, names, say.reasons, why=True) if chain else ""
        lines.append(steps.taught(line + 1, sentences[line], reason, names.containers[facts.containers[place]]))
    lines += said_later(facts, chain, range(taught.last + 1, len(facts.lines)), semantics, names, say)
    answer = facts.last(taught.bits)
    if answer is None:
        raise ValueError(f"no line of the story teaches the chain {chain} where the thing is: ask another chain")
    return "\n".join([*lines, steps.answer(names.containers[answer])])


def explain_path(found: InterpretedStory, text: str, chain: Chain, names: Names, say: Voice) -> str:
    """Return why a chain believes what it does, where lines name containers by thoughts: one step after another.

    text: the numbered lines of the story. Each step has the line that taught a belief, and why no later one did so
    before the line that is named by it.
    """
    sentences = say.sentences(text)
    story, facts, thing = found.story, found.facts, found.thing
    steps, lines = say.macros("explain"), list[str]()
    for hop in hops_of(story, facts, chain):
        if hop.before < len(facts.lines):
            named = facts.lines[hop.before]
            whose = tuple([names.agents[agent] for agent in hop.chain])
            lines.append(steps.before(whose, names.things[thing], named + 1))
        line = facts.lines[hop.place]
        reason = reason_of(facts, hop.place, hop.chain, names, say.reasons, why=True)
        lines.append(steps.step(line + 1, sentences[line], reason))
        put = facts.lines[putting(story, facts, hop.place)]
        if put != line:
            lines.append(steps.stayed(put + 1, sentences[put]))
        lines += said_later(facts, hop.chain, range(hop.place + 1, hop.before), "recursive", names, say)
    answer = facts.containers[teacher(facts, chain, len(facts.lines))]
    return "\n".join([*lines, steps.answer(names.containers[answer])])


def said_later(facts: Facts, chain: Chain, later: range, semantics: str, names: Names, say: Voice) -> list[str]:
    """Return in words, if there are later lines, why none of them teaches the chain; lines are places in `facts`."""
    idle = LineSet(0 if chain else facts.entries)  # who comes in and sees the thing puts it nowhere
    obstacles = {
        facts.lines[place] + 1: obstacles_of(facts, place, chain, semantics) for place in later if place not in idle
    }
    shared = folded(obstacles).items()
    told = [(say_obstacle([one], names, say.reasons, why=True), at) for one, at in shared]
    return [say.macros("explain").later(told)] if told else []


def folded(obstacles: dict[int, list[Obstacle]]) -> dict[Obstacle, list[int]]:
    """Return the lines of each obstacle, given for each line the obstacles that are enough.

    Each line gets the obstacle that most lines share, or of several such the first in the chain.
    """
    shared = Counter([found for enough in obstacles.values() for found in enough])
    return grouped_by(lambda line: max(obstacles[line], key=shared.__getitem__), obstacles)


def explain_row(row: Mapping[str, Any], language: str = "en") -> str:
    """Return the explanation of a row of hi_tom, from its columns `story`, `events`, `chain` and `answer`.

    It follows the printed rules, the semantics `recursive`, wherever they give the answer, else `published`. Raises
    ValueError for `events` that are no formal story, and for columns that do not fit them.
    """
    story, names, question = question_of(row)
    if row["story"].count("\n") + 1 != len(story.events):
        raise ValueError(f"the story of a row must have one line for each of its {len(story.events)} events")
    facts, chain = facts_of(story, question.thing), question.chain
    for semantics in SEMANTICS[: 1 if has_secrets(story) else None]:
        container = facts.last(RULES[semantics](facts, chain))
        if container is not None and names.containers[container] == row["answer"]:
            if any(isinstance(event, Named) for event in story.events):
                return explain_path(read(story, question.thing), row["story"], chain, names, voice(language))
            return explain_story(row["story"], facts, chain, names, semantics, voice(language))
    raise ValueError(f"the answer of a row is {row['answer']}; it must follow from its events")
