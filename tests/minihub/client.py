"""Making the Hub's client library in this very process talk to a local Hub, without waiting."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from datasets import config
from huggingface_hub import constants, file_download
from huggingface_hub.utils import _http

from tests.minihub.server import MiniHub


def at_once(
    patch: pytest.MonkeyPatch, hub: MiniHub, *, home: Path, token: str | None = None
) -> None:
    """Point huggingface_hub at `hub`, logged in with `token` or not at all.

    It read its environment when it was imported, so its constants are set. Between retries it sleeps
    (1, 2, 4, 8, 8 seconds, or what `Retry-After` says) by no setting that could be set: its `time` is
    replaced by one that does not.
    """
    template = constants.HUGGINGFACE_CO_URL_TEMPLATE.removeprefix(constants.ENDPOINT)
    patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", f"{hub.url}{template}")
    patch.setattr(constants, "ENDPOINT", hub.url)
    patch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    patch.setattr(constants, "HF_HUB_OFFLINE", False)
    patch.setattr(constants, "HF_TOKEN_PATH", str(home / "token"))
    patch.setattr(constants, "HF_HUB_CACHE", str(home / "hub"))
    patch.setattr(config, "HF_DATASETS_CACHE", home / "datasets")
    hurried = SimpleNamespace(**{**vars(time), "sleep": lambda seconds: None})
    for module in (_http, file_download):
        patch.setattr(module, "time", hurried)
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        patch.delenv(name, raising=False)
    if token is not None:
        patch.setenv("HF_TOKEN", token)
