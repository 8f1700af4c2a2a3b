"""How a folder larger than one commit is published: its files in several commits, made visible by the last one.

While files arrive, a repository without a card would load what is there so far. So the first commit puts a card there
whose only config names no file. The last commit brings the folder's own card, which names exactly its files, and the
record. A repository is the folder's own, so a file there that the folder has otherwise is never overwritten.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..folder.build import RECORD, Build
from ..folder.card import FOLDER, render_arriving
from .client import Hub
from .local import CARD, LocalFolder, naming, sha256
from .network import PublishError
from .read_back import differing_files
from .repository import Repository

FILES_PER_COMMIT = 50
"""The Hub advises 50 to 100 files a commit."""

BYTES_PER_COMMIT = 5 * 10**9
"""A commit also ends with the file that reaches so many bytes: a fault costs no more than that to send again."""

SAMPLE = 3
"""Tables that are read back whole: the first, the last, and those between at equal distances."""


@dataclass(slots=True)
class Parts:
    """Publish one folder in parts; run again, it goes on from the files that are there."""

    hub: Hub  # the Hub, with its token and time limit
    build: Build  # the folder with its record
    repo: str  # the repository, with its namespace
    private: bool  # whether a new repository is made private
    there: Repository = field(init=False)  # the repository
    local: LocalFolder = field(init=False)  # the folder as it is published

    def publish(self) -> None:
        """Send what is not there, in several commits, then the card and the record; prove that all arrived.

        Raises PublishError where the Hub refuses, where the repository holds something else, where the proof fails, and
        where the time limit is reached.
        """
        self.there = there = Repository(self.hub, self.repo)
        self.local = local = naming(self.build, FOLDER, self.repo)
        if not there.look():
            there.make(self.private)
        if self.private and not there.private:
            raise PublishError(f"{self.repo} exists, and is public: name another repository with --out")
        closed = replace(local, rewritten={CARD: closed_card()}, files={CARD: {"sha256": sha256(closed_card())}})
        self.check_there(closed)
        if CARD not in there.files:
            self.commit(closed, "A card that loads nothing while the files arrive")
        missing = local.differing(there.files)
        parts = portions([path for path in self.build.tables if path in missing], self.build)
        for number, paths in enumerate(parts, 1):
            self.commit(self.only(paths), f"Tables, part {number} of {len(parts)}")
            print(f"{self.repo}: part {number} of {len(parts)}: {len(paths)} files at {there.head[:7]}")
        if rest := local.differing(there.files):
            self.commit(self.only(rest), "The card and the record: all files are there")
        self.read_back()
        print(f"published: {there.page} at {there.head[:7]}")

    def only(self, paths: Iterable[str]) -> LocalFolder:
        """Return these files of the folder alone."""
        return replace(self.local, files={path: self.local.files[path] for path in paths})

    def check_there(self, closed: LocalFolder) -> None:
        """Raise PublishError where the repository has files that are not this folder's, or other contents for them.

        closed: the card of a repository whose files are not all there, which is this folder's too.
        """
        there, tables = self.there, self.build.tables
        foreign = [path for path in there.files if path not in {".gitattributes", CARD, RECORD, *tables}]
        foreign += [path for path in self.local.differing(there.files) if path in tables and path in there.files]
        if RECORD in there.files:
            foreign += [] if json.loads(there.contents(RECORD)).get("request") == self.build.request else [RECORD]
        elif CARD in there.files and closed.differing(there.files):
            foreign.append(CARD)
        if foreign:
            raise PublishError(
                f"{self.repo} has {foreign[0]} that is not of this folder (and {len(foreign) - 1} other such files): "
                "name another repository, or delete them there"
            )

    def commit(self, part: LocalFolder, title: str) -> None:
        """Commit a part of the folder, and look at the repository again.

        The client's own `upload_large_folder` takes no parent: it would overwrite what somebody else commits meanwhile.
        """
        task = f"{self.repo}, {title.lower()}"
        commit = self.there.commit(
            task,
            lambda: part.additions(part.files),
            lambda _: self.there.made_since("main", lambda files: not part.differing(files)),
            commit_message=title,
        )
        self.there.check_arrival(commit, part, "main")
        self.there.look()

    def read_back(self) -> None:
        """Compare the head with the record: every file by its checksum there, and SAMPLE tables byte by byte.

        Raises PublishError for the first file that differs.
        """
        head, tables = self.there.head, self.build.tables
        step = max(1, (len(tables) - 1) // (SAMPLE - 1))
        sample = list(dict.fromkeys([*tables[::step][: SAMPLE - 1], tables[-1]]))
        wrong = self.local.differing(self.there.files)
        wrong += differing_files(self.there, head, self.only([*self.local.rewritten, *sample]))
        if wrong:
            raise PublishError(f"{self.repo} at {head[:7]} reads back otherwise than here: {wrong[0]}")
        proof = f"{len(tables)} tables as the record says, {len(sample)} of them read back whole from {head[:7]}"
        print(f"{self.repo}: {proof}")


def closed_card() -> bytes:
    """Return the card of a repository whose files are not all there: no row loads by it."""
    return render_arriving().encode()


def portions(paths: list[str], build: Build) -> list[list[str]]:
    """Share files out to commits, in their order."""
    parts: list[list[str]] = []
    size = 0
    for path in paths:
        if not parts or len(parts[-1]) == FILES_PER_COMMIT or size >= BYTES_PER_COMMIT:
            parts.append([])
            size = 0
        parts[-1].append(path)
        size += build.files[path]["bytes"]
    return parts
