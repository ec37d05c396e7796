"""Keys and tokens: what detect-secrets knows by their own marks, the scan finds too."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherminds.publishing.privacy_kinds import find

plugins = pytest.importorskip("detect_secrets.plugins", reason="needs detect-secrets (extra test)")

_BY_NAME = "quoted text beside a name such as api_key, of which the logs of programmers are full"
LEFT_OUT = {
    "AWSKeyDetector-1": _BY_NAME,
    "ArtifactoryDetector": "may be words in capitals; real ones are long, and random ids",
    "BasicAuthDetector": "takes regular expressions for URLs; what has a host is an e-mail",
    "CloudantDetector": _BY_NAME,
    "IPPublicDetector": "takes addresses that are nobody's, too",
    "IbmCloudIamDetector": _BY_NAME,
    "IbmCosHmacDetector": _BY_NAME,
    "JwtTokenDetector": "takes what is not JSON, and checks it afterwards",
    "SoftlayerDetector": _BY_NAME,
}
"""Detectors, or one pattern of a detector, and why the scan does not follow them."""

PRINTABLE = st.characters(min_codepoint=32, max_codepoint=126)


def patterns() -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """Detector, pattern's id and pattern; new ones of a later version of the library included."""
    base = importlib.import_module("detect_secrets.plugins.base").RegexBasedDetector
    for found in pkgutil.iter_modules(plugins.__path__):
        module = importlib.import_module(f"detect_secrets.plugins.{found.name}")
        for name, kind in sorted(vars(module).items()):
            is_here = isinstance(kind, type) and kind.__module__ == module.__name__
            if is_here and issubclass(kind, base) and not kind.__abstractmethods__:
                for place, pattern in enumerate(kind().denylist):
                    yield name, f"{name}-{place}", pattern


@pytest.mark.attack(
    "a key, name, address or number of a person in data or cards to be published",
    outcome="`publish` stops, and says where without repeating it",
    against="secrets",
)
@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(pattern, id=id_)
        for name, id_, pattern in patterns()
        if not {name, id_} & set(LEFT_OUT)
    ],
)
def test_what_the_library_knows_is_found(pattern: re.Pattern[str]) -> None:
    @settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
    @given(token=st.from_regex(pattern, fullmatch=True, alphabet=PRINTABLE))
    def check(token: str) -> None:
        assert list(find(f"before {token} after")), token

    check()


def test_what_is_left_out_is_there_to_leave_out() -> None:
    assert set(LEFT_OUT) <= {one for name, id_, _ in patterns() for one in (name, id_)}


@pytest.mark.parametrize(
    "text", ["The global-warming-denial-group said so.", "a glass-half-full-optimist view"]
)
def test_a_compound_of_words_is_not_a_token(text: str) -> None:
    assert list(find(text)) == []
