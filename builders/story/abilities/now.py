"""Where does A think that B thinks that the thing is?"""

from .query import Kind, asked_of_chain, end_belief, named_containers, the_container
from .shortcuts import about_containers

_KIND = Kind(asked_of_chain("now"), end_belief, the_container, named_containers)
NOW = _KIND._replace(rules=about_containers(_KIND))
"""Beliefs of now."""
