"""What a .gitignore in a repository keeps out of a commit: the Hub leaves such files out and reports no error."""

import re
from collections.abc import Iterable

GIT_IGNORE = ".gitignore"

WILDCARDS = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
"""What Git's wildcards mean, as regular expressions."""


def ignoring_lines(contents: str, paths: Iterable[str]) -> dict[str, str]:
    """Return the line of a .gitignore that ignores each path, by path. Paths that none ignores are left out.

    contents: the text of the file. paths: relative to its folder. The last line that matches decides, and one with `!`
    takes a path in again (gitignore(5), "Pattern format").
    """
    lines = [line.strip() for line in contents.splitlines() if line.strip() and not line.startswith("#")]
    patterns = [(line, _compile(line.removeprefix("!"))) for line in lines]
    ignored = {}
    for path in paths:
        matching = [line for line, pattern in patterns if pattern.fullmatch(path)]
        if matching and not matching[-1].startswith("!"):
            ignored[path] = matching[-1]
    return ignored


def _compile(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of the files that a pattern matches, by itself or by a folder they lie in."""
    body = pattern.rstrip("/")
    parts = re.split(r"(\*\*/|/\*\*|\*\*|\*|\?|\[[^\]]+\])", body.removeprefix("/"))
    text = "".join(WILDCARDS.get(part) or (part if part.startswith("[") else re.escape(part)) for part in parts)
    anywhere = "" if "/" in body else "(?:.*/)?"  # a slash in front or in the middle ties it to the folder
    inside = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    return re.compile(anywhere + text.replace("[!", "[^") + inside)


def describe_ignored(ignored: dict[str, str]) -> str:
    """Say which line of a .gitignore keeps out which files. ignored: the line, by the path of a file."""
    by_line: dict[str, list[str]] = {}
    for path, line in ignored.items():
        by_line.setdefault(line, []).append(path)
    return " and ".join(f"{line!r} keeps out {shortened(paths)}" for line, paths in by_line.items())


def shortened(paths: list[str], most: int = 3) -> str:
    """Name the first few paths, and how many more there are."""
    more = f" and {len(paths) - most} more" if len(paths) > most else ""
    return ", ".join(paths[:most]) + more
