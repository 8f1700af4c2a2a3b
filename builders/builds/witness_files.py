"""The files of witnesses: one for each dataset comes with the project, and each build leaves one beside its folder.

A file is Parquet with three columns of text: the section (what the draws of a config depend on), the name of
what was searched, and what was found, as JSON. Its metadata says by which generator and which code that was found, and
has the SHA-256 of all rows. What another generator or other code found is not used: it might find something else.
"""

import ast
import contextlib
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .. import GENERATOR_VERSION
from ..configs import FamilyConfig
from ..files import data_folder, written_beside
from ..witness import Kept, UnfitError, Witnesses

ABOUT = b"tom_datasets"  # the name of the metadata
COLUMNS = ("section", "name", "found")
# What a search depends on, in the package. `plans` counts the characters of its courses of action, in English.
SEARCHING = ("groups.py", "logic", "story", "streams.py", "syntax", "wording")
WORDS = ("acting.jinja", "first_names.json", "hi_tom.jinja", "hi_tom.json")
# The fields of nodes that say nothing of what code does: where values go, types, how a text was written.
IDLE = ("ctx", "annotation", "returns", "type_comment", "type_params", "kind")

# What reading a file raises that is damaged, or no witness.
DAMAGES = (OSError, ValueError, LookupError, TypeError, AttributeError, pa.ArrowException)

Sections = dict[str, dict[str, str]]  # by section what was found, as JSON, by the name of what was searched


def keep(path: Path, found: Witnesses, known: Witnesses) -> None:
    """Write what was found where it is news; else leave no file that cannot be used. A full disk fails nothing."""
    with contextlib.suppress(OSError):
        if found.news(known):
            write(path, found.found)
        elif path.is_file():
            try:
                read(path)
            except DAMAGES:
                path.unlink()


def own_file(dataset: str) -> Path:
    """Return the file that comes with the project."""
    return data_folder("builds") / f"witness_{dataset}.parquet"


def file_beside(folder: Path) -> Path:
    """Return the file that a build of a folder leaves beside it."""
    return folder.with_name(f".{folder.name}.witness.parquet")


def witnesses_of(configs: Iterable[FamilyConfig], files: Iterable[Path]) -> Witnesses:
    """Return what files know of what some configs need, of blocks the longer split; say which is not used, and why."""
    sections = {config.section for config in configs}
    known: Sections = {}
    for path in files:
        if not path.exists():
            continue
        try:
            for section, found in read(path).items():
                if section in sections:
                    before = known.setdefault(section, {})
                    before.update({name: text for name, text in found.items() if len(text) > len(before.get(name, ""))})
        except DAMAGES as error:
            why = str(error).splitlines()[0] if isinstance(error, UnfitError) else f"it is damaged ({error})"
            print(f"{path} is not used, so that more is searched: {why}", file=sys.stderr)
    return Witnesses(known)


def write(path: Path, sections: Mapping[str, Kept]) -> int:
    """Write what was found; return how many bytes the file has. The same bytes for the same findings."""
    rows = [(section, name, found) for section in sorted(sections) for name, found in sorted(sections[section].items())]
    about = {"generator_version": GENERATOR_VERSION, "code": code(), "files": files_digest(), "sha256": digest(rows)}
    schema = pa.schema([(name, pa.string()) for name in COLUMNS], metadata={ABOUT: json.dumps(about)})
    columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)] or [pa.array([], pa.string())] * 3
    with written_beside(path) as (partial,):
        table = pa.Table.from_arrays(columns, schema=schema)
        whole = {"compression": "zstd", "compression_level": 22, "data_page_size": 1 << 26}  # each column is one page
        pq.write_table(table, partial, **whole, use_dictionary=["section"])
    return path.stat().st_size


def read(path: Path) -> Sections:
    """Return what a file has; nobody may change it. Raises UnfitError, with what is wrong, where it does not fit."""
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int) -> Sections:
    table = pq.read_table(path.absolute())
    about = json.loads(table.schema.metadata[ABOUT])
    if about["generator_version"] != GENERATOR_VERSION:
        raise UnfitError(f"generator {about['generator_version']} wrote it; expected {GENERATOR_VERSION}")
    if about["files"] != files_digest() and about["code"] != code():
        raise UnfitError("other code wrote it; expected this one")
    rows = list(zip(*(table.column(name).to_pylist() for name in COLUMNS), strict=True))
    if digest(rows) != about["sha256"]:
        raise UnfitError("its rows have another checksum than expected: it is damaged")
    sections: Sections = {}
    for section, name, found in rows:
        sections.setdefault(section, {})[name] = found
    return sections


def digest(rows: Iterable[tuple[str, ...]]) -> str:
    """Return the SHA-256 of rows of text."""
    return hashlib.sha256("\n".join(map("\t".join, rows)).encode()).hexdigest()


@cache
def files_digest() -> str:
    """Return the SHA-256 of the files that searches depend on."""
    return hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in searching())).hexdigest()


@cache
def code() -> str:
    """Return the SHA-256 of what searches depend on: of code but comments, docstrings, types and layout.

    It is the same in every Python that runs the package.
    """
    together = hashlib.sha256()
    for file in searching():
        content = file.read_bytes()
        together.update(repr(plain(ast.parse(content))).encode() if file.suffix == ".py" else content)
    return together.hexdigest()


def searching() -> Iterator[Path]:
    """Yield the files that searches depend on, in an order that is always the same."""
    for place in SEARCHING:
        path = data_folder("") / place
        files = [path] if path.is_file() else path.rglob("*")
        kept = (file for file in files if "__pycache__" not in file.parts and file.suffix != ".so")
        yield from sorted(file for file in kept if file.is_file())
    yield from (data_folder("templates") / "en" / name for name in WORDS)


def plain(node: Any) -> Any:
    """Return a node of a syntax tree, or what it holds, as lists and texts, without what is IDLE, and docstrings."""
    if isinstance(node, list):
        return [plain(one) for one in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = {name: value for name, value in ast.iter_fields(node) if name not in IDLE and value not in (None, [])}
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
        fields["body"] = node.body[1:]
    return [type(node).__name__, *[(name, plain(value)) for name, value in fields.items()]]
