"""Checks of built tables. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.parts import built as built_in
from otherminds.dataset_builders.socialmindchange import checks, shortcuts
from otherminds.dataset_builders.socialmindchange.cells import LETTERS, TYPES
from otherminds.dataset_builders.socialmindchange.checks import (
    SHORTCUT_STAGES,
    Built,
    Row,
    rows,
    without,
)
from otherminds.dataset_builders.socialmindchange.codes.content import state_words
from otherminds.dataset_builders.socialmindchange.codes.text import shares
from otherminds.dataset_builders.socialmindchange.evaluator import EvaluationError, Evaluator
from otherminds.dataset_builders.socialmindchange.spec import SocialMindSpec
from otherminds.dataset_builders.socialmindchange.world.frame import Frame
from otherminds.dataset_builders.verdict import Audit, verdict

_Task: TypeAlias = tuple[bytes, Mapping[str, str | None]]
"""Questions in Arrow's format, as a process gets no more than these of a table, and frames by stage."""

_AT_ONCE: Final = 20
"""Questions are answered again in tasks of so many stages."""

_LONG: Final = 6
_COMMONEST: Final = 0.005
_SENTENCE: Final = re.compile(r"(?<=[.?!])[\"”]?\s+")
_TOPICS: Final = re.compile(r"matter\.\d+\.topic")


def audit(tables: Mapping[str, pa.Table], spec: SocialMindSpec) -> list[Audit]:
    """All audits of a build, passed and failed, in this process."""
    return audit_by(tables, spec, num_proc=1)


def audit_by(tables: Mapping[str, pa.Table], spec: SocialMindSpec, *, num_proc: int) -> list[Audit]:
    """All audits of a build, passed and failed; questions are answered again in so many processes.

    Bounds on shares leave room for chance at the number of cases at hand. What takes long (the
    classifier) is measured on the first stages.
    """
    built = Built.of_tables(tables, spec, ["stage_id", "options", "answer"])
    proofs = _proofs(built, num_proc)
    return [*proofs, *(result for check in _CHECKS for result in check(built))]


def _proofs(built: Built, num_proc: int) -> Iterator[Audit]:
    """The evaluator, which shares nothing with the simulator, answers every question again."""
    with built_in(_faults, _stage_by_stage(built), num_proc) as found:
        faults = list(chain.from_iterable(found))
    yield without(
        "proven",
        faults,
        "items of which the evaluator does not find just one option right, the answer, among options "
        "that all read differently",
    )


def _stage_by_stage(built: Built) -> Iterator[_Task]:
    """The questions of some stages, and the frames of these."""
    for suffix, table in built.of("questions"):
        stages = built.tables.get(f"stages{suffix}")
        frames = {} if stages is None else _column(stages, "frame")
        chosen = table.select(["item_id", "stage_id", "answer", "asked", "claims", "options"])
        begun = [0, *_changes(chosen["stage_id"])]
        for first, last in pairwise([*begun[::_AT_ONCE], chosen.num_rows]):
            some = chosen.slice(first, last - first)
            names = set(some["stage_id"].to_pylist())
            yield _sent(some), {name: frames.get(name) for name in names}


def _sent(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def _changes(column: pa.ChunkedArray) -> list[int]:
    """The places of values that differ from the one before."""
    values = column.to_pylist()
    return [place for place, pair in enumerate(pairwise(values), start=1) if pair[0] != pair[1]]


def _faults(task: _Task) -> list[str]:
    sent, frames = task
    table = pa.ipc.open_stream(sent).read_all()
    by_stage = groupby(rows(table), key=lambda row: row["stage_id"])
    return [one for stage, own in by_stage for one in _unproven(frames[stage], list(own))]


def _unproven(frame: str | None, rows: Sequence[Row]) -> Iterator[str]:
    """The ids of the questions of a stage that the evaluator answers otherwise, or cannot answer."""
    try:
        evaluator = Evaluator(json.loads(frame or ""))
    except (ValueError, EvaluationError):
        yield from (row["item_id"] for row in rows)
        return
    for row in rows:
        try:
            claims = [json.loads(one) for one in row["claims"]]
            right = evaluator.right(json.loads(row["asked"]), claims)
        except (ValueError, EvaluationError):
            right = []
        wanted = [letter == row["answer"] for letter in LETTERS[: len(row["options"])]]
        if right != wanted or sum(right) != 1 or len(set(row["options"])) != len(right):
            yield row["item_id"]


def _reasons(built: Built) -> Iterator[Audit]:
    """The simulator's reasons are stored with the options: the answer alone has none."""
    faults = []
    counts: Counter[str] = Counter()
    by_type: defaultdict[str, set[str]] = defaultdict(set)
    for _, table in built.of("questions"):
        for row in rows(table.select(["item_id", "type", "answer", "reasons"])):
            right = [LETTERS[at] for at, codes in enumerate(row["reasons"]) if not codes]
            if right != [row["answer"]]:
                faults.append(row["item_id"])
            codes = [code for one in row["reasons"] for code in one]
            counts.update(codes)
            by_type[row["type"]].update(codes)
    yield without(
        "distractors_possible",
        faults,
        "items with a wrong option without a reason, or a right with one",
    )
    total = max(counts.total(), 1)
    found = " ".join(f"{code}:{count / total:.3f}" for code, count in counts.most_common())
    varied = all(len(by_type[kind]) > 1 for kind in TYPES)
    yield verdict("reasons", varied, found, "shares of the reasons against wrong options")


def _sentences(built: Built) -> Iterator[Audit]:
    """What is said alike, to the word in whole stages and but for names and things in scenes."""
    counts = Counter(one for row in built.stages for one in _long(shortcuts.stage_text(row)))
    stages = max(len(built.stages), 1)
    sentence, count = max(counts.items(), key=lambda one: (one[1], one[0]), default=("", 0))
    # The commonest of thousands of sentences: four standard deviations of a count, and two.
    slack = 4 * (_COMMONEST / stages) ** 0.5 + 2 / stages if stages < SHORTCUT_STAGES else 0.0
    yield verdict(
        "sentence_commonest",
        count / stages <= _COMMONEST + slack,
        round(count / stages, 5),
        f"share of {stages} stages with the same sentence of {_LONG} words or more, at most "
        f"{_COMMONEST} is wanted: '{sentence}'",
    )
    scenes, skeletons = shares(map(_masked, built.stages))
    sentence, count = max(skeletons.items(), key=lambda one: (one[1], one[0]), default=("", 0))
    yield verdict(
        "skeleton_commonest",
        True,
        round(count / max(scenes, 1), 5),
        f"share of {scenes} scenes with the same sentence but for names and things: '{sentence}'; "
        f"{len(skeletons)} different",
        kind="stated",
    )


def _long(text: str) -> set[str]:
    """The different sentences of a text that are long enough to be nobody's chance."""
    return {one.strip('" ') for one in _SENTENCE.split(text) if one.count(" ") >= _LONG - 1}


def _masked(row: Row) -> Row:
    """A row in which topics, which differ from stage to stage, count as things."""
    try:
        phrases = dict(json.loads(row["lexicon"]))
    except (ValueError, TypeError):
        return row
    topics = [phrase for key, phrase in phrases.items() if _TOPICS.fullmatch(key)]
    return {**row, "things": [*row["things"], *topics]}


def _acting(built: Built) -> Iterator[Audit]:
    """Who is there says or does something between the first turn, which names them, and the last."""
    faults = []
    for row in built.stages:
        names = [one["given"] for one in row["characters"]]
        try:
            frame = Frame.of_json(json.loads(row["frame"]))
        except ValueError:
            faults.append(f"{row['stage_id']}: no frame")
            continue
        for number, scene in enumerate(row["scenes"][: len(frame.scenes)]):
            turns = scene["turns"][1:-1]
            acting = {name for name in names if any(_acts(turn, name) for turn in turns)}
            if not {names[place] for place in frame.present_at_end(number)} <= acting:
                faults.append(f"{row['stage_id']}, scene {number + 1}")
    yield without(
        "everybody_acts",
        faults,
        "scenes in which somebody who is there neither says nor does anything",
    )


def _acts(turn: Row, name: str) -> bool:
    """Whether somebody speaks, or a sentence begins with them or with what they say; who is spoken to or
    of does not act."""
    if turn["speaker"]:
        return bool(turn["speaker"] == name)
    said = rf"\b{name} (?:says|asks)\b|\b(?:says|asks) {name}\b"
    begun = (one.lstrip('"“ ') for one in _SENTENCE.split(turn["text"]))
    return any(re.match(rf"{name}\b", one) for one in begun) or bool(re.search(said, turn["text"]))


def _orders(built: Built) -> Iterator[Audit]:
    counts = Counter(built.tables["questions"]["order"].to_pylist())
    total = max(counts.total(), 1)
    found = " ".join(f"{order}:{counts[order] / total:.3f}" for order in sorted(counts))
    yield verdict(
        "orders",
        len(counts) > 1,
        found,
        "shares of questions by the highest order of belief they are about",
        kind="stated",
    )


def _redraws(built: Built) -> Iterator[Audit]:
    found = pc.mean(built.tables["stages"]["redrawn"]).as_py() or 0.0
    yield verdict(
        "redraws",
        True,
        round(found, 2),
        "times that a stage was drawn anew until all its questions could be asked, on average",
        kind="stated",
    )


def _column(table: pa.Table, name: str) -> dict[str, Any]:
    """A column by stage."""
    return dict(zip(table["stage_id"].to_pylist(), table[name].to_pylist(), strict=True))


def _state_words(built: Built) -> Iterator[Audit]:
    return checks.states_unnamed(built, state_words())


_CHECKS: Final = (
    checks.counts,
    checks.cells,
    checks.ids,
    checks.duplicates,
    _reasons,
    checks.letters,
    checks.shortcut_bounds,
    _state_words,
    _sentences,
    _acting,
    _orders,
    _redraws,
)
