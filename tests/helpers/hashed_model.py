"""A model without weights that `otherminds run` asks as it asks real ones: through the journal."""

from __future__ import annotations

import zlib

from otherminds import harness

NAME = "hashed"


class Hashed(harness.LM):
    """Answers a number from 0 to 9 that depends on the prompt alone, one request after the other."""

    def generate_until(
        self, requests: list[harness.Instance], disable_tqdm: bool = False
    ) -> list[str]:
        answers = []
        for request in requests:
            answers.append(str(zlib.crc32(str(request.args[0]).encode()) % 10))
            self.cache_hook.add_partial("generate_until", request.args, answers[-1])
        return answers

    def loglikelihood(self, requests: list[harness.Instance]) -> list[tuple[float, bool]]:
        raise AssertionError("It writes.")

    def loglikelihood_rolling(self, requests: list[harness.Instance]) -> list[float]:
        raise AssertionError("It writes.")


def make(arguments: harness.RunArguments) -> Hashed:
    """The model, in the place of `harness.make_model`."""
    return Hashed()
