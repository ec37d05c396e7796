"""Scenes that a model tells anew, and questions on them, through lm-eval."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds import harness
from otherminds.analysis import compare, read_runs, score
from otherminds.dataset_builders.socialmindchange.codes import content as vocabulary
from otherminds.dataset_builders.socialmindchange.codes.decoder import Decoder
from otherminds.dataset_builders.socialmindchange.codes.reader import Reader
from otherminds.dataset_builders.socialmindchange.codes.rerender import MARK
from otherminds.errors import OtherMindsError
from otherminds.metrics.socialmindchange.scene import BEGIN, END
from otherminds.running import report, stages
from otherminds.running.models import Options
from otherminds.running.run import Finished, run
from tests.helpers import fictional_socialmindchange_codes as fictional
from tests.helpers.packed import unpacked

RENDER, RENDERED, LITE = (
    "socialmindchange_codes_render",
    "socialmindchange_codes_rendered",
    "socialmindchange_codes_lite",
)
SCENES = 10
"""Of the two stages in the lite part."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    harness.quiet(debug=False)
    return fictional.write(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def retold(tmp_path_factory: pytest.TempPathFactory, source: Path) -> Finished:
    """Scenes by the rewriter, questions answered by the oracle."""
    out = tmp_path_factory.mktemp("retold")
    return play(RENDERED, "oracle", source, out, writer="scene-rewriter")


def play(
    task: str,
    model: str,
    source: Path,
    out: Path,
    *flags: str,
    writer: str | None = None,
    **metadata: Any,
) -> Finished:
    told = {"data_source": str(source), **metadata}
    options = Options(stage_models={} if writer is None else {RENDER: writer})
    finished = run(
        [task],
        ["--model", model, "--metadata", json.dumps(told), "--output_path", str(out), *flags],
        options,
    )
    assert finished is not None
    return finished


def numbers(finished: Finished, task: str) -> dict[str, float]:
    found = finished.results["results"][task]
    return {key.split(",")[0]: value for key, value in found.items() if "," in key}


def load(task: str, source: Path, **metadata: Any) -> Any:
    return harness.load_tasks(
        harness.task_manager({"data_source": str(source), **metadata}), [task]
    )[task]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in unpacked(path).splitlines()]


# What is asked


def test_there_is_one_document_for_each_scene_of_the_lite_part(source: Path) -> None:
    docs = load(RENDER, source).eval_docs
    assert len(docs) == len(set(docs["item_id"])) == SCENES
    assert docs["scene"] == [1, 2, 3, 4, 5] * 2
    assert docs[0]["item_id"] == f"{docs[0]['stage_id']}-scene-1"


def test_scenes_of_a_stage_share_a_prompt_up_to_the_scene_that_is_asked_for(source: Path) -> None:
    task, asked = load(RENDER, source), load(LITE, source)
    heads = {}
    for doc in task.eval_docs:
        head, mark, tail = task.doc_to_text(doc).partition(f"# Scene {doc['scene']}, line by line")
        assert mark
        heads.setdefault(doc["stage_id"], set()).add(head)
        for line in doc["lines"]:
            shown = f"{line['speaker']}: {line['text']}" if line["speaker"] else line["text"]
            assert f"\n{MARK} {shown}\n" in tail if line["kept"] else f"\n{shown}\n" in tail
        assert tail.endswith(f"{BEGIN}\n…\n{END}")
    assert [len(found) for found in heads.values()] == [1, 1]
    # What questions show of the stage is the same text.
    question = asked.doc_to_text(asked.eval_docs[0])
    [head] = heads[asked.eval_docs[0]["stage_id"]]
    assert question.startswith(head)


def test_a_prompt_shows_no_annotated_state(source: Path) -> None:
    task = load(RENDER, source)
    doc = dict(task.eval_docs[0])
    hidden = {"characters": [], "item_id": "@@", "stage_id": "@@"}
    assert task.doc_to_text(doc | hidden) == task.doc_to_text(doc)
    assert doc["states"] == []


# How replies are judged


@pytest.mark.parametrize(
    ("model", "accepted", "parsed", "reason"),
    [
        ("scene-copier", 1.0, 1.0, None),
        ("scene-rewriter", 1.0, 1.0, None),
        ("oracle", 1.0, 1.0, None),
        ("scene-dropper", 0.0, 1.0, "cue_dropped"),
        ("state-adder", 0.0, 1.0, "state_named"),
        ("random", 0.0, 0.0, "no_scene"),
    ],
)
def test_scripted_models_are_judged_as_they_should_be(
    model: str, accepted: float, parsed: float, reason: str | None, source: Path, tmp_path: Path
) -> None:
    finished = play(RENDER, model, source, tmp_path)
    found = numbers(finished, RENDER)
    assert (found["accepted"], found["parse_rate"]) == (accepted, parsed)
    assert (found["n_scenes"], found["n_stages"]) == (SCENES, 2)
    details = finished.results["otherminds"]["scores"][RENDER]
    assert details["estimates"]["accepted"]["n_clusters"] == 2
    if reason is None:
        assert details["by_reason"] == {}
        assert (found["new_words"] == 0) is (model == "scene-copier")
        assert found["n_changed"] == (0 if model == "scene-copier" else SCENES)
    else:
        assert details["by_reason"][reason]["refused"]["value"] == 1.0
        assert math.isnan(found["new_words"])
        assert found["n_changed"] == 0


def test_repeats_of_a_scene_are_averaged(source: Path) -> None:
    task = load(RENDER, source)
    doc = dict(task.eval_docs[0])
    from otherminds.tasks.socialmindchange.codes_weightless import (
        SceneCopier,
        SceneDropper,
        SceneRewriter,
    )

    writers = (SceneCopier(), SceneRewriter(), SceneDropper())
    scored = task.process_results(doc, [[*(w.reply(doc, 0) for w in writers), None]])
    assert scored["accepted"] == [1.0, 1.0, 0.0, 0.0]
    assert scored["parse_rate"] == [1.0, 1.0, 1.0, 0.0]
    copied, rewritten, dropped, unread = scored["new_words"]
    assert copied == 0 < rewritten < 0.5
    assert dropped is unread is None
    details = scored["accepted"].record.details([scored["accepted"].record])
    assert details["estimates"]["accepted"]["value"] == 0.5
    assert details["estimates"]["new_words"]["value"] == pytest.approx(rewritten / 2)
    assert details["by_reason"]["no_scene"]["refused"]["value"] == 0.25
    assert details["counts"] == {"n_scenes": 1, "n_stages": 1, "n_changed": 1}


@pytest.mark.parametrize(
    "reply", ["", None, "lol", f"{BEGIN}\n{'x' * 5_000_000}\n{END}", f"{BEGIN}\n<b>\x00\n{END}"]
)
def test_a_model_that_answers_rubbish_gets_its_numbers(reply: str | None, source: Path) -> None:
    task = load(RENDER, source)
    scored = task.process_results(dict(task.eval_docs[0]), [[reply]])
    assert scored["accepted"] == [0.0]


# What is asked on scenes that were told anew


def test_the_oracle_is_perfect_on_scenes_that_were_told_anew(retold: Finished) -> None:
    found = numbers(retold, RENDERED)
    for metric in ("acc", "acc_guidance", "acc_transition", "parse_rate", "sets_full"):
        assert found[metric] == 1.0
    assert (found["n_items"], found["n_stages"]) == (160, 2)
    assert (found["n_scenes"], found["n_rendered"]) == (SCENES, SCENES)
    counts = retold.results["otherminds"]["scores"][RENDERED]["counts"]
    assert counts["n_rendered"] == SCENES
    assert retold.results["otherminds"]["made_from"][RENDER]["scores"]["accepted"] == 1.0


def test_a_run_prints_how_many_scenes_are_new(
    retold: Finished, capsys: pytest.CaptureFixture[str]
) -> None:
    report.print_run(retold)
    printed = " ".join(capsys.readouterr().out.split())
    assert "a model told 10 of 10 scenes anew" in printed
    assert f"Made from the answers to {RENDER} (accepted 1.000" in printed


def test_questions_show_the_new_scenes_and_are_the_same_besides(
    retold: Finished, source: Path
) -> None:
    [samples] = [one.samples[RENDER] for one in retold.earlier]
    anew, before = load(RENDERED, source, samples=str(samples)), load(LITE, source)
    heads: dict[str, set[str]] = {}
    for doc, old in zip(anew.eval_docs, before.eval_docs, strict=True):
        assert doc["rendered"] == [1, 2, 3, 4, 5]
        prompt = anew.doc_to_text(doc)
        assert prompt.count("A few moments passed.") >= 5
        heads.setdefault(doc["stage_id"], set()).add(prompt.partition("# The question")[0])
        assert {**doc, "scenes": 0, "rendered": 0} == {**old, "scenes": 0, "rendered": 0}
    assert [len(found) for found in heads.values()] == [1, 1]


def test_the_reader_still_answers_everything(retold: Finished, source: Path) -> None:
    """The symbolic reader, on the text that the last stage shows."""
    [samples] = [one.samples[RENDER] for one in retold.earlier]
    rows = {doc["stage_id"]: doc for doc in load(RENDER, source).eval_docs}
    vocabulary_ = vocabulary.load()
    reader = Reader(vocabulary_, Decoder(vocabulary_), np.random.default_rng(0))
    read: dict[str, Any] = {}
    for doc in load(RENDERED, source, samples=str(samples)).eval_docs:
        stage = rows[doc["stage_id"]]
        if doc["stage_id"] not in read:
            assert doc["scenes"] != stage["scenes"]
            read[doc["stage_id"]] = reader.read({**stage, "scenes": doc["scenes"]})
        assert reader.answer(read[doc["stage_id"]], doc) == doc["answer"]


@pytest.mark.parametrize("writer", ["scene-dropper", "state-adder", "scene-copier", "random"])
def test_what_is_not_taken_stays_as_it_was(writer: str, source: Path, tmp_path: Path) -> None:
    finished = play(RENDERED, "oracle", source, tmp_path, writer=writer)
    assert numbers(finished, RENDERED)["n_rendered"] == 0
    samples = lines(finished.samples[RENDERED])
    shown = {sample["doc"]["item_id"]: sample["doc"]["scenes"] for sample in samples}
    assert shown == {doc["item_id"]: doc["scenes"] for doc in load(LITE, source).eval_docs}


def test_scenes_are_taken_one_by_one(source: Path, tmp_path: Path) -> None:
    from otherminds.tasks.socialmindchange.codes_weightless import SceneDropper, SceneRewriter

    docs = load(RENDER, source).eval_docs.to_list()
    path = tmp_path / "samples.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for doc in docs:
            writer = SceneRewriter() if doc["scene"] in (2, 5) else SceneDropper()
            sample = {"doc": doc, "filtered_resps": [[writer.reply(doc, 0)]]}
            file.write(json.dumps(sample) + "\n")
    task = load(RENDERED, source, samples=str(path))
    doc, original = task.eval_docs[0], docs[0]
    assert doc["rendered"] == [2, 5]
    same = [now == old for now, old in zip(doc["scenes"], original["scenes"], strict=True)]
    assert same == [True, False, True, True, False]


def test_a_limit_reaches_the_stages_that_the_questions_need(source: Path, tmp_path: Path) -> None:
    finished = play(RENDERED, "oracle", source, tmp_path, "--limit", "81")
    assert numbers(finished, RENDERED)["n_items"] == 81
    assert len(lines(finished.earlier[0].samples[RENDER])) == 10
    finished = play(RENDERED, "oracle", source, tmp_path / "less", "--limit", "80")
    [samples] = [one.samples[RENDER] for one in finished.earlier]
    assert len(lines(samples)) == 5
    task = load(RENDERED, source, samples=str(samples), stage_limit=80)
    task.doc_to_text(task.eval_docs[79])
    with pytest.raises(OtherMindsError, match="--limit"):
        task.doc_to_text(task.eval_docs[80])


def test_without_samples_the_questions_say_what_to_run(source: Path) -> None:
    with pytest.raises(OtherMindsError, match=f"made from the answers to '{RENDER}'"):
        load(RENDERED, source)
    manager = harness.task_manager({"data_source": str(source)})
    assert stages.load(manager, RENDERED).eval_docs[0]["rendered"] == []


# What may be compared


def data_of(finished: Finished) -> Mapping[str, Any]:
    found: Mapping[str, Any] = finished.results["otherminds"]["data"][RENDERED]
    return found


def test_results_say_which_scenes_they_are_of(retold: Finished) -> None:
    sha256 = retold.results["otherminds"]["made_from"][RENDER]["sha256"]
    assert data_of(retold)["version"] == f"small+{RENDER}.{sha256[:8]}"
    assert data_of(retold)["content_hash"][RENDER] == sha256
    assert retold.earlier[0].results["otherminds"]["data"][RENDER]["version"] == "small"


@pytest.mark.slow
def test_runs_on_other_scenes_are_refused_as_a_comparison(
    retold: Finished, source: Path, tmp_path: Path
) -> None:
    [samples] = [one.samples[RENDER] for one in retold.earlier]
    first, same = (
        play(RENDERED, model, source, tmp_path, samples=str(samples)).samples[RENDERED]
        for model in ("oracle", "corrupted-oracle")
    )
    [pair] = compare(read_runs([first, same]), metrics=["acc"]).differences["acc"].values()
    assert abs(pair.difference.value) > 0.1

    others = play(RENDERED, "random", source, tmp_path, writer="scene-copier").samples[RENDERED]
    with pytest.raises(OtherMindsError, match="different data"):
        compare(read_runs([first, others]), metrics=["acc"])
    original = play(LITE, "random", source, tmp_path).samples[LITE]
    with pytest.raises(OtherMindsError, match="different tasks"):
        compare(read_runs([first, original]), metrics=["acc"])


def test_samples_are_scored_again_from_their_files(retold: Finished) -> None:
    [one] = score(read_runs([retold.results_path.parent])).scored
    assert (one.run.task, one.n_answers) == (RENDERED, 160)
    assert all(check.passed is not False for check in one.checks)
