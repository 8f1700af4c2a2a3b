"""All beliefs of a story at once: the prompt, the right answers by both meanings, and precision, recall and F1."""

import json

import pyarrow.parquet as pq
import pytest

from tom_datasets.answers.beliefs import read_beliefs, right_beliefs, score_beliefs
from tom_datasets.reader.read_stories import read_story
from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.syntax.record import loads


@pytest.fixture(scope="module")
def out(tiny_build):
    return tiny_build("hi_tom")


@pytest.fixture(scope="module")
def stories(out):
    rows = pq.read_table(out / "hi_tom" / "deep" / "test.parquet").to_pylist()
    return {row["story_id"]: row for row in rows}


def test_the_second_meaning_holds_the_same_beliefs(stories):
    for row in stories.values():
        right, left_out = right_beliefs(row)
        story, names = read_story(row["story"])
        thing = loads(row["events"])[1].things[loads(row["events"])[2]]
        chains = {tuple(map(names.agents.index, agents)): container for agents, container in right.items()}
        held = believe_after(happenings(story, names.things.index(thing)), [*chains], "recursive")
        assert {chain: names.containers[held[chain]] for chain in chains} == chains
        assert len(right) + len(left_out) == row["n_agents"] ** 2


@pytest.mark.parametrize(
    "reply, said",
    [
        ('Here: {"Ann": {"Ann": "Red box", "Ben": "jar"}}.', {("Ann",): "red_box", ("Ann", "Ben"): "jar"}),
        ('{"Ann": {"Ann": "a"}} no: {"Ann": {"Ann": "b"}}', {("Ann",): "b"}),
        ('{"Ann": "jar"}', None),
        ("{} nothing {", None),
    ],
)
def test_the_last_object_of_objects_is_read(reply, said):
    assert read_beliefs(reply) == said


def test_precision_recall_and_f1_count_chains_with_their_container(stories):
    replies = {}
    for name, row in stories.items():
        right, _ = right_beliefs(row)
        said = {agent: {agent: container} for (agent, *others), container in right.items() if not others}
        replies[name] = json.dumps(said)
    groups = score_beliefs(stories.values(), replies)["groups"]
    assert [rate.share for rate in groups["order 1"].values()] == [1.0, 1.0, 1.0]
    assert groups["all"]["precision"].share == 1.0 and groups["order 2"]["recall"].share == 0.0
    firsts, every = groups["order 1"]["recall"].total, groups["all"]["recall"].total
    assert groups["all"]["F1"].share == pytest.approx(2 * firsts / (firsts + every))
    assert score_beliefs(stories.values(), dict.fromkeys(stories, "no idea"))["unread"] == len(stories)


def test_prompts_ask_once_a_story_and_score_reads_the_replies(run, out, tmp_path):
    words = ("hi_tom", "--config", "deep", "--split", "train", "--style", "all-at-once", "--out", out)
    lines = [json.loads(line) for line in run("prompts", *words)[1].splitlines()]
    ids = [line["id"] for line in lines]
    assert len(ids) == len({*ids}) > 1
    assert "and where does each think that each other thinks" in lines[0]["prompt"]
    file, report = tmp_path / "r.jsonl", tmp_path / "r.json"
    said = [json.dumps({"id": name, "response": "I do not know"}) for name in ids]

    def scored(*replies, more=()):
        file.write_text("\n".join(replies))
        return "".join(run("score", *words, "--responses", file, *more)[1:])

    told = scored(*said, more=("--report", report))
    assert f"{len(ids)} of {len(ids)} replies hold no JSON object of objects, and state nothing" in told
    assert json.loads(report.read_text())["groups"]["all"]["F1"]["share"] == 0.0
    assert f"{len(ids) - 1} of {len(ids)} ids are missing" in scored(said[0])
    assert f"1 extra replies: each id may have one, and '{ids[0]}' has 2; add --partial to score the rest" in scored(
        *said, said[0]
    )
    told = scored(*said, '{"id": "deep-test-9", "response": ""}', more=("--partial", "--report", report))
    left_out = json.loads(report.read_text())["left_out"]
    assert len(left_out) == 1 and f"\nleft out: {left_out[0]}\n" in told and "deep-test-9" in left_out[0]
    assert "none of its 1 ids names a row here" in scored('{"id": "deep-test-9", "response": ""}')
    assert "--style cannot be combined with --rows; leave it out" in scored(said[0], more=("--rows", report))
    refused = run("prompts", "hi_tom", "--style", "all-at-once", "--out", out)[2]
    assert "asks about whole stories, in a form of its own: name hi_tom and --config deep" in refused
