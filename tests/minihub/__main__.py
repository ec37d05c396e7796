"""Start a Hub to try things by hand, until it is interrupted."""

from __future__ import annotations

import argparse
import sys

from tests.minihub import MiniHub, User


def main() -> None:
    """Read the users from the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m tests.minihub", description=__doc__)
    parser.add_argument("--port", type=int, default=5666)
    parser.add_argument("--lfs", choices=["auto", "never"], default="auto")
    parser.add_argument("--user", action="append", metavar="TOKEN=NAME[:ORG,ORG]", default=[])
    options = parser.parse_args()
    users = {}
    for text in options.user or ["hf_test=tester:acme"]:
        token, _, rest = text.partition("=")
        name, _, orgs = rest.partition(":")
        users[token] = User(name, tuple(filter(None, orgs.split(","))))
    hub = MiniHub(port=options.port, users=users, lfs=options.lfs, log=sys.stderr)
    print(f"HF_ENDPOINT={hub.url}", flush=True)
    hub.server.serve_forever()


if __name__ == "__main__":
    main()
