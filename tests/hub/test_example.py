"""Run the commands that docs/how_to/publish.md shows, and compare what they print with what it shows."""

import re

from fake_hub import WRITE
from support import ROOT

PAGE = (ROOT / "docs" / "how_to" / "publish.md").read_text(encoding="utf-8")


def comparable(text: str, hub: str, folder: str) -> list[str]:
    """Return the lines about the Hub, with placeholders for what differs by Hub, folder, build and commit.

    The page writes … for numbers that change with the rows.
    """
    lines = [line for line in text.splitlines() if line.startswith(("me/hi_tom", "published: ", "load_dataset("))]
    text = "\n".join([*lines, ""]).replace(hub, "HUB").replace(f" {folder}\n", " FOLDER\n")
    text = re.sub(r"\b(commit|from|at) [0-9a-f]{7}\b", r"\1 COMMIT", text)
    return re.sub(r"(?<!\S)[\d,…]+ (to add|files added|bytes)", r"N \1", text).splitlines()


def test_the_example_prints_what_the_page_shows(hub, publish, one):
    (block,) = re.findall(
        r"^```text\n(\$ PYTHONPATH=tests .venv/bin/python -m fake_hub.*?)^```", PAGE, re.MULTILINE | re.DOTALL
    )
    served, _, *commands = block.split("$ ")[1:]
    assert WRITE in served and "HF_HUB_DISABLE_XET=1" in served
    *exchange, load = commands
    for command in exchange:
        line, _, shown = command.partition("\n")
        words = dict(word.split("=") for word in line.split()[2:])
        assert line.startswith("make publish ") and words.pop("NAMESPACE") == "me" and words.pop("DATASET") == "hi_tom"
        options = {"DRY_RUN": ["--dry-run"], "TAG": ["--tag", words.get("TAG")]}
        code, printed, _ = publish(one, *(option for word in words for option in options[word]))
        assert code == 0
        assert comparable(shown, "http://127.0.0.1:8888", "hi_tom") == comparable(printed, hub.url, f"{one}/hi_tom")
    assert "load_dataset" in load and load.endswith("\n480\n")
