"""The pages with whole stages of SocialMindChange's scale edition."""

from __future__ import annotations

import pytest

from otherminds import benchmark, manifest, paths
from otherminds.dataset_builders.socialmindchange.cells import PER_STAGE
from otherminds.tasks.socialmindchange import scale_stage_page as stage_page

KNOWN = manifest.load(stage_page.DATASET)


@pytest.mark.parametrize("number", stage_page.NUMBERS)
def test_the_stages_in_the_docs_are_the_releases_first(number: int) -> None:
    page = paths.cards().parent / "docs" / stage_page.name(number)
    assert page.read_text(encoding="utf-8") == stage_page.page(KNOWN, number)


def test_a_page_has_every_answer_folded_away_and_no_symbols() -> None:
    text = stage_page.page(KNOWN, 1)
    assert text.count("<details><summary>Answer</summary>(") == PER_STAGE
    # Reasons and claims are codes, and stay in the data.
    assert all(symbol not in text for symbol in ("aim_missed", "other_word", '{"', "_up"))


def test_a_release_writes_the_pages() -> None:
    of_dataset = benchmark.of_dataset(stage_page.DATASET)
    pages = benchmark.resolve(of_dataset.pages)[stage_page.DATASET]
    assert sorted(pages) == [stage_page.name(number) for number in stage_page.NUMBERS]
