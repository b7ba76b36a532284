"""Protocols: how the cases of a dataset become training and test parts.

| kind         | repeats x folds | what it is                                                                   |
|--------------|-----------------|------------------------------------------------------------------------------|
| `wainer`     | 1 x 2           | stratified halves: train on one, test on the other, and back                 |
| `ulas`       | 5 x 2           | one third put aside, five times two-fold cross-validation on the rest        |
| `cv`         | 10 x 10         | repeated stratified cross-validation                                         |
| `holdout`    | 1 x 1           | a stratified test part of `test_fraction`, repeated if asked                 |
| `forward`    | 1 x 5           | in the order of time: train on what was earlier, test on what came next      |
| `given`      | as given        | the splits that come with the data: a column, or OpenML's                    |

Splits are stratified, and seeded by dataset and repeat, never by algorithm, so that all scores are paired.
"""

from __future__ import annotations

import warnings
from typing import Annotated, Any, NamedTuple, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from podium.bench.checked import rule, spec
from podium.bench.seeds import generator_of
from podium.core import check
from podium.core.arrays import Floats, Indices
from podium.core.errors import ArgumentError

SEARCHES = ("nested", "flat", "none")

# What each kind of protocol means unless it says otherwise.
DEFAULTS: dict[str, dict[str, Any]] = {
    "wainer": {"repeats": 1, "folds": 2, "aside": 0.0, "search_cases": 5000},
    "ulas": {"repeats": 5, "folds": 2, "aside": 1 / 3},
    "cv": {"repeats": 10, "folds": 10, "aside": 0.0},
    "holdout": {"repeats": 1, "folds": 1, "aside": 0.0, "test_fraction": 1 / 3},
    "forward": {"repeats": 1, "folds": 5, "aside": 0.0},
    "given": {"repeats": 1, "folds": 1, "aside": 0.0},
}
KINDS = tuple(DEFAULTS)
_OF_KIND: Any = None


def _count(at_least: int, at_most: int | None = None) -> Any:
    return rule(check.count, none=True, at_least=at_least, at_most=at_most)


def _share(name: str, value: Any) -> None:
    """A share of the cases; 0 is none of them."""
    if check.number(name, value) != 0:
        check.fraction(name, value)


@spec
class Protocol:
    """How to split, and how hyperparameters are searched for.

    What is not given is as usual for the kind.

    Parameters
    ----------
    kind : {"wainer", "ulas", "cv", "holdout", "forward", "given"}, default "wainer"
        How to split; "forward" is in the order of time, "given" by the data.
    repeats, folds : int, optional
        Number of repeats, and of folds of each.
    aside : float, optional
        Share of the cases that are put aside.
    test_fraction : float, optional
        Share of the cases that a hold-out tests on.
    search : {"nested", "flat", "none"}, default "nested"
        Search hyperparameters within each training part, once on the whole dataset (optimistic: its scores have
        seen the test cases), or take the first candidate.
    search_folds : int, default 5
        Number of folds of the search.
    search_cases : int, optional
        The most cases that the search looks at.
    candidates : int, default 25
        The most candidates of a search space; None keeps it whole.
    free_values : int, optional
        The most values of a hyperparameter whose values all come from a single training.

    Examples
    --------
    >>> (Protocol(kind="cv").repeats, Protocol(kind="cv").folds)
    (10, 10)
    """

    kind: Annotated[str, rule(check.choice, options=KINDS)] = "wainer"
    repeats: Annotated[int, _count(1, 10_000)] = _OF_KIND  # each is a row for every fold, algorithm and dataset
    folds: Annotated[int, _count(1, 10_000)] = _OF_KIND
    aside: Annotated[float, rule(_share, none=True)] = _OF_KIND
    test_fraction: Annotated[float | None, rule(check.fraction, none=True)] = None
    search: Annotated[str, rule(check.choice, options=SEARCHES)] = "nested"
    search_folds: Annotated[int, _count(2)] = 5
    search_cases: Annotated[int | None, _count(10)] = None
    candidates: Annotated[int | None, _count(1)] = 25  # the largest grid of the catalogue, 5 x 5 of svm-rbf
    free_values: Annotated[int | None, _count(1)] = None

    def __post_init__(self) -> None:
        for key, value in DEFAULTS[self.kind].items():
            if getattr(self, key) is None:
                object.__setattr__(self, key, value)
        if self.kind == "holdout" and self.folds != 1:
            raise self._refusal("folds", "is not for kind {kind!r}: set `repeats`, or use kind = 'cv'")
        if self.kind != "holdout" and self.test_fraction is not None:
            raise self._refusal("test_fraction", "is for kind 'holdout' only, not for {kind!r}: remove it")
        if self.kind in ("wainer", "ulas") and self.folds != 2:
            raise self._refusal("folds", "is 2 in the protocol {kind!r}: use kind = 'cv' for others")
        if self.kind in ("forward", "given") and self.repeats != 1:
            raise self._refusal("repeats", "is 1 for kind {kind!r}: its splits are what they are")
        if self.kind == "given" and self.folds != 1:
            raise self._refusal("folds", "is said by the data for kind {kind!r}: remove it")
        if self.kind in ("forward", "given") and (self.aside or self.search == "flat"):
            what, broken = "aside" if self.aside else "search", "would let test cases be seen, or splits be broken"
            raise self._refusal(what, f"{broken}, with kind {{kind!r}}: remove it")
        if self.kind == "cv" and self.folds < 2:
            raise self._refusal("folds", "must be 2 or more for cross-validation: use kind = 'holdout' for one")

    def _refusal(self, argument: str, why: str) -> ArgumentError:
        """The error for what does not go with the kind."""
        return ArgumentError(f"{{argument}} {why.format(kind=self.kind)}.", argument=argument)

    def rules(self) -> dict[str, Any]:
        """What the outcome of a task depends on: not how often the splits are repeated, nor how a search goes that is not made."""
        said = {key: getattr(self, key) for key in ("folds", "aside", "test_fraction", "search", "free_values")}
        if self.kind in ("forward", "given"):  # the others differ in what is said already
            said["kind"] = self.kind
        searching = () if self.search == "none" else ("search_folds", "search_cases", "candidates")
        return {**said, **{key: getattr(self, key) for key in searching}}

    @property
    def group_folds(self) -> int:
        """Into how many parts groups are dealt; a hold-out tests on one of them."""
        return self.folds if self.folds > 1 else max(round(1 / (self.test_fraction or 0.5)), 2)

    def sizes(self, cases: int) -> tuple[int, int]:
        """How many cases of a dataset are at least trained on, and tested on."""
        pool = cases - round(self.aside * cases)
        if self.kind == "forward":
            return pool // (self.folds + 1), pool // (self.folds + 1)
        if self.folds == 1:
            test = round((self.test_fraction or 0.0) * pool)
            return pool - test, test
        return pool - -(-pool // self.folds), pool // self.folds


class Split(NamedTuple):
    """The cases to train on and the cases to test on."""

    train: Indices
    test: Indices


def stratified_folds(y: npt.ArrayLike, folds: int, rng: np.random.Generator) -> Indices:
    """The fold of every case: each class is dealt out in turn, and the next class goes on where it ended.

    Sizes of folds differ by at most one, in all and within each class.

    >>> stratified_folds([0] * 4 + [1] * 4, 2, np.random.default_rng(0)).tolist().count(0)
    4
    """
    labels = np.asarray(y)
    check.count("folds", folds, at_least=2, at_most=len(labels))
    fold = np.empty(len(labels), dtype=np.intp)
    dealt = 0
    for label in np.unique(labels):
        cases = rng.permutation(np.flatnonzero(labels == label))
        fold[cases] = (dealt + np.arange(len(cases))) % folds
        dealt += len(cases)
    return fold


def stratified_sample(y: npt.ArrayLike, size: int, rng: np.random.Generator) -> Indices:
    """So many cases with the proportions of the classes kept (largest remainders), in rising order.

    A class that has cases keeps at least one where the size allows.

    >>> np.bincount(np.array([0] * 90 + [1] * 10)[stratified_sample([0] * 90 + [1] * 10, 20, np.random.default_rng(0))])
    array([18,  2])
    """
    labels = np.asarray(y)
    check.count("size", size, at_least=0, at_most=len(labels))
    names, place = np.unique(labels, return_inverse=True)
    there = np.bincount(place, minlength=len(names))
    exact = there * (size / len(labels))
    quota = np.floor(exact).astype(np.intp)
    if size >= len(names):
        quota = np.maximum(quota, 1)
    while quota.sum() > size:
        quota[int(np.argmax(quota - exact))] -= 1
    while quota.sum() < size:
        quota[int(np.argmax(np.where(quota < there, exact - quota, -np.inf)))] += 1
    chosen = [rng.permutation(np.flatnonzero(place == i))[:n] for i, n in enumerate(quota)]
    return np.sort(np.concatenate(chosen))


def grouped_folds(y: npt.ArrayLike, groups: Indices, folds: int, rng: np.random.Generator) -> Indices:
    """The fold of every case: whole groups, with the classes spread as evenly as groups allow."""
    from sklearn.model_selection import StratifiedGroupKFold

    fold = np.empty(len(groups), dtype=np.intp)
    dealer = StratifiedGroupKFold(folds, shuffle=True, random_state=int(rng.integers(2**31)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class may have fewer cases than there are folds
        for number, (_, cases) in enumerate(dealer.split(np.zeros(len(groups)), y, groups)):
            fold[cases] = number
    return fold


def forward_blocks(time: npt.NDArray[Any], blocks: int) -> Indices:
    """The block of every case: so many stretches of time with about as many cases each; equal times are never parted.

    >>> forward_blocks(np.array([3.0, 1.0, 2.0, 2.0]), 2).tolist()
    [1, 0, 0, 0]
    """
    order = np.argsort(time, kind="stable")
    later = time[order]
    # Blocks of about one size would end at these places; the next begins at the first case of a later time.
    ends = [max(round(k * len(time) / blocks), 1) for k in range(1, blocks)]
    starts = [np.searchsorted(later, later[end - 1], side="right") for end in ends]
    block = np.empty(len(time), dtype=np.intp)
    block[order] = np.searchsorted(np.array(starts), np.arange(len(time)), side="right")
    return block


def forward_splits(time: npt.NDArray[Any], folds: int) -> list[Split]:
    """Each block of time but the first is tested on, by what was earlier."""
    block = forward_blocks(time, folds + 1)
    return [Split(np.flatnonzero(block <= fold), np.flatnonzero(block == fold + 1)) for fold in range(folds)]


class Task(TypedDict):
    """Which part of a benchmark a split is for; the seeds of its draws are made of it."""

    seed: int
    dataset: str
    repeat: int
    fold: int


def make_split(
    protocol: Protocol,
    y: npt.NDArray[Any],
    groups: Indices | None = None,
    time: Floats | None = None,
    **task: Unpack[Task],
) -> Split:
    """The training and test cases of one repeat and fold; groups are never parted, and time never runs back."""
    seed, dataset, repeat, fold = task["seed"], task["dataset"], task["repeat"], task["fold"]
    if protocol.kind == "forward":
        return forward_splits(np.arange(len(y)) if time is None else time, protocol.folds)[fold]
    rng = generator_of("split", seed, dataset, repeat)
    pool = np.arange(len(y))
    if groups is not None:
        folds = grouped_folds(y, groups, protocol.group_folds, rng)
        return Split(pool[folds != fold], pool[folds == fold])
    if protocol.aside > 0:
        aside = stratified_sample(y, round(protocol.aside * len(y)), generator_of("aside", seed, dataset))
        pool = np.setdiff1d(pool, aside)
    if protocol.folds == 1:
        size = round((protocol.test_fraction or 0.0) * len(pool))
        test = pool[stratified_sample(y[pool], size, rng)]
        return Split(np.setdiff1d(pool, test), test)
    folds = stratified_folds(y[pool], protocol.folds, rng)
    return Split(pool[folds != fold], pool[folds == fold])


def inner_folds(
    protocol: Protocol,
    y: npt.NDArray[Any],
    groups: Indices | None = None,
    time: Floats | None = None,
    **task: Unpack[Task],
) -> tuple[Indices, list[Split]]:
    """The cases of the training part to search on (all, or a stratified sample) and the folds among them.

    With kind "forward" each fold is tested by what was earlier; a sample is then the latest cases.
    """
    if protocol.kind == "forward":
        when = np.arange(len(y)) if time is None else time
        cases = np.sort(np.argsort(when, kind="stable")[-(protocol.search_cases or len(y)) :])
        splits = forward_splits(when[cases], protocol.search_folds)
        return cases, [split for split in splits if len(split.train) and len(split.test)]
    rng = generator_of("search", task["seed"], task["dataset"], task["repeat"], task["fold"])
    cases = np.arange(len(y))
    if protocol.search_cases is not None and len(y) > protocol.search_cases:
        cases = stratified_sample(y, protocol.search_cases, rng)
    if groups is None:
        folds = stratified_folds(y[cases], min(protocol.search_folds, len(cases)), rng)
    else:
        count = min(protocol.search_folds, len(np.unique(groups[cases])))
        folds = grouped_folds(y[cases], groups[cases], count, rng)
    return cases, [Split(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(int(folds.max()) + 1)]
