"""The kinds of questions, by their names, in the order in which a story's questions stand."""

from .agree import AGREE
from .change import CHANGE
from .lie import LIE
from .now import NOW
from .past import PAST
from .right import RIGHT
from .search import SEARCH
from .surprise import SURPRISE
from .tell import TELL
from .what_if import WHAT_IF
from .who import WHO

KINDS = {kind.name: kind for kind in (NOW, PAST, CHANGE, RIGHT, AGREE, WHO, SEARCH, SURPRISE, LIE, WHAT_IF, TELL)}
