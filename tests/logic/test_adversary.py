"""Prove what the adversary of order blocks sees, and that it finds easy what it has seen before."""

from tom_datasets.logic.adversary import REPEATED, SURE, Adversary, features, resemblance
from tom_datasets.logic.blocks import Block
from tom_datasets.logic.claims import SHOWN, THAT, WHETHER, Premise, about, form_of

SEES = ((2, 3), (1, 3), (1, 2))
A, B = ((), about(0, False)), (((1, WHETHER, True),), about(2, False))
H, G = (((0, THAT, False),), about(2, False)), (((1, THAT, False),), about(2, False))


def block(p=(A, B), q=(B, A), h=H, g=G):
    """Return a block of three agents."""
    return Block(Premise("forehead", SEES, p), Premise("forehead", SEES, q), h, g)


def test_agents_are_named_by_their_place_in_the_hypothesis():
    """So a problem and its renaming look alike, and all agents whom the hypothesis does not name are one."""
    swapped = (((), about(1, False)), (((0, WHETHER, True),), about(2, False)))
    assert list(features((A, B), H)) == list(features(swapped, (((1, THAT, False),), about(2, False))))
    shown = [tuple(features(((((viewer, SHOWN, False),), about(1, False)),), H)) for viewer in (0, 1, 2)]
    assert len(set(shown)) == 3
    five = ((((0, THAT, False),), about(1, False)),)
    others = [tuple(features(((((viewer, SHOWN, False),), about(0, False)),), five[0])) for viewer in (2, 3, 4)]
    assert len(set(others)) == 1


def test_order_is_all_that_tells_p_from_q():
    one, other = set(features((A, B), H)), set(features((B, A), H))
    assert one != other and {feature for feature in one if "last" in feature} != {f for f in other if "last" in f}
    assert set(features((A,), H)) == set(features((A,), H))


def test_how_an_announcement_resembles_a_hypothesis():
    assert resemblance(B, H) == ((THAT, False), 1, 1, (WHETHER, True), 1, True)
    assert resemblance(A, H) == ((THAT, False), 1, None, None, 0, False)


def test_what_came_before_is_easy_and_its_opposite_is_hard():
    adversary = Adversary()
    fresh = adversary.cost(block(), {}, {})
    assert fresh == 0
    adversary.keep(block(), {})
    again, opposite = adversary.cost(block(), {}, {}), adversary.cost(block(q=(A, B), p=(B, A)), {}, {})
    assert again - REPEATED == 4 * SURE == REPEATED - opposite


def test_what_a_copy_learns_stays_with_it():
    adversary = Adversary()
    adversary.keep(block(), {})
    copy = adversary.copy()
    copy.keep(block(), {})
    assert copy.counts != adversary.counts and adversary.copy().counts == adversary.counts
    assert copy.blocks == 1 and copy.forms == adversary.forms, "what a copy has kept is its own"


def test_the_hardest_of_some_orders_is_the_one_that_points_the_other_way():
    adversary = Adversary()
    adversary.keep(block(), {})  # (A, B) entails H
    assert adversary.hardest([(A, B), (B, A)], H, G) == 1 and adversary.hardest([(A, B), (B, A)], G, H) == 0


def test_a_form_that_comes_again_costs():
    adversary = Adversary()
    for times in range(3):
        other = (((2, THAT, False),), about(0, False))
        assert adversary.cost(block(h=other), {}, {}) == times * REPEATED
        adversary.forms[form_of(H)] += 1
    assert form_of(H) == form_of(G) != form_of((H[0], about(2, True)))


def test_rules_that_are_right_too_often_or_too_seldom_cost():
    adversary, bounds = Adversary(), {"first only": (25, 50)}
    costs = [adversary.cost(block(), {"first only": right}, bounds) for right in range(5)]
    assert costs == [2000, 0, 0, 2000, 4000]
    adversary.keep(block(), {"first only": 4})
    again = [adversary.cost(block(), {"first only": right}, bounds) for right in (0, 1)]
    assert again == [4000 + REPEATED, 6000 + REPEATED]
