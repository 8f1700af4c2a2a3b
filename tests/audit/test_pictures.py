"""Draw every kind of picture, at its widest, and read it back: its bytes, its artists, its colours and its texts."""

from itertools import combinations, pairwise
from random import Random

import matplotlib
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from builders.audit.pictures import (
    INK,
    LINES,
    MARKS,
    PAPER,
    SERIES,
    answer_positions,
    calibration,
    curves,
    deciles,
    difficulty_histograms,
    shortcuts,
    two_by_two,
)
from builders.audit.shares import Share

RULES = ["sentence by sentence", "most in the text", *(f"rule number {number}" for number in range(3, 19))]


def shares(count, seed):
    """Return so many shares that sum to one."""
    draw = Random(seed)
    weights = [draw.uniform(0.5, 1.5) for _ in range(count)]
    return [weight / sum(weights) for weight in weights]


def rates(right, total):
    """Return a share and its interval."""
    return right / total, *Share(right, total, 0.5).interval()


def scored(count, seed):
    """Return so many confidences, some of them equal, each with whether it was right."""
    draw = Random(seed)
    return [
        (confidence, draw.random() < confidence)
        for confidence in (round(draw.uniform(0.3, 1), 2) for _ in range(count))
    ]


LETTERS = "ABCDEFGHIJKLMNO"
POSITIONS = {
    f"{order}th_order": {"ours": shares(15, order), "published": shares(15, order + 9)} for order in range(5)
} | {"only ours": {"ours": shares(3, 0)}}
RIGHT = {
    group: {rule: {"ours": rates(place, 18), "published": rates(18 - place, 18)} for place, rule in enumerate(RULES)}
    for group in ("all", "order 1", "forehead_mirror", "explicit", "a group with a long name")
}
CONFIDENCES = {
    title: scored(2400, seed) for seed, title in enumerate(["0th_order", "1st_order", "tomh", "scale", "all"])
}
DIFFICULTIES = {
    title: [1 - confidence if right else 1 + confidence for confidence, right in rows]
    for title, rows in CONFIDENCES.items()
}
SCORES = {
    f"{prompt}, {deception}": {
        f"length {length}": {f"{order}th_order": rates(18 - 3 * order - length, 18) for order in range(5)}
        for length in (1, 2, 3)
    }
    for prompt in ("VP", "CoTP")
    for deception in ("deception", "no deception")
}
COUNTS = {f"{prompt}, {end} container": [[120, 7], [1, 0]] for prompt in ("VP", "CoTP") for end in ("first", "last")}
PICTURES = {
    "positions": lambda path: answer_positions(path, POSITIONS, LETTERS, 1 / 15),
    "shortcuts": lambda path: shortcuts(path, RIGHT, 0.5, {RULES[0]: 0.38}),
    "difficulty": lambda path: difficulty_histograms(path, DIFFICULTIES),
    "calibration": lambda path: calibration(path, CONFIDENCES),
    "curves": lambda path: curves(path, SCORES, "order", "jointly right", 0.5),
    "crossed": lambda path: two_by_two(path, COUNTS, ("right", "wrong"), ("answer is it", "another")),
}


def luminance(colour):
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one, other):
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def texts(figure):
    """Return the texts that are drawn: not those of ticks beyond the data."""
    beyond = set()
    for axis in (each for axes in figure.axes for each in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        beyond |= {tick.label1 for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high}
    return [text for text in figure.findobj(Text) if text.get_text() and text.get_visible() and text not in beyond]


def legend(figure):
    """Return what the legend names."""
    return [text.get_text() for found in figure.legends for text in found.get_texts()]


@pytest.fixture(scope="module", params=PICTURES)
def drawn(request, tmp_path_factory):
    """Return (figure, path) of each picture."""
    path = tmp_path_factory.mktemp("pictures") / "one.png"
    return PICTURES[request.param](path), path, PICTURES[request.param]


def test_bytes(drawn):
    _, path, draw = drawn
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) < 300_000
    assert int.from_bytes(data[16:20]) >= 800
    assert b"Software" not in data
    draw(path)
    assert path.read_bytes() == data


def test_texts_are_legible(drawn):
    """Dark enough, large enough at 800 pixels, inside the picture, and none upon another."""
    figure, _, _ = drawn
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = {}
    for text in texts(figure):
        assert contrast(text.get_color(), PAPER) >= 4.5
        assert text.get_fontsize() / 72 * 800 / figure.get_figwidth() >= 12
        boxes[text] = text.get_window_extent(renderer)
        assert boxes[text].x0 >= 0 and boxes[text].x1 <= figure.bbox.x1, text
        assert boxes[text].y0 >= 0 and boxes[text].y1 <= figure.bbox.y1, text
    for one, other in combinations(boxes, 2):
        assert not boxes[one].overlaps(boxes[other]), (one, other)


def test_legends_are_outside_the_data(drawn):
    figure, _, _ = drawn
    for found in figure.legends:
        assert not any(axes.bbox.overlaps(found.get_window_extent()) for axes in figure.axes)


def test_the_ground_is_opaque_and_light(drawn):
    figure, _, _ = drawn
    assert all(each.get_facecolor() == (*to_rgb(PAPER), 1) for each in (figure, *figure.axes))
    assert luminance(PAPER) > 0.9


def test_series_differ_in_grey():
    ours, published = SERIES["ours"], SERIES["published"]
    assert luminance(published["facecolor"]) - luminance(ours["facecolor"]) >= 0.3
    assert "hatch" in published and "hatch" not in ours
    for colour in (ours["facecolor"], published["edgecolor"], INK):
        assert contrast(colour, PAPER) >= 4.5


def test_global_state_is_left_alone(tmp_path):
    before = dict(matplotlib.rcParams)
    first = answer_positions(tmp_path / "one.png", POSITIONS, LETTERS, None)
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "black", "savefig.dpi": 30}):
        answer_positions(tmp_path / "two.png", POSITIONS, LETTERS, None)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
    assert dict(matplotlib.rcParams) == before and legend(first) == ["ours", "published"]


def test_answer_positions(tmp_path):
    panels = {"both": {"ours": [0.5, 0.3, 0.2], "published": [0.6, 0.4]}, "one": {"ours": [1.0]}, "none": {"ours": []}}
    both, one = answer_positions(tmp_path / "one.png", panels, ["first", "second", "later"], 0.25).axes
    ours, published = both.containers
    assert [bar.get_height() for bar in ours] == [0.5, 0.3, 0.2] and not ours[0].get_hatch()
    assert [bar.get_height() for bar in published] == [0.6, 0.4] and published[0].get_hatch()
    assert ours[1].get_x() + ours[1].get_width() == pytest.approx(published[1].get_x()) == 1
    assert [text.get_text() for text in both.get_xticklabels()] == ["first", "second", "later"]
    assert [list(line.get_ydata()) for line in both.lines] == [[0.25, 0.25]] and both.lines[0].is_dashed()
    assert len(one.containers) == 1 and one.get_title() == "one"
    assert not answer_positions(tmp_path / "one.png", panels, "ABC", None).axes[0].lines


def test_shortcuts(tmp_path):
    panels = {
        "one": {"first": {"ours": (0.5, 0.4, 0.6), "published": (0.9, 0.8, 0.95)}, "second": {"ours": (0.1, 0, 0.2)}},
        "other": {"third": {"published": (1, 0.7, 1)}, "second": {"ours": None}},
        "none": {"first": {}},
    }
    figure = shortcuts(tmp_path / "one.png", panels, 0.25, {"first": 0.38, "third": 0.4})
    one, other = figure.axes
    assert legend(figure) == ["ours", "published", "chance", "gate"]
    assert [text.get_text() for text in one.get_yticklabels()] == ["first", "second", "third"]
    found = {line.get_label(): line.get_xydata().tolist() for line in one.lines}
    assert found["chance"] == [[0.25, 0], [0.25, 1]] and found["gate"] == [[0.38, 0]]
    assert found["ours"] == [[0.5, -0.18], [0.1, 1 + -0.18]] and found["published"] == [[0.9, 0.18]]
    assert len({line.get_marker() for line in one.lines}) == 4
    ends = [[path.vertices[:, 0].tolist() for path in lines.get_paths()] for lines in one.collections]
    assert ends == [[[0.4, 0.6], [0, 0.2]], [[0.8, 0.95]]]
    assert {line.get_label() for line in other.lines} == {"chance", "published", "gate"}


def test_shortcuts_of_one_series_are_on_their_rows(tmp_path):
    figure = shortcuts(tmp_path / "one.png", {"one": {"first": {"ours": (0.5, 0.4, 0.6)}}}, None)
    assert legend(figure) == ["ours"] and figure.axes[0].lines[0].get_xydata().tolist() == [[0.5, 0]]


def test_difficulty_histograms(tmp_path):
    values = [0, 0.1, 0.3, 0.39, 0.7, 1, 1.9, 2]
    one, other = difficulty_histograms(tmp_path / "one.png", {"one": values, "none": [], "other": [2]}).axes
    heights = [round(8 * bar.get_height()) for bar in one.patches]
    assert heights == [1, 1, 0, 2, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert [bar.get_x() for bar in one.patches] == pytest.approx([place / 10 for place in range(20)])
    assert list(one.lines[0].get_xdata()) == [1, 1] and [text.get_text() for text in one.texts] == ["right | wrong"]
    assert one.get_title() == "one (n = 8)" and other.patches[-1].get_height() == 1
    assert one.get_xlim() == other.get_xlim() == (0, 2) and one.get_ylim() == other.get_ylim()


@pytest.mark.parametrize("values", [[0.5, -0.1], [2.1], [float("nan")]])
def test_a_difficulty_that_cannot_be(tmp_path, values):
    with pytest.raises(ValueError, match="hard ones: difficulty is from 0 to 2, not"):
        difficulty_histograms(tmp_path / "one.png", {"hard ones": values})
    assert not list(tmp_path.iterdir())


def test_calibration(tmp_path):
    rows = [(place / 100, place % 2 == 0) for place in range(100)]
    one, other = calibration(tmp_path / "one.png", {"one": rows, "none": [], "other": [(0.9, True)]}).axes
    diagonal, points = one.lines
    assert points.get_xdata() == pytest.approx([0.045 + group / 10 for group in range(10)])
    assert list(points.get_ydata()) == [0.5] * 10 and diagonal.is_dashed()
    assert [path.vertices[:, 1].tolist() for path in one.collections[0].get_paths()] == [
        list(Share(5, 10, 0.5).interval())
    ] * 10
    assert one.get_title() == "one (n = 100)\nin groups of 10" and other.get_title() == "other (n = 1)\nin groups of 1"
    assert one.get_xlim() == one.get_ylim() == other.get_xlim()


def test_curves(tmp_path):
    panels = {
        "one": {"first": {"a": (0.5, 0.4, 0.6), "b": (0.25, 0, 0.5)}, "second": {"b": (1, 1, 1)}},
        "none": {"first": {}},
        "other": {"second": {"a": (0, 0, 0.1)}},
    }
    figure = curves(tmp_path / "one.png", panels, "where", "right", 0.5)
    one, other = figure.axes
    assert legend(figure) == ["first", "second", "chance"]
    first, second, chance = one.lines
    assert list(first.get_ydata()) == [0.5, 0.25] and list(second.get_ydata()) == [1]
    assert (first.get_marker(), first.get_linestyle()) != (second.get_marker(), second.get_linestyle())
    assert first.get_xdata() == pytest.approx([-0.075, 0.925]) and second.get_xdata() == pytest.approx([1.075])
    assert chance.is_dashed() and one.get_ylabel() == "% right" and other.get_title() == "other"
    assert [text.get_text() for text in one.get_xticklabels()] == ["a", "b"]
    ends = [path.vertices[:, 1].tolist() for path in one.collections[0].get_paths()]
    assert ends == [[0.4, 0.6], [0, 0.5]]
    assert len({(marks, lines) for marks, lines in zip(MARKS, 3 * LINES, strict=False)}) == 12


def test_two_by_two(tmp_path):
    panels = {"one": [[3, 1], [0, 0]], "none": [[0, 0], [0, 0]]}
    figure = two_by_two(tmp_path / "one.png", panels, ("right", "wrong"), ("it", "another"))
    (axes,) = figure.axes
    assert [text.get_text() for text in axes.texts] == ["75 %\n3", "25 %\n1", "none", "none"]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["it", "another"]
    shades = [luminance(patch.get_facecolor()) for patch in axes.patches]
    assert shades[0] < shades[1] < shades[2] == shades[3] and contrast(axes.patches[0].get_facecolor(), INK) >= 4.5


def test_deciles():
    assert deciles([]) == []
    rows = [(place / 100, place < 7) for place in range(20)]
    assert deciles(rows[::-1]) == [rows[start : start + 2] for start in range(0, 20, 2)]
    assert [len(group) for group in deciles(rows[:7])] == [1] * 7
    assert [len(group) for group in deciles(rows[:13])] == [2, 1, 1, 2, 1, 1, 2, 1, 1, 1]


def test_equal_confidences_are_in_one_group():
    rows = [(0.5, True)] * 3 + [(0.6, False)] * 12 + [(0.7 + place / 100, True) for place in range(5)]
    groups = deciles(rows)
    assert [len(group) for group in groups] == [3, 12, 1, 2, 2]
    assert groups == deciles(rows[::-1])
    assert all(one[-1][0] < other[0][0] for one, other in pairwise(groups))


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
