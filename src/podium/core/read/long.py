"""Long tables: a row per score (or per fold, with a column per metric)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from podium.core.read.block import Block, Labels, constant, labels_of, numbering, row_labels
from podium.core.read.cells import MISSING_MARKERS, parse_column
from podium.core.read.metric_name import metric_of_table
from podium.core.read.names import clean_name, quoted
from podium.core.read.options import Reading
from podium.core.read.roles import ROLES, role_of
from podium.core.read.sheet import Sheet
from podium.core.read.sniff import Plan
from podium.core.read.wide import Part, algorithm_in_stem, family_of

__all__ = ["read_long"]


def read_long(sheet: Sheet, plan: Plan, options: Reading, algorithm: str | None = None) -> Part:
    """One block per column of scores."""
    position = plan.role("dataset")
    notes: list[str] = []
    if position is None:
        datasets, keep = constant(sheet.stem or "dataset", sheet.n_rows), np.arange(sheet.n_rows)
    else:
        datasets, keep, notes = row_labels(sheet, position, "dataset", options)
    if (place := plan.role("algorithm")) is not None:
        algorithms = labels_of(sheet, place, "algorithm")
    else:
        name = algorithm or algorithm_in_stem(sheet.stem) or "algorithm"
        algorithms = constant(clean_name(name, "algorithm"), sheet.n_rows)
    fold = numbering(sheet, plan.role("fold"))
    if plan.role("seed") is not None and not _needs_seeds(plan, algorithms, datasets, fold):
        plan = replace(plan, roles={role: at for role, at in plan.roles.items() if role != "seed"})
    repeat = numbering(sheet, plan.role("repeat") if plan.role("seed") is None else plan.role("seed"))
    messages = _messages(sheet, plan)
    blocks = []
    for value in plan.values:

        def where(row: int, column: str = sheet.header[value]) -> str:
            return f"{sheet.label}: {column!r} of {algorithms[row]} on {datasets[row]}"

        parsed = parse_column(sheet.column(value), options, where)
        missing = np.flatnonzero(np.isnan(parsed.values[keep]))
        texts = {**messages, **parsed.messages}
        blocks.append(
            Block(
                algorithm=algorithms.take(keep),
                dataset=datasets.take(keep),
                repeat=repeat[keep],
                fold=fold[keep],
                metric=_metric(sheet, plan, options, value).take(keep),
                value=parsed.values[keep],
                messages={int(i): texts[int(keep[i])] for i in missing if int(keep[i]) in texts},
            )
        )
    return Part(
        blocks=blocks, said=_said(sheet, plan, algorithms), families=family_of(sheet, plan, datasets), notes=notes
    )


def _needs_seeds(plan: Plan, algorithms: Labels, datasets: Labels, fold: npt.NDArray[np.int64]) -> bool:
    """Seeds are the repeats where there is no column of repeats and rows would be the same cell without them."""
    if plan.role("repeat") is not None:
        return False
    cell = (datasets.codes.astype(np.int64) * len(algorithms.names) + algorithms.codes) * (int(fold.max()) + 1) + fold
    return plan.role("metric") is not None or len(np.unique(cell)) < len(cell)


def _metric(sheet: Sheet, plan: Plan, options: Reading, value: int) -> Labels:
    """The metric of each row: a column of metrics, the name of the value column, or the name that was given."""
    if (place := plan.role("metric")) is not None:
        return labels_of(sheet, place, "metric")
    name = sheet.header[value].strip()
    if len(plan.values) == 1 and (options.metrics or role_of(name) == "value"):
        name = options.metrics[0] if options.metrics else _name_of_value(sheet, options, name)
    return constant(clean_name(name, "metric"), sheet.n_rows)


def _name_of_value(sheet: Sheet, options: Reading, name: str) -> str:
    """A column that is only called "score" or "value" may still be explained by the file's name."""
    if options.direction is not None or options.value is not None:
        return name
    return metric_of_table(sheet, options, name)[0]


def _messages(sheet: Sheet, plan: Plan) -> dict[int, str]:
    """The failure texts by row."""
    place = plan.role("message")
    if place is None:
        return {}
    names, codes = sheet.codes(place)
    said = [name for name in names if name.lower() not in MISSING_MARKERS | {"ok", "success", "done"}]
    return {int(row): names[codes[row]] for row in np.flatnonzero(codes >= 0) if names[codes[row]] in said}


def _said(sheet: Sheet, plan: Plan, algorithms: Labels) -> str:
    header = sheet.header
    parts = [f"{role} = {header[plan.roles[role]]!r}" for role in ROLES if role in plan.roles]
    if plan.role("algorithm") is None:
        parts.append(f"one algorithm, {algorithms.names[0]!r}")
    values = quoted([header[place] for place in plan.values], 8)
    return f"{sheet.label} was read as a long table: {', '.join(parts)}, value = {values}"
