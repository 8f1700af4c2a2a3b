"""Where does B look for the thing, where does A expect it, and where does C expect that A expects it?

A leaves a note where A expects B to look; C knows of that plan, and wants to take the note away.
"""

from .kind import Kind
from .shortcuts import ABOUT_CONTAINERS

SEARCH = Kind("search", rules=ABOUT_CONTAINERS)
