"""What both readers of English share: their error, and the pattern of a name.

The readers are written by hand from the sentences of the published data and of both papers. They never look at the
templates, so a mistake in a template cannot hide here.
"""

NAME = r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*"
"""Pattern of an agent's name: it starts with a capital of any alphabet, and has no digits or underscores."""


class ReadError(ValueError):
    """Say where a text stops being one that a reader knows, and what would have been right."""
