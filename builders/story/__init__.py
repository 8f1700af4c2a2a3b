"""Hi-ToM, ToMH and deep stories: what a story is, what it means, how it is drawn, and how it becomes rows."""
