"""A game on minds: write lines of a story so that others come to believe something."""
