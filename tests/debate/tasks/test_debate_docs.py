"""docs/benchmarks/debate.md says what the manifests and the tasks say."""

from __future__ import annotations

import re

import pytest

from otherminds import harness, manifest
from otherminds.dataset_builders.debate import issues, synthetic_audits
from otherminds.manifest import Manifest, Reference
from otherminds.publishing import doc_tables
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "benchmarks" / "debate.md").read_text(encoding="utf-8")
CORPUS, ISSUES, SYNTHETIC = (
    manifest.load(name)
    for name in ("debate-beliefs", "debate-beliefs-issues", "debate-beliefs-synthetic")
)


@pytest.mark.parametrize("known", [ISSUES, SYNTHETIC], ids=lambda known: known.dataset)
def test_the_tables_of_the_page_are_those_of_the_manifests(known: Manifest) -> None:
    assert f"<!-- {known.dataset} conditions -->\n| macro-F1 / accuracy |" in PAGE
    assert doc_tables.fill(PAGE, known) == PAGE


def test_a_stale_table_is_found_and_another_dataset_is_left_alone() -> None:
    chance = ISSUES.references["chance"]
    worse = chance.model_copy(update={"scores": {"blind": {"macro_f1": 0.25, "acc": 0.5}}})
    changed = ISSUES.model_copy(update={"references": {**ISSUES.references, "chance": worse}})
    filled = doc_tables.fill(PAGE, changed)
    # Conditions that a model has no scores of are marked, and stay in their columns.
    assert "| chance | 0.250 / 0.500 | – | – | – |" in filled
    assert "| chance | 0.250 / 0.500 | – | – | – |" not in PAGE
    assert filled.count("| optimal |") == PAGE.count("| optimal |") == 1


def test_a_model_that_is_not_scored_under_the_first_condition_keeps_its_columns() -> None:
    def reference(**scores: float) -> Reference:
        parts = {name: {"macro_f1": value, "acc": value + 0.1} for name, value in scores.items()}
        return Reference(description="", scores=parts)

    known = ISSUES.model_copy(
        update={"references": {"a": reference(blind=0.4, both=0.5), "b": reference(both=0.6)}}
    )
    mark = "debate-beliefs-issues conditions"
    assert doc_tables.fill(f"<!-- {mark} -->\n<!-- /conditions -->", known).splitlines()[1:-1] == [
        "| macro-F1 / accuracy | blind | both |",
        "| --- | ---: | ---: |",
        "| a | 0.400 / 0.500 | 0.500 / 0.600 |",
        "| b | – | 0.600 / 0.700 |",
    ]


def test_the_counts_in_the_text_are_those_of_the_manifests() -> None:
    papers = {**CORPUS.parameters["paper"], **ISSUES.parameters["paper"]}
    people = re.search(r"rows of (\d+) people", str(ISSUES.measured["counts"]))
    assert people is not None
    users = (SYNTHETIC.generator or {})["users"]
    counts = [*papers.values(), int(people[1]), ISSUES.rows, SYNTHETIC.rows, users]
    assert [count for count in counts if f"{count:,}" not in PAGE] == []
    assert f"on {len(issues.issues())} issues" in PAGE


def test_the_bounds_of_the_ceiling_are_those_of_the_audits() -> None:
    (least,), (most,) = (
        {round(100 * bound) for bound in bounds.values()}
        for bounds in (synthetic_audits.PREDICTABLE, synthetic_audits.UNPREDICTABLE)
    )
    *first, last = synthetic_audits.UNPREDICTABLE
    text = " ".join(PAGE.split())
    wanted = " and ".join(synthetic_audits.PREDICTABLE)
    assert f"at least {least} points to the best accuracy in {wanted}." in text
    assert f"at most {most} in {', '.join(first)} and {last}." in text


def test_every_task_that_the_page_names_is_there() -> None:
    known = {entry.name for entry in harness.entries(harness.task_manager())}
    named = set(re.findall(r"\bdebate_[a-z_]*[a-z]\b", PAGE))
    assert {"debate_both_issues", "debate_cross_category", "debate_synthetic"} <= named
    assert sorted(named - known) == []


def test_no_line_is_too_long_to_read_in_a_terminal() -> None:
    by_hand = PAGE[PAGE.index("\n## What it measures") :]
    assert [line for line in by_hand.splitlines() if len(line) > 120] == []
