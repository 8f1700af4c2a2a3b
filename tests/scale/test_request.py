"""Which rows a task makes, and what cannot be asked for: each message is read whole."""

import sys

import pytest
from support import refused

from tom_datasets.folder.build import differing_arguments
from tom_datasets.scale.request import SUPPLY, option_of

SCALE = ("scale", "hi_tom", "--config", "deep", "--out", "nowhere")


@pytest.mark.parametrize(
    ("dataset", "config", "rows", "tasks", "chunk"),
    [
        ("hi_tom", "deep", 6_005, 4, 600),
        ("hi_tom", "4th_order", 1_000, 9, 120),
        ("mindgames", "all", 5_000, 3, 576),
        ("mindgames", "deep", 432, 1, 432),
    ],
)
def test_tasks_share_the_rows_by_whole_chunks(request_of, dataset, config, rows, tasks, chunk):
    request = request_of(dataset=dataset, config=config, rows=rows, tasks=tasks)
    assert request.chunk_rows() == chunk, "the page of training says so"
    spans = [request.span(rank) for rank in range(tasks)]
    assert [index for span in spans for index in span] == list(range(rows))
    chunks = {rank: {index // chunk for index in span} for rank, span in enumerate(spans)}
    assert all(chunks.values()) and sum(map(len, chunks.values())) == request.chunks()
    assert max(map(len, chunks.values())) - min(map(len, chunks.values())) <= 1


MOST, DIFFERENT = SUPPLY["mindgames", "forehead"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--rows 0", "--rows is 0; it must be 1 or more"),
        ("--rows 600 --tasks 0", "--tasks is 0; it must be 1 or more"),
        ("--rows 600 --prove 1.5", "--prove is 1.5; it must be a share from 0 to 1"),
        ("--rows 604", "--rows is 604; a story of deep has 5 rows: say 605"),
        (
            "--rows 1200 --tasks 3",
            "--tasks is 3; 1,200 rows are 2 chunks of 600, and a task makes whole chunks: say 2 or less",
        ),
        ("--rows 600 --field n_agents=99", "deep: n_agents is 99; it must be from 2 to 12 (--field n_agents)"),
        *(
            (f"--rows 600 --out {out}", f"--out is {out}; it must be a folder, or hf://datasets/NAMESPACE/NAME")
            for out in ("s3://bucket/rows", "hf://me/rows", "hf://datasets/rows", "hf://datasets/me/rows/x")
        ),
    ],
)
def test_what_cannot_be_made_is_refused(run, words, message):
    refused(run(*SCALE, *words.split()), is_whole=f"error: {message}\n")


def test_more_rows_than_a_config_has_problems_are_refused(run):
    refused(
        run("scale", "mindgames", "--config", "forehead", "--rows", MOST + 4, "--out", "nowhere"),
        is_whole=f"error: --rows is {MOST + 4}; the first {MOST:,} rows of forehead have about {DIFFERENT:,} different "
        f"problems, and about every second further row repeats one: say {MOST} or less, or another config\n",
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--rows", "600", "--prove", "half"), "Invalid value for '--prove': 'half' is not a number"),
        (("--rows", "600", "--sbatch", "cpu"), "Invalid value for '--sbatch': 'cpu' is not NAME=VALUE"),
    ],
)
def test_what_cannot_be_read_is_refused(run, words, message):
    refused(run(*SCALE, *words), f"error: {message} (see python -m tom_datasets scale hi_tom --help)", code=2)


def test_without_datatrove_the_command_says_what_to_install(run, monkeypatch, tmp_path):
    monkeypatch.delitem(sys.modules, "tom_datasets.scale.executors", raising=False)
    monkeypatch.setitem(sys.modules, "datatrove", None)
    words = ["--rows", "600", "--executor", "ray"]
    result = run("scale", "hi_tom", "--config", "deep", *words, "--out", tmp_path / "new")
    refused(result, "needs datatrove: pip install 'tom-datasets[scale]' (in a clone: '.[scale]')\n")
    assert not (tmp_path / "new").exists()
    monkeypatch.setattr("pyarrow.__version__", "15.0.2")
    result = run("scale", "hi_tom", "--config", "deep", "--rows", "600", "--out", tmp_path / "new")
    refused(result, "scale needs pyarrow 21 or newer, but this is 15.0.2: pip install")


def test_requests_differ_by_the_fields_that_say_so(request_of, tmp_path):
    def said(**other):
        return differing_arguments(request_of().build(tmp_path), request_of(**other).build(tmp_path), option_of)

    assert said() == []
    assert said(seed=8, tasks=1) == ["--seed is 7 there, 8 here", "--tasks is 2 there, 1 here"]
    assert said(config="deep") == ["0th_order is only there", "deep is only here"]
