"""Count small tables by hand, and compare the intervals with scipy."""

import json

import pytest
from audit.samples import measure, problem_of, question_about
from scipy.stats import binomtest

from tom_datasets.audit.figures import recorded_table
from tom_datasets.audit.shares import Outcomes, Share, count_shares, table_as_json


@pytest.mark.parametrize(
    ("right", "total"), [(0, 1), (1, 1), (0, 60), (60, 60), (29, 60), (1, 480), (240, 480), (9, 9)]
)
def test_the_interval_is_wilsons(right, total):
    expected = binomtest(right, total).proportion_ci(0.95, "wilson")
    assert Share(right, total, 0.5).interval() == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_share_is_written_with_its_interval():
    assert str(Share(29, 60, 1 / 15)) == "48.3 (36–61)"
    assert str(Share(0, 60, 0.5)) == "0.0 (0–6)" and str(Share(60, 60, 0.5)) == "100.0 (94–100)"


def test_tables_have_the_groups_in_order_and_all_last():
    answered = [Outcomes(group, 0.5, {}, {"rule": True}) for group in ("all", "b", "a", "zebra")]
    assert list(count_shares(answered)) == ["a", "b", "zebra", "all"]


def test_chance_is_the_mean_of_what_chance_gives():
    emma = "Where does Emma think the pear is?"
    table = measure([question_about(emma, "box", 0, n_choices=choices) for choices in (2, 4, 4, 5)])
    assert [share.chance for share in table["g"].values()] == pytest.approx([0.3] * len(table["g"]))


def test_a_rule_that_never_has_a_say_is_left_out_and_else_wrong_where_it_has_none():
    """The probe, of rows beyond its limit."""
    says = [{"probe": None, "mute": None}, {"probe": True, "mute": None}, {"probe": False}, {}]
    table = count_shares(Outcomes("g", 0.5, {}, each) for each in says)
    assert table == {"g": {"probe": Share(1, 4, 0.5)}}


def test_the_probe_is_right_where_it_predicts_the_answer():
    emma = "Where does Emma think the pear is?"
    asked = [question_about(emma, "box", 0, probes={"probe": right}) for right in (True, False, None, True)]
    assert measure(asked)["g"]["probe"] == Share(2, 4, 1 / 15)
    problems = [problem_of("Ann can now know that Bob is thirsty.", probes={"probe": right}) for right in (True, None)]
    assert measure(problems)["g"]["probe"] == Share(1, 2, 0.5)


def test_a_table_survives_its_json(tmp_path, monkeypatch):
    table = {"g": {"first": Share(1, 3, 1 / 15), "letter": Share(2, 3, 1 / 15)}, "h": {"first": Share(0, 7, 0.2)}}
    path = tmp_path / "published.json"
    path.write_text(json.dumps({"hi_tom": {"groups": table_as_json(table)}}))
    monkeypatch.setattr("tom_datasets.audit.figures.FIGURES", path)
    assert recorded_table("hi_tom") == table
    assert list(recorded_table("hi_tom")["g"]) == ["first", "letter"]
