"""What a repository's history is made of, named as Git names it: blobs, trees and commits."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Blob:
    """Hold one file of a commit."""

    data: bytes = field(repr=False)  # the bytes of the file itself
    lfs: bool  # whether Git holds only a pointer to the bytes
    sha256: str  # of the bytes
    oid: str  # Git's name of the bytes, or of the pointer

    @classmethod
    def make(cls, data: bytes, lfs: bool) -> "Blob":
        """Make the blob of some bytes."""
        sha256 = hashlib.sha256(data).hexdigest()
        return cls(data, lfs, sha256, git_oid(b"blob", pointer(sha256, len(data)) if lfs else data))

    @property
    def size(self) -> int:
        """Return the number of bytes of the file itself."""
        return len(self.data)

    @property
    def etag(self) -> str:
        """Return the name that a download gets: the SHA-256 of a large file, Git's name of any other."""
        return self.sha256 if self.lfs else self.oid


@dataclass(frozen=True, slots=True)
class Commit:
    """Hold one commit, with all files of its tree."""

    oid: str  # Git's name of the commit
    parent: str | None  # the commit before, None for the first
    title: str  # the first line of its message
    message: str  # the rest of its message
    author: str  # a user's name
    files: dict[str, Blob] = field(repr=False)  # by path
    date: datetime  # in UTC


def git_oid(kind: bytes, data: bytes) -> str:
    """Return Git's name of an object."""
    return hashlib.sha1(kind + b" %d\0" % len(data) + data).hexdigest()


def pointer(sha256: str, size: int) -> bytes:
    """Write the pointer that Git holds in place of a large file."""
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{sha256}\nsize {size}\n".encode()


def tree_oid(files: Mapping[str, Blob]) -> str:
    """Return Git's name of the tree of these files."""
    folders: dict[str, dict[str, Blob]] = {}
    entries = []
    for path, blob in files.items():
        name, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(name, {})[rest] = blob
        else:
            entries.append((name, b"100644 " + name.encode() + b"\0" + bytes.fromhex(blob.oid)))
    for name, inside in folders.items():
        entries.append((name + "/", b"40000 " + name.encode() + b"\0" + bytes.fromhex(tree_oid(inside))))
    return git_oid(b"tree", b"".join(line for _, line in sorted(entries)))
