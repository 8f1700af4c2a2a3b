"""Work out every rule about stories by hand, and compare shares with the columns of real rows."""

from itertools import permutations

import pytest
from audit.samples import CLAIMS, STORY, measure, question_about, shares_of
from support import DEEP, numbered

from tom_datasets.audit.gates import GATES, broken_gates
from tom_datasets.audit.learners import cross_validated
from tom_datasets.audit.shares import Share, count_shares
from tom_datasets.audit.stories import (
    AuditedQuestion,
    depth_outcomes,
    depth_table,
    most_common,
    readings_table,
    story_guesses,
)
from tom_datasets.audit.tables import render_table
from tom_datasets.proof.read_stories import read_question, read_story
from tom_datasets.story.config import StoryConfig, order_name
from tom_datasets.story.meaning import belief, lessons_about
from tom_datasets.story.readings import READINGS
from tom_datasets.story.rows import plan_of, story_rows
from tom_datasets.syntax.record import loads


def guesses_of(sentences, text, semantics="recursive"):
    """Return what each rule answers to a question about a story, by name."""
    story, names = read_story(numbered(*sentences))
    question = read_question(text, names)
    audited = AuditedQuestion("", story, question.chain, question.thing, 0, 0, semantics)
    guesses = story_guesses(audited, lessons_about(story, question.thing))
    return {rule: None if container is None else names.containers[container] for rule, container in guesses.items()}


def test_every_rule_by_hand_without_claims():
    assert guesses_of(STORY, "Where does Jack think Emma thinks the pear is?") == {
        "first": "box",
        "last": "crate",
        "second": "crate",
        "most mentioned": "crate",  # box, crate, drawer, crate
        "last claim": None,
        "first leaver": "box",
        "set of agents": "box",
        "one order lower": "box",  # where Emma thinks it is
        "most in the text": "tub",  # of the fig, and liked twice
        "last but one": "drawer",
        "their first move": "crate",
    }


def test_every_rule_by_hand_with_claims():
    """Emma and Jack trust Owen; Emma trusts Jack too."""
    assert guesses_of([*STORY, *CLAIMS], "Where does Jack think Emma thinks the pear is?") == {
        "first": "box",
        "last": "crate",
        "second": "crate",
        "most mentioned": "box",  # twice, as the crate, and earlier
        "last claim": "bottle",  # the later one is about the fig
        "first leaver": "box",
        "set of agents": "box",
        "one order lower": "bottle",  # Emma believes Jack
        "most in the text": "tub",
        "last but one": "drawer",
        "their first move": "crate",
    }


def test_the_rules_look_at_the_chain_that_is_asked():
    rules = ("first leaver", "set of agents", "one order lower")

    def by_chain(question, semantics="recursive"):
        guesses = guesses_of([*STORY, *CLAIMS], question, semantics)
        return tuple(guesses[rule] for rule in rules)

    # Owen and Jack both saw the crate for the first time when Jack moved it; Jack believes Owen's claim.
    assert by_chain("Where does Owen think Jack thinks the pear is?") == ("crate", "crate", "box")
    assert by_chain("Where does Jack think Owen thinks the pear is?") == ("crate", "crate", "crate")
    assert by_chain("Where does Owen think the pear is?") == ("crate", "crate", "crate")
    assert by_chain("Where does Owen think Jack thinks Emma thinks the pear is?") == ("box", "box", "bottle")
    # The published rules leave out that Owen knows of Emma's trust in him: she saw the box; he told her so too.
    assert by_chain("Where does Jack think Owen thinks Emma thinks the pear is?", "published") == ("box", "box", "box")


def test_reality_has_no_lower_order_and_no_leaver():
    guesses = guesses_of([*STORY, *CLAIMS], "Where is the pear really?")
    assert guesses["one order lower"] is None
    assert guesses["first leaver"] == "crate"  # nobody asked about left: where it was in the end
    assert guesses["set of agents"] == guesses["last"] == "crate"


def test_other_things_do_not_count():
    guesses = guesses_of([*STORY, *CLAIMS], "Where does Emma think the fig is?")
    assert guesses == {
        "first": "tub",
        "last": "tub",
        "second": None,
        "most mentioned": "tub",
        "last claim": "shelf",
        "first leaver": "tub",
        "set of agents": "tub",
        "one order lower": "tub",
        "most in the text": "tub",
        "last but one": None,
        "their first move": None,
    }


def test_one_place_has_no_second_and_no_claim_no_last_claim():
    guesses = guesses_of(["Emma entered the hall.", "The pear is in the box."], "Where does Emma think the pear is?")
    assert (guesses["second"], guesses["last claim"]) == (None, None)
    assert guesses["first"] == guesses["last"] == guesses["most mentioned"] == "box"


def test_a_return_is_no_new_place():
    """The second place is the second container by first appearance, the last that of the last sighting."""
    sentences = [
        "Emma and Jack entered the hall.",
        "The pear is in the box.",
        "Emma moved the pear to the box.",
        "Emma moved the pear to the crate.",
        "Jack moved the pear to the drawer.",
        "Jack moved the pear to the box.",
    ]
    guesses = guesses_of(sentences, "Where does Emma think the pear is?")
    assert [guesses[rule] for rule in ("first", "second", "last", "most mentioned")] == ["box", "crate", "box", "box"]


def test_seeing_it_again_is_the_last_sighting_but_no_mention():
    sentences = [
        "Emma and Jack entered the hall.",
        "The pear is in the box.",
        "Emma exited the hall.",
        "Jack moved the pear to the crate.",
        "Emma entered the hall.",
    ]
    guesses = guesses_of(sentences, "Where does Emma think the pear is?")
    assert (guesses["last"], guesses["most mentioned"], guesses["first leaver"]) == ("crate", "box", "box")


def test_the_first_leaver_left_after_the_thing_was_there():
    sentences = [
        "Jack entered the attic.",
        "Jack exited the attic.",
        "Emma and Jack entered the hall.",
        "The pear is in the box.",
        "Emma moved the pear to the crate.",
        "Emma exited the hall.",
        "Jack moved the pear to the drawer.",
        "Jack exited the hall.",
    ]
    assert guesses_of(sentences, "Where does Jack think the pear is?")["first leaver"] == "drawer"
    assert guesses_of(sentences, "Where does Jack think Emma thinks the pear is?")["first leaver"] == "crate"


def test_who_saw_nothing_together_has_no_guess():
    sentences = [
        "Emma entered the hall.",
        "The pear is in the box.",
        "Emma exited the hall.",
        "Jack entered the attic.",
    ]
    guesses = guesses_of(sentences, "Where does Jack think Emma thinks the pear is?")
    assert guesses["set of agents"] is None
    assert guesses["one order lower"] == "box"
    assert guesses_of(sentences, "Where does Emma think Jack thinks the pear is?")["one order lower"] is None


@pytest.mark.parametrize(
    ("containers", "found"),
    [([], None), ([4], 4), ([2, 1], 2), ([1, 2, 2], 2), ([3, 1, 1, 3, 2], 3), ([1, 3, 3, 1, 2], 1), ([0, 0, 5], 0)],
)
def test_ties_go_to_the_first_mentioned(containers, found):
    assert most_common(containers) == found


def test_right_guesses_are_counted_by_group():
    emma, jack, fig = (
        f"Where does {who} is?" for who in ("Emma think the pear", "Jack think the pear", "Emma think the fig")
    )
    table = measure(
        [
            question_about(emma, "bottle", 0),
            question_about(jack, "box", 3),
            question_about(fig, "tub", 3),
            question_about(emma, "tub", 1),  # a wrong answer is right for no rule but the text's favourite
            question_about(fig, "shelf", 5, group="h"),
        ]
    )
    assert {share.total for share in table["g"].values()} == {4} and {share.total for share in table["h"].values()} == {
        1
    }
    right = {rule: share.right for rule, share in table["g"].items()}
    assert right == {
        "majority": 2,  # the tub
        "letter": 2,  # D
        "first": 2,  # box for Jack, tub for the fig
        "last": 1,  # the fig
        "second": 0,  # no guess for the fig is not right
        "most mentioned": 2,
        "last claim": 1,
        "first leaver": 1,  # the fig; the crate for Jack
        "set of agents": 1,
        "one order lower": 1,
        "most in the text": 2,
        "last but one": 0,
        "their first move": 0,
    }
    rights = {rule: share.right for rule, share in table["h"].items()}
    assert rights == {**dict.fromkeys(right, 0), "last claim": 1, "letter": 1, "majority": 1}


def test_no_guess_is_wrong_not_left_out():
    told = ["Emma entered the hall.", "The pear is in the box."]
    story, _ = read_story(numbered(*told))
    shares = shares_of(measure([AuditedQuestion("g", story, (0,), 0, 0, letter, "recursive") for letter in range(4)]))[
        "g"
    ]
    assert shares["second"] == shares["last claim"] == 0
    assert shares["first"] == 1
    assert shares["letter"] == 1 / 4


def test_an_answer_that_is_no_choice_has_no_letter():
    questions = [question_about("Where is the pear really?", "crate", letter) for letter in (None, None, 2)]
    assert measure(questions)["g"]["letter"].right == 1
    assert "letter" not in measure(questions[:2])["g"]


def test_every_story_and_thing_is_looked_at_anew():
    """Questions of two stories, and about two things of one, in any order."""
    story, _ = read_story(numbered(*STORY))
    other_story, _ = read_story(numbered("Emma entered the hall.", "The pear is in the box."))
    questions = [
        AuditedQuestion("pear", story, (1, 0), 0, 0, 0),
        AuditedQuestion("fig", story, (0,), 1, 1, 0),
        AuditedQuestion("other", other_story, (0,), 0, 0, 0),
    ]
    for order in permutations(questions):
        table = measure(order)
        shares = shares_of(table)
        assert shares["pear"]["last"] == 0 and shares["pear"]["first"] == 1
        assert shares["fig"]["last"] == shares["other"]["last"] == 1
        assert list(table) == ["fig", "other", "pear"]


def test_nothing_asked_is_an_empty_table():
    assert measure([]) == count_shares(cross_validated([])) == {}
    assert broken_gates({}, GATES["hi_tom"]) == []
    assert render_table({}).count("\n") == 3


def test_disputed_questions_are_counted():
    emma = "Where does Emma think the pear is?"
    asked = [question_about(emma, "box", 0, readings=readings) for readings in ((), ("visit",), ())]
    assert measure(asked)["g"]["undisputed"] == Share(2, 3, 1 / 15)
    assert "undisputed" not in measure([question_about(emma, "box", 0)])["g"], "nobody computed its readings"


def test_the_depth_of_the_undisputed_questions_is_measured_apart_where_some_are_disputed():
    emma = "Where does Emma think the pear is?"
    asked = [
        question_about(emma, "bottle", 0, "1st_order", readings=("visit", "outranked")),
        question_about(emma, "crate", 0, "1st_order", readings=()),
        question_about(emma, "bottle", 0, "1st_order", readings=()),
        question_about(emma, "bottle", 0, "2nd_order", readings=()),
    ]
    table = depth_table(asked)
    assert list(table) == ["1st_order", "1st_order, undisputed", "2nd_order"]
    assert table["1st_order"]["undisputed"] == Share(2, 3, 1 / 15)
    assert table["1st_order"]["reality"] == Share(1, 3, 1 / 15)
    assert table["1st_order, undisputed"]["reality"] == Share(1, 2, 1 / 15)
    assert "undisputed" not in table["1st_order, undisputed"], "it would say that all of them are"
    assert table["2nd_order"]["undisputed"] == Share(1, 1, 1 / 15)
    unread = depth_table([question_about(emma, "bottle", 0)])
    assert list(unread) == ["g"] and "undisputed" not in unread["g"]


def test_how_often_each_reading_differs_by_hand():
    table = readings_table({"tomh": [[], ["visit", "last leaver"], ["visit"], []], "deep": []})
    assert list(table) == ["tomh"] and list(table["tomh"]) == [*READINGS, "any of them"]
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
            made.append(
                (row, AuditedQuestion(order_name(len(chain)), story, chain, thing, answer, row["answer_index"]))
            )
    return made


def test_the_shares_add_up(questions):
    table = measure([question for _, question in questions])
    assert list(table) == [order_name(order) for order in range(5)]
    for group, shares in shares_of(table).items():
        assert {share.total for share in table[group].values()} == {60}
        of_group = [(row, question) for row, question in questions if question.group == group]
        # Counted from the rows' own columns: slots are first, second, later, claimed.
        slots = [row["answer_slot"] for row, _ in of_group]
        assert shares["first"] == slots.count(0) / 60
        assert shares["second"] == slots.count(1) / 60
        assert shares["first"] + shares["second"] + (slots.count(2) + slots.count(3)) / 60 == pytest.approx(1)
        reality = [belief(question.story, (), question.thing) == question.answer for _, question in of_group]
        assert shares["last"] == sum(reality) / 60
        letters = [row["answer_index"] for row, _ in of_group]
        assert shares["letter"] == max(letters.count(letter) for letter in letters) / 60 == 4 / 60


def test_reality_is_where_it_was_seen_last(questions):
    shares = shares_of(measure([question for _, question in questions if not question.chain]))["0th_order"]
    assert shares["last"] == shares["set of agents"] == 1
    assert shares["one order lower"] == 0


def test_without_claims_the_set_of_agents_decides(questions):
    """Definition C.3 of the workshop paper."""
    for row, question in questions:
        if not row["deception"]:
            guesses = story_guesses(question, lessons_about(question.story, question.thing))
            assert (guesses["set of agents"], guesses["last claim"]) == (question.answer, None)
            if row["story_length"] == 1 and question.chain:
                assert guesses["first leaver"] == question.answer


def test_one_order_lower_is_the_next_question_of_the_story(questions):
    answers = {row["id"]: question.answer for row, question in questions}
    for row, question in questions:
        lower = story_guesses(question, lessons_about(question.story, question.thing))["one order lower"]
        if row["order"]:
            # The chain without its first agent is what the story's question of the order below asks.
            assert lower == answers[f"{row['story_id']}-{row['order'] - 1}"]


def test_the_groups_are_counted_apart(questions):
    """A table of all is the sum of tables of parts."""
    whole = measure([question for _, question in questions])
    for group in whole:
        assert measure([question for _, question in questions if question.group == group]) == {group: whole[group]}


@pytest.mark.parametrize(
    ("chain", "right"),
    [
        # Both hear line 12. Ann watched, so she does not take Ben to mean it: the crate. He himself trusts Cleo.
        ("Ann Ben", {"needs all its agents", "needs their order", "claims aside"}),
        # He takes her to trust him: the jar. He himself thinks of the vase; she watched, but hears nothing of that
        # claim. She thinks of the tub, where it is.
        (
            "Ben Ann",
            {"needs all its agents", "needs their order", "last that reached all", "trust aside", "cross out"},
        ),
        # Cleo left later than Ben and does not trust him: the drawer. She does not know that Ann watched: the jar.
        ("Ann Cleo", {"needs their order", "last agent alone", "one order lower", "claims aside"}),
        # They saw the drawer together, when Cleo left, before Dan.
        ("Cleo Dan", {"first agent alone", "first leaver", "claims aside", "last two swapped"}),
        # She watched him move it to where it is, and neither trusts Ben. He thinks that she does.
        (
            "Ann Dan",
            {
                "needs their order",
                "reality",
                "first agent alone",
                "last agent alone",
                "one order lower",
                "claims aside",
            },
        ),
    ],
)
def test_how_deep_a_question_is(chain, right):
    story, names = read_story(DEEP)
    agents = tuple(names.agents.index(name) for name in chain.split())
    question = AuditedQuestion("", story, agents, 0, belief(story, agents, 0), 0)
    right_rules = {rule for rule, true in depth_outcomes(question).items() if true}
    assert right_rules == right
