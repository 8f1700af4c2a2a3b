"""What the tests of answers share: small builds, files that answer their rows, and the command that scores."""

import json

import pyarrow.parquet as pq
import pytest
from answering import REASONED, replies_to, right_reply, write_lines
from support import build, sized

SIZES = {
    "hi_tom": sized("hi_tom", test=24, tomh=27, reproduction=6, deep=6, ladder=6),
    "mindgames": sized("mindgames", test=6, scale=1, reproduction=2, deep=6, ladder=6, rounds=24),
}


@pytest.fixture(scope="session")
def folder(once):
    """Build both datasets once, small; no test may change them."""

    def write(out):
        for name, sizes in SIZES.items():
            build(out, name, "--probe", "none", *sizes)

    return once("answered", write)


@pytest.fixture(scope="session")
def rows_of(folder):
    """Return what reads the test rows of a config of a dataset, story by story or block by block."""
    return lambda name, config="all": pq.read_table(folder / name / config / "test.parquet").to_pylist()


@pytest.fixture
def answered(rows_of, tmp_path):
    """Write a file that answers every row of a dataset; rightly unless told otherwise."""

    def answered(name, reply_to=right_reply, file="answers.jsonl"):
        return write_lines(tmp_path / file, replies_to(rows_of(name), reply_to))

    return answered


@pytest.fixture
def score(run, folder):
    """Return what runs the command on a file, and returns (exit code, stdout, stderr)."""
    return lambda name, path, *more: run("score", name, "--out", folder, "--responses", path, *more)


@pytest.fixture
def scored(score, tmp_path):
    """Score a file; return what was printed, and the report."""

    def scored(name, path, *more):
        report = tmp_path / "report.json"
        code, printed, errors = score(name, path, "--report", report, *more)
        assert (code, errors) == (0, ""), errors
        return printed, json.loads(report.read_text())

    return scored


@pytest.fixture(scope="session")
def published(rows_of, tmp_path_factory):
    """Write our own rows in the published shape, once under each prompting type, with replies; return the files."""
    rows, top = rows_of("hi_tom", "reproduction"), tmp_path_factory.mktemp("published")
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
    problems = rows_of("mindgames", "reproduction")
    files = {"data": data, "replies": replies, "problems": problems, "labels": replies_to(problems)}
    return [write_lines(top / f"{name}.jsonl", lines) for name, lines in files.items()]
