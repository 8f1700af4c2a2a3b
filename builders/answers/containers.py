"""The words by which a reply to a Hi-ToM question names a choice: containers, and the letters of the choices.

A container is known in any case, with spaces, hyphens or underscores between its words. A letter counts where it stands
with a container or behind "option"; a letter alone counts only where an answer is expected (rule 7 of `reading`).
"""

import re
from functools import lru_cache
from string import ascii_uppercase

from .reading import Lexicon, Mention, patterns

# The words of replies to a Hi-ToM question; those that announce a statement do so in replies to either dataset.
WORDS = patterns("containers")

SHORT = {"yes", "no", "nobody"}  # choices that are words of any sentence


@lru_cache(maxsize=4096)
def container_lexicon(choices: tuple[str, ...]) -> Lexicon:
    """Return how the choices of a question are named."""
    places = {spelling(choice): place for place, choice in enumerate(choices)}
    longest_first = map(re.escape, sorted(places, key=len, reverse=True))
    spelled = [name.replace("_", r"[\s_-]+") for name in longest_first]
    names = "|".join(spelled)
    alone = "|".join([name for name in spelled if name not in SHORT] + [WORDS.WORD] * (not SHORT.isdisjoint(spelled)))
    pattern = re.compile(WORDS.MENTION.replace("{ALONE}", alone).replace("{NAMES}", names))

    letters = dict(zip(ascii_uppercase, range(len(choices)), strict=False))
    numbers = {choice.removeprefix("line_"): place for choice, place in places.items() if choice.startswith("line_")}
    alone = WORDS.number if len(numbers) == len(choices) else WORDS.letter

    def mention(match: re.Match) -> Mention:
        container, letter = match["named"] or match["before"] or match["only"], match["letter"] or match["behind"]
        if match["alone"]:
            return Mention(*match.span(), letters.get(match["alone"]), True)
        choice = places.get(spelling(container))
        return Mention(*match.span(), choice, bool(letter), bool(letter) and choice != letters.get(letter.upper()))

    def bare(match: re.Match) -> Mention:
        letter = next(filter(None, match.groups())).upper()
        return Mention(*match.span(), (numbers if letter.isdecimal() else letters).get(letter))

    return Lexicon(pattern, mention, alone, bare, WORDS.cue)


def spelling(container: str) -> str:
    """Return a container in the one spelling by which it is compared."""
    return re.sub(r"[\s_-]+", "_", container.strip().lower())
