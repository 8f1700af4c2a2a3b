"""Prove that deep stories are coherent, need their chains, dispute nothing, and are what their plan asks for."""

from collections import Counter

import pytest
from random_stories import deep_stories

from tom_datasets.audit.gates import GATES, broken_gates
from tom_datasets.audit.stories import AuditedQuestion, depth_table
from tom_datasets.proof.story_minds import believe_all
from tom_datasets.story.analysis import effective_order
from tom_datasets.story.deep import SHORT_TEACHERS, TEACHERS, DeepTarget, plan_deep, sample_deep
from tom_datasets.story.distractions import ITEMS
from tom_datasets.story.drafts import ANY_KIND, CLAIM, SIGHTING, WATCH
from tom_datasets.story.meaning import belief, lessons_about, teacher
from tom_datasets.story.readings import differing_readings, is_undisputed
from tom_datasets.story.subchains import beliefs
from tom_datasets.streams import stream
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Dislike, Enter, Like, Lose, Move, Place, See, Story, Tell, Watch
from tom_datasets.syntax.record import extent

DISTRACTIONS = (Lose, See, Like, Dislike)


def tails_of(chain):
    """Return the last k agents of a chain, for each k from 1."""
    return [chain[len(chain) - k :] for k in range(1, len(chain) + 1)]


def kind_of(story, chain):
    """Return what teaches a chain: a claim, a sighting of all its agents, or one that the first watched."""
    lesson = teacher(lessons_about(story, 0), chain, "recursive")
    if lesson.speaker >= 0:
        return CLAIM
    return SIGHTING if all(lesson.minds >> agent & 1 for agent in chain) else WATCH


def is_shallow(story, chain):
    """Return whether a smaller selection of a chain's agents believes what the chain believes."""
    return effective_order(beliefs(lessons_about(story, 0), chain, "recursive")) < len(chain)


def in_chapters(story):
    """Return the chapters of a deep story: its events but for distractions, from Enter to Enter."""
    events = [event for event in story.events if not isinstance(event, DISTRACTIONS)]
    opened = [number for number, event in enumerate(events) if isinstance(event, Enter) and event.room]
    assert opened[0] == 0
    return [events[first:last] for first, last in zip(opened, [*opened[1:], len(events)], strict=True)]


def test_all_readings_agree_on_every_question_and_so_do_the_proofs():
    for _, story, chain in deep_stories():
        check(story)
        assert is_undisputed(story, chain, 0)
        tails = [(), *tails_of(chain)]
        assert believe_all(story, 0, tails, "recursive") == {tail: belief(story, tail, 0) for tail in tails}


def test_a_deep_story_is_what_its_target_asks_for():
    """At most one story in a hundred gives up a wish for what teaches its chains."""
    missed = Counter()
    for target, story, chain in deep_stories():
        assert len(in_chapters(story)) == target.n_chapters
        for order, tail in enumerate(tails_of(chain), 1):
            missed["shallow"] += is_shallow(story, tail) != (order in target.shallow)
            missed["kinds"] += kind_of(story, tail) not in target.kinds[order - 1]
    assert missed["kinds"] <= 3
    assert missed["shallow"] <= 3  # a belief may have nothing lower that it can equal


def test_the_gates_of_deep_stories_hold():
    """As the audit measures them, on the questions of orders 2 to 4."""
    questions = []
    for _, story, chain in deep_stories():
        for tail in tails_of(chain)[1:]:
            answers = [belief(story, smaller, 0) for smaller in ((), *tails_of(tail))]
            readings = differing_readings(story, tail, 0, answers)[-1]
            questions.append(AuditedQuestion(str(len(tail)), story, tail, 0, answers[-1], 0, readings=tuple(readings)))
    table = depth_table(questions)
    assert list(table) == ["2", "3", "4"] and set(GATES["deep"]) <= set(table["2"])
    assert broken_gates(table, GATES["deep"]) == []


def test_what_teaches_deep_chains_is_balanced():
    """A third each at orders 3 and 4; at orders 1 and 2 claims do not teach nearly all."""
    kinds = {order: Counter() for order in range(1, 5)}
    for _, story, chain in deep_stories():
        for order, tail in enumerate(tails_of(chain), 1):
            kinds[order][kind_of(story, tail)] += 1
    for order in (3, 4):
        assert {kind: 98 <= count <= 102 for kind, count in kinds[order].items()} == dict.fromkeys(ANY_KIND, True)
    assert all(count[SIGHTING] + count[WATCH] > 75 for count in kinds.values())
    assert all(count[CLAIM] > 75 for count in kinds.values())


def test_what_a_deep_story_is():
    """One thing moves in one room of eight containers. All agents are in the first chapter; claims follow each."""
    lines, hearers = [], Counter()
    for _, story, _ in deep_stories():
        events = tuple(event for event in story.events if not isinstance(event, DISTRACTIONS))
        assert extent(Story(5, events))[:2] == (2, 1)
        place = 0
        for number, chapter in enumerate(in_chapters(story)):
            inside = chapter[0].agents
            assert inside == tuple(range(5)) if number == 0 else 2 <= len(set(inside)) == len(inside)
            claims = [event for event in chapter if isinstance(event, Tell)]
            assert 1 <= len(claims) <= 3
            hearers.update(len(claim.hearers) for claim in claims)
            assert [event for event in chapter if isinstance(event, Place)] == [Place(0, place)]
            for event in chapter:
                if isinstance(event, Move):
                    assert event.container != place and 0 <= event.container < 8
                    place = event.container
        lines.append(len(story.events))
    assert 20 <= min(lines) and max(lines) <= 65 and sum(lines) / len(lines) < 46
    assert hearers[0] + hearers[1] < sum(hearers.values()) / 4  # most are told to groups


def test_who_watches_sees_something_and_nobody_loses_a_watch():
    watchers, lost = 0, Counter()
    for _, story, _ in deep_stories():
        for chapter in in_chapters(story):
            for number, event in enumerate(chapter):
                if isinstance(event, Watch):
                    watchers += 1
                    assert any(isinstance(later, Place | Move) for later in chapter[number:])
        lost.update(event.item for event in story.events if isinstance(event, Lose))
    assert watchers > 600
    assert set(lost) == set(range(ITEMS - 1))  # the last item is a watch


def test_the_plan_of_deep_stories():
    targets = plan_deep(stream("plan"), 480, (2, 3), 4)
    pairs = Counter((target.kinds[3], target.kinds[2]) for target in targets)
    assert pairs == {((highest,), (second,)): 80 for highest, second in TEACHERS}
    for place in (2, 3):
        assert Counter(target.kinds[place] for target in targets) == {(kind,): 160 for kind in ANY_KIND}
    short = Counter((*target.kinds[3], *target.kinds[2]) for target in targets if target.n_chapters == 2)
    assert short == dict.fromkeys(SHORT_TEACHERS, 40)
    assert Counter(target.n_chapters for target in targets) == {2: 80, 3: 400}
    assert sum(target.doubted for target in targets) == 264
    # Where watches teach order 3, no claim teaches order 2.
    assert {(target.kinds[2] == (WATCH,), target.kinds[1] == (SIGHTING, WATCH)) for target in targets} == {
        (True, True),
        (False, False),
    }
    first = Counter((target.kinds[0], 1 in target.shallow) for target in targets)
    assert first[(CLAIM,), True] == 96
    assert set(first) == {((CLAIM,), True), (ANY_KIND, False), ((SIGHTING, WATCH), False)}
    for order in range(1, 5):
        assert sum(order in target.shallow for target in targets) == 96


@pytest.mark.parametrize(("lengths", "order"), [((2,), 4), ((3,), 1), ((4,), 2), ((2, 3, 4), 3), ((3,), 7)])
def test_the_plan_of_other_lengths_and_orders(lengths, order):
    targets = plan_deep(stream("plan", str(lengths)), 72, lengths, order)
    assert {target.n_chapters for target in targets} == set(lengths)
    for target in targets:
        assert len(target.kinds) == order and max(target.shallow, default=1) <= order
        # Below the two highest orders, and but for order 1, anything may teach a chain, save order 2 of 4.
        assert set(target.kinds[1 : order - 2]) <= ({ANY_KIND, (SIGHTING, WATCH)} if order == 4 else {ANY_KIND})
    if order > 1:
        assert Counter(target.kinds[-1] for target in targets) == {(kind,): 24 for kind in ANY_KIND}
    if order > 2:
        assert Counter(target.kinds[-2] for target in targets) == {(kind,): 24 for kind in ANY_KIND}


def test_the_plan_of_one_story():
    (only,) = plan_deep(stream("plan"), 1, (2, 3), 4)
    assert only.shallow == ()


@pytest.mark.parametrize("lengths", [(2,), (4,), (2, 3, 4)])
@pytest.mark.parametrize(("n_agents", "order"), [(2, 2), (3, 3), (4, 4), (2, 1), (6, 5), (6, 6), (8, 7)])
def test_a_target_that_few_drafts_do_not_meet_loses_its_wishes(n_agents, order, lengths, monkeypatch):
    """With few drafts counted, and chains of all agents, what is drawn is still coherent and undisputed."""
    monkeypatch.setattr("tom_datasets.story.deep.DRAFTS", 12)
    for i, target in enumerate(plan_deep(stream("few", str(lengths)), 4, lengths, order)):
        story, chain = sample_deep(stream("few", i), target, n_agents, order)
        check(story)
        assert story.n_agents == n_agents and len(in_chapters(story)) == target.n_chapters
        assert len(chain) == len(set(chain)) == order
        assert None not in believe_all(story, 0, tails_of(chain), "recursive").values()
        assert is_undisputed(story, chain, 0)


def test_the_wishes_of_a_target_are_met_at_other_sizes():
    """Each order needs all its agents, where nothing shallow is asked for."""
    for order, n_agents in ((1, 2), (2, 3), (3, 4), (5, 6)):
        for i in range(4):
            kinds = (ANY_KIND,) * (order - 1) + ((ANY_KIND, (CLAIM,), (SIGHTING,), (SIGHTING, WATCH))[i],)
            story, chain = sample_deep(stream("sizes", order, i), DeepTarget(3, kinds), n_agents, order)
            assert not any(is_shallow(story, tail) for tail in tails_of(chain))
            assert kind_of(story, chain) in kinds[-1]
