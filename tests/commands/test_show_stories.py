"""Run `show` on stories, and prove that the line it names taught the answer."""

import re

import pytest

from tom_datasets.reader.read_stories import read_question, read_story
from tom_datasets.reader.story_interpretations import believed
from tom_datasets.reader.story_minds import happenings, moments
from tom_datasets.story import config as hi_tom
from tom_datasets.story.meaning import facts_of
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.syntax.record import loads


def test_showing_a_deep_story_says_why_later_lines_taught_nothing(run):
    code, printed, said = run("show", "hi_tom", "--config", "deep", "--index", "2")
    assert (code, said) == (0, "")
    assert printed.startswith("deep-test-000002\n\n1 ")
    assert "published" not in printed and len(re.findall(r", taught by line \d+: ", printed)) == 5
    story, names = read_story(printed.split("\n\n")[1])
    taught = [line + 1 for line in facts_of(story, 0).lines]
    for question in printed.split("\nWhere ")[1:]:
        line = int(re.search(r"taught by line (\d+): ", question)[1])
        later = [int(other) for other in re.findall(r"not by line (\d+): ", question)]
        assert later == [other for other in taught if other > line]


QUESTION = re.compile(
    r"(?P<question>Where .*\?)\n"
    r"  (?P<choices>A\. .*)\n"
    r"  (?P<letter>[A-Z])\. (?P<answer>\w+), taught by line (?P<line>\d+): .*\n"
    r"(?:    not by line \d+: .*\n)*"
    r"  effective order (?P<effective>\d); slot: (?P<slot>first|second|later|claimed)(?P<more>.*)"
    r"(?:\n  disputed: under .*)?"
)


OTHER_SEMANTICS = re.compile(r"under (\w+) semantics: (\w+), line (\d+)")


def shown(printed):
    """Return the story and the questions that were shown."""
    head, story, *parts, _ = printed.strip().split("\n\n")
    return head, story, [QUESTION.fullmatch(part).groupdict() for part in parts]


@pytest.mark.parametrize(
    ("config", "split", "orders"),
    [
        ("all", "test", [0, 1, 2, 3, 4]),
        ("all", "train", [0, 1, 2, 3, 4]),
        ("0th_order", "test", [0]),
        ("4th_order", "validation", [4]),
        ("reproduction", "test", [0, 1, 2, 3, 4]),
        ("tomh", "test", None),
    ],
)
def test_show_names_the_line_that_taught_each_answer(run, config, split, orders):
    """By the second meaning, for both semantics where they differ."""
    semantics = "published" if config == "reproduction" else "recursive"
    for index in (0, 2, 5, 60, 119):
        code, printed, said = run("show", "hi_tom", "--config", config, "--split", split, "--index", index)
        assert (code, said) == (0, "")
        head, text, questions = shown(printed)
        assert head == f"{f'{config}-' * (config in ('tomh', 'reproduction'))}{split}-{index:06d}"
        story, names = read_story(text)
        asked = [read_question(question["question"], names) for question in questions]
        assert [len(one.chain) for one in asked] == (orders or [len(asked[0].chain)])
        for question, shown_as in zip(asked, questions, strict=True):
            choices = dict(choice.split(". ") for choice in shown_as["choices"].split(", "))
            assert choices[shown_as["letter"]] == shown_as["answer"] and len(set(choices.values())) == len(choices)
            given = [(semantics, shown_as["answer"], shown_as["line"]), *OTHER_SEMANTICS.findall(shown_as["more"])]
            for name, container, line in given:
                last = [moment for moment, teaches in moments(story, question, name) if teaches][-1]
                assert (names.containers[last.container], last.line) == (container, int(line))


def test_show_says_where_semantics_and_order_matter(run):
    wanted, index = (
        ["another order of the agents has another answer", "under published semantics: ", "slot: claimed"],
        0,
    )
    while wanted:
        said = run("show", "hi_tom", "--index", index)[1]
        wanted, index = [words for words in wanted if words not in said], index + 1
        assert "under recursive semantics" not in said and index < 60


@pytest.mark.parametrize("config", [hi_tom.TOMH, hi_tom.REPRODUCTION], ids=lambda config: config.name)
def test_show_names_the_readings_that_differ_with_their_answers(run, config):
    """As the tests' own account of the readings has them."""
    made = (story_rows(config, "test", index, *settled) for index, settled in enumerate(plan_of(config, "test")))
    row = next(row for rows in made for row in rows if row["readings"])
    story, names, thing = loads(row["events"])
    chain = tuple(names.agents.index(agent) for agent in row["chain"])
    told = happenings(story, thing)
    expected = {reading: names.containers[believed(told, chain, reading)] for reading in row["readings"]}
    code, printed, said = run("show", "hi_tom", "--id", row["id"])
    assert (code, said) == (0, "") and "; undisputed\n" not in printed
    line = re.search(r"^  disputed: (under .*)$", printed, re.MULTILINE)[1]
    answers = {}
    for part in line.split("; "):
        readings, container = re.fullmatch(r"under (.*) the answer is (\w+)", part).groups()
        answers |= dict.fromkeys(re.findall(r"'([^']+)'", readings), container)
    assert answers == expected and row["answer"] not in answers.values()


def test_who_only_comes_back_is_no_reason_why_a_thing_is_where_it_is(run):
    """In line 14 agents enter the room again, and no line then speaks of its thing."""
    printed = run("show", "hi_tom", "--config", "reproduction", "--index", "6")[1]
    reality = printed.split("\n\n")[2]
    assert ", taught by line 11: it was put there\n" in reality and "by line 14:" not in reality
    assert "    not by line 14: Logan did not see it\n" in printed


@pytest.mark.parametrize("words", [("hi_tom",), ("mindgames", "--config", "reproduction")])
def test_show_is_the_same_each_time_and_another_with_another_seed(run, words):
    first = run("show", *words, "--seed", "3")
    assert first == run("show", *words, "--seed", "3")
    assert first != run("show", *words, "--seed", "4")
    assert run("show", *words, "--seed", str(10**30))[0] == 0
