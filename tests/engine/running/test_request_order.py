"""The order of requests: prompts that begin alike are neighbours, and no answer changes its place."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.harness import LM, Instance
from otherminds.running import request_order
from otherminds.running.journal import Journal
from tests.helpers.askers import asker

ENGINE = "lm_eval.models.vllm_causallms"


def request(prompt: str, kind: str = "generate_until", rest: Any = None) -> Instance:
    rest = {"max_gen_toks": 4} if rest is None else rest
    return Instance(kind, {}, (prompt, rest), 0, metadata=("t", 0, 1))


@given(st.lists(st.sampled_from(["a 1", "a 2", "b 1", "b 2", "c"])))
def test_equal_beginnings_are_neighbours_and_equal_prompts_keep_their_order(
    prompts: list[str],
) -> None:
    requests = [request(prompt) for prompt in prompts]
    order = request_order.by_prompt(requests, range(len(requests)))
    assert sorted(order) == list(range(len(requests)))
    people = [prompts[index][0] for index in order]
    changes = sum(one != other for one, other in itertools.pairwise(people))
    assert changes == max(len(set(people)) - 1, 0)
    for prompt in prompts:
        same = [index for index in order if prompts[index] == prompt]
        assert same == sorted(same)


@given(st.lists(st.sampled_from("abcd")), st.integers(min_value=1, max_value=3), st.booleans())
def test_chunks_hold_everything_once_and_split_no_item(
    prompts: list[str], size: int, by_item: bool
) -> None:
    requests = [request(prompt) for prompt in prompts]
    order = request_order.by_prompt(requests, range(len(requests)))
    found = list(request_order.chunks(requests, order, size=size, by_item=by_item))
    assert [index for chunk in found for index in chunk] == order
    sizes = [len({prompts[n] for n in chunk} if by_item else chunk) for chunk in found]
    assert all(0 < n <= size for n in sizes)
    # No chunk is smaller than it could be, but for the last.
    assert all(n == size for n in sizes[:-1])
    if by_item:
        assert sum(sizes) == len(set(prompts))


class Sorter:
    """As lm-eval's: sorts, and puts answers back."""

    def __init__(self, arr: Any, sort_fn: Any, group_fn: Any = None, group_by: Any = None) -> None:
        self._pairs = sorted(enumerate(arr), key=lambda pair: sort_fn(pair[1]))

    def batch(self) -> list[Any]:
        return [one for _, one in self._pairs]

    def get_original(self, answers: list[Any]) -> list[Any]:
        places = [place for place, _ in self._pairs]
        return [answer for _, answer in sorted(zip(places, answers, strict=True))]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[LM]]:
    """A model in the place of lm-eval's vLLM model, which sorts by length."""
    module = ModuleType(ENGINE)
    module.Collator = Sorter  # type: ignore[attr-defined]  # what lm-eval's module has too

    class Engine(LM):
        __module__ = ENGINE

        def __init__(self) -> None:
            super().__init__()
            self.asked: list[str] = []

        def generate_until(self, requests: list[Instance]) -> list[str]:
            prompts = [one.args[0] for one in requests]
            order = module.Collator(prompts, lambda prompt: -len(prompt))
            self.asked += order.batch()
            return order.get_original([f"to {prompt}" for prompt in order.batch()])

        loglikelihood = generate_until
        loglikelihood_rolling = generate_until

    monkeypatch.setitem(sys.modules, ENGINE, module)
    yield Engine
    assert module.Collator is Sorter


def test_a_run_asks_an_engine_person_by_person(engine: type[LM], tmp_path: Path) -> None:
    people = {"a": "anna " * 3, "b": "ben " * 4, "c": "cleo " * 3}
    prompts = [people[name] + item for item in ("x", "yyyy", "zz") for name in people]
    random.Random(0).shuffle(prompts)
    model = engine()
    with Journal(tmp_path / "journal.sqlite") as journal:
        answers = asker(model, journal).generate_until([request(prompt) for prompt in prompts])
    assert answers == [f"to {prompt}" for prompt in prompts]
    assert model.asked == sorted(prompts)  # type: ignore[attr-defined]  # of the fixture's class


def test_models_that_pad_batches_go_on_sorting_by_length(
    engine: type[LM], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = engine()
    requests = [request(prompt) for prompt in ("a", "bbb", "cc")]
    monkeypatch.setattr(type(model), "__module__", "elsewhere")
    monkeypatch.setitem(sys.modules, "elsewhere", ModuleType("elsewhere"))
    with request_order.kept(model):
        model.generate_until(requests)
    assert model.asked == ["bbb", "cc", "a"]  # type: ignore[attr-defined]  # of the fixture's class
