"""What a family of stories is: the record that its file ends with, and what a story that was drawn is to its rows.

`config.FAMILIES` lists the families. A config (`config.StoryConfig`) belongs to one of them by its name.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from ..columns import Row
from ..streams import Stream
from ..syntax.coherence import faults
from ..syntax.events import Place, Story
from ..syntax.record import numbered_event, numbers_of
from ..witness import UnfitError
from .explanation import explain_row
from .identity import story_keys

AGENTS = range(2, 13)  # how many agents a story may have

Letters = dict[int, int]  # by order a number, whose remainder by the number of choices is the place of the answer
Planned = tuple[Any, Letters | None]  # what a story is drawn for; None leaves the places of its answers to chance

Target = TypeVar("Target")


class DrawnStory(NamedTuple):
    """Hold a story that was drawn, and what its rows must know of how."""

    story: Story  # what happens
    chain: tuple[int, ...]  # the chain of the highest order; a lower order asks its last agents
    orders: list[int]  # the orders asked, lowest first
    deception: bool  # whether agents may make claims
    n_agents: int  # agents, in ToMH without the distractor
    n_chapters: int  # chapters
    n_rooms: int  # rooms to be named, with the waiting room
    n_things: int  # things to be named
    n_containers: int  # containers to be named, which are the choices
    rung: int | None = None  # the number of the ladder's rung


def spelled_story(drawn: DrawnStory) -> list[Any]:
    """Return a story that was drawn as what JSON can hold: its events with their numbers, then the other fields."""
    story, *others = drawn
    return [[numbers_of(event) for event in story.events], story.n_agents, *others]


def read_story(spelled: list[Any]) -> DrawnStory:
    """Return the story of which `spelled_story` gave the fields. Raises UnfitError where its events cannot happen."""
    events, n_agents, chain, *others = spelled
    story = Story(n_agents, tuple(map(numbered_event, events)))
    for fault in faults(story):
        raise UnfitError(f"{fault}; expected a story that can happen")
    return DrawnStory(story, tuple(chain), *others)


def check_depth(config: Any) -> None:
    """Raise ValueError where a config asks an order above its agents."""
    if config.depth > config.n_agents:
        raise ValueError(
            f"order {config.depth} needs {config.depth} agents and there are {config.n_agents}: with fewer, the "
            "question asks what a lower order asks (Theorem C.5 of the workshop paper); raise n_agents or lower the "
            "order"
        )


def whole(config: Any, _split: str) -> Any:
    """Return a config for a split that has all of it."""
    return config


def ladder_rung(row: Row) -> list[int]:
    """Return the rung of the ladder that a row is on, from its columns: order, agents, chapters, containers."""
    return [row["order"], row["n_agents"], row["story_length"], len(row["choices"])]


class Family(NamedTuple):
    """Say what the stories of a family are like, how a split of them is planned, and how one is drawn."""

    plan: Callable[[Any, Stream, int], Sequence[Planned]]  # of a config, a stream and a size: what each story is to be
    draw: (
        Callable[[Any, Any, Stream], DrawnStory] | None
    )  # a story of a config that meets a target; None: has other rows
    knobs: tuple[str, ...]  # the fields that the rows depend on, besides seed, sizes and scorer
    casts: int  # a number of its own, by which `casts.place_of` deals casts; it never changes
    lengths: range = range(1, 5)  # how many chapters a story may have
    single: bool = False  # whether a story has one question, not one of each order
    watched: bool = False  # whether stories have watchers, and so nothing under the semantics `published`
    rows: Callable[..., list[Row]] | None = None  # makes the rows of a story, where it has no question of one belief
    check: Callable[[Any], None] = check_depth  # raises ValueError for fields of a config with which no story can be
    explain: Callable[[Row, str], str] = explain_row  # why the answer of a row is right, in a language
    keys: Callable[[list[Row]], list[str]] = story_keys  # what names the problems of a story, for all renamings
    of_story: Callable[..., list[Row]] | None = None  # the rows about a story, where an index is about several stories
    searches: bool = False  # whether a question asks where an agent searches for the thing
    bystanders: int = 0  # how many agents the column n_agents leaves out: tomh adds a distractor
    chapter: type = Place  # the kind of event that each chapter has once
    searched: bool = False  # whether to draw a story takes long, so that a witness keeps it
    of_split: Callable[[Any, str], Any] = whole  # the config as a split has it
    shape: Callable[[Row], list[int]] = ladder_rung  # the rung that a row is on, where the config has rungs
    hops: bool = False  # whether lines name containers by thoughts, so that questions take several steps


def lettered(stream: Stream, targets: Sequence[Target], orders: Iterable[int]) -> list[tuple[Target, Letters]]:
    """Return the targets of a split, each with a number for each order, whose remainder is the answer's letter."""
    letters = {order: stream.shuffled(range(len(targets))) for order in orders}
    return [(target, {order: letters[order][place] for order in letters}) for place, target in enumerate(targets)]
