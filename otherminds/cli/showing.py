"""What a task, a group, a tag or a benchmark asks, for `show`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from otherminds import benchmark, console, harness, index, manifest
from otherminds.benchmark import of_dataset, resolve
from otherminds.cli import catalogue
from otherminds.console import OUT, say
from otherminds.errors import AccessNeededError, OtherMindsError, unknown_task
from otherminds.index import Entry
from otherminds.keys import chosen
from otherminds.manifest import Manifest
from otherminds.running import stages, used_keys

if TYPE_CHECKING:
    from otherminds.analysis.effective_n import EffectiveN


def print_named(name: str, item: int, metadata: Mapping[str, Any]) -> None:
    """Show a task, or of a group, tag or benchmark its parts and the first one's prompt.

    `metadata` is that of a run: where the data are, and which subset of them. Raises OtherMindsError for
    a name that does not exist, a document that there is not, and as `used_keys.check`.
    """
    entries = index.entries()
    entry = entries.get(name)
    if entry is None:
        entry = _benchmark(name)
    if entry is None:
        names = [*entries, *(one.name for one in benchmark.every())]
        raise unknown_task(name, names, kind="task or group")
    tasks = list(dict.fromkeys(task for part in _parts(entry) for task in index.tasks_of(part)))
    manager = harness.task_manager(metadata)
    used_keys.check(manager, tasks, metadata)
    if entry.kind == "task":
        print_task(name, item, metadata)
        return
    first = [*stages.before(manager, tasks[:1]), *tasks][0]
    print_prompt = _prompt(manager, first, item)
    _print_parts(entry, tasks)
    print_prompt()


def _benchmark(name: str) -> Entry | None:
    """A benchmark's tasks to begin with, as if they were a group."""
    found = {one.name: one for one in benchmark.every()}.get(name)
    if found is None:
        return None
    tasks = [entry.name for entry in index.of_benchmark(name) if entry.kind == "task"]
    return Entry(name, "tag", name, {}, found.headline or tuple(tasks))


def _parts(entry: Entry) -> tuple[str, ...]:
    return (entry.name,) if entry.kind == "task" else entry.parts


def _print_parts(entry: Entry, tasks: Sequence[str]) -> None:
    """The parts of a group, tag or benchmark, with what each asks and what it takes to run them."""
    one = benchmark.named(entry.benchmark)
    entries = index.entries()
    kind = entry.kind if entry.name in entries else "benchmark"
    OUT.rule(f"[bold]{entry.name}[/]  {kind} of {len(entry.parts)}")
    if entry.kind == "group":
        say(f"Asks: {catalogue.asks(one, entry)}")
    elif one.about:
        say(one.about)
    for dataset in dict.fromkeys(_dataset_of(entries[task]) for task in tasks):
        if dataset in manifest.names():
            known = manifest.load(dataset)
            say(f"Data: {known.title}, version {known.version}, licence {known.licence}")
    parts = [entries[part] for part in entry.parts if part in entries]
    rows = [(part.name, catalogue.asks_how(one, part)) for part in parts]
    OUT.print(catalogue.table("Part", "Asks", rows))
    needed = stages.before(harness.task_manager(), tasks)
    if earlier := [stage for stage in needed if stage not in tasks]:
        say(f"Asked before these, as stages: {', '.join(earlier)}")
    if kind == "benchmark":
        say(f"All of its tasks: `otherminds list {entry.name}`")
    else:
        say(f"`otherminds run {entry.name}` runs them; `otherminds show PART` tells more of one.")


def _prompt(manager: Any, name: str, item: int) -> Callable[[], None]:
    """What prints a prompt with its gold, or how to get the data that it is made from.

    Raises OtherMindsError for a document that there is not, before anything is printed.
    """
    try:
        task = stages.load(manager, name)
    except AccessNeededError as error:
        return partial(_print_access, error)
    _check_item(name, item, len(task.eval_docs))
    return partial(_print_document, task, name, item, of=name)


def print_task(name: str, item: int, metadata: Mapping[str, Any]) -> None:
    """One rendered prompt with its gold, and the task's metrics, n, data, licence and terms of use.

    Without access to the data, the steps that give it stand in place of the prompt.
    """
    from otherminds.analysis.effective_n import effective_n
    from otherminds.data import loading as data

    manager = harness.task_manager(metadata)
    entry = index.entries()[name]
    config = entry.content
    known = manifest.load(config["dataset_kwargs"]["dataset"])
    try:
        task = stages.load(manager, name)
    except AccessNeededError as error:
        _print_about(entry, known)
        _print_keys(manager, name)
        _print_access(error)
        return
    docs = task.eval_docs
    _check_item(name, item, len(docs))
    one = of_dataset(known.dataset)
    known_by = one.person in docs.column_names
    # Documents that are not about a person, such as questions about a whole population, name none.
    people = set(docs[one.person]) - {None, ""} if known_by else set()
    about = f" about {len(people):,} {one.called}" if people else ""

    _print_about(entry, known)
    OUT.print(f"n = {len(docs):,} documents{about}")
    describe = resolve(one.described)
    if describe is not None and (said := describe(docs)) is not None:
        OUT.print(said)
    if known.upstream is not None:
        source, revision = metadata.get("data_source"), metadata.get("data_revision")
        here = data.locate(known.dataset, source=source, revision=revision)
        if here.note:
            say(f"These data: {here.note}")
    judged = [row for row in config["metric_list"] if row.get("higher_is_better") is not None]
    _print_effective_n(effective_n(task, _metrics(judged)), one.called)
    _print_keys(manager, name)
    _print_document(task, name, item)
    if name == one.name:
        say(f"Other tasks of this benchmark: `otherminds list {name}`")


def _check_item(name: str, item: int, count: int) -> None:
    if not 0 <= item < count:
        raise OtherMindsError(f"'{name}' has {count} documents; --item goes from 0 to {count - 1}.")


def _print_document(task: Any, name: str, item: int, *, of: str | None = None) -> None:
    """The prompt of a document and its gold; `of` names the task that it is one of, for a group."""
    doc = task.eval_docs[item]
    whose = f" of {of}" if of else ""
    if system := task.config.description.strip():
        OUT.rule("System")
        OUT.print(system, markup=False, highlight=False, soft_wrap=True)
    OUT.rule(f"Prompt of document {item}{whose} ({doc['item_id']})")
    OUT.print(task.doc_to_text(doc), markup=False, highlight=False, soft_wrap=True)
    OUT.rule("Gold answer")
    OUT.print(
        _gold(task, doc, task.config.dataset_kwargs["dataset"]), markup=False, highlight=False
    )


def _print_effective_n(found: Sequence[EffectiveN], called: str) -> None:
    from otherminds.analysis.effective_n import CORRELATION

    if not found:
        return
    headings = ("n", called, "detectable", "if related")
    rows = [
        [
            *(one.metric, f"{one.n:,.0f}", f"{one.n_people:,}"),
            *(console.digits(one.mde_unrelated), console.digits(one.mde_related)),
        ]
        for one in found
    ]
    columns = [*console.texts("What it rests on"), *console.numbers(*headings)]
    OUT.print(console.fitted(columns, rows, look=console.Look.RULED))
    say(
        "Detectable: the smallest difference between two models that a comparison finds with 80 % "
        "power, for models that give the person's answer six times in ten, if their errors are "
        f"unrelated, and if their scores by person correlate by {CORRELATION}."
    )
    for one in found:
        if one.is_coarse:
            say(
                f"Warning: {one.metric} rests on {one.n:,.0f} answers or pairs of {one.n_people:,} "
                f"{called}. It does not tell models apart that differ by less than "
                f"{console.digits(one.mde_related)}."
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


def _print_about(entry: Entry, known: Manifest) -> None:
    """The remarks on a task that need no data."""
    from otherminds.data import upstream

    config, one = entry.content, of_dataset(known.dataset)
    OUT.rule(f"[bold]{entry.name}[/]  version {config['metadata']['version']}")
    say(f"Asks: {catalogue.asks(one, entry)}")
    OUT.print(f"{known.title}, version {known.version}, licence {known.licence}")
    for source in known.sources:
        where = f" ({source.url})" if source.url else ""
        say(f"Source: {source.name}{where}, licence {source.licence}")
    if known.access is not None:
        gate = f"gated, {known.access.approval} approval" if known.access.gated else "open"
        say(f"Access: {gate}. Nothing of it is kept or passed on by OtherMinds.")
    for term in known.terms:
        say(f"Terms: {term}")
    for line in upstream.stated(known):
        say(f"Note: {line}")
    say(f"Canary: {known.canary}")
    OUT.print(f"Metrics: {', '.join(_metrics(config['metric_list']))}")
    OUT.print(
        f"Decoding: {config.get('generation_kwargs') or 'log-likelihood of one-token options'}"
    )


def _print_keys(manager: Any, name: str) -> None:
    found = used_keys.of_task(manager, name) or {}
    rows = [(key, chosen(one), one.default) for key, one in found.items()]
    headings = console.texts("--metadata key"), console.texts("Chooses", "Default", fit="words")
    columns = [column for part in headings for column in part]
    OUT.print(console.fitted(columns, rows, look=console.Look.RULED))


def _print_access(error: AccessNeededError) -> None:
    OUT.rule("No prompt: the data are not here")
    for line in error.lines:
        say(line)


def _dataset_of(entry: Entry) -> str | None:
    return harness.dataset_of(entry.content)


def _metrics(metric_list: Sequence[Mapping[str, Any]]) -> list[str]:
    names = [entry["metric"] for entry in metric_list]
    return [name for name in names if not name.endswith("_stderr")]
