"""Score replies whose rates are known by hand, under one prompt and under several."""

import json
import math
import os
import random
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from answering import LETTERS, right_reply, row_id, write_lines, wrong_reply
from hypothesis import given, settings
from hypothesis import strategies as st
from support import REFERENCE, refused

from tom_datasets.answers.items import Item, problem_items, question_items
from tom_datasets.answers.rates import Bootstrap, render
from tom_datasets.answers.reading import SILENT, UNKNOWN
from tom_datasets.answers.replies import Reply, match_replies
from tom_datasets.answers.reports import scores_as_json
from tom_datasets.answers.scores import JOINT, UNDISPUTED, quartiles, score
from tom_datasets.story.config import order_name


def rates(report):
    """Return every (prompt, table, group, what, rate) of the tables of a report."""
    return [
        (prompt, title, group, what, rate)
        for prompt, score in report["scores"].items()
        for title, table in score["tables"].items()
        for group, of in table.items()
        for what, rate in of.items()
    ]


@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_perfect_answers_are_right_everywhere(rows_of, answered, scored, name):
    printed, report = scored(name, answered(name))
    assert len(rates(report)) > 20
    for _, title, _, what, rate in rates(report):
        assert rate["share"] == (what != "unread"), (title, what)
        assert rate["low" if what == "unread" else "high"] == rate["share"] and rate["low"] < rate["high"]
    assert report["scores"]["all"]["read"] == {
        "replies": len(rows_of(name)),
        "unread": {},
        "contradicting": 0,
        "revised": 0,
    }
    assert "| accuracy | 100.0 (86–100) |" in printed and JOINT[name] in printed
    tables = set(report["scores"]["all"]["tables"])
    if name == "hi_tom":
        assert tables == {"all", "order", "length", "deception", "effective order", "claims"}
    else:
        assert tables == {"all", "setup", "agents", "depth"}


@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_shuffled_answers_are_at_chance(rows_of, answered, scored, name):
    deck = [right_reply(row).partition(".")[0] for row in rows_of(name)]
    random.Random(4).shuffle(deck)
    _, report = scored(name, answered(name, lambda row: deck.pop()))
    rate = report["scores"]["all"]["tables"]["all"]["all"]["accuracy"]
    assert rate["low"] <= (1 / 15 if name == "hi_tom" else 1 / 2) <= rate["high"] < 0.7
    assert 0 < rate["high"] - rate["low"] < 0.25


def test_joint_accuracy_by_hand(rows_of, answered, scored):
    """One story in which order 2 is wrong: orders 0 and 1 count, 2 to 4 do not, though 3 and 4 are right."""
    rows = rows_of("hi_tom")
    story = rows[0]["story_id"]
    path = answered("hi_tom", lambda row: "?" if row["id"] == f"{story}-2" else right_reply(row))
    _, report = scored("hi_tom", path)
    known = report["scores"]["all"]
    table = {order: known["tables"]["order"][order_name(order)] for order in range(5)}
    assert [table[order]["accuracy"]["right"] for order in range(5)] == [24, 24, 23, 24, 24]
    assert [table[order]["joint accuracy"]["right"] for order in range(5)] == [24, 24, 23, 23, 23]
    assert known["read"]["unread"] == {SILENT: 1}
    assert [reply["id"] for reply in report["unread"]] == [f"{story}-2"]
    assert table[3]["joint accuracy"]["low"] < 23 / 24 < table[3]["joint accuracy"]["high"] == 1


def test_accuracy_on_the_undisputed_by_hand(rows_of):
    """Every third row is called disputed, and these are all missed, as is the second row."""
    rows = [{**row, "undisputed": place % 3 > 0} for place, row in enumerate(rows_of("hi_tom"))]
    right = {row["id"]: row["undisputed"] and place != 1 for place, row in enumerate(rows)}
    items = {(None, item.id): item for item in question_items(rows)}
    texts = {key: LETTERS[item.answer] if right[item.id] else "?" for key, item in items.items()}
    tables = score("hi_tom", items, texts)["all"].tables
    (rates,) = tables["all"].values()
    assert (rates["accuracy"].right, rates["accuracy"].total) == (79, 120)
    assert (rates[UNDISPUTED].right, rates[UNDISPUTED].total) == (79, 80)
    assert f"\n| {UNDISPUTED} | 98.8 (96–100) of 80 |\n" in render(tables["all"])
    assert [tables["order"][order_name(order)][UNDISPUTED].total for order in range(5)] == [16] * 5


def test_where_all_rows_are_undisputed_both_accuracies_are_the_same(answered, scored):
    _, report = scored("hi_tom", answered("hi_tom"))
    for table in report["scores"]["all"]["tables"].values():
        assert all(rates[UNDISPUTED] == rates["accuracy"] for rates in table.values())


def test_data_that_say_nothing_of_readings_have_no_such_accuracy(rows_of, published, run, tmp_path):
    data, replies, *_ = published
    report = tmp_path / "report.json"
    code, printed, _ = run("score", "hi_tom", "--data", data, "--responses", replies, "--report", report)
    assert code == 0 and UNDISPUTED not in printed + report.read_text()
    items = question_items([{**row, "undisputed": value} for row in rows_of("hi_tom")[:1] for value in (True, "yes")])
    assert [item.undisputed for item in items] == [True, None]


def test_the_ladder_is_scored_by_rung(folder, scored, tmp_path):
    rows = pq.read_table(folder / "hi_tom" / "ladder" / "test.parquet").to_pylist()
    lines = [{"id": row["id"], "response": right_reply(row) if row["rung"] < 3 else "?"} for row in rows]
    path = write_lines(tmp_path / "answers.jsonl", lines)
    printed, report = scored("hi_tom", path, "--config", "ladder", "--pictures", tmp_path / "drawn")
    table = report["scores"]["all"]["tables"]["rung"]
    assert [table[f"rung {rung}"]["accuracy"]["share"] for rung in range(1, 7)] == [1, 1, 0, 0, 0, 0]
    assert "\nrung:\n" in printed and "hi_tom_score_rungs.png" in os.listdir(tmp_path / "drawn")


def test_block_accuracy_by_hand(rows_of, answered, scored):
    rows = rows_of("mindgames")
    wrong = rows[0]["index"]
    other = {"entailment": "False", "not_entailment": "True"}
    path = answered("mindgames", lambda row: other[row["label"]] if row["index"] == wrong else right_reply(row))
    _, report = scored("mindgames", path)
    table = report["scores"]["all"]["tables"]["setup"][rows[0]["setup"]]
    assert table["accuracy"]["right"] == 23 and table["block accuracy"]["right"] == 20
    assert table["block accuracy"]["rows"] == 24


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_joint_is_at_most_accuracy_and_lines_may_stand_in_any_order(rows_of, data):
    rows = rows_of("hi_tom")
    items = question_items(rows)
    chosen = data.draw(st.lists(st.booleans(), min_size=len(items), max_size=len(items)))
    replies = [
        Reply("", None, item.id, LETTERS[item.answer] if good else "none of the above")
        for item, good in zip(items, chosen, strict=True)
    ]
    reports = []
    for lines in (replies, data.draw(st.permutations(replies))):
        texts, items_by_key, faults = match_replies(Path("answers.jsonl"), items, lines)
        assert not faults
        scores = score("hi_tom", items_by_key, texts)
        reports.append(scores_as_json(scores))
    assert reports[0] == reports[1]
    for table in scores["all"].tables.values():
        for rates in table.values():
            assert rates["joint accuracy"].share <= rates["accuracy"].share
            for rate in rates.values():
                assert 0 <= rate.low <= rate.high <= 1


def test_the_same_file_gives_the_same_bytes(folder, answered, run, tmp_path):
    path = answered("hi_tom", lambda row: "B")
    for turn in "12":
        to = ("--report", tmp_path / f"{turn}.json", "--pictures", tmp_path / turn)
        assert run("score", "hi_tom", "--out", folder, "--responses", path, *to)[0] == 0
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
    kinds = ("joint", "claims", "ends", "same", "own")
    assert sorted(os.listdir(tmp_path / "1")) == sorted(f"hi_tom_score_{kind}.png" for kind in kinds)
    for file in os.listdir(tmp_path / "1"):
        assert (tmp_path / "1" / file).read_bytes() == (tmp_path / "2" / file).read_bytes()


def test_analyses_by_hand(rows_of, answered, scored):
    """Who always gives the first-order answer: it is right where that is the answer, and only there."""
    rows = rows_of("hi_tom")
    first = {row["story_id"]: row["answer"] for row in rows if row["order"] == 1}
    printed, report = scored("hi_tom", answered("hi_tom", lambda row: first[row["story_id"]]))
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


def test_joint_accuracy_is_not_defined_without_the_lower_orders(rows_of, scored, tmp_path):
    lines = [{"id": row_id(row), "response": right_reply(row)} for row in rows_of("hi_tom") if row["order"] == 2]
    printed, report = scored("hi_tom", write_lines(tmp_path / "a.jsonl", lines), "--config", "2nd_order")
    assert not any(what == "joint accuracy" for *_, what, _ in rates(report))
    assert "joint and block accuracy are not defined here" in printed


@pytest.mark.parametrize(("name", "whole", "size"), [("hi_tom", 24, 5), ("mindgames", 24, 4)])
def test_a_part_is_scored_by_whole_stories_and_blocks(rows_of, folder, run, scored, tmp_path, name, whole, size):
    """The replies beside a missing one are left out; where none is left, the command says what to print."""
    rows = rows_of(name)
    lines = [{"id": row_id(row), "response": right_reply(row)} for row in rows]
    printed, report = scored(name, write_lines(tmp_path / "a.jsonl", lines[1:]), "--partial")
    assert f"left out: 1 of {whole * size} ids are missing" in printed
    assert f"left out: {size - 1} responses stand beside missing ones of their story or block" in printed
    (joint,) = (
        rate for metric, rate in report["scores"]["all"]["tables"]["all"]["all"].items() if metric in JOINT.values()
    )
    assert joint["rows"] == report["scores"]["all"]["read"]["replies"] == (whole - 1) * size
    unit = "story_id" if name == "hi_tom" else "block"
    last = {row[unit]: row_id(row) for row in rows}.values()
    path = write_lines(tmp_path / "a.jsonl", [line for line in lines if line["id"] not in last])
    refused(
        run("score", name, "--out", folder, "--responses", path, "--partial"),
        f"{whole * (size - 1)} responses stand beside missing ones of their story or block (first: ",
        "; score whole stories or blocks, as prompts --limit prints them",
    )


@pytest.mark.parametrize("name", ["hi_tom", "mindgames"])
def test_each_row_is_written_as_it_was_read(rows_of, folder, run, tmp_path, name):
    rows = rows_of(name)
    replies = [right_reply(rows[0]), wrong_reply(rows[1]), "I do not know."] + list(map(right_reply, rows[3:]))
    lines = [{"id": row_id(row), "response": reply} for row, reply in zip(rows, replies, strict=True)]
    path, written = write_lines(tmp_path / "a.jsonl", lines), tmp_path / "rows.jsonl"
    code, printed, _ = run("score", name, "--out", folder, "--responses", path, "--rows", written)
    read = [json.loads(line) for line in written.read_text().splitlines()]
    assert code == 0 and f"rows: {written}\n" in printed and [row["id"] for row in read] == list(map(row_id, rows))
    assert [row["right"] for row in read] == [True, False, False] + [True] * len(rows[3:])
    assert [row["unread"] for row in read[:3]] == [None, None, read[2]["unread"]] and read[2]["unread"]
    assert [row["read"] == row["answer"] for row in read[:3]] == [True, False, False] and read[2]["read"] is None
    answer = "answer" if name == "hi_tom" else "label"
    assert [row["answer"] for row in read] == [row[answer] for row in rows]
    before = path.read_bytes()
    refused(run("score", name, "--out", folder, "--responses", path, "--rows", path), f"{path} is named twice")
    refused(
        run("score", name, "--out", folder, "--responses", path, path, "--rows", written),
        "--rows takes one model; name one file with --responses",
    )
    assert path.read_bytes() == before


def test_prompts_are_scored_apart_and_compared(rows_of, answered, scored, tmp_path):
    rows = rows_of("mindgames")
    lines = [
        {"index": row["index"], "prompt": prompt, "response": say}
        for row in rows
        for prompt, say in (("five-shot", right_reply(row)), ("zero-shot", "False"))
    ]
    path = write_lines(tmp_path / "answers.jsonl", lines)
    printed, report = scored("mindgames", path)
    assert list(report["scores"]) == ["prompts", "five-shot", "zero-shot"]
    table = report["scores"]["prompts"]["tables"]["prompt"]
    assert [table[prompt]["accuracy"]["share"] for prompt in ("five-shot", "zero-shot", "all")] == [1, 0.5, 0.75]
    balanced = table["zero-shot"]["accuracy"]  # two of the four problems of every block, so all draws are alike
    assert (balanced["low"], balanced["high"]) == pytest.approx((0.314, 0.686), abs=0.001)
    assert "# zero-shot" in printed
    _, report = scored("mindgames", path, "--prompt", "zero-shot")
    assert list(report["scores"]) == ["zero-shot"]
    path = answered("mindgames")
    _, report = scored("mindgames", path, "--prompt", "mine")
    assert list(report["scores"]) == ["mine"]


def test_difficulty_is_cut_into_quarters():
    quarter_of = quartiles([None, 0.0, 0.1, 0.2, 0.3, 0.4, None])
    assert [quarter_of(difficulty) for difficulty in (0.0, 0.1, 0.15, 0.2, 0.25, 0.4, None)] == [
        *["quarter 1: 0.00 to 0.10"] * 2,
        *["quarter 2: 0.10 to 0.20"] * 2,
        "quarter 3: 0.20 to 0.30",
        "quarter 4: 0.30 to 0.40",
        None,
    ]
    assert quartiles([None] * 9 + [0.5]) is None


def test_rates_are_given_by_quarter_of_difficulty():
    rows = [dict(index=at, block=None, setup="internal", label="entailment", difficulty=at / 8) for at in range(8)]
    replies = [Reply("", None, str(at), str(at < 2)) for at in range(8)]
    texts, items, _ = match_replies(Path("a"), problem_items(rows), replies)
    tables = score("mindgames", items, texts)["all"].tables
    assert [rates["accuracy"].share for rates in tables["difficulty"].values()] == [1, 0, 0, 0]
    assert "block accuracy" not in tables["all"]["all"]
    assert set(tables) == {"all", "setup", "difficulty"}


def test_intervals_are_those_of_stories():
    """Ten stories, each all right or all wrong: as uncertain as ten coins, not as fifty."""
    items = [
        Item(f"{story}-{at}", None, str(story), ("a", "b"), 0, at, None, {"order": "x"})
        for story in range(10)
        for at in range(5)
    ]
    bootstrap = Bootstrap("hi_tom", [item.unit for item in items])
    rate = bootstrap.rate([(item, int(item.unit) % 2 == 0) for item in items])
    assert rate.share == 0.5 and rate.interval() == (rate.low, rate.high)
    wide = 2 * 1.96 * math.sqrt(0.25 / 10)
    assert rate.high - rate.low == pytest.approx(wide, abs=0.1)


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
    path = write_lines(tmp_path / "a.jsonl", [{"id": 13728, "response": "False"}])
    code, printed, _ = run("score", "mindgames", "--data", data, "--responses", path, "--partial")
    assert code == 0 and "3,724 of 3,725 ids are missing" in printed
