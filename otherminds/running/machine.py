"""The machine that a run takes place on, as its results file states it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from otherminds import harness


def n_processes() -> int:
    """How many processes a launcher such as `accelerate` or `torchrun` has started for this run."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def free_accelerator() -> None:
    """Give back the accelerator's memory that a model no longer in use has held."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()


def commit() -> str | None:
    """The commit of the working folder, as lm-eval states it; None where there is none.

    Outside a checkout, lm-eval itself lets git complain on the terminal.
    """
    try:
        done = subprocess.run(
            ["git", "describe", "--always"], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout.strip() or None


def environment() -> dict[str, Any]:
    """Versions, platform and hardware; PyTorch's inventory is left out where no model has loaded it."""
    return _environment(with_torch="torch" in sys.modules)


@cache
def _environment(*, with_torch: bool) -> dict[str, Any]:
    # Found out once in a process: it takes a second.
    if with_torch:
        return harness.environment()
    machine = f"{platform.platform()}, Python {platform.python_version()}"
    return {
        "pretty_env_info": f"{machine}; the model did without PyTorch",
        "transformers_version": _version_of("transformers"),
        "lm_eval_version": harness.version(),
        "upper_git_hash": harness.commit_of(Path.cwd().parent),
    }


def _version_of(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "N/A"
