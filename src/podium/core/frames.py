"""DataFrames of any library: Podium works with those of pandas, and narwhals knows the others."""

from __future__ import annotations

from typing import Any

from podium.core.errors import DataError

# What is no DataFrame of another library; narwhals, which takes a while to load, need not be asked.
_KNOWN = ("builtins", "collections", "numpy", "pandas", "pathlib", "podium")


def as_pandas(source: Any) -> Any:
    """A DataFrame of pandas for one of another library (polars, also lazy; pyarrow; ...); anything else as it is."""
    if type(source).__module__.partition(".")[0] in _KNOWN:
        return source
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(source, pass_through=True)
        frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
        if not isinstance(frame, nw.DataFrame):
            return source
        if frame.implementation.is_pandas_like():  # these have an index, which may name the rows
            return frame.to_pandas()
        columns = {name: frame[name].to_numpy() for name in frame.columns}
    except DuplicateError:
        raise DataError("Two columns of the DataFrame have the same name: rename one of them.") from None
    import pandas as pd

    return pd.DataFrame({name: cells if cells.ndim == 1 else list(cells) for name, cells in columns.items()})
