"""Requests that are sent at once to a server: what becomes of the others when one ends the run."""

from __future__ import annotations

import asyncio


class InFlight:
    """Requests of one event loop that are sent, and whose answers are not yet kept.

    Once a request ends the run, no other is sent, and the run ends when the answers that are under way
    have come: a server has worked for them, and may be paid for them.
    """

    def __init__(self) -> None:
        self._sent: set[object] = set()
        self._landed: asyncio.Event | None = None

    def send(self, request: object) -> None:
        """Say that a request is about to be sent."""
        self._sent.add(request)

    def land(self, request: object) -> None:
        """Say that the answer to a request is kept, or that none is expected."""
        self._sent.discard(request)
        if self._landed is not None and not self._sent:
            self._landed.set()

    async def hold(self, request: object) -> None:
        """Go no further with a request if another one has ended the run.

        It is cancelled with the loop. An exception of its own would be one that nobody takes.
        """
        if self._landed is not None:
            self.land(request)
            await asyncio.get_running_loop().create_future()

    async def end(self, request: object) -> None:
        """Let a request end the run: returns when all others have landed; never if another ended it."""
        await self.hold(request)
        self._landed = asyncio.Event()
        self.land(request)
        await self._landed.wait()
