"""The training of probes, and the only use of torch: rows of the split `probe` go in, ONNX and a recipe come out.

`train` makes a small model from scratch; `fine_tune` takes a checkpoint. Both leave out every row that the default
build has too, names aside, and count the rows left out. Needs the packages of the extra `probe`.
"""

import contextlib
import hashlib
import io
import json
import math
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxscript  # noqa: F401  # torch.onnx.export needs it, and would say so only after training
import torch
import transformers
from numpy.random import Generator, default_rng
from torch.nn.utils.rnn import pad_sequence
from tqdm import tqdm

from ..columns import Row
from ..configs import FamilyConfig
from ..difficulty.masking import PLACEHOLDERS, SPECIAL, MaskedRow, mask_row
from ..difficulty.probe import MADE_FOR, Probe, ProbeError, numbering, vocabulary_digest
from ..files import written_beside
from .recipes import ARCHITECTURE, HALF, LONGEST, RECIPES, SEED, TUNED_ON, WARM, Recipe, to_train_on

# Settings of fine-tuning, as in the MindGames paper (appendix on shortcuts); the paper does not give the batch.
EPOCHS, TUNED_RATE, TUNED_BATCH = 3, 3e-5, 16


# The token numbers of a masked row, and the class that is right: the place of the right option.
Lesson = tuple[np.ndarray, int]

RowsOf = Callable[[FamilyConfig], Iterable[Row]]  # makes the rows of a config

Published = Sequence[tuple[str, MaskedRow]]  # all rows of the default build, each with its file


def lessons_of(
    rows: Iterable[Row], number: Callable[[Sequence[str]], list[int]], published: set[tuple[str, ...]]
) -> tuple[list[Lesson], int]:
    """Number the tokens of rows; leave out those that look to a probe like a published one, and count them.

    published: the tokens of the published rows.
    """
    masked = list(map(mask_row, rows))
    new = [row for row in masked if row.tokens not in published]
    lessons = [(np.array(number(row.tokens), dtype=np.int32), row.options.index(row.right)) for row in new]
    return lessons, len(masked) - len(new)


def batches(lessons: Sequence[Lesson], size: int, generator: Generator) -> Iterator[list[Lesson]]:
    """Yield random batches, without end: all lessons once, then all of them again.

    The lessons of a batch have about the same length, so that little of it is padding.
    """
    lengths = np.array([len(ids) for ids, _ in lessons])
    while True:
        order = generator.permutation(len(lessons))
        for pool in (order[start : start + 64 * size] for start in range(0, len(order), 64 * size)):
            pool = pool[np.argsort(lengths[pool], kind="stable")]
            parts = [pool[start : start + size] for start in range(0, len(pool), size)]
            yield from ([lessons[place] for place in parts[part]] for part in generator.permutation(len(parts)))


def padded(batch: Sequence[Lesson]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return token numbers and attention masks, shape (rows, longest), and the right classes, shape (rows,)."""
    rows = [torch.from_numpy(ids).long() for ids, _ in batch]
    ids, mask = (pad_sequence(parts, batch_first=True) for parts in (rows, list(map(torch.ones_like, rows))))
    return ids, mask, torch.tensor([target for _, target in batch])


def new_model(vocabulary: int, classes: int, layers: int, limit: int) -> torch.nn.Module:
    """Return an untrained model; `vocabulary` counts tokens, `limit` those of a row."""
    config = transformers.DebertaV2Config(
        vocab_size=vocabulary,
        num_hidden_layers=layers,
        max_position_embeddings=limit,
        num_labels=classes,
        pad_token_id=SPECIAL.index("[PAD]"),
        **ARCHITECTURE,
    )
    return transformers.DebertaV2ForSequenceClassification(config)


def fit(model: torch.nn.Module, stages: Sequence[tuple[list[Lesson], int]], batch: int, rate: float, name: str) -> None:
    """Train a model by AdamW, on the lessons of each stage for as many steps as the stage has.

    `rate` is the highest learning rate: it rises to it during the first WARM steps, and falls to nothing by the last.
    """
    generator = default_rng(SEED)
    steps = sum(count for _, count in stages)
    drawn = chain.from_iterable(islice(batches(lessons, batch, generator), count) for lessons, count in stages)
    losses = taught(model, drawn, rate, lambda step: min((step + 1) / WARM, max(0.0, (steps - step) / steps)))
    recent = math.nan
    with tqdm(losses, desc=f"training {name}", total=steps, unit="step", mininterval=5) as bar:
        for loss in bar:
            recent = loss if math.isnan(recent) else 0.99 * recent + 0.01 * loss
            bar.set_postfix(loss=f"{recent:.3f}", refresh=False)


def taught(
    model: torch.nn.Module, drawn: Iterable[Sequence[Lesson]], rate: float, share: Callable[[int], float]
) -> Iterator[float]:
    """Train a model by AdamW, one step on each batch; yield the loss of each.

    share: of `rate`, the learning rate of a step, by its number.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, share)
    for ids, mask, targets in map(padded, drawn):
        model.train()  # it may have been asked between two steps
        loss = torch.nn.functional.cross_entropy(model(input_ids=ids, attention_mask=mask).logits, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        yield loss.item()


def export(model: torch.nn.Module, made_for: str) -> bytes:
    """Return a model as ONNX for rows of any number and length.

    Large weights are stored in 16 bits, and a Cast before their use makes them 32 again. Names of files and other
    traces of the export are removed. `made_for` is the `vocabulary_digest` that the model holds.
    """

    model.eval().config.return_dict = False  # else the export has more outputs than logits
    ids, mask = (torch.ones((2, 8), dtype=torch.int64) for _ in range(2))  # one tensor twice would be one input
    free = {0: torch.export.Dim("rows"), 1: torch.export.Dim("tokens")}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            model,
            kwargs={"input_ids": ids, "attention_mask": mask},
            dynamo=True,
            dynamic_shapes={"input_ids": free, "attention_mask": free},
            output_names=["logits"],
            verbose=False,
        )
    proto, nodes = program.model_proto, []
    graph = proto.graph
    for weight in graph.initializer:
        if weight.data_type == onnx.TensorProto.FLOAT and math.prod(weight.dims) >= HALF:
            name, numbers = weight.name, onnx.numpy_helper.to_array(weight)
            weight.CopyFrom(onnx.numpy_helper.from_array(numbers.astype(np.float16), f"{name}.half"))
            nodes.append(onnx.helper.make_node("Cast", [f"{name}.half"], [name], to=onnx.TensorProto.FLOAT))
    nodes += graph.node
    del graph.node[:]
    graph.node.extend(nodes)
    del graph.value_info[:], graph.metadata_props[:]
    for node in graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    onnx.helper.set_model_props(proto, {MADE_FOR: made_for})
    onnx.checker.check_model(proto)
    serialized: bytes = proto.SerializeToString()
    return serialized


def write(folder: Path, dataset: str, model: torch.nn.Module, recipe: Mapping[str, Any], published: Published) -> None:
    """Write a probe: its model, and its recipe with how often it is right on each test file.

    The new probe first proves itself in a temporary folder, so an error leaves the probe in `folder` as it was.
    """
    weights = export(model, vocabulary_digest(dataset, recipe["vocabulary"]))
    recipe = {**recipe, "sha256": hashlib.sha256(weights).hexdigest(), "right": {}}
    with tempfile.TemporaryDirectory() as trial:
        write_files(Path(trial), dataset, weights, recipe)
        recipe["right"] = count_right(Probe(Path(trial), dataset), published)
    write_files(folder, dataset, weights, recipe)


def write_files(folder: Path, dataset: str, weights: bytes, recipe: Mapping[str, Any]) -> None:
    """Write the two files of a probe, both or none."""
    with written_beside(folder / f"{dataset}.onnx", folder / f"{dataset}.json") as (model_file, recipe_file):
        model_file.write_bytes(weights)
        recipe_file.write_text(json.dumps(recipe, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def count_right(loaded: Probe, published: Published) -> dict[str, list[int]]:
    """Return for the config of each test file on how many rows the probe is right, and how many there are."""
    tested = [(file.split("/")[0], row) for file, row in published if file.endswith("/test.parquet")]
    rows = Counter(config for config, _ in tested)
    right = Counter(config for config, row in tested if loaded.score(row)["deberta_pred"] == row.right)
    return {config: [right[config], rows[config]] for config in rows}


def train(dataset: str, rows_of: RowsOf, published: Published, folder: Path) -> None:
    """Train the probe of a dataset from scratch, and write it with how often it is right on the published rows.

    `rows_of` makes the rows of a config.
    """
    recipe = RECIPES[dataset]
    torch.manual_seed(SEED)
    started = time.monotonic()
    known = {row.tokens for _, row in published}
    vocabulary = {token: number for number, token in enumerate((*SPECIAL, *PLACEHOLDERS))}

    def number(tokens: Sequence[str]) -> list[int]:
        return [vocabulary.setdefault(token, len(vocabulary)) for token in tokens]

    configs = {name: to_train_on(dataset, source) for name, source in recipe.sources.items()}
    made = {name: lessons_of(rows_of(config), number, known) for name, config in configs.items()}
    model = new_model(len(vocabulary), recipe.classes, recipe.layers, recipe.limit)
    stages = [([lesson for name in names for lesson in made[name][0]], steps) for names, steps in recipe.stages]
    fit(model, stages, recipe.batch, recipe.rate, dataset)
    described = {
        "name": f"{dataset}-deberta-v2-{recipe.layers}x{ARCHITECTURE['hidden_size']}",
        "checkpoint": None,
        "architecture": {**ARCHITECTURE, "num_hidden_layers": recipe.layers},
        "sources": {name: asdict(config) for name, config in configs.items()},
        "rows": {name: len(lessons) for name, (lessons, _) in made.items()},
        "left_out": sum(left_out for _, left_out in made.values()),
        "stages": recipe.stages,
        **settings(model, started, recipe, recipe.limit, list(vocabulary)),
    }
    write(folder, dataset, model, described, published)


def fine_tune(dataset: str, rows_of: RowsOf, published: Published, folder: Path, checkpoint: str) -> None:
    """Fine-tune a checkpoint of the Hub, or of a folder, as the MindGames paper did, and write it as a probe.

    Raises ProbeError where the checkpoint cannot be fetched or loaded, or is too short for every row.
    """
    torch.manual_seed(SEED)
    started = time.monotonic()
    recipe = replace(RECIPES[dataset], batch=TUNED_BATCH, rate=TUNED_RATE)
    config = to_train_on(dataset, TUNED_ON[dataset])
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(
            checkpoint, num_labels=recipe.classes, ignore_mismatched_sizes=True, dtype=torch.float32
        )
        vocabulary = tokenizer.backend_tokenizer.to_str()
    except Exception as error:  # transformers, huggingface_hub and tokenizers raise what they like
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ProbeError(
            f"the checkpoint {checkpoint} cannot be fetched or loaded ({reason}); "
            "the embedded probe needs no network: leave out PROBE"
        ) from None
    limit = min(tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", LONGEST), LONGEST)
    made, left_out = lessons_of(rows_of(config), numbering(vocabulary), {row.tokens for _, row in published})
    lessons = [lesson for lesson in made if len(lesson[0]) <= limit]
    if not lessons:
        raise ProbeError(
            f"the checkpoint {checkpoint} takes {limit} tokens at most, and all rows are longer: choose another one"
        )
    fit(model, [(lessons, math.ceil(EPOCHS * len(lessons) / recipe.batch))], recipe.batch, recipe.rate, dataset)
    described = {
        "name": f"{dataset}-{Path(checkpoint).name}",
        "checkpoint": checkpoint,
        "epochs": EPOCHS,
        "sources": asdict(config),
        "rows": len(lessons),
        "left_out": left_out,
        "beyond_limit": len(made) - len(lessons),
        **settings(model, started, recipe, limit, vocabulary),
    }
    write(folder, dataset, model, described, published)


def settings(
    model: torch.nn.Module, started: float, recipe: Recipe, limit: int, vocabulary: list[str] | str
) -> dict[str, Any]:
    """Return what both kinds of recipes say: how a model was made, and how it reads a row."""
    return {
        "batch": recipe.batch,
        "rate": recipe.rate,
        "seed": SEED,
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "minutes": round((time.monotonic() - started) / 60),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "classes": recipe.classes,
        "limit": limit,
        "vocabulary": vocabulary,
    }
