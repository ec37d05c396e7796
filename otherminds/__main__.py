"""`python -m otherminds` is the `otherminds` command."""

from __future__ import annotations

from otherminds.cli.main import main

main()
