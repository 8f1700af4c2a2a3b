"""The folder that a build writes: Parquet files, the card and the record."""
