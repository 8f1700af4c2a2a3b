"""The command `explorer`: it writes a static page that shows the test rows of builds."""

from pathlib import Path

from ..explorer.site import NAME, write_site
from .folders import build_in, builds
from .options import command, datasets, out, processes


@command("explorer")
@datasets
@out
@processes
def run(dataset: str | None, out: Path, processes: int) -> None:
    """Write the page beside the builds, and say how large it is and what opens it."""
    folder = out / NAME
    written = write_site(folder, list(builds(dataset, out)), processes)
    files = build_in(out, NAME).files
    size = sum(facts["bytes"] for facts in files.values())
    done = "written" if written else "up to date, nothing to do"
    print(f"{NAME}: {len(files)} files of {size:,} bytes in all, {done}; open {folder / 'index.html'}")
