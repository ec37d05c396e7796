"""Lines on disk: packed with zstd (`.jsonl.zst`, as `files.packed_file` does) or gzip, or plain."""

from __future__ import annotations

import gzip
import io
import json
import math
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from otherminds import files
from otherminds.errors import OtherMindsError

ENDING = ".jsonl.zst"
"""How the names of the sample files end that are written."""

LONGEST_LINE = 100_000_000
"""Bytes of one line: hundreds of times the longest sample. A crafted file could ask us to hold any."""

MOST_BYTES = 4 * 2**30
MOST_TIMES = 1_000
"""A packed file may unpack to MOST_BYTES, or to this many times its size, whichever is more.
Samples pack to a fiftieth; crafted files, to a thirty-thousandth."""


_BUFFER = 1 << 16
"""Less than the C library takes from the system, and gives back, for each chunk: with 1 MB, that takes
four times as long as unpacking."""


class CutOffError(Exception):
    """A packed file that ends too early, as when its copying was interrupted; the message says where."""


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Number, from 1, and bytes of each line of a file that is packed as its name says.

    Raises CutOffError after the lines that are whole, where a packed file ends too early; and
    OtherMindsError for one that cannot be read, is damaged, or unpacks to more than any samples would.
    Damage may show after lines that it has changed: they are not to be used.
    """
    number = 0
    try:
        with _opened(path) as file:
            room = _room(path)
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                room -= len(line)
                _check(path, number, line, room)
                yield number, line
    except EOFError as error:
        raise CutOffError(f"{path} is cut off after line {number}") from error
    except (OSError, zlib.error, files.zstd().ZstdError) as error:
        if number == 0 and isinstance(error, OSError) and error.strerror:
            raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
        raise OtherMindsError(
            f"Cannot read {path}: it is damaged after line {number} ({error}). Copy it again; or run "
            "its task again, which asks nothing that the journal holds."
        ) from error


def whole(path: Path, refused: Callable[[str], OtherMindsError]) -> Iterator[tuple[str, Any]]:
    """Place ("FILE, line 3") and value of each line of a file that must be whole.

    `refused` makes the error to raise for any other file, from what is wrong.
    """
    number = 0
    try:
        for number, line in lines(path):
            value = json.loads(line)
            check_form(path, value)
            yield f"{path}, line {number}", value
    except (ValueError, RecursionError) as error:
        said = f"line {number}: {files.not_json(error)}"
        raise refused(f"{path} cannot be read to its end ({said})") from error
    except CutOffError as error:
        raise refused(f"{path} cannot be read to its end ({error})") from error
    except OtherMindsError as error:
        raise refused(f"{path} cannot be read to its end: {str(error).rstrip('.')}") from error


def check_form(path: Path, value: Any) -> None:
    """Raise OtherMindsError for a line of the older form, in which lines refer to texts of others."""
    if not isinstance(value, dict):
        return
    arguments = value.get("arguments")
    is_older = "shared_texts" in value or _refers(value.get("doc"))
    if not is_older and isinstance(arguments, dict):
        is_older = any(map(_refers, arguments.values()))
    if is_older:
        raise OtherMindsError(
            f"{path} is of an older form, in which samples refer to each other's texts "
            "(--evidence-once), and which is not read any more. Run the task again."
        )


def _refers(parts: Any) -> bool:
    if isinstance(parts, dict):
        for part in parts.values():
            if type(part) is dict and "$text" in part:
                return True
    return False


def _check(path: Path, number: int, line: bytes, room: float) -> None:
    if len(line) > LONGEST_LINE:
        raise OtherMindsError(
            f"{path}, line {number} is longer than {LONGEST_LINE / 1e6:.0f} MB, which no sample is; "
            "this is no sample file."
        )
    if room < 0:
        raise OtherMindsError(
            f"{path} unpacks to more than {MOST_BYTES / 2**30:.0f} GiB and {MOST_TIMES:,} times its "
            "size, which no samples do. Unpack it yourself if it is meant."
        )


def _room(path: Path) -> float:
    """How many bytes a file may unpack to."""
    return max(MOST_BYTES, MOST_TIMES * path.stat().st_size) if _is_packed(path) else math.inf


def _is_packed(path: Path) -> bool:
    return path.suffix in (".zst", ".gz")


def _opened(path: Path) -> BinaryIO:
    match path.suffix:
        case ".zst":
            return io.BufferedReader(_Chunks(files.zstd().open(path, "rb")), _BUFFER)
        case ".gz":
            return io.BufferedReader(_Chunks(gzip.GzipFile(path, "rb")), _BUFFER)
    return path.open("rb")


class _Chunks(io.RawIOBase):
    """What a packed file holds, in the chunks that it is unpacked in.

    Lines through the small buffers of zstd and gzip take three times as long; a larger one that is
    filled to its end would lose the whole lines before a cut.
    """

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        chunk = self._file.read1(len(room))
        room[: len(chunk)] = chunk
        return len(chunk)

    def close(self) -> None:
        self._file.close()
        super().close()
