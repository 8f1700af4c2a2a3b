"""Own response files: the replies of a model, read line by line, and matched with the items that they answer."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from builders.answers.items import PUBLISHED_KEY, Item, published_id


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold one line of a response file."""

    where: str  # the file and the number of the line
    prompt: str | None  # name of the prompt that the reply answers, if it has one
    id: str  # id of the row that the reply answers
    text: str  # what the model wrote


def read_replies(path: Path, published: bool = False, prompt: str | None = None) -> list[Reply]:
    """Read a response file: JSON lines with id (or index), response, and perhaps prompt.

    Where `published`, a line names a question of Hi-ToM by PUBLISHED_KEY, and its prompt by prompting_type. `prompt` is
    the name of the prompt for lines that give none; lines that give another name are ignored. Raises ValueError for
    what cannot be read.
    """
    expected = f"{', '.join(('prompting_type', *PUBLISHED_KEY))} and response" if published else "id and response"
    replies, ignored = [], Counter()
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        reply = _reply(line, f"{path}, line {number}", expected, published)
        if reply.prompt is not None and prompt not in (None, reply.prompt):
            ignored[reply.prompt] += 1
        else:
            replies.append(replace(reply, prompt=reply.prompt or prompt))
    if not replies:
        why = f"only of {', '.join(sorted(ignored))}" if ignored else "the file is empty"
        raise ValueError(
            f"{path}: no responses{f' of {prompt}' if ignored else ''}, {why}; expected {expected} on each line"
        )
    return replies


def _text(path: Path) -> str:
    """Return the text of a file. Raises ValueError where it cannot be read, or is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: it is not UTF-8 text (byte {error.start}); expected JSON lines") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None


def _reply(line: str, where: str, expected: str, published: bool) -> Reply:
    """Return the reply in a line. Raises ValueError where the line is not an object with what is expected."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: not JSON ({error}); expected an object with {expected}") from None
    row_id = _row_id(fields, published) if isinstance(fields, dict) else None
    if row_id is None or not isinstance(fields.get("response", 0), str | None):
        raise ValueError(f"{where}: expected an object with {expected}, a text")
    prompt = fields.get("prompting_type" if published else "prompt")
    if not isinstance(prompt, str | None):
        raise ValueError(f"{where}: its prompt is {prompt!r}; expected a name")
    return Reply(where, prompt, row_id, fields["response"] or "")


def _row_id(fields: dict, published: bool) -> str | None:
    """Return the id of the row that a line answers, None where the line has none."""
    if published:
        return published_id(fields) if all(key in fields for key in PUBLISHED_KEY) else None
    row_id = fields.get("id", fields.get("index"))
    return str(row_id) if isinstance(row_id, str | int) and not isinstance(row_id, bool) else None


Key = tuple[str | None, str]
"""Name of a prompt, and id of an item that it asks."""


def match_replies(
    path: Path, items: Sequence[Item], replies: Sequence[Reply]
) -> tuple[dict[Key, str], dict[Key, Item], list[str]]:
    """Find the item of each reply.

    Returns the texts of the replies and their items, both by key, and one line for each way in which the replies do
    not fit: unknown, repeated and missing ids. Raises ValueError where no reply has an item.
    """
    prompts = list(dict.fromkeys(reply.prompt for reply in replies))
    items_by_key = {
        (prompt, item.id): replace(item, prompt=prompt)
        for prompt in prompts
        for item in items
        if item.prompt in (None, prompt)
    }
    texts: dict[Key, str] = {}
    unknown, repeated = [], []
    for reply in replies:
        key = reply.prompt, reply.id
        if key not in items_by_key:
            unknown.append(key)
        elif key in texts:
            repeated.append(key)
        else:
            texts[key] = reply.text
    if not texts:
        raise ValueError(
            f"{path}: none of its {len(replies):,} ids is that of a row here (first: {replies[0].id!r}; the first row "
            f"here is {items[0].id!r}); name their dataset, --config and --split"
        )
    missing = [key for key in items_by_key if key not in texts]
    faults = [
        f"{len(keys):,} {what} (first: {keys[0][1]!r}{f' of {keys[0][0]}' if keys[0][0] else ''})"
        for keys, what in (
            (unknown, "ids that no row here has"),
            (repeated, "ids that occur again"),
            (missing, f"of {len(items_by_key):,} ids are missing"),
        )
        if keys
    ]
    return texts, {key: item for key, item in items_by_key.items() if key in texts}, faults
