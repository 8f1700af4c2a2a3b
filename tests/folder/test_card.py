"""Render the cards of small builds: their shape, their size, their YAML by the Hub's checks, no undefined name."""

import json
import os
import re
from pathlib import Path

import datasets
import huggingface_hub
import jinja2
import pyarrow.parquet as pq
import pytest
import yaml
from cards import MODULES, NAMES, WAYS, front_matter, layout_of, read_card, section, tables
from commands.samples import NO_ABILITIES, NO_ORDERS, NO_WOVEN
from datasets.utils import metadata as metadata_of_datasets
from datasets.utils.metadata import MetadataConfigs
from fake_hub import check_card
from huggingface_hub.repocard import REGEX_YAML_BLOCK, metadata_load

from tom_datasets import GENERATOR_VERSION
from tom_datasets.__main__ import main
from tom_datasets.dataset import dataset_named
from tom_datasets.folder import card
from tom_datasets.folder.build import Build
from tom_datasets.folder.card import size_category
from tom_datasets.splits import plain_name
from tom_datasets.story.config import order_name

SECTIONS = (
    "Load|Example|Use|Columns|Labels|Provenance|Composition|Guessing without reading|Difficulty|Known limits|"
    "A private test set|Citation|Canary"
).split("|")
FOLDED = ("Columns", "Provenance", "Composition", "Guessing without reading", "Difficulty")
"""Sections whose tables a reader unfolds."""
MOST = 38 * 512  # no card has more bytes to read, behind its metadata
ROOM = 400  # bytes that the numbers of a default build take beyond those of a small one


# ------------------------------------------------------------------------------------------------ shape


def test_the_sections_stand_in_their_order_and_what_is_long_is_folded(made):
    assert re.findall(r"^## (.*)$", made.card, re.MULTILINE) == list(SECTIONS)
    assert len(made.card.split("\n---\n", 1)[1].encode()) <= MOST - ROOM
    assert made.card.count("<details><summary>") == made.card.count("\n\n</details>\n")
    unfolded = re.sub(r"<details>.*?</details>", "", made.card, flags=re.DOTALL)
    assert [title for title in FOLDED if tables(section(unfolded, title))] == []


def test_the_first_screen_says_what_it_is_how_to_load_it_and_shows_a_row(made):
    screen = made.prose.partition("\n## Use\n")[0]
    assert screen.startswith(f"\n# {made.name}\n\n") and len(screen) < 3500 and "<details>" not in screen
    what, load, example = re.split(r"^## (?:Load|Example)\n", screen, flags=re.MULTILINE)
    assert "from a seed" in what and "No row is copied from the published data." in what
    assert f'\nload_dataset("./{made.name}")' in load and "| `all` (default) |" in load
    assert f'`"./{made.name}"` is the folder beside you' in load
    split = "train" if made.way == "train only" else "test"
    files = layout_of(made.card)["all"][split]
    text, label = ("story", "answer") if made.name == "hi_tom" else ("premise", "label")
    rows = [row for file in files for row in pq.read_table(made.folder / file).to_pylist()]
    assert any(row[text] in example and row[label] in example for row in rows)


def test_the_card_is_tidy_markdown(made):
    assert made.card.startswith("---\n") and made.card.endswith("\n") and not made.card.endswith("\n\n")
    prose = made.prose
    assert "\n\n\n" not in prose and not re.search(r"[ \t]$", prose, re.MULTILINE)
    assert not re.search(r"{{(?!HI-TOM|MindGames)|(?<!TOM)}}|{%|%}|{#|#}|\b(Undefined|None|nan)\b|<[^>]* object", prose)
    assert prose.count("```") % 2 == 0
    for header, rows in tables(prose):
        assert rows and all(len(row) == len(header) for row in rows), header
    for line in prose.splitlines():
        assert line.startswith(("|", ">", "![", "load_dataset")) or len(line) <= 150, line
    for block in re.findall(r"(?:^\|.*\|\n)+", prose, re.MULTILINE):
        assert f"\n\n{block}\n" in prose, "a table stands alone"
    for heading in re.findall(r"^## .*$", prose, re.MULTILINE):
        assert f"\n\n{heading}\n\n" in prose


def test_the_card_says_nothing_of_the_machine(made):
    assert [path for path in (str(made.folder.parent), os.path.expanduser("~"), "/tmp") if path in made.card] == []
    text = re.sub(r"https://arxiv\.org/abs/\d{4}\.\d{5}\b", "", made.card)
    assert not re.search(r"https?://|\b20\d\d-\d\d-\d\d\b|\b\d\d:\d\d:\d\d\b", text)


# ------------------------------------------------------------------------------------------------ strictness


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("without", ["columns", "example", "probe", "enough", "audit"])
def test_nothing_that_the_card_is_given_may_be_missing(small_build, name, without):
    folder = small_build(name, "without audit and probe")
    about = {"columns": dataset_named(name).meanings, "example": "1st_order" if name == "hi_tom" else "forehead"}
    about |= {"probe": None, "enough": 240, "audit": None, "pictures": {}}
    del about[without]
    with pytest.raises(jinja2.UndefinedError, match=f"'{without}' is undefined"):
        card.render(Build.read(folder, name), layout_of(read_card(folder)), about)


# ------------------------------------------------------------------------------------------------ the YAML


def test_the_metadata_are_what_the_hub_takes(made):
    """By the client's own code, and by the Hub's check, as the small Hub of the tests has it."""
    path = made.folder / "README.md"
    found = huggingface_hub.DatasetCard.load(path)
    assert REGEX_YAML_BLOCK.search(made.card) and found.text.strip() == made.prose.strip()
    assert metadata_load(path) == made.matter == found.data.to_dict()
    assert huggingface_hub.DatasetCard(str(found)).data.to_dict() == made.matter
    assert check_card(made.card) == []


def test_the_metadata_name_what_there_is(made):
    matter = made.matter
    resources = Path(metadata_of_datasets.__file__).parent / "resources"
    creators = json.loads((resources / "creators.json").read_text())
    assert matter["license"] == "apache-2.0" and matter["language"] == ["en", "fr", "zh"] and matter["pretty_name"]
    assert set(matter["annotations_creators"]) <= set(creators["annotations"])
    assert set(matter["language_creators"]) <= set(creators["language"])
    assert set(matter["multilinguality"]) <= set(json.loads((resources / "multilingualities.json").read_text()))
    assert matter["source_datasets"] == ["original"]
    assert matter["task_categories"] and set(matter["task_categories"]) <= set(metadata_of_datasets.known_task_ids)
    assert matter["task_ids"] and {"theory-of-mind", "rl-environment", "verifiers"} <= set(matter["tags"])
    assert ("openenv" in matter["tags"]) == (made.name == "hi_tom"), "tasks/openenv has the game of stories alone"
    assert "benchmark" in matter["tags"], "config deep has a test split in all of these ways"
    rows = sum(pq.read_metadata(file).num_rows for file in made.folder.rglob("*.parquet"))
    assert matter["size_categories"] == [size_category(rows)]


def test_the_configs_are_those_that_datasets_finds(made, tmp_path):
    matter = made.matter
    parsed = MetadataConfigs.from_dataset_card_data(huggingface_hub.DatasetCard(made.card).data)
    assert parsed.get_default_config_name() == "all" and list(parsed) == list(layout_of(made.card))
    assert [config["config_name"] for config in matter["configs"] if config.get("default")] == ["all"]
    assert datasets.get_dataset_config_names(str(made.folder)) == list(parsed)
    infos = {info["config_name"]: info for info in matter["dataset_info"]}
    for config, splits in layout_of(made.card).items():
        if made.way != "with all" and plain_name(config) != config:
            continue  # the files of other languages lie as the English ones do; one way of building shows it
        loaded = datasets.load_dataset(str(made.folder), config, cache_dir=str(tmp_path))
        assert list(splits) == list(loaded) == [split["name"] for split in infos[config]["splits"]]
        for split in infos[config]["splits"]:
            held = sum(pq.read_metadata(made.folder / path).num_rows for path in splits[split["name"]])
            assert held == split["num_examples"] == len(loaded[split["name"]])
            assert loaded[split["name"]].features == MODULES[made.name].FEATURES
    stored = sorted(file.relative_to(made.folder).as_posix() for file in made.folder.rglob("*.parquet"))
    listed = [entry for config in matter["configs"] for entry in config["data_files"]]
    assert sorted({path for entry in listed for path in entry["path"]}) == stored


@pytest.mark.parametrize(
    "changes",
    [
        (*NO_ABILITIES, *NO_WOVEN, "--max-order", 2),
        (*NO_ORDERS, *NO_ABILITIES, *NO_WOVEN, "--n-agents", 7, "--max-order", 6),
        (*NO_ORDERS, *NO_ABILITIES, *NO_WOVEN, "--max-order", 0),
    ],
)
def test_the_configs_of_hi_tom_are_its_orders(build_small, changes):
    text = read_card(build_small("hi_tom", "--probe", "none", "--seed", -5, *changes))
    orders = [order_name(order) for order in range(1 + changes[-1])]
    matter, prose = front_matter(text)
    configs = ["all", *orders, "tomh", "reproduction"] + ["deep", "ladder"] * (changes[0] not in NO_ORDERS)
    names = [config["config_name"] for config in matter["configs"]]
    assert [name for name in names if plain_name(name) == name] == configs
    assert f'load_dataset("./hi_tom", "{orders[-1]}", split="test")' in prose
    assert ("not yet a deep nesting" in prose) == (len(orders) > 2)
    assert f"This build: seed -5, generator version {GENERATOR_VERSION}." in prose


# ------------------------------------------------------------------------------------------------ fixed texts


def test_the_canary_is_one_guid_of_each_dataset(small_build):
    cards = [read_card(small_build(name, way)) for name in NAMES for way in WAYS]
    guids = [re.findall(r"canary GUID (\S+)$", text, re.MULTILINE) for text in cards]
    assert all(len(found) == 1 for found in guids) and len({guid for (guid,) in guids}) == len(NAMES)
    assert len({*guids[0], *guids[1], *guids[2]}) == 1, "each dataset has its own"
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", guids[0][0])


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_is_built_as_the_card_says(small_build, name):
    text = section(read_card(small_build(name)), "A private test set")
    (command,) = re.findall(r"^(make build .*)$", text, re.MULTILINE)
    assert f"DATASET={name} SEED=$(python3 -c" in command and "OUT=private" in command
    printed = []
    exec(re.search(r'python3 -c "(.*?)"', command)[1], {"print": printed.append})
    assert 0 <= printed[0] < 2**63


def test_three_lines_evaluate_a_model(made, tmp_path, capsys):
    block = re.search(r"Three lines evaluate one:\n\n```\n(.*?)```", made.card, re.DOTALL)[1]
    inspect, *ours = block.splitlines()
    first = yaml.safe_load((made.folder / "eval.yaml").read_text())["tasks"][0]
    assert inspect == f"inspect eval hf/NAMESPACE/{made.name}/{first['id']} --model MODEL"
    asked, scored = (line.partition(" > ")[0].split()[3:] for line in ours)
    assert main([*asked, "--out", str(made.folder.parent)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    answers = tmp_path / scored.pop()
    answers.write_text("".join(json.dumps({"id": line["id"], "response": "A"}) + "\n" for line in lines))
    assert main([*scored, str(answers), "--out", str(made.folder.parent)]) == 0
    assert f", {first['config']}, {first['split']} split" in capsys.readouterr().out


def test_the_project_is_named_by_its_address_or_said_to_have_none(small_build, build_small, run, tmp_path, monkeypatch):
    """In one place. pyproject.toml gives the address where --project-url does not."""
    none = "this card was given no address of it (`build --project-url`)."
    assert [read_card(small_build(name)).count(none) for name in NAMES] == [1, 1]
    address = ("--project-url", "https://example.org/p")
    text = read_card(build_small("hi_tom", "--probe", "none", "--only", "all", *address))
    assert text.count("These commands are the project's: <https://example.org/p>.\n") == 1 and none not in text
    code, _, errors = run("build", "hi_tom", "--project-url", "example.org", "--out", tmp_path / "bad")
    assert code == 2 and "'example.org' is not an address such as https://example.org" in errors
    monkeypatch.setattr(card, "ROOT", tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\n[project.urls]\nRepository = "https://example.org/q"\n')
    assert card.project_url() == "https://example.org/q"
