"""How a folder larger than one commit is published: its files in several commits, made visible by the last one.

While files arrive, a repository without a card would load what is there so far. So the first commit puts a card there
whose only config names no file. The last commit brings the folder's own card, which names exactly its files, and the
record. A repository is the folder's own, so a file there that the folder has otherwise is never overwritten.
"""

import json
from dataclasses import dataclass, field

import huggingface_hub
import pyarrow as pa
import pyarrow.parquet as pq

from ..folder.build import RECORD, Build
from ..folder.card import FOLDER, render_arriving
from . import xet
from .client import Hub, RepositoryState
from .network import PublishError, TimeLimitError, describe, root_cause, status_of
from .plan import CARD, Digest, rewrite

FILES_PER_COMMIT = 50
"""The Hub advises 50 to 100 files a commit."""

BYTES_PER_COMMIT = 5 * 10**9
"""A commit also ends with the file that reaches so many bytes: a fault costs no more than that to send again."""

SAMPLE = 3
"""So many tables are read back whole: the first, the last, and those between at equal distances."""

OWN = {".gitattributes", CARD, RECORD}
"""Files of a repository that are not the folder's tables."""


@dataclass(slots=True)
class Parts:
    """Publish one folder in parts; run again, it goes on from the files that are there."""

    hub: Hub  # the Hub, with its token and time limit
    build: Build  # the folder with its record
    repo: str  # the repository, with its namespace
    private: bool  # whether a new repository is made private
    state: RepositoryState | None = field(init=False, default=None)  # what the repository was when last asked

    def publish(self) -> None:
        """Send what is not there, in several commits, then the card and the record; prove that all arrived.

        Raises PublishError where the Hub refuses, where the repository holds something else, where the proof fails, and
        where the time limit is reached.
        """
        try:
            self.send_and_prove()
        except TimeLimitError:
            raise PublishError(
                f"the time limit of {self.hub.seconds:.0f} s is reached: run the command again, it goes on from there"
            ) from None

    def send_and_prove(self) -> None:
        """Send what is not there, and prove that all arrived."""
        self.open_repository()
        self.check_there()
        last = rewrite(self.build, FOLDER, self.repo)
        self.send_tables()
        if not self.is_there(last):
            self.commit(last, "The card and the record: all files are there")
        head = self.state.head
        self.read_back(head, last)
        print(f"published: {self.hub.endpoint}/datasets/{self.repo} at {head[:7]}")

    def open_repository(self) -> None:
        """Find the repository, or make it, and read its state."""
        self.look()
        if self.state is None:
            arguments = dict(repo_type="dataset", private=self.private)
            self.hub.create(
                f"{self.repo}, creating it",
                lambda: self.hub.api.create_repo(self.repo, **arguments),
                lambda _: self.look(),
            )
            print(f"{self.repo}: created, {'private' if self.state.private else 'public'}")
        if self.private and not self.state.private:
            raise PublishError(f"{self.repo} exists, and is public: name another repository with --out")

    def look(self) -> RepositoryState | None:
        """Ask for the repository's state; keep it, and return it."""
        self.state = self.hub.state(self.repo, "main")
        return self.state

    def check_there(self) -> None:
        """Raise PublishError where the repository has files that are not this folder's, or other contents for them."""
        foreign = [path for path in self.state.files if path not in OWN and path not in self.build.tables]
        foreign += [path for path in self.build.tables if path in self.state.files and not self.matches(path)]
        if RECORD in self.state.files:
            there = self.hub.contents(self.repo, self.state.head, RECORD)
            foreign += [] if json.loads(there).get("request") == self.build.request else [RECORD]
        elif CARD in self.state.files and not Digest.make(closed_card()).matches(self.state.files[CARD]):
            foreign.append(CARD)
        if foreign:
            raise PublishError(
                f"{self.repo} has {foreign[0]} that is not of this folder (and {len(foreign) - 1} other such files): "
                "name another repository, or delete them there"
            )

    def matches(self, path: str) -> bool:
        """Return whether the repository has a table as it is here, by the checksum of the record."""
        file = self.state.files.get(path)
        if file is None:
            return False
        if file.lfs:
            return file.lfs.sha256 == self.build.files[path]["sha256"]
        return Digest.make((self.build.folder / path).read_bytes()).matches(file)

    def is_there(self, contents: dict[str, bytes]) -> bool:
        """Return whether the repository has these contents, by path."""
        files = self.state.files
        return all(path in files and Digest.make(data).matches(files[path]) for path, data in contents.items())

    def send_tables(self) -> None:
        """Send the tables that are not there, some in each commit."""
        if CARD not in self.state.files:
            self.commit({CARD: closed_card()}, "A card that loads nothing while the files arrive")
        missing = [path for path in self.build.tables if not self.matches(path)]
        parts = list(portions(missing, self.build))
        for number, part in enumerate(parts, 1):
            self.commit(dict.fromkeys(part), f"Tables, part {number} of {len(parts)}")
            print(f"{self.repo}: part {number} of {len(parts)}: {len(part)} files at {self.state.head[:7]}")

    def commit(self, contents: dict[str, bytes | None], title: str) -> None:
        """Commit files, given as bytes or as None for those of the folder. Read the new state.

        A commit whose answer was lost is found by its files, and is not made again.
        """

        def arrived() -> bool:
            tables = [path for path, data in contents.items() if data is None]
            others = {path: data for path, data in contents.items() if data is not None}
            return all(map(self.matches, tables)) and self.is_there(others)

        def attempt() -> None:
            try:
                self.post(contents, title)
            except Exception as raised:
                error, before = root_cause(raised), self.state.head
                self.look()
                if arrived():
                    return
                if status_of(error) == 412 or self.state.head != before:
                    raise PublishError(
                        f"{self.repo}: somebody else committed meanwhile: run the command again to go on from there"
                    ) from None
                raise
            self.look()
            if not arrived():
                raise ConnectionError("the Hub reported no error, but does not list the files")

        self.hub.retry(f"{self.repo}, {title.lower()}", attempt)

    def post(self, contents: dict[str, bytes | None], title: str) -> None:
        """Send one commit on the head that was read: by Xet where that works, otherwise by LFS."""
        operations = [
            huggingface_hub.CommitOperationAdd(path, str(self.build.folder / path) if data is None else data)
            for path, data in contents.items()
        ]
        where = dict(repo_type="dataset", parent_commit=self.state.head)
        try:
            with xet.failing_soon():
                self.hub.api.create_commit(self.repo, operations, commit_message=title, **where)
        except Exception as error:
            if xet.is_switched_off() or not xet.has_failed(error):
                raise
            print(f"{self.repo}: Xet failed ({describe(error)}); sending by LFS")
            xet.switch_off()
            self.post(contents, title)

    def read_back(self, commit: str, last: dict[str, bytes]) -> None:
        """Compare a commit with the record: every file by its checksum, and SAMPLE tables row group by row group.

        Raises PublishError for the first file that differs.
        """
        tables = self.build.tables
        wrong = [path for path in tables if not self.matches(path)]
        wrong += [path for path, data in last.items() if self.hub.contents(self.repo, commit, path) != data]
        step = max(1, (len(tables) - 1) // (SAMPLE - 1))
        sample = list(dict.fromkeys([*tables[::step][: SAMPLE - 1], tables[-1]]))
        for path in sample:
            content = self.hub.contents(self.repo, commit, path)
            facts = self.build.files[path]
            if Digest.make(content).sha256 != facts["sha256"] or rows_of(content) != facts["rows"]:
                wrong.append(path)
        if wrong:
            raise PublishError(f"{self.repo} at {commit[:7]} reads back otherwise than here: {wrong[0]}")
        proof = f"{len(tables)} tables as the record says, {len(sample)} of them read back whole from {commit[:7]}"
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


def rows_of(content: bytes) -> int | None:
    """Return how many rows a Parquet file has that can be read whole, else None."""
    try:
        # Without threads: one of Arrow's that is still there when Python exits ends the process by a signal.
        with pq.ParquetFile(pa.BufferReader(content)) as table:
            return sum(table.read_row_group(group, use_threads=False).num_rows for group in range(table.num_row_groups))
    except pa.ArrowException:
        return None
