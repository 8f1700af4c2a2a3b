"""Prove that coherent stories pass, and that each incoherence is refused with its line and its reason."""

import pytest

from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import (
    Come,
    Dislike,
    Enter,
    Exit,
    Like,
    Lose,
    Move,
    Overhear,
    Place,
    Question,
    Report,
    See,
    Stay,
    Story,
    Tell,
    Watch,
)

IN = (Enter((0, 1), 1), Place(0, 0))  # two agents in room 1, with thing 0 in container 0


TWO_WATCH = (Watch(2, 1, ()), Watch(3, 1, (2,)))


ALONE = "a speaker must tell others, each once"
FOREIGN = "an agent must overhear a private claim just made"
THOUGHTS = "a claim about thoughts must name each agent once"
HEARD = "an agent must not overhear what he hears or thinks"
NOTICING = "an agent must notice agents already in secret, and all whom they noticed, each once"


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
        # Who comes in begins no chapter: watchers go on watching, and what is in the room stays there.
        (*IN, Watch(2, 1, ()), Exit(0, 1), Come(0, 1), Move(0, 0, 1), Come(3, 1), Watch(4, 1, (2,))),
        # Several may watch: one who was never inside, one who has left, one in the waiting room.
        (*IN, Watch(2, 1, ()), Exit(0, 1), Watch(0, 1, ()), Enter((1,), 0), Watch(1, 1, ()), Tell(0, (1, 2), 0, 1)),
        # A watcher may go to the waiting room, or begin the next chapter, which has watchers of its own.
        (*IN, Watch(2, 1, ()), Enter((2, 0), 0), Enter((0,), 2), Watch(2, 2, ()), Enter((2,), 1), Watch(0, 1, ())),
        # Who notices a watcher notices whom that one noticed. One who noticed nobody may be noticed alone.
        (*IN, *TWO_WATCH, Exit(0, 1), Watch(0, 1, (2, 3)), Exit(1, 1), Watch(1, 1, (2,))),
        # Several overhear one claim, of thoughts too; what was overheard of one claim does not count for the next.
        (*IN, Tell(0, (1,), 0, 1), Overhear(2, ()), Overhear(3, (2,)), Report(0, (1,), (2,), 0, 1), Overhear(3, ())),
    ],
)
def test_a_coherent_story_passes(events):
    check(Story(4, events))


@pytest.mark.parametrize(
    ("events", "line", "fault"),
    [
        ((Enter((4,), 1),), 1, "agents must have numbers below 4"),
        ((Enter((), 1),), 1, "one agent or more must enter, each once"),
        ((Enter((0, 0), 1),), 1, "one agent or more must enter, each once"),
        ((*IN, Enter((0,), 1)), 3, "an agent must enter a room where he is not"),
        ((Place(0, 0),), 1, "a thing must be placed in a chapter's room"),
        ((Enter((0,), 0), Place(0, 0)), 2, "a thing must be placed in a chapter's room"),
        ((*IN, Enter((0,), 2), Place(0, 5)), 4, "the thing must be in the chapter's room"),
        ((*IN, Enter((0,), 2), Place(1, 0)), 4, "the container must be in the same room"),
        # The move puts container 1 in room 1.
        ((*IN, Move(0, 0, 1), Enter((0,), 2), Place(1, 1)), 5, "the container must be in the same room"),
        # A later chapter begins where the thing was left.
        (
            (*IN, Move(0, 0, 1), Exit(0, 1), Enter((0,), 1), Place(0, 0)),
            6,
            "the thing must be placed where it was left",
        ),
        # The thing was never placed; the mover never entered, is in another room, has left; another thing is meant.
        ((Enter((0,), 1), Move(0, 0, 0)), 2, "the mover must be with the thing"),
        ((*IN, Enter((0,), 2), Move(0, 0, 1)), 4, "the mover must be with the thing"),
        ((*IN, Move(0, 1, 1)), 3, "the mover must be with the thing"),
        # The thing was placed there, or put there before.
        ((*IN, Move(0, 0, 0)), 3, "the thing must be moved to another container"),
        ((*IN, Move(0, 0, 1), Exit(0, 1), Move(1, 0, 1)), 5, "the thing must be moved to another container"),
        ((*IN, Exit(0, 1), Stay(0, 1)), 4, "an agent must stay in a room where he is"),
        ((*IN, Enter((0,), 2), Exit(0, 1)), 4, "an agent must exit a room where he is"),
        ((*IN, Watch(2, 2, ())), 3, "an agent must watch the chapter's room"),
        ((*IN, Enter((0,), 2), Watch(0, 1, ())), 4, "an agent must watch the chapter's room"),
        ((*IN, Watch(0, 1, ())), 3, "an agent must watch from outside the room"),
        ((*IN, Watch(2, 1, ()), Exit(0, 1), Watch(2, 1, ())), 5, "an agent must not watch twice in a chapter"),
        ((*IN, Come(0, 1)), 3, "an agent must come into a room where he is not"),
        ((*IN, Come(9, 1)), 3, "agents must have numbers below 4"),
        ((*IN, Watch(2, 1, ()), Come(2, 1)), 4, "a watcher must not come into the room that he watches"),
        ((*IN, Tell(0, (0,), 0, 0)), 3, ALONE),
        ((*IN, Tell(0, (1, 1), 0, 0)), 3, ALONE),
        # Claims about thoughts are private; nobody speaks or is told of what he himself thinks.
        ((*IN, Report(0, (), (2,), 0, 0)), 3, "a claim about thoughts must be private, and name whose thoughts"),
        ((*IN, Report(0, (1,), (), 0, 0)), 3, "a claim about thoughts must be private, and name whose thoughts"),
        ((*IN, Report(0, (1, 1), (2,), 0, 0)), 3, THOUGHTS),
        ((*IN, Report(0, (1,), (2, 0), 0, 0)), 3, THOUGHTS),
        ((*IN, Report(0, (1, 2), (3, 2), 0, 0)), 3, THOUGHTS),
        ((*IN, Report(0, (1,), (2, 2), 0, 0)), 3, THOUGHTS),
        # What is overheard is the private claim of the line before, by who neither hears it nor is meant in it.
        ((*IN, Tell(0, (), 0, 0), Overhear(2, ())), 4, FOREIGN),
        ((*IN, Tell(0, (1,), 0, 0), Like(3, 0), Overhear(2, ())), 5, FOREIGN),
        ((*IN, Tell(0, (1,), 0, 0), Overhear(0, ())), 4, HEARD),
        ((*IN, Tell(0, (1,), 0, 0), Overhear(1, ())), 4, HEARD),
        ((*IN, Tell(0, (1,), 0, 0), Overhear(2, ()), Overhear(2, ())), 5, HEARD),
        ((*IN, Report(0, (1,), (3, 2), 0, 0), Overhear(2, ())), 4, HEARD),
        # Those noticed are in secret already, in this chapter or at this claim; so are all whom they noticed.
        ((*IN, Watch(2, 1, (3,))), 3, NOTICING),
        ((*IN, Watch(2, 1, (2,))), 3, NOTICING),
        ((*IN, *TWO_WATCH, Exit(0, 1), Watch(0, 1, (3,))), 6, NOTICING),
        ((*IN, *TWO_WATCH, Exit(0, 1), Watch(0, 1, (3, 2, 2))), 6, NOTICING),
        ((*IN, *TWO_WATCH, Enter((0,), 2), Watch(2, 2, ()), Watch(1, 2, (3,))), 7, NOTICING),
        ((*IN, Watch(2, 1, ()), Tell(0, (1,), 0, 0), Overhear(3, (2,))), 5, NOTICING),
        ((*IN, Tell(0, (1,), 0, 0), Overhear(2, ()), Tell(0, (1,), 0, 0), Overhear(3, (2,))), 6, NOTICING),
    ],
)
def test_an_incoherent_story_is_refused(events, line, fault):
    with pytest.raises(ValueError) as raised:
        check(Story(4, events))
    assert str(raised.value) == f"line {line}: {fault}: {events[line - 1]}"


@pytest.mark.parametrize("stranger", ["Emma sneezed.", None, Question((), 0)])
def test_an_object_that_is_no_event_is_refused(stranger):
    with pytest.raises(TypeError) as raised:
        check(Story(2, (*IN, stranger)))
    assert str(raised.value) == f"not an event: {stranger!r}; expected one of syntax.events"
