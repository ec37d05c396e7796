"""What tests share: real data where there are any, and the command line as a user runs it."""

from __future__ import annotations

import functools
import gc
import hashlib
import os
import pickle
import subprocess
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import settings

from otherminds import data, paths
from otherminds.leaderboard.records import answers, answers_reader, limits
from otherminds.running import models
from tests.helpers import command_line, small_builds

# Several workers share the cores: threads of one would stand in the others' way, and wait by spinning.
# Libraries read this when they are imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# What is imported and collected stays to the end: looking through it for garbage, again and again, is a
# third of the time that it takes. See `pytest_collection_finish`.
gc.disable()

# The same examples on every machine, so that a failure is the doing of a change, and no failure for
# being slow. Fewer than by default, as they are always the same: `pytest --hypothesis-profile=default`
# looks further.
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sys.executable).parent

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real data that is not part of the project; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("OTHERMINDS_SHARED_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"No real data at {folder}; set OTHERMINDS_SHARED_DATA to where it is.")
    return folder


@pytest.fixture(scope="session")
def process() -> Command:
    """Run a command of this environment (`otherminds`, `lm_eval`) as a subprocess.

    The Hub is out of reach and the caches are the session's own unless `env` says otherwise. It takes
    seconds to start: for what needs no process of its own, there is `command`.
    """
    return _calling(_in_a_process)


@pytest.fixture(scope="session")
def command() -> Command:
    """Run a command as `process` does; `otherminds` without starting a process."""

    def run(
        program: Path, words: tuple[str, ...], cwd: Path, env: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        call = command_line.invoke if program.name == "otherminds" else _in_a_process
        return call(program, words, cwd, env)

    return _calling(run)


def _in_a_process(
    program: Path, words: tuple[str, ...], cwd: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *words], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def _calling(run: Callable[..., subprocess.CompletedProcess[str]]) -> Command:
    def call(
        *words: str | Path, cwd: Path, env: Mapping[str, str] | None = None, code: int | None = 0
    ) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "HF_HUB_OFFLINE": "1", "COLUMNS": "160", **(env or {})}
        done = run(SCRIPTS / str(words[0]), tuple(map(str, words[1:])), cwd, environment)
        if code is not None:
            assert done.returncode == code, f"{words}\n{done.stdout}\n{done.stderr}"
        return done

    return call


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder that holds the released dataset; processes of this session find it too."""
    configured = os.environ.get("OTHERMINDS_CACHE")
    folder = Path(configured) if configured else tmp_path_factory.getbasetemp().parent / "cache"
    os.environ["OTHERMINDS_CACHE"] = str(folder)
    data.cached("hugagent-synthetic")
    return folder


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with HugAgent's generated data of twelve people, made once for all processes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "shelf"
    dataset = folder / "hugagent-synthetic"
    folder.mkdir(exist_ok=True)
    with FileLock(folder / "lock"):
        if not dataset.exists():
            small_builds.write(dataset.name, folder / "made", "twelve").rename(dataset)
    return folder


@pytest.fixture(scope="module")
def twelve_people(shelf: Path) -> Iterator[Path]:
    """A module's tests run on twelve people instead of the release; gives their data's folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OTHERMINDS_DATA", str(shelf))
        yield shelf / "hugagent-synthetic"


@pytest.fixture(scope="session", autouse=True)
def _templates_compiled_once() -> Iterator[None]:
    """lm-eval compiles a task's description again for every document: a sixth of a run's time."""
    from lm_eval.utils import env

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(env, "from_string", functools.cache(env.from_string))
        yield


@functools.cache
def _read_task_files_once() -> None:
    """lm-eval reads all our YAML files for each run, twice: half of the time of a small one.

    From collecting on, where modules list tasks, and to the end.
    """
    from lm_eval.tasks import _factory, _index, _yaml_loader

    ours = str(paths.tasks())
    read, build = _index.load_yaml, _index.TaskIndex.build
    function_of = _yaml_loader._import_func_in_yml
    # As bytes, because lm-eval changes what it reads.
    files: dict[tuple[str, bool, bool], bytes] = {}
    indexes: dict[bool, dict[str, tuple[Any, bytes]]] = {}

    class Function:
        """A function as a file names it, which is looked up again wherever the file is read again."""

        def __init__(self, *named: Any) -> None:
            self._named = named

        def __reduce__(self) -> Any:
            return function_of, self._named

    class Entry(_index.Entry):
        """An entry whose configuration is copied when it is looked at: few of all are."""

        packed: bytes

        @functools.cached_property
        def cfg(self) -> Any:
            return pickle.loads(self.packed)

    def read_once(
        path: Path,
        *,
        resolve_func: bool = True,
        recursive: bool = True,
        _seen: set[Path] | None = None,
    ) -> Any:
        place = os.path.abspath(path)
        key = place, resolve_func, recursive
        if key in files:
            return pickle.loads(files[key])
        # What a file includes is read with its functions, or as part of what is kept here.
        if not place.startswith(ours + os.sep) or (resolve_func and _seen is not None):
            return read(path, resolve_func=resolve_func, recursive=recursive, _seen=_seen)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_yaml_loader, "_import_func_in_yml", Function)
            found = read(path, resolve_func=resolve_func, recursive=recursive, _seen=_seen)
        files[key] = pickle.dumps(found)
        return pickle.loads(files[key])

    def build_once(roots: Iterable[Path], *, resolve_includes: bool = True) -> Any:
        roots = list(roots)
        if list(map(str, roots)) != [ours]:
            return build(roots, resolve_includes=resolve_includes)
        if resolve_includes not in indexes:
            made = build(roots, resolve_includes=resolve_includes)
            indexes[resolve_includes] = {
                name: (entry, pickle.dumps(entry.cfg)) for name, entry in made.items()
            }
        _index.log.debug("Building task index from %s", roots)
        found = {}
        for name, (entry, packed) in indexes[resolve_includes].items():
            found[name] = copied = Entry.__new__(Entry)
            vars(copied).update(
                name=entry.name,
                kind=entry.kind,
                yaml_path=entry.yaml_path,
                tags=set(entry.tags),
                packed=packed,
            )
        return found

    _index.load_yaml = read_once
    # By these names, it reads what a file includes, and a task that is loaded.
    _yaml_loader.load_yaml = _factory.load_yaml = read_once
    _index.TaskIndex.build = staticmethod(build_once)


@pytest.fixture(scope="session", autouse=True)
def _answers_read_once() -> Iterator[None]:
    """Each file of answers is read by a process of its own, which takes longer than to judge them."""
    read_anew = answers._in_another_process
    known: dict[tuple[Any, ...], dict[str, Any]] = {}

    def read(path: Path, most: dict[str, int]) -> dict[str, Any]:
        if not path.is_file():
            return read_anew(path, most)
        program = sys.executable, answers_reader.__file__, limits.READER_SECONDS, subprocess.run
        content = hashlib.sha256(path.read_bytes()).digest()
        key = (*program, content, *sorted(most.items()))
        if key not in known:
            found = read_anew(path, most)
            # What is refused is looked at each time: for its reason, a test may have changed more.
            if "reason" in found:
                return found
            known[key] = found
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "_in_another_process", read)
        yield


@pytest.fixture(scope="session", autouse=True)
def _sources_read_once() -> Iterator[None]:
    """lm-eval writes the source of a task's functions to its results, and parses the module for each."""
    from lm_eval.config import task

    source = task.getsource
    read = functools.cache(source)

    def read_once(value: Any) -> str:
        # By code: functions are made anew for each task, and may hold its documents.
        code = None if hasattr(value, "__wrapped__") else getattr(value, "__code__", None)
        return source(value) if code is None else read(code)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(task, "getsource", read_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_search_for_garbage() -> Iterator[None]:
    """A run looks for the memory of a model that it is done with through all that the tests hold."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models, "gc", types.SimpleNamespace(collect=lambda: 0))
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_other_data() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("OTHERMINDS_DATA", raising=False)
        yield


def pytest_collectstart() -> None:
    _read_task_files_once()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("first") is None)
