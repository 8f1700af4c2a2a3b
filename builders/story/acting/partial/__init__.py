"""The game with a partial view: what happened while the player was away is one of several alternatives."""
