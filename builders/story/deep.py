"""Deep stories: what each must be like, and how a story and a chain that meet it are found by climbing.

A draft (`drafts`) has a container of its own for every move and claim. It is changed until no fault is left (`faults`).
Then colouring makes some of its containers the same (`colouring`). The thing asked about is thing 0, its first place
container 0, its room 1.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from ..streams import Stream
from ..syntax.events import Event, Move, Place, Story, Tell
from .colouring import colour_containers
from .distractions import ITEMS, add_distraction
from .drafts import (
    ANY_KIND,
    CLAIM,
    SIGHTING,
    WATCH,
    Chapter,
    change_chapter,
    draft_story,
    draw_aim,
    draw_chapter,
)
from .family import Drawn, Family, check_orders, lettered
from .faults import Wishes, count_faults, draft_steps

DEEP_CONTAINERS, DEEP_THINGS = 8, 2
"""Containers in the room of a deep story, all of them choices; things that it names."""


TEACHERS = (
    (SIGHTING, SIGHTING), (SIGHTING, WATCH), (WATCH, WATCH), (WATCH, CLAIM), (CLAIM, SIGHTING), (CLAIM, CLAIM),
)  # fmt: skip
"""What teaches the chains of the two highest orders, highest first: each kind a third of the stories at each order.

The other three pairs make stories that readers dispute, or take long to find."""


SHORT_TEACHERS = ((SIGHTING, SIGHTING), (WATCH, CLAIM))
"""Which of them come in stories of two chapters, where a story may have more: one story in six."""


SEEN = (SIGHTING, WATCH)
"""What may teach the lowest orders where no claim is to: order 2 where watches teach order 3, and order 1 at times.

Left to chance, claims would teach nearly all of them."""


DOUBTED = 11, 20
"""In so many stories of so many, a claim that all of the chain heard last is doubted.

So trust decides, and it matters which of the last two agents is last."""


SHALLOW = 5
"""In one question of so many the answer is that of a subchain."""


DRAFTS = 3000
"""Drafts counted before a wish is given up."""


STALE = 100
"""Drafts without progress before a new one is begun."""


WARMTH = 0.15
"""How many faults more a changed draft may have, on average, and still be taken (simulated annealing)."""


COLOURINGS = 4
"""Colourings tried for one draft."""


@dataclass(frozen=True, slots=True)
class DeepTarget:
    """Say what a deep story must be like."""

    n_chapters: int  # how many chapters it has
    kinds: tuple[tuple[str, ...], ...]  # for each order from 1 the kinds of lesson that may teach it
    shallow: tuple[int, ...] = ()  # the orders whose answer is also that of a subchain
    doubted: bool = False  # whether a claim that the whole chain heard is doubted (see DOUBTED)


def plan_deep(stream: Stream, n_stories: int, lengths: tuple[int, ...], order: int) -> list[DeepTarget]:
    """Draw the targets of all deep stories of a split, with equal shares of what teaches the highest orders.

    At each order one story in SHALLOW is shallow, whatever the others are.
    """
    longer = [length for length in lengths if length > 2] or [2]
    cells = [(2 if 2 in lengths and pair in SHORT_TEACHERS else None, pair) for pair in TEACHERS]
    cells += [(None, pair) for pair in TEACHERS]
    is_shallow = [stream.shuffled(i % SHALLOW == SHALLOW - 1 for i in range(n_stories)) for _ in range(order)]
    is_doubted = stream.shuffled(i * DOUBTED[0] % DOUBTED[1] < DOUBTED[0] for i in range(n_stories))
    targets = []
    for number in range(n_stories):
        length, (highest, second) = cells[number % len(cells)]
        turn = number // len(cells)
        length = length or longer[turn % len(longer)]
        shallow = tuple(k + 1 for k in range(order) if is_shallow[k][number])
        kinds = [ANY_KIND] * order
        if second == WATCH and order == 4:
            kinds[1] = SEEN
        # An agent who saw the thing in the last place but one cannot believe in the last.
        kinds[0] = (CLAIM,) if 1 in shallow else SEEN if length > 2 and highest != CLAIM and turn % 4 else ANY_KIND
        if order > 1:
            kinds[-1] = (highest,)
        if order > 2:
            kinds[-2] = (second,)
        targets.append(DeepTarget(length, tuple(kinds), shallow, is_doubted[number]))
    return stream.shuffled(targets)


def sample_deep(
    stream: Stream, target: DeepTarget, n_agents: int, order: int, n_containers: int = DEEP_CONTAINERS
) -> tuple[Story, tuple[int, ...]]:
    """Draw a deep story and a chain of `order` agents that meet the target.

    The answer of each order is none of those of its subchains, the empty one included; where the target is shallow, it
    is one of them. All readings agree on it. A wish that DRAFTS drafts do not meet is given up: first what teaches
    order 1, then doubt, then what teaches the next orders, last that the chains of the highest orders need all their
    agents.
    """
    wishes = Wishes(n_agents, target.kinds, min(order, n_containers - 1), target.doubted)
    while True:
        drawn = _climb(stream, target, wishes, n_containers)
        if drawn:
            return drawn
        wishes = _with_fewer(wishes)


def _with_fewer(wishes: Wishes) -> Wishes:
    """Return wishes less the next one to be given up."""
    kept = [k for k, allowed in enumerate(wishes.kinds) if allowed != ANY_KIND]
    if kept[:1] != [0] and wishes.doubted:
        return wishes._replace(doubted=False)
    if kept:
        kinds = list(wishes.kinds)
        kinds[kept[0]] = ANY_KIND
        return wishes._replace(kinds=tuple(kinds))
    return wishes._replace(depth=max(0, wishes.depth - 1))


def _climb(
    stream: Stream, target: DeepTarget, wishes: Wishes, n_containers: int
) -> tuple[Story, tuple[int, ...]] | None:
    """Change a draft, chapter by chapter, until it has no fault; return its story and chain, or None after DRAFTS."""
    order, n_agents = len(wishes.kinds), wishes.n_agents
    chapters: list[Chapter] = []
    stale = STALE
    for _ in range(DRAFTS):
        if stale == STALE:
            aim = draw_aim(stream, wishes.kinds, n_agents, target.n_chapters, wishes.doubted)
            changed = [draw_chapter(stream, aim, number) for number in range(target.n_chapters)]
            fewest = faults = math.inf
            stale = 0
        else:
            number = stream.below(target.n_chapters)
            changed = list(chapters)
            changed[number] = change_chapter(stream, aim, number, chapters[number])
        most = faults - WARMTH * math.log(1 - stream.random())
        steps, marks = draft_steps(changed, order, n_agents)
        count = count_faults(steps, marks, wishes, most)
        stale += 1
        if count > most:
            continue
        chapters, faults = changed, count
        if faults < fewest:
            fewest, stale = faults, 0
        if faults:
            continue
        draft, number_of = draft_story(stream, chapters, n_agents)
        chain = tuple(number_of[:order])
        for _ in range(COLOURINGS):
            containers = colour_containers(stream, draft, chain, target.shallow, n_containers)
            if containers:
                return _finish(stream, draft, containers, n_containers), chain
        stale = STALE
    return None


def _finish(stream: Stream, draft: Story, containers: list[int], n_containers: int) -> Story:
    """Return the story of a draft whose containers are coloured, with distractions."""
    events: list[Event] = []
    drawn: set[Event] = set()
    for event in draft.events:
        # Nobody loses a watch where others watch: a reader could take the one for the other.
        add_distraction(stream, events, drawn, draft.n_agents, n_containers, DEEP_THINGS, ITEMS - 1)
        if isinstance(event, Place | Move | Tell):
            event = replace(event, container=containers[event.container])
        events.append(event)
    return Story(draft.n_agents, tuple(events))


def plan(config: Any, stream: Stream, size: int) -> list[tuple[DeepTarget, dict[int, int]]]:
    """Plan a split: what teaches each story's questions, and letters in equal shares."""
    return lettered(stream, plan_deep(stream, size, config.lengths, config.depth), range(config.depth + 1))


def draw(config: Any, target: DeepTarget, stream: Stream) -> Drawn:
    """Draw a story that meets a target."""
    story, chain = sample_deep(stream, target, config.n_agents, config.depth)
    sizes = 2, DEEP_THINGS, DEEP_CONTAINERS
    return Drawn(story, chain, config.orders, True, config.n_agents, target.n_chapters, *sizes)


def check(config: Any) -> None:
    """Raise ValueError for a config that asks about no agent, or an order above its agents."""
    if config.depth == 0:
        raise ValueError(
            f"max_order is {config.max_order!r}; deep stories are asked about one agent or more: raise it, or "
            "leave out every split of deep"
        )
    check_orders(config)


KNOBS = ("language", "n_agents", "lengths", "max_order", "order", "explanations")
DEEP = Family(plan, draw, KNOBS, lengths=range(2, 7), watched=True, claims_given=True, check=check)
"""Deep stories, whose questions need all agents of their chain."""
