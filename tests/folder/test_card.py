"""Render the cards of small builds: their shape, their size, their YAML by the Hub's checks, no undefined name."""

import json
import os
import re
import shutil
from pathlib import Path

import datasets
import huggingface_hub
import jinja2
import pyarrow.parquet as pq
import pytest
import yaml
from cards import (
    BUILDERS,
    MODULES,
    NAMES,
    WAYS,
    both_and_all_ways,
    front_matter,
    layout_of,
    read_card,
    section,
    tables,
)
from datasets.utils import metadata as metadata_of_datasets
from datasets.utils.metadata import MetadataConfigs
from fake_hub import Hub, check_card
from huggingface_hub.repocard import REGEX_YAML_BLOCK, metadata_load
from support import ROOT

from tom_datasets import GENERATOR_VERSION
from tom_datasets.__main__ import main
from tom_datasets.folder import card
from tom_datasets.folder.build import Build, checksum
from tom_datasets.folder.card_yaml import size_category
from tom_datasets.story.config import order_name

SECTIONS = (
    "Load",
    "Example",
    "Use",
    "Columns",
    "Labels",
    "Provenance",
    "Composition",
    "Guessing without reading",
    "Difficulty",
    "Known limits",
    "A private test set",
    "Citation",
    "Canary",
)
FOLDED = ("Columns", "Provenance", "Composition", "Guessing without reading", "Difficulty")
"""Sections whose tables a reader unfolds."""
MOST = 20 * 1024
"""No card has more bytes."""
ROOM = 400
"""Bytes that the numbers of a default build take beyond those of a small one."""


# ------------------------------------------------------------------------------------------------ shape


@both_and_all_ways
def test_the_sections_stand_in_their_order(small_build, name, way):
    text = read_card(small_build(name, way))
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == list(SECTIONS)


@both_and_all_ways
def test_a_card_is_short(small_build, name, way):
    assert len(read_card(small_build(name, way)).encode()) <= MOST - ROOM


@both_and_all_ways
def test_the_first_screen_says_what_it_is_how_to_load_it_and_shows_a_row(small_build, name, way):
    _, prose = front_matter(read_card(small_build(name, way)))
    screen = prose[: prose.index("\n## Use\n")]
    assert screen.startswith(f"\n# {name}\n\n") and len(screen) < 3500 and "<details>" not in screen
    what, load, example = re.split(r"^## (?:Load|Example)\n", screen, flags=re.MULTILINE)
    assert "from a seed" in what and "No row is copied from the published data." in what
    assert (
        f'\nload_dataset("./{name}")' in load
        and f'`"./{name}"` is the folder beside you' in load
        and "| `all` (default) |" in load
    )
    split = "train" if way == "train only" else "test"
    files = layout_of(read_card(small_build(name, way)))["all"][split]
    text, label = ("story", "answer") if name == "hi_tom" else ("premise", "label")
    rows = [row for file in files for row in pq.read_table(small_build(name, way) / file).to_pylist()]
    assert any(row[text] in example and row[label] in example for row in rows)


@both_and_all_ways
def test_what_is_long_is_folded(small_build, name, way):
    text = read_card(small_build(name, way))
    assert text.count("<details><summary>") == text.count("\n\n</details>\n")
    unfolded = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)
    for title in FOLDED:
        assert not tables(section(unfolded, title)), title


@both_and_all_ways
def test_the_card_is_tidy_markdown(small_build, name, way):
    text = read_card(small_build(name, way))
    assert text.startswith("---\n") and text.endswith("\n") and not text.endswith("\n\n")
    _, prose = front_matter(text)
    assert "\n\n\n" not in prose and not re.search(r"[ \t]$", prose, re.MULTILINE)
    assert not re.search(
        r"{{(?!HI-TOM|MindGames)|(?<!TOM)}}|{%|%}|{#|#}|\bUndefined\b|\bNone\b|\bnan\b|builders\.card|<[^>]* object",
        prose,
    )
    assert prose.count("```") % 2 == 0
    for header, rows in tables(prose):
        assert rows and all(len(row) == len(header) for row in rows), header
    for line in prose.splitlines():
        assert line.startswith(("|", ">", "![", "load_dataset")) or len(line) <= 150, line
    for block in re.findall(r"(?:^\|.*\|\n)+", prose, re.MULTILINE):
        assert f"\n\n{block}\n" in prose, "a table stands alone"
    for heading in re.findall(r"^## .*$", prose, re.MULTILINE):
        assert f"\n\n{heading}\n\n" in prose


@both_and_all_ways
def test_the_card_says_nothing_of_the_machine(small_build, name, way):
    folder = small_build(name, way)
    text = read_card(folder)
    assert str(folder.parent) not in text and os.path.expanduser("~") not in text and "/tmp" not in text
    text = re.sub(r"https://arxiv\.org/abs/\d{4}\.\d{5}\b", "", text)
    assert not re.search(r"https?://|\b20\d\d-\d\d-\d\d\b|\b\d\d:\d\d:\d\d\b", text)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_build_has_the_same_card(small_build, build_small, name):
    again = build_small(name, "--probe", "none", "--processes", 2)
    assert read_card(again) == read_card(small_build(name, "without audit and probe"))


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_has_another_card(build_small, name):
    text = read_card(build_small(name, "--probe", "none", "--seed", -5))
    assert f"This build: seed -5, generator version {GENERATOR_VERSION}." in text


def test_the_record_of_a_folder_includes_its_card(small_build):
    for name in NAMES:
        folder = small_build(name)
        assert Build.read(folder, name).files["README.md"]["sha256"] == checksum(folder / "README.md")


# ------------------------------------------------------------------------------------------------ strictness


@pytest.fixture
def own_templates(tmp_path, monkeypatch):
    """Return a folder of card templates that a test may change."""
    shutil.copy(ROOT / "dataset_card.md", tmp_path)
    shutil.copytree(ROOT / "templates/en/card", tmp_path / "templates/en/card")
    monkeypatch.setattr(card, "ROOT", tmp_path)
    monkeypatch.setattr(card, "TEMPLATES", tmp_path / "templates")
    return tmp_path / "templates/en/card"


def render(small_build, name, without=None):
    """Render the card of a build again, without one of the things that its template is given."""
    folder = small_build(name, "without audit and probe")
    about = {"columns": card.columns(BUILDERS[name]), "example": "1st_order" if name == "hi_tom" else "forehead"}
    about |= {"language": "en", "probe": None, "enough": 240, "audit": None, "pictures": {}}
    about["project_url"] = None
    about = {key: value for key, value in about.items() if key != without}
    return card.render(Build.read(folder, name), MODULES[name].FEATURES, layout_of(read_card(folder)), about)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", ["entry", "base", "block"])
def test_an_undefined_name_is_an_error(small_build, own_templates, name, place):
    assert render(small_build, name)
    template, before, after = {
        "entry": (own_templates.parents[2] / "dataset_card.md", "", "{{ nonsense }}"),
        "base": (own_templates / "base.md.jinja", "## Use\n", "{{ request.all.nonsense }}"),
        "block": (own_templates / f"{name}.md.jinja", "{% block use %}\n", "{{ nonsense }}"),
    }[place]
    text = template.read_text(encoding="utf-8")
    template.write_text(text.replace(before, before + after, 1), encoding="utf-8")
    with pytest.raises(jinja2.UndefinedError, match="nonsense"):
        render(small_build, name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("without", ["columns", "example", "language", "probe", "enough", "audit", "project_url"])
def test_nothing_that_the_card_is_given_may_be_missing(small_build, name, without):
    with pytest.raises(jinja2.UndefinedError, match=f"'{without}' is undefined"):
        render(small_build, name, without)


def test_a_config_that_is_not_there_is_an_error(small_build, own_templates):
    template = own_templates / "hi_tom.md.jinja"
    text = template.read_text(encoding="utf-8")
    template.write_text(text.replace("parquet.tomh.test", "parquet.toms.test"), encoding="utf-8")
    with pytest.raises(jinja2.UndefinedError, match="'toms'"):
        render(small_build, "hi_tom")


@pytest.mark.parametrize("name", NAMES)
def test_a_card_that_cannot_be_made_leaves_no_folder(own_templates, build_small, tmp_path, name):
    (own_templates.parents[2] / "dataset_card.md").write_text("{{ nonsense }}", encoding="utf-8")
    with pytest.raises(jinja2.UndefinedError):
        build_small(name, "--probe", "none")
    assert not (tmp_path / "built").exists()


# ------------------------------------------------------------------------------------------------ the YAML


@both_and_all_ways
def test_the_metadata_are_what_the_hub_takes(small_build, name, way):
    """By the client's own code, and by the Hub's check, as the small Hub of the tests has it."""
    path = small_build(name, way) / "README.md"
    text = read_card(path.parent)
    found = huggingface_hub.DatasetCard.load(path)
    matter, prose = front_matter(text)
    assert REGEX_YAML_BLOCK.search(text) and found.text.strip() == prose.strip()
    assert metadata_load(path) == matter == found.data.to_dict()
    assert huggingface_hub.DatasetCard(str(found)).data.to_dict() == matter
    assert check_card(text) == ([], [])


@pytest.mark.parametrize("name", NAMES)
def test_the_hub_is_asked_whether_the_card_is_valid(small_build, monkeypatch, name):
    text = read_card(small_build(name))
    with Hub() as hub:
        monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", hub.url)
        huggingface_hub.DatasetCard(text).validate()
        with pytest.raises(ValueError, match="license"):
            huggingface_hub.DatasetCard(text.replace("license: apache-2.0", "license: none-such")).validate()


@both_and_all_ways
def test_the_metadata_name_what_there_is(small_build, name, way):
    matter, _ = front_matter(read_card(small_build(name, way)))
    resources = Path(metadata_of_datasets.__file__).parent / "resources"
    creators = json.loads((resources / "creators.json").read_text())
    assert matter["license"] == "apache-2.0" and matter["language"] == ["en"] and matter["pretty_name"]
    assert set(matter["annotations_creators"]) <= set(creators["annotations"])
    assert set(matter["language_creators"]) <= set(creators["language"])
    assert set(matter["multilinguality"]) <= set(json.loads((resources / "multilingualities.json").read_text()))
    assert matter["source_datasets"] == ["original"]
    assert matter["task_categories"] and set(matter["task_categories"]) <= set(metadata_of_datasets.known_task_ids)
    assert matter["task_ids"] and {"theory-of-mind", "rl-environment", "verifiers"} <= set(matter["tags"])
    assert "benchmark" in matter["tags"], "config deep has a test split in all of these ways"
    rows = sum(pq.read_metadata(file).num_rows for file in small_build(name, way).rglob("*.parquet"))
    assert matter["size_categories"] == [size_category(rows)]


@both_and_all_ways
def test_the_configs_are_those_that_datasets_finds(small_build, tmp_path, name, way):
    folder = small_build(name, way)
    text = read_card(folder)
    matter, _ = front_matter(text)
    parsed = MetadataConfigs.from_dataset_card_data(huggingface_hub.DatasetCard(text).data)
    assert parsed.get_default_config_name() == "all" and list(parsed) == list(layout_of(text))
    assert [config["config_name"] for config in matter["configs"] if config.get("default")] == ["all"]
    assert datasets.get_dataset_config_names(str(folder)) == list(parsed)
    infos = {info["config_name"]: info for info in matter["dataset_info"]}
    for config, splits in layout_of(text).items():
        loaded = datasets.load_dataset(str(folder), config, cache_dir=str(tmp_path))
        assert list(splits) == list(loaded) == [split["name"] for split in infos[config]["splits"]]
        for split in infos[config]["splits"]:
            held = sum(pq.read_metadata(folder / path).num_rows for path in splits[split["name"]])
            assert held == split["num_examples"] == len(loaded[split["name"]])
            assert loaded[split["name"]].features == MODULES[name].FEATURES
    stored = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.parquet"))
    listed = [entry for config in matter["configs"] for entry in config["data_files"]]
    assert sorted({path for entry in listed for path in entry["path"]}) == stored


NO_DEEP = ("--deep", 0, "--deep-train", 0, "--deep-validation", 0, "--ladder", 0)


@pytest.mark.parametrize(
    "changes", [(), ("--max-order", 2), ("--agents", 7, "--max-order", 6), (*NO_DEEP, "--max-order", 0)]
)
def test_the_configs_of_hi_tom_are_its_orders(build_small, changes):
    text = read_card(build_small("hi_tom", "--probe", "none", *changes))
    orders = [order_name(order) for order in range(1 + (changes[-1] if changes else 4))]
    matter, prose = front_matter(text)
    assert [config["config_name"] for config in matter["configs"]] == [
        *("all", *orders, "tomh", "reproduction"), *(() if changes[:1] == NO_DEEP[:1] else ("deep", "ladder"))
    ]  # fmt: skip
    assert f'load_dataset("./hi_tom", "{orders[-1]}", split="test")' in prose
    assert ("not yet a deep nesting" in prose) == (len(orders) > 2)


# ------------------------------------------------------------------------------------------------ fixed texts


@pytest.mark.parametrize("name", NAMES)
def test_the_canary_is_one_guid_of_each_dataset(small_build, name):
    guids = {each: set(re.findall(r"canary GUID (\S+)$", read_card(small_build(each, way)), re.MULTILINE))
             for each in NAMES for way in WAYS}  # fmt: skip
    assert all(len(found) == 1 for found in guids.values()) and guids["hi_tom"] != guids["mindgames"]
    (guid,) = guids[name]
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", guid)


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_is_built_as_the_card_says(small_build, name):
    text = section(read_card(small_build(name)), "A private test set")
    (command,) = re.findall(r"^(make build .*)$", text, re.MULTILINE)
    assert f"DATASET={name} SEED=$(python3 -c" in command and "OUT=private" in command
    code = re.search(r'python3 -c "(.*?)"', command)[1]
    printed = []
    exec(code, {"print": printed.append})
    assert 0 <= printed[0] < 2**63


@both_and_all_ways
def test_three_lines_evaluate_a_model(small_build, tmp_path, capsys, name, way):
    folder = small_build(name, way)
    block = re.search(r"Three lines evaluate one:\n\n```\n(.*?)```", read_card(folder), re.DOTALL)[1]
    inspect, *ours = block.splitlines()
    first = yaml.safe_load((folder / "eval.yaml").read_text())["tasks"][0]
    assert inspect == f"inspect eval hf/NAMESPACE/{name}/{first['id']} --model MODEL"
    asked, scored = (line.partition(" > ")[0].split()[3:] for line in ours)
    assert main([*asked, "--out", str(folder.parent)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    answers = tmp_path / scored.pop()
    answers.write_text("".join(json.dumps({"id": line["id"], "response": "A"}) + "\n" for line in lines))
    assert main([*scored, str(answers), "--out", str(folder.parent)]) == 0
    assert f", {first['config']}, {first['split']} split" in capsys.readouterr().out


def test_the_project_is_named_by_its_address_or_said_to_have_none(small_build, build_small, run, tmp_path, monkeypatch):
    """In one place. pyproject.toml gives the address where --project-url does not."""
    none = "this card was given no address of it (`build --project-url`)."
    assert [read_card(small_build(name)).count(none) for name in NAMES] == [1, 1]
    text = read_card(build_small("hi_tom", "--probe", "none", "--project-url", "https://example.org/p"))
    assert text.count("These commands are the project's: <https://example.org/p>.\n") == 1 and none not in text
    code, _, errors = run("build", "hi_tom", "--project-url", "example.org", "--out", tmp_path / "bad")
    assert code == 2 and "'example.org' is no address such as https://example.org" in errors
    monkeypatch.setattr(card, "ROOT", tmp_path)
    (tmp_path / "pyproject.toml").write_text('[project]\n[project.urls]\nRepository = "https://example.org/q"\n')
    assert card.project_url() == "https://example.org/q"


SEEDS = ROOT.parent / "shared" / "seeds"
TITLES = {
    "hi_tom": ["A Benchmark for Evaluating Higher-Order Theory of Mind Reasoning in Large Language Models"],
    "mindgames": [
        "Targeting Theory of Mind in Large Language Models with Dynamic Epistemic Modal Logic",
        "Symbolic Model Checking for Dynamic Epistemic Logic --- {S5} and Beyond",
    ],
}


@pytest.mark.parametrize("name", NAMES)
def test_the_papers_are_cited(small_build, name):
    (entries,) = re.findall(r"```bibtex\n(@.*?)```", read_card(small_build(name)), re.DOTALL)
    assert entries.count("{") == entries.count("}")
    assert entries.count("@") == 2 and all(title in entries for title in TITLES[name])
    linked = {"hi_tom": "2310.16755", "mindgames": "2305.03353"}[name]
    assert f"](https://arxiv.org/abs/{linked})" in read_card(small_build(name)) and f"arXiv:{linked}" in entries
    if not SEEDS.is_dir():
        pytest.skip("shared/seeds, the papers, is not here")
    papers = " ".join(path.read_text(encoding="utf-8") for path in SEEDS.glob("*.txt")).lower()
    for title in TITLES[name]:
        plain = title.replace("{", "").replace("}", "").replace("---", "—").lower()
        assert plain in " ".join(papers.split())
    for surname in re.findall(r"(?:author\s*= \{|and )([\w ]+),", entries):
        assert surname.split()[-1].lower() in papers
