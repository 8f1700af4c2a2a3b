"""Measure which players win the game: `.venv/bin/python tests/bench/players.py [EPISODES] [SEED]`.

For each cell as many fresh episodes are drawn, 24 of seed 1 by default. The table has the share that each player wins:
those who search all plans by a wrong meaning, the greedy one, one who acts at random and one who says the goals. The
last line has all cells from depth 2 and two acts on. Behind it stands what shortest plans are made of there, and how
often a recipe wins: come in at once, perhaps leave, and tell one agent something in the last turn.
"""

import sys
import time
from collections import Counter

from tom_datasets.markdown import markdown_table
from tom_datasets.story.acting.draw import CELLS, KINDS, kind_of, plan_by, saying
from tom_datasets.story.acting.game import wins
from tom_datasets.story.acting.solve import MISTAKEN, plans_of
from tom_datasets.story.acting.world import PLAYER, ROOM, acts_of
from tom_datasets.streaming.episodes import episode_of
from tom_datasets.streams import stream
from tom_datasets.syntax.events import Come, Exit

PLAYERS = (*MISTAKEN, "greedy", "random", "say the goal")
COME, LEAVE = Come(PLAYER, ROOM), Exit(PLAYER, ROOM)


def played_by(player, game, drawn):
    """Return what a player does."""
    if player == "say the goal":
        return saying(game)
    if player == "random":
        acts = acts_of(game.n_agents, game.n_containers)
        return [acts[drawn.below(len(acts))] for _ in range(game.turns)]
    return plan_by(player, game, drawn)


def by_recipe(game):
    """Yield the plans that come in at once, perhaps leave, and tell one agent something in the last turn."""
    for act in acts_of(game.n_agents, game.n_containers):
        if len(getattr(act, "hearers", ())) == 1:
            for leaving in range(game.turns - 1):  # 0 is not to leave
                yield [COME, *(LEAVE if turn == leaving else None for turn in range(1, game.turns - 1)), act]


def main(n_episodes=24, seed=1):
    won, kinds, recipes, lines = {}, Counter(), [], []
    begun = time.process_time()
    drawn = {cell: [episode_of(cell, seed, index).game for index in range(n_episodes)] for cell in CELLS}
    taken = time.process_time() - begun
    for cell, games in drawn.items():
        acting = stream("players", seed, *cell)
        won[cell] = {player: [wins(game, played_by(player, game, acting)) for game in games] for player in PLAYERS}
        if min(cell) > 1:
            kinds.update(kind_of(act) for game in games for act in plans_of(game).drawn(acting) if act)
            recipes += [[wins(game, plan) for plan in by_recipe(game)] for game in games]
    named = {(str(depth), str(acts)): [(acts, depth)] for acts, depth in CELLS}
    named["2, 3", "2 to 4"] = [cell for cell in CELLS if min(cell) > 1]
    for name, cells in named.items():
        shares = [sum((won[cell][player] for cell in cells), []) for player in PLAYERS]
        lines.append([*name, str(len(shares[0])), *(f"{100 * sum(of_all) / len(of_all):.0f}" for of_all in shares)])
    print(markdown_table(["depth", "acts", "episodes", *(f"{player}, %" for player in PLAYERS)], lines))
    print(f"\nacts: {', '.join(f'{100 * kinds[kind] / kinds.total():.0f} % {kind}' for kind in KINDS)}")
    found, share = sum(map(any, recipes)), sum(sum(of_game) / max(1, len(of_game)) for of_game in recipes)
    print(f"recipes: some win {found} of {len(recipes)}, one drawn at random {100 * share / len(recipes):.1f} %")
    print(f"drawn in {taken / sum(map(len, drawn.values())):.2f} s an episode")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
