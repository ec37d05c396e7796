"""Staged runs: reflections before answers, in one command, a stage at a time, and killed on the way."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from otherminds import harness, paths, prompts
from otherminds.errors import OtherMindsError
from otherminds.harness import LM, Instance
from otherminds.running import stages
from otherminds.running.models import Loaded, Options
from otherminds.running.run import Finished, run
from otherminds.scoring.scorer import over_documents
from otherminds.tasks.hugagent import reflections
from otherminds.tasks.hugagent import scoring_notes as scoring
from tests.conftest import Command
from tests.helpers import fictional_hugagent as fictional
from tests.helpers import killed
from tests.helpers.packed import packed, unpacked
from tests.helpers.tiny_model import make as make_model

NOTES = "hugagent_reflections_notes_synthetic"
FINAL = "hugagent_reflections_synthetic"
SUBSET = {"data_subset": 50}
LIMIT = 12


@pytest.fixture(autouse=True, scope="module")
def _data(cache: Path) -> None:
    harness.quiet(debug=False)


def notes_task(**metadata: Any) -> Any:
    return harness.load_tasks(harness.task_manager(SUBSET | metadata), [NOTES])[NOTES]


def final_task(samples: Path | Mapping[str, str] | None, **metadata: Any) -> Any:
    given = samples if samples is None or isinstance(samples, Mapping) else str(samples)
    manager = harness.task_manager({**SUBSET, "samples": given, **metadata})
    return harness.load_tasks(manager, [FINAL])[FINAL]


def written(
    folder: Path, docs: Sequence[Mapping[str, Any]], answer: Callable[[Mapping[str, Any]], str]
) -> Path:
    """A sample file as lm-eval would write it, in some other order than the documents'."""
    path = folder / "samples.jsonl"
    lines = [json.dumps({"doc": doc, "filtered_resps": [[answer(doc)]]}) for doc in docs]
    path.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    return path


def says_who(doc: Mapping[str, Any]) -> str:
    return f"{doc['participant_id']} on {doc['topic']}, says the {doc['expert']}."


def metadata(**more: Any) -> tuple[str, str]:
    return "--metadata", json.dumps(SUBSET | more)


# The first stage.


def test_every_expert_reads_every_interview_once(tmp_path: Path) -> None:
    docs = list(notes_task().eval_docs)
    contexts = {(doc["participant_id"], doc["topic"]) for doc in docs}
    assert len(contexts) == 150
    asked = [(doc["participant_id"], doc["topic"], doc["expert"]) for doc in docs]
    assert len(set(asked)) == len(asked) == 3 * len(contexts)
    assert len({doc["item_id"] for doc in docs}) == len(docs)
    by_item = {
        (item["participant_id"], item["topic"]): (item["demographics"], item["context"])
        for item in final_task(written(tmp_path, docs, says_who)).eval_docs
    }
    for doc in docs:
        owner = (doc["participant_id"], doc["topic"])
        assert (doc["demographics"], doc["context"]) == by_item[owner]


def test_experts_are_told_different_things_after_the_same_evidence() -> None:
    task = notes_task(stage_limit=1)
    shown = [task.doc_to_text(doc) for doc in task.eval_docs]
    assert len(shown) == len(set(shown)) == 3
    assert len({text.partition("# Your task")[0] for text in shown}) == 1
    for expert, text in zip(reflections.EXPERTS, shown, strict=True):
        assert f"You are a {expert}." in text


@pytest.mark.parametrize("limit", [1, 9, 10, 25, 0.01])
def test_a_limit_asks_experts_only_about_what_the_first_items_need(limit: float) -> None:
    items = stages.load(harness.task_manager(SUBSET), FINAL).eval_docs
    count = limit if limit >= 1 else -(-len(items) // 100)
    needed = {(item["participant_id"], item["topic"]) for item in islice(items, int(count))}
    docs = notes_task(stage_limit=limit).eval_docs
    assert {(doc["participant_id"], doc["topic"]) for doc in docs} == needed
    assert len(docs) == 3 * len(needed)


def test_a_limit_changes_no_document_it_keeps() -> None:
    few, all_ = notes_task(stage_limit=12).eval_docs, notes_task().eval_docs
    assert list(few) == list(all_.select(range(len(few))))


@pytest.mark.parametrize("limit", [0, -3])
def test_a_limit_that_asks_nothing_is_refused(limit: float) -> None:
    with pytest.raises(OtherMindsError, match="stage_limit"):
        notes_task(stage_limit=limit)


def test_experts_on_the_human_track_never_see_a_turn_that_an_item_hides(tmp_path: Path) -> None:
    records = fictional.sample()
    clone = fictional.write_clone(records, tmp_path / "clone")
    name = "hugagent_reflections_notes"
    task = harness.load_tasks(harness.task_manager({"data_source": str(clone)}), [name])[name]
    hidden: dict[tuple[str, str], set[str]] = {}
    shown: dict[tuple[str, str], list[set[str]]] = {}
    for record in records:
        owner = (record["participant_id"], record["topic"])
        turns = {turn["answer"] for turn in record["context_qas"]}
        shown.setdefault(owner, []).append(turns)
        hidden.setdefault(owner, set())
    for owner, contexts in shown.items():
        hidden[owner] = contexts[0].union(*contexts) - contexts[0].intersection(*contexts)
    given_away = set()
    for record in records:
        if "source_qa" in record:
            owner = (record["participant_id"], record["topic"])
            source = record["source_qa"]["answer"]
            # As the authors publish them, some items show their source themselves: no more is hidden.
            if any(source in answer for answer in shown[owner][0].intersection(*shown[owner])):
                given_away.add(owner)
                hidden[owner].discard(source)
            else:
                hidden[owner].add(source)
    assert given_away == {(person, topic) for person, topic, _ in fictional.SHOWN}
    assert any(len(turns) > 1 for turns in hidden.values())
    kept = 0
    for doc in task.eval_docs:
        owner = (doc["participant_id"], doc["topic"])
        answers = {turn["answer"] for turn in doc["context"]}
        assert not answers & hidden[owner]
        assert answers == shown[owner][0].intersection(*shown[owner])
        text = task.doc_to_text(doc)
        assert not any(answer in text for answer in hidden[owner])
        kept += len(answers)
    assert kept > 0


def test_notes_are_counted_by_whether_the_next_stage_shows_something() -> None:
    def scored(person: str, *texts: str | None) -> dict[str, Any]:
        return dict(scoring.text({"participant_id": person}, [texts]))

    docs = [
        scored("P1", "Five words are in this."),
        scored("P1", "<think>Hm.</think> \n"),
        scored("P2", None),
        scored("P2", "<think>never done"),
        scored("P3", "<think>Hm.</think>Three words here."),
    ]
    numbers = {
        name: over_documents([doc[name] for doc in docs])
        for name in ("answered", "answered_stderr", "words", "words_stderr", "n_people")
    }
    # 2 of 5 documents are answered; residuals by person: P1 1 - 2·0.4 = 0.2, P2 -0.8, P3 0.6;
    # SE = sqrt(3/2 · (0.04 + 0.64 + 0.36)) / 5. Words: mean of 5 and 3; SE = sqrt(2 · (1 + 1)) / 2.
    assert numbers["answered"] == pytest.approx(0.4)
    assert numbers["answered_stderr"] == pytest.approx((1.5 * 1.04) ** 0.5 / 5)
    assert numbers["words"] == pytest.approx(4.0)
    assert numbers["words_stderr"] == pytest.approx(1.0)
    assert numbers["n_people"] == 3


def test_a_stage_in_which_nothing_was_written_has_a_complete_table() -> None:
    doc = scoring.text({"participant_id": "P1"}, [[""]])
    assert over_documents([doc["answered"]]) == 0.0
    assert str(over_documents([doc["words"]])) == "nan"


# The second stage.


def test_items_show_their_own_persons_notes_between_the_interview_and_the_question(
    tmp_path: Path,
) -> None:
    task = final_task(written(tmp_path, list(notes_task().eval_docs), says_who))
    plain = prompts.renderer("hugagent__answer")
    heads: dict[tuple[str, str], set[str]] = {}
    for item in task.eval_docs:
        text = task.doc_to_text(item)
        before, _, after = text.partition("# The question")
        evidence, _, question = plain(item).partition("# The question")
        assert after == question
        assert before.startswith(evidence)
        own = before.removeprefix(evidence)
        for expert in reflections.EXPERTS:
            assert says_who({**item, "expert": expert}) in own
        assert own.count("says the") == 3
        heads.setdefault((item["participant_id"], item["topic"]), set()).add(before)
    assert len(heads) == 150
    assert all(len(versions) == 1 for versions in heads.values())


@pytest.mark.parametrize("reply", ["", " \n", "None", "<think>cut off", "<think>all</think>"])
def test_an_expert_who_wrote_nothing_is_shown_as_missing(tmp_path: Path, reply: str) -> None:
    docs = list(notes_task(stage_limit=1).eval_docs)
    path = written(tmp_path, docs, lambda doc: reply if doc["expert"] == "sociologist" else "Yes.")
    text = (task := final_task(path, stage_limit=1)).doc_to_text(task.eval_docs[0])
    assert text.count("left no notes") == 1
    assert text.index("Notes of a sociologist") < text.index("left no notes")


def test_of_a_reply_its_reasoning_is_not_shown(tmp_path: Path) -> None:
    docs = list(notes_task(stage_limit=1).eval_docs)
    path = written(tmp_path, docs, lambda doc: "<think>SECRET</think>\n**Costs $5** matter.\n")
    text = (task := final_task(path, stage_limit=1)).doc_to_text(task.eval_docs[0])
    assert "SECRET" not in text
    assert text.count("**Costs $5** matter.\n\n") == 3


def test_without_samples_the_error_names_task_and_flags() -> None:
    with pytest.raises(OtherMindsError) as caught:
        final_task(None)
    for word in (NOTES, "--log_samples", "--output_path", "--metadata", "otherminds run"):
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


Change = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]


def without_first(samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return samples[3:]


def twice(samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [*samples, samples[0]]


def reworded(samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    doc = samples[4]["doc"]
    turns = [{**doc["context"][0], "answer": "Something else."}, *doc["context"][1:]]
    samples[4]["doc"] = {**doc, "context": turns}
    return samples


def of_a_stranger(samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    doc = {**samples[0]["doc"], "item_id": "synthetic-notes-zoning-X1-sociologist"}
    return [*samples, {**samples[0], "doc": doc}]


def repeated(samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**sample, "filtered_resps": [["a", "b"]]} for sample in samples]


def of_another_task(samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {**sample, "filtered_resps": [["-1.0", "True"], ["-2.0", "False"]]} for sample in samples
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without_first, "lacks 3 documents"),
        (twice, "a second time"),
        (reworded, "another document then"),
        (of_a_stranger, "answers to 1 documents that do not belong"),
        (repeated, "has 2 answers where one is needed"),
        (of_another_task, "is not a sample of"),
    ],
)
def test_samples_of_anything_but_this_very_stage_are_refused(
    tmp_path: Path, change: Change, message: str
) -> None:
    docs = list(notes_task(stage_limit=30).eval_docs)
    samples = [{"doc": doc, "filtered_resps": [["Yes."]]} for doc in docs]
    path = tmp_path / "samples.jsonl.zst"
    text = "".join(json.dumps(sample) + "\n" for sample in change(samples))
    path.write_bytes(packed(text.encode(), path.suffix))
    with pytest.raises(OtherMindsError, match=message) as caught:
        final_task(path, stage_limit=30)
    assert f"Run '{NOTES}' again" in str(caught.value)


@pytest.mark.parametrize("other", [{}, {"stage_limit": 60}], ids=["no limit", "another limit"])
def test_samples_of_another_limit_are_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    path = written(tmp_path, list(notes_task(stage_limit=30).eval_docs), says_who)
    with pytest.raises(OtherMindsError, match=r"lacks .* documents"):
        final_task(path, **other)


def test_a_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    whole = written(tmp_path, list(notes_task(stage_limit=1).eval_docs), says_who)
    content = whole.read_bytes()
    for ending in (".jsonl", ".jsonl.gz", ".jsonl.zst"):
        path = tmp_path / f"cut{ending}"
        path.write_bytes(packed(content, ending)[:-20])
        with pytest.raises(OtherMindsError, match="cannot be read to its end"):
            final_task(path, stage_limit=1)
    with pytest.raises(OtherMindsError, match="There is no sample file"):
        final_task(tmp_path / "nowhere.jsonl", stage_limit=1)


def test_items_past_the_limit_cannot_be_asked_by_mistake(tmp_path: Path) -> None:
    path = written(tmp_path, list(notes_task(stage_limit=5).eval_docs), says_who)
    task = final_task(path, stage_limit=5)
    assert len(task.eval_docs) == 1426
    task.doc_to_text(task.eval_docs[4])
    with pytest.raises(OtherMindsError, match="--limit"):
        task.doc_to_text(task.eval_docs[1000])


# The chain.


def only(folder: Path, pattern: str) -> Path:
    [path] = folder.rglob(pattern)
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in unpacked(path).splitlines()]


def test_weightless_models_leave_no_notes_and_answer_as_ever(tmp_path: Path) -> None:
    flags = ("--model", "oracle", "--output_path", str(tmp_path), *metadata())
    finished = run([FINAL], flags, Options())
    numbers = finished.results["results"][FINAL]
    assert numbers["bsi_acc,none"] == numbers["bdu_acc,none"] == numbers["parse_rate,none"] == 1.0
    assert finished.stages_path is not None
    text = finished.stages_path.read_text()
    assert "NaN" not in text
    first, second = json.loads(text)["stages"]
    assert first["scores"]["words"] is None
    assert (first["task"], second["task"]) == (NOTES, FINAL)
    assert first["scores"]["answered"] == 0
    assert first["inputs"] == {}
    assert second["inputs"] == {NOTES: first["samples"]}
    assert second["model"]["name"] == "oracle"
    for stage in (first, second):
        for kind in ("results", "samples"):
            content = (finished.stages_path.parent / stage[kind]["path"]).read_bytes()
            assert hashlib.sha256(content).hexdigest() == stage[kind]["sha256"]
    made_from = finished.results["otherminds"]["made_from"][NOTES]
    assert made_from["scores"]["answered"] == 0
    assert made_from["sha256"] == first["samples"]["sha256"]
    assert Path(made_from["path"]).is_file()


def test_the_human_track_has_the_same_chain(tmp_path: Path) -> None:
    clone = fictional.write_clone(fictional.sample(), tmp_path / "clone")
    metadata = json.dumps({"data_source": str(clone)})
    flags = ("--model", "oracle", "--metadata", metadata, "--output_path", str(tmp_path / "out"))
    finished = run(["hugagent_reflections"], flags, Options())
    numbers = finished.results["results"]["hugagent_reflections"]
    assert numbers["bdu_acc,none"] == numbers["parse_rate,none"] == 1.0
    assert list(finished.results["otherminds"]["made_from"]) == ["hugagent_reflections_notes"]


@pytest.mark.slow
def test_a_limit_counts_the_last_stages_documents_and_stands_in_its_results(tmp_path: Path) -> None:
    flags = ("--limit", "5", "--output_path", str(tmp_path), *metadata())
    finished = run([FINAL, "hugagent_synthetic"], flags, Options())
    for task in (FINAL, "hugagent_synthetic"):
        assert finished.results["n-samples"][task] == {"original": 1426, "effective": 5}
    assert len(lines(only(tmp_path, f"samples_{NOTES}_*"))) == 3


def test_a_share_as_limit_means_the_same_in_both_stages(tmp_path: Path) -> None:
    flags = ("--limit", "0.01", "--output_path", str(tmp_path), *metadata())
    finished = run([FINAL], flags, Options())
    assert finished.results["n-samples"][FINAL]["effective"] == 15


@pytest.mark.slow
def test_groups_tags_and_patterns_run_the_stages_that_they_need(tmp_path: Path) -> None:
    (tmp_path / "both.yaml").write_text(
        f"group: both\ntask:\n  - {FINAL}\n  - hugagent_synthetic\n"
    )
    base = only(paths.tasks(), f"{FINAL}.yaml")
    (tmp_path / "tagged.yaml").write_text(f"include: {base}\ntask: tagged\ntag: mine\n")
    common = ("--limit", "5", "--include_path", str(tmp_path), *metadata())
    expected = {"both": {FINAL, "hugagent_synthetic"}, "mine": {"tagged"}}
    expected["hugagent_reflections*synthetic"] = {FINAL}
    for name, tasks in expected.items():
        out = tmp_path / name.replace("*", "")
        finished = run([name], (*common, "--output_path", str(out)), Options())
        assert set(finished.samples) == tasks
        assert only(out, f"samples_{NOTES}_*")


def test_given_samples_run_the_last_stage_alone(tmp_path: Path) -> None:
    path = written(tmp_path, list(notes_task().eval_docs), says_who)
    out = ("--output_path", str(tmp_path / "out"))
    for samples in (str(path), {NOTES: str(path)}):
        finished = run([FINAL], ("--limit", "5", *out, *metadata(samples=samples)), Options())
        assert list(finished.samples) == [FINAL]
        assert finished.results["otherminds"]["made_from"][NOTES]["path"] == str(path)
        assert finished.stages_path is not None
    assert not list((tmp_path / "out").rglob(f"samples_{NOTES}_*"))


def test_a_choice_of_samples_is_refused_for_a_chain(tmp_path: Path) -> None:
    flags = ("--samples", json.dumps({FINAL: [3]}), "--output_path", str(tmp_path), *metadata())
    with pytest.raises(OtherMindsError, match="use --limit"):
        run([FINAL], flags, Options())


def test_a_stage_that_does_not_exist_is_named(tmp_path: Path) -> None:
    base = only(paths.tasks(), f"{FINAL}.yaml")
    (tmp_path / "odd.yaml").write_text(
        f"include: {base}\ntask: odd\nmetadata: {{version: 1.0, stages: [{NOTES}x]}}\n"
    )
    flags = ("--include_path", str(tmp_path), "--output_path", str(tmp_path / "out"))
    with pytest.raises(OtherMindsError, match=f"Did you mean '{NOTES}'"):
        run(["odd"], flags, Options())


class Scribe(LM):
    """Writes notes that name their reader's prompt, and records what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: list[str] = []

    def generate_until(self, requests: list[Instance]) -> list[str]:
        self.prompts += [request.args[0] for request in requests]
        return [
            f"Note {hashlib.sha256(request.args[0].encode()).hexdigest()}"
            if "expert" in request.doc
            else "5"
            for request in requests
        ]

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise NotImplementedError


def test_what_one_stage_answers_is_what_the_next_one_reads(tmp_path: Path) -> None:
    from otherminds.running.plan import planned
    from otherminds.running.run import walk

    flags = ("--limit", str(LIMIT), "--output_path", str(tmp_path), *metadata())
    arguments = harness.parse_arguments(flags, default_model="scribe")
    scribe = Scribe()
    manager = harness.task_manager(arguments.metadata)
    facts = {"weightless": False, "reads_gold": False}
    model = Loaded(lambda tasks, run: scribe, manager, arguments, lambda: dict(facts))

    class Only:
        def together(self, tasks: Sequence[str]) -> list[list[str]]:
            return [list(tasks)]

        def of(self, task: str) -> Loaded:
            return model

    plan = planned(manager, [FINAL], arguments.metadata)
    finished = walk(Only(), plan, tmp_path)
    assert isinstance(finished, Finished)
    asked_first = [text for text in scribe.prompts if "# Your task" in text]
    asked_last = [text for text in scribe.prompts if "# The question" in text]
    assert scribe.prompts == [*asked_first, *asked_last]
    assert len(asked_last) == LIMIT
    names = [f"Note {hashlib.sha256(text.encode()).hexdigest()}" for text in asked_first]
    assert all(sum(name in text for name in names) == 3 for text in asked_last)
    assert {name for name in names for text in asked_last if name in text} == set(names)
    assert finished.results["n-samples"][FINAL]["effective"] == LIMIT


# A real model, as a user runs it.


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real model with random weights."""
    docs = islice(notes_task().eval_docs, 30)
    texts = [turn["answer"] for doc in docs for turn in doc["context"]]
    return make_model(tmp_path_factory.mktemp("model"), texts)


def model_flags(model: Path) -> tuple[str, ...]:
    return (
        *("--model", "hf", "--model_args", f"pretrained={model},dtype=float32"),
        *("--device", "cpu", "--batch_size", "1"),
        *("--gen_kwargs", "do_sample=False,temperature=0,max_gen_toks=8"),
    )


def count(journal: Path) -> int:
    if not journal.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True, timeout=60) as database:
            return int(database.execute("SELECT COUNT(*) FROM answers").fetchone()[0])
    except sqlite3.OperationalError:  # not yet a table
        return 0


@pytest.mark.slow
def test_a_chain_killed_in_either_stage_asks_nothing_twice_and_ends_the_same(
    untrained: Path, command: Command, tmp_path: Path
) -> None:
    words = (
        "otherminds",
        "run",
        FINAL,
        *model_flags(untrained),
        "--limit",
        str(LIMIT),
        *metadata(),
    )
    (whole := tmp_path / "whole").mkdir()
    (broken := tmp_path / "broken").mkdir()
    command(*words, cwd=whole)
    n_notes = len(lines(only(whole, f"samples_{NOTES}_*")))
    total = n_notes + LIMIT
    assert n_notes == len(notes_task(stage_limit=LIMIT).eval_docs) >= 6
    assert count(whole / "otherminds-results" / "journal.sqlite") == total

    journal = broken / "otherminds-results" / "journal.sqlite"
    kept = []
    for enough in (2, n_notes + 3):
        killed.run_until(enough, words[1:], broken)
        kept.append(count(journal))
    assert kept == [2, n_notes + 3]
    assert 2 < n_notes < n_notes + 3 < total

    done = command(*words, cwd=broken)
    told = f"Requests asked: {total - kept[1]}; taken from the journal: {kept[1]}."
    assert told in done.stdout
    assert f"Made from the answers to {NOTES} (answered " in done.stdout
    assert count(journal) == total
    results = [json.loads(stage_results(folder).read_text()) for folder in (whole, broken)]
    assert results[0]["results"] == results[1]["results"]
    for task in (NOTES, FINAL):
        contents = [stage_samples(folder, task).read_bytes() for folder in (whole, broken)]
        assert contents[0] == contents[1]
    answers = {sample["filtered_resps"][0][0] for sample in lines(stage_samples(whole, NOTES))}
    assert any(answers)


def manifest_of(folder: Path) -> tuple[Path, list[dict[str, Any]]]:
    found = {path: json.loads(path.read_text()) for path in folder.rglob("stages_*.json")}
    # A killed run leaves a manifest that says what is missing.
    [(path, record)] = [(path, one) for path, one in found.items() if one["complete"]]
    assert all(one["missing"] == [FINAL] for one in found.values() if not one["complete"])
    return path.parent, record["stages"]


def stage_results(folder: Path) -> Path:
    parent, found = manifest_of(folder)
    return parent / str(found[-1]["results"]["path"])


def stage_samples(folder: Path, task: str) -> Path:
    parent, found = manifest_of(folder)
    return parent / next(str(s["samples"]["path"]) for s in found if s["task"] == task)


@pytest.mark.slow
def test_each_stage_runs_alone_in_plain_lm_eval(
    untrained: Path, command: Command, tmp_path: Path
) -> None:
    common = ("lm_eval", "--include_path", str(paths.tasks()), *model_flags(untrained))
    out = ("--log_samples", "--output_path", "out")
    limited = metadata(stage_limit=4)
    refused = command(*common, "--tasks", FINAL, "--limit", "4", *limited, cwd=tmp_path, code=None)
    assert refused.returncode != 0
    assert NOTES in refused.stderr
    command(*common, "--tasks", NOTES, *out, *limited, cwd=tmp_path)
    samples = only(tmp_path / "out", f"samples_{NOTES}_*.jsonl")
    assert len(lines(samples)) == 3
    both = metadata(stage_limit=4, samples=str(samples))
    done = command(*common, "--tasks", FINAL, "--limit", "4", *out, *both, cwd=tmp_path)
    assert "parse_rate" in done.stdout
    last = lines(only(tmp_path / "out", f"samples_{FINAL}_*.jsonl"))
    assert len(last) == 4
    note = lines(samples)[0]["filtered_resps"][0][0].strip()
    assert note in last[0]["arguments"]["gen_args_0"]["arg_0"]
