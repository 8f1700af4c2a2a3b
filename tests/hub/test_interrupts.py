"""Interrupt a publication at every moment: it ends at once, and the same command again ends the same."""

import re
import signal
import time

import pytest
from publishing import fail, holds, start_publishing

pytestmark = pytest.mark.slow


def test_an_interrupt_does_not_wait_for_an_upload_that_hangs(hub, one, tmp_path):
    """The process ends when its grace is over, whatever its uploads do."""
    process = start_publishing(hub, tmp_path, one, grace=1.0)
    hub.fail("PUT", "", slow=100, then=lambda hub: process.send_signal(signal.SIGINT))
    hub.fail("PUT", "", times=None, slow=100)
    _, errors = process.communicate(timeout=60)
    hub.clear_faults()
    assert process.returncode == 130 and errors == "interrupted; nothing half-written was left\n"


def interrupt_twice(process):
    """Interrupt a process as two presses of Ctrl-C within a tenth of a second do."""
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.05)


MOMENTS = ("create", "preupload", "put", "commit", "tag", "table")


def test_an_interrupt_at_any_moment_and_again_ends_the_same(hub, one, tmp_path):
    """The Hub carries out every second request that was under way at the interrupt, and drops the others."""
    for number, step in enumerate(MOMENTS):
        process = start_publishing(hub, tmp_path, one, "--tag", "v1")
        how = "cut before" if number % 2 else "lost"
        fault = fail(hub, step, how, slow=1, then=lambda _, process=process: interrupt_twice(process))
        printed, errors = process.communicate(timeout=100)
        hub.clear_faults()
        assert fault.used == 1, step
        assert process.returncode == 130 and errors.endswith("interrupted; nothing half-written was left\n"), errors
        assert "Traceback" not in errors and "published:" not in printed, errors
        later = r"^me/hi_tom: commit [0-9a-f]{7} was sent, but not checked: run the command again to check it$"
        assert bool(re.search(later, errors, re.MULTILINE)) == (step in ("tag", "table")), errors
    process = start_publishing(hub, tmp_path, one, "--tag", "v1")
    printed, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors
    repo = hub.repos["me/hi_tom"]
    assert holds(hub, one) and len(repo.commits) == 2 and repo.tags == {"v1": repo.head()}
