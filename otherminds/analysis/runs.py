"""Reading runs: sample files, found, read, and pooled by model and task."""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from otherminds.analysis.facts import NO_RESULTS, Facts, facts_of
from otherminds.analysis.words import no_golds, nothing_read, some
from otherminds.errors import OtherMindsError
from otherminds.on_inspect import reading
from otherminds.running import truncation
from otherminds.running.results import is_partial
from otherminds.samples import read as samples
from otherminds.samples.names import named
from otherminds.samples.read import Hashes, Rules, Sample
from otherminds.scoring.base import Answered, is_answered

Visit = Callable[[Path, Sample], None]

# Beyond this many wrong lines of one file, more of them tell nothing new.
_SHOWN_FAULTS = 5

# Answers that could not be read are shown to the reader, a few of each file.
_EXAMPLES = 20


@dataclass(frozen=True)
class Unread:
    """An answer that could not be parsed, as an example."""

    item_id: str
    raw: str
    place: str


@dataclass(frozen=True)
class Run:
    """One model's answers to one task, from one or several files.

    name      the model, made distinct among the runs that were read together
    records   the scored answers, in order of the documents' ids; each has `n_runs` answers
    prompts   some of the prompts, by item id, for a check against the data
    hashes    lm-eval's hashes of the same documents, by item id
    files     the files that the answers were read from, one for each run
    truncated of each record, the share of its replies that were cut off (`truncation.share`)
    """

    name: str
    task: str
    rules: Rules
    facts: Facts
    records: Sequence[Any]
    prompts: Mapping[str, str]
    hashes: Mapping[str, Hashes]
    unread: Sequence[Unread]
    files: tuple[Path, ...]
    truncated: Sequence[float] = ()

    @property
    def n_runs(self) -> int:
        """K, the number of answers to each document."""
        return len(self.answered[0].view().answers)

    @property
    def size(self) -> str:
        """How many documents it answered, in words."""
        n = len(self.records)
        return f"{n:,} document{'' if n == 1 else 's'}"

    @property
    def is_limited(self) -> bool:
        """Whether it was told to answer only part of the task's documents (`--limit`)."""
        counts = (self.facts.results.get("n-samples") or {}).get(self.task)
        return counts is not None and is_partial(counts)

    @property
    def answered(self) -> Sequence[Answered]:
        """The records; raises OtherMindsError where they are not answers to questions with golds."""
        if not is_answered(self.records[0]):
            raise OtherMindsError(no_golds([self.task]))
        return self.records


@dataclass(frozen=True)
class Runs:
    """The runs that were read, and notes on all that was left out."""

    runs: Sequence[Run]
    notes: Sequence[str]

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def by_task(self) -> dict[str, Runs]:
        """The runs of each task, in the order in which they were read."""
        tasks = dict.fromkeys(run.task for run in self.runs)
        return {
            task: replace(self, runs=[run for run in self.runs if run.task == task])
            for task in tasks
        }

    def answered(self) -> Runs:
        """The runs that can be compared: those without gold answers are left out, with a note.

        Raises OtherMindsError where these are all.
        """
        kept = [run for run in self.runs if is_answered(run.records[0])]
        if len(kept) == len(self.runs):
            return self
        if not kept:
            raise OtherMindsError(no_golds(list(dict.fromkeys(run.task for run in self.runs))))
        tasks = {run.task for run in self.runs} - {run.task for run in kept}
        note = (
            f"Left out, as their single answers have no gold answer: {', '.join(sorted(tasks))}. "
            "`otherminds score` prints what they measure."
        )
        return Runs(kept, [*self.notes, note])

    def named_by_task(self) -> Runs:
        """The same runs, with their task in their names where there are several."""
        if len({run.task for run in self.runs}) < 2:
            return self
        named = [replace(run, name=f"{run.name} on {run.task}") for run in self.runs]
        return replace(self, runs=named)


class Faults:
    """The first faults of a file, and how many more there are: a crafted file may have billions."""

    def __init__(self) -> None:
        self._shown: list[str] = []
        self._n = 0

    def add(self, fault: str) -> None:
        """Take one fault, as one line."""
        self._n += 1
        self._shown += [fault] * (self._n <= _SHOWN_FAULTS)

    def notes(self, path: Path) -> list[str]:
        """The faults of the file `path`, for its reader."""
        more = self._n - len(self._shown)
        return self._shown + [f"{path}: {more:,} more lines were left out."] * bool(more)


@dataclass
class _File:
    path: Path
    task: str
    rules: Rules
    facts: Facts
    records: dict[str, Any] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    hashes: dict[str, Hashes] = field(default_factory=dict)
    counts: Counter[int] = field(default_factory=Counter)
    unread: list[Unread] = field(default_factory=list)
    truncated: dict[str, float] = field(default_factory=dict)


def read_runs(
    paths: Sequence[str | Path],
    *,
    visit: Visit | None = None,
    sealed: bool = False,
) -> Runs:
    """Read the sample files in `paths` (files, or folders that are searched) and pool them into runs.

    A log of Inspect (`.eval`) stands for the sample files of its run.

    Files of one model on one task, of the same version and with the same settings, that answer the same
    documents are pooled: they are repeated runs, and every number is a mean over them. Files that hold
    the very same answers count once, as does a file whose runs are the first ones of another file: it
    was resumed for more runs. Files that cannot be read are left out, and the notes say so.

    visit  is called with every sample, for callers that need its texts
    sealed whether documents whose golds are sealed are read too; see `samples.read`
    Raises OtherMindsError for a path that does not exist, and when nothing can be read.
    """
    notes: list[str] = []
    why: list[tuple[str, str]] = []
    files = []
    refused: list[str] = []
    found = sample_files(paths, refused=refused.append)
    why += [(one, one) for one in refused]
    notes += refused
    for path in found:
        said: list[str] = []
        read = _read(path, said, visit, sealed)
        if read is not None and read.records:
            files.append(read)
        elif said:
            first = next((one for one in said if NO_RESULTS not in one), said[0])
            why.append((first, first.replace(str(path), "")))
        notes += said
    if not files:
        raise OtherMindsError(nothing_read(why))
    runs = [_pooled(group, notes) for group in _alike(files)]
    return Runs(_distinct(runs, notes), notes)


def sample_files(
    paths: Sequence[str | Path], *, refused: Callable[[str], None] | None = None
) -> list[Path]:
    """The sample files in `paths` (files, or folders that are searched), each once.

    A log of Inspect stands for those that are made of it. One that cannot be read goes to `refused`,
    in a line, or raises. Raises OtherMindsError for a path that does not exist, a folder without any,
    and no path.
    """
    if not paths:
        raise OtherMindsError("Give at least one sample file, or a folder of a run's output.")
    found: dict[Path, Path] = {}
    for name in paths:
        path = Path(name).expanduser()
        if path.is_dir():
            inside = sorted(p for p in path.rglob("samples_*.jsonl*") if named(p))
            logs = sorted(p for p in path.rglob("*") if reading.is_log(p) and p.is_file())
            if not inside and not logs:
                raise OtherMindsError(
                    f"{path} has no sample files (samples_….jsonl or .jsonl.zst). lm_eval writes them "
                    "with --log_samples and --output_path; `otherminds run` always does."
                )
        elif path.exists():
            inside, logs = ([], [path]) if reading.is_log(path) else ([path], [])
        else:
            raise OtherMindsError(f"There is no file or folder {path}.")
        for log in logs:
            try:
                inside += reading.sample_files(log)
            except OtherMindsError as error:
                if refused is None:
                    raise
                refused(f"{error} It was left out.")
        found |= {one.resolve(): one for one in inside}
    return list(found.values())


def header(path: Path, notes: list[str]) -> tuple[str, Rules, Facts] | None:
    """Task, rules and facts of a sample file; None, with a note, for one that cannot be scored here."""
    name = named(path)
    if name is None:
        notes.append(
            f"{path} was left out: its name is not that of a sample file (samples_<task>_<date>.jsonl)."
        )
        return None
    rules = samples.rules_of(name.task)
    if rules is None:
        notes.append(f"{path} was left out: '{name.task}' is not a task of OtherMinds.")
        return None
    facts = facts_of(path, note=notes.append)
    if _is_newer(facts.task_version, rules.version):
        notes.append(
            f"{path} was left out: it is of version {facts.task_version} of '{name.task}', and this "
            f"installation knows version {rules.version}. Update otherminds."
        )
        return None
    return name.task, rules, facts


def _read(path: Path, notes: list[str], visit: Visit | None, sealed: bool) -> _File | None:
    found = header(path, notes)
    if found is None:
        return None
    read = _File(path, *found)
    faults = Faults()
    try:
        with _uncollected():
            for sample in samples.read(path, note=notes.append, fault=faults.add, sealed=sealed):
                _take(read, sample, faults)
                if visit is not None:
                    visit(path, sample)
    except OtherMindsError as error:
        # Of a damaged file, any line may be another than was written.
        notes.append(f"{error} The file was left out.")
        return None
    for fault in _uneven(read):
        faults.add(fault)
    notes += faults.notes(path)
    return read


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the search for cycles: decoded JSON has none, and each search looks at all records."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _take(read: _File, sample: Sample, faults: Faults) -> None:
    record = sample.record
    if not is_answered(record):
        line = f"line {len(read.records)}"
        read.records[line] = record
        read.truncated[line] = truncation.share(sample.reasons)
        return
    view = record.view()
    if view.item_id in read.records:
        faults.add(f"{sample.place} repeats the document '{view.item_id}' and was left out.")
        return
    read.records[view.item_id] = record
    read.truncated[view.item_id] = truncation.share(sample.reasons)
    read.counts[len(view.answers)] += 1
    # Hashes and prompts of all documents would be most of the memory.
    if not read.prompts or is_checked(sample.hashes):
        read.prompts[view.item_id] = sample.prompt
        read.hashes[view.item_id] = sample.hashes
    if None in view.answers and len(read.unread) < _EXAMPLES:
        first = view.answers.index(None)
        raw = sample.raw[first] if first < len(sample.raw) else ", ".join(sample.raw)
        read.unread.append(Unread(view.item_id, raw, sample.place))


def _uneven(read: _File) -> list[str]:
    """Take out the documents with more or fewer answers than most have, and say so."""
    if len(read.counts) < 2:
        return []
    [(usual, _)] = read.counts.most_common(1)
    counts = {
        name: len(record.view().answers)
        for name, record in read.records.items()
        if is_answered(record)
    }
    others = [name for name, count in counts.items() if count != usual]
    for name in others:
        del read.records[name]
        read.prompts.pop(name, None)
        read.hashes.pop(name, None)
    return [
        f"{read.path} has {counts[name]} answers to the document '{name}' and {usual} to most others; "
        "this one was left out."
        for name in others
    ]


def is_checked(hashes: Hashes) -> bool:
    """Whether a document is one of the few whose prompt is compared with the data, about 1 in 64."""
    return hashes.doc[:2] in ("00", "40", "80", "c0")


def _is_newer(theirs: str | None, ours: str) -> bool:
    try:
        return theirs is not None and float(theirs) > float(ours)
    except ValueError:
        return theirs != ours


def _alike(files: Iterable[_File]) -> list[list[_File]]:
    """Groups of files that are repeated runs of one model on one task."""
    groups: dict[Any, list[_File]] = defaultdict(list)
    for file in files:
        facts = file.facts
        asked = (facts.chat_template, facts.decoding, facts.task_version, repr(facts.data))
        # Runs that were configured to show or to ask other things are not repeats of one another.
        how = (*asked, repr(facts.shown), facts.judge, facts.settings)
        # Without a results file, the folder is all that tells one model from another.
        where = None if facts.results else file.path.resolve().parent
        # A task without gold answers is not a measurement that a second run would repeat.
        alone = None if is_answered(next(iter(file.records.values()))) else file.path
        groups[facts.model, where, file.task, how, frozenset(file.records), alone].append(file)
    return list(groups.values())


def _pooled(group: Sequence[_File], notes: list[str]) -> Run:
    kept: list[_File] = []
    # Files of more runs come first: they hold all that those of fewer do.
    for file in sorted(group, key=_n_runs, reverse=True):
        known = next((other for other in kept if _is_copy(file, other)), None)
        if known is None:
            kept.append(file)
        else:
            what = "same answers as" if _n_runs(file) == _n_runs(known) else "first runs of"
            notes.append(f"{file.path} holds the {what} {known.path} and counts once.")
    first = kept[0]
    names = sorted(first.records)
    records = [first.records[name] for name in names]
    if len(kept) > 1:
        records = [
            one.joined([file.records[name] for file in kept])
            for name, one in zip(names, records, strict=True)
        ]
    return Run(
        name=first.facts.model,
        task=first.task,
        rules=first.rules,
        facts=first.facts,
        records=records,
        prompts=first.prompts,
        hashes=first.hashes,
        unread=[one for file in kept for one in file.unread][:_EXAMPLES],
        files=tuple(file.path for file in kept),
        truncated=[truncation.mean([file.truncated[name] for file in kept]) for name in names],
    )


def _is_copy(file: _File, other: _File) -> bool:
    """Whether `other` begins with all runs of `file`."""
    # Other runs of a chain may give the same answers. Its first run is that of a chain walked once.
    is_one_run = file.rules.takes_options or (file.facts.run or 1) == (other.facts.run or 1)
    return is_one_run and all(
        _begins_with(other.records[name], record) for name, record in file.records.items()
    )


def _begins_with(longer: Any, record: Any) -> bool:
    runs = record.single_runs()
    return list(longer.single_runs()[: len(runs)]) == list(runs)


def _n_runs(file: _File) -> int:
    return len(next(iter(file.records.values())).single_runs())


def _distinct(runs: Sequence[Run], notes: list[str]) -> list[Run]:
    """Runs of one model and task that could not be pooled are told apart by their names.

    By their judges, else by how many documents a limited run answered, else by numbers in the order of
    their dates. The stages of one run have many dates, but one number.
    """
    judges: dict[tuple[str, str], set[str | None]] = defaultdict(set)
    for run in runs:
        judges[run.name, run.task].add(run.facts.judge)
    runs = [
        replace(run, name=f"{run.name}, judged by {run.facts.judge}")
        if len(judges[run.name, run.task]) > 1
        else run
        for run in runs
    ]
    times = Counter((run.name, run.task) for run in runs)
    runs = [
        replace(run, name=f"{run.name}, {run.size}")
        if times[run.name, run.task] > 1 and run.is_limited
        else run
        for run in runs
    ]
    return _numbered(runs, notes)


def _numbered(runs: Sequence[Run], notes: list[str]) -> list[Run]:
    """The same runs; those that share name and task are numbered, and the notes say what that means."""
    alike: dict[tuple[str, str], list[Run]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: (_date(run), str(run.files[0]))):
        alike[run.name, run.task].append(run)
    several = {key: found for key, found in alike.items() if len(found) > 1}
    chains = {key: found for key, found in several.items() if _are_of_a_chain(found)}
    for model in dict.fromkeys(name for name, _ in several):
        own = {task: found for (name, task), found in several.items() if name == model}
        walked = {task: found for task, found in own.items() if (model, task) in chains}
        others = {task: found for task, found in own.items() if task not in walked}
        if walked:
            most = max(len(found) for found in walked.values())
            notes.append(
                f"{model}: {some(list(walked))} were answered in {most} runs (--runs), of which #1 is "
                "the first."
            )
        if others:
            first, found = next(iter(others.items()))
            made = " and ".join(f"#{place} {_date(run)}" for place, run in enumerate(found, 1))
            notes.append(
                f"{model} was run several times on {', '.join(others)} in ways that are not repeats of "
                "each other. These runs are numbered by the dates in their files' names "
                f"({first}: {made})."
            )
    places = {
        id(run): run.facts.run if key in chains else place
        for key, found in several.items()
        for place, run in enumerate(found, 1)
    }
    return [
        replace(run, name=f"{run.name} #{places[id(run)]}") if id(run) in places else run
        for run in runs
    ]


def _are_of_a_chain(runs: Sequence[Run]) -> bool:
    """Whether these are the runs of one chain that was walked several times (`--runs`)."""
    numbers = [run.facts.run for run in runs]
    return None not in numbers and len(set(numbers)) == len(numbers)


def _date(run: Run) -> str:
    name = named(run.files[0])
    return name.date if name else run.files[0].name
