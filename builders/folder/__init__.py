"""The folder that a build writes: Parquet, card and record."""
