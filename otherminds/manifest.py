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
    """

    what: str
    steps: list[str]
    without_it: str | None = None
    resumable: bool = False


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
    `terms`, and lets them in automatically or by hand. `slices` are the parts of generated data
    that a task asks for alone, by the key of its `dataset_kwargs` that is true then. `measured` holds
    the values that the audits of the build found, by audit.
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
