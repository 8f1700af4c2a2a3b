"""How `score --reader human` scores people's answers: a table of each person and of all, in print and as JSON."""

from ..answers.people import Answers, answers_of, table_of
from ..answers.reports import as_json, reading_of, write_report
from ..answers.scores import JOINT
from ..configs import flag_of
from ..dataset import dataset_named
from ..errors import UserError, located
from ..files import write_lines
from ..wording.languages import page
from .scoring import Scoring, asked_rows

# Options for the replies of models alone.
OF_MODELS = ("data", "languages", "prompt", "style", "steps", "pictures", "eval_results", "every_eval_ever")


def score_people(scoring: Scoring) -> None:
    """Print how often people's answers are right, and how long they took.

    Raises UserError for an option of models, and for answers that cannot be scored.
    """
    if strange := [flag_of(name) for name in OF_MODELS if getattr(scoring, name)]:
        raise UserError(f"--reader human cannot be combined with {strange[0]}; leave it out")
    dataset, stems = scoring.answered.dataset, [file.stem for file in scoring.responses]
    source, rows = asked_rows(scoring.answered)
    items = dataset_named(dataset).items(rows)
    people: dict[str, Answers] = {}
    for file in scoring.responses:
        name = file.stem if stems.count(file.stem) == 1 else str(file)
        if name in people:
            raise UserError(f"{file} is named twice with --responses; name each file once")
        with located(""):
            people[name] = answers_of(dataset, file, items, scoring.partial)
    table = table_of(dataset, people)
    said = [page("score", "people", people, source, table, JOINT[dataset])]
    report = {"dataset": dataset, "answers_to": source, "reader": "human", "people": len(people)}
    report |= {"left_out": {name: person.left_out for name, person in people.items()}, "table": as_json(table)}
    said += write_report(scoring.report, report)
    if scoring.rows:
        lines = [
            {"person": name, **reading_of(reply), "seconds": person.seconds.get(reply.id)}
            for name, person in people.items()
            for reply in person.items
        ]
        write_lines(scoring.rows, lines)
        said.append(f"rows: {scoring.rows}")
    print("\n".join(said))
