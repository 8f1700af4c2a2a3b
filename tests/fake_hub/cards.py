"""The checks of a card's metadata and of eval.yaml, with words that the Hub allows in them: those that tests need."""

import re
from typing import Any

import yaml
from datasets.utils.metadata import _NoDuplicateSafeLoader as StrictLoader

COLOUR = "red|yellow|green|blue|indigo|purple|pink|gray"
VALUES = {
    "license": "apache-2.0|mit|bsd-3-clause|cc0-1.0|cc-by-4.0|cc-by-sa-4.0|odc-by|unknown|other",
    "language": "[a-z]{2,3}|code|multilingual",
    "size_categories": "n<1K|1K<n<10K|10K<n<100K|100K<n<1M|1M<n<10M|10M<n<100M|100M<n<1B|1B<n<10B",
    "task_categories": "text-classification|question-answering|text-generation|multiple-choice",
    **dict.fromkeys(("tags", "task_ids", "annotations_creators", "language_creators", "multilinguality"), ".+"),
    **dict.fromkeys(("source_datasets", "pretty_name", "title", "emoji", "sdk", "app_file", "short_description"), ".+"),
    **dict.fromkeys(("colorFrom", "colorTo"), COLOUR),
}
"""The keys whose values are texts or lists of texts, with the pattern of these."""
MAY_STAND_ALONE = {"license", "language", "pretty_name", "title", "emoji", "sdk", "app_file", "short_description"}
MAY_STAND_ALONE |= {"colorFrom", "colorTo"}
"""The keys whose value may be one text; that of the others is a list."""
OTHER_KEYS = {"configs", "dataset_info", "viewer", "pinned", "license_name", "license_link", "extra_gated_prompt"}


def are_strings(value: Any, pattern: str = ".+") -> bool:
    """Return whether a value is a list of strings that match a pattern."""
    return isinstance(value, list) and all(isinstance(item, str) and re.fullmatch(pattern, item) for item in value)


def are_configs(value: Any) -> bool:
    """Return whether a value is a list of configs, each with a name of its own and the paths of its files."""
    if not (isinstance(value, list) and all(isinstance(config, dict) for config in value)):
        return False
    names = [config.get("config_name") for config in value]
    files = [item for config in value for item in config.get("data_files", [])]
    places = all(isinstance(item, str) or {"path"} <= set(item) <= {"path", "split"} for item in files)
    return are_strings(names) and len(names) == len(set(names)) and places


def check_card(text: str) -> list[str]:
    """Return the errors in the metadata of a card."""
    matched = re.match(r"---\n(.*?)^---$", text, re.DOTALL | re.MULTILINE)
    if matched is None:
        return ["empty or missing yaml metadata in repo card"]
    try:
        metadata = yaml.load(matched[1], StrictLoader)
    except (yaml.YAMLError, TypeError) as error:  # TypeError: a key is given twice
        return [str(error)]
    if not isinstance(metadata, dict):
        return ["YAML metadata should be an object"]
    errors = [f'"{key}" is not a known key' for key in metadata if key not in VALUES.keys() | OTHER_KEYS]
    for key in metadata.keys() & VALUES.keys():
        value = metadata[key]
        if not are_strings([value] if key in MAY_STAND_ALONE and isinstance(value, str) else value, VALUES[key]):
            errors.append(f'"{key}" must be an array of {VALUES[key]}')
    if not are_configs(metadata.get("configs", [])):
        errors.append('"configs" must be an array of objects, each with a config_name of its own and paths of files')
    return errors


def check_eval(text: str) -> list[str]:
    """Return the errors in the eval.yaml of a dataset: the fields that the Hub requires (hub-docs, eval-results.md)."""
    try:
        value = yaml.load(text, StrictLoader)
    except yaml.YAMLError as error:
        return [str(error)]
    if not isinstance(value, dict):
        return ["eval.yaml should be an object"]
    errors = [f'"{key}" must be a string' for key in ("name", "description") if not are_strings([value.get(key)])]
    if value.get("evaluation_framework") != "inspect-ai":
        errors.append('"evaluation_framework" must be one of [inspect-ai]')
    tasks = value.get("tasks")
    ids = [task.get("id") if isinstance(task, dict) else None for task in tasks] if isinstance(tasks, list) else []
    if not ids or not are_strings(ids) or len(ids) != len(set(ids)):
        errors.append('"tasks" must be an array of objects, each with an "id" of its own')
    return errors
