"""Learning curves of the trained probe: `make curves` trains models from scratch, and asks them test rows on the way.

A model sees each row of an endless stream once. No problem of the test split is in it (docs/how_to/train.md), and rows
that look to a probe like a test row, names aside, are left out too. After each number of POINTS it is asked all test
rows of some configs. What is asked is an average of the model's weights over the last hundred steps or so (Polyak and
Juditsky, 1992), as they still jump at a learning rate that does not fall.
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from results.tables import CURVES, replace_lines, run
from tom_datasets.columns import Row
from tom_datasets.commands.scoring import Answered, asked_rows
from tom_datasets.difficulty.masking import PLACEHOLDERS, SPECIAL, MaskedRow, mask_row
from tom_datasets.streaming.endless import endless
from tom_datasets.training.probe import batches, lessons_of, new_model, padded, taught
from tom_datasets.training.recipes import RECIPES, SEED, WARM

POINTS = (1_000, 4_000, 16_000, 64_000)  # rows seen, after which a model is asked
BATCH = 16  # rows of a step: on a processor larger ones take longer for each row
LIMIT = 512  # tokens of a row at most; all are shorter
KEPT = 0.98  # share of the averaged weights that a step keeps


@dataclass(frozen=True)
class Curve:
    """Say what a model is trained on, and what it is asked."""

    dataset: str
    trained: Mapping[str, Any]  # config of the stream, and fields of it
    asked: Sequence[str]  # configs whose test rows are asked
    points: Sequence[int] = POINTS


RECIPES_OF_CURVES = {
    "hi_tom all": Curve("hi_tom", {"config": "all"}, ["all", "deep"]),
    "hi_tom all, orders 0 to 2": Curve("hi_tom", {"config": "all", "max_order": 2}, ["all"], POINTS[:3]),
    "hi_tom deep": Curve("hi_tom", {"config": "deep"}, ["deep", "all"]),
    "mindgames all": Curve("mindgames", {"config": "all"}, ["all", "deep"]),
    "mindgames deep": Curve("mindgames", {"config": "deep"}, ["deep", "all"]),
    "mindgames deep, orders 1 and 2": Curve("mindgames", {"config": "deep", "max_order": 2}, ["deep"], POINTS[:3]),
}


def order_of(row: Row) -> int:
    """Return the order of a question or a hypothesis."""
    return row["order"] if "order" in row else row["hypothesis_depth"] + 1


def right_by_order(model: torch.nn.Module, asked: Sequence[tuple[int, list[int], MaskedRow]]) -> Counter:
    """Return on how many rows a model is right, by order. Each row has its order and the numbers of its tokens."""
    right, by_length = Counter(), sorted(asked, key=lambda each: len(each[1]))
    model.eval()
    with torch.inference_mode():
        for start in range(0, len(by_length), BATCH):
            part = by_length[start : start + BATCH]
            ids, mask, _ = padded([(np.array(numbers, dtype=np.int32), 0) for _, numbers, _ in part])
            for logits, (order, _, row) in zip(model(input_ids=ids, attention_mask=mask).logits, part, strict=True):
                right[order] += row.options[int(logits[: len(row.options)].argmax())] == row.right
    return right


def measured(curve: Curve, tests: Mapping[str, Sequence[Row]]) -> Iterator[dict[str, Any]]:
    """Train a model as a curve says; yield after each of its points how often it is right on test rows.

    tests: the rows that are asked, by config.
    """
    masked = {config: [(order_of(row), mask_row(row)) for row in rows] for config, rows in tests.items()}
    known = {row.tokens for rows in masked.values() for _, row in rows}
    vocabulary = {token: number for number, token in enumerate((*SPECIAL, *PLACEHOLDERS))}
    most = max(curve.points)
    stream = endless(curve.dataset, seed=SEED, explanations=[], **curve.trained)
    drawn = tqdm(islice(stream, most), "drawing", most, mininterval=10)
    lessons, left_out = lessons_of(
        drawn, lambda tokens: [vocabulary.setdefault(token, len(vocabulary)) for token in tokens], known
    )
    unknown = SPECIAL.index("[UNK]")
    asked = {
        config: [(order, [vocabulary.get(token, unknown) for token in row.tokens], row) for order, row in rows]
        for config, rows in masked.items()
    }
    torch.manual_seed(SEED)
    recipe = RECIPES[curve.dataset]
    model = new_model(len(vocabulary), recipe.classes, recipe.layers, LIMIT)
    average = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(KEPT), use_buffers=True
    )
    generator, bounds = np.random.default_rng(SEED), [0, *(min(point, len(lessons)) for point in curve.points)]
    parts = [lessons[start:end] for start, end in zip(bounds, bounds[1:], strict=False)]
    steps = [-(-len(part) // BATCH) for part in parts]
    each = (
        batch
        for part, count in zip(parts, steps, strict=True)
        for batch in islice(batches(part, BATCH, generator), count)
    )
    losses = taught(model, each, recipe.rate, lambda step: min(1.0, (step + 1) / WARM))
    for point, count in zip(curve.points, steps, strict=True):
        for _ in tqdm(islice(losses, count), f"training to {point:,} rows", count, unit="step", mininterval=10):
            average.update_parameters(model)
        for config, rows in asked.items():
            right, sizes = right_by_order(average.module, rows), Counter(order for order, _, _ in rows)
            for order in sorted(sizes):
                counts = {"order": order, "right": right[order], "rows": sizes[order]}
                yield {"seen": point, "left_out": left_out, "asked": config, **counts}


def main(words: Sequence[str] | None = None) -> None:
    """Measure the curves that are named, or all, and write their lines."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("curves", nargs="*", metavar="CURVE", help=f"one of {', '.join(map(repr, RECIPES_OF_CURVES))}")
    parser.add_argument("--out", type=Path, default=Path("."), help="the folder that holds the builds")
    parser.add_argument("--to", type=Path, default=CURVES, help="the file of figures (default: %(default)s)")
    parser.add_argument("--rows", type=int, help="rows that are seen at most, where fewer will do")
    args = parser.parse_args(words)
    for name in args.curves or RECIPES_OF_CURVES:
        if name not in RECIPES_OF_CURVES:
            parser.error(f"unknown curve {name!r}; there are {', '.join(map(repr, RECIPES_OF_CURVES))}")
        curve = RECIPES_OF_CURVES[name]
        if args.rows:
            points = [point for point in curve.points if point <= args.rows] or [args.rows]
            curve = Curve(curve.dataset, curve.trained, curve.asked, points)
        tests = {config: asked_rows(Answered(curve.dataset, args.out, config, "test"))[1] for config in curve.asked}
        lines: list[dict[str, Any]] = []
        for line in measured(curve, tests):
            lines.append(line)
            replace_lines(args.to, "curve", name, lines)  # at once, as a curve takes an hour or more


if __name__ == "__main__":
    run(main)
