"""Which pictures a build has, and their data; `audit.pictures` plots them."""

from pathlib import Path

from ..audit.figures import published_table
from ..audit.gates import GATES
from ..audit.search import Searched
from ..audit.shares import ALL, Share, Table
from ..audit.stories import UNDISPUTED
from ..columns import UNSCORED
from ..dataset import dataset_named
from ..files import Drawing, Drawings, written_beside
from ..folder.build import Build
from ..work import spread


def draw(build: Build, gated: Table, folder: Path, prefix: str, processes: int, found: Searched) -> dict[str, str]:
    """Draw the pictures of a build into a folder; return the file of each kind. Empty pictures are left out.

    found: the rules that a search found; none where nobody searched.
    """
    heading = f"{build.dataset}, test split, seed {build.default['seed']}"
    drawings = shared_drawings(build, gated, heading) | dataset_named(build.dataset).audit.drawings(
        build, heading, found
    )
    drawn = draw_all(drawings, folder, prefix, processes)
    return {kind: f"{folder.name}/{file.name}" for kind, file in drawn.items()}


def draw_all(drawings: Drawings, folder: Path, prefix: str, processes: int = 1) -> dict[str, Path]:
    """Draw pictures into a folder, all or none; return the file of each kind. Empty pictures are left out."""
    files = {kind: folder / f"{prefix}{kind}.png" for kind in drawings}
    with written_beside(*files.values()) as partials:
        tasks = list(zip(drawings.values(), partials, strict=True))
        drawn = list(spread(is_drawn, tasks, processes, "drawing", "picture", delay=0))
    return {kind: file for (kind, file), there in zip(files.items(), drawn, strict=True) if there}


def is_drawn(drawing: Drawing, file: Path) -> bool:
    """Draw a picture into a file; return whether there was anything to draw."""
    from ..audit import pictures  # matplotlib is slow to import, and few commands draw

    kind, *shown = drawing
    return getattr(pictures, kind)(file, *shown) is not None


def shared_drawings(build: Build, gated: Table, heading: str) -> Drawings:
    """Return the pictures that every dataset has, by their names."""
    compared = beside_published(gated, published_table(build.dataset))
    chance = next((share.chance for shares in gated.values() for share in shares.values()), None)
    most = {rule: limits[1] for rule, limits in GATES[build.dataset].items()}
    difficulties, rightness = {}, {}  # of each scored row of the gated files and of deep stories, by folder
    for file in build.tables:
        if build.is_gated(file) or file == "deep/test.parquet":
            scored = [row for row in build.rows(file, list(UNSCORED)) if row["difficulty"] is not None]
            folder = file.split("/")[0]
            difficulties[folder] = [row["difficulty"] for row in scored]
            rightness[folder] = [(row["deberta_confidence"], row["difficulty"] < 1) for row in scored]
    return {
        "shortcuts": ("shortcuts", compared, chance, most, heading),
        "difficulty": ("difficulty_histograms", difficulties, heading),
        "confidence": ("calibration", rightness, heading),
    }


def beside_published(gated: Table, published: Table) -> dict[str, dict[str, dict[str, Share | None]]]:
    """Return for each group and rule that guesses the shares, ours and published; None where there is none."""
    return {
        "all setups" if group == ALL else group: {
            rule: {"ours": share, "published": published.get(group, {}).get(rule)}
            for rule, share in shares.items()
            if rule != UNDISPUTED
        }
        for group, shares in gated.items()
    }
