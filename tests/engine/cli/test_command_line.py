"""The command line that tests call in their own process is the one that a user starts."""

from __future__ import annotations

import logging
import os
import random
import re
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.cli import main as cli
from tests.conftest import Command
from tests.helpers import command_line


def plain(text: str) -> str:
    """Without what differs from call to call: times, and the progress that is drawn between them."""
    text = re.sub(r"\d{4}-\d{2}-\d{2}T[\d:.-]+", "TIME", text)
    text = "\n".join(line for line in text.splitlines() if "it/s]" not in line)
    return re.sub(r"line \d+", "line N", text)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("run", "hugagent_bsi_synthetic", "--limit", "2", "--model", "oracle"), 0),
        (("show", "hugagent_bsi_synthetik"), 1),
        (("show", "--itme", "3"), 2),
    ],
)
def test_it_says_and_returns_what_a_process_does(
    cache: Path, command: Command, process: Command, tmp_path: Path, words: Any, code: int
) -> None:
    found = []
    for name, call in (("one", command), ("two", process)):
        (folder := tmp_path / name).mkdir()
        done = call("otherminds", *words, cwd=folder, code=code)
        written = sorted(plain(str(path.relative_to(folder))) for path in folder.rglob("*"))
        found.append((plain(done.stdout), plain(done.stderr), written))
    assert found[0] == found[1]
    assert any(found[0][:2])


def test_with_debug_both_end_in_the_same_error(
    command: Command, process: Command, tmp_path: Path
) -> None:
    words = ("otherminds", "--debug", "run", "nothing")
    here, there = (call(*words, cwd=tmp_path, code=1).stderr for call in (command, process))
    for said in (here, there):
        # lm-eval says what it does, which it does only when it is asked to.
        assert " DEBUG " in said.splitlines()[0]
        assert "Traceback (most recent call last):" in said.splitlines()
    assert here.splitlines()[-1] == there.splitlines()[-1]
    # The next call is without it again.
    assert "Traceback" not in command(*words[:1], *words[2:], cwd=tmp_path, code=1).stderr


def facts() -> dict[str, Any]:
    """What one call must not leave to the next."""
    import lm_eval.models  # noqa: F401  (fills the registry)
    from lm_eval.api import registry

    known = logging.root.manager.loggerDict
    loggers = [logging.root, *(one for one in known.values() if isinstance(one, logging.Logger))]
    return {
        "environment": dict(os.environ),
        "folder": os.getcwd(),
        "arguments": list(sys.argv),
        "main": sys.modules["__main__"],
        "streams": (sys.stdout, sys.stderr, sys.excepthook),
        "files": {name: os.readlink(f"/proc/self/fd/{name}") for name in (1, 2)},
        "logging": {one.name: (one.level, one.propagate, list(one.handlers)) for one in loggers},
        "warnings": (list(warnings.filters), warnings.showwarning),
        "signals": {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)},
        "random": (random.getstate(), str(np.random.get_state())),
        "model": registry.model_registry._objs["dummy"],
        "debug": cli._DEBUG,
    }


def untidy() -> None:
    from lm_eval.api import registry

    os.environ["HOME"] = "/nowhere"
    os.environ["LEFT"] = "over"
    os.environ.pop("PATH")
    os.chdir("/")
    sys.argv.append("more")
    sys.excepthook = print  # type: ignore[assignment]
    logging.basicConfig(level=logging.DEBUG, force=True)
    for name in ("lm_eval", "transformers", "otherminds"):
        logging.getLogger(name).addHandler(logging.StreamHandler())
        logging.getLogger(name).setLevel(logging.DEBUG)
    warnings.simplefilter("error")
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_IGN)
    random.seed(1)
    np.random.seed(1)
    registry.model_registry._objs["dummy"] = object
    cli._DEBUG = True


def test_whatever_a_call_does_nothing_is_left(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("lm_eval", "transformers", "otherminds"):
        logging.getLogger(name)
    monkeypatch.setattr(cli, "main", untidy)
    before = facts()
    command("otherminds", "list", cwd=tmp_path)
    after = facts()
    assert {name for name in before if before[name] != after[name]} == set()


@pytest.mark.parametrize(
    ("end", "code", "said"),
    [
        (lambda: None, 0, ""),
        (sys.exit, 0, ""),
        (lambda: sys.exit(3), 3, ""),
        (lambda: sys.exit("what is wrong"), 1, "what is wrong\n"),
        (lambda: 1 / 0, 1, "ZeroDivisionError: division by zero\n"),
    ],
)
def test_the_code_and_the_last_words(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    end: Callable[[], Any],
    code: int,
    said: str,
) -> None:
    monkeypatch.setattr(cli, "main", end)
    done = command("otherminds", cwd=tmp_path, code=None)
    assert done.returncode == code
    assert done.stderr.endswith(said)
    assert bool(done.stderr) == bool(said)


def test_what_children_loggers_and_warnings_say_is_heard(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def speak() -> None:
        os.system("echo a child in $(basename $PWD); echo its error >&2")
        print("a line", sys.argv[1:], os.environ["COLUMNS"], os.environ["TOLD"])
        logging.getLogger("some.library").warning("a logger")
        warnings.warn("a warning", stacklevel=1)
        warnings.warn("nobody sees this", DeprecationWarning, stacklevel=1)

    monkeypatch.setattr(cli, "main", speak)
    done = command("otherminds", "x", 1, cwd=tmp_path, env={"TOLD": "this"})
    assert done.args[1:] == ["x", "1"]
    assert f"a child in {tmp_path.name}\n" in done.stdout
    assert "a line ['x', '1'] 160 this\n" in done.stdout
    assert {"its error", "a logger"} <= set(done.stderr.splitlines())
    assert "UserWarning: a warning" in done.stderr
    assert "nobody" not in done.stderr


def test_answers_of_files_that_changed_are_read_again(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    before = command("otherminds", "show", "hugagent_bsi_synthetic", cwd=tmp_path)
    empty = {"OTHERMINDS_DATA": str(tmp_path), "OTHERMINDS_CACHE": "/proc/nowhere"}
    words = ("otherminds", "show", "hugagent_bsi_synthetic")
    assert command(*words, cwd=tmp_path, env=empty, code=None).returncode == 1
    assert command(*words, cwd=tmp_path).stdout == before.stdout


@pytest.mark.parametrize("name", ["HF_DATASETS_CACHE", "PYTHONPATH", "WORLD_SIZE"])
def test_what_only_a_process_can_be_told_is_refused(
    command: Command, tmp_path: Path, name: str
) -> None:
    with pytest.raises(ValueError, match=f"{name} is read when .* use the fixture `process`"):
        command("otherminds", "list", cwd=tmp_path, env={name: "2"})


def test_a_folder_that_is_not_there_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    before = facts()
    with pytest.raises(FileNotFoundError):
        command_line.invoke(Path("otherminds"), ("list",), tmp_path / "none", dict(os.environ))
    assert facts() == before
