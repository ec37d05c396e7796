"""Tables about people that a user provides: CSV with a column of ids and one for each attribute."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

from otherminds.sheets import quoted

PERSON = "participant_id"

_SHOWN = 20
"""Names of columns that a message shows."""


def read(path: Path) -> Mapping[str, list[tuple[str, str]]]:
    """(attribute, value) pairs by person; an empty cell is the value "".

    Raises ValueError, naming the row (the header is row 1), for a file that cannot be read or is no such
    table, a person given twice or without an id, and a row of another length.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            lines = [(reader.line_num, row) for row in reader]
    except OSError as error:
        raise ValueError(f"Cannot read the table {path}: {error.strerror}.") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"The table {path} is not CSV in UTF-8: {error}.") from error
    header = lines[0][1] if lines else []
    if header.count(PERSON) != 1 or len(set(header)) < len(header) or len(header) < 2:
        raise ValueError(
            f"The table {path} needs a header with '{PERSON}' and at least one other column, each "
            f"name once; it has: {_listed(header)}."
        )
    found: dict[str, list[tuple[str, str]]] = {}
    for number, row in lines[1:]:
        if not row:
            continue
        if len(row) != len(header):
            raise ValueError(f"{path}, row {number}: {len(row)} cells for {len(header)} columns.")
        cells = {name: cell.strip() for name, cell in zip(header, row, strict=True)}
        person = cells.pop(PERSON)
        if not person or person in found:
            fault = f"{quoted(person)} is given twice" if person else "it is empty"
            raise ValueError(f"{path}, row {number}, column '{PERSON}': {fault}.")
        found[person] = list(cells.items())
    return found


def _listed(header: list[str]) -> str:
    shown = ", ".join(quoted(name) for name in header[:_SHOWN])
    return (shown + (", …" if len(header) > _SHOWN else "")) or "nothing"
