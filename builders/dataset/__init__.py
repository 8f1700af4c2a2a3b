"""What a dataset is to the commands: one interface, and the two datasets behind it."""
