"""Prove by reading back: only rows that come from the Hub as they went there count."""

import errno
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fake_hub import Blob
from publishing import assert_refused, folder_files, holds, start_publishing

from tom_datasets.hub import read_back
from tom_datasets.hub.network import PublishError

pytestmark = pytest.mark.slow


def test_other_rows_are_not_called_published(hub, publish, one, other):
    """The Hub gives other bytes than it was sent, after the list of files has been compared."""

    def swap(hub):
        repo = hub.repos["me/hi_tom"]
        blob = Blob(folder_files(other)["1st_order/test.parquet"], True)
        repo.lfs[blob.sha256] = blob.data
        repo.commits[-1].files["1st_order/test.parquet"] = blob

    hub.fail("GET|HEAD", "/resolve/.*README.md", then=swap)
    line = assert_refused(publish(one, read_back=True), "does not read back as it was sent", "1st_order test")
    assert "all test" not in line and "4th_order" not in line  # each has a file of its own


def test_a_folder_of_the_same_name_is_not_read_instead_of_the_hub(hub, one, tmp_path):
    """A folder here has the repository's name: `load_dataset` would read it instead of the Hub."""
    shutil.copytree(one / "hi_tom", tmp_path / "me" / "hi_tom")
    hub.fail("GET|HEAD", "/resolve", times=None, status=404, headers={"X-Error-Code": "EntryNotFound"})
    process = start_publishing(hub, tmp_path / "home", "me", cwd=tmp_path)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and "published:" not in printed, printed
    assert "me/hi_tom, reading back " in errors


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children of a process are looked up in /proc")
def test_a_reader_that_is_killed_proves_nothing(hub, publish, publisher, one):
    """What was sent is there, and publishing again proves it."""

    def kill(hub):
        (reader,) = Path(f"/proc/{publisher.pid}/task/{publisher.pid}/children").read_text().split()
        os.kill(int(reader), signal.SIGKILL)

    hub.fail("GET|HEAD", "/resolve/.*parquet", then=kill, slow=5)
    words = (
        "me/hi_tom, reading back ",
        ": the process that loads it ended early (signal 9); all files were sent: run ",
    )
    assert_refused(publish(one, read_back=True), *words)
    code, printed, _ = publish(one, read_back=True)
    assert code == 0 and holds(hub, one) and "no new commit" in printed


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="children of a process are looked up in /proc")
def test_the_reader_ends_with_the_process_that_is_killed(hub, one, tmp_path):
    """It leaves nothing in the folder for temporary files."""
    readers, temporary = [], tmp_path / "temporary"
    temporary.mkdir()

    def kill(hub):
        readers.extend(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())
        assert list(temporary.iterdir()), "the reader works there"
        process.kill()

    process = start_publishing(hub, tmp_path, one, TMPDIR=str(temporary))
    hub.fail("GET|HEAD", "/resolve/.*parquet", then=kill, slow=30)
    process.communicate(timeout=60)
    (reader,) = readers
    deadline = time.monotonic() + 10
    while is_running(reader):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert list(temporary.iterdir()) == []


def is_running(pid: str) -> bool:
    """Return whether a process is there, and not only its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_full_disk_is_told(monkeypatch, one):
    """`datasets` raises an error of its own from that of the disk."""

    def load(*_, **__):
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        raise datasets.exceptions.DatasetGenerationError("An error occurred while generating") from full

    monkeypatch.setattr(datasets, "load_dataset", load)
    advice = "make room there, or set TMPDIR to a folder of another disk"
    with pytest.raises(PublishError, match=f"^all: the disk that holds {tempfile.gettempdir()} is full: {advice}$"):
        read_back.compare("me/hi_tom", "0" * 40, one / "hi_tom")


def test_rows_and_types_alone_are_compared(one):
    table = pq.read_table(one / "hi_tom" / "tomh" / "test.parquet")
    loaded = datasets.Dataset(table)
    assert read_back.is_same(loaded, pa.concat_tables([table.slice(0, 10), table.slice(10)]))
    for other in (table.slice(1), pa.concat_tables([table.slice(1), table.slice(0, 1)]), table.drop_columns(["id"])):
        assert not read_back.is_same(loaded, other)
    assert not read_back.is_same(loaded, table.replace_schema_metadata(None)), "the names of a class label are lost"
