"""The files of a clone of HugAgent's repository, in either of its layouts, as located records.

`Benchmark/data` has the release; `Benchmark/54UsersQ` has the same items as they were before it, under
the names of the step that selected them. Records are JSON objects: one per line, one after the other
over several lines, or in one list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from otherminds.dataset_builders.hugagent.features import TOPICS
from otherminds.dataset_builders.sources import Remarks, noted
from otherminds.files import not_json, too_deep

TASKS: Mapping[str, str] = MappingProxyType(
    {
        "belief_state_inference": "belief_attribution",
        "belief_dynamics_update": "belief_update",
    }
)
"""What a record's `task_type` is, by the beginning of the name of a release's file."""

RELEASED = Path("Benchmark", "data")
SELECTED = Path("Benchmark", "54UsersQ")

FILES = tuple(f"{stem}_{topic}.jsonl" for stem in TASKS for topic in TOPICS)
"""The files of a release, in its folder `Benchmark/data`."""

_STEMS = {**{stem: stem for stem in TASKS}, **{kind: stem for stem, kind in TASKS.items()}}
_NAME = re.compile(
    rf"(?:sample_)?(?P<kind>{'|'.join(_STEMS)})_(?P<topic>{'|'.join(TOPICS)})"
    r"(?P<rest>(?:[_-][\w.-]+)?)\.jsonl?"
)
# The step of the selection whose items were released, by task.
_RELEASED_STEP = {
    "belief_state_inference": "different_results",
    "belief_dynamics_update": "context_improves",
}
_BETWEEN = re.compile(r"[\s,\[\]]*")
_NO_UTF8 = "is left out, because it is not UTF-8 text"


class Located(dict[str, Any]):
    """An upstream record that knows where it was read, and of which task and topic its file is."""

    def __init__(
        self, fields: Mapping[str, Any], where: str, *, task: str = "", topic: str = ""
    ) -> None:
        super().__init__(fields)
        self.where = where
        self.task = task
        self.topic = topic


class _File(NamedTuple):
    path: Path
    stem: str
    topic: str
    rest: str

    @property
    def rank(self) -> tuple[bool, bool, str]:
        """Orders files with items of one task and topic: the released selection comes first."""
        step = self.rest.endswith(_RELEASED_STEP[self.stem])
        return (not step, self.path.suffix != ".jsonl", self.path.name)


def read_clone(folder: Path, remarks: Remarks | None = None) -> Iterator[Located]:
    """The records of a local clone of the authors' repository, file by file and line by line.

    `folder` is the clone, or its folder with the files. Of several files with items of one task and
    topic, the one with the released selection is read. What is missing, or cannot be read and is left
    out, is noted in `remarks`; without remarks, the first such thing is a ValueError.

    Raises ValueError for a folder that has none of the files.
    """
    files = _files(folder)
    if not files:
        raise ValueError(
            f"{folder} is not a clone of the HugAgent repository: there is no file such as {FILES[0]} "
            f"in it, in {RELEASED} or in {SELECTED}."
        )
    chosen: dict[tuple[str, str], _File] = {}
    for file in sorted(files, key=lambda file: file.rank):
        chosen.setdefault((file.stem, file.topic), file)
    unread = sorted(file.path.name for file in set(files) - set(chosen.values()))
    if unread and remarks is not None:
        remarks.add(f"not read, because another file has the same task: {', '.join(unread)}")
    wanted = [(stem, topic) for stem in TASKS for topic in TOPICS]
    for stem, topic in wanted:
        if (stem, topic) not in chosen:
            finding = f"there is no file with the items of {stem} on {topic}"
            if remarks is None:
                raise ValueError(f"{files[0].path.parent}: {finding}.")
            remarks.add(finding)
    for key in wanted:
        if key in chosen:
            yield from _records(chosen[key], remarks)


def _files(folder: Path) -> list[_File]:
    """The files with items in the first folder that has any, the release's before all others."""
    places = (RELEASED, Path(), SELECTED, RELEASED.name, SELECTED.name, "Benchmark")
    for place in places:
        found = [
            _File(path, _STEMS[match["kind"]], match["topic"], match["rest"])
            for path in sorted((folder / place).glob("*.json*"))
            if path.is_file() and (match := _NAME.fullmatch(path.name))
        ]
        if found:
            return found
    return []


def _records(file: _File, remarks: Remarks | None) -> Iterator[Located]:
    """The JSON objects of a file; after what is none, reading goes on where the next one may begin."""
    try:
        text = file.path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise ValueError(f"Cannot read {file.path}: {error.strerror}.") from error
    decoder = json.JSONDecoder()
    place, line, counted = 0, 1, 0
    while (place := _after(_BETWEEN.match(text, place), place)) < len(text):
        line += text.count("\n", counted, place)
        counted = place
        where = f"{file.path}, line {line}"
        try:
            record, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            fault = error.msg if isinstance(error, json.JSONDecodeError) else not_json(error)
            noted(remarks, f"a record is left out, because it is not valid JSON ({fault})", where)
            place = _next(text, place)
            continue
        if not _is_utf8(text[place:end]):
            noted(remarks, f"a record {_NO_UTF8}", where)
        elif isinstance(record, dict) and too_deep(record):
            noted(remarks, "a record is left out, because it is nested too deeply", where)
        elif isinstance(record, dict):
            yield Located(record, where, task=TASKS[file.stem], topic=file.topic)
        else:
            noted(remarks, "what is not a JSON object is left out", where)
        place = end


def _next(text: str, place: int) -> int:
    """Where the next line begins with a brace that is indented like what stands at `place`."""
    indent = text[text.rfind("\n", 0, place) + 1 : place]
    start = rf"^{re.escape(indent)}\{{" if indent.isspace() else r"^\{"
    found = re.compile(start, re.MULTILINE).search(text, text.find("\n", place) + 1 or len(text))
    return found.start() if found else len(text)


def _after(match: re.Match[str] | None, place: int) -> int:
    return match.end() if match else place


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
