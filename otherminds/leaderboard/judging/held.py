"""The data that entries of a season are held against, with golds once these are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from otherminds.analysis.facts import Facts
from otherminds.analysis.verification import task_of
from otherminds.control_tokens import without_escapes
from otherminds.errors import OtherMindsError
from otherminds.leaderboard.judging.earlier import Records
from otherminds.leaderboard.judging.expected import Expected, check_supported, docs_of, documents_of
from otherminds.leaderboard.records.reasons import RefusedError
from otherminds.leaderboard.records.record import Submission
from otherminds.leaderboard.sealing import folder as folders
from otherminds.leaderboard.sealing import record
from otherminds.leaderboard.sealing.columns import sealing_of
from otherminds.leaderboard.sealing.record import Season
from otherminds.leaderboard.sealing.tables import Tables, content_hashes
from otherminds.samples.read import Rules


class Held:
    """A season's tasks on its own data.

    folder    the participants' folder
    season    its record
    complete  the rows with golds; without them nothing can be scored

    Raises OtherMindsError where the folder's rows are not those that the record names.
    """

    def __init__(self, folder: Path, season: Season, complete: Tables | None = None) -> None:
        self.folder = folder
        self.season = season
        self._complete = complete
        self._content_hash = content_hashes(season.dataset, folders.tables(folder, season))
        self._known: dict[str, Expected] = {}
        self._loaded: dict[str, Any] = {}
        self._places: dict[str, dict[str, int]] = {}

    def expected(self, task: str) -> Expected:
        """The documents that answers to a task are held against. Raises RefusedError for other tasks."""
        if task not in self.season.tasks:
            raise RefusedError("season-task", f"{task}; they are {', '.join(self.season.tasks)}.")
        if task not in self._known:
            self._known[task] = self._expected(task)
        return self._known[task]

    def asks(self, task: str, item: str, prompt: str) -> bool:
        """Whether a prompt, perhaps in a chat template, is the task's prompt for an item."""
        self.expected(task)
        docs = self._loaded[task].eval_docs
        if task not in self._places:
            self._places[task] = {one: place for place, one in enumerate(docs["item_id"])}
        text: str = self._loaded[task].doc_to_text(docs[self._places[task][item]])
        return without_escapes(text.strip()) in without_escapes(prompt)

    def _expected(self, task: str) -> Expected:
        rules = check_supported(task)
        metadata = {"data_source": str(self.folder.resolve())}
        loaded = self._loaded[task] = task_of(task, Facts(model="", metadata=metadata))
        complete = partial(self._with_gold, rules)
        documents, prompts = documents_of(loaded, rules, task, complete=complete)
        asked = _configs(loaded)
        return Expected(
            task=task,
            rules=rules,
            version=self.season.data_version,
            content_hash={name: self._content_hash[name] for name in asked},
            documents=documents,
            read=partial(docs_of, loaded, complete=complete),
            prompts=prompts,
            is_open=True,
            in_season=True,
            is_sealed=self._complete is None,
        )

    def _with_gold(self, rules: Rules, doc: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._complete is None:
            return rules.scorer.readable(doc)
        return {**doc, **self._golds[doc["item_id"]]}

    @cached_property
    def _golds(self) -> dict[str, dict[str, Any]]:
        """The withheld columns of each item, by its id."""
        found: dict[str, dict[str, Any]] = {}
        for config, rows in sealing_of(self.season.dataset).items.items():
            table = (self._complete or {})[config]
            shown = {*rows.ids, *rows.kept}
            withheld = table.select(
                ["item_id", *(name for name in table.column_names if name not in shown)]
            )
            found |= {row["item_id"]: row for row in withheld.to_pylist()}
        return found


class Seasons:
    """Some seasons' folders, for the verifier.

    received  the day (UTC) on which the entry reached the leaderboard. It comes from the Hub, or from
              the verifier of a folder: the day that a record states of itself is never used

    Raises OtherMindsError for a folder without a season, and for two of the same season.
    """

    def __init__(self, folders: Iterable[Path], received: date | None) -> None:
        self._seasons: dict[str, tuple[Path, Season]] = {}
        for folder in folders:
            season = record.read(folder)
            if season.id in self._seasons:
                raise OtherMindsError(
                    f"{folder} and {self._seasons[season.id][0]} are both season {season.id}: name one."
                )
            self._seasons[season.id] = folder, season
        self._received = received
        self._held: dict[str, Held] = {}

    def expected(self, season: str, task: str) -> Expected:
        """The documents that an entry's answers to a task are held against. Raises RefusedError."""
        if season not in self._held:
            self._held[season] = Held(*self._known(season))
        return self._held[season].expected(task)

    def check_entry(self, submission: Submission, others: Records) -> None:
        """Check that a season takes an entry. Raises RefusedError."""
        _, season = self._known(str(submission.season))
        if not season.is_open:
            raise RefusedError("season-closed", f"{season.id} on {season.closed}.")
        if self._received is None:
            raise RefusedError("season-day-unknown", season.id)
        if not season.takes(self._received):
            raise RefusedError(
                "season-not-open",
                f"{season.id} from {season.opened} to {season.closes}; received {self._received}.",
            )
        check_once(submission, others)
        if missing := sorted(set(season.tasks) - {run.task for run in submission.tasks}):
            raise RefusedError("coverage", f"{season.id} has {', '.join(missing)} too.")

    def _known(self, name: str) -> tuple[Path, Season]:
        if name not in self._seasons:
            raise RefusedError("season-unknown", name)
        return self._seasons[name]


def check_once(submission: Submission, others: Records) -> None:
    """Check that a season has no entry of this model by this submitter. Raises RefusedError."""
    for name, other in others.items():
        if (other.season, other.submitter, other.model.name) == (
            submission.season,
            submission.submitter,
            submission.model.name,
        ):
            raise RefusedError("season-entry-twice", name)


def _configs(loaded: Any) -> list[str]:
    return list(loaded.config.dataset_kwargs["configs"])
