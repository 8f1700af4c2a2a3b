"""Own the way back from an explanation of hi_tom: its lines become steps, and the second meaning says which are right.

A step is one line: a line of the story that taught the chain, with why and what the chain believes from there on; lines
that teach it nothing, with why; or the answer. Its patterns are written from the sentences of docs/explanations.md and
never look at the templates. What really happened comes from `story_minds`.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from builders.proof.english import NAME
from builders.proof.judged import JudgedSteps
from builders.proof.read_stories import read_question, read_story, same_sentence
from builders.proof.story_minds import Moment, believe, moments

_AGENTS = rf"{NAME}(?:(?:, {NAME})*,? and {NAME})?"
_BEFORE = rf", for all (?P<before>{_AGENTS}) can tell"
_PRESENT, _ABSENT = "who was there", "who was not there"
_LATER, _EARLIER = "who left later", "who did not leave later"

# Each reason by which a line teaches a chain something, or nothing.
_REASONS = {
    name: re.compile(pattern)
    for name, pattern in {
        "saw": rf"(?P<agents>{_AGENTS}) saw it",
        "watched": rf"(?P<watcher>{NAME}) watched(?:, and (?P<agents>{_AGENTS}) saw it)?",
        "trusts": rf"(?P<agents>{NAME}) trusts (?P<speaker>{NAME})(?:, (?P<why>{_PRESENT}|{_LATER}))?"
        rf"(?:, and takes (?P<means>{NAME}) to mean it)?(?:{_BEFORE})?",
        "taken": rf"(?P<speaker>{NAME}) takes (?P<agents>{NAME}) to trust what (?P<means>{NAME}) says"
        rf"(?:, as (?P<before>{_AGENTS}) knows?)?",
        "absent": rf"(?P<agents>{_AGENTS}) did not see it",
        "unseen": rf"(?P<agents>{_AGENTS}) saw it in secret",
        "unheard": rf"(?P<agents>{_AGENTS}) did not hear it",
        "reality": r"words move nothing",
        "own words": rf"(?P<agents>{NAME}) said it",
        "doubted": rf"(?P<agents>{NAME}) does not trust (?P<speaker>{NAME})(?:, (?P<why>{_ABSENT}|{_EARLIER}))?",
        "watcher": rf"(?P<agents>{NAME}) watched, and does not trust (?P<speaker>{NAME})",
        "nested": r"the published generator passes no claim on to beliefs of three agents or more",
        "apart": rf"the published generator passes a claim on only to pairs that (?P<speaker>{NAME}) is one of",
    }.items()
}

_NUMBERS = r"\d{1,6}(?:(?:, \d{1,6})*,? and \d{1,6})?"
_PASSED = re.compile(rf"Lines? (?P<lines>{_NUMBERS}) changes? nothing: (?P<reason>.+)\.")
_TAUGHT = re.compile(r"Line (?P<line>\d{1,6}): (?P<told>.+?\.) (?:(?P<reason>[^.]+)\. )?Now: (?P<container>\w+)\.")
_ANSWER = re.compile(r"Answer: (?P<container>\w+)\.")


@dataclass(frozen=True, slots=True)
class Reason:
    """Hold why a line teaches a chain something, or nothing; agents by name."""

    kind: str  # a key of _REASONS
    agents: tuple[str, ...] = ()  # whom the reason is about, in the order in which they are named
    speaker: str = ""  # who makes the claim
    watcher: str = ""  # who watched
    means: str = ""  # who is taken to mean the claim, or to say it
    before: tuple[str, ...] = ()  # the agents in whose eyes the reason holds
    why: str = ""  # why the speaker is trusted, or not; left out where it is not said

    def follows_from(self, truth: "Reason") -> bool:
        """Return whether this says part of what is so, enough for a reason: at least one who missed the line."""
        one_is_enough = self.kind in ("absent", "unseen", "unheard")
        agents, there = set(self.agents), set(truth.agents)
        return (
            (agents <= there and bool(agents) if one_is_enough else agents == there)
            and (self.kind, self.speaker, self.watcher, self.means)
            == (truth.kind, truth.speaker, truth.watcher, truth.means)
            and (not self.before or set(self.before) == set(truth.before))
            and self.why in ("", truth.why)
        )


@dataclass(frozen=True, slots=True)
class Taught:
    """Say that a line taught the chain where the thing is."""

    line: int  # its number, from 1
    told: str  # the sentence of the line
    reason: Reason | None  # why it taught the chain; None for reality, which needs no reason
    container: str  # where the chain takes the thing to be from there on


@dataclass(frozen=True, slots=True)
class Passed:
    """Say that lines taught the chain nothing."""

    lines: tuple[int, ...]  # their numbers, ascending
    reason: Reason  # why none of them did


@dataclass(frozen=True, slots=True)
class Answer:
    """Say what the answer is."""

    container: str  # where the chain takes the thing to be at the end


@dataclass(frozen=True, slots=True)
class Unread:
    """Hold a line that begins as a step and is none."""

    text: str  # the line


Step = Taught | Passed | Answer | Unread


class StoryTruth:
    """Hold what the second meaning says of one question, by line: why each line about the thing teaches what it does.

    Raises ReadError for a story or question that cannot be read.
    """

    def __init__(self, row: dict) -> None:
        """Read the story and the question of a row; `answer` only tells by which semantics it was labelled."""
        self.story, self.names = read_story(row["story"])
        self.question = read_question(row["question"], self.names)
        self.sentences = [line.partition(" ")[2] for line in row["story"].split("\n")]
        self.semantics = self._semantics(row)
        self.moments = {moment.line: moment for moment in moments(self.story, self.question, self.semantics)}
        self.answer = self._name(believe(self.story, self.question, self.semantics))
        if not self.question.chain:  # who comes in later changes nothing real
            self.moments = {line: seen for line, seen in self.moments.items() if seen.claim or seen.learned is not None}

    def _semantics(self, row: dict) -> str:
        """Return the semantics of the printed rules, wherever they give the answer of the row."""
        recursive = self._name(believe(self.story, self.question, "recursive"))
        return "published" if row["answer"] not in (None, recursive) else "recursive"

    def _name(self, container: int | None) -> str:
        """Return the name of a container; "" for none."""
        return "" if container is None else self.names.containers[container]

    def named(self, agents: Iterable[int]) -> tuple[str, ...]:
        """Return the names of agents."""
        return tuple(self.names.agents[agent] for agent in agents)

    def needed(self) -> list[int]:
        """Return the lines that an explanation is about: those that teach the chain, and all after the last one."""
        teaching = [line for line, moment in self.moments.items() if moment.learned is not None]
        return [line for line in self.moments if line in teaching or line > max(teaching, default=0)]

    def reason(self, line: int) -> Reason | None:
        """Return why a line about the thing teaches the chain something or nothing; None for what is really so."""
        moment, chain = self.moments[line], self.question.chain
        if moment.claim is None:
            if not chain:
                return None
            return self._why_seen(moment, chain) if moment.learned is not None else self._why_unseen(moment, chain)
        if moment.learned is not None:
            return self._why_convinced(moment, chain)
        return self._why_unconvinced(moment, chain)

    def _why_seen(self, moment: Moment, chain: tuple[int, ...]) -> Reason:
        if chain[0] in moment.inside:
            return Reason("saw", self.named(chain))
        return Reason("watched", self.named(chain[1:]), watcher=self.names.agents[chain[0]])

    def _why_unseen(self, moment: Moment, chain: tuple[int, ...]) -> Reason:
        if absent := [agent for agent in chain if agent not in moment.inside | moment.watchers]:
            return Reason("absent", self.named(absent))
        return Reason("unseen", self.named(agent for agent in chain[1:] if agent not in moment.inside))

    def _judge(self, chain: tuple[int, ...], speaker: int) -> tuple[int, bool]:
        """Return whose trust counts for a chain, and whether the chain ends with the speaker."""
        means = chain[-1] == speaker
        return (chain[-2] if means else chain[-1]), means

    def _why_convinced(self, moment: Moment, chain: tuple[int, ...]) -> Reason:
        speaker = moment.claim.speaker
        judge, means = self._judge(chain, speaker)
        (name, said_by), before = self.named((judge, speaker)), chain[: chain.index(judge)]
        if judge not in moment.claim.trusting:
            return Reason("taken", (name,), said_by, means=said_by, before=self.named(before[:-1]))
        deceived = self.named(before) if judge in moment.watchers else ()
        why = _LATER if judge in moment.members else _PRESENT
        return Reason("trusts", (name,), said_by, means=said_by if means else "", before=deceived, why=why)

    def _why_unconvinced(self, moment: Moment, chain: tuple[int, ...]) -> Reason:
        speaker = moment.claim.speaker
        said_by = self.names.agents[speaker]
        unheard = [agent for agent in chain if agent not in moment.claim.audience]
        if self.semantics == "published" and not unheard and len(chain) > 2:
            return Reason("nested")
        if self.semantics == "published" and not unheard and len(chain) == 2 and speaker not in chain:
            return Reason("apart", speaker=said_by)
        if unheard:
            return Reason("unheard", self.named(unheard))
        if not chain:
            return Reason("reality")
        if chain == (speaker,):
            return Reason("own words", (said_by,))
        judge, _ = self._judge(chain, speaker)
        if judge in moment.claim.trusting:
            return Reason("watcher", self.named((judge,)), said_by)
        return Reason("doubted", self.named((judge,)), said_by, why=_EARLIER if speaker in moment.members else _ABSENT)

    def is_right(self, step: Step, last: int) -> bool:
        """Return whether a step is true and comes in its order; `last`: the highest line named before it."""
        match step:
            case Taught(line, told, reason, container):
                if line <= last or line not in self.moments:
                    return False
                truth, learned = self.reason(line), self._name(self.moments[line].learned)
                fits = reason is None or truth is not None and reason.follows_from(truth)
                return learned == container and fits and same_sentence(told, self.sentences[line - 1])
            case Passed(lines, reason):
                if lines[0] <= last or list(lines) != sorted(set(lines)):
                    return False
                return all(self._teaches_nothing(line) and reason.follows_from(self.reason(line)) for line in lines)
            case Answer(container):
                return container == self.answer
            case _:
                return False

    def _teaches_nothing(self, line: int) -> bool:
        return line in self.moments and self.moments[line].learned is None

    def is_whole(self, step: Step) -> bool:
        """Return whether a right step says all that an explanation says there: every agent, in order, and why."""
        match step:
            case Taught(line, told, reason, _):
                return reason == self.reason(line) and told == self.sentences[line - 1]
            case Passed(lines, reason):
                truths = [self.reason(line) for line in lines]
                shared = tuple(name for name in truths[0].agents if all(name in truth.agents for truth in truths))
                return reason == Reason(
                    reason.kind, shared, truths[0].speaker, truths[0].watcher, why=truths[0].why, means=truths[0].means
                )
            case _:
                return True


def lines_of(step: Step) -> tuple[int, ...]:
    """Return the numbers of the lines that a step is about."""
    match step:
        case Taught(line):
            return (line,)
        case Passed(lines):
            return lines
        case _:
            return ()


def read_steps(text: str) -> list[tuple[str, Step]]:
    """Return the lines of a text that are steps, each with its step; a line that only begins as one is Unread."""
    steps: list[tuple[str, Step]] = []
    for line in text.split("\n"):
        step = _read_step(line.strip())
        if step is not None:
            steps.append((line.strip(), step))
    return steps


def _read_step(line: str) -> Step | None:
    """Return the step that a line says; None for a line that does not begin as one."""
    if match := _PASSED.fullmatch(line):
        reason = _read_reason(match["reason"])
        lines = tuple(map(int, re.findall(r"\d+", match["lines"])))
        return Unread(line) if reason is None else Passed(lines, reason)
    if match := _TAUGHT.fullmatch(line):
        reason = _read_reason(match["reason"]) if match["reason"] else None
        if match["reason"] and reason is None:
            return Unread(line)
        return Taught(int(match["line"]), match["told"], reason, match["container"])
    if match := _ANSWER.fullmatch(line):
        return Answer(match["container"])
    return Unread(line) if re.match(r"Lines? \d", line) else None


def _read_reason(text: str) -> Reason | None:
    """Return the reason that a clause says; None for another clause."""
    for kind, pattern in _REASONS.items():
        if match := pattern.fullmatch(text):
            words = {group: word or "" for group, word in match.groupdict().items()}
            many = {
                group: tuple(re.findall(NAME, words.pop(group))) for group in ("agents", "before") if group in words
            }
            return Reason(kind, **many, **words)
    return None


def judged_steps(text: str, row: dict) -> JudgedSteps:
    """Return which steps of a text about a row are right: true, and in the order of the story.

    A step that repeats a line, or goes back before one, is wrong. The answer is no step: it is scored apart. Raises
    ReadError for a story or question that cannot be read.
    """
    truth = StoryTruth(row)
    steps: list[tuple[str, bool]] = []
    last, covered = 0, set()
    for line, step in read_steps(text):
        if isinstance(step, Answer):
            continue
        right = truth.is_right(step, last)
        steps.append((line, right))
        if right:
            last = max(lines_of(step))
            if all(was_right for _, was_right in steps):
                covered.update(lines_of(step))
    needed = set(truth.needed())
    return JudgedSteps(tuple(steps), len(covered & needed), len(needed))


def explanation_fault(text: str, row: dict) -> str | None:
    """Return what is wrong with the explanation of a row; None where every step is right, in order, and none lacks.

    Raises ReadError for a story or question that cannot be read.
    """
    truth = StoryTruth(row)
    steps = [_read_step(line) for line in text.split("\n")]
    last, covered = 0, []
    for number, (line, step) in enumerate(zip(text.split("\n"), steps, strict=True), 1):
        ends = number == len(steps)
        if (
            step is None
            or isinstance(step, Answer) != ends
            or not (truth.is_right(step, last) and truth.is_whole(step))
        ):
            return f"step {number} of its explanation is wrong: {line!r}"
        covered += lines_of(step)
        last = max([last, *lines_of(step)])
    if covered != truth.needed():
        missing = [line for line in truth.needed() if line not in covered]
        return f"its explanation leaves out line {missing[0]}" if missing else "its explanation says too much"
    return None
