"""How ToMi is read: its text files become rows, and its first-order question a form that Hi-ToM knows.

The numbers of lines start again at 1 with each story. The line of a question is
"N question?<TAB>answer<TAB>number of a line" (Le et al. 2019, in the format of bAbI).
"""

import re
from collections.abc import Iterator
from pathlib import Path

from .english import NAME

_LINE = re.compile(r"(\d+) (\S.*)")
_SEARCH = re.compile(rf"\AWhere will ({NAME}) look for the (\w+)\?\Z")


def known_question(text: str) -> str:
    """Return a first-order question of ToMi as ToMH asks it; any other question as it is."""
    return _SEARCH.sub(r"Where does \1 search for the \2?", text)


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
