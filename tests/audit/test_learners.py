"""Plant words that tell the answer, and see that the rules that learn find these and no others."""

from random import Random

from audit.samples import measure, problem_of, question_about, shares_of
from support import numbered

from tom_datasets.audit.learners import cross_validated, lookup, naive_bayes, tf_idf
from tom_datasets.audit.shares import Share, count_shares
from tom_datasets.audit.stories import AuditedQuestion
from tom_datasets.difficulty.masking import MaskedRow
from tom_datasets.proof.read_stories import read_story


def test_tf_idf_learns_a_planted_word_and_no_more():
    """Words of one letter and pairs of words count; coin flips beside equal words are no help."""
    random = Random(1)  # what is drawn here is no data of ours
    words = ["x", "y", "moved the", "to the", "a0", "a1"]
    texts = [" ".join(random.choices(words, k=12)) for _ in range(600)]
    flips = [random.randrange(3) for _ in texts]

    def share(texts, labels):
        guesses = tf_idf(list(zip(texts[:400], labels[:400], strict=True)), texts[400:])
        return sum(guess == label for guess, label in zip(guesses, labels[400:], strict=True)) / 200

    assert share([f"{text} {'pqr'[flip]}" for text, flip in zip(texts, flips, strict=True)], flips) == 1
    pairs = [f"{text} z {'p q|q p|p z q'.split('|')[flip]}" for text, flip in zip(texts, flips, strict=True)]
    assert share(pairs, flips) == 1
    assert share(texts, flips) < 0.45  # of three


def test_tf_idf_of_one_label_gives_that():
    assert tf_idf([("a b", 3), ("c", 3)], ["a", "unknown"]) == [3, 3]


def test_a_lookup_answers_by_the_most_common_label():
    fitted = [("a", True), ("a", False), ("a", False), ("b", True), ("c", True), ("d", True)]
    assert lookup(fitted, ("a", "b", "unknown")) == [False, True, True]


def test_naive_bayes_adds_what_each_feature_says():
    fitted = [(("a", "b"), True), (("a", "c"), True), (("c",), False), (("c",), False)]
    guesses = naive_bayes(fitted, (("a",), ("c",), ("a", "c"), ("unknown",), ()))
    assert guesses == [True, False, True, False, False]


def readings(planted, count=120):
    """Return questions of one story whose answer, one of two containers, is or is not told by a word of the story."""
    random = Random(2)
    questions = []
    for place in range(count):
        right = random.randrange(2)
        hint = f"hint{right if planted else random.randrange(2)}"
        reading = MaskedRow(["[CLS]", "where is t0", "[SEP]", "t0 is in", "c0", hint], (4, 7), (4, 7)[right])
        questions.append(question_about("Where is the pear really?", "crate", place % 15, masked=reading))
    return questions


def test_the_story_alone_learns_from_the_story_alone():
    planted = shares_of(measure(readings(True)[:60], readings(True)[60:]))["g"]
    assert planted["story alone"] == planted["TF-IDF"] == 1 and planted["question alone"] < 0.7
    plain = shares_of(measure(readings(False)[:60], readings(False)[60:]))["g"]
    assert all(0.3 < plain[rule] < 0.7 for rule in ("story alone", "TF-IDF", "question alone"))


def test_an_answer_that_the_text_does_not_have_is_wrong_and_teaches_nothing():
    questions = readings(True)
    lost = question_about(
        "Where is the pear really?", "crate", 0, masked=MaskedRow(questions[0].masked.tokens, (4, 7), 9)
    )
    assert lost.label is None
    table = measure([lost, *questions[:3]], [lost, *questions[60:]])
    assert table["g"]["TF-IDF"] == Share(3, 4, 1 / 15)


def test_what_learns_is_left_out_where_nothing_is_fitted():
    assert "TF-IDF" not in measure(readings(True))["g"] and "TF-IDF" in measure(readings(True), readings(True))["g"]
    assert "hypothesis alone" not in measure([problem_of("Ann can now know that Bob is thirsty.")])["g"]


def test_halves_are_fitted_on_the_other_and_keep_stories_whole():
    """One story has all its questions in one half: nothing is left to learn from."""
    assert "TF-IDF" not in count_shares(cross_validated(readings(True)))["g"]
    other_story, _ = read_story(numbered("Emma entered the hall.", "The pear is in the box."))
    questions = readings(True)
    questions += [
        AuditedQuestion("g", other_story, (0,), 0, 0, 0, container="box", masked=question.masked)
        for question in questions
    ]
    table = count_shares(cross_validated(questions))
    assert table["g"]["TF-IDF"].total == len(questions) and table["g"]["TF-IDF"].share == 1


def test_halves_of_problems_are_blocks_of_four():
    """The first four rows are in one half: what they say is known to the others, and not to themselves."""
    that = "Ann can now know that Bob is thirsty."
    rows = [problem_of(that, follows=follows) for follows in [True] * 4 + [False] * 4]
    assert count_shares(cross_validated(rows))["g"]["hypothesis alone"] == Share(0, 8, 0.5)
    rows = [problem_of(that, follows=follows) for follows in [True, False] * 4]
    assert count_shares(cross_validated(rows))["g"]["hypothesis alone"] == Share(4, 8, 0.5)


def test_lookups_know_only_what_they_were_fitted_on():
    that, whether = "Ann can now know that Bob is thirsty.", "Bob cannot know whether Ann is thirsty."
    fitted = [problem_of(that), problem_of(that, "Ann is thirsty"), problem_of(whether, follows=False)]
    tested = [
        problem_of(that.replace("Ann", "#").replace("Bob", "Ann").replace("#", "Bob")),  # the same but for the names
        problem_of(that, follows=False),
        problem_of(whether, follows=False),
        problem_of("Bob can now know that someone is thirsty.", group="other"),  # unknown, so the most common label
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


def test_a_block_defeats_both_lookups():
    """Whatever they were fitted on."""
    h, g = "Ann can now know that Bob is thirsty.", "Bob can now know that Ann is thirsty."
    p, q = "Ann is not thirsty", "Bob is not thirsty"
    block = [problem_of(h, p), problem_of(g, p, follows=False), problem_of(h, q, follows=False), problem_of(g, q)]
    for fitted in (block, block[:1], block[1:3], [problem_of(h, p, follows=False)] * 3 + block):
        shares = shares_of(measure(block, fitted))["g"]
        assert shares["hypothesis alone"] == shares["premise alone"] == shares["no announcements"] == 0.5
        assert shares["TF-IDF"] == 0.5
        assert shares["announced facts"] == shares["as if all saw all"] == shares["as if none saw"] == 1
