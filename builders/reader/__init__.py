"""The second opinion: readers of the English and a meaning of their own, which know the syntax and nothing else."""
