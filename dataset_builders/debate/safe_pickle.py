"""A pickled DataFrame, read without running any code that the file brings along.

It is read in a process of its own, with bounded memory: lengths that are forged make the libraries that
restore arrays read where they must not, and end the process that they run in.
"""

from __future__ import annotations

import importlib
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pandas as pd

from otherminds.dataset_builders.sources import SourceError

_ALLOWED: Final = frozenset(
    {
        "builtins.bytearray",
        "builtins.slice",
        "datetime.date",
        "datetime.datetime",
        "datetime.timedelta",
        "datetime.timezone",
        "numpy._core.multiarray._reconstruct",
        "numpy._core.multiarray.scalar",
        "numpy._core.numeric._frombuffer",
        "numpy.dtype",
        "numpy.ndarray",
        "pandas.DataFrame",
        "pandas.DatetimeTZDtype",
        "pandas.Index",
        "pandas.NA",
        "pandas.RangeIndex",
        "pandas.StringDtype",
        "pandas._libs.arrays.__pyx_unpickle_NDArrayBacked",
        "pandas._libs.internals._unpickle_block",
        "pandas._libs.missing.NA",
        "pandas._libs.tslibs.nattype._nat_unpickle",
        "pandas._libs.tslibs.timestamps._unpickle_timestamp",
        "pandas.arrays.ArrowStringArray",
        "pandas.arrays.DatetimeArray",
        "pandas.arrays.StringArray",
        "pandas.core.arrays.datetimes.DatetimeArray",
        "pandas.core.arrays.string_.StringArray",
        "pandas.core.arrays.string_.StringDtype",
        "pandas.core.arrays.string_arrow.ArrowStringArray",
        "pandas.core.dtypes.dtypes.DatetimeTZDtype",
        "pandas.core.frame.DataFrame",
        "pandas.core.indexes.base.Index",
        "pandas.core.indexes.base._new_Index",
        "pandas.core.indexes.range.RangeIndex",
        "pandas.core.internals.managers.BlockManager",
        "pyarrow.lib._restore_array",
        "pyarrow.lib.chunked_array",
        "pyarrow.lib.py_buffer",
        "pyarrow.lib.type_for_alias",
    }
)
"""The only names that a pickle may use: constructors of tables and of plain values."""


_LEAST_MEMORY = 4 * 2**30
_TIMES_THE_FILE = 30
_SECONDS = 900
_REFUSED = 3
"""The exit code of a reader that says on standard error what is wrong with the file."""


def load_frame(path: Path) -> pd.DataFrame:
    """The DataFrame pickled at `path`; its columns must be such that a Parquet file can hold them.

    Anything else that the file asks for (a function, a class, code) is refused before it is looked up.
    Raises SourceError for that, for a damaged file, and for a pickle of something else.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "table.parquet"
        try:
            done = subprocess.run(
                # -P: the folder of the user, such as that of a download, has no modules for us.
                [sys.executable, "-P", "-m", __name__, str(path.resolve()), str(out)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _unreadable(path, f"it took over {_SECONDS} seconds") from None
        if done.returncode == _REFUSED:
            raise SourceError(" ".join(done.stderr.decode("utf-8", "replace").split()))
        if done.returncode < 0:
            name = signal.Signals(-done.returncode).name
            raise _unreadable(path, f"it ended its reader by {name}, so lengths in it are forged")
        if done.returncode or not out.is_file():
            last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise _unreadable(path, last or f"its reader ended with {done.returncode}")
        return pd.read_parquet(out)


def _unreadable(path: Path, reason: str) -> SourceError:
    return SourceError(
        f"{path} cannot be read as a pickled table ({reason}). Save the table as Parquet or CSV instead."
    )


def _write(path: Path, out: Path) -> None:
    """Read the pickle in this process, and write its table."""
    frame = _read(path)
    frame.attrs = {}
    try:
        frame.to_parquet(out)
    except Exception as error:
        reason = f"no Parquet file can hold its columns: {type(error).__name__}: {error}"
        raise _unreadable(path, reason) from error


def _read(path: Path) -> pd.DataFrame:
    try:
        with path.open("rb") as file:
            found = _Unpickler(file).load()
        if isinstance(found, pd.DataFrame):
            _check_arrow(found)
    except SourceError as error:
        raise SourceError(f"{path}: {error}") from error
    # A damaged pickle can fail in any way at all, inside pandas and NumPy as well.
    except Exception as error:
        raise _unreadable(path, f"{type(error).__name__}: {error}") from error
    if not isinstance(found, pd.DataFrame):
        raise SourceError(f"{path} is a pickle of {type(found).__name__}, not of a DataFrame.")
    return found


def _check_arrow(frame: pd.DataFrame) -> None:
    """Raise ArrowInvalid for lengths and offsets that reach beyond an array's own memory."""
    columns = (frame.iloc[:, place] for place in range(frame.shape[1]))
    for values in (frame.index, frame.columns, *columns):
        if (arrow := getattr(values.array, "_pa_array", None)) is not None:
            arrow.validate(full=True)


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        # NumPy renamed its core between versions 1 and 2, Python 3 its builtins; files of all are about.
        current = module.replace("numpy.core", "numpy._core", 1).replace("__builtin__", "builtins")
        if (current, name) == ("_codecs", "encode"):
            return _latin
        if "." in name or f"{current}.{name}" not in _ALLOWED:
            raise SourceError(
                f"The pickle asks for {f'{module}.{name}'!r}, which no plain table needs, so it was not "
                "read: pickles can run code. Save the table as Parquet or CSV instead."
            )
        found: Callable[..., Any] = getattr(importlib.import_module(current), name)
        return found


def _latin(text: str, encoding: str) -> bytes:
    """How old pickles write bytes: as text of the first 256 characters."""
    if encoding not in ("latin1", "latin-1"):
        raise SourceError(
            f"The pickle asks for the codec {encoding!r}, which no plain table needs."
        )
    return text.encode("latin-1")


def _main() -> None:
    path, out = Path(sys.argv[1]), Path(sys.argv[2])
    memory = max(_LEAST_MEMORY, _TIMES_THE_FILE * path.stat().st_size)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Whoever started this process may be killed before its time is up.
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    try:
        _write(path, out)
    except SourceError as error:
        print(error, file=sys.stderr)
        sys.exit(_REFUSED)


if __name__ == "__main__":
    _main()
