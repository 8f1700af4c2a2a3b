"""Render the card of small builds of both datasets, and prove what it says: by the Hub's checks, by counting again."""

import json
import os
import re
import shutil
from collections import Counter
from pathlib import Path

import datasets
import huggingface_hub
import jinja2
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from datasets.utils import metadata as metadata_of_datasets
from datasets.utils.metadata import MetadataConfigs
from fake_hub import Hub, check_card
from huggingface_hub.repocard import REGEX_YAML_BLOCK, metadata_load
from support import ROOT

import hi_tom
import mindgames
from builders import GENERATOR_VERSION
from builders.__main__ import main
from builders.audit.gates import GATED_STORIES
from builders.folder import card, card_examples
from builders.folder.build import Build, checksum
from builders.folder.card import SIZE_CATEGORIES, size_category, type_of
from builders.folder.card_examples import block_example, claims_example
from builders.folder.card_rows import Rows, per_cent
from builders.logic.formula import SETUPS, And, Atom, Knows, Not, Or, Structure, Top
from builders.proof.problem_worlds import follows
from builders.proof.read_problems import read_problem
from builders.proof.read_stories import read_question, read_story
from builders.proof.story_minds import believe
from builders.story.config import order_name
from builders.story.syntax import Question
from hi_tom import HiTom
from mindgames import METADATA, MindGames

SEEDS = ROOT.parent / "shared" / "seeds"
NAMES = ("hi_tom", "mindgames")
FEATURES = {"hi_tom": hi_tom.FEATURES, "mindgames": mindgames.FEATURES}
SMALL = {
    "hi_tom": (
        "--train 6 --validation 3 --test 12 --tomh 27 --reproduction 6 --deep-train 2 --deep-validation 1 --deep 12"
    ).split(),
    "mindgames": ("--train", 3, "--validation", 1, "--test", 3, "--scale", 1, "--reproduction", 4),
}
BUILDS = {
    "with all": (),
    "without audit and probe": ("--probe", "none"),
    "train only": ("--validation", 0, "--test", 0),
}
"""What is built of each dataset; the first has the audit."""
SECTIONS = (
    "What it is for, and what not",
    "Loading",
    "Columns",
    "How a row is made and proven",
    ("Two semantics, on a worked example", "What the label means, on a worked example"),
    "Composition",
    "What can be guessed without reading",
    "Difficulty",
    "Known limits",
    "A private test set: another seed",
    "Citation",
    "Canary",
)


def build(name, out, *options):
    assert main(["build", name, "--out", str(out), *map(str, SMALL[name]), *map(str, options)]) == 0
    return out / name


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build both datasets in every way once; no test may change them."""
    out = tmp_path_factory.mktemp("cards")
    for way, options in BUILDS.items():
        with pytest.MonkeyPatch.context() as patch:
            if way == "with all":
                patch.setattr("builders.audit.gates.GATED_STORIES", 3)
            for name in NAMES:
                build(name, out / way, *options)
    return out


def read(built, name, way="with all"):
    return (built / way / name / "README.md").read_text(encoding="utf-8")


def front_matter(text):
    opening, matter, prose = text.split("---\n", 2)
    assert opening == ""
    return yaml.safe_load(matter), prose


def section(text, title):
    """Return what stands under a heading."""
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


def tables(text):
    """Return each Markdown table as (its header, its rows), cells stripped."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in block.strip().split("\n")]
        found.append((cells[0], cells[2:]))
        assert all(re.fullmatch("-+:?", cell) for cell in cells[1])
    return found


def all_rows(target, file):
    return pq.read_table(target / file).to_pylist()


def both_and_all_ways(test):
    return pytest.mark.parametrize("way", list(BUILDS))(pytest.mark.parametrize("name", NAMES)(test))


# ------------------------------------------------------------------------------------------------ rows


@pytest.fixture
def toys(tmp_path):
    """Two files of toys."""
    columns = {"size": [1, 2, 2], "kind": ["a", "b", "a"], "right": [True, False, True], "score": [0.5, None, 1.5]}
    pq.write_table(pa.table(columns), tmp_path / "one.parquet")
    more = {"size": [4], "kind": ["b"], "right": [True], "score": [0.25]}
    pq.write_table(pa.table(more), tmp_path / "two.parquet")
    return Rows([tmp_path / "one.parquet", tmp_path / "two.parquet"])


def test_rows_are_counted(toys):
    assert len(toys) == 4
    assert len(toys.where("kind", "a")) == 2 and len(toys.where("kind", "a", "b")) == 4
    assert len(toys.where("right", True)) == 3 and len(toys.where("size", 9)) == 0
    assert len(toys.where("kind", "a").where("size", 2)) == 1
    assert len(toys.empty("score")) == 1 and len(toys.empty("size")) == 0
    assert len(toys.below("score", 0.5)) == 1 and len(toys.above("score", 0.5)) == 1, "nothing is neither"
    assert len(toys.containing("kind", "a")) == 2
    assert [(value, len(rows)) for value, rows in toys.by("size")] == [(1, 1), (2, 2), (4, 1)]
    assert toys.distinct("size") == 3 and toys.distinct("size", "kind") == 4 and toys.distinct("score") == 3
    assert toys.shares("size") == [0.25, 0.25, 0.5]
    assert toys.mean("size") == "2.2" and toys.span("size") == "1–4"
    assert toys.where("size", 2).span("size") == "2"
    assert toys.where("size", 4).dicts("kind", "right") == [{"kind": "b", "right": True}]
    assert toys.where("kind", "b").where("size", 4).only("score") == 0.25
    with pytest.raises(ValueError):
        toys.only("size")


def test_columns_of_rows_are_compared(tmp_path):
    pq.write_table(pa.table({"a": [1, 2, 3], "b": [1, 0, 3]}), tmp_path / "one.parquet")
    rows = Rows([tmp_path / "one.parquet"])
    assert rows.same("a", "b").dicts("a") == [{"a": 1}, {"a": 3}]


def test_no_rows_have_no_shares(toys):
    none = toys.where("size", 9)
    assert (none.mean("size"), none.span("size"), per_cent(none, none)) == ("–", "–", "–")
    assert per_cent(none, toys) == "0.0" and per_cent(toys.where("kind", "a"), toys) == "50.0"


def test_a_column_is_read_once(toys, monkeypatch):
    read_, calls = pq.read_table, Counter()

    def counting(file, columns):
        calls[file.name, *columns] += 1
        return read_(file, columns=columns)

    monkeypatch.setattr(pq, "read_table", counting)
    for _, rows in toys.by("kind"):
        rows.mean("size")
        rows.mean("size")
    assert set(calls.values()) == {1} and len(calls) == 4


@pytest.mark.parametrize(
    ("feature", "said"),
    [
        (datasets.Value("int32"), "int32"),
        (datasets.ClassLabel(names=["small", "large"]), "class label: small, large"),
        (datasets.Sequence(datasets.Value("string")), "list of string"),
    ],
)
def test_the_type_of_a_column(feature, said):
    assert type_of(feature) == said


def test_the_names_of_sizes_are_those_of_the_hub():
    resources = Path(metadata_of_datasets.__file__).parent / "resources" / "size_categories.json"
    known = json.loads(resources.read_text())
    assert [name for _, name in SIZE_CATEGORIES] == known[1 : 1 + len(SIZE_CATEGORIES)]
    described = huggingface_hub.DatasetCardData.__doc__
    documented = re.search(r"size_categories.*?Options are: (.*?)'other'", described, re.DOTALL)
    assert all(f"'{name}'" in documented[1] for _, name in SIZE_CATEGORIES)
    assert [size_category(rows) for rows in (999, 1000, 18000, 2 * 10**7)] == [
        "n<1K",
        "1K<n<10K",
        "10K<n<100K",
        "10M<n<100M",
    ]


@pytest.mark.parametrize("builder", [HiTom, MindGames])
def test_every_column_is_described_in_the_builders_order(builder):
    described = card.columns(builder)
    assert list(described) == list(FEATURES[builder.__module__]) and all(described.values())


# ------------------------------------------------------------------------------------------------ worked examples


def test_the_answers_of_the_worked_story_are_those_of_the_reader():
    """The other algorithm, on the English."""
    worked = claims_example("en")
    story, names = read_story(worked["story"])
    assert names.agents == worked["agents"]
    for letters, asked in worked["asked"].items():
        chain = tuple("ABC".index(letter) for letter in letters)
        question = read_question(asked["question"], names)
        assert question == Question(chain, 0)
        for semantics in ("recursive", "published"):
            found = asked[semantics]
            assert names.containers[believe(story, question, semantics)] == found["answer"]
            line = worked["story"].split("\n")[found["line"] - 1]
            assert line.startswith(f"{found['line']} ") and found["answer"] in line


def test_the_worked_story_is_what_the_prose_says_of_it():
    worked = claims_example("en")
    asked, lines = worked["asked"], worked["story"].split("\n")
    a, b, c = worked["agents"]
    differ = {letters for letters, each in asked.items() if each["recursive"] != each["published"]}
    assert differ == {"AB", "BA", "ABC"}
    said = {letters: lines[each["recursive"]["line"] - 1] for letters, each in asked.items()}
    assert f"{c} publicly claimed" in said["A"] == said["AB"] and f"{c} privately told {b}" in said["B"]
    assert f"{b} moved" in said[""] == said["C"]
    left = [lines.index(next(line for line in lines if f"{agent} exited" in line)) for agent in (a, b, c)]
    assert left == sorted(left) and left[1] > asked["C"]["recursive"]["line"] - 1
    assert asked["AB"]["published"]["line"] - 1 < left[0], "both were there"
    assert asked["AB"]["published"] == asked["ABC"]["published"] == asked["BA"]["published"]


def test_the_worlds_that_announcements_leave():
    """Two muddy children: who does not know after "someone is muddy" sees a muddy forehead; told too early, nothing."""
    structure = Structure((1, 2), Top(), (("Agenta", (2,)), ("Agentb", (1,))))
    someone, ignorant = Or((Atom(1), Atom(2))), Not(Knows("Agenta", Atom(1)))
    assert card_examples.worlds(structure, []) == [(), (2,), (1,), (1, 2)]
    assert card_examples.worlds(structure, [someone]) == [(2,), (1,), (1, 2)]
    assert card_examples.worlds(structure, [someone, ignorant]) == [(2,), (1, 2)]
    assert card_examples.worlds(structure, [ignorant, someone]) == [(2,), (1,), (1, 2)], (
        "told too early it says nothing"
    )
    assert card_examples.worlds(structure, [And((Atom(1), Not(Atom(1))))]) == []


@pytest.mark.parametrize("way", list(BUILDS))
def test_the_worked_block_is_one_of_the_build(built, way):
    target = built / way / "mindgames"
    split = "train" if way == "train only" else "test"
    files = [target / setup / f"{split}.parquet" for setup in SETUPS]
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    worked = block_example(Rows(files))
    assert len(worked) == 2 and all(len(part["problems"]) == 2 for part in worked)
    block = {row["block"] for row in rows if row["premise"] in {part["premise"] for part in worked}}
    assert len(block) == 1
    assert {row["n_agents"] for row in rows if row["block"] in block} == {min(row["n_agents"] for row in rows)}
    text = section(read(built, "mindgames", way), SECTIONS[4][1])
    for part in worked:
        assert f"> {part['premise']}\n" in text
        known = next(row for row in rows if row["premise"] == part["premise"])
        sizes = [len(left) for _, left in part["steps"]]
        assert sizes[0] == known["n_worlds_before"] and sizes[-1] == known["n_worlds"]
        assert len(sizes) == known["n_announcements"] + 2
        for before, after in zip(part["steps"], part["steps"][1:], strict=False):
            assert all(world in before[1] for world in after[1])
        problem = read_problem(part["premise"], part["problems"][0]["hypothesis"], known["names"])[0]
        assert len(problem.announcements) == len(sizes) - 1
        for row in part["problems"]:
            asked = read_problem(row["premise"], row["hypothesis"], row["names"])[0]
            assert follows(asked) == (row["label"] == "entailment")
            assert f"| {row['hypothesis']} | {row['label']} |" in text


# ------------------------------------------------------------------------------------------------ the whole card


@both_and_all_ways
def test_the_sections_stand_in_their_order(built, name, way):
    wanted = [each if isinstance(each, str) else each[NAMES.index(name)] for each in SECTIONS]
    assert re.findall(r"^## (.*)$", read(built, name, way), re.MULTILINE) == wanted


@both_and_all_ways
def test_the_card_is_tidy_markdown(built, name, way):
    text = read(built, name, way)
    assert text.startswith("---\n") and text.endswith("\n") and not text.endswith("\n\n")
    _, prose = front_matter(text)
    assert "\n\n\n" not in prose and not re.search(r"[ \t]$", prose, re.MULTILINE)
    assert not re.search(
        r"{{(?!HI-TOM|MindGames)|(?<!TOM)}}|{%|%}|{#|#}|\bUndefined\b|\bNone\b|\bnan\b|builders\.card|<.*object", prose
    )
    assert prose.count("```") % 2 == 0
    for header, rows in tables(prose):
        assert rows and all(len(row) == len(header) for row in rows), header
    for line in prose.splitlines():
        assert line.startswith(("|", ">", "![", "load_dataset")) or len(line) <= 150, line
    for block in re.findall(r"(?:^\|.*\|\n)+", prose, re.MULTILINE):
        assert f"\n\n{block}\n" in prose, "a table stands alone"


@both_and_all_ways
def test_the_card_says_nothing_of_the_machine(built, name, way):
    text = read(built, name, way)
    assert str(built) not in text and os.path.expanduser("~") not in text and "/tmp" not in text
    assert not re.search(r"https?://|\b20\d\d-\d\d-\d\d\b|\b\d\d:\d\d:\d\d\b", text)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_build_has_the_same_card(built, tmp_path, name):
    again = build(name, tmp_path / "elsewhere", "--probe", "none", "--processes", 2)
    assert (again / "README.md").read_text(encoding="utf-8") == read(built, name, "without audit and probe")


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_has_another_card(tmp_path, name):
    text = (build(name, tmp_path, "--probe", "none", "--seed", -5) / "README.md").read_text(encoding="utf-8")
    assert f"This build: seed -5, generator version {GENERATOR_VERSION}." in text


# ------------------------------------------------------------------------------------------------ strictness


@pytest.fixture
def ours(tmp_path, monkeypatch):
    """Let the template be one of our own."""
    shutil.copy(ROOT / "dataset_card.md", tmp_path / "dataset_card.md")
    monkeypatch.setattr(card, "ROOT", tmp_path)
    return tmp_path / "dataset_card.md"


def render(built, name, without=None):
    """Render the card of a build again, without one of the things that it is told."""
    target = built / "without audit and probe" / name
    known = json.loads((target / "build.json").read_text())
    module = {"hi_tom": hi_tom, "mindgames": mindgames}[name]
    builder = {"hi_tom": HiTom, "mindgames": MindGames}[name]
    layout = {}
    for config in yaml.safe_load(read(built, name, "without audit and probe").split("---\n")[1])["configs"]:
        layout[config["config_name"]] = {each["split"]: each["path"] for each in config["data_files"]}
    about = {"columns": card.columns(builder), "example": "1st_order" if name == "hi_tom" else "forehead"}
    about |= {"probe": None, "enough": 240, "audited": "", "shown": "", "deep": "", "pictures": {}, "drawn": []}
    about = {key: value for key, value in about.items() if key != without}
    return card.render(target, name, known["request"], FEATURES[name], layout, known["files"], module.METADATA, about)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("where", ["top", "end"])
def test_an_undefined_name_is_an_error(built, ours, name, where):
    assert render(built, name)
    text = ours.read_text(encoding="utf-8")
    ours.write_text(
        "{{ nonsense }}\n" + text if where == "top" else text + "{{ request.all.sead }}\n", encoding="utf-8"
    )
    with pytest.raises(jinja2.UndefinedError, match="'nonsense' is undefined" if where == "top" else "'sead'"):
        render(built, name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("without", ["columns", "example", "probe", "enough", "audited"])
def test_nothing_that_the_card_is_told_may_be_missing(built, name, without):
    with pytest.raises(jinja2.UndefinedError, match=f"'{without}' is undefined"):
        render(built, name, without)


def test_a_config_that_is_not_there_is_an_error(built, ours):
    text = ours.read_text(encoding="utf-8")
    ours.write_text(text.replace("parquet.tomh.test", "parquet.toms.test"), encoding="utf-8")
    with pytest.raises(jinja2.UndefinedError, match="'toms'"):
        render(built, "hi_tom")


@pytest.mark.parametrize("name", NAMES)
def test_a_card_that_cannot_be_made_leaves_no_folder(ours, tmp_path, name):
    ours.write_text("{{ nonsense }}", encoding="utf-8")
    with pytest.raises(jinja2.UndefinedError):
        main(["build", name, "--out", str(tmp_path / "out"), "--probe", "none", *map(str, SMALL[name])])
    assert not (tmp_path / "out").exists()


# ------------------------------------------------------------------------------------------------ the YAML


@both_and_all_ways
def test_the_metadata_are_what_the_hub_takes(built, name, way):
    """By the client's own code, and by the Hub's check, as the small Hub of the tests has it."""
    text, path = read(built, name, way), built / way / name / "README.md"
    found = huggingface_hub.DatasetCard.load(path)
    matter, prose = front_matter(text)
    assert REGEX_YAML_BLOCK.search(text) and found.text.strip() == prose.strip()
    assert metadata_load(path) == matter == found.data.to_dict()
    assert huggingface_hub.DatasetCard(str(found)).data.to_dict() == matter
    assert check_card(text) == ([], [])


@pytest.mark.parametrize("name", NAMES)
def test_the_hub_is_asked_whether_the_card_is_valid(built, monkeypatch, name):
    text = read(built, name)
    with Hub() as hub:
        monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", hub.url)
        huggingface_hub.DatasetCard(text).validate()
        with pytest.raises(ValueError, match="license"):
            huggingface_hub.DatasetCard(text.replace("license: apache-2.0", "license: none-such")).validate()


@both_and_all_ways
def test_the_metadata_name_what_there_is(built, name, way):
    matter, _ = front_matter(read(built, name, way))
    resources = Path(metadata_of_datasets.__file__).parent / "resources"
    creators = json.loads((resources / "creators.json").read_text())
    assert matter["license"] == "apache-2.0" and matter["language"] == ["en"] and matter["pretty_name"]
    assert set(matter["annotations_creators"]) <= set(creators["annotations"])
    assert set(matter["language_creators"]) <= set(creators["language"])
    assert set(matter["multilinguality"]) <= set(json.loads((resources / "multilingualities.json").read_text()))
    assert matter["source_datasets"] == ["original"]
    assert matter["task_categories"] and set(matter["task_categories"]) <= set(metadata_of_datasets.known_task_ids)
    assert matter["task_ids"] and "theory-of-mind" in matter["tags"]
    rows = sum(pq.read_metadata(file).num_rows for file in (built / way / name).rglob("*.parquet"))
    assert matter["size_categories"] == [size_category(rows)]


@both_and_all_ways
def test_the_configs_are_those_that_datasets_finds(built, name, way):
    target = built / way / name
    text = read(built, name, way)
    matter, _ = front_matter(text)
    parsed = MetadataConfigs.from_dataset_card_data(huggingface_hub.DatasetCard(text).data)
    module = {"hi_tom": hi_tom, "mindgames": mindgames}[name]
    assert parsed.get_default_config_name() == "all" and list(parsed) == [c["config_name"] for c in matter["configs"]]
    assert [config["config_name"] for config in matter["configs"] if config.get("default")] == ["all"]
    assert datasets.get_dataset_config_names(str(target)) == list(parsed)
    stored = sorted(file.relative_to(target).as_posix() for file in target.rglob("*.parquet"))
    for config in matter["configs"]:
        info = next(info for info in matter["dataset_info"] if info["config_name"] == config["config_name"])
        builder = datasets.load_dataset_builder(str(target), config["config_name"])
        assert builder.info.features == FEATURES[name] == module.FEATURES
        splits = {entry["split"]: entry["path"] for entry in config["data_files"]}
        assert list(splits) == list(builder.info.splits) == [split["name"] for split in info["splits"]]
        for split in info["splits"]:
            held = sum(pq.read_metadata(target / path).num_rows for path in splits[split["name"]])
            assert held == split["num_examples"] == builder.info.splits[split["name"]].num_examples
        paths = [path for each in splits.values() for path in each]
        assert info["download_size"] == sum((target / path).stat().st_size for path in paths)
    everywhere = {path for config in matter["configs"] for entry in config["data_files"] for path in entry["path"]}
    assert sorted(everywhere) == stored


@pytest.mark.parametrize("changes", [(), ("--max-order", 2), ("--agents", 7, "--max-order", 6), ("--max-order", 0)])
def test_the_configs_of_hi_tom_are_its_orders(tmp_path, changes):
    text = (build("hi_tom", tmp_path, "--probe", "none", *changes) / "README.md").read_text(encoding="utf-8")
    orders = [order_name(order) for order in range(1 + (changes[-1] if changes else 4))]
    matter, prose = front_matter(text)
    assert [config["config_name"] for config in matter["configs"]] == ["all", *orders, "tomh", "reproduction", "deep"]
    assert f'load_dataset("hi_tom", "{orders[-1]}")' in prose
    assert ("not yet a deep nesting" in prose) == (len(orders) > 2)


@pytest.mark.parametrize("semantics", ["recursive", "published"])
def test_the_card_says_by_which_semantics_the_answers_are(tmp_path, semantics):
    text = (build("hi_tom", tmp_path, "--probe", "none", "--semantics", semantics) / "README.md").read_text("utf-8")
    assert f"`answer` is by `{semantics}` in `all`" in text and "by `recursive` in `tomh`" in text
    assert "`published` in `reproduction`" in text


# ------------------------------------------------------------------------------------------------ what it says


@both_and_all_ways
def test_every_line_that_loads_does(built, tmp_path, monkeypatch, name, way):
    """Each is run beside the folder, and the counts that the card gives beside some are right."""
    text = read(built, name, way)
    monkeypatch.chdir(built / way)
    lines = re.findall(r"^(load_dataset\(.*?)(?:  # .*)?$", text, re.MULTILINE)
    assert len(lines) >= 11 and len(set(lines)) == len(lines)

    def load(*given, **options):
        return datasets.load_dataset(*given, cache_dir=str(tmp_path), **options)

    loaded = {line: eval(line, {"load_dataset": load}) for line in lines}
    assert all(isinstance(found, dict | datasets.Dataset | datasets.IterableDataset) for found in loaded.values())
    assert {next(iter(found)) is not None for found in loaded.values() if isinstance(found, datasets.IterableDataset)}
    structural = loaded[lines[-1]]
    kept = re.search(r"^That keeps ([\d,]+) of ([\d,]+) ", text, re.MULTILINE)
    assert int(kept[1].replace(",", "")) == len(structural)
    for line in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        assert line.startswith("from datasets import load_dataset\n")


@both_and_all_ways
def test_every_column_is_in_its_table(built, name, way):
    header, rows = tables(section(read(built, name, way), "Columns"))[0]
    assert header == ["column", "type", "what it holds"]
    assert [column for column, _, _ in rows] == [f"`{column}`" for column in FEATURES[name]]
    assert [kind for _, kind, _ in rows] == [type_of(feature) for feature in FEATURES[name].values()]
    assert all(said for _, _, said in rows)


@both_and_all_ways
def test_the_sizes_are_those_of_the_files(built, name, way):
    text = read(built, name, way)
    matter, _ = front_matter(text)
    header, rows = tables(section(text, "Loading"))[0]
    sizes = {row[0].split("`")[1]: dict(zip(header[1:], row[1:], strict=True)) for row in rows}
    assert [row[0].endswith("(default)") for row in rows] == [True] + [False] * (len(rows) - 1)
    for info in matter["dataset_info"]:
        counted = {split["name"]: f"{split['num_examples']:,}" for split in info["splits"]}
        assert {split: size for split, size in sizes[info["config_name"]].items() if size} == counted


def share(rows, true):
    return f"{100 * sum(map(true, rows)) / len(rows):.1f}"


@pytest.mark.parametrize("way", list(BUILDS))
def test_the_composition_of_hi_tom_is_that_of_its_rows(built, way):
    target = built / way / "hi_tom"
    stories, depth, places = tables(section(read(built, "hi_tom", way), "Composition"))

    def of(config, split):
        folders = [f"{order}" for order in map(order_name, range(5))] if config == "all" else [config]
        return [row for each in folders for row in all_rows(target, f"{each}/{split}.parquet")]

    splits = ["train"] if way == "train only" else ["train", "validation", "test"]
    of_deep = ["train", "validation", "test"]
    wanted = [*(("all", split) for split in splits), ("tomh", "test"), ("reproduction", "test")]
    wanted += [("deep", split) for split in of_deep]
    assert [row[0] for row in stories[1]] == [", ".join(each) for each in wanted]
    for cells, (config, split) in zip(stories[1], wanted, strict=True):
        rows = of(config, split)
        lengths = Counter(row["story_length"] for row in rows)
        lines = [row["n_lines"] for row in rows]
        assert cells[1] == f"{len({row['story_id'] for row in rows}):,}"
        assert cells[2] == share(rows, lambda row: row["deception"])
        assert cells[3] == ", ".join(f"{n}: {100 * lengths[n] / len(rows):.1f}" for n in sorted(lengths))
        assert cells[5] == "–".join(map(str, dict.fromkeys((min(lines), max(lines)))))
        assert float(cells[6]) == pytest.approx(sum(lines) / len(lines), abs=0.051)
        assert float(cells[7]) == pytest.approx(sum(row["n_claims"] for row in rows) / len(rows), abs=0.051)
    asked = [("all", splits[-1]), ("tomh", "test"), ("reproduction", "test"), ("deep", "test")]
    lines = [
        (config, split, order) for config, split in asked for order in sorted({r["order"] for r in of(config, split)})
    ]
    assert [(row[0], row[1]) for row in depth[1]] == [(f"{c}, {s}", str(order)) for c, s, order in lines]
    for deep, place, (config, split, order) in zip(depth[1], places[1], lines, strict=True):
        rows = [row for row in of(config, split) if row["order"] == order]
        assert deep[2:] == [
            str(len(rows)),
            share(rows, lambda row: row["effective_order"] == 0),
            share(rows, lambda row: row["effective_order"] == 1),
            share(rows, lambda row: row["effective_order"] >= 2),
            share(rows, lambda row: row["effective_order"] == row["order"]),
            share(rows, lambda row: row["order_sensitive"]),
            "–"
            if config == "deep"
            else share(rows, lambda row: row["answer"] != row["answer_published"])
            if config != "reproduction"
            else share(rows, lambda row: not row["semantics_agree"]),
        ]
        assert place[2:6] == [share(rows, lambda row, slot=slot: row["answer_slot"] == slot) for slot in range(4)]
        most = Counter(row["answer_index"] for row in rows).most_common(1)[0][1]
        assert float(place[6]) == pytest.approx(100 * most / len(rows), abs=0.051)
        assert float(place[8]) == pytest.approx(sum(row["lines_since"] for row in rows) / len(rows), abs=0.051)


@pytest.mark.parametrize("way", list(BUILDS))
def test_the_composition_of_mindgames_is_that_of_its_rows(built, way):
    target = built / way / "mindgames"
    each, agents, asked = tables(section(read(built, "mindgames", way), "Composition"))

    def of(config, split, setup):
        file = f"{setup if config == 'all' else config}/{split}.parquet"
        return [row for row in all_rows(target, file) if row["setup"] == setup]

    splits = ["train"] if way == "train only" else ["train", "validation", "test"]
    wanted = [*(("all", split) for split in splits), ("scale", "test"), ("reproduction", "test")]
    setups = sorted(SETUPS)
    lines = [(*one, setup) for one in wanted for setup in setups]
    assert [tuple(row[:3]) for row in each[1]] == lines
    for cells, place in zip(each[1], lines, strict=True):
        rows = of(*place)
        n = [row["n_agents"] for row in rows]
        assert cells[3:8] == [
            f"{len(rows):,}",
            str(len({row["block"] for row in rows} - {None})),
            share(rows, lambda row: row["label"] == "entailment"),
            f"{min(n)}–{max(n)}" if min(n) < max(n) else str(n[0]),
            cells[7],
        ]
        assert float(cells[7]) == pytest.approx(sum(n) / len(n), abs=0.051)
        assert cells[8] == share(rows, lambda row: row["hypothesis_depth"] > 0)
    for cells, one in zip(agents[1], wanted, strict=True):
        rows = [row for setup in setups for row in of(*one, setup)]
        counts = Counter(row["n_agents"] for row in rows)
        assert cells == [", ".join(one), ", ".join(f"{n}: {100 * counts[n] / len(rows):.1f}" for n in sorted(counts))]
    shown = [("all", splits[-1]), ("scale", "test"), ("reproduction", "test")]
    for cells, place in zip(asked[1], [(*one, setup) for one in shown for setup in setups], strict=True):
        rows = of(*place)
        assert cells[:2] == [", ".join(place[:2]), place[2]]
        counted = []
        for column in ("needs_announcements", "shortest_proof"):
            counted += [share(rows, lambda row, c=column, n=n: row[c] == n) for n in (0, 1)]
            counted.append(share(rows, lambda row, c=column: row[c] >= 2))
        assert cells[2:8] == counted


@pytest.mark.parametrize("name", NAMES)
def test_the_difficulty_is_that_of_the_rows(built, name):
    text = section(read(built, name), "Difficulty")
    target = built / "with all" / name
    assert re.search(
        r'^load_dataset\(.*\)\.filter\(lambda row: row\["deberta_confidence"\] < 0\.6\)$', text, re.MULTILINE
    )
    header, lines = tables(text)[0]
    assert header[1:] == ["rows scored", "right", "confidence below 0.6", "difficulty above 1.5"]
    for cells in lines:
        config = cells[0].split(",")[0]
        folders = [config]
        if config == "all":
            folders = list(SETUPS) if name == "mindgames" else [order_name(order) for order in range(5)]
        rows = [row for each in folders for row in all_rows(target, f"{each}/test.parquet")]

        def right(row):
            picked = ("not_entailment", "entailment")[row["deberta_pred"]] if name == "mindgames" else None
            return picked == row["label"] if picked else row["deberta_pred"] == row["answer_index"]

        assert cells[1:] == [
            f"{len(rows):,}",
            share(rows, right),
            share(rows, lambda row: row["deberta_confidence"] < 0.6),
            share(rows, lambda row: row["difficulty"] > 1.5),
        ]
    assert len(lines) == 9 if name == "hi_tom" else 7


def test_rows_without_scores_are_counted_and_left_out(built, tmp_path, monkeypatch):
    """The filter must not compare what is not there."""
    target = tmp_path / "mindgames"
    shutil.copytree(built / "with all" / "mindgames", target)
    file = target / "forehead" / "test.parquet"
    table = pq.read_table(file)
    for column in ("deberta_pred", "deberta_confidence", "difficulty"):
        values = [None, *table[column].to_pylist()[1:]]
        table = table.set_column(table.schema.get_field_index(column), table.schema.field(column), [values])
    pq.write_table(table, file)
    known = json.loads((target / "build.json").read_text())
    files = {path: facts | {"memory": 1} for path, facts in known["files"].items() if path.endswith(".parquet")}
    layout = {"all": {"test": [f"{setup}/test.parquet" for setup in SETUPS]}}
    layout |= {setup: {"test": [f"{setup}/test.parquet"]} for setup in SETUPS}
    layout |= {config: {"test": [f"{config}/test.parquet"]} for config in ("scale", "reproduction")}

    class Scorer:
        identity, checkpoint, limit = "a probe", None, 160

    about = {
        "columns": {},
        "example": "forehead",
        "probe": Scorer,
        "enough": 240,
        "audited": "",
        "shown": "",
        "deep": "",
    }
    about |= {"pictures": {}, "drawn": []}
    text = card.render(target, "mindgames", known["request"], mindgames.FEATURES, layout, files, METADATA, about)
    assert "1 rows of `forehead`, test, are beyond its 160 tokens: these columns are empty there." in text
    assert 'lambda row: row["deberta_confidence"] is not None and row["deberta_confidence"] < 0.6' in text
    assert f"| forehead, test | {table.num_rows - 1} |" in text


@pytest.mark.parametrize("name", NAMES)
def test_the_audit_and_the_pictures_are_there_where_rows_are_enough(built, name):
    """Each rule of the tables is explained, and each picture is a file."""
    text = read(built, name)
    found = section(text, "What can be guessed without reading")
    measured = [row[0] for _, rows in tables(found) for row in rows if row[0] not in ("rows", "chance")]
    for rule in set(measured) - {"TF-IDF, names numbered"}:
        assert f"*{rule}*" in re.sub(r"\s+", " ", found), rule
    named = re.findall(r"!\[(.+)\]\((pictures/\w+\.png)\)", text)
    assert sorted(path for _, path in named) == sorted(
        f"pictures/{path.name}" for path in (built / "with all" / name / "pictures").iterdir()
    )
    for way in list(BUILDS)[1:]:
        without = read(built, name, way)
        assert "pictures/" not in without and "there is no table here" in without
        assert f"fewer than {GATED_STORIES} test rows" in without


def test_the_card_says_whether_a_probe_scored(built):
    for name in NAMES:
        assert "was not scored by a probe" in read(built, name, "without audit and probe")
        assert re.search(r"come from the probe \*\*\S+ [0-9a-f]{12}\*\*", read(built, name))


@pytest.mark.parametrize("name", NAMES)
def test_the_canary_is_one_guid_of_each_dataset(built, name):
    guids = {each: set(re.findall(r"canary GUID (\S+)$", read(built, each, way), re.MULTILINE))
             for each in NAMES for way in BUILDS}  # fmt: skip
    assert all(len(found) == 1 for found in guids.values()) and guids["hi_tom"] != guids["mindgames"]
    (guid,) = guids[name]
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", guid)


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_is_built_as_the_card_says(built, name):
    text = section(read(built, name), "A private test set: another seed")
    (command,) = re.findall(r"^(make build .*)$", text, re.MULTILINE)
    assert f"DATASET={name} SEED=$(python3 -c" in command and "OUT=private" in command
    code = re.search(r'python3 -c "(.*?)"', command)[1]
    printed = []
    exec(code, {"print": printed.append})
    assert 0 <= printed[0] < 2**63


@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("hi_tom", ["A Benchmark for Evaluating Higher-Order Theory of Mind Reasoning in Large Language Models"]),
        (
            "mindgames",
            [
                "Targeting Theory of Mind in Large Language Models with Dynamic Epistemic Modal Logic",
                "Symbolic Model Checking for Dynamic Epistemic Logic --- {S5} and Beyond",
            ],
        ),
    ],
)
def test_the_papers_are_cited(built, name, titles):
    (entries,) = re.findall(r"```bibtex\n(@.*?)```", read(built, name), re.DOTALL)
    assert entries.count("{") == entries.count("}")
    assert entries.count("@") == 2 and all(title in entries for title in titles)
    if not SEEDS.is_dir():
        pytest.skip("shared/seeds, the papers, is not here")
    papers = " ".join(path.read_text(encoding="utf-8") for path in SEEDS.glob("*.txt")).lower()
    for title in titles:
        plain = title.replace("{", "").replace("}", "").replace("---", "—").lower()
        assert plain in " ".join(papers.split())
    for surname in re.findall(r"(?:author\s*= \{|and )([\w ]+),", entries):
        assert surname.split()[-1].lower() in papers


def test_what_the_folder_records_includes_the_card(built):
    for name in NAMES:
        known = Build.read(built / "with all" / name, name)
        assert known.files["README.md"]["sha256"] == checksum(built / "with all" / name / "README.md")


@pytest.mark.parametrize("name", NAMES)
def test_no_file_is_without_rows_whatever_the_sizes(tmp_path, name):
    """One story, or one block, of each will do."""
    own = ("--tomh", 1) if name == "hi_tom" else ("--scale", 1)
    target = build(name, tmp_path, "--probe", "none", "--train", 1, "--validation", 1, "--test", 1, *own)
    known = Build.read(target, name)
    assert all(facts["rows"] for file, facts in known.files.items() if file.endswith(".parquet"))
