"""A journal in the folder of the model's own weights."""

from __future__ import annotations

from pathlib import Path

from otherminds.running.loading import _fingerprint


def test_what_a_run_writes_beside_the_weights_makes_no_other_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"1")
    before = _fingerprint(tmp_path)
    for name in (
        "journal.sqlite",
        "journal.sqlite-wal",
        "stages_1.json",
        "journal.sqlite.damaged-1",
    ):
        (tmp_path / name).write_text("of a run")
    (tmp_path / "model").mkdir()
    assert _fingerprint(tmp_path) == before
    (tmp_path / "model.safetensors").write_bytes(b"22")
    assert _fingerprint(tmp_path) != before
