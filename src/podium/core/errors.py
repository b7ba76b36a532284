"""Everything Podium raises on purpose.

    PodiumError
    ├── ArgumentError         an argument has a value that cannot be used (also a ValueError)
    ├── DataError             a file or table cannot be understood; names the cell and the cure (also a ValueError)
    ├── DesignError           the repeats and folds do not allow what was asked (also a ValueError)
    ├── MissingPackageError   an optional package is needed; gives the install command (also an ImportError)
    └── StoreError            the store of a benchmark cannot be read or written (also an OSError)

Each message is one sentence. The command line prints it and exits with 2.
"""

from __future__ import annotations

__all__ = ["ArgumentError", "DataError", "DesignError", "MissingPackageError", "PodiumError", "StoreError"]


class PodiumError(Exception):
    """Base of all errors that Podium raises on purpose."""


class ArgumentError(PodiumError, ValueError):
    """An argument has a value that cannot be used."""


class DataError(PodiumError, ValueError):
    """A file or a table of scores cannot be understood."""


class DesignError(PodiumError, ValueError):
    """The repeats and folds do not allow what was asked."""


class MissingPackageError(PodiumError, ImportError):
    """An optional package is needed and not installed."""

    def __init__(self, package: str, purpose: str, *, extra: str | None = None) -> None:
        target = f"podium[{extra}]" if extra else package
        super().__init__(f"{purpose} needs the package {package!r}: pip install '{target}'.")


class StoreError(PodiumError, OSError):
    """The store of a benchmark cannot be read or written."""
