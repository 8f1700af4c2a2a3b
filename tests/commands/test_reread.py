"""Run `reread` on published rows, made here or released, and read its tables and messages."""

import json
import re

import pytest
from answering import write_lines
from commands.samples import lines_of
from support import REFERENCE, listed, numbered, refused

# Seen by all three: red_box. Seen by Jack and Owen: blue_crate. Seen by Owen: green_drawer. They leave in that order.
RELEASED = REFERENCE / "hi_tom_released_half.jsonl"
TOLD = numbered(
    "Emma, Jack and Owen entered the hall.",
    "The pear is in the red_box.",
    "Emma exited the hall.",
    "Jack moved the pear to the blue_crate.",
    "Jack exited the hall.",
    "Owen moved the pear to the green_drawer.",
    "Owen exited the hall.",
    "Emma, Jack and Owen entered the waiting_room.",
)


CLAIMED = TOLD + "\n9 Jack publicly claimed that the pear is in the red_bottle now."


CHOICES = ["red_box", "blue_crate", "green_drawer", "red_bottle"]


def asked(story, names, answer, **more):
    """Return a published row: a question about a chain of names, outermost first."""
    minds = "".join(f"{name} thinks " for name in names.split()[1:])
    question = f"Where does {names.split()[0]} think {minds}the pear is?" if names else "Where is the pear really?"
    return {"story": story, "question": question, "choices": CHOICES, "answer": answer, **more}


# Owen knows that Emma is fooled; the released generator leaves that out, and beliefs of order 3 too.
HAND_MADE = [
    asked(TOLD, "Emma", "red_box", prompting_type="A"),  # both
    asked(TOLD, "Jack", "red_box", prompting_type="A"),  # neither: blue_crate
    asked(CLAIMED, "Owen Emma", "red_box", prompting_type="A"),  # published
    asked(CLAIMED, "Emma Jack Owen", "red_bottle", prompting_type="B"),  # recursive
    asked(CLAIMED, "Jack Owen", "red_bottle", prompting_type="B"),  # both
    asked(CLAIMED, "", "green_drawer", prompting_type="B"),  # both
]


OLDER = {"where": "older", "read_recursive": "red_box", "read_published": "red_box"}  # a row as `reread` writes it


@pytest.fixture
def disagreements(tmp_path):
    """Return the path of the rows that disagree."""
    return tmp_path / "disagreements.jsonl"


@pytest.fixture
def reread(run, tmp_path, disagreements):
    """Reread a file; return the exit code, stdout, stderr."""
    here = ("--disagreements", disagreements, "--unread", tmp_path / "unread.jsonl")
    return lambda path, *more: run("reread", "hi_tom", path, *here, *more)


@pytest.fixture
def reread_rows(reread, tmp_path):
    """Reread rows as JSON lines, all of which can be read; return what was printed."""

    def reread_rows(rows):
        code, printed, errors = reread(write_lines(tmp_path / "made.jsonl", rows))
        assert (code, errors) == (0, "")
        return printed

    return reread_rows


def agreeing(printed):
    """Return the agreement table: (rows, order) to questions and the four cells."""
    found = {}
    for line in printed.split("\n"):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 7 and cells[2].isdigit():
            found[cells[0], cells[1]] = (int(cells[2]), *cells[3:])
    return found


def test_agreement_is_counted_for_both_semantics(reread_rows):
    printed = reread_rows(HAND_MADE)
    header = (
        "| rows | order | questions | recursive, without | recursive, with | published, without | published, with |"
    )
    assert header in printed
    assert agreeing(printed) == {
        ("A", "order 1"): (2, "1 of 2", "0 of 0", "1 of 2", "0 of 0"),
        ("A", "order 2"): (1, "0 of 0", "0 of 1", "0 of 0", "1 of 1"),
        ("A", "total"): (3, "1 of 2", "0 of 1", "1 of 2", "1 of 1"),
        ("B", "order 0"): (1, "0 of 0", "1 of 1", "0 of 0", "1 of 1"),
        ("B", "order 2"): (1, "0 of 0", "1 of 1", "0 of 0", "1 of 1"),
        ("B", "order 3"): (1, "0 of 0", "1 of 1", "0 of 0", "0 of 1"),
        ("B", "total"): (3, "0 of 0", "3 of 3", "0 of 0", "2 of 3"),
        ("all", "order 0"): (1, "0 of 0", "1 of 1", "0 of 0", "1 of 1"),
        ("all", "order 1"): (2, "1 of 2", "0 of 0", "1 of 2", "0 of 0"),
        ("all", "order 2"): (2, "0 of 0", "1 of 2", "0 of 0", "2 of 2"),
        ("all", "order 3"): (1, "0 of 0", "1 of 1", "0 of 0", "0 of 1"),
        ("all", "total"): (6, "1 of 2", "3 of 4", "1 of 2", "3 of 4"),
    }
    assert "recursive: A 1 of 3, B 3 of 3, all 4 of 6 agree\n" in printed
    assert "published: A 2 of 3, B 2 of 3, all 4 of 6 agree\n" in printed
    assert "occur more than once" not in printed


def test_the_disagreements_are_written_down(reread_rows, disagreements, tmp_path):
    write_lines(disagreements, [OLDER])
    assert f"3 rows that disagree with one of the semantics or both: {disagreements}" in reread_rows(HAND_MADE)
    read = {1: ("blue_crate", "blue_crate"), 2: ("red_bottle", "red_box"), 3: ("red_bottle", "red_box")}
    assert lines_of(disagreements) == [
        {
            "where": f"{tmp_path / 'made.jsonl'}, line {place + 1}", **HAND_MADE[place],
            "read_recursive": recursive, "read_published": published,
        }
        for place, (recursive, published) in read.items()
    ]  # fmt: skip
    assert listed(tmp_path) == ["disagreements.jsonl", "made.jsonl"]
    assert "0 rows that disagree" in reread_rows(HAND_MADE[:1])
    assert disagreements.read_text() == ""


def test_the_folder_of_the_disagreements_is_made_where_it_can_be(run, tmp_path):
    path = write_lines(tmp_path / "made.jsonl", HAND_MADE)
    assert run("reread", "hi_tom", path, "--disagreements", tmp_path / "a" / "b.jsonl")[0] == 0
    assert len(lines_of(tmp_path / "a" / "b.jsonl")) == 3
    for place in (tmp_path / "a", path / "within.jsonl"):
        code, _, errors = run("reread", "hi_tom", path, "--disagreements", place)
        refused((code, "", errors), str(path if place.parent == path else tmp_path))
    assert listed(tmp_path) == ["a", "made.jsonl"] and listed(tmp_path / "a") == ["b.jsonl"]


@pytest.mark.parametrize(
    ("form", "choices"),
    [("{0}", "A. red_box, B. blue_crate, C. green_drawer, D. red_bottle"), ("{0}. {1}", CHOICES), ("{1}", CHOICES)],
)
def test_the_published_json(reread, disagreements, tmp_path, form, choices):
    """Choices as one string, answers as a letter, a letter with its container, or a container."""
    rows = [
        {
            **row, "choices": choices, "sample_id": place,
            "answer": form.format("ABCD"[CHOICES.index(row["answer"])], row["answer"]),
        }
        for place, row in enumerate(HAND_MADE)
    ]  # fmt: skip
    path = tmp_path / "published.json"
    path.write_text(json.dumps({"data": rows}, indent=1), encoding="utf-8")
    code, printed, errors = reread(path)
    assert (code, errors) == (0, "")
    assert "recursive: A 1 of 3, B 3 of 3, all 4 of 6 agree\n" in printed
    assert "published: A 2 of 3, B 2 of 3, all 4 of 6 agree\n" in printed
    assert "3 rows that disagree" in printed
    assert [row["where"] for row in lines_of(disagreements)] == [f"{path}, row {n}" for n in (2, 3, 4)]


NEVER_PLACED = TOLD + "\n9 Jack dislikes the melon.\n10 Jack publicly claimed that the fig is in the red_bottle now."


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [{key: row[key] for key in ("story", "question", "answer")} for row in HAND_MADE],
            "published: all 4 of 6 agree\n",
        ),
        (
            [*HAND_MADE[:3], HAND_MADE[0], {**HAND_MADE[1], "answer": "blue_crate"}, HAND_MADE[1]],
            "2 questions occur more than once; 1 of them have different published answers",
        ),
        # No container disagrees; "A." is a letter.
        (
            [{**HAND_MADE[0], "answer": answer} for answer in ("purple_tub", "Z", "", "A.")],
            "recursive: A 1 of 4, all 1 of 4 agree",
        ),
        # A thing that was never placed has no answer.
        (
            [
                {"story": NEVER_PLACED, "question": f"Where is the {thing} really?", "answer": "red_box"}
                for thing in ("melon", "fig")
            ],
            "recursive: all 0 of 2 agree",
        ),
    ],
)
def test_rows_that_are_counted(reread_rows, rows, message):
    assert message in reread_rows(rows)


def test_lines_end_only_where_json_lines_end(reread, tmp_path):
    """Empty lines and line ends of Windows are no rows. Within a string U+2028 and U+0085 may stand as they are."""
    path = tmp_path / "made.jsonl"
    path.write_text("\r\n".join(json.dumps(row) for row in HAND_MADE) + "\r\n\r\n\n", encoding="utf-8")
    assert "all 4 of 6 agree" in reread(path)[1]
    row = {**HAND_MADE[0], "note": "one\u2028two\u0085three"}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    assert "recursive: A 1 of 1, all 1 of 1 agree" in reread(path)[1]


EXPECTED = "expected an object with story, question and answer, all strings"


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ('{"story": ', "not JSON ("),
        ("Emma entered the hall.", f"; {EXPECTED}"),
        ("[" * 100_000, f"; {EXPECTED}"),
        ("[]", EXPECTED),
        ({"story": None}, EXPECTED),
        ({"story": TOLD.split("\n")}, EXPECTED),
        (
            {"story": TOLD + "\n9 Emma slept."},
            "line 9 is not a sentence that the reader knows: 'Emma slept.'; it knows: Emma",
        ),
        (
            {"story": TOLD + "\n9 Emma privately told Jack that Owen thinks the pear is in the red_box now."},
            "the published semantics has no rule for watchers, eavesdroppers or claims about thoughts, which the",
        ),
        (
            {"question": "Is the pear in the red_box?"},
            "not a question about a story: 'Is the pear in the red_box?'; such questions are: Where is",
        ),
        ({"choices": "A. red_box, C. blue_crate"}, "choice 2 must be 'B. ' and a new container"),
        ({"choices": 7}, "choices"),
    ],
)
def test_lines_that_cannot_be_read(reread, tmp_path, second, message):
    """A line, or what a row has instead of what a good one has."""
    second = second if isinstance(second, str) else json.dumps({**HAND_MADE[0], **second})
    path = tmp_path / "made.jsonl"
    path.write_text("\n".join([json.dumps(HAND_MADE[0]), second, json.dumps(HAND_MADE[1])]), encoding="utf-8")
    refused(reread(path, "--strict"), f"{path}, line 2: ", message)
    assert listed(tmp_path) == ["made.jsonl"]
    code, printed, errors = reread(path)
    assert (code, errors) == (0, "") and "of 2 agree" in printed  # the other two rows
    assert "left out: 1 of 3 rows, which cannot be read" in printed and f"  {path}, line 2: " in printed
    (row,) = lines_of(tmp_path / "unread.jsonl")
    assert list(row) == ["where", "why", "row"] and row["where"] == f"{path}, line 2" and message in row["why"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no rows; expected one on each line: an object with story, question and answer, all strings"),
        (b'{"data": {"first": 1}}', '"data" must be a list of rows'),
        (b'{"data": []}', "no rows; expected one on each line: an object with story"),
        (b'{"story": "\xe9t\xe9"}\n', "it is not UTF-8 text (byte 11); save it as UTF-8; expected JSON lines or"),
        (b"\x1f\x8b\x08\x00\xff", "it is not a complete gzip file (Compressed file ended before"),
        (
            b"\x1f\x8b\x09\x00\xff\x00\x00\x00\x00\x00\x00",
            "it is not a complete gzip file (Unknown compression method)",
        ),
        (None, "No such file or directory; expected JSON lines or the published JSON"),
        ("folder", "Is a directory; expected JSON lines or the published JSON"),
    ],
)
def test_files_that_cannot_be_read(reread, tmp_path, content, words):
    path = tmp_path / "made.jsonl"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    before = listed(tmp_path)
    refused(reread(path), f"{path}: {words}")
    assert listed(tmp_path) == before


@pytest.mark.skipif(not RELEASED.exists(), reason=f"the published data are not here: {RELEASED}")
def test_the_released_half(reread, disagreements):
    code, printed, said = reread(RELEASED)
    assert (code, said) == (0, "")
    agree = dict(re.findall(r"^published: .*?(CoTP) (\d+) of 300", printed, re.MULTILINE))
    assert int(agree["CoTP"]) >= 290
    assert "300 questions occur more than once; 73 of them have different published answers" in printed
    table = agreeing(printed)
    assert table["all", "total"][0] == 600 and table["CoTP", "order 4"][0] == 60
    # shared/reference/README.md: claims carried to every order change no answer of orders 0 and 1.
    for order in ("order 0", "order 1"):
        assert table["CoTP", order] == (60, "30 of 30", "30 of 30", "30 of 30", "30 of 30")
    written = lines_of(disagreements)
    assert f"{len(written)} rows that disagree" in printed
    for semantics in ("recursive", "published"):
        wrong = sum(row[f"read_{semantics}"] != row["answer"] for row in written)
        assert f"all {600 - wrong} of 600 agree" in next(s for s in printed.split("\n") if s.startswith(semantics))
