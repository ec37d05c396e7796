"""Golden files: how they are stored, and how two are compared."""

from __future__ import annotations

import difflib
import hashlib
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "expected"
REGENERATE = "python -m tests.golden.write"

_SHOWN = 40


def sha256(content: bytes | str) -> str:
    """Of bytes, or of a text in UTF-8."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def as_json(value: Any) -> str:
    """Sorted JSON in which every number is to the bit, and NaN a text."""
    return json.dumps(_storable(value), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _storable(value: Any) -> Any:
    # JSON has neither NaN nor infinity; other floats are written with as many digits as they need.
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _storable(one) for key, one in value.items()}
    return [_storable(one) for one in value] if isinstance(value, list | tuple) else value


def committed(name: str) -> Any:
    """The content of a golden file: of a .json what it holds, else its text."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return json.loads(text) if name.endswith(".json") else text


def write(name: str, content: str) -> bool:
    """Write a golden file; returns whether it has changed."""
    path = FOLDER / name
    if path.is_file() and path.read_text(encoding="utf-8") == content:
        return False
    path.write_text(content, encoding="utf-8", newline="\n")
    return True


def differences(before: Any, now: Any, place: str = "", *, near: bool = False) -> list[str]:
    """Where two JSON values differ, a line each: the place, what was there, what is there now.

    near  whether numbers may differ in what another processor rounds otherwise
    """
    if isinstance(before, dict) and isinstance(now, dict):
        lines = []
        for key in sorted(before.keys() | now.keys()):
            there = f"{place} › {key}" if place else key
            if key not in now:
                lines.append(f"{there}: is gone (was {_short(before[key])})")
            elif key not in before:
                lines.append(f"{there}: is new ({_short(now[key])})")
            else:
                lines += differences(before[key], now[key], there, near=near)
        return lines
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        pairs = enumerate(zip(before, now, strict=True))
        return [
            line
            for number, (one, other) in pairs
            for line in differences(one, other, f"{place}[{number}]", near=near)
        ]
    same = _near(before, now) if near else before == now
    return [] if same else [f"{place}: was {_short(before)}, is {_short(now)}"]


def _near(before: Any, now: Any) -> bool:
    if isinstance(before, float) and isinstance(now, float):
        return math.isclose(before, now, rel_tol=1e-9, abs_tol=1e-12)
    return bool(before == now)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:117]}…"


def told(lines: list[str], what: str) -> str:
    """A message about differences: what changed, where, and what to do if that is meant."""
    shown = lines[:_SHOWN]
    if len(lines) > _SHOWN:
        shown.append(f"… and {len(lines) - _SHOWN} more")
    return "\n".join([what, *(f"  {line}" for line in shown), *_way_out()])


def check_text(name: str, now: str, what: str) -> None:
    """Fail with the lines that differ unless a text is that of the golden file."""
    before = committed(name)
    lines = difflib.unified_diff(
        before.splitlines(), now.splitlines(), f"golden {name}", "now", lineterm="", n=1
    )
    if found := list(lines):
        raise AssertionError(told(found, what))


def check_json(name: str, now: Any, what: str) -> None:
    """Fail with the places that differ unless a value is that of the golden file."""
    check(committed(name), now, what)


def check(before: Any, now: Any, what: str, *, near: bool = False) -> None:
    """Fail with the places that differ unless two values are the same, as JSON has them."""
    if found := differences(before, json.loads(as_json(now)), near=near):
        raise AssertionError(told(found, what))


def _way_out() -> list[str]:
    return [f"If this is meant: `{REGENERATE}`, and look at what `git diff` says of tests/golden."]
