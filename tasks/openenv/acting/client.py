"""The client: plays episodes on a server."""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import State

try:
    from .models import ActingAction, ActingObservation
except ImportError:  # run in this folder, not installed
    from models import ActingAction, ActingObservation


class ActingEnv(EnvClient[ActingAction, ActingObservation, State]):
    """Play episodes: `reset(seed=7, episode_id="12")`, then `step(ActingAction(reply=…))` until it is done."""

    def _step_payload(self, action: ActingAction) -> dict[str, Any]:
        return {"reply": action.reply}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[ActingObservation]:
        about = {name: payload.get(name) for name in ("reward", "done")}
        observation = ActingObservation(text=payload["observation"]["text"], **about)
        return StepResult(observation=observation, **about)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
