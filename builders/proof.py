"""Own the proofs of labels: the formal column through the checkers, the English through `reader`.

The same for published data, whose labels are compared with those that their text has.
"""

import contextlib
import gzip
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import hi_tom
import mindgames
from builders import audit, difficulty, reader, s5, smcdel
from builders.belief import (
    SEMANTICS,
    answer_slot,
    beliefs,
    container_of,
    effective_order,
    has_watchers,
    lessons,
    no_watchers,
    order_sensitive,
    places,
    teacher,
)
from builders.formula import Bot, Not, Problem, Structure, Top, agent_name
from builders.problem_sampler import NAMED, Claim, Premise, coded, identity
from builders.story import Names, Place, Question, Story, Tell, check, loads, spell


class Wrong(Exception):
    """Say in one line what a user's input, files or data have wrong."""


@contextlib.contextmanager
def saying(where: str) -> Iterator[None]:
    """Turn a ValueError about a user's input into one line that says where."""
    try:
        yield
    except ValueError as error:
        raise Wrong(f"{where}{error}") from None


LABELS = {**mindgames.LABELS, None: "no world"}
"""What MindGames calls it when the hypothesis follows and when not; and the English that contradicts itself."""


MAY_BE_EMPTY = ("block", *difficulty.UNSCORED)
"""The columns that hold nothing in some rows."""
UNPUBLISHED = ("answer_published", "semantics_agree")
"""The columns that hold nothing in all deep rows: the published semantics has no watchers."""
RESCORED = 10
"""One row in so many is scored again."""


# Rows of ours.


def _score_fault(row: dict, row_id: str, config: dict, dataset: str) -> str | None:
    """Return what is wrong with the scores of a row; one in RESCORED is scored again."""
    return difficulty.fault(row, config["scorer"], dataset, zlib.crc32(row_id.encode()) % RESCORED == 0)


def prove_hi_tom(rows: list[dict], config: dict, file: str) -> Iterator[str | tuple[str, str, str]]:
    """Yield for each row what is wrong with it, or what must not repeat: whose its text is, the text, the problem."""
    for row in rows:
        try:
            fault = _hi_tom_fault(row, config, file)
        except ValueError as error:
            fault = str(error)
        yield fault or (row["story_id"], row["story"], f"{row['story']}\n{row['question']}")


def _hi_tom_fault(row: dict, config: dict, file: str) -> str | None:
    """Return what is wrong with a row, or None where both labels and all columns agree.

    `config` are the fields that the row was built with, `file` is where it stands. The label is computed from the
    formal column by `belief`, and from the English by `reader`; the English must say the formal story, nothing else.
    """
    deep = config["name"] == hi_tom.DEEP.name
    allowed = MAY_BE_EMPTY + UNPUBLISHED if deep else MAY_BE_EMPTY
    empty = [column for column, value in row.items() if value is None and column not in allowed]
    if empty:
        return f"{empty[0]} is empty"
    semantics = config["semantics"]
    story, names, asked = loads(row["events"])
    check(story)
    told, heard = reader.read_story(row["story"])
    if [spell(event, names) for event in story.events] != [spell(event, heard) for event in told.events]:
        return "the text does not say the formal story"
    question = reader.read_question(row["question"], heard)
    if [heard.agents[agent] for agent in question.chain] != row["chain"]:
        return "the question's agents are not the chain"
    if heard.things[question.thing] != names.things[asked]:
        return "the question is not about the thing asked about"
    chain = tuple(names.agents.index(agent) for agent in row["chain"])
    taught = lessons(story, asked)
    whole = (1 << len(chain)) - 1
    held = {each: beliefs(taught, chain, each) for each in (("recursive",) if deep else SEMANTICS)}
    formal = {each: container_of(of, whole) for each, of in held.items()}
    if None in formal.values():
        return "nothing teaches the chain"
    if row["story"] != row["story"].strip():
        return "story begins or ends with a space"
    verbs = {verb for verb in ("is", "are") if f"The {names.things[asked]} {verb} in" in row["story"]}
    if not question.searches and not verbs & set(row["question"].rstrip("?").split()):
        return f"question does not say {' or '.join(verbs)} of the {names.things[asked]}, as the story does"
    computed = {
        "order": len(chain),
        "answer": names.containers[formal[semantics]],
        "answer_published": None if deep else names.containers[formal["published"]],
        "semantics_agree": None if deep else formal["recursive"] == formal["published"],
        "effective_order": effective_order(held[semantics], len(chain), whole),
        "order_sensitive": order_sensitive(taught, chain, semantics),
        "answer_slot": answer_slot(taught, formal[semantics]),
        "n_places": len(places(taught)),
        "lines_since": len(story.events) - 1 - teacher(taught, chain, semantics).line,
        "n_lines": len(story.events),
        "n_claims": sum(isinstance(event, Tell) for event in story.events),
        "deception": any(isinstance(event, Tell) for event in story.events),
        "story_length": sum(isinstance(event, Place) for event in story.events),  # one in each chapter
        "n_agents": story.n_agents - (config["name"] == hi_tom.TOMH.name),  # there one more is the distractor
        "seed": config["seed"],
        "generator_version": config["version"],
        "id": f"{row['story_id']}-{len(chain)}",
    }
    for column, value in computed.items():
        if row[column] != value:
            return f"{column} is {row[column]!r}, the formal story gives {value!r}"
    for each, column in ((semantics, "answer"), ("published", "answer_published"))[: 1 if deep else 2]:
        read = reader.believe(told, question, each)
        if read is None or heard.containers[read] != row[column]:
            found = None if read is None else heard.containers[read]
            return f"{column} is {row[column]!r}, the text read by forward tables gives {found!r}"
    choices = row["choices"]
    if len(set(choices)) != len(choices) or row["answer_index"] != choices.index(row["answer"]):
        return f"answer_index is {row['answer_index']}, which is not where the answer stands among distinct choices"
    if config["name"] not in hi_tom.FAMILIES:
        if file.split("/")[0] != hi_tom.order_name(row["order"]):
            return f"a question of order {row['order']} stands in {file}"
    if not set(choices) >= set(names.containers):
        return f"choices lack {sorted(set(names.containers) - set(choices))}"
    return _score_fault(row, row["id"], config, "hi_tom")


def prove_mindgames(rows: list[dict], config: dict, file: str) -> Iterator[str | tuple[str, str, str]]:
    """Yield for each row what is wrong with it, or what must not repeat: whose its text is, the text, the problem.

    The label is computed from `smcdel_problem` by the checker of the config, and from the English by explicit sets of
    worlds; the English must say the formal problem. Four rows that follow one another must be a block (DESIGN, section
    5). Texts and problems are told apart up to renaming: a premise belongs to one block.
    """
    found: list[str | tuple[Premise, Claim]] = []
    asked = []
    for row in rows:
        try:
            found.append(_read_mindgames(row, config, file))
        except ValueError as error:
            found.append(str(error))
        if isinstance(found[-1], str):
            break
        structure, (query,) = smcdel.parse(row["smcdel_problem"])
        asked.append((structure, query.of))
    block: list[tuple[dict, Premise, Claim]] = []
    for row, each, follows in zip(rows, found, [*mindgames.follow(asked, config["checker"]), None], strict=False):
        if isinstance(each, str):
            yield each
            return
        if row["label"] != LABELS[follows]:
            yield f"label is {row['label']!r}, smcdel_problem gives {LABELS[follows]!r}"
            return
        premise, hypothesis = each
        problem = str(identity(premise, {}, hypothesis))
        if row["block"] is None:
            yield "", f"premise of {problem}", problem
            continue
        fault = None
        block.append((row, premise, hypothesis))
        if len(block) == 4:
            fault = _block_fault(block)
            block = []
        yield fault or (row["block"], str(identity(premise, {})), problem)


def read(row: dict) -> Problem:
    """Return the problem that the English of a row poses. Raises ValueError for one that cannot be read."""
    if None in (row["premise"], row["hypothesis"], row["names"], *(row["names"] or ())):
        raise ValueError("premise, hypothesis or names is empty")
    return reader.read_problem(row["premise"], row["hypothesis"], row["names"])[0]


def posed(
    row: dict,
    problem: Problem,
    group: str,
    reading: difficulty.Reading | None = None,
    probes: dict[str, bool | None] | None = None,
) -> audit.Posed:
    """Return a row of MindGames, and the problem that its English poses, for the audit."""
    premise, hypothesis, names = row["premise"], row["hypothesis"], row["names"]
    masked = (audit.mask(text, names) for text in (premise, hypothesis))
    pairs = audit.pairs(premise, hypothesis, names)
    return audit.Posed(group, problem, *masked, pairs, row["label"] == LABELS[True], reading, probes or {})


def _read_mindgames(row: dict, config: dict, file: str) -> str | tuple[Premise, Claim]:
    """Return what in a row is not as its English has it, or the problem that this poses where all columns agree."""
    empty = [column for column, value in row.items() if value is None and column not in MAY_BE_EMPTY]
    if empty:
        return f"{empty[0]} is empty"
    for column in ("premise", "hypothesis"):
        if row[column] != row[column].strip():
            return f"{column} begins or ends with a space"
    told = read(row)
    family = config["name"] if config["name"] in mindgames.FAMILIES else mindgames.FAMILIES[0]
    split = Path(file).stem
    premise, hypothesis = coded(told)
    levels = len(hypothesis[0])
    formal, pbcheck = mindgames.spell_problem(told.structure(), premise, hypothesis)
    number, place = divmod(row["index"], 4)
    index = number % mindgames.MOST
    computed = {
        "smcdel_problem": formal,
        "pbcheck": pbcheck,
        "label": LABELS[reader.follows(told)],
        "setup": told.setup,
        "n_agents": len(told.sees),
        "n_announcements": len(told.announcements) - 1,
        "hypothesis_depth": levels - 1,
        "s-l": f"{told.setup}-{levels - 1}",
        "n_worlds": len(s5.Checker(told.structure()).where(Not(told.announced(Bot())))),
        "needs_announcements": _needed(told),
        "n_worlds_before": len(s5.Checker(told.structure()).where(Top())),
        "shortest_proof": _shortest_proof(told),
        "index": 4 * mindgames.row_number(family, told.setup, split, index) + place,
        "block": None if family == "reproduction" else mindgames.block_name(family, told.setup, split, index),
        "seed": config["seed"],
        "generator_version": config["version"],
    }
    for column, value in computed.items():
        if row[column] != value:
            return f"{column} is {row[column]!r}, the text gives {value!r}"
    agents = [agent for agent, _, _ in hypothesis[0]]
    if len(premise.said) > len(told.sees) or any(len(said) > 1 for said, _ in premise.said):
        return "more is announced than a fact or what one agent knows of one, up to as many times as there are agents"
    if any(agent == other for agent, other in pairwise(agents)):
        return "the hypothesis says of one agent what he knows of his own knowledge"
    if len(told.sees) not in config["n_agents"]:
        return f"n_agents is {len(told.sees)}, asked for were {config['n_agents']}"
    if not 1 <= levels <= config["max_order"]:
        return f"the hypothesis is of order {levels}, asked for were 1 to {config['max_order']}"
    if file.split("/")[0] != (told.setup if family == mindgames.FAMILIES[0] else family):
        return f"a problem of {told.setup} stands in {file}"
    return _score_fault(row, str(row["index"]), config, "mindgames") or (premise, hypothesis)


def _needed(told: Problem) -> int:
    """Return how many announcements change the label, or leave no world, when one is left out."""
    checker = s5.Checker(told.structure())
    follows = checker.valid(told.claim())
    count = 0
    for place in range(len(told.announcements)):
        without = replace(told, announcements=told.announcements[:place] + told.announcements[place + 1 :])
        count += checker.valid(without.announced(Bot())) or checker.valid(without.claim()) != follows
    return count


def _shortest_proof(told: Problem) -> int:
    """Return how few of the announcements, kept in their order, give the label alone and leave a world."""
    checker = s5.Checker(told.structure())
    follows = checker.valid(told.claim())
    for count in range(len(told.announcements)):
        for said in combinations(told.announcements, count):
            only = replace(told, announcements=said)
            if checker.valid(only.claim()) == follows and not checker.valid(only.announced(Bot())):
                return count
    return len(told.announcements)


def _block_fault(block: list[tuple[dict, Premise, Claim]]) -> str | None:
    """Return what keeps four problems from being a block of two premises p, q and two hypotheses h, g of one form."""
    rows = [row for row, _, _ in block]
    premises = {premise for _, premise, _ in block}
    hypotheses = {hypothesis for _, _, hypothesis in block}
    entailed = [(premise, hypothesis) for row, premise, hypothesis in block if row["label"] == LABELS[True]]
    forms = {(tuple(level[1:] for level in levels), fact if fact < NAMED else NAMED + fact % 2)
             for levels, fact in hypotheses}  # fmt: skip
    if [row["index"] for row in rows] != list(range(rows[0]["index"], rows[0]["index"] + 4)) or rows[0]["index"] % 4:
        return "the four rows of its block do not stand together in the order of their index"
    if len({(premise, hypothesis) for _, premise, hypothesis in block}) != 4 or len(premises) != 2:
        return "its block is not two premises with two hypotheses"
    if len(forms) != 1:
        return "the hypotheses of its block have two forms"
    if len({identity(premise, {}) for premise in premises}) != 2:
        return "the premises of its block are renamings of one another"
    if any(row["names"] != rows[0]["names"] for row in rows):
        return "the names in its block differ"
    if len({premise.sees for premise in premises}) != 1:
        return "the agents of its block do not see the same in both premises"
    if [{each[place] for each in entailed} for place in (0, 1)] != [premises, hypotheses] or len(entailed) != 2:
        return "the labels of its block are not one entailment for each premise and each hypothesis"
    return None


# Published rows.

NOWHERE = -1
"""The number of a container that the story does not have."""
AUDITED = {"hi_tom": ("story", "question", "answer"), "mindgames": ("premise", "hypothesis", "label")}
"""The fields that a published row must have to be audited, all strings."""
TEXTS = {
    "hi_tom": ("story", "question", "answer"),
    "mindgames": ("premise", "hypothesis", "smcdel_problem", "label"),
}
"""The fields that a published row must have to be reread, all strings."""


def published_rows(path: Path, *shapes: tuple[str, ...]) -> Iterator[tuple[str, dict]]:
    """Read JSON lines, plain or gzipped, or the published `{"data": [...]}`; yield where each row stands, and the row.

    shapes: the fields that a row must have; of several shapes all rows have that of the first.
    Raises Wrong where there is none, and where one cannot be read or lacks a field.
    """
    expected = _expected(shapes)
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        reason = "it is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", None)
        reason = reason or f"it is no whole gzip file ({error})"
        raise Wrong(f"{path}: {reason}; expected JSON lines or the published JSON") from None
    whole = None
    with contextlib.suppress(ValueError, RecursionError):
        whole = json.loads(text)
    if isinstance(whole, dict) and "data" in whole:
        if not isinstance(whole["data"], list):
            raise Wrong(f'{path}: "data" is not a list of rows')
        rows = [(f"{path}, row {number}", row) for number, row in enumerate(whole["data"], 1)]
    else:
        rows = []
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    rows.append((f"{path}, line {number}", json.loads(line)))
                except (ValueError, RecursionError) as error:
                    raise Wrong(f"{path}, line {number}: not JSON ({error}); expected {expected}") from None
    if not rows:
        raise Wrong(f"{path}: no rows; expected one on each line: {expected}")
    for where, row in rows:
        shapes = tuple(
            shape for shape in shapes if isinstance(row, dict) and all(isinstance(row.get(key), str) for key in shape)
        )[:1]
        if not shapes:
            raise Wrong(f"{where}: expected {expected}")
        expected = _expected(shapes)
        yield where, row


def _expected(shapes: Iterable[tuple[str, ...]]) -> str:
    fields = " or ".join(f"{', '.join(shape[:-1])} and {shape[-1]}" for shape in shapes)
    return f"an object with {fields}, all strings"


def published_choices(row: dict) -> list[str]:
    """Return the choices of a published row, also where they are one string; none where it has none."""
    choices = row.get("choices", [])
    if isinstance(choices, str):
        return list(reader.read_choices(choices))
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise ValueError(f'choices is {choices!r}; expected a list of containers or "A. x, B. y, …"')
    return choices


def published_answer(answer: str, choices: list[str]) -> str:
    """Return the container that a published answer names, also where it is a letter or "B. red_box"."""
    letter, _, rest = answer.strip().partition(".")
    if answer in choices or len(letter) != 1 or not letter.isupper():
        return answer.strip()
    place = ord(letter) - ord("A")
    return rest.strip() or (choices[place] if place < len(choices) else letter)


def _asked_in(row: dict) -> tuple[Story, Names, Question, list[str], str]:
    """Return what a published row of Hi-ToM asks, its choices and its answer. Raises ValueError for one that cannot."""
    story, names = reader.read_story(row["story"])
    if has_watchers(story):
        raise no_watchers("published")
    question = reader.read_question(row["question"], names)
    choices = published_choices(row)
    return story, names, question, choices, published_answer(row["answer"], choices)


def _posed_in(where: str, row: dict) -> tuple[Problem, tuple[str, ...]]:
    """Return the problem that the English of a published row of MindGames poses, and the agents' names."""
    named = row.get("names")
    if named is not None and not (isinstance(named, list) and all(isinstance(name, str) for name in named)):
        raise Wrong(f"{where}: names is {named!r}; expected a list of names, or none")
    with saying(f"{where}: "):
        return reader.read_problem(row["premise"], row["hypothesis"], named)


def _probed(dataset: str, reading: difficulty.Reading) -> dict[str, bool | None]:
    """Return whether the embedded probe is right about a published row, None where it is beyond its limit."""
    found = difficulty.probe(difficulty.EMBEDDED, dataset).score(reading)["deberta_pred"]
    return {"probe": None if found is None else found == reading[2]}


def published_asked(rows: Iterable[tuple[str, dict]]) -> list[audit.Asked]:
    """Return the questions of published rows of Hi-ToM for the audit, with the probe's answers.

    They are grouped by order, and apart for each prompting type: the same questions were released once for each, with
    different answers.
    """
    rows = list(rows)
    types = {row.get("prompting_type") for _, row in rows}
    asked = []
    for where, row in rows:
        with saying(f"{where}: "):
            story, names, question, choices, answer = _asked_in(row)
        group = hi_tom.order_name(len(question.chain))
        # The probe chooses among the containers of the text; some rows have no choices, or others.
        known = list(dict.fromkeys([*choices, *names.containers, answer]))
        reading = difficulty.of_question(row["story"], row["question"], names, known, answer)
        asked.append(
            audit.Asked(
                f"{group} ({row.get('prompting_type')})" if len(types) > 1 else group,
                story,
                question.chain,
                question.thing,
                names.containers.index(answer) if answer in names.containers else NOWHERE,
                choices.index(answer) if answer in choices else None,
                "published",
                answer,
                len(choices or known),
                reading,
                _probed("hi_tom", reading),
            )
        )
    return asked


def published_questions(rows: Iterable[tuple[str, dict]]) -> Iterator[dict]:
    """Yield published rows of Hi-ToM as ours are, in the columns that scoring needs, each with where it stands.

    The prompt is its prompting_type. Where the answer is none of the choices, it is added to them.
    """
    for where, row in rows:
        with saying(f"{where}: "):
            story, names, question, choices, answer = _asked_in(row)
        claims = sum(isinstance(event, Tell) for event in story.events)
        yield {
            **row,
            "where": where,
            "prompt": row.get("prompting_type"),
            "choices": list(dict.fromkeys([*(choices or names.containers), answer])),
            "answer": answer,
            "order": len(question.chain),
            "n_claims": claims,
        }


def published_posed(rows: Iterable[tuple[str, dict]]) -> list[audit.Posed]:
    """Return the problems of published rows of MindGames for the audit, with the probe's answers and their own."""
    problems = []
    for where, row in rows:
        if row["label"] not in mindgames.LABELS.values():
            raise Wrong(f"{where}: label is {row['label']!r}; expected {' or '.join(mindgames.LABELS.values())}")
        problem, names = _posed_in(where, row)
        follows = row["label"] == LABELS[True]
        reading = difficulty.of_problem(row["premise"], row["hypothesis"], names, follows)
        probes = _probed("mindgames", reading)
        if isinstance(row.get("deberta_pred"), int):
            probes["deberta_pred, as published"] = row["deberta_pred"] == follows
        problems.append(posed({**row, "names": names}, problem, problem.setup, reading, probes))
    return problems


def reread_hi_tom(
    rows: Iterable[tuple[str, dict]],
) -> tuple[dict[tuple[str, str], Counter], dict[tuple[str, str], list[str]], list[dict]]:
    """Compare published labels with those read from the text.

    Returns for each (prompting type, order) how many agree, all published answers to each (story, question), and the
    rows that disagree with one of the semantics or both.
    """
    counts: dict[tuple[str, str], Counter] = defaultdict(Counter)
    answers: dict[tuple[str, str], list[str]] = defaultdict(list)
    disagreeing = []
    for where, row in rows:
        with saying(f"{where}: "):
            story, names, question, _, published = _asked_in(row)
        claims = any(isinstance(event, Tell) for event in story.events)
        read = {}
        for semantics in SEMANTICS:
            container = reader.believe(story, question, semantics)
            read[semantics] = None if container is None else names.containers[container]
        for group in {str(row.get("prompting_type", "all")), "all"}:
            for order in (f"order {len(question.chain)}", "total"):
                count = counts[group, order]
                count["questions"] += 1
                for semantics in SEMANTICS:
                    count[semantics, claims, "agree"] += read[semantics] == published
                count[claims] += 1
        if any(container != published for container in read.values()):
            labels = {f"read_{semantics}": container for semantics, container in read.items()}
            disagreeing.append({"where": where, **row, **labels})
        answers[row["story"], row["question"]].append(published)
    return counts, answers, disagreeing


def reread_mindgames(rows: Iterable[tuple[str, dict]]) -> tuple[dict[str, Counter], list[dict]]:
    """Count for each setup the published labels that follow from the formal problem and from the English.

    Returns the counts, and the rows whose label does not follow both ways.
    """
    counts: dict[str, Counter] = defaultdict(Counter)
    disagreeing = []
    for where, row in rows:
        problem, names = _posed_in(where, row)
        with saying(f"{where}: "):
            structure, queries = smcdel.parse(row["smcdel_problem"])
            match queries:
                case (smcdel.Valid(of),):
                    formal = LABELS[s5.Checker(structure).valid(of)]
                case _:
                    raise ValueError("smcdel_problem does not ask one VALID? question")
        english = LABELS[reader.follows(problem)]
        count = counts[problem.setup]
        count["rows"] += 1
        count["formal"] += formal == row["label"]
        count["english"] += english == row["label"]
        if not row["label"] == formal == english:
            why = "; ".join(other_eyes(structure, problem, names)) or "the sentences differ from the formulas"
            disagreeing.append({"where": where, **row, "read_formal": formal, "read_english": english, "why": why})
    return counts, disagreeing


def other_eyes(structure: Structure, problem: Problem, names: tuple[str, ...]) -> Iterator[str]:
    """Say which agents see other things in the English than the formal structure lets them observe."""
    observed = dict(structure.observes)
    for index, name in enumerate(names):
        seen = [names[atom - 1] for atom in problem.sees[index]]
        given = [names[atom - 1] for atom in observed.get(agent_name(index), ()) if 0 < atom <= len(names)]
        if seen != given:
            yield f"{name} sees {' and '.join(seen) or 'none'}, formally {' and '.join(given) or 'none'}"
