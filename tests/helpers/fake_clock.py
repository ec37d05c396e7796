"""A clock whose time passes by waiting alone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass
class FakeClock:
    """Takes the place of `otherminds.running.asking.Clock`; `waits` are the seconds that were waited."""

    time: float = 0.0
    waits: list[float] = field(default_factory=list)

    def now(self) -> float:
        """The time in seconds."""
        return self.time

    def sleep(self, seconds: float) -> None:
        """Wait without waiting."""
        self.waits.append(seconds)
        self.time += seconds

    async def asleep(self, seconds: float) -> None:
        """The same among others."""
        self.sleep(seconds)
        await asyncio.sleep(0)
