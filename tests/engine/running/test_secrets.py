"""No key, password or token that a run is given reaches a file, a page or a terminal."""

from __future__ import annotations

import base64
import importlib.util
import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from otherminds import credentials
from otherminds.analysis.facts import facts_of
from otherminds.credentials import MARK
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.running.signing import model_label
from tests.conftest import Command
from tests.helpers.openai_server import Server, serving
from tests.helpers.packed import unpacked

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tenacity") is None,
    reason="lm-eval's API models are not installed: pip install 'lm-eval[api]'.",
)

TASK = "hugagent_bsi_synthetic"
NAME = "tiny-1 (max_gen_toks=64)"
SOME = ("--metadata", "data_subset=50", "--output_path")
STAGED = "hugagent_reflections_synthetic"

SECRETS: Mapping[str, str] = {
    "api_key": "sk-proj-Zk31aaFFq9Lw0TtYb7",
    "bearer": "opaque+bearer/77QzP1w==",
    "own header": "swordfish-header-4411",
    "cookie": "sid=c00kie91aa",
    "auth_token": "plainwordsauthenticationtoken",
    "password in the address": "hunter2x",
    "parameter of the address": "Qk0paramKey5",
    "nested": "correct-horse-battery-9",
    "of the Hub": "hf_QwErTyUiOpAsDfGh12",
    "of the environment": "env-5f6a7b8c9d0e-key",
    "random, under any name": "a8f5f167f44f4964e6c998dee827110c",
    "web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl42",
    "of the judge": "gsk_aZ09bY18cX27dW36eV45",
    "of a push": "hf_PushPushPushPush77",
}


class Telling:
    """A server's model that repeats keys in every answer."""

    def generate(self, prompt: Any, body: dict[str, Any]) -> str:
        return f"A. My key is {SECRETS['api_key']}, yours {SECRETS['of the environment']}."

    def echoed(self, prompt: Any) -> dict[str, Any]:
        raise NotImplementedError


def arguments(server: Server) -> dict[str, Any]:
    address = server.address.replace("//", f"//me:{SECRETS['password in the address']}@")
    key = SECRETS["parameter of the address"]
    return {
        "model": "tiny-1",
        "base_url": f"{address}/chat/completions?api-key={key}",
        "api_key": SECRETS["api_key"],
        "auth_token": SECRETS["auth_token"],
        "header": {
            "Authorization": f"Bearer {SECRETS['bearer']}",
            "X-Tenant": SECRETS["own header"],
            "Cookie": SECRETS["cookie"],
            "Content-Type": "application/json",
        },
        "client": {"options": [{"password": SECRETS["nested"]}]},
        "note": SECRETS["of the Hub"],
        "tenant": SECRETS["random, under any name"],
        "trace": SECRETS["web token"],
        "max_gen_toks": 64,
        "max_retries": 1,
    }


def flags(server: Server, **changes: Any) -> list[str]:
    told = arguments(server) | changes
    return ["--model", "local-chat-completions", "--model_args", json.dumps(told)]


def forms(secret: str) -> set[bytes]:
    """A secret as it may stand in a file: as it is, in JSON, or behind a name in a header."""
    texts = {secret, json.dumps(secret)[1:-1], base64.b64encode(f"me:{secret}".encode()).decode()}
    return {text.encode() for text in texts}


def contents(folder: Path) -> Iterator[tuple[Path, bytes]]:
    for path in sorted(folder.rglob("*")):
        yield path, str(path).encode()
        if path.is_file():
            yield path, unpacked(path)
            if path.suffix == ".parquet":
                import pyarrow.parquet as pq

                yield path, repr(pq.read_table(path).to_pylist()).encode()


def leaks(folder: Path) -> dict[str, set[str]]:
    """By kind of secret, the files that hold it."""
    found: dict[str, set[str]] = {}
    for path, content in contents(folder):
        for kind, secret in SECRETS.items():
            if any(form in content for form in forms(secret)):
                found.setdefault(kind, set()).add(str(path.relative_to(folder)))
    return found


def printed_leaks(text: str) -> list[str]:
    return [
        kind for kind, secret in SECRETS.items() if any(f.decode() in text for f in forms(secret))
    ]


@pytest.mark.slow
@pytest.mark.attack(
    "keys, passwords and tokens in a run's arguments, the environment or an address",
    outcome="masked in all files and outputs, also with `--debug` and in errors",
    against="secrets",
)
def test_ten_kinds_of_secrets_are_in_no_output_of_any_command(
    command: Command, cache: Path, tmp_path: Path
) -> None:
    env = {"OPENAI_API_KEY": SECRETS["of the environment"], "OTHERMINDS_HUB_ORG": "nobody"}
    said: list[str] = []

    def call(*words: str | Path, code: int | None = 0) -> str:
        done = command("otherminds", *words, cwd=tmp_path, env=env, code=code)
        leaked = printed_leaks(done.stdout + done.stderr)
        assert not leaked, f"{words[:3]} printed: {leaked}"
        said.append(done.stdout + done.stderr)
        return said[-1]

    other = f"local-chat-completions,model=tiny-2,api_key={SECRETS['of the judge']}"
    with serving(Telling()) as server:
        call("--debug", "run", TASK, *flags(server), *SOME, "out")
        call("run", TASK, "--model", "random", *SOME, "random")
        staged = f"{other},base_url={server.address}/chat/completions"
        call(
            *("run", STAGED, *flags(server), "--limit", "2", "--output_path", "staged"),
            *("--stage-model", f"hugagent_reflections_notes_synthetic={staged}"),
        )
        push = f"push_results_to_hub=False,token={SECRETS['of a push']}"
        call("run", TASK, *flags(server), *SOME, "out", "--hf_hub_log_args", push)
    with serving(Telling(), lambda number: "500") as server:
        for debug in ((), ("--debug",)):
            words = ("run", TASK, *flags(server), "--limit", "1", "--output_path", "failed")
            assert "gave no answer" in call(*debug, *words, code=1)
    # Words that lm-eval or this program does not understand.
    broken = json.dumps({"header": {"Authorization": SECRETS["bearer"]}})[:-1]
    call("run", TASK, "--model", "local-chat-completions", "--model_args", broken, code=None)
    call("run", TASK, "--metadata", f"api_key={SECRETS['api_key']}", code=None)
    call("run", TASK, "--model", f"hf,token={SECRETS['of the Hub']}", code=None)

    reads(call, "out", "random")
    assert not leaks(tmp_path)
    # The runs are there, and say all that is no secret.
    path, *_ = sorted((tmp_path / "out/tiny-1").glob("results_*.json"))
    config = json.loads(path.read_text(encoding="utf-8"))["config"]
    shown = config["model_args"]
    assert shown["header"] == {
        **dict.fromkeys(("Authorization", "X-Tenant", "Cookie"), MARK),
        "Content-Type": "application/json",
    }
    assert shown["base_url"].startswith(f"http://{MARK}@127.0.0.1:")
    assert shown["base_url"].endswith(f"/chat/completions?api-key={MARK}")
    assert shown["max_gen_toks"] == 64
    assert shown["client"] == {"options": [{"password": MARK}]}
    assert model_label(config) == NAME
    [manifest] = (tmp_path / "staged").glob("stages_*.json")
    notes, last = (stage["model"]["args"] for stage in json.loads(manifest.read_bytes())["stages"])
    assert notes["api_key"] == last["api_key"] == MARK
    table = (tmp_path / "report/table_hugagent-synthetic.md").read_text(encoding="utf-8")
    assert "tiny-1 (max" in table


def reads(call: Callable[..., str], run: str, other: str) -> None:
    """All commands that read a run."""
    call("score", run, "--details", "--json")
    call("score", run, "-o", "score.csv")
    assert NAME in call("compare", run, other)
    call("compare", run, other, "-o", "compare.json")
    assert NAME in call("gain", run, other, code=1)
    call("ensemble", run, other, "-o", "vote")
    call("report", run, other, "-o", "report")
    call("redact", run, "shown")
    stated = ("--model-name", "me/tiny-1", "--revision", "2026-01-02", "--submitter", "me")
    call("submit", run, *stated, "--dry-run", "--out", "submissions")
    call("leaderboard", "build", "board", "--submissions", "submissions")


@pytest.mark.slow
@pytest.mark.attack(
    "secrets in results files of plain `lm_eval`, or of before",
    outcome="masked in all that is made of them",
    against="secrets",
)
def test_results_of_before_and_of_plain_lm_eval_tell_nobody_what_is_in_them(
    command: Command, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Telling()) as server:
        told = arguments(server) | {"model": "tiny-1"}
    with monkeypatch.context() as patch:
        patch.chdir(tmp_path)
        command("otherminds", "run", TASK, "--model", "random", *SOME, "random", cwd=tmp_path)
        command("otherminds", "run", TASK, "--model", "random", *SOME, "old", cwd=tmp_path)
    [path] = (tmp_path / "old").rglob("results_*.json")
    found = json.loads(path.read_bytes())
    # As lm-eval writes them: in its own block, and in the metadata of every task.
    found["config"] |= {"model": "local-chat-completions", "model_args": told}
    found["configs"][TASK]["metadata"] |= told
    found["otherminds"]["weightless"] = False
    path.write_text(json.dumps(found), encoding="utf-8")
    monkeypatch.setattr(credentials, "_LEARNED", credentials._Learned())
    shutil.move(tmp_path / "old", tmp_path / "inputs")

    def call(*words: str | Path, code: int | None = 0) -> str:
        env = {"OTHERMINDS_HUB_ORG": "nobody"}
        done = command("otherminds", *words, cwd=tmp_path, env=env, code=code)
        assert not printed_leaks(done.stdout + done.stderr), words
        return done.stdout + done.stderr

    [samples] = (tmp_path / "inputs").rglob("samples_*")
    assert not printed_leaks(repr(facts_of(samples, note=pytest.fail)))
    reads(call, "inputs", "random")
    shutil.rmtree(tmp_path / "inputs")
    assert not leaks(tmp_path)


# The same model


def run_with(server: Server, folder: Path, **changes: Any) -> dict[str, Any]:
    found = run(
        [TASK], [*flags(server, **changes), "--limit", "4", "--output_path", str(folder)], Options()
    )
    assert found is not None
    return dict(found.results["otherminds"]["journal"])


@pytest.mark.attack(
    "a new key, which would make another model and ask everything again",
    outcome="one model; its answers are shared",
    against="secrets",
)
def test_runs_that_differ_in_secrets_alone_are_one_model_and_share_its_answers(
    cache: Path, tmp_path: Path
) -> None:
    with serving(Telling()) as server:
        assert run_with(server, tmp_path)["asked"] == 4
        header = arguments(server)["header"] | {"Authorization": "Bearer x9", "Cookie": "b=2"}
        address = server.address.replace("//", "//me:other@") + "/chat/completions?api-key=other"
        changed = {"api_key": "another", "header": header, "tenant": SECRETS["of the judge"]}
        assert run_with(server, tmp_path, **changed, base_url=address)["asked"] == 0
        assert run_with(server, tmp_path, temperature=0.5)["asked"] == 4


@pytest.mark.attack(
    "a short secret under a telling name",
    outcome="masked",
    against="secrets",
)
def test_a_word_that_no_text_is_searched_for_is_not_written_either(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = {"api_key": "abcde", "header": {"Authorization": "fghij", "X-Id": "klmno"}}
    with serving(Telling()) as server:
        run_with(
            server, tmp_path, **short, model="https://me:pqrst@h/tiny?api_key=uvwxy", client=None
        )
    captured = capsys.readouterr()
    for word in ("abcde", "fghij", "klmno", "pqrst", "uvwxy"):
        assert word not in captured.out + captured.err
        assert not [path for path, found in contents(tmp_path) if word.encode() in found]
    [path] = tmp_path.rglob("results_*.json")
    assert json.loads(path.read_bytes())["model_name"] == f"https://{MARK}@h/tiny?api_key={MARK}"


@pytest.mark.attack(
    "a journal of before, whose keys were made with the secret",
    outcome="resumed",
    against="secrets",
)
def test_a_journal_of_before_whose_keys_had_the_secret_in_them_is_resumed(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Telling()) as server:
        with monkeypatch.context() as patch:
            # As it was: all arguments, secret or not, made the key.
            patch.setattr(credentials, "identity", dict)
            assert run_with(server, tmp_path)["asked"] == 4
        again = run_with(server, tmp_path)
        assert (again["asked"], again["reused"]) == (0, 4)
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as database:
        [(count,)] = database.execute("SELECT COUNT(*) FROM answers")
    assert count == 4
