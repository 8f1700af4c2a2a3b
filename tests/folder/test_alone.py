"""Build configs alone, without the config all: the card, the proof and the audit of such folders.

The slow tests build each config; with TOM_DEFAULT_SIZES=1 (`make test-pages`) in its default size.
"""

import os

import datasets
import pyarrow.parquet as pq
import pytest
from cards import layout_of, read_card, section
from support import contents

from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.folder.card_examples import worked
from tom_datasets.logic.explanation import explain_premise, numbers
from tom_datasets.logic.formal import claims_of

ALONE = [(name, config.name) for name in NAMES for config in dataset_named(name).built]
OPTIONS = {
    "hi_tom": [("--n-agents", 7, "--max-order", 6), ("--language", "fr"), ("--language", "zh")],
    "mindgames": [("--n-agents", "3,4,5", "--max-order", 3), ("--language", "fr"), ("--language", "zh")],
}
"""The other builds that the pages name."""
TINY = () if os.environ.get("TOM_DEFAULT_SIZES") else ("--preset", "tiny")


def built_alone(run, out, name, *words):
    """Build a dataset without a probe, prove and audit it; return its folder."""
    folder = out / name
    code, printed, said = run("build", name, "--out", out, "--probe", "none", *words)
    assert (code, said) == (0, ""), said
    assert printed.startswith(f"{folder}: ") and contents(folder)["README.md"]
    for command in ("check", "audit"):
        code, _, said = run(command, name, "--out", out)
        assert (code, said) == (0, ""), said
    return folder


@pytest.mark.parametrize("config", ["deep", "ladder"])
def test_the_worlds_of_an_example_are_those_of_its_facts(tiny_build, config):
    """A showing has an atom of its own, a key, which is nobody's fact."""
    rows = pq.read_table(tiny_build("mindgames") / "mindgames" / config / "test.parquet").to_pylist()
    with_keys = 0
    for row in rows:
        names, (premise, _) = row["names"], claims_of(row)
        states = explain_premise(premise, tuple(names), "en").states
        example = worked(row)
        with_keys += bool(example["keys"])
        shown = sum("iff" in announcement for announcement, _ in example["steps"])
        assert example["keys"] == [len(names) + 1 + place for place in range(shown)]
        for (_, left), state in zip(example["steps"], states, strict=True):
            assert len(left) == len({*left})
            assert {*left} == {tuple(names[agent] for agent in numbers(world)) for world in numbers(state.law)}
    assert 0 < with_keys < len(rows)


def test_the_card_of_a_ladder_alone_says_what_a_key_is(run, tmp_path):
    """The block that the card of this seed shows has a showing."""
    folder = built_alone(run, tmp_path, "mindgames", "--preset", "tiny", "--only", "ladder", "--seed", 0)
    labels = section(read_card(folder), "Labels")
    assert " iff " in labels and "\nHigher numbers are *keys*." in labels


def test_the_parts_of_all_in_another_language_are_no_parts_of_a_config_before_it(run, tmp_path):
    folder = built_alone(run, tmp_path, "hi_tom", "--only", "plans,all_fr", "--plans", 1, "--test", 2)
    assert list(layout_of(read_card(folder)))[:3] == ["plans", "all_fr", "0th_order_fr"]
    loaded = [datasets.load_dataset(str(folder), config, split="test") for config in ("plans", "all_fr")]
    assert [rows.num_rows for rows in loaded] == [1, 10]


@pytest.mark.parametrize("name", ["hi_tom", pytest.param("mindgames", marks=pytest.mark.slow)])
def test_another_language_alone_is_audited_as_english_is(run, tmp_path, monkeypatch, name):
    """Where it has rows enough for gates, as by default."""
    monkeypatch.setattr("tom_datasets.audit.gates.GATED_STORIES", 3)
    assert run("build", name, "--out", tmp_path, "--probe", "none", "--only", "all_fr", "--test", 3)[0] == 0
    guesses = section(read_card(tmp_path / name), "Guessing without reading")
    assert "| rule | gate |" in guesses and (tmp_path / name / "audit.json").is_file()


def test_what_is_audited_apart_is_so_in_another_language_alone(run, tmp_path):
    built_alone(run, tmp_path, "hi_tom", "--only", "abilities_fr", "--abilities", 2)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "config"), ALONE)
def test_each_config_is_built_alone(run, tmp_path, name, config):
    folder = built_alone(run, tmp_path, name, *TINY, "--only", config, "--seed", 1)
    loaded = {part: datasets.load_dataset(str(folder), part) for part in layout_of(read_card(folder))}
    assert next(iter(loaded)) == config
    assert all(split.num_rows for splits in loaded.values() for split in splits.values())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "words"), [(name, words) for name in NAMES for words in OPTIONS[name]])
def test_the_builds_that_the_pages_name_are_built(run, tmp_path, name, words):
    built_alone(run, tmp_path, name, *TINY, *words)
