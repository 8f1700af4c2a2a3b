"""Own the fixtures that tests of several rooms share."""

import pytest

from builders.__main__ import main


@pytest.fixture
def run(capsys):
    """Return a function that runs a command in this process and returns (exit code, stdout, stderr)."""

    def run(*argv):
        try:
            code = main([str(word) for word in argv])
        except SystemExit as end:
            code = end.code
        output = capsys.readouterr()
        return code, output.out, output.err

    return run
