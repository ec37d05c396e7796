"""Does a model use who the person is? Its score with the true interviews against shuffled ones.

A model may score well because it knows what people say in general. If it knows *this* person, giving
everyone another person's interview must cost it something.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from otherminds import files, harness
from otherminds.console import OUT, digits
from otherminds.data import loading as data
from otherminds.errors import OtherMindsError, unknown_task
from otherminds.metrics.permutation import permutation_p_value
from otherminds.running import results, used_keys
from otherminds.running.models import Loaded, Options, loaded
from otherminds.running.plan import DEFAULT_MODEL, DEFAULT_OUTPUT
from otherminds.types import Progress

DERANGEMENTS = 19
"""The fewest with which p can be as small as 0.05."""


@dataclass(frozen=True)
class Identity:
    """The findings of `identity_test`.

    task, metric   the task that was run, and the score compared (larger is better unless `lower`)
    lower          whether a smaller value of the metric is better (an error)
    observed       the metric with everyone's own interviews
    null           the metric under each derangement, in the order of `seeds`
    seeds          the `derangement_seed` of each: `hugagent_cross_person` runs it alone
    p_value        (1 + number of null values at least as good as the observed) / (1 + K)
    n, n_people    documents and people that each value rests on
    record         model, data and flags, as a results file states them
    """

    task: str
    metric: str
    lower: bool
    observed: float
    null: tuple[float, ...]
    seeds: tuple[int, ...]
    p_value: float
    n: int
    n_people: int
    record: dict[str, Any] = field(default_factory=dict)

    @property
    def gain(self) -> float:
        """How much better the score is with the true interviews than on average with others'."""
        gain = self.observed - sum(self.null) / len(self.null)
        return -gain if self.lower else gain


def identity_test(
    task: str,
    flags: Sequence[str],
    options: Options,
    *,
    derangements: int = DERANGEMENTS,
    seed: int = 0,
    metric: str | None = None,
    on_progress: Progress | None = None,
) -> Identity:
    """Test whether a model's score depends on whose interview it is shown.

    Runs `task` once as it is, and once for each of K = `derangements` seeded derangements, in which
    every person's items show the interview of another person on the same topic; demographics stay.
    The model is loaded once; requests that the journal holds are not asked again.

    task     a HugAgent task that shows people's own interviews, by name; no group, no ablation
    flags    those of `lm_eval run`; without `--model` a weightless model answers
    metric   one of the task's scores; by default its first (composite, ATI, or an accuracy)
    seed     decides which derangements are drawn

    The p-value is valid for a model whose answers do not depend on whose interview is shown, at random
    or not: P(p ≤ α) ≤ α. For a deterministic one it is 1.

    Raises OtherMindsError for a task, metric, K or seed that the test cannot take, and for a metric
    that could not be measured.
    """
    seeds = _seeds(derangements, seed)
    arguments = harness.parse_arguments(
        flags, default_model=DEFAULT_MODEL, default_output=DEFAULT_OUTPUT
    )
    arguments.output_path = arguments.output_path or DEFAULT_OUTPUT
    if "derangement_seed" in arguments.metadata:
        raise OtherMindsError(
            "The identity test draws the derangements itself: leave derangement_seed out of --metadata."
        )
    manager = harness.task_manager(arguments.metadata, arguments.include_path)
    config = _config(manager, task)
    used_keys.refuse_unused(manager, [task], arguments)
    scored, lower = _metric(config, metric)
    results.check_writable(Path(arguments.output_path))

    values: list[float] = []
    with loaded(arguments, manager, options) as model:
        for changes in ({}, *({"evidence": "cross_person", "derangement_seed": s} for s in seeds)):
            model.stages.announce(f"{len(values) + 1} of {1 + len(seeds)}")
            value, n, n_people = _score(model, manager, _variant(config, changes), scored)
            values.append(value)
            if on_progress is not None:
                on_progress(len(values), 1 + len(seeds))
    observed, *null = values
    sign = -1.0 if lower else 1.0
    return Identity(
        task=task,
        metric=scored,
        lower=lower,
        observed=observed,
        null=tuple(null),
        seeds=seeds,
        p_value=permutation_p_value(sign * observed, [sign * value for value in null]),
        n=n,
        n_people=n_people,
        record=_record(arguments, config, model.record()),
    )


def print_identity(found: Identity) -> None:
    """The scores with everyone's own and with others' interviews, and the test of their difference."""
    better = "lower" if found.lower else "higher"
    OUT.print(
        f"{found.task}, {found.metric} ({better} is better), {found.n:,} documents about "
        f"{found.n_people:,} people\n"
        f"  with everyone's own interview        {digits(found.observed)}\n"
        f"  with another person's, {len(found.null):>3} times      "
        f"{digits(min(found.null))} – {digits(max(found.null))}\n"
        f"  gain from the right person           {digits(found.gain)}\n"
        f"  permutation p-value                  {digits(found.p_value)} "
        f"(smallest possible: {digits(1 / (1 + len(found.null)))})",
        highlight=False,
    )


def write(found: Identity, folder: Path) -> Path:
    """Write the findings as JSON to a new file in `folder`; returns its path."""
    path = folder / f"identity_{found.task}_{results.now()}.json"
    files.write_json(path, harness.plain(asdict(found)))
    return path


def _seeds(derangements: int, seed: int) -> tuple[int, ...]:
    if derangements < 1:
        raise OtherMindsError(
            f"{derangements} derangements: give at least 1, and for p below α at least 1/α - 1."
        )
    if seed < 0:
        raise OtherMindsError(f"The seed is {seed}, but it must be a whole number, at least 0.")
    # Two tests with neighbouring seeds share no derangement.
    return tuple(int(word) for word in np.random.SeedSequence(seed).generate_state(derangements))


def _config(manager: Any, task: str) -> dict[str, Any]:
    """The task's YAML, if the test can take it."""
    entries = {entry.name: entry for entry in harness.entries(manager)}
    if task not in entries:
        raise unknown_task(task, entries)
    entry = entries[task]
    config = harness.load_yaml(entry.path) if entry.kind == "task" and entry.path else {}
    shown = config.get("dataset_kwargs") or {}
    if config.get("custom_dataset") is not data.for_task or "evidence" in shown:
        raise OtherMindsError(
            f"The identity test needs one task that shows people's own interviews, and '{task}' is "
            "none: give one such as hugagent or hugagent_synthetic, no group and no ablation."
        )
    return config


def _metric(config: dict[str, Any], wanted: str | None) -> tuple[str, bool]:
    """The metric to compare, and whether less of it is better."""
    better = {
        entry["metric"]: entry["higher_is_better"]
        for entry in config["metric_list"]
        if entry["higher_is_better"] is not None
    }
    chosen = next(iter(better)) if wanted is None else wanted
    if chosen not in better:
        raise OtherMindsError(
            f"The task '{config['task']}' has no score '{chosen}'; it has: {', '.join(better)}."
        )
    return chosen, not better[chosen]


def _variant(config: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {**config, "dataset_kwargs": {**config["dataset_kwargs"], **changes}}


def _score(
    model: Loaded, manager: Any, config: dict[str, Any], metric: str
) -> tuple[float, int, int]:
    """The metric of one evaluation, and the documents and people that it rests on."""
    name = config["task"]
    found = model.evaluate([harness.load_tasks(manager, [config])[name]])
    if found is None:
        raise OtherMindsError("The identity test runs in one process; start it without a launcher.")
    numbers = {key.partition(",")[0]: value for key, value in found["results"][name].items()}
    value = float(numbers[metric])
    if not math.isfinite(value):
        raise OtherMindsError(
            f"'{metric}' of {name} could not be measured: too few documents were run, or too few of "
            "the answers could be read. Raise --limit, or compare another metric."
        )
    return value, found["n-samples"][name]["effective"], int(numbers["n_people"])


def _record(
    arguments: harness.RunArguments, config: dict[str, Any], facts: dict[str, Any]
) -> dict[str, Any]:
    origin = data.locate(
        config["dataset_kwargs"]["dataset"],
        source=arguments.metadata.get("data_source"),
        revision=arguments.metadata.get("data_revision"),
    )
    return {
        "model": arguments.model,
        "model_args": dict(arguments.model_args),
        "output_path": arguments.output_path,
        "limit": arguments.limit,
        "metadata": dict(arguments.metadata),
        "data": {"dataset": origin.dataset, "version": origin.version, "source": origin.kind},
        **facts,
    }
