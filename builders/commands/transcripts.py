"""How `score` reads transcripts of the game: what was won, and what of the minds was known, by depth and acts."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import comb
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from ..answers.reports import write_report
from ..audit.shares import Share
from ..builds.pictures import draw_all
from ..errors import UserError
from ..files import lines_of, text_of
from ..groups import grouped_by
from ..markdown import markdown_table
from ..story.acting.episode import Episode
from ..story.acting.game import ended
from ..story.acting.interview import AFTER, BEFORE, Interview
from ..story.acting.partial.episode import PartialEpisode
from ..story.acting.world import World
from ..streaming.episodes import episodes

# What a transcript has: the arguments of `episodes`, an index, and the replies of the player; with a partial view
# PARTIAL_FIELDS too. Where questions about beliefs were asked, it has `answers`: the replies to those before the first
# line and after the last.
FIELDS = ("acts", "depth", "index", "replies", "seed")
PARTIAL_FIELDS = ("alternatives", "truth", "view")
ANSWERS = "answers"
KINDS = ("true", "false")  # of beliefs that goals ask for


class Played(NamedTuple):
    """Hold an episode played to where its transcript ends."""

    episode: Episode | PartialEpisode
    drawn: tuple[Any, ...]  # the arguments that give the episode: it is played again where they are the same
    right: tuple[bool, ...]  # which answers to questions about beliefs are right, if any were asked

    @property
    def won(self) -> bool:
        """Return whether all goals were reached."""
        return self.episode.reward > 0


def replayed(told: Any) -> Played:
    """Return what a transcript says was played. Raises ValueError for no transcript, and as `Episode.step` does."""
    fields = {*told} - {ANSWERS} if isinstance(told, dict) else set()
    if fields not in ({*FIELDS}, {*FIELDS, *PARTIAL_FIELDS}) or not isinstance(told["replies"], list):
        raise ValueError(
            f"a transcript must be an object with {', '.join(FIELDS)}, and its replies a list; with a partial view it "
            f"has {', '.join(PARTIAL_FIELDS)} too"
        )
    asked = {name: told[name] for name in sorted(fields - {"index", "replies"})}
    episode: Episode | PartialEpisode = episodes(**asked)[told["index"]]
    drawn = (told["index"], *asked.items())
    if ANSWERS not in told:
        for reply in told["replies"]:
            episode.step(reply)
        return Played(episode, drawn, ())
    answers = told[ANSWERS]
    if (
        not isinstance(answers, dict)
        or {*answers} != {BEFORE, AFTER}
        or not all(isinstance(replies, list) for replies in answers.values())
    ):
        raise ValueError(f"{ANSWERS} is {answers!r}; it must be an object with {BEFORE} and {AFTER}, each a list")
    interview = Interview(episode)
    questions = len(interview.asked[BEFORE])
    given = {
        f"answers {BEFORE} the game": (answers[BEFORE], questions),
        "replies": (told["replies"], episode.game.turns),
        f"answers {AFTER} the game": (answers[AFTER], questions),
    }
    for what, (replies, needed) in given.items():
        if len(replies) != needed:
            raise ValueError(f"there are {len(replies)} {what}; where questions are asked, there must be {needed}")
    for replies, _ in given.values():
        for reply in replies:
            interview.step(reply)
    return Played(episode, drawn, (*interview.right[BEFORE], *interview.right[AFTER]))


def played(file: Path) -> Iterator[Played]:
    """Yield what was played by a file of transcripts. Raises UserError, with the line."""
    for where, line in lines_of(file, text_of(file)):
        try:
            yield replayed(json.loads(line))
        except (UserError, ValueError, TypeError, IndexError, RecursionError) as error:
            raise UserError(f"{where}: {error}") from None


def score_transcripts(file: Path, written: Path | None, pictures: Path | None) -> None:
    """Print the scores of a file of transcripts; write the report and draw the picture where there are paths."""
    cells = grouped_by(cell_of, played(file))
    if not cells:
        raise UserError(f"{file} has no transcripts; write one with `tom-datasets play --transcript FILE`")
    report, printed = [], []
    for view, names, said in (
        (Episode, ("depth", "acts"), "episodes by depth and least number of acts"),
        (PartialEpisode, ("alternatives", "turns", "depth"), "episodes with a partial view"),
    ):
        scored = [
            (dict(zip(names, cell, strict=True)), scores_of(some))
            for cell, some in sorted(cells.items())
            if isinstance(some[0].episode, view)
        ]
        acted = [{**cell, **{name: scores[name] for name in scores if name != "beliefs"}} for cell, scores in scored]
        known = [{**cell, **scores["beliefs"]} for cell, scores in scored if scores["beliefs"]["questions"]]
        if acted:
            printed.append(f"{file}: {said}\n\n{table_of(acted)}")
        if known:
            printed.append(f"what was known of the minds that the goals are about\n\n{table_of(known)}")
        report += [{**cell, **scores} for cell, scores in scored]
    printed = ["\n\n".join(printed), *write_report(written, report)]
    report = [scores for scores in report if "acts" in scores]  # the picture has the least number of acts as its axis
    if pictures and not report:
        raise UserError(f"{file} has no episodes with a full view, and pictures show only those; leave --pictures out")
    if pictures:
        panels: dict[str, dict[str, dict[str, Share]]] = {"episodes won": defaultdict(dict)}
        for scores in sorted(report, key=itemgetter("acts")):
            depth, acts, beliefs = f"depth {scores['depth']}", str(scores["acts"]), scores["beliefs"]
            panels["episodes won"][depth][acts] = Share(scores["won"], scores["episodes"], 0)
            if beliefs["questions"]:
                share = Share(beliefs["right"], beliefs["questions"], 0)
                panels.setdefault("beliefs right", defaultdict(dict))[depth][acts] = share
        shown = "curves", panels, "least number of acts", "share", "Acting on minds"
        printed.append(f"\ndrawn: {draw_all({'score': shown}, pictures, 'acting_')['score']}")
    print("\n".join(printed))


def cell_of(one: Played) -> tuple[int, ...]:
    """Return the size of an episode: depth and least number of acts, or alternatives, turns and depth."""
    episode = one.episode
    return tuple(episode.cell) if isinstance(episode, PartialEpisode) else (episode.game.depth, episode.game.acts)


def table_of(figures: list[dict[str, Any]]) -> str:
    """Return figures as a table, with empty cells for those that there are none of."""
    cells = [["" if value is None else f"{value:.3g}" for value in scores.values()] for scores in figures]
    return markdown_table([*figures[0]], cells)


def scores_of(all_played: list[Played]) -> dict[str, Any]:
    """Return the figures of some episodes."""
    won, games = [one for one in all_played if one.won], [one.episode for one in all_played]
    tries = by_tries(all_played)
    k = min(map(len, tries))
    return {
        "episodes": len(all_played),
        "won": len(won),
        "won, %": 100 * len(won) / len(all_played),
        "k": k,
        "pass^k, %": 100 * sum(comb(sum(each), k) / comb(len(each), k) for each in tries) / len(tries),
        "goals reached, %": percent(
            sum(holds for game in games if game.done for _, holds in game.goals()),
            sum(len(game.game.goals) for game in games),
        ),
        **acts_of(all_played),
        "lines that did nothing": sum(game.illegal for game in games),
        "beliefs": known_of(all_played),
    }


def acts_of(all_played: list[Played]) -> dict[str, Any]:
    """Return what the acts of some episodes came to; with a partial view how often the players asked instead."""
    partly = [one.episode for one in all_played if isinstance(one.episode, PartialEpisode)]
    if partly:
        return {"questions of an episode": sum(game.questions for game in partly) / len(partly)}
    won = [one.episode for one in all_played if one.won and isinstance(one.episode, Episode)]
    over = [(one.episode, one.drawn) for one in all_played if isinstance(one.episode, Episode) and one.episode.done]
    reached = goals_reached(over)
    return {
        **{f"of {kind} beliefs, %": percent(*reached[kind]) for kind in KINDS},
        "acts above the least, where won": sum(game.acts - game.game.acts for game in won) / max(1, len(won)),
    }


def percent(part: float, whole: float) -> float | None:
    """Return a share in per cent, None of nothing."""
    return 100 * part / whole if whole else None


def by_tries(all_played: Iterable[Played]) -> list[list[bool]]:
    """Return for each episode whether it was won, once for each time it was played."""
    return [[one.won for one in tries] for tries in grouped_by(lambda one: one.drawn, all_played).values()]


def goals_reached(all_played: Iterable[tuple[Episode, tuple[Any, ...]]]) -> dict[str, tuple[int, int]]:
    """Return how many goals of true and of false beliefs were reached, and how many there are, in ended episodes.

    Each episode comes with what it was drawn by. A belief is true if the first agent of its chain is right about the
    rest, at the end of a shortest solution.
    """
    counts = {kind: (0, 0) for kind in KINDS}
    ends: dict[tuple[Any, ...], World] = {}  # of an episode that is tried again, its solution is searched once
    for episode, drawn in all_played:
        game = episode.game
        if drawn not in ends:
            ends[drawn] = ended(game, [episode.legal[line] for line in episode.solution])
        best = ends[drawn]
        for goal in game.goals:
            right = best.believed(goal.chain) == best.believed(goal.chain[1:])
            reached, total = counts[KINDS[not right]]
            counts[KINDS[not right]] = reached + goal.met(episode.world), total + 1
    return counts


def known_of(all_played: Iterable[Played]) -> dict[str, Any]:
    """Return how acting goes with knowing, in episodes where questions about beliefs were asked."""
    asked = [one for one in all_played if one.right]
    knowing, others = [one for one in asked if all(one.right)], [one for one in asked if not all(one.right)]
    lost = [one for one in asked if not one.won]
    right, questions = sum(sum(one.right) for one in asked), sum(len(one.right) for one in asked)
    return {
        "episodes asked": len(asked),
        "questions": questions,
        "right": right,
        "right, %": percent(right, questions),
        "all right": len(knowing),
        "won where all right, %": percent(sum(one.won for one in knowing), len(knowing)),
        "won where not, %": percent(sum(one.won for one in others), len(others)),
        "right where lost, %": percent(sum(sum(one.right) for one in lost), sum(len(one.right) for one in lost)),
    }
