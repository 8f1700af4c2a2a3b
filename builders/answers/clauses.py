"""What a reply asserts: its text without questions, conditions, definitions, and what is merely possible.

"Is the statement true? False." asserts *False* alone, and so does "For the statement to be true, Mary must see John.
Therefore, False." What is left out becomes an ellipsis, so that the words around it do not meet. Time is linear in the
length of the text: each pattern looks at a sentence once, or at a stretch of bounded length.

Patterns are matched with small letters where they do not say so, and begin with letters, which makes them fast.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

CUT = "…"  # what stands for a stretch that asserts nothing

# Ends of sentences and lines. A number before a full stop is a label, no end; of a letter only what follows can tell.
END = re.compile(
    r"\n|[!?](?=\s|\Z)|\.(?=\n|\Z)|\.(?=\s)(?<!\b\w\.)(?<!\n\d\d\.)|\.(?=\s+[A-Z])(?<=\b[A-Z]\.)(?P<letter>)"
)

# Words behind which a sentence asserts something new, whatever was supposed before them.
APART = re.compile(
    r"""(?ix) ;\s | \s[—–]\s | \s-\s | \s(?:=>|->|→)\s | \s(?=(?-i:Had|Were|Should)\s+(?!I\b))
    | ,\s(?:and\s+)?(?:so|then\s+again|but|yet|which\s+(?:is|means)|meaning|nor)\b
    | ,?\s(?:but|because|since|therefore|thus|hence|however|although|though|whereas|consequently)\b"""
)
# Words behind which a sentence goes on with a new clause. A condition that follows holds for that clause alone.
GOES_ON = re.compile(r"(?i),\s(?:and|or|which|who|where|while)\b")

# Words that suppose the clause in which they stand, and what follows from it.
SUPPOSES = re.compile(
    r"""(?x)
    if\b(?<!\beven\sif)(?<!\bas\sif)(?<!\bwhat\sif)(?!\s+(?:any|anything|needed|possible)\b)
    (?!\s+you\s+(?:have|need|want|would)\b)
    (?!\s+(?:i|we|you|one)\s+(?:had|have|has|must|were|was|am|are|needed)\s+(?:to|forced|pressed|asked)\b)
    | unless\b | supposing\b | assuming\b(?<!\beven\sassuming)(?<!\band\sassuming)(?<!\bby\sassuming) | otherwise\b
    | whenever\b | long\s+as\b(?<=\b[as][so]\slong\sas)
    | provid(?:ed|ing)\s+that\b | ,\s+provided\b | on\s+(?:the\s+)?condition\b | (?:only\s+)?in\s+case\b
    | (?:only|exactly|precisely|except|just)\s+when\b | (?:true|false|holds?|follows?|entailed)\s+(?:provided|when)\b
    | (?:correct|right|wrong)\s+when\b
    | for\s+(?:[\w'-]+\s+){1,12}?to\s+(?:be|hold|follow|have|count|become)\b
    | [:;,—]\s+(?:had|were)\s+(?:she|he|they|it|the|this)\b
    | need(?:s|ed)?\s+(?:[\w'-]+\s+){1,12}?to\s+(?:be|hold|follow)\b
    | (?:possible|conceivable|imaginable|thinkable|plausible)\s+(?:that|for)\b
    | (?:cases?|worlds?|scenarios?|situations?|possibilit(?:y|ies)|states?)\s+(?:where|in\s+which|that\s+make)\b"""
)
# The same, at the beginning of a clause only; with capitals where these tell it.
SUPPOSES_FIRST = re.compile(
    r"""(?x) \W*(?:(?:[Ss]o|[Nn]ow|[Ff]irst|[Ll]et\s+us|[Ll]et's|[Bb]ut|[Aa]nd|[Tt]hen|[Ww]e|[Ll]et\s+me)\s+)*
    (?: (?:[Aa]ssume|[Ss]uppose|[Ii]magine|[Ss]ay\s+that)\b | (?:Had|Were|Should)\s+(?!\bI\b) )"""
)

# Words that only ask or wish: up to the next comma, or within brackets.
HIDES = re.compile(
    r"""(?x) whether\b[^,;\n]* | \(\s*(?:if|unless|assuming|provided)\b[^)\n]*
    | (?:determined?|decide|knows?|see|tell|say|sure|certain|asks?|check|clear|unknown|wonder|judge|find\s+out)
      \s+if\b[^,;\n]*"""
)
WISHES = re.compile(r"\W*(?:in order )?to (?:be|hold|choose|pick|say|get|make|decide|have)\b[^,\n]*,?")

# Parts of the words above: one of them stands in every sentence that supposes or hides something.
MARKS = (
    "if", "unless", "suppos", "assum", "otherwise", "when", "provid", "long as", "condition", "in case", " to be",
    " to hold", " to follow", " to have", " to count", " to become", "possib", "ceivabl", "imagin", "thinkabl",
    "plausib", " where", "in which", "that make", "whether", "had", "were", "should", "say that",
)  # fmt: skip

# A definition, as the rules of a prompt have them: "True means: it holds in every case".
DEFINES = re.compile(
    r"""(?x) \b(?:true|false|(?:not[\s_-]*)?entailment|yes|no|correct|incorrect|knows?|that\s+p)\b\W{0,3}\s*
    (?:here\s+)?(?:means?|is\s+defined|stands?\s+for|denotes?|(?:would\s+)?(?:mean|need|requires?))\b
    | \bmeans?\s+(?:only|just|merely|exactly)\b\s*:"""
)
DEFINING = ("mean", "defin", "stand", "denot", "need", "requir")  # parts of the words of every whole definition
# The beginning of a definition that a limit cut, behind another one, or in a list of rules.
CUT_SHORT = re.compile(r"[^\S\n]+(?:true|false|[tf])\b[^.!?\n]{0,12}\Z")
CUT_RULE = re.compile(r"\W*(?!1\b)\d+[.)]\s+(?:true|false|yes|no)\b(?:\s+\w{0,5})?[^\w.!]*\Z")
ITEM = re.compile(r"\W*\d+[.)]\s+(?:true|false)\b")

# What stands at the end of a question that asks for agreement, and a question that is a choice and a sign.
TAG = re.compile(r"(?i),\s*(?:right|correct|ok|okay|is(?: it|n't it)(?: not)?)\?")
ALONE = re.compile(
    r"(?i)\A(?!(?:is|are|was|does|do|did|can|could|should|would|will|where|what|which|who|why|how|or)\b)([^\n.!?]{1,60})\?+\Z"
)

# A question that yes answers by saying that the statement holds, and words that make yes mean something else.
POLAR = re.compile(r"(?i)\b(?:true|correct|entail\w*|follows?|holds?(?! a)|valid|right|agree|surprised)\b")
TURNED = re.compile(
    r"(?i)\b(?:not|never|nobody|no|cannot|false|incorrect|wrong|untrue|invalid|contradict\w*|fails?|unlikely|only|or)\b|n't\b"
)
YES_NO = re.compile(r"(?i)\W{0,4}\b(?:yes|no)\b(?=\s*(?:[.,;:!\n]|\Z))")


def asserted(text: str, named: re.Pattern[str]) -> str:
    """Return a text with CUT for each stretch that asserts nothing. `named` matches choices that are named in full."""
    text = ALONE.sub(r"\1", TAG.sub(".", text))
    parts, start, before, asked = [], 0, "", ""
    for end in (*sentence_ends(text, named), len(text)):
        sentence = text[start:end]
        start = end
        if asked and sentence.strip():
            sentence, asked = answered(sentence, asked), ""
        small = sentence.lower()
        asks = "?" in sentence and sentence.rstrip().endswith("?")
        asked = sentence if asks else asked
        if asks or defines(small) or (end == len(text) and begins_rule(small, before)):
            sentence = cut(sentence)
        elif any(mark in small for mark in MARKS) or small.lstrip().startswith("to "):
            sentence = unconditional(sentence)
        parts.append(sentence)
        before = small
    return "".join(parts).lstrip(f"{CUT}. \n")


def defines(small: str) -> bool:
    """Return whether a sentence says what a word means."""
    return any(word in small for word in DEFINING) and bool(DEFINES.search(small))


def begins_rule(small: str, before: str) -> bool:
    """Return whether a sentence at the end of a text begins a definition that a limit cut, given the one before."""
    cut_short = CUT_SHORT.fullmatch(small) and defines(before)
    return bool(cut_short or CUT_RULE.fullmatch(small) and not ITEM.match(before))


def sentence_ends(text: str, named: re.Pattern[str]) -> Iterator[int]:
    """Yield where sentences and lines end; a full stop behind the letter of a choice that is named does not end one."""
    for end in END.finditer(text):
        pair = named.match(text, end.start() - 1) if end["letter"] is not None else None
        if pair is None or pair.end() <= end.end():
            yield end.end()


def answered(sentence: str, question: str) -> str:
    """Return a sentence without the yes or no that answers a question, where nobody can say what that means."""
    question = re.sub(r"(?i),?\s*or not\b[^,?]*,?|\byes or no\b", "", question)
    if not question.strip(" ?") or POLAR.search(question) and not TURNED.search(question):
        return sentence
    return YES_NO.sub(CUT, sentence, count=1) if YES_NO.match(sentence) else sentence


def unconditional(sentence: str) -> str:
    """Return a sentence with CUT for its conditions and questions, and for all that holds under them."""
    small = sentence.lower()
    if len(small) != len(sentence):
        small = sentence  # a letter whose small form is longer
    if hidden := [*whole_words(HIDES, small)]:
        kept = pairwise([0, *(place for words in hidden for place in words.span()), len(sentence)])
        sentence = CUT.join([sentence[start:end] for start, end in [*kept][::2]]).rstrip() + end_of(sentence)
    if wishes := WISHES.match(sentence.lower()):
        sentence = CUT + sentence[wishes.end() :]
    first = SUPPOSES_FIRST.match(sentence) or re.search(r"\s(?:Had|Were|Should)\s", sentence)
    if not first and not any(whole_words(SUPPOSES, sentence.lower())):
        return sentence
    clauses, start = [], 0
    for end in (*(apart.start() for apart in APART.finditer(sentence)), len(sentence)):
        clause = sentence[start:end]
        start = end
        if SUPPOSES_FIRST.match(clause):
            clause = cut(clause)
        elif supposes := next(whole_words(SUPPOSES, clause.lower()), None):
            begins = max((on.start() for on in GOES_ON.finditer(clause, 0, supposes.start())), default=0)
            clause = clause[:begins] + cut(clause[begins:])
        clauses.append(clause)
    return "".join(clauses)


def whole_words(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what a pattern matches, without what begins within a word."""
    for words in pattern.finditer(text):
        if not (words[0][0].isalnum() and text[max(0, words.start() - 1) : words.start()].isalnum()):
            yield words


def cut(stretch: str) -> str:
    """Return what stands for a stretch of text: CUT, and the end of its sentence and line."""
    return CUT + end_of(stretch).replace("?", ".")


def end_of(stretch: str) -> str:
    """Return the signs and spaces that end a stretch of text."""
    return stretch[len(stretch.rstrip().rstrip(".!?")) :]
