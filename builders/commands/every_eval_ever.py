"""A model's scores as Every Eval Ever takes them: a log with a result for each task and metric, and its samples.

The fields are those of the project's eval.schema.json and instance_level_eval.schema.json, both of version SCHEMA. What
`score` cannot know is called unknown, or left out.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from .. import GENERATOR_VERSION
from ..answers.items import Item
from ..answers.rates import DRAWS, Bootstrap, Rate
from ..answers.scores import JOINT, Score, metric_rates, metric_values
from ..columns import Row
from ..files import written_beside
from ..prompts import COLUMNS
from .leaderboard import answered_whole
from .scoring import Evaluation, Scoring

SCHEMA = "0.3.0"  # the version of both schemas
OURS = "tom-datasets"
UUID4 = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")  # a name in its datastore
# What each metric counts, in words.
COUNTED = {
    "accuracy": "the share of rows that are right; an unread reply counts as wrong",
    "joint accuracy": "a question counts when it and all lower orders of its story are right; in abilities, when both "
    "questions of its pair are right",
    "block accuracy": "a problem counts when all four problems of its block are right",
}


class Log(NamedTuple):
    """Hold the texts of the two files, and their place in the datastore."""

    log: str  # the results, as JSON
    samples: str  # what each reply says, as JSON lines
    place: str  # path in the datastore, without what the names of the two files end with


def samples_file(file: Path) -> Path:
    """Return the path of the samples of a log: beside it, and named like it."""
    return file.with_name(f"{file.stem}_samples.jsonl")


def log_of(scoring: Scoring, file: Path, by_prompt: Mapping[str, Score], rows: list[Row]) -> Log:
    """Return what was measured on each task whose rows all have a reply. rows: those that were asked.

    With --date, the same replies give the same bytes. Raises UserError as `answered_whole`.
    """
    said, dataset = scoring.evaluation, scoring.answered.dataset
    whole = answered_whole(scoring.answered, file, by_prompt)
    by_id = {str(row[COLUMNS[dataset][0]]): row for row in rows}
    collection = (said.dataset_id or dataset).rpartition("/")[2]
    prompt = next(iter(whole.values()))[0].prompt
    moment = datetime.fromisoformat(said.date).replace(tzinfo=UTC) if said.date else datetime.now(UTC)
    retrieved = str(moment.timestamp())
    name = ".".join(filter(None, (collection, next(iter(whole)), prompt)))
    evaluation = f"{name}/{said.model_id}/{retrieved}"
    asked = {"notes": said.notes, "prompt": prompt}
    results, samples = [], []
    for task, replies in whole.items():
        rates = metric_rates(dataset, replies, Bootstrap(dataset, (reply.unit for reply in replies)))
        for metric, values in metric_values(dataset, replies).items():
            if metric in ("accuracy", JOINT[dataset]) and values:
                rated = result(dataset, collection, task, metric, rates)
                rated["source_data"] = source_data(scoring, collection, task, replies, by_id)
                if details := {name: text for name, text in asked.items() if text}:
                    rated["generation_config"] = {"additional_details": details}
                results.append(rated)
                key = {"schema_version": SCHEMA, "evaluation_id": evaluation, "model_id": said.model_id}
                key |= {name: rated[name] for name in ("evaluation_name", "evaluation_result_id")}
                samples += [key | sample(dataset, reply, counts, by_id[reply.id]) for reply, counts in values]
    # All is ASCII: a reply may hold other ends of lines, and half a surrogate pair.
    lines = "".join(json.dumps(line) + "\n" for line in samples)
    digest = hashlib.sha256(lines.encode())
    place = f"data/{collection}/{said.model_id}/{file_name(scoring.every_eval_ever, digest.digest())}"
    log = head(said, evaluation, retrieved) | {
        "evaluation_results": results,
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": f"{place}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": digest.hexdigest(),
            "total_rows": len(samples),
        },
    }
    return Log(json.dumps(log, indent=2) + "\n", lines, place)


def file_name(file: Path | None, digest: bytes) -> str:
    """Return the UUID of version 4 that names a log in the datastore: that of its path, or else one from a digest."""
    return file.stem if file and UUID4.fullmatch(file.stem) else str(UUID(bytes=digest[:16], version=4))


def head(said: Evaluation, evaluation: str, retrieved: str) -> dict[str, Any]:
    """Return the fields of a log that say what was evaluated, when, and by what."""
    source = {
        "source_name": OURS,
        "source_type": "evaluation_run",
        "source_organization_name": "unknown",
        "evaluator_relationship": "other",
    }
    unknown = {"deployment_type": "unknown", "model_availability": "unknown"}
    return {
        "schema_version": SCHEMA,
        "evaluation_id": evaluation,
        **({"evaluation_timestamp": said.date} if said.date else {}),
        "retrieved_timestamp": retrieved,
        "source_metadata": source | ({"additional_details": {"url": said.source}} if said.source else {}),
        "eval_library": {"name": OURS, "version": GENERATOR_VERSION},
        "model_info": {"name": said.model_id, "id": said.model_id, "additional_details": unknown},
    }


def result(dataset: str, collection: str, task: str, metric: str, rates: Mapping[str, Rate]) -> dict[str, Any]:
    """Return the result of one metric on one task, as a share with its 95 % interval."""
    rate, kind = rates[metric], metric.replace(" ", "_")
    details = {"rows": rate.total, "right": rate.right, "chance": rate.chance, "above_chance": rate.above_chance}
    details |= {"unread": rates["unread"].share} if metric == "accuracy" else {}
    units = "stories" if dataset == "hi_tom" else "blocks"
    return {
        "evaluation_result_id": f"{collection}.{task}/{kind}",
        "evaluation_name": f"{collection}.{task}",
        "metric_config": {
            "evaluation_description": COUNTED[metric],
            "metric_id": kind if metric == "accuracy" else f"{dataset}.{kind}",
            "metric_name": metric,
            "metric_kind": kind,
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 1,
        },
        "score_details": {
            "score": rate.share,
            "details": {name: json.dumps(value) for name, value in details.items()},
            "uncertainty": {
                "confidence_interval": {
                    "lower": rate.low,
                    "upper": rate.high,
                    "confidence_level": 0.95,
                    "method": f"percentiles of a bootstrap over {units}; Wilson's where all draws are alike",
                },
                "num_samples": rate.total,
                "num_bootstrap_samples": DRAWS,
            },
        },
    }


def source_data(
    scoring: Scoring, collection: str, task: str, replies: list[Item], by_id: Mapping[str, Row]
) -> dict[str, Any]:
    """Return where the rows of a task are: in a dataset of the Hub if --dataset-id names it."""
    said, split = scoring.evaluation, scoring.answered.split or "test"
    details = {"config": task, "generator_version": by_id[replies[0].id]["generator_version"]}
    if not said.dataset_id:
        details |= {"split": split}
        return {"dataset_name": collection, "source_type": "other", "additional_details": details}
    return {
        "dataset_name": collection,
        "source_type": "hf_dataset",
        "hf_repo": said.dataset_id,
        "hf_split": split,
        "samples_number": len({reply.id for reply in replies}),
        "additional_details": details | ({"revision": said.revision} if said.revision else {}),
    }


def sample(dataset: str, reply: Item, counts: float, row: Row) -> dict[str, Any]:
    """Return what a reply says and whether a metric counts it.

    The input is the problem as the row has it: which prompt asked it, a file of replies does not say.
    """
    raw = "\n\n".join(row[column] for column in COLUMNS[dataset][1:3])
    asked = {"raw": raw, "reference": [reply.choices[reply.answer]]}
    plain = json.dumps(asked, sort_keys=True, separators=(",", ":"))  # as the project's own converters hash it
    read = {"turn_idx": 0, "source": "output.raw", "extraction_method": f"{OURS} score", "is_terminal": True}
    more = {"unit": reply.unit, "unread": reply.reading.why if reply.chosen is None else None}
    return {
        "sample_id": reply.id,
        "sample_hash": hashlib.sha256(plain.encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": asked | {"choices": list(reply.choices)},
        "output": {"raw": [reply.text]},
        "answer_attribution": [] if reply.chosen is None else [read | {"extracted_value": reply.chosen}],
        "evaluation": {"score": float(counts), "is_correct": reply.right},
        "metadata": {**reply.groups, **{name: text for name, text in more.items() if text}},
    }


def write(file: Path, made: Log) -> str:
    """Write a log and its samples, both or none; return what they are."""
    samples = samples_file(file)
    with written_beside(file, samples) as partials:
        for partial, text in zip(partials, (made.log, made.samples), strict=True):
            partial.write_bytes(text.encode())  # the checksum is of these bytes
    return f"\nEvery Eval Ever: {file} and {samples}; its datastore has them as {made.place}.json and …_samples.jsonl"
