"""The modules that only Unix has: locks of files, limits and measures of processes."""

from __future__ import annotations

from podium.core.errors import UnixOnlyError

try:
    import fcntl as fcntl
    import resource as resource
except ModuleNotFoundError as error:
    raise UnixOnlyError(
        "Benchmarks run on Linux and macOS only: this system lacks {module}. Run them there, and bring the scores by "
        "`podium export`.",
        module=error.name,
    ) from None
