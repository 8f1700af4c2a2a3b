"""The explorer: a static page that shows the test rows of builds, and what made their answers."""
