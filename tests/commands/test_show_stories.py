"""Run `show` on stories, and prove that the line it names taught the answer."""

import re

import pytest
from support import DEEP, refused

from tom_datasets.hi_tom import builder as hi_tom
from tom_datasets.proof.read_stories import read_story
from tom_datasets.proof.story_minds import happenings
from tom_datasets.proof.story_readings import believed
from tom_datasets.story.meaning import lessons_about, teacher
from tom_datasets.story.reasons import obstacle_of, reason_of, say_obstacle
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.syntax.events import Enter, Move, Place, Tell
from tom_datasets.syntax.record import loads
from tom_datasets.wording.languages import templates


def test_showing_a_deep_story_says_why_later_lines_taught_nothing(run):
    code, printed, said = run("show", "hi_tom", "--config", "deep", "--index", "2")
    assert (code, said) == (0, "")
    assert printed.startswith("deep-test-000002\n\n1 ")
    assert "published" not in printed and len(re.findall(r", taught by line \d+: ", printed)) == 5
    story, names = read_story(printed.split("\n\n")[1])
    taught = [lesson.line + 1 for lesson in lessons_about(story, 0)]
    for question in printed.split("\nWhere ")[1:]:
        line = int(re.search(r"taught by line (\d+): ", question)[1])
        later = [int(other) for other in re.findall(r"not by line (\d+): ", question)]
        assert later == [other for other in taught if other > line]


@pytest.mark.parametrize(
    ("chain", "reason", "obstacles"),
    [
        ("", "9 it was put there", ["12 words move nothing", "13 words move nothing"]),
        ("Ben", "13 Ben trusts Cleo", []),
        (
            "Cleo",
            "7 Cleo saw it",
            ["9 Cleo did not see it", "12 Cleo does not trust Ben", "13 Cleo said it"],
        ),
        (
            "Ann Ben",
            "5 Ann watched, and Ben saw it",
            [
                "7 Ben did not see it",
                "9 Ben did not see it",
                "12 Ann watched, and does not trust Ben",
                "13 Ann did not hear it",
            ],
        ),
        ("Ann", "9 Ann watched", ["12 Ann watched, and does not trust Ben", "13 Ann did not hear it"]),
        ("Ben Ann", "12 Ann trusts Ben, for all Ben can tell", ["13 Ann did not hear it"]),
        ("Ben Cleo", "13 Ben trusts Cleo, and takes Cleo to mean it", []),
        ("Ben Dan", "12 Ben takes Dan to trust what Ben says", ["13 Dan did not hear it"]),
        ("Cleo Ben Dan", "12 Ben takes Dan to trust what Ben says, as Cleo knows", ["13 Dan did not hear it"]),
        (
            "Ben Cleo Dan",
            "5 Ben, Cleo and Dan saw it",
            [
                "7 Ben did not see it",
                "9 Ben and Cleo did not see it",
                "12 Dan does not trust Ben",
                "13 Dan did not hear it",
            ],
        ),
        (
            "Dan Ann Ben",
            "12 Ann trusts Ben, and takes Ben to mean it, for all Dan can tell",
            ["13 Dan and Ann did not hear it"],
        ),
        (
            "Dan Ann Cleo",
            "2 Dan, Ann and Cleo saw it",
            [
                "5 Ann saw it in secret",
                "7 Ann saw it in secret",
                "9 Cleo did not see it",
                "12 Cleo does not trust Ben",
                "13 Dan and Ann did not hear it",
            ],
        ),
    ],
)
def test_why_a_line_taught_a_chain_and_others_did_not(chain, reason, obstacles):
    story, names = read_story(DEEP)
    asked = tuple(names.agents.index(name) for name in chain.split())
    taught, say = lessons_about(story, 0), templates("en").get_template("show.jinja").module
    lesson = teacher(taught, asked, "recursive")
    assert f"{lesson.line + 1} {reason_of(lesson, asked, names, say)}" == reason
    later = [later for later in taught if later.line > lesson.line]
    said = [say_obstacle(obstacle_of(passed, asked), names, say) for passed in later]
    assert [f"{passed.line + 1} {why}" for passed, why in zip(later, said, strict=True)] == obstacles


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


def lines_that_teach(text, thing, line, container):
    """Return whether this line says, or by an Enter shows, that the thing is in the container."""
    story, names = read_story(text)
    thing, container = names.things.index(thing), names.containers.index(container)
    place = room = entered = None
    for number, event in enumerate(story.events, 1):
        told = False
        match event:
            case Enter(_, into):
                entered = into
                told = place == container and room == into
            case Place(placed, where) if placed == thing:
                place, room = where, entered
                told = where == container
            case Move(_, moved, where) if moved == thing:
                place = where
                told = where == container
            case Tell(_, _, about, where) if about == thing:
                told = where == container
        if number == line:
            return told
    return False


@pytest.mark.parametrize(
    ("config", "split", "orders"),
    [
        ("all", "test", range(5)),
        ("all", "train", range(5)),
        ("all", "validation", range(5)),
        ("0th_order", "test", [0]),
        ("4th_order", "test", [4]),
        ("reproduction", "test", range(5)),
        ("tomh", "test", None),
    ],
)
def test_show_names_the_line_that_taught_each_answer(run, config, split, orders):
    for index in (0, 1, 2, 3, 5, 8, 60, 119):
        code, printed, said = run("show", "hi_tom", "--config", config, "--split", split, "--index", index)
        assert (code, said) == (0, "")
        head, story, questions = shown(printed)
        prefix = "" if config not in ("tomh", "reproduction") else f"{config}-"
        assert head == f"{prefix}{split}-{index:06d}"
        minds = [len(re.findall(r"\b(?:thinks?|search(?:es)?)\b(?! that)", q["question"])) for q in questions]
        if orders is None:
            assert len(questions) == 1
        elif orders != [4] and orders != [0]:
            assert minds == list(orders)
        else:
            assert minds == orders
        for q in questions:
            choices = dict(choice.split(". ") for choice in q["choices"].split(", "))
            assert choices[q["letter"]] == q["answer"]
            assert len(set(choices.values())) == len(choices)
            thing = re.search(r"the (\w+)", q["question"])[1]
            assert lines_that_teach(story, thing, int(q["line"]), q["answer"])
            for _, container, line in OTHER_SEMANTICS.findall(q["more"]):
                assert container != q["answer"]
                assert lines_that_teach(story, thing, int(line), container)


def test_show_says_where_semantics_and_order_matter(run):
    said = ""
    for index in range(60):
        said += run("show", "hi_tom", "--index", index)[1]
    assert "; another order of the agents has another answer" in said
    assert "; under published semantics: " in said
    assert "under recursive semantics" not in said
    assert "slot: claimed" in said


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


def test_readings_are_listed_by_their_answer():
    say = templates("en").get_template("show.jinja").module
    answers = [(["visit", "last exit", "outranked"], "red_box"), (["placed only"], None)]
    assert say.disputed(answers) == (
        "disputed: under 'visit', 'last exit' and 'outranked' the answer is red_box; "
        "under 'placed only' there is no answer"
    )


def test_show_says_that_a_question_is_undisputed(run):
    printed = run("show", "hi_tom", "--config", "deep")[1]
    assert printed.count("; undisputed\n") == 5 and "disputed: " not in printed


def test_who_only_comes_back_is_no_reason_why_a_thing_is_where_it_is(run):
    """In line 14 agents enter the room again, and no line then speaks of its thing."""
    printed = run("show", "hi_tom", "--config", "reproduction", "--index", "6")[1]
    reality = printed.split("\n\n")[2]
    assert ", taught by line 11: it was put there\n" in reality and "by line 14:" not in reality
    assert "    not by line 14: Logan did not see it\n" in printed


def test_show_is_the_same_each_time_and_another_with_another_seed(run):
    first = run("show", "hi_tom", "--seed", "3")
    assert first == run("show", "hi_tom", "--seed", "3")
    assert first != run("show", "hi_tom", "--seed", "4")
    assert run("show", "hi_tom", "--seed", str(10**30))[0] == 0


def test_show_is_the_story_that_a_build_of_default_size_has(run):
    """A row is a function of config with its sizes, seed, split and index."""
    target, letters = plan_of(hi_tom.ALL, "test")[7]
    row = story_rows(hi_tom.ALL, "test", 7, target, letters)[4]
    head, story, questions = shown(run("show", "hi_tom", "--index", "7")[1])
    assert (head, story) == (row["story_id"], row["story"])
    assert (questions[4]["question"], questions[4]["answer"]) == (row["question"], row["answer"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--config", "5th_order"], ["unknown config '5th_order'; the configs are all, 0th_order, 1st_order"]),
        (["--config", ""], ["unknown config ''; the configs are ", "tomh", "reproduction"]),
        (["--config", "tomh", "--split", "train"], ["tomh has no split train; it has test"]),
        (["--config", "reproduction", "--split", "validation"], ["reproduction has no split validation; it has test"]),
        (["--index", "480"], ["--index is 480; the test split of all has 0 to 479"]),
        (["--index", "-1"], ["--index is -1; the test split of all has 0 to 479"]),
        (["--config", "tomh", "--index", "1800"], ["--index is 1800; the test split of tomh has 0 to 1799"]),
        (["--config", "3rd_order", "--split", "train", "--index", "2400"], ["of 3rd_order has 0 to 2399"]),
    ],
)
def test_what_cannot_be_shown(run, arguments, words):
    refused(run("show", "hi_tom", *arguments), *words)
