"""Measure how fast the probes score rows, as ratios in the same run (`make bench`).

The peer is the usual way to ask the same model: thirty-two rows at a time, padded to the longest. It gives the same
scores to about seven digits, but a row's then depend on its company.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


import hi_tom  # noqa: E402
import mindgames  # noqa: E402
from builders.dataset.catalogue import dataset_of  # noqa: E402
from builders.difficulty import probe as difficulty_probe
from builders.difficulty.masking import mask_row
from builders.difficulty.probe import EMBEDDED, TOLERANCE, numbering

BATCH = 32
ROUNDS = 3
MADE = {
    "hi_tom": replace(hi_tom.ALL, scorer=None, train=60, validation=None, test=None),
    "mindgames": replace(mindgames.ALL, scorer=None, checker="embedded", train=40, validation=None, test=None),
}


def in_batches(model: onnxruntime.InferenceSession, numbered: list[list[int]]) -> list[np.ndarray]:
    """Return the logits of rows of token numbers, asked BATCH at a time."""
    logits: list[np.ndarray] = []
    for start in range(0, len(numbered), BATCH):
        batch = numbered[start : start + BATCH]
        ids = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, numbers in enumerate(batch):
            ids[row, : len(numbers)] = numbers
            mask[row, : len(numbers)] = 1
        logits += list(model.run(None, {"input_ids": ids, "attention_mask": mask})[0])
    return logits


def main() -> None:
    """Print the measurements; the best of some rounds, taken in turn."""
    for name, config in MADE.items():
        start = time.perf_counter()
        rows = [row for _, row in dataset_of(name).make([config], 1)[1]]
        making = (time.perf_counter() - start) / len(rows)
        probe = difficulty_probe.load_probe(EMBEDDED, name)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        model = onnxruntime.InferenceSession(ROOT / "probe" / f"{name}.onnx", options)
        numbers = numbering(probe.vocabulary)
        alone, together = [], []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            scores = [probe.score(mask_row(row)) for row in rows]
            alone.append((time.perf_counter() - start) / len(rows))
            start = time.perf_counter()
            logits = in_batches(model, [numbers(mask_row(row)[0]) for row in rows])
            together.append((time.perf_counter() - start) / len(rows))
        for row, score, batched in zip(rows, scores, logits, strict=True):
            options = mask_row(row)[1]
            powers = np.exp(batched[: len(options)] - batched.max())
            assert abs((powers / powers.sum()).max() - score["deberta_confidence"]) < TOLERANCE
        speed, longer = min(together) / min(alone), min(alone) / making
        print(f"{name}: {1 / min(alone):,.0f} rows scored a second in one process, {longer:.1f} times as long")
        print(f"as making them took; {speed:.2f} of the speed of the peer, which asks {BATCH} at a time")


if __name__ == "__main__":
    main()
