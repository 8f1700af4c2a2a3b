"""Find the horizon of simulated readers whose horizon is known, of odd ones, and with the command."""

import json
from dataclasses import replace
from functools import lru_cache
from math import exp, inf, log, log2
from random import Random

import pytest
from answering import right_reply, write_lines, wrong_reply
from scipy.optimize import minimize
from support import refused

from tom_datasets.answers.drawings import crossing, curve_of, horizon_drawings
from tom_datasets.answers.horizon import Horizon, Trial, by_doubling, fit
from tom_datasets.answers.items import problem_items, question_items
from tom_datasets.answers.numbers import score_numbers
from tom_datasets.answers.rates import Bootstrap
from tom_datasets.answers.reports import as_json
from tom_datasets.answers.scores import score
from tom_datasets.audit.pictures import trends
from tom_datasets.commands import score as command
from tom_datasets.prompts import asks_number

RUNGS = [1, 2, 4, 8, 16, 32, 64]
CHOICES = [f"{colour}_box" for colour in "red green blue black white grey pink brown".split()]
ODD = (None, [], [0], "26", [None], ["26"], [2.5], 26)  # no worlds of rounds


def p_right(value, horizon, slope, chance):
    """Return how often a reader of this horizon is right."""
    return chance + (1 - chance) / (1 + exp(-slope * (log2(horizon) - log2(value))))


def simulated(horizon, slope=1.0, seed=0, values=RUNGS, each=100, chance=1 / 8, by=1):
    """Return trials of a reader of this horizon, `each` of every value. by: how many trials stand in one unit."""
    random, trials = Random(seed), []
    for number, value in enumerate(value for value in values for _ in range(each)):
        right = random.random() < p_right(value, horizon, slope, chance)
        trials.append(Trial(str(number // by), value, chance, right))
    return trials


@lru_cache(maxsize=4)
def bootstrap(units):
    """Return the draws of these units."""
    return Bootstrap("hi_tom", units)


def fitted(trials):
    """Return the horizon of trials."""
    return fit("hops", trials, bootstrap(tuple(trial.unit for trial in trials)))


def steps(rights, each=50, chance=1 / 8):
    """Return trials of which as many are right as said, by value."""
    return [
        Trial(f"{value}-{number}", value, chance, number < right)
        for value, right in rights.items()
        for number in range(each)
    ]


def stories(hops, right=lambda number: True, tokens=lambda number: None):
    """Return scored replies to stories of these hops, one question each; a reply is right, or names another choice."""
    row = dict(story="", choices=CHOICES, answer=CHOICES[0], order=1, all_orders=False)
    items = question_items(
        {**row, "id": str(number), "story_id": str(number), "hops": count} for number, count in enumerate(hops)
    )
    return [
        replace(item, text="A" if right(number) else "B", tokens=tokens(number)) for number, item in enumerate(items)
    ]


@pytest.mark.parametrize("horizon", [2, 11, 40])
@pytest.mark.parametrize("slope", [0.7, 1, 3])
def test_a_known_horizon_is_found(horizon, slope):
    found = fitted(simulated(horizon, slope, each=400))
    assert found.low <= horizon <= found.high and found.low < found.at < found.high
    assert 0.8 < found.at / horizon < 1.25 and found.slope == pytest.approx(slope, rel=0.3)


@pytest.mark.parametrize("chance", [1 / 8, 1 / 2, 1 / 4])
def test_a_second_engine_finds_the_same_curve(chance):
    """Scipy's, started from several places; the penalty is the same."""
    for seed in range(6):
        trials = simulated(6 + 3 * seed, 0.5 + 0.3 * seed, seed, each=40, chance=chance)

        def loss(at, trials=trials):
            place, slope = at[0], exp(at[1])
            total = log(slope) ** 2 / 2
            for trial in trials:
                p = p_right(trial.value, 2**place, slope, trial.chance)
                total -= log(p if trial.right else 1 - p)
            return total

        best = min((minimize(loss, start, method="Nelder-Mead") for start in ([1, 0], [4, 0.5])), key=lambda it: it.fun)
        found = fitted(trials)
        assert found.fitted == pytest.approx(best.x[0], abs=0.01)
        assert log(found.slope) == pytest.approx(best.x[1], abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("slope", [1, 8])
@pytest.mark.parametrize(("horizon", "by"), [(1.5, 1), (12, 4), (45, 1)])
def test_the_interval_covers_the_horizon_nineteen_times_of_twenty(horizon, slope, by):
    """A reader as steep as 8 falls between two rungs, where the draws of a bootstrap say all the same."""
    covered = 0
    for seed in range(60):
        found = fitted(simulated(horizon, slope, seed, each=60, by=by))
        covered += found.low <= (inf if horizon > 64 else horizon) <= found.high
    assert covered >= 52, "19 of 20 would be 57, and its standard deviation is 1.7"


@pytest.mark.parametrize("each", [1, 3, 50])
def test_all_right_is_above_and_all_wrong_below(each):
    above, below = fitted(steps(dict.fromkeys(RUNGS, each), each)), fitted(steps(dict.fromkeys(RUNGS, 0), each))
    assert (above.at, above.high, str(above).partition(" (")[0]) == (inf, inf, "above 64")
    assert (below.at, below.low, str(below).partition(" (")[0]) == (0, 0, "below 1")
    assert (str(above), str(below)) == ("above 64", "below 1") or each < 50
    assert above.low > 1, "also one reply to each rung says something"


def test_a_guesser_is_below_and_so_is_one_who_is_worse_or_grows():
    guesser = fitted(steps(dict.fromkeys(RUNGS, 6), 48))
    assert str(guesser) == "below 1"
    growing = fitted(steps(dict(zip(RUNGS, range(10, 31, 3), strict=True))))
    assert growing.at == 0 and growing.slope < 0.5, "accuracy never grows along a curve, so it is flat"
    nearly = fitted(steps(dict(zip(RUNGS, range(32, 46, 2), strict=True))))
    assert nearly.at == inf and nearly.slope < 0.5


@pytest.mark.parametrize("chance", [1 / 8, 1 / 2])
def test_a_step_has_a_horizon_within_it_and_an_interval_about_as_wide(chance):
    """All draws of the bootstrap agree; the likelihood says that any place within the step will do."""
    found = fitted(steps({value: 80 if value <= 8 else int(80 * chance) for value in RUNGS}, 80, chance))
    assert 8 < found.low < found.at < found.high < 16 or (7 < found.low <= 9 and 14 <= found.high < 17)
    assert found.high / found.low > 1.4 and 1 < found.slope < 40


def test_it_grows_with_the_reader():
    found = [fitted(simulated(horizon, each=60)).fitted for horizon in (0.5, 2, 8, 32, 128)]
    assert found == sorted(found)


def test_the_same_replies_have_the_same_horizon_in_any_order():
    trials = simulated(10, each=20)
    first, again = fitted(trials), fitted(list(trials))
    assert first == again
    assert fitted(trials[::-1]).fitted == first.fitted


def test_one_value_alone_says_on_which_side():
    assert str(fitted(steps({4: 50}))) == "above 4" and str(fitted(steps({4: 2}))) == "below 4"


def test_units_of_several_rows_widen_the_interval():
    """Replies of one block are alike, so that four say no more than one."""
    once = simulated(12, each=100)
    four = [trial for trial in once for _ in range(4)]
    found = [fitted(trials) for trials in (four, once, [trial._replace(unit=f"{n}") for n, trial in enumerate(four)])]
    wide, single, narrow = (log2(horizon.high / horizon.low) for horizon in found)
    assert wide == pytest.approx(single, rel=0.15) and wide > 1.6 * narrow


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        ((11.26, 8.04, 16.1), "11.3 (8.0–16.1)"),
        ((inf, 40.06, inf), "above 1,204 (40.1–above 1,204)"),
        ((0, 0, 2.5), "below 1 (below 1–2.5)"),
        ((inf, inf, inf), "above 1,204"),
        ((1100.4, 99.94, 1180), "1,100 (99.9–1,180)"),
    ],
)
def test_how_it_is_printed(bounds, text):
    at, low, high = bounds
    horizon = Horizon("worlds", 1, 1204, at, low, high, 0.0, 1.0, 0.5)
    assert str(horizon) == text
    report = as_json({"worlds": horizon})["worlds"]
    assert json.loads(json.dumps(report, allow_nan=False)) == report and report["text"] == text
    assert report["high"] == (high if high < inf else "above 1,204")


def test_values_are_grouped_by_doublings():
    replies = stories([1, 5, 3, 2, 4, 7, 64, 1000, 1023])
    groups = by_doubling(replies, lambda reply: reply.dial)
    assert [*groups] == ["1", "2 to 3", "4 to 7", "64", "1,000 to 1,023"]
    assert [len(some) for some in groups.values()] == [1, 2, 3, 1, 2]


@pytest.mark.parametrize("hops", [None, 0, -3, 2.0, True, "4"])
def test_rows_without_hops_have_no_horizon_and_no_table(hops):
    (scored,) = score("hi_tom", stories([hops] * 8)).values()
    assert not scored.horizons and "hops" not in scored.tables
    rows = [dict(index=1, block=None, setup="internal", label="entailment", worlds_by_round=odd) for odd in ODD]
    assert {item.dial for item in problem_items(rows)} == {None}


def test_rows_with_nulls_count_only_where_they_have_hops():
    (scored,) = score("hi_tom", stories([None, 1, 2, None, 4], lambda number: number < 3)).values()
    assert list(scored.tables["hops"]) == ["hops 1", "hops 2", "hops 4"]
    assert (scored.horizons["hops"].smallest, scored.horizons["hops"].greatest) == (1, 4)
    assert sum(point.rate.total for point in scored.horizons["hops"].points) == 3


def test_worlds_of_all_rounds_are_the_dial_of_puzzles():
    row = dict(block="b", index=0, setup="hats", label="entailment", rounds=3, worlds_by_round=[26, 16, 7])
    (item,) = problem_items([row])
    assert (item.dial, item.dial_name) == (49, "worlds")


def test_replies_that_say_their_tokens_have_a_second_horizon():
    """Here replies of more than 300 tokens are wrong."""
    tokens = [10, 40, 100, 250, 400, 900, 2000] * 20
    replies = stories(RUNGS * 20, lambda number: tokens[number] < 300, tokens.__getitem__)
    (scored,) = score("hi_tom", replies).values()
    assert list(scored.horizons) == ["hops", "tokens"]
    assert 250 < scored.horizons["tokens"].at < 400 and 8 < scored.horizons["hops"].at < 16
    assert [point.tokens for point in scored.horizons["hops"].points] == tokens[:7]
    alike = score("hi_tom", stories(RUNGS * 3, tokens=lambda number: 5))["all"].horizons
    assert list(alike) == ["hops"], "nothing depends on tokens that are always five"
    partly = stories(RUNGS * 3, tokens=lambda number: number or None)
    assert score("hi_tom", partly)["all"].horizons["tokens"].smallest == 1


def test_numbers_have_a_horizon_with_another_chance():
    rows = [dict(rung=1, first_yes=2, block=str(number), worlds_by_round=[2 ** (number % 5)]) for number in range(100)]
    replies = [f"Answer: {2 if number % 5 < 3 else 1}" for number in range(100)]
    horizon = score_numbers(rows, replies).horizons["worlds"]
    assert 4 < horizon.at < 8 and horizon.chance == 1 / 4
    assert not score_numbers([{**row, "worlds_by_round": None} for row in rows], replies).horizons


def test_the_picture_has_a_curve_for_each_reader(tmp_path):
    tokens = [10, 40, 100, 250, 400, 900, 2000] * 20
    long = score("hi_tom", stories(RUNGS * 20, lambda number: tokens[number] < 300, tokens.__getitem__))["all"]
    short = score("hi_tom", stories(RUNGS * 20, lambda number: number % 7 < 2))["all"]
    kind, panels, heading = horizon_drawings(
        {"small": long.horizons, "small_answer": short.horizons, "none": {}}, "hi_tom"
    )["horizon"]
    assert (kind, list(panels)) == ("trends", ["by hops", "by tokens", "tokens by hops"])
    named = [f"small: {long.horizons['hops']} hops", f"small_answer: {short.horizons['hops']} hops"]
    series = panels["by hops"].series
    assert list(series) == named and [trend.like for trend in series.values()] == [None, named[0]]
    assert [len(panels[title].series) for title in ("by tokens", "tokens by hops")] == [1, 1]
    figure = trends(tmp_path / "one.png", panels, heading)
    assert len(figure.axes) == 3 and [axes.get_xlabel() for axes in figure.axes] == [
        "hops",
        "tokens of a reply",
        "hops",
    ]
    first = {line.get_label(): line for line in figure.axes[0].lines if not line.get_label().startswith("_")}
    assert [*first] == [*named, "chance"] and first[named[1]].get_linestyle() == "--"
    assert first[named[0]].get_color() == first[named[1]].get_color()
    assert not horizon_drawings({"small": {}}, "hi_tom")
    trends(tmp_path / "two.png", panels, heading)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_the_curve_of_a_picture_meets_its_mark():
    horizon = fitted(simulated(10, each=60))
    place, low, high, height = crossing(horizon)
    assert (low, place, high) == (horizon.low, horizon.at, horizon.high) and height == (1 + 1 / 8) / 2
    assert horizon.accuracy(place) == pytest.approx(height)
    curve = curve_of(horizon)
    assert (curve[0][0], curve[-1][0]) == pytest.approx((1, 64))
    shares = [share for _, share in curve]
    assert shares == sorted(shares, reverse=True)
    assert crossing(fitted(steps(dict.fromkeys(RUNGS, 50)))) is None


@pytest.fixture
def with_hops(monkeypatch):
    """Give the rows of hi_tom hops, one value of RUNGS after another."""
    asked = command.asked_rows

    def asked_rows(answered, language=None):
        source, rows = asked(answered, language)
        return source, [{**row, "hops": RUNGS[number % 7]} for number, row in enumerate(rows)]

    monkeypatch.setattr(command, "asked_rows", asked_rows)


def written(rows, path, below, tokens=None):
    """Write replies to rows that are right where their hops are fewer; those say their tokens, if any are given."""
    lines = []
    for number, row in enumerate(rows):
        hops = RUNGS[number % 7]
        lines.append({"id": row["id"], "response": (right_reply if hops < below else wrong_reply)(row)})
        lines[-1] |= {"usage": {"completion_tokens": tokens * hops}} if tokens else {}
    return write_lines(path, lines)


def test_the_command_prints_reports_and_draws_it(with_hops, rows_of, scored, score, tmp_path):
    rows = rows_of("hi_tom")
    small, large = (written(rows, tmp_path / f"{n}.jsonl", below, 10) for n, below in (("small", 10), ("large", 99)))
    printed, report = scored("hi_tom", small, "--pictures", tmp_path / "one")
    horizon = report["scores"]["all"]["horizons"]["hops"]
    line = "\nhorizon in hops, where the accuracy above chance is one half: "
    assert f"{line}{horizon['text']}\n" in printed and line.replace("hops", "tokens") in printed
    assert 8 < horizon["at"] < 16 and len(horizon["points"]) == 7 and horizon["points"][0]["tokens"] == 10
    assert "hops:\n\n|  | hops 1 | hops 2 | hops 4 |" in printed
    assert (tmp_path / "one" / "hi_tom_score_horizon.png").exists()
    printed, report = scored("hi_tom", small, "--responses", large, "--pictures", tmp_path / "two")
    table = printed.split("\nhorizon, where the accuracy above chance is one half:\n\n")[1].splitlines()
    assert table[0] == "| model | in hops | in tokens |"
    assert table[2].startswith(f"| small | {horizon['text']} | ") and table[3].startswith("| large | above 64")
    assert report["models"]["large"]["scores"]["all"]["horizons"]["hops"]["at"] == "above 64"
    assert (
        report["comparison"][0]["horizons"]["hops"] == horizon
        and "above 64" in report["comparison"][1]["horizons"]["hops"]["text"]
    )
    assert not any(compared["horizons"] for compared in report["comparison"][2:])
    assert [file.name for file in (tmp_path / "two").iterdir()] == ["hi_tom_score_horizon.png"]


def test_rows_without_a_dial_are_scored_as_before(rows_of, scored, score, tmp_path):
    rows = rows_of("hi_tom")
    one, two = (written(rows, tmp_path / f"{name}.jsonl", 10) for name in ("one", "two"))
    printed, report = scored("hi_tom", one)
    assert "horizon" not in printed and "horizon" not in json.dumps(report)
    alone = "--pictures takes one file of responses; name one with --responses"
    refused(score("hi_tom", one, two, "--pictures", tmp_path / "p"), alone)
    assert not (tmp_path / "p").exists()


def test_puzzles_in_rounds_have_one_in_worlds(rows_of, scored, tmp_path):
    rows = rows_of("mindgames", "rounds")
    limit = sorted(sum(row["worlds_by_round"]) for row in rows)[len(rows) // 2]
    lines = [
        {
            "id": str(row["index"]),
            "response": (right_reply if sum(row["worlds_by_round"]) <= limit or number % 2 else wrong_reply)(row),
        }
        for number, row in enumerate(rows)
    ]
    printed, report = scored("mindgames", write_lines(tmp_path / "a.jsonl", lines), "--config", "rounds")
    horizon = report["scores"]["all"]["horizons"]["worlds"]
    assert horizon["low"] < limit * 1.5 and horizon["high"] > limit / 1.5
    assert f"horizon in worlds, where the accuracy above chance is one half: {horizon['text']}" in printed


def test_of_several_prompts_each_has_its_own(with_hops, rows_of, scored, tmp_path):
    rows = rows_of("hi_tom")
    files = [written(rows, tmp_path / f"{below}.jsonl", below) for below in (3, 99)]
    lines = [
        {**json.loads(line), "prompt": prompt}
        for prompt, file in zip(("answer", "cotp"), files, strict=True)
        for line in file.read_text().splitlines()
    ]
    both = write_lines(tmp_path / "both.jsonl", lines)
    printed, report = scored("hi_tom", both, "--pictures", tmp_path / "drawn")
    assert printed.count("\nhorizon in hops") == 2 and "horizons" not in report["scores"]["prompts"]
    assert 2 < report["scores"]["answer"]["horizons"]["hops"]["at"] < 4
    assert (tmp_path / "drawn" / "hi_tom_score_horizon.png").exists()


def test_numbers_have_one_in_print_and_in_the_report(rows_of, scored, tmp_path):
    rows = [row for row in rows_of("mindgames", "rounds") if asks_number(row)]
    lines = [{"id": str(row["index"]), "response": f"Answer: {row['first_yes'] or 'never'}"} for row in rows]
    path = write_lines(tmp_path / "a.jsonl", lines)
    printed, report = scored("mindgames", path, "--config", "rounds", "--style", "number")
    greatest = max(sum(row["worlds_by_round"]) for row in rows)
    assert f"horizon in worlds, where the accuracy above chance is one half: above {greatest:,}" in printed
    assert report["horizons"]["worlds"]["at"] == f"above {greatest:,}"
