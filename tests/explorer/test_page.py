"""Open the page in a browser, from disk and from a server, and use it as a visitor does.

TOM_EXPLORER names a written page to take pictures of, instead of that of the tiny builds. TOM_PICTURES names the folder
where they go.
"""

import io
import json
import os
import random
import time
from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from exploring import CONTRAST, SHOWN, ask, click, count, key, press, row_of, rows_of, text, until, visit
from PIL import Image

from tom_datasets import prompts
from tom_datasets.explorer.plans import plan_records
from tom_datasets.story.acting.plans import episode_of_row
from tom_datasets.story.meaning import belief, subchains
from tom_datasets.syntax.formula import LABELS
from tom_datasets.syntax.record import loads

pytestmark = pytest.mark.browser

DRAWN = 25


LANES = """Object.fromEntries(Array.from(document.querySelectorAll("thead th.lane")).map((head, lane) =>
  [head.dataset.chain, document.querySelector(`tbody tr:last-child [data-lane="${lane}"]`).dataset.place]))"""


def test_what_the_lanes_end_with_is_what_the_rows_say(wide, either, site):
    """The final belief of every subchain, and the answer, of drawn rows of all configs."""
    rows = [(config, row) for config, row in rows_of(site, "hi_tom") if config != "plans"]
    for config, row in random.Random(3).sample(rows, DRAWN):
        visit(wide, either, f"#hi_tom/{config}/{row['id']}?show=1", "tbody td.lane")
        story, names, thing = loads(row["events"])
        semantics = "published" if config == "reproduction" else "recursive"
        expected = {}
        for chain in subchains(tuple(names.agents.index(agent) for agent in row["chain"])):
            container = belief(story, chain, thing, semantics)
            lane = ",".join(names.agents[agent] for agent in chain)
            expected[lane] = "" if container is None else names.containers[container]
        assert text(wide, ".head h2") == row["id"]
        assert ask(wide, LANES) == expected
        assert ask(wide, "document.querySelector('#answer').dataset.answer") == row["answer"]
        assert expected[",".join(row["chain"])] == row["answer"]
        shown = ask(wide, "Array.from(document.querySelectorAll('td.line')).map(cell => cell.firstChild.textContent)")
        assert shown == [line.partition(" ")[2] for line in row["story"].split("\n")]


def test_questions_of_many_kinds_show_their_line_their_strike_and_their_endings(wide, either, site):
    rows = pq.read_table(site / "hi_tom" / "abilities" / "test.parquet").to_pylist()
    first = {row["kind"]: row for row in rows}
    for kind, row in first.items():
        visit(wide, either, f"#hi_tom/abilities/{row['id']}?show=1", "tbody td.lane", "ol.because li")
        assert ask(wide, "document.querySelector('#answer').dataset.answer") == row["answer"]
        line = json.loads(row["query"]).get("line")
        now = int(ask(wide, "document.querySelector('tr.now').dataset.line")) + 1
        assert now == (line if kind == "past" else row["n_lines"])
        struck = ask(wide, "Array.from(document.querySelectorAll('tr.struck')).map(row => row.dataset.line)")
        assert struck == ([str(line - 1)] if kind == "what_if" else [])
        if kind in ("past", "what_if"):
            believed = ask(wide, "document.querySelector('tr.now td.chosen').dataset.place")
            assert believed == row["answer"]
        if kind == "tell":
            assert count(wide, "ol.because li") == count(wide, "ol.choices li") == 4
    visit(wide, either, "#hi_tom/abilities", ".bar select")
    choose(wide, "Kind", "tell")
    until(wide, "return location.hash.includes('kind=tell')")
    found = until(wide, "const one = document.querySelector('.steps span'); return one && one.textContent")
    assert found == f"1 of {sum(row['kind'] == 'tell' for row in rows)}"


PLAY = """const view = {item: arguments[0], game: document.createElement("div")};
explorer.planBegin(view);
for (const [kind, which] of arguments[1]) explorer.planStep(view, kind, which);
return [view.played.told, Array.from(view.game.querySelectorAll("li")).map(one => one.textContent),
  view.game.querySelector("[data-won]").dataset.won, view.played.acts]"""


def test_an_episode_is_played_on_the_page_as_it_is_judged(wide, address, site):
    """Random lines, many of them such as cannot be done, and the shortest solutions."""
    row = row_of(site, "hi_tom", "plans")
    visit(wide, address, f"#hi_tom/plans/{row['id']}?show=1", "#answer", "#write", "ol.solution li")
    assert ask(wide, "document.querySelector('#answer').dataset.answer") == row["answer"]
    assert count(wide, "ol.courses li") == 4 and count(wide, "ol.solution li") == row["answer"].count(", then ") + 1
    source, won = random.Random(5), 0
    for _, asked in [one for one in rows_of(site, "hi_tom") if one[0] == "plans"]:
        (record,) = plan_records([asked], {"language": "en"})
        episode = episode_of_row(asked)
        kinds = range(len(record["lines"]))
        lines = ask(wide, "arguments[1].map(kind => explorer.planLines(arguments[0], kind))", record, [*kinds])
        places = {line: (kind, which) for kind in kinds for which, line in enumerate(lines[kind])}
        assert places.keys() == episode.legal.keys()
        plans = [[source.choice(source.choice(lines)) for _ in episode.solution] for _ in range(60)]
        for plan in [record["solution"], *plans]:
            episode.reset()
            seen = "\n".join(episode.step(line).observation for line in plan)
            told, shown, ended, acts = wide.execute_script(PLAY, record, [places[line] for line in plan])
            assert (ended == "1", acts) == (episode.reward == 1.0, episode.acts)
            for line in told + shown:
                assert line.replace("“", '"').replace("”", '"') in seen, (line, seen)
            won += ended == "1"
    assert won >= 2


def test_a_visitor_plays_line_by_line(wide, address, site):
    row = row_of(site, "hi_tom", "plans")
    visit(wide, address, "#hi_tom/plans", "#write")
    turns = episode_of_row(row).game.turns
    for turn in range(turns):
        assert f"Your line {turn + 1} of {turns}" in text(wide, ".panel .bar")
        click(wide, "#write")
    assert text(wide, "[data-won] strong").startswith("Not won with 0 acts; ")
    click(wide, "#anew")
    choose(wide, f"Your line 1 of {turns}", "4")
    assert count(wide, ".panel select") == 2 and count(wide, "ol.played li") == 0
    click(wide, "#write")
    assert " publicly claimed that " in text(wide, "ol.played li")


def test_problems_have_the_labels_of_the_rows(wide, either, site):
    rows = [(config, row) for config, row in rows_of(site, "mindgames") if row["rounds"] is None]
    for config, row in random.Random(4).sample(rows, DRAWN):
        visit(wide, either, "#", ".cards")  # the page may show the same problem in another language
        visit(wide, either, f"#mindgames/{config}/{row['index']}?show=1", f"[data-problem='{row['index']}']")
        label = ask(wide, "document.querySelector(arguments[0]).dataset.answer", f"[data-problem='{row['index']}']")
        assert label == row["label"]
        verdict = text(wide, "#verdict")
        assert verdict.endswith("it follows." if row["label"] == "entailment" else "it does not follow.")
        if row["n_agents"] <= 4:
            shown = count(wide, "g.world.so, g.world.left")
            assert shown == row["n_worlds"] and count(wide, "g.world") == 2 ** row["n_agents"]


@pytest.mark.parametrize("later", [False, True])
def test_a_puzzle_in_rounds_shows_each_round_when_its_answer_shows(wide, address, site, later):
    row = row_of(site, "mindgames", "rounds", lambda row: (row["first_yes"] is None) == later)
    assert row["n_worlds_before"] < 90, "all worlds are drawn"
    block = f"#mindgames/rounds/{row['index']}"
    visit(wide, address, f"{block}?ask=1", "[data-step]")
    assert count(wide, "[data-step]") == 1 and count(wide, "#verdict") == 0
    visit(wide, address, f"{block}?show=1", "#verdict")
    so = "True" if row["label"] == "entailment" else "False"
    assert text(wide, "#verdict") == f"{so} in the case described."
    assert count(wide, "[data-step]") >= 2 + row["rounds"]
    for number, left in enumerate(row["worlds_by_round"]):
        click(wide, f"[data-step='{number}']")
        assert count(wide, ".world[data-state='left']") == left


def test_arrow_keys_step_through_a_story(wide, address, site):
    row = row_of(site, "hi_tom", "deep", lambda row: row["order"] == 4)
    visit(wide, address, f"#hi_tom/deep/{row['id']}?show=1", "tbody td.lane")
    last = row["n_lines"]
    now = "Number(document.querySelector('tr.now').dataset.line) + 1"
    assert ask(wide, now) == last
    press(wide, key("HOME"))
    assert ask(wide, now) == 1 and count(wide, "tr.later") == last - 1
    press(wide, key("ARROW_DOWN"))
    assert ask(wide, now) == 2 and "line=2" in wide.current_url
    why = text(wide, ".reason")
    assert row["story"].split("\n")[1].partition(" ")[2] in why and "Taught here: " in why
    press(wide, key("ARROW_LEFT"))
    assert count(wide, "td.chosen") == 1 and "lane=" in wide.current_url
    press(wide, key("END"), key("ARROW_DOWN"), key("ARROW_DOWN"))
    assert ask(wide, now) == last


def test_a_link_keeps_line_lane_and_filters(wide, either, site):
    row = row_of(site, "hi_tom", "deep", lambda row: row["order"] == 2)
    visit(wide, either, f"#hi_tom/deep/{row['id']}?order=2&line=5&lane=really&show=1", "tr.now")
    assert ask(wide, "document.querySelector('tr.now').dataset.line") == "4"
    assert ask(wide, "document.querySelector('th.chosen').dataset.chain") == ""
    assert ask(wide, "Array.from(document.querySelectorAll('.bar select')).map(one => one.value)")[2] == "2"
    press(wide, "n")
    until(wide, "return document.querySelector('.head h2').textContent !== arguments[0]", row["id"])
    assert "order=2" in wide.current_url and wide.current_url.split("?")[0].endswith("-2")
    visit(wide, either, "#hi_tom/3rd_order", ".head h2")
    assert text(wide, ".head h2").endswith("-3")


def level(row):
    """Return the difficulty of a row as the filter calls it; None where no probe scored it."""
    if row["difficulty"] is None:
        return None
    return "easy" if row["difficulty"] < 0.5 else "medium" if row["difficulty"] < 1 else "hard"


def choose(browser, label, value):
    """Choose a value of the filter with this label."""
    field = (
        "Array.from(document.querySelectorAll('.bar .field')).find(one => one.firstChild.textContent === arguments[1])"
    )
    change = "one.value = arguments[0]; one.dispatchEvent(new Event('change'))"
    browser.execute_script(f"const one = {field}.querySelector('select'); {change}", value, label)


FILTERS = {
    "hi_tom": {
        ("Order", "order"): lambda row: row["order"],
        ("Rung", "rung"): lambda row: row["rung"],
        ("Minds needed", "needs"): lambda row: row["effective_order"],
        ("Undisputed", "undisputed"): lambda row: row["undisputed"],
        ("Claims", "claims"): lambda row: row["n_claims"],
    },
    "mindgames": {
        ("Setup", "setup"): lambda row: row["setup"],
        ("Agents", "agents"): lambda row: row["n_agents"],
        ("Order", "order"): lambda row: row["hypothesis_depth"] + 1,
        ("Rung", "rung"): lambda row: row["rung"],
        ("Announcements needed", "needs"): lambda row: row["needs_announcements"],
    },
}


@pytest.mark.parametrize(
    ("dataset", "config"),
    [
        *(("hi_tom", config) for config in ("all", "tomh", "deep", "ladder")),
        *(("mindgames", config) for config in ("all", "deep", "ladder", "reproduction")),
    ],
)
def test_filters_choose_questions_and_blocks_of_which_a_problem_fits(wide, address, site, dataset, config):
    units = defaultdict(list)
    for of, row in rows_of(site, dataset):
        if of == config:
            units[row["id"] if dataset == "hi_tom" else row["block"] or str(row["index"])].append(row)
    for (label, name), value_of in (FILTERS[dataset] | {("Difficulty", "difficulty"): level}).items():
        values = {unit: {str(value_of(row)).lower() for row in rows} for unit, rows in units.items()}
        every = set().union(*values.values())
        for value in sorted(every - {"none"}) if len(every) > 1 or label == "Difficulty" else ():
            visit(wide, address, f"#{dataset}/{config}", ".bar select")
            choose(wide, label, value)
            until(wide, "return location.hash.includes(arguments[0])", f"{name}={value}")
            found = until(wide, "const one = document.querySelector('.steps span'); return one && one.textContent")
            assert found == f"1 of {sum(value in of for of in values.values())}"
            assert value in values[text(wide, ".head h2")]


def test_filters_that_no_question_fits_say_so(wide, address):
    visit(wide, address, "#hi_tom/tomh?order=1&needs=9", ".wait")
    assert "“any”" in text(wide, ".wait")


def test_an_arrow_leads_to_the_line_that_a_container_is_named_by(wide, address, site):
    visit(wide, address, "#hi_tom/woven?rung=3&show=1", "button.hop")
    assert len(wide.find_elements("css selector", "button.hop")) == 3 and "It takes 4 steps." in text(wide, ".notes")
    line = wide.execute_script(
        "document.querySelector('button.hop').click(); return document.querySelector('tr.now').dataset.line"
    )
    assert line == wide.find_element("css selector", "button.hop").get_attribute("data-hop")


def test_a_cell_under_the_mouse_says_its_reason(wide, address, site):
    visit(wide, address, "#hi_tom/deep?order=3&show=1", "td.missed", "td.taught")
    point = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))"
    for cell, words in (("td.taught", "Taught here: "), ("td.missed[data-lane='7']", "Not taught here: ")):
        wide.execute_script(point, cell)
        assert words in text(wide, ".reason")


@pytest.mark.parametrize(("dataset", "column"), [("hi_tom", "question"), ("mindgames", "hypothesis")])
def test_the_language_of_what_is_shown_can_be_chosen(wide, address, site, dataset, column):
    """The same question stays, and so does the language where another config or id is chosen."""
    named = "id" if dataset == "hi_tom" else "block"
    row = row_of(site, dataset, "deep_zh", lambda row: dataset == "mindgames" or row["order"] == 3)
    visit(wide, address, f"#{dataset}/deep/{row[named]}", ".bar select")
    choose = (
        "const select = [...document.querySelectorAll('.bar label')].find(one => one.innerText.startsWith("
        "arguments[0])).querySelector('select'); select.value = arguments[1]; "
        "select.dispatchEvent(new Event('change', { bubbles: true }))"
    )
    wide.execute_script(choose, "Language", "deep_zh")
    until(wide, f"return document.querySelector('main').innerText.includes({json.dumps(row[column])})")
    wide.execute_script(choose, "Config", "ladder")
    until(wide, f"return location.hash.startsWith('#{dataset}/ladder_zh')")


def test_an_id_leads_to_its_config_and_an_unknown_one_is_said(wide, address, site):
    visit(wide, address, "#hi_tom/all", ".bar input")
    wide.execute_script(
        "document.querySelector('.bar input').value = 'tomh-test-000005'; "
        "document.querySelector('.bar').dispatchEvent(new Event('submit', { cancelable: true }))"
    )
    until(
        wide,
        "const one = document.querySelector('.head h2'); return one && one.textContent.startsWith('tomh-test-000005')",
    )
    visit(wide, address, "#hi_tom/all/nobody-1", ".note")
    assert "There is no nobody-1 in all." in text(wide, "[role=alert]")


def test_answers_are_hidden_until_they_are_asked_for_and_counted_once(wide, address, site):
    row = row_of(site, "hi_tom", "all", lambda row: row["order"] == 1)
    visit(wide, address, "#", ".cards")
    wide.execute_script("localStorage.clear()")
    visit(wide, address, f"#hi_tom/all/{row['id']}", ".choices button")
    hidden = "document.querySelectorAll('td.lane, #answer, .choices .right, .choices [class*=\" c\"]').length"
    assert ask(wide, hidden) == 0 and ask(wide, "document.querySelector('.reason').hidden")
    wrong = (row["answer_index"] + 1) % len(row["choices"])
    click(wide, f"[data-choice='{wrong}']")
    until(wide, SHOWN, "#answer")
    said = text(wide, ".notes")
    assert said.startswith(f"No: {row['answer']}.") and "The probe says " in said
    score = text(wide, ".score")
    assert score == f"You: 0 of 1 right. The probe: {int(row['deberta_pred'] == row['answer_index'])} of these 1."
    press(wide, "a")
    assert ask(wide, hidden) == 0
    click(wide, f"[data-choice='{row['answer_index']}']")
    assert text(wide, ".notes").startswith("Right.")
    assert text(wide, ".score") == score, "only the first answer counts"
    visit(wide, address, "#hi_tom/deep", ".unscored")
    assert "no scores of the probe" in text(wide, ".unscored")


@pytest.mark.parametrize(("dataset", "whole", "name"), [("hi_tom", "story_id", "id"), ("mindgames", "block", "index")])
def test_answers_of_who_is_only_asked_are_a_response_file(wide, address, site, tmp_path, run, dataset, whole, name):
    """Whatever is clicked, nothing is told of the answers; of a story or block all but the last reply are right."""
    wide.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    visit(wide, address, "#", ".cards")
    wide.execute_script("localStorage.clear()")
    rows = [row for config, row in rows_of(site, dataset) if config == "deep"]
    rows = [row for row in rows if row[whole] == rows[0][whole]]
    told = "document.querySelector('.right, .wrong, #answer, #verdict, #show, td.lane')"
    helps = "Array.from(document.querySelectorAll('.who, .timeline small, g.world')).filter(one => one.offsetParent)"
    for number, row in enumerate(rows, 1):
        visit(wide, address, f"#{dataset}/deep/{row[name]}?ask=1&show=1", "#ask:checked", ".rules")
        wrong = number == len(rows)
        if dataset == "hi_tom":
            button = f"[data-choice='{(row['answer_index'] + wrong) % len(row['choices'])}']"
        else:
            label = LABELS[(row["label"] == "entailment") != wrong]
            button = f"li:has([data-problem='{row[name]}']) [data-label='{label}']"
        click(wide, button)
        press(wide, "a")
        assert ask(wide, told) is None and ask(wide, helps) == []
        assert text(wide, ".score") == f"{number} answered."
        assert "Noted: " in text(wide, "main")
    click(wide, "#download")
    file = tmp_path / f"answers-{dataset}-deep.jsonl"
    end = time.monotonic() + 15
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.02)
    assert all(list(json.loads(line)) == ["id", "response"] for line in file.read_text().splitlines())
    words = ("--config", "deep", "--responses", file, "--partial", "--report", tmp_path / "report.json")
    code, _, errors = run("score", dataset, "--out", site, *words)
    assert code == 0, errors
    scored = json.loads((tmp_path / "report.json").read_text())["scores"]["all"]["tables"]["all"]["all"]
    shares = [(scored[share]["right"], scored[share]["rows"]) for share in ("accuracy", "unread")]
    assert shares == [(len(rows) - 1, len(rows)), (0, len(rows))]


def test_the_rules_of_a_prompt_stand_folded_beside_each_question(wide, address, site):
    for dataset in ("hi_tom", "mindgames"):
        row = row_of(site, dataset, "deep")
        visit(wide, address, f"#{dataset}/deep/{row.get('id', row.get('index'))}", "details.rules:not([open])")
        assert text(wide, ".rules p") == prompts.rules_of(row)
        click(wide, ".rules summary")
        until(wide, "return explorer.rulesOpen")
        press(wide, "n")
        until(wide, SHOWN, "details.rules[open]")
        wide.execute_script("explorer.rulesOpen = false")


@pytest.mark.parametrize(("dataset", "world"), [("hi_tom", "ward"), ("mindgames", "exam")])
def test_a_story_and_a_block_stand_beside_what_another_world_says(wide, address, site, dataset, world):
    named, column = ("story_id", "story") if dataset == "hi_tom" else ("block", "premise")
    row, told = (row_of(site, dataset, config) for config in ("deep", f"deep_{world}"))
    assert row[named] == told[named]
    visit(wide, address, f"#{dataset}/deep/{row.get('id', row.get('index'))}", f"details[data-world={world}]")
    click(wide, f"details[data-world={world}] summary")
    shown = text(wide, f"details[data-world={world}] table")
    first = [one[column].split("\n")[0].removeprefix("1 ") for one in (row, told)]
    assert all(sentence in shown for sentence in first) and shown.startswith(f"house{world}1")


def test_announcements_and_hypothesis_are_steps(wide, address, site):
    row = row_of(site, "mindgames", "deep", lambda row: row["hypothesis_depth"] >= 1)
    visit(wide, address, f"#mindgames/deep/{row['index']}", "[data-step]")
    steps = "document.querySelectorAll('[data-step]').length"
    assert ask(wide, steps) == row["n_announcements"] + 2 and ask(wide, "document.querySelector('#verdict')") is None
    assert count(wide, ".cards4 .right") == 0
    press(wide, key("HOME"))
    possible = "document.querySelectorAll('g.world.left, .world:not(.gone):not(g)').length"
    assert ask(wide, possible) == 2 ** row["n_agents"]
    press(wide, key("ARROW_DOWN"))
    assert ask(wide, possible) == 2 ** row["n_agents"] - 1, "someone …"
    before = text(wide, ".agents [aria-pressed=true]")
    press(wide, key("ARROW_RIGHT"))
    assert text(wide, ".agents [aria-pressed=true]") != before
    press(wide, "a")
    assert ask(wide, steps) == row["n_announcements"] + 2 + row["hypothesis_depth"] + 2
    assert count(wide, ".cards4 .right") == 4


def test_the_audit_shows_each_rule_and_follows_the_keys(wide, address):
    visit(wide, address, "#audit/mindgames?group=all&rule=TF-IDF", "[data-rule]")
    chosen = "document.querySelector('.rulelist [aria-pressed=true]').dataset.rule"
    assert ask(wide, chosen) == "TF-IDF"
    label = ask(wide, "document.querySelector('[data-rule=\"hypothesis alone\"]').getAttribute('aria-label')")
    assert "published 87.1 % (86–88), 11,174 rows" in label or "published 87.1 %" in label
    press(wide, key("ARROW_DOWN"))
    assert ask(wide, chosen) != "TF-IDF" and "rule=" in wide.current_url
    assert count(wide, "table.plain tbody tr") > 8


def test_a_page_of_keys_alone(wide, address):
    """Tab reaches every tab, button and choice, and what has the focus is outlined."""
    visit(wide, address, "#", ".cards")
    reached = []
    for _ in range(12):
        press(wide, key("TAB"))
        reached.append(ask(wide, "document.activeElement.textContent.trim()"))
        assert ask(wide, "getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert {"Stories", "Problems", "Audit", "Open a story"} <= set(reached)


@pytest.mark.parametrize(("width", "zoom"), [(390, 1), (1280, 2)])
@pytest.mark.parametrize("place", ["#", "#hi_tom/deep?show=1", "#mindgames/deep?show=1", "#audit"])
def test_no_page_is_wider_than_the_window(wide, address, width, zoom, place):
    """On a telephone, and at 200 %: only the lanes and tables scroll sideways, each in its own box."""
    size = {"width": width // zoom, "height": 800, "deviceScaleFactor": zoom, "mobile": width < 600}
    wide.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    visit(wide, address, place, "main > *:not(.wait)")
    assert ask(wide, "document.documentElement.scrollWidth") <= width // zoom + 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", ["#", "#hi_tom/deep?show=1", "#mindgames/deep?show=1", "#audit"])
def test_texts_stand_out_from_their_ground(wide, address, scheme, place):
    """WCAG's 4.5 to 1, in light and in dark."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    wide.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    visit(wide, address, place, "main > *:not(.wait)")
    assert wide.execute_script(CONTRAST) == []


def test_nothing_is_loaded_from_elsewhere_and_it_is_painted_before_other_data(wide, either, site):
    wide.get("about:blank")
    wide.get(either)
    until(wide, SHOWN, ".cards")
    loaded = ask(wide, "Array.from(document.querySelectorAll('[src], link')).map(one => one.src || one.href)")
    loaded += ask(wide, "performance.getEntriesByType('resource').map(one => one.name)")
    top = either.removesuffix("index.html")
    assert loaded and [name for name in loaded if not name.startswith((top, "data:"))] == []
    assert {name for name in loaded if "/data/" in name} == {f"{top}data/index.js"}, "other data wait"
    assert until(wide, "return performance.getEntriesByName('first-contentful-paint').length")


def test_on_paper_there_is_the_story_and_no_bar(wide, address):
    visit(wide, address, "#hi_tom/deep?show=1", "tbody td.lane")
    wide.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert ask(wide, "getComputedStyle(document.querySelector('.bar')).display") == "none"
    assert ask(wide, "getComputedStyle(document.querySelector('.board')).overflow") == "visible"


VIEWS = {
    "start": ("#", ".cards"),
    "stories": ("#hi_tom/deep?order=4&show=1&line=19", "td.chosen"),
    "problems": ("#mindgames/deep?agents=3&agent=1&step=3", "g.world"),
    "audit": ("#audit/mindgames?group=all&rule=hypothesis+alone", "[data-rule]"),
}
MOST_BYTES = 150_000


@pytest.mark.parametrize("view", VIEWS)
def test_pictures_of_the_views(wide, site, tmp_path, view):
    page = Path(os.environ.get("TOM_EXPLORER", site / "explorer")).resolve() / "index.html"
    place, awaited = VIEWS[view]
    size = {"width": 1280, "height": 1080, "deviceScaleFactor": 1, "mobile": False}
    wide.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    visit(wide, page.as_uri(), "#", ".cards")
    wide.execute_script("localStorage.clear()")
    visit(wide, page.as_uri(), place, awaited)
    picture = Path(os.environ.get("TOM_PICTURES", tmp_path)) / f"explorer-{view}.png"
    shot = Image.open(io.BytesIO(wide.get_screenshot_as_png()))
    shot.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(picture, optimize=True)
    assert 10_000 < picture.stat().st_size < MOST_BYTES
