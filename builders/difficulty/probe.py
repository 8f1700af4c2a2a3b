"""Own what a trained probe makes of a row: its prediction, its confidence, and the difficulty that follows from them.

A probe is a small DeBERTa-v2 (He et al., 2021) that is trained by `trainer` on problems of a seed that is never
published. It sees no names: agents, rooms, things and containers are numbered as they appear, the question or
hypothesis first, so that only structure can be learnt. Each row is scored alone, at its own length and in one thread,
so that its scores depend on nothing else. A probe's folder has for each dataset a model, `<dataset>.onnx`, and how it
was made and how often it is right, `<dataset>.json`.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from builders.difficulty.columns import EMBEDDED, UNSCORED
from builders.difficulty.masking import SPECIAL, Reading, of_row, spoken

HERE = Path(__file__).resolve().parents[1]


MADE_FOR = "made_for"
"""The name under which a model holds its `vocabulary_digest`."""


TOLERANCE = 0.001
"""Confidences of other machines are within this."""


class ProbeError(ValueError):
    """Say what is wrong with a probe, and what would be right."""


class Probe:
    """Score rows by a trained probe.

    Raises ProbeError where a file is missing, cannot be read, or is not what its recipe describes.
    """

    def __init__(self, folder: Path, dataset: str) -> None:
        """Load the probe of a dataset."""
        described, model = folder / f"{dataset}.json", folder / f"{dataset}.onnx"
        remedy = "train it with make probe, or take the one that comes with the project"
        try:
            recipe = json.loads(described.read_text(encoding="utf-8"))
            weights = model.read_bytes()
            self.name, self.limit, self.classes = recipe["name"], int(recipe["limit"]), int(recipe["classes"])
            self.checkpoint, self.right = recipe["checkpoint"], recipe["right"]
            digest, self.vocabulary = recipe["sha256"], recipe["vocabulary"]
        except FileNotFoundError as error:
            raise ProbeError(f"the probe's file {error.filename} is missing: {remedy}") from None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise ProbeError(
                f"{described} is no recipe of a probe ({type(error).__name__}: {error}): {remedy}"
            ) from None
        if hashlib.sha256(weights).hexdigest() != digest:
            raise ProbeError(f"{model} was cut short, or is not the model of {described.name}: {remedy}")
        self._run, made_for = session(model, weights)
        if made_for != vocabulary_digest(dataset, self.vocabulary):
            what = f"was trained for another dataset or vocabulary than {described.name} says"
            raise ProbeError(f"{model} {what}: {remedy}")
        self._numbers = numbering(self.vocabulary)
        self.identity = f"{self.name} {digest[:12]}"

    def beyond(self, reading: Reading) -> bool:
        """Return whether a row is beyond the probe's limit: it has too many tokens, or too many options."""
        tokens, options, _ = reading
        return len(self._numbers(tokens)) > self.limit or len(options) > self.classes

    def chances(self, reading: Reading) -> dict[int, float]:
        """Return the probability of each option of a row that is not beyond the limit."""
        tokens, options, _ = reading
        logits = self._run(np.array([self._numbers(tokens)]))[: len(options)]
        powers = np.exp(logits.astype(np.float64) - logits.max())
        return dict(zip(options, (powers / powers.sum()).tolist(), strict=True))

    def score(self, reading: Reading) -> dict[str, float | int | None]:
        """Return the fields of a row: UNSCORED where it is beyond the probe's limit."""
        if self.beyond(reading):
            return UNSCORED
        chances = self.chances(reading)
        best = max(chances, key=chances.__getitem__)
        confidence = round(chances[best], 4)
        return {
            "deberta_pred": best,
            "deberta_confidence": confidence,
            "difficulty": difficulty(best == reading[2], confidence),
        }


def difficulty(right: bool, confidence: float) -> float:
    """Return 1 - confidence where the probe is right, 1 + confidence where it is wrong (as published)."""
    return round(1 - confidence if right else 1 + confidence, 4)


def numbering(vocabulary: list[str] | str) -> Callable[[Sequence[str]], list[int]]:
    """Return what numbers the tokens of a reading: a list of them, or the tokenizer of a checkpoint, as JSON."""
    if isinstance(vocabulary, list):
        numbers = {token: number for number, token in enumerate(vocabulary)}
        return lambda tokens: [numbers.get(token, SPECIAL.index("[UNK]")) for token in tokens]
    try:
        from tokenizers import Tokenizer  # of the extra probe: only checkpoints have tokenizers of their own
    except ModuleNotFoundError:
        raise ProbeError("a fine-tuned probe needs the package tokenizers: install requirements-probe.txt") from None
    tokenizer = Tokenizer.from_str(vocabulary)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda tokens: tokenizer.encode(*spoken(tokens)).ids


def vocabulary_digest(dataset: str, vocabulary: list[str] | str) -> str:
    """Return what a model says it was trained for: its dataset, and its vocabulary."""
    return f"{dataset} {hashlib.sha256(json.dumps(vocabulary).encode()).hexdigest()}"


def session(path: Path, weights: bytes) -> tuple[Callable[[np.ndarray], np.ndarray], str | None]:
    """Return what gives the logits of one row, shape (1, tokens), on the CPU in one thread; what it was made for."""
    import onnxruntime  # slow to import, and not every command scores

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        loaded = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own classes, all directly under Exception
        raise ProbeError(f"{path} cannot be loaded by onnxruntime: {str(error).splitlines()[0]}") from None

    def run(ids: np.ndarray) -> np.ndarray:
        return loaded.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]

    return run, loaded.get_modelmeta().custom_metadata_map.get(MADE_FOR)


@lru_cache(maxsize=8)
def probe(scorer: str, dataset: str) -> Probe:
    """Return the probe that a config names, loaded once a process: EMBEDDED, or the folder of another."""
    # Installed, the probe lies inside the package; in the repository, beside it.
    embedded = next((each for each in (HERE.parent / "probe", HERE / "probe") if each.is_dir()), HERE.parent / "probe")
    return Probe(embedded if scorer == EMBEDDED else Path(scorer), dataset)


def scored(row: dict[str, Any], scorer: str | None, dataset: str) -> dict[str, Any]:
    """Return a row with the scores of the probe that a config names; without one, the row as it is."""
    return row if scorer is None else row | probe(scorer, dataset).score(of_row(row))


def fault(row: Mapping[str, Any], scorer: str | None, dataset: str, again: bool) -> str | None:
    """Return what is wrong with the scores of a row: they must follow from one another and, `again`, from the probe.

    Another machine may score within TOLERANCE.
    """
    given = {column: row[column] for column in UNSCORED}
    if scorer is None:
        return None if given == UNSCORED else "deberta_pred, deberta_confidence or difficulty is set, of no probe"
    reading, scoring = of_row(row), probe(scorer, dataset)
    beyond = scoring.beyond(reading)
    if None in given.values() or beyond:
        if given == UNSCORED and beyond:
            return None
        return (
            "deberta_pred, deberta_confidence and difficulty must be empty where a row is beyond the probe's limit only"
        )
    predicted, confidence = row["deberta_pred"], row["deberta_confidence"]
    if predicted not in reading[1] or not 0 <= confidence <= 1:
        return f"deberta_pred is {predicted} and deberta_confidence {confidence}, which cannot be"
    if row["difficulty"] != difficulty(predicted == reading[2], confidence):
        return f"difficulty is {row['difficulty']}, deberta_pred and deberta_confidence give another"
    if again:
        chances = scoring.chances(reading)
        if abs(chances[predicted] - confidence) > TOLERANCE or max(chances.values()) - confidence > TOLERANCE:
            best = max(chances, key=chances.__getitem__)
            return f"deberta_pred is {predicted} with {confidence}, the probe gives {best} with {chances[best]:.4f}"
    return None
