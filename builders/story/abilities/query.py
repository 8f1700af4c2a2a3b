"""What a question of `abilities` asks, the beliefs that it rests on, and what each kind of question must say."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ...streams import Stream
from ...syntax.coherence import check
from ...syntax.events import Enter, Event, Like, Overhear, Place, Story, Tell
from ...syntax.scan import scan
from ..meaning import RULES, Chain, Facts, facts_of
from ..readings import differing_readings


@dataclass(frozen=True, slots=True)
class Query:
    """Hold a question about a story; lines are numbers from 1, agents and containers those of the story."""

    kind: str  # a key of `kinds.KINDS`
    chain: Chain  # whose belief is asked about, outermost first
    others: Chain = ()  # agents named beside the last of the chain
    line: int | None = None  # the line that it names
    container: int | None = None  # the container that it names
    options: tuple = ()  # what may be answered, in the order of the choices


class Belief(NamedTuple):
    """Name a belief about the thing: whose, and in which change of the story."""

    chain: Chain  # outermost first; empty for where the thing really is
    upto: int | None = None  # after so many lines; None for all
    without: int | None = None  # had this line not happened
    claim: Tell | None = None  # with this claim as a further line


class View:
    """Look at a story: what chains believe in it about a thing, and in its changes, computed once."""

    def __init__(self, story: Story, thing: int = 0) -> None:
        self.story, self.thing = story, thing
        self._views: dict[tuple, View] = {}
        self._undisputed: dict[Chain, bool] = {}
        self._convincing: dict[Chain, frozenset[int]] = {(): frozenset()}

    @cached_property
    def facts(self) -> Facts:
        """The facts about the thing."""
        return facts_of(self.story, self.thing)

    @cached_property
    def is_coherent(self) -> bool:
        """Whether all lines can happen."""
        try:
            check(self.story)
        except ValueError:
            return False
        return True

    @cached_property
    def left(self) -> dict[int, float]:
        """When each agent of the last chapter left its room."""
        *_, (_, scene) = scan(self.story)
        return scene.left

    def changed(self, belief: Belief) -> "View":
        """Return the view of the changed story that a belief is about; its lines have the numbers that they had."""
        key = belief[1:]
        if not any(part is not None for part in key):
            return self
        if key not in self._views:
            events = list(self.story.events)
            if belief.without is not None:
                events[belief.without - 1] = Like(0, 0)  # a line that means nothing
            events = [*events[: belief.upto], *([belief.claim] if belief.claim else [])]
            self._views[key] = View(Story(self.story.n_agents, tuple(events)), self.thing)
        return self._views[key]

    def held(self, belief: Belief) -> int | None:
        """Return the container of a belief, None where nothing taught it."""
        view = self.changed(belief)
        return view.facts.last(RULES["recursive"](view.facts, belief.chain))

    def end(self, *chain: int) -> int | None:
        """Return where a chain believes the thing to be at the end."""
        return self.held(Belief(chain))

    def is_undisputed(self, belief: Belief) -> bool:
        """Return whether there is such a belief, and all readings of the story agree on it."""
        view = self.changed(belief)
        if belief.chain not in view._undisputed:
            held = view.held(Belief(belief.chain))
            differing = held is None or differing_readings(view.story, belief.chain, self.thing, held)
            view._undisputed[belief.chain] = not differing
        return view._undisputed[belief.chain]

    def convincing(self, chain: Chain) -> frozenset[int]:
        """Return whom a chain of agents would believe, after the last line, if they told everybody."""
        if chain not in self._convincing:
            facts, agents = self._told_by_each, range(self.story.n_agents)
            lines = RULES["recursive"](facts, chain) >> len(facts.lines) - len(agents)
            self._convincing[chain] = frozenset([agent for agent in agents if lines >> agent & 1])
        return self._convincing[chain]

    @cached_property
    def _told_by_each(self) -> Facts:
        """The facts if each agent in turn told everybody where the thing is, as further lines."""
        claims = [Tell(agent, (), self.thing, 0) for agent in range(self.story.n_agents)]
        return facts_of(Story(self.story.n_agents, (*self.story.events, *claims)), self.thing)

    def is_moment(self, line: int) -> bool:
        """Return whether a line is a moment by itself: nobody is said to overhear it, or to see the thing next."""
        events = self.story.events
        split = isinstance(events[line - 1], Enter) and any(isinstance(event, Place) for event in events[line:])
        return not split and not isinstance(events[line - 1], Overhear) and not self.is_overheard(line)

    def is_overheard(self, line: int) -> bool:
        """Return whether the next line says that somebody overheard this one."""
        return isinstance(self.event(line + 1), Overhear)

    def event(self, line: int) -> Event | None:
        """Return the event of a line, None behind the last."""
        return self.story.events[line - 1] if line <= len(self.story.events) else None

    def named(self, upto: int | None = None) -> list[int]:
        """Return the containers that the first lines name, in order of their last mention."""
        last: dict[int, None] = {}
        for event in self.story.events[:upto]:
            if (container := getattr(event, "container", None)) is not None:
                last.pop(container, None)
                last[container] = None
        return list(last)


MEASURED = 100
"""The limit of a rule that the draw does not look at: it is measured, and gated, as rare as it is."""
SHOWN = 9
"""The lowest order of a rule that is shown and nothing else: neither drawn against, nor gated, nor a feature."""


class Rule(NamedTuple):
    """Say what a lazy reader answers, and on how many questions of a hundred that may be right."""

    most: int  # at most, of each order, when questions are drawn; or MEASURED
    guess: Callable[[View, Query], Any]  # an option, None, or a frozenset of options to pick from
    since: int = 1  # the lowest order that the limit holds for

    def share(self, view: View, query: Query, answer: Any) -> float:
        """Return how often the guess is right: 1 or 0, or one of as many as there are options to pick from."""
        guess = self.guess(view, query)
        if isinstance(guess, frozenset):
            return (answer in guess) / max(1, len(guess))
        return float(guess == answer)


@dataclass(frozen=True)
class Kind:
    """Say what the questions of a kind are; each file of a kind ends with one."""

    propose: Callable[[View, Chain, Stream], Iterable[Query]]  # questions about a chain, without options
    rests_on: Callable[[Query], list[Belief]]  # the beliefs that settle the answer
    answer: Callable[[Query, list[int]], Any]  # the right option, given the containers of these beliefs
    options: Callable[[View, Query, Any], list]  # what may be answered, given the right option; fewer than 2 for none
    form: str = "container"  # what its options are: the macro of abilities.jinja that says one
    shortcuts: Callable[["Kind"], dict[str, Rule]] = lambda kind: {}  # what lazy readers answer
    cells: Callable[[View, Query, Any], Any] = lambda view, query, answer: None  # which of `shares` a question is in
    shares: Mapping[Any, float] = field(
        default_factory=lambda: {None: 100}
    )  # per cent of an order that are in a cell, at most
    paired: bool = False  # whether questions come in twos with opposite answers
    any_order: bool = False  # whether it asks of stories of other orders too, as good answers are rare
    explained_by: Callable[[Query], list[Belief]] | None = None  # the beliefs that explain it; None for `rests_on`
    most_of_two: int = 0  # per cent on which any rule of two features may be right; 0 for no limit
    gate: int = 40  # on how many of a hundred test questions a rule with a limit may be right

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """The shortcuts, by name."""
        return self.shortcuts(self)


def end_belief(query: Query) -> list[Belief]:
    """Return the belief of the chain at the end."""
    return [Belief(query.chain)]


def the_container(query: Query, held: list[int]) -> int:
    """Return the container of the one belief."""
    return held[0]


def asked_of_chain(kind: str) -> Callable[[View, Chain, Stream], list[Query]]:
    """Return what proposes the one question of a kind about a chain."""
    return lambda view, chain, stream: [Query(kind, chain)]


def named_containers(view: View, query: Query, answer: int) -> list[int]:
    """Return the containers that the story names before the end of the line asked about."""
    upto = query.line if query.kind == "past" else None
    named = view.named(upto)
    return sorted(named) if answer in named and len(named) > 3 else []


def yes_or_no(view: View, query: Query, answer: bool) -> list[bool]:
    """Return the answers yes and no."""
    return [True, False]
