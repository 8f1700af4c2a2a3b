"""The steps that an explanation of hi_tom must have: each line that taught the chain, and why no later line does.

Its sentences are written by hand from docs/reference/explanations.md and never look at the templates. What really
happened comes from `story_minds`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, reduce
from itertools import pairwise
from typing import Any

from ..syntax.events import Enter, Names, Overhear, Question, Report, Story, Watch
from .english import listed, pattern_of
from .expected import ExpectedSteps
from .read_stories import read_question, read_story
from .story_minds import Chain, Moment, moments


class StoryTruth:
    """Hold what the second meaning says of one question: why each line about the thing teaches what it does."""

    def __init__(self, text: str, story: Story, names: Names, question: Question, answer: str | None = None) -> None:
        """Hold a story with its text, and a question; `answer` only tells by which semantics it was labelled."""
        self.story, self.names, self.question = story, names, question
        self.sentences = [line.partition(" ")[2] for line in text.split("\n")]
        has_secrets = any(isinstance(event, Watch | Report | Overhear) for event in story.events)
        for self.semantics in ("recursive", "published"):
            self._found = moments(self.story, self.question, self.semantics)
            self.taught = [moment for moment, teaches in self._found if teaches]
            self.answer = self._name(self.taught[-1].container) if self.taught else ""
            if has_secrets or answer in (None, self.answer):  # the published semantics has no rule for secrets
                break

    @cached_property
    def later(self) -> dict[int, list[str]]:
        """Why each line after the last that taught the chain teaches it nothing."""
        last = self.taught[-1].line if self.taught else 0
        later = [moment for moment, _ in self._found if moment.line > last]
        if not self.question.chain:  # who comes in later changes nothing real
            later = [moment for moment in later if not isinstance(moment.event, Enter)]
        return {moment.line: self._why_not(moment) for moment in later}

    def steps(self) -> Iterator[str]:
        """Yield the steps of the explanation, without the answer."""
        for moment in self.taught:
            sentence, why = self.sentences[moment.line - 1], self.why(moment)
            yield f"Line {moment.line}: {sentence} {f'{why}. ' * bool(why)}Now: {self._name(moment.container)}."
        if self.later:
            weights = Counter(reason for reasons in self.later.values() for reason in reasons)
            lines: dict[str, list[int]] = defaultdict(list)
            for line, reasons in self.later.items():
                lines[max(reasons, key=weights.__getitem__)].append(line)
            clauses = [
                f"{reason} (line{'s' * (len(numbers) > 1)} {listed([*map(str, numbers)])})"
                for reason, numbers in lines.items()
            ]
            yield f"No later line changes this: {'; '.join(clauses)}."

    def is_later(self, step: str) -> bool:
        """Return whether a step says of every later line one true reason why it changes nothing, and of no other."""
        match = pattern_of("step", "later").fullmatch(step)
        if match is None:
            return False
        said: list[tuple[int, str]] = []
        for text in match["clauses"].split("; "):
            clause = pattern_of("step", "because").fullmatch(text)
            if clause is None:
                return False
            said += [(int(line), clause["reason"]) for line in re.findall(r"\d+", clause["lines"])]
        return sorted(line for line, _ in said) == [*self.later] and all(
            reason in self.later[line] for line, reason in said
        )

    def _name(self, container: int) -> str:
        """Return the name of a container."""
        return self.names.containers[container]

    def _named(self, agents: Iterable[int]) -> list[str]:
        """Return the names of agents."""
        return [self.names.agents[agent] for agent in agents]

    def why(self, moment: Moment) -> str:
        """Return why a line taught the chain; "" for what is really so."""
        chain, speaker = self.question.chain, moment.speaker
        if not chain:
            return ""
        if moment.content:
            chain = chain[: -len(moment.content)]
        secret = self._named(agent for agent in chain if agent not in moment.openly)
        how = "watching" if speaker is None else "listening"
        noticing = ", ".join(f"{agent} noticed {other} {how}" for agent, other in pairwise(secret))
        if len(secret) == 1:
            noticing = f"{secret[0]} {'watched' if speaker is None else 'overheard it'}"
        seeing = self._named(chain[len(secret) :])
        if speaker is None:
            rest = f"{listed(seeing)} saw it" if seeing else ""
        else:
            rest = self._why_convinced(moment, speaker, chain)
        return ", and ".join(filter(None, (noticing, rest)))

    def _why_convinced(self, moment: Moment, claimant: int, chain: Chain) -> str:
        """Return why the last agent of a chain, in the eyes of those before, believes the claim of an agent."""
        means = chain[-1] == claimant
        *others, judge = chain[:-1] if means else chain
        before = self._named(others)
        name, speaker = self._named((judge, claimant))
        if not reduce(Moment.within, others, moment).trusts(judge):
            knowing = before[:-1]
            as_known = f", as {listed(knowing)} know{'s' * (len(knowing) == 1)}" if knowing else ""
            return f"{speaker} takes {name} to trust what {speaker} says{as_known}"
        why = "left later" if judge in moment.left else "was there"
        meant = f", and takes {speaker} to mean it" if means else ""
        deceived = f", for all {listed(before)} can tell" if judge in moment.watchers else ""
        return f"{name} trusts {speaker}, who {why}{meant}{deceived}"

    def _why_not(self, moment: Moment) -> list[str]:
        """Return why a line teaches the chain nothing: reasons of which each is enough, in the order of the chain."""
        chain, content = self.question.chain, moment.content
        if content and chain and chain[-len(content) :] != content:
            return [f"it is about the thoughts of {listed(self._named(content))}"]
        if content and chain == content:
            return [f"it does not change what {self.names.agents[content[0]]} thinks"]
        if content and chain:
            chain = chain[: -len(content)]
        sense, sensed = ("see", "saw") if moment.speaker is None else ("hear", "heard")
        if absent := [agent for agent in chain if not moment.reaches(agent)]:
            return [f"{name} did not {sense} it" for name in self._named(absent)]
        speaker = "" if moment.speaker is None else self.names.agents[moment.speaker]
        if self.semantics == "published" and speaker and len(chain) > 2:
            return ["the published generator passes no claim on to beliefs of three agents or more"]
        if self.semantics == "published" and speaker and len(chain) == 2 and moment.speaker not in chain:
            return [f"the published generator passes a claim on only to pairs that {speaker} is one of"]
        if apart := [pair for pair in pairwise(chain) if not moment.within(pair[0]).reaches(pair[1])]:
            return [f"{agent} did not know that {other} {sensed} it" for agent, other in map(self._named, apart)]
        if not chain:
            return ["words move nothing"]
        if moment.speaker is None:  # what is seen teaches each chain that it reaches
            return []
        if chain == (moment.speaker,):
            return [f"{speaker} said it"]
        judge = chain[-2] if chain[-1] == moment.speaker else chain[-1]
        name = self.names.agents[judge]
        if moment.left_later(moment.speaker, judge):
            return [f"{name} watched, and does not trust {speaker}"]
        why = "did not leave later" if moment.speaker in moment.left else "was not there"
        return [f"{name} does not trust {speaker}, who {why}"]


def known_steps(row: Mapping[str, Any]) -> ExpectedSteps:
    """Return what an explanation of a row must say; the reason why a later line changes nothing may be any true one.

    Raises ReadError for a story or question that cannot be read.
    """
    story, names = read_story(row["story"])
    truth = StoryTruth(row["story"], story, names, read_question(row["question"], names), row["answer"])
    steps, begins = list(truth.steps()), pattern_of("step", "story")
    return ExpectedSteps(steps, f"Answer: {truth.answer}", begins, dict.fromkeys(steps[-1:], truth.is_later))
