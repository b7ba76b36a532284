"""What differs from another package is said once, as a warning."""

from __future__ import annotations

import warnings


class DifferentNumber(UserWarning):
    """The number differs from that of the package whose name the function has, and why."""


_SAID: set[str] = set()


def say_once(package: str, sentence: str) -> None:
    """Warn that a number differs, the first time only."""
    key = f"{package}: {sentence}"
    if key not in _SAID:
        _SAID.add(key)
        warnings.warn(f"podium.compat.{package}: {sentence}", DifferentNumber, stacklevel=3)
