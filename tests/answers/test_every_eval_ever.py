"""Write scores for Every Eval Ever: by the fields of its schemas, with a line for each reply to each result."""

import hashlib
import json
import re

import pytest
from answering import replies_to, right_reply, write_lines
from support import contents, refused

COMMIT = "5503434ddd753f426f4b38109466949a1217c2bb"
MODEL = ("--model-id", "org/model")
HUB = (*MODEL, "--dataset-id", "lab/hi_tom", "--revision", COMMIT, "--date", "2026-01-31")
NAME = "c5c02b8c-4cfa-4ade-970b-73f50b5bc442"  # a UUID of version 4

# What eval.schema.json and instance_level_eval.schema.json, version 0.3.0, say of the fields that we write: types, sets
# of values, lists of one element, objects. A field that ends with ? may be missing. No other field may be there.
NUMBER, TEXTS = (int, float), {...: str}
SOURCES = (
    {"dataset_name": str, "source_type": {"hf_dataset"}, "hf_repo?": str, "hf_split?": str, "samples_number?": int}
    | {"additional_details?": TEXTS},
    {"dataset_name": str, "source_type": {"other"}, "additional_details?": TEXTS},
)
METRIC = {"evaluation_description?": str, "metric_id?": str, "metric_name?": str, "metric_kind?": str}
METRIC |= {"metric_unit?": str, "lower_is_better": bool, "score_type": {"continuous"}, "min_score": NUMBER}
INTERVAL = {"lower": NUMBER, "upper": NUMBER, "confidence_level?": NUMBER, "method?": str}
UNCERTAINTY = {"confidence_interval?": INTERVAL, "num_samples?": int, "num_bootstrap_samples?": int}
RESULT = {"evaluation_result_id?": str, "evaluation_name": str, "source_data": SOURCES}
RESULT |= {"metric_config": METRIC | {"max_score": NUMBER}, "generation_config?": {"additional_details?": TEXTS}}
RESULT |= {"score_details": {"score": NUMBER, "details?": TEXTS, "uncertainty?": UNCERTAINTY}}
ORIGIN = {"source_name?": str, "source_type": {"documentation", "evaluation_run"}, "source_organization_name": str}
ORIGIN |= {"evaluator_relationship": {"first_party", "third_party", "collaborative", "other"}}
AXES = {
    "deployment_type": {"self_deployed", "externally_managed", "unknown"},
    "model_availability": {"open_weights", "closed_weights", "unknown"},
}
LOG = {
    "schema_version": {"0.3.0"},
    "evaluation_id": str,
    "evaluation_timestamp?": str,
    "retrieved_timestamp": str,
    "source_metadata": ORIGIN | {"additional_details?": TEXTS},
    "eval_library": {"name": str, "version": str},
    "model_info": {"name": str, "id": str, "additional_details": AXES},
    "evaluation_results": [RESULT],
    "detailed_evaluation_results?": {
        "format": {"jsonl"},
        "file_path": re.compile(r"data/[^/]+/[^/]+/[^/]+/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}_samples\.jsonl"),
        "hash_algorithm?": {"sha256", "md5"},
        "checksum?": str,
        "total_rows?": int,
    },
}
READ = {"turn_idx": int, "source": str, "extracted_value": str, "extraction_method": str, "is_terminal": bool}
SAMPLE = {
    "schema_version": {"0.3.0"},
    "evaluation_id": str,
    "model_id": str,
    "evaluation_name": str,
    "evaluation_result_id?": str,
    "sample_id": str,
    "sample_hash?": str,
    "interaction_type": {"single_turn"},
    "input": {"raw": str, "reference": [str], "choices?": [str]},
    "output": {"raw": [str]},
    "answer_attribution": [READ],
    "evaluation": {"score": NUMBER, "is_correct": bool},
    "metadata?": TEXTS,
}


def faults(value, shape, where="") -> list[str]:
    """Return where a value is not as one of these shapes says."""
    match shape:
        case dict() if ... in shape:
            return faults(value, {name: shape[...] for name in value}, where)
        case dict() if isinstance(value, dict):
            known = {name.removesuffix("?"): part for name, part in shape.items()}
            missing = [f"{where}.{name} is missing" for name in shape if name[-1] != "?" and name not in value]
            strange = [f"{where}.{name} is unknown" for name in value if name not in known]
            parts = [faults(part, known[name], f"{where}.{name}") for name, part in value.items() if name in known]
            return missing + strange + sum(parts, [])
        case [part] if isinstance(shape, list) and isinstance(value, list):
            return sum((faults(element, part, f"{where}[{place}]") for place, element in enumerate(value)), [])
        case dict(), dict():
            found = [faults(value, form, where) for form in shape]
            return [] if [] in found else min(found, key=len)
        case set():
            right = isinstance(value, str) and value in shape
        case re.Pattern():
            right = isinstance(value, str) and shape.fullmatch(value)
        case _ if isinstance(shape, type | tuple):
            right = isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
        case _:
            right = False
    return [] if right else [f"{where} is {value!r}"]


@pytest.fixture
def file(tmp_path):
    """Return the path of the log."""
    return tmp_path / "made" / "deep.json"


@pytest.fixture
def written(score, file):
    """Write the log of a file of responses; return what was printed, the log, and its samples, both as they must be."""

    def written(name, responses, *more, to=file):
        code, printed, errors = score(name, responses, "--every-eval-ever", to, *more)
        assert (code, errors) == (0, ""), errors
        log, text = json.loads(to.read_text()), to.with_name(f"{to.stem}_samples.jsonl").read_bytes()
        samples = list(map(json.loads, text.decode().splitlines()))  # as the project's own program ends lines
        assert faults(log, LOG) + sum((faults(sample, SAMPLE) for sample in samples), []) == []
        listed = log["detailed_evaluation_results"]
        assert listed["checksum"] == hashlib.sha256(text).hexdigest() and listed["total_rows"] == len(samples)
        assert {sample["evaluation_id"] for sample in samples} == {log["evaluation_id"]}
        assert {sample["model_id"] for sample in samples} == {log["model_info"]["id"]} == {"org/model"}
        return printed, log, samples

    return written


def by_id(log) -> dict:
    """Return the results of a log by their ids."""
    return {result["evaluation_result_id"]: result for result in log["evaluation_results"]}


def test_the_shapes_find_what_the_schemas_forbid(written, answered):
    """The check can fail, at every depth."""
    _, log, (sample, *_) = written("hi_tom", answered("hi_tom"), *MODEL)
    log["evaluation_results"][0]["metric_config"]["max_score"] = "1"
    log["evaluation_results"][1]["score_details"]["details"]["rows"] = 5
    log["evaluation_results"][2]["source_data"]["source_type"] = "url"
    log["model_info"]["additional_details"]["deployment_type"] = "local"
    log["more"] = log.pop("eval_library")
    sample["evaluation"]["score"], sample["interaction_type"] = True, "agentic"
    assert len(faults(log, LOG)) == 6 and len(faults(sample, SAMPLE)) == 2


def test_every_task_and_metric_has_a_result_and_a_line_for_each_reply(written, answered, rows_of):
    """All questions but those of order 2 are answered rightly, so stories of order 3 are not right together."""
    responses = answered("hi_tom", lambda row: "Who knows?" if row["order"] == 2 else right_reply(row))
    more = ("--source", "https://example.org/logs", "--notes", "vp, temperature 0", *HUB)
    printed, log, samples = written("hi_tom", responses, *more)
    results = by_id(log)
    scores = {name: result["score_details"]["score"] for name, result in results.items()}
    assert (scores["hi_tom.all/accuracy"], scores["hi_tom.all/joint_accuracy"]) == (0.8, 0.4)
    assert (scores["hi_tom.3rd_order/accuracy"], scores["hi_tom.2nd_order/accuracy"]) == (1, 0)
    whole = results["hi_tom.all/joint_accuracy"]
    assert whole["metric_config"]["metric_id"] == "hi_tom.joint_accuracy"
    assert results["hi_tom.all/accuracy"]["metric_config"]["metric_id"] == "accuracy"
    details, uncertainty = whole["score_details"]["details"], whole["score_details"]["uncertainty"]
    assert details["rows"] == "120" and uncertainty["num_samples"] == 120 and float(details["chance"]) < 0.1
    interval = uncertainty["confidence_interval"]
    assert 0 <= interval["lower"] <= 0.4 <= interval["upper"] <= 1 and interval["confidence_level"] == 0.95
    assert whole["source_data"]["hf_repo"] == "lab/hi_tom" and whole["source_data"]["hf_split"] == "test"
    assert whole["source_data"]["additional_details"]["revision"] == COMMIT
    assert whole["generation_config"] == {"additional_details": {"notes": "vp, temperature 0"}}
    assert log["source_metadata"]["additional_details"] == {"url": "https://example.org/logs"}
    assert log["evaluation_id"] == f"hi_tom.all/org/model/{log['retrieved_timestamp']}"
    assert float(log["retrieved_timestamp"]) == 1769817600 and log["evaluation_timestamp"] == "2026-01-31"
    for name, score in scores.items():
        counted = [sample["evaluation"]["score"] for sample in samples if sample["evaluation_result_id"] == name]
        assert sum(counted) / len(counted) == pytest.approx(score), name
    place = log["detailed_evaluation_results"]["file_path"].removesuffix("_samples.jsonl")
    assert f"deep_samples.jsonl; its datastore has them as {place}.json and …_samples.jsonl\n" in printed
    rows = {row["id"]: row for row in rows_of("hi_tom")}
    for sample in samples:
        row, unread = rows[sample["sample_id"]], sample["answer_attribution"] == []
        assert sample["input"]["raw"] == f"{row['story']}\n\n{row['question']}"
        assert (sample["input"]["reference"], sample["input"]["choices"]) == ([row["answer"]], row["choices"])
        assert unread == (row["order"] == 2) == ("unread" in sample["metadata"]) != sample["evaluation"]["is_correct"]
        assert unread or sample["answer_attribution"][0]["extracted_value"] == row["answer"]


def test_without_a_dataset_of_the_hub_the_source_is_another(written, answered, rows_of):
    """The replies have a prompt; the one of mindgames is of another line, and of half a character."""
    lines = replies_to(rows_of("mindgames"), lambda row: f"{row['label']}.\u2028\ud800", prompt="mine")
    responses = answered("mindgames")
    responses.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, log, samples = written("mindgames", responses, *MODEL)
    scores = {name: result["score_details"]["score"] for name, result in by_id(log).items()}
    assert scores["mindgames.all/block_accuracy"] == scores["mindgames.explicit/accuracy"] == 1
    assert {result["source_data"]["source_type"] for result in log["evaluation_results"]} == {"other"}
    assert log["evaluation_results"][0]["generation_config"] == {"additional_details": {"prompt": "mine"}}
    assert log["evaluation_id"].startswith("mindgames.all.mine/org/model/") and "evaluation_timestamp" not in log
    row = rows_of("mindgames")[0]
    (first, *_) = [sample for sample in samples if sample["sample_id"] == str(row["index"])]
    assert first["input"]["raw"] == f"{row['premise']}\n\n{row['hypothesis']}"
    assert first["output"] == {"raw": [f"{row['label']}.\u2028\ud800"]}


def test_with_a_day_the_bytes_are_the_same_and_a_uuid_is_kept(written, answered, tmp_path):
    (first, second), place = (tmp_path / "one" / "a.json", tmp_path / "two" / "a.json"), "data/hi_tom/org/model/"
    logs = [written("hi_tom", answered("hi_tom"), *HUB, to=path)[1] for path in (first, second)]
    assert contents(first.parent) == contents(second.parent) and len(contents(first.parent)) == 2
    made = logs[0]["detailed_evaluation_results"]["file_path"]
    assert made.startswith(place) and made[len(place) + 14] == "4" and made[len(place) + 19] in "89ab", "version 4"
    _, named, _ = written("hi_tom", answered("hi_tom"), *HUB, to=tmp_path / f"{NAME}.json")
    assert named["detailed_evaluation_results"]["file_path"] == f"{place}{NAME}_samples.jsonl"


def test_both_files_are_written_or_none(score, answered, file):
    """A folder stands where the samples would be; then a file stands where the folder would be."""
    (file.parent / "deep_samples.jsonl").mkdir(parents=True)
    refused(score("hi_tom", answered("hi_tom"), "--every-eval-ever", file, *MODEL), "deep_samples.jsonl is not a file")
    assert not file.exists()
    (file.parent / "deep_samples.jsonl").rmdir()
    file.parent.rmdir()
    file.parent.write_text("a file in the way")
    refused(score("hi_tom", answered("hi_tom"), "--every-eval-ever", file, *MODEL), "made")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "--every-eval-ever needs --model-id too"),
        ((*MODEL, "--revision", COMMIT), 2, "--revision needs --dataset-id too"),
        ((*MODEL, "--data", "x.json"), 2, "--every-eval-ever cannot be combined with --data; leave it out"),
        ((*MODEL, "--every-eval-ever", "made.yaml"), 2, "'made.yaml' must end in .json"),
        ((*MODEL, "--style", "all-at-once"), 2, "--style cannot be combined with --every-eval-ever; leave it out"),
    ],
)
def test_wrong_options_are_one_line(score, answered, file, words, code, message):
    refused(score("hi_tom", answered("hi_tom"), "--every-eval-ever", file, *words), message, code=code)
    assert not file.exists()


def test_a_log_is_of_one_prompt_and_of_whole_tasks_and_no_file_twice(score, rows_of, file, tmp_path):
    lines = [line for prompt in "ab" for line in replies_to(rows_of("hi_tom"), prompt=prompt)]
    two = write_lines(tmp_path / "two.jsonl", lines)
    asked = ("--every-eval-ever", file, *MODEL)
    refused(score("hi_tom", two, *asked), "has responses to several prompts (a, b)")
    some = write_lines(tmp_path / "deep_samples.jsonl", replies_to(rows_of("hi_tom")[:10]))
    refused(score("hi_tom", some, "--partial", *asked), "no task of eval.yaml was answered completely")
    refused(score("hi_tom", some, "--every-eval-ever", tmp_path / "deep.json", *MODEL), "is named twice")
    assert not file.exists() and not (tmp_path / "deep.json").exists()
    assert score("hi_tom", two, *asked, "--prompt", "a")[0] == 0
