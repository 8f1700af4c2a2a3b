"""Serve the test Hub by hand, to try a publication without the real Hub."""

import argparse
import sys
import threading

from fake_hub import WRITE, Hub


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A small Hugging Face Hub on loopback, in memory.")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on (default: any that is free)")
    with Hub(port=parser.parse_args().port) as hub:
        try:
            print(f"HF_ENDPOINT={hub.url} HF_TOKEN={WRITE} HF_HUB_DISABLE_XET=1", flush=True)
            threading.Event().wait()
        except KeyboardInterrupt:
            print("Stopped.", file=sys.stderr)


if __name__ == "__main__":
    main()
