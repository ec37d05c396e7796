"""Making the plain `lm_eval` command find our tasks.

lm-eval 0.4 has no entry points for tasks: it scans its own `tasks` folder. `link` puts a folder there
with one YAML per task of ours, each a single line that includes ours. And it lets every start of this
Python import `otherminds.plugs`, by which lm-eval knows our models. Where the installed lm-eval finds
both by itself (its main branch reads entry points), no link is needed, and none is made.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Literal

import yaml

from otherminds import files, harness, paths, plugs
from otherminds.errors import OtherMindsError

FOLDER = "otherminds"
_MARK = "# Written by `otherminds link`; `otherminds unlink` removes it.\n"

_HOOK = "otherminds-lm-eval.pth"

State = Literal["linked", "missing", "stale", "unneeded"]


def target() -> Path:
    """The folder that holds the stubs."""
    return harness.tasks_folder() / FOLDER


def hook() -> Path:
    """The file by which lm-eval knows our models."""
    return harness.site_folder() / _HOOK


def state() -> State:
    """Whether the stubs are there and lead to this installation's tasks, with the hook."""
    folder = target()
    if not folder.is_dir():
        return "unneeded" if harness.finds_by_itself() else "missing"
    whole = _read(folder) == _stubs() and hook().is_file() and hook().read_text() == plugs.HOOK
    return "linked" if whole else "stale"


def link() -> bool:
    """Write the stubs and the hook; False when they were there already, or are not needed.

    Where they are not needed, those that are there are removed: tasks would be found twice.
    """
    if harness.finds_by_itself():
        unlink()
        return False
    if state() == "linked":
        return False
    folder = target()
    _refuse_foreign(folder)
    try:
        with files.atomic_folder(folder) as partial:
            for name, text in _stubs().items():
                (partial / name).write_text(text, encoding="utf-8")
        # Last: without the tasks, nothing is to run at every start.
        with files.atomic_file(hook()) as partial:
            partial.write_text(plugs.HOOK, encoding="utf-8")
    except OtherMindsError as error:
        raise OtherMindsError(
            f"Cannot write into lm-eval's folder {folder.parent}. Without a link, tell lm_eval where "
            "the tasks are: `lm_eval --include_path $(otherminds tasks-path) --tasks …`"
        ) from error
    return True


def unlink() -> bool:
    """Remove the stubs and the hook; False when there were none."""
    folder = target()
    _refuse_foreign(folder)
    found = False
    try:
        if hook().is_file():
            hook().unlink()
            found = True
        if folder.exists():
            shutil.rmtree(folder)
            found = True
    except OSError as error:
        raise OtherMindsError(
            f"Cannot remove {error.filename}: {error.strerror}. Run this as the owner of that folder."
        ) from error
    return found


def _stubs() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in paths.task_files():
        # Ours come first, and nobody takes their place.
        found.setdefault(path.name, _MARK + yaml.safe_dump({"include": str(path)}, width=10_000))
    return found


def _read(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def _refuse_foreign(folder: Path) -> None:
    if not folder.exists():
        return
    foreign = [path.name for path in folder.iterdir() if not _is_stub(path)]
    if foreign:
        raise OtherMindsError(
            f"{folder} holds files that `otherminds link` did not write ({', '.join(foreign[:3])}); "
            "move them away first."
        )


def _is_stub(path: Path) -> bool:
    return path.is_file() and path.read_bytes().startswith(_MARK.encode())
