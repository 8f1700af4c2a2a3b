"""Own how things are said: an event and the words for its numbers go in, a sentence of a language comes out.

A language is a folder under `templates/`: a Jinja file with one macro for each kind of event, and a lexicon. All
grammar is there; nothing is repaired here afterwards. The wording has streams of its own, so that other words never
make another problem. An undefined name is an error, and Jinja's own randomness is taken out.
"""

import json
from dataclasses import dataclass
from math import prod
from pathlib import Path

import jinja2

from builders.story import Event, Names, Question, Story
from builders.streams import Stream

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"


@dataclass(frozen=True, slots=True)
class Words(Names):
    """Hold the names of a story with their grammar: an agent's possessive pronoun, whether a thing is plural."""

    his: tuple[str, ...] = ()
    plural: tuple[bool, ...] = ()


def languages() -> list[str]:
    """Return the languages that there are."""
    return sorted(folder.name for folder in TEMPLATES.iterdir() if (folder / "hi_tom.jinja").is_file())


class Voice:
    """Speak one language: name the parts of a story, and say its events and questions.

    Raises ValueError for a language that is not under `templates/`.
    """

    def __init__(self, language: str = "en") -> None:
        if language not in languages():
            raise ValueError(f"unknown language {language!r}; the languages are {', '.join(languages())}")
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(TEMPLATES / language), undefined=jinja2.StrictUndefined, autoescape=False
        )
        environment.filters.pop("random")
        environment.globals.pop("lipsum")
        macros = environment.get_template("hi_tom.jinja").module
        self._say = {kind: getattr(macros, kind.__name__) for kind in (*Event.__args__, Question)}
        self._lexicon = json.loads((TEMPLATES / language / "hi_tom.json").read_text(encoding="utf-8"))
        self._agents = list(self._lexicon["agents"])

    def _banks(self) -> list[list[str]]:
        """Return the words from which a cast is taken: thing, room, agent, agent, container."""
        lexicon = self._lexicon
        return [lexicon["things"], lexicon["rooms"], self._agents, self._agents[1:], lexicon["containers"]]

    def casts(self) -> int:
        """Return how many different casts there are, so how many stories can be told that surely differ."""
        return prod(len(bank) for bank in self._banks())

    def words(self, stream: Stream, cast: int, n_agents: int, n_rooms: int, n_things: int, n_containers: int) -> Words:
        """Name the agents, the rooms (with the waiting room), things and containers of a story.

        The cast, a number below `casts()`, settles thing 0, room 1, agents 0 and 1 and container 0, which can all be
        told from the text: so two stories with different casts have different texts. The stream draws the others.
        """
        chosen = []
        for bank in self._banks():
            cast, place = divmod(cast, len(bank))
            chosen.append(place)
        thing, room, first, second, container = chosen
        second += second >= first
        lexicon = self._lexicon

        def others(bank: list[str], taken: list[int], n: int) -> list[str]:
            rest = [word for place, word in enumerate(bank) if place not in taken]
            return [bank[place] for place in taken] + stream.draw(rest, n - len(taken))

        agents = others(self._agents, [first, second], n_agents)
        things = others(lexicon["things"], [thing], n_things)
        return Words(
            agents=tuple(agents),
            rooms=(lexicon["waiting_room"], *others(lexicon["rooms"], [room], n_rooms - 1)),
            things=tuple(things),
            containers=tuple(others(lexicon["containers"], [container], n_containers)),
            items=tuple(lexicon["items"]),
            animals=tuple(lexicon["animals"]),
            his=tuple(lexicon["agents"][agent] for agent in agents),
            plural=tuple(word in lexicon["plural"] for word in things),
        )

    def say(self, spoken: Event | Question, words: Words) -> str:
        """Say one event or question."""
        return self._say[type(spoken)](spoken, words)

    def story(self, story: Story, words: Words) -> str:
        """Say a story, one numbered line for each event."""
        say = self._say
        return "\n".join([f"{line} {say[type(event)](event, words)}" for line, event in enumerate(story.events, 1)])
