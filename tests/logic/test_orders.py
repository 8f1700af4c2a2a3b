"""Prove order blocks: two orders of the same announcements, each of which tells something, and what the columns say."""

from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise, permutations

import pytest

from tom_datasets.logic import orders
from tom_datasets.logic.chunks import CHUNK, ordered_blocks
from tom_datasets.logic.claims import SOMEONE, THAT, WHETHER, Premise, about, form_of, is_showing, renamed, to_problem
from tom_datasets.logic.config import DEEP
from tom_datasets.logic.order_shortcuts import swapped
from tom_datasets.logic.orders import Source, choose_blocks, is_open, order_matters
from tom_datasets.logic.orders import orders as orders_of
from tom_datasets.logic.premises import TooFewError, identity
from tom_datasets.logic.rows import block_rows
from tom_datasets.logic.setups import ORDERED_SETUPS, SETUP_OF
from tom_datasets.logic.shortcut_filter import ShortcutFilter
from tom_datasets.logic.states import initial_state, state_after
from tom_datasets.logic.utterances import ALL_CODES, SHARES, Cell, code_of, draw_sequence, is_new, pools_of, share_of
from tom_datasets.reader.problem_worlds import follows, updates
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import Shown

SMALL = replace(DEEP, n_agents=(3, 4), train=None, validation=None, test=500, seed=5)


@pytest.fixture(scope="module")
def blocks():
    """Return 216 order blocks in all setups, made without much choice, by setup."""
    with pytest.MonkeyPatch.context() as patch:
        for setup in ORDERED_SETUPS:
            patch.setitem(SETUP_OF, setup, SETUP_OF[setup]._replace(pool=1))
        return {setup: list(islice(ordered_blocks(SMALL, setup, "test"), 2 * CHUNK)) for setup in ORDERED_SETUPS}


def test_p_and_q_announce_the_same_in_another_order_and_each_entails_one_hypothesis(blocks):
    for setup, found in blocks.items():
        for p, q, h, g in found:
            assert p != q and sorted(p.announcements) == sorted(q.announcements)
            assert p.setup == q.setup == setup and p.sees == q.sees
            assert len(set(p.announcements)) == len(p.announcements) in (3, 4)
            assert form_of(h) == form_of(g) and 1 <= len(h[0]) <= 3
            labels = [follows(to_problem(premise, claim)) for premise in (p, q) for claim in (h, g)]
            assert labels == [True, False, False, True]
            assert any(map(is_new, p.announcements))


def test_every_announcement_tells_something_and_two_worlds_are_left(blocks):
    for found in blocks.values():
        for block in found:
            for problem in (to_problem(premise, SOMEONE) for premise in block[:2]):
                _, *states = updates(problem)
                for update, before, after in zip(problem.announcements[1:], states, states[1:], strict=False):
                    if isinstance(update, Shown):
                        views = [{world & at.observed[update.agent] for world in at.worlds} for at in (before, after)]
                        assert len(views[0]) < len(views[1]) and before.worlds == after.worlds
                    else:
                        assert 0 < len(after.worlds) < len(before.worlds)
                assert len(states[-1].worlds) >= 2


def by_brute_force(premise, hypotheses):
    """Return the labels that each hypothesis gets in all orders of the announcements that leave a world."""
    labels = {hypothesis: Counter() for hypothesis in hypotheses}
    for order in permutations(premise.announcements):
        for hypothesis in hypotheses:
            label = follows(to_problem(premise._replace(announcements=order), hypothesis))
            if label is not None:
                labels[hypothesis][label] += 1
    return labels


@pytest.mark.parametrize("setup", ORDERED_SETUPS)
def test_all_orders_of_the_announcements_by_brute_force(blocks, setup):
    """The column order_matters is true exactly where some order gives another label."""
    for index, block in enumerate(blocks[setup]):
        labels = by_brute_force(block.p, (block.h, block.g))
        for row, _ in block_rows(SMALL, setup, "test", index, block):
            assert row["order_matters"] is True
        for hypothesis, counts in labels.items():
            assert set(counts) == {True, False}
            assert order_matters(block.p, hypothesis) and order_matters(block.q, hypothesis)


def test_order_matters_only_where_some_order_gives_another_label():
    """Premises as they come, not blocks: both answers occur."""
    found = Counter()
    for number in range(180):
        own = stream("any order", number)
        setup = ORDERED_SETUPS[number % 3]
        start = initial_state(SEES[setup]).announce(SOMEONE)
        pools = pools_of(setup, 3, DEEP.kinds)
        said = draw_sequence(own, start, Cell(3, (2, 3), 1), pools, tuple(range(SHARES)))
        if said:
            premise = Premise(setup, SEES[setup], said)
            claim = ((own.below(3), own.below(2), own.random() < 0.5),), about(own.below(3), False)
            labels = by_brute_force(premise, (claim,))[claim]
            assert order_matters(premise, claim) is (len(labels) == 2)
            found[len(labels)] += 1
    assert found[1] > 20 and found[2] > 5


SEES = {"forehead": ((2, 3), (1, 3), (1, 2)), "internal": ((1,), (2,), (3,)), "explicit": ((), (1, 2), (1,))}


def test_a_block_loses_a_label_without_each_of_two_announcements(blocks):
    for found in blocks.values():
        for p, q, h, g in found:
            lost = 0
            for claim in p.announcements:
                labels = []
                for premise in (p, q):
                    others = tuple(other for other in premise.announcements if other != claim)
                    without = premise._replace(announcements=others)
                    labels += [follows(to_problem(without, hypothesis)) for hypothesis in (h, g)]
                lost += labels != [True, False, False, True]
            assert lost >= 2


def test_no_hypothesis_is_about_knowing_what_holds_nowhere(blocks):
    for found in blocks.values():
        for p, q, h, g in found:
            for premise in (p, q):
                state = state_after(premise)
                for levels, fact in (h, g):
                    for place, (_, link, _) in enumerate(levels):
                        assert link == WHETHER or state.where((levels[place + 1 :], fact))
            assert all(one != other for levels, _ in (h, g) for (one, *_), (other, *_) in pairwise(levels))


def test_what_holds_nowhere_is_not_open():
    state = initial_state(((), ())).announce(((), about(0, True))).announce(SOMEONE)
    known = (((1, THAT, True),), about(0, False))
    assert not is_open(state, known) and is_open(state, (((1, WHETHER, False),), about(0, False)))
    assert not is_open(state, (((0, WHETHER, False), *known[0]), known[1]))


def test_short_sequences_are_tried_in_every_order():
    start = initial_state(SEES["forehead"]).announce(SOMEONE)
    said = tuple([((), about(agent, False)) for agent in (0, 1)])
    found = list(orders_of(stream("every order"), start, said))
    assert [order for order, _ in found] == [said, said[::-1]]
    assert {state.law for _, state in found} == {0b10001000}
    assert not list(orders_of(stream("every order"), start, (*said, ((), about(2, False)))))  # one world is left


def test_long_sequences_are_tried_in_some_orders():
    own = stream("long")
    start = initial_state(((),) * 6).announce(SOMEONE)
    said = tuple([((), about(agent, False)) for agent in range(5)])
    found = {order for order, _ in orders_of(own, start, said)}
    assert 15 < len(found) <= orders.MOST_ORDERS and all(sorted(order) == sorted(said) for order in found)


def test_agents_change_places():
    claim = (((0, THAT, True), (2, WHETHER, False)), about(0, True))
    assert swapped(claim, 3) == (((2, THAT, True), (0, WHETHER, False)), about(2, True))
    assert swapped((((2, THAT, False),), about(2, False)), 3) == (((0, THAT, False),), about(0, False))


def test_a_share_is_that_of_the_set_whatever_the_names(blocks):
    shares = Counter()
    for found in blocks.values():
        for p, q, _, _ in found:
            share = share_of(p.announcements)
            assert share == share_of(q.announcements) and share in (0, 1)
            shares[share] += 1
    assert min(shares.values()) > 50 and len(shares) == 2


def test_shares_do_not_mind_names():
    for number in range(50):
        own = stream("shares", number)
        pools = pools_of("explicit", 4, DEEP.kinds)
        claims = [*islice(pools.drawn(own, ALL_CODES), 3)] + [pools.showings[own.below(len(pools.showings))]]
        to = own.shuffled(range(4))
        assert share_of(own.shuffled(claims)) == share_of([renamed(claim, to.__getitem__) for claim in claims])


def test_announcements_are_drawn_by_their_codes():
    """All of the codes asked for, about as often as among all; where none has such a code, the drawing ends."""
    pools = pools_of("internal", 4, ("counts", "first"))
    drawn = Counter(islice(pools.drawn(stream("all"), ALL_CODES), 6000))
    some = Counter(islice(pools.drawn(stream("some"), (1, 4)), 6000))
    assert {code_of(claim) for claim in drawn} == set(ALL_CODES) and {code_of(claim) for claim in some} == {1, 4}
    assert set(some) == {claim for claim in drawn if code_of(claim) in (1, 4)}
    facts = {
        code_of(claim) for claim in islice(pools_of("internal", 2, ("facts",)).drawn(stream("facts"), ALL_CODES), 500)
    }
    (other, *_) = set(ALL_CODES) - facts
    assert not list(pools_of("internal", 2, ("facts",)).drawn(stream("facts"), (other,)))


def chosen(setup, cells, kinds=DEEP.kinds, met=None):
    """Return the blocks that are chosen for some cells."""
    source, met = Source(setup, kinds, tuple(range(SHARES))), set() if met is None else met
    return list(choose_blocks(stream("chosen"), source, cells, ShortcutFilter(), met))


def test_blocks_have_the_cells_asked_for_and_no_premise_of_others():
    cells = [Cell(4, (3,), 1 + place % 2) for place in range(5)] + [Cell(3, (4,), 1)]
    met = set()
    found = chosen("forehead", cells, met=met)
    assert [Cell(len(p.sees), (len(p.announcements),), len(h[0])) for p, _, h, _ in found] == cells
    assert met == {identity(premise, {}) for block in found for premise in block[:2]} and len(met) == 12
    others = chosen("forehead", cells, met=set(met))
    assert met.isdisjoint(identity(premise, {}) for block in others for premise in block[:2])


def test_where_no_block_is_left_one_line_says_so(monkeypatch):
    monkeypatch.setattr(orders, "SEQUENCES", 50)
    with pytest.raises(TooFewError) as raised:
        chosen("internal", [Cell(3, (2, 3), 1)], ("facts",))
    assert str(raised.value) == (
        "internal with 3 agents, 2 or 3 announcements and hypotheses of order 1: no order block with new premises "
        "was found among 50 sequences; ask for fewer blocks, for more agents, or for another number of announcements"
    )


def test_showings_stand_in_every_setup_but_are_not_all(blocks):
    kinds = Counter((setup, is_showing(claim)) for setup, found in blocks.items() for b in found for claim in b.p[2])
    assert all(kinds[setup, True] > 20 and kinds[setup, False] > 100 for setup in ORDERED_SETUPS)
