"""Where does A think that B thinks that the thing is?"""

from .kind import Kind
from .shortcuts import ABOUT_CONTAINERS

NOW = Kind("now", rules=ABOUT_CONTAINERS)
