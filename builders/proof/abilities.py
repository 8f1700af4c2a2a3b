"""The second opinion on the questions of `abilities`: each is read from its English, and answered by nested minds.

`english.txt` has how the questions of each kind are said, and `_KINDS` the beliefs that settle them and what follows.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..syntax.events import Lose, Question, Story
from .english import NAME, ReadError, pattern, table
from .judged import Known
from .read_stories import read_story
from .story_minds import believe_after, believe_all, happenings
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

    chain: list[str]
    upto: int | None = None
    without: int | None = None
    claim: str | None = None  # a further line


def _end(asked: Asked) -> list[Held]:
    """Return what the chain believes at the end."""
    return [Held(asked.chain)]


def _judged(asked: Asked) -> list[Held]:
    """Return what the judge believes, and what the judge takes the last of the chain to believe."""
    return [Held(asked.chain[:-1]), Held(asked.chain)]


def _each(asked: Asked) -> list[Held]:
    """Return what the outer minds take each of those beside one another to believe."""
    return [Held([*asked.chain[:-1], agent]) for agent in (asked.chain[-1], *asked.others)]


def _moments(asked: Asked) -> list[int]:
    """Return the lines that are listed, and those before them."""
    return sorted({int(choice.removeprefix("line ")) - k for choice in asked.choices for k in (0, 1)})


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
    """Return the last listed line before which another belief was held than after it."""
    after = dict(zip(_moments(asked), held, strict=True))
    changes = [line for line in after if f"line {line}" in asked.choices and after[line] != after[line - 1]]
    return f"line {max(changes, default=0)}"


def _working(asked: Asked, held: list[str]) -> str:
    """Return the one claim that works; "" where none or several do."""
    working = [choice for choice, container in zip(asked.choices, held, strict=True) if container == asked.container]
    return working[0] if len(working) == 1 else ""


class _Kind(NamedTuple):
    """Say how a kind of question is answered."""

    beliefs: Callable[[Asked], list[Held]]
    answer: Callable[[Asked, list[str]], str]
    steps: Callable[[Asked], list[Held]] | None = None  # the beliefs that its explanation goes through, if others


_KINDS = {
    "now": _Kind(_end, _one),
    "past": _Kind(lambda asked: [Held(asked.chain, upto=asked.line)], _one),
    "change": _Kind(lambda asked: [Held(asked.chain, upto=line) for line in _moments(asked)], _changed, _end),
    "right": _Kind(_judged, _is_alike),
    "agree": _Kind(_each, _is_alike),
    "who": _Kind(_each, _who),
    "search": _Kind(_end, _one),
    "surprise": _Kind(_judged, _surprised),
    "lie": _Kind(lambda asked: [held._replace(upto=asked.line) for held in _judged(asked)], _said),
    "what_if": _Kind(lambda asked: [Held(asked.chain, without=asked.line)], _one),
    "tell": _Kind(lambda asked: [Held(asked.chain, claim=choice) for choice in asked.choices], _working),
}


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
        self.story, self.names = read_story(self.text)
        self.asked, self.thing = read_ability(row["question"], row["choices"])
        self._kind = _KINDS[self.asked.kind]
        beliefs = [*self._kind.beliefs(self.asked), Held(self.asked.others)]
        named = {*self.asked.chain, *(agent for held in beliefs for agent in held.chain)}
        if strangers := sorted(named - {*self.names.agents}):
            raise ReadError(f"the question names {strangers[0]}, who is not in the story")
        if self.thing not in self.names.things:
            raise ReadError(f"the story says nothing about the {self.thing}, which the question asks about")

    def answer(self) -> str:
        """Return the right choice."""
        return self._kind.answer(self.asked, [self._believed(held) for held in self._kind.beliefs(self.asked)])

    def disputed(self) -> list[str]:
        """Return the readings under which a belief that settles the question is another, sorted."""
        names = set()
        for held in self._kind.beliefs(self.asked):
            chain, told = self._chain(held), happenings(self._story(held), self._thing)
            names.update(differing(told, chain, believe_after(told, [chain], "recursive")[chain]))
        return sorted(names)

    def known(self) -> Known:
        """Return what an explanation of the question must say."""
        steps: list[str] = []
        later: dict[str, StoryTruth] = {}  # the truths behind the steps about later lines
        for held in (self._kind.steps or self._kind.beliefs)(self.asked):
            truth = self._truth(held)
            if held.claim:
                steps.append(self._further(held, truth))
                continue
            steps += [self._heading(held), *truth.steps()]
            if truth.later:
                later[steps[-1]] = truth

        def canonical(line: str) -> str:
            """Return the step that a line says in other words, or the line."""
            return line if line in later else next((step for step in later if later[step].is_later(line)), line)

        headings = {step for step in steps if not BEGINS.match(step)}
        return Known(steps, f"Answer: {self.answer()}", lambda line: BEGINS.match(line) or line in headings, canonical)

    @property
    def _thing(self) -> int:
        return self.names.things.index(self.thing)

    def _chain(self, held: Held) -> tuple[int, ...]:
        return tuple(map(self.names.agents.index, held.chain))

    def _story(self, held: Held) -> Story:
        """Return the story that a belief is about; a line that did not happen becomes one that means nothing."""
        if held.claim:
            return read_story(f"{self.text}\n{len(self.story.events) + 1} {held.claim}.")[0]
        events = list(self.story.events)
        if held.without is not None:
            events[held.without - 1] = Lose(0, 0)
        return Story(self.story.n_agents, tuple(events[: held.upto]))

    def _believed(self, held: Held) -> str:
        """Return the container of a belief, "" for none."""
        chain = self._chain(held)
        container = believe_all(self._story(held), self._thing, [chain], "recursive")[chain]
        return "" if container is None else self.names.containers[container]

    def _truth(self, held: Held) -> StoryTruth:
        """Return what is so of a belief, line by line."""
        sentences = [line.partition(" ")[2] for line in self.text.split("\n")]
        question = Question(self._chain(held), self._thing)
        return StoryTruth(self._story(held), self.names, question, sentences + [f"{held.claim}."], None)

    def _heading(self, held: Held) -> str:
        """Return what announces the steps of a belief."""
        thinkers = "".join(f"{agent} thinks " for agent in held.chain)
        verb = "are" if re.search(rf"[Tt]he {self.thing} are ", self.text) else "is"
        when = f" right after line {held.upto}" * bool(held.upto) + f" without line {held.without}" * bool(held.without)
        return f"Where {thinkers}the {self.thing} {'' if thinkers else 'really '}{verb}{when}:"

    def _further(self, held: Held, truth: StoryTruth) -> str:
        """Return what a further line does to a belief, and why."""
        last = len(self.story.events) + 1
        if truth.taught and truth.taught[-1].line == last:
            return f"{held.claim}: {truth.why(truth.taught[-1])}. Now: {truth.answer}."
        return f"{held.claim}: {truth.later[last][0]}."
