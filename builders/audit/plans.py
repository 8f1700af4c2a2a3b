"""What can be guessed of the questions of `plans` from what can be counted of their courses of action."""

from collections import Counter
from collections.abc import Iterable

from ..columns import Row
from ..markdown import markdown_table
from ..story.acting.plans import N_WRONG, counted, episode_of_row
from .gates import spell_gate
from .rules import Gate
from .shares import Share, Table, wilson

LETTER = "letter"
GATE = 40
"""On how many questions of a hundred the course with the most, or the fewest, of something may be right."""
GATED_QUESTIONS = 240
"""The fewest test questions that are gated."""


def plan_table(rows: Iterable[Row]) -> Table:
    """Return how often each rule is right, in one group; a rule with several answers is right in that share."""
    letters: Counter = Counter()
    right: Counter = Counter()
    for row in rows:
        episode, place = episode_of_row(row), row["answer_index"]
        letters[place] += 1
        plans = [[episode.legal[line] for line in episode.lines_of(choice)] for choice in row["choices"]]
        for name, numbers in counted(episode.game, plans, row["choices"]).items():
            for rule, best in (("most", max(numbers)), ("fewest", min(numbers))):
                right[f"{rule} {name}"] += (numbers[place] == best) / numbers.count(best)
    right[LETTER] = max(letters.values(), default=0)
    shares = {rule: Share(round(right[rule]), letters.total(), 1 / (N_WRONG + 1)) for rule in sorted(right)}
    return {"plans": shares} if letters else {}


def plan_gates(table: Table) -> dict[str, Gate]:
    """Return the gate of each rule of a table: letters must be within chance."""
    return {
        rule: (0, wilson(share.chance, share.total)[1] if rule == LETTER else GATE / 100)
        for shares in table.values()
        for rule, share in shares.items()
    }


def rendered(table: Table) -> str:
    """Return a table in Markdown: a line for each rule."""
    (shares,), gates = table.values(), plan_gates(table)
    lines = [[rule, spell_gate(gates[rule]), str(share)] for rule, share in shares.items()]
    return markdown_table(["rule", "gate", "right"], lines)
