"""Search rules in stories whose rule is known, and compare the search with one that tries each rule."""

from itertools import combinations, permutations, product
from types import SimpleNamespace

import pytest
from audit.samples import as_table
from story.samples import deep_stories

from tom_datasets.audit import search as searching
from tom_datasets.audit.page import found_table
from tom_datasets.audit.search import Found, search, with_found
from tom_datasets.audit.shares import Share
from tom_datasets.audit.stories import AuditedQuestion
from tom_datasets.hi_tom import audit
from tom_datasets.story.features import FEATURES
from tom_datasets.story.meaning import belief, facts_of
from tom_datasets.syntax.events import Story


@pytest.fixture(scope="module")
def questions():
    """Return questions of orders 2 to 4 about deep stories, of all chains of four agents, by split and order."""
    asked = {}
    for place, (story, chain) in enumerate(deep_stories()):
        facts, split = facts_of(story, 0), "test" if place % 2 else "train"
        for order in (2, 3, 4):
            for agents in permutations(chain, order):
                asked.setdefault((split, order), []).append((facts, agents, belief(story, agents, 0)))
    return asked


@pytest.mark.parametrize("order", [2, 3])
@pytest.mark.parametrize(
    "names", [("reaches all before the content", "the first trusts"), ("the first pair is known", "the last trusts")]
)
def test_the_search_finds_a_planted_rule(questions, order, names):
    """Questions have the answers of a rule of two features; no rule of one has them all."""
    rule = [2 * list(FEATURES).index(name) for name in names]
    learnt, measured = (
        [(facts, chain, answer_of(rule, facts, chain)) for facts, chain, _ in questions[split, order]]
        for split in ("train", "test")
    )
    fits = [[question for question in asked if question[2] is not None] for asked in (learnt, measured)]
    one, two = search(*fits, 2)
    assert one.learnt.share < 0.8 and one.measured.share < 0.5
    assert str(two) == "*{}*, *{}*".format(*names) and two.learnt.share == two.measured.share == 1


@pytest.fixture
def ladder(questions, monkeypatch):
    """Let the audit find 30 questions of each rung from 2 to 4 in a build that has a ladder alone; return the build."""
    asked = [
        AuditedQuestion(f"rung {order}", Story(0, ()), chain, facts, answer, 0, undisputed=True)
        for order in (2, 3, 4)
        for facts, chain, answer in questions["test", order][:30]
    ]
    monkeypatch.setattr(audit.HiTomAudit, "questions", lambda *_: asked)
    monkeypatch.setattr(audit, "facts_of", lambda _, facts: facts)
    return SimpleNamespace(files={"ladder/test.parquet"})


def test_the_ladder_is_searched_in_halves(ladder, monkeypatch, capsys):
    monkeypatch.setattr(audit, "search", lambda learnt, measured: (learnt, measured))
    assert audit.HiTomAudit().searched(ladder) == {}
    assert capsys.readouterr().out == "ladder, not searched for rules: 45 test stories, the gates need 240\n"
    monkeypatch.setattr("tom_datasets.audit.gates.GATED_STORIES", 45)
    found = audit.HiTomAudit().searched(ladder)
    assert list(found) == ["rung 2", "rung 3", "rung 4", "rungs from order 2"]
    assert [(len(learnt), len(measured)) for learnt, measured in found.values()] == [(15, 15)] * 3 + [(45, 45)]
    learnt, measured = found["rungs from order 2"]
    assert [len(chain) for _, chain, _ in measured] == [2] * 15 + [3] * 15 + [4] * 15
    assert not {(id(facts), chain) for facts, chain, _ in learnt} & {(id(facts), chain) for facts, chain, _ in measured}


def test_rungs_are_pooled_from_each_order_that_has_enough(ladder, monkeypatch):
    def groups():
        return {group: len(asked) for group, asked in audit.by_group(audit.HiTomAudit().questions()).items()}

    rungs = {"rung 2": 30, "rung 3": 30, "rung 4": 30, "rungs from order 2": 90}
    assert groups() == rungs
    monkeypatch.setattr("tom_datasets.audit.gates.GATED_STORIES", 60)
    assert groups() == {**rungs, "rungs from order 3": 60}
    assert [audit.lowest_order(group) for group in ("2nd_order", "10th_order", "rungs from order 3")] == [
        2,
        10,
        3,
    ]


def test_the_picture_has_the_rules_found_of_each_group_but_single_rungs():
    build = SimpleNamespace(files={}, request={"ladder": {"max_order": 4}})
    rules = [Found([(0,)], Share(1, 2, 0.0), Share(right, 4, 0.0)) for right in (1, 3)]
    found = {"3rd_order": rules, "rung 3": rules, "rungs from order 2": rules}
    (nothing,), (shown,) = (
        audit.HiTomAudit().drawings(build, "toys", rules)["rules"][1].values() for rules in ({}, found)
    )
    assert not nothing and list(shown) == ["3rd_order", "rungs from order 2"]
    assert {length: share.share for length, share in shown["3rd_order"].items()} == {"1": 0.25, "2": 0.75}


def answer_of(rule, facts, chain):
    """Return the container of the last line that has all literals of a rule."""
    lines, features = (1 << len(facts.containers)) - 1, list(FEATURES.values())
    for literal in rule:
        having = features[literal // 2](facts, chain)
        lines &= ~having if literal % 2 else having
    return facts.last(lines)


def test_the_search_misses_no_rule_of_two_features(questions, monkeypatch):
    """Words of eight lines, so that stories need several, and a beam that holds all rules."""
    monkeypatch.setattr(searching, "WORD", 8)
    monkeypatch.setattr(searching, "FEATURES", dict(list(FEATURES.items())[9:17]))
    monkeypatch.setattr(searching, "BEAM", 10**6)
    learnt, measured = questions["train", 3][:40], questions["test", 3][:40]
    found = search(learnt, measured, 2)
    features = range(9, 17)
    literals = [(2 * feature + negated,) for feature, negated in product(features, (0, 1))]
    pairs = [(*one, *other) for one, other in combinations(literals, 2) if one[0] // 2 != other[0] // 2]
    for length, rules in ((1, literals), (2, literals + pairs)):
        answers = [[answer_of(rule, facts, chain) for facts, chain, _ in learnt] for rule in rules]
        right = max(
            sum(
                (other if one is None else one) == answer
                for one, other, (_, _, answer) in zip(*both, learnt, strict=True)
            )
            for both in product(answers, repeat=2)
        )
        assert found[length - 1].learnt == Share(right, 40, 0.0)


def test_found_rules_in_words_and_in_tables(questions):
    claims, all_open = list(FEATURES).index("a claim"), list(FEATURES).index("all are open")
    alone = Found([(2 * claims + 1,)], Share(3, 4, 0.0), Share(1, 2, 0.0))
    paired = Found([(2 * claims, 2 * all_open + 1), (2 * all_open,)], Share(4, 4, 0.0), Share(2, 2, 0.0))
    assert str(alone) == "not *a claim*"
    assert str(paired) == "*a claim*, not *all are open*; else *all are open*"
    assert found_table({"2nd_order": [alone, paired]}).split("\n")[2:] == [
        "| 2nd_order | 1 | not *a claim* | 75.0 (30–95) | 50.0 (9–91) |",
        "| 2nd_order | 2 | *a claim*, not *all are open*; else *all are open* | 100.0 (51–100) | 100.0 (34–100) |",
    ]
    table = with_found(
        as_table({"2nd_order": {"reality": 0.2}, "rung 1": {"reality": 0.3}}), {"2nd_order": [alone, paired]}
    )
    assert list(table["2nd_order"]) == ["reality", "best of 1 feature", "best of 2 features"]
    assert table["2nd_order"]["best of 2 features"] == Share(2, 2, 0.0) and list(table["rung 1"]) == ["reality"]
