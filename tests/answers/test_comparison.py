"""Compare models on the same rows, and hold intervals where a bootstrap has no width."""

from dataclasses import replace

import pytest

from tom_datasets.answers.comparison import compare, comparison_as_json, comparison_table
from tom_datasets.answers.items import Item
from tom_datasets.answers.rates import Bootstrap, newcombe, render
from tom_datasets.answers.scored import score_replies

STORIES = 40


def questions(stories: int = STORIES, prompt: str | None = None) -> list[Item]:
    """Return two questions of each story, of the orders 0 and 1."""
    return [
        Item(f"{story}-{order}", prompt, str(story), ("a", "b"), 0, order, tuple(range(order)), {"order": f"{order}th"})
        for story in range(stories)
        for order in range(2)
    ]


def scored(items: list[Item], is_right) -> list:
    """Return scored replies of a model that is right where `is_right(item)`."""
    keyed = {(item.prompt, item.id): item for item in items}
    return score_replies("hi_tom", keyed, {key: "A" if is_right(item) else "B" for key, item in keyed.items()})


@pytest.mark.parametrize(("value", "low", "high", "cell"), [(False, 0, 0.434, "0.0 (0–43)"), (True, 0.566, 1, None)])
def test_five_answers_that_are_all_alike_are_no_certainty(value, low, high, cell):
    items = [Item(str(place), None, str(place), ("a", "b"), 0, 0, None, {}) for place in range(5)]
    rate = Bootstrap("hi_tom", [item.unit for item in items]).rate([(item, value) for item in items])
    assert rate.interval() == pytest.approx((low, high), abs=0.001)
    assert cell in (None, str(rate))


def test_an_interval_without_width_counts_stories_and_not_questions():
    items = [Item(f"{story}-{at}", None, story, ("a", "b"), 0, at, None, {}) for story in "ab" for at in range(50)]
    rate = Bootstrap("hi_tom", [item.unit for item in items]).rate([(item, True) for item in items])
    assert rate.low == pytest.approx(0.342, abs=0.001), "as two trials, not as a hundred"


def test_chance_stands_below_accuracy_and_says_so():
    items = questions()
    rates = Bootstrap("hi_tom", [item.unit for item in items]).rates(
        {metric: [(item, item.place == 0) for item in items] for metric in ("accuracy", "joint accuracy", "unread")}
    )
    labels = [line.split("|")[1].strip() for line in render({"all": rates}).splitlines()[2:]]
    assert labels == ["rows", "accuracy", "accuracy by chance", "joint accuracy", "unread"]
    del rates["accuracy"]
    assert "chance" not in render({"all": rates}), "chance is that of accuracy only"


def test_models_are_compared_on_the_same_draws():
    """Both fail on every second story, and one also on the first question of some: the stories cancel out."""
    items = questions()
    hard = {item.unit for item in items if int(item.unit) % 2}
    strong = scored(items, lambda item: item.unit not in hard)
    weak = scored(items, lambda item: item.unit not in hard and not (item.place and int(item.unit) % 8 == 0))
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
    rows = compare("hi_tom", {"A": scored(items, lambda item: item.place == 0), "B": scored(items, lambda _: True)})
    assert [(row.group, row.rates["accuracy"].total) for row in rows[:4]] == [
        *[("all", 80)] * 2,
        *[("all undisputed", 40)] * 2,
    ]
    assert [row.rates["accuracy"].share for row in rows[:4]] == [0.5, 1, 1, 1]
    assert rows[3].above["accuracy"].share == 0
    for undisputed in (True, None):
        items = [replace(item, undisputed=undisputed) for item in items]
        groups = {row.group for row in compare("hi_tom", {"A": scored(items, bool), "B": scored(items, bool)})}
        assert groups == {"all", "0th", "1th"}


def test_the_comparison_is_one_table_and_json():
    items = questions(stories=5)
    rows = compare("hi_tom", {"A": scored(items, lambda _: False), "B": scored(items, lambda _: True)})
    head, _, first, second, *_ = comparison_table("hi_tom", rows).splitlines()
    assert head == (
        "| rows of | model | rows | accuracy | joint accuracy | unread | accuracy above A | joint accuracy above A |"
    )
    assert first == "| all | A | 10 | 0.0 (0–43) | 0.0 (0–43) | 0.0 (0–43) |  |  |"
    assert second.startswith("| all | B | 10 | 100.0 (57–100) | 100.0 (57–100) | 0.0 (0–43) | +100.0 (+39 to +100) |")
    assert comparison_as_json(rows)[1]["above"]["accuracy"]["rows"] == 10


def test_only_rows_that_all_models_answered_are_compared():
    items = questions()
    rows = compare("hi_tom", {"A": scored(items, lambda _: True), "B": scored(items[:30], lambda _: True)})
    assert {row.rates["accuracy"].total for row in rows[:2]} == {30}
    with pytest.raises(ValueError) as error:
        compare("hi_tom", {"A": scored(items, bool), "B": scored(questions(prompt="cot"), bool)})
    assert str(error.value) == "no row is answered in all files under the same prompt; name it with --prompt"


def test_newcombes_interval_of_a_difference():
    """The first example of Newcombe (1998), 56 of 70 less 48 of 80, needs unequal totals; equal ones by hand."""
    low, high = newcombe(0.0, 0.0, 10)
    assert (low, high) == pytest.approx((-0.2775, 0.2775), abs=0.0005)
    assert newcombe(1.0, 0.0, 10) == pytest.approx((0.6075, 1.0), abs=0.0005)
