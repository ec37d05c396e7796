"""A real HTTP server with a real, tiny model behind lm-eval's API models, and what goes wrong there."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from otherminds.running import asking, responses
from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from otherminds.running.servers import clear_errors
from tests.helpers.fake_clock import FakeClock
from tests.helpers.openai_server import Fault, Faults, Hashed, Server, TinyModel, serving
from tests.helpers.packed import opened
from tests.helpers.tiny_model import make

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tenacity") is None,
    reason="lm-eval's API models are not installed: pip install 'lm-eval[api]'.",
)

# Short prompts: the model is tiny, but it is a model.
TASK, LETTERS = "debate_blind_synthetic", "debate_blind_synthetic_logprob"
ITEMS = 8
SHORT = ("--gen_kwargs", "max_gen_toks=4,temperature=0")


@pytest.fixture(scope="module")
def folder(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = data.for_task(dataset="debate-beliefs-synthetic", configs=["beliefs"])["test"]
    return make(tmp_path_factory.mktemp("model"), rows.select(range(200))["proposition"])


@pytest.fixture(scope="module")
def tiny(folder: Path) -> TinyModel:
    return TinyModel(folder)


@pytest.fixture
def ask(folder: Path, tmp_path: Path) -> Callable[..., Finished]:
    """Run a task against a server; a folder named alike has the same journal."""

    def call(
        server: Server,
        *flags: str,
        task: str = TASK,
        chat: bool = False,
        concurrent: int = 1,
        name: str = "out",
        **more: Any,
    ) -> Finished:
        kind, path = ("local-chat-completions", "/chat") if chat else ("local-completions", "")
        told: Mapping[str, Any] = {
            "model": "tiny",
            "base_url": f"{server.address}{path}/completions",
            "num_concurrent": concurrent,
            # A chat server has the tokenizer to itself.
            **({} if chat else {"tokenizer": folder, "max_length": 16_384}),
            **more,
        }
        words = ",".join(f"{key}={value}" for key, value in told.items())
        found = run(
            [task],
            [
                *("--model", kind, "--model_args", words, "--limit", str(ITEMS)),
                *("--output_path", str(tmp_path / name), *(SHORT if task == TASK else ()), *flags),
            ],
            Options(),
        )
        assert found is not None
        return found

    return call


def answers(finished: Finished) -> list[Any]:
    [path] = finished.sample_paths
    with opened(path) as lines:
        return [json.loads(line)["resps"] for line in lines]


def failing(**by_number: Fault) -> Faults:
    return lambda number: by_number.get(f"n{number}")


def each_once(server: Server) -> bool:
    return set(Counter(server.record.answered).values()) == {1}


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    found = FakeClock()
    monkeypatch.setattr(asking, "Clock", lambda: found)
    return found


@pytest.fixture(params=[False, True], ids=["completions", "chat"])
def chat(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def test_answers_do_not_depend_on_concurrency(
    tiny: TinyModel,
    ask: Callable[..., Finished],
    chat: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with serving(tiny) as server:
        one = answers(ask(server, chat=chat, name="one"))
    # The stages and nothing else: no bars of lm-eval, and no carriage returns.
    called = f"local-{'chat-' * chat}completions tiny"
    loading, asking, *between, asked = capsys.readouterr().err.splitlines()
    assert loading == f"Loading {called} …"
    assert asking == f"Asking {called}, {TASK} …"
    assert asked.startswith(f"Asking {called}, {TASK}: {ITEMS} in 0:0")
    assert all(line.startswith(f"Asking {called}, {TASK}: ") for line in between)
    with serving(tiny) as server:
        four = answers(ask(server, chat=chat, concurrent=4, name="four"))
        assert each_once(server)
        assert len(server.record.answered) == ITEMS
        assert server.record.most_at_once > 1
    assert four == one


def test_log_probabilities_do_not_depend_on_concurrency(
    tiny: TinyModel, ask: Callable[..., Finished]
) -> None:
    with serving(tiny) as server:
        one = answers(ask(server, task=LETTERS, name="one"))
        # Two options of each item.
        assert len(server.record.answered) == 2 * ITEMS
    with serving(tiny) as server:
        four = answers(ask(server, task=LETTERS, concurrent=4, name="four"))
        assert each_once(server)
    assert four == one
    # They depend on the prompt, else the comparison would show nothing.
    assert len({json.dumps(answer) for answer in one}) == ITEMS


@pytest.mark.parametrize("concurrent", [1, 4])
def test_a_server_that_stumbles_loses_and_doubles_nothing(
    ask: Callable[..., Finished], concurrent: int, chat: bool
) -> None:
    with serving(Hashed()) as server:
        smooth = answers(ask(server, chat=chat, name="smooth"))
    faults = failing(n1="429", n3="500", n4="hang up")
    with serving(Hashed(), faults) as server:
        stumbled = ask(server, chat=chat, concurrent=concurrent, max_retries=5)
        assert Counter(one.status for one in server.record.exchanges) == {
            200: ITEMS,
            429: 1,
            500: 1,
            0: 1,
        }
        assert each_once(server)
    assert answers(stumbled) == smooth
    assert stumbled.results["otherminds"]["journal"]["asked"] == ITEMS


def test_a_server_that_falls_silent_loses_nothing(ask: Callable[..., Finished]) -> None:
    with serving(Hashed()) as server:
        smooth = answers(ask(server, chat=True, name="smooth"))
    with serving(Hashed(), failing(n2="silence")) as server:
        # How often it is asked again depends on the machine: other answers may be late, too.
        waited = ask(server, chat=True, concurrent=4, timeout=1, max_retries=50)
        assert len(server.record.exchanges) > ITEMS
    assert answers(waited) == smooth
    assert waited.results["otherminds"]["journal"]["asked"] == ITEMS


@pytest.mark.parametrize("concurrent", [1, 4])
def test_a_server_that_stays_down_is_one_error_and_what_it_answered_is_kept(
    ask: Callable[..., Finished], concurrent: int, chat: bool
) -> None:
    with serving(Hashed()) as server:
        smooth = answers(ask(server, chat=chat, name="smooth"))
    down = [True]
    with serving(
        Hashed(), lambda number: "503" if down and number >= ITEMS // 2 else None
    ) as server:
        with pytest.raises(OtherMindsError, match="in 2 tries: it answered with status 503"):
            ask(server, chat=chat, concurrent=concurrent, max_retries=2)
        assert len(server.record.answered) == ITEMS // 2
        down.clear()
        # What is changed for another try changes no answer.
        resumed = ask(server, chat=chat, concurrent=2, max_retries=4, timeout=60)
        assert each_once(server)
    journal = resumed.results["otherminds"]["journal"]
    assert (journal["reused"], journal["asked"]) == (ITEMS // 2, ITEMS // 2)
    assert answers(resumed) == smooth


def test_answers_under_way_when_a_server_is_given_up_are_kept(
    ask: Callable[..., Finished], chat: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server works for each answer, and may be paid for it: none is asked for twice."""
    given_up = asyncio.Event()
    give_up, posted = asking.Asking._give_up, responses.posted

    def giving_up(self: asking.Asking, *args: Any, **named: Any) -> None:
        given_up.set()
        give_up(self, *args, **named)

    async def late(*args: Any) -> responses.Came:
        came = await posted(*args)
        if came.status == 200:
            await given_up.wait()
            for _ in range(50):
                await asyncio.sleep(0)
        return came

    monkeypatch.setattr(asking.Asking, "_give_up", giving_up)
    down = [True]
    with serving(Hashed(), lambda number: "503" if down and number >= 2 else None) as server:
        with pytest.raises(OtherMindsError, match="in 2 tries"), monkeypatch.context() as patched:
            patched.setattr(responses, "posted", late)
            ask(server, chat=chat, concurrent=4, max_retries=2)
        assert len(server.record.answered) == 2
        down.clear()
        resumed = ask(server, chat=chat, concurrent=4)
        assert each_once(server)
    journal = resumed.results["otherminds"]["journal"]
    assert (journal["reused"], journal["asked"]) == (2, ITEMS - 2)


@pytest.mark.parametrize("concurrent", [pytest.param(1, marks=pytest.mark.slow), 4])
def test_what_is_wrong_with_a_server_is_said(ask: Callable[..., Finished], concurrent: int) -> None:
    told = {"concurrent": concurrent, "max_retries": 1}
    silent = pytest.raises(OtherMindsError, match=r"silent for too long.* raise timeout")
    with serving(Hashed(), lambda number: "silence") as server, silent:
        ask(server, chat=True, timeout=1, **told)
    with pytest.raises(OtherMindsError, match="the connection failed"):
        ask(server, chat=True, **told)
    refused = pytest.raises(OtherMindsError, match=r"status 429.* lower num_concurrent")
    with serving(Hashed(), lambda number: "429") as server, refused:
        ask(server, chat=True, max_wait=20, **told)
    page = pytest.raises(OtherMindsError, match=r"something else than JSON.* check base_url")
    with serving(Hashed(), lambda number: "web page") as server, page:
        ask(server, chat=True, **told)

    stranger = pytest.raises(OtherMindsError, match=r"no completion.* check base_url")
    with serving(Hashed(), lambda number: "error with status 200") as server, stranger:
        ask(server, **told)


@pytest.mark.parametrize("concurrent", [1, 4])
def test_a_reply_without_content_is_counted_and_asked_for_again(
    ask: Callable[..., Finished], concurrent: int
) -> None:
    with serving(Hashed()) as server:
        smooth = answers(ask(server, chat=True, name="smooth"))
    with serving(Hashed(), failing(n5="no content")) as server:
        first = ask(server, chat=True, concurrent=concurrent)
        again = ask(server, chat=True, concurrent=concurrent)
    told = [one.results["otherminds"]["journal"] for one in (first, again)]
    assert [one["asked"] for one in told] == [ITEMS, 1]
    assert [one["reused"] for one in told] == [0, ITEMS - 1]
    assert [one["empty"] for one in told] == [1, 0]
    assert answers(again) == smooth != answers(first)


def test_a_reader_of_the_output_who_has_gone_is_no_fault_of_the_server() -> None:
    model = SimpleNamespace(base_url="http://127.0.0.1", max_retries=1)
    with pytest.raises(BrokenPipeError), clear_errors(model):
        raise BrokenPipeError


def test_other_errors_pass_unchanged() -> None:
    with pytest.raises(TimeoutError), clear_errors(object()):
        raise TimeoutError
