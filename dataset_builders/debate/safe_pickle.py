"""A pickled DataFrame, read without running any code that the file brings along."""

from __future__ import annotations

import importlib
import pickle
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


def load_frame(path: Path) -> pd.DataFrame:
    """The DataFrame pickled at `path`.

    Anything else that the file asks for (a function, a class, code) is refused before it is looked up.
    Raises SourceError for that, for a damaged file, and for a pickle of something else.
    """
    try:
        with path.open("rb") as file:
            found = _Unpickler(file).load()
    except SourceError:
        raise
    # A damaged pickle can fail in any way at all, inside pandas and NumPy as well.
    except Exception as error:
        raise SourceError(
            f"{path} cannot be read as a pickled table ({type(error).__name__}: {error}). Save the "
            "table as Parquet or CSV instead."
        ) from error
    if not isinstance(found, pd.DataFrame):
        raise SourceError(f"{path} is a pickle of {type(found).__name__}, not of a DataFrame.")
    return found


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        # NumPy renamed its core between versions 1 and 2, Python 3 its builtins; files of all are about.
        current = module.replace("numpy.core", "numpy._core", 1).replace("__builtin__", "builtins")
        if (current, name) == ("_codecs", "encode"):
            return _latin
        if "." in name or f"{current}.{name}" not in _ALLOWED:
            raise SourceError(
                f"The pickle asks for '{module}.{name}', which no plain table needs, so it was not "
                "read: pickles can run code. Save the table as Parquet or CSV instead."
            )
        found: Callable[..., Any] = getattr(importlib.import_module(current), name)
        return found


def _latin(text: str, encoding: str) -> bytes:
    """How old pickles write bytes: as text of the first 256 characters."""
    if encoding not in ("latin1", "latin-1"):
        raise SourceError(
            f"The pickle asks for the codec '{encoding}', which no plain table needs."
        )
    return text.encode("latin-1")
