"""`read`: any source of scores becomes `Results`; one of outcomes on test cases `Cases`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, Unpack, cast, overload

from podium.core.check import known_arguments
from podium.core.errors import ArgumentError, DataError
from podium.core.files import protect
from podium.core.frames import as_pandas
from podium.core.metric import Direction
from podium.core.names import quoted, shown
from podium.core.units import READABLE, UNITS
from podium.core.words import Unit
from podium.reading.options import READ_FIELDS, ReadOptions, options_of
from podium.reading.options import UNITS as NAMES
from podium.reading.question import MORE_SCORES, NothingToTest, Question, answered
from podium.reading.registry import Format, format_of, format_of_name, told
from podium.reading.wall import check_sources, quiet, wall

if TYPE_CHECKING:
    import numpy.typing as npt

    from podium.evidence.cases import Cases
    from podium.evidence.predictions import PredictionTable
    from podium.evidence.results import Results
    from podium.evidence.runs import Runs
    from podium.reading.build import Part
    from podium.reading.keywords import ReadArguments, ReadKeywords
    from podium.reading.sheet import Sheet


@overload
def read(source: Any, *, unit: Literal["case"], truth: None = None, **options: Unpack[ReadArguments]) -> Cases: ...
@overload
def read(source: Any, *, unit: Literal["run"], truth: None = None, **options: Unpack[ReadArguments]) -> Runs: ...
@overload
def read(
    source: Any, *, unit: Unit | None = None, truth: str | Path | npt.ArrayLike, **options: Unpack[ReadArguments]
) -> PredictionTable: ...
@overload
def read(
    source: Any, *, unit: Literal["dataset"] | None = None, truth: None = None, **options: Unpack[ReadArguments]
) -> Results: ...
def read(
    source: Any,
    *,
    metric: str | Sequence[str] | None = None,
    direction: Direction | Mapping[str, Direction] | None = None,
    unit: Unit | None = None,
    truth: Any = None,
    reading: ReadOptions | None = None,
    **options: Unpack[ReadKeywords],
) -> Results | Cases | PredictionTable | Runs:
    """Read scores from a file, folder, DataFrame, dict of `cross_validate` results or fitted search.

    Scores over datasets become `Results`. Outcomes of algorithms on the same test cases become `Cases`, where the table has
    a column of cases or `unit` is "case". Runs of agents become `Runs`. Predictions with their `truth` become a table of
    predictions. All can be given to `podium.compare`. A type checker takes `Results` for granted, unless `unit` or `truth`
    says otherwise.

    What was recognised is said in `notes[0]`; whatever is not certain is asked for, never guessed.

    Parameters
    ----------
    source : str, pathlib.Path, DataFrame, dict or fitted search
        A path (CSV, TSV, JSON, JSON Lines, Excel, Parquet, any of them packed, a benchmark's store, a folder with one
        file per algorithm), a DataFrame of any library, `{algorithm: cross_validate(...)}`,
        `{algorithm: {dataset: cross_validate(...)}}`, or a fitted `GridSearchCV` / `RandomizedSearchCV`.
    metric : str or sequence of str, optional
        What the scores measure; in a table with several metrics, the one (or ones) to keep besides the costs.
    direction : {"higher", "lower"} or mapping, optional
        Which scores are better, or a mapping from metric to one of these words; needed only where the metric's name
        leaves it open.
    unit : {"dataset", "case", "run"}, optional
        What one row of evidence is: the score of a dataset, the outcome of a test case, or the run of an agent on a
        task.
    truth : str, pathlib.Path or array-like, optional
        The source has predictions: the column with the truth, a file with it, or its values. The source may then be
        several files or a folder, one file per algorithm.
    reading : ReadOptions, optional
        All options in one object, `podium.reading.ReadOptions`; what is given beside it counts.
    layout : {"auto", "wide", "long"}, default "auto"
        The shape of the table.
    rows : {"auto", "datasets", "algorithms", "folds"}, default "auto"
        What the rows of a wide table are; "folds" are of one dataset.
    algorithm_column, dataset_column : str or sequence of str, optional
        The columns with these roles, where their names do not say it. "model+variant" (or a list) makes one name of
        two columns.
    fold_column, repeat_column, metric_column, family_column, message_column : str, optional
        The columns with these roles, where their names do not say it. Datasets of one family have one origin;
        messages are those of failures.
    seed_column : str, optional
        The column of seeds, which are used as repeats.
    value_column : str or sequence of str, optional
        The column (or columns) of scores.
    ignore_column : str or sequence of str, default ()
        A column (or columns) to leave out.
    keep_column : str or sequence of str, default ()
        A column of a wide table that does not look like an algorithm, and is one.
    number_folds : bool, default False
        Number the rows of one algorithm and dataset in their order: they are folds without a number.
    dataset_name : str, optional
        The name of the only dataset, where the source does not say it, as in scikit-learn's results.
    missing_marker : str or sequence of str, default ()
        A text that means missing, besides the usual ones (blank, NA, nan, ?, -, --).
    decimal_comma : bool, default False
        Read 0,842 as 0.842.
    thousands : bool, default False
        Read 1,234 (or 1 234) as 1234; with `decimal_comma`, 1.234 as 1234.
    percent : bool, default False
        All scores are in percent, with or without percent signs.
    mean_sd : bool, default False
        Read `68.4 ± 7.1` and `68.4(7.1)` as a mean with its standard deviation.
    footnotes : bool, default False
        Drop marks as in `0.842 (1)` or `0.842*`.
    text_as_missing : bool, default False
        Treat a text in place of a number as a failure; the text is kept as its message.
    summaries : {"ask", "drop", "keep"}, default "ask"
        What to do with rows and columns such as "Average" or "Mean rank", and with rows that are the mean, median or
        sum of the others; "ask" raises an error.
    repeats : int, optional
        How many repeats the numbered columns or scikit-learn's scores are made of.
    test_fraction : float, optional
        The share of the cases that was tested on in each resample, if it was not cross-validation.
    encoding : str, optional
        The encoding of a text file, such as "utf-8" or "cp1252".
    separator : str, optional
        The character between the cells of a text file.
    sheet : str, optional
        The sheet of an Excel file, or the table in a zip archive.
    where : str, optional
        The rows to take, as in `"constraint == '4h8c' and fold < 5"` (==, !=, <, <=, >, >=, in [...], and).
    merge_similar_names : bool, default False
        Treat names that differ only in case, blanks, dots, hyphens and underscores as one.
    runs : {"ask", "newest", "repeats"}, default "ask"
        Of logs of other tools: what several logs of the same system are. With "newest" the last one counts, with
        "repeats" each is a sample of every case.
    all_cases : str, optional
        Of logs that do not name the cases which nobody solved: a file with the names of all cases, one per line, or
        how many there are.
    case_column, sample_column, cluster_column, benchmark_column, weight_column, cost_column : str, optional
        In a table of test cases, the columns with these roles, where their names do not say it.
    case_noun : str, optional
        What one case is called in sentences ("item", "question", "task"), where the name of its column does not say
        it.

    Returns
    -------
    Results, Cases, Runs or PredictionTable
        What was read, with how it was read in `notes` and `reading`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"dataset": ["iris", "zoo"], "svm": [0.9, 0.8], "knn": [0.8, None]})
    >>> results = read(frame, metric="accuracy")
    >>> results.scores().missing
    (MissingScore(row='zoo', algorithm='knn', why='', repeat=None, fold=None),)
    """
    known_arguments("read", options, READ_FIELDS)
    arguments = {"metric": metric, "direction": direction, "unit": unit, "truth": truth, **options}
    return read_evidence(source, options_of(reading, **arguments))


def read_evidence(
    source: Any,
    options: ReadOptions,
    *,
    one_metric: bool = False,
    ask_design: bool = True,
    units: tuple[str, ...] = tuple(READABLE),
) -> Results | Cases | PredictionTable | Runs:
    """`read` with its options in one object; what is open is asked in one question. Only some `units` may be wanted.

    The metric is open too where `one_metric` is needed. How often folds were repeated is open on several datasets only where
    somebody may `ask_design`: a comparison over datasets averages them.
    """
    protect(source, options.truth if isinstance(options.truth, str) else None)
    once = _OpenedOnce(as_pandas(source))

    def evidence_with(chosen: ReadOptions) -> Results | Cases | PredictionTable | Runs:
        evidence = _read_evidence(once, chosen, ask_design, units)
        return _of_one_metric(evidence) if one_metric else evidence

    with quiet():
        return answered(evidence_with, options)


def _of_one_metric(evidence: Any) -> Any:
    """The same, where it has one metric to compare by; else it is asked which."""
    from podium.reading.roles import is_of_training

    metrics = getattr(evidence, "metrics", {})
    if not metrics:
        return evidence
    scores = [name for name, metric in metrics.items() if not metric.is_cost]
    scores = [name for name in scores if not is_of_training(name)] or scores
    frame = evidence.frame
    if len(frame.drop_duplicates(["dataset", "repeat", "fold"])) == 1:
        raise NothingToTest(
            f"{Path(evidence.source).name} has one score for each algorithm ({quoted(metrics, 3)}), so there is nothing to test. {MORE_SCORES}"
        )
    if len(scores) < 2 or evidence.main is not None:
        return evidence
    raise Question(
        f"There are several metrics ({quoted(scores)}): choose one with {{metric}}.",
        *({"metric": name} for name in scores),
    )


class _OpenedOnce:
    """A source whose sheet is opened once for all readings that differ in what its columns are."""

    # What the readers of formats ask for; the answers to most questions are none of it.
    of_formats = ("encoding", "separator", "sheet", "decimal_comma", "rows", "ignore_column", "unit")

    def __init__(self, source: Any) -> None:
        check_sources([source])
        self.source = source
        self.sheets: dict[str, Sheet] = {}

    def sheet(self, options: ReadOptions) -> Sheet | Results | Cases | Runs:
        """The sheet, or what needs no recognising."""
        from podium.reading.sheet import Sheet

        key = repr([getattr(options, name) for name in self.of_formats])
        if key in self.sheets:
            return self.sheets[key]
        content = opened(self.source, options)
        if isinstance(content, Sheet):
            self.sheets[key] = content
        return content


def _read_evidence(
    once: _OpenedOnce, options: ReadOptions, ask_design: bool, units: tuple[str, ...]
) -> Results | Cases | PredictionTable | Runs:
    from podium.reading.columns import Columns
    from podium.reading.recognise import unit_of
    from podium.reading.reshape import prepared
    from podium.reading.sheet import Sheet

    if options.unit is not None:
        _check_wanted(options.unit, units, options=["unit"])
        if own := UNITS[options.unit].reader or _OF_SOURCES.get(options.unit):
            return cast("Runs", resolve_name(own)(once.source, options))
    if "run" in units and (certain := _without_columns(once.source, options, ask_design)) is not None:
        return certain
    content = once.sheet(options)
    if not isinstance(content, Sheet):
        _check_wanted(content.unit, units)
        return content
    content, options = prepared(content, options)
    unit = unit_of(Columns(content, options), units)
    if unit in _READERS:
        return cast("Cases | Runs", resolve_name(_READERS[unit])(content, options))
    return _results(content, once.source, options, ask_design)


def _check_wanted(unit: str, units: tuple[str, ...], **fields: Any) -> None:
    """Refuse evidence of a unit that is not wanted here."""
    if unit not in units:
        raise DataError(f"{NAMES[unit].capitalize()} are for `compare`; this is for scores over datasets.", **fields)


_OF_SOURCES = {"run": "podium.reading.runs:read_runs"}  # units whose arrays and dicts are no sheets
_READERS = {"run": "podium.reading.runs:runs_of_sheet", "case": "podium.reading.outcomes:outcomes_of_sheet"}


def read_unit(unit: str, source: Any, options: ReadOptions, **more: Any) -> Any:
    """Evidence of a unit that is certain; any other is refused."""
    from podium.reading.columns import Columns
    from podium.reading.recognise import check_rows_of_cases
    from podium.reading.reshape import prepared
    from podium.reading.sheet import Sheet

    content = opened(as_pandas(source), options)
    if isinstance(content, Sheet):
        content, options = prepared(content, options)
        if unit == "case":
            check_rows_of_cases(Columns(content, options))
        return resolve_name(_READERS[unit])(content, options, **more)
    if content.unit != unit:
        raise DataError(f"{source} holds {NAMES[content.unit]}, not {NAMES[unit]}.")
    return content


def _without_columns(source: Any, options: ReadOptions, ask_design: bool) -> Results | PredictionTable | Runs | None:
    """What needs no columns to be recognised: predictions with their truth, arrays and dicts by algorithm."""
    if options.truth is not None:
        from podium.reading.predictions import prediction_table

        return prediction_table(source, options)
    from podium.reading.runs import folds_of_arrays, is_of_arrays, looks_like_runs, read_runs

    if is_of_arrays(source):
        return _results(folds_of_arrays(source, options), source, options, ask_design)
    return read_runs(source, options) if options.unit is None and looks_like_runs(source) else None


def read_scores(source: Any, **options: Any) -> Results:
    """Scores over datasets, for what cannot do with test cases."""
    return cast("Results", read_evidence(source, options_of(**options), units=("dataset",)))


def _results(sheet: Sheet, source: Any, options: ReadOptions, ask_design: bool = True) -> Results:
    from podium.reading.assemble import assemble

    options.check_unit("dataset")
    place = str(source) if isinstance(source, str | Path) else "a DataFrame"
    return assemble([read_part(sheet, options)], options, source=place, ask_design=ask_design)


def opened(source: Any, options: ReadOptions) -> Sheet | Results | Cases | Runs:
    """What the reader of its format makes of a source: a sheet that is to be recognised, finished results, cases or runs."""
    from podium.reading.logs.find import logs_in

    several = source if isinstance(source, list | tuple) else [source]
    check_sources(several)
    paths = [Path(path) for path in several if isinstance(path, str | Path)]
    paths = paths if len(paths) == len(several) else []
    if paths and (logs := logs_in(paths, options.unit)) is not None:
        from podium.reading.logs.build import read_logs

        options.check_source("logs")
        return read_logs(paths, options, files=logs)
    if len(paths) > 1:
        from podium.reading.formats.folder import read_tables

        folder = next((str(path) for path in paths if not _existing(path).is_file()), None)
        if folder is not None:
            raise ArgumentError(f"{folder!r} is a folder: give one folder, or files with one algorithm each.")
        return read_tables(paths, options, f"{paths[0].name} and {len(paths) - 1} more", "the")
    source = _existing(Path(source)) if isinstance(source, str | Path) else source
    entry = format_of(source)
    if entry is None:
        objects = told(lambda entry: not entry.endings and entry.name != "folder")
        raise ArgumentError(
            f"{{argument}} must be a path, {objects}; got {{kind}}.", argument="source", kind=type(source).__name__
        )
    options.check_source(entry.kind)
    content: Sheet | Results | Cases = _by_format(entry, source, options)
    return content


def open_file(path: Path, options: ReadOptions) -> Sheet | Results:
    """What the reader of its format makes of a file that is known to be no log."""
    return cast("Sheet | Results", _by_format(format_of_name(path.name), path, options))


def _by_format(entry: Format, source: Any, options: ReadOptions) -> Any:
    reader = resolve_name(entry.home)
    if entry.ready:
        from podium.reading.verbs import with_choices

        return with_choices(reader(source), options, source.name)
    is_file = isinstance(source, Path) and not source.is_dir()
    with wall(source) if is_file else nullcontext():
        return reader(source, options)


def _existing(path: Path) -> Path:
    try:
        exists = path.exists()
    except (OSError, ValueError):
        exists = False
    if not exists:
        raise DataError("There is no file {file}: check the path.", file=shown(str(path), 200), reason="no file")
    return path


def read_part(sheet: Sheet, options: ReadOptions, algorithm: str | None = None) -> Part:
    """The rows of one sheet, whatever its layout; `algorithm` names the one a file is about."""
    from podium.reading.build import build, ignored_note
    from podium.reading.columns import Columns
    from podium.reading.reshape import (
        check_parts_of_data,
        folds_as_rows,
        folds_in_cells,
        folds_in_names,
        metrics_as_rows,
        prepared,
    )
    from podium.reading.shapes import score_plan

    sheet, options = prepared(sheet, options)
    sheet = folds_in_cells(folds_in_cells(sheet, options, "dataset"), options, "algorithm")
    sheet = folds_as_rows(sheet, options)
    sheet, options = folds_in_names(sheet, options)
    sheet = metrics_as_rows(sheet, options)
    check_parts_of_data(sheet, options)
    part = build(sheet, score_plan(Columns(sheet, options)), options, algorithm)
    names = part.blocks[0].dataset.names
    if options.dataset_name is not None and names != [options.dataset_name]:
        raise ArgumentError(
            f"{{argument}} is for a source of one dataset that does not name it, and this one names {quoted(names, 3)}: leave it out.",
            argument="dataset_name",
        )
    part.notes += ignored_note([column.name for column in part.columns if column.role == "left out"])
    part.notes.extend(sheet.notes)
    return part
