"""What a check proves of mindgames: each row by two algorithms, and that no premise or problem occurs twice."""

from ..proof.problems import prove_mindgames as prove

__all__ = ["prove", "proven"]


def proven(owners: list[str]) -> str:
    """Return what a check has proven when all rows agree; `owners` holds the block of each text, "" without one."""
    return (
        "label = label from smcdel_problem by the checker = label from the text by\n"
        "explicit sets of worlds, every other column again from the text;\n"
        f"{len(set(owners) - {''}):,} blocks of four hold their pattern, no premise is in two blocks or splits,\n"
        "no problem twice, whatever the names"
    )
