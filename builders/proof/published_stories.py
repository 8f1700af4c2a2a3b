"""Own the proofs of labels: the formal column through the checkers, the English through `reader`.

The same for published data, whose labels are compared with those that their text has.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from builders.audit.stories import Asked
from builders.difficulty import probe
from builders.difficulty.masking import MaskedRow, mask_question
from builders.difficulty.probe import EMBEDDED
from builders.errors import located
from builders.proof.read_stories import read_choices, read_question, read_story
from builders.proof.story_minds import believe
from builders.story.config import order_name
from builders.story.meaning import SEMANTICS, has_watchers, no_watchers
from builders.story.syntax import Names, Question, Story, Tell

NOWHERE = -1
"""The number of a container that the story does not have."""


def published_choices(row: dict) -> list[str]:
    """Return the choices of a published row, also where they are one string; none where it has none."""
    choices = row.get("choices", [])
    if isinstance(choices, str):
        return list(read_choices(choices))
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise ValueError(f'choices is {choices!r}; expected a list of containers or "A. x, B. y, …"')
    return choices


def published_answer(answer: str, choices: list[str]) -> str:
    """Return the container that a published answer names, also where it is a letter or "B. red_box"."""
    letter, _, rest = answer.strip().partition(".")
    if answer in choices or len(letter) != 1 or not letter.isupper():
        return answer.strip()
    place = ord(letter) - ord("A")
    return rest.strip() or (choices[place] if place < len(choices) else letter)


def _asked_in(row: dict) -> tuple[Story, Names, Question, list[str], str]:
    """Return what a published row of Hi-ToM asks, its choices and its answer. Raises ValueError for one that cannot."""
    story, names = read_story(row["story"])
    if has_watchers(story):
        raise no_watchers("published")
    question = read_question(row["question"], names)
    choices = published_choices(row)
    return story, names, question, choices, published_answer(row["answer"], choices)


def _probed(dataset: str, reading: MaskedRow) -> dict[str, bool | None]:
    """Return whether the embedded probe is right about a published row, None where it is beyond its limit."""
    found = probe.probe(EMBEDDED, dataset).score(reading)["deberta_pred"]
    return {"probe": None if found is None else found == reading.right}


def published_asked(rows: Iterable[tuple[str, dict]]) -> list[Asked]:
    """Return the questions of published rows of Hi-ToM for the audit, with the probe's answers.

    They are grouped by order, and apart for each prompting type: the same questions were released once for each, with
    different answers.
    """
    rows = list(rows)
    types = {row.get("prompting_type") for _, row in rows}
    asked = []
    for where, row in rows:
        with located(f"{where}: "):
            story, names, question, choices, answer = _asked_in(row)
        group = order_name(len(question.chain))
        # The probe chooses among the containers of the text; some rows have no choices, or others.
        known = list(dict.fromkeys([*choices, *names.containers, answer]))
        reading = mask_question(row["story"], row["question"], names, known, answer)
        asked.append(
            Asked(
                f"{group} ({row.get('prompting_type')})" if len(types) > 1 else group,
                story,
                question.chain,
                question.thing,
                names.containers.index(answer) if answer in names.containers else NOWHERE,
                choices.index(answer) if answer in choices else None,
                "published",
                answer,
                len(choices or known),
                reading,
                _probed("hi_tom", reading),
            )
        )
    return asked


def published_questions(rows: Iterable[tuple[str, dict]]) -> Iterator[dict]:
    """Yield published rows of Hi-ToM as ours are, in the columns that scoring needs, each with where it stands.

    The prompt is its prompting_type. Where the answer is none of the choices, it is added to them.
    """
    for where, row in rows:
        with located(f"{where}: "):
            story, names, question, choices, answer = _asked_in(row)
        claims = sum(isinstance(event, Tell) for event in story.events)
        yield {
            **row,
            "where": where,
            "prompt": row.get("prompting_type"),
            "choices": list(dict.fromkeys([*(choices or names.containers), answer])),
            "answer": answer,
            "order": len(question.chain),
            "n_claims": claims,
        }


def reread_hi_tom(
    rows: Iterable[tuple[str, dict]],
) -> tuple[dict[tuple[str, str], Counter], dict[tuple[str, str], list[str]], list[dict]]:
    """Compare published labels with those read from the text.

    Returns for each (prompting type, order) how many agree, all published answers to each (story, question), and the
    rows that disagree with one of the semantics or both.
    """
    counts: dict[tuple[str, str], Counter] = defaultdict(Counter)
    answers: dict[tuple[str, str], list[str]] = defaultdict(list)
    disagreeing = []
    for where, row in rows:
        with located(f"{where}: "):
            story, names, question, _, published = _asked_in(row)
        claims = any(isinstance(event, Tell) for event in story.events)
        read = {}
        for semantics in SEMANTICS:
            container = believe(story, question, semantics)
            read[semantics] = None if container is None else names.containers[container]
        for group in {str(row.get("prompting_type", "all")), "all"}:
            for order in (f"order {len(question.chain)}", "total"):
                count = counts[group, order]
                count["questions"] += 1
                for semantics in SEMANTICS:
                    count[semantics, claims, "agree"] += read[semantics] == published
                count[claims] += 1
        if any(container != published for container in read.values()):
            labels = {f"read_{semantics}": container for semantics, container in read.items()}
            disagreeing.append({"where": where, **row, **labels})
        answers[row["story"], row["question"]].append(published)
    return counts, answers, disagreeing
