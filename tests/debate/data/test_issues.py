"""The issue survey: its real table, users.json, and sources that are neither."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from otherminds.dataset_builders.debate import issues
from otherminds.dataset_builders.debate.duplicates import key_of
from otherminds.dataset_builders.debate.schema import CATEGORIES
from otherminds.dataset_builders.sources import SourceError
from tests.helpers.fictional_debates import sample, write_corpus

SPEC = issues.IssuesSpec(seed=3, salt="pepper")


def table(folder: Path, rows: list[str], *, name: str = "stances.csv") -> Path:
    head = ",".join(("user_idx", "Political party", "Religion", *issues.issues()))
    path = folder / name
    text = "\n".join((head, *rows)) + "\n"
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def line(person: str, answers: str, party: str = "", religion: str = "") -> str:
    """A row whose first answers are given: P for Pro, C for Con."""
    given = [{"P": "Pro", "C": "Con"}.get(letter, "") for letter in answers]
    return ",".join((person, party, religion, *given, *[""] * (48 - len(given))))


@pytest.mark.slow
def test_the_real_table(shared_data: Path) -> None:
    spec = replace(SPEC, paper={"people": 14_980, "stances": 272_923})
    told: list[tuple[int, int]] = []
    built = issues.build(
        shared_data / "debate_issues", spec, progress=lambda done, total: told.append((done, total))
    )
    first, enough, last = built.funnel
    assert dict(first.counts) == {"people": 14_980, "stances": 272_923}
    assert enough.counts["people"] == last.counts["people"]
    assert last.counts["known"] + last.counts["test"] == enough.counts["stances"]
    assert {a.name: a.detail for a in issues.audit(built, spec) if not a.passed} == {}
    assert told == sorted(told)
    assert told[-1] == (1_000, 1_000)


def test_the_mapping_has_48_distinct_propositions_in_known_categories() -> None:
    listed = issues.issues()
    assert len(listed) == 48
    assert len({key_of(issue.proposition) for issue in listed.values()}) == 48
    assert {issue.category for issue in listed.values()} <= set(CATEGORIES)


def test_stances_party_and_religion_of_a_small_table(tmp_path: Path) -> None:
    rows = [
        line("7", "PCPCP", "Republican"),
        line("12", "PPPPPPPPPP"),
        line("3", "PCPC", "", "Atheist"),
    ]
    built = issues.build(table(tmp_path, rows, name="stances.csv.gz"), SPEC)
    found = built.table.to_pylist()
    assert [row["item_id"] for row in found] == ["issues-000001", "issues-000002", "issues-000003"]
    assert [row["user_id"] for row in found] == ["U00007", "U00012", "U00012"]
    assert found[0]["background"] == [{"attribute": "political party", "value": "Republican"}]
    assert found[1]["background"] == []
    assert [row["n_known"] for row in found] == [4, 8, 8]
    # Person 7 said Pro to the first, third and fifth issue and Con to the second and fourth.
    said = {b["proposition"]: b["agrees"] for b in (found[0], *found[0]["known_beliefs"])}
    five = [issue.proposition for issue in list(issues.issues().values())[:5]]
    assert said == dict(zip(five, (True, False, True, False, True), strict=True))
    assert built.funnel[1].dropped == {"stances of people with fewer than 5": 4}
    assert {a.name for a in issues.audit(built, SPEC) if not a.passed} == set()


def test_the_split_is_seeded_and_each_persons_own(tmp_path: Path) -> None:
    rows = [line(str(person), "PCPCPCPCPC") for person in range(30)]
    everyone = table(tmp_path, rows)
    alone = table(tmp_path, rows[:1], name="one.csv")
    built = issues.build(everyone, SPEC)
    assert issues.content_hash(built.table) == issues.content_hash(
        issues.build(everyone, SPEC).table
    )
    other = issues.build(everyone, replace(SPEC, seed=4))
    assert issues.content_hash(built.table) != issues.content_hash(other.table)
    assert built.table.slice(0, 2).equals(issues.build(alone, SPEC).table)
    # Which issues are asked differs between people.
    asked = {tuple(built.table["proposition"].to_pylist()[i : i + 2]) for i in range(0, 60, 2)}
    assert len(asked) > 10


def test_big_issues_of_profiles(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path, *sample())
    built = issues.build(folder, SPEC)
    (row,) = built.table.to_pylist()
    # Ada alone took five sides; her "Torture" is no side, and "Daylight Saving" is no big issue.
    assert row["n_known"] == 4
    said = {b["proposition"]: b["agrees"] for b in (row, *row["known_beliefs"])}
    assert said[issues.issues()["Medicaid & Medicare"].proposition] is True
    assert said[issues.issues()["Gun Rights"].proposition] is False
    assert row["background"] == [
        {"attribute": "political party", "value": "Democratic Party"},
        {"attribute": "religion", "value": "Agnostic"},
    ]
    assert built.funnel[0].dropped["answer to another issue"] == 1
    assert built.funnel[0].dropped["no opinion"] == 1
    assert {a.name for a in issues.audit(built, SPEC) if not a.passed} == set()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([line("7", "PCPCP"), line("7", "PPPPP")], "'7' stands for two people"),
        ([line("Ada", "PCPCP")], "'Ada' in user_idx is not a number"),
        (
            [line("7", "PCPCP").replace("Con", "Maybe")],
            "'Maybe' on Affirmative Action is not an answer",
        ),
        ([line("7", "PCP")], "nobody with 5 stances"),
        ([], "nobody with 5 stances"),
    ],
)
def test_tables_that_cannot_be_used(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(SourceError, match=message):
        issues.build(table(tmp_path, rows), SPEC)


def test_other_files_are_refused_with_what_they_lack(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds neither"):
        issues.build(tmp_path, SPEC)
    with pytest.raises(SourceError, match="There is no file"):
        issues.build(tmp_path / "none.csv", SPEC)
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(SourceError, match="lacks 49 columns, among them user_idx, Abortion"):
        issues.build(other, SPEC)
    damaged = tmp_path / "damaged.csv.gz"
    damaged.write_bytes(table(tmp_path, [line("7", "PCPCP")], name="x.csv.gz").read_bytes()[:40])
    with pytest.raises(SourceError, match=r"not a CSV table|damaged"):
        issues.build(damaged, SPEC)
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    with pytest.raises(SourceError, match="neither the wide table"):
        issues.build(tmp_path / "notes.txt", SPEC)


def test_parameters_are_checked() -> None:
    assert issues.spec({"seed": 1, "salt": "s"}).min_beliefs == 5
    with pytest.raises(ValueError, match=r"missing: salt\. unknown: sead"):
        issues.spec({"sead": 1, "seed": 1})
    with pytest.raises(ValueError, match="known_share"):
        issues.spec({"seed": 1, "salt": "s", "known_share": 1.0})
    with pytest.raises(ValueError, match="min_beliefs"):
        issues.spec({"seed": 1, "salt": "s", "min_beliefs": 1})


@pytest.mark.parametrize("person", ["²", "１", "9" * 5_000, "-1", "a\nb"])
def test_an_id_that_is_no_number_is_shown_on_one_line(person: str, tmp_path: Path) -> None:
    path = table(tmp_path, [line(f'"{person}"', "PCPCP")])
    with pytest.raises(SourceError, match="in user_idx is not a number") as told:
        issues.build(path, SPEC)
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 500
