"""Is A right about where the thing is, does B think so, and does C think that B thinks so?"""

from .kind import YES_NO, Kind, are_one, judge_and_judged
from .shortcuts import ABOUT_PAIRS

RIGHT = Kind("right", YES_NO, rests_on=judge_and_judged, answer=are_one, rules=ABOUT_PAIRS, gate=62)
