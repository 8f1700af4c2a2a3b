"""Build with options that reach every config, and with splits left out."""

import json
import re

import datasets
import pyarrow.parquet as pq
import pytest
from commands.samples import FEW
from support import TINY, listed, refused, sized

from tom_datasets.columns import UNSCORED
from tom_datasets.dataset import NAMES, dataset_named


def request_of(folder):
    """Return the configs that a build recorded."""
    return json.loads((folder / "build.json").read_text())["request"]


def test_agents_and_orders_reach_deep(run, tmp_path):
    arguments = ["--n-agents", 6, "--max-order", 3, "--probe", "none", "--out", tmp_path]
    assert run("build", "hi_tom", *FEW, *arguments)[0] == 0
    request = request_of(tmp_path / "hi_tom")
    sizes = {name: (fields["n_agents"], fields["max_order"]) for name, fields in request.items()}
    assert sizes["all"] == sizes["deep"] == (6, 3)
    assert sizes["tomh"] == sizes["reproduction"] == (5, 4)
    assert run("check", "--out", tmp_path)[0] == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_build_in_another_language_has_the_configs_of_the_language(run, tmp_path, name):
    """All splits, no config twice, and no scores: the probes know English."""
    options = ("--language", "fr", *TINY[name], "--out", tmp_path)
    assert run("build", name, *options)[0] == 0
    request = request_of(tmp_path / name)
    assert list(request) == ["all", "deep", "ladder", *(["abilities", "woven"] if name == "hi_tom" else ["rounds"])]
    assert {(fields["language"], fields["scorer"]) for fields in request.values()} == {("fr", None)}
    assert (tmp_path / name / "all" / "train.parquet").is_file()
    assert run("check", name, "--out", tmp_path)[0] == 0
    refused(
        run("build", name, *options, "--only", "reproduction"),
        f"--only names reproduction, which {name} does not have; it has all, ",
    )


def test_deep_without_an_order_is_refused(run, tmp_path):
    refused(run("build", "hi_tom", *FEW, "--max-order", 0, "--out", tmp_path), "error: deep: max_order is 0; ")
    assert listed(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "left_out", "arguments"),
    [
        (
            "hi_tom",
            ["tomh", "reproduction", "deep", "ladder", "abilities", "woven"],
            sized("hi_tom", validation=3, test=6),
        ),
        (
            "mindgames",
            ["scale", "reproduction", "deep", "ladder", "rounds"],
            sized("mindgames", validation=3, test=6),
        ),
    ],
)
def test_a_config_of_no_rows_is_left_out(run, tmp_path, name, left_out, arguments):
    folder = tmp_path / name
    code, _, said = run("build", name, *arguments, "--probe", "none", "--out", tmp_path)
    assert (code, said) == (0, "")
    assert not {*left_out, "train"} & {*listed(folder), *request_of(folder)}
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert not re.search(rf"config_name: ({'|'.join(left_out)})$", card, re.MULTILINE)
    named = set(re.findall(r"`(\w+)`", card)) - {column.name for column in dataset_named(name).columns}
    assert not {*left_out} & named
    assert "train" not in {path.stem for path in folder.rglob("*.parquet")}
    assert run("check", "--out", tmp_path)[0] == 0
    code, printed, _ = run("audit", "--out", tmp_path)
    assert code == 0 and ("Shown, not gated" not in printed or name == "hi_tom"), "no table of other configs"


@pytest.mark.parametrize(
    ("name", "only"),
    [
        ("hi_tom", "deep"),
        ("hi_tom", "tomh,ladder"),
        ("mindgames", "deep"),
        ("mindgames", "reproduction"),
        ("mindgames", "rounds"),
    ],
)
def test_some_configs_are_built_alone(run, tmp_path, tiny_build, name, only):
    """With the card, proof, audit and prompts of such a folder, and the rows of a whole build."""
    configs, tiny = only.split(","), ["--preset=tiny", "--probe", "none", "--out", tmp_path]
    assert run("build", name, "--only", only, *tiny)[0] == 0
    folder = tmp_path / name
    assert listed(folder) == sorted([*configs, "README.md", "build.json", "croissant.json", "eval.yaml"])
    assert [*request_of(folder)] == configs
    rows = pq.read_table(folder / configs[0] / "test.parquet").to_pylist()
    for command in ("check", "audit"):
        code, printed, said = run(command, "--out", tmp_path)
        assert (code, said) == (0, "") and "gates hold for every" not in printed
    assert len(run("prompts", name, "--out", tmp_path)[1].splitlines()) == len(rows)
    card = (folder / "README.md").read_text(encoding="utf-8")
    loaded = datasets.load_dataset(str(folder), split="test", cache_dir=str(tmp_path / "cache"))
    assert loaded.to_list() == rows
    assert not re.search("`all`(?!, which this build does not have)|None|fewer than", card)
    whole = pq.read_table(tiny_build(name) / name / configs[0] / "test.parquet").to_pylist()
    assert [{**row, **UNSCORED} for row in whole] == rows


def test_a_size_wins_over_the_preset_and_each_dataset_has_its_own(run, tmp_path):
    assert run("build", "--preset", "tiny", "--only", "deep", "--probe", "none", "--out", tmp_path)[0] == 0
    assert [request_of(tmp_path / name)["deep"]["train"] for name in NAMES] == [2, 1]
    sized = ["--deep-train", "3", "--only", "deep", "--preset", "tiny", "--probe", "none", "--out", tmp_path / "more"]
    assert run("build", "hi_tom", *sized)[0] == 0
    assert (tmp_path / "more" / "hi_tom" / "deep" / "train.parquet").is_file()
    assert request_of(tmp_path / "more" / "hi_tom")["deep"]["train"] == 3
    refused(
        run("build", "--only", "tomh", "--out", tmp_path / "none"),
        "--only names tomh, which mindgames does not have; it has all, ",
    )
