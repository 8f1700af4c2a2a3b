"""Own the card of a built folder: its YAML, and what `dataset_card.md` can ask of the Parquet and of worked examples.

The prose is in the template. Every number that it says of a build comes from `Rows`, which reads the Parquet files that
were just written.
"""

import re
import textwrap
from pathlib import Path
from typing import Any

import datasets
import jinja2
import yaml
from datasets.info import DatasetInfosDict

from builders.folder.card_examples import block_example, claims_example
from builders.folder.card_rows import Rows, per_cent

ROOT = Path(__file__).resolve().parents[2]


TEMPLATE = "dataset_card.md"


SIZE_CATEGORIES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"),
    (10**9, "100M<n<1B"),
    (float("inf"), "1B<n<10B"),
)
"""The Hub's names for how many rows there are."""


def type_of(feature: Any) -> str:
    """Return how the card names the type of a column."""
    match feature:
        case datasets.ClassLabel(names=names):
            return f"class label: {', '.join(names)}"
        case datasets.Value(dtype=dtype):
            return dtype
        case _:
            return f"list of {type_of(feature.feature)}"


def columns(builder: type) -> dict[str, str]:
    """Return what each column holds, as the builder's docstring describes it."""
    described = textwrap.dedent((builder.__doc__ or "").partition("Columns:\n")[2])
    lines = re.sub(r"\n +", " ", described.strip()).splitlines()
    return {name: text.strip() for name, text in (line.split(":", 1) for line in lines)}


def render(
    folder: Path,
    dataset: str,
    request: dict,
    features: datasets.Features,
    layout: dict[str, dict[str, list[str]]],
    files: dict[str, dict],
    metadata: dict,
    about: dict,
) -> str:
    """Return the card: the YAML that the Hub and `load_dataset` read, and prose with the numbers of this build.

    `folder` holds the Parquet files of `layout`, whose rows and sizes `files` has; `metadata` opens the YAML; `about`
    is what else the template is given. Raises jinja2.UndefinedError for a name that the template does not have.
    """
    default = next(iter(layout))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ROOT),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"per_cent": per_cent, "type_of": type_of, "thousands": "{:,}".format}
    environment.globals |= {"claims_example": claims_example, "block_example": block_example}
    metadata = metadata | {
        "size_categories": [size_category(sum(facts["rows"] for facts in files.values()))],
        "configs": [
            {
                "config_name": config,
                **({"default": True} if config == default else {}),
                "data_files": [{"split": split, "path": paths} for split, paths in splits.items()],
            }
            for config, splits in layout.items()
        ],
    }
    DatasetInfosDict(infos(dataset, features, layout, files)).to_dataset_card_data(metadata)
    return environment.get_template(TEMPLATE).render(
        dataset=dataset,
        metadata=yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True).rstrip(),
        parquet={
            config: {split: Rows(folder / path for path in paths) for split, paths in splits.items()}
            for config, splits in layout.items()
        },
        default=default,
        features=features,
        request=request,
        **about,
    )


def size_category(rows: int) -> str:
    """Return the Hub's name for so many rows."""
    return next(name for most, name in SIZE_CATEGORIES if rows < most)


def infos(
    dataset: str, features: datasets.Features, layout: dict[str, dict[str, list[str]]], files: dict[str, dict]
) -> dict[str, datasets.DatasetInfo]:
    """Return what `datasets` is told of each config: its features, and the size of its splits."""
    found = {}
    for config, splits in layout.items():
        counted = {
            split: datasets.SplitInfo(
                split,
                num_bytes=sum(files[file]["memory"] for file in paths),
                num_examples=sum(files[file]["rows"] for file in paths),
                dataset_name=dataset,
            )
            for split, paths in splits.items()
        }
        found[config] = datasets.DatasetInfo(
            features=features,
            splits=datasets.SplitDict(counted),
            download_size=sum(files[file]["bytes"] for paths in splits.values() for file in paths),
            dataset_size=sum(split.num_bytes for split in counted.values()),
        )
    return found
