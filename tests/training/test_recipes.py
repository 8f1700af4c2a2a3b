"""Test what the recipes of the embedded probes say, and that these probes have learnt something."""

import pytest
from probing import PROBES, recipe_of

from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.difficulty.masking import PLACEHOLDERS, SPECIAL
from tom_datasets.logic import config as mindgames
from tom_datasets.splits import layout_of, plain_name
from tom_datasets.story import config as hi_tom
from tom_datasets.syntax.formula import SETUPS


def test_the_embedded_probes_are_small_and_all_there_is():
    ends = {"__init__.py", "__pycache__", "README.md"}
    assert {file.name for file in PROBES.iterdir()} - ends == {f"{n}.{end}" for n in NAMES for end in ("json", "onnx")}
    for file in PROBES.glob("*.*"):
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
    assert {name for names, _ in recipe["stages"] for name in names} == set(recipe["sources"])


@pytest.mark.parametrize("name", NAMES)
def test_an_embedded_probe_has_seen_no_published_row(name):
    """Its seed is no other's, and it saw the split of that name only."""
    recipe = recipe_of(name)
    assert recipe["seed"] != 0
    for config in recipe["sources"].values():
        assert config["seed"] == recipe["seed"] and config["probe"] > 0
        assert [config[split] for split in ("train", "validation", "test")] == [None] * 3
    assert all(config.probe is None for config in dataset_named(name).configs)


@pytest.mark.parametrize("name", NAMES)
def test_an_embedded_probe_says_how_often_it_is_right(name):
    """On every test file of the default build, but for those whose rows the probe has not learnt."""
    unlearnt = ("deep", "ladder", "abilities", "plans", "woven", "rounds")
    configs = dataset_named(name).configs
    default = [config for config in configs if config.name not in unlearnt and plain_name(config.name) == config.name]
    files = {
        file.split("/")[0]: config.test
        for config in default
        for splits in layout_of([config]).values()
        for file in splits["test"]
        if file != "all/test.parquet"
    }
    right = recipe_of(name)["right"]
    assert right.keys() == files.keys()
    rows = 4 if name == "mindgames" else 1
    for config, (count, total) in right.items():
        assert 0 <= count <= total and total % rows == 0 and total >= files[config]


def test_the_embedded_probes_have_learnt_something():
    """Chance is a half in MindGames, where parts of a problem say nothing, and 1 of 15 containers in Hi-ToM."""
    right = recipe_of("mindgames")["right"]
    count, total = (sum(right[setup][place] for setup in SETUPS) for place in (0, 1))
    assert total == 4 * 4 * mindgames.ALL.test and count / total >= 0.75
    count, total = recipe_of("hi_tom")["right"]["4th_order"]
    assert total == hi_tom.ALL.test and count / total >= 2 / 15
