"""The command `probe`: it trains the difficulty model of a dataset anew."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..builds.making import make
from ..columns import Row
from ..difficulty.masking import mask_row
from ..difficulty.probe import load_probe
from ..errors import UserError, located
from ..topics import topic
from .folders import named


def run(args: Namespace) -> None:
    """Train the probe of a dataset, or of each; print how often it is right on the test files."""
    try:
        from ..training import probe as trainer  # torch is heavy, and nothing else needs it
    except ModuleNotFoundError as error:
        raise UserError(
            f"training needs {error.name}: pip install 'tom-datasets[build,probe]' (in a clone: make probe)"
        ) from None
    folder = args.folder or (Path("probes", args.checkpoint.replace("/", "--")) if args.checkpoint else Path("probe"))
    for dataset in named(args):
        unscored = [replace(config, scorer=None) for config in topic(dataset, "config").BUILT if config.scorer]

        def rows_of(config, dataset=dataset) -> Iterator[Row]:
            return (row for _, row in make(dataset, [config], 1))

        published = [(file, mask_row(row)) for file, row in make(dataset, unscored, 1)]
        with located(""):
            if args.checkpoint:
                trainer.fine_tune(dataset, rows_of, published, folder, args.checkpoint)
            else:
                trainer.train(dataset, rows_of, published, folder)
        for config, (right, rows) in load_probe(str(folder), dataset).right.items():
            print(f"{folder / dataset}.onnx: {100 * right / rows:.1f} % of {rows} test rows of {config}")
