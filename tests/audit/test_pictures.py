"""Draw every kind of picture at its widest: its bytes, and the numbers that it shows."""

from itertools import pairwise
from random import Random
from types import SimpleNamespace

import matplotlib
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tom_datasets.audit import pictures
from tom_datasets.audit.pictures import (
    answer_positions,
    calibration,
    curves,
    deciles,
    difficulty_histograms,
    shortcuts,
    two_by_two,
)
from tom_datasets.audit.shares import Share
from tom_datasets.dataset import build_pictures
from tom_datasets.dataset.score_pictures import panels
from tom_datasets.folder.build import Build

HEADING = "hi_tom, test split, seed 0"
RULES = ["sentence by sentence", "most in the text", *(f"rule number {number}" for number in range(3, 19))]
GROUPS = ["all", "order 1", "forehead_mirror", "explicit", "a group with a long name"]


def rate(right, total=18):
    """Return a share and its interval."""
    return right / total, *Share(right, total, 0.5).interval()


def scored(count, seed):
    """Return as many confidences, some of them equal, each with whether it was right."""
    draw = Random(seed)
    confidences = [round(draw.uniform(0.3, 1), 2) for _ in range(count)]
    return [(confidence, draw.random() < confidence) for confidence in confidences]


POSITIONS = {group: {"ours": [1 / 15] * 15, "published": [2 / 30] * 15} for group in GROUPS}
RIGHT = {
    group: {rule: {"ours": rate(place), "published": rate(18 - place)} for place, rule in enumerate(RULES)}
    for group in GROUPS
}
CONFIDENCES = {group: scored(2400, seed) for seed, group in enumerate(GROUPS)}
DIFFICULTIES = {group: [confidence + right for confidence, right in rows] for group, rows in CONFIDENCES.items()}
PROMPTS = [f"{prompt}, {what}" for prompt in ("VP", "CoTP") for what in ("deception", "no deception")]
LENGTHS = {
    f"length {length}": {f"{order}th_order": rate(18 - 3 * order - length) for order in range(5)}
    for length in (1, 2, 3)
}
ENDS = (("right", "wrong"), ("answer is it", "another"))
PICTURES = {
    "positions": lambda path: answer_positions(path, POSITIONS, "ABCDEFGHIJKLMNO", 1 / 15, HEADING),
    "shortcuts": lambda path: shortcuts(path, RIGHT, 0.5, {RULES[0]: 0.38}, HEADING),
    "difficulty": lambda path: difficulty_histograms(path, DIFFICULTIES, HEADING),
    "calibration": lambda path: calibration(path, CONFIDENCES, HEADING),
    "curves": lambda path: curves(path, dict.fromkeys(PROMPTS, LENGTHS), "order", "jointly right", HEADING, 0.5),
    "crossed": lambda path: two_by_two(path, dict.fromkeys(PROMPTS, [[120, 7], [1, 0]]), *ENDS, HEADING),
}


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_a_picture_is_the_same_again(tmp_path, draw):
    """Whatever the settings of matplotlib."""
    settings = dict(matplotlib.rcParams)
    draw(tmp_path / "one.png")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "savefig.dpi": 30}):
        draw(tmp_path / "two.png")
    data = (tmp_path / "one.png").read_bytes()
    assert data == (tmp_path / "two.png").read_bytes() and dict(matplotlib.rcParams) == settings
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and int.from_bytes(data[16:20]) >= 800 and b"Software" not in data


def points(axes):
    """Return the points of each line that has a name, and the ends of all intervals."""
    lines = {line.get_label(): list(map(tuple, line.get_xydata().round(9).tolist())) for line in axes.lines}
    return lines, [path.vertices.tolist() for drawn in axes.collections for path in drawn.get_paths()]


@pytest.fixture
def path(tmp_path):
    """Return where a test draws."""
    return tmp_path / "one.png"


def test_answer_positions(path):
    drawn = {"both": {"ours": [0.5, 0.3, 0.2], "published": [0.6, 0.4]}, "one": {"ours": [1.0]}, "none": {"ours": []}}
    both, one = answer_positions(path, drawn, ["first", "second", "later"], 0.25, HEADING).axes
    heights = [[bar.get_height() for bar in bars] for bars in both.containers]
    assert heights == [[0.5, 0.3, 0.2], [0.6, 0.4]] and (one.get_title(), len(one.containers)) == ("one", 1)
    assert points(both)[0] == {"chance": [(0, 0.25), (1, 0.25)]}


def test_shortcuts(path):
    drawn = {
        "one": {"first": {"ours": (0.5, 0.4, 0.6), "published": (0.9, 0.8, 0.95)}, "second": {"ours": (0.1, 0, 0.2)}},
        "other": {"third": {"published": (1, 0.7, 1)}, "second": {"ours": None}},
        "none": {"first": {}},
    }
    one, other = shortcuts(path, drawn, 0.25, {"first": 0.38, "third": 0.4}, HEADING).axes
    lines, intervals = points(one)
    assert lines.pop("chance") == [(0.25, 0), (0.25, 1)] and lines.pop("gate") == [(0.38, 0)]
    assert lines == {"ours": [(0.5, -0.18), (0.1, 0.82)], "published": [(0.9, 0.18)]}
    assert [[x for x, _ in ends] for ends in intervals] == [[0.4, 0.6], [0, 0.2], [0.8, 0.95]]
    assert points(other)[0].keys() == {"chance", "published", "gate"}
    (alone,) = shortcuts(path, {"one": {"first": {"ours": (0.5, 0.4, 0.6)}}}, None, {}, HEADING).axes
    assert points(alone)[0] == {"ours": [(0.5, 0)]}, "one series stands on its rows"


def test_difficulty_histograms(path):
    values = [0, 0.1, 0.3, 0.39, 0.7, 1, 1.9, 2]
    one, other = difficulty_histograms(path, {"one": values, "none": [], "other": [2]}, HEADING).axes
    heights = [round(8 * bar.get_height()) for bar in one.patches]
    assert heights == [1, 1, 0, 2, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert one.get_title() == "one (n = 8)" and other.patches[-1].get_height() == 1
    for values in ([0.5, -0.1], [2.1], [float("nan")]):
        with pytest.raises(ValueError, match="hard ones: difficulty is from 0 to 2, not"):
            difficulty_histograms(path, {"hard ones": values}, HEADING)


def test_calibration(path):
    rows = [(place / 100, place % 2 == 0) for place in range(100)]
    one, other = calibration(path, {"one": rows, "none": [], "other": [(0.9, True)]}, HEADING).axes
    lines, intervals = points(one)
    means, shares = zip(*lines["a group, with its 95 % interval"], strict=True)
    assert means == pytest.approx([0.045 + group / 10 for group in range(10)]) and shares == (0.5,) * 10
    assert [[y for _, y in ends] for ends in intervals] == [list(rate(5, 10)[1:])] * 10
    assert one.get_title() == "one (n = 100)\nin groups of 10" and other.get_title() == "other (n = 1)\nin groups of 1"


def test_curves(path):
    drawn = {
        "one": {"first": {"a": (0.5, 0.4, 0.6), "b": (0.25, 0, 0.5)}, "second": {"b": (1, 1, 1)}},
        "none": {"first": {}},
        "other": {"second": {"a": (0, 0, 0.1)}},
    }
    one, other = curves(path, drawn, "where", "right", HEADING, 0.5).axes
    lines, intervals = points(one)
    assert list(lines) == ["first", "second", "chance"] and other.get_title() == "other"
    assert lines["first"] == [(-0.075, 0.5), (0.925, 0.25)] and lines["second"] == [(1.075, 1)]
    assert [[y for _, y in ends] for ends in intervals] == [[0.4, 0.6], [0, 0.5], [1, 1]]


def test_two_by_two(path):
    drawn = {"one": [[3, 1], [0, 0]], "none": [[0, 0], [0, 0]]}
    (axes,) = two_by_two(path, drawn, ("right", "wrong"), ("it", "another"), HEADING).axes
    assert [text.get_text() for text in axes.texts] == ["75 %\n3", "25 %\n1", "none", "none"]


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


@pytest.mark.parametrize(
    "draw",
    [
        lambda path: answer_positions(path, {"a": {"ours": []}, "b": {}}, "ABC", 0.5, HEADING),
        lambda path: shortcuts(path, {"a": {"first": {"ours": None}}, "b": {}}, 0.5, {"first": 0.38}, HEADING),
        lambda path: difficulty_histograms(path, {"a": []}, HEADING),
        lambda path: calibration(path, {}, HEADING),
        lambda path: curves(path, {"a": {"one": {}}}, "x", "y", HEADING),
        lambda path: two_by_two(path, {"a": [[0, 0], [0, 0]]}, "ab", "cd", HEADING),
    ],
)
def test_nothing_to_draw(path, draw):
    with pytest.raises(pictures.EmptyPictureError, match="one.png: nothing to draw, every panel is empty$"):
        draw(path)
    assert not path.exists()


def test_the_panels_of_a_build(tmp_path, monkeypatch):
    """Deep stories have one where their rows are scored; none is called all."""
    scores = pa.table({"deberta_pred": [0, 1], "deberta_confidence": [0.7, 0.6], "difficulty": [0.3, 1.4]})
    files = ["1st_order/test.parquet", "deep/test.parquet", "tomh/test.parquet"]
    for file in files:
        (tmp_path / file).parent.mkdir()
        pq.write_table(scores, tmp_path / file)
    request = {"all": {"seed": 5}, "deep": {"seed": 5}, "tomh": {"seed": 5}}
    build = Build(tmp_path, "hi_tom", "", request, "", {file: {"rows": 2, "sha256": ""} for file in files})
    drawn = {}
    for kind in ("shortcuts", "difficulty_histograms"):
        monkeypatch.setattr(pictures, kind, lambda path, groups, *more, kind=kind: drawn.update({kind: groups}))
    features = SimpleNamespace(arrow_schema=scores.schema)
    dataset, share = SimpleNamespace(name="hi_tom", features=lambda: features), {"first": Share(3, 6, 0.5)}
    drawings = build_pictures.shared_drawings(dataset, build, {"1st_order": share, "all": share})
    for kind in ("shortcuts", "difficulty"):
        drawings[kind](tmp_path / "one.png")
    assert list(drawn["shortcuts"]) == ["1st_order", "all setups"]
    assert drawn["difficulty_histograms"] == {"1st_order": [0.3, 1.4], "deep": [0.3, 1.4]}
    assert build_pictures.heading_of(build) == "hi_tom, test split, seed 5"


def test_the_one_panel_of_an_analysis_has_a_name():
    share = SimpleNamespace(share=0.5, interval=lambda: (0.4, 0.6))
    scores = {"all": SimpleNamespace(analyses={"title": {"order": {"right": share}}})}
    assert panels(scores, "title") == {"all stories": {"right": {"order": (0.5, 0.4, 0.6)}}}
