"""Make theory-of-mind datasets from a seed; docs/architecture.md draws the rooms and says who may import whom."""

GENERATOR_VERSION = "2.1.0"
"""Changes whenever the same config, seed, split and index give another row."""
__version__ = GENERATOR_VERSION
