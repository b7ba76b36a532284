"""What a server may do: where it listens, and how much it accepts."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from podium.core import check
from podium.core.errors import ArgumentError

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one request may ask for, and how much is kept."""

    upload_bytes: int = 20 * MEGABYTE
    """The largest upload."""
    unpacked_bytes: int = 150 * MEGABYTE
    """The most that a spreadsheet or Parquet file may hold once unpacked."""
    cells: int = 1_000_000
    columns: int = 5_000
    seconds: float = 60.0
    """The longest computation; what takes longer is stopped."""
    wait_seconds: float = 300.0
    """The longest wait for a free worker."""
    waiting: int = 200
    """Requests that may wait for a worker; further ones are sent away."""
    heavy_cells: int = 5_000
    """Larger tables leave at least one worker free for the others."""
    memory_bytes: int = 4_000 * MEGABYTE
    """The memory of one worker."""
    kept_bytes: int = 400 * MEGABYTE
    kept: int = 500
    """Tables and results that are kept; the ones unused for longest go first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One server. Without a `token` it must listen on this machine only; `watch` is a benchmark's store."""

    host: str = "127.0.0.1"
    port: int = 0
    token: str | None = None
    watch: Path | None = None
    workers: int = field(default_factory=lambda: max(2, min(8, os.cpu_count() or 2)))
    warm_up: bool = True
    """Whether workers make a comparison before the first visitor comes: the first one compiles, which takes a while."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        check.count("workers", self.workers, at_most=64)
        check.count("port", self.port, at_least=0, at_most=65535)
        if not is_loopback(self.host) and not self.token:
            raise ArgumentError(f"A server on {self.host!r} can be reached by others: give it a `token`.")


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("::1")
    (True, True, False, True)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
