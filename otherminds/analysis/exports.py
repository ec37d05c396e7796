"""Samples as Parquet: a row per item, for tools that read tables (DuckDB, Polars, pandas, R)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import otherminds
from otherminds import files
from otherminds.analysis.facts import Facts
from otherminds.analysis.runs import Faults, header, sample_files
from otherminds.analysis.words import nothing_read
from otherminds.errors import OtherMindsError
from otherminds.samples import read as samples
from otherminds.samples.names import stem
from otherminds.samples.read import Rules, Sample
from otherminds.scoring.base import is_answered

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, Any]

COLUMNS: Mapping[str, tuple[str, str]] = {
    "model": ("string", "the model, as `score` names it"),
    "task": ("string", "the task"),
    "task_version": ("string", "its version when it was run; null where nothing says so"),
    "item_id": ("string", "the item's id, unique in the task"),
    "person": ("string", "the person (or stage, user) whom the item is about"),
    "part": ("string", "its part in breakdowns, such as a topic"),
    "category": ("string", "a finer kind of question"),
    "gold": ("string", "the gold answer"),
    "options": ("list<string>", "the answers that the item admits"),
    "prompt": ("string", "the text of the item's first request"),
    "replies": ("list<string>", "by run, the model's reply; null where it was given up"),
    "finish_reasons": (
        "list<string>",
        "by run, why the reply ended: stop, length (cut off) or the server's word; null: not known",
    ),
    "log_likelihoods": ("list<double>", "by option, where the task compares them"),
    "is_greedy": ("list<bool>", "by option, whether no other token was likelier"),
    "answers": ("list<string>", "by run, the answer as it was read; null: it could not be"),
    "correct": ("list<bool>", "by run, whether the task's accuracy counts it as right"),
    "doc": ("string", "the document, as JSON"),
    "doc_hash": ("string", "lm-eval's hash of the document"),
    "prompt_hash": ("string", "lm-eval's hash of the prompt"),
    "target_hash": ("string", "lm-eval's hash of the gold"),
    "place": ("string", "file and line that the row was read from"),
}
"""Type and meaning of each column that all tasks have."""

SCORE = "score_"
"""How the names of further columns begin: the item's own scores in each metric of the task, one per
run; empty where the metric does not apply. A task's value need not be a mean of them."""

_ROWS = 1_000
"""Rows of a group, which are in memory at once."""


def export(
    paths: Sequence[str | Path], out: str | Path, *, note: Callable[[str], None], rows: int = _ROWS
) -> list[Path]:
    """Write each sample file in `paths` as a Parquet file into the folder `out`; returns their paths.

    A file `samples_….jsonl.zst` becomes `samples_….parquet`; the subfolders of a folder are kept. Rows
    are the samples that `score` reads, in the order of the file, with the columns COLUMNS and the
    scores. `note` is called with all that is left out.

    rows  how many samples are held in memory at once
    Raises OtherMindsError for paths without samples, where two files would get one name, and where
    nothing can be read.
    """
    why: list[tuple[str, str]] = []
    written = []
    for path, target in _places(paths, Path(out)).items():
        notes: list[str] = []
        if _written(path, target, notes, rows):
            written.append(target)
        elif notes:
            why.append((notes[-1], notes[-1].replace(str(path), "")))
        for one in notes:
            note(one)
    if not written:
        raise OtherMindsError(nothing_read(why))
    return written


def _places(paths: Sequence[str | Path], out: Path) -> dict[Path, Path]:
    """By sample file, the file to write."""
    found: dict[Path, Path] = {}
    taken: dict[Path, Path] = {}
    for given in paths:
        path = Path(given).expanduser()
        for file in sample_files([path]):
            folder = file.parent.relative_to(path) if path.is_dir() else Path()
            target = out / folder / f"{stem(file)}.parquet"
            if taken.setdefault(target, file).resolve() != file.resolve():
                raise OtherMindsError(
                    f"{taken[target]} and {file} would both be {target}. Give the folder that "
                    "holds both, or export one of them into another folder."
                )
            found[taken[target]] = target
    return found


class _DamagedError(Exception):
    """Samples that cannot be read to their end."""


def _written(path: Path, target: Path, notes: list[str], rows: int) -> bool:
    """Write one sample file; False, with a note, where nothing of it can be used."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    known = header(path, notes)
    if known is None:
        return False
    task, rules, facts = known
    schema = _schema(rules)
    faults = Faults()
    groups = _groups(_rows(path, task, rules, facts, faults), rows)
    try:
        first = next(groups, None)
        if first is not None:
            with (
                files.atomic_file(target) as partial,
                pq.ParquetWriter(partial, schema, compression="zstd") as writer,
            ):
                for group in chain([first], groups):
                    writer.write_table(pa.Table.from_pylist(group, schema))
    except _DamagedError as error:
        notes.append(f"{error} The file was left out.")
        return False
    notes += faults.notes(path)
    return first is not None


def _schema(rules: Rules) -> pa.Schema:
    import pyarrow as pa

    kinds = {
        "string": pa.string(),
        **{
            f"list<{kind}>": pa.list_(pa.type_for_alias(kind))
            for kind in ("string", "double", "bool")
        },
    }
    columns = {name: kinds[kind] for name, (kind, _) in COLUMNS.items()}
    scores = {f"{SCORE}{metric}": kinds["list<double>"] for metric in rules.metrics}
    return pa.schema(columns | scores, metadata={"otherminds": otherminds.__version__})


def _groups(found: Iterator[Row], size: int) -> Iterator[list[Row]]:
    while group := list(islice(found, size)):
        yield group


def _rows(path: Path, task: str, rules: Rules, facts: Facts, faults: Faults) -> Iterator[Row]:
    run = {"model": facts.model, "task": task, "task_version": facts.task_version}
    seen: set[str] = set()
    try:
        for sample in samples.read(path, note=_refuse, fault=faults.add):
            row = {**run, **_row(sample, rules)}
            if row["item_id"] in seen:
                faults.add(
                    f"{sample.place} repeats the document '{row['item_id']}' and was left out."
                )
                continue
            if row["item_id"] is not None:
                seen.add(row["item_id"])
            yield row
    except OtherMindsError as error:
        raise _DamagedError(str(error)) from error


def _refuse(cut: str) -> None:
    # A table of a part would look whole.
    raise OtherMindsError(cut)


def _row(sample: Sample, rules: Rules) -> Row:
    # The folder would tell whoever gets the table about its maker's machine.
    where, _, line = sample.place.rpartition(",")
    found: Row = {
        "item_id": sample.doc.get("item_id"),
        "prompt": sample.prompt or None,
        "doc": json.dumps(sample.doc, ensure_ascii=False),
        "doc_hash": sample.hashes.doc or None,
        "prompt_hash": sample.hashes.prompt or None,
        "target_hash": sample.hashes.target or None,
        "place": f"{Path(where).name},{line}",
    }
    if rules.takes_options:
        found["log_likelihoods"] = [log for log, _ in sample.results]
        found["is_greedy"] = [greedy for _, greedy in sample.results]
    else:
        found["replies"] = sample.results[0]
        found["finish_reasons"] = list(sample.reasons) or None
    if is_answered(sample.record):
        view = sample.record.view()
        found |= {
            **{"item_id": view.item_id, "person": view.person, "part": view.part},
            **{"category": view.category, "gold": view.gold, "correct": list(view.correct)},
            "options": list(map(str, view.options)),
            "answers": [None if one is None else str(one) for one in view.answers],
        }
    scores = rules.process(sample.doc, sample.results)
    return found | {f"{SCORE}{metric}": list(one) for metric, one in scores.items()}
