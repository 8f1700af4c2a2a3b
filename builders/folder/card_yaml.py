"""The YAML that opens a card: what the Hub and `load_dataset` read about configs, files, columns and sizes."""

import yaml

# The Hub's names of the powers of ten from a thousand on; between two of them lies a category of sizes.
ROUND = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B")


class Line(dict):
    """Hold a mapping that the YAML says on one line."""


class Dumper(yaml.SafeDumper):
    """Write YAML for a card."""


Dumper.add_representer(Line, lambda dumper, line: dumper.represent_mapping("tag:yaml.org,2002:map", line, True))


def front_matter(layout: dict[str, dict[str, list[str]]], files: dict[str, dict]) -> str:
    """Return the YAML of a card that follows from its Parquet files, without fences.

    `layout` names the Parquet files of each config and split, the default config first. `files` holds each file's
    rows and bytes in memory.
    """
    configs, infos = [], []
    for config, splits in layout.items():
        data_files = [{"split": split, "path": list(paths)} for split, paths in splits.items()]
        default = {} if configs else {"default": True}
        configs.append(Line(config_name=config, **default, data_files=data_files))
        sizes = []
        for split, paths in splits.items():
            size, rows = (sum(files[file][fact] for file in paths) for fact in ("memory", "rows"))
            sizes.append({"name": split, "num_bytes": size, "num_examples": rows})
        infos.append({"config_name": config, "splits": sizes})
    matter = {
        "size_categories": [size_category(sum(facts["rows"] for facts in files.values()))],
        "configs": configs,
        "dataset_info": infos[0] if len(infos) == 1 else sorted(map(Line, infos), key=lambda info: info["config_name"]),
    }
    return yaml.dump(matter, Dumper=Dumper, sort_keys=False, default_flow_style=None, width=float("inf")).rstrip()


def size_category(rows: int) -> str:
    """Return the Hub's name for a number of rows."""
    place = min(len(str(rows // 1000)), len(ROUND) - 1)
    return "n<1K" if rows < 1000 else f"{ROUND[place - 1]}<n<{ROUND[place]}"
