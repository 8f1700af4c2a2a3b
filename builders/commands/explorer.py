"""The command `explorer`: it writes a static page that shows the test rows of builds."""

from argparse import Namespace

from ..explorer.site import NAME, write_site
from ..folder.build import Build
from .folders import builds


def run(args: Namespace) -> None:
    """Write the page beside the builds, and say how large it is and what opens it."""
    folder = args.out / NAME
    written = write_site(folder, list(builds(args)), args.processes)
    files = Build.read(folder, NAME).files
    size = sum(facts["bytes"] for facts in files.values())
    done = "written" if written else "up to date, nothing to do"
    print(f"{NAME}: {len(files)} files of {size:,} bytes in all, {done}; open {folder / 'index.html'}")
