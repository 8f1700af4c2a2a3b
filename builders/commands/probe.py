"""The command `probe`: it trains the difficulty model of a dataset anew."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from ..builds.making import make
from ..columns import Row
from ..configs import FamilyConfig
from ..dataset import NAMES, dataset_named
from ..difficulty.masking import mask_row
from ..difficulty.probe import load_probe
from ..errors import UserError, located
from .folders import named
from .options import command
from .values import PATH


@command("probe")
@click.argument("dataset", type=click.Choice(NAMES), required=False, help="default: both")
@click.option("--checkpoint", metavar="NAME", help="fine-tune this checkpoint instead: a name on the Hub, or a folder")
@click.option("--folder", type=PATH, help="where to write it (default: probe, or probes/CHECKPOINT)")
def run(dataset: str | None, checkpoint: str | None, folder: Path | None) -> None:
    """Train the probe of a dataset, or of each; print how often it is right on the test files."""
    try:
        from ..training import probe as trainer  # torch is heavy, and nothing else needs it
    except ModuleNotFoundError as error:
        raise UserError(
            f"training needs {error.name}: pip install 'tom-datasets[build,probe]' (in a clone: make probe)"
        ) from None
    folder = folder or (Path("probes", checkpoint.replace("/", "--")) if checkpoint else Path("probe"))
    for name in named(dataset):
        unscored = [replace(config, scorer=None) for config in dataset_named(name).built if config.scorer]

        def rows_of(config: FamilyConfig, name: str = name) -> Iterator[Row]:
            return (row for _, row in make(name, [config], 1))

        published = [(file, mask_row(row)) for file, row in make(name, unscored, 1)]
        with located(""):
            if checkpoint:
                trainer.fine_tune(name, rows_of, published, folder, checkpoint)
            else:
                trainer.train(name, rows_of, published, folder)
        for config, (right, rows) in load_probe(str(folder), name).right.items():
            print(f"{folder / name}.onnx: {100 * right / rows:.1f} % of {rows} test rows of {config}")
