"""Checks of an installation, for faults that lm-eval would skip without a word, or find after hours."""

from __future__ import annotations

import importlib.metadata
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from rich.markup import escape

from otherminds import benchmark, console, harness, manifest, paths, prompts, weightless
from otherminds.checks import Finding
from otherminds.cli import main as cli
from otherminds.console import OUT
from otherminds.data import cache, loading, upstream
from otherminds.data.build import dataset as build
from otherminds.data.build import trial
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.progress import bar
from otherminds.running import link, results, stages
from otherminds.scoring.scorer import row_faults


class _UntriedError(Exception):
    """A check cannot be made, and why."""


def examine(*, built: bool = False) -> list[Finding]:
    """Run all checks, with a bar on standard error.

    Tasks on generated data are tried on a handful of people, who are made in seconds. With `built`, the
    released data are built where the cache lacks them, and tasks are tried on these.
    """
    return [
        *versions(),
        *benchmarks(),
        *templates(),
        *manifests(),
        *task_files(),
        *datasets(built=built),
        *tasks(built=built),
        _link(),
        _check("cache", partial(_writable, paths.cache_home())),
    ]


def print_findings(findings: Sequence[Finding], *, verbose: bool) -> None:
    """The doctor's findings: faults and notes, then the verdict; with `verbose`, all of them."""
    for finding in findings:
        if verbose or not finding.passed or finding.note:
            said = escape(f"{finding.subject}: {finding.detail}")
            OUT.print(f"{_sign(finding)} {said}", highlight=False)
    for line in _verdict(findings):
        OUT.print(escape(line), highlight=False)


def _sign(finding: Finding) -> str:
    if not finding.passed:
        return "[red]FAULT[/]"
    return "note" if finding.note else "untried" if finding.untried else "ok"


def as_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """The findings for a program: `ok`, counts by kind of check, and every finding."""
    return {
        "ok": all(finding.passed for finding in findings),
        "faults": sum(not finding.passed for finding in findings),
        "checked": dict(_kinds(one for one in findings if not one.untried)),
        "untried": dict(_kinds(one for one in findings if one.untried)),
        "findings": [
            {
                "subject": finding.subject,
                "passed": finding.passed,
                "note": finding.note,
                "untried": finding.untried,
                "detail": finding.detail,
            }
            for finding in findings
        ],
    }


def _verdict(findings: Sequence[Finding]) -> Iterator[str]:
    kinds = _kinds(one for one in findings if not one.untried)
    yield f"Checked: {', '.join(f'{number} × {kind}' for kind, number in kinds.items())}."
    if untried := _kinds(one for one in findings if one.untried)["task"]:
        yield f"Not tried: {untried} tasks on data that are not here (--verbose names them)."
    faults = sum(not finding.passed for finding in findings)
    if faults:
        yield f"{faults} fault{'s' if faults > 1 else ''}: see above."
    else:
        yield "No faults: what could be checked is in order."


def _kinds(findings: Iterable[Finding]) -> Counter[str]:
    return Counter(finding.subject.split()[0] for finding in findings)


def _check(subject: str, look: Callable[[], str]) -> Finding:
    """Run one check: it returns the detail, or raises the fault, or why it cannot be made."""
    try:
        return Finding(subject, True, look())
    except _UntriedError as reason:
        return Finding(subject, True, str(reason), untried=True)
    except Exception as error:  # any fault of a file is a finding, not a crash
        return Finding(subject, False, f"{type(error).__name__}: {error}".replace("\n", " "))


def versions() -> Iterator[Finding]:
    """Whether the installed packages are of the versions that we need."""
    for text in importlib.metadata.requires("otherminds") or []:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield _check(f"package {requirement.name}", partial(_installed, requirement))


def _installed(requirement: Requirement) -> str:
    version = importlib.metadata.version(requirement.name)
    if not requirement.specifier.contains(version, prereleases=True):
        raise OtherMindsError(f"{version} is installed, {requirement.specifier} is needed")
    return version


def benchmarks() -> Iterator[Finding]:
    """Whether every benchmark can be used, with its commands; those of other packages too."""
    faults = [*benchmark.faults(), *cli.faults(), *weightless.faults()]
    for one in benchmark.every():
        yield Finding(f"benchmark {one.name}", True, f"datasets: {', '.join(one.datasets)}")
    for fault in faults:
        yield Finding(f"benchmark {fault.where}", False, fault.reason)


def templates() -> Iterator[Finding]:
    """Whether every template compiles."""
    for name in prompts.names():
        yield _check(f"template {name}", partial(_compiled, name))


def _compiled(name: str) -> str:
    prompts.renderer(name)
    return "compiles"


def manifests() -> Iterator[Finding]:
    """Whether every manifest is complete and its generator's parameters are sound."""
    for name in manifest.names():
        yield _check(f"manifest {name}", partial(_consistent, name))


def _consistent(name: str) -> str:
    known = manifest.load(name)
    if known.dataset != name:
        raise OtherMindsError(f"it says dataset '{known.dataset}', its folder says '{name}'")
    if known.default_config not in known.configs:
        raise OtherMindsError(f"the default configuration '{known.default_config}' does not exist")
    if known.generated:
        build.builder_of(known).spec(known.generator or {})
    if known.upstream is not None:
        upstream.converter_of(known).facts(known.facts or {})
    return f"version {known.version}"


def task_files() -> Iterator[Finding]:
    """Whether every task YAML loads strictly and sets all that lm-eval would otherwise default."""
    seen: dict[str, Path] = {}
    for path in paths.task_files():
        yield _check(f"file {path.name}", partial(_strict, path, seen))


def _strict(path: Path, seen: dict[str, Path]) -> str:
    config = harness.load_yaml(path)
    kind = "group" if "group" in config else "task"
    allowed = harness.group_fields() if kind == "group" else harness.task_fields()
    if unknown := sorted(set(config) - allowed):
        raise OtherMindsError(f"unknown keys: {', '.join(unknown)}")
    name = config[kind]
    if name != path.stem:
        raise OtherMindsError(f"defines the {kind} '{name}'; the file must be named {name}.yaml")
    if name in seen:
        raise OtherMindsError(f"'{name}' is defined in {seen[name]} too")
    seen[name] = path
    if kind == "task":
        _check_generation(config)
        if faults := row_faults(config):
            raise OtherMindsError("; ".join(faults))
    return kind


def _check_generation(config: dict[str, Any]) -> None:
    if config["output_type"] != "generate_until":
        return
    # Without them lm-eval stops at a blank line, and after 256 tokens.
    missing = {"until", "max_gen_toks"} - set(config.get("generation_kwargs") or {})
    if missing:
        raise OtherMindsError(f"generation_kwargs lack {', '.join(sorted(missing))}")


def datasets(*, built: bool = False) -> Iterator[Finding]:
    """Whether generated data are in the cache as they were released; with `built`, build the others."""
    missing = []
    for name in _generated():
        if _is_elsewhere(name):
            yield _check(f"data {name}", partial(_folder, name))
        elif cache.is_cached(name, note=console.note):
            yield Finding(f"data {name}", True, "in the cache, unaltered")
        elif built:
            yield _check(f"data {name}", partial(_built, name))
        else:
            missing.append(name)
    if missing:
        yield Finding(
            "data",
            True,
            f"not in the cache: {', '.join(missing)}. A run builds what it asks for; "
            "`otherminds doctor --build` builds all of it now, in minutes, and tries every task on it",
            note=True,
            untried=True,
        )


def _generated() -> list[str]:
    return [name for name in manifest.names() if manifest.load(name).generated]


def _is_elsewhere(name: str) -> bool:
    """Whether a run would read generated data from a folder, such as one of $OTHERMINDS_DATA."""
    try:
        return loading.locate(name).kind != "cache"
    except OtherMindsError:
        # There is a folder, with a fault.
        return True


def _folder(name: str) -> str:
    return f"in {loading.locate(name).location}"


def _built(name: str) -> str:
    return f"built: {cache.cached(name)}"


def tasks(*, built: bool = False) -> Iterator[Finding]:
    """Whether every task loads its data, renders a prompt and scores just what it lists.

    built  whether generated data are those of the release, in place of a handful of people

    A lack of access to the data of others is not a fault of the installation.
    """
    manager = harness.task_manager()
    entries = [entry for entry in harness.entries(manager) if entry.kind == "task"]
    known: dict[str, bool] = {}
    with bar("Trying tasks") as progress, tempfile.TemporaryDirectory() as work:
        folders, closed = {}, set()
        for name in [] if built else _generated():
            try:
                if trial.write(name, Path(work) / name):
                    folders[name] = Path(work) / name
                elif not (_is_elsewhere(name) or cache.is_cached(name)):
                    closed.add(name)
            except Exception as error:  # any fault of a builder is a finding, not a crash
                said = error.reason if isinstance(error, OtherMindsError) else str(error)
                yield Finding(f"data {name}", False, f"cannot be made: {said}".replace("\n", " "))
                closed.add(name)
        with loading.reading_from(folders):
            for number, entry in enumerate(entries, start=1):
                yield _check(f"task {entry.name}", partial(_tried, manager, entry, closed, known))
                progress(number, len(entries))
    yield from _without_people(known)


def _without_people(known: Mapping[str, bool]) -> Iterator[Finding]:
    """Benchmarks of which no document tried says whom it is about."""
    for name, found in known.items():
        if not found:
            column = benchmark.named(name).person
            yield Finding(
                f"benchmark {name}",
                False,
                f"no document of its tasks has a value in the column {column!r}, which "
                "`Benchmark.person` names: intervals would not know whom items are about",
            )


def _tried(manager: Any, entry: harness.TaskEntry, closed: set[str], known: dict[str, bool]) -> str:
    """Load and render.

    `closed` remembers the datasets that could not be had, to ask for them once; `known`, by benchmark,
    whether a document tried so far says whom it is about.
    """
    config = harness.load_yaml(entry.path, resolve_functions=False) if entry.path else {}
    wanted = config.get("dataset_kwargs") or {}
    dataset = wanted.get("dataset", "")
    # What asks for texts of the dataset needs none of its rows.
    is_written = "pipeline" in wanted
    if is_written or dataset not in closed:
        try:
            task = stages.load(manager, entry.name)
        except AccessNeededError:
            if not is_written:
                closed.add(dataset)
        else:
            if dataset and not is_written:
                one = benchmark.of_dataset(dataset)
                people = task.eval_docs[0].get(one.person)
                known[one.name] = known.get(one.name, False) or people not in (None, "")
            return _rendered(task)
    raise _UntriedError(f"not available here: {_lack(dataset, entry.name)}")


def _lack(dataset: str, task: str) -> str:
    """Why the data of a task are not here, and what gets them."""
    known = manifest.load(dataset) if dataset else None
    if known is not None and known.generated:
        return "its data are not built; `otherminds doctor --build` does that"
    if known is not None and known.handed is not None:
        return f"its data are built from {known.handed.what}; `otherminds show {task}` says how"
    return f"needs access; `otherminds show {task}` says how to get it"


def _rendered(task: Any) -> str:
    doc = task.eval_docs[0]
    if not task.doc_to_text(doc).strip():
        raise OtherMindsError("the prompt of document 0 is empty")
    scored = set(task.process_results(doc, harness.no_answer(task)))
    listed = {entry["metric"] for entry in task.config.metric_list}
    if scored != listed:
        raise OtherMindsError(f"scores {sorted(scored ^ listed)} but lists something else")
    return f"{len(task.eval_docs):,} documents"


def _link() -> Finding:
    state = link.state()
    details = {
        "linked": f"lm_eval finds the tasks through {link.target()}",
        "unneeded": "lm_eval finds the tasks and models by itself: no link is needed",
        "missing": "plain lm_eval needs `otherminds link`, or "
        "`--include_path $(otherminds tasks-path)`",
        "stale": "the link leads to other tasks than these; run `otherminds link`",
    }
    return Finding("link", state != "stale", details[state], note=state == "missing")


def _writable(folder: Path) -> str:
    results.check_writable(folder)
    return f"{folder} can be written"
