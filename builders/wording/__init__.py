"""The English: events, questions, premises and hypotheses with their names become sentences of a language."""
