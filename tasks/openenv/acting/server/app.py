"""The server: `python -m server.app --port 8000` in the folder above, or `uvicorn server.app:app`."""

import argparse

import uvicorn
from openenv.core.env_server.http_server import create_app

try:
    from ..models import ActingAction, ActingObservation
    from .environment import ActingEnvironment
except ImportError:  # run in the folder above, not installed
    from models import ActingAction, ActingObservation
    from server.environment import ActingEnvironment

SESSIONS = 64
"""Episodes that may be played at one time."""

app = create_app(ActingEnvironment, ActingAction, ActingObservation, env_name="acting", max_concurrent_envs=SESSIONS)


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="Serve the game of acting on minds.")
    parser.add_argument("--host", default="0.0.0.0", help="address to listen at (default: all)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen at (default: 8000)")
    args = parser.parse_args()
    uvicorn.run(app, host=args.host, port=args.port)


if __name__ == "__main__":
    main()
