"""The pipeline of a task, as datatrove runs it: generate and prove, write, record."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from datatrove.data import Document
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.writers.parquet import ParquetWriter

from ..folder.writing import ROW_GROUP
from ..topics import topic
from . import rows
from .request import Request
from .shards import COMPRESSION, SHARDS, Shard, schema_of

Documents = Iterator[Document]


def pipeline(request: Request, work: Path) -> list[PipelineStep | Callable]:
    """Return the steps of every task, in their order. `work` is the folder that all machines share."""
    return [
        partial(generate, request),
        ParquetWriter(
            str(work / SHARDS),
            compression=COMPRESSION,
            adapter=adapt,
            batch_size=ROW_GROUP,
            schema=schema_of(request.dataset),
            max_file_size=-1,
        ),
        partial(record, work),
    ]


def generate(request: Request, data: None, rank: int, world_size: int) -> Documents:
    """Make the rows of a task, its own chunks of the endless stream, and prove them or a share of them.

    Yields one document for each row. Raises UserError for the first row that fails.
    """
    known = topic(request.dataset, "config")
    for drawn, proven in rows.checked(request, rank):
        row_id = str(drawn.row[known.ID_COLUMN])
        yield Document(drawn.row[known.TEXT], row_id, metadata={"drawn": drawn, "proven": proven})


def record(work: Path, data: Documents, rank: int, world_size: int) -> Documents:
    """Record the checksum and the counts of what a task wrote: the writer closes its file when its documents end."""
    made = proven = 0
    for document in data:
        made += 1
        proven += document.metadata["proven"]
        yield document
    Shard(work, rank).record(made, proven)


def adapt(writer: ParquetWriter, document: Document) -> dict[str, Any]:
    """Return the row of a document, with its empty columns."""
    return rows.published(document.metadata["drawn"])
