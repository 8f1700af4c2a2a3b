"""The YAML that opens a card: what the Hub and `load_dataset` read about configs, files, columns and sizes."""

import datasets
import yaml
from datasets.info import DatasetInfosDict

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
"""The Hub's names for numbers of rows, each with the bound that it stays below."""


class Line(dict):
    """Hold a mapping that the YAML says on one line."""


class Dumper(yaml.SafeDumper):
    """Write YAML for a card."""


Dumper.add_representer(Line, lambda dumper, line: dumper.represent_mapping("tag:yaml.org,2002:map", line, True))


def front_matter(dataset: str, layout: dict[str, dict[str, list[str]]], files: dict[str, dict]) -> str:
    """Return the YAML of a card that follows from its Parquet files, without fences.

    `layout` names the Parquet files of each config and split, the default config first. `files` holds each file's
    rows and bytes in memory.
    """
    matter = {
        "size_categories": [size_category(sum(facts["rows"] for facts in files.values()))],
        "configs": configs(layout),
    }
    DatasetInfosDict(infos(dataset, layout, files)).to_dataset_card_data(matter)
    if isinstance(matter["dataset_info"], list):
        matter["dataset_info"] = [Line(info) for info in matter["dataset_info"]]
    return yaml.dump(matter, Dumper=Dumper, sort_keys=False, default_flow_style=None, width=float("inf")).rstrip()


def configs(layout: dict[str, dict[str, list[str]]]) -> list[dict]:
    """Return the configs as the Hub wants them, the default config first."""
    entries = []
    for config, splits in layout.items():
        data_files = [{"split": split, "path": list(paths)} for split, paths in splits.items()]
        default = {} if entries else {"default": True}
        entries.append(Line(config_name=config, **default, data_files=data_files))
    return entries


def infos(
    dataset: str, layout: dict[str, dict[str, list[str]]], files: dict[str, dict]
) -> dict[str, datasets.DatasetInfo]:
    """Return the sizes of the splits of each config as `datasets` has them. The Parquet files name the columns."""
    sizes_of = {}
    for config, splits in layout.items():
        sizes = {
            split: datasets.SplitInfo(
                split,
                num_bytes=sum(files[file]["memory"] for file in paths),
                num_examples=sum(files[file]["rows"] for file in paths),
                dataset_name=dataset,
            )
            for split, paths in splits.items()
        }
        sizes_of[config] = datasets.DatasetInfo(splits=datasets.SplitDict(sizes))
    return sizes_of


def size_category(rows: int) -> str:
    """Return the Hub's name for a number of rows."""
    return next(name for bound, name in SIZE_CATEGORIES if rows < bound)
