"""From blocks to `Results`: one list of names, directions settled, duplicates merged or refused, notes made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.core import check
from podium.core.arrays import Ints
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric, known_metric
from podium.core.numbers import counted, number
from podium.core.read.alike import with_names
from podium.core.read.block import Block, Labels
from podium.core.read.cells import failure_kind
from podium.core.read.names import key_of, quoted, shown
from podium.core.read.options import ReadOptions
from podium.core.read.ranges import check_ranges, settle_folds
from podium.core.read.reading import Reading
from podium.core.read.roles import is_cost
from podium.core.results import Results, keep_metrics, metrics_of

if TYPE_CHECKING:
    from podium.core.read.wide import Part

_TEXTS = ("algorithm", "dataset", "metric", "status", "message")


def assemble(parts: list[Part], options: ReadOptions, *, source: str, said: str | None = None) -> Results:
    """Results from what the sheets gave; the first note is the one line that says what was recognised."""
    notes = [note for part in parts for note in part.notes]
    block = with_names(_joined([block for part in parts for block in part.blocks]), notes, join=options.join_names)
    frame = _chosen(_frame(block), options)
    frame = _without_empty(frame, notes)
    n_rows = len(frame)
    frame = _merged(frame, notes)
    told = {name: word for part in parts for name, word in part.directions.items()}
    if not told:  # a table that Podium wrote was checked before
        frame = settle_folds(frame, options)
        check_ranges(frame)
    asked = _known(options.metrics, list(frame["metric"].cat.categories))
    results = Results(
        frame=frame,
        metrics=_metrics(list(frame["metric"].cat.categories), options, told),
        main=asked[0] if len(asked) == 1 else None,
        families={name: family for part in parts for name, family in part.families.items()},
        test_fraction=options.test_fraction or parts[0].test_fraction,
        source=source,
    )
    reading = _reading(parts, frame, merged=n_rows - len(frame))
    line = _recognition(said or parts[0].said, parts[0].found, results, reading)
    return replace(
        results,
        notes=(line, *_missing_note(frame), *dict.fromkeys(notes)),
        reading=reading,
    )


def _reading(parts: list[Part], frame: pd.DataFrame, *, merged: int) -> Reading:
    """What was recognised; the first part speaks for all."""
    first = parts[0]
    unit = unit_of(frame)
    return Reading(
        layout=first.layout,
        row=first.row,
        unit=unit,
        n_units=frame["dataset"].nunique() if unit == "dataset" else len(frame[["repeat", "fold"]].drop_duplicates()),
        columns=first.columns,
        left_out=tuple(
            f"{column.name}: {column.why}" for part in parts[:1] for column in part.columns if column.role == "left out"
        ),
        merged=merged,
    )


def unit_of(frame: pd.DataFrame) -> str:
    """What the tests will count: datasets, or the folds of a single one.

    This is the one place where the unit of a long table is decided; a source of cases or of runs says its own.
    """
    if frame["dataset"].nunique() > 1:
        return "dataset"
    several = frame["repeat"].nunique() > 1 or frame["fold"].nunique() > 1
    return "fold" if several else "dataset"


def _joined(blocks: list[Block]) -> Block:
    """All rows in one block, the names in order of first appearance."""
    sizes = np.cumsum([0, *(len(block.value) for block in blocks)])
    return Block(
        algorithm=_joined_labels([block.algorithm for block in blocks]),
        dataset=_joined_labels([block.dataset for block in blocks]),
        repeat=np.concatenate([block.repeat for block in blocks]),
        fold=np.concatenate([block.fold for block in blocks]),
        metric=_joined_labels([block.metric for block in blocks]),
        value=np.concatenate([block.value for block in blocks]),
        messages=_shifted([block.messages for block in blocks], sizes),
        kinds=_shifted([block.kinds for block in blocks], sizes),
    )


def _shifted(several: list[dict[int, str]], starts: Ints) -> dict[int, str]:
    """Texts by row of each block, as texts by row of the whole."""
    return {
        int(start) + row: text for start, texts in zip(starts, several, strict=False) for row, text in texts.items()
    }


def _joined_labels(several: list[Labels]) -> Labels:
    names = list(dict.fromkeys(name for labels in several for name in labels.names))
    place = {name: code for code, name in enumerate(names)}
    codes = [np.array([place[name] for name in labels.names], dtype=np.intp)[labels.codes] for labels in several]
    return Labels(names, np.concatenate(codes))


def _chosen(frame: pd.DataFrame, options: ReadOptions) -> pd.DataFrame:
    """Only the metrics that were asked for by name, and the costs."""
    names = list(frame["metric"].cat.categories)
    asked = _known(options.metrics, names)
    keep = {*asked, *filter(is_cost, names)}
    return frame if not asked or keep == set(names) else keep_metrics(frame, keep)


def _known(asked: Iterable[str], names: list[str]) -> list[str]:
    """The metrics that were asked for, as the table spells them."""
    by_key = {key_of(name): name for name in names}
    return [by_key.get(key_of(name)) or check.member("metric", name, names) for name in asked]


def _frame(block: Block) -> pd.DataFrame:
    """The long table; names as categories in order of first appearance."""
    n = len(block.value)
    texts = list(dict.fromkeys(["", *block.messages.values()]))
    place = {text: code for code, text in enumerate(texts)}
    message = np.zeros(n, dtype=np.intp)
    for row, text in block.messages.items():
        message[row] = place[text]
    kinds = ["ok", "missing", *(failure_kind(text) for text in texts[1:]), *block.kinds.values()]
    kinds = list(dict.fromkeys(kinds))
    kind_of_text = np.array([1, *(kinds.index(failure_kind(text)) for text in texts[1:])])
    status = np.where(np.isnan(block.value), kind_of_text[message], 0)
    for row, kind in block.kinds.items():
        status[row] = kinds.index(kind)
    return pd.DataFrame(
        {
            "algorithm": _category(block.algorithm),
            "dataset": _category(block.dataset),
            "repeat": block.repeat,
            "fold": block.fold,
            "metric": _category(block.metric),
            "value": block.value,
            "status": _category(Labels(kinds, status), used=False),
            "message": _category(Labels(texts, message), used=False),
        }
    )


def _category(labels: Labels, *, used: bool = True) -> pd.Categorical[Any]:
    category: pd.Categorical[Any] = pd.Categorical.from_codes(
        labels.codes, categories=pd.Index(labels.names, dtype=object)
    )
    return category.remove_unused_categories() if used else category


def _without_empty(frame: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Drop a metric's rows on the datasets where nobody has a value: there it was not measured."""
    n_datasets = len(frame["dataset"].cat.categories)
    pair = frame["metric"].cat.codes.to_numpy(dtype=np.int64) * n_datasets + frame["dataset"].cat.codes.to_numpy()
    measured = np.zeros(int(pair.max()) + 1, dtype=bool)
    measured[pair[frame["value"].notna().to_numpy()]] = True
    keep = measured[pair]
    if not measured.any():
        raise DataError("There is no score in the whole table: every cell is missing or a failure.")
    if keep.all():
        return frame
    names = frame["dataset"].cat.categories
    for metric, code in {name: code for code, name in enumerate(frame["metric"].cat.categories)}.items():
        gone = np.unique(pair[~keep & (pair // n_datasets == code)] % n_datasets)
        if len(gone):
            listed = quoted([str(names[i]) for i in gone])
            notes.append(f"{metric!r} has no value at all on {len(gone)} of the datasets, left out for it: {listed}.")
    kept: pd.DataFrame = frame[keep].reset_index(drop=True)
    for column in ("algorithm", "dataset", "metric"):
        kept[column] = kept[column].cat.remove_unused_categories()
    return kept


def merged_frames(frames: list[pd.DataFrame], notes: list[str]) -> pd.DataFrame:
    """Several long tables in one; rows for the same cell are merged where they agree and refused otherwise."""
    joined = pd.concat([frame.astype(dict.fromkeys(_TEXTS, object)) for frame in frames], ignore_index=True)
    for name in _TEXTS:
        joined[name] = pd.Categorical(joined[name], categories=pd.Index(joined[name].unique(), dtype=object))
    return _merged(joined, notes)


def _merged(frame: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Rows for the same cell: merged where they agree, refused where they do not."""
    keys = _cell_keys(frame)
    order = np.argsort(keys, kind="stable")
    same = keys[order][1:] == keys[order][:-1]
    if not same.any():
        return frame
    values = frame["value"].to_numpy()
    number = np.cumsum(np.r_[True, ~same]) - 1  # the cell of each row, in order
    cell = np.empty(len(keys), dtype=np.int64)
    cell[order] = number
    low, high = np.full(number[-1] + 1, np.inf), np.full(number[-1] + 1, -np.inf)
    present = ~np.isnan(values)
    np.minimum.at(low, cell[present], values[present])
    np.maximum.at(high, cell[present], values[present])
    differ = np.flatnonzero(high > low)
    if len(differ):
        raise _disagreement(frame, cell, differ)
    best = np.lexsort((np.arange(len(keys)), ~present, cell))  # a value before a hole, the first before the next
    first = best[np.r_[True, cell[best][1:] != cell[best][:-1]]]
    dropped = len(keys) - len(first)
    notes.append(f"{dropped} duplicate row{'s' if dropped > 1 else ''} that agree with others were merged.")
    return frame.iloc[np.sort(first)].reset_index(drop=True)


def _cell_keys(frame: pd.DataFrame) -> Ints:
    keys = np.zeros(len(frame), dtype=np.int64)
    for column in ("metric", "dataset", "algorithm", "repeat", "fold"):
        series = frame[column]
        codes = series.cat.codes.to_numpy() if column not in ("repeat", "fold") else pd.factorize(series)[0]
        keys = keys * (int(codes.max()) + 1) + codes
    return keys


def _disagreement(frame: pd.DataFrame, cell: Ints, differ: npt.NDArray[Any]) -> DataError:
    """Two files (or two tables that are joined) that give different scores for the same cell."""
    rows = frame[cell == differ[0]]
    first = rows.iloc[0]
    values = ", ".join(number(value, 6) for value in pd.unique(rows["value"].dropna())[:3])
    more = f" (and {len(differ) - 1} more such cells)" if len(differ) > 1 else ""
    return DataError(
        f"{shown(first['algorithm'])} has {len(rows)} scores that disagree on {shown(first['dataset'])}: {values}"
        f"{more}; delete the duplicates, or name the column that tells them apart with {{fold_column}} or "
        "{repeat_column}."
    )


def _metrics(names: list[str], options: ReadOptions, told: Mapping[str, str]) -> dict[str, Metric]:
    """The metrics; `told` is what the file itself says: a direction, or that a metric is a cost."""
    directions = {name: "lower" if word == "cost" else word for name, word in told.items() if name in names}
    if isinstance(options.direction, str):
        directions |= dict.fromkeys(_unsettled(names, told), options.direction)
    elif options.direction is not None:
        directions |= dict(zip(_known(options.direction, names), options.direction.values(), strict=True))
    return {
        name: replace(metric, is_cost=metric.is_cost or told.get(name) == "cost")
        for name, metric in metrics_of(names, directions).items()
    }


def _unsettled(names: list[str], told: Mapping[str, str]) -> list[str]:
    """The metrics that one word for the direction is about: the uncertain ones, or the only one."""
    uncertain = [name for name in names if known_metric(name) is None and name not in told]
    scores = [name for name in names if not is_cost(name)] or names
    if not uncertain and len(scores) > 1:
        raise ArgumentError(
            f"There are several metrics ({quoted(names)}): choose one with {{metric}}, or give {{direction}} for "
            "each of them by name."
        )
    return uncertain or scores


def _recognition(said: str, found: str, results: Results, reading: Reading) -> str:
    metrics = ", ".join(f"{metric.name!r}{found} ({metric.direction} is better)" for metric in results.metrics.values())
    shape = f"{_count(results.datasets, 'dataset')} x {_count(results.algorithms, 'algorithm')}"
    unit = f", {counted(reading.n_units, 'fold')} each" if reading.unit == "fold" else ""
    return f"{said}; {shape}{unit}; {metrics}."


def _count(names: Iterable[str], word: str) -> str:
    n = len(tuple(names))
    return f"{n} {word}{'' if n == 1 else 's'}"


def _missing_note(frame: pd.DataFrame) -> list[str]:
    holes = frame[(frame["status"] != "ok").to_numpy()]
    if not len(holes):
        return []
    kinds = holes["status"].value_counts()
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
    return [f"{len(holes)} of {len(frame)} cells have no score ({listed}); they stay missing."]
