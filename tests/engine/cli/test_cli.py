"""The command line as a user meets it, with real output and real errors."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest

from otherminds import harness, manifest
from otherminds.data import loading as data
from tests.conftest import Command
from tests.helpers import hashed_model, killed
from tests.helpers.packed import opened
from tests.helpers.tiny_model import make as make_model

FILE = str(Path(__file__))

SUBSET = ("--metadata", '{"data_subset": 50}')


@pytest.fixture(scope="module")
def parrot(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real model that answers 5 to everything."""
    rows = data.for_task(dataset="hugagent-synthetic", configs=["bdu"], data_subset=50)["test"]
    texts = [turn["answer"] for row in rows.select(range(100)) for turn in row["context"]]
    return make_model(tmp_path_factory.mktemp("model"), [*texts, "1 2 3 4 5"], says="5")


def only(folder: Path, pattern: str) -> Path:
    [path] = folder.rglob(pattern)
    return path


def test_the_quick_start_prints_scores_beside_their_references(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    done = command("otherminds", "run", "hugagent_synthetic", *SUBSET, cwd=tmp_path)
    for word in ("bdu_dir ↑", "95 % interval", "chance", "reader", "people", "--details"):
        assert word in done.stdout
    assert done.stdout.startswith("hugagent_synthetic")
    # No bars of other programs, and none without a terminal.
    assert "\r" not in done.stderr
    assert "it/s" not in done.stderr
    results = json.loads(only(tmp_path, "results_*.json").read_text())
    ours = results["otherminds"]
    assert ours["weightless"] is True
    assert ours["reads_gold"] is False
    facts = ours["data"]["hugagent_synthetic"]
    known = manifest.load("hugagent-synthetic")
    assert facts["version"] == known.version
    assert facts["content_hash"]["bdu"] == known.configs["bdu"].content_hash
    assert facts["subset"] == 50
    with opened(only(tmp_path, "samples_*.jsonl.zst")) as lines:
        samples = [json.loads(line) for line in lines]
    assert len(samples) == results["n-samples"]["hugagent_synthetic"]["effective"]
    assert {"doc", "arguments", "filtered_resps", "doc_hash", "bdu_acc"} <= set(samples[0])


def test_a_baseline_learns_from_everybody_whatever_subset_is_run(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    words = ("otherminds", "run", "--model", "majority", "hugagent_bsi_synthetic")
    command(*words, *SUBSET, "--output_path", "subset", cwd=tmp_path)
    results = json.loads(only(tmp_path / "subset", "results_*.json").read_text())
    expected = manifest.load("hugagent-synthetic").references["majority"].scores["subset_50"]
    found = results["results"]["hugagent_bsi_synthetic"]["bsi_acc,none"]
    assert found == pytest.approx(expected["bsi_acc"], abs=1e-6)


def test_results_state_every_number_with_its_interval_and_n_under_both_protocols(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    command("otherminds", "run", "hugagent_synthetic", "--model", "random", *SUBSET, cwd=tmp_path)
    results = json.loads(only(tmp_path, "results_*.json").read_text())
    scores = results["otherminds"]["scores"]["hugagent_synthetic"]
    printed = results["results"]["hugagent_synthetic"]
    for name, estimate in scores["estimates"].items():
        assert estimate["value"] == pytest.approx(printed[f"{name},none"])
        assert estimate["stderr"] == pytest.approx(printed[f"{name}_stderr,none"])
        assert estimate["low"] <= estimate["value"] <= estimate["high"]
        assert estimate["n"] > 0 < estimate["n_clusters"] <= 50
    assert scores["estimates"]["bdu_direction"]["n"] == scores["counts"]["n_both_changed"]
    assert set(scores["by_topic"]) == {"healthcare", "surveillance", "zoning"}
    # Every answer could be read, so the protocols agree on this track.
    assert scores["release_protocol"]["bdu_mae"] == scores["estimates"]["bdu_mae"]
    assert scores["bootstrap"]["draws"] == 2_000


def test_a_run_that_reads_gold_says_so(cache: Path, command: Command, tmp_path: Path) -> None:
    flags = ("--model", "oracle", "--limit", "20", "--output_path", "here")
    done = command("otherminds", "run", "hugagent_bsi_synthetic", *flags, cwd=tmp_path)
    assert "reads gold answers" in done.stdout
    assert "20 of 3,902 documents were run" in done.stdout
    # A reference on all documents says little of twenty: it stands there by another name, with a note.
    assert "chance (all)" in " ".join(done.stdout.split())
    assert "References with (all) are on all documents" in done.stdout
    results = json.loads(only(tmp_path / "here", "results_*.json").read_text())
    assert results["otherminds"]["reads_gold"] is True
    assert results["results"]["hugagent_bsi_synthetic"]["bsi_acc,none"] == 1.0


def test_a_metric_with_nothing_to_measure_is_null_in_strict_json(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    flags = ("--model", "dummy", "--limit", "5")
    done = command("otherminds", "run", "hugagent_bdu_synthetic", *flags, cwd=tmp_path)
    assert "n/a" in done.stdout

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    text = only(tmp_path, "results_*.json").read_text()
    numbers = json.loads(text, parse_constant=refuse)["results"]["hugagent_bdu_synthetic"]
    assert numbers["bdu_mae,none"] is None
    assert numbers["parse_rate,none"] == numbers["n_mae,none"] == 0


@pytest.mark.slow
def test_a_real_model_runs_with_its_chat_template_and_resumes_from_the_journal(
    parrot: Path, command: Command, tmp_path: Path
) -> None:
    flags = (
        *("--model", "hf", "--model_args", f"pretrained={parrot},dtype=float32"),
        *("--device", "cpu", "--batch_size", "4", "--limit", "14"),
    )
    tasks = ("hugagent_synthetic", "hugagent_synthetic_logprob")
    first = command("otherminds", "run", *tasks, *flags, cwd=tmp_path)
    assert "Chat template applied" in first.stdout
    results = json.loads(only(tmp_path, "results_*.json").read_text())
    ours = results["otherminds"]
    assert ours["window"]["checked"]
    assert ours["window"]["n_truncated"] == 0
    assert "<|assistant|>" in ours["chat_template"]
    assert ours["journal"]["reused"] == 0
    # The model says 5 to everything: an answer to every number item, none to a letter item.
    assert results["results"]["hugagent_synthetic"]["n_mae,none"] > 0
    assert 0 < results["results"]["hugagent_synthetic"]["parse_rate,none"] < 1
    assert results["results"]["hugagent_synthetic_logprob"]["parse_rate,none"] == 1
    with opened(only(tmp_path, "samples_hugagent_synthetic_2*.zst")) as lines:
        prompt = json.loads(next(lines))["arguments"]["gen_args_0"]["arg_0"]
    assert prompt.startswith("<|system|>You predict")
    assert prompt.endswith("<|assistant|>")

    again = command("otherminds", "run", *tasks, *flags, cwd=tmp_path)
    assert "Requests asked: 0;" in again.stdout
    bare = command("otherminds", "run", tasks[0], *flags, "--no-chat-template", cwd=tmp_path)
    assert "Chat template not applied" in bare.stdout
    assert "Requests asked: 14;" in bare.stdout


@pytest.mark.attack(
    "a run is killed",
    outcome="answered requests are not asked again",
    against="answers",
)
def test_a_run_killed_in_the_middle_asks_nothing_twice(
    cache: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What is asked again does not depend on the model, and one without weights starts at once.
    monkeypatch.setattr(harness, "model_names", lambda: [hashed_model.NAME])
    monkeypatch.setattr(harness, "make_model", hashed_model.make)
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    (tasks / "repeated.yaml").write_text(
        f"include: {only_task('hugagent_bdu_synthetic')}\ntask: repeated\nrepeats: 3\n"
    )
    words = (
        *("otherminds", "run", "repeated", "--include_path", str(tasks)),
        *("--model", hashed_model.NAME, "--limit", "6"),
    )
    # Of six documents: in the middle of the repeats of the fourth.
    killed.run_until(10, words[1:], tmp_path)
    journal = tmp_path / "otherminds-results" / "journal.sqlite"
    kept = count(journal)
    assert kept == 10

    done = command(*words, cwd=tmp_path)
    assert f"Requests asked: {18 - kept}; taken from the journal: {kept}." in done.stdout
    assert count(journal) == 18
    again = command(*words, cwd=tmp_path)
    assert "Requests asked: 0; taken from the journal: 18." in again.stdout


def only_task(name: str) -> Path:
    from otherminds import paths

    return only(paths.tasks(), f"{name}.yaml")


def count(journal: Path) -> int:
    if not journal.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True, timeout=60) as database:
            return int(database.execute("SELECT COUNT(*) FROM answers").fetchone()[0])
    except sqlite3.OperationalError:  # not yet a table
        return 0


def test_prompts_that_would_be_cut_are_refused_before_anything_is_asked(
    parrot: Path, command: Command, tmp_path: Path
) -> None:
    flags = (
        *("--model", "hf", "--device", "cpu", "--limit", "3"),
        *("--model_args", f"pretrained={parrot},dtype=float32,max_length=600"),
    )
    refused = command("otherminds", "run", "hugagent_bdu_synthetic", *flags, cwd=tmp_path, code=1)
    assert "3 of 3 prompts do not fit" in refused.stderr
    assert "Traceback" not in refused.stderr
    allowed = command(
        "otherminds", "run", "hugagent_bdu_synthetic", "--allow-truncation", *flags, cwd=tmp_path
    )
    assert "3 prompts were cut to the model's window" in allowed.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "hugagent_syntetic"], "Did you mean 'hugagent_synthetic'?"),
        (["run"], "Say which task to run"),
        (["run", "hugagent_bsi_synthetic", "--model", "oracl"], "Did you mean 'oracle'?"),
        (["run", "hugagent_bsi_synthetic", "--output_path", "/proc/x"], "Cannot write"),
        (
            ["run", "hugagent_bsi_synthetic", "--metadata", '{"data_source": "/nowhere"}'],
            "is not a folder",
        ),
        (["run", "hugagent_bsi_synthetic", "--model_args", "sed=1"], "does not take these"),
        (["run", "hugagent_bsi_synthetic", "--limit", "0"], "--limit must be"),
        (["run", "hugagent_bsi_synthetic", "--metadata", "{data_subset:50}"], "Invalid JSON"),
        (
            ["run", "hugagent_bsi_synthetic", "--model", "hf", "--model_args", "pretrained=/no"],
            "There is no model at /no",
        ),
        (["run", "hugagent_bsi_synthetic", "--use_cache", "c"], "does not take --use_cache: its"),
        (["run", "hugagent_bsi_synthetic", "--model", "gguf", "--limit", "1"], "pass `base_url`"),
        (
            ["run", "hugagent_bsi_synthetic", "--model", "hf", "--limit", "1"],
            "give `--model_args pretrained=OWNER/NAME`",
        ),
        (["run", "hugagent_bsi_synthetic", "--model", "openai-completions"], "need `model=NAME`"),
        (
            [
                *("run", "hugagent_bsi_synthetic", "--model", "openai-chat-completions"),
                *("--model_args", "model=x"),
            ],
            "API key not found",
        ),
        (["run", "hugagent_bsi_synthetic", "--output_path", FILE], f"{FILE} is a file; give a"),
        (
            ["run", "hugagent_bsi_synthetic", "--metadata", "data_subset=70"],
            "'hugagent-synthetic' has no subset of 70; data_subset can be: 50.",
        ),
        (["build", "hugagent-synthetic", "/proc/x"], "Cannot write /proc"),
        (["build", "hugagent-synthetic", f"{FILE}/x"], f"{FILE} is a file; give a folder."),
        (["show", "hugagent_bsi_synthetik"], "Did you mean 'hugagent_bsi_synthetic'?"),
        (["show", "hugagent_bsi_synthetic", "--item", "99999"], "--item goes from 0 to 3901"),
        (["build", "hugagent-synthetik", "out"], "Did you mean 'hugagent-synthetic'?"),
    ],
)
def test_errors_are_one_line_that_says_what_to_do(
    cache: Path,
    command: Command,
    tmp_path: Path,
    words: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = command("otherminds", *words, cwd=tmp_path, code=1)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    debug = command("otherminds", "--debug", *words, cwd=tmp_path, code=1)
    assert "Traceback" in debug.stderr


def test_list_and_show_say_what_there_is(cache: Path, command: Command, tmp_path: Path) -> None:
    tasks = command("otherminds", "list", "hugagent", cwd=tmp_path).stdout
    assert "hugagent_bdu_synthetic_zoning_logprob" in tasks
    assert "hugagent_bsi_synthetic_topics" in tasks
    assert "generated here" in command("otherminds", "list", "--datasets", cwd=tmp_path).stdout
    models = command("otherminds", "list", "--models", cwd=tmp_path).stdout
    assert "persistence" in models
    assert "vllm" in models
    shown = command("otherminds", "show", "hugagent_bsi_synthetic", cwd=tmp_path).stdout
    for word in ("Apache-2.0", "3,902 documents about 500 people", "Gold answer", "Interviewer:"):
        assert word in shown


def test_build_writes_what_it_found(command: Command, tmp_path: Path) -> None:
    done = command(
        "otherminds", "build", "trust-game-synthetic", "out", "--num-proc", "2", cwd=tmp_path
    )
    audits = json.loads((tmp_path / "out" / "audit.json").read_text())
    rows, passed, written = done.stdout.splitlines()
    assert re.fullmatch(r"Rows: [0-9,]+ \w+(, [0-9,]+ \w+)*", rows)
    assert passed == f"All {len(audits)} audits passed (--verbose prints them)"
    assert written == "Written: out"
    assert all(audit["passed"] for audit in audits)


@pytest.mark.slow
@pytest.mark.first
def test_doctor_passes_and_lm_eval_finds_the_tasks_by_path(
    cache: Path, command: Command, tmp_path: Path
) -> None:
    said = command("otherminds", "doctor", "--verbose", cwd=tmp_path).stdout
    assert "No faults" in said
    for part in ("package lm-eval", "template", "manifest", "file", "task", "cache"):
        assert f"ok {part}" in said
    assert " link: " in said
    folder = command("otherminds", "tasks-path", cwd=tmp_path).stdout.strip()
    done = command(
        *("lm_eval", "--include_path", folder, "--tasks", "hugagent_bdu_synthetic"),
        *("--model", "dummy", "--limit", "5", "--log_samples", "--output_path", "out"),
        cwd=tmp_path,
    )
    line = next(line for line in done.stdout.splitlines() if "parse_rate" in line)
    assert float(line.split("|")[7]) == 0.0
