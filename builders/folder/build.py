"""What a built folder is: its record, its Parquet rows, and whether it may be replaced or deleted.

The record, `build.json`, holds the arguments of the build, a checksum of its sources, and a checksum of every file. A
build with the same arguments finds by it that nothing is left to do. A folder that no build made, or that somebody
changed, stays as it is.
"""

import contextlib
import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..columns import Row
from ..dataset import dataset_named
from ..errors import UserError
from ..files import data_folder
from ..splits import in_language_of, plain_name

ROOT = Path(__file__).resolve().parents[2]
RECORD = "build.json"
FIELDS = ("dataset", "generator_version", "request", "sources", "files")  # of the record, as Build has them
WHOLE = "all"  # the config that has the rows of its orders or setups again; in other languages all_fr, …
AWAY = "move it away or build elsewhere (OUT=another/folder)"


@dataclass(frozen=True, slots=True)
class Build:
    """Hold the record of one built folder, and read the folder by it."""

    folder: Path  # where it is
    dataset: str  # the name of its dataset
    version: str  # the version of the generator that made it
    request: dict[str, dict[str, Any]]  # the fields of each config that was asked for, the default config first
    sources: str  # the checksum of the code and templates that made it
    files: dict[str, dict[str, Any]]  # rows, bytes and sha256 of each file, by its path in the folder

    @classmethod
    def read(cls, folder: Path, dataset: str) -> "Build | None":
        """Read the build of a dataset from its folder; return None where no record is there, or one of another dataset.

        Raises UserError where the record is damaged: nothing tells then which files the build wrote.
        """
        file = folder / RECORD
        try:
            record = json.loads(file.read_bytes())
            build = cls(folder, *(record[name] for name in FIELDS))
            if build.dataset != dataset and isinstance(build.dataset, str):
                return None
            if wrong := build._wrong_fields():
                raise TypeError(f"its field {wrong[0]} must hold what a build writes there")
            return build
        except (FileNotFoundError, NotADirectoryError):
            return None
        except UnicodeDecodeError:
            why = "it is not UTF-8 text"
        except (ValueError, RecursionError) as error:
            why = f"it is not JSON: {error}" if file.stat().st_size else "it is empty"
        except KeyError as error:
            why = f"it has no field {error.args[0]}"
        except OSError as error:
            why = error.strerror or str(error)
        except TypeError as error:
            why = str(error) if "its field" in str(error) else "it is not a JSON object"
        raise UserError(
            f"{file} is damaged, or another program wrote it ({why}): {AWAY}, or delete {folder} and build again"
        )

    def _wrong_fields(self) -> list[str]:
        """Return the fields that have not their type; no file may lie outside the folder."""
        right = {
            "dataset": isinstance(self.dataset, str),
            "generator_version": isinstance(self.version, str),
            "request": isinstance(self.request, dict)
            and bool(self.request)
            and all(isinstance(fields, dict) for fields in self.request.values()),
            "sources": isinstance(self.sources, str),
            "files": isinstance(self.files, dict)
            and bool(self.files)
            and all(not Path(file).is_absolute() and ".." not in Path(file).parts for file in self.files)
            and all(isinstance(facts, dict) for facts in self.files.values())
            and all(isinstance(facts.get("sha256"), str) for facts in self.files.values())
            and all(isinstance(facts.get("rows"), int) for facts in self.files.values()),
        }
        return [field for field, is_right in right.items() if not is_right]

    def record(self) -> str:
        """Return the text of `build.json`."""
        values = self.dataset, self.version, self.request, self.sources, self.files
        return json.dumps(dict(zip(FIELDS, values, strict=True)), indent=2) + "\n"

    def write_record(self) -> None:
        """Write the record of all files in the folder: what `files` tells of them, and their checksums."""
        files = {}
        for file in present(self.folder):
            facts = self.files.get(file, {"rows": 0, "bytes": (self.folder / file).stat().st_size})
            files[file] = {**facts, "sha256": facts.get("sha256") or checksum(self.folder / file)}
        (self.folder / RECORD).write_text(replace(self, files=files).record(), encoding="utf-8")

    @property
    def default(self) -> dict[str, Any]:
        """Return the fields of the default config."""
        return next(iter(self.request.values()))

    @property
    def total(self) -> int:
        """Return how many rows the record counts, each once."""
        return sum(self.files[file]["rows"] for file in self._once(self.files))

    def _once(self, files: Iterable[str]) -> list[str]:
        """Return files without those that hold the rows of other files again: those of `all` do, beside its parts."""
        again = {self.repeat_of(file) for file in self.files}
        return [file for file in files if file not in again]

    def repeat_of(self, file: str) -> str | None:
        """Return the file that holds the rows of a file again, None where no other does."""
        config, _, split = file.partition("/")
        return None if config in self.request else f"{self._whole(config)}/{split}"

    @property
    def tables(self) -> list[str]:
        """Return the Parquet files in the order of the record. Raises UserError where one is missing."""
        files = [file for file in self.files if file.endswith(".parquet")]
        for file in files:
            self.check_there(file)
        return files

    def missing(self) -> list[str]:
        """Return the files of the record that are not in the folder."""
        return [file for file in self.files if not (self.folder / file).is_file()]

    def check_there(self, file: str) -> None:
        """Raise UserError where a file is not in the record, or not in the folder."""
        if file not in self.files or not (self.folder / file).is_file():
            raise UserError(f"{self.folder / file} is missing: build again")

    @property
    def distinct_tables(self) -> list[str]:
        """Return the Parquet files that together hold each row once. Raises UserError where a file is missing."""
        return self._once(self.tables)

    def config_of(self, file: str) -> dict[str, Any]:
        """Return the fields of the config that the rows of a file were built with."""
        config = file.split("/")[0]
        return self.request.get(config) or self.request[self._whole(config)]

    def _whole(self, config: str) -> str:
        """Return the config that has the rows of an order or a setup again, in its language."""
        whole = in_language_of(WHOLE, config)
        return whole if whole in self.request else next(iter(self.request))

    def is_gated(self, file: str) -> bool:
        """Return whether a file holds one order or setup of the default config's test split."""
        return self.repeat_of(file) == f"{next(iter(self.request))}/test.parquet"

    def has_enough(self, rows: int) -> bool:
        """Return whether each gated file has `rows` rows or more: with fewer, shares and pictures mean nothing."""
        sizes = [facts["rows"] for file, facts in self.files.items() if self.is_gated(file)]
        return min(sizes, default=0) >= rows

    @contextlib.contextmanager
    def opened(self, file: str) -> Iterator[pq.ParquetFile]:
        """Open a Parquet file that has the columns of the dataset.

        Raises UserError where it is missing or cannot be read, where a column is missing, unknown or of another type,
        and where the record counts other rows.
        """
        path = self.folder / file
        self.check_there(file)
        try:
            with pq.ParquetFile(path.absolute()) as table:  # a relative path such as a:b is an address to Arrow
                here = dict(zip(table.schema_arrow.names, table.schema_arrow.types, strict=True))
                right = types_of(self.dataset)
                others = [name for name in right | here if here.get(name) != right.get(name)]
                if others:
                    types = [f"{name} ({here.get(name, 'none')}, not {right.get(name, 'any')})" for name in others]
                    raise UserError(f"{path} has other columns than {self.dataset}: {', '.join(types)}; build again")
                if table.metadata.num_rows != self.files[file]["rows"]:
                    counts = f"{table.metadata.num_rows:,} rows, its {RECORD} says {self.files[file]['rows']:,}"
                    raise UserError(f"{path} has {counts}: build again")
                yield table
        except (OSError, pa.ArrowException) as error:
            raise UserError(f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}; build again") from None

    def rows(self, file: str, columns: Sequence[str] | None = None, *, group: int | None = None) -> Iterator[Row]:
        """Yield the rows of a Parquet file, or of one of its row groups; class labels are numbers.

        columns: those to read, or None for all. Raises UserError as `opened` does, and where a column is empty that
        holds something in every row.
        """
        nullable = may_be_empty(self.dataset)
        with self.opened(file) as table:
            for number in range(table.num_row_groups) if group is None else [group]:
                read = table.read_row_group(number, columns)
                for name, column in zip(read.column_names, read.columns, strict=True):
                    inner = pc.list_flatten(column) if pa.types.is_list(column.type) else column
                    if name not in nullable and (column.null_count or inner.null_count):
                        raise UserError(f"{self.folder / file}: {name} is empty in some rows: build again")
                yield from read.to_pylist()

    def is_whole(self) -> bool:
        """Return whether the folder has all files of its record.

        Raises UserError where a file was not written by this build, or was changed after it.
        """
        here = present(self.folder)
        for file in here:
            path = self.folder / file
            if file not in self.files:
                raise UserError(f"{path} was not written by the build of {self.folder}: {AWAY}")
            if checksum(path) != self.files[file]["sha256"]:
                raise UserError(f"{path} was changed after it was built: {AWAY}, or delete the folder")
        return here == sorted(self.files)


def types_of(dataset: str) -> dict[str, pa.DataType]:
    """Return the Arrow type of each column of a dataset; classes are numbers. `datasets` is slow to import."""
    types = {}
    for column in dataset_named(dataset).columns:
        value = pa.type_for_alias(column.type)
        types[column.name] = pa.list_(value) if column.is_list else value
    return types


@cache
def may_be_empty(dataset: str) -> set[str]:
    """Return the columns that hold nothing in some rows."""
    return {column.name for column in dataset_named(dataset).columns if column.nullable}


def sources() -> str:
    """Return one checksum of all code and templates that rows and cards are made from."""
    together = hashlib.sha256()
    for folder in map(data_folder, ("", "templates", "probe")):
        # Python writes compiled modules there, also while this runs.
        written = (file for file in folder.rglob("*") if "__pycache__" not in file.parts and file.is_file())
        for file in sorted(written):
            place = f"{file.relative_to(folder.parent).as_posix()}\n"
            together.update(place.encode() + hashlib.sha256(file.read_bytes()).digest())
    if (ROOT / "dataset_card.md").is_file():  # not in an installed package
        together.update((ROOT / "dataset_card.md").read_bytes())
    return together.hexdigest()


def checksum(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def present(folder: Path) -> list[str]:
    """Return the paths of all files in a folder but the record, links too, relative to it."""
    inside = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return sorted({path.relative_to(folder).as_posix() for path in inside} - {RECORD})


def claim(folder: Path, dataset: str, request: dict[str, dict[str, Any]]) -> bool:
    """Return whether a folder already holds what is requested, whole and unchanged.

    Raises UserError where a build there would lose something: the folder is not a build of this dataset, or holds a
    file that no build wrote, or one that was changed since; and as `Build.read`.
    """
    if folder.is_symlink() or folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file or a link, not a folder: {AWAY}")
    if not folder.exists() or not any(folder.iterdir()):
        return False
    build = Build.read(folder, dataset)
    if build is None:
        raise UserError(f"{folder} exists and was not made by this program (it has no {RECORD} of {dataset}): {AWAY}")
    return build.is_whole() and build.request == request and build.sources == sources()


def differing_arguments(
    there: Build, todo: Build, named: Callable[[str, str], str] = lambda config, field: field
) -> list[str]:
    """Return one phrase for each argument in which two builds differ: `config: field is A there, B here`.

    named: gives the name of a config's field, such as the option that sets it.
    An argument that all configs share is named once. Configs in other languages follow the English ones, and are not
    named. The version of the generator is no argument. Nor is the digest of a probe where the sources differ too: the
    project's own probe was trained anew.
    """
    shared = [config for config in todo.request if config in there.request]
    leading = [config for config in shared if plain_name(config) == config or plain_name(config) not in shared]
    alone = [config for config in there.request | todo.request if config not in shared]
    differences = [f"{config} is only {'there' if config in there.request else 'here'}" for config in alone]
    configs_of: dict[str, list[str]] = {}
    for config in leading:
        old, new = there.request[config], todo.request[config]
        for field in sorted((old.keys() & new.keys()) - {"version"}):
            before, now = old[field], new[field]
            if field == "scorer" and there.sources != todo.sources:
                before, now = (value and str(value).rpartition(" ")[0] for value in (before, now))
            if before != now:
                phrase = f"{named(config, field)} is {before} there, {now} here"
                configs_of.setdefault(phrase, []).append(config)
    for phrase, configs in configs_of.items():
        differences += [phrase] if configs == leading else [f"{config}: {phrase}" for config in configs]
    return differences


def remove(folder: Path, dataset: str) -> list[str]:
    """Delete the files that a build wrote and nobody changed since; return the files that are still there.

    Raises UserError, as `Build.read`, where the record is damaged: nothing is deleted then.
    """
    for partial in folder.parent.glob(f".{folder.name}.partial-*"):
        shutil.rmtree(partial, ignore_errors=True)
    build = Build.read(folder, dataset) if not folder.is_symlink() else None
    if build is None:
        return [folder.name] if folder.exists() else []
    for file in present(folder):
        path = folder / file
        if not path.is_symlink() and file in build.files and checksum(path) == build.files[file]["sha256"]:
            path.unlink()
    (folder / RECORD).unlink()
    for inner in sorted([folder, *folder.rglob("*")], reverse=True):
        with contextlib.suppress(OSError):  # it is a file or a link, or is not empty
            inner.rmdir()
    return present(folder)
