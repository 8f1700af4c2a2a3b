"""Own what a model answered: which choice a reply names, how often the choices are right, and what that depends on.

**Reading.** A reply is read by rules, the same for every model. What stands before the last `</think>` is dropped, and
so are emphasis, quotes, `\boxed{}` and other mark-up; a container is known in any case, with spaces, hyphens or
underscores between its words. Then:

1. A *statement* says what the answer is: the reply begins with a choice; a line holds only a choice, or begins with a
   letter and its container; or a sentence says "answer", "final answer", "best option", "my choice", "conclusion is"
   (MindGames also "the hypothesis", "the statement") and then a choice, on the next line where its own has no more.
   Choices in a list, one line after another, are none, nor is what is denied ("the answer is not B").
2. The last statement counts, as what comes after it is an explanation and what came before was revised. A reply whose
   statements differ is counted as *revised*.
3. A statement of several choices ("B or C") or of none ("none of the above", "cannot be determined", "E. None of the
   above", a letter that no choice has) counts as such: the reply is unread.
4. Without a statement, letters that stand with their containers decide if all are of one choice. Else the last
   concluding sentence ("therefore", "so", "in summary", "most likely", …), else the last that names a choice; where it
   names several, what stands before "because", "as", "not", … decides. A sentence that says it cannot be known is one
   that names none.
5. Where a letter and its container contradict, the container counts: the question asks where, and the letter is only
   looked up. This is counted as *contradicting*. A letter with a container that is no choice is unread.
6. Where a reply goes on with another "Question:" after its answer, as base models do, that is not read.
7. A letter alone is an answer only where one is expected: alone on a line or at the start of the reply, after "answer
   is", "option" or a colon. "A" and "I" must be followed by punctuation, the end, or "because".

MindGames: the choices are *entailment* (true, yes, entailed, follows, holds) and *not_entailment* (false, no, not
entailed, does not follow, contradiction, neutral, cannot be inferred); a negation turns one into the other; "True or
False?" and the like are dropped as an echo, and what is said under "if" or "whether" is not said.

What no rule reads is **unread**: it is shown with the reason, and scored wrong.

**Scoring.** Accuracy, and the strict metric: a question of Hi-ToM counts in *joint accuracy* when it and all lower
orders of its story are right (He et al., section 4.3), a problem of MindGames in *block accuracy* when all four of its
block are. Intervals are percentiles of a bootstrap over stories or blocks: they are drawn anew, with all their
questions and prompts.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from builders.answers.items import PUBLISHED_KEY, Item, published_id


@dataclass(frozen=True, slots=True)
class Reply:
    """Hold one line of a response file, and where it stands."""

    where: str
    prompt: str | None
    id: str
    text: str


def replies_in(path: Path, published: bool = False, prompt: str | None = None) -> list[Reply]:
    """Read a response file: JSON lines with id (or index), response, and perhaps prompt.

    published: Hi-ToM's are named by `PUBLISHED_KEY` and prompting_type. prompt: what lines without one are of; of
    lines that say theirs only these are read. Raises ValueError for what cannot be read.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: it is not UTF-8 text (byte {error.start}); expected JSON lines") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    expected = f"{', '.join(('prompting_type', *PUBLISHED_KEY))} and response" if published else "id and response"
    found, others = [], Counter()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{where}: not JSON ({error}); expected an object with {expected}") from None
        name = _named(row, published) if isinstance(row, dict) else None
        if name is None or not isinstance(row.get("response", 0), str | None):
            raise ValueError(f"{where}: expected an object with {expected}, a text")
        said = row.get("prompting_type" if published else "prompt")
        if not isinstance(said, str | None):
            raise ValueError(f"{where}: its prompt is {said!r}; expected a name")
        if said is not None and prompt not in (None, said):
            others[said] += 1
            continue
        found.append(Reply(where, said or prompt, name, row["response"] or ""))
    if not found:
        has = f"only of {', '.join(sorted(others))}" if others else "the file is empty"
        raise ValueError(
            f"{path}: no responses{f' of {prompt}' if others else ''}, {has}; expected {expected} on each line"
        )
    return found


def _named(row: dict, published: bool) -> str | None:
    """Return the id that a line has."""
    if published:
        return published_id(row) if all(key in row for key in PUBLISHED_KEY) else None
    name = row.get("id", row.get("index"))
    return str(name) if isinstance(name, str | int) and not isinstance(name, bool) else None


Asked = dict[tuple[str | None, str], Item]
"""What is asked: each item under each prompt and id."""


def matched(
    path: Path, items: Sequence[Item], replies: Sequence[Reply]
) -> tuple[dict[tuple[str | None, str], str], Asked, list[str]]:
    """Find the item of each reply.

    Returns the replies and the items by prompt and id, and one line for each way in which they do not fit: missing,
    unknown and repeated ids. Raises ValueError where no reply has an item.
    """
    prompts = list(dict.fromkeys(reply.prompt for reply in replies))
    asked = {
        (prompt, item.id): replace(item, prompt=prompt)
        for prompt in prompts
        for item in items
        if item.prompt in (None, prompt)
    }
    texts: dict[tuple[str | None, str], str] = {}
    unknown, again = [], []
    for reply in replies:
        key = reply.prompt, reply.id
        if key not in asked:
            unknown.append(key)
        elif key in texts:
            again.append(key)
        else:
            texts[key] = reply.text
    if not texts:
        raise ValueError(
            f"{path}: none of its {len(replies):,} ids is asked here (first: {replies[0].id!r}; asked is e.g. "
            f"{items[0].id!r}); are they answers to another dataset, config or split?"
        )
    missing = [key for key in asked if key not in texts]
    faults = [
        f"{len(keys):,} {what} (first: {keys[0][1]!r}{f' of {keys[0][0]}' if keys[0][0] else ''})"
        for keys, what in (
            (unknown, "ids that nothing asked here has"),
            (again, "ids that occur again"),
            (missing, f"of {len(asked):,} ids are missing"),
        )
        if keys
    ]
    return texts, {key: item for key, item in asked.items() if key in texts}, faults
