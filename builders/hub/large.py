"""How a scaled folder is published: as a build is, but no more than a sample of its tables is read back.

The storage keeps what arrived without a commit, and tells the client so: the same command again sends what is not
there.
"""

import sys
from dataclasses import replace

from huggingface_hub.utils.tqdm import enable_progress_bars

from ..folder.build import Build
from ..folder.card import FOLDER
from .client import Hub
from .local import naming
from .publication import Options, Publication
from .repository import Repository

SAMPLE = 3  # tables that are read back: the first, the last, and those between at equal distances


def publish(hub: Hub, build: Build, repo: str, private: bool) -> None:
    """Send what is not there in one commit, and prove that it arrived: the Hub says the checksums of all files.

    private: whether a new repository is made private. Raises PublishError where the Hub refuses, where something would
    be lost, where the proof fails, and where the time limit is reached.
    """
    tables, local = build.tables, naming(build, FOLDER, repo)
    step = max(1, (len(tables) - 1) // (SAMPLE - 1))
    sample = list(dict.fromkeys([*local.rewritten, *tables[::step][: SAMPLE - 1], tables[-1]]))
    options = Options(repo.split("/")[0], private=private, public=True)
    publication = Publication(Repository(hub, repo), replace(local, sample=sample), options)
    publication.prepare()
    if sys.stderr.isatty():
        enable_progress_bars()  # this may take hours
    commit = publication.carry_out()
    print(f"published: {publication.there.page} at {commit[:7]}")
