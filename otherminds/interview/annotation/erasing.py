"""Taking a person out of an annotation: their interviews on the pages, and what came back of them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from otherminds import files
from otherminds.errors import OtherMindsError
from otherminds.interview.annotation import sheets


def without(folder: Path, participant: str) -> list[Path]:
    """Take a person out of pages and returned tables; the files that were changed.

    The key, which says whose interviews these are, loses them afterwards, as every export does.
    """
    try:
        key = sheets.read_key(folder)
    except OtherMindsError:
        return []
    theirs = [one.row for one in key if one.participant_id == participant]
    changed = []
    if theirs:
        changed += [path for path in sorted(folder.rglob("*.html")) if _page(path, theirs)]
        changed += [path for path in sorted(folder.rglob("*.csv")) if _table(path, theirs)]
    return changed


def _page(path: Path, theirs: Sequence[str]) -> bool:
    text = path.read_text(encoding="utf-8")
    kept = text
    for row in theirs:
        # No text of a person can hold such a comment: "<" is always escaped.
        kept = re.sub(f"<!-- begin {row} -->.*?<!-- end {row} -->", "", kept, flags=re.DOTALL)
    if kept == text:
        return False
    with files.atomic_file(path) as partial:
        partial.write_text(kept, encoding="utf-8")
    return True


def _table(path: Path, theirs: Sequence[str]) -> bool:
    text = path.read_bytes().decode("utf-8-sig", errors="surrogateescape")
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    rows = [*csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)]
    kept = [row for row in rows if not any(cell.partition(".")[0] in theirs for cell in row)]
    if len(kept) == len(rows):
        return False
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter).writerows(kept)
    with files.atomic_file(path) as partial:
        partial.write_text(
            written.getvalue(), encoding="utf-8", errors="surrogateescape", newline=""
        )
    return True
