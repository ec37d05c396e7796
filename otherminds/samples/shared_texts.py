"""Sample lines in which a long text stands once: in the first line that shows it.

Every sample repeats its person's evidence, in the document and in each prompt. Here, a line brings the
texts that are new in it under `shared_texts`, by their hash, and every place where such a text stood (or
a prompt that begins like one) says which:

    {"$text": "<hash>"}                                   the text itself
    {"$text": "<hash>", "length": 812, "rest": "…"}       its first 812 characters, and then the rest

Each line is still one sample, and a file that was cut off is whole up to there.
"""

from __future__ import annotations

import bisect
import gzip
import hashlib
import itertools
import json
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from otherminds.errors import OtherMindsError

FIELD = "shared_texts"
_MARK = "$text"
_SHORTEST = 256
"""Characters below which a reference saves nothing worth the indirection."""
_REMEMBERED = 4_096
"""How many texts a line may refer back to, which bounds the texts that a reader has to keep."""
_LONGEST_LINE = 100_000_000
"""Characters that the references of one line may stand for: a crafted file could ask for any number."""

Line = dict[str, Any]


class Sharing:
    """Writes the lines of one file; called with each line in turn."""

    def __init__(self) -> None:
        self._texts: dict[str, Any] = {}
        self._prompts: list[tuple[str, str]] = []

    def __call__(self, line: Mapping[str, Any]) -> Line:
        """The same line, with references. Raises ValueError for one that has them already."""
        if FIELD in line:
            raise ValueError(f"A sample has a field '{FIELD}' already.")
        new: dict[str, Any] = {}
        shared = dict(line)
        if isinstance(line.get("doc"), dict):
            shared["doc"] = {name: self._whole(part, new) for name, part in line["doc"].items()}
        if isinstance(line.get("arguments"), dict):
            shared["arguments"] = {
                request: self._parts(parts, new) for request, parts in line["arguments"].items()
            }
        self._forget()
        return shared | {FIELD: new} if new else shared

    def _parts(self, parts: Any, new: dict[str, Any]) -> Any:
        if not isinstance(parts, dict):
            return parts
        return {
            name: self._prompt(part, new) if isinstance(part, str) else self._whole(part, new)
            for name, part in parts.items()
        }

    def _whole(self, value: Any, new: dict[str, Any]) -> Any:
        # Numbers and the like are short; a value that looks like a reference must not stand as it is.
        if not isinstance(value, str | list | dict):
            return value
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if len(text) < _SHORTEST and not _is_reference(value):
            return value
        return {_MARK: self._kept(value, f"{type(value).__name__}:{text}", new)}

    def _prompt(self, text: str, new: dict[str, Any]) -> Any:
        if len(text) < _SHORTEST:
            return text
        # Among texts in order, none begins more like this one than its neighbours.
        place = bisect.bisect_left(self._prompts, (text, ""))
        near = self._prompts[max(place - 1, 0) : place + 1]
        length, key = max(((_common(text, one), key) for one, key in near), default=(0, ""))
        if length == len(text) == len(self._texts.get(key, "")):
            return {_MARK: key}
        # Little in common, such as the system text alone: the next lines will rather be like this one.
        if length < max(_SHORTEST, len(text) // 2):
            key = self._kept(text, f"str:{text}", new)
            bisect.insort(self._prompts, (text, key))
            return {_MARK: key}
        return {_MARK: key, "length": length, "rest": text[length:]}

    def _kept(self, value: Any, text: str, new: dict[str, Any]) -> str:
        key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        if key not in self._texts:
            self._texts[key] = new[key] = value
        return key

    def _forget(self) -> None:
        if _trim(self._texts):
            self._prompts = [one for one in self._prompts if one[1] in self._texts]


class Restoring:
    """Reads the lines of one file; called with each in turn, gives the text before sharing."""

    def __init__(self) -> None:
        self._texts: dict[str, Any] = {}

    def __call__(self, line: Any) -> Any:
        """The whole line; one that is not a sample stays as it is.

        Raises ValueError for a reference to a text that no line before has brought, or a malformed one.
        """
        if not isinstance(line, dict):
            return line
        new = line.get(FIELD, {})
        if not isinstance(new, dict):
            raise ValueError(f"its {FIELD} are not a mapping")
        self._texts |= new
        whole = {name: part for name, part in line.items() if name != FIELD}
        room = [_LONGEST_LINE]
        if isinstance(whole.get("doc"), dict):
            whole["doc"] = self._restored(whole["doc"], room)
        if isinstance(whole.get("arguments"), dict):
            whole["arguments"] = {
                request: self._restored(parts, room) if isinstance(parts, dict) else parts
                for request, parts in whole["arguments"].items()
            }
        _trim(self._texts)
        return whole

    def _restored(self, parts: dict[str, Any], room: list[int]) -> dict[str, Any]:
        return {
            name: self._text(part, room) if _is_reference(part) else part
            for name, part in parts.items()
        }

    def _text(self, reference: Mapping[str, Any], room: list[int]) -> Any:
        match reference:
            case {"$text": str() as key, "length": int() as length, "rest": str() as rest}:
                start = self._texts.get(key)
                if not isinstance(start, str) or not 0 <= length <= len(start):
                    raise ValueError(f"it begins like the text '{key}', which no line before has")
                _take(room, length)
                return start[:length] + rest
            case {"$text": str() as key} if key in self._texts and len(reference) == 1:
                whole = self._texts[key]
                _take(room, _size(whole))
                return whole
        raise ValueError(f"it refers to the text {reference[_MARK]!r}, which no line before has")


def read(path: Path, refused: Callable[[str], OtherMindsError]) -> Iterator[tuple[str, Any]]:
    """The lines of a `.jsonl` or `.jsonl.gz`: place ("FILE, line 3") and value, with all texts, of each.

    A file that was cut off is refused, not read in part: `refused` makes the error to raise of what is
    wrong.
    """
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            restored = Restoring()
            for number, line in enumerate(file, start=1):
                yield f"{path}, line {number}", restored(json.loads(line))
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise refused(f"{path} cannot be read to its end ({error})") from error


def _take(room: list[int], length: int) -> None:
    room[0] -= length
    if room[0] < 0:
        raise ValueError(f"its texts have more than {_LONGEST_LINE:,} characters")


def _size(value: Any) -> int:
    """About how many characters a text, or a list of texts and mappings, has."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum(len(name) + _size(part) for name, part in value.items())
    return sum(map(_size, value)) if isinstance(value, list) else 1


def _trim(texts: dict[str, Any]) -> bool:
    """Drop the oldest of too many texts, after a line, so that a line may refer to all before it."""
    over = len(texts) - _REMEMBERED
    for key in list(itertools.islice(texts, max(over, 0))):
        del texts[key]
    return over > 0


def _is_reference(value: Any) -> bool:
    return isinstance(value, dict) and _MARK in value


def _common(one: str, other: str) -> int:
    """How many first characters two texts share."""
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least
