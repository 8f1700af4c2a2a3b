"""Read replies to both datasets as models write them, and pay those that keep the contract: all of replies.jsonl."""

import hashlib
import json
import time
from pathlib import Path

import pytest
from answering import CHOICES, LETTERS, REASONED, read_container, read_label
from hypothesis import given, settings
from hypothesis import strategies as st
from support import REFERENCE

from tom_datasets.answers.items import PUBLISHED_KEY
from tom_datasets.answers.reading import EMPTY, SEVERAL, SILENT, UNFINISHED, UNKNOWN, Reading
from tom_datasets.answers.rewards import reward
from tom_datasets.answers.scores import read_reply
from tom_datasets.syntax.formula import LABELS

KINDS = {
    "hi_tom": (CHOICES, read_container, {"choices": CHOICES}, "answer"),
    "mindgames": (list(LABELS.values()), read_label, {}, "label"),
}
"""Of each kind of row its choices, the reader of replies to it, a row, and its column of what is right."""
LINES = [
    json.loads(line) for line in (Path(__file__).parent / "replies.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line["reply"][:40])
def test_replies_are_read_and_paid_as_the_file_says(line):
    """A line has `means`: the choice that is named, why none is, or null where nobody can say; and what it `pays`.

    A reply is paid for what it pays and for nothing else, whatever is right.
    """
    choices, read, row, right = KINDS[line["row"]]
    reading = read(line["reply"])
    if line["means"] is not None:
        assert line["means"] == (reading.why or choices[reading.choice])
    paid = {choice: reward(line["reply"], {**row, right: choice}) for choice in choices}
    assert paid == {choice: float(choice == line.get("pays")) for choice in choices}


def test_the_file_has_every_kind_of_line():
    assert {line["means"] for line in LINES} >= {EMPTY, UNKNOWN, SEVERAL, SILENT, UNFINISHED, None, *LABELS.values()}
    assert all(set(line) <= {"row", "reply", "means", "pays"} for line in LINES)


def test_what_is_counted_of_a_reading():
    assert read_container("B. green_box").contradicts
    assert not read_container("B. red_box").contradicts
    assert read_container("The answer is A.\n\nWait. The answer is B.").revised
    for reply in ("B. red_box\n\nSo the answer is: red box", "A: B"):
        assert read_container(reply) == Reading(1)


@given(
    st.sampled_from(range(len(CHOICES))),
    st.sampled_from(
        ["{a}", "{a}.", "({a})", "{a}. {b}", "{a}: {b}", "{a}) {b}", "**{b}**", "The answer is {a}.", "answer: {b}"]
        + ["So the answer is: {a}. {b}", "Therefore, the answer is {b} ({a}).", "I would choose {a}. {b}", "Option {a}"]
        + ["{a}. {b}\n\nThis is where it was seen.", "It is in the {b}.", "The correct answer is:\n\n{a}. {b}"]
        + ["Thus \\boxed{{{a}}}.", "Therefore {a}.", "[[{a}]]", "Sure! {a}", "A: {a}", "<thinking>B</thinking>{a}</s>"]
    ),
    st.sampled_from(["", REASONED]),
    st.sampled_from(["{b}", "spaces", "capitals"]),
)
def test_any_choice_in_any_form_is_found(place, form, before, way):
    name = CHOICES[place]
    name = {"spaces": name.replace("_", " "), "capitals": name.title()}.get(way, name)
    reply = before + form.format(a=LETTERS[place], b=name)
    assert read_container(reply).choice == place, reply


WORDS = st.sampled_from(
    [*CHOICES, "A", "B", "I", "The answer is", "the hypothesis", "not", "or", "\n", ". ", ": ", "(", "None", "true"]
    + ["false", "if", "F", "</think>", "<think>", "sorry,", "\\boxed{"]
)


@settings(deadline=None)
@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)))
def test_any_text_is_read_and_little_is_paid(text):
    for choices, read, row, right in KINDS.values():
        reading = read(text)
        assert (reading.choice is None) == bool(reading.why)
        paid = sum(reward(text, {**row, right: choice}) for choice in choices)
        last = ([line for line in text.split("\n") if line.strip()] or [""])[-1].strip()
        assert paid <= last.startswith("Answer: ")


SHAPES = ("_", "\n", "answer ", "B or ", "knows that it is true ", "\\boxed{B} ")
"""Replies without an end: what a model that is stuck repeats."""


@pytest.mark.parametrize("least", [5_000, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_linear_in_the_length_of_a_reply(shape, least):
    """Four times the length takes about four times as long, where a square would take sixteen times."""
    row = KINDS["hi_tom"][2] | {"answer": CHOICES[0]}
    for read in (KINDS["hi_tom"][1], read_label, lambda reply: reward(reply * 40, row)):
        short, long = (shape * (length // len(shape)) for length in (least, 4 * least))
        most = 9 * min(time_of(read, short) for _ in range(3)) + 0.01 * least / 20_000
        assert any(time_of(read, long) < most for _ in range(3))


def time_of(read, reply):
    """Return the processor time of one run."""
    start = time.process_time()
    read(reply)
    return time.process_time() - start


def test_a_reply_without_an_end_is_read():
    assert read_container("The answer is B. " * 2000).choice == 1
    assert read_container("B. red_box\n\n" + "Question: Where? C\n\n" * 10_000).choice == 1
    assert read_label("the hypothesis is false. " * 2000).choice == 1


# Ours: line numbers of the published responses, from 0, with the letter that was read in them by hand.
HAND = (
    "301O 302O 310F 312- 337F 339F 340G 342F 347G 359B 367B 376F 382N 384N 387E 389E 392A 400K 407N 411D 418G "
    "425A 434L 435L 443F 467L 472- 476B 478B 479B 485K 486D 489K 491G 496A 501G 509N 520I 521G 522H 535A 540B "
    "565F 566- 569F 598C 3K 38F 49G 59C 60K 92B 98B 112J 124O 135L 159B 175C 185K 200F 201G 202G 236D 239D "
    "241B 246L 255B 269G 295C 252K 290I 293I 517- 588- 567- 573- 583- 466- 511- 512- 589- 157A 326N 436O 438O "
    "481N 508O 545K 546K 549M 553C 554K 564M "
).split()


@pytest.mark.skipif(not REFERENCE.is_dir(), reason="needs the published responses in ../shared/reference")
def test_published_replies_as_they_were_read_by_hand_and_as_ever():
    def lines(file):
        return [json.loads(line) for line in (REFERENCE / file).read_text(encoding="utf-8").splitlines()]

    key = ("prompting_type", *PUBLISHED_KEY)
    questions = {tuple(row[field] for field in key): row for row in lines("hi_tom_released_half.jsonl")}
    replies = lines("responses_claude_instant_half.jsonl")
    read = ""
    for row in replies:
        choices = questions[tuple(row[field] for field in key)]["choices"]
        choice = read_reply("hi_tom", row["response"], choices).choice
        read += LETTERS[choice] if choice is not None else "-"
    assert {line: read[int(line[:-1])] for line in HAND} == {line: line[-1] for line in HAND}
    assert (len(read), read.count("-")) == (600, 20)
    assert hashlib.sha256(read.encode()).hexdigest()[:16] == "b409496d77f40b86", "as ever"
