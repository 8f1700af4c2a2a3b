"""The command `explain`: it says why rows have their answers, step by step."""

import json
import sys
from pathlib import Path

from ..configs import Selection
from ..dataset import dataset_named
from ..errors import UserError, located
from ..explanations import NEEDED, explain
from ..rows import dataset_of
from .options import command, dataset, option, seed
from .show import OUT_HELP, chosen_rows
from .values import PATH


@command("explain")
@dataset
@seed("the seed of the row of --id (default: 0)", needs=["--id"])
@option(
    "--id",
    metavar="ID",
    help="id of a row, a story or a block, as show takes it (default: rows are read from standard input)",
)
@option("--out", type=PATH, needs=["--id"], metavar="DIR", help=OUT_HELP)
def run(dataset: str, seed: int | None, id: str | None, out: Path | None) -> None:
    """Print the explanations of the rows of an id as text, or of rows on standard input as JSON lines."""
    id_column = dataset_named(dataset).id_column
    if id:
        rows, built = chosen_rows(Selection(dataset, seed=seed, id=id, out=out))
        texts = [f"{row[id_column]}\n{row[asked]}\n{explain(row, built.fields['language'])}\n"
                 for row in rows for asked in row.keys() & {"question", "hypothesis"}]  # fmt: skip
        print("\n".join(texts), end="")
        return
    if sys.stdin.isatty():
        raise UserError(
            "no rows: name one by --id, or send rows as JSON lines to standard input, as stream prints them"
        )
    for number, line in enumerate(sys.stdin, 1):
        with located(f"standard input, line {number}: "):
            try:
                row = json.loads(line)
            except ValueError:
                raise ValueError("it is not JSON; expected one row on a line, as stream prints it") from None
            dataset_of(row, {dataset: NEEDED[dataset]})
            explanation = explain(row)
        print(json.dumps({"id": str(row.get(id_column, number)), "explanation": explanation}, ensure_ascii=False))
