"""Texts that copy what is given instead of reasoning: a reward of steps must pay little for each of them."""

import re
from itertools import islice

from tom_datasets.reader.english import listed
from tom_datasets.reader.steps import share_of_right_steps
from tom_datasets.streaming.endless import endless


def first_half(row, _):
    """Return the first half of the row's own explanation."""
    steps = row["explanation"].split("\n")
    return "\n".join(steps[: len(steps) // 2])


def second_half(row, _):
    """Return the second half of it."""
    steps = row["explanation"].split("\n")
    return "\n".join(steps[len(steps) // 2 :])


def of_another_question(_, other):
    """Return the steps of another question about the same story or premise."""
    return other["explanation"]


def lines_with_containers(row, _, reason=""):
    """Return each line of the story that names a container, as a step with one reason for all."""
    steps = []
    for line in row["story"].split("\n"):
        number, _, sentence = line.partition(" ")
        if named := [choice for choice in row["choices"] if re.search(rf"\b{choice}\b", sentence)]:
            steps.append(f"Line {number}: {sentence} {reason}Now: {named[-1]}.")
    return "\n".join(steps)


def seen_by_all(row, _):
    """Return the same, each line seen by all agents of the question."""
    return lines_with_containers(row, _, f"{listed(row['chain'])} saw it. " if row["chain"] else "")


def text_of(row, _):
    """Return what is given, as it is."""
    return row.get("story") or row["premise"]


def nothing_changes(row, _):
    """Return for each announcement that it leaves what was left, for the hypothesis that it holds everywhere."""
    agents, count = len(row["names"]), row["n_announcements"] + 1
    left = f"1 to {2**agents - 1}" if agents < 5 else "all worlds"
    legend = row["explanation"].split("\n")[0]
    leaves = [f"Announcement {number} leaves {left}." for number in range(1, count + 1)]
    return "\n".join([legend, *leaves, f"Of the worlds left, this misses {'none' if agents < 5 else 'no world'}."])


COPIES = {
    "hi_tom": {
        "the story": text_of,
        "its lines with a container, as steps": lines_with_containers,
        "the same, seen by all who are asked about": seen_by_all,
        "the steps of another chain": of_another_question,
        "the first half of the explanation": first_half,
        "the second half": second_half,
    },
    "mindgames": {
        "the premise": text_of,
        "every announcement leaves all but one world": nothing_changes,
        "the steps of another hypothesis": of_another_question,
        "the first half of the explanation": first_half,
        "the second half": second_half,
    },
}
"""By dataset and name: a text, given a row and another one about the same story or premise."""


def pairs_of(name, config, count):
    """Yield the first rows of a stream, each with another one about the same story or premise."""
    groups = {}
    for row in islice(endless(name, config, seed=7), count):
        groups.setdefault(row.get("story") or row["premise"], []).append(row)
    for group in groups.values():
        for place, row in enumerate(group):
            yield row, group[place - 1]


def worths(name, configs, count):
    """Return by the name of a copy what its steps are worth, for so many rows of each config."""
    rows = [pair for config in configs for pair in pairs_of(name, config, count)]
    return {copy: [share_of_right_steps(text(*pair), pair[0]) for pair in rows] for copy, text in COPIES[name].items()}
