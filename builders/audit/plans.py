"""What can be guessed of the questions of `plans` from what can be counted of their courses of action.

Each count is a rule, and so is each player by a wrong meaning, who takes the course that reaches most goals as he sees
it. A rule that learns sees all counts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import product

from ..columns import Row
from ..markdown import markdown_table
from ..story.acting.episode import Episode
from ..story.acting.game import ended
from ..story.acting.plans import N_WRONG, counted, episode_of_row
from ..story.acting.solve import MISTAKEN
from ..story.acting.world import PLAYER, Act
from ..syntax.events import Come, Move, Report, Tell
from .gates import spell_gate, within_chance
from .learners import boosted_trees, most_like_right_ones
from .rules import Gate
from .shares import Share, Table

LETTER, GOALS = "letter", "most goals"
# Rules that learn, by name. They have no gate: courses that players by a wrong meaning plan differ in many small ways.
LEARNT = {"learnt from all counts": most_like_right_ones, "learnt by boosted trees": boosted_trees}
SIGNS = ("most", 1), ("fewest", -1)  # rules about a count, and what they take the greatest of: it, or its negative
GATE = 40  # on how many questions of a hundred the course with the most, or the fewest, of something may be right
GATES = {f"{GOALS}, {name}": 60 for name in MISTAKEN}  # that gate where it is another
# What the gates hold for, and the fewest rows, with what these are.
HELD = "every rule that does not learn", 240, "test questions"


def signs(episode: Episode, plans: list[list[Act]]) -> dict[str, list[int]]:
    """Return how far each course has what readers took for a sign of the right one, besides counts."""
    start = episode.game.start
    was_there = start.inside >> PLAYER & 1 or PLAYER in start.gone
    moves = [any(isinstance(act, Move) for act in plan) for plan in plans]

    def claims_too_early(plan: list[Act]) -> bool:
        """Return whether the player makes a claim before he has been in the room."""
        first = next((act for act in plan if isinstance(act, Come | Tell | Report)), None)
        return not was_there and isinstance(first, Tell | Report)

    return {
        "no claim before being there": [not claims_too_early(plan) for plan in plans],
        "alone in moving": [own and moves.count(True) == 1 for own in moves],
        "odd one out": [-sum(len({*plan} & {*other}) for other in plans) for plan in plans],
    }


def measured(tested: Iterable[Row], _: Iterable[Row] = ()) -> Table:
    """Return how often each rule is right, in one group; a rule with several answers is right in that share.

    The rules LEARNT learn from the other half of the rows, as there are no lessons.
    """
    right: dict[str, float] = defaultdict(float)
    seen = []
    for row in tested:
        episode, place = episode_of_row(row), row["answer_index"]
        plans = [*map(episode.plan_of, row["choices"])]
        counts = [*counted(episode, plans)]
        seen.append(([[*count.values()] for count in counts], place))
        numbers = {f"{rule} {name}": [sign * of[name] for of in counts] for name in counts[0] for rule, sign in SIGNS}
        numbers |= signs(episode, plans)
        for name, mistaken in MISTAKEN.items():
            game = mistaken(episode.game)
            numbers[f"{GOALS}, {name}"] = [game.met(ended(game, plan)) for plan in plans]
        for rule, own in numbers.items():
            right[rule] += (own[place] == max(own)) / own.count(max(own))
    right[LETTER] = max(Counter(place for _, place in seen).values(), default=0)
    for (rule, learn), (half, other) in product(LEARNT.items(), ((0, 1), (1, 0))):
        guesses = learn(seen[half::2], [counts for counts, _ in seen[other::2]])
        right[rule] += sum(guess == place for guess, (_, place) in zip(guesses, seen[other::2], strict=True))
    shares = {rule: Share(round(right[rule]), len(seen), 1 / (N_WRONG + 1)) for rule in sorted(right)}
    return {"plans": shares} if seen else {}


def gate_of(_: str, rule: str, share: Share) -> Gate | None:
    """Return the gate of a rule, None where it is only shown; letters must be within chance."""
    if rule in LEARNT:
        return None
    return within_chance(share) if rule == LETTER else (0, GATES.get(rule, GATE) / 100)


def rendered(table: Table) -> str:
    """Return a table in Markdown: a line for each rule."""
    ((group, shares),) = table.items()
    lines = []
    for rule, share in shares.items():
        gate = gate_of(group, rule, share)
        lines.append([rule, spell_gate(gate) if gate else "", str(share)])
    return markdown_table(["rule", "gate", "right"], lines)
