"""What can be guessed without reading: rules, shares, gates and pictures."""
