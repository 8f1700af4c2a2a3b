"""Write entries for the Hub's leaderboard: as its own client reads them, for every task that was answered whole."""

from datetime import UTC, datetime

import huggingface_hub
import pytest
import yaml
from answering import right_reply, row_id, write_lines
from support import refused

COMMIT = "5503434ddd753f426f4b38109466949a1217c2bb"
NEEDED = ("--model-id", "org/model", "--dataset-id", "lab/hi_tom", "--revision", COMMIT)
ORDERS = ["0th_order", "1st_order", "2nd_order", "3rd_order", "4th_order"]


@pytest.fixture
def written(run, folder, tmp_path):
    """Write the entries of a file of responses; return what was printed, and the entries."""

    def written(name, responses, *more):
        file = tmp_path / "made" / "entries.yaml"
        words = ("score", name, "--out", folder, "--responses", responses, "--eval-results", file)
        code, printed, errors = run(*words, *NEEDED, *more)
        assert (code, errors) == (0, ""), errors
        return printed, yaml.safe_load(file.read_text(encoding="utf-8"))

    return written


def test_every_task_that_was_answered_whole_has_an_entry(written, answered, folder):
    """All questions but those of order 2 are answered rightly."""
    responses = answered("hi_tom", lambda row: "Who knows?" if row["order"] == 2 else right_reply(row))
    printed, entries = written("hi_tom", responses, "--notes", "vp, temperature 0", "--date", "2026-01-31")
    values = {entry["dataset"]["task_id"]: entry["value"] for entry in entries}
    assert values == {"all": 80.0, **dict.fromkeys(ORDERS, 100.0), "2nd_order": 0.0}
    tasks = [task["id"] for task in yaml.safe_load((folder / "hi_tom" / "eval.yaml").read_text())["tasks"]]
    assert list(values) == [task for task in tasks if task in values] and len(tasks) > len(values)
    (whole,) = [entry for entry in entries if entry["dataset"]["task_id"] == "all"]
    notes, name = whole.pop("notes"), whole["source"].pop("name")
    assert whole == {
        "dataset": {"id": "lab/hi_tom", "task_id": "all", "revision": COMMIT},
        "value": 80.0,
        "date": "2026-01-31",
        "source": {"url": "https://huggingface.co/datasets/lab/hi_tom"},
    }
    assert name.startswith("scored by tom-datasets ")
    assert notes.startswith("vp, temperature 0; 120 rows; accuracy 80.0 (") and "; joint accuracy 40.0 (" in notes
    assert "entries.yaml .eval_results/hi_tom.yaml --create-pr sends them\n" in printed
    assert printed.count("hf upload org/model ") == 1


def test_the_client_of_the_hub_reads_the_entries(written, answered):
    if not hasattr(huggingface_hub, "EvalResultEntry"):
        pytest.skip("this huggingface_hub knows no such entries")
    _, entries = written("mindgames", answered("mindgames"), "--source", "https://example.org/logs?a=1")
    read = huggingface_hub.parse_eval_result_entries(entries)
    assert huggingface_hub.eval_result_entries_to_yaml(read) == entries, "every field is one that the client knows"
    assert {entry.task_id for entry in read} == {"all", "forehead", "forehead_mirror", "internal", "explicit"}
    assert {entry.source_url for entry in read} == {"https://example.org/logs?a=1"}
    assert {entry.date for entry in read} == {datetime.now(UTC).date().isoformat()}
    assert all("block accuracy 100.0 (" in entry.notes for entry in read)


def test_a_task_that_was_answered_in_part_has_no_entry(run, written, rows_of, folder, tmp_path):
    """Nor has one whose rows were left out, as their stories were answered in part."""
    lines = [{"id": row_id(row), "response": right_reply(row)} for row in rows_of("hi_tom")]
    first = write_lines(tmp_path / "first.jsonl", [line for line in lines if line["id"].endswith("-0")])
    _, entries = written("hi_tom", first, "--config", ORDERS[0])
    assert [(entry["dataset"]["task_id"], entry["value"]) for entry in entries] == [(ORDERS[0], 100.0)]
    no = tmp_path / "no.yaml"
    words = ("--out", folder, "--partial", "--eval-results", no, *NEEDED, "--report", tmp_path / "no.json")
    refused(run("score", "hi_tom", "--responses", first, *words), "score whole stories", "or name their --config")
    for few in (lines[:10], lines[1:]):
        some = write_lines(tmp_path / "some.jsonl", few)
        refused(run("score", "hi_tom", "--responses", some, *words), "no task of eval.yaml was answered whole")
    assert not no.exists() and not (tmp_path / "no.json").exists()


WRONG = {
    "a model alone": (("--model-id", "model"), 2, "'model' is no repository of the Hub, such as ORG/NAME"),
    "a short commit": (("--revision", "5503434"), 2, "'5503434' is no commit: it has 40 hexadecimal digits"),
    "no day": (("--date", "tomorrow"), 2, "'tomorrow' is no day such as 2026-01-31"),
    "no address": (("--source", "logs"), 2, "'logs' is no address such as https://example.org"),
    "published data": (("--data", "x.json"), 1, "--eval-results takes one file of responses to a build"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_values_are_one_line(run, folder, answered, tmp_path, kind):
    words, code, message = WRONG[kind]
    asked = ("score", "hi_tom", "--out", folder, "--responses", answered("hi_tom"))
    refused(run(*asked, "--eval-results", tmp_path / "r.yaml", *NEEDED, *words), message, code=code)
    assert not (tmp_path / "r.yaml").exists()


def test_what_is_missing_or_does_nothing_is_said(run, folder, answered, rows_of, tmp_path):
    asked = ("score", "hi_tom", "--out", folder, "--responses", answered("hi_tom"))
    file = ("--eval-results", tmp_path / "r.yaml")
    refused(run(*asked, *file, *NEEDED[:2]), "--eval-results needs --dataset-id, --revision too")
    refused(run(*asked, "--date", "2026-01-31"), "--date: for the entries of a leaderboard; name their file with")
    lines = [{"id": row_id(row), "response": "A", "prompt": prompt} for row in rows_of("hi_tom") for prompt in "ab"]
    two = ("score", "hi_tom", "--out", folder, "--responses", write_lines(tmp_path / "two.jsonl", lines))
    refused(run(*two, *file, *NEEDED), "has responses to several prompts (a, b): --prompt chooses one")
    assert run(*two, *file, *NEEDED, "--prompt", "a")[0] == 0
