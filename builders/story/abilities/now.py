"""Where does A think that B thinks that the thing is?"""

from .query import Kind, asked_of_chain, end_belief, named_containers, the_container
from .shortcuts import about_containers

NOW = Kind(asked_of_chain("now"), end_belief, the_container, named_containers, shortcuts=about_containers)
"""Beliefs of now."""
