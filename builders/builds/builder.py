"""What both builder classes of `datasets` do: they check their config, and make its rows span by span."""

import hashlib
from collections.abc import Iterator
from typing import Any

import datasets
import pyarrow as pa

from .. import GENERATOR_VERSION
from ..columns import EMBEDDED, NO_SCORER, Row
from ..dataset import dataset_named
from ..difficulty.probe import load_probe, scorer_for
from ..folder.build import types_of
from ..splits import SPLITS, builtin, spans
from .making import rows_of_split

VERSION = datasets.Version(GENERATOR_VERSION)


def features(dataset: str) -> datasets.Features:
    """Return the columns of a dataset with their types."""
    plain = datasets.Features.from_arrow_schema(pa.schema(types_of(dataset)))
    labels = {
        column.name: datasets.ClassLabel(names=list(column.classes))
        for column in dataset_named(dataset).columns
        if column.classes
    }
    return datasets.Features(plain | labels)


def described(dataset: str) -> str:
    """Return the part of a builder's docstring that says what each column holds."""
    meanings = [f"{name}: {meaning}" for name, meaning in dataset_named(dataset).meanings.items()]
    return "\n        ".join(["\n    Columns:", *meanings])


class RowsBuilder(datasets.GeneratorBasedBuilder):  # type: ignore[misc]  # datasets comes without types
    """Build the rows of a config; the class of each dataset says which dataset it is."""

    VERSION = VERSION
    DATASET: str
    DEFAULT_CONFIG_NAME = "all"

    def __init__(self, cache_dir: str | None = None, *args: Any, **kwargs: Any) -> None:
        if cache_dir in self.builder_configs:
            raise ValueError(
                f"{cache_dir!r} was given as the cache folder, a builder's first argument; "
                f"say {type(self).__name__}(config_name={cache_dir!r}), or ./{cache_dir} if it really is a folder"
            )
        kwargs = {field: builtin(value) for field, value in kwargs.items()}
        # `datasets` ignores a field that is None, so 0 and NO_SCORER stand for it.
        unset = dict.fromkeys(SPLITS, 0) | {"scorer": NO_SCORER}
        kwargs.update((field, none) for field, none in unset.items() if kwargs.get(field, none) is None)
        if (scorer := kwargs.get("scorer", EMBEDDED)) not in (EMBEDDED, NO_SCORER):
            # The cache knows the folder of a probe by its name alone, and the folder may hold another one by now.
            identity = load_probe(scorer, self.DATASET).identity
            kwargs["hash"] = (kwargs.get("hash") or "") + hashlib.sha256(identity.encode()).hexdigest()[:16]
        super().__init__(cache_dir, *args, **kwargs)

    def _info(self) -> datasets.DatasetInfo:
        self.config.validate()
        if scorer := scorer_for(self.config):
            load_probe(scorer, self.DATASET)
        return datasets.DatasetInfo(
            description=self.__doc__, features=dataset_named(self.DATASET).features, version=VERSION
        )

    def _split_generators(self, dl_manager: datasets.DownloadManager) -> list[datasets.SplitGenerator]:
        length = dataset_named(self.DATASET).span
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"split": split, "spans": spans(size, length)})
            for split, size in self.config.sizes().items()
        ]

    def _generate_examples(self, split: str, spans: list[range]) -> Iterator[tuple[str | int, Row]]:
        key = dataset_named(self.DATASET).id_column
        for row in rows_of_split(self.DATASET, self.config, split, spans):
            yield row[key], row
