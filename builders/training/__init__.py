"""Rows in the shapes that training takes them in: messages, and the datasets of other people's trainers."""
