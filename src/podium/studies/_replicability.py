"""Replicability and rejection of tests on biased samples of real datasets (Demsar 2006, section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Floats, Indices
from podium.core.errors import ArgumentError, DataError
from podium.core.progress import Progress, tracked
from podium.core.rng import Rng, streams
from podium.evidence.table import Table, as_table
from podium.planning.batch import Study, as_batch, the_two
from podium.stats import registry

if TYPE_CHECKING:
    import pandas as pd

SERIES = ("rejected", "agreement", "mean_pvalue", "steadiness")  # as `_four` gives them


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReplicabilityResult(Study):
    """Four series against the bias k for each test: arrays of shape (tests, biases).

    `rejected` is the share of samples (and hypotheses) rejected at alpha; `agreement` is Bouckaert's
    replicability, the probability that two samples agree; `mean_pvalue` and `steadiness` (1 minus the variance of
    the p-value) do not depend on alpha.
    """

    tests: tuple[str, ...]
    biases: tuple[float, ...]
    rejected: Floats
    agreement: Floats
    mean_pvalue: Floats
    steadiness: Floats
    chosen_by: tuple[str, str]
    algorithms: tuple[str, ...]
    size: int
    n_datasets: int
    left_out: tuple[str, ...]
    unit: float
    references: tuple[str, ...] = ("demsar2006", "demsar2006sl", "bouckaert2004")

    def summary(self) -> str:
        """Which test rejects most and which p-value varies least, over all biases."""
        most = self.tests[int(self.rejected.mean(axis=1).argmax())]
        steady = self.tests[int(self.steadiness.mean(axis=1).argmax())]
        first, second = self.chosen_by
        left = f" ({len(self.left_out)} incomplete excluded)" if self.left_out else ""
        return (
            f"{self.draws} samples of {self.size} of {self.n_datasets} datasets{left} at each of {len(self.biases)} "
            f"biases towards {first} against {second}: over all of them {most} rejects most often and the p-value of "
            f"{steady} varies least. Rejecting more often is a virtue only where a difference exists, which real data "
            "do not tell."
        )

    def columns(self) -> dict[str, Any]:
        """One row per test and bias."""
        tests, biases = zip(*product(self.tests, self.biases), strict=True)
        return {"test": tests, "bias": biases, **{name: getattr(self, name).ravel() for name in SERIES}}

    def tables(self) -> dict[str, pd.DataFrame]:
        """The mean of every series over the biases, the test that rejects most first."""
        means = self.to_frame().drop(columns="bias").groupby("test", sort=False).mean().reset_index()
        return {"result": means.sort_values("rejected", ascending=False, kind="stable")}


def bouckaert_replicability(rejected: npt.ArrayLike, draws: int) -> Floats:
    """[q (q - 1) + (s - q)(s - q - 1)] / [s (s - 1)] for q of s samples rejected.

    >>> float(bouckaert_replicability(500, 1000))
    0.4994994994994995
    """
    q, s = np.asarray(rejected, dtype=np.float64), float(draws)
    return (q * (q - 1) + (s - q) * (s - q - 1)) / (s * (s - 1))


def replicability(
    table: Any,
    *,
    a: str | None = None,
    b: str | None = None,
    tests: Iterable[Any] | None = None,
    size: int = 10,
    biases: Sequence[float] = tuple(range(21)),
    draws: int = 1000,
    unit: float | None = None,
    alpha: float = 0.05,
    rng: Rng = 0,
    progress: Progress = None,
) -> ReplicabilityResult:
    """How often tests reject, and how well they replicate, on samples of datasets biased towards a.

    Each sample takes datasets without replacement, with a probability proportional to 1 / (1 + exp(-k d_i)), d_i being the gain of a
    over b on dataset i and k the bias. Tests of two algorithms look at a and b; tests of many at all algorithms, with a first (the
    control of Dunnett and Bonferroni-Dunn).

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    a, b : str, optional
        Names of the two algorithms; by default the first two.
    tests : iterable of str, optional
        The tests: names of `podium.stats`; by default the usual ones.
    size : int, default 10
        Number of datasets in a sample.
    biases : sequence of float, default 0 to 20
        The biases k towards `a`, none negative.
    draws : int, default 1000
        Number of samples for each bias.
    unit : float, optional
        The unit of the gains; by default 1, or 100 for scores in percent.
    alpha : float, default 0.05
        Significance level.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    ReplicabilityResult
        For each test and bias: the rate of rejections and how well p-values replicate.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.linspace(0.6, 0.9, 12)[:, None] + [0.0, 0.01]
    >>> found = replicability(table, tests=["sign"], size=5, biases=[0, 5], draws=20)
    >>> found.biases
    (0.0, 5.0)
    """
    whole = as_table(table)
    kept = whole.complete()
    check.fraction("alpha", alpha)
    check.count("draws", draws, at_least=2)
    first, second = the_two(kept, a, b)
    if check.count("size", size, at_least=2) > kept.n_datasets:
        raise DataError(
            f"{size} datasets were asked for, but only {kept.n_datasets} are complete: choose a smaller `size`."
        )
    if any(check.number("biases", bias) < 0 for bias in check.several("biases", biases)):
        raise ArgumentError("`biases` must not be negative: swap `a` and `b` to favour the other algorithm.")
    ordered = kept.select([first, second, *(name for name in kept.algorithms if name not in (first, second))])
    chosen = [as_batch(test) for test in (_usual(kept) if tests is None else check.several("tests", tests))]
    scale = _unit(ordered) if unit is None else check.number("unit", unit)
    gains = (ordered.gains[:, 0] - ordered.gains[:, 1]) / scale
    picks = [
        _biased_samples(gains, bias, size, draws, stream)
        for bias, stream in zip(biases, streams(rng, len(biases)), strict=True)
    ]
    batch = ordered.gains[np.concatenate(picks)]
    series = np.empty((4, len(chosen), len(biases)))
    for i, test in tracked(enumerate(chosen), progress, total=len(chosen)):
        pvalues = test(batch)  # all biases in one call
        for j, part in enumerate(np.split(pvalues, len(biases))):
            series[:, i, j] = _four(part, alpha)
    named: dict[str, Any] = dict(zip(SERIES, series, strict=True))
    return ReplicabilityResult(
        **named,
        tests=tuple(test.name for test in chosen),
        biases=tuple(float(bias) for bias in biases),
        chosen_by=(first, second),
        algorithms=ordered.algorithms,
        size=size,
        n_datasets=kept.n_datasets,
        left_out=tuple(name for name in whole.datasets if name not in kept.datasets),
        draws=draws,
        unit=scale,
        alpha=alpha,
        seed=str(rng),
    )


def _usual(table: Table) -> list[str]:
    """The tests that Demsar 2006 compares; on two algorithms those of two."""
    of_two = set(registry.names("datasets"))
    return [name for name in registry.usual("replicability") if table.n_algorithms > 2 or name in of_two]


def _unit(table: Table) -> float:
    """Scores above 1 that do not exceed 100 are taken to be percent, so that k means the same as in the paper."""
    top = np.abs(table.values).max()
    return 100.0 if 1 < top <= 100 else 1.0


def _biased_samples(gains: Floats, bias: float, size: int, draws: int, rng: np.random.Generator) -> Indices:
    """Indices of datasets, without replacement within a sample.

    Adding Gumbel noise to log weights and taking the largest is drawing without replacement in proportion to
    the weights, all samples at once.
    """
    log_weights = -np.logaddexp(0.0, -bias * gains)
    keys = log_weights + rng.gumbel(size=(draws, len(gains)))
    return np.argpartition(-keys, size - 1, axis=1)[:, :size]


def _four(pvalues: Floats, alpha: float) -> tuple[float, float, float, float]:
    """Share rejected, Bouckaert's replicability, mean p and 1 - var(p), averaged over the hypotheses."""
    rejected = (pvalues <= alpha).sum(axis=0)
    return (
        float((rejected / len(pvalues)).mean()),
        float(bouckaert_replicability(rejected, len(pvalues)).mean()),
        float(pvalues.mean()),
        float(1 - pvalues.var(axis=0).mean()),
    )
