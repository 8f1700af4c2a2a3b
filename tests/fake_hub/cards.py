"""The checks of a dataset card's metadata and of eval.yaml, with the words that the Hub allows in them."""

import re

import yaml

LICENSES = set(
    "apache-2.0 mit openrail bigscience-openrail-m creativeml-openrail-m bigcode-openrail-m afl-3.0 artistic-2.0 "
    "bsl-1.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear c-uda cc cc0-1.0 cc-by-2.0 cc-by-2.5 cc-by-3.0 cc-by-4.0 "
    "cc-by-sa-3.0 cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nd-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 "
    "cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cdla-sharing-1.0 cdla-permissive-1.0 cdla-permissive-2.0 wtfpl "
    "ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2 agpl-3.0 gfdl gpl gpl-2.0 gpl-3.0 lgpl lgpl-2.1 lgpl-3.0 isc "
    "lppl-1.3c ms-pl mpl-2.0 odc-by odbl osl-3.0 postgresql ofl-1.1 ncsa unlicense zlib pddl unknown other".split()
)
TASKS = set(
    "text-classification token-classification table-question-answering question-answering zero-shot-classification "
    "translation summarization feature-extraction text-generation fill-mask sentence-similarity multiple-choice "
    "text-retrieval text-ranking table-to-text tabular-classification tabular-regression reinforcement-learning "
    "visual-question-answering graph-ml time-series-forecasting other".split()
)
SIZES = set(
    "n<1K 1K<n<10K 10K<n<100K 100K<n<1M 1M<n<10M 10M<n<100M 100M<n<1B 1B<n<10B 10B<n<100B 100B<n<1T n>1T other".split()
)
CARD_KEYS = set(
    "license license_name license_link license_details language language_bcp47 language_details language_creators tags "
    "task_categories task_ids size_categories configs config_names dataset_info pretty_name annotations_creators "
    "multilinguality source_datasets paperswithcode_id train-eval-index viewer extra_gated_prompt extra_gated_fields "
    "extra_gated_heading extra_gated_description extra_gated_button_content".split()
)
SPACE_KEYS = {*CARD_KEYS, "title", "emoji", "colorFrom", "colorTo", "sdk", "app_file", "pinned", "short_description"}
"""The keys of a Space's card."""
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
FRAMEWORKS = {"inspect-ai"}
"""Of the Hub's identifiers (huggingface.js, packages/tasks/src/eval.ts), those that the tests need."""
LISTS = {"tags", "task_categories", "task_ids", "size_categories", "annotations_creators", "source_datasets"}


class StrictLoader(yaml.SafeLoader):
    """Read YAML as the Hub does: a key given twice is an error."""

    def construct_mapping(self, node, deep=False):
        """Read a mapping. Raises ConstructorError where a key is repeated."""
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"duplicated mapping key {key!r}", node.start_mark)
        return super().construct_mapping(node, deep)


def front_matter(text: str) -> object:
    """Return the YAML between the two `---` of a card. Raises ValueError or yaml.YAMLError where there is none."""
    matched = re.match(r"\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", text, re.DOTALL | re.MULTILINE)
    if matched is None:
        raise ValueError("empty or missing yaml metadata in repo card")
    return yaml.load(matched[1], StrictLoader)


def check_card(text: str, kind: str = "dataset") -> tuple[list[str], list[str]]:
    """Return the errors and the warnings about the metadata of a card, of a dataset or another kind."""
    try:
        metadata = front_matter(text)
    except (ValueError, yaml.YAMLError) as error:
        return [str(error)], []
    if not isinstance(metadata, dict):
        return ["YAML metadata should be an object"], []
    known = SPACE_KEYS if kind == "space" else CARD_KEYS
    errors, warnings = [], [f'"{key}" is not a known key' for key in metadata if key not in known]
    for key, value in metadata.items():
        values = value if isinstance(value, list) else [value]
        if key in LISTS and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            errors.append(f'"{key}" must be an array of strings')
        elif key == "license" and not all(isinstance(item, str) and item in LICENSES for item in values):
            errors.append(f'"license" must be one of [{", ".join(sorted(LICENSES))}]')
        elif key in ("colorFrom", "colorTo") and value not in COLOURS:
            errors.append(f'"{key}" must be one of [{", ".join(sorted(COLOURS))}]')
        elif key == "language":
            for item in values:
                if not (isinstance(item, str) and re.fullmatch("[a-z]{2,3}|code|multilingual", item)):
                    errors.append(f'"language" with value "{item}" is not valid: it must be an ISO 639 code')
        elif key == "size_categories" and not SIZES.issuperset(value):
            errors.append(f'"size_categories" must be among [{", ".join(sorted(SIZES))}]')
        elif key == "task_categories":
            warnings += [
                f'The task_categories "{item}" is not in the official list' for item in sorted(set(value) - TASKS)
            ]
        elif key == "pretty_name" and not isinstance(value, str):
            errors.append('"pretty_name" must be a string')
        elif key == "configs":
            errors += check_configs(value)
        elif key == "dataset_info" and not all(isinstance(item, dict) for item in values):
            errors.append('"dataset_info" must be an object or an array of objects')
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
    if not errors and value["evaluation_framework"] not in FRAMEWORKS:
        errors.append(f'"evaluation_framework" must be one of [{", ".join(sorted(FRAMEWORKS))}]')
    tasks = value.get("tasks")
    ids = [task.get("id") if isinstance(task, dict) else None for task in tasks] if isinstance(tasks, list) else []
    if not ids or not all(isinstance(task, str) and task for task in ids) or len(ids) != len(set(ids)):
        errors.append('"tasks" must be an array of objects, each with an "id" of its own')
    return errors


def check_configs(configs: object) -> list[str]:
    """Return the errors in a card's list of configs."""
    if not (isinstance(configs, list) and all(isinstance(config, dict) for config in configs)):
        return ['"configs" must be an array of objects']
    errors = [
        f'"configs[{number}].config_name" is required'
        for number, config in enumerate(configs)
        if not isinstance(config.get("config_name"), str)
    ]
    names = [config.get("config_name") for config in configs]
    errors += [f'"configs" contains a duplicate value "{name}"' for name in set(names) if names.count(name) > 1]
    for number, config in enumerate(configs):
        files = config.get("data_files", [])
        for item in files if isinstance(files, list) else [files]:
            if not (isinstance(item, str) or (isinstance(item, dict) and {"path", "split"} >= set(item) >= {"path"})):
                errors.append(f'"configs[{number}].data_files" must be paths, or objects of split and path')
    return errors
