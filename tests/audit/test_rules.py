"""Work every rule out by hand on small stories, and count what the tables count in another way."""

import gzip
import hashlib
import json
from itertools import permutations, product
from random import Random

import pytest
from scipy.stats import binomtest
from support import DEEP, REFERENCE, numbered

from builders.__main__ import audit_file, main, published_table
from builders.audit import gates as audit_gates
from builders.audit import learners, stories
from builders.audit import problems as audit_problems
from builders.audit.gates import GATED_STORIES, GATES, broken_gates
from builders.audit.learners import METHODS, lookup, naive_bayes, tf_idf
from builders.audit.problems import Posed, posed_guesses
from builders.audit.published import PUBLISHED, of_published, of_published_deep
from builders.audit.shares import Answered, Share, spelled, tally
from builders.audit.stories import Asked, guesses, most_common
from builders.audit.tables import render, side_by_side
from builders.difficulty.masking import MaskedRow, mask_problem
from builders.proof.problem_worlds import follows
from builders.proof.published_rows import AUDITED, published_rows
from builders.proof.published_stories import published_asked
from builders.proof.read_problems import read_problem
from builders.proof.read_stories import read_question, read_story
from builders.story.config import StoryConfig, order_name
from builders.story.meaning import belief, lessons
from builders.story.record import loads
from builders.story.rows import plan_of, story_rows

RELEASED = [REFERENCE / "hi_tom_released_half.jsonl", REFERENCE / "mindgames_validation.jsonl.gz"]


def measure(questions, fitted=()):
    """Return the table of questions."""
    return tally(learners.answer(list(questions), list(fitted)))


def shares_of(table):
    """Return the shares alone."""
    return {group: {rule: share.share for rule, share in shares.items()} for group, shares in table.items()}


def as_table(shares, total=1000):
    """Return a table of these shares."""
    return {group: {rule: Share(round(total * share), total, 0.5) for rule, share in each.items()}
            for group, each in shares.items()}  # fmt: skip


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


def question(text, container, letter, group="g", semantics="recursive", **more):
    """Return a question about STORY whose answer is called so."""
    story, names = read_story(numbered(*STORY, *CLAIMS))
    wanted = read_question(text, names)
    answer = names.containers.index(container)
    return Asked(group, story, wanted.chain, wanted.thing, answer, letter, semantics, container, **more)


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
    found = {rule: share.right for rule, share in table["h"].items()}
    assert found == {**dict.fromkeys(right, 0), "last claim": 1, "letter": 1, "majority": 1}


def test_no_guess_is_wrong_not_left_out():
    told = ["Emma entered the hall.", "The pear is in the box."]
    story, _ = read_story(numbered(*told))
    shares = shares_of(measure([Asked("g", story, (0,), 0, 0, letter, "recursive") for letter in range(4)]))["g"]
    assert shares["second"] == shares["last claim"] == 0
    assert shares["first"] == 1
    assert shares["letter"] == 1 / 4


def test_an_answer_that_is_no_choice_has_no_letter():
    asked = [question("Where is the pear really?", "crate", letter) for letter in (None, None, 2)]
    assert measure(asked)["g"]["letter"].right == 1
    assert "letter" not in measure(asked[:2])["g"]


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
        shares = shares_of(table)
        assert shares["pear"]["last"] == 0 and shares["pear"]["first"] == 1
        assert shares["fig"]["last"] == shares["other"]["last"] == 1
        assert list(table) == ["fig", "other", "pear"]


def test_nothing_asked_is_an_empty_table():
    assert measure([]) == tally(learners.crossed([])) == {}
    assert broken_gates({}, GATES["hi_tom"]) == []
    assert render({}).count("\n") == 3


# ------------------------------------------------------------------------------------------------ shares


@pytest.mark.parametrize(
    ("right", "total"), [(0, 1), (1, 1), (0, 60), (60, 60), (29, 60), (1, 480), (240, 480), (9, 9)]
)
def test_the_interval_is_wilsons(right, total):
    expected = binomtest(right, total).proportion_ci(0.95, "wilson")
    assert Share(right, total, 0.5).interval() == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_share_is_written_with_its_interval():
    assert str(Share(29, 60, 1 / 15)) == "48.3 (36–61)"
    assert str(Share(0, 60, 0.5)) == "0.0 (0–6)" and str(Share(60, 60, 0.5)) == "100.0 (94–100)"


def test_tables_have_the_groups_in_order_and_all_last():
    answered = [Answered(group, 0.5, {}, {"rule": True}) for group in ("all", "b", "a", "zebra")]
    assert list(tally(answered)) == ["a", "b", "zebra", "all"]


def test_chance_is_the_mean_of_what_chance_gives():
    emma = "Where does Emma think the pear is?"
    table = measure([question(emma, "box", 0, choices=choices) for choices in (2, 4, 4, 5)])
    assert [share.chance for share in table["g"].values()] == pytest.approx([0.3] * len(table["g"]))


def test_a_rule_that_never_has_a_say_is_left_out_and_else_wrong_where_it_has_none():
    """The probe, of rows beyond its limit."""
    says = [{"probe": None, "mute": None}, {"probe": True, "mute": None}, {"probe": False}, {}]
    table = tally(Answered("g", 0.5, {}, each) for each in says)
    assert table == {"g": {"probe": Share(1, 4, 0.5)}}


def test_the_probe_is_right_where_it_predicts_the_answer():
    emma = "Where does Emma think the pear is?"
    asked = [question(emma, "box", 0, probes={"probe": right}) for right in (True, False, None, True)]
    assert measure(asked)["g"]["probe"] == Share(2, 4, 1 / 15)
    problems = [posed("Ann can now know that Bob is thirsty.", probes={"probe": right}) for right in (True, None)]
    assert measure(problems)["g"]["probe"] == Share(1, 2, 0.5)


def test_a_table_survives_its_json(tmp_path, monkeypatch):
    table = {"g": {"first": Share(1, 3, 1 / 15), "letter": Share(2, 3, 1 / 15)}, "h": {"first": Share(0, 7, 0.2)}}
    path = tmp_path / "published.json"
    path.write_text(json.dumps({"hi_tom": {"groups": spelled(table)}}))
    monkeypatch.setattr("builders.audit.published.PUBLISHED", path)
    assert of_published("hi_tom") == table
    assert list(of_published("hi_tom")["g"]) == ["first", "letter"]


def test_the_rendered_table():
    table = {
        "a": {"first": Share(1, 4, 0.25), "probe": Share(4, 4, 0.25)},
        "b": {"first": Share(0, 1000, 1 / 15)},
        "c": {},
    }
    assert render(table) == (
        "|  | a | b | c |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| rows | 4 | 1,000 |  |\n"
        "| chance | 25.0 | 6.7 |  |\n"
        "| first | 25.0 (5–70) | 0.0 (0–0) |  |\n"
        "| probe | 100.0 (51–100) |  |  |"
    )


def test_ours_stand_beside_the_published():
    ours = {"a": {"first": Share(1, 4, 0.5), "TF-IDF": Share(2, 4, 0.5)}, "b": {"first": Share(2, 4, 0.5)}}
    published = {"a": {"first": Share(3, 4, 0.5), "theirs": Share(0, 4, 0.5)}, "unknown": {"first": Share(1, 1, 1.0)}}
    lines = side_by_side(ours, published, {"first": (0, 0.38), "TF-IDF": (0.47, 0.53)}).split("\n")
    assert lines[0] == "|  | gate | a: ours | a: published | b: ours | b: published |"
    assert lines[2:] == [
        "| rows |  | 4 | 4 | 4 |  |",
        "| chance |  | 50.0 | 50.0 | 50.0 |  |",
        "| first | ≤ 38 | 25.0 (5–70) | 75.0 (30–95) | 50.0 (15–85) |  |",
        "| TF-IDF | 47 to 53 | 50.0 (15–85) |  |  |  |",
        "| theirs |  |  | 0.0 (0–49) |  |  |",
    ]


# ------------------------------------------------------------------------------------------------ rules that learn


def test_tf_idf_learns_a_planted_word_and_no_more():
    """Words of one letter and pairs of words count; coin flips beside equal words are no help."""
    random = Random(1)  # what is drawn here is no data of ours
    words = ["x", "y", "moved the", "to the", "a0", "a1"]
    texts = [" ".join(random.choices(words, k=12)) for _ in range(600)]
    flips = [random.randrange(3) for _ in texts]

    def share(texts, labels):
        found = tf_idf(list(zip(texts[:400], labels[:400], strict=True)), texts[400:])
        return sum(guess == label for guess, label in zip(found, labels[400:], strict=True)) / 200

    assert share([f"{text} {'pqr'[flip]}" for text, flip in zip(texts, flips, strict=True)], flips) == 1
    pairs = [f"{text} z {'p q|q p|p z q'.split('|')[flip]}" for text, flip in zip(texts, flips, strict=True)]
    assert share(pairs, flips) == 1
    assert share(texts, flips) < 0.45  # of three


def test_tf_idf_of_one_label_gives_that():
    assert tf_idf([("a b", 3), ("c", 3)], ["a", "unknown"]) == [3, 3]


def readings(planted, count=120):
    """Return questions of one story whose answer, one of two containers, is or is not told by a word of the story."""
    random = Random(2)
    asked = []
    for place in range(count):
        right = random.randrange(2)
        hint = f"hint{right if planted else random.randrange(2)}"
        reading = MaskedRow(["[CLS]", "where is t0", "[SEP]", "t0 is in", "c0", hint], (4, 7), (4, 7)[right])
        asked.append(question("Where is the pear really?", "crate", place % 15, reading=reading))
    return asked


def test_the_story_alone_learns_from_the_story_alone():
    planted = shares_of(measure(readings(True)[:60], readings(True)[60:]))["g"]
    assert planted["story alone"] == planted["TF-IDF"] == 1 and planted["question alone"] < 0.7
    plain = shares_of(measure(readings(False)[:60], readings(False)[60:]))["g"]
    assert all(0.3 < plain[rule] < 0.7 for rule in ("story alone", "TF-IDF", "question alone"))


def test_an_answer_that_the_text_does_not_have_is_wrong_and_teaches_nothing():
    asked = readings(True)
    lost = question("Where is the pear really?", "crate", 0, reading=MaskedRow(asked[0].reading[0], (4, 7), 9))
    assert lost.label is None
    table = measure([lost, *asked[:3]], [lost, *asked[60:]])
    assert table["g"]["TF-IDF"] == Share(3, 4, 1 / 15)


def test_what_learns_is_left_out_where_nothing_is_fitted():
    assert "TF-IDF" not in measure(readings(True))["g"] and "TF-IDF" in measure(readings(True), readings(True))["g"]
    assert "hypothesis alone" not in measure([posed("Ann can now know that Bob is thirsty.")])["g"]


def test_halves_are_fitted_on_the_other_and_keep_stories_whole():
    """One story has all its questions in one half: nothing is left to learn from."""
    assert "TF-IDF" not in tally(learners.crossed(readings(True)))["g"]
    other, _ = read_story(numbered("Emma entered the hall.", "The pear is in the box."))
    both = readings(True)
    both += [Asked("g", other, (0,), 0, 0, 0, container="box", reading=each.reading) for each in both]
    table = tally(learners.crossed(both))
    assert table["g"]["TF-IDF"].total == len(both) and table["g"]["TF-IDF"].share == 1


def test_halves_of_problems_are_blocks_of_four():
    """The first four rows are in one half: what they say is known to the others, and not to themselves."""
    that = "Ann can now know that Bob is thirsty."
    rows = [posed(that, follows=follows) for follows in [True] * 4 + [False] * 4]
    assert tally(learners.crossed(rows))["g"]["hypothesis alone"] == Share(0, 8, 0.5)
    rows = [posed(that, follows=follows) for follows in [True, False] * 4]
    assert tally(learners.crossed(rows))["g"]["hypothesis alone"] == Share(4, 8, 0.5)


# ------------------------------------------------------------------------------------------------ gates


def test_the_gates_are_those_of_the_design():
    rules = ("first", "last", "second", "most mentioned", "last claim")
    assert GATES["hi_tom"] == {**dict.fromkeys(rules, (0, 0.38)), "letter": (0, 0.08)}
    assert GATES["mindgames"] == {
        **dict.fromkeys(("hypothesis alone", "premise alone"), (0.47, 0.53)),
        "TF-IDF": (0, 0.55),
    }
    assert GATED_STORIES == 240


def test_broken_gates_are_named():
    fine = dict.fromkeys(GATES["hi_tom"], 0.0)
    table = as_table(
        {
            "1st_order": {**fine, "first": 0.38, "letter": 0.08, "first leaver": 1.0, "set of agents": 1.0},
            "4th_order": {**fine, "second": 0.408, "last claim": 1.0, "letter": 0.083, "most in the text": 1.0},
        }
    )
    assert broken_gates(table, GATES["hi_tom"]) == [
        "4th_order: 'second' is right on 40.8 %, the gate is ≤ 38 %",
        "4th_order: 'last claim' is right on 100.0 %, the gate is ≤ 38 %",
        "4th_order: 'letter' is right on 8.3 %, the gate is ≤ 8 %",
    ]


@pytest.mark.parametrize(("name", "rule"), [(name, rule) for name, gates in GATES.items() for rule in gates])
def test_each_gate_can_break(name, rule):
    least, most = GATES[name][rule]
    fine = {other: gate[1] for other, gate in GATES[name].items()}
    for share in {most + 0.001, least - 0.001 if least else most + 0.1}:
        (line,) = broken_gates(as_table({"g": {**fine, rule: share}}), GATES[name])
        assert line == f"g: {rule!r} is right on {100 * share:.1f} %, the gate is {audit_gates.limits((least, most))} %"
    assert broken_gates(as_table({"g": {**fine, rule: least}}), GATES[name]) == []


def test_rules_that_are_only_shown_break_nothing():
    fine = {rule: most for rule, (_, most) in GATES["mindgames"].items()}
    assert (
        broken_gates(as_table({"g": {**fine, "probe": 1.0, "TF-IDF, names numbered": 1.0}}), GATES["mindgames"]) == []
    )
    assert broken_gates(as_table({"g": {"probe": 1.0}}), GATES["mindgames"]) == []


def test_a_planted_shortcut_breaks_the_gate_of_tf_idf():
    """Here: half of the problems, those that follow, have a longer premise, and no premise stands twice."""
    that, facts = "Ann can now know that Bob is thirsty.", ("Ann is thirsty", "Bob is thirsty", "Ann is not thirsty")
    shortcut, plain = [], []
    for place, said in enumerate(product(facts, repeat=4)):
        follows = place % 2 == 0
        plain.append(posed(that, *said, follows=follows))
        shortcut.append(posed(that, *said, *["someone is thirsty"] * (4 * follows), follows=follows))
    assert any("'TF-IDF'" in line for line in broken_gates(tally(learners.crossed(shortcut)), GATES["mindgames"]))
    assert not any("'TF-IDF'" in line for line in broken_gates(tally(learners.crossed(plain)), GATES["mindgames"]))


# ------------------------------------------------------------------------------------------------ real stories


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
            made.append((row, Asked(order_name(len(chain)), story, chain, thing, answer, row["answer_index"])))
    return made


def test_the_shares_add_up(questions):
    table = measure([asked for _, asked in questions])
    assert list(table) == [order_name(order) for order in range(5)]
    for group, shares in shares_of(table).items():
        assert {share.total for share in table[group].values()} == {60}
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
    shares = shares_of(measure([asked for _, asked in questions if not asked.chain]))["0th_order"]
    assert shares["last"] == shares["set of agents"] == 1
    assert shares["one order lower"] == 0


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
    for group in whole:
        assert measure([asked for _, asked in questions if asked.group == group]) == {group: whole[group]}


# ------------------------------------------------------------------------------------------------ MindGames


ANN_AND_BOB = ("Ann", "Bob")


def posed(hypothesis, *said, setup="internal", follows=True, group="g", **more):
    """Return a problem about Ann and Bob, its names masked."""
    scene = "There are two persons. Everyone is visible to others."
    told = ("someone is thirsty", *said)
    premise = " ".join([scene, *(f"It is publicly announced that {each}." for each in told)])
    problem, _ = read_problem(premise, hypothesis, ANN_AND_BOB)
    masked = (audit_problems.mask(text, ANN_AND_BOB) for text in (premise, hypothesis))
    return Posed(group, problem, *masked, audit_problems.pairs(premise, hypothesis, ANN_AND_BOB), follows, **more)


def test_names_are_masked_and_nothing_else():
    assert audit_problems.mask("Ann's card is shown to Anna.", ["Ann", "Bob"]) == "X's card is shown to Anna."
    text = "There are two persons. Bob can now know whether Ann knows that Bob is thirsty."
    assert (
        audit_problems.mask(text, ["Ann", "Bob"])
        == "There are two persons. X can now know whether X knows that X is thirsty."
    )
    assert audit_problems.mask("A. B", ["."]) == "A. B"  # a name is no pattern


def test_a_lookup_answers_by_the_most_common_label():
    known = [("a", True), ("a", False), ("a", False), ("b", True), ("c", True), ("d", True)]
    assert lookup(known, ("a", "b", "unknown")) == [False, True, True]


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
    guessed = posed_guesses(posed(hypothesis, *said).problem)
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
    assert not posed_guesses(problem)["all at once"]
    assert not posed_guesses(problem)["no announcements"]


def test_pairs_name_agents_by_their_place_in_the_hypothesis():
    premise = "There are three persons. Cy is thirsty. Bob knows that Ann is thirsty."
    assert audit_problems.pairs(premise, "Bob can now know that Ann is thirsty.", ["Ann", "Bob", "Cy"]) == (
        "X0 can now know that X1 is thirsty. There are three persons.",
        "X0 can now know that X1 is thirsty. O is thirsty.",
        "X0 can now know that X1 is thirsty. X0 knows that X1 is thirsty.",
    )


def test_naive_bayes_adds_what_each_feature_says():
    known = [(("a", "b"), True), (("a", "c"), True), (("c",), False), (("c",), False)]
    found = naive_bayes(known, (("a",), ("c",), ("a", "c"), ("unknown",), ()))
    assert found == [True, False, True, False, False]


@pytest.mark.parametrize(
    ("hypothesis", "said", "named"),
    [
        ("Ann can now know that Bob is thirsty.", [], False),
        ("Ann can now know that Bob is thirsty.", ["everyone is thirsty", "someone is thirsty"], False),
        ("Ann can now know that Bob is thirsty.", ["Bob is not thirsty"], True),
        ("Ann cannot know whether someone is thirsty.", ["Bob is thirsty"], False),
        ("Ann cannot know whether someone is thirsty.", ["Bob does not know whether Ann is thirsty"], True),
        ("Ann cannot know whether someone is thirsty.", ["Ann knows that someone is thirsty"], True),
        ("Ann can now know that Bob can know that nobody is thirsty.", ["Bob is thirsty"], True),
    ],
)
def test_whether_a_name_is_announced(hypothesis, said, named):
    assert posed(hypothesis, *said).seen()["name announced"] is named


def test_lookups_know_only_what_they_were_fitted_on():
    that, whether = "Ann can now know that Bob is thirsty.", "Bob cannot know whether Ann is thirsty."
    fitted = [posed(that), posed(that, "Ann is thirsty"), posed(whether, follows=False)]
    tested = [
        posed(that.replace("Ann", "#").replace("Bob", "Ann").replace("#", "Bob")),  # the same but for the names
        posed(that, follows=False),
        posed(whether, follows=False),
        posed("Bob can now know that someone is thirsty.", group="other"),  # unknown, so the most common label
    ]
    table = measure(tested, fitted)
    assert {group: share["hypothesis alone"] for group, share in table.items()} == {
        "g": Share(2, 3, 0.5),
        "other": Share(1, 1, 0.5),
    }
    assert list(table["g"]) == [
        "majority", "hypothesis alone", "premise alone", "TF-IDF", "name announced", "sentence by sentence",
        "no announcements", "announced facts", "as if none saw", "as if all saw all", "all at once",
    ]  # fmt: skip
    assert table["g"]["majority"] == Share(2, 3, 0.5)


def test_the_rules_see_who_is_who_only_where_names_are_numbered():
    texts = [
        ("There are two persons. Bob is thirsty.", f"{name} can now know that Bob is thirsty.") for name in ANN_AND_BOB
    ]
    readings = [mask_problem(*each, ANN_AND_BOB, True) for each in texts]
    same = [posed(asked, "Bob is thirsty", reading=reading).seen()
            for (_, asked), reading in zip(texts, readings, strict=True)]  # fmt: skip
    assert same[0]["TF-IDF"] == same[1]["TF-IDF"] and "Ann" not in same[0]["TF-IDF"]
    assert same[0]["TF-IDF, names numbered"] != same[1]["TF-IDF, names numbered"]


def test_a_block_defeats_both_lookups():
    """Whatever they were fitted on."""
    h, g = "Ann can now know that Bob is thirsty.", "Bob can now know that Ann is thirsty."
    p, q = "Ann is not thirsty", "Bob is not thirsty"
    block = [posed(h, p), posed(g, p, follows=False), posed(h, q, follows=False), posed(g, q)]
    for fitted in (block, block[:1], block[1:3], [posed(h, p, follows=False)] * 3 + block):
        shares = shares_of(measure(block, fitted))["g"]
        assert shares["hypothesis alone"] == shares["premise alone"] == shares["no announcements"] == 0.5
        assert shares["TF-IDF"] == 0.5
        assert shares["announced facts"] == shares["as if all saw all"] == shares["as if none saw"] == 1


# ------------------------------------------------------------------------------------------------ published files


TOLD = numbered(*STORY[:2], *STORY[4:8], *STORY[10:])
CHOICES = ["drawer", "box", "crate"]
START = (
    "There are two persons. Everyone is visible to others. It is publicly announced that someone's forehead is muddy."
)
HI_TOM = [
    {"story": TOLD, "question": f"Where {asked} is?", "choices": CHOICES, "answer": answer}
    for asked, answer in (("does Emma think the pear", "box"), ("does Jack think the pear", "B. crate"))
]
MINDGAMES = [
    {
        "premise": f"{START} It is publicly announced that Ann's forehead is{no} muddy.",
        "hypothesis": "Bob can now know that Bob's forehead is muddy.",
        "label": "entailment" if no else "not_entailment",
        "deberta_pred": 1,
    }
    for no in (" not", "", " not", "", " not")
]


@pytest.fixture
def audited(tmp_path, capsys):
    """Audit rows, or raw bytes, and return the exit code, what was said where, and the columns by group and rule."""

    def run(content, *options):
        path = tmp_path / "made.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else "\n".join(map(json.dumps, content)).encode())
        code = main(["audit", str(path), *map(str, options)])
        said = capsys.readouterr()
        lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in said.out.split("\n") if line[:1] == "|"]
        columns = [dict(zip((line[0] for line in lines), column, strict=True))
                   for column in zip(*(line[1:] for line in lines), strict=True)]  # fmt: skip
        return code, said.out, said.err, {column[""]: column for column in columns}

    return run


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress])
def test_a_published_file_of_hi_tom(audited, pack):
    code, out, said, columns = audited(pack("\n".join(map(json.dumps, HI_TOM)).encode()))
    assert (code, said) == (0, "") and "made.jsonl, read as hi_tom: " in out
    assert list(columns) == ["1st_order"]
    found = columns["1st_order"]
    assert (found["rows"], found["chance"], found["first"]) == ("2", "33.3", "50.0 (9–91)")
    assert found["first leaver"] == "100.0 (34–100)" and found["last"].startswith("0.0 (")
    assert found["majority"].startswith("50.0") and found["letter"].startswith("50.0")
    assert "probe" in found and "TF-IDF" not in found  # one story: nothing to learn from


def test_prompting_types_are_apart(audited):
    rows = [{**row, "prompting_type": kind} for row in HI_TOM for kind in ("CoTP", "VP")]
    assert list(audited(rows)[3]) == ["1st_order (CoTP)", "1st_order (VP)"]
    assert list(audited([{**row, "prompting_type": "VP"} for row in HI_TOM])[3]) == ["1st_order"]


def test_hi_tom_rows_without_choices_or_with_an_answer_of_no_container(audited):
    rows = [{key: row[key] for key in ("story", "question", "answer")} for row in HI_TOM]
    code, _, said, columns = audited([*rows, {**rows[0], "answer": "purple_tub"}])
    assert (code, said) == (0, "")
    assert columns["1st_order"]["rows"] == "3" and "letter" not in columns["1st_order"]


@pytest.mark.parametrize("pack", [lambda text: text, gzip.compress])
def test_a_published_file_of_mindgames(audited, pack):
    """The label needs no smcdel_problem, and the names are read where they are not told."""
    code, out, said, columns = audited(pack("\n".join(map(json.dumps, MINDGAMES)).encode()))
    assert (code, said) == (0, "") and "made.jsonl, read as mindgames: " in out
    assert list(columns) == ["forehead", "all"] and columns["forehead"] == {**columns["all"], "": "forehead"}
    found = columns["all"]
    assert (found["rows"], found["chance"]) == ("5", "50.0")
    assert found["majority"] == found["deberta_pred, as published"] == "60.0 (23–88)"
    # The last row is the other half: it knows the first four, two of each label, and they know one entailment.
    assert found["premise alone"] == str(Share(3, 5, 0.5)) and found["announced facts"] == str(Share(5, 5, 0.5))
    assert {"probe", "TF-IDF", "TF-IDF, names numbered", "name announced"} <= set(found)


def test_one_row_is_enough(audited):
    for rows in (HI_TOM[:1], MINDGAMES[:1]):
        code, _, said, columns = audited(rows)
        assert (code, said) == (0, "") and {column["rows"] for column in columns.values()} == {"1"}


def test_predictions_that_are_none_are_left_out(audited):
    rows = [{**row, "deberta_pred": made} for row, made in zip(MINDGAMES, (None, "1", 0.5, [], {}), strict=True)]
    assert "deberta_pred, as published" not in audited(rows)[3]["all"]
    some = audited([*rows, MINDGAMES[0]])[3]["all"]
    assert some["deberta_pred, as published"] == str(Share(1, 6, 0.5))  # no prediction is a wrong one


EITHER = "expected an object with story, question and answer or premise, hypothesis and label, all strings"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([{"text": "x"}], f"made.jsonl, line 1: {EITHER}"),
        ([HI_TOM[0], MINDGAMES[0]], "made.jsonl, line 2: expected an object with story, question and answer, all str"),
        (
            [MINDGAMES[0], {**MINDGAMES[0], "label": 1}],
            "line 2: expected an object with premise, hypothesis and label,",
        ),
        ([{**MINDGAMES[0], "label": "neutral"}], "line 1: label is 'neutral'; expected entailment or not_entailment"),
        ([{**MINDGAMES[0], "names": "Ann"}], "line 1: names is 'Ann'; expected a list of names, or none"),
        ([{**MINDGAMES[0], "premise": "It rains."}], "made.jsonl, line 1: "),
        ([{**HI_TOM[0], "question": "Why?"}], "line 1: not a question about a story: 'Why?'"),
        ([{**HI_TOM[0], "choices": 7}], "line 1: choices is 7; expected a list of containers"),
        (b"", f"made.jsonl: no rows; expected one on each line: {EITHER.removeprefix('expected ')}"),
        (
            b"{",
            "made.jsonl, line 1: not JSON (Expecting property name enclosed in double quotes: line 1 column 2 (char",
        ),
        (b"\x1f\x8b\x08\x00", "made.jsonl: it is no whole gzip file ("),
        (b'{"data": 3}', 'made.jsonl: "data" is not a list of rows'),
    ],
)
def test_files_that_cannot_be_audited(audited, content, words):
    code, out, said, _ = audited(content)
    assert (code, out) == (1, "") and said.startswith("error: ") and said.count("\n") == 1 and words in said, said


def test_a_file_that_is_not_there(capsys, tmp_path):
    for what, why in ((tmp_path / "none.jsonl", "No such file or directory"), (tmp_path, "Is a directory")):
        assert main(["audit", str(what)]) == 1
        assert capsys.readouterr().err == f"error: {what}: {why}; expected JSON lines or the published JSON\n"


def test_the_figures_are_recorded(audited, tmp_path, monkeypatch):
    record = tmp_path / "figures.json"
    code, out, _, columns = audited(MINDGAMES, "--record", record)
    made = json.loads(record.read_text())
    content = (tmp_path / "made.jsonl").read_bytes()
    assert code == 0 and list(made) == ["mindgames"]
    assert {key: value for key, value in made["mindgames"].items() if key != "groups"} == {
        "file": "made.jsonl", "sha256": hashlib.sha256(content).hexdigest(), "rows": 5,
    }  # fmt: skip
    assert made["mindgames"]["groups"]["all"]["right"]["majority"] == 3
    assert "muddy" not in record.read_text() and str(tmp_path) not in record.read_text()
    monkeypatch.setattr("builders.audit.published.PUBLISHED", record)
    assert render(of_published("mindgames")) in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figures.json", "made.jsonl"]


def test_only_files_are_recorded_one_of_each_dataset(capsys, tmp_path):
    record, path = tmp_path / "figures.json", tmp_path / "made.jsonl"
    path.write_text(json.dumps(HI_TOM[0]))
    for what in ([], ["hi_tom"], ["hi_tom", path]):
        assert main(["audit", *map(str, what), "--record", str(record)]) == 1
        assert capsys.readouterr().err == "error: --record is for files of published data: name only those\n"
    assert main(["audit", str(path), str(path), "--record", str(record)]) == 1
    said = f"error: {path} is hi_tom like made.jsonl; --record takes one file of each dataset\n"
    assert capsys.readouterr().err == said and not record.exists()


def test_the_record_has_what_stands_beside_ours():
    for name in ("hi_tom", "mindgames"):
        table = published_table(name)
        assert set(GATES[name]) <= set(next(iter(table.values())))
    assert {order_name(order) for order in range(5)} <= set(published_table("hi_tom"))
    assert published_table("hi_tom")["4th_order"]["first"] == Share(29, 60, pytest.approx(1 / 15))
    assert published_table("mindgames")["all"]["majority"].total == 3725


@pytest.mark.parametrize("place", [0, 1])
def test_the_record_is_what_is_measured(place):
    """To the row; what is computed in floating point, TF-IDF and the probe, within one per cent of the rows."""
    path, name = RELEASED[place], list(GATES)[place]
    if not path.is_file():
        pytest.skip(f"the published data are not here: {path}")
    known = json.loads(PUBLISHED.read_text(encoding="utf-8"))[name]
    assert known["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest() and known["file"] == path.name
    found = audit_file(path)[1]
    for group, figures in known["groups"].items():
        again = found["groups"][group]
        assert list(again["right"]) == list(figures["right"]) and again["rows"] == figures["rows"]
        for rule, right in figures["right"].items():
            floating = METHODS.get(rule) is tf_idf or rule == "probe"
            assert again["right"][rule] == pytest.approx(right, abs=floating * 0.01 * figures["rows"]), (group, rule)


# Deep stories.


@pytest.mark.parametrize(
    ("chain", "right"),
    [
        # Both hear line 12. Ann watched, so she does not take Ben to mean it: the crate. He himself trusts Cleo.
        ("Ann Ben", {"needs all its agents", "needs their order", "claims aside"}),
        # He takes her to trust him: the jar. He himself thinks of the vase, of which she hears nothing though she
        # watched, and she of the tub, where it is.
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
    asked = Asked("", story, agents, 0, belief(story, agents, 0), 0)
    found = {rule for rule, true in stories.depth(asked).items() if true}
    assert found == right


def test_the_published_questions_that_need_all_their_agents():
    """Counted on the half of the released questions that is here: the rest can only add to it."""
    if not RELEASED[0].is_file():
        pytest.skip(f"the published data are not here: {RELEASED[0]}")
    rows = list(published_rows(RELEASED[0], *AUDITED.values()))
    asked = published_asked([(where, row) for where, row in rows if row["prompting_type"] == "CoTP"])
    table = tally(Answered(each.group, each.chance, {}, stories.depth(each)) for each in asked if each.chain)
    for group, share in of_published_deep().items():
        here, known = table[group]["needs all its agents"], share["needs all its agents"]
        assert (here.total, known.total) == (60, 120)
        assert here.right <= known.right <= here.right + 60
    assert [table[group]["needs all its agents"].right for group in table] == [26, 8, 1, 0]
