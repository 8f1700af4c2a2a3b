"""The languages: folders under `templates/` with Jinja files, one macro for each kind of sentence, and with lexicons.

All grammar is there; Python repairs no text afterwards. Words are drawn from streams of their own, so that another
wording never makes another problem. An undefined name in a template is an error, and templates draw no random numbers.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2

from ..files import data_folder
from ..splits import ENGLISH, world_of

TEMPLATES = data_folder("templates")

DATASET_OF = {"hi_tom": "hi_tom", "first_names": "mindgames"}  # the dataset that a lexicon is of


def languages(dataset: str = "hi_tom") -> list[str]:
    """Return the languages of a dataset, sorted: the folders under `templates/` that have its sentences."""
    return sorted(folder.name for folder in TEMPLATES.iterdir() if (folder / f"{dataset}.jinja").is_file())


def folders_of(language: str) -> list[Path]:
    """Return where the words of a language are looked for, one folder after another: in a world also in English."""
    return [TEMPLATES / language, *([TEMPLATES / ENGLISH] if world_of(language) else [])]


def templates(language: str) -> jinja2.Environment:
    """Return the Jinja environment of a language, strict about undefined names and without random filters."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders_of(language)), undefined=jinja2.StrictUndefined, autoescape=False
    )
    environment.filters.pop("random")
    environment.globals.pop("lipsum")
    return environment


def lexicon(language: str, name: str) -> dict[str, Any]:
    """Return a lexicon of a language. Raises ValueError for a language that is not under `templates/`."""
    known = languages(DATASET_OF[name])
    if language not in known:
        raise ValueError(f"unknown language {language!r}; the languages are {', '.join(known)}")
    path = next(path for folder in folders_of(language) if (path := folder / f"{name}.json").is_file())
    words: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return words


class Macros:
    """Hold what a template defines as attributes: macros, which are functions that return a text, and tables."""

    def __init__(self, said: Mapping[str, Any]) -> None:
        vars(self).update(said)

    def __getattr__(self, name: str) -> Callable[..., str]:
        """Raise AttributeError: whatever the template defines is found before."""
        raise AttributeError(f"the template has no macro {name!r}; it has {', '.join(vars(self))}")


def kept(module: Macros) -> Macros:
    """Return the macros of a template, each with its latest texts cached; arguments must be positional and hashable.

    Most sentences of a story were said before, in it or in another one, and a look-up takes a tenth of the time.
    """
    said = {name: macro for name, macro in vars(module).items() if callable(macro)}
    return Macros({name: lru_cache(maxsize=2048)(macro) for name, macro in said.items()})


def macros(language: str, name: str, **known: Any) -> Macros:
    """Return the macros of a template; `known` is what it may use besides, such as words of the lexicon."""
    environment = templates(language)
    environment.globals.update(known)
    module = environment.get_template(f"{name}.jinja").module
    return Macros({name: said for name, said in vars(module).items() if not name.startswith("_")})


def page(file: str, kind: str, *shown: Any, **known: Any) -> str:
    """Return what a command prints: the text of a macro of an English template; `known` is what it may use besides."""
    pages = macros(ENGLISH, file, dumps=json.dumps, thousands="{:,}".format, **known)
    return str(getattr(pages, kind)(*shown))
