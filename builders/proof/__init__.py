"""The second opinion: readers of the English, a meaning of their own, proofs of our rows, published files read back."""
