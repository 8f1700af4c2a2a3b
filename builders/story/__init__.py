"""Hi-ToM and ToMH: what a story is, what it means, how it is drawn, and how it becomes rows."""
