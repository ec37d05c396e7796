"""What differs between machines, days and terminals, held still. All normalising is here.

environment  width of the terminal, language, time zone, home and working folder; no colours, no login,
             no other data and no launcher of processes
clock        the day, where a command writes it down
text         colours are taken out, and blanks at the ends of lines
modules      names of modules that make data: files of built datasets say which made them
versions     of this package and of libraries, and the seed of one that need not be there: records and
             the page say what made them
ids          of submissions, which are made from all of a record, versions included
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import importlib
import importlib.metadata
import io
import os
import re
import sys
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from huggingface_hub import constants
from rich.console import Console
from threadpoolctl import threadpool_info

WIDTH = 100

_SET = {
    "COLUMNS": str(WIDTH),
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}
_UNSET = (
    "FORCE_COLOR",
    "GITHUB_ACTIONS",
    "HF_TOKEN",
    "OTHERMINDS_HUB_ORG",
    "PY_COLORS",
    "RANK",
    "TERMINAL_WIDTH",
    "WORLD_SIZE",
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_BLANKS = re.compile(r"[ \t]+$", re.MULTILINE)
# "otherminds.dataset_builders.trust_game.synthetic", and in manifests "builder: trust.synthetic".
_VERSION = re.compile(r'("(?:lm_eval|otherminds|version)": ?)"[^"]*"')
# Torch is given a seed only where something has imported it.
_TORCH = re.compile(r'"torch_seed":\s*\d+,\s*|,\s*"?torch_seed"?:?\s*\d+')
# Pages hold their data deflated, by whatever zlib there is.
_PACKED = re.compile(r'(<script type="application/octet-stream"[^>]*>)\s*([\w+/=]+)')
_MAKER = re.compile(rb"dataset_builders[./][\w./]*\w|(?<=^builder: )\S+", re.MULTILINE)


@contextlib.contextmanager
def environment(folder: Path, data: Path) -> Iterator[None]:
    """Work in `folder`, with the datasets of `data` on the shelf, as on any other machine.

    Releases that commands build are kept where OTHERMINDS_CACHE says, so that tests share them.
    """
    home = folder / "home"
    home.mkdir(exist_ok=True)
    told = {**_SET, "HOME": str(home), "OTHERMINDS_DATA": str(data)}
    told.setdefault("OTHERMINDS_CACHE", os.environ.get("OTHERMINDS_CACHE", str(folder / "cache")))
    before = Path.cwd()
    with mock.patch.dict(os.environ, told):
        for name in _UNSET:
            os.environ.pop(name, None)
        time.tzset()
        os.chdir(folder)
        try:
            with _consoles(), mock.patch.object(constants, "HF_HUB_OFFLINE", True):
                yield
        finally:
            os.chdir(before)
    time.tzset()


@contextlib.contextmanager
def _consoles() -> Iterator[None]:
    """Consoles that were made when their module was imported have the width of that moment."""
    made = [one for _, one in _in_our_modules() if isinstance(one, Console)]
    with contextlib.ExitStack() as stack:
        for console in made:
            stack.enter_context(mock.patch.object(console, "_width", WIDTH))
        yield


@contextlib.contextmanager
def clock(day: datetime.date) -> Iterator[None]:
    """Let it be noon of a day for whatever part of ours asks `datetime` for it."""

    class Noon(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Noon:
            return cls(day.year, day.month, day.day, 12, tzinfo=tz)

    # Modules that are first imported later would have the real clock.
    for name in ("cli.operations", "cli.season", "running.results"):
        importlib.import_module(f"otherminds.{name}")
    with contextlib.ExitStack() as stack:
        for module, one in _in_our_modules():
            if one is datetime.datetime:
                stack.enter_context(mock.patch.object(module, "datetime", Noon))
        yield


def _in_our_modules() -> list[tuple[Any, Any]]:
    modules = [module for name, module in sys.modules.items() if name.startswith("otherminds")]
    return [(module, one) for module in modules for one in list(vars(module).values())]


def numerics() -> dict[str, str]:
    """What the last bits of numbers depend on: libraries, and which code of theirs runs here."""
    import scipy.linalg  # noqa: F401  (it has a BLAS of its own)

    blas = {one.get("architecture") for one in threadpool_info() if one["user_api"] == "blas"}
    chosen = np.lib.introspect.opt_func_info(func_name="^(exp|multiply)$", signature="float64")
    simd = {how["current"] for one in chosen.values() for how in one.values()}
    return {
        "blas": ", ".join(sorted(map(str, blas))),
        "simd": ", ".join(sorted(simd)),
        **{name: importlib.metadata.version(name) for name in ("numpy", "scipy", "scikit-learn")},
    }


@dataclass(frozen=True)
class Said:
    """What a command wrote, and what it ended with."""

    words: tuple[str, ...]
    code: int
    out: str
    error: str

    def text(self) -> str:
        """As a golden file has it: the command, what it wrote, and its exit code unless that is 0.

        Messages may name files of the folder that is worked in, which is another one in each run.
        """
        ended = f"[exit code {self.code}]\n" if self.code else ""
        told = self.error if self.code else ""
        wrote = (self.out + told).replace(str(Path.cwd()), ".")
        return f"$ otherminds {' '.join(self.words)}\n{plain(wrote)}{ended}"


def plain(text: str) -> str:
    """Text without colours and without blanks at the ends of lines."""
    return _BLANKS.sub("", _COLOUR.sub("", text))


def command(*words: str, code: int | None = 0) -> Said:
    """Run `otherminds …` in this process, as the installed command does."""
    [script] = importlib.metadata.entry_points(group="console_scripts", name="otherminds")
    out, error = io.StringIO(), io.StringIO()
    found = 0
    with (
        mock.patch.object(sys, "argv", ["otherminds", *words]),
        # Else a program that was started by `python -m` is called after its module.
        mock.patch.object(sys.modules["__main__"], "__package__", None),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(error),
    ):
        try:
            script.load()()
        except SystemExit as ended:
            found = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    said = Said(words, found, out.getvalue(), error.getvalue())
    if code is not None and said.code != code:
        raise AssertionError(f"{said.text()}\n{said.error}\nexpected to end with {code}")
    return said


def without_versions(found: Mapping[str, Any]) -> dict[str, Any]:
    """A record without what made it; days as text."""
    return {
        key: str(one) if isinstance(one, datetime.date) else one
        for key, one in found.items()
        if key not in ("harness", "made_with")
    }


def without_ids(text: str, ids: Mapping[str, str]) -> str:
    """A record, a page or what a command said, with names in place of ids, and data unpacked."""
    text = _PACKED.sub(_unpacked, text)
    for one, name in ids.items():
        text = text.replace(one, name)
    return _VERSION.sub(r'\1"…"', _TORCH.sub("", text))


def _unpacked(block: re.Match[str]) -> str:
    return block[1] + zlib.decompress(base64.b64decode(block[2])).decode()


def without_makers(content: bytes) -> bytes:
    """The content of a file of a dataset without the names of the modules that made it."""
    return _MAKER.sub(b"<maker>", content)
