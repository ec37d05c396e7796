"""A model wrapper that asks nothing twice and refuses prompts that lm-eval would silently cut."""

from __future__ import annotations

import hashlib
import inspect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any

from otherminds import control_tokens, credentials
from otherminds.harness import LM, CacheHook, Instance, Unasked, windows
from otherminds.running import asking, finish, request_order
from otherminds.running import servers as serving
from otherminds.running.asking import Asking
from otherminds.running.finish import Watch
from otherminds.running.journal import Journal
from otherminds.running.journal_hook import JournalHook, canonical, is_none, no_reply
from otherminds.running.one_token import OneToken
from otherminds.running.request_windows import Advance, RequestWindows
from otherminds.running.window import Window

# A backend that answers all requests in one batch (vLLM with automatic batches) is given this many at
# a time, so that a killed run loses no more. The hf backend reports every batch through its hook, and
# would search for its batch size anew at every call: it gets all of them at once.
_CHUNK = 1_024

# The seeds of a run of a chain are these apart from the next one's, for equal requests within a run.
_SEEDS_OF_A_RUN = 100_000

# How many times the documents are given at once to a model that searches for its batch size each time.
_TIMES_TO_SEARCH = 4


class JournaledLM(LM):
    """Delegates to `model`, taking answers that exist already from the journal.

    A request's key is a hash of the model, the task's version, the kind of request, the prompt, the
    decoding, the seeds, and how many equal requests of its task came before it: K sampled repeats are
    K different keys, and two tasks that ask the same thing share the answer. Each run of a chain of
    stages (`in_run`) has generated answers of its own, even to equal requests. Of several processes,
    each has sampled answers of its own, so that another number of processes asks for them again.

    An answer of None is not journaled, and neither is an empty one of a server that says nothing of why
    it ended: lm-eval makes that of a reply without content, such as an error. Those are counted, and
    asked again by the next run.

    `asking` is how a server is asked. What it refuses for good is journaled with its reason, counted in
    `refused`, and asked again with `ask_refused` alone; a bad request, only once another is answered.

    Generated texts are `finish.Reply` where the backend says why they ended. `watch` is told each of
    them as it comes, and before these, those that the journal holds.

    A backend that does not pad its batches is asked in order of the prompts, so that an engine with a
    prefix cache reads the beginning that a person's prompts share once. `options` answers
    log-likelihoods in the model's place.

    `earlier` is the identity under which journals of before know the model: then, a secret among its
    arguments was part of it.

    `begin` is called with a line when requests come, which calls the model `called`, and `advance` with
    how many of them are answered.
    """

    def __init__(
        self,
        model: LM,
        journal: Journal,
        *,
        identity: str,
        versions: dict[str, str],
        window: Window,
        advance: Advance,
        begin: Callable[[str], None] = lambda _: None,
        called: str = "the model",
        earlier: str | None = None,
        reuse: bool = True,
        options: OneToken | None = None,
        watch: Watch | None = None,
        asking: Asking | None = None,
        ask_refused: bool = False,
    ) -> None:
        super().__init__()
        self._model = model
        self._journal = journal
        self._identity = identity
        self._earlier = earlier if earlier != identity else None
        self._versions = versions
        self._window = window
        self._advance = advance
        self._begin = begin
        self._called = called
        self._reuse = reuse
        self._options = options
        self._run = 0
        self._windows = RequestWindows()
        self._is_looking = False
        self._watch = watch
        self._asking = asking
        self._ask_refused = ask_refused
        self._is_missing = no_reply if serving.is_behind(model) else is_none
        self.asked = 0
        self.reused = 0
        self.empty = 0
        self.refused: Counter[str] = Counter()
        self.decoding: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        # Only attributes that LM itself does not define: tokenizers, model information, batch sizes.
        return getattr(self.__dict__["_model"], name)

    def in_run(self, run: int) -> JournaledLM:
        """The same, asked from now on in run number `run` of a chain, from 0."""
        self._run = run
        return self

    def meet(self, tasks: Mapping[str, Any]) -> None:
        """Let no task of others, which has no template of ours, show a control token."""
        for task in tasks.values():
            task.doc_to_text = control_tokens.shown_by(task.doc_to_text)
        self._windows = RequestWindows(list(tasks))
        self._window.begin()

    @property
    def documents_at_once(self) -> int:
        """How many documents of a run are asked at once."""
        searches = getattr(self._model, "batch_size", None) == "auto" and self._finds_batch_size
        return windows.DOCUMENTS * (_TIMES_TO_SEARCH if searches else 1)

    @property
    def looking(self) -> AbstractContextManager[None] | None:
        """The context in which all requests are looked at; None where none could be refused."""
        return self._looking() if self._window.is_refusing(self._model) else None

    @contextmanager
    def _looking(self) -> Iterator[None]:
        self._is_looking = True
        try:
            yield
        finally:
            self._is_looking = False
        self._window.refuse()

    def expect(self, before: int, now: int, total: int) -> None:
        """Told before the requests of a window come: how many documents came before it, are in it, and
        are to come in all."""
        self._windows.expect(before, now, total)

    def generate_until(self, requests: list[Instance]) -> list[str]:
        """One text per request."""
        return self._answer("generate_until", requests)

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """One (log-likelihood, is greedy) pair per request."""
        return [tuple(answer) for answer in self._answer("loglikelihood", requests)]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """One log-likelihood per request."""
        return self._answer("loglikelihood_rolling", requests)

    def _answer(self, kind: str, requests: list[Instance]) -> list[Any]:
        if self._is_looking:
            self._window.count(self._model, kind, requests)
            raise Unasked
        self._window.check(self._model, kind, requests)
        digests = self._digests(kind, requests, self._identity)
        places = self._windows.numbered(requests, digests)
        keys = [f"{digest}:{place}" for digest, place in zip(digests, places, strict=True)]
        if self._asking is not None and kind == "generate_until":
            self._note_decoding(requests)
        answers = self._known(kind, requests, keys)
        if self._asking is not None:
            self._asking.know(list(answers.values()))
        self.reused += sum(key in answers for key in keys)
        watch = self._watch if kind == "generate_until" else None
        if watch is not None:
            for key, request in zip(keys, requests, strict=True):
                if key in answers:
                    watch(request, answers[key], finish.reason_of(answers[key]))
        first: dict[str, int] = {}
        for index, key in enumerate(keys):
            first.setdefault(key, index)
        missing = [index for key, index in first.items() if key not in answers]
        if self._windows.begins():
            self._begin(
                f"Asking {self._called}, {_listed(self._windows.tasks or _tasks(requests))}"
            )
        with self._windows.advancing(self._advance, len(first)) as advance:
            advance(len(answers))
            for repeat, indices in self._by_repeat(keys, missing):
                with serving.seeded(self._model, repeat + _SEEDS_OF_A_RUN * self._run):
                    for chunk in self._chunks(kind, requests, indices):
                        asked = {keys[index]: requests[index] for index in chunk}
                        answers |= self._ask(kind, asked, partial(_ahead, advance, len(answers)))
        found = [answers[key] for key in keys]
        self.refused.update(
            str(finish.reason_of(one)) for one in found if finish.is_unanswered(one)
        )
        return found

    def _note_decoding(self, requests: Sequence[Instance]) -> None:
        """Note for each task what the server is sent beside its prompts."""
        for request in requests:
            task = str(request.task_name)
            if task not in self.decoding:
                sent, otherwise = asking.settings(self._model, request)
                self.decoding[task] = {
                    "sent": credentials.arguments(sent),
                    "asked_otherwise": otherwise,
                }

    def _known(
        self, kind: str, requests: Sequence[Instance], keys: Sequence[str]
    ) -> dict[str, Any]:
        """The answers in the journal, by key; of a run that asks afresh, those that it has asked."""
        if not self._reuse:
            return self._journal.find(self._windows.asked_before(keys))
        answers = self._journal.find(keys)
        if self._ask_refused:
            answers = {key: one for key, one in answers.items() if not finish.is_unanswered(one)}
        if self._earlier is None or len(answers) == len(set(keys)):
            return answers
        then = self._digests(kind, requests, self._earlier)
        now_by_then = {
            f"{digest}:{key.rpartition(':')[2]}": key
            for digest, key in zip(then, keys, strict=True)
        }
        found = self._journal.find(list(now_by_then))
        return {now_by_then[key]: answer for key, answer in found.items()} | answers

    def _by_repeat(
        self, keys: Sequence[str], indices: Sequence[int]
    ) -> list[tuple[int, list[int]]]:
        """Requests by how many equal ones came before them; all at once for a model in this process.

        A server is sent a seed with every request, and draws equal answers to equal requests: each
        repeat is asked with a seed of its own.
        """
        if not serving.is_behind(self._model):
            return [(0, list(indices))]
        groups: dict[int, list[int]] = defaultdict(list)
        for index in indices:
            groups[int(keys[index].rpartition(":")[2])].append(index)
        return sorted(groups.items())

    def _chunks(
        self, kind: str, requests: Sequence[Instance], missing: Sequence[int]
    ) -> Iterable[list[int]]:
        if self._finds_batch_size:
            return [list(missing)] if missing else []
        return request_order.chunks(
            requests,
            request_order.by_prompt(requests, missing),
            size=_CHUNK,
            by_item=kind == "loglikelihood" and self._options is not None,
        )

    @property
    def _finds_batch_size(self) -> bool:
        return hasattr(self._model, "_detect_batch_size")

    def _ask(
        self, kind: str, asked: dict[str, Instance], advance: Callable[[int], None]
    ) -> dict[str, Any]:
        generates = kind == "generate_until"
        hook = JournalHook(
            self._journal,
            asked,
            advance,
            self._is_missing,
            self._watch if generates else None,
        )
        self._model.set_cache_hook(hook)
        method = getattr(self._model, kind)
        silent = {"disable_tqdm": True} if _takes(method, "disable_tqdm") else {}
        if kind == "loglikelihood" and self._options is not None:
            method = self._options.loglikelihood
        try:
            with (
                request_order.kept(self._model),
                finish.told(self._model) if generates else nullcontext(),
                serving.clear_errors(self._model),
                self._asking.patiently() if self._asking is not None else nullcontext(),
            ):
                found = method(list(asked.values()), **silent)
            answers = dict(zip(asked, found, strict=True))
            hook.finish(answers, is_answering=self._asking is None or self._asking.is_answering)
        finally:
            # The hook holds this object, which holds the model: left there, the cycle would keep an
            # engine alive until Python itself goes down, too late for its threads to stop in order.
            self._model.set_cache_hook(CacheHook(None))
        self.asked += len(asked)
        self.empty += sum(map(self._is_missing, found))
        return answers

    def _digests(self, kind: str, requests: Sequence[Instance], identity: str) -> list[str]:
        """Hashes of requests; equal ones of a task have one."""
        found = []
        for request in requests:
            version = self._versions.get(str(request.task_name), "")
            base = [identity, version, kind, *request.args]
            if self._run and kind == "generate_until":
                base += ["run", self._run]
            if self.world_size > 1 and _is_sampled(request.args):
                # Each process counts its own documents: a draw of one is not a repeat of another's.
                base += ["process", self.rank, self.world_size]
            found.append(hashlib.sha256(canonical(base).encode()).hexdigest())
        return found

    # LM defines these itself, so that they are not reached by __getattr__.

    @property
    def rank(self) -> int:
        """Index of this process."""
        return int(self._model.rank)

    @property
    def world_size(self) -> int:
        """Number of processes."""
        return int(self._model.world_size)

    @property
    def device(self) -> Any:
        """The wrapped model's device."""
        return self._model.device

    @property
    def tokenizer_name(self) -> str:
        """The wrapped model's tokenizer."""
        return str(self._model.tokenizer_name)

    def all_gather(self, tensor: Any) -> Any:
        """Gather a tensor from all processes."""
        return self._model.all_gather(tensor)

    def gather_object(self, obj: Any, dst: int = 0) -> Any:
        """Gather an object from all processes."""
        return self._model.gather_object(obj, dst)

    def barrier(self) -> None:
        """Wait for all processes."""
        self._model.barrier()

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> str:
        """Render messages as the model's chat template does; for a chat API, they stay messages."""
        # Those are not of type str, and lm-eval recognises them by their type.
        rendered: str = self._model.apply_chat_template(chat_history, add_generation_prompt)
        return rendered

    def chat_template(self, chat_template: bool | str = False) -> str | None:
        """The model's chat template."""
        template: str | None = self._model.chat_template(chat_template)
        return template


def _ahead(advance: Callable[[int], None], done: int, n: int) -> None:
    advance(done + n)


def _tasks(requests: Sequence[Instance]) -> list[str]:
    return list(dict.fromkeys(str(request.task_name) for request in requests))


def _listed(tasks: Sequence[str]) -> str:
    return tasks[0] if len(tasks) == 1 else f"{len(tasks)} tasks"


def _is_sampled(arguments: Sequence[Any]) -> bool:
    """Whether a request asks for an answer that another try may give otherwise."""
    decoding = arguments[1] if len(arguments) > 1 else None
    if not isinstance(decoding, dict):
        return False
    return bool(decoding.get("do_sample")) or float(decoding.get("temperature") or 0) > 0


def _takes(method: Callable[..., Any], parameter: str) -> bool:
    return parameter in inspect.signature(method).parameters
