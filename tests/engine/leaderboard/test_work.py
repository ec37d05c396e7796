"""Passes over the board's repository on a local Hub, with its real client."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer
from huggingface_hub import CommitOperationAdd, HfApi
from typer.testing import CliRunner

from otherminds.cli import leaderboard as cli_leaderboard
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.hub import Board
from otherminds.leaderboard.judging import bounded, verify
from otherminds.leaderboard.judging.bounded import Judged
from otherminds.leaderboard.operating import decided, outdated, space
from otherminds.leaderboard.operating import rerun as rerunning
from otherminds.leaderboard.operating.work import Settings, work
from otherminds.leaderboard.records import limits, moderation, verifications, vouching
from otherminds.leaderboard.records.moderation import LOG, Decision
from otherminds.leaderboard.records.reasons import finding
from otherminds.leaderboard.records.record import Verification
from otherminds.leaderboard.sending.submit import verify_pull_request
from otherminds.publishing.remote import Remote
from tests.engine.leaderboard.conftest import REPO, SPACE, TASK, TODAY, Forged
from tests.engine.leaderboard.passes import (
    changed,
    comments,
    commits,
    is_verified,
    logged,
    operations,
    outcomes,
    passed,
    proposed,
    pushed,
    seen_and_accepted,
    status,
)
from tests.minihub import Fault, MiniHub

APP = typer.Typer()
APP.add_typer(cli_leaderboard.LEADERBOARD, name="leaderboard")


class KilledError(BaseException):
    """The process ends here: nothing catches it."""


def test_a_pass_accepts_refuses_and_holds(
    in_process: None, hub: MiniHub, honest: Path, wrong: Path, look_alike: Path
) -> None:
    good, bad, odd = (proposed(hub, folder) for folder in (honest, wrong, look_alike))
    assert outcomes(passed()) == [(good, "accepted"), (bad, "refused"), (odd, "held")]

    files = hub.files("dataset", REPO)
    place = f"submissions/{honest.name}"
    found = Verification.model_validate_json(files[f"{place}/verification.json"])
    assert (found.level, found.checked) == ("re-scored", TODAY)
    assert files[f"{place}/record.json"] == (honest / "record.json").read_bytes()
    answers = f"answers/{TASK}.parquet"
    assert files[f"{place}/{answers}"] == (honest / answers).read_bytes()
    assert not [path for path in files if wrong.name in path or look_alike.name in path]

    log = [(one.pull_request, one.submission, one.action, one.codes) for one in logged(hub)]
    assert log == [
        (good, honest.name, "accepted", []),
        (bad, wrong.name, "refused", ["n-items"]),
        (odd, look_alike.name, "held", ["look-alike-name"]),
    ]
    assert {(one.by, one.date) for one in logged(hub)} == {("owner", TODAY)}
    assert [status(hub, number) for number in (good, bad, odd)] == ["closed", "open", "open"]
    [said_good], [said_bad], [said_odd] = map(comments, (good, bad, odd))
    assert "**accepted**" in said_good
    assert "**re-scored**" in said_good
    assert "**n-items**" in said_bad
    assert "push to this pull request" in said_bad
    assert "**look-alike-name**" in said_odd

    before = commits(hub)
    assert passed() == []
    assert commits(hub) == before
    assert [len(comments(number)) for number in (good, bad, odd)] == [1, 1, 1]


def test_a_person_may_accept_what_is_held(
    in_process: None,
    hub: MiniHub,
    honest: Path,
    look_alike: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proposed(hub, honest)
    odd = proposed(hub, look_alike)
    verified = bounded.verify

    def seen(folder: Path, submissions: Path, **named: Any) -> Judged:
        # Near duplicates are found by the answers of those that were accepted in this pass too.
        answers = submissions / honest.name / "answers" / f"{TASK}.parquet"
        assert (folder.name == honest.name) is not answers.is_file()
        return verified(folder, submissions, **named)

    with monkeypatch.context() as patch:
        patch.setattr(bounded, "verify", seen)
        assert [one.action for one in passed()] == ["accepted", "held"]
    commit = Board.open().head(odd)
    assert seen_and_accepted(odd, commit[:7]).action == "accepted"
    path = f"submissions/{look_alike.name}/verification.json"
    found = Verification.model_validate_json(hub.files("dataset", REPO)[path])
    assert [one.code for one in found.flags] == ["look-alike-name"]
    assert logged(hub)[-1].author == "alice"
    assert status(hub, odd) == "closed"
    assert passed() == []


@pytest.mark.attack(
    "other files, pushed after a person has looked, or while a pass verifies",
    outcome="not accepted; looked at anew",
    against="board",
)
def test_what_was_pushed_since_a_person_looked_is_not_accepted(
    in_process: None, hub: MiniHub, honest: Path, look_alike: Path, wrong: Path
) -> None:
    proposed(hub, honest)
    odd = proposed(hub, look_alike)
    passed()
    seen = Board.open().head(odd)
    Forged(shutil.copytree(look_alike, wrong.parent / look_alike.name)).task(n_items=1)
    pushed(odd, wrong.parent / look_alike.name)
    with pytest.raises(OtherMindsError, match=f"is at commit {Board.open().head(odd)}"):
        seen_and_accepted(odd, seen)
    with pytest.raises(OtherMindsError, match="name that commit"):
        seen_and_accepted(odd, "")
    # Whoever has looked: what is wrong is refused.
    for _ in range(2):
        assert seen_and_accepted(odd, Board.open().head(odd)).action == "refused"
    assert [one.action for one in logged(hub)] == ["accepted", "held", "refused"]
    assert not is_verified(hub, look_alike)


FORGED = b'{"schema_version": "1", "level": "re-run", "checked": "2026-01-03"}'


@pytest.mark.attack(
    "a pull request with a forged verification, merged by hand",
    outcome="left out, and named",
    against="board",
)
def test_what_a_person_merged_by_hand_counts_for_nothing(
    in_process: None,
    hub: MiniHub,
    honest: Path,
    look_alike: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proposed(hub, honest)
    passed()
    place = f"submissions/{look_alike.name}"
    number = proposed(hub, look_alike, **{f"{place}/verification.json": FORGED})
    HfApi().merge_pull_request(REPO, number, repo_type="dataset")
    [done] = passed()
    assert (done.pull_request, done.submission, done.action) == (
        *(None, look_alike.name, "unvouched"),
    )
    said: list[str] = []
    head = hub.repo(REPO).resolve("main").sha
    found = Board.open().accepted(head, tmp_path / "main", say=said.append)
    assert [path.name for path in found.iterdir()] == [honest.name]
    assert said == [f"{look_alike.name} is left out: no line of the log has accepted it."]
    # A folder with the log beside it is read alike; without one, all of it is, and that is told.
    shutil.copytree(look_alike, found / look_alike.name)
    (found / look_alike.name / "verification.json").write_bytes(FORGED)
    shown: list[list[str]] = []
    monkeypatch.setattr(
        space, "build_unlogged", lambda folder, *_, **__: shown.append(sorted(os.listdir(folder)))
    )
    said.clear()
    space.build(found, tmp_path / "page", say=said.append)
    (found.parent / LOG).unlink()
    space.build(found, tmp_path / "page", say=said.append)
    assert shown == [[honest.name], sorted([honest.name, look_alike.name])]
    assert said[0].startswith(f"{look_alike.name} is left out")
    assert "nothing vouches for" in said[1]
    assert len(said) == 2


@pytest.mark.attack(
    "accepted files, changed by hand on main",
    outcome="left out, and named",
    against="board",
)
@pytest.mark.parametrize("name", ["verification.json", "record.json"])
def test_accepted_files_that_were_changed_by_hand_count_for_nothing(
    in_process: None, hub: MiniHub, honest: Path, tmp_path: Path, name: str
) -> None:
    proposed(hub, honest)
    passed()
    path = f"submissions/{honest.name}/{name}"
    changed = hub.files("dataset", REPO)[path].replace(b"re-scored", b"re-run").rstrip() + b" \n"
    HfApi().upload_file(
        path_or_fileobj=changed, path_in_repo=path, repo_id=REPO, repo_type="dataset"
    )
    said: list[str] = []
    head = hub.repo(REPO).resolve("main").sha
    found = Board.open().accepted(head, tmp_path, say=said.append)
    assert list(found.iterdir()) == []
    assert said == [f"{honest.name} is left out: its files are not those that the log vouches for."]
    before = commits(hub)
    again = CliRunner().invoke(APP, ["leaderboard", "regrade"])
    assert "Nothing to change." in again.output
    assert commits(hub) == before


@pytest.mark.attack(
    "a submission in the name of somebody else",
    outcome="refused: `submitter-mismatch`",
    against="board",
)
def test_who_did_not_open_the_pull_request_is_no_submitter(
    in_process: None, hub: MiniHub, honest: Path
) -> None:
    made = HfApi(token="hf_owner").create_commit(
        REPO, operations(honest), commit_message="x", repo_type="dataset", create_pr=True
    )
    number = int(made.pr_num or 0)
    assert [one.code for one in verify_pull_request(number).reasons] == ["submitter-mismatch"]
    assert outcomes(passed()) == [(number, "refused")]
    assert seen_and_accepted(number, Board.open().head(number)).action == "refused"
    [one] = logged(hub)
    assert (one.codes, one.author) == (["submitter-mismatch"], "owner")


@pytest.mark.attack(
    "an entry of a season that the verifier does not know",
    outcome="refused: `season-unknown`; a pass leaves it for one that does",
    against="seasons",
)
@pytest.mark.parametrize("code", ["season-unknown", "season-day-unknown"])
def test_an_entry_of_a_season_that_was_not_named_waits(
    in_process: None, hub: MiniHub, honest: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    number = proposed(hub, honest)
    before = commits(hub)
    with monkeypatch.context() as patch:
        patch.setattr(bounded, "verify", lambda *_, **__: Judged(None, [finding(code, "spring")]))
        [done] = passed()
        assert seen_and_accepted(number, Board.open().head(number)).action == "waiting"
    assert done.action == "waiting"
    assert "--season" in done.detail
    assert (commits(hub), comments(number)) == (before, [])
    assert outcomes(passed()) == [(number, "accepted")]


@pytest.mark.attack(
    "a pull request of endless files or commits",
    outcome="refused: `too-many-files`, `too-many-commits`",
    against="board",
)
def test_more_files_or_commits_than_are_looked_at_are_refused_for_good(
    in_process: None, hub: MiniHub, honest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = proposed(hub, honest, **{f"a/{place}": b"x" for place in range(9)})
    long = proposed(hub, honest)
    for text in (b"1", b"2", b"3"):
        made = CommitOperationAdd("x", text)
        HfApi(token="hf_alice").create_commit(
            *(REPO, [made]), commit_message="x", repo_type="dataset", revision=f"refs/pr/{long}"
        )
    monkeypatch.setattr(limits, "FILES", 3)
    monkeypatch.setattr(limits, "COMMITS", 3)
    hub.requests.clear()
    assert outcomes(passed()) == [(many, "refused"), (long, "refused")]
    assert [one.codes for one in logged(hub)] == [["too-many-files"], ["too-many-commits"]]
    assert passed() == []


def test_main_is_listed_once_while_it_stays(
    in_process: None, hub: MiniHub, honest: Path, look_alike: Path
) -> None:
    for folder in (honest, look_alike, honest):
        proposed(hub, folder)
    head = hub.repo(REPO).resolve("main").sha
    hub.requests.clear()
    passed(dry_run=True)
    # Once by us, and once by what downloads all that is accepted.
    assert sum(f"/tree/{head}" in one.path for one in hub.requests) == 2


def test_two_pull_requests_of_one_id_in_a_dry_run(
    in_process: None, hub: MiniHub, honest: Path
) -> None:
    numbers = [proposed(hub, honest), proposed(hub, honest)]
    done = passed(dry_run=True)
    assert outcomes(done) == list(zip(numbers, ["accepted", "refused"], strict=True))
    assert done[1].detail.startswith("duplicate-id")


def test_what_failed_to_be_committed_is_no_earlier_submission(
    in_process: None, hub: MiniHub, honest: Path, tmp_path: Path
) -> None:
    other = changed(honest, tmp_path / "other")
    first, second = proposed(hub, honest), proposed(hub, other)
    hub.faults.append(Fault("status", "POST", "/commit/", status=403))
    assert outcomes(passed()) == [(first, "failed"), (second, "accepted")]
    assert is_verified(hub, other)


def test_a_submission_is_withdrawn_and_not_called_accepted_again(
    in_process: None, hub: MiniHub, honest: Path, tmp_path: Path
) -> None:
    number = proposed(hub, honest)
    passed()
    head = hub.repo(REPO).resolve("main").sha
    copy = Board.open().accepted(head, tmp_path).parent
    asked = ["leaderboard", "withdraw", honest.name, "--reason", "asked by alice <b>"]
    done = CliRunner().invoke(APP, asked)
    assert done.exit_code == 0, (done.output, done.exception)
    assert not [path for path in hub.files("dataset", REPO) if honest.name in path]
    assert (logged(hub)[-1].action, logged(hub)[-1].detail) == (
        *("withdrawn", "asked by alice (b)"),
    )
    HfApi().change_discussion_status(REPO, number, "open", repo_type="dataset")
    assert outcomes(passed()) == [(number, "withdrawn")]
    assert "is not on main any more" in comments(number)[-1]
    assert "no submission" in str(CliRunner().invoke(APP, asked).exception)
    assert "not an id" in str(
        CliRunner().invoke(APP, ["leaderboard", "withdraw", "../x", "--reason", "x"]).exception
    )
    # It may be proposed again, and a person looks at it.
    again = proposed(hub, honest)
    assert outcomes(passed()) == [(again, "held")]
    assert logged(hub)[-1].codes == ["withdrawn-before"]
    assert seen_and_accepted(again, Board.open().head(again)).action == "accepted"
    # In a copy too.
    told = [*asked, "--folder", str(copy), "--by", "bob"]
    assert CliRunner().invoke(APP, told).exit_code == 0
    assert list((copy / "submissions").iterdir()) == []
    assert moderation.parse((copy / LOG).read_bytes())[-1].by == "bob"
    (copy / LOG).unlink()
    assert "not a copy of" in str(CliRunner().invoke(APP, told).exception)


def test_a_copy_whose_writer_was_killed_is_finished_by_the_same_command(
    in_process: None,
    hub: MiniHub,
    honest: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proposed(hub, honest)
    passed()
    head = hub.repo(REPO).resolve("main").sha
    submissions = Board.open().accepted(head, tmp_path)

    def raised(folder: Path, *_: Any, **__: Any) -> Verification:
        return verifications.read(folder).model_copy(update={"level": "re-run"})

    monkeypatch.setattr(rerunning, "rerun", raised)
    written = verifications.write

    def killed(folder: Path, verification: Verification) -> None:
        if folder.parent == submissions:
            raise KilledError
        written(folder, verification)

    def unvouched() -> list[str]:
        return vouching.unvouched(submissions, moderation.parse((tmp_path / LOG).read_bytes()))

    operator = decided.Operator(TODAY, tmp_path, "bob")
    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr(verifications, "write", killed)
        decided.rerun(honest.name, [], operator, say=lambda text: None)
    assert unvouched() == [honest.name]
    decided.rerun(honest.name, [], operator, say=lambda text: None)
    assert unvouched() == []
    assert verifications.read(submissions / honest.name).level == "re-run"


def test_rows_of_an_older_version_are_told_of(
    in_process: None,
    hub: MiniHub,
    honest: Path,
    look_alike: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proposed(hub, honest)
    passed()
    rules = outdated.check_supported(TASK)
    monkeypatch.setattr(outdated, "check_supported", lambda task: rules._replace(version="9.0"))
    proposed(hub, look_alike)
    for step in (
        lambda say: work(Board.open(for_writing=True), Settings(TODAY), say=say),
        lambda say: space.update(Board.open(for_writing=True), SPACE, dry_run=False, say=say),
    ):
        said: list[str] = []
        step(said.append)
        assert any(honest.name in text and "leaderboard regrade" in text for text in said)


def test_a_pull_request_is_looked_at_again_when_it_changes(
    in_process: None, hub: MiniHub, honest: Path, wrong: Path
) -> None:
    broken = Forged(wrong.rename(wrong.with_name(honest.name)))
    number = proposed(hub, broken.folder)
    passed()
    pushed(number, honest)
    assert outcomes(passed()) == [(number, "accepted")]
    assert is_verified(hub, honest)
    assert len(comments(number)) == 2


@pytest.mark.attack(
    "other files, pushed after a person has looked, or while a pass verifies",
    outcome="not accepted; looked at anew",
    against="board",
)
def test_a_pull_request_that_moves_meanwhile_is_not_accepted(
    in_process: None,
    hub: MiniHub,
    honest: Path,
    wrong: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    number = proposed(hub, honest)
    verified = bounded.verify

    def moving(folder: Path, submissions: Path, **named: Any) -> Judged:
        found = verified(folder, submissions, **named)
        pushed(number, wrong)
        return found

    monkeypatch.setattr(bounded, "verify", moving)
    before = commits(hub)
    assert outcomes(passed()) == [(number, "moved")]
    assert commits(hub) == before
    assert comments(number) == []
    # It adds two submissions now.
    assert outcomes(passed()) == [(number, "refused")]
    assert logged(hub)[-1].codes == ["touches-others"]


@pytest.mark.attack(
    "a pull request that changes, deletes or adds anything else",
    outcome="refused: `touches-others`, `unexpected-file`",
    against="board",
)
def test_a_pull_request_that_touches_others_files_changes_nothing(
    in_process: None, hub: MiniHub, honest: Path
) -> None:
    before = hub.files("dataset", REPO)
    number = proposed(hub, honest, **{LOG: b"{}\n", "operations/job.py": b"import os\n"})
    assert outcomes(passed()) == [(number, "refused")]
    [decision] = logged(hub)
    assert (decision.codes, decision.submission) == (["touches-others"], None)
    after = hub.files("dataset", REPO)
    assert {path for path in after if after[path] != before.get(path)} == {LOG}


@pytest.mark.attack(
    "a pass killed at any step, or an answer of the Hub lost or doubled",
    outcome="the next pass finishes it; nothing is decided or said twice",
    against="board",
)
@pytest.mark.parametrize("method", ["comment", "close", "head"])
def test_a_pass_that_is_killed_is_finished_by_the_next(
    in_process: None,
    hub: MiniHub,
    honest: Path,
    wrong: Path,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
) -> None:
    good, bad = proposed(hub, honest), proposed(hub, wrong)

    def killed(*_: Any) -> None:
        raise KilledError

    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr(Board, method, killed)
        passed()
    passed()
    assert_both_are_decided(hub, good, bad, honest)


@pytest.mark.attack(
    "a pass killed at any step, or an answer of the Hub lost or doubled",
    outcome="the next pass finishes it; nothing is decided or said twice",
    against="board",
)
@pytest.mark.parametrize("place", [0, 1])
def test_a_pass_that_is_killed_before_a_commit_is_finished_by_the_next(
    in_process: None,
    hub: MiniHub,
    honest: Path,
    wrong: Path,
    monkeypatch: pytest.MonkeyPatch,
    place: int,
) -> None:
    good, bad = proposed(hub, honest), proposed(hub, wrong)
    commit = Remote.commit
    made: list[str] = []

    def killed(self: Remote, *given: Any, **named: Any) -> str:
        made.append(named["message"])
        if len(made) > place:
            raise KilledError
        return commit(self, *given, **named)

    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr(Remote, "commit", killed)
        passed()
    passed()
    assert_both_are_decided(hub, good, bad, honest)


@pytest.mark.attack(
    "a pass killed at any step, or an answer of the Hub lost or doubled",
    outcome="the next pass finishes it; nothing is decided or said twice",
    against="board",
)
@pytest.mark.parametrize("kind", ["lose", "twice"])
@pytest.mark.parametrize("path", ["/commit/", "/comment", "/status"])
def test_answers_of_the_hub_may_be_lost(
    in_process: None, hub: MiniHub, honest: Path, wrong: Path, kind: Any, path: str
) -> None:
    good, bad = proposed(hub, honest), proposed(hub, wrong)
    hub.faults.append(Fault(kind, "POST", path))
    passed()
    passed()
    hub.faults.clear()
    found = [(one.pull_request, one.action) for one in logged(hub)]
    assert sorted(found, key=str) == [(good, "accepted"), (bad, "refused")]
    assert (status(hub, good), status(hub, bad)) == ("closed", "open")
    assert passed() == []


def assert_both_are_decided(hub: MiniHub, good: int, bad: int, honest: Path) -> None:
    found = [(one.pull_request, one.action) for one in logged(hub)]
    assert found == [(good, "accepted"), (bad, "refused")]
    assert is_verified(hub, honest)
    assert (status(hub, good), status(hub, bad)) == ("closed", "open")
    assert (len(comments(good)), len(comments(bad))) == (1, 1)
    assert passed() == []


@pytest.mark.attack(
    "somebody else changes main during a pass",
    outcome="nothing is overwritten; the next pass decides",
    against="board",
)
def test_a_pass_that_others_overtake_overwrites_nothing(
    in_process: None, hub: MiniHub, honest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = proposed(hub, honest)
    verified = bounded.verify
    theirs = moderation.appended(
        b"", [Decision(date=TODAY, submission="old", action="withdrawn", by="owner")]
    )

    def overtaken(folder: Path, submissions: Path, **named: Any) -> Judged:
        HfApi().upload_file(
            path_or_fileobj=theirs, path_in_repo=LOG, repo_id=REPO, repo_type="dataset"
        )
        return verified(folder, submissions, **named)

    with monkeypatch.context() as patch:
        patch.setattr(bounded, "verify", overtaken)
        [done] = passed()
    assert done.action == "failed"
    assert "somebody else changed it" in done.detail
    assert hub.files("dataset", REPO)[LOG] == theirs
    assert outcomes(passed()) == [(number, "accepted")]
    assert [one.action for one in logged(hub)] == ["withdrawn", "accepted"]


@pytest.mark.attack(
    "a pull request on which the verifier fails",
    outcome="the others are decided; it is tried again",
    against="board",
)
def test_one_broken_pull_request_does_not_stop_the_others(
    in_process: None,
    hub: MiniHub,
    honest: Path,
    wrong: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken, good = proposed(hub, wrong), proposed(hub, honest)
    verified = bounded.verify

    def failing(folder: Path, submissions: Path, **named: Any) -> Judged:
        if folder.name == wrong.name:
            raise OtherMindsError("Verifying failed\x1b[2J.")
        return verified(folder, submissions, **named)

    with monkeypatch.context() as patch:
        patch.setattr(bounded, "verify", failing)
        first, second = passed()
    assert (first.pull_request, first.action) == (broken, "failed")
    assert "\x1b" not in first.detail
    assert (second.pull_request, second.action) == (good, "accepted")
    assert comments(broken) == []
    assert outcomes(passed()) == [(broken, "refused")]


def test_a_dry_run_changes_nothing(
    in_process: None, hub: MiniHub, honest: Path, wrong: Path
) -> None:
    good, bad = proposed(hub, honest), proposed(hub, wrong)
    before = commits(hub)
    assert outcomes(passed(dry_run=True)) == [(good, "accepted"), (bad, "refused")]
    assert commits(hub) == before
    assert comments(good) == comments(bad) == []


@pytest.mark.attack(
    "a stranger's comment that looks like the board's decision",
    outcome="ignored",
    against="board",
)
def test_a_stranger_cannot_silence_the_board(in_process: None, hub: MiniHub, wrong: Path) -> None:
    number = proposed(hub, wrong)
    commit = Board.open().head(number)
    said = f"The board has looked at commit {commit}: **refused**."
    HfApi(token="hf_alice").comment_discussion(REPO, number, said, repo_type="dataset")
    passed()
    assert len(comments(number)) == 2


@pytest.mark.attack(
    "pictures, mentions and HTML that the board would quote in its comment",
    outcome="quoted as code",
    against="board",
)
def test_the_words_of_strangers_are_code_in_comments(
    in_process: None, hub: MiniHub, wrong: Path
) -> None:
    text = "![x](https://example.org/x.png) `@everyone` <b>"
    Forged(wrong).record(lambda found: found.update({text: 1}))
    number = proposed(hub, wrong)
    passed()
    [said] = comments(number)
    line = next(line for line in said.splitlines() if "example.org" in line)
    # The one pair of backticks is ours, and it encloses all of it.
    assert line.count("`") == 2
    assert line.index("`") < line.index("![x]") < line.index("@everyone") < line.rindex("`")


@pytest.mark.attack(
    "a damaged log of decisions",
    outcome="one error that names the line; the pass stops",
    against="board",
)
def test_a_broken_log_stops_the_pass(in_process: None, hub: MiniHub, honest: Path) -> None:
    proposed(hub, honest)
    HfApi().upload_file(
        path_or_fileobj=b'{"date": 1}\n', path_in_repo=LOG, repo_id=REPO, repo_type="dataset"
    )
    with pytest.raises(OtherMindsError, match="Line 1 of moderation"):
        passed()


@pytest.mark.slow
def test_another_process_finds_the_same(honest: Path, tmp_path: Path) -> None:
    found = bounded.verify(honest, tmp_path / "none", checked=TODAY)
    assert found == Judged(verify.verify(honest).verification(TODAY), [], [])


@pytest.mark.attack(
    "a submission that costs the verifier endless time or memory",
    outcome="held: `verification-too-costly`",
    against="board",
)
def test_verifying_is_bounded_in_time_and_memory(
    forged: Forged, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "VERIFIER_SECONDS", 0.01)
    found = bounded.verify(forged.folder, tmp_path / "none", checked=TODAY)
    assert found.verification is None
    assert [one.code for one in found.flags] == ["verification-too-costly"]


@pytest.mark.attack(
    "a file named like a module in the folder where a command is run",
    outcome="not run",
    against="data",
)
def test_no_module_of_a_folder_that_one_stands_in_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("json", "otherminds"):
        (tmp_path / f"{name}.py").write_text("open('ran', 'w')\n")
    monkeypatch.chdir(tmp_path)
    found = bounded.verify(tmp_path / "no-submission-1", tmp_path, checked=TODAY)
    assert [one.code for one in found.reasons] == ["folder-missing"]
    assert not (tmp_path / "ran").exists()


@pytest.mark.attack(
    "a submission that costs the verifier endless time or memory",
    outcome="held: `verification-too-costly`",
    against="board",
)
@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("import sys; sys.exit(77)", "verification-too-costly"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "verification-too-costly"),
        ("raise SystemExit('went wrong')", None),
    ],
)
def test_how_the_process_ends_says_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, code: str | None
) -> None:
    monkeypatch.setattr(bounded, "PROGRAM", ("-c", program))
    if code is None:
        with pytest.raises(OtherMindsError, match="Verifying failed, and said: went wrong"):
            bounded.verify(tmp_path, tmp_path, checked=TODAY)
    else:
        found = bounded.verify(tmp_path, tmp_path, checked=TODAY)
        assert [one.code for one in found.flags] == [code]


def test_the_board_is_rebuilt_when_main_has_changed(
    in_process: None, hub: MiniHub, honest: Path, tmp_path: Path
) -> None:
    proposed(hub, honest)
    said: list[str] = []

    def updated(**named: Any) -> bool:
        board = Board.open(for_writing=True)
        return space.update(board, SPACE, **{"dry_run": False, "say": said.append, **named})

    assert updated(dry_run=True)
    assert ("space", SPACE) not in hub.repos
    assert updated()
    assert hub.repo(SPACE, "space").private
    files = hub.files("space", SPACE)
    assert {"index.html", "board.csv", "README.md", "built-from.json"} <= files.keys()
    assert "style.css" not in files
    before = len(hub.repo(SPACE, "space").commits)
    assert not updated()
    passed()
    assert updated()
    assert not updated()
    assert len(hub.repo(SPACE, "space").commits) == before + 1
    built = json.loads(hub.files("space", SPACE)["built-from.json"])
    assert built["leaderboard"] == hub.repo(REPO).resolve("main").sha
    # A mark that somebody broke is no reason to stop.
    HfApi().upload_file(
        path_or_fileobj=b"x", path_in_repo="built-from.json", repo_id=SPACE, repo_type="space"
    )
    assert updated()


def test_the_command_line_works_logs_and_builds(
    in_process: None, hub: MiniHub, honest: Path, wrong: Path, tmp_path: Path
) -> None:
    proposed(hub, honest)
    proposed(hub, wrong)

    def asked(*words: str) -> str:
        done = CliRunner().invoke(APP, ["leaderboard", *words])
        assert done.exit_code == 0, (done.output, done.exception)
        return done.output

    told = asked("work", "--space", SPACE, "--org", "otherminds")
    assert "accepted" in told
    assert "n-items" in told
    assert "No submission was waiting." in asked("work", "--space", SPACE)
    commit = Board.open().head(2)
    seen = CliRunner().invoke(APP, ["leaderboard", "accept", "2", "--commit", commit])
    assert (seen.exit_code, "refused" in seen.output) == (1, True)
    assert honest.name in asked("log")
    asked("build", str(tmp_path / "page"))
    assert (tmp_path / "page" / "index.html").is_file()
    # What the Space shows is what anybody builds.
    assert (tmp_path / "page" / "index.html").read_bytes() == hub.files("space", SPACE)[
        "index.html"
    ]
    missing = CliRunner().invoke(APP, ["leaderboard", "log", str(tmp_path)])
    assert isinstance(missing.exception, OtherMindsError)
    nowhere = ["leaderboard", "build", str(tmp_path / "x"), "--submissions", str(tmp_path / "no")]
    assert isinstance(CliRunner().invoke(APP, nowhere).exception, OtherMindsError)


def test_a_model_that_the_operator_ran_too_is_raised_to_rerun(
    in_process: None, hub: MiniHub, honest: Path, results: Path, tmp_path: Path
) -> None:
    proposed(hub, honest)
    passed()
    asked = ["leaderboard", "rerun", honest.name, str(results)]
    done = CliRunner().invoke(APP, asked)
    assert done.exit_code == 0, (done.output, done.exception)
    path = f"submissions/{honest.name}/verification.json"
    found = Verification.model_validate_json(hub.files("dataset", REPO)[path])
    assert found.level == "re-run"
    assert (logged(hub)[-1].action, logged(hub)[-1].by) == ("re-run", "owner")
    before = commits(hub)
    again = CliRunner().invoke(APP, ["leaderboard", "regrade"])
    assert (again.exit_code, again.output) == (0, "Nothing to change.\n")
    assert commits(hub) == before
    # In a copy, nobody is logged in who could be named.
    copy = Board.open().accepted(hub.repo(REPO).resolve("main").sha, tmp_path / "copy").parent
    nobody = CliRunner().invoke(APP, [*asked, "--folder", str(copy)])
    assert "--by" in str(nobody.exception)
    done = CliRunner().invoke(APP, [*asked, "--folder", str(copy), "--by", "bob"])
    assert done.exit_code == 0, (done.output, done.exception)
    assert moderation.parse((copy / LOG).read_bytes())[-1].by == "bob"
    unknown = CliRunner().invoke(APP, ["leaderboard", "rerun", "../x", str(results)])
    assert "no accepted submission" in str(unknown.exception)


def test_a_failed_step_is_a_failed_command(in_process: None, hub: MiniHub, honest: Path) -> None:
    proposed(hub, honest)
    hub.faults.append(Fault("status", "POST", "/commit/", status=403))
    done = CliRunner().invoke(APP, ["leaderboard", "work"])
    assert (done.exit_code, "failed" in done.output) == (1, True)


def test_a_folder_without_a_season_is_one_error_before_the_pass(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="season"):
        Settings(TODAY, seasons=[tmp_path])
