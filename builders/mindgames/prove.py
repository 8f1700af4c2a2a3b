"""What a check proves of mindgames: each row by two algorithms."""

from ..proof.problems import prove_mindgames as prove

__all__ = ["prove"]
