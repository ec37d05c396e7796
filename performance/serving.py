"""`otherminds run` against a server: answers per second by the number of concurrent requests.

Without --url, the server is a stand-in on this machine that answers every prompt after a tenth of a
second, as if it were far away: what is lost against ten answers a second for each request under way is
lost by the client.
With --url (up to /v1), --served (the name of the model there) and --tokenizer, it is a real one.
Needs `pip install 'lm-eval[api]'`.
Run: python -m performance.serving [--url URL --served NAME --tokenizer NAME]
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import time
from collections.abc import Iterator
from unittest import mock

from otherminds import harness
from otherminds.data.cache import cached
from otherminds.running.models import Options
from otherminds.running.run import run
from performance.ratio import Ratio, print_table
from tests.helpers.openai_server import Hashed, serving

DATA = "generated"
CLAIM = "answers a second of a server that takes a tenth of a second for each, against the possible"
TASK, ITEMS, CONCURRENT, SECONDS = "debate_blind_synthetic", 64, (1, 4, 16), 0.1
SHARE = 0.7
"""Of the ideal, which is an answer in SECONDS for each of the requests that may be under way."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="A server's address up to /v1.")
    parser.add_argument("--served", help="The name of the model on it.")
    parser.add_argument("--tokenizer", help="Of that model: a name or folder.")
    told = parser.parse_args()
    if told.url is None:
        print_table(measure())
        return
    words = f"model={told.served},base_url={told.url}/completions,tokenizer={told.tokenizer}"
    print_table(by_concurrency(words, "completions"))


def measure() -> list[Ratio]:
    with serving(Hashed(SECONDS)) as server:
        words = f"model=stand-in,base_url={server.address}/chat/completions"
        return by_concurrency(words, "chat-completions", seconds=SECONDS)


def by_concurrency(words: str, kind: str, *, seconds: float | None = None) -> list[Ratio]:
    """Throughput at each concurrency.

    seconds  how long the server takes for an answer: against as many requests that take no longer;
             without it, against one request at a time
    """
    cached("debate-beliefs-synthetic")
    harness.quiet(debug=False)
    rates = {n: answers_per_second(f"{words},num_concurrent={n}", kind) for n in CONCURRENT}
    note = f"{ITEMS} items of {TASK}"
    if seconds is not None:
        return [
            Ratio.of(
                f"server: {n} requests at a time, against an answer every {seconds:g} s for each",
                rate,
                n / seconds,
                "answers/s",
                target=f">= {SHARE}",
                note=note,
                claim=CLAIM,
            )
            for n, rate in rates.items()
        ]
    return [
        Ratio.of(
            f"server: {n} requests at a time against one", rate, rates[1], "answers/s", note=note
        )
        for n, rate in rates.items()
        if n > 1
    ]


def answers_per_second(words: str, kind: str) -> float:
    """Over the time from the first request to the last answer."""
    with tempfile.TemporaryDirectory() as out, asking() as times:
        flags = ["--model", f"local-{kind}", "--model_args", words, "--limit", str(ITEMS)]
        finished = run([TASK], [*flags, "--output_path", out], Options())
    assert finished is not None
    return ITEMS / sum(times)


@contextlib.contextmanager
def asking() -> Iterator[list[float]]:
    """The seconds that models behind a server take, without loading tasks and writing results."""
    from lm_eval.models.api_models import TemplateAPI

    times: list[float] = []
    ask = TemplateAPI.generate_until

    def timed(*given: object, **named: object) -> list[str]:
        start = time.perf_counter()
        answers: list[str] = ask(*given, **named)
        times.append(time.perf_counter() - start)
        return answers

    with mock.patch.object(TemplateAPI, "generate_until", timed):
        yield times


if __name__ == "__main__":
    main()
