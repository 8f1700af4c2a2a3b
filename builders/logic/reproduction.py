"""The problems of the config `reproduction`: single ones, sampled as in the MindGames paper (section 4.1)."""

from collections import Counter

from .. import streams
from .blocks import WINDOW
from .claims import Claim, Premise
from .drawing import draw_hypothesis, draw_premise, draw_sees
from .premises import DRAWS, TooFewError, identity, is_for_reproduction, to_candidate


def plan_reproduction(
    key: tuple[str | int, ...], setup: str, agents: tuple[int, ...], size: int, max_order: int
) -> tuple[list[tuple[Premise, Claim]], Counter]:
    """Return `size` different problems, half of them entailed, by rejection sampling.

    Counts problems as `candidates` counts premises; "kept" are those that blocks may have, and those of a label of
    which there are enough. `key` begins the key of the stream. Raises TooFewError.
    """
    stream = streams.stream(*key, setup, "plan")
    counts: Counter = Counter()
    by_label: dict[bool, list[tuple[Premise, Claim]]] = {True: [], False: []}
    met = set()
    for _ in range(DRAWS * (size + WINDOW)):
        if len(by_label[True]) + len(by_label[False]) == size:
            break
        n = agents[stream.below(len(agents))]
        premise, state = draw_premise(stream, setup, draw_sees(stream, setup, n))
        hypothesis = draw_hypothesis(stream, n, 1 + stream.below(max_order))
        counts["drawn"] += 1
        if not state.law:
            counts["no world"] += 1
            continue
        problems = by_label[state.entails(hypothesis)]
        if len(problems) == size // 2 or not is_for_reproduction(to_candidate(premise, state)[0], hypothesis):
            counts["kept"] += 1
            continue
        problem_key = identity(premise, {}, hypothesis)
        if problem_key in met:
            counts["again"] += 1
            continue
        met.add(problem_key)
        problems.append((premise, hypothesis))
    total = len(by_label[True]) + len(by_label[False])
    if total < size:
        raise TooFewError(
            f"{setup} with {' or '.join(map(str, agents))} agents: {size:,} problems were asked for, and {total:,} "
            f"found among {counts['drawn']:,} drawn; ask for fewer, or for more agents"
        )
    return stream.shuffled(by_label[True] + by_label[False]), counts
