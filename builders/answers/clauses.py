"""What a reply asserts: its text without questions, conditions, definitions, and what is merely possible.

"Is the statement true? False." asserts *False* alone, and so does "For the statement to be true, Mary must see John.
Therefore, False." What is left out becomes an ellipsis, so that the words around it do not meet. Time is linear in the
length of the text: each pattern looks at a sentence once, or at a stretch of bounded length.
"""

import re
from collections.abc import Iterator

CUT = "…"  # what stands for a stretch that asserts nothing

# Ends of sentences and lines. A letter or number before a full stop is a label, no end.
END = re.compile(r"\n|[.!?](?=\n|\Z)|[!?](?=\s)|(?<!\b\w)(?<!\n\d\d)\.(?=\s)|(?<=\b(?P<letter>[A-Z]))\.(?=\s+[A-Z])")

# Words behind which a sentence asserts something new, whatever was supposed before them.
APART = re.compile(
    r"""(?ix) ;\s | \s[—–]\s | \s-\s | \s(?:=>|->|→)\s
    | ,\s(?:and\s+)?(?:so|then\s+again|but|yet|which\s+(?:is|means)|meaning|nor)\b
    | ,?\s(?:but|because|since|therefore|thus|hence|however|although|though|whereas|consequently)\b"""
)
# Words behind which a sentence goes on with a new clause. A condition that follows holds for that clause alone.
GOES_ON = re.compile(r"(?i),\s(?:and|or|which|who|where|while)\b")

# Words that suppose the clause in which they stand, and what follows from it.
SUPPOSES = re.compile(
    r"""(?ix)
    (?<!\beven\s)(?<!\bas\s)(?<!\bwhat\s)\bif\b(?!\s+(?:any|anything|needed|possible|you\s+(?:have|need|want|would))\b)
    (?!\s+(?:I|we|you|one)\s+(?:had|have|has|must|were|was|am|are|needed)\s+(?:to|forced|pressed|asked)\b)
    | \bunless\b | \bsupposing\b | (?<!\beven\s)\bassuming\b | \botherwise\b | \bwhenever\b
    | \b(?:provided|providing)\s+that\b | ,\s+provided\b | \b(?:true|false|holds?|follows?|entailed)\s+provided\b
    | \b(?:as|so)\s+long\s+as\b | \bon\s+(?:the\s+)?condition\b | \b(?:only|exactly|precisely|except|just)\s+when\b
    | \b(?:only\s+)?in\s+case\b | \bfor\s+(?:[\w'-]+\s+){1,12}?to\s+(?:be|hold|follow|have|count|become)\b
    | \bneed(?:s|ed)?\s+(?:[\w'-]+\s+){1,12}?to\s+(?:be|hold|follow)\b
    | \b(?:true|false|holds?|follows?|entailed|correct|right|wrong)\s+when\b
    | \b(?:possible|conceivable|imaginable|thinkable|plausible)\s+(?:that|for)\b
    | \b(?:cases?|worlds?|scenarios?|situations?|possibilit(?:y|ies)|states?)\s+(?:where|in\s+which|that\s+make)\b"""
)
# The same, at the beginning of a clause only.
SUPPOSES_FIRST = re.compile(
    r"""(?x) \W*(?:(?:[Ss]o|[Nn]ow|[Ff]irst|[Ll]et\s+us|[Ll]et's|[Bb]ut|[Aa]nd|[Tt]hen|[Ww]e|[Ll]et\s+me)\s+)*
    (?: (?:[Aa]ssume|[Ss]uppose|[Ii]magine|[Ss]ay\s+that)\b | (?:Had|Were|Should)\s+(?!\bI\b) )"""
)

# Parts of the words above, one of which stands in every sentence with a condition, in small letters.
MARKS = (
    "if", "unless", "suppos", "assum", "otherwise", "when", "provid", "long as", "condition", "case", " to ", "possib",
    "ceivabl", "imagin", "thinkabl", "plausib", "world", "scenario", "situation", "state", "had", "were", "should", "whether",
    "say that",
)  # fmt: skip

# Words that only ask or wish, up to the next comma.
HIDES = re.compile(
    r"""(?ix) \bwhether\b[^,;\n]*?(?=[.!]?\s*\Z|[,;\n]) | ^\W*(?:in\s+order\s+)?to\s+(?:be|hold|choose|pick|say|get|make|decide|have)\b[^,\n]*,?
    | (?<=[(,])\s*(?:if|unless|assuming|provided)\b[^)\n]*(?=\)) | \(\s*(?:if|unless|assuming|provided)\b[^)\n]*
    | \b(?:determined?|decide|know|knows|see|tell|say|sure|certain|ask|asks|check|clear|unclear|unknown|wonder|judge|find\s+out)
      \s+if\b[^,;\n]*?(?=[.!]?\s*\Z|[,;\n])"""
)

DEFINING = ("mean", "defin", "stand", "denot", "need", "requir")  # parts of the words of every definition
STOP = re.compile(r"[.!?]*\s*\Z")  # the end of a sentence or clause

# A definition, as the rules of a prompt have them: "True means: it holds in every case".
DEFINES = re.compile(
    r"""(?ix) \b(?:true|false|(?:not[\s_-]*)?entailment|yes|no|correct|incorrect|know|knows|that\s+P)\b\W{0,3}\s*
    (?:here\s+)?(?:means?|is\s+defined|stands?\s+for|denotes?|(?:would\s+)?(?:mean|need|requires?))\b
    | \bmeans?\s+(?:only|just|merely|exactly)\b\s*: | \A\W*(?!1\b)\d+[.)]\s+(?:true|false)\b(?:\s+\w{0,5})?[^\w.!]*\Z"""
)
CUT_SHORT = re.compile(
    r"(?i)[^\S\n]+(?:true|false|[tf])\b[^.!?\n]{0,12}\Z"
)  # the beginning of another, where a text ends

# What stands at the end of a question that asks for agreement, and of one whose answer settles nothing.
TAG = re.compile(r"(?i),\s*(?:right|correct|ok|okay|is(?: it|n't it)(?: not)?)\?")
ALONE = re.compile(
    r"(?i)\A(?!(?:is|are|was|does|do|did|can|could|should|would|will|where|what|which|who|why|how|or)\b)([^\n.!?]{1,60})\?+\Z"
)

# A question that yes answers by saying that the statement holds, and words that make yes mean something else.
POLAR = re.compile(r"(?i)\b(?:true|correct|entail\w*|follows?|holds?(?! a)|valid|right|agree|surprised)\b")
TURNED = re.compile(
    r"(?i)\b(?:not|never|nobody|no|cannot|false|incorrect|wrong|untrue|invalid|contradict\w*|only|or)\b|n't\b"
)
YES_NO = re.compile(r"(?i)\W{0,4}\b(?:yes|no)\b(?=\s*(?:[.,;:!\n]|\Z))")


def asserted(text: str, named: re.Pattern) -> str:
    """Return a text with CUT for each stretch that asserts nothing. `named` matches choices that are named in full."""
    text = ALONE.sub(r"\1", TAG.sub(".", text))
    parts, start, asked, defines = [], 0, None, False
    for end in [*sentence_ends(text, named), len(text)]:
        sentence = text[start:end]
        if asked is not None and sentence.strip():
            sentence, asked = answered(sentence, asked), None
        if asks := sentence.rstrip().endswith("?"):
            asked = sentence
        small = sentence.lower()
        defines = (defines and CUT_SHORT.fullmatch(sentence)) or (
            (any(word in small for word in DEFINING) or end == len(text)) and DEFINES.search(sentence)
        )
        if asks or defines:
            sentence = _cut(sentence)
        elif any(mark in small for mark in MARKS) or small.lstrip().startswith("to "):
            sentence = unconditional(HIDES.sub(CUT, sentence))
        parts.append(sentence)
        start = end
    return "".join(parts).lstrip(f"{CUT}. \n")


def sentence_ends(text: str, named: re.Pattern) -> Iterator[int]:
    """Yield where sentences and lines end; a full stop behind the letter of a choice that is named does not end one."""
    for end in END.finditer(text):
        pair = named.match(text, end.start() - 1) if end["letter"] else None
        if pair is None or pair.end() <= end.end():
            yield end.end()


def answered(sentence: str, question: str) -> str:
    """Return a sentence without the yes or no that answers a question, where nobody can say what that means."""
    question = re.sub(r"(?i),?\s*or not\b[^,?]*,?", "", question)
    if POLAR.search(question) and not TURNED.search(question):
        return sentence
    return YES_NO.sub(CUT, sentence, count=1) if YES_NO.match(sentence) else sentence


def unconditional(sentence: str) -> str:
    """Return a sentence with CUT for its conditions, and for all that holds under them."""
    if not SUPPOSES.search(sentence) and not SUPPOSES_FIRST.match(sentence):
        return sentence
    clauses, start = [], 0
    for end in [*(apart.start() for apart in APART.finditer(sentence)), len(sentence)]:
        clause = sentence[start:end]
        if SUPPOSES_FIRST.match(clause):
            clause = _cut(clause)
        elif supposes := SUPPOSES.search(clause):
            begins = max((on.start() for on in GOES_ON.finditer(clause, 0, supposes.start())), default=0)
            clause = clause[:begins] + _cut(clause[begins:])
        clauses.append(clause)
        start = end
    return "".join(clauses)


def _cut(stretch: str) -> str:
    """Return what stands for a stretch of text: CUT, and the end of its sentence and line."""
    return CUT + STOP.search(stretch)[0].replace("?", ".")
