"""What a reply asserts is read, in thousands of forms: no echo, question, condition, rule or list beats the verdict."""

import re
from itertools import accumulate, islice

import pyarrow.parquet as pq
import pytest
from answering import CHOICES, read_container, read_label
from verdicts import containers, labels

from tom_datasets import prompts
from tom_datasets.answers.clauses import asserted
from tom_datasets.answers.containers import container_lexicon
from tom_datasets.answers.scores import read_reply
from tom_datasets.splits import named_in, world_of
from tom_datasets.syntax.formula import LABELS, SETUPS
from tom_datasets.wording.languages import languages

EVERY = 43
"""Of the forms of `verdicts` one in this many is read; no number of its lists divides by it."""


@pytest.mark.parametrize(("replies", "read"), [(labels, read_label), (containers, read_container)])
def test_no_verdict_is_read_as_its_opposite(replies, read):
    readings = [(read(text).choice, right, text) for text, right in islice(replies(), None, None, EVERY)]
    assert [text for choice, right, text in readings if choice not in (None, right)] == []
    unread = [text for choice, _, text in readings if choice is None]
    assert len(readings) > 900 and len(unread) < 0.02 * len(readings), unread[:5]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Is it true? False.", "False."),
        ("For it to be true, Mary must see John. Therefore, False.", "Therefore, False."),
        ("If it were true, she would know, but she does not, so it is false.", ", but she does not, so it is false."),
        ("It is false; if it were true, she would know.", "It is false…."),
        ("She saw it (if at all) in the red_box.", "She saw it …) in the red_box."),
        ("I cannot say whether it is true, so False.", "I cannot say …, so False."),
        ("Does she see it? No. Is it true? No.", "…. …. … No."),
        ("True means: in every case. False.", "False."),
        ("It is true, right?", "It is true."),
        ("B?", "B"),
    ],
)
def test_what_is_left_of_a_text(text, kept):
    left = asserted(text, container_lexicon(tuple(CHOICES)).named)
    assert re.sub(r"\s", "", left).strip("….") == re.sub(r"\s", "", kept).strip("….")


YES_NO, LINES = ["yes", "no"], ["line 3", "line 12", "line 21"]
WHO = ["nobody", "only Emma", "only Isla", "Isla and Emma", "all three"]
TRUTH = ["Emma does not think so and it is false", "Emma thinks so but it is false", "Emma thinks so and it is true"]
PLANS = ["Liam waited, then Liam exited the den", "Liam exited the den, then Liam waited"]


@pytest.mark.parametrize(
    ("choices", "text", "means"),
    [
        (YES_NO, "Is Isla right? No.", "no"),
        (YES_NO, "For Isla to be right, it must be in the red_box. It is not. So no.", "no"),
        (YES_NO, "If Emma had told her, the answer would be yes. She did not. No.", "no"),
        (YES_NO, "There is no line that moves it. Yes.", "yes"),
        (YES_NO, "No one told Isla. So she is right: yes.", "yes"),
        (YES_NO, "Does Isla see it? No. Does Emma? Yes. So is she right? No.", "no"),
        (YES_NO, "Does Isla see it? No.", None),
        (YES_NO, "Answer: Yes\nQuestion: Is Emma right?\nAnswer: No", "yes"),
        (YES_NO, "yes or no? yes", "yes"),
        (YES_NO, "The answer is B.", "no"),
        (YES_NO, "A. yes\nB. no", None),
        (YES_NO, "Would yes be right? Only if she had stayed. Therefore, no.", "no"),
        (LINES, "Right after line 3, Emma left. The answer is line 21.", "line 21"),
        (LINES, "Answer: 21", "line 21"),
        (LINES, "21", "line 21"),
        (LINES, "12. Emma left.", None),
        (LINES, "Is it line 12? No, Emma left. Line 3.", "line 3"),
        (LINES, "For it to be line 12, Emma must have stayed. Therefore, line 3.", "line 3"),
        (LINES, "C", "line 21"),
        (WHO, "Only Emma.", "only Emma"),
        (WHO, "Nobody else knows, so only Isla.", "only Isla"),
        (WHO, "Nobody.", "nobody"),
        (WHO, "Nobody works out anything else.", None),
        (WHO, "Would nobody be right? No: Isla and Emma.", "Isla and Emma"),
        (WHO, "If Emma had left, the answer would be only Isla. So all three.", "all three"),
        (TRUTH, "If Emma thinks so and it is true, she is honest. But Emma thinks so but it is false.", TRUTH[1]),
        (TRUTH, "B", TRUTH[1]),
        (PLANS, "If Liam exited first, plan B would work. So the answer is A.", PLANS[0]),
        (PLANS, "Would B work? No. Answer: A. Liam waited, then Liam exited the den", PLANS[0]),
    ],
)
def test_questions_of_other_kinds(choices, text, means):
    choice = read_reply("hi_tom", text, choices).choice
    assert (None if choice is None else choices[choice]) == means


@pytest.mark.parametrize(
    ("language", "text", "label"),
    [
        ("fr", "L'énoncé est-il vrai ? Faux.", 1),
        ("fr", "Pour que l'énoncé soit vrai, il faudrait que Mary voie John. Donc, faux.", 1),
        ("fr", "Si Mary avait vu John, l'énoncé serait vrai. Réponse : Faux", 1),
        ("fr", "Il n'est vrai que dans certains cas.", 1),
        ("fr", "Dans certains cas seulement, il est vrai.", 1),
        ("fr", "Seulement dans certains cas est-il vrai.", 1),
        ("fr", "Dans certains cas, l'énoncé est vrai.", 1),
        ("fr", "Il est vrai, mais seulement dans certains cas.", 1),
        ("fr", "Dans aucun cas l'énoncé n'est vrai.", 1),
        ("fr", "L'énoncé n'est vrai dans aucun cas.", 1),
        ("fr", "Pas dans tous les cas il est vrai.", 1),
        ("fr", "Il est parfois vrai.", 1),
        ("fr", "Dans tous les cas, il est vrai.", 0),
        ("fr", "Vrai ou faux ? Vrai", 0),
        ("fr", "Réponse : Vrai\nQuestion : et Bob ?\nRéponse : Faux", 0),
        ("fr", "Réponse : Vrai\n\nUtilisateur : et Bob ?\nRéponse : Faux", 0),
        ("fr", "L'hypothèse ne découle pas des prémisses.", 1),
        ("zh", "这个陈述正确吗？错误。", 1),
        ("zh", "要使陈述正确，玛丽必须看到约翰。因此，错误。", 1),
        ("zh", "如果玛丽看到约翰，陈述就正确。答案：错误", 1),
        ("zh", "它只在某些情况下成立。", 1),
        ("zh", "只有在某些情况下该陈述才正确。", 1),
        ("zh", "并非在所有情况下都成立。", 1),
        ("zh", "它有时成立。", 1),
        ("zh", "在所有情况下都成立。", 0),
        ("zh", "并不成立。", 1),
        ("zh", "该陈述是错误的。", 1),
        ("zh", "答案：正确\n问题：鲍勃知道吗？\n答案：错误", 0),
        ("zh", "答案：正确\n\n用户：鲍勃知道吗？\n答案：错误", 0),
    ],
)
def test_other_languages(language, text, label):
    assert read_reply("mindgames", text, tuple(LABELS.values()), language).choice == label


# Rules said back.

SPOKEN = {"hi_tom": ("all", "deep", "abilities"), "mindgames": (*SETUPS, "deep")}
"""Configs whose rules differ, in all languages."""
ENGLISH = ("tomh", "plans")
"""Configs of stories in English only."""
CASES = [
    (name, config, tongue)
    for name in SPOKEN
    for config in SPOKEN[name]
    for tongue in languages(name)
    if config != "abilities" or not world_of(tongue)
]
CASES += [("hi_tom", config, "en") for config in ENGLISH]


@pytest.mark.parametrize(("dataset", "config", "language"), CASES)
def test_rules_said_back_answer_nothing(tiny_build, dataset, config, language):
    """Each sentence, each rule, and each run of rules from the first one is unread; so are rules that a limit cut."""
    table = tiny_build(dataset) / dataset / named_in(config, language) / "test.parquet"
    first = {row.get("kind"): row for row in reversed(pq.read_table(table).to_pylist())}
    assert len(first) == (11 if config == "abilities" else 1)
    for row in first.values():
        for printed in {prompts.rules_of(row, rules) for rules in (prompts.RULES if dataset == "hi_tom" else ["full"])}:
            lines = printed.split("\n")
            sentences = [text for line in lines for text in re.findall(r"\S.*?[.?!。](?=\s|$|(?<=。))", line)]
            runs = list(accumulate(lines, "{}\n{}".format))
            cut = [line[:end] for line in lines[1:] for end in range(4, len(line), 1 if config == "forehead" else 41)]
            for text in {*sentences, *lines, *runs[::4], printed, *cut}:
                reading = read_reply(dataset, text, row.get("choices", tuple(LABELS.values())), language)
                assert reading.choice is None, text
