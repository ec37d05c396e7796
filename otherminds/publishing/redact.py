"""Samples without the gold answers, to be shown to everybody; and the way back, for those with the data.

A sample file holds each document with its gold, and numbers that reveal it: a score of 1 beside an
answer, a hash of the gold, which is one of a few. Only fields that are known to reveal nothing are
kept:

doc_id, item_id              which document it is
arguments                    the prompts; not where the data may not be passed on
resps, filtered_resps        the model's answers, and why they ended (finish_reasons)
filter, prompt_hash

The results file beside it keeps the scores of the whole task and all that comparing them needs: no
breakdowns, which may reveal one document, no paths, and nothing of the machine.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from otherminds import files, harness, manifest
from otherminds.errors import OtherMindsError
from otherminds.running import results
from otherminds.running.models import JUDGE_ROLE
from otherminds.samples import read as samples
from otherminds.samples.names import Name, named, results_of, stem
from otherminds.samples.packed import ENDING

Note = Callable[[str], None]
Record = dict[str, Any]

_KEPT = ("doc_id", "filter", "resps", "filtered_resps", "finish_reasons", "prompt_hash")
_PROMPTS = "arguments"

_MACHINE = ("pretty_env_info", "git_hash", "upper_git_hash", "transformers_version")
_SCORES = ("estimates", "counts")
_FOLDERS = re.compile(r"(?<![\w:/.])~?(?:/[^/\s,;'\"]+)*/(?=[^/\s,;'\"]+)")
"""The folders of an absolute path, which may name a user; not those of a URL."""

_SHORT = 40
"""Characters up to which a reply is an answer, too short to quote a person."""

_FEWEST = 5
"""From this number of documents on, a score reveals nothing of any one of them."""


def redact(path: Path, out: Path, *, note: Note) -> list[Path]:
    """Write sample files without golds, and the results files beside them, into the folder `out`.

    `path` is a sample file, or a folder that is searched for them, whose subfolders are kept; files in a
    folder that must not be shown are passed over. `note` is called with that, and with all that is left
    out besides golds.
    Returns the sample files. Raises OtherMindsError for files of tasks that are not ours, and for a
    file that is cut off, or must not be shown: judgements show the criteria themselves, long replies may
    quote data that may not be passed on, and the score of a few documents reveals the answers.
    """
    written = []
    found = _found(path, out)
    for file, name in found:
        folder = _place(file, path, out)
        reason = _secret(file, name)
        if reason is None:
            rows = _redacted(file, name, note)
            written.append(_write(file, name, folder, rows, _without_traces))
        elif path.is_dir():
            note(f"{file} is passed over: {reason}")
        else:
            raise OtherMindsError(f"{file} {reason}")
    if not written:
        raise OtherMindsError(f"Nothing in {path} may be shown.")
    if len(written) < len(found):
        note(f"{len(written)} of {len(found)} files written.")
    return written


def restore(path: Path, out: Path, *, source: str | None = None, note: Note) -> list[Path]:
    """Undo `redact` with the data: write the files with documents and golds, as `score` reads them.

    The data are those that `source` names as `data_source` does, or this version's. Raises
    OtherMindsError where they are not at hand, or have no such document, and for files that are cut off.
    """
    written = []
    for file, name in _found(path, out):
        folder = _place(file, path, out)
        rows = _restored(file, name, source, note)
        written.append(_write(file, name, folder, rows, lambda found: _with_source(found, source)))
    return written


def _secret(path: Path, name: Name) -> str | None:
    """Why nothing of a sample file may be shown; None where some of it may."""
    config = _config(path, name)
    if config["metadata"].get("role") == JUDGE_ROLE:
        return (
            "holds judgements, and the prompts and replies of a judge show the criteria, which are the "
            "gold. Its scores are in the results file."
        )
    count, is_long = 0, False
    for record in samples.records(path, note=_refuse):
        count, is_long = count + 1, is_long or _is_long(record)
    if count < _FEWEST:
        return f"holds {count} documents, whose score reveals the answers; run {_FEWEST} or more."
    if is_long and not _may_be_shown(config["dataset_kwargs"]["dataset"]):
        return (
            f"holds replies of more than {_SHORT} characters, which may quote the data, and these may "
            "not be passed on."
        )
    return None


def _refuse(cut: str) -> None:
    # What is written from a part would look whole.
    raise OtherMindsError(f"{cut} Give a whole file.")


def _is_long(record: Mapping[str, Any]) -> bool:
    return any(len(text) > _SHORT for text in _texts(record.get("resps")))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Sequence):
        for part in value:
            yield from _texts(part)


def _redacted(path: Path, name: Name, note: Note) -> Iterator[Record]:
    config = _config(path, name)
    kept: tuple[str, ...] = _KEPT
    if _may_be_shown(config["dataset_kwargs"]["dataset"]):
        kept = (*_KEPT, _PROMPTS)
    else:
        note(f"{path}: the prompts are left out too, because the data may not be passed on freely.")
    for record in samples.records(path, note=_refuse):
        yield {key: record[key] for key in kept if key in record} | {"doc": _item(record, path)}


def _restored(path: Path, name: Name, source: str | None, note: Note) -> Iterator[Record]:
    from otherminds.analysis.facts import facts_of
    from otherminds.analysis.verification import task_of

    _config(path, name)
    facts = facts_of(path, note=note)
    if source is not None:
        facts = dataclasses.replace(facts, metadata={**facts.metadata, "data_source": source})
    task = task_of(name.task, facts)
    places = {item: place for place, item in enumerate(task.eval_docs["item_id"])}
    for record in samples.records(path, note=_refuse):
        item = _item(record, path)["item_id"]
        if item not in places:
            raise OtherMindsError(
                f"{path}: the data have no document '{item}'. They are of another version, or the "
                "results file that says which is missing beside the samples."
            )
        doc = task.eval_docs[places[item]]
        yield record | {"doc": doc, "target": str(task.doc_to_target(doc))}


def _item(record: Mapping[str, Any], path: Path) -> Record:
    doc = record.get("doc")
    if not isinstance(doc, dict) or "item_id" not in doc:
        raise OtherMindsError(
            f"{path} has a line whose document has no item_id; it is not a sample."
        )
    return {"item_id": doc["item_id"]}


def _may_be_shown(dataset: str) -> bool:
    """Whether everybody may see the data, without terms to accept."""
    known = manifest.load(dataset)
    allowed = known.redistribution is not None and known.redistribution.allowed
    return known.generated or (allowed and known.gate is None)


def _config(path: Path, name: Name) -> dict[str, Any]:
    config = harness.task_config(name.task)
    if config is None:
        raise OtherMindsError(f"{path} is of the task '{name.task}', which is none of ours.")
    return config


def _found(path: Path, out: Path) -> list[tuple[Path, Name]]:
    source, target = path.resolve(), out.resolve()
    if path.is_dir() and target != source and target.is_relative_to(source):
        raise OtherMindsError(
            f"{out} lies in {path}, and would be read the next time; name another."
        )
    inside = sorted(path.rglob("samples_*.jsonl*")) if path.is_dir() else [path]
    found = [(file, name) for file in inside if (name := named(file)) is not None]
    if not found:
        raise OtherMindsError(
            f"{path} is not a sample file and holds none: the name must be samples_<task>_<date>.jsonl "
            "or .jsonl.zst, as `lm_eval --log_samples` and `otherminds run` write it."
        )
    stems = [file.parent / stem(file) for file, _ in found]
    if twice := {one for one in stems if stems.count(one) > 1}:
        raise OtherMindsError(f"There are two files of {min(twice)}, packed and not; remove one.")
    return found


def _place(file: Path, path: Path, out: Path) -> Path:
    """The folder for a file's results: models' folders hold files of equal names."""
    folder = out / file.parent.relative_to(path) if path.is_dir() else out
    if folder.resolve() == file.parent.resolve():
        raise OtherMindsError(f"{out} would hold both what {file} says and what it is to hide.")
    return folder


def _write(
    path: Path,
    name: Name,
    folder: Path,
    records: Iterator[Record],
    change: Callable[[Record], Record],
) -> Path:
    """Write the records, and the changed results file of `path` beside them if there is one."""
    beside = results_of(path, name)
    # Before anything is written: the one without the other would be half of it.
    changed = _changed(beside, change) if beside.is_file() else None
    written = results.write_lines(folder / f"{stem(path)}{ENDING}", records)
    if changed is not None:
        files.write_json(folder / beside.name, changed)
    return written


def _changed(path: Path, change: Callable[[Record], Record]) -> Record:
    try:
        changed = change(_results(path))
        # JSON may have half of a surrogate pair, which no file can.
        files.strict_json(changed).encode()
        return changed
    except (AttributeError, TypeError, ValueError) as error:
        raise _damaged(path, "it is not of the form that lm-eval writes") from error


def _results(path: Path) -> Record:
    try:
        found: Record = results.content_of(path)
    except OSError as error:
        raise OtherMindsError(f"Cannot read {path}: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path, files.not_json(error)) from error
    if files.too_deep(found):
        raise _damaged(path, "it is nested too deeply")
    return found


def _damaged(path: Path, fault: str) -> OtherMindsError:
    return OtherMindsError(
        f"{path} is damaged: {fault}. Restore it, or move it away: samples alone can be written too."
    )


def _without_traces(found: Record) -> Record:
    """A results file without breakdowns, paths, and facts of the machine."""
    kept = {key: value for key, value in found.items() if key not in _MACHINE}
    ours = dict(kept.get("otherminds") or {})
    ours["scores"] = {
        task: {key: scores[key] for key in _SCORES if key in scores}
        for task, scores in (ours.get("scores") or {}).items()
    }
    shown: Record = _without_folders({**kept, "otherminds": ours})
    return _with_source(shown, None)


def _without_folders(value: Any) -> Any:
    if isinstance(value, str):
        return _FOLDERS.sub("", value)
    if isinstance(value, Mapping):
        return {key: _without_folders(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_folders(inner) for inner in value]
    return value


def _with_source(found: Record, source: str | None) -> Record:
    """A results file whose tasks were configured with this data source, or with none but the Hub."""
    configs = {}
    for task, config in (found.get("configs") or {}).items():
        metadata = dict(config.get("metadata") or {})
        if source is not None:
            metadata["data_source"] = source
        elif metadata.get("data_source") != "hub":
            metadata.pop("data_source", None)
        configs[task] = {**config, "metadata": metadata}
    return {**found, "configs": configs}
