"""Prove that every story drawn is coherent, answers its questions, and is what its target or its cell asks for."""

from collections import Counter
from dataclasses import fields
from functools import cache
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.audit import stories
from builders.audit.gates import GATES, broken_gates
from builders.audit.shares import Outcomes, count_shares
from builders.audit.stories import AuditedQuestion
from builders.proof.story_minds import believe_all
from builders.story.chapters import (
    CONTAINERS,
    ROOMS,
    THINGS,
    Chapter,
    Target,
    chapter_lessons,
    chapter_size,
    claims_follow,
    draw_chapter,
    draw_distraction,
    draw_rooms,
    plan,
    sample,
    tell,
)
from builders.story.coherence import check
from builders.story.deep import (
    DeepTarget,
    deep_chains,
    draft_of,
    draw_deep_chapter,
    joined,
    plan_deep,
    sample_deep,
    taught_as,
)
from builders.story.meaning import SEMANTICS, SLOTS, Lesson, belief, lessons, teacher
from builders.story.record import extent
from builders.story.structure import effective_order, order_sensitive
from builders.story.subchains import beliefs, container_of
from builders.story.syntax import Dislike, Enter, Exit, Like, Lose, Move, Place, See, Stay, Story, Tell, Watch
from builders.story.tomh import CELLS, CHAPTER_TYPES, LINES, plan_tomh, sample_tomh
from builders.streams import stream

LENGTHS = (1, 2, 3, 4)
DISTRACTIONS = (Lose, See, Like, Dislike)
SIZES = {
    5: (5, 3, 4, 2),
    2: (2, 2, 2, 2),
    3: (3, 2, 2, 2),
    4: (4, 2, 3, 2),
    12: (12, 10, 11, 2),
}
"""Agents in each chapter, of stories with so many agents (DESIGN: n, max(2, n-2), max(2, n-1) and 2)."""
CLAIMS = {1: {0}, 2: {1}, 3: {0, 2}, 4: {1, 3}}
"""The chapters, counted from 0, after which claims stand in stories of so many chapters."""


# ------------------------------------------------------------------------------------------------ reading a story


def chapters(story):
    """Return the chapters of a Hi-ToM story: (room, agents, thing, place, deeds, claims), as its events say them.

    Deeds are (agent, container or None where he stays), in the order in which they leave.
    """
    events = [event for event in story.events if not isinstance(event, DISTRACTIONS)]
    found = []
    while events:
        opening, placed, *events = events
        assert isinstance(opening, Enter) and opening.room != 0
        assert isinstance(placed, Place)
        deeds = []
        while not isinstance(events[0], Enter):
            deed, out, *events = events
            assert isinstance(deed, Stay) and deed.room == opening.room or deed.thing == placed.thing
            assert out == Exit(deed.agent, opening.room)
            deeds.append((deed.agent, deed.container if isinstance(deed, Move) else None))
        waiting, *events = events
        assert waiting == Enter(opening.agents, 0)
        claims = []
        while events and isinstance(events[0], Tell):
            claims.append(events.pop(0))
        found.append((opening.room, opening.agents, placed.thing, placed.container, deeds, claims))
    return found


def features(story, chain, semantics):
    """Return what a Target speaks of, found by the reader's engine and by counting lines about thing 0."""
    about = [event for event in story.events if isinstance(event, (Place, Move, Tell)) and event.thing == 0]
    been = list(dict.fromkeys(event.container for event in about if not isinstance(event, Tell)))
    said = [event.container for event in about]
    answers = believe_all(story, 0, {chain, chain[-1:], ()}, semantics)
    answer = answers[chain]
    counts = Counter(said)
    most = next(container for container in said if counts[container] == max(counts.values()))
    return {
        "returns": sum(isinstance(event, Enter) and event.room == 1 for event in story.events) > 1,
        "slot": min(been.index(answer), 2) if answer in been else 3,
        "reality": answers[chain[-1:]] == answers[()],
        "mentioned": answer == most,
    }


def wishes(target):
    """Return what a Target asks for, of the features."""
    names = ("returns", "slot", "reality", "mentioned")
    return {name: getattr(target, name) for name in names if getattr(target, name) is not None}


@cache
def default_plan():
    """Return the targets, stories and chains of a split as published builds have it: 5 agents, order 4."""
    targets = plan(stream("plan"), 480, (1, 2, 3), 4)
    return [(target, *sample(stream("story", i), target, 5, 4, "recursive")) for i, target in enumerate(targets)]


@cache
def free_stories():
    """Return stories of 1 to 4 chapters with and without deception that leave all else to chance."""
    drawn = []
    for length in LENGTHS:
        for deception in (False, True):
            for i in range(150):
                of_story = stream("free", length, int(deception), i)
                drawn.append((length, deception, sample(of_story, Target(length, deception), 5, 4, "recursive")[0]))
    return drawn


# ------------------------------------------------------------------------------------------------ all stories


@pytest.mark.parametrize("n_agents", range(2, 13))
@pytest.mark.parametrize("deception", [False, True])
def test_every_story_is_coherent_and_answers_its_questions(n_agents, deception):
    for length in LENGTHS:
        for order in sorted({0, 1, 2, min(4, n_agents), n_agents}):
            of_plan = stream("all", n_agents, length, order, int(deception))
            targets = [t for t in plan(of_plan, 12, (length,), order) if t.deception == deception]
            for i, target in enumerate((*targets[:3], Target(length, deception))):
                semantics = SEMANTICS[i % 2]
                of_story = stream("all", n_agents, length, order, int(deception), i)
                story, chain = sample(of_story, target, n_agents, order, semantics)
                check(story)
                assert story.n_agents == n_agents
                assert len(chain) == len(set(chain)) == order
                assert set(chain) <= set(range(n_agents))
                # All agents are in chapter 1, so every chain has been taught something.
                tails = [chain[k:] for k in range(order + 1)]
                assert None not in believe_all(story, 0, tails, semantics).values()
                assert [len(c[1]) for c in chapters(story)] == [chapter_size(k, n_agents) for k in range(length)]
                if not deception:
                    assert not any(isinstance(event, Tell) for event in story.events)


def test_one_stream_is_one_story():
    target = Target(3, True, returns=True, slot=1)
    first = sample(stream("same"), target, 5, 4, "recursive")
    assert first == sample(stream("same"), target, 5, 4, "recursive")
    assert first != sample(stream("other"), target, 5, 4, "recursive")


# ------------------------------------------------------------------------------------------------ chapters


@pytest.mark.parametrize("n_agents", SIZES)
def test_the_sizes_of_chapters(n_agents):
    assert tuple(chapter_size(chapter, n_agents) for chapter in range(4)) == SIZES[n_agents]
    for length in LENGTHS:
        story, _ = sample(stream("sizes", n_agents, length), Target(length, True), n_agents, 2, "recursive")
        assert tuple(len(agents) for _, agents, *_ in chapters(story)) == SIZES[n_agents][:length]


def test_what_a_chapter_is():
    kept_of = {}
    rooms, moves, stays = Counter(), 0, 0
    for _, _, story in free_stories():
        kept_of.clear()
        for number, (room, agents, thing, place, deeds, _) in enumerate(chapters(story)):
            shelf = range(CONTAINERS * (room - 1), CONTAINERS * room)
            assert 1 <= room <= ROOMS
            assert THINGS * (room - 1) <= thing < THINGS * room
            if number == 0:
                assert (room, thing, place, agents) == (1, 0, 0, (0, 1, 2, 3, 4))
            else:
                rooms[room] += 1
            # All act, each once, in the order in which they are listed when they enter.
            assert tuple(agent for agent, _ in deeds) == agents
            assert len(set(agents)) == len(agents)
            # The thing is where it was left, and every move is to another container of the room.
            assert place == kept_of.get(thing, place)
            assert place in shelf
            for _, container in deeds:
                if container is None:
                    stays += 1
                else:
                    moves += 1
                    assert container in shelf
                    assert container != place
                    place = container
            kept_of[thing] = place
    # Left to chance all rooms are equally likely, and a move as likely as a stay: 1,800 later chapters, 11,700 deeds.
    assert set(rooms) == {1, 2, 3}
    assert all(500 < count < 700 for count in rooms.values())
    assert 0.47 < moves / (moves + stays) < 0.53


def test_every_move_and_return_is_possible():
    """From each container to each of the other four, back to the first as well."""
    steps = Counter()
    for _, _, story in free_stories():
        place = 0
        for _, container in chapters(story)[0][4]:
            if container is not None:
                steps[place, container] += 1
                place = container
    assert set(steps) == {(a, b) for a in range(5) for b in range(5) if a != b}
    assert all(count > 60 for (a, _), count in steps.items() if a == 0)


def test_later_chapters_take_any_agents_in_any_order():
    seconds = Counter(chapters(story)[1][1] for length, _, story in free_stories() if length > 1)
    assert {agent for agents in seconds for agent in agents} == set(range(5))
    assert len(seconds) > 55  # of 60 ordered threes, 900 drawn
    assert any(agents != tuple(sorted(agents)) for agents in seconds)


def test_agents_are_numbered_as_they_appear_and_all_are_in_the_first_chapter():
    for _, _, story in free_stories():
        assert story.events[0] == Enter((0, 1, 2, 3, 4), 1)


def test_distractions_stand_before_one_line_in_ten():
    lines, distractions, kinds = 0, 0, Counter()
    for _, _, story in free_stories():
        assert not isinstance(story.events[0], DISTRACTIONS)
        assert not isinstance(story.events[-1], DISTRACTIONS)
        for event, after in pairwise(story.events):
            if isinstance(event, DISTRACTIONS):
                assert not isinstance(after, DISTRACTIONS)
                distractions += 1
                kinds[type(event)] += 1
        lines += sum(not isinstance(event, DISTRACTIONS) for event in story.events) - 1
    assert lines > 20_000
    assert 0.09 < distractions / lines < 0.11
    assert all(0.2 < kinds[kind] / distractions < 0.3 for kind in DISTRACTIONS)


def test_distractions_name_anything_that_there_is():
    drawn = {draw_distraction(of_drawing, 5) for of_drawing in [stream("distraction")] for _ in range(6000)}
    expected = {Lose(agent, item) for agent in range(5) for item in range(3)}
    expected |= {See(agent, animal) for agent in range(5) for animal in range(4)}
    expected |= {Like(agent, container) for agent in range(5) for container in range(15)}
    expected |= {Dislike(agent, thing) for agent in range(5) for thing in range(6)}
    assert drawn == expected


# ------------------------------------------------------------------------------------------------ claims


def test_where_claims_stand_and_what_they_say():
    forms, lies, outsiders, told = Counter(), 0, 0, Counter()
    for length, deception, story in free_stories():
        for number, (room, agents, thing, place, deeds, claims) in enumerate(chapters(story)):
            assert bool(claims) == (deception and number in CLAIMS[length])
            assert claims_follow(number, length) == (number in CLAIMS[length])
            if not claims:
                continue
            shelf = range(CONTAINERS * (room - 1), CONTAINERS * room)
            now = next((container for _, container in reversed(deeds) if container is not None), place)
            first, second = claims
            forms[bool(first.hearers), bool(second.hearers)] += 1
            assert first.speaker != second.speaker
            for claim in claims:
                assert claim.speaker in agents
                assert claim.thing == thing
                assert claim.container in shelf
                assert len(claim.hearers) <= 1
                assert claim.speaker not in claim.hearers
                if claim.hearers and claim.hearers[0] not in agents:
                    outsiders += 1
                    assert claim.container == now
                else:
                    lies += claim.container != now
                    told[claim.container - shelf[0]] += 1
                if claim.hearers:
                    told["to", claim.hearers[0]] += 1
    # A public one and then a private one, or two private ones, at even odds: some 750 pairs.
    assert set(forms) == {(False, True), (True, True)}
    assert all(0.42 < count / sum(forms.values()) < 0.58 for count in forms.values())
    assert outsiders > 50
    # To others any container of the room, so four in five are lies.
    inside = sum(told[container] for container in range(5))
    assert all(0.16 < told[container] / inside < 0.24 for container in range(5))
    assert 0.75 < lies / inside < 0.85
    assert {("to", agent) for agent in range(5)} <= set(told)


# ------------------------------------------------------------------------------------------------ lessons before events


@settings(deadline=None, max_examples=150)
@given(
    st.integers(0, 10**9), st.sampled_from(LENGTHS), st.booleans(), st.sampled_from([False, True]), st.integers(2, 12)
)
def test_the_lessons_of_chapters_are_those_of_their_events(seed, length, deception, returns, n_agents):
    of_story = stream("lessons", seed)
    target = Target(length, deception, returns and length > 1)
    rooms = draw_rooms(of_story, target)
    about, expected, place = {}, [], 0
    for index, where in enumerate(rooms):
        if where == (1, 0):
            about[index] = draw_chapter(of_story, target, index, n_agents, where, place)
            place = about[index].last_place()
            expected += chapter_lessons(about[index], n_agents, again=index > 0)
    story = tell(of_story, target, rooms, about, n_agents)
    check(story)
    assert [lesson._replace(line=-1) for lesson in lessons(story, 0)] == expected


def test_the_lessons_of_one_chapter():
    """Agents 3, 0 and 2 of four; 0 moves to container 4. Claims: 0 to all, and 2 to the outsider 1."""
    chapter = Chapter(1, 0, (3, 0, 2), 2, (-1, 4, -1), ((0, (), 1), (2, (1,), 4)))
    expected = [
        Lesson(2, 0b1101),
        Lesson(4, 0b0101),  # 3 has left
        Lesson(1, 0b1111, 0, 0b1010),  # 3 left before 0, 1 was not there; 2 left later
        Lesson(4, 0b0110, 2, 0b0010),
    ]
    assert chapter_lessons(chapter, 4, again=False) == expected
    assert chapter_lessons(chapter, 4, again=True) == [expected[0], *expected]
    assert chapter.last_place() == 4
    assert Chapter(1, 0, (3, 0, 2), 2, (-1, -1, -1), ()).last_place() == 2


# ------------------------------------------------------------------------------------------------ targets


def test_the_default_plan_gives_up_no_wish():
    """All that was drawn first for 480 stories of 5 agents and order 4 holds for them, by the reader's engine."""
    drawn = default_plan()
    assert len(drawn) == 480
    for target, story, chain in drawn:
        found = features(story, chain, "recursive")
        assert wishes(target).items() <= found.items(), (target, found)
        assert len(chapters(story)) == target.n_chapters
        assert any(isinstance(event, Tell) for event in story.events) == target.deception
        if target.returns is False:
            # Nobody learns where the thing is from a line that does not name it.
            assert all(room != 1 for room, *_ in chapters(story)[1:])
        if target.returns:
            assert all(thing == 0 for room, _, thing, *_ in chapters(story) if room == 1)


@pytest.mark.parametrize("semantics", SEMANTICS)
@pytest.mark.parametrize(("n_agents", "order"), [(5, 3), (7, 6), (12, 12), (4, 4), (3, 2)])
@pytest.mark.parametrize("n_chapters", LENGTHS)
def test_targets_hold_for_other_sizes(n_agents, order, n_chapters, semantics):
    """Returns always does; a slot does, where so few agents are not asked for too many wishes at once."""
    for i in range(6):
        target = Target(n_chapters, i % 2 == 1, returns=n_chapters > 1 and i % 3 > 0, slot=i % 2)
        of_story = stream("sizes", n_agents, order, n_chapters, semantics, i)
        story, chain = sample(of_story, target, n_agents, order, semantics)
        assert wishes(target).items() <= features(story, chain, semantics).items()


@pytest.mark.parametrize("wish", [{"slot": 0}, {"reality": False}, {"mentioned": True}])
def test_a_wish_for_answers_needs_the_rooms_settled(wish):
    """By chance a chapter about another thing may be in the first room, where all see the thing asked about."""
    with pytest.raises(ValueError, match="^a target for the answers must say whether the story returns: "):
        Target(3, False, **wish)


def test_a_target_that_no_story_meets_loses_its_wishes_one_after_another(monkeypatch):
    """Nothing is claimed, so no answer is a claimed place: that wish is given up; the rest of the target holds."""
    monkeypatch.setattr("builders.story.chapters.TRIES", 50)
    target = Target(2, False, returns=True, slot=SLOTS.index("claimed"), reality=False, mentioned=True)
    for i in range(10):
        story, chain = sample(stream("impossible", i), target, 5, 4, "recursive")
        found = features(story, chain, "recursive")
        assert found["returns"]
        assert not found["reality"]


# ------------------------------------------------------------------------------------------------ plan


def test_shares_of_a_plan_are_equal():
    """1,296 stories: every cell is a whole number of rounds through its 27 or 36 combinations."""
    targets = plan(stream("shares"), 1296, (1, 2, 3), 4)
    assert Counter((t.n_chapters, t.deception) for t in targets) == {
        (length, deception): 216 for length in (1, 2, 3) for deception in (False, True)
    }
    assert not any(t.returns for t in targets if t.n_chapters == 1)
    for length in (2, 3):
        for deception in (False, True):
            returning = [t.returns for t in targets if (t.n_chapters, t.deception) == (length, deception)]
            assert Counter(returning) == {True: 108, False: 108}
    assert sum(t.reality for t in targets) == 1296 // 3
    cells = {}
    for t in targets:
        cells.setdefault((t.n_chapters, t.deception, t.returns), []).append(t)
    assert len(cells) == 2 + 8
    for (length, deception, returns), of_cell in cells.items():
        # A claim about the thing asked about: after chapter 1 of 1 and of 3, or in a chapter that is about it again.
        claimable = deception and (returns or length in (1, 3))
        n_slots = 4 if claimable else 3
        assert Counter(t.slot for t in of_cell) == dict.fromkeys(range(n_slots), len(of_cell) // n_slots)
        for slot in range(n_slots):
            of_slot = [t for t in of_cell if t.slot == slot]
            assert sum(t.reality for t in of_slot) * 3 == len(of_slot)
            # One in three is the most mentioned container where claims are about the thing, except for a claimed place
            # of a story that returns, which hardly any is; without such claims it is never asked for.
            if claimable and not (slot == 3 and returns):
                assert sum(t.mentioned for t in of_slot) * 3 == len(of_slot)
                assert sum(t.mentioned and t.reality for t in of_slot) * 9 == len(of_slot)
            else:
                assert not any(t.mentioned for t in of_slot)


@pytest.mark.parametrize("n_stories", [0, 1, 5, 100, 240, 480])
def test_shares_of_any_plan_differ_by_one_at_most(n_stories):
    targets = plan(stream("shares", n_stories), n_stories, (1, 2, 3), 4)
    assert len(targets) == n_stories
    for deception in (False, True):
        for length in (1, 2, 3):
            some = [t for t in targets if (t.n_chapters, t.deception) == (length, deception)]
            assert n_stories // 6 <= len(some) <= n_stories // 6 + 1
            if length > 1:
                assert abs(sum(t.returns for t in some) * 2 - len(some)) <= 1


def test_a_plan_is_shuffled():
    targets = plan(stream("shuffled"), 480, (1, 2, 3), 4)
    assert targets == plan(stream("shuffled"), 480, (1, 2, 3), 4)
    assert targets != plan(stream("other"), 480, (1, 2, 3), 4)
    for half in (targets[:240], targets[240:]):
        assert all(60 < sum(t.n_chapters == length for t in half) < 100 for length in (1, 2, 3))
    assert len({t.n_chapters for t in targets[::6]}) == 3  # not the cells in turn


@pytest.mark.parametrize("lengths", [(1,), (4,), (2, 4)])
def test_a_plan_of_other_lengths(lengths):
    targets = plan(stream("lengths"), 48, lengths, 2)
    shares = Counter((t.n_chapters, t.deception) for t in targets)
    assert set(shares) == {(length, deception) for length in lengths for deception in (False, True)}
    assert len(set(shares.values())) == 1


def test_a_plan_for_order_0_asks_for_no_answer():
    targets = plan(stream("order 0"), 60, (1, 2, 3), 0)
    asked = {field.name for t in targets for field in fields(t) if getattr(t, field.name) is not None}
    assert asked == {"n_chapters", "deception", "returns"}
    assert Counter((t.n_chapters, t.deception) for t in targets) == {
        (length, deception): 10 for length in (1, 2, 3) for deception in (False, True)
    }


def test_the_order_1_answer_of_the_default_plan_is_reality_in_one_story_of_three():
    shares = [features(story, chain, "recursive") for _, story, chain in default_plan()]
    assert 0.30 < sum(found["reality"] for found in shares) / 480 < 0.37


# ------------------------------------------------------------------------------------------------ ToMH

TABLE_1 = {
    (order, n_agents, n_chapters): {1: 50, 2: 50, 3: 75, 4: 150}[order]
    for order, crowd in {1: (2, 3, 4), 2: (2, 3, 4), 3: (3, 4), 4: (4,)}.items()
    for n_agents in crowd
    for n_chapters in (1, 3, 5)
}
"""Questions of each (order, agents, chapters): Table 1 of the workshop paper."""
BOUNDS = {1: (5, 15), 3: (15, 25), 5: (25, 30)}
"""Lines of short, medium and long stories: the caption of the same table."""
EACH = 25


@cache
def tomh_stories():
    """Return stories of all cells: (order, agents, chapters), story, chain."""
    return [
        (cell, *sample_tomh(stream("tomh", *cell, i), *cell)) for cell in TABLE_1 for i in range(EACH)
    ]  # fmt: skip


def scenes(story):
    """Return the chapters of a ToMH story as lists of events, and the visits to rooms where no thing is, in order.

    A chapter begins with an Enter after which, of the events in rooms with things, the last one was none.
    """
    entered, furnished = 0, set()
    for event in story.events:
        if isinstance(event, Enter):
            entered = event.room
        elif isinstance(event, Place):
            furnished.add(entered)
    found, visits = [], []
    for line, event in enumerate(story.events):
        if isinstance(event, (Enter, Exit)) and event.room not in furnished:
            visits.append((line, event))
        else:
            if isinstance(event, Enter) and not (found and isinstance(found[-1][-1][1], Enter)):
                found.append([])
            found[-1].append((line, event))
    return found, visits


def told(scene):
    """Return (room, agents in order of entry, mover, who left before the move) of a chapter, checking its shape."""
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
    # All the others leave, each once, the mover among them.
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


def test_1800_questions_are_shared_as_in_table_1():
    planned = plan_tomh(stream("tomh"), 1800)
    assert Counter(planned) == TABLE_1
    assert Counter(order for order, _, _ in planned) == dict.fromkeys((1, 2, 3, 4), 450)
    assert planned == plan_tomh(stream("tomh"), 1800)
    assert planned != plan_tomh(stream("other"), 1800)
    assert {cell[0] for cell in planned[:60]} == {1, 2, 3, 4}  # shuffled


@pytest.mark.parametrize("n_questions", [0, 1, 7, 72, 540, 1799, 3601])
def test_any_number_of_questions_is_shared_as_nearly(n_questions):
    planned = Counter(plan_tomh(stream("tomh", n_questions), n_questions))
    assert sum(planned.values()) == n_questions
    for cell, share in TABLE_1.items():
        assert abs(planned[cell] - n_questions * share / 1800) <= 1


def test_every_tomh_story_is_coherent_and_answers_its_question():
    for (order, n_agents, _), story, chain in tomh_stories():
        check(story)
        assert story.n_agents == n_agents + 1  # the distractor too
        assert len(chain) == len(set(chain)) == order
        for semantics in SEMANTICS:
            assert believe_all(story, 0, [chain], semantics)[chain] is not None
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
    """With n agents those of up to n agents."""
    assert sorted(CHAPTER_TYPES) == [(1, False), (2, False), (2, True), (3, False), (3, True), (4, False), (4, True)]
    seen = {2: Counter(), 3: Counter(), 4: Counter()}
    for (_, n_agents, _), story, _ in tomh_stories():
        for scene in scenes(story)[0]:
            _, agents, _, early = told(scene)
            seen[n_agents][len(agents), bool(early)] += 1
    for n_agents, types in seen.items():
        assert set(types) == {kind for kind in CHAPTER_TYPES if kind[0] <= n_agents}


def test_one_key_chapter_with_all_agents_of_the_question():
    """It is the first in the room of the thing asked about; A1-TB for order 1, else the false-belief type."""
    where = {1: Counter(), 3: Counter(), 5: Counter()}
    for (order, _, n_chapters), story, chain in tomh_stories():
        read = [told(scene) for scene in scenes(story)[0]]
        keys = [number for number, (room, *_) in enumerate(read) if room == 1]
        room, agents, placed, early = read[keys[0]]
        assert placed == Place(0, 0)
        assert sorted(agents) == sorted(chain)
        assert len(agents) == order
        assert len(early) == (order > 1)
        assert not any(placed.thing == 0 for _, _, placed, _ in read[: keys[0]])
        where[n_chapters][keys[0]] += 1
    assert [set(count) for count in where.values()] == [{0}, {0, 1, 2}, {0, 1, 2, 3, 4}]


def test_long_stories_have_an_agent_who_comes_back():
    back = Counter()
    for (_, _, n_chapters), story, _ in tomh_stories():
        entered = [event for event in story.events if isinstance(event, Enter)]
        entries = Counter((agent, event.room) for event in entered for agent in event.agents)
        back[n_chapters] += max(entries.values()) > 1
    assert back[5] == 9 * EACH
    assert back[1] == 0
    assert 0 < back[3] < 9 * EACH


def test_the_distractor_moves_elsewhere_and_touches_nothing():
    stayed = Counter()
    for (_, n_agents, _), story, chain in tomh_stories():
        found, visits = scenes(story)
        actors = {agent for scene in found for agent in told(scene)[1]}
        visitors = Counter(event.agents[0] for _, event in visits if isinstance(event, Enter))
        # Every agent acts in a chapter or visits a room of his own, once; the distractor is one more.
        assert actors | set(visitors) == set(range(n_agents + 1))
        assert not actors & set(visitors)
        assert set(visitors.values()) == {1}
        rooms = [event.room for _, event in visits if isinstance(event, Enter)]
        assert len(set(rooms)) == len(rooms)
        left = {event.agent for _, event in visits if isinstance(event, Exit)}
        # The idle ones leave again; the distractor may stay where he went.
        assert len(set(visitors) - left) <= 1
        stayed[bool(set(visitors) - left)] += 1
        assert not set(visitors) & set(chain)
        for _, event in visits:
            if isinstance(event, Exit):
                assert Enter((event.agent,), event.room) in story.events
    assert 0.4 < stayed[True] / sum(stayed.values()) < 0.6


def test_the_idle_agents_are_those_of_no_chapter():
    """In a short story of order 1 there is one chapter, of one agent: all others, and the distractor, are visitors."""
    for (order, n_agents, n_chapters), story, chain in tomh_stories():
        if (order, n_chapters) == (1, 1):
            visitors = {event.agents[0] for _, event in scenes(story)[1] if isinstance(event, Enter)}
            assert visitors == set(range(n_agents + 1)) - set(chain)


def test_no_visitor_enters_between_a_chapter_s_first_line_and_its_last_move():
    """So "the room entered last" is the mover's, in whichever way the story is read."""
    apart = 0
    for _, story, _ in tomh_stories():
        found, visits = scenes(story)
        for scene in found:
            first = scene[0][0]
            last = max(line for line, event in scene if isinstance(event, Move))
            assert not [line for line, event in visits if isinstance(event, Enter) and first < line < last]
            apart += any(scene[0][0] < line < scene[-1][0] for line, _ in visits)
        entered, where = None, {}
        for event in story.events:
            match event:
                case Enter(agents, room):
                    entered = room
                    where |= dict.fromkeys(agents, room)
                case Move(agent, _, _):
                    assert where[agent] == entered
    assert apart > 50  # but visits do stand among the lines of a chapter


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


def test_one_stream_is_one_tomh_story():
    assert sample_tomh(stream("same"), 3, 4, 5) == sample_tomh(stream("same"), 3, 4, 5)
    assert sample_tomh(stream("same"), 3, 4, 5) != sample_tomh(stream("other"), 3, 4, 5)


@pytest.mark.parametrize("order", [2, 3, 4])
def test_a_key_chapter_gives_a_false_belief(order):
    """In a short story: who leaves early believes in the first container, and so does any chain with him in it."""
    for (of_order, _, n_chapters), story, chain in tomh_stories():
        if (of_order, n_chapters) == (order, 1):
            found = believe_all(story, 0, [(), chain], "recursive")
            assert found[chain] == 0
            assert found[()] != 0


def test_a_story_is_only_numbers():
    for story in [default_plan()[0][1], tomh_stories()[0][1]]:
        assert isinstance(story, Story)
        for event in story.events:
            for field in fields(event):
                value = getattr(event, field.name)
                assert all(type(number) is int for number in (value if isinstance(value, tuple) else (value,)))


# ------------------------------------------------------------------------------------------------ deep stories


@cache
def deep_stories():
    """Return 1,000 deep stories as published builds have them, with their targets and chains."""
    targets = plan_deep(stream("deep"), 1000, (2, 3), 4)
    return [(target, *sample_deep(stream("deep", i), target, 5, 4)) for i, target in enumerate(targets)]


def kept(chain, subchain):
    """Return the agents of a chain at the positions in a mask."""
    return tuple(agent for position, agent in enumerate(chain) if subchain >> position & 1)


def test_all_subchains_of_a_thousand_deep_stories_by_brute_force():
    """Each of the 16 by looking back for the last lesson, at once for all, and by the reader's minds."""
    for _, story, chain in deep_stories():
        check(story)
        taught = lessons(story, 0)
        held = beliefs(taught, chain, "recursive")
        answers = {subchain: belief(story, kept(chain, subchain), 0) for subchain in range(16)}
        read = believe_all(story, 0, {kept(chain, subchain) for subchain in answers}, "recursive")
        assert answers == {subchain: read[kept(chain, subchain)] for subchain in answers}
        assert answers == {subchain: container_of(held, subchain) for subchain in answers}
        for order in range(5):
            whole = 16 - (1 << 4 - order)
            same = [other for other in range(16) if not other & ~whole and answers[other] == answers[whole]]
            assert effective_order(held, 4, whole) == min(other.bit_count() for other in same)
            asked = chain[4 - order :]
            if order == 4:
                turned = set(believe_all(story, 0, list(permutations(asked)), "recursive").values())
                assert order_sensitive(taught, asked, "recursive") == (len(turned) > 1)


def test_a_deep_story_is_what_its_target_asks_for():
    """At most one in a hundred gives up a wish of what teaches it."""
    lost = Counter()
    for target, story, chain in deep_stories():
        taught = lessons(story, 0)
        held = beliefs(taught, chain, "recursive")
        assert sum(isinstance(event, Place) for event in story.events) == target.n_chapters
        for order in range(1, 5):
            asked = chain[4 - order :]
            shallow = effective_order(held, 4, 16 - (1 << 4 - order)) < order
            lost["shallow"] += shallow != (order in target.shallow)
            by = taught_as(teacher(taught, asked, "recursive"), asked)
            lost["taught"] += by not in target.taught[4 - order]
            if order == 2 and order not in target.shallow:
                answer, turned = (belief(story, two, 0) for two in (asked, asked[::-1]))
                last = [each.container for each in taught if reached_by(each).issuperset(asked)][-1]
                lost[target.pair] += answer == (turned if target.pair == "turned" else last)
    assert lost["taught"] <= 10
    assert lost["shallow"] <= 40
    assert lost["turned"] <= 40 and lost["overtaken"] <= 80  # two containers may come to be the same one


def reached_by(lesson):
    """Return who saw, watched or heard what a lesson tells."""
    who = lesson.minds | (lesson.watching if lesson.speaker < 0 else 0)
    return {agent for agent in range(12) if who >> agent & 1}


def test_the_gates_of_deep_stories_hold():
    """As the audit measures them, on all that are no wish of one story in five to be shallow."""
    rows = []
    for _, story, chain in deep_stories():
        for order in range(2, 5):
            asked = chain[4 - order :]
            asked = AuditedQuestion(str(order), story, asked, 0, belief(story, asked, 0), 0)
            rows.append(Outcomes(asked.group, 1 / 8, {}, stories.depth_outcomes(asked)))
    table = count_shares(rows)
    assert list(table) == ["2", "3", "4"] and set(GATES["deep"]) < set(table["2"])
    assert broken_gates(table, GATES["deep"]) == []


def test_deep_stories_are_balanced():
    teachers = {order: Counter() for order in range(5)}
    for _, story, chain in deep_stories():
        taught = lessons(story, 0)
        for order in range(5):
            asked = chain[4 - order :]
            teachers[order][taught_as(teacher(taught, asked, "recursive"), asked)] += 1
    for order in (3, 4):
        assert all(300 < count < 367 for count in teachers[order].values()) and len(teachers[order]) == 3
    assert all(250 < count < 420 for count in teachers[2].values()) and len(teachers[2]) == 3
    assert teachers[1]["s"] > 400 and teachers[1]["c"] > 300 and teachers[1]["w"] > 50


def test_what_a_deep_story_is():
    """One thing, in one room of eight containers; all agents in the first chapter, and claims after each."""
    lines, hearers, watchers = [], Counter(), 0
    for target, story, _ in deep_stories():
        events = [event for event in story.events if not isinstance(event, DISTRACTIONS)]
        assert extent(Story(5, tuple(events)))[:2] == (2, 1)
        assert events[:2] == [Enter((0, 1, 2, 3, 4), 1), Place(0, 0)] or isinstance(events[1], Watch)
        opened = [number for number, event in enumerate(events) if isinstance(event, Enter) and event.room]
        assert len(opened) == target.n_chapters
        place = 0
        for first, last in zip(opened, [*opened[1:], len(events)], strict=True):
            chapter = events[first:last]
            inside = chapter[0].agents
            assert 2 <= len(set(inside)) <= 5 and (first > 0 or len(inside) == 5)
            claims = [event for event in chapter if isinstance(event, Tell)]
            assert 1 <= len(claims) <= 2 and {claim.speaker for claim in claims} <= set(inside)
            hearers.update(len(claim.hearers) for claim in claims)
            placed = [event for event in chapter if isinstance(event, Place)]
            assert placed == [Place(0, place)]
            for event in chapter:
                if isinstance(event, Move):
                    assert event.container != place and 0 <= event.container < 8
                    place = event.container
                watchers += isinstance(event, Watch)
        lines.append(len(story.events))
    assert 24 <= min(lines) and max(lines) <= 60 and sum(lines) / len(lines) < 46
    assert hearers[0] + hearers[1] < sum(hearers.values()) / 4  # most are told to groups
    assert watchers > 2000


def deep_chapters(i):
    """Return three chapters in which four of five agents are meant to believe together by a watch, or by a claim."""
    return [draw_deep_chapter(stream("draft", i, n), 5, [4, 1, 3, 0], n, "wc"[i % 2] * (n == 1)) for n in range(3)]


def test_a_draft_has_a_container_for_every_move_and_claim():
    for i in range(50):
        draft = draft_of(deep_chapters(i), 5)
        check(draft)
        new = [event.container for event in draft.events if isinstance(event, (Move, Tell))]
        assert new == list(range(1, len(new) + 1))
        again = draw_deep_chapter(stream("claims", i), 5, [4, 1, 3, 0], 1, "", deep_chapters(i)[1].body)
        assert again.body == deep_chapters(i)[1].body


def test_chapters_teach_what_their_story_does():
    for i in range(50):
        told, taught = lessons(draft_of(deep_chapters(i), 5), 0), joined(deep_chapters(i))
        ranks = [sorted({lesson.container for lesson in each}) for each in (taught, told)]
        number = dict(zip(*ranks, strict=True))
        for chain in (chain for k in range(5) for chain in permutations(range(5), k)):
            found, true = (teacher(each, chain, "recursive").container for each in (taught, told))
            assert number[found] == true


def test_deep_chains_are_those_that_brute_force_finds():
    found = 0
    for i in range(150):
        taught = joined(deep_chapters(i))
        for by, pair in (
            (["swc"] * 4, None),
            (["sc", "w", "swc"], None),
            (["swc"] * 3, "turned"),
            (["swc"] * 3, "overtaken"),
        ):
            expected = set()
            for chain in permutations(range(5), len(by)):
                held = beliefs(taught, chain, "recursive")
                whole = 2 ** len(by) - 1
                suffixes = [whole ^ 2 ** (len(by) - k) - 1 for k in range(1, len(by) + 1)]
                last = [lesson for lesson in taught if reached_by(lesson).issuperset(chain[-2:])][-1]
                if (
                    all(effective_order(held, len(by), suffix) == suffix.bit_count() for suffix in suffixes)
                    and all(
                        taught_as(teacher(taught, kept(chain, suffix), "recursive"), kept(chain, suffix)) in kinds
                        for suffix, kinds in zip(suffixes, by, strict=True)
                    )
                    and not (pair == "turned" and not order_sensitive(taught, chain[-2:], "recursive"))
                    and not (pair == "overtaken" and last.container == container_of(held, suffixes[1]))
                ):
                    expected.add(chain)
            chains = deep_chains(taught, 5, by, pair)
            assert len({len(chain) for chain in chains}) == 1 and len(set(chains)) == len(chains)
            assert expected == {chain for chain in chains if len(chain) == len(by)}
            found += len(expected)
    assert found > 100


def test_the_plan_of_deep_stories():
    targets = plan_deep(stream("plan"), 480, (2, 3), 4)
    for place in (0, 1):
        assert Counter(target.taught[place] for target in targets) == dict.fromkeys("swc", 160)
    assert Counter(target.n_chapters for target in targets) == {2: 80, 3: 400}
    assert Counter(target.pair for target in targets) == {"turned": 240, "overtaken": 240}
    kinds = Counter((target.taught[3], 1 in target.shallow) for target in targets)
    assert kinds["c", True] == 96 and set(kinds) == {("c", True), ("swc", False), ("sw", False)}
    for order in range(1, 5):
        assert sum(order in target.shallow for target in targets) == 96
    for lengths, order in (((2,), 4), ((3,), 1), ((4,), 2), ((2, 3, 4), 3)):
        for target in plan_deep(stream("plan", str(lengths)), 60, lengths, order):
            assert target.n_chapters in lengths and len(target.taught) == (order if order > 2 else order - 1)
    (only,) = plan_deep(stream("plan"), 1, (2, 3), 4)
    assert only.shallow == ()


def test_a_deep_story_that_cannot_be_gives_up_its_wishes(monkeypatch):
    """Three orders taught by a watch in two chapters, all of four agents asked about, and few drafts."""
    monkeypatch.setattr("builders.story.deep.DRAFTS", 3)
    for i in range(40):
        story, chain = sample_deep(stream("few", i), DeepTarget(2, ("w", "w", "w")), 4, 4)
        check(story)
        assert len(chain) == len(set(chain)) == 4
        assert None not in believe_all(story, 0, [chain], "recursive").values()


def test_one_stream_is_one_deep_story():
    target = DeepTarget(3, ("w", "c", "swc"), (2,), "turned")
    first = sample_deep(stream("same"), target, 5, 4)
    assert first == sample_deep(stream("same"), target, 5, 4)
    assert first != sample_deep(stream("other"), target, 5, 4)
