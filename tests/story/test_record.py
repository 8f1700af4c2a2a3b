"""Prove that a story is written as JSON and read back unchanged, and that the reader refuses anything else."""

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tom_datasets.syntax.events import (
    WAITING_ROOM,
    Come,
    Dislike,
    Enter,
    Event,
    Exit,
    Like,
    Lose,
    Move,
    MoveBy,
    Names,
    Overhear,
    Place,
    Question,
    Report,
    ReportBy,
    See,
    Stay,
    Still,
    Story,
    Tell,
    TellBy,
    Watch,
)
from tom_datasets.syntax.record import Interned, dumps, extent, loads, spell

NAMES = Names(
    agents=("Emma", "Jack", "Owen"),
    rooms=("waiting_room", "workshop"),
    things=("pear", "peas"),
    containers=("red_box", "blue_crate"),
    items=("watch",),
    animals=("monkey",),
)
SPELLED = [
    (Enter((0, 1), 1), ["Enter", ("Emma", "Jack"), "workshop"]),
    (Come(2, 1), ["Come", "Owen", "workshop"]),
    (Place(0, 0), ["Place", "pear", "red_box"]),
    (Move(1, 0, 1), ["Move", "Jack", "pear", "blue_crate"]),
    (Stay(0, 1), ["Stay", "Emma", "workshop"]),
    (Exit(0, 1), ["Exit", "Emma", "workshop"]),
    (Enter((0,), 0), ["Enter", ("Emma",), "waiting_room"]),
    (Tell(1, (), 0, 0), ["Tell", "Jack", (), "pear", "red_box"]),
    (Tell(1, (0, 2), 0, 0), ["Tell", "Jack", ("Emma", "Owen"), "pear", "red_box"]),
    (Report(1, (0,), (2,), 1, 0), ["Report", "Jack", ("Emma",), ("Owen",), "peas", "red_box"]),
    (Still(0, 0), ["Still", "pear", "red_box"]),
    (MoveBy(1, 0, 1, (2, 0)), ["MoveBy", "Jack", "pear", "blue_crate", ("Owen", "Emma")]),
    (TellBy(1, (), 0, 0, (2,)), ["TellBy", "Jack", (), "pear", "red_box", ("Owen",)]),
    (ReportBy(1, (0,), (2,), 1, 0, (0,)), ["ReportBy", "Jack", ("Emma",), ("Owen",), "peas", "red_box", ("Emma",)]),
    (Overhear(2, ()), ["Overhear", "Owen", ()]),
    (Watch(2, 1, ()), ["Watch", "Owen", "workshop", ()]),
    (Watch(0, 1, (2,)), ["Watch", "Emma", "workshop", ("Owen",)]),
    (Lose(2, 0), ["Lose", "Owen", "watch"]),
    (See(2, 0), ["See", "Owen", "monkey"]),
    (Like(0, 1), ["Like", "Emma", "blue_crate"]),
    (Dislike(0, 1), ["Dislike", "Emma", "peas"]),
]


def test_every_kind_of_event_is_spelled_here():
    assert {type(event) for event, _ in SPELLED} == set(Event.__args__)


@pytest.mark.parametrize(
    ("event", "spelled"),
    [
        *SPELLED,
        (Question((), 0), ["Question", (), "pear", False]),
        (Question((2, 0), 1, True), ["Question", ("Owen", "Emma"), "peas", True]),
    ],
)
def test_an_event_or_a_question_is_spelled_as_its_kind_and_its_fields(event, spelled):
    assert spell(event, NAMES) == spelled


def test_a_story_is_one_line_of_json_and_back():
    story = Story(3, tuple(event for event, _ in SPELLED))
    text = dumps([spell(event, NAMES) for event in story.events], "peas")
    assert "\n" not in text
    assert json.loads(text) == json.loads(json.dumps({"asked": "peas", "events": [spelled for _, spelled in SPELLED]}))
    assert loads(text) == (story, NAMES, 1)


def test_the_waiting_room_is_number_0_even_where_it_comes_last():
    story, names, _ = loads('{"asked":"pear","events":[["Enter",["A"],"hall"],["Enter",["A"],"waiting_room"]]}')
    assert story.events == (Enter((0,), 1), Enter((0,), WAITING_ROOM))
    assert names.rooms == ("waiting_room", "hall")


GROUPS = ("agents", "hearers", "chain", "by", "noticed")
NUMBERS = st.integers(0, 3)
EVENTS = st.one_of(
    st.builds(
        kind, **{field.name: st.sets(NUMBERS).map(tuple) if field.name in GROUPS else NUMBERS for field in fields(kind)}
    )
    for kind in Event.__args__
)


@given(st.lists(EVENTS, max_size=12), NUMBERS, st.sampled_from(["", "é", '"', "\\", " ", "名"]))
def test_loads_reads_what_dumps_writes(events, thing, tail):
    words = {field.name: tuple(f"{field.name}{number}{tail}" for number in range(4)) for field in fields(Names)}
    names = Names(**words | {"rooms": ("waiting_room", *words["rooms"][1:])})
    text = dumps([spell(event, names) for event in events], names.things[thing])
    assert tail in text  # names of any alphabet stay as they are
    story, read_names, asked = loads(text)
    assert dumps([spell(event, read_names) for event in story.events], read_names.things[asked]) == text


NO_STORY = 'a formal story must be an object with "asked", a name, and "events", a list'


NO_RECORDS = (
    [],
    {"events": []},
    {"asked": "pear"},
    {"asked": "pear", "events": [], "more": 1},
    *({"asked": "pear", "events": events} for events in (3, None)),
    *({"asked": asked, "events": []} for asked in (["pear"], None)),
)
NO_EVENT = (
    "event 2 of a formal story must be one of Enter, Come, Place, Move, Stay, Exit, Tell, Report, Watch, Overhear, "
    "Lose, See, Like, Dislike, Still, MoveBy, TellBy, ReportBy: "
)


@pytest.mark.parametrize("record", NO_RECORDS)
def test_json_that_is_no_formal_story_is_refused(record):
    with pytest.raises(ValueError) as raised:
        loads(json.dumps(record))
    assert str(raised.value) == NO_STORY


@pytest.mark.parametrize(
    ("spelled", "message"),
    [
        (["Sneeze", "Emma"], NO_EVENT + "['Sneeze', 'Emma']"),
        ("Exit", NO_EVENT + "'Exit'"),
        (["Place", "pear"], "event 2: Place must have 2 fields: ['Place', 'pear']"),
        (["Exit", 7, "hall"], "event 2: agent is 7; it must be a name"),
        (["Enter", "Emma", "hall"], "event 2: agents is 'Emma'; it must be a list of names"),
        (["Enter", [["Emma"]], "hall"], "event 2: agents is [['Emma']]; it must be a list of names"),
        (["Tell", "Emma", "Jack", "pear", "red_box"], "event 2: hearers is 'Jack'; it must be a list of names"),
        (["Report", "Emma", ["A"], "Owen", "pear", "red_box"], "event 2: chain is 'Owen'; it must be a list of names"),
    ],
)
def test_a_list_that_is_no_event_is_refused(spelled, message):
    with pytest.raises(ValueError) as raised:
        loads(json.dumps({"asked": "pear", "events": [["Place", "pear", "red_box"], spelled]}))
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ((Enter((0, 1), 3), Place(2, 4), Move(0, 2, 6)), (4, 3, 7)),
        *((event, (3, 0, 0)) for event in ((Exit(5, 2),), (Stay(5, 2),), (Watch(5, 2, ()),))),
        ((Report(0, (1,), (2,), 4, 9), Overhear(3, ())), (0, 5, 10)),
        ((Like(0, 7), Dislike(0, 3)), (0, 4, 8)),
    ],
)
def test_extent(events, expected):
    assert extent(Story(6, events)) == expected


def test_names_that_are_known_have_their_numbers_first():
    interned = Interned(agents=["Ann", "Ben", "Ann"])
    assert [interned.number("agents", name) for name in ("Ben", "Cid", "Ann")] == [1, 2, 0]
    assert interned.names().agents == ("Ann", "Ben", "Cid")
