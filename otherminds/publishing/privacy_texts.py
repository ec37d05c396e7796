"""The texts of a folder that is about to be published: every file, every column."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import yaml

BATCH_ROWS = 4_096
"""Rows held in memory at once."""

_INVISIBLE = "[\u00ad\u200b-\u200f\u2060\ufeff]"
_LARGE, _TOO_LARGE = 1e8, 9e18
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Part(NamedTuple):
    """Distinct texts from one place of a file.

    where   a column ("background.value"), or another kind of place
    texts   strings, each once, without characters that cannot be seen
    places  shape of `texts`: row or line in which each stands first; None for texts that have none
    """

    where: str
    texts: pa.StringArray
    places: pa.Int64Array | None
    unit: str = "row"


class UnreadableError(Exception):
    """A file, or something in it, that cannot be looked through; the message says why."""


def parts(path: Path) -> Iterator[Part]:
    """The texts of one file, a bounded number of rows at a time.

    Raises UnreadableError for a file that is neither Parquet nor text, whose content cannot be checked.
    """
    yield Part("file name", _seen(pa.array([path.name])), None)
    if path.suffix == ".parquet":
        try:
            yield from _of_parquet(path)
        except (pa.ArrowException, OSError) as error:
            raise UnreadableError(f"it is not a readable Parquet file: {error}") from error
    else:
        yield from _of_text(path)


def _of_text(path: Path) -> Iterator[Part]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError("it is neither text nor a Parquet file") from error
    lines = text.split("\n")
    numbers = pa.array(range(1, len(lines) + 1), pa.int64())
    yield Part("text", _seen(pa.array(lines, pa.string())), numbers, unit="line")
    # An escape such as \u0040 hides a character from readers of the raw text.
    hidden = sorted({value for value in _decoded(path, text) if value not in text})
    if hidden:
        yield Part("value", _seen(pa.array(hidden, pa.string())), None)


def _decoded(path: Path, text: str) -> Iterator[str]:
    """The strings that a structured text stands for; none where it cannot be parsed."""
    try:
        match path.suffix:
            case ".json":
                yield from strings_in(json.loads(text))
            case ".jsonl":
                yield from strings_in([json.loads(line) for line in text.splitlines() if line])
            case ".yaml" | ".yml":
                yield from strings_in(yaml.load(text, Loader=_LOADER))  # nosec B506
    except (ValueError, yaml.YAMLError, RecursionError):
        return  # its raw text has been looked through


def strings_in(value: Any) -> Iterator[str]:
    """All strings in a value of JSON, however deep, names of members included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from strings_in([*value, *value.values()])
    elif isinstance(value, list):
        for one in value:
            yield from strings_in(one)


def _of_parquet(path: Path) -> Iterator[Part]:
    with pq.ParquetFile(path) as file:
        named = [*_names(file.schema_arrow), *_notes(file)]
        yield Part("column names", _seen(pa.array(sorted(set(named)), pa.string())), None)
        first = 0
        for batch in file.iter_batches(batch_size=BATCH_ROWS):
            rows = pa.array(range(first, first + batch.num_rows), pa.int64())
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                for where, texts, own in _leaves(name, column, rows):
                    yield _distinct(where, texts, own)
            first += batch.num_rows


def _notes(file: pq.ParquetFile) -> Iterator[str]:
    """The file's own key-value metadata, but for the schema, which is read in full elsewhere."""
    for key, value in (file.metadata.metadata or {}).items():
        if key != b"ARROW:schema":
            yield f"{key.decode(errors='replace')} {value.decode(errors='replace')}"


def _names(fields: Iterable[pa.Field]) -> Iterator[str]:
    """The names of all columns and their members, with the notes on them."""
    for field in fields:
        yield field.name
        for key, value in (field.metadata or {}).items():
            yield f"{key.decode(errors='replace')} {value.decode(errors='replace')}"
        inner = field.type
        if inner.num_fields:
            yield from _names(inner.field(i) for i in range(inner.num_fields))


def _leaves(
    where: str, array: pa.Array, rows: pa.Int64Array
) -> Iterator[tuple[str, pa.StringArray, pa.Int64Array]]:
    """The texts in a column, however deep, with the row of each."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        yield from _leaves(where, array.dictionary_decode(), rows)
    elif pa.types.is_struct(kind):
        for field, child in zip(kind, array.flatten(), strict=True):
            yield from _leaves(f"{where}.{field.name}", child, rows)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        parents = pc.list_parent_indices(array)
        yield from _leaves(where, array.flatten(), rows.take(parents))
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        yield where, array.cast(pa.string()), rows
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        # A number can be a phone number; those of measurements and counts are small or fractions.
        size = pc.abs(array.cast(pa.float64(), safe=False))
        large = pc.and_(
            pc.and_(pc.greater_equal(size, _LARGE), pc.less(size, _TOO_LARGE)),
            pc.equal(pc.floor(size), size),
        ).fill_null(False)
        chosen = array.filter(large)
        if pa.types.is_floating(kind):
            chosen = chosen.cast(pa.int64())
        yield where, chosen.cast(pa.string()), rows.filter(large)
    elif not _holds_no_text(kind):
        raise UnreadableError(f"the column {where} holds {kind}, which is not looked through")


def _holds_no_text(kind: pa.DataType) -> bool:
    tests = (pa.types.is_boolean, pa.types.is_null, pa.types.is_temporal)
    return any(test(kind) for test in tests)


def _distinct(where: str, texts: pa.StringArray, rows: pa.Int64Array) -> Part:
    """Each text once, with the first row that holds it."""
    table = pa.table({"text": texts, "row": rows}).filter(pc.is_valid(pc.field("text")))
    found = table.group_by("text", use_threads=False).aggregate([("row", "min")])
    return Part(
        where,
        _seen(found["text"].combine_chunks()),
        found["row_min"].combine_chunks(),
    )


def _seen(texts: pa.StringArray) -> pa.StringArray:
    """Texts as a reader sees them: full-width and other forms of a sign are that sign."""
    if isinstance(texts, pa.ChunkedArray):
        texts = pa.concat_arrays(texts.chunks) if texts.num_chunks else pa.array([], pa.string())
    if pc.all(pc.string_is_ascii(texts)).as_py() is not False:
        return texts
    visible = pc.replace_substring_regex(texts, _INVISIBLE, "")
    return pc.utf8_normalize(visible, form="NFKC")
