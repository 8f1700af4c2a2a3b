"""The wrong versions of explanations that tests of the readers of steps draw up: each must be found."""

import re
from collections import Counter

from tom_datasets.reader.steps import explanation_fault

ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")  # Python reads these digits as numbers too


def mutants(explanation, banks, turns):
    """Yield (kind, text) for every wrong version of an explanation.

    banks: for each kind of name, such as agents, the words that a name may be exchanged for. turns: pairs of phrases;
    each of them stands for the other.
    """
    lines = explanation.split("\n")
    for place in range(len(lines)):
        yield "a step dropped", "\n".join(lines[:place] + lines[place + 1 :])
        yield "a step said twice", "\n".join(lines[: place + 1] + lines[place:])
        if lines[place : place + 1] != lines[place + 1 : place + 2] and place + 1 < len(lines):
            swapped = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
            yield "two steps swapped", "\n".join(swapped)
    for kind, bank in banks.items():
        named = list(re.finditer(rf"\b(?:{'|'.join(map(re.escape, bank))})\b", explanation))
        for word, following in zip(named, named[1:], strict=False):
            if word[0] != following[0]:
                between = explanation[word.end() : following.start()]
                exchanged = following[0] + between + word[0]
                yield f"two {kind} swapped", explanation[: word.start()] + exchanged + explanation[following.end() :]
        for word in named:
            other = bank[(bank.index(word[0]) + 1) % len(bank)]
            yield f"one of the {kind} changed", explanation[: word.start()] + other + explanation[word.end() :]
    for number in re.finditer(r"\d+", explanation):
        for other in (int(number[0]) + 1, int(number[0]) - 1):
            yield "a number changed", f"{explanation[: number.start()]}{other}{explanation[number.end() :]}"
        for other in (f"0{number[0]}", number[0].translate(ARABIC)):
            yield "a number written otherwise", f"{explanation[: number.start()]}{other}{explanation[number.end() :]}"
    clause = r"\w+ (?:noticed \w+ \w+ing|overheard it), (?:and )?"
    for pattern in (r"\w+, (?=\w)", r", \w+(?= and )", r" and [A-Z]\w+", r", \d+(?: to \d+)?", clause):
        for name in re.finditer(pattern, explanation):
            yield "a name or a number left out", explanation[: name.start()] + explanation[name.end() :]
    for turn in turns:
        for phrase, other in (turn, turn[::-1]):
            for found in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", explanation):
                yield "a phrase turned", explanation[: found.start()] + other + explanation[found.end() :]


def unfound(explained, turns):
    """Return how many wrong versions there are of each kind, and (explanation, kind, version) for those not found.

    explained: (row, its explanation, banks of names) for each row, whose explanation must be right.
    """
    made, missed = Counter(), []
    for row, explanation, banks in explained:
        assert explanation_fault(explanation, row) is None
        for kind, mutant in mutants(explanation, banks, turns):
            made[kind] += 1
            if explanation_fault(mutant, row) is None:
                missed.append((explanation, kind, mutant))
    return made, missed
