"""Run the blocks of docs/how_to/train.md as printed, except those of packages that `make test-eval` installs."""

import json
import re
from itertools import islice

import pyarrow.parquet as pq
import pytest
from support import ROOT

from tom_datasets.streaming.endless import endless

PAGE = (ROOT / "docs" / "how_to" / "train.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
COMMANDS = re.findall(r"^python -m tom_datasets (.*)$", PAGE, re.MULTILINE)


def test_the_page_has_blocks():
    assert len(BLOCKS) == 5 and [command.split()[0] for command in COMMANDS] == ["stream", "export", "export"]


@pytest.mark.parametrize("number", range(5))
def test_a_block_runs_as_printed(number, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    names = {}
    exec(BLOCKS[number], names)
    printed = capsys.readouterr().out
    if number == 0:
        assert printed.startswith("Where does ") and len(printed.splitlines()) == 11
    if number == 1:
        assert next(iter(names["rows"]))["answer"]
    if number == 2:
        few = endless("mindgames", "forehead", seed=7, n_agents=[2])
        kept = [row["index"] for row in islice(names["different"](few), 200)]
        problems = [few.drawn_row(index).problem for index in range(kept[-1] + 1)]
        assert [problems.index(problems[index]) for index in kept] == kept and len(set(problems)) == 200 < len(problems)
        assert len(printed.splitlines()) == 100
    if number == 3:
        assert {row["rung"] is None for row in islice(names["rows"], 60)} == {True, False}
    if number == 4:
        assert printed == "1.0\n"


def test_the_commands_run(run, tiny_copy, tmp_path):
    out = {name: tiny_copy(name) for name in ("hi_tom", "mindgames")}
    stream, *exports = (command.split() for command in COMMANDS)
    end = stream.index("--count")
    code, printed, _ = run(*stream[: end + 1], "10")
    assert stream[end + 1 :] == ["1000", ">", "rows.jsonl"] and code == 0
    assert [json.loads(line)["order"] for line in printed.splitlines()] == [0, 1, 2, 3, 4] * 2
    for command in exports:
        file = tmp_path / command[-1]
        assert run(*command[:-1], file, "--out", out[command[1]])[0] == 0
        if file.suffix == ".jsonl":
            line = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
        else:
            line = pq.read_table(file).to_pylist()[0]
        assert [message["role"] for message in line["prompt"] + line["completion"]] == ["user", "assistant"]
