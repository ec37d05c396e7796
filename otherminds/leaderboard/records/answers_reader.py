"""Reading one file of answers, in a process of its own that may not use much memory or time.

Parquet is opened in this process alone: the declarations of a file can be lies, and a few bytes of
it can stand for gigabytes. Run as a program, with a path and the limits as JSON, it writes to its
output one JSON object: the columns as lists, or the code of a reason and its detail. It imports
nothing of otherminds, so that it starts at once and can be run without the environment's paths.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MAGIC = b"PAR1"

Limits = Mapping[str, int]


class UnreadableError(Exception):
    """A file of answers is refused: the code of a reason, and its detail."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


def read(path: Path, limits: Limits) -> dict[str, Any]:
    """The columns of a file of answers as lists; or {"reason": code, "detail": text}.

    Whatever a file holds, nothing is raised but MemoryError.
    """
    found: dict[str, list[Any]] = {name: [] for name in _types()}
    try:
        with _explained():
            for batch in _batches(path, limits, list(found)):
                for name, column in found.items():
                    values = batch.column(name).to_pylist()
                    _CHECKS[name](name, values, limits)
                    column.extend(values)
    except UnreadableError as error:
        return {"reason": error.code, "detail": str(error)}
    return found


def table(path: Path, limits: Limits, names: Sequence[str]) -> Any:
    """Some columns of a file of answers, as an Arrow table: of a file that was accepted before.

    Declared and decoded sizes are checked, values are not: compare the digest of the answers.
    Raises UnreadableError.
    """
    import pyarrow as pa

    with _explained():
        batches = list(_batches(path, limits, names))
        empty = pa.schema({name: _types()[name] for name in names}).empty_table()
        return pa.Table.from_batches(batches) if batches else empty


@contextmanager
def _explained() -> Iterator[None]:
    """Raise Arrow's errors of a broken file as UnreadableError."""
    import pyarrow as pa

    try:
        yield
    except MemoryError:  # Arrow's own is an ArrowException too
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, TypeError, KeyError) as error:
        raise UnreadableError("parquet-invalid", type(error).__name__) from error


def _batches(path: Path, limits: Limits, names: Sequence[str]) -> Iterator[Any]:
    import pyarrow.parquet as pq

    _check_magic(path)
    with pq.ParquetFile(
        path,
        memory_map=False,
        pre_buffer=False,
        thrift_string_size_limit=limits["record_bytes"],
        thrift_container_size_limit=limits["record_bytes"],
    ) as file:
        _check_declared(file.metadata, limits)
        _check_schema(file.schema_arrow)
        size = rows = 0
        for batch in file.iter_batches(limits["batch_rows"], columns=names, use_threads=False):
            size += batch.nbytes
            rows += batch.num_rows
            if size > limits["decoded_bytes"] or rows > limits["rows"]:
                raise UnreadableError("parquet-too-large", "it holds more than it may.")
            batch.validate(full=True)
            yield batch


def _check_magic(path: Path) -> None:
    with path.open("rb") as file:
        first = file.read(4)
        file.seek(0, 2)
        size = file.tell()
        file.seek(max(size - 4, 0))
        if size < 12 or first != MAGIC or file.read(4) != MAGIC:
            raise UnreadableError("not-parquet", "it does not begin and end as Parquet does.")


def _check_declared(metadata: Any, limits: Limits) -> None:
    declared = {
        "rows": (metadata.num_rows, limits["rows"]),
        "row groups": (metadata.num_row_groups, limits["row_groups"]),
        "columns": (metadata.num_columns, limits["columns"]),
    }
    for what, (number, most) in declared.items():
        if not 0 <= number <= most:
            raise UnreadableError(
                "parquet-too-large", f"it declares {number} {what}, at most {most}."
            )
    rows = 0
    for place in range(metadata.num_row_groups):
        group = metadata.row_group(place)
        rows += group.num_rows
        sizes = [
            group.column(column).total_uncompressed_size for column in range(group.num_columns)
        ]
        if not all(0 <= size <= limits["row_group_bytes"] for size in [*sizes, sum(sizes)]):
            raise UnreadableError(
                "parquet-too-large", f"row group {place} declares {sum(sizes)} bytes."
            )
        if group.num_rows < 0:
            raise UnreadableError(
                "parquet-invalid", f"row group {place} declares no number of rows."
            )
    if rows != metadata.num_rows:
        raise UnreadableError("parquet-invalid", "its row groups declare other rows than it does.")


def _types() -> dict[str, Any]:
    import pyarrow as pa

    return {
        "item_id": pa.string(),
        "doc_hash": pa.string(),
        "run": pa.int32(),
        "parsed": pa.string(),
        "raw": pa.string(),
        "log_likelihoods": pa.list_(pa.float64()),
        "correct": pa.bool_(),
    }


def schema() -> Any:
    """The Arrow schema of a file of answers."""
    import pyarrow as pa

    return pa.schema(_types())


def _check_schema(found: Any) -> None:
    theirs = [(field.name, str(field.type)) for field in found]
    # Lists differ by the name that a writer gives their elements.
    ours = [(name, str(kind)) for name, kind in _types().items()]
    alike = [(name, kind.replace("element:", "item:")) for name, kind in theirs]
    if alike != ours:
        raise UnreadableError(
            "parquet-columns", f"they are {str(theirs)[:300]}; they must be {str(ours)[:300]}."
        )


def _check_required(name: str, values: list[Any], limits: Limits) -> None:
    if any(value is None for value in values):
        raise UnreadableError("value-missing", f"{name} is null in a row.")


def _check_id(name: str, values: list[Any], limits: Limits) -> None:
    _check_required(name, values, limits)
    _check_short(name, values, limits)


def _check_short(name: str, values: list[Any], limits: Limits) -> None:
    _check_text(name, values, limits["parsed_characters"])


def _check_raw(name: str, values: list[Any], limits: Limits) -> None:
    _check_text(name, values, limits["raw_characters"])


def _check_text(name: str, values: list[Any], most: int) -> None:
    if any(value is not None and len(value) > most for value in values):
        raise UnreadableError(
            "value-too-long", f"{name} has a text of more than {most} characters."
        )


def _check_numbers(name: str, values: list[Any], limits: Limits) -> None:
    for value in values:
        if value is None:
            continue
        if len(value) > limits["options"]:
            raise UnreadableError("value-too-long", f"{name} has {len(value)} numbers in a row.")
        # Minus infinity is the logarithm of a probability of 0. Of NaN, every comparison is false.
        if any(number is None or not number < math.inf for number in value):
            raise UnreadableError(
                "number-not-finite", f"{name} has NaN, infinity or null in a row."
            )


def _check_nothing(name: str, values: list[Any], limits: Limits) -> None:
    """A truth value is one, or null."""


_CHECKS: Mapping[str, Callable[[str, list[Any], Limits], None]] = {
    "item_id": _check_id,
    "doc_hash": _check_short,
    "run": _check_required,
    "parsed": _check_short,
    "raw": _check_raw,
    "log_likelihoods": _check_numbers,
    "correct": _check_nothing,
}


def _restrict(limits: Limits) -> None:
    try:
        import resource
    except ImportError:  # Windows has none; the clock still runs
        return
    for kind, most in (
        (resource.RLIMIT_AS, limits["reader_memory"]),
        (resource.RLIMIT_CPU, limits["reader_seconds"]),
        (resource.RLIMIT_FSIZE, 4 * limits["decoded_bytes"]),
        (resource.RLIMIT_CORE, 0),
    ):
        allowed = resource.getrlimit(kind)[1]
        chosen = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(kind, (chosen, chosen))


def main() -> None:
    """Read the file and write the findings."""
    limits = json.loads(sys.argv[2])
    _restrict(limits)
    try:
        found = read(Path(sys.argv[1]), limits)
    except MemoryError:
        found = {"reason": "parquet-too-costly", "detail": "it took more memory than it may."}
    json.dump(found, sys.stdout, ensure_ascii=True)


if __name__ == "__main__":
    main()
