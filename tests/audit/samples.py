"""The small stories, questions and problems that tests of the audit share, and how they are measured."""

from support import REFERENCE, numbered

from tom_datasets.audit.problems import AuditedProblem
from tom_datasets.audit.rules import apply_rules
from tom_datasets.audit.shares import Outcomes, Share, count_shares
from tom_datasets.audit.stories import AuditedQuestion, depth_outcomes
from tom_datasets.reader.read_problems import read_problem
from tom_datasets.reader.read_stories import read_question, read_story

RELEASED = [REFERENCE / "hi_tom_released_half.jsonl", REFERENCE / "mindgames_validation.jsonl.gz"]


def measure(questions, fitted=()):
    """Return the table of questions."""
    return count_shares(apply_rules(list(questions), list(fitted)))


def depth_table(questions):
    """Return how deep questions are, by group."""
    return count_shares(Outcomes(asked.group, asked.chance, {}, depth_outcomes(asked)) for asked in questions)


def shares_of(table):
    """Return the shares alone."""
    return {group: {rule: share.share for rule, share in shares.items()} for group, shares in table.items()}


def as_table(shares, total=1000):
    """Return a table of these shares."""
    return {
        group: {rule: Share(round(total * share), total, 0.5) for rule, share in rates.items()}
        for group, rates in shares.items()
    }


# Emma leaves having seen the box, Jack the crate, Owen the drawer, then the crate again. Then claims.
STORY = """Emma, Jack and Owen entered the hall. The pear is in the box. The fig is in the tub. Emma likes the tub.
Emma exited the hall. Jack moved the pear to the crate. Jack exited the hall. Owen moved the pear to the drawer.
Owen likes the tub. Owen moved the pear to the crate. Owen exited the hall.
Emma, Jack and Owen entered the waiting_room. """
CLAIMS = """Owen publicly claimed that the pear is in the box now.
Jack privately told Emma that the pear is in the bottle now.
Jack publicly claimed that the fig is in the shelf now."""


def lines_of(story):
    """Return the sentences of a story as published, one numbered line each."""
    return numbered(*(f"{sentence}." for sentence in story.replace("\n", " ").strip(" .").split(". ")))


def ask(*chain, thing="pear"):
    """Return the question where a chain of agents thinks a thing is."""
    if not chain:
        return f"Where is the {thing} really?"
    thinks = [f"{agent} think{'s' * (place > 0)}" for place, agent in enumerate(chain)]
    return f"Where does {' '.join(thinks)} the {thing} is?"


def question_about(text, container, letter, group="g", semantics="recursive", story=STORY + CLAIMS, **more):
    """Return a question about a story whose answer is called so."""
    events, names = read_story(lines_of(story))
    question = read_question(text, names)
    answer = names.containers.index(container)
    return AuditedQuestion(group, events, question.chain, question.thing, answer, letter, semantics, container, **more)


ANN_AND_BOB = ("Ann", "Bob")
THAT = "Ann can now know that Bob is thirsty."


def problem_of(hypothesis, *clauses, follows=True, group="g", **more):
    """Return a problem about Ann and Bob, its names masked."""
    announced = ("someone is thirsty", *clauses)
    premise = "There are two persons. Everyone is visible to others."
    premise += "".join(f" It is publicly announced that {clause}." for clause in announced)
    problem, _ = read_problem(premise, hypothesis, ANN_AND_BOB)
    return AuditedProblem(group, problem, premise, hypothesis, ANN_AND_BOB, follows, **more)
