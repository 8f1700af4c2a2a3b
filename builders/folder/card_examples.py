"""Own the card of a built folder: its YAML, and what `dataset_card.md` can ask of the Parquet and of worked examples.

The prose is in the template. Every number that it says of a build comes from `Rows`, which reads the Parquet files that
were just written.
"""

from collections.abc import Iterable

from builders.folder.card_rows import Rows
from builders.logic.formula import Announce, Bot, Formula, Not, Structure
from builders.logic.s5 import Checker
from builders.logic.smcdel.language import spell as spell_formula
from builders.logic.smcdel.parser import parse
from builders.story.coherence import check
from builders.story.meaning import SEMANTICS, lessons_about, teacher
from builders.story.record import extent, spell
from builders.story.syntax import WAITING_ROOM, Enter, Exit, Move, Place, Question, Story, Tell
from builders.streams import stream
from builders.voice import voice

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
    taught = lessons_about(CLAIMS, 0)
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
        structure, (asked,) = parse(problems[0]["smcdel_problem"])
        announced, formula = [], asked.formula
        while isinstance(formula, Announce):
            announced.append(formula.announcement)
            formula = formula.after
        steps = [
            (spell_formula(announced[told - 1]) if told else "", worlds(structure, announced[:told]))
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
