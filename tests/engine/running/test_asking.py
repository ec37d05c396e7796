"""Servers as they are: refusals, limits of rates, replies that are none, models that change."""

from __future__ import annotations

import json
import re
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
    def call(server: Server, *flags: str, ask_refused: bool = False, **more: Any) -> Finished:
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
            Options(ask_refused=ask_refused),
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
        third = ask(server, ask_refused=True)
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
    is_wrong = [True]
    with serving(Agrees(), lambda number: "400" if is_wrong else None) as server:
        with wrong:
            ask(server, num_concurrent=concurrent)
        with wrong:
            ask(server, "--limit", "2", num_concurrent=concurrent)
        is_wrong.clear()
        assert journal(ask(server, num_concurrent=concurrent))["refused"] == {}


def test_limits_of_the_rate_are_waited_for_as_long_as_the_server_says(
    ask: Ask, clock: FakeClock, concurrent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(
        Agrees(), lambda number: "429" if number % 5 < 2 else None, retry_after="70"
    ) as server:
        finished = ask(server, num_concurrent=concurrent)
        statuses = Counter(one.status for one in server.record.exchanges)
    assert statuses[200] == ITEMS
    assert statuses[429] == told_by(finished)["faults"]["429"] >= ITEMS // 3
    assert {70} >= {round(wait) for wait in clock.waits}
    assert told_by(finished)["waited_seconds"] >= 70
    lines = capsys.readouterr().err.splitlines()
    waiting = [line for line in lines if "waiting" in line]
    assert waiting[0] == (
        "The server refuses for now (status 429): waiting 0:01:10; the run ends when it has refused "
        "for 0:30:00."
    )


def test_a_server_that_refuses_for_too_long_ends_the_run_and_what_came_is_kept(
    ask: Ask, clock: FakeClock, concurrent: int
) -> None:
    is_down = [True]
    with serving(
        Agrees(), lambda number: "429" if is_down and number >= 5 else None, retry_after=None
    ) as server:
        ends = pytest.raises(
            OtherMindsError, match=r"refused every request.*The 5 answers.*resumes.*raise max_wait"
        )
        with ends:
            ask(server, num_concurrent=concurrent, max_wait=200)
        assert 60 <= clock.time <= 200
        is_down.clear()
        # What is waited for changes no answer.
        assert journal(ask(server, max_wait=300))["reused"] == 5


@pytest.mark.parametrize(
    ("fault", "said"),
    [("429 of quota", "quota of your account"), ("401", "check the key in OPENAI_API_KEY")],
)
def test_what_no_waiting_helps_against_ends_the_run_at_once(
    ask: Ask, clock: FakeClock, fault: Any, said: str
) -> None:
    with (
        serving(Agrees(), lambda number: fault) as server,
        pytest.raises(OtherMindsError, match=said),
    ):
        ask(server)
    assert len(server.record.exchanges) == 1
    assert clock.waits == []


def test_replies_that_are_none_are_asked_for_again(ask: Ask, concurrent: int) -> None:
    kinds = ["half of the JSON", "no choices", "error with status 200", "500", "web page"]
    faults = dict(zip([1, 3, 5, 7, 9], kinds, strict=True))
    with serving(Agrees(), lambda number, _: faults.get(number)) as server:
        finished = ask(server, num_concurrent=concurrent, max_retries=9)
    assert len(server.record.exchanges) == ITEMS + len(faults)
    assert told_by(finished)["faults"] == {"no JSON": 2, "no reply": 2, "500": 1}
    assert (journal(finished)["asked"], journal(finished)["empty"]) == (ITEMS, 0)


def test_a_server_that_changes_its_mind_about_the_model_is_noticed(
    ask: Ask, concurrent: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Agrees(), called=lambda number: "big" if number < 7 else "small") as server:
        finished = ask(server, num_concurrent=concurrent)
        lines = capsys.readouterr().err.splitlines()
        again = ask(server)
    assert told_by(finished)["models"] == told_by(again)["models"] == {"big": 7, "small": 5}
    [line] = [one for one in lines if "another model" in one]
    assert re.match(
        r"The server names another model now: 'small', after \d replies as 'big'\.", line
    )
    assert "another model" not in capsys.readouterr().err


def test_a_model_that_is_named_otherwise_by_the_next_run_is_noticed(
    ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(Agrees(), called=lambda number: "tiny" if number < 4 else "tiny-2") as server:
        first = ask(server, "--limit", "4")
        more = ask(server)
    assert told_by(first)["models"] == {"tiny": 4}
    assert told_by(more)["models"] == {"tiny": 4, "tiny-2": 8}
    assert "another model now: 'tiny-2', after 4 replies as 'tiny'" in capsys.readouterr().err


def test_decoding_is_recorded_as_it_was_sent(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from otherminds.running.report import print_run

    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with serving(Agrees()) as server:
        finished = ask(server, "--model", "openai-chat-completions", model="gpt-5")
        again = ask(server, "--model", "openai-chat-completions", model="gpt-5")
    for one in (finished, again):
        told = told_by(one)["decoding"][TASK]
        assert told["sent"]["temperature"] == 1
        assert "stop" not in told["sent"]
        for exchange in server.record.exchanges:
            assert told["sent"] == {
                name: value for name, value in exchange.settings.items() if name != "model"
            }
        asked, sent = told["asked_otherwise"]["temperature"]
        assert (asked, sent) == (0.0, 1)
        print_run(one)
        printed = " ".join(capsys.readouterr().out.split())
        assert "was sent temperature 1, not the 0.0 of the task" in printed


# What a server does, in the order of the requests.
_DOES = {
    "answers": Came(200, '{"choices": [{"text": "a"}]}', {}),
    "waits": Came(429, "{}", {"retry-after": "30"}),
    "waits long": Came(429, "", {"retry-after": "9" * 9}),
    "waits until": Came(503, "", {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}),
    "is full": Came(429, "[]", {"retry-after": "soon"}),
    "fails": Came(500, "null", {}),
    "is silent": Came(None, "silent", {}),
    "hangs up": Came(None, "lost", {}),
    "has no JSON": Came(200, "[" * 10_000, {}),
    "has no choice": Came(200, '{"choices": [7]}', {}),
    "filters": Came(400, '{"error": {"innererror": {"code": "ResponsibleAIPolicyViolation"}}}', {}),
    "rejects": Came(422, '{"error": "no"}', {}),
    "knows nobody": Came(401, '"who?"', {}),
}


@given(does=st.lists(st.sampled_from(sorted(_DOES)), max_size=30))
def test_every_talk_ends_in_a_response_a_refusal_or_one_clear_error(does: list[str]) -> None:
    clock = FakeClock()
    model = SimpleNamespace(base_url="http://server", max_retries=3, model="m")
    lines: list[str] = []
    one = Asking(model, most_wait=600, say=lines.append, clock=clock)  # type: ignore[arg-type]
    talk, came, sent = one.talk({}), None, 0
    coming = iter([*does, "answers"])
    found: Any = None
    while found is None:
        try:
            step = talk.send(came)
        except (StopIteration, Unanswered) as end:
            found = end
            break
        came = None
        if isinstance(step, dict):
            came = _DOES[next(coming)]
            sent += 1
        else:
            assert step > 0
            clock.sleep(step)
    last = [*does, "answers"][sent - 1]
    if isinstance(found, Unanswered):
        assert "\n" not in str(found)
        assert "the same command resumes" in str(found)
    else:
        assert isinstance(found.value, Refusal) == (last in ("filters", "rejects"))
        assert last in ("answers", "filters", "rejects")
    # Of refusals for now, no longer than was said; and a pause after each of two tries.
    assert clock.time <= 600 + 3
    assert one.waited == sum(clock.waits)


def test_a_prompt_of_a_batch_that_is_refused_takes_no_other_with_it() -> None:
    served: list[Any] = []

    def post(model: Any, payload: dict[str, Any]) -> Came:
        prompts = payload["prompt"]
        served.append(prompts)
        if "bad" in prompts:
            return _DOES["filters"]
        texts = [{"index": n, "text": f"to {one}"} for n, one in enumerate(prompts)]
        return Came(200, json.dumps({"choices": texts}), {})

    model = SimpleNamespace(
        base_url="http://server",
        max_retries=1,
        model="m",
        model_call=None,
        amodel_call=None,
        eos_string=None,
        _seed=1,
        create_message=lambda messages: messages,
        _create_payload=lambda messages, **_: {"prompt": messages},
        parse_generations=lambda outputs: [one["text"] for one in outputs["choices"]],
        parse_logprobs=lambda outputs, ctxlens: [(float(n), True) for n in ctxlens],
    )
    one = Asking(model, clock=FakeClock())  # type: ignore[arg-type]
    one.is_answering = True
    with pytest.MonkeyPatch.context() as patch, one.patiently():
        patch.setattr(responses, "post", post)
        outputs = model.model_call(["a", "bad", "c"])
        assert model.parse_generations(outputs=outputs) == ["to a", "", "to c"]
        logs = model.parse_logprobs(outputs=outputs, ctxlens=[1, 2, 3])
    assert [logs[0], logs[2]] == [(1.0, True), (3.0, True)]
    assert logs[1][0] != logs[1][0]
    assert served == [["a", "bad", "c"], ["a"], ["bad"], ["c"]]


@pytest.mark.parametrize("given", ["soon", "-1", "nan", "inf"])
def test_a_time_to_wait_that_is_none_is_one_error(given: str) -> None:
    model: Any = SimpleNamespace(model_call=1, amodel_call=1, _create_payload=1)
    with pytest.raises(OtherMindsError, match="max_wait=3600"):
        asking.of(model, {"max_wait": given}, print)


def test_settings_that_are_sent_as_they_were_asked_for_are_no_difference() -> None:
    model = SimpleNamespace(
        eos_string=None,
        _seed=7,
        create_message=lambda messages: messages[0],
        _create_payload=lambda prompt, gen_kwargs, seed, **_: {
            "prompt": prompt,
            "model": "m",
            "temperature": gen_kwargs.pop("temperature"),
            "max_completion_tokens": gen_kwargs.pop("max_gen_toks"),
            "seed": seed,
        },
    )
    decoding = {"temperature": 0.5, "max_gen_toks": 9}
    request = Instance("generate_until", {}, ("p", decoding), 0)
    sent, otherwise = asking.settings(model, request)
    assert sent == {"temperature": 0.5, "max_completion_tokens": 9, "seed": 7}
    assert otherwise == {}
    assert decoding == {"temperature": 0.5, "max_gen_toks": 9}
