"""Power: how likely is a test to find a difference of a given size, and how many datasets does it take?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import Any, ClassVar

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import as_given, fixed
from podium.core.progress import Progress, tracked
from podium.core.quantity import Quantity
from podium.core.rng import Rng
from podium.core.search import least_count, least_size
from podium.core.words import Shape
from podium.evidence.scores import Scores
from podium.evidence.table import as_pair, as_table
from podium.planning._plan import PLAIN, Plan, PlanDesign
from podium.planning.batch import BatchTest, Rate, Sampler, Study, as_batch, noise, rejection_rate, the_two
from podium.stats import registry

MOST_DATASETS = 5000  # more than anybody has; one more doubling would simulate for minutes
MOST_CELLS = 10_000_000  # simulated for one size


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerResult(Study):
    """Power of each test for each effect and number of datasets, scores of folds or cases (`sized_by`): `power[test, effect, size]`."""

    JSON: ClassVar[Mapping[str, Any]] = {"quantity": None}

    tests: tuple[str, ...]
    effects: tuple[float, ...]
    sizes: tuple[int, ...]
    power: Floats
    standard_error: Floats
    source: str
    folds: int | None = None
    here: int | None = None  # as many as in the pilot
    sized_by: str = "datasets"
    quantity: Quantity = PLAIN
    references: tuple[str, ...] = ("demsar2006",)

    def summary(self) -> str:
        """The most powerful test for the largest effect and size, and what does not follow."""
        best = int(self.power.mean(axis=(1, 2)).argmax())
        value, error = self.power[best, -1, -1], self.standard_error[best, -1, -1]
        several = " is the most powerful of these tests on average; it" if len(self.tests) > 1 else ""
        on = f"{self.sizes[-1]} {self.sized_by}{'' if self.folds is None else ' of one dataset'}"
        known = f"Monte Carlo error {fixed(error, 3)}" if self.draws else "exact"
        return (
            f"{self.tests[best]}{several} finds an effect of {self.quantity.in_full(self.effects[-1])} on {on} with a probability of "
            f"{fixed(value, 3)} ({known}; {self.source}, level {as_given(self.alpha)}). The power holds for differences that vary "
            "like these, not for others."
        )

    def columns(self) -> dict[str, Any]:
        """One row per test, effect and number of datasets."""
        tests, effects, sizes = zip(*product(self.tests, self.effects, self.sizes), strict=True)
        rates = {"power": self.power.ravel(), "standard_error": self.standard_error.ravel()}
        return {"test": tests, "effect": effects, self.sized_by: sizes, **rates}


def power(
    *,
    tests: Iterable[str] | None = None,
    effects: Sequence[float],
    sizes: Sequence[int],
    pilot: Any = None,
    a: str | None = None,
    b: str | None = None,
    shape: Shape = "normal",
    spread: float = 1.0,
    folds: int | None = None,
    alpha: float = 0.05,
    draws: int = 2000,
    rng: Rng = 0,
    progress: Progress = None,
) -> PowerResult:
    """The power of tests of two algorithms, by simulation or by resampling a pilot table.

    With a pilot, differences of `a` and `b` are drawn with replacement from it, moved so that their mean is each of the effects.

    Parameters
    ----------
    tests : iterable of str, optional
        The tests: names of `podium.stats`. By default the usual ones; with `folds` the corrected resampled t test.
    effects : sequence of float
        True mean differences, in the units of the scores.
    sizes : sequence of int
        Numbers of datasets; with `folds` numbers of scores on one dataset.
    pilot : Table, Scores, DataFrame or array-like, optional
        A table of datasets x algorithms whose differences are resampled; without it they are simulated.
    a, b : str, optional
        Names of the two algorithms; by default the first two.
    shape : {"normal", "heavy", "tied", "exponential", "skewed"}, default "normal"
        The shape of the differences, without a pilot.
    spread : float, default 1.0
        The standard deviation of the differences, without a pilot (for heavy tails the quartile spread of a
        normal distribution with it).
    folds : int, optional
        The sizes are numbers of scores from cross-validation with so many folds on one dataset, correlated as
        their training sets overlap.
    alpha : float, default 0.05
        Significance level.
    draws : int, default 2000
        Number of simulated samples.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    PowerResult
        The power of each test for each effect and size.

    Examples
    --------
    >>> found = power(tests=["sign"], effects=[1.0], sizes=[20], draws=200)
    >>> found.power.shape
    (1, 1, 1)
    """
    tests = registry.usual("power") if tests is None else tests
    draw, source = _source(pilot, a, b, shape, spread, folds)
    chosen = _chosen_tests(tests, folds)
    moves = tuple(check.number("effects", effect) for effect in _several("effects", effects))
    counts = tuple(check.count("sizes", size, at_least=2) for size in _several("sizes", sizes))
    asked: dict[str, Any] = {"alpha": alpha, "draws": draws, "rng": rng, "progress": progress, "folds": folds}
    asked["sized_by"] = "datasets" if folds is None else "scores"
    asked["here"] = None if pilot is None else len(_pilot_differences(pilot, a, b)[0])
    return _powers(chosen, moves, counts, lambda effect, size: _shifted(draw, effect, size), source, **asked)


def _powers(
    tests: list[BatchTest],
    effects: tuple[float, ...],
    sizes: tuple[int, ...],
    samplers: Callable[[float, int], Sampler],
    source: str,
    *,
    alpha: float,
    draws: int,
    rng: Rng,
    progress: Progress = None,
    **more: Any,
) -> PowerResult:
    """The power of every test for every effect and size."""
    grid = np.empty((2, len(tests), len(effects), len(sizes)))
    cells = list(product(enumerate(effects), enumerate(sizes), enumerate(tests)))
    for (j, effect), (m, size), (i, test) in tracked(cells, progress, total=len(cells)):
        rate = rejection_rate(test, samplers(effect, size), alpha=alpha, draws=draws, rng=rng)
        grid[:, i, j, m] = rate.rate, rate.standard_error
    names, seed = tuple(test.name for test in tests), str(rng)
    fields = {"power": grid[0], "standard_error": grid[1], "source": source, "seed": seed}
    return PowerResult(tests=names, effects=effects, sizes=sizes, alpha=alpha, draws=draws, **fields, **more)


def datasets_needed(
    *,
    effect: float,
    target_power: float = 0.8,
    test: str = "wilcoxon",
    pilot: Any = None,
    a: str | None = None,
    b: str | None = None,
    shape: Shape = "normal",
    spread: float = 1.0,
    alpha: float = 0.05,
    draws: int = 2000,
    rng: Rng = 0,
) -> Plan:
    """The smallest number of datasets on which a test finds the effect with the target power.

    Each size is simulated `draws` times; where that leaves open whether the power is reached, up to a hundred
    times as often, so that the answer is not off by one.

    Parameters
    ----------
    effect : float
        The true mean difference, in the units of the scores; not 0.
    target_power : float, default 0.8
        Target power.
    test : str, default "wilcoxon"
        The test: a name of `podium.stats`.
    pilot : Table, Scores, DataFrame or array-like, optional
        A table of datasets x algorithms whose differences are resampled; without it they are simulated.
    a, b : str, optional
        Names of the two algorithms; by default the first two.
    shape : {"normal", "heavy", "tied", "exponential", "skewed"}, default "normal"
        The shape of the differences, without a pilot.
    spread : float, default 1.0
        The standard deviation of the differences, without a pilot.
    alpha : float, default 0.05
        Significance level.
    draws : int, default 2000
        Number of simulated samples.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    Plan
        How many are needed, and the power they reach.

    Examples
    --------
    >>> datasets_needed(effect=1.0, test="paired_t", draws=500).needed
    10
    """
    check.fraction("target_power", target_power)
    if check.number("effect", effect) == 0:
        raise ArgumentError("`effect` must not be 0: no number of datasets shows a difference that is not there.")
    draw, source = _source(pilot, a, b, shape, spread, None)
    check.count("draws", draws)
    most = min(100 * draws, MOST_CELLS)

    @cache
    def reached(size: int) -> Rate:
        sampler, times = _shifted(draw, effect, size), draws
        while True:
            rate = rejection_rate(test, sampler, alpha=alpha, draws=times, rng=rng)
            sure = abs(rate.rate - target_power) > 3 * rate.standard_error
            if sure or times >= max(draws, min(most, MOST_CELLS // size)):
                return rate
            times *= 5

    size = least_count(lambda n: reached(n).rate >= target_power, 3, MOST_DATASETS, ripple=_ripple)
    goal: dict[str, Any] = {"difference": effect, "target_power": target_power, "alpha": alpha, "source": source}
    return _plan(test, size, reached(MOST_DATASETS if size is None else size), most=MOST_DATASETS, **goal)


def _plan(test: str, datasets: int | None, rate: Rate, **facts: Any) -> Plan:
    """A plan of so many datasets, and the power there."""
    design = PlanDesign(count=datasets, power=rate.rate, standard_error=rate.standard_error)
    return Plan(counted="dataset", designs=(design,), test=test, references=("demsar2006",), **facts)


def _ripple(n: int) -> int:
    """How far below a size the power of a discrete test, which falls by up to 0.5 / sqrt(n) now and then, may have been the same."""
    return math.ceil(2 * math.sqrt(n))


def minimum_detectable(
    table: Any,
    *,
    a: str | None = None,
    b: str | None = None,
    target_power: float = 0.8,
    test: str = "wilcoxon",
    alpha: float = 0.05,
    draws: int = 2000,
    rng: Rng = 0,
) -> Plan:
    """The smallest effect that this table could have detected, resampling the differences of a and b.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns).
    a, b : str, optional
        Names of the two algorithms; by default the first two.
    target_power : float, default 0.8
        Target power.
    test : str, default "wilcoxon"
        The test: a name of `podium.stats`.
    alpha : float, default 0.05
        Significance level.
    draws : int, default 2000
        Number of simulated samples.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    Plan
        The smallest difference, and the power it is found with.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.random.default_rng(0).normal(0.8, 0.05, (12, 2))
    >>> 0 < minimum_detectable(table, test="paired_t", draws=100).difference < 0.2
    True
    """
    check.fraction("target_power", target_power)
    differences, first, second = _pilot_differences(table, a, b)
    draw = _resampled(differences)
    n = len(differences)

    @cache
    def reached(effect: float) -> Rate:
        return rejection_rate(test, _shifted(draw, effect, n), alpha=alpha, draws=draws, rng=rng)

    spread = float(differences.std(ddof=1))
    if not spread > 0:
        raise DataError(
            f"{first!r} and {second!r} differ by the same amount everywhere: there is no variability to plan with."
        )
    effect = least_size(lambda size: reached(size).rate >= target_power, spread, 1000 * spread, halvings=12)
    if effect is None:
        raise DataError(f"{n} datasets are too few for this test to reach the target power at any effect.")
    source = f"resampling the differences of {first} and {second}"
    goal: dict[str, Any] = {"difference": effect, "target_power": target_power, "alpha": alpha, "source": source}
    quantity = table.quantity if isinstance(table, Scores) else PLAIN
    return _plan(test, n, reached(effect), solved="difference", pilot=n, quantity=quantity, **goal)


def planned(
    pilot: Any,
    *,
    effects: Sequence[float],
    sizes: Sequence[int],
    target_power: float | None,
    tests: Sequence[str],
    folds: int | None,
    draws: int,
    pool: Sequence[float] = (),
    progress: Progress = None,
    **shared: Any,
) -> list[partial[Any]]:
    """The calls that answer `podium study power` and the page: the power in a pool where one is given, the datasets that are needed
    for the first of the effects if a power is given, the smallest effect that a pilot could show if no effect is named, else
    the power.
    """
    if pool:
        others = {"effects": effects or None, "target_power": target_power, "folds": folds, "pilot": pilot}
        for name, value in others.items():
            if value is not None:
                raise ArgumentError(
                    "{argument} and `pool` exclude each other: the means of the pool say how far apart its algorithms are.",
                    argument=name,
                )
        chosen = ("sign", "mean_ranks") if tuple(tests) == registry.usual("power") else tests
        settings = {key: shared[key] for key in ("spread", "alpha", "rng") if key in shared}
        at_size = partial(pool_power, pool, tests=chosen, draws=draws, **settings)
        return [partial(at_size, n_datasets=size) for size in sizes or [20]]
    if folds is not None and (target_power is not None or pilot is not None):
        raise ArgumentError(
            "{argument} is for the power of given sizes without a pilot: leave it out.", argument="folds"
        )
    if target_power is not None and effects:
        goal = {"effect": effects[0], "target_power": target_power, "pilot": pilot, "draws": draws, **shared}
        return [partial(datasets_needed, test=test, **goal) for test in tests]
    if pilot is not None and not effects:
        goal = {"draws": draws, "target_power": 0.8 if target_power is None else target_power}
        goal |= {key: shared[key] for key in ("a", "b", "alpha", "rng")}
        return [partial(minimum_detectable, pilot, test=test, **goal) for test in tests]
    grid: dict[str, Any] = {"effects": effects or [0.2, 0.5, 0.8], "sizes": sizes or [10, 20, 40]}
    return [partial(power, tests=tests, **grid, pilot=pilot, folds=folds, draws=draws, progress=progress, **shared)]


def pool_power(
    pool: Sequence[float],
    *,
    n_datasets: int,
    tests: Iterable[str] = ("sign", "mean_ranks"),
    spread: float = 1.0,
    alpha: float = 0.05,
    draws: int = 10_000,
    rng: Rng = 0,
) -> PowerResult:
    """The power to find that the first two of a pool of algorithms with normal scores differ (Benavoli et al. 2016, Example 2).

    Parameters
    ----------
    pool : sequence of float
        The mean scores of the algorithms, those of the two first.
    n_datasets : int
        Number of datasets.
    tests : iterable of str, default ("sign", "mean_ranks")
        The tests.
    spread : float, default 1.0
        The standard deviation of the scores.
    alpha : float, default 0.05
        Significance level.
    draws : int, default 10000
        Number of simulated samples.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    PowerResult
        The power of each test for each effect and size.

    Examples
    --------
    >>> pool_power([0.0, 1.0, 2.0], n_datasets=20, tests=["sign"], draws=200).power.shape
    (1, 1, 1)
    """
    centre = np.asarray([check.number("pool", mean) for mean in _several("pool", pool)])
    if len(centre) < 2:
        raise ArgumentError("{argument} must have the means of two algorithms or more.", argument="pool")
    check.nonnegative("spread", spread)
    check.count("n_datasets", n_datasets, at_least=2)

    def sampler(stream: np.random.Generator, count: int) -> Floats:
        return centre + spread * stream.standard_normal((count, n_datasets, len(centre)))

    apart, source = float(centre[1] - centre[0]), f"a pool of {len(centre)} normal algorithms"
    asked: dict[str, Any] = {"alpha": alpha, "draws": draws, "rng": rng, "references": ("benavoli2016",)}
    return _powers(_chosen_tests(tests, None), (apart,), (n_datasets,), lambda effect, size: sampler, source, **asked)


Draw = Callable[[np.random.Generator, int, int], Floats]


def _source(pilot: Any, a: str | None, b: str | None, shape: str, spread: float, folds: int | None) -> tuple[Draw, str]:
    """How centred differences (samples, datasets) are drawn, and the words for it."""
    if pilot is not None:
        if folds is not None:
            raise ArgumentError("{argument} is for simulated scores, not for a pilot: leave it out.", argument="folds")
        differences, first, second = _pilot_differences(pilot, a, b)
        return _resampled(differences), f"resampling {len(differences)} differences of {first} and {second}"
    if check.number("spread", spread) <= 0:
        raise ArgumentError(f"`spread` must be above 0; got {spread!r}.")
    make = noise(shape)
    if folds is not None:
        rho = 1 / check.count("folds", folds, at_least=2)

        def correlated(rng: np.random.Generator, count: int, size: int) -> Floats:
            shared, own = rng.standard_normal((count, 1)), rng.standard_normal((count, size))
            return np.asarray(spread * (np.sqrt(rho) * shared + np.sqrt(1 - rho) * own))

        return correlated, f"{folds}-fold cross-validation, normal differences of spread {as_given(spread)}"
    # Each of two scores of one shape has the deviation 1 (heavy tails: their quartiles), and so their difference sqrt(2).
    scale = spread / np.sqrt(2)

    def draw(rng: np.random.Generator, count: int, size: int) -> Floats:
        scores = make(rng, (count, size, 2))
        return np.asarray(scale * (scores[..., 0] - scores[..., 1]))

    return draw, f"{shape} differences of spread {as_given(spread)}"


def _resampled(differences: Floats) -> Draw:
    centred = differences - differences.mean()
    return lambda rng, count, size: centred[rng.integers(len(centred), size=(count, size))]


def _pilot_differences(pilot: Any, a: str | None, b: str | None) -> tuple[Floats, str, str]:
    table = as_table(pilot)
    first, second = the_two(table, a, b)
    pair = as_pair(table.gains[:, table.place(first)], table.gains[:, table.place(second)], at_least=3)
    return pair.differences, first, second


def _shifted(draw: Draw, effect: float, size: int) -> Sampler:
    """Samples of two algorithms whose differences are those drawn, moved by the effect."""

    def sampler(rng: np.random.Generator, count: int) -> Floats:
        differences = draw(rng, count, size) + effect
        return np.stack([differences, np.zeros_like(differences)], axis=2)

    return sampler


def _several(name: str, values: Any) -> list[Any]:
    """A list that is not empty."""
    if not isinstance(values, Sequence | np.ndarray) or isinstance(values, str) or not len(values):
        raise ArgumentError(
            "{argument} must be a list of one number or more; got {got}.", argument=name, got=repr(values)
        )
    return list(values)


def _chosen_tests(tests: Iterable[str], folds: int | None) -> list[BatchTest]:
    """The tests as batches; on folds they must be over folds, and instead of the usual ones it is the corrected t test."""
    if folds is not None:
        named = tuple(tests)
        over_folds = ("corrected_t",) if named == registry.usual("power") else named
        return [as_batch(check.choice("tests", test, registry.names("folds")), folds=folds) for test in over_folds]
    chosen = [as_batch(test) for test in tests]
    for test in chosen:
        if test.name in registry.PAIRWISE and registry.PAIRWISE[test.name].needs_scores:
            raise ArgumentError(f"{test.name!r} needs scores, not differences: study it with `replicability`.")
    return chosen
