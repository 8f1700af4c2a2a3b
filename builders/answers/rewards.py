"""The reward of a reply, for training by reinforcement: 1 where its last line gives the right answer, else 0.

A reward has a contract, which the prompt prints (`prompts --reply final-line`): the last line that is not empty is
`Answer: X`, in the language of the row, and nothing else. X is the letter of a choice, the choice itself, or a label.
All before it is reasoning and is ignored, so no pattern decides what is paid. `score` reads replies that keep to no
contract (`reading`).
"""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

from ..prompts import wording_of
from ..reader.steps import share_of_right_steps
from ..rows import dataset_of, plain_row, plain_value

# Columns that a reward needs of a row, by dataset.
SHOWN = {"hi_tom": ("choices", "answer"), "mindgames": ("label",)}
# The same columns, and the language in which the last line must be to be paid; English where a row does not say it.
KEPT = {dataset: (*columns, "language") for dataset, columns in SHOWN.items()}
READ = ("choices", "answer", "label", "language")  # all columns that a reward without steps reads


def dataset_of_row(row: Mapping[str, Any]) -> str:
    """Return the dataset that a row is of. Raises ValueError for a row of neither."""
    return dataset_of(row, SHOWN)


def final_lines(row: Mapping[str, Any]) -> dict[str, bool]:
    """Return the last lines that keep the contract for a row, and whether each is right. Raises as `dataset_of_row`."""
    dataset, macros = dataset_of_row(row), wording_of(row)
    if dataset == "hi_tom":
        right, choices = row["answer"], zip(row["choices"], ascii_uppercase, strict=False)
    else:
        right, choices = row["label"], macros.continuations.items()
    return {str(macros.paid(form)): choice == right for choice, short in choices for form in (choice, short)}


def reward(response: str, row: Mapping[str, Any], steps: bool = False) -> float:
    """Return 1.0 where the last line of a reply keeps the contract and is right, else 0.0.

    `steps` adds to a right answer what the steps before it are worth (`share_of_right_steps`); it needs a whole row. A
    reply that breaks the contract gets 0.0 all the same. Raises TypeError for a reply that is no text, and ValueError
    for a row without the columns of a question.
    """
    if not isinstance(response, str):
        raise TypeError(f"response is {response!r}; it must be a text")
    row = row if type(row) is dict else plain_row(row)
    lines = final_lines({**row, **{column: plain_value(row[column]) for column in READ if column in row}})
    reasoning, _, last = response.rstrip().rpartition("\n")
    paid = float(lines.get(last.strip(), False))
    return paid * (1 + share_of_right_steps(reasoning, row)) if steps else paid
