"""The seconds that calls take."""

import time


def seconds(work, *args) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    work(*args)
    return time.perf_counter() - start


def in_turn(works: dict, rounds: int) -> dict[str, float]:
    """Return the least time of each call over some rounds, in which all take turns."""
    took = [{name: seconds(*work) for name, work in works.items()} for _ in range(rounds)]
    return {name: min(times[name] for times in took) for name in works}
