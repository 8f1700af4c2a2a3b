"""Run `show` on rows of a build, by their ids, and on ids of a build of the default sizes."""

import re
from itertools import pairwise

import pyarrow.parquet as pq
import pytest
from support import build, refused, sized


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Have no build beside the reader."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """Build both datasets once, small, hi_tom with a seed of its own; no test may change them."""
    out = tmp_path_factory.mktemp("built")
    sizes = {
        "hi_tom": {"test": 3, "tomh": 27, "reproduction": 6, "deep": 3},
        "mindgames": {"test": 3, "scale": 1, "reproduction": 2, "deep": 3, "ladder": 3},
    }
    for name, of_name in sizes.items():
        seed = ("--seed", "7") if name == "hi_tom" else ()
        build(out, name, "--probe", "none", *seed, *sized(name, **of_name))
    return out


@pytest.mark.parametrize(
    "config", ["0th_order", "3rd_order", "deep", "tomh", "reproduction", "2nd_order_fr", "deep_zh"]
)
def test_show_prints_a_question_of_a_build(run, out, config):
    row = pq.read_table(out / "hi_tom" / config / "test.parquet").to_pylist()[-1]
    code, printed, errors = run("show", "hi_tom", "--config", config, "--id", row["id"], "--out", out)
    assert (code, errors) == (0, "")
    assert printed.startswith(f"{row['story_id']}\n\n{row['story']}\n\n{row['question']}\n  A. ")
    assert printed.count(", taught by line ") == 1
    assert re.search(rf"\n  [A-O]\. {row['answer']}, taught by line \d+: \w+", printed)


def test_show_prints_a_story_of_a_build_and_its_questions_in_order(run, out):
    _, whole, _ = run("show", "hi_tom", "--id", "test-000002", "--out", out)
    assert whole == run("show", "hi_tom", "--out", out, "--index", "2")[1]
    rows = [pq.read_table(out / "hi_tom" / f"{order}_order" / "test.parquet").to_pylist() for order in ("0th", "4th")]
    first, last = (next(row for row in some if row["story_id"] == "test-000002") for some in rows)
    assert whole.index(first["question"]) < whole.index(last["question"]) and whole.count(", taught by line ") == 5
    _, one, _ = run("show", "hi_tom", "--config", "4th_order", "--index", "2", "--out", out)
    assert last["question"] in one and first["question"] not in one
    assert whole != run("show", "hi_tom", "--id", "test-000002")[1], "the build has another seed"


def test_show_says_where_a_row_comes_from(run, out, tmp_path, monkeypatch):
    """An id is that of the build beside the reader, if it has such a row, and the seed that was asked for."""
    drawn = "seed 0; stories: 2,400 train, 240 validation, 480 test; drawn now, as a build of the default sizes has it"
    built = f"seed 7; stories: 3 test; from {out / 'hi_tom'}"
    for folder, words, origin in (
        (out, ["--id", "test-000002"], built),
        (out, ["--id", "test-000002", "--seed", "7"], built),
        (out, ["--id", "test-000002", "--seed", "0"], drawn),
        (out, ["--id", "test-000003"], drawn),
        (out, ["--index", "2"], drawn),
        (tmp_path, ["--id", "test-000002", "--out", out], built),
        (tmp_path, ["--id", "test-000002"], drawn),
    ):
        monkeypatch.chdir(folder)
        assert run("show", "hi_tom", *words)[1].endswith(f"\n\n{origin}\n")
    monkeypatch.chdir(out)
    name = pq.read_table(out / "mindgames" / "deep" / "test.parquet")["block"][0].as_py()
    assert f"seed 0; blocks of each setup: 3 test; from {out}" in run("show", "mindgames", "--id", name)[1]
    assert "problems of each setup: 400 test; drawn now" in run("show", "mindgames", "--config", "reproduction")[1]


@pytest.mark.parametrize("config", ["deep", "ladder"])
def test_show_explains_the_announcements_of_an_order_block(run, out, config):
    """Each rules out as many worlds as it says, and the other order leaves what its own premise says."""
    rows = pq.read_table(out / "mindgames" / config / "test.parquet").to_pylist()
    for row in rows[:: len(rows) // 6]:
        code, printed, errors = run("show", "mindgames", "--id", row["block"], "--out", out)
        assert (code, errors) == (0, "") and printed.count("    VARS ") == 4
        for half in printed.split(f"{row['block']}\n")[1:]:
            left = [int(count) for count in re.findall(r"(?:before the|after) announcements?[^:]*: (\d+) world", half)]
            changes = re.findall(r"\n    rules (?:out (\d+) world|nothing out; in \d+ world)", half)
            assert len(changes) == len(left) - 1 == row["n_announcements"] + 1
            assert [one - other for one, other in pairwise(left)] == [int(count or 0) for count in changes]
        ends = re.findall(r"after announcement (\d+): (\d+) worlds", printed)
        last = [int(count) for number, count in ends if int(number) == row["n_announcements"] + 1]
        others = [int(count) for count in re.findall(r"the other order of the block leaves (\d+) worlds", printed)]
        assert others == last[::-1] and len(last) == 2


@pytest.mark.parametrize("config", ["deep_fr", "internal_fr"])
def test_show_prints_a_block_of_another_language(run, out, config):
    row = pq.read_table(out / "mindgames" / config / "test.parquet").to_pylist()[0]
    for words in ([], ["--id", row["block"]], ["--id", row["index"]]):
        code, printed, errors = run("show", "mindgames", "--config", config, *words, "--out", out)
        assert (code, errors) == (0, "") and printed.startswith(f"{row['block']}\n\n{row['premise']}\n")


def test_show_finds_an_order_block_of_the_default_sizes(run):
    code, printed, errors = run("show", "mindgames", "--config", "deep", "--setup", "internal", "--index", "1")
    assert (code, errors) == (0, "") and printed.startswith("deep-internal-test-000001\n")
    assert run("show", "mindgames", "--id", "deep-internal-test-000001")[1] == printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("hi_tom --id 4", "--id is '4'; expected the id of a row, such as deep-test-000404-4, or of a story"),
        ("hi_tom --id test-000000-7", "story test-000000 has no question '7'; the questions are 0, 1, 2, 3, 4"),
        ("hi_tom --out OUT --seed 0", "--out names a build, which has its own seed; leave out --seed"),
        ("hi_tom --out OUT --index 3", "has no row whose story_id is test-000003; leave out --out to see"),
        ("hi_tom --out NONE", "holds no build of hi_tom (no build.json of hi_tom): run make build first"),
        ("hi_tom --config 5th_order", "unknown config '5th_order'; the configs are all, 0th_order, 1st_order"),
        ("hi_tom --config tomh --split train", "tomh has no split train; it has test"),
        ("hi_tom --index 480", "--index is 480; the test split of all has 0 to 479"),
        ("mindgames --id x", "--id is 'x'; expected the index of a row, or a block such as internal-test-000003"),
        ("mindgames --out OUT --id 7", "has no row whose block is forehead-train-000001; leave out --out"),
        ("mindgames --config reproduction --index 400", "--index is 400; the test split of reproduction has 0 to 399"),
        ("mindgames --config internal --setup explicit", "internal has no problems of explicit; it has internal"),
        ("mindgames --config deep --setup forehead_mirror", "it has forehead, internal, explicit"),
    ],
)
def test_what_cannot_be_shown(run, out, tmp_path, words, message):
    places = {"OUT": out, "NONE": tmp_path}
    refused(run("show", *(places.get(word, word) for word in words.split())), message)
