"""What tests of answers need: replies to rows, and the files that hold them."""

import json
from functools import partial
from pathlib import Path

from tom_datasets.answers.scores import read_reply
from tom_datasets.syntax.formula import LABELS

CHOICES = (
    "green_box red_box blue_treasure_chest red_pantry blue_crate green_bottle red_drawer blue_drawer green_crate "
    "red_crate blue_bottle green_pantry red_bucket blue_bucket green_bucket"
).split()
read_container = partial(read_reply, "hi_tom", choices=CHOICES)
read_label = partial(read_reply, "mindgames", choices=tuple(LABELS.values()))
LETTERS = "ABCDEFGHIJKLMNO"
REASONED = """Okay, here are my step-by-step thoughts:

1. The apple was in the green_box according to line 2.

2. Mila moved the apple to the red_drawer (line 3) and exited. Owen exited before Mila, so he trusts her.

3. A later agent, Ivy, moved it to the blue_bucket and privately told Owen that it is in the green_pantry.

4. But every agent tends to lie (Assumption 3), so what he was told does not affect his belief.

"""
"""The beginning of a reply that reasons before it answers."""
OTHER = {"entailment": "not_entailment", "not_entailment": "entailment"}  # the wrong label for each label


def row_id(row: dict) -> str:
    """Return the id by which replies name a row."""
    return row["id"] if "id" in row else str(row["index"])


def right_reply(row: dict) -> str:
    """Return a reply that is right."""
    return f"{LETTERS[row['answer_index']]}. {row['answer']}" if "answer" in row else row["label"]


def wrong_reply(row: dict) -> str:
    """Return a reply that is wrong."""
    if "label" in row:
        return OTHER[row["label"]]
    place = (row["answer_index"] + 1) % len(row["choices"])
    return f"{LETTERS[place]}. {row['choices'][place]}"


def replies_to(rows: list[dict], reply_to=right_reply, **more) -> list[dict]:
    """Return the lines of a response file; each also has what is in `more`."""
    return [{"id": row_id(row), "response": reply_to(row), **more} for row in rows]


def write_lines(path: Path, lines: list[dict]) -> Path:
    """Write a file of JSON lines; return its path."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
