"""Why replies ended: from each backend, through the journal, to who watches and to the samples."""

from __future__ import annotations

import copy
import json
import math
import pickle
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.running import finish
from otherminds.running.finish import Reply
from otherminds.running.journal import Journal
from otherminds.running.journal_hook import no_reply
from otherminds.running.journal_mending import mend
from otherminds.running.sample_logs import SampleLogs
from otherminds.samples.read import records
from tests.helpers import tiny_model
from tests.helpers.askers import asker


class Telling(LM):
    """Answers prompts with the replies that it was given, and reports each as it comes."""

    def __init__(self, replies: dict[str, Any]) -> None:
        super().__init__()
        self.replies = replies
        self.asked: list[str] = []

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[Any]:
        found = []
        for request in requests:
            self.asked.append(request.args[0])
            found.append(self.replies[request.args[0]])
            self.cache_hook.add_partial("generate_until", request.args, found[-1])
        return found

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise NotImplementedError


class Served(Telling):
    """The same, behind a server."""

    base_url = "http://127.0.0.1/v1/completions"


def request(prompt: str) -> Instance:
    return Instance("generate_until", {}, (prompt, {"until": []}), 0, metadata=("t", 0, 1))


def test_a_reply_keeps_its_reason_wherever_a_text_goes() -> None:
    reply = Reply("yes", "length", said="why", by="a model")
    for other in (copy.deepcopy(reply), pickle.loads(pickle.dumps(reply))):
        assert (other, other.finish_reason, other.said, other.by) == (
            "yes",
            "length",
            "why",
            "a model",
        )
    assert reply == "yes"
    assert json.dumps(reply) == '"yes"'


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        ({"choices": [{"finish_reason": "stop"}]}, ["stop"]),
        ({"choices": [{}]}, [None]),
        # Choices come in any order, and each says where it belongs.
        (
            {
                "choices": [
                    {"index": 1, "finish_reason": "length"},
                    {"index": 0, "finish_reason": "content_filter"},
                ]
            },
            ["content_filter", "length"],
        ),
        ({"choices": [{"message": {"refusal": "I will not."}, "finish_reason": "stop"}]}, ["refusal"]),
        ({"choices": [{"finish_reason": "eos_token"}]}, ["stop"]),
        ({"choices": [{"finish_reason": "SAFETY"}]}, ["content_filter"]),
        ({"choices": [{"finish_reason": "tool_calls"}]}, ["tool_calls"]),
        ({"content": [{"text": "a"}], "stop_reason": "max_tokens"}, ["length"]),
        (
            [{"text": "a", "meta_info": {"finish_reason": {"type": "length"}}}, {"text": "b"}],
            ["length", None],
        ),
        ({"choices": [{"finish_reason": 3}]}, [None]),
        ("a page", []),
    ],
)  # fmt: skip
def test_what_servers_say_is_read(outputs: Any, expected: list[str | None]) -> None:
    assert [end.finish_reason for end in finish.ends(outputs)] == expected


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "finish_reason",
                    "refusal",
                    "index",
                    "model",
                    "meta_info",
                    "type",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(outputs=json_values, n=st.integers(0, 3))
def test_no_response_of_a_server_is_an_exception_or_changes_a_text(outputs: Any, n: int) -> None:
    texts = [f"text {number}" for number in range(n)]
    assert finish.with_ends(texts, outputs) == texts


def test_a_reason_is_journaled_beside_the_answer_and_found_again(tmp_path: Path) -> None:
    replies = {
        "long": Reply("It is", "length"),
        "whole": Reply("Yes.", "stop", by="gpt-9-2030-01-01"),
        "bad": Reply("", "content_filter", said="The prompt was filtered."),
        "plain": "Yes.",
        "odd": Reply("No", "{odd"),
    }
    requests = [request(prompt) for prompt in replies]
    path = tmp_path / "j.sqlite"
    with Journal(path) as journal:
        asker(Served(replies), journal).generate_until(requests)
    for _ in ("as it was", "mended"):
        with Journal(path) as journal:
            model = Served({})
            found = asker(model, journal).generate_until(requests)
        assert model.asked == []
        assert found == list(replies.values())
        for one, reply in zip(found, replies.values(), strict=True):
            assert finish.reason_of(one) == finish.reason_of(reply)
            assert getattr(one, "said", "") == getattr(reply, "said", "")
            assert getattr(one, "by", "") == getattr(reply, "by", "")
        assert mend(path) is not None
    # What is usual takes a word.
    with closing(sqlite3.connect(path)) as database:
        kept = [ended for (ended,) in database.execute("SELECT ended FROM answers")]
    assert {None, "length"} <= {*kept}


def test_a_journal_without_reasons_is_read_and_gets_them(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path) as journal:
        asker(Telling({"old": "Yes."}), journal).generate_until([request("old")])
    with closing(sqlite3.connect(path)) as database:
        database.execute("ALTER TABLE answers DROP COLUMN ended")
        database.commit()
    model = Telling({"new": Reply("No.", "stop")})
    with Journal(path) as journal:
        found = asker(model, journal).generate_until([request("old"), request("new")])
        assert journal.without_digest == 0
    assert model.asked == ["new"]
    assert [finish.reason_of(one) for one in found] == [None, "stop"]


@pytest.mark.attack(
    "why a stored reply ended was changed",
    outcome="one error; `--mend-journal` keeps what is sound",
    against="answers",
)
def test_a_changed_reason_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path) as journal:
        asker(Telling({"p": Reply("Yes", "length")}), journal).generate_until([request("p")])
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE answers SET ended = 'stop'")
        database.commit()
    with Journal(path) as journal, pytest.raises(OtherMindsError, match="--mend-journal"):
        asker(Telling({}), journal).generate_until([request("p")])


def test_an_empty_reply_with_a_reason_is_an_answer_and_one_without_is_asked_again(
    tmp_path: Path,
) -> None:
    replies = {"thinks": Reply("", "length"), "fails": "", "fails too": Reply("")}
    requests = [request(prompt) for prompt in replies]
    with Journal(tmp_path / "j.sqlite") as journal:
        first = asker(Served(replies), journal)
        first.generate_until(requests)
        again = Served(replies)
        asker(again, journal).generate_until(requests)
    assert first.empty == 2
    assert again.asked == ["fails", "fails too"]


def test_a_log_likelihood_that_a_server_refused_is_no_answer() -> None:
    assert no_reply((math.nan, False))
    assert not no_reply((-1.0, False))
    assert not no_reply([-math.inf, True])
    assert no_reply(None)


def test_who_watches_is_told_each_reply_once_and_may_end_the_run(tmp_path: Path) -> None:
    replies = {f"prompt {n}": Reply(str(n), "length" if n % 2 else "stop") for n in range(4)}
    requests = [request(prompt) for prompt in replies]
    told: list[tuple[str, str, str | None]] = []

    def watch(one: Instance, answer: str, reason: str | None) -> None:
        told.append((one.args[0], answer, reason))
        if len(told) == 3:
            raise OtherMindsError("Enough was seen.")

    with Journal(tmp_path / "j.sqlite") as journal:
        model = Telling(replies)
        with pytest.raises(OtherMindsError, match="Enough"):
            asker(model, journal, watch=watch).generate_until(requests)
        assert model.asked == ["prompt 0", "prompt 1", "prompt 2"]
        assert told == [
            ("prompt 0", "0", "stop"),
            ("prompt 1", "1", "length"),
            ("prompt 2", "2", "stop"),
        ]
        # What was told is in the journal: who watches the next run is told it first.
        rest, seen = Telling(replies), []
        asker(
            rest, journal, watch=lambda one, answer, reason: seen.append((one.args[0], reason))
        ).generate_until(requests)
    assert rest.asked == ["prompt 3"]
    assert seen == [
        ("prompt 0", "stop"),
        ("prompt 1", "length"),
        ("prompt 2", "stop"),
        ("prompt 3", "length"),
    ]


def test_samples_have_the_reasons_of_their_replies_where_any_is_known(tmp_path: Path) -> None:
    sample = {"doc": {}, "arguments": [("p",)], "filtered_resps": [], "target": "a"}
    with SampleLogs(tmp_path) as logs:
        logs.add(
            "t",
            [
                {**sample, "resps": [[Reply("a", "stop"), "b", Reply("c", "length")]]},
                {**sample, "resps": [["a", "b"]]},
                {**sample, "resps": [[(-1.0, True)], [(-2.0, False)]]},
            ],
        )
        [path] = logs.save(tmp_path, "2030-01-01T00-00-00.000000").values()
    found = list(records(path, note=print))
    assert [one.get("finish_reasons") for one in found] == [[["stop", None, "length"]], None, None]
    assert [finish.known(one) for one in found] == [["stop", None, "length"], [], []]


class Words:
    """A tokenizer whose tokens are words, of which 0 ends a text and 9 pads it."""

    pad_token_id = 9

    def decode(self, tokens: list[int]) -> str:
        marks = {0: "<end>", 7: "</think>", 8: "STOP", 9: "<pad>"}
        return " ".join(marks.get(token, f"w{token}") for token in tokens)


@pytest.mark.parametrize(
    ("row", "mark", "expected"),
    [
        ([1, 2, 0, 9], None, "stop"),
        ([1, 2, 3, 9], None, "stop"),
        ([1, 2, 3, 4], None, "length"),
        # The rest of the batch went on after this row's stop sequence.
        ([1, 8, 3, 4], None, "stop"),
        # A stop sequence in a thought ends no text: lm-eval cuts the thought away first.
        ([1, 2, 3, 4], "</think>", "length"),
        ([1, 8, 3, 4], "</think>", "length"),
        ([1, 8], "</think>", "stop"),
        ([1, 7, 8, 4], "</think>", "stop"),
        ([1, 8, 7, 4], "</think>", "length"),
        ([1, 8, 7, 4], 7, "length"),
        ([8, 7, 5, 0], 7, "stop"),
    ],
)
def test_tokens_of_transformers_say_why_they_end(
    row: list[int], mark: str | int | None, expected: str
) -> None:
    model = SimpleNamespace(
        backend="causal",
        tokenizer=Words(),
        model=SimpleNamespace(generation_config=SimpleNamespace(eos_token_id=[0, 6])),
        eot_token_id=0,
        think_end_token=mark,
    )
    prompt = [1, 8, 1]
    asked = {
        "context": SimpleNamespace(shape=(1, len(prompt))),
        "max_length": len(prompt) + 4,
        "stop": ["STOP", ""],
    }
    found = SimpleNamespace(tolist=lambda: [[*prompt, *row]])
    assert finish._of_tokens(model, found, asked) == [expected]


def test_a_model_of_transformers_tells_whether_it_reached_its_limit(tmp_path: Path) -> None:
    from lm_eval.models.huggingface import HFLM

    folder = tiny_model.make(tmp_path / "model", ["why", "so", "yes"], says="yes", chat=False)
    model = HFLM(pretrained=str(folder), device="cpu", batch_size=2)
    # It says "yes", and then ends: with one token it has no room for the end.
    requests = [
        Instance("generate_until", {}, (prompt, {"until": until, "max_gen_toks": n}), 0)
        for prompt, until, n in (("why", [], 4), ("so", [], 1), ("why so", ["yes"], 1))
    ]
    for number, one in enumerate(requests):
        one.metadata = ("t", number, 1)
        one.task_name = "t"
    with Journal(tmp_path / "j.sqlite") as journal:
        found = asker(model, journal).generate_until(requests)
    assert [(str(one), finish.reason_of(one)) for one in found] == [
        ("yes", "stop"),
        ("yes", "length"),
        ("", "stop"),
    ]


def test_outputs_of_vllm_say_why_they_end() -> None:
    reasons = ("stop", "length", None)
    found = [SimpleNamespace(outputs=[SimpleNamespace(finish_reason=one)]) for one in reasons]
    assert finish._of_outputs(None, found, {}) == ["stop", "length", None]
