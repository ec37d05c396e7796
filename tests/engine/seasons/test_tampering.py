"""What an operator or a submitter may change afterwards is found, and named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.records import answers
from otherminds.leaderboard.records.record import ANSWERS, RECORD, VERIFICATION
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.sealing import secret as secrets
from otherminds.leaderboard.seasons import checking, closing, results
from otherminds.leaderboard.seasons.opening import golds_path
from tests.engine.seasons.conftest import AFTER, OPENED, Made

TASK = "debate_both_synthetic"


def faults(made: Made, before: Path | None = None) -> list[tuple[str, str]]:
    """What a check finds."""
    found = checking.check(made.folder, submissions=made.submissions, before=before)
    return [tuple(one) for one in found]  # type: ignore[misc]  # pairs


@pytest.mark.attack(
    "an operator who closes with another secret",
    outcome="`season check` names it; `close` refuses",
    against="seasons",
)
def test_another_secret(closed: Made) -> None:
    season = closed.season
    record.write(closed.folder, season.model_copy(update={"secret": "0" * 64}))
    assert faults(closed) == [("secret", "it is not the one whose hash was published")]


@pytest.mark.attack(
    "an operator who closes with another secret",
    outcome="`season check` names it; `close` refuses",
    against="seasons",
)
def test_another_secret_with_its_hash(closed: Made) -> None:
    """Then the rows that participants got are not those that it gives."""
    forged = {"secret": "0" * 64, "secret_sha256": secrets.sha256(bytes(32))}
    before = Path(shutil.copytree(closed.folder, closed.root / "before"))
    record.write(closed.folder, closed.season.model_copy(update=forged))
    found = faults(closed, before)
    assert found[0] == ("record", "secret_sha256 was changed since the season opened")
    assert any(
        "that the secret gives are not those that participants got" in how for _, how in found
    )


@pytest.mark.attack(
    "an operator who changes rows, golds, rules or scores",
    outcome="`season check` names each",
    against="seasons",
)
def test_another_commitment_to_golds(closed: Made) -> None:
    record.write(
        closed.folder, closed.season.model_copy(update={"commitment": {"beliefs": "0" * 64}})
    )
    assert any("golds of beliefs that the secret gives" in how for _, how in faults(closed))


def test_rows_that_were_changed_after_opening(debate: Made) -> None:
    path = repository.parquet_path(debate.folder, "beliefs")
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)
    [(what, how)] = faults(debate)
    assert what == "rows"
    assert "corrupted" in how


@pytest.mark.attack(
    "an operator who changes rows, golds, rules or scores",
    outcome="`season check` names each",
    against="seasons",
)
def test_rows_that_were_changed_with_their_checksum(debate: Made) -> None:
    from otherminds import files

    path = repository.parquet_path(debate.folder, "beliefs")
    pq.write_table(pq.read_table(path).slice(1), path)
    name = path.relative_to(debate.folder).as_posix()
    debate.change("checksums.json", lambda sums: sums.update({name: files.sha256(path)}))
    [(what, how)] = faults(debate)
    assert what == "rows"
    assert "not those of season winter" in how


@pytest.mark.attack(
    "an operator who changes rows, golds, rules or scores",
    outcome="`season check` names each",
    against="seasons",
)
def test_a_score_that_is_not_what_the_answers_give(closed: Made) -> None:
    def lift(found: Any) -> None:
        found["entries"][0]["verification"]["recomputed"][TASK]["acc"]["value"] += 0.1

    closed.change(results.NAME, lift)
    assert faults(closed) == [
        (closed.entries[0].name, f"acc of {TASK} is not what its answers give")
    ]


@pytest.mark.attack(
    "an operator who changes rows, golds, rules or scores",
    outcome="`season check` names each",
    against="seasons",
)
def test_a_changed_gold(closed: Made) -> None:
    """Scores by other golds are not what the answers give by those of the secret."""
    entry = closed.entries[0]
    golds = pq.read_table(golds_path(closed.operator, "beliefs"))
    right = dict(zip(*(golds.column(n).to_pylist() for n in ("item_id", "agrees")), strict=True))
    rows = answers.read(entry / ANSWERS / f"{TASK}.parquet")
    first = rows[0].item_id
    right[first] = not right[first]
    share = sum((row.parsed == "agree") == right[row.item_id] for row in rows) / len(rows)
    closed.change(
        results.NAME,
        lambda found: found["entries"][0]["verification"]["recomputed"][TASK]["acc"].update(
            value=share
        ),
    )
    assert faults(closed) == [(entry.name, f"acc of {TASK} is not what its answers give")]


def _flip(entry: Path, *, honest_record: bool) -> None:
    """Turn the first answer of an entry round."""
    path = entry / ANSWERS / f"{TASK}.parquet"
    rows = answers.read(path)
    turned = {"agree": "disagree", "disagree": "agree"}[str(rows[0].parsed)]
    rows[0] = rows[0]._replace(parsed=turned, raw=turned)
    answers.write(path, rows)
    if honest_record:
        written = json.loads((entry / RECORD).read_bytes())
        run = next(one for one in written["tasks"] if one["task"] == TASK)
        run["answers_sha256"] = answers.digest(rows)
        (entry / RECORD).write_text(json.dumps(written), encoding="utf-8")


def test_answers_that_were_changed_after_closing(closed: Made) -> None:
    entry = closed.entries[0]
    _flip(entry, honest_record=False)
    [(what, how)] = faults(closed)
    assert what == entry.name
    assert "cannot be scored again: answers-digest" in how


@pytest.mark.attack(
    "an accepted entry that is dropped, not scored, or whose answers are changed",
    outcome="`season check` names it",
    against="seasons",
)
def test_answers_that_were_changed_with_their_hash(closed: Made) -> None:
    entry = closed.entries[0]
    _flip(entry, honest_record=True)
    assert faults(closed) == [(entry.name, "its answers are not those that were scored")]


@pytest.mark.attack(
    "an accepted entry that is dropped, not scored, or whose answers are changed",
    outcome="`season check` names it",
    against="seasons",
)
def test_a_missing_entry(closed: Made) -> None:
    name = closed.entries[0].name
    shutil.rmtree(closed.entries[0])
    assert faults(closed) == [(name, "the results list it, and there is no such entry")]


@pytest.mark.attack(
    "an accepted entry that is dropped, not scored, or whose answers are changed",
    outcome="`season check` names it",
    against="seasons",
)
def test_an_entry_that_was_not_scored(closed: Made) -> None:
    name = closed.entries[1].name
    closed.change(results.NAME, lambda found: found["entries"].pop(1))
    assert faults(closed) == [(name, "it was accepted, and the results do not list it")]


def test_results_of_another_season_or_model(closed: Made) -> None:
    name = closed.entries[0].name
    closed.change(results.NAME, lambda found: found["entries"][0].update(model="tests/other"))
    assert faults(closed) == [(name, "the results name another model or submitter")]
    closed.change(results.NAME, lambda found: found.update(season="summer"))
    assert faults(closed) == [("results", "they are those of season summer")]


@pytest.mark.attack(
    "an operator who changes rows, golds, rules or scores",
    outcome="`season check` names each",
    against="seasons",
)
def test_rules_that_were_changed_after_opening(closed: Made) -> None:
    before = Path(shutil.copytree(closed.folder, closed.root / "before")) / record.NAME
    record.write(closed.folder, closed.season.model_copy(update={"rules": ["Other rules."]}))
    assert faults(closed, before) == [("record", "rules was changed since the season opened")]


def test_a_copy_of_the_record_is_read_where_it_lies(closed: Made) -> None:
    """Beside the record that was changed, and under a name of its own."""
    copy = closed.folder / "my-copy.yaml"
    shutil.copy(closed.folder / record.NAME, copy)
    later = closed.season.model_copy(update={"closes": OPENED})
    record.write(closed.folder, later)
    assert faults(closed, copy) == [("record", "closes was changed since the season opened")]
    with pytest.raises(OtherMindsError, match=r"cannot read nothing\.yaml"):
        faults(closed, closed.folder / "nothing.yaml")


@pytest.mark.attack(
    "a secret that others may read or change",
    outcome="`close` refuses it",
    against="seasons",
)
def test_closing_refuses_a_secret_that_others_may_read(debate: Made) -> None:
    (debate.operator / secrets.NAME).chmod(0o640)
    with pytest.raises(OtherMindsError, match=r"may be read or changed by others \(-rw-r-----\)"):
        debate.close()
    assert debate.season.is_open


@pytest.mark.attack(
    "an operator who closes with another secret",
    outcome="`season check` names it; `close` refuses",
    against="seasons",
)
def test_closing_refuses_another_secret(debate: Made) -> None:
    (debate.operator / secrets.NAME).write_text("0" * 64 + "\n", encoding="utf-8")
    with pytest.raises(OtherMindsError, match="is not the one that season winter was opened with"):
        debate.close()


@pytest.mark.parametrize("written", ["", "zz", "00" * 31, "é" * 64])
def test_closing_refuses_what_is_no_secret(debate: Made, written: str) -> None:
    (debate.operator / secrets.NAME).write_text(written, encoding="utf-8")
    with pytest.raises(OtherMindsError, match="secret"):
        debate.close()


def test_closing_refuses_changed_golds(debate: Made) -> None:
    path = golds_path(debate.operator, "beliefs")
    golds = pq.read_table(path)
    place = golds.column_names.index("agrees")
    turned = golds.set_column(place, golds.schema.field(place), pc.invert(golds.column("agrees")))
    assert isinstance(turned, pa.Table)
    pq.write_table(turned, path)
    with pytest.raises(OtherMindsError, match="was changed: its golds are not those"):
        debate.close()
    path.unlink()
    assert len(debate.close().entries) == 2


def test_closing_refuses_an_entry_that_was_changed_since_it_was_accepted(debate: Made) -> None:
    _flip(debate.entries[0], honest_record=False)
    with pytest.raises(OtherMindsError, match="cannot be scored: answers-digest"):
        debate.close()
    assert debate.season.is_open
    assert not (debate.folder / results.NAME).exists()


@pytest.mark.attack(
    "closing while an entry waits, or cannot be read",
    outcome="`close` stops before anything is revealed",
    against="seasons",
)
def test_what_waits_to_be_accepted_stops_closing(debate: Made) -> None:
    first, second = debate.entries
    (first / VERIFICATION).unlink()
    with pytest.raises(OtherMindsError, match=f"Not accepted, .*winter: {first.name}"):
        debate.close()
    shutil.move(first, debate.root / "refused")
    assert [one.id for one in debate.close().entries] == [second.name]
    # What was never accepted is no entry, and nothing that a check misses.
    shutil.move(debate.root / "refused", first)
    assert faults(debate) == []


@pytest.mark.attack(
    "closing while an entry waits, or cannot be read",
    outcome="`close` stops before anything is revealed",
    against="seasons",
)
@pytest.mark.parametrize("lost", [f"{ANSWERS}/{TASK}.parquet", RECORD, VERIFICATION])
def test_closing_leaves_out_no_accepted_entry_that_cannot_be_read(lost: str, debate: Made) -> None:
    entry = debate.entries[0]
    if lost == VERIFICATION:
        (entry / lost).write_text("{", encoding="utf-8")
    else:
        (entry / lost).unlink()
    with pytest.raises(OtherMindsError, match=f"cannot be read, .*{entry.name}: "):
        debate.close()
    assert debate.season.is_open


def test_an_entry_that_can_no_more_be_read_is_a_fault(closed: Made) -> None:
    entry = closed.entries[0]
    (entry / ANSWERS / f"{TASK}.parquet").unlink()
    [(what, how)] = faults(closed)
    assert what == entry.name
    assert how.startswith("it was accepted, and cannot be read: answers-missing")


def test_closing_without_entries_must_be_meant(debate: Made) -> None:
    def close(submissions: Path, *, no_entries: bool) -> list[str]:
        found = closing.close(
            debate.folder,
            operator=debate.operator,
            submissions=submissions,
            day=AFTER,
            say=print,
            no_entries=no_entries,
        )
        return [one.id for one in found.entries]

    elsewhere = debate.root / "elsewhere"
    with pytest.raises(OtherMindsError, match=r"There is no folder .*elsewhere"):
        close(elsewhere, no_entries=True)
    elsewhere.mkdir()
    with pytest.raises(OtherMindsError, match="holds no entry of season winter"):
        close(elsewhere, no_entries=False)
    with pytest.raises(OtherMindsError, match="holds 2 entries of season winter"):
        close(debate.submissions, no_entries=True)
    assert debate.season.is_open
    assert close(elsewhere, no_entries=True) == []
    assert not debate.season.is_open


def test_entries_are_told_before_the_secret_is(debate: Made) -> None:
    said: list[str] = []

    def say(line: str) -> None:
        assert debate.season.is_open
        said.append(line)

    closing.close(
        debate.folder,
        operator=debate.operator,
        submissions=debate.submissions,
        day=AFTER,
        say=say,
    )
    names = [entry.name for entry in debate.entries]
    assert said == [f"{name}: tests/random-{n} by alice, no flags" for n, name in enumerate(names)]
