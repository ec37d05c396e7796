"""The tasks, datasets and models that exist, for `list` and `show`.

Functions import the libraries that they use: the datasets can be listed without lm-eval, the tasks
without SciPy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from otherminds import console, manifest, paths
from otherminds.console import OUT
from otherminds.errors import AccessNeededError, OtherMindsError, unknown
from otherminds.manifest import Manifest

if TYPE_CHECKING:
    from otherminds.analysis.effective_n import EffectiveN
    from otherminds.harness import TaskEntry


def print_tasks() -> None:
    """All tasks by dataset with the form of their answers, then groups and tags."""
    from otherminds import harness

    entries = harness.entries(harness.task_manager())
    tables: dict[str, list[tuple[str, str]]] = {}
    for entry in entries:
        if entry.kind == "task":
            config = harness.load_yaml(_path(entry), resolve_functions=False)
            dataset = harness.dataset_of(config) or "unknown to us"
            form = str(config.get("output_type"))
            tables.setdefault(dataset, []).append((entry.name, _FORMS.get(form, form)))
    columns = ("Task", "Answers by")
    for dataset, rows in tables.items():
        OUT.print(f"Dataset [bold]{dataset}[/]")
        OUT.print(_listed(columns, rows))
    for kind in ("group", "tag"):
        names = [entry.name for entry in entries if entry.kind == kind]
        if names:
            OUT.print(f"[bold]{kind.capitalize()}s[/]: {', '.join(names)}")
    OUT.print("`otherminds show TASK` tells more; `otherminds run TASK` evaluates a model.")


def _listed(headings: tuple[str, str], rows: Sequence[tuple[str, str]]) -> Table:
    return console.table(console.texts(*headings, fit="words"), rows, look=console.Look.INDENTED)


def print_datasets() -> None:
    """All datasets with their rows, licence, and whether they are generated here."""
    from otherminds.benchmark import datasets

    lines = []
    for name in datasets():
        known = manifest.load(name)
        rows = ", ".join(
            f"{config} ({sum(facts.splits.values()):,})" for config, facts in known.configs.items()
        )
        source = "generated here" if known.generated else known.sources[0].name
        lines.append((name, known.version, rows, known.licence, source))
    headings = ("Version", "Configurations (rows)", "Licence", "Source")
    columns = [*console.texts("Dataset"), *console.texts(*headings, fit="words")]
    OUT.print(console.table(columns, lines, look=console.Look.INDENTED))


def print_models() -> None:
    """The weightless models, and the kinds of model that lm-eval runs."""
    from otherminds import harness, weightless

    rows = [(name, weightless.about(one)) for name, one in weightless.models().items()]
    OUT.print(_listed(("Weightless model", "How it answers"), rows))
    OUT.print(f"[bold]lm-eval's models[/]: {', '.join(harness.model_names())}")


def print_task(name: str, item: int, metadata: Mapping[str, Any]) -> None:
    """One rendered prompt with its gold, and the task's metrics, n, data, licence and terms of use.

    `metadata` is that of a run: where the data are, and which subset of them.

    Without access to the data, the steps that give it stand in place of the prompt.
    """
    from otherminds import harness
    from otherminds.analysis.effective_n import effective_n
    from otherminds.benchmark import of_dataset, resolve
    from otherminds.data import loading as data
    from otherminds.running import stages

    manager = harness.task_manager(metadata)
    tasks = {entry.name: entry for entry in harness.entries(manager) if entry.kind == "task"}
    if name not in tasks:
        raise unknown("task", name, tasks, listing="otherminds list")
    config = harness.load_yaml(_path(tasks[name]), resolve_functions=False)
    known = manifest.load(config["dataset_kwargs"]["dataset"])
    try:
        task = stages.load(manager, name)
    except AccessNeededError as error:
        _print_about(name, config, known)
        _print_access(known, str(error.__cause__ or error))
        return
    docs = task.eval_docs
    if not 0 <= item < len(docs):
        raise OtherMindsError(
            f"'{name}' has {len(docs)} documents; --item goes from 0 to {len(docs) - 1}."
        )
    doc = docs[item]
    benchmark = of_dataset(known.dataset)
    known_by = benchmark.person in docs.column_names
    # Documents that are not about a person, such as questions about a whole population, name none.
    people = set(docs[benchmark.person]) - {None, ""} if known_by else set()
    about = f" about {len(people):,} {benchmark.called}" if people else ""

    _print_about(name, config, known)
    OUT.print(f"n = {len(docs):,} documents{about}")
    describe = resolve(benchmark.described)
    if describe is not None and (said := describe(docs)) is not None:
        OUT.print(said)
    if known.upstream is not None:
        source, revision = metadata.get("data_source"), metadata.get("data_revision")
        here = data.locate(known.dataset, source=source, revision=revision)
        if here.note:
            _say(f"These data: {here.note}")
    judged = [one for one in config["metric_list"] if one.get("higher_is_better") is not None]
    _print_effective_n(effective_n(task, _metrics(judged)), benchmark.called)
    OUT.rule("System")
    OUT.print(task.config.description.strip(), markup=False, highlight=False, soft_wrap=True)
    OUT.rule(f"Prompt of document {item} ({doc['item_id']})")
    OUT.print(task.doc_to_text(doc), markup=False, highlight=False, soft_wrap=True)
    OUT.rule("Gold answer")
    OUT.print(_gold(task, doc, known.dataset), markup=False, highlight=False)


def _print_effective_n(found: Sequence[EffectiveN], called: str) -> None:
    from otherminds.analysis.effective_n import CORRELATION
    from otherminds.console import digits

    if not found:
        return
    headings = ("n", called, "detectable", "if related")
    rows = [
        [
            *(one.metric, f"{one.n:,.0f}", f"{one.n_people:,}"),
            *(digits(one.mde_unrelated), digits(one.mde_related)),
        ]
        for one in found
    ]
    columns = [*console.texts("What it rests on"), *console.numbers(*headings)]
    OUT.print(console.table(columns, rows, look=console.Look.RULED))
    _say(
        "Detectable: the smallest difference between two models that a comparison finds with 80 % "
        "power, for models that give the person's answer six times in ten, if their errors are "
        f"unrelated, and if their scores by person correlate by {CORRELATION}."
    )
    for one in found:
        if one.is_coarse:
            _say(
                f"Warning: {one.metric} rests on {one.n:,.0f} answers or pairs of {one.n_people:,} "
                f"{called}. It does not tell models apart that differ by less than "
                f"{digits(one.mde_related)}."
            )


def _gold(task: Any, doc: Mapping[str, Any], dataset: str) -> str:
    from otherminds.weightless import LETTERS, questions

    gold = str(task.doc_to_target(doc))
    if task.OUTPUT_TYPE != "multiple_choice":
        return gold or "none; the answer is used by a later stage"
    space = questions.of_dataset(dataset).answers(doc)
    if gold not in space:
        return gold
    letter = LETTERS[space.index(gold)]
    return gold if letter == gold else f"{letter} ({gold})"


def _decoding(generation: Mapping[str, Any] | None) -> str:
    if generation is None:
        return "none; the log-likelihoods of one-token options are compared"
    return f"temperature {generation['temperature']:g}, at most {generation['max_gen_toks']} tokens"


def _print_about(name: str, config: Mapping[str, Any], known: Manifest) -> None:
    """The remarks on a task that need no data."""
    from otherminds.data import upstream

    version = config["metadata"]["version"]
    OUT.rule(f"[bold]{name}[/]  version {version}")
    OUT.print(f"{known.title}, version {known.version}, licence {known.licence}")
    for source in known.sources:
        where = f" ({source.url})" if source.url else ""
        _say(f"Source: {source.name}{where}, licence {source.licence}")
    if known.access is not None:
        gate = f"gated, {known.access.approval} approval" if known.access.gated else "open"
        _say(f"Access: {gate}. Nothing of it is kept or passed on by OtherMinds.")
    for term in known.terms:
        _say(f"Terms: {term}")
    for line in upstream.stated(known):
        _say(f"Note: {line}")
    _say(f"Canary: {known.canary}")
    OUT.print(f"Metrics: {', '.join(_metrics(config['metric_list']))}")
    OUT.print(
        f"Decoding: {config.get('generation_kwargs') or 'log-likelihood of one-token options'}"
    )


def _print_access(known: Manifest, reason: str) -> None:
    OUT.rule("No prompt: the data are not here")
    _say(reason)
    if known.access is None:
        return
    steps, without = known.access.steps, known.access.without_access
    _say("To get access:")
    for number, step in enumerate(steps, start=1):
        _say(f"{number}. {step}")
    _say(f"Without access, run the task {without}.")


def _say(line: str) -> None:
    OUT.print(line, markup=False, highlight=False, soft_wrap=True)


_FORMS = {"generate_until": "text", "multiple_choice": "log-probabilities"}


def _metrics(metric_list: list[Mapping[str, Any]]) -> list[str]:
    names = [entry["metric"] for entry in metric_list]
    return [name for name in names if not name.endswith("_stderr")]


def _path(entry: TaskEntry) -> Path:
    if entry.path is None:
        raise OtherMindsError(f"The task '{entry.name}' has no YAML file under {paths.tasks()}.")
    return entry.path
