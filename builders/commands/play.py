"""The command `play`: a person plays an episode of the game in the terminal."""

import json
import sys
from argparse import Namespace
from pathlib import Path

from ..errors import UserError
from ..files import hold_files, text_of, write_text
from ..streaming.episodes import episodes


def run(args: Namespace) -> None:
    """Print an episode, read a line for each turn, and show at the end what everybody believes."""
    if args.index < 0:
        raise UserError(f"--index is {args.index}; it must be 0 or above")
    if args.transcript:
        earlier(args.transcript)  # before a game is played that could not be kept
    episode = episodes(args.seed, args.acts, args.depth)[args.index]
    print(f"{episode.prompt}\n")
    for turn in range(episode.game.turns):
        line = episode.solution[turn] if args.solution else asked(turn)
        while line not in episode.legal:
            print(f"{line!r} is none of the lines that you may write; it is not counted")
            line = asked(turn)
        print(f"\n{episode.step(line).observation}")
    print(f"\n{'Won' if episode.reward else 'Not won'} with {episode.acts} acts; {episode.game.acts} are enough:")
    print("\n".join(f"  {line}" for line in episode.solution) + "\nWhat they believe now:")
    for agents, container in episode.beliefs():
        print(f"  {' > '.join(agents) or '(really)'}: {container}")
    if args.transcript:
        chosen = {"seed": args.seed, "index": args.index, "acts": args.acts, "depth": args.depth}
        played = json.dumps({**chosen, "replies": episode.actions})
        write_text(args.transcript, f"{earlier(args.transcript)}\n{played}\n".lstrip())
        print(f"transcript: {args.transcript}")


def earlier(transcript: Path) -> str:
    """Return the games that a transcript has. Raises UserError where none can be added to it."""
    hold_files(transcript)
    return text_of(transcript).rstrip() if transcript.exists() else ""


def asked(turn: int) -> str:
    """Return the line that the player writes. Raises UserError where the input ends."""
    print(f"Turn {turn + 1}> ", end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        raise UserError("the input ended before the episode did; write one line for each turn")
    return line.strip()
