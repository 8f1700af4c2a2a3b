"""Own the card of a built folder: its YAML, and what `dataset_card.md` can ask of the Parquet and of worked examples.

The prose is in the template. Every number that it says of a build comes from `Rows`, which reads the Parquet files that
were just written.
"""

import re
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import datasets
import jinja2
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import yaml
from datasets.info import DatasetInfosDict

from builders import smcdel
from builders.belief import SEMANTICS, lessons, teacher
from builders.formula import Announce, Bot, Formula, Not, Structure
from builders.s5 import Checker
from builders.story import WAITING_ROOM, Enter, Exit, Move, Place, Question, Story, Tell, check, extent, spell
from builders.streams import stream
from builders.voice import voice

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = "dataset_card.md"
SIZE_CATEGORIES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"),
    (10**9, "100M<n<1B"),
    (float("inf"), "1B<n<10B"),
)
"""The Hub's names for how many rows there are."""


class Rows:
    """Read rows of Parquet files, one column at a time, for the template to count.

    `kept` are the indices of the rows that are meant, None for all; `read` are the columns read so far.
    """

    def __init__(self, files: Iterable[Path], kept: pa.Array | None = None, read: dict[str, Any] | None = None) -> None:
        self._files = list(files)
        self._kept = kept
        self._read: dict[str, Any] = {} if read is None else read

    def __len__(self) -> int:
        if self._kept is None:
            return sum(pq.read_metadata(file).num_rows for file in self._files)
        return len(self._kept)

    def column(self, name: str) -> Any:
        """Return the values of a column, as Arrow has them."""
        if name not in self._read:
            self._read[name] = pa.concat_tables(pq.read_table(file, columns=[name]) for file in self._files)[name]
        return self._read[name] if self._kept is None else self._read[name].take(self._kept)

    def _only(self, true: Any) -> "Rows":
        found = pc.indices_nonzero(true)
        return Rows(self._files, found if self._kept is None else self._kept.take(found), self._read)

    def where(self, name: str, *values: Any) -> "Rows":
        """Return the rows where the column has one of these values."""
        column = self.column(name)
        return self._only(pc.is_in(column, value_set=pa.array(values, column.type)))

    def empty(self, name: str) -> "Rows":
        """Return the rows where the column has nothing."""
        return self._only(pc.is_null(self.column(name)))

    def below(self, name: str, bound: float) -> "Rows":
        """Return the rows where the column is below a bound."""
        return self._only(pc.less(self.column(name), bound))

    def above(self, name: str, bound: float) -> "Rows":
        """Return the rows where the column is above a bound."""
        return self._only(pc.greater(self.column(name), bound))

    def containing(self, name: str, text: str) -> "Rows":
        """Return the rows where the column has this text somewhere."""
        return self._only(pc.match_substring(self.column(name), text))

    def same(self, name: str, other: str) -> "Rows":
        """Return the rows where two columns are equal."""
        return self._only(pc.equal(self.column(name), self.column(other)))

    def by(self, name: str) -> list[tuple[Any, "Rows"]]:
        """Return each value of the column, in ascending order, with its rows."""
        return [(value, self.where(name, value)) for value in sorted(self.column(name).unique().to_pylist())]

    def distinct(self, *names: str) -> int:
        """Return how many different values the columns together have, those with nothing left out."""
        found = set(zip(*(self.column(name).to_pylist() for name in names), strict=True))
        return sum(None not in values for values in found)

    def mean(self, name: str) -> str:
        """Return the mean of the column, – where there are no rows."""
        mean = pc.mean(self.column(name)).as_py()
        return "–" if mean is None else f"{mean:.1f}"

    def span(self, name: str) -> str:
        """Return the least and the greatest value of the column, one where they are the same, – for no rows."""
        ends = pc.min_max(self.column(name)).as_py()
        return "–" if ends["min"] is None else "–".join(map(str, dict.fromkeys((ends["min"], ends["max"]))))

    def only(self, name: str) -> Any:
        """Return the value that all rows have in the column; raise ValueError where they differ."""
        (value,) = self.column(name).unique().to_pylist()
        return value

    def shares(self, name: str) -> list[float]:
        """Return in ascending order which share of the rows each value of the column has."""
        return sorted(len(rows) / len(self) for _, rows in self.by(name))

    def dicts(self, *names: str) -> list[dict]:
        """Return the rows with these columns only."""
        return pa.table({name: self.column(name) for name in names}).to_pylist()


def per_cent(part: Rows, whole: Rows) -> str:
    """Return how many of the rows those of `part` are, in per cent; – where there are none."""
    return f"{100 * len(part) / len(whole):.1f}" if len(whole) else "–"


def type_of(feature: Any) -> str:
    """Return how the card names the type of a column."""
    match feature:
        case datasets.ClassLabel(names=names):
            return f"class label: {', '.join(names)}"
        case datasets.Value(dtype=dtype):
            return dtype
        case _:
            return f"list of {type_of(feature.feature)}"


def columns(builder: type) -> dict[str, str]:
    """Return what each column holds, as the builder's docstring describes it."""
    described = textwrap.dedent((builder.__doc__ or "").partition("Columns:\n")[2])
    lines = re.sub(r"\n +", " ", described.strip()).splitlines()
    return {name: text.strip() for name, text in (line.split(":", 1) for line in lines)}


# Worked examples.


CLAIMS = Story(
    3,
    (
        Enter((0, 1, 2), 1),
        Place(0, 0),
        Move(0, 0, 1),
        Exit(0, 1),
        Move(1, 0, 2),
        Exit(1, 1),
        Exit(2, 1),
        Enter((0, 1, 2), WAITING_ROOM),
        Tell(2, (), 0, 3),
        Tell(2, (1,), 0, 4),
    ),
)
"""A chapter in which A sees less than B, and B less than C, who then lies to both, and once more to B alone."""
CHAINS = ("", "A", "B", "C", "AB", "BA", "AC", "CB", "ABC")
"""The chains of agents asked about, A being agent 0."""


def claims_example(language: str) -> dict:
    """Return the story CLAIMS in words, with the belief of each of CHAINS under each of SEMANTICS and its line."""
    check(CLAIMS)
    say = voice(language)
    names = say.names(stream("card", language), 0, CLAIMS.n_agents, *extent(CLAIMS))
    taught = lessons(CLAIMS, 0)
    asked = {}
    for letters in CHAINS:
        chain = tuple(map("ABC".index, letters))
        found = {semantics: teacher(taught, chain, semantics) for semantics in SEMANTICS}
        asked[letters] = {
            "question": say.say(*spell(Question(chain, 0), names)),
            **{
                semantics: {"answer": names.containers[lesson.container], "line": lesson.line + 1}
                for semantics, lesson in found.items()
            },
        }
    story = say.story([spell(event, names) for event in CLAIMS.events])
    return {"story": story, "agents": names.agents, "asked": asked}


def block_example(rows: Rows) -> list[dict]:
    """Return one of the smallest blocks: its premises, the worlds that each announcement leaves, and its problems.

    Of the blocks with the fewest agents that is the first in which the most announcements are needed.
    """
    needs: dict[str, tuple[int, int]] = {}
    for row in rows.dicts("block", "n_agents", "needs_announcements"):
        before = needs.get(row["block"], (row["n_agents"], 0))
        needs[row["block"]] = (row["n_agents"], before[1] - row["needs_announcements"])
    block = rows.where("block", min(needs, key=needs.__getitem__))
    names = ("premise", "hypothesis", "label", "names", "smcdel_problem", "needs_announcements", "shortest_proof")
    premises: dict[str, list[dict]] = {}
    for row in block.dicts(*names):
        premises.setdefault(row["premise"], []).append(row)
    shown = []
    for premise, problems in premises.items():
        structure, (asked,) = smcdel.parse(problems[0]["smcdel_problem"])
        announced, formula = [], asked.of
        while isinstance(formula, Announce):
            announced.append(formula.said)
            formula = formula.then
        steps = [
            (smcdel.spell(announced[told - 1]) if told else "", worlds(structure, announced[:told]))
            for told in range(len(announced) + 1)
        ]
        named = [(said, [[problems[0]["names"][atom - 1] for atom in world] for world in left]) for said, left in steps]
        shown.append({"premise": premise, "steps": named, "problems": problems})
    return shown


def worlds(structure: Structure, announced: Iterable[Formula]) -> list[tuple[int, ...]]:
    """Return the worlds that announcements leave, each as the atoms that are true in it."""
    nothing: Formula = Bot()
    for said in reversed(list(announced)):
        nothing = Announce(said, nothing)
    return Checker(structure).where(Not(nothing))


# The card.


def render(
    folder: Path,
    dataset: str,
    request: dict,
    features: datasets.Features,
    layout: dict[str, dict[str, list[str]]],
    files: dict[str, dict],
    metadata: dict,
    about: dict,
) -> str:
    """Return the card: the YAML that the Hub and `load_dataset` read, and prose with the numbers of this build.

    `folder` holds the Parquet files of `layout`, whose rows and sizes `files` has; `metadata` opens the YAML; `about`
    is what else the template is given. Raises jinja2.UndefinedError for a name that the template does not have.
    """
    default = next(iter(layout))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(ROOT),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"per_cent": per_cent, "type_of": type_of, "thousands": "{:,}".format}
    environment.globals |= {"claims_example": claims_example, "block_example": block_example}
    metadata = metadata | {
        "size_categories": [size_category(sum(facts["rows"] for facts in files.values()))],
        "configs": [
            {
                "config_name": config,
                **({"default": True} if config == default else {}),
                "data_files": [{"split": split, "path": paths} for split, paths in splits.items()],
            }
            for config, splits in layout.items()
        ],
    }
    DatasetInfosDict(infos(dataset, features, layout, files)).to_dataset_card_data(metadata)
    return environment.get_template(TEMPLATE).render(
        dataset=dataset,
        metadata=yaml.safe_dump(metadata, sort_keys=False, allow_unicode=True).rstrip(),
        parquet={
            config: {split: Rows(folder / path for path in paths) for split, paths in splits.items()}
            for config, splits in layout.items()
        },
        default=default,
        features=features,
        request=request,
        **about,
    )


def size_category(rows: int) -> str:
    """Return the Hub's name for so many rows."""
    return next(name for most, name in SIZE_CATEGORIES if rows < most)


def infos(
    dataset: str, features: datasets.Features, layout: dict[str, dict[str, list[str]]], files: dict[str, dict]
) -> dict[str, datasets.DatasetInfo]:
    """Return what `datasets` is told of each config: its features, and the size of its splits."""
    found = {}
    for config, splits in layout.items():
        counted = {
            split: datasets.SplitInfo(
                split,
                num_bytes=sum(files[file]["memory"] for file in paths),
                num_examples=sum(files[file]["rows"] for file in paths),
                dataset_name=dataset,
            )
            for split, paths in splits.items()
        }
        found[config] = datasets.DatasetInfo(
            features=features,
            splits=datasets.SplitDict(counted),
            download_size=sum(files[file]["bytes"] for paths in splits.values() for file in paths),
            dataset_size=sum(split.num_bytes for split in counted.values()),
        )
    return found
