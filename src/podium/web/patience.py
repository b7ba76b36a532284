"""Connections that are slow or many: a request must be whole in time, and nobody has all connections."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0  # from the connection, or the answer before, to the end of a request's headers
LINGER_SECONDS = 2.0  # in which the sender of a body that nobody reads can hear the answer
LIFE_SECONDS = 900.0  # of a connection, and of a request on it: waiting for a worker and computing take less
MOST_CONNECTIONS = 350  # at once, of the 400 at which uvicorn sends everybody away
MOST_PER_ADDRESS = 200  # of one address; a browser opens six, but on one machine everybody has the same


class PatientProtocol(H11Protocol):
    """HTTP that hangs up on connections that send no whole request in time.

    If there are too many, of one address or of all, the one that has waited longest without a whole request makes room for the
    next: whoever asks something gets in, however many hold the line and say nothing.
    """

    open: ClassVar[dict[PatientProtocol, str]] = {}  # with their addresses, the oldest first

    def connection_made(self, transport: Any) -> None:
        """A new connection: counted, and given a time to say what it wants."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        self._patience = self._after(HEADER_SECONDS, self._give_up)
        self._life = self._after(LIFE_SECONDS, self._grow_old)
        others = list(self.open)
        same = [other for other in others if self.open[other] == address]
        self.open[self] = address
        if len(same) >= MOST_PER_ADDRESS:
            self._make_room(same)
        elif len(others) >= MOST_CONNECTIONS:
            self._make_room(others)

    def _make_room(self, others: list[PatientProtocol]) -> None:
        """Hang up on the oldest of these that has asked nothing yet; if all have, on this one."""
        chosen = next((other for other in others if not other.is_asking()), self)
        del self.open[chosen]
        chosen.transport.abort()

    def is_asking(self) -> bool:
        """Whether a whole request is here that has no answer yet."""
        return self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body

    def _after(self, seconds: float, action: Any) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, action)

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended: its place is free."""
        super().connection_lost(exc)
        self._patience.cancel()
        self._life.cancel()
        self.open.pop(self, None)

    def data_received(self, data: bytes) -> None:
        """What comes is read as before; the headers of a request end the waiting."""
        before, unread = self.cycle, self._is_unread()
        super().data_received(data)  # which drops what is left of a body that was answered already
        if self.cycle is not before:
            self._patience.cancel()
        elif unread and not self._is_unread() and before is not None and before.response_complete:
            self._wait(HEADER_SECONDS)  # that body has ended, so that the next request can follow it

    def _is_unread(self) -> bool:
        return self.conn.their_state is h11.SEND_BODY

    def on_response_complete(self) -> None:
        """The next request must come in time; after a body that was not read, none is waited for."""
        unread = self._is_unread()
        super().on_response_complete()
        self._wait(LINGER_SECONDS if unread else HEADER_SECONDS)

    def _wait(self, seconds: float) -> None:
        self._patience.cancel()
        self._patience = self._after(seconds, self._give_up)

    def _give_up(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def _grow_old(self) -> None:
        """A connection between two requests ends; one with a request after it, or when that is as old."""
        if self.cycle is None or self.cycle.response_complete or not self.cycle.keep_alive:
            self.transport.abort()
            return
        self.cycle.keep_alive = False
        self._life = self._after(LIFE_SECONDS, self.transport.abort)
