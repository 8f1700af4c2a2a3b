"""The command `score`: it prints how often a model's answers are right, and what they depend on."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from ..answers import beliefs, comparison, numbers, replies, reports, scores, step_scores
from ..answers.drawings import horizon_drawings, language_drawings
from ..answers.horizon import Horizon
from ..answers.items import Item, published_items
from ..builds.pictures import draw_all
from ..configs import flag_of
from ..dataset import dataset_named
from ..errors import UserError, located
from ..files import Drawings, write_lines
from ..prompts import asks_number
from ..proof.left_out import LeftOut
from ..proof.published_rows import AUDITED, published_rows
from ..wording.languages import page
from ..work import steps
from . import every_eval_ever, leaderboard, people
from .options import STRICT_HELP, UNREAD_HELP, command, dataset, option, out
from .published import UNREAD, hold_apart, hold_list, list_left_out
from .scoring import Answered, Evaluation, Scoring, asked_rows
from .transcripts import score_transcripts
from .values import ADDRESS, COMMIT, DAY, JSON_PATH, PATH, REPOSITORY

# Options that take one file of responses.
OF_ONE = ("style", "steps", "rows", "eval_results", "every_eval_ever", "pictures")
SHOWN = 5  # how many unread replies and wrong steps are printed; the report has all
SENT = ("--eval-results", "--every-eval-ever")  # options that write scores for others
# Options that say nothing of episodes of the game.
OF_REPLIES = (
    *("--responses", "--languages", "--config", "--split", "--data", "--prompt", "--style", "--partial", "--steps"),
    *("--strict", "--unread", "--rows", "--reader", *SENT),
)
OF_ROWS = ("--data", "--languages", "--steps", "--rows", "--pictures", *SENT)  # those that whole stories do not take


class Scored(NamedTuple):
    """Hold the scores of one file of responses."""

    source: str  # what was answered, in words
    left_out: LeftOut  # published rows that cannot be read
    faults: list[str]  # which replies and items are left out, in words
    scores: Mapping[str, scores.Score]  # by prompt

    @property
    def replies(self) -> Sequence[Item]:
        """Return all replies."""
        return next(iter(self.scores.values())).replies


@command("score")
@dataset
@option(
    "--responses",
    type=PATH,
    several=True,
    metavar="JSONL",
    help="JSON lines with id (in mindgames the index), response, and optionally prompt and usage, one or more for each "
    "id; with --data also Hi-ToM's folder of answers; several files are compared, each as the model it is named after",
)
@option(
    "--transcripts",
    type=PATH,
    without=OF_REPLIES,
    metavar="JSONL",
    help="score episodes of the game instead, as play writes them (with hi_tom, --report and --pictures)",
)
@option(
    "--languages",
    "--worlds",
    several=True,
    without=["--data"],
    metavar="NAME",
    help="the language or world of each file, such as en fr zh or house call log: each file answers the config in it; "
    "they are compared, and the first is where a model was trained",
)
@out
@option("--config", metavar="NAME", help="default: the default config of the build")
@option("--split", metavar="NAME", help="default: test")
@option(
    "--data",
    type=PATH,
    without=["--config", "--split"],
    metavar="FILE",
    help="score published data instead; responses to Hi-ToM then have the fields that name a question, or a number",
)
@option(
    "--prompt",
    metavar="NAME",
    help="prompt name for responses that give none; responses that name another prompt are ignored",
)
@option(
    "--style",
    type=click.Choice(["all-at-once", "number"]),
    without=OF_ROWS,
    help="all-at-once: responses to that style of prompts, by story, are scored by precision, recall and F1; number: "
    "responses to that style, of the config rounds, are right where they name the round, or never",
)
@option(
    "--reader",
    type=click.Choice(["model", "human"]),
    help="human: people gave the responses, each a letter or a choice; a file has one person's, to a sample or to all "
    "(default: model)",
)
@option(
    "--partial",
    is_flag=True,
    help="if ids are missing or unknown, score the stories and blocks that have all their responses; if ids have "
    "different numbers of responses, score the smallest number for each",
)
@option(
    "--steps",
    is_flag=True,
    without=["--data"],
    help="score the steps of responses too, in the form of the column explanation (docs/reference/explanations.md)",
)
@option("--strict", is_flag=True, needs=["--data"], help=STRICT_HELP)
@option("--unread", type=PATH, needs=["--data"], metavar="JSONL", help=UNREAD_HELP)
@option("--report", type=PATH, metavar="JSON", help="where to write all figures as JSON")
@option(
    "--rows",
    type=PATH,
    metavar="JSONL",
    help="where to write what was read in each response, and whether it is right, as JSON lines",
)
@option(
    "--pictures",
    type=PATH,
    metavar="FOLDER",
    help="where to write pictures like those of the papers; of several files, the languages or the horizons",
)
@option(
    "--eval-results",
    type=PATH,
    needs=["--model-id", "--dataset-id", "--revision"],
    without=["--data"],
    metavar="YAML",
    help="write the entries for the Hub's leaderboard, one for each task of eval.yaml that was answered completely",
)
@option(
    "--every-eval-ever",
    type=JSON_PATH,
    needs=["--model-id"],
    without=["--data"],
    metavar="JSON",
    help="write the scores for Every Eval Ever, and beside them NAME_samples.jsonl, a line for each reply to each task "
    "and metric",
)
@option("--model-id", type=REPOSITORY, needs_one=SENT, metavar="ORG/MODEL", help="the model's repository on the Hub")
@option(
    "--dataset-id",
    type=REPOSITORY,
    needs_one=SENT,
    metavar="ORG/NAME",
    help="the dataset's repository on the Hub, which holds these rows",
)
@option(
    "--revision",
    type=COMMIT,
    needs=["--dataset-id"],
    needs_one=SENT,
    metavar="COMMIT",
    help="the commit there that holds these rows",
)
@option(
    "--date",
    type=DAY,
    needs_one=SENT,
    metavar="YYYY-MM-DD",
    help="the day of the evaluation (default: today, UTC)",
)
@option(
    "--source",
    type=ADDRESS,
    needs_one=SENT,
    metavar="URL",
    help="the address of a page about the evaluation, such as its logs (default: the dataset's page)",
)
@option("--notes", needs_one=SENT, metavar="TEXT", help="how the model was prompted, such as: vp, temperature 0")
def run(
    dataset: str,
    out: Path,
    config: str | None,
    split: str | None,
    transcripts: Path | None,
    reader: str | None,
    model_id: str | None,
    dataset_id: str | None,
    revision: str | None,
    date: str | None,
    source: str | None,
    notes: str | None,
    **options: Any,
) -> None:
    """Print how often responses are right; print and write nothing where one cannot be scored."""
    evaluation = Evaluation(model_id, dataset_id, revision, date, source, notes)
    scoring = Scoring(Answered(dataset, out, config, split), **options, evaluation=evaluation)
    if not scoring.responses and not transcripts:
        raise click.UsageError("Missing option '--responses'", click.get_current_context())
    taken = [*scoring.responses, scoring.data, transcripts]
    for name in ("rows", "report", "eval_results", "every_eval_ever"):
        if path := getattr(scoring, name):
            hold_apart(path, taken, flag_of(name))
            taken.append(path)
    if scoring.every_eval_ever:
        hold_apart(every_eval_ever.samples_file(scoring.every_eval_ever), taken, "--every-eval-ever")
    if transcripts:
        score_transcripts(transcripts, scoring.report, scoring.pictures)
    elif reader == "human":
        people.score_people(scoring)
    else:
        score(scoring)


def score(scoring: Scoring) -> None:
    """Print how often the responses of models are right. Raises UserError where one cannot be scored."""
    dataset, several = scoring.answered.dataset, len(scoring.responses) > 1
    alone = [name for name in OF_ONE if getattr(scoring, name) and name != "pictures"]
    if several and alone:
        raise _of_one(alone[0])
    if scoring.style:
        (score_numbers if scoring.style == "number" else score_stories)(scoring)
        return
    languages = scoring.languages or [None] * len(scoring.responses)
    if scoring.languages and not 1 < len({*languages}) == len(languages) == len(scoring.responses):
        raise UserError(
            "--languages needs two or more languages or worlds, one for each file of --responses; name each once"
        )
    models: dict[str, Scored] = {}
    under_way = steps([file.name for file in scoring.responses], "scoring")
    for _, file, language in zip(under_way, scoring.responses, languages, strict=True):
        name = file.stem if [other.stem for other in scoring.responses].count(file.stem) == 1 else str(file)
        if (name := language or name) in models:
            raise UserError(f"{file} is named twice with --responses; name each file once")
        models[name] = scored(scoring, file, language)
    if several and scoring.pictures and not (scoring.languages or horizons_of(models)):
        raise _of_one("pictures")
    last = models[name]
    entries = leaderboard.entries_text(scoring, file, last.scores) if scoring.eval_results else None
    log = None
    if scoring.every_eval_ever:
        log = every_eval_ever.log_of(scoring, file, last.scores, asked_rows(scoring.answered)[1])
    printed, report, drawings = (
        score_models(dataset, models, scoring.compares) if several else score_model(scoring, file, last)
    )
    said = [printed, *reports.write_report(scoring.report, report)]  # printed last: a reader may stop, as head does
    if scoring.eval_results and entries:
        said.append(leaderboard.write(scoring.eval_results, scoring, entries))
    if scoring.every_eval_ever and log:
        said.append(every_eval_ever.write(scoring.every_eval_ever, log))
    if scoring.rows:
        write_lines(scoring.rows, list(map(reports.reading_of, last.replies)))
        said.append(f"rows: {scoring.rows}")
    if scoring.pictures:
        drawn = draw_all(drawings, scoring.pictures, f"{dataset}_score_")
        said.append(f"drawn under {scoring.pictures}: {', '.join(file.name for file in drawn.values())}")
    unread = list_left_out(scoring.unread, [last.left_out]) if scoring.data else ""
    print("\n".join(said))
    print(unread, end="")


def _of_one(name: str) -> UserError:
    """Return the error that an option takes one file of responses."""
    return UserError(f"{flag_of(name)} takes one file of responses; name one with --responses")


def horizons_of(models: Mapping[str, Scored]) -> dict[str, Mapping[str, Horizon]]:
    """Return the horizons of models, which have one or not, by name, with the prompt where a model answered several."""
    found = {}
    for name, model in models.items():
        prompts = [prompt for prompt in model.scores if prompt]
        for prompt in prompts:
            if horizons := model.scores[prompt].horizons:
                found[f"{name}, {prompt}" if len(prompts) > 1 else name] = horizons
    return found


def score_stories(scoring: Scoring) -> None:
    """Print how many of all beliefs of stories are right. Raises UserError for ids that do not fit."""
    source, rows = asked_rows(scoring.answered)
    (file,), stories = scoring.responses, {str(row.get("story_id")): row for row in rows}
    asked = [Item(name, None, name, choices=(), answer=0, place=0, needs=None, groups={}) for name in stories]
    with located(""):
        given = [reply._replace(prompt=None) for reply in replies.read_replies(file, prompt=scoring.prompt)]
        items, faults = replies.match_replies(file, asked, given, scoring.partial, several=False)
    scored = beliefs.score_beliefs([stories[item.id] for item in items], {item.id: item.text for item in items})
    printed = page("score", "beliefs", file, source, faults, scored)
    shares = {
        group: {metric: {"share": rate.share, "low": rate.low, "high": rate.high} for metric, rate in rates.items()}
        for group, rates in scored["groups"].items()
    }
    report = {"dataset": scoring.answered.dataset, "responses": file.name, "answers_to": source, "left_out": faults}
    print("\n".join([printed, *reports.write_report(scoring.report, {**report, **scored, "groups": shares})]))


def score_numbers(scoring: Scoring) -> None:
    """Print how many replies name the round of a first yes. Raises UserError for ids that do not fit."""
    source, rows = asked_rows(scoring.answered)
    (file,), asked = scoring.responses, {str(row["index"]): row for row in rows if asks_number(row)}
    if not asked:
        raise UserError(f"{source} has no puzzles in rounds; name --config rounds")
    items = [Item(name, None, name, choices=(), answer=0, place=0, needs=None, groups={}) for name in asked]
    with located(""):
        given = [reply._replace(prompt=None) for reply in replies.read_replies(file, prompt=scoring.prompt)]
        items, faults = replies.match_replies(file, items, given, scoring.partial, several=False)
    scored = numbers.score_numbers([asked[item.id] for item in items], [item.text for item in items])
    report = {"dataset": scoring.answered.dataset, "responses": file.name, "answers_to": source, "left_out": faults}
    shares = {
        group: {"rows": rate.total, "share": rate.share, "chance": rate.chance, "low": rate.low, "high": rate.high}
        for group, rate in scored.groups.items()
    }
    printed = page("score", "numbers", file, source, faults, scored)
    beside = {"unread": scored.unread, "horizons": reports.as_json(scored.horizons)}
    print("\n".join([printed, *reports.write_report(scoring.report, {**report, "groups": shares, **beside})]))


def score_model(scoring: Scoring, file: Path, model: Scored) -> tuple[str, dict[str, Any], Drawings]:
    """Return the page of a file of responses, its report and its pictures."""
    dataset = scoring.answered.dataset
    report = {
        "dataset": dataset,
        "responses": file.name,
        "answers_to": model.source,
        "left_out": model.faults,
        "scores": reports.scores_as_json(model.scores),
        "unread": reports.unread_replies(model.replies),
    }
    steps_of = None
    if scoring.steps:
        rows = {str(row[dataset_named(dataset).id_column]): row for row in asked_rows(scoring.answered)[1]}
        with located(""):
            steps_of = step_scores.score_steps(model.scores, rows)
        report["steps"] = step_scores.steps_as_json(steps_of)
    printed = page("score", "model", file, model, steps_of, shown=SHOWN, reports=reports)
    drawings = dataset_named(dataset).score_drawings(model.scores, model.source)
    return printed, report, drawings | horizon_drawings(horizons_of({file.stem: model}), model.source)


def score_models(dataset: str, models: Mapping[str, Scored], kind: str) -> tuple[str, dict[str, Any], Drawings]:
    """Return the page of several models in one table, with how far each is above the first.

    kind: what they are: models, languages or worlds. The other results are the report, and the pictures of the latter.
    """
    replies_of, alike, consistent = {name: model.replies for name, model in models.items()}, None, None
    source = next(iter(models.values())).source
    drawings = horizon_drawings(horizons_of(models), source)
    with located(""):
        for _ in steps([f"{len(models)} models"], "comparing"):
            compared = comparison.compare(dataset, replies_of)
    report: dict[str, Any] = {"dataset": dataset, "answers_to": source}
    report["models"] = {
        name: {"left_out": model.faults, "scores": reports.scores_as_json(model.scores)}
        for name, model in models.items()
    }
    if kind != "models":
        alike, consistent = comparison.answered_alike(dataset, replies_of), comparison.consistency(dataset, replies_of)
        report |= {"answered_alike": reports.as_json(alike), "consistency": reports.as_json(consistent)}
        drawings |= language_drawings(compared, alike, source)
    report["comparison"] = reports.as_json(compared)
    printed = page("score", "models", models, source, compared, scores.JOINT[dataset], kind, alike, consistent)
    return printed, report, drawings


def scored(scoring: Scoring, file: Path, language: str | None = None) -> Scored:
    """Read and score a file of responses to a split, or to published data. language: the rows', if one is named.

    Raises UserError for ids that do not fit, unless --partial is given. Replies to published rows that cannot be read
    always fit.
    """
    dataset = scoring.answered.dataset
    left_out, names, asked = LeftOut(scoring.strict), set(), dataset_named(dataset)
    if scoring.data:
        hold_list(scoring.unread or UNREAD, [scoring.data, file, scoring.report], "--unread")
        published = list(published_rows(scoring.data, AUDITED[dataset], left_out=left_out, named=True))
        source, items = scoring.data.name, published_items(dataset, published, left_out)
        whole = [*(row for _, row in published), *(unread["row"] for unread in left_out.rows)]
        names = {asked.name_of(row) for row in whole if isinstance(row, dict)}
    else:
        source, rows = asked_rows(scoring.answered, language)
        items = asked.items(rows)
    with located(""):
        given = replies.read_replies(file, bool(scoring.data) and asked.named_by_fields, scoring.prompt)
        responses = replies.named_by_id(given, names)
        unread = {name[:2] for name in names} - {item.key for item in items}
        answerable = replies.without_rows(file, responses, unread)
        items, faults = replies.match_replies(file, items, answerable, scoring.partial, not file.is_dir())
    if n_unread := len(responses) - len(answerable):
        faults.append(f"responses to rows that cannot be read: {n_unread:,}")
    return Scored(source, left_out, faults, scores.score(dataset, items))
