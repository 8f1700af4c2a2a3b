"""The words by which a reply to a Hi-ToM question names a choice: containers, and the letters of the choices.

A container is known in any case, with spaces, hyphens or underscores between its words. A letter counts where it stands
with a container or behind "option"; a letter alone counts only where an answer is expected (rule 7 of `reading`).
"""

import re
from functools import lru_cache
from string import ascii_uppercase

from .mentions import Mention
from .reading import Lexicon

# Words that announce a statement, in replies to either dataset; the last ones do before a letter that ends a line.
#
# Verbose, as all patterns here: blanks and line breaks mean nothing, and a blank that counts stands behind a backslash.
ANNOUNCING = r"""
    (?<!other\ )\banswer(?:s|ed)?\b(?!\ choices)
    |\b(?:best|correct|right|likely|final|my|the|logical)\ (?:option|choice|guess)\b|\b(?:best|correct|right)\ one\ is\b
    |\boption\ that\b
    |\bconclu(?:sion\ is|de\ that)\b|\b(?:it's|it\ is)(?=\s+\(?(?-i:[B-HJ-Z])\b)
    |\bI(?:'d|\ would|'ll|\ will)?\ (?:choose|pick|select|go\ with)\b
    |(?:\b(?:therefore|thus|hence|so|is|be|in|with|say|means|thinks?|believe|guess|probably|likely)\b,?|[:=>→]
      |(?<!\b\w[.!?])(?<=[.!?]))(?=\s*\(?(?-i:[A-Z])\)?[.!]*\s*(?:\n|\Z))"""
CUE = re.compile(rf"(?ix) {ANNOUNCING}")

# What must follow "A" or "I" alone: they are words, too.
AFTER = r"(?=\s*(?:$|[.,:;!?)\]}\n—–-]|(?:because|since|as|for|given|or|and)\b))"

# A letter alone, where an answer may be expected.
A_LETTER = rf"""(?<![^\s:=(\[,;/&])\(?(?:
    ([B-HJ-Z])(?![\w'])(?=\W|$)|([A-Z])(?![\w']){AFTER}|\(([A-Za-z])\)|([a-z])(?=\s*[.):]?\s*$))\)?"""
LETTER = re.compile(rf"(?x) {A_LETTER}")

# The same where the choices are lines: also the number of a line, where a line of the reply ends.
NUMBER = re.compile(
    rf"""(?x) {A_LETTER}
    |(?<![^\s:=(\[])(\d{{1,3}})(?=[)\]]*\s*(?:\n|\Z))|(?<=\S\ )(\d{{1,3}})(?=\.\s*(?:\n|\Z))"""
)

# A choice of SHORT, which must be all of its clause.
SHORT_CHOICE = r"""(?:(?<![^\n])|(?<=[.!?:=([,;…>→]\ )|(?<=[:=([→])|(?<=\b(?:is|be|so|or)\ )|(?<=\b(?:say|yes)\ )
    |(?<=\b(?:thus)\ )|(?<=\bhence\ )|(?<=\banswer\ )|(?<=\btherefore\ ))(?:yes|no|nobody)
    (?=\s*(?:[.,;:!)\]]|\n|\Z)|\s+(?:because|since|thinks?|of)\b)"""

SHORT = {"yes", "no", "nobody"}  # choices that are words of any sentence


@lru_cache(maxsize=4096)
def container_lexicon(choices: tuple[str, ...]) -> Lexicon:
    """Return how the choices of a question are named."""
    places = {spelling(choice): place for place, choice in enumerate(choices)}
    longest_first = map(re.escape, sorted(places, key=len, reverse=True))
    spelled = [name.replace("_", r"[\s_-]+") for name in longest_first]
    alone = [name for name in spelled if name not in SHORT] + [SHORT_CHOICE] * (not SHORT.isdisjoint(spelled))
    pattern = mention_pattern("|".join(spelled), "|".join(alone))

    letters = dict(zip(ascii_uppercase, range(len(choices)), strict=False))
    numbers = {choice.removeprefix("line_"): place for choice, place in places.items() if choice.startswith("line_")}
    letter = NUMBER if len(numbers) == len(choices) else LETTER

    def mention(match: re.Match[str]) -> Mention:
        container, letter = match["named"] or match["before"] or match["only"], match["letter"] or match["behind"]
        if match["alone"]:
            return Mention(*match.span(), letters.get(match["alone"]), True)
        choice = places.get(spelling(container))
        return Mention(*match.span(), choice, bool(letter), bool(letter) and choice != letters.get(letter.upper()))

    def bare(match: re.Match[str]) -> Mention:
        letter = next(filter(None, match.groups())).upper()
        return Mention(*match.span(), (numbers if letter.isdecimal() else letters).get(letter))

    return Lexicon(pattern, mention, letter, bare, CUE)


def mention_pattern(names: str, alone: str) -> re.Pattern[str]:
    """Return what matches a mention of a container.

    Its groups: `letter` before a container that is `named`, or that is `foreign` to the choices; a container `before`
    the letter `behind` it; a letter `alone`, behind "option"; and a container that is the `only` one to be seen.

    names: a pattern of the containers of a question. alone: a pattern of those that need nothing beside them.
    """
    return re.compile(
        rf"""(?x) (?<![A-Za-z0-9_'])(?:
        (?:(?:option|choice|letter|answer)\s+)?\(?(?P<letter>[A-Za-z])(?:\s*[.:)\]=,-]+\s*\(?|\s+\(|(?<![AaIi])\s+)
          (?:the\s+)?(?P<named>(?i:{names})|(?P<foreign>[a-z]+(?:_[a-z]+)+))
        |(?P<before>(?i:{names}))
          (?:\s*[(\[]\s*(?:(?i:option|choice|answer|letter)\s+)?|,?\s+(?i:option|choice|answer|letter)\s+)
          (?P<behind>[A-Z])(?=[)\].,:;!?\s]|$)[)\]]?
        |(?i:option|choice|letter)\s+\(?(?P<alone>[A-Z])\)?
        |(?P<only>(?i:{alone})))(?![A-Za-z0-9_])"""
    )


def spelling(container: str) -> str:
    """Return a container in the one spelling by which it is compared."""
    return re.sub(r"[\s_-]+", "_", container.strip().lower())
