"""Sample files made by hand: few documents, whose scores can be derived on paper."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.helpers.packed import packed

Line = dict[str, Any]

BDU = "hugagent_bdu_synthetic"
BSI = "hugagent_bsi_synthetic"
BOTH = "hugagent_synthetic"
BSI_LOGPROB = "hugagent_bsi_synthetic_logprob"
DATE = "2026-01-02T03-04-05.678"
DATES = tuple(f"2026-01-0{day}T03-04-05.678" for day in range(1, 10))


def opinion(item: str, gold: str, *replies: Any, **changes: Any) -> Line:
    """A sample of an opinion question on the scale 1 to 10, where one point off is still right."""
    doc = {
        "item_id": item,
        "participant_id": "P1",
        "track": "synthetic",
        "topic": "zoning",
        "task": "bdu",
        "question_id": "1.1",
        "question_type": "opinion",
        "options": [],
        "scale": [1, 10],
        "context": [{"question": "q", "answer": "a"}],
        "answer": gold,
    }
    return line(doc | changes, list(replies))


def letter(item: str, gold: str, *replies: Any, **changes: Any) -> Line:
    """A sample of a question with the options A and B."""
    return line(letter_doc(item, gold) | changes, list(replies))


def chosen(item: str, gold: str, *log_likelihoods: Any, **changes: Any) -> Line:
    """The same question, answered by the log-likelihoods of its options."""
    made = line(letter_doc(item, gold) | changes, [])
    return made | {"filtered_resps": [[one, "False"] for one in log_likelihoods]}


def letter_doc(item: str, gold: str) -> Line:
    return {
        "item_id": item,
        "participant_id": "P1",
        "track": "synthetic",
        "topic": "zoning",
        "task": "bsi",
        "question_id": None,
        "question_type": None,
        "options": ["POSITIVE", "NEGATIVE"],
        "scale": [],
        "context": [{"question": "q", "answer": "a"}],
        "answer": gold,
    }


def line(doc: Line, replies: list[Any]) -> Line:
    prompt = f"What {doc['participant_id']} said.\nQuestion {doc['item_id']}"
    return {
        "doc": doc,
        "arguments": {"gen_args_0": {"arg_0": prompt}},
        "filtered_resps": [replies],
        "prompt_hash": f"hash-{doc['item_id']}",
    }


def written(
    folder: Path,
    lines: Sequence[Any],
    *,
    task: str = BDU,
    date: str = DATE,
    ending: str = ".jsonl",
) -> Path:
    """A sample file on its own."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(one) + "\n" for one in lines)
    path = folder / f"samples_{task}_{date}{ending}"
    path.write_bytes(packed(text.encode(), ending))
    return path


def run_of(
    folder: Path,
    lines: Sequence[Any],
    *,
    model: str = "some-model",
    task: str = BDU,
    date: str = DATE,
    version: Any = 1.0,
    printed: Mapping[str, float] | None = None,
    generation: Mapping[str, Any] | None = None,
    **ours: Any,
) -> Path:
    """A sample file with the results file that a real model's run leaves beside it."""
    path = written(folder, lines, task=task, date=date)
    results = {
        "config": {"model": "hf", "model_args": {"pretrained": f"org/{model}"}},
        "results": {task: {f"{name},none": value for name, value in (printed or {}).items()}},
        "versions": {task: version},
        "n-samples": {task: {"original": len(lines), "effective": len(lines)}},
        "configs": {task: {"generation_kwargs": dict(generation or {"do_sample": False})}},
        "otherminds": {"weightless": False, "chat_template_applied": False, **ours},
    }
    path.with_name(f"results_{date}.json").write_text(json.dumps(results), encoding="utf-8")
    return path


def data_facts(
    *, version: str = "1.0.0", subset: int | None = None, content: str = "c0ffee"
) -> Any:
    """What a results file says of the data of every task made here."""
    return {
        task: {
            "dataset": "hugagent-synthetic",
            "version": version,
            "subset": subset,
            "content_hash": {"bdu": content},
        }
        for task in (BDU, BSI, BOTH)
    }
