"""Score replies: for each prompt tables of rates by group, and the analyses of the papers. Begin with `score`."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from operator import attrgetter
from string import ascii_uppercase

from ..groups import grouped_by
from ..reader.read_languages import reader
from ..splits import ENGLISH
from .analyses import analyses, end_counts
from .containers import container_lexicon
from .horizon import Horizon, by_dial, horizons
from .items import Item, by_property, by_quarter
from .labels import LEXICON as label_lexicon
from .mentions import Reading
from .rates import Bootstrap, Rate, Table, Values
from .reading import read
from .samples import SEVERAL, sample_rates
from .tokens import SPENT, Tokens, mean_tokens, token_groups

JOINT = {"hi_tom": "joint accuracy", "mindgames": "block accuracy"}  # the strict metric of each dataset
COMMONEST = "commonest answer"  # the share of replies that give the one answer that most give
UNDISPUTED = "accuracy, undisputed"  # the accuracy on the rows whose answer all readings give (docs/why/beliefs.md)


@dataclass(frozen=True, slots=True)
class Score:
    """Hold what was measured under one prompt."""

    replies: Sequence[Item]  # what was measured
    tables: Mapping[str, Table]  # the rates of all replies, and by each property
    analyses: Mapping[str, Table] = field(default_factory=dict)  # those of the papers, by title
    ends: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)  # see `end_counts`; hi_tom only
    tokens: Mapping[str, Tokens] = field(default_factory=dict)  # of each group of the table SPENT, if there is one
    horizons: Mapping[str, Horizon] = field(default_factory=dict)  # by what grows; none where no row has a dial


def read_reply(name: str, text: str, choices: Sequence[str], language: str = ENGLISH) -> Reading:
    """Return which of the choices a reply to a row of a dataset names: containers in hi_tom, `LABELS` in mindgames.

    Words of other languages become English ones first.
    """
    if language != ENGLISH:
        plain = reader(language).reply
        text, choices = plain(text), [*map(plain, choices)]
    return read(text, label_lexicon if name == "mindgames" else container_lexicon(tuple(choices)))


def score_replies(name: str, items: Iterable[Item], reader: Callable[..., Reading] = read_reply) -> list[Item]:
    """Return items with how `reader` reads the replies to them, and whether each is right with those that it needs.

    Of several replies to each row, it needs those of its own sample.
    """
    replies = [replace(item, reading=reader(name, item.text, item.choices, item.language)) for item in items]
    placed = {(reply.prompt, reply.unit, reply.sample, reply.place): reply for reply in replies}

    def with_others(reply: Item) -> Item:
        beside = reply.prompt, reply.unit, reply.sample
        if reply.needs is None or any((*beside, place) not in placed for place in reply.needs):
            return reply
        needed = {place: placed[(*beside, place)] for place in reply.needs}
        together = {**needed, reply.place: reply}.values()
        strict, chance = all(each.right for each in together), prod(each.chance for each in together)
        return replace(reply, strict=strict, strict_chance=chance)

    return list(map(with_others, replies))


def score(name: str, items: Iterable[Item]) -> dict[str, Score]:
    """Read and score the replies to items of each prompt, by its name, or "all" for the prompt without a name.

    Several prompts are also compared in one table, under "", which comes first.
    """
    replies = score_replies(name, items)
    bootstrap = Bootstrap(name, (reply.unit for reply in replies))
    prompts = grouped_by(lambda reply: reply.prompt or "all", replies)
    scores = {prompt: _score_prompt(name, group, bootstrap) for prompt, group in prompts.items()}
    if len(prompts) > 1:
        compared = rates_by_group(name, {**prompts, "all": replies}, bootstrap)
        scores = {"": Score(replies, {"prompt": compared}), **scores}
    return scores


def _score_prompt(name: str, replies: Sequence[Item], bootstrap: Bootstrap) -> Score:
    """Score the replies to one prompt."""
    tables = {"all": rates_by_group(name, {"all": replies}, bootstrap)}
    if replies[0].sample:
        tables[SEVERAL] = sample_rates(replies, bootstrap)
    groups = {title: by_property(replies, title) for title in replies[0].groups}
    groups["difficulty"] = quarters(replies)
    groups |= by_dial(replies)
    tables |= {title: rates_by_group(name, some, bootstrap) for title, some in groups.items() if some}
    spent = token_groups(replies)
    if spent:
        rates = rates_by_group(name, spent, bootstrap).items()
        tables[SPENT] = {group: {metric: some[metric] for metric in ("accuracy", "unread")} for group, some in rates}
    tokens = {group: mean_tokens(some) for group, some in spent.items()}
    found = horizons(replies, bootstrap)
    if name == "hi_tom":
        return Score(replies, tables, analyses(replies, bootstrap), end_counts(replies), tokens, found)
    by_agents = {
        setup: rates_by_group(name, by_property(group, "agents"), bootstrap)
        for setup, group in by_property(replies, "setup").items()
    }
    return Score(replies, tables, by_agents, tokens=tokens, horizons=found)


def rates_by_group(name: str, groups: Mapping[str, Sequence[Item]], bootstrap: Bootstrap) -> Table:
    """Return the rates of each group; see `metric_rates`."""
    return {group: metric_rates(name, replies, bootstrap) for group, replies in groups.items()}


def metric_rates(name: str, replies: Sequence[Item], bootstrap: Bootstrap) -> dict[str, Rate]:
    """Return the rate of each metric of `metric_values`, with its chance, and the share of the commonest answer.

    That is a letter, or a label of mindgames. It has no rate where nobody saw letters, or no reply was read.
    """
    chances = {
        "accuracy": attrgetter("chance"),
        UNDISPUTED: attrgetter("chance"),
        JOINT[name]: attrgetter("strict_chance"),
    }
    values = metric_values(name, replies)
    rates = {metric: bootstrap.rate(some, chances.get(metric)) for metric, some in values.items() if some}
    places = Counter(reply.reading.choice for reply in replies if reply.reading.choice is not None)
    if places and all(reply.lettered for reply in replies):
        most = min(places, key=lambda place: (-places[place], place))
        answer = replies[0].choices[most] if name == "mindgames" else ascii_uppercase[most]
        rates[COMMONEST] = bootstrap.rate([(reply, reply.reading.choice == most) for reply in replies], answer=answer)
    return rates


def metric_values(name: str, replies: Sequence[Item]) -> dict[str, Values]:
    """Return by metric of each reply whether the metric counts it; no reply where the metric is not defined."""
    return {
        "accuracy": [(reply, reply.right) for reply in replies],
        UNDISPUTED: [(reply, reply.right) for reply in replies if reply.undisputed],
        JOINT[name]: [(reply, reply.strict) for reply in replies if reply.strict is not None],
        "unread": [(reply, reply.reading.choice is None) for reply in replies],
    }


def quarters(replies: Sequence[Item]) -> dict[str, list[Item]]:
    """Return the replies by the quarter of their difficulty; nothing where fewer than four rows have one."""
    scored = [(reply, reply.difficulty) for reply in replies if reply.difficulty is not None]
    values = [difficulty for reply, difficulty in scored if reply.sample in (None, 1)]  # each row once
    return by_quarter([reply for reply, _ in scored], attrgetter("difficulty"), values, "{:.2f}".format)
