"""Spoil rows of hi_tom, and read how the proof names each fault."""

import json
import re

import pyarrow.parquet as pq
import pytest
from proof.samples import another, changed

from tom_datasets.folder.build import Build
from tom_datasets.proof.stories import prove_hi_tom, text_fault
from tom_datasets.reader.read_stories import read_question, read_story
from tom_datasets.reader.story_minds import happenings
from tom_datasets.story.config import FAMILIES
from tom_datasets.syntax.record import dumps, spell

FILE = "2nd_order/test.parquet"
COLUMNS = (
    "order answer answer_published semantics_agree effective_order order_sensitive undisputed readings shortcuts_missed"
    " answer_slot n_places lines_since n_lines n_claims deception story_length n_agents rung seed generator_version id"
).split()
TWICE = "effective_order order_sensitive undisputed readings".split()  # columns that the English alone gives too


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("file", [FILE, "deep/test.parquet", "ladder/test.parquet"])
def test_every_column_follows_from_the_formal_story(rows_of, faults, file, column):
    """Rows of deep have no published answer."""
    right = rows_of("hi_tom", file)
    found, rows = faults("hi_tom", file, lambda rows: rows[3].update({column: another(rows[3][column])}))
    assert found == [f"{column} is {rows[3][column]!r}, the formal story gives {right[3][column]!r}"]


@pytest.mark.parametrize("column", TWICE)
@pytest.mark.parametrize(
    "file", [FILE, *(f"{name}/test.parquet" for name in [*FAMILIES][1:] if name not in ("abilities", "plans"))]
)
def test_the_english_alone_finds_what_is_computed_twice(tiny_build, file, column):
    """It gives these columns by nested minds and by tables of the readings. Rows of abilities have none."""
    folder = tiny_build("hi_tom") / "hi_tom"
    config = Build.read(folder, "hi_tom").config_of(file)

    def found(row):
        story, names = read_story(row["story"])
        question = read_question(row["question"], names)
        return text_fault(row, config, happenings(story, question.thing), names, question.chain)

    for row in pq.read_table(folder / file).to_pylist():
        spoiled = {**row, column: another(row[column])}
        says = f"{column} is {spoiled[column]!r}, the text read by nested minds gives {row[column]!r}"
        assert [found(row), found(spoiled)] == [None, says]


@pytest.mark.parametrize("container", [0, None])
def test_the_algorithms_that_disagree_are_named(faults, monkeypatch, container):
    believed = lambda told, chains, semantics: dict.fromkeys(chains, container)  # noqa: E731
    monkeypatch.setattr("tom_datasets.proof.stories.believe_after", believed)
    found, _ = faults("hi_tom", "reproduction/test.parquet")
    assert any(re.match(r"answer is '\w+', the text read by nested minds gives (None|'\w+')", fault) for fault in found)


def edited(change):
    """Return a change of a row: that of its formal story."""

    def edit(row):
        record = json.loads(row["events"])
        change(record)
        row["events"] = json.dumps(record)

    return edit


def an_exit_twice(record):
    place, leaving = next((n, event) for n, event in enumerate(record["events"]) if event[0] == "Exit")
    record["events"].insert(place, leaving)


def another_thing_asked(record):
    things = (event[1] for event in record["events"] if event[0] == "Place")
    record["asked"] = next(thing for thing in things if thing != record["asked"])


def another_container(row):
    """Let the text, but not the formal story, say that the thing was put elsewhere."""
    line, container = re.search(r"\n2 .* in the (\w+)\.", row["story"]).group(0, 1)
    elsewhere = next(choice for choice in row["choices"] if choice != container)
    row["story"] = row["story"].replace(line, line.replace(container, elsewhere))


def agents_the_other_way_round(row):
    first, second = row["chain"]
    row["question"] = row["question"].replace(first, "#").replace(second, first).replace("#", second)


def a_choice_missing(row):
    named = {event[-1] for event in json.loads(row["events"])["events"] if event[0] in ("Place", "Move")}
    row["choices"].remove(next(name for name in row["choices"] if name in named - {row["answer"]}))
    row["answer_index"] = row["choices"].index(row["answer"])


LETTER = "answer_index is {answer_index}, but the answer is not there, or choices repeat"
CHAIN = "the question's agents are not the chain"
TOLD = "the text and the formal story differ; they must tell the same events"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: row.update(story_id="test-000099"), "id is 'test-0000"),
        (lambda row: row.update(answer_index=row["answer_index"] - 1), LETTER),
        (lambda row: row.update(answer_index=row["answer_index"] - len(row["choices"])), LETTER),
        (lambda row: row.update(choices=[row["answer"]] * 2), LETTER),
        (a_choice_missing, "choices lack ['"),
        (changed("story", r"entered the \w+", "entered the vault"), TOLD),
        (another_container, TOLD),
        (changed("story", r"\n.*\Z", ""), TOLD),
        (
            changed("story", r"\n3 .*", "\n3 The moon is made of cheese."),
            "line 3 is not a sentence that the reader knows: 'The moon is made of cheese.'",
        ),
        (changed("story", r"\Z", "\n"), "story begins or ends with a space"),
        (agents_the_other_way_round, CHAIN),
        (lambda row: row["chain"].reverse(), CHAIN),
        (lambda row: row.update(chain=["Zebedee", row["chain"][1]]), CHAIN),
        (changed("question", r"does \w+", "does Zebedee"), "the story has no agent 'Zebedee'; it has "),
        (changed("question", r" is\?", " are?"), "the question lacks is for the "),
        (edited(another_thing_asked), "the question and the formal story name different things"),
        (edited(an_exit_twice), "an agent must exit a room where he is"),
        (changed("events", "Exit", "Vanish"), "of a formal story must be one of Enter, Come, Place"),
        (changed("events", r".\Z", ""), "line 1 column"),
        (lambda row: row.update(explanation="So."), "explanation is set, but rows of this config and split have none"),
    ],
)
def test_what_a_text_says_otherwise_is_found(faults, change, message):
    found, rows = faults("hi_tom", FILE, lambda rows: change(rows[3]))
    assert len(found) == 1 and message.format_map(rows[3]) in found[0]


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("2nd_order/train.parquet", lambda row: row.update(explanation=None), "explanation is empty"),
        ("deep/train.parquet", lambda row: row.update(explanation="So."), "step 1 of its explanation is wrong: 'So.'"),
        ("deep/validation.parquet", changed("explanation", r"\A.*\n", ""), "step 1 of its explanation is wrong: "),
        ("all/test.parquet", lambda row: None, "a question of order 4 stands in all/test.parquet"),
    ],
)
def test_explanations_and_places_in_files(faults, file, change, message):
    found, _ = faults("hi_tom", file, lambda rows: change(rows[-1]))
    assert found[-1].startswith(message)


TEXT = "1 Ann entered the hall.\n2 Zoe saw a cat.\n3 The pear is in the red_box."


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("pear", "no line teaches the chain; one must, or the question has no answer"),
        ("fig", "the story must say where the fig is, as its events ask about it"),
    ],
)
def test_a_question_without_an_answer_is_found(asked, message):
    story, names = read_story(TEXT)
    row = {
        "events": dumps([spell(event, names) for event in story.events], asked),
        "story": TEXT,
        "question": "Where does Zoe think the pear is?",
        "chain": ["Zoe"],
    }
    assert [
        *prove_hi_tom([row], {"name": "all", "semantics": "recursive", "language": "en"}, "1st_order/test.parquet")
    ] == [message]
