"""How often somebody may ask: a bucket for each that is filled again with time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_MOST_BUCKETS: Final = 20_000
_MOST_NAME: Final = 64


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many per second after that."""

    at_once: float
    per_second: float


ONE_PERSON: Final = Rate(60, 4)
"""Of one personal link. A page that waits for a question asks once in two seconds."""

ONE_ADDRESS: Final = Rate(600, 40)
"""Of one address, behind which a whole computer room may sit."""

COMING_IN: Final = Rate(20, 0.1)
"""Attempts at the researchers' token from one address."""

BEGINNING: Final = Rate(60, 1)
"""People who begin from one address."""


class Rates:
    """Who asked how often; in memory alone.

    clock  seconds that never go back, whatever is done to the machine's clock
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[tuple[str, Rate], tuple[float, float]] = OrderedDict()

    def allows(self, who: str, path: str, method: str) -> bool:
        """Whether a request may go on."""
        rates = [ONE_PERSON if path.startswith("/p/") else ONE_ADDRESS]
        if method == "POST" and path == "/researcher/login":
            rates.append(COMING_IN)
        if method == "POST" and path == "/begin":
            rates.append(BEGINNING)
        return all(self._take(who[:_MOST_NAME], rate) for rate in rates)

    def _take(self, who: str, rate: Rate) -> bool:
        now = self._clock()
        with self._lock:
            left, at = self._left.pop((who, rate), (rate.at_once, now))
            left = min(rate.at_once, left + (now - at) * rate.per_second)
            allowed = left >= 1
            self._left[who, rate] = (left - 1 if allowed else left, now)
            # Whoever has not asked for longest has a full bucket anyway.
            while len(self._left) > _MOST_BUCKETS:
                self._left.popitem(last=False)
        return allowed
