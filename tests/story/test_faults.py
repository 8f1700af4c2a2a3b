"""Prove that the faults of a draft, counted fast, are those that its told story has by the definitions."""

import math
from itertools import combinations

import pytest
from random_stories import kept, random_draft

from tom_datasets.story.drafts import ANY_KIND, CLAIM, SIGHTING, WATCH, draft_story
from tom_datasets.story.faults import Wishes, bounds, count_faults, draft_steps
from tom_datasets.story.meaning import lessons_about, teacher, teaches
from tom_datasets.story.readings import COLUMNS, HEIRS, READINGS, believed, differing_readings, steps_of
from tom_datasets.streams import stream

SIZES = ((4, 5, 3), (4, 5, 2), (1, 2, 2), (2, 3, 4), (3, 3, 3), (5, 6, 3))
"""Agents of the chain, agents of the story, and chapters."""


def told_drafts(count):
    """Yield `count` random drafts of each size, each with the size, its story, and the chain there."""
    for size in SIZES:
        for i in range(count):
            chapters = random_draft(i, *size)
            story, number_of = draft_story(stream("told", i), chapters, size[1])
            yield size, chapters, story, tuple(number_of[: size[0]])


def tails_of(chain):
    """Return the last k agents of a chain, for each k from 1."""
    return [chain[len(chain) - k :] for k in range(1, len(chain) + 1)]


def swap_last_two(chain):
    """Return a chain with its last two agents in the other order."""
    return (*chain[:-2], *chain[:-3:-1])


def test_the_steps_of_a_draft_are_those_of_its_story():
    """But for the numbers of containers, and for the lines that say who watches: these show nothing new."""
    for (order, n_agents, _), chapters, story, chain in told_drafts(60):
        fast, _ = draft_steps(chapters, order, n_agents)
        slow = steps_of(story, chain, 0)
        silent = [step for step in slow if step.taught or step.present == 0]
        assert len(fast) == len(silent)
        number_of = {mine.container: told.container for mine, told in zip(fast, silent, strict=True)}
        assert len(set(number_of.values())) == len(number_of)
        assert [step._replace(container=number_of[step.container]) for step in fast] == silent
        for subchain in range(1 << order):
            for reading in (None, *READINGS):
                assert number_of[believed(fast, subchain, reading)] == believed(slow, subchain, reading)


def test_the_marks_of_a_draft_are_those_of_its_story():
    """`aside` and `swapped` are looked at for the last k agents of the chain only, k from 2."""
    for (order, n_agents, _), chapters, story, chain in told_drafts(50):
        _, marks = draft_steps(chapters, order, n_agents)
        whole = 1 << order
        for mark, lesson in zip(marks, lessons_about(story, 0), strict=True):
            assert mark.claim == (lesson.speaker >= 0)
            assert kept(chain, mark.together) == tuple(agent for agent in chain if lesson.minds >> agent & 1)
            for tail in tails_of(chain)[1:]:
                subchain = whole - (whole >> len(tail))
                heard = all(lesson.minds >> agent & 1 for agent in tail)
                taught = heard if mark.claim else teaches(lesson, tail, "recursive")
                assert mark.aside >> subchain & 1 == taught
                assert mark.swapped >> subchain & 1 == teaches(lesson, swap_last_two(tail), "recursive")


def test_the_bounds_of_a_step_are_who_learns_under_some_reading_and_under_all():
    """Who takes over another belief under a reading may change, too, and is not taught unless all inside see it."""
    for (order, n_agents, _), chapters, _, _ in told_drafts(15):
        for step in draft_steps(chapters, order, n_agents)[0]:
            sometimes, always = bounds(step)
            for subchain in range(1 << order):
                heirs = {reading: step.heirs[HEIRS[reading]][subchain] for reading in HEIRS if step.heirs}
                learns = [step.taught >> subchain & 1] + [step[COLUMNS[r]] >> subchain & 1 for r in COLUMNS]
                moved = any(heir != subchain for heir in heirs.values())
                assert sometimes >> subchain & 1 == (any(learns) or moved)
                assert always >> subchain & 1 == (all(learns) and (not moved or learns[0]))


def plain_faults(story, chain, wishes):
    """Return the number of faults of a told draft, each part by its definition."""
    lessons = lessons_about(story, 0)
    tails = tails_of(chain)
    answers = [teacher(lessons, tail, "recursive").container for tail in tails]
    faults = 0
    for tail, answer, allowed in zip(tails, answers, wishes.kinds, strict=True):
        smaller = [some for k in range(len(tail)) for some in combinations(tail, k)]
        if len(tail) <= wishes.depth:
            faults += sum(teacher(lessons, some, "recursive").container == answer for some in smaller)
        lesson = teacher(lessons, tail, "recursive")
        seen_by_all = all(lesson.minds >> agent & 1 for agent in tail)
        faults += 2 * ((CLAIM if lesson.speaker >= 0 else SIGHTING if seen_by_all else WATCH) not in allowed)
        if wishes.doubted and len(tail) > 1:
            swapped = teacher(lessons, swap_last_two(tail), "recursive")
            heard = [lesson for lesson in lessons if all(lesson.minds >> agent & 1 for agent in tail)]
            watched = [lesson for lesson in lessons if lesson.speaker < 0 and teaches(lesson, tail, "recursive")]
            faults += 2 * (swapped.container == answer)
            faults += 2 * (max(heard + watched, key=lambda lesson: lesson.line).container == answer)
    really = teacher(lessons, (), "recursive").container
    return faults + sum(map(len, differing_readings(story, chain, 0, [really, *answers])))


def wishes_for(i, order, n_agents):
    """Return wishes of all sorts."""
    kinds = ((SIGHTING,), (WATCH,), (CLAIM,), (SIGHTING, WATCH), ANY_KIND)
    wanted = tuple(kinds[(i + 3 * k) % len(kinds)] for k in range(order))
    return Wishes(n_agents, wanted, max(0, order - i % 3), i % 4 > 1)


def test_the_faults_of_a_draft_are_those_of_its_story():
    """No reading that disputes an answer is missed: all are counted, though the sampler mostly skips them."""
    counts = set()
    for i, ((order, n_agents, _), chapters, story, chain) in enumerate(told_drafts(120)):
        wishes = wishes_for(i, order, n_agents)
        steps, marks = draft_steps(chapters, order, n_agents)
        expected = plain_faults(story, chain, wishes)
        assert count_faults(steps, marks, wishes, math.inf) == expected
        counts.add(expected)
        for most in (0, expected - 1, expected, expected + 1):
            counted = count_faults(steps, marks, wishes, most)
            assert counted == expected if expected <= most else counted > most
    assert len(counts) > 20


@pytest.mark.parametrize("wish", ["kinds", "depth", "doubted"])
def test_a_wish_not_met_is_a_fault(wish):
    """Less is wanted, less is counted; and on some drafts it matters."""
    fewer = 0
    for (order, n_agents, _), chapters, _, _ in told_drafts(15):
        wanted = Wishes(n_agents, ((SIGHTING,),) * order, order, True)
        given_up = wanted._replace(**{wish: {"kinds": (ANY_KIND,) * order, "depth": 0, "doubted": False}[wish]})
        steps, marks = draft_steps(chapters, order, n_agents)
        before, after = (count_faults(steps, marks, wishes, math.inf) for wishes in (wanted, given_up))
        assert after <= before
        fewer += after < before
    assert fewer > 20
