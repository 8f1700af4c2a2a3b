"""Own what could be guessed without reading: rules that name an answer from a glance, and the gates they must fail.

Both datasets: *majority* and *letter* always give the most common answer of the group, counted in the measured rows;
*TF-IDF* is a logistic regression on words and pairs of words; all rules of `METHODS` are fitted on other rows;
*probe* is the difficulty model's prediction.

Hi-ToM: a rule looks at the formal story and the chain; it has no guess where what it looks for is not there, and that
counts as wrong. Gated rules look only at places and claims; the others are shown beside them: *last but one* is the
last but one line that places or moves the thing, *their first move* the first move of it by an agent of the chain; and
in a story of one chapter without claims *first leaver*, *set of agents* and *one order lower* are nearly the semantics.
*question alone*, *story alone* and *TF-IDF* see the text as the probe does (see `difficulty`), and give the container
by its place among those that the text has.

MindGames: *hypothesis alone* and *premise alone* answer a text by its most common label elsewhere, *name announced* by
whether an announcement names somebody whom the hypothesis names, *sentence by sentence* counts which sentences came
with which label of which hypothesis; *TF-IDF* sees the names masked, *TF-IDF, names numbered* who is who; the other
rules forget what is announced, who sees what, or in what order it was said.
"""

import json
from pathlib import Path

from builders.audit.shares import Share, Table

PUBLISHED_DEEP = {"1st_order": 54, "2nd_order": 21, "3rd_order": 1, "4th_order": 0}
"""How many of the 120 questions of each order of the published Hi-ToM data, CoTP, need all their agents."""


PUBLISHED = Path(__file__).with_name("published.json")
"""What `python -m builders audit FILE... --record` measured on the published data."""


def of_published(name: str) -> Table:
    """Return what was measured on the published data of a dataset (see PUBLISHED)."""
    groups = json.loads(PUBLISHED.read_text(encoding="utf-8"))[name]["groups"]
    return {
        group: {rule: Share(right, known["rows"], known["chance"]) for rule, right in known["right"].items()}
        for group, known in groups.items()
    }


def published_positions() -> dict[str, dict[str, list[int]]]:
    """Return the `positions` of the published Hi-ToM data (see PUBLISHED)."""
    return json.loads(PUBLISHED.read_text(encoding="utf-8"))["hi_tom"]["positions"]


def of_published_deep() -> Table:
    """Return what is known of the published data about what `depth` says (see PUBLISHED_DEEP)."""
    return {group: {"needs all its agents": Share(count, 120, 1 / 15)} for group, count in PUBLISHED_DEEP.items()}
