"""Ask a model by the project's own prompts and by lm-evaluation-harness, and keep what it said: `make reference`.

A model of this machine is asked twice: greedily, by its chat template, as the command `ask` does, and by likelihoods,
as the harness does. One behind an address is asked by its replies alone. Both ways end in files of replies, which
`score` reads, so that both are measured alike. Whatever is broken off goes on where it was.
"""

import json
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from string import ascii_uppercase
from tempfile import TemporaryDirectory
from typing import Any

from pyarrow.parquet import read_metadata

from results import page, rules
from results.tables import FIGURES, REPLIES, figures_of, horizon_of, lines_of, replace_lines, run
from tom_datasets.errors import UserError
from tom_datasets.files import write_text
from tom_datasets.splits import split_file
from tom_datasets.training.models import PACKAGES, packaged

CLONE = Path(__file__).resolve().parents[1]
# What is asked, and by which property its rows are grouped in the tables of the page.
ASKED = {
    ("hi_tom", "all"): "order",
    ("hi_tom", "deep"): "order",
    ("hi_tom", "ladder"): "rung",
    ("hi_tom", "woven"): "hops",
    ("mindgames", "all"): "setup",
    ("mindgames", "deep"): "depth",
    ("mindgames", "ladder"): "rung",
    ("mindgames", "rounds"): "rung",
}
# The worlds of each dataset, where the same rows of `deep` are asked again.
WORLDS_OF = {"hi_tom": ("call", "ward", "log"), "mindgames": ("servers", "exam")}
WHOLE = {"hi_tom": 5, "mindgames": 4}  # rows of a story or a block; the harness's limit counts rows alone
WAYS = ("replies", "likelihoods")
LABELS = ("True", "False")  # what the harness weighs in mindgames, in its order


def command(*words: Any) -> None:
    """Run a command of the project. Raises UserError where it fails; it has said why."""
    if subprocess.run([sys.executable, "-m", "tom_datasets", *map(str, words)], check=False).returncode:
        raise UserError(f"the command {words[0]} failed, for the reason above; what was asked until then is kept")


def scored(dataset: str, *words: Any) -> dict[str, Any]:
    """Score replies, of which some may be missing; return the scores of the report, by kind of prompt."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command("score", dataset, *words, "--partial", "--report", report)
        return json.loads(report.read_text(encoding="utf-8"))["scores"]


def ask(model: str, name: str, out: Path, rows: int) -> None:
    """Ask a model by the project's own prompts; keep its replies below the name of a reader."""
    told = [(dataset, f"deep_{world}") for dataset, worlds in WORLDS_OF.items() for world in worlds]
    for dataset, config in (*ASKED, *told):
        asked = ("--config", config, "--out", out, "--limit", rows, "--model", model, "--name", name, "--skip-long")
        command("ask", dataset, *asked, "--to", replies_file(name, "replies", dataset, config))


def weigh(model: str, name: str, out: Path, rows: int) -> None:
    """Let lm-evaluation-harness weigh the choices; keep the likeliest of each row as its reply."""
    for dataset, unit in WHOLE.items():
        limit, left = -(-rows // unit) * unit, {}
        for config in (config for of, config in ASKED if of == dataset):
            file = replies_file(name, "likelihoods", dataset, config)
            there = read_metadata(out / dataset / split_file(config, "test")).num_rows
            if not file.exists() or len(lines_of(file)) < min(limit, there):
                left[f"{dataset}_{config}"] = file
        if not left:
            continue
        with TemporaryDirectory() as folder:
            words = ["run", "--model", "hf", "--model_args", f"pretrained={model}", "--tasks", ",".join(left)]
            words += ["--include_path", CLONE / "tasks" / "lm_eval", "--limit", limit]
            words += ["--output_path", folder, "--log_samples", "--metadata", json.dumps({"where": str(out.resolve())})]
            if has_chat_template(model):
                words += ["--apply_chat_template"]
            begun = time.monotonic()
            if code := subprocess.run([sys.executable, "-m", "lm_eval", *map(str, words)], check=False).returncode:
                raise UserError(f"lm_eval ended with {code}, for the reason above")
            seconds = time.monotonic() - begun
            samples = {task: list(samples_of(Path(folder), task)) for task in left}
        each = round(seconds / sum(map(len, samples.values())), 2)  # the harness gives the seconds of all together
        for task, file in left.items():
            lines = [json.dumps({**line, "seconds": each}) for line in samples[task]]
            write_text(file, "".join(f"{line}\n" for line in lines))


def has_chat_template(model: str) -> bool:
    """Return whether a model is asked by a chat template."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(model).chat_template is not None


def samples_of(folder: Path, task: str) -> Iterator[dict[str, str]]:
    """Yield the replies of a task of the harness: of each row the choice whose likelihood is highest."""
    (file,) = folder.rglob(f"samples_{task}_*.jsonl")
    choices = LABELS if task.startswith("mindgames") else ascii_uppercase
    for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        weights = [float(weight) for weight, _ in line["filtered_resps"]]
        doc = line["doc"]
        yield {"id": str(doc["id" if "id" in doc else "index"]), "response": choices[weights.index(max(weights))]}


def replies_file(name: str, way: str, dataset: str, config: str) -> Path:
    """Return where the replies of a reader to a config are kept."""
    return REPLIES / f"{name}, {way}" / f"{dataset}_{config}.jsonl"


def measure(reader: str, out: Path) -> None:
    """Score the replies that are kept of a reader, and put the figures in the place of its older ones."""
    figures: list[dict[str, Any]] = []
    for (dataset, config), group in ASKED.items():
        file = REPLIES / reader / f"{dataset}_{config}.jsonl"
        if not file.exists():
            continue
        scores = scored(dataset, "--config", config, "--out", out, "--responses", file)["all"]
        replies = lines_of(file)
        cost = {"seconds": round(sum(reply["seconds"] for reply in replies), 1)}
        for count in ("prompt_tokens", "completion_tokens"):
            if all(reply.get("usage") for reply in replies):
                cost[count] = sum(reply["usage"][count] for reply in replies)
        (whole,) = figures_of(scores["tables"]["all"], f"{dataset} {config}")
        figures += [{**whole, **cost, "cut": scores["read"]["cut"]["replies"], **horizon_of(scores)}]
        figures += figures_of(scores["tables"][group], f"{dataset} {config}")
    replace_lines(FIGURES, "reader", reader, figures)


def main(words: Sequence[str] | None = None) -> None:
    """Ask a model, measure its replies, and write the page anew."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="smollm2", help="as for the command ask (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=60, help="rows of each config (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("."), help="the folder that holds the builds")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS, help="how it is asked (default: both)")
    parser.add_argument("--name", help="the name of its replies' folders (default: the model's last part)")
    args = parser.parse_args(words)
    name = args.name or args.model.rstrip("/").rpartition("/")[2].rpartition("#")[2]
    if missing := [of for of, config in ASKED if not (args.out / of / split_file(config, "test")).exists()]:
        raise UserError(f"{args.out.absolute()} holds no build of {missing[0]} with all of its configs: run make build")
    with TemporaryDirectory() as folder:
        model = str(packaged(args.model, Path(folder, args.model))) if args.model in PACKAGES else args.model
        if "replies" in args.ways:
            ask(args.model, name, args.out, args.rows)
        if "likelihoods" in args.ways and "://" not in model:
            weigh(model, name, args.out, args.rows)
    for way in WAYS:
        if (REPLIES / f"{name}, {way}").exists():
            measure(f"{name}, {way}", args.out)
    rules.measure(args.out)
    page.write()


if __name__ == "__main__":
    run(main)
