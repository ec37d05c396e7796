"""The processed table of Lee et al.: one row per person and debate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from otherminds.dataset_builders.debate.records import Debate, person
from otherminds.dataset_builders.debate.safe_pickle import load_frame
from otherminds.dataset_builders.debate.staging import Writer
from otherminds.dataset_builders.debate.stances import Stance
from otherminds.dataset_builders.debate.text import day_of, plain
from otherminds.dataset_builders.sources import SourceError, check_unpacked
from otherminds.types import Progress

COLUMNS: Final = ("debate_key", "debate_title", "username", "debate_date", "position")
"""The columns that are needed. Used where there: `category`, and `belief_statement` as a check."""

OPTIONAL: Final = ("category", "belief_statement")
SUFFIXES: Final = (".csv", ".csv.gz", ".parquet", ".pkl", ".pickle")

_AGREES: Final = {"pro": True, "agree": True, "agrees": True, "con": False, "disagree": False} | {
    "disagrees": False,
    "true": True,
    "false": False,
}
_ROWS_AT_ONCE = 20_000
# Names of columns, and characters of each, in a message.
_SHOWN: Final = 40
# So many statements may contradict their row; more are not slips.
_ODD: Final = 0.1


def stage_processed(path: Path, writer: Writer, dropped: Counter[str], progress: Progress) -> None:
    """Read the table at `path` into `writer`, each debate with its stances.

    Rows without a readable date, name or position, and those whose position their own statement
    contradicts, are dropped and counted. Raises SourceError for a file that is not such a table, and
    where more than a tenth of the statements contradict: then a column is not what its name says.
    """
    debates: dict[str, tuple[str, str, list[Stance]]] = {}
    said: Counter[bool] = Counter()
    done = 0
    for frame, total in _frames(path):
        for row in frame.to_dict("records"):
            stance = _stance(row, dropped, said)
            if stance is not None:
                key = plain(row["debate_key"])
                title, category = plain(row["debate_title"]), plain(row.get("category"))
                debates.setdefault(key, (title, category, []))[2].append(stance)
        done += len(frame)
        progress(done, total)
    if said[False] > _ODD * said.total():
        raise SourceError(
            f"{path}: of {said.total():,} positions with a belief_statement, {said[False]:,} are said "
            "to be the opposite by it. One of the columns is not what its name says."
        )
    for key, (title, category, stances) in debates.items():
        writer.debate(Debate(key, title, category, _first(stances), None, None, ()), stances)


def _first(stances: list[Stance]) -> date:
    return min(stance.day for stance in stances)


def _stance(row: dict[Any, Any], dropped: Counter[str], said: Counter[bool]) -> Stance | None:
    user, day = person(row["username"]), day_of(row["debate_date"])
    agrees = _AGREES.get(plain(row["position"]).casefold())
    if isinstance(row["position"], bool):
        agrees = row["position"]
    if user is None or day is None or agrees is None:
        reasons = {"name": user, "date": day, "position": agrees}
        missing = next(what for what, value in reasons.items() if value is None)
        dropped[f"row without a readable {missing}"] += 1
        return None
    stated = _stated(row)
    if stated is not None:
        said[stated == agrees] += 1
    if stated not in (None, agrees):
        dropped["row whose position contradicts its belief_statement"] += 1
        return None
    return Stance(user, agrees, day)


def _stated(row: dict[Any, Any]) -> bool | None:
    """What the row's statement says of the position; None where it says nothing."""
    statement = plain(row.get("belief_statement")).casefold()
    if statement.startswith("i disagree"):
        return False
    return True if statement.startswith("i agree") else None


def _frames(path: Path) -> Iterator[tuple[pd.DataFrame, int]]:
    """The table in parts, each with the number of rows of the whole (or the best guess of it)."""
    if path.name.endswith(".parquet"):
        yield from _parquet(path)
    elif path.name.endswith((".pkl", ".pickle")):
        frame = load_frame(path)
        _check(list(map(str, frame.columns)), path)
        yield frame, len(frame)
    else:
        yield from _csv(path)


def _parquet(path: Path) -> Iterator[tuple[pd.DataFrame, int]]:
    try:
        file = pq.ParquetFile(path)
        names = file.schema_arrow.names
    except (OSError, ValueError, MemoryError, pa.ArrowException) as error:
        raise SourceError(f"{path} is not a Parquet file: {_first_line(error)}") from error
    with file:
        _check(names, path)
        wanted = [name for name in (*COLUMNS, *OPTIONAL) if name in names]
        try:
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=wanted):
                batch.validate(full=True)
                # What pandas noted of its own types may be damaged too, and nothing here needs it.
                yield batch.replace_schema_metadata().to_pandas(), file.metadata.num_rows
        except (OSError, ValueError, MemoryError, pa.ArrowException) as error:
            raise SourceError(
                f"{path} is damaged ({_first_line(error)}). Get or write it again."
            ) from error


def _csv(path: Path) -> Iterator[tuple[pd.DataFrame, int]]:
    check_unpacked(path)
    try:
        _check(list(pd.read_csv(path, nrows=0).columns), path)
        # As text throughout: a user may be named "007" or "NA".
        parts = pd.read_csv(path, dtype=str, keep_default_na=False, chunksize=_ROWS_AT_ONCE)
        with parts:
            for done, frame in enumerate(parts, start=1):
                yield frame, (done + 1) * _ROWS_AT_ONCE
    except (ValueError, OSError, EOFError) as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"{path} is not a CSV table: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


def _check(columns: list[str], path: Path) -> None:
    if missing := [name for name in COLUMNS if name not in columns]:
        raise SourceError(
            f"{path} lacks the columns {', '.join(missing)}. The processed table has "
            f"{', '.join(COLUMNS)}; this one has {_listed(columns) or 'none'}."
        )


def _listed(columns: list[str]) -> str:
    shown = [name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…" for name in columns[:_SHOWN]]
    return ", ".join([*shown, *(["…"] if len(columns) > _SHOWN else [])])
