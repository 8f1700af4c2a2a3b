"""Score replies whose rates are known by hand, under one prompt and under several."""

import json
import os
import random
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from answering import LETTERS, OTHER, replies_to, right_reply, row_id, write_lines, wrong_reply
from hypothesis import given, settings
from hypothesis import strategies as st
from support import REFERENCE, listed, refused

from tom_datasets.answers import scores
from tom_datasets.answers.drawings import end_panels
from tom_datasets.answers.items import problem_items, question_items
from tom_datasets.answers.reading import SILENT, UNKNOWN
from tom_datasets.answers.replies import Reply, match_replies
from tom_datasets.answers.reports import scores_as_json
from tom_datasets.answers.scores import COMMONEST, JOINT, UNDISPUTED
from tom_datasets.audit.shares import Share
from tom_datasets.story.config import order_name
from tom_datasets.wording.languages import page

NAMES = ("hi_tom", "mindgames")
TABLES = {
    "hi_tom": {"all", "order", "length", "deception", "effective order", "claims"},
    "mindgames": {"all", "setup", "agents", "depth"},
}


def rates(report):
    """Return every (table, metric, rate) of the tables of a report, but those of the commonest answer."""
    return [
        (title, metric, rate)
        for score in report["scores"].values()
        for title, table in score["tables"].items()
        for of in table.values()
        for metric, rate in of.items()
        if metric != COMMONEST
    ]


@pytest.mark.parametrize("name", NAMES)
def test_perfect_answers_are_right_everywhere(rows_of, answered, scored, name):
    printed, report = scored(name, answered(name))
    assert len(rates(report)) > 20
    for title, metric, rate in rates(report):
        assert rate["share"] == (metric != "unread"), (title, metric)
        assert rate["low" if metric == "unread" else "high"] == rate["share"] and rate["low"] < rate["high"]
    read = {"replies": len(rows_of(name)), "unread": {}, "contradicting": 0, "revised": 0}
    read["cut"] = {"replies": 0, "unread": 0}
    assert report["scores"]["all"]["read"] == read
    assert "| accuracy | 100.0 (86–100) |" in printed and JOINT[name] in printed
    assert set(report["scores"]["all"]["tables"]) == TABLES[name]
    assert (UNDISPUTED in printed) == (name == "hi_tom")


def test_the_commonest_answer_and_the_chance_of_right_ones_are_reported(rows_of, answered, scored):
    """Always the same letter, or label: what a model that has no idea says."""
    for name, said, answer in (("hi_tom", "Answer: C", "C"), ("mindgames", "False.", "not_entailment")):
        printed, report = scored(name, answered(name, lambda row, said=said: said))
        together = report["scores"]["all"]["tables"]["all"]["all"]
        assert together[COMMONEST]["share"] == 1 and together[COMMONEST]["answer"] == answer
        assert f"| commonest answer | 100.0 ({100 * together[COMMONEST]['low']:.0f}–100) {answer} |" in printed
        assert together["accuracy"]["chance"] == pytest.approx(1 / 15 if name == "hi_tom" else 1 / 2)
        joint = together[JOINT[name]]
        by_order = [15.0**-order for order in range(1, 6)]
        assert joint["chance"] == pytest.approx(sum(by_order) / 5 if name == "hi_tom" else 1 / 16)
        assert joint["above_chance"] is False and "not above chance: " in printed
        assert not {"chance", "above_chance"} & {*together["unread"]}
        rates_of = rates(report)
        assert all(
            rate["above_chance"] == (rate["low"] > rate["chance"]) for _, _, rate in rates_of if "chance" in rate
        )
    orders = scored("hi_tom", answered("hi_tom"))[1]["scores"]["all"]["tables"]["order"]
    assert orders["3rd_order"]["joint accuracy"]["chance"] == pytest.approx(15**-4)
    assert orders["3rd_order"]["joint accuracy"]["above_chance"] is True


@pytest.mark.parametrize("name", NAMES)
def test_shuffled_answers_are_at_chance(rows_of, answered, scored, name):
    deck = [right_reply(row).partition(".")[0] for row in rows_of(name)]
    random.Random(4).shuffle(deck)
    _, report = scored(name, answered(name, lambda row: deck.pop()))
    rate = report["scores"]["all"]["tables"]["all"]["all"]["accuracy"]
    assert rate["low"] <= (1 / 15 if name == "hi_tom" else 1 / 2) <= rate["high"] < 0.7
    assert 0 < rate["high"] - rate["low"] < 0.25


def test_joint_accuracy_by_hand(rows_of, answered, scored):
    """One story in which order 2 is wrong: orders 0 and 1 count, 2 to 4 do not, though 3 and 4 are right."""
    story = rows_of("hi_tom")[0]["story_id"]
    path = answered("hi_tom", lambda row: "?" if row["id"] == f"{story}-2" else right_reply(row))
    _, report = scored("hi_tom", path)
    known = report["scores"]["all"]
    table = [known["tables"]["order"][order_name(order)] for order in range(5)]
    assert [rates["accuracy"]["right"] for rates in table] == [24, 24, 23, 24, 24]
    assert [rates["joint accuracy"]["right"] for rates in table] == [24, 24, 23, 23, 23]
    assert known["read"]["unread"] == {SILENT: 1}
    assert [reply["id"] for reply in report["unread"]] == [f"{story}-2"]
    assert table[3]["joint accuracy"]["low"] < 23 / 24 < table[3]["joint accuracy"]["high"] == 1


def test_accuracy_on_the_undisputed_by_hand(rows_of):
    """Every third row is called disputed, and these are all missed, as is the second row."""
    rows = [{**row, "undisputed": place % 3 > 0} for place, row in enumerate(rows_of("hi_tom"))]
    right = {row["id"]: row["undisputed"] and place != 1 for place, row in enumerate(rows)}
    items = question_items(rows)
    replies = [replace(item, text=LETTERS[item.answer] if right[item.id] else "?") for item in items]
    tables = scores.score("hi_tom", replies)["all"].tables
    (rates,) = tables["all"].values()
    assert (rates["accuracy"].right, rates["accuracy"].total) == (79, 120)
    assert (rates[UNDISPUTED].right, rates[UNDISPUTED].total) == (79, 80)
    assert f"\n| {UNDISPUTED} | 98.8 (96–100) of 80 |\n" in page("score", "rates", tables["all"])
    assert [tables["order"][order_name(order)][UNDISPUTED].total for order in range(5)] == [16] * 5
    assert question_items([{**rows[0], "undisputed": "yes"}])[0].undisputed is None


def test_the_ladder_is_scored_by_rung(rows_of, scored, tmp_path):
    lines = replies_to(rows_of("hi_tom", "ladder"), lambda row: right_reply(row) if row["rung"] < 3 else "?")
    path = write_lines(tmp_path / "answers.jsonl", lines)
    printed, report = scored("hi_tom", path, "--config", "ladder", "--pictures", tmp_path / "drawn")
    table = report["scores"]["all"]["tables"]["rung"]
    assert [table[f"rung {rung}"]["accuracy"]["share"] for rung in range(1, 7)] == [1, 1, 0, 0, 0, 0]
    assert "\nrung:\n" in printed and "hi_tom_score_rungs.png" in os.listdir(tmp_path / "drawn")


def test_block_accuracy_by_hand(rows_of, answered, scored):
    wrong = rows_of("mindgames")[0]
    reply = {wrong["index"]: OTHER[wrong["label"]]}
    _, report = scored("mindgames", answered("mindgames", lambda row: reply.get(row["index"], row["label"])))
    table = report["scores"]["all"]["tables"]["setup"][wrong["setup"]]
    assert table["accuracy"]["right"] == 23 and table["block accuracy"]["right"] == 20
    assert table["block accuracy"]["rows"] == 24


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_joint_is_at_most_accuracy_and_lines_may_stand_in_any_order(rows_of, data):
    items = question_items(rows_of("hi_tom"))
    chosen = data.draw(st.lists(st.booleans(), min_size=len(items), max_size=len(items)))
    replies = [
        Reply(None, item.id, LETTERS[item.answer] if good else "none of the above")
        for item, good in zip(items, chosen, strict=True)
    ]
    reports = []
    for lines in (replies, data.draw(st.permutations(replies))):
        matched, faults = match_replies(Path("answers.jsonl"), items, lines, False)
        assert not faults
        by_prompt = scores.score("hi_tom", matched)
        reports.append(scores_as_json(by_prompt))
    assert reports[0] == reports[1]
    for table in by_prompt["all"].tables.values():
        for rates in table.values():
            assert rates["joint accuracy"].share <= rates["accuracy"].share
            assert all(0 <= rate.low <= rate.high <= 1 for rate in rates.values())


def test_the_same_file_gives_the_same_bytes(answered, score, tmp_path):
    path = answered("hi_tom", lambda row: "B")
    for turn in "12":
        assert score("hi_tom", path, "--report", tmp_path / f"{turn}.json", "--pictures", tmp_path / turn)[0] == 0
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "2.json").read_bytes()
    kinds = ("claims", "ends", "joint", "own", "same")
    assert listed(tmp_path / "1") == listed(tmp_path / "2") == [f"hi_tom_score_{kind}.png" for kind in kinds]
    for file in listed(tmp_path / "1"):
        assert (tmp_path / "1" / file).read_bytes() == (tmp_path / "2" / file).read_bytes()


def test_shares_of_figure_5_by_hand():
    counts = {"first container, length 4": [[3, 1], [0, 0]], "last container, length 4": [[1, 1], [0, 5]]}
    assert end_panels({"all": SimpleNamespace(ends=counts)}) == {
        "first container, length 4": {"right": {"it": Share(3, 4, 0.0)}},
        "last container, length 4": {"right": {"it": Share(1, 2, 0.0), "another": Share(0, 5, 0.0)}},
    }


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
    longest = [row for row in rows if row["story_length"] == 3]
    for place, title in ((0, "first container, length 3"), (-1, "last container, length 3")):
        there, ends = [], report["scores"]["all"]["ends"][title]
        for row in longest:
            named = [name for name in re.findall(r"[a-z]+(?:_[a-z]+)+", row["story"]) if name in row["choices"]]
            if named[place] == row["answer"]:
                there.append(row["answer"] == first[row["story_id"]])
        assert (sum(ends[0]), ends[0][0], sum(map(sum, ends))) == (len(there), sum(there), len(longest))
    assert "last container, length 3: right and wrong answers" in printed


def test_joint_accuracy_is_not_defined_without_the_lower_orders(rows_of, scored, tmp_path):
    path = write_lines(tmp_path / "a.jsonl", replies_to(row for row in rows_of("hi_tom") if row["order"] == 2))
    printed, report = scored("hi_tom", path, "--config", "2nd_order")
    assert not any(metric == "joint accuracy" for _, metric, _ in rates(report))
    assert "joint and block accuracy are not defined here" in printed


@pytest.mark.parametrize(("name", "unit", "size"), [("hi_tom", "story_id", 5), ("mindgames", "block", 4)])
def test_a_part_is_scored_by_whole_stories_and_blocks(rows_of, score, scored, tmp_path, name, unit, size):
    """The replies beside a missing one are left out; where none is left, the command says what to print."""
    rows = rows_of(name)
    printed, report = scored(name, write_lines(tmp_path / "a.jsonl", replies_to(rows[1:])), "--partial")
    assert f"left out: 1 of {24 * size} ids are missing" in printed
    assert f"left out: {size - 1} responses are to stories or blocks of which others are missing" in printed
    joint = report["scores"]["all"]["tables"]["all"]["all"][JOINT[name]]
    assert joint["rows"] == report["scores"]["all"]["read"]["replies"] == 23 * size
    last = {row[unit]: row_id(row) for row in rows}.values()
    path = write_lines(tmp_path / "a.jsonl", [line for line in replies_to(rows) if line["id"] not in last])
    refused(
        score(name, path, "--partial"),
        f"{24 * (size - 1)} responses are to stories or blocks of which others are missing (first: ",
        "; score whole stories or blocks, as prompts --limit prints them, or name their --config",
    )


@pytest.mark.parametrize("name", NAMES)
def test_each_row_is_written_as_it_was_read(rows_of, answered, score, tmp_path, name):
    rows, written = rows_of(name), tmp_path / "rows.jsonl"
    said = {row_id(rows[1]): wrong_reply(rows[1]), row_id(rows[2]): "I do not know."}
    path = answered(name, lambda row: said.get(row_id(row)) or right_reply(row))
    code, printed, _ = score(name, path, "--rows", written)
    read = [json.loads(line) for line in written.read_text().splitlines()]
    assert code == 0 and f"rows: {written}\n" in printed and [row["id"] for row in read] == list(map(row_id, rows))
    assert [row["right"] for row in read] == [True, False, False] + [True] * len(rows[3:])
    assert [row["unread"] for row in read[:3]] == [None, None, read[2]["unread"]] and read[2]["unread"]
    assert [row["read"] == row["answer"] for row in read[:3]] == [True, False, False] and read[2]["read"] is None
    assert [row["answer"] for row in read] == [row["answer" if name == "hi_tom" else "label"] for row in rows]
    before = path.read_bytes()
    for option in ("--rows", "--report"):
        refused(score(name, path, option, path), f"{path} is named twice; name another file with {option}")
    refused(score(name, path, "--rows", written, "--report", written), f"{written} is named twice", "--report")
    refused(
        score(name, path, "--report", tmp_path),
        f"{tmp_path} is not a file, and nothing was written there; name another",
    )
    assert path.read_bytes() == before


def test_prompts_are_scored_apart_and_compared(rows_of, answered, scored, tmp_path):
    rows = rows_of("mindgames")
    lines = replies_to(rows, prompt="five-shot") + replies_to(rows, lambda row: "False", prompt="zero-shot")
    path = write_lines(tmp_path / "answers.jsonl", lines)
    printed, report = scored("mindgames", path)
    assert list(report["scores"]) == ["prompts", "five-shot", "zero-shot"]
    table = report["scores"]["prompts"]["tables"]["prompt"]
    assert [table[prompt]["accuracy"]["share"] for prompt in ("five-shot", "zero-shot", "all")] == [1, 0.5, 0.75]
    balanced = table["zero-shot"]["accuracy"]  # two of the four problems of every block, so all draws are alike
    assert (balanced["low"], balanced["high"]) == pytest.approx((0.314, 0.686), abs=0.001)
    assert "# zero-shot" in printed
    assert list(scored("mindgames", path, "--prompt", "zero-shot")[1]["scores"]) == ["zero-shot"]
    assert list(scored("mindgames", answered("mindgames"), "--prompt", "mine")[1]["scores"]) == ["mine"]


def problems(difficulties):
    """Return items of single problems with these difficulties."""
    row = dict(block=None, setup="internal", label="entailment")
    return problem_items({**row, "index": at, "difficulty": value} for at, value in enumerate(difficulties))


def test_rates_are_given_by_quarter_of_difficulty():
    quarters = scores.quarters(problems([0.4, None, 0.0, 0.1, 0.15, 0.2, 0.2, 0.25, 0.3]))
    assert {name: [item.difficulty for item in items] for name, items in quarters.items()} == {
        "quarter 1: 0.00 to 0.14": [0.0, 0.1],
        "quarter 2: 0.14 to 0.20": [0.15, 0.2, 0.2],
        "quarter 3: 0.20 to 0.26": [0.25],
        "quarter 4: 0.26 to 0.40": [0.4, 0.3],
    }
    assert scores.quarters(problems([None] * 9 + [0.5])) == {}
    items = [replace(item, text=str(item.id in "01")) for item in problems(at / 8 for at in range(8))]
    tables = scores.score("mindgames", items)["all"].tables
    assert [rates["accuracy"].share for rates in tables["difficulty"].values()] == [1, 0, 0, 0]
    assert "block accuracy" not in tables["all"]["all"]
    assert set(tables) == {"all", "setup", "difficulty"}


def test_published_data(published, run, tmp_path):
    """They say nothing of readings, and problems stand alone."""
    data, replies, problems, labels = published
    to = ("--report", tmp_path / "r.json", "--pictures", tmp_path / "pictures")
    code, printed, _ = run("score", "hi_tom", "--data", data, "--responses", replies, *to)
    report = json.loads((tmp_path / "r.json").read_text())
    assert code == 0 and UNDISPUTED not in printed + json.dumps(report)
    assert list(report["scores"]) == ["prompts", "VP", "CoTP"] and report["left_out"] == []
    table = report["scores"]["prompts"]["tables"]["prompt"]
    assert table["VP"]["accuracy"]["share"] == 1 and table["CoTP"]["accuracy"]["share"] == 0.8
    assert table["CoTP"]["joint accuracy"]["share"] == 0
    assert report["scores"]["CoTP"]["read"]["unread"] == {UNKNOWN: 6}
    assert "claims" in report["scores"]["VP"]["tables"]
    assert len(os.listdir(tmp_path / "pictures")) == 5
    assert run("score", "mindgames", "--data", problems, "--responses", labels, "--report", tmp_path / "r.json")[0] == 0
    for _, metric, rate in rates(json.loads((tmp_path / "r.json").read_text())):
        assert metric != "block accuracy" and rate["share"] == (metric == "accuracy")


@pytest.mark.skipif(not REFERENCE.is_dir(), reason="needs the published data in ../shared/reference")
def test_the_published_validation_split(run, tmp_path):
    data = REFERENCE / "mindgames_validation.jsonl.gz"
    path = write_lines(tmp_path / "a.jsonl", [{"id": 13728, "response": "False"}])
    code, printed, _ = run("score", "mindgames", "--data", data, "--responses", path, "--partial")
    assert code == 0 and "3,724 of 3,725 ids are missing" in printed
