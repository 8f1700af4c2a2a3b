"""The command `score`: it prints how often a model's answers are right, and what they depend on."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..answers import beliefs, comparison, replies, reports, scores, step_scores
from ..answers.drawings import language_drawings
from ..answers.items import Item, published_items
from ..builds.pictures import draw_all
from ..configs import flag_of
from ..errors import UserError, located
from ..files import Drawings, write_lines
from ..proof.left_out import LeftOut
from ..proof.published_rows import AUDITED, published_rows
from ..splits import ENGLISH, plain_name
from ..topics import topic
from ..wording.languages import page
from ..work import steps
from . import every_eval_ever, leaderboard, people, transcripts
from .folders import builds, chosen
from .options import Parser, add_listed
from .published import UNREAD, hold_apart, hold_list, list_left_out

# Options that take one file of responses.
OF_ONE = ("style", "steps", "rows", "eval_results", "every_eval_ever", "pictures")
SHOWN = 5  # how many unread replies and wrong steps are printed; the report has all


def add_options(parser: Parser, words: list[str]) -> None:
    """Add the options of `score`; transcripts take the place of responses."""
    add_listed(parser, "score", {"responses_needed": "--transcripts" not in words})


class Scored(NamedTuple):
    """Hold the scores of one file of responses."""

    source: str  # what was answered, in words
    left_out: LeftOut  # published rows that cannot be read
    faults: list[str]  # which replies and items are left out, in words
    scores: Mapping[str, scores.Score]  # by prompt

    @property
    def replies(self) -> list[Item]:
        """Return all replies."""
        return next(iter(self.scores.values())).replies


def run(args: Namespace) -> None:
    """Print how often responses are right; print and write nothing where one cannot be scored."""
    taken = [*(args.responses or ()), args.data, args.transcripts]
    for name in ("rows", "report", "eval_results", "every_eval_ever"):
        if path := getattr(args, name):
            hold_apart(path, taken, flag_of(name))
            taken.append(path)
    if args.every_eval_ever:
        hold_apart(every_eval_ever.samples_file(args.every_eval_ever), taken, "--every-eval-ever")
    if args.transcripts:
        transcripts.run(args)
        return
    if args.reader == "human":
        people.run(args, asked_rows)
        return
    dataset, several = args.dataset, len(args.responses) > 1
    alone = [name for name in OF_ONE if getattr(args, name) and not (name == "pictures" and args.languages)]
    if several and alone:
        raise UserError(f"{flag_of(alone[0])} takes one file of responses; name one with --responses")
    if args.style:
        score_stories(args)
        return
    languages = args.languages or [None] * len(args.responses)
    if args.languages and not 1 < len({*languages}) == len(languages) == len(args.responses):
        raise UserError("--languages names the language of each file of --responses, two or more, each once")
    models: dict[str, Scored] = {}
    under_way = steps([file.name for file in args.responses], "scoring")
    for _, file, language in zip(under_way, args.responses, languages, strict=True):
        name = file.stem if [other.stem for other in args.responses].count(file.stem) == 1 else str(file)
        if (name := language or name) in models:
            raise UserError(f"{file} is named twice with --responses; name each file once")
        models[name] = scored(dataset, args, file, language)
    last = models[name]
    entries = leaderboard.entries_text(dataset, args, file, last.scores) if args.eval_results else None
    log = None
    if args.every_eval_ever:
        log = every_eval_ever.log_of(dataset, args, file, last.scores, asked_rows(dataset, args)[1])
    printed, report, drawings = (
        score_models(dataset, models, bool(args.languages)) if several else score_model(dataset, args, file, last)
    )
    said = [printed, *reports.write_report(args.report, report)]  # printed at last: who reads it may stop, as head does
    if entries:
        said.append(leaderboard.write(dataset, args, entries))
    if log:
        said.append(every_eval_ever.write(args.every_eval_ever, log))
    if args.rows:
        write_lines(args.rows, list(map(reports.reading_of, last.replies)))
        said.append(f"rows: {args.rows}")
    if args.pictures:
        drawn = draw_all(drawings, args.pictures, f"{dataset}_score_")
        said.append(f"drawn under {args.pictures}: {', '.join(file.name for file in drawn.values())}")
    unread = list_left_out(args, [last.left_out]) if args.data else ""
    print("\n".join(said))
    print(unread, end="")


def score_stories(args: Namespace) -> None:
    """Print how many of all beliefs of stories are right. Raises UserError for ids that do not fit."""
    source, rows = asked_rows(args.dataset, args)
    (file,), stories = args.responses, {row.get("story_id"): row for row in rows}
    asked = [Item(name, None, name, choices=(), answer=0, place=0, needs=None, groups={}) for name in stories]
    with located(""):
        given = [reply._replace(prompt=None) for reply in replies.read_replies(file, prompt=args.prompt)]
        items, faults = replies.match_replies(file, asked, given, args.partial, several=False)
    scored = beliefs.score_beliefs([stories[item.id] for item in items], {item.id: item.text for item in items})
    printed = page("score", "beliefs", file, source, faults, scored)
    shares = {
        group: {metric: {"share": rate.share, "low": rate.low, "high": rate.high} for metric, rate in rates.items()}
        for group, rates in scored["groups"].items()
    }
    report = {"dataset": args.dataset, "responses": file.name, "answers_to": source, "left_out": faults}
    print("\n".join([printed, *reports.write_report(args.report, {**report, **scored, "groups": shares})]))


def score_model(dataset: str, args: Namespace, file: Path, model: Scored) -> tuple[str, dict, Drawings]:
    """Return the page of a file of responses, its report and its pictures."""
    report = {"dataset": dataset, "responses": file.name, "answers_to": model.source, "left_out": model.faults}
    report |= {"scores": reports.scores_as_json(model.scores), "unread": reports.unread_replies(model.replies)}
    steps_of = None
    if args.steps:
        rows = {str(row[topic(dataset, "config").ID_COLUMN]): row for row in asked_rows(dataset, args)[1]}
        with located(""):
            steps_of = step_scores.score_steps(model.scores, rows)
        report["steps"] = step_scores.steps_as_json(steps_of)
    printed = page("score", "model", file, model, steps_of, shown=SHOWN, reports=reports)
    return printed, report, topic(dataset, "score").drawings(model.scores, model.source)


def score_models(dataset: str, models: Mapping[str, Scored], languages: bool) -> tuple[str, dict, Drawings]:
    """Return the page of several models, or languages, in one table, with how far each is above the first.

    The other results are the report, and the pictures of languages.
    """
    replies_of, alike, drawings = {name: model.replies for name, model in models.items()}, None, {}
    with located(""):
        for _ in steps([f"{len(models)} models"], "comparing"):
            compared = comparison.compare(dataset, replies_of)
    source = next(iter(models.values())).source
    report: dict[str, Any] = {"dataset": dataset, "answers_to": source}
    report["models"] = {
        name: {"left_out": model.faults, "scores": reports.scores_as_json(model.scores)}
        for name, model in models.items()
    }
    if languages:
        alike = comparison.answered_alike(dataset, replies_of)
        report["answered_alike"] = reports.as_json(alike)
        drawings = language_drawings(compared, alike, source)
    report["comparison"] = reports.as_json(compared)
    return page("score", "models", models, source, compared, scores.JOINT[dataset], alike), report, drawings


def scored(dataset: str, args: Namespace, file: Path, language: str | None = None) -> Scored:
    """Read and score a file of responses to a split, or to published data. language: the rows', if one is named.

    Raises UserError for ids that do not fit, unless --partial is given. Replies to published rows that cannot be read
    always fit.
    """
    left_out, names, asked = LeftOut(args.strict), set(), topic(dataset, "score")
    if args.data:
        hold_list(args.unread or UNREAD, [args.data, file, args.report], "--unread")
        rows = list(published_rows(args.data, AUDITED[dataset], left_out=left_out, named=True))
        source, items = args.data.name, published_items(dataset, rows, left_out)
        whole = [*(row for _, row in rows), *(unread["row"] for unread in left_out.rows)]
        names = {asked.name_of(row) for row in whole if isinstance(row, dict)}
    else:
        source, rows = asked_rows(dataset, args, language)
        items = asked.items(rows)
    with located(""):
        given = replies.read_replies(file, bool(args.data) and asked.NAMED_BY_FIELDS, args.prompt)
        responses = replies.named_by_id(given, names)
        unread = {name[:2] for name in names} - {item.key for item in items}
        answerable = replies.without_rows(file, responses, unread)
        items, faults = replies.match_replies(file, items, answerable, args.partial, not file.is_dir())
    if n_unread := len(responses) - len(answerable):
        faults.append(f"responses to rows that cannot be read: {n_unread:,}")
    return Scored(source, left_out, faults, scores.score(dataset, items))


def asked_rows(dataset: str, args: Namespace, language: str | None = None) -> tuple[str, list[dict]]:
    """Return which rows of a build were answered, in words, and these rows. language: the config's language."""
    (build,) = builds(args)
    split = args.split or "test"
    config = args.config
    if language:
        config = plain_name(config or next(iter(build.request))) + f"_{language}" * (language != ENGLISH)
    config, file = chosen(build, config, split)
    return f"{dataset}, {config}, {split} split, seed {build.default['seed']}", list(build.rows(file))
