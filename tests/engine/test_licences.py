"""What we depend on may be used: every dependency's licence, as its own metadata state it."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, PackageNotFoundError

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT

EXTRAS = (
    "test",
    "lint",
    "docs",
    "hf",
    "api",
    "report",
    "debate",
    "inspect",
    "ray",
    "interview",
    "study",
    "train",
    "wandb",
    "trackio",
    "privacy",
)
"""All but vllm, whose engine has an environment of its own.

What is not installed here is looked at where it is: tests/integrations/test_licences.py.
"""

# Permissive licences, and such as ask something of changes to the package alone.
PERMITTED = re.compile(
    r"(The )?(MIT|BSD|0BSD|3-Clause BSD|Apache|ISC|PSF|Python Software Foundation|CNRI-Python|Zlib|CC0|"
    r"Unlicense|HPND|Historical Permission|BSL-1\.0|Boost|MPL|Mozilla|LGPL|GNU Lesser|GNU Library|CMU)",
    re.IGNORECASE,
)
# Their metadata name no licence; the files that they carry do, or those of the package that they are of.
UNNAMED = {
    "agent-client-protocol": "Apache-2.0",
    "axe-playwright-python": "MIT",
    "mlcroissant": "Apache-2.0",
    "openai-harmony": "Apache-2.0",
    "prime-pydantic-config": "Apache-2.0",
    "protobuf-py-ext": "Apache-2.0",
}


def refused(stated: str) -> list[str]:
    """The licences in a statement that are not permitted; of several to choose from, one must be."""
    plain = stated.replace("(LGPL", "LGPL").strip("() ")
    every = re.split(r"\bAND\b|[;,&]", plain, flags=re.IGNORECASE)
    return [
        part.strip()
        for part in every
        if not any(
            PERMITTED.match(one.strip("() ")) for one in re.split(r"\bOR\b|/", part, flags=re.I)
        )
    ]


def stated_by(found: Distribution) -> str:
    expression = found.metadata.get("License-Expression")
    classifiers = [
        line.split("::")[-1].strip()
        for line in found.metadata.get_all("Classifier", [])
        if line.startswith("License ::") and line.split("::")[-1].strip() != "OSI Approved"
    ]
    text = (found.metadata.get("License") or "").partition("\n")[0][:80]
    return expression or "; ".join(classifiers) or text


def dependencies(name: str, extras: Iterable[str]) -> dict[str, Distribution]:
    """All that a package brings along, with some of its extras, as far as it is installed here."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    left = [(name, frozenset(extras))]
    while left:
        one, wanted = left.pop()
        canonical = re.sub(r"[-_.]+", "-", one).lower()
        if (canonical, wanted) in seen:
            continue
        seen.add((canonical, wanted))
        try:
            found[canonical] = importlib.metadata.distribution(one)
        except PackageNotFoundError:
            continue
        for text in found[canonical].requires or []:
            needed = Requirement(text)
            if _is_accelerator(canonical, needed):
                continue
            if needed.marker is None or any(
                needed.marker.evaluate({"extra": extra}) for extra in {*wanted, ""}
            ):
                left.append((needed.name, frozenset(needed.extras)))
    return found


def _is_accelerator(name: str, needed: Requirement) -> bool:
    """Whether it is a part of torch's CUDA build, which some machines take: the CPU build has none.

    NVIDIA's libraries have terms of their own, which people accept with their GPU. No code of ours asks
    for them, and what the CPU build brings is looked at here as in CI.
    """
    return name == "torch" and "platform_system" in str(needed.marker or "")


def not_permitted(found: Mapping[str, Distribution]) -> dict[str, str]:
    """The packages whose licence is not permitted, with what they state."""
    licences = {name: UNNAMED.get(name) or stated_by(one) for name, one in found.items()}
    return {name: stated for name, stated in licences.items() if refused(stated)}


@pytest.mark.parametrize(
    ("stated", "wrong"),
    [
        ("MIT", []),
        ("Apache-2.0 OR GPL-3.0-or-later", []),
        ("GPL-3.0-or-later", ["GPL-3.0-or-later"]),
        ("MIT AND GPL-3.0-only", ["GPL-3.0-only"]),
        ("MIT and GPL-3.0-only", ["GPL-3.0-only"]),
        ("MIT & AGPL-3.0", ["AGPL-3.0"]),
        ("GPL-2.0-only or MIT", []),
        ("GNU General Public License v3 (GPLv3)", ["GNU General Public License v3 (GPLv3"]),
        ("GNU Affero General Public License v3", ["GNU Affero General Public License v3"]),
        ("GNU Lesser General Public License v3 (LGPLv3)", []),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", []),
        ("Proprietary", ["Proprietary"]),
        ("", [""]),
    ],
)
def test_what_is_permitted(stated: str, wrong: list[str]) -> None:
    assert refused(stated) == wrong


@pytest.mark.attack(
    "a dependency whose licence is not permitted",
    outcome="the test fails",
    against="supply chain",
)
def test_every_dependency_has_a_licence_that_is_permitted() -> None:
    found = dependencies("otherminds", EXTRAS)
    assert len(found) > 100
    assert not_permitted(found) == {}


def test_no_extra_is_left_out() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*EXTRAS, "vllm"} == project["optional-dependencies"].keys()


def test_our_own_licence_is_stated() -> None:
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").lstrip().startswith("Apache License")


def test_parts_of_a_cuda_build_are_torchs_own_alone() -> None:
    cuda = Requirement('nvidia-cublas==1.0; platform_system == "Linux"')
    assert _is_accelerator("torch", cuda)
    assert not _is_accelerator("otherminds", cuda)
    assert not _is_accelerator("torch", Requirement("sympy>=1.13"))
