"""The manifest of a dataset: the one place that states its facts and numbers."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import Field, ValidationError, model_validator

from otherminds import paths
from otherminds.errors import OtherMindsError, unknown
from otherminds.strict import Strict

# The loader in C reads a manifest ten times as fast; some builds of PyYAML lack it.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Source(Strict):
    """Where the data come from; for generated data, the code and seed that make them."""

    name: str
    url: str | None = None
    revision: str | None = None
    sha256: str | None = None
    licence: str


class Config(Strict):
    """One configuration (`load_dataset`'s second argument) of a dataset.

    `content_hash` is that of the rows. Data of others have none: nothing of theirs is kept here.
    """

    description: str
    splits: dict[str, int]
    content_hash: str | None = None


class Slice(Strict):
    """A fixed part of generated data that can be built alone: counts and content hashes of its rows."""

    rows: dict[str, int]
    content_hash: dict[str, str]


class Reference(Strict):
    """Scores to read a model's score against: by "all", a topic or a subset, then by metric.

    A task that asks something else of the same data has scores of its own, by "task/<its name>", and of
    a part by "task/<its name>/<part>".

    `interval` has 95 % intervals of the scores of "all", by metric, `topic_interval` those of topics;
    `interval_basis` says how they were found. `sd` has standard deviations over people, of "all".
    `n_people_by_metric` is for scores that do not rest on the same people; `n_people` is the most.
    """

    description: str
    scores: dict[str, dict[str, float]]
    n_people: int | None = None
    n_people_by_metric: dict[str, int] | None = None
    sd: dict[str, float] | None = None
    interval: dict[str, tuple[float, float]] | None = None
    topic_interval: dict[str, dict[str, tuple[float, float]]] | None = None
    interval_basis: str | None = None


class Student(Strict):
    """The outcome for one trained student on the groups that it was not trained on.

    sees      what it saw besides the question and its options
    accuracy  the share right
    interval  its 95 % interval, over groups; None where it is not known
    above     the accuracy less that of the part's `basis`, item by item
    above_interval  its 95 % interval
    bound     the most that `above` may be; None where there is no bound
    """

    sees: str
    accuracy: float
    interval: tuple[float, float] | None = None
    above: float
    above_interval: tuple[float, float] | None = None
    bound: float | None = None

    @property
    def verdict(self) -> Literal["beyond", "within", "undecided"] | None:
        """Whether the bound is broken, kept, or neither is certain at 95 %; None without a bound."""
        if self.bound is None:
            return None
        if self.above_interval is None:
            return "undecided"
        low, high = self.above_interval
        if low > self.bound:
            return "beyond"
        return "within" if high <= self.bound else "undecided"


class Blind(Strict):
    """What blind readers got right of what students answer, and how far below the best student is.

    items          items that have been read, of those that students answered
    accuracy       the readers' mean share right on them
    interval       its 95 % interval, over people or stages; None where it is not known
    student        the best student on these items, by name
    below          how far its accuracy is below the readers', item by item
    below_interval the 95 % interval of this
    gap            the least that `below` must be; None where nothing is bounded
    """

    items: int
    accuracy: float
    interval: tuple[float, float] | None = None
    student: str
    below: float
    below_interval: tuple[float, float] | None = None
    gap: float | None = None

    @property
    def verdict(self) -> Literal["beyond", "within", "undecided"] | None:
        """Whether the best student is too near, far enough, or neither is certain at 95 %; None where
        nothing bounds it."""
        if self.gap is None:
            return None
        if self.below_interval is None:
            return "undecided"
        low, high = self.below_interval
        if high < self.gap:
            return "beyond"
        return "within" if low >= self.gap else "undecided"


class Slopes(Strict):
    """How the accuracy of the best student falls with what makes items harder.

    student    whose accuracy it is
    change     by property, the change of accuracy for one more, in a fit on all properties together
    intervals  the same, at 95 %, clustered by group
    """

    student: str
    change: dict[str, float]
    intervals: dict[str, tuple[float, float]]


class Studied(Strict):
    """The outcome for all students on one part of a dataset.

    items         items that were answered
    groups        people or stages that these are about
    trained       people or stages that students were trained on
    chance        the accuracy of options drawn at random
    majority      that of the most frequent answer to the question in the other half
    demographics  that of a student who sees the question and who the person is; None where nothing is
                  known of them
    basis         the highest of the three: what counts as chance
    reader        that of the rule-based reader; None where there is none
    blind         what blind readers got right; None where nobody has read the items
    harder        the same of the harder items alone; None where these are not told apart
    students      by name
    slopes        of the best student; None where items have nothing that makes them harder
    """

    items: int
    groups: int
    trained: int
    chance: float
    majority: float
    demographics: float | None = None
    basis: Literal["chance", "majority", "demographics"]
    reader: float | None = None
    blind: Blind | None = None
    harder: Blind | None = None
    students: dict[str, Student]
    slopes: Slopes | None = None

    @property
    def bounded(self) -> Blind | None:
        """What the best student must stay below: the harder items, where these are told apart."""
        return self.harder or self.blind


class Repeats(Strict):
    """Sentences of six words or more that stand in more than one unit.

    units      people or stages
    sentences  different sentences
    repeated   how many of them stand in more units than may be
    affected   the share of units that have one of these
    commonest  the sentence that stands in most units, as words
    share      the share of units that it stands in
    allowed    the share of units that a sentence may stand in; 0 where no two may have it
    """

    units: int
    sentences: int
    repeated: int
    affected: float
    commonest: str
    share: float
    allowed: float


class Students(Strict):
    """The outcome of the audit by trained students.

    edition  whether texts were generated in numbers ("scale") or written one by one ("authored")
    called   what groups are called
    rows     which rows were looked at
    also     what students were trained on besides; None where they were trained on one half alone
    harder   which items count as harder, in words; None where these are not told apart
    seed     of the draw of the halves
    parts    by part of the items
    repeats  sentences that several people or stages have; None where texts are no prose of its own
    """

    edition: Literal["scale", "authored"]
    called: str
    rows: str
    also: str | None = None
    harder: str | None = None
    seed: int
    parts: dict[str, Studied]
    repeats: Repeats | None = None


_OWN = "task/"


def own_part(task: str, part: str | None = None) -> str:
    """The key of the scores that a manifest has of one task alone, on all its documents or a part."""
    return f"{_OWN}{task}" + (f"/{part}" if part else "")


def is_of_items(part: str) -> bool:
    """Whether a key is of the scores of the data's items, and not of one task alone."""
    return not part.startswith(_OWN)


def task_of(part: str) -> str | None:
    """The task whose own scores, on all its documents, a key has; None for other keys."""
    task = part.removeprefix(_OWN)
    return None if is_of_items(part) or "/" in task else task


class Upstream(Strict):
    """Where data that others publish, and that are converted here, are found.

    hub           the dataset's id on the Hub
    revision      the revision of it that the manifest's numbers are of
    split         its only split
    configs       by our configuration, its name upstream
    clone_folder  where the same records lie in a clone of the authors' repository
    """

    hub: str
    revision: str
    split: str
    configs: dict[str, str]
    clone_folder: str


class Access(Strict):
    """The conditions and steps to get data that others publish.

    gated           whether the Hub asks for a log-in and for the acceptance of terms
    approval        "automatic" or "manual"
    steps           what to do, in order
    without_access  a task of the same benchmark that can be run meanwhile
    """

    gated: bool
    approval: Literal["automatic", "manual"]
    steps: list[str]
    without_access: str | None = None


class Handed(Strict):
    """The source that a user provides for a dataset that is built from a file of others.

    what        the file or folder, in a few words
    steps       how to get it, in order
    without_it  a task of the same benchmark that can be run meanwhile; None where there is none
    resumable   whether the builder keeps finished parts, and goes on from them when it is run again
    kept        where the source of the project's own release lies, once there is one: a folder beside
                the builder's module
    """

    what: str
    steps: list[str]
    without_it: str | None = None
    resumable: bool = False
    kept: str | None = None


class Redistribution(Strict):
    """Whether data of others may be passed on as they are converted here, and why (not)."""

    allowed: bool
    reason: str


class Manifest(Strict):
    """The content of `cards/<dataset>/manifest.yaml`: the facts about a dataset.

    A dataset has a `generator`; or it is built from a source that users provide (`handed`), with
    `parameters`; or it has an `upstream` with the `access` to it, its `terms` of use and the
    `facts` that its audits compare the converted data with. Data that are not generated are
    published where `redistribution` is allowed. With a `gate`, the Hub asks readers to accept the
    `terms`, and lets them in automatically or by hand. `construction` says how texts came about that
    somebody wrote inside frames (`otherminds construct`). `slices` are the parts of generated data
    that a task asks for alone, by the key of its `dataset_kwargs` that is true then. `measured` holds
    the values that the audits of the build found, by audit. `students` holds what students found who
    were trained on half of the people.
    """

    dataset: str
    title: str
    description: str
    version: str
    licence: str
    builder: str | None = None
    generator: dict[str, Any] | None = None
    handed: Handed | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)
    upstream: Upstream | None = None
    access: Access | None = None
    terms: list[str] = Field(default_factory=list)
    redistribution: Redistribution | None = None
    gate: Literal["automatic", "manual"] | None = None
    facts: dict[str, Any] | None = None
    sources: list[Source]
    configs: dict[str, Config]
    default_config: str
    slices: dict[str, Slice] = Field(default_factory=dict)
    references: dict[str, Reference]
    measured: dict[str, float | int | str] = Field(default_factory=dict)
    construction: dict[str, Any] | None = None
    students: Students | None = None
    citation: str
    canary: str

    @property
    def generated(self) -> bool:
        """Whether the data can be built here, without any download."""
        return self.generator is not None

    @property
    def rows(self) -> int:
        """The number of rows of all configurations."""
        return sum(sum(config.splits.values()) for config in self.configs.values())

    @model_validator(mode="after")
    def _says_where_data_come_from(self) -> Self:
        if self.generated and not all(config.content_hash for config in self.configs.values()):
            raise ValueError("every configuration of a generated dataset needs a content_hash")
        if self.handed is not None and self.builder is None:
            raise ValueError("a dataset that is built from a provided source needs a builder")
        if self.gate is not None and not self.terms:
            raise ValueError("a dataset with a gate needs terms to accept")
        if self.upstream is not None:
            needed = {"access": self.access, "facts": self.facts, "builder": self.builder}
            if missing := [name for name, value in needed.items() if value is None]:
                raise ValueError(f"a dataset with an upstream needs {', '.join(missing)} too")
            if set(self.upstream.configs) != set(self.configs):
                raise ValueError("upstream.configs must name just the configurations")
        return self


def names() -> list[str]:
    """The names of all datasets that have a manifest, sorted."""
    return sorted(
        path.parent.name
        for folder in paths.card_folders()
        for path in folder.glob("*/manifest.yaml")
    )


def path_of(dataset: str) -> Path:
    """The manifest file of a dataset; an unknown name is an error that names the nearest one."""
    path = paths.card(dataset) / "manifest.yaml"
    if dataset not in names():
        raise unknown("dataset", dataset, names(), listing="otherminds list --datasets")
    return path


@cache
def load(dataset: str) -> Manifest:
    """Read and check a dataset's manifest."""
    return read(path_of(dataset))


def read(path: Path) -> Manifest:
    """Read and check the manifest in the file `path`."""
    try:
        text = path.read_text(encoding="utf-8")
        return _parsed(text)
    except OSError as error:
        raise OtherMindsError(f"Cannot read the manifest {path}: {error.strerror}.") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise OtherMindsError(f"The manifest {path} is not valid YAML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the top"
        raise OtherMindsError(
            f"The manifest {path} is wrong at '{where}': {first['msg']}."
        ) from error


@lru_cache(maxsize=64)
def _parsed(text: str) -> Manifest:
    return Manifest.model_validate(yaml.load(text, Loader=_LOADER))  # nosec B506


def dump(known: Manifest) -> str:
    """The manifest as the YAML text that `read` reads."""
    facts = known.model_dump(mode="json", exclude_defaults=True)
    return yaml.safe_dump(facts, sort_keys=False, allow_unicode=True, width=100)
