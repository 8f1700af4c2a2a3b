"""Print small tables and compare them letter for letter."""

from tom_datasets.audit.shares import Share
from tom_datasets.audit.tables import render_table, side_by_side


def test_the_rendered_table():
    table = {
        "a": {"first": Share(1, 4, 0.25), "probe": Share(4, 4, 0.25)},
        "b": {"first": Share(0, 1000, 1 / 15)},
        "c": {},
    }
    assert render_table(table) == (
        "|  | a | b | c |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| rows | 4 | 1,000 |  |\n"
        "| chance | 25.0 | 6.7 |  |\n"
        "| first | 25.0 (5–70) | 0.0 (0–0) |  |\n"
        "| probe | 100.0 (51–100) |  |  |"
    )


def test_ours_stand_beside_the_published():
    ours = {"a": {"first": Share(1, 4, 0.5), "TF-IDF": Share(2, 4, 0.5)}, "b": {"first": Share(2, 4, 0.5)}}
    published = {"a": {"first": Share(3, 4, 0.5), "theirs": Share(0, 4, 0.5)}, "unknown": {"first": Share(1, 1, 1.0)}}
    lines = side_by_side(ours, published, {"first": (0, 0.38), "TF-IDF": (0.47, 0.53)}).split("\n")
    assert lines[0] == "|  | gate | a: ours | a: published | b: ours |"
    assert lines[2:] == [
        "| rows |  | 4 | 4 | 4 |",
        "| chance |  | 50.0 | 50.0 | 50.0 |",
        "| first | ≤ 38 | 25.0 (5–70) | 75.0 (30–95) | 50.0 (15–85) |",
        "| TF-IDF | 47 to 53 | 50.0 (15–85) |  |  |",
        "| theirs |  |  | 0.0 (0–49) |  |",
    ]


def test_what_does_not_guess_has_no_chance():
    lines = render_table({"a": {"visit": Share(1, 4, 0.0)}}, guessed=False).split("\n")
    assert lines[2:] == ["| rows | 4 |", "| visit | 25.0 (5–70) |"]
