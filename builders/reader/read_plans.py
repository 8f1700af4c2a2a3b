"""The second opinion on the questions of `plans`: each is read from its English, and its courses are played as stories.

A course of action is put into the story, with what the script does after each of its lines. Nested minds say what all
believe at the end of that story.
"""

import re
from collections.abc import Mapping
from typing import Any

from ..syntax.coherence import check
from ..syntax.events import Names, Place, Story
from .english import NAME, ReadError, pattern, table
from .read_stories import read_story
from .story_interpretations import NAMES, believed
from .story_minds import Moment, believe_after, happenings


def _said(kind: str, text: str, what: str) -> dict[str, str]:
    """Return the groups of the pattern of a kind that fits a text, "" for those that it lacks. Raises ReadError."""
    for other, words in table("plan"):
        if other == kind and (match := pattern(words).fullmatch(text)):
            return match.groupdict("")
    raise ReadError(f"expected {what}, not {text!r:.200}")


# A sentence after which the thing is in the container that it names last.
PUTTING = re.compile(r"(?:\S+ moved the \w+ to|The \w+ (?:is|are) in) the (\w+)\.")


def _moves_nothing(line: str, before: list[str]) -> bool:
    """Return whether a line of the script moves the thing to where the lines before it leave the thing."""
    moved = PUTTING.fullmatch(line) if " moved the " in line else None
    return moved is not None and moved[1] == [put[1] for put in map(PUTTING.fullmatch, before) if put][-1]


class PlanTruth:
    """Hold what the second meaning says of one question of `plans`. Raises ReadError for what cannot be read."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        """Read the story, the question and the choices of a row."""
        self.text, self.choices = row["story"], row["choices"]
        self._happened: dict[str, tuple[tuple[Moment, ...], Names]] = {}  # what happens in the story of each course
        story, names = read_story(self.text)
        asked = _said("question", row["question"], "a question about courses of action")
        inside, outside = (re.findall(NAME, asked[group]) for group in ("inside", "outside"))
        # Who would see the thing if it were shown now is in the room.
        shown = happenings(Story(story.n_agents, (*story.events, Place(0, 0))), 0)[-1]
        there = {names.agents[agent] for agent in shown.openly}
        if [{*inside}, {*outside}] != [there, {*names.agents} - there]:
            raise ReadError(f"the question has {inside} in the room; it must have {sorted(there)}")
        self.player = asked["player"]
        self.script: list[tuple[str, list[str]]] = []  # of each turn: who overhears, "" for nobody; lines of the others
        for turn, line in enumerate(asked["script"].split("\n"), 1):
            said = _said("round", line, f"what happens after turn {turn}")
            if said["turn"] != str(turn) or said["player"] not in ("", self.player):
                raise ReadError(f"expected what happens after turn {turn}, not {line!r}")
            self.script.append((said["listener"], re.findall(r"\S[^.]*\.", said["lines"])))
        self.goals = [_said("goal", line, "a goal") for line in asked["goals"].split("\n")]
        if {goal["thing"] for goal in self.goals} != {*names.things}:
            raise ReadError(f"the goals must be about the thing of the story: {asked['goals']!r}")

    def played(self, course: str) -> tuple[Story, Names]:
        """Return the whole story of a course of action. Raises ValueError where a line of it cannot happen."""
        lines = [line.partition(" ")[2] for line in self.text.split("\n")]
        own = [f"{line}." for line in course.split(", then ")]
        if len(own) != len(self.script):
            raise ReadError(f"{len(own)} lines for {len(self.script)} turns; there must be one for each: {course!r}")
        for line, (listener, after) in zip(own, self.script, strict=True):
            if not line.startswith(f"{self.player} "):
                raise ReadError(f"each line of a course must begin with {self.player}: {line!r}")
            if line != f"{self.player} waited.":
                lines.append(line)
            if " privately told " in line and listener not in ("", *re.findall(NAME, line)):
                lines.append(f"{listener} overheard this unnoticed.")
            for scripted in after:
                if not _moves_nothing(scripted, lines):
                    lines.append(scripted)
        story, names = read_story("\n".join(f"{number} {line}" for number, line in enumerate(lines, 1)))
        check(story)
        return story, names

    def reached(self, course: str, reading: str | None = None) -> list[bool]:
        """Return which goals a course of action reaches, by nested minds, by the rules or another reading."""
        if course not in self._happened:
            story, names = self.played(course)
            self._happened[course] = happenings(story, 0), names
        (told, names), reached = self._happened[course], []
        for goal in self.goals:
            chain = tuple(map(names.agents.index, re.findall(NAME, goal["chain"])))
            if reading is None:
                own, rest = believe_after(told, (chain, chain[1:]), "recursive").values()
            else:
                own, rest = (believed(told, minds, reading) for minds in (chain, chain[1:]))
            if "judged" in goal:
                reached.append((own == rest) == (goal["judged"] == "right"))
            else:
                reached.append(own is not None and names.containers[own] == goal["container"])
        return reached

    def answers(self, reading: str | None = None) -> list[str]:
        """Return the courses of action that reach all goals, by the rules or another reading."""
        return [choice for choice in self.choices if all(self.reached(choice, reading))]

    def disputed(self) -> list[str]:
        """Return the readings under which other courses of action reach all goals."""
        answers = self.answers()
        return [reading for reading in NAMES if self.answers(reading) != answers]
