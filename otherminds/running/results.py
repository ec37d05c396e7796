"""A run's results and samples: how they are written, and what is read from them.

In lm-eval's layout and format:

    <output_path>/<model>/results_<date>.json
    <output_path>/<model>/samples_<task>_<date>.jsonl.zst

Samples are compressed, because every sample repeats its person's whole interview, and JSON has no NaN:
a metric with nothing to measure is null. A results file states the machine too.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import orjson

from otherminds import control_tokens, credentials, files, harness, manifest
from otherminds.errors import OtherMindsError
from otherminds.samples.names import named, results_of


class Logs(Protocol):
    """The samples of a run, by task: `sample_logs.SampleLogs`. `held` has those to push to the Hub."""

    held: dict[str, list[dict[str, Any]]]

    def save(self, folder: Path, date: str) -> dict[str, Path]:
        """Write them as files in a folder; returns their paths."""


def check_writable(folder: Path) -> None:
    """Raise OtherMindsError now rather than after hours of generation."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise files.unwritable(folder, error) from error
    files.check_folder(folder)


def model_name(name: str, arguments: Mapping[str, Any]) -> str:
    """A model as lines for people call it: lm-eval's name, and the end of the weights' one."""
    weights = credentials.text(str(arguments.get("pretrained") or arguments.get("model") or ""))
    # An owner/name of the Hub stays, and of a path its last part.
    short = weights if weights.count("/") == 1 and weights[0] not in "/." else Path(weights).name
    return f"{name} {short}".strip()


def write(
    results: Mapping[str, Any],
    logs: Logs,
    arguments: harness.RunArguments,
    *,
    beside: Path | None = None,
) -> tuple[Path, dict[str, Path]]:
    """Write the results and one sample file per task; returns their paths.

    `beside` is another folder than the model's own: of judgements, that of the answers.

    When lm-eval's flags ask for it (`--hf_hub_log_args`), lm-eval then pushes them to the Hub. Raises
    OtherMindsError where that fails: the files are written by then.
    """
    template = results["otherminds"].get("chat_template")
    facts = harness.tracked_facts(harness.tracker(arguments, template))
    folder = beside or Path(arguments.output_path) / facts["model_name_sanitized"]
    date = now()
    sample_paths = logs.save(folder, date)
    results_path = folder / f"results_{date}.json"
    files.write_json(results_path, harness.plain({**results, **facts}))
    if not arguments.hf_hub_log_args:
        return results_path, sample_paths
    from otherminds.running import pushing

    try:
        pushing.push(arguments, template, results, logs.held)
    except OtherMindsError as error:
        raise OtherMindsError(
            f"Results and samples are in {folder}, but could not be pushed to the Hub: {error}"
        ) from error
    return results_path, sample_paths


def n_escaped(samples: Sequence[Mapping[str, Any]]) -> int:
    """How many control tokens are escaped in the prompts of some samples."""
    # The options of one document are asked with one prompt.
    asked = (sample["arguments"][0][0] for sample in samples if sample["arguments"])
    # A chat API's messages are a text in a named tuple.
    prompts = (str(getattr(prompt, "prompt", prompt)) for prompt in asked)
    return sum(map(control_tokens.count, prompts))


def content_of(path: Path) -> Any:
    """What a results file holds, without the secrets that plain lm-eval leaves in it.

    Raises OSError, ValueError or RecursionError for one that cannot be read.
    """
    return credentials.results(json.loads(path.read_bytes()))


def model_of(samples: Path) -> tuple[dict[str, Any], bool] | None:
    """The model that gave the answers in a sample file, and whether gold answers were read for them.

    From the results file beside it; None where there is none that says so.
    """
    name = named(samples)
    if name is None:
        return None
    try:
        found = content_of(results_of(samples, name))
        model = {"name": found["config"]["model"], "args": found["config"]["model_args"]}
        return model, bool((found.get("otherminds") or {}).get("reads_gold"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def now() -> str:
    """The time as the names of results and sample files state it."""
    return datetime.now().isoformat(timespec="microseconds").replace(":", "-")


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> Path:
    """Write a sample file (`….jsonl.zst`), an object per line, whole or not at all; returns its path."""
    with files.packed_file(path) as file:
        for line in lines:
            file.write(as_json(line) + b"\n")
    return path


def as_json(line: Mapping[str, Any]) -> bytes:
    """A line as JSON; NaN, which JSON does not have, is null."""
    try:
        return orjson.dumps(line, default=_tuple)
    except TypeError:
        # An integer beyond 64 bits, or half a character, where a reply was cut off.
        return json.dumps(line, ensure_ascii=False).encode(errors="replace")


def _tuple(value: Any) -> list[Any]:
    """The messages of a chat API, which are a text in a named tuple."""
    if isinstance(value, tuple):
        return list(value)
    raise TypeError


def commit() -> str | None:
    """The commit of the working folder, as lm-eval states it; None where there is none.

    Outside a checkout, lm-eval itself lets git complain on the terminal.
    """
    try:
        done = subprocess.run(
            ["git", "describe", "--always"], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout.strip() or None


def environment() -> dict[str, Any]:
    """Versions, platform and hardware; PyTorch's inventory is left out where no model has loaded it."""
    return _environment(with_torch="torch" in sys.modules)


@cache
def _environment(*, with_torch: bool) -> dict[str, Any]:
    # Found out once in a process: it takes a second.
    if with_torch:
        return harness.environment()
    machine = f"{platform.platform()}, Python {platform.python_version()}"
    return {
        "pretty_env_info": f"{machine}; the model did without PyTorch",
        "transformers_version": _version_of("transformers"),
        "lm_eval_version": harness.version(),
        "upper_git_hash": harness.commit_of(Path.cwd().parent),
    }


def _version_of(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "N/A"


def known_references(
    task: str, results: Mapping[str, Any], *, of_limited: bool = False
) -> dict[str, Mapping[str, float]]:
    """The manifest's reference scores on exactly the documents that were run; none for others.

    of_limited  whether a run of part of the documents gets those on all of them, with `ON_ALL` behind
                their names
    """
    origin = (results.get("otherminds") or {}).get("data", {}).get(task)
    config = results.get("configs", {}).get(task)
    if origin is None or config is None:
        return {}
    limited = is_partial(results["n-samples"][task])
    if limited and not of_limited:
        return {}
    known = manifest.load(origin["dataset"])
    if origin["version"] != known.version or any(
        known.configs[name].content_hash not in (None, found)
        for name, found in origin["content_hash"].items()
    ):
        return {}
    kwargs = config["dataset_kwargs"]
    subset = f"subset_{origin['subset']}" if origin["subset"] else None
    # The manifest has scores of some parts of the data, of some ways of showing them, and of tasks that
    # ask something else of the same data.
    has_own = any(manifest.own_part(task) in one.scores for one in known.references.values())
    own = manifest.own_part(task) if has_own else None
    parts = [name for name in (own, kwargs.get("evidence"), kwargs.get("topic"), subset) if name]
    part = "/".join(parts) or "all"
    return {
        f"{name}{ON_ALL * limited}": reference.scores[part]
        for name, reference in known.references.items()
        if part in reference.scores
    }


ON_ALL = " (all)"
"""Behind the name of a reference on all documents, beside the scores of a run on some of them."""


def is_partial(counts: Mapping[str, int]) -> bool:
    """Whether fewer documents of a task were run than it has."""
    return counts["effective"] < counts["original"]
