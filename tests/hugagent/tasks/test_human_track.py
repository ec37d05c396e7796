"""The human track: fictional and text-free real data through the real tasks, and life without access."""

from __future__ import annotations

import csv
import io
import json
import math
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import datasets
import pytest
import yaml
from rich.console import Console

from otherminds import harness, manifest, paths
from otherminds.cli import catalogue, doctor
from otherminds.data import hub, upstream
from otherminds.data import loading as data
from otherminds.data.build import dataset as build
from otherminds.errors import AccessNeededError, OtherMindsError
from otherminds.metrics.hugagent import RELEASE, uniform_scores
from otherminds.running import report_tables
from otherminds.running.models import Options
from otherminds.running.run import run
from otherminds.tasks.hugagent.scoring import item
from tests.conftest import Command
from tests.helpers import fictional_hugagent as fictional
from tests.helpers.openai_server import POLL

TOPICS = ("healthcare", "surveillance", "zoning")
HEADLINE = [
    f"{kind}{topic}{form}"
    for kind in ("hugagent", "hugagent_bsi", "hugagent_bdu")
    for topic in ("", *(f"_{topic}" for topic in TOPICS))
    for form in ("", "_logprob")
]
# What a user without access must be told.
WAY_OUT = ("CC-BY-NC-4.0", "profile or target individuals", "hf auth login", "hugagent_synthetic")


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone-shaped folder with four fictional people."""
    return fictional.write_clone(fictional.sample(), tmp_path_factory.mktemp("human") / "clone")


@pytest.fixture(scope="session")
def release(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone-shaped folder with the real golds and invented text, at the release's size."""
    golds = shared_data / "hugagent" / "golds.csv"
    if not golds.is_file():
        pytest.skip(f"No HugAgent golds at {golds}.")
    return fictional.write_clone(
        fictional.full_release(golds), tmp_path_factory.mktemp("release") / "clone"
    )


@pytest.fixture(autouse=True)
def _nobody_is_logged_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    harness.quiet(debug=False)
    monkeypatch.setattr("huggingface_hub.get_token", lambda: None)
    monkeypatch.setattr("huggingface_hub.is_offline_mode", lambda: False)
    yield
    upstream.from_hub.cache_clear()


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that opens a connection."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def load(name: str, source: Path) -> Any:
    manager = harness.task_manager({"data_source": str(source)})
    return harness.load_tasks(manager, [name])[name]


def scores(name: str, model: str, source: Path, out: Path, *flags: str) -> dict[str, float]:
    metadata = ("--metadata", json.dumps({"data_source": str(source)}))
    words = ["--model", model, *metadata, "--output_path", str(out), *flags]
    numbers = run([name], words, Options()).results["results"][name]
    return {key.split(",")[0]: value for key, value in numbers.items() if "," in key}


def aggregated(task: Any, answers: Callable[[Mapping[str, Any]], list[str]]) -> dict[str, float]:
    """A task's numbers for given texts, by the way that lm-eval takes."""
    rows = [task.process_results(doc, [answers(doc)]) for doc in task.eval_docs]
    return {
        entry["metric"]: entry["aggregation"]([row[entry["metric"]] for row in rows])
        for entry in task.config.metric_list
    }


@pytest.mark.parametrize("name", HEADLINE)
def test_the_oracle_is_perfect_but_for_golds_that_no_answer_meets(
    name: str, clone: Path, tmp_path: Path
) -> None:
    found = scores(name, "oracle", clone, tmp_path)
    for metric in ("bdu_acc", "bdu_dir", "bdu_change", "bsi_acc_release", "bdu_dir_release"):
        assert found.get(metric, 1.0) == 1.0, metric
    # One of the eight BSI golds on zoning is "A/B", which no letter meets under the paper's protocol.
    topic = next((topic for topic in TOPICS if topic in name), "")
    if "bsi_acc" in found:
        by_topic = {"": (1 + 1 + 7 / 8) / 3, "zoning": 7 / 8}
        assert found["bsi_acc"] == pytest.approx(by_topic.get(topic, 1.0))
    # On zoning each of the four people has one gold of 0 among 4, 4, 3 and 4 items: nearest is 1.
    if "bdu_mae" in found:
        by_topic = {"": 4 / 15 / 3, "zoning": 4 / 15}
        assert found["bdu_mae"] == pytest.approx(by_topic.get(topic, 0.0))
        assert found["bdu_mae_release"] == found["bdu_mae"]
        assert found["n_pairs"] <= found["n_pairs_release"]
    assert found["parse_rate"] == 1.0
    is_whole = name in ("hugagent", "hugagent_logprob")
    is_topic = name.startswith(f"hugagent_{topic}") and bool(topic)
    assert ("ati" in found, "ati_release" in found) == (is_whole or is_topic, is_whole)
    assert ("composite" in found) == is_topic
    if is_topic:
        ends = [
            manifest.load("hugagent").references[end].scores[topic]["composite"]
            for end in ("chance", "human")
        ]
        ati = 100 * (found["composite"] - ends[0]) / (ends[1] - ends[0])
        assert found["ati"] == pytest.approx(ati)
    if is_whole:
        assert 130 < found["ati"] < found["ati_release"] < 141
        assert found["ati_stderr"] > 0


def test_the_groups_hold_the_topics() -> None:
    for kind in ("bsi", "bdu"):
        tasks = harness.load_yaml(paths.tasks() / "hugagent" / f"hugagent_{kind}_topics.yaml")
        assert tasks["task"] == [f"hugagent_{kind}_{topic}" for topic in TOPICS]


def human_tasks() -> list[str]:
    """All tasks whose documents are the human track's items, those of ablations included."""
    found = []
    for entry in harness.entries(harness.task_manager()):
        if entry.kind != "task" or entry.path is None:
            continue
        config = harness.load_yaml(entry.path)
        wanted = config.get("dataset_kwargs") or {}
        if wanted.get("dataset") == "hugagent" and config["custom_dataset"] is data.for_task:
            found.append(entry.name)
    return found


def test_no_prompt_shows_what_upstream_marks_as_the_source_of_an_answer(clone: Path) -> None:
    records = {record["item_id"]: record for record in fictional.sample()}
    names = human_tasks()
    assert set(HEADLINE) <= set(names)
    checked = 0
    for name in names:
        task = load(name, clone)
        for doc in task.eval_docs:
            assert not {"source_qa", "reasoning"} & set(doc)
            record = records[doc["item_id"]]
            if "source_qa" in record:
                prompt = task.doc_to_text(doc)
                assert doc["source_shown"] or record["source_qa"]["answer"] not in prompt
                assert record["reasoning"] not in prompt
                checked += 1
    assert checked > 24 * len(TOPICS)


def test_each_kind_of_item_is_rendered_in_full(clone: Path) -> None:
    task = load("hugagent", clone)
    records = {record["item_id"]: record for record in fictional.sample()}
    for doc in task.eval_docs:
        prompt, record = task.doc_to_text(doc), records[doc["item_id"]]
        for turn in record["context_qas"]:
            assert turn["answer"] in prompt
        assert record["task_question"] in prompt
        assert record.get("reason_text", "") in prompt
        for option in record.get("answer_options", {}).values():
            assert option in prompt


def test_the_hubs_parquet_gives_the_same_rows_as_a_clone(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fictional.write_parquet(fictional.sample(), tmp_path)
    asked, real = [], datasets.load_dataset

    def local(repo: str, config: str, *, split: str, revision: str) -> Any:
        asked.append((repo, config, split, revision))
        files = str(tmp_path / "data" / config / "*.parquet")
        return real(
            "parquet", data_files={split: files}, split=split, cache_dir=str(tmp_path / "c")
        )

    monkeypatch.setattr(datasets, "load_dataset", local)
    monkeypatch.setattr("huggingface_hub.get_token", lambda: "hf_someone")
    for config in ("bsi", "bdu"):
        theirs = data.load("hugagent", config, source="hub", revision="sample")["test"]
        assert theirs.data.table.equals(
            data.load("hugagent", config, source=str(clone))["test"].data.table
        )
    pinned = manifest.load("hugagent").upstream
    assert pinned is not None
    assert asked == [(pinned.hub, name, "test", "sample") for name in pinned.configs.values()]
    # At the pinned revision too, other data load, and are called so.
    here = data.locate("hugagent", source="hub")
    assert here.version == "not a release"
    assert "Counts_bsi: healthcare 8, surveillance 8, zoning 8" in str(here.note)


def test_without_a_source_the_shelf_comes_before_the_hub(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHERMINDS_DATA", str(tmp_path))
    (tmp_path / "hugagent").symlink_to(clone)
    origin = data.locate("hugagent")
    assert (origin.kind, origin.location) == ("clone", str(clone.resolve()))


def test_a_sample_is_used_with_a_note_and_its_own_hashes(
    clone: Path, cache: Path, tmp_path: Path, command: Command
) -> None:
    metadata = ("--metadata", json.dumps({"data_source": str(clone)}))
    done = command(
        "otherminds", "run", "hugagent", "hugagent_zoning", *metadata, "--details", cwd=tmp_path
    )
    assert "do not compare these scores with scores on the release" in " ".join(done.stdout.split())
    assert "ati_release ↑" in done.stdout
    for line in ("All tasks, ± SE", "people asked again: BSI 0.848 (0.800 – 0.897, n = 13)"):
        assert line in " ".join(done.stdout.split())
    # References are for the release's items.
    assert "paper_random" not in done.stdout
    [path] = tmp_path.rglob("results_*.json")
    ours = json.loads(path.read_text())["otherminds"]
    known = {task: found["estimates"] for task, found in ours["scores"].items()}
    fixed, wider = known["hugagent"]["ati"], known["hugagent"]["ati_with_ceiling"]
    assert wider["value"] == pytest.approx(fixed["value"])
    assert wider["stderr"] > fixed["stderr"]
    assert "ati_with_ceiling" not in known["hugagent_zoning"]
    # The topic's own ends, whether it is run alone or is one of three.
    by_topic = ours["scores"]["hugagent"]["by_topic"]
    assert by_topic["zoning"]["ati"]["value"] == pytest.approx(
        known["hugagent_zoning"]["ati"]["value"]
    )
    assert "between uniform guesses and people asked again on zoning" in " ".join(
        done.stdout.split()
    )
    facts = ours["data"]["hugagent"]
    assert facts["version"] == "not a release"
    assert "67 items" in facts["note"]
    assert set(facts["content_hash"]) == {"bsi", "bdu"}
    assert all(len(digest) == 64 for digest in facts["content_hash"].values())
    # Nothing of it is kept.
    assert not (cache / "hugagent").exists()


def test_the_content_hash_tells_samples_apart(clone: Path, tmp_path: Path) -> None:
    records = fictional.sample()
    records[0]["context_qas"][0]["answer"] = "I changed my mind about the clinic."
    other = fictional.write_clone(records, tmp_path / "other")
    first, second = (
        data.provenance("hugagent", ["bsi", "bdu"], data_source=str(folder))["content_hash"]
        for folder in (clone, other)
    )
    assert first["bsi"] != second["bsi"]
    assert first["bdu"] == second["bdu"]


def test_ati_needs_all_three_topics(tmp_path: Path) -> None:
    records = [record for record in fictional.sample() if record["topic"] != "zoning"]
    source = fictional.write_clone(records, tmp_path / "clone")
    found = scores("hugagent", "oracle", source, tmp_path)
    assert math.isnan(found["ati"])
    assert math.isnan(found["ati_release"])
    assert found["bsi_acc"] == found["bdu_acc"] == 1.0
    with pytest.raises(OtherMindsError, match="has no rows for topic zoning"):
        load("hugagent_zoning", source)


@pytest.mark.parametrize(
    ("name", "topics"),
    [
        ("hugagent", TOPICS),
        ("hugagent", TOPICS[:2]),
        *((f"hugagent_{one}", TOPICS) for one in TOPICS),
    ],
)
def test_results_have_an_ati_of_the_release_for_all_topics_alone(
    name: str, topics: tuple[str, ...], tmp_path: Path
) -> None:
    records = [record for record in fictional.sample() if record["topic"] in topics]
    task = load(name, fictional.write_clone(records, tmp_path / "clone"))
    scored = [
        task.process_results(doc, [["A" if doc["task"] == "bsi" else "1"]])["bsi_acc"].record
        for doc in task.eval_docs
    ]
    found = scored[0].details(scored)
    # A single topic lies between other ends than the release's, which are averages over all three.
    assert ("ati" in found["release_protocol"]) == (name == "hugagent" and topics == TOPICS)
    assert {"bsi_acc", "bdu_mae", "bdu_dir"} <= found["release_protocol"].keys()


def test_an_id_of_two_different_items_is_refused(tmp_path: Path) -> None:
    records = fictional.sample()
    records[1]["item_id"] = records[0]["item_id"]
    source = fictional.write_clone(records, tmp_path / "clone")
    with pytest.raises(
        OtherMindsError, match=r"is taken by .* Which of the two is the item"
    ) as caught:
        load("hugagent_bsi", source)
    assert "\n" not in str(caught.value)


def test_a_release_with_another_gold_is_not_called_the_release(
    release: Path, tmp_path: Path
) -> None:
    records = []
    for path in sorted((release / "Benchmark" / "data").iterdir()):
        records += [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    next(record for record in records if record.get("answer") == "A/B")["answer"] = "A"
    source = fictional.write_clone(records, tmp_path / "clone")
    here = data.locate("hugagent", source=str(source))
    assert here.version == "not a release"
    assert "Either_answers: 2.0" in str(here.note)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"data_source": "/nowhere"}, r"is not a clone .* or 'hub'"),
        ({"data_revision": "main"}, "only makes sense with the data source 'hub'"),
    ],
)
def test_a_wrong_source_is_one_clear_error(wanted: dict[str, str], message: str) -> None:
    with pytest.raises(OtherMindsError, match=message):
        data.for_task(dataset="hugagent", configs=["bsi"], **wanted)


def test_there_is_no_subset_of_fifty_people(clone: Path) -> None:
    with pytest.raises(OtherMindsError, match="no rows for data_subset 50"):
        data.for_task(dataset="hugagent", configs=["bsi"], data_source=str(clone), data_subset=50)


# At the release's size, with the real golds.


def test_the_release_has_its_counts(release: Path) -> None:
    facts = manifest.load("hugagent").facts
    assert facts is not None
    for kind in ("bsi", "bdu"):
        for topic, count in facts["items"][kind].items():
            assert len(load(f"hugagent_{kind}_{topic}", release).eval_docs) == count
    found = data.provenance("hugagent", ["bsi", "bdu"], data_source=str(release))
    assert (found["version"], found["source"]) == (manifest.load("hugagent").version, "clone")
    assert "note" not in found
    docs = load("hugagent", release).eval_docs
    assert len(docs) == manifest.load("hugagent").rows == 1742
    assert len(set(docs["participant_id"])) == 54


# DESIGN §4: accuracies and direction in percent, paper's protocol with ATI, then the release's.
GOLDEN = {
    "gpt-5.1": {
        "ati": (67.94, 2),
        "ati_release": (69.26, 2),
        "bsi_acc": (73.36, 2),
        "bdu_acc": (67.13, 2),
        "bdu_mae": (1.17, 2),
        "bdu_dir": (80.94, 2),
        "bsi_acc_release": (74.10, 2),
        "bdu_mae_release": (1.175, 3),
        "bdu_dir_release": (82.01, 2),
    },
    "claude-sonnet-4-5": {
        "ati": (70.50, 2),
        "ati_release": (73.55, 2),
        "bsi_acc": (76.04, 2),
        "bdu_acc": (68.61, 2),
        "bdu_mae": (1.18, 2),
        "bdu_dir": (78.73, 2),
        "bsi_acc_release": (76.83, 2),
        "bdu_mae_release": (1.181, 3),
        "bdu_dir_release": (82.31, 2),
    },
}


def as_printed(name: str, value: float) -> float:
    return value if name.startswith(("bdu_mae", "ati")) else 100 * value


@pytest.mark.parametrize("model", list(GOLDEN))
def test_published_answers_give_the_golden_values(
    model: str, release: Path, shared_data: Path
) -> None:
    path = shared_data / "hugagent" / "predictions" / f"{model}.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = {row["item_id"]: row for row in csv.DictReader(file)}
    runs = [f"run{number}" for number in range(1, 6)]
    found = aggregated(
        load("hugagent", release), lambda doc: [rows[doc["item_id"]][run] for run in runs]
    )
    for name, (value, digits) in GOLDEN[model].items():
        assert round(as_printed(name, found[name]), digits) == value, name
        assert found[f"{name}_stderr"] > 0
    assert (found["n_pairs"], found["n_pairs_release"], found["n_people"]) == (92, 179, 54)


def test_a_constant_answerer_gives_the_golden_release_values(release: Path) -> None:
    found = aggregated(
        load("hugagent", release), lambda doc: ["A" if doc["task"] == "bsi" else "1"]
    )
    assert round(found["ati_release"], 6) == 2.021557
    assert round(100 * found["bsi_acc_release"], 4) == 63.6388
    assert round(found["bdu_mae_release"], 6) == 1.680472
    assert round(100 * found["bdu_dir_release"], 4) == 15.3375


def test_an_unread_answer_is_an_error_of_six_for_the_release_alone(clone: Path) -> None:
    task = load("hugagent_bdu", clone)
    doc = task.eval_docs[0]
    scored = task.process_results(doc, [["no idea"]])
    assert scored["bdu_mae"] == [None]
    assert scored["bdu_mae_release"] == [6.0]
    found = aggregated(task, lambda doc: [""])
    assert found["bdu_mae_release"] == 6.0
    assert math.isnan(found["bdu_mae"])


def test_more_references_than_fit_beside_the_scores_fit_below_them() -> None:
    known = manifest.load("hugagent").references
    references = {name: one.scores["all"] for name, one in known.items()}
    metrics = list(references["chance"])
    made = report_tables.results_table(
        "hugagent", metrics, dict.fromkeys(metrics), {"estimates": {}}, references, "people"
    )
    printed = io.StringIO()
    Console(width=80, file=printed).print(made)
    lines = printed.getvalue().splitlines()
    below = lines[lines.index(next(line for line in lines if "For comparison" in line)) :]
    assert not any("…" in line for line in below)
    [line] = [line.split() for line in below if line.startswith("bdu_mae ")]
    assert line[1:] == ["1.870", "1.680", "1.059", "1.880", "0.680"]


def test_the_manifests_chance_is_what_the_real_golds_give(release: Path) -> None:
    items = [item(doc) for doc in load("hugagent", release).eval_docs]
    for topic, stated in manifest.load("hugagent").references["chance"].scores.items():
        part = [one for one in items if topic in ("all", one.topic)]
        paper = uniform_scores(part)
        other = {f"{name}_release": v for name, v in uniform_scores(part, protocol=RELEASE).items()}
        for name, value in stated.items():
            assert value == pytest.approx({**paper, **other}[name], abs=1e-6), (topic, name)


# Without access.


def test_listing_needs_no_data_and_no_network(
    no_network: None, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue.print_tasks("hugagent")
    catalogue.print_datasets()
    shown = capsys.readouterr().out
    assert "hugagent_bdu_zoning_logprob" in shown


@pytest.mark.parametrize("offline", [False, True], ids=["not logged in", "offline"])
def test_without_access_the_error_says_how_to_get_it(
    offline: bool, no_network: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if offline:
        monkeypatch.setattr("huggingface_hub.is_offline_mode", lambda: True)
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        monkeypatch.setattr("datasets.config.HF_HUB_OFFLINE", True)
    with pytest.raises(AccessNeededError) as caught:
        run(["hugagent"], ["--model", "majority"], Options())
    said = str(caught.value)
    assert ("Cannot load" if offline else "not logged in") in said
    assert "\n  1. Log in to the Hub" in said
    assert said.endswith("\nWithout them, run the task hugagent_synthetic.")
    for words in (*WAY_OUT, "data_source", *(manifest.load("hugagent").terms)):
        assert words in said


class Refusing(BaseHTTPRequestHandler):
    """A Hub that knows the dataset and does not hand it out."""

    status = 403

    def do_GET(self) -> None:
        body = b'{"error": "Access to this dataset is restricted."}'
        self.send_response(self.status)
        self.send_header("X-Error-Code", "GatedRepo")
        self.send_header("X-Error-Message", "Access to this dataset is restricted.")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET  # noqa: N815  (the name is the server's)

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("status", [401, 403])
def test_a_refusal_of_the_hub_is_the_same_error(
    status: int, cache: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.get_token", lambda: "hf_nobody")
    handler = type("Handler", (Refusing,), {"status": status})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True).start()
        environment = {
            "HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}",
            "HF_HUB_OFFLINE": "0",
            "HF_TOKEN": "hf_nobody",
            "HF_HOME": str(tmp_path / "hf"),
        }
        done = command("otherminds", "run", "hugagent", cwd=tmp_path, env=environment, code=1)
        server.shutdown()
    assert "\nError: Cannot load 'social-atoms/hugagent'" in f"\n{done.stderr}"
    assert "Traceback" not in done.stderr
    for words in WAY_OUT:
        assert words in done.stderr


def test_show_says_what_the_data_are_with_and_without_access(
    clone: Path, cache: Path, command: Command, tmp_path: Path
) -> None:
    known = manifest.load("hugagent")
    (tmp_path / "hugagent").symlink_to(clone)
    without = command("otherminds", "show", "hugagent_bsi", cwd=tmp_path).stdout
    shelf = {"OTHERMINDS_DATA": str(tmp_path)}
    with_access = command("otherminds", "show", "hugagent_bsi", cwd=tmp_path, env=shelf).stdout
    assert known.access is not None
    for shown in (without, with_access):
        assert "48 of 356 BSI items show the answer" in shown
        assert "(healthcare 13, surveillance 10, zoning 25; 15 people)" in shown
        for words in (*known.terms, known.canary, known.sources[0].url, "gated", "bsi_acc_release"):
            assert str(words) in shown
    for words in (*known.access.steps, "hugagent_synthetic"):
        assert words in without
    assert "Interviewer:" not in without
    assert "Interviewer:" in with_access
    assert "These data: " in with_access
    assert "Source_shown: healthcare 1, surveillance 2, zoning 1" in with_access


@pytest.mark.slow
def test_the_doctor_counts_missing_access_as_no_fault_and_asks_once(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def refuse(repo: str) -> None:
        asked.append(repo)
        raise hub.UnavailableError(f"'{repo}' is not for you.")

    entries = [entry for entry in harness.entries(harness.task_manager()) if entry.name in HEADLINE]
    monkeypatch.setattr(harness, "entries", lambda manager: entries)
    monkeypatch.setattr(hub, "check_login", refuse)
    findings = list(doctor.tasks())
    assert len(findings) == len(HEADLINE)
    assert all(finding.passed for finding in findings)
    assert all("not available here: needs access" in finding.detail for finding in findings)
    assert asked == ["social-atoms/hugagent"]


@pytest.mark.slow
def test_with_data_the_doctor_examines_every_human_task(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hugagent").symlink_to(clone)
    monkeypatch.setenv("OTHERMINDS_DATA", str(tmp_path))
    entries = [entry for entry in harness.entries(harness.task_manager()) if entry.name in HEADLINE]
    monkeypatch.setattr(harness, "entries", lambda manager: entries)
    assert {
        finding.subject: finding.detail for finding in doctor.tasks() if not finding.passed
    } == {}


def test_upstreams_data_are_not_built(tmp_path: Path) -> None:
    with pytest.raises(OtherMindsError, match="cannot be built here"):
        build.build("hugagent", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"access": None}, "needs access too"),
        ({"facts": None, "builder": None}, "needs facts, builder too"),
        (
            {"configs": {"bsi": {"description": "x", "splits": {"test": 1}}}},
            "just the configurations",
        ),
        ({"upstream": None, "generator": {"seed": 1}}, "needs a content_hash"),
        ({"acess": 1}, "acess"),
    ],
)
def test_a_manifest_that_contradicts_itself_is_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    stated = yaml.safe_load(manifest.path_of("hugagent").read_text(encoding="utf-8"))
    path = tmp_path / "manifest.yaml"
    path.write_text(yaml.safe_dump({**stated, **change}), encoding="utf-8")
    with pytest.raises(OtherMindsError, match=message):
        manifest.read(path)


def test_a_manifest_survives_being_written() -> None:
    known = manifest.load("hugagent")
    assert manifest.Manifest.model_validate(yaml.safe_load(manifest.dump(known))) == known
