"""Recognising a table: which layout it has, and which column is what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from podium.core.arrays import Indices, Ints
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import known_metric
from podium.core.read.cells import looks_numeric
from podium.core.read.composite import position
from podium.core.read.names import key_of, quoted, shown
from podium.core.read.options import ReadOptions
from podium.core.read.plausible import check_cases, check_pass_fail, doubts, refuse_cases
from podium.core.read.roles import is_summary, role_of
from podium.core.read.sheet import Sheet

# Wider than this and wider than long, a wide table probably has its datasets in the columns.
MANY_ALGORITHMS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What was recognised: the layout, and the columns by role.

    `layout` is "wide" (a column per algorithm, or per dataset where `rows` is "algorithms"), "long" (a row per
    score) or "resamples" (a column per repeat or fold of one algorithm). `values` are the columns of scores. `rows`
    of a wide table are "datasets", "algorithms" or "folds" (of one dataset). `said` are the columns whose role an
    option names; `why` explains the others.
    """

    layout: str
    roles: dict[str, int] = field(default_factory=dict)
    values: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
    rows: str = "datasets"
    said: frozenset[int] = frozenset()
    why: dict[int, str] = field(default_factory=dict)

    def role(self, name: str) -> int | None:
        """The column that plays this role."""
        return self.roles.get(name)


def make_plan(sheet: Sheet, options: ReadOptions) -> Plan:
    """The plan for a sheet: what the options say, then what the names of the columns say."""
    _check_header(sheet)
    numeric = [looks_numeric(sheet.column(i)) for i in range(sheet.n_columns)]
    given = _given_roles(sheet, options)
    ignore = {position(sheet, name, "ignore_column") for name in options.ignored}
    roles = _roles_by_name(sheet, numeric, given, ignore)
    layout = options.layout if options.layout != "auto" else _layout(sheet, options, roles, numeric, ignore)
    if layout == "long":
        plan = _long_plan(sheet, options, roles, numeric, ignore)
    else:
        plan = _wide_plan(sheet, options, given, roles, numeric, ignore)
    named = {position(sheet, name, "value_column") for name in options.values}
    return replace(plan, said=frozenset({*given.values(), *ignore, *named}))


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


def _given_roles(sheet: Sheet, options: ReadOptions) -> dict[str, int]:
    """The columns that options name."""
    roles = ("algorithm", "dataset", "fold", "repeat", "seed", "metric", "family", "message")
    named = {role: options.named(role) for role in roles}
    given = {role: position(sheet, names[0], f"{role}_column") for role, names in named.items() if names}
    if len(set(given.values())) < len(given):
        raise ArgumentError("One column was named for two roles: name a different column for each.")
    return given


_NAMES = ("algorithm", "dataset", "metric", "family", "message", "status", "direction")
_NUMBERS = ("fold", "repeat", "seed", "step", "case")


def _roles_by_name(sheet: Sheet, numeric: list[bool], given: dict[str, int], ignore: set[int]) -> dict[str, int]:
    """Roles from the names of the columns, where no option has spoken. Names of things are text if they can be."""
    roles = dict(given)
    taken = set(given.values()) | ignore
    found: dict[str, list[int]] = {}
    for place, name in enumerate(sheet.header):
        role = role_of(name)
        if (
            role is not None
            and place not in taken
            and role not in given
            and _can_be(role, sheet, place, numeric[place])
        ):
            found.setdefault(role, []).append(place)
    for role, places in found.items():
        roles[role] = _one_of(sheet, role, places, numeric)
    return roles


def _can_be(role: str, sheet: Sheet, place: int, is_numeric: bool) -> bool:
    """Whether the cells of a column allow the role that its name speaks for."""
    if role == "message":  # a column of numbers called "error" is a metric
        return not is_numeric and bool(sheet.column(place).notna().any())
    if role == "value":
        return is_numeric
    return role not in (*_NAMES, *_NUMBERS) or not (is_numeric and _has_fractions(sheet.column(place)))


def _has_fractions(column: pd.Series) -> bool:
    if column.dtype.kind != "f":
        return False
    present = column.dropna()
    return bool((present != present.round()).any())


def _one_of(sheet: Sheet, role: str, places: list[int], numeric: list[bool]) -> int:
    """One column for a role: text before numbers, then the one whose names tell the others'; else it is asked."""
    if role in ("algorithm", "dataset"):
        places = [place for place in places if not numeric[place]] or places
        finest = [one for one in places if all(determines(sheet, one, other) for other in places)]
        if not finest:
            named = [sheet.header[place] for place in places]
            raise DataError(
                f"Which column of {sheet.label} names the {role}s: {quoted(named)}? Name it with {{{role}_column}}, or "
                f"several together as {'+'.join(named)!r}."
            )
        return finest[0]
    return places[0]


def determines(sheet: Sheet, one: int, other: int) -> bool:
    """Whether rows that are equal in the first column are equal in the other."""
    if one == other:
        return True
    _, codes = sheet.codes(one)
    _, others = sheet.codes(other)
    pairs = (codes.astype(np.int64) + 1) * (int(others.max()) + 2) + others + 1
    return len(np.unique(pairs)) == len(np.unique(codes))


def _layout(sheet: Sheet, options: ReadOptions, roles: dict[str, int], numeric: list[bool], ignore: set[int]) -> str:
    if options.value_column is not None or options.metric_column is not None:
        return "long"
    if options.rows != "auto":
        return "wide"
    if "algorithm" in roles and "dataset" in roles:
        return "long"
    rest = [i for i in _free(sheet, roles) if numeric[i] and i not in ignore]
    if "value" in roles and not rest:
        return "long"
    metrics = [i for i in rest if known_metric(sheet.header[i]) is not None]
    if metrics and len(metrics) == len(rest) and (roles.keys() & {"algorithm", "dataset"}):
        _check_endings(sheet, roles, metrics)
        return "long"
    if "metric" in roles and "value" in roles:
        return "long"
    scores = [i for i in metrics if (known := known_metric(sheet.header[i], exact=True)) and not known.is_cost]
    if scores and len(scores) == len(rest) and not roles.keys() & {"algorithm", "dataset"}:
        return "long"  # which asks for the names
    return "wide"


def _check_endings(sheet: Sheet, roles: dict[str, int], metrics: list[int]) -> None:
    """Ask about svm_accuracy and knn_accuracy: the accuracies of two algorithms, or two metrics of one?"""
    names = [sheet.header[i] for i in metrics]
    endings = {key_of(name).rpartition("_")[2] for name in names}
    named = [name for name in names if known_metric(name, exact=True) is not None]
    if "algorithm" not in roles and len(names) > 1 and len(endings) == 1 and not named:
        raise DataError(
            f"Are {quoted(names)} of {sheet.label} algorithms, or metrics of one algorithm? Set {{layout}} to 'wide' (and "
            "give {metric}) for algorithms, to 'long' for metrics."
        )


def _free(sheet: Sheet, roles: dict[str, int]) -> list[int]:
    taken = set(roles.values())
    return [i for i in range(sheet.n_columns) if i not in taken]


def _long_plan(
    sheet: Sheet, options: ReadOptions, roles: dict[str, int], numeric: list[bool], ignore: set[int]
) -> Plan:
    roles = dict(roles)
    value_role = roles.pop("value", None)
    if options.value_column is not None:
        values = [position(sheet, name, "value_column") for name in options.values]
        roles = {role: place for role, place in roles.items() if place not in values}
    elif value_role is not None and "metric" in roles:
        values = [value_role]
        free = [i for i in _free(sheet, roles) if numeric[i] and i not in ignore]
        asked = _columns_called(sheet, free, options.metrics)
        if asked:  # a metric with a column of its own, beside the one that the column of metrics names
            costs = [i for i in free if (known := known_metric(sheet.header[i])) and known.is_cost and i not in asked]
            values = asked + costs
            roles.pop("metric")
    else:
        free = [i for i in _free(sheet, roles) if numeric[i] and i not in ignore]
        values = _value_columns(sheet, options, free, value_role)
    if not values:
        raise DataError(
            f"No column of {sheet.label} is recognised as scores: name it with {{value_column}}; "
            f"it has {quoted(sheet.header, 12)}."
        )
    if "algorithm" not in roles and "dataset" not in roles:
        raise DataError(
            f"{sheet.label} has no column of algorithms or datasets: name them with {{algorithm_column}} and "
            f"{{dataset_column}}; it has {quoted(sheet.header, 12)}."
        )
    if "case" in roles and options.unit is None:
        refuse_cases(sheet, f"column {shown(sheet.header[roles['case']])} names cases")
    if options.unit is None and not roles.keys() & {"metric", "fold"}:
        check_pass_fail(
            sheet, [i for i in values if (known := known_metric(sheet.header[i])) is None or not known.is_cost]
        )
    used = {*values, *roles.values()}
    ignored = tuple(i for i in range(sheet.n_columns) if i not in used and sheet.header[i].strip())
    return Plan(layout="long", roles=roles, values=tuple(values), ignored=ignored)


def _value_columns(sheet: Sheet, options: ReadOptions, free: list[int], value_role: int | None) -> list[int]:
    """The columns of scores in a long table without a column of metrics."""
    known = {i: known_metric(sheet.header[i]) for i in free}
    if named := _columns_called(sheet, free, options.metrics):
        return named + [i for i in free if i not in named and (metric := known[i]) and metric.is_cost]
    told = _columns_called(sheet, free, options.direction if isinstance(options.direction, dict) else ())
    if certain := [i for i in free if known[i] is not None or i in told]:
        costs = all((metric := known[i]) is not None and metric.is_cost for i in certain)
        return [value_role, *certain] if costs and value_role is not None else certain
    if value_role is not None:
        return [value_role]
    free = [i for i in free if sheet.header[i].strip()]
    if len(free) > 1:
        raise DataError(
            f"Which column of {sheet.label} holds the scores: {quoted([sheet.header[i] for i in free])}? "
            "Name it with {value_column}."
        )
    return free


def _columns_called(sheet: Sheet, places: list[int], names: Iterable[str]) -> list[int]:
    """The columns among some that have one of these names."""
    keys = {key_of(name) for name in names}
    return [i for i in places if key_of(sheet.header[i]) in keys]


def _wide_plan(
    sheet: Sheet,
    options: ReadOptions,
    given: dict[str, int],
    roles: dict[str, int],
    numeric: list[bool],
    ignore: set[int],
) -> Plan:
    rows = options.rows
    if rows == "auto":
        rows = "algorithms" if "algorithm" in roles and "dataset" not in roles else "datasets"
    kept = _wide_roles(sheet, rows, given, roles, numeric, ignore)
    values = _wide_values(sheet, options, kept, numeric, ignore)
    plan = Plan(layout="wide", roles=kept, values=tuple(values), rows=rows)
    if options.rows == "auto":
        plan = _what_rows_are(sheet, plan, options, values)
    used = {*plan.values, *plan.roles.values()}
    plan = replace(plan, ignored=tuple(i for i in range(sheet.n_columns) if i not in used))
    if _are_resamples(sheet, plan):
        return replace(plan, layout="resamples")
    _check_width(sheet, plan)
    plan = _without_summaries(sheet, plan, options)
    _check_columns(sheet, plan, options, numeric, ignore)
    return plan


def _wide_roles(
    sheet: Sheet,
    rows: str,
    given: dict[str, int],
    roles: dict[str, int],
    numeric: list[bool],
    ignore: set[int],
) -> dict[str, int]:
    """The columns that are no scores in a wide table."""
    label = "dataset" if rows == "folds" else rows[:-1]
    kept = {role: roles[role] for role in ("fold", "repeat", "family", "step", "case", label) if role in roles}
    if label not in kept:  # the corner may name the columns: "Fold", above the names of the datasets
        kept = {role: at for role, at in kept.items() if at != 0 or numeric[0]}
    kept |= given
    if not kept.keys() & {"fold", "repeat"} and "seed" in roles and roles["seed"] not in kept.values():
        kept["seed"] = roles["seed"]
    if rows != "folds" and label not in kept:
        place = _label_column(sheet, f"{label}_column", kept, numeric, ignore)
        kept |= {} if place is None else {label: place}
    return kept


def _wide_values(
    sheet: Sheet, options: ReadOptions, kept: dict[str, int], numeric: list[bool], ignore: set[int]
) -> list[int]:
    """The columns of scores in a wide table."""
    if options.values:
        return [position(sheet, name, "value_column") for name in options.values]
    counter = {0} if not kept.keys() & {"dataset", "algorithm"} and _is_counter(sheet) else set()
    free = [i for i in _free(sheet, kept) if i not in ignore | counter]
    values = [i for i in free if numeric[i] and (sheet.header[i].strip() or i > 0)]
    values = values or [i for i in sorted(counter) if numeric[i] and sheet.header[i].strip()]
    if not values:
        flags = [sheet.header[i] for i in free if sheet.column(i).dtype.kind == "b"]
        if flags:
            refuse_cases(sheet, f"{quoted(flags, 3)} hold nothing but true and false")
        raise DataError(f"{sheet.label} has no column of numbers: it needs scores, one column per algorithm.")
    if not options.text_as_missing:
        return values
    failed = [i for i in free if i > values[0] and i not in values and sheet.column(i).notna().any()]
    return sorted(values + failed)  # an algorithm may have failed everywhere


def _label_column(sheet: Sheet, option: str, kept: dict[str, int], numeric: list[bool], ignore: set[int]) -> int | None:
    """The column of text that names the rows; of several, the only one that tells them apart, or else it is asked."""
    free = [i for i in _free(sheet, kept) if i not in ignore]
    first = next((i for i in free if numeric[i] and sheet.header[i].strip() and not (i == 0 and _is_counter(sheet))), 0)
    text = [i for i in free if not numeric[i] and sheet.column(i).dtype.kind != "b" and sheet.column(i).notna().any()]
    text = [i for i in text if i < first] or text
    if len(text) < 2:
        return text[0] if text else None
    numbers = [kept[role] for role in ("fold", "repeat", "seed") if role in kept]
    apart = [i for i in text if _tells_apart(sheet, [i, *numbers])]
    if len(apart) == 1:
        return apart[0]
    named = [sheet.header[i] for i in apart or text]
    raise DataError(
        f"Which column of {sheet.label} names the rows: {quoted(named)}? Name it with {{{option}}}, or several together "
        f"as {'+'.join(named[:3])!r}."
    )


def _tells_apart(sheet: Sheet, places: list[int]) -> bool:
    """Whether no two rows are equal in these columns."""
    return len(np.unique(combined([sheet.codes(i)[1] for i in places]))) == sheet.n_rows


def combined(codes: Sequence[Ints | Indices]) -> Ints:
    """One number per row for several codes: equal where all are."""
    found = np.zeros(len(codes[0]), dtype=np.int64)
    for one in codes:
        place, names = pd.factorize(one)  # hashing, which is faster than sorting
        found = pd.factorize(found * (len(names) + 1) + place)[0].astype(np.int64)
    return found


def _is_counter(sheet: Sheet) -> bool:
    """Whether the first column only numbers the rows: no name, or "id" and the like, or 1, 2, 3, ..."""
    names, codes = sheet.codes(0)
    if not sheet.header[0].strip() or key_of(sheet.header[0]) in ("id", "index", "no", "nr", "#", "instance", "row"):
        return bool((codes >= 0).all()) and all(_is_float(name) for name in names)
    return 2 < len(names) == len(codes) and _counts_up(names)


def _what_rows_are(sheet: Sheet, plan: Plan, options: ReadOptions, values: list[int]) -> Plan:
    """Datasets by name, algorithms by name, or folds of one dataset by number; rows without either are asked about."""
    label = plan.role(plan.rows[:-1])
    if options.unit is None:
        if "case" in plan.roles:
            refuse_cases(sheet, f"column {shown(sheet.header[plan.roles['case']])} names cases")
        check_cases(sheet, values, label)
    if label is not None:
        return plan
    if plan.roles.keys() & {"fold", "repeat", "seed"}:
        return replace(plan, rows="folds")
    if _all_resamples(sheet, plan):
        return plan
    raise DataError(
        f"The rows of {sheet.label} have no names: set {{rows}} to 'datasets' if each is another dataset, to 'folds' if all "
        "are folds of one dataset, or name the column of datasets with {dataset_column}."
    )


def _all_resamples(sheet: Sheet, plan: Plan) -> bool:
    return all(_RESAMPLE.fullmatch(sheet.header[i].strip()) for i in plan.values)


def _check_columns(sheet: Sheet, plan: Plan, options: ReadOptions, numeric: list[bool], ignore: set[int]) -> None:
    """Ask about columns that do not look like what they were taken for."""
    kept = {position(sheet, name, "keep_column") for name in options.kept}
    if options.values:
        return  # the columns were named
    blank = [
        i
        for i in plan.ignored
        if i > plan.values[0] and i not in ignore and sheet.header[i].strip() and not sheet.column(i).notna().any()
    ]
    if blank:
        name = shown(sheet.header[blank[0]])
        raise DataError(
            f"{name} has no score at all in {sheet.label}: give its scores, or leave it out with {{ignore_column}} {name}."
        )
    texts = [
        i
        for i in plan.ignored
        if i > plan.values[0] and i not in ignore and not numeric[i] and sheet.column(i).notna().any()
    ]
    if texts:
        name = shown(sheet.header[texts[0]])
        raise DataError(
            f"Column {name} of {sheet.label} stands among the scores and holds no numbers ({_cells(sheet, texts[0])}): leave "
            f"it out with {{ignore_column}} {name}, or give {{text_as_missing}} if it is an algorithm that failed."
        )
    blocks = [plan.roles[role] for role in ("dataset", "algorithm") if role in plan.roles]
    rows = combined([sheet.codes(i)[1] for i in blocks]) if blocks else np.zeros(sheet.n_rows, dtype=np.int64)
    doubts(sheet, plan.values, kept, rows)


def _cells(sheet: Sheet, place: int) -> str:
    return quoted(sheet.codes(place)[0], 2)


_RESAMPLE = re.compile(r"(resample|repeat|rep|run|seed|fold|split|trial|iter(?:ation)?|cv)?[\s_#-]*\d+", re.IGNORECASE)


def _are_resamples(sheet: Sheet, plan: Plan) -> bool:
    """Whether the columns of scores are numbered resamples of one algorithm."""
    return plan.rows == "datasets" and _all_resamples(sheet, plan)


def _check_width(sheet: Sheet, plan: Plan) -> None:
    if plan.rows == "datasets" and len(plan.values) > max(MANY_ALGORITHMS, sheet.n_rows):
        raise DataError(
            f"{sheet.label} has {len(plan.values)} columns of numbers: if they are datasets, set {{rows}} to 'algorithms'."
        )


def _without_summaries(sheet: Sheet, plan: Plan, options: ReadOptions) -> Plan:
    """Columns that sum up are no algorithms."""
    summing = [i for i in plan.values if is_summary(sheet.header[i])]
    if not summing or options.summaries == "keep":
        return plan
    if options.summaries == "ask":
        raise DataError(
            f"Column {sheet.header[summing[0]]!r} of {sheet.label} looks like a summary: "
            "set {summaries} to 'drop' or 'keep'."
        )
    values = tuple(i for i in plan.values if i not in summing)
    if not values:
        raise DataError(f"Every column of numbers of {sheet.label} looks like a summary: set {{summaries}} to 'keep'.")
    return replace(plan, values=values, ignored=(*plan.ignored, *summing))
