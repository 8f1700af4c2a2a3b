"""Read explanations of stories word for word, and hold their length."""

from dataclasses import replace

import pytest
from support import DEEP

from tom_datasets.reader.read_stories import read_story
from tom_datasets.reader.steps import explanation_fault
from tom_datasets.story import config as configs
from tom_datasets.story.explanation import explain_row, explain_story, folded
from tom_datasets.story.meaning import facts_of
from tom_datasets.story.reasons import Obstacle
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.wording.stories import voice


def explained(chain, text=DEEP, semantics="recursive"):
    """Return the explanation of a question of a story about thing 0; the chain is names, one after another."""
    story, names = read_story(text)
    asked = tuple(names.agents.index(name) for name in chain.split())
    return explain_story(text, facts_of(story, 0), asked, names, semantics, voice("en"))


def test_a_chain_is_followed_line_by_line():
    assert explained("Cleo Ann").split("\n") == [
        "Line 2: The pear is in the box. Cleo and Ann saw it. Now: box.",
        "Line 12: Ben publicly claimed that the pear is in the jar now. Ann trusts Ben, who left later, for all Cleo "
        "can tell. Now: jar.",
        "No later line changes this: Ann did not hear it (line 13).",
        "Answer: jar",
    ]


def test_what_is_really_so_needs_no_witness():
    assert explained("").split("\n") == [
        "Line 2: The pear is in the box. Now: box.",
        "Line 5: Ben moved the pear to the crate. Now: crate.",
        "Line 7: Cleo moved the pear to the drawer. Now: drawer.",
        "Line 9: Dan moved the pear to the tub. Now: tub.",
        "No later line changes this: words move nothing (lines 12 and 13).",
        "Answer: tub",
    ]


def test_the_published_rules_have_reasons_of_their_own():
    text = DEEP.replace("4 Ann secretly watched the hall from outside.", "4 Ann likes the tub.")
    nested, apart = explained("Cleo Ann Dan", text, "published"), explained("Cleo Ann", text, "published")
    assert "passes no claim on to beliefs of three agents or more (line" in nested
    assert "passes a claim on only to pairs that Ben is one of (line" in apart


def test_a_line_that_several_missed_has_the_reason_that_most_lines_share():
    absent = [Obstacle("absent", (agent,)) for agent in range(3)]
    unheard, doubted = Obstacle("unheard", (2,)), Obstacle("doubted", (1,), 0, "absent")
    unseen = [Obstacle("unseen", (0, 1)), Obstacle("unseen", (1, 2))]
    obstacles = {4: absent[:2], 5: absent[1:], 6: absent[::2], 7: [unheard], 8: [doubted], 9: absent[1:], 10: [doubted]}
    assert folded({**obstacles, 11: unseen, 12: unseen[1:]}) == {
        absent[1]: [4, 5, 9],
        absent[2]: [6],
        unheard: [7],
        doubted: [8, 10],
        unseen[1]: [11, 12],
    }


@pytest.mark.parametrize("config", [configs.ALL, configs.DEEP], ids=lambda config: config.name)
def test_the_column_is_short_and_only_in_train_and_validation(config):
    config = replace(config, train=3, validation=2, test=1, scorer=None)
    for split, explained in (("train", True), ("validation", True), ("test", False)):
        for index, settled in enumerate(plan_of(config, split)):
            for row in story_rows(config, split, index, *settled):
                text = explain_row(row)
                assert row["explanation"] == (text if explained else None)
                assert len(text.split()) <= 350 and text.endswith(f"\nAnswer: {row['answer']}")
    off = replace(config, explanations=())
    assert [row["explanation"] for row in story_rows(off, "train", 0, *plan_of(off, "train")[0])] == [None] * 5


def test_the_printed_rules_explain_where_they_give_the_answer():
    config = replace(configs.REPRODUCTION, test=24, scorer=None)
    rows = [row for index, settled in enumerate(plan_of(config, "test"))
            for row in story_rows(config, "test", index, *settled)]  # fmt: skip
    texts = [explain_row(row) for row in rows]
    assert [explanation_fault(text, row) for text, row in zip(texts, rows, strict=True)] == [None] * len(rows)
    published = [row["semantics_agree"] for row, text in zip(rows, texts, strict=True) if "published generator" in text]
    assert published and not any(published)
