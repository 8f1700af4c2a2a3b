"""The explanation of a hi_tom row: which lines taught the asked chain its belief, and why later ones did not.

It has one step a line: every line that taught the chain, with what the chain believes from there on; then why no later
line about the thing changes that; then the answer. docs/reference/explanations.md says it in full.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..groups import grouped_by
from ..syntax.events import Names
from ..syntax.record import question_of
from ..wording.stories import Voice, voice
from .lines import LineSet
from .meaning import RULES, SEMANTICS, Chain, Facts, facts_of, has_secrets
from .reasons import Obstacle, obstacles_of, reason_of, say_obstacle


def explain_story(text: str, facts: Facts, chain: Chain, names: Names, semantics: str, say: Voice) -> str:
    """Return why a chain believes what it does of the thing that `facts` are about.

    text: the numbered lines of the story.
    """
    sentences = text.split("\n")
    steps, taught = say.macros("explain"), LineSet(RULES[semantics](facts, chain))
    lines = []
    for place in taught.each():
        line = facts.lines[place]
        sentence = sentences[line].partition(" ")[2]
        reason = reason_of(facts, place, chain, names, say.reasons, why=True) if chain else ""
        lines.append(steps.taught(line + 1, sentence, reason, names.containers[facts.containers[place]]))
    idle = LineSet(0 if chain else facts.entries)  # who comes in and sees the thing puts it nowhere
    obstacles = {
        facts.lines[place] + 1: obstacles_of(facts, place, chain, semantics)
        for place in range(taught.last + 1, len(facts.lines))
        if place not in idle
    }
    if obstacles:
        shared = folded(obstacles).items()
        lines.append(steps.later([(say_obstacle([one], names, say.reasons, why=True), at) for one, at in shared]))
    answer = facts.last(taught.bits)
    if answer is None:
        raise ValueError(f"no line of the story teaches the chain {chain} where the thing is: ask another chain")
    return "\n".join([*lines, steps.answer(names.containers[answer])])


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
            return explain_story(row["story"], facts, chain, names, semantics, voice(language))
    raise ValueError(f"the answer of a row is {row['answer']}; it must follow from its events")
