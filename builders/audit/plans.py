"""What can be guessed of the questions of `plans` from what can be counted of their courses of action.

Each count is a rule, and a rule that learns sees all of them.
"""

from collections import Counter
from collections.abc import Iterable

from ..columns import Row
from ..markdown import markdown_table
from ..story.acting.plans import N_WRONG, counted, episode_of_row
from .gates import spell_gate
from .learners import most_like_right_ones
from .rules import Gate
from .shares import Share, Table, wilson

LETTER, LEARNT = "letter", "learnt from all counts"
GATE = 40  # on how many questions of a hundred the course with the most, or the fewest, of something may be right
GATES = {LEARNT: 50}  # that gate where it is another
GATED_QUESTIONS = 240  # the fewest test questions that are gated


def plan_table(rows: Iterable[Row]) -> Table:
    """Return how often each rule is right, in one group; a rule with several answers is right in that share."""
    right: Counter = Counter()
    seen = []
    for row in rows:
        episode, place = episode_of_row(row), row["answer_index"]
        counts = [*counted(episode, [*map(episode.plan_of, row["choices"])])]
        seen.append(([[*count.values()] for count in counts], place))
        for name in counts[0]:
            numbers = [count[name] for count in counts]
            for rule, best in (("most", max(numbers)), ("fewest", min(numbers))):
                right[f"{rule} {name}"] += (numbers[place] == best) / numbers.count(best)
    right[LETTER] = max(Counter(place for _, place in seen).values(), default=0)
    for half, other in ((0, 1), (1, 0)):
        guesses = most_like_right_ones(seen[half::2], [counts for counts, _ in seen[other::2]])
        right[LEARNT] += sum(guess == place for guess, (_, place) in zip(guesses, seen[other::2], strict=True))
    shares = {rule: Share(round(right[rule]), len(seen), 1 / (N_WRONG + 1)) for rule in sorted(right)}
    return {"plans": shares} if seen else {}


def plan_gates(table: Table) -> dict[str, Gate]:
    """Return the gate of each rule of a table: letters must be within chance."""
    return {
        rule: (0, wilson(share.chance, share.total)[1] if rule == LETTER else GATES.get(rule, GATE) / 100)
        for shares in table.values()
        for rule, share in shares.items()
    }


def rendered(table: Table) -> str:
    """Return a table in Markdown: a line for each rule."""
    (shares,), gates = table.values(), plan_gates(table)
    lines = [[rule, spell_gate(gates[rule]), str(share)] for rule, share in shares.items()]
    return markdown_table(["rule", "gate", "right"], lines)
