"""Work every rule out by hand on small stories, and count what the tables count in another way."""

from itertools import permutations

import pytest

import hi_tom
from builders import audit
from builders.audit import GATES, RULES, Asked, Table, broken_gates, guesses, measure, most_common, render
from builders.belief import belief, lessons
from builders.reader import follows, read_problem, read_question, read_story
from builders.story import loads


def numbered(*sentences):
    """Return the sentences as the numbered lines of a story."""
    return "\n".join(f"{number} {sentence}" for number, sentence in enumerate(sentences, 1))


# Emma leaves having seen the box, Jack the crate, Owen the drawer, then the crate again. Then claims.
STORY = (
    "Emma, Jack and Owen entered the hall.",
    "The pear is in the box.",
    "The fig is in the tub.",
    "Emma likes the tub.",
    "Emma exited the hall.",
    "Jack moved the pear to the crate.",
    "Jack exited the hall.",
    "Owen moved the pear to the drawer.",
    "Owen likes the tub.",
    "Owen moved the pear to the crate.",
    "Owen exited the hall.",
    "Emma, Jack and Owen entered the waiting_room.",
)
CLAIMS = (
    "Owen publicly claimed that the pear is in the box now.",
    "Jack privately told Emma that the pear is in the bottle now.",
    "Jack publicly claimed that the fig is in the shelf now.",
)


def guessed(sentences, question, semantics="recursive"):
    """Return what each rule answers to a question about a story, by name."""
    story, names = read_story(numbered(*sentences))
    wanted = read_question(question, names)
    asked = Asked("", story, wanted.chain, wanted.thing, 0, 0, semantics)
    found = guesses(asked, lessons(story, wanted.thing))
    return {rule: None if container is None else names.containers[container] for rule, container in found.items()}


def test_every_rule_by_hand_without_claims():
    assert guessed(STORY, "Where does Jack think Emma thinks the pear is?") == {
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
    assert guessed([*STORY, *CLAIMS], "Where does Jack think Emma thinks the pear is?") == {
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
        found = guessed([*STORY, *CLAIMS], question, semantics)
        return tuple(found[rule] for rule in rules)

    # Owen and Jack both saw the crate for the first time when Jack moved it; Jack believes Owen's claim.
    assert by_chain("Where does Owen think Jack thinks the pear is?") == ("crate", "crate", "box")
    assert by_chain("Where does Jack think Owen thinks the pear is?") == ("crate", "crate", "crate")
    assert by_chain("Where does Owen think the pear is?") == ("crate", "crate", "crate")
    assert by_chain("Where does Owen think Jack thinks Emma thinks the pear is?") == ("box", "box", "bottle")
    # The published rules leave out that Owen knows of Emma's trust in him: she saw the box; he told her so too.
    assert by_chain("Where does Jack think Owen thinks Emma thinks the pear is?", "published") == ("box", "box", "box")


def test_reality_has_no_lower_order_and_no_leaver():
    found = guessed([*STORY, *CLAIMS], "Where is the pear really?")
    assert found["one order lower"] is None
    assert found["first leaver"] == "crate"  # nobody asked about left: where it was in the end
    assert found["set of agents"] == found["last"] == "crate"


def test_other_things_do_not_count():
    found = guessed([*STORY, *CLAIMS], "Where does Emma think the fig is?")
    assert found == {
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
    found = guessed(["Emma entered the hall.", "The pear is in the box."], "Where does Emma think the pear is?")
    assert (found["second"], found["last claim"]) == (None, None)
    assert found["first"] == found["last"] == found["most mentioned"] == "box"


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
    found = guessed(sentences, "Where does Emma think the pear is?")
    assert (found["first"], found["second"], found["last"], found["most mentioned"]) == ("box", "crate", "box", "box")


def test_seeing_it_again_is_the_last_sighting_but_no_mention():
    sentences = [
        "Emma and Jack entered the hall.",
        "The pear is in the box.",
        "Emma exited the hall.",
        "Jack moved the pear to the crate.",
        "Emma entered the hall.",
    ]
    found = guessed(sentences, "Where does Emma think the pear is?")
    assert (found["last"], found["most mentioned"], found["first leaver"]) == ("crate", "box", "box")


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
    assert guessed(sentences, "Where does Jack think the pear is?")["first leaver"] == "drawer"
    assert guessed(sentences, "Where does Jack think Emma thinks the pear is?")["first leaver"] == "crate"


def test_who_saw_nothing_together_has_no_guess():
    sentences = [
        "Emma entered the hall.",
        "The pear is in the box.",
        "Emma exited the hall.",
        "Jack entered the attic.",
    ]
    found = guessed(sentences, "Where does Jack think Emma thinks the pear is?")
    assert found["set of agents"] is None
    assert found["one order lower"] == "box"
    assert guessed(sentences, "Where does Emma think Jack thinks the pear is?")["one order lower"] is None


@pytest.mark.parametrize(
    ("containers", "found"),
    [([], None), ([4], 4), ([2, 1], 2), ([1, 2, 2], 2), ([3, 1, 1, 3, 2], 3), ([1, 3, 3, 1, 2], 1), ([0, 0, 5], 0)],
)
def test_ties_go_to_the_first_mentioned(containers, found):
    assert most_common(containers) == found


# ------------------------------------------------------------------------------------------------ tables


def question(text, container, letter, group="g", semantics="recursive"):
    """Return a question about STORY whose answer is called so."""
    story, names = read_story(numbered(*STORY, *CLAIMS))
    wanted = read_question(text, names)
    answer = names.containers.index(container)
    return Asked(group, story, wanted.chain, wanted.thing, answer, letter, semantics)


def test_right_guesses_are_counted_by_group():
    emma, jack, fig = (
        f"Where does {who} is?" for who in ("Emma think the pear", "Jack think the pear", "Emma think the fig")
    )
    table = measure(
        [
            question(emma, "bottle", 0),
            question(jack, "box", 3),
            question(fig, "tub", 3),
            question(emma, "tub", 1),  # a wrong answer is right for no rule but the text's favourite
            question(fig, "shelf", 5, group="h"),
        ]
    )
    assert table.counts == {"g": 4, "h": 1}
    right = {rule: share * 4 for rule, share in table.shares["g"].items()}
    assert right == {
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
        "letter": 2,  # D
    }
    assert table.shares["h"] == {**dict.fromkeys(right, 0), "last claim": 1, "letter": 1}


def test_no_guess_is_wrong_not_left_out():
    told = ["Emma entered the hall.", "The pear is in the box."]
    story, _ = read_story(numbered(*told))
    table = measure([Asked("g", story, (0,), 0, 0, letter, "recursive") for letter in range(4)])
    assert table.shares["g"]["second"] == table.shares["g"]["last claim"] == 0
    assert table.shares["g"]["first"] == 1
    assert table.shares["g"]["letter"] == 1 / 4


def test_every_story_and_thing_is_looked_at_anew():
    """Questions of two stories, and about two things of one, in any order."""
    story, _ = read_story(numbered(*STORY))
    other_story, _ = read_story(numbered("Emma entered the hall.", "The pear is in the box."))
    asked = [
        Asked("pear", story, (1, 0), 0, 0, 0),
        Asked("fig", story, (0,), 1, 1, 0),
        Asked("other", other_story, (0,), 0, 0, 0),
    ]
    for order in permutations(asked):
        table = measure(order)
        assert table.shares["pear"]["last"] == 0 and table.shares["pear"]["first"] == 1
        assert table.shares["fig"]["last"] == table.shares["other"]["last"] == 1
        assert list(table.counts) == [one.group for one in order]


def test_nothing_asked_is_an_empty_table():
    table = measure([])
    assert table == Table({}, {})
    assert broken_gates(table) == []
    assert render(table).count("\n") == 1


def test_the_rendered_table():
    shares = {rule: place / 100 for place, rule in enumerate(RULES)}
    table = Table({"1st_order": 7}, {"1st_order": shares})
    lines = render(table, gated=True).split("\n")
    assert lines[0] == "| | questions | " + " | ".join(RULES) + " |"
    assert lines[2] == "| 1st_order | 7 | " + " | ".join(f"{place}.0" for place in range(len(RULES))) + " |"
    assert lines[3].startswith("| gate | | ≤ 38 | ≤ 38 | ≤ 38 | ≤ 38 | ≤ 38 | ≤ 8 |")
    assert len({line.count("|") for line in lines}) == 1
    assert render(table).split("\n") == lines[:3]  # without the gates


def test_every_rule_has_a_column():
    assert set(RULES) == {*measure([question("Where is the pear really?", "crate", 0)]).shares["g"]}
    assert len(RULES) == 12


# ------------------------------------------------------------------------------------------------ gates


def test_the_gates_are_those_of_the_design():
    assert GATES == {**dict.fromkeys(("first", "last", "second", "most mentioned", "last claim"), 0.38), "letter": 0.08}
    assert audit.GATED_STORIES == 240


def test_broken_gates_are_named():
    fine = dict.fromkeys(RULES, 0.0)
    table = Table(
        {"1st_order": 240, "4th_order": 240},
        {
            "1st_order": {**fine, "first": 0.38, "letter": 0.08, "first leaver": 1.0, "set of agents": 1.0},
            "4th_order": {**fine, "second": 0.40833, "last claim": 1.0, "letter": 0.0833, "most in the text": 1.0},
        },
    )
    assert broken_gates(table) == [
        "4th_order: guessing 'second' is right on 40.8 %, the gate is 38 %",
        "4th_order: guessing 'last claim' is right on 100.0 %, the gate is 38 %",
        "4th_order: guessing 'letter' is right on 8.3 %, the gate is 8 %",
    ]


@pytest.mark.parametrize("rule", GATES)
def test_each_gate_can_break(rule):
    fine = dict.fromkeys(RULES, 0.0)
    (line,) = broken_gates(Table({"g": 1}, {"g": {**fine, rule: GATES[rule] + 0.001}}))
    assert line.startswith(f"g: guessing {rule!r} is right on ")
    assert broken_gates(Table({"g": 1}, {"g": {**fine, rule: GATES[rule]}})) == []


@pytest.mark.parametrize("rule", set(RULES) - set(GATES))
def test_rules_that_are_only_shown_break_nothing(rule):
    assert broken_gates(Table({"g": 1}, {"g": {**dict.fromkeys(RULES, 0.0), rule: 1.0}})) == []


# ------------------------------------------------------------------------------------------------ real stories


@pytest.fixture(scope="module")
def questions():
    """Make the questions of sixty test stories, with their rows."""
    config = hi_tom.HiTomConfig(name="all", train=1, validation=1, test=60)
    made = []
    for index, settled in enumerate(hi_tom.plan_of(config, "test")):
        for row in hi_tom.story_rows(config, "test", index, *settled):
            story, names, thing = loads(row["events"])
            chain = tuple(names.agents.index(agent) for agent in row["chain"])
            answer = names.containers.index(row["answer"])
            made.append((row, Asked(hi_tom.order_name(len(chain)), story, chain, thing, answer, row["answer_index"])))
    return made


def test_the_shares_add_up(questions):
    table = measure([asked for _, asked in questions])
    assert table.counts == {hi_tom.order_name(order): 60 for order in range(5)}
    for group, shares in table.shares.items():
        assert set(shares) == set(RULES)
        for share in shares.values():
            assert 0 <= share <= 1 and share * 60 == pytest.approx(round(share * 60))
        of_group = [(row, asked) for row, asked in questions if asked.group == group]
        # Counted from the rows' own columns: slots are first, second, later, claimed.
        slots = [row["answer_slot"] for row, _ in of_group]
        assert shares["first"] == slots.count(0) / 60
        assert shares["second"] == slots.count(1) / 60
        assert shares["first"] + shares["second"] + (slots.count(2) + slots.count(3)) / 60 == pytest.approx(1)
        reality = [belief(asked.story, (), asked.thing) == asked.answer for _, asked in of_group]
        assert shares["last"] == sum(reality) / 60
        letters = [row["answer_index"] for row, _ in of_group]
        assert shares["letter"] == max(letters.count(letter) for letter in letters) / 60 == 4 / 60


def test_reality_is_where_it_was_seen_last(questions):
    table = measure([asked for _, asked in questions if not asked.chain])
    assert table.shares["0th_order"]["last"] == table.shares["0th_order"]["set of agents"] == 1
    assert table.shares["0th_order"]["one order lower"] == 0


def test_without_claims_the_set_of_agents_decides(questions):
    """Definition C.3 of the workshop paper."""
    for row, asked in questions:
        if not row["deception"]:
            assert guesses(asked, lessons(asked.story, asked.thing))["set of agents"] == asked.answer
            assert guesses(asked, lessons(asked.story, asked.thing))["last claim"] is None
            if row["story_length"] == 1 and asked.chain:
                assert guesses(asked, lessons(asked.story, asked.thing))["first leaver"] == asked.answer


def test_one_order_lower_is_the_next_question_of_the_story(questions):
    answers = {row["id"]: asked.answer for row, asked in questions}
    for row, asked in questions:
        lower = guesses(asked, lessons(asked.story, asked.thing))["one order lower"]
        if row["order"]:
            # The chain without its first agent is what the story's question of the order below asks.
            assert lower == answers[f"{row['story_id']}-{row['order'] - 1}"]


def test_the_groups_are_counted_apart(questions):
    """A table of all is the sum of tables of parts."""
    whole = measure([asked for _, asked in questions])
    for group in whole.counts:
        part = measure([asked for _, asked in questions if asked.group == group])
        assert part == Table({group: whole.counts[group]}, {group: whole.shares[group]})


# ------------------------------------------------------------------------------------------------ MindGames


ANN_AND_BOB = ("Ann", "Bob")


def posed(hypothesis, *said, setup="internal", follows=True, group="g"):
    """Return a problem about Ann and Bob, its names masked."""
    scene = "There are two persons. Everyone is visible to others."
    told = ("someone is thirsty", *said)
    premise = " ".join([scene, *(f"It is publicly announced that {each}." for each in told)])
    problem, _ = read_problem(premise, hypothesis, ANN_AND_BOB)
    masked = (audit.mask(text, ANN_AND_BOB) for text in (premise, hypothesis))
    return audit.Posed(group, problem, *masked, audit.pairs(premise, hypothesis, ANN_AND_BOB), follows)


def test_names_are_masked_and_nothing_else():
    assert audit.mask("Ann's card is shown to Anna.", ["Ann", "Bob"]) == "X's card is shown to Anna."
    text = "There are two persons. Bob can now know whether Ann knows that Bob is thirsty."
    assert (
        audit.mask(text, ["Ann", "Bob"]) == "There are two persons. X can now know whether X knows that X is thirsty."
    )
    assert audit.mask("A. B", ["."]) == "A. B"  # a name is no pattern


def test_a_lookup_answers_by_the_most_common_label():
    known = audit.lookup([("a", True), ("a", False), ("a", False), ("b", True), ("c", True), ("d", True)])
    assert [known(text) for text in ("a", "b", "unknown")] == [False, True, True]


@pytest.mark.parametrize(
    ("hypothesis", "said", "facts", "all_saw", "none_saw"),
    [
        # Nobody knows of the other: announced facts alone do not tell, but who sees everything is never in doubt.
        ("Ann can now know whether Bob is thirsty.", [], True, True, False),
        ("Ann can now know that Bob is thirsty.", [], False, False, False),
        ("Ann can now know that Bob is thirsty.", ["Ann is not thirsty"], True, True, True),
        # Knowledge that a fact holds is that fact; other knowledge is forgotten.
        ("Ann can now know that Bob is thirsty.", ["Bob knows that Bob is thirsty"], True, True, True),
        ("Ann can now know that Bob is thirsty.", ["Bob does not know that Ann is thirsty"], False, True, False),
        ("Ann cannot know whether Bob is thirsty.", ["Bob does not know whether Ann is thirsty"], False, True, True),
        ("Bob can now know that someone is thirsty.", [], True, True, True),
    ],
)
def test_what_is_guessed_without_minding_who_sees_what(hypothesis, said, facts, all_saw, none_saw):
    """Where all saw all, that somebody does not know whether leaves no world, and then everything follows."""
    guessed = audit.posed_guesses(posed(hypothesis, *said).problem)
    assert [guessed[rule] for rule in ("announced facts", "as if all saw all", "as if none saw")] == [
        facts,
        all_saw,
        none_saw,
    ]


def test_what_is_guessed_without_minding_what_was_said_when():
    """Three wise men: the second silence says more because the first came before it."""
    silences = " ".join(
        f"It is publicly announced that {name} does not know whether {name}'s forehead is muddy."
        for name in ("Ann", "Bob")
    )
    scene = (
        "There are three persons. Everyone is visible to others. It is publicly announced that someone's forehead is"
    )
    asked = "Cy can now know that Cy's forehead is muddy."
    problem, _ = read_problem(f"{scene} muddy. {silences}", asked, ["Ann", "Bob", "Cy"])
    assert follows(problem)
    assert not audit.posed_guesses(problem)["all at once"]
    assert not audit.posed_guesses(problem)["no announcements"]


def test_pairs_name_agents_by_their_place_in_the_hypothesis():
    premise = "There are three persons. Cy is thirsty. Bob knows that Ann is thirsty."
    assert audit.pairs(premise, "Bob can now know that Ann is thirsty.", ["Ann", "Bob", "Cy"]) == (
        "X0 can now know that X1 is thirsty. There are three persons.",
        "X0 can now know that X1 is thirsty. O is thirsty.",
        "X0 can now know that X1 is thirsty. X0 knows that X1 is thirsty.",
    )


def test_naive_bayes_adds_what_each_feature_says():
    known = audit.naive_bayes([(("a", "b"), True), (("a", "c"), True), (("c",), False), (("c",), False)])
    assert [known(features) for features in (("a",), ("c",), ("a", "c"), ("unknown",), ())] == [
        True, False, True, False, False,
    ]  # fmt: skip


def test_lookups_know_only_what_they_were_fitted_on():
    that, whether = "Ann can now know that Bob is thirsty.", "Bob cannot know whether Ann is thirsty."
    fitted = [posed(that), posed(that, "Ann is thirsty"), posed(whether, follows=False)]
    tested = [
        posed(that.replace("Ann", "#").replace("Bob", "Ann").replace("#", "Bob")),  # the same but for the names
        posed(that, follows=False),
        posed(whether, follows=False),
        posed("Bob can now know that someone is thirsty.", group="other"),  # unknown, so the most common label
    ]
    table = audit.measure_posed(fitted, tested)
    assert table.counts == {"g": 3, "other": 1}
    assert table.shares["g"]["hypothesis alone"] == pytest.approx(2 / 3)
    assert table.shares["other"]["hypothesis alone"] == 1
    assert set(table.shares["g"]) == set(audit.POSED_RULES)


def test_a_block_defeats_both_lookups():
    """Whatever they were fitted on."""
    h, g = "Ann can now know that Bob is thirsty.", "Bob can now know that Ann is thirsty."
    p, q = "Ann is not thirsty", "Bob is not thirsty"
    block = [posed(h, p), posed(g, p, follows=False), posed(h, q, follows=False), posed(g, q)]
    for fitted in (block, block[:1], block[1:3], [posed(h, p, follows=False)] * 3 + block):
        shares = audit.measure_posed(fitted, block).shares["g"]
        assert shares["hypothesis alone"] == shares["premise alone"] == shares["no announcements"] == 0.5
        assert shares["announced facts"] == shares["as if all saw all"] == shares["as if none saw"] == 1


def test_the_gates_of_mindgames():
    fine = dict.fromkeys(audit.POSED_RULES, 1.0) | dict.fromkeys(audit.LOOKUPS, 0.5)
    table = Table({"forehead": 96, "all": 96}, {"forehead": fine, "all": {**fine, "premise alone": 0.53}})
    assert audit.broken_posed_gates(table) == []
    table.shares["all"]["premise alone"] = 0.5312
    table.shares["forehead"]["hypothesis alone"] = 0.2
    assert audit.broken_posed_gates(table) == [
        "forehead: 'hypothesis alone' is right on 20.0 %, the gate is 47 to 53 %",
        "all: 'premise alone' is right on 53.1 %, the gate is 47 to 53 %",
    ]


def test_the_rendered_table_of_mindgames():
    table = Table({"forehead": 96}, {"forehead": dict.fromkeys(audit.POSED_RULES, 0.5)})
    lines = audit.render_posed(table, gated=True).split("\n")
    assert lines[0] == "| | questions | " + " | ".join(audit.POSED_RULES) + " |"
    assert lines[2] == "| forehead | 96 |" + " 50.0 |" * len(audit.POSED_RULES)
    assert lines[3].startswith("| gate | | 47 to 53 | 47 to 53 |")
    assert len({line.count("|") for line in lines}) == 1
    assert audit.render_posed(table).split("\n") == lines[:3]
