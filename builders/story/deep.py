"""Own how stories are drawn: a stream of random numbers goes in, a Story and the chain it is asked about come out.

Three families: Hi-ToM (`sample`, EMNLP paper, section 3), ToMH (`sample_tomh`, workshop paper, section 3 and
appendix A) and deep stories (`sample_deep`), whose questions need their chains. A Hi-ToM story is drawn to fit a
`Target`, by rejection on the lessons about the thing asked about, before any event exists; a deep one with a container
of its own for every move and claim, of which some are then made the same. Numbers mean nothing here: names come from
the wording stream, so it is no loss that the thing asked about is thing 0, its first place container 0, its room 1, and
agents are numbered as they appear.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from builders.story.chapters import DISTRACTED, draw_distraction
from builders.story.meaning import Lesson, lessons, reached, teacher, teaches
from builders.story.syntax import WAITING_ROOM, Enter, Event, Exit, Move, Place, Stay, Story, Tell, Watch
from builders.streams import Stream

TWO_CHAPTERS, CHAPTERS = ("ss", "cs"), ("ss", "sw", "cs", "cw", "wc", "wc", "sw", "cw", "wc", "wc")
"""What is to teach the chains of the two highest orders, in two chapters and in more. s: a sighting, which all of the
chain saw; w: a watch, in which its first agent saw in secret what the others saw; c: a claim. In two chapters a watch
hardly ever can: so all have their third when one story in six has two chapters."""


DEEP_CONTAINERS, DEEP_THINGS = 8, 2
"""Containers in the room of a deep story, which are all choices, and things that it speaks of."""


SHALLOW = 5
"""In one question of so many the answer is that of a subchain."""


LOWER = (
    ("turned", "swc", "swc"), ("overtaken", "s", "swc"), ("turned", "swc", "sw"), ("overtaken", "sw", "sw"),
    ("turned", "swc", "swc"), ("overtaken", "sw", "swc"), ("turned", "swc", "sw"), ("overtaken", "sw", "sw"),
)  # fmt: skip
"""What else is to hold of the chain of order 2, what is to teach it, and what that of order 1: claims would teach most.
turned: the same two agents believe something else the other way round; overtaken: what both of them saw or heard last
is something else."""


WATCHES, PEEPS, ALSO, PUBLIC, TO_ONE, SECOND = 0.4, 0.3, 0.5, 0.05, 0.05, 0.65
"""How likely an outsider watches; who leaves, then watches; one not asked about joins the others in a chapter or an
audience; a claim is public, or told to one; and a chapter has a second claim."""


DRAFTS, STALE, COLOURINGS, APART = 2000, 100, 4, 100
"""Drafts drawn before a wish is given up; how many without progress before another is begun; how often containers are
drawn for one; and how far apart the numbers are that containers of its chapters have until then."""


@dataclass(frozen=True, slots=True)
class DeepTarget:
    """Say what a deep story must be like.

    `taught`: by what the chains may be taught (see CHAPTERS), of the highest order first; an order that it does not
    reach is left to chance. `shallow`: the orders at which some subchain has the answer too. `pair`: turned or
    overtaken (see LOWER), or None.
    """

    n_chapters: int
    taught: tuple[str, ...] = ()
    shallow: tuple[int, ...] = ()
    pair: str | None = None


def plan_deep(stream: Stream, n_stories: int, lengths: tuple[int, ...], order: int) -> list[DeepTarget]:
    """Draw the targets of all deep stories of a split: each teacher in equal shares at the two highest orders.

    Lower orders follow LOWER. One story in SHALLOW is shallow at an order, at each order independently of the others.
    """
    longer = [length for length in lengths if length > 2]
    cells = [(2, pair) for pair in TWO_CHAPTERS if 2 in lengths]
    cells += [(longer[i % len(longer)], pair) for i, pair in enumerate(CHAPTERS) if longer]
    shallow = [stream.shuffled(i % SHALLOW == SHALLOW - 1 for i in range(n_stories)) for _ in range(order)]
    targets = []
    for number in range(n_stories):
        length, pair = cells[number % len(cells)]
        agents, second, first = LOWER[number // len(cells) % len(LOWER)]
        flat = tuple(k + 1 for k in range(order) if shallow[k][number])
        if 1 in flat:
            first = "c"  # who saw the last place but one cannot be made to believe in the last
        taught = (*pair, second, first)[: order if order > 2 else order - 1]
        targets.append(DeepTarget(length, taught, flat, agents))
    return stream.shuffled(targets)


def sample_deep(stream: Stream, target: DeepTarget, n_agents: int, order: int) -> tuple[Story, tuple[int, ...]]:
    """Draw a deep story and a chain of `order` agents that meet the target.

    Of each order the answer is none of those of the subchains, the empty one included, or one of them where the target
    is shallow. What DRAFTS drafts do not meet is given up: by what the lower orders are taught, then by what the higher
    ones are, last that the chains of the highest orders need all their agents.
    """
    taught, depth = target.taught, min(order, DEEP_CONTAINERS - 1)
    while True:
        by = ["swc"] * (order - len(taught)) + [*taught[::-1]]
        chapters: list[DeepChapter] = []
        met = stale = 0
        for _ in range(DRAFTS):
            if not chapters or stale == STALE:
                meant = stream.draw(range(n_agents), order)
                together = {"s": 0, "w": 1}.get(by[-1], stream.below(max(1, target.n_chapters - 1)))
                within = [by[-1] if number == together else "" for number in range(target.n_chapters)]
                drawn = [draw_deep_chapter(stream, n_agents, meant, number, what) for number, what in enumerate(within)]
                met = stale = 0
            else:
                drawn = list(chapters)
                number = stream.below(len(drawn))
                kept = drawn[number].body if stream.random() < 0.5 else None
                drawn[number] = draw_deep_chapter(stream, n_agents, meant, number, within[number], kept)
            found = deep_chains(joined(drawn), n_agents, by[:depth], target.pair)
            stale += 1
            if len(found[0]) < met:
                continue
            if len(found[0]) > met:
                stale = 0
            chapters, met = drawn, len(found[0])
            if met < depth:
                continue
            chain = found[stream.below(len(found))]
            others = [agent for agent in range(n_agents) if agent not in chain]
            chain = (*stream.draw(others, order - depth), *chain)
            draft = draft_of(drawn, n_agents)
            for _ in range(COLOURINGS):
                containers = draw_containers(stream, draft, chain, target.shallow)
                if containers:
                    return distracted(stream, draft, containers), chain
        if taught:
            taught = taught[:-1]
        else:
            depth -= 1


class DeepChapter(NamedTuple):
    """Hold a chapter of a draft: what happens in the room, what is claimed afterwards, and what all that teaches.

    Where the thing is when the chapter begins is container 0. Nobody is in a room when it begins, so it teaches what it
    teaches whatever came before.
    """

    body: list[Event]
    claims: list[Event]
    taught: list[Lesson]


def draw_deep_chapter(
    stream: Stream, n_agents: int, meant: list[int], number: int, by: str, body: list[Event] | None = None
) -> DeepChapter:
    """Draw a chapter about one thing in one room, of which the `body` may be given.

    The agents who are `meant` are to believe together, `by` what happens in one of the chapters, if it is this one;
    what happens in the others is mostly kept from one of them, so that all that fewer of them believe is something
    else.
    """
    random = stream.random

    def gathered(out: int) -> list[int]:
        """Return who is meant but for one, with some others."""
        return [agent for agent in range(n_agents) if agent != out and (agent in meant or random() < ALSO)]

    if body:
        agents = body[0].agents
    else:
        agents = range(n_agents)
        if number:
            agents = gathered(meant[0] if by == "w" else meant[stream.below(len(meant))])
            agents = stream.shuffled(agents) if len(agents) > 1 else stream.draw(range(n_agents), 2)
        body = [Enter(tuple(agents), 1)]
        for agent in range(n_agents):
            if agent not in agents and (by == "w" and agent == meant[0] or random() < WATCHES):
                body.append(Watch(agent, 1))
        body.append(Place(0, 0))
        for agent in agents:
            body += [Move(agent, 0, 0) if random() < 0.5 else Stay(agent, 1), Exit(agent, 1)]
            if agent != agents[-1] and random() < PEEPS:
                body.append(Watch(agent, 1))
        body.append(Enter(tuple(agents), WAITING_ROOM))
    claims: list[Event] = []
    for speaker in stream.draw(agents, 2 if random() < SECOND else 1):
        together = by == "c" and not claims
        hearers: list[int] = []
        if random() >= (0.4 if together else PUBLIC):
            audience = meant if together else gathered(meant[stream.below(len(meant))])
            hearers = stream.shuffled(agent for agent in audience if agent != speaker)
            if not hearers or random() < TO_ONE:
                hearers = [(speaker + 1 + stream.below(n_agents - 1)) % n_agents]
        claims.append(Tell(speaker, tuple(hearers), 0, 0))
    chapter = DeepChapter(body, claims, [])
    return chapter._replace(taught=lessons(draft_of([chapter], n_agents, APART * number), 0))


def draft_of(chapters: list[DeepChapter], n_agents: int, last: int = 0) -> Story:
    """Return the story of some chapters, in which each move and claim has a container of its own, after `last`."""
    events: list[Event] = []
    place = 0
    for body, claims, _ in chapters:
        for event in (*body, *claims):
            match event:
                case Place(thing, _):
                    event = Place(thing, place)
                case Move(agent, thing, _):
                    place = last = last + 1
                    event = Move(agent, thing, place)
                case Tell(speaker, hearers, thing, _):
                    last += 1
                    event = Tell(speaker, hearers, thing, last)
            events.append(event)
    return Story(n_agents, tuple(events))


def joined(chapters: list[DeepChapter]) -> list[Lesson]:
    """Return what chapters teach one after the other."""
    taught: list[Lesson] = []
    place = 0
    for chapter in chapters:
        begun = place
        for lesson in chapter.taught:
            if lesson.container == 0:
                lesson = lesson._replace(container=begun)
            elif lesson.speaker < 0:
                place = lesson.container
            taught.append(lesson)
    return taught


def taught_as(lesson: Lesson, chain: tuple[int, ...]) -> str:
    """Return what a lesson is to a chain that it teaches: s, w or c (see CHAPTERS)."""
    if lesson.speaker >= 0:
        return "c"
    return "w" if chain and not lesson.minds >> chain[0] & 1 else "s"


def deep_chains(taught: list[Lesson], n_agents: int, by: list[str], pair: str | None) -> list[tuple[int, ...]]:
    """Return the longest chains of which the last k agents, for each k, believe what no subchain of them does.

    `by` says by what they may be taught (see CHAPTERS), for each k from 1 to the length of the chains; `pair` what else
    holds of the last two (see LOWER).
    """
    latest = taught[::-1]
    known: dict[tuple[int, ...], Lesson] = {}

    def taught_what(chain: tuple[int, ...], behind: int) -> Lesson:
        """Return what taught a chain of which the agents behind the first are in the mask `behind`."""
        lesson = known.get(chain)
        if lesson is None:
            for lesson in latest:
                if not behind & ~lesson.minds and teaches(lesson, chain, "recursive"):
                    break
            known[chain] = lesson
        return lesson

    # Of each chain all subchains with their masks, the chain itself last.
    found: list[list[tuple[tuple[int, ...], int]]] = [[((), 0)]]
    taught_what((), 0)
    for kinds in by:
        longer: list[list[tuple[tuple[int, ...], int]]] = []
        for subchains in found:
            chain, minds = subchains[-1]
            for agent in range(n_agents):
                if minds >> agent & 1:
                    continue
                lesson = taught_what((agent, *chain), minds)
                container = lesson.container
                if taught_as(lesson, (agent, *chain)) not in kinds:
                    continue
                if len(chain) == 1 and pair:
                    if pair == "turned":
                        other = taught_what((*chain, agent), 1 << agent)
                    else:
                        other = next(lesson for lesson in latest if not (minds | 1 << agent) & ~reached(lesson))
                    if other.container == container:
                        continue
                for subchain, _ in subchains:
                    if known[subchain].container == container:
                        break
                else:
                    new = []
                    for subchain, behind in subchains:
                        new.append(((agent, *subchain), behind | 1 << agent))
                        if subchain != chain and taught_what(new[-1][0], behind).container == container:
                            break
                    else:
                        longer.append(subchains + new)
        if not longer:
            break
        found = longer
    return [subchains[-1][0] for subchains in found]


def draw_containers(stream: Stream, draft: Story, chain: tuple[int, ...], shallow: tuple[int, ...]) -> list[int] | None:
    """Draw which containers those of a draft become, the first place 0; return None where that cannot be.

    A move is to another container. What the last k agents of the chain believe is none of the containers that their
    subchains believe in or, for k in `shallow`, one of them.
    """
    taught = lessons(draft, 0)
    size = 1 + max(event.container for event in draft.events if isinstance(event, Place | Move | Tell))
    apart: list[set[int]] = [set() for _ in range(size)]
    place = 0
    for event in draft.events:
        if isinstance(event, Move):
            apart[place].add(event.container)
            apart[event.container].add(place)
            place = event.container
    same = list(range(size))
    believed = {(): teacher(taught, (), "recursive").container}
    merged = []
    for order in range(1, len(chain) + 1):
        asked = chain[len(chain) - order :]
        for subchain in list(believed):
            longer = (asked[0], *subchain)
            believed[longer] = teacher(taught, longer, "recursive").container
        lower = {container for subchain, container in believed.items() if subchain != asked}
        if order in shallow:
            merged.append((believed[asked], lower))
        elif believed[asked] not in lower:
            for container in lower:
                apart[believed[asked]].add(container)
                apart[container].add(believed[asked])
    for answer, lower in merged:
        for container in stream.shuffled(sorted(lower)):
            one, other = same[answer], same[container]
            ones, others = ([c for c in range(size) if same[c] == each] for each in (one, other))
            if not any(apart[c].intersection(others) for c in ones):
                same = [one if each == other else each for each in same]
                break
    drawn: dict[int, int] = {same[0]: 0}
    for container in range(size):
        if same[container] not in drawn:
            group = [c for c in range(size) if same[c] == same[container]]
            taken = {drawn.get(same[far]) for c in group for far in apart[c]}
            free = [colour for colour in range(DEEP_CONTAINERS) if colour not in taken]
            if not free:
                return None
            drawn[same[container]] = free[stream.below(len(free))]
    return [drawn[each] for each in same]


def distracted(stream: Stream, draft: Story, containers: list[int]) -> Story:
    """Return a draft with its containers drawn, and with distractions."""
    events: list[Event] = []
    seen: set[Event] = set()
    for event in draft.events:
        if events and stream.random() < DISTRACTED:
            distraction = draw_distraction(stream, draft.n_agents, DEEP_CONTAINERS, DEEP_THINGS)
            if distraction not in seen:
                seen.add(distraction)
                events.append(distraction)
        if isinstance(event, Place | Move | Tell):
            event = replace(event, container=containers[event.container])
        events.append(event)
    return Story(draft.n_agents, tuple(events))
