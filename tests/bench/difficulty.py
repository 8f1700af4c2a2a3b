"""Measure how fast the probes score rows, as ratios in the same run (`make bench`).

The probe runs rows of one length together, as a build does. The peer is the usual way to ask the same model: BATCH rows
at a time, padded to the longest. Its scores are the same to about seven digits, but the score of a row then depends on
the rows beside it.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tom_datasets.builds.making import make  # noqa: E402
from tom_datasets.difficulty.masking import mask_row
from tom_datasets.difficulty.probe import EMBEDDED, TOLERANCE, columns_of, load_probe, numbering
from tom_datasets.hi_tom import builder as hi_tom  # noqa: E402
from tom_datasets.mindgames import builder as mindgames  # noqa: E402

BATCH = 32
ROUNDS = 3
CONFIGS = {
    "hi_tom": replace(hi_tom.ALL, scorer=None, train=60, validation=None, test=None),
    "mindgames": replace(mindgames.ALL, scorer=None, checker="embedded", train=40, validation=None, test=None),
}


def in_batches(model: onnxruntime.InferenceSession, numbered: list[list[int]]) -> list[np.ndarray]:
    """Return the logits of rows of token numbers, run BATCH at a time."""
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


def peer_model(name: str) -> onnxruntime.InferenceSession:
    """Load the model of a dataset for the peer, in one thread like the probe."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(ROOT / "probe" / f"{name}.onnx", options)


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
        ours, padded = [], []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            masked = [mask_row(row) for row in rows]
            scores = [columns_of(row, guess) for row, guess in zip(masked, probe.guesses(masked), strict=True)]
            ours.append((time.perf_counter() - start) / len(rows))
            start = time.perf_counter()
            logits = in_batches(model, [number(mask_row(row).tokens) for row in rows])
            padded.append((time.perf_counter() - start) / len(rows))
        check_agreement(rows, scores, logits)
        speed, longer = min(padded) / min(ours), min(ours) / making
        print(f"{name}: {1 / min(ours):,.0f} rows scored a second in one process, {longer:.1f} times as long")
        print(f"as making them took; {speed:.2f} of the speed of the peer, which asks {BATCH} at a time, padded")


if __name__ == "__main__":
    main()
