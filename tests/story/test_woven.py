"""Prove that woven questions take the steps that their rungs promise, and that what is said of the steps is true."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from tom_datasets.audit import woven as audit
from tom_datasets.explanations import explain
from tom_datasets.reader.steps import explanation_fault, judged_steps, share_of_right_steps
from tom_datasets.story.config import WOVEN
from tom_datasets.story.interpretations import disputes
from tom_datasets.story.meaning import belief, by_rules, facts_of
from tom_datasets.story.naming import hops_of
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.story.weaving import KINDS, MOST_LINES, WovenSize, sample_woven
from tom_datasets.story.woven import WOVEN_RUNGS
from tom_datasets.streaming.endless import endless
from tom_datasets.streams import stream
from tom_datasets.syntax.events import Named
from tom_datasets.syntax.record import question_of

LOW = tuple(rung for rung in WOVEN_RUNGS if rung.hops <= 8)


@cache
def rows_of(split, n_stories, **fields):
    """Return the first rows of a split of a config with few stories; fields may be a language, rungs or splits."""
    config = replace(WOVEN, **{"train": None, "validation": None, "test": None, split: n_stories, **fields})
    config.validate()
    settled = plan_of(config, split)
    return [row for index, one in enumerate(settled) for row in story_rows(config, split, index, *one)]


def test_rungs_come_in_turn():
    plans = plan_of(WOVEN, "test")
    numbers = [number for (number, _), _ in plans]
    assert numbers[:9] == [1, 2, 3, 4, 5, 6, 7, 1, 2]
    assert Counter(numbers) == dict.fromkeys(range(1, 8), 100)
    for rung in range(1, 8):
        letters = Counter(letters[2] % 8 for (number, _), letters in plans if number == rung)
        assert len(letters) == 8 and max(letters.values()) - min(letters.values()) <= 1
        kinds = Counter(kind for (number, kind), _ in plans if number == rung)
        assert {*kinds} == ({*KINDS} if rung <= 2 else {None})
        assert max(kinds.values()) - min(kinds.values()) <= 8


def test_what_is_trained_on_has_few_steps_unless_rungs_are_chosen():
    assert {number for (number, _), _ in plan_of(replace(WOVEN, train=40), "train")} == {1, 2, 3, 4}
    chosen = replace(WOVEN, rungs=((4, 1, 5), (16, 3, 6)), train=4)
    assert [number for (number, _), _ in plan_of(chosen, "train")] == [1, 2, 1, 2]


def test_rows_have_the_steps_of_their_rung():
    rows = rows_of("test", 8, rungs=LOW)
    assert [row["hops"] for row in rows] == [1, 2, 4, 8] * 2 and [row["rung"] for row in rows] == [1, 2, 3, 4] * 2
    for row in rows:
        story, names, question = question_of(row)
        chain, facts = question.chain, facts_of(story, 0)
        assert row["order"] == len(chain) == 2 and row["n_agents"] == 5 and len(row["choices"]) == 8
        assert row["undisputed"] and not disputes(story, chain, 0) and row["n_lines"] <= MOST_LINES
        assert len(hops_of(story, facts, chain)) == row["hops"]
        assert names.containers[belief(story, chain, 0)] == row["answer"] == row["choices"][row["answer_index"]]
        assert any(isinstance(event, Named) for event in story.events)


@pytest.mark.parametrize(
    ("rungs", "message"),
    [
        ((), "rungs is empty; it must have one rung or more"),
        (((1, 2),), r"rung 1 is \(1, 2\); it must be three integers: \(hops, order, agents\)"),
        (((1, 2, 5), (2, 2, 5.5)), r"rung 2 is \(2, 2, 5.5\); it must be three integers"),
        (((0, 2, 5),), r"rung 1 is \(0, 2, 5\); it must have hops from 1 to 128"),
        (((1, 4, 5),), r"rung 1 is \(1, 4, 5\); it must have an order from 1 to 3"),
        (((1, 2, 9),), r"rung 1 is \(1, 2, 9\); it must have agents from 5 to 8"),
        (((4, 2, 5), (2, 2, 5)), "rungs have 4, 2 hops; they must come with the fewest hops first"),
    ],
)
def test_rungs_that_no_story_can_be_on_are_refused(rungs, message):
    with pytest.raises(ValueError, match=message):
        replace(WOVEN, rungs=rungs).validate()


@pytest.mark.parametrize("language", ["en", "fr", "zh"])
def test_an_explanation_goes_from_line_to_line(language):
    """In each language it has the same lines; in English the second meaning finds what is changed in it."""
    rows = rows_of("train", 4, language=language)
    assert [row["hops"] for row in rows] == [1, 2, 4, 8]
    for row, english in zip(rows, rows_of("train", 4), strict=True):
        assert explain(row) == row["explanation"]
        assert row["explanation"].endswith(row["answer"]) and row["events"] != ""
        assert row["explanation"].count("\n") == english["explanation"].count("\n")
        if language == "en":
            assert explanation_fault(row["explanation"], row) is None
            steps = judged_steps(row["explanation"], row)
            assert steps.share == steps.share_before_wrong == share_of_right_steps(row["explanation"], row) == 1
            wrong = row["explanation"].replace("No later line", "No  later line", 1).replace("saw it.", "heard it.", 1)
            if wrong != row["explanation"]:
                assert explanation_fault(wrong, row) is not None
            cut = "\n".join(row["explanation"].split("\n")[1:])
            assert "step 1 of its explanation is wrong" in explanation_fault(cut, row)


def test_a_walk_by_the_rules_arrives_at_the_answer_and_what_is_forgotten_leads_astray():
    rows = rows_of("test", 8, rungs=LOW)
    for row in rows:
        story, names, question = question_of(row)
        facts = facts_of(story, 0)
        assert names.containers[audit.followed(story, facts, question.chain, by_rules)] == row["answer"]
    table = audit.measured(rows)
    assert list(table) == ["1 hops", "2 hops", "4 hops", "8 hops", audit.POOLED]
    assert {share.total for share in table[audit.POOLED].values()} == {4, 2}  # a search has the other half
    assert table["8 hops"]["last claim that all heard"].chance == 1 / 8
    assert audit.rendered(table).count("\n") > 40
    assert audit.gate_of(audit.POOLED, "reality", table[audit.POOLED]["reality"]) == (0, 0.35)
    assert audit.gate_of("8 hops", "reality", table["8 hops"]["reality"]) is None


def test_a_stream_has_as_many_steps_as_are_asked_for():
    rows = list(islice(endless("hi_tom", "woven", seed=3), 8))
    assert {row["hops"] for row in rows} == {1, 2, 4, 8}
    assert [row["hops"] for row in islice(endless("hi_tom", "woven", seed=3, rungs=((3, 1, 5),)), 2)] == [3, 3]


@pytest.mark.slow
def test_a_question_may_take_128_steps():
    story, chain, _ = sample_woven(stream("very long"), WovenSize(128, 2, 5, 8))
    assert len(hops_of(story, facts_of(story, 0), chain)) == 128 and len(story.events) <= 7 * 128
