"""Read explanations of stories word for word, and hold their length."""

from dataclasses import replace

import pytest
from support import DEEP

from builders.proof.read_stories import read_story
from builders.proof.story_steps import explanation_fault
from builders.story import config as configs
from builders.story.explanation import MOST_WORDS, explain_row, explain_story, grouped, merged
from builders.story.meaning import lessons_about
from builders.story.reasons import Obstacle
from builders.story.rows import plan_of, story_rows
from builders.voice import voice


def explained(chain, text=DEEP, semantics="recursive"):
    """Return the explanation of a question of a story about thing 0; the chain is names, one after another."""
    story, names = read_story(text)
    asked = tuple(names.agents.index(name) for name in chain.split())
    return explain_story(text, story.events, lessons_about(story, 0), asked, names, semantics, voice("en"))


def test_a_chain_is_followed_line_by_line():
    assert explained("Cleo Ann").split("\n") == [
        "Line 2: The pear is in the box. Cleo and Ann saw it. Now: box.",
        "Line 12: Ben publicly claimed that the pear is in the jar now. Ann trusts Ben, who left later, for all Cleo "
        "can tell. Now: jar.",
        "Line 13 changes nothing: Ann did not hear it.",
        "Answer: jar.",
    ]


def test_lines_with_one_obstacle_are_one_step():
    assert explained("Ann Ben").split("\n") == [
        "Line 2: The pear is in the box. Ann and Ben saw it. Now: box.",
        "Line 5: Ben moved the pear to the crate. Ann watched, and Ben saw it. Now: crate.",
        "Lines 7 and 9 change nothing: Ben did not see it.",
        "Line 12 changes nothing: Ann watched, and does not trust Ben.",
        "Line 13 changes nothing: Ann did not hear it.",
        "Answer: crate.",
    ]


def test_what_is_really_so_needs_no_witness():
    assert explained("").split("\n") == [
        "Line 2: The pear is in the box. Now: box.",
        "Line 5: Ben moved the pear to the crate. Now: crate.",
        "Line 7: Cleo moved the pear to the drawer. Now: drawer.",
        "Line 9: Dan moved the pear to the tub. Now: tub.",
        "Lines 12 and 13 change nothing: words move nothing.",
        "Answer: tub.",
    ]


def test_the_published_rules_have_reasons_of_their_own():
    text = DEEP.replace("4 Ann secretly watched the hall through the window.", "4 Ann likes the tub.")
    nested, apart = explained("Cleo Ann Dan", text, "published"), explained("Cleo Ann", text, "published")
    assert "passes no claim on to beliefs of three agents or more." in nested
    assert "passes a claim on only to pairs that Ben is one of." in apart


def test_lines_that_somebody_missed_one_after_another_become_one_step():
    later = [
        (4, Obstacle("absent", (0, 1))),
        (5, Obstacle("absent", (1, 2))),
        (6, Obstacle("absent", (0, 2))),
        (7, Obstacle("unheard", (2,))),
        (8, Obstacle("doubted", (1,), 0, "absent")),
        (9, Obstacle("doubted", (1,), 0, "absent")),
    ]
    assert [lines for lines, _ in grouped(later)] == [[4], [5], [6], [7], [8, 9]]
    assert merged(later) == [([4, 5], Obstacle("absent", (1,))), ([6], later[2][1]), ([7], later[3][1]),
                             ([8], later[4][1]), ([9], later[5][1])]  # fmt: skip


@pytest.mark.parametrize("config", [configs.ALL, configs.DEEP], ids=lambda config: config.name)
def test_the_column_is_short_and_only_in_train_and_validation(config):
    config = replace(config, train=3, validation=2, test=1, scorer=None)
    for split, explained in (("train", True), ("validation", True), ("test", False)):
        for index, settled in enumerate(plan_of(config, split)):
            for row in story_rows(config, split, index, *settled):
                text = explain_row(row)
                assert row["explanation"] == (text if explained else None)
                assert len(text.split()) <= MOST_WORDS and text.endswith(f"\nAnswer: {row['answer']}.")
    off = replace(config, explanations=())
    assert [row["explanation"] for row in story_rows(off, "train", 0, *plan_of(off, "train")[0])] == [None] * 5


def test_a_longer_explanation_names_only_who_missed_runs_of_lines(monkeypatch):
    config = replace(configs.LADDER, test=6, scorer=None)
    *_, last = enumerate(plan_of(config, "test"))
    (row,) = story_rows(config, "test", last[0], *last[1])
    whole = {}
    for most in (10_000, 0):
        monkeypatch.setattr("builders.story.explanation.MOST_WORDS", most)
        whole[most] = explain_row(row)
        assert explanation_fault(whole[most], row) is None
    assert len(whole[0].split()) < len(whole[10_000].split())


def test_the_printed_rules_explain_where_they_give_the_answer():
    config = replace(configs.REPRODUCTION, test=24, scorer=None)
    rows = [row for index, settled in enumerate(plan_of(config, "test"))
            for row in story_rows(config, "test", index, *settled)]  # fmt: skip
    texts = [explain_row(row) for row in rows]
    assert [explanation_fault(text, row) for text, row in zip(texts, rows, strict=True)] == [None] * len(rows)
    published = [row["semantics_agree"] for row, text in zip(rows, texts, strict=True) if "published generator" in text]
    assert published and not any(published)
