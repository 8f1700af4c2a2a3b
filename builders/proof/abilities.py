"""The second opinion on the questions of `abilities`: each is read from its English, and answered by nested minds.

`english.txt` has how the questions of each kind are said, and `_KINDS` the beliefs that settle them and what follows.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ..syntax.events import Lose, Question, Story
from .english import NAME, ReadError, pattern, table
from .judged import Known
from .read_stories import read_story
from .story_minds import believe_after, happenings
from .story_readings import differing
from .story_steps import BEGINS, StoryTruth


class Asked(NamedTuple):
    """Hold a question as its English says it, with names."""

    kind: str
    chain: list[str]  # whose belief it is about, outermost first
    others: list[str]  # agents beside the last of the chain
    line: int | None
    container: str | None
    choices: list[str]


class Held(NamedTuple):
    """Name a belief that settles a question: whose, and after which line, without which, or with which more."""

    chain: tuple[str, ...]
    upto: int | None = None
    without: int | None = None
    claim: str | None = None  # a further line


def _of_chain(asked: Asked) -> list[Held]:
    """Return what the chain believes after the line asked about, or else at the end."""
    return [Held((*asked.chain,), upto=asked.line)]


def _judged(asked: Asked) -> list[Held]:
    """Return what the judge believes, and what the judge takes the last of the chain to believe."""
    return [Held((*chain,), upto=asked.line) for chain in (asked.chain[:-1], asked.chain)]


def _each(asked: Asked) -> list[Held]:
    """Return what the outer minds take each of those beside one another to believe."""
    return [Held((*asked.chain[:-1], agent)) for agent in (asked.chain[-1], *asked.others)]


def _around(asked: Asked) -> list[Held]:
    """Return what the chain believes before each listed line, and after it."""
    lines = [int(choice.removeprefix("line ")) for choice in asked.choices]
    return [Held((*asked.chain,), upto=line - before) for line in lines for before in (1, 0)]


def _one(asked: Asked, held: list[str]) -> str:
    return held[0]


def _is_alike(asked: Asked, held: list[str]) -> str:
    return "yes" if held[0] == held[1] else "no"


def _surprised(asked: Asked, held: list[str]) -> str:
    """Return whether one of the two is the container, and the other is not."""
    return "yes" if (held[0] == asked.container) is not (held[1] == asked.container) else "no"


def _who(asked: Asked, held: list[str]) -> str:
    """Return which of three think so, in words."""
    three = (asked.chain[-1], *asked.others)
    thinking = [agent for agent, container in zip(three, held, strict=True) if container == asked.container]
    return ("nobody", f"only {''.join(thinking[:1])}", " and ".join(thinking), "all three")[len(thinking)]


def _said(asked: Asked, held: list[str]) -> str:
    """Return whether the speaker thinks so and whether it is true, in words."""
    is_so, thinks = [container == asked.container for container in held]
    thought = f"{asked.chain[-1]} {'thinks' if thinks else 'does not think'} so"
    return f"{thought} {'and' if is_so == thinks else 'but'} it is {'true' if is_so else 'false'}"


def _changed(asked: Asked, held: list[str]) -> str:
    """Return the last listed line before which another belief was held than after it; "" for none."""
    changes = zip(asked.choices, held[::2], held[1::2], strict=True)
    return next((line for line, before, after in reversed([*changes]) if before != after), "")


def _working(asked: Asked, held: list[str]) -> str:
    """Return the one claim that works; "" where none or several do."""
    working = [choice for choice, container in zip(asked.choices, held, strict=True) if container == asked.container]
    return working[0] if len(working) == 1 else ""


# The beliefs that settle a question of a kind, and the choice that follows from their containers.
_KINDS: dict[str, tuple[Callable[[Asked], list[Held]], Callable[[Asked, list[str]], str]]] = {
    "now": (_of_chain, _one),
    "past": (_of_chain, _one),
    "change": (_around, _changed),
    "right": (_judged, _is_alike),
    "agree": (_each, _is_alike),
    "who": (_each, _who),
    "search": (_of_chain, _one),
    "surprise": (_judged, _surprised),
    "lie": (_judged, _said),
    "what_if": (lambda asked: [Held((*asked.chain,), without=asked.line)], _one),
    "tell": (lambda asked: [Held((*asked.chain,), claim=choice) for choice in asked.choices], _working),
}
# The beliefs that the explanation of a kind goes through, where they are others.
_EXPLAINED = {"change": _of_chain}


def read_ability(text: str, choices: list[str]) -> tuple[Asked, str]:
    """Return the question that an English text asks, and its thing. Raises ReadError for another text."""
    for kind, words in table("asked"):
        if match := pattern(words).fullmatch(text):
            said = match.groupdict("")
            chain = [name for group in "abc" for name in re.findall(NAME, said.get(group, ""))]
            others = re.findall(NAME, said.get("d", ""))
            if len({*chain, *others}) < len(chain) + len(others):
                raise ReadError(f"a question names each agent once: {text!r}")
            line = int(said["line"]) if "line" in said else None
            return Asked(kind, chain, others, line, said.get("container"), [*choices]), said["thing"]
    raise ReadError(f"not a question of a known kind: {text!r}; the kinds are {', '.join(_KINDS)}")


class AbilityTruth:
    """Hold what the second meaning says of one question. Raises ReadError for what cannot be read."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read the story, the question and the choices of a row."""
        self.text = row["story"]
        _, names = read_story(self.text)
        self.asked, self.thing = read_ability(row["question"], row["choices"])
        if strangers := sorted({*self.asked.chain, *self.asked.others} - {*names.agents}):
            raise ReadError(f"the question names {strangers[0]}, who is not in the story")
        if self.thing not in names.things:
            raise ReadError(f"the story says nothing about the {self.thing}, which the question asks about")
        beliefs, self._follows = _KINDS[self.asked.kind]
        self._truths = [_truth(self.text, self.thing, held) for held in beliefs(self.asked)]

    def answer(self) -> str:
        """Return the right choice."""
        return self._follows(self.asked, [truth.answer for truth in self._truths])

    def disputed(self) -> list[str]:
        """Return the readings under which a belief that settles the question is another, sorted."""
        names: set[str] = set()
        for truth in {*self._truths}:  # two listed lines in a row share a belief
            chain, told = truth.question.chain, happenings(truth.story, truth.question.thing)
            names.update(differing(told, chain, believe_after(told, [chain], "recursive")[chain]))
        return sorted(names)

    def known(self) -> Known:
        """Return what an explanation of the question must say."""
        steps: list[str] = []
        later: dict[str, StoryTruth] = {}  # the truths behind the steps about later lines
        for held in _EXPLAINED.get(self.asked.kind, _KINDS[self.asked.kind][0])(self.asked):
            truth = _truth(self.text, self.thing, held)
            steps += [_further(held.claim, truth)] if held.claim else [self._heading(held), *truth.steps()]
            if truth.later and not held.claim:
                later[steps[-1]] = truth

        def canonical(line: str) -> str:
            """Return the step that a line says in other words, or the line."""
            return line if line in later else next((step for step in later if later[step].is_later(line)), line)

        return Known(steps, f"Answer: {self.answer()}", lambda line: BEGINS.match(line) or line in steps, canonical)

    def _heading(self, held: Held) -> str:
        """Return what announces the steps of a belief."""
        thinkers = "".join(f"{agent} thinks " for agent in held.chain)
        verb = "are" if re.search(rf"[Tt]he {self.thing} are ", self.text) else "is"
        when = f" right after line {held.upto}" * bool(held.upto) + f" without line {held.without}" * bool(held.without)
        return f"Where {thinkers}the {self.thing} {'' if thinkers else 'really '}{verb}{when}:"


@lru_cache(maxsize=64)  # the answer, the readings and the explanation rest on the same beliefs
def _truth(text: str, thing: str, held: Held) -> StoryTruth:
    """Return what is so of a belief, line by line; a line that did not happen becomes one that means nothing."""
    if held.claim:
        text += f"\n{len(read_story(text)[0].events) + 1} {held.claim}."
    story, names = read_story(text)
    events = [*story.events]
    if held.without is not None:
        events[held.without - 1] = Lose(0, 0)
    question = Question(tuple(map(names.agents.index, held.chain)), names.things.index(thing))
    sentences = [line.partition(" ")[2] for line in text.split("\n")]
    return StoryTruth(Story(story.n_agents, tuple(events[: held.upto])), names, question, sentences, None)


def _further(claim: str, truth: StoryTruth) -> str:
    """Return what a claim as a further line does to a belief, and why."""
    if reasons := truth.later.get(len(truth.story.events)):
        return f"{claim}: {reasons[0]}."
    return f"{claim}: {truth.why(truth.taught[-1])}. Now: {truth.answer}."
