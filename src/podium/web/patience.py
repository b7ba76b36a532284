"""Connections that are slow or many: a request must be whole in time, and nobody has all connections."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0  # from the connection to the end of its first request's headers
MOST_PER_ADDRESS = 200  # connections of one address at once, of 400; a browser opens six


class PatientProtocol(H11Protocol):
    """HTTP that hangs up on connections that send no whole request in time, and on too many from one address."""

    open_by_address: ClassVar[Counter[str]] = Counter()

    def connection_made(self, transport: Any) -> None:
        """A new connection: counted, and given a time to say what it wants."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        self._asked = False
        self.open_by_address[self._address] += 1
        self._patience = asyncio.get_running_loop().call_later(HEADER_SECONDS, self._give_up)
        if self.open_by_address[self._address] > MOST_PER_ADDRESS:
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended: its place is free."""
        super().connection_lost(exc)
        self._patience.cancel()
        self.open_by_address[self._address] -= 1
        if self.open_by_address[self._address] <= 0:
            del self.open_by_address[self._address]

    def data_received(self, data: bytes) -> None:
        """What comes is read as before; a whole request ends the waiting."""
        super().data_received(data)
        if self.cycle is not None:
            self._asked = True
            self._patience.cancel()

    def _give_up(self) -> None:
        if not self._asked:
            self.transport.close()
