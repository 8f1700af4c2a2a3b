"""The problems of the config `reproduction`: single ones, sampled as in the MindGames paper (section 4.1)."""

from typing import Any

from .. import streams
from .blocks import WINDOW
from .claims import Claim, Premise
from .drawing import draw_hypothesis, draw_premise
from .premises import DRAWS, Identity, TooFewError, identity, is_for_reproduction, to_candidate
from .setups import draw_sees


def plan_reproduction(config: Any, setup: str) -> dict[str, list[tuple[Premise, Claim]]]:
    """Return the problems of the one split of a config, all different and half of them entailed, by rejection sampling.

    Raises TooFewError.
    """
    ((split, size),) = config.sizes().items()
    stream = streams.stream("mindgames", config.family, config.seed, setup, "plan")
    agents, most = config.n_agents, DRAWS * (size + WINDOW)
    by_label: dict[bool, dict[Identity, tuple[Premise, Claim]]] = {True: {}, False: {}}
    for _ in range(most):
        if sum(map(len, by_label.values())) == size:
            break
        n = agents[stream.below(len(agents))]
        premise, state = draw_premise(stream, setup, draw_sees(stream, setup, n))
        hypothesis = draw_hypothesis(stream, n, 1 + stream.below(config.max_order))
        problems = by_label[state.entails(hypothesis)]
        is_wanted = state.law and len(problems) < size // 2
        if is_wanted and is_for_reproduction(to_candidate(premise, state)[0], hypothesis):
            problems.setdefault(identity(premise, {}, hypothesis), (premise, hypothesis))
    found = [problem for problems in by_label.values() for problem in problems.values()]
    if len(found) < size:
        numbers = " or ".join(map(str, agents))
        raise TooFewError(
            f"{setup} with {numbers} agents: {size:,} problems were asked for, and {len(found):,} found among {most:,} "
            "drawn; ask for fewer, or for more agents"
        )
    return {split: stream.shuffled(found)}
