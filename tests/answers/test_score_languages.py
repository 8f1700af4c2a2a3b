"""Run `score` on replies to the same questions in several languages."""

import json

import pytest
from answering import write_lines
from support import refused

LANGUAGES = ("en", "fr", "zh")
SAYS = {"entailment": ("True", "Vrai", "正确"), "not_entailment": ("False", "Faux", "错误")}


def answer(row, language):
    """Return a right reply in words of the language."""
    cue = ("The answer is", "La réponse est", "答案是")[LANGUAGES.index(language)]
    said = row["answer"] if "answer" in row else SAYS[row["label"]][LANGUAGES.index(language)]
    return f"{cue} {said}。" if language == "zh" else f"{cue} {said}."


@pytest.fixture
def files(rows_of, tmp_path):
    """Return a function that writes a file of replies for each language; all are right but every fourth of Chinese."""

    def files(dataset):
        paths = []
        for language in LANGUAGES:
            rows = rows_of(dataset, "all" if language == "en" else f"all_{language}")
            column = "id" if dataset == "hi_tom" else "index"
            lines = [{"id": str(row[column]), "response": answer(row, language)} for row in rows]
            for line in lines[::4] if language == "zh" else ():
                line["response"] = "不知道。"
            paths.append(write_lines(tmp_path / f"{dataset}-{language}.jsonl", lines))
        return paths

    return files


@pytest.mark.parametrize(("dataset", "rows"), [("hi_tom", 120), ("mindgames", 96)])
def test_accuracy_of_each_language_and_how_many_rows_are_answered_alike(score, files, tmp_path, dataset, rows):
    report, pictures = tmp_path / "report.json", tmp_path / "pictures"
    more = ("--languages", *LANGUAGES, "--report", report, "--pictures", pictures)
    code, printed, errors = score(dataset, *files(dataset), *more)
    assert (code, errors) == (0, "")
    assert printed.startswith(f"3 languages, answers to {dataset}, all, test split, seed 0: per cent")
    written = json.loads(report.read_text())
    shares = {row["model"]: row["rates"]["accuracy"]["share"] for row in written["comparison"] if row["group"] == "all"}
    assert shares == {"en": 1, "fr": 1, "zh": 0.75}
    assert written["answered_alike"]["all"]["share"] == 0.75
    assert f"| all | {rows} | 75.0 (" in printed
    assert (pictures / f"{dataset}_score_languages.png").stat().st_size > 5000


def test_what_languages_go_with(score, files):
    english, french, _ = files("hi_tom")
    said = score("hi_tom", french, "--config", "all_fr", "--steps")
    refused(said, "--steps scores replies to English rows only; leave it out, as these are in fr")
    message = "--languages needs two or more languages or worlds, one for each file of --responses"
    refused(score("hi_tom", english, french, "--languages", "en"), message)
    refused(score("hi_tom", english, french, "--languages", "en", "en"), message)
    refused(score("hi_tom", english, "--languages", "en"), message)
    for config in ("all", "all_fr"):
        said = score("hi_tom", english, french, "--languages", "en", "xx", "--config", config)
        refused(said, "unknown config 'all_xx'", "all_fr")
