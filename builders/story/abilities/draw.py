"""How questions of `abilities` are drawn: chunks of stories, of which each kind takes questions that shortcuts fail on.

A chunk has equally many questions of each kind. Stories are drawn one after the other, and each kind takes of a story
what it still lacks: orders and letters in equal shares, and every shortcut right as rarely as its limit says. Where a
kind can, it asks about the chain that the story was drawn for, so that kinds can be compared.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, permutations
from math import ceil
from typing import Any, NamedTuple

from ...errors import UserError
from ...streams import Stream
from ..deep import DEEP_CONTAINERS, DEEP_THINGS, DeepTarget, draw_deep, may_of, plan_deep
from ..deep import asked as asked_wishes
from ..drafts import Size
from ..family import Drawn
from ..meaning import Chain
from .kinds import KINDS
from .query import Kind, Query, View
from .shortcuts import of_two_features

CHUNK = 30
"""Questions of each kind in a chunk."""

PROPOSED, TRIED = 8, 30
"""How many questions of a kind are tried about one chain, and about one story."""

EXACT = 10
"""Questions of a kind and order from which on shares are held exactly."""

IN_ORDER = ("yes_no", "line")
"""Forms of options that stay in their order."""

MOST_OF_KIND = 2
"""Questions of a kind about one story, at most."""

PATIENCE = 100
"""Stories of which a kind can take nothing before its shares need be held less exactly."""

PLANNED = 40
"""Stories of an order whose wishes are planned together."""

MOST_STORIES = 30
"""Stories drawn for each question of a kind until a chunk counts as one that cannot be filled."""


class Asked(NamedTuple):
    """Hold a question that was drawn."""

    story: int  # the number of its story in the chunk
    query: Query  # with the options in order
    answer: int  # the place of the answer among them


class Chunk(NamedTuple):
    """Hold the questions of a chunk."""

    stories: dict[int, Drawn]  # by number
    asked: dict[str, list[Asked]]  # by kind; those of number i have one order, and pairs stand together


def order_of(number: int, orders: int) -> int:
    """Return the order of the questions of a number: two of each order in turn."""
    return 1 + number // 2 % orders


class Candidate(NamedTuple):
    """Hold a question that may be taken."""

    query: Query
    answer: int
    marks: dict[Any, float]  # how much it counts of each share: that of its cell, and those of rules that are right


@dataclass(slots=True)
class Ledger:
    """Keep account of the questions of one kind and order in a chunk."""

    kind: Kind
    order: int
    size: int  # how many questions there are to be
    taken: list[tuple[int, Candidate]] = field(default_factory=list)  # each with the number of its story
    places: Counter = field(default_factory=Counter)  # of the answers
    marks: Counter = field(default_factory=Counter)  # the sums over the questions taken
    waited: int = 0  # stories of which it could take nothing

    @property
    def slack(self) -> int:
        """Return by how many questions a share may be missed, so that every chunk can be filled."""
        return self.waited // PATIENCE

    @property
    def lacking(self) -> int:
        """Return how many questions are still to be taken."""
        return max(0, self.size - len(self.taken))

    def take(self, view: View, chains: Sequence[Chain], number: int, stream: Stream) -> int:
        """Take one question about a story, or two with opposite answers; return how many there were."""
        fitting = self._fitting(view, chains, stream) if self.lacking else iter(())
        groups = permutations(fitting, 2) if self.kind.paired else zip(fitting)
        chosen = next((group for group in groups if self._may_take(view, group)), ())
        self.waited += bool(self.lacking) and not chosen
        for candidate in chosen:
            self.taken.append((number, candidate))
            self.places[candidate.answer] += 1
            self.marks.update(candidate.marks)
        return len(chosen)

    def _may_take(self, view: View, group: Sequence[Candidate]) -> bool:
        """Return whether questions have different answers, all undisputed, and break no limit together."""
        marks, n_taken = Counter(), len(self.taken) + len(group)
        for candidate in group:
            marks.update(candidate.marks)
        return (
            len({candidate.answer for candidate in group}) == len(group)
            and all(self.marks[mark] + weight <= self._limit(mark, n_taken) for mark, weight in marks.items())
            and all(view.is_undisputed(belief) for one in group for belief in self.kind.rests_on(one.query))
        )

    def _fitting(self, view: View, chains: Sequence[Chain], stream: Stream) -> Iterator[Candidate]:
        """Yield the questions about a story that have an answer and break no limit."""
        proposed = (query for chain in chains for query in islice(self.kind.propose(view, chain, stream), PROPOSED))
        for query in islice(proposed, TRIED):
            held = [view.held(belief) for belief in self.kind.rests_on(query)]
            answer = None if None in held else self.kind.answer(query, held)
            options = [] if answer is None else self.kind.options(view, query, answer)
            if answer not in options:
                continue
            if self.kind.form not in IN_ORDER:  # the place of the answer that is rarest until now
                place = min(stream.shuffled(range(len(options))), key=self.places.__getitem__)
                options = stream.shuffled([option for option in options if option != answer])
                options.insert(place, answer)
            query, marks = replace(query, options=tuple(options)), {}
            for mark, weight in self._marks_of(view, query, answer):
                if self.marks[mark] + weight > self._limit(mark, len(self.taken) + 1):
                    break
                marks[mark] = weight
            else:
                yield Candidate(query, options.index(answer), marks)

    def _marks_of(self, view: View, query: Query, answer: Any) -> Iterator[tuple[Any, float]]:
        """Yield how much a question counts of each share: its cell, rules with a limit, and rules of two features."""
        yield (self.kind.cells(view, query, answer),), 1
        rules = {name: rule for name, rule in self.kind.rules.items() if self.order >= rule.since}
        for name, rule in rules.items():
            if share := rule.share(view, query, answer):
                yield name, share
        if self.kind.most_of_two:
            guesses = {name: rule.guess(view, query) for name, rule in rules.items()}
            yield from of_two_features(guesses, query.options, answer).items()

    def _limit(self, mark: Any, n_taken: int) -> float:
        """Return how much the first questions may have of a share: early ones leave room for the last."""
        kind = self.kind
        if mark in kind.rules:
            most, slack = kind.rules[mark].most * self.size / 100, self.slack
        elif len(mark) == 1:
            return ceil(kind.shares.get(*mark, 0) * self.size / 100) + self.slack
        else:
            most, slack = kind.most_of_two * self.size / 100, self.slack / 4
        # Of few questions a share cannot be held exactly, nor of pairs, where the opposite of a rule is limited too.
        if kind.paired or self.size < EXACT:
            most = ceil(most)
        share = min(1.0, n_taken / self.size)
        return max(1.0, most * share + 1 - share) + slack


Streams = Callable[..., Stream]
"""Returns the stream of a chunk that has this key."""


def draw_chunk(config: Any, streams: Streams, size: int) -> Chunk:
    """Draw the questions of a chunk, so many of each kind. Raises UserError where it cannot be filled."""
    counts = Counter(order_of(number, config.max_order) for number in range(size))
    ledgers = {order: {kind: Ledger(KINDS[kind], order, n) for kind in config.kinds} for order, n in counts.items()}
    stories: dict[int, Drawn] = {}
    tried: Counter = Counter()
    plans: dict[tuple[int, int], list[DeepTarget]] = {}  # by order and number
    while lacking := {
        order: sum(ledger.lacking for ledger in of_order.values()) for order, of_order in ledgers.items()
    }:
        order = max(lacking, key=lacking.__getitem__)
        if not lacking[order]:
            break
        number, turn = tried.total(), tried[order]
        if number >= MOST_STORIES * size + MOST_STORIES * len(KINDS):
            short = [kind for kind, ledger in ledgers[order].items() if ledger.lacking]
            raise UserError(f"{number} stories are not enough for the questions {', '.join(short)} of order {order}")
        block, place = divmod(turn, PLANNED)
        if (order, block) not in plans:
            plans[order, block] = plan_deep(
                streams(order, block, "plan"), PLANNED, config.lengths, order, may_of(config), alone=True
            )
        drawn = draw_story(config, streams(order, turn, "problem"), plans[order, block][place], order)
        tried[order] += 1
        view, chooses = View(drawn.story), streams(order, turn, "questions")
        agents = range(drawn.story.n_agents)
        chains = {other: chooses.shuffled(permutations(agents, other)) for other in counts}
        chains[order].insert(0, drawn.chain)
        n_taken = 0
        for kind in config.kinds:
            others = sorted(set(counts) - {order}, key=lambda other: -ledgers[other][kind].lacking)
            of_kind = 0
            for other in [order, *(others if KINDS[kind].any_order else ())]:
                if of_kind < MOST_OF_KIND:
                    of_kind += ledgers[other][kind].take(view, chains[other], number, chooses)
            n_taken += of_kind
        if n_taken:
            stories[number] = drawn
    kept = {number: place for place, number in enumerate(sorted(stories))}
    asked = {}
    for kind in config.kinds:
        of_order = {order: iter(ledgers[order][kind].taken) for order in ledgers}
        taken = [next(of_order[order_of(number, config.max_order)]) for number in range(size)]
        asked[kind] = [Asked(kept[number], candidate.query, candidate.answer) for number, candidate in taken]
    return Chunk({kept[number]: stories[number] for number in kept}, asked)


def draw_story(config: Any, stream: Stream, target: DeepTarget, order: int) -> Drawn:
    """Draw a deep story whose question of an order climbs."""
    target = target._replace(wishes=asked_wishes(target.wishes, [order]))
    size = Size(config.n_agents, target.n_chapters, DEEP_CONTAINERS, may_of(config))
    story, chain = draw_deep(stream, target, size)
    return Drawn(story, chain, [order], True, config.n_agents, target.n_chapters, 2, DEEP_THINGS, DEEP_CONTAINERS)
