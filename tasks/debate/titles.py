"""A language model as the judge of which debate titles are statements.

`documents` is the dataset of the task `debate_title_filter`: the distinct titles of a corpus. `verdicts`
reads the model's answers, from the samples of such a run, as a judge for building `debate-beliefs`:

    otherminds run debate_title_filter --model … --metadata '{"data_source": "CORPUS"}'
    otherminds build debate-beliefs OUT --source CORPUS --titles samples_debate_title_filter_….jsonl.zst

A title that the samples have no verdict on is judged by the rules of `dataset_builders.debate.titles`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
from datasets import Dataset

from otherminds import files, manifest
from otherminds.data.rows import dataset_of
from otherminds.dataset_builders.debate.beliefs import propositions
from otherminds.dataset_builders.debate.ddo_source import Source, find, stage
from otherminds.dataset_builders.debate.duplicates import key_of
from otherminds.dataset_builders.debate.staging import Staged, Writer, fingerprint, staged
from otherminds.dataset_builders.debate.titles import proposition_of, rejection
from otherminds.dataset_builders.sources import Stretch
from otherminds.dataset_builders.verdict import Audit, verdict
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.keys import refuse_slips
from otherminds.metrics.debate.prediction import parse_yes_or_no
from otherminds.progress import bar
from otherminds.samples import packed

TASK = "debate_title_filter"
DATASET = "debate-beliefs"

_SPLIT = "test"
_SCHEMA = pa.schema(
    [("item_id", pa.string()), ("title", pa.string()), ("rejected_as", pa.string())]
)


def documents(*, dataset: str, data_source: str | None = None, **others: Any) -> dict[str, Dataset]:
    """The documents of the task: lm-eval's `custom_dataset`.

    One for each proposition that a build without any title filter would have: titles stripped as the
    builder strips them, those that differ in case or punctuation only are one, and those that name a
    user are left out, since no build keeps them and no model needs to see them. Columns:

    item_id      a hash of the title
    title        the proposition
    rejected_as  why the rules reject it; null where they accept it in any wording

    They are in order of their ids, so that the first of them (`--limit`) are a random sample.

    dataset      the dataset whose corpus it is, from the YAML
    data_source  the corpus as `otherminds build` takes it, from `--metadata`
    others       further arguments that lm-eval passes

    Raises AccessNeededError without a `data_source`, OtherMindsError for one that cannot be read.
    """
    refuse_slips(others, ())
    if data_source is None:
        raise _corpus_needed(dataset)
    try:
        source = find(Path(data_source).expanduser())
        titles = _titles(source, fingerprint(source.paths))
    except ValueError as error:
        raise OtherMindsError(f"Cannot read the titles of {data_source}: {error}") from error
    except OSError as error:
        raise OtherMindsError(f"Cannot read {data_source}: {error.strerror or error}.") from error
    rows = sorted((item_id(title), title, reason) for title, reason in titles.items())
    if not rows:
        raise OtherMindsError(f"{data_source} has no debate with a title; is it another file?")
    docs = [dict(zip(_SCHEMA.names, row, strict=True)) for row in rows]
    return {_SPLIT: dataset_of(docs, _SCHEMA)}


def item_id(title: str) -> str:
    """The id of a title, the same for titles that differ in case or punctuation only."""
    return f"title-{hashlib.sha256(key_of(title).encode()).hexdigest()[:16]}"


@dataclass(frozen=True)
class Verdicts:
    """Judges titles as a language model did; a title that it gave no verdict on, as the rules do.

    says      by item id, whether the title can be read as a statement
    unread    how many further answers could not be read
    path      the sample file
    sha256    of its bytes
    """

    says: Mapping[str, bool]
    unread: int
    path: Path
    sha256: str
    _counts: Counter[str] = field(default_factory=Counter, repr=False, compare=False)

    @property
    def dataset(self) -> str:
        """The dataset whose titles these are."""
        return DATASET

    @property
    def tag(self) -> str:
        """Marks versions of data that these verdicts shaped."""
        return f"titles.{self.sha256[:8]}"

    def __call__(self, title: str) -> str | None:
        """Why `title` is not a statement, or None where it is one: the `judge` of a build."""
        says = self.says.get(item_id(proposition_of(title)))
        self._counts["by_rules" if says is None else "by_model"] += 1
        if says is None:
            return rejection(title)
        return None if says else "not a statement, says the model"

    def judged(self) -> dict[str, int]:
        """How many debates were judged by whom, for the funnel.

        Raises OtherMindsError where no title had a verdict: the samples are of another corpus.
        """
        if not self._counts["by_model"]:
            raise OtherMindsError(
                f"None of the corpus' {self._counts['by_rules']:,} titles has a verdict in "
                f"{self.path}. {_RUN_IT}"
            )
        return {
            "debates judged by the model": self._counts["by_model"],
            "debates without a verdict, judged by the rules": self._counts["by_rules"],
        }

    def audits(self) -> list[Audit]:
        """Who judged, for the record of a build: none of these can fail."""
        by_model, by_rules = self._counts["by_model"], self._counts["by_rules"]
        read = f"verdicts in it; {self.unread:,} further answers could not be read"
        return [
            verdict("titles_file", True, self.sha256, f"SHA-256 of {self.path.name}, the judge"),
            verdict("titles_verdicts", True, len(self.says), read),
            verdict("titles_by_model", True, by_model, "debates whose title has a verdict"),
            verdict(
                "titles_by_rules", True, by_rules, "debates without one: the rules judged them"
            ),
        ]


def verdicts(path: Path) -> Verdicts:
    """The verdicts in the samples of a run of the task, under any name, packed or not.

    The samples may be of some titles only (`--limit`). Raises OtherMindsError for a file that cannot be
    read to its end, holds anything but one answer per title, or holds no verdict at all.
    """
    says: dict[str, bool] = {}
    seen: set[str] = set()
    if not path.is_file():
        raise _refused(f"There is no sample file {path}")
    for place, sample in packed.whole(path, _refused):
        name, answer = _answer(place, sample)
        if name in seen:
            raise _refused(f"{place} answers the title '{sample['doc']['title']}' a second time")
        seen.add(name)
        said = parse_yes_or_no(answer)
        if said is not None:
            says[name] = said
    if not seen:
        raise _refused(f"{path} has no samples")
    if not says:
        raise _refused(f"None of the {len(seen):,} answers in {path} says yes or no")
    return Verdicts(says, len(seen) - len(says), path, files.sha256(path))


@lru_cache(maxsize=1)
def _titles(source: Source, mark: str) -> dict[str, str | None]:
    """Each distinct proposition of the files `source`, of which `mark` is the content's fingerprint,
    with why the rules reject it."""
    # Staged files hold user names: they are gone when the titles have been read.
    with (
        TemporaryDirectory(prefix="otherminds-titles-") as folder,
        bar("Reading titles") as advance,
    ):

        def fill(writer: Writer) -> None:
            whole = Stretch(advance)
            stage(source, writer, whole.part(0, 900), whole.part(900, 1000))

        return _judged_by_rules(staged(Path(folder) / f"stances-{mark}.sqlite", fill))


def _judged_by_rules(read: Staged) -> dict[str, str | None]:
    asked = propositions(read, judge=lambda title: None).by_debate
    found: dict[str, str | None] = {}
    for number, _, title, _, _ in read.debates():
        if number in asked and key_of(asked[number].text):
            text, reason = asked[number].text, rejection(title)
            # Of several wordings ("Is …?", "… is"), the build keeps those that are accepted.
            found[text] = None if reason is None else found.get(text, reason)
    return found


def _answer(place: str, sample: Any) -> tuple[str, str]:
    """The id of the title that a sample is of, and the answer."""
    match sample:
        case {
            "doc": {"item_id": str() as name, "title": str() as title},
            "filtered_resps": [[str() as text]] | [str() as text],
        } if name == item_id(title):
            return name, text
        case {"doc": {"item_id": str() as name, "title": str()}, "filtered_resps": [[_, _, *_]]}:
            raise _refused(f"{place} has several answers where one is needed")
    raise _refused(f"{place} is not a sample of {TASK}")


_RUN_IT = (
    f"Run {TASK} on the corpus that is built from, and give the file samples_{TASK}_… of that run."
)


def _refused(what: str) -> OtherMindsError:
    return OtherMindsError(f"{what}. {_RUN_IT}")


def _corpus_needed(dataset: str) -> OtherMindsError:
    handed = manifest.load(dataset).handed
    if handed is None:
        return OtherMindsError(
            f"'{dataset}' is not built from a corpus, so it has no titles to read."
        )
    return AccessNeededError(
        f"{TASK} asks about the titles of {handed.what}, and needs to know where that lies. It is only "
        f"needed to build with a model as the judge of titles: `otherminds build {dataset}` judges them "
        "by rules.",
        steps=(
            handed.steps[0],
            "Run `pip install 'otherminds[debate]'`.",
            "Name the folder: `--metadata data_source=FOLDER`.",
        ),
    )
