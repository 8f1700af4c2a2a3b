"""The game of acting on minds as an environment of OpenEnv."""
