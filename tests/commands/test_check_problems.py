"""Spoil rows of mindgames, and read how `check` names each fault."""

import json
import re

import pyarrow.parquet as pq
import pytest
from commands.samples import FILES
from support import TINY_ROWS, refused, set_to, spoil

from tom_datasets.logic.config import MOST_BLOCKS
from tom_datasets.syntax.formula import LABELS


def flipped(row):
    row["label"] = next(label for label in LABELS.values() if label != row["label"])


def an_announcement_twice(row):
    """Of the formal problem only, where it makes no difference to the label."""
    row["smcdel_problem"] = re.sub(r"VALID\? (\[.*?\])", r"VALID? \1 \1", row["smcdel_problem"])


def in_text(pattern, replacement, column="premise"):
    """Return a change of the first match in a text."""

    def changed(row):
        text = re.sub(pattern, replacement, row[column], count=1)
        assert text != row[column], (pattern, row[column])
        row[column] = text

    return changed


def another_verb(row):
    """Negate the knowledge that is asked about."""
    text = row["hypothesis"]
    row["hypothesis"] = (
        text.replace("cannot know", "can now know", 1)
        if " cannot know" in text.partition(" know ")[0] + " know"
        else text.replace("can now know", "cannot know", 1)
    )
    assert row["hypothesis"] != text


def a_last_sentence_less(row):
    row["premise"] = row["premise"].rsplit(" It is publicly announced", 1)[0]


def a_stranger(row):
    row["hypothesis"] = row["hypothesis"].replace(row["hypothesis"].split()[0], "Zebedee", 1)


def others(row):
    """Return whom the hypothesis begins with, and somebody else."""
    first = row["hypothesis"].split()[0]
    return first, next(name for name in row["names"] if name != first)


def names_swapped(row):
    first, second = others(row)
    row["names"] = [{first: second, second: first}.get(name, name) for name in row["names"]]


def names_swapped_in_the_text(row):
    first, second = others(row)
    for column in ("premise", "hypothesis"):
        text = re.sub(rf"\b{first}\b", "#", row[column])
        row[column] = re.sub(rf"\b{second}\b", first, text).replace("#", second)


def another_setup(row):
    """Tell of foreheads where the rest of the row is about cards."""
    row["premise"] = "There are two persons. Everyone is visible to others. It is publicly announced that someone's "
    row["premise"] += "forehead is muddy."
    row["hypothesis"] = f"{row['names'][0]} can now know that someone's forehead is muddy."
    row["names"] = row["names"][:2]


def told(rows):
    """Return the place of a row of which there is much to spoil."""
    return next(n for n, row in enumerate(rows) if row["n_announcements"] and "'s card is shown to" in row["premise"])


GIVES = ", the text gives "


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (flipped, ["label is '", "entailment'" + GIVES + "'"]),
        (set_to("label", str.upper), ["label is '", "ENTAILMENT'" + GIVES + "'"]),
        (set_to("label", lambda _: "0"), ["label is '0'" + GIVES + "'"]),
        (an_announcement_twice, ["smcdel_problem is 'VARS ", GIVES + "'VARS "]),
        (set_to("smcdel_problem", lambda text: text.replace(" [", "\n[")), ["smcdel_problem is 'VARS ", GIVES]),
        (set_to("smcdel_problem", lambda text: text + " "), ["smcdel_problem is 'VARS ", GIVES]),
        *(
            (set_to("smcdel_problem", change), ["smcdel_problem is ", GIVES + "'VARS "])
            for change in (
                lambda text: text[:-1] + "(",
                lambda text: "€" + text,
                lambda text: "",
                lambda text: text + " VALID? Top",
                lambda text: text.replace("VALID?", "WHERE?"),
                lambda text: text.split(" VALID?")[0],
                lambda text: "VARS 1,2 LAW Top OBS Agenta:3 VALID? 1",
                lambda text: "VARS 1,2 LAW Top OBS Agenta:2 VALID? 3",
                lambda text: "VARS 1,2 LAW Top OBS Agenta:2 VALID? Agentb knows that 1",
                lambda text: "VARS 1,2 LAW Top OBS Agenta:2 VALID? " + "~" * 100_000 + "1",
            )
        ),
        (set_to("pbcheck", lambda text: text[:-1] + "1"), ["pbcheck is 'VARS 0,", GIVES + "'VARS 0,"]),
        (in_text("someone picked", "everyone picked"), ["the first thing to be publicly announced is 'someone"]),
        (in_text("red card", "black card"), ["the first thing to be publicly announced is 'someone"]),
        (in_text(r"It is publicly announced", "It is whispered"), ["the first thing to be publicly announced is"]),
        (in_text(r"There are \w+ persons", "There are five persons"), ["5 different names are right, not ("]),
        (in_text(r"There are \w+ persons", "There is one person"), ["the first sentence of a premise is"]),
        (in_text(r" \w+'s card is shown to \w+\.", ""), ["smcdel_problem is 'VARS ", GIVES]),
        (in_text(r"(\w+)'s card is shown to (\w+)\.", r"\1's card is sold to \2."), ["publicly announced is"]),
        (in_text(r" Everyone is visible to others\.", ""), ["the second sentence of a premise is"]),
        (in_text(r"\.$", ""), ["not an announcement"]),
        (in_text(r"$", " It is publicly announced that nobody picked a red card."), ["smcdel_problem is", GIVES]),
        (in_text(r"$", " The moon is made of cheese."), ["not an announcement", "The moon is made of cheese."]),
        (a_last_sentence_less, ["smcdel_problem is 'VARS ", GIVES]),
        (set_to("premise", lambda _: ""), ["the first sentence of a premise is"]),
        (another_verb, ["smcdel_problem is 'VARS ", GIVES]),
        (a_stranger, ["'Zebedee' is not one of the names, "]),
        (set_to("hypothesis", lambda text: text[:-1]), ["a hypothesis says what one person knows, as in "]),
        (set_to("hypothesis", lambda text: text.replace("card", "cow")), ["is no clause of this premise in "]),
        (set_to("hypothesis", lambda _: ""), ["a hypothesis says what one person knows, as in "]),
        (another_setup, ["smcdel_problem is 'VARS ", GIVES + "'VARS 1,2 LAW Top OBS Agenta:2 Agentb:1 VALID? "]),
        (names_swapped, ["smcdel_problem is 'VARS ", GIVES]),
        (names_swapped_in_the_text, ["smcdel_problem is 'VARS ", GIVES]),
        (set_to("names", lambda names: names[1:]), [" different names are right, not ("]),
        (set_to("names", lambda names: [*names[:-1], names[0]]), [" different names are right, not ("]),
        (set_to("names", lambda names: [*names[:-1], "Zebedee"]), [" is not one of the names, "]),
        (set_to("names", lambda names: [*names[:-1], "x y"]), ["a name is one word with a capital", "'x y'"]),
        (set_to("names", lambda _: []), [" different names are right, not ()"]),
        (set_to("setup", lambda _: "internal"), ["setup is 'internal'" + GIVES + "'explicit'"]),
        (set_to("n_agents", lambda agents: agents + 1), ["n_agents is ", GIVES]),
        (set_to("n_announcements", lambda said: said + 1), ["n_announcements is ", GIVES]),
        (set_to("hypothesis_depth", lambda depth: 1 - depth), ["hypothesis_depth is ", GIVES]),
        (set_to("s-l", lambda text: text + "0"), ["s-l is 'explicit-", GIVES + "'explicit-"]),
        (set_to("n_worlds", lambda worlds: worlds + 1), ["n_worlds is ", GIVES]),
        (set_to("needs_announcements", lambda needs: needs + 1), ["needs_announcements is ", GIVES]),
        (set_to("n_worlds_before", lambda worlds: worlds - 1), ["n_worlds_before is ", GIVES]),
        (set_to("shortest_proof", lambda steps: steps + 1), ["shortest_proof is ", GIVES]),
        (set_to("index", lambda index: index + 4), ["block is 'explicit-test-", GIVES + "'explicit-test-"]),
        (set_to("index", lambda index: index + 4 * MOST_BLOCKS), ["index is ", GIVES]),
        (set_to("index", lambda _: 0), ["index is 0" + GIVES]),
        (set_to("index", lambda _: -1), ["index is -1" + GIVES]),
        (set_to("block", lambda block: block[:-1] + "7"), ["block is 'explicit-test-000007'" + GIVES]),
        (set_to("block", lambda block: block.replace("test", "train")), ["block is 'explicit-train-", GIVES]),
        (set_to("block", lambda _: None), ["block is None" + GIVES]),
        (set_to("seed", lambda seed: seed + 1), ["seed is 1" + GIVES + "0"]),
        (set_to("generator_version", lambda text: text + ".1"), ["generator_version is '", GIVES]),
        *(
            (set_to(column, lambda text, wrong=wrong: wrong.format(text)), [f"{column} begins or ends with a space"])
            for column in ("premise", "hypothesis")
            for wrong in (" {}", "{}\n")
        ),
    ],
)  # fmt: skip
def test_each_kind_of_spoiled_row_is_found(spoiled, problems, problems_copy, change, words):
    failed, rows = spoiled(lambda rows: change(rows[told(rows)]))
    place = told(pq.read_table(problems / "mindgames" / FILES["mindgames"]).to_pylist())
    checked = place + sum(
        pq.read_metadata(path).num_rows
        for path in (problems / "mindgames").rglob("*.parquet")
        if path.parent.name != "all" and str(path.relative_to(problems / "mindgames")) < FILES["mindgames"]
    )
    where = f"{problems_copy / 'mindgames' / FILES['mindgames']}, row {rows[place]['index']}: "
    refused(failed, f"{checked} of {TINY_ROWS['mindgames']} rows agree, then {where}", *words)


@pytest.mark.parametrize("file", ["forehead_mirror/train.parquet", "scale/test.parquet", "reproduction/test.parquet"])
def test_a_spoiled_row_is_found_in_every_table(run, problems_copy, file):
    rows = spoil(problems_copy / "mindgames", lambda rows: flipped(rows[-1]), file)
    failed = run("check", "--out", problems_copy, "--processes", "2")
    refused(failed, f"{problems_copy / 'mindgames' / file}, row {rows[-1]['index']}: label is ")
    assert (
        len(rows) - 1
        <= int(re.search(rf"(\d+) of {TINY_ROWS['mindgames']} rows agree, then ", failed[2])[1])
        < TINY_ROWS["mindgames"]
    )


def test_two_spoiled_tables_name_the_first(run, problems_copy):
    for file in ("internal/test.parquet", FILES["mindgames"]):
        rows = spoil(problems_copy / "mindgames", lambda rows: flipped(rows[3]), file)
    for processes in (1, 2):
        refused(
            run("check", "--out", problems_copy, "--processes", processes),
            f"{FILES['mindgames']}, row {rows[3]['index']}: label is ",
        )


def test_a_block_in_the_unbalanced_config_is_found(spoiled):
    failed, _ = spoiled(lambda rows: rows[0].update(block="explicit-test-000000"), "reproduction/test.parquet")
    refused(failed, "block is 'explicit-test-000000', the text gives None")


def test_problems_of_another_setup_are_found(run, problems_copy):
    """What `load_dataset("mindgames", "internal")` reads must be of that setup."""
    first, second = (problems_copy / "mindgames" / setup / "test.parquet" for setup in ("internal", "forehead"))
    swapped = first.read_bytes(), second.read_bytes()
    second.write_bytes(swapped[0])
    first.write_bytes(swapped[1])
    refused(
        run("check", "--out", problems_copy),
        f"{second}, row ",
        ": a problem of internal stands in forehead/test.parquet",
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"n_agents": [3, 4]}, ["n_agents is 2, asked for were [3, 4]"]),
        ({"max_order": 1}, ["the hypothesis is of order 2, asked for were 1 to 1"]),
        ({"seed": 1}, ["seed is 0, the text gives 1"]),
    ],
)
def test_rows_that_were_not_asked_for_are_found(run, problems_copy, fields, words):
    record = json.loads((problems_copy / "mindgames" / "build.json").read_text())
    record["request"]["all"].update(fields)
    (problems_copy / "mindgames" / "build.json").write_text(json.dumps(record))
    refused(run("check", "--out", problems_copy), f"{problems_copy / 'mindgames'}", ", row ", *words)


def test_the_readers_label_is_asked_too(run, problems, monkeypatch):
    monkeypatch.setattr("tom_datasets.proof.problem_worlds.follows", lambda problem: None)
    refused(
        run("check", "--out", problems),
        f"0 of {TINY_ROWS['mindgames']} rows agree, then ",
        "label is ",
        ", the text gives 'no world'",
    )


def test_a_row_twice_is_found(spoiled):
    failed, rows = spoiled(lambda rows: rows.append(rows[0]))
    refused(failed, f"{FILES['mindgames']}, row {rows[0]['index']}: its id occurs twice")


def test_an_index_twice_is_found(spoiled):
    """In the next problem of the same setup, as the four setups take turns."""
    file = "reproduction/test.parquet"
    failed, rows = spoiled(lambda rows: rows[4].update(index=rows[0]["index"]), file)
    refused(failed, f"{file}, row {rows[0]['index']}: its id occurs twice")


def test_a_single_problem_twice_is_found(spoiled):
    """Under another index of reproduction."""
    names = ("index",)
    failed, rows = spoiled(
        lambda rows: rows.__setitem__(4, {**rows[0], **{name: rows[4][name] for name in names}}),
        "reproduction/test.parquet",
    )
    refused(failed, f"reproduction/test.parquet, row {rows[4]['index']}: its problem occurs twice")


def test_audit_of_rows_that_cannot_be_read(spoiled):
    failed, rows = spoiled(lambda rows: rows[3].update(smcdel_problem="VARS 1,2 cats"), command="audit")
    refused(failed, f"{FILES['mindgames']}, row {rows[3]['index']}: Parse error in line 1, column 10")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_to("explanation", lambda _: None), "explanation is empty"),
        (
            set_to("explanation", lambda text: text.replace("leaves 1 to", "leaves 2 to", 1)),
            "step 2 of its explanation",
        ),
        (set_to("explanation", lambda text: text.rpartition("\n")[0]), "its explanation ends before step "),
    ],
)
def test_a_spoiled_explanation_is_found(spoiled, change, words):
    failed, rows = spoiled(lambda rows: change(rows[0]), "internal/train.parquet")
    refused(failed, f"internal/train.parquet, row {rows[0]['index']}: {words}")
