"""Own nothing: `builders.__main__` still imports SMCDEL's answers by this name."""

from builders.logic.smcdel.answers import main

__all__ = ["main"]
