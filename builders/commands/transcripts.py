"""How `score` reads transcripts of the game: what was won, with how many acts too many, by depth and acts."""

import json
from collections import defaultdict
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..answers.reports import write_report
from ..audit.shares import Share
from ..builds.pictures import draw_all
from ..errors import UserError
from ..files import lines_of, text_of
from ..groups import grouped_by
from ..markdown import markdown_table
from ..story.acting.episode import Episode
from ..streaming.episodes import episodes

# What a transcript has: the arguments of `episodes`, an index, and the replies of the player.
FIELDS = {"seed", "index", "acts", "depth", "replies"}


def played(file: Path) -> Iterator[Episode]:
    """Yield the episodes of a file of transcripts, played to where each ends. Raises UserError, with the line."""
    for where, line in lines_of(file, text_of(file)):
        try:
            told = json.loads(line)
            if not isinstance(told, dict) or set(told) != FIELDS or not isinstance(told["replies"], list):
                raise ValueError(
                    f"a transcript must be an object with {', '.join(sorted(FIELDS))}, and its replies a list"
                )
            episode = episodes(told["seed"], told["acts"], told["depth"])[told["index"]]
            for reply in told["replies"]:
                episode.step(reply)
        except (UserError, ValueError, TypeError, IndexError, RecursionError) as error:
            raise UserError(f"{where}: {error}") from None
        yield episode


def score_transcripts(file: Path, written: Path | None, pictures: Path | None) -> None:
    """Print the scores of a file of transcripts; write the report and draw the picture where there are paths."""
    cells = grouped_by(lambda episode: (episode.game.depth, episode.game.acts), played(file))
    if not cells:
        raise UserError(f"{file} has no transcripts; write one with `tom-datasets play --transcript FILE`")
    report = [{"depth": depth, "acts": acts, **scores_of(cells[depth, acts])} for depth, acts in sorted(cells)]
    table = markdown_table([*report[0]], [[f"{value:.3g}" for value in scores.values()] for scores in report])
    printed = [f"{file}: episodes by depth and least number of acts\n\n{table}"]
    printed += write_report(written, report)
    if pictures:
        won: dict[str, dict[str, Share]] = defaultdict(dict)
        for scores in sorted(report, key=itemgetter("acts")):
            won[f"depth {scores['depth']}"][str(scores["acts"])] = Share(scores["won"], scores["episodes"], 0)
        shown = "curves", {"episodes won": won}, "least number of acts", "won", "Acting on minds"
        printed.append(f"\ndrawn: {draw_all({'score': shown}, pictures, 'acting_')['score']}")
    print("\n".join(printed))


def scores_of(ended: list[Episode]) -> dict[str, Any]:
    """Return the figures of some episodes."""
    won = [episode for episode in ended if episode.reward]
    goals = sum(len(episode.game.goals) for episode in ended)
    return {
        "episodes": len(ended),
        "won": len(won),
        "won, %": 100 * len(won) / len(ended),
        "goals reached, %": 100 * sum(episode.game.met(episode.world) for episode in ended if episode.done) / goals,
        "acts above the least, where won": sum(episode.acts - episode.game.acts for episode in won) / max(1, len(won)),
        "lines that did nothing": sum(episode.illegal for episode in ended),
    }
