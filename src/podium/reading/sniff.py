"""Recognising a table: which layout it has, and which column is what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from podium.core.arrays import Ints
from podium.core.errors import FRAME, ArgumentError, DataError
from podium.core.metric import is_cost, known_metric
from podium.core.names import key_of, quoted, shown
from podium.evidence.merging import combined
from podium.reading.cells import looks_numeric
from podium.reading.columns import Plan
from podium.reading.options import ReadOptions
from podium.reading.plausible import CHECKS, check_cases, check_pass_fail, check_truth, doubts, refuse_cases
from podium.reading.question import NothingToTest, Question
from podium.reading.roles import (
    is_algorithm,
    is_called,
    is_dataset,
    is_summary,
    mean_beside,
    role_of,
    says_otherwise,
)
from podium.reading.sheet import Sheet
from podium.reading.summaries import without_summary_columns

# Wider than this and wider than long, a wide table probably has its datasets in the columns.
MANY_ALGORITHMS = 1000
USUAL_FOLDS = (5, 10, 20, 25, 30, 50, 100)  # rows without a name that may well be folds of one dataset
FEWEST_IDS = 20  # names that all algorithms share: fewer may be datasets
MORE_SCORES = "It needs scores on several datasets, folds, runs or test cases for each algorithm."


def make_plan(sheet: Sheet, options: ReadOptions) -> Plan:
    """The plan for a sheet: what the options say, then what the names of the columns say."""
    _check_header(sheet)
    known = _Known(sheet, options)
    roles = known.roles_by_name()
    layout = options.layout if options.layout != "auto" else _layout(known, roles)
    plan = _long_plan(known, roles) if layout == "long" else _wide_plan(known, roles)
    spreads = {i: f"the spread of {shown(mean)}" for i, mean in known.spreads.items()}
    said = {*known.given.values(), *known.ignore, *sheet.positions("value", options)} - spreads.keys()
    return replace(plan, said=frozenset(said), why={**plan.why, **spreads})


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


class _Known:
    """What is known of the columns before the layout: which hold numbers, which an option names, which are left out."""

    def __init__(self, sheet: Sheet, options: ReadOptions) -> None:
        self.sheet, self.options = sheet, options
        self.numeric = [looks_numeric(sheet.column(i)) for i in range(sheet.n_columns)]
        roles = ("algorithm", "dataset", "fold", "repeat", "seed", "metric", "family", "message")
        self.given = {role: places[0] for role in roles if (places := sheet.positions(role, options))}
        if len(set(self.given.values())) < len(self.given):
            raise ArgumentError("One column was named for two roles: name a different column for each.")
        self.spreads = {
            i: mean
            for i, name in enumerate(sheet.header)
            if (mean := mean_beside(name, (other for other in sheet.header if other != name))) is not None
            and i not in self.given.values()
        }
        self.ignore = {*sheet.positions("ignore", options), *self.spreads}

    def free(self, roles: dict[str, int]) -> list[int]:
        """The columns without a role that are not left out."""
        taken = {*roles.values(), *self.ignore}
        return [i for i in range(self.sheet.n_columns) if i not in taken]

    def free_numbers(self, roles: dict[str, int]) -> list[int]:
        """Those of them that hold numbers."""
        return [i for i in self.free(roles) if self.numeric[i]]

    def roles_by_name(self) -> dict[str, int]:
        """Roles from the names of the columns, where no option has spoken. Names of things are text if they can be."""
        found: dict[str, list[int]] = {}
        for place in self.free(self.given):
            role = role_of(self.sheet.header[place])
            if role is not None and role not in self.given and self._can_be(role, place):
                found.setdefault(role, []).append(place)
        return self.given | {role: self._one_of(role, places) for role, places in found.items()}

    def _can_be(self, role: str, place: int) -> bool:
        """Whether the cells of a column allow the role that its name speaks for."""
        column = self.sheet.column(place)
        if role == "message":  # a column of numbers called "error" is a metric
            return not self.numeric[place] and bool(column.notna().any())
        if role == "value":
            return self.numeric[place]
        return role not in _WHOLE or not (self.numeric[place] and _has_fractions(column))

    def _one_of(self, role: str, places: list[int]) -> int:
        """One column for a role: text before numbers, then the one whose names tell the others'; else it is asked."""
        if role not in ("algorithm", "dataset"):
            return places[0]
        places = [place for place in places if not self.numeric[place]] or places
        finest = [one for one in places if all(determines(self.sheet, one, other) for other in places)]
        if not finest:
            named = [self.sheet.header[place] for place in places]
            raise Question(
                f"Which column of {self.sheet.label} names the {role}s: {quoted(named)}? Name it with {{{role}_column}}, or "
                f"several together as {'+'.join(named)!r}.",
                *({f"{role}_column": name} for name in [*named, "+".join(named)]),
            )
        return finest[0]


# What is named or numbered, so that a column with fractions cannot be it.
_WHOLE = frozenset("algorithm dataset metric family message status direction fold repeat seed step case".split())


def _has_fractions(column: pd.Series) -> bool:
    present = column.dropna()
    return column.dtype.kind == "f" and bool((present != present.round()).any())


def determines(sheet: Sheet, one: int, other: int) -> bool:
    """Whether rows that are equal in the first column are equal in the other."""
    if one == other:
        return True
    _, codes = sheet.codes(one)
    _, others = sheet.codes(other)
    pairs = (codes.astype(np.int64) + 1) * (int(others.max(initial=-1)) + 2) + others + 1
    return len(np.unique(pairs)) == len(np.unique(codes))


def _layout(known: _Known, roles: dict[str, int]) -> str:
    sheet, options = known.sheet, known.options
    if options.value_column is not None or options.metric_column is not None:
        return "long"
    if options.rows != "auto":
        return "wide"
    if "algorithm" in roles and "dataset" in roles:
        return "long"
    rest = known.free_numbers(roles)
    if "value" in roles and not rest:
        return "long"
    metrics = [i for i in rest if known_metric(sheet.header[i]) is not None]
    if "algorithm" in roles and _holds_metrics(sheet, rest):
        return "long"
    if metrics and len(metrics) == len(rest) and (roles.keys() & {"algorithm", "dataset"}):
        _check_endings(sheet, roles, metrics)
        return "long"
    if "metric" in roles and "value" in roles:
        return "long"
    scores = [i for i in metrics if known_metric(sheet.header[i], exact=True) and not is_cost(sheet.header[i])]
    if scores and len(scores) == len(rest) and not roles.keys() & {"algorithm", "dataset"}:
        return "long"  # which asks for the names
    return "wide"


def _holds_metrics(sheet: Sheet, places: list[int]) -> bool:
    """Whether columns beside one of algorithms are metrics, or returns of runs: where one is called so, none is a dataset."""
    names = [sheet.header[i] for i in places]
    if sum(map(is_dataset, names)) > 1:
        return False
    return any(
        is_called(name, "runs.return")
        or (known_metric(name, exact=True) is not None and not is_summary(name) and not is_cost(name))
        for name in names
    ) and any(not says_otherwise(sheet.header[i]) or known_metric(sheet.header[i], exact=True) for i in places)


def _check_endings(sheet: Sheet, roles: dict[str, int], metrics: list[int]) -> None:
    """Ask about svm_accuracy and knn_accuracy: the accuracies of two algorithms, or two metrics of one?"""
    names = [sheet.header[i] for i in metrics]
    endings = {key_of(name).rpartition("_")[2] for name in names}
    named = [name for name in names if known_metric(name, exact=True) is not None]
    if "algorithm" not in roles and len(names) > 1 and len(endings) == 1 and not named:
        raise Question(
            f"Are {quoted(names)} of {sheet.label} algorithms, or metrics of one algorithm? Set {{layout}} to 'wide' (and "
            "give {metric}) for algorithms, to 'long' for metrics.",
            {"layout": "wide"},
            {"layout": "long"},
        )


def _long_plan(known: _Known, roles: dict[str, int]) -> Plan:
    sheet, options = known.sheet, known.options
    roles = dict(roles)
    value_role = roles.pop("value", None)
    free = known.free_numbers(roles)
    if options.value_column is not None:
        values = sheet.positions("value", options)
        roles = {role: place for role, place in roles.items() if place not in values}
    elif value_role is not None and "metric" in roles:
        values = [value_role]
        if asked := _columns_called(sheet, free, options.metrics):
            # a metric with a column of its own, beside the one that the column of metrics names
            values = asked + [i for i in free if is_cost(sheet.header[i]) and i not in asked]
            roles.pop("metric")
    else:
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
    if options.unit is None and "dataset" not in roles and (case := _shared_ids(known, roles)) is not None:
        refuse_cases(sheet, f"column {shown(sheet.header[case])} names what all algorithms were tried on")
    if options.unit is None and not roles.keys() & {"metric", "fold"}:
        check_pass_fail(sheet, [i for i in values if not is_cost(sheet.header[i])])
    used = {*values, *roles.values()}
    ignored = tuple(i for i in range(sheet.n_columns) if i not in used and sheet.header[i].strip())
    return Plan(layout="long", roles=roles, values=tuple(values), ignored=ignored)


def _shared_ids(known: _Known, roles: dict[str, int]) -> int | None:
    """A column that may name cases ("id"), where every algorithm has many of them and they are the same."""
    sheet = known.sheet
    if "algorithm" not in roles:
        return None
    _, who = sheet.codes(roles["algorithm"])
    for place in known.free(roles):
        if not is_called(sheet.header[place], "cases.possible"):
            continue
        names, codes = sheet.codes(place)
        each = len(np.unique(combined([who, codes]))) / max(1, len(np.unique(who)))
        if len(names) >= FEWEST_IDS and 2 * each > len(names):
            return place
    return None


def _value_columns(sheet: Sheet, options: ReadOptions, free: list[int], value_role: int | None) -> list[int]:
    """The columns of scores in a long table without a column of metrics."""
    if named := _columns_called(sheet, free, options.metrics):
        return named + [i for i in free if i not in named and is_cost(sheet.header[i])]
    told = _columns_called(sheet, free, options.direction if isinstance(options.direction, dict) else ())
    certain = [i for i in free if known_metric(sheet.header[i]) is not None or i in told]
    if any(not is_cost(sheet.header[i]) or i in told for i in certain):
        return certain
    returns = [i for i in free if is_called(sheet.header[i], "runs.return")]
    if value_role is not None or len(returns) == 1:
        return [returns[0] if value_role is None else value_role, *certain]
    # A cost is the score only where nothing else can be.
    others = [i for i in free if i not in certain and sheet.header[i].strip()]
    others = [i for i in others if not says_otherwise(sheet.header[i])] or ([] if certain else others)
    if len(others) > 1:
        raise Question(
            f"Which column of {sheet.label} holds the scores: {quoted([sheet.header[i] for i in others])}? "
            "Name it with {value_column}.",
            *({"value_column": sheet.header[i]} for i in others),
        )
    return [*others, *certain]


def _columns_called(sheet: Sheet, places: list[int], names: Iterable[str]) -> list[int]:
    """The columns among some that have one of these names."""
    keys = {key_of(name) for name in names}
    return [i for i in places if key_of(sheet.header[i]) in keys]


def _wide_plan(known: _Known, roles: dict[str, int]) -> Plan:
    sheet, options = known.sheet, known.options
    rows = options.rows
    if rows == "auto":
        rows = "algorithms" if "dataset" not in roles and _of_algorithms(known, roles) else "datasets"
    kept = _wide_roles(known, rows, roles)
    plan = Plan(layout="wide", roles=kept, values=tuple(_wide_values(known, kept)), rows=rows)
    if options.rows == "auto":
        plan = _what_rows_are(sheet, plan, options)
    used = {*plan.values, *plan.roles.values()}
    plan = replace(plan, ignored=tuple(i for i in range(sheet.n_columns) if i not in used))
    if plan.rows == "datasets" and _all_resamples(sheet, plan):
        return replace(plan, layout="resamples")
    if plan.rows == "datasets" and len(plan.values) > max(MANY_ALGORITHMS, sheet.n_rows):
        raise DataError(
            f"{sheet.label} has {len(plan.values)} columns of numbers: if they are datasets, set {{rows}} to 'algorithms'."
        )
    if plan.rows == "algorithms":
        _check_scores_of_algorithms(sheet, plan)
    else:
        _check_metrics_of_one(sheet, plan, options)
    values = without_summary_columns(sheet, plan.values, options)
    summing = (i for i in plan.values if i not in values)
    plan = replace(plan, values=values, ignored=(*plan.ignored, *summing))
    _check_columns(known, plan)
    return plan


def _of_algorithms(known: _Known, roles: dict[str, int]) -> bool:
    """Whether the rows are algorithms: a column names them or describes algorithms, or the columns are well-known datasets."""
    if "algorithm" in roles:
        return True
    names = [known.sheet.header[i] for i in known.free(roles)]
    if any(map(is_algorithm, names)):
        return False
    described = [name for name in names if is_called(re.sub(r"\s*[(\[].*", "", name), "known.of_algorithms")]
    return len(described) > 1 or sum(map(is_dataset, names)) > 1


def _wide_roles(known: _Known, rows: str, roles: dict[str, int]) -> dict[str, int]:
    """The columns that are no scores in a wide table."""
    label = "dataset" if rows == "folds" else rows[:-1]
    kept = {role: roles[role] for role in ("fold", "repeat", "family", "step", "case", label) if role in roles}
    numbered = None if 0 in known.ignore else _role_of_cells(known.sheet)
    finer = _finer_label(known, kept) if label == "dataset" == rows[:-1] and "dataset" not in known.given else None
    if finer is not None:
        kept["dataset"] = finer
    if label not in kept and numbered is None:  # the corner may name the columns: "Fold", above names of datasets
        kept = {role: at for role, at in kept.items() if at != 0 or known.numeric[0]}
    elif numbered is not None and 0 not in {*kept.values(), *known.given.values()}:
        kept.setdefault(numbered, 0)
    kept |= known.given
    if not kept.keys() & {"fold", "repeat"} and "seed" in roles and roles["seed"] not in kept.values():
        kept["seed"] = roles["seed"]
    if rows != "folds" and label not in kept and (place := _label_column(known, f"{label}_column", kept)) is not None:
        kept[label] = place
    return kept


def _finer_label(known: _Known, kept: dict[str, int]) -> int | None:
    """The one column of text that names every row, where the one that is called a dataset names groups of them."""
    sheet = known.sheet
    if "dataset" not in kept or kept.keys() & {"fold", "repeat", "seed"} or known.options.number_folds:
        return None
    if len(sheet.codes(kept["dataset"])[0]) == sheet.n_rows:
        return None
    texts = [i for i in known.free(kept) if not known.numeric[i] and sheet.header[i].strip()]
    unique = [i for i in texts if len(sheet.codes(i)[0]) == sheet.n_rows]
    return unique[0] if len(unique) == 1 else None


def _role_of_cells(sheet: Sheet) -> str | None:
    """What the names in the first column number: "fold 1", "fold 2" are folds, "run0" is a repeat; None where they are names."""
    names, _ = sheet.codes(0)
    header = sheet.header[0]
    parts = [re.fullmatch(r"(.*?)[\W_]*\d+", name.strip()) for name in names]
    stems = {part[1].lower() if part else None for part in parts}
    stem = stems.pop() if len(stems) == 1 else None
    if not stem:
        return None
    role = role_of(header if key_of(header).startswith(stem) else stem)  # F1, F2, ... below "Fold"
    return role if role in ("fold", "repeat", "seed") else None


def _wide_values(known: _Known, kept: dict[str, int]) -> list[int]:
    """The columns of scores in a wide table."""
    sheet, numeric = known.sheet, known.numeric
    if named := sheet.positions("value", known.options):
        return named
    counter = {0} if not kept.keys() & {"dataset", "algorithm"} and _is_counter(sheet) else set()
    free = [i for i in known.free(kept) if i not in counter]
    values = [i for i in free if numeric[i] and (sheet.header[i].strip() or i > 0)]
    values = values or [i for i in sorted(counter) if numeric[i] and sheet.header[i].strip()]
    if not values:
        flags = [sheet.header[i] for i in free if sheet.column(i).dtype.kind == "b"]
        if flags:
            refuse_cases(sheet, f"{quoted(flags, 3)} hold nothing but true and false")
        raise DataError(f"{sheet.label} has no column of numbers: it needs scores, one column per algorithm.")
    if not known.options.text_as_missing:
        return values
    failed = [i for i in free if i > values[0] and i not in values and sheet.column(i).notna().any()]
    return sorted(values + failed)  # an algorithm may have failed everywhere


def _label_column(known: _Known, option: str, kept: dict[str, int]) -> int | None:
    """The column of text that names the rows; of several, the only one that tells them apart, or else it is asked."""
    sheet, numeric, free = known.sheet, known.numeric, known.free(kept)
    first = next((i for i in free if numeric[i] and sheet.header[i].strip() and not (i == 0 and _is_counter(sheet))), 0)
    text = [i for i in free if not numeric[i] and sheet.column(i).dtype.kind != "b" and sheet.column(i).notna().any()]
    text = [i for i in text if i < first] or text
    if len(text) < 2:
        return text[0] if text else None
    numbers = [kept[role] for role in ("fold", "repeat", "seed") if role in kept]
    apart = [i for i in text if len(np.unique(combined_columns(sheet, [i, *numbers]))) == sheet.n_rows]
    if len(apart) == 1:
        return apart[0]
    check_truth(sheet, text)
    named = [sheet.header[i] for i in apart or text]
    together = "+".join(name for name in named[:3] if name.strip())
    offers = [{option: name} for name in named if apart and name.strip()] or [{option: together}]
    raise Question(
        f"Which column of {sheet.label} names the rows: {quoted(named)}? Name it with {{{option}}}, or several together "
        f"as {together!r}.",
        *offers,
    )


def combined_columns(sheet: Sheet, places: list[int]) -> Ints:
    """One number per row for several columns: equal where the rows are equal in all of them."""
    return combined([sheet.codes(i)[1] for i in places])


def _is_counter(sheet: Sheet) -> bool:
    """Whether the first column only numbers the rows: no name, or "id" and the like, or 1, 2, 3, ..."""
    names, codes = sheet.codes(0)
    if not sheet.header[0].strip() or key_of(sheet.header[0]) in ("id", "index", "no", "nr", "#", "instance", "row"):
        return bool((codes >= 0).all()) and all(_is_float(name) for name in names)
    return 2 < len(names) == len(codes) and _counts_up(names)


def _what_rows_are(sheet: Sheet, plan: Plan, options: ReadOptions) -> Plan:
    """Datasets by name, algorithms by name, or folds of one dataset by number; rows without either are asked about."""
    label = plan.role(plan.rows[:-1])
    if options.unit is None:
        if "case" in plan.roles:
            refuse_cases(sheet, f"column {shown(sheet.header[plan.roles['case']])} names cases")
        check_cases(sheet, list(plan.values), label)
    if label is not None:
        if plan.rows == "datasets" and label not in sheet.positions("dataset", options):
            _check_turned(sheet, plan, label)
        return plan
    if plan.roles.keys() & {"fold", "repeat", "seed"}:
        return replace(plan, rows="folds")
    if _all_resamples(sheet, plan):
        return plan
    sizes = [i for i in plan.values if key_of(sheet.header[i]) == "n" and sheet.column(i).is_unique]
    if sizes:  # how large the training set was
        return replace(
            plan, roles={**plan.roles, "dataset": sizes[0]}, values=tuple(i for i in plan.values if i != sizes[0])
        )
    if sheet.label == FRAME and sheet.n_rows not in USUAL_FOLDS:
        return plan  # numbered rows; the note says so
    raise Question(
        f"The rows of {sheet.label} have no names: set {{rows}} to 'datasets' if each is another dataset, to 'folds' if all "
        "are folds of one dataset, or name the column of datasets with {dataset_column}.",
        {"rows": "datasets"},
        {"rows": "folds"},
    )


def _check_turned(sheet: Sheet, plan: Plan, label: int) -> None:
    """Ask about rows that are called like algorithms, where no column is; refuse rows that are called like metrics."""
    names = sheet.codes(label)[0]
    metrics = [name for name in names if known_metric(name, exact=True) is not None]
    if len(names) == sheet.n_rows and len(metrics) > 1 and 2 * len(metrics) >= len(names):
        raise NothingToTest(
            f"The rows of {sheet.label} are metrics ({quoted(metrics, 3)}): each algorithm has one score of each, so there is "
            f"nothing to test. {MORE_SCORES}"
        )
    known = [name for name in names if is_algorithm(name)]
    if any(is_algorithm(sheet.header[i]) for i in plan.values):
        return
    if len(known) > 2 or (len(known) > 1 and 2 * len(known) >= len(names)):
        raise Question(
            f"The rows of {sheet.label} are called like algorithms ({quoted(known, 3)}) and its columns are not: set {{rows}} to "
            "'algorithms' if the columns are datasets, to 'datasets' if they are algorithms.",
            {"rows": "algorithms"},
        )


def _check_metrics_of_one(sheet: Sheet, plan: Plan, options: ReadOptions) -> None:
    """Refuse several metrics of one algorithm, whose name stands nowhere."""
    kept = sheet.positions("keep", options)
    names = [sheet.header[i] for i in plan.values if i not in kept]
    metrics = [name for name in names if known_metric(name, exact=True) is not None and not is_cost(name)]
    if len(metrics) > 1 and 2 * len(metrics) >= len(names):
        raise NothingToTest(
            f"The columns of {sheet.label} are metrics ({quoted(metrics, 3)}) of one algorithm, so there is nothing to compare: add a "
            "column that names the algorithms, or give a folder with one such file for each."
        )


def _check_scores_of_algorithms(sheet: Sheet, plan: Plan) -> None:
    """Refuse one score for each algorithm: a metric, its bounds and what describes the algorithms are no datasets."""
    names = [sheet.header[i] for i in plan.values]
    scores = [name for name in names if known_metric(name, exact=True) is not None or role_of(name) == "value"]
    if scores and all(name in scores or says_otherwise(name) or is_summary(name) for name in names):
        raise NothingToTest(
            f"{sheet.label} has one score for each algorithm ({quoted(scores, 3)}), so there is nothing to test. {MORE_SCORES}"
        )


_RESAMPLE = re.compile(r"(resample|repeat|rep|run|seed|fold|split|trial|iter(?:ation)?|cv)?[\s_#-]*\d+", re.IGNORECASE)


def _all_resamples(sheet: Sheet, plan: Plan) -> bool:
    """Whether the columns of scores are numbered resamples of one algorithm."""
    return all(_RESAMPLE.fullmatch(sheet.header[i].strip()) for i in plan.values)


def _check_columns(known: _Known, plan: Plan) -> None:
    """Ask about columns that do not look like what they were taken for."""
    sheet = known.sheet
    kept = set(sheet.positions("keep", known.options))
    if known.options.named("value"):
        return  # the columns were named
    among = [i for i in plan.ignored if i > plan.values[0] and i not in known.ignore]
    blank = [i for i in among if sheet.header[i].strip() and not sheet.column(i).notna().any()]
    if blank:
        names = [sheet.header[i] for i in blank]
        is_one = len(names) == 1
        raise Question(
            f"{quoted(names)} {'has' if is_one else 'have'} no score at all in {sheet.label}: give {'its' if is_one else 'their'} "
            f"scores, or leave {'it' if is_one else 'them'} out with {{ignore_column}} {quoted(names)}.",
            {"ignore_column": tuple(names)},
        )
    texts = [i for i in among if not known.numeric[i] and sheet.column(i).notna().any()]
    if texts:
        name = shown(sheet.header[texts[0]])
        raise Question(
            f"Column {name} of {sheet.label} stands among the scores and holds no numbers ({quoted(sheet.codes(texts[0])[0], 2)}): "
            f"leave it out with {{ignore_column}} {name}, or give {{text_as_missing}} if it is an algorithm that failed.",
            {"ignore_column": tuple(sheet.header[i] for i in texts)},
        )
    blocks = [plan.roles[role] for role in ("dataset", "algorithm") if role in plan.roles]
    rows = combined_columns(sheet, blocks) if blocks else np.zeros(sheet.n_rows, dtype=np.int64)
    doubts(sheet, plan.values, kept, rows, checks=CHECKS, noun="algorithm")
