"""Run in a process of its own: a repository goes to the Hub at HF_ENDPOINT, and Inspect evaluates it.

    python inspect_hub.py FOLDER REPO LOGS ANSWER ...

Uploads FOLDER as the dataset REPO. For each ANSWER, evaluates a model that always gives it, on all tasks
of the dataset. Prints JSON: by answer and task, the accuracy and each sample (id, target, what the model
saw, score).
"""

from __future__ import annotations

import json
import sys
from typing import Any

from huggingface_hub import HfApi
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model


def main(folder: str, repo: str, logs: str, *answers: str) -> None:
    api = HfApi()
    api.create_repo(repo, repo_type="dataset", exist_ok=True)
    api.upload_folder(repo_id=repo, repo_type="dataset", folder_path=folder)
    json.dump({answer: evaluated(repo, answer, logs) for answer in answers}, sys.stdout)


def evaluated(repo: str, answer: str, logs: str) -> dict[str, Any]:
    output = ModelOutput.from_content("mockllm/model", answer)
    output.usage = ModelUsage()  # else Inspect counts tokens with a vocabulary that it downloads
    model = get_model("mockllm/model", custom_outputs=lambda *_: output, memoize=False)
    found: dict[str, Any] = {}
    for log in evaluate(f"hf/{repo}", model=model, log_dir=logs, display="none"):
        if log.status != "success" or log.results is None or log.samples is None:
            raise SystemExit(f"{log.eval.task}: {log.status} {log.error}")
        found[log.eval.task.removeprefix(f"hf/{repo}").strip("/")] = {
            "accuracy": log.results.scores[0].metrics["accuracy"].value,
            "samples": [
                {
                    "item_id": sample.metadata["item_id"],
                    "target": sample.target,
                    "messages": [[one.role, one.text] for one in sample.messages],
                    "right": next(iter((sample.scores or {}).values())).value == "C",
                }
                for sample in log.samples
            ],
        }
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
