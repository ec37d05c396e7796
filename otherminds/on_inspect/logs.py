"""What a `.eval` log of Inspect holds of one of our tasks, and why some cannot be read.

A log is taken whole or not at all: every sample of every epoch answered by one model, as our task asked
it. Inspect's own scores in it are not read: they are computed again from the answers.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from otherminds import extras, files
from otherminds.errors import OtherMindsError
from otherminds.running.signing import JUDGE_ROLE
from otherminds.samples import packed
from otherminds.samples.read import rules_of

ENDING = ".eval"
PACKAGE = "otherminds/"
OWN = "otherminds"
"""The key of what we need of a sample, beside its document's fields."""

ASKED = "otherminds:asked"
"""The key of a sample's store under which the answers to earlier stages lie that it asked for."""

_REPAIR = (
    "`inspect eval-retry {}` finishes it: then give the log that it writes. Of a staged task, run all "
    "again."
)


class Answer(NamedTuple):
    """One answer of a model.

    task         which of the run's tasks asked
    doc_hash     lm-eval's hash of the document
    prompt_hash  of the messages that it was asked with (`hash_of`)
    """

    task: str
    doc_hash: str
    prompt_hash: str
    reply: str
    stop_reason: str | None
    model: str


_ANSWERS = TypeAdapter(list[Answer])


@dataclass(frozen=True)
class Log:
    """The answers in a log, and how they came about.

    task       our task
    model      Inspect's name of the model, and its arguments
    judge      that of the role `judge`; None without one
    metadata   the settings of the task, as `--metadata` has them
    decoding   settings of the generation that are not the task's own
    places     of the documents that were answered, in the task
    answers    by epoch, from 1
    facts      for readers of the results: Inspect's version, the run's id and time
    """

    path: Path
    task: str
    model: tuple[str, Mapping[str, Any]]
    judge: tuple[str, Mapping[str, Any]] | None
    metadata: Mapping[str, Any]
    decoding: Mapping[str, Any]
    places: Sequence[int]
    answers: Mapping[int, Sequence[Answer]]
    facts: Mapping[str, Any]


def hash_of(chat: Sequence[Mapping[str, str]]) -> str:
    """What tells a prompt from another one: of its messages, by role and text."""
    plain = [[one["role"], one["content"]] for one in chat]
    return hashlib.sha256(
        json.dumps(plain, ensure_ascii=False).encode(errors="replace")
    ).hexdigest()


def read(path: Path) -> Log:
    """Read a log; raises OtherMindsError, in one line, for one that cannot be taken as a run."""
    found = _read(path)
    spec = found.eval
    task = _task(path, spec)
    _check_ended(path, found)
    answers: dict[int, list[Answer]] = defaultdict(list)
    places: dict[int, list[int]] = defaultdict(list)
    for sample in found.samples or []:
        _check_sample(path, sample)
        places[sample.epoch].append(int(sample.metadata[OWN]["place"]))
        answers[sample.epoch].append(_answer(task, sample))
        answers[sample.epoch] += _asked(path, sample)
    for listed in answers.values():
        _check_once(path, listed)
    _check_epochs(path, places)
    roles = spec.model_roles or {}
    _check_models(path, spec.model, roles, answers)
    judge = roles.get(JUDGE_ROLE)
    return Log(
        path=path,
        task=task,
        model=(spec.model, dict(spec.model_args)),
        judge=None if judge is None else (judge.model, dict(judge.args)),
        metadata=dict(spec.task_args_passed),
        decoding=_decoding(path, found),
        places=sorted(places[1]),
        answers=dict(answers),
        facts={
            "version": spec.packages.get("inspect_ai", ""),
            "eval_id": spec.eval_id,
            "created": str(spec.created),
        },
    )


def _read(path: Path) -> Any:
    """The log as Inspect reads it, without what happened while it was made."""
    if not extras.is_installed("inspect_ai"):
        raise OtherMindsError(
            f"{path} is a log of Inspect, which is read with its package: "
            f"{extras.command_for('inspect_ai')}."
        )
    # First, as it teaches Python's module for such files how logs are packed.
    from inspect_ai.log import read_eval_log

    _check_packed(path)
    try:
        return read_eval_log(
            str(path), resolve_attachments="core", exclude_fields={"events", "timelines"}
        )
    except Exception as error:  # whatever a damaged file makes it raise
        said = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise _damaged(path, said) from error


def _check_packed(path: Path) -> None:
    """Refuse a file that unpacks to more than any log would, or whose JSON is nested too deeply: Inspect
    takes a gigabyte to read a few kilobytes of that."""
    most = max(packed.MOST_BYTES, packed.MOST_TIMES * path.stat().st_size)
    try:
        with zipfile.ZipFile(path) as file:
            unpacked = sum(one.file_size for one in file.infolist())
            is_deep = unpacked <= most and any(_is_deep(file, one) for one in file.namelist())
    # A damaged head may ask for a later version of the format or a password: both are RuntimeErrors.
    except (OSError, zipfile.BadZipFile, RuntimeError) as error:
        raise _damaged(path, str(error)) from error
    if is_deep:
        raise _damaged(path, files.not_json(RecursionError()))
    if unpacked > most:
        raise OtherMindsError(
            f"{path} unpacks to {unpacked / 2**30:.0f} GiB, which no log of our tasks does."
        )


def _is_deep(file: zipfile.ZipFile, name: str) -> bool:
    try:
        json.loads(file.read(name))
    except RecursionError:
        return True
    except Exception:
        # Whatever damage makes it raise: Inspect, which reads it next, says what is wrong.
        return False
    return False


def _damaged(path: Path, said: str) -> OtherMindsError:
    return OtherMindsError(
        f"Cannot read {path}: it is no whole log of Inspect ({said}). Copy it again; or, if its run was "
        f"killed, `inspect log recover {path}` saves what it holds."
    )


def _task(path: Path, spec: Any) -> str:
    """Our task that a log is of, in the version that is installed."""
    name = str(spec.task_registry_name or spec.task)
    rules = rules_of(name.removeprefix(PACKAGE)) if name.startswith(PACKAGE) else None
    if rules is None:
        raise OtherMindsError(
            f"{path} is a log of '{name}', which is not a task of OtherMinds "
            f"(`inspect eval {PACKAGE}TASK …`)."
        )
    task = name.removeprefix(PACKAGE)
    if str(spec.task_version) != rules.version:
        raise OtherMindsError(
            f"{path} is of version {spec.task_version} of '{task}', and this installation asks version "
            f"{rules.version}: its answers are to other prompts or are read otherwise. Read it with "
            f"otherminds {spec.packages.get('otherminds', 'of that time')}, or run the task again."
        )
    if spec.solver is not None:
        raise OtherMindsError(
            f"{path}: its answers were given through another solver ({spec.solver}), so its prompts "
            "are not the task's. Run it without --solver."
        )
    return task


def _check_ended(path: Path, found: Any) -> None:
    """Refuse a log of a run that did not end well."""
    done, total = len(found.samples or []), _planned(found)
    of = f"with {done:,} of its {total:,} answers" if total else f"with {done:,} answers"
    retry = _REPAIR.format(path)
    if found.status == "started":
        raise OtherMindsError(f"{path} is of a run that goes on, or was killed, {of}. {retry}")
    if found.status == "cancelled":
        raise OtherMindsError(f"{path} is of a run that was cancelled, {of}. {retry}")
    if found.status != "success":
        said = (found.error.message if found.error else "").strip().partition("\n")[0]
        raise OtherMindsError(f"{path} is of a run that failed, {of} ({said}). {retry}")
    if found.invalidated:
        raise OtherMindsError(f"{path} has samples that were invalidated after the run. {retry}")
    if not done:
        raise OtherMindsError(
            f"{path} has no samples: it was made with --no-log-samples. Run it again without."
        )
    if done < total:
        raise OtherMindsError(f"{path} is not whole: it ended {of}. {retry}")


def _planned(found: Any) -> int:
    """How many answers a run was to have; 0 where the log does not say."""
    results = found.results
    return int(results.total_samples) if results is not None else 0


def _check_sample(path: Path, sample: Any) -> None:
    """Refuse a sample without an answer to our prompt."""
    where = f"{path}, sample '{sample.id}'"
    if sample.error is not None:
        said = str(sample.error.message).strip().partition("\n")[0]
        raise OtherMindsError(
            f"{where} failed ({said}), so that the log is no whole run. {_REPAIR.format(path)}"
        )
    if sample.limit is not None:
        raise OtherMindsError(
            f"{where} was ended by Inspect's limit on its {sample.limit.type}, so that its answer may "
            "be cut. Run it again without that limit."
        )
    own = (sample.metadata or {}).get(OWN)
    if not isinstance(own, dict) or not (
        isinstance(own.get("place"), int) and isinstance(own.get("doc_hash"), str)
    ):
        raise OtherMindsError(
            f"{where} does not say which document it is of: its metadata were changed."
        )


def _answer(task: str, sample: Any) -> Answer:
    asked = [
        {"role": one.role, "content": one.text}
        for one in sample.messages
        if one.role in ("system", "user")
    ]
    return Answer(
        task=task,
        doc_hash=str(sample.metadata[OWN]["doc_hash"]),
        prompt_hash=hash_of(asked),
        reply=sample.output.completion,
        stop_reason=str(sample.output.stop_reason) if sample.output.choices else None,
        model=sample.output.model,
    )


def _asked(path: Path, sample: Any) -> list[Answer]:
    """The answers to earlier stages that a sample has asked for."""
    try:
        return _ANSWERS.validate_python((sample.store or {}).get(ASKED) or [])
    except ValidationError as error:
        raise OtherMindsError(
            f"{path}, sample '{sample.id}': what it holds of earlier stages was changed. Copy it again."
        ) from error


def _check_epochs(path: Path, places: Mapping[int, Sequence[int]]) -> None:
    """Refuse a log in which some documents were answered more often than others."""
    wanted = list(range(1, len(places) + 1))
    sets = {frozenset(one) for one in places.values()}
    is_even = sorted(places) == wanted and len(sets) == 1
    if not is_even or any(len(set(one)) < len(one) for one in places.values()):
        counts = ", ".join(f"{len(places[one]):,} in epoch {one}" for one in sorted(places))
        raise OtherMindsError(
            f"{path}: not every document was answered once in each epoch ({counts}), and a mean over "
            f"runs needs that. {_REPAIR.format(path)}"
        )


def _check_once(path: Path, answers: Sequence[Answer]) -> None:
    """Refuse a chain of which a stage was asked again, when some samples had been made from it."""
    seen: set[tuple[str, str]] = set()
    for one in answers:
        if (one.task, one.doc_hash) in seen:
            raise OtherMindsError(
                f"{path}: a document of '{one.task}' was answered twice, as where a staged run was "
                "retried, so that not all samples were made from the same answers. Run the task again."
            )
        seen.add((one.task, one.doc_hash))


def _decoding(path: Path, found: Any) -> dict[str, Any]:
    """The settings of the generation."""
    of_model = found.eval.model_generate_config.model_dump(exclude_none=True)
    settings: dict[str, Any] = of_model | found.plan.config.model_dump(exclude_none=True)
    # It stands before every prompt, and in no sample.
    if settings.get("system_message"):
        raise OtherMindsError(
            f"{path}: a system message was added to the task's prompts. Run it without "
            "--system-message."
        )
    return settings


def _check_models(
    path: Path,
    model: str,
    roles: Mapping[str, Any],
    answers: Mapping[int, Sequence[Answer]],
) -> None:
    """Refuse a log in which several models answered one task."""
    for role, bound in roles.items():
        if isinstance(bound, list):
            raise OtherMindsError(
                f"{path}: {len(bound)} models share the role '{role}'. Run it with one, so that scores "
                "are those of one model."
            )
    by_task: dict[str, set[str]] = defaultdict(set)
    for one in (one for listed in answers.values() for one in listed):
        by_task[one.task].add(one.model)
    for task, names in by_task.items():
        if len(names) > 1:
            raise OtherMindsError(
                f"{path} has answers of several models to '{task}' ({', '.join(sorted(names))}), and "
                f"calls them {model}. Run the task with each in a log of its own."
            )
