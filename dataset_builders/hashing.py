"""A hash of what a table says, whatever file or chunks it is stored in."""

from __future__ import annotations

import hashlib
import json

import pyarrow as pa

_ROWS_AT_A_TIME = 256


def content_hash(table: pa.Table) -> str:
    """The SHA-256 of the rows in order, as lower-case hexadecimal digits.

    Each row is one line of JSON: keys sorted, no spaces, ASCII only. Column order, chunking,
    compression and file format therefore do not matter; the order of rows and every value do.
    """
    digest = ContentHash()
    digest.update(table)
    return digest.hexdigest()


class ContentHash:
    """`content_hash` of a table that comes in pieces.

    Rows are read a few hundred at a time, so memory does not grow with the table.
    """

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def update(self, table: pa.Table) -> None:
        """Add the rows of the next piece."""
        for batch in table.to_batches(max_chunksize=_ROWS_AT_A_TIME):
            for row in batch.to_pylist():
                line = json.dumps(row, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
                self._digest.update(line.encode("ascii"))
                self._digest.update(b"\n")

    def hexdigest(self) -> str:
        """The hash of all rows so far."""
        return self._digest.hexdigest()
