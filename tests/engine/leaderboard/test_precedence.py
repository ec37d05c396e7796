"""Who came first: copies of pull requests that wait, of what was withdrawn, and of others' names."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest
from huggingface_hub import HfApi
from typer.testing import CliRunner

from otherminds.leaderboard.hub import Board
from otherminds.leaderboard.judging import bounded
from otherminds.leaderboard.judging.beside import Beside, Request
from otherminds.leaderboard.judging.surroundings import Surroundings
from otherminds.leaderboard.operating import decided
from otherminds.leaderboard.operating.work import Settings, work
from otherminds.leaderboard.records import moderation, vouching
from otherminds.leaderboard.records.moderation import LOG, Decision
from otherminds.leaderboard.sending.submit import verify_pull_request
from tests.engine.leaderboard.conftest import REPO, TASK, TODAY
from tests.engine.leaderboard.passes import (
    changed,
    comments,
    logged,
    outcomes,
    passed,
    proposed,
    pushed,
    seen_and_accepted,
)
from tests.engine.leaderboard.test_work import APP
from tests.minihub import Fault, MiniHub

pytestmark = pytest.mark.usefixtures("in_process")


@pytest.mark.attack(
    "a copy of a pull request that waits, or was refused",
    outcome="held: `earlier-request`; a person accepts one",
    against="board",
)
@pytest.mark.parametrize("n_changed", [0, 18])
def test_a_copy_of_a_pull_request_that_waits_is_held_and_says_why(
    hub: MiniHub, honest: Path, look_alike: Path, tmp_path: Path, n_changed: int
) -> None:
    proposed(hub, honest)
    first = proposed(hub, look_alike)
    assert [one.action for one in passed()] == ["accepted", "held"]
    copy = changed(look_alike, tmp_path, submitter="bob", name="bob/best", n_changed=n_changed)
    second = proposed(hub, copy, token="hf_bob")
    assert outcomes(passed()) == [(second, "held")]
    assert logged(hub)[-1].codes == ["earlier-request"]
    found = verify_pull_request(second).flags
    assert [one.code for one in found] == ["earlier-request"]
    [said] = comments(second)
    assert f"Pull request {first}, received " in said
    assert "may say here how that can be seen" in said
    # Nothing is said or decided anew about the first.
    assert len(comments(first)) == 1
    # A person accepts the author's; the copy is then one of an accepted submission.
    assert seen_and_accepted(first, Board.open().head(first)).action == "accepted"
    late = seen_and_accepted(second, Board.open().head(second))
    if n_changed:
        assert late.action == "accepted"
        assert "near-duplicate" in late.detail
    else:
        assert (late.action, logged(hub)[-1].codes) == ("refused", ["duplicate-answers"])


@pytest.mark.attack(
    "a copy of a pull request that waits, or was refused",
    outcome="held: `earlier-request`; a person accepts one",
    against="board",
)
def test_a_refused_pull_request_still_comes_first(
    hub: MiniHub, honest: Path, wrong: Path, tmp_path: Path
) -> None:
    proposed(hub, wrong)
    copy = changed(honest, tmp_path, submitter="bob", name="bob/best")
    second = proposed(hub, copy, token="hf_bob")
    assert [one.action for one in passed()] == ["refused", "held"]
    assert logged(hub)[-1].codes == ["earlier-request"]
    assert second == logged(hub)[-1].pull_request


def test_in_one_pass_the_first_of_two_is_accepted(
    hub: MiniHub, honest: Path, tmp_path: Path
) -> None:
    first = proposed(hub, honest)
    copy = changed(honest, tmp_path, submitter="bob", name="bob/best")
    second = proposed(hub, copy, token="hf_bob")
    for dry_run in (True, False):
        done = passed(dry_run=dry_run)
        assert outcomes(done) == [(first, "accepted"), (second, "refused")]
        assert done[1].detail.startswith("duplicate-answers")


@pytest.mark.attack(
    "an empty pull request, opened early and filled with a copy later",
    outcome="both held: `earlier-request`",
    against="board",
)
def test_a_low_number_that_got_its_files_later_is_not_first(
    hub: MiniHub,
    honest: Path,
    look_alike: Path,
    wrong: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Bob opens a pull request with nothing, and puts a copy of Alice's into it once hers is there.
    proposed(hub, honest)
    empty = changed(wrong, tmp_path / "empty", submitter="bob", name="bob/empty")
    low = proposed(hub, empty, token="hf_bob")
    passed()
    high = proposed(hub, look_alike)
    copy = changed(look_alike, tmp_path, submitter="bob", name="bob/best")
    HfApi(token="hf_bob").delete_folder(
        f"submissions/{empty.name}", REPO, repo_type="dataset", revision=f"refs/pr/{low}"
    )
    pushed(low, copy, token="hf_bob")
    times = {low: datetime(2026, 1, 3, 12, tzinfo=UTC), high: datetime(2026, 1, 3, 11, tzinfo=UTC)}
    monkeypatch.setattr(Board, "received_at", lambda self, number: times[number])
    assert outcomes(passed()) == [(low, "held"), (high, "held")]
    assert [one.codes for one in logged(hub)[-2:]] == [
        ["earlier-request"],
        ["look-alike-name", "earlier-request"],
    ]


def test_two_pull_requests_of_one_submitter_do_not_hold_each_other(
    hub: MiniHub, wrong: Path, honest: Path
) -> None:
    first, second = proposed(hub, wrong), proposed(hub, honest)
    assert outcomes(passed()) == [(first, "refused"), (second, "accepted")]


@pytest.mark.attack(
    "an earlier request that states somebody's answers and has none, or broken ones",
    outcome="refused; the honest one is accepted",
    against="board",
)
@pytest.mark.parametrize("is_lie", [False, True])
def test_files_that_cannot_be_read_keep_nobody_from_the_board(
    hub: MiniHub, honest: Path, tmp_path: Path, is_lie: bool
) -> None:
    theirs = changed(honest, tmp_path, submitter="bob", name="bob/best")
    answers = theirs / "answers" / f"{TASK}.parquet"
    if is_lie:  # the record states the hash of Alice's answers, and Bob has others
        other = changed(theirs, tmp_path / "other", n_changed=300)
        shutil.copy(other / "answers" / answers.name, answers)
    else:
        answers.write_bytes(b"PAR1" + b"\xff" * 100 + b"PAR1")
    low, high = proposed(hub, theirs, token="hf_bob"), proposed(hub, honest)
    assert outcomes(passed()) == [(low, "refused"), (high, "accepted")]


@pytest.mark.attack(
    "an earlier request whose files cannot be fetched",
    outcome="not compared, and said; the honest one is accepted",
    against="board",
)
def test_files_that_cannot_be_fetched_keep_nobody_from_the_board(
    hub: MiniHub, honest: Path, tmp_path: Path
) -> None:
    theirs = changed(honest, tmp_path, submitter="bob", name="bob/best")
    low, high = proposed(hub, theirs, token="hf_bob"), proposed(hub, honest)
    commit = Board.open().head(low)
    for method in ("GET", "HEAD"):
        hub.faults.append(Fault("status", method, f"/resolve/{commit}/", status=404, times=99))
    said: list[str] = []
    done = work(Board.open(for_writing=True), Settings(TODAY), say=said.append)
    assert outcomes(done) == [(low, "failed"), (high, "accepted")]
    assert any(line.startswith(f"{low} is not compared: ") for line in said)


def withdrawn(name: str) -> None:
    done = CliRunner().invoke(APP, ["leaderboard", "withdraw", name, "--reason", "invented"])
    assert done.exit_code == 0, (done.output, done.exception)


@pytest.mark.attack(
    "withdrawn answers again, under another name, or with some changed",
    outcome="held: `withdrawn-before`",
    against="board",
)
@pytest.mark.parametrize("n_changed", [0, 18])
def test_answers_that_were_withdrawn_come_back_under_no_name_unseen(
    hub: MiniHub, honest: Path, tmp_path: Path, n_changed: int
) -> None:
    proposed(hub, honest)
    passed()
    withdrawn(honest.name)
    [run] = json.loads((honest / "record.json").read_bytes())["tasks"]
    assert logged(hub)[-1].answers_sha256 == {TASK: run["answers_sha256"]}
    again = changed(honest, tmp_path, submitter="bob", name="bob/best", n_changed=n_changed)
    number = proposed(hub, again, token="hf_bob")
    assert outcomes(passed()) == [(number, "held")]
    assert logged(hub)[-1].codes == ["withdrawn-before"]
    [said] = comments(number)
    assert honest.name in said
    assert "What has changed since may be said here" in said


def without_hashes(hub: MiniHub) -> None:
    """The log as earlier releases wrote it."""
    lines = [json.loads(line) for line in hub.files("dataset", REPO)[LOG].splitlines()]
    old = "".join(
        json.dumps({name: value for name, value in line.items() if name != "answers_sha256"}) + "\n"
        for line in lines
    )
    HfApi().upload_file(
        path_or_fileobj=old.encode(), path_in_repo=LOG, repo_id=REPO, repo_type="dataset"
    )


@pytest.mark.attack(
    "withdrawn answers again, where the log is of an earlier release",
    outcome="held: `withdrawn-before`, as long as the Hub keeps the files",
    against="board",
)
@pytest.mark.parametrize("is_kept", [True, False])
def test_a_log_of_earlier_releases_is_consulted_too(
    hub: MiniHub, honest: Path, tmp_path: Path, is_kept: bool
) -> None:
    first = proposed(hub, honest)
    passed()
    withdrawn(honest.name)
    without_hashes(hub)
    assert logged(hub)[-1].answers_sha256 is None
    if not is_kept:
        # The Hub has lost what was accepted: then an id says that it is the same, and a copy passes.
        commit = Board.open().head(first)
        for method in ("GET", "HEAD"):
            hub.faults.append(Fault("status", method, f"/resolve/{commit}/", status=404, times=9))
    again = proposed(hub, honest)
    copy = changed(honest, tmp_path, submitter="bob", name="bob/best")
    other = proposed(hub, copy, token="hf_bob")
    codes = ["withdrawn-before"]
    assert outcomes(passed())[0] == (again, "held")
    assert logged(hub)[-2].codes == codes
    assert (other, "held") == (logged(hub)[-1].pull_request, logged(hub)[-1].action)
    assert ("withdrawn-before" in logged(hub)[-1].codes) is is_kept


def test_what_was_accepted_again_is_withdrawn_no_more() -> None:
    def line(action: str, **more: object) -> Decision:
        told = {"date": TODAY, "submission": "x", "action": action, "by": "owner", **more}
        return Decision.model_validate(told)

    first = line("accepted", commit="a" * 40)
    gone = line("withdrawn", answers_sha256={TASK: "b" * 64})
    [(name, found)] = vouching.withdrawn([first, gone]).items()
    assert (name, found.commit, found.answers_sha256) == ("x", "a" * 40, {TASK: "b" * 64})
    assert vouching.withdrawn([first, gone, line("accepted")]) == {}
    assert vouching.withdrawn([gone])["x"].commit is None
    # Lines that need no hash are as earlier releases read them.
    assert b"answers_sha256" not in moderation.appended(b"", [first])
    written = moderation.appended(b"", [first, gone])
    assert moderation.parse(written) == [first, gone]


def test_a_copy_of_the_board_logs_the_hashes_too(
    hub: MiniHub, honest: Path, tmp_path: Path
) -> None:
    proposed(hub, honest)
    passed()
    Board.open().accepted(hub.repo(REPO).resolve("main").sha, tmp_path)
    operator = decided.Operator(TODAY, tmp_path, "bob")
    decided.withdraw(honest.name, "invented", operator, say=lambda text: None)
    assert moderation.parse((tmp_path / LOG).read_bytes())[-1].answers_sha256
    (tmp_path / "submissions" / "broken").mkdir()
    decided.withdraw("broken", "empty", operator, say=lambda text: None)
    assert moderation.parse((tmp_path / LOG).read_bytes())[-1].answers_sha256 is None


@pytest.mark.attack(
    "a name that another submitter has used, or proposed",
    outcome="held: `name-taken`",
    against="board",
)
def test_a_second_submitter_of_a_name_is_held(
    hub: MiniHub, honest: Path, look_alike: Path, tmp_path: Path
) -> None:
    proposed(hub, honest)
    passed()
    theirs = changed(look_alike, tmp_path, submitter="bob", name="tests/random")
    number = proposed(hub, theirs, token="hf_bob")
    assert outcomes(passed()) == [(number, "held")]
    assert logged(hub)[-1].codes == ["unaffiliated", "name-taken"]
    [said] = comments(number)
    why, noticed = said.split("Also noticed:")
    assert f"tests/random is alice's in {honest.name}" in why.replace("\\", "")
    assert "**unaffiliated**" in noticed
    assert "if it is another one, give it another name" in said


@pytest.mark.attack(
    "a name that another submitter has used, or proposed",
    outcome="held: `name-taken`",
    against="board",
)
@pytest.mark.parametrize("name", ["tests/rand0m", "tests/Rand0M"])
def test_a_name_in_a_pull_request_that_waits_is_taken_too(
    hub: MiniHub, honest: Path, look_alike: Path, tmp_path: Path, name: str
) -> None:
    proposed(hub, honest)
    waiting = proposed(hub, look_alike)
    passed()
    theirs = changed(honest, tmp_path, submitter="bob", name=name, n_changed=200)
    proposed(hub, theirs, token="hf_bob")
    passed()
    assert "name-taken" in logged(hub)[-1].codes
    assert f"alice's in pull request {waiting}" in logged(hub)[-1].detail.replace("\\", "")


@pytest.mark.attack(
    "a name `owner/…` by somebody who is not seen to belong to the owner",
    outcome="shown with `unaffiliated`",
    against="board",
)
@pytest.mark.parametrize(
    ("name", "is_marked"),
    [("tests/random", False), ("Alice/random", False), ("random", False), ("meta/random", True)],
)
def test_a_name_of_an_owner_whom_the_submitter_does_not_belong_to_is_marked(
    hub: MiniHub, honest: Path, tmp_path: Path, name: str, is_marked: bool
) -> None:
    folder = changed(honest, tmp_path, name=name)
    number = proposed(hub, folder)
    # It is accepted all the same: most evaluate models of others.
    assert outcomes(passed()) == [(number, "accepted")]
    assert logged(hub)[-1].codes == (["unaffiliated"] if is_marked else [])


@pytest.mark.attack(
    "the Hub does not say whose an account is",
    outcome="nothing is decided; the next pass asks again",
    against="board",
)
def test_a_hub_that_does_not_say_whose_an_account_is_is_asked_again(
    hub: MiniHub, honest: Path
) -> None:
    number = proposed(hub, honest)
    hub.faults.append(Fault("status", "GET", "/api/users/alice/overview", status=400))
    [done] = passed()
    assert (done.action, "organisations of alice" in done.detail) == ("failed", True)
    hub.faults.clear()
    assert outcomes(passed()) == [(number, "accepted")]


def test_an_account_that_is_there_no_more_belongs_to_nobody(hub: MiniHub) -> None:
    assert Board.open().owners("alice") == {"alice", "tests"}
    assert Board.open().owners("gone") == {"gone"}


@pytest.mark.attack(
    "the id of somebody else's submission",
    outcome="refused: `id-mismatch`; the right id is named",
    against="submissions",
)
def test_an_id_that_is_taken_before_its_owner_has_it_is_refused(
    hub: MiniHub, honest: Path, look_alike: Path, tmp_path: Path
) -> None:
    theirs = changed(look_alike, tmp_path, submitter="bob", name="bob/best")
    squatted = theirs.rename(theirs.with_name(honest.name))
    low = proposed(hub, squatted, token="hf_bob")
    high = proposed(hub, honest)
    assert outcomes(passed()) == [(low, "refused"), (high, "accepted")]
    assert logged(hub)[0].codes == ["id-mismatch"]


def test_the_facts_reach_another_process(tmp_path: Path) -> None:
    told = Beside(
        tmp_path, {"3": Request("alice", "2026-01-03 10:00:00")}, "2026-01-03 11:00:00",
        {"x": {TASK: "b" * 64}}, frozenset({"bob", "acme"}),
    )  # fmt: skip
    told.write()
    assert Beside.read(tmp_path) == told
    Beside(tmp_path).write()
    assert Beside.read(tmp_path) == Beside(tmp_path)


@pytest.mark.slow
def test_another_process_finds_what_stands_beside(
    hub: MiniHub, honest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = changed(honest, tmp_path, submitter="bob", name="meta/best")
    first, second = proposed(hub, honest), proposed(hub, copy, token="hf_bob")
    around = Surroundings(Board.open(), tmp_path / "beside", lambda text: None)
    beside = around.of(second, "bob", [])
    monkeypatch.undo()  # the verifier of its own process
    found = bounded.verify(copy, tmp_path / "none", checked=TODAY, author="bob", beside=beside)
    assert [one.code for one in found.flags] == ["unaffiliated", "earlier-request"]
    assert f"Pull request {first}" in found.flags[1].detail
