from __future__ import annotations

import numpy as np
import pytest

from otherminds.metrics.socialmindchange import GUIDANCE, LETTERS, STATES, TRANSITIONS, Question


class Make:
    """Small and simulated sets of questions."""

    @staticmethod
    def question(
        name: str,
        stage: str,
        *answers: str | None,
        type: str = GUIDANCE,
        state: str = "belief",
        span: int | None = None,
        needs: tuple[str, ...] = (),
        third_order: bool = False,
        group_size: int = 4,
    ) -> Question:
        """A question of a stage with five scenes, whose gold is always "c"."""
        if span is None:
            span = 0 if type == GUIDANCE else 1
        return Question(
            name, stage, type, state, third_order, span, group_size, 5, "c", needs, answers
        )

    @classmethod
    def population(
        cls, stages: int, *, runs: int = 1, seed: int = 0, skill: float = 0.6, unread: float = 0.05
    ) -> list[Question]:
        """Stages with three guidance questions and one dependency set of each state and type."""
        rng = np.random.default_rng(seed)

        def answers() -> tuple[str | None, ...]:
            drawn = rng.random((runs, 2))
            return tuple(
                None if u < unread else "c" if v < skill else LETTERS[rng.integers(16)]
                for u, v in drawn
            )

        questions = []
        for s in range(stages):
            stage, size = f"S{s:03}", 4 + s % 3
            for state in STATES:
                ids = [f"{stage}-GA-{state}-{i}" for i in range(3)]
                for name in ids:
                    questions.append(
                        cls.question(name, stage, *answers(), state=state, group_size=size)
                    )
                for t, kind in enumerate(TRANSITIONS):
                    questions.append(
                        cls.question(
                            f"{stage}-T{t}-{state}",
                            stage,
                            *answers(),
                            type=kind,
                            state=state,
                            span=int(rng.integers(1, 5)),
                            needs=(ids[t % 3], ids[(t + 1) % 3]),
                            third_order=state == "belief" and t == 0,
                            group_size=size,
                        )
                    )
        return questions


@pytest.fixture(scope="session")
def make() -> type[Make]:
    return Make
