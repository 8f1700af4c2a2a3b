"""The names that the package gives: what each returns, what it imports, and how it refuses."""

import subprocess
import sys
from itertools import islice

import datasets
import numpy
import pandas
import pyarrow
import pyarrow.parquet as pq
import pytest

import tom_datasets
from tom_datasets import HiTom, MindGames, endless, explain, load, prompt, reward, score
from tom_datasets.errors import UserError
from tom_datasets.hi_tom.builder import FEATURES

SIZES = {"hi_tom": ("deep", {"train": 2, "test": 3}), "mindgames": ("forehead", {"test": 2})}
ROWS = list(islice(endless("hi_tom", seed=7), 2))
BLOCK = list(islice(endless("mindgames", "forehead", seed=7), 4))
RIGHT = {"hi_tom": "answer", "mindgames": "label"}
LEAN = """
import sys, time
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"datasets", "pyarrow", "numpy", "dd", "onnxruntime", "tqdm", "yaml", "sklearn"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from itertools import islice
from tom_datasets import endless, episodes, explain, prompt, reward
episode = episodes(seed=7, acts=1, depth=1)[0]
assert max(episode.step(line).reward for line in episode.solution) == 1.0
for dataset, config in (("hi_tom", "deep"), ("mindgames", "forehead")):
    for row in islice(endless(dataset, config, seed=7), 5):
        assert prompt(row) and explain(row)
        assert reward("Answer: " + row.get("answer", row.get("label")), row) == 1.0
try:
    from tom_datasets import load
    load("hi_tom")
except ModuleNotFoundError as error:
    print(error)
try:
    from tom_datasets import HiTom
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.parametrize("dataset", SIZES)
def test_load_gives_the_rows_of_a_build(dataset, tmp_path):
    config, sizes = SIZES[dataset]
    loaded = load(dataset, config, seed=7, **sizes)
    assert isinstance(loaded, datasets.DatasetDict) and list(loaded) == list(sizes)
    builder = {"hi_tom": HiTom, "mindgames": MindGames}[dataset]
    absent = dict.fromkeys({"train", "validation", "test"} - set(sizes))
    built = builder(str(tmp_path), config_name=config, seed=7, **sizes, **absent)
    built.download_and_prepare()
    for split in sizes:
        assert loaded[split].to_list() == built.as_dataset(split).to_list()
        assert loaded[split].features == built.info.features
    test = load(dataset, config, split="test", seed=7, **sizes)
    assert test.to_list() == loaded["test"].to_list()
    streamed = load(dataset, config, split="test", streaming=True, seed=7, **sizes)
    assert isinstance(streamed, datasets.IterableDataset) and list(streamed) == test.to_list()


def test_a_stream_without_a_split_has_no_end():
    streamed = load("hi_tom", "deep", streaming=True, seed=7, n_agents=6)
    assert isinstance(streamed, datasets.IterableDataset) and streamed.features == FEATURES
    assert list(streamed.take(7)) == list(islice(endless("hi_tom", "deep", seed=7, n_agents=6), 7))


def test_a_row_is_asked_paid_explained_and_scored():
    for dataset, (config, _) in SIZES.items():
        rows = list(islice(endless(dataset, config, seed=7), 20))
        answers = [f"Answer: {row[RIGHT[dataset]]}" for row in rows]
        assert all("Answer:" in prompt(row, reply="final-line") for row in rows)
        assert {reward(answer, row) for answer, row in zip(answers, rows, strict=True)} == {1.0}
        assert all(explain(row) for row in rows)
        scored = score(rows, answers)
        assert scored["tables"]["all"]["all"]["accuracy"]["share"] == 1 and scored["read"]["replies"] == 20
        assert score(rows, ["I do not know."] * 20)["tables"]["all"]["all"]["accuracy"]["share"] == 0


def test_responses_may_be_mapped_from_ids():
    for dataset, (config, _) in SIZES.items():
        rows = list(islice(endless(dataset, config, seed=7), 20))
        answers = {row["id" if "id" in row else "index"]: f"Answer: {row[RIGHT[dataset]]}" for row in rows}
        shuffled = dict(reversed(answers.items()))
        for responses in (shuffled, {str(name): text for name, text in shuffled.items()}):
            assert score(rows, responses)["tables"]["all"]["all"]["accuracy"]["share"] == 1
        empty = score(rows, {**answers, next(iter(answers)): None})
        assert empty["read"]["unread"] == {"empty": 1} and empty["tables"]["all"]["all"]["accuracy"]["right"] == 19


def records(rows):
    """Yield the same rows as other packages hold them, each with the rows one by one."""
    table = pandas.DataFrame(rows)
    yield table, table.to_dict("records")
    yield table.to_dict("records"), [table.iloc[place] for place in range(len(table))]
    yield list(table.itertuples()), list(table.itertuples(index=False))
    yield table.convert_dtypes(), table.convert_dtypes().to_dict("records")
    yield pyarrow.Table.from_pylist(rows), pyarrow.Table.from_pylist(rows).to_pandas().to_dict("records")
    loaded = datasets.Dataset.from_list(rows)
    yield loaded, list(loaded.with_format("numpy"))
    arrays = [{name: numpy.nan if row[name] is None else numpy.array(row[name]) for name in row} for row in rows]
    yield arrays, arrays


@pytest.mark.parametrize(
    ("dataset", "config"), [("hi_tom", "deep"), ("hi_tom", "abilities"), ("mindgames", "forehead")]
)
def test_rows_of_other_packages_are_rows(tiny_build, dataset, config):
    """DataFrames, Series, named tuples, Arrow tables and numpy's scalars and arrays, with NaN for null."""
    rows = pq.read_table(tiny_build(dataset) / dataset / config / "test.parquet").to_pylist()[:8]
    answers = [f"Answer: {row[RIGHT[dataset]]}" for row in rows]
    scored = score(rows, answers)
    asked, told = [prompt(row) for row in rows], [explain(row) for row in rows]
    for several, one_by_one in records(rows):
        assert score(several, pandas.Series(answers)) == scored
        assert [prompt(row) for row in one_by_one] == asked
        assert [explain(row) for row in one_by_one] == told
        assert {reward(answer, row) for answer, row in zip(answers, one_by_one, strict=True)} == {1.0}
        explained = [f"{text}\n{answer}" for text, answer in zip(told, answers, strict=True)]
        worth = [reward(reply, row, steps=True) for reply, row in zip(explained, one_by_one, strict=True)]
        assert worth == [reward(reply, row, steps=True) for reply, row in zip(explained, rows, strict=True)]


def test_a_table_of_both_datasets_has_null_in_the_columns_of_the_other():
    table = pandas.concat([pandas.DataFrame(ROWS), pandas.DataFrame(BLOCK)])
    answers = [row["answer"] for row in ROWS] + [row["label"] for row in BLOCK]
    paid = [reward(f"Answer: {answer}", row) for answer, row in zip(answers, table.itertuples(), strict=True)]
    assert paid == [1.0] * 6
    assert [prompt(row) for _, row in table.iterrows()] == [prompt(row) for row in (*ROWS, *BLOCK)]
    assert [explain(row) for _, row in table.iterrows()] == [explain(row) for row in (*ROWS, *BLOCK)]
    assert score(table[:2], ["A", "B"]) == score(ROWS, ["A", "B"])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: load("hitom"), UserError, "unknown dataset 'hitom'; the datasets are hi_tom, mindgames"),
        (lambda: load("hi_tom", "5th_order"), UserError, "unknown config '5th_order'; the configs are all, 0th_order"),
        (lambda: load("hi_tom", agents=3), UserError, "unknown field 'agents'; the fields of all are claims, expl"),
        (lambda: load("hi_tom", n_agents=99), UserError, "all: n_agents is 99; it must be from 2 to 12"),
        (
            lambda: score([{"id": "a"}], ["A"]),
            ValueError,
            "a row must have choices, answer, story, story_id and id, or label and setup; this one has id",
        ),
        (lambda: load("hi_tom", split="dev"), UserError, "all has no split 'dev' with these sizes; it has train, "),
        (lambda: load("hi_tom", streaming=True, test=3), UserError, "unknown field 'test'; the fields of all are lang"),
        (lambda: prompt({"story": "…"}), ValueError, "question"),
        (
            lambda: prompt(endless("hi_tom")[0], reply="song"),
            ValueError,
            "unknown reply 'song'; the replies are final-line",
        ),
        (lambda: score([], []), ValueError, "0 rows; give the rows that were asked, and one response for each"),
        (lambda: score(ROWS, []), ValueError, "2 rows and 0 responses; each row needs one response"),
        (
            lambda: score(ROWS, "AB"),
            ValueError,
            "the responses are 'AB'; give a text for each row, or map ids to texts",
        ),
        (
            lambda: score(ROWS, None),
            ValueError,
            "the responses are None; give a text for each row, or map ids to texts",
        ),
        # The ids would be scored as replies; and a set has no order.
        (
            lambda: score(ROWS, dict.fromkeys((row["id"] for row in ROWS), "A").items()),
            ValueError,
            "the responses are dict_items([('endless-000000-0', 'A'),",
        ),
        (
            lambda: score(ROWS, {"A", "B"}),
            ValueError,
            "give a text for each row, or map ids to texts",
        ),
        (lambda: score(ROWS, ["A", 3]), ValueError, "the response to 'endless-000000-1' is 3; it must be a text"),
        (lambda: score(ROWS, {}), ValueError, "2 rows have no response (first: 'endless-000000-0')"),
        (
            lambda: score(ROWS, {**dict.fromkeys((row["id"] for row in ROWS), "A"), "x": "A"}),
            ValueError,
            "1 responses have no row (first: 'x')",
        ),
        (
            lambda: score(BLOCK, {0: "", 1: "", 2: "", 3: "", "3": ""}),
            ValueError,
            "an id occurs both as a number and as a",
        ),
        (
            lambda: score(ROWS[0], ["A"]),
            ValueError,
            "the rows are of type dict; give several, such as a list of rows or a Data",
        ),
        (
            lambda: score([*ROWS, BLOCK[0]], ["A"] * 3),
            ValueError,
            "row 0 is of hi_tom, and row 2 is of mindgames; score one da",
        ),
        (lambda: score([BLOCK[0] | {"index": "x"}], ["A"]), ValueError, "row 0: index is 'x'; it must be an integer"),
        (
            lambda: score(endless("hi_tom"), ["A"]),
            ValueError,
            "the rows are an endless stream; give some of them, such",
        ),
        (
            lambda: score([(1, 2)], ["A"]),
            ValueError,
            "the row is (1, 2); it must map the names of columns to their values",
        ),
        (
            lambda: prompt(pandas.DataFrame(ROWS)),
            ValueError,
            "the row is a table of 2 rows; give one of them, such as r",
        ),
        (
            lambda: explain(pandas.DataFrame(ROWS)),
            ValueError,
            "the row is a table of 2 rows; give one of them, such as r",
        ),
        (
            lambda: reward("A", pandas.DataFrame(ROWS)),
            ValueError,
            "the row is a table of 2 rows; give one of them, such",
        ),
        (
            lambda: score([endless("hi_tom")[0]] * 2, ["A", "A"]),
            ValueError,
            "the same row occurs twice; score each row once",
        ),
        (lambda: tom_datasets.lode, AttributeError, "has no attribute 'lode'; it has HiTom, MindGames, endless"),
    ],
)
def test_what_is_refused(call, error, message):
    with pytest.raises(error) as refused:
        result = call()
        next(iter(result))
    assert message in str(refused.value)


def test_streams_need_jinja_alone_and_the_rest_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", LEAN], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    for name, line in zip(("load", "HiTom"), done.stdout.splitlines(), strict=True):
        assert line == f"tom_datasets.{name} needs the package datasets: pip install 'tom-datasets[build]'"


def test_importing_the_package_imports_nothing_of_it():
    code = "import sys, tom_datasets; print(*(name for name in sys.modules if name.startswith('tom_datasets')))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "tom_datasets\n"


def test_help_shows_every_name_with_its_words():
    for name in tom_datasets.__all__:
        assert len(getattr(tom_datasets, name).__doc__.strip()) > 60, name
