"""The command line in this process, as a process of its own would behave.

Starting Python and importing the libraries takes longer than most commands do. What a process has for
itself is new for each call and put back after it: arguments, folder, environment, standard streams
(the file descriptors too, for what children write), logging, warnings, signal handlers, the generators
of random numbers, entries of lm-eval's registries that the call replaced, the widths of consoles, and
what our own modules remember of files.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import random
import signal
import subprocess
import sys
import tempfile
import types
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

READ_AT_IMPORT = ("HF_", "PYTHON", "OMP_", "WORLD_SIZE", "LD_")
"""Beginnings of the names of variables that libraries read once: they take a process of their own."""

_OF_THE_HUB = (
    *("HF_ENDPOINT", "HF_HOME", "HF_HUB_OFFLINE", "HF_HUB_DISABLE_XET", "HF_TOKEN"),
    *("HF_HUB_DISABLE_TELEMETRY", "HF_UPDATE_DOWNLOAD_COUNTS", "HF_HUB_DISABLE_IMPLICIT_TOKEN"),
    "HF_DEBUG",
)
"""Of these, the ones that the local Hub of the tests sets, and that can be told to the libraries."""

_CONTENT = (
    "otherminds.dataset_builders",
    "otherminds.harness",
    "otherminds.manifest",
    "otherminds.metrics",
    "otherminds.prompts",
    "otherminds.publishing",
)
"""Modules that remember what comes with the package: it is the same for every process."""

_MACHINE = "otherminds.running.results"
"""The module that remembers what the machine is, which takes a second to ask."""

_REGISTRIES = (
    *("model_registry", "filter_registry", "metric_registry", "aggregation_registry"),
    *("metric_agg_registry", "higher_is_better_registry"),
)


def invoke(
    program: Path, words: tuple[str, ...], cwd: Path, env: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run `otherminds WORDS` here; `env` is the whole environment.

    Raises ValueError for a variable that a library may have read already with another value.
    """
    for name in {*env, *os.environ}:
        if env.get(name) == os.environ.get(name) or name in _OF_THE_HUB:
            continue
        if name.startswith(READ_AT_IMPORT):
            raise ValueError(
                f"{name} is read when a library is imported: use the fixture `process`."
            )
    arguments = [str(program), *words]
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        contextlib.ExitStack() as stack,
    ):
        for part in (
            *(_environment(env), contextlib.chdir(cwd), _hub(env)),
            *(_warnings(), _signals(), _random_numbers(), _registries(), _caches()),
            *(_streams(out.fileno(), err.fileno()), _logging(), _consoles(env), _main(arguments)),
        ):
            stack.enter_context(part)
        code = _exit_code()
        stack.close()
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode().replace("\r\n", "\n").replace("\r", "\n"))
    return subprocess.CompletedProcess(arguments, code, *texts)


def _exit_code() -> int:
    from otherminds.cli import main as cli

    was = cli._DEBUG
    cli._DEBUG = False
    try:
        cli.main()
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or 0
        print(stop.code, file=sys.stderr)
        return 1
    except Exception:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]  (there is one)
        return 1
    finally:
        cli._DEBUG = was
    return 0


@contextlib.contextmanager
def _environment(env: Mapping[str, str]) -> Iterator[None]:
    was = dict(os.environ)
    _set_environment(env)
    try:
        yield
    finally:
        _set_environment(was)


def _set_environment(wanted: Mapping[str, str]) -> None:
    for name in os.environ.keys() - wanted.keys():
        del os.environ[name]
    os.environ.update(wanted)


@contextlib.contextmanager
def _hub(env: Mapping[str, str]) -> Iterator[None]:
    """What the clients of the Hub read of the environment when they were imported."""
    import datasets.config
    from huggingface_hub import constants

    endpoint = env.get("HF_ENDPOINT", constants.ENDPOINT)
    template = constants.HUGGINGFACE_CO_URL_TEMPLATE.removeprefix(constants.ENDPOINT)
    offline = env.get("HF_HUB_OFFLINE") == "1"
    told: list[tuple[types.ModuleType, str, Any]] = [
        (constants, "ENDPOINT", endpoint),
        (constants, "HUGGINGFACE_CO_URL_TEMPLATE", f"{endpoint}{template}"),
        (constants, "HF_HUB_OFFLINE", offline),
        (datasets.config, "HF_ENDPOINT", endpoint),
        (datasets.config, "HF_HUB_OFFLINE", offline),
    ]
    if "HF_HUB_DISABLE_XET" in env:
        told.append((constants, "HF_HUB_DISABLE_XET", env["HF_HUB_DISABLE_XET"] == "1"))
    if home := env.get("HF_HOME"):
        told.append((constants, "HF_TOKEN_PATH", os.path.join(home, "token")))
        told.append((constants, "HF_HUB_CACHE", os.path.join(home, "hub")))
    was = [(module, name, getattr(module, name)) for module, name, _ in told]
    try:
        for module, name, value in told:
            setattr(module, name, value)
        yield
    finally:
        for module, name, value in was:
            setattr(module, name, value)


@contextlib.contextmanager
def _main(arguments: list[str]) -> Iterator[None]:
    """What Python knows of the program: its arguments, its name, and what prints its last error."""
    was = sys.argv, sys.modules["__main__"], sys.excepthook
    sys.argv = list(arguments)
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.excepthook = sys.__excepthook__
    try:
        yield
    finally:
        sys.argv, sys.modules["__main__"], sys.excepthook = was


@contextlib.contextmanager
def _streams(out: int, err: int) -> Iterator[None]:
    was = sys.stdout, sys.stderr
    for stream in was:
        stream.flush()
    kept = os.dup(1), os.dup(2)
    os.dup2(out, 1)
    os.dup2(err, 2)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    ours = sys.stdout, sys.stderr
    try:
        yield
    finally:
        for stream in ours:
            stream.flush()
        sys.stdout, sys.stderr = was
        for number, old in zip((1, 2), kept, strict=True):
            os.dup2(old, number)
            os.close(old)


@contextlib.contextmanager
def _logging() -> Iterator[None]:
    """No handlers of pytest and of lm-eval; those of others write to the streams of the call."""
    import lm_eval.utils

    was = [(logger, _state(logger)) for logger in _loggers()]
    configured = lm_eval.utils._LOGGING_CONFIGURED
    lm_eval.utils._LOGGING_CONFIGURED = False
    for name in ("warning_once", "info_once"):
        getattr(lm_eval.utils, name).cache_clear()
    logging.root.handlers = []
    harness = logging.getLogger("lm_eval")
    harness.handlers, harness.propagate = [], True
    harness.setLevel(logging.NOTSET)
    _redirect(sys.stderr)
    streams = sys.stdout, sys.stderr
    try:
        yield
    finally:
        lm_eval.utils._LOGGING_CONFIGURED = configured
        for logger, state in was:
            vars(logger).update(state)
        logging.root.manager._clear_cache()  # type: ignore[attr-defined]
        _redirect(sys.__stderr__, of=streams)


def _loggers() -> list[logging.Logger]:
    known = logging.root.manager.loggerDict.values()
    return [logging.root, *(one for one in known if isinstance(one, logging.Logger))]


def _state(logger: logging.Logger) -> dict[str, Any]:
    kept = ("level", "propagate", "disabled")
    found: dict[str, Any] = {name: getattr(logger, name) for name in kept}
    return {**found, "handlers": list(logger.handlers), "filters": list(logger.filters)}


def _redirect(stream: Any, of: tuple[Any, ...] | None = None) -> None:
    """Let the handlers that write to a standard stream, or to one of `of`, write to another."""
    for logger in _loggers():
        for handler in logger.handlers:
            if type(handler) is not logging.StreamHandler:
                continue
            if handler.stream in of if of is not None else not _is_file(handler.stream):
                handler.setStream(stream)


def _is_file(stream: Any) -> bool:
    return isinstance(getattr(stream, "name", None), str) and not stream.name.startswith("<")


@contextlib.contextmanager
def _warnings() -> Iterator[None]:
    """The filters that Python starts with, and warnings on the standard error."""
    with warnings.catch_warnings():
        warnings.resetwarnings()
        for category in (ResourceWarning, ImportWarning, PendingDeprecationWarning):
            warnings.simplefilter("ignore", category)
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.showwarning = _show_warning
        yield


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: str | None = None,
) -> None:
    print(
        warnings.formatwarning(message, category, filename, lineno, line), end="", file=sys.stderr
    )


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    was = {number: signal.getsignal(number) for number in signal.valid_signals()}
    try:
        yield
    finally:
        for number, handler in was.items():
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)


@contextlib.contextmanager
def _random_numbers() -> Iterator[None]:
    import numpy as np

    was, of_numpy = random.getstate(), np.random.get_state()
    torch = sys.modules.get("torch")
    of_torch = torch.get_rng_state() if torch is not None else None
    try:
        yield
    finally:
        random.setstate(was)
        np.random.set_state(of_numpy)
        if torch is not None:
            torch.set_rng_state(of_torch)


@contextlib.contextmanager
def _registries() -> Iterator[None]:
    """Replaced entries are put back; added ones came with an import, and stay as it does."""
    from lm_eval.api import registry

    tables = [getattr(registry, name)._objs for name in _REGISTRIES]
    was = [dict(table) for table in tables]
    try:
        yield
    finally:
        for table, before in zip(tables, was, strict=True):
            table.update(before)


@contextlib.contextmanager
def _consoles(env: Mapping[str, str]) -> Iterator[None]:
    """Consoles of modules take their width from COLUMNS when they are made."""
    width = int(env["COLUMNS"]) if env.get("COLUMNS", "").isdigit() else None
    was = {id(one): (one, one._width, one._color_system) for one in _all_consoles()}
    for one, _, _ in was.values():
        one._width, one._color_system = width, None
    try:
        yield
    finally:
        for one in _all_consoles():
            _, one._width, one._color_system = was.get(id(one), (one, None, None))


def _all_consoles() -> list[Any]:
    from rich.console import Console

    return [
        value
        for module in _own_modules()
        for value in vars(module).values()
        if isinstance(value, Console)
    ]


def _own_modules() -> list[types.ModuleType]:
    return [
        module
        for name, module in list(sys.modules.items())
        if module is not None and (name == "otherminds" or name.startswith("otherminds."))
    ]


@contextlib.contextmanager
def _caches() -> Iterator[None]:
    _forget()
    try:
        yield
    finally:
        _forget()


def _forget() -> None:
    """Empty what our modules remember of anything but the package's own content and the machine."""
    for module in _own_modules():
        if module.__name__.startswith(_CONTENT) or module.__name__ == _MACHINE:
            continue
        for value in vars(module).values():
            if isinstance(value, functools._lru_cache_wrapper) and (
                value.__module__ == module.__name__
            ):
                value.cache_clear()
