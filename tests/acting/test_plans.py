"""Prove the questions of `plans`: one course of action is right by both meanings, and what is wrong is found."""

import json
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest

from tom_datasets import GENERATOR_VERSION
from tom_datasets.audit.gates import broken_gates, gates_by
from tom_datasets.audit.learners import boosted_trees, most_like_right_ones
from tom_datasets.audit.plans import GOALS, LEARNT, LETTER, gate_of, measured, rendered
from tom_datasets.audit.shares import Share
from tom_datasets.errors import UserError
from tom_datasets.explanations import explain
from tom_datasets.hi_tom.audit import HiTomAudit
from tom_datasets.prompts import ask
from tom_datasets.proof.stories import prove_hi_tom
from tom_datasets.reader.read_plans import PlanTruth
from tom_datasets.reader.steps import judged_steps
from tom_datasets.story.acting.plans import COUNTED, ENDS, LOOKS, PLANNED, counted, episode_of_row, looks, weighted
from tom_datasets.story.acting.solve import MISTAKEN
from tom_datasets.story.config import PLANS
from tom_datasets.story.rows import plan_of, problem_keys, story_rows
from tom_datasets.streams import stream
from tom_datasets.syntax.events import Come, Exit, Move

CONFIG = replace(PLANS, test=6)


@pytest.fixture(scope="module")
def rows():
    """Return two questions."""
    planned = plan_of(CONFIG, "test")
    return [row for index in range(2) for row in story_rows(CONFIG, "test", index, *planned[index])]


def fault(row):
    """Return what the proof says is wrong with a row, None for nothing."""
    (found,) = prove_hi_tom([row], {**asdict(CONFIG), "version": GENERATOR_VERSION}, "plans/test.parquet")
    return found if isinstance(found, str) else None


def test_cells_and_letters_come_in_equal_shares():
    planned = plan_of(CONFIG, "test")
    assert sorted(cell for cell, _ in planned) == sorted(PLANNED)
    assert sorted(letters[0] for _, letters in planned) == list(range(6))


def test_one_course_wins_with_as_many_acts_as_the_others(rows):
    for row in rows:
        assert fault(row) is None
        episode = episode_of_row(row)
        for choice in row["choices"]:
            episode.reset()
            for act in episode.plan_of(choice):
                turn = episode.step(episode.say(act))
            assert (turn.reward == 1.0) == (choice == row["answer"])
            assert (episode.acts, episode.illegal) == (episode.game.acts, 0)
        assert (episode.game.acts, episode.game.depth) in PLANNED and row["order"] == episode.game.depth


def test_what_can_be_counted_of_courses_is_gated(rows):
    (shares,) = measured(rows).values()
    others = "characters", "lines of others", "overheard", "containers of goals", "minds of goals", "goals said"
    signs = {"no claim before being there", "alone in moving", "odd one out"}
    assert set(shares) == {LETTER, *LEARNT, *signs} | {
        f"{rule} {name}" for rule in ("most", "fewest") for name in (*COUNTED, *ENDS, *others)
    } | {f"{GOALS}, {name}" for name in MISTAKEN}
    assert {share.total for share in shares.values()} == {2} and shares[LETTER].right == 1
    lengths = [([*map(len, row["choices"])], len(row["answer"])) for row in rows]
    right = sum((own == max(all_four)) / all_four.count(max(all_four)) for all_four, own in lengths)
    assert shares["most characters"].right == round(right)
    table = {"plans": {"most moves": Share(240, 600, 0.25), "most claims": Share(241, 600, 0.25)}}
    letters = [{"plans": {LETTER: Share(right, 600, 0.25)}} for right in (151, 180)]
    found = {"plans": {rule: Share(400, 600, 0.25) for rule in LEARNT}}
    assert [broken_gates(of, gates_by(of, gate_of)) for of in (table, found, *letters)] == [
        ["plans: 'most claims' is right on 40.2 %, the gate is ≤ 40 %"],
        [],
        [],
        ["plans: 'letter' is right on 30.0 %, the gate is ≤ 29 %"],
    ]
    assert measured([]) == {} and "| most moves | ≤ 40 | 40.0 (36–44) |" in rendered(table)


def test_whoever_takes_the_game_as_it_is_sees_which_course_reaches_most_goals(rows, monkeypatch):
    monkeypatch.setitem(MISTAKEN, "nothing", lambda game: game)
    (shares,) = measured(rows).values()
    assert shares[f"{GOALS}, nothing"].right == len(rows)


def test_a_rule_learns_what_two_counts_tell_together():
    drawn = stream("two counts")
    questions = []
    for _ in range(200):  # the right course has the greatest sum, and often neither the most of one nor of the other
        counts = [[drawn.below(10), drawn.below(10), 1] for _ in range(4)]
        questions.append((counts, max(range(4), key=lambda place: sum(counts[place]))))
    tested = [counts for counts, _ in questions[100:]]

    def right(fitted):
        guesses = most_like_right_ones(fitted, tested)
        return sum(guess == place for guess, (_, place) in zip(guesses, questions[100:], strict=True))

    assert right(questions[:100]) >= 90 and right([]) < 50
    assert right([(counts, drawn.below(4)) for counts, _ in questions[:100]]) < 60


def test_boosted_trees_learn_what_no_sum_of_counts_tells():
    drawn, questions = stream("either or"), []
    for _ in range(400):  # the right course has exactly one of two things, the others both or neither
        place = drawn.below(4)
        counts = [[one, 1 - one if option == place else one] for option in range(4) for one in [drawn.below(2)]]
        questions.append((counts, place))
    tested = [counts for counts, _ in questions[200:]]
    right = [
        sum(guess == place for guess, (_, place) in zip(learn(questions[:200], tested), questions[200:], strict=True))
        for learn in (boosted_trees, most_like_right_ones)
    ]
    assert right[0] >= 190 and right[1] < 120, right


def test_wrong_courses_are_drawn_by_how_much_they_look_right(rows):
    episode = episode_of_row(rows[0])
    plan = episode.plan_of(rows[0]["choices"][0])
    coming, leaving = [Come(0, 1), *plan[1:]], [*plan[:-1], Exit(0, 1)]
    better, worse = looks(episode, [coming, leaving])
    assert better > worse and set(LOOKS) <= set(next(counted(episode, [plan])))
    drawn, names = stream("weights"), [["once"], ["twice"]]
    first = [weighted(drawn, names, [3, 4], 2)[0] for _ in range(300)]
    assert 170 <= first.count(names[1]) <= 230  # two of three
    assert sorted(weighted(drawn, names, [-9, 9], 2)) == names


def test_a_broken_gate_is_an_error(capsys):
    build = SimpleNamespace(default={"semantics": "recursive"})
    with pytest.raises(
        UserError, match="a gate is broken on the test split of plans: plans: 'most ways' is right on 50.0 %"
    ):
        HiTomAudit().hold_gates(build, {}, {}, {"plans": {"plans": {"most ways": Share(300, 600, 0.25)}}})
    HiTomAudit().hold_gates(build, {}, {}, {"plans": {"plans": {"most ways": Share(150, 600, 0.25)}}})
    HiTomAudit().hold_gates(build, {}, {}, {"plans": {"plans": {"most ways": Share(100, 100, 0.25)}}})
    assert capsys.readouterr().out.splitlines() == [
        "plans: gates hold for every rule that does not learn, on 600 test questions",
        "plans, not gated: 100 test questions, the gates need 240",
    ]


def test_a_prompt_has_the_rules_of_the_game_and_an_explanation_says_what_each_course_reaches(rows):
    row = rows[0]
    prompt = ask("vp", row)
    assert row["question"] in prompt and "nobody but you knows the script or your goals" in prompt
    lines = explain(row).split("\n")
    letter = "ABCD"[row["answer_index"]]
    assert lines[-1] == f"Answer: {row['answer']}"
    assert {line.split(":")[0] for line in lines if line.startswith(letter)} == {f"{letter}. Reached"}
    assert all(any(line.startswith(f"{other}. Missed") for line in lines) for other in "ABCD" if other != letter)


def test_a_problem_has_a_key_whatever_its_names(rows):
    name = json.loads(rows[0]["query"])["agents"][0]
    renamed = {column: rows[0][column].replace(name, "Zed") for column in ("events", "query")}
    assert problem_keys([rows[0]]) == problem_keys([{**rows[0], **renamed}]) != problem_keys([rows[1]])


def test_what_is_wrong_with_a_row_is_found(rows):
    row = rows[0]
    wrong = next(choice for choice in row["choices"] if choice != row["answer"])
    query = json.loads(row["query"])
    first = row["choices"][0]
    unsaid = "I win" + first[first.index(", then") :]
    choices = [unsaid if choice == first else choice for choice in row["choices"]]
    for change, message in [
        ({"answer": wrong}, "by the text read by nested minds these win: ["),
        ({"answer_index": (row["answer_index"] + 1) % 4}, "answer_index is"),
        ({"choices": choices}, "the player may not write 'I win.'; expected lines of `legal`"),
        ({"choices": [row["answer"]] * 4}, "two choices are the same"),
        (
            {"question": row["question"].replace("Your goals.", "The goals.")},
            "expected a question about courses of action, not",
        ),
        ({"query": json.dumps({**query, "acts": 1})}, "query says 1 acts, the least number that wins is"),
        (
            {"query": json.dumps({**query, "goals": query["goals"][:1]})},
            "question and query have different scripts or goals",
        ),
        ({"query": "{}"}, "the query of a row cannot be read"),
        ({"story_length": 9}, "story_length is 9"),
        ({"order": 4}, "order is 4"),
    ]:
        assert message in (fault({**row, **change}) or ""), message


def test_the_second_meaning_finds_the_answer_without_the_formal_columns(rows):
    for row in rows:
        truth = PlanTruth({column: row[column] for column in ("story", "question", "choices")})
        assert truth.answers() == [row["answer"]]


EMPTY_MOVES = {
    "first": "Amelia moved the banana to the green_drawer. Noah exited the TV_room.",
    "second": "Noah exited the TV_room. Amelia moved the banana to the green_drawer.",
}


@pytest.mark.parametrize("place", EMPTY_MOVES)
def test_the_second_meaning_leaves_out_a_move_to_where_the_thing_is(place):
    """Wherever it stands in the script: after the player put the thing there, and not after he waited."""
    story = [
        "Lucas, Aiden, Amelia and Noah entered the TV_room.",
        "The banana is in the red_bucket.",
        "Lucas exited the TV_room.",
    ]
    question = (
        "You are Aiden. The last chapter of the story is still going on, and all that follows belongs to it. "
        "Now Aiden, Noah and Amelia are in the TV_room, and Lucas is outside.\n\n"
        "The script: what the others do after each of your lines, whatever you write. "
        "A line that moves the banana to where it is already is left out.\n"
        f"After turn 1: {EMPTY_MOVES[place]}\n\n"
        "Your goals. All of them must hold after the last line of the script.\n"
        "- Noah thinks the banana is in the green_drawer.\n\n"
        "Which of these courses of action, a line of yours for each turn, reaches all goals?"
    )
    courses = ["Aiden moved the banana to the green_drawer", "Aiden waited"]
    text = "\n".join(f"{number} {line}" for number, line in enumerate(story, 1))
    truth = PlanTruth({"story": text, "question": question, "choices": courses})
    moves = [sum(isinstance(event, Move) for event in truth.played(course)[0].events) for course in courses]
    assert moves == [1, 1]
    assert truth.answers() == (courses if place == "first" else courses[:1])


def test_a_text_that_cannot_be_read_is_refused(rows):
    row = rows[0]
    outside = row["question"].replace("Now ", "Now nobody is in the hall, and Zoe is outside. Now ", 1)
    for question, message in [
        (row["question"].replace("After turn 1:", "After turn 7:"), "expected what happens after turn 1, not"),
        (row["question"].replace("- ", "- Perhaps "), "expected a goal, not"),
        (outside, "expected a question about courses of action, not"),
    ]:
        with pytest.raises(ValueError, match=message):
            PlanTruth({**row, "question": question})
    with pytest.raises(ValueError, match="in the room; it must have"):
        PlanTruth({**row, "story": "\n".join(row["story"].split("\n")[:2])})
    with pytest.raises(ValueError, match="lines for"):
        PlanTruth(row).reached(row["answer"] + ", then " + row["answer"])
    with pytest.raises(ValueError, match="each line of a course must begin with"):
        PlanTruth(row).reached(row["answer"].replace(episode_of_row(row).names.agents[0], "Zoe"))


def test_rows_of_plans_have_no_steps(rows):
    with pytest.raises(ValueError, match="rows of plans have no steps"):
        judged_steps("Answer: x", rows[0])


def test_plans_has_a_test_split_alone():
    with pytest.raises(ValueError, match="^train is 4; plans has only a test split: leave it None$"):
        replace(CONFIG, train=4).validate()
    with pytest.raises(ValueError, match="^language is 'fr'; it must be 'en', as plans is in English only"):
        replace(CONFIG, language="fr").validate()
