"""How questions of `abilities` are drawn: of the stories of a chunk, each kind takes questions that shortcuts fail on.

A chunk has equally many questions of each kind. Stories are drawn one after the other, and each kind takes of a story
what it still lacks: orders and letters in equal shares, and every shortcut right as rarely as its limit says. Where a
kind can, it asks about the chain that the story was drawn for, so that kinds can be compared.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice, permutations
from math import ceil, floor
from typing import Any, NamedTuple

from ...errors import UserError
from ...streams import Stream
from ...syntax.ability import Query
from ..constraints import plan_deep
from ..deep import draw, may_of
from ..family import DrawnStory
from ..meaning import Chain
from .kind import YES_NO, Kind, picked_by, share_of
from .kinds import KINDS
from .shortcuts import of_two_features
from .view import View

CHUNK = 30  # questions of each kind in a chunk

PROPOSED, TRIED = 8, 30  # how many questions of a kind are tried about one chain, and about one story

EXACT = 10  # questions of a kind and order from which on shares are held exactly

MOST_OF_KIND = 2  # questions of a kind about one story, at most

PATIENCE = 100  # stories without a question for a kind, after which its shares are held less exactly

PLANNED = 40  # stories of an order whose constraints are planned together

MOST_STORIES = 30  # stories drawn for each question of a kind before a chunk is given up


# What has a share of the questions: a shortcut, a cell with its per cent, or a rule of two features.
Mark = str | tuple[int, float] | tuple[str, str, int]
Marks = dict[Mark, float]  # how much of each share there is


class Asked(NamedTuple):
    """Hold a question that was drawn, or may be."""

    number: int  # of its story in the chunk
    story: DrawnStory
    query: Query  # with the options in order
    answer: int  # the place of the answer among them
    marks: Marks  # how much it adds to each share: to its cell's, and to those of rules that are right


Chunk = dict[str, list[Asked]]  # by kind; those of number i have one order, and pairs stand together


@dataclass(slots=True)
class Ledger:
    """Keep account of the questions of one kind and order in a chunk."""

    kind: Kind
    size: int  # how many questions there are to be
    turn: int  # the number of the chunk
    taken: list[Asked] = field(default_factory=list)
    marks: Marks = field(default_factory=dict)  # the sums over the questions taken
    waited: int = 0  # stories that had no question for it

    @property
    def lacking(self) -> int:
        """Return how many questions are still to be taken."""
        return self.size - len(self.taken)

    def take(self, told: tuple[int, DrawnStory], view: View, chains: Sequence[Chain], stream: Stream) -> int:
        """Take one question about a story with its number, or two with opposite answers; return how many there were.

        All are undisputed, and together they break no limit.
        """
        fitting = self._fitting(told, view, chains, stream) if self.lacking else ()
        for group in permutations(fitting, 2) if self.kind.form is YES_NO else zip(fitting):
            marks = sums([asked.marks for asked in group])
            if len({asked.answer for asked in group}) < len(group) or not self._has_room(marks, len(group)):
                continue
            if all(view.is_undisputed(belief) for asked in group for belief in self.kind.rests_on(asked.query)):
                self.taken += group
                self.marks |= sums([self.marks, marks])
                return len(group)
        self.waited += 1
        return 0

    def _has_room(self, marks: Marks, n_more: int) -> bool:
        """Return whether `n_more` questions, with what they add to each share, break no limit."""
        n_taken, had = len(self.taken) + n_more, self.marks.get
        return all(had(mark, 0) + marks[mark] <= self._limit(mark, n_taken) for mark in marks)

    def _fitting(
        self, told: tuple[int, DrawnStory], view: View, chains: Sequence[Chain], stream: Stream
    ) -> Iterator[Asked]:
        """Yield the questions about a story that have an answer and break no limit."""
        kind = self.kind
        for query in islice(self._proposed(view, chains, stream), TRIED):
            answer, options = kind.answer_to(view, query), kind.options(view, query)
            if answer not in options:
                continue
            if not kind.form.in_order:
                # The place that is rarest until now among questions with as many choices: else the number of choices
                # would tell where the answer is.
                places = [asked.answer for asked in self.taken if len(asked.query.options) == len(options)]
                place = min(stream.shuffled(range(len(options))), key=places.count)
                options = stream.shuffled([option for option in options if option != answer])
                options.insert(place, answer)
            query = replace(query, options=tuple(options))
            marks = self._marks_of(view, query, answer)
            if self._has_room(marks, 1):
                yield Asked(*told, query, options.index(answer), marks)

    def _proposed(self, view: View, chains: Sequence[Chain], stream: Stream) -> Iterator[Query]:
        """Yield what the kind proposes about each chain. A claim that somebody overhears is no moment of its own."""
        for chain in chains:
            proposed = self.kind.propose(view, Query(self.kind, chain), stream)
            yield from islice((query for query in proposed if query.line not in view.overheard), PROPOSED)

    def _marks_of(self, view: View, query: Query, answer: Any) -> Marks:
        """Return how much a question counts of each share: its cell, rules with a limit, and rules of two features."""
        rules = {name: rule for name, rule in self.kind.rules.items() if len(query.chain) >= rule.since}
        picked = {name: picked_by(rule.guess(view, query)) for name, rule in rules.items()}
        marks: Marks = {name: share_of(options, answer) for name, options in picked.items()}
        marks[self.kind.cells(view, query, answer)] = 1
        if self.kind.most_of_two:
            for mark, share in of_two_features(picked, query.options, answer).items():
                marks[mark] = share
        return marks

    def _limit(self, mark: Mark, n_taken: int) -> float:
        """Return how much the first questions may have of a share: early ones leave room for the last."""
        kind, slack = self.kind, self.waited // PATIENCE  # so every chunk can be filled
        most: float
        match mark:
            case cell, share:  # where it is no whole number, cells take turns from chunk to chunk
                even = share * self.size / 100
                begun = self.turn * even + cell * (even % 1)
                exactly = floor(begun + even) - floor(begun) + slack // 3
                return exactly if self.size >= EXACT else ceil(even) + slack
            case str():
                most, more = kind.rules[mark].most, float(slack)
            case _:
                most, more = kind.most_of_two, slack / 4
        most = most * self.size / 100
        # Of few questions a share cannot be held exactly, nor of pairs, where the opposite of a rule is limited too.
        if kind.form is YES_NO or self.size < EXACT:
            most = ceil(most)
        taken = n_taken / self.size
        return max(1.0, most * taken + 1 - taken) + more


def sums(all_marks: Iterable[Marks]) -> Marks:
    """Return how much of each share there is in several together; shares of which there is nothing are left out."""
    total: Marks = {}
    for marks in all_marks:
        for mark, amount in marks.items():
            total[mark] = total.get(mark, 0) + amount
    return {mark: amount for mark, amount in total.items() if amount > 0}


def draw_chunk(config: Any, streams: Callable[..., Stream], size: int, turn: int) -> Chunk:
    """Draw the questions of the chunk of a number, `size` of each kind. Raises UserError where it cannot be filled.

    streams: returns the stream of a chunk that has this key.
    """
    orders = [1 + number // 2 % config.max_order for number in range(size)]  # two of each order in turn
    counts = Counter(orders)
    ledgers = {(kind, order): Ledger(KINDS[kind], n, turn) for order, n in counts.items() for kind in config.kinds}
    drawn = {order: draw_stories(config, streams, order) for order in counts}
    n_stories = 0
    for tried in count():
        order = max(counts, key=lambda order: sum(ledgers[kind, order].lacking for kind in config.kinds))
        short = [kind for kind in config.kinds if ledgers[kind, order].lacking]
        if not short:
            break
        if tried >= MOST_STORIES * (size + len(KINDS)):
            asked = f"the questions {', '.join(short)} of order {order}"
            raise UserError(f"{tried} stories are not enough for {asked}; change n_agents or kinds")
        story, chooses = next(drawn[order])
        view, agents = View(story.story), range(story.story.n_agents)
        taken: Counter[str] = Counter()
        chains = {other: chooses.shuffled(permutations(agents, other)) for other in counts}
        chains[order].insert(0, story.chain)
        for kind in config.kinds:
            others = sorted(set(counts) - {order}, key=lambda other: -ledgers[kind, other].lacking)
            for other in [order, *(others if KINDS[kind].any_order else ())]:
                if taken[kind] < MOST_OF_KIND:
                    taken[kind] += ledgers[kind, other].take((n_stories, story), view, chains[other], chooses)
        n_stories += taken.total() > 0
    in_turn = {key: iter(ledger.taken) for key, ledger in ledgers.items()}
    return {kind: [next(in_turn[kind, order]) for order in orders] for kind in config.kinds}


def draw_stories(config: Any, streams: Callable[..., Stream], order: int) -> Iterator[tuple[DrawnStory, Stream]]:
    """Yield deep stories whose question of an order climbs, each with the stream that chooses what is asked of it."""
    for block in count():
        targets = plan_deep(streams(order, block, "plan"), PLANNED, config.lengths, order, may_of(config), alone=True)
        for turn, target in enumerate(targets, PLANNED * block):
            yield draw(config, target, streams(order, turn, "problem")), streams(order, turn, "questions")
