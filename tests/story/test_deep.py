"""Prove that deep stories, and those of the ladder, are coherent, dispute nothing, and are planned in equal shares."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from story.samples import deep_stories

from tom_datasets.story.candidates import CLAIM, OPEN, SECRET, THOUGHT, May, Size
from tom_datasets.story.config import DEEP, LADDER
from tom_datasets.story.constraints import ALIKE, SHALLOW, plan_deep
from tom_datasets.story.deep import draw_deep
from tom_datasets.story.distractions import ITEMS
from tom_datasets.story.failing import FORGETFUL_FAILS, LAZY_FAILS, lazy_rules
from tom_datasets.story.interpretations import differing_interpretations
from tom_datasets.story.ladder import RUNGS
from tom_datasets.story.meaning import belief, by_rules, facts_of, subchains
from tom_datasets.story.rows import FAMILIES, plan_of
from tom_datasets.story.shortcuts import FORGETFUL, LINKS
from tom_datasets.streams import stream
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Dislike, Enter, Like, Lose, Overhear, Report, See, Story, Tell, Watch
from tom_datasets.syntax.record import extent

N_STORIES = 120  # stories of which shares are counted
DISTRACTIONS = (Lose, See, Like, Dislike)


def drawn_by(config, n_stories):
    """Return the first stories of a config's test split as its family draws them."""
    config = replace(config, train=None, validation=None, test=n_stories, scorer=None)
    config.validate()
    family = FAMILIES[config.family]
    return [family.draw(config, target, stream("drawn", i)) for i, (target, _) in enumerate(plan_of(config, "test"))]


@cache
def ladder_stories():
    """Return two stories of each rung."""
    return drawn_by(LADDER, 2 * len(RUNGS))


@cache
def stories_of(seed):
    """Return stories of `deep` of a seed as a build has them, each with its chain and its facts."""
    config, drawn = replace(DEEP, seed=seed, train=None, validation=None, test=N_STORIES), []
    for index, (target, _) in enumerate(plan_of(config, "test")):
        own = stream("hi_tom", "deep", seed, "test", index, "problem")
        story, chain, *_ = FAMILIES["deep"].draw(config, target, own)
        drawn.append((story, chain, facts_of(story, 0)))
    return drawn


def lines_of(story, kind):
    """Return the events of some kinds."""
    return [event for event in story.events if isinstance(event, kind)]


def assert_deep(story, chain, n_agents, n_chapters, n_containers, lowest=1):
    """Assert what holds for every deep story: one thing moves in one room, where all agents are at first.

    lowest: the lowest order that is asked, besides 0; all readings agree on these.
    """
    check(story)
    assert story.n_agents == n_agents and len(set(chain)) == len(chain) and set(chain) <= set(range(n_agents))
    for order in (0, *range(lowest, len(chain) + 1)):
        tail = chain[len(chain) - order :]
        answer = belief(story, tail, 0)
        assert answer is not None and (order == 0 or not differing_interpretations(story, tail, 0, answer))
    told = Story(n_agents, tuple(event for event in story.events if not isinstance(event, DISTRACTIONS)))
    rooms, things, containers = extent(told)
    assert (rooms, things) == (2, 1) and containers <= n_containers
    opening = [event for event in lines_of(story, Enter) if event.room]
    assert len(opening) == n_chapters and sorted(opening[0].agents) == list(range(n_agents))
    assert all(event.item < ITEMS - 1 for event in lines_of(story, Lose))  # the last item is a watch
    overhear = [isinstance(event, Overhear) for event in story.events]
    assert not any(map(all, zip(*(overhear[start:] for start in range(3)), strict=False)))  # two a claim at most


def test_what_a_deep_story_is():
    for story, chain in deep_stories():
        assert len(chain) == 4
        assert_deep(story, chain, 5, len([event for event in lines_of(story, Enter) if event.room]), 8)
    for kind in (Watch, Tell, Report, Overhear, *DISTRACTIONS):
        assert any(lines_of(story, kind) for story, _ in deep_stories())


def test_the_order_of_hearers_says_nothing_of_the_question():
    """Two hearers of a claim that teaches an answer stand in the order of the chain as often as not."""
    in_order = []
    for story, chain, facts in stories_of(0):
        for order in range(2, 5):
            event = story.events[facts.lines[by_rules(facts, chain[-order:]).bit_length() - 1]]
            named = [chain.index(agent) for agent in getattr(event, "hearers", ()) if agent in chain]
            in_order += [one < other for one, other in pairwise(named)]
    half = len(in_order) / 2
    assert len(in_order) >= 30 and abs(sum(in_order) - half) <= 2 * half**0.5, (sum(in_order), len(in_order))


@pytest.mark.parametrize(("n_agents", "order", "n_chapters"), [(2, 1, 2), (2, 2, 3), (3, 3, 4), (6, 5, 3), (12, 4, 2)])
def test_a_deep_story_of_another_size(n_agents, order, n_chapters):
    config = replace(DEEP, n_agents=n_agents, max_order=order, lengths=(n_chapters,))
    for drawn in drawn_by(config, 2):
        assert len(drawn.chain) == order
        assert_deep(drawn.story, drawn.chain, n_agents, n_chapters, 8)


def test_the_ladder_asks_one_more_agent_on_each_rung():
    assert [rung.order for rung in RUNGS] == [1, 2, 3, 4, 5, 6]
    assert [drawn.rung for drawn in ladder_stories()] == [1, 2, 3, 4, 5, 6] * 2
    for drawn in ladder_stories():
        order, n_agents, n_chapters, n_containers = RUNGS[drawn.rung - 1]
        assert len(drawn.chain) == order and drawn.orders == [order] and drawn.n_containers == n_containers
        assert_deep(drawn.story, drawn.chain, n_agents, n_chapters, n_containers, lowest=order)


def test_the_stories_of_the_ladder_have_at_most_120_lines():
    assert max(len(drawn.story.events) for drawn in ladder_stories()) <= 120


def test_the_same_stream_draws_the_same_story():
    small = replace(DEEP, max_order=2)
    assert drawn_by(small, 3) == drawn_by(small, 3)


def test_wishes_come_in_their_shares():
    targets = plan_deep(stream("plan"), 600, (2, 3), 4)
    assert Counter(target.n_chapters for target in targets) == {2: 300, 3: 300}
    for order in range(1, 5):
        constraints = [target.constraints[order - 1] for target in targets]
        taught = Counter(constraint.target.teacher for constraint in constraints)
        assert order == 1 or 600 * 0.4 < taught[OPEN] + taught[SECRET] < 600 * 0.55
        assert order == 1 or taught[THOUGHT] > 2 * taught[CLAIM]
        assert order < 3 or taught[SECRET] > 1.5 * taught[OPEN]
        assert sum(constraint.shallow for constraint in constraints) == 6 * SHALLOW
        assert sum(constraint.alike for constraint in constraints) == 6 * ALIKE
        assert Counter(name for constraint in constraints for name in constraint.wrong) == (
            {name: 6 * share for name, share in FORGETFUL_FAILS.items()} if order > 1 else {}
        )
        lazy = Counter(rule for constraint in constraints for rule in constraint.lazy)
        assert lazy == dict.fromkeys(lazy_rules(order), 6 * LAZY_FAILS)
        homes = [constraint.target.home for constraint in constraints]
        assert all(home < target.n_chapters for home, target in zip(homes, targets, strict=True))
        if order > 1:
            later = [target.constraints[order - 2].target.home for target in targets]
            assert all(home <= next_home for home, next_home in zip(homes, later, strict=True))


# By order, on how many of those stories at least wrong rules fail. On seeds 0 to 2 each failed on 12 more or above.
FAILED = {
    2: {"order ignored": 55, "trust ignored": 65, "one order lower": 100, "reality": 95, "insiders trusted": 22},
    3: {"order ignored": 85, "trust ignored": 63, "one order lower": 100, "reality": 92, "hearing ignored": 75},
    4: {"order ignored": 98, "trust ignored": 40, "one order lower": 99, "reality": 92, "hearing ignored": 98},
}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
def test_drawn_stories_fail_wrong_rules_in_their_shares(seed):
    """What is planned is drawn, too: stories of each seed teach in the shares of the plan, and mislead lazy readers."""
    n = N_STORIES
    drawn = {order: Counter() for order in FAILED}
    for _, chain, facts in stories_of(seed):
        for order, counts in drawn.items():
            tail = chain[-order:]
            taught = by_rules(facts, tail)
            answer, last = facts.last(taught), 1 << taught.bit_length() - 1
            counts.update(name for name in FAILED[order] if facts.last(FORGETFUL[name](facts, tail)) != answer)
            links = [link for link in range(order - 1) if facts.last(LINKS[link](facts, tail)) != answer]
            counts.update(f"link {link}" for link in links)
            counts["shallow"] += answer in [facts.last(by_rules(facts, few)) for few in subchains(tail)[:-1]]
            counts["claim"] += bool(facts.claims & last)
            counts["thought"] += bool(facts.claims & ~facts.plain & last)
            counts["secret"] += bool(facts.sightings & last) and any(facts.secret[agent] & last for agent in tail)
    for order, counts in drawn.items():
        least = FAILED[order] | {f"link {link}": 35 for link in range(order - 1)}
        assert {name: counts[name] for name, few in least.items() if counts[name] < few} == {}, (order, counts)
        assert 0.42 * n <= counts["claim"] <= 0.67 * n and counts["thought"] >= 0.7 * counts["claim"], (order, counts)
        assert 0.17 * n <= counts["secret"] <= 0.38 * n and counts["shallow"] <= 0.36 * n, (order, counts)


@pytest.mark.parametrize("n_stories", [0, 1, 2])
def test_a_plan_of_few_stories(n_stories):
    assert len(plan_deep(stream("plan"), n_stories, (2, 3), 4)) == n_stories


@pytest.mark.parametrize(("n_agents", "order"), [(5, 4), (8, 3)])
@pytest.mark.parametrize(("field", "value"), [("links", 0), ("links", 1), ("overhearing", False), ("thoughts", False)])
def test_a_field_leaves_out_a_kind_of_line(n_agents, order, field, value):
    for i, target in enumerate(plan_deep(stream("without"), 3, (3,), order)):
        story, chain = draw_deep(stream("without", i), target, Size(n_agents, 3, 8, May(**{field: value})))
        assert_deep(story, chain, n_agents, 3, 8)
        links = {}  # by agent: how many secret minds in a row he knows of, the last time he watched or overheard
        for event in lines_of(story, (Watch, Overhear)):
            known = [1 + links[type(event), other] for other in event.noticed]
            links[type(event), event.agent] = max(known, default=0)
            assert field != "links" or max(known, default=0) <= value
        assert not lines_of(story, {"overhearing": Overhear, "thoughts": Report}.get(field, ()))


@pytest.mark.parametrize("config", [DEEP, LADDER], ids=lambda config: config.name)
def test_a_config_passes_its_fields_on(config):
    for drawn in drawn_by(replace(config, links=0, overhearing=False, thoughts=False), len(RUNGS)):
        assert not lines_of(drawn.story, (Overhear, Report))
        assert not any(event.noticed for event in lines_of(drawn.story, Watch))
