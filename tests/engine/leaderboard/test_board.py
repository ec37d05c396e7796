"""The board: who is compared with whom, ranks, groups, files. In the browser: tests/engine/page."""

from __future__ import annotations

import base64
import csv
import itertools
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.errors import OtherMindsError
from otherminds.leaderboard.board import Entry, ItemScores, accepted, build, load
from otherminds.leaderboard.board.comparing import Pairs, compare_all
from otherminds.leaderboard.board.contents import pack_pairs
from otherminds.leaderboard.board.entries import Reduced
from otherminds.leaderboard.board.standing import band_letters, bands, rank_ranges
from otherminds.leaderboard.board.tables import Row, tabulate
from otherminds.leaderboard.judging import verify
from otherminds.leaderboard.judging.expected import check_supported, expected
from otherminds.leaderboard.records import answers
from otherminds.leaderboard.records.reasons import finding
from otherminds.metrics.hugagent import Item, summarize
from otherminds.metrics.hugagent.scores import ati, utility
from otherminds.metrics.multiplicity import group_letters, indistinguishable_groups
from otherminds.metrics.permutation import sign_flip_test
from otherminds.sheets import defused
from tests.engine.leaderboard import board_entries as made
from tests.engine.leaderboard.conftest import TASK, Forged

ONE = ("humans",)
EIGHT = 8 * [1.0]


def only(entries: Sequence[Entry], *, high: bool = True) -> dict[str, Row]:
    """The rows of one board by model, in the order of the board."""
    known = made.references(ONE)
    if not high:
        known = type(known)(boards=[made.board("humans", high=False)])
    tables = tabulate(entries, known)
    [table] = tables.tables
    return {tables.entries[row.number].record.model.name: row for row in table.rows}


def constant(name: str, right: int, *, people: int = 40, **changed: Any) -> Entry:
    """A model that answers the first `right` of one item per person right."""
    values = [1.0] * right + [0.0] * (people - right)
    return made.entry(name, {"humans": made.scores(values, people=people)}, **changed)


def data_of(page: Path) -> Any:
    """What the page has inside."""
    text = page.read_text()
    found = re.search(r'id="board-data">([^<]*)<', text)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


# ---------------------------------------------------------------- order and groups


def test_order_and_groups() -> None:
    # 40 people with one item each. The three strong models are right on 38 to 36 of them, the two weak
    # ones on 10 and 9, always on the first ones: strong models differ on at most 2 people (t ≤ √2, and
    # two people's signs agree half of the time), a strong one and a weak one on at least 26, all in one
    # direction, so t ≥ √26, which 2^-25 of the sign patterns reach.
    found = only([constant(f"m{right}", right) for right in (10, 37, 9, 38, 36)])
    assert list(found) == ["m38", "m37", "m36", "m10", "m9"]
    assert [row.rank for row in found.values()] == [1, 2, 3, 4, 5]
    assert [row.letters for row in found.values()] == ["a", "a", "a", "b", "b"]
    assert [(row.ranks[0], row.ranks[-1]) for row in found.values()] == 3 * [(1, 3)] + 2 * [(4, 5)]


def test_where_less_is_better_the_order_turns() -> None:
    found = only([constant("worse", 38), constant("better", 9)], high=False)
    assert list(found) == ["better", "worse"]
    assert [row.letters for row in found.values()] == ["a", "b"]


def test_equal_scores_share_a_rank() -> None:
    found = only([constant("x", 30), constant("y", 30), constant("z", 29)])
    assert [row.rank for row in found.values()] == [1, 1, 3]


def test_the_order_of_entries_does_not_matter(tmp_path: Path) -> None:
    entries = made.league(9)
    for name, own in (("there", entries), ("back", entries[::-1])):
        build(iter(own), made.references(), tmp_path / name)
    for file in ("index.html", "board.csv", "board.json", "README.md"):
        assert (tmp_path / "there" / file).read_bytes() == (tmp_path / "back" / file).read_bytes()


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"data_version": "0.9"}, "data version 0.9"),
        ({"task_version": "0.10"}, "task version 0.10"),
        ({"subset": 50}, "subset of 50"),
    ],
)
def test_old_versions_and_subsets_are_shown_but_not_compared(
    changed: dict[str, Any], why: str
) -> None:
    found = only([constant("best", 40, **changed), constant("x", 30), constant("y", 20)])
    assert list(found) == ["x", "y", "best"]
    assert (found["best"].apart, found["best"].rank, found["best"].letters) == (why, None, "")
    assert found["x"].rank == 1


@pytest.mark.attack(
    "a model that is declared to be fitted to the data",
    outcome="shown with `trained-on-data`, without a rank",
    against="board",
)
def test_training_on_the_data_other_items_and_no_answers_keep_a_model_out_of_ranks() -> None:
    bare = constant("bare", 39)
    entries = [
        constant("trained", 40, trained=True),
        constant("shorter", 30, people=39),
        Entry("bare", bare.record, bare.verification),
        *(constant(f"m{right}", right) for right in (20, 30)),
    ]
    found = only(entries)
    assert {name: row.apart for name, row in found.items() if row.apart} == {
        "trained": "trained on the data",
        "shorter": "other items",
        "bare": "no item-level answers",
    }
    assert [name for name, row in found.items() if row.rank] == ["m30", "m20"]


def test_recomputed_metrics_stand_in_place_of_claimed_ones() -> None:
    entry = constant("boaster", 20)
    [run] = entry.record.tasks
    inflated = {name: one.model_copy(update={"value": 1.0}) for name, one in run.metrics.items()}
    record = entry.record.model_copy(
        update={"tasks": [run.model_copy(update={"metrics": inflated})]}
    )
    checked = entry.verification.model_copy(update={"recomputed": {"humans": run.metrics}})
    assert (
        only([Entry("boaster", record, checked, entry.answers)])["boaster"].metrics["acc"].value
        == 0.5
    )


def test_claimed_scores_are_shown_but_not_ranked() -> None:
    # A perfect claim with perfect answers beside it: nobody computed its scores.
    found = only([constant("invented", 40, level="self-reported"), constant("x", 30)])
    assert list(found) == ["x", "invented"]
    assert (found["invented"].apart, found["invented"].rank) == ("scores are only claimed", None)
    assert found["invented"].letters == ""
    assert found["x"].rank == 1
    # Whatever level is stated: an operator's run of one task says nothing of another.
    entry = constant("y", 39, level="re-run")
    bare = entry.verification.model_copy(update={"recomputed": {}})
    assert only([Entry("y", entry.record, bare, entry.answers)])["y"].rank is None


def test_a_submitter_has_one_ranked_row_for_each_model_the_newest() -> None:
    entries = [
        constant("m", 38, id="old"),
        constant("m", 30, id="new", checked=made.DAY + timedelta(days=1)),
        constant("m", 20, id="others", submitter="other"),
        constant("n", 10, id="n"),
    ]
    [table] = tabulate(entries, made.references(ONE)).tables
    # In order of ids: n, new, old, others.
    assert [(row.number, row.rank) for row in table.rows] == [(1, 1), (3, 2), (0, 3), (2, None)]
    assert table.rows[3].apart == "superseded by a newer submission"


def test_what_is_not_comparable_supersedes_nothing() -> None:
    later = {"checked": made.DAY + timedelta(days=1)}
    entries = [
        constant("m", 38, id="whole"),
        constant("m", 30, id="claimed", level="self-reported", **later),
        constant("m", 30, id="subset", subset=50, **later),
    ]
    [table] = tabulate(entries, made.references(ONE)).tables
    assert [row.rank for row in table.rows] == [1, None, None]


@pytest.mark.attack(
    "many submissions of one model, to rank by the best",
    outcome="one ranked row; others are superseded",
    against="board",
)
def test_more_submissions_of_one_model_change_nothing_for_others() -> None:
    def about(entries: Sequence[Entry]) -> tuple[str, range, float]:
        tables = tabulate(entries, made.references(ONE))
        [table] = tables.tables
        rows = {tables.entries[row.number].id: row for row in table.rows}
        assert table.pairs is not None
        p = float(table.pairs.p[rows["a"].place, rows["b"].place])
        return rows["b"].letters, rows["b"].ranks, p

    drawn = {"a": made.drawn(0.62, seed=1), "b": made.drawn(0.55, seed=2)}
    two = [made.entry(name, {"humans": found}) for name, found in drawn.items()]
    junk = [
        made.entry("junk", {"humans": made.drawn(0.5, seed=9 + n)}, id=f"junk-{n}")
        for n in range(30)
    ]
    # All of one day: that of the last id counts as the newest.
    assert about([*two, *junk]) == about([*two, junk[9]])


def test_human_and_synthetic_tracks_are_never_one_board() -> None:
    known = load()
    of_hugagent = [board for board in known.boards if board.benchmark == "HugAgent"]
    datasets = {"hugagent", "hugagent-synthetic", "hugagent-core"}
    assert {board.dataset for board in of_hugagent} == datasets
    assert len({(board.task, board.dataset) for board in known.boards}) == len(known.boards)
    # A run of a board's task on another track's data is on no board.
    entry = made.entry(
        "x", {"hugagent": made.scores(EIGHT, people=4)}, dataset="hugagent-synthetic"
    )
    assert not any(table.rows for table in tabulate([entry], known).tables)


def test_every_board_can_have_rows() -> None:
    for board in load().boards:
        assert check_supported(board.task).dataset == board.dataset


def test_two_submissions_of_one_id_are_an_error() -> None:
    with pytest.raises(OtherMindsError, match="Two submissions have the id 'same'"):
        only([constant("x", 3, id="same"), constant("y", 4, id="same")])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"people": ("P",)}, "one person, part and score"),
        ({"items": ("i", "i")}, "an item twice"),
        ({"scores": np.array([1.0, np.nan])}, "NaN or infinite"),
        ({"items": (), "people": (), "parts": (), "scores": np.array([])}, "for each item"),
    ],
)
def test_item_scores_that_do_not_fit(changed: dict[str, Any], message: str) -> None:
    whole = {"items": ("i", "j"), "people": ("P", "Q"), "parts": ("a", "a"), "scores": np.ones(2)}
    with pytest.raises(OtherMindsError, match=message):
        ItemScores(**{**whole, **changed})


# ---------------------------------------------------------------- the comparison


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=11))
def test_two_models_are_compared_by_the_sign_flip_test(sums: list[tuple[int, int]]) -> None:
    found = compare_all(np.array(sums, dtype=float).T, np.full(len(sums), 3.0))
    differences = [a - b for a, b in sums]
    # Up to 11 people all patterns are tried, so both p-values are exact.
    assert found.p[0, 1] == pytest.approx(sign_flip_test(differences).p_value)
    assert found.difference[0, 1] == pytest.approx(sum(differences) / (3 * len(sums)))


def test_standard_error_of_a_difference() -> None:
    # Two people with 2 items each; d = (2, 0), δ = 2/4 = 0.5, residuals d - 2δ = (1, -1):
    # sqrt(2/1 · 2) / 4 = 0.5.
    found = compare_all(np.array([[2.0, 1.0], [0.0, 1.0]]), np.array([2.0, 2.0]))
    assert found.difference[0, 1] == 0.5
    assert found.stderr[0, 1] == pytest.approx(0.5)


def test_more_models_make_it_harder_to_be_told_apart() -> None:
    # One pair's patterns are among those of all pairs, so its t has more to be compared with.
    sums = np.random.default_rng(5).normal(size=(8, 40)) + np.linspace(0, 0.6, 8)[:, None]
    alone = compare_all(sums[[0, 7]], np.ones(40))
    among = compare_all(sums, np.ones(40))
    assert among.p[0, 7] >= alone.p[0, 1]
    assert (among.p == among.p.T).all()


def test_of_equal_models_hardly_any_two_are_told_apart() -> None:
    # 5 % of boards may have a false "told apart"; of 60 boards more than 9 would be with p < 0.001.
    false = 0
    for seed in range(60):
        sums = np.random.default_rng(seed).binomial(5, 0.6, (10, 40)).astype(float)
        false += bool(compare_all(sums, np.full(40, 5.0), draws=499).apart.any())
    assert false <= 9


def test_copies_are_never_told_apart() -> None:
    sums = np.random.default_rng(1).random((3, 50))
    found = compare_all(np.concatenate([sums, sums]), np.ones(50))
    assert [found.p[model, model + 3] for model in range(3)] == [1.0, 1.0, 1.0]


@given(
    st.integers(1, 9).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.sets(st.sampled_from(list(itertools.combinations(range(n), 2)) or [(0, 0)])),
        )
    )
)
def test_bands_against_all_groups(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    count, told = drawn
    apart = np.zeros((count, count), dtype=bool)
    for a, b in told:
        apart[a, b] = apart[b, a] = a != b
    found = bands(apart)
    for band in found:
        assert not apart[np.ix_(band, band)].any()
    assert {place for band in found for place in band} == set(range(count))
    letters = band_letters(found, count)
    assert letters[0][0] == "a"
    # Where every model between two that are told apart is told apart from one side, as on a board
    # with one noise, bands are just the maximal groups.
    names = [str(place) for place in range(count)]
    pairs = {(x, y): float(not apart[int(x), int(y)]) for x, y in itertools.combinations(names, 2)}
    groups = indistinguishable_groups({name: -float(name) for name in names}, pairs)
    if all(len(group) == int(group[-1]) - int(group[0]) + 1 for group in groups):
        assert [[str(place) for place in band] for band in found] == [list(one) for one in groups]
        whole = group_letters(groups)
        assert [text[0] + text[-1] for text in letters] == [
            whole[name][0] + whole[name][-1] for name in names
        ]


def test_rank_ranges() -> None:
    apart = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)
    assert rank_ranges([3.0, 2.0, 1.0], apart, higher_is_better=True) == [
        range(1, 3),
        range(1, 4),
        range(2, 4),
    ]
    assert rank_ranges([3.0, 2.0, 1.0], apart, higher_is_better=False)[0] == range(2, 4)


def test_packed_pairs() -> None:
    stderr = np.zeros((4, 4))
    stderr[np.triu_indices(4, 1)] = [0.01, 0.02, 0.0, 0.05, 0.04, 0.013]
    p = np.ones((4, 4))
    p[0, 1] = p[1, 3] = 0.01
    packed = pack_pairs(Pairs(np.zeros((4, 4)), stderr, p, 10))
    assert base64.b64decode(packed["apart"]) == bytes([0b10001000])
    read = [
        packed["low"] * packed["step"] ** (code - 1) if code else 0.0
        for code in base64.b64decode(packed["stderr"])
    ]
    for shown, true in zip(read, stderr[np.triu_indices(4, 1)], strict=True):
        assert true * (1 - 1e-6) <= shown <= true * 1.05


# ---------------------------------------------------------------- files


def test_files_of_a_static_space(tmp_path: Path) -> None:
    build(made.league(6), made.references(), tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "README.md",
        "board.csv",
        "board.json",
        "index.html",
    }
    head = (tmp_path / "out" / "README.md").read_text().split("---")[1]
    assert "\nsdk: static\n" in head
    assert "\napp_file: index.html\n" in head


def test_downloads_say_the_same(tmp_path: Path) -> None:
    build(made.league(6), made.references(), tmp_path)
    lines = json.loads((tmp_path / "board.json").read_text())
    with (tmp_path / "board.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines, strict=True):
        assert row == {name: "" if value is None else str(value) for name, value in line.items()}
    ranked = [line for line in lines if line["board"] == "humans" and line["metric"] == "acc"]
    assert [line["rank"] for line in ranked] == [1, 2, 3, None, None, None]
    apart = [line["not_compared"] for line in ranked[-3:-1]]
    assert apart == ["trained on the data", "scores are only claimed"]
    assert ranked[-1]["kind"] == "published"


def test_the_head_of_a_board_counts_the_items_that_its_first_row_rests_on(tmp_path: Path) -> None:
    # The only ranked row is also the first.
    build([constant("alone", 30)], made.references(), tmp_path)
    [shown] = [one for one in data_of(tmp_path / "index.html")["boards"] if one["id"] == "humans"]
    assert (shown["nItems"], shown["nPeople"]) == (40, 40)


@pytest.mark.attack(
    "a formula in a cell of `board.csv`, in any width or behind blanks",
    outcome="an apostrophe before it",
    against="pages",
)
def test_a_spreadsheet_executes_nothing(tmp_path: Path) -> None:
    entry = constant("x", 20)
    model = entry.record.model.model_copy(update={"name": "=HYPERLINK(1)", "revision": "@SUM(1)"})
    hostile = Entry("x", entry.record.model_copy(update={"model": model}), entry.verification)
    build([hostile], made.references(ONE), tmp_path)
    with (tmp_path / "board.csv").open(newline="") as file:
        row = next(csv.DictReader(file))
    assert (row["model"], row["revision"]) == ("'=HYPERLINK(1)", "'@SUM(1)")


@pytest.mark.attack(
    "a formula in a cell of `board.csv`, in any width or behind blanks",
    outcome="an apostrophe before it",
    against="pages",
)
@pytest.mark.parametrize("sign", [*"=+-@", *"＝＋－＠", *"﹦﹢﹣﹫", "⁼", "⁺"])
@pytest.mark.parametrize("before", ["", "  ", "\u00a0", "\u3000", "\u200b", "\ufeff"])
def test_no_form_of_a_sign_begins_a_cell(tmp_path: Path, sign: str, before: str) -> None:
    name = f"{before}{sign}HYPERLINK(1)"
    assert defused(name) == f"'{name}"
    entry = constant("x", 20)
    model = entry.record.model.model_copy(update={"name": name})
    hostile = Entry("x", entry.record.model_copy(update={"model": model}), entry.verification)
    build([hostile], made.references(ONE), tmp_path)
    with (tmp_path / "board.csv").open(newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    assert row["model"].startswith("'")


@pytest.mark.attack(
    "a formula in a cell of `board.csv`, in any width or behind blanks",
    outcome="an apostrophe before it",
    against="pages",
)
@pytest.mark.parametrize("text", ["\t=1", "\rx", " \nx", "\u00a0\tx"])
def test_a_break_before_a_formula_is_defused(text: str) -> None:
    assert defused(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", " ", "gpt-4", "a=b", "'=1", "0.5", "Ⓐ"])
def test_plain_cells_stay(text: str) -> None:
    assert defused(text) == text


def test_all_rows_say_that_the_golds_of_released_data_are_open(tmp_path: Path) -> None:
    build([constant("x", 20)], made.references(), tmp_path)
    with (tmp_path / "board.csv").open(newline="") as file:
        assert {row["golds"] for row in csv.DictReader(file)} == {"open"}
    assert {row["golds"] for row in json.loads((tmp_path / "board.json").read_text())} == {"open"}


def test_a_name_without_its_owner_is_marked(tmp_path: Path) -> None:
    found = constant("meta/x", 20)
    flag = finding("unaffiliated", "alice for meta/x")
    marked = replace(found, verification=found.verification.model_copy(update={"flags": [flag]}))
    build([marked, constant("y", 10)], made.references(ONE), tmp_path)
    models = data_of(tmp_path / "index.html")["models"]
    assert {one["name"]: one["unaffiliated"] for one in models} == {"meta/x": True, "y": False}


@pytest.mark.attack(
    "HTML, scripts and control characters in names, answers and texts",
    outcome="shown as text",
    against="pages",
)
def test_nothing_of_a_submission_stands_in_the_html(tmp_path: Path) -> None:
    entry = constant("x", 20)
    model = entry.record.model.model_copy(update={"name": "</script><script>alert(1)</script>"})
    hostile = Entry("../x", entry.record.model_copy(update={"model": model}), entry.verification)
    build([hostile], made.references(ONE), tmp_path)
    text = (tmp_path / "index.html").read_text()
    assert "alert(1)" not in text
    assert "unsafe-inline" not in text
    assert data_of(tmp_path / "index.html")["models"][0]["id"] is None


def test_a_board_without_submissions(tmp_path: Path) -> None:
    build([], load(), tmp_path)
    assert data_of(tmp_path / "index.html")["models"] == []


@pytest.mark.attack(
    "an address of records that is a script",
    outcome="refused",
    against="pages",
)
def test_the_address_of_records_must_be_https(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="https://"):
        build([], made.references(), tmp_path, records="javascript:alert(1)")


# ---------------------------------------------------------------- references


@pytest.fixture
def published(shared_data: Path) -> Callable[[str], list[Item]]:
    folder = shared_data / "hugagent"
    if not folder.is_dir():
        pytest.skip(f"No HugAgent data at {folder}.")

    def answer(row: dict[str, str], text: str) -> str | int | None:
        return (text if row["task"] == "bsi" else int(text)) if text else None

    def items(model: str) -> list[Item]:
        with (folder / "golds.csv").open(newline="") as file:
            golds = list(csv.DictReader(file))
        with (folder / "predictions" / f"{model}.csv").open(newline="") as file:
            given = {row.pop("item_id"): list(row.values()) for row in csv.DictReader(file)}
        return [
            Item(
                *(row[name] for name in ("item_id", "participant_id", "topic", "task")),
                *(row[name] for name in ("question_id", "question_type")),
                *(int(row[name] or 0) for name in ("scale_low", "scale_high")),
                row["gold"],
                tuple(answer(row, text) for text in given[row["item_id"]]),
            )
            for row in golds
        ]

    return items


def test_published_rows_are_what_the_published_predictions_give(
    published: Callable[[str], list[Item]],
) -> None:
    rows = [row for row in load().published if row.note.startswith("Computed here")]
    assert len(rows) == 2
    for row in rows:
        summary = summarize(published(row.model), draws=10)
        for name, value in row.scores.items():
            places = len(repr(value).partition(".")[2])
            assert round(summary[name].value, places) == value, (row.model, name)


def test_published_rows_of_hugagent_have_the_unit_of_the_board() -> None:
    rows = [row for row in load().published if row.board == "hugagent"]
    assert len({row.model for row in rows}) == len(rows)
    for row in rows:
        assert all(0.5 < row.scores[name] < 1 for name in ("bsi_acc", "bdu_acc", "bdu_dir"))
        # ATI is what the same row's other numbers give, as far as their digits reach.
        parts = [row.scores[name] for name in ("bsi_acc", "bdu_acc", "bdu_mae", "bdu_dir")]
        assert abs(ati(utility(*parts)) - row.scores["ati"]) < 0.05, row.model


def test_anchors_come_from_the_manifests() -> None:
    known = load()
    kinds = {board.id: {one.kind for one in known.anchors[board.id]} for board in known.boards}
    assert kinds["hugagent"] == {"chance", "human", "baseline"}
    assert "human" not in kinds["hugagent-synthetic"]
    [human] = [one for one in known.anchors["hugagent"] if one.kind == "human"]
    assert human.scores["ati"] == 100.0
    assert human.intervals["bdu_mae"] == (0.55, 0.8)


# ---------------------------------------------------------------- from accepted submissions


def accept(folder: Path) -> None:
    found = verify.verify(folder).verification(made.DAY)
    (folder / "verification.json").write_text(found.model_dump_json(), encoding="utf-8")


def test_accepted_submissions_become_entries_with_sums_over_people(forged: Forged) -> None:
    said: list[str] = []
    assert list(accepted(forged.folder.parent, {TASK}, say=said.append)) == []
    accept(forged.folder)
    [entry] = accepted(forged.folder.parent, {TASK}, say=said.append)
    assert (entry.id, entry.verification.level) == (forged.folder.name, "re-scored")
    found = entry.answers[TASK]
    assert isinstance(found, Reduced)
    person_of = {item: one.view.person for item, one in expected(TASK, 50).documents.items()}
    right = Counter(person_of[row.item_id] for row in answers.read(forged.answers) if row.correct)
    people = sorted(set(person_of.values()))
    assert found.sums.tolist() == [right[person] for person in people]
    assert found.counts.tolist() == [
        sum(one == person for one in person_of.values()) for person in people
    ]
    assert found.mean.n_clusters == len(people) == 50
    assert set(found.parts) == {"healthcare", "surveillance", "zoning"}
    assert said == []


@pytest.mark.attack(
    "answers exchanged after acceptance",
    outcome="not compared, and said",
    against="board",
)
def test_answers_that_changed_after_acceptance_are_not_compared(forged: Forged) -> None:
    accept(forged.folder)
    forged.rows(lambda rows: [*rows[1:], rows[0]._replace(parsed=None)], honest_hash=False)
    said: list[str] = []
    [entry] = accepted(forged.folder.parent, {TASK}, say=said.append)
    assert entry.answers == {}
    assert len(said) == 1
    assert said[0].startswith(f"{forged.folder.name} is not compared by {TASK}: ")


def test_a_broken_verification_leaves_a_submission_out(forged: Forged) -> None:
    (forged.folder / "verification.json").write_text('{"level": "gold"}', encoding="utf-8")
    said: list[str] = []
    assert list(accepted(forged.folder.parent, {TASK}, say=said.append)) == []
    assert "does not fit the schema" in said[0]
