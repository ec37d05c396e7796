"""Publishing to a local Hub: what is sent, what is refused, and what is left after each fault."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from huggingface_hub import HfApi

import otherminds
from otherminds import files, manifest
from otherminds.data.repository import card, licences
from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest
from otherminds.publishing import contents, modules, publish
from otherminds.publishing.plan import size
from otherminds.publishing.upload import Published
from tests.conftest import Command
from tests.helpers import small_builds
from tests.minihub import Fault, MiniHub, User
from tests.minihub.client import at_once
from tests.minihub.store import Entry, Repo

DATASET = "debate-beliefs-synthetic"
REPO = f"otherminds/{DATASET}"
USERS = {
    "hf_alice": User("alice", orgs=("otherminds",)),
    "hf_bob": User("bob"),
    "hf_reader": User("carol", orgs=("otherminds",), role="read"),
}
DATA = "data/beliefs/test-00000-of-00001.parquet"

Send = Callable[..., Published]


@pytest.fixture(autouse=True)
def _own_organisation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTHERMINDS_HUB_ORG", raising=False)


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[MiniHub]:
    """A Hub that this process is logged in to as Alice, who may write."""
    with MiniHub(users=USERS) as running:
        at_once(monkeypatch, running, home=tmp_path / "home", token="hf_alice")
        yield running


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_builds.write(DATASET, tmp_path_factory.mktemp("small"))


@pytest.fixture
def said() -> list[str]:
    """What the publishing of a test says."""
    return []


@pytest.fixture
def send(built: Path, said: list[str], monkeypatch: pytest.MonkeyPatch) -> Send:
    # These tests write cards of a line or two, which are nothing to the checks of cards.
    own = (publish.whole, publish.small_enough, publish.gated_card, publish.with_notice)
    monkeypatch.setattr(publish, "CHECKS", own)

    def publish_it(folder: Path = built, **choices: bool) -> Published:
        return publish.publish_repository(folder, REPO, **choices, say=said.append)

    return publish_it


def other(built: Path, folder: Path, *, version: str = "1.0") -> Path:
    """The same rows with another card, and perhaps another version."""
    shutil.copytree(built, folder)
    known = repository.manifest_of(built).model_copy(update={"version": version})
    return altered(folder, known, {"license": "mit"})


def altered(folder: Path, known: Manifest, head: Mapping[str, object]) -> Path:
    """A repository with another manifest, and another head of its card, as a build would write them."""
    (folder / repository.MANIFEST).write_text(manifest.dump(known), encoding="utf-8")
    (folder / "README.md").write_text(f"---\n{yaml.safe_dump(dict(head))}---\n", encoding="utf-8")
    return summed(folder)


def summed(folder: Path) -> Path:
    """An altered repository with consistent checksums."""
    paths = [path for path in repository.checksums(folder) if (folder / path).is_file()]
    sums = {path: files.sha256(folder / path) for path in paths}
    (folder / repository.CHECKSUMS).write_text(json.dumps(sums), encoding="utf-8")
    return folder


def holds(repo: Repo, folder: Path, revision: str = "main") -> bool:
    """Whether a repository holds just the folder's files, besides the Hub's own."""
    there = {path: entry.data for path, entry in repo.resolve(revision).tree.items()}
    there.pop(".gitattributes")
    return there == {
        path: file.path.read_bytes() for path, file in contents.of_folder(folder).items()
    }


def finished(repo: Repo, folder: Path) -> None:
    """Everything is visible, by one commit."""
    assert holds(repo, folder, "v1.0")
    assert repo.refs["refs/tags/v1.0"] == repo.refs["refs/heads/main"]
    assert not repo.private
    assert len(repo.commits) == 2


# What is sent


def test_a_new_dataset_is_one_commit_tagged_and_public(
    local: MiniHub, built: Path, send: Send, said: list[str]
) -> None:
    done = send()
    finished(local.repo(REPO), built)
    assert done.commit == local.repo(REPO).refs["refs/heads/main"]
    assert done.url == f"{local.url}/datasets/{REPO}"
    n_files = len(contents.of_folder(built))
    compared = f"Downloaded all {n_files} files"
    steps = ("Created", "Committed", compared, "Tagged", "Made it public", "Published")
    assert [line for line in said[1:] if not line.startswith(steps)] == []
    assert len(said) == len(steps) + 1


def test_nobody_sees_it_before_it_is_tagged(local: MiniHub, send: Send) -> None:
    send()
    writes = [
        one.path.rsplit("/", 2)[1:] for one in local.requests if one.method in ("POST", "PUT")
    ]
    settings = [place for place, path in enumerate(writes) if path[-1] == "settings"]
    tag = next(place for place, path in enumerate(writes) if path[0] == "tag")
    assert settings == [len(writes) - 1]
    assert tag == len(writes) - 2


def test_a_second_run_has_nothing_to_do(local: MiniHub, send: Send, said: list[str]) -> None:
    first = send()
    writes = len([one for one in local.requests if one.method != "GET"])
    again = send()
    assert again.commit == first.commit
    assert again.plan.nothing
    assert said[-1] == "Nothing to do: v1.0 is there with this content."
    assert len([one for one in local.requests if one.method != "GET"]) == writes


def test_a_new_version_replaces_adds_and_deletes_in_one_commit(
    local: MiniHub, built: Path, send: Send, said: list[str], tmp_path: Path
) -> None:
    send()
    HfApi().upload_file(
        path_or_fileobj=b"old", path_in_repo="stale.txt", repo_id=REPO, repo_type="dataset"
    )
    newer = other(built, tmp_path / "newer", version="1.1")
    send(newer)
    repo = local.repo(REPO)
    assert holds(repo, newer, "v1.1")
    assert holds(repo, built, "v1.0")
    assert repo.refs["refs/tags/v1.1"] == repo.refs["refs/heads/main"]
    assert len(repo.commits) == 4
    # The rows are the same; card, manifest and checksums are not.
    assert any(line.endswith("3 replaced, 1 deleted.") for line in said)


def test_private_stays_private_until_it_is_published_without(
    local: MiniHub, built: Path, send: Send, said: list[str]
) -> None:
    send(private=True)
    assert local.repo(REPO).private
    assert said[-1].endswith("(private)")
    send()
    finished(local.repo(REPO), built)
    send(private=True)
    assert local.repo(REPO).private


def test_the_gate_closes_in_the_request_that_makes_it_public(local: MiniHub, send: Send) -> None:
    send(gated=True)
    repo = local.repo(REPO)
    assert (repo.gated, repo.private) == ("auto", False)
    assert len([one for one in local.requests if one.path.endswith("/settings")]) == 1


def test_a_private_dataset_has_its_gate_before_anybody_opens_it(local: MiniHub, send: Send) -> None:
    send(private=True, gated=True)
    repo = local.repo(REPO)
    assert (repo.gated, repo.private) == ("auto", True)


@pytest.mark.parametrize("private", [False, True])
def test_an_open_dataset_is_closed_before_its_new_version_is_there(
    private: bool, local: MiniHub, built: Path, send: Send, said: list[str], tmp_path: Path
) -> None:
    send()
    newer = other(built, tmp_path / "newer", version="1.1")
    send(newer, gated=True, private=private, dry_run=True)
    steps = [line.split()[1] for line in said if line.startswith("Would")]
    assert steps[-5:] == ["gate", "replace", "replace", "replace", "download"]
    local.faults.append(Fault("status", "GET", "/resolve/", times=ALWAYS))
    with pytest.raises(OtherMindsError):
        send(newer, gated=True, private=private)
    repo = local.repo(REPO)
    assert holds(repo, newer)
    assert (repo.gated, repo.private) == ("auto", private)
    assert f"Made it {'private and ' if private else ''}gated." in said


def test_a_stricter_gate_stays(local: MiniHub, send: Send) -> None:
    send()
    local.repo(REPO).gated = "manual"
    assert send(gated=True).plan.nothing
    assert local.repo(REPO).gated == "manual"


def test_any_folder_can_be_a_space(local: MiniHub, tmp_path: Path, said: list[str]) -> None:
    (tmp_path / "README.md").write_text("---\nsdk: static\n---\n")
    publish.publish_folder(
        *(tmp_path, "otherminds/metric"),
        kind="space",
        version="0.3",
        title="metric",
        space_sdk="static",
        say=said.append,
    )
    repo = local.repo("otherminds/metric", "space")
    assert holds(repo, tmp_path, "v0.3")
    assert not repo.private


# What a dry run says


@pytest.mark.parametrize(
    ("n_bytes", "text"), [(999, "999 B"), (1000, "1.0 kB"), (2_345_678, "2.3 MB")]
)
def test_sizes_are_for_people(n_bytes: int, text: str) -> None:
    assert size(n_bytes) == text


def test_a_dry_run_prints_the_plan_and_touches_nothing(
    local: MiniHub, built: Path, send: Send, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_TOKEN")
    done = send(dry_run=True, gated=True)
    assert done.commit is None
    assert local.repos == {}
    assert all(one.method == "GET" for one in local.requests)
    assert said[1].startswith("Nobody is logged in")
    assert said[2:] == [
        "Would create the repository, private for now.",
        *(
            f"Would add {path} ({size(file.size)})."
            for path, file in contents.of_folder(built).items()
        ),
        "Would download and compare all files, then tag them v1.0.",
        "Would gate it: readers accept the terms and are let in at once.",
        "Would make it public.",
    ]


# What is refused


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
    assert allowed == {"debate-beliefs-issues", "synchtom", "trust-game"}


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
        upload(api, *arguments, **more)  # type: ignore[arg-type]  # handed on as they came
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
        check(api, *arguments, **more)  # type: ignore[arg-type]  # handed on as they came
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


# What is left after a fault, and that the same command then finishes


ALWAYS = 99
# What fails, and whether the first run gets over it by itself.
FAULTS = {
    "upload dropped once": (Fault("drop", "PUT", "/_lfs/"), True),
    "upload dropped for good": (Fault("drop", "PUT", "/_lfs/", times=ALWAYS), False),
    "upload's answer lost": (Fault("lose", "PUT", "/_lfs/"), True),
    "429 once": (
        Fault("status", "POST", "/preupload/", status=429, headers={"Retry-After": "60"}),
        True,
    ),
    "429 for good": (Fault("status", "POST", "/preupload/", status=429, times=ALWAYS), False),
    "500 at the start": (Fault("status", "GET", f"/api/datasets/{REPO}$"), False),
    "500 at the creation": (Fault("status", "POST", "/repos/create"), False),
    "creation's answer lost": (Fault("lose", "POST", "/repos/create"), False),
    "500 at the upload": (Fault("status", "POST", "/objects/batch", times=ALWAYS), False),
    "500 at the commit": (Fault("status", "POST", "/commit/"), False),
    "commit dropped": (Fault("drop", "POST", "/commit/"), False),
    "commit's answer lost": (Fault("lose", "POST", "/commit/"), True),
    "commit arrives twice": (Fault("twice", "POST", "/commit/"), True),
    "download corrupted": (Fault("corrupt", "GET", f"/resolve/.*/{DATA}"), False),
    "download cut": (Fault("cut", "GET", f"/resolve/.*/{DATA}"), True),
    "download refused": (Fault("status", "GET", "/resolve/", times=ALWAYS), False),
    "500 at the tag": (Fault("status", "POST", "/tag/"), False),
    "tag's answer lost": (Fault("lose", "POST", "/tag/"), True),
    "tag arrives twice": (Fault("twice", "POST", "/tag/"), True),
    "500 at the settings": (Fault("status", "PUT", "/settings"), False),
    "settings' answer lost": (Fault("lose", "PUT", "/settings"), False),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_leaves_everything_or_nothing(
    name: str, local: MiniHub, built: Path, send: Send, said: list[str]
) -> None:
    fault, gets_over_it = FAULTS[name]
    local.faults.append(Fault(**vars(fault)))
    if gets_over_it:
        send()
    else:
        with pytest.raises(OtherMindsError) as error:
            send()
        assert "\n" not in str(error.value)
        repo = local.repos.get(("dataset", REPO))
        if repo is None or repo.private:
            visible = "Nothing is visible to others."
        else:
            visible = "v1.0 is complete and tagged."
            finished(repo, built)
        if name != "500 at the start":
            assert str(error.value).endswith(f"{visible} Run the same command again to finish.")
        local.faults.clear()
        send()
    finished(local.repo(REPO), built)


@pytest.mark.parametrize(
    "name", [name for name in FAULTS if "creation" not in name and "settings" not in name]
)
def test_a_fault_in_an_update_leaves_the_old_version_whole(
    name: str, local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    send()
    fault, gets_over_it = FAULTS[name]
    newer = other(built, tmp_path / "newer", version="1.1")
    # Other rows, so that there is something to upload.
    pq.write_table(repository.read(built, "beliefs").slice(1), newer / DATA)
    altered(newer, repository.manifest_of(newer), {"license": "mit"})
    local.faults.append(Fault(**vars(fault)))
    repo = local.repo(REPO)
    if not gets_over_it:
        with pytest.raises(OtherMindsError):
            send(newer)
        assert holds(repo, built, "v1.0")
        assert "refs/tags/v1.1" not in repo.refs
        # Main is as before, or holds all of the new version: never something between.
        assert holds(repo, built) or holds(repo, newer)
        local.faults.clear()
    send(newer)
    assert holds(repo, newer, "v1.1")
    assert holds(repo, newer)
    assert len(repo.commits) == 3


@pytest.mark.parametrize("name", ["download corrupted", "500 at the tag"])
def test_what_is_on_main_already_is_said(
    name: str, local: MiniHub, built: Path, send: Send, tmp_path: Path
) -> None:
    send()
    fault, _ = FAULTS[name]
    local.faults.append(Fault(**vars(fault)))
    with pytest.raises(
        OtherMindsError, match=r"Main holds the files of v1\.1 already, only the tag is missing"
    ):
        send(other(built, tmp_path / "newer", version="1.1"))


def test_a_commit_whose_answer_was_lost_is_noticed_and_said(
    local: MiniHub, send: Send, said: list[str]
) -> None:
    local.faults.append(Fault("twice", "POST", "/commit/"))
    send()
    assert any("its answer was lost, or it was sent twice" in line for line in said)


# From the command line


def test_the_command_builds_and_publishes_under_an_organisation(
    command: Command, tmp_path: Path
) -> None:
    dataset = "trust-game-synthetic"
    users = {"hf_alice": User("alice", orgs=("acme",))}
    with MiniHub(users=users) as running:
        env = running.env("hf_alice", tmp_path)
        words = ("otherminds", "publish", dataset, "--org", "acme")
        done = command(*words, cwd=tmp_path, env=env)
        assert "Published: " in done.stdout
        repo = running.repo(f"acme/{dataset}")
        version = manifest.load(dataset).version
        card = repo.resolve(f"v{version}").tree["README.md"].data.decode()
        assert f"acme/{dataset}" in card
        assert f"otherminds/{dataset}" not in card
        # Another build is the same, byte for byte.
        done = command(*words, "--dry-run", cwd=tmp_path, env=env)
        assert "Nothing to do" in done.stdout
