"""Students find leaks that are planted, and nothing where there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from otherminds.errors import OtherMindsError
from otherminds.manifest import Blind, Student, Students, Studied
from otherminds.students import answers, audit, neighbours
from otherminds.students.halves import asked, halves, unlabelled
from otherminds.students.repeats import repeats
from otherminds.students.view import Clue, Edition, Harder, Item, Lessons, Read
from otherminds.students.vocabulary import most_like
from tests.engine.students.planted import GROUPS, clues, fruits

EDITIONS: tuple[Edition, ...] = ("scale", "authored")


def study(items: list[Item], *only: str, known: dict[str, list[Clue]] | None = None) -> Studied:
    found = audit.study(items, known, called="people", rows="planted", only=only or None, seed=3)
    return found.parts["all"]


def student(items: list[Item], name: str, known: dict[str, list[Clue]] | None = None) -> Student:
    return study(items, name, known=known).students[name]


def test_a_word_that_marks_right_options_is_found() -> None:
    found = student(fruits(marked=True), "options")
    assert found.accuracy == 1.0
    assert found.verdict == "beyond"


def test_a_marking_word_does_not_pass_for_chance() -> None:
    # Every right option reads "surely a …", so the commonest right text would be right, too.
    found = study(fruits(marked=True), "options")
    assert found.majority < 0.3
    assert found.students["options"].accuracy == 1.0


def test_where_nothing_is_planted_no_student_is_above_chance() -> None:
    items = fruits(framed=True)
    found = study(items, known=clues(items))
    assert set(found.students) == {"options", "siblings", "line", "text", "neighbours", "frame"}
    for name, one in found.students.items():
        assert one.interval is not None
        low, high = one.interval
        # Chance is one in four options.
        assert low - 0.02 <= 0.25 <= high + 0.02, name
        assert one.verdict != "beyond"


def test_what_a_line_tells_is_found_by_those_who_see_it() -> None:
    items = fruits(told="text", framed=True)
    found = study(items, known=clues(items)).students
    assert found["options"].accuracy < 0.35
    assert found["text"].accuracy > 0.9
    assert found["frame"].accuracy == 1.0


def test_options_of_siblings_around_one_truth_are_intersected() -> None:
    items = fruits(shared=True, framed=True)
    found = study(items)
    assert found.students["options"].accuracy < 0.4
    # A wrong fruit is on offer in 3 of 7 other items on average: after nine siblings, none is in all.
    assert found.students["frame_siblings"].accuracy > 0.99
    assert found.students["siblings"].accuracy > 0.6
    assert found.students["frame_siblings"].verdict == "beyond"


@pytest.mark.parametrize(
    "leak", [{"marked": True}, {"told": "text"}, {"shared": True}], ids=["marked", "told", "shared"]
)
def test_shuffled_golds_bring_every_student_to_chance(leak: dict[str, bool | str]) -> None:
    items = audit.shuffled(fruits(framed=True, **leak), seed=5)  # type: ignore[arg-type]
    found = study(items, known=clues(items))
    for name, one in found.students.items():
        assert one.above_interval is not None
        assert one.above_interval[0] <= 0.02, name


def test_of_points_that_are_as_near_none_is_preferred() -> None:
    rng = np.random.default_rng(3)
    # Three are nearest, and right; twenty are as near as each other, a quarter right; twenty are far.
    known = np.repeat([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]], [3, 20, 20], axis=0)
    labels = np.concatenate([np.ones(3), np.arange(40) % 4 == 0])[:, None]
    asked = np.array([[1.0, 0.0]])
    shares = neighbours._share(asked, known, labels)
    share = (3 + 12 / 4 + 13 / 43 + neighbours._RARE) / 16
    assert np.exp(shares[0, 0]) == pytest.approx(share)
    for _ in range(20):
        # Another order, and last bits as another processor has them.
        order = rng.permutation(43)
        others = known[order] + rng.normal(scale=1e-12, size=known.shape)
        assert neighbours._share(asked, others, labels[order]) == pytest.approx(shares)


def test_a_leak_in_some_groups_alone_is_no_leak() -> None:
    # A word that marks the right option, but another word in each group, cannot be learned.
    words = {"surely": "right", "maybe": "wrong"}
    items = [
        replace(
            one,
            options=tuple(
                f"{words[option.split()[0]]}{one.group}{option.removeprefix(option.split()[0])}"
                for option in one.options
            ),
        )
        for one in fruits(marked=True)
    ]
    assert student(items, "options").accuracy < 0.4


def test_no_gold_of_a_tested_group_reaches_a_student() -> None:
    items = fruits(framed=True, told="text")
    both = halves(items, groups=None, seed=3)
    assert {item.group for item in both.trained}.isdisjoint(item.group for item in both.tested)
    assert len({item.group for item in both.tested}) == GROUPS // 2
    assert {item.gold for item in asked(both.tested)} == {-1}
    hidden = unlabelled(clues(items), both.tested)
    assert set(hidden) == {item.group for item in both.tested}
    assert {clue.value for some in hidden.values() for clue in some} == {None}


def test_halves_are_the_same_again_and_others_by_another_seed() -> None:
    items = fruits()
    assert halves(items, groups=10, seed=1) == halves(list(items), groups=10, seed=1)
    assert halves(items, groups=10, seed=1) != halves(items, groups=10, seed=2)
    # In whatever order the items come.
    mixed = halves(items[::-1], groups=10, seed=1)
    assert {one.group for one in mixed.trained} == {
        one.group for one in halves(items, groups=10, seed=1).trained
    }


def item(**changed: object) -> Item:
    facts = {"item_id": "a", "group": "g", "question": "?", "options": tuple("12345"), "gold": 3}
    return Item(**(facts | changed))  # type: ignore[arg-type]


def test_ties_are_broken_at_random() -> None:
    # Three of five options tie, one of them right: 1/3.
    assert answers.share(item(), np.array([1.0, 1.0, 0.0, 1.0, 0.0])) == pytest.approx(1 / 3)


def test_a_number_beside_the_right_one_counts_where_the_metric_allows_it() -> None:
    near = item(near=1)
    # Of 1 to 5, those from 3 to 5 count: chance is 3/5.
    assert answers.chance([near]) == pytest.approx([0.6])
    # 1 is likeliest by itself (0.4), but 4 has most around it: 0.15 + 0.25 + 0.2 = 0.6. 2 has 0.55.
    odds = np.log([0.4, 1e-9, 0.15, 0.25, 0.2])
    assert answers.share(near, odds) == 1.0
    assert answers.share(item(gold=0), odds) == 1.0


def test_the_basis_is_the_best_of_what_needs_no_reading() -> None:
    # Everybody over sixty says yes, everybody else no; nine of ten are not over sixty.
    items = [
        item(
            item_id=str(n),
            group=f"G{n}",
            options=("yes", "no"),
            gold=0 if n % 10 == 0 else 1,
            demographics="old" if n % 10 == 0 else "young",
        )
        for n in range(200)
    ]
    found = study(items)
    assert found.chance == 0.5
    assert found.majority == pytest.approx(0.9, abs=0.05)
    assert found.demographics == 1.0
    assert found.basis == "demographics"


def test_the_line_with_the_rarest_shared_words_is_taken() -> None:
    lines = ("the cat sat", "the dog sat", "the the the")
    assert most_like("Where is the dog?", lines) == "the dog sat"
    assert most_like("anything", ()) == ""


@pytest.mark.parametrize(
    ("items", "only", "said"),
    [
        ([], (), "no items"),
        ([item(), item()], (), "same item_id"),
        ([item(gold=5)], (), "Item a has no right option among its 5"),
        ([item(claims=({"s": "v"},))], (), "1 claims for 5 options"),
        ([item()], (), "1 are too few, 4 are needed"),
        ([item()], ("clairvoyant",), "no student 'clairvoyant'; there are: options"),
    ],
)
def test_what_students_cannot_learn_from_is_refused(
    items: list[Item], only: tuple[str, ...], said: str
) -> None:
    with pytest.raises(OtherMindsError, match=said):
        study(items, *only)


@pytest.mark.parametrize(
    ("ends", "verdict"),
    [
        ((0.04, 0.2), "beyond"),
        ((-0.1, 0.02), "within"),
        ((0.0, 0.1), "undecided"),
        (None, "undecided"),
    ],
)
def test_a_bound_is_broken_or_kept_with_certainty(
    ends: tuple[float, float] | None, verdict: str
) -> None:
    one = Student(sees="x", accuracy=0.5, above=0.05, above_interval=ends, bound=0.03)
    assert one.verdict == verdict
    assert one.model_copy(update={"bound": None}).verdict is None


def test_an_authored_edition_has_bounds_for_what_reads_the_text() -> None:
    items = fruits(told="text")
    found = {
        edition: audit.study(
            items, None, called="people", rows="planted", only=["text"], edition=edition, seed=3
        ).parts["all"]
        for edition in EDITIONS
    }
    assert found["scale"].students["text"].verdict is None
    assert found["authored"].students["text"].bound == 0.25
    assert found["authored"].students["text"].verdict == "beyond"


def test_what_was_found_survives_the_manifest() -> None:
    found = audit.study(fruits(), None, called="people", rows="planted", only=["options"], seed=3)
    assert Students.model_validate(found.model_dump(mode="json")) == found


def learned(items: list[Item], read: Read | None = None) -> Studied:
    found = audit.study(
        items, None, called="people", rows="planted", read=read, only=["options"], seed=3
    )
    return found.parts["all"]


def test_blind_readers_are_set_beside_the_best_student_on_what_they_read() -> None:
    items = fruits()
    tested = halves(items, groups=None, seed=3).tested
    # Of two items of each group one was read: by two readers, of whom both or one were right.
    shares = {item.item_id: 1.0 if n % 4 else 0.5 for n, item in enumerate(tested) if n % 2 == 0}
    found = learned(items, Read(shares, gap=0.1)).blind
    assert found is not None
    assert found.items == len(shares)
    assert found.accuracy == pytest.approx(np.mean(list(shares.values())), abs=1e-4)
    assert found.student == "options"
    assert 0 < found.accuracy - found.below < 1
    assert learned(items).blind is None


def test_harder_items_alone_are_bounded_where_they_are_told_apart() -> None:
    items = [replace(item, scales={"steps": n % 3}) for n, item in enumerate(fruits())]
    read = Read({item.item_id: 1.0 for item in items}, gap=0.2, harder=Harder("steps", 2))
    found = learned(items, read)
    assert found.blind is not None
    assert found.harder is not None
    assert (found.blind.gap, found.harder.gap) == (None, 0.2)
    assert found.bounded == found.harder
    tested = halves(items, groups=None, seed=3).tested
    assert found.harder.items == sum(item.scales["steps"] == 2 for item in tested)


@pytest.mark.parametrize(
    ("gap", "verdict"), [(0.23, "within"), (0.25, "undecided"), (0.4, "beyond"), (None, None)]
)
def test_the_best_student_stays_below_blind_readers(gap: float | None, verdict: str | None) -> None:
    found = Blind(
        items=10, accuracy=0.9, student="text", below=0.3, below_interval=(0.236, 0.364), gap=gap
    )
    assert found.verdict == verdict


def test_students_learn_from_another_dataset_besides() -> None:
    told = [
        replace(item, item_id=f"other {item.item_id}", group=f"other {item.group}")
        for item in fruits(told="text")
    ]
    few = [item for item in fruits(told="text", seed=1) if item.item_id.endswith("-0")][:8]
    alone = audit.study(few, None, called="people", rows="few", only=["text"])
    besides = audit.study(
        few,
        None,
        called="people",
        rows="few",
        only=["text"],
        also=Lessons(told, None, "others 1.0"),
    )
    assert besides.also == "others 1.0"
    one, other = alone.parts["all"], besides.parts["all"]
    # They learn more; who is tested, and what counts as chance, stays.
    assert other.students["text"].accuracy > one.students["text"].accuracy
    assert (other.items, other.trained, other.majority) == (one.items, one.trained, one.majority)


def test_nobody_learns_from_whom_they_are_tested_on() -> None:
    """Tried: the tested items themselves as lessons, which nothing refused."""
    with pytest.raises(OtherMindsError, match="told the answers"):
        audit.study(
            fruits(), None, called="people", rows="planted", also=Lessons(fruits(), None, "these")
        )


def test_stock_sentences_are_counted_by_unit() -> None:
    stock = "It was a dark and stormy night."
    texts = {f"U{n}": [f"Number {n} told us all of it.", stock.upper()] * 2 for n in range(3)}
    texts["U3"] = ["It was a dark and stormy day. Short ones do not count."]
    # In three of four units: one may stand in 0.5 % of them, or in one of an authored edition.
    for edition in EDITIONS:
        found = repeats(texts, edition)
        assert (found.units, found.sentences, found.repeated) == (4, 5, 1)
        assert found.commonest == "it was a dark and stormy night"
        assert (found.share, found.affected) == (0.75, 0.75)
    # Two of a thousand units are within 0.5 %, and beyond what an authored edition may have.
    some = {f"U{n}": [stock] if n < 2 else [f"Unit {n} has words of its own."] for n in range(1000)}
    assert [repeats(some, edition).repeated for edition in ("scale", "authored")] == [0, 1]
    assert repeats({}, "scale").repeated == 0
