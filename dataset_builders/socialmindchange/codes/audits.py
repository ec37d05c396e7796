"""Checks of built tables. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from otherminds.dataset_builders.socialmindchange.codes import shortcuts
from otherminds.dataset_builders.socialmindchange.codes.claims import STATES, TYPES
from otherminds.dataset_builders.socialmindchange.codes.content import load, state_words
from otherminds.dataset_builders.socialmindchange.codes.decoder import Decoder
from otherminds.dataset_builders.socialmindchange.codes.grid import LETTERS, OPTIONS
from otherminds.dataset_builders.socialmindchange.codes.items import PER_CELL, PER_STAGE
from otherminds.dataset_builders.socialmindchange.codes.moves import REASONS
from otherminds.dataset_builders.socialmindchange.codes.reader import Reader
from otherminds.dataset_builders.socialmindchange.codes.text import shares
from otherminds.dataset_builders.socialmindchange.spec import BASE, SocialMindSpec
from otherminds.dataset_builders.verdict import Audit, none, verdict

_CHANCE: Final = 1 / OPTIONS
_WITHIN: Final = 0.03
_COMMONEST: Final = 0.01
_LEAST_P: Final = 0.001
_READABLE: Final = 0.95
_SHORTCUT_STAGES: Final = 240
_READER_STAGES: Final = 100
_ENOUGH_STAGES: Final = 40
"""A value that holds for a whole stage is one of four: (3/4)^40 is one in a hundred thousand."""

_SEED: Final = 0

_none: Final = partial(none, mark="")

_Row = Mapping[str, Any]


@dataclass(frozen=True)
class _Built:
    """The rows of stages, and of the questions of the first of them; and the tables themselves."""

    stages: Sequence[_Row]
    sample: Sequence[_Row]
    tables: Mapping[str, pa.Table]
    spec: SocialMindSpec


def audit(tables: Mapping[str, pa.Table], spec: SocialMindSpec) -> list[Audit]:
    """All audits of a build, passed and failed.

    Bounds on shares leave room for chance at the number of cases at hand. What takes long (classifier,
    reader) is measured on the first stages.
    """
    questions = tables["questions"]
    built = _Built(
        tables["stages"].to_pylist(),
        questions.slice(0, _SHORTCUT_STAGES * PER_STAGE).to_pylist(),
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
    for name in _questions(built):
        table = built.tables[name]
        cells: Counter[tuple[str, str, str]] = Counter(
            zip(
                table["stage_id"].to_pylist(),
                table["type"].to_pylist(),
                table["mental_state"].to_pylist(),
                strict=True,
            )
        )
        faults += [str(cell) for cell, count in cells.items() if count != PER_CELL]
        stages = len(set(table["stage_id"].to_pylist()))
        if len(cells) != stages * len(TYPES) * len(STATES):
            faults.append(f"{name}: {len(cells)} cells of {stages} stages")
    yield _none("cells", faults, f"types and mental states without {PER_CELL} questions in a stage")


def _ids(built: _Built) -> Iterator[Audit]:
    faults = []
    known: set[str] = set()
    for name in _questions(built):
        table = built.tables[name]
        ids = table["item_id"].to_pylist()
        faults += [one for one, count in Counter(ids).items() if count > 1 or one in known]
        known |= set(ids)
        needed = pc.list_flatten(table["prerequisites"]).to_pylist()
        faults += sorted(set(needed) - known)
    yield _none("ids", faults, "item ids that are repeated, or needed and absent")


def _duplicates(built: _Built) -> Iterator[Audit]:
    seen = Counter(shortcuts.stage_text(row) for row in built.stages)
    repeated = [text[:60] for text, count in seen.items() if count > 1]
    for name in _questions(built):
        table = built.tables[name]
        keys = zip(
            table["stage_id"].to_pylist(),
            table["question"].to_pylist(),
            (tuple(sorted(options)) for options in table["options"].to_pylist()),
            strict=True,
        )
        counts = Counter(hash(key) for key in keys)
        repeated += [name for count in counts.values() if count > 1]
    yield _none(
        "duplicates", repeated, "stages of the same text, and questions with the same options"
    )


def _proofs(built: _Built) -> Iterator[Audit]:
    """The simulator's reasons are stored with the options: the answer alone has none."""
    faults = []
    reasons: Counter[str] = Counter()
    for name in _questions(built):
        table = built.tables[name].select(["item_id", "answer", "reasons", "options"])
        for batch in table.to_batches(max_chunksize=4096):
            for row in batch.to_pylist():
                right = [
                    letter
                    for letter, against in zip(LETTERS, row["reasons"], strict=True)
                    if not against
                ]
                if right != [row["answer"]] or len(set(row["options"])) != OPTIONS:
                    faults.append(row["item_id"])
                reasons.update(code for against in row["reasons"] for code in against)
    yield _none("proven", faults, "items without exactly one right option among sixteen different")
    unused = sorted(set(REASONS) - set(reasons))
    total = max(reasons.total(), 1)
    shares = " ".join(f"{code}:{reasons[code] / total:.3f}" for code in REASONS)
    yield verdict("reasons", not unused, shares, "shares of the reasons against wrong options")


def _letters(built: _Built) -> Iterator[Audit]:
    # As in `shortcuts`: what only an audit needs is imported by it.
    from scipy.stats import chisquare

    answers = Counter(built.tables["questions"]["answer"].to_pylist())
    counts = [answers[letter] for letter in LETTERS]
    p = float(chisquare(counts).pvalue)
    yield verdict(
        "letters",
        p >= _LEAST_P,
        round(p, 4),
        f"chi-square p-value of even letters; counts from {min(counts)} to {max(counts)}",
    )


def _shortcuts(built: _Built) -> Iterator[Audit]:
    texts = {row["stage_id"]: shortcuts.stage_text(row) for row in built.stages}
    scores = {
        "longest_option": shortcuts.by_length(built.sample),
        "shared_words": shortcuts.by_shared_words(built.sample, texts),
    }
    if built.spec.stages > 1:
        scores["bag_of_words"] = shortcuts.by_word_model(built.sample)
    gold = shortcuts.golds(built.sample)
    slack = 3 * (_CHANCE * (1 - _CHANCE) / len(gold)) ** 0.5
    for name, score in scores.items():
        found = shortcuts.accuracy(score, gold)
        yield verdict(
            f"shortcut_{name}",
            abs(found - _CHANCE) <= _WITHIN + slack,
            round(found, 4),
            f"accuracy on {len(gold)} items, within {_WITHIN} of chance ({_CHANCE}) is wanted",
        )


def _possible(built: _Built) -> Iterator[Audit]:
    """No wording marks a distractor: what wrong options say is right in other stages."""
    faults = shortcuts.only_wrong(built.sample, _ENOUGH_STAGES)
    yield _none(
        "distractors_possible",
        faults,
        f"words in wrong options of {_ENOUGH_STAGES} stages or more, and in no right one",
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
    scenes, counts = shares(built.stages)
    sentence, count = counts.most_common(1)[0]
    slack = 0.0
    if built.spec.stages < _SHORTCUT_STAGES:
        # The commonest of thousands of sentences: four standard deviations of a count, and two.
        slack = 4 * (_COMMONEST / scenes) ** 0.5 + 2 / scenes
    yield verdict(
        "sentence_commonest",
        count / scenes <= _COMMONEST + slack,
        round(count / scenes, 5),
        f"share of {scenes} scenes with the same sentence but for names and things, at most "
        f"{_COMMONEST} is wanted: '{sentence}'; {len(counts)} different",
    )


def _speaking(built: _Built) -> Iterator[Audit]:
    faults = [
        f"{row['stage_id']}, scene {scene['number']}"
        for row in built.stages
        for scene in row["scenes"]
        if {turn["speaker"] for turn in scene["turns"]} - {""}
        != {one["given"] for one in row["characters"]}
    ]
    yield _none("everybody_speaks", faults, "scenes in which somebody says nothing")


def _course(built: _Built) -> Iterator[Audit]:
    """The person in focus starts troubled and ends sound, and the group with less tension."""
    faults = []
    setbacks = 0
    for row in built.stages:
        focus = row["characters"][0]["given"]
        levels = [mind["level"] for mind in row["states"] if mind["person"] == focus]
        tension = [change["tension"] for change in row["changes"]]
        setbacks += any(change["helped"] is False for change in row["changes"])
        if levels[0] != "troubled" or levels[-1] != "sound" or tension[-1] >= tension[0]:
            faults.append(row["stage_id"])
    yield _none("course", faults, "stages that do not lead from a troubled start to a calmer end")
    share = setbacks / max(len(built.stages), 1)
    yield verdict("setbacks", 0 < share < 1, round(share, 4), "share of stages with a setback")


def _readers(built: _Built) -> Iterator[Audit]:
    content = load()
    stages = built.stages[:_READER_STAGES]
    items = [row for row in built.sample if row["stage_id"] <= stages[-1]["stage_id"]]
    slack = 3 * (_CHANCE * (1 - _CHANCE) / len(items)) ** 0.5
    decoder = Decoder(content)
    for blind in (False, True):
        reader = Reader(content, decoder, np.random.default_rng(_SEED))
        read = {row["stage_id"]: reader.read(row, blind=blind) for row in stages}
        right = [reader.answer(read[row["stage_id"]], row) == row["answer"] for row in items]
        found = sum(right) / len(right)
        if blind:
            passed = abs(found - _CHANCE) <= _WITHIN + slack
            detail = (
                f"the same without background and scenes, within {_WITHIN} of {_CHANCE} is wanted"
            )
        else:
            passed = found >= _READABLE
            detail = f"accuracy on {len(items)} items of a reader of the text that knows the rules"
        yield verdict("reader_blind" if blind else "reader", passed, round(found, 4), detail)


def _questions(built: _Built) -> list[str]:
    return [name for name in built.tables if name.startswith("questions")]


_CHECKS: Final = (
    _counts,
    _cells,
    _ids,
    _duplicates,
    _proofs,
    _letters,
    _shortcuts,
    _possible,
    _state_words,
    _sentences,
    _speaking,
    _course,
    _readers,
)
