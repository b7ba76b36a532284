"""`read`: any source of scores becomes `Results`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from podium.core import check
from podium.core.errors import ArgumentError, DataError
from podium.core.read.options import ReadOptions
from podium.core.read.registry import format_of, load, told

if TYPE_CHECKING:
    from podium.core.read.sheet import Sheet
    from podium.core.read.wide import Part
    from podium.core.results import Results


@check.names_its_arguments
def read(
    source: Any,
    *,
    metric: str | Sequence[str] | None = None,
    direction: str | Mapping[str, str] | None = None,
    layout: str = "auto",
    rows: str = "auto",
    algorithm_column: str | Sequence[str] | None = None,
    dataset_column: str | Sequence[str] | None = None,
    fold_column: str | None = None,
    repeat_column: str | None = None,
    seed_column: str | None = None,
    metric_column: str | None = None,
    value_column: str | Sequence[str] | None = None,
    family_column: str | None = None,
    message_column: str | None = None,
    ignore_column: str | Sequence[str] = (),
    keep_column: str | Sequence[str] = (),
    number_folds: bool = False,
    dataset_name: str | None = None,
    missing_marker: str | Sequence[str] = (),
    decimal_comma: bool = False,
    percent: bool = False,
    mean_sd: bool = False,
    footnotes: bool = False,
    text_as_missing: bool = False,
    summaries: str = "ask",
    repeats: int | None = None,
    test_fraction: float | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    sheet: str | None = None,
    where: str | None = None,
    join_names: bool = False,
) -> Results:
    """Read scores from a file, folder, DataFrame, dict of `cross_validate` results or fitted search.

    What was recognised is said in `notes[0]`; whatever is not certain is asked for, never guessed.

    Parameters
    ----------
    source
        A path (CSV, TSV, JSON, JSON Lines, Excel, Parquet, any of them packed, a benchmark's store, a folder with one file
        per algorithm), a pandas or polars
        DataFrame, `{algorithm: cross_validate(...)}`, `{algorithm: {dataset: cross_validate(...)}}`, or a fitted
        `GridSearchCV` / `RandomizedSearchCV`.
    metric
        What the scores measure; in a table with several metrics, the one (or ones) to keep besides the costs.
    direction
        "higher" or "lower" is better, or a mapping from metric to one of these words; needed only where the
        metric's name leaves it open.
    layout, rows
        "wide" or "long"; what the rows of a wide table are: "datasets", "algorithms", or "folds" of one dataset.
    algorithm_column, dataset_column, fold_column, repeat_column, metric_column, family_column, message_column
        The columns with these roles, where their names do not say it. "model+variant" (or a list) makes one name of two
        columns.
    seed_column
        The column of seeds, which are used as repeats.
    value_column, ignore_column
        The column of scores and a column to leave out; each may be several.
    keep_column
        A column of a wide table that does not look like an algorithm, and is one.
    number_folds
        Number the rows of one algorithm and dataset in their order: they are folds without a number.
    dataset_name
        The name of the only dataset, where the source does not say it, as in scikit-learn's results.
    missing_marker
        A text (or several) that means "missing", besides the usual ones (blank, NA, nan, ?, -, --).
    decimal_comma
        Whether 0,842 is 0.842.
    percent, mean_sd, footnotes, text_as_missing
        Allow percent signs; keep the mean of `68.4 ± 7.1` or `68.4(7.1)`; drop marks as in `0.842 (1)` or
        `0.842*`; make a text in place of a number a hole and keep it as the hole's message.
    summaries
        "ask" (refuse), "drop" or "keep" rows and columns such as "Average" or "Mean rank".
    repeats
        How many repeats the numbered columns or scikit-learn's scores are made of.
    test_fraction
        The share of the cases that was tested on in each resample, if it was not cross-validation.
    encoding, separator, sheet
        Of a text file; the sheet of an Excel file, or the table in a zip archive.
    where
        The rows to take, as in `"constraint == '4h8c' and fold < 5"` (==, !=, <, <=, >, >=, in [...], and).
    join_names
        Whether names that differ only in case, blanks, dots, hyphens and underscores are one.

    >>> import pandas as pd
    >>> results = read(pd.DataFrame({"dataset": ["iris", "zoo"], "svm": [0.9, 0.8], "knn": [0.8, None]}),
    ...                        metric="accuracy")
    >>> results.scores().holes()
    (Hole(dataset='zoo', algorithm='knn', repeat=None, fold=None, message=''),)
    """
    given = {name: item for name, item in locals().items() if name != "source"}
    return read_with(source, ReadOptions(**given))


def read_with(source: Any, options: ReadOptions) -> Results:
    """`read` with its options in one object."""
    from podium.core.read.assemble import assemble
    from podium.core.read.sheet import Sheet

    made = opened(source, options)
    if not isinstance(made, Sheet):
        return made
    place = str(source) if isinstance(source, str | Path) else "a DataFrame"
    return assemble([read_part(made, options)], options, source=place)


def opened(source: Any, options: ReadOptions) -> Sheet | Results:
    """What the reader of its format makes of a source: a sheet that is to be recognised, or finished results."""
    source = _existing(Path(source)) if isinstance(source, str | Path) else source
    found = format_of(source)
    if found is None:
        objects = told(lambda entry: not entry.endings and entry.name != "folder")
        raise ArgumentError(
            f"{{argument}} must be a path, {objects}; got {{kind}}.", argument="source", kind=type(source).__name__
        )
    reader = load(found.home)
    made: Sheet | Results = reader(source) if found.ready else reader(source, options)
    return with_choices(cast("Results", made), options, source.name) if found.ready else made


def _existing(path: Path) -> Path:
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if not exists:
        raise DataError("There is no file {file}: check the path.", file=repr(str(path)), reason="no file")
    return path


def with_choices(results: Results, options: ReadOptions, what: str) -> Results:
    """Results that need no recognising, with the metric and directions that were asked for; more is refused."""
    usual = ReadOptions()
    for name in ReadOptions.__dataclass_fields__:
        if name not in ("metric", "direction") and getattr(options, name) != getattr(usual, name):
            raise ArgumentError("{what} is read as it is: leave out {argument}.", what=what, argument=name)
    if options.metrics:
        results = results.only(options.metrics)
    if isinstance(options.direction, str):
        return results.with_directions({results.metric().name: options.direction})
    return results.with_directions(options.direction) if options.direction else results


def read_part(sheet: Sheet, options: ReadOptions, algorithm: str | None = None) -> Part:
    """The rows of one sheet, whatever its layout; `algorithm` names the one a file is about."""
    from podium.core.read.composite import joined_columns
    from podium.core.read.fold_columns import folds_as_rows
    from podium.core.read.long import read_long
    from podium.core.read.names import quoted
    from podium.core.read.sniff import make_plan
    from podium.core.read.where import filtered
    from podium.core.read.wide import read_resamples, read_wide

    sheet = filtered(sheet, options.where) if options.where is not None else sheet
    sheet = folds_as_rows(sheet, options)
    sheet, options, parts = joined_columns(sheet, options)
    plan = make_plan(sheet, options)
    if plan.layout == "long":
        part = read_long(sheet, plan, options, parts, algorithm)
    elif plan.layout == "resamples":
        part = read_resamples(sheet, plan, options, parts, algorithm)
    else:
        part = read_wide(sheet, plan, options, parts)
    ignored = [column.name for column in part.columns if column.role == "left out"]
    if ignored:
        part.notes.append(f"Ignored column{'s' if len(ignored) > 1 else ''}: {quoted(ignored, 20)}.")
    part.notes.extend(sheet.notes)
    return part
