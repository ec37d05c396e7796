"""Samples with zstd against gzip: both ways hold the same lines, and zstd takes less."""

from __future__ import annotations

import hashlib
import json

from performance import packing


def test_evidence_that_lines_repeat_is_packed_once_with_zstd() -> None:
    # Thirty people with 50 kB each, more than gzip remembers, in ten lines.
    def evidence(person: int) -> str:
        return "".join(hashlib.sha512(f"{person} {n}".encode()).hexdigest() for n in range(400))

    people = [evidence(person) for person in range(30)]
    lines = [
        json.dumps({"doc": {"id": number, "evidence": person}}).encode() + b"\n"
        for person in people
        for number in range(10)
    ]
    size, pack, unpack = packing.compared(lines)
    assert size.ratio < 0.2
    assert size.is_met
    assert pack.ours > 0 < unpack.ours
    assert all(f"300 samples of {packing.TASK}" in one.note for one in (size, pack, unpack))
