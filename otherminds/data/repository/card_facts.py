"""Facts for a dataset's card that no manifest has: `cards/<dataset>/card.yaml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Self, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, model_validator

from otherminds import manifest, paths
from otherminds.dataset_builders import content_files
from otherminds.errors import OtherMindsError

NAME = "card.yaml"

Content = TypeVar("Content", bound=BaseModel)


class CardFacts(BaseModel):
    """Facts for the card of one dataset.

    The first group goes to the card's YAML head under the Hub's names for them. `license_name` and
    `license_link` are for a manifest whose licence is "other".

    papers      arXiv ids of the works to read
    curators    who made the dataset
    tasks       tasks of lm-eval to name; the first stands in the command
    columns     the meaning of each column; or `columns_of` names another dataset with the same columns
    numbers     numbers that the words need and that no manifest has, by name
    versions    the changes, by version of the data, newest first
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    language: list[str] = ["en"]
    license_name: str | None = None
    license_link: str | None = None
    task_categories: list[str]
    annotations_creators: list[str]
    language_creators: list[str]
    source_datasets: list[str]
    tags: list[str]
    papers: list[str] = []
    curators: str
    tasks: list[str]
    columns: dict[str, str] = {}
    columns_of: str | None = None
    numbers: dict[str, int | float] = {}
    versions: dict[str, str]

    @model_validator(mode="after")
    def _columns_once(self) -> Self:
        if bool(self.columns) == bool(self.columns_of):
            raise ValueError("give either columns or columns_of")
        return self


@cache
def load(dataset: str) -> CardFacts:
    """The facts of a dataset, with the columns of the one that it shares them with."""
    found = read(paths.card(dataset) / NAME)
    if found.columns_of is None:
        return found
    columns = load(found.columns_of).columns
    return found.model_copy(update={"columns": columns, "columns_of": None})


def read(path: Path) -> CardFacts:
    """Read and check a facts file; OtherMindsError, on one line, for a missing or wrong one."""
    return checked(path, CardFacts)


def checked(path: Path, kind: type[Content]) -> Content:
    """A hand-written YAML file as a `kind`; OtherMindsError, on one line, where it is not one."""
    try:
        return content_files.read(path, TypeAdapter(kind))
    except content_files.ContentError as error:
        raise OtherMindsError(" ".join(str(error).split())) from error


def beside(dataset: str, name: str, kind: type[Content]) -> Content | None:
    """The file `name` in a dataset's card folder, as a `kind`; None for no such file or dataset.

    Raises OtherMindsError as `checked`.
    """
    return checked(paths.card(dataset) / name, kind) if dataset in having(name) else None


def having(name: str) -> list[str]:
    """The datasets whose card folder holds a file of this name, sorted."""
    return [one for one in manifest.names() if (paths.card(one) / name).is_file()]
