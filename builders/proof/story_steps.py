"""What an explanation of hi_tom must say: each line that taught the chain, and why no later line does.

Its sentences are written by hand from docs/explanations.md and never look at the templates. What really happened comes
from `story_minds`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from .judged import Known, listed
from .read_stories import read_question, read_story
from .story_minds import Moment, believe, moments

_N = "[1-9][0-9]{0,5}"
_LATER = re.compile(r"No later line changes this: (?P<clauses>.+)\.")
_CLAUSE = re.compile(rf"(?P<reason>[^();]+) \((?P<lines>line {_N}|lines {_N}(?:, {_N})* and {_N})\)")
_BEGINS = re.compile(r"Lines? \d|No later line")


class StoryTruth:
    """Hold what the second meaning says of one question, by line: why each line about the thing teaches what it does.

    Raises ReadError for a story or question that cannot be read.
    """

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read the story and the question of a row; `answer` only tells by which semantics it was labelled."""
        self.story, self.names = read_story(row["story"])
        self.question = read_question(row["question"], self.names)
        self.sentences = [line.partition(" ")[2] for line in row["story"].split("\n")]
        recursive = self._name(believe(self.story, self.question, "recursive"))
        self.semantics = "published" if row["answer"] not in (None, recursive) else "recursive"
        self.answer = self._name(believe(self.story, self.question, self.semantics))
        found = moments(self.story, self.question, self.semantics)
        if not self.question.chain:  # who comes in later changes nothing real
            found = [moment for moment in found if moment.claim or moment.learned is not None]
        self.taught = [moment for moment in found if moment.learned is not None]
        last = self.taught[-1].line if self.taught else 0
        self.later = {moment.line: self._why_not(moment) for moment in found if moment.line > last}

    def steps(self) -> list[str]:
        """Return the steps of the explanation, without the answer."""
        steps = []
        for moment in self.taught:
            sentence, why = self.sentences[moment.line - 1], self._why(moment)
            steps.append(f"Line {moment.line}: {sentence} {f'{why}. ' * bool(why)}Now: {self._name(moment.learned)}.")
        if self.later:
            weights = Counter(reason for reasons in self.later.values() for reason in reasons)
            lines: dict[str, list[int]] = defaultdict(list)
            for line, reasons in self.later.items():
                lines[max(reasons, key=weights.__getitem__)].append(line)
            clauses = [
                f"{reason} (line{'s' * (len(numbers) > 1)} {listed([*map(str, numbers)])})"
                for reason, numbers in lines.items()
            ]
            steps.append(f"No later line changes this: {'; '.join(clauses)}.")
        return steps

    def is_later(self, step: str) -> bool:
        """Return whether a step says of every later line one true reason why it changes nothing, and of no other."""
        match = _LATER.fullmatch(step)
        clauses = [_CLAUSE.fullmatch(clause) for clause in match["clauses"].split("; ")] if match else [None]
        if None in clauses:
            return False
        said = [(int(line), clause["reason"]) for clause in clauses for line in re.findall(_N, clause["lines"])]
        return sorted(line for line, _ in said) == [*self.later] and all(
            reason in self.later[line] for line, reason in said
        )

    def _name(self, container: int | None) -> str:
        """Return the name of a container; "" for none."""
        return "" if container is None else self.names.containers[container]

    def _named(self, agents: Iterable[int]) -> list[str]:
        """Return the names of agents."""
        return [self.names.agents[agent] for agent in agents]

    def _judge(self, speaker: int) -> int:
        """Return whose trust in a speaker counts for the chain."""
        chain = self.question.chain
        return chain[-2] if chain[-1] == speaker else chain[-1]

    def _why(self, moment: Moment) -> str:
        """Return why a line taught the chain; "" for what is really so."""
        chain, claim = self.question.chain, moment.claim
        if not chain:
            return ""
        if claim is None:
            first, *others = self._named(chain)
            if chain[0] in moment.inside:
                return f"{listed([first, *others])} saw it"
            return f"{first} watched{f', and {listed(others)} saw it' if others else ''}"
        judge = self._judge(claim.speaker)
        before = self._named(chain[: chain.index(judge)])
        name, speaker = self._named((judge, claim.speaker))
        if judge not in claim.trusting:
            knowing = before[:-1]
            as_known = f", as {listed(knowing)} know{'s' * (len(knowing) == 1)}" if knowing else ""
            return f"{speaker} takes {name} to trust what {speaker} says{as_known}"
        why = "left later" if judge in moment.members else "was there"
        means = f", and takes {speaker} to mean it" if chain[-1] == claim.speaker else ""
        deceived = f", for all {listed(before)} can tell" if before and judge in moment.watchers else ""
        return f"{name} trusts {speaker}, who {why}{means}{deceived}"

    def _why_not(self, moment: Moment) -> list[str]:
        """Return why a line teaches the chain nothing: reasons of which each is enough, in the order of the chain."""
        chain, claim = self.question.chain, moment.claim
        if claim is None:
            if absent := [agent for agent in chain if agent not in moment.inside | moment.watchers]:
                return [f"{name} did not see it" for name in self._named(absent)]
            secret = self._named(agent for agent in chain[1:] if agent not in moment.inside)
            return [f"{name} saw it in secret" for name in secret]
        speaker = self.names.agents[claim.speaker]
        unheard = [agent for agent in chain if agent not in claim.audience]
        if self.semantics == "published" and not unheard and len(chain) > 2:
            return ["the published generator passes no claim on to beliefs of three agents or more"]
        if self.semantics == "published" and not unheard and len(chain) == 2 and claim.speaker not in chain:
            return [f"the published generator passes a claim on only to pairs that {speaker} is one of"]
        if unheard:
            return [f"{name} did not hear it" for name in self._named(unheard)]
        if not chain:
            return ["words move nothing"]
        if chain == (claim.speaker,):
            return [f"{speaker} said it"]
        judge = self._judge(claim.speaker)
        name = self.names.agents[judge]
        if judge in claim.trusting:
            return [f"{name} watched, and does not trust {speaker}"]
        why = "did not leave later" if claim.speaker in moment.members else "was not there"
        return [f"{name} does not trust {speaker}, who {why}"]


def known_steps(row: Mapping[str, Any]) -> Known:
    """Return what an explanation of a row must say; the reason why a later line changes nothing may be any true one.

    Raises ReadError for a story or question that cannot be read.
    """
    truth = StoryTruth(row)
    steps = truth.steps()
    return Known(
        steps, f"Answer: {truth.answer}", _BEGINS.match, lambda line: steps[-1] if truth.is_later(line) else line
    )
