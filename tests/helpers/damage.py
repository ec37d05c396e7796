"""Files as accidents and forgers leave them, and what a reader may make of them.

A mutator takes the bytes of a sound file and a generator, and gives a damaged copy. `fuzz` reads many of
them, each from its own seed, so that any of them can be made again by its number. With the environment
variable OTHERMINDS_FUZZ, so many times as many are read.
"""

from __future__ import annotations

import copy
import csv
import io
import json
import math
import os
import random
import re
import resource
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from otherminds.errors import OtherMindsError
from tests.helpers import packed as packing

TIMES = int(os.environ.get("OTHERMINDS_FUZZ", "1"))

SECONDS = 60
"""No file of a test takes a second: a reader that needs this long hangs."""

MOST_MEMORY = 700 * 2**20
"""Bytes that reading all damaged files of a test may add to the largest size of the process."""

LONGEST = 2_000
"""Characters of the longest message."""

_PYTHONS = re.compile(
    "codec can't encode|object has no attribute|Exceeds the limit|literal for"
    "|not enough values|positional argument|recursion depth"
)
"""Words of Python itself, which tell nobody what to do."""


class Damaged(NamedTuple):
    """A damaged file.

    kind      what was done to it
    harmless  whether it says the same as before: it must be read as the sound one is, or refused
    """

    data: bytes
    kind: str
    harmless: bool = False


Mutator = Callable[[bytes, random.Random], Damaged]

# Each stands where a JSON value stood. Not all of it is JSON, but Python's reader takes more than JSON.
TOKENS = (
    *("null", "true", "false", "0", "-1", "1.5", "NaN", "Infinity", "-Infinity", "1e400", "1e-400"),
    *("9" * 400, "9" * 5_000, "1" + "0" * 30, "-0.0", "007", "+1", "0x10"),
    *('""', '" "', '"0"', '"\\u0000"', '"\\ud83d"', '"\\udc00 x"', '"\\u202e"', '"NaN"', '"null"'),
    *('"' + "x" * 100_000 + '"', '"\ufeff"', '"\u2028"', '"１"', '"²"', '"1_0"', '"=1+1"'),
    *("[]", "[null]", "[[]]", "[1, 2, 3]", '["A", "B"]', "{}", '{"": null}', '{"$text": "x"}'),
    *("[" * 900 + "]" * 900, '{"a":' * 900 + "1" + "}" * 900),
    *("[" * 20_000 + "]" * 20_000, '{"a":' * 20_000 + "1" + "}" * 20_000, "nul", "'A'", ""),
)

CELLS = (
    *(
        "",
        " ",
        "NaN",
        "nan",
        "inf",
        "-1",
        "0",
        "1e400",
        "9" * 400,
        "9" * 5_000,
        "1_0",
        "１",
        "²",
        "1.0",
    ),
    *(
        "+1",
        "0x10",
        "\x00",
        "\u202e",
        "\ufeff",
        "\u2028",
        '"',
        '""',
        '"a',
        "a\nb",
        "a\r\nb",
        ",",
        ";",
    ),
    *("=1+1", "x" * 200_000, "None", "null", "P01", "A", "Pro", "true", "\t", "'"),
)

_WORST_BYTES = (b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\r", b'"', b"\\", b"{", b"[", b"\x1a")


def flipped(data: bytes, rng: random.Random) -> Damaged:
    """Some bytes are others."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 64))):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return Damaged(bytes(changed), "bytes flipped")


def spliced(data: bytes, rng: random.Random) -> Damaged:
    """A stretch is left out or doubled, or another one, zeros or the worst bytes stand there."""
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    end = min(end, start + rng.choice((1, 16, 4_096, len(data))))
    other = rng.randrange(len(data) + 1)
    between = rng.choice(
        (
            b"",
            data[start:end] * 2,
            data[other : other + end - start],
            bytes(end - start),
            data[start:end] + rng.choice(_WORST_BYTES),
        )
    )
    return Damaged(data[:start] + between + data[end:], f"bytes {start} to {end} are others")


def cut(data: bytes, rng: random.Random) -> Damaged:
    """The file ends early, at any byte; or is empty."""
    end = rng.choice((0, 1, max(len(data) - 1, 0), rng.randrange(len(data) + 1)))
    return Damaged(data[:end], f"cut after {end} bytes")


def recoded(data: bytes, rng: random.Random) -> Damaged:
    """Text in another encoding, with other ends of lines, or with a byte order mark."""
    text = data.decode("utf-8-sig", "surrogateescape")
    kind = rng.choice(("utf-16", "utf-32", "latin-1", "utf-7", "bom", "crlf", "cr", "two boms"))
    if kind in ("bom", "two boms"):
        mark = b"\xef\xbb\xbf" * (1 + (kind == "two boms"))
        return Damaged(mark + text.encode("utf-8", "surrogateescape"), kind, kind == "bom")
    if kind in ("crlf", "cr"):
        ends = {"crlf": b"\r\n", "cr": b"\r"}[kind]
        return Damaged(data.replace(b"\r\n", b"\n").replace(b"\n", ends), kind)
    return Damaged(text.encode(kind, "replace"), kind)


def lines(data: bytes, rng: random.Random) -> Damaged:
    """A line is gone, doubled, elsewhere, halved, joined with the next, or blank ones lie between."""
    kept = data.splitlines(keepends=True)
    if not kept:
        return Damaged(b"\n", "a line")
    place, other = rng.randrange(len(kept)), rng.randrange(len(kept))
    kind = rng.choice(
        ("gone", "doubled", "moved", "halved", "joined", "blank", "foreign", "all twice")
    )
    line = kept[place]
    match kind:
        case "gone":
            del kept[place]
        case "doubled":
            kept.insert(other, line)
        case "moved":
            kept.insert(other, kept.pop(place))
        case "halved":
            kept[place] = line[: len(line) // 2] + rng.choice((b"", b"\n"))
        case "joined":
            kept[place] = line.rstrip(b"\r\n")
        case "blank":
            kept.insert(place, rng.choice((b"\n", b"  \n", b"\x0b\n", b"\t\n")))
        case "foreign":
            kept.insert(
                place, rng.choice((b"{}\n", b"[]\n", b"1\n", b"null\n", b"\x00\n", b",,,\n"))
            )
        case _:
            kept *= 2
    return Damaged(b"".join(kept), f"line {place + 1} {kind}")


BYTES: tuple[Mutator, ...] = (flipped, spliced, cut, recoded, lines)


Place = tuple[str | int, ...]
_STAND_IN = "\u0001stand-in\u0001"


def places(value: Any, above: Place = ()) -> Iterator[Place]:
    """The place of everything within a JSON value: keys and numbers, from the outside in."""
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = enumerate(value)
    for key, one in inside:
        yield (*above, key)
        yield from places(one, (*above, key))


def _changed_value(value: Any, rng: random.Random) -> tuple[str, str, bool]:
    """The text of a JSON value with a change in it, what was done, and whether it says the same."""
    all_places = list(places(value))
    kind = rng.choice(
        ("token", "token", "token", "dropped", "renamed", "twice", "added", "swapped", "rewritten")
    )
    if not all_places or kind == "rewritten":
        return _rewritten(value, rng), "written otherwise", True
    # Most of a file is often one long part of it: half of the changes are near the top.
    near = [place for place in all_places if len(place) <= 2]
    place = rng.choice(rng.choice((near, all_places)))
    around: Any = _at(value, place[:-1])
    last = place[-1]
    where = ".".join(map(str, place))
    token = rng.choice(TOKENS)
    if kind == "swapped":
        found, other = _at(value, place), copy.deepcopy(_at(value, rng.choice(all_places)))
        around[last] = other
        return _dumped(value), f"{where} is of another place", found == other
    if isinstance(around, list):
        if kind == "dropped":
            del around[last]
            return _dumped(value), f"{where} dropped", False
        if kind in ("twice", "added"):
            around.insert(int(last), around[last])
            return _dumped(value), f"{where} doubled", False
    elif kind == "dropped":
        del around[last]
        return _dumped(value), f"{where} dropped", False
    elif kind == "renamed":
        around[rng.choice((f"{last} ", str(last).upper(), "", "\u0000", "__proto__"))] = around.pop(
            last
        )
        return _dumped(value), f"{where} renamed", False
    elif kind == "added":
        around["another"] = _STAND_IN
        return _stood_in(value, token), f"another key beside {where}: {token[:40]}", False
    elif kind == "twice":
        around[f"{last}\u0002"] = _STAND_IN
        text = _stood_in(value, token).replace("\\u0002", "")
        return text, f"{where} given twice, then {token[:40]}", False
    around[last] = _STAND_IN
    return _stood_in(value, token), f"{where} = {token[:40]}", False


def _at(value: Any, place: Place) -> Any:
    for key in place:
        value = value[key]
    return value


def put(value: Any, place: Place, found: Any) -> None:
    """Put another value at a place."""
    _at(value, place[:-1])[place[-1]] = found


def _dumped(value: Any) -> str:
    return json.dumps(value)


def _stood_in(value: Any, token: str) -> str:
    return _dumped(value).replace(json.dumps(_STAND_IN), token)


def _rewritten(value: Any, rng: random.Random) -> str:
    """The same value, by another writer."""
    return rng.choice(
        (
            json.dumps(value, ensure_ascii=False),
            json.dumps(value, separators=(",", ":")),
            json.dumps(value, separators=(" , ", " : ")),
        )
    )


def json_values(data: bytes, rng: random.Random) -> Damaged:
    """One of the JSON values in a file (one, one per line, or one after the other) is changed."""
    text = data.decode("utf-8-sig")
    spans = list(_spans(text))
    start, end = rng.choice(spans)
    changed, kind, harmless = _changed_value(json.loads(text[start:end]), rng)
    found = f"{text[:start]}{changed}{text[end:]}"
    place = f"line {text.count(chr(10), 0, start) + 1}"
    return Damaged(found.encode("utf-8", "surrogatepass"), f"{place}: {kind}", harmless)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    decoder, place = json.JSONDecoder(), 0
    while (place := len(text) - len(text[place:].lstrip(" \n\r\t,"))) < len(text):
        _, end = decoder.raw_decode(text, place)
        yield place, end
        place = end


JSON: tuple[Mutator, ...] = (json_values, json_values, json_values, *BYTES)


def csv_file(data: bytes, rng: random.Random) -> Damaged:
    """A table with another cell, column or row."""
    marked = data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    row, column = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    kind = rng.choice(
        *[("cell", "cell", "cell", "header", "column gone", "column twice", "column moved", "column new",
           "row gone", "row twice", "short row", "long row", "semicolons", "quoted", "other cell")]
    )  # fmt: skip
    harmless = False
    match kind:
        case "cell":
            rows[row][column] = rng.choice(CELLS)
        case "other cell":
            rows[row][column] = rng.choice(rng.choice(rows))
        case "header":
            rows[0][column] = rng.choice((*CELLS, rows[0][column].upper(), f" {rows[0][column]}"))
        case "column gone":
            rows = [[*one[:column], *one[column + 1 :]] for one in rows]
        case "column twice":
            rows = [[*one, *one[column : column + 1]] for one in rows]
        case "column moved":
            rows = [[*one[:column], *one[column + 1 :], *one[column : column + 1]] for one in rows]
            harmless = True
        case "column new":
            rows = [[*one, "more" if number else "another"] for number, one in enumerate(rows)]
        case "row gone":
            del rows[row]
        case "row twice":
            rows.insert(rng.randrange(len(rows) + 1), list(rows[row]))
        case "short row":
            rows[row] = rows[row][:column]
        case "long row":
            rows[row] = [*rows[row], "", rng.choice(CELLS)]
        case _:
            harmless = kind == "quoted"
    text = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if kind == "quoted" else csv.QUOTE_MINIMAL
    delimiter = ";" if kind == "semicolons" else ","
    csv.writer(text, quoting=quoting, delimiter=delimiter).writerows(rows)
    found = text.getvalue().encode("utf-8-sig" if marked else "utf-8", "surrogatepass")
    return Damaged(found, f"row {row + 1}, column {column + 1}: {kind}", harmless)


CSV: tuple[Mutator, ...] = (csv_file, csv_file, csv_file, *BYTES)


def packed(inner: Sequence[Mutator], ending: str = ".gz") -> tuple[Mutator, ...]:
    """Mutators of a packed file: of what it holds, of how it is packed, and of its own bytes."""
    pack, unpack = partial(packing.packed, ending=ending), partial(packing.unpack, ending=ending)

    def within(data: bytes, rng: random.Random) -> Damaged:
        found = rng.choice(inner)(unpack(data), rng)
        return found._replace(data=pack(found.data))

    def repacked(data: bytes, rng: random.Random) -> Damaged:
        text = unpack(data)
        middle = rng.randrange(len(text) + 1)
        kind = rng.choice(
            ("two members", "zeros behind", "rubbish behind", "checksum", "not packed")
        )
        match kind:
            case "two members":
                return Damaged(pack(text[:middle]) + pack(text[middle:]), kind, True)
            case "zeros behind":
                # As tapes have them, and gzip says that they may be there.
                return Damaged(data + bytes(512), kind, ending == ".gz")
            case "rubbish behind":
                return Damaged(data + b"rubbish", kind)
            case "checksum":
                return Damaged(data[:-4] + bytes(4), kind)
        return Damaged(text, kind)

    return (within, within, repacked, flipped, spliced, cut)


@dataclass
class Outcomes:
    """How often damaged files were read as the sound one, read otherwise, and refused."""

    same: int = 0
    other: int = 0
    refused: int = 0
    said: list[str] = field(default_factory=list)


def fuzz(
    path: Path,
    read: Callable[[], Any],
    mutators: Sequence[Mutator],
    *,
    n: int,
    error: type[Exception],
    seed: int = 1,
    named: Path | None = None,
    is_sane: Callable[[Any], bool] = lambda found: True,
) -> Outcomes:
    """Read `n` damaged copies of the file at `path`, one after the other, and put the sound one back.

    Each must be read, or refused by one line of the type `error` that names `named` (`path` by default),
    within bounds of time and memory, and must leave nothing in its folder. One that says the same as
    before must be read the same or refused; what is read of another must be sane.
    """
    sound = path.read_bytes()
    expected = read()
    assert is_sane(expected)
    before = _listed(path.parent)
    memory = _peak()
    outcomes = Outcomes()
    try:
        for number in range(n * TIMES):
            rng = random.Random(f"{seed}/{number}")
            damaged = rng.choice(mutators)(sound, rng)
            path.write_bytes(damaged.data)
            case = f"number {number} of seed {seed}, {damaged.kind}"
            try:
                with _in_time():
                    found = read()
            except error as refusal:
                message = str(refusal)
                assert _one_line(message, error), f"{case}: {message!r}"
                assert len(message) < LONGEST, f"{case}: {message[:LONGEST]}"
                assert not _PYTHONS.search(message), f"{case}: {message}"
                assert str(named or path) in message, f"{case}: {message}"
                outcomes.refused += 1
                outcomes.said.append(message)
            except Exception as other:
                raise AssertionError(f"{case}: {type(other).__name__}: {other}"[:2_000]) from other
            else:
                is_same = same(found, expected)
                assert is_same or not damaged.harmless, f"{case}: it was read otherwise"
                assert is_sane(found), case
                outcomes.same += is_same
                outcomes.other += not is_same
            assert _listed(path.parent) == before, case
    finally:
        path.write_bytes(sound)
    assert read_again(read, expected)
    assert _peak() - memory < MOST_MEMORY
    return outcomes


def _one_line(message: str, error: type[Exception]) -> bool:
    """Whether it is one line; of our own errors, what controls a terminal is escaped too."""
    unseen = "\n" if not issubclass(error, OtherMindsError) else "\n\r\x00\x1b\x0e\u202e\u2028"
    return not set(unseen) & set(message)


def read_again(read: Callable[[], Any], expected: Any) -> bool:
    """Whether the sound file, put back, is read as before: nothing of a damaged one was remembered."""
    return same(read(), expected)


def same(one: Any, other: Any) -> bool:
    """Equality, where not-a-number equals itself."""
    if isinstance(one, float) and isinstance(other, float):
        return one == other or (math.isnan(one) and math.isnan(other))
    return bool(one == other)


def _listed(folder: Path) -> set[str]:
    return {str(one.relative_to(folder)) for one in folder.rglob("*")}


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@contextmanager
def _in_time() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"It was not read within {SECONDS} seconds.")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
