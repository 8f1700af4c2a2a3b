"""Read stories as they were released: what stands around their lines, what names their rows, and the text of ToMi."""

import pytest
from support import numbered

from tom_datasets.errors import UserError
from tom_datasets.proof.left_out import LeftOut
from tom_datasets.proof.published_rows import AUDITED, published_rows
from tom_datasets.proof.published_stories import read_published_question
from tom_datasets.proof.released import clean_story, name_rows
from tom_datasets.proof.sentence_kinds import kind_of, unknown_kinds
from tom_datasets.reader.english import ReadError
from tom_datasets.reader.read_stories import read_question, read_story
from tom_datasets.syntax.events import Question

STORY = numbered("Emma entered the hall.", "The pear is in the red_box.")
ORDER = "Read the following story and answer the multiple-choice question."


@pytest.mark.parametrize(
    ("before", "after", "dropped"),
    [
        ("", "", []),
        ("", "\n", []),
        ("", "\n\n", [""]),
        (f"{ORDER}\n", "\n\n", [ORDER, ""]),
        ("", "\n***\n\n", ["***", ""]),
        (f"\r\n{ORDER}\r\n", "\r\n", ["", ORDER]),
    ],
)
def test_lines_without_a_number_around_the_story_are_dropped(before, after, dropped):
    assert clean_story(before + STORY + after) == (STORY, dropped)


@pytest.mark.parametrize("between", ["***", ""])
def test_a_line_without_a_number_between_two_lines_stays_and_is_refused(between):
    story = STORY.replace("\n", f"\n{between}\n")
    assert clean_story(story) == (story, [])
    with pytest.raises(ReadError, match="line 2 must start with its number"):
        read_story(story)


def test_sentences_without_numbers_are_numbered():
    assert clean_story("Emma entered the hall. The pear is in the red_box.\n\n") == (STORY, [])
    assert clean_story("Emma entered the hall.\nThe pear is in the red_box.") == (STORY, [])
    assert clean_story(" \n") == ("", [])


CELL = {"story": "", "deception": False, "story_length": 1, "question_order": 0}


@pytest.mark.parametrize("odd", [{"story": ""}, "not a row", None])
def test_a_row_without_a_cell_would_shift_the_places_so_all_rows_go_by_number(odd):
    (_, first), (_, second), _ = name_rows([("", {**CELL, "sample_id": 7}), ("", CELL), ("", odd)])
    assert first == {**CELL, "sample_id": 7} and second == {"index": 2, **CELL}


TOMI = """1 Emma entered the attic.
2 Jack entered the attic.
3 The pear is in the red_box.
4 Where is the pear really?\tred_box\t3
5 Emma exited the attic.
6 Jack moved the pear to the blue_crate.
7 Where does Emma think that Jack searches for the pear?\tred_box\t3 5

1 Jack slept.
2 Where is the pear really?\tred_box\t1
"""


def test_a_story_of_tomi_without_a_question_is_no_row(tmp_path):
    path = tmp_path / "tomi.txt"
    path.write_bytes(b"1 Jack entered the attic.\r\n" + TOMI.replace("\n", "\r\n").encode() + b"3 Emma slept.\r\n")
    left_out = LeftOut(strict=False)
    rows = list(published_rows(path, *AUDITED.values(), left_out=left_out))
    assert len(rows) == 3 and len(left_out.places) == 3 and not left_out.rows
    path.write_text("1 Jack entered the attic.", encoding="utf-8")
    with pytest.raises(UserError, match="no rows; expected one on each line: an object with story, question and"):
        list(published_rows(path, *AUDITED.values(), left_out=LeftOut()))


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Emma picked up the red_box.", "_ picked up the _."),
        ("Where will Emma look for the t-shirt?", "Where will _ look for the _?"),
        ("Emma\nsang \ud800.", "_ sang \\ud800."),
    ],
)
def test_kinds_of_sentences(sentence, kind):
    assert kind_of(sentence) == kind


def test_only_unknown_sentences_are_counted():
    story = f"{ORDER}\n{STORY}\n3 Emma sang.\n4 Jack sang.\n\n"
    assert list(unknown_kinds(story, "Where is the pear really?")) == ["_ sang.", "_ sang."]
    assert list(unknown_kinds("Emma entered the hall.", "Why?")) == ["Why?"]
    assert list(unknown_kinds(None, 3)) == []


def test_the_first_order_question_of_tomi_is_read_in_published_rows_only():
    row = {"story": STORY, "question": "Where will Emma look for the pear?", "answer": "red_box"}
    assert read_published_question(row).question == Question((0,), 0, searches=True)
    assert list(unknown_kinds(STORY, row["question"])) == []
    with pytest.raises(ReadError, match="not a question about a story"):
        read_question(row["question"], read_story(STORY)[1])
