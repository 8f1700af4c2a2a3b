"""The loading script of mindgames, for datasets 3.6 and for those who look for the builder class at the top level."""

from tom_datasets.mindgames.builder import MindGames, MindGamesConfig

__all__ = ["MindGames", "MindGamesConfig"]
