"""What a model answered: how a reply is read, and how often replies are right."""
