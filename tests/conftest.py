"""Own the fixtures that tests of several rooms share."""

import signal

import pytest

from builders.__main__ import main

# A process passes ignored signals on to those it starts, and some tests interrupt the commands that they start. Where
# the tests themselves were started with interrupts ignored, as by nohup or by some CI, the default comes back.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
