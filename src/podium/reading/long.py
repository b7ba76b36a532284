"""Long tables: a row per score (or per fold, with a column per metric)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from podium.core.errors import DataError
from podium.core.metric import is_cost, known_metric
from podium.core.names import clean_name, quoted, shown, unguarded
from podium.core.numbers import counted
from podium.reading.block import Block, Labels, constant, labels_of
from podium.reading.cells import FINISHED, MISSING_MARKERS, is_unfinished, parse_column
from podium.reading.columns import Plan
from podium.reading.metric_name import metric_of_table
from podium.reading.options import ReadOptions
from podium.reading.roles import ROLES, role_of
from podium.reading.sheet import Sheet
from podium.reading.slots import check_repeated, slots_of
from podium.reading.summaries import named_cells
from podium.reading.wide import Part, algorithm_in_stem, columns_of, family_of, one_dataset


def read_long(sheet: Sheet, plan: Plan, options: ReadOptions, algorithm: str | None = None) -> Part:
    """One block per column of scores."""
    sheet, blank = _without_metric(sheet, plan)
    sheet, algorithms, datasets, notes = _names(sheet, plan, options, algorithm)
    notes += blank
    slots = slots_of(sheet, plan, options, [datasets, algorithms])
    plan = slots.plan
    check_repeated(sheet, slots, {"algorithm": algorithms, "dataset": datasets})
    texts, kinds = _texts(sheet, plan, "message"), _texts(sheet, plan, "status")
    failed = {row: kind for row, kind in kinds.items() if is_unfinished(kind)}
    scored: set[int] = set()
    blocks = []
    for value in plan.values:

        def where(row: int, column: str = sheet.header[value]) -> str:
            return f"{sheet.label}: {column!r} of {algorithms[row]} on {datasets[row]}"

        parsed = parse_column(sheet.column(value), options, where)
        refuted = {row: kind for row, kind in failed.items() if not np.isnan(parsed.values[row])}
        scored |= set(refuted)
        values = parsed.values.copy()
        values[list(failed)] = np.nan
        missing = set(np.flatnonzero(np.isnan(values)).tolist())
        blocks.append(
            Block(
                algorithm=algorithms,
                dataset=datasets,
                repeat=slots.repeat,
                fold=slots.fold,
                metric=_metric(sheet, plan, options, value),
                value=values,
                messages={row: text for row, text in {**refuted, **texts, **parsed.messages}.items() if row in missing},
                kinds={row: kind for row, kind in kinds.items() if row in missing},
                percent=bool(parsed.percents),
            )
        )
    return Part(
        blocks=blocks,
        said=_said(sheet, plan, algorithms),
        families=family_of(sheet, plan, datasets),
        directions=_directions(sheet, plan),
        test_fraction=_test_fraction(sheet, plan),
        one_algorithm=plan.role("algorithm") is None,
        notes=[*notes, *slots.notes, *_failed(sheet, plan, {row: failed[row] for row in sorted(scored)})],
        layout="long",
        row=f"one algorithm on one {slots.unit} of a dataset" if slots.unit else "one algorithm on one dataset",
        columns=columns_of(sheet, plan, values="score"),
    )


def _names(
    sheet: Sheet, plan: Plan, options: ReadOptions, algorithm: str | None
) -> tuple[Sheet, Labels, Labels, list[str]]:
    """The sheet without rows that sum up others, its algorithms and datasets, and notes on the rows that were dropped."""
    sheet, names, notes = named_cells(sheet, plan, options, "algorithm", "dataset")
    name = algorithm or algorithm_in_stem(sheet.stem) or "algorithm"
    algorithms = names.get("algorithm") or constant(clean_name(name, "algorithm"), sheet.n_rows)
    return sheet, algorithms, names.get("dataset") or one_dataset(sheet, options), notes


def _metric(sheet: Sheet, plan: Plan, options: ReadOptions, value: int) -> Labels:
    """The metric of each row: a column of metrics, the name of the value column, or the name that was given."""
    if (place := plan.role("metric")) is not None:
        return labels_of(sheet, place, "metric")
    name = sheet.header[value].strip()
    alone = sum(not is_cost(sheet.header[i]) for i in plan.values) <= 1 and (len(plan.values) == 1 or not is_cost(name))
    if alone and options.metrics and (options.value_column is not None or known_metric(name) is None):
        name = options.metrics[0]
    elif alone and role_of(name) == "value" and options.direction is None and options.value_column is None:
        name = metric_of_table(sheet, options, name)[0]  # only called "score": the file's name may still say what it is
    return constant(clean_name(name, "metric"), sheet.n_rows)


def _without_metric(sheet: Sheet, plan: Plan) -> tuple[Sheet, list[str]]:
    """The sheet without blank metrics in rows without a score, as runs that failed; and a note on rows that were left out.

    Where a dataset has one metric only, they are missing scores of it.
    """
    place = plan.role("metric")
    if place is None:
        return sheet, []
    blank = sheet.codes(place)[1] < 0
    for value in plan.values:
        blank &= sheet.column(value).isna().to_numpy()
    if not blank.any() or blank.all():
        return sheet, []
    if (dataset := plan.role("dataset")) is not None:
        names = sheet.column(place)
        by_dataset = names.groupby(sheet.codes(dataset)[1])
        if by_dataset.nunique().max() == 1:
            frame = sheet.frame.copy()
            frame.isetitem(place, names.where(~blank, by_dataset.transform("first")).to_numpy())
            sheet = replace(sheet, frame=frame)
            blank &= frame.iloc[:, place].isna().to_numpy()
            if not blank.any():
                return sheet, []
    kept = replace(sheet, frame=sheet.frame[~blank].reset_index(drop=True))
    rows = counted(int(blank.sum()), "row")
    return kept, [f"{rows} with neither a score nor a metric {'was' if blank.sum() == 1 else 'were'} left out."]


def _texts(sheet: Sheet, plan: Plan, role: str) -> dict[int, str]:
    """What the column of messages, or that of statuses, says by row; "ok" and the like say nothing."""
    place = plan.role(role)
    if place is None:
        return {}
    names, codes = sheet.codes(place)
    silent = MISSING_MARKERS | FINISHED
    says = np.array([*(name.lower() not in silent for name in names), False])
    return {int(row): unguarded(names[codes[row]]) for row in np.flatnonzero(says[codes])}


def _failed(sheet: Sheet, plan: Plan, marked: dict[int, str]) -> list[str]:
    """A note on the rows whose scores are missing only because their status says that they failed."""
    if not marked:
        return []
    name = shown(sheet.header[plan.roles["status"]])
    words = quoted(dict.fromkeys(marked.values()))
    if len(marked) == sheet.n_rows:
        raise DataError(
            f"{sheet.label}: all scores are marked {words} in {name}: give {{ignore_column}} {name} if they count all the same."
        )
    one = len(marked) == 1
    return [
        f"{counted(len(marked), 'row')} with a score {'is' if one else 'are'} marked {words} in {name}: {'its' if one else 'their'} "
        f"scores are missing. `ignore_column` {name} keeps them."
    ]


def _directions(sheet: Sheet, plan: Plan) -> dict[str, str]:
    """The direction of each metric ("higher", "lower" or "cost"), where a table that Podium wrote says it."""
    metric, direction = plan.role("metric"), plan.role("direction")
    if metric is None or direction is None:
        return {}
    metrics, words = labels_of(sheet, metric, "metric"), labels_of(sheet, direction, "direction")
    pairs = sorted(set(zip(metrics.codes.tolist(), words.codes.tolist(), strict=True)))
    return {metrics.names[i]: words.names[j] for i, j in pairs if words.names[j] in ("higher", "lower", "cost")}


def _test_fraction(sheet: Sheet, plan: Plan) -> float | None:
    place = plan.role("test_fraction")
    if place is None or sheet.column(place).dtype.kind != "f":
        return None
    shares = sheet.column(place).dropna().unique()
    return float(shares[0]) if len(shares) == 1 and 0 < shares[0] < 1 else None


def _said(sheet: Sheet, plan: Plan, algorithms: Labels) -> str:
    header = sheet.header
    parts = [f"{role} = {header[plan.roles[role]]!r}" for role in ROLES if role in plan.roles]
    if plan.role("algorithm") is None:
        parts.append(f"one algorithm, {algorithms.names[0]!r}")
    values = quoted([header[place] for place in plan.values], 8)
    return f"{sheet.label} was read as a long table: {', '.join(parts)}, value = {values}"
