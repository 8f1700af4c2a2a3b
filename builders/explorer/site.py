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
from ..errors import UserError
from ..files import data_folder
from ..folder.build import Build, claim, sources
from ..folder.writing import written
from ..logic.config import ROUNDS
from ..splits import ENGLISH, WORLDS, language_tag, named_in, plain_name, split_file, world_of
from ..story.config import PLANS
from ..wording.languages import templates
from ..work import spread
from .plans import plan_records
from .problems import block_records
from .puzzles import puzzle_records
from .shortcuts import shortcut_record
from .stories import story_records

NAME = "explorer"  # the name of the folder, and of what its record says it holds

PAGE = data_folder("page")

SPLIT = "test"  # the split that the page shows
MOST_LINES = 100  # of a story that the page also shows as other worlds tell it

# What makes the records of rows, given the fields of their config: by dataset, and for configs that have their own.
RECORDS = {"hi_tom": story_records, "mindgames": block_records}
OWN_RECORDS = {("hi_tom", PLANS.name): plan_records, ("mindgames", ROUNDS.name): puzzle_records}


def write_site(folder: Path, built: list[Build], processes: int) -> bool:
    """Write the explorer of some builds; return whether it was written, as it may be there already.

    Raises UserError where the folder holds what this program did not write, or what was changed since.
    """
    request = request_of(built)
    if claim(folder, NAME, request):
        return False
    with written(Build(folder, NAME, GENERATOR_VERSION, request, sources(), {})) as site:
        files = page_files() | data_files(built, processes)
        files["README.md"] = templates("en").get_template("explorer.md.jinja").render(builds=built).encode()
        for path, content in files.items():
            (site.folder / path).parent.mkdir(exist_ok=True)
            (site.folder / path).write_bytes(content)
    return True


def site_of(folder: Path, built: list[Build]) -> Build:
    """Return the record of the page of some builds. Raises UserError where there is none, or one of other rows."""
    site = Build.read(folder, NAME)
    if site is None or any(site.request.get(name) != facts for name, facts in request_of(built).items()):
        raise UserError(f"{folder} holds no page of these builds: run make explorer first")
    return site


def request_of(built: Iterable[Build]) -> dict[str, dict[str, Any]]:
    """Return what an explorer is made of, as its record says it: each build's seed and rows, and the page itself."""
    request = {build.dataset: {"seed": build.default["seed"], "rows": digest(build.files)} for build in built}
    page = {name: hashlib.sha256(content).hexdigest() for name, content in page_files().items()}
    return {**request, "page": {"sha256": digest(page)}}


def digest(facts: Any) -> str:
    """Return the SHA-256 of facts as JSON, whatever their order."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def page_files() -> dict[str, bytes]:
    """Return the files of the page as they lie in the project, by name."""
    return {path.name: path.read_bytes() for path in sorted(PAGE.iterdir()) if path.is_file()}


def data_files(built: list[Build], processes: int) -> dict[str, bytes]:
    """Return the data of the page, by path: an index, the shortcuts, and a file for each config."""
    tasks = [
        (build, name)
        for build in built
        for name, fields in build.request.items()
        if split_file(name, SPLIT) in build.files and (not world_of(fields["language"]) or name == [*build.request][0])
    ]
    if not tasks:
        folders = " and ".join(str(build.folder) for build in built)
        raise UserError(f"{folders} {'have' if built[1:] else 'has'} no test rows to show: build without --test 0")
    contents: dict[str, bytes] = {}
    index: dict[str, dict[str, Any]] = {}
    packing = spread(config_data, tasks, processes, "packing the explorer", "config", delay=0)
    for (build, config), (content, facts) in zip(tasks, packing, strict=True):
        contents[f"data/{build.dataset}-{config}.js"] = content
        own = index.setdefault(build.dataset, {"seed": build.default["seed"], "version": build.version, "configs": []})
        own["configs"].append({"name": config, **facts, "bytes": len(content)})
    shortcuts = {build.dataset: shortcut_record(build, processes) for build in built if build.dataset in index}
    contents["data/audit.js"] = packed("audit", shortcuts)
    contents["data/index.js"] = f"explorer.index = {compact(index)};\n".encode()
    return contents


def config_data(build: Build, config: str) -> tuple[bytes, dict[str, Any]]:
    """Return the data file of a config, and what the index says of it."""
    rows, fields = list(build.rows(split_file(config, SPLIT))), build.request[config]
    make = OWN_RECORDS.get((build.dataset, plain_name(config)), RECORDS[build.dataset])
    elsewhere = told_in_worlds(build, config)
    records = [record | {"told": elsewhere.get(record["id"], {})} for record in make(rows, fields)]
    scored = sum(row["deberta_pred"] is not None for row in rows)
    return packed(f"{build.dataset}/{config}", records), {"rows": len(rows), "texts": len(records), "scored": scored}


def told_in_worlds(build: Build, config: str) -> dict[str, dict[str, list[str]]]:
    """Return by story or block, and by world, its lines or premises as the config of that world tells them.

    A config that is itself told in another world or language has none, and stories of more than MOST_LINES have none.
    """
    told: dict[str, dict[str, list[str]]] = {}
    for world in WORLDS if build.request[config]["language"] == ENGLISH else ():
        file = split_file(named_in(config, language_tag(world)), SPLIT)
        for row in build.rows(file) if file in build.files else ():
            if "story" in row:
                lines = [line.partition(" ")[2] for line in row["story"].split("\n")]
                if len(lines) <= MOST_LINES:
                    told.setdefault(row["story_id"], {})[world] = lines
            else:
                premises = told.setdefault(row["block"] or str(row["index"]), {}).setdefault(world, [])
                premises += [row["premise"]] if row["premise"] not in premises else []
    return told


def packed(key: str, data: Any) -> bytes:
    """Return a script that hands data to the page; the same data give the same bytes."""
    content = base64.b64encode(gzip.compress(compact(data).encode(), 9, mtime=0)).decode()
    return f'explorer.receive("{key}", "{content}");\n'.encode()


def compact(data: Any) -> str:
    """Return data as JSON without spaces."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
