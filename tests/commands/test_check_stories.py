"""Spoil rows of hi_tom, and read how `check` names each fault."""

import json
import os
import re

import pyarrow.parquet as pq
import pytest
from commands.samples import FILES
from support import TINY_ROWS, ended, refused, set_to, spoil, start

from tom_datasets.columns import EMBEDDED
from tom_datasets.folder.build import Build
from tom_datasets.proof.read_stories import read_story
from tom_datasets.proof.stories import prove_hi_tom
from tom_datasets.story.config import FAMILIES
from tom_datasets.story.explanation import explain_row
from tom_datasets.syntax.record import dumps, spell

ROW = 3


def other(row, container):
    """Return a choice that is not this container."""
    return next(choice for choice in row["choices"] if choice != container)


def flipped(row):
    row["answer"] = other(row, row["answer"])


def flipped_with_its_letter(row):
    flipped(row)
    row["answer_index"] = row["choices"].index(row["answer"])


def flipped_with_all(row):
    flipped_with_its_letter(row)
    row["answer_published"] = row["answer"]


def flipped_published(row):
    row["answer_published"] = other(row, row["answer_published"])


def other_letter(row):
    row["answer_index"] = (row["answer_index"] + 1) % len(row["choices"])


def negative_letter(row):
    row["answer_index"] -= len(row["choices"])


def letter_beyond(row):
    row["answer_index"] = len(row["choices"])


def a_choice_twice(row):
    place = (row["answer_index"] + 1) % len(row["choices"])
    row["choices"][place] = row["choices"][place - 1]


def a_choice_missing(row):
    named = {event[-1] for event in json.loads(row["events"])["events"] if event[0] in ("Place", "Move")}
    gone = next(container for container in row["choices"] if container in named - {row["answer"]})
    row["choices"].remove(gone)
    row["answer_index"] = row["choices"].index(row["answer"])


def another_room(row):
    room = re.search(r"entered the (\w+)", row["story"])[1]
    row["story"] = row["story"].replace(f" {room}.", " vault.", 1)


def another_container(row):
    """Let the text, but not the formal story, say that the thing was put elsewhere."""
    line = row["story"].split("\n")[1]
    container = re.search(r"in the (\w+)\.", line)[1]
    row["story"] = row["story"].replace(line, line.replace(container, other(row, container)))


def a_line_less(row):
    row["story"] = row["story"].rpartition("\n")[0]


def an_unreadable_line(row):
    lines = row["story"].split("\n")
    row["story"] = "\n".join([*lines[:2], "3 The moon is made of cheese.", *lines[3:]])


def a_misnumbered_line(row):
    row["story"] = row["story"].replace("\n4 ", "\n14 ")


def an_empty_story(row):
    row["story"] = ""


def another_agent(row):
    """Ask about the same agents the other way round."""
    first, second = row["chain"]
    row["question"] = row["question"].replace(first, "#").replace(second, first).replace("#", second)


def a_stranger(row):
    row["question"] = row["question"].replace(row["chain"][0], "Zebedee")


def another_thing(row):
    events = json.loads(row["events"])
    thing = next(event[1] for event in events["events"] if event[0] == "Place" and event[1] != events["asked"])
    row["question"] = row["question"].replace(events["asked"], thing)


def another_formal_thing(row):
    events = json.loads(row["events"])
    things = [event[1] for event in events["events"] if event[0] == "Place"]
    events["asked"] = next(thing for thing in things if thing != events["asked"])
    row["events"] = json.dumps(events)


def an_unreadable_question(row):
    row["question"] = row["question"].replace("Where", "Why")


def a_second_exit(row):
    events = json.loads(row["events"])
    place, leaving = next((n, event) for n, event in enumerate(events["events"]) if event[0] == "Exit")
    events["events"].insert(place, leaving)
    row["events"] = json.dumps(events)


def an_unknown_event(row):
    row["events"] = row["events"].replace('"Exit"', '"Vanish"', 1)


def events_that_are_no_json(row):
    row["events"] = row["events"][:-1]


def another_chain(row):
    row["chain"].reverse()


def a_chain_of_strangers(row):
    row["chain"] = ["Zebedee", *row["chain"][1:]]


BY_EVENTS = "the formal story gives "


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (flipped, ["answer is '", BY_EVENTS]),
        (flipped_with_its_letter, ["answer is '", BY_EVENTS]),
        (flipped_with_all, ["answer is '", BY_EVENTS]),
        (flipped_published, ["answer_published is '", BY_EVENTS]),
        (other_letter, ["answer_index is ", "which is not where the answer stands"]),
        (negative_letter, ["answer_index"]),
        (letter_beyond, ["answer_index"]),
        (a_choice_twice, ["distinct choices"]),
        (a_choice_missing, ["choices lack ['"]),
        (another_room, ["the text does not say the formal story"]),
        (another_container, ["the text does not say the formal story"]),
        (a_line_less, ["the text does not say the formal story"]),
        (an_unreadable_line, ["line 3 is no sentence of a story: 'The moon is made of cheese.'"]),
        (a_misnumbered_line, ["line 4 starts with its number"]),
        (an_empty_story, ["the story is empty"]),
        (another_agent, ["the question's agents are not the chain"]),
        (another_chain, ["the question's agents are not the chain"]),
        (a_chain_of_strangers, ["the question's agents are not the chain"]),
        (a_stranger, ["the story has no agent 'Zebedee'"]),
        (an_unreadable_question, ["not a question about a story: 'Why does"]),
        (another_formal_thing, ["the question is not about the thing asked about"]),
        (a_second_exit, ["an agent exits a room where he is not", "line "]),
        (an_unknown_event, ["of a formal story is not one of Enter, Place", "Vanish"]),
        (events_that_are_no_json, ["line 1 column"]),
        (set_to("order", lambda order: order + 1), ["order is 3, " + BY_EVENTS + "2"]),
        (set_to("effective_order", lambda order: order + 1), ["effective_order is ", BY_EVENTS]),
        (set_to("order_sensitive", lambda sensitive: not sensitive), ["order_sensitive is ", BY_EVENTS]),
        (set_to("undisputed", lambda undisputed: not undisputed), ["undisputed is False, " + BY_EVENTS + "True"]),
        (set_to("readings", lambda _: ["visit"]), ["readings is ['visit'], " + BY_EVENTS + "[]"]),
        (set_to("shortcuts_missed", lambda share: share / 2 + 0.01), ["shortcuts_missed is ", BY_EVENTS]),
        (set_to("rung", lambda _: 1), ["rung is 1"]),
        (set_to("answer_slot", lambda slot: (slot + 1) % 4), ["answer_slot is ", BY_EVENTS]),
        (set_to("n_places", lambda places: places + 1), ["n_places is ", BY_EVENTS]),
        (set_to("lines_since", lambda lines: lines - 1), ["lines_since is ", BY_EVENTS]),
        (set_to("n_lines", lambda lines: lines - 1), ["n_lines is ", BY_EVENTS]),
        (set_to("n_claims", lambda claims: claims + 1), ["n_claims is ", BY_EVENTS]),
        (set_to("deception", lambda deception: not deception), ["deception is ", BY_EVENTS]),
        (set_to("semantics_agree", lambda agree: not agree), ["semantics_agree is ", BY_EVENTS]),
        (set_to("story_length", lambda length: length + 1), ["story_length"]),
        (set_to("n_agents", lambda agents: agents + 1), ["n_agents"]),
        (set_to("seed", lambda seed: seed + 1), ["seed"]),
        (set_to("generator_version", lambda version: version + ".1"), ["generator_version"]),
        (set_to("story_id", lambda story_id: story_id + "0"), ["id is 'test-0000"]),
        (set_to("id", lambda row_id: row_id + "x"), ["id is 'test-0000"]),
        (set_to("story", lambda story: story + "\n"), ["story begins or ends with a space"]),
        (set_to("question", lambda question: " " + question), ["not a question about a story"]),
        (set_to("question", lambda question: question.replace(" is?", " are?")), ["question does not say is of the "]),
    ],
)
def test_each_kind_of_spoiled_row_is_found(run, stories_copy, change, words):
    rows = spoil(stories_copy / "hi_tom", lambda rows: change(rows[ROW]))
    refused(
        run("check", "--out", stories_copy),
        f"{stories_copy / 'hi_tom' / FILES['hi_tom']}, row {rows[ROW]['id']}: ",
        *words,
    )


def test_a_question_about_another_thing_is_found(run, stories_copy):
    """In a story that has another thing: its third line of text may still be about the first."""
    rows = spoil(stories_copy / "hi_tom", lambda _: None)
    row = next(n for n, row in enumerate(rows) if len({line.split()[2] for line in placed(row)}) > 1)
    spoil(stories_copy / "hi_tom", lambda rows: another_thing(rows[row]))
    refused(
        run("check", "--out", stories_copy), f"row {rows[row]['id']}: the question is not about the thing asked about"
    )


def placed(row):
    """Return the lines of a row's story that say where a thing is."""
    return [line for line in row["story"].split("\n") if re.fullmatch(r"\d+ The \w+ (is|are) in the \w+\.", line)]


@pytest.mark.parametrize("file", ["0th_order/train.parquet", "tomh/test.parquet", "reproduction/test.parquet"])
def test_a_spoiled_row_is_found_in_every_table(run, stories_copy, file):
    rows = spoil(stories_copy / "hi_tom", lambda rows: flipped_with_all(rows[-1]), file)
    code, printed, said = run("check", "--out", stories_copy, "--processes", "2")
    refused((code, printed, said), f"{stories_copy / 'hi_tom' / file}, row {rows[-1]['id']}: answer is ")
    agreed = int(re.search(rf"(\d+) of {TINY_ROWS['hi_tom']} rows agree, then ", said)[1])
    assert len(rows) - 1 <= agreed < TINY_ROWS["hi_tom"]


def test_two_spoiled_tables_name_the_first(run, stories_copy):
    for file in ("4th_order/validation.parquet", FILES["hi_tom"]):
        rows = spoil(stories_copy / "hi_tom", lambda rows: flipped(rows[ROW % len(rows)]), file)
    for processes in (1, 2):
        refused(
            run("check", "--out", stories_copy, "--processes", processes),
            f"{FILES['hi_tom']}, row {rows[ROW]['id']}: answer is ",
        )


def test_the_algorithms_that_disagree_are_named(run, stories, monkeypatch):
    container = 0
    monkeypatch.setattr(
        "tom_datasets.proof.stories.believe_after", lambda told, chains, semantics: dict.fromkeys(chains, container)
    )
    failed = run("check", "--out", stories)
    refused(failed, ".parquet, row ", "the text read by forward tables gives '")
    container = None
    refused(
        run("check", "--out", stories),
        f"0 of {TINY_ROWS['hi_tom']} rows agree, then ",
        "the text read by forward tables gives None",
    )


@pytest.mark.parametrize("file", [FILES["hi_tom"], *(f"{name}/test.parquet" for name in FAMILIES[1:])])
def test_what_is_computed_twice_is_found_without_the_first_time(stories, monkeypatch, file):
    """The English alone gives these columns, by nested minds and by tables of the readings."""
    monkeypatch.setattr("tom_datasets.proof.stories._formal_columns", lambda *_: {})
    config = Build.read(stories / "hi_tom", "hi_tom").config_of(file)
    config |= {"scorer": config["scorer"] and EMBEDDED}
    rows = pq.read_table(stories / "hi_tom" / file).to_pylist()
    assert not [found for found in prove_hi_tom(rows, config, file) if isinstance(found, str)]
    changes = {
        "effective_order": lambda row: row["effective_order"] + 1,
        "order_sensitive": lambda row: not row["order_sensitive"],
        "undisputed": lambda row: not row["undisputed"],
        "readings": lambda row: row["readings"][1:] or ["visit"],
    }
    for column, change in changes.items():
        wrong = [{**row, column: change(row)} for row in rows]
        for fault, row in zip(prove_hi_tom(wrong, config, file), wrong, strict=True):
            assert fault.startswith(f"{column} is {row[column]!r}, the text read by forward tables gives ")


def test_a_question_without_an_answer_is_found(stories):
    text = "1 Ann entered the hall.\n2 Zoe saw a cat.\n3 The pear is in the red_box."
    story, names = read_story(text)
    row = {
        "events": dumps([spell(event, names) for event in story.events], "pear"),
        "story": text,
        "question": "Where does Zoe think the pear is?",
        "chain": ["Zoe"],
    }
    config = {"name": "all", "semantics": "recursive"}
    assert [*prove_hi_tom([row], config, "1st_order/test.parquet")] == ["nothing teaches the chain"]


@pytest.mark.parametrize(
    ("file", "column", "value", "says"),
    [
        (
            "deep/test.parquet",
            "answer_published",
            "red_box",
            "answer_published is 'red_box', the formal story gives None",
        ),
        ("deep/test.parquet", "semantics_agree", True, "semantics_agree is True, the formal story gives None"),
        ("4th_order/test.parquet", "answer_published", None, "answer_published is None, "),
        ("4th_order/test.parquet", "semantics_agree", None, "semantics_agree is None, "),
    ],
)
def test_only_deep_rows_have_no_published_answer_and_all_of_them(stories, file, column, value, says):
    target = stories / "hi_tom"
    (row, *_) = pq.read_table(target / file).to_pylist()
    config = Build.read(target, "hi_tom").config_of(file)
    (fault,) = prove_hi_tom([{**row, column: value}], config, file)
    assert fault.startswith(says)


def test_a_row_twice_is_found(run, stories_copy):
    rows = spoil(stories_copy / "hi_tom", lambda rows: rows.append(rows[0]))
    refused(run("check", "--out", stories_copy), f"{FILES['hi_tom']}, row {rows[0]['id']}: ", "occurs twice")


def test_an_id_twice_is_found(run, stories_copy):
    rows = spoil(stories_copy / "hi_tom", lambda rows: rows[1].update(id=rows[0]["id"], story_id=rows[0]["story_id"]))
    refused(run("check", "--out", stories_copy), f"{FILES['hi_tom']}, row {rows[0]['id']}: its id occurs twice")


def test_a_problem_twice_is_found(run, stories_copy):
    rows = spoil(
        stories_copy / "hi_tom", lambda rows: rows.append({**rows[0], "id": "test-000099-2", "story_id": "test-000099"})
    )
    refused(run("check", "--out", stories_copy), f"{FILES['hi_tom']}, row {rows[-1]['id']}: ", "occurs twice")


def test_a_row_in_the_place_of_another_is_found(run, stories_copy):
    """Also where the number of rows is right and the ids are others."""
    names = ("id", "story_id")
    spoil(
        stories_copy / "hi_tom",
        lambda rows: rows.__setitem__(1, {**rows[0], **{name: rows[1][name] for name in names}}),
    )
    refused(run("check", "--out", stories_copy), "its problem occurs twice")


@pytest.mark.parametrize("renamed", [False, True])
def test_a_story_in_two_splits_is_found(run, stories_copy, renamed):
    """Its first-order question stays in test, its second-order one goes to train."""
    moved = pq.read_table(stories_copy / "hi_tom" / FILES["hi_tom"]).to_pylist()[0]
    spoil(stories_copy / "hi_tom", lambda rows: rows.pop(0))
    named = {"id": "train-000099-2", "story_id": "train-000099"} if renamed else {}
    named["explanation"] = explain_row(moved)
    rows = spoil(stories_copy / "hi_tom", lambda rows: rows.append({**moved, **named}), "2nd_order/train.parquet")
    failed = run("check", "--out", stories_copy)
    refused(failed, ".parquet, row ", " too")
    assert rows[-1]["story_id"] in failed[2] and "train" in failed[2] and "test" in failed[2]


def test_a_story_under_two_names_is_found(run, stories_copy):
    rows = spoil(stories_copy / "hi_tom", lambda rows: rows[0].update(story_id="test-000099", id="test-000099-2"))
    refused(run("check", "--out", stories_copy), "row ", "its story is in", rows[0]["story"] and "test")


def test_rows_of_another_order_are_found(run, stories_copy):
    """What `load_dataset("hi_tom", "4th_order")` reads must be of fourth order."""
    first, second = (stories_copy / "hi_tom" / order / "test.parquet" for order in ("3rd_order", "4th_order"))
    swapped = first.read_bytes(), second.read_bytes()
    second.write_bytes(swapped[0])
    first.write_bytes(swapped[1])
    refused(run("check", "--out", stories_copy), "_order/test.parquet")


def test_a_fault_found_by_several_processes_ends_them(stories_copy):
    spoil(stories_copy / "hi_tom", lambda rows: flipped(rows[0]), "0th_order/test.parquet")
    process = start("check", "--out", stories_copy, "--processes", "2", start_new_session=True)
    refused(ended(process), "0th_order/test.parquet, row ")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def a_step_less(row):
    row["explanation"] = row["explanation"].partition("\n")[2]


@pytest.mark.parametrize(
    ("change", "file", "words"),
    [
        (set_to("explanation", lambda _: None), "2nd_order/train.parquet", "explanation is empty"),
        (set_to("explanation", lambda _: "So."), "deep/test.parquet", "explanation is set, in a row that has none"),
        (set_to("explanation", lambda _: "So."), "deep/train.parquet", "step 1 of its explanation is wrong: 'So.'"),
        (a_step_less, "deep/validation.parquet", "step 1 of its explanation is wrong: "),
    ],
)
def test_a_spoiled_explanation_is_found(run, stories_copy, change, file, words):
    rows = spoil(stories_copy / "hi_tom", lambda rows: change(rows[-1]), file)
    refused(run("check", "--out", stories_copy), f"{file}, row {rows[-1]['id']}: {words}")


def test_a_build_without_explanations_agrees(run, tmp_path):
    sizes = "--train 6 --validation 0 --test 0 --tomh 0 --reproduction 0 --deep-train 0 --deep-validation 0 --deep 0"
    words = [*sizes.split(), "--ladder", "0", "--probe", "none", "--no-explanations", "--out", tmp_path]
    assert run("build", "hi_tom", *words)[0] == 0
    assert run("check", "--out", tmp_path, "--probe", "none")[0] == 0
    rows = pq.read_table(tmp_path / "hi_tom" / "1st_order" / "train.parquet").to_pylist()
    assert [row["explanation"] for row in rows] == [None] * 6
