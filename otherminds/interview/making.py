"""From the sessions and questionnaires of a study to a folder of items, with a record of how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import orjson

import otherminds
from otherminds import files
from otherminds.errors import UsageError
from otherminds.interview import deletion, filtering, quality, records
from otherminds.interview.calls import Caller, CallsInMemory, ModelSettings, StoredCalls
from otherminds.interview.filtering import Filter
from otherminds.interview.items import Items, asked_beliefs, joined, of_session, read_beliefs
from otherminds.interview.participation import Participants
from otherminds.interview.quality import KEPT, Answers, Measured
from otherminds.interview.readers import caller_of, model_settings
from otherminds.interview.store import Record, Store, Summary
from otherminds.interview.studies import interviews_of
from otherminds.interview.survey import read_survey

STUDY: Final = "study.json"
SAMPLES: Final = "filter_samples.jsonl"
_OVER: Final = frozenset({"review", "submitted"})
_MADE_BY: Final = "otherminds.interview"


@dataclass(frozen=True)
class Wanted:
    """What items are made of, and how; see `otherminds interview items --help`."""

    data: str
    out: Path
    benchmark: str | None = None
    survey: Path | None = None
    everybody: bool = False
    how: Filter = "none"
    models: tuple[str, ...] = ()


@dataclass(frozen=True)
class Made:
    """What came of it, for the terminal; `failed` where items would make scores wrong."""

    lines: tuple[str, ...]
    failed: bool


def make(wanted: Wanted) -> Made:
    """Write the items of a study into a folder."""
    if (wanted.how == "none") != (not wanted.models):
        raise UsageError("--filter needs --filter-model, and --filter-model needs --filter.")
    files.refuse_foreign(wanted.out, STUDY, _mark(), command="otherminds interview items")
    form = interviews_of(wanted.benchmark)
    with Store(wanted.data) as store:
        if wanted.survey is not None:
            store.add_survey(*read_survey(wanted.survey))
        found = [one for one in store.summaries() if one.status == "submitted"]
        measured, _ = quality.check(answers(store, found))
        used = [one for one in measured if wanted.everybody or one.verdict == KEPT]
        counts: Counter[str] = Counter()
        items = _items(store, used, counts)
        kept, samples = filtering.filtered(items, _callers(wanted.models), wanted.how)
        # Before anything is written: a deletion looks where exports were begun.
        store.add_export(wanted.out)
        gone = set(deletion.tombstones(store))
        files.write_json(wanted.out / STUDY, _record(wanted, measured, used, items, kept, counts))
        written = form.write(kept, wanted.out)
        if samples:
            with files.atomic_file(wanted.out / SAMPLES) as partial:
                text = "".join(f"{filtering.as_line(one)}\n" for one in samples)
                partial.write_text(text, encoding="utf-8")
        for person in set(deletion.tombstones(store)) - gone:
            deletion.from_exports([wanted.out], person)
    lines = [
        f"{len(used)} of {len(found)} handed-in interviews are used"
        f"{'' if wanted.everybody else ' (`otherminds interview check` tells why others are not)'}.",
        f"{len(kept.beliefs)} beliefs and {len(kept.survey)} answers to the questionnaire"
        f"{_of(items, kept)}, in {wanted.out}.",
        *written.audits,
    ]
    if items.without_survey:
        lines.append(
            f"{len(items.without_survey)} interviews have no answers to the questionnaire on their "
            "topic: give them with --survey."
        )
    topics = {one.topic for one in kept.beliefs} | {one.topic for one in kept.survey}
    if topics & {*form.topics}:
        lines.append(f"To run them: {form.command.format(folder=wanted.out)}")
    else:
        lines.append("The tasks can run on none of it.")
    return Made(tuple(lines), written.failed)


def answers(store: Store, sessions: Sequence[Summary]) -> Iterator[Answers]:
    """What quality control reads of sessions."""
    left_out = Participants(store).left_out()
    for record in store.records([one.id for one in sessions]):
        yield replace(answers_of(record), left_out=left_out.get(record.summary.participant_id))


def answers_of(record: Record) -> Answers:
    """What quality control reads of a record, without the person."""
    said = [orjson.loads(content) for content in record.qas.values()]
    answered = [qa for qa in said if qa["answer"] is not None and qa["kind"] != "tutorial"]
    one = record.summary
    return Answers(
        session_id=one.id,
        participant_id=one.participant_id,
        topic=one.topic,
        answers=[qa["answer"] for qa in answered],
        challenges=[_is_challenge(qa) for qa in answered],
        nodes=one.nodes,
        is_over=one.status in _OVER,
    )


def _is_challenge(qa: dict[str, Any]) -> bool:
    return bool(qa["extraction"] and qa["extraction"]["quality"]["meta_question"])


def _items(store: Store, used: Sequence[Measured], counts: Counter[str]) -> Items:
    survey, people = store.survey(), store.demographics()
    of_person: dict[str, list[Any]] = {}
    for answer in survey:
        of_person.setdefault(answer.participant_id, []).append(answer)
    found = []
    for one in used:
        record = store.load(one.session_id)
        session = records.session_of(record, store.config(record.summary.config_hash))
        settings = model_settings(session.config.parameters)
        if settings is None:
            beliefs = read_beliefs(session)
        else:
            caller = caller_of(settings, StoredCalls(store, session.session_id))
            beliefs = asked_beliefs(session, caller)
            counts.update(caller.counts)
        person = session.participant_id
        found.append(
            of_session(session, beliefs, of_person.get(person, []), people.get(person, {}))
        )
    return joined(found)


def _callers(models: Sequence[str]) -> list[Caller]:
    found = []
    for text in models:
        name, _, address = text.partition("@")
        settings = ModelSettings(name, base_url=address or None, max_tokens=512)
        found.append(caller_of(settings, CallsInMemory()))
    return found


def _mark() -> str:
    return f'"made_by": "{_MADE_BY}"'


def _record(
    wanted: Wanted,
    measured: Sequence[Measured],
    used: Sequence[Measured],
    items: Items,
    kept: Items,
    counts: Counter[str],
) -> dict[str, Any]:
    """How the items were made, without anything that a person said, or who they are."""
    levels = Counter(str(one.belief.dependency_level) for one in kept.beliefs)
    return {
        "made_by": _MADE_BY,
        "version": otherminds.__version__,
        "thresholds": asdict(quality.Thresholds()),
        "kept_by_quality_control_only": not wanted.everybody,
        "funnel": dict(quality.funnel(measured)),
        "interviews": len(used),
        "filter": wanted.how,
        "filter_models": [one.partition("@")[0] for one in wanted.models],
        "items_before_filter": {"bsi": len(items.beliefs), "bdu": len(items.survey)},
        "items": {"bsi": len(kept.beliefs), "bdu": len(kept.survey)},
        "dependency_levels": dict(sorted(levels.items())),
        "exchanges_masked": sum(len(one.masked) for one in kept.beliefs),
        "interviews_without_questionnaire": len(items.without_survey),
        "requests": dict(sorted(counts.items())),
    }


def _of(items: Items, kept: Items) -> str:
    before = len(items.beliefs) + len(items.survey)
    after = len(kept.beliefs) + len(kept.survey)
    return "" if before == after else f" of {before} before the filter"
