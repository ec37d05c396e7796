"""Checks of built tables. A fault in the data is a failed audit, never an exception."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import pyarrow as pa

from otherminds.dataset_builders.socialmindchange import checks, shortcuts
from otherminds.dataset_builders.socialmindchange.cells import LETTERS
from otherminds.dataset_builders.socialmindchange.checks import (
    SHORTCUT_STAGES,
    Built,
    without,
)
from otherminds.dataset_builders.socialmindchange.codes.content import load, state_words
from otherminds.dataset_builders.socialmindchange.codes.decoder import Decoder
from otherminds.dataset_builders.socialmindchange.codes.grid import OPTIONS
from otherminds.dataset_builders.socialmindchange.codes.moves import REASONS
from otherminds.dataset_builders.socialmindchange.codes.reader import Reader
from otherminds.dataset_builders.socialmindchange.codes.text import shares
from otherminds.dataset_builders.socialmindchange.spec import SocialMindSpec
from otherminds.dataset_builders.verdict import Audit, verdict

_CHANCE: Final = 1 / OPTIONS
_WITHIN: Final = 0.03
_COMMONEST: Final = 0.01
_READABLE: Final = 0.95
_READER_STAGES: Final = 100
_ENOUGH_STAGES: Final = 40
"""A value that holds for a whole stage is one of four: (3/4)^40 is one in a hundred thousand."""

_SEED: Final = 0


def audit(tables: Mapping[str, pa.Table], spec: SocialMindSpec) -> list[Audit]:
    """All audits of a build, passed and failed.

    Bounds on shares leave room for chance at the number of cases at hand. What takes long (classifier,
    reader) is measured on the first stages.
    """
    built = Built.of_tables(tables, spec, tables["questions"].column_names)
    return [result for check in _CHECKS for result in check(built)]


def _proofs(built: Built) -> Iterator[Audit]:
    """The simulator's reasons are stored with the options: the answer alone has none."""
    faults = []
    reasons: Counter[str] = Counter()
    for _, every in built.of("questions"):
        table = every.select(["item_id", "answer", "reasons", "options"])
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
    yield without(
        "proven", faults, "items without exactly one right option among sixteen different"
    )
    unused = sorted(set(REASONS) - set(reasons))
    total = max(reasons.total(), 1)
    shares = " ".join(f"{code}:{reasons[code] / total:.3f}" for code in REASONS)
    yield verdict("reasons", not unused, shares, "shares of the reasons against wrong options")


def _possible(built: Built) -> Iterator[Audit]:
    """No wording marks a distractor: what wrong options say is right in other stages."""
    faults = shortcuts.only_wrong(built.sample, _ENOUGH_STAGES)
    yield without(
        "distractors_possible",
        faults,
        f"words in wrong options of {_ENOUGH_STAGES} stages or more, and in no right one",
    )


def _sentences(built: Built) -> Iterator[Audit]:
    scenes, counts = shares(built.stages)
    sentence, count = counts.most_common(1)[0]
    slack = 0.0
    if built.spec.stages < SHORTCUT_STAGES:
        # The commonest of thousands of sentences: four standard deviations of a count, and two.
        slack = 4 * (_COMMONEST / scenes) ** 0.5 + 2 / scenes
    yield verdict(
        "sentence_commonest",
        count / scenes <= _COMMONEST + slack,
        round(count / scenes, 5),
        f"share of {scenes} scenes with the same sentence but for names and things, at most "
        f"{_COMMONEST} is wanted: '{sentence}'; {len(counts)} different",
    )


def _speaking(built: Built) -> Iterator[Audit]:
    faults = [
        f"{row['stage_id']}, scene {scene['number']}"
        for row in built.stages
        for scene in row["scenes"]
        if {turn["speaker"] for turn in scene["turns"]} - {""}
        != {one["given"] for one in row["characters"]}
    ]
    yield without("everybody_speaks", faults, "scenes in which somebody says nothing")


def _course(built: Built) -> Iterator[Audit]:
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
    yield without("course", faults, "stages that do not lead from a troubled start to a calmer end")
    share = setbacks / max(len(built.stages), 1)
    yield verdict("setbacks", 0 < share < 1, round(share, 4), "share of stages with a setback")


def _readers(built: Built) -> Iterator[Audit]:
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


def _state_words(built: Built) -> Iterator[Audit]:
    return checks.states_unnamed(built, state_words())


_CHECKS: Final = (
    checks.counts,
    checks.cells,
    checks.ids,
    checks.duplicates,
    _proofs,
    checks.letters,
    checks.shortcut_bounds,
    _possible,
    _state_words,
    _sentences,
    _speaking,
    _course,
    _readers,
)
