"""How far readers that know the house get in other worlds: `python -m results.worlds --out DIR`.

The probe that scores rows is asked here and now. Of other readers, the replies are compared that `results.reference`
and `results.finetune` kept of configs in worlds.
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from tempfile import TemporaryDirectory
from typing import Any

from pyarrow.parquet import read_table

from results import page
from results.reference import WORLDS_OF, command
from results.rules import PROBE
from results.tables import REPLIES, WORLDS, replace_lines, run
from tom_datasets.dataset import dataset_named
from tom_datasets.difficulty.probe import scored_rows
from tom_datasets.files import write_lines
from tom_datasets.splits import HOUSE, language_tag, named_in, split_file
from tom_datasets.syntax.formula import LABELS

ALL = "all"  # what the probe has learnt


def config_in(world: str, config: str) -> str:
    """Return the name that a config has in a world."""
    return named_in(config, language_tag(world))


def guesses(dataset: str, rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, str]]:
    """Yield the reply that the guess of the probe is to each row, in the form that `score` reads."""
    for row in scored_rows([dict(row) for row in rows], "embedded", dataset)[0]:
        guess = row["deberta_pred"]
        choice = LABELS[bool(guess)] if dataset == "mindgames" else ascii_uppercase[guess]
        yield {"id": str(row[dataset_named(dataset).id_column]), "response": f"Answer: {choice}"}


def compared(dataset: str, config: str, out: Path, files: Mapping[str, Path]) -> dict[str, Any]:
    """Score replies to a config in several worlds, the house first; return the report."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        words = ["--config", config, "--out", out, "--partial", "--responses", *files.values(), "--report", report]
        command("score", dataset, *words, "--worlds", *files)
        return json.loads(report.read_text(encoding="utf-8"))


def figures_of(report: Mapping[str, Any], data: str) -> Iterator[dict[str, Any]]:
    """Yield the figures of a comparison of worlds: the accuracy in each, and how they go together."""
    for row in report["comparison"]:
        if row["group"] == ALL:
            rate = row["rates"]["accuracy"]
            yield {"data": data, "world": row["model"], **{name: round(rate[name], 4) for name in page.RATE}}
    together = report["consistency"][ALL]
    right = {name: round(together["right"][name], 4) for name in page.RATE[:-1]}
    gap = {name: round(value, 4) for name, value in together["gap"].items()}
    independent = round(together["independent"], 4)
    yield {"data": data, "world": "together", **right, "independent": independent, "gap": gap}


def measure_probe(out: Path) -> None:
    """Ask the probe all rows of the default config in every world."""
    figures: list[dict[str, Any]] = []
    for dataset, worlds in WORLDS_OF.items():
        with TemporaryDirectory() as folder:
            files = {}
            for world in (HOUSE, *worlds):
                files[world] = Path(folder, f"{world}.jsonl")
                rows = read_table(out / dataset / split_file(config_in(world, ALL), "test")).to_pylist()
                write_lines(files[world], guesses(dataset, rows))
            figures += figures_of(compared(dataset, ALL, out, files), f"{dataset} {ALL}")
    replace_lines(WORLDS, "reader", PROBE, figures)


def measure_replies(reader: str, out: Path) -> None:
    """Compare what a reader replied to each config in the house and in the worlds, where all replies are kept."""
    figures: list[dict[str, Any]] = []
    for dataset, worlds in WORLDS_OF.items():
        for file in sorted((REPLIES / reader).glob(f"{dataset}_*.jsonl")):
            config = file.stem.removeprefix(f"{dataset}_")
            files = {world: file.with_stem(f"{dataset}_{config_in(world, config)}") for world in (HOUSE, *worlds)}
            if all(file.exists() for file in files.values()):
                figures += figures_of(compared(dataset, config, out, files), f"{dataset} {config}")
    if figures:
        replace_lines(WORLDS, "reader", reader, figures)


def main(words: Sequence[str] | None = None) -> None:
    """Measure all readers, and write the page anew."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("."), help="the folder that holds the builds")
    args = parser.parse_args(words)
    measure_probe(args.out)
    for folder in sorted(REPLIES.iterdir()):
        measure_replies(folder.name, args.out)
    page.write()


if __name__ == "__main__":
    run(main)
