"""Prove that deep stories are coherent, need their chains, and are what their targets and their plan ask for."""

from collections import Counter
from functools import cache
from itertools import permutations

from random_stories import kept, reached_by

from builders.audit import stories
from builders.audit.gates import GATES, broken_gates
from builders.audit.shares import Outcomes, count_shares
from builders.audit.stories import AuditedQuestion
from builders.proof.story_minds import believe_all
from builders.story.coherence import check
from builders.story.deep import DeepTarget, plan_deep, sample_deep
from builders.story.deep_chains import (
    ANY_KIND,
    CLAIM,
    LAST_SHARED_DIFFERS,
    SIGHTING,
    SWAP_DIFFERS,
    WATCH,
    kind_of,
)
from builders.story.meaning import belief, lessons_about, teacher
from builders.story.record import extent
from builders.story.structure import effective_order, order_sensitive
from builders.story.subchains import beliefs, container_of
from builders.story.syntax import Dislike, Enter, Like, Lose, Move, Place, See, Story, Tell, Watch
from builders.streams import stream

DISTRACTIONS = (Lose, See, Like, Dislike)


@cache
def deep_stories():
    """Return 1,000 deep stories as published builds have them, with their targets and chains."""
    targets = plan_deep(stream("deep"), 1000, (2, 3), 4)
    return [(target, *sample_deep(stream("deep", i), target, 5, 4)) for i, target in enumerate(targets)]


def test_all_subchains_of_a_thousand_deep_stories_by_brute_force():
    """Each of the 16 by looking back for the last lesson, all at once, and by the engine of the proofs."""
    for _, story, chain in deep_stories():
        check(story)
        lessons = lessons_about(story, 0)
        believers = beliefs(lessons, chain, "recursive")
        answers = {subchain: belief(story, kept(chain, subchain), 0) for subchain in range(16)}
        read = believe_all(story, 0, {kept(chain, subchain) for subchain in answers}, "recursive")
        assert answers == {subchain: read[kept(chain, subchain)] for subchain in answers}
        assert answers == {subchain: container_of(believers, subchain) for subchain in answers}
        for order in range(5):
            whole = 16 - (1 << 4 - order)
            same = [other for other in range(16) if not other & ~whole and answers[other] == answers[whole]]
            assert effective_order(believers, 4, whole) == min(other.bit_count() for other in same)
            tail = chain[4 - order :]
            if order == 4:
                permuted = set(believe_all(story, 0, list(permutations(tail)), "recursive").values())
                assert order_sensitive(lessons, tail, "recursive") == (len(permuted) > 1)


def test_a_deep_story_is_what_its_target_asks_for():
    """At most one story in a hundred gives up a wish for what teaches its chains."""
    lost = Counter()
    for target, story, chain in deep_stories():
        lessons = lessons_about(story, 0)
        believers = beliefs(lessons, chain, "recursive")
        assert sum(isinstance(event, Place) for event in story.events) == target.n_chapters
        for order in range(1, 5):
            tail = chain[4 - order :]
            shallow = effective_order(believers, 4, 16 - (1 << 4 - order)) < order
            lost["shallow"] += shallow != (order in target.shallow)
            kind = kind_of(teacher(lessons, tail, "recursive"), tail)
            lost["teacher"] += kind not in target.teachers[4 - order]
            if order == 2 and order not in target.shallow:
                answer, swapped = (belief(story, two, 0) for two in (tail, tail[::-1]))
                last = [lesson.container for lesson in lessons if reached_by(lesson).issuperset(tail)][-1]
                lost[target.pair] += answer == (swapped if target.pair == SWAP_DIFFERS else last)
    assert lost["teacher"] <= 10
    assert lost["shallow"] <= 40
    assert lost[SWAP_DIFFERS] <= 40 and lost[LAST_SHARED_DIFFERS] <= 80  # two containers may get one colour


def test_the_gates_of_deep_stories_hold():
    """As the audit measures them, on the questions of orders 2 to 4."""
    rows = []
    for _, story, chain in deep_stories():
        for order in range(2, 5):
            tail = chain[4 - order :]
            question = AuditedQuestion(str(order), story, tail, 0, belief(story, tail, 0), 0)
            rows.append(Outcomes(question.group, 1 / 8, {}, stories.depth_outcomes(question)))
    table = count_shares(rows)
    assert list(table) == ["2", "3", "4"] and set(GATES["deep"]) < set(table["2"])
    assert broken_gates(table, GATES["deep"]) == []


def test_deep_stories_are_balanced():
    teachers = {order: Counter() for order in range(5)}
    for _, story, chain in deep_stories():
        lessons = lessons_about(story, 0)
        for order in range(5):
            tail = chain[4 - order :]
            teachers[order][kind_of(teacher(lessons, tail, "recursive"), tail)] += 1
    for order in (3, 4):
        assert all(300 < count < 367 for count in teachers[order].values()) and len(teachers[order]) == 3
    assert all(250 < count < 420 for count in teachers[2].values()) and len(teachers[2]) == 3
    assert teachers[1][SIGHTING] > 400 and teachers[1][CLAIM] > 300 and teachers[1][WATCH] > 50


def test_what_a_deep_story_is():
    """One thing moves in one room of eight containers. All agents are in the first chapter; claims follow each."""
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


def test_the_plan_of_deep_stories():
    targets = plan_deep(stream("plan"), 480, (2, 3), 4)
    for place in (0, 1):
        assert Counter(target.teachers[place] for target in targets) == {(kind,): 160 for kind in ANY_KIND}
    assert Counter(target.n_chapters for target in targets) == {2: 80, 3: 400}
    assert Counter(target.pair for target in targets) == {SWAP_DIFFERS: 240, LAST_SHARED_DIFFERS: 240}
    no_claim = (SIGHTING, WATCH)
    kinds = Counter((target.teachers[3], 1 in target.shallow) for target in targets)
    assert kinds[(CLAIM,), True] == 96 and set(kinds) == {((CLAIM,), True), (ANY_KIND, False), (no_claim, False)}
    for order in range(1, 5):
        assert sum(order in target.shallow for target in targets) == 96
    for lengths, order in (((2,), 4), ((3,), 1), ((4,), 2), ((2, 3, 4), 3)):
        for target in plan_deep(stream("plan", str(lengths)), 60, lengths, order):
            assert target.n_chapters in lengths and len(target.teachers) == (order if order > 2 else order - 1)
    (only,) = plan_deep(stream("plan"), 1, (2, 3), 4)
    assert only.shallow == ()


def test_a_target_that_no_deep_story_meets_loses_its_wishes(monkeypatch):
    """Watches are to teach three orders in two chapters, the chain has all four agents, and drafts are few."""
    monkeypatch.setattr("builders.story.deep.DRAFTS", 3)
    for i in range(40):
        story, chain = sample_deep(stream("few", i), DeepTarget(2, ((WATCH,), (WATCH,), (WATCH,))), 4, 4)
        check(story)
        assert len(chain) == len(set(chain)) == 4
        assert None not in believe_all(story, 0, [chain], "recursive").values()


def test_one_stream_is_one_deep_story():
    target = DeepTarget(3, ((WATCH,), (CLAIM,), ANY_KIND), (2,), SWAP_DIFFERS)
    first = sample_deep(stream("same"), target, 5, 4)
    assert first == sample_deep(stream("same"), target, 5, 4)
    assert first != sample_deep(stream("other"), target, 5, 4)
