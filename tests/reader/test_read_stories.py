"""Read every published sentence and question of Hi-ToM back, and refuse all others."""

import pytest
from support import numbered

from tom_datasets.reader.english import ReadError
from tom_datasets.reader.read_stories import read_choices, read_question, read_story
from tom_datasets.syntax.events import (
    Come,
    Enter,
    Lose,
    Names,
    Place,
    Question,
    See,
    Tell,
)


@pytest.mark.parametrize(
    ("sentence", "event"),
    [
        ("Emma, Jack, and Owen entered the hall.", Enter((0, 1, 2), 1)),
        ("Anne-Marie, O'Neil, D’Arcy and Élodie entered the hall.", Enter((0, 1, 2, 3), 1)),
        ("Emma came into the workshop.", Come(0, 1)),
        ("The peas is in the red_box.", Place(0, 0)),
        ("The piña is in the caja_roja.", Place(0, 0)),
        ("Emma publicly claimed that pear is in the red_box.", Tell(0, (), 0, 0)),
        ("Emma publicly claimed that the pear is in the red_box.", Tell(0, (), 0, 0)),
        ("Emma privately told Jack that the pear is in the red_box.", Tell(0, (1,), 0, 0)),
        ("Emma lost their phone.", Lose(0, 0)),
        ("Emma saw an owl.", See(0, 0)),
    ],
)
def test_variants_of_a_sentence(sentence, event):
    story, _ = read_story(numbered(sentence))
    assert story.events == (event,)


def test_a_full_stop_after_the_number():
    assert read_story("1. Emma entered the hall.\n2. The pear is in the red_box.\n") == read_story(
        numbered("Emma entered the hall.", "The pear is in the red_box.")
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the story is empty: its first line must start with 1"),
        ("Emma entered the hall.", "line 1 must start with its number, as in '1 Emma, Jack and Owen entered"),
        ("1 Emma entered the hall.\n3 Emma exited the hall.", "line 2 must start with its number.*'3 Emma exited"),
        ("1 Emma entered the hall.\n\n2 Emma exited the hall.", "line 2 must start with its number.*''"),
        (
            "1 Emma entered the hall.\n2 Emma sneezed.",
            "line 2 is not a sentence that the reader knows: 'Emma sneezed.'; it knows",
        ),
        ("1 Emma sneezed.", "Emma, Jack and Owen entered the workshop. / .* / Owen dislikes the melon."),
        ("1 Emma, Jack entered the hall.", "line 1 is not a sentence"),
        ("1 Emma made no movements and stayed in the hall for 2 minutes.", "line 1 is not a sentence"),
        ("1 Emma publicly claimed that Jack thinks the pear is in the red_box now.", "line 1 is not a sentence"),
        (
            "1 Emma overheard this unnoticed, and noticed Jack and Jack listening.",
            "line 1 names an agent twice; name each once",
        ),
        ("1 Emma and Emma entered the hall.", "line 1 names an agent twice; name each once: 'Emma and Emma"),
    ],
)
def test_an_unreadable_story_says_where_and_what_would_be_right(text, message):
    with pytest.raises(ReadError, match=message):
        read_story(text)


NAMES = Names(agents=("Emma", "Jack", "Owen"), things=("pear", "peas"))


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Where is the peas really?", Question((), 1)),
        ("Where does Emma really think the pear is?", Question((0,), 0)),
    ],
)
def test_questions(text, question):
    assert read_question(text, NAMES) == question


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Where does Zoe think the pear is?", "the story has no agent 'Zoe'; it has Emma, Jack, Owen: 'Where does Zoe"),
        ("Where is the fig really?", "the story has no thing 'fig'; it has pear, peas"),
        ("Where does Emma think Jack thinks Emma thinks the pear is?", "a question must name each agent once"),
        ("Why is the pear really?", "not a question about a story: 'Why is.*such questions are: Where is the pear"),
        ("Where does Emma thinks the pear is?", "not a question about a story"),
    ],
)
def test_an_unreadable_question_says_what_would_be_right(text, message):
    with pytest.raises(ReadError, match=message):
        read_question(text, NAMES)


def test_a_story_without_things_is_said_to_have_none():
    with pytest.raises(ReadError, match="the story has no thing 'pear'; it has none"):
        read_question("Where is the pear really?", Names())


def test_choices():
    assert read_choices("A. blue_box, B. green_drawer, C. red_treasure_chest") == (
        "blue_box",
        "green_drawer",
        "red_treasure_chest",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"choice 1 must be 'A\. ' and a new container, as in 'A\. red_box': ''"),
        ("A. red_box, C. blue_box", r"choice 2 must be 'B\. ' and a new container.*: 'C\. blue_box'"),
        ("A. red_box, B. red_box", r"choice 2 must be 'B\. '"),
        ("A. red_box B. blue_box", r"choice 1 must be 'A\. '"),
    ],
)
def test_unreadable_choices_say_which(text, message):
    with pytest.raises(ReadError, match=message):
        read_choices(text)
