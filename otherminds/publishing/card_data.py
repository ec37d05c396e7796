"""Rules on `configs` and `dataset_info` of a card's head, and on the files that they speak of.

Each rule yields one line per fault, with its remedy.
"""

from __future__ import annotations

import glob
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from datasets import Features

from otherminds.data.repository.card import size_category
from otherminds.publishing.card_parts import Card

_CONFIG_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_SPLIT_NAME: Final = re.compile(r"\w+(\.\w+)*")

_SLACK_SHARE: Final = 0.01
_SLACK_BYTES: Final = 16_384
"""How far a stated size may be from that in memory, which depends a little on the row groups."""

Measured = Mapping[str, tuple[int, int]]
"""Rows and bytes of the files, by split."""


@dataclass(frozen=True)
class _Part:
    """A configuration that has a name.

    default  whether the loader takes it as the default
    info     its entry of `dataset_info`, if there is one
    files    the Parquet files of each split that is listed as it should be
    """

    name: str
    default: bool
    info: Mapping[str, Any] | None
    files: Mapping[str, list[Path]]

    @property
    def stated(self) -> dict[str, tuple[Any, Any]]:
        """Rows and bytes by split, as `dataset_info` states them."""
        return {
            one["name"]: (one.get("num_examples"), one.get("num_bytes"))
            for one in _mappings((self.info or {}).get("splits"))
            if isinstance(one.get("name"), str)
        }


def configs(card: Card) -> Iterator[str]:
    """Configurations that the Hub reads as they are meant."""
    listed = card.head.get("configs")
    if not isinstance(listed, list) or not listed:
        yield "`configs` is missing or is not a list; without it the Hub guesses what the files are."
        return
    for place, config in enumerate(listed, start=1):
        name = config.get("config_name") if isinstance(config, Mapping) else None
        if not isinstance(name, str):
            yield f"configuration {place} has no `config_name` that is text; name it, in quotes."
            continue
        if not _CONFIG_NAME.fullmatch(name):
            yield f"the configuration name '{name}' has odd characters; use letters, digits, _, - and ."
        if not isinstance(config.get("default", False), bool):
            yield f"`default` of '{name}' is not true or false; write `default: true`."
        yield from _data_files(card, name, config.get("data_files"))
    found = _parts(card)
    for name, times in Counter(part.name for part in found).items():
        if times > 1:
            yield f"the configuration '{name}' is listed {times} times; keep one."
    defaults = [part.name for part in found if part.default]
    if len(defaults) > 1:
        yield f"{', '.join(defaults)} are all default; the loader refuses that: keep one."


def unlisted(card: Card) -> Iterator[str]:
    """Every Parquet file belongs to a configuration."""
    listed = {path for part in _parts(card) for paths in part.files.values() for path in paths}
    for path in sorted(card.folder.rglob("*.parquet")):
        if path not in listed:
            name = path.relative_to(card.folder).as_posix()
            yield f"{name} belongs to no configuration; list it under `configs` or remove it."


def info(card: Card) -> Iterator[str]:
    """An entry of `dataset_info` for each configuration and no other, of the right form."""
    entries = _infos(card)
    if not entries:
        yield "`dataset_info` is missing; give features and split sizes of each configuration."
        return
    wanted, named = [part.name for part in _parts(card)], [name for name, _ in entries]
    for name in wanted:
        if name not in named:
            yield f"`dataset_info` of '{name}' is missing; add its features and split sizes."
    for name, entry in entries:
        if name not in wanted:
            yield f"`dataset_info` names '{name}', which is not a configuration; remove it."
        for key in ("features", "splits"):
            if not isinstance(entry.get(key), list):
                yield f"`dataset_info` of '{name}' has no list `{key}`; add it."


def sizes(card: Card) -> Iterator[str]:
    """Numbers of rows and bytes are those of the files."""
    rows = 0
    for part in _parts(card):
        found: dict[str, tuple[int, int]] = {}
        for split, paths in part.files.items():
            try:
                found[split] = _measure(paths)
            except (OSError, pa.ArrowException) as error:
                yield f"a file of '{part.name}' cannot be read ({_reason(error)}); write it again."
        rows += sum(count for count, _ in found.values())
        if part.info is not None and len(found) == len(part.files):
            yield from _split_sizes(part, found)
            yield from _total_sizes(part, part.info, found)
    category = size_category(rows)
    if rows and card.head.get("size_categories") != [category]:
        yield f"`size_categories` must be [{category}]: there are {rows:,} rows."


def features(card: Card) -> Iterator[str]:
    """Features are those of the files: names, order and types."""
    for part in _parts(card):
        if part.info is None or not isinstance(part.info.get("features"), list):
            continue
        try:
            stated = dict(Features._from_yaml_list(part.info["features"]))
        except Exception as error:  # the parser of datasets raises errors of any type
            yield (
                f"features of '{part.name}' cannot be read ({_reason(error)}); "
                "write what `datasets` writes."
            )
            continue
        for path in (path for paths in part.files.values() for path in paths):
            try:
                found = dict(Features.from_arrow_schema(pq.read_schema(path)))
            except (OSError, pa.ArrowException):
                continue  # `sizes` says so
            yield from _compare_features(part.name, stated, found)


def _data_files(card: Card, name: str, found: Any) -> Iterator[str]:
    listed = found if isinstance(found, list) else [found]
    if listed and all(isinstance(one, str) for one in listed):
        yield (
            f"`data_files` of '{name}' is plain text, which becomes the split train; "
            "write a list of split and path."
        )
        return
    if not isinstance(found, list) or not found:
        yield f"`data_files` of '{name}' must be a list of split and path; write it so."
        return
    splits: Counter[str] = Counter()
    for one in found:
        entry = _split_and_patterns(one)
        if entry is None:
            yield f"`data_files` of '{name}' has an entry without just `split` and `path`, as text."
            continue
        split, patterns = entry
        splits[split] += 1
        if not _SPLIT_NAME.fullmatch(split) or split == "all":
            yield f"the split name '{split}' of '{name}' is not allowed; use letters, digits and _."
        if splits[split] == 2:
            yield f"the split '{split}' of '{name}' is listed twice; give it all its paths in one entry."
        for pattern in patterns:
            if not _matches(card.folder, pattern):
                yield f"the path '{pattern}' of '{name}' matches no file of the repository; correct it."


def _split_and_patterns(entry: Any) -> tuple[str, list[str]] | None:
    """An entry of `data_files`, if it is one."""
    if not isinstance(entry, Mapping) or set(entry) != {"split", "path"}:
        return None
    split, path = entry["split"], entry["path"]
    patterns = path if isinstance(path, list) else [path]
    if not patterns or not all(isinstance(one, str) for one in (split, *patterns)):
        return None
    return split, patterns


def _split_sizes(part: _Part, found: Measured) -> Iterator[str]:
    if not isinstance((part.info or {}).get("splits"), list):
        return  # `info` says so
    for split, (rows, size) in found.items():
        if split not in part.stated:
            yield f"`dataset_info` of '{part.name}' lacks the split '{split}'; add its sizes."
            continue
        where = f"of '{part.name}' ({split})"
        yield from _compare(f"num_examples {where}", part.stated[split][0], rows)
        yield from _compare(f"num_bytes {where}", part.stated[split][1], size, _slack(size))
    for split in part.stated:
        if split not in found:
            yield (
                f"`dataset_info` of '{part.name}' has the split '{split}', which has no files; "
                "remove it."
            )


def _total_sizes(part: _Part, stated: Mapping[str, Any], found: Measured) -> Iterator[str]:
    if "dataset_size" in stated:
        size = sum(bytes_ for _, bytes_ in found.values())
        what = f"dataset_size of '{part.name}'"
        yield from _compare(what, stated["dataset_size"], size, _slack(size))
    if "download_size" in stated:
        size = sum(path.stat().st_size for paths in part.files.values() for path in paths)
        yield from _compare(f"download_size of '{part.name}'", stated["download_size"], size)


def _measure(paths: Sequence[Path]) -> tuple[int, int]:
    """Rows, and bytes in memory, of Parquet files."""
    rows, size = 0, 0
    for path in paths:
        with pq.ParquetFile(path) as opened:
            for batch in opened.iter_batches(batch_size=1_000):
                rows += batch.num_rows
                size += batch.nbytes
    return rows, size


def _slack(size: int) -> float:
    return _SLACK_BYTES + _SLACK_SHARE * size


def _compare(what: str, stated: Any, found: int, slack: float = 0) -> Iterator[str]:
    if isinstance(stated, bool) or not isinstance(stated, int):
        yield f"{what} is not a whole number; it must be {found}."
    elif abs(stated - found) > slack:
        yield f"{what} is {stated}, the files have {found}; correct it."


def _compare_features(
    name: str, stated: Mapping[str, Any], found: Mapping[str, Any]
) -> Iterator[str]:
    wrong = [column for column in found if stated.get(column) != found[column]]
    wrong += [column for column in stated if column not in found]
    if wrong:
        shown = ", ".join(wrong[:5])
        yield f"features of '{name}' differ from the file in {shown}; correct them."
    elif list(stated) != list(found):
        yield f"features of '{name}' are in another order than in the file; reorder them."


def _reason(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _parts(card: Card) -> list[_Part]:
    """The configurations, as far as they can be made out; `configs` names those left out, and why."""
    # Of several entries of one name, the first.
    entries = dict(reversed(_infos(card)))
    return [
        _Part(
            name=name,
            default=one.get("default") is True or name == "default",
            info=entries.get(name),
            files=_files(card.folder, one.get("data_files")),
        )
        for one in _mappings(card.head.get("configs"))
        if isinstance(name := one.get("config_name"), str)
    ]


def _infos(card: Card) -> list[tuple[str, Mapping[str, Any]]]:
    """The entries of `dataset_info`, each with the configuration that it is of."""
    stated = card.head.get("dataset_info")
    entries = _mappings(stated if isinstance(stated, list) else [stated])
    return [(str(one.get("config_name", "default")), one) for one in entries]


def _matches(folder: Path, pattern: str) -> list[Path]:
    """The files of the folder that a pattern of `data_files` matches; none outside of it."""
    if pattern.startswith("/") or ".." in pattern.split("/") or "\0" in pattern:
        return []
    found = glob.glob(pattern, root_dir=folder, recursive=True)
    return sorted(path for one in found if (path := folder / one).is_file())


def _files(folder: Path, listed: Any) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for one in _mappings(listed):
        split, path = one.get("split"), one.get("path")
        for pattern in path if isinstance(path, list) else [path]:
            if isinstance(split, str) and isinstance(pattern, str):
                paths = [one for one in _matches(folder, pattern) if one.suffix == ".parquet"]
                found.setdefault(split, []).extend(paths)
    return found


def _mappings(listed: Any) -> list[Mapping[str, Any]]:
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
