"""How ToMi is read: its text files become rows, and its sentences and questions forms that Hi-ToM knows.

The numbers of lines start again at 1 with each story. The line of a question is
"N question?<TAB>answer<TAB>number of a line" (Le et al. 2019, in the format of bAbI).
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path

from ..reader.english import NAME
from ..syntax.events import Come, Enter, Event, Exit, Move, Place, Story

_LINE = re.compile(r"(\d+) (\S.*)")
_THING = r"\w+(?:-\w+)*"
_SEARCH = re.compile(rf"\AWhere will ({NAME}) look for the ({_THING})\?\Z")
_BEGINNING = re.compile(rf"\AWhere (?:was|were) the ({_THING}) at the beginning\?\Z")
# The start of a sentence and its subjects; then a distraction, which may lack its full stop, or the room of somebody.
_AGENT, _AGENTS = (rf"^((?:\d+ )?{NAME}{more})" for more in ("", rf"(?: and {NAME})?"))
_NOISE = re.compile(rf"{_AGENT} (?:(?:loves|hates) the ({_THING})\.?|(?:dis)?likes the ({_THING}))$", re.MULTILINE)
_IN_ROOM = re.compile(rf"{_AGENTS} (?:is|are) in the (\w+)\.$", re.MULTILINE)


def known_story(text: str) -> str:
    """Return a story with the sentences of ToMi as Hi-ToM has them, and all others as they are.

    Its distractions are about things, which in Hi-ToM one can only dislike.
    """
    text = _NOISE.sub(lambda noise: f"{noise[1]} dislikes the {noise[2] or noise[3]}.", text)
    return _IN_ROOM.sub(r"\1 entered the \2.", text)


def known_question(text: str) -> str:
    """Return a question of ToMi as Hi-ToM or ToMH asks it, any other question as it is.

    A question about the beginning becomes one about reality; see `asks_beginning`.
    """
    return _SEARCH.sub(r"Where does \1 search for the \2?", _BEGINNING.sub(r"Where is the \1 really?", text))


def asks_beginning(text: str) -> bool:
    """Return whether a question asks where a thing was at the beginning of its story."""
    return _BEGINNING.match(text) is not None


def placed(story: Story) -> Story:
    """Return a story in which each thing is placed in the room where somebody moves it next.

    ToMi does not say in which room a thing is, and somebody may have entered another room just before. An Enter of
    nobody leads back to the room of the thing.
    """
    rooms: dict[int, int] = {}  # of the agents
    entered: int | None = None  # the room entered last
    handled: dict[int, list[tuple[int, Event, int | None]]] = defaultdict(list)  # where each thing is placed and moved
    for line, event in enumerate(story.events):
        match event:
            case Enter(agents, entered):
                rooms |= dict.fromkeys(agents, entered)
            case Come(agent, room):
                rooms[agent] = room
            case Exit(agent):
                rooms.pop(agent, None)
            case Place(thing):
                handled[thing].append((line, event, entered))
            case Move(agent, thing):
                handled[thing].append((line, event, rooms.get(agent)))
    back = {
        line: Enter((), moved_in)
        for events in handled.values()
        for (line, event, here), (_, then, moved_in) in pairwise(events)
        if isinstance(event, Place) and isinstance(then, Move) and moved_in not in (None, here)
    }
    led = ((back[line], event) if line in back else (event,) for line, event in enumerate(story.events))
    return Story(story.n_agents, tuple(chain.from_iterable(led)))


def is_tomi(text: str) -> bool:
    """Return whether the first line of a text that is not blank has number 1, as the text files of ToMi begin."""
    return re.match(r"\s*1 \S", text) is not None


def tomi_rows(path: Path, text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (place in the file, row) for each question of a text, with the lines of its story before it.

    Lines after a question are numbered as if the question were no line. A line without a number stays in its story as
    it is, for the reader to refuse.
    """
    lines: list[str] = []
    asked = 0  # questions of this story so far
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip("\r \ufeff")
        if not line:
            continue
        match = _LINE.fullmatch(line)
        if match and match[1] == "1":
            lines, asked = [], 0
        if match and "\t" in line:
            question, answer = match[2].split("\t")[:2]
            row = {"story": "\n".join(lines), "question": question.strip(), "answer": answer.strip()}
            yield f"{path}, line {number}", row
            asked += 1
        else:
            lines.append(f"{int(match[1]) - asked} {match[2]}" if match else line)
