"""lm-eval's own loggers, which tell experiment trackers of a run: W&B and Trackio."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from otherminds.harness.flags import RunArguments


@dataclass(frozen=True)
class Tracker:
    """A tracker that flags of `lm_eval run` ask for.

    name      as people call it
    package   the package that it needs, which is its module too
    flag      the flag that asks for it
    settings  what the flag says, for the tracker's `init`
    config    what else W&B keeps with a run (`--wandb_config_args`)
    """

    name: str
    package: str
    flag: str
    settings: Mapping[str, Any]
    config: Mapping[str, Any]

    def log(
        self,
        results: Mapping[str, Any],
        samples: Mapping[str, Any],
        *,
        group: str | None = None,
        name: str | None = None,
    ) -> None:
        """Tell of an evaluation, as one run of the tracker that ends with it.

        group, name  of that run, where the flag says none. Raises whatever the tracker raises.
        """
        from lm_eval.loggers import TrackioLogger, WandbLogger

        usual = {"group": group, "name": name}
        settings = {key: one for key, one in usual.items() if one} | dict(self.settings)
        # lm-eval takes what it uses out of the settings, and several evaluations have the same ones.
        made = (
            WandbLogger(settings, dict(self.config))
            if self.package == "wandb"
            else TrackioLogger(settings)
        )
        try:
            made.post_init(dict(results))
            made.log_eval_result()
            made.log_eval_samples(dict(samples))
        finally:
            (made.run if self.package == "wandb" else made).finish()


def trackers(arguments: RunArguments) -> list[Tracker]:
    """The trackers that flags ask for."""
    found = []
    if arguments.wandb_args:
        config = arguments.wandb_config_args or {}
        found.append(Tracker("W&B", "wandb", "--wandb_args", arguments.wandb_args, config))
    if arguments.trackio_args:
        found.append(Tracker("Trackio", "trackio", "--trackio_args", arguments.trackio_args, {}))
    return found
