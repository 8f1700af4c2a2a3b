"""Work out every rule about stories by hand, and compare shares with the columns of real rows."""

import pytest
from audit.samples import CLAIMS, STORY, ask, depth_table, lines_of, measure, question_about, shares_of

from tom_datasets.audit.rules import cross_validated
from tom_datasets.audit.shares import Share, count_shares
from tom_datasets.audit.stories import (
    AuditedQuestion,
    count_positions,
    depth_outcomes,
    most_common,
    readings_outcomes,
    story_guesses,
)
from tom_datasets.reader.read_stories import read_question, read_story
from tom_datasets.story.config import StoryConfig, order_name
from tom_datasets.story.interpretations import INTERPRETATIONS
from tom_datasets.story.meaning import belief, facts_of
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.syntax.record import dumps, loads

TOLD = STORY + CLAIMS
EMMA = ask("Emma")


def guesses_of(text, question, semantics="recursive"):
    """Return what each rule answers to a question about a story, by name."""
    story, names = read_story(lines_of(text))
    asked = read_question(question, names)
    audited = AuditedQuestion("", story, asked.chain, asked.thing, 0, 0, semantics)
    guesses = story_guesses(audited, facts_of(story, asked.thing))
    return {rule: None if container is None else names.containers[container] for rule, container in guesses.items()}


RETURN = """Emma and Jack entered the hall. The pear is in the box. Emma moved the pear to the box.
Emma moved the pear to the crate. Jack moved the pear to the drawer. Jack moved the pear to the box."""
AGAIN = """Emma and Jack entered the hall. The pear is in the box. Emma exited the hall.
Jack moved the pear to the crate. Emma entered the hall."""
LEFT = """Jack entered the attic. Jack exited the attic. Emma and Jack entered the hall. The pear is in the box.
Emma moved the pear to the crate. Emma exited the hall. Jack moved the pear to the drawer. Jack exited the hall."""
APART = "Emma entered the hall. The pear is in the box. Emma exited the hall. Jack entered the attic."
NESTED = ("Jack", "Emma")


@pytest.mark.parametrize(
    ("text", "question", "answers"),
    [
        # In the order of `story_guesses`: the first, the last and the second place, most mentioned, the last claim,
        # first leaver, set of agents, one order lower, last but one, their first move, last agent's move, last agent's
        # sight, most in the text.
        (STORY, ask(*NESTED), "box crate crate crate - box box box drawer crate - box tub"),
        # Emma and Jack trust Owen; Emma trusts Jack too. The box is named twice, as the crate, and earlier.
        (TOLD, ask(*NESTED), "box crate crate box bottle box box bottle drawer crate - box tub"),
        (TOLD, ask(thing="fig"), "tub tub - tub shelf tub tub - - - - - tub"),
        (TOLD, ask("Emma", thing="fig"), "tub tub - tub shelf tub tub tub - - - tub tub"),
        # Nobody asked about left: where it was in the end. Reality has no lower order.
        (TOLD, ask(), "box crate crate box bottle crate crate - drawer - - - tub"),
        # A return is no new place; the last place is that of the last sighting.
        (RETURN, EMMA, "box box crate box - box box box drawer box crate box box"),
        # Seeing it again is the last sighting, but no mention.
        (AGAIN, EMMA, "box crate crate box - box crate crate box - - crate box"),
        # The first leaver left after the thing was there.
        (LEFT, ask("Jack"), "box drawer crate box - drawer drawer drawer crate drawer drawer drawer box"),
        (LEFT, ask("Jack", "Emma"), "box drawer crate box - crate crate crate crate crate crate crate box"),
        # Who saw nothing together has no guess.
        (APART, ask("Jack", "Emma"), "box box - box - box - box - - - box box"),
        (APART, ask("Emma", "Jack"), "box box - box - box - - - - - - box"),
    ],
)
def test_every_rule_by_hand(text, question, answers):
    assert [guess or "-" for guess in guesses_of(text, question).values()] == answers.split()


@pytest.mark.parametrize(
    ("chain", "semantics", "answers"),
    [
        # Owen and Jack both saw the crate for the first time when Jack moved it; Jack believes Owen's claim.
        ("Owen Jack", "recursive", "crate crate box"),
        ("Jack Owen", "recursive", "crate crate crate"),
        ("Owen", "recursive", "crate crate crate"),
        ("Owen Jack Emma", "recursive", "box box bottle"),
        # The published rules leave out that Owen knows of Emma's trust in him: she saw the box; he told her so too.
        ("Jack Owen Emma", "published", "box box box"),
    ],
)
def test_the_rules_look_at_the_chain_that_is_asked(chain, semantics, answers):
    guesses = guesses_of(TOLD, ask(*chain.split()), semantics)
    assert [guesses[rule] for rule in ("first leaver", "set of agents", "one order lower")] == answers.split()


@pytest.mark.parametrize(
    ("containers", "winner"),
    [([], None), ([4], 4), ([2, 1], 2), ([1, 2, 2], 2), ([3, 1, 1, 3, 2], 3), ([1, 3, 3, 1, 2], 1), ([0, 0, 5], 0)],
)
def test_ties_go_to_the_first_mentioned(containers, winner):
    assert most_common(containers) == winner


def test_right_guesses_are_counted_by_group():
    fig = ask("Emma", thing="fig")
    questions = [
        question_about(EMMA, "bottle", 0),
        question_about(ask("Jack"), "box", 3),
        question_about(fig, "tub", 3),
        question_about(EMMA, "tub", None),  # a wrong answer, and no choice: right for the text's favourite alone
        question_about(fig, "shelf", 5, group="h"),
    ]
    table = measure(questions)
    assert {(group, share.total) for group in table for share in table[group].values()} == {("g", 4), ("h", 1)}
    right = {rule: share.right for rule, share in table["g"].items()}
    twice = ("majority", "letter", "first", "most mentioned", "most in the text")  # no guess for the fig is not right
    once = ("last", "last claim", "first leaver", "set of agents", "one order lower", "last agent's sight")
    never = ("second", "last but one", "their first move", "last agent's move")
    assert right == dict.fromkeys(twice, 2) | dict.fromkeys(once, 1) | dict.fromkeys(never, 0)
    rights = {rule: share.right for rule, share in table["h"].items()}
    assert rights == {**dict.fromkeys(right, 0), "last claim": 1, "letter": 1, "majority": 1}
    assert "letter" not in measure(questions[3:4])["g"]
    assert measure([]) == count_shares(cross_validated([])) == {}


def test_disputed_questions_are_counted():
    asked = [question_about(EMMA, "box", 0, undisputed=undisputed) for undisputed in (True, False, True)]
    assert measure(asked)["g"]["undisputed"] == Share(2, 3, 1 / 15)
    assert "undisputed" not in measure([question_about(EMMA, "box", 0)])["g"], "nobody computed its readings"


def test_the_depth_of_questions_is_counted_by_group():
    asked = (("crate", "1st_order", True), ("bottle", "1st_order", False), ("bottle", "2nd_order", True))
    table = depth_table(question_about(EMMA, place, 0, group, undisputed=sure) for place, group, sure in asked)
    assert list(table) == ["1st_order", "2nd_order"]
    assert table["1st_order"]["undisputed"] == Share(1, 2, 1 / 15)
    assert table["1st_order"]["reality"] == Share(1, 2, 1 / 15)
    assert table["2nd_order"]["undisputed"] == Share(1, 1, 1 / 15)
    unread = depth_table([question_about(EMMA, "bottle", 0)])
    assert list(unread) == ["g"] and "undisputed" not in unread["g"]


def test_how_often_each_reading_differs_by_hand():
    table = count_shares(
        readings_outcomes("tomh", differing) for differing in ([], ["visit", "last leaver"], ["visit"], [])
    )
    assert list(table) == ["tomh"] and list(table["tomh"]) == [*INTERPRETATIONS, "any of them"]
    counts = {reading: share.right for reading, share in table["tomh"].items() if share.right}
    assert counts == {"visit": 2, "last leaver": 1, "any of them": 2}
    assert {share.total for share in table["tomh"].values()} == {4}


@pytest.fixture(scope="module")
def questions():
    """Make the questions of sixty test stories, with their rows."""
    config = StoryConfig(name="all", train=1, validation=1, test=60)
    made = []
    for index, settled in enumerate(plan_of(config, "test")):
        for row in story_rows(config, "test", index, *settled):
            story, names, thing = loads(row["events"])
            chain = tuple(names.agents.index(agent) for agent in row["chain"])
            answer = names.containers.index(row["answer"])
            question = AuditedQuestion(order_name(len(chain)), story, chain, thing, answer, row["answer_index"])
            made.append((row, question))
    return made


def test_the_shares_add_up(questions):
    table = shares_of(measure([question for _, question in questions]))
    positions = count_positions(question for _, question in questions)
    assert list(table) == list(positions) == [order_name(order) for order in range(5)]
    for group, shares in table.items():
        rows = [(row, question) for row, question in questions if question.group == group]
        assert len(rows) == 60
        # Counted from the rows' own columns: slots are first, second, later, claimed.
        slots, letters = ([row[column] for row, _ in rows] for column in ("answer_slot", "answer_index"))
        assert positions[group]["slots"] == [slots.count(slot) for slot in range(4)]
        assert positions[group]["letters"] == [letters.count(letter) for letter in range(15)]
        assert (shares["first"], shares["second"]) == (slots.count(0) / 60, slots.count(1) / 60)
        assert shares["letter"] == max(map(letters.count, letters)) / 60 == 4 / 60
        reality = [belief(question.story, (), question.thing) == question.answer for _, question in rows]
        assert shares["last"] == sum(reality) / 60
    reality = table["0th_order"]
    assert (reality["last"], reality["set of agents"], reality["one order lower"]) == (1, 1, 0)


def test_what_the_guesses_mean(questions):
    """Without claims the set of agents decides (definition C.3 of the workshop paper)."""
    answers = {row["id"]: question.answer for row, question in questions}
    for row, question in questions:
        guesses = story_guesses(question, facts_of(question.story, question.thing))
        if not row["deception"]:
            assert (guesses["set of agents"], guesses["last claim"]) == (question.answer, None)
            if row["story_length"] == 1 and question.chain:
                assert guesses["first leaver"] == question.answer
        if row["order"]:  # the chain without its first agent is what the story's question of the order below asks
            assert guesses["one order lower"] == answers[f"{row['story_id']}-{row['order'] - 1}"]


ALL = ["Ann", "Ben", "Cleo", "Dan"]
SECRETS = [
    ["Enter", ALL, "hall"],
    ["Place", "pear", "box"],
    ["Exit", "Ann", "hall"],
    ["Watch", "Ann", "hall", []],
    ["Move", "Ben", "pear", "crate"],
    ["Exit", "Ben", "hall"],
    ["Watch", "Ben", "hall", ["Ann"]],
    ["Move", "Cleo", "pear", "drawer"],
    ["Exit", "Cleo", "hall"],
    ["Move", "Dan", "pear", "tub"],
    ["Exit", "Dan", "hall"],
    ["Enter", ALL, "waiting_room"],
    ["Report", "Dan", ["Cleo"], ["Ben"], "pear", "jar"],
    ["Tell", "Cleo", ["Ben"], "pear", "vase"],
    ["Overhear", "Ann", []],
]
NEVER = {"first mentioned", "most mentioned"}


@pytest.mark.parametrize(
    ("chain", "answer", "wrong"),
    [
        # Ben noticed Ann watching when Dan moved it. Both know of the vase, but neither that the other does.
        (
            "Ben Ann",
            "tub",
            "needs all its agents, last mentioned, rule of version 2, order ignored, one level deep, "
            "one level deep by insiders, claims only, watchers unnoticed, watched move, cross out",
        ),
        # She overheard Cleo tell him, and does not know that he watched.
        (
            "Ann Ben",
            "vase",
            "reality, one order lower, seen lines only, all watching known, overhearing ignored, watched move, "
            "plain claims skipped, only the first asked",
        ),
        # He did watch, but she takes him to believe her.
        (
            "Cleo Ben",
            "vase",
            "reality, one order lower, seen lines only, mistake ignored, watched move, plain claims skipped, "
            "only the first asked",
        ),
        # He watched her move it to the drawer, and trusts no claim of hers.
        (
            "Ben Cleo",
            "drawer",
            "needs all its agents, reality, last mentioned, order ignored, trust ignored, insiders trusted, "
            "one level deep by insiders, claims only, watching trusts, cross out",
        ),
        # He told her so, and takes her to believe him.
        (
            "Dan Cleo Ben",
            "jar",
            "reality, last mentioned, one order lower, rule of version 2, content as plain, content skipped, "
            "seen lines only, mistake ignored, watched move, only the first asked",
        ),
    ],
)
def test_what_forgetting_a_clause_costs(chain, answer, wrong):
    """The third agent's thoughts are told by Dan; a rule that is not named is right."""
    story, names, thing = loads(dumps(SECRETS, "pear"))
    agents, container = tuple(map(names.agents.index, chain.split())), names.containers.index(answer)
    outcomes = depth_outcomes(AuditedQuestion("", story, agents, thing, container, 0, undisputed=True))
    links = [f"link {place} ignored" for place in range(1, len(agents))]
    assert [rule for rule in outcomes if rule.startswith("link")] == links
    assert {rule for rule, right in outcomes.items() if not right} == {*wrong.split(", ")} | NEVER


def test_a_link_that_is_not_looked_at():
    """All three saw the box. Dan does not know that Ben watched, and Ben noticed Ann only when he watched."""
    story, names, thing = loads(dumps(SECRETS, "pear"))
    agents = tuple(map(names.agents.index, ("Dan", "Ben", "Ann")))
    for container, ignored in (("tub", "link 1 ignored"), ("crate", "link 2 ignored")):
        question = AuditedQuestion("", story, agents, thing, names.containers.index(container), 0)
        outcomes = depth_outcomes(question)
        assert [rule for rule in ("link 1 ignored", "link 2 ignored") if outcomes[rule]] == [ignored]


KNOWN_TO_THE_FIRST = ("known to the first", "seen, known to the first")


def test_whom_the_first_agent_alone_knows_of():
    """Ben noticed Ann watching when Cleo moved it to the drawer. She saw to that herself, and does not know of Ann."""
    story, names, thing = loads(dumps(SECRETS, "pear"))
    agents = tuple(map(names.agents.index, ("Ben", "Cleo", "Ann")))
    for container, right in (("box", False), ("drawer", True)):
        question = AuditedQuestion("", story, agents, thing, names.containers.index(container), 0)
        assert [depth_outcomes(question)[rule] for rule in KNOWN_TO_THE_FIRST] == [right, right]
    assert belief(story, agents, thing) == names.containers.index("box")


def test_what_the_first_agent_watched_the_second_do():
    """Ann watches both: Ben moves it once, Cleo after him."""
    story, names, thing = loads(dumps(SECRETS, "pear"))
    for second, container in (("Ben", "crate"), ("Cleo", "drawer")):
        agents, answer = tuple(map(names.agents.index, ("Ann", second))), names.containers.index(container)
        assert depth_outcomes(AuditedQuestion("", story, agents, thing, answer, 0))["watched move"]
        assert not depth_outcomes(AuditedQuestion("", story, agents, thing, answer - 1, 0))["watched move"]


OVERHEARD = [
    ["Enter", ALL, "hall"],
    ["Place", "pear", "box"],
    *[["Exit", agent, "hall"] for agent in ALL],
    ["Enter", ALL, "waiting_room"],
    ["Tell", "Dan", ["Cleo"], "pear", "jar"],
    ["Overhear", "Ann", []],
    ["Overhear", "Ben", ["Ann"]],
]


def test_whom_the_first_agent_alone_knows_to_overhear():
    """Ben noticed Ann listening, and knows that Cleo was told. Cleo does not know of Ann."""
    story, names, thing = loads(dumps(OVERHEARD, "pear"))
    agents = tuple(map(names.agents.index, ("Ben", "Cleo", "Ann")))
    assert belief(story, agents, thing) == names.containers.index("box")
    for container, right in (("box", [False, True]), ("jar", [True, False])):
        question = AuditedQuestion("", story, agents, thing, names.containers.index(container), 0)
        assert [depth_outcomes(question)[rule] for rule in KNOWN_TO_THE_FIRST] == right


@pytest.mark.parametrize(("chain", "answer", "ignored"), [("Ben Ann", "jar", "box"), ("Ann Cleo", "jar", "jar")])
def test_who_overhears_behind_the_first(chain, answer, ignored):
    """Ben noticed Ann listening; of Cleo, who was told, Ann knows without noticing anybody."""
    story, names, thing = loads(dumps(OVERHEARD, "pear"))
    agents = tuple(map(names.agents.index, chain.split()))
    assert belief(story, agents, thing) == names.containers.index(answer)
    for container in ("box", "jar"):
        question = AuditedQuestion("", story, agents, thing, names.containers.index(container), 0)
        assert depth_outcomes(question)["others' overhearing ignored"] is (container == ignored)
