"""The command `export`: messages of every row of a split, as JSON lines and as Parquet, and every wrong word."""

import json

import datasets
import pyarrow.parquet as pq
import pytest
from support import refused

from tom_datasets.answers.rewards import reward


@pytest.mark.parametrize(("name", "words"), [("hi_tom", ["--config", "4th_order"]), ("mindgames", [])])
@pytest.mark.parametrize("reply", ["answer", "explained"])
def test_both_files_have_the_messages_of_every_row(run, stories, problems, tmp_path, name, words, reply):
    out = {"hi_tom": stories, "mindgames": problems}[name]
    lines, table = tmp_path / "rows.jsonl", tmp_path / "rows.parquet"
    for file in (lines, table):
        asked = ("--split", "test", "--reply", "answer") if reply == "answer" else ()  # else the defaults
        code, printed, _ = run("export", name, "--out", out, "--to", file, *asked, *words)
        assert code == 0 and printed.startswith(f"{file}: ")
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert rows == pq.read_table(table).to_pylist()
    file = (
        out / name / ("4th_order" if words else "forehead") / ("test.parquet" if reply == "answer" else "train.parquet")
    )
    originals = {str(row.get("id", row.get("index"))): row for row in pq.read_table(file).to_pylist()}
    assert set(originals) <= {row["id"] for row in rows}
    for row in rows:
        assert list(row) == ["id", "prompt", "completion"]
        ((asked, said),) = zip(row["prompt"], row["completion"], strict=True)
        assert (asked["role"], said["role"]) == ("user", "assistant")
        if row["id"] in originals:
            said = said["content"]
            assert reward(said, originals[row["id"]]) == 1.0 and (reply == "explained") == ("\n" in said)


def test_its_prompts_are_those_of_prompts(run, stories, tmp_path):
    file = tmp_path / "rows.jsonl"
    words = ("--out", stories, "--config", "2nd_order", "--split", "test")
    assert run("export", "hi_tom", *words, "--prompt", "cotp", "--reply", "answer", "--to", file)[0] == 0
    _, printed, _ = run("prompts", "hi_tom", *words, "--style", "cotp", "--reply", "answer")
    asked = {row["id"]: row["prompt"][0]["content"] for row in map(json.loads, file.read_text().splitlines())}
    assert asked == {row["id"]: row["prompt"] for row in map(json.loads, printed.splitlines())}


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_messages_are_the_prompt_and_the_completion_in_one_list(run, stories, tmp_path, suffix):
    files, made = {style: tmp_path / f"{style}.{suffix}" for style in ("chat", "messages")}, {}
    for style, file in files.items():
        assert run("export", "hi_tom", "--out", stories, "--style", style, "--to", file)[0] == 0
        made[style] = datasets.load_dataset(
            "json" if suffix == "jsonl" else suffix, data_files=str(file), split="train", cache_dir=str(tmp_path / "c")
        ).to_list()
    joined = [{"id": row["id"], "messages": row["prompt"] + row["completion"]} for row in made["chat"]]
    assert made["messages"] == joined and len(joined) == 30


@pytest.mark.parametrize(
    ("to", "words", "message"),
    [
        ("rows.csv", [], "; name a file that ends in .jsonl or .parquet"),
        ("there.jsonl", [], "already exists, and would be overwritten; name another file with --to"),
        ("rows.jsonl", ["--config", "deeper"], "unknown config 'deeper'"),
        (
            "rows.jsonl",
            ["--split", "test"],
            "a row has no explanation, like all rows of test splits; use --reply answer",
        ),
        ("rows.jsonl", ["--prompt", "five"], "unknown style 'five'; expected a style of hi_tom without examples: vp"),
    ],
)
def test_what_cannot_be_exported(run, stories, tmp_path, to, words, message):
    (tmp_path / "there.jsonl").write_text("mine")
    refused(run("export", "hi_tom", "--out", stories, "--to", tmp_path / to, *words), message)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.jsonl"]
    assert (tmp_path / "there.jsonl").read_text() == "mine"
