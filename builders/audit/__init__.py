"""What can be guessed without reading: rules, their shares, gates, tables and pictures (docs/why/audit.md)."""
