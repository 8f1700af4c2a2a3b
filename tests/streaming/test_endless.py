"""Endless rows: each is a function of its index, balanced within its chunk, proven, and no problem of a test build."""

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import islice, zip_longest

import pytest

from tom_datasets.configs import problems_of
from tom_datasets.dataset import dataset_named
from tom_datasets.errors import UserError
from tom_datasets.hi_tom import stream as stream_stories
from tom_datasets.hi_tom.builder import HiTom
from tom_datasets.logic import chunks
from tom_datasets.logic.chunks import HALF
from tom_datasets.logic.config import CONFIGS as PROBLEM_CONFIGS
from tom_datasets.logic.config import SETUP_CONFIGS, ProblemConfig
from tom_datasets.logic.premises import TooFewError
from tom_datasets.mindgames import stream as stream_problems
from tom_datasets.mindgames.builder import MindGames
from tom_datasets.reader.steps import explanation_fault
from tom_datasets.story.config import CONFIGS as STORY_CONFIGS
from tom_datasets.story.config import DEEP
from tom_datasets.story.rows import plan_of, problem_keys, story_rows
from tom_datasets.streaming import sealed
from tom_datasets.streaming.endless import ATTEMPTS, endless
from tom_datasets.syntax.formula import LABELS

CONFIGS = [
    ("hi_tom", "all"), ("hi_tom", "2nd_order"), ("hi_tom", "deep"), ("hi_tom", "tomh"), ("hi_tom", "reproduction"),
    ("mindgames", "all"), ("mindgames", "forehead"), ("mindgames", "explicit"), ("mindgames", "reproduction"),
]  # fmt: skip


@pytest.mark.parametrize(("dataset", "config"), CONFIGS)
def test_a_row_is_a_function_of_its_index(dataset, config):
    """Whatever was asked before, and from wherever one begins."""
    first = list(islice(endless(dataset, config, seed=7), 12))
    again = endless(dataset, config, seed=7)
    assert [again[index] for index in (11, 0, 5)] == [first[11], first[0], first[5]]
    assert list(islice(again.rows_from(4), 8)) == first[4:]
    assert first != list(islice(endless(dataset, config, seed=8), 12))
    names = [row.get("id", row.get("index")) for row in first]
    assert len(set(names)) == 12 and {row["seed"] for row in first} == {7}


@pytest.mark.parametrize(("builder", "configs"), [(HiTom, STORY_CONFIGS), (MindGames, PROBLEM_CONFIGS)])
def test_every_published_config_can_be_streamed(builder, configs):
    assert [config.name for config in configs] == [config.name for config in builder.BUILDER_CONFIGS]


@pytest.mark.parametrize(("dataset", "config"), [("hi_tom", "4th_order"), ("mindgames", "forehead")])
def test_a_far_row_needs_no_row_before_it(dataset, config):
    rows = endless(dataset, config, seed=7)
    far = rows[10**9]
    assert rows.drawn == 1 and far == endless(dataset, config, seed=7)[10**9]


def test_ids_count_stories_and_blocks():
    stories, blocks = endless("hi_tom", "deep", seed=7), endless("mindgames", "all", seed=7)
    assert [stories[index]["id"] for index in (4, 5)] == ["deep-endless-000000-4", "deep-endless-000001-0"]
    assert [stories[index]["story_id"] for index in (4, 5)] == ["deep-endless-000000", "deep-endless-000001"]
    assert [blocks[index]["index"] for index in range(3, 6)] == [3, 4, 5]
    assert [blocks[index]["block"] for index in (3, 4)] == ["forehead-endless-000000", "forehead_mirror-endless-000001"]
    assert endless("mindgames", "reproduction", seed=7)[9]["block"] is None


def test_a_chunk_of_stories_is_balanced():
    rows = list(islice(endless("hi_tom", "3rd_order", seed=7), stream_stories.CHUNK))
    lengths = Counter((row["story_length"], row["deception"]) for row in rows)
    assert lengths == {(length, told): 20 for length in (1, 2, 3) for told in (False, True)}
    assert set(Counter(row["answer_index"] for row in rows).values()) == {stream_stories.CHUNK // 15}


def test_a_chunk_of_blocks_is_balanced():
    rows = list(islice(endless("mindgames", "internal", seed=7), 4 * stream_problems.CHUNK))
    assert Counter(row["n_agents"] for row in rows) == {2: 24, 3: 48, 4: 72}
    assert Counter(row["label"] for row in rows) == dict.fromkeys(LABELS.values(), 72)
    assert Counter((row["n_agents"], row["hypothesis_depth"]) for row in rows)[4, 1] == 36
    blocks = Counter(row["block"] for row in rows)
    assert set(blocks.values()) == {4} and len(blocks) == stream_problems.CHUNK


def test_fields_are_knobs():
    for claims in (True, False):
        stories = endless("hi_tom", "all", seed=7, claims=[claims])
        assert {row["deception"] for row in islice(stories, 30)} == {claims}
    deep = endless("hi_tom", "deep", seed=7, n_agents=6, max_order=2, lengths=[4])
    assert [(row["n_agents"], row["order"], row["story_length"]) for row in islice(deep, 3)] == [
        (6, 0, 4),
        (6, 1, 4),
        (6, 2, 4),
    ]
    blocks = endless("mindgames", "forehead", seed=7, n_agents=[5], max_order=3)
    rows = list(islice(blocks, 40))
    assert {row["n_agents"] for row in rows} == {5} and {row["hypothesis_depth"] for row in rows} == {0, 1, 2}


def test_a_field_that_is_given_its_own_value_changes_nothing():
    assert endless("hi_tom", "deep", seed=7, n_agents=5)[0] == endless("hi_tom", "deep", seed=7)[0]
    assert endless("hi_tom", "deep", seed=7, lengths=[2, 3])[0] == endless("hi_tom", "deep", seed=7)[0]


def test_rows_say_why_unless_they_are_asked_not_to():
    for dataset, config in (("hi_tom", "all"), ("mindgames", "internal")):
        row, silent = (endless(dataset, config, seed=7, **fields)[1] for fields in ({}, {"explanations": []}))
        assert explanation_fault(row["explanation"], row) is None
        assert silent == {**row, "explanation": None}


def test_a_curriculum_mixes_stages_by_weight():
    stages = [({"max_order": 1}, 1), ({"config": "4th_order"}, 2)]
    rows = endless("hi_tom", "all", seed=7, curriculum=stages, n_agents=6)
    units = list(islice(rows, 40 * 2 + 80))
    orders = Counter(row["order"] for row in units)
    assert orders == {0: 40, 1: 40, 4: 80} and {row["n_agents"] for row in units} == {6}
    assert len({row["id"] for row in units}) == 160
    own = endless("hi_tom", "4th_order", seed=7, n_agents=6)
    fourth = [row for row in units if row["order"] == 4]
    assert [row["story"] for row in fourth[:5]] == [row["story"] for row in islice(own, 5)]
    assert [rows[index]["id"] for index in (0, 77, 159)] == [units[index]["id"] for index in (0, 77, 159)]


@pytest.fixture
def planted(monkeypatch):
    """Return a function that takes a problem of a unit into the seal."""
    seals = set(sealed.read())
    monkeypatch.setattr(sealed, "read", lambda: seals)

    def plant(dataset, config, number):
        units = dataset_named(dataset).units(config, 7, {})
        seals.add(sealed.hash_of(dataset, units.draw(number, 0)[1][-1]))

    return plant


@pytest.mark.parametrize(("dataset", "config", "size"), [("hi_tom", "deep", 5), ("mindgames", "forehead", 4)])
def test_a_planted_problem_is_skipped(planted, dataset, config, size):
    """Another unit stands in its place, and no other row changes."""
    before = list(islice(endless(dataset, config, seed=7), 4 * size))
    planted(dataset, config, 2)
    rows = endless(dataset, config, seed=7)
    after = list(islice(rows, 4 * size))
    assert [a == b for a, b in zip(before, after, strict=True)] == [True] * 2 * size + [False] * size + [True] * size
    assert (rows.skipped, rows.drawn) == (1, 5) and rows.share_skipped == 0.2
    text = dataset_named(dataset).text
    assert before[2 * size][text] != after[2 * size][text]
    shared = ("story_length", "n_agents", "hypothesis_depth")
    assert [after[2 * size].get(name) for name in shared] == [before[2 * size].get(name) for name in shared]


def test_default_test_problems_are_sealed():
    story_keys = problem_keys(story_rows(DEEP, "test", 3, *plan_of(DEEP, "test")[3]))
    assert {sealed.hash_of("hi_tom", key) for key in story_keys} <= sealed.read()
    keys = stream_problems.problems_in_test(SETUP_CONFIGS[0])
    # The seal is of `all`, whose plan of a setup is the same.
    assert len(keys) == 4 * 234 and {sealed.hash_of("mindgames", key) for key in keys} <= sealed.read()


def test_a_place_that_only_test_problems_fit_is_said(monkeypatch):
    class Everything(frozenset):
        def isdisjoint(self, other):
            return False

    monkeypatch.setattr(sealed, "read", Everything)
    with pytest.raises(UserError) as error:
        endless("hi_tom", "tomh", seed=7)[0]
    assert str(error.value) == (
        f"a chunk cannot be filled; change n_agents, lengths or max_order: each story of {ATTEMPTS} drawn for place 0 "
        "is in the default test builds"
    )


OTHERS = {
    "hi_tom": {
        "semantics": "published", "n_agents": 6, "lengths": (2,), "claims": (True,), "max_order": 3, "order": 1,
        "rungs": ((2, 5, 2, 8),), "links": 0, "overhearing": False, "thoughts": False, "explanations": (),
    },
    "mindgames": {
        "setup": "explicit", "n_agents": (4,), "max_order": 1, "n_announcements": (4,),
        "kinds": ("facts", "counts", "first", "second"), "rungs": ((4, 4, 2),), "explanations": (),
    },
}  # fmt: skip
"""Another value for each field."""


def first_rows(dataset, config, stories):
    """Yield the rows of some stories of a config, or of a sixth as many blocks or problems of its first setup."""
    if dataset == "hi_tom":
        plan = plan_of(config, "test")
        for place in range(stories // 6 if config.name == "plans" else stories):  # a row of plans takes a second or two
            yield from story_rows(config, "test", place, *plan[place])
        return
    setup = config.setups[0]
    n_blocks = stories // 6
    planned = first_blocks(config.family, setup, problems_of(config), n_blocks)
    yield from stream_problems.part_rows(config, setup, "test", range(n_blocks), planned)


@cache
def first_blocks(family, setup, problems, n_blocks):
    """Draw the first blocks or problems of a setup; those of other languages are the same."""
    fields = {name: value for name, value in problems if name != "family"}
    return list(islice(stream_problems.units_of(ProblemConfig(name=family, **fields), setup, "test"), n_blocks))


@pytest.mark.parametrize(
    ("dataset", "config"),
    [
        *(
            # `abilities` draws many chunks, and `woven` in another language draws what it draws in English.
            pytest.param("hi_tom", config, marks=[pytest.mark.slow] * bool(re.match("abilities|woven_", config.name)))
            for config in STORY_CONFIGS
            if config.order in (None, 4)
        ),
        *(("mindgames", config) for config in PROBLEM_CONFIGS if config.setup in (None, "forehead")),
    ],
    ids=lambda of: of if isinstance(of, str) else of.name,
)
@pytest.mark.parametrize("stories", [6, pytest.param(12, marks=pytest.mark.slow)])
def test_a_config_has_exactly_the_fields_that_its_rows_depend_on(monkeypatch, dataset, config, stories):
    """A field of its own changes some row, and all others together change none."""
    monkeypatch.setattr(chunks, "HALF", 6)  # the first two blocks need not be chosen among 18
    sizes = dict(train=None, validation=None, test=12, scorer=None, explanations=("test",))
    config = replace(config, **sizes, **({"checker": "embedded"} if dataset == "mindgames" else {}))
    rows, others = [*first_rows(dataset, config, stories)], {}
    puzzles = {"setup": "hats", "rungs": ((5, 3, 8),)} if config.family == "rounds" else {}
    if config.family == "woven":
        puzzles = {"rungs": ((2, 1, 5),)}
    for field, value in (OTHERS[dataset] | puzzles).items():
        value = "recursive" if value == getattr(config, field) == "published" else value
        if dataset == "hi_tom" and value == getattr(config, field) and field in config.knobs:
            value = {"n_agents": 7, "max_order": 2}[field]
        if field in config.knobs:
            changed = first_rows(dataset, replace(config, **{field: value}), stories)
            assert any(row != other for row, other in zip_longest(rows, changed)), field
            continue
        with pytest.raises(UserError, match=f"^unknown field '{field}'; the fields of {config.name} are language"):
            endless(dataset, config.name, **{field: value})
        if field != "semantics" or config.name == "tomh":  # where agents watch, the other semantics has no meaning
            others[field] = value
    assert [*first_rows(dataset, replace(config, **others), stories)] == rows


STORIES = ", ".join(config.name for config in STORY_CONFIGS)


@pytest.mark.parametrize(
    ("words", "fields", "message"),
    [
        (("hitom",), {}, "unknown dataset 'hitom'; the datasets are hi_tom, mindgames"),
        (
            ("hi_tom", "deeper"), {},
            f"unknown config 'deeper'; the configs are {STORIES}",
        ),
        (
            ("hi_tom", "deep"), {"agents": 6},
            "unknown field 'agents'; the fields of deep are language, n_agents, lengths, max_order, order, "
            "links, overhearing, thoughts, explanations",
        ),
        (
            ("hi_tom", ["all"]), {},
            f"unknown config ['all']; the configs are {STORIES}",
        ),
        (("hi_tom", "all"), {"curriculum": 5}, "curriculum is 5; it must be a list of stages, each (fields, weight)"),
        (("hi_tom", "all"), {"curriculum": {}}, "curriculum is {}; it must be a list of stages, each (fields, "
         "weight)"),
        (("hi_tom", "all"), {"curriculum": [(5, 1)]}, "a stage of the curriculum is (5, 1); it must be (fields, "
         "weight)"),
        (
            ("hi_tom", "all"), {"order": 2, "max_order": 3},
            "unknown field 'max_order'; the fields of all are language, semantics, n_agents, lengths, claims, order, "
            "explanations",
        ),
        (
            ("hi_tom", "all"), {"curriculum": [({"config": "ladder"}, 1)], "n_agents": 6},
            "no stage of the curriculum has the field 'n_agents'; leave it out",
        ),
        (("hi_tom", "deep"), {"n_agents": 40}, "deep: n_agents is 40; it must be from 2 to 12"),
        (("hi_tom", "deep"), {"lengths": 3}, "deep: lengths is 3; deep stories must have 2 to 6 chapters"),
        (("mindgames", "forehead"), {"train": 9}, None),
        (("mindgames", "forehead"), {"n_agents": 3}, "forehead: n_agents is 3; it must be numbers of agents, such as "
         "(2, 3, 4)"),
        (("hi_tom", "deep", 2**70), {}, f"deep: seed is {2**70}; it must fit 64 bits, as its column has"),
        (("hi_tom", "deep"), {"curriculum": [{}]}, "a stage of the curriculum is {}; it must be (fields, weight)"),
        (("hi_tom", "deep"), {"curriculum": [({}, 0)]}, "the weights of a curriculum are [0]; give each stage a number "
         "above 0, and at least one unit in 120"),
        (("hi_tom", "deep"), {"curriculum": []}, "the weights of a curriculum are []; give each stage a number above "
         "0, and at least one unit in 120"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_said(words, fields, message):
    with pytest.raises(UserError) as error:
        endless(*words, **fields)
    if message is None:
        assert str(error.value).startswith("unknown field 'train'; the fields of forehead are language, setup, ")
    else:
        assert str(error.value) == message


def test_a_chunk_that_cannot_be_filled_names_the_field(monkeypatch):
    """Whenever a row is asked for."""
    monkeypatch.setattr(stream_problems, "CHUNK", 800)
    rows = endless("mindgames", "forehead_mirror", seed=7, n_agents=[2], max_order=1)
    for index in (0, 0, 5):
        with pytest.raises(UserError) as error:
            rows[index]
        assert str(error.value).startswith(
            "a chunk cannot be filled; change n_agents or max_order: forehead_mirror with 2 "
        )


def test_order_blocks_are_drawn_when_they_are_asked_for(monkeypatch):
    """Those chosen with them are drawn too; one that cannot be found is looked for again."""
    found, choose = [], chunks.choose_blocks

    def counted(*args):
        found.append(None)
        if len(found) == 2:
            raise TooFewError("none is left")
        return choose(*args)

    monkeypatch.setattr(chunks, "choose_blocks", counted)
    rows = endless("mindgames", "deep", seed=7, setup="forehead")
    first = rows[0]
    assert rows[4 * HALF - 1] != first and len(found) == 1
    with pytest.raises(UserError, match="a chunk cannot be filled; change n_agents or max_order: none is left"):
        rows[4 * HALF]
    assert rows[4 * HALF] == endless("mindgames", "deep", seed=7, setup="forehead")[4 * HALF] and rows[0] == first


def test_an_index_below_0_or_no_index_is_refused():
    rows = endless("mindgames", "forehead", seed=7)
    with pytest.raises(IndexError, match="index is -1; it must be 0 or more, as an endless stream has no last row"):
        rows[-1]
    with pytest.raises(TypeError, match="index is slice.*; it must be an integer, and rows_from"):
        rows[2:4]
