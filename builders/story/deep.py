"""Own deep stories: what each must be like, and how a story and a chain that meet it are found by hill climbing.

Questions of a deep story need all agents of their chain (`deep_chains`). A draft has a container of its own for every
move and claim (`drafts`). Once its chains are deep enough, colouring makes some of these containers the same
(`colouring`). The thing asked about is thing 0, its first place container 0, its room 1.
"""

from dataclasses import dataclass, replace

from builders.story.colouring import colour_containers
from builders.story.deep_chains import (
    ANY_KIND,
    CLAIM,
    LAST_SHARED_DIFFERS,
    SIGHTING,
    SWAP_DIFFERS,
    WATCH,
    deep_chains,
)
from builders.story.distractions import add_distraction
from builders.story.drafts import DeepChapter, draft_lessons, draft_story, draw_deep_chapter
from builders.story.syntax import Event, Move, Place, Story, Tell
from builders.streams import Stream

DEEP_CONTAINERS, DEEP_THINGS = 8, 2
"""Containers in the room of a deep story, all of them choices; things that it names."""


TWO_CHAPTERS = ((SIGHTING, SIGHTING), (CLAIM, SIGHTING))
"""What teaches the chains of the two highest orders, highest first, in stories of two chapters.

A watch can hardly ever do so there. If one story in six has two chapters, each kind teaches a third of the chains over
this table and the next one.
"""


MORE_CHAPTERS = (
    (SIGHTING, SIGHTING), (SIGHTING, WATCH), (CLAIM, SIGHTING), (CLAIM, WATCH), (WATCH, CLAIM), (WATCH, CLAIM),
    (SIGHTING, WATCH), (CLAIM, WATCH), (WATCH, CLAIM), (WATCH, CLAIM),
)  # fmt: skip
"""The same in stories of more chapters."""


NO_CLAIM = (SIGHTING, WATCH)


LOWER_ORDERS = (
    (SWAP_DIFFERS, ANY_KIND, ANY_KIND), (LAST_SHARED_DIFFERS, (SIGHTING,), ANY_KIND),
    (SWAP_DIFFERS, ANY_KIND, NO_CLAIM), (LAST_SHARED_DIFFERS, NO_CLAIM, NO_CLAIM),
    (SWAP_DIFFERS, ANY_KIND, ANY_KIND), (LAST_SHARED_DIFFERS, NO_CLAIM, ANY_KIND),
    (SWAP_DIFFERS, ANY_KIND, NO_CLAIM), (LAST_SHARED_DIFFERS, NO_CLAIM, NO_CLAIM),
)  # fmt: skip
"""What else holds of the chain of order 2, what may teach it, and what may teach that of order 1, in turn.

Left to chance, claims would teach most of these chains.
"""


SHALLOW = 5
"""In one question of so many the answer is that of a subchain."""


DRAFTS = 2000
"""Drafts drawn before a wish is given up."""


STALE = 100
"""Drafts without progress before a new one is begun."""


COLOURINGS = 4
"""Colourings tried for one draft."""


@dataclass(frozen=True, slots=True)
class DeepTarget:
    """Say what a deep story must be like."""

    n_chapters: int  # how many chapters it has
    teachers: tuple[tuple[str, ...], ...] = ()  # kinds of lesson that may teach each order, highest first; then any
    shallow: tuple[int, ...] = ()  # the orders whose answer is also that of a subchain
    pair: str | None = None  # what else holds of the chain of order 2: SWAP_DIFFERS, LAST_SHARED_DIFFERS or None


def plan_deep(stream: Stream, n_stories: int, lengths: tuple[int, ...], order: int) -> list[DeepTarget]:
    """Draw the targets of all deep stories of a split: each kind of teacher in equal shares at the two highest orders.

    Lower orders follow LOWER_ORDERS in turn. At each order one story in SHALLOW is shallow, whatever the others are.
    """
    longer = [length for length in lengths if length > 2]
    cells = [(2, highest) for highest in TWO_CHAPTERS if 2 in lengths]
    cells += [(longer[i % len(longer)], highest) for i, highest in enumerate(MORE_CHAPTERS) if longer]
    is_shallow = [stream.shuffled(i % SHALLOW == SHALLOW - 1 for i in range(n_stories)) for _ in range(order)]
    targets = []
    for number in range(n_stories):
        length, highest = cells[number % len(cells)]
        pair, second, first = LOWER_ORDERS[number // len(cells) % len(LOWER_ORDERS)]
        shallow = tuple(k + 1 for k in range(order) if is_shallow[k][number])
        if 1 in shallow:
            first = (CLAIM,)  # an agent who saw the thing in the last place but one cannot believe in the last
        teachers = (*[(kind,) for kind in highest], second, first)[: order if order > 2 else order - 1]
        targets.append(DeepTarget(length, teachers, shallow, pair))
    return stream.shuffled(targets)


def sample_deep(stream: Stream, target: DeepTarget, n_agents: int, order: int) -> tuple[Story, tuple[int, ...]]:
    """Draw a deep story and a chain of `order` agents that meet the target.

    The answer of each order is none of those of its subchains, the empty one included; where the target is shallow, it
    is one of them. A wish that DRAFTS drafts do not meet is given up: first what teaches order 1, then what teaches the
    next orders, last that the chains of the highest orders need all their agents.
    """
    teachers, depth = target.teachers, min(order, DEEP_CONTAINERS - 1)
    while True:
        kinds = [ANY_KIND] * (order - len(teachers)) + [*teachers[::-1]]
        drawn = _climb(stream, target, n_agents, kinds, depth)
        if drawn:
            return drawn
        if teachers:
            teachers = teachers[:-1]
        else:
            depth -= 1


def _climb(
    stream: Stream, target: DeepTarget, n_agents: int, kinds: list[tuple[str, ...]], depth: int
) -> tuple[Story, tuple[int, ...]] | None:
    """Climb from draft to draft by redrawing one chapter; return a story and its chain, or None after DRAFTS drafts.

    A draft is as high as its longest deep chain; `depth` agents are enough. `kinds`: for each order from 1 what may
    teach it.
    """
    order = len(kinds)
    chapters: list[DeepChapter] = []
    height = stale = 0
    for _ in range(DRAFTS):
        if not chapters or stale == STALE:
            meant, together = _draw_aim(stream, target.n_chapters, n_agents, kinds)
            drawn = [draw_deep_chapter(stream, n_agents, meant, number, kind) for number, kind in enumerate(together)]
            height = stale = 0
        else:
            drawn = list(chapters)
            number = stream.below(len(drawn))
            body = drawn[number].body if stream.random() < 0.5 else None
            drawn[number] = draw_deep_chapter(stream, n_agents, meant, number, together[number], body)
        chains = deep_chains(draft_lessons(drawn), n_agents, kinds[:depth], target.pair)
        stale += 1
        if len(chains[0]) < height:
            continue
        if len(chains[0]) > height:
            stale = 0
        chapters, height = drawn, len(chains[0])
        if height < depth:
            continue
        chain = chains[stream.below(len(chains))]
        others = [agent for agent in range(n_agents) if agent not in chain]
        chain = (*stream.draw(others, order - depth), *chain)
        draft = draft_story(drawn, n_agents)
        for _ in range(COLOURINGS):
            containers = colour_containers(stream, draft, chain, target.shallow, DEEP_CONTAINERS)
            if containers:
                return _finish(stream, draft, containers), chain
    return None


def _draw_aim(
    stream: Stream, n_chapters: int, n_agents: int, kinds: list[tuple[str, ...]]
) -> tuple[list[int], list[str | None]]:
    """Draw the agents who are meant to share a belief, and for each chapter by what kind of lesson, or None.

    One chapter teaches it: by a sighting the first, where all are inside, by a watch the second.
    """
    meant = stream.draw(range(n_agents), len(kinds))
    highest = kinds[-1]
    chapter = {(SIGHTING,): 0, (WATCH,): 1}.get(highest, stream.below(max(1, n_chapters - 1)))
    kind = highest[0] if len(highest) == 1 else None
    return meant, [kind if number == chapter else None for number in range(n_chapters)]


def _finish(stream: Stream, draft: Story, containers: list[int]) -> Story:
    """Return the story of a draft whose containers are coloured, with distractions."""
    events: list[Event] = []
    drawn: set[Event] = set()
    for event in draft.events:
        add_distraction(stream, events, drawn, draft.n_agents, DEEP_CONTAINERS, DEEP_THINGS)
        if isinstance(event, Place | Move | Tell):
            event = replace(event, container=containers[event.container])
        events.append(event)
    return Story(draft.n_agents, tuple(events))
