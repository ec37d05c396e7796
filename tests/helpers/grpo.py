"""One step of GRPO with TRL on a CPU, on a model of a few tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def stepped(
    model: Path,
    functions: Sequence[Callable[..., Any]],
    data: Any,
    folder: Path,
    *,
    batch: int,
    length: int = 1,
    weights: Sequence[float] | None = None,
) -> Any:
    """The trainer after its step, with two completions of `length` tokens for each prompt."""
    import trl

    arguments = trl.GRPOConfig(
        output_dir=str(folder / "out"),
        max_steps=1,
        per_device_train_batch_size=batch,
        num_generations=2,
        max_completion_length=length,
        reward_weights=None if weights is None else list(weights),
        use_cpu=True,
        bf16=False,
        report_to=[],
        save_strategy="no",
        logging_steps=1,
    )
    trainer = trl.GRPOTrainer(
        model=str(model), reward_funcs=list(functions), args=arguments, train_dataset=data
    )
    trainer.train()
    return trainer
