"""What the page says when it does not do what was asked; every message is one sentence."""

from __future__ import annotations

from podium.core.errors import PodiumError


class RefusedError(PodiumError):
    """A request that is not answered: too large, from another site, without the token."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class GoneError(PodiumError):
    """An address of something that is no longer kept, or never was."""

    status = 404


class BusyError(PodiumError):
    """Too many are waiting already."""

    status = 503


class StoppedError(PodiumError):
    """A computation that was stopped, because it took too long or too much memory."""


class FaultError(PodiumError):
    """A fault of Podium's own."""

    status = 500
