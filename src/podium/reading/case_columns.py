"""Which column is what in a table of test cases, and whether a table is one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from podium.core.errors import ArgumentError, DataError
from podium.core.metric import is_cost, known_metric
from podium.core.names import key_of, quoted, shown
from podium.core.numbers import IRREGULAR
from podium.evidence.merging import combined
from podium.reading.cells import looks_numeric
from podium.reading.grades import are_grades, are_zero_one, error_kind
from podium.reading.options import ReadOptions
from podium.reading.plausible import CHECKS_OF_CASES, FEWEST_CASES, doubts, in_doubt, plain_numbers, refuse_cases
from podium.reading.question import Question
from podium.reading.roles import is_called, is_truth, role_of, says_otherwise
from podium.reading.sheet import Sheet, only_value
from podium.reading.sniff import Plan
from podium.reading.summaries import without_summary_columns

# The roles that a table of cases may have beside systems, cases and outcomes.
BESIDE = ("sample", "cluster", "benchmark", "weight")
_NAMED = ("case", "sample", "cluster", "benchmark", "weight", "cost")  # the roles that an option can name


def noun_of(name: str) -> str:
    """What one case is called, from the name of their column.

    >>> noun_of("question_id"), noun_of("Items"), noun_of("id"), noun_of("test case")
    ('question', 'item', 'case', 'test case')
    """
    key = key_of(name).removesuffix("_id").removesuffix("_number")
    one = next((noun for noun, many in IRREGULAR.items() if key == many), key.removesuffix("s"))
    nouns = ("test_case", "item", "question", "example", "task", "problem", "document", "prompt", "query", "instance")
    return one.replace("_", " ") if one in nouns else "case"


def looks_like_cases(sheet: Sheet, options: ReadOptions) -> bool:
    """Whether a table is clearly one of test cases: a column of cases and no fold, or nothing but grades for scores."""
    roles = {role_of(name) for name in sheet.header}
    asked = {"rows", "dataset_column", "fold_column", "repeat_column", "seed_column", "family_column", "metric_column"}
    if roles & {"fold", "metric", "family"} or asked & set(options.given):
        return False
    if sum(_names_cases(sheet, place) for place in range(sheet.n_columns)) == 1:
        return True
    graded = [place for place in range(sheet.n_columns) if are_grades(sheet.column(place))]
    named = any(is_called(name, "cases.possible") for name in sheet.header)
    if "algorithm" in roles:
        return bool(graded) and named and not any(known_metric(name, exact=True) for name in sheet.header)
    rest = [name for place, name in enumerate(sheet.header) if place not in graded]
    # Tasks are datasets elsewhere; where each is passed or failed, they are cases.
    return len(graded) > 1 and len(rest) <= 1 and (named or "dataset" not in map(role_of, rest))


def _names_cases(sheet: Sheet, place: int) -> bool:
    """Whether a column clearly names cases; one of "items" that says how many there are does not."""
    if not is_called(sheet.header[place], "cases.clear"):
        return False
    if not is_called(sheet.header[place], "cases.counts") or not looks_numeric(sheet.column(place)):
        return True
    systems = [
        i
        for i in range(sheet.n_columns)
        if role_of(sheet.header[i]) == "algorithm" or is_called(sheet.header[i], "cases.system")
    ]
    each = sheet.n_rows / max(1, len(sheet.codes(systems[0])[0]) if systems else 1)  # rows of one system
    return each >= 2 and 10 * len(sheet.codes(place)[0]) >= each


def refuse_clear_cases(sheet: Sheet, options: ReadOptions) -> None:
    """Ask where scores over datasets are wanted, and the table is clearly one of test cases."""
    if looks_like_cases(sheet, options):
        named = [name for place, name in enumerate(sheet.header) if _names_cases(sheet, place)]
        refuse_cases(sheet, f"column {shown(named[0])} names cases" if named else "its scores are passed or failed")


def case_columns(sheet: Sheet, options: ReadOptions, *, single: bool) -> Plan:
    """The columns of a table of cases: those that options name, then those whose names say it; the rest is asked.

    A table without a column of algorithms is long where it is of a `single` one.
    """
    said = {role: places[0] for role in _NAMED if (places := sheet.positions(role, options))}
    ignore = set(sheet.positions("ignore", options))
    roles = dict(said)

    def free(*besides: str) -> list[int]:
        """The columns that have no role yet, without those of some names."""
        taken = ignore | set(roles.values())
        return [i for i, name in enumerate(sheet.header) if i not in taken and not is_called(name, *besides)]

    def take(role: str, places: Iterable[int]) -> None:
        """Give a role to the first of these columns, if it is not given yet."""
        if role not in roles and (place := next(iter(places), None)) is not None:
            roles[role] = place

    for role in BESIDE:
        take(role, _called(sheet, f"cases.{role}", free()))
    if "case" in roles or _called(sheet, "cases.clear", free()):
        # Beside a column of cases one that is called a dataset, a task, a domain names their benchmarks.
        called = (i for i in free("cases.clear") if role_of(sheet.header[i]) == "dataset")
        take("benchmark", (i for i in called if not looks_numeric(sheet.column(i))))
    take("algorithm", _systems(sheet, options, free("cases.clear")))
    is_long = single or "algorithm" in roles
    if "case" not in roles:
        roles = _with_case(sheet, roles, free(), options, is_long=is_long)
    take("cluster", _called(sheet, "cases.document", free()))
    take("group", (i for i in _called(sheet, "cases.group", free()) if _tells_cases_apart(sheet, roles, i)))
    values = _values(sheet, options, free(), is_long=is_long)
    if is_long:
        costs = [i for i in free() if i not in values and _is_cost(sheet.header[i]) and looks_numeric(sheet.column(i))]
        take("cost", costs if len(costs) == 1 else ())
        take("status", (i for i in free() if i not in values and _tells_errors(sheet, i)))
    elif "cost" in roles:
        raise ArgumentError(
            "{argument} is for a table with one row per system and case: here one cost would stand for all systems.",
            argument="cost_column",
        )
    used = {*values, *roles.values()}
    return Plan(
        layout="long" if is_long else "wide",
        roles=roles,
        values=values,
        ignored=tuple(i for i in range(sheet.n_columns) if i not in used and sheet.header[i].strip()),
        said=frozenset({*said.values(), *ignore}),
        noun=options.case_noun or (noun_of(sheet.header[roles["case"]]) if "case" in roles else "case"),
    )


def _tells_cases_apart(sheet: Sheet, roles: dict[str, int], place: int) -> bool:
    """Whether cases of one name are different ones in different groups: numbered anew in each category."""
    keys = [sheet.codes(roles[role])[1] for role in ("algorithm", "case", "sample", "benchmark") if role in roles]
    if "case" not in roles or len(np.unique(combined(keys))) == sheet.n_rows:
        return False
    return len(np.unique(combined([*keys, sheet.codes(place)[1]]))) == sheet.n_rows


def _is_cost(name: str) -> bool:
    return is_cost(name) or is_called(name, "cases.cost")


def _tells_errors(sheet: Sheet, place: int) -> bool:
    """Whether a column of states says of some outcomes that they are errors."""
    return role_of(sheet.header[place]) == "status" and any(map(error_kind, sheet.codes(place)[0]))


def _called(sheet: Sheet, kind: str, places: list[int]) -> list[int]:
    """The columns among some that have one of these names."""
    return [i for i in places if is_called(sheet.header[i], kind)]


def _systems(sheet: Sheet, options: ReadOptions, free: list[int]) -> list[int]:
    """The columns that may name the systems, the likeliest first; none in a wide table."""
    if options.algorithm_column is not None:
        return sheet.positions("algorithm", options)
    if options.layout == "wide":
        return []
    found = [i for i in free if role_of(sheet.header[i]) == "algorithm"] + _called(sheet, "cases.system", free)
    if not found and options.layout == "long":
        raise Question(
            f"{sheet.label}: which column names the systems? Give {{algorithm_column}} (the columns are {quoted(sheet.header, 12)}).",
            *({"algorithm_column": name} for name in _texts_of(sheet, free)),
        )
    return found


def _with_case(
    sheet: Sheet, roles: dict[str, int], free: list[int], options: ReadOptions, *, is_long: bool
) -> dict[str, int]:
    """The column of cases by its name; else the one of text; rows of nothing but outcomes are numbered."""
    case = next(iter([*_called(sheet, "cases.clear", free), *_called(sheet, "cases.possible", free)]), None)
    if case is None and not is_long and 0 in free and not sheet.header[0].strip():
        case = 0  # the index of a DataFrame, which has no name
    benchmark = roles.get("benchmark")
    if case is None and benchmark is not None and options.benchmark_column is None and _differ(sheet, benchmark):
        case, roles = benchmark, {role: place for role, place in roles.items() if role != "benchmark"}
    if case is None and not is_long:
        texts = [i for i in free if not _holds_outcomes(sheet, i)]
        case = texts[0] if len(texts) == 1 and _differ(sheet, texts[0]) else None
        if not texts:
            return roles  # the rows are numbered
    if case is None:
        raise Question(
            f"{sheet.label}: which column names the test cases? Give {{case_column}} (the columns are {quoted(sheet.header, 12)}).",
            *({"case_column": name} for name in _texts_of(sheet, free)),
        )
    return {**roles, "case": case}


def _texts_of(sheet: Sheet, places: list[int]) -> list[str]:
    """The names of the columns of text among some, of several values each."""
    texts = (i for i in places if not _holds_outcomes(sheet, i) and sheet.header[i].strip())
    return [sheet.header[i] for i in texts if len(sheet.codes(i)[0]) > 1][:4]


def _differ(sheet: Sheet, place: int) -> bool:
    names, codes = sheet.codes(place)
    return len(names) == len(codes)


def _holds_outcomes(sheet: Sheet, place: int) -> bool:
    column = sheet.column(place)
    return looks_numeric(column) or are_grades(column) or not column.notna().any()


def _values(sheet: Sheet, options: ReadOptions, free: list[int], *, is_long: bool) -> tuple[int, ...]:
    named = tuple(sheet.positions("value", options))
    if is_long:
        return named[:1] if named else (_value(sheet, free, options),)
    if named:
        return named
    kept = sheet.positions("keep", options)
    free = [place for place in free if sheet.header[place].strip()]
    free = list(without_summary_columns(sheet, tuple(free), options))
    for place in free:
        if place not in kept:
            _doubt(sheet, place)
    _doubt_numbers(sheet, free, set(kept))
    if len(free) < 2:
        raise DataError(f"{sheet.label} has the outcomes of fewer than 2 systems beside its column of cases.")
    return tuple(free)


def _doubt(sheet: Sheet, place: int) -> None:
    """Ask about a column of a wide table that may be no system."""
    name = sheet.header[place]
    few = 5 * sheet.column(place).nunique() <= sheet.n_rows
    if is_truth(name, few_labels=few):
        raise DataError(
            f"Column {shown(name)} of {sheet.label} seems to hold the true labels: give {{truth}} {shown(name)} (and {{metric}}) if the "
            f"others are predictions, or leave it out with {{ignore_column}} {shown(name)}."
        )
    if reason := says_otherwise(name):
        raise in_doubt(sheet, {name: reason}, "system")


def _doubt_numbers(sheet: Sheet, places: list[int], kept: set[int]) -> None:
    """Ask about a column of numbers among such that pass or fail, and about one that does not look like the others."""
    graded = [i for i in places if are_grades(sheet.column(i)) or are_zero_one(sheet.column(i))]
    for place in places:
        if place in kept or place in graded or sheet.n_rows < FEWEST_CASES or 2 * len(graded) < len(places):
            continue
        numbers = plain_numbers(sheet, [place])
        if ((numbers < 0) | (numbers > 1)).any():
            names = quoted([sheet.header[i] for i in graded], 3)
            reason = f"holds numbers outside 0 to 1, and {names} pass or fail"
            raise in_doubt(sheet, {sheet.header[place]: reason}, "system")
    doubts(sheet, places, kept, np.arange(sheet.n_rows), checks=CHECKS_OF_CASES, noun="system")


def _value(sheet: Sheet, free: list[int], options: ReadOptions) -> int:
    """The column of outcomes: the one named, the one called a score, or the only one."""
    if options.metrics and options.metrics[0] in sheet.header:
        return sheet.header.index(options.metrics[0])
    scored = [i for i in free if role_of(sheet.header[i]) == "value" or is_called(sheet.header[i], "outcomes.name")]
    plain = [i for i in free if role_of(sheet.header[i]) is None and _holds_outcomes(sheet, i)]
    found = scored or [i for i in plain if not _is_cost(sheet.header[i])] or plain
    return only_value(sheet, found, free, "outcomes")
