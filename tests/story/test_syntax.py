"""Prove that a story is written down and read back as it is, and that every incoherence is named."""

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.story.coherence import check
from builders.story.record import Interned, dumps, extent, loads, spell
from builders.story.syntax import (
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

# ------------------------------------------------------------------------------------------------ JSON

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
def test_a_question_is_spelled_likewise(question, spelled):
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


def by_first_appearance(events, asked):
    """Return events and the thing asked about, their numbers given anew by first appearance, and how many there are."""
    seen = {kind: [] for kind in KINDS.values()}
    seen["rooms"].append(0)

    def again(kind, number):
        if number not in seen[kind]:
            seen[kind].append(number)
        return seen[kind].index(number)

    told = []
    for event in events:
        values = []
        for field in fields(event):
            value, kind = getattr(event, field.name), KINDS[field.name]
            many = isinstance(value, tuple)
            values.append(tuple(again(kind, v) for v in value) if many else again(kind, value))
        told.append(type(event)(*values))
    return tuple(told), again("things", asked), {kind: len(numbers) for kind, numbers in seen.items()}


@given(st.lists(EVENTS, max_size=12), NUMBERS, st.sampled_from(["", "é", '"', "\\", " ", "名"]))
def test_what_dumps_writes_loads_reads(events, asked, tail):
    told, asked, counts = by_first_appearance(events, asked)
    words = {kind: tuple(f"{kind}{number}{tail}" for number in range(n)) for kind, n in counts.items()}
    names = Names(**words | {"rooms": ("waiting_room", *words["rooms"][1:])})
    story = Story(counts["agents"], told)
    assert loads(dumps([spell(event, names) for event in told], names.things[asked])) == (story, names, asked)


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
def test_what_is_no_formal_story_is_refused(record, message):
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
def test_where_one_name_belongs_stands_a_name_and_where_many_belong_a_list(spelled, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        loads(json.dumps({"asked": "pear", "events": [["Place", "pear", "red_box"], spelled]}))


def test_what_is_no_json_is_refused():
    with pytest.raises(ValueError):
        loads("Emma entered the hall.")


def test_interned_numbers_each_bank_by_itself():
    interned = Interned()
    assert interned.number("rooms", "hall") == 1
    assert interned.number("rooms", "waiting_room") == 0
    assert [interned.number("agents", name) for name in ("Emma", "Jack", "Emma")] == [0, 1, 0]
    assert interned.number("things", "Emma") == 0
    assert interned.names() == Names(agents=("Emma", "Jack"), rooms=("waiting_room", "hall"), things=("Emma",))


# ------------------------------------------------------------------------------------------------ extent


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


# ------------------------------------------------------------------------------------------------ coherence

IN = (Enter((0, 1), 1), Place(0, 0))  # two agents in room 1, with thing 0 in container 0


@pytest.mark.parametrize(
    "events",
    [
        (),
        (*IN, Move(0, 0, 1), Exit(0, 1), Move(1, 0, 0), Exit(1, 1), Enter((0, 1), 0), Tell(0, (), 0, 1)),
        # From room to room without a line that says he left; the waiting room is a room.
        (*IN, Enter((0,), 2), Stay(0, 2), Enter((0,), 0), Exit(0, 0), Enter((0,), 1), Move(0, 0, 1)),
        # The mover's room is not the one entered last.
        (*IN, Enter((1,), 2), Move(0, 0, 1)),
        # A thing spoken of again, another thing in the same container.
        (*IN, Move(0, 0, 1), Exit(0, 1), Enter((0,), 1), Place(0, 1), Place(1, 1)),
        # Who is nowhere may talk, lose, see, like and dislike; a claim may name a container of elsewhere.
        (*IN, Tell(2, (0, 1), 0, 9), Lose(2, 0), See(2, 0), Like(2, 9), Dislike(2, 9), Tell(0, (2,), 0, 0)),
        # Out and in again.
        (*IN, Exit(0, 1), Enter((0,), 1)),
        # Who was never in, who has left, who is in the waiting room, several: all may watch.
        (*IN, Watch(2, 1), Exit(0, 1), Watch(0, 1), Enter((1,), 0), Watch(1, 1), Tell(0, (1, 2), 0, 1)),
        # Who watches may go to the waiting room. A later chapter has watchers of its own; it may be begun by one.
        (*IN, Watch(2, 1), Enter((2, 0), 0), Enter((0,), 2), Watch(2, 2), Enter((2,), 1), Watch(0, 1)),
    ],
)
def test_a_coherent_story_passes(events):
    check(Story(3, events))


@pytest.mark.parametrize(
    ("events", "line", "why"),
    [
        ((Enter((), 1),), 1, "agents enter once each"),
        ((Enter((0, 0), 1),), 1, "agents enter once each"),
        ((*IN, Enter((0,), 1)), 3, "an agent enters a room where he is"),
        ((*IN, Enter((2, 1), 1)), 3, "an agent enters a room where he is"),
        ((Enter((0,), 0), Enter((0,), 0)), 2, "an agent enters a room where he is"),
        ((Place(0, 0),), 1, "a thing is placed in no room"),
        ((Enter((0,), 0), Place(0, 0)), 2, "a thing is placed in no room"),
        ((*IN, Enter((0, 1), 0), Place(0, 0)), 4, "a thing is placed in no room"),
        ((*IN, Enter((0,), 2), Place(0, 5)), 4, "the thing is in another room"),
        ((*IN, Enter((0,), 2), Place(1, 0)), 4, "the container is elsewhere"),
        # Container 1 becomes room 1's by a move.
        ((*IN, Move(0, 0, 1), Enter((0,), 2), Place(1, 1)), 5, "the container is elsewhere"),
        ((Enter((0,), 2), Place(1, 5), *IN[:1], Place(0, 0), Move(0, 0, 5)), 5, "the container is elsewhere"),
        # Never placed; outside; elsewhere; already gone.
        ((Enter((0,), 1), Move(0, 0, 0)), 2, "the mover is not with the thing"),
        ((*IN, Move(2, 0, 1)), 3, "the mover is not with the thing"),
        ((*IN, Enter((0,), 2), Move(0, 0, 1)), 4, "the mover is not with the thing"),
        ((*IN, Exit(0, 1), Move(0, 0, 1)), 4, "the mover is not with the thing"),
        ((*IN, Move(0, 1, 1)), 3, "the mover is not with the thing"),
        ((*IN, Stay(0, 2)), 3, "an agent stays where he is not"),
        ((*IN, Stay(2, 1)), 3, "an agent stays where he is not"),
        ((*IN, Exit(0, 1), Stay(0, 1)), 4, "an agent stays where he is not"),
        ((*IN, Exit(0, 2)), 3, "an agent exits a room where he is not"),
        ((*IN, Exit(2, 1)), 3, "an agent exits a room where he is not"),
        ((*IN, Exit(0, 1), Exit(0, 1)), 4, "an agent exits a room where he is not"),
        ((*IN, Enter((0,), 2), Exit(0, 1)), 4, "an agent exits a room where he is not"),
        ((Watch(0, 1), *IN), 1, "who watches, watches the room of the chapter"),
        ((*IN, Watch(2, 2)), 3, "who watches, watches the room of the chapter"),
        ((*IN, Watch(2, 0)), 3, "who watches, watches the room of the chapter"),
        ((*IN, Enter((0,), 2), Watch(0, 1)), 4, "who watches, watches the room of the chapter"),
        ((*IN, Watch(0, 1)), 3, "an agent watches the room where he is"),
        ((*IN, Watch(2, 1), Exit(0, 1), Watch(2, 1)), 5, "an agent watches already"),
        ((*IN, Tell(0, (0,), 0, 0)), 3, "nobody tells himself"),
        ((*IN, Tell(0, (1, 0), 0, 0)), 3, "nobody tells himself"),
        ((*IN, Tell(0, (1, 1), 0, 0)), 3, "nobody tells himself"),
    ],
)
def test_an_incoherent_story_is_refused(events, line, why):
    with pytest.raises(ValueError) as raised:
        check(Story(3, events))
    assert str(raised.value) == f"line {line}: {why}: {events[line - 1]}"


@pytest.mark.parametrize("stranger", ["Emma sneezed.", None, Question((), 0)])
def test_what_is_no_event_is_refused(stranger):
    with pytest.raises(TypeError) as raised:
        check(Story(2, (*IN, stranger)))
    assert str(raised.value) == f"no such event: {stranger!r}"


def test_numbers_and_tuples_cannot_be_changed():
    with pytest.raises(AttributeError):
        Place(0, 0).thing = 1
    with pytest.raises(AttributeError):
        Story(1, ()).n_agents = 2
