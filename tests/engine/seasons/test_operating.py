"""Opening and closing: what is refused, and what is left where it fails."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from otherminds import harness
from otherminds.cli import season as cli_season
from otherminds.cli.run import played
from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.sealing import folder as folders
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.sealing import secret as secrets
from otherminds.leaderboard.seasons import closing, opening, results
from otherminds.leaderboard.seasons.opening import Plan, open_season, operator_folder
from otherminds.running.models import Options
from otherminds.running.run import run
from tests.engine.seasons.conftest import AFTER, CLOSES, OPENED, SECRET, Made, plan, play

DEBATE = "debate-beliefs-synthetic"


def _open(out: Path, told: Plan | None = None) -> record.Season:
    return open_season(
        told or plan(DEBATE), out, operator=operator_folder(out), today=OPENED, secret=SECRET
    )


def test_the_same_secret_opens_the_same_season(tmp_path: Path) -> None:
    first, second = _open(tmp_path / "one"), _open(tmp_path / "two")
    assert first == second
    assert (tmp_path / "one" / "checksums.json").read_bytes() == (
        tmp_path / "two" / "checksums.json"
    ).read_bytes()


def test_a_drawn_secret_is_another_each_time(tmp_path: Path) -> None:
    hashes = set()
    for name in ("one", "two"):
        out = tmp_path / name
        operator = operator_folder(out)
        season = open_season(plan(DEBATE), out, operator=operator, today=OPENED)
        hashes.add(season.secret_sha256)
        kept = secrets.read(operator / secrets.NAME)
        assert len(kept) == 32
    assert len(hashes) == 2


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "season"
    out.mkdir()
    with pytest.raises(OtherMindsError, match="exists already; a season is never overwritten"):
        _open(out)
    out.rmdir()
    operator_folder(out).mkdir()
    with pytest.raises(OtherMindsError, match=r"season.operator exists already, and .* does not"):
        _open(out)


@pytest.mark.attack(
    "a killed opening that leaves a secret on disk",
    outcome="removed, or named, by the next opening",
    against="seasons",
)
def test_what_a_killed_opening_left_is_cleared_or_named(tmp_path: Path) -> None:
    out = tmp_path / "season"
    operator = operator_folder(out)
    # Killed between the two folders: only a person knows whether the season was published.
    operator.mkdir()
    with pytest.raises(OtherMindsError, match="operator, with its secret, and open again"):
        _open(out)
    operator.rmdir()
    # Killed while the operator's was written.
    left = tmp_path / f".{operator.name}.0123456789ab.partial"
    left.mkdir()
    secrets.write(left / secrets.NAME, SECRET)
    _open(out)
    assert sorted(tmp_path.iterdir()) == [out, operator]


@pytest.mark.attack(
    "an error, or a published file, that tells the seed or the secret",
    outcome="neither stands in any; the operator's files are for nobody else",
    against="seasons",
)
def test_the_secret_is_never_in_what_is_published(tmp_path: Path) -> None:
    out = tmp_path / "season"
    with pytest.raises(OtherMindsError, match="must not lie in the one that is published"):
        open_season(plan(DEBATE), out, operator=out / "operator", today=OPENED)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (
            plan("socialmindchange-scale", tasks=["socialmindchange_scale_lite_with_states"]),
            "withholds",
        ),
        (plan("socialmindchange-scale", tasks=["socialmindchange_scale_group_5"]), "withholds"),
        (plan(DEBATE, tasks=["hugagent_synthetic"]), "is on hugagent-synthetic"),
        (plan(DEBATE, tasks=["synchtom_judge"]), "cannot be played in a season"),
        (plan(DEBATE, tasks=["nothing"]), "cannot be played in a season"),
        (plan(DEBATE, id="Win/ter"), "is not an id of a season"),
        (plan(DEBATE, closes=date(2025, 12, 31)), "cannot close 2025-12-31"),
        (
            plan(DEBATE, opened=date(2025, 12, 1), closes=date(2025, 12, 31)),
            "2025-12-31 is over: no entry could be received",
        ),
        (plan(DEBATE, kept=3), "has no stages"),
        (plan(DEBATE, size=10**9), "Cannot build"),
        (Plan("winter", "synchtom", OPENED, CLOSES), "There are no seasons of 'synchtom'"),
    ],
)
def test_seasons_that_cannot_be(told: Plan, message: str, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match=message):
        _open(tmp_path / "season", told)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.attack(
    "an error, or a published file, that tells the seed or the secret",
    outcome="neither stands in any; the operator's files are for nobody else",
    against="seasons",
)
def test_the_seed_is_told_by_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = secrets.seed(SECRET, DEBATE, "winter")

    def build(*told: object, **others: object) -> None:
        raise ValueError(f"the seed {seed} is too large")

    monkeypatch.setattr("otherminds.dataset_builders.debate.synthetic.build", build)
    with pytest.raises(OtherMindsError, match=r"the seed \(secret\) is too large"):
        _open(tmp_path / "season")


@contextmanager
def _interrupted(monkeypatch: pytest.MonkeyPatch, where: object, name: str) -> Iterator[None]:
    def stop(*told: object, **others: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(where, name, stop)
        with pytest.raises(KeyboardInterrupt):
            yield


@pytest.mark.attack(
    "opening or closing is interrupted",
    outcome="whole or not at all; the secret is revealed last",
    against="seasons",
)
def test_an_interrupted_opening_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for where, name in ((secrets, "write"), (opening.pq, "write_table"), (folders, "_card")):
        with _interrupted(monkeypatch, where, name):
            _open(tmp_path / "season")
        assert list(tmp_path.iterdir()) == []
    assert _open(tmp_path / "season").is_open


@pytest.mark.attack(
    "opening or closing is interrupted",
    outcome="whole or not at all; the secret is revealed last",
    against="seasons",
)
def test_an_interrupted_closing_leaves_the_season_open(
    debate: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (debate.folder / record.NAME).read_bytes()
    with _interrupted(monkeypatch, closing.entries.Scorer, "verification"):
        debate.close()
    assert not (debate.folder / results.NAME).exists()
    # The last moment: the results are whole, and the secret is not revealed.
    with _interrupted(monkeypatch, record, "write"):
        debate.close()
    assert (debate.folder / record.NAME).read_bytes() == before
    assert debate.season.is_open
    assert [path.name for path in debate.folder.glob(".*")] == []
    assert len(debate.close().entries) == 2
    assert not debate.season.is_open


def test_a_season_cannot_close_while_it_takes_entries(debate: Made) -> None:
    with pytest.raises(OtherMindsError, match="takes entries until the end of 2026-01-31"):
        closing.close(
            debate.folder,
            operator=debate.operator,
            submissions=debate.submissions,
            day=CLOSES,
            say=print,
        )


def test_data_of_other_versions_say_so(debate: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "otherminds.leaderboard.sealing.tables.content_hashes",
        lambda dataset, tables: dict.fromkeys(tables, "0" * 64),
    )
    complete: dict[str, object] = {}
    monkeypatch.setattr(
        "otherminds.leaderboard.sealing.tables.published", lambda dataset, tables: complete
    )
    with pytest.raises(OtherMindsError, match=r"made with otherminds .*numpy"):
        debate.close()


def test_models_that_need_golds_cannot_play(debate: Made, tmp_path: Path) -> None:
    for model in ("majority", "neighbours", "oracle"):
        with pytest.raises(OtherMindsError, match=f"'{model}' needs gold answers"):
            play(debate.folder, ["debate_both_synthetic"], tmp_path, "--model", model)


def test_without_a_model_the_one_that_needs_no_golds_plays(debate: Made, tmp_path: Path) -> None:
    found = run(
        ["debate_both_synthetic"],
        ["--output_path", str(tmp_path), "--limit", "2"],
        Options(season=played(debate.folder)),
    )
    assert found is not None
    assert found.results["config"]["model"] == "random"


def test_only_the_tasks_of_the_season_are_played(debate: Made, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="'debate_blind_synthetic' is not played in season"):
        play(debate.folder, ["debate_blind_synthetic"], tmp_path, "--model", "random")


def test_a_folder_without_a_season_is_none(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="holds no season"):
        play(tmp_path, ["debate_both_synthetic"], tmp_path / "out", "--model", "random")


def test_a_season_is_recognised_as_a_data_source(debate: Made, tmp_path: Path) -> None:
    told = f'{{"data_source": "{debate.folder}"}}'
    flags = ["--model", "random", "--metadata", told, "--output_path", str(tmp_path)]
    found = run(["debate_both_synthetic"], flags, Options(season=played(None)))
    assert found is not None
    assert found.results["otherminds"]["season"] == "winter"
    assert found.results["otherminds"]["scores"]["debate_both_synthetic"] == {}


@pytest.mark.attack(
    "scores of an open season, by any command or plain `lm_eval`",
    outcome="one error; there are no golds to score with",
    against="seasons",
)
def test_plain_lm_eval_without_predict_only_ends_with_one_error(debate: Made) -> None:
    """As lm_eval does it: no flag of ours, and the task scores what came back."""
    told = {"data_source": str(debate.folder)}
    loaded = harness.load_tasks(harness.task_manager(told), ["debate_both_synthetic"])
    task = loaded["debate_both_synthetic"]
    with pytest.raises(OtherMindsError, match="--predict_only"):
        task.process_results(task.eval_docs[0], [["agree"]])


def test_participants_data_load_as_any_dataset(debate: Made, tmp_path: Path) -> None:
    import datasets

    # In the shared cache there may be the rows of another season in a folder of this name.
    rows = datasets.load_dataset(
        str(debate.folder), "beliefs", split=data.SPLIT, cache_dir=str(tmp_path / "cache")
    )
    assert set(rows["agrees"]) == {None}
    assert set(rows["item_id"]) == set(
        data.load(DEBATE, "beliefs", source=str(debate.folder))[data.SPLIT]["item_id"]
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a list", "is not a season's record"),
        ("a: [", "is not YAML"),
        ("id: winter", "Field required"),
    ],
)
def test_broken_records(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / record.NAME).write_text(text, encoding="utf-8")
    with pytest.raises(OtherMindsError, match=message):
        record.read(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"secret": "0" * 64}, "has a secret just when it is closed"),
        ({"closes": date(2025, 1, 1)}, "cannot close before it opens"),
        ({"generator": {"seed": 1}}, "seed is never stated"),
        ({"secret": "0" * 64, "closed": CLOSES}, "is closed after the last day"),
    ],
)
def test_records_that_contradict_themselves(
    change: dict[str, object], message: str, debate: Made
) -> None:
    season = debate.season.model_copy(update=change)
    (debate.folder / record.NAME).write_text(record.text(season), encoding="utf-8")
    with pytest.raises(OtherMindsError, match=message):
        record.read(debate.folder)


APP = typer.Typer()
APP.add_typer(cli_season.SEASON, name="season")


def _said(*words: str | Path, code: int = 0) -> str:
    done = CliRunner().invoke(APP, ["season", *map(str, words)])
    assert done.exit_code == code, done.output
    return done.output


def test_the_commands(debate: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, secret = tmp_path / "rules.txt", tmp_path / "secret"
    rules.write_text("Be fair.\n\nWrite to us.\n", encoding="utf-8")
    secrets.write(secret, SECRET)
    out = tmp_path / "spring"
    said = _said(
        *("open", DEBATE, out, "--id", "spring", "--closes", "2099-01-01", "--size", "5"),
        *("--rules", rules, "--secret-file", secret, "--task", "debate_blind_synthetic"),
    )
    season = record.read(out)
    assert season.rules == ["Be fair.", "Write to us."]
    assert season.tasks == ["debate_blind_synthetic"]
    assert season.secret_sha256 in said
    assert "is open: the rows are those of its record" in _said("check", out)

    season = debate.season
    shutil.copy(debate.folder / record.NAME, tmp_path / record.NAME)
    monkeypatch.setattr(cli_season, "day", lambda text: AFTER)
    told = ("--submissions", debate.submissions)
    assert "Closed season winter with 2 entries" in _said("close", debate.folder, *told)
    said = _said("check", debate.folder, *told, "--before", tmp_path / record.NAME)
    assert "is as it must be" in said
    shutil.rmtree(debate.entries[0])
    said = _said("check", debate.folder, *told, code=1)
    assert "the results list it, and there is no such entry" in said


def test_a_day_is_written_one_way() -> None:
    assert cli_season.day("2027-03-31") == date(2027, 3, 31)
    with pytest.raises(OtherMindsError, match="'tomorrow' is not a day"):
        cli_season.day("tomorrow")


def test_secrets_are_written_for_their_owner_alone(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        secrets.write(tmp_path / "secret", SECRET)
    finally:
        os.umask(previous)
    assert secrets.read(tmp_path / "secret") == SECRET
    if os.name == "posix":
        assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
