"""Read replies to Hi-ToM questions as models write them."""

import json

import pytest
from answering import LETTERS, REASONED
from hypothesis import given
from hypothesis import strategies as st
from support import REFERENCE

from builders.answers.containers import read_container
from builders.answers.items import PUBLISHED_KEY
from builders.answers.reading import EMPTY, SEVERAL, SILENT, UNKNOWN, Reading

CHOICES = (
    "green_box red_box blue_treasure_chest red_pantry blue_crate green_bottle red_drawer blue_drawer green_crate "
    "red_crate blue_bottle green_pantry red_bucket blue_bucket green_bucket"
).split()


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("B", "red_box"),
        (" b\n", "red_box"),
        ("(B)", "red_box"),
        ("**B**", "red_box"),
        ("B.", "red_box"),
        ("B. red_box", "red_box"),
        ("I: green_crate", "green_crate"),
        ("Answer: K", "blue_bottle"),
        ("red_box", "red_box"),
        ("Red Box", "red_box"),
        ("the answer is red-box", "red_box"),
        ("The answer is B.\nred_box", "red_box"),
        ("The answer is red\nbox.", "red_box"),
        ("The answer is **red box**.", "red_box"),
        ("ANSWER - B", "red_box"),
        ("### Final Answer\n\n**B. red_box**", "red_box"),
        (r"The final answer is $\boxed{\text{B. red\_box}}$.", "red_box"),
        ('{"answer": "B"}', "red_box"),
        ("<answer>red_box</answer>", "red_box"),
        ("<think>C? no. The answer is A.</think>\n\nB", "red_box"),
        ("Choice B", "red_box"),
        ("C is the correct answer.", "blue_treasure_chest"),
        ("I'd go with B.", "red_box"),
        ("It's B", "red_box"),
        ("A", "green_box"),
        ("The answer is A because it was never moved.", "green_box"),
        ("A careful reader sees that Mila left. The answer is A.", "green_box"),
        ("A careful reader sees that Mila left. She thinks it is in the red_box.", "red_box"),
        ("I think it is in the red_box.", "red_box"),
        ("It is in the red_box, because Owen moved it from the blue_crate.", "red_box"),
        ("Mila thinks that Owen thinks it is in the blue treasure chest.", "blue_treasure_chest"),
        # the answer first, as the prompt asks, and then the explanation
        ("B. red_box\n\nExplanation: Mila left before Owen moved it to the blue_crate.", "red_box"),
        ("Red_box. Mila left before Owen moved it to the blue_crate. Ivy saw it in the green_box.", "red_box"),
        ("G. red_drawer, since Mila left first. The blue_crate and the green_box came later.", "red_drawer"),
        ("B. red_box. Since it is impossible to know what Owen saw, this is all that is left.", "red_box"),
        # the answer last, whatever the prompt asks
        (REASONED + "So the answer is: H. blue_drawer", "blue_drawer"),
        (REASONED + "Therefore, the answer is E: blue_crate. Let me know if you have any questions!", "blue_crate"),
        (REASONED + "So based on this reasoning, my final answer would be:\n\nL. green_pantry", "green_pantry"),
        (
            REASONED + "Based on what Owen saw, the apple is really in:\n\nD. red_pantry\n\nThe key is line 3.",
            "red_pantry",
        ),
        (REASONED + "M: red_bucket", "red_bucket"),
        (
            REASONED + "Therefore, the most likely answer for where Owen thinks the apple is would be option G.",
            "red_drawer",
        ),
        (REASONED + "Owen thinks the apple is in the red drawer (option G).", "red_drawer"),
        (REASONED + "In summary, the answer is that Owen thinks it is in red_drawer (Option G).", "red_drawer"),
        (REASONED + "Therefore Owen thinks that it is in the red_drawer.", "red_drawer"),
        (REASONED + "Therefore Owen thinks that it is in the red_drawer, not in the blue_bucket.", "red_drawer"),
        # a letter and a container that contradict: the container
        ("B. green_box", "green_box"),
        ("The answer is green_box (B)", "green_box"),
        (REASONED + "Therefore, the answer is B: Mila thinks Owen thinks it is in the red_drawer.", "red_drawer"),
        # corrections, choices that are listed or denied
        ("The answer is blue_crate. Wait, Mila left earlier. So the answer is red_box.", "red_box"),
        ("The answer is not B. red_box but E. blue_crate.", "blue_crate"),
        ("My answer would be red_box, not blue_crate.", "red_box"),
        ("B. red_box is wrong. The correct answer is C.", "blue_treasure_chest"),
        ("A. green_box\nB. red_box\nC. blue_treasure_chest\n\nThe answer is C.", "blue_treasure_chest"),
        ("The choices are A. green_box, B. red_box, C. blue_treasure_chest. I choose option B.", "red_box"),
        ("Option A: green_box is impossible. Option B: red_box is where Mila saw it. Answer: B", "red_box"),
        ("We cannot determine where Mila thinks it is. So my best guess would be: D. red_pantry", "red_pantry"),
        ("The answer is B: red_box. None of the other options is possible.", "red_box"),
        # a base model that goes on with another question
        ("B. red_box\n\nStory:\n1 Ivy left.\nQuestion: Where is it?\nAnswer: C", "red_box"),
    ],
)
def test_containers_that_are_named(reply, answer):
    reading = read_container(reply, CHOICES)
    assert reading.choice is not None and CHOICES[reading.choice] == answer, reading


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", EMPTY),
        (" \n ", EMPTY),
        ("None of the above.", UNKNOWN),
        ("E. None of the above", UNKNOWN),
        ("The answer is therefore:\n\nP. None of the above", UNKNOWN),
        ("So the answer is P: <none>", UNKNOWN),
        ("The answer is Q.", UNKNOWN),
        ("B. purple_box", UNKNOWN),
        ("It cannot be determined.", UNKNOWN),
        (REASONED + "Therefore, it cannot be determined where Owen thinks the apple is.", UNKNOWN),
        (REASONED + "So the answer is that there is not enough information.", UNKNOWN),
        ("I'm sorry, but I cannot help with that.", UNKNOWN),
        ("The answer is B or E.", SEVERAL),
        ("The answer is B. red_box or E. blue_crate", SEVERAL),
        ("Either red_box or blue_crate.", SEVERAL),
        ("So the answer is likely: A. green_box, B. red_box, C. blue_treasure_chest", SEVERAL),
        ("The answer is a container that nobody opened.", SILENT),
        ("The answer is not red_box.", SILENT),
        ("Let me think about who left first.", SILENT),
    ],
)
def test_replies_that_name_no_container(reply, why):
    assert read_container(reply, CHOICES) == Reading(None, why, revised=False)


def test_what_is_counted_of_a_reading():
    assert read_container("B. green_box", CHOICES).contradicts
    assert not read_container("B. red_box", CHOICES).contradicts
    assert read_container("The answer is A.\n\nWait. The answer is B.", CHOICES).revised
    assert not read_container("B. red_box\n\nSo the answer is: red box", CHOICES).revised


@given(
    st.sampled_from(range(len(CHOICES))),
    st.sampled_from(
        ["{a}", "{a}.", "({a})", "{a}. {b}", "{a}: {b}", "{a}) {b}", "**{b}**", "The answer is {a}.", "answer: {b}"]
        + ["So the answer is: {a}. {b}", "Therefore, the answer is {b} ({a}).", "I would choose {a}. {b}", "Option {a}"]
        + ["{a}. {b}\n\nThis is where it was seen.", "It is in the {b}.", "The correct answer is:\n\n{a}. {b}"]
    ),
    st.sampled_from(["", REASONED]),
    st.sampled_from(["{b}", "spaces", "capitals"]),
)
def test_any_choice_in_any_form_is_found(place, form, before, way):
    name = CHOICES[place]
    name = {"spaces": name.replace("_", " "), "capitals": name.title()}.get(way, name)
    reply = before + form.format(a=LETTERS[place], b=name)
    assert read_container(reply, CHOICES).choice == place, reply


WORDS = st.sampled_from(
    [*CHOICES, "A", "B", "I", "The answer is", "not", "or", "\n", ". ", ": ", "(", "None", "true", "if"]
)


@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)))
def test_any_text_is_read(text):
    reading = read_container(text, CHOICES)
    assert (reading.choice is None) == bool(reading.why)


def test_a_reply_without_end_is_read():
    assert read_container("The answer is B. " * 2000, CHOICES).choice == 1


# Ours: line numbers of the published responses, from 0, with the letter that was read in them by hand.
HAND = (
    "301O 302O 310F 312- 337F 339F 340G 342F 347G 359B 367B 376F 382N 384N 387E 389E 392A 400K 407N 411D 418G "
    "425A 434L 435L 443F 467L 472- 476B 478B 479B 485K 486D 489K 491G 496A 501G 509N 520I 521G 522H 535A 540B "
    "565F 566- 569F 598C 3K 38F 49G 59C 60K 92B 98B 112J 124O 135L 159B 175C 185K 200F 201G 202G 236D 239D "
    "241B 246L 255B 269G 295C 252K 290I 293I 517- 588- 567- 573- 583- 466- 511- 512- 589- 157A 326N 436O 438O "
    "481N 508O 545K 546K 549M 553C 554K 564M "
).split()


@pytest.mark.skipif(not REFERENCE.is_dir(), reason="needs the published responses in ../shared/reference")
def test_published_replies_as_they_were_read_by_hand():
    def lines(file):
        return [json.loads(line) for line in (REFERENCE / file).read_text(encoding="utf-8").splitlines()]

    key = ("prompting_type", *PUBLISHED_KEY)
    questions = {tuple(row[field] for field in key): row for row in lines("hi_tom_released_half.jsonl")}
    replies = lines("responses_claude_instant_half.jsonl")
    for line in HAND:
        row = replies[int(line[:-1])]
        choice = read_container(row["response"], questions[tuple(row[field] for field in key)]["choices"]).choice
        assert (LETTERS[choice] if choice is not None else "-") == line[-1], line
