"""Hold what a picture says of itself: its heading, and lines of chance and gates that are seen."""

from itertools import combinations
from random import Random

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from builders.audit.pictures import (
    CHANCE,
    GATE,
    answer_positions,
    calibration,
    curves,
    difficulty_histograms,
    shortcuts,
    two_by_two,
)

HEADING = "hi_tom, test split, seed 0"
RATE = (0.5, 0.4, 0.6)
PICTURES = {
    "positions": lambda path: answer_positions(path, {"a": {"ours": [0.5] * 2}}, "AB", 0.5, HEADING),
    "shortcuts": lambda path: shortcuts(path, {"a": {"rule": {"ours": RATE}}}, 0.5, {"rule": 0.6}, HEADING),
    "difficulty": lambda path: difficulty_histograms(path, {"a": [0.5, 1.5]}, HEADING),
    "calibration": lambda path: calibration(path, {"a": [(Random(0).random(), True)] * 30}, HEADING),
    "curves": lambda path: curves(path, {"a": {"one": {"x": RATE}}}, "x", "right", 0.5, HEADING),
    "crossed": lambda path: two_by_two(path, {"a": [[1, 2], [3, 4]]}, "ab", "cd", heading=HEADING),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_names_what_it_shows_above_its_legend(tmp_path, kind):
    figure = PICTURES[kind](tmp_path / "one.png")
    headings = [figure.get_suptitle(), *(legend.get_title().get_text() for legend in figure.legends)]
    assert "".join(headings) == HEADING
    renderer = FigureCanvasAgg(figure).get_renderer()
    shown = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    above = [text for text in shown if text not in [label for axes in figure.axes for label in axes.findobj(Text)]]
    boxes = [text.get_window_extent(renderer) for text in above]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(box.y1 <= figure.bbox.y1 and box.x0 >= 0 for box in boxes)


def test_chance_and_gates_are_seen(tmp_path):
    (axes,) = PICTURES["shortcuts"](tmp_path / "one.png").axes
    lines = {line.get_label(): line for line in axes.lines}
    assert lines["chance"].get_linewidth() >= 1.8 and lines["chance"].get_path_effects() == CHANCE["path_effects"]
    gate = lines["gate"]
    assert (gate.get_markersize(), gate.get_color()) == (GATE["markersize"], GATE["color"])
    assert lines["chance"].get_zorder() < gate.get_zorder() < lines["ours"].get_zorder(), "no point is hidden"
    assert gate.get_color() != lines["ours"].get_color()
    (bars,) = PICTURES["positions"](tmp_path / "two.png").axes
    assert bars.lines[0].get_zorder() > bars.patches[0].get_zorder(), "chance is drawn before the bars"
