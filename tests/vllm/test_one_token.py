"""Options in one generation step: the answers of lm-eval's own way, on the real engine."""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness
from otherminds.harness import Instance
from otherminds.running import one_token, request_order
from otherminds.running.journal import Journal
from otherminds.running.journaled_lm import JournaledLM
from otherminds.scoring.base import distribution
from tests.helpers import small_tokenizers
from tests.helpers.askers import asker
from tests.helpers.chat_templates import TEMPLATES, rendered
from tests.helpers.tiny_model import make as make_model

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.skipif(
        importlib.util.find_spec("vllm") is None,
        reason="vLLM is not installed; tests/vllm/setup.sh makes an environment with it.",
    ),
]

WINDOW = 512
TEXT = "what does this person think of the new park , and why would they say so ? A B C D E F"


CORPUS = [TEXT, "Answer: A\nAnswer: B\n\nA\nB\nC\n10 11 12 zebra\n"] * 10
LETTERS = "ABCDEF"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A model with random weights, loaded by lm-eval."""
    yield from loaded(make_model(tmp_path_factory.mktemp("model"), [TEXT] * 3))


@pytest.fixture(scope="module", params=["byte_level", "metaspace"])
def chat_model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    """The same with a tokenizer of a kind, which has the marks of chat templates and begins with BOS."""
    tokenizer = small_tokenizers.train(request.param, CORPUS, adds_bos=True)
    folder = tmp_path_factory.mktemp("model")
    yield from loaded(make_model(folder, [], chat=False, tokenizer=tokenizer))


def loaded(folder: Path) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VLLM_CPU_KVCACHE_SPACE", "1")
        arguments = harness.parse_arguments(
            [
                *("--model", "vllm", "--tasks", "hugagent_bsi_synthetic_logprob", "--model_args"),
                f"pretrained={folder},dtype=float32,enforce_eager=True,max_model_len={WINDOW},"
                "gpu_memory_utilization=0.2,enable_prefix_caching=True",
            ],
            default_model="vllm",
        )
        yield harness.make_model(arguments)


def option(prompt: str, text: str, doc: int = 0) -> Instance:
    return Instance("loglikelihood", {}, (prompt, text), 0, metadata=("t", doc, 1))


def items(*prompts: str, options: str = " A B C D E F") -> list[Instance]:
    return [
        option(prompt, f" {letter}", doc)
        for doc, prompt in enumerate(prompts)
        for letter in options.split()
    ]


@pytest.mark.parametrize(
    ("requests", "steps", "apart"),
    [
        pytest.param(items(TEXT, f"{TEXT} {TEXT}", "why"), 3, 0, id="one token each"),
        pytest.param([option("Answer: ", x) for x in "ABC"], 1, 0, id="the prompt's own space"),
        pytest.param([option(TEXT, x) for x in (" A", " zebra")], 0, 2, id="one of two is longer"),
        pytest.param(
            [*items("why"), option("who", " zebra", 9), *items("so")], 2, 1, id="mixed with others"
        ),
        pytest.param(items(" ".join([TEXT] * 60)), 1, 0, id="longer than the window"),
        pytest.param([option("", x) for x in "AB"], 0, 2, id="no prompt"),
        pytest.param(items("why") * 2, 1, 0, id="asked twice"),
    ],
)
def test_the_answers_are_those_of_lm_eval(
    model: Any, requests: list[Instance], steps: int, apart: int
) -> None:
    theirs = model.loglikelihood(requests)
    ours = one_token.of(model)
    assert ours is not None
    answers = ours.loglikelihood(requests, disable_tqdm=True)
    assert [one for one, _ in answers] == pytest.approx([one for one, _ in theirs], abs=1e-4)
    assert [is_greedy for _, is_greedy in answers] == [is_greedy for _, is_greedy in theirs]
    assert ours.report() == {"prompts_in_one_step": steps, "requests_apart": apart}


def test_letters_after_every_template_take_one_step(chat_model: Any) -> None:
    asked = {
        name: [
            option(rendered(chat_model.tokenizer, name, f"{n} {TEXT}"), letter, n)
            for n in range(2)
            for letter in LETTERS
        ]
        for name in TEMPLATES
    }
    requests = [request for of_template in asked.values() for request in of_template]
    theirs = chat_model.loglikelihood(requests, disable_tqdm=True)
    ours = one_token.of(chat_model)
    assert ours is not None
    answers = ours.loglikelihood(requests, disable_tqdm=True)
    assert ours.report() == {"prompts_in_one_step": 2 * len(TEMPLATES), "requests_apart": 0}
    for start in range(0, len(requests), len(LETTERS)):
        place = slice(start, start + len(LETTERS))
        prompt = requests[start].args[0]
        own, other = ([log for log, _ in found[place]] for found in (answers, theirs))
        # lm-eval counts the blanks that end the prompt with the option: less, and equally so for all.
        constants = [one - two for one, two in zip(own, other, strict=True)]
        assert constants == pytest.approx([constants[0]] * len(constants), abs=1e-3)
        ends_in_blank = prompt != prompt.rstrip()
        assert constants[0] > 0 if ends_in_blank else constants[0] == pytest.approx(0, abs=1e-4)
        assert distribution(own) == pytest.approx(distribution(other), abs=1e-4)


def test_an_option_is_greedy_when_it_is_the_likeliest_of_all_tokens(model: Any) -> None:
    ours = one_token.of(model)
    assert ours is not None
    vocabulary = [model.tokenizer.decode([token]) for token in range(4, len(model.tokenizer))]
    words = [word for word in dict.fromkeys(vocabulary) if len(model.tok_encode("A" + word)) == 2]
    found = [
        ours.loglikelihood([option("A", word) for word in words[start : start + 100]])
        for start in range(0, len(words), 100)
    ]
    answers = [answer for part in found for answer in part]
    likeliest = max(answers)
    # Only where the model's likeliest token is among the words is any greedy, and then that one alone.
    assert [answer for answer in answers if answer[1]] in ([], [likeliest])
    # No word is counted among the options of its request alone: the shares are of the vocabulary.
    assert sum(math.exp(one) for one, _ in answers) <= 1 + 1e-3


def test_the_journal_keeps_the_answers_of_one_step(model: Any, tmp_path: Path) -> None:
    requests = items(TEXT, "why", "so")

    def asked(requests: list[Instance]) -> tuple[list[Any], JournaledLM]:
        with Journal(tmp_path / "journal.sqlite") as journal:
            asking = asker(model, journal, options=one_token.of(model))
            return asking.loglikelihood(requests), asking

    first, asking = asked(requests[:12])
    assert (asking.asked, asking.reused) == (12, 0)
    whole, asking = asked(requests)
    assert (asking.asked, asking.reused) == (6, 12)
    assert json.dumps(whole[:12]) == json.dumps(first)


def test_requests_in_the_given_order_have_the_same_answers(model: Any) -> None:
    decoding = {"until": [], "max_gen_toks": 4, "temperature": 0.0, "do_sample": False}
    prompts = ["why", TEXT, f"{TEXT} so", "and"]
    requests = [
        Instance("generate_until", {}, (prompt, decoding), 0, metadata=("t", doc, 1))
        for doc, prompt in enumerate(prompts)
    ]
    sorted_by_length = model.generate_until(requests, disable_tqdm=True)
    reached: list[list[int]] = []
    generate = model._model_generate

    def spy(requests: list[list[int]], **named: Any) -> Any:
        reached.extend(requests)
        return generate(requests=requests, **named)

    with pytest.MonkeyPatch.context() as patch, request_order.kept(model):
        patch.setattr(model, "_model_generate", spy)
        assert model.generate_until(requests, disable_tqdm=True) == sorted_by_length
    assert reached == model.tok_encode(prompts)
