"""Datasets on the Hugging Face Hub."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa

from otherminds.errors import OtherMindsError


def repo_id(name: str) -> str:
    """The id of a repository of this project: `otherminds/<name>`, or under `OTHERMINDS_HUB_ORG`."""
    return f"{os.environ.get('OTHERMINDS_HUB_ORG') or 'otherminds'}/{name}"


def dataset_id(dataset: str) -> str:
    """The dataset's id on the Hub, as `repo_id`."""
    return repo_id(dataset)


class UnavailableError(OtherMindsError):
    """The Hub does not deliver a dataset: no network, no such revision, or no permission."""


def check_login(repo: str) -> None:
    """Raise UnavailableError for a gated dataset when nobody is logged in, without asking the Hub.

    Offline this passes: an earlier download may lie in the Hub's own cache.
    """
    from huggingface_hub import get_token, is_offline_mode

    if not is_offline_mode() and get_token() is None:
        raise UnavailableError(f"'{repo}' is a gated dataset on the Hub and you are not logged in.")


def rows(repo: str, config: str, revision: str, *, split: str = "test") -> pa.Table:
    """Download one configuration of the dataset with the id `repo` at a revision.

    A revision is a tag such as `v1.0`, a branch or a commit. Raises UnavailableError with the reason.
    """
    import datasets

    if Path(repo).exists():
        raise UnavailableError(
            f"There is a folder '{repo}' here, which `load_dataset` takes for the dataset of that name "
            "on the Hub: run this from another folder."
        )
    try:
        loaded = datasets.load_dataset(repo, config, split=split, revision=revision)
    except Exception as error:  # every layer below (HTTP, Hub, Arrow, card) raises its own kind
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise UnavailableError(
            f"Cannot load '{repo}' ({config}, revision {revision}) from the Hub: {_ended(reason)} "
            "Check the network, HF_ENDPOINT and HF_TOKEN."
        ) from error
    return loaded.data.table.combine_chunks()


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
