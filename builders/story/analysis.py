"""What a question asks of its reader: how much of its chain it needs, and which shortcuts miss its answer.

A shortcut answers a question without following its whole chain. The audit counts how often each is right
(docs/audit.md). How many of them miss a question says how hard it is.
"""

from itertools import permutations
from typing import Any, NamedTuple

from ..syntax.events import Exit, Move, Names, Place, Story
from ..syntax.scan import mask
from .meaning import SEMANTICS, Lesson, answer_slot, lessons_about, places, reached, teacher, teaching_line
from .readings import differing_readings
from .subchains import beliefs, tails


class Analysis(NamedTuple):
    """Hold what a story teaches a chain, and what the subchains of the chain believe."""

    story: Story
    chain: tuple[int, ...]  # the agents asked about, outermost first
    thing: int  # the thing asked about
    semantics: str  # by which the question is answered
    lessons: list[Lesson]  # those of the story about the thing
    beliefs: dict[str, list[int | None]]  # the container of each subchain, under this semantics or under all

    @property
    def held(self) -> list[int | None]:
        """Return the container in which each subchain believes, that of the whole chain last."""
        return self.beliefs[self.semantics]

    def tail(self, order: int) -> "Analysis":
        """Return the analysis of the last agents of the chain."""
        first = len(self.chain) - order
        held = {semantics: containers[:: 1 << first] for semantics, containers in self.beliefs.items()}
        return self._replace(chain=self.chain[first:], beliefs=held)

    def readings(self) -> list[list[str]]:
        """Return for each order the readings under which the question about the last agents has another answer."""
        answers = [self.held[tail] for tail in tails(len(self.chain))]
        return differing_readings(self.story, self.chain, self.thing, answers)

    def columns(self, names: Names) -> dict[str, Any]:
        """Return the columns of a row that the question and its answer give, but for the choices and the readings."""
        answers = {semantics: held[-1] for semantics, held in self.beliefs.items()}
        answer, compared = answers[self.semantics], len(answers) > 1
        line = teaching_line(self.story, self.lessons, self.chain, self.semantics)
        return {
            "answer": names.containers[answer],
            "order": len(self.chain),
            "chain": [names.agents[agent] for agent in self.chain],
            "answer_published": names.containers[answers["published"]] if compared else None,
            "semantics_agree": len(set(answers.values())) == 1 if compared else None,
            "effective_order": effective_order(self.held),
            "order_sensitive": order_sensitive(self.lessons, self.chain, self.semantics),
            "shortcuts_missed": self.share_missed(),
            "answer_slot": answer_slot(self.lessons, answer),
            "n_places": len(places(self.lessons)),
            "lines_since": len(self.story.events) - 1 - line,
        }

    def shortcuts(self) -> dict[str, int | None]:
        """Return the container that each shortcut answers, or None where it finds none; the chain is not empty.

        Shortcuts about two agents are left out where the chain has one.
        """
        chain, lessons, held = self.chain, self.lessons, self.held
        agents, others = mask(chain), mask(chain[1:])
        reached_all = [lesson for lesson in lessons if not agents & ~reached(lesson)]
        heard_by_all = [lesson for lesson in reached_all if not others & ~lesson.minds]
        sightings = [lesson for lesson in lessons if lesson.speaker < 0]
        unheld = [lesson for lesson in lessons if lesson.container not in held[:-1]]
        swapped = teacher(lessons, (*chain[:-2], *chain[:-3:-1]), self.semantics)
        of_two = {
            "first agent alone": held[1],
            "last agent alone": held[len(held) // 2],
            "last two swapped": _container(swapped),
        }
        return {
            "reality": held[0],
            **(of_two if len(chain) > 1 else {}),
            "one order lower": held[-2],
            "last that reached all": _container(*reached_all[-1:]),
            "trust aside": _container(*heard_by_all[-1:]),
            "claims aside": _container(teacher(sightings, chain, self.semantics)),
            "first leaver": first_leaver(self.story, self.thing, chain),
            "cross out": _container(*unheld[-1:]),
        }

    def share_missed(self) -> float:
        """Return the share of shortcuts that miss the answer; 0 where the chain is empty."""
        guesses = list(self.shortcuts().values()) if self.chain else [self.held[-1]]
        return (len(guesses) - guesses.count(self.held[-1])) / len(guesses)


def analyse(story: Story, chain: tuple[int, ...], thing: int, semantics: str, compared: bool = False) -> Analysis:
    """Return the analysis of a chain under a semantics; `compared`: with the beliefs under the other one too."""
    lessons = lessons_about(story, thing)
    held = dict.fromkeys(SEMANTICS if compared else (semantics,), beliefs(lessons, chain, semantics))
    if compared and any(lesson.speaker >= 0 for lesson in lessons):  # without claims the two semantics are one
        other = SEMANTICS[1 - SEMANTICS.index(semantics)]
        held[other] = beliefs(lessons, chain, other)
    return Analysis(story, chain, thing, semantics, lessons, held)


def effective_order(held: list[int | None]) -> int:
    """Return the length of the shortest subchain of a chain, the empty one included, that has the chain's belief.

    `held` are the `beliefs` of the subchains.
    """
    return min(subchain.bit_count() for subchain, container in enumerate(held) if container == held[-1])


def order_sensitive(lessons: list[Lesson], chain: tuple[int, ...], semantics: str) -> bool:
    """Return whether some permutation of a chain believes something else, without listing all permutations.

    Whether a claim teaches a chain depends on its set of agents and on its last two. Whether a sighting does depends
    on the set, and on the first agent where one of them watched. So one permutation stands for all that share their
    last two agents and, where somebody watched, their first.
    """
    agents = mask(chain)
    claimed = any(lesson.speaker >= 0 and not agents & ~lesson.minds for lesson in lessons)
    watched = any(lesson.speaker < 0 and agents & lesson.watching & ~lesson.minds for lesson in lessons)
    if not claimed and not watched:
        return False  # no claim and no watcher's sighting reaches all these agents
    answers = set()
    for before, last in permutations(chain, 2):
        front = [agent for agent in chain if agent not in (before, last)]
        for first in range(max(1, len(front)) if watched else 1):
            answers.add(_container(teacher(lessons, (*front[first:], *front[:first], before, last), semantics)))
    return len(answers) > 1


def first_leaver(story: Story, thing: int, chain: tuple[int, ...]) -> int | None:
    """Return where the thing was when the first of the chain's agents left a room after it had been placed."""
    place = None
    for event in story.events:
        match event:
            case Place(placed, container) | Move(_, placed, container) if placed == thing:
                place = container
            case Exit(agent, _) if agent in chain and place is not None:
                return place
    return place


def _container(lesson: Lesson | None = None) -> int | None:
    """Return the container of a lesson."""
    return None if lesson is None else lesson.container
