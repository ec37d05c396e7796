"""Publishing to a local Hub: what is refused, before anything is visible."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from huggingface_hub import HfApi

import otherminds
from otherminds import manifest
from otherminds.data.repository import card, licences
from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.publishing import modules, publish
from tests.engine.publishing.publishing import (
    DATA,
    DATASET,
    REPO,
    Send,
    altered,
    finished,
    holds,
    other,
    summed,
)
from tests.helpers import small_builds
from tests.minihub import Fault, MiniHub
from tests.minihub.store import Entry


def test_the_same_version_with_other_content_is_refused(
    local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    send()
    with pytest.raises(OtherMindsError, match=r"other content: README\.md, checksums\.json would"):
        send(other(built, tmp_path / "other"))
    finished(local.repo(REPO), built)


def test_a_lower_version_is_refused(
    local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    # 1.10 is higher than 1.9, which text would not know.
    send(other(built, tmp_path / "higher", version="1.10"))
    with pytest.raises(OtherMindsError, match=r"is at v1\.10 already, and v1\.9 is lower"):
        send(other(built, tmp_path / "lower", version="1.9"))
    assert set(local.repo(REPO).refs) == {"refs/heads/main", "refs/tags/v1.10"}


@pytest.mark.attack(
    "publishing data that may not be passed on",
    outcome="refused by name",
    against="data",
)
@pytest.mark.parametrize("dataset", ["hugagent", "debate-beliefs"])
def test_data_that_may_not_be_passed_on_are_refused_by_name(
    dataset: str, local: MiniHub, said: list[str]
) -> None:
    with pytest.raises(OtherMindsError, match=f"'{dataset}' is not published: .*Get it from http"):
        publish.publish(dataset, say=said.append)
    assert local.requests == []


def test_every_dataset_of_others_says_whether_it_may_be_passed_on() -> None:
    others = [known for name in manifest.names() if not (known := manifest.load(name)).generated]
    allowed = {
        known.dataset for known in others if known.redistribution and known.redistribution.allowed
    }
    assert all(known.redistribution is not None for known in others)
    assert allowed == {"debate-beliefs-issues", "synchtom", "trust-game", *small_builds.WRITTEN}


def test_data_of_others_without_a_word_on_it_are_refused() -> None:
    known = manifest.load("synchtom").model_copy(update={"redistribution": None})
    with pytest.raises(OtherMindsError, match="nothing says that it may be passed on"):
        publish.refuse_forbidden(known)


def test_a_build_from_another_source_is_not_the_release(
    local: MiniHub, built: Path, said: list[str]
) -> None:
    with pytest.raises(OtherMindsError, match=r"is not version 1\.0 of 'debate-beliefs-synthetic'"):
        publish.publish(DATASET, built=built, say=said.append)
    assert local.repos == {}


@pytest.fixture(params=[DATASET, "trust-game"])
def release(
    request: pytest.FixtureRequest, send: Send, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A small build, generated or from a file of others, for which the manifest states its hashes."""
    folder = small_builds.write(request.param, tmp_path / "small")
    known = repository.manifest_of(folder)
    monkeypatch.setattr(manifest, "load", lambda name: known)
    return folder


@pytest.mark.attack(
    "publishing a folder that was changed, or is not the release",
    outcome="refused",
    against="data",
)
def test_a_build_with_other_rows_is_not_the_release(
    release: Path, local: MiniHub, said: list[str], tmp_path: Path
) -> None:
    known = repository.manifest_of(release)
    folder = shutil.copytree(release, tmp_path / "altered")
    rows = repository.read(folder, known.default_config)
    swapped = rows.take([1, 0, *range(2, rows.num_rows)])
    pq.write_table(swapped, repository.parquet_path(folder, known.default_config))
    with pytest.raises(OtherMindsError, match=f"rows of '{known.default_config}' in .* are not"):
        publish.publish(known.dataset, built=summed(folder), say=said.append)
    assert local.repos == {}
    publish.publish(known.dataset, built=release, say=said.append)
    assert holds(local.repo(f"otherminds/{known.dataset}"), release)


def test_a_build_for_another_organisation_is_refused(
    release: Path, local: MiniHub, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = repository.manifest_of(release).dataset
    monkeypatch.setenv("OTHERMINDS_HUB_ORG", "alice")
    wrong = rf"README\.md and croissant\.json of .* do not name alice/{dataset}"
    with pytest.raises(OtherMindsError, match=wrong):
        publish.publish(dataset, built=release, say=said.append)
    (release / "README.md").unlink()
    with pytest.raises(OtherMindsError, match=wrong):
        publish.publish(dataset, built=release, say=said.append)
    assert local.repos == {}


@pytest.mark.attack(
    "publishing a folder that was changed, or is not the release",
    outcome="refused",
    against="data",
)
def test_a_folder_that_was_changed_since_is_refused(
    local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    folder = other(built, tmp_path / "edited")
    (folder / "README.md").write_text("Nicer words.\n")
    (folder / "notes.txt").write_text("Mine.\n")
    with pytest.raises(
        OtherMindsError, match=r"changed since it was built: README\.md, notes\.txt"
    ):
        send(folder)
    assert local.repos == {}


def test_a_large_file_is_refused(
    built: Path, send: Send, local: MiniHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publish, "LARGEST", 1000)
    with pytest.raises(OtherMindsError, match=rf"{DATA}: .*, at most 1\.0 kB is allowed"):
        send()
    assert local.repos == {}


def test_a_dataset_with_a_gate_needs_its_terms_in_the_card(
    local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    terms = {"terms": ["Be kind.", "Ask."], "gate": "manual"}
    gated = repository.manifest_of(built).model_copy(update=terms)
    folder = shutil.copytree(built, tmp_path / "gated")
    with pytest.raises(OtherMindsError, match=r"README\.md, extra_gated_prompt"):
        send(altered(folder, gated, {"license": "mit"}))
    head = card.gate_head(gated)
    assert head["extra_gated_prompt"] == "Be kind. Ask."
    send(altered(folder, gated, head))
    assert local.repo(REPO).gated == "manual"


def test_every_evaluate_module_goes_to_a_space_of_its_own(local: MiniHub, said: list[str]) -> None:
    done = publish.publish_modules(say=said.append)
    assert list(done) == modules.names()
    for name in done:
        repo = local.repo(modules.space_id(name), "space")
        assert f"refs/tags/v{otherminds.__version__}" in repo.refs
        files_there = {f"{name}.py", "README.md", "index.html", "requirements.txt"}
        # Not the style sheet that the Hub puts into a new static Space.
        assert set(repo.resolve("main").tree) == {".gitattributes", *files_there}
    said.clear()
    publish.publish_modules(say=said.append)
    assert sum("Nothing to do" in line for line in said) == len(done)


def test_data_of_others_come_with_their_licence(
    local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    said = manifest.Redistribution(allowed=True, reason="with their notice")
    known = repository.manifest_of(built)
    theirs = known.model_copy(update={"generator": None, "redistribution": said})
    copied = shutil.copytree(built, tmp_path / "theirs")
    (copied / licences.NAME).unlink()
    folder = altered(copied, theirs, {"license": "mit"})
    with pytest.raises(OtherMindsError, match="LICENSE: it is missing"):
        send(folder)
    assert local.repos == {}


def test_without_a_token_there_is_one_clear_error(
    local: MiniHub, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    with pytest.raises(OtherMindsError, match=r"hf auth login.*HF_TOKEN"):
        send()
    assert local.requests == []


def test_a_token_that_nobody_knows_is_named(
    local: MiniHub, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    with pytest.raises(OtherMindsError, match="does not accept this token"):
        send()


@pytest.mark.parametrize("token", ["hf_bob", "hf_reader"])
@pytest.mark.parametrize("is_there", [False, True])
def test_a_token_without_write_access_changes_nothing(
    token: str,
    is_there: bool,
    local: MiniHub,
    built: Path,
    send: Send,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if is_there:
        send()
    before = dict(local.repo(REPO).refs) if is_there else None
    monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(OtherMindsError, match="this token may not do that"):
        send(other(built, tmp_path / "next", version="1.1"))
    assert (dict(local.repo(REPO).refs) if is_there else None) == before
    assert bool(local.repos) == is_there


def test_somebody_else_may_be_faster(
    local: MiniHub, built: Path, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = HfApi.preupload_lfs_files

    def meanwhile(api: HfApi, *arguments: object, **more: object) -> None:
        upload(api, *arguments, **more)  # type: ignore[arg-type]  # passed on as they came
        repo = local.repo(REPO)
        repo.commit("refs/heads/main", dict(repo.resolve("main").tree), "theirs", "dave")

    monkeypatch.setattr(HfApi, "preupload_lfs_files", meanwhile)
    with pytest.raises(OtherMindsError, match="somebody else changed it in the meantime"):
        send()
    assert local.repo(REPO).private


def commit_meanwhile(local: MiniHub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Dave commit a file of his once something was planned, before anything is changed."""
    check = HfApi.auth_check

    def meanwhile(api: HfApi, *arguments: object, **more: object) -> None:
        check(api, *arguments, **more)  # type: ignore[arg-type]  # passed on as they came
        repo = local.repo(REPO)
        tree = {**repo.resolve("main").tree, "his.txt": Entry.regular(b"his")}
        repo.commit("refs/heads/main", tree, "theirs", "dave")

    monkeypatch.setattr(HfApi, "auth_check", meanwhile)


def test_a_commit_after_the_plan_is_an_error(
    local: MiniHub, built: Path, send: Send, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send()
    newer = other(built, tmp_path / "newer", version="1.1")
    with monkeypatch.context() as patch:
        commit_meanwhile(local, patch)
        with pytest.raises(OtherMindsError, match=r"somebody else changed it .* no v1\.1 yet"):
            send(newer)
    repo = local.repo(REPO)
    assert "refs/tags/v1.1" not in repo.refs
    send(newer)
    assert holds(repo, newer, "v1.1")


def test_what_was_planned_with_is_tagged_and_not_a_commit_since(
    local: MiniHub, send: Send, built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local.faults.append(Fault("status", "POST", "/tag/"))
    with pytest.raises(OtherMindsError):
        send()
    commit_meanwhile(local, monkeypatch)
    send()
    assert holds(local.repo(REPO), built, "v1.0")


def test_a_file_too_many_is_not_tagged(
    local: MiniHub, send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = HfApi.create_commit

    def with_more(api: HfApi, *arguments: object, **more: object) -> object:
        done = commit(api, *arguments, **more)  # type: ignore[call-overload]  # as they came
        local.repo(REPO).resolve("main").tree["more.txt"] = Entry.regular(b"more")
        return done

    monkeypatch.setattr(HfApi, "create_commit", with_more)
    with pytest.raises(OtherMindsError, match=r"differs from .*: more\.txt\. It got no tag"):
        send()
    assert set(local.repo(REPO).refs) == {"refs/heads/main"}


def test_a_card_that_the_hub_refuses_is_not_sent(
    local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    shutil.copytree(built, tmp_path / "other")
    known = repository.manifest_of(built)
    folder = altered(tmp_path / "other", known, {"license": "mit", "tags": "one"})
    with pytest.raises(
        OtherMindsError, match=r'refuses the card of .*: "tags" must be an array\. '
    ):
        send(folder)
    # Its own check, and not that of the commit, which comes when the repository is there.
    assert local.repos == {}
