"""A built folder as it goes to the Hub: some of its files are rewritten to name the repository."""

import hashlib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import huggingface_hub
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.sha import git_hash

from ..folder.build import RECORD, Build
from .network import PublishError

CARD = "README.md"  # the path of a dataset's card

NAMING = (CARD, "eval.yaml", "croissant.json")  # the paths of files that name their repository


@dataclass(frozen=True, slots=True)
class LocalFolder:
    """Hold what a built folder was when it was checked."""

    build: Build  # its record
    files: dict[str, dict[str, Any]]  # bytes and sha256 of each file as it is published, by path
    rewritten: dict[str, bytes]  # contents of the files that are published otherwise than they lie here, by path
    sample: Collection[str] = ()  # the files whose bytes alone are read back, where reading all rows takes too long

    def differing(self, there: dict[str, RepoFile]) -> list[str]:
        """Return the paths of files that the Hub, which has `there` by path, lacks or has with other contents."""
        return [path for path in self.files if path not in there or not self._is_same(path, there[path])]

    def _is_same(self, path: str, file: RepoFile) -> bool:
        """Return whether a file of the Hub has the contents that are published."""
        if file.lfs:  # the Hub knows large files by their SHA-256, all others by Git's name of their contents
            published: str = self.files[path]["sha256"]
            return file.lfs.sha256 == published
        content = self.rewritten[path] if path in self.rewritten else (self.build.folder / path).read_bytes()
        return file.blob_id == git_hash(content)

    def additions(self, paths: Iterable[str]) -> list[huggingface_hub.CommitOperationAdd]:
        """Return what the client needs to send files. Raises PublishError where one changed since the check."""
        operations = []
        for path in paths:
            added = huggingface_hub.CommitOperationAdd(path, self.rewritten.get(path, str(self.build.folder / path)))
            if added.upload_info.sha256.hex() != self.files[path]["sha256"]:
                file = self.build.folder / path
                raise PublishError(f"{file} was changed after it was checked: nothing was sent; run the command again")
            operations.append(added)
        return operations


def read_folder(build: Build, repo: str) -> LocalFolder:
    """Return what a folder holds, given its build and the repository that it goes to, with its namespace.

    Raises UserError where the folder is not what this program wrote, to the byte.
    """
    if not build.is_whole():
        raise PublishError(f"{build.folder / build.missing()[0]} is missing: build again")
    return naming(build, build.dataset, repo)


def facts(content: bytes) -> dict[str, Any]:
    """Return the size and the checksum of a file, as a record has them."""
    return {"bytes": len(content), "sha256": sha256(content)}


def sha256(content: bytes) -> str:
    """Return the SHA-256 of a file's contents, by which the Hub knows large files."""
    return hashlib.sha256(content).hexdigest()


def naming(build: Build, local: str, repo: str) -> LocalFolder:
    """Return a folder whose files name their repository, and whose record has the checksums of these.

    Here a card's lines load the folder beside the reader, as in load_dataset("./hi_tom"). On the Hub they must name the
    repository. A repository that is not named like its dataset says its name in its titles too. A page names none.

    local: what the card calls the folder. repo: the repository, with its namespace.
    """
    name, contents, files = repo.partition("/")[2], {}, dict(build.files)
    changes = {rf'\bload_dataset\("([\w.-]+/)?{local}"': f'load_dataset("{repo}"', rf"\bNAMESPACE/{local}\b": repo}
    if local == build.dataset != name:
        changes |= {rf"(?m)^# {local}$": f"# {name}", r"(?m)^((?:pretty_)?name: .*)$": rf"\1 ({name})"}
    for path in NAMING:
        if path in files:
            text = (build.folder / path).read_bytes().decode()
            for pattern, words in changes.items():
                text = re.sub(pattern, words, text)
            contents[path] = text.encode()
            files[path] = files[path] | facts(contents[path])
    contents[RECORD] = replace(build, files=files).record().encode()
    return LocalFolder(build, files | {RECORD: facts(contents[RECORD])}, contents)
