"""Write entries for the Hub's leaderboard: as its own client reads them, for every task that was answered whole."""

from datetime import UTC, datetime

import huggingface_hub
import pytest
import yaml
from answering import replies_to, right_reply, write_lines
from support import refused

COMMIT = "5503434ddd753f426f4b38109466949a1217c2bb"
NEEDED = ("--model-id", "org/model", "--dataset-id", "lab/hi_tom", "--revision", COMMIT)
ORDERS = ["0th_order", "1st_order", "2nd_order", "3rd_order", "4th_order"]


@pytest.fixture
def file(tmp_path):
    """Return the path of the entries."""
    return tmp_path / "made" / "entries.yaml"


@pytest.fixture
def written(score, file):
    """Write the entries of a file of responses; return what was printed, and the entries."""

    def written(name, responses, *more):
        code, printed, errors = score(name, responses, "--eval-results", file, *NEEDED, *more)
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


def test_a_task_that_was_answered_in_part_has_no_entry(score, written, rows_of, tmp_path):
    """Nor has one whose rows were left out, as their stories were answered in part."""
    lines = replies_to(rows_of("hi_tom"))
    first = write_lines(tmp_path / "first.jsonl", [line for line in lines if line["id"].endswith("-0")])
    _, entries = written("hi_tom", first, "--config", ORDERS[0])
    assert [(entry["dataset"]["task_id"], entry["value"]) for entry in entries] == [(ORDERS[0], 100.0)]
    no = tmp_path / "no.yaml"
    words = ("--partial", "--eval-results", no, *NEEDED, "--report", tmp_path / "no.json")
    refused(score("hi_tom", first, *words), "score whole stories", "or name their --config")
    for few in (lines[:10], lines[1:]):
        some = write_lines(tmp_path / "some.jsonl", few)
        refused(score("hi_tom", some, *words), "no task of eval.yaml was answered completely")
    assert not no.exists() and not (tmp_path / "no.json").exists()


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((*NEEDED, "--model-id", "model"), 2, "'model' is not a repository of the Hub, such as ORG/NAME"),
        ((*NEEDED, "--revision", "5503434"), 2, "'5503434' is not a commit: a commit has 40 hexadecimal digits"),
        ((*NEEDED, "--date", "tomorrow"), 2, "'tomorrow' is not a day such as 2026-01-31"),
        ((*NEEDED, "--source", "logs"), 2, "'logs' is not an address such as https://example.org"),
        ((*NEEDED, "--data", "x.json"), 2, "--eval-results cannot be combined with --data; leave it out"),
        (NEEDED[:2], 2, "--eval-results needs --dataset-id, --revision too"),
    ],
)
def test_wrong_values_are_one_line(score, answered, file, words, code, message):
    refused(score("hi_tom", answered("hi_tom"), "--eval-results", file, *words), message, code=code)
    assert not file.exists()


def test_entries_are_of_one_prompt_and_their_options_need_their_file(score, answered, rows_of, file, tmp_path):
    needs = "--date needs --eval-results or --every-eval-ever too"
    refused(score("hi_tom", answered("hi_tom"), "--date", "2026-01-31"), needs, code=2)
    lines = [line for prompt in "ab" for line in replies_to(rows_of("hi_tom"), prompt=prompt)]
    asked = ("hi_tom", write_lines(tmp_path / "two.jsonl", lines), "--eval-results", file, *NEEDED)
    refused(score(*asked), "has responses to several prompts (a, b)")
    assert score(*asked, "--prompt", "a")[0] == 0
