"""Models that think before they answer: detected by their first replies, and given room."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from otherminds import harness
from otherminds.data import loading as data
from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.running import first_replies, reasoning
from otherminds.running.finish import Reply
from otherminds.running.first_replies import FirstReplies
from otherminds.running.journal import Journal
from otherminds.running.models import Options
from otherminds.running.reasoning import Reasoning, room
from otherminds.running.run import Finished, run
from tests.helpers.askers import asker
from tests.helpers.packed import opened
from tests.helpers.thinking_server import Thinker, thinking
from tests.helpers.tiny_model import make

TASK, LETTERS = "debate_blind_synthetic", "debate_blind_synthetic_logprob"
THOUGHT = "<think>\nPerhaps they"


class Thinking(LM):
    """A model in this process that gives each prompt the same reply, and reports it at once."""

    def __init__(self, *replies: Any) -> None:
        super().__init__()
        self._replies = replies
        self.asked = 0

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[Any]:
        found = []
        for request in requests:
            found.append(self._replies[self.asked % len(self._replies)])
            self.asked += 1
            self.cache_hook.add_partial("generate_until", request.args, found[-1])
        return found

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise NotImplementedError


class Batched(Thinking):
    """The same, which gives all replies of a call at its end."""

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[Any]:
        start = self.asked
        self.asked += len(requests)
        return [self._replies[n % len(self._replies)] for n in range(start, self.asked)]


class Served(Batched):
    """The same, behind a server."""

    base_url = "http://127.0.0.1/v1/completions"


def requests_of(n: int, task: str = "t", **decoding: Any) -> list[Instance]:
    settings = {"until": [], "max_gen_toks": 256} | decoding
    return [
        Instance("generate_until", {}, (f"{task} {i}", settings), 0, metadata=(task, i, 1))
        for i in range(n)
    ]


def ask(
    model: LM, requests: list[Instance], folder: Path, **named: Any
) -> tuple[list[Any], list[str]]:
    """The replies as they are scored, and the notes."""
    notes: list[str] = []
    thinks = named.pop("reasoning", None) or Reasoning(model, None)
    say = notes.append if thinks.wanted else None
    within = not hasattr(model, "base_url")
    first = FirstReplies(thinks.is_alone, within=within, say=say)
    with Journal(folder / "j.sqlite") as journal:
        found = asker(model, journal, watch=first.saw, first=first, reasoning=thinks, **named)
        return found.generate_until(requests), notes


# Detection.


@pytest.mark.parametrize("model", [Thinking, Batched, Served])
@pytest.mark.parametrize(
    "replies",
    [
        [Reply(THOUGHT, "length")],
        [THOUGHT],
        # Every second one ends in time.
        [Reply(THOUGHT, "length"), Reply(f"{THOUGHT}</think>B", "stop")],
        [Reply(f"{THOUGHT}</think>\n\n", "length")],
    ],
)
def test_a_run_of_thoughts_alone_stops_by_its_first_replies(
    model: Callable[..., Any], replies: list[Any], tmp_path: Path
) -> None:
    asked = model(*replies)
    with pytest.raises(OtherMindsError) as caught:
        ask(asked, requests_of(500), tmp_path)
    [line] = str(caught.value).splitlines()
    assert "--reasoning gives it room (8,448 tokens here)" in line
    assert "--no-reasoning" in line
    assert asked.asked <= first_replies.FIRST
    # What was answered is kept, and nothing is paid for again to be told the same.
    again = model(*replies)
    with pytest.raises(OtherMindsError):
        ask(again, requests_of(500), tmp_path)
    assert again.asked == 0


@pytest.mark.parametrize(
    "replies",
    [
        # Cut at its limit, without marks: chatty.
        [Reply("I think that this person would, on the one hand,", "length")],
        [Reply("They would agree.", "stop")],
        # Nothing at all, of a model in this process, or for reasons of its own.
        [Reply("", "length")],
        [Reply("", "stop")],
        [Reply("\n\n\n", "length")],
        # The model itself ended its thought: more room would not help.
        [Reply(f"{THOUGHT}.", "stop")],
        # Most thoughts end in time.
        [Reply(f"{THOUGHT}</think>B", "stop")] * 2 + [Reply(THOUGHT, "length")],
        [Reply("Their note says <think> tags are fun, and so", "length")],
    ],
)
def test_other_runs_do_not_stop(replies: list[Any], tmp_path: Path) -> None:
    model = Thinking(*replies)
    ask(model, requests_of(60), tmp_path)
    assert model.asked == 60


def test_empty_replies_of_a_server_count_where_they_reached_their_limit(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="8 of the first 8 replies to t hold thoughts"):
        ask(Served(Reply("", "length")), requests_of(60), tmp_path)
    for name, reply in (("filtered", Reply("", "content_filter")), ("unsaid", "")):
        (tmp_path / name).mkdir()
        model = Served(reply)
        ask(model, requests_of(60), tmp_path / name)
        assert model.asked == 60


def test_a_thought_that_a_stop_sequence_ended_counts(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError):
        ask(Thinking(Reply(THOUGHT, "stop")), requests_of(60, until=["\n\n"]), tmp_path)


def test_each_task_of_a_run_is_looked_at(tmp_path: Path) -> None:
    class ShortOfRoom(Batched):
        def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[Any]:
            self.asked += len(requests)
            return [
                Reply(THOUGHT, "length")
                if one.args[1]["max_gen_toks"] < 999
                else Reply("B", "stop")
                for one in requests
            ]

    model = ShortOfRoom()
    requests = [*requests_of(400, "long", max_gen_toks=2_048), *requests_of(400, "short")]
    with pytest.raises(OtherMindsError, match="replies to short hold"):
        ask(model, requests, tmp_path)
    assert model.asked <= 2 * first_replies.FIRST


def test_few_thoughts_among_many_replies_stop_nothing_and_a_small_run_has_none_to_spare(
    tmp_path: Path,
) -> None:
    model = Thinking(Reply(THOUGHT, "length"))
    thinks = Reasoning(model, None)
    ask(model, requests_of(first_replies.ENOUGH - 1), tmp_path, reasoning=thinks)
    assert thinks.record() == {"thoughts_alone": first_replies.ENOUGH - 1}


def test_with_too_little_room_for_thoughts_a_run_goes_on_and_says_so_once(tmp_path: Path) -> None:
    model = Thinking(Reply(THOUGHT, "length"))
    _, notes = ask(model, requests_of(60), tmp_path, reasoning=Reasoning(model, True))
    assert model.asked == 60
    assert len(notes) == 1
    assert "max_gen_toks=N" in notes[0]


def test_real_replies_of_small_models_stop_no_run(shared_data: Path, tmp_path: Path) -> None:
    by_run: dict[tuple[str, str], list[str]] = {}
    for line in (shared_data / "replies" / "real_models.jsonl").read_text().splitlines():
        found = json.loads(line)
        by_run.setdefault((found["model"], found["task"]), []).append(found["reply"])
    assert sum(map(len, by_run.values())) > 300
    for number, replies in enumerate(by_run.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        # The worst case: each reached its limit.
        model = Served(*(Reply(text, "length") for text in replies))
        thinks = Reasoning(model, None)
        ask(model, requests_of(len(replies)), folder, reasoning=thinks)
        assert model.asked == len(replies)
        assert thinks.record() == {}


# Replies that begin within a thought.


def test_a_reply_is_read_behind_the_mark_that_ends_its_prompt(tmp_path: Path) -> None:
    model = Thinking(Reply("A, or so. Answer: A", "length"))
    prompt = Instance(
        "generate_until", {}, ("Which?<|assistant|><think>\n", {}), 0, metadata=("t", 0, 1)
    )
    thinks = Reasoning(model, None, templated=True)
    [found], _ = ask(model, [prompt], tmp_path, reasoning=thinks)
    assert found == "<think>\nA, or so. Answer: A"
    assert found.finish_reason == "length"
    # The journal holds what the model wrote; without a template, a prompt ends as its task likes.
    [plain], _ = ask(model, [prompt], tmp_path, reasoning=Reasoning(model, None))
    assert plain == "A, or so. Answer: A"
    assert model.asked == 1


def test_a_thought_that_lm_eval_cuts_away_is_not_begun_again() -> None:
    model: Any = SimpleNamespace(think_end_token="</think>")
    thinks = Reasoning(model, None, templated=True)
    request: Any = SimpleNamespace(args=("Which?<think>\n", {}), task_name="t")
    assert thinks.whole(request, Reply("B", "stop")) == "B"
    assert thinks.whole(request, Reply("Is it A?", "length")) == "<think>\nIs it A?"


def test_a_server_that_shows_closing_marks_alone_shows_unclosed_thoughts_without_any(
    tmp_path: Path,
) -> None:
    class Chat(Served):
        pass

    messages = [
        Instance("generate_until", {}, ((str(n),), {"max_gen_toks": 9}), 0, metadata=("t", n, 1))
        for n in range(3)
    ]
    cut_off = Reply("So the answer is A. But", "length")
    replies = [cut_off, Reply("Hm, A.</think>B", "stop"), Reply("B", "stop")]
    found, _ = ask(Chat(*replies), messages, tmp_path)
    assert found == ["<think>So the answer is A. But", "Hm, A.</think>B", "B"]
    # A stray mark at the beginning tells nothing.
    (tmp_path / "stray").mkdir()
    found, _ = ask(Chat(cut_off, Reply("\n</think>\n\nB", "stop")), messages, tmp_path / "stray")
    assert found[0] == cut_off


# Room.


@pytest.mark.parametrize(
    ("answer", "tokens"),
    [(256, 8_448), (1_024, 9_216), (2_048, 18_432), (4_096, 20_480), (16_384, 32_768)],
)
def test_room_by_the_form_of_a_task(answer: int, tokens: int) -> None:
    assert room(answer) == tokens


class Task:
    """A loaded task, as lm-eval has it."""

    def __init__(self, kind: str = "generate_until", **settings: Any) -> None:
        self.OUTPUT_TYPE = kind
        self.config = SimpleNamespace(generation_kwargs=settings or None)

    def set_config(self, key: str, value: Any) -> None:
        setattr(self.config, key, value)


def test_tasks_get_room_and_their_stop_sequences_end_answers_alone(tmp_path: Path) -> None:
    tasks = {
        "t": Task(max_gen_toks=256, until=["\n\n"], temperature=0.1),
        "bare": Task(),
        "letters": Task("multiple_choice"),
    }
    model = Thinking(Reply("<think>A\n\nB?</think>\n\nB\n\nNext", "stop"))
    thinks = Reasoning(model, True)
    thinks.meet(tasks)
    # Met a second time, they have no more.
    thinks.meet(tasks)
    assert tasks["t"].config.generation_kwargs == {
        "max_gen_toks": 8_448,
        "until": [],
        "temperature": 0.1,
    }
    assert tasks["bare"].config.generation_kwargs == {"max_gen_toks": 8_448, "until": []}
    assert tasks["letters"].config.generation_kwargs is None
    found, _ = ask(model, requests_of(1), tmp_path, reasoning=thinks)
    assert found == ["<think>A\n\nB?</think>\n\nB"]
    assert found[0].finish_reason == "stop"
    assert thinks.record() == {
        "wanted": True,
        "budgets": {
            "t": {"answer": 256, "with_thoughts": 8_448},
            "bare": {"answer": 256, "with_thoughts": 8_448},
        },
        "stops_after_thoughts": {"t": ["\n\n"]},
    }


def test_settings_of_the_user_come_before_the_room_and_the_stops_of_tasks() -> None:
    task = Task(max_gen_toks=256, until=["\n\n"])
    given = {"max_gen_toks": 30_000, "until": "END"}
    thinks = Reasoning(Thinking("B"), True, given=given)
    thinks.meet({"t": task})
    assert task.config.generation_kwargs == {"max_gen_toks": 30_000, "until": []}
    assert thinks.record()["stops_after_thoughts"] == {"t": ["END"]}
    assert thinks.record()["budgets"] == {"t": {"answer": 256, "with_thoughts": 30_000}}


@pytest.mark.parametrize("wanted", [None, False])
def test_without_the_flag_tasks_stay_as_they_are(wanted: bool | None) -> None:
    task = Task(max_gen_toks=256, until=["\n\n"])
    Reasoning(Thinking("B"), wanted).meet({"t": task})
    assert task.config.generation_kwargs == {"max_gen_toks": 256, "until": ["\n\n"]}


# Templates.

QWEN_LIKE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}<|assistant|>"
    "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}"
)
GRANITE_LIKE = (
    "{% if thinking %}Think first.{% endif %}{% for m in messages %}{{ m.thinking }}{% endfor %}"
)
TRACKED = "{% generation %}{% if enable_thinking %}1{% endif %}{% endgeneration %}{% break %}"


@pytest.mark.parametrize(
    ("template", "switches"),
    [
        (QWEN_LIKE, {"enable_thinking"}),
        (GRANITE_LIKE, {"thinking"}),
        (TRACKED, {"enable_thinking"}),
        ("{% for m in messages %}enable_thinking {{ m.thinking }}{% endfor %}", set()),
        ("{% broken enable_thinking", {"enable_thinking"}),
        (None, set()),
    ],
)
@pytest.mark.parametrize("wanted", [True, False])
def test_the_switch_of_a_template_is_set_where_it_has_one(
    template: str | None, switches: set[str], wanted: bool
) -> None:
    model = SimpleNamespace(chat_template_args={"effort": "low"})
    arguments = SimpleNamespace(model_args={"pretrained": "x"})
    found = reasoning.switched(arguments, model, template, wanted)
    assert found == dict.fromkeys(switches, wanted)
    assert model.chat_template_args == {"effort": "low", **found}
    # In the results, and in what the journal knows the model by.
    told = {"chat_template_args": found} if found else {}
    assert arguments.model_args == {"pretrained": "x", **told}


def test_vllm_hands_the_first_switch_to_the_template_by_itself() -> None:
    kind = type("VLLM", (), {"__module__": "lm_eval.models.vllm_causallms"})
    model = kind()
    model.chat_template_args, model.enable_thinking = {}, None
    arguments = SimpleNamespace(model_args={"chat_template_args": {"effort": "low"}})
    assert reasoning.switched(arguments, model, QWEN_LIKE + GRANITE_LIKE, True)
    assert model.enable_thinking is True
    # Given twice, lm-eval's call of the template would fail.
    assert model.chat_template_args == {"thinking": True}
    assert arguments.model_args["chat_template_args"] == {
        "effort": "low",
        "enable_thinking": True,
        "thinking": True,
    }


def test_a_contradiction_of_flags_is_refused() -> None:
    model = SimpleNamespace(chat_template_args={"enable_thinking": False})
    arguments = SimpleNamespace(model_args={})
    with pytest.raises(OtherMindsError, match="contradict each other"):
        reasoning.switched(arguments, model, QWEN_LIKE, True)
    assert reasoning.switched(arguments, model, QWEN_LIKE, False) == {"enable_thinking": False}


# Marks that are special tokens.


def tokenizer_with(*special: str) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = {word: n for n, word in enumerate(["A", "B", "thought", *special])}
    made = Tokenizer(models.WordLevel(words, unk_token="A"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, eos_token=special[0])
    tokenizer.add_special_tokens({"additional_special_tokens": list(special[1:])})
    return tokenizer


@pytest.mark.parametrize(
    ("special", "text", "decoded"),
    [
        (("<end>", "[THINK]", "[/THINK]"), "[THINK] A [/THINK] B <end>", "[THINK] A [/THINK] B"),
        (
            ("<end>", "<|channel>", "<channel|>"),
            "<|channel> thought A <channel|> B <end>",
            "<|channel> thought A <channel|> B",
        ),
        # One of them alone is no pair of marks.
        (("<end>", "[THINK]"), "[THINK] A B <end>", "A B"),
        (("<end>", "<pad>"), "A B <end> <pad>", "A B"),
    ],
)
def test_marks_that_are_special_tokens_are_kept_and_other_special_tokens_are_not(
    special: Sequence[str], text: str, decoded: str
) -> None:
    from lm_eval.models.huggingface import HFLM

    model: Any = HFLM.__new__(HFLM)
    model.tokenizer = tokenizer_with(*special)
    tokens = model.tokenizer.encode(text)
    reasoning.keep_marks(model)
    assert model.tok_decode(tokens) == decoded
    assert model.tok_decode(tokens, skip_special_tokens=False) == text
    assert model.tok_decode(tokens[-1], skip_special_tokens=False) == text.rsplit(maxsplit=1)[-1]


def test_models_of_other_kinds_are_left_alone() -> None:
    model = Thinking("B")
    reasoning.keep_marks(model)
    assert "tok_decode" not in vars(model)


# Whole runs.


@pytest.fixture
def go(tmp_path: Path) -> Callable[..., Finished]:
    def call(
        address: str,
        *flags: str,
        task: str = TASK,
        wanted: bool | None = None,
        limit: int = 20,
    ) -> Finished:
        words = f"model=thinker,base_url={address}/chat/completions,num_concurrent=4"
        found = run(
            [task],
            [
                *("--model", "local-chat-completions", "--model_args", words),
                *("--limit", str(limit), "--output_path", str(tmp_path / "out"), *flags),
            ],
            Options(reasoning=wanted),
        )
        assert found is not None
        return found

    return call


needs_client = pytest.mark.skipif(
    importlib.util.find_spec("tenacity") is None,
    reason="lm-eval's API models are not installed: pip install 'lm-eval[api]'.",
)


def parse_rate(finished: Finished, task: str = TASK) -> float:
    found = finished.results["otherminds"]["scores"][task]["estimates"]
    return float(found["parse_rate"]["value"])


@needs_client
@pytest.mark.parametrize("form", ["marked", "parsed"])
def test_a_run_of_a_thinking_model_stops_and_goes_through_with_room(
    form: Any, go: Callable[..., Finished], capsys: pytest.CaptureFixture[str]
) -> None:
    thinker = Thinker(form, needs=3_000)
    with thinking(thinker) as address:
        with pytest.raises(OtherMindsError, match="--reasoning gives it room"):
            go(address)
        n = len(thinker.bodies)
        assert n <= first_replies.FIRST
        with pytest.raises(OtherMindsError):
            go(address)
        assert len(thinker.bodies) == n
        finished = go(address, wanted=True)
        assert parse_rate(finished) == 1
        assert {body["max_tokens"] for body in thinker.bodies[n:]} == {18_432}
        assert finished.results["configs"][TASK]["generation_kwargs"]["max_gen_toks"] == 18_432
        assert finished.results["otherminds"]["reasoning"] == {
            "wanted": True,
            "budgets": {TASK: {"answer": 2_048, "with_thoughts": 18_432}},
        }
        n = len(thinker.bodies)
        go(address, wanted=True)
        assert len(thinker.bodies) == n


@needs_client
@pytest.mark.parametrize("form", ["marked", "parsed"])
def test_replies_that_found_no_end_are_not_paid_for_twice(
    form: Any, go: Callable[..., Finished]
) -> None:
    thinker = Thinker(form, needs=30, harder={"Fans have no right": 10**6})
    with thinking(thinker) as address:
        finished = go(address, wanted=True, limit=40)
        alone = finished.results["otherminds"]["reasoning"]["thoughts_alone"]
        assert 0 < alone < 20
        assert parse_rate(finished) == 1 - alone / 40
        n = len(thinker.bodies)
        again = go(address, wanted=True, limit=40)
        assert len(thinker.bodies) == n
        assert again.results["otherminds"]["reasoning"]["thoughts_alone"] == alone


@needs_client
def test_without_the_switch_a_run_goes_on_as_it_is(go: Callable[..., Finished]) -> None:
    thinker = Thinker("marked", needs=3_000)
    with thinking(thinker) as address:
        finished = go(address, wanted=False)
    assert parse_rate(finished) == 0
    assert finished.results["otherminds"]["reasoning"] == {"wanted": False, "thoughts_alone": 20}


@needs_client
def test_stop_sequences_of_the_user_are_not_sent_with_thoughts(go: Callable[..., Finished]) -> None:
    thinker = Thinker("marked", needs=30, answers="agree\n\nQ: next")
    with thinking(thinker) as address:
        finished = go(address, "--gen_kwargs", '{"until": ["\\n\\n"]}', wanted=True, limit=4)
    assert {str(body["stop"]) for body in thinker.bodies} == {"[]"}
    [path] = finished.sample_paths
    with opened(path) as lines:
        assert all(json.loads(line)["resps"][0][0].endswith("</think>\n\nagree") for line in lines)


@needs_client
def test_a_chatty_model_is_not_taken_for_one_that_thinks(go: Callable[..., Finished]) -> None:
    thinker = Thinker("chatty", needs=3_000)
    with thinking(thinker) as address:
        finished = go(address)
    assert len(thinker.bodies) == 20
    assert "reasoning" not in finished.results["otherminds"]


def test_log_probabilities_are_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    flags = ["--model", "hf", "--model_args", "pretrained=nobody/nothing"]
    with pytest.raises(OtherMindsError) as caught:
        run([TASK, LETTERS], flags, Options(reasoning=True))
    [line] = str(caught.value).splitlines()
    assert LETTERS in line
    assert "--reasoning" in line


def test_a_weightless_model_needs_no_room(tmp_path: Path) -> None:
    notes: list[str] = []
    flags = ["--model", "random", "--limit", "3", "--output_path", str(tmp_path)]
    finished = run([TASK], flags, Options(reasoning=True), say=notes.append)
    assert finished is not None
    assert parse_rate(finished) == 1
    assert any("--reasoning changes nothing for 'random'" in note for note in notes)


def test_a_template_decides_in_hf_whether_the_model_thinks(cache: Path, tmp_path: Path) -> None:
    rows = data.for_task(dataset="debate-beliefs-synthetic", configs=["beliefs"])["test"]
    folder = make(tmp_path / "model", rows.select(range(50))["proposition"], says="A")
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    switch = "{% if enable_thinking is defined and not enable_thinking %}</think>{% endif %}"
    template = folder / "chat_template.jinja"
    text = template.read_text() if template.exists() else settings.pop("chat_template")
    template.write_text(f"{text}<think>{switch}")
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))

    def go(wanted: bool | None) -> Finished:
        words = f"pretrained={folder},dtype=float32"
        flags = ["--model", "hf", "--model_args", words, "--device", "cpu", "--limit", "2"]
        flags += ["--output_path", str(tmp_path / "out"), "--gen_kwargs", "max_gen_toks=4"]
        finished = run([TASK], flags, Options(reasoning=wanted))
        assert finished is not None
        return finished

    def replies(finished: Finished) -> list[str]:
        with opened(finished.sample_paths[0]) as lines:
            return [json.loads(line)["resps"][0][0] for line in lines]

    # The model says "A" within the thought that its prompt has begun.
    assert all(reply.startswith("<think>") for reply in replies(go(None)))
    without = go(False)
    assert not any("think" in reply for reply in replies(without))
    told = without.results["otherminds"]["reasoning"]
    assert told == {"wanted": False, "template_arguments": {"enable_thinking": False}}
    assert without.results["config"]["model_args"]["chat_template_args"] == {
        "enable_thinking": False
    }
    with_room = go(True)
    assert with_room.results["otherminds"]["reasoning"]["template_arguments"] == {
        "enable_thinking": True
    }


def test_every_log_probability_task_of_ours_is_known_as_one() -> None:
    manager = harness.task_manager()
    names = [name for name in manager.all_subtasks if name.endswith("_logprob")]
    assert len(names) > 20
    for name in names:
        with pytest.raises(OtherMindsError):
            reasoning.refuse_log_likelihoods(manager, [name])
