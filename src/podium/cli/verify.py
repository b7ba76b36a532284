"""`podium verify`: published numbers, computed again on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.cli.progress import progress_bar
from podium.cli.showing import showing

if TYPE_CHECKING:
    from podium.studies.verify import VerifyResult


@showing(short=False, exit_code=lambda result: 0 if result.agrees else 1)
def verify() -> VerifyResult:
    """Recompute published numbers and print each beside its source; exit code 1 if one disagrees."""
    from podium.studies.verify import verify as verify_numbers

    with progress_bar("papers") as progress:
        return verify_numbers(progress=progress)
