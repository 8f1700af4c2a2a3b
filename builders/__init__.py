"""Theory-of-mind datasets from a seed: Hi-ToM and MindGames, with every label proven twice.

    from tom_datasets import load, endless, episodes, prompt, reward, explain, score

    splits = load("hi_tom", "deep", seed=7, test=50)  # a DatasetDict, made in memory
    row = endless("mindgames", "forehead", seed=7)[4]  # the row of any index
    print(prompt(row), explain(row), reward("Answer: entailment", row))
    print(episodes(seed=7)[12].prompt)  # of a game: write lines that make others believe something

`HiTom` and `MindGames` are the builder classes of the package `datasets`. A name is imported when it is first used:
endless rows, episodes, prompts, rewards and explanations need jinja2 alone, the rest
`pip install "tom-datasets[build]"`.
"""

from importlib import import_module
from typing import Any

GENERATOR_VERSION = "4.2.0"  # changes whenever the same config, seed, split and index give another row
__version__ = "4.3.0"  # of the package, which may get new configs and commands while all rows stay

# The module of each name that this package gives.
PLACES = {
    "HiTom": "hi_tom.builder",
    "MindGames": "mindgames.builder",
    "endless": "streaming.endless",
    "episodes": "streaming.episodes",
    "explain": "explanations",
    "load": "door",
    "prompt": "door",
    "reward": "answers.rewards",
    "score": "door",
}
__all__ = list(PLACES)


def __getattr__(name: str) -> Any:
    """Import a name of the package on its first use. Raises ModuleNotFoundError that says what to install."""
    if name not in PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    from .errors import needing

    with needing(name):
        globals()[name] = getattr(import_module(f"{__name__}.{PLACES[name]}"), name)
    return globals()[name]
