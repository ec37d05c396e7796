"""Servers as they are: refusals, limits of rates, replies that are none, models that change."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.errors import OtherMindsError
from otherminds.harness import Instance
from otherminds.running import asking, responses
from otherminds.running.asking import Asking, Refusal, Unanswered
from otherminds.running.models import Options
from otherminds.running.responses import Came
from otherminds.running.run import Finished, run
from otherminds.samples.read import records
from tests.helpers.fake_clock import FakeClock
from tests.helpers.openai_server import Server, serving

pytest.importorskip("tenacity", reason="lm-eval's API models are not installed.")

TASK = "debate_blind_synthetic_direct"
ITEMS = 12


class Agrees:
    """Answers every question in the same way, and keeps the prompts."""

    def generate(self, prompt: Any, body: dict[str, Any]) -> str:
        return '{"prediction": "agree"}'

    def echoed(self, prompt: Any) -> dict[str, Any]:
        raise ValueError


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    found = FakeClock()
    monkeypatch.setattr(asking, "Clock", lambda: found)
    return found


@pytest.fixture(params=[1, 4])
def concurrent(request: pytest.FixtureRequest) -> int:
    return int(request.param)


Ask = Callable[..., Finished]


@pytest.fixture
def ask(cache: Path, tmp_path: Path) -> Ask:
    def call(server: Server, *flags: str, options: Options = Options(), **more: Any) -> Finished:
        told = {
            "model": "tiny",
            "base_url": f"{server.address}/chat/completions",
            **more,
        }
        words = ",".join(f"{key}={value}" for key, value in told.items())
        found = run(
            [TASK],
            [
                *("--model", "local-chat-completions", "--model_args", words),
                *("--limit", str(ITEMS), "--output_path", str(tmp_path / "out"), *flags),
            ],
            options,
        )
        assert found is not None
        return found

    return call


def journal(finished: Finished) -> dict[str, Any]:
    return dict(finished.results["otherminds"]["journal"])


def told_by(finished: Finished) -> dict[str, Any]:
    return dict(finished.results["otherminds"]["server"])


def refusing(fault: Any, *, n: int = 1) -> Callable[[int, str], Any]:
    """Faults for the first `n` prompts that come, whenever they come."""
    chosen: list[str] = []

    def faults(number: int, prompt: str) -> Any:
        if prompt not in chosen and len(chosen) < n and number >= 2:
            chosen.append(prompt)
        return fault if prompt in chosen else None

    return faults


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("400 of content", "content_filter"),
        ("400", "rejected"),
        ("filtered", "content_filter"),
        ("refusal", "refusal"),
    ],
)
def test_a_prompt_that_is_refused_for_good_is_counted_and_the_run_goes_on(
    ask: Ask, fault: str, reason: str, concurrent: int
) -> None:
    with serving(Agrees(), refusing(fault)) as server:
        first = ask(server, num_concurrent=concurrent)
        asked = len(server.record.exchanges)
        again = ask(server, num_concurrent=concurrent)
        assert len(server.record.exchanges) == asked == ITEMS
        third = ask(server, options=Options(ask_refused=True))
        assert len(server.record.exchanges) == asked + 1
    for finished in (first, again, third):
        assert journal(finished)["refused"] == {reason: 1}
        assert journal(finished)["empty"] == 0
        [path] = finished.sample_paths
        reasons = Counter(
            reason for one in records(path, note=print) for [reason] in one["finish_reasons"]
        )
        assert reasons == {"stop": ITEMS - 1, reason: 1}
        parsed = finished.results["otherminds"]["scores"][TASK]["estimates"]["parse_rate"]
        assert parsed["value"] == pytest.approx((ITEMS - 1) / ITEMS)
    assert [journal(one)["asked"] for one in (first, again, third)] == [ITEMS, 0, 1]


def test_a_server_that_refuses_everything_is_an_error_and_no_refusal_is_kept(
    ask: Ask, concurrent: int
) -> None:
    wrong = pytest.raises(OtherMindsError, match=r"maximum context length.*mend --model_args")
    with serving(Agrees(), lambda number: "400") as server:
        with wrong:
            ask(server, num_concurrent=concurrent)
        with wrong:
            ask(server, "--limit", "2", num_concurrent=concurrent)
    with serving(Agrees()) as server:
        assert journal(ask(server, num_concurrent=concurrent))["refused"] == {}
