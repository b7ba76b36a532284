"""Recognising a table: which layout it has, and which column is what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from podium.core.errors import ArgumentError, DataError
from podium.core.metric import known_metric
from podium.core.read.cells import looks_numeric
from podium.core.read.composite import position
from podium.core.read.names import key_of, quoted
from podium.core.read.options import ReadOptions
from podium.core.read.roles import is_property, is_summary, role_of
from podium.core.read.sheet import Sheet

# Wider than this and wider than long, a wide table probably has its datasets in the columns.
MANY_ALGORITHMS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What was recognised: the layout, and the columns by role.

    `layout` is "wide" (a column per algorithm, or per dataset where `rows` is "algorithms"), "long" (a row per
    score) or "resamples" (a column per repeat or fold of one algorithm). `values` are the columns of scores.
    """

    layout: str
    roles: dict[str, int] = field(default_factory=dict)
    values: tuple[int, ...] = ()
    ignored: tuple[int, ...] = ()
    rows: str = "datasets"

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
    layout = options.layout if options.layout != "auto" else _layout(sheet, options, roles, numeric)
    if layout == "long":
        return _long_plan(sheet, options, roles, numeric, ignore)
    return _wide_plan(sheet, options, given, roles, numeric, ignore)


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


def _roles_by_name(sheet: Sheet, numeric: list[bool], given: dict[str, int], ignore: set[int]) -> dict[str, int]:
    """Roles from the names of the columns, where no option has spoken. Names of things are text if they can be."""
    roles = dict(given)
    taken = set(given.values()) | ignore
    for place, name in enumerate(sheet.header):
        role = role_of(name)
        if role is None or place in taken or role in given:
            continue
        if role == "message" and (numeric[place] or sheet.column(place).notna().sum() == 0):
            continue  # a column of numbers called "error" is a metric
        if role == "value" and not numeric[place]:
            continue
        if role not in roles or (role in ("algorithm", "dataset") and numeric[roles[role]] and not numeric[place]):
            roles[role] = place
    return roles


def _layout(sheet: Sheet, options: ReadOptions, roles: dict[str, int], numeric: list[bool]) -> str:
    if options.value_column is not None or options.metric_column is not None:
        return "long"
    if options.rows != "auto":
        return "wide"
    if "algorithm" in roles and "dataset" in roles:
        return "long"
    rest = [i for i in _free(sheet, roles) if numeric[i]]
    if "value" in roles and not rest:
        return "long"
    metrics_only = bool(rest) and all(known_metric(sheet.header[i]) is not None for i in rest)
    if metrics_only and (roles.keys() & {"algorithm", "dataset"}):
        return "long"
    if "metric" in roles and "value" in roles:
        return "long"
    return "wide"


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
    else:
        free = [i for i in _free(sheet, roles) if numeric[i] and i not in ignore]
        values = _value_columns(sheet, options, free, value_role)
    if not values:
        raise DataError(
            f"No column of {sheet.label} is recognised as scores: name it with {{value_column}}; "
            f"it has {quoted(sheet.header, 12)}.",
            options=["value_column"],
        )
    if "algorithm" not in roles and "dataset" not in roles:
        raise DataError(
            f"{sheet.label} has no column of algorithms or datasets: name them with {{algorithm_column}} and "
            f"{{dataset_column}}; it has {quoted(sheet.header, 12)}.",
            options=["algorithm_column", "dataset_column"],
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
        return certain
    if value_role is not None:
        return [value_role]
    free = [i for i in free if sheet.header[i].strip()]
    if len(free) > 1:
        raise DataError(
            f"Which column of {sheet.label} holds the scores: {quoted([sheet.header[i] for i in free])}? "
            "Name it with {value_column}.",
            options=["value_column"],
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
    kept = _wide_roles(sheet, rows[:-1], given, roles, numeric, ignore)
    values = _wide_values(sheet, options, kept, numeric, ignore)
    used = {*values, *kept.values()}
    ignored = tuple(i for i in range(sheet.n_columns) if i not in used)
    plan = Plan(layout="wide", roles=kept, values=tuple(values), ignored=ignored, rows=rows)
    if _are_resamples(sheet, plan):
        return replace(plan, layout="resamples")
    _check_width(sheet, plan)
    return _without_summaries(sheet, plan, options)


def _wide_roles(
    sheet: Sheet,
    label: str,
    given: dict[str, int],
    roles: dict[str, int],
    numeric: list[bool],
    ignore: set[int],
) -> dict[str, int]:
    """The columns that are no scores in a wide table; `label` is the role of the names of the rows."""
    kept = {role: roles[role] for role in ("fold", "repeat", "family", label) if role in roles}
    if label not in kept:  # the corner may name the columns: "Fold", above the names of the datasets
        kept = {role: at for role, at in kept.items() if at != 0 or numeric[0]}
    kept |= given
    if label not in kept and (place := _label_column(sheet, kept, numeric, ignore)) is not None:
        kept[label] = place
    if not kept.keys() & {"fold", "repeat"} and "seed" in roles and roles["seed"] != kept.get(label):
        kept["seed"] = roles["seed"]
    return kept


def _wide_values(
    sheet: Sheet, options: ReadOptions, kept: dict[str, int], numeric: list[bool], ignore: set[int]
) -> list[int]:
    """The columns of scores in a wide table."""
    free = [i for i in _free(sheet, kept) if i not in ignore]
    values = [i for i in free if numeric[i] and (sheet.header[i].strip() or i > 0)]
    if not values:
        raise DataError(f"{sheet.label} has no column of numbers: it needs scores, one column per algorithm.")
    if not options.text_as_missing:
        return values
    failed = [i for i in free if i > values[0] and i not in values and sheet.column(i).notna().any()]
    return sorted(values + failed)  # an algorithm may have failed everywhere


def _label_column(sheet: Sheet, kept: dict[str, int], numeric: list[bool], ignore: set[int]) -> int | None:
    """The column that names the rows: the first of text, or a first one without a name."""
    free = [i for i in _free(sheet, kept) if i not in ignore]
    text = [i for i in free if not numeric[i] and sheet.column(i).notna().any()]
    if text:
        return text[0]
    return 0 if 0 in free and (not sheet.header[0].strip() or _is_counter(sheet)) else None


def _is_counter(sheet: Sheet) -> bool:
    """Whether the first column only numbers the rows, as "id" or "no." do."""
    names, codes = sheet.codes(0)
    if key_of(sheet.header[0]) in ("id", "index", "no", "nr", "#", "did", "tid", "instance"):
        return bool((codes >= 0).all())
    return 2 < len(names) == len(codes) and _counts_up(names)


_RESAMPLE = re.compile(r"(resample|repeat|rep|run|seed|fold|split|trial|iter(?:ation)?|cv)?[\s_#-]*\d+", re.IGNORECASE)


def _are_resamples(sheet: Sheet, plan: Plan) -> bool:
    """Whether the columns of scores are numbered resamples of one algorithm."""
    names = [sheet.header[i].strip() for i in plan.values]
    return plan.rows == "datasets" and all(_RESAMPLE.fullmatch(name) for name in names)


def _check_width(sheet: Sheet, plan: Plan) -> None:
    if plan.rows == "datasets" and len(plan.values) > max(MANY_ALGORITHMS, sheet.n_rows):
        raise DataError(
            f"{sheet.label} has {len(plan.values)} columns of numbers: if they are datasets, set {{rows}} to 'algorithms'.",
            options=["rows"],
        )


def _without_summaries(sheet: Sheet, plan: Plan, options: ReadOptions) -> Plan:
    """Columns that sum up, or that describe the datasets, are no algorithms."""
    if plan.rows == "datasets":
        described = [sheet.header[i] for i in plan.values if is_property(sheet.header[i])]
        if described:
            raise DataError(
                f"Column {described[0]!r} of {sheet.label} describes the datasets and is no algorithm: "
                "name it with {ignore_column} to leave it out, or rename it.",
                options=["ignore_column"],
            )
    summing = [i for i in plan.values if is_summary(sheet.header[i])]
    if not summing or options.summaries == "keep":
        return plan
    if options.summaries == "ask":
        raise DataError(
            f"Column {sheet.header[summing[0]]!r} of {sheet.label} looks like a summary: "
            "set {summaries} to 'drop' or 'keep'.",
            options=["summaries"],
        )
    values = tuple(i for i in plan.values if i not in summing)
    if not values:
        raise DataError(
            f"Every column of numbers of {sheet.label} looks like a summary: set {{summaries}} to 'keep'.",
            options=["summaries"],
        )
    return replace(plan, values=values, ignored=(*plan.ignored, *summing))
