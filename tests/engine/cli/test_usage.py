"""Words that are not understood, interruptions, terminals of all kinds: one line, and no trace."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest

from otherminds import benchmark, console, manifest
from otherminds.cli import main as cli
from otherminds.cli import usage
from otherminds.data.build import dataset as builds
from otherminds.publishing import publish as publishing
from tests.conftest import Command


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            "runn",
            "Unknown command 'runn'. Did you mean 'run'? `otherminds --help` prints them all.",
        ),
        ("bogus", "Unknown command 'bogus'. `otherminds --help` prints them all."),
        (
            "leaderboard bild",
            "Unknown command 'bild'. Did you mean 'build'? `otherminds leaderboard --help` prints "
            "them all.",
        ),
        (
            "--versoin",
            "Unknown flag '--versoin'. Did you mean '--version'? `otherminds --help` prints them all.",
        ),
        (
            "score x --jsn",
            "Unknown flag '--jsn'. Did you mean '--json'? `otherminds score --help` prints them all.",
        ),
        (
            "run x --modle hf",
            "Unknown flag '--modle'. Did you mean '--model'? `otherminds run --help` prints them all.",
        ),
        (
            "run x --judge_model hf",
            "Unknown flag '--judge_model'. Did you mean '--judge-model'? `otherminds run --help` "
            "prints them all.",
        ),
        (
            "run x --limt=5",
            "Unknown flag '--limt'. Did you mean '--limit'? `otherminds run --help` prints them all.",
        ),
        # Taken, though the help leaves it out; and no guess where nothing is near.
        (
            "run --taks x",
            "Unknown flag '--taks'. Did you mean '--tasks'? `otherminds run --help` prints them all.",
        ),
        ("score x --taks", "Unknown flag '--taks'. `otherminds score --help` prints them all."),
        (
            "list --datasets --models",
            "--datasets and --models list different things: give one of them.",
        ),
        (
            "list hugagent --models",
            "Models are of no benchmark: `otherminds list --models` prints them all.",
        ),
        ("score", "Missing argument 'PATHS'. `otherminds score --help` says what it takes."),
        (
            "run x --limit abc",
            "Argument --limit/-L: invalid float value: 'abc'. `otherminds run --help` says what flags "
            "take.",
        ),
    ],
)
def test_what_is_not_understood_is_one_line_with_the_nearest(
    words: str, line: str, command: Command, tmp_path: Path
) -> None:
    done = command("otherminds", *words.split(), cwd=tmp_path, code=2)
    assert (done.stdout, done.stderr) == ("", f"Error: {line}\n")


def test_a_number_that_is_none_is_one_line(command: Command, tmp_path: Path) -> None:
    done = command(
        *("otherminds", "build", "trust-game-synthetic", "out", "--num-proc", "x"),
        cwd=tmp_path,
        code=2,
    )
    assert done.stderr.startswith("Error: Invalid value for '--num-proc': ")
    assert done.stderr.count("\n") == 1


def _interrupt(*_: Any, **__: Any) -> NoReturn:
    raise KeyboardInterrupt


def _answer_one(self: Any, requests: Any, disable_tqdm: bool = False) -> NoReturn:
    self.cache_hook.add_partial("generate_until", requests[0].args, "an answer")
    raise KeyboardInterrupt


@pytest.mark.parametrize(("flags", "again"), [((), ""), (("--fresh",), ", without --fresh,")])
def test_an_interrupted_run_says_what_its_journal_holds(
    flags: tuple[str, ...],
    again: str,
    twelve_people: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    from lm_eval.models.dummy import DummyLM

    monkeypatch.setattr(DummyLM, "generate_until", _answer_one)
    words = ("otherminds", "run", "hugagent_bdu_synthetic", "--model", "dummy", *flags)
    done = command(*words, "--output_path", "out", cwd=tmp_path, code=130)
    assert done.stderr.splitlines()[-1] == (
        "Interrupted. The journal out/journal.sqlite keeps every answer so far (1, with those of "
        f"other runs into this folder): the same command{again} goes on from there and asks none of "
        "them again."
    )
    assert (tmp_path / "out" / "journal.sqlite").is_file()


def test_a_run_that_is_interrupted_before_its_first_answer_says_so(
    twelve_people: Path, command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from lm_eval.models.dummy import DummyLM

    monkeypatch.setattr(DummyLM, "generate_until", _interrupt)
    words = ("otherminds", "run", "hugagent_bdu_synthetic", "--model", "dummy")
    done = command(*words, cwd=tmp_path, code=130)
    assert done.stderr.splitlines()[-1] == (
        "Interrupted. No answer had come yet: the same command begins anew."
    )


def test_an_interrupted_weightless_run_says_that_it_keeps_nothing(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from otherminds.running import run

    monkeypatch.setattr(run, "walk", _interrupt)
    words = ("otherminds", "run", "hugagent_bdu_synthetic", "--limit", "1")
    done = command(*words, cwd=tmp_path, code=130)
    assert done.stderr.splitlines()[-1] == f"Interrupted. {usage._UNSAID['run']}"


def test_an_interrupted_build_says_whether_parts_are_kept(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(builds, "build", _interrupt)
    words = ("otherminds", "build", "trust-game-synthetic", "out")
    done = command(*words, cwd=tmp_path, code=130)
    assert done.stderr.endswith(
        "Interrupted. Nothing was written to out: the same command begins anew.\n"
    )
    words = ("otherminds", "build", "debate-beliefs", "out", "--source", "corpus")
    done = command(*words, cwd=tmp_path, code=130)
    assert done.stderr.endswith(
        "Interrupted. Finished parts are kept: the same command goes on from them.\n"
    )


def test_an_interrupted_publication_says_how_it_is_finished(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(publishing, "publish", _interrupt)
    done = command("otherminds", "publish", "trust-game-synthetic", cwd=tmp_path, code=130)
    assert "Interrupted. A version is published wholly or not at all" in done.stderr


def test_every_other_command_says_what_holds_of_all(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from otherminds import analysis

    monkeypatch.setattr(analysis, "read_runs", _interrupt)
    done = command("otherminds", "score", "x", cwd=tmp_path, code=130)
    assert done.stderr == f"Interrupted. {usage.BEGIN_ANEW}\n"


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode(stream.encoding)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_nothing_fails_where_the_output_is_not_in_unicode(
    encoding: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    monkeypatch.setattr(sys, "argv", ["otherminds", "score", "nought"])
    with pytest.raises(SystemExit):
        cli.main()
    said = "bdu_dir ↑ 0.5 ± 0.1, 0.4 – 0.6 … • ≥ 10 points, − 3, κ, 世界"
    console.say(said)
    text, error = map(_written, (out, err))
    if encoding == "ascii":
        assert text == "bdu_dir ^ 0.5 +/- 0.1, 0.4 - 0.6 ... * >= 10 points, - 3, kappa, ??\n"
    elif encoding == "utf-8":
        assert text == f"{said}\n"
    else:
        assert " ± 0.1" in text
    assert "nought" in error


@pytest.mark.parametrize(
    "env", [{"COLUMNS": "40"}, {"COLUMNS": "12"}, {"TERM": "dumb"}, {"NO_COLOR": "1"}], ids=str
)
def test_no_terminal_is_too_narrow_or_too_dumb(
    env: dict[str, str], command: Command, tmp_path: Path
) -> None:
    for words, told in (
        (["-h"], {"run", "list", "score"}),
        (["run", "-h"], {"--model", "--limit"}),
        (["list"], {name for one in benchmark.every() for name in one.headline}),
        (["list", "--datasets"], {*manifest.names(), "26,852", "CC-BY-NC-4.0", "generated"}),
        (["leaderboard", "-h"], {"verify", "withdraw"}),
    ):
        done = command("otherminds", *words, cwd=tmp_path, env=env)
        assert "\x1b[" not in done.stdout
        if env.get("COLUMNS") != "12":
            assert told <= set(re.split(r"[\s()│]+", done.stdout))
        elif "-h" in words:
            # Help is typer's own, and cuts words there.
            assert "otherminds" in done.stdout
        else:
            # Names are broken, and whole nevertheless.
            assert done.stdout.count("…") == (len(benchmark.every()) if words == ["list"] else 0)
            assert all(name in "".join(done.stdout.split()) for name in told)
