"""The words and signs by which replies are read, as patterns; the numbers are those of the rules in `reading`.

Most are verbose: blanks and line breaks in them mean nothing, and a blank that counts stands behind a backslash.
"""

import re

# What begins thinking, and in the same order what ends it: the marks of vLLM 0.33's reasoning parsers, and three more.
TAG = r"(?:\w{1,9}[:|])?(?:think(?:ing|_\w{1,9})?|thoughts?|reasoning)(?::[^\s<>]{1,40})?>"
BEGINS_THINKING = re.compile(
    rf"""(?ix)
    <{TAG}  # <think>, <thinking>, <seed:think>, <mm:think>, <ifm|think_fast>, <think:opensource>
    |\[THINK\]
    |<\|START_THINKING\|>
    |<\|plamo:begin_think:plamo\|>
    |<\|open\|>\s*think\s*<\|sep\|>
    |<\|content_thinking\|>
    |\bto=self<\|message\|>
    |<\|channel\|>
    |\A\s*analysis(?=(?-i:[A-Z]))  # the same without its special tokens
    |<\|channel>
    |\bHere(?:'s|\ is)\ my\ thought\ process:
    |◁think▷"""
)
ENDS_THINKING = re.compile(
    rf"""(?ix)
    </{TAG}
    |\[/THINK\]
    |<\|END_THINKING\|>
    |<\|plamo:end_think:plamo\|>
    |<\|close\|>\s*think\s*<\|sep\|>
    |<\|content_text\|>
    |\bto=user<\|message\|>
    |<\|channel\|>final[^<]{{0,40}}(?:<\|constrain\|>[^<]{{0,40}})?<\|message\|>
    |assistantfinal
    |<channel\|>
    |\bHere(?:'s|\ is)\ my\ response:
    |◁/think▷"""
)

# Words of a concluding sentence (rule 4).
CONCLUDES = re.compile(
    r"""(?ix) \b(?:
    therefore|thus|hence|so|conclu\w+|summary|consequently|most\ likely|must|would|should|overall|ultimately|finally
    |really|actually)\b"""
)

# Words by which a reply says that it names no choice (rules 3 and 4).
UNKNOWABLE = re.compile(
    r"""(?ix)
    \bnone\ of\ (?:the|these|those|them)\b|<none>
    |\b(?:can\ ?not|can't|could\ ?n[o']t|impossible\ to|(?:not|n't)\ possible\ to|unable\ to|no\ way\ (?:to|of)
      |not\ able\ to|hard\ to|difficult\ to)
      \ (?:be\ )?(?:\w+\ )?(?:say|said|saying|know\w*|tell\w*|determin\w+|answer\w*|decid\w+|conclud\w+|infer\w*
      |ascertain\w*|assist|help)\b
    |\b(?:not|n't|in)(?:\ have)?(?:\ given)?(?:\ provide)?\ ?(?:enough|sufficient)\ \w+|\binsufficient\b
    |\bI\ (?:do\ not|don't)\ know\b|\b(?:unknown|undetermined|indeterminate|unclear|refuse)\b
    |\bno\ (?:correct|valid|good|right)\ (?:answer|option)\b
    |\bno\ \w*\ ?(?:information|basis|good\ reason|way|evidence)\ (?:to|for|from|on|about)\b"""
)

# Words for none, directly behind what announces a statement (rule 3).
NONE = re.compile(
    r"""(?ix) [\s:.,)\"'([<-]*
    (?:is\ |be\ |that\ |in\ )*(?:likely\ |most\ likely\ |therefore\ |simply\ )*
    (?:none\b(?!\ of\ the\ other)|neither\b|unknown\b|unclear\b|undetermined\b|N/A\b|nothing\b
    |not\ (?:possible|given|provided|available|listed|stated|mentioned|determinable|among)\b)"""
)

# Words that deny the choice behind them, as in "not in the red_box", "I do not think the answer is B" (rule 1).
DENIED = re.compile(
    r"""(?ix)
    (?:\bnot|n't|\bnever|\bneither|\bnor|\brather\ than|\binstead\ of)\s+(?:\w+\s+){0,2}$
    |(?:n't|\bnot|\bnever|\bdoubt)\s+(?:(?:think|believe|say|claim|sure|certain)\s+)?(?:that\s+)?(?:the|my)\s+
    (?:\w+\s+)?(?:answer|choice|option|label|hypothesis|statement)\s+(?:is|was)\s+(?:the\s+|in\s+)*$"""
)

# Words that deny the choice before them, as in "B is wrong" (rule 1).
REJECTED = re.compile(
    r"""(?ix) [\s)\"'.,]{0,3}\b
    (?:(?:is|are|was|would\ be|seems)
      \ (?:not|wrong|incorrect|false|ruled|excluded|eliminated|impossible|unlikely|out)
    |(?:would\ )?(?:need|requires?|take|mean|imply)|(?:is\ |would\ be\ )?only\ (?:if|when)|isn't|aren't|wasn't|can\ ?not
    |can't|does(?:\ not|n't)|makes\ no\ sense)\b"""
)

# Words that make the choice before them the answer, as in "C is the correct answer" (rule 1).
CHOSEN = re.compile(r"(?i)[\s,)]*\b(?:is|would be|seems) (?:the |my )?(?:\w+ )?(?:answer|correct|right|best)\b")

# Words behind which somebody else calls a choice the answer (rule 1).
QUOTED = re.compile(r"\b(?:[Ii]f|[Ww]hether|[A-HJ-Z]\w* thinks? that)\s+$")

# Words that make the choice behind them the answer, as in "Sorry, blue_crate." (rule 1).
CORRECTED = re.compile(
    r"""(?ix) (?:^|[\n.!?,;:])\s*
    (?:sorry|actually|correction|oops|no|wait|I\ mean)[\s,:.!–—-]+(?:it\ is\ |in\ |the\ )*$"""
)

# Words that join a second choice to a first, as in "B or C" (rule 3).
JOINED = re.compile(r"(?i)[\s,;/&()]*(?:(?:and|or|and/or|either|both)[\s,]+)?(?:the |in |in the |option |letter )*")

# Words behind which a sentence no longer concludes but explains (rule 4).
ASIDE = re.compile(
    r"""(?ix) \b(?:
    since|because|as|where|after|before|when|which|although|though|despite|rather\ than|instead\ of|not|unaware|without
    |even\ if|while|regardless|until|from)\b"""
)

# Ends of sentences and lines. A letter or number before a full stop is a label, no end.
ENDS = re.compile(r"\n|[.!?](?=\n|\Z)|[.!?](?=\s)(?<!\b\w.)")

# Words that stand before the choice in a sentence that only concludes, and what ends such a sentence (rule 2).
THEREFORE = re.compile(
    r"""(?ix) [\s…)\]]*(?:\d+[.)]\s*)?(?:(?:and|well|then|now|ok|okay)[\s,]+)*
    (?:therefore|thus|hence|so|consequently|accordingly|ergo|finally|ultimately|overall
    |in\ (?:conclusion|summary|short|sum)|to\ (?:conclude|sum\ up)|conclusion|as\ a\ result|→|=>|->)[\s,:]*
    (?:(?:it\ (?:is|must\ be|has\ to\ be|should\ be)|it's|i\ (?:say|choose|answer)|in|the|option|→|=>|->)[\s,:]*)*"""
)
SENTENCE_END = re.compile(r"[\s)\]]*(?:[.!…]|\n|\Z|;)")

# Words that name another choice instead of one that is denied (rule 1).
INSTEAD = re.compile(
    r"""(?ix) [\s,;.]*(?:but|rather|instead|(?:it|the\ answer)\ is|it's)\b(?:\ rather|\ instead|\ in)?
    (?:\ (?:the|option|choice|letter))*\s*"""
)

# What ends a line, and the space before the next one.
LINE_END = re.compile(r"[.!)]*[^\S\n]*(?:\n\s*|\Z)")

# What begins another question, story or turn, before which a reply ends (rule 6).
TURN = re.compile(
    r"""(?x)
    \n[^\S\n]*(?i:
      (?:(?:here(?:'s|\ is)\ )?(?:(?:the\ )?(?:next|new|another|second|user|follow-?up)\s+)?
          (?:question|story|problem|puzzle|exercise|example)(?:\s*\(?\#?\d+\)?)?
        |statement|human|user|instructions?|premise|prompt|input|passage|context|scenario
        |rules(?:,\ which\ everybody\ in\ the\ story\ knows)?)
      [^\S\n]*(?::(?!\W*(?:true|false|(?:not[\s_-]*)?entail\w*|yes|no|[A-Z])\W*(?:\n|\Z))|(?=\n|\Z))
      |statement\ \d+:[^\n]*\n\s*(?:true|false)\b
      |read\ the\ following\ story\b
      |(?:q\d*[^\S\n]?[:.)]|question\s*\#?\d+[.)])(?=[^\n]*\s\w+\s[^\n]*\?))
    |\[INST\]|</?question>|Question:(?<=[.?!…]\ Question:)|Statement:(?<=[.?!…]\ Statement:)"""
)

# Mark-up, in the order in which it is replaced, and what stands for it.
REWRITES = (
    # A question that a sentence quotes; the same at the beginning of a sentence.
    (re.compile(r'["“](?<=[a-z,] .)[^"“”\n]{1,300}\?["”]'), "…"),
    (
        re.compile(
            r"""(?x) \?(?=[”’*)\]"']+\s+
            (?:is|are|was|would|must|should|can|could|will|has|may|might|we|I|you|it|in)\b)"""
        ),
        "",
    ),
    # Characters without a shape.
    (re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"), ""),
    # What stands between the fields of an object.
    (re.compile(r',\s*"(?=[A-Za-z_ ]{1,30}"\s*:)'), "\n"),
    (re.compile(r"\r\n?"), "\n"),
    # Marks of chat templates: of the turns of a user, and others.
    (re.compile(r"(?i)<\|(?:user|human)(?:_token)?\|>"), "\nuser\n"),
    (
        re.compile(
            r"""(?x) <\|(?:open|close)\|>\s*\w{1,20}\s*<\|sep\|>|<\|[^|<>\n]{1,40}\|>|</?s>
            |<(?:eos|(?:start|end)_of_turn)>|</?response>"""
        ),
        "\n",
    ),
    # What frames the answer.
    (
        re.compile(r"\\boxed\s*(?=\{)|\[\[(?=[^\[\]\n]{1,60}\]\])|</?(?i:final[_ -]?)?(?i:answer)>"),
        "\nanswer: ",
    ),
    (re.compile(r"\\(?:text\w*|mathrm|mathbf)\s*(?=\{)"), ""),
    (re.compile(r"\\_"), "_"),
    (re.compile(r"""[*`\"“”$\\{}]|(?<![A-Za-z])'|'(?![A-Za-z])"""), ""),
    # Emphasis by underscores.
    (re.compile(r"_(?<![A-Za-z0-9_]_)_*(?=[A-Za-z])|_(?<=[A-Za-z.]_)_*(?![A-Za-z0-9_])"), ""),
    # Beginnings of lines.
    (re.compile(r"(?m)^[ \t]*(?:#+|>|[-•–])[ \t]*"), ""),
    (re.compile(r"(?m)^[ \t]*(?:A:[ \t]*(?=\(?[A-Z]\)?[^\w\n]*$)|\[(?=[A-Z]\][^\w\n]*$))"), "answer: "),
    (re.compile(r"\n(?:[^\S\n]*\n)+"), "\n\n"),
)
