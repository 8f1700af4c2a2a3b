"""The tables of docs/reference/results.md are those of the kept figures, which are replaced one reader at a time."""

import json

import pytest

from results import page, tables
from results.reference import WORLDS_OF
from tom_datasets.audit.page import with_tables

RATES = {
    "all": {
        "accuracy": {
            "share": 0.25, "low": 0.1, "high": 0.4, "right": 5, "rows": 20, "chance": 0.125, "above_chance": False,
        },
        "unread": {"share": 0.05, "low": 0.0, "high": 0.1, "right": 1, "rows": 20},
        "commonest answer": {"share": 0.5, "low": 0.3, "high": 0.7, "right": 10, "rows": 20, "answer": "A"},
    }
}  # fmt: skip


def test_the_page_has_the_tables_of_the_kept_figures():
    text = page.PAGE.read_text(encoding="utf-8")
    figures, lines, told = map(tables.lines_of, (tables.FIGURES, tables.CURVES, tables.WORLDS))
    assert figures and lines and told and with_tables(text, page.tables(figures, lines, told)) == text


def test_each_reader_has_a_line_for_each_world_and_one_for_all_together():
    told = tables.lines_of(tables.WORLDS)
    readers = {(line["reader"], line["data"]) for line in told}
    assert ("trained probe", "hi_tom all") in readers and ("trained probe", "mindgames all") in readers
    for reader, data in readers:
        worlds = [line["world"] for line in told if (line["reader"], line["data"]) == (reader, data)]
        assert worlds == ["house", *WORLDS_OF[data.split()[0]], "together"]


def test_replies_are_kept_of_each_reader_that_was_asked_here():
    """Their number is that of the figures, so that who scores them again gets these."""
    asked = [figure for figure in tables.lines_of(tables.FIGURES) if "seconds" in figure]
    assert asked
    for figure in asked:
        file = tables.REPLIES / figure["reader"] / f"{figure['data'].replace(' ', '_')}.jsonl"
        replies = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        assert len({reply["id"] for reply in replies}) == len(replies) == figure["rows"]


def test_a_reader_takes_the_place_of_its_older_figures(tmp_path):
    file = tmp_path / "figures.jsonl"
    (figure,) = tables.figures_of(RATES, "hi_tom deep")
    assert figure == {
        "data": "hi_tom deep", "group": "all", "share": 0.25, "low": 0.1, "high": 0.4, "right": 5, "rows": 20,
        "chance": 0.125, "unread": 0.05, "commonest": 0.5, "answer": "A",
    }  # fmt: skip
    tables.replace_lines(file, "reader", "one", [figure, figure])
    tables.replace_lines(file, "reader", "other", [figure])
    tables.replace_lines(file, "reader", "one", [figure | {"right": 6}])
    assert [(line["reader"], line["right"]) for line in tables.lines_of(file)] == [("one", 6), ("other", 5)]


@pytest.mark.parametrize(
    ("data", "group", "named"),
    [
        ("hi_tom deep", "2nd_order", "order 2"),
        ("hi_tom ladder", "rung 3", "rung 3"),
        ("mindgames deep", "depth 0", "order 1"),
        ("mindgames ladder", "rung 6", "rung 6"),
        ("mindgames all", "forehead", "forehead"),
    ],
)
def test_a_table_has_a_row_for_each_reader_and_a_column_for_each_group(data, group, named):
    (figure,) = tables.figures_of(RATES, data)
    figures = [{"reader": reader, **figure, "group": own} for reader in ("one", "other") for own in ("all", group)]
    header, _, chance, *rows = page.results_table(data, figures).splitlines()
    assert header == f"| reader | rows | {named} | all | unread | commonest answer |"
    assert chance == "| by chance |  | 12.5 | 12.5 |  |  |"
    assert rows[:2] == [
        f"| {reader} | 20 | 25.0 (10–40) | 25.0 (10–40) | 5.0 | 50.0 A |" for reader in ("one", "other")
    ]
    assert len(rows) == 2 + (data in page.FRONTIER_READ)


def test_a_table_has_the_horizon_of_each_reader_that_has_one():
    """Groups stand by their numbers: 16 behind 2."""
    (figure,) = tables.figures_of(RATES, "mindgames rounds")
    horizons = {"worlds": {"text": "49.0 (30.1–81.5)", "at": 49.0}, "tokens": {"text": "236"}}
    horizon = tables.horizon_of({"horizons": horizons})
    assert horizon == {"dial": "worlds", "horizon": "49.0 (30.1–81.5)"} and tables.horizon_of({}) == {}
    figures = [{"reader": "one", **figure, **horizon}, {"reader": "other", **figure}]
    figures += [{"reader": "one", **figure, "group": f"rung {number}"} for number in (16, 2)]
    header, _, chance, *rows = page.results_table("mindgames rounds", figures).splitlines()
    assert header == "| reader | rows | rung 2 | rung 16 | all | unread | commonest answer | horizon in worlds |"
    assert chance.endswith(" |  |  |  |")
    assert [row.rsplit(" | ", 1)[1] for row in rows] == ["49.0 (30.1–81.5) |", " |"]


def test_a_curve_has_a_row_for_each_order_and_one_for_all():
    lines = [
        {"curve": "deep", "seen": seen, "asked": "deep", "order": order, "right": seen // 100 + order, "rows": 20}
        for seen in (1_000, 400)
        for order in (2, 1)
    ]
    header, _, *rows = page.curve_table(lines).splitlines()
    assert header == "| trained on | asked | order | 400 | 1,000 |"
    shares = {"1": "25.0", "2": "30.0", "all": "27.5"}
    assert [row.split("(")[0] for row in rows] == [f"| deep | deep | {name} | {own} " for name, own in shares.items()]


def test_pictures_have_a_line_for_each_reader_and_one_for_chance(tmp_path):
    (figure,) = tables.figures_of(RATES, "hi_tom deep")
    figures = [{"reader": "one", **figure, "group": group} for group in ("all", "1st_order", "0th_order")]
    shares = page.by_number(figures, "hi_tom deep")
    assert list(shares) == ["one", "chance"] and list(shares["one"]) == list(shares["chance"]) == ["0", "1"]
    assert [(rate.share, *rate.interval()) for rate in shares["one"].values()] == [(0.25, 0.1, 0.4)] * 2
    assert {rate.share for rate in shares["chance"].values()} == {0.125}
    others = [{**each, "data": data} for data in ("mindgames all", "Hi-ToM VP, right labels") for each in figures[1:]]
    page.draw([*figures, *others], tmp_path)
    drawn = ["results_hi_tom.png", "results_mindgames.png", "results_published.png"]
    assert sorted(file.name for file in tmp_path.iterdir()) == drawn


def test_the_table_of_worlds_says_the_gap_and_what_is_right_in_all():
    rate = {"low": 0.1, "high": 0.3, "rows": 40, "chance": 0.125}
    lines = [{"reader": "one", "data": "hi_tom deep", "world": world, "share": share, **rate}
             for world, share in (("house", 0.5), ("call", 0.25), ("together", 0.2))]  # fmt: skip
    lines[-1] |= {"independent": 0.125, "gap": {"share": 0.25, "low": 0.2, "high": 0.3, "rows": 40}}
    header, _, row = page.worlds_table(lines, "hi_tom").splitlines()
    assert header.endswith("| house | call | right in all | if independent | house above the others |")
    assert row == (
        "| one | hi_tom deep | 40 | 12.5 | 50.0 (10–30) | 25.0 (10–30) | 20.0 (10–30) | 12.5 | +25.0 (+20 to +30) |"
    )
