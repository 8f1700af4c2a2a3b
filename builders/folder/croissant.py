"""The text of `croissant.json`, a folder's description for machines: Croissant 1.1 with fields of Responsible AI 1.0.

Its words stand in `templates/en/card/croissant.yaml.jinja`. The files, the configs and the columns are added here.
"""

import json
from typing import Any

import yaml

from ..dataset import dataset_named
from ..splits import ENGLISH, Layout, world_of
from .build import Build
from .card import environment

NAME = "croissant.json"  # its path in the folder
TEMPLATE = "card/croissant.yaml.jinja"
PARQUET = "application/x-parquet"  # what readers of Croissant call the format
WIDTH = 400  # characters of a line, beyond which each part of an object or a list has a line of its own

SPLITS = "splits"  # the record set that lists the splits
# What Croissant calls the splits, and the types of columns; the classes of a column are numbers in its files.
SPLIT_KINDS = {"train": "cr:TrainingSplit", "validation": "cr:ValidationSplit", "test": "cr:TestSplit"}
TYPES = {"string": "sc:Text", "bool": "sc:Boolean", "int32": "cr:Int32", "int64": "cr:Int64", "float64": "cr:Float64"}

# The terms that a document of Croissant 1.1 must declare, and the prefixes of Responsible AI and of provenance.
TERMS = (
    "arrayShape citeAs column containedIn equivalentProperty extract field fileObject fileProperty fileSet format "
    "includes isArray isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace "
    "samplingRate separator source subField transform"
)
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    **{term: f"cr:{term}" for term in TERMS.split()},
}


def describe(build: Build, layout: Layout) -> str:
    """Return the text of NAME for a folder whose Parquet files are written.

    `layout` names the files of each config and split, the default config first; its record set alone says what the
    columns mean, which all share. The document holds what is known before a folder is published: it has no date, and
    its address has the word NAMESPACE until then.
    """
    tags = [fields["language"] for fields in build.request.values()]
    facts = {
        "dataset": build.dataset,
        "version": build.version,
        "layout": layout,
        "languages": list(dict.fromkeys(ENGLISH if world_of(tag) else tag for tag in tags)),
        "worlds": list(dict.fromkeys(filter(None, map(world_of, tags)))),
    }
    words = yaml.safe_load(environment().get_template(TEMPLATE).render(facts))
    abouts, default = words.pop("configs"), next(iter(layout))
    meanings = {"split": words.pop("split")} | dataset_named(build.dataset).meanings
    records = [record_set(build, name, abouts[name], meanings if name == default else {}) for name in layout]
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"],
        **words,
        "distribution": [*file_objects(build), *(file_set(config, splits) for config, splits in layout.items())],
        "recordSet": [split_set(layout), *records],
    }
    return spread(document) + "\n"


def file_objects(build: Build) -> list[dict[str, Any]]:
    """Return each Parquet file of a folder with its path, size and checksum."""
    return [
        {
            "@type": "cr:FileObject",
            "@id": path,
            "name": path,
            "contentUrl": path,
            "contentSize": f"{facts['bytes']} B",
            "encodingFormat": PARQUET,
            "sha256": facts["sha256"],
        }
        for path, facts in build.files.items()
        if path.endswith(".parquet")
    ]


def file_set(config: str, splits: dict[str, list[str]]) -> dict[str, Any]:
    """Return the files of a config, as one source of rows."""
    paths = [path for paths in splits.values() for path in paths]
    set_of_files = {"@type": "cr:FileSet", "@id": f"{config}-files", "name": f"{config}-files"}
    return set_of_files | {"encodingFormat": PARQUET, "includes": paths}


def split_set(layout: Layout) -> dict[str, Any]:
    """Return the record set that lists the splits of all configs."""
    names = dict.fromkeys(split for splits in layout.values() for split in splits)
    fields = [(f"{SPLITS}/name", "name", "sc:Text"), (f"{SPLITS}/url", "url", "sc:URL")]
    return {
        "@type": "cr:RecordSet",
        "@id": SPLITS,
        "name": SPLITS,
        "dataType": "cr:Split",
        "key": {"@id": f"{SPLITS}/name"},
        "field": [{"@type": "cr:Field", "@id": key, "name": name, "dataType": kind} for key, name, kind in fields],
        "data": [{f"{SPLITS}/name": name, f"{SPLITS}/url": SPLIT_KINDS[name]} for name in names],
    }


def record_set(build: Build, config: str, about: str, meanings: dict[str, str]) -> dict[str, Any]:
    """Return the rows of a config: the split of each, and its columns. `meanings` says what some of them hold."""

    def field(name: str, kind: str, **source: Any) -> dict[str, Any]:
        described = {"description": meanings[name]} if name in meanings else {}
        source = {"fileSet": {"@id": f"{config}-files"}, **source}
        key = f"{config}/{name}"
        return {"@type": "cr:Field", "@id": key, "name": name, **described, "dataType": kind, "source": source}

    file_name = {"extract": {"fileProperty": "filename"}, "transform": {"regex": r"(.+)\.parquet"}}
    split = field("split", "sc:Text", **file_name) | {"references": {"field": {"@id": f"{SPLITS}/name"}}}
    columns = []
    for column in dataset_named(build.dataset).columns:
        many = {"isArray": True, "arrayShape": "-1"} if column.is_list else {}
        columns.append(field(column.name, TYPES[column.type], extract={"column": column.name}) | many)
    return {"@type": "cr:RecordSet", "@id": config, "name": config, "description": about, "field": [split, *columns]}


def spread(value: Any, margin: str = "\n") -> str:
    """Return JSON with one line for each object or list that fits into WIDTH, and more lines for others."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= WIDTH or not isinstance(value, dict | list):
        return line
    inner = f"{margin} "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {spread(part, inner)}" for key, part in value.items()]
        return f"{{{inner}{f',{inner}'.join(parts)}{margin}}}"
    return f"[{inner}{f',{inner}'.join(spread(part, inner) for part in value)}{margin}]"
