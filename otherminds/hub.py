"""Datasets on the Hugging Face Hub."""

from __future__ import annotations

import os

import pyarrow as pa

from otherminds.errors import OtherMindsError


def dataset_id(dataset: str) -> str:
    """The dataset's id on the Hub: `otherminds/<dataset>`, or under `OTHERMINDS_HUB_ORG`."""
    return f"{os.environ.get('OTHERMINDS_HUB_ORG') or 'otherminds'}/{dataset}"


def rows(dataset: str, config: str, revision: str) -> pa.Table:
    """Download one configuration at a revision (a tag such as `v1.0`, a branch or a commit)."""
    import datasets

    repo = dataset_id(dataset)
    try:
        loaded = datasets.load_dataset(repo, config, split="test", revision=revision)
    except Exception as error:  # every layer below (HTTP, Hub, Arrow, card) raises its own kind
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise OtherMindsError(
            f"Cannot load '{repo}' ({config}, revision {revision}) from the Hub: {reason} "
            "Check the network, HF_ENDPOINT and HF_TOKEN, or leave `data_source` out to use the "
            "data that can be built here."
        ) from error
    return loaded.data.table.combine_chunks()
