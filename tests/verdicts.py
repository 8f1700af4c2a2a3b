"""Replies that say something before or behind their verdict: echoes, questions, conditions, reasons, in many forms.

Each reply has one meaning. It must be read so, or be unread; to read it as another choice is a fault.
"""

from collections.abc import Iterator
from itertools import product

# MindGames. The verdicts that end a reply: those of entailment, and those of not_entailment.
STATED = (
    (
        "True.", "Therefore, True.", "So the answer is True.", "Hence the statement is true.", "Answer: True",
        "The answer is **True**.", "\\boxed{True}", "True", "**True**", "Thus it is entailed.",
        "The hypothesis follows.",
        "So the hypothesis is true.", "Final answer: entailment", "Conclusion: True.", "It holds in every case. True.",
        "The statement is not false.", "The answer is not False, but True.", "So: True", "Therefore → True",
        "In no case is it false.", "In none of the cases is the statement false.",
    ),
    (
        "False.", "Therefore, False.", "So the answer is False.", "Hence the statement is false.", "Answer: False",
        "The answer is **False**.", "\\boxed{False}", "False", "**False**", "Thus it is not entailed.",
        "The hypothesis does not follow.", "So the hypothesis is not true.", "Final answer: not_entailment",
        "Conclusion: False.", "It holds only in some cases.", "So it holds only in some cases. False.",
        "The answer is not True, but False.", "It cannot be determined; False.", "We cannot be sure, so False.",
        "The statement is not, strictly speaking, true.", "It is not necessarily true.", "So: False",
        "Therefore → False",
        "It does not hold in every case.", "It holds in some cases but not in all.", "It is true only in some cases.",
        "The statement is true in some cases and false in others.", "It need not be true.", "Not necessarily.",
        "We cannot conclude that the statement is true.", "The statement does not have to be true.",
        "In only some of the cases it is true.", "Only in some cases is it true.", "In some cases only, it is true.",
        "In some cases it is true, in others it is not.", "In one case it is true, in the other it is false.",
        "It is true, but only in some cases.", "It holds, though not in every case.", "In no case is it true.",
        "In none of the three cases it holds.", "Not in every case is it true.", "It holds in 2 of 3 cases.",
        "It holds in at most one case.", "It is true only some of the time.",
    ),
)  # fmt: skip
ECHOES = (
    "", "True or False?", "Is the statement true?", "Is the statement true or false?", "Is it True?", "Does it follow?",
    "Is the hypothesis entailed?", "Does the hypothesis follow from the premise?", "entailment or not_entailment?",
    "Statement: Mary can now know that Bob is thirsty. True or False?", "So, is it true?", "Is that statement correct?",
    "The question is whether the statement is true.", "We must decide if the hypothesis is entailed.",
    "We need to determine whether the statement that Mary can now know that Bob can know it is true.",
    "Is the statement true in every case?", "The task: decide between True and False.", "Can it be true?",
)  # fmt: skip
CONDITIONS = (
    "", "For the statement to be true, Mary must see John.", "In order for the hypothesis to hold, Mary must see John.",
    "For this to be true Mary would have to see John.", "If the statement were true, Mary would see John.",
    "If the hypothesis is true, then Mary sees John.", "The statement is true only if Mary sees John.",
    "The statement would be true if Mary saw John.", "If Mary saw John, the statement would be true.",
    "The statement is true if and only if Mary sees John.", "Unless Mary sees John, the statement is false.",
    "Suppose the statement is true.", "Assume that it is false.", "Assuming the statement is true, Mary sees John.",
    "Were the statement true, Mary would see John.", "To be true, the statement must hold in every case.",
    "True means that it holds in every case.", "False means it holds only in some cases, or in none.",
    "It is true when Mary sees John, and false otherwise.", "The statement could be true.", "It may be false.",
    "The statement can only be true if Mary sees John.", "We need the statement to be true in every case.",
    "Whether the statement is true depends on what Mary sees.", "Had Mary seen John, the statement would be true.",
    "If it is true that Mary sees John, it is false that she knows.", "It might be true or false.",
    "The hypothesis holds provided that Mary sees John.", "It would be entailed as long as Mary sees John.",
)  # fmt: skip
REASONS = (
    "",
    "Mary does not see John.",
    "Mary cannot know that. Bob never says so.",
    "Bob steps forward, so Mary knows.",
)

# What is said behind a verdict, without a change of mind.
BEHIND = (
    "For the statement to be true, Mary would have to see John.", "If it were {other}, Mary would say so.",
    "It would be {other} if Mary saw John.", "The statement would be {other} only if Mary saw John.",
    "Had Mary seen John, it would be {other}.", "Is it {other}? Mary would say so.",
    "{Other} would need another announcement.", "Assuming it is {other} leads nowhere.",
)  # fmt: skip

# Hi-ToM. {x} is the right container or its letter, {y} another one.
SAID = (
    "{x}", "{x}.", "**{x}**", "Therefore, {x}.", "So {x}.", "Answer: {x}", "The answer is {x}.",
    "So the answer is {x}.", "Hence it is {x}.", "Final answer: {x}", "\\boxed{{{x}}}", "It is {x}, not {y}.",
    "The answer is not {y}, but {x}.",
    "The answer is {x} rather than {y}.", "The answer isn't {y}; it is {x}.", "Conclusion: {x}.",
)  # fmt: skip
ASKED = (
    "", "Where does Mila think the apple is?", "Is it {y}?", "Is the answer {y}?", "Could the answer be {y}?",
    "Is the answer {y} or {x}?", "{y}?", "Question: Where is the apple?", "Should I choose {y}?",
    "The question is whether the answer is {y}.", "We must decide if it is {y}.",
)  # fmt: skip
SUPPOSED = (
    "", "For the answer to be {y}, Emma must have stayed.", "For it to be {y}, Emma must have stayed.",
    "If the answer were {y}, Emma would have stayed.", "If Emma had stayed, the answer would be {y}.",
    "If Emma stayed, the answer is {y}.", "The answer would be {y} if Emma had stayed.", "Suppose the answer is {y}.",
    "The answer is {y} only if Emma stayed.", "Had Emma stayed, the answer would be {y}.",
    "Unless Emma left, the answer is {y}.", "Assume that the answer is {y}.", "Were it {y}, Emma would have stayed.",
    "The answer could be {y} only if Emma had stayed.", "To choose {y}, one must think that Emma stayed.",
)  # fmt: skip
WHY = ("", "Emma left first.", "Emma left before Owen moved it. So she cannot know.")
AFTERWARDS = (
    "For the answer to be {y}, Emma must have stayed.", "If Emma had stayed, the answer would be {y}.",
    "Had Emma stayed, it would be {y}.", "The answer would be {y} if Emma had stayed.", "Why not {y}? Emma left.",
)  # fmt: skip

JOINS = (" ", "\n", "\n\n")


def labels() -> Iterator[tuple[str, int]]:
    """Yield replies to MindGames, each with the place of its label."""
    for place, verdicts in enumerate(STATED):
        for echo, condition, reason, verdict in product(ECHOES, CONDITIONS, REASONS, verdicts):
            for join in " " if echo and condition else JOINS:
                yield join.join([*filter(None, (echo, condition, reason)), verdict]), place
        other = ("false", "true")[place]
        for verdict, behind, join in product(verdicts[:6], BEHIND, JOINS):
            yield verdict + join + behind.format(other=other, Other=other.title()), place


def containers() -> Iterator[tuple[str, int]]:
    """Yield replies to Hi-ToM, each with the place of the container that it names."""
    names = (("blue_crate", "red_box"), ("E", "B"), ("E. blue_crate", "B. red_box"), ("option E", "option B"))
    for (x, y), asked, supposed, why, said in product(names, ASKED, SUPPOSED, WHY, SAID):
        for join in " " if asked and supposed else JOINS:
            yield join.join([part.format(x=x, y=y) for part in (asked, supposed, why, said) if part]), 4
    for (x, y), said, behind, join in product(names, SAID[:10], AFTERWARDS, JOINS):
        yield said.format(x=x, y=y) + join + behind.format(x=x, y=y), 4
