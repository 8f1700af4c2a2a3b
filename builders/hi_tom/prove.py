"""What a check proves of hi_tom: each row by two algorithms."""

from ..proof.stories import prove_hi_tom as prove

__all__ = ["prove"]
