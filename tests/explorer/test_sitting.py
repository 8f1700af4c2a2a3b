"""Answer a sample of questions as a person does, by clicks and keys, and score the file that the page hands over."""

import json
import time
from collections import Counter

import pytest
from exploring import CONTRAST, SHOWN, ask, click, count, press, rows_of, set_look, text, until, visit

from tom_datasets import prompts
from tom_datasets.syntax.formula import LABELS

pytestmark = pytest.mark.browser

COLUMNS = {"hi_tom": ("id", "story", "question"), "mindgames": ("index", "premise", "hypothesis")}
TOLD = ".right, .wrong, #answer, #verdict, td.lane, td.who, g.world, .bar, .score:not(.help), nav a"
ENTER = "\ue007"


@pytest.fixture
def fresh(wide, address):
    """Return the browser, which remembers nothing."""
    visit(wide, address, "#", ".cards")
    wide.execute_script("localStorage.clear(); explorer.sittings = {}; window.confirm = () => true")
    return wide


def sample(browser, address, place):
    """Return the ids of the questions that a link asks."""
    visit(browser, address, "#", ".cards")
    visit(browser, address, place, "#begin")
    (name,) = [name for name in ask(browser, "Object.keys(explorer.sittings)") if name.endswith(place)]
    dataset, config = place.split("?")[0].lstrip("#").split("/")
    items = f"explorer.asked.{'stories' if dataset == 'hi_tom' else 'problems'}({config!r}, data, {{}})"
    number, seed = (part.split("=")[1] for part in place.split("?")[1].split("&"))
    assert name
    script = f"return explorer.load('{dataset}/{config}').then(data => explorer.sample({items}, {number}, '{seed}'))"
    return [item["id"] for item in browser.execute_script(script)]


def shown(browser):
    """Return what stands on the page: the text of the story or puzzle, and the question."""
    lines = ask(browser, "[...document.querySelectorAll('.sheet .panel p')].map(line => line.textContent)")
    return "\n".join(lines), text(browser, ".asked")


def answer(browser, row, number, right):
    """Choose by a key or a click, a wrong choice first, and go on by a key or a click."""
    hi_tom = "choices" in row
    answer = row["answer_index"] if hi_tom else list(LABELS.values()).index(row["label"])
    places = len(row["choices"]) if hi_tom else 2
    for place in ((answer + 1) % places, *([answer] if right else [])):
        if number % 2:
            click(browser, f"[data-choice='{place}']")
        else:
            press(browser, "abcdefghijklmno"[place] if hi_tom else "tf"[place])
    if number % 2:
        click(browser, "#next")
    else:
        press(browser, ENTER if hi_tom else "n")  # these questions have a choice N


def awaited(file):
    """Return the lines of a file that the browser writes."""
    end = time.monotonic() + 15
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.02)
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.parametrize("dataset", COLUMNS)
def test_thirty_questions_are_answered_and_scored_as_a_persons(fresh, address, site, tmp_path, run, dataset):
    """Every third answer is wrong, and the page is loaded again in the middle."""
    named, told, asked = COLUMNS[dataset]
    rows = {str(row[named]): row for config, row in rows_of(site, dataset) if config == "all"}
    by_text = {(row[told], row[asked]): key for key, row in rows.items()}
    fresh.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    visit(fresh, address, f"#{dataset}/all?ask=30&seed=1", "#begin", "details.rules[open]")
    assert text(fresh, "h1") == "30 questions about who knows what"
    fresh.execute_script("document.querySelector('#person').value = 'Ann B.'")
    click(fresh, "#begin")
    ids = []
    for number in range(1, 31):
        until(
            fresh, "return document.querySelector('#progress').textContent === arguments[0]", f"Question {number} of 30"
        )
        story, question = shown(fresh)
        key = by_text[story, question.removeprefix("Statement: ").removesuffix(" True or False?")]
        ids.append(key)
        assert count(fresh, TOLD) == 0 and ask(fresh, "document.querySelector('#next').disabled")
        assert count(fresh, "details.rules:not([open])") == 1
        assert text(fresh, ".rules p") == prompts.rules_of(rows[key])
        if number == 12:
            click(fresh, "[data-choice='1']")
            fresh.refresh()
            until(fresh, SHOWN, "[data-choice='1'][aria-pressed='true']")
            assert text(fresh, "#progress") == "Question 12 of 30"
        answer(fresh, rows[key], number, number % 3 > 0)
    until(fresh, SHOWN, "#ended")
    assert "You answered 30 of 30 questions." in text(fresh, "main") and count(fresh, TOLD) == 0
    click(fresh, "#download")
    file = tmp_path / f"answers-{dataset}-all-1-Ann_B_.jsonl"
    lines = awaited(file)
    assert [line["id"] for line in sorted(lines, key=lambda line: ids.index(line["id"]))] == ids
    assert len(set(ids)) == 30 and all(list(line) == ["id", "response", "seconds", "person"] for line in lines)
    assert all(0 <= line["seconds"] < 60 and line["person"] == "Ann B." for line in lines)
    words = ("--config", "all", "--responses", file, "--report", tmp_path / "report.json", "--reader", "human")
    code, printed, errors = run("score", dataset, "--out", site, *words)
    assert (code, errors) == (0, "") and printed.startswith(f"1 person, answers to {dataset}, all, ")
    scored = json.loads((tmp_path / "report.json").read_text())["table"][0]
    assert (scored["rates"]["accuracy"]["right"], scored["rates"]["unread"]["right"]) == (20, 0)
    assert scored["seconds"] == pytest.approx(sum(line["seconds"] for line in lines) / 30)
    fresh.refresh()
    until(fresh, SHOWN, "#begin")


def test_a_link_draws_the_same_questions_and_another_seed_draws_others(fresh, address, site):
    first, again, other = (sample(fresh, address, f"#mindgames/all?ask=20&seed={seed}") for seed in (1, 1, 2))
    assert first == again and len(set(first)) == 20 and set(first) != set(other)
    rows = {str(row["index"]): row for config, row in rows_of(site, "mindgames") if config == "all"}
    blocks = Counter(rows[key]["block"] for key in first)
    assert set(blocks.values()) == {4}, "blocks are asked whole"
    setups = Counter(rows[key]["setup"] for key in first)
    assert sorted(setups.values()) == [4, 4, 4, 8], "setups are taken in turn"
    stories = sample(fresh, address, "#hi_tom/all?ask=10&seed=3")
    assert [name[-1] for name in stories] == [*"01234"] * 2, "stories are asked whole"


def test_who_stops_hands_over_what_was_answered_and_may_go_on(fresh, address, tmp_path):
    fresh.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    visit(fresh, address, "#mindgames/deep?ask=9&person=ben", "#begin")
    fresh.execute_script("window.confirm = () => true")
    click(fresh, "#begin")
    press(fresh, "n", "t", "f", "n")
    assert text(fresh, "#progress") == "Question 2 of 9", "without a choice n does nothing"
    click(fresh, "#stop")
    assert "You answered 1 of 9 questions." in text(fresh, "main")
    click(fresh, "#goon")
    press(fresh, "t")
    click(fresh, "#stop")
    click(fresh, "#download")
    lines = awaited(tmp_path / "answers-mindgames-deep-0-ben.jsonl")
    assert [(line["response"], line["person"]) for line in lines] == [("False", "ben"), ("True", "ben")]
    click(fresh, "#anew")
    until(fresh, SHOWN, "#begin")


def test_a_browser_that_keeps_nothing_says_so_and_goes_on(fresh, address):
    fresh.execute_script("explorer.keep = () => null")
    visit(fresh, address, "#hi_tom/ladder?ask=3", "#begin")
    click(fresh, "#begin")
    assert "This browser keeps nothing" in text(fresh, ".note")
    for _ in range(3):
        press(fresh, "a", ENTER)
    assert "You answered 3 of 3 questions." in text(fresh, "main")
    fresh.refresh()


def test_a_config_with_fewer_questions_says_how_many(fresh, address, site):
    plans = [row for config, row in rows_of(site, "hi_tom") if config == "plans"]
    visit(fresh, address, "#hi_tom/plans?ask=30", "#begin")
    assert text(fresh, "h1").startswith(f"{len(plans)} question")
    visit(fresh, address, "#hi_tom/all?ask=30&order=9", ".wait")
    assert "no question here" in text(fresh, ".wait")


@pytest.mark.parametrize("place", ["#hi_tom/deep?ask=30", "#hi_tom/plans?ask=30", "#mindgames/deep?ask=30"])
def test_a_question_is_legible_on_a_desk_and_on_a_telephone(fresh, address, place):
    visit(fresh, address, place, "#begin")
    for step in ("#begin", "#next", "#stop"):
        for width in (1280, 390):
            set_look(fresh, width, 800)
            assert ask(fresh, "document.documentElement.scrollWidth") <= width + 1
            assert fresh.execute_script(CONTRAST) == []
        press(fresh, "a" if "hi_tom" in place else "t")
        fresh.execute_script("window.confirm = () => true")
        click(fresh, step)
    until(fresh, SHOWN, "#ended")
