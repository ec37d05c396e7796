"""lm-eval's facts about itself, the machine and a run, as its files state them."""

from __future__ import annotations

import importlib.metadata
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherminds import credentials
from otherminds.harness.flags import RunArguments


def version() -> str:
    """The installed lm-eval's version."""
    return importlib.metadata.version("lm_eval")


def hush() -> None:
    """Let lm-eval log only errors, without loading it: most commands on saved samples never do."""
    logging.getLogger("lm_eval").setLevel(logging.ERROR)


def quiet(*, debug: bool) -> None:
    """Let lm-eval log only errors; with `debug`, everything."""
    from lm_eval.utils import setup_logging

    level = logging.DEBUG if debug else logging.ERROR
    setup_logging(level)
    logging.getLogger("lm_eval").setLevel(level)


def environment() -> dict[str, Any]:
    """lm-eval's facts about the machine; imports PyTorch."""
    from lm_eval.loggers.utils import add_env_info

    found: dict[str, Any] = {}
    add_env_info(found)
    return found


def commit_of(folder: Path) -> str | None:
    """The commit of a folder that is a checkout, as lm-eval reads it."""
    from lm_eval.loggers.utils import get_commit_from_path

    found: str | None = get_commit_from_path(folder)
    return found


def table(results: Mapping[str, Any]) -> str:
    """lm-eval's own results table."""
    from lm_eval.utils import make_table

    return str(make_table(dict(results)))


def tracker(arguments: RunArguments, template: str | None, **hub: Any) -> Any:
    """lm-eval's tracker of a run's facts, set to what was run; with `hub`, also its uploader."""
    from lm_eval.loggers import EvaluationTracker

    made = EvaluationTracker(**hub)
    made.general_config_tracker.log_experiment_args(
        model_source=arguments.model,
        # "model" names the folder when the arguments have no "pretrained".
        model_args={"model": arguments.model, **credentials.arguments(arguments.model_args)},
        system_instruction=arguments.system_instruction,
        chat_template=template,
        fewshot_as_multiturn=bool(arguments.fewshot_as_multiturn),
    )
    return made


def tracked_facts(made: Any) -> dict[str, Any]:
    """lm-eval's additions to a results file: model name, chat template and its hash, times."""
    made.general_config_tracker.log_end_time()
    return dict(vars(made.general_config_tracker))


def plain(value: Any) -> Any:
    """A value with everything that JSON cannot hold turned into text, as lm-eval does."""
    from lm_eval.utils import handle_non_serializable

    return json.loads(json.dumps(value, default=handle_non_serializable))


def plain_sample(sample: Mapping[str, Any]) -> dict[str, Any]:
    """A logged sample in the shape of lm-eval's sample files."""
    from lm_eval.utils import sanitize_list

    return {
        **sample,
        "arguments": {
            f"gen_args_{number}": {f"arg_{place}": part for place, part in enumerate(arguments)}
            for number, arguments in enumerate(sample["arguments"])
        },
        "resps": sanitize_list(sample["resps"]),
        "filtered_resps": sanitize_list(sample["filtered_resps"]),
        "target": str(sample["target"]),
    }
