"""Prompts of rows, the rules that they print, and the task file for Inspect; nothing gives an answer away.

The wording is in `prompts.jinja` and `rules.jinja` of the language. It reads only columns that do not know the answer;
the labels in a five-shot prompt are those of other, solved problems. This module does not import `datasets`, so that
the tasks for the evaluation harnesses (`tasks/`) can ask the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from .columns import Row
from .groups import grouped_by
from .logic.config import FAMILIES, ORDERED
from .logic.config import setups_of as setups_of_family
from .splits import ENGLISH, language_of, language_of_name, plain_name
from .streams import stream
from .syntax.formula import LABELS, SETUPS
from .syntax.record import loads
from .syntax.rounds import MARKS
from .wording.languages import macros, templates
from .wording.stories import voice

# Styles of prompts by dataset: those of the Hi-ToM and the ToMH paper, and those of MindGames.
STYLES = {"hi_tom": ("vp", "cotp", "mc", "cot"), "mindgames": ("zero-shot", "five-shot")}
STYLE_OF = {"tomh": "mc"}  # the style of a config that comes from another paper than its dataset
STYLES_IN_WORDS = "; ".join(f"{', '.join(styles)} of {dataset}" for dataset, styles in STYLES.items())
# The style that asks for every belief of a story, of one agent or two, in one prompt; and the config that has it.
ALL_AT_ONCE, WHOLE = "all-at-once", "deep"
# The style that asks in which round a person first answers yes, for a number or "never"; and the config that has it.
NUMBER, IN_ROUNDS = "number", "rounds"
RULES = ("full", "paper")  # which rules a prompt has: our own, which settle every label, or what the papers print
# Replies that a prompt may ask for instead of its style's. All end with the line that a reward pays: any reasoning and
# that line, that line alone, an explanation and that line.
REPLIES = ("final-line", "answer", "explained")
# Configs that repeat what was published, so that their prompts have the papers' rules by default.
PUBLISHED = ("tomh", "reproduction")
# Columns that a prompt is made from; the first one names the row.
COLUMNS = {
    "hi_tom": ("id", "story", "question", "choices", "config", "language"),
    "mindgames": ("index", "premise", "hypothesis", "setup", "language"),
}
# Columns that a prompt takes besides: the kind of a question of `abilities`, and the seed, which draws examples.
ALSO = {"hi_tom": ("kind",), "mindgames": ("seed",)}
# Columns that a five-shot prompt takes besides, to choose its examples.
EXAMPLE_COLUMNS = ("premise", "block", "setup", "seed", "index")
TASK_FILE = "eval.yaml"  # file at the root of a folder in which Inspect looks for tasks
SHOTS = 5  # solved problems in a five-shot prompt
BLOCK = 4  # values of `index` that belong to one block, or to one single problem

Pool = dict[str, list[Row]]  # solved problems that a prompt may show, by label
# The fields of the configs that a folder was built from, by name, first those of the default config; or nothing.
Request = Mapping[str, Mapping[str, Any]]


def default_style(dataset: str, config: str) -> str:
    """Return the style of a config where none is named: its own paper's."""
    return STYLE_OF.get(config, STYLES[dataset][0])


def default_rules(config: str, request: Request) -> str:
    """Return the rules of a config of a build where none are named: ours, where its labels follow from them."""
    fields = request.get(config, next(iter(request.values()), {}))
    return "paper" if config in PUBLISHED or fields.get("semantics") == "published" else "full"


@lru_cache(maxsize=8)
def wording(language: str) -> Any:
    """Return the macros of a language, read once a process."""
    return macros(language, "prompts")


def wording_of(row: Mapping[str, Any]) -> Any:
    """Return the macros of the language of a row of either dataset, of English where the row does not say it."""
    return wording(language_of(row))


def ask(
    style: str,
    row: Row,
    shots: Sequence[Row] = (),
    language: str | None = None,
    rules: str = "full",
    reply: str | None = None,
) -> str:
    """Return the prompt of a row in one of STYLES, with one of RULES; it may ask for one of REPLIES.

    Style ALL_AT_ONCE asks about the row's whole story; it needs the column `events` too, and asks for JSON. NUMBER
    asks when the person whom the hypothesis names first says yes; it needs the column `names`.

    language: None for the row's own. `shots` are the solved problems of a five-shot prompt. The columns `config` and
    `kind` settle which rules a question needs. Raises ValueError for unknown rules, and for a style that its dataset
    does not have.
    """
    if rules not in RULES:
        raise ValueError(f"unknown rules {rules!r}; the rules are {', '.join(RULES)}")
    known = (
        (*STYLES["hi_tom"], ALL_AT_ONCE)
        if "story" in row
        else STYLES["mindgames"] + (NUMBER,) * (row["setup"] in MARKS)
    )
    if style not in known:
        raise ValueError(f"unknown style {style!r}; the styles are {', '.join(known)}")
    language = language or row["language"]
    macros = wording(language)
    if "story" in row:
        texts = row["story"], row["question"], row["choices"]
        family, kind = row["config"], row.get("kind")
        if style == ALL_AT_ONCE:
            _, names, thing = loads(row["events"])
            question = voice(language).ask({"kind": "all_at_once"}, names.things[thing])
            return str(macros.all_at_once(row["story"], question, names.agents, sorted(row["choices"]), rules, family))
        return str(macros.hi_tom(style, *texts, rules, family, reply, kind))
    if style == NUMBER:
        # The longest: a name may hold another.
        person = max([name for name in row["names"] if name in row["hypothesis"]], key=len)
        return str(macros.number(row["premise"], person, rules, [row["setup"]], reply or REPLIES[0]))
    solved = [(shot["premise"], shot["hypothesis"], shot["label"]) for shot in shots]
    return str(macros.mindgames(row["premise"], row["hypothesis"], solved, rules, [row["setup"]], reply=reply))


def asks_number(row: Mapping[str, Any]) -> bool:
    """Return whether NUMBER asks about a row: about each puzzle of a block once, beside the hypothesis that is so."""
    return row["first_yes"] is not None and row["label"] == LABELS[True]


def rules_of(row: Row, rules: str = "full") -> str:
    """Return the rules alone that a prompt of a row has; `paper` is the note of the EMNLP paper, for hi_tom only."""
    macros = wording_of(row)
    if "story" in row:
        return str(macros.story_rules(rules, row["config"], row.get("kind")))
    return str(macros.problem_rules([row["premise"]], [row["setup"]]))


def printed_rules() -> dict[str, str]:
    """Return the rules on docs/how_to/evaluate.md by name, as blocks of Markdown; mindgames has those of all setups."""
    rules = macros(ENGLISH, "rules")
    printed = {
        "rules of deep": rules.hi_tom("deep"),
        "rules of all": rules.hi_tom("all"),
        "rules of mindgames": rules.mindgames(SETUPS, True),
    }
    return {name: f"```text\n{text}\n```" for name, text in printed.items()}


def setups_of(config: str) -> tuple[str, ...]:
    """Return the setups that a config of mindgames may have."""
    plain = plain_name(config)
    return (plain,) if plain in SETUPS else setups_of_family(plain if plain in FAMILIES else next(iter(FAMILIES)))


def example_config(setup: str) -> str:
    """Return the config whose train split has the problems that prompts of a setup may show."""
    return IN_ROUNDS if setup in MARKS else setup


def example_pool(rows: Iterable[Row], setup: str) -> Pool:
    """Return the problems of a setup that a prompt may show, given the train split of its `example_config`."""
    by_label = grouped_by(itemgetter("label"), (row for row in rows if row["setup"] == setup))
    return {label: by_label.get(label, []) for label in LABELS.values()}


def shots(row: Row, pool: Pool) -> list[Row]:
    """Return the SHOTS solved problems that a row's prompt shows, in the order in which it shows them.

    All four problems of a block, two of each label, get the same examples. Blocks take turns: three examples have one
    label and two the other. So neither the labels nor their order say anything about the row's own label. No example is
    of the row's block or has its premise. Raises ValueError where the pool is too small.
    """
    turn = row["index"] // BLOCK
    drawn = stream("mindgames", row["seed"], "shots", turn)
    chosen = []
    for place, label in enumerate(pool):
        wanted = SHOTS // 2 + (turn % 2 == place) * (SHOTS % 2)
        # Of each label the row's block has two problems, and no other block has one with its premise.
        candidates = drawn.draw(pool[label], min(len(pool[label]), wanted + BLOCK))
        premise, block = row["premise"], row["block"] or ""
        others = [shot for shot in candidates if shot["premise"] != premise and shot["block"] != block]
        if len(others) < wanted:
            raise ValueError(
                f"{SHOTS} examples need {wanted} of {label}, and {len(others)} are there; build more train blocks"
            )
        chosen += others[:wanted]
    return drawn.shuffled(chosen)


def tasks_of(layout: dict[str, dict[str, list[str]]]) -> list[tuple[str, str]]:
    """Return the config and the split of each task of a folder: its test split or else its last.

    Config deep comes first, as the Hub's leaderboard shows the first task.
    """
    deep_first = sorted(layout.items(), key=lambda item: item[0] != "deep")
    return [(config, "test" if "test" in splits else list(splits)[-1]) for config, splits in deep_first]


def inspect_tasks(dataset: str, layout: dict[str, dict[str, list[str]]], request: Request) -> str:
    """Return TASK_FILE of a folder: one task for Inspect for each config, in the order of `tasks_of`.

    A task has the default rules of its config. In mindgames they speak of every setup that the config may have, and of
    showings where its kinds have them. A task is worded in the language of its config.
    """
    tasks = [
        {
            "config": config,
            "plain": plain,
            "words": wording(language_of_name(config)),
            "split": split,
            "style": default_style(dataset, config),
            "rules": default_rules(config, request),
            "setups": setups_of(config),
            "showings": plain in ORDERED and "showings" in request.get(config, {}).get("kinds", ()),
        }
        for config, split in tasks_of(layout)
        for plain in [plain_name(config)]
    ]
    return templates(ENGLISH).get_template(f"{TASK_FILE}.jinja").render(dataset=dataset, tasks=tasks) + "\n"
