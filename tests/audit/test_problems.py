"""Work out by hand what the rules about problems see, and what they answer."""

import pytest
from audit.samples import ANN_AND_BOB, THAT, problem_of

from tom_datasets.audit.problems import mask_names, order_answers, problem_guesses, sentence_pairs
from tom_datasets.difficulty.masking import mask_problem
from tom_datasets.reader.problem_worlds import follows
from tom_datasets.reader.read_problems import read_problem


def test_names_are_masked_and_nothing_else():
    assert mask_names("Ann's card is shown to Anna. Bob.", ["Ann", "Bob"]) == "X's card is shown to Anna. X."
    assert mask_names("A. B", ["."]) == "A. B"  # a name is no pattern


@pytest.mark.parametrize(
    ("hypothesis", "clauses", "facts", "all_saw", "none_saw"),
    [
        # Nobody knows of the other: announced facts alone do not tell, but who sees everything is never in doubt.
        ("Ann can now know whether Bob is thirsty.", [], True, True, False),
        (THAT, [], False, False, False),
        (THAT, ["Ann is not thirsty"], True, True, True),
        # Knowledge that a fact holds is that fact; other knowledge is forgotten.
        (THAT, ["Bob knows that Bob is thirsty"], True, True, True),
        (THAT, ["Bob does not know that Ann is thirsty"], False, True, False),
        ("Ann cannot know whether Bob is thirsty.", ["Bob does not know whether Ann is thirsty"], False, True, True),
        ("Bob can now know that someone is thirsty.", [], True, True, True),
    ],
)
def test_what_is_guessed_without_minding_who_sees_what(hypothesis, clauses, facts, all_saw, none_saw):
    """Where all saw all, that somebody does not know whether leaves no world, and then everything follows."""
    guesses = problem_guesses(problem_of(hypothesis, *clauses).problem)
    answers = [guesses[rule] for rule in ("announced facts", "as if all saw all", "as if none saw")]
    assert answers == [facts, all_saw, none_saw]


MUDDY = "'s forehead is muddy"
TRIO_NAMES = ("Ann", "Bob", "Cid")
TRIO = "There are three persons. Everyone is visible to others. It is publicly announced that someone is thirsty."
TOLD = "In front of all, Ann alone is told whether Bob is thirsty."
UNSURE = "It is publicly announced that Ann does not know whether everyone is thirsty."
COUNT = "It is publicly announced that exactly two persons are thirsty."


def posed(*sentences, hypothesis):
    """Return a problem of three thirsty persons."""
    return read_problem(" ".join((TRIO, *sentences)), hypothesis, TRIO_NAMES)[0]


def test_what_is_guessed_without_minding_what_was_said_when():
    """Three wise men: the second silence says more because the first came before it."""
    silences = [f"It is publicly announced that {who} does not know whether {who} is thirsty." for who in ANN_AND_BOB]
    text = " ".join([TRIO, *silences, "Cid can now know that Cid is thirsty."]).replace(" is thirsty", MUDDY)
    premise, _, hypothesis = text.rpartition(". ")
    problem, _ = read_problem(f"{premise}.", hypothesis, TRIO_NAMES)
    assert follows(problem)
    guesses = problem_guesses(problem)
    assert not guesses["all at once"] and not guesses["no announcements"]


def test_pairs_name_agents_by_their_place_in_the_hypothesis():
    premise = "There are three persons. Cy is thirsty. Bob knows that Ann is thirsty."
    assert sentence_pairs(premise, "Bob can now know that Ann is thirsty.", ["Ann", "Bob", "Cy"]) == (
        "X0 can now know that X1 is thirsty. There are three persons.",
        "X0 can now know that X1 is thirsty. O is thirsty.",
        "X0 can now know that X1 is thirsty. X0 knows that X1 is thirsty.",
    )


def test_pairs_with_each_sentence_of_a_text_without_spaces():
    premise, names = "共有两个人，彼此都看得见。公开宣布：志强口渴。", ["志强", "秀英"]
    assert sentence_pairs(premise, "志强现在知道秀英口渴。", names) == (
        "X0现在知道X1口渴。 共有两个人，彼此都看得见。",
        "X0现在知道X1口渴。 公开宣布：X0口渴。",
    )


NOT_WHETHER = "Ann cannot know whether someone is thirsty."


@pytest.mark.parametrize(
    ("hypothesis", "clauses", "named"),
    [
        (THAT, [], False),
        (THAT, ["everyone is thirsty", "someone is thirsty"], False),
        (THAT, ["Bob is not thirsty"], True),
        (NOT_WHETHER, ["Bob is thirsty"], False),
        (NOT_WHETHER, ["Bob does not know whether Ann is thirsty"], True),
        (NOT_WHETHER, ["Ann knows that someone is thirsty"], True),
        ("Ann can now know that Bob can know that nobody is thirsty.", ["Bob is thirsty"], True),
    ],
)
def test_whether_a_name_is_announced(hypothesis, clauses, named):
    assert problem_of(hypothesis, *clauses).features()["name announced"] is named


def test_the_rules_see_who_is_who_only_where_names_are_numbered():
    features = []
    for name in ANN_AND_BOB:
        hypothesis = f"{name} can now know that Bob is thirsty."
        masked = mask_problem("There are two persons. Bob is thirsty.", hypothesis, ANN_AND_BOB, True)
        features.append(problem_of(hypothesis, "Bob is thirsty", masked=masked).features())
    assert features[0]["TF-IDF"] == features[1]["TF-IDF"] and "Ann" not in features[0]["TF-IDF"]
    assert features[0]["TF-IDF, names numbered"] != features[1]["TF-IDF, names numbered"]


# Order blocks.


def test_what_rules_that_forget_announcements_answer():
    """Told that Bob is thirsty, only a thirsty Ann does not know: so Ann and Bob are. Before, Ann is."""
    claim = "Cid now knows that Bob is thirsty."
    late, early = posed(TOLD, UNSURE, hypothesis=claim), posed(UNSURE, TOLD, hypothesis=claim)
    guesses, needs = order_answers(late, True)
    assert (guesses["all but the last"], guesses["last two"]) == (False, True)
    assert order_answers(early, False)[0]["last two"] is False
    assert problem_guesses(late)["all at once"] == problem_guesses(early)["all at once"]
    assert needs == {"needs two": True, "needs three": False, "order matters": True}


@pytest.mark.parametrize(("name", "last"), [("Ann", True), ("Bob", False)])
@pytest.mark.parametrize("said", [(UNSURE, COUNT), (COUNT, UNSURE)])
def test_what_is_heard_first_or_last(name, last, said):
    """Once two are known to be thirsty, nobody is unsure whether all are: no world is left, and everything follows."""
    guesses, _ = order_answers(posed(*said, hypothesis=f"Cid now knows that {name} is thirsty."), True)
    assert guesses["facts last"] is last and guesses["facts first"] is True


def test_what_is_asked_of_the_order_of_order_blocks_alone():
    assert order_answers(posed(COUNT, hypothesis="Ann now knows that Bob is thirsty."), False)[0]["inner part"] is False
    problem = problem_of(THAT, "Ann is thirsty", "Bob is thirsty", "someone is thirsty", ordered=True)
    said = "X0 can now know that X1 is thirsty. It is publicly announced that {} is thirsty."
    one, two, three = map(said.format, ("X0", "X1", "someone"))
    seen = problem.features()
    assert seen["set of sentences"] == tuple(sorted(seen["sentence by sentence"]))
    assert (seen["first sentence"], seen["last sentence"]) == ((one,), (three,))
    assert seen["placed sentences"] == (f"0 {one}", f"1 {two}", f"2 {three}")
    assert seen["ordered pairs"] == (f"{one} {two}", f"{one} {three}", f"{two} {three}")
    assert "first only" in problem.outcomes().right
    assert not {"first only", "set of sentences"} & {*problem_of(THAT).outcomes().right, *problem_of(THAT).features()}
