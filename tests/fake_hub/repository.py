"""One repository: its commits, branches, tags, pull requests and large files, named as Git names them."""

import fnmatch
import hashlib
from dataclasses import dataclass, field

LARGE = 10 * 1024 * 1024  # bytes above which every file goes by the storage

ATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n*.png filter=lfs diff=lfs merge=lfs -text\n"
"""The .gitattributes of a new repository, shortened: files of these names go by the storage."""

INITIAL = {
    "dataset": {".gitattributes": ATTRIBUTES},
    "space": {".gitattributes": ATTRIBUTES, "README.md": b"---\ntitle: new\nsdk: static\n---\n"},
}
"""The files that the Hub itself puts into a new repository."""


class RefusedError(Exception):
    """Carry the refusal of a request: its HTTP status, a message, and the code by which clients tell the error."""

    def __init__(self, status: int, message: str, code: str | None = None):
        super().__init__(message)
        self.status, self.message, self.code = status, message, code


@dataclass(frozen=True, slots=True)
class Blob:
    """Hold one file of a commit."""

    data: bytes = field(repr=False)  # the bytes of the file itself
    lfs: bool  # whether Git holds only a pointer to the bytes

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def pointer(self) -> bytes:
        """Return what Git holds in place of a large file."""
        return f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {len(self.data)}\n".encode()

    @property
    def oid(self) -> str:
        """Return Git's name of the bytes, or of the pointer."""
        content = self.pointer if self.lfs else self.data
        return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()

    @property
    def etag(self) -> str:
        """Return the name that a download gets."""
        return self.sha256 if self.lfs else self.oid


@dataclass(frozen=True, slots=True)
class Commit:
    """Hold one commit, with all files of its tree."""

    oid: str  # its name
    parent: str | None  # the commit before, None for the first
    title: str  # the first line of its message
    author: str  # a user's name
    files: dict[str, Blob] = field(repr=False)  # by path


class Repo:
    """Hold one repository, in memory."""

    def __init__(self, kind: str, name: str, private: bool = False, gated: str | bool = False):
        self.kind, self.name, self.private, self.gated = kind, name, private, gated
        self.branches: dict[str, str] = {}  # the commit of each branch, by name
        self.tags: dict[str, str] = {}  # the commit of each tag, by name
        self.pulls: dict[str, str] = {}  # the commit of each pull request, by refs/pr/N
        self.commits: list[Commit] = []  # of all branches, in the order they were made
        self.discussions: list[dict] = []  # of all pull requests, as the Hub describes them
        self.lfs: dict[str, bytes] = {}  # large files that the storage holds, by SHA-256
        files = {path: Blob(data, False) for path, data in INITIAL[kind].items()}
        self.branches["main"] = self.add_commit(None, "initial commit", name.partition("/")[0], files)

    def head(self, ref: str = "main") -> str:
        """Return the name of the commit that a branch, tag or pull request points to."""
        return (self.tags | self.branches | self.pulls)[ref]

    def files(self, ref: str = "main") -> dict[str, bytes]:
        """Return the bytes of every file at a revision, large files too, by path."""
        return {path: blob.data for path, blob in self.commit_at(ref).files.items()}

    def commit_at(self, ref: str) -> Commit:
        """Return the commit of a revision: a name or a commit's own. Raises RefusedError where there is none."""
        oid = (self.tags | self.branches | self.pulls).get(ref, ref)
        for commit in self.commits:
            if commit.oid == oid:
                return commit
        raise RefusedError(404, f"Invalid rev id: {ref}", "RevisionNotFound")

    def history(self, ref: str) -> list[Commit]:
        """Return a commit and all its ancestors, latest first."""
        commits = [self.commit_at(ref)]
        while commits[-1].parent is not None:
            commits.append(self.commit_at(commits[-1].parent))
        return commits

    def add_commit(self, parent: str | None, title: str, author: str, files: dict[str, Blob]) -> str:
        """Make a commit that no name points to yet, and return its name."""
        names = [(path, blob.oid) for path, blob in sorted(files.items())]
        oid = hashlib.sha1(repr((parent, title, author, len(self.commits), names)).encode()).hexdigest()
        self.commits.append(Commit(oid, parent, title, author, files))
        return oid

    def set_ref(self, ref: str, oid: str) -> None:
        """Move a branch or a pull request to a commit."""
        (self.pulls if ref in self.pulls else self.branches)[ref] = oid

    def open_pull(self, title: str, author: str, oid: str) -> int:
        """Open a pull request at a commit, and return its number."""
        number = len(self.discussions) + 1
        self.pulls[f"refs/pr/{number}"] = oid
        owner, repo = {"name": author, "type": "user"}, {"name": self.name, "type": self.kind}
        shown = dict(num=number, title=title, author=owner, repo=repo, status="open", isPullRequest=True)
        self.discussions.append(shown | {"createdAt": "2026-01-01T00:00:00.000Z"})
        return number

    def is_large(self, path: str, size: int, ref: str) -> bool:
        """Return whether a file goes by the storage, by its size or by the repository's .gitattributes."""
        lines = self.files(ref).get(".gitattributes", b"").decode(errors="replace").splitlines()
        patterns = [line.split()[0] for line in lines if "filter=lfs" in line.split()[1:]]
        return size > LARGE or any(fnmatch.fnmatch(path.rpartition("/")[2], pattern) for pattern in patterns)

    def is_ignored(self, path: str, ref: str) -> bool:
        """Return whether the .gitignore at the top names a file, by a wildcard for its name or its whole path."""
        patterns = self.files(ref).get(".gitignore", b"").decode(errors="replace").split()
        return any(fnmatch.fnmatch(place, pattern) for pattern in patterns for place in (path, path.split("/")[-1]))


def key_of(kind: str, name: str) -> str:
    """Return the key of a repository in `Hub.repos`: a dataset's name alone, or another kind and its name."""
    return name if kind == "dataset" else f"{kind}s/{name}"
