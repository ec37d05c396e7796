"""Options after prompts of real chat templates: one forward pass per item, and lm-eval's choices."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.harness import LM, Instance
from otherminds.running import merged_options, one_token
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.scoring.base import distribution
from performance.logprob import counted
from tests.helpers import small_tokenizers, tiny_model
from tests.helpers.chat_templates import TEMPLATES, rendered

QUESTION = (
    "What does this person think of the new park, and why would they say so?\n"
    "A. yes\nB. no\nC. 10 or 11 of 12\n\nAnswer with one letter.\n"
)
CORPUS = [QUESTION, "Answer: A\nAnswer: B\n\nC D E F\nA\nA\n(A)\n(B)\n10 11 12 zebra\n"] * 20
LETTERS = ("A", "B", "C", "D")
WINDOW = 400


@cache
def hf(kind: str, *, adds_bos: bool = False) -> Any:
    """lm-eval's own model with a tokenizer of a kind and random weights."""
    import torch
    from lm_eval.models.huggingface import HFLM
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = small_tokenizers.train(kind, CORPUS, adds_bos=adds_bos)
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=WINDOW,
        # Random weights of the usual size make all tokens nearly alike.
        initializer_range=0.5,
    )
    model = LlamaForCausalLM(config).eval()
    return HFLM(pretrained=model, tokenizer=tokenizer, batch_size=4, max_length=WINDOW)


class Engine(LM):
    """lm-eval's hf model behind the door of its vLLM model: a step is a forward pass of its own."""

    enable_thinking = None

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner
        self.tokenizer = inner.tokenizer
        # lm-eval keeps one place of vLLM's window for a generated token.
        self.max_length = WINDOW + 2

    def tok_encode(self, texts: Sequence[str]) -> list[list[int]]:
        return [self.inner.tok_encode(text) for text in texts]

    def _model_generate(
        self, requests: list[list[int]], *, generate: bool, sampling_params: list[Any]
    ) -> list[Any]:
        import torch

        assert generate
        found = []
        for tokens, one in zip(requests, sampling_params, strict=True):
            [logits] = self.inner._model_call(torch.tensor([tokens]))
            logs = logits[-1].log_softmax(-1)
            wanted = {*one.logprob_token_ids, int(logs.argmax())}
            logprobs = [{n: SimpleNamespace(logprob=float(logs[n])) for n in wanted}]
            found.append(SimpleNamespace(outputs=[SimpleNamespace(logprobs=logprobs)]))
        return found

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> Any:
        return self.inner.loglikelihood(requests, disable_tqdm=True)

    def generate_until(self, requests: list[Instance]) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance]) -> Any:
        raise NotImplementedError


class Params:
    """vLLM's settings of one request."""

    def __init__(self, *, logprob_token_ids: list[int], **others: Any) -> None:
        self.logprob_token_ids = logprob_token_ids


def asked(model: Any, requests: list[Instance]) -> tuple[list[Any], dict[str, int]]:
    """The answers of one step, and the report."""
    vllm = ModuleType("vllm")
    vllm.SamplingParams = Params  # type: ignore[attr-defined]  # what vLLM has too
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "vllm", vllm)
        ours = one_token.of(Engine(model))
        assert ours is not None
        return ours.loglikelihood(requests, disable_tqdm=True), ours.report()


def items(prompts: Sequence[str], options: Sequence[str] = LETTERS) -> list[Instance]:
    return [
        Instance("loglikelihood", {}, (prompt, option), 0, metadata=("t", doc, 1))
        for doc, prompt in enumerate(prompts)
        for option in options
    ]


def prompts_of(model: Any, template: str) -> list[str]:
    return [rendered(model.tokenizer, template, f"{n} {QUESTION}") for n in range(3)]


@pytest.mark.parametrize("kind", ["byte_level", "metaspace", "unigram"])
@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("adds_bos", [False, True])
def test_letters_after_every_template_take_one_step_and_are_lm_evals_choices(
    kind: str, template: str, adds_bos: bool
) -> None:
    model = hf(kind, adds_bos=adds_bos)
    prompts = prompts_of(model, template)
    requests = items(prompts)
    ours, report = asked(model, requests)
    assert report == {"prompts_in_one_step": 3, "requests_apart": 0}
    theirs = model.loglikelihood(requests, disable_tqdm=True)
    ends_in_blank = prompts[0] != prompts[0].rstrip()
    for start in range(0, len(requests), len(LETTERS)):
        own, other = ours[start : start + 4], theirs[start : start + 4]
        # What lm-eval moves from the prompt to its options is the same for all of them.
        constants = [one - two for (one, _), (two, _) in zip(own, other, strict=True)]
        assert max(constants) - min(constants) < 1e-4
        assert min(constants) > 0.01 if ends_in_blank else max(map(abs, constants)) < 1e-4
        shares = [distribution([log for log, _ in answers]) for answers in (own, other)]
        assert shares[0] == pytest.approx(shares[1], abs=1e-5)
        # Greedy with the prompt's end is greedy without it.
        assert all(
            is_greedy or not was for (_, is_greedy), (_, was) in zip(own, other, strict=True)
        )


@pytest.mark.parametrize("kind", ["byte_level", "metaspace", "unigram"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_hf_reads_each_item_once_and_says_so(kind: str, template: str) -> None:
    model = hf(kind)
    counting = merged_options.of(model)
    assert counting is not None
    with counted(model) as work:
        counting.loglikelihood(items(prompts_of(model, template)), disable_tqdm=True)
    assert work.passes == 3
    assert counting.report() == {"prompts_in_one_step": 3, "requests_apart": 0}


@pytest.mark.parametrize(
    ("options", "steps", "apart"),
    [
        pytest.param(["10", "11", "12"], 1, 0, id="share their first digit"),
        pytest.param(["1", "10"], 0, 2, id="one begins the other"),
        pytest.param(["A", "zebra"], 0, 2, id="one of two is longer"),
        pytest.param([" A", " B"], 1, 0, id="begin with a blank"),
        pytest.param(["A", "A", "B"], 1, 0, id="one is there twice"),
        pytest.param(["A"], 0, 1, id="a single one"),
    ],
)
@pytest.mark.parametrize("kind", ["byte_level", "metaspace", "unigram"])
def test_other_options_have_lm_evals_shares(
    kind: str, options: list[str], steps: int, apart: int
) -> None:
    model = hf(kind)
    requests = items([rendered(model.tokenizer, "llama3", QUESTION)], options)
    if kind != "byte_level":
        # Words are letters here, where training has not joined them.
        assert len(model.tok_encode("\nzebra")) > len(model.tok_encode("\nA"))
    ours, report = asked(model, requests)
    assert report == {"prompts_in_one_step": steps, "requests_apart": apart}
    theirs = model.loglikelihood(requests, disable_tqdm=True)
    shares = [distribution([log for log, _ in answers]) for answers in (ours, theirs)]
    assert shares[0] == pytest.approx(shares[1], abs=1e-5)
    if apart:
        assert ours == theirs


def test_options_that_differ_in_their_line_break_are_asked_apart() -> None:
    # This tokenizer has a token for a line break with "A", and none for one with "D".
    model = hf("byte_level_across")
    prompt = rendered(model.tokenizer, "chatml", QUESTION)
    by_letter = {letter: model.tok_encode(prompt + letter) for letter in LETTERS}
    assert len({len(tokens) for tokens in by_letter.values()}) == 2
    requests = items([prompt])
    ours, report = asked(model, requests)
    assert report == {"prompts_in_one_step": 0, "requests_apart": 4}
    assert ours == model.loglikelihood(requests, disable_tqdm=True)
    # Of those that have none, one step serves.
    alike = [x for x in LETTERS if len(by_letter[x]) == len(by_letter["D"])]
    assert len(alike) > 1
    assert asked(model, items([prompt], alike))[1] == {
        "prompts_in_one_step": 1,
        "requests_apart": 0,
    }


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_prompt_that_is_too_long_is_cut_as_lm_eval_cuts_it(template: str) -> None:
    model = hf("byte_level")
    prompt = rendered(model.tokenizer, template, QUESTION * 20)
    assert len(model.tok_encode(prompt)) > WINDOW
    requests = items([prompt])
    ours, report = asked(model, requests)
    assert report["prompts_in_one_step"] == 1
    theirs = model.loglikelihood(requests, disable_tqdm=True)
    constants = [one - two for (one, _), (two, _) in zip(ours, theirs, strict=True)]
    assert max(constants) - min(constants) < 1e-4


@pytest.mark.parametrize("kind", ["byte_level", "metaspace"])
@given(
    words=st.lists(st.sampled_from([*"AB10 \n.:", "<|im_end|>", "zebra", "é"]), max_size=12),
    end=st.sampled_from(["", " ", "\n", "\n\n", " \n", ":"]),
    options=st.lists(
        st.sampled_from([*"ABCD012", "10", "11", "zebra", " A", " B"]), min_size=1, max_size=5
    ),
)
@settings(max_examples=40, deadline=None)
def test_shares_are_lm_evals_whatever_the_prompt_ends_with(
    kind: str, words: list[str], end: str, options: list[str]
) -> None:
    model = hf(kind)
    requests = items([f"Why?{''.join(words)}{end}"], options)
    ours, report = asked(model, requests)
    theirs = model.loglikelihood(requests, disable_tqdm=True)
    shares = [distribution([log for log, _ in answers]) for answers in (ours, theirs)]
    assert shares[0] == pytest.approx(shares[1], abs=1e-5)
    assert report["prompts_in_one_step"] + (report["requests_apart"] > 0) == 1


def test_hf_counts_what_it_asks_apart() -> None:
    model = hf("byte_level")
    counting = merged_options.of(model)
    assert counting is not None
    prompts = prompts_of(model, "llama3")
    requests = [*items(prompts[:1]), *items(prompts[1:], ["A", "zebra"])]
    with counted(model) as work:
        assert counting.loglikelihood(requests) == model.loglikelihood(requests)
    # The same twice: once counted, once as lm-eval asks them.
    assert work.passes == 2 * (1 + 2 + 2)
    assert counting.report() == {"prompts_in_one_step": 1, "requests_apart": 4}
    assert merged_options.of(Engine(model)) is None


def test_a_mark_that_the_tokenizer_joins_to_every_letter_is_the_letters() -> None:
    model = hf("byte_level")
    prompt = "Why("
    [(*start, _), (*shared, token)] = [model.tok_encode(text) for text in (prompt, prompt + "A")]
    assert shared == start
    assert model.tokenizer.decode(token) == "(A"
    requests = items([prompt], "AB")
    ours, report = asked(model, requests)
    assert report == {"prompts_in_one_step": 1, "requests_apart": 0}
    # As if the mark were no part of the prompt; of the prompt as it is, lm-eval finds no option left.
    assert ours == model.loglikelihood(items([prompt[:-1]], ["(A", "(B"]), disable_tqdm=True)
    with pytest.raises(AssertionError):
        model.loglikelihood(requests, disable_tqdm=True)


def test_a_run_on_hf_states_one_pass_per_item(twelve_people: Path, tmp_path: Path) -> None:
    tokenizer = small_tokenizers.train("byte_level", CORPUS)
    folder = tiny_model.make(
        tmp_path / "model", [], tokenizer=tokenizer, template=TEMPLATES["qwen_not_thinking"]
    )
    found = run(
        ["hugagent_bsi_synthetic_logprob"],
        [
            *("--model", "hf", "--model_args", f"pretrained={folder},dtype=float32"),
            *("--device", "cpu", "--limit", "3", "--output_path", str(tmp_path / "out")),
        ],
        Options(),
    )
    assert found is not None
    ours = found.results["otherminds"]
    assert ours["chat_template_applied"]
    assert ours["options"] == {"prompts_in_one_step": 3, "requests_apart": 0}
    assert ours["journal"]["asked"] == 6
