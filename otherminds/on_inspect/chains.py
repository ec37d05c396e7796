"""Solvers of staged tasks: rounds, reflections, and the judgement of answers.

What a staged task asks is made from the answers to all documents of the stages before it, so that
samples cannot go through their stages one by one. Here, the samples that run ask the documents of a
stage together, one after the other, each taking the next that nobody has taken; when all are answered,
the next stage is made from them. So no sample waits for one that has not begun, however few run at once.
What a sample has asked for the others stands in its transcript and, in short, in its store.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.model import GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from otherminds import harness
from otherminds.on_inspect.logs import ASKED, OWN, Answer, hash_of
from otherminds.running import stages
from otherminds.running.models import role_of
from otherminds.running.signing import JUDGE_ROLE

Ask = Callable[["Stage", int], Awaitable[ModelOutput]]


def note(earlier: Sequence[str]) -> str:
    """What stands in place of a prompt that is made from answers to earlier stages."""
    return f"(Made from the answers to {', '.join(earlier)}; see the messages.)"


@solver
def judging(decoding: dict[str, Any]) -> Solver:
    """Ask the model of the role `judge`; without one, the model that is evaluated."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        # The decoding of a task is that of the evaluated model alone.
        await _answer(state, _judge(), GenerateConfig(**decoding))
        return state

    return solve


@solver
def staged(task: str, settings: dict[str, Any]) -> Solver:
    """Ask the stages before a task, together with the other samples, and then the sample's document."""
    chains: dict[tuple[str, str, int], Chain] = {}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        from otherminds.on_inspect import making

        async def ask(stage: Stage, place: int) -> ModelOutput:
            messages = making.messages_of(stage.chat(place))
            return await stage.model().generate(messages, config=making.config_of(stage.task))

        chain = _chain(chains, (_run(), str(state.model), state.epoch), task, settings)
        with chain.member(state.uuid):
            last = await chain.walk(ask, state.uuid)
            place = state.metadata[OWN]["place"]
            state.messages = making.messages_of(last.chat(place))
            state.metadata = making.facts_of(last.docs[place], place, staged=True)
            await _answer(state, last.model(), making.config_of(last.task))
            state.store.set(ASKED, chain.taken(state.uuid))
        return state

    return solve


class Stage:
    """A stage whose documents are known: which of them wait, and the answers so far, by place."""

    def __init__(self, name: str, task: Any, *, is_judge: bool) -> None:
        self.name = name
        self.task = task
        self.docs = task.eval_docs
        self.waiting = list(reversed(range(len(self.docs))))
        self.replies: dict[int, str] = {}
        self._is_judge = is_judge
        self._changed = anyio.Event()

    def chat(self, place: int) -> list[dict[str, str]]:
        """The messages that ask about a document."""
        return harness.chat_of(self.task, self.docs[place])

    def model(self) -> Model:
        """Who answers."""
        return _judge() if self._is_judge else get_model()

    @property
    def is_done(self) -> bool:
        """Whether all documents are answered."""
        return len(self.replies) == len(self.docs)

    def answer(self, place: int, reply: str) -> None:
        """Take an answer."""
        self.replies[place] = reply
        self._tell()

    def give_back(self, place: int) -> None:
        """Let another sample ask what could not be answered."""
        self.waiting.append(place)
        self._tell()

    async def change(self) -> None:
        """Wait until another sample has answered, or given up."""
        await self._changed.wait()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


class Chain:
    """The stages before a task in one epoch of a run, which its samples walk together."""

    def __init__(self, task: str, settings: Mapping[str, Any]) -> None:
        self._manager = harness.task_manager(settings)
        self._names = [*stages.before(self._manager, [task]), task]
        self._stages: list[Stage] = []
        self._samples: dict[str, str] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="otherminds-")
        self._answers: list[tuple[str | None, Answer]] = []

    async def walk(self, ask: Ask, who: str) -> Stage:
        """Ask until every earlier stage is answered; returns the last, of which nothing was asked."""
        for step in range(len(self._names) - 1):
            stage = self._opened(step)
            while not stage.is_done:
                if stage.waiting:
                    await self._ask(stage, stage.waiting.pop(), ask, who)
                else:
                    await stage.change()
        return self._opened(len(self._names) - 1)

    def taken(self, who: str) -> list[dict[str, Any]]:
        """The answers for a sample's store: those it asked for, and those of samples that failed."""
        own = [one for asker, one in self._answers if asker in (who, None)]
        self._answers = [(asker, one) for asker, one in self._answers if asker not in (who, None)]
        return [one._asdict() for one in own]

    @contextmanager
    def member(self, who: str) -> Iterator[None]:
        """While the block runs, a sample takes part; what it asked is kept where it fails."""
        try:
            yield
        except BaseException:
            self._answers = [(None if one == who else one, said) for one, said in self._answers]
            raise

    def close(self) -> None:
        """Give back the files."""
        self._folder.cleanup()

    async def _ask(self, stage: Stage, place: int, ask: Ask, who: str) -> None:
        try:
            output = await ask(stage, place)
        except BaseException:
            stage.give_back(place)
            raise
        said = Answer(
            task=stage.name,
            doc_hash=harness.doc_hash(stage.docs[place]),
            prompt_hash=hash_of(stage.chat(place)),
            reply=output.completion,
            stop_reason=output.stop_reason,
            model=output.model,
        )
        self._answers.append((who, said))
        stage.answer(place, output.completion)

    def _opened(self, step: int) -> Stage:
        """The stage at a step, made from the answers before it when the first sample comes there."""
        while len(self._stages) <= step:
            if self._stages:
                self._write(self._stages[-1])
            name = self._names[len(self._stages)]
            made = stages.load_with(self._manager, name, self._samples)
            is_judge = role_of(self._manager, name) == JUDGE_ROLE
            self._stages.append(Stage(name, made, is_judge=is_judge))
        return self._stages[step]

    def _write(self, stage: Stage) -> None:
        path = Path(self._folder.name) / f"{stage.name}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for place, doc in enumerate(stage.docs):
                line = {"doc": doc, "filtered_resps": [[stage.replies[place]]]}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._samples[stage.name] = str(path)


def _chain(
    chains: dict[tuple[str, str, int], Chain],
    key: tuple[str, str, int],
    task: str,
    settings: Mapping[str, Any],
) -> Chain:
    """The chain of a run, a model and an epoch; those of runs that are over are left."""
    for old in [one for one in chains if one[0] != key[0]]:
        chains.pop(old).close()
    if key not in chains:
        chains[key] = Chain(task, settings)
    return chains[key]


def _run() -> str:
    """What tells an evaluation from another one of the same task in this process."""
    # Inspect says it nowhere else while a sample is solved.
    from inspect_ai.log._samples import sample_active

    active = sample_active()
    return active.eval_id if active is not None else ""


def _judge() -> Model:
    return get_model(role=JUDGE_ROLE)


async def _answer(state: TaskState, model: Model, config: GenerateConfig) -> None:
    state.output = await model.generate(state.messages, config=config)
    state.messages.append(state.output.message)
