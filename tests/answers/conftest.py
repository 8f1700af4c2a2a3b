"""What the tests of answers share: small builds, files that answer their rows, and the command that scores."""

import json

import pyarrow.parquet as pq
import pytest
from answering import NO_DEEP, REASONED, right_reply, row_id, write_lines

from tom_datasets.__main__ import main


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Build both datasets once, small; no test may change them."""
    out = tmp_path_factory.mktemp("built")
    small = ("--out", str(out), "--probe", "none", "--train", "0", "--validation", "0")
    assert main(["build", "hi_tom", *small, "--test", "24", "--tomh", "27", "--reproduction", "6", *NO_DEEP]) == 0
    assert (
        main(
            [
                "build",
                "mindgames",
                *small,
                "--test",
                "6",
                "--scale",
                "1",
                "--reproduction",
                "2",
                *NO_DEEP,
                "--ladder",
                "6",
            ]
        )
        == 0
    )
    return out


@pytest.fixture(scope="session")
def rows_of(folder):
    """Return what reads the test rows of the default config of a dataset, story by story or block by block."""
    return lambda name: pq.read_table(folder / name / "all" / "test.parquet").to_pylist()


@pytest.fixture
def answered(rows_of, tmp_path):
    """Write a file that answers every row of a dataset; rightly unless told otherwise."""

    def answered(name, reply_to=right_reply):
        lines = [{"id": row_id(row), "response": reply_to(row)} for row in rows_of(name)]
        return write_lines(tmp_path / "answers.jsonl", lines)

    return answered


@pytest.fixture
def scored(run, folder, tmp_path):
    """Score a file; return what was printed, and the report."""

    def scored(name, path, *more):
        report = tmp_path / "report.json"
        code, printed, errors = run("score", name, "--out", folder, "--responses", path, "--report", report, *more)
        assert (code, errors) == (0, ""), errors
        return printed, json.loads(report.read_text())

    return scored


@pytest.fixture(scope="session")
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
            reply = right_reply(row)
            if prompt == "CoTP":
                reply = f"{REASONED}So the answer is: {reply if row['order'] else 'Q'}"
            replies.append(key | {"response": reply})
    problems = pq.read_table(folder / "mindgames" / "reproduction" / "test.parquet").to_pylist()
    labels = [{"index": row["index"], "response": row["label"]} for row in problems]
    return (
        write_lines(top / "data.jsonl", data),
        write_lines(top / "replies.jsonl", replies),
        write_lines(top / "problems.jsonl", problems),
        write_lines(top / "labels.jsonl", labels),
    )
