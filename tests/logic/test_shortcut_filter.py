"""Prove what the filter of order blocks sees, and that it finds easy what it has seen before."""

import pytest

from tom_datasets.logic.blocks import Block
from tom_datasets.logic.claims import SHOWN, THAT, WHETHER, Premise, about, form_of
from tom_datasets.logic.shortcut_filter import REPEATED, ShortcutFilter, features, resemblance

SEES = ((2, 3), (1, 3), (1, 2))
A, B = ((), about(0, False)), (((1, WHETHER, True),), about(2, False))
H, G = (((0, THAT, False),), about(2, False)), (((1, THAT, False),), about(2, False))


def block(p=(A, B), q=(B, A), h=H, g=G):
    """Return a block of three agents."""
    return Block(Premise("forehead", SEES, p), Premise("forehead", SEES, q), h, g)


def seen(announcements, hypothesis):
    """Return what all judges see of a problem."""
    return [feature for judge in features(announcements, hypothesis) for feature in judge]


def cost(shortcut_filter, block, right=(), bounds=()):
    """Return what a block costs; rules are right as `right` says."""
    return shortcut_filter.cost(shortcut_filter.judged(block, dict(right)), dict(bounds))


def test_agents_are_named_by_their_place_in_the_hypothesis():
    """So a problem and its renaming look alike, and all agents whom the hypothesis does not name are one."""
    swapped = (((), about(1, False)), (((0, WHETHER, True),), about(2, False)))
    assert seen((A, B), H) == seen(swapped, (((1, THAT, False),), about(2, False)))
    shown = [tuple(seen(((((viewer, SHOWN, False),), about(1, False)),), H)) for viewer in (0, 1, 2)]
    assert len(set(shown)) == 3
    five = ((((0, THAT, False),), about(1, False)),)
    others = [tuple(seen(((((viewer, SHOWN, False),), about(0, False)),), five[0])) for viewer in (2, 3, 4)]
    assert len(set(others)) == 1


C, OTHER = (((0, WHETHER, True),), about(1, False)), (((0, THAT, True),), about(1, True))


@pytest.mark.parametrize(
    ("replaced", "changed"),
    [
        ((OTHER, B, C), [1, 0, 1, 2]),  # each announcement is in two of three pairs
        ((A, OTHER, C), [0, 0, 1, 2]),
        ((A, B, OTHER), [0, 1, 1, 2]),
    ],
)
def test_each_judge_sees_its_part(replaced, changed):
    """The first announcement, the last one, each at its place, and pairs, all with the hypothesis."""
    before, after = features((A, B, C), H), features(replaced, H)
    new = [len({*judge} - {*one}) for judge, one in zip(after, before, strict=True)]
    assert new[:4] == changed and [len(judge) for judge in after[:4]] == [1, 1, 3, 3]
    assert new[4] > 0
    other = features((A, B, C), (((0, THAT, True),), about(2, False)))
    assert not any({*judge} & {*one} for judge, one in zip(other, before, strict=True))


def test_order_is_all_that_tells_p_from_q():
    one, other = set(seen((A, B), H)), set(seen((B, A), H))
    assert one != other and {feature for feature in one if "last" in feature} != {f for f in other if "last" in f}


def test_resemblance_says_how_two_sentences_are_alike_but_not_what_they_say():
    """Many blocks share a resemblance that share no sentence."""
    elsewhere = (((1, WHETHER, True),), about(0, True)), (((0, THAT, False),), about(0, True))
    assert resemblance(*elsewhere) == resemblance(B, H) and elsewhere != (B, H)
    ((speaker, link, negated),), fact = B
    less_alike = {
        "the speaker": (((speaker + 1, link, negated),), fact),
        "the link": (((speaker, THAT, negated),), fact),
        "the negation": (((speaker, link, not negated),), fact),
        "the fact": (((speaker, link, negated),), about(1, False)),
        "the depth": (((speaker, link, negated), (0, link, negated)), fact),
        "no speaker": ((), fact),
    }
    assert len({resemblance(claim, H) for claim in (B, *less_alike.values())}) == 1 + len(less_alike)
    deeper, known_not = (((0, THAT, False), (1, THAT, False)), H[1]), (((0, THAT, True),), H[1])
    assert len({resemblance(B, hypothesis) for hypothesis in (H, deeper, known_not)}) == 3


def test_what_came_before_is_easy_and_its_opposite_is_hard():
    shortcut_filter = ShortcutFilter()
    assert cost(shortcut_filter, block()) == 0
    shortcut_filter.learn(shortcut_filter.judged(block(), {}))
    again, opposite = cost(shortcut_filter, block()), cost(shortcut_filter, block(q=(A, B), p=(B, A)))
    assert 0 < again - REPEATED == REPEATED - opposite


def test_no_judge_is_more_than_sure():
    """What comes still more often costs no more, but for its form."""
    shortcut_filter, easier = ShortcutFilter(), []
    for times in (1, 20, 20):
        for _ in range(times):
            shortcut_filter.learn(shortcut_filter.judged(block(), {}))
        easier.append(cost(shortcut_filter, block()) - cost(shortcut_filter, block(q=(A, B), p=(B, A))))
    assert 0 < easier[0] < easier[1] == easier[2]


def test_what_is_forgotten_was_never_learnt():
    shortcut_filter, fresh = ShortcutFilter(), ShortcutFilter()
    for one in (block(), block(h=G, g=H)):
        shortcut_filter.learn(shortcut_filter.judged(one, {"first only": 3}))
        fresh.judged(one, {})
    before = shortcut_filter.copy(), shortcut_filter.blocks
    third = shortcut_filter.judged(block(p=(B, A), q=(A, B)), {"first only": 1})
    shortcut_filter.learn(third)
    assert shortcut_filter.tallies != before[0].tallies
    shortcut_filter.learn(third, -1)
    assert shortcut_filter.tallies == before[0].tallies and shortcut_filter.blocks == before[1]
    assert shortcut_filter.right["first only"] == 6 and shortcut_filter.forms[form_of(H)] == 2


def test_what_a_copy_learns_stays_with_it():
    shortcut_filter = ShortcutFilter()
    shortcut_filter.learn(shortcut_filter.judged(block(), {}))
    copy = shortcut_filter.copy()
    copy.learn(copy.judged(block(), {}))
    assert copy.tallies != shortcut_filter.tallies and shortcut_filter.copy().tallies == shortcut_filter.tallies
    assert copy.blocks == 1 and copy.forms == shortcut_filter.forms, "what a copy has kept is its own"


def test_a_form_that_comes_again_costs():
    shortcut_filter = ShortcutFilter()
    for times in range(3):
        other = (((2, THAT, False),), about(0, False))
        assert cost(shortcut_filter, block(h=other)) == times * REPEATED
        shortcut_filter.forms[form_of(H)] += 1
    assert form_of(H) == form_of(G) != form_of((H[0], about(2, True)))


def test_rules_that_are_right_too_often_or_too_seldom_cost():
    shortcut_filter, bounds = ShortcutFilter(), {"first only": (25, 50, 20)}
    costs = [cost(shortcut_filter, block(), {"first only": right}, bounds) for right in range(5)]
    assert costs == [2000, 0, 0, 2000, 4000]
    shortcut_filter.blocks, shortcut_filter.right["first only"] = 1, 4
    assert [cost(shortcut_filter, block(), {"first only": right}, bounds) for right in (0, 1)] == [0, 2000]
