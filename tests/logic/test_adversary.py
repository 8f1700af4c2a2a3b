"""Prove what the adversary of order blocks sees, and that it finds easy what it has seen before."""

from tom_datasets.logic.adversary import OTHERS, REPEATED, SURE, Adversary, features, resemblance
from tom_datasets.logic.blocks import Block
from tom_datasets.logic.claims import SHOWN, THAT, WHETHER, Premise, about, form_of

SEES = ((2, 3), (1, 3), (1, 2))
A, B = ((), about(0, False)), (((1, WHETHER, True),), about(2, False))
H, G = (((0, THAT, False),), about(2, False)), (((1, THAT, False),), about(2, False))


def block(p=(A, B), q=(B, A), h=H, g=G):
    """Return a block of three agents."""
    return Block(Premise("forehead", SEES, p), Premise("forehead", SEES, q), h, g)


def seen(announcements, hypothesis):
    """Return what all judges see of a problem."""
    return [feature for judge in features(announcements, hypothesis) for feature in judge]


def cost(adversary, block, right=(), bounds=()):
    """Return what a block costs; rules are right as `right` says."""
    return adversary.cost(adversary.judged(block, dict(right)), dict(bounds))


def test_agents_are_named_by_their_place_in_the_hypothesis():
    """So a problem and its renaming look alike, and all agents whom the hypothesis does not name are one."""
    swapped = (((), about(1, False)), (((0, WHETHER, True),), about(2, False)))
    assert seen((A, B), H) == seen(swapped, (((1, THAT, False),), about(2, False)))
    shown = [tuple(seen(((((viewer, SHOWN, False),), about(1, False)),), H)) for viewer in (0, 1, 2)]
    assert len(set(shown)) == 3
    five = ((((0, THAT, False),), about(1, False)),)
    others = [tuple(seen(((((viewer, SHOWN, False),), about(0, False)),), five[0])) for viewer in (2, 3, 4)]
    assert len(set(others)) == 1


def test_each_judge_sees_its_part():
    masked = (((0, THAT, False),), about(1, False))
    a, b = ((), about(0, False)), (((OTHERS, WHETHER, True),), about(1, False))
    first, last, placed, pairs, alike = features((A, B), H)
    assert first == [(masked, 0, a)] and last == [(masked, "last", b)] and placed == [(masked, 0, a), (masked, 1, b)]
    assert pairs == [(masked, (a, b))]
    like = [resemblance(claim, masked) for claim in (a, b)]
    assert alike == [(0, like[0]), (1, like[1]), ("last", like[1]), tuple(like)]


def test_order_is_all_that_tells_p_from_q():
    one, other = set(seen((A, B), H)), set(seen((B, A), H))
    assert one != other and {feature for feature in one if "last" in feature} != {f for f in other if "last" in f}


def test_how_an_announcement_resembles_a_hypothesis():
    assert resemblance(B, H) == ((THAT, False), 1, 1, (WHETHER, True), 1, True)
    assert resemblance(A, H) == ((THAT, False), 1, None, None, 0, False)


def test_what_came_before_is_easy_and_its_opposite_is_hard():
    adversary = Adversary()
    assert cost(adversary, block()) == 0
    adversary.learn(adversary.judged(block(), {}))
    again, opposite = cost(adversary, block()), cost(adversary, block(q=(A, B), p=(B, A)))
    assert 0 < again - REPEATED == REPEATED - opposite
    for _ in range(20):
        adversary.learn(adversary.judged(block(), {}))
    assert cost(adversary, block()) - 21 * REPEATED == 4 * 5 * SURE, "each of five judges is sure of each problem"


def test_what_is_forgotten_was_never_learnt():
    adversary, fresh = Adversary(), Adversary()
    for one in (block(), block(h=G, g=H)):
        adversary.learn(adversary.judged(one, {"first only": 3}))
        fresh.judged(one, {})
    before = adversary.copy(), adversary.blocks
    third = adversary.judged(block(p=(B, A), q=(A, B)), {"first only": 1})
    adversary.learn(third)
    assert adversary.tallies != before[0].tallies
    adversary.learn(third, -1)
    assert adversary.tallies == before[0].tallies and adversary.blocks == before[1]
    assert adversary.right["first only"] == 6 and adversary.forms[form_of(H)] == 2


def test_what_a_copy_learns_stays_with_it():
    adversary = Adversary()
    adversary.learn(adversary.judged(block(), {}))
    copy = adversary.copy()
    copy.learn(copy.judged(block(), {}))
    assert copy.tallies != adversary.tallies and adversary.copy().tallies == adversary.tallies
    assert copy.blocks == 1 and copy.forms == adversary.forms, "what a copy has kept is its own"


def test_a_form_that_comes_again_costs():
    adversary = Adversary()
    for times in range(3):
        other = (((2, THAT, False),), about(0, False))
        assert cost(adversary, block(h=other)) == times * REPEATED
        adversary.forms[form_of(H)] += 1
    assert form_of(H) == form_of(G) != form_of((H[0], about(2, True)))


def test_rules_that_are_right_too_often_or_too_seldom_cost():
    adversary, bounds = Adversary(), {"first only": (25, 50, 20)}
    costs = [cost(adversary, block(), {"first only": right}, bounds) for right in range(5)]
    assert costs == [2000, 0, 0, 2000, 4000]
    adversary.blocks, adversary.right["first only"] = 1, 4
    assert [cost(adversary, block(), {"first only": right}, bounds) for right in (0, 1)] == [0, 2000]
