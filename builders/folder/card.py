"""The rendering of a card: the template, and the names and filters that it may use.

The prose stands in the template. Every number about a build comes from `Rows`, which reads the Parquet files that the
build has just written.
"""

import contextlib
import hashlib
import importlib.metadata
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from pyarrow.compute import field

from ..audit.gates import spell_gate
from ..audit.shares import Share, Table
from ..splits import Layout
from ..wording.languages import TEMPLATES, templates
from .build import ROOT, Build
from .card_examples import block_example, story_example
from .card_rows import Rows, per_cent

# What the card of a scaled build calls its folder, whatever the name of it is: the same rows, the same bytes.
FOLDER = "folder"
# The Hub's names of the powers of ten from a thousand on; between two of them lies a category of sizes.
ROUND = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B")
LANGUAGE = "en"  # the language of the cards, whatever language the rows have


def render(build: Build, layout: Layout, about: Mapping[str, Any]) -> str:
    """Return the card: the YAML that the Hub and `load_dataset` read, and prose with the numbers of this build.

    `layout` names the Parquet files of each config and split, the default config first; they stand in the folder of the
    build, whose record has their rows and sizes. `about` is what else the template is given. Raises
    jinja2.UndefinedError where the template uses a name that it is not given.
    """
    return entry(build.dataset).render(
        dataset=build.dataset,
        layout=layout,
        files=build.files,
        parquet={
            config: {split: Rows.of(build.folder / path for path in paths) for split, paths in splits.items()}
            for config, splits in layout.items()
        },
        default=next(iter(layout)),
        request=build.request,
        **about,
    )


def render_scaled(build: Build, layout: Layout, described: Mapping[str, str]) -> str:
    """Return the card of a folder that `scale` made. `described` says what each column holds."""
    template = environment().get_template("card/scaled.md.jinja")
    return template.render(build=build, layout=layout, files=build.files, folder=FOLDER, columns=described)


def project_url() -> str | None:
    """Return the project's address, from pyproject.toml or the installed package; None where neither has one."""
    file = ROOT / "pyproject.toml"
    if file.is_file():
        declared: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))["project"].get("urls", {})
        return declared.get("Repository")
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        urls = importlib.metadata.metadata("tom-datasets").get_all("Project-URL") or []
        return dict(url.split(", ", 1) for url in urls).get("Repository")
    return None


def entry(dataset: str) -> jinja2.Template:
    """Return the template of a dataset's card: `dataset_card.md`, or what it includes where that is not installed."""
    return environment().select_template(["dataset_card.md", f"card/{dataset}.md.jinja"])


def environment() -> jinja2.Environment:
    """Return what finds the templates of cards, with all that they may use."""
    return _environment(ROOT, TEMPLATES / LANGUAGE)


@cache
def _environment(*folders: Path) -> jinja2.Environment:
    """Return what finds the templates of cards in folders; it compiles each of them once for all cards."""
    environment = templates(LANGUAGE).overlay(
        loader=jinja2.FileSystemLoader(folders),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    counts = {"margin": margin, "per_cent": per_cent, "right": right, "thousands": "{:,}".format}
    environment.filters |= {"digest": digest, "gate": spell_gate, "size_category": size_category, **counts}
    environment.globals |= {"block_example": block_example, "story_example": story_example, "field": field}
    return environment


def digest(facts: Iterable[Mapping[str, Any]]) -> str:
    """Return 16 hexadecimal digits that stand for the contents of files, given what a record tells of each."""
    return hashlib.sha256("".join([of_file["sha256"] for of_file in facts]).encode()).hexdigest()[:16]


def size_category(rows: int) -> str:
    """Return the Hub's name for a number of rows."""
    place = min(len(str(rows // 1000)), len(ROUND) - 1)
    return "n<1K" if rows < 1000 else f"{ROUND[place - 1]}<n<{ROUND[place]}"


def right(share: Share) -> str:
    """Return the per cent of rows that a rule answers right."""
    return f"{100 * share.share:.1f}"


def margin(table: Table) -> str:
    """Return how far the widest 95 % interval of a table reaches to one side of its share, in per cent."""
    shares = [share for group in table.values() for share in group.values()]
    return f"{100 * max(abs(bound - share.share) for share in shares for bound in share.interval()):.1f}"
