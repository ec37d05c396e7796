"""Submitting to a local Hub, and verifying the pull requests that arrive there."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
import typer
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from typer.testing import CliRunner

from otherminds.cli import leaderboard as cli_leaderboard
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.leaderboard.judging import expected as expectations
from otherminds.leaderboard.judging.expected import UnavailableError
from otherminds.leaderboard.judging.verify import verify
from otherminds.leaderboard.records import limits, moderation, verifications, vouching
from otherminds.leaderboard.records.moderation import Decision
from otherminds.leaderboard.records.record import Submission
from otherminds.leaderboard.sending.build import build
from otherminds.leaderboard.sending.submit import lines, submit, verify_pull_request
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.running.signing import JUDGE_ROLE
from tests.engine.analysis.conftest import SUBSET, evaluated
from tests.engine.leaderboard.conftest import TASK, TOLD, Forged
from tests.minihub import MiniHub
from tests.minihub.boards import REPO, empty_board

APP = typer.Typer()
APP.command()(cli_leaderboard.submit)
APP.add_typer(cli_leaderboard.LEADERBOARD, name="leaderboard")

Propose = Callable[..., int]


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MiniHub]:
    """A Hub with an empty board, that this process is logged in to as Alice, who may not write."""
    with empty_board(monkeypatch, tmp_path / "home") as running:
        yield running


@pytest.fixture
def propose(local: MiniHub) -> Propose:
    """Open a pull request with some files, as whoever wants to."""

    def opened(*operations: CommitOperationAdd | CommitOperationDelete) -> int:
        api = HfApi(endpoint=local.url, token="hf_alice")
        made = api.create_commit(
            REPO, operations, commit_message="change", repo_type="dataset", create_pr=True
        )
        assert made.pr_num is not None
        return int(made.pr_num)

    return opened


def added(path: str, content: bytes = b"x") -> CommitOperationAdd:
    return CommitOperationAdd(path, content)


def all_of(folder: Path, name: str | None = None) -> list[CommitOperationAdd]:
    return [
        CommitOperationAdd(
            f"submissions/{name or folder.name}/{path.relative_to(folder).as_posix()}", str(path)
        )
        for path in sorted(folder.rglob("*.*"))
        if path.is_file()
    ]


def test_a_submission_is_a_pull_request_that_is_accepted(
    local: MiniHub, results: Path, tmp_path: Path
) -> None:
    said: list[str] = []
    done = submit([results], TOLD, out=tmp_path / "out", say=said.append)
    assert done.url == f"{local.url}/datasets/{REPO}/discussions/1"
    assert said[0] == "Accepted: re-scored"
    outcome = verify_pull_request(1)
    assert outcome.level == "re-scored"
    assert outcome.submission is not None
    assert outcome.submission.model.name == TOLD.name

    owner = HfApi(endpoint=local.url, token="hf_owner")
    owner.merge_pull_request(REPO, 1, repo_type="dataset")
    # What is merged is a duplicate when it is sent again, and the sender is told so.
    with pytest.raises(OtherMindsError, match="would be refused"):
        submit(
            [results], replace(TOLD, name="tests/other"), out=tmp_path / "again", say=said.append
        )
    assert any("duplicate-answers" in line for line in said)


def test_a_dry_run_sends_nothing(results: Path, tmp_path: Path) -> None:
    said: list[str] = []
    done = submit([results], TOLD, out=tmp_path, dry_run=True, say=said.append)
    assert done.url is None
    assert (tmp_path / done.id / "record.json").is_file()
    assert said[-1].endswith("nothing was sent.")


def test_a_run_without_golds_is_refused_in_one_line(cache: Path, tmp_path: Path) -> None:
    run(["trust_game_round1"], ["--limit", "2", "--output_path", str(tmp_path / "run")], Options())
    with pytest.raises(OtherMindsError, match=r"^No board takes trust_game_round1: "):
        build([tmp_path / "run"], TOLD, tmp_path / "out")


def test_an_empty_folder_and_the_records_beside_a_submission_are_none(
    results: Path, tmp_path: Path
) -> None:
    done = submit([results], TOLD, out=tmp_path, dry_run=True, say=lambda text: None)
    beside = tmp_path / f"{done.id}-records"
    wrong = CliRunner().invoke(APP, ["leaderboard", "verify", str(beside)])
    assert str(wrong.exception).endswith(f"Verify {tmp_path / done.id}.")
    (tmp_path / "empty-folder").mkdir()
    empty = CliRunner().invoke(APP, ["leaderboard", "verify", str(tmp_path / "empty-folder")])
    assert empty.output.count("There is no record.json.") == 1


@pytest.mark.attack(
    "a submission in the name of somebody else",
    outcome="refused: `submitter-mismatch`",
    against="board",
)
def test_nobody_submits_for_another(local: MiniHub, results: Path, tmp_path: Path) -> None:
    with pytest.raises(
        OtherMindsError, match="logged in as alice, and the board refuses a submission that bob"
    ):
        submit([results], replace(TOLD, submitter="bob"), out=tmp_path, say=lambda text: None)
    assert not list(tmp_path.glob("*/record.json"))
    assert local.repo(REPO).prs == {}


def test_a_pull_request_may_be_older_than_main(
    local: MiniHub, propose: Propose, honest: Path
) -> None:
    number = propose(*all_of(honest))
    HfApi(endpoint=local.url, token="hf_owner").upload_file(
        path_or_fileobj=b"---\nlicense: mit\n---\n# The board\n",
        path_in_repo="README.md",
        repo_id=REPO,
        repo_type="dataset",
    )
    assert verify_pull_request(number).is_accepted


@pytest.mark.attack(
    "a pull request that changes, deletes or adds anything else",
    outcome="refused: `touches-others`, `unexpected-file`",
    against="board",
)
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (
            lambda folder: [added("README.md", b"---\nlicense: mit\n---\n# Mine\n")],
            "touches-others",
        ),
        (lambda folder: [CommitOperationDelete("README.md")], "touches-others"),
        (lambda folder: [*all_of(folder), added("other.txt")], "touches-others"),
        (lambda folder: [*all_of(folder), *all_of(folder, "two")], "touches-others"),
        (lambda folder: [added("submissions/README.md")], "touches-others"),
        (lambda folder: all_of(folder, "Mine"), "folder-name"),
        (
            lambda folder: [
                *all_of(folder),
                added(f"submissions/{folder.name}/verification.json", b"{}"),
            ],
            "unexpected-file",
        ),
        (
            lambda folder: [
                added("submissions/large/record.json", b" " * (limits.RECORD_BYTES + 1))
            ],
            "file-too-large",
        ),
        (lambda folder: [added("submissions/empty/answers/a.parquet")], "record-missing"),
    ],
)
def test_pull_requests_that_do_anything_else_are_refused(
    propose: Propose,
    honest: Path,
    change: Callable[[Path], list[CommitOperationAdd | CommitOperationDelete]],
    code: str,
) -> None:
    outcome = verify_pull_request(propose(*change(honest)))
    assert [one.code for one in outcome.reasons] == [code]


@pytest.mark.attack(
    "a submission that is there already",
    outcome="refused: `duplicate-id`",
    against="board",
)
def test_the_id_of_a_submission_that_is_there_is_refused(
    local: MiniHub, propose: Propose, honest: Path
) -> None:
    first, second = propose(*all_of(honest)), propose(*all_of(honest))
    HfApi(endpoint=local.url, token="hf_owner").merge_pull_request(REPO, first, repo_type="dataset")
    assert [one.code for one in verify_pull_request(second).reasons] == ["duplicate-id"]


def test_a_pull_request_that_is_not_there_is_one_clear_error(local: MiniHub) -> None:
    with pytest.raises(OtherMindsError, match="Cannot find pull request 7 of"):
        verify_pull_request(7)


def test_the_command_line_submits_and_verifies(
    local: MiniHub, results: Path, tmp_path: Path
) -> None:
    words = ["--model-name", "tests/random", "--submitter", "alice", "--revision", "seed-1"]
    words.append("--reference")
    out = tmp_path / "out"
    done = CliRunner().invoke(APP, ["submit", str(results), *words, "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "Opened: " in done.output
    asked = CliRunner().invoke(APP, ["leaderboard", "verify", "1", "--org", "otherminds"])
    assert (asked.exit_code, asked.output.splitlines()[0]) == (0, "Accepted: re-scored")
    [folder] = (path.parent for path in out.glob("*/record.json"))
    Forged(folder).task(n_items=1)
    refused = CliRunner().invoke(APP, ["leaderboard", "verify", str(folder)])
    assert refused.exit_code == 1
    assert refused.output.startswith("Refused\n✗ n-items")
    told = CliRunner().invoke(APP, ["leaderboard", "verify", str(folder), "--json"])
    assert '"level": null' in told.output
    missing = CliRunner().invoke(APP, ["leaderboard", "verify", str(tmp_path / "nowhere")])
    assert isinstance(missing.exception, OtherMindsError)


def test_a_record_says_what_a_reader_needs(honest: Path) -> None:
    found = Submission.model_validate_json((honest / "record.json").read_bytes())
    [run] = found.tasks
    assert (run.n_items, run.repeats, run.subset) == (390, 1, 50)
    assert run.seeds["random_seed"] == 0
    assert run.decoding["temperature"] == "0.1"
    shown = lines(verify(honest))
    assert any("bsi_acc" in line and "[" in line for line in shown)


def test_a_record_names_the_version_that_ran_and_not_the_one_that_submits(
    results: Path, tmp_path: Path
) -> None:
    older = Path(shutil.copytree(results, tmp_path / "older"))
    for path in older.rglob("results_*.json"):
        found = json.loads(path.read_bytes())
        found["otherminds"]["version"] = "0.0.7"
        path.write_text(json.dumps(found), encoding="utf-8")
    made = build([older], TOLD, tmp_path / "out")
    found = Submission.model_validate_json((made / "record.json").read_bytes())
    assert found.harness.otherminds == "0.0.7"


@pytest.mark.parametrize(
    ("changed", "flag"),
    [
        ({"name": "OWNER/NAME"}, "--model-name OWNER/NAME"),
        ({"revision": "COMMIT"}, "--revision COMMIT"),
        ({"weights_sha256": "SHA256"}, "--weights-sha256 SHA256"),
    ],
)
def test_words_that_were_copied_from_the_docs_are_refused(
    results: Path, tmp_path: Path, changed: dict[str, str], flag: str
) -> None:
    with pytest.raises(OtherMindsError, match=f"^{flag} is a placeholder"):
        submit(
            [results], replace(TOLD, **changed), out=tmp_path, dry_run=True, say=lambda text: None
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.attack(
    "a run of a model that reads golds, or has no weights, under a model's name",
    outcome="`submit` sends nothing, and says why",
    against="board",
)
def test_a_model_without_weights_is_refused_unless_a_maintainer_says_so(
    results: Path, tmp_path: Path
) -> None:
    words = ["submit", str(results), "--model-name", "tests/real", "--revision", "1", "--dry-run"]
    words += ["--out", str(tmp_path)]
    refused = CliRunner().invoke(APP, words)
    assert isinstance(refused.exception, OtherMindsError)
    assert "'random', which has no weights" in str(refused.exception)
    assert list(tmp_path.iterdir()) == []
    assert CliRunner().invoke(APP, [*words, "--reference"]).exit_code == 0


def _played(model: str, role: str | None, **ours: Any) -> Callable[[dict[str, Any]], None]:
    """What a results file says of a run by `model`: `ours` is our part of it, none in plain lm-eval."""

    def change(found: dict[str, Any]) -> None:
        found["config"]["model"] = model
        found.pop("otherminds")
        found |= {"otherminds": ours} if ours else {}
        if role is not None:
            metadata = found["configs"][TASK]["metadata"]
            metadata |= {
                "role": role,
                "stages": ["first"],
                "samples": {"first": "x/random/y.jsonl"},
            }

    return change


_REAL = {"name": "hf", "args": {"pretrained": "tests/real"}}


@pytest.mark.attack(
    "a run of a model that reads golds, or has no weights, under a model's name",
    outcome="`submit` sends nothing, and says why",
    against="board",
)
@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_played("dummy", None), "was answered by 'dummy'"),
        (_played("dummy", None, weightless=False), "was answered by 'dummy'"),
        (
            _played(
                "vllm",
                JUDGE_ROLE,
                weightless=False,
                stage_models={"first": {"name": "random", "args": {}}},
            ),
            "was answered by 'random'",
        ),
        (
            _played("hf", None, weightless=False, stage_models={"first": {"name": "dummy"}}),
            "was answered by 'dummy'",
        ),
        (_played("vllm", JUDGE_ROLE), "was answered by 'random'"),
        (
            _played("lexical-judge", JUDGE_ROLE, weightless=True, stage_models={"first": _REAL}),
            "was judged by 'lexical-judge'",
        ),
        # One of a benchmark that is not installed here.
        (_played("elsewhere", None, weightless=True), "was answered by 'elsewhere'"),
    ],
)
def test_no_part_of_a_run_may_be_of_a_model_without_weights(
    results: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], told: str
) -> None:
    copy = shutil.copytree(results, tmp_path / "run")
    [path] = copy.rglob("results_*.json")
    found = json.loads(path.read_bytes())
    change(found)
    path.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(OtherMindsError) as refused:
        build([copy], replace(TOLD, reference=False), tmp_path / "out")
    said = str(refused.value)
    assert said.startswith(f"{TASK} {told}, which has no weights")
    assert ("--judge-model" in said) == ("judged" in told)


def test_what_needs_access_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: Any, **__: Any) -> NoReturn:
        raise AccessNeededError("The data are not here.", steps=("Ask.", "Wait."))

    monkeypatch.setattr(expectations.data, "provenance", closed)
    with pytest.raises(UnavailableError) as told:
        expectations.expected.__wrapped__(TASK)
    said = str(told.value)
    assert said.startswith("The data are not here. Submissions are scored from ")
    assert "\n" not in said


def test_a_limited_run_is_refused_in_one_line(cache: Path, tmp_path: Path) -> None:
    evaluated(tmp_path / "run", "--model", "random", "--limit", "7", *SUBSET, task=TASK)
    with pytest.raises(OtherMindsError) as refused:
        submit([tmp_path / "run"], TOLD, out=tmp_path / "out", dry_run=True, say=lambda text: None)
    said = str(refused.value)
    assert said.startswith(f"{TASK}: 7 of 390 documents were answered (--limit 7)")
    assert "\n" not in said


@pytest.mark.slow
def test_a_dry_run_can_be_looked_at_as_a_page(cache: Path, tmp_path: Path) -> None:
    said: list[str] = []
    results = tmp_path / "run"
    evaluated(results, "--model", "random", *SUBSET, task="hugagent_synthetic")
    done = submit([results], TOLD, out=tmp_path / "sent", dry_run=True, say=said.append)
    folder = tmp_path / "sent" / done.id
    assert f"leaderboard build board-preview --preview {folder}" in said[-2]
    out = tmp_path / "page"
    shown = CliRunner().invoke(
        APP, ["leaderboard", "build", str(out), "--preview", str(folder)], catch_exceptions=False
    )
    assert "On the boards: submissions 1, models 1." in shown.output
    assert f"A preview of {TOLD.name}, as if it were accepted:" in shown.output
    assert "  hugagent_synthetic: on the board '" in shown.output
    assert TOLD.name in (out / "board.csv").read_text(encoding="utf-8")
    # The submission itself stays as it is: nobody has accepted it.
    assert not (folder / "verification.json").exists()
    empty = CliRunner().invoke(
        APP, ["leaderboard", "build", str(tmp_path / "all"), "--submissions", str(folder.parent)]
    )
    assert "The boards are empty" in empty.output
    assert f"--preview {folder}" in empty.output


def test_a_preview_says_where_a_task_has_no_board(honest: Path, tmp_path: Path) -> None:
    words = ["leaderboard", "build", str(tmp_path / "page"), "--preview", str(honest)]
    said = CliRunner().invoke(APP, words, catch_exceptions=False).output
    assert f"  {TASK}: on no board\nBoards are of the tasks " in said
    assert "The boards are empty" in said
    # A page of ours is replaced, one of others is not.
    assert CliRunner().invoke(APP, words).exit_code == 0
    (tmp_path / "page" / "index.html").write_text("<title>Mine</title>")
    refused = CliRunner().invoke(APP, words)
    assert "`otherminds leaderboard build` did not write" in str(refused.exception)
    assert (tmp_path / "page" / "index.html").read_text() == "<title>Mine</title>"


@pytest.mark.parametrize("state", ["vouched for", "altered", "withdrawn", "without a log"])
def test_a_preview_shows_others_as_the_moderation_log_has_them(
    honest: Path, tmp_path: Path, state: str
) -> None:
    evaluated(tmp_path / "run", "--model", "random", "--model_args", "seed=7", *SUBSET, task=TASK)
    told = replace(TOLD, name="tests/seven", revision="seed-7")
    mine = build([tmp_path / "run"], told, tmp_path / "mine")
    folder = tmp_path / "board" / "submissions"
    other = Path(shutil.copytree(honest, folder / honest.name))
    verifications.write(other, verify(honest).verification(TOLD.date))
    facts = {"date": TOLD.date, "submission": honest.name, "by": "owner"}
    lines = [Decision(action="accepted", files_sha256=vouching.digest(other), **facts)]
    if state == "withdrawn":
        lines.append(Decision(action="withdrawn", **facts))
    if state != "without a log":
        (folder.parent / moderation.LOG).write_bytes(moderation.appended(b"", lines))
    if state == "altered":
        changed = verifications.read(other).model_copy(update={"level": "re-run"})
        verifications.write(other, changed)
    words = ["leaderboard", "build", str(tmp_path / "page"), "--preview", str(mine)]
    shown = CliRunner().invoke(APP, [*words, "--submissions", str(folder)], catch_exceptions=False)
    is_shown = state in ("vouched for", "without a log")
    assert f"Of tasks without a board: submissions {1 + is_shown}." in shown.output
    assert (f"{honest.name} is left out: " in shown.output) == (not is_shown)
    assert ("nothing vouches for" in shown.output) == (state == "without a log")


def test_a_preview_of_what_would_be_refused_says_why(honest: Path, tmp_path: Path) -> None:
    words = ["leaderboard", "build", str(tmp_path / "page"), "--preview"]
    nothing = CliRunner().invoke(APP, [*words, str(tmp_path)])
    assert "is not a submission" in str(nothing.exception)
    copy = shutil.copytree(honest, tmp_path / honest.name)
    Forged(copy).task(n_items=1)
    refused = CliRunner().invoke(APP, [*words, str(copy)])
    assert "would be refused, so no board can show it: n-items" in str(refused.exception)
    assert not (tmp_path / "page").exists()
