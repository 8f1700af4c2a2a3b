"""The second opinion: readers of the English, with a meaning of their own, and what they say of rows."""
