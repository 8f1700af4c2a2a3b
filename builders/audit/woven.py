"""What can be guessed of the questions of `woven`: from the containers that lines name outright, and by wrong rules.

A wrong rule is followed along the whole path: wherever a line is named by thoughts, the rule says which line taught
them. Rules that work out no thoughts have a gate, and a wider one those that work out the thoughts of a few lines.
Wrong rules have none: on a short path a forgotten rule may decide nothing (docs/reference/woven.md).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from ..columns import Row
from ..markdown import markdown_table
from ..story.lines import LineSet
from ..story.meaning import Chain, Facts, Lines, by_rules, facts_of, together
from ..story.naming import named_by, putting
from ..story.shortcuts import FORGETFUL, LINKS
from ..syntax.events import Move, Named, Overhear, Place, Report, Still, Story, Tell
from ..syntax.record import question_of
from .gates import spell_gate, within_chance
from .rules import Gate
from .search import SearchQuestion, search
from .shares import Outcomes, Share, Table, count_shares
from .stories import BEST

LETTER = "letter"
FROM = 4  # the fewest hops of the questions that have gates, together
POOLED = f"{FROM} hops and more"
GATE = 35  # on how many of a hundred of these a rule that reads no thoughts may be right
NAMED_GATE = 50  # … a rule that works out the thoughts of a few lines alone
NUMBERS = 1, 2, 3, 4, 5, 10, 20  # of the lines that are named by thoughts, which are looked at
SEARCHED = 3  # the most features of a rule that is searched for
# What the gates hold for, and the fewest rows, with what these are.
HELD = f"questions of {POOLED}", 40, "test questions of a rung"

# Rules that say for each belief which lines teach it, and have a gate.
HEARD: dict[str, Lines] = {
    "last claim that all heard": lambda facts, chain: together(facts, chain) & facts.claims,
    "last line that all saw": lambda facts, chain: together(facts, chain) & facts.sightings,
}
# Others, by the rules that forget a clause, are shown.
FOLLOWED: Mapping[str, Lines] = {
    **HEARD,
    **{f"link {place} ignored": LINKS[place - 1] for place in (1, 2)},
    **FORGETFUL,
}
# By which rules each line that is named by thoughts may be worked out, and the container that most have taken.
OFTEN: Mapping[str, Lines] = {
    "by the rules": by_rules,
    "all who see or hear a line learn it": together,
    **{name: FORGETFUL[name] for name in ("trust ignored", "one level deep")},
}


def followed(story: Story, facts: Facts, chain: Chain, lines_of: Lines) -> int | None:
    """Return the container at which whoever goes by a rule arrives, None where it finds no line."""
    before = len(facts.lines)
    while True:
        lines = lines_of(facts, chain) if chain else by_rules(facts, chain)
        place = LineSet(lines & (1 << before) - 1).last
        if place < 0:
            return None
        before = putting(story, facts, place)
        event = story.events[facts.lines[before]]
        if not isinstance(event, Named):
            return facts.containers[before]
        chain = named_by(event)


def most_arrived_at(story: Story, facts: Facts, lines_of: Lines) -> list[int]:
    """Return the containers that most lines are named by, as whoever works out each by one rule has it."""
    shown: list[int | None] = []  # by line about the thing: the container that it shows or says
    named: list[int] = []
    for place, line in enumerate(facts.lines):
        event = story.events[line]
        if isinstance(event, Named) and not isinstance(event, Still):
            before = LineSet(lines_of(facts, named_by(event)) & (1 << place) - 1).last
            shown.append(shown[before] if before >= 0 else None)
            if shown[-1] is not None:
                named.append(shown[-1])
        else:
            put = putting(story, facts, place)
            shown.append(facts.containers[place] if put == place else shown[put])
    return extremes(named, named)["most"]


def nth_named(facts: Facts, story: Story) -> dict[str, list[int]]:
    """Return the containers of the first lines that are named by thoughts, of most of them, and of the last one.

    Whoever works one of them out takes fewer steps than the question.
    """
    events = [story.events[line] for line in facts.lines]
    named = [event.container for event in events if isinstance(event, Named) and not isinstance(event, Still)]
    return {
        **{f"named by thoughts as number {number}": named[number - 1 : number] for number in NUMBERS},
        "named by most of the first ten such lines": extremes(named[:10], named)["most"],
        "named by thoughts last": named[-1:],
    }


def perceived(facts: Facts, story: Story) -> dict[str, list[int]]:
    """Return the containers of most claims that somebody overhears, and of most lines that one agent perceives.

    Whoever is to know the answer is kept away from some lines; no such number may show from which.
    """
    heard = [
        story.events[line]
        for line in facts.lines
        if isinstance(story.events[min(line + 1, len(story.events) - 1)], Overhear)
    ]
    outright = [event.container for event in heard if isinstance(event, Tell | Report) and not isinstance(event, Named)]
    named = [event.container for event in heard if isinstance(event, Tell | Report) and isinstance(event, Named)]
    of_agents = [facts.open[agent] | facts.secret[agent] for agent in range(story.n_agents)]
    least = min(of_agents, key=int.bit_count)
    one = [
        event.container
        for place, event in enumerate(story.events[line] for line in facts.lines)
        if least >> place & 1 and isinstance(event, Named) and not isinstance(event, Still)
    ]
    return {
        "overheard most, outright": extremes(outright, outright)["most"],
        "overheard most, named by thoughts": extremes(named, named)["most"],
        "named by most lines that reach the agent whom fewest reach": extremes(one, one)["most"],
    }


def longest_unnamed(named: Sequence[int]) -> list[int]:
    """Return the container that is not named outright for the longest stretch of lines, given those that are.

    Stretches lie between two lines that name it, or behind the last one.
    """
    places: dict[int, list[int]] = {}
    for place, container in enumerate(named):
        places.setdefault(container, []).append(place)
    longest = {of: max(b - a for a, b in pairwise((*at, len(named)))) for of, at in places.items()}
    return [container for container, stretch in longest.items() if stretch == max(longest.values())]


def extremes(named: Iterable[int], containers: Iterable[int]) -> dict[str, list[int]]:
    """Return the containers that are named most and least often; all of them in a tie."""
    counts = Counter(dict.fromkeys(containers, 0))
    counts.update(named)
    return {
        name: [container for container, count in counts.items() if count == end(counts.values())]
        for name, end in (("most", max), ("least", min))
    }


def guesses_of(story: Story, facts: Facts, chain: Chain, containers: Iterable[int]) -> dict[str, Sequence[int | None]]:
    """Return the containers that each rule answers: several where it cannot tell them apart."""
    lines = [event for event in story.events if isinstance(event, Place | Move | Tell | Report)]
    outright = [event.container for event in lines if not isinstance(event, Named)]
    claims = [event.container for event in lines if isinstance(event, Tell | Report) and not isinstance(event, Named)]
    often = extremes(outright, containers)
    order = list(dict.fromkeys(outright))
    return {
        "most mentioned": often["most"],
        "least mentioned": often["least"],
        "first mentioned": order[:1],
        **{f"mentioned as number {number}": order[number - 1 : number] for number in range(2, len(order) + 1)},
        "last mentioned": outright[-1:],
        "unmentioned for longest": longest_unnamed(outright),
        "last claim with a container": claims[-1:],
        "reality": [facts.last(by_rules(facts, ()))],
        "first mind forgotten": [facts.last(by_rules(facts, chain[1:]))],
        "last mind forgotten": [facts.last(by_rules(facts, chain[:-1]))],
        **nth_named(facts, story),
        **perceived(facts, story),
        **{f"named by most lines, {name}": most_arrived_at(story, facts, rule) for name, rule in OFTEN.items()},
        **{name: [followed(story, facts, chain, rule)] for name, rule in FOLLOWED.items() if name != "reality"},
    }


def read(row: Row) -> tuple[str, Outcomes, SearchQuestion]:
    """Return the group of a row, what rules make of it, and what a search for rules sees of it.

    A search sees no container that is named by thoughts: to know it, one has to read them.
    """
    story, names, question = question_of(row)
    facts, answer = facts_of(story, question.thing), names.containers.index(row["answer"])
    guesses = guesses_of(story, facts, question.chain, range(len(names.containers)))
    shares = {rule: guess.count(answer) / max(1, len(guess)) for rule, guess in guesses.items()}
    shown = [
        -1 if isinstance(story.events[line], Named) else container
        for line, container in zip(facts.lines, facts.containers, strict=True)
    ]
    seen = facts.copied()
    seen.containers = shown
    outcomes = Outcomes("", 1 / len(row["choices"]), {LETTER: row["answer_index"]}, shares)
    return f"{row['hops']:03d} hops", outcomes, (seen, question.chain, answer)


def measured(tested: Iterable[Row], _: Iterable[Row] = ()) -> Table:
    """Return how often each rule is right, by hops and on all questions from FROM; rules are searched in halves."""
    outcomes: list[Outcomes] = []
    pool: list[SearchQuestion] = []
    for row in tested:
        group, outcome, searched = read(row)
        outcomes.append(replace(outcome, group=group))
        if row["hops"] >= FROM:
            outcomes.append(replace(outcome, group=POOLED))
            pool.append(searched)
    table = {group.lstrip("0"): shares for group, shares in count_shares(outcomes).items()}
    if len(pool) > 1:
        found = search(pool[::2], pool[1::2], SEARCHED)
        table[POOLED] |= dict(zip(BEST, [rule.measured for rule in found], strict=False))
    return table


def gate_of(group: str, rule: str, share: Share) -> Gate | None:
    """Return the gate of a rule in a group, None where it is only shown; letters must be within chance."""
    if rule == LETTER:
        return within_chance(share)
    return (0, gate / 100) if group == POOLED and (gate := GATES.get(rule)) else None


GATES = {
    **dict.fromkeys((*HEARD, *BEST[:SEARCHED], "most mentioned", "least mentioned", "first mentioned"), GATE),
    **dict.fromkeys((f"mentioned as number {number}" for number in range(2, 9)), GATE),
    **dict.fromkeys(("last mentioned", "unmentioned for longest", "last claim with a container", "reality"), GATE),
    **dict.fromkeys(("first mind forgotten", "last mind forgotten"), GATE),
    **dict.fromkeys((f"named by thoughts as number {number}" for number in NUMBERS), NAMED_GATE),
    **dict.fromkeys(("named by most of the first ten such lines", "named by thoughts last"), NAMED_GATE),
    "overheard most, outright": GATE,
    "overheard most, named by thoughts": NAMED_GATE,
    "named by most lines that reach the agent whom fewest reach": NAMED_GATE,
}


def rendered(table: Table) -> str:
    """Return a table in Markdown: a line for each rule, a column for each number of hops."""
    rules = dict.fromkeys(rule for shares in table.values() for rule in shares)
    lines = []
    for rule in rules:
        gate = spell_gate((0, GATES[rule] / 100)) if rule in GATES else "chance" if rule == LETTER else ""
        lines.append([rule, gate, *(str(shares.get(rule, "")) for shares in table.values())])
    return markdown_table(["rule", "gate", *table], lines, left=1)
