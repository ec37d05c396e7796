"""The `evaluate` modules: numbers are those of otherminds.metrics, from a folder and from a Space."""

from __future__ import annotations

import doctest
import math
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import evaluate
import pytest
import yaml
from datasets import Dataset
from huggingface_hub import HfApi

import otherminds
from otherminds.errors import OtherMindsError
from otherminds.metrics import clustered_mean, partition
from otherminds.metrics.errors import MetricError
from otherminds.metrics.hugagent import HUMAN, Item, ati, summarize
from otherminds.metrics.hugagent.ranges import RANGES
from otherminds.metrics.trust_game import Played, Stated, consistency
from otherminds.publishing import modules, privacy
from tests.minihub import MiniHub, User

NAMES = ["clustered_accuracy", "hugagent_ati", "hugagent_scores", "trust_consistency"]
BASELINES = {"zoning": "1.1", "surveillance": "2.1", "healthcare": "3.1"}
SCENARIOS = {"zoning": "1.2", "surveillance": "2.6", "healthcare": "3.6"}
Columns = dict[str, list[Any]]


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", True)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("evaluate")


def load(name: str, cache: Path) -> Any:
    return evaluate.load(str(modules.path_of(name)), cache_dir=str(cache), keep_in_memory=True)


def hugagent(people: int = 3) -> Columns:
    """Per person and topic one BSI item, a baseline of 3 and a scenario answer of 7."""
    rows = []
    for person in range(people):
        for topic, baseline in BASELINES.items():
            common = {"participant_id": f"p{person}", "topic": topic, "track": "human"}
            bsi = {"task": "bsi", "question_id": "", "question_type": "", "references": "A"}
            rows.append({**common, **bsi, "options": ["more", "less"], "scale": []})
            for number, gold in ((baseline, "3"), (SCENARIOS[topic], "7")):
                bdu = {"task": "bdu", "question_id": number, "question_type": "opinion"}
                rows.append({**common, **bdu, "references": gold, "options": [], "scale": [1, 10]})
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return columns | {"item_id": [f"i{place}" for place in range(len(rows))]}


def without_track(columns: Mapping[str, list[Any]]) -> Columns:
    return {name: values for name, values in columns.items() if name != "track"}


def by_hand() -> list[str]:
    """Replies to `hugagent()`: person 0 all right, 1 no change seen, 2 one unread and the rest wrong."""
    return ["A", "3", "7"] * 3 + ["B", "3", "3"] * 3 + ["", "10", "1"] * 3


def test_there_are_these() -> None:
    assert modules.names() == NAMES
    with pytest.raises(OtherMindsError, match="Did you mean 'hugagent_ati'"):
        modules.path_of("hugagent_at")


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_each(name: str, cache: Path) -> None:
    """What the card shows is what comes out."""
    loaded = load(name, cache)
    named = {"evaluate": SimpleNamespace(load=lambda *_, **__: loaded)}
    example = doctest.DocTestParser().get_doctest(loaded.inputs_description, named, name, None, 0)
    assert len(example.examples) >= 3
    runner = doctest.DocTestRunner()
    runner.run(example)
    assert runner.failures == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_description_of_each(name: str, cache: Path) -> None:
    info = load(name, cache).info
    assert len(info.description) > 100
    assert "Args:" in info.inputs_description
    assert "(20" in info.citation or "(19" in info.citation


def test_clustered_accuracy(cache: Path) -> None:
    # Right 1 1 0 0, mean ½. Residuals by cluster: p ½ + ½ = 1, q -1. SE = sqrt(2/1 · 2)/4 = ½.
    passed = {"predictions": ["a", "b", "b", "a"], "references": ["a", "b", "a", "b"]}
    found = load("clustered_accuracy", cache).compute(**passed, clusters=["p", "p", "q", "q"])
    assert (found["accuracy"], found["stderr"]) == (0.5, 0.5)
    reference = clustered_mean([1, 1, 0, 0], partition(["p", "p", "q", "q"]))
    # Two clusters: 0.5 ± 12.7 · 0.5, cut to what an accuracy can be.
    assert reference.high > 1
    assert (found["low"], found["high"]) == (0, 1)
    assert (found["n"], found["n_clusters"], found["read_rate"]) == (4, 2, 1.0)


def test_batches_and_labels(cache: Path) -> None:
    metric = load("clustered_accuracy", cache)
    metric.add_batch(predictions=["1", "2"], references=["1", "1"], clusters=["p", "p"])
    metric.add_batch(predictions=["3"], references=["2"], clusters=["q"])
    found = metric.compute(labels=["1", "2"])
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert found["read_rate"] == pytest.approx(2 / 3)  # 3 is not a label
    one = load("clustered_accuracy", cache).compute(
        predictions=["a"], references=["a"], clusters=["p"]
    )
    assert math.isnan(one["stderr"])


def test_hugagent_scores(cache: Path) -> None:
    passed = hugagent()
    found = load("hugagent_scores", cache).compute(predictions=by_hand(), **without_track(passed))
    # Letters: right, wrong, unread. Numbers: 6 right; |3-7| = 4 wrong, 3 right; |10-3|, |1-7| wrong.
    assert found["bsi_acc"] == pytest.approx(1 / 3)
    assert found["bdu_acc"] == pytest.approx(3 / 6)
    # Halved, because the scale has ten points: (0 + 0 + 0 + 4 + 7 + 6)/6 · ½.
    assert found["bdu_mae"] == pytest.approx(17 / 12)
    # All people changed; the model sees +4, 0 and -9: change 2/3, direction ½ of the two that moved.
    assert found["bdu_change"] == pytest.approx(2 / 3)
    assert found["bdu_direction"] == pytest.approx(1 / 2)
    assert found["bdu_dir"] == pytest.approx(0.3 * 2 / 3 + 0.7 / 2)
    assert found["parse_rate"] == pytest.approx(8 / 9)
    assert (found["n_people"], found["n_items"], found["n_pairs"]) == (3, 27, 9)
    assert "ati" not in found
    summary = summarize(items(passed, by_hand()))
    for name in ("bsi_acc", "bdu_mae", "bdu_dir", "composite"):
        one = RANGES[name].cut(summary[name])
        assert found[name] == one.value
        assert found[f"{name}_stderr"] == one.stderr
        assert (found[f"{name}_low"], found[f"{name}_high"]) == (one.low, one.high)


def items(columns: Mapping[str, list[Any]], replies: list[str]) -> list[Item]:
    """The same answers as `otherminds.metrics` takes them."""
    made = []
    for place, reply in enumerate(replies):
        row = {name: values[place] for name, values in columns.items()}
        low, high = row["scale"] or (0, 0)
        answer = None if reply == "" else int(reply) if row["scale"] else reply
        made.append(
            Item(
                *(row[name] for name in ("item_id", "participant_id", "topic", "task")),
                *(row[name] for name in ("question_id", "question_type")),
                *(low, high, row["references"], (answer,)),
            )
        )
    return made


def test_a_part_of_hugagent(cache: Path) -> None:
    """Letters alone have no composite; a column of a dataset will do as it is."""
    rows = Dataset.from_dict(hugagent(1)).filter(lambda row: row["task"] == "bsi")
    metric = load("hugagent_scores", cache)
    passed = {name: rows[name] for name in metric.features if name != "predictions"}
    found = metric.compute(predictions=["A", "less", "The answer is A."], **passed)
    assert found["bsi_acc"] == pytest.approx(2 / 3)
    assert not {"bdu_mae", "composite"} & set(found)


def test_ati(cache: Path) -> None:
    passed = hugagent()
    right = load("hugagent_ati", cache).compute(predictions=passed["references"], **passed)
    assert right["ati"] == pytest.approx(ati(1.0))
    found = load("hugagent_ati", cache).compute(predictions=by_hand(), **passed)
    assert found["ati"] == summarize(items(passed, by_hand()))["ati"].value
    assert found["ati"] < 100 == pytest.approx(ati(0.5 * HUMAN.bsi_acc + 0.5 * _update(HUMAN)))
    again = load("hugagent_ati", cache).compute(predictions=by_hand(), **passed)
    other = load("hugagent_ati", cache).compute(predictions=by_hand(), seed=3, **passed)
    assert again == found
    assert other["ati"] == found["ati"]
    assert other["ati_stderr"] != found["ati_stderr"]


def _update(anchor: Any) -> float:
    level = (anchor.bdu_acc + 1 - anchor.bdu_mae / 4) / 2
    return float((level + anchor.bdu_dir) / 2)


def test_release_protocol(cache: Path) -> None:
    """Either letter is right there where the gold is both, and wrong under the paper's protocol."""
    passed = without_track(hugagent(1))
    passed["references"] = ["A/B" if gold == "A" else gold for gold in passed["references"]]
    replies = ["B" if scale == [] else "5" for scale in passed["scale"]]
    scores = [
        load("hugagent_scores", cache).compute(predictions=replies, protocol=protocol, **passed)
        for protocol in ("paper", "release")
    ]
    assert [one["bsi_acc"] for one in scores] == [0, 1]


def trust() -> Columns:
    """Means a 2, b 5, c 4 against stated 0, 1, 2."""
    return {
        "predictions": [1.0, 3.0, 4.0, 6.0, 3.0, 5.0],
        "references": [0, 0, 1, 1, 2, 2],
        "persona_id": [f"p{place}" for place in range(6)],
        "attribute": ["trait"] * 6,
        "level": ["a", "a", "b", "b", "c", "c"],
    }


def test_trust_consistency(cache: Path) -> None:
    found = load("trust_consistency", cache).compute(stated_eta_squared={"trait": 0.1}, **trust())
    # Ranks of the means 1 3 2 against 1 2 3: ρ = 1 - 6·2/(3·8). SS_between 84/9, SS_within 6.
    assert found["rho"] == pytest.approx(0.5)
    assert found["delta_eta_squared"] == pytest.approx((84 / 9) / (84 / 9 + 6) - 0.1)
    assert (found["n_personas"], found["parse_rate"]) == (6, 1.0)
    passed = trust()
    played = [
        Played(persona, {"trait": level}, (send,))
        for persona, level, send in zip(
            passed["persona_id"], passed["level"], passed["predictions"], strict=True
        )
    ]
    same = consistency(played, [Stated("trait", ("a", "b", "c"), ((0, 1, 2),), (0.1,))])
    assert (found["rho_low"], found["rho_high"]) == (same.rho.low, same.rho.high)


def test_unread_sends_and_statements(cache: Path) -> None:
    passed = trust()
    passed["predictions"][0] = None
    found = load("trust_consistency", cache).compute(**passed)
    assert found["parse_rate"] == pytest.approx(5 / 6)
    assert math.isnan(found["delta_eta_squared"])  # no effect size was given
    assert "no effect size" in found["by_attribute"]["trait"]["delta_undefined"]
    passed["references"] = [None] * 6
    unread = load("trust_consistency", cache).compute(**passed)
    assert math.isnan(unread["rho"])
    assert unread["by_attribute"]["trait"]["rho_undefined"]


def changed(columns: Columns, **changes: Any) -> Columns:
    """The columns with the first entry of some of them replaced."""
    return columns | {name: [value, *columns[name][1:]] for name, value in changes.items()}


SCORES = without_track(hugagent(1)) | {"predictions": ["A", "3", "7"] * 3}
ATI = hugagent(1) | {"predictions": ["A", "3", "7"] * 3}
ACCURACY: Columns = {name: ["a", "b"] for name in ("predictions", "references", "clusters")}


@pytest.mark.parametrize(
    ("name", "passed", "message"),
    [
        ("clustered_accuracy", {column: [] for column in ACCURACY}, "nothing to score"),
        ("clustered_accuracy", ACCURACY | {"labels": ["b"]}, "reference 'a' is not a label"),
        ("clustered_accuracy", changed(ACCURACY, references=""), "is not a label"),
        ("clustered_accuracy", changed(ACCURACY, clusters=""), "'clusters' is empty"),
        ("clustered_accuracy", ACCURACY | {"level": 95}, "Confidence level 95"),
        ("clustered_accuracy", changed(ACCURACY, predictions=1), "expected format"),
        ("clustered_accuracy", ACCURACY | {"clusters": ["p"]}, "Mismatch in the number"),
        ("hugagent_scores", {column: [] for column in SCORES}, "nothing to score"),
        ("hugagent_scores", changed(SCORES, topic="parking"), "topic 'parking' is none of"),
        ("hugagent_scores", changed(SCORES, task="bdi"), "task 'bdi' is none of"),
        ("hugagent_scores", changed(SCORES, references="C"), "reference 'C' is none of"),
        ("hugagent_scores", changed(SCORES, task="bdu"), r"the scale \[\] of a bdu item"),
        ("hugagent_scores", changed(SCORES, item_id="i1"), "given twice"),
        ("hugagent_scores", changed(SCORES, question_type="rumour"), "question type 'rumour'"),
        ("hugagent_scores", SCORES | {"protocol": "mine"}, "Unknown protocol 'mine'"),
        ("hugagent_scores", SCORES | {"draws": 0}, "0 bootstrap draws"),
        ("hugagent_ati", changed(ATI, track="synthetic"), "track 'synthetic' is none of"),
        ("hugagent_ati", ATI | {"predictions": ["A", "", ""] * 3}, "no bdu_mae for the topic"),
        ("trust_consistency", {column: [] for column in trust()}, "nothing to score"),
        ("trust_consistency", changed(trust(), predictions=math.nan), "predictions is NaN"),
        ("trust_consistency", changed(trust(), predictions=-1.0), "not an amount of dollars"),
        ("trust_consistency", changed(trust(), references=math.nan), "references is NaN"),
        ("trust_consistency", changed(trust(), references=None), "two references"),
        ("trust_consistency", changed(trust(), level="b"), "two references"),
        ("trust_consistency", changed(trust(), persona_id="p1"), "two rows for 'trait'"),
        ("trust_consistency", trust() | {"stated_eta_squared": {"x": 0.1}}, "no rows: x"),
        ("trust_consistency", trust() | {"stated_eta_squared": {"trait": 2}}, "outside 0..1"),
    ],
)
def test_bad_input(name: str, passed: Columns, message: str, cache: Path) -> None:
    with pytest.raises(ValueError, match=message):
        load(name, cache).compute(**passed)


def test_an_error_is_ours(cache: Path) -> None:
    with pytest.raises(MetricError, match="some levels have a reference and some have none"):
        load("trust_consistency", cache).compute(
            **trust() | {"references": [None, None, 1, 1, 2, 2]}
        )


@pytest.mark.parametrize("name", NAMES)
def test_the_folder_of_a_space(name: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        modules.write(name, folder)
    written = {path.name: path.read_bytes() for path in first.iterdir()}
    assert written == {path.name: path.read_bytes() for path in second.iterdir()}
    assert set(written) == {f"{name}.py", "README.md", "index.html", "requirements.txt"}
    assert written["requirements.txt"].decode() == f"otherminds=={otherminds.__version__}\n"
    card = written["README.md"].decode()
    head = yaml.safe_load(card.split("---")[1])
    assert (head["sdk"], head["app_file"]) == ("static", "index.html")
    assert head["pinned"] is False
    assert {"evaluate", "metric"} <= set(head["tags"])
    for section in ("Inputs, formula and results", "Limits", "Citation"):
        assert f"## {section}" in card
    assert f'evaluate.load("otherminds/{name}", module_type="metric")' in card
    assert not [one for one in privacy.scan(first) if not one.passed]


def test_a_wrong_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "card.yaml").write_text("title: 3\n")
    (tmp_path / "mine" / "mine.py").write_text("")
    monkeypatch.setattr(modules.paths, "hub_metrics", lambda: tmp_path)
    (tmp_path / "out").mkdir()
    with pytest.raises(OtherMindsError, match=r"card\.yaml: key 'title'"):
        modules.write("mine", tmp_path / "out")


@pytest.mark.slow
def test_from_a_space_on_the_hub(tmp_path: Path) -> None:
    """`evaluate` asks the Hub that HF_ENDPOINT names, in a process of its own."""
    folder = tmp_path / "space"
    folder.mkdir()
    modules.write("clustered_accuracy", folder)
    with MiniHub(users={"hf_me": User("me", orgs=("otherminds",))}) as hub:
        api = HfApi(endpoint=hub.url, token="hf_me")
        space = modules.space_id("clustered_accuracy")
        api.create_repo(space, repo_type="space", space_sdk="static")
        for path in sorted(folder.iterdir()):
            api.upload_file(
                path_or_fileobj=path.read_bytes(),
                path_in_repo=path.name,
                repo_id=space,
                repo_type="space",
            )
        code = (
            "import evaluate\n"
            f"metric = evaluate.load({space!r}, module_type='metric')\n"
            "print(metric.compute(predictions=['a', 'b'], references=['a', 'a'], clusters=['p', 'q']))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "HF_EVALUATE_OFFLINE": "0", "HF_HUB_OFFLINE": "0"}
            | hub.env("hf_me", tmp_path / "home"),
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "'accuracy': 0.5" in done.stdout
