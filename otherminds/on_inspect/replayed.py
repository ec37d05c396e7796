"""A model that answers from a log, for lm-eval's own evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from otherminds import harness
from otherminds.errors import OtherMindsError
from otherminds.on_inspect.logs import Answer, Log, hash_of
from otherminds.running.finish import Reply, common


class Replayed(harness.LM):
    """Answers each request with what the log has for its document, if it asks the very same.

    epochs  whose answers are given, in this order where a document is asked several times
    """

    def __init__(self, log: Log, epochs: Sequence[int]) -> None:
        super().__init__()
        self._log = log
        self._known: list[Mapping[tuple[str, str], Answer]] = [
            {(one.task, one.doc_hash): one for one in log.answers[epoch]} for epoch in epochs
        ]

    @property
    def tokenizer_name(self) -> str:
        """Stands for its prompts in lm-eval's caches."""
        return "inspect"

    def chat_template(self, chat_template: bool | str = False) -> str:
        """None of its own: Inspect's providers write messages as their servers want them."""
        return ""

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> Any:
        """Messages in the form of a chat API."""
        return harness.chat_text(chat_history)

    def generate_until(self, requests: Sequence[harness.Instance]) -> list[str]:
        """The replies in the log."""
        times: Counter[tuple[str, str]] = Counter()
        found: list[str] = []
        for one in requests:
            key = (str(one.task_name), harness.doc_hash(one.doc))
            found.append(self._reply(one, key, times[key]))
            times[key] += 1
        return found

    def loglikelihood(self, requests: Sequence[harness.Instance]) -> list[tuple[float, bool]]:
        """Logs hold generated answers alone."""
        raise OtherMindsError(f"{self._log.path} has no log-likelihoods.")

    def loglikelihood_rolling(self, requests: Sequence[harness.Instance]) -> list[float]:
        """Logs hold generated answers alone."""
        raise OtherMindsError(f"{self._log.path} has no log-likelihoods.")

    def _reply(self, request: harness.Instance, key: tuple[str, str], time: int) -> Reply:
        answer = self._known[time].get(key)
        name = request.doc.get("item_id", request.doc_id)
        if answer is None:
            raise OtherMindsError(
                f"{self._log.path} has no answer to the document '{name}' of '{key[0]}' as it is here: "
                "it was asked about other data. Give the data of that run (`data_source`, "
                "$OTHERMINDS_DATA, the version of otherminds), or run the task again."
            )
        chat = harness.messages(request.args[0])
        if chat is None or hash_of(chat) != answer.prompt_hash:
            raise OtherMindsError(
                f"{self._log.path}: the document '{name}' of '{key[0]}' was asked in other words than "
                "this version of the task asks: messages were added or changed."
            )
        return Reply(answer.reply, common(answer.stop_reason), by=answer.model)
