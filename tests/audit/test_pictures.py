"""Draw every kind of picture, and compare its bytes and the numbers that it shows."""

from itertools import pairwise
from types import SimpleNamespace

import matplotlib
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tom_datasets.answers.drawings import by_name, tables
from tom_datasets.answers.rates import Rate
from tom_datasets.audit import pictures
from tom_datasets.audit.pictures import deciles
from tom_datasets.audit.shares import Share
from tom_datasets.builds import pictures as build_pictures
from tom_datasets.folder import build as folder_build
from tom_datasets.folder.build import Build

HALVES = [(place / 100, place % 2 == 0) for place in range(100)]


def rate(per_cent, low, high):
    """Return a share with its interval."""
    return Rate(per_cent, 100, 0.5, low, high)


RATES = {"ours": rate(50, 0.4, 0.6), "published": rate(90, 0.8, 0.95)}
CURVES = {"first": {"a": rate(50, 0.4, 0.6), "b": rate(25, 0, 0.5)}, "second": {"b": rate(100, 1, 1)}}
PICTURES = {
    "answer_positions": (
        {"both": {"ours": [5, 3, 2], "published": [6, 4]}, "one": {"ours": [1]}, "none": {"ours": []}},
        {"positions": ["first", "second", "later"], "chance": 0.25},
    ),
    "shortcuts": (
        {
            "one": {"first": RATES, "second": {"ours": rate(10, 0, 0.2)}},
            "other": {"third": {"published": rate(100, 0.7, 1)}, "second": {"ours": None}},
            "none": {"first": {}},
        },
        {"chance": 0.25, "gates": {"first": 0.38, "third": 0.4}},
    ),
    "difficulty_histograms": ({"one": [0, 0.1, 0.3, 0.39, 0.7, 1, 1.9, 2], "none": [], "other": [2]}, {}),
    "calibration": ({"one": HALVES, "none": [], "other": [(0.9, True)]}, {}),
    "curves": (
        {"one": CURVES, "none": {"first": {}}, "other": {"second": {"a": rate(0, 0, 0.1)}}},
        {"x": "where", "y": "right", "chance": 0.5},
    ),
}
"""Panels for each kind of picture, some of them empty, and its other arguments."""


@pytest.fixture
def path(tmp_path):
    """Return where a test draws."""
    return tmp_path / "one.png"


@pytest.fixture
def draw(path):
    """Return a function that draws a kind of picture, with other panels where they are given; it returns the axes."""

    def draw(kind, shown=None, path=path, **more):
        full, options = PICTURES[kind]
        shown = full if shown is None else shown
        figure = getattr(pictures, kind)(path, shown, heading="hi_tom, test split, seed 0", **options | more)
        return figure and figure.axes

    return draw


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_is_the_same_again(path, tmp_path, draw, kind):
    """Whatever the settings of matplotlib."""
    settings = dict(matplotlib.rcParams)
    draw(kind)
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "savefig.dpi": 30}):
        draw(kind, path=tmp_path / "two.png")
    data = path.read_bytes()
    assert data == (tmp_path / "two.png").read_bytes() and dict(matplotlib.rcParams) == settings
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and int.from_bytes(data[16:20]) >= 800 and b"Software" not in data


@pytest.mark.parametrize(("kind", "empty"), [(kind, shown["none"]) for kind, (shown, _) in PICTURES.items()])
def test_nothing_to_draw(path, draw, kind, empty):
    assert draw(kind, {"a": empty}) is None and not path.exists()


def points(axes):
    """Return the points of each line that has a name, and the ends of all intervals."""
    lines = {line.get_label(): list(map(tuple, line.get_xydata().round(9).tolist())) for line in axes.lines}
    return lines, [path.vertices.tolist() for drawn in axes.collections for path in drawn.get_paths()]


def test_answer_positions(draw):
    both, one = draw("answer_positions")
    heights = [[bar.get_height() for bar in bars] for bars in both.containers]
    assert heights == [[0.5, 0.3, 0.2], [0.6, 0.4]] and (one.get_title(), len(one.containers)) == ("one", 1)
    assert points(both)[0] == {"chance": [(0, 0.25), (1, 0.25)]}


def test_shortcuts(draw):
    one, other = draw("shortcuts")
    lines, intervals = points(one)
    assert lines.pop("chance") == [(0.25, 0), (0.25, 1)] and lines.pop("gate") == [(0.38, 0)]
    assert lines == {"ours": [(0.5, -0.18), (0.1, 0.82)], "published": [(0.9, 0.18)]}
    assert [[x for x, _ in ends] for ends in intervals] == [[0.4, 0.6], [0, 0.2], [0.8, 0.95]]
    assert points(other)[0].keys() == {"chance", "published", "gate"}
    (alone,) = draw("shortcuts", {"one": {"first": {"ours": RATES["ours"]}}}, chance=None, gates={})
    assert points(alone)[0] == {"ours": [(0.5, -0.18)]}


def test_difficulty_histograms(draw):
    one, other = draw("difficulty_histograms")
    heights = [round(8 * bar.get_height()) for bar in one.patches]
    assert heights == [1, 1, 0, 2, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert one.get_title() == "one (n = 8)" and other.patches[-1].get_height() == 1


def test_calibration(draw):
    one, other = draw("calibration")
    lines, intervals = points(one)
    means, shares = zip(*lines["a group, with its 95 % interval"], strict=True)
    assert means == pytest.approx([0.045 + group / 10 for group in range(10)]) and shares == (0.5,) * 10
    assert [[y for _, y in ends] for ends in intervals] == [[*Share(5, 10, 0.5).interval()]] * 10
    assert one.get_title() == "one (n = 100)\nin groups of 10" and other.get_title() == "other (n = 1)\nin groups of 1"


def test_curves(draw):
    one, other = draw("curves")
    lines, intervals = points(one)
    assert list(lines) == ["first", "second", "chance"] and other.get_title() == "other"
    assert lines["first"] == [(-0.075, 0.5), (0.925, 0.25)] and lines["second"] == [(1.075, 1)]
    assert [[y for _, y in ends] for ends in intervals] == [[0.4, 0.6], [0, 0.5], [1, 1]]


def test_deciles():
    assert deciles([]) == []
    rows = [(place / 100, place < 7) for place in range(20)]
    assert deciles(rows[::-1]) == [rows[start : start + 2] for start in range(0, 20, 2)]
    assert [len(group) for group in deciles(rows[:7])] == [1] * 7
    assert [len(group) for group in deciles(rows[:13])] == [2, 1, 1, 2, 1, 1, 2, 1, 1, 1]
    rows = [(0.5, True)] * 3 + [(0.6, False)] * 12 + [(0.7 + place / 100, True) for place in range(5)]
    groups = deciles(rows)
    assert [len(group) for group in groups] == [3, 12, 1, 2, 2] and groups == deciles(rows[::-1])
    assert all(one[-1][0] < other[0][0] for one, other in pairwise(groups)), "equal confidences are in one group"


def test_the_panels_of_a_build(tmp_path, monkeypatch):
    """Deep stories have one where their rows are scored; none is called all."""
    scores = pa.table({"deberta_pred": [0, 1], "deberta_confidence": [0.7, 0.6], "difficulty": [0.3, 1.4]})
    files = ["1st_order/test.parquet", "deep/test.parquet", "tomh/test.parquet"]
    for file in files:
        (tmp_path / file).parent.mkdir()
        pq.write_table(scores, tmp_path / file)
    request = {"all": {"seed": 5}, "deep": {"seed": 5}, "tomh": {"seed": 5}}
    build = Build(tmp_path, "hi_tom", "", request, "", {file: {"rows": 2, "sha256": ""} for file in files})
    monkeypatch.setattr(folder_build, "types_of", lambda dataset: {field.name: field.type for field in scores.schema})
    share = {"first": Share(3, 6, 0.5)}
    drawings = build_pictures.shared_drawings(build, {"1st_order": share, "all": share}, "toys")
    assert list(drawings["shortcuts"][1]) == ["1st_order", "all setups"]
    assert drawings["difficulty"][1] == {"1st_order": [0.3, 1.4], "deep": [0.3, 1.4]}


def test_the_one_panel_of_an_analysis_has_a_name():
    scores = {"all": SimpleNamespace(analyses={"title": {"order": {"right": RATES["ours"]}}})}
    assert by_name(tables(scores, "title")) == {"all stories": {"right": {"order": RATES["ours"]}}}
