"""The scores of a row: what a trained probe predicts, with which confidence, and the difficulty that follows.

A probe is a small DeBERTa-v2 (He et al., 2021), trained by `training/probe.py` on problems of a seed that is never
published. It scores rows of one length together, without padding and in one thread, so that a score depends on
nothing but the row. A probe's folder has two files for each dataset: the model,
`<dataset>.onnx`, and its recipe, `<dataset>.json`, which says how the model was made and how often it is right.
"""

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..columns import EMBEDDED, NO_SCORER, NOTHING_KNOWN, UNSCORED, Guess, Guesses
from ..files import data_folder
from ..splits import ENGLISH
from .masking import SPECIAL, MaskedRow, mask_row, two_texts

MADE_FOR = "made_for"  # name of the property of an ONNX model that holds its `vocabulary_digest`

TOLERANCE = 0.001  # largest difference between the confidences that two machines give

BATCH_TOKENS = 512  # how many tokens are run together, of rows of one length: more take no less time, and more memory


# What to do about a probe that cannot be used.
REMEDY = "train it with the command probe, or take the one that comes with the project"


class ProbeError(ValueError):
    """Say what is wrong with a probe, and what to do instead."""


class Probe:
    """Score rows by a trained model."""

    def __init__(self, folder: Path, dataset: str) -> None:
        """Load the probe of a dataset.

        Raises ProbeError where a file is missing, cannot be read, or is not what the recipe describes.
        """
        recipe_file, model = folder / f"{dataset}.json", folder / f"{dataset}.onnx"
        try:
            recipe = json.loads(recipe_file.read_text(encoding="utf-8"))
            weights = model.read_bytes()
            self.name, self.limit, self.classes = recipe["name"], int(recipe["limit"]), int(recipe["classes"])
            self.checkpoint, self.right = recipe["checkpoint"], recipe["right"]
            digest, self.vocabulary = recipe["sha256"], recipe["vocabulary"]
        except FileNotFoundError as error:
            raise ProbeError(f"the probe's file {error.filename} is missing: {REMEDY}") from None
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            kind = type(error).__name__
            raise ProbeError(f"{recipe_file} is not a probe's recipe ({kind}: {error}): {REMEDY}") from None
        if hashlib.sha256(weights).hexdigest() != digest:
            raise ProbeError(f"{model} was cut short, or is not the model of {recipe_file.name}: {REMEDY}")
        self._run, made_for = session(model, weights)
        if made_for != vocabulary_digest(dataset, self.vocabulary):
            raise ProbeError(
                f"{model} was trained for another dataset or vocabulary than {recipe_file.name} says: {REMEDY}"
            )
        self._numbers = numbering(self.vocabulary)
        self.identity = f"{self.name} {digest[:12]}"

    def exceeds_limit(self, row: MaskedRow) -> bool:
        """Return whether a row has too many tokens for the probe, or too many options."""
        return len(self._numbers(row.tokens)) > self.limit or len(row.options) > self.classes

    def chances(self, row: MaskedRow) -> dict[int, float]:
        """Return the probability of each option of a row that does not exceed the limit."""
        logits = self._run(np.array([self._numbers(row.tokens)]))[0]
        return dict(zip(row.options, probabilities(logits, row), strict=True))

    def score(self, row: MaskedRow) -> dict[str, float | int | None]:
        """Return the scored columns of a row: UNSCORED where it exceeds the probe's limit."""
        return columns_of(row, self.guesses([row])[0])

    def guesses(self, rows: Sequence[MaskedRow], known: Guesses = NOTHING_KNOWN) -> list[Guess | None]:
        """Return the guess about each row, None where it exceeds the limit; `known` holds guesses by `fingerprint`.

        Rows of one length are run together. No padding stands between them, so a guess is that about the row alone. Of
        several options that are most probable, the first is guessed.
        """
        guesses: list[Guess | None] = [None] * len(rows)
        same_length: dict[int, list[tuple[int, list[int]]]] = {}
        for place, row in enumerate(rows):
            numbers = self._numbers(row.tokens)
            if len(numbers) > self.limit or len(row.options) > self.classes:
                continue
            guess = known.get(fingerprint(row)) if known else None
            if guess and 0 <= guess.place < len(row.options):
                guesses[place] = guess
            else:
                same_length.setdefault(len(numbers), []).append((place, numbers))
        for length, waiting in same_length.items():
            size = max(1, BATCH_TOKENS // length)
            for start in range(0, len(waiting), size):
                places, ids = zip(*waiting[start : start + size], strict=True)
                for place, logits in zip(places, self._run(np.array(ids)), strict=True):
                    chances = probabilities(logits, rows[place])
                    best = max(range(len(chances)), key=chances.__getitem__)
                    guesses[place] = Guess(best, round(chances[best], 4))
        return guesses


def probabilities(logits: np.ndarray, row: MaskedRow) -> list[float]:
    """Return the probability of each option of a row, given the logits of all classes."""
    of_options = logits[: len(row.options)]
    powers = np.exp(of_options.astype(np.float64) - of_options.max())
    chances: list[float] = (powers / powers.sum()).tolist()
    return chances


def columns_of(row: MaskedRow, guess: Guess | None) -> dict[str, float | int | None]:
    """Return the scored columns of a row: UNSCORED without a guess."""
    if guess is None:
        return {**UNSCORED}
    predicted = row.options[guess.place]
    return {
        "deberta_pred": predicted,
        "deberta_confidence": guess.confidence,
        "difficulty": difficulty(predicted == row.right, guess.confidence),
    }


def fingerprint(row: MaskedRow) -> str:
    """Return a text that stands for all that a guess depends on."""
    return hashlib.sha256(" | ".join([*row.tokens, str(len(row.options))]).encode()).hexdigest()[:32]


def difficulty(right: bool, confidence: float) -> float:
    """Return 1 - confidence where the probe is right, and 1 + confidence where it is wrong (as published)."""
    return round(1 - confidence if right else 1 + confidence, 4)


def numbering(vocabulary: list[str] | str) -> Callable[[Sequence[str]], list[int]]:
    """Return the function that numbers the tokens of a masked row.

    `vocabulary` is the list of tokens that a probe knows, or the tokenizer of a checkpoint as JSON.
    """
    if isinstance(vocabulary, list):
        numbers = {token: number for number, token in enumerate(vocabulary)}
        return lambda tokens: [numbers.get(token, SPECIAL.index("[UNK]")) for token in tokens]
    try:
        from tokenizers import Tokenizer  # of the extra probe: only checkpoints bring a tokenizer
    except ModuleNotFoundError:
        raise ProbeError("a fine-tuned probe needs the package tokenizers: pip install tokenizers") from None
    tokenizer = Tokenizer.from_str(vocabulary)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda tokens: tokenizer.encode(*two_texts(tokens)).ids


def vocabulary_digest(dataset: str, vocabulary: list[str] | str) -> str:
    """Return the text by which a model names the dataset and the vocabulary that it was trained for."""
    return f"{dataset} {hashlib.sha256(json.dumps(vocabulary).encode()).hexdigest()}"


def session(path: Path, weights: bytes) -> tuple[Callable[[np.ndarray], np.ndarray], str | None]:
    """Load a model; return the function that runs it, and the `vocabulary_digest` that it holds.

    The function takes the token numbers of rows of one length, shape (rows, tokens), and returns logits, shape (rows,
    classes). It runs on the CPU in one thread. Raises ProbeError where onnxruntime cannot load the model.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # else the import leaves files in the temporary and the home folder
    import onnxruntime  # slow to import, and not every command scores

    onnxruntime.disable_telemetry_events()  # older versions do not know the variable
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        loaded = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own classes, all directly under Exception
        raise ProbeError(f"{path} cannot be loaded by onnxruntime ({str(error).splitlines()[0]}): {REMEDY}") from None

    def run(ids: np.ndarray) -> np.ndarray:
        logits: np.ndarray = loaded.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0]
        return logits

    return run, loaded.get_modelmeta().custom_metadata_map.get(MADE_FOR)


@lru_cache(maxsize=8)
def load_probe(scorer: str, dataset: str) -> Probe:
    """Return the probe that a config names, loaded once a process: EMBEDDED, or the folder of another probe."""
    return Probe(data_folder("probe") if scorer == EMBEDDED else Path(scorer), dataset)


def scorer_for(config: Any) -> str | None:
    """Return what scores the rows of a config, None for nothing: the embedded probe reads English alone."""
    if config.scorer == NO_SCORER or config.scorer == EMBEDDED and config.language != ENGLISH:
        return None
    scorer: str = config.scorer
    return scorer


def scored_rows(
    rows: list[dict[str, Any]], scorer: str | None, dataset: str, known: Guesses = NOTHING_KNOWN
) -> tuple[list[dict[str, Any]], Guesses]:
    """Return rows with the scores of the probe that a config names, and its guesses; without one, the rows as they are.

    known: guesses that the probe need not give again.
    """
    if scorer is None:
        return rows, {}
    masked = [mask_row(row) for row in rows]
    guesses = load_probe(scorer, dataset).guesses(masked, known)
    scored = [row | columns_of(seen, guess) for row, seen, guess in zip(rows, masked, guesses, strict=True)]
    return scored, {fingerprint(seen): guess for seen, guess in zip(masked, guesses, strict=True) if guess}


def fault(row: Mapping[str, Any], scorer: str | None, dataset: str, again: bool) -> str | None:
    """Return what is wrong with the scores of a row, None if nothing is.

    They must follow from one another and, where `again`, from the probe: another machine may differ by TOLERANCE.
    """
    predicted, confidence, _ = scores = [row[column] for column in UNSCORED]
    empty = scores == [None] * 3
    if scorer is None:
        return None if empty else "deberta_pred, deberta_confidence or difficulty is set, but the build has no probe"
    masked, scoring = mask_row(row), load_probe(scorer, dataset)
    exceeds = scoring.exceeds_limit(masked)
    if None in scores or exceeds:
        where = "must be empty exactly in rows that exceed the probe's limit"
        return None if empty and exceeds else f"deberta_pred, deberta_confidence and difficulty {where}"
    if predicted not in masked.options or not 0 <= confidence <= 1:
        return f"deberta_pred is {predicted} and deberta_confidence {confidence}, which is impossible"
    if row["difficulty"] != difficulty(predicted == masked.right, confidence):
        return f"difficulty is {row['difficulty']}, deberta_pred and deberta_confidence give another"
    if again:
        chances = scoring.chances(masked)
        if abs(chances[predicted] - confidence) > TOLERANCE or max(chances.values()) - confidence > TOLERANCE:
            best = max(chances, key=chances.__getitem__)
            return f"deberta_pred is {predicted} with {confidence}, the probe gives {best} with {chances[best]:.4f}"
    return None
