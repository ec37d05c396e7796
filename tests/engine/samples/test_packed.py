"""Packed lines: read as they were written, or one clear error."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds import analysis
from otherminds.errors import OtherMindsError
from otherminds.running import results
from otherminds.samples import packed
from otherminds.samples import read as samples
from tests.engine.analysis.made import BDU, DATE, opinion, run_of, written
from tests.helpers.packed import packed as pack
from tests.helpers.packed import unpacked, zstd

GOOD = [opinion("i1", "7", "7"), opinion("i2", "5", "5", participant_id="P2")]
ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst")

# Of several blocks of zstd, so that a cut or a change in one leaves others whole.
LINES = [json.dumps({"n": n, "hash": f"{n * 7_919_777_771:x}" * 9}) for n in range(3_000)]
WHOLE = "".join(line + "\n" for line in LINES).encode()


def read(path: Path) -> list[bytes]:
    return [line for _, line in packed.lines(path)]


def until(path: Path) -> tuple[bytes, Exception | None]:
    """What is read of a file, and the error that ends it."""
    found = []
    try:
        for _, line in packed.lines(path):
            found.append(line)
    except (packed.CutOffError, OtherMindsError) as error:
        return b"".join(found), error
    return b"".join(found), None


def refuse(text: str) -> OtherMindsError:
    return OtherMindsError(text)


@given(st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none())))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, rows: list) -> None:  # type: ignore[type-arg]
    path = tmp_path_factory.mktemp("rows") / "rows.jsonl.zst"
    results.write_lines(path, rows)
    assert [json.loads(line) for line in read(path)] == rows
    assert [value for _, value in packed.whole(path, refuse)] == rows
    # Another program reads the same, and the same lines are the same bytes.
    assert unpacked(path) == b"".join(read(path))
    content = path.read_bytes()
    assert results.write_lines(path, rows).read_bytes() == content


def test_all_forms_hold_the_same_lines(tmp_path: Path) -> None:
    for ending in ENDINGS:
        path = tmp_path / f"lines{ending}"
        path.write_bytes(pack(WHOLE, ending))
        assert b"".join(read(path)) == WHOLE


def test_files_of_several_frames_are_read_to_their_end(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl.zst"
    # As `cat a.zst b.zst` makes them; the first line ends in the second frame.
    path.write_bytes(zstd.compress(WHOLE[:10]) + zstd.compress(b"") + zstd.compress(WHOLE[10:]))
    assert b"".join(read(path)) == WHOLE


@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.zst"])
def test_a_cut_anywhere_leaves_whole_lines_and_an_error(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"lines{ending}"
    content = pack(WHOLE, ending)
    seen = set()
    for size in sorted({*range(2, len(content), 997), *range(len(content) - 12, len(content))}):
        path.write_bytes(content[:size])
        found, error = until(path)
        assert isinstance(error, packed.CutOffError), size
        assert WHOLE.startswith(found)
        assert not found or found.endswith(b"\n")
        assert f"{path} is cut off after line {len(found.splitlines())}" in str(error)
        with pytest.raises(OtherMindsError, match="cannot be read to its end") as raised:
            list(packed.whole(path, refuse))
        assert str(path) in str(raised.value)
        seen.add(len(found))
    # Some cuts are in the middle of the lines.
    assert any(0 < size < len(WHOLE) for size in seen)


@pytest.mark.attack(
    "a packed sample file with changed bytes, or more behind its end",
    outcome="left out as a whole, with one error",
    against="answers",
)
def test_no_changed_bit_of_ours_goes_unnoticed(tmp_path: Path) -> None:
    path = results.write_lines(tmp_path / "lines.jsonl.zst", map(json.loads, LINES))
    content, whole = path.read_bytes(), unpacked(path)
    places = [
        *range(40),
        *range(40, len(content) - 20, 499),
        *range(len(content) - 20, len(content)),
    ]
    for place in places:
        changed = bytearray(content)
        changed[place] ^= 1 << (place % 8)
        path.write_bytes(changed)
        found, error = until(path)
        # A flag that changes nothing (such as an unused bit) may be read; another content may not.
        assert error is not None or found == whole, place
        if error is not None:
            assert str(path) in str(error)
            assert "\n" not in str(error)


@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.zst"])
@pytest.mark.parametrize("more", [b"garbage", b"\x28\xb5\x2f\xfd\xff\xff", b"{}\n"])
def test_trailing_garbage_is_an_error(tmp_path: Path, ending: str, more: bytes) -> None:
    path = tmp_path / f"lines{ending}"
    path.write_bytes(pack(WHOLE, ending) + more)
    found, error = until(path)
    assert error is not None
    assert WHOLE.startswith(found)


@pytest.mark.attack(
    "a sample file that unpacks, or has a line, without end",
    outcome="one error, in bounded memory",
    against="answers",
)
def test_a_frame_that_asks_for_gigabytes_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl.zst"
    compressor = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 30})
    path.write_bytes(compressor.compress(b"{}\n", mode=compressor.FLUSH_BLOCK) + compressor.flush())
    with pytest.raises(OtherMindsError, match=r"Cannot read .*too much memory"):
        read(path)


@pytest.mark.attack(
    "a sample file that unpacks, or has a line, without end",
    outcome="one error, in bounded memory",
    against="answers",
)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_line_without_end_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    path = tmp_path / f"lines{ending}"
    path.write_bytes(pack(b"{}\n" + bytes(30_000_000), ending))
    monkeypatch.setattr(packed, "LONGEST_LINE", 100_000)
    tracemalloc.start()
    with pytest.raises(OtherMindsError, match=r"line 2 is longer than 0 MB, which no sample is"):
        read(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 5_000_000


@pytest.mark.attack(
    "a sample file that unpacks, or has a line, without end",
    outcome="one error, in bounded memory",
    against="answers",
)
@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.zst"])
def test_what_unpacks_without_end_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    path = tmp_path / f"lines{ending}"
    path.write_bytes(pack(b"\n" * 200_000, ending))
    # Small files may unpack to any multiple of their size, and large ones to a thousand times it.
    assert len(read(path)) == 200_000
    monkeypatch.setattr(packed, "MOST_BYTES", 100_000)
    monkeypatch.setattr(packed, "MOST_TIMES", 100)
    found, error = until(path)
    assert len(found) == max(100_000, 100 * path.stat().st_size)
    assert "unpacks to more than" in str(error)
    # Unpacked by hand, it is meant.
    plain = tmp_path / "lines.jsonl"
    plain.write_bytes(unpacked(path))
    assert len(read(plain)) == 200_000


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "line",
    [
        {"shared_texts": {"3f": "# The person"}, "doc": {"context": {"$text": "3f"}}},
        {"arguments": {"gen_args_0": {"arg_0": {"$text": "3f", "length": 8, "rest": "?"}}}},
    ],
    ids=["with its texts", "with references alone"],
)
def test_samples_of_the_older_form_are_one_clear_error(
    tmp_path: Path, ending: str, line: dict[str, object]
) -> None:
    path = written(tmp_path, [GOOD[0], line], ending=ending)
    with pytest.raises(OtherMindsError, match=r"is of an older form, .*--evidence-once.* again"):
        list(samples.read(path, note=pytest.fail))
    with pytest.raises(OtherMindsError, match=r"None of these files .* is of an older form"):
        analysis.read_runs([path])


def test_a_text_that_quotes_the_older_form_is_a_text(tmp_path: Path) -> None:
    quoting = '{"$text": "3f"} and "shared_texts": {}'
    [first] = samples.records(written(tmp_path, [{"doc": {"q": quoting}}]), note=pytest.fail)
    assert first["doc"]["q"] == quoting


@pytest.mark.attack(
    "a packed sample file with changed bytes, or more behind its end",
    outcome="left out as a whole, with one error",
    against="answers",
)
@pytest.mark.parametrize("damage", ["changed", "more", "older"])
def test_a_damaged_file_is_left_out_as_a_whole(tmp_path: Path, damage: str) -> None:
    good = run_of(tmp_path / "good", GOOD)
    lines = good.read_bytes()
    if damage == "older":
        lines += b'{"shared_texts": {}}\n'
    content = bytearray(pack(lines, ".zst"))
    if damage == "changed":
        content[-1] ^= 1
    if damage == "more":
        content += b"more"
    path = tmp_path / "bad" / f"samples_{BDU}_{DATE}.jsonl.zst"
    path.parent.mkdir()
    path.write_bytes(content)
    # Its lines may all be read before the damage shows.
    runs = analysis.read_runs([good, path])
    assert [run.files for run in runs] == [(good,)]
    [note] = [one for one in runs.notes if str(path) in one and "left out" in one]
    assert ("older form" if damage == "older" else "damaged after line") in note


def test_faults_are_counted_and_not_kept(tmp_path: Path) -> None:
    path = run_of(tmp_path, [*GOOD, *[{}] * 2_000])
    runs = analysis.read_runs([path])
    assert len([one for one in runs.notes if "is not a sample" in one]) == 5
    assert f"{path}: 1,995 more lines were left out." in runs.notes


def test_an_interrupted_write_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    path = results.write_lines(tmp_path / "lines.jsonl.zst", [{"n": 1}])

    def rows() -> Iterable[dict[str, int]]:
        yield from ({"n": n} for n in range(100_000))
        raise OSError(28, "No space left on device")

    with pytest.raises(OtherMindsError, match="No space left on device"):
        results.write_lines(path, rows())
    assert [json.loads(line) for line in read(path)] == [{"n": 1}]
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl.zst", tmp_path):
        with pytest.raises(OtherMindsError, match="Cannot read"):
            read(path)
    (tmp_path / "plain.jsonl.zst").write_bytes(b"{}\n")
    with pytest.raises(OtherMindsError, match="damaged after line 0"):
        read(tmp_path / "plain.jsonl.zst")


def test_the_strict_reader_refuses_the_older_form_too(tmp_path: Path) -> None:
    path = written(tmp_path, [{"shared_texts": {}, "doc": {}}])
    with pytest.raises(OtherMindsError, match=r"cannot be read to its end: .* of an older form"):
        list(packed.whole(path, refuse))
    with pytest.raises(OtherMindsError, match="is of an older form"):
        list(samples.records(path, note=pytest.fail))
