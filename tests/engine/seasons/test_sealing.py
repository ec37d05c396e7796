"""Nothing of the golds is in what participants get: neither in columns, nor in order, nor in ids."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from otherminds import manifest
from otherminds.analysis.facts import Facts
from otherminds.analysis.verification import task_of
from otherminds.data.build import dataset as build
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.judging.expected import check_supported
from otherminds.leaderboard.sealing import columns, tables
from otherminds.leaderboard.sealing import folder as folders
from otherminds.leaderboard.sealing import secret as secrets
from tests.engine.seasons.conftest import DATASETS, SECRET, Made

Complete = Callable[[str], dict[str, pa.Table]]


@pytest.fixture(scope="session")
def complete(all_made: Callable[[str], Made]) -> Complete:
    """The rows with golds of each season."""
    found: dict[str, dict[str, pa.Table]] = {}

    def get(dataset: str) -> dict[str, pa.Table]:
        if dataset not in found:
            season = all_made(dataset).season
            kept = season.questions_per_stage
            found[dataset] = tables.complete(
                dataset, season.generator, SECRET, season.id, kept=kept
            )
        return found[dataset]

    return get


@pytest.mark.slow
@pytest.mark.attack(
    "golds read from columns, ids, order or constants of the participants' rows",
    outcome="the rows do not depend on what is withheld",
    against="seasons",
)
@pytest.mark.parametrize("dataset", DATASETS)
def test_rows_do_not_depend_on_what_is_withheld(dataset: str, complete: Complete) -> None:
    """The withheld columns in another order, golds among them: participants' tables are the same."""
    rows = complete(dataset)
    sealing = columns.sealing_of(dataset)
    shuffled = {}
    for name, table in rows.items():
        spec = sealing.all[name]
        kept = {*spec.ids, *spec.kept}
        turned = table.take(pa.array(range(len(table) - 1, -1, -1)))
        shuffled[name] = pa.table(
            {
                column: (table if column in kept else turned).column(column)
                for column in table.column_names
            },
            schema=table.schema,
        )
    assert shuffled[next(iter(sealing.items))] != rows[next(iter(sealing.items))]
    assert tables.published(dataset, shuffled) == tables.published(dataset, rows)


@pytest.mark.slow
@pytest.mark.attack(
    "golds read from columns, ids, order or constants of the participants' rows",
    outcome="the rows do not depend on what is withheld",
    against="seasons",
)
@pytest.mark.parametrize("dataset", DATASETS)
def test_every_other_column_is_the_same_in_all_rows(dataset: str, complete: Complete) -> None:
    sealing = columns.sealing_of(dataset)
    shown = tables.published(dataset, complete(dataset))
    assert set(shown) == set(sealing.published)
    for name, table in shown.items():
        spec = sealing.published[name]
        for column in table.column_names:
            values = table.column(column).to_pylist()
            if column not in {*spec.ids, *spec.kept}:
                assert all(value in (None, []) for value in values), (name, column)
            elif spec.kept.get(column) == "the same in all rows":
                assert len({str(value) for value in values}) == 1, (name, column)
        if sealing.gold in table.column_names:
            assert table.column(sealing.gold).null_count == len(table)


def test_what_is_said_to_follow_from_prompts_follows(complete: Complete) -> None:
    """The columns that no prompt shows as such are functions of what it shows."""
    for row in complete("debate-beliefs-synthetic")["beliefs"].to_pylist():
        assert row["n_known"] == len(row["known_beliefs"])
    categories: dict[str, str] = {}
    for row in complete("debate-beliefs-synthetic")["beliefs"].to_pylist():
        for one in (row, *row["known_beliefs"]):
            assert categories.setdefault(one["proposition"], one["category"]) == one["category"]
    for row in complete("socialmindchange-scale")["stages"].to_pylist():
        assert row["group_size"] == len(row["profile"])
        assert row["n_scenarios"] == len(row["scenes"])
    for config in ("bsi", "bdu"):
        for row in complete("hugagent-synthetic")[config].to_pylist():
            # The form of a prompt says which kind of question it is.
            assert row["task"] == config
            is_reason = row["reason_code"] is not None
            kind = {"bsi": None, "bdu": "reason_evaluation" if is_reason else "opinion"}[config]
            assert row["question_type"] == kind


SHOWING = {
    "hugagent-synthetic": (
        *("hugagent_synthetic", "hugagent_synthetic_logprob", "hugagent_cot_synthetic"),
        *("hugagent_cross_domain_synthetic", "hugagent_cross_person_synthetic"),
        *("hugagent_rag_synthetic", "hugagent_random_context_synthetic"),
    ),
    "debate-beliefs-synthetic": (
        *("debate_both_synthetic", "debate_both_synthetic_logprob"),
        *("debate_cross_category_synthetic", "debate_blind_synthetic"),
    ),
    "socialmindchange-scale": (
        *("socialmindchange_scale", "socialmindchange_scale_lite_logprob"),
        "socialmindchange_scale_lite_truncated",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dataset", "task"), [(name, task) for name, listed in SHOWING.items() for task in listed]
)
def test_prompts_are_those_of_the_data_with_golds(
    dataset: str,
    task: str,
    complete: Complete,
    all_made: Callable[[str], Made],
    tmp_path: Path,
) -> None:
    made = all_made(dataset)
    rows = {name: complete(dataset)[name] for name in columns.sealing_of(dataset).published}
    folders.write(tmp_path, made.season, rows)
    without, with_golds = (_prompts(task, source) for source in (made.folder, tmp_path))
    assert without == with_golds
    assert without


def _prompts(task: str, source: Path) -> dict[str, str]:
    loaded = task_of(task, Facts(model="", metadata={"data_source": str(source)}))
    return {doc["item_id"]: loaded.doc_to_text(doc) for doc in loaded.eval_docs}


@pytest.mark.attack(
    "golds read from columns, ids, order or constants of the participants' rows",
    outcome="the rows do not depend on what is withheld",
    against="seasons",
)
@pytest.mark.parametrize("dataset", DATASETS)
def test_neither_order_nor_ids_are_those_of_the_builder(
    dataset: str, complete: Complete, all_made: Callable[[str], Made]
) -> None:
    season = all_made(dataset).season
    builder = build.builder_of(manifest.load(dataset))
    seed = secrets.seed(SECRET, dataset, season.id)
    built = builder.build(
        builder.spec({**season.generator, "seed": seed}), num_proc=1, progress=None
    )
    for name in columns.sealing_of(dataset).items:
        theirs = built[name].column("item_id").to_pylist()
        ours = [secrets.opaque_id(SECRET, season.id, "item_id", known) for known in theirs]
        shown = complete(dataset)[name].column("item_id").to_pylist()
        assert set(shown) <= set(ours)
        assert len(shown) == (len(ours) if season.questions_per_stage is None else 2 * 4)
        assert not set(theirs) & set(shown)
        people = complete(dataset)[name].column(columns.sealing_of(dataset).items[name].ids[0])
        keys = list(zip(people.to_pylist(), shown, strict=True))
        # Keyed hashes are in the order of nothing else.
        assert keys == sorted(keys)
        assert ours != shown


@pytest.mark.slow
@pytest.mark.attack(
    "golds read from the options of a stage's other questions",
    outcome="4 of 80 questions of a stage are asked, chosen by the secret",
    against="seasons",
)
def test_few_questions_of_each_stage_are_asked(
    complete: Complete, all_made: Callable[[str], Made]
) -> None:
    """Options of a stage tell each other's golds; which are asked depends on the secret alone."""
    season = all_made("socialmindchange-scale").season
    assert season.questions_per_stage == 4
    few = complete("socialmindchange-scale")
    told = ("socialmindchange-scale", season.generator, SECRET, season.id)
    whole = tables.complete(*told)
    more = tables.complete(*told, kept=10)
    assert few["stages"] == whole["stages"]
    ids = [set(one["questions"].column("item_id").to_pylist()) for one in (few, more, whole)]
    assert ids[0] < ids[1] < ids[2]
    counts = pc.value_counts(few["questions"].column("stage_id")).to_pylist()
    assert [one["counts"] for one in counts] == [4, 4]


@pytest.mark.parametrize("dataset", DATASETS)
def test_another_secret_gives_other_data(dataset: str, all_made: Callable[[str], Made]) -> None:
    season = all_made(dataset).season
    other = tables.complete(dataset, season.generator, bytes(32), season.id)
    hashes = tables.content_hashes(dataset, tables.published(dataset, other))
    assert not set(hashes.values()) & set(season.content_hash.values())


@pytest.mark.attack(
    "guessed golds tried against the published commitment",
    outcome="it is keyed: a right guess looks like a wrong one",
    against="seasons",
)
def test_a_commitment_cannot_be_tried_against_guesses() -> None:
    """Who guesses all golds right has their content hash, and cannot see that it is the right one."""
    known = "0" * 64
    assert secrets.commitment(SECRET, "winter", "bsi", known) != known
    others = {secrets.commitment(bytes([n] * 32), "winter", "bsi", known) for n in range(8)}
    assert len(others) == 8


def test_answers_are_read_as_they_will_be_scored(
    all_made: Callable[[str], Made], complete: Complete
) -> None:
    """Whatever stands in place of a gold, a reply reads the same."""
    for dataset, replies in (
        ("hugagent-synthetic", ("A", "B", "3", "none")),
        ("debate-beliefs-synthetic", ("agree", "[[ ## prediction ## ]]\ndisagree", "?")),
        ("socialmindchange-scale", ("c", "Answer: p", "?")),
    ):
        made = all_made(dataset)
        task = made.season.tasks[0]
        rules = check_supported(task)
        loaded = task_of(task, Facts(model="", metadata={"data_source": str(made.folder)}))
        golds = _golds(dataset, complete)
        for doc in list(loaded.eval_docs)[:40]:
            assert rules.scorer.is_sealed(doc)
            for reply in replies:
                sealed = _answer(rules, rules.scorer.readable(doc), reply)
                assert sealed == _answer(rules, {**doc, **golds[doc["item_id"]]}, reply)


def _golds(dataset: str, complete: Complete) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name in columns.sealing_of(dataset).items:
        for row in complete(dataset)[name].to_pylist():
            found[row["item_id"]] = row
    return found


def _answer(rules: Any, doc: Mapping[str, Any], reply: str) -> Any:
    scores = rules.process(doc, [[reply]])
    return next(iter(scores.values())).record.view().answers


@pytest.mark.parametrize("dataset", DATASETS)
def test_a_document_without_gold_has_no_score(
    dataset: str, all_made: Callable[[str], Made]
) -> None:
    made = all_made(dataset)
    for task in made.season.tasks:
        rules = check_supported(task)
        loaded = task_of(task, Facts(model="", metadata={"data_source": str(made.folder)}))
        doc = loaded.eval_docs[0]
        results: Any = [["A"]]
        if rules.takes_options:
            results = [(-1.0, False)] * len(loaded.doc_to_choice(doc))
        with pytest.raises(OtherMindsError, match="sealed until the season closes"):
            rules.process(doc, results)
