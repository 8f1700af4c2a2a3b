"""Where does A think that B thinks that the thing is?"""

from .query import Kind
from .shortcuts import about_containers

NOW = Kind("now", shortcuts=about_containers)
