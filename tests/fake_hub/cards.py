"""The checks of a card's metadata and of eval.yaml, with words that the Hub allows in them: those that tests need."""

import re
from collections.abc import Callable
from typing import Any

import yaml

LICENSES = set("apache-2.0 mit bsd-3-clause cc0-1.0 cc-by-4.0 cc-by-sa-4.0 odc-by unknown other".split())
TASKS = set(
    "text-classification token-classification table-question-answering question-answering zero-shot-classification "
    "text-generation multiple-choice text-retrieval reinforcement-learning visual-question-answering other".split()
)
SIZES = set("n<1K 1K<n<10K 10K<n<100K 100K<n<1M 1M<n<10M 10M<n<100M 100M<n<1B 1B<n<10B".split())
CARD_KEYS = set(
    "license license_name license_link license_details language language_bcp47 language_details language_creators tags "
    "task_categories task_ids size_categories configs config_names dataset_info pretty_name annotations_creators "
    "multilinguality source_datasets paperswithcode_id train-eval-index viewer extra_gated_prompt extra_gated_fields "
    "extra_gated_heading extra_gated_description extra_gated_button_content".split()
)
SPACE_KEYS = {*CARD_KEYS, "title", "emoji", "colorFrom", "colorTo", "sdk", "app_file", "pinned", "short_description"}
"""The keys of a Space's card."""
LANGUAGE = re.compile("[a-z]{2,3}|code|multilingual")
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


class StrictLoader(yaml.SafeLoader):
    """Read YAML as the Hub does: a key given twice is an error."""

    def construct_mapping(self, node, deep=False):
        """Read a mapping. Raises ConstructorError where a key is repeated."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        if len(keys) != len(set(keys)):
            raise yaml.constructor.ConstructorError(None, None, f"duplicated mapping key among {keys}", node.start_mark)
        return super().construct_mapping(node, deep)


def are_strings(value: Any, allowed: Callable[[str], object] = bool) -> bool:
    """Return whether a value is a list of strings, each of them allowed."""
    return isinstance(value, list) and all(isinstance(item, str) and allowed(item) for item in value)


def are_configs(value: Any) -> bool:
    """Return whether a value is a list of configs, each with a name of its own and the paths of its files."""
    if not (isinstance(value, list) and all(isinstance(config, dict) for config in value)):
        return False
    names = [config.get("config_name") for config in value]
    files = [item for config in value for item in config.get("data_files", [])]
    places = all(isinstance(item, str) or {"path"} <= set(item) <= {"path", "split"} for item in files)
    return are_strings(names) and len(names) == len(set(names)) and places


def listed(value: Any) -> list:
    """Return a list of a value that may stand alone."""
    return value if isinstance(value, list) else [value]


RULES: dict[str, tuple[Callable[[Any], object], str]] = {
    **dict.fromkeys(
        ("tags", "task_categories", "task_ids", "annotations_creators", "source_datasets"),
        (are_strings, "must be an array of strings"),
    ),
    "size_categories": (lambda value: are_strings(value, SIZES.__contains__), f"must be an array of {sorted(SIZES)}"),
    "license": (lambda value: are_strings(listed(value), LICENSES.__contains__), f"must be one of {sorted(LICENSES)}"),
    "language": (lambda value: are_strings(listed(value), LANGUAGE.fullmatch), "must be an ISO 639 code"),
    **dict.fromkeys(("colorFrom", "colorTo"), (COLOURS.__contains__, f"must be one of {sorted(COLOURS)}")),
    "pretty_name": (lambda value: isinstance(value, str), "must be a string"),
    "configs": (are_configs, "must be an array of objects, each with a config_name of its own and paths as data_files"),
    "dataset_info": (lambda value: all(isinstance(item, dict) for item in listed(value)), "must be objects"),
}
"""What the Hub asks of the value of a key, and what it says where the value is another."""


def check_card(text: str, kind: str = "dataset") -> tuple[list[str], list[str]]:
    """Return the errors and the warnings about the metadata of a card, of a dataset or another kind."""
    matched = re.match(r"---\n(.*?)^---$", text, re.DOTALL | re.MULTILINE)
    if matched is None:
        return ["empty or missing yaml metadata in repo card"], []
    try:
        metadata = yaml.load(matched[1], StrictLoader)
    except yaml.YAMLError as error:
        return [str(error)], []
    if not isinstance(metadata, dict):
        return ["YAML metadata should be an object"], []
    known = SPACE_KEYS if kind == "space" else CARD_KEYS
    warnings = [f'"{key}" is not a known key' for key in metadata if key not in known]
    warnings += [
        f'The task_categories "{item}" is not in the official list'
        for item in sorted(set(metadata.get("task_categories", ())) - TASKS)
    ]
    errors = [f'"{key}" {RULES[key][1]}' for key in metadata if key in RULES and not RULES[key][0](metadata[key])]
    return errors, warnings


def check_eval(text: str) -> list[str]:
    """Return the errors in the eval.yaml of a dataset: the fields that the Hub requires (hub-docs, eval-results.md)."""
    try:
        value = yaml.load(text, StrictLoader)
    except yaml.YAMLError as error:
        return [str(error)]
    if not isinstance(value, dict):
        return ["eval.yaml should be an object"]
    required = ("name", "description", "evaluation_framework")
    errors = [f'"{key}" must be a string' for key in required if not (isinstance(value.get(key), str) and value[key])]
    if not errors and value["evaluation_framework"] != "inspect-ai":
        errors.append('"evaluation_framework" must be one of [inspect-ai]')
    tasks = value.get("tasks")
    ids = [task.get("id") if isinstance(task, dict) else None for task in tasks] if isinstance(tasks, list) else []
    if not ids or not are_strings(ids) or len(ids) != len(set(ids)):
        errors.append('"tasks" must be an array of objects, each with an "id" of its own')
    return errors
