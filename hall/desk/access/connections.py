"""uvicorn's HTTP protocol with what it lacks: a limit of connections by address, and a time for a request's headers."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from hall.desk.access.limits import shortened

MAX_CONNECTIONS: Final = 600
"""Open connections from one address. What is above is closed at once, so one machine cannot take all of the process's descriptors."""
HEADERS_S: Final = 15.0
"""From the connection to the end of the first request's headers; after an answer uvicorn's own keep-alive time counts."""


class LimitedConnection(H11Protocol):
    """A connection of the desk's server."""

    _open: ClassVar[Counter[str]] = Counter()
    """By address, of this process."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._address: str | None = None
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as the base does
        """Count the connection, or close it."""
        super().connection_made(transport)
        address = shortened(self.client[0]) if self.client else ""
        if self._open[address] >= MAX_CONNECTIONS:
            transport.abort()
            return
        self._address = address
        self._open[address] += 1
        self._patience = self.loop.call_later(HEADERS_S, self._lose_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        if self._patience is not None:
            self._patience.cancel()
        if self._address is not None:
            self._open[self._address] -= 1
            if not self._open[self._address]:
                del self._open[self._address]
        super().connection_lost(exc)

    def _lose_patience(self) -> None:
        if self.scope is None:
            self.transport.abort()  # type: ignore[unreachable] # the base's type leaves out that it begins with None
