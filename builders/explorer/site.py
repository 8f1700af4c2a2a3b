"""The folder of the explorer: the files of the page, the data of each config, a card and a record.

Pages that are opened from disk may load scripts, and nothing else. So each data file is a script with one call. It
hands the page a key, and JSON that gzip packed and base64 spells.
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .. import GENERATOR_VERSION
from ..builds.requests import layout
from ..errors import UserError
from ..files import data_folder, folder_written_beside
from ..folder.build import Build, claim, sources
from ..story.config import PLANS
from ..topics import topic
from ..wording.languages import templates
from ..work import spread
from .plans import plan_records
from .problems import block_records
from .shortcuts import shortcut_record
from .stories import story_records

NAME = "explorer"  # the name of the folder, and of what its record says it holds

PAGE = data_folder("page")

SPLIT = "test"  # the split that the page shows


def write_site(folder: Path, built: list[Build], processes: int) -> bool:
    """Write the explorer of some builds; return whether it was written, as it may be there already.

    Raises FolderError where the folder holds what this program did not write, or what was changed since.
    """
    request = request_of(built)
    if claim(folder, NAME, request):
        return False
    with folder_written_beside(folder) as partial:
        files = page_files() | data_files(built, processes)
        files["README.md"] = templates("en").get_template("explorer.md.jinja").render(builds=built).encode()
        for path, content in files.items():
            (partial / path).parent.mkdir(exist_ok=True)
            (partial / path).write_bytes(content)
        Build(partial, NAME, GENERATOR_VERSION, request, sources(), {}).recorded(partial)
    return True


def site_of(folder: Path, built: list[Build]) -> Build:
    """Return the record of the page of some builds. Raises UserError where there is none, or one of other rows."""
    site = Build.read(folder, NAME)
    if site is None or any(site.request.get(name) != facts for name, facts in request_of(built).items()):
        raise UserError(f"{folder} holds no page of these builds: run make explorer first")
    return site


def request_of(built: Iterable[Build]) -> dict[str, dict[str, Any]]:
    """Return what an explorer is made of, as its record says it: each build's seed and rows, and the page itself."""
    request = {
        build.dataset: {
            "seed": build.default["seed"],
            "rows": hashlib.sha256(json.dumps(build.files, sort_keys=True).encode()).hexdigest(),
        }
        for build in built
    }
    together = hashlib.sha256()
    for path, content in sorted(page_files().items()):
        together.update(f"{path}\n".encode() + hashlib.sha256(content).digest())
    return {**request, "page": {"sha256": together.hexdigest()}}


def page_files() -> dict[str, bytes]:
    """Return the files of the page as they lie in the project, by name."""
    return {path.name: path.read_bytes() for path in sorted(PAGE.iterdir()) if path.is_file()}


def data_files(built: list[Build], processes: int) -> dict[str, bytes]:
    """Return the data of the page, by path: an index, the shortcuts, and a file for each config."""
    tasks = [(build, config, files) for build in built for config, files in tested(build)]
    contents = {}
    index = {build.dataset: {"seed": build.default["seed"], "version": build.version, "configs": []} for build in built}
    packing = spread(config_data, tasks, processes, "packing the explorer", "config", delay=0)
    for (build, config, _), (content, facts) in zip(tasks, packing, strict=True):
        if facts["rows"]:
            contents[f"data/{build.dataset}-{config}.js"] = content
            index[build.dataset]["configs"].append({"name": config, **facts, "bytes": len(content)})
    shown = [build for build in built if index[build.dataset]["configs"]]
    if not shown:
        folders = " and ".join(str(build.folder) for build in built)
        raise UserError(f"{folders} {'have' if built[1:] else 'has'} no test rows to show: build without --test 0")
    shortcuts = {build.dataset: shortcut_record(build, processes) for build in shown}
    contents["data/audit.js"] = packed("audit", shortcuts)
    index = {build.dataset: index[build.dataset] for build in shown}
    contents["data/index.js"] = f"explorer.index = {compact(index)};\n".encode()
    return contents


def tested(build: Build) -> list[tuple[str, list[str]]]:
    """Return each config that was asked for with the files of its test split, where it has one."""
    files = layout(build)
    return [(config, files[config][SPLIT]) for config in build.request if SPLIT in files[config]]


def config_data(build: Build, config: str, files: list[str]) -> tuple[bytes, dict[str, Any]]:
    """Return the data file of a config, and what the index says of it."""
    rows = [row for file in files for row in build.rows(file)]
    fields = build.request[config]
    if config == PLANS.name:
        records = list(plan_records(rows, fields["language"]))
    elif topic(build.dataset, "config").TEXT == "story":
        records = list(story_records(rows, fields["semantics"], fields["language"]))
    else:
        records = list(block_records(rows, fields["language"]))
    scored = sum(row["deberta_pred"] is not None for row in rows)
    return packed(f"{build.dataset}/{config}", records), {"rows": len(rows), "texts": len(records), "scored": scored}


def packed(key: str, data: Any) -> bytes:
    """Return a script that hands data to the page; the same data give the same bytes."""
    content = base64.b64encode(gzip.compress(compact(data).encode(), 9, mtime=0)).decode()
    return f'explorer.receive("{key}", "{content}");\n'.encode()


def compact(data: Any) -> str:
    """Return data as JSON without spaces."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
