"""Plant words that tell the answer, see that the rules that learn find these and no others, and count small tables."""

import json
from random import Random

import pytest
from audit.samples import STORY, THAT, ask, measure, problem_of, question_about, shares_of
from scipy.stats import binomtest

from tom_datasets.audit.figures import recorded_table
from tom_datasets.audit.learners import lookup, naive_bayes, tf_idf
from tom_datasets.audit.rules import cross_validated
from tom_datasets.audit.shares import Outcomes, Share, count_shares, table_as_json
from tom_datasets.difficulty.masking import MaskedRow

EMMA, REALLY = ask("Emma"), ask()


def test_tf_idf_learns_a_planted_word_and_no_more():
    """Words of one letter and pairs of words count; coin flips beside equal words are no help."""
    random = Random(1)  # what is drawn here is no data of ours
    words = ["x", "y", "moved the", "to the", "a0", "a1"]
    texts = [" ".join(random.choices(words, k=12)) for _ in range(600)]
    flips = [random.randrange(3) for _ in texts]

    def share(hints):
        hinted = [f"{text} {hints[flip]}" for text, flip in zip(texts, flips, strict=True)]
        guesses = tf_idf(list(zip(hinted[:400], flips[:400], strict=True)), hinted[400:])
        return sum(guess == flip for guess, flip in zip(guesses, flips[400:], strict=True)) / 200

    assert share("pqr") == share(["z p q", "z q p", "z p z q"]) == 1
    assert share(["", "", ""]) < 0.45  # of three
    assert tf_idf([("a b", 3), ("c", 3)], ["a", "unknown"]) == [3, 3]


def test_lookup_and_naive_bayes_by_hand():
    fitted = [("a", True), ("a", False), ("a", False), ("b", True), ("c", True), ("d", True)]
    assert lookup(fitted, ("a", "b", "unknown")) == [False, True, True]
    fitted = [(("a", "b"), True), (("a", "c"), True), (("c",), False), (("c",), False)]
    guesses = naive_bayes(fitted, (("a",), ("c",), ("a", "c"), ("unknown",), ()))
    assert guesses == [True, False, True, False, False]


def readings(planted, count=120, **more):
    """Return questions of one story whose answer, one of two containers, is or is not told by a word of the story."""
    random = Random(2)
    questions = []
    for place in range(count):
        right = random.randrange(2)
        hint = f"hint{right if planted else random.randrange(2)}"
        masked = MaskedRow(("[CLS]", "where is t0", "[SEP]", "t0 is in", "c0", hint), (4, 7), (4, 7)[right])
        questions.append(question_about(REALLY, "crate", place % 15, masked=masked, **more))
    return questions


def test_the_story_alone_learns_from_the_story_alone():
    planted, plain = (readings(hinted) for hinted in (True, False))
    shares = shares_of(measure(planted[:60], planted[60:]))["g"]
    assert shares["story alone"] == shares["TF-IDF"] == 1 and shares["question alone"] < 0.7
    shares = shares_of(measure(plain[:60], plain[60:]))["g"]
    assert all(0.3 < shares[rule] < 0.7 for rule in ("story alone", "TF-IDF", "question alone"))
    # An answer that the text does not have is wrong, and teaches nothing.
    lost = question_about(REALLY, "crate", 0, masked=MaskedRow(planted[0].masked.tokens, (4, 7), 9))
    table = measure([lost, *planted[:3]], [lost, *planted[60:]])
    assert lost.label is None and table["g"]["TF-IDF"] == Share(3, 4, 1 / 15)


def test_halves_are_fitted_on_the_other_and_keep_stories_whole():
    """One story has all its questions in one half: nothing is left to learn from."""
    questions = readings(True)
    assert "TF-IDF" not in count_shares(cross_validated(questions))["g"]
    questions += readings(True, story=STORY)
    assert count_shares(cross_validated(questions))["g"]["TF-IDF"] == Share(240, 240, pytest.approx(1 / 15))


@pytest.mark.parametrize(("labels", "right"), [([True] * 4 + [False] * 4, 0), ([True, False] * 4, 4)])
def test_halves_of_problems_are_blocks_of_four(labels, right):
    """The first four rows are in one half: what they say is known to the others, and not to themselves."""
    rows = [problem_of(THAT, follows=follows) for follows in labels]
    assert count_shares(cross_validated(rows))["g"]["hypothesis alone"] == Share(right, 8, 0.5)


def test_lookups_know_only_what_they_were_fitted_on():
    whether = "Bob cannot know whether Ann is thirsty."
    fitted = [problem_of(THAT), problem_of(THAT, "Ann is thirsty"), problem_of(whether, follows=False)]
    tested = [
        problem_of("Bob can now know that Ann is thirsty."),  # the same but for the names
        problem_of(THAT, follows=False),
        problem_of(whether, follows=False),
        problem_of("Bob can now know that someone is thirsty.", group="other"),  # unknown, so the most common label
    ]
    table = measure(tested, fitted)
    shares = {group: (share["majority"], share["hypothesis alone"]) for group, share in table.items()}
    assert shares == {"g": (Share(2, 3, 0.5),) * 2, "other": (Share(1, 1, 0.5),) * 2}
    assert list(table["g"]) == [
        *("majority", "hypothesis alone", "premise alone", "TF-IDF", "name announced", "sentence by sentence"),
        *("no announcements", "announced facts", "as if none saw", "as if all saw all", "all at once"),
    ]
    assert "hypothesis alone" not in measure(tested)["g"], "nothing is fitted"


def test_a_block_defeats_both_lookups():
    """Whatever they were fitted on."""
    h, g = THAT, "Bob can now know that Ann is thirsty."
    p, q = "Ann is not thirsty", "Bob is not thirsty"
    block = [problem_of(h, p), problem_of(g, p, follows=False), problem_of(h, q, follows=False), problem_of(g, q)]
    for fitted in (block, block[:1], block[1:3], [problem_of(h, p, follows=False)] * 3 + block):
        shares = shares_of(measure(block, fitted))["g"]
        halves = ("hypothesis alone", "premise alone", "no announcements", "TF-IDF")
        assert [shares[rule] for rule in halves] == [0.5] * 4
        assert shares["announced facts"] == shares["as if all saw all"] == shares["as if none saw"] == 1


# Shares.


@pytest.mark.parametrize(("right", "total"), [(0, 1), (1, 1), (0, 60), (60, 60), (29, 60), (1, 480), (9, 9)])
def test_the_interval_is_wilsons(right, total):
    expected = binomtest(right, total).proportion_ci(0.95, "wilson")
    assert Share(right, total, 0.5).interval() == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_tables_have_the_groups_in_order_and_all_last_and_chance_is_a_mean():
    answered = [Outcomes(group, 0.5, {}, {"rule": True}) for group in ("all", "b", "a", "zebra")]
    assert list(count_shares(answered)) == ["a", "b", "zebra", "all"]
    table = measure([question_about(EMMA, "box", 0, chance=1 / choices) for choices in (2, 4, 4, 5)])
    assert [share.chance for share in table["g"].values()] == pytest.approx([0.3] * len(table["g"]))


def test_a_rule_that_never_has_a_say_is_left_out_and_else_wrong_where_it_has_none():
    """The probe, of rows beyond its limit."""
    says = [{"probe": None, "mute": None}, {"probe": True, "mute": None}, {"probe": False}, {}]
    table = count_shares(Outcomes("g", 0.5, {}, verdicts) for verdicts in says)
    assert table == {"g": {"probe": Share(1, 4, 0.5)}}
    probes = [{"probe": right} for right in (True, False, None, True)]
    for kind, rows in (
        (1 / 15, [question_about(EMMA, "box", 0, probes=verdict) for verdict in probes]),
        (0.5, [problem_of(THAT, probes=verdict) for verdict in probes]),
    ):
        assert measure(rows)["g"]["probe"] == Share(2, 4, kind)


def test_a_table_survives_its_json(tmp_path, monkeypatch):
    table = {"g": {"first": Share(1, 3, 1 / 15), "letter": Share(2, 3, 1 / 15)}, "h": {"first": Share(0, 7, 0.2)}}
    path = tmp_path / "published.json"
    path.write_text(json.dumps({"hi_tom": {"groups": table_as_json(table)}}))
    monkeypatch.setattr("tom_datasets.audit.figures.FIGURES", path)
    assert recorded_table("hi_tom") == table
    assert list(recorded_table("hi_tom")["g"]) == ["first", "letter"]
