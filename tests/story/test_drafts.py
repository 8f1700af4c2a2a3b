"""Prove that drafts, drawn or changed, are coherent, and have a container for every move and claim."""

from random_stories import random_draft

from tom_datasets.story.drafts import (
    ANY_KIND,
    CLAIM,
    SIGHTING,
    WATCH,
    Chapter,
    change_chapter,
    draft_story,
    draw_aim,
    draw_chapter,
    most_claims,
    settled,
)
from tom_datasets.streams import stream
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Enter, Exit, Move, Place, Stay, Story, Tell, Watch

SIZES = ((4, 5, 3), (1, 2, 2), (2, 2, 4), (3, 3, 2), (4, 4, 3), (5, 6, 2), (6, 8, 6))
"""Agents of the chain, agents of the story, and chapters."""


def drafts(count):
    """Return `count` random drafts of each size."""
    return [(size, random_draft(i, *size)) for size in SIZES for i in range(count)]


def test_a_draft_has_a_container_for_every_move_and_claim():
    for i, ((_, n_agents, _), chapters) in enumerate(drafts(20)):
        draft, number_of = draft_story(stream("told", i), chapters, n_agents)
        check(draft)
        new = [event.container for event in draft.events if isinstance(event, (Move, Tell))]
        assert new == list(range(1, len(new) + 1))
        assert sorted(number_of) == list(range(n_agents))
        assert draft.events[0] == Enter(tuple(range(n_agents)), 1)


def test_what_a_chapter_of_a_draft_is():
    """All agents enter the first chapter, two or more each later one; claims follow each."""
    for (order, n_agents, n_chapters), chapters in drafts(30):
        assert len(chapters) == n_chapters
        assert sorted(chapters[0].inside) == list(range(n_agents)) and not chapters[0].watching
        for chapter in chapters:
            assert len(set(chapter.inside)) == len(chapter.inside) == len(chapter.moved) >= 2
            assert 1 <= len(chapter.claims) <= most_claims(order)
            for speaker, hearers in chapter.claims:
                assert hearers and not hearers >> speaker & 1 and not hearers >> n_agents
            assert settled(chapter) == chapter


def test_who_watches_is_outside_and_sees_something():
    watches = 0
    for i, ((_, n_agents, _), chapters) in enumerate(drafts(30)):
        draft, _ = draft_story(stream("told", i), chapters, n_agents)
        inside = set()
        for line, event in enumerate(draft.events):
            match event:
                case Enter(agents, room):
                    inside = set(agents) if room else set()
                case Exit(agent):
                    inside.remove(agent)
                case Watch(agent):
                    assert agent not in inside
                    rest = draft.events[line + 1 :]
                    chapter = rest[: next(k for k, later in enumerate(rest) if isinstance(later, Enter))]
                    assert any(isinstance(later, Place | Move) for later in chapter)
                    watches += 1
    assert watches > 300


def test_settling_drops_who_is_inside_and_who_sees_nothing():
    """Agents 0, 1, 2 act in this order, and only 1 moves the thing: 0 may peep, 1 and 2 see nothing afterwards."""
    chapter = Chapter((0, 1, 2), (False, True, False), 0b11111, 0b00111, ((0, 0b110),))
    assert settled(chapter) == chapter._replace(watching=0b11000, peeping=0b00001)


def test_a_draft_becomes_a_story():
    """Agents 2, 0, 1 become 0, 1, 2. Of agents 0 to 2 the claims reach one, two, and everyone."""
    chapters = [
        Chapter((2, 0, 1), (False, True, False), 0, 0b100, ((0, 0b010), (1, 0b101))),
        Chapter((1, 0), (True, False), 0b100, 0, ((2, 0b001),)),
    ]
    story, number_of = draft_story(stream("story"), chapters, 3)
    assert number_of == [1, 2, 0]
    assert story == Story(
        3,
        (
            Enter((0, 1, 2), 1),
            Place(0, 0),
            Stay(0, 1),
            Exit(0, 1),
            Watch(0, 1),
            Move(1, 0, 1),
            Exit(1, 1),
            Stay(2, 1),
            Exit(2, 1),
            Enter((0, 1, 2), 0),
            Tell(1, (2,), 0, 2),
            Tell(2, (), 0, 3),
            Enter((2, 1), 1),
            Watch(0, 1),
            Place(0, 1),
            Move(2, 0, 4),
            Exit(2, 1),
            Stay(1, 1),
            Exit(1, 1),
            Enter((2, 1), 0),
            Tell(0, (1,), 0, 5),
        ),
    )


def test_a_change_is_to_one_chapter_and_reaches_every_part_of_it():
    changed = set()
    aim = draw_aim(stream("aim"), (ANY_KIND,) * 4, 5, 3, True)
    chapter = draw_chapter(stream("chapter"), aim, 1)
    for i in range(200):
        after = change_chapter(stream("change", i), aim, 1, chapter)
        changed |= {field for field in Chapter._fields if getattr(after, field) != getattr(chapter, field)}
    assert changed == set(Chapter._fields)


def test_the_aim_follows_the_kinds_wanted():
    """Claims that are to teach the two highest chains come in this order; where order 1 is seen, not after the last."""
    for i in range(100):
        aim = draw_aim(stream("aims", i), (ANY_KIND, ANY_KIND, (CLAIM,), (CLAIM,)), 5, 3, False)
        assert (aim.highest, aim.second) == (CLAIM, CLAIM)
        assert aim.claimed[0] <= aim.claimed[1] <= 2
        assert not aim.alone and not aim.apart and not aim.doubted
        aim = draw_aim(stream("aims", i), ((SIGHTING, WATCH), (SIGHTING,), (CLAIM,), (WATCH,)), 5, 3, True)
        assert (aim.highest, aim.second) == (WATCH, CLAIM)
        assert max(aim.claimed) <= 1
        assert aim.alone and aim.apart and aim.doubted
    assert draw_aim(stream("one"), (ANY_KIND,), 2, 2, False).order == 1
