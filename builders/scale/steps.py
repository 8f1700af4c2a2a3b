"""The pipeline of a task, as datatrove runs it: generate, prove, write, record."""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from datatrove.data import Document
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.writers.parquet import ParquetWriter

from ..folder.writing import ROW_GROUP
from ..topics import topic
from . import rows
from .request import Request
from .shards import COMPRESSION, SHARDS, schema_of, write_facts

Documents = Iterator[Document]


def pipeline(request: Request, work: Path) -> list[PipelineStep]:
    """Return the steps of every task, in their order. `work` is the folder that all machines share."""
    return [
        Generate(request),
        Prove(request),
        ParquetWriter(
            str(work / SHARDS),
            compression=COMPRESSION,
            adapter=adapt,
            batch_size=ROW_GROUP,
            schema=schema_of(request.dataset),
            max_file_size=-1,
        ),
        Record(request, work),
    ]


class Generate(PipelineStep):
    """Make the rows of a task: its own chunks of the endless stream."""

    name, type = "Endless rows", "GENERATE"

    def __init__(self, request: Request) -> None:
        """Hold the request."""
        super().__init__()
        self.request = request

    def run(self, data: Documents | None, rank: int = 0, world_size: int = 1) -> Documents:
        """Yield one document for each row."""
        facts = topic(self.request.dataset, "config")
        size = self.request.units().size
        for index, drawn in zip(self.request.span(rank), rows.made(self.request, rank), strict=True):
            row_id = str(drawn.row[facts.ID_COLUMN])
            yield Document(drawn.row[facts.TEXT], row_id, metadata={"unit": index // size, "drawn": drawn})


class Prove(PipelineStep):
    """Prove the rows by the second meaning, all or a share of the stories and blocks."""

    name, type = "Second meaning", "PROVE"

    def __init__(self, request: Request) -> None:
        """Hold the request."""
        super().__init__()
        self.request = request

    def run(self, data: Documents, rank: int = 0, world_size: int = 1) -> Documents:
        """Yield the documents as they are. Raises UserError for the first row that fails."""
        units = self.request.units()
        for unit, together in groupby(data, key=lambda document: document.metadata["unit"]):
            documents = list(together)
            if rows.is_chosen(unit, self.request.prove):
                rows.prove(self.request.dataset, units, [document.metadata["drawn"] for document in documents])
                for document in documents:
                    document.metadata["proven"] = True
            yield from documents


class Record(PipelineStep):
    """Record what a task wrote, once its file is closed: its checksum and its counts."""

    name, type = "Facts of the file", "RECORD"

    def __init__(self, request: Request, work: Path) -> None:
        """Hold the request and the folder."""
        super().__init__()
        self.request, self.work = request, str(work)

    def run(self, data: Documents, rank: int = 0, world_size: int = 1) -> Documents:
        """Yield the documents as they are; the writer closes its file when they end."""
        made = proven = 0
        for made, document in enumerate(data, 1):  # noqa: B007
            proven += "proven" in document.metadata
            yield document
        write_facts(Path(self.work), rank, made, proven)


def adapt(writer: ParquetWriter, document: Document) -> dict[str, Any]:
    """Return the row of a document, with its empty columns."""
    return rows.published(document.metadata["drawn"])
