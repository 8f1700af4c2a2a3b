"""The words by which a reply to a MindGames problem names a label, and the negations that turn one into the other.

`entailment` is true, yes, entailed, follows or holds; `not_entailment` is false, no, not entailed, does not follow,
contradiction, neutral or cannot be inferred. An echo of "True or False?" is dropped, and words behind "if" or "whether"
name no label.
"""

import re

from .containers import ANNOUNCING
from .mentions import Mention
from .reading import Lexicon

# All patterns here are verbose: blanks and line breaks mean nothing, and a blank that counts stands behind a backslash.

# Words that announce a statement: those of either dataset, and words for the hypothesis.
CUE = re.compile(
    rf"""(?ix) {ANNOUNCING}
    |(?<!whether\ )(?<!whether\ the\ )(?<!if\ )(?<!if\ the\ )(?<!that\ )(?<!that\ the\ )
      \b(?:hypothesis|statement|label|verdict|conclusion|classification|relation(?:ship)?)\b"""
)

# A negation, and the words that may stand between it and what it negates.
NOT = r"(?:\bnot|n't|\bcannot|\bnever|\bno\ longer|\bnor|\bhardly|\bfar\ from|\banything\ but)"
BE = r"""(?:,[^,.\n]{1,30},|\s+(?:be|been|being|is|are|it|a|an|the|by|in\ fact|actually|directly|really|quite|exactly
    |entirely|fully|completely|strictly|logically|necessarily|always|have|has|need|to|also|shown|proven|proved|said
    |considered))*"""
SURELY = r"(?:necessarily|always|strictly|logically|certainly|have|has|need|shown|proven|proved)"

# Words for what is shown to be true, for a hypothesis that holds, and for one that does not.
SHOWN = r"correct|valid|inferred|concluded|derived|deduced|implied|supported|proven|guaranteed|right"
HOLDS = rf"(?:entail(?:s|ed|ment|ing)?|true|follows?|holds?|{SHOWN})"
FAILS = r"(?:false|contradict(?:s|ed|ion|ory)?|neutral|untrue|incorrect|invalid|wrong)"
SOME = r"""(?:(?:only\ |but\ |just\ )?
    (?:some|one|a\ few|few|certain|most|many|several|two|half|at\ least\ one|a\ single)
    |no\b|none|not\ (?:all|every)|at\ most|fewer|less\ than)"""
PARTLY = r"(?:sometimes|rarely|at\ times|(?:some|part|half|most)\ of\ the\ time|in\ part)"

# Words for saying that something is so, as in "it is false to say that it holds".
SAY = r"(?:say|claim|conclude|think|assume|call|state|infer|believe)"

# A subject before the verdict: "the premise holds a card" is no verdict, "it holds" is one.
BEHIND = r"""
    (?<=\bit\ )|(?<=\bhypothesis\ )|(?<=\bstatement\ )|(?<=\bthis\ )|(?<=\bconclusion\ )|(?<=\balso\ )
    |(?<=\btherefore\ )|(?<=\bindeed\ )|(?<=\bis\ )|(?<=\bbe\ )|(?<=\blogically\ )|(?<=\bit's\ )|(?<=\bthat's\ )"""

# A verdict on the hypothesis. Its groups: `open` is a no that is not sure, `turned` is a negated no, `no` is
# not_entailment, `yes` is entailment.
VERDICT = re.compile(
    rf"""(?ix)
    (?P<open>(?:{NOT}{BE}\s+{SURELY}{BE}|\bneed(?:n.t|\ not)(?:\ be)?)\s+{FAILS}\b)
    |(?P<turned>(?:{NOT}{BE}|\b{FAILS}\s+that\s+(?:it|this|the\ (?:hypothesis|statement))\s+is)\s+{FAILS}\b
      |(?:\bnot\ the\ case\ that|\b{FAILS}\ to\ {SAY})\b[^.\n]{{0,60}}?\b{FAILS}\b)
    |(?P<no>\b(?:not|non|no)[\s_-]*entail\w*|{NOT}{BE}\s+{HOLDS}\b|\b{FAILS}\b|\bfails?\ to\ (?:follow|hold|be)\b
      |(?:{BEHIND})fails\b
      |\b{FAILS}\ to\ {SAY}\b[^.\n]{{0,60}}?\b{HOLDS}\b
      |\bnot\ the\ case\b|\bnot\ necessarily\b|\bno(?=\s*(?:[.,;:!]|\n))|\b(?:sometimes|occasionally|rarely)\ {HOLDS}\b
      |\bpart(?:ial)?ly\ true\b|\b{HOLDS}(?:\ only|\ but|\ just)?\ (?:in\ {SOME}|{PARTLY})\b
      |\b{HOLDS},?\ (?:but|though|although|albeit|yet)\ (?:only\ in\ {SOME}|not\ in\ (?:all|every|each))\b
      |\b{HOLDS}(?:\ only|\ just)?\ in\ (?:only\ |just\ )?(?P<few>\d+)\ (?:out\ )?of\ (?:the\ )?(?!(?P=few)\b)\d+\b
      |\bonly\ (?:in\ some|sometimes)\b
      |\bonly\ {HOLDS}\ in\ {SOME}\b|\bin\ some\b[^.\n]{{0,30}}\bbut\ not\ in\ (?:all|every|others)\b
      |{NOT}(?:\s+\w+)?\s+(?:conclude|infer|deduce|derive|prove|show|establish|guarantee)\s+that\b[^.;\n]{{0,120}}?
        \b{HOLDS}\b)
    |(?P<yes>\b(?:entail(?:s|ed|ment|ing)?|true|yes)\b
      |(?:{BEHIND})(?:follows?(?!\s*:)|holds?(?!\ a)|{SHOWN})\b)"""
)

# Words behind which "cannot know" is said of an agent, not of the answer.
AGENT = re.compile(
    r"""(?x)
    (?:\b(?!(?:It|This|That|We|One|You|There|Statement|Hypothesis|Answer|But|And|So|Therefore|Thus|Hence)\b)[A-Z][a-z]+
    |\b(?i:he|she|they|nobody|everybody|anybody|who|persons?|people|agents?|others?))\s+\Z"""
)

# Words before a verdict that is not one on the statement: of what somebody knows, of other things, or of what may be.
SUPPOSED = re.compile(
    r"""(?ix) (?:
    \b(?<!we\ )(?<!I\ )(?<!you\ )know(?:s|n|ing)?\s+(?:(?:whether|if|that)\s+)*(?:it|this|that|the\ \w+|[a-z])
      \s+(?:is|was)\s+
    |\b(?:announcements?|claims?|premises?|rules?|facts?|\w+'s\ statements?)\s+(?:is|are|was|were|must\ be)\s+
    |\b(?:are|were)\s+(?:\w+\s+(?:and|or)\s+)?
    |\b(?:may|might|could|can)\s+(?:(?:also|still|only|well|indeed)\s+)*be\s+(?:\w+\s+){0,2}
    |\b(?:wrong|incorrect|false|untrue|right|correct|possible|tempting)\s+to\s+\w+\s+(?:that\s+)?[^.\n]{0,60}
    |\b(?:not\ the\ case|false|untrue|incorrect|not\ true|not\ correct)\s+that\s[^.\n]*)$"""
)

# Cases in front of a verdict that holds in them alone, as in "In only some of the cases it is true".
FRONTED = re.compile(
    rf"""(?ix) \b(?: in\ (?P<none>no|none) | (?P<some>in\ {SOME}) | not\ in\ (?:all|every|each) )\b
    (?:\ (?:of|the|these|those|all|possible|consistent|remaining|such|left|them|\d+|two|three|four
      |cases?|worlds?|states?|situations?|scenarios?|possibilities))*
    (?:\ only)?,?(?:\ (?:is|does|would))?\ (?:it|this|that|(?:(?:the|this)\ )?(?:statement|hypothesis|conclusion))
    (?:\ (?:is|be|was|only|indeed))*\s\Z"""
)

# The question, repeated: "True or False?" and the like.
ECHO = re.compile(
    r"""(?ix)
    \b(?:true|entail(?:ment|ed|s)?|yes)['\"]?\s*(?:or|/|,|\|)\s*(?:it\ is\ )?['\"]?
      (?:false|no|not[\s_-]*entail(?:ment|ed)?|contradiction|non-?entailment)\b[^\w\n]*
    |\b(?:false|no|not[\s_-]*entail(?:ment|ed)?)\s*(?:or|/|\|)\s*(?:true|yes|entail(?:ment|ed)?)\b[^\w\n]*"""
)

# A word or letter alone, where an answer may be expected.
ALONE = re.compile(
    r"""(?ix)
    (?<![^\s:=(\[,;/&])\(?(?:(?P<yes>yes)|no)(?=\W|$)(?!\s+(?:one|other|information|agent|person)\b)
    |(?<![^\s:=(\[,;/&])\(?(?:(?P<right>correct|right(?!,))|wrong)(?=\s*(?:$|[.,;!?)\n]))
    |(?:(?<![^\n])|(?<=[:=(\[>→]\ )|(?<=[:=(\[])|(?<=\b(?:is|so)\ )|(?<=\b(?:thus)\ )|(?<=\bhence\ )|(?<=\btherefore\ ))
      \(?(?-i:(?P<t>T)|F)(?=\s*(?:$|[.,;!?)\n]))"""
)

NEAR = 120  # length of the stretch before a verdict that may suppose it, in characters


def _verdict(match: re.Match[str]) -> Mention | None:
    """Return what a verdict says of the hypothesis: place 0 for entailment, 1 for not_entailment; None if supposed.

    Of some cases it says not_entailment. Of no case it says what its negation says of all; of not all, nothing if it is
    a no.
    """
    if match["open"]:
        return None
    before = match.string[max(0, match.start() - NEAR) : match.start()]
    before = before[max(before.rfind("\n"), before.rfind(". ")) + 1 :]
    no, fronted = bool(match["no"]), FRONTED.search(before)
    if SUPPOSED.search(before) or (fronted and no and not fronted["none"] and not fronted["some"]):
        return None
    return Mention(*match.span(), int(no if not fronted else not no if fronted["none"] else True))


def _alone(match: re.Match[str]) -> Mention:
    """Return what a word alone says, which may be an answer."""
    return Mention(*match.span(), 0 if match["yes"] or match["right"] or match["t"] else 1)


LEXICON = Lexicon(VERDICT, _verdict, ALONE, _alone, CUE, [(ECHO, "\n")], AGENT)
