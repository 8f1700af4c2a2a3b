"""Prove that the printed rules state every clause of the meaning: without the clause, some row has another label."""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from support import ROOT, numbered

from tom_datasets.proof.problem_worlds import follows, updates, worlds_where
from tom_datasets.proof.read_problems import read_problem
from tom_datasets.proof.read_stories import read_story
from tom_datasets.story import meaning
from tom_datasets.syntax import scan
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.events import Like
from tom_datasets.syntax.formula import SETUPS, Atom, Knows, Not, Shown, exactly
from tom_datasets.syntax.record import loads
from tom_datasets.wording.languages import templates

OWN = templates("en").get_template("rules.jinja").module
DEEP, OTHER = (str(OWN.hi_tom(family)) for family in ("deep", "test"))

# Stories.

# In all stories but one Ann leaves first, then Ben, then Cleo. Ann sees the pear in the box, the others in the crate.
LEAVING = (
    "Ann, Ben and Cleo entered the hall.",
    "The pear is in the box.",
    "Ann exited the hall.",
    "Ben moved the pear to the crate.",
    "Ben exited the hall.",
    "Cleo exited the hall.",
    "Ann, Ben and Cleo entered the waiting_room.",
)
BACK = ("Cleo entered the hall.", "The pear is in the crate.")
ALONE = (*BACK, "Cleo moved the pear to the tub.", "Cleo exited the hall.")
WATCH = "Ann secretly watched the hall through the window."
WATCHED = (*LEAVING[:3], WATCH, *LEAVING[3:])
CLAIM = "Ben publicly claimed that the pear is in the jar now."
STORIES = {
    "leaving": LEAVING,
    "Ann comes back": (*LEAVING, "Ann entered the hall."),
    "Ann goes to the den": (*LEAVING[:2], "Ann entered the den.", *LEAVING[3:]),
    "Cleo comes back": (*LEAVING, *BACK),
    "again": (*LEAVING, *ALONE),
    "watched": WATCHED,
    "watched late": (*LEAVING[:5], WATCH, *LEAVING[5:]),
    "watched from the start": (*LEAVING, BACK[0], WATCH, BACK[1]),
    "watched, and again": (*WATCHED, *ALONE),
    "watched, claimed": (*WATCHED, CLAIM),
    "claimed, watched": (*LEAVING[:4], CLAIM, WATCH),
    "claimed": (*LEAVING, CLAIM),
    "claimed elsewhere": (
        *LEAVING,
        "Ann and Ben entered the den.",
        "Ann exited the den.",
        "Ben exited the den.",
        CLAIM,
    ),
    "told": (*LEAVING, "Cleo privately told Ben that the pear is in the jar now."),
    "told both": (*LEAVING, "Cleo privately told Ann and Ben that the pear is in the jar now."),
    "again, Ben told": (*LEAVING, *ALONE, "Ben privately told Ann that the pear is in the jar now."),
    "again, Cleo told": (*LEAVING, *ALONE, "Cleo privately told Ann that the pear is in the jar now."),
    "Ann likes": (*LEAVING, "Ann likes the crate."),
}

# The rule that states a clause, the clause, a story, a chain, its answer, and the answer where the clause is dropped.
CLAUSES = """
sight    | who enters sees the thing                        | Ann comes back         | Ann          | crate | box
sight    | who has left sees nothing more                   | leaving                | Ann          | box   | crate
sight    | entering another room is leaving                 | Ann goes to the den    | Ann          | box   | crate
sight    | who is there sees it together                    | again                  | Ben Cleo     | crate | None
place    | a thing is in the room that was entered last     | Cleo comes back        | Ann          | box   | crate
watching | a watcher sees what is moved                     | watched                | Ann          | crate | box
watching | a watcher sees what is said of the room          | watched from the start | Ann          | crate | box
watching | together with those inside                       | watched                | Ann Ben      | crate | box
watching | but not where it was put before                  | watched late           | Ann          | box   | crate
watching | nobody else knows of it                          | watched                | Ben Ann      | box   | crate
watching | until the chapter ends                           | watched, and again     | Ann          | crate | tub
watching | a watcher trusts no claim                        | watched, claimed       | Ann          | crate | jar
watching | nor takes the speaker to mean it                 | watched, claimed       | Ann Ben      | crate | jar
watching | others do not know that                          | watched, claimed       | Cleo Ann     | jar   | box
watching | a claim made before counts                       | claimed, watched       | Ann          | jar   | box
hearing  | all hear a public claim                          | claimed                | Ann          | jar   | box
hearing  | others do not hear a private one                 | told                   | Ann          | box   | jar
hearing  | and do not know of it                            | told                   | Ann Ben      | box   | jar
hearing  | hearers know of each other                       | told both              | Ann Ben      | jar   | box
words    | a claim moves nothing                            | claimed                | (really)     | crate | jar
words    | nor changes what its speaker thinks              | claimed                | Ben          | crate | jar
trust    | who left before the speaker trusts               | claimed                | Ann          | jar   | box
trust    | who left later does not                          | claimed                | Cleo         | crate | jar
trust    | who was not there trusts                         | again, Cleo told       | Ann          | jar   | box
trust    | nobody trusts a speaker who was not there        | again, Ben told        | Ann          | box   | jar
trust    | whatever the claim is about                      | claimed elsewhere      | Cleo         | jar   | crate
trust    | other chapters do not matter                     | again, Ben told        | Ann          | box   | jar
trust    | all know who left when                           | claimed                | Cleo Ann     | jar   | box
chapter  | entering the waiting_room begins no chapter      | claimed                | Ann          | jar   | box
belief   | who trusts believes                              | claimed                | Ann          | jar   | box
speaker  | the speaker takes all hearers to believe         | claimed                | Ben Cleo     | jar   | crate
speaker  | and the hearers know that                        | claimed                | Ann Ben Cleo | jar   | box
others   | but nobody shares that mistake                   | claimed                | Ben Ann Cleo | box   | jar
others   | hearers judge each other by the order of leaving | claimed                | Ann Cleo     | box   | jar
chain    | the latest line counts                           | again                  | Cleo         | tub   | box
chain    | all of the chain saw it                          | leaving                | Cleo Ann     | box   | crate
chain    | whether the first agent believes does not matter | claimed                | Cleo Ann     | jar   | box
chain    | who trusts takes the speaker to believe          | claimed                | Ann Ben      | jar   | box
chain    | who does not trust thinks of him as before       | claimed                | Cleo Ben     | crate | jar
absence  | nobody works out what others saw in his absence  | again                  | Ann Cleo     | box   | tub
nothing  | what somebody likes means nothing                | Ann likes              | Ann          | box   | crate
"""

LATER = "left.get(agent, -1) < left.get(speaker, -1)"
# How each clause is dropped: its code in `scan` or `meaning`, and what stands there instead.
DROPPED = {
    "who enters sees the thing": ("if room == scene.thing_room.get(thing) != WAITING_ROOM", "if False"),
    "who has left sees nothing more": ("scene.leave(event.agent, line)", "pass"),
    "entering another room is leaving": ("            self.leave(agent, line)\n", ""),
    "who is there sees it together": ("return not chain or bool(", "return not chain or len(chain) == 1 and bool("),
    "a thing is in the room that was entered last": (
        "(container, scene.inside[room]",
        "(container, -1 if isinstance(event, Place) else scene.inside[room]",
    ),
    "a watcher sees what is moved": ("scene.watching if room == scene.chapter_room else 0", "0"),
    "a watcher sees what is said of the room": (
        "scene.watching if room == scene.chapter_room",
        "scene.watching if room == scene.chapter_room and isinstance(event, Move)",
    ),
    "together with those inside": ("(minds | watching)", "(minds | (watching if len(chain) == 1 else 0))"),
    "but not where it was put before": (
        "            case Tell(",
        "            case Watch(agent, room) if thing in scene.place:\n"
        "                watching = scene.watching | 1 << agent\n"
        "                lesson = Lesson(scene.place[thing], scene.inside[room], line=line, watching=watching)\n"
        "            case Tell(",
    ),
    "nobody else knows of it": (
        "if not minds >> agent & 1:\n            return False",
        "if not (minds | watching) >> agent & 1:\n            return False",
    ),
    "until the chapter ends": ("self.chapter_room, self.watching = room, 0", "self.chapter_room = room"),
    "a watcher trusts no claim": (
        "lesson.trusting & ~watching if truster == chain[0] else lesson.trusting",
        "lesson.trusting",
    ),
    "nor takes the speaker to mean it": (
        "lesson.trusting & ~watching if truster == chain[0]",
        "lesson.trusting & ~watching if chain[1:] == ()",
    ),
    "others do not know that": ("& ~watching if truster == chain[0] else lesson.trusting", "& ~watching"),
    "a claim made before counts": (
        "    return [lesson for _, _, lesson in moments(story, thing) if lesson]\n",
        "    lessons = []\n"
        "    for event, scene, lesson in moments(story, thing):\n"
        "        lessons += [lesson] if lesson else []\n"
        "        if isinstance(event, Watch):\n"
        "            watching = scene.watching | 1 << event.agent\n"
        "            lessons = [one._replace(watching=watching * (one.speaker >= 0)) for one in lessons]\n"
        "    return lessons\n",
    ),
    "all hear a public claim": ("hearers or range(story.n_agents)", "hearers"),
    "others do not hear a private one": ("hearers or range(story.n_agents)", "range(story.n_agents)"),
    "and do not know of it": ("if not chain or not minds >> chain[0] & 1:", "if not chain:"),
    "hearers know of each other": (
        "    if chain[-1] != speaker:\n",
        "    if len(chain) > 1 and speaker not in chain:\n        return False\n    if chain[-1] != speaker:\n",
    ),
    "a claim moves nothing": (
        "    if not chain or not minds >> chain[0] & 1:",
        "    if not chain:\n        return True\n    if not minds >> chain[0] & 1:",
    ),
    "nor changes what its speaker thinks": (
        "    else:\n        return False\n    # Only",
        "    else:\n        return True\n    # Only",
    ),
    "who left before the speaker trusts": (LATER, "agent not in left and left.get(speaker, -1) >= 0"),
    "who left later does not": (LATER, "left.get(speaker, -1) >= 0"),
    "who was not there trusts": (LATER, "left.get(agent, inf) < left.get(speaker, -1)"),
    "nobody trusts a speaker who was not there": ("left.get(speaker, -1)", "left.get(speaker, inf)"),
    "who has not left counts as leaving last": ("agent: inf for", "agent: 0.0 for"),
    "whatever the claim is about": (
        LATER,
        f"{LATER} and scene.thing_room.get(thing) == scene.chapter_room",
    ),
    "other chapters do not matter": ("self.left = {agent: inf", "self.left |= {agent: inf"),
    "all know who left when": (
        "    if chain[-1] != speaker:\n",
        "    if chain[1:] and chain[-1] != speaker != chain[-2]:\n        return False\n    if chain[-1] != speaker:\n",
    ),
    "entering the waiting_room begins no chapter": ("        if room != WAITING_ROOM:", "        if True:"),
    "who trusts believes": ("        truster = chain[-1]\n", "        return False\n"),
    "whether the first agent believes does not matter": (
        "    if chain[-1] != speaker:\n",
        "    if not (lesson.trusting | 1 << speaker) >> chain[0] & 1:\n        return False\n"
        "    if chain[-1] != speaker:\n",
    ),
    "who trusts takes the speaker to believe": ("        truster = chain[-2]\n", "        return False\n"),
    "who does not trust thinks of him as before": ("        truster = chain[-2]\n", "        return True\n"),
    "the speaker takes all hearers to believe": ("        if speaker in chain[-2:-1]:\n            return True\n", ""),
    "and the hearers know that": ("if speaker in chain[-2:-1]:", "if chain[:-1] == (speaker,):"),
    "but nobody shares that mistake": ("if speaker in chain[-2:-1]:", "if speaker in chain[:-1]:"),
    "hearers judge each other by the order of leaving": (
        "        truster = chain[-1]\n",
        "        truster = chain[0]\n",
    ),
    "the latest line counts": ("in reversed(lessons)", "in lessons"),
    "all of the chain saw it": (
        "    for agent in chain[1:]:\n        if not minds >> agent & 1:\n            return False\n",
        "",
    ),
    "nobody works out what others saw in his absence": ("or bool((minds | watching) >> chain[0] & 1)", "or True"),
    "what somebody likes means nothing": (
        "            case Tell(",
        "            case Like(agent, container):\n"
        "                lesson = Lesson(container, 1 << agent, line=line)\n"
        "            case Tell(",
    ),
}


IMPORT = "from ..syntax.scan import Scene, mask, scan\n"


def belief_without(clause: str):
    """Return `belief` of a copy of `scan` and `meaning` in which a clause is dropped."""
    source = "".join(Path(module.__file__).read_text(encoding="utf-8") for module in (scan, meaning))
    source = source.replace("from .events", "from ..syntax.events").replace(IMPORT, "")
    code, instead = DROPPED[clause]
    assert code in source, f"neither scan.py nor meaning.py says any more that {clause}"
    copy = {"__name__": "meaning_without_a_clause", "__package__": "tom_datasets.story", "Like": Like}
    exec(compile(source.replace(code, instead), "meaning_without_a_clause", "exec"), copy)
    return copy["belief"]


def rows_of_clauses(clauses: str) -> list[tuple[str, ...]]:
    """Return the lines of a table of clauses."""
    return [tuple(cell.strip() for cell in line.split("|")) for line in clauses.strip().splitlines()]


@pytest.mark.parametrize(("rule", "clause", "told", "agents", "answer", "otherwise"), rows_of_clauses(CLAUSES))
def test_every_clause_changes_a_label_and_is_stated(rule, clause, told, agents, answer, otherwise):
    story, names = read_story(numbered(*STORIES[told]))
    check(story)
    chain = () if agents == "(really)" else tuple(names.agents.index(name) for name in agents.split())
    beliefs = [believe(story, chain, 0) for believe in (meaning.belief, belief_without(clause))]
    assert ["None" if belief is None else names.containers[belief] for belief in beliefs] == [answer, otherwise]
    assert f". {OWN.stories[rule]}" in (DEEP if WATCH in STORIES[told] else OTHER)


def test_every_rule_states_a_clause():
    """But for one: where an agent searches is not in the meaning of stories, but in the question."""
    assert {rule for rule, *_ in rows_of_clauses(CLAUSES)} == set(OWN.stories) - {"searching"}


def test_no_story_needs_the_clause_that_no_rule_states(tiny_build):
    """All claims are made once everybody has left the chapter's room."""
    without = belief_without("who has not left counts as leaving last")
    asked = 0
    for path in (tiny_build("hi_tom") / "hi_tom").glob("*/*.parquet"):
        for row in pq.read_table(path, columns=["events", "chain"]).to_pylist():
            story, names, thing = loads(row["events"])
            chain = tuple(map(names.agents.index, row["chain"]))
            assert without(story, chain, thing) == meaning.belief(story, chain, thing)
            asked += '"Tell"' in row["events"]
    assert asked >= 50, "stories with claims"


@pytest.mark.parametrize("family", ["deep", "test", "tomh"])
def test_the_rule_that_is_cited_has_its_number(family):
    assert "by rule 7," in OWN.stories["others"]
    assert f"\n7. {OWN.stories['belief']}\n" in str(OWN.hi_tom(family))


# Problems.

# The rule, the clause, how it is dropped, the premise, the hypothesis, and whether it follows. Without the clause the
# other label is right.
PROBLEM_CLAUSES = """
forehead | they see the others | blind | round | Cleo can now know that Cleo's forehead is muddy | yes
forehead | but not their own | see all | muddy | Ann can now know whether Ann's forehead is muddy | no
forehead_mirror | their own | see others | mirror | Ann can now know whether Ann's forehead is muddy | yes
forehead_mirror | all others | see own | mirror | Ann can now know whether Ben's forehead is muddy | yes
internal | they feel their own | blind | thirsty | Ann can now know whether Ann is thirsty | yes
internal | but not that of others | see all | thirsty | Ann can now know whether Ben is thirsty | no
explicit | what is shown | blind | shown | Ann can now know whether Ben picked a red card | yes
explicit | only that | see all | shown | Ann can now know whether Ann picked a red card | no
explicit | all see that | unsure | shown | Cleo can now know that Ann can know whether Ben picked a red card | yes
possible | nothing else is known | one only | muddy | Ann can now know whether Ann's forehead is muddy | no
announcements | in order | reversed | again | Ben can now know whether Ben's forehead is muddy | no
announcements | just before | at once | again | Ben can now know whether Ben's forehead is muddy | no
announcements | true and heard | unheard | round | Cleo can now know that Cleo's forehead is muddy | yes
common | all heard it | others did not | round | Ben can now know that Cleo can know that Cleo's forehead is muddy | yes
negation | only denies | knows that not | thirsty | Ann cannot know that Ben is thirsty | yes
can | at the end | unheard | round | Cleo can now know that Cleo's forehead is muddy | yes
can | that not | knows that | thirsty | Ann can now know whether Ann is thirsty | yes
true | in every case | in some | muddy | Ann can now know whether Ann's forehead is muddy | no
showing | truthfully | unheard | told | Cleo can now know whether Ann is thirsty | yes
showing | to one alone | to all | told | Ben can now know whether Ann is thirsty | no
showing | everybody notices | unheard | told | Ben can now know that Cleo can know whether Ann is thirsty | yes
showing | truthfully | unheard | seen | Cleo can now know whether Ann picked a red card | yes
showing | to one alone | to all | seen | Ben can now know whether Ann picked a red card | no
showing | everybody notices | unheard | seen | Ben can now know that Cleo can know whether Ann picked a red card | yes
"""
THREE = "There are three persons. Everyone is visible to others. "
SAID = "It is publicly announced that "
MUDDY, THIRSTY = f"{THREE}{SAID}someone's forehead is muddy.", f"{THREE}{SAID}someone is thirsty."
CARDS = f"{THREE}Each person draws a card, face unrevealed (red or black). {SAID}someone picked a red card."
PREMISES = {
    "muddy": MUDDY,
    "mirror": MUDDY.replace("others. ", "others. There is a mirror in the room. "),
    "round": f"{MUDDY} {SAID}Ann's forehead is not muddy. {SAID}Ben does not know whether Ben's forehead is muddy.",
    "again": f"{MUDDY} {SAID}Ann's forehead is muddy. {SAID}Ann knows whether Ann's forehead is muddy.",
    "thirsty": THIRSTY,
    "told": f"{THIRSTY} In front of all, Cleo alone is told whether Ann is thirsty.",
    "shown": CARDS.replace("black). ", "black). Ben's card is shown to Ann. "),
    "seen": f"{CARDS} In front of all, Ann's card is shown to Cleo alone.",
}
BLIND, EVERYTHING = ((), (), ()), ((1, 2, 3),) * 3


def seeing(problem, sees):
    """Return whether the hypothesis follows where each agent sees these atoms."""
    return follows(replace(problem, sees=sees))


def with_last(problem, *last):
    """Return whether the hypothesis follows where these stand for the last announcement."""
    return follows(replace(problem, announcements=(*problem.announcements[:-1], *last)))


def made_at_once(problem):
    """Return whether it follows where each announcement is about what is known after the first."""
    worlds, observed = updates(problem)[1]
    left = worlds.intersection(*(worlds_where(said, worlds, observed) for said in problem.announcements[1:]))
    return worlds_where(problem.hypothesis, left, observed) == left


def said_otherwise(problem, agent, formula):
    """Return whether it follows that an agent knows that a formula holds."""
    return follows(replace(problem, hypothesis=Knows(agent, formula)))


# How clauses are dropped: whether the hypothesis of a problem then follows.
WITHOUT = {
    "blind": lambda problem: seeing(problem, BLIND),
    "see all": lambda problem: seeing(problem, EVERYTHING),
    "see own": lambda problem: seeing(problem, ((1,), (2,), (3,))),
    "see others": lambda problem: seeing(problem, ((2, 3), (1, 3), (1, 2))),
    # Who looks on thinks both possible: that the card was seen, and that it was not.
    "unsure": lambda problem: follows(problem) and seeing(problem, BLIND),
    "one only": lambda problem: with_last(problem, exactly((Atom(1), Atom(2), Atom(3)), 1)),
    # The announcements after the first come the other way round.
    "reversed": lambda problem: follows(
        replace(problem, announcements=(problem.announcements[0], *problem.announcements[:0:-1]))
    ),
    "at once": made_at_once,
    "unheard": with_last,
    # Agents take others to have heard only the first announcement.
    "others did not": lambda problem: (
        updates(problem)[-1][0] <= worlds_where(problem.hypothesis.formula, *updates(problem)[1])
    ),
    "knows that not": lambda problem: said_otherwise(
        problem, problem.hypothesis.formula.agent, Not(problem.hypothesis.formula.formula)
    ),
    "knows that": lambda problem: said_otherwise(problem, problem.hypothesis.agent, problem.hypothesis.formula),
    "in some": lambda problem: bool(worlds_where(problem.hypothesis, *updates(problem)[-1])),
    "to all": lambda problem: with_last(problem, *(Shown(f"Agent{letter}", 1) for letter in "abc")),
}


@pytest.mark.parametrize(
    ("rule", "clause", "dropped", "premise", "hypothesis", "label"), rows_of_clauses(PROBLEM_CLAUSES)
)
def test_every_clause_of_problems_changes_a_label_and_is_stated(rule, clause, dropped, premise, hypothesis, label):
    problem, _ = read_problem(PREMISES[premise], f"{hypothesis}.", ["Ann", "Ben", "Cleo"])
    assert [follows(problem), WITHOUT[dropped](problem)] == [label == "yes", label == "no"]
    stated = OWN.showings[problem.setup] if rule == "showing" else {**OWN.sights, **OWN.problems}[rule]
    assert f". {stated}\n" in f"{OWN.mindgames([problem.setup], rule == 'showing')}\n"


def test_every_rule_of_problems_states_a_clause():
    assert {rule for rule, *_ in rows_of_clauses(PROBLEM_CLAUSES)} == {*OWN.sights, *OWN.problems, "showing"}


# The rules as they are printed.


def words(rules: str) -> int:
    """Return how many words rules have, without their heading."""
    return len(" ".join(line.partition(". ")[2] for line in rules.splitlines()[1:]).split())


def test_the_rules_are_short():
    assert words(OTHER) <= 350 and words(DEEP) <= 450
    assert all(words(str(OWN.mindgames([setup]))) <= 150 for setup in SETUPS)


def test_the_rules_are_numbered_and_those_of_watchers_stand_among_the_others():
    for rules in (DEEP, OTHER, str(OWN.hi_tom("tomh"))):
        lines = rules.splitlines()[1:]
        assert [line.partition(". ")[0] for line in lines] == [str(number) for number in range(1, len(lines) + 1)]
    kept = [line.partition(". ")[2] for line in OTHER.splitlines()]
    assert [
        sentence for sentence in (line.partition(". ")[2] for line in DEEP.splitlines()) if sentence in kept
    ] == kept
    assert str(OWN.hi_tom("ladder")) == DEEP


def test_every_setup_has_its_own_sight_and_shares_the_other_rules():
    printed = {setup: str(OWN.mindgames([setup])).splitlines() for setup in SETUPS}
    assert len({lines[1] for lines in printed.values()}) == len(SETUPS)
    assert len({tuple(lines[2:]) for lines in printed.values()}) == 1
    together = str(OWN.mindgames(SETUPS)).splitlines()
    assert together[1] == "1. " + " ".join(lines[1].removeprefix("1. ") for lines in printed.values())
    assert together[2:] == printed["internal"][2:]


def test_the_page_shows_the_rules():
    page = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    assert f"```text\n{DEEP}\n```" in page
    assert f"```text\n{OWN.mindgames(SETUPS, True)}\n```" in page
    assert OWN.stories["searching"] in page
