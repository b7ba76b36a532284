"""A Parquet file."""

from __future__ import annotations

import io

from podium.core.errors import DataError, MissingPackageError
from podium.reading.formats.frames import sheet_of_frame
from podium.reading.formats.text import File, bytes_of
from podium.reading.options import ReadOptions
from podium.reading.sheet import Sheet


def open_parquet(path: File, options: ReadOptions) -> Sheet:
    """The table in the file."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingPackageError("pyarrow", "Reading Parquet files", extra="parquet") from None
    try:
        frame = pyarrow.parquet.read_table(io.BytesIO(bytes_of(path))).to_pandas()
    except (pyarrow.ArrowException, ValueError, OSError):
        raise DataError(
            f"{path.name} is not a readable Parquet file: write it again, or save the table as CSV."
        ) from None
    return sheet_of_frame(frame, label=path.name, stem=path.stem)
