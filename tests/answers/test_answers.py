"""Read replies as models write them, score them, and read every message about a file of them that does not fit."""

import json
import math
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import REFERENCE, ROOT, refused

from builders.__main__ import main
from builders.answers import replies as answers_replies
from builders.answers import scores as answers_scores
from builders.answers.containers import read_container
from builders.answers.items import PUBLISHED_KEY, Item, of_problems, of_questions
from builders.answers.labels import read_label
from builders.answers.rates import Bootstrap
from builders.answers.reading import EMPTY, SEVERAL, SILENT, UNKNOWN, Reading
from builders.answers.replies import Reply
from builders.answers.scores import JOINT, quartiles, spelled
from builders.logic.formula import LABELS, SETUPS
from builders.story.config import order_name

DEEP = ("--deep-train", "0", "--deep-validation", "0", "--deep", "6")
CHOICES = (
    "green_box red_box blue_treasure_chest red_pantry blue_crate green_bottle red_drawer blue_drawer green_crate "
    "red_crate blue_bottle green_pantry red_bucket blue_bucket green_bucket"
).split()
LETTERS = "ABCDEFGHIJKLMNO"
REASONED = """Okay, here are my step-by-step thoughts:

1. The apple was in the green_box according to line 2.

2. Mila moved the apple to the red_drawer (line 3) and exited. Owen exited before Mila, so he trusts her.

3. A later agent, Ivy, moved it to the blue_bucket and privately told Owen that it is in the green_pantry.

4. But every agent tends to lie (Assumption 3), so what he was told does not affect his belief.

"""


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
    found = read_container(reply, CHOICES)
    assert found.choice is not None and CHOICES[found.choice] == answer, found


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


words = st.sampled_from(
    [*CHOICES, "A", "B", "I", "The answer is", "not", "or", "\n", ". ", ": ", "(", "None", "true", "if"]
)


@given(st.one_of(st.text(), st.lists(words).map(" ".join)))
def test_any_text_is_read(text):
    for reading in (read_container(text, CHOICES), read_label(text)):
        assert (reading.choice is None) == bool(reading.why)


def test_a_reply_without_end_is_read():
    assert read_container("The answer is B. " * 2000, CHOICES).choice == 1
    assert read_label("the hypothesis is false. " * 2000).choice == 1


@pytest.mark.parametrize(
    ("reply", "follows"),
    [
        ("True", True),
        ("False.", False),
        ("**False**", False),
        ("Entailment", True),
        ("ANSWER: not_entailment", False),
        ("not entailment", False),
        ("Non-entailment", False),
        ("Yes, the hypothesis follows.", True),
        ("No, it does not follow.", False),
        ("The hypothesis is not entailed.", False),
        ("The hypothesis is entailed by the premise.", True),
        ("The premise does not entail the hypothesis.", False),
        ("The hypothesis cannot be inferred from the premise.", False),
        ("The hypothesis holds.", True),
        ("It is false that Mary can now know that Bob is thirsty.", False),
        ("It's not true.", False),
        ("The statement is not false.", True),
        ("Therefore, it is not the case that the hypothesis is true.", False),
        ("Contradiction", False),
        ("neutral", False),
        ("True or False? False", False),
        ("True or False?\nTrue", True),
        ("The relation is entailment or not_entailment? I say entailment.", True),
        ("True. Mary sees Bob.\n\nOn second thought, the hypothesis is false.", False),
        ("If the hypothesis were true, Mary would know. She does not. So the answer is False.", False),
        ("Mary knows that it is true that Bob is thirsty. So the hypothesis is true.", True),
        ("Since Mary does not know whether it is true, the hypothesis does not follow.", False),
        ("So the hypothesis that Mary can now know that nobody is thirsty is not entailed.", False),
        ("True\n\nThere are two persons. Question: Bob can now know it. True or False? False", True),
    ],
)
def test_labels_that_are_named(reply, follows):
    found = read_label(reply)
    assert found.choice is not None and list(LABELS)[found.choice] is follows, found


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", EMPTY),
        ("True or False?", EMPTY),
        ("I cannot determine whether the hypothesis is true.", UNKNOWN),
        ("I'm sorry, I can't help with that.", UNKNOWN),
        ("The answer is True and False.", SEVERAL),
        ("Mary sees Bob.", SILENT),
    ],
)
def test_replies_that_name_no_label(reply, why):
    assert read_label(reply) == Reading(None, why)


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
    asked = {tuple(row[field] for field in key): row for row in lines("hi_tom_released_half.jsonl")}
    replies = lines("responses_claude_instant_half.jsonl")
    for each in HAND:
        row = replies[int(each[:-1])]
        found = read_container(row["response"], asked[tuple(row[field] for field in key)]["choices"]).choice
        assert (LETTERS[found] if found is not None else "-") == each[-1], each


# Scoring.


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Build both datasets once, small; no test may change them."""
    out = tmp_path_factory.mktemp("built")
    small = ("--out", str(out), "--probe", "none", "--train", "0", "--validation", "0")
    assert main(["build", "hi_tom", *small, "--test", "24", "--tomh", "27", "--reproduction", "6", *DEEP]) == 0
    assert main(["build", "mindgames", *small, "--test", "6", "--scale", "1", "--reproduction", "2"]) == 0
    return out


def rows_of(folder, name):
    """Return the test rows of the default config."""
    configs = [order_name(order) for order in range(5)] if name == "hi_tom" else SETUPS
    return [row for config in configs for row in pq.read_table(folder / name / config / "test.parquet").to_pylist()]


def row_id(row):
    return row["id"] if "id" in row else str(row["index"])


def right(row):
    return f"{LETTERS[row['answer_index']]}. {row['answer']}" if "answer" in row else row["label"]


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def answered(folder, name, tmp_path, say=right):
    """Write a file that answers every row."""
    lines = [{"id": row_id(row), "response": say(row)} for row in rows_of(folder, name)]
    return write(tmp_path / "answers.jsonl", lines)


def rates(report):
    """Return every (prompt, table, group, what, rate) of the tables of a report."""
    return [
        (prompt, title, group, what, rate)
        for prompt, score in report["scores"].items()
        for title, table in score["tables"].items()
        for group, of in table.items()
        for what, rate in of.items()
    ]


@pytest.fixture
def scored(run, folder, tmp_path):
    """Score a file; return what was printed, and the report."""

    def scored(name, path, *more):
        report = tmp_path / "report.json"
        got, printed, said = run("score", name, "--out", folder, "--responses", path, "--report", report, *more)
        assert (got, said) == (0, ""), said
        return printed, json.loads(report.read_text())

    return scored


@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_perfect_answers_are_right_everywhere(name, folder, tmp_path, scored):
    printed, report = scored(name, answered(folder, name, tmp_path))
    assert len(rates(report)) > 20
    for _, title, _, what, rate in rates(report):
        assert rate["share"] == rate["low"] == rate["high"] == (what != "unread"), (title, what)
    assert report["scores"]["all"]["read"] == {
        "replies": len(rows_of(folder, name)),
        "unread": {},
        "contradicting": 0,
        "revised": 0,
    }
    assert "| accuracy | 100.0 (100–100) |" in printed and JOINT[name] in printed
    tables = set(report["scores"]["all"]["tables"])
    if name == "hi_tom":
        assert tables == {"all", "order", "length", "deception", "effective order", "claims"}
    else:
        assert tables == {"all", "setup", "agents", "depth"}


@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_shuffled_answers_are_at_chance(name, folder, tmp_path, scored):
    deck = [right(row).partition(".")[0] for row in rows_of(folder, name)]
    random.Random(4).shuffle(deck)
    _, report = scored(name, answered(folder, name, tmp_path, lambda row: deck.pop()))
    rate = report["scores"]["all"]["tables"]["all"]["all"]["accuracy"]
    assert rate["low"] <= (1 / 15 if name == "hi_tom" else 1 / 2) <= rate["high"] < 0.7
    assert 0 < rate["high"] - rate["low"] < 0.25


def test_joint_accuracy_by_hand(folder, tmp_path, scored):
    """One story in which order 2 is wrong: orders 0 and 1 count, 2 to 4 do not, though 3 and 4 are right."""
    rows = rows_of(folder, "hi_tom")
    story = rows[0]["story_id"]
    path = answered(folder, "hi_tom", tmp_path, lambda row: "?" if row["id"] == f"{story}-2" else right(row))
    _, report = scored("hi_tom", path)
    score = report["scores"]["all"]
    table = {order: score["tables"]["order"][order_name(order)] for order in range(5)}
    assert [table[order]["accuracy"]["right"] for order in range(5)] == [24, 24, 23, 24, 24]
    assert [table[order]["joint accuracy"]["right"] for order in range(5)] == [24, 24, 23, 23, 23]
    assert score["read"]["unread"] == {SILENT: 1}
    assert [each["id"] for each in report["unread"]] == [f"{story}-2"]
    assert table[3]["joint accuracy"]["low"] < 23 / 24 < table[3]["joint accuracy"]["high"] == 1


def test_block_accuracy_by_hand(folder, tmp_path, scored):
    rows = rows_of(folder, "mindgames")
    wrong = rows[0]["index"]
    other = {"entailment": "False", "not_entailment": "True"}
    say = lambda row: other[row["label"]] if row["index"] == wrong else right(row)  # noqa: E731
    _, report = scored("mindgames", answered(folder, "mindgames", tmp_path, say))
    table = report["scores"]["all"]["tables"]["setup"][rows[0]["setup"]]
    assert table["accuracy"]["right"] == 23 and table["block accuracy"]["right"] == 20
    assert table["block accuracy"]["rows"] == 24


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_joint_is_at_most_accuracy_and_lines_may_stand_in_any_order(folder, data):
    rows = rows_of(folder, "hi_tom")
    items = of_questions(rows)
    chosen = data.draw(st.lists(st.booleans(), min_size=len(items), max_size=len(items)))
    replies = [
        Reply("", None, item.id, LETTERS[item.answer] if good else "none of the above")
        for item, good in zip(items, chosen, strict=True)
    ]
    found = []
    for lines in (replies, data.draw(st.permutations(replies))):
        texts, asked, faults = answers_replies.matched(Path("answers.jsonl"), items, lines)
        assert not faults
        scores = answers_scores.score("hi_tom", asked, texts)
        found.append(spelled(scores))
    assert found[0] == found[1]
    for table in scores["all"].tables.values():
        for rates in table.values():
            assert rates["joint accuracy"].share <= rates["accuracy"].share
            for rate in rates.values():
                assert 0 <= rate.low <= rate.high <= 1


def test_the_same_file_gives_the_same_bytes(folder, tmp_path, run):
    path = answered(folder, "hi_tom", tmp_path, lambda row: "B")
    for turn in "12":
        to = ("--report", tmp_path / f"{turn}.json", "--pictures", tmp_path / turn)
        assert run("score", "hi_tom", "--out", folder, "--responses", path, *to)[0] == 0
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
    kinds = ("joint", "claims", "ends", "same", "own")
    assert sorted(os.listdir(tmp_path / "1")) == sorted(f"hi_tom_score_{kind}.png" for kind in kinds)
    for file in os.listdir(tmp_path / "1"):
        assert (tmp_path / "1" / file).read_bytes() == (tmp_path / "2" / file).read_bytes()


def test_analyses_by_hand(folder, tmp_path, scored):
    """Who always gives the first-order answer: it is right where that is the answer, and only there."""
    rows = rows_of(folder, "hi_tom")
    first = {row["story_id"]: row["answer"] for row in rows if row["order"] == 1}
    printed, report = scored("hi_tom", answered(folder, "hi_tom", tmp_path, lambda row: first[row["story_id"]]))
    analyses = report["scores"]["all"]["analyses"]
    for order in (2, 3, 4):
        same = analyses["accuracy where the answer is that of order 1"][order_name(order)]
        own = analyses["answers that are those of order 1"][order_name(order)]
        equal = sum(row["answer"] == first[row["story_id"]] for row in rows if row["order"] == order)
        assert own["own answer as own of order 1"]["share"] == 1
        assert own["right answer as right of order 1"]["right"] == equal
        assert same.get("answer as of order 1", {"share": 1})["share"] == 1
        assert same["another answer"]["share"] == 0
    joint = analyses["joint accuracy by length and order, no deception"]
    assert set(joint) == {"length 1", "length 2", "length 3"} and len(joint["length 1"]) == 5
    ends = report["scores"]["all"]["ends"]
    longest = [row for row in rows if row["story_length"] == 3]
    for place, title in ((min, "first container, length 3"), (max, "last container, length 3")):
        named = {}
        for row in longest:
            at = [(found.start(), found[0]) for found in re.finditer(r"[a-z]+(?:_[a-z]+)+", row["story"])]
            named[row["id"]] = place((where, word) for where, word in at if word in row["choices"])[1]
        there = [row for row in longest if named[row["id"]] == row["answer"]]
        assert sum(ends[title][0]) == len(there)
        assert ends[title][0][0] == sum(row["answer"] == first[row["story_id"]] for row in there)
        assert sum(map(sum, ends[title])) == len(longest)
    assert "last container, length 3: right and wrong answers" in printed


def test_joint_accuracy_is_not_defined_without_the_lower_orders(folder, tmp_path, scored):
    lines = [{"id": row_id(row), "response": right(row)} for row in rows_of(folder, "hi_tom") if row["order"] == 2]
    printed, report = scored("hi_tom", write(tmp_path / "a.jsonl", lines), "--config", "2nd_order")
    assert not any(what == "joint accuracy" for *_, what, _ in rates(report))
    assert "joint and block accuracy are not defined here" in printed
    rows = [row for row in rows_of(folder, "hi_tom") if row["order"] in (0, 1, 2)][:-1]
    lines = [{"id": row_id(row), "response": right(row)} for row in rows if row["order"] != 1 or row is rows[24]]
    printed, report = scored("hi_tom", write(tmp_path / "a.jsonl", lines), "--partial")
    table = report["scores"]["all"]["tables"]["order"]
    assert table["1st_order"]["joint accuracy"]["rows"] == 1 and table["2nd_order"]["joint accuracy"]["rows"] == 1
    assert "of 1 |" in printed and "left out: 72 of 120 ids are missing" in printed
    assert report["left_out"] and table["2nd_order"]["accuracy"]["rows"] == 23


def test_prompts_are_scored_apart_and_compared(folder, tmp_path, scored):
    rows = rows_of(folder, "mindgames")
    lines = [
        {"index": row["index"], "prompt": prompt, "response": say}
        for row in rows
        for prompt, say in (("five-shot", right(row)), ("zero-shot", "False"))
    ]
    path = write(tmp_path / "answers.jsonl", lines)
    printed, report = scored("mindgames", path)
    assert list(report["scores"]) == ["prompts", "five-shot", "zero-shot"]
    table = report["scores"]["prompts"]["tables"]["prompt"]
    assert [table[prompt]["accuracy"]["share"] for prompt in ("five-shot", "zero-shot", "all")] == [1, 0.5, 0.75]
    assert table["zero-shot"]["accuracy"]["low"] == table["zero-shot"]["accuracy"]["high"] == 0.5  # blocks are balanced
    assert "# zero-shot" in printed
    _, report = scored("mindgames", path, "--prompt", "zero-shot")
    assert list(report["scores"]) == ["zero-shot"]
    path = answered(folder, "mindgames", tmp_path)
    _, report = scored("mindgames", path, "--prompt", "mine")
    assert list(report["scores"]) == ["mine"]


def test_difficulty_is_cut_into_quarters():
    quarter = quartiles([None, 0.0, 0.1, 0.2, 0.3, 0.4, None])
    found = [quarter(value) for value in (0.0, 0.1, 0.15, 0.2, 0.25, 0.4, None)]
    assert found == ["quarter 1: 0.00 to 0.10"] * 2 + ["quarter 2: 0.10 to 0.20"] * 2 + [
        "quarter 3: 0.20 to 0.30",
        "quarter 4: 0.30 to 0.40",
        None,
    ]
    assert quartiles([None] * 9 + [0.5]) is None
    rows = [dict(index=at, block=None, setup="internal", label="entailment", difficulty=at / 8) for at in range(8)]
    items = of_problems(rows)
    replies = [Reply("", None, str(at), str(at < 2)) for at in range(8)]
    texts, asked, _ = answers_replies.matched(Path("a"), items, replies)
    tables = answers_scores.score("mindgames", asked, texts)["all"].tables
    shares = [rates["accuracy"].share for rates in tables["difficulty"].values()]
    assert (
        shares == [1, 0, 0, 0]
        and "block accuracy" not in tables["all"]["all"]
        and set(tables)
        == {
            "all",
            "setup",
            "difficulty",
        }
    )


def test_intervals_are_those_of_stories():
    """Ten stories, each all right or all wrong: as uncertain as ten coins, not as fifty."""
    items = [
        Item(f"{story}-{at}", None, str(story), ("a", "b"), 0, at, None, {"order": "x"})
        for story in range(10)
        for at in range(5)
    ]
    drawn = Bootstrap("hi_tom", [item.unit for item in items])
    rate = drawn.rate([(item, int(item.unit) % 2 == 0) for item in items])
    assert rate.share == 0.5 and rate.interval() == (rate.low, rate.high)
    wide = 2 * 1.96 * math.sqrt(0.25 / 10)
    assert rate.high - rate.low == pytest.approx(wide, abs=0.1)


# The published shape.


@pytest.fixture(scope="module")
def published(folder, tmp_path_factory):
    """Write our own rows in the published shape, once under each prompting type, with replies; return the files."""
    top = tmp_path_factory.mktemp("published")
    rows = pq.read_table(folder / "hi_tom" / "reproduction" / "test.parquet").to_pylist()
    number = {story: at for at, story in enumerate(dict.fromkeys(row["story_id"] for row in rows), 1)}
    data, replies = [], []
    for prompt in ("VP", "CoTP"):
        for row in rows:
            key = dict(prompting_type=prompt, deception=row["deception"], story_length=row["story_length"])
            key |= dict(sample=number[row["story_id"]], question_order=row["order"])
            data.append(key | {field: row[field] for field in ("story", "question", "choices", "answer")})
            say = right(row) if prompt == "VP" else f"{REASONED}So the answer is: {right(row) if row['order'] else 'Q'}"
            replies.append(key | {"response": say})
    problems = pq.read_table(folder / "mindgames" / "reproduction" / "test.parquet").to_pylist()
    labels = [{"index": row["index"], "response": row["label"]} for row in problems]
    return (
        write(top / "data.jsonl", data),
        write(top / "replies.jsonl", replies),
        write(top / "problems.jsonl", problems),
        write(top / "labels.jsonl", labels),
    )


def test_published_data(published, run, tmp_path):
    data, replies, problems, labels = published
    to = ("--report", tmp_path / "r.json", "--pictures", tmp_path / "pictures")
    assert run("score", "hi_tom", "--data", data, "--responses", replies, *to)[0] == 0
    report = json.loads((tmp_path / "r.json").read_text())
    assert list(report["scores"]) == ["prompts", "VP", "CoTP"] and report["left_out"] == []
    table = report["scores"]["prompts"]["tables"]["prompt"]
    assert table["VP"]["accuracy"]["share"] == 1 and table["CoTP"]["accuracy"]["share"] == 0.8
    assert table["CoTP"]["joint accuracy"]["share"] == 0
    assert report["scores"]["CoTP"]["read"]["unread"] == {UNKNOWN: 6}
    assert "claims" in report["scores"]["VP"]["tables"]
    assert len(os.listdir(tmp_path / "pictures")) == 5
    assert run("score", "mindgames", "--data", problems, "--responses", labels, "--report", tmp_path / "r.json")[0] == 0
    report = json.loads((tmp_path / "r.json").read_text())
    for *_, what, rate in rates(report):
        assert what != "block accuracy" and rate["share"] == (what == "accuracy")


@pytest.mark.skipif(not REFERENCE.is_dir(), reason="needs the published data in ../shared/reference")
def test_the_published_validation_split(run, tmp_path):
    data = REFERENCE / "mindgames_validation.jsonl.gz"
    path = write(tmp_path / "a.jsonl", [{"id": 13728, "response": "False"}])
    got, printed, _ = run("score", "mindgames", "--data", data, "--responses", path, "--partial")
    assert got == 0 and "3,724 of 3,725 ids are missing" in printed


# What does not fit.


def test_ids_that_do_not_fit(folder, tmp_path, run):
    lines = [{"id": row_id(row), "response": right(row)} for row in rows_of(folder, "hi_tom")]
    strange = [{"id": "mine", "response": "A"}, {"id": "yours", "response": "B"}]
    path = write(tmp_path / "answers.jsonl", lines[3:] + strange + lines[5:6])
    asking = (
        "score",
        "hi_tom",
        "--out",
        folder,
        "--responses",
        path,
        "--report",
        tmp_path / "r",
        "--pictures",
        tmp_path / "p",
    )
    refused(
        run(*asking),
        "2 ids that nothing asked here has (first: 'mine')",
        f"1 ids that occur again (first: '{lines[5]['id']}')",
        f"3 of 120 ids are missing (first: '{lines[0]['id']}')",
        "--partial scores the rest",
    )
    assert os.listdir(tmp_path) == ["answers.jsonl"]
    got, printed, said = run(*asking, "--partial")
    assert (got, said) == (0, "") and "left out: 2 ids that nothing asked here has" in printed
    assert len(json.loads((tmp_path / "r").read_text())["left_out"]) == 3


def test_missing_ids_are_those_of_each_prompt(folder, tmp_path, run):
    lines = [{"id": row_id(row), "response": right(row), "prompt": "vp"} for row in rows_of(folder, "hi_tom")]
    path = write(tmp_path / "answers.jsonl", [*lines, {**lines[0], "prompt": "cotp"}])
    said = f"119 of 240 ids are missing (first: '{lines[1]['id']}' of cotp)"
    refused(run("score", "hi_tom", "--out", folder, "--responses", path), said)


@pytest.mark.parametrize("partial", [(), ("--partial",)])
def test_answers_to_another_dataset(folder, tmp_path, run, partial):
    path = answered(folder, "mindgames", tmp_path)
    result = run("score", "hi_tom", "--out", folder, "--responses", path, *partial)
    refused(
        result, "none of its 96 ids is asked here (first: '", "are they answers to another dataset, config or split?"
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ["no responses, the file is empty; expected id and response on each line"]),
        (b"\n \n", ["no responses"]),
        ('{"id": "a", "response": "é"}'.encode("latin-1"), ["it is not UTF-8 text (byte 25)"]),
        (b'{"id": "a", "response": "b"', ["line 1: not JSON"]),
        (b"[" * 100_000, ["line 1: not JSON"]),
        (b'{"id": "a"}', ["line 1: expected an object with id and response, a text"]),
        (b'{"response": "a"}', ["line 1: expected an object with id and response"]),
        (b'{"id": "a", "response": 3}', ["line 1: expected an object with id and response, a text"]),
        (b'["a"]', ["line 1: expected an object"]),
        (b'{"id": "a", "response": "b", "prompt": 3}', ["line 1: its prompt is 3; expected a name"]),
    ],
)
def test_files_that_cannot_be_read(folder, tmp_path, run, content, words):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)
    result = run("score", "hi_tom", "--out", folder, "--responses", path, "--report", tmp_path / "r.json", "--partial")
    refused(result, "answers.jsonl", *words)
    assert os.listdir(tmp_path) == ["answers.jsonl"]


def test_other_things_that_a_user_can_get_wrong(folder, tmp_path, run, published):
    path = answered(folder, "hi_tom", tmp_path)
    asking = ("score", "hi_tom", "--out", folder, "--responses", path)
    refused(run(*asking, "--config", "5th_order"), "unknown config '5th_order'; ", "all, 0th_order, 1st_order")
    refused(run(*asking, "--split", "train"), "all has no split 'train'; it has test")
    refused(run("score", "hi_tom", "--responses", path, "--out", tmp_path), "run make build first")
    refused(run(*asking[:-1], tmp_path / "no.jsonl"), "no.jsonl: No such file or directory")
    refused(run(*asking[:-1], tmp_path), "Is a directory")
    refused(run("score", "hi_tom"), "the following arguments are required: --responses", code=2)
    said = [{"id": "a", "response": "b", "prompt": "vp"}]
    one = write(tmp_path / "one.jsonl", said)
    refused(run(*asking[:-1], one, "--prompt", "cotp"), "no responses of cotp, only of vp")
    data, replies, problems, labels = published
    refused(run(*asking, "--data", data, "--config", "all"), "leave out --config and --split")
    refused(run(*asking, "--data", data), "with prompting_type, deception, story_length, sample, question_order")
    refused(
        run("score", "hi_tom", "--data", problems, "--responses", replies), "problems.jsonl, line 1: expected an object"
    )
    refused(run("score", "mindgames", "--data", data, "--responses", labels), "data.jsonl, line 1: expected an object")
    rows = [json.loads(line) for line in data.read_text().splitlines()]
    twice = write(tmp_path / "twice.jsonl", rows[:2] * 2)
    refused(run("score", "hi_tom", "--data", twice, "--responses", replies), "line 3: ", "stands more than once")
    less = write(tmp_path / "less.jsonl", [{key: row[key] for key in row if key != "sample"} for row in rows])
    refused(run("score", "hi_tom", "--data", less, "--responses", replies), "line 1: it has no sample")


def test_nothing_half_written_is_left(folder, tmp_path, run, monkeypatch):
    path = answered(folder, "hi_tom", tmp_path)
    (tmp_path / "file").write_text("")
    result = run("score", "hi_tom", "--out", folder, "--responses", path, "--report", tmp_path / "file" / "r.json")
    assert result[0] == 1 and "nothing half-written was left" in result[2]
    replace, done = os.replace, []

    def once(source, to):
        if done:
            raise OSError(28, "No space left on device")
        done.append(to)
        replace(source, to)

    monkeypatch.setattr(os, "replace", once)
    got, _, said = run("score", "hi_tom", "--out", folder, "--responses", path, "--pictures", tmp_path / "p")
    assert got == 1 and "No space left on device" in said
    assert [Path(file).name for file in os.listdir(tmp_path / "p")] == [done[0].name]


def test_a_reply_that_is_no_text_is_empty_and_odd_characters_are_shown(folder, tmp_path, scored):
    lines = [{"id": row_id(row), "response": right(row)} for row in rows_of(folder, "hi_tom")]
    lines[0]["response"], lines[1]["response"] = None, "\ud800 ?"
    printed, report = scored("hi_tom", write(tmp_path / "answers.jsonl", lines))
    assert report["scores"]["all"]["read"]["unread"] == {EMPTY: 1, SILENT: 1}
    assert "2 of 120 replies are unread, and scored wrong: 1 empty, 1 names no choice" in printed
    assert "\\ud800 ?" in printed


MODEL = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert "Think step-by-step" in asked["prompt"]
    print(json.dumps({"id": asked["id"], "response": "So the answer is B."}))
"""
"""A model that always says B."""


def test_the_lines_of_the_page(tmp_path):
    """From nothing to a table, with a model of ours and a small build."""
    root = ROOT
    page = (root / "docs" / "evaluation.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^## 1\. .*?^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    install, build, *lines = block.splitlines()
    assert install == "pip install ." and len(lines) == 3
    (tmp_path / "model.py").write_text(MODEL)
    sizes = f"--probe none --train 0 --validation 0 --test 30 --tomh 27 --reproduction 3 {' '.join(DEEP)}"
    for line in (f"{build} {sizes}", *lines):
        command = re.sub(r"^python\b", sys.executable, line.replace("your-model", f"{sys.executable} model.py"))
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    assert "joint" in done.stdout and "report: report.json" in done.stdout
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["scores"] and report["unread"] == []
    assert len(list((tmp_path / "pictures").glob("hi_tom_score_*.png"))) >= 4
