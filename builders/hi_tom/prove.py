"""What a check proves of hi_tom: each row by two algorithms, and that no story or problem occurs twice."""

from ..proof.stories import prove_hi_tom as prove

__all__ = ["prove", "proven"]


def proven(owners: list[str]) -> str:
    """Return what a check has proven when all rows agree; `owners` holds the story of each text."""
    return (
        "answer = label from events = label from the text by nested minds,\n"
        "so are effective_order, order_sensitive and readings; every other column again from events;\n"
        f"{len(owners):,} stories, no text or problem twice, none in two splits"
    )
