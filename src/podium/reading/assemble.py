"""From blocks to `Results`: one list of names, directions settled, duplicates merged or refused, notes made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.core import check
from podium.core.arrays import Floats, Indices, Ints
from podium.core.errors import ArgumentError, DataError, as_sentence
from podium.core.metric import Metric, is_cost, known_metric
from podium.core.names import key_of, quoted
from podium.core.numbers import counted
from podium.evidence.merging import merged
from podium.evidence.reading import Reading
from podium.evidence.results import Results, keep_metrics, keep_rows, metrics_of
from podium.reading.block import Block, Labels
from podium.reading.cells import failure_kind
from podium.reading.options import ReadOptions
from podium.reading.ranges import check_percent_signs, check_ranges, check_scales, settle_folds

if TYPE_CHECKING:
    from podium.reading.build import Part


_BETWEEN = re.compile(r"[\s._\-‐-–]+")


def assemble(
    parts: list[Part], options: ReadOptions, *, source: str, said: str | None = None, ask_design: bool = True
) -> Results:
    """Results from what the sheets gave; the first note is the one line that says what was recognised."""
    notes = [note for part in parts for note in part.notes]
    blocks = [block for part in parts for block in part.blocks]
    check_percent_signs(blocks)
    block = _joined(blocks)
    for part in parts:
        part.blocks.clear()  # all of them would be held to the end
    blocks.clear()
    for kind in ("algorithm", "dataset"):
        setattr(block, kind, _looked_at(getattr(block, kind), kind, notes, join=options.merge_similar_names))
    frame = _chosen(_frame(block), options)
    frame = _without_empty(frame, notes)
    n_rows = len(frame)
    frame = merged(frame, notes)
    stated = {name: word for part in parts for name, word in part.directions.items()}
    if not stated:  # a table that Podium wrote was checked before
        frame = settle_folds(frame, options, ask=ask_design or frame["dataset"].nunique() == 1)
        check_ranges(frame)
        if not options.percent:
            check_scales(frame)
    asked = _known(options.metrics, list(frame["metric"].cat.categories))
    results = Results(
        frame=frame,
        metrics=_metrics(list(frame["metric"].cat.categories), options, stated),
        main=asked[0] if len(asked) == 1 else None,
        families={name: family for part in parts for name, family in part.families.items()},
        test_fraction=options.test_fraction or parts[0].test_fraction,
        source=source,
    )
    reading = _reading(parts, frame, merged=n_rows - len(frame))
    line = _recognition(as_sentence(said or parts[0].said), parts[0].found, results, reading)
    return replace(
        results, notes=(line, *filter(None, (results.missing_note,)), *dict.fromkeys(notes)), reading=reading
    )


def _reading(parts: list[Part], frame: pd.DataFrame, *, merged: int) -> Reading:
    """What was recognised; the first part speaks for all."""
    first = parts[0]
    unit, n_units = unit_of(frame)
    return Reading(
        layout=first.layout,
        row=first.row or f"one algorithm on one {_part_of(frame)}dataset",
        unit=unit,
        n_units=n_units,
        columns=first.columns,
        left_out=tuple(f"{column.name}: {column.why}" for column in first.columns if column.role == "left out"),
        merged=merged,
    )


def _part_of(frame: pd.DataFrame) -> str:
    """What a row has of a dataset: one of its folds or repeats, or all of it."""
    return next((f"{word} of a " for word in ("fold", "repeat") if np.ptp(frame[word])), "")


def unit_of(frame: pd.DataFrame) -> tuple[str, int]:
    """What the tests will count, and how many there are: datasets, or the folds of a single one.

    This is the one place where the unit of a long table is decided; a source of cases or of runs says its own.
    """
    n_datasets = frame["dataset"].nunique()
    n_folds = len(frame[["repeat", "fold"]].drop_duplicates()) if n_datasets == 1 else 1
    return ("fold", n_folds) if n_folds > 1 else ("dataset", n_datasets)


def _joined(blocks: list[Block]) -> Block:
    """All rows in one block, the names in order of first appearance."""
    if len(blocks) == 1 and not _twice(blocks[0]):
        return blocks[0]
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
        deviation=_joined_deviations(blocks),
    )


def _joined_deviations(blocks: list[Block]) -> Floats | None:
    """The spreads of all rows, nan where a block has none; None where no block has any."""
    if all(block.deviation is None for block in blocks):
        return None
    none = (np.full(len(block.value), np.nan) for block in blocks)
    return np.concatenate(
        [each if block.deviation is None else block.deviation for block, each in zip(blocks, none, strict=True)]
    )


def _twice(block: Block) -> bool:
    """Whether a name stands in the list of names twice."""
    return any(len(set(each.names)) < len(each.names) for each in (block.algorithm, block.dataset, block.metric))


def look(name: str) -> str:
    """What names that look alike share: small letters, and one sign for blanks, dots, hyphens and underscores.

    >>> look("Hayes-Roth") == look("hayes.roth"), look("svm-1.0") == look("svm-10")
    (True, False)
    """
    return _BETWEEN.sub("_", name.strip()).casefold()


def _looked_at(labels: Labels, kind: str, notes: list[str], *, join: bool) -> Labels:
    """Names that look alike joined under their first spelling, or as they are; the notes say so."""
    present = [labels.names[code] for code in np.flatnonzero(np.bincount(labels.codes)).tolist()]
    groups: dict[str, list[str]] = {}
    for name in present:
        groups.setdefault(look(name), []).append(name)
    alike = [names for names in groups.values() if len(names) > 1]
    if not alike:
        return labels
    look_alikes = "; ".join(quoted(names) for names in alike[:4]) + (
        f"; and {len(alike) - 4} more" if len(alike) > 4 else ""
    )
    if not join:
        notes.append(
            f"Names of {kind}s look alike ({look_alikes}) and were kept apart: the option merge_similar_names takes them for one."
        )
        return labels
    notes.append(f"{counted(sum(map(len, alike)), f'{kind} name')} that look alike were joined: {look_alikes}.")
    first = {name: groups[look(name)][0] for name in present}
    names = list(dict.fromkeys(first.get(name, name) for name in labels.names))
    place = np.array([names.index(first.get(name, name)) for name in labels.names], dtype=np.intp)
    return Labels(names, place[labels.codes])


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
    message: Indices = np.zeros(n, dtype=np.int32)
    for row, text in block.messages.items():
        message[row] = place[text]
    kinds = ["ok", "missing", *(failure_kind(text) for text in texts[1:]), *block.kinds.values()]
    kinds = list(dict.fromkeys(kinds))
    kind_of_text = np.array([1, *(kinds.index(failure_kind(text)) for text in texts[1:])], dtype=np.int32)
    status: Indices = np.where(np.isnan(block.value), kind_of_text[message], 0)
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
            **({} if block.deviation is None else {"deviation": block.deviation}),
        },
        copy=False,
    )


def _category(labels: Labels, *, used: bool = True) -> pd.Categorical[Any]:
    names, codes = labels.names, labels.codes
    if used:
        there = np.bincount(codes, minlength=len(names)) > 0
        if not there.all():
            codes = (np.cumsum(there) - 1)[codes]
            names = [name for name, is_there in zip(names, there.tolist(), strict=True) if is_there]
    return pd.Categorical.from_codes(codes, categories=pd.Index(names, dtype=object))


def _without_empty(frame: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Drop a metric's rows on the datasets where nobody has a value: there it was not measured."""
    there = frame["value"].notna().to_numpy()
    if there.all():
        return frame
    n_datasets = len(frame["dataset"].cat.categories)
    pair = frame["metric"].cat.codes.to_numpy(dtype=np.int64) * n_datasets + frame["dataset"].cat.codes.to_numpy()
    measured = np.zeros(int(pair.max()) + 1, dtype=bool)
    measured[pair[there]] = True
    keep = measured[pair]
    if not measured.any():
        raise DataError("There is no score in the whole table: every cell is missing or a failure.")
    if keep.all():
        return frame
    names = frame["dataset"].cat.categories
    for code, metric in enumerate(frame["metric"].cat.categories):
        gone = np.unique(pair[~keep & (pair // n_datasets == code)] % n_datasets)
        if len(gone):
            listed = quoted([str(names[i]) for i in gone])
            notes.append(f"{metric!r} has no value at all on {len(gone)} of the datasets, left out for it: {listed}.")
    return keep_rows(frame, keep)


def _metrics(names: list[str], options: ReadOptions, stated: Mapping[str, str]) -> dict[str, Metric]:
    """The metrics; `told` is what the file itself says: a direction, or that a metric is a cost."""
    directions = {name: "lower" if word == "cost" else word for name, word in stated.items() if name in names}
    if isinstance(options.direction, str):
        directions |= dict.fromkeys(_unsettled(names, stated), options.direction)
    elif options.direction is not None:
        directions |= dict(zip(_known(options.direction, names), options.direction.values(), strict=True))
    return {
        name: replace(metric, is_cost=metric.is_cost or stated.get(name) == "cost")
        for name, metric in metrics_of(names, directions).items()
    }


def _unsettled(names: list[str], stated: Mapping[str, str]) -> list[str]:
    """The metrics that one word for the direction is about: the uncertain ones, or the only one."""
    uncertain = [name for name in names if known_metric(name) is None and name not in stated]
    scores = [name for name in names if not is_cost(name)] or names
    if not uncertain and len(scores) > 1:
        raise ArgumentError(
            f"There are several metrics ({quoted(names)}): choose one with {{metric}}, or give {{direction}} for "
            "each of them by name."
        )
    return uncertain or scores


def _recognition(said: str, found: str, results: Results, reading: Reading) -> str:
    metrics = ", ".join(f"{metric.name!r}{found} ({metric.direction} is better)" for metric in results.metrics.values())
    shape = f"{counted(len(results.datasets), 'dataset')} x {counted(len(results.algorithms), 'algorithm')}"
    each = f", {counted(reading.n_units, reading.unit)} each" if reading.n_units > len(results.datasets) else ""
    return f"{said}; {shape}{each}; {metrics}."
