"""Test what a probe makes of a row, and how wrong scores are found."""

import os
import shutil
from collections import defaultdict
from functools import partial

import numpy as np
import pytest
from probing import LEAST, PROBES, rewrite, table_rows
from support import contents, refused, sized, spoil, start

from tom_datasets.columns import EMBEDDED, UNSCORED
from tom_datasets.dataset import NAMES
from tom_datasets.difficulty import probe as difficulty_probe
from tom_datasets.difficulty.masking import mask_row
from tom_datasets.difficulty.probe import Probe, columns_of, fault
from tom_datasets.splits import LANGUAGE, plain_name


@pytest.mark.parametrize(
    ("right", "confidence", "value"),
    [(True, 1.0, 0.0), (True, 0.5, 0.5), (True, 0.6001, 0.3999), (False, 0.6001, 1.6001), (False, 1.0, 2.0)],
)
def test_difficulty(right, confidence, value):
    assert difficulty_probe.difficulty(right, confidence) == value


def test_a_model_is_run_without_telemetry(monkeypatch):
    switched = []
    monkeypatch.setattr("onnxruntime.disable_telemetry_events", lambda: switched.append(True))
    model = PROBES / "mindgames.onnx"
    difficulty_probe.session(model, model.read_bytes())
    assert switched == [True]


def test_a_build_with_a_probe_leaves_nothing_elsewhere(tmp_path):
    """onnxruntime, once imported with telemetry, leaves files in the temporary folder and in the home folder."""
    places = {"TMPDIR": tmp_path / "temporary", "HOME": tmp_path / "home"}
    for place in places.values():
        place.mkdir()
    environment = {**os.environ, **{name: str(place) for name, place in places.items()}}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    sizes = sized("mindgames", train=1, validation=1, test=1)
    words = (*sizes, "--processes", "2", "--out", tmp_path / "out")
    process = start("build", "mindgames", *words, env=environment)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert [list(place.iterdir()) for place in places.values()] == [[], []]


@pytest.mark.parametrize("name", NAMES)
def test_a_score_follows_from_the_chances_of_the_options(rows, probes, scores, name):
    for row, score in zip(rows[name][::2], scores[name][::2], strict=True):
        masked = mask_row(row)
        if probes[name].exceeds_limit(masked):
            assert score == UNSCORED
            continue
        chances = probes[name].chances(masked)
        assert tuple(chances) == masked.options and sum(chances.values()) == pytest.approx(1)
        predicted, confidence = score["deberta_pred"], score["deberta_confidence"]
        assert chances[predicted] == max(chances.values()) >= 1 / len(chances) - 1e-9
        assert confidence == round(chances[predicted], 4)
        assert score["difficulty"] == difficulty_probe.difficulty(predicted == masked.right, confidence)
        assert {type(value) for value in score.values()} == {int, float}


@pytest.mark.parametrize("name", NAMES)
def test_a_row_in_company_gets_the_scores_it_gets_alone(rows, probes, scores, name):
    """Rows of one length run together; not a bit of what the model gives may depend on them, nor on their order."""
    masked = [mask_row(row) for row in rows[name]]
    backwards = probes[name].guesses(masked[::-1])[::-1]
    for guesses in (probes[name].guesses(masked), backwards):
        together = [columns_of(row, guess) for row, guess in zip(masked, guesses, strict=True)]
        assert together == scores[name]
    assert Probe(PROBES, name).score(masked[-1]) == scores[name][-1], "the first that it scores"
    by_length = defaultdict(list)
    for row in masked:
        if not probes[name].exceeds_limit(row):
            step = 16 if name == "hi_tom" else 4
            length = len(row.tokens) // step * step  # cut off, so that many rows have company
            by_length[length].append(probes[name]._numbers(row.tokens)[:length])
    assert len(by_length) < len(masked) / 4
    for ids in by_length.values():
        alone = [probes[name]._run(np.array([numbers]))[0] for numbers in ids]
        for size in (2, 3, len(ids)):
            company = [probes[name]._run(np.array(ids[start : start + size])) for start in range(0, len(ids), size)]
            assert np.concatenate(company).tobytes() == np.array(alone).tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_processes_changes_no_byte(run, built, tmp_path, name):
    code, printed, errors = run("build", name, "--out", tmp_path, "--processes", 2, *LEAST[name])
    assert (code, errors) == (0, "")
    assert contents(tmp_path / name) == contents(built / name)


@pytest.mark.parametrize("name", NAMES)
def test_a_build_scores_every_row_by_the_embedded_probe(built, probes, name):
    all_rows = table_rows(built / name)
    assert all_rows
    for row in all_rows:
        config = row["file"].split("/")[0]
        unlearnt = name == "hi_tom" and config in ("deep", "ladder", "abilities", "plans", "woven")
        learnt = plain_name(config) == config and not unlearnt
        scores = probes[name].score(mask_row(row)) if learnt else UNSCORED
        assert {column: row[column] for column in UNSCORED} == scores
        assert fault(row, EMBEDDED if learnt else None, name, again=True) is None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("field", ["limit", "classes"])
def test_a_row_beyond_the_limit_has_no_scores(rows, scores, copied, name, field):
    """Too many tokens for the probe, or more options than it has classes; nothing is cut."""
    size = {"limit": lambda masked: len(masked.tokens), "classes": lambda masked: len(masked.options)}[field]
    masked_rows = [mask_row(row) for row in rows[name]]
    most = sorted(map(size, masked_rows))[len(masked_rows) // 2] if name == "hi_tom" or field == "limit" else 1
    rewrite(copied, name, **{field: most})
    small = Probe(copied, name)
    judge = partial(fault, scorer=str(copied), dataset=name, again=True)
    outcomes = set()
    for row, masked, full in list(zip(rows[name], masked_rows, scores[name], strict=True))[::3]:
        beyond = size(masked) > most
        outcomes.add(beyond)
        assert small.exceeds_limit(masked) is beyond
        score = small.score(masked)
        assert score == (UNSCORED if beyond else full)
        assert judge({**row, **score}) is None
        wrong = full if beyond else UNSCORED
        assert "must be empty exactly in rows that exceed the probe's limit" in judge({**row, **wrong})
    assert outcomes == ({True} if most == 1 else {True, False})


@pytest.mark.parametrize("name", NAMES)
def test_a_build_leaves_rows_beyond_the_limit_empty_and_check_agrees(run, copied, tmp_path, name):
    rewrite(copied, name, limit={"hi_tom": 100, "mindgames": 30}[name])
    small = Probe(copied, name)
    args = ("--out", tmp_path / "out", "--probe", copied)
    code, _, errors = run("build", name, *LEAST[name], *args)
    assert (code, errors) == (0, "")
    every_row = table_rows(tmp_path / "out" / name)
    all_rows = [row for row in every_row if not LANGUAGE.search(row["file"].split("/")[0])]
    empty = [row for row in all_rows if row["difficulty"] is None]
    assert empty == [row for row in all_rows if small.exceeds_limit(mask_row(row))]
    assert 0 < len(empty) < len(all_rows)
    code, printed, errors = run("check", name, *args)
    assert (code, errors) == (0, "") and f"{len(every_row)} of {len(every_row)} rows agree" in printed


@pytest.fixture(scope="module")
def sure(rows, probes) -> dict[str, dict]:
    """Return the scored row of each dataset whose first option is the furthest from its last."""

    def spread(name, row) -> float:
        masked = mask_row(row)
        chances = {} if probes[name].exceeds_limit(masked) else probes[name].chances(masked)
        return max(chances.values()) - min(chances.values()) if chances else -1

    furthest = {name: max(rows[name][::4], key=partial(spread, name)) for name in NAMES}
    return {name: {**row, **probes[name].score(mask_row(row))} for name, row in furthest.items()}


def changed(row: dict, **scores) -> dict:
    """Return a row with another prediction or confidence, and the difficulty that follows."""
    row = row | scores
    right = row["deberta_pred"] == mask_row(row).right
    return row | {"difficulty": difficulty_probe.difficulty(right, row["deberta_confidence"])}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("again", [True, False])
def test_what_is_wrong_with_scores_is_found(sure, probes, name, again):
    """What does not follow from the probe is found only where rows are scored again."""
    row = sure[name]
    judge = partial(fault, scorer=EMBEDDED, dataset=name, again=again)
    chances = probes[name].chances(mask_row(row))
    confidence, difficulty = row["deberta_confidence"], row["difficulty"]
    other = min(chances, key=chances.__getitem__)
    apart = [changed(row, deberta_pred=other), changed(row, deberta_confidence=round(confidence - 0.002, 4))]
    unbelievable = [{"deberta_confidence": value} for value in (-0.1, 1.1, float("nan"))] + [{"deberta_pred": -1}]
    wrong = [{"difficulty": value} for value in (difficulty + 0.0001, 1 - difficulty, float("nan"))]
    wrong.append({"deberta_confidence": confidence - 0.002})
    empty = [UNSCORED, *({column: None} for column in UNSCORED)]
    # Another machine may give slightly another confidence.
    assert judge(row) is None and judge(changed(row, deberta_confidence=round(confidence - 0.0005, 4))) is None
    assert judge(row | {"deberta_pred": other}), "the prediction alone"
    for change in apart:
        assert ("the probe gives" in (judge(change) or "")) is again
    for words, changes in (("impossible", unbelievable), ("difficulty is", wrong), ("must be empty", empty)):
        for change in changes:
            assert words in judge(row | change), change


@pytest.mark.parametrize("name", NAMES)
def test_scores_of_no_probe_are_found(sure, rows, name):
    assert fault(rows[name][0], None, name, again=True) is None
    for column in UNSCORED:
        assert "but the build has no probe" in fault(
            {**sure[name], **UNSCORED, column: sure[name][column]}, None, name, again=True
        )


@pytest.mark.parametrize(
    ("name", "file"), [("hi_tom", "2nd_order/test.parquet"), ("mindgames", "internal/test.parquet")]
)
def test_check_finds_them(run, built, tmp_path, name, file):
    out = shutil.copytree(built, tmp_path / "out")
    spoil(out / name, lambda rows: rows[1].update(difficulty=round(rows[1]["difficulty"] + 0.01, 4)), file)
    refused(run("check", name, "--out", out), file, "difficulty is", "deberta_pred and deberta_confidence give another")
