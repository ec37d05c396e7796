"""What follows from an audit that does not hold."""

from __future__ import annotations

import pytest

from otherminds.data.build import dataset as build
from otherminds.dataset_builders.verdict import Audit, Kind, verdict
from otherminds.errors import OtherMindsError


def failed(kind: Kind) -> Audit:
    return verdict(f"one_{kind}", False, 3, "things", kind=kind)


def test_only_what_makes_a_score_wrong_is_refused() -> None:
    build.refuse_failed("synchtom", [failed("release"), failed("stated")])
    with pytest.raises(OtherMindsError, match=r"^1 of 3 audits of synchtom failed.*one_fatal"):
        build.refuse_failed("synchtom", [failed("release"), failed("fatal"), failed("stated")])


def test_an_audit_is_fatal_unless_it_says_otherwise() -> None:
    assert verdict("ids", False, 1, "ids").refused
    assert not verdict("ids", True, 1, "ids").refused
    # What is written of fatal audits has not changed.
    assert "kind" not in build.as_json(verdict("ids", True, 1, "ids"))
    assert build.as_json(failed("stated"))["kind"] == "stated"
    assert Audit(**build.as_json(failed("stated"))) == failed("stated")
