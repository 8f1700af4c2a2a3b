"""Pages; beside them, what writes their generated parts, and what mkdocs asks when it makes a site."""
