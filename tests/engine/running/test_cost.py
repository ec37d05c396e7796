"""`run --dry-run`: what is counted is what the run then asks, and nothing is written or asked for it."""

from __future__ import annotations

import importlib.util
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from otherminds.harness import windows
from otherminds.running import prices
from otherminds.running.cost import Asked, Cost, count
from otherminds.running.models import Options
from otherminds.running.prefixes import Prefixes, packed, shared
from otherminds.running.reasoning import room
from otherminds.running.run import Finished, run
from tests.conftest import Command
from tests.helpers.openai_server import Hashed, serving
from tests.helpers.packed import opened
from tests.helpers.tiny_model import make

DIRECT, LETTERS = "debate_blind_synthetic_direct", "debate_blind_synthetic_logprob"
NOWHERE = "http://127.0.0.1:9/v1/chat/completions"
SHORT = ("--gen_kwargs", "max_gen_toks=4,temperature=0")

needs_api = pytest.mark.skipif(
    importlib.util.find_spec("tenacity") is None,
    reason="lm-eval's API models are not installed: pip install 'lm-eval[api]'.",
)


@pytest.fixture(scope="module")
def folder(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = data.for_task(dataset="debate-beliefs-synthetic", configs=["beliefs"])["test"]
    return make(tmp_path_factory.mktemp("model"), rows.select(range(200))["proposition"])


@pytest.fixture
def hf(folder: Path, tmp_path: Path) -> Callable[..., list[str]]:
    """Flags for a small model of hf."""

    def flags(limit: int, *more: str) -> list[str]:
        return [
            *("--model", "hf", "--device", "cpu", "--model_args", f"pretrained={folder}"),
            *("--limit", str(limit), "--output_path", str(tmp_path / "out"), *SHORT, *more),
        ]

    return flags


def chat(
    address: str, out: Path, limit: int, *more: str, args: str = "model=unknown-here"
) -> list[str]:
    return [
        *("--model", "local-chat-completions", "--limit", str(limit), "--output_path", str(out)),
        *("--model_args", f"{args},base_url={address}", *SHORT, *more),
    ]


def ran(tasks: list[str], flags: list[str], **options: Any) -> Finished:
    found = run(tasks, flags, Options(**options))
    assert found is not None
    return found


def of(cost: Cost, task: str) -> Asked:
    [found] = [one for (_, name), one in cost.asked.items() if name == task]
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_counted_is_what_hf_reads(
    hf: Callable[..., list[str]], folder: Path, tmp_path: Path
) -> None:
    from transformers import AutoTokenizer

    cost = count([DIRECT, LETTERS], hf(6), Options())
    assert not (tmp_path / "out").exists()
    done = ran([DIRECT, LETTERS], hf(6))
    assert cost.total.requests == done.results["otherminds"]["journal"]["asked"] == 6 + 2 * 6
    tokenizer = AutoTokenizer.from_pretrained(folder)
    sent = {}
    for task, path in done.samples.items():
        with opened(path) as lines:
            parts = [json.loads(line)["arguments"] for line in lines]
        # Of letters, each option is read after its prompt.
        sent[task] = [
            tokenizer(one["arg_0"])["input_ids"]
            + (tokenizer(one["arg_1"])["input_ids"] if task == LETTERS else [])
            for options in parts
            for one in options.values()
        ]
    for task in (DIRECT, LETTERS):
        assert of(cost, task).prompt == sum(map(len, sent[task]))
    every = [tokens for task in sent.values() for tokens in task]
    # The nodes of the trie, counted one by one.
    nodes = {tuple(tokens[: n + 1]) for tokens in every for n in range(len(tokens))}
    assert cost.total.unique == len(nodes) < cost.total.prompt
    # Four tokens for each answer in words, and none for a likelihood.
    assert [of(cost, task).generated for task in (DIRECT, LETTERS)] == [6 * 4, 0]
    lengths = [*(len(one) + 4 for one in sent[DIRECT]), *map(len, sent[LETTERS])]
    assert cost.total.longest == max(lengths)


def test_what_the_journal_answers_is_not_asked(
    hf: Callable[..., list[str]], tmp_path: Path
) -> None:
    ran([DIRECT], hf(4))
    before = contents(tmp_path)
    cost = count([DIRECT], hf(7), Options())
    assert (cost.total.requests, cost.total.known) == (3, 4)
    assert count([DIRECT], hf(4), Options()).total == Asked(known=4)
    afresh = count([DIRECT], hf(7), Options(fresh=True)).total
    assert (afresh.requests, afresh.known) == (7, 0)
    assert contents(tmp_path) == before
    journal = ran([DIRECT], hf(7)).results["otherminds"]["journal"]
    assert (journal["asked"], journal["reused"]) == (3, 4)


def test_room_for_thoughts_is_counted(hf: Callable[..., list[str]]) -> None:
    flags = [one for one in hf(3) if one not in SHORT]
    plain, thinking = (
        count([DIRECT], flags, Options(reasoning=reasoning)).total for reasoning in (None, True)
    )
    assert plain.generated % 3 == 0
    assert thinking.generated == 3 * room(plain.generated // 3)
    ran([DIRECT], hf(3), reasoning=True)
    assert count([DIRECT], hf(3), Options(reasoning=True)).total == Asked(known=3)


def test_a_journal_from_before_there_were_digests_is_read(
    hf: Callable[..., list[str]], tmp_path: Path
) -> None:
    ran([DIRECT], hf(3))
    with sqlite3.connect(tmp_path / "out" / "journal.sqlite") as journal:
        journal.execute("ALTER TABLE answers DROP COLUMN digest")
    journal.close()
    assert count([DIRECT], hf(3), Options()).total.known == 3


def test_a_damaged_journal_says_so(hf: Callable[..., list[str]], tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "journal.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(OtherMindsError, match=r"journal .* cannot be used"):
        count([DIRECT], hf(3), Options())


def test_small_windows_change_no_count(
    hf: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = ["debate_both_synthetic_direct", "debate_both_synthetic", LETTERS]
    whole = count(tasks, hf(12), Options())
    monkeypatch.setattr(windows, "DOCUMENTS", 8)
    cut = count(tasks, hf(12), Options())
    assert [(one.requests, one.prompt, one.generated) for one in cut.asked.values()] == [
        (one.requests, one.prompt, one.generated) for one in whole.asked.values()
    ]
    # A person that lies in three windows or more is read again.
    assert whole.total.unique <= cut.total.unique < cut.total.prompt


def test_every_repeat_is_asked(hf: Callable[..., list[str]]) -> None:
    once = count([DIRECT], hf(4), Options()).total
    often = count(
        [DIRECT], hf(4, "--gen_kwargs", "temperature=0.7,max_gen_toks=4"), Options(runs=3)
    )
    assert (often.total.requests, often.total.prompt) == (12, 3 * once.prompt)
    # The copies of a prompt are read once.
    assert often.total.unique == once.unique


@needs_api
def test_a_server_is_not_asked_and_its_tokens_are_an_estimate(tmp_path: Path) -> None:
    cost = count([DIRECT], chat(NOWHERE, tmp_path / "out", 5), Options())
    assert not (tmp_path / "out").exists()
    assert cost.guessed
    assert "4 characters" in cost.counted["local-chat-completions unknown-here"]
    with serving(Hashed()) as server:
        done = ran([DIRECT], chat(f"{server.address}/chat/completions", tmp_path / "out", 5))
        prompts = [json.loads(prompt) for prompt in server.record.answered]
    texts = ["\n".join(one["content"] for one in messages) for messages in prompts]
    assert cost.total.prompt == sum(-(-len(text) // 4) for text in texts)
    assert cost.total.requests == len(texts) == 5
    assert done.results["otherminds"]["usage"]["silent"] == 5


@needs_api
def test_a_tokenizer_for_the_count_alone_leaves_the_journal(folder: Path, tmp_path: Path) -> None:
    with serving(Hashed()) as server:
        address = f"{server.address}/chat/completions"
        ran([DIRECT], chat(address, tmp_path / "out", 3))
        told = chat(address, tmp_path / "out", 5, args=f"model=unknown-here,tokenizer={folder}")
        cost = count([DIRECT], told, Options())
    assert not cost.guessed
    assert (cost.total.requests, cost.total.known) == (2, 3)


@needs_api
def test_tokens_in_the_server_s_own_template(
    hf: Callable[..., list[str]], folder: Path, tmp_path: Path
) -> None:
    told = chat(NOWHERE, tmp_path / "out", 5, args=f"model=unknown-here,tokenizer={folder}")
    assert count([DIRECT], told, Options()).total == count([DIRECT], hf(5), Options()).total


@needs_api
def test_completions_are_counted_with_the_tokenizer_that_the_run_has(
    hf: Callable[..., list[str]], folder: Path, tmp_path: Path
) -> None:
    told = [
        *("--model", "local-completions", "--limit", "5", "--output_path", str(tmp_path / "out")),
        *(
            "--model_args",
            f"model=tiny,base_url=http://127.0.0.1:9/v1/completions,tokenizer={folder}",
        ),
        *SHORT,
    ]
    found, here = (count([DIRECT, LETTERS], flags, Options()) for flags in (told, hf(5)))
    assert found.total.prompt == here.total.prompt
    # Asked for the likelihood of a text, a server generates a token that is not needed.
    assert of(found, LETTERS).generated == 10


def test_vllm_is_counted_where_it_is_not_installed(
    hf: Callable[..., list[str]], folder: Path
) -> None:
    flags = [word.replace("hf", "vllm") if word == "hf" else word for word in hf(5)]
    assert count([DIRECT], flags, Options()).total == count([DIRECT], hf(5), Options()).total


@pytest.mark.parametrize(
    ("model", "args"),
    [
        ("hf", "pretrained=./not-there"),
        ("vllm", "pretrained=./not-there"),
        ("local-chat-completions", f"model=m,base_url={NOWHERE},tokenizer=./not-there"),
        ("local-completions", "model=m,base_url=http://127.0.0.1:9,tokenizer=./not-there"),
    ],
)
@needs_api
def test_a_tokenizer_that_is_not_there_is_one_error(model: str, args: str, tmp_path: Path) -> None:
    flags = ["--model", model, "--model_args", args, "--output_path", str(tmp_path / "out")]
    with pytest.raises(OtherMindsError, match=r"There is no (model|tokenizer) at .*not-there"):
        count([DIRECT], [*flags, "--limit", "2"], Options())
    assert not (tmp_path / "out").exists()


@needs_api
def test_a_chat_api_gives_no_likelihoods(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match=f"{LETTERS} compares log-likelihoods"):
        count([LETTERS], chat(NOWHERE, tmp_path / "out", 2), Options())


def test_of_a_staged_run_the_first_stage_is_counted(cache: Path, tmp_path: Path) -> None:
    flags = ["--model", "random", "--limit", "2", "--output_path", str(tmp_path / "out")]
    cost = count(["hugagent_reflections_synthetic"], flags, Options())
    assert cost.later[-1] == "hugagent_reflections_synthetic"
    done = ran(["hugagent_reflections_synthetic"], flags)
    asked = {
        task: known["effective"]
        for one in done.evaluations
        for task, known in one.results["n-samples"].items()
    }
    assert {task: one.requests for (_, task), one in cost.asked.items()} == {
        task: n for task, n in asked.items() if task not in cost.later
    }
    # With the stages' answers, the last is counted too.
    [results] = {one.results_path.parent for one in done.earlier}
    given = count(
        ["hugagent_reflections_synthetic"],
        [*flags, "--metadata", json.dumps({"samples": str(results), "stage_limit": 2})],
        Options(),
    )
    assert not given.later
    assert given.total.requests == asked["hugagent_reflections_synthetic"]


def test_equal_requests_of_two_tasks_are_asked_once(tmp_path: Path, folder: Path) -> None:
    # A task of a user's own that asks just what another does.
    own = tmp_path / "tasks"
    own.mkdir()
    (own / "again.yaml").write_text("include: first.yaml\ntask: again\n")
    (own / "first.yaml").write_text(
        "task: first\ncustom_dataset: !function made.rows\noutput_type: generate_until\n"
        "test_split: test\ndoc_to_text: 'Count to {{n}}.'\ndoc_to_target: '{{n}}'\n"
        "generation_kwargs: {until: [], max_gen_toks: 4}\n"
        "metric_list: [{metric: exact_match}]\nmetadata: {version: 1.0}\n"
    )
    (own / "made.py").write_text(
        "import datasets\n"
        "def rows(**_):\n"
        "    return {'test': datasets.Dataset.from_list([{'n': n % 4} for n in range(6)])}\n"
    )
    flags = [
        *("--model", "hf", "--device", "cpu", "--model_args", f"pretrained={folder}"),
        *("--include_path", str(own), "--output_path", str(tmp_path / "out")),
    ]
    cost = count(["first", "again"], flags, Options())
    done = ran(["first", "again"], flags)
    # Six documents, of which two come again: repeats within a task are draws of their own.
    assert [one.requests for one in cost.asked.values()] == [6, 0]
    assert done.results["otherminds"]["journal"]["asked"] == 6


def test_the_command_shows_a_table(
    command: Command, hf: Callable[..., list[str]], tmp_path: Path
) -> None:
    said = command(
        *("otherminds", "run", DIRECT, LETTERS, *hf(3), "--dry-run", "--price", "2,1,10"),
        cwd=tmp_path,
    ).stdout
    assert "What this run would ask" in said
    assert "amount ≤" in said
    assert "Nothing was asked and nothing was written." in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["", "1", "1,2", "1,2,3,4", "1,x,3", "-1,0,1", "nan,0,1", "1,0,inf", "1;0;2"]
)
def test_prices_that_cannot_be_read(text: str, command: Command, tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="give three numbers"):
        prices.parse(text)


def test_a_price_in_another_order_is_refused() -> None:
    with pytest.raises(OtherMindsError, match="IN,CACHED,OUT"):
        prices.parse("0.5,2.5,10")


def test_amounts_by_hand() -> None:
    # A million tokens, of which 400,000 are read once: 0.4 · 2 + 0.6 · 1 and 1 · 2; 10 answers of one
    # token (0.0001) or of 5,000 each (50,000 tokens: 0.5).
    asked = Asked(requests=10, prompt=1_000_000, unique=400_000, generated=50_000)
    assert asked.amounts(prices.parse("2,1,10")) == pytest.approx((1.4001, 2.5))
    # Nothing is generated where likelihoods are compared.
    assert Asked(requests=10, prompt=1_000_000, unique=1_000_000).amounts(
        prices.parse("2,1,10")
    ) == pytest.approx((2, 2))


PROMPTS = st.lists(st.lists(st.integers(0, 2), max_size=8), max_size=12)


@given(PROMPTS, st.integers(1, 4))
def test_a_set_of_prompts_is_read_as_a_trie(prompts: list[list[int]], block: int) -> None:
    found = dict(Prefixes(block).new(map(packed, prompts)))
    assert sorted(found) == list(range(len(prompts)))
    # A prompt's whole blocks are read once for all prompts that begin with them, its rest each time.
    blocks = {
        tuple(tokens[:end]) for tokens in prompts for end in range(block, len(tokens) + 1, block)
    }
    rests = sum(len(tokens) % block for tokens in prompts)
    assert sum(found.values()) == block * len(blocks) + rests


@given(PROMPTS, PROMPTS)
def test_the_set_before_is_remembered(before: list[list[int]], now: list[list[int]]) -> None:
    cache = Prefixes()
    first = sum(new for _, new in cache.new(map(packed, before)))
    second = sum(new for _, new in cache.new(map(packed, now)))
    nodes = {tuple(one[: n + 1]) for one in before + now for n in range(len(one))}
    assert first + second == len(nodes)


@given(st.lists(st.integers(0, 300)), st.lists(st.integers(0, 300)))
def test_common_prefixes(one: list[int], other: list[int]) -> None:
    n = next(
        (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None
    )
    assert shared(packed(one), packed(np.array(other))) == (
        min(len(one), len(other)) if n is None else n
    )
