"""Writing files and folders so that a reader never sees a half-written one."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import math
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from otherminds import credentials
from otherminds.errors import OtherMindsError
from otherminds.sheets import as_csv

if TYPE_CHECKING:
    import pandas as pd

_SUFFIX, _RETIRED = ".partial", ".before"
_TEMPORARY = re.compile(rf"\..+\.[0-9a-f]{{12}}{re.escape(_SUFFIX)}")

_LEVEL = 3
"""Of zstd. On real samples, level 1 packs as fast, and 6 takes 2.7 times as long and saves a fifth."""

_BEGINNING = 4096
"""How many letters of a file are searched for a mark."""


_DEEPEST = 50
"""Objects and lists within each other; records of data and results have up to ten."""


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
def packed_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file to write into that is packed with zstd; it stands at `path` whole or not at all."""
    with atomic_file(path) as partial, partial.open("wb") as file, packing(file) as packed:
        yield packed


def packing(file: IO[bytes]) -> IO[bytes]:
    """What packs all that is written, until it is closed, with zstd into a file.

    Its checksum tells readers of damage. Equal content is equal bytes, for one version of zstd.
    """
    packer = zstd()
    options = {
        packer.CompressionParameter.compression_level: _LEVEL,
        packer.CompressionParameter.checksum_flag: 1,
    }
    packed: IO[bytes] = packer.open(file, "wb", options=options)
    packed.write(b"")  # begins the frame: a file without content is one too
    return packed


def zstd() -> Any:
    """The module `zstd` of Python's standard library, or what stands for it before 3.14."""
    # Where used: most commands pack nothing.
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside `path`; move it to `path` when the block ends well.

    An existing folder is replaced. Callers that may run twice at once hold a lock around it. What a
    killed writer left is removed by the next one, of whatever folder beside it.
    """
    temporary = _beside(path)
    retired = temporary.with_suffix(_RETIRED)
    try:
        remove_abandoned(path.parent)
        temporary.mkdir(parents=True)
        with _held(temporary, is_new=True):
            yield temporary
            if path.exists():
                path.replace(retired)
            temporary.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(retired, ignore_errors=True)


@contextmanager
def work_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside `path`, for parts of what is to be there.

    What a killed process left is removed by the next writer of a folder beside it.
    """
    temporary = _beside(path)
    try:
        remove_abandoned(path.parent)
        temporary.mkdir(parents=True)
        with _held(temporary, is_new=True):
            yield temporary
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def remove_abandoned(parent: Path) -> None:
    """Remove the temporary folders in `parent` whose writers were killed.

    A folder that was whole already, whose writer was killed while it put it in the place of another, is
    put there.
    """
    for retired in parent.glob(f".*{_RETIRED}"):
        partial = retired.with_suffix(_SUFFIX)
        # Its writer was killed after the new folder took its place.
        if (
            _TEMPORARY.fullmatch(partial.name)
            and not partial.exists()
            and _place_of(partial).exists()
        ):
            shutil.rmtree(retired, ignore_errors=True)
    for leftover in parent.glob(f".*{_SUFFIX}"):
        if _TEMPORARY.fullmatch(leftover.name) is None or not leftover.is_dir():
            continue
        with contextlib.suppress(OSError), _held(leftover):
            retired = leftover.with_suffix(_RETIRED)
            place = _place_of(leftover)
            if retired.exists() and not place.exists():
                leftover.replace(place)
            shutil.rmtree(leftover, ignore_errors=True)
            shutil.rmtree(retired, ignore_errors=True)


@contextmanager
def _held(folder: Path, *, is_new: bool = False) -> Iterator[None]:
    """Hold a folder, which ends with the process; BlockingIOError where another process does.

    is_new  go on where the file system has no locks: nobody can take a folder for abandoned there
    """
    opened = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if not is_new or isinstance(error, BlockingIOError):
                raise
        yield
    finally:
        os.close(opened)


def remove_leftovers(path: Path) -> None:
    """Remove the files that a killed writer of `path` left beside it. Only for holders of its lock."""
    for leftover in path.parent.glob(f".{path.name}.*{_SUFFIX}"):
        shutil.rmtree(leftover, ignore_errors=True)


def _place_of(temporary: Path) -> Path:
    """Where a temporary folder was to be put."""
    return temporary.with_name(temporary.name[1:].removesuffix(_SUFFIX).rpartition(".")[0])


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


def not_json(error: ValueError | RecursionError) -> str:
    """Why a text cannot be read as JSON, for a message."""
    match error:
        case RecursionError():
            return "it is nested too deeply"
        case json.JSONDecodeError():
            return str(error)
        case UnicodeError():
            return "it is not UTF-8"
    # Python reads no number of more than 4,300 digits, and says how a programmer could change that.
    return "a number in it has thousands of digits"


def too_deep(value: Any) -> bool:
    """Whether objects and lists lie in each other more often than in any file of ours."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, Mapping | list)
            for inner in (one.values() if isinstance(one, Mapping) else one)
        ]
        if not level:
            return False
    return True


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
            partial.write_text(as_csv(table), encoding="utf-8")


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_folder(folder: Path) -> None:
    """Raise OtherMindsError, before any work, where files cannot be written into `folder`.

    A folder that is not there is not made.
    """
    try:
        nearest = next((one for one in (folder, *folder.parents) if one.exists()), folder)
        # Where the system can, it has no name, so that a killed process leaves none.
        with tempfile.TemporaryFile(dir=nearest, prefix="."):
            pass
    except OSError as error:
        raise unwritable(folder, error) from error


def refuse_foreign(folder: Path, name: str, mark: str, *, command: str) -> None:
    """Raise OtherMindsError for a folder that is neither empty nor an earlier output of a command.

    Of an earlier output, the file `name`, which is written first, has the text `mark` near its
    beginning. Hidden files do not count.
    """
    found = sorted(one.name for one in folder.glob("[!.]*")) if folder.is_dir() else []
    if not found:
        return
    with contextlib.suppress(OSError), (folder / name).open(errors="replace") as stream:
        if mark in stream.read(_BEGINNING):
            return
    more = ", …" if len(found) > 3 else ""
    raise OtherMindsError(
        f"{folder} holds files that `{command}` did not write ({', '.join(found[:3])}{more}); give an "
        "empty or new folder."
    )


def unwritable(path: Path, error: OSError) -> OtherMindsError:
    """The error for a place that cannot be written."""
    if isinstance(error, FileExistsError | NotADirectoryError):
        file = next((one for one in (path, *path.parents) if one.is_file()), path)
        return OtherMindsError(f"Cannot write {path}: {file} is a file; give a folder.")
    if isinstance(error, IsADirectoryError):
        return OtherMindsError(f"Cannot write {path}: it is a folder; give the name of a file.")
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
