"""How a deep story is found: lines are chosen and dropped until all questions have what they wish for (`wishes`).

A chapter (`drafts`) comes with more lines than a story can have, so that every rule is applied to all of them at once;
then only some are chosen (simulated annealing). Where that is not enough, a chapter is drawn anew. At last the
containers are dealt out.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from functools import partial, reduce
from operator import and_

from ..streams import Stream
from ..syntax.events import Event, Story
from .drafts import (
    CLAIM,
    MISTAKE,
    OPEN,
    OWN,
    SECRET,
    THING,
    THOUGHT,
    TRUST,
    Chapter,
    Size,
    draw_chapter,
)
from .meaning import Chain, Facts, Lines, Rule, aware, convinced, each, facts_of, known_watching, subchains, told
from .readings import EARLIER, differing_readings, noticing, place_told, speaker_everywhere, unknown
from .shortcuts import FORGETFUL, LINKS, by_rules
from .wishes import Wish

TURNS, MOST_TURNS = 5, 20
"""How often a chapter is drawn anew, and how often where some subchain has an answer that it must not have."""
ATTEMPTS = 2
"""Stories given up for such a subchain."""
ROUNDS = 200
"""Changes of the chosen lines at each turn."""
MOST_CLAIMS, ALL_CLAIMS = 6, 20
"""Claims after one chapter, and in a story."""
TAUGHT, TAUGHT_ELSE = {2: 18, 3: 12}, 9
"""The weight of a fault of the lesson by order, and at other orders; a wrong rule that gives the answer weighs 1."""
SAME, DISPUTED = 30, 60
"""The weight of a subchain that has an answer that it must not have, and of a reading that gives another answer."""
TEACHING, DIRECTED = 0.2, 0.9
"""Below which chance a change lets a question be taught as it wishes, and below which it misleads a wrong rule."""
WARMTH = 3.0
"""How much worse a change may be, on average, and still be kept."""
INFINITE = float("inf")


def stayed_longer(facts: Facts, chain: Chain) -> int:
    """Return the lines that teach a chain under the reading LONGER, where everybody has left the room."""
    lines = by_rules(facts, chain)
    for claims, prefix in told(facts, chain):
        for end in range(len(prefix) - 1, 0, -1):
            agent = prefix[end]
            claims &= facts.members[agent] & ~(facts.trusts[agent] | facts.speaks[agent])
            if claims:
                lines |= claims & aware(facts, prefix[:end]) & convinced(facts, prefix[:end])
    return lines


READINGS: tuple[Lines, ...] = (speaker_everywhere, place_told, unknown, stayed_longer)
"""Those readings that a change is asked for; a story that is found is asked for all."""


WIDTH = 128
"""Bits that a chapter has in the lines of a story: line p of chapter c is bit WIDTH * c + p."""


Rows = list[int]
"""By rule: the lines that it takes for the chain of a question, whether or not they are chosen."""


def joined(by_chapter: Iterable[int]) -> int:
    """Return lines of a story, given those of each chapter."""
    return sum(lines << WIDTH * number for number, lines in enumerate(by_chapter))


class Question:
    """Hold a question of a story that is being drawn."""

    def __init__(self, chain: Chain, wish: Wish) -> None:
        self.chain, self.wish = chain, wish
        self.wrong = [LINKS[link] for link in wish.lesson.links] + [FORGETFUL[name] for name in wish.wrong]
        self.subchains = subchains(chain)[:-1]
        self.faults: dict[tuple[Chapter, int], float] = {}  # by line of a chapter: how far it is from the lesson

    def read(self, chapters: Sequence[Chapter]) -> Rows:
        """Return which lines each rule takes for the chain.

        First come the printed rules, then READERS readings that must give the answer, then what must not give it:
        rules that forget something, and subchains.
        """
        chain, facts = self.chain, [chapter.facts for chapter in chapters]
        leavers = [*dict.fromkeys(agent for chapter in reversed(chapters) for agent in reversed(chapter.entering))]
        last_exit = Rule(convinced=partial(convinced, trusted=partial(_trusted_by_last_exit, leavers)))
        rules = [by_rules, *READINGS, last_exit, *self.wrong]
        rows = [joined(rule(lines, chain) for lines in facts) for rule in rules]
        openly = joined(reduce(and_, (lines.open[agent] for agent in chain)) for lines in facts)
        found_again = joined([0, *[1] * (len(facts) - 1)])
        rows[1:1] = [
            _visiting(chapters, chain, last_leaver=False),
            _visiting(chapters, chain, last_leaver=True),
            joined(by_rules(_noticing(chapter), chain) for chapter in chapters),
            rows[0] & (openly | ~found_again),
        ]
        subchains = () if self.wish.shallow else self.subchains
        return rows + [joined(by_rules(lines, subchain) for lines in facts) for subchain in subchains]

    def fault(self, chapters: Sequence[Chapter], line: int) -> float:
        """Return how far a line is from what is to teach the answer."""
        number, place = divmod(line, WIDTH)
        key = chapters[number], place
        if key not in self.faults:
            self.faults[key] = self._fault(chapters[number].facts, 1 << place)
        return self.faults[key] + (self.wish.later and number == 0)

    def _fault(self, facts: Facts, line: int) -> float:
        lesson = self.wish.lesson
        teacher, prefix = _teacher(facts, self.chain, line)
        secret = [facts.secret[agent] & line for agent in prefix]
        pairs = sum(a and b and 1 for a, b in zip(secret, secret[1:], strict=False))
        fault = 3 * (teacher != lesson.teacher) + 2 * min(2, abs(pairs - lesson.pairs))
        if facts.claims & line and len(prefix) > 1:
            how = OWN if facts.speaks[prefix[-1]] & line else MISTAKE if facts.speaks[prefix[-2]] & line else TRUST
            fault += how != lesson.how
        return fault


READERS = len(READINGS) + 5
"""How many readings a draft is asked for; a story that is found is asked for all."""


def _trusted_by_last_exit(leavers: Sequence[int], facts: Facts, chain: Chain) -> int:
    """Return `trusted` under the reading LAST_EXIT, given who left last in the story, the very last first."""
    later = 0
    for speaker in leavers[: leavers.index(chain[-1])]:
        later |= facts.speaks[speaker]
    return later & ~known_watching(facts, chain)


def _visiting(chapters: Sequence[Chapter], chain: Chain, last_leaver: bool) -> int:
    """Return the lines for the reading BOTH, or VISIT: who enters without others sees what they know."""
    rows = []
    for number in range(len(chapters) - 1, -1, -1):
        rows.append(by_rules(chapters[number].facts, chain))
        inside = chapters[number].entering
        before = chapters[number - 1].entering[-1] if last_leaver else -1
        while chain and (chain[-1] in inside or chain[-1] == before and chain[-2:-1] and chain[-2] in inside):
            chain = chain[:-1]
    return joined(rows[::-1])


def _noticing(chapter: Chapter) -> Facts:
    """Return the facts of a chapter under the reading EARLIER."""
    facts = chapter.facts
    if not any(facts.secret):
        return facts
    if EARLIER not in facts.memo:
        facts.memo[EARLIER] = facts_of(noticing(Story(facts.n_agents, chapter.events)), THING)
    return facts.memo[EARLIER]


def _teacher(facts: Facts, chain: Chain, line: int) -> tuple[str, Chain]:
    """Return what kind of line teaches a chain, and the agents before those whose thoughts it tells."""
    if facts.sightings & line:
        return (SECRET if any(facts.secret[agent] & line for agent in chain) else OPEN), chain
    prefix = next(prefix for claims, prefix in told(facts, chain) if claims & line)
    return (CLAIM if prefix is chain else THOUGHT), prefix


class Draft:
    """Hold the chapters of a story that is being changed, and which of their lines are chosen."""

    def __init__(self, chapters: list[Chapter], questions: Sequence[Question], chosen: int) -> None:
        rows = [question.read(chapters) for question in questions]
        self.chapters, self.questions, self.rows, self.chosen = chapters, questions, rows, chosen
        self.claims = joined(chapter.facts.claims for chapter in chapters)
        self.moves = joined(chapter.facts.sightings & ~1 for chapter in chapters)
        self.changing = [*each(self.claims)], [*each(self.moves)]
        self.wrong: dict[int, list[int]] = {}  # by question: the rows of rules that must not give the answer, and do
        self.ranks: dict[int, int] = {}  # by line: see `outranking`
        self.fitting = [  # by question: the lines that teach it as it wishes
            [line for line in each(asked[0]) if not question.fault(chapters, line)]
            for question, asked in zip(questions, rows, strict=True)
        ]

    def line(self, row: int) -> int:
        """Return the last chosen line of a row; -1 where there is none.

        A later chapter's sentence on where the thing is stands for the line that left it there.
        """
        line = (row & self.chosen).bit_length() - 1
        if line % WIDTH or line <= 0:
            return line
        return (self.chosen & (self.moves | 1) & (1 << line) - 1).bit_length() - 1

    def unmet(self, most: float) -> float:
        """Return how far the draft is from what its questions wish for, or some number above `most` if it is above."""
        total = 0.0
        chosen = self.chosen
        found_again = [WIDTH * number for number in range(1, len(self.chapters))]
        for question, rows in zip(self.questions, self.rows, strict=True):
            line = self.line(rows[0])
            if line < 0:
                return INFINITE
            total += TAUGHT.get(len(question.chain), TAUGHT_ELSE) * question.fault(self.chapters, line)
            if total > most:
                break
            lines = {line + 1, *(other + 1 for other in found_again if self.line(1 << other & chosen) == line)}
            same = [(row & chosen).bit_length() in lines for row in rows]
            n_wrong = READERS + 1 + len(question.wrong)
            total += DISPUTED * (same[1 : READERS + 1].count(False) + bool(rows[0] & chosen & self.outranking(line)))
            total += same[READERS + 1 : n_wrong].count(True) + SAME * same[n_wrong:].count(True)
            if total > most:
                break
        return total

    def outranking(self, line: int) -> int:
        """Return the claims that win over a line under the reading OUTRANKED."""
        if line not in self.ranks:
            number, place = divmod(line, WIDTH)
            facts, leavers = self.chapters[number].facts, self.chapters[number].entering
            speakers = [agent for agent, lines in enumerate(facts.speaks) if lines >> place & 1]
            if speakers and speakers[0] in leavers:
                leavers = leavers[leavers.index(speakers[0]) + 1 :]
            later = leavers if speakers else ()
            before = sum(facts.speaks[agent] for agent in later) & (1 << place) - 1
            self.ranks[line] = before << WIDTH * number
        return self.ranks[line]

    def shallower(self) -> bool:
        """Return whether some subchain has an answer that it must not have."""
        for question, rows in zip(self.questions, self.rows, strict=True):
            line = self.line(rows[0])
            if any(self.line(row) == line for row in rows[READERS + 1 + len(question.wrong) :]):
                return True
        return False

    def untaught(self) -> list[int]:
        """Return the numbers of the questions that are taught otherwise than they wish."""
        lines = [self.line(rows[0]) for rows in self.rows]
        return [number for number, line in enumerate(lines) if self.questions[number].fault(self.chapters, line)]

    def changed(self, stream: Stream) -> "Draft | None":
        """Return a draft with other lines; None where that cannot be.

        Either a line teaches a question as it wishes, or a rule that must not give an answer takes a later line, or
        there is one line more, one less, or one instead of another.
        """
        chance = stream.random()
        asked = stream.below(len(self.questions))
        question, rows = self.questions[asked], self.rows[asked]
        line = self.line(rows[0])
        if chance < TEACHING and question.fault(self.chapters, line):
            fitting = self.fitting[asked]
            if not fitting:
                return None
            bit = 1 << fitting[stream.below(len(fitting))]
            # No line behind teaches it too, but those that must stand there.
            return self._with(self.chosen & ~(rows[0] & -bit & (self.claims | self.moves)) | bit)
        if chance < DIRECTED:
            if asked not in self.wrong:
                self.wrong[asked] = [row for row in rows[READERS + 1 :] if self.line(row) == line]
            wrong = self.wrong[asked]
            behind = wrong[stream.below(len(wrong))] & ~rows[0] & -2 << line if wrong else 0
            misleading = [*each(behind & (self.claims | self.moves))]
            return self._with(self.chosen | 1 << misleading[stream.below(len(misleading))]) if misleading else None
        claims, moves = self.changing
        if stream.random() < 0.3:
            return self._with(self.chosen ^ 1 << moves[stream.below(len(moves))])
        chosen = self.chosen ^ 1 << claims[stream.below(len(claims))]
        if stream.below(2):
            kept = [line for line in claims if chosen >> line & 1]
            chosen ^= 1 << kept[stream.below(len(kept))] if kept else 0
        return self._with(chosen)

    def _with(self, chosen: int) -> "Draft | None":
        """Return a draft with other lines; None where a chapter has no claim, or too many."""
        most = min(MOST_CLAIMS, ALL_CLAIMS // len(self.chapters))
        for chapter, lines in zip(self.chapters, self.by_chapter(chosen), strict=True):
            if not 1 <= (lines & chapter.facts.claims).bit_count() <= most:
                return None
        changed = copy(self)
        changed.chosen, changed.wrong = chosen, {}
        return changed

    def by_chapter(self, lines: int) -> list[int]:
        """Return those of some lines that are in each chapter."""
        return [lines >> WIDTH * number & (1 << WIDTH) - 1 for number in range(len(self.chapters))]

    def story(self, containers: dict[int, int]) -> Story:
        """Return the story, given the container of each line."""
        events: list[Event] = []
        for number, (chapter, lines) in enumerate(zip(self.chapters, self.by_chapter(self.chosen), strict=True)):
            for place, event in chapter.chosen(lines):
                if place >= 0:
                    event = replace(event, container=containers[self.line(1 << WIDTH * number + place)])
                events.append(event)
        return Story(self.chapters[0].facts.n_agents, tuple(events))


def draw_lines(stream: Stream, facts: Facts) -> int:
    """Draw which lines of a chapter are chosen at first."""
    moves = [place for place in each(facts.sightings & ~1) if stream.random() < 0.6]
    return 1 | sum(1 << place for place in (*moves, *stream.draw([*each(facts.claims)], 3)))


def sample_climbing(stream: Stream, wishes: Sequence[Wish | None], size: Size) -> tuple[Story, Chain]:
    """Draw a story and a chain of as many agents as there are wishes; its last k agents ask the question of order k.

    An order without a wish is not asked. All readings give the answers.
    """
    for attempt in itertools.count():
        chain = tuple(stream.draw(range(size.n_agents), len(wishes)))
        questions = [Question(chain[-order:], wish) for order, wish in enumerate(wishes, 1) if wish][::-1]
        asked = [(question.chain, question.wish.lesson) for question in questions]  # the longest chain first
        draft, fewest = None, INFINITE
        for turn in range(MOST_TURNS):
            if not fewest or turn > TURNS and fewest < SAME:
                break
            chapters = list(draft.chapters) if draft else [None] * size.n_chapters
            for number in range(size.n_chapters) if draft is None else [stream.below(size.n_chapters)]:
                lacking = (draft.untaught() if draft else []) or range(len(asked))
                aims = [lacking[stream.below(len(lacking))] for _ in range(2)]
                # What teaches a longer chain would mostly teach the shorter ones too, so it comes before their lines.
                chapters[number] = draw_chapter(stream, size, not number, asked, max(aims) if number else min(aims))
            chosen = joined(draw_lines(stream, chapter.facts) for chapter in chapters)
            found = Draft(chapters, questions, chosen)
            if draft:
                redrawn = ((1 << WIDTH) - 1) << WIDTH * number
                found.chosen = chosen & redrawn | draft.chosen & ~redrawn
            found, count = _climb(stream, found)
            if count <= fewest:
                draft, fewest = found, count
        if fewest < INFINITE and (attempt >= ATTEMPTS or not draft.shallower()):
            containers = _dealt_out(stream, draft, size.n_containers)
            story = draft.story(containers)
            answers = [draft.line(rows[0]) for rows in draft.rows]
            if not any(
                differing_readings(story, question.chain, THING, containers[line])
                for question, line in zip(questions, answers, strict=True)
            ):
                return story, chain


def _climb(stream: Stream, draft: Draft) -> tuple[Draft, float]:
    """Change which lines are chosen until nothing is unmet, at most ROUNDS times (simulated annealing)."""
    best, fewest = draft, draft.unmet(INFINITE)
    unmet = fewest
    for _ in range(ROUNDS):
        changed = draft.changed(stream)
        if changed is None:
            continue
        most = unmet - WARMTH * math.log(1 - stream.random())
        count = changed.unmet(most)
        if count <= most:
            draft, unmet = changed, count
        if unmet < fewest:
            best, fewest = draft, unmet
        if not fewest:
            break
    return (best, fewest) if fewest < unmet else (draft, unmet)


def _dealt_out(stream: Stream, draft: Draft, n_containers: int) -> dict[int, int]:
    """Deal out containers to the lines, as different as the questions wish and as moves must be."""
    lines = [line for line in each(draft.chosen) if line == draft.line(1 << line)]
    seen = [line for line in lines if not draft.claims >> line & 1]
    apart: dict[int, set[int]] = {line: set() for line in lines}
    same: dict[int, int] = {}
    pairs = [*zip(seen, seen[1:], strict=False)]
    for question, rows in zip(draft.questions, draft.rows, strict=True):
        line = draft.line(rows[0])
        others = [draft.line(row) for row in rows[READERS + 1 :]]
        pairs += [(line, other) for other in others if other not in (-1, line)]
        if question.wish.shallow:
            subchain = stream.draw(question.subchains, 1)[0]
            same[line] = draft.line(joined(by_rules(chapter.facts, subchain) for chapter in draft.chapters))
    for line, other in pairs:
        apart[line].add(other)
        apart[other].add(line)
    containers: dict[int, int] = {}
    for line in sorted(stream.shuffled(lines), key=lambda line: -len(apart[line])):
        taken = [containers.get(other) for other in apart[line]]
        fewest = min(map(taken.count, range(n_containers)))
        free = [container for container in range(n_containers) if taken.count(container) == fewest]
        wanted = containers.get(same.get(line))
        containers[line] = wanted if wanted in free else free[stream.below(len(free))]
    return containers
