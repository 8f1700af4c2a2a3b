"""Prove that coherent stories pass, and that each incoherence is refused with its line and its reason."""

import pytest

from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import (
    Dislike,
    Enter,
    Exit,
    Like,
    Lose,
    Move,
    Place,
    Question,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)

IN = (Enter((0, 1), 1), Place(0, 0))  # two agents in room 1, with thing 0 in container 0


@pytest.mark.parametrize(
    "events",
    [
        (),
        (*IN, Move(0, 0, 1), Exit(0, 1), Move(1, 0, 0), Exit(1, 1), Enter((0, 1), 0), Tell(0, (), 0, 1)),
        # An agent may enter another room without a line that says that he left. The waiting room is a room.
        (*IN, Enter((0,), 2), Stay(0, 2), Enter((0,), 0), Exit(0, 0), Enter((0,), 1), Move(0, 0, 1)),
        # The mover's room is not the one entered last.
        (*IN, Enter((1,), 2), Move(0, 0, 1)),
        # A later chapter places the thing where it was left, and another thing in the same container.
        (*IN, Move(0, 0, 1), Exit(0, 1), Enter((0,), 1), Place(0, 1), Place(1, 1)),
        # An agent in no room may talk, lose, see, like and dislike. A claim may name a container of another room.
        (*IN, Tell(2, (0, 1), 0, 9), Lose(2, 0), See(2, 0), Like(2, 9), Dislike(2, 9), Tell(0, (2,), 0, 0)),
        # An agent may leave and come back.
        (*IN, Exit(0, 1), Enter((0,), 1)),
        # Several may watch: one who was never inside, one who has left, one in the waiting room.
        (*IN, Watch(2, 1), Exit(0, 1), Watch(0, 1), Enter((1,), 0), Watch(1, 1), Tell(0, (1, 2), 0, 1)),
        # A watcher may go to the waiting room, or begin the next chapter, which has watchers of its own.
        (*IN, Watch(2, 1), Enter((2, 0), 0), Enter((0,), 2), Watch(2, 2), Enter((2,), 1), Watch(0, 1)),
    ],
)
def test_a_coherent_story_passes(events):
    check(Story(3, events))


@pytest.mark.parametrize(
    ("events", "line", "fault"),
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
        # The move puts container 1 in room 1.
        ((*IN, Move(0, 0, 1), Enter((0,), 2), Place(1, 1)), 5, "the container is elsewhere"),
        ((Enter((0,), 2), Place(1, 5), *IN[:1], Place(0, 0), Move(0, 0, 5)), 5, "the container is elsewhere"),
        # The thing was never placed; the mover never entered, is in another room, has left; another thing is meant.
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
        ((Watch(0, 1), *IN), 1, "an agent watches a room that is not the chapter's"),
        ((*IN, Watch(2, 2)), 3, "an agent watches a room that is not the chapter's"),
        ((*IN, Watch(2, 0)), 3, "an agent watches a room that is not the chapter's"),
        ((*IN, Enter((0,), 2), Watch(0, 1)), 4, "an agent watches a room that is not the chapter's"),
        ((*IN, Watch(0, 1)), 3, "an agent watches the room where he is"),
        ((*IN, Watch(2, 1), Exit(0, 1), Watch(2, 1)), 5, "an agent watches already"),
        ((*IN, Tell(0, (0,), 0, 0)), 3, "nobody tells himself, or tells one agent twice"),
        ((*IN, Tell(0, (1, 0), 0, 0)), 3, "nobody tells himself, or tells one agent twice"),
        ((*IN, Tell(0, (1, 1), 0, 0)), 3, "nobody tells himself, or tells one agent twice"),
    ],
)
def test_an_incoherent_story_is_refused(events, line, fault):
    with pytest.raises(ValueError) as raised:
        check(Story(3, events))
    assert str(raised.value) == f"line {line}: {fault}: {events[line - 1]}"


@pytest.mark.parametrize("stranger", ["Emma sneezed.", None, Question((), 0)])
def test_an_object_that_is_no_event_is_refused(stranger):
    with pytest.raises(TypeError) as raised:
        check(Story(2, (*IN, stranger)))
    assert str(raised.value) == f"no such event: {stranger!r}"
