"""Errors of builders/: each that is raised says what is wrong, and what to do about it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from support import ROOT

from tom_datasets.reader.english import table

SOURCES = sorted((ROOT / "builders").rglob("*.py"))

# What a remedy is: an imperative that begins a clause, or what would be right.
DO = (
    "add ask build call change choose copy delete draw drop give install keep leave lower make move name pip propose "
    "publish put raise remove rename run say score see set show start take train unset use wait write"
).replace(" ", "|")
BEGINNING = r"(?:^|[:;,(] | so )"
RIGHT = (
    r"\bmust\b|\bmay be\b|\bexpected\b|\bneeds\b|\btakes (?:no|one)\b|; the (?:\w+ )+(?:of \{[^{}]*\} )?are \{"
    r"|\b(?:has|there are) (?:the \w+ )?(?:\{', '\.join|\d+ to )|; (?:it knows|such \w+ are): \{"
)
REMEDY = re.compile(f"{BEGINNING}(?:{DO})\\b|{RIGHT}")
# Of click, in its own words, or of a value that its option does not take. The program adds whose --help to read.
BY_CLICK = re.compile(r"Option .* requires an argument|Missing option|\{self\.wrong\}$")
# Of the reader of problems, in words of builders/reader/english.txt, which a test of their own reads.
REFUSAL = "{dict(table('refusal'))"
# Errors after which a user has nothing to mend.
NOT_THE_USERS = {
    "DisagreementError",  # shows to which problem two checkers give different labels
    "ProgramError",  # quotes what a program printed instead of an answer
    "ParseError",  # says in SMCDEL's own words what SMCDEL says of a text
    "NoRoomError",  # holds a number for the checker, which catches it and makes room
    "RuntimeError",  # the columns of rows that our own code made are wrong
}


@cache
def tree_of(path: Path) -> ast.Module:
    """Return a source, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"))


def calls(path: Path) -> list[ast.Call]:
    """Return the calls that make the errors which a source raises."""
    made = [node.exc for node in ast.walk(tree_of(path)) if isinstance(node, ast.Raise)]
    return [error for error in made if isinstance(error, ast.Call) and ast.unparse(error.func).endswith("Error")]


def test_every_error_that_is_raised_has_a_message():
    """Also those that no test provokes."""
    errors = [(path, error) for path in SOURCES for error in calls(path)]
    silent = [
        f"{path}, line {error.lineno}"
        for path, error in errors
        if not error.args or ast.unparse(error.args[0]) in ("''", "f''", "None")
    ]
    assert len(errors) > 300 and silent == []


def of_users() -> set[str]:
    """Return the names of all errors that builders/ raises, of UserError and of the classes derived from it.

    Those in NOT_THE_USERS are left out.
    """
    classes = [node for path in SOURCES for node in ast.walk(tree_of(path)) if isinstance(node, ast.ClassDef)]
    names = {"UserError"}
    while more := {one.name for one in classes if names & {ast.unparse(base) for base in one.bases}} - names:
        names |= more
    raised = {ast.unparse(error.func).split(".")[-1] for path in SOURCES for error in calls(path)}
    return (names | raised) - NOT_THE_USERS


def spelled(message: ast.expr) -> str:
    """Return a message with {source} where it holds a value."""
    match message:
        case ast.Constant():
            return str(message.value)
        case ast.JoinedStr():
            return "".join(map(spelled, message.values))
        case ast.FormattedValue():
            return f"{{{ast.unparse(message.value)}}}"
        case ast.IfExp():
            return spelled(message.body) + spelled(message.orelse)
        case ast.BinOp():
            return spelled(message.left) + spelled(message.right)
        case _:
            return f"{{{ast.unparse(message)}}}"


@dataclass
class Source:
    """Hold what a source gives to names: what is assigned, appended, a default, or what a function returns.

    ours: the names of errors that may be our own, whose messages have remedies.
    """

    tree: ast.AST
    given: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))
    ours: set[str] = field(default_factory=set)

    def __post_init__(self):
        """Look at each part once."""
        for node in ast.walk(self.tree):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self.given[name] += value.values if isinstance(value, ast.Dict) else [value]
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value]):
                    self.given[name].append(value)
                case ast.FunctionDef(name=name):
                    ends = [one for one in ast.walk(node) if isinstance(one, ast.Return | ast.Yield) and one.value]
                    self.given[name] += [one.value for one in ends]
                case ast.For(target=target, iter=value):
                    for name in {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}:
                        self.given[name].append(value)
                case ast.arguments(args=args, defaults=defaults) if defaults:
                    for arg, value in zip(args[-len(defaults) :], defaults, strict=True):
                        self.given[arg.arg].append(value)
                case ast.ExceptHandler(name=str(name), type=caught):
                    self.ours |= {name} if re.search("ValueError|UserError", ast.unparse(caught)) else set()

    def has_remedy(self, message: ast.expr, deep: int = 2) -> bool:
        """Return whether a message, or a value that it holds, says what to do or what would be right."""
        text = spelled(message)
        if REMEDY.search(text) or BY_CLICK.search(text) or text.startswith(REFUSAL):
            return True
        names = {one.id for one in ast.walk(message) if isinstance(one, ast.Name)}
        if any(re.search(rf"\{{(?:str\()?{name}\b", text) for name in names & self.ours):
            return True
        return deep > 0 and any(self.has_remedy(value, deep - 1) for name in names for value in self.given[name])


def messages(tree: ast.AST, classes: set[str]) -> Iterator[tuple[int, ast.expr]]:
    """Yield the line and the message of each error of these classes that a source makes, and of those of click."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            made = ast.unparse(node.func)
            if made.split(".")[-1] in classes or made.startswith("click.Bad") or made == "click.UsageError":
                yield node.lineno, node.args[made.endswith("BadOptionUsage")]
            elif made in ("ctx.fail", "self.fail"):
                yield node.lineno, node.args[0]


@pytest.mark.parametrize(
    ("message", "enough"),
    [
        ('f"{path} is damaged"', False),
        ('f"{path} is damaged: its checksum is not the one in its first line"', False),
        ('f"{path} cannot be read: {error.strerror}"', False),
        ('f"{path} holds a build that nobody can read or name"', False),
        ('f"--index is {index}"', False),
        ('f"{path} is damaged: delete it"', True),
        ('f"--index is {index}; it must be 0 or above"', True),
        ('f"unknown dataset {name!r}; the datasets are {known}"', True),
        ("f\"{config} has no split {split}; it has {', '.join(sizes)}\"", True),
        ('"a row has no explanation; use --reply answer"', True),
        ('"rows of two datasets; score one dataset at a time"', True),
        ('f"not a question: {question!r}; such questions are: {examples}"', True),
        ('f"line {line} is not a sentence that the reader knows: {sentence!r}; it knows: {examples}"', True),
        ('f"{path} was in use for a score"', False),
        ('f"{sentence!r} is not among the sentences that it knows: {line}"', False),
        ('f"such questions are: {examples}"', False),
    ],
)
def test_what_a_remedy_is(message, enough):
    assert Source(ast.parse("")).has_remedy(ast.parse(message, mode="eval").body) == enough


def test_every_error_says_what_to_do():
    """Or what would be right, but for errors after which nobody has anything to mend."""
    n_messages, bare = 0, []
    classes = of_users()
    for path in SOURCES:
        source = Source(tree_of(path))
        for line, message in messages(source.tree, classes):
            n_messages += 1
            if not source.has_remedy(message):
                bare.append(f"{path.relative_to(ROOT)}, line {line}: {spelled(message)}")
    assert n_messages > 350 and bare == []


def test_every_refusal_of_a_problem_says_what_to_do():
    refusals = dict(table("refusal"))
    assert len(refusals) > 10 and [words for words in refusals.values() if not REMEDY.search(words)] == []


def test_classes_that_need_no_remedy_are_raised():
    """So that no class stays exempt for nothing."""
    raised = {ast.unparse(error.func).split(".")[-1] for path in SOURCES for error in calls(path)}
    assert NOT_THE_USERS <= raised


def test_yields_and_loops_give_names_their_values():
    """A message may come out of a generator, through a loop."""
    source = "def faults():\n    yield 'it must end'\nfor fault in faults():\n    raise ValueError(fault)"
    tree = ast.parse(source)
    assert Source(tree).has_remedy(tree.body[1].body[0].exc.args[0])
    tree = ast.parse(source.replace("must end", "ends"))
    assert not Source(tree).has_remedy(tree.body[1].body[0].exc.args[0])
