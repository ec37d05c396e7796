"""Another embedding model in the place of the dataset's own: version and parameters say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherminds.data.build import dataset as build
from otherminds.data.repository.write import manifest_of
from otherminds.dataset_builders.debate import ddo
from otherminds.errors import OtherMindsError
from tests.helpers import fictional_debates as fictional


def test_the_version_names_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(ddo, "sentence_bert", lambda model: asked.append(model) or fictional.hashed)
    corpus = fictional.write_corpus(tmp_path / "corpus", *fictional.sample())
    build.build("debate-beliefs", tmp_path / "out", source=corpus, embedding="owner/a model.v2")
    made = manifest_of(tmp_path / "out")
    assert set(asked) == {"owner/a model.v2"}
    assert made.version == "1.0+embedding.a-model-v2"
    assert made.parameters["model"] == "owner/a model.v2"


@pytest.mark.parametrize("dataset", ["debate-beliefs-issues", "hugagent-synthetic"])
def test_a_dataset_without_one_takes_none(dataset: str, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="without an embedding model"):
        build.build(dataset, tmp_path / "out", source=tmp_path, embedding="owner/name")
