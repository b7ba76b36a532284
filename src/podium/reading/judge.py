"""Is a reading plausible? Checks of what was taken for scores, each with its sentence.

A check looks at all columns at once and gives the reasons for doubt, by column. A column in doubt becomes a question, which
`ignore_column` or `keep_column` answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.core.arrays import Bools, Floats, Indices, Ints
from podium.core.errors import DataError
from podium.core.names import key_of, quoted, shown
from podium.core.numbers import plural
from podium.evidence.predictions import label_text
from podium.reading.cells import coerced
from podium.reading.grades import are_grades, are_zero_one, distinct_texts, error_kind
from podium.reading.question import Question
from podium.reading.reshape import name_and_metric
from podium.reading.roles import is_algorithm, is_called, is_score, is_truth, role_of, says_otherwise
from podium.reading.sheet import Sheet

if TYPE_CHECKING:
    from podium.reading.columns import Columns, ColumnView


FEWEST_CASES = 5  # rows of zeros and ones that are taken for cases, not datasets
MOST_LABELS = 50  # classes of a test set
RARE = 1e-4  # what happens by chance more rarely than this is asked about
ANOTHER_SCALE = 200  # times as large as all others, in every row
TINY = 1e-9  # of the largest number of a row: what is lost in a difference
MOST_IN_PAIRS = 100  # columns whose pairs are all tried
FEWEST_RANKED = 10  # rows from which on a rank correlation says something
LEAST_ALIKE = 0.3  # rank correlation of the others in few rows; in many, whatever is more than noise
NEARLY_ALL = 0.9  # of the rows: one of four equal columns lies outside the others in half of them


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """Columns of numbers side by side, and what is known of all of them at once; rows of equal `blocks` are of one dataset."""

    numbers: Floats
    names: tuple[str, ...] = ()
    blocks: Indices | None = None

    @property
    def n_others(self) -> int:
        """How many columns there are besides each."""
        return int(self.numbers.shape[1]) - 1

    @cached_property
    def present(self) -> Ints:
        """How many numbers each column has."""
        return np.asarray((~np.isnan(self.numbers)).sum(axis=0))

    @cached_property
    def whole(self) -> Ints:
        """How many numbers of each column are whole."""
        return np.asarray((self.numbers == np.round(self.numbers)).sum(axis=0))

    @cached_property
    def has_holes(self) -> bool:
        """Whether some number is missing."""
        return bool((self.present < len(self.numbers)).any())

    @cached_property
    def highest(self) -> Floats:
        """The largest number of the others, for each number; there are no holes."""
        return _of_others(self.numbers)

    @cached_property
    def lowest(self) -> Floats:
        """The smallest number of the others, for each number."""
        return -_of_others(-self.numbers)

    @cached_property
    def sizes(self) -> Floats:
        """The size of each number; a hole has none."""
        return np.where(np.isnan(self.numbers), -np.inf, np.abs(self.numbers))

    @cached_property
    def ranked(self) -> Floats:
        """The rank correlations of all pairs of columns; 0 for a column that is the same everywhere."""
        return np.asarray(np.nan_to_num(pd.DataFrame(self.numbers).rank().corr().to_numpy()))

    @cached_property
    def may_sum_up(self) -> Bools:
        """For each column, whether it can be told that it sums up the others: enough numbers, and these are not all equal."""
        if self.n_others < 2 or len(self.numbers) < 4 or self.has_holes:
            return np.zeros(self.n_others + 1, dtype=bool)
        return np.asarray((self.highest != self.lowest).any(axis=0))

    def others(self, place: int) -> Floats:
        """The numbers of the others: for those columns only that are in doubt, as this takes time."""
        return np.delete(self.numbers, place, axis=1)


def _of_others(numbers: Floats) -> Floats:
    """The largest number of the other columns in each row, for each column: the second of all where the first is its own."""
    first = second = np.full(len(numbers), -np.inf)
    for column in numbers.T:  # faster than a partition
        first, second = np.maximum(first, column), np.maximum(second, np.minimum(first, column))
    return np.asarray(np.where(numbers == first[:, None], second[:, None], first[:, None]))


Reasons = dict[int, str]
Check = Callable[[Crowd], Reasons]


def _because(places: Bools | np.bool_, reason: str) -> Reasons:
    """The reason for each column that is marked."""
    return dict.fromkeys(np.flatnonzero(places).tolist(), reason)


def plain_numbers(sheet: Sheet, places: Sequence[int]) -> Floats:
    """The numbers of some columns, side by side; nan where a cell is no plain number."""
    numbers = np.empty((sheet.n_rows, len(places)), order="F")
    for j, column in enumerate(map(sheet.column, places)):
        plain = column if column.dtype.kind == "f" else coerced(column)
        numbers[:, j] = plain.to_numpy(dtype=np.float64)
    return numbers


def decimals_of(values: Floats) -> int:
    """How many decimals some numbers are written with; 12 stands for all that a number has.

    >>> decimals_of(np.array([0.5, 0.25])), decimals_of(np.array([3.0])), decimals_of(np.array([1 / 3]))
    (2, 0, 12)
    """
    return next((d for d in range(9) if np.array_equal(np.round(values, d), values)), 12)


def doubts(
    sheet: Sheet, values: Sequence[int], kept: set[int], blocks: Indices, *, checks: Sequence[Check], noun: str
) -> None:
    """Ask about all columns that do not look like the scores of an algorithm (the `noun`).

    The others are looked at again without them, as these hid what is odd among the rest.
    """
    numbers = plain_numbers(sheet, values)
    reasons: Reasons = {}
    while True:
        left = [j for j in range(len(values)) if j not in reasons]
        some = numbers[:, left] if reasons else numbers
        crowd = Crowd(numbers=some, names=tuple(sheet.header[values[j]] for j in left), blocks=blocks)
        odd = {left[at]: why for at, why in _judged(crowd, checks).items() if values[left[at]] not in kept}
        reasons |= odd
        if not odd or len(left) - len(odd) < 2:  # two are left at least, or nobody knows which are the odd ones
            break
    if reasons:
        raise in_doubt(sheet.label, {sheet.header[values[j]]: reasons[j] for j in sorted(reasons)}, noun)


def _judged(crowd: Crowd, checks: Sequence[Check]) -> Reasons:
    """Why some columns are no scores: the first reason of each."""
    reasons: Reasons = {}
    for check in checks:
        reasons = check(crowd) | reasons
    return reasons


def in_doubt(label: str, reasons: dict[str, str], noun: str) -> DataError:
    """The question whether columns are algorithms (the `noun`), and its answers."""
    names, of = list(reasons), f"of {label}"
    listed = quoted(names, 20)
    offer = {"ignore_column": tuple(names)}  # who keeps one says so; it is not offered
    if len(names) == 1:
        is_one = f"is it {'an' if noun[0] == 'a' else 'a'} {noun}? Leave it out with {{ignore_column}} {listed}, or keep it with"
        return Question(
            f"Column {listed} {of} {reasons[names[0]]}: {is_one} {{keep_column}} {listed}.", offer, column=names[0]
        )
    because = "; ".join(f"{shown(name)} {reason}" for name, reason in list(reasons.items())[:6])
    return Question(
        f"Are columns {listed} {of} {noun}s? {because}. Leave them out with {{ignore_column}}, or keep with {{keep_column}} those that "
        "are.",
        offer,
        column=names[0],
    )


def whole_numbers(crowd: Crowd) -> Reasons:
    """Whole numbers only, where the others have fractions; a score at its bounds (0, 1, 100) is no surprise."""
    numbers, present, whole = crowd.numbers, crowd.present, crowd.whole
    others = present.sum() - present
    rare = ((whole.sum() - whole + 1) / (others + 2)) ** present < RARE
    places = (present > 0) & (others > 0) & (whole == present) & rare
    places[places] = ~(np.isnan(numbers[:, places]) | np.isin(numbers[:, places], (0, 1, 100))).all(axis=0)
    return _because(places, "holds whole numbers only, and the others do not")


def _constant_in_blocks(crowd: Crowd) -> Reasons:
    """The same in all rows of a dataset, and different between datasets, where the others vary."""
    if crowd.blocks is None or len(pd.unique(crowd.blocks)) in (1, len(crowd.blocks)):
        return {}
    frame = pd.DataFrame(crowd.numbers)
    by_block = frame.groupby(crowd.blocks)
    varies = (by_block.max() > by_block.min()).any().to_numpy()
    if not crowd.n_others or varies.sum() != crowd.n_others:
        return {}
    differs = frame.nunique(dropna=False).to_numpy() > 1
    return _because(~varies & differs, "is the same in all rows of a dataset, as what describes the dataset is")


def _mean_of_others(crowd: Crowd) -> Reasons:
    """The mean of the others in every row, to the decimals that are written."""
    if not crowd.may_sum_up.any():
        return {}
    numbers = crowd.numbers
    off = np.abs((numbers.sum(axis=1, keepdims=True) - numbers) / crowd.n_others - numbers)
    off -= 1e-9 * crowd.sizes.max(axis=1, keepdims=True)  # the rounding of the sums
    near = np.flatnonzero(crowd.may_sum_up & (off.max(axis=0) <= 0.51 * 0.1)).tolist()  # of one decimal at least
    same = [j for j in near if decimals_of(numbers[:, j]) and off[:, j].max() <= 0.51 * _step(numbers[:, j])]
    return dict.fromkeys(same, "is the mean of the others in every row")


def _end_of_others(crowd: Crowd) -> Reasons:
    """The best or the worst of the others in every row, and not just one of them."""
    reasons: Reasons = {}
    if crowd.n_others < 3 or not crowd.may_sum_up.any():
        return reasons
    for word, bound in (("smallest", crowd.lowest), ("largest", crowd.highest)):
        for j in np.flatnonzero(crowd.may_sum_up & (bound == crowd.numbers).all(axis=0)).tolist():
            if not (crowd.others(j) == crowd.numbers[:, [j]]).all(axis=0).any():
                reasons[j] = f"is the {word} of the others in every row"
    return reasons


def _step(values: Floats) -> float:
    """The last decimal that some numbers are written with; 0 where they have all that a number has, however small they are."""
    decimals = decimals_of(values)
    return 10.0**-decimals if decimals < 12 else 0.0


def _difference_of_two(crowd: Crowd) -> Reasons:
    """The difference of two others that are both larger, in every row; zeros and equal rows say nothing."""
    reasons: Reasons = {}
    if not crowd.may_sum_up.any() or crowd.n_others > MOST_IN_PAIRS:
        return reasons
    numbers, lost = crowd.numbers, TINY * crowd.sizes.max(axis=1)
    # Nearly every score of an algorithm is larger than the distance of two others.
    small = (np.abs(numbers) <= crowd.highest - crowd.lowest + lost[:, None]).all(axis=0)
    for j in np.flatnonzero(small & crowd.may_sum_up).tolist():
        mine = numbers[:, j]
        near = 1.01 * _step(mine) + lost
        larger = np.abs(numbers).sum(axis=0) > np.abs(mine).sum()
        first = np.abs(numbers[0][:, None] - numbers[0] - mine[0]) <= near[0]
        for a, b in np.argwhere(first & larger & larger[:, None]).tolist():
            telling = (mine != 0) & (numbers[:, a] != 0) & (numbers[:, b] != 0)
            same = np.abs(numbers[:, a] - numbers[:, b] - mine) <= near
            if a != b and len(np.unique(mine[telling])) >= 4 and same.all():
                reasons[j] = f"is the difference of {shown(crowd.names[a])} and {shown(crowd.names[b])} in every row"
                break
    return reasons


def _on_another_scale(crowd: Crowd) -> Reasons:
    """Far above all others in every row."""
    if len(crowd.numbers) < 3 or not crowd.n_others:
        return {}
    largest = _of_others(crowd.sizes)
    above = (largest > 0) & (crowd.numbers / ANOTHER_SCALE > largest)
    return _because(above.all(axis=0), f"is more than {ANOTHER_SCALE} times as large as all others in every row")


def _only_zero_one(crowd: Crowd) -> Reasons:
    """Zeros and ones only, both of them, where the others have fractions."""
    zeros, ones = (crowd.numbers == 0).sum(axis=0), (crowd.numbers == 1).sum(axis=0)
    flags = (zeros > 0) & (ones > 0) & (zeros + ones == crowd.present) & (crowd.present >= FEWEST_CASES)
    shares = crowd.whole / np.maximum(crowd.present, 1)
    alone = [j for j in np.flatnonzero(flags).tolist() if crowd.n_others and np.median(np.delete(shares, j)) < 0.1]
    return dict.fromkeys(alone, "holds nothing but 0 and 1, and the others do not")


def _among_shares(crowd: Crowd) -> Reasons:
    """Above 1 in most rows, where all others lie between 0 and 1; or between 0 and 1, where no other does."""
    numbers, reasons = crowd.numbers, {}
    if crowd.n_others < 2:
        return {}
    low, high = np.fmin.reduce(numbers, axis=0), np.fmax.reduce(numbers, axis=0)
    above = 2 * (numbers > 1).sum(axis=0) > crowd.present
    within = (low >= 0) & (high <= 1) & (low < high)
    for j in np.flatnonzero((above | within) & (crowd.present >= 3)).tolist():
        least, most = np.fmin.reduce(np.delete(low, j)), np.fmax.reduce(np.delete(high, j))
        if above[j] and least >= 0 and most <= 1 and not _in_percent(crowd, j):
            reasons[j] = "lies above 1, and the others are shares from 0 to 1"
        elif within[j] and least > 1 and most <= 100:
            reasons[j] = "lies between 0 and 1, and the others above"
    return reasons


def _in_percent(crowd: Crowd, place: int) -> bool:
    """Whether a column is about 100 times the others in every row: percents, which `check_scales` asks about."""
    means = np.nanmean(crowd.others(place), axis=1)
    times = crowd.numbers[means > 0, place] / means[means > 0]
    return bool(((times > 50) & (times < 200)).all())


def _unrelated(crowd: Crowd) -> Reasons:
    """Outside the others in nearly all rows, and not rising and falling with them as they do with each other.

    An algorithm that is better or worse everywhere lies outside too, but finds the same datasets hard.
    """
    if not 3 <= crowd.n_others <= MOST_IN_PAIRS:
        return {}
    places, likely = [], np.full(crowd.n_others + 1, fill_value=True)
    if not crowd.has_holes:
        outside = (crowd.numbers > crowd.highest) | (crowd.numbers < crowd.lowest)
        likely = outside.mean(axis=0) >= NEARLY_ALL
    for j in np.flatnonzero(likely).tolist():
        mine, others = crowd.numbers[:, j], crowd.others(j)
        rows = ~np.isnan(mine) & ~np.isnan(others).all(axis=1)
        mine, others = mine[rows], others[rows]
        if len(mine) < FEWEST_RANKED:
            continue
        if _outside(mine, others) >= NEARLY_ALL and _rises_otherwise(crowd.ranked, j, len(mine)):
            places.append(j)
    return dict.fromkeys(places, "lies outside the others and does not rise and fall with them")


def _rises_otherwise(ranked: Floats, place: int, n_rows: int) -> bool:
    """Whether the rank correlations of a column with the others are lower than theirs with each other."""
    own = np.delete(ranked[place], place)
    among = np.delete(np.delete(ranked, place, axis=0), place, axis=1)
    usual = float(np.median(among[~np.eye(len(among), dtype=bool)]))
    noise = 2 / np.sqrt(n_rows)  # about two standard errors of a rank correlation of 0
    return bool(usual > min(LEAST_ALIKE, 2 * noise) and np.median(own) < usual - noise)


_OPPOSITE = {"lo": "hi", "hi": "lo"}


def _named_otherwise(crowd: Crowd) -> Reasons:
    """What the names say; "id" among codes of languages is one, "LR" among classifiers is one, and "n" is a size."""
    reasons: Reasons = {}
    keys = [key_of(name) for name in crowd.names]
    algorithms = [name for name in crowd.names if is_algorithm(name)]
    for j, name in enumerate(crowd.names):
        start, _, end = keys[j].rpartition("_")
        short = all(len(other.strip()) <= 3 for other in crowd.names)
        if name.strip() == "n":
            reasons[j] = "describes the rows"
        elif end in _OPPOSITE and f"{start}_{_OPPOSITE[end]}" in keys:
            reasons[j] = "is a bound and no score"  # "hi" alone is a language
        elif is_score(name) and len(crowd.names) > 2:
            reasons[j] = "holds scores of no one algorithm or dataset by its name"
        elif name.strip() == "p" and crowd.n_others and _outside(crowd.numbers[:, j], crowd.others(j)) > 0.5:
            reasons[j] = "is a p-value and no score"
        elif (short and name.strip().lower() == "id") or (len(algorithms) > 1 and name in algorithms):
            continue
        elif reason := says_otherwise(name):
            reasons[j] = reason
    return reasons


def _outside(mine: Floats, others: Floats) -> float:
    """The share of rows in which a column lies outside all others."""
    return float(((mine > np.nanmax(others, axis=1)) | (mine < np.nanmin(others, axis=1))).mean())


CHECKS: tuple[Check, ...] = (
    _named_otherwise,
    _only_zero_one,
    _constant_in_blocks,
    _mean_of_others,
    _end_of_others,
    _difference_of_two,
    whole_numbers,
    _on_another_scale,
    _among_shares,
    _unrelated,
)
# Of outcomes on test cases: the best of several that pass or fail may well be one that passes all.
CHECKS_OF_CASES: tuple[Check, ...] = (_mean_of_others, whole_numbers, _on_another_scale)


# Roles of columns that are no algorithms.
_NO_SYSTEMS = frozenset("fold repeat seed step dataset family case".split())


def no_system(name: str, cells: pd.Series, kinds: Sequence[str]) -> str:
    """What the name of a column says that makes it no algorithm, as the end of a sentence; names of these kinds are of cases."""
    if not name.strip():
        return "has no name"
    if is_truth(name, few_labels=5 * cells.nunique() <= len(cells)):
        return "seems to hold the true labels"
    if reason := says_otherwise(name):
        return reason
    role = "case" if is_called(name, *kinds) else role_of(name)
    return f"is called like a column of {plural(role)}" if role in _NO_SYSTEMS else ""


_MEASURED = frozenset("score rate ratio loss error".split())  # what ends the name of many a measure


def measured(names: Sequence[str]) -> list[str]:
    """The names that end or begin with different measures (ibi_mae, f1_pct); none where most do not, or all with the same one."""
    found = {}
    for name in names:
        parts = name_and_metric(name, "end") or name_and_metric(name, "start")
        last = key_of(name).rpartition("_")[2]
        if parts is not None or last in _MEASURED:
            found[name] = last if parts is None else key_of(parts[1]).partition("_")[0]
    return [*found] if len({*found.values()}) > 1 and 2 * len(found) > len(names) else []


def unlike_measures(label: str, names: Sequence[str]) -> str:
    """What to do about columns of different measures; "" where there are none."""
    if not (found := measured(names)):
        return ""
    return (
        f"The columns of {label} are named by different measures ({quoted(found, 3)}), which are not compared with each other: leave "
        "out all but those of one with {ignore_column}, or keep with {keep_column} those that are algorithms."
    )


def check_systems(columns: Columns, places: Sequence[int]) -> None:
    """Ask about columns of a wide table of cases that may be no systems: by their names, then by their numbers."""
    sheet, kept = columns.sheet, columns.kept
    views = [columns.views[place] for place in places if place not in kept]
    texts = "" if all(map(_holds_texts, views)) else "holds texts and no outcomes"
    named = {
        view.name: reason
        for view in views
        if (reason := no_system(view.name, view.cells, ()) or (_holds_texts(view) and texts))
    }
    truth = next((name for name, reason in named.items() if "true labels" in reason), None)
    if truth is not None:
        raise DataError(
            f"Column {shown(truth)} of {sheet.label} seems to hold the true labels: give {{truth}} {shown(truth)} (and {{metric}}) if the "
            f"others are predictions, or leave it out with {{ignore_column}} {shown(truth)}."
        )
    if unlike := unlike_measures(sheet.label, [view.name for view in views if view.name not in named]):
        raise DataError(unlike)
    passing = [columns.views[place].name for place in places if columns.views[place].passes]
    if not named and sheet.n_rows >= FEWEST_CASES and 2 * len(passing) >= len(places):
        reason = f"holds numbers outside 0 to 1, and {quoted(passing, 3)} pass or fail"
        for view in views:
            numbers = plain_numbers(sheet, [view.place])
            if view.name not in passing and ((numbers < 0) | (numbers > 1)).any():
                named[view.name] = reason
    if named:
        raise in_doubt(sheet.label, named, "system")
    doubts(sheet, places, kept, np.arange(sheet.n_rows), checks=CHECKS_OF_CASES, noun="system")


def _holds_texts(view: ColumnView) -> bool:
    """Whether no cell of a column looks like an outcome."""
    return not view.holds_outcomes and not any(error_kind(cell) or are_grades([cell]) for cell in view.names[:20])


def check_predictions(
    systems: pd.DataFrame, truth: pd.Series, label: str, kept: Sequence[str], ids: Sequence[str]
) -> None:
    """Ask about columns beside predictions that may be no algorithms."""
    reasons = {
        name: reason
        for name in systems.columns
        if name not in kept
        and (
            reason := no_system(name, systems[name], ids)
            or _only_passes(systems[name], truth)
            or _odd_one(systems[name], systems.drop(columns=name), truth)
        )
    }
    if reasons:
        raise in_doubt(label, reasons, "algorithm")


def _only_passes(column: pd.Series, truth: pd.Series) -> str:
    """Whether a column says which answers are right (gpt4_correct beside gpt4_answer): the truth has more than two labels."""
    labels = {*map(label_text, truth.dropna().unique())}
    of_class = any(str(column.name).endswith(label) for label in labels)  # rf_cat, which may be 0 or 1
    differs = column.nunique() == 2 and (are_zero_one(column) or are_grades(distinct_texts(column)))
    return "holds only pass or fail, and the truth does not" if len(labels) > 2 and differs and not of_class else ""


def _odd_one(column: pd.Series, others: pd.DataFrame, truth: pd.Series) -> str:
    """How the values of one column differ in kind from those of all others; in a regression any number may be a prediction."""
    if others.empty or not all(others[name].dtype.kind in "iuf" for name in others.columns):
        return ""
    if column.dtype.kind not in "iufb":
        return "" if column.isin(truth).any() else "has text, and the others have numbers"
    classes = truth.nunique()
    if (classes > 2 and 5 * classes > len(truth)) or not _is_whole(column) or column.isin(truth).all():
        return ""
    if column.is_unique and len(column) > 2 and not any(_is_whole(others[name]) for name in others.columns):
        return "has a different whole number in every row"
    together = np.column_stack([column.to_numpy(dtype=np.float64), others.to_numpy(dtype=np.float64)])
    if reason := whole_numbers(Crowd(numbers=together)).get(0):
        return reason
    within = bool(((others >= 0) & (others <= 1) | others.isna()).all(axis=None))
    outside = bool(((column < 0) | (column > 1)).any())
    return "holds whole numbers, and the others lie between 0 and 1" if within and outside else ""


def _is_whole(column: pd.Series) -> bool:
    present = column.dropna()
    return bool((present == present.round()).all())


def refuse_cases(sheet: Sheet, why: str, *, truth: str = "") -> None:
    """The unit of this table is the case: say so, and the way on."""
    raise Question(one_row_per_case(sheet, why), {"truth": truth} if truth else {"unit": "case"}, row="case")


def one_row_per_case(sheet: Sheet, why: str) -> str:
    """The question for a table whose rows seem to be test cases."""
    return (
        f"{sheet.label} holds one row per test case ({why}), and a comparison over datasets would take every case for a "
        "dataset. To compare the algorithms on these cases, set {unit} to 'case', or name the column of true labels with "
        "{truth}. If the rows are datasets or folds all the same, set {unit} to 'dataset'."
    )


def check_truth(sheet: Sheet, places: list[int]) -> None:
    """Refuse a table in which one of these columns has the true labels of test cases."""
    for place in places:
        name = sheet.header[place]
        if is_truth(name, few_labels=True):
            n_labels = sheet.column(place).nunique()
            if is_truth(name, few_labels=5 * n_labels <= sheet.n_rows and n_labels <= MOST_LABELS):
                named = ("cases.clear", "cases.possible", "cases.named_rows", "cases.counter")
                rest = [other for other in sheet.header if other != name and not is_called(other, *named)]
                refuse_cases(sheet, f"column {shown(name)} holds the true labels", truth=name if rest else "")


def check_pass_fail(sheet: Sheet, values: list[int]) -> None:
    """Refuse scores that are nothing but 0 and 1, both of them: outcomes of test cases."""
    flags = all(are_zero_one(sheet.column(i)) for i in values)
    both = flags and len({cell for i in values for cell in sheet.column(i).dropna().unique()}) == 2
    if sheet.n_rows >= FEWEST_CASES and both:
        refuse_cases(
            sheet,
            f"{quoted([sheet.header[i] for i in values], 3)} {'holds' if len(values) == 1 else 'hold'} nothing but 0 and 1",
        )
