"""Tables that are mapped into memory from a file: of the rows of a run, those in use take room alone.

Parquet has to be decoded as a whole before its rows are in the order in which they are asked. What is
decoded is kept in the cache, in Arrow's own format. Such a file is believed as the cache believes its
own: by size, times and inode, which are remembered outside of it; else it is made again.
"""

from __future__ import annotations

import hashlib
import json
import mmap
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from otherminds import files, paths
from otherminds.errors import OtherMindsError

_FORMAT = 1
_SMALLEST = 8_000_000
"""Bytes from which a table is worth a file."""
_ROWS = 1_000
"""Rows in a batch of the file."""


class _Mapped(NamedTuple):
    state: list[int]
    memory: mmap.mmap
    table: pa.Table


_OPEN: dict[Path, _Mapped] = {}
"""Files that are mapped, each once: every mapping holds an open file."""


def mapped(dataset: str, version: str, facts: Any, make: Callable[[], pa.Table]) -> pa.Table:
    """The table that `make` gives, from a file if it is large: the first time, it is written.

    facts  what the rows and their order depend on, as JSON can hold it: others have a file of their own
    """
    mark = hashlib.sha256(json.dumps([_FORMAT, version, facts]).encode()).hexdigest()[:16]
    path = paths.cache_home() / ".mapped" / dataset / f"{version}-{mark}.arrow"
    with suppress(OSError, ValueError, pa.ArrowInvalid):
        return _open(path, _remembered(path))
    table = make()
    if table.nbytes < _SMALLEST:
        return table
    try:
        _write(path, table)
        _remove_others(path.parent, version)
    except (OtherMindsError, OSError):
        # In a cache that cannot be written, the table stays in memory.
        return table
    # Not both at once: this may be most of the memory of a run.
    del table
    pa.default_memory_pool().release_unused()
    with suppress(OSError, ValueError, pa.ArrowInvalid):
        return _open(path, _remembered(path))
    return make()


def _remove_others(folder: Path, version: str) -> None:
    """Remove the files of other versions of a dataset."""
    for other in folder.glob("*.arrow"):
        if not other.name.startswith(f"{version}-"):
            other.unlink(missing_ok=True)


def release() -> None:
    """Give back the memory of all rows that were read so far: they are read again where they are used.

    Raises OtherMindsError where a file was changed since it was opened: of rows that have changed, no
    score is to be believed.
    """
    for path, one in _OPEN.items():
        if hasattr(one.memory, "madvise"):
            one.memory.madvise(mmap.MADV_DONTNEED)
        with suppress(FileNotFoundError):
            now = _state(path)
            # Another file may be in its place by now; this one stays as it was while it is open.
            if now[-1] == one.state[-1] and now != one.state:
                raise OtherMindsError(
                    f"The rows in {path} were changed while they were asked about. Run the same "
                    "command again: the rows are made anew, and answers in a journal are kept."
                )


def _open(path: Path, state: list[int]) -> pa.Table:
    known = _OPEN.get(path)
    if known is not None and known.state == state == _state(path):
        return known.table
    with path.open("rb") as file:
        if _state(path) != state:
            raise ValueError("another file")
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    table = pa.ipc.open_file(pa.BufferReader(pa.py_buffer(memory))).read_all()
    _OPEN[path] = _Mapped(state, memory, table)
    return table


def _write(path: Path, table: pa.Table) -> None:
    with files.atomic_file(path) as partial, pa.ipc.new_file(partial, table.schema) as file:
        file.write_table(table, max_chunksize=_ROWS)
    place = _memory_of(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    files.write_json(place, _state(path))


def _memory_of(path: Path) -> Path:
    return paths.cache_home() / ".verified" / f"{path.parent.name}-{path.name}.json"


def _remembered(path: Path) -> list[int]:
    found = json.loads(_memory_of(path).read_text(encoding="utf-8"))
    if not isinstance(found, list):
        raise ValueError("not what was remembered")
    return found


def _state(path: Path) -> list[int]:
    """What changes when a file does; the last says whether it is another one."""
    found = path.stat()
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
