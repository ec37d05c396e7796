"""The content of the synthetic debate population: complete, distinct, and checked when read."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from otherminds.dataset_builders.content_files import ContentError
from otherminds.dataset_builders.debate import synthetic_content as content
from otherminds.dataset_builders.debate.schema import CATEGORIES
from otherminds.dataset_builders.debate.synthetic_model import model_of, released


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the content files, to be spoilt."""
    copy = tmp_path / "content"
    shutil.copytree(content.FOLDER, copy)
    return copy


def spoil(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_every_category_has_enough_propositions() -> None:
    categories = content.load().categories
    assert set(categories) == set(CATEGORIES)
    assert all(len(category.propositions) >= 10 for category in categories.values())


def test_no_two_propositions_are_worded_alike() -> None:
    texts = [text for _, text in content.propositions(content.load())]
    assert len({text.lower() for text in texts}) == len(texts)
    assert content.similarities(texts)[0].jaccard < content.NEAR_DUPLICATE


def test_leanings_are_balanced_within_every_category() -> None:
    for name, category in content.load().categories.items():
        leans = [proposition.lean for proposition in category.propositions]
        assert abs(np.mean(leans)) < 0.25, name


def test_similarity_is_the_share_of_words_in_common() -> None:
    # {cats, are, kind} and {dogs, are, kind}: 2 words in both, 4 in either.
    (pair,) = content.similarities(["Cats are kind", "Dogs are kind"])
    assert pair == (0.5, "Cats are kind", "Dogs are kind")


def test_slopes_are_the_spread_of_log_odds_over_all_people() -> None:
    # By definition c_p·θ has the SD `slope` over the mixture of age groups, and mean 0.
    model = released()
    share = np.exp(model.log_share)
    assert share @ model.means == pytest.approx(np.zeros(model.means.shape[1]), abs=1e-12)
    overall = model.covariance + model.means.T @ (share[:, None] * model.means)
    spread = np.sqrt(np.einsum("pk,kl,pl->p", model.slope, overall, model.slope))
    categories = content.load().categories
    assert spread == pytest.approx([categories[name].slope for name in model.categories])


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("propositions.yaml", "Cars:", "Boats:", "differing: Boats, Cars"),
        ("propositions.yaml", '"Graffiti', '"graffiti', "must be one sentence"),
        ("propositions.yaml", "on most readers", "on most readers.", "must be one sentence"),
        # {rap, is, just, noise} and {heavy, metal, is, just, noise}: 3 of 6 words in common.
        ("propositions.yaml", "Rap is a form of poetry", "Rap is just noise", "near duplicates"),
        ("propositions.yaml", "{refinement: 1.0}", "{snobbery: 1.0}", "'snobbery', which is not"),
        ("propositions.yaml", "slope: 0.7", "slope: steep", "key 'Arts.slope'"),
        ("propositions.yaml", "lean: -0.5", "leaning: -0.5", "key 'Arts.propositions.0.lean'"),
        ("factors.yaml", "[religiosity, tradition]", "[religiosity, luck]", "not of two factors"),
        ("factors.yaml", "factors:", "factors: [", "not valid YAML"),
        ("demographics.yaml", "value: Male", "value: Female", "'gender' has a value twice"),
    ],
)
def test_spoilt_content_is_one_clear_error(
    folder: Path, name: str, old: str, new: str, message: str
) -> None:
    spoil(folder, name, old, new)
    with pytest.raises(ContentError, match=message):
        content.load(folder)


def test_too_few_propositions_are_an_error(folder: Path) -> None:
    path = folder / "propositions.yaml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if "- {text" in line)
    path.write_text("".join(lines[:first] + lines[first + 3 :]), encoding="utf-8")
    with pytest.raises(ContentError, match="Arts has 9 propositions, at least 10"):
        content.load(folder)


def test_values_that_no_young_person_can_have_are_an_error(folder: Path) -> None:
    path = folder / "demographics.yaml"
    path.write_text(path.read_text().replace("low: 18", "low: 16"), encoding="utf-8")
    text = path.read_text().replace("weight: 0.44,", "weight: 0.44, from_age: 30,")
    for old in ("{value: Male,", "{value: Nonbinary,"):
        text = text.replace(old, f"{old} from_age: 30,")
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match="No value of 'gender' is possible from age 16"):
        content.load(folder)


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "factors.yaml").unlink()
    with pytest.raises(ContentError, match=r"factors\.yaml: No such file"):
        content.load(folder)


def test_contradictory_correlations_are_an_error(folder: Path) -> None:
    # A and B alike, A and C alike, but B and C opposite: no such three variables exist.
    spoil(folder, "factors.yaml", "tradition], r: 0.55", "tradition], r: 0.95")
    spoil(folder, "factors.yaml", "science], r: -0.35", "science], r: 0.95")
    with pytest.raises(ContentError, match="contradict one another"):
        model_of(content.load(folder))
