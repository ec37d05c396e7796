"""The files of the Debate.org corpus: found, streamed, and staged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from otherminds.dataset_builders.debate.processed import SUFFIXES, stage_processed
from otherminds.dataset_builders.debate.records import Profile, read_debate, read_profile
from otherminds.dataset_builders.debate.staging import Writer
from otherminds.dataset_builders.debate.stances import stances
from otherminds.dataset_builders.sources import SourceError
from otherminds.types import Progress

DEBATES, USERS = "debates.json", "users.json"
_FIELDS_OF_A_DEBATE = ("title", "votes", "participant_1_name", "participant_1_position")
_FIELDS_OF_A_USER = ("big_issues_dict", "birthday", "political_ideology", "religious_ideology")
_LOOKED_AT = 100
"""How many records are looked at before a file is taken for the wrong one."""

_DEEPEST = 5_000
_STEPS = np.zeros(256, np.int8)
"""By byte, the change of depth: 1 where an object or a list begins, -1 where it ends."""
_STEPS[[*b"{["]], _STEPS[[*b"}]"]] = 1, -1


@dataclass(frozen=True)
class Source:
    """Where stances come from (`debates.json` or a processed table), and profiles, if anywhere."""

    beliefs: Path
    users: Path | None

    @property
    def paths(self) -> list[Path]:
        """All the files."""
        return [self.beliefs] if self.users is None else [self.beliefs, self.users]


def find(source: Path) -> Source:
    """The files of the corpus that `source` means.

    `source` is a folder with debates.json and users.json, or debates.json itself with users.json
    beside it, or the processed table of Lee et al. as CSV, Parquet or pickle, which may have
    users.json beside it. Raises SourceError for anything else.
    """
    if source.is_dir():
        missing = [name for name in (DEBATES, USERS) if not (source / name).is_file()]
        if missing:
            raise SourceError(
                f"{source} lacks {' and '.join(missing)}. The Debate.org corpus is two files, "
                f"{DEBATES} and {USERS}; give the folder that holds both, or a processed table."
            )
        return Source(source / DEBATES, source / USERS)
    if not source.is_file():
        raise SourceError(f"There is no file or folder {source}.")
    users = source.with_name(USERS) if source.with_name(USERS).is_file() else None
    if source.name == USERS:
        raise SourceError(f"{source} holds profiles; give the folder that holds {DEBATES} as well.")
    if source.suffix == ".json":
        if users is None:
            raise SourceError(
                f"{source} needs {USERS} beside it: without profiles there is no background."
            )
        return Source(source, users)
    if source.name.endswith(SUFFIXES):
        return Source(source, users)
    raise SourceError(
        f"{source} is neither {DEBATES} nor a table that can be read ({', '.join(SUFFIXES)})."
    )


def stage(source: Source, writer: Writer, debates: Progress, users: Progress) -> None:
    """Read `source` into `writer`. Raises SourceError for what is not what it should be."""
    dropped: Counter[str] = Counter()
    if source.beliefs.suffix == ".json":
        for key, raw in objects(source.beliefs, _FIELDS_OF_A_DEBATE, "debates", debates):
            debate = read_debate(key, raw)
            writer.debate(debate, stances(debate, dropped))
    else:
        stage_processed(source.beliefs, writer, dropped, debates)
    if source.users is not None:
        for profile in profiles(source.users, users):
            if not writer.profile(profile):
                raise SourceError(
                    f"{source.users}: two people with different profiles have the name "
                    f"'{profile.name}', so their beliefs cannot be told apart."
                )
    writer.count(dropped)


def profiles(path: Path, progress: Progress) -> Iterator[Profile]:
    """The profiles in users.json. Raises SourceError for another or a damaged file."""
    for name, raw in objects(path, _FIELDS_OF_A_USER, "profiles", progress):
        profile = read_profile(name, raw)
        if profile is not None:
            yield profile


def objects(
    path: Path, fields: tuple[str, ...], kind: str, progress: Progress
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The keys and objects of a file that is one JSON object of objects, one at a time.

    Members that are not objects are passed over. Raises SourceError for a file that is not such a JSON
    file, that ends early, or none of whose first hundred objects has any of `fields`.
    """
    ijson = _ijson()
    size = path.stat().st_size
    recognised = seen = 0
    with path.open("rb") as file:
        counted = _Counted(file)
        try:
            for key, value in ijson.kvitems(counted, "", use_float=True):
                progress(counted.done, size)
                counted.entry()
                if not isinstance(value, dict):
                    continue
                seen += 1
                recognised += any(field in value for field in fields)
                if seen >= _LOOKED_AT and not recognised:
                    break
                yield key, value
        except ijson.IncompleteJSONError as error:
            place = f"after {counted.done:,} of {size:,} bytes and {seen:,} {kind}"
            said = str(error).partition("\n")[0].strip().rstrip(".")
            raise SourceError(
                f"{path} ends early or is not JSON ({said}; {place}). "
                "Download it again and compare sizes."
            ) from error
        except ijson.JSONError as error:
            raise SourceError(f"{path} is not valid JSON: {error}") from error
        except UnicodeDecodeError as error:
            # Half of a surrogate pair, which JSON can say and no text can hold.
            raise SourceError(
                f"{path} holds half of a character after {counted.done:,} bytes. Download it again."
            ) from error
        except _DepthError:
            raise SourceError(
                f"{path}: entry number {seen + 1:,} of the {kind}, or one soon after it, is nested more "
                f"than {_DEEPEST:,} times. None of the corpus is: download it again and compare sizes."
            ) from None
    progress(size, size)
    if not recognised:
        raise SourceError(
            f"{path} holds no {kind}: none of its entries has any of the fields "
            f"{', '.join(fields)}. Is it another file?"
        )


class _DepthError(Exception):
    """Objects in objects in objects, for which ijson would need memory by the square of their number."""


class _Counted:
    """A file that knows how far it has been read, and raises _DepthError before ijson sees such a part.

    Brackets in texts count too, so that the depth is not exact; `entry` begins to count anew.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._depth = 0
        self.done = 0

    def entry(self) -> None:
        """An entry has come whole."""
        self._depth = 0

    def read(self, size: int = -1) -> bytes:
        found = self._file.read(size)
        self.done += len(found)
        steps = _STEPS[np.frombuffer(found, np.uint8)]
        if len(steps):
            depths = self._depth + np.cumsum(steps, dtype=np.int64)
            if depths.max() > _DEEPEST:
                raise _DepthError
            self._depth = int(depths[-1])
        return found


def _ijson() -> Any:
    try:
        import ijson
    except ModuleNotFoundError as error:
        raise SourceError(
            "Reading the Debate.org corpus needs the package ijson: `pip install 'otherminds[debate]'`."
        ) from error
    return ijson
