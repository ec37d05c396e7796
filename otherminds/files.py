"""Writing files and folders so that a reader never sees a half-written one."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherminds import credentials
from otherminds.errors import OtherMindsError

if TYPE_CHECKING:
    import pandas as pd

_SUFFIX = ".partial"


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it onto `path` when the block ends well."""
    temporary = _beside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside `path`; move it to `path` when the block ends well.

    An existing folder is replaced. Callers that may run twice at once hold a lock around it.
    """
    temporary, retired = _beside(path), _beside(path)
    try:
        temporary.mkdir(parents=True)
        yield temporary
        if path.exists():
            path.replace(retired)
        temporary.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(retired, ignore_errors=True)


def remove_leftovers(path: Path) -> None:
    """Remove the files that a killed writer of `path` left beside it. Only for holders of its lock."""
    for leftover in path.parent.glob(f".{path.name}.*{_SUFFIX}"):
        shutil.rmtree(leftover, ignore_errors=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}{_SUFFIX}")


def write_json(path: Path, content: Any) -> None:
    """Write strict JSON, whole or not at all; a number that JSON does not have (NaN) is null."""
    text = credentials.known(strict_json(content))
    with atomic_file(path) as partial:
        partial.write_text(text + "\n", encoding="utf-8")


def strict_json(content: Any, *, ascii_only: bool = False) -> str:
    """Content as strict JSON; a number that JSON does not have (NaN) is null."""
    return json.dumps(_without_nan(content), indent=2, ensure_ascii=ascii_only, allow_nan=False)


def check_table(path: Path | None) -> None:
    """Refuse a name that no table can be written under, before there is anything to lose."""
    if path is not None and path.suffix not in (".csv", ".json"):
        raise OtherMindsError(f"Cannot write {path}: the name must end in .csv or .json.")


def write_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table as .csv, or as .json with an object for each row."""
    if path.suffix == ".json":
        write_json(path, table.to_dict("records"))
    else:
        with atomic_file(path) as partial:
            table.to_csv(partial, index=False)


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def unwritable(path: Path, error: OSError) -> OtherMindsError:
    """The error for a place that cannot be written."""
    return OtherMindsError(
        f"Cannot write {path}: {error.strerror or error}. "
        "Free some space or choose another place (an output path, or OTHERMINDS_CACHE)."
    )


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return value
