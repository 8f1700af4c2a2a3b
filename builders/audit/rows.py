"""How rows, ours or published, become audited questions and problems."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..columns import EMBEDDED
from ..difficulty import probe
from ..difficulty.masking import MaskedRow, mask_problem, mask_question, mask_row
from ..logic.formal import problem_of
from ..proof.left_out import LeftOut
from ..proof.published_problems import read_published_problem
from ..proof.published_stories import read_published_question
from ..story.config import order_name
from ..syntax.formula import LABELS
from ..syntax.record import question_of
from .problems import AuditedProblem
from .stories import AuditedQuestion


def probes_of(prediction: Any, right: Any) -> dict[str, bool | None]:
    """Return whether a probe is right, given its prediction, which is None where the row is beyond its limit."""
    return {"probe": None if prediction is None else prediction == right}


def audited_question(row: Mapping[str, Any], semantics: str, learn: bool) -> AuditedQuestion:
    """Return a row of hi_tom for the audit; `learn` adds what rules that learn see.

    Raises ValueError for a row that cannot be read.
    """
    (story, names, question), rung = question_of(row), row["rung"]
    return AuditedQuestion(
        group=order_name(len(question.chain)) if rung is None else f"rung {rung}",
        story=story,
        chain=question.chain,
        thing=question.thing,
        answer=names.containers.index(row["answer"]),
        letter=row["answer_index"],
        semantics=semantics,
        container=row["answer"],
        chance=1 / len(row["choices"]),
        masked=mask_row(row) if learn else None,
        probes=probes_of(row["deberta_pred"], row["answer_index"]),
        undisputed=row["undisputed"],
    )


def audited_problem(row: Mapping[str, Any], learn: bool) -> AuditedProblem:
    """Return a row of mindgames for the audit; `learn` adds what a probe sees.

    Raises ValueError for a row that cannot be read.
    """
    follows = row["label"] == LABELS[True]
    masked, probes = mask_row(row) if learn else None, probes_of(row["deberta_pred"], follows)
    group = f"rung {row['rung']}" if row["rung"] else row["setup"]
    given = group, problem_of(row), row["premise"], row["hypothesis"], row["names"], follows
    return AuditedProblem(*given, ordered=row["order_matters"] is not None, masked=masked, probes=probes)


def published_audited_questions(
    rows: Iterable[tuple[str, Mapping[str, Any]]], left_out: LeftOut
) -> Iterator[AuditedQuestion]:
    """Yield published rows of Hi-ToM for the audit, with the predictions of the embedded probe.

    rows: (place in the file, row). Groups are orders. Prompting types are kept apart where there are several: the same
    questions were released once for each, with different answers. Rows that cannot be read go to `left_out`.
    """
    rows = list(rows)
    several = len({str(row.get("prompting_type")) for _, row in rows}) > 1
    for _, row, published in left_out.readable(rows, read_published_question):
        story, names, asked, choices, answer, _ = published
        # The probe chooses among the containers of the text; some rows have no choices, or others.
        containers = list(dict.fromkeys([*choices, *names.containers, answer]))
        masked = mask_question(row["story"], row["question"], names, containers, answer)
        yield AuditedQuestion(
            group=published.group + (f" ({row.get('prompting_type')})" if several else ""),
            story=story,
            chain=asked.chain,
            thing=asked.thing,
            answer=names.containers.index(answer) if answer in names.containers else -1,  # nowhere in the story
            letter=choices.index(answer) if answer in choices else None,
            semantics="published",
            container=answer,
            chance=1 / len(choices or containers),
            masked=masked,
            probes=_embedded_probe("hi_tom", masked),
        )


def published_audited_problems(
    rows: Iterable[tuple[str, Mapping[str, Any]]], left_out: LeftOut
) -> Iterator[AuditedProblem]:
    """Yield published rows of MindGames for the audit, with the embedded probe's predictions and the published ones.

    rows: (place in the file, row). Rows that cannot be read go to `left_out`. Raises UserError where none can be read.
    """
    for _, row, (problem, names) in left_out.readable(rows, read_published_problem):
        texts, follows = (row["premise"], row["hypothesis"]), row["label"] == LABELS[True]
        masked = mask_problem(*texts, names, follows)
        probes = _embedded_probe("mindgames", masked)
        if isinstance(row.get("deberta_pred"), int):
            probes["deberta_pred, as published"] = row["deberta_pred"] == follows
        yield AuditedProblem(problem.setup, problem, *texts, names, follows, masked=masked, probes=probes)


def _embedded_probe(dataset: str, masked: MaskedRow) -> dict[str, bool | None]:
    """Return whether the embedded probe is right about a row, None where the row is beyond its limit."""
    return probes_of(probe.load_probe(EMBEDDED, dataset).score(masked)["deberta_pred"], masked.right)
