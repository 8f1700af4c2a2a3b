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
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import onnxscript  # noqa: F401  # torch.onnx.export needs it, and would say so only after training
import torch
import transformers
from numpy.random import Generator, default_rng
from tqdm import tqdm

from ..difficulty.masking import PLACEHOLDERS, SPECIAL, MaskedRow, mask_row
from ..difficulty.probe import MADE_FOR, Probe, ProbeError, numbering, vocabulary_digest
from ..files import written_beside
from .recipes import ARCHITECTURE, HALF, LONGEST, RECIPES, SEED, TUNED_ON, WARM

EPOCHS, TUNED_RATE, TUNED_BATCH = 3, 3e-5, 16
"""Settings of fine-tuning, as in the MindGames paper (appendix on shortcuts); the paper does not give the batch."""


class Rows:
    """Hold masked rows as arrays of numbers, compactly.

    flat: the token numbers of all rows, one row after another. lengths: how many each row has. ends: where each row
    ends in `flat`. targets: the class that is right, which is the place of the right option.
    """

    def __init__(self, rows: Iterable[MaskedRow], number: Callable[[Sequence[str]], list[int]]) -> None:
        """Number the tokens of each row."""
        flat, lengths, targets = array("I"), array("l"), array("l")
        for row in rows:
            numbers = number(row.tokens)
            flat.extend(numbers)
            lengths.append(len(numbers))
            targets.append(row.options.index(row.right))
        self.flat, self.lengths, self.targets = np.array(flat), np.array(lengths), np.array(targets)
        self.ends = np.cumsum(self.lengths)

    def __len__(self) -> int:
        return len(self.ends)

    def __add__(self, other: "Rows") -> "Rows":
        both = Rows((), list)
        for name in ("flat", "lengths", "targets"):
            setattr(both, name, np.concatenate([getattr(self, name), getattr(other, name)]))
        both.ends = np.cumsum(both.lengths)
        return both

    def batch(self, places: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return token numbers and attention masks, shape (rows, longest), and the right classes, shape (rows,)."""
        ids = np.zeros((len(places), int(self.lengths[places].max())), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, place in enumerate(places):
            end, length = self.ends[place], self.lengths[place]
            ids[row, :length] = self.flat[end - length : end]
            mask[row, :length] = 1
        return torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(self.targets[places].astype(np.int64))


def batches(rows: Rows, size: int, generator: Generator) -> Iterator[np.ndarray]:
    """Yield the places of the rows in random batches, without end: all rows once, then all of them again.

    The rows of a batch have about the same length, so that little of it is padding.
    """
    while True:
        order = generator.permutation(len(rows))
        for pool in (order[start : start + 64 * size] for start in range(0, len(order), 64 * size)):
            pool = pool[np.argsort(rows.lengths[pool], kind="stable")]
            parts = [pool[start : start + size] for start in range(0, len(pool), size)]
            yield from (parts[place] for place in generator.permutation(len(parts)))


def new_model(vocabulary: int, classes: int, layers: int, limit: int) -> torch.nn.Module:
    """Return an untrained model for so many tokens, classes, layers, and tokens in a row."""
    config = transformers.DebertaV2Config(
        vocab_size=vocabulary,
        num_hidden_layers=layers,
        max_position_embeddings=limit,
        num_labels=classes,
        pad_token_id=SPECIAL.index("[PAD]"),
        **ARCHITECTURE,
    )
    return transformers.DebertaV2ForSequenceClassification(config)


def fit(model: torch.nn.Module, stages: Sequence[tuple["Rows", int]], batch: int, rate: float, name: str) -> None:
    """Train a model by AdamW, on the rows of each stage for as many steps as the stage has.

    `rate` is the highest learning rate: it rises to it during the first WARM steps, and falls to nothing by the last.
    """
    generator = default_rng(SEED)
    steps = sum(count for _, count in stages)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / WARM, max(0.0, (steps - step) / steps))
    )
    model.train()
    recent = math.nan
    with tqdm(total=steps, desc=f"training {name}", unit="step", mininterval=5) as bar:
        for rows, count in stages:
            for places in islice(batches(rows, batch, generator), count):
                ids, mask, targets = rows.batch(places)
                loss = torch.nn.functional.cross_entropy(model(input_ids=ids, attention_mask=mask).logits, targets)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
                recent = loss.item() if math.isnan(recent) else 0.99 * recent + 0.01 * loss.item()
                bar.set_postfix(loss=f"{recent:.3f}", refresh=False)
                bar.update()


def export(model: torch.nn.Module, made_for: str) -> bytes:
    """Return a model as ONNX for rows of any number and length.

    Large weights are stored in 16 bits, and a Cast before their use makes them 32 again. Names of files and other
    traces of the export are removed. `made_for` is the `vocabulary_digest` that the model holds.
    """

    class Logits(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model.eval()

        def forward(self, input_ids, attention_mask):
            return self.model(input_ids=input_ids, attention_mask=attention_mask).logits

    ids, mask = (torch.ones((2, 8), dtype=torch.int64) for _ in range(2))  # one tensor twice would be one input
    free = {0: torch.export.Dim("rows"), 1: torch.export.Dim("tokens")}
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            Logits(),
            (ids, mask),
            dynamo=True,
            dynamic_shapes={"input_ids": free, "attention_mask": free},
            input_names=["input_ids", "attention_mask"],
            output_names=["logits"],
            verbose=False,
        )
    proto = program.model_proto
    graph = proto.graph
    nodes = []
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
    return proto.SerializeToString()


def write(
    folder: Path, dataset: str, model: torch.nn.Module, recipe: dict, published: Sequence[tuple[str, MaskedRow]]
) -> None:
    """Write a probe: its model, and its recipe with how often it is right on each test file.

    `published` are the rows of the default build, each with its file. The new probe first proves itself in a temporary
    folder, so an error leaves the probe in `folder` as it was.
    """
    weights = export(model, vocabulary_digest(dataset, recipe["vocabulary"]))
    recipe = {**recipe, "sha256": hashlib.sha256(weights).hexdigest(), "right": {}}
    with tempfile.TemporaryDirectory() as trial:
        write_files(weights, recipe, Path(trial, f"{dataset}.onnx"), Path(trial, f"{dataset}.json"))
        recipe["right"] = count_right(Probe(Path(trial), dataset), published)
    with written_beside(folder / f"{dataset}.onnx", folder / f"{dataset}.json") as partials:
        write_files(weights, recipe, *partials)


def write_files(weights: bytes, recipe: dict, model_file: Path, recipe_file: Path) -> None:
    """Write the two files of a probe."""
    model_file.write_bytes(weights)
    recipe_file.write_text(json.dumps(recipe, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def count_right(loaded: Probe, published: Sequence[tuple[str, MaskedRow]]) -> dict[str, list[int]]:
    """Return for the config of each test file on how many rows the probe is right, and how many there are."""
    right: dict[str, list[int]] = {}
    for file, row in published:
        if file.endswith("/test.parquet"):
            count = right.setdefault(file.split("/")[0], [0, 0])
            count[0] += loaded.score(row)["deberta_pred"] == row.right
            count[1] += 1
    return right


@dataclass
class Unseen:
    """Mask rows, and leave out and count those that look to a probe like a published one."""

    published: set[tuple[str, ...]]  # tokens of the published rows
    left_out: int = 0  # how many rows were left out so far

    def masked(self, rows: Iterable[dict]) -> Iterator[MaskedRow]:
        """Yield what a probe sees of rows."""
        for row in map(mask_row, rows):
            if row.tokens in self.published:
                self.left_out += 1
            else:
                yield row


def train(dataset: str, rows_of: Callable, published: Sequence[tuple[str, MaskedRow]], folder: Path) -> None:
    """Train the probe of a dataset from scratch, and write it with how often it is right on the published rows.

    `rows_of` makes the rows of a config. `published` are all rows of the default build, each with its file.
    """
    recipe = RECIPES[dataset]
    torch.manual_seed(SEED)
    started = time.monotonic()
    unseen = Unseen({row.tokens for _, row in published})
    vocabulary = {token: number for number, token in enumerate((*SPECIAL, *PLACEHOLDERS))}

    def number(tokens: Sequence[str]) -> list[int]:
        return [vocabulary.setdefault(token, len(vocabulary)) for token in tokens]

    sources = {name: Rows(unseen.masked(rows_of(config)), number) for name, config in recipe.sources.items()}
    model = new_model(len(vocabulary), recipe.classes, recipe.layers, recipe.limit)
    stages = [(sum((sources[name] for name in names), Rows((), list)), steps) for names, steps in recipe.stages]
    fit(model, stages, recipe.batch, recipe.rate, dataset)
    described = {
        "name": f"{dataset}-deberta-v2-{recipe.layers}x{ARCHITECTURE['hidden_size']}",
        "checkpoint": None,
        "architecture": {**ARCHITECTURE, "num_hidden_layers": recipe.layers},
        "sources": {name: asdict(config) for name, config in recipe.sources.items()},
        "rows": {name: len(rows) for name, rows in sources.items()},
        "left_out": unseen.left_out,
        "stages": recipe.stages,
        "batch": recipe.batch,
        "rate": recipe.rate,
        **provenance(model, started),
        "classes": recipe.classes,
        "limit": recipe.limit,
        "vocabulary": list(vocabulary),
    }
    write(folder, dataset, model, described, published)


def fine_tune(
    dataset: str, rows_of: Callable, published: Sequence[tuple[str, MaskedRow]], folder: Path, checkpoint: str
) -> None:
    """Fine-tune a checkpoint of the Hub, or of a folder, as the MindGames paper did, and write it as a probe.

    Raises ProbeError where the checkpoint cannot be fetched or loaded, or is too short for every row.
    """
    torch.manual_seed(SEED)
    started = time.monotonic()
    classes, config = RECIPES[dataset].classes, TUNED_ON[dataset]
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(
            checkpoint, num_labels=classes, ignore_mismatched_sizes=True, dtype=torch.float32
        )
        vocabulary = tokenizer.backend_tokenizer.to_str()
    except Exception as error:  # transformers, huggingface_hub and tokenizers raise what they like
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ProbeError(
            f"the checkpoint {checkpoint} cannot be fetched or loaded ({reason}); "
            "the embedded probe needs no network: leave out PROBE"
        ) from None
    limit = min(tokenizer.model_max_length, getattr(model.config, "max_position_embeddings", LONGEST), LONGEST)
    number = numbering(vocabulary)
    unseen = Unseen({row.tokens for _, row in published})
    unseen_rows = list(unseen.masked(rows_of(config)))
    rows = Rows((row for row in unseen_rows if len(number(row.tokens)) <= limit), number)
    if not len(rows):
        raise ProbeError(f"the checkpoint {checkpoint} takes {limit} tokens at most, and all rows are longer")
    fit(model, [(rows, math.ceil(EPOCHS * len(rows) / TUNED_BATCH))], TUNED_BATCH, TUNED_RATE, dataset)
    described = {
        "name": f"{dataset}-{Path(checkpoint).name}",
        "checkpoint": checkpoint,
        "epochs": EPOCHS,
        "sources": asdict(config),
        "rows": len(rows),
        "left_out": unseen.left_out,
        "beyond_limit": len(unseen_rows) - len(rows),
        "batch": TUNED_BATCH,
        "rate": TUNED_RATE,
        **provenance(model, started),
        "classes": classes,
        "limit": limit,
        "vocabulary": vocabulary,
    }
    write(folder, dataset, model, described, published)


def provenance(model: torch.nn.Module, started: float) -> dict:
    """Return what both kinds of recipes say of how a model was made."""
    return {
        "seed": SEED,
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "minutes": round((time.monotonic() - started) / 60),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }
