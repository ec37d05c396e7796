"""Reward functions of a benchmark whose gold answers are provable: no model judges.

They have the shape that TRL's trainers call: `reward(prompts=…, completions=…, **columns)`, where a
column holds one value for each completion, and return one number each, or None where nothing can be said
of one. A trainer leaves a None out; a reply without a readable answer is not such a case, and earns 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from otherminds.errors import OtherMindsError

DATASET: Final = "dataset"
"""The column that says which dataset a row is of, where rows of several are mixed."""

Row: TypeAlias = Mapping[str, Any]
"""The columns of one completion."""

Reward: TypeAlias = Callable[..., list[float | None]]


@dataclass(frozen=True)
class Rewarding:
    """How a benchmark rewards.

    benchmark  its name, with which a trainer's log names its rewards
    datasets   its datasets: rows that the column DATASET says to be of another one get None
    columns    the columns that a reward needs
    gold       the one of these with the gold answer; where it is None, as in a season, so is the reward
    read       from a row and a reply's text to the answer that the benchmark's own parser reads, or None
    """

    benchmark: str
    datasets: tuple[str, ...]
    columns: tuple[str, ...]
    gold: str
    read: Callable[[Row, str], Any]

    def reward(self, name: str, score: Callable[[Row, Any], float]) -> Reward:
        """The reward function `<benchmark>_<name>`: the score of an answer that could be read, else 0.

        It raises OtherMindsError, in one line, for completions that are neither texts nor messages, for
        a missing column and for a column of another length: what is wrong for one batch is wrong for
        all of them, and a made-up reward would train the model on nothing.
        """

        def reward(
            prompts: Sequence[Any] | None = None,
            completions: Sequence[Any] = (),
            **columns: Any,
        ) -> list[float | None]:
            rows = self._rows(completions, columns)
            return [
                None if row is None else self._scored(row, text_of(completion), score)
                for row, completion in zip(rows, completions, strict=True)
            ]

        reward.__name__ = reward.__qualname__ = f"{self.benchmark}_{name}"
        reward.__doc__ = f"The reward `{name}` of {self.benchmark}; see `Rewarding.reward`."
        return reward

    def _scored(self, row: Row, text: str, score: Callable[[Row, Any], float]) -> float:
        try:
            answer = self.read(row, text)
            return 0.0 if answer is None else float(score(row, answer))
        except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
            raise OtherMindsError(
                f"A row cannot be rewarded as one of {self.benchmark}: its columns "
                f"{', '.join(self.columns)} are not those of its documents ({error})."
            ) from error

    def _rows(self, completions: Sequence[Any], columns: Mapping[str, Any]) -> list[Row | None]:
        if isinstance(completions, str) or not isinstance(completions, Sequence):
            raise OtherMindsError(
                f"completions must be a list with a text or messages for each row, not "
                f"{type(completions).__name__}."
            )
        missing = [name for name in self.columns if name not in columns]
        if missing:
            raise OtherMindsError(
                f"The rewards of {self.benchmark} need the columns {', '.join(self.columns)}, and "
                f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not there: take the "
                "data of `otherminds.rewards.training`, and keep its columns "
                "(GRPOConfig(remove_unused_columns=False))."
            )
        wanted = [*self.columns, *([DATASET] if DATASET in columns else [])]
        for name in wanted:
            if isinstance(columns[name], str) or not isinstance(columns[name], Sequence):
                raise OtherMindsError(
                    f"The column {name} must be a list with a value for each completion, not "
                    f"{type(columns[name]).__name__}."
                )
            if len(columns[name]) != len(completions):
                raise OtherMindsError(
                    f"The column {name} has {len(columns[name])} values for {len(completions)} "
                    "completions: give one for each."
                )
        rows = [
            {name: columns[name][place] for name in wanted} for place in range(len(completions))
        ]
        return [None if self._is_silent(row) else row for row in rows]

    def _is_silent(self, row: Row) -> bool:
        """Whether nothing can be said of a row: another dataset's, or one with a sealed gold answer."""
        return row.get(DATASET, self.datasets[0]) not in self.datasets or row[self.gold] is None


def readable(row: Row, answer: Any) -> float:
    """1: the answer could be read, whether it is right or not."""
    return 1.0


def text_of(completion: Any) -> str:
    """The text of a completion: itself, or what the last message says; "" where nobody says anything.

    A message's content may be a text, parts of which some are text, or None beside a call of tools.
    Raises OtherMindsError for anything else.
    """
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Mapping):
        completion = [completion]
    if not isinstance(completion, Sequence) or isinstance(completion, bytes | bytearray):
        raise _no_completion(completion)
    if not completion:
        return ""
    last = completion[-1]
    if not isinstance(last, Mapping):
        raise _no_completion(completion)
    content = last.get("content")
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence) or not all(isinstance(one, Mapping) for one in content):
        raise _no_completion(completion)
    texts = [one.get("text") for one in content if one.get("type", "text") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def _no_completion(completion: Any) -> OtherMindsError:
    return OtherMindsError(
        "A completion must be a text, or messages whose last has a text as content, not "
        f"{str(completion)[:60]!r} ({type(completion).__name__})."
    )
