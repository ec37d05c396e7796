"""Whose scores a results file has: the model that answered, with the arguments that matter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def judged_model(metadata: Mapping[str, Any], ours: Mapping[str, Any]) -> str:
    """The model that gave the answers under judgement: that of the last stage before."""
    stage = metadata["stages"][-1]
    known = (ours.get("stage_models") or {}).get(stage)
    if known is not None:
        return model_label({"model": known["name"], "model_args": known["args"]})
    # Plain lm-eval says where the answers lay: in a folder with the model's name.
    samples = metadata.get("samples") or "unknown"
    path = samples.get(stage, "unknown") if isinstance(samples, Mapping) else samples
    return Path(str(path)).parent.name or "unknown"


def model_label(config: Mapping[str, Any]) -> str:
    """The model's name, and its arguments where they matter to its answers."""
    arguments = config.get("model_args") or {}
    if isinstance(arguments, str):
        pairs = (part.partition("=") for part in arguments.split(","))
        arguments = {key: value for key, _, value in pairs if key}
    named = arguments.get("pretrained") or arguments.get("model")
    name = Path(str(named)).name if named else str(config["model"])
    others = [
        f"{key}={value}" for key, value in sorted(arguments.items()) if key not in _NAMES_OR_SPEED
    ]
    return f"{name} ({', '.join(others)})" if others else name


# Arguments that name the model, or say how to run it, and do not affect its answers.
_NAMES_OR_SPEED = {
    *("pretrained", "model", "tokenizer", "batch_size", "max_batch_size", "device", "device_map"),
    *("tensor_parallel_size", "data_parallel_size", "gpu_memory_utilization", "trust_remote_code"),
    *("base_url", "num_concurrent", "max_retries", "tokenized_requests", "max_length"),
    *("max_model_len", "enforce_eager", "seed_everything"),
}
