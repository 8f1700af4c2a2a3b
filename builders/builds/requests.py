"""From options to the configs of a build, from these to the field `request` of its record, and back again."""

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

from .. import GENERATOR_VERSION
from ..configs import BuildOption, FamilyConfig, flag_of, size_options
from ..dataset import dataset_named
from ..difficulty.probe import Probe
from ..folder.build import Build
from ..splits import Layout, layout_of


def options_of(dataset: str) -> list[BuildOption]:
    """Return the options that only a build of this dataset has: its sizes, then other fields."""
    config = dataset_named(dataset)
    return [*size_options(config.built), *config.options]


def flags_of(dataset: str, config: str) -> dict[str, str]:
    """Return the option that sets each field of a config; fields without one are left out."""
    shared = {"seed": "--seed", "language": "--language", "scorer": "--probe"}
    return shared | {option.field: flag_of(option.name) for option in options_of(dataset) if config in option.configs}


def request_of(
    configs: Iterable[FamilyConfig], scoring: Probe | None, project_url: str | None = None
) -> dict[str, dict[str, Any]]:
    """Return what a record keeps of the configs of a build: their fields, the generator's version and the probe.

    project_url: the address of the project, which is kept where the card names one.
    """
    identity = scoring and scoring.identity
    more = {"project_url": project_url} if project_url else {}
    fields_of_each = {
        config.name: {**asdict(config), "version": GENERATOR_VERSION, "scorer": config.scorer and identity, **more}
        for config in configs
    }
    request: dict[str, dict[str, Any]] = json.loads(json.dumps(fields_of_each))
    return request


def configs_of(build: Build) -> list[FamilyConfig]:
    """Return the configs that a build was asked for; its record also holds fields that are no config's."""
    config = dataset_named(build.dataset).config
    own = {field.name for field in fields(config)}
    return [
        config(**{name: value for name, value in recorded.items() if name in own})
        for recorded in build.request.values()
    ]


def layout(build: Build) -> Layout:
    """Return the files of each config and split of a build, the default config first."""
    return layout_of(configs_of(build))


def example(build: Build) -> str:
    """Return the config that a card loads in its example: an order or a setup, without any the default config."""
    default = configs_of(build)[0]
    return (default.parts or [default.name])[dataset_named(build.dataset).example]
