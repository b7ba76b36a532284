"""Is a reading plausible? Small checks of the columns that were taken for algorithms, each with its sentence.

A check looks at one column among the others and gives the reason for doubt, or nothing. A column in doubt becomes a
question, which `ignore_column` or `keep_column` answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from podium.core.arrays import Floats, Indices, Ints
from podium.core.errors import DataError
from podium.core.names import quoted, shown
from podium.reading.grades import are_zero_one
from podium.reading.question import Question
from podium.reading.roles import is_called, is_truth, role_of, says_otherwise
from podium.reading.sheet import Sheet

if TYPE_CHECKING:
    from podium.reading.columns import Columns

FEWEST_CASES = 5  # rows of zeros and ones that are taken for cases, not datasets
MOST_LABELS = 50  # classes of a test set
RARE = 1e-4  # what happens by chance more rarely than this is asked about
ANOTHER_SCALE = 200  # times as large as all others, in every row
TINY = 1e-9  # of the largest number: what is lost in a difference
MOST_IN_PAIRS = 100  # columns whose pairs are all tried
FEWEST_RANKED = 10  # rows from which on a rank correlation says something
LEAST_ALIKE = 0.3  # rank correlation of the others in few rows; in many, whatever is more than noise
NEARLY_ALL = 0.9  # of the rows: one of four equal columns lies outside the others in half of them


@dataclass(frozen=True, kw_only=True)
class Crowd:
    """All columns together, and what is known of their rows: so that nobody goes through all columns for each of them."""

    numbers: Floats

    @cached_property
    def has_holes(self) -> bool:
        """Whether some number is missing."""
        return bool(np.isnan(self.numbers).any())

    @cached_property
    def sums(self) -> Floats:
        """The sum of each row."""
        return np.asarray(self.numbers.sum(axis=1))

    @cached_property
    def highest(self) -> Floats:
        """The two largest numbers of each row, the larger one last; there are no holes."""
        return np.partition(self.numbers, (-2, -1), axis=1)[:, -2:]

    @cached_property
    def lowest(self) -> Floats:
        """The two smallest numbers of each row, the smaller one first."""
        return np.partition(self.numbers, (0, 1), axis=1)[:, :2]

    @cached_property
    def largest(self) -> Floats:
        """The two largest sizes of each row, the larger one last; a hole has none."""
        sizes = np.where(np.isnan(self.numbers), -np.inf, np.abs(self.numbers))
        return np.partition(sizes, (-2, -1), axis=1)[:, -2:]

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """The smallest and the largest number of each column; nan for one without any."""
        return np.fmin.reduce(self.numbers, axis=0), np.fmax.reduce(self.numbers, axis=0)

    @cached_property
    def ranked(self) -> Floats:
        """The rank correlations of all pairs of columns; 0 for a column that is the same everywhere."""
        return np.asarray(np.nan_to_num(pd.DataFrame(self.numbers).rank().corr().to_numpy()))

    @cached_property
    def whole(self) -> Ints:
        """How many numbers of each column are whole."""
        return np.asarray((self.numbers == np.round(self.numbers)).sum(axis=0))

    @cached_property
    def known(self) -> Ints:
        """How many numbers each column has."""
        return np.asarray((~np.isnan(self.numbers)).sum(axis=0))


@dataclass(frozen=True, kw_only=True)
class Look:
    """One column of a wide table among the others: its name, its place, and the rows that belong to one dataset."""

    crowd: Crowd
    place: int
    blocks: Indices
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.names[self.place]

    @property
    def values(self) -> Floats:
        """Its numbers."""
        found: Floats = self.crowd.numbers[:, self.place]
        return found

    @property
    def n_others(self) -> int:
        """How many other columns there are."""
        return int(self.crowd.numbers.shape[1]) - 1

    @cached_property
    def others(self) -> Floats:
        """The numbers of the others: for those columns only that are in doubt, as this takes time."""
        return np.delete(self.crowd.numbers, self.place, axis=1)

    @property
    def others_names(self) -> tuple[str, ...]:
        """The names of the others."""
        return (*self.names[: self.place], *self.names[self.place + 1 :])

    @property
    def highest(self) -> Floats:
        """The largest number of the others in each row."""
        second, first = self.crowd.highest.T
        return _other_end(self.values, first, second)

    @property
    def lowest(self) -> Floats:
        """The smallest number of the others in each row."""
        first, second = self.crowd.lowest.T
        return _other_end(self.values, first, second)

    @property
    def largest(self) -> Floats:
        """The largest size of the others in each row; -inf where they have none."""
        second, first = self.crowd.largest.T
        return _other_end(np.abs(self.values), first, second)


def _other_end(mine: Floats, first: Floats, second: Floats) -> Floats:
    """The end of the others in each row: the second of all where the first is one's own."""
    found: Floats = np.where(mine == first, second, first)
    return found


Check = Callable[[Look], str]


def plain_numbers(sheet: Sheet, places: Sequence[int]) -> Floats:
    """The numbers of some columns, side by side; nan where a cell is no plain number."""
    columns = [pd.to_numeric(sheet.column(i), errors="coerce").to_numpy(dtype=np.float64) for i in places]
    return np.column_stack(columns) if columns else np.empty((sheet.n_rows, 0))


def decimals_of(values: Floats) -> int:
    """How many decimals some numbers are written with; 12 stands for all that a number has.

    >>> decimals_of(np.array([0.5, 0.25])), decimals_of(np.array([3.0])), decimals_of(np.array([1 / 3]))
    (2, 0, 12)
    """
    return next((d for d in range(9) if np.array_equal(np.round(values, d), values)), 12)


def doubts(
    sheet: Sheet, values: Sequence[int], kept: set[int], blocks: Indices, *, checks: Sequence[Check], noun: str
) -> None:
    """Ask about all columns that do not look like the scores of an algorithm (the `noun`)."""
    if reasons := judged(sheet, values, kept, blocks, checks):
        raise in_doubt(sheet.label, {sheet.header[place]: reason for place, reason in reasons.items()}, noun)


def judged(
    sheet: Sheet, values: Sequence[int], kept: set[int], blocks: Indices, checks: Sequence[Check]
) -> dict[int, str]:
    """Why some columns are no scores; the others are looked at again without them, as these hid what is odd among the rest."""
    numbers = plain_numbers(sheet, values)
    reasons: dict[int, str] = {}
    while True:
        left = [j for j, place in enumerate(values) if place not in reasons]
        crowd, names = Crowd(numbers=numbers[:, left]), tuple(sheet.header[values[j]] for j in left)
        found = {}
        for at, j in enumerate(left):
            look = Look(crowd=crowd, place=at, blocks=blocks, names=names)
            if values[j] not in kept and (reason := next(filter(None, (check(look) for check in checks)), "")):
                found[values[j]] = reason
        if not found or len(left) - len(found) < 2:  # two are left at least, or nobody knows which are the odd ones
            return dict(sorted((reasons | found).items()))
        reasons |= found


def in_doubt(label: str, reasons: dict[str, str], noun: str) -> DataError:
    """The question whether columns are algorithms (the `noun`), and its answers."""
    names, of = list(reasons), f"of {label}"
    told = quoted(names, 20)
    offer = {"ignore_column": tuple(names)}  # who keeps one says so; it is not offered
    if len(names) == 1:
        is_one = f"is it {'an' if noun[0] == 'a' else 'a'} {noun}? Leave it out with {{ignore_column}} {told}, or keep it with"
        return Question(
            f"Column {told} {of} {reasons[names[0]]}: {is_one} {{keep_column}} {told}.", offer, column=names[0]
        )
    because = "; ".join(f"{shown(name)} {reason}" for name, reason in list(reasons.items())[:6])
    return Question(
        f"Are columns {told} {of} {noun}s? {because}. Leave them out with {{ignore_column}}, or keep with {{keep_column}} those that "
        "are.",
        offer,
        column=names[0],
    )


def whole_numbers(look: Look) -> str:
    """Whole numbers only, where the others have fractions; a score at its bounds (0, 1, 100) is no surprise."""
    crowd, place = look.crowd, look.place
    mine, others = int(crowd.known[place]), int(crowd.known.sum() - crowd.known[place])
    if not mine or not others or crowd.whole[place] < mine:
        return ""
    if np.isin(look.values[~np.isnan(look.values)], (0, 1, 100)).all():
        return ""
    share = (int(crowd.whole.sum() - crowd.whole[place]) + 1) / (others + 2)
    return "holds whole numbers only, and the others do not" if share**mine < RARE else ""


def _constant_in_blocks(look: Look) -> str:
    """The same in all rows of a dataset, and different between datasets, where the others vary."""
    if len(pd.unique(look.blocks)) in (1, len(look.blocks)) or len(pd.unique(look.values)) < 2:
        return ""
    if _varies(look.values, look.blocks) or not look.n_others:
        return ""
    if not all(_varies(look.others[:, j], look.blocks) for j in range(look.others.shape[1])):
        return ""
    return "is the same in all rows of a dataset, as what describes the dataset is"


def _varies(values: Floats, blocks: Indices) -> bool:
    by_block = pd.Series(values).groupby(blocks)
    return bool((by_block.max() > by_block.min()).any())


def _mean_of_others(look: Look) -> str:
    """The mean of the others in every row, to the decimals that are written."""
    if not _may_sum_up(look) or not decimals_of(look.values):
        return ""
    near = 0.51 * _step(look.values)
    mean = (look.crowd.sums - look.values) / look.n_others
    rounding = 1e-9 * look.crowd.largest[:, 1]  # of the sums, which is more than that of a mean
    if (np.abs(mean - look.values) > near + rounding).any():
        return ""
    same = bool((np.abs(look.others.mean(axis=1) - look.values) <= near + rounding).all())
    return "is the mean of the others in every row" if same else ""


def _end_of_others(look: Look) -> str:
    """The best or the worst of the others in every row, and not just one of them."""
    if not _may_sum_up(look) or look.n_others < 3:
        return ""
    for word, bound in (("largest", look.highest), ("smallest", look.lowest)):
        if np.array_equal(bound, look.values) and not (look.others == look.values[:, None]).all(axis=0).any():
            return f"is the {word} of the others in every row"
    return ""


def _may_sum_up(look: Look) -> bool:
    """Whether there are enough numbers to tell, without holes, and the others are not all equal."""
    if look.n_others < 2 or len(look.values) < 4 or look.crowd.has_holes:
        return False
    return not np.array_equal(look.highest, look.lowest)


def _step(values: Floats) -> float:
    """The last decimal that some numbers are written with; 0 where they have all that a number has, however small they are."""
    decimals = decimals_of(values)
    return 10.0**-decimals if decimals < 12 else 0.0


def _difference_of_two(look: Look) -> str:
    """The difference of two others that are both larger, in every row; zeros and equal rows say nothing."""
    mine = look.values
    if not _may_sum_up(look) or look.n_others > MOST_IN_PAIRS:
        return ""
    lost = TINY * float(look.crowd.largest.max())
    if (np.abs(mine) > look.highest - look.lowest + lost).any():
        return ""  # nearly every score of an algorithm is larger than the distance of two others
    others = look.others
    near = 1.01 * _step(mine) + lost
    larger = np.abs(others).sum(axis=0) > np.abs(mine).sum()
    first = np.abs(others[0][:, None] - others[0] - mine[0]) <= near
    for a, b in np.argwhere(first & larger & larger[:, None]).tolist():
        telling = (mine != 0) & (others[:, a] != 0) & (others[:, b] != 0)
        if a != b and len(np.unique(mine[telling])) >= 4 and (np.abs(others[:, a] - others[:, b] - mine) <= near).all():
            return f"is the difference of {shown(look.others_names[a])} and {shown(look.others_names[b])} in every row"
    return ""


def _orders_the_rows(look: Look) -> str:
    """A rank: 1 to n in the order of the mean of the others."""
    n = len(look.values)
    if n < 4 or look.n_others < 2 or not np.array_equal(np.sort(look.values), np.arange(1, n + 1)):
        return ""
    if np.isnan(look.others).any():
        return ""
    order = np.argsort(np.argsort(look.others.mean(axis=1))) + 1
    same = np.array_equal(look.values, order) or np.array_equal(look.values, n + 1 - order)
    return "ranks the rows by the mean of the others" if same else ""


def _on_another_scale(look: Look) -> str:
    """Far above all others in every row."""
    if len(look.values) < 3 or not look.n_others or np.isnan(look.values).any():
        return ""
    largest = look.largest
    if (largest > 0).all() and (look.values / ANOTHER_SCALE > largest).all():
        return f"is more than {ANOTHER_SCALE} times as large as all others in every row"
    return ""


def _only_zero_one(look: Look) -> str:
    """Zeros and ones only, both of them, where the others have fractions."""
    mine = look.values[~np.isnan(look.values)]
    if len(mine) < FEWEST_CASES or not np.isin(mine, (0, 1)).all() or len(np.unique(mine)) < 2:
        return ""
    shares = np.delete(look.crowd.whole / np.maximum(look.crowd.known, 1), look.place)
    return "holds nothing but 0 and 1, and the others do not" if len(shares) and np.median(shares) < 0.1 else ""


def _among_shares(look: Look) -> str:
    """Above 1 in most rows, where all others lie between 0 and 1; or between 0 and 1, where no other does."""
    mine = look.values[~np.isnan(look.values)]
    if len(mine) < 3 or look.n_others < 2:
        return ""
    low, high = (np.delete(end, look.place) for end in look.crowd.ends)
    low, high = low[~np.isnan(low)], high[~np.isnan(high)]
    if not len(low) or low.min() < 0:
        return ""
    if high.max() <= 1 and 2 * int((mine > 1).sum()) > len(mine) and not _in_percent(look):
        return "lies above 1, and the others are shares from 0 to 1"
    if low.min() > 1 and high.max() <= 100 and (mine >= 0).all() and (mine <= 1).all() and len(np.unique(mine)) > 1:
        return "lies between 0 and 1, and the others above"
    return ""


def _in_percent(look: Look) -> bool:
    """Whether a column is about 100 times the others in every row: percents, which `check_scales` asks about."""
    means = np.nanmean(look.others, axis=1)
    times = look.values[means > 0] / means[means > 0]
    return bool(((times > 50) & (times < 200)).all())


def _unrelated(look: Look) -> str:
    """Outside the others in nearly all rows, and not rising and falling with them as they do with each other.

    An algorithm that is better or worse everywhere lies outside too, but finds the same datasets hard.
    """
    if not 3 <= look.n_others <= MOST_IN_PAIRS:
        return ""
    if not look.crowd.has_holes and np.mean((look.values > look.highest) | (look.values < look.lowest)) < NEARLY_ALL:
        return ""
    rows = ~np.isnan(look.values) & ~np.isnan(look.others).all(axis=1)
    if rows.sum() < FEWEST_RANKED:
        return ""
    mine, others = look.values[rows], look.others[rows]
    outside = (mine > np.nanmax(others, axis=1)) | (mine < np.nanmin(others, axis=1))
    if outside.mean() < NEARLY_ALL:
        return ""
    ranked = look.crowd.ranked
    own = np.delete(ranked[look.place], look.place)
    among = np.delete(np.delete(ranked, look.place, axis=0), look.place, axis=1)
    usual = float(np.median(among[~np.eye(len(among), dtype=bool)]))
    noise = 2 / np.sqrt(len(mine))  # about two standard errors of a rank correlation of 0
    if usual > min(LEAST_ALIKE, 2 * noise) and float(np.median(own)) < usual - noise:
        return "lies outside the others and does not rise and fall with them"
    return ""


def _named_otherwise(look: Look) -> str:
    """What its name says; "id" among codes of languages is one, and "n" is a size."""
    if look.name.strip().lower() == "id" and all(len(name.strip()) <= 3 for name in look.others_names):
        return ""
    return "describes the rows" if look.name.strip() == "n" else says_otherwise(look.name)


CHECKS: tuple[Check, ...] = (
    _named_otherwise,
    _only_zero_one,
    _constant_in_blocks,
    _mean_of_others,
    _end_of_others,
    _difference_of_two,
    _orders_the_rows,
    whole_numbers,
    _on_another_scale,
    _among_shares,
    _unrelated,
)
# Of outcomes on test cases: the best of several that pass or fail may well be one that passes all.
CHECKS_OF_CASES: tuple[Check, ...] = (_mean_of_others, whole_numbers, _on_another_scale)


# What a column of this role is called, where it stands among algorithms.
_NO_SYSTEMS = {
    "fold": "folds",
    "repeat": "repeats",
    "seed": "seeds",
    "step": "steps",
    "dataset": "datasets",
    "family": "families",
    "case": "cases",
}


def no_system(name: str, cells: pd.Series, kinds: Sequence[str]) -> str:
    """What the name of a column says that makes it no algorithm, as the end of a sentence; names of these kinds are of cases."""
    if not name.strip():
        return "has no name"
    if is_truth(name, few_labels=5 * cells.nunique() <= len(cells)):
        return "seems to hold the true labels"
    if reason := says_otherwise(name):
        return reason
    role = "case" if is_called(name, *kinds) else role_of(name)
    return f"is called like a column of {_NO_SYSTEMS[role]}" if role in _NO_SYSTEMS else ""


def check_systems(columns: Columns, places: Sequence[int]) -> None:
    """Ask about columns of a wide table of cases that may be no systems: by their names, then by their numbers."""
    sheet, kept = columns.sheet, columns.kept
    views = [columns.views[place] for place in places if place not in kept]
    named = {view.name: reason for view in views if (reason := no_system(view.name, view.cells, ()))}
    truth = next((name for name, reason in named.items() if "true labels" in reason), None)
    if truth is not None:
        raise DataError(
            f"Column {shown(truth)} of {sheet.label} seems to hold the true labels: give {{truth}} {shown(truth)} (and {{metric}}) if the "
            f"others are predictions, or leave it out with {{ignore_column}} {shown(truth)}."
        )
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


def check_predictions(
    systems: pd.DataFrame, truth: pd.Series, label: str, kept: Sequence[str], ids: Sequence[str]
) -> None:
    """Ask about columns beside predictions that may be no algorithms."""
    reasons = {
        name: reason
        for name in systems.columns
        if name not in kept
        and (
            reason := no_system(name, systems[name], ids) or _odd_one(systems[name], systems.drop(columns=name), truth)
        )
    }
    if reasons:
        raise in_doubt(label, reasons, "algorithm")


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
    if reason := whole_numbers(Look(crowd=Crowd(numbers=together), place=0, blocks=np.arange(len(column)))):
        return reason
    within = bool(((others >= 0) & (others <= 1) | others.isna()).all(axis=None))
    outside = bool(((column < 0) | (column > 1)).any())
    return "holds whole numbers, and the others lie between 0 and 1" if within and outside else ""


def _is_whole(column: pd.Series) -> bool:
    present = column.dropna()
    return bool((present == present.round()).all())


def refuse_cases(sheet: Sheet, why: str) -> None:
    """The unit of this table is the case: say so, and the way on."""
    raise Question(one_row_per_case(sheet, why), {"unit": "case"}, row="case")


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
        column = sheet.column(place)
        few = 5 * column.nunique() <= len(column) and column.nunique() <= MOST_LABELS
        if is_truth(sheet.header[place], few_labels=few):
            refuse_cases(sheet, f"column {shown(sheet.header[place])} holds the true labels")


def check_pass_fail(sheet: Sheet, values: list[int]) -> None:
    """Refuse scores that are nothing but 0 and 1, both of them: outcomes of test cases."""
    flags = [i for i in values if are_zero_one(sheet.column(i))]
    both = flags and len({cell for i in flags for cell in sheet.column(i).dropna().unique()}) == 2
    if sheet.n_rows >= FEWEST_CASES and both and len(flags) == len(values):
        refuse_cases(sheet, f"{quoted([sheet.header[i] for i in values], 3)} hold nothing but 0 and 1")
