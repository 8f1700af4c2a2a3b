"""Questions of many kinds: what each asks of a story, how a chunk is drawn, and that both meanings answer alike."""

import re
from collections import Counter, defaultdict
from dataclasses import replace
from functools import partial
from math import ceil

import pytest

from tom_datasets.answers.analyses import BY_NOW
from tom_datasets.audit.abilities import gate_of, measured, outcomes_of
from tom_datasets.audit.gates import broken_gates, gates_by
from tom_datasets.audit.shares import Share
from tom_datasets.explanations import explain
from tom_datasets.prompts import ask
from tom_datasets.proof.stories import prove_hi_tom
from tom_datasets.reader.english import ReadError
from tom_datasets.reader.read_abilities import AbilityTruth, read_ability
from tom_datasets.reader.steps import explanation_fault, judged_steps
from tom_datasets.story.abilities.draw import Ledger, draw_chunk
from tom_datasets.story.abilities.kind import YES_NO, Kind
from tom_datasets.story.abilities.kinds import KINDS
from tom_datasets.story.abilities.record import dumps_query, loads_query
from tom_datasets.story.abilities.shortcuts import PERCEIVED, SEEN, by_last, first_saw
from tom_datasets.story.abilities.view import View
from tom_datasets.story.config import ABILITIES
from tom_datasets.story.rows import story_questions, story_rows
from tom_datasets.streaming.endless import endless
from tom_datasets.streams import stream
from tom_datasets.syntax.ability import Belief, Query
from tom_datasets.syntax.events import Enter, Exit, Move, Names, Place, Story, Tell, Watch
from tom_datasets.syntax.record import loads

SIZE = 12
CONFIG = replace(ABILITIES, seed=7, train=SIZE, validation=None, test=None)  # no kind waits so long that a share gives
ANN, BEN, CID, DAN = range(4)
BOX, JAR, BAG = range(3)
STORY = Story(
    4,
    (
        Enter((ANN, BEN, CID), 1),
        Place(0, BOX),
        Exit(ANN, 1),
        Move(BEN, 0, JAR),
        Exit(BEN, 1),
        Watch(ANN, 1, ()),
        Move(CID, 0, BAG),
        Exit(CID, 1),
        Enter((ANN, BEN, CID), 0),
        Tell(CID, (BEN,), 0, BOX),
    ),
)
"""Ann sees the box and, watching, the bag; Ben the jar, and believes Cid's box; Cid sees all."""


@pytest.fixture(scope="module")
def rows():
    return [row for index in range(SIZE) for row in story_rows(CONFIG, "train", index, None, None)]


def asked(kind, *about, **named):
    return Query(KINDS[kind], *about, **named)


def answer(query):
    return query.kind.answer_to(View(STORY), query)


@pytest.mark.parametrize(
    "query, right",
    [
        (asked("now", (ANN,)), BAG),
        (asked("now", (BEN,)), BOX),
        (asked("search", (CID, BEN)), BOX),
        (asked("past", (BEN,), line=4), JAR),
        (asked("past", (ANN,), line=4), BOX),
        (asked("change", (BEN,), options=(3, 4, 5, 6, 7, 8, 9, 10)), 10),
        (asked("change", (ANN,), options=(3, 4, 5, 6, 7, 8, 9, 10)), 7),
        (asked("right", (ANN,)), True),
        (asked("right", (BEN, ANN)), True),  # Ben thinks of the box, and that Ann does
        (asked("right", (CID, BEN)), False),
        (asked("agree", (ANN,), (CID,)), True),
        (asked("agree", (BEN,), (CID,)), False),
        (asked("who", (ANN,), (BEN, CID), container=BAG), (True, False, True)),
        (asked("surprise", (BEN,), container=BOX), True),
        (asked("surprise", (ANN,), container=BAG), False),
        (asked("surprise", (ANN,), container=JAR), False),
        (asked("lie", (CID,), line=10, container=BOX), (False, False)),
        (asked("lie", (BEN, CID), line=10, container=BOX), (True, True)),
        (asked("what_if", (BEN,), line=10), JAR),
        (asked("what_if", (ANN,), line=6), BOX),
        (asked("what_if", (ANN,), line=3), BAG),  # who did not leave the room sees the last move
    ],
)
def test_a_question_has_the_answer_of_its_beliefs(query, right):
    assert answer(query) == right


def test_only_a_trusted_speaker_makes_somebody_believe_something():
    told = [Tell(speaker, (BEN, other), 0, BAG) for speaker, other in ((CID, DAN), (ANN, DAN), (DAN, ANN), (DAN, CID))]
    assert answer(asked("tell", (BEN,), container=BAG, options=tuple(told))) == told[0]
    assert answer(asked("tell", (BEN,), container=BAG, options=tuple(told[1:]))) == frozenset()


def test_an_exit_that_must_have_happened_cannot_go():
    view = View(STORY)
    assert not view.changed(Belief((), without=3)).is_coherent  # Ann then watches the room where she is
    assert view.changed(Belief((), without=8)).is_coherent


def test_a_chunk_has_each_kind_in_equal_orders_and_pairs(rows):
    for kind, group in by(rows, "kind").items():
        assert [row["order"] for row in group] == [1, 1, 2, 2, 3, 3] * (SIZE // 6)
        assert max(Counter(row["story_id"] for row in group).values()) <= 2
        if KINDS[kind].form is YES_NO:
            for one, other in zip(group[::2], group[1::2], strict=True):
                assert one["story_id"] == other["story_id"] and {one["answer"], other["answer"]} == {"yes", "no"}
                assert nameless(one) == nameless(other)
    assert len({row["id"] for row in rows}) == len(rows) == SIZE * len(KINDS)
    rights = defaultdict(Counter)
    for outcomes, _ in map(outcomes_of, rows):
        rights[outcomes.group].update(outcomes.right)
    for (kind, order), right in ((group.split(), right) for group, right in rights.items()):
        for name, rule in KINDS[kind].rules.items():
            assert int(order) < rule.since or right[name] <= max(1, ceil(rule.most * 0.04)), (kind, order, name)


def nameless(row):
    """Return the question of a row with one name for all agents and containers."""
    _, names, _ = loads(row["events"])
    return re.sub(rf"\b({'|'.join(names.agents + names.containers)})\b", "X", row["question"])


def by(rows, column):
    groups = defaultdict(list)
    for row in rows:
        groups[row[column]].append(row)
    return groups


def test_the_number_of_choices_does_not_tell_where_the_answer_is(rows):
    for kind in ("now", "past", "search", "what_if", "tell"):
        for order in (1, 2, 3):
            places = defaultdict(list)
            for row in by(rows, "kind")[kind]:
                if row["order"] == order:
                    places[len(row["choices"])].append(row["answer_index"])
            assert all(len({*taken}) == len(taken) for taken in places.values()), (kind, order, places)


def test_no_question_lists_a_sentence_on_where_the_thing_is(rows):
    for row in by(rows, "kind")["change"]:
        lines = dict(line.split(" ", 1) for line in row["story"].split("\n"))
        assert not [choice for choice in row["choices"] if lines[choice.removeprefix("line ")].startswith("The ")]


def test_a_reader_goes_by_what_all_saw_or_perceived_together():
    chains = {"now": (BEN, CID), "right": (BEN, CID), "who": (BEN,)}
    found = {
        (kind, name): KINDS[kind].rules[name].guess(View(STORY), asked(kind, chains[kind], (ANN, CID), container=JAR))
        for kind, name in [("now", SEEN), ("right", SEEN), ("right", PERCEIVED), ("who", SEEN), ("who", PERCEIVED)]
    }
    # Ben and Cid saw the jar together; Ben heard of the box from Cid, and Cid spoke of it.
    assert found == {
        ("now", SEEN): JAR,
        ("right", SEEN): True,
        ("right", PERCEIVED): True,
        ("who", SEEN): (True, False, False),
        ("who", PERCEIVED): (False, False, False),
    }
    # Ann, watching, sees Cid put it into the bag; Ben moved it to the jar, and no claim is about what anybody thinks.
    assert by_last(first_saw, View(STORY), asked("now", (ANN, CID))) == BAG
    assert KINDS["who"].rules["moved or named"].guess(View(STORY), asked("who", (ANN,), (BEN, CID), container=JAR)) == (
        False,
        True,
        False,
    )
    assert KINDS["now"].rules["told of the last minds"].guess(View(STORY), asked("now", (ANN, CID))) is None
    listed = asked("change", (BEN,), options=(3, 4, 5, 6, 7, 8, 9, 10))
    assert KINDS["change"].rules["last that names the first"].guess(View(STORY), listed) == 10
    assert KINDS["change"].rules[PERCEIVED].guess(View(STORY), listed) == 10


def test_a_row_depends_on_its_index_alone(rows):
    assert story_rows(CONFIG, "train", 5, None, None) == rows[5 * len(KINDS) : 6 * len(KINDS)]
    story = rows[0]["story_id"]
    told = story_questions(CONFIG, "train", int(story[-6:]))
    assert sorted(row["id"] for row in told) == sorted(row["id"] for row in rows if row["story_id"] == story)


def test_all_rows_are_proven_twice_and_a_wrong_one_is_not(rows):
    config = {"name": "abilities", "seed": CONFIG.seed, "version": rows[0]["generator_version"], "scorer": None}
    config |= {"explanations": ["train"], "language": "en"}
    file = "abilities/train.parquet"
    assert not [found for found in prove_hi_tom(rows, config, file) if isinstance(found, str)]
    for row in rows[: len(KINDS)]:
        other = (row["answer_index"] + 1) % len(row["choices"])
        wrong = {**row, "answer_index": other, "answer": row["choices"][other]}
        (fault,) = prove_hi_tom([wrong], config, file)
        assert fault.startswith(f"answer_index is {other}, the formal question gives {row['answer_index']}")
        assert AbilityTruth(wrong).answer() == row["answer"]
        (fault,) = prove_hi_tom([{**row, "question": rows[-1]["question"]}], config, file)
        assert isinstance(fault, str)
        others = [place for place in range(len(row["choices"])) if place != row["answer_index"]]
        odd, swapped = [*row["choices"]], [*row["choices"]]
        odd[others[0]] = "banana"
        swapped[others[0]], swapped[others[-1]] = swapped[others[-1]], swapped[others[0]]
        (fault,) = prove_hi_tom([{**row, "choices": odd}], config, file)
        assert "banana" in fault
        if len(others) > 1:
            (fault,) = prove_hi_tom([{**row, "choices": swapped}], config, file)
            assert fault.startswith(f"choices is {swapped}, the formal question gives")


def test_questions_and_explanations_read_back(rows):
    for row in rows:
        story, names, thing = loads(row["events"])
        assert dumps_query(loads_query(row["query"], names), names) == row["query"]
        assert explain(row) == row["explanation"] and explanation_fault(row["explanation"], row) is None
        judged = judged_steps(row["explanation"], row)
        assert judged.share == judged.share_before_wrong == 1.0 and judged.first_wrong is None
    with pytest.raises(ReadError, match="not a question of a known kind: 'Why\\?'"):
        read_ability("Why?", [])


def test_a_prompt_has_the_rule_that_its_kind_needs_alone(rows):
    for row in rows:
        assert ("A further line comes" in ask("vp", row)) == (row["kind"] == "tell")
        assert ("is surprised at a container" in ask("vp", row)) == (row["kind"] == "surprise")


def test_a_stream_has_the_kinds_that_are_asked_for():
    rows = endless("hi_tom", "abilities", kinds=("past", "now"))
    first = [rows[index] for index in range(6)]
    assert [row["kind"] for row in first] == ["past", "now"] * 3
    assert all(row["id"].startswith(f"{row['story_id']}-{row['kind']}") for row in first)
    assert endless("hi_tom", "abilities", kinds=("past", "now"))[5] == first[5]


@pytest.mark.parametrize(
    "fields, message",
    [
        ({"kinds": ("now", "later")}, r"kinds is \('now', 'later'\); it must name some of now, past, "),
        ({"train": 7}, "train is 7 questions of each kind; it must be even, because some come in pairs"),
        ({"n_agents": 5}, "n_agents is 5; it must be 6 or more for questions of order 3"),
        ({"max_order": 4}, "max_order is 4 and order is None; for abilities max_order must be 1, 2 or 3"),
        ({"name": "deep", "max_order": 4}, "kinds is .*; only abilities has kinds of questions"),
    ],
)
def test_a_config_that_cannot_be_is_refused(fields, message):
    kinds = {"kinds": ("now",)} if "name" in fields else {}
    with pytest.raises(ValueError, match=message):
        replace(CONFIG, **{**kinds, **fields}).validate()


def test_a_kind_is_one_record(monkeypatch):
    def propose(view, query, stream):
        yield from (replace(query, container=container) for container in view.named())

    toy = Kind("toy", YES_NO, propose, answer=lambda query, held: held[0] == query.container)
    monkeypatch.setitem(KINDS, "toy", toy)
    chunk = draw_chunk(replace(CONFIG, kinds=("toy",)), partial(stream, "toy"), 6, 0)
    names = Names(tuple("ABCDEF"), containers=tuple("stuvwxyz"))
    for _, story, query, place, _ in chunk["toy"]:
        assert toy.answer_to(View(story.story), query) == query.options[place]
        assert loads_query(dumps_query(query, names), names) == query
    places = [question.answer for question in chunk["toy"]]
    assert places[::2] == [1 - place for place in places[1::2]]
    assert [len(question.query.chain) for question in chunk["toy"]] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("n", [4, 8])
def test_each_cell_gets_as_many_questions_over_some_chunks(n):
    chunks = [[Ledger(KINDS["lie"], 10, turn)._limit((cell, 100 / n), 1) for cell in range(n)] for turn in range(n)]
    assert {sum(limits) for limits in chunks} == {10} and {*map(sum, zip(*chunks, strict=True))} == {10}
    assert {limit for limits in chunks for limit in limits} == {10 // n, 10 // n + 1}


def test_scores_say_who_knows_but_does_not_foresee(rows):
    score = pytest.importorskip("tom_datasets").score
    replies = ["Answer: " + (row["answer"] if row["kind"] != "agree" else "yes") for row in rows]
    scores = score(rows, replies)
    assert scores["tables"]["kind"]["tell"]["accuracy"]["share"] == 1.0
    assert scores["tables"]["kind"]["agree"]["accuracy"]["share"] == 0.5
    assert scores["tables"]["kind"]["agree"]["joint accuracy"]["share"] == 0.0
    matrix = scores["analyses"][BY_NOW]
    assert matrix["search"]["right on now"]["share"] == 1.0 and "wrong on now" not in matrix["search"]


def test_a_rule_that_answers_too_much_breaks_its_gate(rows):
    table = measured(rows, rows)
    assert table["right 1"]["reality"].share == 1.0 and not [
        line for line in broken_gates(table, gates_by(table, gate_of)) if line.startswith("right 1")
    ]
    table = {"past 2": {"belief of now": Share(41, 100, 0.2)}, "who 2": {"best of 2 features": Share(66, 100, 0.1)}}
    table["who 3"] = {"question alone": Share(29, 100, 0.125), "nobody": Share(40, 100, 0.125)}
    assert broken_gates(table, gates_by(table, gate_of)) == [
        "past 2: 'belief of now' is right on 41.0 %, the gate is ≤ 40 %",
        "who 2: 'best of 2 features' is right on 66.0 %, the gate is ≤ 65 %",
        "who 3: 'question alone' is right on 29.0 %, the gate is ≤ 20 %",
    ]
