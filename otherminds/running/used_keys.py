"""Which keys of `--metadata` a task uses, and the refusal of all others.

A task uses the keys that the function of its documents (`custom_dataset`) takes by name. One that takes
no key of the data by name hands the others on to `otherminds.data.loading.for_task`, which knows these
keys, the benchmark's switches and the parameters of ablations. A task that is made from the answers to
earlier stages uses the keys of these too.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from typing import Any

from otherminds import harness, keys, manifest
from otherminds.benchmark import TEXT, Benchmark, Key, of_dataset
from otherminds.data import loading
from otherminds.errors import OtherMindsError, unknown
from otherminds.running import stages


def of_task(manager: Any, task: str) -> dict[str, Key] | None:
    """The keys that a task uses, by name; None for a task of others, which may use any."""
    found: dict[str, Key] = {}
    for name in [task, *stages.before(manager, [task])]:
        own = _own(name)
        if own is None:
            return None
        found = own | found
    order = {name: place for place, name in enumerate(keys.known())}
    return dict(sorted(found.items(), key=lambda item: order.get(item[0], len(order))))


def refuse_unused(manager: Any, tasks: Sequence[str], arguments: harness.RunArguments) -> list[str]:
    """Refuse the flags of a run that would change nothing in any of its tasks; notes as `check`."""
    count = arguments.num_fewshot
    settings = (harness.task_settings(manager, task) for task in tasks)
    if count and all(one.get("num_fewshot") == 0 for one in settings):
        others = " or of the other tasks" if len(tasks) > 1 else ""
        raise OtherMindsError(
            f"--num_fewshot {count} would change nothing: no prompt of {tasks[0]}{others} shows "
            "examples. Leave it out."
        )
    # lm-eval puts the model's arguments in the same place.
    given = arguments.metadata or {}
    return check(
        manager,
        tasks,
        {name: value for name, value in given.items() if name not in (arguments.model_args or {})},
    )


def check(manager: Any, tasks: Sequence[str], given: Mapping[str, Any]) -> list[str]:
    """Refuse what a user gave in `--metadata` where none of some tasks uses it.

    Returns a note for each key that only some of the tasks use. Raises OtherMindsError for a key that
    does not exist, naming the nearest, one that would change nothing, and a value that it cannot have.
    """
    used = {task: of_task(manager, task) for task in tasks} if given else {}
    if None in used.values():
        keys.refuse_slips(given, keys.known())
        return []
    together = {name: key for own in used.values() if own for name, key in own.items()}
    notes = []
    for name, value in given.items():
        if name not in together:
            raise _unused(name, tasks, together)
        keys.check_value(name, together[name], value)
        users = [task for task, own in used.items() if own and name in own]
        if len(users) < len(tasks):
            notes.append(f"{name} concerns {_some(users)} of these tasks alone.")
    return notes


def _unused(name: str, tasks: Sequence[str], used: Mapping[str, Key]) -> OtherMindsError:
    listing = f"otherminds show {tasks[0]}"
    if name not in keys.known():
        return unknown("--metadata key", name, [*used, *keys.known()], listing=listing)
    verb = "does" if len(tasks) == 1 else "do"
    return OtherMindsError(
        f"{_some(tasks)} {verb} not use the key '{name}' of --metadata, so it would change nothing. "
        f"Leave it out, or give one of: {', '.join(used)}. `{listing}` says what each does."
    )


def _some(tasks: Sequence[str]) -> str:
    shown = ", ".join(tasks[:3])
    return shown if len(tasks) <= 3 else f"{shown} and {len(tasks) - 3} others"


def _own(task: str) -> dict[str, Key] | None:
    """The keys that the documents of a task take, without those of its stages."""
    config = harness.task_config(task)
    dataset = harness.dataset_of(config) if config else None
    make = (config or {}).get("custom_dataset")
    if config is None or dataset not in manifest.names() or make is None:
        return None
    benchmark = of_dataset(dataset)
    parameters = inspect.signature(make).parameters.values()
    named = {one.name for one in parameters}
    hands_on = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)
    declared = {**keys.DATA, **keys.STAGES, **keys.WRITING, **benchmark.keys}
    if make is loading.for_task or (hands_on and not named & keys.DATA.keys()):
        own = benchmark.switches.keys() | _of_ablation(benchmark, config["dataset_kwargs"])
        declared = {**dict.fromkeys(own, _UNDECLARED), **declared}
        named |= keys.DATA.keys() | own
    fixed = config["dataset_kwargs"].keys()
    return {
        name: _as_set(_sized(name, key, dataset), (config.get("metadata") or {}).get(name))
        for name, key in declared.items()
        if name in named - fixed and _concerns(task, dataset, name, key)
    }


_UNDECLARED = Key("of the benchmark's own; it does not say what it does", TEXT, "not set")


def _of_ablation(benchmark: Benchmark, wanted: Mapping[str, Any]) -> frozenset[str]:
    evidence = wanted.get("evidence")
    ablation = benchmark.known_ablations.get(evidence) if evidence is not None else None
    return ablation.parameters if ablation else frozenset()


def _as_set(key: Key, value: object) -> Key:
    """A key with the default that a task's YAML sets."""
    return key if value is None else key._replace(default=str(value))


def _concerns(task: str, dataset: str, name: str, key: Key) -> bool:
    if name == keys.SUBSET:
        return _subsets(dataset) != ()
    is_of_dataset = not key.datasets or dataset in key.datasets
    return is_of_dataset and (not key.tasks or any(fnmatch(task, one) for one in key.tasks))


def _sized(name: str, key: Key, dataset: str) -> Key:
    """A key with the sizes of the subsets that there are to choose from."""
    sizes = _subsets(dataset) if name == keys.SUBSET else None
    return key._replace(meaning=f"{key.meaning}: {', '.join(sizes)}") if sizes else key


def _subsets(dataset: str) -> tuple[str, ...] | None:
    """The sizes of a dataset's fixed subsets of its people; None where its card does not say them."""
    # A run that is given no keys does without.
    from otherminds.data.repository import card_facts

    if dataset not in card_facts.having(card_facts.NAME):
        return None
    columns = card_facts.load(dataset).columns
    # Data of others may share the columns of generated ones, and are in no subset.
    if not manifest.load(dataset).generated:
        return ()
    prefix = loading.SUBSET_PREFIX
    return tuple(one.removeprefix(prefix) for one in columns if one.startswith(prefix))
