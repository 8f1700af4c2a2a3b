"""The commands: each module adds the options of one, and runs it."""
