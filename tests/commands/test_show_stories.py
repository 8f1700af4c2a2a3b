"""Run `show` on stories, and prove that the line it names taught the answer."""

import re

import pytest
from support import DEEP, SECRETS

from tom_datasets.proof.read_stories import read_question, read_story
from tom_datasets.proof.story_minds import happenings, moments
from tom_datasets.proof.story_readings import believed
from tom_datasets.story import config as hi_tom
from tom_datasets.story.meaning import RULES, facts_of
from tom_datasets.story.reasons import all_of, obstacles_of, reason_of, say_obstacle
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.syntax.record import loads
from tom_datasets.wording.languages import templates


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


WHY = """\
: 9 it was put there; 12 words move nothing; 13 words move nothing
Ben: 13 Ben trusts Cleo
Cleo: 7 Cleo saw it; 9 Cleo did not see it; 12 Cleo does not trust Ben; 13 Cleo said it
Ann Ben: 5 Ann watched, and Ben saw it; 7 Ben did not see it; 9 Ben did not see it; \
12 Ann watched, and does not trust Ben; 13 Ann did not hear it
Ann: 9 Ann watched; 12 Ann watched, and does not trust Ben; 13 Ann did not hear it
Ben Ann: 12 Ann trusts Ben, for all Ben can tell; 13 Ann did not hear it
Ben Cleo: 13 Ben trusts Cleo, and takes Cleo to mean it
Ben Dan: 12 Ben takes Dan to trust what Ben says; 13 Dan did not hear it
Cleo Ben Dan: 12 Ben takes Dan to trust what Ben says, as Cleo knows; 13 Dan did not hear it
Ben Cleo Dan: 5 Ben, Cleo and Dan saw it; 7 Ben did not see it; 9 Ben and Cleo did not see it; \
12 Dan does not trust Ben; 13 Dan did not hear it
Dan Ann Ben: 12 Ann trusts Ben, and takes Ben to mean it, for all Dan can tell; 13 Dan and Ann did not hear it
Dan Ann Cleo: 2 Dan, Ann and Cleo saw it; 5 Dan did not know that Ann saw it; 7 Dan did not know that Ann saw it; \
9 Cleo did not see it; 12 Cleo does not trust Ben; 13 Dan and Ann did not hear it
"""
WHY_IN_SECRET = """\
: 11 it was put there; 14 words move nothing; 17 words move nothing
Ann: 11 Ann watched; 14 Ann watched, and does not trust Eve; 17 it is about the thoughts of Cleo
Cleo: 11 Cleo watched; 14 Cleo did not hear it; 17 it does not change what Cleo thinks
Cleo Ben: 11 Cleo noticed Ben watching; 14 Cleo did not hear it; 17 it is about the thoughts of Cleo
Cleo Ben Ann: 11 Cleo noticed Ben watching, Ben noticed Ann watching; 14 Cleo did not hear it; \
17 it is about the thoughts of Cleo
Cleo Ben Ann Dan Eve: 9 Cleo noticed Ben watching, Ben noticed Ann watching, and Dan and Eve saw it; \
11 Dan did not see it; 14 Cleo did not hear it; 17 it is about the thoughts of Cleo
Cleo Ben Eve: 11 Cleo noticed Ben watching, and Eve saw it; 14 Cleo did not hear it; \
17 it is about the thoughts of Cleo
Ann Ben: 2 Ann and Ben saw it; 9 Ann did not know that Ben saw it; 11 Ann did not know that Ben saw it; \
14 Ann did not know that Ben heard it; 17 it is about the thoughts of Cleo
Ben Ann: 11 Ben noticed Ann watching; 14 Ann watched, and does not trust Eve; 17 it is about the thoughts of Cleo
Dan Ann: 14 Dan overheard it, and Ann trusts Eve, for all Dan can tell; 17 it is about the thoughts of Cleo
Ben Dan: 9 Ben watched, and Dan saw it; 11 Dan did not see it; 14 Ben did not know that Dan heard it; \
17 it is about the thoughts of Cleo
Dan Ben: 14 Dan noticed Ben listening, and Ben trusts Eve, for all Dan can tell; 17 it is about the thoughts of Cleo
Dan Ben Eve: 14 Dan noticed Ben listening, and Ben trusts Eve, and takes Eve to mean it, for all Dan can tell; \
17 it is about the thoughts of Cleo
Dan Ben Eve Ann: 14 Dan noticed Ben listening, and Ann trusts Eve, for all Dan, Ben and Eve can tell; \
17 it is about the thoughts of Cleo
Ben Eve Ann: 14 Ben overheard it, and Ann trusts Eve, for all Ben and Eve can tell; 17 it is about the thoughts of Cleo
Dan Cleo: 2 Dan and Cleo saw it; 9 Dan did not know that Cleo saw it; 11 Dan did not see it; \
14 Cleo did not hear it; 17 Dan said it
Dan Eve Cleo: 17 Dan takes Eve to trust what Dan says
Ann Dan Cleo: 2 Ann, Dan and Cleo saw it; 9 Dan did not know that Cleo saw it; 11 Dan did not see it; \
14 Cleo did not hear it; 17 Ann watched, and does not trust Dan
Ann Ben Cleo: 17 Ann overheard it, and Ben trusts Dan, for all Ann can tell
Ann Dan Eve Cleo: 17 Ann overheard it, and Dan takes Eve to trust what Dan says, as Ann knows
Eve Ann Cleo: 2 Eve, Ann and Cleo saw it; 9 Eve did not know that Ann saw it; 11 Eve did not know that Ann saw it; \
14 Cleo did not hear it; 17 Eve did not know that Ann heard it
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [(text, line) for text, why in ((DEEP, WHY), (SECRETS, WHY_IN_SECRET)) for line in why.splitlines()],
)
def test_why_a_line_taught_a_chain_and_later_ones_did_not(text, line):
    chain, _, why = line.partition(": ")
    story, names = read_story(text)
    asked = tuple(names.agents.index(name) for name in chain.split())
    facts, say = facts_of(story, 0), templates("en").get_template("show.jinja").module
    taught = RULES["recursive"](facts, asked).bit_length() - 1
    said = [f"{facts.lines[taught] + 1} {reason_of(facts, taught, asked, names, say)}"]
    for later in range(taught + 1, len(facts.lines)):
        obstacle = say_obstacle(all_of(obstacles_of(facts, later, asked)), names, say)
        said.append(f"{facts.lines[later] + 1} {obstacle}")
    assert "; ".join(said) == why


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
    for index in (0, 1, 2, 3, 5, 8, 60, 119):
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
                last = [moment for moment in moments(story, question, name) if moment.learned is not None][-1]
                assert (names.containers[last.learned], last.line) == (container, int(line))


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


@pytest.mark.parametrize("words", [("hi_tom",), ("mindgames", "--config", "reproduction")])
def test_show_is_the_same_each_time_and_another_with_another_seed(run, words):
    first = run("show", *words, "--seed", "3")
    assert first == run("show", *words, "--seed", "3")
    assert first != run("show", *words, "--seed", "4")
    assert run("show", *words, "--seed", str(10**30))[0] == 0


def test_show_is_the_story_that_a_build_of_default_size_has(run):
    """A row is a function of config with its sizes, seed, split and index."""
    target, letters = plan_of(hi_tom.ALL, "test")[7]
    row = story_rows(hi_tom.ALL, "test", 7, target, letters)[4]
    head, story, questions = shown(run("show", "hi_tom", "--index", "7")[1])
    assert (head, story) == (row["story_id"], row["story"])
    assert (questions[4]["question"], questions[4]["answer"]) == (row["question"], row["answer"])
