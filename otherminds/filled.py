"""Filled tables as rows of cells, as the spreadsheets of many countries write them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from otherminds.errors import OtherMindsError

LARGEST: Final = 2**28
"""Bytes of the largest table that is read; 80 questions on each of 1,200 stages fit."""

# Where the comma is the decimal sign, spreadsheets write semicolons; pasted tables have tabs.
_DELIMITERS = ",;\t"
_BLANK_MARKS = ("\ufeff", "\u200b", "\xa0")


class Row(NamedTuple):
    """A row's cells by column, and the file and row for messages."""

    cells: Mapping[str, str]
    place: str


def rows(path: Path, needed: Sequence[str]) -> Iterator[Row]:
    """The rows of a table with commas, semicolons or tabs between cells; empty ones are left out.

    Raises OtherMindsError for a file that is not a table in UTF-8 with the columns `needed`,
    for a row with more or fewer cells than the header, and for one that is not a regular file or
    larger than `LARGEST`.
    """
    text = _text(path)
    header_line = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=header_line.count)
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    number = 1
    try:
        header = [bare(name).lower() for name in next(table, [])]
        for name in needed:
            if header.count(name) != 1:
                raise OtherMindsError(
                    f"{path}, row 1: there is no column '{name}', or there are several. A table needs "
                    f"{', '.join(needed)}, with commas, semicolons or tabs between cells; save it as "
                    "CSV UTF-8 again, or copy the first row from the table that was sent."
                )
        for number, cells in enumerate(table, start=2):
            place = f"{path}, row {number}"
            if not any(bare(cell) for cell in cells):
                continue
            if len(cells) != len(header):
                raise OtherMindsError(
                    f"{place}: the number of cells is {len(cells)}, in the header {len(header)}: a "
                    "comma, semicolon, tab or quotation mark was lost or added; save it as CSV UTF-8 "
                    "again."
                )
            yield Row(dict(zip(header, cells, strict=True)), place)
    except csv.Error as error:
        raise OtherMindsError(
            f"{path}, after row {number}: it is not CSV ({error}); save the table as CSV UTF-8 again."
        ) from error


def bare(cell: str) -> str:
    """A cell without blanks, seen or unseen, around it."""
    return cell.strip().strip("".join(_BLANK_MARKS)).strip()


def _text(path: Path) -> str:
    content = _content(path)
    if content.startswith(b"PK\x03\x04"):
        raise OtherMindsError(
            f"{path} is a spreadsheet file and not CSV: open it, and save it as CSV UTF-8."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise OtherMindsError(
            f"{path}, line {number} of the file: it is not in UTF-8; open it and save it as CSV UTF-8."
        ) from error


def _content(path: Path) -> bytes:
    try:
        # Before it is opened: a device has no end, and a pipe waits for its writer.
        if path.exists() and not path.is_file():
            raise OtherMindsError(f"{path} is not a regular file: put the table itself there.")
        size = path.stat().st_size
        if size > LARGEST:
            raise OtherMindsError(
                f"{path} has {size:,} bytes and is not a filled table: the largest that is read has "
                f"{LARGEST:,}."
            )
        return path.read_bytes()
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
