"""What searches found is drawn from, proven again, and not used where it does not fit."""

import json
import shutil
from dataclasses import replace
from functools import cache

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support import ROOT, contents, refused

from tom_datasets import GENERATOR_VERSION
from tom_datasets.builds import witness_files
from tom_datasets.builds.making import make
from tom_datasets.builds.witness_files import code, own_file, plain, read, witnesses_of, write
from tom_datasets.commands.build import TINY, Choices, chosen_configs
from tom_datasets.dataset import NAMES, dataset_named
from tom_datasets.streaming.endless import endless
from tom_datasets.witness import UnfitError, Witnesses, recorded, searched

# The least of each family whose searches are kept, by dataset and config.
LEAST = {
    ("hi_tom", "deep"): {"test": 3},
    ("hi_tom", "ladder"): {"test": 6},
    ("hi_tom", "abilities"): {"test": 6, "kinds": ("now", "agree", "what_if", "lie")},
    ("hi_tom", "plans"): {"test": 2},
    ("hi_tom", "woven"): {"test": 2},
    ("mindgames", "all"): {"test": 4, "setup": "explicit"},
    ("mindgames", "scale"): {"test": 3, "setup": "internal"},
    ("mindgames", "reproduction"): {"test": 4, "setup": "forehead"},
    ("mindgames", "deep"): {"test": 2, "setup": "internal"},
    ("mindgames", "ladder"): {"test": 1, "setup": "explicit"},
}


def config_of(dataset, name, seed=3):
    """Return the config of a family with the least that has a kept search."""
    (published,) = (config for config in dataset_named(dataset).built if config.name == name)
    sizes = {"train": None, "validation": None, **LEAST[dataset, name]}
    return replace(published, seed=seed, scorer=None, explanations=(), **sizes)


def made(dataset, config, known=None):
    """Return the rows of a config, and the witnesses that they were made with."""
    witnesses = Witnesses(known or {})
    forget()
    return list(make(dataset, [config], 1, None, witnesses)), witnesses


def forget():
    """Forget what this process drew."""
    from tom_datasets.logic import rows as of_problems
    from tom_datasets.story.abilities import rows as of_kinds

    for cached in (of_kinds.chunk_of, of_problems._first_plan, of_problems._plan_of):
        cached.cache_clear()


@pytest.fixture
def no_search(monkeypatch):
    """Let every search of a family fail."""

    def fail(*_):
        raise AssertionError("searched")

    for place in (
        "story.deep.sample_climbing",
        "story.acting.plans.draw_game",
        "story.abilities.rows.draw_chunk",
        "logic.blocks.find_blocks",
        "logic.chunks.choose_blocks",
        "logic.reproduction.draw_premise",
    ):
        monkeypatch.setattr(f"tom_datasets.{place}", fail)


@cache
def drawn(dataset, name):
    """Return the config of a family, its rows, and what searches found for them."""
    config = config_of(dataset, name)
    return config, *made(dataset, config)


@pytest.mark.parametrize(("dataset", "name"), LEAST)
def test_rows_are_the_same_with_a_witness_and_nothing_is_searched(dataset, name, request):
    config, rows, searching = drawn(dataset, name)
    request.getfixturevalue("no_search")
    again, knowing = made(dataset, config, searching.found)
    assert (again, knowing.found, knowing.unfit) == (rows, searching.found, 0)
    assert set(searching.found) == {config.section} and not knowing.news(Witnesses(searching.found))


def spoil(found):
    """Return what a search found with another answer, line or hypothesis, as JSON still."""
    spelled = json.loads(found)
    if isinstance(spelled, dict):  # blocks: the hypotheses change places
        for units in spelled.values():
            for unit in units:
                unit[-2:] = unit[:-3:-1]
    elif isinstance(spelled[0], list) and isinstance(spelled[1], dict):  # questions: the first has another answer
        for asked in spelled[1].values():
            asked[0][2] += 1 if asked[0][2] == 0 else -1
    elif isinstance(spelled[0], list):  # a story: somebody moves the thing before anybody enters
        spelled[0].insert(0, ["Move", 0, 0, 0])
    else:  # an episode with its courses: a wrong one comes first
        spelled[-1].reverse()
    return json.dumps(spelled)


@pytest.mark.parametrize(
    ("dataset", "name", "damage"),
    # Where problems stand alone the label is computed of what stands there.
    [(*pair, spoil) for pair in LEAST if pair != ("mindgames", "reproduction")]
    + [("hi_tom", "ladder", lambda found, text=text: text) for text in ("[]", "{}", "7", "[[[[7]]]]", "[1,", "null")]
    + [("mindgames", "ladder", lambda found, text=text: text) for text in ("[]", '{"test":[]}', '{"test":[[7]]}')],
)
def test_what_does_not_stand_is_searched_anew(dataset, name, damage):
    config, rows, searching = drawn(dataset, name)
    ((first, found), *others) = searching.found[config.section].items()
    known = {config.section: {first: damage(found), **dict(others)}}
    again, knowing = made(dataset, config, known)
    assert (again, knowing.found, knowing.unfit) == (rows, searching.found, 1)
    assert knowing.news(Witnesses(known))
    assert damage is not spoil or searching.differing(Witnesses(known)) == [(config.section, first)]


def test_more_order_blocks_than_are_known_are_searched_from_the_first():
    config = config_of("mindgames", "deep", seed=5)
    fewer = replace(config, test=1)
    (rows, searching), (some, few) = made("mindgames", config), made("mindgames", fewer)
    assert made("mindgames", fewer, searching.found)[0] == some == rows[:4]
    again, knowing = made("mindgames", config, few.found)
    assert again == rows and knowing.unfit == 1
    assert few.differing(Witnesses(searching.found)) == [] != searching.differing(Witnesses(few.found))


def test_of_two_files_the_longer_split_is_known(tmp_path):
    config = config_of("mindgames", "deep", seed=5)
    longer = made("mindgames", config)[1].found
    write(tmp_path / "short", made("mindgames", replace(config, test=1))[1].found)
    write(tmp_path / "long", longer)
    for order in ("short", "long"), ("long", "short"):
        known = witnesses_of([config], [tmp_path / name for name in order])
        assert known.known(config.section) == longer[config.section]


def test_a_search_within_a_search_is_not_kept():
    inner = lambda: searched("inner", lambda: 1, lambda drawn: drawn, lambda spelled: spelled)  # noqa: E731
    drawn, found = recorded({}, searched, "outer", inner, lambda drawn: drawn, lambda spelled: spelled)
    assert drawn == 1 and found.kept == {"outer": "1"}


def test_without_anybody_who_asks_nothing_is_kept():
    assert searched("name", lambda: 5, None, None) == 5


SECTIONS = {"one": {"a": "[1]", "b": "[2]"}, "two": {"a": "[3]"}}


def test_a_file_is_the_same_bytes_and_comes_back(tmp_path):
    size = write(tmp_path / "a", SECTIONS)
    write(tmp_path / "b", dict(reversed(SECTIONS.items())))
    assert read(tmp_path / "a") == SECTIONS and (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert size == (tmp_path / "a").stat().st_size
    write(tmp_path / "c", {})
    assert read(tmp_path / "c") == {}


def rewritten(path, **changes):
    """Change the metadata of a file, or its rows."""
    table = pq.read_table(path)
    about = json.loads(table.schema.metadata[witness_files.ABOUT]) | changes
    rows = {name: table[name].to_pylist() for name in table.column_names}
    rows["found"][0] = changes.get("found", rows["found"][0])
    schema = table.schema.with_metadata({witness_files.ABOUT: json.dumps(about)})
    pq.write_table(pa.table(rows, schema=schema), path)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda path: rewritten(path, generator_version="3.1.0"), f"3.1.0 wrote it; expected {GENERATOR_VERSION}"),
        (lambda path: rewritten(path, code="", files=""), "other code wrote it"),
        (lambda path: rewritten(path, found="[9]"), "another checksum than expected"),
        (lambda path: path.write_bytes(path.read_bytes()[:-40]), "it is damaged"),
        (lambda path: path.write_bytes(b""), "it is damaged"),
        (lambda path: path.write_text("{}"), "it is damaged"),
        (lambda path: pq.write_table(pa.table({"a": [1]}), path), "it is damaged"),
        (lambda path: path.unlink() or path.mkdir(), "it is damaged"),
    ],
)  # fmt: skip
def test_a_file_that_does_not_fit_is_said_in_one_line(tmp_path, capsys, spoil, why):
    path = tmp_path / "witness.parquet"
    write(path, SECTIONS)
    spoil(path)
    config = config_of("hi_tom", "deep")
    assert witnesses_of([config], [path, tmp_path / "missing"]).known(config.section) == {}
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1
    assert output.err.startswith(f"{path} is not used, so that more is searched: ") and why in output.err


def test_a_file_fits_where_comments_docstrings_types_and_layout_changed():
    import ast

    def of(text):
        return plain(ast.parse(text))

    first = of('"""What it is."""\ndef f(x: int) -> int:\n    """Return x."""\n    return x + 1  # why\n')
    assert of("def f(x):\n\n    return (x\n            + 1)\n") == first
    assert of("def f(x):\n    return x + 2\n") != first != of("def f(y):\n    return y + 1\n")
    assert of("def f(x):\n    'said'\n") == of('def f(x):\n    """other"""\n') != of("def f(x):\n    return 'said'\n")


def test_code_is_of_all_that_is_searched_by():
    names = {path.relative_to(ROOT).as_posix() for path in witness_files.searching()}
    assert {
        "builders/story/climb.py",
        "builders/logic/pilot.zip",
        "builders/streams.py",
        "templates/en/acting.jinja",
    } <= names
    assert not any(name.endswith((".pyc", ".so")) for name in names) and len(code()) == 64


@pytest.mark.parametrize("dataset", NAMES)
def test_the_file_of_the_project_fits_this_code(dataset, capsys):
    """Where it does not, `make seal` writes it anew."""
    sizes = [chosen_configs(dataset, Choices(0, "en", None, False, None, own)) for own in ({}, TINY[dataset])]
    configs = [config for chosen in sizes for config in chosen if config.language == "en"]
    known = witnesses_of(configs, [own_file(dataset)])
    assert capsys.readouterr().err == ""
    cheap = {"all", "tomh", "reproduction"} if dataset == "hi_tom" else {"rounds"}  # no witness keeps these
    assert [config.name for config in configs if config.name not in cheap and not known.known(config.section)] == []
    assert sum(own_file(name).stat().st_size for name in NAMES) < 1_250_000


def ladder_in(out):
    """Return the words that build a ladder whose searches the project does not bring."""
    words = "build hi_tom --only ladder --ladder 6 --seed 9 --probe none --out"
    return [*words.split(), out]


def test_a_build_writes_what_it_found_beside_its_folder_and_uses_it(run, tmp_path, no_search_after):
    words = ladder_in(tmp_path)
    assert run(*words)[0] == 0
    beside, folder = tmp_path / ".hi_tom.witness.parquet", tmp_path / "hi_tom"
    assert beside.is_file()
    before = contents(folder)
    shutil.rmtree(folder)
    no_search_after()
    assert run(*words)[0] == 0
    assert contents(folder) == before
    assert run("clean", "hi_tom", "--out", tmp_path)[0] == 0 and not beside.exists()


@pytest.fixture
def no_search_after(request):
    """Return a function after whose call every search fails."""
    return lambda: request.getfixturevalue("no_search")


def test_a_file_beside_that_cannot_be_used_does_not_stay(run, tmp_path):
    words = ["build", "hi_tom", "--out", tmp_path, "--only", "reproduction", "--reproduction", "6", "--probe", "none"]
    beside = tmp_path / ".hi_tom.witness.parquet"
    write(beside, SECTIONS)
    assert run(*words)[2] == "" and beside.exists()  # of other configs
    rewritten(beside, code="", files="")
    code_of, _, message = run(*words, "--force", "--seed", 1)
    assert code_of == 0 and message.startswith(f"{beside} is not used") and not beside.exists()


def test_search_again_compares(run, tmp_path):
    words = ladder_in(tmp_path)
    assert run(*words)[0] == 0
    assert run(*words)[1].endswith("every file unchanged\n")
    code_of, printed, message = run(*words, "--search-again")
    assert (code_of, message) == (0, "") and printed.endswith("rows written, seed 9\n")
    beside = tmp_path / ".hi_tom.witness.parquet"
    ((section, found),) = read(beside).items()
    write(beside, {section: found | {"test 2": found["test 3"]}})
    shutil.rmtree(tmp_path / "hi_tom")
    result = run(*words, "--search-again")
    refused((result[0], "", result[2]), "found something else for test 2 of", "delete", "make seal")


def test_a_stream_keeps_what_it_found_in_memory(no_search_after):
    rows = endless("hi_tom", "deep", seed=8)
    first = [rows[index] for index in range(0, 12, 3)]
    rows[200]
    no_search_after()
    assert [rows[index] for index in range(0, 12, 3)] == first


def test_a_stream_of_order_blocks_keeps_them_when_it_has_read_others(monkeypatch):
    rows = endless("mindgames", "deep", seed=8, setup="internal")
    first = [rows[index] for index in range(0, 12, 3)]
    rows._stages[0]._planned.cache_clear()
    monkeypatch.setattr("tom_datasets.logic.chunks.choose_blocks", None)
    assert [rows[index] for index in range(0, 12, 3)] == first


def test_an_unfit_error_is_a_value_error():
    assert issubclass(UnfitError, ValueError)  # so that whoever reads records takes it as one


@pytest.mark.slow
@pytest.mark.parametrize("dataset", NAMES)
def test_the_file_of_the_project_has_what_a_search_finds(dataset):
    """Whole for the tiny build and the ladder, and for the first stories and blocks of each other family."""
    known = {section: found for section, found in read(own_file(dataset)).items()}
    configs = chosen_configs(dataset, Choices(0, "en", None, False, None, TINY[dataset]))
    configs = [config for config in configs if config.language == "en"]
    configs += [config for config in dataset_named(dataset).built if config.name == "ladder"]
    witnesses = Witnesses()
    for config in configs:
        forget()
        list(make(dataset, [replace(config, scorer=None, explanations=())], 2, None, witnesses))
    assert witnesses.differing(Witnesses(known)) == [] and not witnesses.news(Witnesses(known))
    rows = dataset_named(dataset)
    for config in rows.built:
        if config.language == "en" and dataset == "hi_tom" and config.section in known:
            (split,), span = [*config.sizes()][-1:], range(20 if config.name in ("deep", "ladder") else 4)
            plan = rows.plan_of(config, split)
            forget()
            _, found = recorded({}, rows.span_rows, [config], split, span, plan[: len(span)])
            assert found.kept.items() <= known[config.section].items() and found.kept
