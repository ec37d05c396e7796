"""Packages that are not installed: one line with the command that installs them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from otherminds import extras, harness
from otherminds.errors import OtherMindsError
from tests.conftest import Command

ASKED = ("otherminds", "run", "hugagent_bdu_synthetic", "--limit", "1")


@pytest.mark.parametrize(
    ("module", "command"),
    [
        ("torch", "otherminds[hf]"),  # of ours, by lm-eval's extra of that name
        ("transformers", "otherminds[hf]"),
        ("vllm", "otherminds[vllm]"),
        ("tenacity", "otherminds[api]"),
        ("vl_convert", "otherminds[report]"),  # not named as its package is
        ("sentence_transformers", "otherminds[debate]"),
        ("ray", "otherminds[ray]"),
        ("litellm", "lm-eval[litellm]"),  # of lm-eval alone
    ],
)
def test_what_provides_a_module_is_found_in_the_extras(module: str, command: str) -> None:
    assert extras.command_for(module) == f"`pip install '{command}'`"


def test_what_no_extra_brings_is_installed_by_its_own_name() -> None:
    assert extras.command_for("no_such.thing".partition(".")[0]) == "`pip install no-such`"


def test_what_is_absent_of_an_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "aiohttp" not in extras.absent("api")
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    assert "aiohttp" in extras.absent("api")
    assert extras.command_of("api") == "`pip install 'otherminds[api]'`"


@pytest.fixture
def hidden(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module that is not installed, whichever of lm-eval's have used it already."""
    from lm_eval import models
    from lm_eval.api import registry

    module = str(request.param)
    registry._materialise_placeholder.cache_clear()
    for name, place in models.MODEL_MAPPING.items():
        monkeypatch.setitem(registry.model_registry._objs, name, place)
    for name in [*sys.modules]:
        if name.startswith("lm_eval.models."):
            monkeypatch.delitem(sys.modules, name)
    # And those that lm-eval's modules register besides, of which each would come twice.
    for name in {*registry.model_registry._objs} - {*models.MODEL_MAPPING}:
        if name != "dummy":
            monkeypatch.delitem(registry.model_registry._objs, name)
    monkeypatch.setitem(sys.modules, module, None)
    yield module
    # What was imported meanwhile lacks the module for good: no later test may meet it.
    for name in [*sys.modules]:
        if name.startswith("lm_eval.models."):
            del sys.modules[name]
            vars(models).pop(name.rpartition(".")[2], None)
    for name in {*registry.model_registry._objs} - {*models.MODEL_MAPPING, "dummy"}:
        del registry.model_registry._objs[name]
    registry._materialise_placeholder.cache_clear()


@pytest.mark.parametrize(
    ("hidden", "model", "extra"),
    [
        ("torch", "hf", "hf"),
        ("transformers", "hf", "hf"),
        ("vllm", "vllm", "vllm"),
        ("tenacity", "local-completions", "api"),
        # lm-eval goes on until a name of it is used.
        ("aiohttp", "local-chat-completions", "api"),
    ],
    indirect=["hidden"],
)
def test_a_model_says_what_to_install(
    hidden: str, model: str, extra: str, command: Command, twelve_people: Path, tmp_path: Path
) -> None:
    arguments = "model=x,pretrained=x,base_url=http://localhost:9,tokenizer_backend=none"
    done = command(*ASKED, "--model", model, "--model_args", arguments, cwd=tmp_path, code=1)
    # One line, after the one that says what is being loaded.
    assert done.stderr.splitlines()[1:] == [
        f"Error: The model '{model}' needs {hidden}, which is not installed: "
        f"`pip install 'otherminds[{extra}]'`."
    ]


@pytest.mark.parametrize("hidden", ["transformers"], indirect=True)
def test_a_chat_template_says_what_to_install(
    hidden: str, command: Command, twelve_people: Path, tmp_path: Path
) -> None:
    done = command(*ASKED, "--model", "dummy", "--apply_chat_template", cwd=tmp_path, code=1)
    last = done.stderr.splitlines()[-1]
    assert last == (
        "Error: The model 'dummy' needs transformers, which is not installed: "
        "`pip install 'otherminds[hf]'`."
    )


def test_of_a_model_the_package_is_told_that_it_is_named_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("vllm", "ray"):
        monkeypatch.setitem(sys.modules, module, None)
    # lm-eval imports Ray, which comes with vLLM.
    told = pytest.raises(OtherMindsError, match=r"needs vllm, .*'otherminds\[vllm\]'")
    with told, harness.installed("vllm-vlm"):
        importlib.import_module("ray")


def test_a_fault_of_another_kind_is_not_taken_for_a_package() -> None:
    with pytest.raises(ImportError, match="cannot import name"), harness.installed("mine"):
        exec("from json import no_such")
    with pytest.raises(NameError, match="nonesuch"), harness.installed("mine"):
        nonesuch()  # type: ignore[name-defined]  # noqa: F821
    missing = pytest.raises(OtherMindsError, match="needs nonesuch, which is not installed")
    with missing, harness.installed("mine"):
        importlib.import_module("nonesuch")


def test_plots_and_tables_of_a_report_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from otherminds.analysis import tables
    from otherminds.page.plots import style

    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(OtherMindsError, match=r"`pip install 'otherminds\[report\]'`"):
        style.load_altair()
    monkeypatch.setitem(sys.modules, "tabulate", None)
    import pandas as pd

    with pytest.raises(OtherMindsError, match=r"`pip install 'otherminds\[report\]'`"):
        tables.as_markdown(pd.DataFrame({"a": ["1"]}))
