"""What a probe sees of a row, what it makes of it, and every message about a probe that a user can meet."""

import hashlib
import json
import re
import shutil
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import datasets
import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import ROOT, contents, listed, refused, spoil

import builders
import hi_tom
import mindgames
from builders.__main__ import main
from builders.dataset.catalogue import NAMES, dataset_of
from builders.difficulty import probe as difficulty_probe
from builders.difficulty.masking import (
    PLACEHOLDERS,
    SPECIAL,
    mask_problem,
    mask_question,
    masked_words,
    of_row,
    two_texts,
)
from builders.difficulty.probe import UNSCORED, Probe, ProbeError, fault, numbering
from builders.logic.formula import SETUPS
from builders.story.record import loads
from builders.story.syntax import Names
from hi_tom import REPRODUCTION, TOMH
from mindgames import SCALE

EMBEDDED = ROOT / "probe"
UNREAD = {"seed": 5, "train": None, "validation": None, "scorer": None}
CONFIGS = {
    "hi_tom": [
        replace(hi_tom.ALL, **UNREAD, test=6),
        replace(TOMH, **UNREAD, test=27),
        replace(REPRODUCTION, **UNREAD, test=6),
    ],
    "mindgames": [
        replace(mindgames.ALL, **UNREAD, test=4, checker="embedded"),
        replace(SCALE, **UNREAD, test=2, checker="embedded"),
        replace(mindgames.REPRODUCTION, **UNREAD, test=4, checker="embedded"),
    ],
}
LEAST = {
    "hi_tom": (
        "--train 1 --validation 1 --test 2 --tomh 3 --reproduction 1 --deep-train 1 --deep-validation 1 --deep 1"
    ).split(),
    "mindgames": "--train 1 --validation 1 --test 1 --scale 1 --reproduction 2".split(),
}
"""Sizes of builds; `check` asks for no gates at these."""


@pytest.fixture(scope="module")
def rows() -> dict[str, list[dict]]:
    """Make rows of all configs, unscored."""
    return {name: [row for _, row in dataset_of(name).make(CONFIGS[name], 1)[1]] for name in NAMES}


@pytest.fixture(scope="module")
def probes() -> dict[str, Probe]:
    """Load the embedded probes."""
    return {name: Probe(EMBEDDED, name) for name in NAMES}


@pytest.fixture(scope="module")
def scores(rows, probes) -> dict[str, list[dict]]:
    """Score the rows by the embedded probes."""
    return {name: [probes[name].score(of_row(row)) for row in rows[name]] for name in NAMES}


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """Build both, small, scored by the embedded probes; no test may change them."""
    out = tmp_path_factory.mktemp("built")
    for name in NAMES:
        assert main(["build", name, "--out", str(out), *LEAST[name]]) == 0
    return out


@pytest.fixture
def copied(tmp_path) -> Path:
    """Copy the embedded probes, for a test to spoil."""
    return Path(shutil.copytree(EMBEDDED, tmp_path / "copied"))


def rewrite(folder: Path, dataset: str, /, without: str | None = None, **fields) -> dict:
    """Give a recipe other fields, and leave one out; return it."""
    file = folder / f"{dataset}.json"
    recipe = json.loads(file.read_text(encoding="utf-8")) | fields
    recipe.pop(without, None)
    file.write_text(json.dumps(recipe), encoding="utf-8")
    return recipe


def table_rows(folder: Path) -> list[dict]:
    """Return all rows of a built folder, each with its file."""
    return [
        {**row, "file": file.relative_to(folder).as_posix()}
        for file in sorted(folder.rglob("*.parquet"))
        for row in pq.read_table(file).to_pylist()
    ]


# ------------------------------------------------------------------------------------------------ masking

AGENTS = dict.fromkeys(["Ann", "Mary", "Mary Ann", "Jo"], "a")
KINDS = {**AGENTS, "kitchen": "r", "pear": "t", "red_box": "c", "box": "c", "blue_box": "c"}


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Ann knows that Mary is thirsty.", ["a0", "knows that", "a1", "is thirsty"]),
        # A name inside another one, and inside a word that is none.
        ("Mary Ann and Mary met Ann.", ["a0", "a1", "met", "a2"]),
        ("Mary Anne met Joan and Annie.", ["a0", "anne met joan and annie"]),
        ("The red_box is a box, no big_box.", ["the", "c0", "is a", "c1", "no big_box"]),
        # Possessives.
        ("Jo's card is shown to Mary Ann's.", ["a0", "s card is shown to", "a1", "s"]),
        # Lists are just names; "and" stays within other words.
        ("Mary, Ann, Jo and Mary Ann entered the kitchen.", ["a0", "a1", "a2", "a3", "entered the", "r0"]),
        ("Ann sees and hears Jo.", ["a0", "sees and hears", "a1"]),
        # The numbers of lines are no words; other numbers are.
        ("1 Ann left the kitchen.\n12 Jo slept for 1 minute.", ["a0", "left the", "r0", "a1", "slept for 1 minute"]),
        ("2 The pear is in the box.", ["the", "t0", "is in the", "c0"]),
        # A stretch of words ends with its sentence, and letters are small.
        ("There are TWO. Everyone sees.\nWhere? There", ["there are two", "everyone sees", "where", "there"]),
        ("Jo.", ["a0"]),
        ("", []),
    ],
)  # fmt: skip
def test_what_masking_leaves(text, tokens):
    assert masked_words(text, KINDS, {}) == tokens


def test_names_are_numbered_as_they_appear_over_all_texts():
    met = {}
    assert masked_words("Jo likes the pear", KINDS, met) == ["a0", "likes the", "t0"]
    assert masked_words("Ann gave Jo the box", KINDS, met) == ["a1", "gave", "a0", "the", "c0"]
    assert met == {"a": {"Jo": 0, "Ann": 1}, "t": {"pear": 0}, "c": {"box": 0}}


def test_the_hypothesis_comes_first():
    reading = mask_problem("Ann sees Mary. Mary sees Jo.", "Jo knows that Ann is thirsty.", ["Ann", "Mary", "Jo"], True)
    tokens = "[CLS] a0|knows that|a1|is thirsty|[SEP]|a1|sees|a2|a2|sees|a0".replace(" ", "|", 1).split("|")
    assert reading == (tuple(tokens), (0, 1), 1)
    assert mask_problem("Ann sees Mary.", "Ann sees Mary.", ["Ann", "Mary"], False)[1:] == ((0, 1), 0)


def test_the_question_comes_first_and_only_containers_met_are_options():
    names = Names(("Ann", "Jo"), ("waiting_room", "kitchen"), ("pear", "nut"), ("box", "bin", "jar", "bag"))
    story = "1 Ann and Jo entered the kitchen.\n2 The pear is in the jar.\n3 Ann moved the pear to the box."
    reading = mask_question(story, "Where does Jo think the pear is?", names, ["bag", "box", "bin", "jar"], "box")
    assert reading[0] == (
        *("[CLS]", "where does", "a0", "think the", "t0", "is", "[SEP]"),
        *("a1", "a0", "entered the", "r0", "the", "t0", "is in the", "c0", "a1", "moved the", "t0", "to the", "c1"),
    )
    assert reading[1:] == ((3, 1), 1), "the jar is met first, then the box"


@pytest.mark.parametrize("name", NAMES)
def test_a_row_is_read_as_it_was_made(rows, name):
    """`of_row` needs only columns; the builders ask mask_problem and mask_question with what they have at hand."""
    for row in rows[name]:
        if name == "mindgames":
            entailed = row["label"] == "entailment"
            reading = mask_problem(row["premise"], row["hypothesis"], row["names"], entailed)
            assert reading[1:] == ((0, 1), entailed)
        else:
            known = loads(row["events"])[1]
            reading = mask_question(row["story"], row["question"], known, row["choices"], row["answer"])
            assert reading[2] == row["answer_index"] and reading[2] in reading[1]
            assert {row["choices"][place] for place in reading[1]} == set(known.containers)
            assert len(set(reading[1])) == len(reading[1])
        assert of_row(row) == reading


def test_the_builders_score_what_of_row_reads(rows, monkeypatch):
    """Besides the names of the story, mask_question is given there those of what the story does not speak of."""
    made = []
    monkeypatch.setattr("builders.difficulty.probe.scored", lambda row, *_: made.append(of_row(row)) or row)
    for name in NAMES:
        again = [row for _, row in dataset_of(name).make(CONFIGS[name], 1)[1]]
        assert again == rows[name]
        assert made == [of_row(row) for row in again]
        made.clear()


@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_left_in_a_reading(rows, name):
    for row in rows[name]:
        tokens = of_row(row)[0]
        names = row["names"] if name == "mindgames" else [*row["choices"], *row["chain"], row["answer"]]
        words = {word for token in tokens for word in re.findall(r"\w+", token)}
        assert not words & {each.lower() for each in names}
        unknown = [token for token in tokens if re.fullmatch(r"[artc]\d+", token) and token not in PLACEHOLDERS]
        assert not unknown


OTHERS = ["Ann", "Anna", "Mary Ann", "Mary", "Jo", "Joe", "O'Neil", "Anne-Marie", "Anne", "x_y", "is", "Q", "Zoë", "R2"]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_other_names_leave_the_reading_as_it_is(rows, data):
    """In MindGames also the order of the agents, which SMCDEL numbers."""
    row = data.draw(st.sampled_from(rows["mindgames"]))
    others = data.draw(st.permutations([each for each in OTHERS if each != "is"]))
    said = dict(zip(row["names"], others, strict=False))
    named = re.compile(r"\b(" + "|".join(map(re.escape, said)) + r")\b")
    renamed = {text: named.sub(lambda found: said[found[0]], row[text]) for text in ("premise", "hypothesis")}
    renamed["names"] = data.draw(st.permutations(list(said.values())))
    assert of_row({**row, **renamed}) == of_row(row)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_other_words_for_agents_rooms_things_and_containers_leave_the_reading_as_it_is(rows, data):
    row = data.draw(st.sampled_from(rows["hi_tom"]))
    known = loads(row["events"])[1]
    of_kind = [known.agents, known.rooms, known.things, known.containers]
    words = list(dict.fromkeys([*(word for kind in of_kind for word in kind), *row["choices"]]))
    fresh = data.draw(
        st.permutations([f"{stem}{end}" for stem in ("pot", "Pot", "pot_of") for end in range(len(words))])
    )
    said = dict(zip(words, fresh, strict=False))
    named = re.compile(r"\b(" + "|".join(map(re.escape, sorted(said, key=len, reverse=True))) + r")\b")
    renamed = {text: named.sub(lambda found: said[found[0]], row[text]) for text in ("story", "question", "events")}
    renamed |= {"choices": [said[each] for each in row["choices"]], "answer": said[row["answer"]]}
    assert of_row({**row, **renamed}) == of_row(row)


# ------------------------------------------------------------------------------------------------ scores


@pytest.mark.parametrize(
    ("right", "confidence", "value"),
    [(True, 1.0, 0.0), (True, 0.5, 0.5), (True, 0.6001, 0.3999), (False, 0.6001, 1.6001), (False, 1.0, 2.0)],
)
def test_difficulty(right, confidence, value):
    assert difficulty_probe.difficulty(right, confidence) == value


@pytest.mark.parametrize("name", NAMES)
def test_a_score_follows_from_the_chances_of_the_options(rows, probes, scores, name):
    for row, score in zip(rows[name][::2], scores[name][::2], strict=True):
        reading = of_row(row)
        if probes[name].exceeds_limit(reading):
            assert score == UNSCORED
            continue
        chances = probes[name].chances(reading)
        assert tuple(chances) == reading[1] and sum(chances.values()) == pytest.approx(1)
        predicted, confidence = score["deberta_pred"], score["deberta_confidence"]
        assert chances[predicted] == max(chances.values()) >= 1 / len(chances) - 1e-9
        assert confidence == round(chances[predicted], 4)
        assert score["difficulty"] == difficulty_probe.difficulty(predicted == reading[2], confidence)
        assert {type(value) for value in score.values()} == {int, float}


@pytest.mark.parametrize("name", NAMES)
def test_scores_depend_on_the_row_alone(rows, probes, scores, name):
    drawn = np.random.default_rng(7).permutation(len(rows[name]))[:50]
    for place in drawn:
        assert probes[name].score(of_row(rows[name][place])) == scores[name][place]
    for place in drawn[:2]:
        assert Probe(EMBEDDED, name).score(of_row(rows[name][place])) == scores[name][place], "the first that it scores"


@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_processes_changes_no_byte(run, built, tmp_path, name):
    code, printed, said = run("build", name, "--out", tmp_path, "--processes", 2, *LEAST[name])
    assert (code, said) == (0, "")
    assert contents(tmp_path / name) == contents(built / name)


@pytest.mark.parametrize("name", NAMES)
def test_a_build_scores_every_row_by_the_embedded_probe(built, probes, name):
    found = table_rows(built / name)
    assert found
    for row in found:
        assert {column: row[column] for column in UNSCORED} == probes[name].score(of_row(row))
        assert fault(row, difficulty_probe.EMBEDDED, name, again=True) is None


@pytest.mark.parametrize("name", NAMES)
def test_the_filter_that_the_card_names(built, tmp_path, monkeypatch, name):
    monkeypatch.chdir(built)
    test = datasets.load_dataset(name, split="test", cache_dir=str(tmp_path))
    hard = test.filter(lambda row: row["deberta_confidence"] < 0.6)
    assert hard.to_list() == [row for row in test.to_list() if row["deberta_confidence"] < 0.6]
    for column, kind in (("deberta_pred", "int64"), ("deberta_confidence", "float64"), ("difficulty", "float64")):
        assert test.features[column] == datasets.Value(kind)


# ------------------------------------------------------------------------------------------------ beyond the limit


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("field", ["limit", "classes"])
def test_a_row_beyond_the_limit_has_no_scores(rows, scores, copied, name, field):
    """Too many tokens for the probe, or more options than it has classes; nothing is cut."""
    size = {"limit": lambda reading: len(reading[0]), "classes": lambda reading: len(reading[1])}[field]
    readings = [of_row(row) for row in rows[name]]
    most = sorted(map(size, readings))[len(readings) // 2] if name == "hi_tom" or field == "limit" else 1
    rewrite(copied, name, **{field: most})
    small = Probe(copied, name)
    judge = partial(fault, scorer=str(copied), dataset=name, again=True)
    told = set()
    for row, reading, known in list(zip(rows[name], readings, scores[name], strict=True))[::3]:
        beyond = size(reading) > most
        told.add(beyond)
        assert small.exceeds_limit(reading) is beyond
        score = small.score(reading)
        assert score == (UNSCORED if beyond else known)
        assert judge({**row, **score}) is None
        wrong = known if beyond else UNSCORED
        assert "must be empty where a row is beyond the probe's limit only" in judge({**row, **wrong})
    assert told == ({True} if most == 1 else {True, False})


@pytest.mark.parametrize("name", NAMES)
def test_a_build_leaves_rows_beyond_the_limit_empty_and_check_agrees(run, copied, tmp_path, name):
    rewrite(copied, name, limit={"hi_tom": 100, "mindgames": 30}[name])
    small = Probe(copied, name)
    args = ("--out", tmp_path / "out", "--probe", copied)
    code, _, said = run("build", name, *LEAST[name], *args)
    assert (code, said) == (0, "")
    found = table_rows(tmp_path / "out" / name)
    empty = [row for row in found if row["difficulty"] is None]
    assert empty == [row for row in found if small.exceeds_limit(of_row(row))]
    assert 0 < len(empty) < len(found)
    code, printed, said = run("check", name, *args)
    assert (code, said) == (0, "") and f"{len(found)} of {len(found)} rows agree" in printed


# ------------------------------------------------------------------------------------------------ faults


@pytest.fixture(scope="module")
def sure(rows, probes) -> dict[str, dict]:
    """Return the scored row of each dataset whose first option is the furthest from its last."""

    def spread(name, row) -> float:
        reading = of_row(row)
        chances = {} if probes[name].exceeds_limit(reading) else probes[name].chances(reading)
        return max(chances.values()) - min(chances.values()) if chances else -1

    found = {name: max(rows[name][::4], key=partial(spread, name)) for name in NAMES}
    return {name: {**row, **probes[name].score(of_row(row))} for name, row in found.items()}


def moved(row: dict, by: float) -> dict:
    """Return a row with another confidence, within 0 and 1, and the difficulty that follows."""
    confidence = round(row["deberta_confidence"] - by, 4)
    right = row["deberta_pred"] == of_row(row)[2]
    return {**row, "deberta_confidence": confidence, "difficulty": difficulty_probe.difficulty(right, confidence)}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_wrong_with_scores_is_found(sure, name):
    row = sure[name]
    judge = partial(fault, scorer=difficulty_probe.EMBEDDED, dataset=name, again=True)
    assert judge(row) is None
    chances = difficulty_probe.probe(difficulty_probe.EMBEDDED, name).chances(of_row(row))
    other = min(chances, key=chances.__getitem__)
    flipped = {**row, "deberta_pred": other}
    follows = difficulty_probe.difficulty(other == of_row(row)[2], row["deberta_confidence"])
    assert judge(flipped), "the prediction alone"
    assert "the probe gives" in judge({**flipped, "difficulty": follows}), "with the difficulty that follows"
    for none in (-1, 99):
        assert f"deberta_pred is {none}" in judge({**row, "deberta_pred": none})
    assert "difficulty is" in judge({**row, "deberta_confidence": row["deberta_confidence"] - 0.002})
    assert "the probe gives" in judge(moved(row, 0.002)), "with the difficulty that follows"
    for confidence in (-0.1, 1.1, float("nan")):
        assert "cannot be" in judge({**row, "deberta_confidence": confidence})
    for value in (row["difficulty"] + 0.0001, 1 - row["difficulty"], float("nan")):
        assert "difficulty is" in judge({**row, "difficulty": value})
    for column in UNSCORED:
        assert "must be empty" in judge({**row, column: None}), column
    assert "must be empty" in judge({**row, **UNSCORED})


@pytest.mark.parametrize("name", NAMES)
def test_what_another_machine_may_give_is_accepted(sure, name):
    assert fault(moved(sure[name], 0.0005), difficulty_probe.EMBEDDED, name, again=True) is None


@pytest.mark.parametrize("name", NAMES)
def test_scores_of_no_probe_are_found(sure, rows, name):
    assert fault(rows[name][0], None, name, again=True) is None
    for column in UNSCORED:
        assert "of no probe" in fault({**sure[name], **UNSCORED, column: sure[name][column]}, None, name, again=True)


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_are_not_scored_again_must_still_follow_from_one_another(sure, name):
    judge = partial(fault, scorer=difficulty_probe.EMBEDDED, dataset=name, again=False)
    row = sure[name]
    assert judge(row) is None and judge(moved(row, row["deberta_confidence"] / 2)) is None
    assert "difficulty is" in judge({**row, "difficulty": row["difficulty"] + 0.0001})
    assert "must be empty" in judge({**row, **UNSCORED})


@pytest.mark.parametrize("name", NAMES)
def test_check_finds_them(run, built, tmp_path, name):
    out = shutil.copytree(built, tmp_path / "out")
    file = {"hi_tom": "2nd_order/test.parquet", "mindgames": "internal/test.parquet"}[name]

    def harder(rows):
        rows[1]["difficulty"] = round(rows[1]["difficulty"] + 0.01, 4)

    spoil(out / name, harder, file)
    code, printed, said = run("check", name, "--out", out)
    assert (code, printed) == (1, "") and said.count("\n") == 1
    assert file in said and "difficulty is" in said and "deberta_pred and deberta_confidence give another" in said


# ------------------------------------------------------------------------------------------------ probes that are none


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def deny(file: Path) -> None:
    file.unlink()
    file.mkdir()


def anew(folder: Path, name: str, weights: bytes) -> None:
    """Give a probe other weights, which its recipe knows."""
    (folder / f"{name}.onnx").write_bytes(weights)
    rewrite(folder, name, sha256=hashlib.sha256(weights).hexdigest())


def other_weights(folder: Path, name: str) -> None:
    """Put the other dataset's model beside this one's recipe, which then knows its checksum."""
    anew(folder, name, (EMBEDDED / f"{other(name)}.onnx").read_bytes())


def other(name: str) -> str:
    return NAMES[1 - NAMES.index(name)]


def take_other(folder: Path, name: str) -> None:
    """Put the other dataset's probe under this one's name."""
    for end in ("json", "onnx"):
        shutil.copy(EMBEDDED / f"{other(name)}.{end}", folder / f"{name}.{end}")


def other_vocabulary(folder: Path, name: str, change) -> None:
    words = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["vocabulary"]
    rewrite(folder, name, vocabulary=change(words))


def swapped(words: list[str]) -> list[str]:
    return [*words[:-2], words[-1], words[-2]]


SPOILED = {
    "no folder": (lambda folder, name: shutil.rmtree(folder), "{name}.json is missing"),
    "no onnx": (lambda folder, name: (folder / f"{name}.onnx").unlink(), "{name}.onnx is missing"),
    "no json": (lambda folder, name: (folder / f"{name}.json").unlink(), "{name}.json is missing"),
    "a file for the folder": (lambda folder, name: (shutil.rmtree(folder), folder.write_text("")), "Not a directory"),
    "a folder for the onnx": (lambda folder, name: deny(folder / f"{name}.onnx"), "Is a directory"),
    "a folder for the json": (lambda folder, name: deny(folder / f"{name}.json"), "Is a directory"),
    "cut onnx": (lambda folder, name: cut(folder / f"{name}.onnx"), "{name}.onnx was cut short, or is not the model"),
    "empty onnx": (lambda folder, name: (folder / f"{name}.onnx").write_bytes(b""), "{name}.onnx was cut short"),
    "cut json": (lambda folder, name: cut(folder / f"{name}.json"), "{name}.json is no recipe of a probe (JSON"),
    "empty json": (lambda folder, name: (folder / f"{name}.json").write_text(""), "{name}.json is no recipe"),
    "bytes for json": (
        lambda folder, name: (folder / f"{name}.json").write_bytes(b"\xff\xfe"),
        "{name}.json is no recipe of a probe (UnicodeDecodeError",
    ),
    "deep json": (lambda folder, name: (folder / f"{name}.json").write_text("[" * 200_000), "{name}.json is no recipe"),
    "a list": (lambda folder, name: (folder / f"{name}.json").write_text("[]"), "{name}.json is no recipe of a probe"),
    **{
        f"no {field}": (partial(rewrite, without=field), "{name}.json is no recipe of a probe (KeyError: '" + field)
        for field in ("name", "checkpoint", "limit", "classes", "sha256", "vocabulary", "right")
    },
    "many for the limit": (partial(rewrite, limit="many"), "{name}.json is no recipe of a probe (ValueError"),
    "a list for the classes": (partial(rewrite, classes=[2]), "{name}.json is no recipe of a probe (TypeError"),
    "no words": (partial(rewrite, vocabulary={}), "was trained for another dataset or vocabulary"),
    "another name": (take_other, "{name}.onnx was trained for another dataset or vocabulary than {name}.json says"),
    "another model": (other_weights, "{name}.onnx was trained for another dataset or vocabulary"),
    "words swapped": (partial(other_vocabulary, change=swapped), "{name}.onnx was trained for another dataset or voc"),
    "a word less": (partial(other_vocabulary, change=lambda words: words[:-1]), "was trained for another dataset or"),
    "a text of words": (partial(other_vocabulary, change=" ".join), "was trained for another dataset or vocabulary"),
    "no ONNX": (partial(anew, weights=b"no ONNX"), "{name}.onnx cannot be loaded by onnxruntime"),
}


@pytest.mark.parametrize("how", SPOILED)
def test_what_is_no_probe_is_refused_in_one_line(copied, how):
    spoil_probe, words = SPOILED[how]
    name = "hi_tom"
    spoil_probe(copied, name)
    with pytest.raises(ProbeError) as caught:
        Probe(copied, name)
    assert "\n" not in str(caught.value)
    assert words.format(name=name) in str(caught.value) and str(copied) in str(caught.value)


@pytest.mark.parametrize("how", SPOILED)
def test_nothing_is_built_or_checked_by_what_is_no_probe(run, copied, built, tmp_path, how):
    spoil_probe, words = SPOILED[how]
    spoil_probe(copied, "mindgames")
    probe = ("--probe", copied)
    result = run("build", "mindgames", *LEAST["mindgames"], "--out", tmp_path / "out", *probe)
    refused(result, "error: all: ", words.format(name="mindgames"), str(copied))
    assert not (tmp_path / "out").exists()
    before = contents(built)
    refused(run("check", "mindgames", "--out", built, *probe), words.format(name="mindgames"), str(copied))
    assert contents(built) == before


@pytest.mark.parametrize("name", NAMES)
def test_a_builder_refuses_it_too(copied, tmp_path, name):
    (copied / f"{name}.onnx").unlink()
    with pytest.raises(ValueError, match=rf"{name}\.onnx is missing: train it with make probe, or take the one"):
        dataset_of(name).builder()(config_name="all", scorer=str(copied), cache_dir=str(tmp_path / "cache"))


def test_a_fine_tuned_probe_needs_the_tokenizers(copied, monkeypatch):
    """Its vocabulary is the tokenizer of its checkpoint, as JSON."""
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ProbeError, match="needs the package tokenizers: install requirements-probe.txt$"):
        numbering("{}")


def test_a_checkpoint_is_told_the_two_texts():
    reading = mask_problem("Ann sees Jo. Jo hears.", "Jo knows that Ann is thirsty.", ["Ann", "Jo"], True)
    assert two_texts(reading[0]) == ("a0 knows that a1 is thirsty", "a1 sees a0 a0 hears")


# ------------------------------------------------------------------------------------------------ which probe


@pytest.mark.parametrize("name", NAMES)
def test_no_probe_gives_no_scores(run, tmp_path, name):
    code, _, said = run("build", name, *LEAST[name], "--out", tmp_path, "--probe", "none")
    assert (code, said) == (0, "")
    found = table_rows(tmp_path / name)
    assert found and all(row[column] is None for row in found for column in UNSCORED)
    said_so = () if name == "hi_tom" else ("--probe", "none")  # check need not be told
    code, printed, said = run("check", name, "--out", tmp_path, *said_so)
    assert (code, said) == (0, "") and f"{len(found)} of {len(found)} rows agree" in printed
    code, printed, _ = run("build", name, *LEAST[name], "--out", tmp_path, "--probe", "none")
    assert code == 0 and "is up to date" in printed


def test_check_asks_for_the_probe_that_scored(run, built, copied, tmp_path):
    given = Probe(EMBEDDED, "mindgames").identity
    rewrite(copied, "mindgames", name="another")
    mine = Probe(copied, "mindgames").identity
    assert mine.startswith("another ") and mine.split()[1] == given.split()[1]
    refused(run("check", "mindgames", "--out", built, "--probe", copied), f"was scored by {given}", "--probe", mine)
    refused(run("check", "mindgames", "--out", built, "--probe", "none"), f"was scored by {given}", "say --probe")
    args = ("mindgames", "--out", tmp_path / "out")
    assert run("build", *args, *LEAST["mindgames"], "--probe", copied)[0] == 0
    refused(run("check", *args), f"was scored by {mine}", "say --probe and its folder", given)
    code, _, said = run("check", *args, "--probe", copied)
    assert (code, said) == (0, "")


def test_where_a_probe_lies_changes_no_byte(run, built, copied, tmp_path):
    """The record names what scored, not the folder: a copy of the embedded probe is the embedded probe."""
    assert run("build", "hi_tom", *LEAST["hi_tom"], "--out", tmp_path / "out", "--probe", copied)[0] == 0
    assert contents(tmp_path / "out" / "hi_tom") == contents(built / "hi_tom")


def test_training_says_what_it_needs(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "builders.difficulty.trainer", raising=False)
    monkeypatch.delattr(builders, "trainer", raising=False)
    monkeypatch.chdir(tmp_path)
    for checkpoint in ((), ("--checkpoint", "microsoft/deberta-v3-small")):
        result = run("probe", "mindgames", *checkpoint)
        refused(result, ": pip install -r requirements-probe.txt, or use make probe")
        assert re.match("error: training needs (torch|onnx):", result[2]), "whichever is asked for first"
    assert listed(tmp_path) == []


# ------------------------------------------------------------------------------------------------ the embedded probes


def recipe_of(name: str) -> dict:
    return json.loads((EMBEDDED / f"{name}.json").read_text(encoding="utf-8"))


def test_the_embedded_probes_are_small_and_all_there_is():
    ends = {"__init__.py", "__pycache__", "README.md"}
    assert {file.name for file in EMBEDDED.iterdir()} - ends == {
        f"{n}.{end}" for n in NAMES for end in ("json", "onnx")
    }
    for file in EMBEDDED.glob("*.*"):
        assert file.stat().st_size <= 3_000_000


@pytest.mark.parametrize("name", NAMES)
def test_an_embedded_probe_says_how_it_was_made(name):
    recipe = recipe_of(name)
    for field in ("name", "architecture", "stages", "batch", "rate", "parameters", "torch", "transformers"):
        assert recipe[field], field
    assert recipe["checkpoint"] is None
    assert recipe["left_out"] >= 0 and recipe["limit"] > 0
    words = recipe["vocabulary"]
    assert words[: len(SPECIAL) + len(PLACEHOLDERS)] == [*SPECIAL, *PLACEHOLDERS] and len(set(words)) == len(words)
    assert recipe["rows"].keys() == recipe["sources"].keys() and all(recipe["rows"].values())
    assert sum(steps for _, steps in recipe["stages"]) > 0
    assert {each for names, _ in recipe["stages"] for each in names} == set(recipe["sources"])


@pytest.mark.parametrize("name", NAMES)
def test_an_embedded_probe_has_seen_no_published_row(name):
    """Its seed is no other's, and it saw the split of that name only."""
    recipe = recipe_of(name)
    assert recipe["seed"] != 0
    for config in recipe["sources"].values():
        assert config["seed"] == recipe["seed"] and config["probe"] > 0
        assert [config[split] for split in ("train", "validation", "test")] == [None] * 3
    assert all(config.probe is None for config in dataset_of(name).builder().BUILDER_CONFIGS)


@pytest.mark.parametrize("name", NAMES)
def test_an_embedded_probe_says_how_often_it_is_right(name):
    """On each test file of the default build, but for deep stories, which there were none of when it was trained."""
    default = [config for config in dataset_of(name).builder().BUILDER_CONFIGS if config.name != "deep"]
    files = {
        files["test"][0].split("/")[0]: config.test
        for config in default
        for files in [dataset_of(name).layout([config])[config.name]]
        if len(files["test"]) == 1
    }
    right = recipe_of(name)["right"]
    assert right.keys() == files.keys()
    rows = 4 if name == "mindgames" else 1
    for config, (count, total) in right.items():
        assert 0 <= count <= total and total % rows == 0 and total >= files[config]


def test_the_embedded_probes_have_learnt_something():
    """Chance is a half in MindGames, where parts of a problem say nothing, and 1 of 15 containers in Hi-ToM."""
    right = recipe_of("mindgames")["right"]
    count, total = (sum(right[setup][each] for setup in SETUPS) for each in (0, 1))
    assert total == 4 * 4 * mindgames.ALL.test and count / total >= 0.75
    count, total = recipe_of("hi_tom")["right"]["4th_order"]
    assert total == hi_tom.ALL.test and count / total >= 2 / 15
