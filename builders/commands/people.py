"""How `score --reader human` scores people's answers: a table of each person and of all, in print and as JSON."""

from argparse import Namespace
from collections.abc import Callable

from ..answers.people import Answers, answers_of, table_of
from ..answers.reports import as_json, reading_of, write_report
from ..answers.scores import JOINT
from ..configs import flag_of
from ..errors import UserError, located
from ..files import write_lines
from ..topics import topic
from ..wording.languages import page

# Options for the replies of models alone.
OF_MODELS = ("data", "languages", "prompt", "style", "steps", "pictures", "eval_results", "every_eval_ever")


def run(args: Namespace, asked_rows: Callable[[str, Namespace], tuple[str, list[dict]]]) -> None:
    """Print how often people's answers are right, and how long they took.

    asked_rows: returns which rows were asked, in words, and these rows. Raises UserError for an option of models, and
    for answers that cannot be scored.
    """
    if strange := [flag_of(name) for name in OF_MODELS if getattr(args, name)]:
        raise UserError(f"--reader human takes no {strange[0]}; leave it out")
    dataset, stems = args.dataset, [file.stem for file in args.responses]
    source, rows = asked_rows(dataset, args)
    items = topic(dataset, "score").items(rows)
    people: dict[str, Answers] = {}
    for file in args.responses:
        name = file.stem if stems.count(file.stem) == 1 else str(file)
        if name in people:
            raise UserError(f"{file} is named twice with --responses; name each file once")
        with located(""):
            people[name] = answers_of(dataset, file, items, args.partial)
    table = table_of(dataset, people)
    said = [page("score", "people", people, source, table, JOINT[dataset])]
    report = {"dataset": dataset, "answers_to": source, "reader": "human", "people": len(people)}
    report |= {"left_out": {name: person.left_out for name, person in people.items()}, "table": as_json(table)}
    said += write_report(args.report, report)
    if args.rows:
        lines = [
            {"person": name, **reading_of(reply), "seconds": person.seconds.get(reply.id)}
            for name, person in people.items()
            for reply in person.items
        ]
        write_lines(args.rows, lines)
        said.append(f"rows: {args.rows}")
    print("\n".join(said))
