"""What goes over the wire: a reply of the player, and what he is told."""

from openenv.core.env_server.types import Action, Observation
from pydantic import Field


class ActingAction(Action):
    """Hold a reply."""

    reply: str = Field(..., description="Any reasoning, and a last line such as 'Action: Pat waited.'")


class ActingObservation(Observation):
    """Hold what the player is told."""

    text: str = Field(default="", description="The prompt at first, then what each line came to")
