"""mindgames: the builder, its configs, splits and columns; rows and their blocks; who labels them; the golden bytes."""

import json
import shlex
import shutil
from collections import Counter, defaultdict
from dataclasses import asdict, replace
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import datasets
import pyarrow.parquet as pq
import pytest
import yaml
from support import GOLDEN_BYTES, GOLDEN_ROWS, SMALL, bytes_digest, embedded_smcdel, pinned, rows_digest

from tom_datasets import GENERATOR_VERSION
from tom_datasets.__main__ import main
from tom_datasets.difficulty.probe import UNSCORED, with_scores
from tom_datasets.errors import DisagreementError, ProgramError, ProgramMissingError
from tom_datasets.folder.card import columns
from tom_datasets.logic.blocks import Block, apportion
from tom_datasets.logic.checkers import are_valid
from tom_datasets.logic.claims import ALL as EVERYONE
from tom_datasets.logic.claims import NONE, NOT_ALL, SOME, THAT, WHETHER, Premise, about, to_problem
from tom_datasets.logic.config import (
    ALL,
    DEEP,
    FAMILIES,
    LADDER,
    MOST_BLOCKS,
    ORDERED,
    ORDERED_SETUPS,
    REPRODUCTION,
    SCALE,
    SETUP_CONFIGS,
    SPLITS,
    ProblemConfig,
)
from tom_datasets.logic.drawing import fixed_sees
from tom_datasets.logic.formal import formal_columns
from tom_datasets.logic.rows import block_rows, part_rows, plan_of, row_number
from tom_datasets.logic.s5 import Checker
from tom_datasets.logic.smcdel.language import Valid, spell_input
from tom_datasets.logic.smcdel.parser import parse, parse_formula
from tom_datasets.logic.states import state_after
from tom_datasets.mindgames.builder import FEATURES, MindGames, MindGamesConfig
from tom_datasets.mindgames.rows import plan_of as split_plan
from tom_datasets.mindgames.rows import span_rows
from tom_datasets.splits import layout_of
from tom_datasets.streams import stream
from tom_datasets.syntax.formula import SETUPS
from tom_datasets.wording import languages
from tom_datasets.wording.problems import voice

ENTAILED, NOT_ENTAILED = "entailment", "not_entailment"
SIX = {"seed": 7, "train": 6, "validation": 6, "test": 6}
CONFIGS = [config.name for config in MindGames.BUILDER_CONFIGS]


def rows_of(config: ProblemConfig, split: str) -> list[dict]:
    """Make all rows of a split."""
    rows = span_rows(config, split, range(config.sizes()[split]), split_plan(config, split))
    return [with_scores(row, config.scorer, "mindgames") for row in rows]


def blocks_of(rows: list[dict]) -> list[list[dict]]:
    """Return rows four by four."""
    assert len(rows) % 4 == 0
    return [rows[start : start + 4] for start in range(0, len(rows), 4)]


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """Build a small folder once."""
    out = tmp_path_factory.mktemp("built")
    assert main(["build", "mindgames", "--out", str(out), "--seed", "7", *SMALL["mindgames"]]) == 0
    return out


@pytest.fixture(scope="module")
def stored(built) -> dict[str, list[dict]]:
    """Return the rows of the small folder by file."""
    files = sorted((built / "mindgames").rglob("*.parquet"))
    return {file.relative_to(built / "mindgames").as_posix(): pq.read_table(file).to_pylist() for file in files}


@pytest.fixture(scope="module")
def in_blocks(stored) -> list[dict]:
    """Return the rows of the small folder that are in blocks, but not in order blocks."""
    others = ("all", "reproduction", *ORDERED)
    return [row for file, rows in stored.items() if file.split("/")[0] not in others for row in rows]


@pytest.fixture(scope="module")
def in_all(stored) -> list[dict]:
    """Return all rows of the small folder but those of order blocks."""
    return [row for file, rows in stored.items() if file.split("/")[0] not in ("all", *ORDERED) for row in rows]


# The golden build.


def test_a_seed_gives_the_golden_rows(built):
    assert rows_digest(built / "mindgames") == GOLDEN_ROWS["mindgames"]
    assert rows_digest(built / "mindgames", deep=True) == GOLDEN_ROWS["mindgames deep"]


def test_a_seed_gives_the_golden_bytes(tmp_path):
    """Of what no probe scored: the scores of another machine may differ by a little."""
    if version("pyarrow") != pinned("pyarrow"):
        pytest.skip("the bytes of Parquet are promised for the pinned pyarrow")
    assert (
        main(["build", "mindgames", "--out", str(tmp_path), "--seed", "7", "--probe", "none", *SMALL["mindgames"]]) == 0
    )
    assert bytes_digest(tmp_path / "mindgames") == GOLDEN_BYTES["mindgames"]
    assert bytes_digest(tmp_path / "mindgames", deep=True) == GOLDEN_BYTES["mindgames deep"]


# Features, configs and layout.


def test_the_published_columns_stand_first_with_their_types():
    """In the order of the published data."""
    published = {
        "premise": "string",
        "smcdel_problem": "string",
        "n_announcements": "int64",
        "pbcheck": "string",
        "hypothesis": "string",
        "setup": "string",
        "hypothesis_depth": "int64",
        "n_agents": "int64",
        "label": "string",
        "names": "names",
        "index": "int64",
        "s-l": "string",
        "deberta_pred": "int64",
        "deberta_confidence": "float64",
        "difficulty": "float64",
    }
    ours = {
        "block": "string",
        "n_worlds": "int32",
        "needs_announcements": "int32",
        "n_worlds_before": "int32",
        "shortest_proof": "int32",
        "order_matters": "bool",
        "nesting_matters": "bool",
        "rung": "int32",
        "explanation": "string",
        "seed": "int64",
        "generator_version": "string",
    }
    assert list(FEATURES) == [*published, *ours]
    assert FEATURES["names"] == datasets.Sequence(datasets.Value("string"))
    types = {column: feature.dtype for column, feature in FEATURES.items() if column != "names"}
    assert {**types, "names": "names"} == {**published, **ours}
    assert [str(field.type) for field in FEATURES.arrow_schema if field.name == "names"] in (
        ["list<item: string>"], ["list<element: string>"],
    )  # fmt: skip


def test_every_column_is_described_in_the_docstring_and_the_card(built):
    assert list(columns(MindGames)) == list(FEATURES)
    assert all(len(description) > 14 for description in columns(MindGames).values())
    card = (built / "mindgames" / "README.md").read_text()
    for column, description in columns(MindGames).items():
        assert f"| `{column}` |" in card and description in card


def test_the_documented_sizes_are_the_defaults():
    assert ALL.sizes() == {"train": 700, "validation": 234, "test": 234}
    assert {split: 4 * 4 * blocks for split, blocks in ALL.sizes().items()} == {
        "train": 11_200, "validation": 3_744, "test": 3_744,
    }  # fmt: skip
    assert SCALE.sizes() == {"test": 120} and SCALE.n_agents == (5, 6, 7, 8, 9, 10)
    assert REPRODUCTION.sizes() == {"test": 400} and REPRODUCTION.n_agents == (2, 3)
    assert ALL.n_agents == (2, 3, 4) and {config.max_order for config in (ALL, SCALE, REPRODUCTION)} == {2}
    assert DEEP.sizes() == ALL.sizes() and LADDER.sizes() == {"test": 120}
    assert (DEEP.n_agents, DEEP.n_announcements, DEEP.max_order) == ((3, 4, 5), (3, 4), 3)
    assert len(LADDER.rungs) == 6 and (LADDER.rungs[0], LADDER.rungs[-1]) == ((3, 3, 1), (6, 8, 4))
    assert all(few <= many for one, other in pairwise(LADDER.rungs) for few, many in zip(one, other, strict=True))
    # One sixth, a third and a half; SCALE and REPRODUCTION have all setups too.
    assert apportion(ALL.test, ALL.n_agents) == {2: 39, 3: 78, 4: 117}
    assert ALL.setups == SCALE.setups == REPRODUCTION.setups == SETUPS
    assert DEEP.setups == LADDER.setups == ("forehead", "internal", "explicit")


def test_the_configs_are_the_setups_all_and_the_other_families():
    assert CONFIGS == ["all", *SETUPS, "scale", "reproduction", "deep", "ladder"]
    for config in MindGames.BUILDER_CONFIGS:
        config.validate()
        if config.family not in ORDERED:
            assert config.setups == ((config.name,) if config.name in SETUPS else SETUPS)
        assert config.family == ("blocks" if config.name in ("all", *SETUPS) else config.name)
        assert config.seed == 0 and config.checker == "auto" and config.language == "en"


def test_the_default_config_is_all(built, tmp_path, monkeypatch):
    monkeypatch.chdir(built)
    dataset = datasets.load_dataset("mindgames", split="test", cache_dir=str(tmp_path))
    assert Counter(dataset["setup"]) == dict.fromkeys(SETUPS, 4 * 6)
    assert MindGames(cache_dir=str(tmp_path)).config == MindGamesConfig(**asdict(ALL))


def test_the_version_follows_the_generator(tmp_path):
    builder = MindGames(config_name="forehead", cache_dir=str(tmp_path))
    assert str(builder.config.version) == str(builder.info.version) == GENERATOR_VERSION
    assert f"/{GENERATOR_VERSION}" in builder.cache_dir


def test_another_seed_has_another_cache(tmp_path):
    folders = {MindGames(config_name="all", seed=seed, cache_dir=str(tmp_path)).cache_dir for seed in (1, 2, 11)}
    assert len(folders) == 3


def test_the_layout_has_files_of_its_own_for_every_config():
    files = layout_of([ALL, SCALE, REPRODUCTION, DEEP, LADDER])
    assert list(files) == ["all", *SETUPS, "scale", "reproduction", "deep", "ladder"]
    for setup in SETUPS:
        assert files[setup] == {split: [f"{setup}/{split}.parquet"] for split in ALL.sizes()}
    assert files["all"] == {split: [f"all/{split}.parquet"] for split in ALL.sizes()}
    assert files["scale"] == {"test": ["scale/test.parquet"]}
    assert files["reproduction"] == {"test": ["reproduction/test.parquet"]}
    assert files["deep"] == {split: [f"deep/{split}.parquet"] for split in ALL.sizes()}
    assert files["ladder"] == {"test": ["ladder/test.parquet"]}
    assert layout_of([replace(ALL, train=None, validation=None)])["all"] == {"test": files["all"]["test"]}
    assert ALL.part_of({"setup": "internal"}) == SETUP_CONFIGS[2].part_of({"setup": "internal"})


def test_all_holds_the_rows_of_its_setups_and_no_other_row_is_stored_twice(built, stored):
    card = (built / "mindgames" / "README.md").read_text().split("---\n")[1]
    listed = yaml.safe_load(card)["configs"]
    files = {
        config["config_name"]: {split["split"]: split["path"] for split in config["data_files"]} for config in listed
    }
    assert files == layout_of([ALL, SCALE, REPRODUCTION, DEEP, LADDER])
    assert [config["config_name"] for config in listed if config.get("default")] == ["all"]
    assert set(stored) == {file for splits in files.values() for paths in splits.values() for file in paths}
    indices = [row["index"] for file, rows in stored.items() if not file.startswith("all/") for row in rows]
    assert len(indices) == len(set(indices)) == 4 * 4 * (6 + 6 + 6 + 6) + 4 * 4 + 4 * 3 * (6 + 3 + 6 + 6)
    for split in ALL.sizes():
        blocks = blocks_of(stored[f"all/{split}.parquet"])
        assert [block[0]["setup"] for block in blocks] == 6 * list(SETUPS)
        for place, setup in enumerate(SETUPS):
            assert [row for block in blocks[place::4] for row in block] == stored[f"{setup}/{split}.parquet"]


@pytest.mark.parametrize("config", ["all", "deep"])
def test_the_folder_and_the_builder_give_the_same_rows(stored, tmp_path, config):
    sizes = {"train": 6, "validation": 3 if config == "deep" else 6, "test": 6}
    builder = MindGames(config_name=config, seed=7, cache_dir=str(tmp_path), **sizes)
    builder.download_and_prepare()
    for split, rows in builder.as_dataset().items():
        assert rows.to_list() == stored[f"{config}/{split}.parquet"]


# Errors.


@pytest.mark.parametrize(
    ("config", "fields", "message"),
    [
        (ALL, {"seed": "x"}, "seed is 'x'; it must be an integer"),
        (ALL, {"seed": True}, "seed is True; it must be an integer"),
        (ALL, {"seed": 1.0}, "seed is 1.0; it must be an integer"),
        (ALL, {"seed": 2**63}, "seed is 9223372036854775808; it must fit 64 bits, as its column has"),
        (ALL, {"seed": -(2**63) - 1}, "seed is -9223372036854775809; it must fit 64 bits, as its column has"),
        (ALL, {"language": "fr"}, "unknown language 'fr'; the languages are en"),
        (
            ALL,
            {"setup": "backhead"},
            "unknown setup 'backhead'; the setups are forehead, forehead_mirror, internal, explicit",
        ),
        (ALL, {"n_agents": (1, 2)}, "n_agents is (1, 2); each must be from 2 to 12"),
        (ALL, {"n_agents": (2, 13)}, "n_agents is (2, 13); each must be from 2 to 12"),
        (ALL, {"n_agents": (2, "3")}, "n_agents is (2, '3'); each must be from 2 to 12"),
        (ALL, {"n_agents": (2.0, 3)}, "n_agents is (2.0, 3); each must be from 2 to 12"),
        (ALL, {"n_agents": (True, 3)}, "n_agents is (True, 3); each must be from 2 to 12"),
        (ALL, {"n_agents": ()}, "n_agents is (); it must be numbers of agents, such as (2, 3, 4)"),
        (ALL, {"n_agents": 5}, "n_agents is 5; it must be numbers of agents, such as (2, 3, 4)"),
        (ALL, {"n_agents": "23"}, "n_agents is '23'; it must be numbers of agents, such as (2, 3, 4)"),
        (ALL, {"n_agents": [5, 13]}, "n_agents is [5, 13]; each must be from 2 to 12"),
        (ALL, {"n_agents": (3, 2)}, "n_agents is (3, 2); they must be different and in ascending order"),
        (ALL, {"n_agents": (2, 2)}, "n_agents is (2, 2); they must be different and in ascending order"),
        (ALL, {"max_order": 0}, "max_order is 0; it must be from 1 to 12"),
        (ALL, {"max_order": 13}, "max_order is 13; it must be from 1 to 12"),
        (ALL, {"max_order": True}, "max_order is True; it must be from 1 to 12"),
        (ALL, {"max_order": 2.0}, "max_order is 2.0; it must be from 1 to 12"),
        (ALL, {"checker": "prover"}, "unknown checker 'prover'; there are auto, smcdel, embedded, both"),
        (ALL, {"train": -1}, "train is -1 blocks of four; it must be from 1 to 1,000,000"),
        (ALL, {"validation": -3}, "validation is -3 blocks of four; it must be from 1 to 1,000,000"),
        (ALL, {"test": 1_000_001}, "test is 1000001 blocks of four; it must be from 1 to 1,000,000"),
        (ALL, {"test": 1.5}, "test is 1.5 blocks of four; it must be from 1 to 1,000,000"),
        (SCALE, {"test": 0}, "at least one must be a number of blocks of four"),
        (
            ALL,
            {"train": None, "validation": None, "test": None},
            "train, validation, test are all None or 0; at least one must be a number of blocks of four",
        ),
        (REPRODUCTION, {"test": 3}, "test is 3 problems; it must be even, as half of them are entailed"),
        (REPRODUCTION, {"test": 0}, "at least one must be a number of problems"),
        (REPRODUCTION, {"test": None}, "train, validation, test are all None or 0; at least one must be a"),
        (REPRODUCTION, {"train": 2}, "reproduction has a test split only; leave train and validation None"),
        (REPRODUCTION, {"test": None, "train": 2}, "reproduction has a test split only; leave train and validation"),
        (DEEP, {"setup": "forehead_mirror"}, "deep has no forehead_mirror, where no order matters; it has fore"),
        (DEEP, {"n_announcements": ()}, "n_announcements is (); it must be numbers from 2 to 12"),
        (DEEP, {"n_announcements": (1,)}, "n_announcements is (1,); it must be numbers from 2 to 12"),
        (DEEP, {"n_announcements": 3}, "n_announcements is 3; it must be numbers from 2 to 12"),
        (DEEP, {"kinds": ("fact",)}, "kinds is ('fact',); the kinds of announcements are facts, counts, fir"),
        (DEEP, {"kinds": ("showings",)}, "kinds is ('showings',); name each once, and one besides showings"),
        (DEEP, {"kinds": ("facts", "facts")}, "kinds is ('facts', 'facts'); name each once, and one besides showings"),
        (LADDER, {"rungs": ()}, "ladder has rungs, and a test split only; leave train and validation None"),
        (LADDER, {"train": 2}, "ladder has rungs, and a test split only; leave train and validation None"),
        (LADDER, {"rungs": ((3, 3),)}, "a rung is (3, 3); it must be a number of agents from 2 to 12, of announ"),
        (LADDER, {"rungs": ((3, 1, 1),)}, "a rung is (3, 1, 1); it must be a number of agents from 2 to 12, of announ"),
    ],
)  # fmt: skip
def test_fields_that_cannot_be_are_said_in_one_line(config, fields, message):
    with pytest.raises(ValueError) as raised:
        replace(config, **fields).validate()
    assert message in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "fields", [{"seed": -(2**63)}, {"n_agents": (2, 12)}, {"max_order": 12}, {"train": None, "test": None}, {"test": 1}]
)
def test_fields_that_can_be(fields):
    replace(ALL, **fields).validate()


def test_fields_of_order_blocks_that_can_be():
    replace(DEEP, kinds=("common", "distributed")).validate()
    replace(LADDER, rungs=((2, 2, 1),)).validate()


def test_the_builder_validates_its_config(tmp_path):
    with pytest.raises(ValueError, match="n_agents is .*each must be from 2 to 12"):
        MindGames(config_name="all", n_agents=(1,), cache_dir=str(tmp_path))


@pytest.mark.parametrize("name", CONFIGS)
def test_a_config_name_as_the_cache_folder_is_caught(name):
    with pytest.raises(ValueError, match=rf"say MindGames\(config_name='{name}'\), or ./{name} if"):
        MindGames(name)


def test_an_unknown_config_names_the_known_ones(tmp_path):
    with pytest.raises(ValueError, match="shoulder.*all.*forehead.*scale.*reproduction"):
        MindGames(config_name="shoulder", cache_dir=str(tmp_path))


# The builder.


@pytest.mark.parametrize("config", ["all", "forehead_mirror", "scale", "reproduction", "deep", "ladder"])
def test_the_folder_the_stream_and_the_builder_give_the_same_rows(built, tmp_path, monkeypatch, config):
    monkeypatch.chdir(built)
    folder = datasets.load_dataset("mindgames", config, cache_dir=str(tmp_path / "folder"))
    sizes = {
        "scale": {"test": 6}, "reproduction": {"test": 4}, "ladder": {"test": 6},
        "deep": {"train": 6, "validation": 3, "test": 6},
    }.get(config, {"train": 6, "validation": 6, "test": 6})  # fmt: skip
    builder = MindGames(config_name=config, seed=7, cache_dir=str(tmp_path / "builder"), **sizes)
    builder.download_and_prepare()
    made = builder.as_dataset()
    assert list(folder) == list(made) == list(sizes)
    for split in folder:
        rows = made[split].to_list()
        assert rows == folder[split].to_list()
        assert rows == rows_of(replace(builder.config, checker="embedded"), split)
        streamed = datasets.load_dataset("mindgames", config, split=split, streaming=True)
        assert list(streamed) == rows
        assert folder[split].features == made[split].features == FEATURES


@pytest.mark.parametrize(("config", "train"), [("all", 6), ("forehead", 130)])
def test_two_processes_prepare_the_same_rows(tmp_path, config, train):
    """Four setups, and two unequal parts of one."""
    made = []
    for processes in (1, 2):
        cache = str(tmp_path / str(processes))
        builder = MindGames(config_name=config, seed=7, train=train, validation=6, test=6, cache_dir=cache)
        builder.download_and_prepare(num_proc=processes)
        made.append(builder.as_dataset())
    for split, rows in made[0].items():
        assert rows.to_list() == made[1][split].to_list()
        assert len(rows) == 4 * builder.config.sizes()[split] * len(builder.config.setups)


def test_numbers_of_agents_may_be_a_list(tmp_path):
    rows = []
    for n_agents in ((2, 3), [2, 3]):
        cache = str(tmp_path / type(n_agents).__name__)
        builder = MindGames(config_name="internal", n_agents=n_agents, train=2, validation=2, test=2, cache_dir=cache)
        builder.download_and_prepare()
        rows.append(builder.as_dataset()["test"].to_list())
    assert rows[0] == rows[1]


def test_what_is_asked_for_is_what_a_builder_builds(tmp_path):
    """A builder without a config's name, and fields that the command line has."""
    builder = MindGames(setup="explicit", n_agents=(3, 5), max_order=3, train=1, validation=1, test=12,
                        checker="embedded", cache_dir=str(tmp_path))  # fmt: skip
    builder.download_and_prepare()
    made = builder.as_dataset()
    assert Counter(made["test"]["n_agents"]) == {3: 4 * 4, 5: 4 * 8}
    rows = [row for split in made.values() for row in split.to_list()]
    assert {row["setup"] for row in rows} == {"explicit"}
    # Orders take turns: 2 + 1 + 1 blocks of three agents, 4 + 3 + 3 of five.
    assert Counter(row["hypothesis_depth"] for row in rows) == {0: 4 * 6, 1: 4 * 4, 2: 4 * 4}


# Rows.


def test_each_file_has_its_setups_and_sizes(stored):
    for file, rows in stored.items():
        name = file.split("/")[0]
        expected = 4 if name == "reproduction" else 12 if file == "deep/validation.parquet" else 4 * 6
        setups = [name] if name in SETUPS else ORDERED_SETUPS if name in ORDERED else SETUPS
        assert Counter(row["setup"] for row in rows) == dict.fromkeys(setups, expected)
        assert {row["seed"] for row in rows} == {7}
        assert {row["generator_version"] for row in rows} == {GENERATOR_VERSION}


def test_scale_has_five_to_ten_agents(stored):
    config = replace(SCALE, seed=7, test=60)
    planned = plan_of(config, "internal")["test"]
    assert Counter(len(block.p.sees) for block in planned) == apportion(60, SCALE.n_agents)
    assert set(apportion(60, SCALE.n_agents)) == set(range(5, 11))
    assert {row["n_agents"] for row in stored["scale/test.parquet"]} <= set(range(5, 11))


def test_reproduction_has_single_problems_half_of_them_entailed(stored):
    rows = stored["reproduction/test.parquet"] + rows_of(replace(REPRODUCTION, test=40, checker="embedded"), "test")
    for setup in SETUPS:
        labels = Counter(row["label"] for row in rows if row["setup"] == setup)
        assert labels == dict.fromkeys((ENTAILED, NOT_ENTAILED), 22)
    assert {row["block"] for row in rows} == {None}
    assert {row["n_agents"] for row in rows} == {2, 3}
    assert {row["hypothesis_depth"] for row in rows} == {0, 1}
    assert len({row["premise"] for row in rows}) > 0.6 * len(rows)  # in blocks it would be half


def test_labels_have_equal_shares_in_each_setup_split_and_number_of_agents(stored):
    for file, rows in stored.items():
        if not file.startswith("reproduction/"):
            labels = Counter((row["setup"], row["n_agents"], row["label"]) for row in rows)
            for setup, n_agents, _ in labels:
                assert labels[setup, n_agents, ENTAILED] == labels[setup, n_agents, NOT_ENTAILED]


def test_agents_have_their_shares(stored):
    for setup in SETUPS:
        for split in ALL.sizes():
            agents = Counter(row["n_agents"] for row in stored[f"{setup}/{split}.parquet"])
            assert agents == {2: 4 * 1, 3: 4 * 2, 4: 4 * 3}


def test_four_rows_that_follow_one_another_are_a_block(in_blocks):
    blocks = blocks_of(in_blocks)
    for block in blocks:
        assert len({(row["block"], row["setup"], row["s-l"], *row["names"]) for row in block}) == 1
        assert [row["index"] for row in block] == [*range(block[0]["index"], block[0]["index"] + 4)]
        assert len({(row["premise"], row["hypothesis"]) for row in block}) == 4
        for column in ("premise", "hypothesis"):
            labels = defaultdict(set)
            for row in block:
                labels[row[column]].add(row["label"])
            assert len(labels) == 2 and all(both == {ENTAILED, NOT_ENTAILED} for both in labels.values())
    assert len({block[0]["block"] for block in blocks}) == len(blocks)


def test_the_hypotheses_of_a_block_have_one_form(in_blocks):
    for block in blocks_of(in_blocks):
        forms = set()
        for row in block:
            form = f" {row['hypothesis']}"
            for name in row["names"]:
                form = form.replace(f" {name}", " X")
            forms.add(form)
        assert len(forms) == 1


def test_the_order_of_rows_within_a_block_varies(in_blocks):
    orders = Counter()
    for block in blocks_of(in_blocks):
        first = block[0]
        orders[tuple((row["premise"] == first["premise"], row["label"]) for row in block)] += 1
    assert len(orders) == 12  # six arrangements of two premises and labels, for each label of the first
    assert Counter(label for ((_, label), *_), count in orders.items() for _ in range(count)).keys() == {
        ENTAILED, NOT_ENTAILED,
    }  # fmt: skip


def test_no_two_rows_have_one_index(in_all):
    assert len({row["index"] for row in in_all}) == len(in_all)
    numbers = [
        row_number(family, setup, split, index)
        for family in FAMILIES
        for setup in SETUPS
        for split in SPLITS
        for index in (0, 1, MOST_BLOCKS - 1)
    ]
    assert len(set(numbers)) == len(numbers) and 0 <= min(numbers) and 4 * max(numbers) + 3 < 2**63


def test_no_two_rows_share_a_text(in_all):
    assert len({(row["premise"], row["hypothesis"]) for row in in_all}) == len(in_all)


def test_columns_say_what_the_problem_has(in_all):
    for row in in_all:
        announced = row["premise"].count("It is publicly announced that ")
        assert row["n_announcements"] == announced - 1 == row["smcdel_problem"].count("[ ! ") - 1
        assert row["hypothesis_depth"] == row["hypothesis"].count(" know ") - 1
        assert row["s-l"] == f"{row['setup']}-{row['hypothesis_depth']}"
        assert row["n_agents"] == len(row["names"]) == row["smcdel_problem"].count("Agent", 0, brackets(row))
        assert 0 <= row["n_announcements"] <= row["n_agents"]
        assert 0 <= row["needs_announcements"] <= announced


def brackets(row: dict) -> int:
    """Return where the question of a problem begins."""
    return row["smcdel_problem"].index("VALID?")


def test_the_formal_problem_gives_the_label(in_all):
    for row in in_all:
        structure, (query,) = parse(row["smcdel_problem"])
        assert isinstance(query, Valid)
        assert (Checker(structure).valid(query.formula)) == (row["label"] == ENTAILED)


def test_the_worlds_that_are_left_are_counted(in_all):
    """By asking for the worlds in which everything can be announced."""
    for row in in_all:
        structure, (query,) = parse(row["pbcheck"])
        left = Checker(structure)
        announcements = row["pbcheck"].split("VALID? ")[1].removesuffix(" 0")
        possible = parse_formula(f"~({announcements} Bot)")
        atom_0 = 2 if 0 in structure.atoms and structure.law == parse_formula("Top") else 1
        assert len(left.where(possible)) == row["n_worlds"] * atom_0


def test_no_premise_leaves_no_world(in_all):
    for row in in_all:
        structure, (query,) = parse(row["pbcheck"])
        assert 0 in structure.atoms and row["pbcheck"].endswith(" ] 0")
        assert not Checker(structure).valid(query.formula)
        assert row["n_worlds"] >= 1


def test_the_worlds_and_needs_of_a_premise_worked_out_by_hand():
    """Ann, Bob and Carol: someone; Ann is not muddy; Bob does not know whether he is. So Carol is muddy, and knows."""
    premise = Premise(
        "forehead", fixed_sees("forehead", 3), (((), about(0, True)), (((1, WHETHER, True),), about(1, False)))
    )
    knows = (((2, THAT, False),), about(2, False))
    ((row, _),) = block_rows(replace(REPRODUCTION, seed=7), "forehead", "test", 3, (premise, knows))
    assert row["label"] == ENTAILED and row["n_worlds"] == 2  # of Bob nothing is known
    assert row["needs_announcements"] == 3  # without any of them Carol does not know
    assert (row["n_worlds_before"], row["shortest_proof"]) == (8, 3)
    assert (row["n_announcements"], row["hypothesis_depth"], row["s-l"]) == (2, 0, "forehead-0")
    assert row["block"] is None and row["index"] == 4 * row_number("reproduction", "forehead", "test", 3)
    assert row["smcdel_problem"] == (
        "VARS 1,2,3 LAW Top OBS Agenta:2,3 Agentb:1,3 Agentc:1,2 VALID? "
        "[ ! (1|2|3) ] [ ! ~(1) ] [ ! ~(Agentb knows whether 2) ] (Agentc knows that 3)"
    )
    assert row["pbcheck"] == (
        "VARS 0,1,2,3 LAW Top OBS Agenta:2,3 Agentb:1,3 Agentc:1,2 VALID? "
        "[ ! (1|2|3) ] [ ! ~(1) ] [ ! ~(Agentb knows whether 2) ] 0"
    )
    ann, bob, carol = row["names"]
    assert row["premise"] == (
        "There are three persons. Everyone is visible to others. It is publicly announced that someone's forehead is "
        f"muddy. It is publicly announced that {ann}'s forehead is not muddy. It is publicly announced that {bob} "
        f"does not know whether {bob}'s forehead is muddy."
    )
    assert row["hypothesis"] == f"{carol} can now know that {carol}'s forehead is muddy."


def test_the_published_style():
    """Every kind of claim, as the published problems write it (reference/smcdel/README.md)."""
    premise = Premise(
        "forehead",
        fixed_sees("forehead", 3),
        (
            ((), EVERYONE),
            ((), NOT_ALL),
            ((), NONE),
            ((), about(1, True)),
            (((0, THAT, False),), SOME),
            (((1, WHETHER, True),), NONE),
            (((2, THAT, True),), about(0, True)),
        ),
    )
    hypothesis = (((1, THAT, True), (0, WHETHER, False)), EVERYONE)
    spelled, pbcheck = formal_columns(to_problem(premise, hypothesis).structure(), premise, hypothesis)
    announcements = (
        "[ ! (1|2|3) ] [ ! (1&2&3) ] [ ! (~(1&2&3)) ] [ ! (~(1|2|3)) ] [ ! ~(2) ] [ ! (Agenta knows that (1|2|3)) ] "
        "[ ! ~(Agentb knows whether (~(1|2|3))) ] [ ! ~(Agentc knows that ~(1)) ]"
    )
    observed = "OBS Agenta:2,3 Agentb:1,3 Agentc:1,2 VALID?"
    assert (
        spelled == f"VARS 1,2,3 LAW Top {observed} {announcements} ~(Agentb knows that (Agenta knows whether (1&2&3)))"
    )
    assert pbcheck == f"VARS 0,1,2,3 LAW Top {observed} {announcements} 0"
    plain = (((1, THAT, False), (0, WHETHER, False)), about(2, False))
    spelled, _ = formal_columns(to_problem(premise, plain).structure(), premise, plain)
    assert spelled.endswith(" ] Agentb knows that (Agenta knows whether 3)")  # so published, without parentheses
    assert spell_input(*parse(spelled)) == spelled


def test_an_agent_who_sees_nothing_observes_an_atom_that_the_law_fixes(in_all):
    premise = Premise("explicit", ((), (1, 2)), ())
    hypothesis = (((0, THAT, False),), SOME)
    assert formal_columns(to_problem(premise, hypothesis).structure(), premise, hypothesis) == (
        "VARS 0,1,2 LAW ~(0) OBS Agenta:0 Agentb:1,2 VALID? [ ! (1|2) ] (Agenta knows that (1|2))",
        "VARS 0,1,2 LAW ~(0) OBS Agenta:0 Agentb:1,2 VALID? [ ! (1|2) ] 0",
    )
    blind = 0
    for row in in_all:
        shown = [name for name in row["names"] if f"card is shown to {name}." in row["premise"]]
        nothing = row["setup"] == "explicit" and len(shown) < row["n_agents"]
        blind += nothing
        assert row["smcdel_problem"].startswith("VARS 0,1,2" if nothing else "VARS 1,2")
        assert (" LAW ~(0) OBS " if nothing else " LAW Top OBS ") in row["smcdel_problem"]
        for agent, name in zip("abcdefghij", row["names"], strict=False):
            observes_0 = f" Agent{agent}:0 " in row["smcdel_problem"]
            assert observes_0 == (nothing and name not in shown)
    assert blind > 0


# Names.


def test_names_are_different_girls_and_boys_in_equal_shares(in_all):
    """Some names are a girl's and a boy's."""
    girls, boys = (set(names) for names in lexicon().values())
    for row in in_all:
        names = set(row["names"])
        assert len(names) == row["n_agents"] and names <= girls | boys
        assert max(len(names - girls), len(names - boys)) <= -(-len(names) // 2)


def lexicon() -> dict[str, dict[str, int]]:
    """Return the first names of girls and boys with their frequencies."""
    return json.loads((languages.TEMPLATES / "en" / "first_names.json").read_text(encoding="utf-8"))


def test_names_are_as_frequent_as_in_the_census():
    say, drawn = voice("en"), stream("names")
    counts = Counter(name for _ in range(10_000) for name in say.persons(drawn, 2))
    kinds = lexicon()
    expected = Counter()
    for names in kinds.values():
        for name, frequency in names.items():
            expected[name] += 10_000 * frequency / sum(names.values())
    assert set(counts) <= set(expected)
    for name, times in expected.most_common(60):
        assert abs(counts[name] - times) < 5 * times**0.5, name
    rare = sum(counts[name] for name, times in expected.items() if times < 1)
    assert 0 < rare and all(counts[name] < 20 for name, times in expected.items() if times < 1)
    assert counts["James"] > 300 and counts["Mary"] > 250


# A row is a function of the config with its sizes, the seed, the split and the index.


def test_spans_of_other_lengths_give_the_same_rows():
    config = replace(ALL, **SIX, checker="embedded")
    for config, setup in (
        (replace(ALL, **SIX, checker="embedded"), "explicit"),
        (replace(SCALE, seed=7, test=6, checker="embedded"), "forehead"),
        (replace(REPRODUCTION, seed=7, test=6, checker="embedded"), "internal"),
    ):
        settled = plan_of(config, setup)["test"]
        whole = part_rows(config, setup, "test", range(6), settled)
        for spans in ([range(3), range(3, 6)], [range(index, index + 1) for index in range(6)]):
            made = [part_rows(config, setup, "test", span, settled[span.start : span.stop]) for span in spans]
            assert [row for rows in made for row in rows] == whole
        backward = [part_rows(config, setup, "test", range(i, i + 1), settled[i : i + 1]) for i in reversed(range(6))]
        assert [row for rows in reversed(backward) for row in rows] == whole


def test_the_config_of_a_setup_has_the_rows_of_all(stored):
    for config in SETUP_CONFIGS:
        small = replace(config, **SIX, checker="embedded")
        assert rows_of(small, "validation") == stored[f"{config.name}/validation.parquet"]


def test_another_seed_is_another_dataset(in_blocks):
    other = [row for split in ALL.sizes() for row in rows_of(replace(ALL, **{**SIX, "seed": 8}), split)]
    assert not {row["premise"] for row in other} & {row["premise"] for row in in_blocks}
    formal = [{row["smcdel_problem"] for row in rows if row["n_agents"] == 4} for rows in (other, in_blocks)]
    assert len(formal[0] & formal[1]) < 0.1 * len(formal[0])


def test_other_sizes_are_another_plan():
    """What depends on all rows, such as which premise goes to which split, is settled from the sizes too."""
    small, larger = replace(ALL, **SIX), replace(ALL, **{**SIX, "train": 12})
    assert plan_of(small, "forehead") == plan_of(replace(small), "forehead")
    assert plan_of(small, "forehead")["test"] != plan_of(larger, "forehead")["test"]


def test_splits_and_configs_share_no_problem(in_all):
    """Up to the names of atoms and agents `make check` proves more; here are the formal problems of many agents."""
    problems = Counter((row["setup"], row["smcdel_problem"]) for row in in_all)
    assert set(problems.values()) == {1}


def test_words_never_change_a_problem(tmp_path, monkeypatch, stored):
    """In a language with other names every problem is the same, and every row has other words."""
    shutil.copytree(languages.TEMPLATES / "en", tmp_path / "en")
    shutil.copytree(languages.TEMPLATES / "en", tmp_path / "xx")
    lists = {"girls": {"Xana": 3, "Yelti": 2, "Zorub": 1}, "boys": {"Quilp": 1, "Bendor": 1, "Mufti": 1}}
    (tmp_path / "xx" / "first_names.json").write_text(json.dumps(lists))
    macros = (tmp_path / "xx" / "mindgames.jinja").read_text()
    (tmp_path / "xx" / "mindgames.jinja").write_text(macros.replace("publicly announced", "shouted"))
    monkeypatch.setattr(languages, "TEMPLATES", tmp_path)
    config = replace(ALL, **SIX, language="xx", checker="embedded")
    config.validate()
    rows = rows_of(config, "test")
    voice.cache_clear()
    english = stored["all/test.parquet"]
    wording = {"premise", "hypothesis", "names"}
    for row, other in zip(rows, english, strict=True):
        assert {column for column in row if row[column] != other[column]} - UNSCORED.keys() == wording
        assert "It is shouted that someone" in row["premise"]
    girls = Counter((row["n_agents"], len(lists["girls"].keys() & row["names"])) for row in rows)
    assert set(girls) == {(2, 1), (3, 1), (3, 2), (4, 2)}  # half of them, of three agents sometimes two, sometimes one
    assert {row["names"][0] in lists["girls"] for row in rows} == {True, False}


# Checkers.


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Return what puts this project's own program in SMCDEL's place, changed by a shell command after it."""

    def program(then: str = "cat", name: str = "smcdel") -> Path:
        run = f'{embedded_smcdel()} "$@"'
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\necho >> {shlex.quote(str(tmp_path / 'asked'))}\n{run} | {then}\n")
        path.chmod(0o755)
        monkeypatch.setenv("SMCDEL", str(path))
        return path

    return program


LIES = "sed 's/True/Lie/; s/False/True/; s/Lie/False/'"


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """Let there be no SMCDEL."""
    monkeypatch.delenv("SMCDEL", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def labelled(checker: str, setup: str = "forehead", blocks: int = 6) -> list[dict]:
    """Make rows of a setup that a checker labels."""
    config = replace(ALL, **SIX, checker=checker)
    return part_rows(config, setup, "test", range(blocks), plan_of(config, setup)["test"][:blocks])


@pytest.mark.parametrize("checker", ["smcdel", "both", "auto"])
def test_the_program_gives_the_same_rows_and_is_asked_once_for_each_structure(program, tmp_path, checker):
    program()
    rows = labelled(checker)
    assert rows == labelled("embedded")
    structures = {row["smcdel_problem"].split(" VALID?")[0] for row in rows}
    assert len(structures) == 3 and len(rows) == 24
    assert (tmp_path / "asked").read_text().count("\n") == 3


def test_one_structure_is_one_process_whatever_stands_between(program, tmp_path):
    """The questions of two premises of cards, in turns."""
    program()
    questions = []
    for index in range(8):
        premise = Premise("explicit", ((1,), (2,)) if index % 2 else ((), (1, 2)), ())
        problem = to_problem(premise, (((index // 4, THAT, False),), SOME if index % 3 else EVERYONE))
        questions.append((problem.structure(), problem.entailment()))
    assert are_valid(questions, "smcdel") == are_valid(questions, "embedded")
    assert len(set(are_valid(questions, "embedded"))) == 2
    assert (tmp_path / "asked").read_text().count("\n") == 2


def test_blind_agents_in_front_of_the_program(program):
    program()
    assert labelled("both", "explicit", 2) == labelled("embedded", "explicit", 2)


def test_embedded_never_asks_a_program(program, tmp_path):
    program(LIES)
    labelled("embedded")
    assert not (tmp_path / "asked").exists()


def test_both_stops_at_a_program_that_lies_and_shows_the_problem(program):
    path = program(LIES)
    rows = labelled("embedded")
    with pytest.raises(DisagreementError) as raised:
        labelled("both")
    lie = NOT_ENTAILED if rows[0]["label"] == ENTAILED else ENTAILED
    expected = f"{path} says {lie}, the embedded checker {rows[0]['label']}: {rows[0]['smcdel_problem']}"
    assert str(raised.value) == expected


def test_one_lie_among_many_is_found(program):
    """Of all answers of a process, the last only."""
    program("tac | sed '0,/True/s//Lie/' | tac | sed 's/Lie/False/'")
    with pytest.raises(DisagreementError, match="says not_entailment, the embedded checker entailment: VARS 1,2"):
        labelled("both")


@pytest.mark.parametrize("checker", ["smcdel", "auto"])
def test_a_program_that_lies_is_against_the_plan(program, checker):
    program(LIES)
    rows = labelled("embedded")
    with pytest.raises(DisagreementError) as raised:
        labelled(checker)
    lie = NOT_ENTAILED if rows[0]["label"] == ENTAILED else ENTAILED
    assert str(raised.value) == f"the plan has {rows[0]['label']}, the checker {lie}: {rows[0]['smcdel_problem']}"


@pytest.mark.parametrize("checker", ["smcdel", "both"])
def test_without_a_program_it_is_said_where_it_was_looked_for(nowhere, checker):
    with pytest.raises(ProgramMissingError) as raised:
        labelled(checker)
    assert str(raised.value) == (
        f"no SMCDEL here: $SMCDEL is not set, and there is no smcdel on PATH ({nowhere}); "
        "checker=embedded needs no program"
    )


def test_without_a_program_auto_does_without(nowhere):
    assert labelled("auto") == labelled("embedded")


@pytest.mark.parametrize("checker", ["auto", "smcdel", "both"])
def test_a_variable_that_names_no_program_is_not_passed_over(monkeypatch, tmp_path, checker):
    monkeypatch.setenv("SMCDEL", str(tmp_path / "missing"))
    with pytest.raises(ProgramError, match="which is no program that can be run; checker=embedded needs no program"):
        labelled(checker)


def test_a_plan_that_is_wrong_is_found():
    """A block whose two hypotheses were taken for one another."""
    config = replace(ALL, **SIX, checker="embedded")
    p, q, h, g = plan_of(config, "internal")["test"][0]
    assert state_after(p).entails(h)
    with pytest.raises(DisagreementError, match="^the plan has .*, the checker .*: VARS 1,2"):
        part_rows(config, "internal", "test", range(1), [Block(p, q, g, h)])


def test_nothing_asked():
    assert are_valid([], "embedded") == []
