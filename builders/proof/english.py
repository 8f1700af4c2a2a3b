"""Own the way back from English: a story, a question, its choices go in, their syntax and a second label come out.

Written by hand from the sentences of the published data and of both papers, never from the templates. The label comes
from `believe_all`: nested minds that every event updates as the story goes on, in one pass that never looks back.
So for MindGames: a premise and a hypothesis go in, a Problem and its label come out. The label comes from `follows`:
explicit sets of worlds, from which every announcement strikes those where it is false.
"""


class ReadError(ValueError):
    """Say where a text stops being one that this reader knows, and what would have been right."""


# A name starts with a capital, of any alphabet; every other word may hold letters, digits and underscores.
_NAME = r"[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*"
