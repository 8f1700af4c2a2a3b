"""The steps that an explanation of `woven` must have: for each container that is named by thoughts, who taught them.

The lines are those of `story_minds.steps_to`; what is said of each of them, `story_steps` knows.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..syntax.events import Come, Enter, Move, Named, Place, Question, Still, Story
from .english import pattern_of
from .expected import ExpectedSteps
from .read_stories import read_question, read_story
from .story_steps import StoryTruth


def known_steps(row: Mapping[str, Any]) -> ExpectedSteps:
    """Return what an explanation of a row must say; the reason why a later line changes nothing may be any true one.

    Raises ReadError for a story or question that cannot be read.
    """
    story, names = read_story(row["story"])
    question = read_question(row["question"], names)
    thing, chain, end = names.things[question.thing], question.chain, len(story.events)
    is_or_are = "are" if f"The {thing} are in" in row["story"] else "is"
    steps: list[str] = []
    reworded: dict[str, Callable[[str], bool]] = {}
    answer = ""
    while True:
        told = Story(story.n_agents, story.events[:end])
        truth = StoryTruth(row["story"], told, names, Question(chain, question.thing))
        if not truth.taught:
            break
        answer, number = truth.answer, truth.taught[-1].line
        steps.append(f"Line {number}: {truth.sentences[number - 1]} {truth.why(truth.taught[-1])}.")
        event = story.events[number - 1]
        if isinstance(event, Enter | Come | Still):
            puts = [line for line, event in enumerate(story.events[: number - 1], 1) if puts_thing(event)]
            number = puts[-1]
            event = story.events[number - 1]
            steps.append(f"It is where line {number} put it: {truth.sentences[number - 1]}")
        if truth.later:
            *_, later = truth.steps()
            steps.append(later)
            reworded[later] = truth.is_later
        if not isinstance(event, Named):
            break
        chain, end = getattr(event, "by", ()), number - 1
        minds = "".join(f"{names.agents[agent]} thinks " for agent in chain)
        steps.append(f"Where {minds}the {thing} {is_or_are} just before line {number}:")
    return ExpectedSteps(steps, f"Answer: {answer}", pattern_of("step", "story"), reworded)


def puts_thing(event: object) -> bool:
    """Return whether a line puts the thing somewhere; a woven story has one thing."""
    return isinstance(event, Place | Move) and not isinstance(event, Still)
