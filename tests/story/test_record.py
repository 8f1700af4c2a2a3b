"""Prove that a story is written as JSON and read back unchanged, and that the reader refuses anything else."""

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tom_datasets.syntax.events import (
    WAITING_ROOM,
    Dislike,
    Enter,
    Event,
    Exit,
    Like,
    Lose,
    Move,
    Names,
    Place,
    Question,
    See,
    Stay,
    Story,
    Tell,
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
    (Enter((0, 1), 1), ["Enter", ["Emma", "Jack"], "workshop"]),
    (Place(0, 0), ["Place", "pear", "red_box"]),
    (Move(1, 0, 1), ["Move", "Jack", "pear", "blue_crate"]),
    (Stay(0, 1), ["Stay", "Emma", "workshop"]),
    (Exit(0, 1), ["Exit", "Emma", "workshop"]),
    (Enter((0,), 0), ["Enter", ["Emma"], "waiting_room"]),
    (Tell(1, (), 0, 0), ["Tell", "Jack", [], "pear", "red_box"]),
    (Tell(1, (0, 2), 0, 0), ["Tell", "Jack", ["Emma", "Owen"], "pear", "red_box"]),
    (Watch(2, 1), ["Watch", "Owen", "workshop"]),
    (Lose(2, 0), ["Lose", "Owen", "watch"]),
    (See(2, 0), ["See", "Owen", "monkey"]),
    (Like(0, 1), ["Like", "Emma", "blue_crate"]),
    (Dislike(0, 1), ["Dislike", "Emma", "peas"]),
]


def test_every_kind_of_event_is_spelled_here():
    assert {type(event) for event, _ in SPELLED} == set(Event.__args__)


@pytest.mark.parametrize(("event", "spelled"), SPELLED)
def test_an_event_is_spelled_as_its_kind_and_its_fields(event, spelled):
    assert spell(event, NAMES) == spelled


@pytest.mark.parametrize(
    ("question", "spelled"),
    [
        (Question((), 0), ["Question", [], "pear", False]),
        (Question((2, 0), 1, True), ["Question", ["Owen", "Emma"], "peas", True]),
    ],
)
def test_a_question_is_spelled_in_the_same_way(question, spelled):
    assert spell(question, NAMES) == spelled


def test_a_number_without_a_name_is_an_error():
    for event in (Exit(3, 1), Enter((0, 3), 1), Place(2, 0), Question((3,), 0)):
        with pytest.raises(IndexError):
            spell(event, NAMES)


def test_a_story_is_one_line_of_json_and_back():
    story = Story(3, tuple(event for event, _ in SPELLED))
    text = dumps([spell(event, NAMES) for event in story.events], "peas")
    assert "\n" not in text
    assert json.loads(text) == {"asked": "peas", "events": [spelled for _, spelled in SPELLED]}
    assert loads(text) == (story, NAMES, 1)


def test_names_of_any_alphabet_stay_as_they_are():
    names = Names(
        agents=("Élodie",), rooms=("waiting_room", "salle_à_manger"), things=("poire",), containers=("boîte",)
    )
    events = (Enter((0,), 1), Place(0, 0))
    text = dumps([spell(event, names) for event in events], "poire")
    assert "Élodie" in text and "salle_à_manger" in text
    assert loads(text) == (Story(1, events), names, 0)


def test_numbers_come_in_order_of_first_appearance():
    text = json.dumps(
        {
            "asked": "fig",
            "events": [["Like", "Zoe", "red_box"], ["Enter", ["Ann", "Zoe"], "hall"], ["Place", "pear", "blue_box"]],
        }
    )
    assert loads(text) == (
        Story(2, (Like(0, 0), Enter((1, 0), 1), Place(0, 1))),
        Names(
            agents=("Zoe", "Ann"),
            rooms=("waiting_room", "hall"),
            things=("pear", "fig"),
            containers=("red_box", "blue_box"),
        ),
        1,  # a thing that is only asked about comes after all others
    )


def test_the_waiting_room_is_number_0_even_where_it_comes_last():
    story, names, _ = loads('{"asked":"pear","events":[["Enter",["A"],"hall"],["Enter",["A"],"waiting_room"]]}')
    assert story.events == (Enter((0,), 1), Enter((0,), WAITING_ROOM))
    assert names.rooms == ("waiting_room", "hall")


NUMBERS = st.integers(0, 3)
GROUPS = st.lists(NUMBERS, max_size=3, unique=True).map(tuple)
EVENTS = st.one_of(
    st.builds(Enter, GROUPS, NUMBERS),
    st.builds(Place, NUMBERS, NUMBERS),
    st.builds(Move, NUMBERS, NUMBERS, NUMBERS),
    st.builds(Stay, NUMBERS, NUMBERS),
    st.builds(Exit, NUMBERS, NUMBERS),
    st.builds(Tell, NUMBERS, GROUPS, NUMBERS, NUMBERS),
    st.builds(Watch, NUMBERS, NUMBERS),
    st.builds(Lose, NUMBERS, NUMBERS),
    st.builds(See, NUMBERS, NUMBERS),
    st.builds(Like, NUMBERS, NUMBERS),
    st.builds(Dislike, NUMBERS, NUMBERS),
)
KINDS = {
    "agent": "agents", "agents": "agents", "speaker": "agents", "hearers": "agents", "room": "rooms",
    "thing": "things", "container": "containers", "item": "items", "animal": "animals",
}  # fmt: skip


def by_first_appearance(events, thing):
    """Return events and a thing, renumbered by first appearance, and how many numbers each kind of name has."""
    seen = {kind: [] for kind in KINDS.values()}
    seen["rooms"].append(0)

    def again(kind, number):
        if number not in seen[kind]:
            seen[kind].append(number)
        return seen[kind].index(number)

    renumbered = []
    for event in events:
        values = []
        for field in fields(event):
            value, kind = getattr(event, field.name), KINDS[field.name]
            many = isinstance(value, tuple)
            values.append(tuple(again(kind, number) for number in value) if many else again(kind, value))
        renumbered.append(type(event)(*values))
    return tuple(renumbered), again("things", thing), {kind: len(numbers) for kind, numbers in seen.items()}


@given(st.lists(EVENTS, max_size=12), NUMBERS, st.sampled_from(["", "é", '"', "\\", " ", "名"]))
def test_loads_reads_what_dumps_writes(events, thing, tail):
    events, thing, counts = by_first_appearance(events, thing)
    words = {kind: tuple(f"{kind}{number}{tail}" for number in range(n)) for kind, n in counts.items()}
    names = Names(**words | {"rooms": ("waiting_room", *words["rooms"][1:])})
    story = Story(counts["agents"], events)
    assert loads(dumps([spell(event, names) for event in events], names.things[thing])) == (story, names, thing)


NO_STORY = 'a formal story is an object with "asked", a name, and "events", a list'


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ([], NO_STORY),
        ({"events": []}, NO_STORY),
        ({"asked": "pear"}, NO_STORY),
        ({"asked": "pear", "events": [], "more": 1}, NO_STORY),
        ({"asked": "pear", "events": 3}, NO_STORY),
        ({"asked": "pear", "events": None}, NO_STORY),
        ({"asked": ["pear"], "events": []}, NO_STORY),
        ({"asked": None, "events": []}, NO_STORY),
        (
            {"asked": "pear", "events": [["Place", "pear", "red_box"], ["Sneeze", "Emma"]]},
            "event 2 of a formal story is not one of Enter, Place, Move, Stay, Exit, Tell, Watch, Lose, See, Like, "
            + r"Dislike: \['Sneeze', 'Emma'\]",
        ),
        ({"asked": "pear", "events": ["Exit"]}, "event 1 of a formal story is not one of Enter, .*: 'Exit'"),
        ({"asked": "pear", "events": [["Question", [], "pear", False]]}, "event 1 of a formal story is not one of .*"),
        ({"asked": "pear", "events": [[]]}, r"event 1 of a formal story is not one of Enter, .*: \[\]"),
        ({"asked": "pear", "events": [["Place", "pear"]]}, r"event 1: Place has 2 fields: \['Place', 'pear'\]"),
        (
            {"asked": "pear", "events": [["Exit", "Emma", "hall", "hall"]]},
            r"event 1: Exit has 2 fields: \['Exit', 'Emma', 'hall', 'hall'\]",
        ),
    ],
)
def test_json_that_is_no_formal_story_is_refused(record, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        loads(json.dumps(record))


@pytest.mark.parametrize(
    ("spelled", "message"),
    [
        ([["Exit"], "Emma", "hall"], "event 2 of a formal story is not one of Enter, "),
        (["Exit", {"name": "Emma"}, "hall"], "event 2: agent is {'name': 'Emma'}, it must be a name$"),
        (["Exit", 7, "hall"], "event 2: agent is 7, it must be a name$"),
        (["Exit", ["Emma"], "hall"], r"event 2: agent is \['Emma'\], it must be a name$"),
        (["Exit", "Emma", ["hall", "attic"]], r"event 2: room is \['hall', 'attic'\], it must be a name$"),
        (["Enter", "Emma", "hall"], "event 2: agents is 'Emma', it must be a list of names$"),
        (["Enter", [["Emma"]], "hall"], r"event 2: agents is \[\['Emma'\]\], it must be a list of names$"),
        (["Tell", "Emma", "Jack", "pear", "red_box"], "event 2: hearers is 'Jack', it must be a list of names$"),
        (["Tell", "Emma", None, "pear", "red_box"], "event 2: hearers is None, it must be a list of names$"),
    ],
)
def test_a_field_holds_one_name_or_a_list_of_names_as_its_kind_says(spelled, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        loads(json.dumps({"asked": "pear", "events": [["Place", "pear", "red_box"], spelled]}))


def test_text_that_is_no_json_is_refused():
    with pytest.raises(ValueError):
        loads("Emma entered the hall.")


def test_interned_numbers_each_bank_by_itself():
    interned = Interned()
    assert interned.number("rooms", "hall") == 1
    assert interned.number("rooms", "waiting_room") == 0
    assert [interned.number("agents", name) for name in ("Emma", "Jack", "Emma")] == [0, 1, 0]
    assert interned.number("things", "Emma") == 0
    assert interned.names() == Names(agents=("Emma", "Jack"), rooms=("waiting_room", "hall"), things=("Emma",))


# Extent.


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ((), (0, 0, 0)),
        ((Enter((0,), 1),), (2, 0, 0)),
        ((Enter((0, 1), 3), Place(2, 4), Move(0, 2, 6)), (4, 3, 7)),
        ((Exit(5, 2),), (3, 0, 0)),
        ((Stay(5, 2),), (3, 0, 0)),
        ((Watch(5, 2),), (3, 0, 0)),
        ((Tell(0, (1,), 4, 9),), (0, 5, 10)),
        ((Like(0, 7), Dislike(0, 3)), (0, 4, 8)),
        ((Lose(0, 8), See(0, 9)), (0, 0, 0)),
    ],
)
def test_extent(events, expected):
    assert extent(Story(6, events)) == expected
