"""Wrong rules that the questions of deep stories are made to fail: on how many questions each is to fail.

On the other questions chance decides.

WARNING: the order of the lines below matters. The plan deals out the rules one after the other, all from one random
stream. A line that is moved, added or removed changes what is drawn for all later ones, and so every row of `deep`,
`ladder` and `abilities`.
"""

from .features import LazyRule

# On how many questions of a hundred each rule of `shortcuts.FORGETFUL` is to fail, from order 2 on.
FORGETFUL_FAILS = {
    "rule of version 2": 60,
    "order ignored": 50,
    "trust ignored": 95,
    "watching trusts": 40,
    "others' watching ignored": 10,
    "watchers unnoticed": 15,
    "one level deep": 35,
    "one order lower": 70,
    "hearing ignored": 70,
    "reality": 80,
    "insiders trusted": 60,
}

# On how many questions of a hundred each of the lazy rules below is to fail. A search found them in earlier drafts.
LAZY_FAILS = 75

LAZY_OF_ORDER_2 = (
    LazyRule(has=("a claim", "the first pair is known", "the last trusts")),
    LazyRule(has=("reaches all before the content", "the first trusts")),
    LazyRule(has=("the first pair is known",), lacks=("a claim", "in the first chapter")),
    LazyRule(has=("the first pair is known",), lacks=("a claim", "all are open")),
    LazyRule(has=("content is the tail", "the first trusts", "reaches the first")),
    LazyRule(has=("reaches all before the content", "the first trusts"), lacks=("the first watched",)),
    LazyRule(has=("reaches all before the content", "the last trusts"), lacks=("the second is secret",)),
    LazyRule(has=("the first pair is known",), lacks=("a claim",)),
)

LAZY_FROM_ORDER_3 = (
    LazyRule(has=("about thoughts", "the first noticed the second")),
    LazyRule(has=("reaches all before the content", "the first noticed the second")),
    LazyRule(has=("reaches all before the content", "the first trusts"), lacks=("the second is secret",)),
    LazyRule(has=("the first pair is known",), lacks=("a claim", "in the first chapter")),
    LazyRule(has=("the first pair is known", "the last pair is known"), lacks=("a claim",)),
    LazyRule(has=("reaches all", "the first pair is known"), lacks=("a claim",)),
    LazyRule(has=("the first noticed the second", "the last but one trusts")),
    LazyRule(has=("the first pair is known", "the last but one trusts", "content is the tail")),
    LazyRule(has=("the first pair is known", "content ends with the last")),
    LazyRule(has=("the first is secret", "the last but one trusts")),
    LazyRule(has=("about thoughts", "the first noticed the second"), lacks=("in the first chapter",)),
    LazyRule(has=("the first pair is known", "the last pair is known"), lacks=("the last but one is secret",)),
)


def lazy_rules(order: int) -> tuple[LazyRule, ...]:
    """Return the lazy rules that questions of an order are made to fail."""
    return {1: (), 2: LAZY_OF_ORDER_2}.get(order, LAZY_FROM_ORDER_3)
