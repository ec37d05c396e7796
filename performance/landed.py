"""An earlier commit of this package in an environment of its own, to measure the present one against.

The environment sees the packages that the running interpreter sees, so that both have the same lm-eval,
NumPy and so on; the earlier commit is installed from git's history as `pip install` would. Nothing is
fetched from anywhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

from performance.startup import ROOT

COMMIT = "7bb0b0e"
"""The state before runs were made lean."""


class NotHereError(Exception):
    """The commit cannot be had here; the message says why."""


def environment(folder: Path, commit: str = COMMIT, *, root: Path = ROOT) -> Path:
    """Make the environment in an empty folder; returns its Python.

    Raises NotHereError where the checkout has no such commit, and where it cannot be installed.
    """
    source, made = folder / "source", folder / "environment"
    _unpack(commit, source, root)
    # The links of an editable installation name the interpreter's own folder.
    venv.create(made, with_pip=False, symlinks=True)
    python = made / "bin" / "python"
    [packages] = made.glob("lib/python*/site-packages")
    (packages / "shared.pth").write_text("\n".join(_shared()) + "\n", encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"),
            *("--no-deps", "--no-build-isolation", "--no-index", "--force-reinstall", str(source)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or ["no reason is given"]
        raise NotHereError(f"commit {commit} could not be installed: {why[0]}")
    return python


def _unpack(commit: str, folder: Path, root: Path) -> None:
    done = subprocess.run(
        ["git", "-C", str(root), "archive", "--format=tar", commit],
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise NotHereError(f"this checkout has no git history with the commit {commit}")
    folder.mkdir(parents=True)
    # Not `tarfile`: its safe filter came with Python 3.11.4.
    unpack = ["tar", "--extract", "--directory", str(folder)]
    subprocess.run(unpack, input=done.stdout, check=True)


def _shared() -> list[str]:
    """The folders of installed packages, without what their own `.pth` files add."""
    return [one for one in sys.path if Path(one).name in ("site-packages", "dist-packages")]


def apart(python: Path, cache: Path) -> dict[str, str]:
    """The variables with which that environment's commands run, on data that they build themselves."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {
        **kept,
        "PATH": f"{python.parent}{os.pathsep}{os.environ.get('PATH', '')}",
        "HF_HUB_OFFLINE": "1",
        "OTHERMINDS_CACHE": str(cache),
    }
