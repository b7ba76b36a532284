"""Which column is what, in tables of scores and of runs: every shape places every role."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from podium.core.arrays import Ints
from podium.core.errors import DataError
from podium.core.metric import is_cost, known_metric
from podium.core.names import key_of, quoted, shown
from podium.evidence.merging import combined
from podium.reading.columns import Columns, ColumnView, Plan, is_any_cost
from podium.reading.judge import CHECKS, check_pass_fail, check_truth, doubts, refuse_cases
from podium.reading.question import Question
from podium.reading.recognise import are_algorithms, are_resamples, layout_of, rows_of
from podium.reading.replicates import FEW_VALUES, equals
from podium.reading.roles import is_property, may_be_algorithms, role_of, says_otherwise
from podium.reading.sheet import LONGEST_NAME, Sheet
from podium.reading.summaries import without_summary_columns

# Runs of agents on tasks.


def run_plan(columns: Columns) -> Plan:
    """The columns of a long table of runs: agent, task, what numbers the runs and the steps of a training, score.

    Without a column of tasks, and with no text that might name them, all runs are on one.
    """
    for role, kind, what in (("algorithm", "runs.agent", "agents"), ("dataset", "runs.game", "tasks")):
        found = columns.take(role, columns.called(kind, f"role.{role}"))
        if not found and (
            role == "algorithm" or any(not view.numeric and len(view.names) > 1 for view in columns.free("role.status"))
        ):
            raise DataError(
                f"{columns.sheet.label}: which column names the {what}? Give {{{role}_column}} (the columns are "
                f"{quoted(columns.sheet.header, 12)}).",
                options=(f"{role}_column",),
            )
    if not columns.by_option.keys() & {"seed", "repeat"}:
        for role in ("seed", "repeat"):
            columns.take(role, columns.called(f"role.{role}"))
    steps = columns.called("role.step", "runs.step")  # a budget is the same in all rows
    columns.take("step", sorted(steps, key=lambda view: len(view.names), reverse=True)[:1])
    columns.take("status", columns.called("role.status"))
    rest = [view for view in columns.free() if view not in steps]
    scores = [view for view in rest if view.is_called("role.value", "runs.return")]
    metrics = [view for view in rest if known_metric(view.name) is not None and not is_any_cost(view)]
    return columns.plan("long", [columns.value(scores, metrics, what="scores")])


# Scores of datasets.

# Wider than this and wider than long, a wide table probably has its datasets in the columns.
MANY_ALGORITHMS = 1000
FEWEST_IDS = 20  # names that all algorithms share: fewer may be datasets
# What is named or numbered, so that a column with fractions cannot be it.
_WHOLE = frozenset("algorithm dataset metric family message status direction fold repeat seed step case".split())


def score_plan(columns: Columns) -> Plan:
    """The columns of scores over datasets: what the options say, then what the names of the columns say."""
    _check_header(columns.sheet)
    _take_named(columns)
    # What says which rows were kept is the same in all of them, and no score.
    columns.ignore |= {view.place for view in columns.free() if view.is_fixed and view.numeric} - columns.kept
    return _long_plan(columns) if layout_of(columns) == "long" else _wide_plan(columns)


def _check_header(sheet: Sheet) -> None:
    """Refuse a first line that is a row of scores."""
    rest = [name for name in sheet.header[1:] if name.strip()]
    if rest and all(_is_float(name) for name in rest) and not _counts_up(rest):
        raise DataError(
            f"The first line of {sheet.label} holds numbers, not names ({quoted(rest, 3)}): "
            "add a header line with the names of the columns."
        )


def _is_float(text: str) -> bool:
    return re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", text) is not None


def _counts_up(names: list[str]) -> bool:
    """Whether the names are 0, 1, 2, ... or 1, 2, 3, ...: numbers of resamples."""
    if not all(re.fullmatch(r"\d+", name.strip()) for name in names):
        return False
    numbers = [int(name) for name in names]
    return numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))


def _take_named(columns: Columns) -> None:
    """Give every role to the column whose name speaks for it and whose cells allow it."""
    by_role: dict[str, list[ColumnView]] = {}
    for view in columns.free():
        if view.role is not None and _can_be(view.role, view):
            by_role.setdefault(view.role, []).append(view)
    for role, views in by_role.items():
        if role not in columns.roles:
            columns.roles[role] = _one_of(columns, role, views).place
    for role, kind in (("algorithm", "trackers.algorithm"), ("dataset", "known.of_data")):
        named = columns.called(kind, fits=lambda view: not view.numeric and len(view.names) > 1)
        columns.take(role, named if len(named) == 1 else ())
    case = columns.view("case")
    if case is not None and "dataset" in columns.roles and _is_setting(case):
        del columns.roles["case"]
    if "value" in columns.roles:  # a column of "functions" or "criteria" whose cells are metrics
        columns.take("metric", (view for view in columns.free() if not view.numeric and _are_metrics(view.names)))


def _is_setting(case: ColumnView) -> bool:
    """Whether a column of "prompts" or "topics" beside datasets has too few of them for test cases."""
    return not case.is_called("cases.clear") and len(case.names) < FEWEST_IDS


def _are_metrics(names: list[str]) -> bool:
    return bool(names) and all(known_metric(name, exact=True) is not None for name in names)


def _can_be(role: str, view: ColumnView) -> bool:
    """Whether the cells of a column allow the role that its name speaks for."""
    if role == "message":  # a column of numbers called "error" is a metric
        return not view.numeric and not view.is_blank
    if role == "value":
        return view.numeric
    return role not in _WHOLE or not (view.numeric and view.has_fractions)


def _one_of(columns: Columns, role: str, views: list[ColumnView]) -> ColumnView:
    """One column for a role: text before numbers, then the one whose names tell the others'; else it is asked."""
    if role not in ("algorithm", "dataset"):
        return views[0]
    views = [view for view in views if not view.numeric] or views
    finest = [one for one in views if all(determines(one, other) for other in views)]
    if not finest:
        named = [view.name for view in views]
        raise Question(
            f"Which column of {columns.sheet.label} names the {role}s: {quoted(named)}? Name it with {{{role}_column}}, or "
            f"several together as {'+'.join(named)!r}.",
            *({f"{role}_column": name} for name in [*named, "+".join(named)]),
        )
    return finest[0]


def determines(one: ColumnView, other: ColumnView) -> bool:
    """Whether rows that are equal in the first column are equal in the other."""
    return one is other or len(np.unique(combined([one.codes, other.codes]))) == len(np.unique(one.codes))


# Long tables.


def _long_plan(columns: Columns) -> Plan:
    sheet, options, roles = columns.sheet, columns.options, columns.roles
    value = columns.view("value")
    roles.pop("value", None)
    free = [view for view in columns.free() if view.numeric]
    if columns.values:
        values = columns.values
        columns.roles = roles = {role: place for role, place in roles.items() if place not in values}
    elif value is not None and "metric" in roles:
        values = [value.place]
        if asked := _called(free, options.metrics):
            # a metric with a column of its own, beside the one that the column of metrics names
            values = [view.place for view in [*asked, *(v for v in free if is_cost(v.name) and v not in asked)]]
            roles.pop("metric")
    else:
        values = [view.place for view in _value_columns(columns, free, value)]
    if not values:
        raise DataError(
            f"No column of {sheet.label} is recognised as scores: name it with {{value_column}}; "
            f"it has {quoted(sheet.header, 12)}."
        )
    if "algorithm" not in roles and "dataset" not in roles:
        texts = [view for view in columns.free() if not view.numeric and not view.is_blank]
        if len(texts) == 2 and len(np.unique(_together(texts))) > max(len(view.names) for view in texts):
            raise _names_of_both(columns, texts)
        raise DataError(
            f"{sheet.label} has no column of algorithms or datasets: name them with {{algorithm_column}} and "
            f"{{dataset_column}}; it has {quoted(sheet.header, 12)}."
        )
    if options.unit is None:
        if (case := columns.view("case")) is not None:
            refuse_cases(sheet, f"column {shown(case.name)} names cases")
        if "dataset" not in roles and (shared := _shared_ids(columns)) is not None:
            refuse_cases(sheet, f"column {shown(shared.name)} names what all algorithms were tried on")
        if not roles.keys() & {"metric", "fold"}:
            check_pass_fail(sheet, [i for i in values if not is_cost(sheet.header[i])])
    return columns.plan("long", values)


def _shared_ids(columns: Columns) -> ColumnView | None:
    """A column that may name cases ("id"), where every algorithm has many of them and they are the same."""
    algorithm = columns.view("algorithm")
    if algorithm is None:
        return None
    for view in columns.called("cases.possible"):
        each = len(np.unique(combined([algorithm.codes, view.codes]))) / max(1, len(np.unique(algorithm.codes)))
        if len(view.names) >= FEWEST_IDS and 2 * each > len(view.names):
            return view
    return None


def _value_columns(columns: Columns, free: list[ColumnView], value: ColumnView | None) -> list[ColumnView]:
    """The columns of scores in a long table without a column of metrics."""
    options = columns.options
    if named := _called(free, options.metrics):
        return named + [view for view in free if view not in named and is_cost(view.name)]
    directed = _called(free, options.direction if isinstance(options.direction, dict) else ())
    certain = [view for view in free if known_metric(view.name) is not None or view in directed]
    if any(not is_cost(view.name) or view in directed for view in certain):
        return certain
    returns = [view for view in free if view.is_called("runs.return")]
    if value is not None or len(returns) == 1:
        return [returns[0] if value is None else value, *certain]
    # A cost is the score only where nothing else can be.
    others = [view for view in free if view not in certain and view.name.strip()]
    others = [view for view in others if not says_otherwise(view.name)]
    dataset = columns.view("dataset")
    if dataset is not None and not dataset.differ:  # what is the same for all algorithms describes the dataset
        others = [view for view in others if not determines(dataset, view)] or others
    if len(others) > 1:
        raise Question(
            f"Which column of {columns.sheet.label} holds the scores: {quoted([view.name for view in others])}? "
            "Name it with {value_column}.",
            *({"value_column": view.name} for view in others),
        )
    return [*others, *certain]


def _called(views: list[ColumnView], names: Iterable[str]) -> list[ColumnView]:
    """The columns among some that have one of these names."""
    keys = {key_of(name) for name in names}
    return [view for view in views if key_of(view.name) in keys]


# Wide tables.


def _wide_plan(columns: Columns) -> Plan:
    sheet, options = columns.sheet, columns.options
    _check_metrics(columns)
    rows: str = options.rows
    if rows == "auto":
        rows = "algorithms" if "dataset" not in columns.roles and are_algorithms(columns) else "datasets"
    _take_labels(columns, rows)
    values = _without_settings(columns, _wide_values(columns))
    if options.rows == "auto" and options.unit is None:
        _check_cases(columns, rows, values)
    sizes = [i for i in values if _is_size(columns.views[i]) and len(values) > 1]
    if sizes and not columns.roles.keys() & {rows[:-1], "fold", "repeat", "seed"} and options.rows == "auto":
        columns.roles["dataset"] = sizes[0]  # how large the training set was
        values = [i for i in values if i != sizes[0]]
    rows = rows_of(columns, rows, values)
    if rows == "datasets" and are_resamples([sheet.header[i] for i in values]):
        return columns.plan("resamples", values)
    if rows == "datasets" and len(values) > max(MANY_ALGORITHMS, sheet.n_rows):
        raise DataError(
            f"{sheet.label} has {len(values)} columns of numbers: if they are datasets, set {{rows}} to 'algorithms'."
        )
    plan = columns.plan("wide", without_summary_columns(sheet, tuple(values), options), rows=rows)
    _check_columns(columns, plan, min(values))
    return plan


def _is_size(view: ColumnView) -> bool:
    """Whether a column says how the rows differ: by the size of the training set, by how much of the data is contaminated."""
    return (key_of(view.name) == "n" or is_property(view.name)) and view.differ


def _check_metrics(columns: Columns) -> None:
    """Ask which metric counts, where a column beside algorithms says that rows have several."""
    metric = columns.view("metric")
    if metric is not None and "dataset" in columns.roles and not metric.numeric and len(metric.names) > 1:
        raise Question(
            f"Column {shown(metric.name)} of {columns.sheet.label} names several metrics ({quoted(metric.names, 3)}), which are not "
            f'compared with each other: keep one with {{where}} "{equals(columns.sheet, metric.place, metric.names[0])}".',
            *({"where": equals(columns.sheet, metric.place, name)} for name in metric.names[:4]),
        )


def _check_cases(columns: Columns, rows: str, values: list[int]) -> None:
    """Ask about a wide table whose rows may be test cases: a column names them, holds their labels, or all scores are 0 and 1."""
    if (case := columns.view("case")) is not None:
        refuse_cases(columns.sheet, f"column {shown(case.name)} names cases")
    check_truth(columns.sheet, [view.place for view in columns.views if view.place != columns.roles.get(rows[:-1])])
    check_pass_fail(columns.sheet, values)


def _take_labels(columns: Columns, rows: str) -> None:
    """The columns that are no scores in a wide table; those of other roles by name are scores again."""
    named, by_option = columns.roles, columns.by_option
    label = "dataset" if rows == "folds" else rows[:-1]
    kept = {role: named[role] for role in ("fold", "repeat", "family", "step", "case", label) if role in named}
    columns.roles = kept
    numbered = None if 0 in columns.ignore else _role_of_cells(columns.views[0])
    finer = _finer_label(columns) if rows == "datasets" and "dataset" not in by_option else None
    if finer is not None:
        kept["dataset"] = finer.place
    if label not in kept and numbered is None:  # the corner may name the columns: "Fold", above names of datasets
        kept = {role: at for role, at in kept.items() if at != 0 or columns.views[0].numeric}
    elif numbered is not None and 0 not in {*kept.values(), *by_option.values()}:
        kept.setdefault(numbered, 0)
    kept |= by_option
    if not kept.keys() & {"fold", "repeat"} and "seed" in named and named["seed"] not in kept.values():
        kept["seed"] = named["seed"]
    columns.roles = kept
    if rows != "folds" and label not in kept and (view := _label_column(columns, f"{label}_column")) is not None:
        kept[label] = view.place


def _finer_label(columns: Columns) -> ColumnView | None:
    """The one column of text that names every row, where the one that is called a dataset names groups of them."""
    dataset = columns.view("dataset")
    if dataset is None or columns.roles.keys() & {"fold", "repeat", "seed"} or columns.options.number_folds:
        return None
    unique = [view for view in columns.free() if not view.numeric and view.name.strip() and view.differ]
    return unique[0] if len(unique) == 1 and not dataset.differ else None


def _role_of_cells(first: ColumnView) -> str | None:
    """What the names in the first column number: "fold 1", "fold 2" are folds, "run0" is a repeat; None where they are names."""
    parts = (
        re.fullmatch(r"(.*?)[\W_]*\d+", name.strip()) if len(name) <= LONGEST_NAME else None for name in first.names
    )
    stems = (part[1].lower() if part else "" for part in parts)
    if not (stem := next(stems, "")):
        return None
    role = role_of(first.name if key_of(first.name).startswith(stem) else stem)  # F1, F2, ... below "Fold"
    return role if role in ("fold", "repeat", "seed") and all(other == stem for other in stems) else None


def _wide_values(columns: Columns) -> list[int]:
    """The columns of scores in a wide table."""
    if columns.values:
        return columns.values
    sheet, first = columns.sheet, columns.views[0]
    counts = not columns.roles.keys() & {"dataset", "algorithm"} and _is_counter(first)
    free = [view for view in columns.free() if view is not first or not counts]
    values = [view for view in free if view.numeric and (view.name.strip() or view is not first)]
    values = values or ([first] if counts and first.numeric and first.name.strip() else [])
    if not values:
        flags = [view.name for view in free if view.cells.dtype.kind == "b"]
        if flags:
            refuse_cases(
                sheet, f"{quoted(flags, 3)} {'holds' if len(flags) == 1 else 'hold'} nothing but true and false"
            )
        raise DataError(f"{sheet.label} has no column of numbers: it needs scores, one column per algorithm.")
    if columns.options.text_as_missing:  # an algorithm may have failed everywhere
        values += [view for view in free if view.place > values[0].place and not view.is_blank]
    return sorted({view.place for view in values})


def _without_settings(columns: Columns, values: list[int]) -> list[int]:
    """The columns of scores without those that hold the same few numbers for every name: a horizon, a size, a temperature.

    Such a column says how the rows of one name differ, and is asked about as one of words is.
    """
    if columns.values:
        return values
    scores = [i for i in values if i in columns.kept or not _is_crossed(columns, columns.views[i])]
    return scores if len(scores) > 1 else values


def _is_crossed(columns: Columns, view: ColumnView) -> bool:
    """Whether every name of the rows has the same few values of a column, each as often as the others."""
    label = columns.view("dataset") or columns.view("algorithm")
    if (
        label is None
        or label.differ
        or len(label.names) < 2
        or not 1 < len(view.names) <= FEW_VALUES
        or (view.codes < 0).any()
    ):
        return False
    counts = np.bincount(_together([label, view]))
    return len(counts) == len(label.names) * len(view.names) and bool((counts == counts[0]).all())


def _label_column(columns: Columns, option: str) -> ColumnView | None:
    """The column of text that names the rows; of several, the only one that tells them apart, or else it is asked."""
    free = columns.free()
    scores = [v for v in free if v.numeric and v.name.strip() and not (v.place == 0 and _is_counter(v))]
    texts = [view for view in free if not view.numeric and view.cells.dtype.kind != "b" and not view.is_blank]
    texts = [view for view in texts if scores and view.place < scores[0].place] or texts
    if len(texts) < 2:
        return texts[0] if texts else None
    numbers = [columns.views[columns.roles[role]] for role in ("fold", "repeat", "seed") if role in columns.roles]
    apart = [view for view in texts if len(np.unique(_together([view, *numbers]))) == columns.sheet.n_rows]
    if len(apart) == 1:
        return apart[0]
    check_truth(columns.sheet, [view.place for view in texts])
    if len(scores) == 1 and not apart and len(texts) == 2:
        raise _names_of_both(columns, texts)
    named = [view.name for view in apart or texts]
    together = "+".join(name for name in named[:3] if name.strip())
    offers = [{option: name} for name in named if apart and name.strip()] or [{option: together}]
    raise Question(
        f"Which column of {columns.sheet.label} names the rows: {quoted(named)}? Name it with {{{option}}}, or several together "
        f"as {together!r}.",
        *offers,
    )


def _names_of_both(columns: Columns, texts: list[ColumnView]) -> Question:
    """The question for two columns of names beside one of scores: a long table whose header says neither."""
    few, many = sorted(texts, key=lambda view: len(view.names))
    offers = [
        {"algorithm_column": one.name, "dataset_column": other.name}
        for one, other in ((few, many), (many, few))
        if may_be_algorithms(one.names, other.names)
    ]
    return Question(
        f"Which column of {columns.sheet.label} names the algorithms, {shown(few.name)} or {shown(many.name)}? Name it with "
        "{algorithm_column}, and that of the datasets with {dataset_column}.",
        *offers,
    )


def _together(views: list[ColumnView]) -> Ints:
    """One number per row for several columns: equal where the rows are equal in all of them."""
    return combined([view.codes for view in views])


def _is_counter(first: ColumnView) -> bool:
    """Whether the first column only numbers the rows: no name, or "id" and the like, or 1, 2, 3, ..."""
    if not first.name.strip() or first.is_called("cases.counter"):
        return bool((first.codes >= 0).all()) and all(map(_is_float, first.names))
    return first.differ and len(first.names) > 2 and _counts_up(first.names)


def _check_columns(columns: Columns, plan: Plan, first: int) -> None:
    """Ask about columns that do not look like what they were taken for; those before the first score are not algorithms."""
    sheet = columns.sheet
    if columns.values:
        return  # the columns were named
    among = [columns.views[i] for i in plan.ignored if i > first and i not in columns.ignore]
    if blank := [view.name for view in among if view.is_blank]:
        is_one = len(blank) == 1
        raise Question(
            f"{quoted(blank)} {'has' if is_one else 'have'} no score at all in {sheet.label}: give {'its' if is_one else 'their'} "
            f"scores, or leave {'it' if is_one else 'them'} out with {{ignore_column}} {quoted(blank)}.",
            {"ignore_column": tuple(blank)},
        )
    if texts := [view for view in among if not view.numeric and not _is_crossed(columns, view)]:
        name = shown(texts[0].name)
        raise Question(
            f"Column {name} of {sheet.label} stands among the scores and holds no numbers ({quoted(texts[0].names, 2)}): "
            f"leave it out with {{ignore_column}} {name}, or give {{text_as_missing}} if it is an algorithm that failed.",
            {"ignore_column": tuple(view.name for view in texts)},
        )
    blocks = [columns.views[plan.roles[role]] for role in ("dataset", "algorithm") if role in plan.roles]
    rows = _together(blocks) if blocks else np.zeros(sheet.n_rows, dtype=np.int64)
    doubts(sheet, plan.values, columns.kept, rows, checks=CHECKS, noun="algorithm")
