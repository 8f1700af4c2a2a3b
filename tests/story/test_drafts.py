"""Prove that drafts are coherent, have a container for every move and claim, and teach what their stories do."""

from itertools import permutations

from random_stories import deep_chapters

from builders.story.coherence import check
from builders.story.drafts import draft_lessons, draft_story, draw_deep_chapter
from builders.story.meaning import lessons_about, teacher
from builders.story.syntax import Move, Tell
from builders.streams import stream


def test_a_draft_has_a_container_for_every_move_and_claim():
    for i in range(50):
        draft = draft_story(deep_chapters(i), 5)
        check(draft)
        new = [event.container for event in draft.events if isinstance(event, (Move, Tell))]
        assert new == list(range(1, len(new) + 1))
        again = draw_deep_chapter(stream("claims", i), 5, [4, 1, 3, 0], 1, None, deep_chapters(i)[1].body)
        assert again.body == deep_chapters(i)[1].body


def test_the_lessons_of_drafts_are_those_of_their_stories_but_for_the_numbers_of_containers():
    for i in range(50):
        fast, slow = draft_lessons(deep_chapters(i)), lessons_about(draft_story(deep_chapters(i), 5), 0)
        ranks = [sorted({lesson.container for lesson in lessons}) for lessons in (fast, slow)]
        number = dict(zip(*ranks, strict=True))
        for chain in (chain for k in range(5) for chain in permutations(range(5), k)):
            computed, expected = (teacher(lessons, chain, "recursive").container for lessons in (fast, slow))
            assert number[computed] == expected
