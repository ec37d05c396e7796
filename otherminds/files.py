"""Writing files and folders so that a reader never sees a half-written one."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from otherminds.errors import OtherMindsError

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
    """Remove what a killed writer of `path` left beside it. Only for holders of its lock."""
    for leftover in path.parent.glob(f".{path.name}.*{_SUFFIX}"):
        shutil.rmtree(leftover, ignore_errors=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(6)}{_SUFFIX}")


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
