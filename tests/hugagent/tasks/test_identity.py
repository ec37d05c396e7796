"""The identity test: valid for models that ignore the person, and powerful for one that does not."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from otherminds import harness, weightless
from otherminds.cli.main import app
from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.tasks.hugagent import identity
from otherminds.tasks.hugagent.identity import Identity


@pytest.fixture(autouse=True, scope="module")
def _data(twelve_people: Path) -> None:
    harness.quiet(debug=False)


def compare(
    out: Path, task: str, model: str, *flags: str, derangements: int = 4, **choices: Any
) -> Identity:
    return identity.identity_test(
        task,
        ["--model", model, "--output_path", str(out), *flags],
        Options(),
        derangements=derangements,
        **choices,
    )


class Restless(weightless.Strategy):
    """Random answers, drawn anew for every interview shown: what sampling from a model does."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed

    def choose(self, asked: weightless.Asked, run: int) -> int:
        key = json.dumps([self._seed, asked.doc["item_id"], asked.doc["context"], run])
        draw = int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big")
        return draw % len(asked.answers)


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(weightless.GENERAL, "restless", Restless)
    return "restless"


@pytest.mark.parametrize("model", ["majority", "random"])
def test_p_is_one_for_a_deterministic_model_that_ignores_the_person(
    model: str, tmp_path: Path
) -> None:
    found = compare(tmp_path, "hugagent_bdu_synthetic", model, "--limit", "200")
    assert set(found.null) == {found.observed}
    assert found.p_value == 1.0
    assert found.gain == 0.0


@pytest.mark.slow
def test_p_is_small_for_a_model_that_reads_the_interview(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    found = compare(
        tmp_path,
        "hugagent_synthetic",
        "reader",
        on_progress=lambda done, total: steps.append((done, total)),
    )
    assert found.metric == "composite"
    assert found.p_value == 1 / 5
    # The reader is near 92; with another person's interview it knows no more than chance, near 50.
    assert found.gain > 30
    assert (found.n, found.n_people) == (330, 12)
    assert steps == [(done, 5) for done in range(1, 6)]


@pytest.mark.slow
def test_a_smaller_error_counts_as_better(tmp_path: Path) -> None:
    flags = ("--limit", "300")
    found = compare(tmp_path, "hugagent_bdu_synthetic", "reader", *flags, metric="bdu_mae")
    assert found.lower
    assert found.observed < min(found.null)
    assert found.p_value == 1 / 5
    assert found.gain > 0.3


@pytest.mark.slow
def test_each_derangement_can_be_run_alone(tmp_path: Path) -> None:
    found = compare(tmp_path, "hugagent_synthetic", "reader", derangements=1, seed=7)
    metadata = json.dumps({"derangement_seed": found.seeds[0]})
    flags = ["--model", "reader", "--metadata", metadata, "--output_path", str(tmp_path)]
    [alone] = run(["hugagent_cross_person_synthetic"], flags, Options()).results["results"].values()
    assert alone["composite,none"] == found.null[0]
    other = compare(tmp_path, "hugagent_synthetic", "reader", derangements=1, seed=8)
    assert other.observed == found.observed
    assert other.null != found.null


def test_answers_from_log_probabilities_are_tested_too(tmp_path: Path) -> None:
    flags = ("--limit", "100")
    found = compare(tmp_path, "hugagent_bsi_synthetic_zoning_logprob", "reader", *flags)
    assert found.metric == "bsi_acc"
    assert found.p_value == 1 / 5


@pytest.mark.slow
def test_p_is_valid_for_random_answers(restless: str, tmp_path: Path) -> None:
    tests = 25
    p_values = [
        compare(
            tmp_path,
            "hugagent_bsi_synthetic",
            restless,
            *("--limit", "60", "--model_args", f"seed={seed}"),
            seed=seed,
        ).p_value
        for seed in range(tests)
    ]
    for alpha in (0.2, 0.4, 0.6, 0.8):
        share = sum(p <= alpha + 1e-9 for p in p_values) / tests
        # Three binomial standard errors above α.
        assert share <= alpha + 3 * (alpha * (1 - alpha) / tests) ** 0.5
    assert len(set(p_values)) > 2


class Parrot(LM):
    """Says A to everything."""

    def generate_until(self, requests: list[Instance]) -> list[str]:
        return ["A" for _ in requests]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        return [(0.0, True) for _ in requests]

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        return [0.0 for _ in requests]


def test_the_model_is_loaded_once_and_nothing_is_asked_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[LM] = []

    def make(arguments: Any) -> LM:
        made.append(Parrot())
        return made[-1]

    monkeypatch.setattr(harness, "make_model", make)
    # The name of a model that lm-eval knows.
    told = ("hugagent_bsi_synthetic", "dummy", "--limit", "20")
    first = compare(tmp_path, *told, derangements=1)
    assert len(made) == 1
    assert first.record["journal"]["asked"] == 2 * 20
    again = compare(tmp_path, *told, derangements=1)
    assert (again.record["journal"]["asked"], again.record["journal"]["reused"]) == (0, 2 * 20)
    assert again.null == first.null
    assert again.p_value == 1.0


def test_the_command_writes_where_output_path_says(tmp_path: Path) -> None:
    told = ("identity", "hugagent_bsi_synthetic", "--derangements", "1", "--limit", "20")
    done = CliRunner().invoke(app, [*told, "--output_path", str(tmp_path / "own")])
    assert done.exit_code == 0
    [path] = (tmp_path / "own").glob("identity_*.json")
    assert f"Written: {path}" in done.stdout


def test_what_was_found_is_written_with_all_that_repeats_it(tmp_path: Path) -> None:
    found = compare(tmp_path, "hugagent_bsi_synthetic", "majority", "--limit", "60")
    written = json.loads(identity.write(found, tmp_path / "new").read_text(encoding="utf-8"))
    assert written["p_value"] == 1.0
    assert tuple(written["seeds"]) == found.seeds
    assert written["record"]["model"] == "majority"
    assert written["record"]["metadata"] == {}
    assert written["record"]["data"]["dataset"] == "hugagent-synthetic"


@pytest.mark.parametrize(
    ("task", "flags", "choices", "message"),
    [
        ("hugagent_bsi_synthetic_topics", (), {}, "needs one task"),
        ("hugagent_no_context_synthetic", (), {}, "no ablation"),
        ("hugagent_bsi_synthetik", (), {}, "Did you mean 'hugagent_bsi_synthetic'"),
        ("hugagent_bsi_synthetic", (), {"metric": "f1"}, "no score 'f1'; it has: bsi_acc"),
        ("hugagent_bsi_synthetic", (), {"metric": "n_people"}, "no score 'n_people'"),
        ("hugagent_bsi_synthetic", (), {"derangements": 0}, "at least 1"),
        ("hugagent_bsi_synthetic", (), {"seed": -1}, "The seed is -1"),
        ("hugagent_synthetic", ("--limit", "3"), {}, "could not be measured"),
        (
            "hugagent_bsi_synthetic",
            ("--metadata", '{"derangement_seed": 1}'),
            {},
            "leave derangement_seed out",
        ),
    ],
)
def test_what_cannot_be_tested_is_one_clear_error(
    task: str, flags: tuple[str, ...], choices: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(OtherMindsError, match=message):
        compare(tmp_path, task, "majority", *flags, **choices)
