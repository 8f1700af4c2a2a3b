"""Compare models on the same rows, and hold intervals where a bootstrap has no width."""

import math
from dataclasses import replace

import pytest

from tom_datasets.answers.comparison import answered_alike, compare
from tom_datasets.answers.items import Item
from tom_datasets.answers.rates import Bootstrap, Rate, newcombe
from tom_datasets.answers.reports import as_json
from tom_datasets.answers.scores import JOINT, score_replies
from tom_datasets.wording.languages import page


def questions(stories=40, orders=2, prompt=None):
    """Return the questions of each story."""
    return [
        Item(f"{story}-{order}", prompt, str(story), ("a", "b"), 0, order, tuple(range(order)), {"order": f"{order}th"})
        for story in range(stories)
        for order in range(orders)
    ]


def scored(items, is_right):
    """Return scored replies of a model that is right where `is_right(item)`."""
    return score_replies("hi_tom", [replace(item, text="A" if is_right(item) else "B") for item in items])


COINS = 1.96 * math.sqrt(0.25 / 10)  # half the interval of ten coins


def always(_):
    return True


@pytest.mark.parametrize(
    ("stories", "orders", "is_right", "low", "high", "within", "cell"),
    [
        (5, 1, lambda item: False, 0, 0.434, 0.001, "0.0 (0–43)"),
        (5, 1, always, 0.566, 1, 0.001, "100.0 (57–100)"),
        (2, 50, always, 0.342, 1, 0.001, "100.0 (34–100)"),  # as two trials, not as a hundred
        # Ten stories, each all right or all wrong: as uncertain as ten coins, not as fifty.
        (10, 5, lambda item: int(item.unit) % 2, 0.5 - COINS, 0.5 + COINS, 0.05, "50.0 (20–80)"),
    ],
)
def test_an_interval_counts_stories_and_is_never_without_width(stories, orders, is_right, low, high, within, cell):
    items = questions(stories, orders)
    rate = Bootstrap("hi_tom", [item.unit for item in items]).rate([(item, is_right(item)) for item in items])
    assert rate.interval() == (rate.low, rate.high) == pytest.approx((low, high), abs=within)
    assert cell == str(rate)


def test_chance_stands_below_accuracy_and_says_so():
    items = questions()
    bootstrap, values = Bootstrap("hi_tom", [item.unit for item in items]), [(item, item.place == 0) for item in items]
    rates = bootstrap.rates({"accuracy": values, "joint accuracy": values}, lambda item: item.chance)
    rates |= bootstrap.rates({"unread": values})
    table, _ = page("score", "rates", {"all": rates}).split("\n\n")
    labels = [line.split("|")[1].strip() for line in table.splitlines()[2:]]
    assert labels == ["rows", "accuracy", "accuracy by chance", "joint accuracy", "joint accuracy by chance", "unread"]
    assert "chance" not in page("score", "rates", {"all": {"unread": rates["unread"]}}), "unread replies have none"


def test_what_is_not_above_chance_is_said():
    """A rate is above chance where its whole interval is."""
    chance = {
        "low": Rate(5, 10, 0.25, 0.24, 0.8),
        "just": Rate(5, 10, 0.25, 0.26, 0.8),
        "none": Rate(5, 10, None, 0, 1),
    }
    assert [rate.above_chance for rate in chance.values()] == [False, True, None]
    printed = page("score", "rates", {name: {"accuracy": rate} for name, rate in chance.items() if name != "none"})
    assert printed.endswith("\n\nnot above chance: accuracy of low")
    assert "chance:" not in page("score", "rates", {"just": {"accuracy": chance["just"]}})
    assert page("score", "rates", {"none": {"unread": chance["none"]}}).endswith("| unread | 50.0 (0–100) |")


def test_models_are_compared_on_the_same_draws():
    """Both fail on every second story, and one also on the first question of some: the stories cancel out."""
    items = questions()
    strong = scored(items, lambda item: not int(item.unit) % 2)
    weak = scored(items, lambda item: not (int(item.unit) % 2 or item.place and int(item.unit) % 8 == 0))
    rows = compare("hi_tom", {"weak": weak, "strong": strong})
    assert [(row.group, row.model) for row in rows] == [
        (group, model) for group in ("all", "0th", "1th") for model in ("weak", "strong")
    ]
    above = rows[1].above["accuracy"]
    assert above.share == pytest.approx(5 / 80) and 0 < above.low < above.share < above.high
    alone = rows[1].rates["accuracy"]
    assert above.high - above.low < (alone.high - alone.low) / 2
    assert rows[0].above == {} and rows[1].above["joint accuracy"].share == pytest.approx(5 / 80)
    same = rows[3].above["accuracy"]
    assert same.share == 0 and same.low < 0 < same.high, "the same on every row, yet no certainty"


def test_the_undisputed_rows_are_compared_apart_where_others_are_disputed():
    """Here the second question of each story is disputed, and only the second model answers it as we do."""
    items = [replace(item, undisputed=item.place == 0) for item in questions()]
    rows = compare("hi_tom", {"A": scored(items, lambda item: item.place == 0), "B": scored(items, always)})
    rates = [(row.group, row.rates["accuracy"].total, row.rates["accuracy"].share) for row in rows[:4]]
    assert rates == [("all", 80, 0.5), ("all", 80, 1), ("all undisputed", 40, 1), ("all undisputed", 40, 1)]
    assert rows[3].above["accuracy"].share == 0
    for undisputed in (True, None):
        replies = scored([replace(item, undisputed=undisputed) for item in items], always)
        assert {row.group for row in compare("hi_tom", {"A": replies, "B": replies})} == {"all", "0th", "1th"}


def test_the_comparison_is_one_table_and_json():
    items = questions(stories=5)
    rows = compare("hi_tom", {"A": scored(items, lambda _: False), "B": scored(items, always)})
    head, _, first, second, *_ = page("score", "models", {}, "rows", rows, JOINT["hi_tom"]).splitlines()[2:]
    assert head == (
        "| rows of | model | rows | accuracy | by chance | joint accuracy | by chance | unread | commonest answer "
        "| accuracy above A | joint accuracy above A |"
    )
    of_a, of_b = "0.0 (0–43) | 50.0 | 0.0 (0–43) | 37.5", "100.0 (57–100) | 50.0 | 100.0 (57–100) | 37.5"
    assert first == f"| all | A | 10 | {of_a} | 0.0 (0–43) | 100.0 (57–100) B |  |  |"
    assert second.startswith(f"| all | B | 10 | {of_b} | 0.0 (0–43) | 100.0 (57–100) A | +100.0 (+39 to +100) |")
    above = as_json(rows)[1]["above"]["accuracy"]
    assert list(above) == ["share", "low", "high", "rows"] and above["rows"] == 10


def test_only_rows_that_all_models_answered_are_compared():
    items = questions()
    rows = compare("hi_tom", {"A": scored(items, always), "B": scored(items[:30], always)})
    assert {row.rates["accuracy"].total for row in rows[:2]} == {30}
    with pytest.raises(ValueError) as error:
        compare("hi_tom", {"A": scored(items, always), "B": scored(questions(prompt="cot"), always)})
    assert str(error.value) == "no row has an answer in all files under the same prompt; name the prompt with --prompt"


def test_languages_answer_alike_under_each_prompt():
    items = questions(prompt="vp") + questions(prompt="cotp")
    languages = {"en": scored(items, always), "fr": scored(items, lambda item: item.prompt == "vp")}
    assert answered_alike("hi_tom", languages)["all"].share == 0.5


def test_newcombes_interval_of_a_difference():
    """The first example of Newcombe (1998), 56 of 70 less 48 of 80, needs unequal totals; equal ones by hand."""
    assert newcombe(0.0, 0.0, 10) == pytest.approx((-0.2775, 0.2775), abs=0.0005)
    assert newcombe(1.0, 0.0, 10) == pytest.approx((0.6075, 1.0), abs=0.0005)
