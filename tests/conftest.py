"""Own the fixtures that tests of several rooms share."""

import pytest

from builders.__main__ import main


@pytest.fixture
def run(capsys):
    """Run a command in this process; return its exit code, what it printed, and what it said on stderr."""

    def run(*argv):
        try:
            code = main([str(word) for word in argv])
        except SystemExit as end:
            code = end.code
        said = capsys.readouterr()
        return code, said.out, said.err

    return run
