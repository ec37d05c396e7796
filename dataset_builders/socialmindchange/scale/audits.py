"""Checks of built tables. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.socialmindchange.asking.agenda import PER_CELL, PER_STAGE
from otherminds.dataset_builders.socialmindchange.asking.question import STATES, TYPES
from otherminds.dataset_builders.socialmindchange.codes import shortcuts
from otherminds.dataset_builders.socialmindchange.codes.content import state_words
from otherminds.dataset_builders.socialmindchange.codes.grid import LETTERS
from otherminds.dataset_builders.socialmindchange.codes.text import shares
from otherminds.dataset_builders.socialmindchange.evaluator import EvaluationError, Evaluator
from otherminds.dataset_builders.socialmindchange.spec import BASE, SocialMindSpec
from otherminds.dataset_builders.socialmindchange.world.frame import Frame
from otherminds.dataset_builders.verdict import Audit, none, verdict

_WITHIN: Final = 0.03
_LONG: Final = 6
_COMMONEST: Final = 0.005
_LEAST_P: Final = 0.001
_SHORTCUT_STAGES: Final = 240
_BATCH: Final = 4096
_SENTENCE: Final = re.compile(r"(?<=[.?!])[\"”]?\s+")
_TOPICS: Final = re.compile(r"matter\.\d+\.topic")

_none: Final = partial(none, mark="")

_Row = Mapping[str, Any]


@dataclass(frozen=True)
class _Built:
    """The rows of stages, what is seen of the questions of the first, and the tables themselves."""

    stages: Sequence[_Row]
    sample: Sequence[_Row]
    tables: Mapping[str, pa.Table]
    spec: SocialMindSpec

    def of(self, config: str) -> list[tuple[str, pa.Table]]:
        """The tables of a configuration, of the base and of the variants, each with its suffix."""
        return [
            (name.removeprefix(config), table)
            for name, table in self.tables.items()
            if name.startswith(config)
        ]


def audit(tables: Mapping[str, pa.Table], spec: SocialMindSpec) -> list[Audit]:
    """All audits of a build, passed and failed.

    Bounds on shares leave room for chance at the number of cases at hand. What takes long (the
    classifier) is measured on the first stages.
    """
    seen = tables["questions"].select(["stage_id", "options", "answer"])
    built = _Built(
        tables["stages"].to_pylist(),
        seen.slice(0, _SHORTCUT_STAGES * PER_STAGE).to_pylist(),
        tables,
        spec,
    )
    return [result for check in _CHECKS for result in check(built)]


def _counts(built: _Built) -> Iterator[Audit]:
    families = built.spec.families()
    wanted = {"": families.pop(BASE).stages, "_variants": sum(v.stages for v in families.values())}
    for suffix, stages in wanted.items():
        if f"stages{suffix}" not in built.tables:
            continue
        for name, count in (("stages", stages), ("questions", stages * PER_STAGE)):
            found = built.tables[name + suffix].num_rows
            yield verdict(f"counts_{name}{suffix}", found == count, found, f"rows, of {count}")
    found = pc.sum(built.tables["stages"]["in_lite"]).as_py() or 0
    yield verdict("counts_lite", found == built.spec.lite, found, f"stages, of {built.spec.lite}")


def _cells(built: _Built) -> Iterator[Audit]:
    faults = []
    for suffix, table in built.of("questions"):
        columns = (table[name].to_pylist() for name in ("stage_id", "type", "mental_state"))
        cells: Counter[tuple[str, str, str]] = Counter(zip(*columns, strict=True))
        faults += [str(cell) for cell, count in cells.items() if count != PER_CELL]
        stages = len({stage for stage, _, _ in cells})
        if len(cells) != stages * len(TYPES) * len(STATES):
            faults.append(f"questions{suffix}: {len(cells)} cells of {stages} stages")
    yield _none("cells", faults, f"types and mental states without {PER_CELL} questions in a stage")


def _ids(built: _Built) -> Iterator[Audit]:
    faults = []
    known: set[str] = set()
    for _, table in built.of("questions"):
        ids = table["item_id"].to_pylist()
        faults += [one for one, count in Counter(ids).items() if count > 1 or one in known]
        known |= set(ids)
        needed = pc.list_flatten(table["prerequisites"]).to_pylist()
        faults += sorted(set(needed) - known)
    yield _none("ids", faults, "item ids that are repeated, or needed and absent")


def _duplicates(built: _Built) -> Iterator[Audit]:
    seen = Counter(shortcuts.stage_text(row) for row in built.stages)
    repeated = [text[:60] for text, count in seen.items() if count > 1]
    for suffix, table in built.of("questions"):
        counts = Counter(
            hash((row["stage_id"], row["question"], *sorted(row["options"])))
            for row in _rows(table.select(["stage_id", "question", "options"]))
        )
        repeated += [f"questions{suffix}" for count in counts.values() if count > 1]
    yield _none(
        "duplicates", repeated, "stages of the same text, and questions with the same options"
    )


def _proofs(built: _Built) -> Iterator[Audit]:
    """The evaluator, which shares nothing with the simulator, answers every question again."""
    faults: list[str] = []
    for suffix, table in built.of("questions"):
        stages = built.tables.get(f"stages{suffix}")
        frames = {} if stages is None else _column(stages, "frame")
        chosen = table.select(["item_id", "stage_id", "answer", "asked", "claims", "options"])
        for stage, rows in groupby(_rows(chosen), key=lambda row: row["stage_id"]):
            faults += _unproven(frames.get(stage), list(rows))
    yield _none(
        "proven",
        faults,
        "items of which the evaluator does not find just one option right, the answer, among options "
        "that all read differently",
    )


def _unproven(frame: str | None, rows: Sequence[_Row]) -> Iterator[str]:
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


def _reasons(built: _Built) -> Iterator[Audit]:
    """The simulator's reasons are stored with the options: the answer alone has none."""
    faults = []
    counts: Counter[str] = Counter()
    by_type: defaultdict[str, set[str]] = defaultdict(set)
    for _, table in built.of("questions"):
        for row in _rows(table.select(["item_id", "type", "answer", "reasons"])):
            right = [LETTERS[at] for at, codes in enumerate(row["reasons"]) if not codes]
            if right != [row["answer"]]:
                faults.append(row["item_id"])
            codes = [code for one in row["reasons"] for code in one]
            counts.update(codes)
            by_type[row["type"]].update(codes)
    yield _none(
        "distractors_possible",
        faults,
        "items with a wrong option without a reason, or a right with one",
    )
    total = max(counts.total(), 1)
    found = " ".join(f"{code}:{count / total:.3f}" for code, count in counts.most_common())
    varied = all(len(by_type[kind]) > 1 for kind in TYPES)
    yield verdict("reasons", varied, found, "shares of the reasons against wrong options")


def _letters(built: _Built) -> Iterator[Audit]:
    # What only an audit needs is imported by it.
    from scipy.stats import chisquare

    table = built.tables["questions"]
    sizes = pc.list_value_length(table["options"]).to_pylist()
    answers = Counter(zip(sizes, table["answer"].to_pylist(), strict=True))
    tests = {}
    for size in sorted(set(sizes)):
        counts = [answers[size, letter] for letter in LETTERS[:size]]
        tests[size] = (float(chisquare(counts).pvalue), min(counts), max(counts))
    told = "; ".join(f"of {size} from {few} to {many}" for size, (_, few, many) in tests.items())
    p = min(test[0] for test in tests.values())
    yield verdict(
        "letters", p >= _LEAST_P, round(p, 4), f"chi-square p-value of even letters; counts {told}"
    )


def _shortcuts(built: _Built) -> Iterator[Audit]:
    texts = {row["stage_id"]: shortcuts.stage_text(row) for row in built.stages}
    scores = {
        "longest_option": shortcuts.by_length(built.sample),
        "shared_words": shortcuts.by_shared_words(built.sample, texts),
    }
    if built.spec.stages > 1:
        scores["bag_of_words"] = shortcuts.by_word_model(built.sample)
    gold, chance = shortcuts.golds(built.sample), shortcuts.chance(built.sample)
    slack = 3 * (chance * (1 - chance) / len(gold)) ** 0.5
    for name, score in scores.items():
        found = shortcuts.accuracy(score, gold)
        yield verdict(
            f"shortcut_{name}",
            abs(found - chance) <= _WITHIN + slack,
            round(found, 4),
            f"accuracy on {len(gold)} items, within {_WITHIN} of chance ({chance:.4f}) is wanted",
        )


def _state_words(built: _Built) -> Iterator[Audit]:
    named = re.compile(rf"\b({'|'.join(state_words())})\b", re.IGNORECASE)
    faults = [
        f"{row['stage_id']}: {found[0]}"
        for row in built.stages
        for scene in row["scenes"]
        for turn in scene["turns"]
        if (found := named.search(turn["text"]))
    ]
    yield _none("states_unnamed", faults, "lines of scenes that name a state")


def _sentences(built: _Built) -> Iterator[Audit]:
    """What is said alike, to the word in whole stages and but for names and things in scenes."""
    counts = Counter(one for row in built.stages for one in _long(shortcuts.stage_text(row)))
    stages = max(len(built.stages), 1)
    sentence, count = max(counts.items(), key=lambda one: (one[1], one[0]), default=("", 0))
    # The commonest of thousands of sentences: four standard deviations of a count, and two.
    slack = 4 * (_COMMONEST / stages) ** 0.5 + 2 / stages if stages < _SHORTCUT_STAGES else 0.0
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


def _masked(row: _Row) -> _Row:
    """A row in which topics, which differ from stage to stage, count as things."""
    try:
        phrases = dict(json.loads(row["lexicon"]))
    except (ValueError, TypeError):
        return row
    topics = [phrase for key, phrase in phrases.items() if _TOPICS.fullmatch(key)]
    return {**row, "things": [*row["things"], *topics]}


def _acting(built: _Built) -> Iterator[Audit]:
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
            told = [f"{turn['speaker']} {turn['text']}" for turn in scene["turns"][1:-1]]
            acting = {name for name in names for one in told if name in one}
            if not {names[place] for place in frame.present_at_end(number)} <= acting:
                faults.append(f"{row['stage_id']}, scene {number + 1}")
    yield _none(
        "everybody_acts",
        faults,
        "scenes in which somebody who is there neither says nor does anything",
    )


def _orders(built: _Built) -> Iterator[Audit]:
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


def _redraws(built: _Built) -> Iterator[Audit]:
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


def _rows(table: pa.Table) -> Iterator[dict[str, Any]]:
    for batch in table.to_batches(max_chunksize=_BATCH):
        yield from batch.to_pylist()


_CHECKS: Final = (
    _counts,
    _cells,
    _ids,
    _duplicates,
    _proofs,
    _reasons,
    _letters,
    _shortcuts,
    _state_words,
    _sentences,
    _acting,
    _orders,
    _redraws,
)
