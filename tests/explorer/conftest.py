"""The fixtures of the tests of the explorer: the page of the tiny builds, a server for it, and a browser.

Only `make test-explorer` runs the tests that need a browser, and it is an error there that none is found.
"""

import functools
import http.server
import shutil
import threading

import pytest
from exploring import set_look

from tom_datasets.__main__ import main

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-ipc-flooding-protection "  # these tests choose filters faster than a person does
    "--disable-component-update --disable-sync --hide-scrollbars --disable-dev-shm-usage"
).split()
PROGRAMS = ("chromium", "chromium-browser", "google-chrome"), ("chromedriver",)


@pytest.fixture(scope="session")
def site(tiny_build, once):
    """Write the page of the tiny builds of both datasets once; no test may change it. Return the outer folder."""

    def write(out):
        for name in ("hi_tom", "mindgames"):
            shutil.copytree(tiny_build(name) / name, out / name)
        assert main(["explorer", "--out", str(out), "--processes", "1"]) == 0

    return once("explored", write)


class Silent(http.server.SimpleHTTPRequestHandler):
    """Serve files, and say nothing."""

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture(scope="session")
def served(site):
    """Serve the page on this computer; return its address."""
    serve = functools.partial(Silent, directory=site / "explorer")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Start the browser once, with a profile of its own."""
    paths = [next(filter(None, map(shutil.which, names)), None) for names in PROGRAMS]
    assert all(paths), f"one of {PROGRAMS} is missing: install chromium and chromium-driver"
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = paths[0]
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(paths[1]))
    yield driver
    driver.quit()


@pytest.fixture
def wide(browser):
    """Give the browser the size of a desk, light and without a memory; return it. Any message in the console fails."""
    set_look(browser, 1280, 860)
    yield browser
    assert browser.get_log("browser") == []


@pytest.fixture
def address(site):
    """Return the address of the page on disk."""
    return (site / "explorer" / "index.html").as_uri()


@pytest.fixture(params=["address", "served"])
def either(request):
    """Return the address of the page on disk, and that of a server."""
    return request.getfixturevalue(request.param)
