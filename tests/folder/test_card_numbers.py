"""Count again what the cards of small builds say, and prove their examples by the second reading."""

import re
import shutil
from collections import Counter
from dataclasses import replace

import datasets
import pyarrow.parquet as pq
import pytest
from cards import NAMES, WAYS, layout_of, read_card, rows_of, section, share, tables
from commands.samples import NO_ABILITIES, NO_WOVEN

from tom_datasets.audit.gates import GATED_STORIES
from tom_datasets.audit.shares import Share
from tom_datasets.builds import measured
from tom_datasets.folder import card
from tom_datasets.folder.build import Build
from tom_datasets.folder.card import margin, right
from tom_datasets.folder.card_examples import MOST_LINES, block_example, story_example, worlds
from tom_datasets.folder.card_rows import Rows
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.reader.read_stories import read_question, read_story
from tom_datasets.reader.story_minds import believe_after, happenings
from tom_datasets.splits import plain_name
from tom_datasets.story.config import order_name
from tom_datasets.syntax.formula import LABELS, SETUPS, And, Atom, Knows, Not, Or, Structure, Top

FOLDERS = {"hi_tom": [order_name(order) for order in range(5)], "mindgames": list(SETUPS)}
"""The folders whose rows the config `all` holds."""


def last_split(way):
    """Return the split of the default config that a card describes."""
    return "train" if way == "train only" else "test"


def rows_in(folder, name, config, split):
    """Return the rows of a config's split."""
    return [
        row
        for place in (FOLDERS[name] if config == "all" else [config])
        for row in rows_of(folder, f"{place}/{split}.parquet")
    ]


def mean(rows, column):
    """Return the mean of a column as cards write it."""
    return pytest.approx(sum(row[column] for row in rows) / len(rows), abs=0.051)


# ------------------------------------------------------------------------------------------------ examples


def test_the_worlds_that_announcements_leave():
    """Two muddy children: who does not know after "someone is muddy" sees a muddy forehead; told too early, nothing."""
    structure = Structure((1, 2), Top(), (("Agenta", (2,)), ("Agentb", (1,))))
    someone, ignorant = Or((Atom(1), Atom(2))), Not(Knows("Agenta", Atom(1)))
    assert worlds(structure, []) == [(), (2,), (1,), (1, 2)]
    assert worlds(structure, [someone]) == [(1,), (1, 2), (2,)]
    assert worlds(structure, [someone, ignorant]) == [(2,), (1, 2)]
    assert worlds(structure, [ignorant, someone]) == [(1,), (1, 2), (2,)], "told too early it says nothing"
    assert worlds(structure, [And((Atom(1), Not(Atom(1))))]) == []


@pytest.mark.parametrize("way", list(WAYS))
def test_the_example_of_hi_tom_is_the_shortest_story_whose_readings_differ(small_build, way):
    folder = small_build("hi_tom", way)
    rows = rows_in(folder, "hi_tom", "all", last_split(way))
    text = section(read_card(folder), "Example")
    (row,) = (row for row in rows if f"```\n{row['story']}\n```" in text and f"*{row['question']}*" in text)
    differ = [other for other in rows if not other["semantics_agree"] and other["n_lines"] <= MOST_LINES]
    lowest = [other for other in differ if other["order"] == min(other["order"] for other in differ)]
    assert len(row["story"]) == min(len(other["story"]) for other in lowest or rows)
    story, names = read_story(row["story"])
    question = read_question(row["question"], names)
    told = happenings(story, question.thing)
    held = {name: believe_after(told, [question.chain], name)[question.chain] for name in ("recursive", "published")}
    assert names.containers[held["recursive"]] == row["answer"]
    line = int(re.search(r"Answer: \*\*(\S+)\*\*, which line (\d+) taught", text)[2])
    assert (
        row["story"].split("\n")[line - 1].startswith(f"{line} ")
        and row["answer"] in row["story"].split("\n")[line - 1]
    )
    assert f"Answer: **{row['answer']}**" in text and f"({len(row['choices'])} choices)" in text
    if not row["semantics_agree"]:
        published = names.containers[held["published"]]
        assert published == row["answer_published"] and f"as published, {published}." in text


def test_where_the_readings_agree_the_shortest_story_is_the_example(tmp_path, small_build):
    rows = [row for row in rows_in(small_build("hi_tom"), "hi_tom", "all", "test") if row["semantics_agree"]]
    table = pq.read_table(small_build("hi_tom") / "1st_order/test.parquet")
    pq.write_table(table.slice(0, 0), tmp_path / "none.parquet")
    pq.write_table(type(table).from_pylist(rows, schema=table.schema), tmp_path / "agree.parquet")
    row = story_example(Rows.of([tmp_path / "none.parquet", tmp_path / "agree.parquet"]))
    assert len(row["story"]) == min(len(other["story"]) for other in rows)


@pytest.mark.parametrize("way", list(WAYS))
def test_the_worked_block_is_one_of_the_build(small_build, way):
    folder = small_build("mindgames", way)
    files = [folder / file for file in layout_of(read_card(folder))["all"][last_split(way)]]
    rows = rows_in(folder, "mindgames", "all", last_split(way))
    worked = block_example(Rows.of(files))
    assert len(worked) == 2 and all(len(part["problems"]) == 2 for part in worked)
    block = {row["block"] for row in rows if row["premise"] in {part["premise"] for part in worked}}
    assert len(block) == 1
    assert {row["n_agents"] for row in rows if row["block"] in block} == {min(row["n_agents"] for row in rows)}
    text = read_card(folder)
    for part in worked:
        assert f"> {part['premise']}\n" in section(text, "Example")
        known = next(row for row in rows if row["premise"] == part["premise"])
        sizes = [len(left) for _, left in part["steps"]]
        assert sizes[0] == known["n_worlds_before"] and sizes[-1] == known["n_worlds"]
        assert len(sizes) == known["n_announcements"] + 2
        for (_, before), (announcement, after) in zip(part["steps"], part["steps"][1:], strict=False):
            assert all(world in before for world in after)
            printed = f"- after `{announcement}`: {len(after)} world" in section(text, "Labels")
            assert printed or part is not worked[0]
        problem = read_problem(part["premise"], part["problems"][0]["hypothesis"], known["names"])[0]
        assert len(problem.announcements) == len(sizes) - 1
        for row in part["problems"]:
            posed = read_problem(row["premise"], row["hypothesis"], row["names"])[0]
            assert follows(posed) == (row["label"] == LABELS[True])
    _, lines = tables(section(text, "Example"))[0]
    labels = {row["hypothesis"]: [row["label"]] for row in worked[0]["problems"]}
    for row in worked[1]["problems"]:
        labels[row["hypothesis"]].append(row["label"])
    assert {hypothesis: pair for hypothesis, *pair in lines} == labels


# ------------------------------------------------------------------------------------------------ loading, columns


def test_every_line_that_loads_does(made, tmp_path, monkeypatch):
    """Each is run beside the folder, and the counts that the card gives beside some are right."""
    monkeypatch.chdir(made.folder.parent)
    lines = re.findall(r"^(load_dataset\(.*?)(?:  # .*)?$", made.card, re.MULTILINE)
    assert len(set(lines)) == len(lines) == made.card.count("load_dataset(") > 3

    def load(*given, **options):
        return datasets.load_dataset(*given, cache_dir=str(tmp_path), **options)

    loaded = {line: eval(line, {"load_dataset": load}) for line in lines}
    assert all(isinstance(found, dict | datasets.Dataset | datasets.IterableDataset) for found in loaded.values())
    streams = [found for found in loaded.values() if isinstance(found, datasets.IterableDataset)]
    assert streams and all(next(iter(stream)) for stream in streams)
    kept = re.search(r"^That keeps ([\d,]+) of ([\d,]+) ", made.card, re.MULTILINE)
    assert int(kept[1].replace(",", "")) == len(loaded[lines[-1]])
    assert "from datasets import load_dataset\n" in made.card


def test_the_sizes_are_those_of_the_files(made):
    header, rows = tables(section(made.card, "Load"))[0]
    sizes = {row[0].split("`")[1]: dict(zip(header[1:], row[1:], strict=True)) for row in rows}
    assert [row[0].endswith("(default)") for row in rows] == [True] + [False] * (len(rows) - 1)
    for info in made.matter["dataset_info"]:
        counted = {split["name"]: f"{split['num_examples']:,}" for split in info["splits"]}
        config = info["config_name"]
        assert config not in sizes or {split: size for split, size in sizes[config].items() if size} == counted
        assert (config in sizes) == (plain_name(config) == config), "the other languages have the same test rows"


# ------------------------------------------------------------------------------------------------ composition


@pytest.mark.parametrize("way", list(WAYS))
def test_the_composition_of_hi_tom_is_that_of_its_rows(small_build, way):
    folder = small_build("hi_tom", way)
    stories, depth = tables(section(read_card(folder), "Composition"))
    others = ("tomh", "reproduction", "deep", "ladder")
    measured = [("all", last_split(way)), *((config, "test") for config in others)]
    assert [line[0] for line in stories[1]] == [line[0] for line in depth[1]] == [", ".join(each) for each in measured]
    assert depth[0][1:] == [f"order {order}" for order in range(1, 5)]
    for story_cells, depth_cells, (config, split) in zip(stories[1], depth[1], measured, strict=True):
        rows = rows_in(folder, "hi_tom", config, split)
        lengths = Counter(row["story_length"] for row in rows)
        assert story_cells[1:] == [
            f"{len({row['story_id'] for row in rows}):,}",
            share(rows, lambda row: row["deception"]),
            ", ".join(f"{n}: {100 * lengths[n] / len(rows):.1f}" for n in sorted(lengths)),
            span(rows, "n_agents"),
            span(rows, "n_lines"),
            share([row for row in rows if row["order"]], lambda row: not row["readings"]),
        ]
        for order, cell in enumerate(depth_cells[1:], 1):
            nested = [row for row in rows if row["order"] == order]
            differ = share(nested, lambda row: row["answer"] != row["answer_published"])
            if config == "reproduction":  # there `answer` is the published one
                differ = share(nested, lambda row: not row["semantics_agree"])
            assert cell.split(" / ") == [
                share(nested, lambda row: row["effective_order"] >= 2),
                share(nested, lambda row: row["effective_order"] == row["order"]),
                share(nested, lambda row: row["order_sensitive"]),
                "–" if config in ("deep", "ladder") else differ,
            ]


def test_the_card_says_how_many_answers_can_be_disputed(build_small):
    """Those of the published semantics, in `all` too; nothing is said of configs without such answers."""
    folder = build_small(
        "hi_tom", "--probe", "none", "--semantics", "published", "--test", "24", *NO_ABILITIES, *NO_WOVEN
    )
    text = read_card(folder)
    assert "`answer` is by `published` in `all`" in text and "by `recursive` in `tomh`" in text
    assert "by `published` in `reproduction`" in text and "`recursive` in `deep`" in text
    limits = section(read_card(folder), "Known limits")
    (listed,) = re.findall(r"\*\*Some answers can be disputed\*\*: (.*)\.", limits)
    told = {config: cell for cell, config in re.findall(r"(\d+\.\d) % of `(\w+)`", listed)}
    disputed = {}
    for config in ("all", "tomh", "reproduction", "deep", "ladder"):
        rows = rows_in(folder, "hi_tom", config, "test")
        if any(row["readings"] for row in rows):
            disputed[config] = share(rows, lambda row: not row["undisputed"])
    english = {config: cell for config, cell in told.items() if plain_name(config) == config}
    assert english == disputed and "all" in told and "deep" not in told
    assert told["all_fr"] == told["all_zh"] == told["all"]


def span(rows, column):
    """Return the least and the greatest value of a column as cards write them."""
    values = [row[column] for row in rows]
    return "–".join(map(str, dict.fromkeys((min(values), max(values)))))


@pytest.mark.parametrize("way", list(WAYS))
def test_the_composition_of_mindgames_is_that_of_its_rows(small_build, way):
    folder = small_build("mindgames", way)
    sizes, setups = tables(section(read_card(folder), "Composition"))
    measured = [("all", last_split(way)), *((config, "test") for config in ("scale", "reproduction", "deep", "ladder"))]
    assert [line[0] for line in sizes[1]] == [", ".join(each) for each in measured]
    for cells, (config, split) in zip(sizes[1], measured, strict=True):
        rows = rows_in(folder, "mindgames", config, split)
        counts = Counter(row["n_agents"] for row in rows)
        assert cells[1:] == [
            f"{len(rows):,}",
            str(len({row["block"] for row in rows} - {None})),
            share(rows, lambda row: row["label"] == LABELS[True]),
            ", ".join(f"{n}: {100 * counts[n] / len(rows):.1f}" for n in sorted(counts)),
        ]
    places = [("all", last_split(way), setup) for setup in sorted(SETUPS)]
    places += [(config, split, "every") for config, split in measured[1:]]
    assert [tuple(line[:2]) for line in setups[1]] == [(config, setup) for config, _, setup in places]
    for cells, (config, split, setup) in zip(setups[1], places, strict=True):
        rows = [row for row in rows_in(folder, "mindgames", config, split) if setup in (row["setup"], "every")]
        assert cells[2] == share(rows, lambda row: row["hypothesis_depth"] > 0)
        assert float(cells[3]) == mean(rows, "n_announcements")
        for cell, column in zip(cells[4:6], ("needs_announcements", "shortest_proof"), strict=True):
            assert cell.split(" / ") == [
                *(share(rows, lambda row, c=column, n=n: row[c] == n) for n in (0, 1)),
                share(rows, lambda row, c=column: row[c] >= 2),
            ]


# ------------------------------------------------------------------------------------------------ audit, difficulty


def test_a_share_and_the_widest_interval_of_a_table():
    shares = {"a": {"first": Share(1, 4, 0.5), "last": Share(50, 100, 0.5)}}
    assert [right(share) for share in shares["a"].values()] == ["25.0", "50.0"]
    low, high = Share(1, 4, 0.5).interval()
    assert margin(shares) == f"{100 * max(0.25 - low, high - 0.25):.1f}"


@pytest.mark.parametrize("name", NAMES)
def test_the_difficulty_is_that_of_the_rows(small_build, name):
    folder = small_build(name)
    text = section(read_card(folder), "Difficulty")
    assert re.search(
        r'^load_dataset\(.*\)\.filter\(lambda row: row\["deberta_confidence"\] < 0\.6\)$', text, re.MULTILINE
    )
    header, lines = tables(text)[0]
    assert header[1:] == ["rows scored", "right: difficulty below 1", "confidence below 0.6", "difficulty above 1.5"]
    for cells in lines:
        rows = rows_in(folder, name, *cells[0].split(", "))

        def is_right(row):
            if name == "hi_tom":
                return row["deberta_pred"] == row["answer_index"]
            return LABELS[row["deberta_pred"]] == row["label"]

        assert cells[1:] == [
            f"{len(rows):,}",
            share(rows, is_right),
            share(rows, lambda row: row["deberta_confidence"] < 0.6),
            share(rows, lambda row: row["difficulty"] > 1.5),
        ]
    configs = (
        ["all", "tomh", "reproduction"]
        if name == "hi_tom"
        else ["all", "scale", "reproduction", "deep", "ladder", "rounds"]
    )
    assert [cells[0] for cells in lines] == [f"{config}, test" for config in configs]


def test_rows_without_scores_are_counted_and_left_out(small_build, tmp_path):
    """The filter must not compare what is not there."""
    folder = tmp_path / "mindgames"
    shutil.copytree(small_build("mindgames"), folder)
    file = folder / "forehead" / "test.parquet"
    table = pq.read_table(file)
    for column in ("deberta_pred", "deberta_confidence", "difficulty"):
        values = [None, *table[column].to_pylist()[1:]]
        table = table.set_column(table.schema.get_field_index(column), table.schema.field(column), [values])
    pq.write_table(table, file)

    class Scorer:
        identity, checkpoint, limit = "a probe", None, 160

    about = {"columns": {}, "example": "forehead", "probe": Scorer, "enough": 240, "audit": None, "pictures": {}}
    build = Build.read(folder, "mindgames")
    text = card.render(build, layout_of(read_card(folder)), about)
    assert "1 rows of `forehead`, test, are beyond its 160 tokens: these columns are empty there." in text
    assert 'lambda row: row["deberta_confidence"] is not None and row["deberta_confidence"] < 0.6' in text


@pytest.mark.parametrize("name", NAMES)
def test_the_audit_and_the_pictures_are_there_where_rows_are_enough(small_build, name):
    """Each rule of the tables is explained, and each picture is a file."""
    text = read_card(small_build(name))
    for header, rows in tables(section(text, "Guessing without reading")):
        assert header[:2] == ["rule", "gate"] and all(re.fullmatch(r"\*[^*]+\*: \S.*", row[0]) for row in rows)
        assert all(re.fullmatch(r"(\d+\.\d)?( ?/ \d+\.\d)?", cell) for row in rows for cell in row[2:])
    named = re.findall(r"!\[(.+)\]\((pictures/\w+\.png)\)", text)
    assert sorted(path for _, path in named) == sorted(
        f"pictures/{path.name}" for path in (small_build(name) / "pictures").iterdir()
    )
    for way in list(WAYS)[1:]:
        without = read_card(small_build(name, way))
        assert "pictures/" not in without and "the card has no table" in without
        assert f"fewer than {GATED_STORIES} test rows" in without


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_keeps_what_its_audit_measured_as_long_as_nobody_changed_it(small_build, name, tmp_path, monkeypatch):
    """The explorer takes these figures instead of measuring them; a file that is not the build's is not believed."""
    folder = shutil.copytree(small_build(name, "with all"), tmp_path / name)
    build = Build.read(folder, name)
    monkeypatch.setattr("tom_datasets.audit.gates.GATED_STORIES", 3)  # as when the folder was built
    tables = measured.main_tables(build, 1)
    assert measured.known_tables(build, 1) == tables
    assert [*tables] == ["gated", "deep", "shown"] and all(tables.values())
    monkeypatch.setattr(measured, "main_tables", lambda build, processes: "measured")
    assert measured.known_tables(build, 1) == tables
    assert measured.known_tables(replace(build, sources="others"), 1) == "measured"
    (folder / measured.AUDIT_FILE).write_text("{}")
    assert measured.known_tables(build, 1) == "measured"
    (folder / measured.AUDIT_FILE).unlink()
    assert measured.known_tables(build, 1) == "measured"


def test_the_audit_of_hi_tom_counts_its_rows(small_build):
    folder = small_build("hi_tom")
    header, rows = tables(section(read_card(folder), "Guessing without reading"))[0]
    assert [cell.split(" (")[0] for cell in header[2:]] == FOLDERS["hi_tom"][1:]
    cells = {row[0].split("*")[1]: row[2:] for row in rows}
    for rule, slot in (("first", 0), ("second", 1)):
        for cell, config in zip(cells[rule], FOLDERS["hi_tom"][1:], strict=True):
            answers = rows_of(folder, f"{config}/test.parquet")
            assert cell.split(" / ")[0] == share(answers, lambda row, slot=slot: row["answer_slot"] == slot)


def test_the_card_says_whether_a_probe_scored(small_build):
    for name in NAMES:
        assert "No probe scored this build" in read_card(small_build(name, "without audit and probe"))
        assert re.search(r"come from the probe \*\*\S+ [0-9a-f]{12}\*\*", read_card(small_build(name)))


@pytest.mark.parametrize("name", NAMES)
def test_no_file_is_without_rows_whatever_the_sizes(build_small, name):
    """One story, or one block, of each will do."""
    own = (
        ("--tomh", 1, "--abilities", 2, "--plans", 1)
        if name == "hi_tom"
        else ("--scale", 1, "--deep", 1, "--deep-train", 1, "--ladder", 1)
    )
    folder = build_small(name, "--probe", "none", "--train", 1, "--validation", 1, "--test", 1, *own)
    files = Build.read(folder, name).files
    assert all(facts["rows"] for file, facts in files.items() if file.endswith(".parquet"))
