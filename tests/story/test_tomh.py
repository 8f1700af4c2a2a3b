"""Prove that ToMH stories are coherent, answer their questions, and are what the workshop paper says."""

from collections import Counter
from functools import cache

import pytest

from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.story.meaning import SEMANTICS
from tom_datasets.story.tomh import CELLS, CHAPTER_TYPES, LINES, plan_tomh, sample_tomh
from tom_datasets.streams import stream
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Move, Place
from tom_datasets.syntax.record import extent

TABLE_1 = {
    (order, n_agents, n_chapters): {1: 50, 2: 50, 3: 75, 4: 150}[order]
    for order, crowd in {1: (2, 3, 4), 2: (2, 3, 4), 3: (3, 4), 4: (4,)}.items()
    for n_agents in crowd
    for n_chapters in (1, 3, 5)
}
"""Questions of each (order, agents, chapters): Table 1 of the workshop paper."""


BOUNDS = {1: (5, 15), 3: (15, 25), 5: (25, 30)}
"""Lines of short, medium and long stories: the caption of the same table."""


PER_CELL = 25


@cache
def tomh_stories():
    """Return stories of all cells: (order, agents, chapters), story, chain."""
    return [
        (cell, *sample_tomh(stream("tomh", *cell, i), *cell)) for cell in TABLE_1 for i in range(PER_CELL)
    ]  # fmt: skip


def scenes(story):
    """Return the chapters of a ToMH story, and the visits to rooms where no thing is, as lists of (line, event).

    A chapter begins with an Enter; among the events in rooms with things, the one before it is no Enter.
    """
    entered, furnished = 0, set()
    for event in story.events:
        if isinstance(event, Enter):
            entered = event.room
        elif isinstance(event, Place):
            furnished.add(entered)
    read, visits = [], []
    for line, event in enumerate(story.events):
        if isinstance(event, (Enter, Exit)) and event.room not in furnished:
            visits.append((line, event))
        else:
            if isinstance(event, Enter) and not (read and isinstance(read[-1][-1][1], Enter)):
                read.append([])
            read[-1].append((line, event))
    return read, visits


def parts(scene):
    """Return (room, agents in order of entry, Place, who left before the move) of a chapter, and check its shape."""
    events = [event for _, event in scene]
    agents = []
    while isinstance(events[0], Enter):
        assert len(events[0].agents) == 1
        agents += events[0].agents
        room = events.pop(0).room
    placed = events.pop(0)
    early = [events.pop(0).agent for _ in range(1) if isinstance(events[0], Exit)]
    moved = events.pop(0)
    assert isinstance(placed, Place) and isinstance(moved, Move)
    assert moved.thing == placed.thing and moved.container != placed.container
    # All others leave once each, the mover too.
    assert all(isinstance(event, Exit) and event.room == room for event in events)
    assert sorted([*early, *(event.agent for event in events)]) == sorted(agents)
    assert moved.agent in agents and moved.agent not in early
    return room, agents, placed, early


def test_the_cells_of_table_1():
    assert len(TABLE_1) == 27
    assert sum(TABLE_1.values()) == 1800
    assert {cell[:3]: cell[3] * 25 for cell in CELLS} == TABLE_1
    assert len(CELLS) == 27
    assert LINES == BOUNDS


@pytest.mark.parametrize("n_questions", [0, 1, 7, 72, 540, 1799, 1800, 3601])
def test_any_number_of_questions_is_shared_nearly_as_in_table_1(n_questions):
    planned = Counter(plan_tomh(stream("tomh", n_questions), n_questions))
    assert sum(planned.values()) == n_questions
    for cell, share in TABLE_1.items():
        assert abs(planned[cell] - n_questions * share / 1800) <= (n_questions != 1800)


def test_every_tomh_story_is_coherent_and_answers_its_question():
    for (order, n_agents, _), story, chain in tomh_stories():
        check(story)
        assert story.n_agents == n_agents + 1  # the distractor too
        assert len(chain) == len(set(chain)) == order
        for semantics in SEMANTICS:
            assert believe_after(happenings(story, 0), [chain], semantics)[chain] is not None
        assert {type(event) for event in story.events} <= {Enter, Place, Move, Exit}


def test_lines_and_chapters_of_each_length():
    seen = {}
    for (_, _, n_chapters), story, _ in tomh_stories():
        low, high = BOUNDS[n_chapters]
        assert low <= len(story.events) <= high
        assert len(scenes(story)[0]) == n_chapters
        seen.setdefault(n_chapters, set()).add(len(story.events))
    assert seen[5] == set(range(25, 31))
    assert seen[3] == set(range(15, 26))


def test_all_seven_chapter_types_occur():
    """Stories of n agents have the types of up to n agents."""
    assert sorted(CHAPTER_TYPES) == [(1, False), (2, False), (2, True), (3, False), (3, True), (4, False), (4, True)]
    seen = {2: Counter(), 3: Counter(), 4: Counter()}
    for (_, n_agents, _), story, _ in tomh_stories():
        for scene in scenes(story)[0]:
            _, agents, _, early = parts(scene)
            seen[n_agents][len(agents), bool(early)] += 1
    for n_agents, types in seen.items():
        assert set(types) == {kind for kind in CHAPTER_TYPES if kind[0] <= n_agents}


def test_one_key_chapter_with_all_agents_of_the_question():
    """It is the first chapter in room 1. Its type is A1-TB for order 1, else the false-belief type."""
    positions = {1: Counter(), 3: Counter(), 5: Counter()}
    for (order, _, n_chapters), story, chain in tomh_stories():
        read = [parts(scene) for scene in scenes(story)[0]]
        keys = [number for number, (room, *_) in enumerate(read) if room == 1]
        room, agents, placed, early = read[keys[0]]
        assert placed == Place(0, 0) and len(early) == (order > 1)
        assert sorted(agents) == sorted(chain) and len(agents) == order
        assert not any(placed.thing == 0 for _, _, placed, _ in read[: keys[0]])
        positions[n_chapters][keys[0]] += 1
    assert [set(count) for count in positions.values()] == [{0}, {0, 1, 2}, {0, 1, 2, 3, 4}]


def test_long_stories_have_an_agent_who_comes_back():
    back = Counter()
    for (_, _, n_chapters), story, _ in tomh_stories():
        entered = [event for event in story.events if isinstance(event, Enter)]
        entries = Counter((agent, event.room) for event in entered for agent in event.agents)
        back[n_chapters] += max(entries.values()) > 1
    assert back[5] == 9 * PER_CELL
    assert back[1] == 0
    assert 0 < back[3] < 9 * PER_CELL


def test_the_distractor_moves_elsewhere_and_touches_nothing():
    stayed = Counter()
    for (_, n_agents, _), story, chain in tomh_stories():
        chapters, visits = scenes(story)
        actors = {agent for scene in chapters for agent in parts(scene)[1]}
        visitors = Counter(event.agents[0] for _, event in visits if isinstance(event, Enter))
        # Every agent acts in a chapter, or once visits a room of his own; the distractor is one of the visitors.
        assert actors | set(visitors) == set(range(n_agents + 1)) and not actors & set(visitors)
        rooms = {event.room for _, event in visits if isinstance(event, Enter)}
        assert set(visitors.values()) == {1} and len(rooms) == len(visitors)
        left = {event.agent for _, event in visits if isinstance(event, Exit)}
        # Idle agents leave again; the distractor may stay.
        assert len(set(visitors) - left) <= 1
        stayed[bool(set(visitors) - left)] += 1
        assert not set(visitors) & set(chain)
        for _, event in visits:
            if isinstance(event, Exit):
                assert Enter((event.agent,), event.room) in story.events
    assert 0.4 < stayed[True] / sum(stayed.values()) < 0.6


def test_no_visitor_enters_between_a_chapter_s_first_line_and_its_last_move():
    """So "the room entered last" is the mover's room."""
    visited_between = 0
    for _, story, _ in tomh_stories():
        chapters, visits = scenes(story)
        for scene in chapters:
            first = scene[0][0]
            last = max(line for line, event in scene if isinstance(event, Move))
            assert not [line for line, event in visits if isinstance(event, Enter) and first < line < last]
            visited_between += any(scene[0][0] < line < scene[-1][0] for line, _ in visits)
    assert visited_between > 50  # visits do stand among the later lines of a chapter


def test_numbers_of_a_tomh_story_have_no_gaps_and_agents_appear_in_order():
    for _, story, _ in tomh_stories():
        appeared = list(dict.fromkeys(agent for e in story.events if isinstance(e, Enter) for agent in e.agents))
        assert appeared == list(range(story.n_agents))
        rooms = {event.room for event in story.events if isinstance(event, Enter)}
        put = [event for event in story.events if isinstance(event, (Place, Move))]
        assert rooms == set(range(1, len(rooms) + 1))
        assert {event.thing for event in put} == set(range(len({event.thing for event in put})))
        assert {event.container for event in put} == set(range(len({event.container for event in put})))
        assert extent(story) == (len(rooms) + 1, *(len({getattr(e, k) for e in put}) for k in ("thing", "container")))


@pytest.mark.parametrize("order", [2, 3, 4])
def test_a_key_chapter_gives_a_false_belief(order):
    """In a short story, who leaves early believes in the first container, and so does any chain with this agent."""
    for (story_order, _, n_chapters), story, chain in tomh_stories():
        if (story_order, n_chapters) == (order, 1):
            answers = believe_after(happenings(story, 0), [(), chain], "recursive")
            assert answers[chain] == 0
            assert answers[()] != 0
