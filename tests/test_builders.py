"""Prove what both builders share: golden rows and bytes, the folder that load_dataset reads, columns, and refusals."""

import json
from importlib.metadata import version

import datasets
import pyarrow.parquet as pq
import pytest
from cards import BUILDERS, read_card
from support import GOLDEN_BYTES, GOLDEN_ROWS, SMALL, bytes_digest, pinned, rows_digest

from tom_datasets import GENERATOR_VERSION
from tom_datasets.__main__ import main
from tom_datasets.builds.measured import spoken_table
from tom_datasets.builds.witness_files import file_beside
from tom_datasets.columns import UNSCORED
from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.folder.build import Build
from tom_datasets.splits import SPLITS, in_language_of, language_of_name, plain_name, world_of

SPOKEN = ("all_fr", "2nd_order_zh", "internal_fr", "deep_zh", "ladder_fr", "abilities_zh")
"""Of the configs in other languages, one of each kind."""
CONFIGS = [
    pytest.param(name, config.name, marks=[pytest.mark.slow] * (config.name not in (*SPOKEN, plain_name(config.name))))
    for name in NAMES
    for config in BUILDERS[name].BUILDER_CONFIGS
]
ONE_CONFIG = [("hi_tom", "1st_order"), ("mindgames", "forehead")]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the golden folders once, without a probe: the scores of another machine may differ a little."""
    out = tmp_path_factory.mktemp("built")
    for name in NAMES:
        assert main(["build", name, "--out", str(out), "--seed", "7", "--probe", "none", *SMALL[name]]) == 0
    return out


def prepared(builder, processes=None):
    """Return the splits of a builder, prepared in its cache folder."""
    builder.download_and_prepare(num_proc=processes)
    return builder.as_dataset()


@pytest.mark.parametrize(
    ("name", "rule", "config"), [("hi_tom", "TF-IDF", "1st_order"), ("mindgames", "hypothesis alone", "forehead")]
)
def test_what_learns_from_texts_is_measured_in_each_language(built, name, rule, config):
    table = spoken_table(Build.read(built / name, name), 1)
    assert {f"{config}_fr", f"{config}_zh"} <= set(table) and config not in table
    for told, own in table.items():  # in other worlds of English all rules are
        elsewhere = world_of(language_of_name(told)) is not None
        assert rule in own and (("letter" in own or "no announcements" in own) is elsewhere)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_gives_the_golden_rows_and_bytes(built, name):
    for part in ("", " deep", " spoken", " told"):
        assert rows_digest(built / name, part) == GOLDEN_ROWS[name + part]
        if version("pyarrow") == pinned("pyarrow"):  # the bytes of Parquet are promised for this one
            assert bytes_digest(built / name, part) == GOLDEN_BYTES[name + part]


@pytest.mark.parametrize(("name", "config"), CONFIGS)
def test_the_folder_the_stream_and_the_builder_give_the_same_rows(built, tmp_path, monkeypatch, name, config):
    """The builder takes what was found from the file that the build left beside its folder, which searched it."""
    monkeypatch.setattr("tom_datasets.builds.making.own_file", lambda dataset: file_beside(built / dataset))
    monkeypatch.chdir(built)
    folder = datasets.load_dataset(name, config, cache_dir=str(tmp_path / "folder"))
    request = json.loads((built / name / "build.json").read_text())["request"]
    fields = request.get(config) or request[in_language_of("all", config)]
    sizes = {split: fields[split] for split in SPLITS if fields[split]}  # those of other splits count for premises too
    made = prepared(BUILDERS[name](str(tmp_path), config_name=config, seed=7, scorer=None, **sizes))
    assert list(folder) == list(made) == [split for split in sizes if split in fields["splits"]]
    streamed = datasets.load_dataset(name, config, streaming=True)
    assert list(streamed) == list(folder)
    for split in folder:
        assert made[split].to_list() == list(streamed[split]) == folder[split].to_list()
        assert folder[split].features == made[split].features == dataset_named(name).features


@pytest.mark.parametrize(
    ("name", "config", "train"), [("hi_tom", "4th_order", 300), ("mindgames", "all", 6), ("mindgames", "forehead", 130)]
)
def test_two_processes_prepare_the_same_rows(tmp_path, name, config, train):
    """Spans of stories or blocks so that two processes have unequal shares, and setups one after another."""
    sizes = {"train": train, "validation": 6, "test": 6, "scorer": None}
    alone, shared = (
        prepared(BUILDERS[name](str(tmp_path / str(processes)), config_name=config, seed=7, **sizes), processes)
        for processes in (1, 2)
    )
    for split in alone:
        assert alone[split].to_list() == shared[split].to_list()


@pytest.mark.parametrize("name", NAMES)
def test_the_default_config_is_all(built, tmp_path, monkeypatch, name):
    monkeypatch.chdir(built)
    rows = pq.read_table(built / name / "all" / "test.parquet").to_pylist()
    assert datasets.load_dataset(name, split="test", cache_dir=str(tmp_path)).to_list() == rows
    assert BUILDERS[name](cache_dir=str(tmp_path)).config.name == "all"


@pytest.mark.parametrize("name", NAMES)
def test_the_version_follows_the_generator_and_another_seed_has_another_cache(tmp_path, name):
    builder = BUILDERS[name](cache_dir=str(tmp_path))
    assert str(builder.config.version) == str(builder.info.version) == GENERATOR_VERSION
    assert f"/{GENERATOR_VERSION}" in builder.cache_dir
    folders = {BUILDERS[name](config_name="all", seed=seed, cache_dir=str(tmp_path)).cache_dir for seed in (1, 2, 11)}
    assert len(folders) == 3


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_described_in_the_docstring_and_the_card(built, name):
    described, card = dataset_named(name).meanings, read_card(built / name)
    assert list(described) == list(dataset_named(name).features)
    for column, description in described.items():
        assert len(description) > 14 and f"| `{column}` |" in card and description in card
        assert f"\n        {column}: {description}" in BUILDERS[name].__doc__


def test_both_datasets_are_one_where_somebody_joins_them(built, tmp_path):
    """Each column that both have has one type; columns of the release of mindgames keep the types of the release."""
    columns = [dataset_named(name).features for name in NAMES]
    shared = [name for name in columns[0] if name in columns[1]]
    assert shared == ["n_agents", "rung", "explanation", *UNSCORED, "config", "language", "seed", "generator_version"]
    assert [columns[0][name] for name in shared] == [columns[1][name] for name in shared]
    published = ("n_announcements", "hypothesis_depth", "n_agents", "index", "deberta_pred")
    assert {columns[1][name].dtype for name in published} == {"int64"}
    for streaming in (False, True):
        loaded = [
            datasets.load_dataset(str(built / name), split="test", streaming=streaming, cache_dir=str(tmp_path))
            for name in NAMES
        ]
        rows = list(datasets.concatenate_datasets(loaded))
        assert len(rows) == sum(len(list(part)) for part in loaded)
        assert rows[0]["premise"] is None and rows[-1]["story"] is None
        assert {row["n_agents"] for row in rows} == {2, 3, 4, 5}


@pytest.mark.parametrize(("name", "config"), ONE_CONFIG)
@pytest.mark.parametrize("scorer", [None, "none"])
def test_no_scorer_means_no_scores(tmp_path, name, config, scorer):
    rows = {}
    for kind, fields in (("unscored", {"scorer": scorer}), ("scored", {})):
        sizes = {"train": None, "validation": None, "test": 2}
        made = prepared(BUILDERS[name](str(tmp_path), config_name=config, seed=3, **sizes, **fields))
        rows[kind] = made["test"].to_list()
    assert [{**row, **UNSCORED} for row in rows["scored"]] == rows["unscored"]
    assert all(row["deberta_pred"] is not None for row in rows["scored"]), "another cache folder holds them"


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("hi_tom", {"cache_dir": "4th_order"}, r"say HiTom\(config_name='4th_order'\), or ./4th_order if"),
        ("mindgames", {"cache_dir": "all"}, r"say MindGames\(config_name='all'\), or ./all if"),
        ("hi_tom", {"config_name": "5th_order"}, "5th_order.*4th_order.*tomh.*reproduction"),
        ("mindgames", {"config_name": "shoulder"}, "shoulder.*all.*forehead.*scale.*reproduction"),
        ("hi_tom", {"config_name": "all", "n_agents": 3}, "Theorem C.5"),
        ("mindgames", {"config_name": "all", "n_agents": (1,)}, "n_agents is .*each must be from 2 to 12"),
        *((name, {"scorer": "nothing-here"}, "the probe's file .*nothing-here.* is missing") for name in NAMES),
    ],
)
def test_the_builder_refuses_wrong_options(tmp_path, name, options, message):
    with pytest.raises(ValueError, match=message):
        BUILDERS[name](**{"cache_dir": str(tmp_path), **options})
