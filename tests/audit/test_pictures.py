"""Draw every kind of picture at its widest: its bytes, its texts, and the numbers that it shows."""

from itertools import combinations, pairwise
from random import Random

import matplotlib
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

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

HEADING = "hi_tom, test split, seed 0"
RULES = ["sentence by sentence", "most in the text", *(f"rule number {number}" for number in range(3, 19))]
GROUPS = ["all", "order 1", "forehead_mirror", "explicit", "a group with a long name"]
LETTERS = "ABCDEFGHIJKLMNO"


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
CONFIDENCES = {
    group: scored(2400, seed) for seed, group in enumerate(["0th_order", "1st_order", "tomh", "scale", "all"])
}
DIFFICULTIES = {group: [confidence + right for confidence, right in rows] for group, rows in CONFIDENCES.items()}
SCORES = {
    f"{prompt}, {claims}": {
        f"length {length}": {f"{order}th_order": rate(18 - 3 * order - length) for order in range(5)}
        for length in (1, 2, 3)
    }
    for prompt in ("VP", "CoTP")
    for claims in ("deception", "no deception")
}
COUNTS = {f"{prompt}, {end} container": [[120, 7], [1, 0]] for prompt in ("VP", "CoTP") for end in ("first", "last")}
PICTURES = {
    "positions": lambda path: answer_positions(path, POSITIONS, LETTERS, 1 / 15, HEADING),
    "shortcuts": lambda path: shortcuts(path, RIGHT, 0.5, {RULES[0]: 0.38}, HEADING),
    "difficulty": lambda path: difficulty_histograms(path, DIFFICULTIES, HEADING),
    "calibration": lambda path: calibration(path, CONFIDENCES, HEADING),
    "curves": lambda path: curves(path, SCORES, "order", "jointly right", 0.5, HEADING),
    "crossed": lambda path: two_by_two(path, COUNTS, ("right", "wrong"), ("answer is it", "another"), HEADING),
}


def texts(figure):
    """Return the texts that are drawn: not those of ticks beyond the data."""
    beyond = set()
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        beyond |= {tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    return [text for text in figure.findobj(Text) if text.get_text() and text.get_visible() and text not in beyond]


@pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)
def test_a_picture_is_the_same_again_and_its_texts_can_be_read(tmp_path, draw):
    """Whatever the settings of matplotlib. Texts are large enough at 800 pixels, inside, and none upon another."""
    settings = dict(matplotlib.rcParams)
    figure = draw(tmp_path / "one.png")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "savefig.dpi": 30}):
        draw(tmp_path / "two.png")
    data = (tmp_path / "one.png").read_bytes()
    assert data == (tmp_path / "two.png").read_bytes() and dict(matplotlib.rcParams) == settings
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and int.from_bytes(data[16:20]) >= 800 and b"Software" not in data
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = {text: text.get_window_extent(renderer) for text in texts(figure)}
    assert HEADING in [text.get_text() for text in boxes]
    for text, box in boxes.items():
        assert text.get_fontsize() / 72 * 800 / figure.get_figwidth() >= 12
        assert box.x0 >= 0 <= box.y0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1, text
    for one, other in combinations(boxes, 2):
        assert not boxes[one].overlaps(boxes[other]), (one, other)


def points(axes):
    """Return the points of each line that has a name, and the ends of all intervals."""
    lines = {line.get_label(): list(map(tuple, line.get_xydata().round(9).tolist())) for line in axes.lines}
    return lines, [path.vertices.tolist() for drawn in axes.collections for path in drawn.get_paths()]


def test_answer_positions(tmp_path):
    panels = {"both": {"ours": [0.5, 0.3, 0.2], "published": [0.6, 0.4]}, "one": {"ours": [1.0]}, "none": {"ours": []}}
    both, one = answer_positions(tmp_path / "one.png", panels, ["first", "second", "later"], 0.25).axes
    heights = [[bar.get_height() for bar in bars] for bars in both.containers]
    assert heights == [[0.5, 0.3, 0.2], [0.6, 0.4]] and (one.get_title(), len(one.containers)) == ("one", 1)
    assert [text.get_text() for text in both.get_xticklabels()] == ["first", "second", "later"]
    assert points(both)[0] == {"chance": [(0, 0.25), (1, 0.25)]}


def test_shortcuts(tmp_path):
    panels = {
        "one": {"first": {"ours": (0.5, 0.4, 0.6), "published": (0.9, 0.8, 0.95)}, "second": {"ours": (0.1, 0, 0.2)}},
        "other": {"third": {"published": (1, 0.7, 1)}, "second": {"ours": None}},
        "none": {"first": {}},
    }
    figure = shortcuts(tmp_path / "one.png", panels, 0.25, {"first": 0.38, "third": 0.4})
    lines, intervals = points(figure.axes[0])
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["first", "second", "third"]
    assert lines.pop("chance") == [(0.25, 0), (0.25, 1)] and lines.pop("gate") == [(0.38, 0)]
    assert lines == {"ours": [(0.5, -0.18), (0.1, 0.82)], "published": [(0.9, 0.18)]}
    assert [[x for x, _ in ends] for ends in intervals] == [[0.4, 0.6], [0, 0.2], [0.8, 0.95]]
    assert points(figure.axes[1])[0].keys() == {"chance", "published", "gate"}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["ours", "published", "chance", "gate"]
    alone = shortcuts(tmp_path / "one.png", {"one": {"first": {"ours": (0.5, 0.4, 0.6)}}}, None, {})
    assert points(alone.axes[0])[0] == {"ours": [(0.5, 0)]}, "one series stands on its rows"


def test_difficulty_histograms(tmp_path):
    values = [0, 0.1, 0.3, 0.39, 0.7, 1, 1.9, 2]
    one, other = difficulty_histograms(tmp_path / "one.png", {"one": values, "none": [], "other": [2]}).axes
    heights = [round(8 * bar.get_height()) for bar in one.patches]
    assert heights == [1, 1, 0, 2, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert [bar.get_x() for bar in one.patches] == pytest.approx([place / 10 for place in range(20)])
    assert one.get_title() == "one (n = 8)" and other.patches[-1].get_height() == 1
    for values in ([0.5, -0.1], [2.1], [float("nan")]):
        with pytest.raises(ValueError, match="hard ones: difficulty is from 0 to 2, not"):
            difficulty_histograms(tmp_path / "two.png", {"hard ones": values})


def test_calibration(tmp_path):
    rows = [(place / 100, place % 2 == 0) for place in range(100)]
    one, other = calibration(tmp_path / "one.png", {"one": rows, "none": [], "other": [(0.9, True)]}).axes
    lines, intervals = points(one)
    means, shares = zip(*lines["a group, with its 95 % interval"], strict=True)
    assert means == pytest.approx([0.045 + group / 10 for group in range(10)]) and shares == (0.5,) * 10
    assert [[y for _, y in ends] for ends in intervals] == [list(rate(5, 10)[1:])] * 10
    assert one.get_title() == "one (n = 100)\nin groups of 10" and other.get_title() == "other (n = 1)\nin groups of 1"


def test_curves(tmp_path):
    panels = {
        "one": {"first": {"a": (0.5, 0.4, 0.6), "b": (0.25, 0, 0.5)}, "second": {"b": (1, 1, 1)}},
        "none": {"first": {}},
        "other": {"second": {"a": (0, 0, 0.1)}},
    }
    one, other = curves(tmp_path / "one.png", panels, "where", "right", 0.5).axes
    lines, intervals = points(one)
    assert list(lines) == ["first", "second", "chance"] and other.get_title() == "other"
    assert lines["first"] == [(-0.075, 0.5), (0.925, 0.25)] and lines["second"] == [(1.075, 1)]
    assert [text.get_text() for text in one.get_xticklabels()] == ["a", "b"] and one.get_ylabel() == "% right"
    assert [[y for _, y in ends] for ends in intervals] == [[0.4, 0.6], [0, 0.5], [1, 1]]


def test_two_by_two(tmp_path):
    panels = {"one": [[3, 1], [0, 0]], "none": [[0, 0], [0, 0]]}
    (axes,) = two_by_two(tmp_path / "one.png", panels, ("right", "wrong"), ("it", "another")).axes
    assert [text.get_text() for text in axes.texts] == ["75 %\n3", "25 %\n1", "none", "none"]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["it", "another"]
    assert axes.collections[0].get_array().tolist() == [[0.75, 0.25], [0, 0]]


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
        lambda path: answer_positions(path, {"a": {"ours": []}, "b": {}}, "ABC", 0.5),
        lambda path: shortcuts(path, {"a": {"first": {"ours": None}}, "b": {}}, 0.5, {"first": 0.38}),
        lambda path: difficulty_histograms(path, {"a": []}),
        lambda path: calibration(path, {}),
        lambda path: curves(path, {"a": {"one": {}}}, "x", "y"),
        lambda path: two_by_two(path, {"a": [[0, 0], [0, 0]]}, "ab", "cd"),
    ],
)
def test_nothing_to_draw(tmp_path, draw):
    with pytest.raises(ValueError, match="one.png: nothing to draw, every panel is empty$"):
        draw(tmp_path / "one.png")
    assert not list(tmp_path.iterdir())
