"""Responses: the replies of a model, read from a file or a folder, and matched with the items that they answer."""

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ..files import lines_of, text_of
from ..groups import grouped_by
from ..proof.released import NUMBERS
from ..splits import is_integer
from .items import PUBLISHED_KEY, Item, Key, RowName, published_id


class Reply(NamedTuple):
    """Hold one line of a response file, or one file of a folder of responses."""

    prompt: str | None  # name of the prompt that the reply answers, if it has one
    id: str  # id of the row that the reply answers
    text: str  # what the model wrote
    cut: bool = False  # whether it ended at a limit of tokens, as `finish` says
    tokens: int | None = None  # how many tokens the model wrote, as `usage` says


def read_replies(path: Path, published: bool = False, prompt: str | None = None) -> list[Reply]:
    """Read responses: JSON lines with id (or index), response, and perhaps prompt, finish and usage; or a folder.

    Where `published`, a line names a question of Hi-ToM by PUBLISHED_KEY or by one of NUMBERS, and its prompt by
    prompting_type. `prompt` is the name of the prompt for lines that give none; lines that give another name are
    ignored. Raises UserError for a file that cannot be read, ValueError for a line.
    """
    expected = "id and response"
    if published:
        expected = f"{', '.join(('prompting_type', *PUBLISHED_KEY))} (or {', '.join(NUMBERS)}) and response"
    if published and path.is_dir():
        read, expected = folder_replies(path), f"files like {EXAMPLE}"
    else:
        read = [_reply(line, where, expected, published) for where, line in lines_of(path, text_of(path))]
        expected = f"{expected} on each line"
    named = {reply.prompt for reply in read if reply.prompt is not None}
    ignored = sorted(named - {prompt}) if prompt is not None else []
    replies = [reply._replace(prompt=reply.prompt or prompt) for reply in read if reply.prompt not in ignored]
    if not replies:
        empty = f", the {'folder' if path.is_dir() else 'file'} is empty"
        why = f" of {prompt}, only of {', '.join(ignored)}" if ignored else empty
        raise ValueError(f"{path}: no responses{why}; expected {expected}")
    return replies


COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")  # what servers count of a reply

CUT = ("length", "max_tokens")  # what servers say of a reply that ended at a limit of tokens

EXAMPLE = "No_Tell/MC/length_1/sample_1/order_0.txt"  # the path of an answer within a folder of published answers

_ANSWER = re.compile(r"(No_)?Tell/(MC|CoT)/length_(\d+)/sample_(\d+)/order_(\d+)\.txt")


def folder_replies(folder: Path) -> list[Reply]:
    """Read a folder of published answers to Hi-ToM: (No_)Tell/(MC|CoT)/length_L/sample_S/order_O.txt, one reply each.

    The folder may also be a part of that layout, such as Tell. Other files are ignored. Replies are ordered by prompt,
    deception, length, sample and order. Raises UserError for a file that cannot be read.
    """
    found = []
    # The path as it is named counts: a download may consist of links to files with other names.
    for path in folder.rglob("order_*.txt"):
        if match := _ANSWER.fullmatch("/".join(Path(os.path.abspath(path)).parts[-5:])):
            length, sample, order = map(int, match.group(3, 4, 5))
            found.append((match[2] == "CoT", (match[1] is None, length, sample, order), str(path)))
    return [
        Reply("CoTP" if steps else "VP", published_id(dict(zip(PUBLISHED_KEY, key, strict=True))), text_of(Path(path)))
        for steps, key, path in sorted(found)
    ]


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
    if not isinstance(fields.get("finish"), str | None):
        raise ValueError(f"{where}: its finish is {fields['finish']!r}; expected why the reply ended, such as length")
    return Reply(prompt, row_id, fields["response"] or "", fields.get("finish") in CUT, _tokens(fields, where))


def _tokens(fields: Mapping[str, Any], where: str) -> int | None:
    """Return how many tokens a reply has, None where its line does not say. Raises ValueError for an odd usage."""
    usage = fields.get("usage") if fields.get("usage") is not None else {}
    if not isinstance(usage, dict):
        raise ValueError(f"{where}: its usage is {usage!r:.80}; expected an object with completion_tokens")
    for name in COUNTS:
        count = usage.get(name)
        if count is not None and not (is_integer(count) and count >= 0):
            raise ValueError(f"{where}: its usage has {name} {count!r:.80}; expected an integer of 0 or more")
    return usage.get("completion_tokens")


def _row_id(fields: Mapping[str, Any], published: bool) -> str | None:
    """Return the id of the row that a line answers, None where the line has none."""
    if published and all(key in fields for key in PUBLISHED_KEY):
        return published_id(fields)
    row_id = next((fields[column] for column in (NUMBERS if published else ("id", "index")) if column in fields), None)
    return str(row_id) if isinstance(row_id, str | int) and not isinstance(row_id, bool) else None


def match_replies(
    path: Path, items: Sequence[Item], replies: Sequence[Reply], partial: bool, several: bool = True
) -> tuple[list[Item], list[str]]:
    """Find the item of each reply.

    Returns the items, each with its reply and the prompt that asked it, and one line for each way in which the replies
    do not fit: unknown and missing ids, and ids with more replies than others. Several replies to one id are its
    samples, in their order; `several` says whether an id may have more than one. Where an id is missing, the other
    replies to its story or block are left out too. Raises ValueError where no reply has an item, or no story or block
    has all replies; and unless `partial`, where any does not fit.
    """
    asked = {
        (prompt, item.id): replace(item, prompt=prompt)
        for prompt in dict.fromkeys(reply.prompt for reply in replies)
        for item in items
        if item.prompt in (None, prompt)
    }
    answered = grouped_by(lambda reply: reply[:2], (reply for reply in replies if reply[:2] in asked))
    unknown = [reply for reply in replies if reply[:2] not in asked]
    if not answered:
        raise ValueError(
            f"{path}: none of its {len(replies):,} ids names a row here (first id: {replies[0].id!r}; first row: "
            f"{items[0].id!r}); name their dataset, --config and --split"
        )
    missing = [item for key, item in asked.items() if key not in answered]
    cut = {(item.prompt, item.unit) for item in missing}
    kept = {key: answered[key] for key, item in asked.items() if (item.prompt, item.unit) not in cut}
    beside = [reply for key, some in answered.items() if key not in kept for reply in some]
    faults = [
        f"{len(some):,} {what} (first: {_named(some[0])})"
        for some, what in (
            (unknown, "unknown ids"),
            (missing, f"of {len(asked):,} ids are missing"),
            (beside, "responses are to stories or blocks of which others are missing"),
        )
        if some
    ]
    if not kept:
        advice = "score whole stories or blocks, as prompts --limit prints them, or name their --config"
        raise ValueError(f"{path}: {'; '.join(faults)}; {advice}")
    number, above = _samples(kept, several)
    faults += above
    if faults and not partial:
        raise ValueError(f"{path}: {'; '.join(faults)}; add --partial to score the rest")
    taken = [(asked[key], reply, sample) for key, some in kept.items() for sample, reply in enumerate(some[:number], 1)]
    return [
        replace(item, text=reply.text, cut=reply.cut, tokens=reply.tokens, sample=sample if number > 1 else None)
        for item, reply, sample in taken
    ], faults


def _samples(replies: Mapping[Key, Sequence[Reply]], several: bool) -> tuple[int, list[str]]:
    """Return how many replies to each id are scored, and a line where some ids have more.

    Each row then weighs the same. The number is the smallest of all ids, or one unless `several`.
    """
    fewest, most = min(replies.values(), key=len), max(replies.values(), key=len)
    number = len(fewest) if several else 1
    above = sum(map(len, replies.values())) - number * len(replies)
    has_few = f"{_named(fewest[0])} has {number}"
    needs = f"all ids need the same number, and {has_few}," if several else "each id may have one, and"
    return number, [f"{above:,} extra replies: {needs} {_named(most[0])} has {len(most)}"] if above else []


def _named(reply: Reply | Item) -> str:
    """Return the id that a reply or an item has, and its prompt if it has one."""
    return f"{reply.id!r}{f' of {reply.prompt}' if reply.prompt else ''}"


def named_by_id(replies: Sequence[Reply], names: Iterable[RowName]) -> list[Reply]:
    """Return replies in which a number that counts all rows of a file has become the prompt and id of its row.

    names: those of all rows. A reply without a prompt takes that of its row, if only one row has the number.
    """
    rows: dict[tuple[str | None, str | None], set[Key]] = defaultdict(set)
    for name in names:
        if name.id is None:
            continue
        for prompt in (None, name.prompt):
            rows[prompt, name.number].add((name.prompt, name.id))
    keys = {named: found.pop() for named, found in rows.items() if len(found) == 1}
    found_keys = [keys.get(reply[:2], reply[:2]) for reply in replies]
    return [reply._replace(prompt=key[0], id=key[1]) for key, reply in zip(found_keys, replies, strict=True)]


def without_rows(path: Path, replies: Sequence[Reply], unread: Set[Key]) -> list[Reply]:
    """Return the replies that answer none of these rows, which could not be read.

    Raises ValueError where every reply answers one of them.
    """
    kept = [reply for reply in replies if unread.isdisjoint([(reply.prompt, reply.id), (None, reply.id)])]
    if not kept:
        raise ValueError(
            f"{path}: all of its {len(replies):,} responses are to rows that cannot be read; expected some to others"
        )
    return kept
