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

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builders.logic.formula import LABELS
from builders.story.config import order_name

PUBLISHED_KEY = ("deception", "story_length", "sample", "question_order")
"""What names a question in the published data of Hi-ToM, beside its prompting_type."""


@dataclass(frozen=True, slots=True)
class Item:
    """Hold what is scored of a question or a problem.

    prompt: how it was asked, None where every prompt asks it. unit: its story or block, None where it has none.
    answer: the place of the right choice. needs: the other items of its unit, by their orders or places, that the
    strict metric asks to be right too. place: its own. groups: by each property the group it is in, None for no group.
    difficulty: of a probe. ends: whether the answer is the container that its story names first, last; in Hi-ToM only.
    """

    id: str
    prompt: str | None
    unit: str | None
    choices: tuple[str, ...]
    answer: int
    place: int
    needs: tuple[int, ...] | None
    groups: Mapping[str, str | None]
    difficulty: float | None = None
    ends: tuple[bool, bool] | None = None


def of_questions(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of hi_tom; published ones may lack columns, and have `prompt`."""
    items = []
    for row in rows:
        named = sorted((row["story"].find(choice), choice) for choice in row["choices"] if choice in row["story"])
        last = max(((row["story"].rfind(choice), choice) for choice in row["choices"]), default=(0, ""))[1]
        groups = {
            "order": order_name(row["order"]),
            "length": f"length {row['story_length']}",
            "deception": "deception" if row["deception"] else "no deception",
            "effective order": _numbered("effective order", row.get("effective_order")),
            "claims": _numbered("claims", row.get("n_claims")),
        }
        items.append(
            Item(
                row["id"],
                row.get("prompt"),
                row["story_id"],
                tuple(row["choices"]),
                row["choices"].index(row["answer"]),
                row["order"],
                tuple(range(row["order"])),
                groups,
                row.get("difficulty"),
                (bool(named) and named[0][1] == row["answer"], last == row["answer"]),
            )
        )
    return items


def of_problems(rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of rows of mindgames; published ones have no block."""
    items: list[Item] = []
    sizes: Counter[str] = Counter()
    for row in rows:
        block = row.get("block")
        sizes[block] += 1
        groups = {
            "setup": row["setup"],
            "agents": _numbered("agents", row.get("n_agents")),
            "depth": _numbered("depth", row.get("hypothesis_depth")),
        }
        label = list(LABELS.values()).index(row["label"])
        where = str(row["index"]), None, block or f"row {row['index']}", tuple(LABELS.values()), label
        items.append(Item(*where, sizes[block] - 1, tuple(range(4)) if block else None, groups, row.get("difficulty")))
    return items


def _numbered(what: str, number: int | None) -> str | None:
    return None if number is None else f"{what} {number}"


def published_id(row: Mapping[str, Any], key: Sequence[str] = PUBLISHED_KEY) -> str:
    """Return the id of a published question."""
    return "/".join(f"{field}={row[field]}" for field in key)


def of_published(name: str, rows: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return the items of published rows, each with `where` it stands. Raises ValueError for what they lack."""
    needed = PUBLISHED_KEY if name == "hi_tom" else ("index", "setup")
    found: dict[tuple[str | None, str], Mapping[str, Any]] = {}
    for row in rows:
        if lacks := [field for field in needed if field not in row]:
            raise ValueError(f"{row['where']}: it has no {', '.join(lacks)}, by which its responses are found")
        if name == "hi_tom":
            row = {**row, "id": published_id(row), "story_id": published_id(row, PUBLISHED_KEY[:-1])}
        elif row["label"] not in LABELS.values():
            raise ValueError(f"{row['where']}: label is {row['label']!r}; expected {' or '.join(LABELS.values())}")
        key = row.get("prompt"), str(row.get("id", row["index"] if "index" in row else None))
        if key in found:
            raise ValueError(f"{row['where']}: {key[1]} stands more than once")
        found[key] = row
    return (of_questions if name == "hi_tom" else of_problems)(found.values())
