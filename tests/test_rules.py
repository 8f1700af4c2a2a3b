"""Prove that the printed rules state every clause of the meaning: without the clause, some row has another label."""

import re
from dataclasses import replace

import pyarrow.parquet as pq
import pytest
from support import ROOT, SECRETS, numbered
from weaker_meanings import WITHOUT, Meaning

from tom_datasets.audit.page import with_tables
from tom_datasets.prompts import printed_rules
from tom_datasets.reader.problem_worlds import State, follows, updates
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.reader.read_stories import read_story
from tom_datasets.story.meaning import belief
from tom_datasets.syntax.coherence import check
from tom_datasets.syntax.formula import SETUPS, Atom, Knows, Not, Shown, exactly
from tom_datasets.syntax.record import loads
from tom_datasets.wording.languages import templates

OWN = templates("en").get_template("rules.jinja").module
WORDS = templates("en").get_template("setups.jinja").module.words_of
DEEP, OTHER, TOMH = (str(OWN.hi_tom(family)) for family in ("deep", "test", "tomh"))

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
WATCH = "Ann secretly watched the hall from outside."
IN_SECRET = tuple(line.partition(" ")[2] for line in SECRETS.splitlines())
WATCHED = (*LEAVING[:3], WATCH, *LEAVING[3:])
CLAIM = "Ben publicly claimed that the pear is in the jar now."
STORIES = {
    "leaving": LEAVING,
    "Ann comes back": (*LEAVING, "Ann entered the hall."),
    "to the den": (*LEAVING[:2], "Ann entered the den.", *LEAVING[3:]),
    "Cleo comes back": (*LEAVING, *BACK),
    "again": (*LEAVING, *ALONE),
    "watched": WATCHED,
    "watched late": (*LEAVING[:5], WATCH, *LEAVING[5:]),
    "watched first": (*LEAVING, BACK[0], WATCH, BACK[1]),
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
    # Ann, Ben, Cleo, Dan and Eve leave in this order, and the first three watch then. Only Dan and Eve see the crate,
    # only Eve the tub. Eve tells Ann that it is the jar, and Dan tells Ben and Eve that Cleo thinks it is the vase.
    "secrets": IN_SECRET,
    "noticed late": (*IN_SECRET[:5], IN_SECRET[8], IN_SECRET[5], *IN_SECRET[6:8]),
    "Cleo tells": (*IN_SECRET[:13], "Cleo privately told Ann that the pear is in the jar now."),
    "of two": (*IN_SECRET[:13], "Eve privately told Dan that Ann thinks Ben thinks the pear is in the jar now."),
}

# The rule that states a clause, in other stories and in deep ones, "-" for none; the clause, a story, a chain, its
# answer, and the answer where the clause is dropped.
CLAUSES = """
sight   | sight    | who enters sees the thing                  | Ann comes back     | Ann              | crate | box
sight   | sight    | who has left sees nothing more             | leaving            | Ann              | box   | crate
sight   | -        | entering another room is leaving           | to the den         | Ann              | box   | crate
sight   | sight    | who is there sees it together              | again              | Ben Cleo         | crate | None
place   | sight    | a thing is in the room entered last        | Cleo comes back    | Ann              | box   | crate
-       | watching | a watcher sees what is moved               | watched            | Ann              | crate | box
-       | watching | a watcher sees what is said of the room    | watched first      | Ann              | crate | box
-       | watching | and knows who is inside                    | watched            | Ann Ben          | crate | box
-       | watching | but not where it was put before            | watched late       | Ann              | box   | crate
-       | watching | until the chapter ends                     | watched, and again | Ann              | crate | tub
-       | noticing | nobody inside knows of a watcher           | watched            | Ben Ann          | box   | crate
-       | noticing | a watcher knows of those whom he noticed   | secrets            | Cleo Ben         | tub   | box
-       | noticing | but of no other watcher                    | secrets            | Ann Ben          | box   | tub
-       | noticing | nor do the noticed know who noticed them   | secrets            | Ann Ben Cleo Eve | box   | tub
-       | noticing | from that line on                          | noticed late       | Ben Ann          | box   | crate
-       | noticing | and he knows whom they noticed             | secrets            | Cleo Ben Ann Eve | tub   | box
hearing | hearing  | all hear a public claim                    | claimed            | Ann              | jar   | box
hearing | hearing  | others do not hear a private one           | told               | Ann              | box   | jar
hearing | hearing  | and do not know of it                      | told               | Ann Ben          | box   | jar
hearing | hearing  | hearers know of each other                 | told both          | Ann Ben          | jar   | box
-       | hearing  | who overhears it hears it                  | secrets            | Dan Eve          | jar   | crate
-       | hearing  | and knows who is told                      | secrets            | Dan Ann          | jar   | box
-       | hearing  | the speaker does not know of him           | secrets            | Eve Dan          | crate | jar
-       | hearing  | and knows of those whom he noticed         | secrets            | Dan Ben          | jar   | box
-       | hearing  | who was noticed does not know of it        | secrets            | Ben Dan          | crate | jar
words   | words    | a claim moves nothing                      | claimed            | (really)         | crate | jar
words   | words    | nor changes what its speaker thinks        | claimed            | Ben              | crate | jar
trust   | trust    | who left before the speaker trusts         | claimed            | Ann              | jar   | box
trust   | trust    | who left later does not                    | claimed            | Cleo             | crate | jar
trust   | trust    | who was not there trusts                   | again, Cleo told   | Ann              | jar   | box
trust   | trust    | nobody trusts a speaker who was not there  | again, Ben told    | Ann              | box   | jar
trust   | trust    | whatever the claim is about                | claimed elsewhere  | Cleo             | jar   | crate
trust   | trust    | other chapters do not matter               | again, Ben told    | Ann              | box   | jar
trust   | chapter  | all know who left when                     | claimed            | Cleo Ann         | jar   | box
-       | trust    | a watcher trusts no claim                  | watched, claimed   | Ann              | crate | jar
-       | trust    | nor takes the speaker to mean it           | watched, claimed   | Ann Ben          | crate | jar
-       | trust    | others do not know that                    | watched, claimed   | Cleo Ann         | jar   | box
-       | trust    | who noticed the watcher does               | secrets            | Ben Ann          | tub   | jar
-       | trust    | a claim made before counts                 | claimed, watched   | Ann              | jar   | box
chapter | chapter  | the waiting_room begins no chapter         | claimed            | Ann              | jar   | box
belief  | belief   | who trusts believes                        | claimed            | Ann              | jar   | box
speaker | speaker  | the speaker takes all hearers to believe   | claimed            | Ben Cleo         | jar   | crate
speaker | speaker  | and the hearers know that                  | claimed            | Ann Ben Cleo     | jar   | box
-       | speaker  | even those whom he noticed watching        | Cleo tells         | Cleo Ann         | jar   | tub
-       | speaker  | who overhears the claim knows that         | secrets            | Ann Dan Eve Cleo | vase  | box
others  | speaker  | but nobody shares that mistake             | claimed            | Ben Ann Cleo     | box   | jar
others  | counts   | hearers judge each other by who left when  | claimed            | Ann Cleo         | box   | jar
-       | thoughts | who believes it thinks that C thinks so    | secrets            | Ann Ben Cleo     | vase  | box
-       | thoughts | and where the thing is, as before          | secrets            | Dan Eve          | jar   | vase
-       | thoughts | nor does C think otherwise                 | secrets            | Cleo             | tub   | vase
chain   | chain    | the latest line counts                     | again              | Cleo             | tub   | box
chain   | counts   | all of the chain saw it                    | leaving            | Cleo Ann         | box   | crate
chain   | counts   | the first agent need not believe it        | claimed            | Cleo Ann         | jar   | box
chain   | belief   | who trusts takes the speaker to believe    | claimed            | Ann Ben          | jar   | box
chain   | counts   | who does not trust thinks of him as before | claimed            | Cleo Ben         | crate | jar
-       | content  | those before C must believe it             | secrets            | Eve Cleo         | box   | vase
-       | content  | somebody comes before those agents         | of two             | Ann Ben          | box   | jar
-       | content  | they come in that order                    | of two             | Dan Ben Ann      | box   | jar
-       | content  | and are the last ones                      | of two             | Dan Ann Ben Cleo | box   | jar
absence | nothing  | nobody works out what others saw           | again              | Ann Cleo         | box   | tub
nothing | nothing  | what somebody likes means nothing          | Ann likes          | Ann              | box   | crate
"""


def rows_of_clauses(clauses: str) -> list[tuple[str, ...]]:
    """Return the lines of a table of clauses."""
    return [tuple(cell.strip() for cell in line.split("|")) for line in clauses.strip().splitlines()]


@pytest.mark.parametrize(
    ("rule", "of_deep", "clause", "told", "agents", "answer", "otherwise"), rows_of_clauses(CLAUSES)
)
def test_every_clause_changes_a_label_and_is_stated(rule, of_deep, clause, told, agents, answer, otherwise):
    story, names = read_story(numbered(*STORIES[told]))
    check(story)
    chain = () if agents == "(really)" else tuple(names.agents.index(name) for name in agents.split())
    assert Meaning().belief(story, chain, 0) == belief(story, chain, 0)
    beliefs = [believe(story, chain, 0) for believe in (belief, WITHOUT[clause].belief)]
    assert ["None" if place is None else names.containers[place] for place in beliefs] == [answer, otherwise]
    assert rule == "-" or f". {OWN.stories[rule]}\n" in f"{OTHER}\n"
    assert of_deep == "-" or f". {OWN.deep_stories[of_deep]}\n" in f"{DEEP}\n"


def test_every_rule_states_a_clause():
    """But for one: where an agent searches is not in the meaning of stories, but in the question."""
    rules, of_deep, *_ = zip(*rows_of_clauses(CLAUSES), strict=True)
    assert {*rules, "searching"} - {"-"} == set(OWN.stories)
    assert {*of_deep} - {"-"} == set(OWN.deep_stories)


UNSTATED = "who has not left counts as leaving last"


def test_every_clause_that_can_be_dropped_is_tried():
    assert set(WITHOUT) == {clause for _, _, clause, *_ in rows_of_clauses(CLAUSES)} | {UNSTATED}


def test_no_story_needs_the_clause_that_no_rule_states(tiny_build):
    """All claims are made once everybody has left the chapter's room."""
    without = WITHOUT[UNSTATED]
    asked = 0
    for path in (tiny_build("hi_tom") / "hi_tom").glob("*/*.parquet"):
        for row in pq.read_table(path, columns=["events", "chain"]).to_pylist():
            story, names, thing = loads(row["events"])
            chain = tuple(map(names.agents.index, row["chain"]))
            assert without.belief(story, chain, thing) == belief(story, chain, thing)
            asked += '"Tell"' in row["events"] or '"Report"' in row["events"]
    assert asked >= 50, "stories with claims"


@pytest.mark.parametrize(
    ("rules", "citing", "number", "cited"),
    [
        ("stories", "others", 7, "belief"),
        ("deep_stories", "hearing", 4, "noticing"),
        ("deep_stories", "trust", 4, "noticing"),
        ("deep_stories", "speaker", 7, "trust"),
        ("deep_stories", "counts", 13, "content"),
    ],
)
def test_a_rule_that_is_cited_has_its_number(rules, citing, number, cited):
    named = getattr(OWN, rules)
    assert re.search(rf"\b[Rr]ule {number}\b", named[citing])
    for printed in (OTHER, TOMH) if rules == "stories" else (DEEP,):
        assert f"\n{number}. {named[cited]}\n" in printed


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
    first = updates(problem)[1]
    left = State(first.worlds.intersection(*map(first.where, problem.announcements[1:])), first.observed)
    return left.where(problem.hypothesis) == left.worlds


def said_otherwise(problem, agent, formula):
    """Return whether it follows that an agent knows that a formula holds."""
    return follows(replace(problem, hypothesis=Knows(agent, formula)))


# How clauses are dropped: whether the hypothesis of a problem then follows.
FOLLOWS_WITHOUT = {
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
        updates(problem)[-1].worlds <= updates(problem)[1].where(problem.hypothesis.formula)
    ),
    "knows that not": lambda problem: said_otherwise(
        problem, problem.hypothesis.formula.agent, Not(problem.hypothesis.formula.formula)
    ),
    "knows that": lambda problem: said_otherwise(problem, problem.hypothesis.agent, problem.hypothesis.formula),
    "in some": lambda problem: bool(updates(problem)[-1].where(problem.hypothesis)),
    "to all": lambda problem: with_last(problem, *(Shown(f"Agent{letter}", 1) for letter in "abc")),
}


@pytest.mark.parametrize(
    ("rule", "clause", "dropped", "premise", "hypothesis", "label"), rows_of_clauses(PROBLEM_CLAUSES)
)
def test_every_clause_of_problems_changes_a_label_and_is_stated(rule, clause, dropped, premise, hypothesis, label):
    problem, _ = read_problem(PREMISES[premise], f"{hypothesis}.", ["Ann", "Ben", "Cleo"])
    assert [follows(problem), FOLLOWS_WITHOUT[dropped](problem)] == [label == "yes", label == "no"]
    stated = (
        WORDS[problem.setup]["showing"]
        if rule == "showing"
        else (WORDS[rule]["sight"] if rule in WORDS else OWN.problems[rule])
    )
    assert f". {stated}\n" in f"{OWN.mindgames([problem.setup], rule == 'showing')}\n"


def test_every_rule_of_problems_states_a_clause():
    assert {rule for rule, *_ in rows_of_clauses(PROBLEM_CLAUSES)} == {*WORDS, *OWN.problems, "showing"}


# The rules as they are printed.


def words(rules: str) -> int:
    """Return how many words rules have, without their heading."""
    return len(" ".join(line.partition(". ")[2] for line in rules.splitlines()[1:]).split())


def test_the_rules_are_few_and_short():
    assert words(OTHER) <= 350 and words(DEEP) <= 600 and len(OWN.deep_stories) <= 14
    assert all(words(str(OWN.mindgames([setup]))) <= 150 for setup in SETUPS)


def test_the_rules_are_numbered_and_only_deep_stories_have_those_of_secret_minds():
    for rules in (DEEP, OTHER, TOMH):
        lines = rules.splitlines()[1:]
        assert [line.partition(". ")[0] for line in lines] == [str(number) for number in range(1, len(lines) + 1)]
    assert str(OWN.hi_tom("ladder")) == DEEP and "secret" not in OTHER + TOMH
    assert f". {OWN.stories['searching']}\n" in TOMH and OWN.stories["searching"] not in OTHER + DEEP


def test_woven_stories_have_one_rule_more():
    assert str(OWN.hi_tom("woven")) == f"{DEEP}\n{len(DEEP.splitlines())}. {OWN.naming}"
    page = (ROOT / "docs" / "reference" / "woven.md").read_text(encoding="utf-8")
    assert f"> {OWN.naming}\n" in page


def test_every_setup_has_its_own_sight_and_shares_the_other_rules():
    printed = {setup: str(OWN.mindgames([setup])).splitlines() for setup in SETUPS}
    assert len({lines[1] for lines in printed.values()}) == len(SETUPS)
    assert len({tuple(lines[2:]) for lines in printed.values()}) == 1
    together = str(OWN.mindgames(SETUPS)).splitlines()
    assert together[1] == "1. " + " ".join(lines[1].removeprefix("1. ") for lines in printed.values())
    assert together[2:] == printed["internal"][2:]


def test_the_page_shows_the_rules():
    page = (ROOT / "docs" / "how_to" / "evaluate.md").read_text(encoding="utf-8")
    texts = [*printed_rules().values()]
    assert texts == [f"```text\n{rules}\n```" for rules in (DEEP, OTHER, OWN.mindgames(SETUPS, True))]
    assert with_tables(page, printed_rules()) == page and OWN.stories["searching"] in page
