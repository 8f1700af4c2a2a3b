"""The command `play`: a person plays an episode of the game in the terminal."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from ..errors import UserError
from ..files import hold_files, text_of, write_text
from ..story.acting.episode import Episode
from ..story.acting.interview import AFTER, ANSWER, BEFORE, Interview
from ..story.acting.partial.episode import TRUTHS, WORST, PartialEpisode
from ..streaming.episodes import VIEWS, episodes
from .options import command, seed
from .values import INTEGER, PATH


@command("play")
@seed("default: 0", default=0)
@click.option("--index", type=INTEGER, default=0, help="which episode of the seed (default: 0)")
@click.option("--acts", type=INTEGER, help="only episodes that need this many acts, 1 to 4 (full view)")
@click.option("--depth", type=INTEGER, help="only episodes of this depth, 1 to 3")
@click.option(
    "--view",
    type=click.Choice(VIEWS),
    default="full",
    help="partial: you perceive only a part of what happens, and can ask (default: full)",
)
@click.option("--alternatives", type=INTEGER, help="only episodes with this many alternatives (partial view)")
@click.option(
    "--truth",
    type=click.Choice(TRUTHS),
    default=WORST,
    help="worst: what happened is settled as badly for you as can be (default); fixed: beforehand (partial view)",
)
@click.option(
    "--solution",
    is_flag=True,
    help="print a shortest solution and what it leads to, instead of asking for lines",
)
@click.option("--beliefs", is_flag=True, help="ask what some believe too, before the first line and after the last")
@click.option(
    "--transcript",
    type=PATH,
    metavar="JSONL",
    help="the file to add the game to, for score --transcripts",
)
def run(
    seed: int,
    index: int,
    acts: int | None,
    depth: int | None,
    view: str,
    alternatives: int | None,
    truth: str,
    solution: bool,
    beliefs: bool,
    transcript: Path | None,
) -> None:
    """Print an episode, read a line for each turn, and show at the end what everybody believes."""
    if index < 0:
        raise UserError(f"--index is {index}; it must be 0 or above")
    if transcript:
        earlier(transcript)  # before a game is played that could not be kept
    chosen: dict[str, Any] = {"seed": seed, "acts": acts, "depth": depth}
    if view != "full" or alternatives is not None or truth != WORST:
        chosen |= {"view": view, "alternatives": alternatives, "truth": truth}
    episode: Episode | PartialEpisode = episodes(**chosen)[index]
    interview = Interview(episode) if beliefs else None
    playing = interview or episode
    print(f"{playing.prompt}\n")
    due = "turn and each question" if interview else "turn"
    while not playing.done:
        if interview and interview.asking:
            answer = interview.belief.answer if solution else typed("Answer> ", due).removeprefix(ANSWER)
            line = f"{ANSWER}{answer}"
        else:
            turn = len(episode.actions)
            line = solution_line(episode, turn) if solution else typed(f"Turn {turn + 1}> ", due)
            while line not in episode.legal:
                print(f"{line!r} is not one of the lines that you may write; it is not counted")
                line = typed(f"Turn {turn + 1}> ", due)
        print(f"\n{playing.step(line).observation}")
    won = "Won" if episode.reward else "Not won"
    if isinstance(episode, Episode):
        print(f"\n{won} with {episode.acts} acts; {episode.game.acts} are enough:")
        print("\n".join(f"  {line}" for line in episode.solution))
    else:
        print(f"\n{won} with {episode.acts} lines, {episode.questions} of them questions")
    if interview:
        right = [*interview.right[BEFORE], *interview.right[AFTER]]
        print(f"Questions about beliefs: {sum(right)} of {len(right)} right")
    print("What they believe now:")
    for agents, container in episode.beliefs():
        print(f"  {' > '.join(agents) or '(really)'}: {container}")
    if transcript:
        answers = {"answers": interview.replies} if interview else {}
        played = json.dumps({**chosen, "index": index, "replies": episode.actions, **answers})
        write_text(transcript, f"{earlier(transcript)}\n{played}\n".lstrip())
        print(f"transcript: {transcript}")


def solution_line(episode: Episode | PartialEpisode, turn: int) -> str:
    """Return what a solution does in a turn, as long as nothing else was done before."""
    line = episode.solution[turn] if isinstance(episode, Episode) else episode.best
    return line or episode.say(None)


def earlier(transcript: Path) -> str:
    """Return the games that a transcript has. Raises UserError where none can be added to it."""
    hold_files(transcript)
    return text_of(transcript).rstrip() if transcript.exists() else ""


def typed(cue: str, due: str) -> str:
    """Return the line that the player writes after a cue. Raises UserError where the input ends.

    due: for what lines are due, in words.
    """
    print(cue, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise UserError(f"the input ended before the episode did; write one line for each {due}")
    return line.strip()
