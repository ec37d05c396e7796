"""Publishing datasets: whether they may be published, whether they are as stated, and the upload."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import otherminds
from otherminds import manifest, progress
from otherminds.checks import Finding
from otherminds.data import hub
from otherminds.data.build import dataset as build
from otherminds.data.repository import card, croissant, licences
from otherminds.data.repository import write as repository
from otherminds.errors import OtherMindsError
from otherminds.manifest import Manifest
from otherminds.publishing import card_check, contents, modules, privacy
from otherminds.publishing.plan import Wanted, size, some
from otherminds.publishing.remote import Gate, Kind, Remote
from otherminds.publishing.upload import Published, publish_files
from otherminds.types import Say

LARGEST = 200_000_000
"""Bytes of the largest file that is published."""

Check = Callable[[Path], Sequence[Finding]]


def publish(
    dataset: str,
    *,
    private: bool = False,
    gated: bool = False,
    dry_run: bool = False,
    num_proc: int = 1,
    source: Path | None = None,
    built: Path | None = None,
    say: Say,
) -> Published:
    """Build a dataset, check it, and publish it as `hub.dataset_id` under its version's tag.

    It is built anew, by this version of the code; `built` is a folder that `otherminds build` wrote,
    which is sent instead. Other arguments are as for `build.build` and
    `publish_files`. Raises OtherMindsError for data that may not be passed on, for a build that is not
    the release that the manifest states or names another repository, for failed checks, and as
    `publish_files`.
    """
    known = manifest.load(dataset)
    refuse_forbidden(known)
    repo_id = hub.dataset_id(dataset)
    # A missing token is found out before a long build.
    Remote.open(repo_id, "dataset", for_writing=not dry_run)
    with tempfile.TemporaryDirectory() as work:
        folder = built or Path(work) / dataset
        if built is None:
            with progress.bar(f"Building {dataset}") as bar:
                build.build(dataset, folder, source=source, num_proc=num_proc, progress=bar)
        _refuse_others(folder, known)
        if built is not None:
            # Its manifest and checksums may have been left as they were around other rows.
            _refuse_other_rows(folder, known)
        _refuse_other_id(folder, repo_id)
        return publish_repository(
            *(folder, repo_id), private=private, gated=gated, dry_run=dry_run, say=say
        )


def publish_repository(
    folder: Path,
    repo_id: str,
    *,
    private: bool = False,
    gated: bool = False,
    dry_run: bool = False,
    say: Say,
) -> Published:
    """Check a folder that `otherminds build` wrote, and publish it as the dataset `repo_id`.

    It is gated where its manifest says so, or with `gated`. Raises OtherMindsError for data that may not
    be passed on, for failed checks, and as `publish_files`.
    """
    known = repository.manifest_of(folder)
    refuse_forbidden(known)
    refuse_faults(folder, CHECKS)
    return publish_folder(
        *(folder, repo_id),
        kind="dataset",
        version=known.version,
        title=known.dataset,
        private=private,
        gate=gate_of(known) or ("auto" if gated else None),
        dry_run=dry_run,
        say=say,
    )


def publish_modules(
    *, private: bool = False, dry_run: bool = False, say: Say
) -> dict[str, Published]:
    """Publish the `evaluate` modules of this version, each as a Space; by name.

    Raises OtherMindsError for a module with faults, before any is sent, and as `publish_files`.
    """
    with tempfile.TemporaryDirectory() as work:
        folders = {name: Path(work) / name for name in modules.names()}
        for name, folder in folders.items():
            folder.mkdir()
            modules.write(name, folder)
            refuse_faults(folder, (small_enough, privacy.scan))
        return {
            name: publish_folder(
                *(folder, modules.space_id(name)),
                kind="space",
                version=otherminds.__version__,
                title=name,
                private=private,
                space_sdk="static",
                dry_run=dry_run,
                say=say,
            )
            for name, folder in folders.items()
        }


def publish_folder(
    folder: Path,
    repo_id: str,
    *,
    kind: Kind,
    version: str,
    title: str,
    private: bool = False,
    gate: Gate | None = None,
    space_sdk: str | None = None,
    dry_run: bool = False,
    say: Say,
) -> Published:
    """Publish all files of a folder, of any kind of repository, under the tag `v<version>`."""
    wanted = Wanted(contents.of_folder(folder), f"v{version}", private, gate, space_sdk)
    return publish_files(repo_id, wanted, kind=kind, title=title, dry_run=dry_run, say=say)


def gate_of(known: Manifest) -> Gate | None:
    """The gate that a manifest asks for; None for a dataset without one."""
    if known.gate is None:
        return None
    return "auto" if known.gate == "automatic" else "manual"


def refuse_forbidden(known: Manifest) -> None:
    """Raise OtherMindsError for data of others that may not be passed on."""
    said = known.redistribution
    if known.generated or (said is not None and said.allowed):
        return
    reason = "nothing says that it may be passed on" if said is None else said.reason
    source = known.sources[0]
    raise OtherMindsError(
        f"'{known.dataset}' is not published: {reason}. Get it from {source.url or source.name}."
    )


def refuse_faults(folder: Path, checks: Sequence[Check]) -> None:
    """Raise OtherMindsError for a folder in which any check finds a fault."""
    faults = [
        f"{finding.subject}: {finding.detail}"
        for check in checks
        for finding in check(folder)
        if not finding.passed
    ]
    if faults:
        raise OtherMindsError(
            f"Nothing was published, because of {len(faults)} faults in what was built: "
            + "; ".join(faults)
        )


def whole(folder: Path) -> list[Finding]:
    """Whether the folder holds just the files of checksums.json, as they were written."""
    sums = repository.checksums(folder)
    found = contents.of_folder(folder)
    others = set(sums) ^ (set(found) - {repository.CHECKSUMS})
    changed = [path for path in sums if path in found and found[path].sha256 != sums[path]]
    wrong = sorted({*others, *changed})
    detail = f"changed since it was built: {some(wrong)}. Build it again" if wrong else "as built"
    return [Finding("files", not wrong, detail)]


def small_enough(folder: Path) -> list[Finding]:
    """Whether every file is of a size that people like to download."""
    return [
        Finding(
            path, file.size <= LARGEST, f"{size(file.size)}, at most {size(LARGEST)} is allowed"
        )
        for path, file in contents.of_folder(folder).items()
    ]


def gated_card(folder: Path) -> list[Finding]:
    """Whether the card of a dataset with a gate states the terms that readers accept."""
    from huggingface_hub import metadata_load

    wanted = card.gate_head(repository.manifest_of(folder))
    head = metadata_load(folder / "README.md") or {}
    return [
        Finding(f"README.md, {key}", head.get(key) == text, "must be as the manifest's terms say")
        for key, text in wanted.items()
    ]


def with_notice(folder: Path) -> list[Finding]:
    """Whether the licence comes with the data: that of others allows a copy only so."""
    path = folder / licences.NAME
    is_there = path.is_file() and path.stat().st_size > 0
    fault = "it is missing; put the source's LICENSE into the folder of the source, and build again"
    return [Finding(licences.NAME, is_there, "there" if is_there else fault)]


CHECKS: tuple[Check, ...] = (
    *(whole, small_enough, gated_card, with_notice),
    *(card_check.check, privacy.scan),
)
"""The checks that a built dataset must pass to be published."""


def _refuse_others(folder: Path, known: Manifest) -> None:
    """Refuse data that are not the release, such as a build from another file of others."""
    theirs = repository.manifest_of(folder)
    if (theirs.dataset, theirs.version, theirs.configs) != (
        *(known.dataset, known.version),
        known.configs,
    ):
        raise OtherMindsError(
            f"What was built is not version {known.version} of '{known.dataset}': its name, version, "
            "counts or content hashes are not the manifest's. Build it with this version of OtherMinds, "
            "from the source that the manifest names."
        )


def _refuse_other_rows(folder: Path, known: Manifest) -> None:
    """Refuse rows that are not the release's; a build has compared its own already."""
    for config, facts in known.configs.items():
        stated = facts.content_hash
        if stated and build.content_hash(known, repository.read(folder, config)) != stated:
            raise OtherMindsError(
                f"The rows of '{config}' in {folder} are not those of version {known.version} of "
                f"'{known.dataset}': their content hash is not the manifest's. Build it again."
            )


def _refuse_other_id(folder: Path, repo_id: str) -> None:
    """Refuse a card that names another repository, such as a build for another organisation."""
    named = {
        "README.md": f'load_dataset("{repo_id}"',
        croissant.NAME: f"/datasets/{repo_id}/resolve/",
    }
    others = [
        name
        for name, words in named.items()
        if not (path := folder / name).is_file() or words.encode() not in path.read_bytes()
    ]
    if others:
        raise OtherMindsError(
            f"{' and '.join(others)} of {folder} do not name {repo_id}: it was built for another "
            "repository. Build it under the same OTHERMINDS_HUB_ORG, or publish it without --built."
        )
