"""Read ToMi's sentences and questions, written here in its patterns: distractions, rooms, and the beginning."""

import pytest
from support import numbered

from tom_datasets.answers.items import published_items
from tom_datasets.audit.rows import published_audited_questions
from tom_datasets.proof.left_out import LeftOut
from tom_datasets.proof.published_stories import read_published_question, reread_hi_tom
from tom_datasets.proof.sentence_kinds import unknown_kinds
from tom_datasets.reader.english import ReadError
from tom_datasets.reader.read_stories import read_story
from tom_datasets.syntax.events import Dislike, Enter


def read(story, question, answer="red_box"):
    """Return a row of ToMi as it is read, and the label of its text."""
    row = {"story": numbered(*story), "question": question, "answer": answer}
    _, differing = reread_hi_tom([("here", row)], LeftOut())
    label = differing[0]["read_recursive"] if differing else answer
    return read_published_question(row), label


APART = ["Emma entered the attic.", "Jack entered the attic.", "Owen entered the hall."]
HIDDEN = ["The pear is in the red_box.", "Jack exited the attic.", "Emma moved the pear to the blue_crate."]


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("Where was the pear at the beginning?", "red_box"),
        ("Where is the pear really?", "blue_crate"),
        ("Where will Emma look for the pear?", "blue_crate"),
        ("Where will Jack look for the pear?", "red_box"),
        ("Where does Emma think that Jack searches for the pear?", "red_box"),
        ("Where does Jack think that Emma searches for the pear?", "red_box"),
        ("Where will Owen look for the pear?", None),
    ],
)
@pytest.mark.parametrize("before", [APART, ["Owen entered the hall.", *APART[:2]], [*APART, "Owen exited the hall."]])
def test_a_thing_of_tomi_is_in_the_room_where_it_is_moved(before, question, label):
    """Whoever entered another room just before the thing is named."""
    assert read([*before, *HIDDEN], question)[1] == label


def test_a_thing_that_nobody_moves_is_in_the_room_entered_last():
    assert read([*APART, HIDDEN[0]], "Where will Owen look for the pear?")[1] == "red_box"
    assert read([*APART[:2], HIDDEN[0]], "Where will Jack look for the pear?")[1] == "red_box"
    # Who is in no room moves it nowhere.
    assert (
        read([*APART, HIDDEN[0], "Mia moved the pear to the blue_crate."], "Where will Owen look for the pear?")[1]
        == "red_box"
    )


@pytest.mark.parametrize("verb", ["likes", "dislikes", "loves", "hates"])
@pytest.mark.parametrize("thing", ["pear", "t-shirt", "attic"])
def test_distractions_of_tomi_are_read(verb, thing):
    published, label = read([*APART[:2], f"Jack {verb} the {thing}", *HIDDEN], "Where will Jack look for the pear?")
    assert published.story.events[2] == Dislike(1, published.names.things.index(thing)) and label == "red_box"
    assert published.names.containers == ("red_box", "blue_crate")
    assert list(unknown_kinds(f"Jack {verb} the {thing}", "Where is the pear really?")) == []


def test_who_is_in_a_room_of_tomi_entered_it():
    story = ["Emma and Jack are in the attic.", "Owen is in the hall.", *HIDDEN]
    published, label = read(story, "Where will Owen look for the pear?")
    assert published.story.events[:2] == (Enter((0, 1), 1), Enter((2,), 2)) and label is None
    assert read(story, "Where will Jack look for the pear?")[1] == "red_box"


def test_a_thing_of_tomi_may_have_a_hyphen():
    story = [line.replace("pear", "t-shirt") for line in [*APART, *HIDDEN]]
    assert read(story, "Where will Jack look for the t-shirt?")[1] == "red_box"
    assert read(story, "Where was the t-shirt at the beginning?")[0].group == "beginning"


def test_the_sentences_of_tomi_are_read_in_published_rows_only():
    for sentence in ("Jack loves the pear.", "Jack dislikes the pear", "Jack is in the attic."):
        with pytest.raises(ReadError, match="line 1 is not a sentence that the reader knows"):
            read_story(f"1 {sentence}")


def test_questions_about_the_beginning_are_counted_apart():
    questions = (
        "Where was the pear at the beginning?",
        "Where is the pear really?",
        "Where will Jack look for the pear?",
    )
    rows = [
        (
            f"row {index}",
            {"story": numbered(*APART, *HIDDEN), "question": question, "answer": "red_box", "index": index},
        )
        for index, question in enumerate(questions)
    ]
    counts = reread_hi_tom(rows, LeftOut())[0][0]
    agreeing = {order: count["recursive", False, "agree"] for (_, order), count in counts}
    assert agreeing == {"beginning": 1, "order 0": 0, "order 1": 1, "total": 2}
    items = published_items("hi_tom", rows, LeftOut())
    assert [item.groups["order"] for item in items] == ["beginning", "0th_order", "1st_order"]
    assert [question.group for question in published_audited_questions(rows, LeftOut())] == [
        "beginning",
        "0th_order",
        "1st_order",
    ]
