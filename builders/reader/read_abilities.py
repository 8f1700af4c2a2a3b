"""The second opinion on the questions of `abilities`: each is read from its English, and answered by nested minds.

`english.txt` has how questions and choices of each kind are said, `_settling` the beliefs that settle them, and
`_following` what follows from these.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import compress
from typing import Any

from ..syntax.ability import Belief, Query
from ..syntax.events import Lose, Question, Story
from ..syntax.record import spell
from .english import NAME, ReadError, pattern, pattern_of, table
from .expected import ExpectedSteps
from .read_stories import number_of, read_story
from .story_interpretations import differing
from .story_minds import believe_after, happenings
from .story_steps import StoryTruth


def _settling(asked: Query) -> list[Belief]:
    """Return the beliefs that settle a question."""
    chain, line = asked.chain, asked.line
    match asked.kind:
        case "right" | "surprise" | "lie":  # what the judge believes, and takes the last of the chain to believe
            return [Belief(chain[:-1], line), Belief(chain, line)]
        case "agree" | "who":  # what the outer minds take each named agent to believe
            return [Belief((*chain[:-1], agent)) for agent in (chain[-1], *asked.others)]
        case "change":  # before each listed line, and after it
            lines = [int(choice.removeprefix("line ")) for choice in asked.options]
            return [Belief(chain, line - before) for line in lines for before in (1, 0)]
        case "what_if":
            return [Belief(chain, without=line)]
        case "tell":
            return [Belief(chain, claim=choice) for choice in asked.options]
    return [Belief(chain, line)]


def _said(asked: Query, option: Any) -> str:
    """Return the choice that says an option, as `query` spells it."""
    if asked.kind == "change":
        return f"line {option}"
    case, names = (len(option), option) if asked.kind == "who" else (json.dumps(option), asked.chain[-1:])
    words = dict(table("said")).get(f"{asked.kind} {case}")
    return words.format(*names) if words else option


def _following(asked: Query, held: list[str]) -> str:
    """Return the choice that follows from the containers of the beliefs that settle a question, "" for none."""
    there = [container == asked.container for container in held]
    match asked.kind:
        case "right" | "agree":
            return _said(asked, held[0] == held[1])
        case "surprise":
            return _said(asked, there[0] != there[1])
        case "who":
            return _said(asked, [*compress((asked.chain[-1], *asked.others), there)])
        case "lie":  # the judge's own belief comes first
            return _said(asked, there[::-1])
        case "change":
            changes = zip(asked.options, held[::2], held[1::2], strict=True)
            return next((line for line, before, after in reversed([*changes]) if before != after), "")
        case "tell":
            working = [*compress(asked.options, there)]
            return working[0] if len(working) == 1 else ""
    return held[0]


def read_ability(text: str, choices: list[str]) -> tuple[Query, str]:
    """Return the question that an English text asks, and its thing. Raises ReadError for another text."""
    for kind, words in table("asked"):
        if match := pattern(words).fullmatch(text):
            said = match.groupdict("")
            chain = tuple([name for group in "abc" for name in re.findall(NAME, said.get(group, ""))])
            others = tuple(re.findall(NAME, said.get("d", "")))
            if len({*chain, *others}) < len(chain) + len(others):
                raise ReadError(f"a question must name each agent once: {text!r}")
            line = int(said["line"]) if "line" in said else None
            return Query(kind, chain, others, line, said.get("container"), tuple(choices)), said["thing"]
    raise ReadError(f"not a question of a known kind: {text!r}; the kinds are {', '.join(dict(table('asked')))}")


class AbilityTruth:
    """Hold what the second meaning says of one question. Raises ReadError for what cannot be read."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read the story, the question and the choices of a row."""
        self.text = row["story"]
        self.asked, self.thing = read_ability(row["question"], row["choices"])
        self._truths = [_truth(self.text, self.thing, held) for held in _settling(self.asked)]

    def answer(self) -> str:
        """Return the right choice."""
        return _following(self.asked, [truth.answer for truth in self._truths])

    def choices(self, options: list[Any]) -> list[str]:
        """Return the choices that say some options, as `query` spells them; "" where no choice says a claim."""
        if self.asked.kind != "tell":
            return [_said(self.asked, option) for option in options]
        claims = [spell(truth.story.events[-1], truth.names) for truth in self._truths]
        choices = dict(zip(map(repr, claims), self.asked.options, strict=True))
        return [choices.get(repr(option), "") for option in options]

    def disputed(self) -> list[str]:
        """Return the readings under which a belief that settles the question is another, sorted."""
        names: set[str] = set()
        for truth in {*self._truths}:  # two listed lines in a row share a belief
            chain, told = truth.question.chain, happenings(truth.story, truth.question.thing)
            names.update(differing(told, chain, believe_after(told, [chain], "recursive")[chain]))
        return sorted(names)

    def known(self) -> ExpectedSteps:
        """Return what an explanation of the question must say."""
        steps: list[str] = []
        later: dict[str, Callable[[str], bool]] = {}  # what tells whether a line says such a step in other words
        # The steps to a belief show what was the last to change it.
        for held in [Belief(self.asked.chain)] if self.asked.kind == "change" else _settling(self.asked):
            truth = _truth(self.text, self.thing, held)
            steps += [_further(held.claim, truth)] if held.claim else [self._heading(held), *truth.steps()]
            if truth.later and not held.claim:
                later[steps[-1]] = truth.is_later
        return ExpectedSteps(steps, f"Answer: {self.answer()}", pattern_of("step", "story"), later)

    def _heading(self, held: Belief) -> str:
        """Return what announces the steps of a belief."""
        thinkers = "".join(f"{agent} thinks " for agent in held.chain)
        verb = "are" if re.search(rf"[Tt]he {self.thing} are ", self.text) else "is"
        when = f" right after line {held.upto}" * bool(held.upto) + f" without line {held.without}" * bool(held.without)
        return f"Where {thinkers}the {self.thing} {'' if thinkers else 'really '}{verb}{when}:"


@lru_cache(maxsize=64)  # the answer, the readings and the explanation rest on the same beliefs
def _truth(text: str, thing: str, held: Belief) -> StoryTruth:
    """Return what is so of a belief, line by line; a line that did not happen becomes a line that means nothing."""
    if held.claim:
        text += f"\n{len(read_story(text)[0].events) + 1} {held.claim}."
    story, names = read_story(text)
    events = [Lose(0, 0) if line == held.without else event for line, event in enumerate(story.events, 1)]
    about = f"a question about the {thing}"
    chain = tuple(number_of("agent", agent, names.agents, about) for agent in held.chain)
    question = Question(chain, number_of("thing", thing, names.things, about))
    return StoryTruth(text, Story(story.n_agents, tuple(events[: held.upto])), names, question)


def _further(claim: str, truth: StoryTruth) -> str:
    """Return what a claim as a further line does to a belief, and why."""
    if reasons := truth.later.get(len(truth.story.events)):
        return f"{claim}: {reasons[0]}."
    return f"{claim}: {truth.why(truth.taught[-1])}. Now: {truth.answer}."
