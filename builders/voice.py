"""Own how things are said: an event or a problem with its names goes in, sentences of a language come out.

A language is a folder under `templates/`: a Jinja file with one macro for each kind of event, and a lexicon. All
grammar is there; nothing is repaired here afterwards. The wording has streams of its own, so that other words never
make another problem. An undefined name is an error, and Jinja's own randomness is taken out.
"""

import json
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import accumulate
from math import prod
from pathlib import Path

import jinja2

from builders.logic.formula import And, Atom, Formula, Knows, KnowsWhether, Not, Or, Problem, agent_name
from builders.story.syntax import Event, Names, Question
from builders.streams import Stream

HERE = Path(__file__).resolve().parent
TEMPLATES = HERE.parent / "templates"
if not TEMPLATES.is_dir():
    TEMPLATES = HERE / "templates"  # installed as a package, see pyproject.toml


def languages() -> list[str]:
    """Return the languages that there are."""
    return sorted(folder.name for folder in TEMPLATES.iterdir() if (folder / "hi_tom.jinja").is_file())


def templates(language: str) -> jinja2.Environment:
    """Return what reads the templates of a language: an undefined name is an error, and nothing is random."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES / language), undefined=jinja2.StrictUndefined, autoescape=False
    )
    environment.filters.pop("random")
    environment.globals.pop("lipsum")
    return environment


class Voice:
    """Speak one language: name the parts of a story, and say its events and questions.

    Raises ValueError for a language that is not under `templates/`.
    """

    def __init__(self, language: str = "en") -> None:
        if language not in languages():
            raise ValueError(f"unknown language {language!r}; the languages are {', '.join(languages())}")
        environment = templates(language)
        lexicon = json.loads((TEMPLATES / language / "hi_tom.json").read_text(encoding="utf-8"))
        self.lexicon = {"be": lexicon["things"], "his": lexicon["agents"]}
        environment.globals.update(self.lexicon)
        macros = environment.get_template("hi_tom.jinja").module
        self._problem = environment.get_template("mindgames.jinja").module
        self.kinds = tuple(kind.__name__ for kind in (*Event.__args__, Question))
        self._first_names = TEMPLATES / language / "first_names.json"
        self._say = {kind: getattr(macros, kind) for kind in self.kinds}
        self._waiting_room = lexicon["waiting_room"]
        self._items, self._animals = tuple(lexicon["items"]), tuple(lexicon["animals"])
        self._agents, self._things = list(lexicon["agents"]), list(lexicon["things"])
        self._rooms, self._containers = lexicon["rooms"], lexicon["containers"]
        # The words that a cast settles: a thing, a room, an agent, another agent, a container.
        banks = (self._things, self._rooms, self._agents, self._agents[1:], self._containers)
        self._cast_sizes = [len(bank) for bank in banks]

    def casts(self) -> int:
        """Return how many different casts there are, so how many stories can be told that surely differ."""
        return prod(self._cast_sizes)

    def names(self, stream: Stream, cast: int, n_agents: int, n_rooms: int, n_things: int, n_containers: int) -> Names:
        """Name the agents, the rooms (with the waiting room), things and containers of a story.

        The cast, a number below `casts()`, settles thing 0, room 1, agents 0 and 1 and container 0, which can all be
        told from the text: so two stories with different casts have different texts. The stream draws the others.
        """
        chosen = []
        for size in self._cast_sizes:
            cast, place = divmod(cast, size)
            chosen.append(place)
        thing, room, first, second, container = chosen
        second += second >= first

        def bank(words: list[str], settled: list[int], n: int) -> tuple[str, ...]:
            rest = words.copy()
            for place in sorted(settled, reverse=True):
                del rest[place]
            return *[words[place] for place in settled], *stream.draw(rest, n - len(settled))

        return Names(
            agents=bank(self._agents, [first, second], n_agents),
            rooms=(self._waiting_room, *bank(self._rooms, [room], n_rooms - 1)),
            things=bank(self._things, [thing], n_things),
            containers=bank(self._containers, [container], n_containers),
            items=self._items,
            animals=self._animals,
        )

    @cached_property
    def _persons(self) -> dict[str, tuple[list[str], list[int]]]:
        """Return the first names of girls and of boys, each with the sums of their frequencies up to its own."""
        lists = json.loads(self._first_names.read_text(encoding="utf-8"))
        return {who: (list(names), list(accumulate(names.values()))) for who, names in lists.items()}

    def persons(self, stream: Stream, n: int) -> tuple[str, ...]:
        """Return n first names as frequent as in the US Census of 1990, girls' and boys' in equal shares.

        None of them begins another, as Sam does Samantha: they could be taken for one person.
        """
        kinds = stream.shuffled(self._persons) * (n // 2 + 1)
        names: dict[str, None] = {}
        for kind in stream.shuffled(kinds[:n]):
            known, sums = self._persons[kind]
            while True:
                name = known[bisect_right(sums, stream.below(sums[-1]))]
                if not any(name.startswith(other) or other.startswith(name) for other in names):
                    break
            names[name] = None
        return tuple(names)

    def say(self, kind: str, *names) -> str:
        """Say one event or question, given what `spell` gives: its kind, then its fields by name."""
        return self._say[kind](*names)

    def story(self, spelled: list[list]) -> str:
        """Say a story spelled event by event, one numbered line for each."""
        say = self._say
        return "\n".join([f"{line} {say[kind](*names)}" for line, (kind, *names) in enumerate(spelled, 1)])

    def premise(self, problem: Problem, names: tuple[str, ...]) -> str:
        """Say what is seen and announced in a MindGames problem whose agents have these names."""
        phrase = phraser(names)
        shown = [(names[atom - 1], names[viewer]) for viewer, seen in enumerate(problem.sees) for atom in seen]
        announcements = [phrase(said) for said in problem.announcements]
        return str(self._problem.premise(problem.setup, len(names), shown, announcements))

    def hypothesis(self, problem: Problem, names: tuple[str, ...]) -> str:
        """Say what is asked in a MindGames problem whose agents have these names."""
        return str(self._problem.hypothesis(problem.setup, phraser(names)(problem.hypothesis)))


@lru_cache(maxsize=8)
def voice(language: str) -> Voice:
    """Return the voice of a language, made once a process."""
    return Voice(language)


def phraser(names: tuple[str, ...]) -> Callable[[Formula], list]:
    """Return what makes of a formula about agents with these names what `mindgames.jinja` says of it.

    That is a fact about an agent or a quantifier, or somebody's knowledge. It raises TypeError for a formula that
    MindGames has no sentence for.
    """
    everyone = tuple([Atom(number) for number in range(1, len(names) + 1)])
    known = {agent_name(index): name for index, name in enumerate(names)}

    def phrase(formula: Formula, negated: bool = False) -> list:
        match formula:
            case Atom(number):
                return ["fact", names[number - 1], negated]
            case Or(of) if of == everyone:
                return ["fact", "none" if negated else "some", False]
            case And(of) if of == everyone:
                return ["fact", "not all" if negated else "all", False]
            case Knows(agent, of):
                return ["knowledge", known[agent], "that", negated, phrase(of)]
            case KnowsWhether(agent, of):
                return ["knowledge", known[agent], "whether", negated, phrase(of)]
            case Not(of) if not negated:
                return phrase(of, negated=True)
            case _:
                raise TypeError(f"MindGames has no sentence for {formula!r}")

    return phrase
