"""Whose scores a results file has: the model that answered, with the arguments that matter."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

from otherminds import credentials, weightless
from otherminds.running.servers import OF_THE_CONNECTION

JUDGE_ROLE = "judge"
"""The `role` in the metadata of tasks whose answers are judgements of others' answers."""


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
    """The model's name, with the arguments that are known to name a variant of it."""
    arguments = _arguments(config)
    named = arguments.get("pretrained") or arguments.get("model")
    name = Path(str(named)).name if named else str(config["model"])
    known = _VARIANT | _options(config["model"]) if arguments else _VARIANT
    others = [f"{key}={value}" for key, value in sorted(arguments.items()) if key in known]
    return f"{name} ({', '.join(others)})" if others else name


def _options(model: object) -> Set[str]:
    """The options of a weightless model; none of others."""
    strategy = weightless.find(str(model))
    return set() if strategy is None else inspect.signature(strategy).parameters.keys()


def settings(config: Mapping[str, Any]) -> str:
    """All arguments on which answers may depend, as text: runs that differ in them are not repeats.

    Secrets are not among them.
    """
    # One run may have had its key from the environment.
    told = {key: str(one) for key, one in _arguments(config).items() if one != credentials.MARK}
    return repr(sorted((key, told[key]) for key in told.keys() - _NAMES_OR_SPEED))


def _arguments(config: Mapping[str, Any]) -> dict[str, Any]:
    """A model's arguments without secrets; those of plain lm-eval may be one text."""
    given = config.get("model_args") or {}
    if isinstance(given, str):
        pairs = (pair.partition("=") for pair in credentials.pairs_of(given))
        given = {key.strip(): value for key, _, value in pairs if key}
    return dict(credentials.arguments(given))


# What names a variant of a model to readers. Any other argument may be a secret under a strange name.
_VARIANT = frozenset(
    {
        *("revision", "subfolder", "gguf_file", "peft", "delta", "adapter", "lora_local_path"),
        *("dtype", "softmax_dtype", "mixed_precision_dtype", "kv_cache_dtype", "quantization"),
        *("quantization_config", "load_in_4bit", "load_in_8bit", "bnb_4bit_quant_type"),
        *("bnb_4bit_compute_dtype", "bnb_4bit_use_double_quant", "autogptq", "gptqmodel", "awq"),
        *("backend", "attn_implementation", "add_bos_token", "prefix_token_id"),
        *("custom_prefix_token_id", "truncation", "truncate", "eos_string", "max_gen_toks"),
        *("think_start_token", "think_end_token", "enable_thinking", "reasoning_effort"),
        *("thinking_budget", "chat_template_args", "temperature", "top_p", "top_k", "min_p"),
        *("do_sample", "repetition_penalty", "presence_penalty", "frequency_penalty"),
        *("rope_scaling", "rope_theta", "hf_overrides", "seed", "rate", "engine", "deployment"),
        *("api_version", "steer_path", "speculative_model", "lm_head", "layers"),
    }
)

# Arguments that name the model, or say how to run it, and do not affect its answers.
_NAMES_OR_SPEED = {
    *("pretrained", "model", "tokenizer", "batch_size", "max_batch_size", "device", "device_map"),
    *("tensor_parallel_size", "data_parallel_size", "gpu_memory_utilization", "trust_remote_code"),
    *("base_url", "num_concurrent", "max_retries", "tokenized_requests", "max_length"),
    *("max_model_len", "enforce_eager", "seed_everything", "header", *OF_THE_CONNECTION),
}
