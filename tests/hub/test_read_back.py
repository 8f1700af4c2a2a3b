"""Prove by reading back: only rows that come from the Hub as they went there count."""

import shutil

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fake_hub import Blob
from publishing import assert_refused, folder_files, holds, start_publishing

from tom_datasets.hub import read_back

pytestmark = pytest.mark.slow


def test_other_rows_are_not_called_published(hub, publish, one, other):
    """The Hub gives other bytes than it was sent, after the list of files has been compared."""

    def swap(hub):
        repo = hub.repos["me/hi_tom"]
        blob = Blob(folder_files(other)["1st_order/test.parquet"], True)
        repo.lfs[blob.sha256] = blob.data
        repo.commits[-1].files["1st_order/test.parquet"] = blob

    hub.fail("GET|HEAD", "/resolve/.*README.md", then=swap)
    line = assert_refused(publish(one, read_back=True), "reads back otherwise than", "1st_order test")
    assert "all test" not in line and "4th_order" not in line  # each has a file of its own


def test_a_folder_of_the_same_name_is_not_read_instead_of_the_hub(hub, one, tmp_path):
    """A folder here has the repository's name: `load_dataset` would read it instead of the Hub."""
    shutil.copytree(one / "hi_tom", tmp_path / "me" / "hi_tom")
    hub.fail("GET|HEAD", "/resolve", times=None, status=404, headers={"X-Error-Code": "EntryNotFound"})
    process = start_publishing(hub, tmp_path / "home", "me", cwd=tmp_path)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and "published:" not in printed, printed
    assert "me/hi_tom, reading back " in errors


def test_what_is_half_there_is_not_called_published(hub, publish, one):
    """Publishing again proves it."""
    hub.fail("GET", "/cdn/", None, cut="short")
    words = "me/hi_tom, reading back ", "; what was sent is there: run the command again to prove it"
    assert_refused(publish(one, read_back=True), *words)
    hub.clear_faults()
    code, printed, errors = publish(one, read_back=True)
    assert code == 0 and holds(hub, one) and "no new commit" in printed, errors


def test_rows_and_types_alone_are_compared(one):
    table = pq.read_table(one / "hi_tom" / "tomh" / "test.parquet")
    loaded = datasets.Dataset(table).to_iterable_dataset()
    assert read_back.is_same(loaded, pa.concat_tables([table.slice(0, 10), table.slice(10)]))
    for other in (table.slice(1), pa.concat_tables([table.slice(1), table.slice(0, 1)]), table.drop_columns(["id"])):
        assert not read_back.is_same(loaded, other)
    assert not read_back.is_same(loaded, table.replace_schema_metadata(None)), "the names of a class label are lost"
