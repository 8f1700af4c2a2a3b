"""Measure how fast the probes score rows, as ratios in the same run (`make bench`).

The probe runs rows of one length together, as a build does. The peer is the usual way to ask the same model: BATCH rows
at a time, padded to the longest. Its scores are the same to about seven digits, but the score of a row then depends on
the rows beside it.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import onnxruntime
from timing import in_turn

from tom_datasets.builds.making import make
from tom_datasets.difficulty.masking import mask_row
from tom_datasets.difficulty.probe import EMBEDDED, TOLERANCE, Probe, columns_of, load_probe, numbering
from tom_datasets.files import data_folder
from tom_datasets.logic import config as mindgames
from tom_datasets.story import config as hi_tom

BATCH = 32
ROUNDS = 3
CONFIGS = {
    "hi_tom": replace(hi_tom.ALL, scorer=None, train=60, validation=None, test=None),
    "mindgames": replace(mindgames.ALL, scorer=None, checker="embedded", train=40, validation=None, test=None),
}


def scored(probe: Probe, rows: list[dict]) -> list[dict]:
    """Return the scores of rows, as a build makes them."""
    masked = [mask_row(row) for row in rows]
    return [columns_of(row, guess) for row, guess in zip(masked, probe.guesses(masked), strict=True)]


def in_batches(model: onnxruntime.InferenceSession, number: Callable, rows: list[dict]) -> list[np.ndarray]:
    """Return the logits of rows, run BATCH at a time."""
    logits: list[np.ndarray] = []
    for start in range(0, len(rows), BATCH):
        batch = [number(mask_row(row).tokens) for row in rows[start : start + BATCH]]
        ids = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, numbers in enumerate(batch):
            ids[row, : len(numbers)] = numbers
            mask[row, : len(numbers)] = 1
        logits += list(model.run(None, {"input_ids": ids, "attention_mask": mask})[0])
    return logits


def peer_model(name: str) -> onnxruntime.InferenceSession:
    """Load the model of a dataset for the peer, in one thread like the probe."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(data_folder("probe") / f"{name}.onnx", options)


def check_agreement(rows: list[dict], scores: list[dict], logits: list[np.ndarray]) -> None:
    """Raise AssertionError where the peer is not as confident as the probe."""
    for row, score, batched in zip(rows, scores, logits, strict=True):
        powers = np.exp(batched[: len(mask_row(row).options)] - batched.max())
        assert abs((powers / powers.sum()).max() - score["deberta_confidence"]) < TOLERANCE


def main() -> None:
    """Print the measurements: the best of ROUNDS rounds, in which probe and peer take turns."""
    for name, config in CONFIGS.items():
        start = time.perf_counter()
        rows = [row for _, row in make(name, [config], 1)]
        making = (time.perf_counter() - start) / len(rows)
        probe, model = load_probe(EMBEDDED, name), peer_model(name)
        number = numbering(probe.vocabulary)
        works = {"ours": (scored, probe, rows), "padded": (in_batches, model, number, rows)}
        check_agreement(rows, scored(probe, rows), in_batches(model, number, rows))
        ours, padded = (took / len(rows) for took in in_turn(works, ROUNDS).values())
        speed, longer = padded / ours, ours / making
        print(f"{name}: {1 / ours:,.0f} rows scored a second in one process, {longer:.1f} times as long")
        print(f"as making them took; {speed:.2f} of the speed of the peer, which asks {BATCH} at a time, padded")


if __name__ == "__main__":
    main()
