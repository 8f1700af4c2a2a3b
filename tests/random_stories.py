"""The random stories, drafts and lessons that tests of stories draw, and definitions spelled out in full."""

import re
from functools import cache
from itertools import permutations

from hypothesis import strategies as st

from tom_datasets.proof.read_stories import read_story
from tom_datasets.story.deep import plan_deep, sample_deep
from tom_datasets.story.drafts import ANY_KIND, change_chapter, draw_aim, draw_chapter
from tom_datasets.story.meaning import Lesson, teaches
from tom_datasets.streams import stream
from tom_datasets.syntax.events import Dislike, Enter, Exit, Like, Lose, Move, Place, See, Stay, Story, Tell, Watch


def told(text):
    """Return the story and the names of a text whose sentences have their numbers before them."""
    return read_story(re.sub(r" (?=\d+ [A-Z])", "\n", text))


def chains(n_agents, highest, lowest=0):
    """Return all chains of orders `lowest` to `highest`."""
    return [chain for order in range(lowest, highest + 1) for chain in permutations(range(n_agents), order)]


@st.composite
def coherent_stories(draw, claims=True, most=6, watches=False):
    """Draw a coherent story about thing 0 of room 1, in which agents come, go and come back in several rooms."""
    n_agents = draw(st.integers(2, most))
    n_rooms = draw(st.integers(1, 3))
    numbers = st.integers(0, 63)
    kinds = st.integers(0, 19 if watches else 15)
    steps = draw(st.lists(st.tuples(kinds, numbers, numbers, numbers), min_size=10, max_size=30))
    where, kept = {}, {}
    events = []
    entered = chapter = 0
    watching = set()

    def enter(crowd, room):
        nonlocal entered, chapter, watching
        agents = tuple(agent for agent in range(n_agents) if crowd >> agent & 1 and where.get(agent) != room)
        if agents:
            events.append(Enter(agents, room))
            where.update(dict.fromkeys(agents, room))
            entered = room
            if room:
                chapter, watching = room, set()

    def thing_of(room, number):
        return room - 1 + n_rooms * (number % 5 == 4)  # two things in each room

    enter(draw(st.integers(1, 2**n_agents - 1)), 1)
    for kind, x, y, z in [(4, 0, 0, 0), *steps]:
        agent = y % n_agents
        room = where.get(agent)
        match kind:
            case 0 | 1 | 2 | 3:
                enter(x, z % (n_rooms + 2) % (n_rooms + 1) if kind else 1)
            case 4 | 5 if entered:
                thing = thing_of(entered, x)
                events.append(Place(thing, kept.setdefault(thing, 3 * (entered - 1) + y % 3)))
            case 6 | 7 | 8 if room and thing_of(room, x) in kept:
                thing = thing_of(room, x)
                kept[thing] = 3 * (room - 1) + z % 3
                events.append(Move(agent, thing, kept[thing]))
            case 9 | 10 if room is not None:
                events.append(Exit(agent, where.pop(agent)))
            case 11 if room is not None:
                events.append(Stay(agent, room))
            case 12 | 13 | 14 if claims:
                crowd = z if kind < 14 else 1 << z % n_agents
                hearers = tuple(a for a in range(n_agents) if crowd >> a & 1 and a != agent) if z % 3 else ()
                # Mostly a claim about the thing asked about; container 9 is where it never was.
                events.append(Tell(agent, hearers, n_rooms * (x % 7 == 6), (0, 1, 2, 9)[x % 4]))
            case 15:
                events.append((Lose, See, Like, Dislike)[x % 4](agent, z % 3))
            case 16 | 17 | 18 | 19 if where.get(agent) != chapter and agent not in watching:
                watching.add(agent)
                events.append(Watch(agent, chapter))
    return Story(n_agents, tuple(events))


def kept(chain, subchain):
    """Return the agents of a chain at the positions in a mask."""
    return tuple(agent for position, agent in enumerate(chain) if subchain >> position & 1)


def all_lessons(n_agents):
    """Return every sighting and every claim among some agents."""
    for minds in range(1 << n_agents):
        yield Lesson(0, minds)
        for speaker in range(n_agents):
            hearing = minds & ~(1 << speaker)
            if minds != hearing:
                yield from (
                    Lesson(0, minds, speaker, trusting)
                    for trusting in range(1 << n_agents)
                    if not trusting & ~hearing
                )  # fmt: skip


@st.composite
def lessons_and_chain(draw, n_agents=7, watches=False):
    """Draw lessons that no story need tell, and a chain of some or all agents."""
    agents = st.integers(0, n_agents - 1)
    masks = st.integers(0, 2**n_agents - 1)
    lessons = []
    watchers = masks if watches else st.just(0)
    for speaker, minds, trusting, container, watching in draw(
        st.lists(st.tuples(st.one_of(st.just(-1), agents), masks, masks, st.integers(0, 4), watchers), max_size=8)
    ):
        if speaker < 0:
            lessons.append(Lesson(container, minds, watching=watching))
        else:
            hearing = minds & ~(1 << speaker)
            lessons.append(Lesson(container, hearing | 1 << speaker, speaker, hearing & trusting, watching=watching))
    chain = draw(st.permutations(range(n_agents)))[: draw(st.integers(0, n_agents))]
    return [Lesson(0, 2**n_agents - 1), *lessons], tuple(chain)


def last_container(lessons, chain, semantics):
    """Return the container of the last lesson that teaches a chain: the definition of belief."""
    return next((lesson.container for lesson in reversed(lessons) if teaches(lesson, chain, semantics)), None)


def random_draft(i, order=4, n_agents=5, n_chapters=3):
    """Return the chapters of draft i of a deep story, changed a few times as its sampler does."""
    draft_stream = stream("draft", i, order, n_agents, n_chapters)
    aim = draw_aim(draft_stream, (ANY_KIND,) * order, n_agents, n_chapters, i % 2 == 0)
    chapters = [draw_chapter(draft_stream, aim, number) for number in range(n_chapters)]
    for _ in range(i % 7):
        number = draft_stream.below(n_chapters)
        chapters[number] = change_chapter(draft_stream, aim, number, chapters[number])
    return chapters


@cache
def deep_stories():
    """Return 300 deep stories as published builds have them, with their targets and chains."""
    targets = plan_deep(stream("deep"), 300, (2, 3), 4)
    return [(target, *sample_deep(stream("deep", i), target, 5, 4)) for i, target in enumerate(targets)]
