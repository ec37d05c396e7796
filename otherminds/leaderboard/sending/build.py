"""From the output of lm_eval or `otherminds run` to a submission, scored again on the way."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

import otherminds
from otherminds import harness, weightless
from otherminds.analysis import read_runs, score_run
from otherminds.analysis.runs import Run
from otherminds.analysis.words import some
from otherminds.errors import OtherMindsError
from otherminds.files import atomic_folder
from otherminds.leaderboard.judging import rescore
from otherminds.leaderboard.judging.expected import Expected, UnavailableError, expected
from otherminds.leaderboard.judging.held import Held
from otherminds.leaderboard.records import answers, intake
from otherminds.leaderboard.records.answers import Row
from otherminds.leaderboard.records.reasons import REASONS, RefusedError
from otherminds.leaderboard.records.record import (
    ANSWERS,
    RECORD,
    SCHEMA_VERSION,
    Declarations,
    Harness,
    Metric,
    Model,
    Submission,
    TaskRun,
)
from otherminds.leaderboard.sealing import record as seasons
from otherminds.samples.read import Sample
from otherminds.scoring.base import is_answered

_PLACEHOLDERS = frozenset(
    {
        *("name", "model", "model-name", "owner/name", "owner/model", "org/name", "org/model"),
        *("user/name", "user/model", "your-org/your-model", "organization/model"),
        *("commit", "revision", "sha", "sha256", "hash", "<commit>", "<revision>"),
    }
)
"""Words of instructions that stand for what a submitter has to fill in, in lower case."""

_DUMMY = "dummy"
"""lm-eval's own model without weights, which gives every prompt the same reply."""

_ANSWERED, _JUDGED = "answered", "judged"

_SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")


class Said(NamedTuple):
    """A model's replies to one document, and lm-eval's hash of the document; empty where not stated."""

    raw: Sequence[str]
    doc_hash: str


Replies = Mapping[tuple[Path, str], Said]
"""By sample file and item id."""


@dataclass(frozen=True)
class Stated:
    """Statements that the results files lack, or have wrong; None where theirs hold.

    reference  whether the run may be of a model without weights: a maintainer's trial of a board
    """

    name: str
    submitter: str
    date: date
    revision: str | None = None
    weights_sha256: str | None = None
    parameters: int | None = None
    dtype: str | None = None
    trained_on_data: bool = False
    notes: str = ""
    reference: bool = False


def build(
    results: Sequence[str | Path], stated: Stated, out: Path, *, season: Path | None = None
) -> Path:
    """Write the submission of one model's runs into a folder in `out`; returns that folder.

    results  sample files or folders of them, with the results files beside
    season   the folder of a season that was played: the submission is an entry of it
    Raises OtherMindsError for runs that would be refused, or of several models.
    """
    _check_stated(stated)
    said: dict[tuple[Path, str], Said] = {}

    def keep(path: Path, sample: Sample) -> None:
        if is_answered(sample.record):
            found = Said(sample.raw, sample.hashes.doc)
            said.setdefault((path, sample.record.view().item_id), found)

    held = None if season is None else Held(season, seasons.read(season))
    runs = read_runs(results, visit=keep, sealed=held is not None)
    _check_have_golds(list(runs))
    _check_one_model(list(runs))
    if not stated.reference:
        _check_has_weights(list(runs))
    made = [_task(run, said, held) for run in runs]
    try:
        submission = Submission(
            schema_version=SCHEMA_VERSION,
            model=_model(stated, runs.runs[0].facts.results),
            harness=_harness(runs.runs[0].facts.results),
            tasks=[run for run, _ in made],
            date=stated.date,
            submitter=stated.submitter,
            declarations=Declarations(trained_on_data=stated.trained_on_data, notes=stated.notes),
            season=None if held is None else held.season.id,
        )
    except ValidationError as error:
        raise OtherMindsError(f"This cannot be submitted: {_first(error)}") from error
    written = submission.model_dump_json(indent=1).encode() + b"\n"
    # Its name is made from its content: a folder of this name, as after a dry run, is the same.
    folder = out / intake.id_of(stated.name, written)
    intake.check_id(folder.name)
    with atomic_folder(folder) as partial:
        for run, rows in made:
            answers.write(partial / run.answers, rows)
        (partial / RECORD).write_bytes(written)
    return folder


def _task(run: Run, said: Replies, held: Held | None) -> tuple[TaskRun, list[Row]]:
    if run.facts.reads_gold:
        raise OtherMindsError(f"{run.name} reads the gold answers, and cannot be submitted.")
    _check_standard(run)
    _check_version(run)
    try:
        known = expected(run.task, run.facts.subset) if held is None else held.expected(run.task)
    except RefusedError as error:
        raise refused(error) from error
    except UnavailableError as error:
        raise OtherMindsError(
            f"{run.task} cannot be scored again here, and so not be submitted: {error}"
        ) from error
    _check_all_asked(run, known)
    rows = _rows(run, known, said)
    try:
        metrics = _scores(run, rows, known) if held is None else _sealed(run, rows, known, held)
    except RefusedError as error:
        raise refused(error) from error
    results = run.facts.results
    return (
        TaskRun(
            task=run.task,
            task_version=run.facts.task_version or run.rules.version,
            dataset=run.rules.dataset,
            data_version=known.version,
            content_hash=dict(known.content_hash),
            subset=run.facts.subset if held is None else None,
            prompt_sha256=known.prompts,
            chat_template_sha256=_chat_template(results),
            decoding=_decoding(run),
            seeds=_seeds(results),
            repeats=run.n_runs,
            n_items=len(known.documents),
            metrics=dict(metrics),
            answers=f"{ANSWERS}/{run.task}.parquet",
            answers_sha256=answers.digest(rows),
        ),
        rows,
    )


def _scores(run: Run, rows: Sequence[Row], known: Expected) -> Mapping[str, Metric]:
    found = score_run(run)
    if wrong := [check for check in found.checks if check.passed is False]:
        raise OtherMindsError(f"{run.task} cannot be submitted: {wrong[0].name}: {wrong[0].detail}")
    again = rescore.rescore(rows, run.n_runs, known).metrics
    # Samples and submission must give the same records: some tasks keep more than answers.
    rescore.compare(again, rescore.metrics(run.answered))
    return again


def _sealed(run: Run, rows: Sequence[Row], known: Expected, held: Held) -> Mapping[str, Metric]:
    """Nothing: the golds are not known. Documents and prompts must be the season's all the same."""
    rescore.read(rows, run.n_runs, known)
    for item, prompt in run.prompts.items():
        if not held.asks(run.task, item, prompt):
            raise RefusedError("prompt-hash", f"{item} was asked with another prompt.")
    return {}


def refused(error: RefusedError) -> OtherMindsError:
    """The refusal of a submission, as an error for its maker."""
    found = error.finding
    return OtherMindsError(
        f"This would be refused ({found.code}): {REASONS[found.code]} {found.detail}"
    )


def _check_have_golds(runs: Sequence[Run]) -> None:
    """Raise OtherMindsError for tasks whose single answers cannot be scored, which no board takes."""
    others = dict.fromkeys(run.task for run in runs if not is_answered(run.records[0]))
    if others:
        raise OtherMindsError(
            f"No board takes {some(list(others))}: single answers to such tasks have no gold answer, "
            "and cannot be scored again from a submission."
        )


def _check_one_model(runs: Sequence[Run]) -> None:
    models = list(dict.fromkeys(run.facts.model for run in runs))
    if len(models) > 1:
        raise OtherMindsError(
            f"These are runs of several models ({', '.join(models[:4])}); submit each on its own."
        )
    tasks = [run.task for run in runs]
    twice = sorted({task for task in tasks if tasks.count(task) > 1})
    if twice:
        raise OtherMindsError(
            f"There are several runs of {twice[0]} that were not run alike; give one of them."
        )


def _check_stated(stated: Stated) -> None:
    """Raise OtherMindsError for words that were copied from instructions."""
    for flag, value in (
        ("--model-name", stated.name),
        ("--revision", stated.revision),
        ("--weights-sha256", stated.weights_sha256),
    ):
        if value is not None and value.strip().casefold() in _PLACEHOLDERS:
            raise OtherMindsError(
                f"{flag} {value} is a placeholder: give your model's own, such as "
                "--model-name Qwen/Qwen3-8B --revision b968826d9c46."
            )


def _check_has_weights(runs: Sequence[Run]) -> None:
    """Raise OtherMindsError for answers of a model that reads no prompt, which rank nobody."""
    for run in runs:
        for part, model, is_said in _models(run):
            if is_said or model == _DUMMY or weightless.find(model) is not None:
                flag = "--judge-model" if part == _JUDGED else "--model"
                raise OtherMindsError(
                    f"{run.task} was {part} by '{model}', which has no weights and reads no prompt: a "
                    "board has such floors from its data already. Submit a run of language models "
                    f"(`otherminds run … {flag} hf`). A maintainer's trial of a board takes "
                    "--reference."
                )


def _models(run: Run) -> Iterator[tuple[str, str, bool]]:
    """The part, the name and the claim to be weightless of each model in a run.

    Names are those of `--model`. The last of them may be a judge; all others answer.
    """
    results, judge = run.facts.results, run.facts.judge
    earlier = (results.get("otherminds") or {}).get("stage_models") or {}
    for model in earlier.values():
        yield _ANSWERED, str(model["name"]), False
    if judge is not None and not earlier:
        # Plain lm-eval names the judged model by its folder alone.
        yield _ANSWERED, run.facts.model, False
    own = (results.get("config") or {}).get("model", run.facts.model)
    yield _ANSWERED if judge is None else _JUDGED, str(own), run.facts.weightless


def _check_version(run: Run) -> None:
    """Raise OtherMindsError for the run of another version of the task than this one."""
    theirs, ours = run.facts.task_version, run.rules.version
    if theirs not in (None, ours):
        raise OtherMindsError(
            f"{run.task} was run in version {theirs}, and the board takes version {ours}: run it again."
        )


def _check_all_asked(run: Run, known: Expected) -> None:
    """Raise OtherMindsError unless every document was answered."""
    answered = {record.view().item_id for record in run.answered}
    missing = len(known.documents.keys() - answered)
    if missing:
        limit = (run.facts.results.get("config") or {}).get("limit")
        why = f" (--limit {limit:g})" if isinstance(limit, int | float) else ""
        raise OtherMindsError(
            f"{run.task}: {len(known.documents) - missing:,} of {len(known.documents):,} documents were "
            f"answered{why}, and a board takes runs of all of them. Run it without --limit."
        )


def _check_standard(run: Run) -> None:
    """Whether a run asked all of the task's documents unchanged, by its results file."""
    facts, results = run.facts, run.facts.results
    if not results:
        raise OtherMindsError(
            f"Nothing says how {run.files[0]} was run: its results file must lie beside it."
        )
    changed = {
        "parameters of the evidence": facts.shown,
        "a system instruction": results.get("system_instruction"),
        "few-shot examples": (results.get("n-shot") or {}).get(run.task),
    }
    for what, value in changed.items():
        if value:
            raise OtherMindsError(f"{run.task} was run with {what}, which the board does not take.")
    if facts.n_truncated:
        raise OtherMindsError(
            f"{facts.n_truncated:,} prompts of {run.task} were cut to the model's window: its answers "
            "are not to what the task asks."
        )


def _rows(run: Run, known: Expected, said: Replies) -> list[Row]:
    rows = []
    for record in run.answered:
        view = record.view()
        document = known.documents.get(view.item_id)
        if document is None:
            raise refused(RefusedError("item-unknown", view.item_id))
        replies = [text for path in run.files for text in said[path, view.item_id].raw]
        for place, (answer, right) in enumerate(zip(view.answers, view.correct, strict=True)):
            row = Row(
                item_id=view.item_id,
                # As the samples state it; they need not.
                doc_hash=said[run.files[0], view.item_id].doc_hash or document.doc_hash,
                run=place,
                parsed=None if answer is None else str(answer),
                raw=None if known.takes_options else replies[place],
                log_likelihoods=[float(text) for text in replies] if known.takes_options else None,
                correct=right,
            )
            if known.in_season:
                row = row._replace(correct=None)
            rows.append(row if known.is_open else _closed(row))
    return rows


def _closed(row: Row) -> Row:
    """A row without the columns that may not be shown, or that reveal a gold."""
    return row._replace(doc_hash=None, raw=None, correct=None)


def _model(stated: Stated, results: Mapping[str, Any]) -> Model:
    config = results.get("config") or {}
    dtype = stated.dtype or config.get("model_dtype")
    parameters = stated.parameters or config.get("model_num_parameters")
    revision = stated.revision or config.get("model_sha")
    if not revision and not stated.weights_sha256:
        raise OtherMindsError(
            "Nothing says which revision of the model it was: give --revision (a commit, or a date of "
            "an API's model), or --weights-sha256."
        )
    return Model(
        name=stated.name,
        revision=str(revision) if revision else None,
        weights_sha256=stated.weights_sha256,
        parameters=parameters if isinstance(parameters, int) and parameters > 0 else None,
        dtype=str(dtype).removeprefix("torch.") if dtype else None,
    )


def _harness(results: Mapping[str, Any]) -> Harness:
    ours = (results.get("otherminds") or {}).get("version")
    return Harness(
        lm_eval=str(results.get("lm_eval_version") or harness.version()),
        otherminds=str(ours or otherminds.__version__),
    )


def _chat_template(results: Mapping[str, Any]) -> str | None:
    template = results.get("chat_template")
    return hashlib.sha256(template.encode()).hexdigest() if isinstance(template, str) else None


def _decoding(run: Run) -> dict[str, str]:
    settings = json.loads(run.facts.decoding) if run.facts.decoding else {}
    # Stop texts such as a closing tag are not HTML; as JSON they can be written without its characters.
    return {
        name: re.sub("[<>&]", lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value))
        for name, value in settings.items()
    }


def _seeds(results: Mapping[str, Any]) -> dict[str, int]:
    config = results.get("config") or {}
    return {name: config[name] for name in _SEEDS if isinstance(config.get(name), int)}


def _first(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}."
