"""How a scaled folder is published: in one commit, which makes all visible at once.

The storage keeps what arrived without a commit, and tells the client so: the same command again sends what is not
there. A repository is the folder's own: no file that differs there is ever overwritten.
"""

import sys

import huggingface_hub

from ..folder.build import RECORD, Build
from ..folder.card import FOLDER
from .client import Hub
from .local import CARD, LocalFolder, naming
from .network import PublishError
from .read_back import read_files
from .repository import Repository

SAMPLE = 3  # tables that are read back whole: the first, the last, and those between at equal distances


def publish(hub: Hub, build: Build, repo: str, private: bool) -> None:
    """Send what is not there in one commit, and prove that all arrived.

    private: whether a new repository is made private. Raises PublishError where the Hub refuses, where the repository
    holds something else, where the proof fails, and where the time limit is reached.
    """
    there, local = Repository(hub, repo), naming(build, FOLDER, repo)
    if not there.look():
        there.make(private)
    if private and not there.private:
        raise PublishError("public_folder", there=there)
    check_there(there, local)
    commit = there.head
    if missing := local.differing(there.files):
        print(f"{repo}: sending {len(missing)} files", flush=True)
        if sys.stderr.isatty():
            huggingface_hub.utils.enable_progress_bars()  # this may take hours
        title = f"{build.total:,} rows of {build.dataset} {build.version}"
        commit = there.commit(local, missing, "main", commit_message=title).oid
    read_back(there, local, commit)
    print(f"published: {there.page} at {commit[:7]}")


def check_there(there: Repository, local: LocalFolder) -> None:
    """Raise PublishError where a repository has files that are not a folder's, or other contents for them.

    Card and record of the same rows may differ: another version may word them otherwise.
    """
    held = there.held_build(local.build.dataset)
    ours = {CARD, RECORD} if held and held.request == local.build.request else set()
    same = local.files.keys() - set(local.differing(there.files))
    if foreign := [path for path in there.files if path not in {".gitattributes", *ours, *same}]:
        raise PublishError("foreign", there=there, file=foreign[0], others=len(foreign) - 1)


def read_back(there: Repository, local: LocalFolder, commit: str) -> None:
    """Compare SAMPLE tables of a commit with the record byte by byte; the Hub says the checksums of the others.

    Raises PublishError where one differs.
    """
    tables = local.build.tables
    step = max(1, (len(tables) - 1) // (SAMPLE - 1))
    sample = list(dict.fromkeys([*tables[::step][: SAMPLE - 1], tables[-1]]))
    read_files(there, commit, local, [*local.rewritten, *sample])
    proof = f"{len(tables)} tables as the record says, {len(sample)} of them read back whole from {commit[:7]}"
    print(f"{there.name}: {proof}")
