"""One repository: its commits, branches, tags and pull requests, its discussions, and its large files."""

import fnmatch
import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

from fake_hub.answers import refusal
from fake_hub.objects import Blob, Commit, git_oid, tree_oid

KINDS = {"models": "model", "datasets": "dataset", "spaces": "space"}
"""Kinds of repositories, by their word in addresses."""

LARGE = 10 * 1024 * 1024
"""Bytes above which every file goes by the storage."""

ATTRIBUTES = "".join(
    f"{pattern} filter=lfs diff=lfs merge=lfs -text\n"
    for pattern in (
        "*.7z *.arrow *.avro *.bin *.bz2 *.ckpt *.ftz *.gz *.h5 *.joblib *.lz4 *.mds *.mlmodel *.model *.msgpack *.npy "
        "*.npz *.onnx *.ot *.parquet *.pb *.pickle *.pkl *.pt *.pth *.rar *.safetensors saved_model/**/* *.tar.* *.tar "
        "*.tflite *.tgz *.wasm *.xz *.zip *.zst *tfevents* *.pcm *.sam *.raw *.aac *.flac *.mp3 *.ogg *.wav *.bmp "
        "*.gif *.png *.tiff *.jpg *.jpeg *.webp *.mp4 *.webm"
    ).split()
).encode()
"""The .gitattributes of a new repository: files of these names go by the storage."""


@dataclass(slots=True)
class Discussion:
    """Hold one discussion or pull request."""

    num: int  # counted from 1 within the repository
    title: str  # one line
    description: str  # its first comment
    author: str  # a user's name
    is_pull_request: bool  # otherwise it has no commits
    status: str  # draft, open, closed or merged
    base: str | None  # the commit that a pull request started from
    date: datetime  # when it was opened, in UTC
    merged: str | None = None  # the commit that merged it


class Repo:
    """Hold one repository, in memory."""

    def __init__(self, kind: str, name: str, owner: str, private: bool = False, gated: str | bool = False):
        self.kind, self.name, self.private, self.gated = kind, name, private, gated
        self.branches: dict[str, str] = {}  # the commit of each branch, by name
        self.tags: dict[str, str] = {}  # the commit of each tag, by name
        self.pulls: dict[str, str] = {}  # the commit of each pull request, by refs/pr/N
        self.commits: list[Commit] = []  # of all branches, in the order they were made
        self.discussions: list[Discussion] = []
        self.lfs: dict[str, bytes] = {}  # large files that the storage holds, by SHA-256
        self.created = datetime.now(UTC)
        files = {".gitattributes": Blob.make(ATTRIBUTES, False)}
        if kind == "space":  # the Hub writes a card of its own
            files["README.md"] = Blob.make(b"---\ntitle: new\nsdk: static\n---\n", False)
        first = self.add_commit(None, "initial commit", "", owner, files)
        self.branches["main"] = first.oid

    @property
    def refs(self) -> dict[str, str]:
        """Return the commit of each branch and tag, and of each pull request as refs/pr/N."""
        return {**self.tags, **self.branches, **self.pulls}

    def head(self, ref: str = "main") -> str:
        """Return the name of the commit that a branch, tag or pull request points to."""
        return self.refs[ref]

    def files(self, ref: str = "main") -> dict[str, bytes]:
        """Return the bytes of every file at a revision, large files too, by path."""
        return {path: blob.data for path, blob in self.commit_at(ref).files.items()}

    def commit_at(self, ref: str) -> Commit:
        """Return the commit of a revision: a name or a commit's own. Raises RefusedError where there is none."""
        full = {f"refs/heads/{name}": oid for name, oid in self.branches.items()}
        full |= {f"refs/tags/{name}": oid for name, oid in self.tags.items()}
        oid = (full | self.refs).get(ref, ref)
        for commit in self.commits:
            if commit.oid == oid:
                return commit
        raise refusal(404, f"Invalid rev id: {ref}", "RevisionNotFound")

    def history(self, ref: str) -> list[Commit]:
        """Return a commit and all its ancestors, latest first."""
        commits = [self.commit_at(ref)]
        while commits[-1].parent is not None:
            commits.append(self.commit_at(commits[-1].parent))
        return commits

    def add_commit(self, parent: str | None, title: str, message: str, author: str, files: dict[str, Blob]) -> Commit:
        """Make a commit that no name points to yet. Its name depends on all commits before and on its own contents."""
        text = "\0".join([str(parent), tree_oid(files), title, message, author, str(len(self.commits))])
        commit = Commit(git_oid(b"commit", text.encode()), parent, title, message, author, files, datetime.now(UTC))
        self.commits.append(commit)
        return commit

    def set_ref(self, ref: str, oid: str) -> None:
        """Move a branch or a pull request to a commit."""
        (self.pulls if ref in self.pulls else self.branches)[ref] = oid

    def is_large(self, path: str, size: int, ref: str) -> bool:
        """Return whether a file goes by the storage, by its size or by the repository's .gitattributes."""
        attributes = self.commit_at(ref).files.get(".gitattributes")
        lines = attributes.data.decode(errors="replace").splitlines() if attributes else []
        patterns = [line.split()[0] for line in lines if "filter=lfs" in line.split()[1:]]
        name = path.rpartition("/")[2]
        return size > LARGE or any(fnmatch.fnmatch(path if "/" in pattern else name, pattern) for pattern in patterns)

    def is_ignored(self, path: str, ref: str) -> bool:
        """Return whether the .gitignore at the top names a file, by a wildcard for its name or its whole path."""
        ignoring = self.commit_at(ref).files.get(".gitignore")
        patterns = ignoring.data.decode(errors="replace").split() if ignoring else []
        return any(fnmatch.fnmatch(place, pattern) for pattern in patterns for place in (path, path.split("/")[-1]))

    def open_pull(self, title: str, description: str, author: str, status: str, base: str) -> Discussion:
        """Open a pull request that points to its base."""
        discussion = self.open_discussion(title, description, author, True, status, base)
        self.pulls[f"refs/pr/{discussion.num}"] = base
        return discussion

    def open_discussion(
        self, title: str, description: str, author: str, is_pull: bool, status: str, base: str | None = None
    ) -> Discussion:
        """Open a discussion."""
        number = len(self.discussions) + 1
        self.discussions.append(
            Discussion(number, title, description, author, is_pull, status, base, datetime.now(UTC))
        )
        return self.discussions[-1]


def key_of(kind: str, name: str) -> str:
    """Return the key of a repository in `Hub.repos`: a dataset's name alone, or another kind and its name."""
    return name if kind == "dataset" else f"{kind}s/{name}"


def repo_id(repo: Repo) -> str:
    """Return a repository's identifier, which the Hub makes up."""
    return hashlib.sha1(f"{repo.kind} {repo.name}".encode()).hexdigest()[:24]
