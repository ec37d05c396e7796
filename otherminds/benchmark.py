"""Benchmarks: one object each, found in the folders of `otherminds.tasks` and in packages of others.

`tasks/<name>/benchmark.py` defines `BENCHMARK`. A benchmark may live in a package of its own, which lays
its files out as this one does (`tasks/<name>/`, `templates/<name>/`, `dataset_builders/<name>/`,
`metrics/<name>/`, `cards/<dataset>/`) and names the object in its metadata:

    [project.entry-points."otherminds.benchmarks"]
    chess = "chess_minds.tasks.chess.benchmark:BENCHMARK"

The module `benchmark.py` is light. Parts that need libraries or data are named as
"module:attribute", and are imported where it is used.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from otherminds import paths
from otherminds.declared import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    Breakdown,
    Command,
    Key,
    Panel,
    Sketch,
)
from otherminds.errors import OtherMindsError

if TYPE_CHECKING:
    import pyarrow as pa

    from otherminds.dataset_builders.ablation import Ablation
    from otherminds.manifest import Manifest
    from otherminds.metrics.ranges import Ranges

__all__ = [
    "FLAG",
    "NUMBER",
    "PEOPLE",
    "TEXT",
    "WHOLE",
    "Benchmark",
    "Breakdown",
    "Command",
    "Fault",
    "Key",
    "Panel",
    "Sketch",
    "builder_module",
    "collected",
    "datasets",
    "every",
    "evidence_columns",
    "faults",
    "look_up",
    "named",
    "of_dataset",
    "parameters",
    "resolve",
]

PEOPLE = "people"
"""What clusters are called where nobody says otherwise."""

_LOG = logging.getLogger("otherminds")


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """The facts and functions of one benchmark that the engine uses.

    Fields of type str that are said to be references have the form "module:attribute"; None where the
    benchmark has no such part.

    name           the name of its folders, and the first part of its manifests' `builder`
    datasets       its datasets
    person         the column that names whom an item is about
    called         the word for these, in the plural
    right          when an answer counts as right, as a sentence for readers of samples
    items          configurations whose rows are items, as opposed to the truth behind them
    together       columns in which items agree that show the same evidence
    evidence       columns that hold the evidence on a person, most of the rows' size
    learned        whether a baseline learns from the evidence of other people
    about          what it is about, in a line for `otherminds list`
    headline       the tasks and groups to begin with, which `list` shows; all tasks by default
    asks           reference to a function of the content of a task's or group's YAML, with its includes
                   and names in place of functions: what it asks, in a line. It must be quick to import
    keys           further keys of `--metadata` that change what a document asks: those that functions of
                   its tasks take (`custom_dataset`), its switches and the parameters of its ablations
    switches       keys of `--metadata` that are true or false: references to the function of the rows
                   that is applied where they are true
    default_model  the weightless model that answers where no model is named
    ablations      reference to a mapping of `Ablation` by name: other evidence that tasks may show
    questions      reference to its `otherminds.weightless.questions.Questions`; None where the defaults
                   serve its documents
    models         the weightless models that answer it alone, by name: references to their classes
    judge          the weightless model that judges its answers, where no judge is named
    fallback       reference to the `otherminds.scoring.scorer.Scorer` that reads samples whose file's
                   name states no task; its `check_doc` refuses the documents of others
    tables         reference to a sequence of functions that write tables of its own into a report:
                   from the scores of its runs, the folder and the report's notes, which they may add
                   to, to the paths of what they wrote
    reliability    by section of `report --reliability` ("order": its task that asks every item in both
                   orders of its options; "identity": its test with other people's evidence), the
                   command that makes what the section reads
    pictures       reference to a function of the scores of its runs that yields the
                   `otherminds.page.Drawing`s which a report's page shows of them
    drawn          reference to a function of a task's documents that yields a `Sketch` of each: what
                   `show --graph` prints and writes
    shown          reference to a function of the scores of its runs and the notes on them: what
                   `score` prints of several runs besides each one's scores, as a list for rich
    ranges         reference to the values that its metrics can have, which intervals and axes keep to
                   (`otherminds.metrics.ranges.Ranges`); by default they end where the numbers do
    layout         reference to its `otherminds.analysis.layouts.Layout`: the columns of its main table,
                   and the order of its conditions
    breakdowns     how its own breakdowns are shown, by the key of the estimates ("by_turns"); the one
                   by topic belongs to all benchmarks
    remarks        reference to a function of a task's name, its configuration and its scores, which
                   yields notes for the readers of a run
    references     reference to the function of a dataset's manifest and tables that gives its
                   `otherminds.manifest.Reference` scores, by name
    students       reference to a mapping from a dataset to its `otherminds.students.view.View`: how its
                   items look to students that are trained to find shortcuts; left out are datasets
                   whose rows are no items with a gold answer among options
    doc_tables     reference to a mapping from a table's name to the function of a manifest that gives
                   its Markdown: its own tables in docs/
    pages          reference to a mapping from a dataset to its pages: by a page below docs/, the
                   function of the manifest that gives its text
    commands       its commands, by name
    helps          additions to the help of the engine's commands and options ("build --titles"), and
                   examples of commands, one a line ("run examples")
    described      reference to a function from documents to the line that `show` prints of them, or None
    titles         reference to a function from saved samples to who judges the titles of its source
    interviews     reference to its `otherminds.interview.studies.Interviews`: its simulated people, who
                   can be interviewed, and how items from interviews become its rows
    rewards        its module of reward functions ("module" alone), to be imported as
                   `otherminds.rewards.<name>`
    pipelines      how its data are written: references to an `otherminds.construct.Pipeline` each, by
                   the name that `otherminds construct export` takes
    """

    name: str
    datasets: tuple[str, ...]
    person: str
    questions: str | None = None
    called: str = PEOPLE
    right: str = "The answer is the same as the true one."
    items: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    learned: bool = False
    about: str = ""
    headline: tuple[str, ...] = ()
    asks: str | None = None
    keys: Mapping[str, Key] = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)
    default_model: str = "majority"
    ablations: str | None = None
    models: Mapping[str, str] = field(default_factory=dict)
    judge: str | None = None
    fallback: str | None = None
    tables: str | None = None
    reliability: Mapping[str, str] = field(default_factory=dict)
    pictures: str | None = None
    drawn: str | None = None
    shown: str | None = None
    ranges: str | None = None
    layout: str | None = None
    breakdowns: Mapping[str, Breakdown] = field(default_factory=dict)
    remarks: str | None = None
    references: str | None = None
    students: str | None = None
    doc_tables: str | None = None
    pages: str | None = None
    commands: Mapping[str, Command] = field(default_factory=dict)
    helps: Mapping[str, str] = field(default_factory=dict)
    described: str | None = None
    titles: str | None = None
    interviews: str | None = None
    rewards: str | None = None
    pipelines: Mapping[str, str] = field(default_factory=dict)

    @property
    def known_ablations(self) -> Mapping[str, Ablation]:
        """The ablations by name."""
        found: Mapping[str, Ablation] = resolve(self.ablations) or {}
        return found

    @property
    def known_ranges(self) -> Ranges:
        """The values that its metrics can have, by metric; empty where it declares none."""
        found: Ranges = resolve(self.ranges) or {}
        return found

    def switched(self, table: pa.Table, metadata: Mapping[str, Any]) -> pa.Table:
        """The items of `table` under those switches that `metadata` turns on.

        Raises ValueError for a switch that is neither true nor false, and as its function.
        """
        for name in self.switches_on(metadata):
            try:
                table = resolve(self.switches[name])(table)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from error
        return table

    def switches_on(self, metadata: Mapping[str, Any]) -> list[str]:
        """The switches that `metadata` turns on; raises ValueError for another value than a boolean."""
        return [name for name in self.switches if name in metadata and _is_on(name, metadata[name])]

    def show(self, name: str, table: pa.Table, *, pool: pa.Table, **parameters: Any) -> pa.Table:
        """The items of `table` as an ablation shows them; raises ValueError as `ablation.apply`."""
        from otherminds.dataset_builders import ablation

        return ablation.apply(self.known_ablations, name, table, pool=pool, **parameters)


@dataclass(frozen=True)
class Fault:
    """Why a benchmark of another package is left out; `where` is its entry point."""

    where: str
    reason: str


def resolve(reference: str | None) -> Any:
    """The object that a reference "module:attribute" (or "module") names; None for None."""
    if reference is None:
        return None
    module, _, attribute = reference.partition(":")
    found = importlib.import_module(module)
    return getattr(found, attribute) if attribute else found


_REFERENCES = frozenset(
    {
        *("asks", "questions", "ablations", "fallback", "tables", "shown", "layout", "remarks"),
        *("pictures", "drawn"),
        *(
            "ranges",
            "references",
            "students",
            "doc_tables",
            "pages",
            "described",
            "titles",
            "rewards",
        ),
        "interviews",
    }
)
"""The fields that are references."""


@cache
def named(name: str) -> Benchmark:
    """The benchmark `name`, without importing any other.

    Raises OtherMindsError, in one line, for an unknown name and for a benchmark that cannot be used.
    """
    packages = paths.packages()
    if name not in packages:
        raise OtherMindsError(
            f"There is no benchmark '{name}'; there are: {', '.join(sorted(packages))}."
        )
    where = f"{packages[name]}.tasks.{name}.benchmark"
    try:
        found = importlib.import_module(where).BENCHMARK
    except (Exception, SystemExit) as error:  # any error of a module of others
        said = (str(error).strip().splitlines() or [""])[0]
        raise OtherMindsError(
            f"The benchmark '{name}' cannot be used, because {where} fails: "
            f"{type(error).__name__}: {said}"
        ) from error
    if not isinstance(found, Benchmark):
        raise OtherMindsError(
            f"The benchmark '{name}' cannot be used: BENCHMARK in {where} is not an "
            "otherminds.benchmark.Benchmark."
        )
    if found.name != name:
        raise OtherMindsError(
            f"The benchmark '{name}' cannot be used: BENCHMARK in {where} calls itself '{found.name}'."
        )
    if wrong := _mistyped(found):
        raise OtherMindsError(
            f"The benchmark '{name}' cannot be used: {wrong[0]} of BENCHMARK in {where} must be of type "
            f"{wrong[1]}."
        )
    if not where.startswith("otherminds."):  # a test sees to ours
        for dataset in found.datasets:
            _check_dataset(found, dataset)
    return found


def _texts(value: Any) -> bool:
    return all(isinstance(one, str) for one in value)


def _maps(value: Any, kind: type) -> bool:
    return (
        isinstance(value, Mapping)
        and _texts(value)
        and all(isinstance(one, kind) for one in value.values())
    )


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "str": lambda value: isinstance(value, str),
    "str | None": lambda value: value is None or isinstance(value, str),
    "bool": lambda value: isinstance(value, bool),
    "tuple[str, ...]": lambda value: isinstance(value, tuple) and _texts(value),
    "Mapping[str, str]": lambda value: _maps(value, str),
    "Mapping[str, Breakdown]": lambda value: _maps(value, Breakdown),
    "Mapping[str, Command]": lambda value: _maps(value, Command),
    "Mapping[str, Key]": lambda value: _maps(value, Key),
}
"""How the types of a benchmark's fields are checked, by how they are written."""


def _mistyped(found: Benchmark) -> tuple[str, str] | None:
    """The first field that has a value of another type, and its type."""
    for one in fields(found):
        if not _TYPES[str(one.type)](getattr(found, one.name)):
            return one.name, str(one.type)
    return None


def _check_dataset(found: Benchmark, dataset: str) -> None:
    """Raise OtherMindsError unless a dataset has a sound manifest that is of this benchmark."""
    from otherminds import manifest

    builder = str(manifest.load(dataset).builder)
    if builder.partition(".")[0] != found.name:
        raise OtherMindsError(
            f"The benchmark '{found.name}' cannot be used: the manifest of '{dataset}' names "
            f"the builder '{builder}', not '{found.name}.…'."
        )


def of_dataset(dataset: str) -> Benchmark:
    """The benchmark that a dataset belongs to; raises OtherMindsError for an unknown dataset."""
    # The names of benchmarks and of their commands do not take pydantic and YAML.
    from otherminds import manifest

    return named(str(manifest.load(dataset).builder).partition(".")[0])


def builder_module(known: Manifest) -> Any:
    """The module of `dataset_builders` that a manifest names, from the package of its benchmark."""
    name = str(known.builder)
    package = paths.packages()[of_dataset(known.dataset).name]
    return importlib.import_module(f"{package}.dataset_builders.{name}")


@cache
def every() -> tuple[Benchmark, ...]:
    """All benchmarks that can be used, ours first; those that cannot are named in a warning."""
    found = []
    for name in paths.packages():
        try:
            found.append(named(name))
        except OtherMindsError as error:
            _LOG.warning("%s", error)
    return tuple(found)


def datasets() -> list[str]:
    """The datasets of all benchmarks that can be used, sorted."""
    return sorted(dataset for one in every() for dataset in one.datasets)


def faults() -> list[Fault]:
    """The entry points that are left out, and references that name nothing, with the reasons.

    Imports whatever the benchmarks refer to, except their commands (`cli.main.faults`).
    """
    found = [Fault(name, reason) for name, reason in paths.refused().items()]
    for name in paths.packages():
        try:
            one = named(name)
        except OtherMindsError as error:
            found.append(Fault(name, str(error)))
            continue
        for reference in _references(one):
            try:
                look_up(one, reference)
            except OtherMindsError as error:
                found.append(Fault(name, str(error)))
    return found


def collected(part: Callable[[Benchmark], str | None]) -> list[Any]:
    """What the references that `part` takes from each benchmark name, where there are any.

    A benchmark whose reference names nothing is left out, with a warning.
    """
    found = []
    for one in every():
        if (reference := part(one)) is not None:
            try:
                found.append(look_up(one, reference))
            except OtherMindsError as error:
                _LOG.warning("%s", error)
    return found


def _references(one: Benchmark) -> list[str]:
    named_in = (getattr(one, each.name) for each in fields(one) if each.name in _REFERENCES)
    mapped = (*one.switches.values(), *one.models.values(), *one.pipelines.values())
    return [reference for reference in (*named_in, *mapped) if reference is not None]


def look_up(one: Benchmark, reference: str) -> Any:
    """What a reference names; raises OtherMindsError, in one line, where it names nothing."""
    try:
        return resolve(reference)
    except (Exception, SystemExit) as error:  # whatever a module of others raises
        said = (str(error).strip().splitlines() or [""])[0]
        raise OtherMindsError(
            f"The benchmark '{one.name}' names {reference}, which fails: "
            f"{type(error).__name__}: {said}"
        ) from error


def evidence_columns() -> frozenset[str]:
    """The columns that hold the evidence on a person, in the data of any benchmark."""
    return frozenset(column for one in every() for column in one.evidence)


def parameters() -> frozenset[str]:
    """The keys of `--metadata` that change what is asked or shown, of all benchmarks."""
    found: set[str] = set()
    for one in every():
        found |= one.keys.keys() | one.switches.keys()
    for ablations in collected(lambda one: one.ablations):
        found |= {name for ablation in ablations.values() for name in ablation.parameters}
    return frozenset(found)


def _is_on(name: str, value: Any) -> bool:
    # lm-eval's `--metadata name=true` gives text.
    said = {"true": True, "false": False}.get(str(value).strip().casefold())
    if said is None:
        raise ValueError(f"{name} is true or false, not {value!r}")
    return said
