"""`otherminds construct` and `otherminds run construct_…`, as a user runs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness
from tests.conftest import Command
from tests.helpers import scripted_author
from tests.helpers.scripted_author import answer, good, sheets


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with scripted_author.installed(tmp_path_factory.mktemp("site")):
        yield


class Scripted(harness.LM):
    """Answers sheets as the scripted author does; every unit's first habits with an introduction."""

    asked: list[str]

    def generate_until(
        self, requests: list[harness.Instance], disable_tqdm: bool = False
    ) -> list[str]:
        answers = []
        for request in requests:
            prompt = str(request.args[0])
            self.asked.append(prompt)
            sheet = {"sheet_id": "", "stage": self._stage(prompt), "prompt": prompt}
            # Its words tell units apart by their prompts.
            sheet["sheet_id"] = f"{len(prompt)}-{abs(hash(prompt))}.x"
            text = json.dumps(good(sheet))
            is_first = sheet["stage"] == "habits" and "not accepted" not in prompt
            answers.append(f"<think>hm {{</think>{'Here: ' * is_first}{text}")
            self.cache_hook.add_partial("generate_until", request.args, answers[-1])
        return answers

    def loglikelihood(self, requests: list[harness.Instance]) -> list[tuple[float, bool]]:
        raise AssertionError("It writes.")

    def loglikelihood_rolling(self, requests: list[harness.Instance]) -> list[float]:
        raise AssertionError("It writes.")

    @staticmethod
    def _stage(prompt: str) -> str:
        marks = {
            "Let a person tell": "habits",
            "Write a scene of the evening": "evening",
            "Score 0 to 5": "validation",
            "Rate from 1": "rating",
            "How does this person go": "reading",
        }
        return next(stage for mark, stage in marks.items() if mark in prompt)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    model = Scripted()
    model.asked = []
    known = harness.model_names()
    monkeypatch.setattr(harness, "model_names", lambda: [*known, "scripted", "other"])
    make = harness.make_model

    def made(arguments: Any) -> Any:
        return model if arguments.model in ("scripted", "other") else make(arguments)

    monkeypatch.setattr(harness, "make_model", made)
    return model


def test_pipelines_are_listed(command: Command, tmp_path: Path) -> None:
    said = command("otherminds", "construct", "pipelines", cwd=tmp_path).stdout
    assert "commute-written" in said
    assert "a scene that gives nothing away" in said


def test_export_import_status_release(command: Command, tmp_path: Path) -> None:
    def run(*words: str | Path, code: int = 0) -> str:
        done = command("otherminds", "construct", *words, cwd=tmp_path, code=code)
        return done.stdout + done.stderr

    said = run("export", "commute", "--out", "made", "--n", "2")
    assert "2 of habits" in said
    path = answer(sheets(tmp_path / "made"), lambda sheet: "Sure!", tmp_path / "a.jsonl")
    said = run("import", "made", path, "--author", "Ada")
    assert "Accepted 0, refused 2" in said
    assert "person-0000.habits.1: json: The reply is not JSON" in said
    assert "author:" in run("import", "made", write(tmp_path, "b"))
    for author in ("Ada", "Ada", "Vera"):
        run("import", "made", write(tmp_path, "c"), "--author", author, "--family", "A")
    assert "there is nothing to read" in run("read", "made", code=1)
    for slot in (1, 2):
        run("import", "made", write(tmp_path, "d", f"rating_{slot}"), "--author", f"R{slot}")
    said = run("status", "made")
    assert "Units: 2 made, 2 kept, 0 given up, 0 open" in said
    assert "habits, refused by: json 2" in said
    assert "Turned away unread: author 2" in said
    assert "12 of reading" in said
    assert "12 of reading" in run("read", "made")
    assert "have not answered all" in run("release", "made", "--out", "data", code=1)
    for slot in (1, 2):
        words = ("--author", f"P{slot}", "--person")
        run("import", "made", write(tmp_path, "e", f"reading_1_{slot}"), *words)
    assert "Two readers of an item agree on 100.0%" in run("status", "made")
    found = json.loads(run("status", "made", "--json"))
    assert found["waiting"] == {}
    assert found["reading"]["before"]["n_units"] == 2
    said = run("release", "made", "--out", "data")
    assert "Released 2 units of 2 as commute-written" in said
    assert "Those who judged the texts may be models of the same family" in said
    metadata = json.dumps({"data_source": "data"})
    words = ("run", "commute_written", "--model", "oracle", "--metadata", metadata)
    done = command("otherminds", *words, "--output_path", "out", cwd=tmp_path)
    assert "acc" in done.stdout


def write(tmp_path: Path, name: str, *files: str) -> Path:
    return answer(sheets(tmp_path / "made", *files), good, tmp_path / f"{name}.jsonl")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export", "chess", "--out", "new"), "Unknown pipeline 'chess'"),
        (("export", "commute", "--out", "new", "--n", "0"), "greater than or equal to 1"),
        (("export", "commute", "--out", "new", "--material", "no.yaml"), "no file no.yaml"),
        (("import", "nowhere"), "nowhere is no construction"),
        (("status", "nowhere"), "nowhere is no construction"),
        (("release", "nowhere", "--out", "x"), "nowhere is no construction"),
        (("import", "made"), "There is no reply in"),
        (("import", "made", "none.jsonl"), "Cannot read none.jsonl"),
        (("import", "made", "--person"), "give --author NAME too"),
        (("import", "made", "--author", " "), "--author is empty"),
        (("write", "made", "--stage", "habit"), "Did you mean 'habits'"),
        (("write", "made", "--metadata", "{}"), "--metadata is set by this command"),
    ],
)
def test_misuse_is_one_line(
    command: Command, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    command("otherminds", "construct", "export", "commute", "--out", "made", cwd=tmp_path)
    done = command("otherminds", "construct", *words, cwd=tmp_path, code=None)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert not (tmp_path / "new").exists()


def test_a_stage_is_a_task(command: Command, tmp_path: Path, scripted: Scripted) -> None:
    command(
        "otherminds", "construct", "export", "commute", "--out", "made", "--n", "2", cwd=tmp_path
    )
    words = ("run", "construct_commute_habits", "--model", "scripted", "--output_path", "runs")
    words += ("--metadata", json.dumps({"construct_dir": "made"}))
    done = command("otherminds", *words, cwd=tmp_path)
    # All were introduced: none can be accepted.
    [path] = (tmp_path / "runs").rglob("results_*.json")
    found = json.loads(path.read_text(encoding="utf-8"))
    scores = found["results"]["construct_commute_habits"]
    assert (scores["accepted,none"], scores["n_sheets,none"]) == (0.0, 2)
    reasons = found["otherminds"]["scores"]["construct_commute_habits"]["by_reason"]
    assert reasons["text_around"]["refused"]["value"] == 1.0
    # Again: the journal answers.
    n = len(scripted.asked)
    command("otherminds", *words, cwd=tmp_path)
    assert len(scripted.asked) == n
    done = command("otherminds", "construct", "import", "made", "runs", cwd=tmp_path)
    assert "refused 2" in done.stdout
    assert [one["sheet_id"] for one in sheets(tmp_path / "made")] == [
        "person-0000.habits.2",
        "person-0001.habits.2",
    ]


def test_a_model_writes_until_nothing_waits(
    command: Command, tmp_path: Path, scripted: Scripted
) -> None:
    def run(*words: str) -> str:
        return command("otherminds", "construct", *words, cwd=tmp_path).stdout

    run("export", "commute", "--out", "made", "--n", "2")
    said = run("write", "made", "--model", "scripted", "--family", "S")
    assert "Sheets that wait: 2 of validation" in said
    state = json.loads(run("status", "made", "--json"))
    assert state["funnel"]["stages"]["habits"]["refused"] == {"text_around": 2}
    done = command(
        *("otherminds", "construct", "write", "made", "--stage", "validation"),
        *("--model", "scripted"),
        cwd=tmp_path,
        code=1,
    )
    assert "own_unit" in done.stdout
    assert "No reply to the stage 'validation' was looked at" in done.stderr
    run("write", "made", "--stage", "validation", "--model", "other")
    ledger = (tmp_path / "made" / "ledger.jsonl").read_text(encoding="utf-8").splitlines()
    authors = {json.loads(line)["author"] for line in ledger}
    assert authors == {"scripted", "other"}
    assert {json.loads(line).get("family") for line in ledger} == {"S", None}


def test_without_a_folder_an_example_is_shown(command: Command, tmp_path: Path) -> None:
    said = command("otherminds", "show", "construct_commute_evening", cwd=tmp_path).stdout
    assert "Write a scene of the evening before" in said
    assert "construct_dir" in said
    done = command(
        *("otherminds", "run", "construct_commute_reading", "--model", "dummy"),
        cwd=tmp_path,
        code=1,
    )
    assert "otherminds construct export commute" in done.stderr
