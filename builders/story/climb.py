"""How a deep story is found: chapters are drawn, and lines of them are chosen so that the constraints are met.

A chapter (`candidates`) comes with more lines than a story can have, and every rule is applied to all of them at once.
For each question the line that is to teach it is settled, and later lines that would teach it something else are
struck. For each wrong rule (`failing`) a line is chosen that misleads it. Where too many rules find none, a chapter is
drawn anew. At last the containers are dealt out.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import accumulate, pairwise
from math import inf
from operator import and_, or_
from typing import NamedTuple

from ..streams import Stream
from ..syntax.events import Event, Move, Overhear, Place, Report, Story, Tell
from .candidates import (
    CLAIM,
    MISTAKE,
    OPEN,
    OWN,
    SECRET,
    SIGHTINGS,
    THING,
    THOUGHT,
    TRUST,
    CandidateChapter,
    Size,
    TargetLine,
    draw_chapter,
)
from .constraints import Constraint
from .interpretations import by_last_exit, differing_interpretations, place_told, stayed_longer
from .lines import LineSet, union
from .meaning import Chain, Facts, by_rules, claims_reaching, each, shared, subchains
from .shortcuts import FORGETFUL, not_looked_at_though_known

# How often a chapter is drawn anew; the second is shared by the questions where a subchain has the answer.
TURNS, MOST_TURNS = 3, 44
# In how many of a hundred questions that may have the answer of a subchain it is to be where the thing is; in how many
# of the others the place that the story names last.
REALITY, LAST_NAMED = 90, 14
TARGETS = 6  # how many lines that may teach a question are tried
TRIED = 4  # how many lines that mislead a wrong rule are tried; the line that misleads most other rules is taken
# Claims after one chapter, and in a story, at most; and after one chapter whether or not they mislead a rule.
MOST_CLAIMS, ALL_CLAIMS, FEW_CLAIMS = 6, 20, 3
MOVES = 0.6  # how many of the moves that may be chosen are, whether or not they mislead a rule
TAUGHT = 16  # the weight of a fault of the target line
# The weights of a wrong rule that gives the answer, one of features that does or finds no line, a subchain that has an
# answer that it must not have, and interpretations that differ.
WRONG, LAZY, SAME, DISPUTED = 1, 2, 30, 60
CONTRADICTION = 10_000  # the weight of lines that cannot be chosen together

# For each link of a chain, the rule of who does not look at it that most looks as if it did.
LINKS = tuple(map(not_looked_at_though_known, range(11)))

# Wrong rules about who knows of whom: as links are, they are to fail among lines of a kind (`Constraint.alike`).
AMONG_ALIKE = ("order ignored", "one level deep", "watchers unnoticed")


def joined(width: int, by_chapter: Iterable[int]) -> int:
    """Return the bits of lines of a story, given those of each chapter: line p of chapter c is line width * c + p."""
    return sum([lines << width * number for number, lines in enumerate(by_chapter)])


# The lines that a wrong rule takes, as bits, each time with the weight of that rule. Each question has some thirty such
# rules, looked at again and again: with a `LineSet` for each, a story would take a quarter more time.
Misled = list[tuple[int, int]]


class QuestionLines(NamedTuple):
    """Hold what lines are to a question."""

    taught: LineSet  # those that teach its chain
    sure: LineSet  # those that do under all interpretations too
    doubtful: LineSet  # those that do by the rules or under some interpretation
    rows: Misled  # by rule that must not give the answer: those that it takes, and its weight


class CandidateQuestion:
    """Hold a question of a story that is being drawn."""

    def __init__(self, chain: Chain, constraint: Constraint) -> None:
        self.chain, self.constraint = chain, constraint
        self.subchains = subchains(chain)[:-1]
        self.unlike = [] if constraint.shallow else self.subchains  # those that must have another answer
        # The rules that must give another answer, each with whether it is to fail among its like alone.
        self.wrong: list[tuple[Callable[[Facts, Chain], int], bool]]
        self.wrong = [(LINKS[link], constraint.alike) for link in constraint.target.links]
        self.wrong += [(FORGETFUL[name], constraint.alike and name in AMONG_ALIKE) for name in constraint.wrong]
        self.weights = [WRONG] * len(self.wrong) + [LAZY] * len(constraint.lazy) + [SAME] * len(self.unlike)
        self.lines: dict[CandidateChapter, list[int]] = {}  # what `lines_of` has, as bits

    def lines_of(self, chapter: CandidateChapter) -> list[int]:
        """Return bits of lines of a chapter in the order of a view, as far as other chapters have no part in it."""
        if chapter not in self.lines:
            chain, facts = self.chain, chapter.facts
            taught = by_rules(facts, chain)
            # The interpretations about a chapter alone, the last of them PLACED. A story that is found is asked all.
            placed = taught & (shared(facts.open, chain) | ~facts.entries)
            read = [place_told(facts, chain), stayed_longer(facts, chain), placed]
            alike = facts.sightings if self.constraint.target.teacher in SIGHTINGS else facts.claims
            lines = [taught, reduce(and_, read, taught), reduce(or_, read, taught)]
            lines += [rule(facts, chain) & (alike if is_alike else -1) for rule, is_alike in self.wrong]
            lines += [rule.lines(facts, chain) for rule in self.constraint.lazy]
            self.lines[chapter] = lines + [by_rules(facts, subchain) for subchain in self.unlike]
        return self.lines[chapter]

    def view(self, chapters: Sequence[CandidateChapter], width: int) -> QuestionLines:
        """Return what the lines of a story are to the question; each chapter has as many of them as the width."""
        chain, join = self.chain, partial(joined, width)
        taught, sure, doubtful, *rows = map(join, zip(*map(self.lines_of, chapters), strict=True))
        leavers = [*dict.fromkeys(agent for chapter in reversed(chapters) for agent in reversed(chapter.entering))]
        last_exit = by_last_exit({agent: leavers[:place] for place, agent in enumerate(leavers)})
        for read in map(join, (_visiting(chapters, chain), [last_exit(one.facts, chain) for one in chapters])):
            sure &= read
            doubtful |= read
        return QuestionLines(LineSet(taught), LineSet(sure), LineSet(doubtful), [*zip(rows, self.weights, strict=True)])

    def fault(self, chapters: Sequence[CandidateChapter], number: int, place: int) -> float:
        """Return how far a line of the chapter of a number is from what is to teach the answer."""
        facts, bit, target = chapters[number].facts, 1 << place, self.constraint.target
        secret = facts.secret
        if facts.sightings & bit:
            teacher, prefix = SECRET if any([secret[agent] & bit for agent in self.chain]) else OPEN, self.chain
        else:
            prefix = next(prefix for claims, prefix in claims_reaching(facts, self.chain) if claims & bit)
            teacher = CLAIM if prefix is self.chain else THOUGHT
        pairs = len([agent for agent, other in pairwise(prefix) if secret[agent] & secret[other] & bit])
        fault = 3 * (teacher != target.teacher) + 3 * min(2, abs(pairs - target.pairs))
        if facts.claims & bit and len(prefix) > 1:
            how = OWN if facts.speaks[prefix[-1]] & bit else MISTAKE if facts.speaks[prefix[-2]] & bit else TRUST
            fault += how != target.how
        return TAUGHT * (fault + (target.home != number) / 2)


def _visiting(chapters: Sequence[CandidateChapter], chain: Chain) -> list[int]:
    """Return for each chapter the bits of lines of the interpretation BOTH: who enters alone sees what others know."""
    rows = []
    for number in range(len(chapters) - 1, -1, -1):
        rows.append(by_rules(chapters[number].facts, chain))
        inside, before = chapters[number].entering, chapters[number - 1].entering[-1]
        while chain and (chain[-1] in inside or chain[-1] == before and chain[-2:-1] and chain[-2] in inside):
            chain = chain[:-1]
    return rows[::-1]


class TeachingLine(NamedTuple):
    """Hold a line that may teach a question."""

    line: int
    fault: float
    struck: LineSet  # the lines that must not be chosen with it
    needs: Misled  # by rule that would give its answer: those that mislead it, and its weight


class Candidate:
    """Hold the chapters of a story that is being drawn, and which of their lines are chosen."""

    def __init__(
        self, stream: Stream, chapters: Sequence[CandidateChapter], questions: Sequence[CandidateQuestion]
    ) -> None:
        self.chapters = chapters
        self.width = max(len(chapter.facts.lines) for chapter in chapters)  # the lines that each chapter has
        self.asked = [(question, question.view(chapters, self.width)) for question in questions]
        self.claims = [self._of_chapter(number, chapter.facts.claims) for number, chapter in enumerate(chapters)]
        self.moves = LineSet(joined(self.width, [chapter.facts.sightings & ~1 for chapter in chapters]))
        self.puts = self.moves | LineSet(1)  # the lines that put the thing somewhere
        self.found = LineSet.of(range(0, self.width * len(chapters), self.width))  # the sentences on where the thing is
        self.chosen = self.found
        self.unmet: list[float] = []  # by question; nothing where no lines are found
        options = [self._options(stream, *asked) for asked in self.asked]
        targets = _fitting(options) if all(options) else []
        if targets:
            self._choose(stream, targets)
            self.unmet = [self._unmet(*asked) for asked in self.asked]

    def _of_chapter(self, number: int, lines: int) -> LineSet:
        """Return lines of the story, given the bits of those of one chapter."""
        return LineSet(lines << self.width * number)

    def line(self, row: int) -> int:
        """Return what the last chosen line of a row, given as bits, `stands_for`; -1 where there is none."""
        line = (row & self.chosen.bits).bit_length() - 1
        return line if line % self.width or line <= 0 else self.stands_for(line)

    def stands_for(self, line: int) -> int:
        """Return a line, but for a later chapter's sentence on where the thing is the line that left it there."""
        if line % self.width or line <= 0:
            return line
        return (self.chosen & self.puts).before(line).last

    def outranking(self, line: int) -> LineSet:
        """Return the claims that win over a line under the interpretation OUTRANKED."""
        number, place = divmod(line, self.width)
        facts = self.chapters[number].facts
        later = [speaks for speaks, longer in zip(facts.speaks, facts.longer, strict=True) if longer >> place & 1]
        return self._of_chapter(number, reduce(or_, later, 0) & (1 << place) - 1)

    def _options(self, stream: Stream, question: CandidateQuestion, view: QuestionLines) -> list[TeachingLine]:
        """Draw lines that may teach a question, the most fitting first."""
        must = (view.doubtful & self.found).last  # nothing before can
        able = view.sure.after(must - 1)
        lines = stream.shuffled((able & self._like(question.constraint.target) or able).each())
        faults = {line: question.fault(self.chapters, *divmod(line, self.width)) for line in lines}
        options = []
        for line in sorted(lines, key=faults.__getitem__)[:TARGETS]:
            struck = view.doubtful.after(line) | view.taught & self.outranking(line)
            bit, free = 1 << line, ~struck.bits
            later = free & -2 << line
            needs = [
                (row & (later if row & bit else free), weight)
                for row, weight in view.rows
                if row & bit or weight == LAZY
            ]
            options.append(TeachingLine(line, faults[line], struck, needs))
        return options

    def _like(self, target: TargetLine) -> LineSet:
        """Return the lines of the chapter and of the kind that a target line asks for."""
        facts = self.chapters[target.home].facts
        claims = {CLAIM: facts.plain, THOUGHT: facts.claims & ~facts.plain}
        return self._of_chapter(target.home, claims.get(target.teacher, facts.sightings))

    def _choose(self, stream: Stream, targets: Sequence[TeachingLine]) -> None:
        """Choose lines, given those that teach the questions: what misleads wrong rules, and some others."""
        struck = union([target.struck for target in targets])
        self.chosen |= LineSet.of({target.line for target in targets})
        moves = (self.moves - struck - self.chosen).each()
        self.chosen |= LineSet.of([move for move in moves if stream.random() < MOVES])
        most = min(MOST_CLAIMS, ALL_CLAIMS // len(self.chapters))
        wrong = [(view.taught.bits, view.rows) for _, view in self.asked]
        while True:
            more = [claims for claims in self.claims if len(claims & self.chosen) < most]
            left = (union([self.moves, *more]) - struck - self.chosen).bits
            chosen = self.chosen.bits
            wrong = [(taught, self._answering(taught, rows)) for taught, rows in wrong]
            needs = [row & left & -1 << (row & chosen).bit_length() for _, rows in wrong for row, _ in rows]
            needs = [need for need in needs if need]
            if not needs:
                break
            lines = [*each(min(needs, key=int.bit_count))]
            tried = stream.draw(lines, min(TRIED, len(lines)))
            self.chosen |= LineSet.of([max(tried, key=lambda line: sum([need >> line & 1 for need in needs]))])
        for claims in self.claims:
            lines = [*(claims - struck - self.chosen).each()]
            lacking = min(FEW_CLAIMS, most) - len(claims & self.chosen)
            self.chosen |= LineSet.of(stream.draw(lines, max(0, min(lacking, len(lines)))))

    def _answering(self, taught: int, rows: Misled) -> Misled:
        """Return those rules that give the answer, by the lines that they take, and lazy ones that take none."""
        line_of, chosen, answer = self.line, self.chosen.bits, self.line(taught)
        return [(row, weight) for row, weight in rows if line_of(row) == answer or weight == LAZY and not row & chosen]

    def _unmet(self, question: CandidateQuestion, view: QuestionLines) -> float:
        """Return how far a question is from its constraint."""
        line = self.line(view.taught.bits)
        taught = divmod((view.taught & self.chosen).last, self.width)
        unmet = question.fault(self.chapters, *taught)
        unmet += sum([weight for _, weight in self._answering(view.taught.bits, view.rows)])
        disputed = {self.line(view.sure.bits), self.line(view.doubtful.bits)} != {line}
        return unmet + DISPUTED * (disputed or bool(view.taught & self.chosen & self.outranking(line)))

    def total(self) -> float:
        """Return how far all questions are from their constraints."""
        return sum(self.unmet) if self.unmet else inf

    def shallow(self) -> bool:
        """Return whether some subchain has an answer that it must not have."""
        unlike = ((view.taught.bits, [row for row in view.rows if row[1] == SAME]) for _, view in self.asked)
        return any(self._answering(taught, rows) for taught, rows in unlike)

    def weak(self, stream: Stream) -> int:
        """Draw a chapter that may be to blame: where a question is taught that lacks something, or a later one."""
        chance = stream.random() * sum(self.unmet)
        blamed = zip(self.asked, accumulate(self.unmet), strict=False)
        home = next((question.constraint.target.home for (question, _), end in blamed if chance < end), 0)
        return home + stream.below(len(self.chapters) - home)

    def story(self, containers: dict[int, int]) -> Story:
        """Return the story of all chosen lines, and of the events that are no lines, given each line's container."""
        events: list[Event] = []
        for number, chapter in enumerate(self.chapters):
            line_of = {index: self.width * number + place for place, index in enumerate(chapter.facts.lines)}
            line: int | None = None
            for index, event in enumerate(chapter.events):
                if not isinstance(event, Overhear):  # which goes with the claim before it
                    line = line_of.get(index)
                if line is None or line in self.chosen:
                    if line is not None and isinstance(event, Place | Move | Tell | Report):
                        event = replace(event, container=containers[self.stands_for(line)])
                    events.append(event)
        return Story(self.chapters[0].facts.n_agents, tuple(events))


def _fitting(options: Sequence[Sequence[TeachingLine]]) -> list[TeachingLine]:
    """Return a line for each question, such that all can be chosen together; nothing where none are found.

    In turn each question takes the line with which least goes unmet, given those of the others.
    """
    taken = [lines[0] for lines in options]
    fewest = inf
    for _ in range(2):
        for number, of_one in enumerate(options):
            others = taken[:number] + taken[number + 1 :]
            struck = union([option.struck for option in others]).bits
            chosen = LineSet.of({option.line for option in others}).bits
            needs = [need for option in others for need in option.needs]
            fewest = inf
            for option in of_one:
                free = ~(struck | option.struck.bits)
                unmet = option.fault + (CONTRADICTION if (chosen | 1 << option.line) & ~free else 0)
                if unmet < fewest:
                    unmet += sum([weight for misleading, weight in needs + option.needs if not misleading & free])
                if unmet < fewest:
                    fewest, taken[number] = unmet, option
    return taken if fewest < CONTRADICTION else []


def sample_climbing(stream: Stream, constraints: Sequence[Constraint | None], size: Size) -> tuple[Story, Chain]:
    """Draw a story, and a chain with an agent for each constraint; its last k agents ask the question of order k.

    An order without a constraint is not asked. All interpretations give the answers.
    """
    while True:
        chain = tuple(stream.draw(range(size.n_agents), len(constraints)))
        questions = [
            CandidateQuestion(chain[-order:], constraint)
            for order, constraint in enumerate(constraints, 1)
            if constraint
        ][::-1]
        asked = [(question.chain, question.constraint.target) for question in questions]  # the longest chain first
        chapters = [draw_chapter(stream, size, number, asked) for number in range(size.n_chapters)]
        candidate = Candidate(stream, chapters, questions)
        for turn in range(MOST_TURNS // len(questions)):
            total = candidate.total()
            if not total or turn >= TURNS and total < inf and not candidate.shallow():
                break
            number = candidate.weak(stream)
            chapters = [*candidate.chapters]
            chapters[number] = draw_chapter(stream, size, number, asked)
            changed = Candidate(stream, chapters, questions)
            if changed.total() <= total:
                candidate = changed
        if candidate.unmet:
            containers = _dealt_out(stream, candidate, size.n_containers)
            story = candidate.story(containers)
            answers = (
                (question.chain, containers[candidate.line(view.taught.bits)]) for question, view in candidate.asked
            )
            if not any(differing_interpretations(story, tail, THING, answer) for tail, answer in answers):
                return story, chain


def _dealt_out(stream: Stream, candidate: Candidate, n_containers: int) -> dict[int, int]:
    """Deal out containers to the lines, as different as the constraints and moves need, and all of them.

    Some answers are where the thing is at last, or the last place named: else whoever strikes these out is right.
    """
    lines = [line for line in candidate.chosen.each() if line == candidate.stands_for(line)]
    seen = [line for line in lines if line in candidate.moves or line in candidate.found]
    apart: dict[int, set[int]] = {line: set() for line in lines}
    alike: list[tuple[int, int]] = []
    pairs = [*pairwise(seen)]
    for question, view in candidate.asked:
        line, other = candidate.line(view.taught.bits), -1
        last = [(candidate.line(row), weight) for row, weight in view.rows]
        if question.constraint.shallow:
            subchain = () if stream.below(100) < REALITY else stream.draw(question.subchains, 1)[0]
            taught = [by_rules(chapter.facts, subchain) for chapter in candidate.chapters]
            other = candidate.line(joined(candidate.width, taught))
        elif stream.below(100) < LAST_NAMED and (lines[-1], SAME) not in last:
            other = lines[-1]
        if other >= 0:
            alike.append((line, other))
        pairs += [(line, one) for one, _ in last if one not in (-1, line, other)]
    for line, other in pairs:
        apart[line].add(other)
        apart[other].add(line)
    together = {line: {line} for line in lines}  # those with one container
    for line, other in alike:
        if not any(apart[one] & together[other] for one in together[line]):
            both = together[line] | together[other]
            together |= dict.fromkeys(both, both)
    containers: dict[int, int] = {}
    for line in sorted(stream.shuffled(lines), key=lambda line: -len(apart[line])):
        if line not in containers:
            taken = [containers.get(other) for one in together[line] for other in apart[one]]
            named = [*containers.values()]
            free = stream.shuffled(range(n_containers))
            container = min(free, key=lambda place: (taken.count(place), named.count(place)))
            containers |= dict.fromkeys(together[line], container)
    return containers
