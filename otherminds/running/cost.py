"""What a run will ask, before it is begun: its requests, their tokens, and what these cost.

The requests are those of the run itself, made in its windows and counted without an answer. No weights
are loaded, nothing is asked and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from otherminds import control_tokens, credentials, harness, progress, weightless
from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance, Unasked, windows
from otherminds.running import loading, results, stages
from otherminds.running import servers as serving
from otherminds.running.journal import Journal
from otherminds.running.journal_reading import ReadJournal
from otherminds.running.journaled_lm import JournaledLM
from otherminds.running.models import Loaded, Models, Options, check_model
from otherminds.running.plan import Plan, added, begin
from otherminds.running.prefixes import Prefixes, size
from otherminds.running.prices import Price
from otherminds.running.reasoning import Reasoning
from otherminds.running.token_counts import Counter, counter_of
from otherminds.running.window import Window, asked_tokens

_BATCH = 256
"""Prompts that are tokenized at once."""

_GENERATED = 256
"""Tokens that are generated at most for a task that names no number, as by lm-eval's models."""


@dataclass
class Asked:
    """What is asked of one model for one task.

    requests   those that no journal answers and that were not counted before
    known      those that the journal answers
    prompt     tokens of the requests' prompts, and of the options whose likelihoods are compared
    unique     of these, what is left when every prefix is read once
    generated  tokens that are generated at most
    longest    tokens of the longest prompt with its answer
    """

    requests: int = 0
    known: int = 0
    prompt: int = 0
    unique: int = 0
    generated: int = 0
    longest: int = 0

    def amounts(self, price: Price) -> tuple[float, float]:
        """The least and the most that this can cost.

        At least: every prefix is read from the cache once it was read, and each answer is one token. At
        most: nothing is cached, and each answer is as long as it may be.
        """
        shared = self.prompt - self.unique
        shortest = min(self.requests, self.generated)
        return (
            price.of(prompt=self.prompt, cached=shared, generated=shortest),
            price.of(prompt=self.prompt, cached=0, generated=self.generated),
        )

    def __add__(self, other: Asked) -> Asked:
        return Asked(
            requests=self.requests + other.requests,
            known=self.known + other.known,
            prompt=self.prompt + other.prompt,
            unique=self.unique + other.unique,
            generated=self.generated + other.generated,
            longest=max(self.longest, other.longest),
        )


@dataclass
class Cost:
    """What a run will ask.

    asked    by the model's name and the task, in order
    counted  how tokens are counted, by model
    unread   models that read no prompts
    guessed  whether any of that is an estimate
    later    tasks whose prompts hold answers that nobody has given yet, which are not counted
    """

    asked: dict[tuple[str, str], Asked] = field(default_factory=dict)
    counted: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    guessed: bool = False
    later: list[str] = field(default_factory=list)

    @property
    def total(self) -> Asked:
        """All tasks together."""
        return sum(self.asked.values(), Asked())


def count(
    patterns: Sequence[str],
    flags: Sequence[str],
    options: Options,
    *,
    block: int = 1,
    say: Callable[[str], None] | None = None,
) -> Cost:
    """Count what `running.run.run` would ask with the same tasks, flags and options.

    A request that the journal answers is not asked, and one of equal requests is asked once, also of two
    tasks. Tasks that are made from answers of earlier stages are counted where `--metadata` gives these.

    block  tokens that a cache of prefixes keeps together, such as 16 in vLLM

    Raises OtherMindsError as the run does before its model is loaded, and for a tokenizer that is not
    there.
    """
    begun = begin(patterns, flags, options, say=say, writes=False)
    plan, manager = begun.plan, begun.manager
    known = [*plan.earlier, *plan.tasks]
    ready = [task for task in known if set(stages.before(manager, [task])) <= set(plan.given)]
    cost = Cost(later=[task for task in known if task not in ready])
    chains = options.runs if plan.earlier else 1
    if plan.earlier:
        options = replace(options, runs=1)
    load = partial(_counting, cost, block)
    with Models(begun.arguments, manager, options, known, load=load) as models:
        for task_group, whole in _steps(plan, models, ready):
            model = models.of(task_group[0])
            metadata = added(model.arguments.limit, plan, plan.given)
            for run in range(chains):
                model.evaluate(task_group, metadata=metadata, whole=whole, run=run)
            del model
    return cost


def _steps(plan: Plan, models: Models, ready: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
    """Tasks that one model answers, and whether --limit is left aside."""
    for stage in plan.earlier:
        if stage in ready:
            yield [stage], True
    for group in models.together([task for task in plan.tasks if task in ready]):
        yield group, False


@contextmanager
def _counting(
    cost: Cost,
    block: int,
    arguments: harness.RunArguments,
    manager: Any,
    options: Options,
    stages: progress.Stages,
) -> Iterator[Loaded]:
    """In the place of `models.loaded`: a model that counts what it is asked."""
    called = results.model_name(arguments.model, arguments.model_args)
    if weightless.find(arguments.model) is not None:
        model: LM | None = None
        template = None
        arguments.apply_chat_template = False
    else:
        check_model(arguments.model)
        with progress.no_other_bars():
            model = harness.unloaded(arguments)
        template = loading.decide_chat_template(model, arguments, options)
    counter = counter_of(model, arguments.model, arguments.model_args)
    cost.counted[called] = counter.called
    cost.guessed |= counter.is_estimate
    if model is None:
        cost.unread.append(called)
    thinks = None if model is None else loading.reasoning_of(model, template, arguments, options)
    path = Path(arguments.output_path) / "journal.sqlite"
    tokens = (
        control_tokens.Tokens() if model is None else loading.control_tokens_of(model, template)
    )
    asks_anew = model is None or options.fresh
    with (
        ReadJournal(None if asks_anew else path) as journal,
        control_tokens.of_model(tokens.tokens),
    ):
        asker = _Counting(
            model or _Unread(),
            journal,
            counter,
            Prefixes(block * counter.per_token),
            cost,
            called,
            arguments,
            manager,
            thinks,
            ask_refused=options.ask_refused,
        )
        yield Loaded(
            lambda _, run: asker.in_run(run), manager, arguments, dict, stages, options.runs
        )
        asker.flush()


class _Unread(LM):
    """Stands for a model without weights, which reads no prompts."""

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        """Not asked."""
        raise Unasked

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        """Not asked."""
        raise Unasked

    def generate_until(self, requests: list[Instance]) -> list[str]:
        """Not asked."""
        raise Unasked


@dataclass(frozen=True)
class _Waiting:
    """A request of a window that is not read yet: its prompt in units, and the tokens it generates."""

    task: str
    prompt: bytes
    generated: int


class _Counting(JournaledLM):
    """Counts the requests of a run, by the keys of its journal, and asks nothing."""

    only_looks = True

    def __init__(
        self,
        model: LM,
        journal: Journal,
        counter: Counter,
        prefixes: Prefixes,
        cost: Cost,
        called: str,
        arguments: harness.RunArguments,
        manager: Any,
        reasoning: Reasoning | None,
        *,
        ask_refused: bool,
    ) -> None:
        super().__init__(
            model,
            journal,
            identity=loading.identity_of(arguments, credentials.identity(arguments.model_args)),
            earlier=loading.identity_of(arguments, _asked_with(model, arguments.model_args)),
            versions=harness.task_versions(manager),
            window=Window(allow_truncation=True),
            advance=lambda done, total: None,
            reasoning=reasoning,
            ask_refused=ask_refused,
        )
        self._counter = counter
        self._prefixes = prefixes
        self._cost = cost
        self._name = called
        self._waiting: list[_Waiting] = []
        self._counted: set[bytes] = set()

    @property
    def documents_at_once(self) -> int:
        """How many documents of a run are looked at together."""
        return windows.DOCUMENTS

    def meet(self, tasks: Mapping[str, Any]) -> None:
        """Begin with the tasks of another evaluation."""
        self.flush()
        super().meet(tasks)
        for task in tasks:
            self._cost.asked.setdefault((self._name, task), Asked())

    def expect(self, before: int, now: int, total: int) -> None:
        """Told before a window: the one before it is whole."""
        self.flush()
        super().expect(before, now, total)

    def flush(self) -> None:
        """Read the prompts of a window in order."""
        waiting, self._waiting = self._waiting, []
        for place, new in self._prefixes.new(one.prompt for one in waiting):
            one = waiting[place]
            prompt = self._tokens(size(one.prompt))
            self._cost.asked[self._name, one.task] += Asked(
                requests=1,
                prompt=prompt,
                unique=self._tokens(new),
                generated=one.generated,
                longest=prompt + one.generated,
            )

    def _answer(self, kind: str, requests: list[Instance]) -> list[Any]:
        digests = self._digests(kind, requests, self._identity)
        places = self._windows.numbered(requests, digests)
        keys = [f"{digest}:{place}" for digest, place in zip(digests, places, strict=True)]
        known = self._known(kind, requests, keys)
        asked = []
        for key, request in zip(keys, requests, strict=True):
            mark = sha256(key.encode()).digest()[:16]
            if mark in self._counted:
                continue
            self._counted.add(mark)
            if key in known:
                self._cost.asked[self._name, str(request.task_name)].known += 1
            else:
                asked.append(request)
        self._wait(kind, asked)
        raise Unasked

    def _wait(self, kind: str, requests: Sequence[Instance]) -> None:
        if kind != "generate_until" and requests and harness.messages(requests[0].args[0]):
            raise OtherMindsError(
                f"{requests[0].task_name} compares log-likelihoods, which a chat API does not give: "
                "leave it out, or use a model of completions."
            )
        # Where options are compared, each request has its prompt and one of them.
        texts = list(dict.fromkeys(part for one in requests for part in _texts(one)))
        units: dict[Any, bytes] = {}
        for start in range(0, len(texts), _BATCH):
            part = texts[start : start + _BATCH]
            units |= zip(part, self._counter.units(part), strict=True)
        for one in requests:
            prompt = b"".join(units[part] for part in _texts(one))
            self._waiting.append(_Waiting(str(one.task_name), prompt, self._generated(one)))

    def _generated(self, request: Instance) -> int:
        decoding = request.args[1] if len(request.args) > 1 else None
        if isinstance(decoding, Mapping):
            return asked_tokens(decoding) or vars(self._model).get("most_generated", _GENERATED)
        # A server is made to generate one token where it is asked for the likelihood of a prompt.
        return int(serving.is_behind(self._model))

    def _tokens(self, units: int) -> int:
        return -(-units // self._counter.per_token)


def _texts(request: Instance) -> tuple[Any, ...]:
    """The parts of a request that are read, apart: where they meet, a token may be another."""
    return tuple(part for part in request.args[:2] if not isinstance(part, Mapping))


def _asked_with(model: LM, model_args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments under which a journal may know the model beside those that were given.

    A server's tokenizer that is named for the count alone is no part of the run's command.
    """
    is_for_count = serving.is_behind(model) and vars(model).get("tokenizer") is None
    left_out = {"tokenizer"} if is_for_count else set()
    return {key: value for key, value in model_args.items() if key not in left_out}
