"""The second opinion on the questions of `plans`: each is read from its English, and its courses are played as stories.

A course of action is put into the story, with what the script does after each of its lines. Nested minds say what all
believe at the end of that story.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..syntax.coherence import check
from ..syntax.events import Come, Enter, Exit, Names, Story
from .english import NAME, ReadError
from .read_stories import read_story
from .story_minds import believe_after, happenings

_LISTED = rf"{NAME}(?: and {NAME}|(?:, {NAME})+ and {NAME})?"
_QUESTION = re.compile(
    rf"You are (?P<player>{NAME})\. "
    r"The last chapter of the story is still going on, and all that follows belongs to it\. "
    rf"Now (?P<inside>nobody|{_LISTED}) (?:is|are) in the \w+(?:, and (?P<outside>{_LISTED}) (?:is|are) outside)?\."
    r"\n\nThe script: what the others do after each of your lines, whatever you write\.\n"
    r"(?P<script>(?:After turn \d+: .+\n)+)\n"
    r"Your goals\. All of them must hold after the last line of the script\.\n"
    r"(?P<goals>(?:- .+\n)+)\n"
    r"Which of these courses of action, a line of yours for each turn, reaches all goals\?"
)
_ROUND = re.compile(
    rf"After turn (?P<turn>\d+): (?:If (?P<teller>{NAME}) told somebody something privately in this turn: "
    rf"(?P<listener>{NAME}) overheard this unnoticed "
    r"\(unless (?P=listener) was told it, or it is about what (?P=listener) thinks\)\. )?"
    r"(?:Nothing happens\.|Nothing else happens\.|(?P<lines>.+))"
)
_TOLD = re.compile(rf"{NAME} privately told (?P<hearers>{_LISTED}) that (?P<minds>(?:{NAME} thinks )*).*")
_THINKS = rf"(?:{NAME} thinks )"
_IS = re.compile(rf"- (?P<chain>{_THINKS}+)the (?P<thing>\w+) (?:is|are) in the (?P<container>\w+)\.")
_RIGHT = re.compile(
    rf"- (?P<judge>{NAME}) is (?P<kind>right|wrong) about where (?P<chain>{_THINKS}*)the (?P<thing>\w+) (?:is|are)\."
)


class PlanTruth:
    """Hold what the second meaning says of one question of `plans`. Raises ReadError for what cannot be read."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read the story, the question and the choices of a row."""
        self.text, self.choices = row["story"], row["choices"]
        self.story, self.names = read_story(self.text)
        asked = _QUESTION.fullmatch(row["question"])
        if asked is None:
            raise ReadError(f"not a question about courses of action: {row['question']!r:.200}")
        self.player = asked["player"]
        self._hold_places(*(re.findall(NAME, asked[group] or "") for group in ("inside", "outside")))
        self.script = [self._round(line, turn) for turn, line in enumerate(asked["script"].rstrip("\n").split("\n"), 1)]
        self.goals = [_goal(line) for line in asked["goals"].rstrip("\n").split("\n")]
        if {thing for _, _, _, thing in self.goals} != {*self.names.things}:
            raise ReadError(f"the goals are not about the thing of the story: {asked['goals']!r}")

    def _hold_places(self, inside: list[str], outside: list[str]) -> None:
        """Raise ReadError where the question has agents where the story does not leave them."""
        there: set[int] = set()
        for event in self.story.events:
            match event:
                case Enter(agents, _):
                    there |= {*agents}
                case Come(agent, _):
                    there |= {agent}
                case Exit(agent, _):
                    there -= {agent}
        named = [{self.names.agents.index(name) for name in names} for names in (inside, outside)]
        if named != [there, {*range(self.story.n_agents)} - there]:
            raise ReadError(f"the story leaves {len(there)} agents in the room, not {inside}")

    def _round(self, line: str, turn: int) -> tuple[str | None, list[str]]:
        """Return who overhears what is told in a turn, and the lines of the others after it."""
        found = _ROUND.fullmatch(line)
        if found is None or found["turn"] != str(turn) or found["teller"] not in (None, self.player):
            raise ReadError(f"not what happens after turn {turn}: {line!r}")
        return found["listener"], re.findall(r"[^.]+\.", found["lines"] or "")

    def played(self, course: str) -> tuple[Story, Names]:
        """Return the whole story of a course of action. Raises ValueError where a line of it cannot happen."""
        lines = [line.partition(" ")[2] for line in self.text.split("\n")]
        own = [f"{line}." for line in course.split(", then ")]
        if len(own) != len(self.script):
            raise ReadError(f"{len(own)} lines for {len(self.script)} turns: {course!r}")
        for line, (listener, after) in zip(own, self.script, strict=True):
            lines += self._turn(line, listener) + after
        story, names = read_story("\n".join(f"{number} {line.strip()}" for number, line in enumerate(lines, 1)))
        check(story)
        return story, names

    def _turn(self, line: str, listener: str | None) -> list[str]:
        """Return the lines of a turn of the player."""
        if not line.startswith(f"{self.player} "):
            raise ReadError(f"{self.player} does not write this: {line!r}")
        told = _TOLD.fullmatch(line)
        heard = told and listener and listener not in re.findall(NAME, f"{told['hearers']} {told['minds']}")
        waits = line == f"{self.player} waited."
        return [] if waits else [line, *([f"{listener} overheard this unnoticed."] if heard else [])]

    def reached(self, course: str) -> list[bool]:
        """Return which goals a course of action reaches, by nested minds."""
        story, names = self.played(course)
        chains = [tuple(map(names.agents.index, chain)) for _, chain, _, _ in self.goals]
        every = {end for chain in chains for end in (chain, chain[1:])}
        held = believe_after(happenings(story, 0), every, "recursive")
        return [
            held[chain] == names.containers.index(container)
            if container in names.containers
            else kind != "is" and (held[chain] == held[chain[1:]]) == (kind == "right")
            for chain, (kind, _, container, _) in zip(chains, self.goals, strict=True)
        ]

    def answers(self) -> Iterator[str]:
        """Yield the courses of action that reach all goals."""
        for choice in self.choices:
            if all(self.reached(choice)):
                yield choice


def _goal(line: str) -> tuple[str, list[str], str | None, str]:
    """Return the kind of a goal, its chain, its container if it names one, and its thing."""
    if found := _IS.fullmatch(line):
        return "is", re.findall(NAME, found["chain"]), found["container"], found["thing"]
    if found := _RIGHT.fullmatch(line):
        return found["kind"], [found["judge"], *re.findall(NAME, found["chain"])], None, found["thing"]
    raise ReadError(f"not a goal: {line!r}")
