"""Score several replies to each row: by hand, against every choice of k of them, and with the command."""

import json
import shutil
from dataclasses import replace
from itertools import combinations
from statistics import fmean

import pytest
import yaml
from answering import replies_to, right_reply, row_id, write_lines, wrong_reply
from support import refused

from tom_datasets import score as score_rows
from tom_datasets.answers.analyses import BY_NOW, OWN
from tom_datasets.answers.comparison import answered_alike, compare
from tom_datasets.answers.items import Item, question_items
from tom_datasets.answers.samples import SEVERAL, pass_all, pass_any, sizes
from tom_datasets.answers.scores import quarters, score, score_replies
from tom_datasets.explanations import explain

NEEDED = ("--model-id", "org/model", "--dataset-id", "lab/hi_tom", "--revision", "5" * 40)


def sampled(said, prompt=None, orders=2):
    """Return items of stories of some questions, with replies by question: "+" for a right one, "-" for another."""
    return [
        Item(
            f"{at // orders}-{at % orders}",
            prompt,
            f"{at // orders}",
            ("a", "b"),
            0,
            at % orders,
            tuple(range(at % orders)),
            {"order": f"order {at % orders}"},
            sample=sample if len(replies) > 1 else None,
            text="A" if reply == "+" else "B",
        )
        for at, replies in enumerate(said.split())
        for sample, reply in enumerate(replies, 1)
    ]


def test_both_estimators_are_the_share_of_all_choices_of_k_replies():
    for total in range(1, 7):
        for right in range(total + 1):
            replies = [place < right for place in range(total)]
            for k in range(1, total + 1):
                chosen = [*combinations(replies, k)]
                assert pass_any(total, right, k) == pytest.approx(fmean(map(any, chosen)))
                assert pass_all(total, right, k) == pytest.approx(fmean(map(all, chosen)))
    assert [sizes(number) for number in (2, 3, 4, 6, 8)] == [[1, 2], [1, 2, 3], [1, 2, 4], [1, 2, 4, 6], [1, 2, 4, 8]]


def test_replies_to_two_stories_by_hand():
    """Sample i of a question is right together with sample i of the lower order, and with no other."""
    of_prompt = score("hi_tom", sampled("++-- +-+- ++++ ----"))["all"]
    (rates,) = of_prompt.tables["all"].values()
    assert (rates["accuracy"].right, rates["accuracy"].total, rates["accuracy"].chance) == (8, 16, 0.5)
    assert rates["joint accuracy"].right == 2 + 1 + 4 + 0 and rates["joint accuracy"].chance == 0.375
    table = of_prompt.tables[SEVERAL]
    assert list(of_prompt.tables)[:2] == ["all", SEVERAL] and list(table) == ["k = 1", "k = 2", "k = 4"]
    assert [rates["pass@k"].share for rates in table.values()] == pytest.approx([1 / 2, (5 / 6 * 2 + 1) / 4, 3 / 4])
    assert [rates["pass^k"].share for rates in table.values()] == pytest.approx([1 / 2, (1 / 6 * 2 + 1) / 4, 1 / 4])
    assert [rates["pass@k"].chance for rates in table.values()] == [1 / 2, 3 / 4, 15 / 16]
    assert [rates["pass^k"].chance for rates in table.values()] == [1 / 2, 1 / 4, 1 / 16]
    for rate in (rate for rates in table.values() for rate in rates.values()):
        assert rate.total == 4 and rate.low < rate.share < rate.high, "the two stories are drawn anew, whole"
    own = of_prompt.analyses[OWN]
    assert own == {}, "no order above 1"
    assert SEVERAL not in score("hi_tom", sampled("+ - + -"))["all"].tables


def test_analyses_are_of_each_sample():
    """Sample 1 repeats its answer of order 1, sample 2 does not."""
    own = score("hi_tom", sampled("++ ++ +-", orders=3))["all"].analyses[OWN]["order 2"]
    assert (own["own answer as own of order 1"].right, own["own answer as own of order 1"].total) == (1, 2)
    story = sampled("+- +-")
    kinds = [replace(item, asks=(kind, "Ann"), groups={"kind": kind}) for item, kind in zip(story, "aabb", strict=True)]
    kinds = [replace(item, asks=("now", "Ann"), groups={"kind": "now"}) if item.place else item for item in kinds]
    by_now = score("hi_tom", kinds)["all"].analyses[BY_NOW]["a"]
    assert {title: rate.share for title, rate in by_now.items()} == {"right on now": 1.0, "wrong on now": 0.0}


def test_models_with_different_numbers_of_replies_are_compared_by_the_means_of_rows():
    """The first story has a mean of 3/4, the second of 1/4; the other model has one reply to each row."""
    models = {
        "one": score_replies("hi_tom", sampled("+ - + -")),
        "four": score_replies("hi_tom", sampled("++++ ++-- ++-- ----")),
    }
    one, four = compare("hi_tom", models)[:2]
    assert one.rates["accuracy"].share == four.rates["accuracy"].share == 0.5
    assert (one.rates["accuracy"].total, four.rates["accuracy"].total) == (4, 16)
    above = four.above["accuracy"]
    assert (above.share, above.rows) == (0, 4) and above.low < 0 < above.high
    assert four.above["joint accuracy"].share == 8 / 16 - 2 / 4
    alike = answered_alike("hi_tom", models)["all"]
    assert (alike.right, alike.total) == (1 + 1 / 2 + 1 / 2 + 1, 4)


def test_quarters_of_difficulty_are_of_rows():
    items = [replace(item, difficulty=int(item.unit) / 10) for item in sampled("++ " * 9, orders=1)]
    once = [replace(item, sample=None) for item in items if item.sample == 1]
    assert [*quarters(items)] == [*quarters(once)]
    assert quarters(items[:6]) == {}, "three rows have no quarters"


@pytest.fixture
def lines(rows_of):
    """Return the lines of three samples of hi_tom: all right, all wrong, and right in the first story only."""
    rows = rows_of("hi_tom")
    first = rows[0]["story_id"]
    of_first = replies_to(rows, lambda row: (right_reply if row["story_id"] == first else wrong_reply)(row))
    return [*replies_to(rows), *replies_to(rows, wrong_reply), *of_first]


def test_several_lines_of_an_id_are_its_samples(lines, scored, score, tmp_path):
    path, rows = write_lines(tmp_path / "answers.jsonl", lines), tmp_path / "rows.jsonl"
    printed, report = scored("hi_tom", path)
    tables = report["scores"]["all"]["tables"]
    assert report["left_out"] == [] and report["scores"]["all"]["read"]["replies"] == 360
    assert tables["all"]["all"]["accuracy"]["right"] == tables["all"]["all"]["joint accuracy"]["right"] == 125
    assert [*tables[SEVERAL]] == ["k = 1", "k = 2", "k = 3"]
    assert tables[SEVERAL]["k = 3"]["pass@k"]["share"] == 1 and tables[SEVERAL]["k = 3"]["pass^k"]["share"] == 0
    assert tables[SEVERAL]["k = 2"]["pass@k"]["chance"] == pytest.approx(1 - (14 / 15) ** 2)
    assert "\n| replies | 360 |\n| accuracy | 34.7 (" in printed
    title = f"\n{SEVERAL} (pass@k: at least one of k is right; pass^k: all k are):\n\n|  | k = 1 | k = 2 | k = 3 |\n"
    assert title in printed and "\n| rows | 120 | 120 | 120 |\n| pass@k | 34.7 (" in printed
    assert score("hi_tom", path, "--rows", rows)[0] == 0
    read = [json.loads(line) for line in rows.read_text().splitlines()]
    assert [(row["id"], row["sample"], row["right"]) for row in read[:4]] == [
        (lines[0]["id"], 1, True),
        (lines[0]["id"], 2, False),
        (lines[0]["id"], 3, True),
        (lines[1]["id"], 1, True),
    ]


def test_a_single_reply_to_each_id_has_no_sample(answered, scored, score, tmp_path):
    path, rows = answered("hi_tom"), tmp_path / "rows.jsonl"
    printed, report = scored("hi_tom", path)
    assert SEVERAL not in printed and SEVERAL not in report["scores"]["all"]["tables"]
    assert "\n| rows | 120 |\n" in printed
    assert score("hi_tom", path, "--rows", rows)[0] == 0 and "sample" not in json.loads(rows.open().readline())


def test_unread_samples_are_named(lines, scored, tmp_path):
    lines[-1]["response"] = "?"
    printed, report = scored("hi_tom", write_lines(tmp_path / "answers.jsonl", lines))
    (unread,) = report["unread"]
    assert (unread["id"], unread["sample"]) == (lines[-1]["id"], 3)
    assert f"\n  {lines[-1]['id']}, sample 3, names no choice: " in printed


def test_unlike_numbers_of_replies_are_refused_or_cut_to_the_smallest(lines, score, scored, tmp_path):
    """Here the last of three rounds was broken off; what is left are two samples of every row."""
    path = write_lines(tmp_path / "answers.jsonl", lines[:250])
    few, many = lines[10]["id"], lines[0]["id"]
    message = f"10 extra replies: all ids need the same number, and '{few}' has 2, '{many}' has 3"
    refused(score("hi_tom", path), f"{path}: {message}; add --partial to score the rest")
    printed, report = scored("hi_tom", path, "--partial")
    assert report["left_out"] == [message] and f"\nleft out: {message}\n" in printed
    assert report["scores"]["all"]["tables"]["all"]["all"]["accuracy"]["right"] == 120
    assert report["scores"]["all"]["read"]["replies"] == 240
    named = [{**line, "prompt": prompt} for prompt, some in (("a", lines[:120]), ("b", lines)) for line in some]
    refused(
        score("hi_tom", write_lines(path, named)),
        f"240 extra replies: all ids need the same number, and '{many}' of a has 1, '{many}' of b has 3",
    )
    printed, report = scored("hi_tom", path, "--prompt", "b")
    assert report["scores"]["b"]["read"]["replies"] == 360


def test_an_id_whose_story_is_left_out_anyway_does_not_count(lines, scored, tmp_path):
    """As where the model was asked for all samples of a prompt in turn, and the last one was broken off."""
    by_row = [line for place in range(120) for line in lines[place::120]]
    _, report = scored("hi_tom", write_lines(tmp_path / "answers.jsonl", by_row[: 3 * 117 + 1]), "--partial")
    assert report["scores"]["all"]["read"]["replies"] == 3 * 115
    assert [fault.split(" (")[0] for fault in report["left_out"]] == [
        "2 of 120 ids are missing",
        "7 responses are to stories or blocks of which others are missing",
    ]


def test_a_folder_of_released_answers_has_one_reply_to_each_question(published, score, scored, tmp_path):
    """A second copy of the layout is another model's, not another sample; lines may be samples."""
    data, replies = published[0], tmp_path / "replies"
    for line in published[1].read_text().splitlines():
        fields = json.loads(line)
        top = f"{'' if fields['deception'] else 'No_'}Tell/{'CoT' if fields['prompting_type'] == 'CoTP' else 'MC'}"
        name = f"length_{fields['story_length']}/sample_{fields['sample']}/order_{fields['question_order']}.txt"
        file = replies / "one" / top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(fields["response"])
    once = scored("hi_tom", replies, "--data", data)[1]["scores"]
    shutil.copytree(replies / "one", replies / "two")
    count = len(published[1].read_text().splitlines())
    asked = score("hi_tom", replies, "--data", data)
    refused(asked, f"{count} extra replies: each id may have one, and 'deception=", "has 2; add --partial to score")
    assert scored("hi_tom", replies, "--data", data, "--partial")[1]["scores"] == once
    twice = tmp_path / "twice.jsonl"
    twice.write_text(published[1].read_text() * 2)
    tables = scored("hi_tom", twice, "--data", data)[1]["scores"]["CoTP"]["tables"]
    assert [tables[SEVERAL][k]["pass^k"]["share"] for k in ("k = 1", "k = 2")] == [0.8, 0.8]


def test_steps_of_each_sample_are_scored(rows_of, scored, tmp_path):
    rows = rows_of("mindgames")
    lines = [*replies_to(rows, explain), *replies_to(rows, lambda row: explain(row).replace("leaves", "leaves 0,"))]
    _, report = scored("mindgames", write_lines(tmp_path / "answers.jsonl", lines), "--steps")
    steps = report["steps"]["all"]
    assert steps["replies"] == 2 * len(rows) and 0 < len(steps["first_wrong"]) <= len(rows)
    assert all(name.endswith(", sample 2") for name in steps["first_wrong"])


def test_the_leaderboard_has_the_mean_over_samples(lines, score, tmp_path):
    path, file = write_lines(tmp_path / "answers.jsonl", lines), tmp_path / "entries.yaml"
    code, _, errors = score("hi_tom", path, "--eval-results", file, *NEEDED)
    assert (code, errors) == (0, "")
    entries = {entry["dataset"]["task_id"]: entry for entry in yaml.safe_load(file.read_text())}
    assert len(entries) == 6 and entries["all"]["value"] == round(100 * 125 / 360, 2)
    assert entries["all"]["notes"].startswith("120 rows; 3 replies to each; accuracy 34.7 (")
    written = write_lines(path, [line for line in lines if not line["id"].endswith("-0")])
    refused(score("hi_tom", written, "--partial", "--eval-results", file, *NEEDED), "score whole stories")


def test_several_files_count_replies(answered, lines, score, tmp_path):
    path = write_lines(tmp_path / "three.jsonl", lines)
    code, printed, _ = score("hi_tom", answered("hi_tom", wrong_reply), path)
    assert code == 0 and "\n| rows of | model | replies | accuracy |" in printed
    assert "\n| all | answers | 120 | 0.0 (" in printed and "\n| all | three | 360 | 34.7 (" in printed
    assert " | +34.7 (" in printed


def test_the_function_takes_lists_of_replies(rows_of):
    for name in ("hi_tom", "mindgames"):
        rows = rows_of(name)[:20]
        by_id = {row_id(row): [right_reply(row), wrong_reply(row), None] for row in rows}
        scores = score_rows(rows, by_id)
        assert scores["tables"]["all"]["all"]["accuracy"]["share"] == pytest.approx(1 / 3)
        assert scores["tables"][SEVERAL]["k = 3"]["pass@k"]["share"] == 1
        assert scores["read"]["replies"] == 60 and scores["read"]["unread"] == {"empty": 20}
        assert score_rows(rows, list(map(tuple, by_id.values()))) == scores
        assert score_rows(rows, {key: texts[:1] for key, texts in by_id.items()}) == score_rows(
            rows, {key: texts[0] for key, texts in by_id.items()}
        )
    first, second = list(by_id)[:2]
    for texts, message in (
        ({**by_id, second: ["True"]}, f"'{second}' has 1 responses, '{first}' has 3; each row needs equally many"),
        ({**by_id, second: "True"}, f"'{second}' has 1 responses, '{first}' has 3; each row needs equally many"),
        (dict.fromkeys(by_id, []), f"'{first}' has 0 responses"),
        ({**by_id, second: ["True", 3, ""]}, f"the response to '{second}' is 3; it must be a text"),
    ):
        with pytest.raises(ValueError) as error:
            score_rows(rows, texts)
        assert message in str(error.value)


def test_items_of_rows_have_no_sample(rows_of):
    assert {item.sample for item in question_items(rows_of("hi_tom"))} == {None}
