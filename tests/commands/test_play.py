"""Run `play`, and `score` on what it writes."""

import gzip
import io
import json

import pytest
from support import refused

from tom_datasets.streaming.episodes import episodes

CELL = ("--acts", "1", "--depth", "1")
LEAST = {"seed": 7, "acts": 1, "depth": 1}


@pytest.fixture(scope="module")
def episode():
    return episodes(**LEAST)[0]


def transcript(index=0, **changed):
    return json.dumps({"index": index, "replies": [], **LEAST, **changed}) + "\n"


def test_a_person_plays_and_sees_what_everybody_believes(run, monkeypatch, tmp_path, episode):
    """A line that is none of the player's is not counted."""
    lines = ["I win", *episode.solution]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    file = tmp_path / "played.jsonl"
    file.write_text("an earlier game")
    code, printed, errors = run("play", "--seed", "7", *CELL, "--transcript", str(file))
    assert (code, errors) == (0, "") and episode.prompt in printed
    assert "'I win' is not one of the lines that you may write; it is not counted" in printed
    assert "\nWon with 1 acts; 1 are enough:\n" in printed and "\nWhat they believe now:\n  (really): " in printed
    earlier, played, _ = file.read_text().split("\n")
    assert earlier == "an earlier game"
    assert json.loads(played) == {"seed": 7, "index": 0, "acts": 1, "depth": 1, "replies": episode.solution}


def test_a_solution_is_shown(run, episode):
    code, printed, errors = run("play", "--seed", "7", *CELL, "--solution")
    assert (code, errors) == (0, "") and "\nWon with 1 acts" in printed
    assert all(f"  {line}\n" in printed for line in episode.solution)


def test_transcripts_are_scored_by_depth_and_acts(run, tmp_path, episode):
    file, report = tmp_path / "played.jsonl", tmp_path / "report.json"
    lost = ["nonsense"] * episodes(**LEAST)[1].game.turns
    file.write_text(transcript(replies=episode.solution) + transcript(1, replies=lost))
    words = ("--transcripts", str(file), "--report", str(report), "--pictures", str(tmp_path))
    code, printed, errors = run("score", "hi_tom", *words)
    assert (code, errors) == (0, "") and "| 1 | 1 | 2 | 1 | 50 |" in printed
    (scores,) = json.loads(report.read_text())
    assert (scores["won"], scores["acts above the least, where won"]) == (1, 0)
    assert scores["lines that did nothing"] == len(lost)
    assert (tmp_path / "acting_score.png").stat().st_size > 5000
    file.write_bytes(gzip.compress((transcript() + transcript(seed=8)).encode()))
    assert "| 1 | 1 | 2 | 0 |" in run("score", "hi_tom", *words[:2])[1], "several seeds, and gzipped"


def test_who_plays_is_asked_about_beliefs_too(run, monkeypatch, tmp_path, episode):
    """The answers stand beside the lines in the transcript, and are scored beside them."""
    file, before = tmp_path / "played.jsonl", [belief.answer for belief in episode.literal()]
    lines = [*before[:-1], "nowhere", *episode.solution]
    code, printed, errors = run("play", "--seed", "7", *CELL, "--solution", "--beliefs", "--transcript", str(file))
    assert (code, errors) == (
        0,
        "",
    ) and f"\nQuestions about beliefs: {2 * len(before)} of {2 * len(before)} right\n" in printed
    (known,) = file.read_text().splitlines()
    after = [line.removeprefix("Answer: ") for line in json.loads(known)["answers"]["after"]]
    lines += [f"Answer: {container}" for container in after]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    code, printed, errors = run("play", "--seed", "7", *CELL, "--beliefs", "--transcript", str(file))
    assert (code, errors) == (0, "") and f"{2 * len(before) - 1} of {2 * len(before)} right" in printed
    lost = json.loads(known) | {"replies": ["nothing"] * episode.game.turns}
    file.write_text(f"{file.read_text()}{json.dumps(lost)}\n{transcript(1)}")
    report, words = tmp_path / "report.json", ("score", "hi_tom", "--transcripts", str(file))
    code, printed, errors = run(*words, "--report", str(report), "--pictures", str(tmp_path))
    assert (code, errors) == (0, "") and "\nwhat was known of the minds that the goals are about\n" in printed
    (scores,) = json.loads(report.read_text())
    assert (scores["won"], scores["episodes"], scores["k"]) == (2, 4, 1)
    assert scores["pass^k, %"] == pytest.approx(100 * (2 / 3 + 0) / 2), (
        "an episode counts once, however often it is tried"
    )
    beliefs, right = scores["beliefs"], sum(is_as_before(episode, lost))
    assert (beliefs["episodes asked"], beliefs["questions"]) == (3, 6 * len(before))
    assert beliefs["right"] == 4 * len(before) - 1 + len(before) + right
    assert beliefs["all right"] == 1 + (right == len(before))
    assert beliefs["right where lost, %"] == pytest.approx(100 * (len(before) + right) / (2 * len(before)))


def is_as_before(episode, lost):
    """Yield for each question whether the answers of a game that was won are right where nothing was done."""
    episode.reset()
    for line in lost["replies"]:
        episode.step(line)
    for belief, reply in zip(episode.literal(), lost["answers"]["after"], strict=True):
        yield reply == f"Answer: {belief.answer}"
    episode.reset()


def test_what_is_won_at_every_try_is_told_of_episodes_that_were_tried_as_often(run, tmp_path, episode):
    file, report = tmp_path / "played.jsonl", tmp_path / "report.json"
    other = episodes(**LEAST)[1]
    won, lost = transcript(replies=episode.solution), transcript(replies=["nothing"] * episode.game.turns)
    file.write_text(won + won + lost + transcript(1, replies=other.solution) * 2)
    assert run("score", "hi_tom", "--transcripts", str(file), "--report", str(report))[0] == 0
    (scores,) = json.loads(report.read_text())
    assert (scores["k"], scores["pass^k, %"]) == (2, pytest.approx(100 * (1 / 3 + 1) / 2))
    assert scores["beliefs"]["questions"] == 0 and scores["beliefs"]["right, %"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no transcripts"),
        ("{\n", "line 1: Expecting property name"),
        ('{"seed": 7}\n', "line 1: a transcript must be an object with acts, depth, index, replies, seed, and "),
        (transcript(acts=4), "line 1: no episodes have 4 acts and depth 1; acts and depth may be 1 and 1"),
        (transcript(replies=["x"] * 9), "line 1: episode 0 is over after"),
        (transcript(index=-1), "line 1: index is -1"),
        (transcript(replies=[3]), "line 1: the reply is 3"),
        (transcript(answers=[]), "line 1: answers is []; it must be an object with before and after, each a list"),
        (transcript(answers={"before": [], "after": []}), "line 1: there are 0 answers before the game; "),
        ("[" * 100_000, "line 1: maximum recursion depth exceeded"),
        ("\n\xe9", "it is not UTF-8 text (byte 1); save it as UTF-8"),
    ],
)
def test_what_is_wrong_with_transcripts_is_said(run, tmp_path, text, message):
    file = tmp_path / "played.jsonl"
    file.write_bytes(text.encode("latin-1"))
    refused(run("score", "hi_tom", "--transcripts", str(file)), str(file), message)
    refused(run("score", "hi_tom", "--transcripts", file, "--report", file), f"{file} is named twice", "--report")
    refused(
        run("score", "hi_tom", "--transcripts", file, "--partial"),
        "--transcripts cannot be combined with --partial",
        code=2,
    )


def test_a_transcript_that_could_not_be_kept_is_refused_before_the_game(run, tmp_path):
    refused(run("play", "--solution", "--transcript", tmp_path), f"{tmp_path} is not a file, and nothing was written")
    file = tmp_path / "played.jsonl"
    file.write_bytes(b"\xe9")
    refused(run("play", "--solution", "--transcript", file), f"{file}: it is not UTF-8 text")


def test_what_is_wrong_with_play_is_said(run, monkeypatch):
    refused(run("play", "--index", "-1"), "--index is -1; ")
    refused(run("play", "--acts", "5"), "no episodes have 5 acts and depth None")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    code, _, errors = run("play", "--seed", "7", *CELL)
    assert code == 1 and errors.endswith("; write one line for each turn\n")
    code, _, errors = run("play", "--seed", "7", *CELL, "--beliefs")
    assert code == 1 and errors == (
        "error: the input ended before the episode did; write one line for each turn and each question\n"
    )


PARTIAL = ("--view", "partial", "--alternatives", "4")


def test_what_is_not_perceived_can_be_asked_and_the_scores_say_how_often(run, tmp_path):
    file, report = tmp_path / "played.jsonl", tmp_path / "report.json"
    code, printed, errors = run("play", *PARTIAL, "--solution", "--beliefs", "--transcript", str(file))
    assert (code, errors) == (0, "") and "While " in printed and " privately asked " in printed
    assert "\nWon with " in printed and " of them questions\n" in printed
    told = json.loads(file.read_text())
    assert (told["view"], told["alternatives"], told["truth"], told["acts"]) == ("partial", 4, "worst", None)
    lost = {**told, "replies": ["nonsense"] * len(told["replies"])}
    full = episodes(**LEAST)[0]
    del lost["answers"]
    file.write_text(f"{json.dumps(told)}\n{json.dumps(lost)}\n{transcript(replies=full.solution)}")
    code, printed, errors = run("score", "hi_tom", "--transcripts", str(file), "--report", str(report))
    assert (code, errors) == (0, "") and "episodes with a partial view" in printed
    by_acts, partly = json.loads(report.read_text())
    assert (by_acts["acts"], by_acts["won"]) == (1, 1)
    assert (partly["alternatives"], partly["turns"], partly["depth"]) == (4, 3, 1)
    assert (partly["episodes"], partly["won"], partly["k"], partly["pass^k, %"]) == (2, 1, 2, 0)
    assert partly["lines that did nothing"] == 3 and 0 < partly["questions of an episode"] < 3
    assert (partly["beliefs"]["episodes asked"], partly["beliefs"]["right, %"]) == (1, 100)
    file.write_text(json.dumps(told))
    words = "score", "hi_tom", "--transcripts", str(file), "--pictures", str(tmp_path)
    refused(run(*words), "has no episodes with a full view")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--view", "partial", "--acts", "2"), "choose alternatives and depth"),
        (("--alternatives", "4"), "say view='partial' too"),
        (("--view", "partial", "--alternatives", "5"), "no episodes have 5 alternatives"),
    ],
)
def test_what_is_wrong_with_a_view_is_said(run, words, message):
    refused(run("play", *words), message)


def test_a_transcript_of_a_view_has_all_that_names_its_episode(run, tmp_path):
    file = tmp_path / "played.jsonl"
    file.write_text(transcript(view="partial"))
    refused(run("score", "hi_tom", "--transcripts", str(file)), "with a partial view it has alternatives, truth, view")
