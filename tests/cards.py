"""What the tests of cards share: the small builds that they read, and how a card is taken apart."""

import re

import pyarrow.parquet as pq
import yaml
from support import sized

from tom_datasets.hi_tom import builder as hi_tom
from tom_datasets.mindgames import builder as mindgames

NAMES = ("hi_tom", "mindgames")
MODULES = {"hi_tom": hi_tom, "mindgames": mindgames}
BUILDERS = {"hi_tom": hi_tom.HiTom, "mindgames": mindgames.MindGames}
SMALL = {
    "hi_tom": sized(
        "hi_tom",
        train=6,
        validation=3,
        test=12,
        tomh=27,
        reproduction=6,
        ladder=6,
        plans=2,
        deep_train=2,
        deep_validation=1,
        deep=3,
        woven_train=4,
        woven_validation=2,
        woven=4,
        abilities_train=2,
        abilities_validation=2,
        abilities=6,
    ),
    "mindgames": sized(
        "mindgames",
        train=6,
        validation=3,
        test=6,
        scale=1,
        reproduction=4,
        ladder=2,
        deep_train=1,
        deep=3,
        rounds_train=1,
        rounds=2,
    ),
}
WAYS = {
    "with all": (),
    "without audit and probe": ("--probe", "none"),
    "train only": ("--validation", 0, "--test", 0),
}
"""The options of the small builds. Only the first has rows enough for an audit, by a patch of the limit."""


def read_card(folder):
    """Return the text of a folder's card."""
    return (folder / "README.md").read_text(encoding="utf-8")


def front_matter(text):
    """Return the YAML that opens a card, and the prose below."""
    opening, matter, prose = text.split("---\n", 2)
    assert opening == ""
    return yaml.safe_load(matter), prose


def layout_of(text):
    """Return the Parquet files of each config and split, as the card's YAML names them."""
    return {
        config["config_name"]: {entry["split"]: entry["path"] for entry in config["data_files"]}
        for config in front_matter(text)[0]["configs"]
    }


def section(text, title):
    """Return the text under a heading."""
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)[1]


def tables(text):
    """Return each Markdown table as (header, rows), with cells stripped."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in block.strip().split("\n")]
        found.append((cells[0], cells[2:]))
        assert all(re.fullmatch("-+:?", cell) for cell in cells[1])
    return found


def rows_of(folder, file):
    """Return the rows of a Parquet file."""
    return pq.read_table(folder / file).to_pylist()


def share(rows, is_counted):
    """Return in per cent, as cards write it, for how many rows a condition holds."""
    return f"{100 * sum(map(is_counted, rows)) / len(rows):.1f}"
