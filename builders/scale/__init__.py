"""Many rows on many machines: the tasks of a scaled build, what runs them, and the folder that they make."""
